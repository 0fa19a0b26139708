//! The conditions of a run: what was timed, for which build, on what, in which state.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One column of the `runs` frame that describes a run.
///
/// The order is that of the export, which users' scripts depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Key {
    /// Runs made or published together; medians never cross it.
    Campaign,
    /// The machine.
    Host,
    /// What was timed: `export`, `verify`, `null-log -v` …
    Operation,
    /// The command line as typed.
    Command,
    /// The content compared, not its copy on disk.
    Repository,
    /// One side of the comparison.
    Variant,
    /// The build behind the variant.
    Build,
    /// The repository's format, `6`, `7` …
    Format,
    /// Whether the repository's copy is packed: `yes` or `no`.
    Packed,
    /// Where the repository lies: `USB`, `SSD`, `RAID5`, `tmpfs`.
    Medium,
    /// `cold`, `hot`, `hot-server`, or another label as printed.
    Cache,
    /// `local`, `LAN` …
    Network,
    /// Number of client threads.
    Threads,
    /// Which repetition of the same cell this is, from 1.
    Repetition,
}

impl Key {
    /// All keys in the order of the export.
    pub const ALL: [Self; 14] = [
        Self::Campaign,
        Self::Host,
        Self::Operation,
        Self::Command,
        Self::Repository,
        Self::Variant,
        Self::Build,
        Self::Format,
        Self::Packed,
        Self::Medium,
        Self::Cache,
        Self::Network,
        Self::Threads,
        Self::Repetition,
    ];

    /// The name of the column, of the key in a path pattern and in `--where`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Campaign => "campaign",
            Self::Host => "host",
            Self::Operation => "operation",
            Self::Command => "command",
            Self::Repository => "repository",
            Self::Variant => "variant",
            Self::Build => "build",
            Self::Format => "format",
            Self::Packed => "packed",
            Self::Medium => "medium",
            Self::Cache => "cache",
            Self::Network => "network",
            Self::Threads => "threads",
            Self::Repetition => "repetition",
        }
    }

    /// The key of that name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }
}

/// Where the value of a condition was taken from; a later variant wins over an earlier one,
/// except that for `command` and the operation it names the content wins over the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Nothing said it; the program assumes it.
    Default,
    /// The file's text says it.
    Content,
    /// The file's path says it.
    Path,
    /// The user said it.
    Yours,
}

/// The known conditions of a run; an absent key is unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Conditions(BTreeMap<Key, String>);

impl Conditions {
    /// No condition known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a condition, if known.
    pub fn get(&self, key: Key) -> Option<&str> {
        self.0.get(&key).map(String::as_str)
    }

    /// Sets a condition, replacing what was there.
    pub fn set(&mut self, key: Key, value: impl Into<String>) {
        self.0.insert(key, value.into());
    }

    /// The same with one condition more; for building rows in one expression.
    #[must_use]
    pub fn with(mut self, key: Key, value: impl Into<String>) -> Self {
        self.set(key, value);
        self
    }

    /// Forgets a condition.
    pub fn remove(&mut self, key: Key) {
        self.0.remove(&key);
    }

    /// The known conditions in the order of the export.
    pub fn iter(&self) -> impl Iterator<Item = (Key, &str)> {
        self.0.iter().map(|(key, value)| (*key, value.as_str()))
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
