//! What the window and the verbs say to the runner on its standard input, as JSON lines.
//!
//! The first line is a [`triptych_model::runlog::Hello`]. The end of the input is a [`Control::Cancel`].

use crate::lab::Lab;
use crate::plan::Plan;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Control {
    /// The second line: measure this.
    Start(Box<Start>),
    /// End the current run, keep what is finished, and leave nothing behind.
    Cancel,
    /// Stand still after the current run.
    Pause,
    /// Go on.
    Continue,
    /// The window's own CPU load, % of a core, to be kept with the run.
    Window {
        /// Since the last such line.
        cpu: f64,
    },
    /// A kind that this version does not know.
    #[serde(other)]
    Unknown,
}

/// What to measure, and where to keep it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The lab, with absolute paths.
    pub lab: Lab,
    /// The plan with its steps.
    pub plan: Plan,
    /// Directory of the campaign; its last part is the campaign's name. If it holds a run log, the
    /// campaign is resumed.
    pub directory: PathBuf,
    /// What earlier runs of a cell took, wall seconds by the step's number; for progress alone.
    #[serde(default)]
    pub expected_secs: std::collections::BTreeMap<u32, f64>,
}
