//! How a verb ends, and what the shell is told.

use std::io::{self, Write as _};
use std::process::ExitCode;

/// What a verb that did its work has to say about what it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything named was accepted.
    Accepted,
    /// Something was refused; the reasons were told already.
    Refused,
}

/// Why a verb could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// It was asked for something that does not exist.
    Usage(String),
    /// It failed; the whole chain of causes is told.
    Failed(anyhow::Error),
    /// Who reads the output has gone, which is no fault (`triptych table … | head`).
    NobodyReads,
}

impl Failure {
    /// A failure to write `what`, where a reader that left is none.
    pub fn writing(what: &str, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NobodyReads
        } else {
            Self::Failed(anyhow::Error::new(error).context(format!("{what} cannot be written")))
        }
    }
}

/// Tells the failure on standard error and gives the exit status: 0 accepted, 1 refused or failed, 2 usage.
pub fn report(result: Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Accepted) | Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        Ok(Outcome::Refused) => ExitCode::FAILURE,
        Err(Failure::Failed(error)) => {
            writeln!(io::stderr(), "triptych: {error:#}").ok();
            ExitCode::FAILURE
        }
        Err(Failure::Usage(message)) => {
            writeln!(io::stderr(), "triptych: {message}").ok();
            ExitCode::from(2)
        }
    }
}
