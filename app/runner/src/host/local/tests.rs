//! The local host against real processes: a shell, svnserve, svnbench.

use super::*;
use crate::plan::ServerMode;
use crate::procfs::{stat, with_token};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Command;
use std::time::Instant;
use triptych_model::runlog::{LiveSample, SampleTable};

mod apart;

/// A watcher that notes the live samples and gives up after a time.
#[derive(Default)]
struct Notes {
    live: Vec<LiveSample>,
    pid: Option<u32>,
    give_up: Option<Instant>,
    wake: Option<OwnedFd>,
    /// What is done at the first sample.
    first: Option<Box<dyn FnOnce()>>,
    /// This server is killed once a sample shows that it works.
    kill_when_busy: Option<u32>,
}

impl Watcher for Notes {
    fn started(&mut self, pid: u32, _command: &[String]) {
        self.pid = Some(pid);
    }
    fn sample(&mut self, sample: LiveSample) {
        let works = |value: &triptych_model::runlog::LiveValue| {
            value.process == Process::Svnserve && value.metric == "cpu" && value.value > 20.0
        };
        if let Some(pid) = self.kill_when_busy.filter(|_| sample.values.iter().any(works)) {
            self.kill_when_busy = None;
            kill(pid);
        }
        self.live.push(sample);
        if let Some(act) = self.first.take() {
            act();
        }
    }
    fn cancelled(&mut self) -> bool {
        self.give_up.is_some_and(|at| Instant::now() >= at)
    }
    fn wake_fd(&self) -> Option<BorrowedFd<'_>> {
        self.wake.as_ref().map(AsFd::as_fd)
    }
}

fn kill(pid: u32) {
    let id = rustix::process::Pid::from_raw(pid.cast_signed()).expect("a pid");
    rustix::process::kill_process(id, rustix::process::Signal::KILL).expect("it lives");
}

/// A host in a directory of its own; dropped, it must have left nothing.
struct Bench {
    host: Option<LocalHost>,
    token: String,
    scratch: tempfile::TempDir,
}

impl Bench {
    fn new(name: &str) -> Self {
        // As the runner's own: in memory where there is one.
        let memory = Path::new("/dev/shm");
        let scratch = if lies_in_memory(memory) { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let scratch = scratch.expect("a directory");
        let token = format!("test-{name}-{}", std::process::id());
        Self { host: Some(LocalHost::new(&token, scratch.path())), token, scratch }
    }

    fn host(&mut self) -> &mut LocalHost {
        self.host.as_mut().expect("not dropped yet")
    }

    fn client(&self, command: &[&str]) -> ClientSpec {
        ClientSpec {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            directory: self.scratch.path().to_owned(),
            limit: Duration::from_secs(20),
            output_bytes: 1 << 20,
            sample_hz: 50,
        }
    }

    fn server(&self, program: &str, mode: ServerMode, root: &Path) -> ServerSpec {
        ServerSpec {
            program: program.into(),
            root: root.to_owned(),
            mode,
            options: Vec::new(),
            log: true,
            start_limit: Duration::from_secs(5),
        }
    }

    /// A script for an interpreter; started as a program, a file just written may still be busy.
    fn script(&self, name: &str, text: &str) -> String {
        let path = self.scratch.path().join(name);
        fs::write(&path, text).expect("written");
        path.to_str().expect("text").to_owned()
    }

    /// Everything has ended and every directory is gone.
    fn nothing_is_left(mut self) {
        drop(self.host.take());
        let end = Instant::now() + Duration::from_secs(2);
        // Orphans of orphans are reaped by others; dying takes them a moment.
        while !with_token(&self.token).is_empty() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(with_token(&self.token), [], "processes");
        let left = fs::read_dir(self.scratch.path()).expect("there").flatten();
        let left: Vec<_> = left.filter(|entry| entry.path().is_dir()).collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// A directory with the repository `r`, which forbids anonymous access.
fn repositories() -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a directory");
    let (tree, copy) = (root.path().join("tree"), root.path().join("r"));
    for directory_number in 0..10u64 {
        let directory = tree.join(format!("d{directory_number}"));
        fs::create_dir_all(&directory).expect("made");
        for file in 0..10u64 {
            let seed = directory_number * 10 + file;
            let lines: String = (0..6000u64)
                .map(|line| format!("{} {seed}\n", (line + seed * 31) * 2_654_435_761 % 1_000_003))
                .collect();
            fs::write(directory.join(format!("f{file}")), lines).expect("written");
        }
    }
    let run = |program: &str, arguments: &[&str]| {
        let status = Command::new(program).args(arguments).status().expect("Subversion is installed");
        assert!(status.success(), "{program}");
    };
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    run("svnadmin", &["create", &text(&copy)]);
    let url = format!("file://{}/trunk", copy.display());
    run("svn", &["import", "-q", "-m", "x", &text(&tree), &url]);
    fs::write(copy.join("conf/svnserve.conf"), "[general]\nanon-access = none\n").expect("written");
    fs::remove_dir_all(&tree).expect("removed");
    root
}

fn value(values: &[MeasuredValue], process: &Process, metric: &str) -> f64 {
    let found = values.iter().find(|value| value.process == *process && value.metric == metric);
    found.and_then(|value| value.value).unwrap_or_else(|| panic!("{process} {metric} is missing: {values:?}"))
}

/// CPU seconds that the samples of a process come to.
fn sampled(table: &SampleTable, process: &Process, metric: &str) -> f64 {
    let found = table.series.iter().find(|series| series.process == *process && series.metric == metric);
    let series = found.unwrap_or_else(|| panic!("{process} {metric} was not sampled"));
    let mut before = 0.0;
    // A sample counts since the one before it in its series.
    let parts = table.times.iter().zip(&series.values).filter_map(|(end, load)| {
        let secs = load.as_ref()? / 100.0 * (end - before);
        before = *end;
        Some(secs)
    });
    parts.sum()
}

/// What the samples may differ from the kernel's own account.
fn agree(sampled: f64, exact: f64) -> bool {
    (sampled - exact).abs() <= (exact * 0.01).max(0.02)
}

/// Burns about half a second.
const BURN: &str = "i=0; while [ $i -lt 250000 ]; do i=$((i+1)); done";

#[test]
fn samples_add_up_to_what_the_kernel_charges() {
    let mut bench = Bench::new("burn");
    let children = format!("({BURN}) & ({BURN}) & wait");
    for (script, hz) in [(BURN, 10), (BURN, 100), (&children, 20)] {
        let mut spec = bench.client(&["sh", "-c", script]);
        spec.sample_hz = hz;
        let end = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
        assert_eq!((end.exit, &end.ended), (0, &None));
        let exact = value(&end.values, &Process::Client, "cpu_time");
        assert!(exact > 0.1, "{exact}");
        for (metric, parts) in [("cpu", &["cpu"][..]), ("user and sys", &["cpu_user", "cpu_sys"])] {
            let sum: f64 = parts.iter().map(|part| sampled(&end.samples, &Process::Client, part)).sum();
            assert!(agree(sum, exact), "{metric} at {hz} Hz: sampled {sum}, charged {exact}");
        }
        let real = value(&end.values, &Process::Client, "real");
        assert!((end.samples.times.last().expect("one at least") - real).abs() < 0.001);
        assert!(value(&end.values, &Process::System, "cpu_user") > 20.0, "{:?}", end.values);
    }
    bench.nothing_is_left();
}

#[test]
fn ended_threads_count() {
    let mut bench = Bench::new("threads");
    let program = "import threading, zlib\n\
        def burn():\n    for _ in range(60): zlib.compress(bytes(range(256)) * 2000, 9)\n\
        ts = [threading.Thread(target=burn) for _ in range(2)]\n\
        [t.start() for t in ts]; [t.join() for t in ts]\n";
    let spec = bench.client(&["python3", "-c", program]);
    let end = match bench.host().run_client(&spec, &mut Notes::default()) {
        Ok(end) if end.exit == 0 => end,
        other => {
            println!("skipped: no python3 here ({other:?})");
            return bench.nothing_is_left();
        }
    };
    let exact = value(&end.values, &Process::Client, "cpu_time");
    let sum = sampled(&end.samples, &Process::Client, "cpu");
    assert!(exact > 0.05 && agree(sum, exact), "sampled {sum}, charged {exact}");
    bench.nothing_is_left();
}

#[test]
fn svnserve_is_measured_with_all_its_children_and_threads() {
    let root = repositories();
    for mode in [ServerMode::Fork, ServerMode::Threads] {
        let mut bench = Bench::new(&format!("{mode:?}"));
        let spec = bench.server("svnserve", mode, root.path());
        let server = bench.host().start_server(&spec, &mut Notes::default()).expect("started");
        assert!(server.port > 0 && server.ready_after < Duration::from_secs(5));
        let url = format!("svn://127.0.0.1:{}/r", server.port);
        let mut spec = bench.client(&["svnbench", "null-export", &url]);
        let mut last = ClientEnd::default();
        for hz in [0, 100] {
            spec.sample_hz = hz;
            let before = std::mem::take(&mut last);
            assert!(before.server.iter().all(|value| value.quality == Quality::MEASURED), "{before:?}");
            last = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
            assert_eq!(last.exit, 0, "{}", String::from_utf8_lossy(&last.stderr));
            assert_eq!(last.samples.times.is_empty(), hz == 0);
        }
        let printed = String::from_utf8_lossy(&last.stdout).into_owned();
        assert!(printed.contains("100 files"), "{printed}");
        let end = bench.host().stop_server().expect("it ran");
        assert!(!end.died && end.exit == Some(-15), "{:?}", end.exit);
        let exact = value(&end.values, &Process::Svnserve, "cpu_time");
        let live = value(&last.server, &Process::Svnserve, "cpu_time");
        let sum = sampled(&last.samples, &Process::Svnserve, "cpu");
        println!("{mode:?}: wait4 {exact}, clocks {live}, sampled {sum}, {:?}", last.facts);
        assert!(exact > 0.001 && agree(sum, exact) && agree(live, exact), "{sum} {live} {exact}");
        assert!(value(&end.values, &Process::Svnserve, "max_rss") > 1e6);
        // Of processes that ended before the run, only whole steps of 10 ms are known to be subtracted.
        for (cpu, secs) in [(end.values.first(), exact), (last.server.first(), live)] {
            let expect = values::quality_of_cpu(mode == ServerMode::Fork, (secs * 1e9) as u64);
            assert_eq!(cpu.expect("some").quality, expect, "{mode:?} {secs}: no child was lost");
        }
        // The clocks alone step; how far to trust the memory depends on this test program's own size.
        let mut bytes = end.values.iter().filter(|value| value.metric.ends_with("_bytes"));
        assert!(bytes.all(|value| value.quality == Quality::MEASURED), "{:?}", end.values);
        let logs = String::from_utf8_lossy(&end.log).contains(" get-latest-rev");
        assert_eq!(logs, server.reserve.is_none(), "{:?}", server.reserve);
        assert!(bench.host().stop_server().is_none());
        bench.nothing_is_left();
    }
}

#[test]
fn no_log_is_written_to_a_disk() {
    let root = tempfile::tempdir().expect("a directory");
    // Beside this program: what cargo builds lies on a disk as a rule.
    let program = std::env::current_exe().expect("known");
    let on_disk = tempfile::tempdir_in(program.parent().expect("a directory")).expect("a directory");
    let mut bench = Bench::new("log");
    for (scratch, log) in [(bench.scratch.path(), true), (on_disk.path(), true), (on_disk.path(), false)] {
        let may_log = lies_in_memory(scratch);
        let mut host = LocalHost::new(&bench.token, scratch);
        let spec = ServerSpec { log, ..bench.server("svnserve", ServerMode::Fork, root.path()) };
        let server = host.start_server(&spec, &mut Notes::default()).expect("started");
        let told = server.command.iter().any(|word| word == "--log-file");
        assert_eq!(told, log && may_log, "{:?}", server.command);
        let reserve = server.reserve.is_some_and(|words| words.contains("lies on a disk"));
        assert_eq!(reserve, log && !may_log);
    }
    drop(bench.host.take());
    bench.nothing_is_left();
}

#[test]
fn connections_shorter_than_a_tick_are_charged_all_the_same() {
    let root = repositories();
    let mut bench = Bench::new("short");
    let spec = bench.server("svnserve", ServerMode::Fork, root.path());
    let server = bench.host().start_server(&spec, &mut Notes::default()).expect("started");
    let url = format!("svn://127.0.0.1:{}/r", server.port);
    let script =
        format!("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do svnbench null-list -q {url} || exit 1; done");
    let mut spec = bench.client(&["sh", "-c", &script]);
    spec.sample_hz = 2;
    let last = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
    assert_eq!(last.exit, 0, "{}", String::from_utf8_lossy(&last.stderr));
    let end = bench.host().stop_server().expect("it ran");
    let exact = value(&end.values, &Process::Svnserve, "cpu_time");
    let sum = sampled(&last.samples, &Process::Svnserve, "cpu");
    // What no tick saw is known in whole steps of 10 ms alone, for user and for system time.
    let missing = exact - sum;
    assert!(
        exact > 0.01 && sum > 0.0 && (-0.001..0.025).contains(&missing),
        "sampled {sum}, charged {exact}"
    );
    bench.nothing_is_left();
}

#[test]
fn a_server_behind_a_wrapper_is_found_and_charged() {
    let root = repositories();
    let mut bench = Bench::new("wrapper");
    let mut spec = bench.server("sh", ServerMode::Fork, root.path());
    spec.options = vec![bench.script("wrapper", "svnserve \"$@\"\nexit 0\n")];
    let server = bench.host().start_server(&spec, &mut Notes::default()).expect("started");
    let url = format!("svn://127.0.0.1:{}/r", server.port);
    let spec = bench.client(&["svnbench", "null-export", &url]);
    let last = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
    assert_eq!(last.exit, 0, "{}", String::from_utf8_lossy(&last.stderr));
    let end = bench.host().stop_server().expect("it ran");
    let exact = value(&end.values, &Process::Svnserve, "cpu_time");
    let sum = sampled(&last.samples, &Process::Svnserve, "cpu");
    assert!(sum > 0.005 && agree(sum, exact), "sampled {sum}, charged {exact}");
    bench.nothing_is_left();
}

#[test]
fn a_server_that_is_killed_ends_the_run() {
    let root = tempfile::tempdir().expect("a directory");
    let mut bench = Bench::new("killed");
    let spec = bench.server("svnserve", ServerMode::Fork, root.path());
    let server = bench.host().start_server(&spec, &mut Notes::default()).expect("started");
    assert!(bench.host().server_lives());
    let mut notes = Notes { first: Some(Box::new(move || kill(server.pid))), ..Notes::default() };
    let start = Instant::now();
    let spec = bench.client(&["sleep", "20"]);
    let end = bench.host().run_client(&spec, &mut notes).expect("it ran");
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(end.ended.as_deref(), Some("the server ended while the client ran"));
    assert!(!bench.host().server_lives());
    let end = bench.host().stop_server().expect("it ran");
    assert!(end.died && end.exit == Some(-9), "{:?}", end.exit);
    assert!(!bench.host().server_lives());
    bench.nothing_is_left();
}

#[test]
fn servers_that_do_not_start_say_why() {
    let root = tempfile::tempdir().expect("a directory");
    let listens = "import socket, time\ns = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()\n";
    let (dumb, strange) = (
        format!("{listens}time.sleep(30)\n"),
        format!("{listens}s.accept()[0].send(b'HTTP/1.1 200 OK is it'); time.sleep(30)\n"),
    );
    for (interpreter, text, millis, expect) in [
        ("sh", "exec sleep 30\n", 300, "did not listen within 0.3 s"),
        ("sh", "echo no luck >&2\nexit 4\n", 5000, "ended while it started (exit 4): no luck"),
        ("python3", dumb.as_str(), 900, "did not answer within 0.9 s"),
        ("python3", strange.as_str(), 5000, "answered \"HTTP"),
    ] {
        if interpreter == "python3" && Command::new(interpreter).arg("--version").status().is_err() {
            println!("skipped: no python3 here");
            continue;
        }
        let mut bench = Bench::new("refused");
        let mut spec = bench.server(interpreter, ServerMode::Fork, root.path());
        spec.options = vec![bench.script("server", text)];
        spec.start_limit = Duration::from_millis(millis);
        let error = bench.host().start_server(&spec, &mut Notes::default()).expect_err("refused").to_string();
        // An interpreter may take longer to start on a busy machine.
        assert!(error.contains(expect) || (millis == 900 && error.contains("did not listen")), "{error}");
        bench.nothing_is_left();
    }
    let mut bench = Bench::new("missing");
    let spec = bench.server("/nowhere/svnserve", ServerMode::Fork, root.path());
    let error = bench.host().start_server(&spec, &mut Notes::default()).expect_err("missing").to_string();
    assert!(error.contains("cannot start /nowhere/svnserve"), "{error}");
    bench.nothing_is_left();
}

#[test]
fn clients_are_held_to_their_limits() {
    let mut bench = Bench::new("limits");
    for (script, expect, exit) in [
        ("sleep 20 & sleep 20", "took longer than the limit of 0.3 s", -9),
        ("yes", "printed more than the limit of 100000 bytes", -9),
        ("yes | head -c 300000", "printed more than the limit of 100000 bytes", 0),
    ] {
        let mut spec = bench.client(&["sh", "-c", script]);
        (spec.limit, spec.output_bytes) = (Duration::from_millis(300), 100_000);
        let end = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
        assert_eq!(end.ended.as_deref(), Some(expect), "{script}");
        assert!(end.exit == exit || end.exit == -9, "{script}: {}", end.exit);
        assert!(end.stdout.len() <= 100_000 && end.wall < Duration::from_millis(900));
    }
    let spec = bench.client(&["/nowhere/svn"]);
    let error = bench.host().run_client(&spec, &mut Notes::default()).expect_err("missing").to_string();
    assert!(error.contains("/nowhere/svn"), "{error}");
    let mut spec = bench.client(&["true"]);
    spec.directory = "/nowhere".into();
    let error = bench.host().run_client(&spec, &mut Notes::default()).expect_err("missing").to_string();
    assert!(error.contains("no directory /nowhere"), "{error}");
    bench.nothing_is_left();
}

#[test]
fn output_exit_and_environment_are_the_clients_own() {
    let mut bench = Bench::new("output");
    let script = "echo out; echo err >&2; echo $LC_ALL; pwd; read line || echo nothing to read; exit 7";
    let spec = bench.client(&["sh", "-c", script]);
    let end = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
    let here = bench.scratch.path().canonicalize().expect("there");
    let expect = format!("out\nC.UTF-8\n{}\nnothing to read\n", here.display());
    assert_eq!(String::from_utf8_lossy(&end.stdout), expect);
    assert_eq!((end.stderr.as_slice(), end.exit), (b"err\n".as_slice(), 7));
    assert!(end.started > 1_700_000_000_000_000);
    bench.nothing_is_left();
}

#[test]
fn giving_up_takes_less_than_a_second() {
    let root = tempfile::tempdir().expect("a directory");
    let mut bench = Bench::new("cancel");
    let spec = bench.server("svnserve", ServerMode::Threads, root.path());
    bench.host().start_server(&spec, &mut Notes::default()).expect("started");
    // The descriptor that wakes is readable all the time: it must not keep the loop turning either.
    let (read, write) = rustix::pipe::pipe().expect("a pipe");
    rustix::io::write(&write, b"x").expect("written");
    let start = Instant::now();
    let give_up = Some(start + Duration::from_millis(150));
    let mut notes = Notes { give_up, wake: Some(read), ..Notes::default() };
    let spec = bench.client(&["sh", "-c", "trap '' TERM INT; sleep 30 & sleep 30"]);
    let own = sampler::thread_cpu_ns();
    let error = bench.host().run_client(&spec, &mut notes).expect_err("given up");
    assert!(matches!(error, HostError::Cancelled), "{error}");
    assert!(sampler::thread_cpu_ns() - own < 60_000_000, "the loop turned");
    bench.host().stop_server().expect("it ran");
    assert!(start.elapsed() < Duration::from_millis(150 + 900), "{:?}", start.elapsed());
    assert!(notes.pid.is_some_and(|pid| stat(pid).is_none()), "reaped");
    // A server that never answers can be given up as well.
    let mut spec = bench.server("sleep", ServerMode::Fork, root.path());
    spec.options = vec!["30".to_owned(), "--".to_owned()];
    let mut notes = Notes { give_up: Some(Instant::now()), ..Notes::default() };
    let error = bench.host().start_server(&spec, &mut notes).expect_err("given up");
    assert!(matches!(error, HostError::Cancelled), "{error}");
    bench.nothing_is_left();
}

#[test]
fn cold_reads_and_hot_does_not() {
    let root = repositories();
    let copy = root.path().join("r");
    if !may_drop_caches() || lies_in_memory(&copy) {
        println!("skipped: the caches may not be dropped here, or the copy lies in memory");
        return;
    }
    let mut bench = Bench::new("cold");
    let mut round = |state: Cache| {
        let proof = bench.host().cache(&copy, state, &mut Notes::default()).expect("proved");
        let resident = proof.resident_bytes.expect("told");
        assert_eq!(proof.method, if state == Cache::Cold { "dropped" } else { "none" });
        let spec = bench.server("svnserve", ServerMode::Fork, root.path());
        let server = bench.host().start_server(&spec, &mut Notes::default()).expect("started");
        let url = format!("svn://127.0.0.1:{}/r", server.port);
        let spec = bench.client(&["svnbench", "null-export", &url]);
        let end = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
        assert_eq!(end.exit, 0, "{}", String::from_utf8_lossy(&end.stderr));
        let stopped = bench.host().stop_server().expect("it ran");
        assert!(end.values.iter().any(|value| matches!(value.process, Process::Disk(_))), "{:?}", end.values);
        (value(&stopped.values, &Process::Svnserve, "read_bytes"), resident as f64 / proof.file_bytes as f64)
    };
    // Others work on this machine: a page may come back between drop and proof, and who else drops the
    // caches makes a hot run cold.
    let (cold, left) = round(Cache::Cold);
    assert!(cold > 100_000.0 && left < 0.1, "read {cold} bytes, {left} was resident");
    let mut hot = (f64::INFINITY, 0.0);
    for _ in 0..5 {
        hot = round(Cache::Hot);
        if hot.0 < cold / 10.0 && hot.1 > 0.5 {
            break;
        }
    }
    assert!(hot.0 < cold / 10.0 && hot.1 > 0.5, "read {} bytes, {} was resident", hot.0, hot.1);
    bench.nothing_is_left();
}

#[test]
fn targets_are_made_measured_and_removed() {
    let mut bench = Bench::new("target");
    let medium = tempfile::tempdir().expect("a directory");
    let target = bench.host().make_target(Target::Medium, medium.path()).expect("made");
    assert_eq!(target, LocalHost::target_root(medium.path(), &bench.token));
    fs::create_dir_all(target.join("a/.svn")).expect("made");
    fs::write(target.join("a/.svn/wc.db"), "xxxx").expect("written");
    fs::write(target.join("a/f"), "12345").expect("written");
    assert_eq!(bench.host().measure_target(&target, &mut Notes::default()).expect("read"), (2, 5));
    // A removal that was given up leaves a target behind; the next one takes its place.
    let mut notes = Notes { give_up: Some(Instant::now()), ..Notes::default() };
    let error = bench.host().remove_target(&target, &mut notes).expect_err("given up");
    assert!(matches!(error, HostError::Cancelled), "{error}");
    assert_eq!(bench.host().make_target(Target::Medium, medium.path()).expect("made anew"), target);
    bench.host().remove_target(&target, &mut Notes::default()).expect("removed");
    assert!(!target.exists() && bench.host().remove_target(&target, &mut Notes::default()).is_err());
    let memory = bench.host().make_target(Target::Tmpfs, medium.path());
    match memory {
        Ok(_) => assert!(lies_in_memory(bench.scratch.path())),
        Err(error) => assert!(error.to_string().contains("lies on a disk"), "{error}"),
    }
    bench.nothing_is_left();
}

#[test]
fn the_sampler_is_cheap() {
    let mut bench = Bench::new("cheap");
    let mut spec = bench.client(&["sleep", "1"]);
    spec.sample_hz = 100;
    let end = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
    let cost = end.facts["sampler_cpu_secs"].as_f64().expect("a number");
    let before = sampler::thread_cpu_ns();
    spec.command = vec!["true".to_owned()];
    bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
    let run = (sampler::thread_cpu_ns() - before) as f64 / 1e9;
    println!("a run costs {run} s, a second of sampling: {:?}", end.facts);
    assert!(run < 0.02, "{run} s of CPU for a run of nothing");
    // Unoptimised and beside other tests: the budget of 1 % is 0.01 s, a broken loop costs ten times that.
    assert!(cost > 0.0 && cost < 0.03, "{cost} s of CPU at 100 Hz in a second");
    assert!(end.facts["ticks"].as_u64().is_some_and(|ticks| (50..=140).contains(&ticks)), "{:?}", end.facts);
    bench.nothing_is_left();
}
