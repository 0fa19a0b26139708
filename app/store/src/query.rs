//! One serialisable question drives every chart and table.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use triptych_model::{Key, Process};

/// A column that filters can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Column {
    /// The quality words; a filter matches when one of the words does.
    Quality,
    /// The source's path.
    Source,
    /// The run's id.
    Run,
    /// A condition of the run.
    #[serde(untagged)]
    Condition(Key),
}

impl Column {
    /// The name in `--where`, chips and facets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Condition(key) => key.name(),
            Self::Quality => "quality",
            Self::Source => "source",
            Self::Run => "run",
        }
    }

    /// The column of that name.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "quality" => Some(Self::Quality),
            "source" => Some(Self::Source),
            "run" => Some(Self::Run),
            _ => Key::parse(name).map(Self::Condition),
        }
    }
}

/// Keeps, or drops, the runs whose column matches one of the values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// What is looked at.
    pub column: Column,
    /// Drop the matching runs instead of keeping them.
    #[serde(default)]
    pub not: bool,
    /// Values with `*` as a wildcard; the empty text matches an unknown condition.
    pub values: Vec<String>,
}

/// What is shown and how it is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Query {
    /// All must hold.
    pub filters: Vec<Filter>,
    /// The compared metric; `None`: the first of `real time cpu_time user` that each campaign has.
    pub metric: Option<String>,
    /// The compared key; `None`: `variant`, or `threads` where a campaign has one variant at most.
    pub across: Option<Key>,
    /// The side the others are divided by; `None`, or absent from a group: its first in order.
    pub baseline: Option<String>,
    /// Whose values; `None`: the client's for `real user sys time`, else each process by itself.
    pub process: Option<Process>,
    /// Threshold of verdicts in per cent.
    pub threshold_percent: f64,
    /// Whether failed runs enter, which they do only when asked for.
    pub with_failed: bool,
    /// Ids of the runs the user selected; empty: none.
    pub marked: BTreeSet<String>,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            filters: Vec::new(),
            metric: None,
            across: None,
            baseline: None,
            process: None,
            threshold_percent: 2.0,
            with_failed: false,
            marked: BTreeSet::new(),
        }
    }
}
