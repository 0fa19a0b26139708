//! The runner beside hyperfine on one command: does its clock agree?
//!
//! Pairs of one run each, in random order within the pair, of a CPU-bound command of about half a
//! second. Printed are the ratios runner / hyperfine with their 95 % interval (mean of the logarithms,
//! Student's t), and the runner's own CPU. The interval shall contain 1, with a half width below 1 %
//! for user+sys and 2 % for wall (DESIGN §9). Both give the command the same environment.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::os::fd::BorrowedFd;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use triptych_model::SplitMix;
use triptych_model::runlog::{LiveSample, MeasuredValue};
use triptych_runner::host::local::LocalHost;
use triptych_runner::host::{ClientSpec, Host, Watcher};
use triptych_runner::procfs::TOKEN;

/// Rest before each run. hyperfine itself takes 20 ms to start, and on a virtual machine a core that just
/// rested is some parts in a thousand faster: without this its runs alone would have rested.
const REST: Duration = Duration::from_millis(150);

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

fn value(values: &[MeasuredValue], metric: &str) -> f64 {
    values.iter().find(|value| value.metric == metric).and_then(|value| value.value).unwrap()
}

/// Wall and user+sys of one run by hyperfine, seconds.
fn by_hyperfine(command: &[String], scratch: &Path) -> (f64, f64) {
    std::thread::sleep(REST);
    let file = scratch.join("one.json");
    let text = command.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let done = Command::new("hyperfine")
        .args(["-N", "--runs", "1", "--style", "none", "--export-json"])
        .arg(&file)
        .arg(text)
        .envs([("LC_ALL", "C.UTF-8"), (TOKEN, "bench-0")])
        .env_remove("LANGUAGE")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let json: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let of = |name: &str| json["results"][0][name].as_f64().unwrap();
    (of("mean"), of("user") + of("system"))
}

/// Samples a second, `HZ` or ten.
fn hz() -> u32 {
    std::env::var("HZ").map_or(10, |text| text.parse().unwrap())
}

fn by_runner(host: &mut LocalHost, command: &[String], scratch: &Path) -> (f64, f64) {
    std::thread::sleep(REST);
    let spec = ClientSpec {
        command: command.to_vec(),
        directory: scratch.to_owned(),
        limit: Duration::from_secs(60),
        output_bytes: 1 << 20,
        sample_hz: hz(),
    };
    let end = host.run_client(&spec, &mut Nobody).unwrap();
    (value(&end.values, "real"), value(&end.values, "user") + value(&end.values, "sys"))
}

/// Mean ratio and half width of its 95 % interval.
fn interval(ratios: &[f64]) -> (f64, f64) {
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (n - 1.0);
    // Student's t for 95 % is 1.984 at 99 degrees of freedom and 2.05 at 28: this is between and above.
    let half = (2.0 + 1.4 / (n - 1.0)) * (variance / n).sqrt();
    (mean.exp(), half * mean.exp())
}

fn own_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap())
}

fn main() {
    let pairs: usize = std::env::var("PAIRS").map_or(100, |text| text.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let scratch = directory.path();
    let mut host = LocalHost::new("bench-0", scratch);
    let loops = std::env::var("LOOPS").unwrap_or_else(|_| "18000000".to_owned());
    let command: Vec<String> =
        ["awk", &format!("BEGIN {{ for (i = 0; i < {loops}; i++) x += i }}")].map(str::to_owned).to_vec();
    let mut random = SplitMix::new(7);
    let (mut wall, mut cpu, mut own) = (Vec::new(), Vec::new(), Duration::ZERO);
    for _ in 0..pairs {
        let first = random.below(2) == 0;
        let mut theirs = (0.0, 0.0);
        if !first {
            theirs = by_hyperfine(&command, scratch);
        }
        let before = own_cpu();
        let ours = by_runner(&mut host, &command, scratch);
        own += own_cpu() - before;
        if first {
            theirs = by_hyperfine(&command, scratch);
        }
        wall.push(ours.0 / theirs.0);
        cpu.push(ours.1 / theirs.1);
    }
    for (name, ratios, limit) in [("wall", &wall, 0.02), ("user+sys", &cpu, 0.01)] {
        let (ratio, half) = interval(ratios);
        let verdict = if (ratio - 1.0).abs() <= half && half < limit { "agrees" } else { "does not agree" };
        println!(
            "{name:9} runner / hyperfine = {ratio:.4} ± {half:.4} (n = {pairs} pairs, wanted below ± {limit}): {verdict}"
        );
    }
    println!("runner's own CPU: {:.3} ms a run", own.as_secs_f64() * 1e3 / pairs as f64);
}
