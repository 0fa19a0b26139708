//! The plan: what is to be measured, and in which order, as `plan.json` keeps it.
//!
//! `cells` and `steps` are made by pure functions and kept in the file, so that a campaign can be
//! resumed: what is left are the steps without an end in the run log.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file's form.
pub const PLAN_VERSION: u32 = 1;

/// What is to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`PLAN_VERSION`].
    pub version: u32,
    /// Name for people: `fsfs-format7, seconds`.
    pub title: String,
    /// Seed of the order.
    #[serde(default)]
    pub seed: u64,
    /// What is timed.
    pub operations: Vec<Operation>,
    /// Names of the lab's repositories.
    pub repositories: Vec<String>,
    /// Names of the lab's variants, baseline first.
    pub variants: Vec<String>,
    /// Names of the lab's media.
    pub media: Vec<String>,
    /// Cache states.
    pub caches: Vec<Cache>,
    /// Runs of each cell.
    pub repetitions: u32,
    /// Uncounted runs before each hot run; at least one is made.
    #[serde(default = "one")]
    pub warm_ups: u32,
    /// How the server is run.
    #[serde(default)]
    pub server: ServerSettings,
    /// When a run is given up.
    #[serde(default)]
    pub limits: Limits,
    /// Samples a second of the CPU load, 1 to 100.
    #[serde(default = "ten")]
    pub sample_hz: u32,
    /// Only these cells instead of all combinations; for Rerun.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Cell>,
    /// Which rows this plan repeats: `source#ordinal`, or the id of a run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<String>,
    /// The steps in their order; empty until the plan is expanded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            version: PLAN_VERSION,
            title: String::new(),
            seed: 1,
            operations: Vec::new(),
            repositories: Vec::new(),
            variants: Vec::new(),
            media: Vec::new(),
            caches: vec![Cache::Cold, Cache::Hot],
            repetitions: 3,
            warm_ups: 1,
            server: ServerSettings::default(),
            limits: Limits::default(),
            sample_hz: 10,
            cells: Vec::new(),
            repeats: Vec::new(),
            steps: Vec::new(),
        }
    }
}

const fn one() -> u32 {
    1
}

const fn ten() -> u32 {
    10
}

/// An experiment with its options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Id of a row of the table of experiments: `null-log-v`.
    pub experiment: String,
    /// Its options by name, for those that differ from the default: `ignore-externals` to `true`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, serde_json::Value>,
}

/// State of the caches before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// Nothing of the repository is in memory.
    Cold,
    /// The operating system has it, the server is new.
    Hot,
    /// The same server answered it before.
    HotServer,
}

impl Cache {
    /// All states, cold first.
    pub const ALL: [Self; 3] = [Self::Cold, Self::Hot, Self::HotServer];

    /// The word in conditions, plans and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Hot => "hot",
            Self::HotServer => "hot-server",
        }
    }

    /// The state of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cache| cache.name() == name)
    }
}

/// How svnserve serves its clients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ServerMode {
    /// A process for each connection, svnserve's default.
    #[default]
    Fork,
    /// A thread for each connection (`-T`); svnserve's caches outlive a connection.
    Threads,
}

/// For how long a server lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// For one run.
    #[default]
    Run,
    /// For all runs of a cell, so that the second finds the server's own caches filled.
    Cell,
}

/// How the server is run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServerSettings {
    /// Fork or threads.
    pub mode: ServerMode,
    /// For how long it lives.
    pub restart: Restart,
    /// Whether the operation log is not written. It lies in memory and costs a line an action.
    pub no_log: bool,
    /// Compression of what the server sends, 0 (none) to 9; absent: the server's own default, 5. In
    /// svn:// the server alone decides (`http-compression` of a client means http): what it sends a
    /// client are deltas of this level. A variant's own `--compression` is taken instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<u8>,
}

impl ServerSettings {
    /// The words of svnserve's command line that these settings mean; they stand before the variant's own,
    /// for svnserve takes the last of several.
    pub fn options(&self) -> Vec<String> {
        let compression = self.compression.map(|level| ["--compression".to_owned(), level.to_string()]);
        compression.into_iter().flatten().collect()
    }
}

/// When a run is given up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Longest wall time of a client, seconds.
    pub run_secs: f64,
    /// Longest time from a server's start until it answers, seconds.
    pub start_secs: f64,
    /// Most bytes a client may print.
    pub output_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { run_secs: 3600.0, start_secs: 10.0, output_bytes: 64 << 20 }
    }
}

/// What is repeated: one operation, for one variant, in one state.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Index into [`Plan::operations`].
    pub operation: usize,
    /// Name of a repository.
    pub repository: String,
    /// Name of a variant.
    pub variant: String,
    /// Name of a medium.
    pub medium: String,
    /// Cache state.
    pub cache: Cache,
}

/// One run to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its number, from 1.
    pub step: u32,
    /// What is repeated.
    #[serde(flatten)]
    pub cell: Cell,
    /// Which repetition of its cell, from 1.
    pub repetition: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compression_is_an_option_of_the_server_and_absent_unless_said() {
        let settings: ServerSettings = serde_json::from_str("{\"compression\": 0}").expect("read");
        assert_eq!(settings.options(), ["--compression", "0"]);
        let settings: ServerSettings = serde_json::from_str("{}").expect("read");
        assert_eq!(settings.options(), [""; 0]);
        assert_eq!(
            serde_json::to_string(&settings).expect("written"),
            "{\"mode\":\"fork\",\"restart\":\"run\",\"no_log\":false}"
        );
    }
}
