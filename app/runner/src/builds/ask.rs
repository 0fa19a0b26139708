//! Asks a program something it answers at once; one that does not is ended with all it started.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program may take to say its version or to read a revision.
const LIMIT: Duration = Duration::from_secs(10);

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

/// Runs a program with these arguments and nothing on its input; `output` says whether what it prints is
/// wanted, else it may print as much as it likes.
///
/// # Errors
/// It could not be started, or took longer than [`LIMIT`].
pub(crate) fn ask<S: AsRef<OsStr>>(program: &Path, arguments: &[S], output: bool) -> Result<Said, String> {
    let mut child = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(if output { Stdio::piped() } else { Stdio::null() })
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot be started: {error}"))?;
    let end = Instant::now() + LIMIT;
    loop {
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
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(2)),
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
