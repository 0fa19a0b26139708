//! The table of experiments: how each operation is called, and what its output must say.
//!
//! An experiment is one file here and one row of [`EXPERIMENTS`].

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where a client writes what it fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// It writes nothing.
    None,
    /// A new directory in memory.
    Tmpfs,
    /// A new directory on the repository's own medium.
    Medium,
}

/// An option of an experiment, for forms, checks and help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name in plans: `ignore-externals`.
    pub name: &'static str,
    /// Its label in forms.
    pub label: &'static str,
    /// One line for help and tooltips.
    pub help: &'static str,
    /// What it may be.
    pub kind: OptionKind,
}

/// What the value of an option may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`, and which of them is the default.
    Flag(bool),
    /// A whole number from the first to the second, and the default if there is one.
    Number(i64, i64, Option<i64>),
}

/// One row for help, forms and checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExperimentSpec {
    /// Stable id in plans: `null-log-v`.
    pub id: &'static str,
    /// Name of the operation in conditions and tables: `null-log -v`.
    pub operation: &'static str,
    /// One line for help.
    pub help: &'static str,
    /// The program of the build that is timed: `svn`, `svnbench`, `svnadmin`.
    pub program: &'static str,
    /// Whether it asks a server; else it reads the repository itself.
    pub needs_server: bool,
    /// Whether it needs the repository's `file`.
    pub needs_file: bool,
    /// Its options.
    pub options: &'static [OptionSpec],
}

/// What the command of one run is made of.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// The program.
    pub program: PathBuf,
    /// `svn://127.0.0.1:PORT/COPY`; empty where no server is asked.
    pub url: String,
    /// The copy's directory.
    pub copy: PathBuf,
    /// Path in the repository, may be empty.
    pub target: &'a str,
    /// File in the repository for blame.
    pub file: Option<&'a str>,
    /// Options of the operation by name.
    pub options: &'a BTreeMap<String, Value>,
    /// Empty directory for what is fetched, if [`Experiment::target`] wants one.
    pub directory: Option<PathBuf>,
    /// Empty directory for the client's configuration, so that no user's settings take part.
    pub config: PathBuf,
}

/// What a run gave, for its check.
#[derive(Clone, Debug, Default)]
pub struct Output<'a> {
    /// Standard output.
    pub stdout: &'a str,
    /// Items and bytes in the target's directory, if there is one.
    pub target: Option<(u64, u64)>,
    /// Youngest revision of the repository, where the lab says so.
    pub youngest: Option<u64>,
}

/// A number the tool itself reports or the check counted: metric and value in its base unit.
pub type Counter = (&'static str, f64);

/// How one operation is called and checked.
pub trait Experiment: Sync {
    /// Its row.
    fn spec(&self) -> &'static ExperimentSpec;

    /// Where the client writes.
    fn target(&self, _options: &BTreeMap<String, Value>) -> Target {
        Target::None
    }

    /// Program and arguments.
    fn command(&self, call: &Call<'_>) -> Vec<String>;

    /// The counters of a result (`files`, `bytes`, `revisions`, `export_items` …), which must be equal in all runs of
    /// a repository and operation.
    ///
    /// # Errors
    /// What is wrong with the result, and what was expected.
    fn check(&self, output: &Output<'_>) -> Result<Vec<Counter>, String>;
}

/// All experiments, in the order in which forms and `formats` list them.
pub const EXPERIMENTS: &[&dyn Experiment] = &[];

/// The experiment of that id.
pub fn experiment(id: &str) -> Option<&'static dyn Experiment> {
    EXPERIMENTS.iter().copied().find(|experiment| experiment.spec().id == id)
}
