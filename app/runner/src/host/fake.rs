//! A host that replays a script, so that every phase of a step and every failure can be tried.
//!
//! Without a script all goes well: a run takes a second and a bit, the numbers are the same each time.
//! [`FakeHost::at`] changes what the n-th call of a place does; [`FakeHost::calls`] says what was called.

use super::{
    CacheProof, ClientEnd, ClientSpec, Gate, Host, HostError, Server, ServerEnd, ServerSpec, Watcher,
};
use crate::experiments::Target;
use crate::plan::Cache;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use triptych_model::runlog::{LiveSample, LiveValue, MeasuredValue, SampleSeries, SampleTable};
use triptych_model::{Process, Quality, Unit};

/// Where a script can interfere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// [`Host::gate`].
    Gate,
    /// [`Host::cache`].
    Cache,
    /// [`Host::make_target`].
    MakeTarget,
    /// [`Host::measure_target`].
    MeasureTarget,
    /// [`Host::remove_target`].
    RemoveTarget,
    /// [`Host::start_server`].
    StartServer,
    /// [`Host::run_client`].
    RunClient,
    /// [`Host::server_lives`], which is not among [`FakeHost::calls`]: it only looks.
    ServerLives,
    /// [`Host::stop_server`].
    StopServer,
}

/// What happens there; an act that does not suit its place is a mistake of the test and panics.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// [`HostError::Run`].
    Fail(String),
    /// [`HostError::Broken`].
    Break(String),
    /// Nothing happens until the watcher says that the user gave up: server, client, caches and targets.
    Hang,
    /// The client ends with this status, negative for a signal, and says why on standard error.
    Exit(i32),
    /// The client prints this.
    Print(String),
    /// The client is ended at its time limit.
    Limit,
    /// The server ends while the client runs, between two runs, or before it was told to.
    ServerDies,
    /// So many bytes were read from disk while the client ran: by the server, said when it is stopped, or by
    /// the client where no server runs.
    Reads(f64),
    /// The host counts as busy.
    Busy(String),
    /// So many bytes are resident before the run; absent: the kernel does not say.
    Resident(Option<u64>),
    /// Items and bytes of the target.
    Holds(u64, u64),
}

/// Bytes of every copy's files.
const FILE_BYTES: u64 = 1 << 20;

/// How long a hanging phase waits for the test to cancel it.
const PATIENCE: Duration = Duration::from_secs(20);

/// The scripted host.
#[derive(Debug, Default)]
pub struct FakeHost {
    /// What was called, in order: `start-server`, `cache cold`, `run-client svnbench null-export …`.
    pub calls: Vec<String>,
    /// What clients print unless the script says otherwise.
    pub stdout: String,
    /// Where targets are said to lie; they are not made.
    pub scratch: PathBuf,
    script: BTreeMap<(Place, u32), Act>,
    counts: BTreeMap<Place, u32>,
    cold: bool,
    server: Option<FakeServer>,
    targets: Vec<PathBuf>,
}

#[derive(Debug, Default)]
struct FakeServer {
    died: bool,
    read_bytes: Option<f64>,
}

impl FakeHost {
    /// A host on which all goes well, and whose clients print this.
    pub fn printing(stdout: impl Into<String>) -> Self {
        Self { stdout: stdout.into(), scratch: PathBuf::from("/fake"), ..Self::default() }
    }

    /// What the n-th call of a place does, from 1.
    #[must_use]
    pub fn at(mut self, place: Place, n: u32, act: Act) -> Self {
        self.script.insert((place, n), act);
        self
    }

    /// Whether nothing is left: no server runs and no target lies about.
    pub fn is_clean(&self) -> bool {
        self.server.is_none() && self.targets.is_empty()
    }

    /// Notes a call and finds what shall happen.
    fn call(&mut self, place: Place, words: String) -> Option<Act> {
        self.calls.push(words);
        self.act(place)
    }

    fn act(&mut self, place: Place) -> Option<Act> {
        let count = self.counts.entry(place).or_default();
        *count += 1;
        self.script.remove(&(place, *count))
    }

    /// The server read it, or the client where no server runs.
    fn read(&mut self, end: &mut ClientEnd, bytes: f64) {
        if let Some(server) = &mut self.server {
            server.read_bytes = Some(bytes);
        } else if let Some(value) = end.values.iter_mut().find(|value| value.metric == "read_bytes") {
            value.value = Some(bytes);
        }
    }

    fn end_of_client(&self, spec: &ClientSpec, watcher: &mut dyn Watcher) -> ClientEnd {
        let pid = 4000;
        watcher.started(pid, &spec.command);
        let samples = if spec.sample_hz > 0 { samples(pid) } else { SampleTable::default() };
        for at in &samples.times {
            watcher.sample(live(*at));
        }
        let value = |metric: &str, unit, value| measured(Process::Client, metric, unit, value);
        let real = 1.25;
        ClientEnd {
            started: 1_796_000_000_000_000,
            wall: Duration::from_secs_f64(real),
            stdout: self.stdout.clone().into_bytes(),
            values: vec![
                value("real", Unit::Secs, real),
                value("user", Unit::Secs, 0.25),
                value("sys", Unit::Secs, 0.125),
                value("cpu_time", Unit::Secs, 0.375),
                value("max_rss", Unit::Bytes, 8e6),
                value("read_bytes", Unit::Bytes, 0.0),
                measured(Process::System, "cpu_user", Unit::Percent, 90.0),
            ],
            samples,
            facts: [("client_pid".to_owned(), json!(pid)), ("ticks".to_owned(), json!(2))]
                .into_iter()
                .collect(),
            ..ClientEnd::default()
        }
    }
}

fn measured(process: Process, metric: &str, unit: Unit, value: f64) -> MeasuredValue {
    MeasuredValue { process, metric: metric.to_owned(), value: Some(value), unit, quality: Quality::MEASURED }
}

fn samples(pid: u32) -> SampleTable {
    let series = SampleSeries {
        process: Process::Client,
        pid: Some(pid),
        command: Some("client".to_owned()),
        metric: "cpu".to_owned(),
        unit: Unit::Percent,
        values: vec![Some(30.0), Some(30.0)],
    };
    SampleTable { times: vec![1.0, 1.25], series: vec![series], dropped: 0 }
}

fn live(at: f64) -> LiveSample {
    let value = LiveValue { process: Process::Client, metric: "cpu".to_owned(), value: 30.0 };
    LiveSample { elapsed_secs: at, values: vec![value], own_cpu: 0.5, ..LiveSample::default() }
}

/// Waits as a client or server that never ends does.
fn hang(watcher: &mut dyn Watcher) -> HostError {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if watcher.cancelled() {
            return HostError::Cancelled;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the script hangs and nobody cancelled within {PATIENCE:?}");
}

/// The failures that suit every place that can fail.
fn failure(act: Act, place: Place) -> HostError {
    match act {
        Act::Fail(words) => HostError::Run(words),
        Act::Break(words) => HostError::Broken(words),
        act => panic!("{act:?} does not suit {place:?}"),
    }
}

impl Host for FakeHost {
    fn facts(&mut self) -> Map<String, Value> {
        self.calls.push("facts".to_owned());
        [("hostname".to_owned(), json!("fake")), ("cores".to_owned(), json!(2))].into_iter().collect()
    }

    fn gate(&mut self) -> Gate {
        let busy = match self.call(Place::Gate, "gate".to_owned()) {
            None => None,
            Some(Act::Busy(words)) => Some(words),
            Some(act) => panic!("{act:?} does not suit the gate"),
        };
        let load = if busy.is_some() { 1.5 } else { 0.0 };
        Gate { facts: [("other_load".to_owned(), json!(load))].into_iter().collect(), busy }
    }

    fn cache(
        &mut self,
        copy: &Path,
        state: Cache,
        watcher: &mut dyn Watcher,
    ) -> Result<CacheProof, HostError> {
        let act = self.call(Place::Cache, format!("cache {} {}", state.name(), copy.display()));
        // Hot only looks: what is cold stays so until a client reads it.
        self.cold |= state == Cache::Cold;
        let resident = match act {
            None => Some(if self.cold { 0 } else { FILE_BYTES }),
            Some(Act::Resident(bytes)) => bytes,
            Some(Act::Hang) => return Err(hang(watcher)),
            Some(act) => return Err(failure(act, Place::Cache)),
        };
        Ok(CacheProof {
            method: if state == Cache::Cold { "dropped" } else { "none" }.to_owned(),
            file_bytes: FILE_BYTES,
            resident_bytes: resident,
            took: Duration::from_millis(5),
            reserve: resident.is_none().then(|| "what lies in memory is unknown".to_owned()),
        })
    }

    fn make_target(&mut self, target: Target, medium: &Path) -> Result<PathBuf, HostError> {
        match self.call(Place::MakeTarget, format!("make-target {target:?} {}", medium.display())) {
            None => {}
            Some(act) => return Err(failure(act, Place::MakeTarget)),
        }
        let directory = self.scratch.join(format!("target-{}", self.calls.len()));
        self.targets.push(directory.clone());
        Ok(directory)
    }

    fn measure_target(
        &mut self,
        directory: &Path,
        watcher: &mut dyn Watcher,
    ) -> Result<(u64, u64), HostError> {
        match self.call(Place::MeasureTarget, format!("measure-target {}", directory.display())) {
            None => Ok((120, 34_000)),
            Some(Act::Holds(items, bytes)) => Ok((items, bytes)),
            Some(Act::Hang) => Err(hang(watcher)),
            Some(act) => Err(failure(act, Place::MeasureTarget)),
        }
    }

    fn remove_target(&mut self, directory: &Path, watcher: &mut dyn Watcher) -> Result<(), HostError> {
        match self.call(Place::RemoveTarget, format!("remove-target {}", directory.display())) {
            None => {
                self.targets.retain(|target| target != directory);
                Ok(())
            }
            Some(Act::Hang) => Err(hang(watcher)),
            Some(act) => Err(failure(act, Place::RemoveTarget)),
        }
    }

    fn start_server(&mut self, spec: &ServerSpec, watcher: &mut dyn Watcher) -> Result<Server, HostError> {
        assert!(self.server.is_none(), "a server runs already");
        match self.call(Place::StartServer, format!("start-server {}", spec.root.display())) {
            None => {}
            Some(Act::Hang) => return Err(hang(watcher)),
            Some(act) => return Err(failure(act, Place::StartServer)),
        }
        self.server = Some(FakeServer::default());
        let mut command = vec![spec.program.display().to_string()];
        command.extend(spec.options.iter().cloned());
        Ok(Server { port: 40_000, pid: 3000, command, ready_after: Duration::from_millis(7), reserve: None })
    }

    fn run_client(&mut self, spec: &ClientSpec, watcher: &mut dyn Watcher) -> Result<ClientEnd, HostError> {
        let act = self.call(Place::RunClient, format!("run-client {}", spec.command.join(" ")));
        if act == Some(Act::Hang) {
            watcher.started(4000, &spec.command);
            return Err(hang(watcher));
        }
        let mut end = self.end_of_client(spec, watcher);
        let reads = spec.command.iter().all(|word| word != "--version");
        if self.cold && reads {
            self.cold = false;
            self.read(&mut end, FILE_BYTES as f64);
        }
        match act {
            None => {}
            Some(Act::Exit(status)) => {
                end.exit = status;
                end.stderr = format!("svn: E000001: the script says {status}\n").into_bytes();
            }
            Some(Act::Print(text)) => end.stdout = text.into_bytes(),
            Some(Act::Limit) => {
                end.exit = -9;
                end.ended = Some(format!("took longer than the limit of {} s", spec.limit.as_secs_f64()));
            }
            Some(Act::ServerDies) => {
                end.exit = -9;
                end.ended = Some("the server ended while the client ran".to_owned());
                self.server.as_mut().expect("a server that can die").died = true;
            }
            Some(Act::Reads(bytes)) => self.read(&mut end, bytes),
            Some(act) => return Err(failure(act, Place::RunClient)),
        }
        Ok(end)
    }

    fn server_lives(&mut self) -> bool {
        let act = self.act(Place::ServerLives);
        let Some(server) = &mut self.server else { return false };
        match act {
            None => {}
            Some(Act::ServerDies) => server.died = true,
            Some(act) => panic!("{act:?} does not suit a look at the server"),
        }
        !server.died
    }

    fn stop_server(&mut self) -> Option<ServerEnd> {
        let act = self.call(Place::StopServer, "stop-server".to_owned());
        let server = self.server.take()?;
        let died = match act {
            None => server.died,
            Some(Act::ServerDies) => true,
            Some(act) => panic!("{act:?} does not suit the server's end"),
        };
        let reads = server.read_bytes.unwrap_or(0.0);
        let value = |metric: &str, unit, value| measured(Process::Svnserve, metric, unit, value);
        Some(ServerEnd {
            exit: Some(if died { -11 } else { -15 }),
            died,
            stderr: if died { b"svnserve: the script killed it\n".to_vec() } else { Vec::new() },
            log: b"1 2026-11-30T08:03:39.382038Z 127.0.0.1 - copy export / r1\n".to_vec(),
            values: vec![
                value("cpu_time", Unit::Secs, 0.75),
                value("user", Unit::Secs, 0.5),
                value("sys", Unit::Secs, 0.25),
                value("max_rss", Unit::Bytes, 1.6e7),
                value("read_bytes", Unit::Bytes, reads),
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::BorrowedFd;

    struct Patient(u32);

    impl Watcher for Patient {
        fn started(&mut self, _pid: u32, _command: &[String]) {}
        fn sample(&mut self, _sample: LiveSample) {}
        fn cancelled(&mut self) -> bool {
            self.0 = self.0.saturating_sub(1);
            self.0 == 0
        }
        fn wake_fd(&self) -> Option<BorrowedFd<'_>> {
            None
        }
    }

    fn client() -> ClientSpec {
        ClientSpec {
            command: vec!["svnbench".to_owned(), "null-list".to_owned()],
            directory: PathBuf::from("/"),
            limit: Duration::from_secs(3),
            output_bytes: 100,
            sample_hz: 10,
        }
    }

    fn server() -> ServerSpec {
        ServerSpec {
            program: PathBuf::from("svnserve"),
            root: PathBuf::from("/r"),
            mode: crate::plan::ServerMode::Fork,
            options: Vec::new(),
            log: true,
            start_limit: Duration::from_secs(1),
        }
    }

    #[test]
    fn a_script_changes_one_call_and_all_are_noted() {
        let mut host = FakeHost::printing("hello").at(Place::RunClient, 2, Act::Exit(-11));
        let watcher = &mut Patient(1000);
        host.start_server(&server(), watcher).expect("started");
        assert_eq!(host.run_client(&client(), watcher).expect("ran").exit, 0);
        let second = host.run_client(&client(), watcher).expect("ran");
        assert_eq!((second.exit, second.stdout.as_slice()), (-11, b"hello".as_slice()));
        assert!(!host.is_clean());
        assert!(!host.stop_server().expect("it ran").died);
        assert!(host.is_clean() && host.stop_server().is_none());
        let run = "run-client svnbench null-list";
        assert_eq!(host.calls, ["start-server /r", run, run, "stop-server", "stop-server"]);
    }

    #[test]
    fn failures_of_every_kind() {
        let watcher = &mut Patient(5);
        let mut host = FakeHost::printing("")
            .at(Place::Cache, 1, Act::Break("full".to_owned()))
            .at(Place::StartServer, 1, Act::Fail("no".to_owned()))
            .at(Place::RunClient, 1, Act::ServerDies)
            .at(Place::RunClient, 2, Act::Hang)
            .at(Place::MeasureTarget, 1, Act::Hang);
        assert!(matches!(host.cache(Path::new("/c"), Cache::Cold, watcher), Err(HostError::Broken(_))));
        assert!(matches!(host.start_server(&server(), watcher), Err(HostError::Run(_))));
        host.start_server(&server(), watcher).expect("the second time");
        assert!(host.server_lives());
        assert!(host.run_client(&client(), watcher).expect("ran").ended.is_some());
        assert!(!host.server_lives());
        assert!(host.stop_server().expect("it ran").died);
        assert!(!host.server_lives());
        assert!(matches!(host.run_client(&client(), watcher), Err(HostError::Cancelled)));
        let watcher = &mut Patient(5);
        assert!(matches!(host.measure_target(Path::new("/t"), watcher), Err(HostError::Cancelled)));
    }
}
