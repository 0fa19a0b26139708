//! What a runner leaves behind if it is killed, and how the next start clears it away.
//!
//! The guard writes one journal before anything is started. It names both processes by id and start
//! time, the token that every child carries in its environment, and the scratch directory. That is
//! enough: no process group need be written down between a child's start and its first instruction.

use crate::host::local::lies_in_memory;
use crate::procfs;
use serde::{Deserialize, Serialize};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

/// How long killed processes get to disappear.
const PATIENCE: Duration = Duration::from_secs(2);

/// A process that cannot be mistaken for a later one of the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Process id.
    pub pid: u32,
    /// Start, in ticks since boot.
    pub start: u64,
}

impl Identity {
    /// The identity of a running process.
    pub fn of(pid: u32) -> Option<Self> {
        start_time(pid).map(|start| Self { pid, start })
    }

    /// Whether it still runs; a zombie does not.
    pub fn runs(self) -> bool {
        start_time(self.pid) == Some(self.start)
    }
}

/// One runner's journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Journal {
    /// The guard.
    pub guard: Identity,
    /// The worker, once it runs.
    pub worker: Option<Identity>,
    /// The process that started the guard: a window or a verb.
    #[serde(default)]
    pub watching: Option<u32>,
    /// Marks the children, see [`procfs::TOKEN`].
    pub token: String,
    /// Directory for temporary things.
    pub scratch: PathBuf,
}

/// What the worker writes beside the journal, so that whoever clears up finds the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Places {
    /// The campaign's run log.
    pub log: PathBuf,
    /// Directories outside the scratch directory that may hold temporary things.
    pub targets: Vec<PathBuf>,
}

impl Places {
    /// Beside the journal, not in memory: what lies on a disk outlives a restart of the machine.
    fn file(state: &Path, token: &str) -> PathBuf {
        state.join(format!("{token}.places"))
    }

    /// Writes it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, state: &Path, token: &str) -> io::Result<()> {
        fs::write(Self::file(state, token), serde_json::to_vec(self)?)
    }

    /// Reads it, if it was written.
    pub fn read(state: &Path, token: &str) -> Option<Self> {
        serde_json::from_slice(&fs::read(Self::file(state, token)).ok()?).ok()
    }
}

impl Journal {
    /// The journal of this process; nothing is made yet.
    ///
    /// # Errors
    /// This process is not in `/proc`.
    pub fn begin() -> io::Result<Self> {
        let pid = std::process::id();
        let guard = Identity::of(pid).ok_or_else(|| io::Error::other("this process is not in /proc"))?;
        let token = format!("{pid}-{}", guard.start);
        let scratch = memory_directory().join(format!("triptych-{token}"));
        let watching = Some(std::os::unix::process::parent_id());
        Ok(Self { guard, worker: None, watching, token, scratch })
    }

    /// Makes the scratch directory, for this user alone.
    ///
    /// # Errors
    /// It is there already, and then it is somebody else's, or it cannot be made.
    pub fn make_scratch(&self) -> io::Result<()> {
        fs::DirBuilder::new().mode(0o700).create(&self.scratch)
    }

    /// Where this journal is kept.
    pub fn path(&self, state: &Path) -> PathBuf {
        state.join(format!("{}.journal", self.token))
    }

    /// Writes it whole or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, state: &Path) -> io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(state)?;
        if fs::metadata(state)?.uid() != rustix::process::geteuid().as_raw() {
            return Err(io::Error::other("the directory belongs to another user"));
        }
        let path = self.path(state);
        let draft = path.with_extension("draft");
        fs::write(&draft, serde_json::to_vec(self)?)?;
        fs::rename(draft, path)
    }

    /// Kills what carries the token, removes what is temporary, and forgets the journal.
    pub fn clear(&self, state: &Path) {
        kill_marked(&self.token);
        for target in Places::read(state, &self.token).unwrap_or_default().targets {
            remove(&target);
        }
        remove(&self.scratch);
        for file in [Places::file(state, &self.token), self.path(state)] {
            fs::remove_file(file).ok();
        }
    }
}

fn remove(directory: &Path) {
    // What is still being written by a dying process may need a second look.
    for _ in 0..3 {
        match fs::remove_dir_all(directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                std::thread::sleep(Duration::from_millis(20));
            }
            _ => return,
        }
    }
}

/// Kills every process that carries the token and waits until none is left.
pub fn kill_marked(token: &str) {
    let end = Instant::now() + PATIENCE;
    loop {
        let own = std::process::id();
        let left: Vec<(u32, u64)> =
            procfs::with_token(token).into_iter().filter(|(pid, _)| *pid != own).collect();
        if left.is_empty() || Instant::now() > end {
            return;
        }
        for (pid, start) in left {
            if start_time(pid) == Some(start) {
                kill(pid);
            }
        }
        reap_all();
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Start of a process in ticks since boot; `None` where it does not run any more.
fn start_time(pid: u32) -> Option<u64> {
    procfs::stat(pid).filter(procfs::Stat::lives).map(|stat| stat.start_time)
}

fn kill(pid: u32) {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended meanwhile.
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).ok();
    }
}

/// Makes this process the parent of whatever its descendants leave behind.
pub fn become_subreaper() {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).ok();
}

/// Reaps every child that has ended.
pub fn reap_all() {
    while let Ok(Some(_)) = rustix::process::wait(rustix::process::WaitOptions::NOHANG) {}
}

#[expect(clippy::disallowed_methods, reason = "a runner without a home has no caller who knows a directory")]
fn temporary() -> PathBuf {
    std::env::temp_dir()
}

/// The directory in memory, or the usual one for temporary files.
fn memory_directory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let usable = rustix::fs::access(memory, rustix::fs::Access::WRITE_OK).is_ok() && lies_in_memory(memory);
    if usable { memory.to_owned() } else { temporary() }
}

/// Where journals lie: the user's directory for state; without a home one that is named after the user.
pub fn state_directory() -> PathBuf {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    let user = || temporary().join(format!("triptych-state-{}", rustix::process::geteuid().as_raw()));
    base.unwrap_or_else(user).join("triptych").join("runner")
}

/// Whether the process that a draft is named after still runs.
fn draft_is_of_the_living(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let identity = name
        .split_once('-')
        .and_then(|(pid, start)| Some(Identity { pid: pid.parse().ok()?, start: start.parse().ok()? }));
    identity.is_some_and(Identity::runs)
}

/// Clears up after runners of which neither process lives; gives their run logs.
pub fn clear_dead(state: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(state) else { return Vec::new() };
    let mut logs = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        let ending = path.extension().unwrap_or_default();
        if ending == "draft" && !draft_is_of_the_living(&path) {
            fs::remove_file(&path).ok();
        }
        if ending != "journal" {
            continue;
        }
        let Some(journal) =
            fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Journal>(&bytes).ok())
        else {
            continue;
        };
        if journal.guard.runs() || journal.worker.is_some_and(Identity::runs) {
            continue;
        }
        logs.extend(Places::read(state, &journal.token).map(|places| places.log));
        journal.clear(state);
    }
    logs
}
