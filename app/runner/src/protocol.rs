//! What the window and the verbs say to the runner on its standard input, as JSON lines.
//!
//! The first line is a [`triptych_model::runlog::Hello`]. The end of the input is a [`Control::Cancel`].

use crate::lab::Lab;
use crate::plan::Plan;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
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
    /// The window's own CPU load while a client was timed, to be kept with the run.
    Window {
        /// The step.
        step: u32,
        /// % of a core.
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
    #[serde(default, deserialize_with = "by_step")]
    pub expected_secs: BTreeMap<u32, f64>,
}

/// JSON's keys are text, and inside a tagged line serde does not read numbers from them.
fn by_step<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<u32, f64>, D::Error> {
    let texts = BTreeMap::<String, f64>::deserialize(from)?;
    let number = |text: &str| {
        text.parse().map_err(|error| serde::de::Error::custom(format!("unreadable step {text:?}: {error}")))
    };
    texts.into_iter().map(|(text, secs)| Ok((number(&text)?, secs))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_read_back() {
        let start = Start {
            lab: Lab::new("demo"),
            plan: Plan { steps: Vec::new(), ..Plan::default() },
            directory: "/c".into(),
            expected_secs: BTreeMap::from([(1, 0.5), (20, 3.0)]),
        };
        let text = serde_json::to_string(&Control::Start(Box::new(start.clone()))).expect("written");
        let wrong = serde_json::from_str::<Control>(&text.replace("\"20\":", "\"x\":"));
        let error = wrong.expect_err("no step").to_string();
        assert!(error.contains("unreadable step \"x\""), "{error}");
        for control in
            [Control::Start(Box::new(start)), Control::Pause, Control::Window { step: 3, cpu: 1.5 }]
        {
            let text = serde_json::to_string(&control).expect("written");
            assert_eq!(serde_json::from_str::<Control>(&text).expect("read"), control, "{text}");
        }
    }
}
