//! Proves what a lab says against the machine, and changes nothing.
//!
//! Each thing is one row: what it is, how it stands, a sentence, facts, and what to do next. The verb
//! `lab check` prints the rows, and the window's lab editor shows them.

mod builds;
pub mod copies;
mod machine;
mod repositories;

use crate::lab::Lab;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// A build and its programs.
    Build,
    /// A directory where repositories lie.
    Medium,
    /// A content: whether its copies agree.
    Repository,
    /// One copy of a repository.
    Copy,
    /// Whether a variant's build reads its copies.
    Variant,
    /// Whether an operation can run.
    Experiment,
    /// What this user may do.
    Right,
    /// The machine at this moment.
    Host,
}

impl Subject {
    /// All, in the order of the report.
    pub const ALL: [Self; 8] = [
        Self::Build,
        Self::Medium,
        Self::Repository,
        Self::Copy,
        Self::Variant,
        Self::Experiment,
        Self::Right,
        Self::Host,
    ];

    /// Its word, as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Medium => "medium",
            Self::Repository => "repository",
            Self::Copy => "copy",
            Self::Variant => "variant",
            Self::Experiment => "experiment",
            Self::Right => "right",
            Self::Host => "host",
        }
    }
}

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// As the lab says, and fit to be measured.
    Ok,
    /// The machine does not say.
    Unknown,
    /// Can be measured, with a reserve.
    Warning,
    /// Cannot be measured, or is not what the lab says.
    Failed,
}

impl State {
    /// Its word, as in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unknown => "unknown",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckRow {
    /// What it is.
    pub what: Subject,
    /// Its name in the lab: `installed`, `fmt6_packed`; of experiments the operation; of rights and the
    /// host what is looked at: `drop caches`.
    pub name: String,
    /// How it stands.
    pub state: State,
    /// What was found, without a full stop.
    pub text: String,
    /// The same as data; `"unknown"` is an answer.
    pub facts: Map<String, Value>,
    /// What the user can do.
    pub next_step: Option<String>,
}

impl CheckRow {
    fn new(what: Subject, name: impl Into<String>, state: State, text: impl Into<String>) -> Self {
        Self { what, name: name.into(), state, text: text.into(), facts: Map::new(), next_step: None }
    }

    fn facts(mut self, facts: Map<String, Value>) -> Self {
        self.facts = facts;
        self
    }

    fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }

    fn next(mut self, step: impl Into<String>) -> Self {
        self.next_step = Some(step.into());
        self
    }
}

/// All that was checked, in the order of [`Subject::ALL`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LabReport {
    /// Name of the lab.
    pub lab: String,
    /// The rows.
    pub rows: Vec<CheckRow>,
}

impl LabReport {
    /// How many rows stand so.
    pub fn count(&self, state: State) -> usize {
        self.rows.iter().filter(|row| row.state == state).count()
    }

    /// Whether nothing failed.
    pub fn is_sound(&self) -> bool {
        self.count(State::Failed) == 0
    }
}

/// Checks a lab whose relative paths lie below `directory`. It asks the builds' programs and reads the
/// last revision of each copy: seconds, not more; call it from a job.
pub fn check(lab: &Lab, directory: &Path) -> LabReport {
    check_with(lab, directory, &mut |_| true)
}

/// As [`check`]; `go_on` is told what is looked at next and says whether to. What was not looked at has no row.
pub fn check_with(lab: &Lab, directory: &Path, go_on: &mut dyn FnMut(&str) -> bool) -> LabReport {
    let lab = lab.clone().absolute(directory);
    let mut report = LabReport { lab: lab.name.clone(), rows: Vec::new() };
    let mut asked = builds::Asked::new();
    for build in &lab.builds {
        if !go_on(&format!("build {}", build.name)) {
            return report;
        }
        let (row, programs) = builds::row(build);
        report.rows.push(row);
        asked.insert(build.name.clone(), programs);
    }
    let parts: [(&str, &dyn Fn() -> Vec<CheckRow>); 4] = [
        ("media", &|| machine::media(&lab)),
        ("repositories", &|| repositories::rows(&lab, &asked)),
        ("experiments", &|| builds::experiments(&lab, &asked)),
        ("this machine", &machine::rows),
    ];
    for (name, rows) in parts {
        if !go_on(name) {
            return report;
        }
        report.rows.extend(rows());
    }
    report.rows.sort_by_key(|row| row.what);
    report
}

#[cfg(test)]
mod tests;
