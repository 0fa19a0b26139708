//! Asks whether the user gave up while many files are walked.
//!
//! By the clock and not by the number of files: a turning disk opens a hundred of them in a second,
//! memory a hundred thousand. Used by whatever walks a copy or a target.

use crate::host::{HostError, Watcher};
use std::time::{Duration, Instant};

/// How long between two questions.
const PERIOD: Duration = Duration::from_millis(50);

/// Somebody who may lose patience.
pub(super) struct Patience<'w> {
    watcher: &'w mut dyn Watcher,
    asked: Option<Instant>,
}

impl<'w> Patience<'w> {
    /// That of this watcher, who is asked at the first file.
    pub(super) fn of(watcher: &'w mut dyn Watcher) -> Self {
        Self { watcher, asked: None }
    }

    /// Asks where it is time to; call it for every file.
    ///
    /// # Errors
    /// The user gave up.
    pub(super) fn ask(&mut self) -> Result<(), HostError> {
        if self.asked.is_some_and(|asked| asked.elapsed() < PERIOD) {
            return Ok(());
        }
        self.asked = Some(Instant::now());
        if self.watcher.cancelled() { Err(HostError::Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::os::fd::BorrowedFd;
    use triptych_model::runlog::LiveSample;

    /// Gives up when asked for the n-th time; 0: never.
    #[derive(Default)]
    pub(in super::super) struct GivesUp {
        pub(in super::super) at: u32,
        pub(in super::super) asked: u32,
    }

    impl Watcher for GivesUp {
        fn started(&mut self, _pid: u32, _command: &[String]) {}
        fn sample(&mut self, _sample: LiveSample) {}
        fn cancelled(&mut self) -> bool {
            self.asked += 1;
            self.asked == self.at
        }
        fn wake_fd(&self) -> Option<BorrowedFd<'_>> {
            None
        }
    }

    #[test]
    fn the_first_file_and_then_some_are_asked_for() {
        let mut watcher = GivesUp { at: 2, asked: 0 };
        let mut patience = Patience::of(&mut watcher);
        let start = Instant::now();
        let mut files = 0u64;
        while patience.ask().is_ok() {
            files += 1;
            assert!(start.elapsed() < Duration::from_secs(5), "nobody was asked");
        }
        assert!(start.elapsed() >= PERIOD && files > 2, "{files} files");
        assert_eq!(watcher.asked, 2);
    }
}
