//! What sampling costs: CPU of the thread that samples client, svnserve and machine, as a share of a core.
//!
//! Beside it, on the same machine at the same time of day: a thread that only sleeps and wakes as often,
//! which is the least that any sampler costs here. Wanted (DESIGN §9): below 0.1 % of a core at 10 Hz,
//! below 1 % at 100 Hz. `svnserve` and `svnadmin` must be there.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use rustix::event::{Timespec, poll};
use rustix::time::{ClockId, clock_gettime};
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use triptych_model::runlog::LiveSample;
use triptych_runner::host::local::LocalHost;
use triptych_runner::host::{ClientSpec, Host, ServerSpec, Watcher};
use triptych_runner::plan::ServerMode;

struct Nobody;

impl Watcher for Nobody {
    fn started(&mut self, _pid: u32, _command: &[String]) {}
    fn sample(&mut self, _sample: LiveSample) {}
    fn cancelled(&mut self) -> bool {
        false
    }
    fn wake_fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }
}

/// CPU seconds of a thread that wakes so often for so long.
fn waking(hz: u32, wall: Duration) -> f64 {
    let tick = Duration::from_secs(1) / hz;
    let before = clock_gettime(ClockId::ThreadCPUTime);
    let start = Instant::now();
    let mut next = tick;
    while next < wall {
        let left = next.saturating_sub(start.elapsed());
        let left = Timespec { tv_sec: 0, tv_nsec: i64::from(left.subsec_nanos()) };
        poll(&mut [], Some(&left)).unwrap();
        next += tick;
    }
    let after = clock_gettime(ClockId::ThreadCPUTime);
    (after.tv_sec - before.tv_sec) as f64 + (after.tv_nsec - before.tv_nsec) as f64 / 1e9
}

fn serve(host: &mut LocalHost, scratch: &Path) {
    let repository = scratch.join("repository");
    assert!(Command::new("svnadmin").arg("create").arg(&repository).status().unwrap().success());
    let spec = ServerSpec {
        program: "svnserve".into(),
        root: scratch.to_owned(),
        mode: ServerMode::Fork,
        options: Vec::new(),
        log: false,
        start_limit: Duration::from_secs(5),
    };
    host.start_server(&spec, &mut Nobody).unwrap();
}

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let scratch = directory.path();
    let mut host = LocalHost::new("bench-sampler", scratch);
    serve(&mut host, scratch);
    let loops = std::env::var("LOOPS").unwrap_or_else(|_| "200000000".to_owned());
    let words = ["awk".to_owned(), format!("BEGIN {{ for (i = 0; i < {loops}; i++) x += i }}")];
    for (hz, most) in [(10, 0.1), (100, 1.0)] {
        let spec = ClientSpec {
            command: words.to_vec(),
            directory: scratch.to_owned(),
            limit: Duration::from_secs(600),
            output_bytes: 1 << 20,
            sample_hz: hz,
        };
        let end = host.run_client(&spec, &mut Nobody).unwrap();
        let of = |name: &str| end.facts[name].as_f64().unwrap();
        let (cost, ticks, wall) = (of("sampler_cpu_secs"), of("ticks"), end.wall.as_secs_f64());
        let mut load = Command::new(&words[0]).args(&words[1..]).spawn().unwrap();
        let bare = waking(hz, end.wall);
        load.wait().unwrap();
        println!(
            "{hz:3} Hz: {:.3} % of a core (wanted below {most} %), {:.0} µs a tick; waking alone {:.0} µs: {:.2} times that",
            cost / wall * 100.0,
            cost / ticks * 1e6,
            bare / ticks * 1e6,
            cost / bare,
        );
    }
}
