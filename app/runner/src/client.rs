//! How the window and the verbs start the runner and talk to it.
//!
//! The runner ends when its standard input does, so whoever drops a [`Session`] cancels it.

use crate::protocol::{Control, Start};
use serde::Serialize;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use triptych_model::runlog::{Hello, Record};

/// Why the runner cannot be talked to.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// It is not there.
    #[error(
        "triptych-runner was not found beside this program or in PATH; install both, or name it in TRIPTYCH_RUNNER"
    )]
    NotFound,
    /// It cannot be started.
    #[error("the runner cannot be started: {1} ({0})")]
    Start(PathBuf, #[source] std::io::Error),
    /// It is gone.
    #[error("the runner does not listen any more")]
    Gone(#[source] std::io::Error),
    /// It is another version.
    #[error("{0}")]
    Protocol(String),
    /// What it says cannot be read.
    #[error("the runner said something unreadable: {1}: {0}")]
    Unreadable(String, #[source] serde_json::Error),
}

/// The runner's program: `TRIPTYCH_RUNNER`, else beside this program, else in `PATH`.
///
/// # Errors
/// [`ClientError::NotFound`].
pub fn find_runner() -> Result<PathBuf, ClientError> {
    let name = "triptych-runner";
    let beside = std::env::current_exe().ok().and_then(|own| {
        // Tests lie in `deps/`, one below the programs.
        own.ancestors().skip(1).take(2).map(|directory| directory.join(name)).find(|path| path.is_file())
    });
    let named = std::env::var_os("TRIPTYCH_RUNNER").map(PathBuf::from);
    let in_path = || {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|directory| directory.join(name)).find(|path| path.is_file())
    };
    named.or(beside).or_else(in_path).ok_or(ClientError::NotFound)
}

/// Says things to the runner, from any thread; keep no copy beyond the session, for the runner lives as long.
#[derive(Clone)]
pub struct Controller(Arc<Mutex<Option<ChildStdin>>>);

impl Controller {
    /// Says it.
    ///
    /// # Errors
    /// The runner is gone.
    pub fn send(&self, control: &Control) -> Result<(), ClientError> {
        let mut guard = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match guard.as_mut() {
            Some(pipe) => write_line(pipe, control).map_err(ClientError::Gone),
            None => Err(ClientError::Gone(std::io::Error::from(std::io::ErrorKind::BrokenPipe))),
        }
    }

    /// Ends the runner's input: it cancels.
    pub fn close(&self) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }
}

fn write_line<T: Serialize>(to: &mut impl Write, line: &T) -> std::io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    to.write_all(&text)?;
    to.flush()
}

/// A running campaign.
pub struct Session {
    child: Child,
    events: BufReader<ChildStdout>,
    controller: Controller,
    greeted: bool,
}

impl Session {
    /// Starts the runner with what it shall measure.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(program: &Path, start: &Start) -> Result<Self, ClientError> {
        Self::start_command(Command::new(program), start)
    }

    /// The same with a command that carries an environment of its own.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start_command(mut command: Command, start: &Start) -> Result<Self, ClientError> {
        let program = PathBuf::from(command.get_program());
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| ClientError::Start(program, error))?;
        let missing = || ClientError::Gone(std::io::Error::from(std::io::ErrorKind::BrokenPipe));
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let events = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let session =
            Self { child, events, controller: Controller(Arc::new(Mutex::new(Some(stdin)))), greeted: false };
        // A runner that ends at once says why on its output: that is what the user shall see.
        session.hello().and_then(|()| session.control(&Control::Start(Box::new(start.clone())))).ok();
        Ok(session)
    }

    fn hello(&self) -> Result<(), ClientError> {
        let mut guard = self.controller.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match guard.as_mut() {
            Some(pipe) => write_line(pipe, &Hello::of("triptych")).map_err(ClientError::Gone),
            None => Ok(()),
        }
    }

    /// For saying things from another thread.
    pub fn controller(&self) -> Controller {
        self.controller.clone()
    }

    /// Says something to the runner.
    ///
    /// # Errors
    /// The runner is gone.
    pub fn control(&self, control: &Control) -> Result<(), ClientError> {
        self.controller.send(control)
    }

    /// The runner's process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for what the runner says next; `None` at its end.
    #[expect(clippy::should_implement_trait, reason = "an iterator would hide that it blocks")]
    pub fn next(&mut self) -> Option<Result<Record, ClientError>> {
        loop {
            let mut line = String::new();
            match self.events.read_line(&mut line) {
                Ok(0) => return None,
                Err(error) => return Some(Err(ClientError::Gone(error))),
                Ok(_) => {}
            }
            let unreadable = |error| ClientError::Unreadable(line.trim().chars().take(200).collect(), error);
            if self.greeted {
                return Some(serde_json::from_str(&line).map_err(unreadable));
            }
            self.greeted = true;
            match serde_json::from_str::<Hello>(&line).map_err(unreadable) {
                Err(error) => return Some(Err(error)),
                Ok(hello) => match hello.refusal() {
                    Some(refusal) => return Some(Err(ClientError::Protocol(refusal))),
                    None => continue,
                },
            }
        }
    }

    /// Ends the runner's input and waits for its end.
    ///
    /// # Errors
    /// It cannot be waited for.
    pub fn wait(mut self) -> Result<ExitStatus, ClientError> {
        self.controller.close();
        self.child.wait().map_err(ClientError::Gone)
    }
}

/// The runner clears up after itself; it is reaped so that no zombie stays.
impl Drop for Session {
    fn drop(&mut self) {
        self.controller.close();
        self.child.wait().ok();
    }
}
