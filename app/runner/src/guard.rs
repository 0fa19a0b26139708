//! The guard: starts the worker, hands it what the window says, and clears up if it dies.
//!
//! It measures nothing and writes nothing while the worker lives. As a subreaper it becomes the
//! parent of whatever a dying worker leaves, so nothing can get away.

use crate::journal::{Identity, Journal, Places, clear_dead, kill_marked, reap_all, state_directory};
use crate::logfile::append_broken;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a worker may take to end in order; a `sync` inside the kernel can hold it.
const ORDERLY: Duration = Duration::from_secs(10);

/// What was said about a runner that was killed with its guard.
const BOTH_DIED: &str = "the runner and its guard were killed; the rest can be resumed";

/// Runs a worker to its end and gives its exit status.
///
/// # Errors
/// A sentence where no worker could be started.
pub fn run() -> Result<i32, String> {
    let state = state_directory();
    for log in clear_dead(&state) {
        append_broken(&log, BOTH_DIED);
    }
    crate::journal::become_subreaper();
    let signals = signals().map_err(|error| format!("signals cannot be caught: {error}"))?;
    let mut journal = Journal::begin().map_err(|error| format!("no scratch directory: {error}"))?;
    let kept = journal.write(&state);
    if let Err(error) = kept {
        std::fs::remove_dir_all(&journal.scratch).ok();
        return Err(format!("no journal can be kept in {}: {error}", state.display()));
    }
    let worker = start_worker(&journal);
    let (mut worker, input) = match worker {
        Ok(started) => started,
        Err(error) => {
            journal.clear(&state);
            return Err(format!("the worker cannot be started: {error}"));
        }
    };
    journal.worker = Identity::of(worker.id());
    journal.write(&state).ok();
    let status = watch(&mut worker, input, &signals);
    let places = Places::read(&journal.scratch);
    let died = status.code().is_none();
    kill_marked(&journal.token);
    reap_all();
    journal.clear(&state);
    if let (true, Some(places)) = (died, places) {
        append_broken(
            &places.log,
            &format!("the measuring process ended with {status}; the rest can be resumed"),
        );
    }
    Ok(status.code().unwrap_or(3))
}

/// A stream that becomes readable when the terminal or the system wants an end.
fn signals() -> std::io::Result<UnixStream> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let (read, write) = UnixStream::pair()?;
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        signal_hook::low_level::pipe::register(signal, write.try_clone()?)?;
    }
    Ok(read)
}

fn start_worker(journal: &Journal) -> std::io::Result<(Child, ChildStdin)> {
    let mut worker = Command::new("/proc/self/exe")
        .arg("worker")
        .arg(serde_json::to_string(journal)?)
        .stdin(Stdio::piped())
        .spawn()?;
    let input = worker.stdin.take().ok_or_else(|| std::io::Error::other("no pipe to the worker"))?;
    Ok((worker, input))
}

/// Hands on what comes in until the worker ends; ends it if it does not end in order.
fn watch(worker: &mut Child, input: ChildStdin, signals: &UnixStream) -> std::process::ExitStatus {
    let mut line = Line { to: Some(input), from: rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3).ok() };
    let end = worker_end(worker);
    let mut deadline: Option<Instant> = None;
    loop {
        if let Ok(Some(status)) = worker.try_wait() {
            return status;
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            worker.kill().ok();
        }
        match line.wait(end.as_ref(), signals, deadline.is_some()) {
            Heard::Nothing => {}
            Heard::Wish(text) => line.pass_on(&text),
            Heard::Over => {
                // The pipe stays open: its end would mean that the guard is gone.
                line.pass_on(b"\n{\"command\":\"cancel\"}\n");
                deadline = deadline.or(Some(Instant::now() + ORDERLY));
            }
        }
    }
}

fn worker_end(worker: &Child) -> Option<OwnedFd> {
    let pid = Pid::from_raw(i32::try_from(worker.id()).ok()?)?;
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

/// What the guard heard.
enum Heard {
    Nothing,
    Wish(Vec<u8>),
    Over,
}

/// The way from the window to the worker.
struct Line {
    to: Option<ChildStdin>,
    from: Option<OwnedFd>,
}

impl Line {
    /// Waits for the worker's end, a signal or a wish.
    fn wait(&mut self, end: Option<&OwnedFd>, signals: &UnixStream, ending: bool) -> Heard {
        let mut fds = vec![PollFd::from_borrowed_fd(signals.as_fd(), PollFlags::IN)];
        let from = self.from.as_ref().map(|from| {
            fds.push(PollFd::from_borrowed_fd(from.as_fd(), PollFlags::IN));
            fds.len() - 1
        });
        if let Some(end) = end {
            fds.push(PollFd::from_borrowed_fd(end.as_fd(), PollFlags::IN));
        }
        let millis = if ending || end.is_none() { 50 } else { 60_000 };
        let limit = Timespec { tv_sec: millis / 1000, tv_nsec: (millis % 1000) * 1_000_000 };
        if poll(&mut fds, Some(&limit)).is_err() {
            return Heard::Nothing;
        }
        let ready = |at: usize| fds.get(at).is_some_and(|fd| !fd.revents().is_empty());
        let (signalled, said) = (ready(0), from.is_some_and(ready));
        drop(fds);
        if signalled {
            let mut buffer = [0; 64];
            rustix::io::read(signals, &mut buffer).ok();
            return Heard::Over;
        }
        if said { self.read() } else { Heard::Nothing }
    }

    fn read(&mut self) -> Heard {
        let Some(from) = &self.from else { return Heard::Nothing };
        let mut buffer = vec![0; 65536];
        match rustix::io::read(from, &mut buffer) {
            Err(rustix::io::Errno::INTR) => Heard::Nothing,
            Ok(0) | Err(_) => {
                self.from = None;
                Heard::Over
            }
            Ok(count) => {
                buffer.truncate(count);
                Heard::Wish(buffer)
            }
        }
    }

    fn pass_on(&mut self, text: &[u8]) {
        let Some(to) = &mut self.to else { return };
        if to.write_all(text).is_err() {
            self.to = None;
        }
    }
}
