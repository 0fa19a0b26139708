//! This machine: servers, clients, caches, gate and facts, measured from one small process with one thread.
//!
//! What is made for a moment lies below the scratch directory, which the caller journals and removes;
//! only a target on a medium lies on that medium, at [`LocalHost::target_root`]. Every child carries
//! the token in its environment, so that leftovers of a crash can be found.

mod cache;
mod child;
mod client;
mod devices;
mod facts;
mod gate;
mod patience;
mod sampler;
mod server;
mod target;
#[cfg(test)]
mod tests;
mod tree;
mod values;

pub use cache::may_drop_caches;
pub use devices::lies_in_memory;

use super::{
    CacheProof, ClientEnd, ClientSpec, Gate, Host, HostError, Server, ServerEnd, ServerSpec, Watcher,
};
use crate::experiments::Target;
use crate::plan::Cache;
use crate::procfs;
use crate::procfs::Pinned;
use crate::sys::{self, Whom};
use patience::Patience;
use serde_json::{Map, Value};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use triptych_model::runlog::MeasuredValue;
use triptych_model::{Process, Quality, Unit};

/// This machine.
pub struct LocalHost {
    token: String,
    scratch: PathBuf,
    /// Where the copy lies that was asked for last, for its disk's counter.
    copy: Option<PathBuf>,
    server: Option<server::Running>,
    /// The program that watches: window or verb.
    watching: Option<Pinned>,
    targets: Vec<PathBuf>,
    /// Counts what was made below the scratch directory.
    made: u32,
}

impl LocalHost {
    /// A host whose children carry `TRIPTYCH_RUN=token` and whose temporary things lie in `scratch`, which exists.
    pub fn new(token: &str, scratch: &Path) -> Self {
        Self {
            token: token.to_owned(),
            scratch: scratch.to_owned(),
            copy: None,
            server: None,
            watching: None,
            targets: Vec::new(),
            made: 0,
        }
    }

    /// Names the program that watches, so that its own work before a run is not taken for others'.
    pub fn watched_by(&mut self, pid: u32) {
        self.watching = Pinned::open(pid).ok();
    }

    /// Where targets on a medium lie, for the caller's journal; nothing else does.
    pub fn target_root(medium: &Path, token: &str) -> PathBuf {
        medium.join(format!(".triptych-{token}"))
    }

    /// Facts of the medium that a directory lies on: file system, mount, disk, free space; `"unknown"` is an answer.
    pub fn medium_facts(directory: &Path) -> Map<String, Value> {
        devices::medium_facts(directory)
    }

    fn fresh(&mut self, name: &str) -> PathBuf {
        self.made += 1;
        self.scratch.join(format!("{name}-{}", self.made))
    }

    /// Ends and reaps what left its process group and came to us. Only a subreaper adopts: elsewhere a
    /// child that is not known here is somebody else's.
    fn sweep(&self) {
        if !matches!(rustix::process::child_subreaper(), Ok(Some(_))) {
            return;
        }
        let server = self.server.as_ref().map(|server| server.child.pid);
        // Whoever is ended leaves us its own children.
        for _ in 0..100 {
            let strangers = own_children().into_iter().filter(|pid| Some(*pid) != server);
            if strangers.filter(|pid| end_orphan(*pid, &self.token)).count() == 0 {
                return;
            }
        }
    }
}

fn own_children() -> Vec<u32> {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return Vec::new() };
    let lists = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok());
    lists.flat_map(|list| procfs::parse_children(&list).collect::<Vec<_>>()).collect()
}

/// Reaps a child, ended before if it carries the token; says whether there was something to do.
fn end_orphan(pid: u32, token: &str) -> bool {
    // The dead have no environment any more.
    let lives = procfs::stat(pid).is_some_and(|stat| stat.lives());
    if lives && !procfs::carries(pid, token) {
        return false;
    }
    if let Some(id) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) {
        // It is our child and not reaped: the number is its own.
        rustix::process::kill_process(id, rustix::process::Signal::KILL).ok();
    }
    for _ in 0..100 {
        match sys::reap(Whom::Process(pid)) {
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Ok(Some(_)) => return true,
            Err(_) => return false,
        }
    }
    false
}

impl Host for LocalHost {
    fn facts(&mut self) -> Map<String, Value> {
        facts::of_this_machine()
    }

    fn gate(&mut self) -> Gate {
        gate::look(self.server.as_mut().map(|server| &mut server.tree), self.watching.as_ref())
    }

    fn cache(
        &mut self,
        copy: &Path,
        state: Cache,
        watcher: &mut dyn Watcher,
    ) -> Result<CacheProof, HostError> {
        self.copy = Some(cache::data_of(copy));
        cache::prepare(copy, state, &mut Patience::of(watcher))
    }

    fn flush(&mut self, directory: &Path) {
        if let Ok(directory) = fs::File::open(directory) {
            rustix::fs::syncfs(directory).ok();
        }
    }

    fn make_target(&mut self, target: Target, medium: &Path) -> Result<PathBuf, HostError> {
        let directory = match target {
            Target::Medium => Self::target_root(medium, &self.token),
            Target::Tmpfs | Target::None => self.fresh("target"),
        };
        if target == Target::Tmpfs && !lies_in_memory(&self.scratch) {
            return Err(HostError::Run(format!(
                "there is no directory in memory for what the client writes: {} lies on a disk",
                self.scratch.display()
            )));
        }
        target::make(&directory)?;
        self.targets.retain(|target| *target != directory);
        self.targets.push(directory.clone());
        Ok(directory)
    }

    fn measure_target(
        &mut self,
        directory: &Path,
        watcher: &mut dyn Watcher,
    ) -> Result<(u64, u64), HostError> {
        target::measure(directory, &mut Patience::of(watcher))
    }

    fn remove_target(&mut self, directory: &Path, watcher: &mut dyn Watcher) -> Result<(), HostError> {
        let Some(place) = self.targets.iter().position(|target| target == directory) else {
            return Err(HostError::Run(format!(
                "not a directory that was made here: {}",
                directory.display()
            )));
        };
        target::remove(directory, &mut Patience::of(watcher))?;
        self.targets.swap_remove(place);
        Ok(())
    }

    fn start_server(&mut self, spec: &ServerSpec, watcher: &mut dyn Watcher) -> Result<Server, HostError> {
        self.stop_server();
        let directory = self.fresh("server");
        if self.copy.is_none() {
            self.copy = Some(spec.root.clone());
        }
        let (running, server) = server::start(spec, &directory, &self.token, watcher)?;
        self.server = Some(running);
        Ok(server)
    }

    fn run_client(&mut self, spec: &ClientSpec, watcher: &mut dyn Watcher) -> Result<ClientEnd, HostError> {
        let disk = self.copy.as_deref().and_then(devices::DiskCounter::of);
        let stage = client::Stage { token: &self.token, server: self.server.as_mut(), disk };
        let end = client::run(stage, spec, watcher);
        self.sweep();
        end
    }

    fn server_lives(&mut self) -> bool {
        self.server.as_ref().is_some_and(|server| !server.child.has_ended())
    }

    fn stop_server(&mut self) -> Option<ServerEnd> {
        let end = self.server.take().map(server::Running::stop);
        if end.is_some() {
            self.sweep();
        }
        end
    }
}

impl Drop for LocalHost {
    fn drop(&mut self) {
        self.stop_server();
        for target in std::mem::take(&mut self.targets) {
            // The caller's journal has it too.
            fs::remove_dir_all(target).ok();
        }
    }
}

/// A full or read-only disk ends the campaign; anything else ends the run.
fn io_failure(what: &str, path: &Path, error: &io::Error) -> HostError {
    use io::ErrorKind::{QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let words = format!("{what} {}: {error}", path.display());
    match error.kind() {
        StorageFull | QuotaExceeded | ReadOnlyFilesystem => HostError::Broken(words),
        _ => HostError::Run(words),
    }
}

fn run_error(what: &'static str) -> impl Fn(io::Error) -> HostError {
    move |error| HostError::Run(format!("{what}: {error}"))
}

fn measured(process: Process, metric: &str, unit: Unit, value: f64, quality: Quality) -> MeasuredValue {
    MeasuredValue { process, metric: metric.to_owned(), value: Some(value), unit, quality }
}
