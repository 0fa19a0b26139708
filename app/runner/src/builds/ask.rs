//! Asks a program something it answers at once; one that does not is ended with all it started.

use crate::procfs::TOKEN;
use crate::sys;
use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take to say its version or to read a revision.
const LIMIT: Duration = Duration::from_secs(10);

/// How long between two questions whether to go on.
const PERIOD: Duration = Duration::from_millis(50);

const GAVE_UP: &str = "was not waited for";

/// Most bytes that are kept of an answer; a pipe holds as many.
const MOST: u64 = 64 << 10;

/// What a program answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// Exit status; `None` for a signal.
    pub status: Option<i32>,
    /// Standard output, if it was asked for.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Said {
    /// Its own words in one line, or how it ended.
    pub(crate) fn complaint(&self) -> String {
        let lines: Vec<&str> = self.stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if !lines.is_empty() {
            return lines.join("; ");
        }
        self.status
            .map_or_else(|| "it was ended by a signal".into(), |status| format!("exit status {status}"))
    }
}

/// Somebody who asks, and may give up.
pub(crate) struct Asker<'a> {
    token: Option<&'a str>,
    go_on: &'a mut dyn FnMut() -> bool,
    gave_up: bool,
}

impl<'a> Asker<'a> {
    /// Programs carry `TRIPTYCH_RUN=token`, so that they are found behind a crash; `go_on` says whether to
    /// wait for them any longer.
    pub(crate) fn new(token: Option<&'a str>, go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Self { token, go_on, gave_up: false }
    }

    /// Whether some question was given up.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// As [`ask`], unless it was given up.
    ///
    /// # Errors
    /// As [`ask`], or it was given up.
    pub(crate) fn ask<S: AsRef<OsStr>>(
        &mut self,
        program: &Path,
        arguments: &[S],
        output: bool,
    ) -> Result<Said, String> {
        let mut command = Command::new(program);
        command.args(arguments);
        if let Some(token) = self.token {
            command.env(TOKEN, token);
        }
        run(command, output, &mut || self.goes_on())
    }

    fn goes_on(&mut self) -> bool {
        self.gave_up = self.gave_up || !(self.go_on)();
        !self.gave_up
    }
}

/// Runs a program with these arguments and nothing on its input; `output` says whether what it prints is
/// wanted, else it may print as much as it likes.
///
/// # Errors
/// It could not be started, or took longer than [`LIMIT`].
pub(crate) fn ask<S: AsRef<OsStr>>(program: &Path, arguments: &[S], output: bool) -> Result<Said, String> {
    Asker::new(None, &mut || true).ask(program, arguments, output)
}

/// It dies with the thread that asks, which waits for it here: none can be left behind.
fn run(mut command: Command, output: bool, go_on: &mut dyn FnMut() -> bool) -> Result<Said, String> {
    if !go_on() {
        return Err(GAVE_UP.to_owned());
    }
    command.env("LC_ALL", "C.UTF-8").stdin(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    command.stdout(if output { Stdio::piped() } else { Stdio::null() });
    sys::die_with_parent(&mut command);
    let mut child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
    let start = Instant::now();
    let mut asked = start;
    loop {
        if asked.elapsed() > PERIOD {
            asked = Instant::now();
            if !go_on() {
                end_group(&child);
                child.wait().ok();
                return Err(GAVE_UP.to_owned());
            }
        }
        match child.try_wait() {
            Ok(Some(status)) => {
                // What it left behind would keep the pipes open.
                end_group(&child);
                return Ok(Said {
                    status: status.code(),
                    stdout: text(child.stdout.take()),
                    stderr: text(child.stderr.take()),
                });
            }
            Ok(None) if start.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                end_group(&child);
                child.wait().ok();
                return Err(format!("did not answer within {} s", LIMIT.as_secs()));
            }
            Err(error) => {
                end_group(&child);
                return Err(format!("cannot be waited for: {error}"));
            }
        }
    }
}

fn end_group(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        rustix::process::kill_process_group(pid, rustix::process::Signal::KILL).ok();
    }
}

fn text(pipe: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // An answer that breaks off is as good as a short one: it lacks what is looked for.
        pipe.take(MOST).read_to_end(&mut bytes).ok();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
