//! A process that this host started: in a group of its own, tied to us, its output in memory, reaped once.

use super::super::HostError;
use crate::procfs::{self, TOKEN};
use crate::sys::{self, Ended, Whom};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::MemfdFlags;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use triptych_model::Quality;

/// How long a process has between SIGTERM and SIGKILL, and until it is given up after SIGKILL.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// Standard output or error, in memory: nothing to drain, nothing on disk.
pub(super) struct Output(File);

impl Output {
    pub(super) fn new(name: &str) -> io::Result<Self> {
        Ok(Self(rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC)?.into()))
    }

    fn stdio(&self) -> io::Result<Stdio> {
        Ok(self.0.try_clone()?.into())
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// The first `limit` bytes.
    pub(super) fn bytes(&self, limit: u64) -> io::Result<Vec<u8>> {
        let length = usize::try_from(self.len()?.min(limit)).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        self.0.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }
}

/// A child; dropped, it is killed with its group.
pub(super) struct Child {
    /// Its process id, and its group's.
    pub(super) pid: u32,
    /// Resident bytes of this process when it was started; its own largest size cannot be told from less.
    spawner_rss: Option<u64>,
    id: Pid,
    fd: OwnedFd,
    is_reaped: bool,
}

impl Child {
    /// Starts a program; `command` is the program and its arguments.
    pub(super) fn start(
        command: &[String],
        directory: Option<&Path>,
        token: &str,
        [stdout, stderr]: [&Output; 2],
    ) -> Result<Self, HostError> {
        let Some((program, arguments)) = command.split_first() else {
            return Err(HostError::Run("there is no command to start".to_owned()));
        };
        let failed = |error: io::Error| HostError::Run(format!("cannot start {program}: {error}"));
        let mut process = Command::new(program);
        process.args(arguments).env(TOKEN, token).env("LC_ALL", "C.UTF-8").env_remove("LANGUAGE");
        process.stdin(Stdio::null()).process_group(0);
        process.stdout(stdout.stdio().map_err(failed)?).stderr(stderr.stdio().map_err(failed)?);
        if let Some(directory) = directory {
            // Else the system's words would blame the program.
            if !directory.is_dir() {
                let words = format!("cannot start {program}: there is no directory {}", directory.display());
                return Err(HostError::Run(words));
            }
            process.current_dir(directory);
        }
        sys::die_with_parent(&mut process);
        let spawner_rss = procfs::own_rss();
        let pid = process.spawn().map_err(failed)?.id();
        let id = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let fd =
            id.ok_or(rustix::io::Errno::SRCH).and_then(|id| Ok((id, pidfd_open(id, PidfdFlags::empty())?)));
        match fd {
            Ok((id, fd)) => Ok(Self { pid, spawner_rss, id, fd, is_reaped: false }),
            Err(error) => {
                // Without a descriptor it cannot be watched: kernels before 5.3, or none left.
                abandon(pid, id);
                Err(failed(error.into()))
            }
        }
    }

    /// How far to trust a largest resident size.
    pub(super) fn quality_of_rss(&self, max_rss: u64) -> Quality {
        match self.spawner_rss {
            Some(rss) if max_rss > rss => Quality::MEASURED,
            _ => Quality::MEASURED.with(Quality::INCOMPLETE),
        }
    }

    /// Becomes readable when the process ends.
    pub(super) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Whether it has ended; it is a zombie then.
    pub(super) fn has_ended(&self) -> bool {
        self.is_reaped || wait_for(self.fd(), Duration::ZERO)
    }

    /// Waits at most so long for its end.
    pub(super) fn wait(&self, most: Duration) -> bool {
        self.is_reaped || wait_for(self.fd(), most)
    }

    /// Sends a signal to its whole group. While the leader is not reaped, the number cannot be another's.
    pub(super) fn signal(&self, signal: Signal) {
        if !self.is_reaped {
            // The only failure is that nobody is left.
            kill_process_group(self.id, signal).ok();
        }
    }

    /// Ends what is left of the group, reaps the leader, then adopted members of the group.
    ///
    /// The leader comes first in the answer; `None` if it did not end even by SIGKILL.
    pub(super) fn reap(&mut self) -> Option<(Ended, Vec<Ended>)> {
        self.signal(Signal::KILL);
        if !self.wait(GRACE) {
            return None;
        }
        let leader = sys::reap(Whom::Process(self.pid)).ok().flatten();
        self.is_reaped = true;
        Some((leader?, reap_group(self.pid)))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.reap();
        }
    }
}

/// Adopted members come only where this process is a subreaper; else there are none.
fn reap_group(group: u32) -> Vec<Ended> {
    let mut all = Vec::new();
    let start = Instant::now();
    while start.elapsed() < GRACE {
        match sys::reap(Whom::Group(group)) {
            Ok(Some(ended)) => all.push(ended),
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => break,
        }
    }
    all
}

fn abandon(pid: u32, id: Option<Pid>) {
    if let Some(id) = id {
        kill_process_group(id, Signal::KILL).ok();
    }
    let start = Instant::now();
    while start.elapsed() < GRACE && matches!(sys::reap(Whom::Process(pid)), Ok(None)) {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Whether a descriptor becomes readable within this time.
pub(super) fn wait_for(fd: BorrowedFd<'_>, most: Duration) -> bool {
    let end = Instant::now() + most;
    loop {
        let left = timespec(end.saturating_duration_since(Instant::now()));
        let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        match poll(&mut fds, Some(&left)) {
            Ok(ready) => return ready > 0,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

pub(super) fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
