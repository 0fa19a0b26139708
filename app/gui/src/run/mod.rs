//! Measuring: the runner as a process beside the window, and the view of what it says.

use crate::action::{RunRequest, RunWish};
use crate::state::State;

/// What is being measured, or was last.
#[derive(Default)]
pub struct Run {
    /// Whether the run view is in the tiles' place.
    pub shown: bool,
}

impl Run {
    /// Whether nothing was measured since the window was opened.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// Whether the runner is at work, paused or not.
    pub fn is_going(&self) -> bool {
        false
    }

    /// Whether it stands still, or will after this run.
    pub fn is_paused(&self) -> bool {
        false
    }
}

/// Starts the runner.
pub fn start(_state: &mut State, _request: RunRequest) {}

/// Carries out what the user wants of the run.
pub fn wish(state: &mut State, wish: RunWish) {
    if let RunWish::Show(shown) = wish {
        state.run.shown = shown;
    }
}

/// Asks for the directory of an interrupted campaign.
pub fn resume_dialog(_state: &mut State) {}
