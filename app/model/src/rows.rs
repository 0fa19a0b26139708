//! The rows that readers make of one source, before the store puts them into frames.

use crate::{Conditions, Problem, Process, Quality, Requests, Severity, TableMeaning, Unit};

/// The stable text that names a run: the source and the ordinal of its block, from 1.
///
/// Renaming a variant or changing a pattern never changes it.
pub fn run_id(source: &str, ordinal: usize) -> String {
    format!("{source}#{ordinal}")
}

/// One execution of one operation, or one cell of a published table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunRow {
    /// The runner's own id, `campaign/step`; `None` where the source gives none and [`run_id`] does.
    pub id: Option<String>,
    /// First line of its block, from 1.
    pub line: u32,
    /// Byte offset of that line in the source.
    pub offset: u64,
    /// What the content says; the path and the user are added by the store.
    pub content: Conditions,
    /// Start, UTC microseconds, if the content says so.
    pub started: Option<i64>,
    /// Exit status; negative for a signal.
    pub exit: Option<i32>,
    /// Words that hold for all values of the run, above all `failed`.
    pub quality: Quality,
    /// Why the run failed, in the tool's own words.
    pub failure: Option<String>,
    /// Further facts as a JSON object (server command, options, prose of the table).
    pub settings: serde_json::Map<String, serde_json::Value>,
}

/// One value of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Index into [`SourceData::runs`].
    pub run: u32,
    /// Physical line, from 1.
    pub line: u32,
    /// Byte offset of that line.
    pub offset: u64,
    /// Whose value it is.
    pub process: Process,
    /// Stable metric name, see [`crate::METRICS`].
    pub metric: String,
    /// In the base unit; `None` where the source text cannot be read as a number.
    pub value: Option<f64>,
    /// Upper end of a printed range; `None` for a single value or an open end.
    pub value_high: Option<f64>,
    /// Base unit.
    pub unit: Unit,
    /// How many executions the value sums up, if the source says so.
    pub executions: Option<u64>,
    /// How far to trust it.
    pub quality: Quality,
    /// The exact source text of the value.
    pub raw: String,
}

/// How the times of a series are to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// UTC microseconds since 1970.
    Utc,
    /// Microseconds since the start of the source; the source has no date.
    #[default]
    Elapsed,
}

/// One time series: a process, a metric, a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Index into [`SourceData::runs`], where the source itself names the run.
    pub run: Option<u32>,
    /// The role.
    pub process: Process,
    /// Process id.
    pub pid: Option<u32>,
    /// The command's own name (`svnserve-1.6.9`).
    pub command: Option<String>,
    /// Stable metric name.
    pub metric: String,
    /// Base unit.
    pub unit: Unit,
    /// How the times are to be read.
    pub clock: Clock,
    /// How far to trust it.
    pub quality: Quality,
}

/// One sample of a series; it holds for the interval that ends at `time`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Sample {
    /// Index into [`SourceData::series`].
    pub series: u32,
    /// Physical line, from 1.
    pub line: u32,
    /// Microseconds by the series' clock.
    pub time: i64,
    /// In the base unit.
    pub value: f64,
}

/// The log that an exported series stood in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeriesLog {
    /// Its number among the logs of the export, from 0.
    pub log: u32,
    /// When its first interval began, by the clock of the series, where that is known.
    pub start: Option<i64>,
}

const _: () = assert!(size_of::<Sample>() == 24, "DESIGN: 24 bytes a sample");

/// Everything one source gave.
#[derive(Clone, Debug, Default)]
pub struct SourceData {
    /// The path as given; `-` for standard input, `pasted text N` for the clipboard.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Ids of the formats recognised, in order of appearance.
    pub formats: Vec<&'static str>,
    /// Physical lines.
    pub lines: u64,
    /// The runs; their ordinal in this list, from 1, is part of their identity.
    pub runs: Vec<RunRow>,
    /// The values of the runs.
    pub measurements: Vec<Measurement>,
    /// The time series.
    pub series: Vec<Series>,
    /// Their samples, in order of lines.
    pub samples: Vec<Sample>,
    /// Start of the first sample's interval, by the clock of the series.
    pub samples_start: Option<i64>,
    /// In which log each series stood before it was exported, by series; empty where the source itself
    /// is the log.
    pub series_logs: Vec<SeriesLog>,
    /// The server's operation log.
    pub requests: Requests,
    /// From which row on requests are of which run (index into [`SourceData::runs`]) or of none, in order
    /// of rows; empty where the source itself does not say.
    pub request_runs: Vec<(u32, Option<u32>)>,
    /// Lines between recognised blocks: output of the timed program.
    pub program_output: u64,
    /// Lines inside a recognised block or grammar that were not understood.
    pub not_understood: u64,
    /// The campaign that the source is the runner's log of: then its path says nothing of conditions, and
    /// the files beside it are parts of that campaign.
    pub campaign: Option<String>,
    /// Whether the content says all that there is to say of conditions, so that the path says nothing.
    pub says_all: bool,
    /// Whether the source is a list table: then it is a campaign of its own.
    pub is_table: bool,
    /// The answers by which tables of unknown columns were read, to be kept with the source.
    pub tables: Vec<TableMeaning>,
    /// Why the file was passed over: empty, or no format claims it.
    pub skipped: Option<String>,
    /// Why a format that claims the file, or the system, could not read it.
    pub error: Option<Problem>,
    /// Warnings and notes, without `error`.
    pub problems: Vec<Problem>,
}

impl SourceData {
    /// A source of which nothing is known yet.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), ..Self::default() }
    }

    /// Number of warnings, notes not counted.
    pub fn warnings(&self) -> usize {
        self.problems.iter().filter(|problem| problem.severity >= Severity::Warning).count()
    }

    /// Whether it has rows of any frame.
    pub fn has_rows(&self) -> bool {
        !self.measurements.is_empty() || !self.samples.is_empty() || !self.requests.is_empty()
    }
}
