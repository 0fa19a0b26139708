//! The table of experiments: how each operation is called, and what its output must say.
//!
//! An experiment is one file here and one row of [`EXPERIMENTS`].

mod bench;
mod checkout;
mod export;
mod null_blame;
mod null_export;
mod null_list;
mod null_log_v;
mod null_log_v_g;
mod tree;
mod verify;
mod words;

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

    /// What the tool says of the run itself (`duration`, `net_bytes`); it may differ between runs and
    /// is empty where the tool says nothing.
    fn reported(&self, _output: &Output<'_>) -> Vec<Counter> {
        Vec::new()
    }
}

/// All experiments, in the order in which forms and `formats` list them.
pub const EXPERIMENTS: &[&dyn Experiment] = &[
    &export::EXPORT,
    &checkout::CHECKOUT,
    &null_export::NULL_EXPORT,
    &null_log_v::NULL_LOG_V,
    &null_log_v_g::NULL_LOG_V_G,
    &null_blame::NULL_BLAME,
    &null_list::NULL_LIST,
    &verify::VERIFY,
];

/// What is wrong with the options of an operation: the option's name and a sentence for each.
///
/// [`Experiment::command`] takes options that passed here; of others it takes the defaults.
pub fn option_problems(spec: &ExperimentSpec, options: &BTreeMap<String, Value>) -> Vec<(String, String)> {
    let problem = |(name, value): (&String, &Value)| {
        let Some(option) = spec.options.iter().find(|option| option.name == name) else {
            let known: Vec<&str> = spec.options.iter().map(|option| option.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Some((name.clone(), format!("{} has no option {name:?}, expected {known}", spec.id)));
        };
        let expected = match option.kind {
            OptionKind::Flag(_) => (!value.is_boolean()).then(|| "true or false".to_owned()),
            OptionKind::Number(least, most, _) => {
                let fits = value.as_i64().is_some_and(|number| (least..=most).contains(&number));
                let to = if most == i64::MAX { "or more".to_owned() } else { format!("to {most}") };
                (!fits).then(|| format!("a whole number, {least} {to}"))
            }
        };
        expected
            .map(|expected| (name.clone(), format!("unreadable {name}, found {value}, expected {expected}")))
    };
    options.iter().filter_map(problem).collect()
}

/// The experiment of that id.
pub fn experiment(id: &str) -> Option<&'static dyn Experiment> {
    EXPERIMENTS.iter().copied().find(|experiment| experiment.spec().id == id)
}

#[cfg(test)]
mod tests;
