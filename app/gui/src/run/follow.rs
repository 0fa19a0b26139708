//! Finished runs come into the charts: the campaign's log is read again, seldom and never while a run is timed.

use crate::open;
use crate::state::State;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The log is read at most that often.
const SELDOM: Duration = Duration::from_secs(2);

/// Whether the charts lack runs.
#[derive(Default)]
pub struct Follow {
    log: PathBuf,
    pending: bool,
    last: bool,
    read: Option<Instant>,
}

impl Follow {
    /// Follows this run log.
    pub fn new(log: PathBuf) -> Self {
        Self { log, ..Self::default() }
    }

    /// A run was synced to the log; the last one is shown at once.
    pub fn news(&mut self, last: bool) {
        self.pending = true;
        self.last |= last;
    }

    /// How long until the log may be read; `None`: there is nothing new.
    fn due(&self) -> Option<Duration> {
        let waited = self.read.map_or(SELDOM, |read| read.elapsed());
        let wait = if self.last { Duration::ZERO } else { SELDOM.saturating_sub(waited) };
        self.pending.then_some(wait)
    }
}

/// Reads the log again if that is due and disturbs nobody.
pub fn work(state: &mut State, ctx: &egui::Context, disturbs: bool) {
    let Some(wait) = state.run.follow.due() else { return };
    if disturbs || state.loading() {
        // The end of the run, or of reading, brings the next frame.
        return;
    }
    if !wait.is_zero() {
        ctx.request_repaint_after(wait);
        return;
    }
    let follow = &mut state.run.follow;
    (follow.pending, follow.last, follow.read) = (false, false, Some(Instant::now()));
    if follow.log.is_file() {
        let log = follow.log.clone();
        open::follow(state, log);
    }
}
