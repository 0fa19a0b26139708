//! What a step needs of the machine: the trait that keeps the order of a step apart from how it is done.
//!
//! [`local`] is this machine. [`fake`] replays a script, so that every phase and failure can be tried.

use crate::experiments::Target;
use crate::plan::{Cache, ServerMode};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::time::Duration;
use triptych_model::runlog::{LiveSample, MeasuredValue, SampleTable};

pub mod fake;
pub mod local;

/// Why the host could not do it.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The run fails, the next may not: the server died, the client hung, the result is wrong.
    #[error("{0}")]
    Run(String),
    /// Nothing further can be measured: the disk is full, the lab is gone.
    #[error("{0}")]
    Broken(String),
    /// The user gave up.
    #[error("cancelled")]
    Cancelled,
}

/// What the server shall be.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerSpec {
    /// svnserve's program.
    pub program: PathBuf,
    /// Directory that it serves: the copy's parent, so that the copy's name is part of the URL.
    pub root: PathBuf,
    /// Fork or threads.
    pub mode: ServerMode,
    /// Further options.
    pub options: Vec<String>,
    /// Whether it writes an operation log; never to a disk, where writing it would be timed.
    pub log: bool,
    /// How long it may take until it answers.
    pub start_limit: Duration,
}

/// A server that answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Server {
    /// Its address.
    pub port: u16,
    /// Its first process.
    pub pid: u32,
    /// Its command line.
    pub command: Vec<String>,
    /// From its start until it answered.
    pub ready_after: Duration,
    /// What of the wish could not be done and why.
    pub reserve: Option<String>,
}

/// What the client shall be.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientSpec {
    /// Program and arguments; never through a shell.
    pub command: Vec<String>,
    /// Directory it starts in: the target's.
    pub directory: PathBuf,
    /// Longest wall time.
    pub limit: Duration,
    /// Most bytes of output.
    pub output_bytes: u64,
    /// Samples a second; 0: none, for uncounted runs.
    pub sample_hz: u32,
}

/// How a client ended, and what was measured of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientEnd {
    /// Start, UTC microseconds.
    pub started: i64,
    /// Wall time, monotonic.
    pub wall: Duration,
    /// Exit status, negative for a signal.
    pub exit: i32,
    /// Why it was ended before its time: limit, output, server gone.
    pub ended: Option<String>,
    /// What it printed on standard output, at most the limit.
    pub stdout: Vec<u8>,
    /// What it printed on standard error.
    pub stderr: Vec<u8>,
    /// Values of client, system and disk over the timed part: `real`, `user`, `sys`, `max_rss`, `read_bytes` …
    pub values: Vec<MeasuredValue>,
    /// The running server's values over the timed part by the clocks, for a server that lives on; where it
    /// is stopped behind the run, [`ServerEnd::values`] are exact and take their place.
    pub server: Vec<MeasuredValue>,
    /// The sampler's series.
    pub samples: SampleTable,
    /// Further facts: pid, sampler's own cost, pressure during the run.
    pub facts: Map<String, Value>,
}

/// How a server ended, and what was measured of its whole tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerEnd {
    /// Exit status, negative for a signal; 15 by our own wish is no failure.
    pub exit: Option<i32>,
    /// Whether it had ended before it was told to.
    pub died: bool,
    /// What it printed on standard error, and the last lines of its log.
    pub stderr: Vec<u8>,
    /// Its operation log.
    pub log: Vec<u8>,
    /// Values of the tree from the last client's start to the end: `cpu_time`, `user`, `sys`, `max_rss`, `read_bytes`.
    pub values: Vec<MeasuredValue>,
}

/// What was done to the caches, and the proof.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CacheProof {
    /// How: `dropped`, `evicted`, `none`.
    pub method: String,
    /// Bytes of the copy's files.
    pub file_bytes: u64,
    /// Bytes of them in memory before the run; absent where the kernel does not say.
    pub resident_bytes: Option<u64>,
    /// How long sync and drop or eviction took.
    pub took: Duration,
    /// What could not be done and why.
    pub reserve: Option<String>,
}

/// Cores that the work of others may take before a host counts as busy. A fifth of a core moves a run on
/// two cores by less than the noise between repetitions (2 to 7 %).
pub const MOST_OTHER_LOAD: f64 = 0.2;

/// How busy the host is by the work of others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gate {
    /// Facts as a JSON object: `pressure_cpu`, `pressure_io`, `pressure_memory` (% in 10 s), `other_load`
    /// (cores), `free_memory` (bytes), `governor`; `"unknown"` is an answer.
    pub facts: Map<String, Value>,
    /// Why the host counts as busy, if it does.
    pub busy: Option<String>,
}

/// Sees the timed part while it runs, and says when to give up.
pub trait Watcher {
    /// The client was started: its process id and command.
    fn started(&mut self, pid: u32, command: &[String]);
    /// A sample; must not block and must not write to disk.
    fn sample(&mut self, sample: LiveSample);
    /// Whether to give up; asked at every tick. `wake_fd` makes a tick come earlier.
    fn cancelled(&mut self) -> bool;
    /// A descriptor that becomes readable when [`Watcher::cancelled`] should be asked.
    fn wake_fd(&self) -> Option<std::os::fd::BorrowedFd<'_>>;
}

/// A machine that can measure.
pub trait Host {
    /// Facts of the machine as a JSON object, asked once a campaign; `"unknown"` is an answer.
    fn facts(&mut self) -> Map<String, Value>;

    /// How busy it is by the work of others.
    fn gate(&mut self) -> Gate;

    /// Puts the files of a copy into this state and proves it; `Hot` states only prove, the caller warms.
    ///
    /// To prove means to open every file, which reads directories and inodes: behind `Cold` the caches are
    /// dropped once more, so the proof of a cold run is this one, and whoever looks again before the run
    /// makes it less cold (a tenth of the bytes read, on a repository of 1500 unpacked revisions).
    ///
    /// # Errors
    /// The copy is gone or cannot be read, or the user gave up.
    fn cache(
        &mut self,
        copy: &Path,
        state: Cache,
        watcher: &mut dyn Watcher,
    ) -> Result<CacheProof, HostError>;

    /// Writes to the disk below a directory what still waits to be written, so that it is not written
    /// while a client is timed. Best effort: a file system that cannot be asked is left alone.
    fn flush(&mut self, _directory: &Path) {}

    /// Makes an empty directory for what a client writes, on tmpfs or on the medium's own disk.
    ///
    /// # Errors
    /// It cannot be made.
    fn make_target(&mut self, target: Target, medium: &Path) -> Result<PathBuf, HostError>;

    /// Items and bytes below a directory.
    ///
    /// # Errors
    /// It cannot be read, or the user gave up.
    fn measure_target(
        &mut self,
        directory: &Path,
        watcher: &mut dyn Watcher,
    ) -> Result<(u64, u64), HostError>;

    /// Removes what [`Host::make_target`] made.
    ///
    /// # Errors
    /// It cannot be removed, or the user gave up: what is left then goes when the host is dropped.
    fn remove_target(&mut self, directory: &Path, watcher: &mut dyn Watcher) -> Result<(), HostError>;

    /// Starts a server on loopback and waits until it answers.
    ///
    /// # Errors
    /// It died, never listened, never answered, or its program is missing; nothing of it is left.
    fn start_server(&mut self, spec: &ServerSpec, watcher: &mut dyn Watcher) -> Result<Server, HostError>;

    /// Runs a client to its end and measures it, and the server that is running if there is one.
    ///
    /// # Errors
    /// It could not be started, or the user gave up; nothing of it is left.
    fn run_client(&mut self, spec: &ClientSpec, watcher: &mut dyn Watcher) -> Result<ClientEnd, HostError>;

    /// Whether the server that was started still runs; false where none is kept. One that is kept between
    /// runs may have died meanwhile.
    fn server_lives(&mut self) -> bool;

    /// Ends the server that is running, if there is one, and reaps its tree.
    fn stop_server(&mut self) -> Option<ServerEnd>;
}
