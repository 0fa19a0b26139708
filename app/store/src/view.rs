//! What the store answers: plain values for charts, tables and panels, no frames.

use crate::query::Column;
use std::collections::BTreeMap;
use std::sync::Arc;
use triptych_model::{Conditions, Key, Origin, Process, Quality, Unit};

/// Index of a run in the store's current generation.
pub type RunIndex = u32;

/// The same operation in the same conditions for the compared variants.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The conditions all its runs share; absent keys are unknown. Never holds [`Group::across`],
    /// the build, format, packing or repetition, which are facts of the runs.
    pub conditions: Conditions,
    /// Whose values.
    pub process: Process,
    /// Of what.
    pub metric: String,
    /// In which unit.
    pub unit: Unit,
    /// What the cells differ in.
    pub across: Key,
    /// Whether it comes from a published table: then the order of cells is the table's.
    pub is_table: bool,
    /// Baseline first, then natural order.
    pub cells: Vec<Cell>,
    /// Ratios as printed, by cell name.
    pub printed_ratios: Vec<PrintedRatio>,
    /// What the reader must know: `inconsistent`, `no common repository` …
    pub flags: Vec<String>,
}

/// One side of a triple.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The value of the compared key.
    pub name: String,
    /// Values of the runs that count, in order of repetition.
    pub values: Vec<Value>,
    /// Failed runs.
    pub failed: Vec<RunIndex>,
    /// Runs the user left out, with the reason.
    pub left_out: Vec<(RunIndex, String)>,
}

/// One value of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The run.
    pub run: RunIndex,
    /// In the base unit.
    pub value: f64,
    /// Upper end of a printed range.
    pub high: Option<f64>,
    /// The exact source text.
    pub raw: Arc<str>,
    /// How far to trust it.
    pub quality: Quality,
    /// Index of the source.
    pub source: u32,
    /// Physical line, from 1.
    pub line: u32,
}

/// A ratio as its author printed it.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedRatio {
    /// The cell's name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its text.
    pub raw: Arc<str>,
    /// Whether it contradicts the printed times.
    pub inconsistent: bool,
}

/// Values of one column with their counts, for the filter panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet {
    /// The column.
    pub column: Column,
    /// In natural order; variants in their own.
    pub values: Vec<FacetValue>,
}

/// One value of a facet.
#[derive(Clone, Debug, PartialEq)]
pub struct FacetValue {
    /// The value; empty for unknown.
    pub text: String,
    /// Runs that a click would give: all other columns' filters applied.
    pub count: usize,
    /// Whether the query's filters let it through.
    pub on: bool,
}

/// A campaign in the list of sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Campaign {
    /// The shortest unique tail of its directory, or the file's name of a table.
    pub name: String,
    /// The directory or file as given.
    pub root: String,
    /// Indices of its sources.
    pub sources: Vec<u32>,
    /// Runs, failed ones included.
    pub runs: usize,
    /// Requests of its server logs.
    pub requests: usize,
    /// Samples of its load logs.
    pub samples: usize,
    /// Warnings of its sources.
    pub warnings: usize,
    /// Sources that could not be read.
    pub errors: usize,
    /// Whether it is a published table.
    pub is_table: bool,
    /// The pattern its paths were read by, with whether the user set it.
    pub pattern: Option<(String, Origin)>,
}

/// Everything known of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunView {
    /// The stable id.
    pub id: String,
    /// Its index now.
    pub index: RunIndex,
    /// Index of its source.
    pub source: u32,
    /// First line of its block.
    pub line: u32,
    /// Conditions with where each was taken from.
    pub conditions: BTreeMap<Key, (String, Origin)>,
    /// Start, UTC microseconds.
    pub started: Option<i64>,
    /// Exit status.
    pub exit: Option<i32>,
    /// Why it failed.
    pub failure: Option<String>,
    /// Why the user left it out.
    pub left_out: Option<String>,
    /// Words that hold for all its values.
    pub quality: Quality,
    /// Further facts.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Its values, joined companions' included.
    pub values: Vec<RunValue>,
    /// Sources whose samples or requests were joined to it.
    pub companions: Vec<u32>,
}

/// One value in a [`RunView`].
#[derive(Clone, Debug, PartialEq)]
pub struct RunValue {
    /// Whose.
    pub process: Process,
    /// Of what.
    pub metric: String,
    /// The value, `None` where the text could not be read.
    pub value: Option<f64>,
    /// Upper end of a range.
    pub high: Option<f64>,
    /// Unit.
    pub unit: Unit,
    /// Trust.
    pub quality: Quality,
    /// Source text.
    pub raw: String,
    /// Index of the source it stands in.
    pub source: u32,
    /// Line there.
    pub line: u32,
}

/// The CPU load of one run over time, per process.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The run.
    pub run: RunIndex,
    /// One series a process and metric, never two sources of one fact.
    pub lanes: Vec<Lane>,
    /// UTC microseconds of second 0, where the source has a date.
    pub start: Option<i64>,
    /// Second of the last sample.
    pub end_secs: f64,
    /// The run's wall time and exit, where its harness says so.
    pub real_secs: Option<f64>,
    /// Exit status.
    pub exit: Option<i32>,
    /// Series of the same facts in other sources: source, process, metric.
    pub not_shown: Vec<(u32, Process, String)>,
}

/// One time series of a [`Load`]; a sample holds for the interval that ends at its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Whose.
    pub process: Process,
    /// `cpu_user`, `cpu_sys`, or `cpu` where only the sum is known.
    pub metric: String,
    /// Commands' own names.
    pub commands: Vec<String>,
    /// Index of the source.
    pub source: u32,
    /// Start of each sample's interval, seconds since second 0.
    pub starts: Vec<f64>,
    /// End of each sample's interval.
    pub ends: Vec<f64>,
    /// Values in per cent, 100 is one core.
    pub values: Vec<f64>,
    /// Line of each sample in its source.
    pub lines: Vec<u32>,
}

/// Lines of a source round the one asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawContext {
    /// Physical line number and text, without the line end.
    pub lines: Vec<(u32, String)>,
    /// The line asked for.
    pub line: u32,
    /// Whether the file changed since it was read.
    pub changed: bool,
}

/// One fact of two sets of runs side by side, for "What differs".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// A column of `runs`, or a key of the settings.
    pub name: String,
    /// Values of the first set, joined by `, `; empty where unknown.
    pub a: String,
    /// Values of the second set.
    pub b: String,
    /// Whether both sets say the same.
    pub equal: bool,
}

/// One metric of one process that a query's runs have, for pickers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricCount {
    /// The stable name.
    pub metric: String,
    /// Whose values.
    pub process: Process,
    /// How many values there are.
    pub count: usize,
}
