//! The guard: starts the worker, hands it what the window says, and clears up if it dies.
//!
//! It measures nothing and writes nothing while the worker lives. As a subreaper it becomes the
//! parent of whatever a dying worker leaves, so nothing can get away.

use crate::journal::{Identity, Journal, Places, clear_dead, kill_marked, reap_all, state_directory};
use crate::logfile::append_end;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use triptych_model::runlog::Outcome;

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
        append_end(&log, Outcome::Broken, BOTH_DIED);
    }
    crate::journal::become_subreaper();
    let signals = signals().map_err(|error| format!("signals cannot be caught: {error}"))?;
    let mut journal = Journal::begin().map_err(|error| error.to_string())?;
    let kept = journal.write(&state);
    kept.map_err(|error| format!("no journal can be kept in {}: {error}", state.display()))?;
    if let Err(error) = journal.make_scratch() {
        fs::remove_file(journal.path(&state)).ok();
        return Err(format!("the directory {} cannot be made: {error}", journal.scratch.display()));
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
    let (status, cancelled) = watch(&mut worker, input, &signals);
    let places = Places::read(&state, &journal.token);
    let died = status.code().is_none();
    kill_marked(&journal.token);
    reap_all();
    journal.clear(&state);
    if let (true, Some(places)) = (died, places) {
        let (outcome, reason) = if cancelled {
            (Outcome::Cancelled, "it did not end in time and was killed; the rest can be resumed".to_owned())
        } else {
            (Outcome::Broken, format!("the measuring process ended with {status}; the rest can be resumed"))
        };
        append_end(&places.log, outcome, &reason);
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

/// Hands on what comes in until the worker ends, and ends it if it does not end in order; says whether it was told to.
fn watch(worker: &mut Child, input: ChildStdin, signals: &UnixStream) -> (ExitStatus, bool) {
    let mut line = Line { to: Some(input), from: rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), 3).ok() };
    let end = worker_end(worker);
    let mut deadline: Option<Instant> = None;
    loop {
        if let Ok(Some(status)) = worker.try_wait() {
            return (status, deadline.is_some());
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            worker.kill().ok();
        }
        match line.wait(end.as_ref(), signals, deadline.is_some()) {
            Heard::Nothing => {}
            Heard::Input(text) => line.pass_on(&text),
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
    /// Bytes as they came; they need not end with a line.
    Input(Vec<u8>),
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
                Heard::Input(buffer)
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
