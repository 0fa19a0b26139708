//! Signals to a program that waits for its runner: they cancel the campaign at once.
//!
//! Whoever waits in [`Session::next`](crate::client::Session::next) hears no signal before the next record,
//! and between two records may lie an hour. Used by the verbs; the window has no terminal to be stopped from.

use crate::client::Controller;
use crate::protocol::Control;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::thread;

/// Caught signals; those that come before anyone listens are kept.
pub struct Interrupts(UnixStream);

impl Interrupts {
    /// Catches SIGINT and SIGTERM from now on.
    ///
    /// # Errors
    /// The system refuses the handler or its pipe.
    pub fn catch() -> io::Result<Self> {
        let (read, write) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM] {
            signal_hook::low_level::pipe::register(signal, write.try_clone()?)?;
        }
        Ok(Self(read))
    }

    /// At the first signal calls `tell` and cancels; its thread ends then, or with the program.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn cancel(self, controller: Controller, tell: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let Self(mut signals) = self;
        let wait = move || {
            if signals.read_exact(&mut [0]).is_ok() {
                tell();
                // From a terminal the runner got the signal itself, and may be gone before it can be told.
                controller.send(&Control::Cancel).ok();
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
    }
}
