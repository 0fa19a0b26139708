//! The rows that readers make of one source, before the store puts them into frames.

use crate::{Conditions, Problem, Process, Quality, Severity, Unit};
use std::collections::HashMap;

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

const _: () = assert!(size_of::<Sample>() == 24, "DESIGN: 24 bytes a sample");

/// A text kept once and named by a number; 0 is always the absent text.
pub type Symbol = u32;

/// Keeps each text once. Symbol 0 stands for null.
#[derive(Clone, Debug)]
pub struct Interner {
    texts: Vec<String>,
    known: HashMap<String, Symbol>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { texts: vec![String::new()], known: HashMap::new() }
    }
}

impl Interner {
    /// The symbol of a text, a new one if it was not seen before.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.known.get(text) {
            return *symbol;
        }
        let symbol = Symbol::try_from(self.texts.len()).unwrap_or(Symbol::MAX);
        self.texts.push(text.to_owned());
        self.known.insert(text.to_owned(), symbol);
        symbol
    }

    /// The text of a symbol; `None` for symbol 0 and unknown ones.
    pub fn get(&self, symbol: Symbol) -> Option<&str> {
        if symbol == 0 { None } else { self.texts.get(symbol as usize).map(String::as_str) }
    }

    /// All texts by symbol; the first is the empty text of symbol 0.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

/// The server's operation log in columns, one element a row; all columns have the same length.
///
/// Sentinels keep the columns small: [`Requests::NO_I64`] for an absent time, revision, count or
/// status, `NaN` for an absent gap or duration, symbol 0 for an absent text.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// Physical line, from 1.
    pub line: Vec<u32>,
    /// Byte offset of the line.
    pub offset: Vec<u64>,
    /// UTC microseconds.
    pub time: Vec<i64>,
    /// Process id of the server.
    pub pid: Vec<i64>,
    /// Client's address.
    pub host: Vec<Symbol>,
    /// Authenticated user.
    pub user: Vec<Symbol>,
    /// Repository as the server names it.
    pub repository: Vec<Symbol>,
    /// Action word, or `error`, `warning`, `denied`.
    pub action: Vec<Symbol>,
    /// Decoded path of a one-path action.
    pub path: Vec<Symbol>,
    /// The one revision of the action.
    pub revision: Vec<i64>,
    /// Seconds since the session's previous line; an estimate of the work of actions logged at their end.
    pub gap_before: Vec<f64>,
    /// Seconds to the session's next line; an estimate of the work of actions logged at their start.
    pub gap_after: Vec<f64>,
    /// Seconds, where the log says so.
    pub duration: Vec<f64>,
    /// Bytes received.
    pub bytes_in: Vec<i64>,
    /// Bytes sent.
    pub bytes_out: Vec<i64>,
    /// HTTP status.
    pub status: Vec<i64>,
    /// `CODE message; CODE cause`.
    pub error: Vec<Symbol>,
    /// How far to trust the row.
    pub quality: Vec<Quality>,
    /// The texts of all symbols above.
    pub texts: Interner,
}

impl Requests {
    /// Stands for an absent integer.
    pub const NO_I64: i64 = i64::MIN;

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// Adds a row.
    pub fn push(&mut self, row: &Request<'_>) {
        let mut symbol = |text: Option<&str>| text.map_or(0, |text| self.texts.intern(text));
        self.host.push(symbol(row.host));
        self.user.push(symbol(row.user));
        self.repository.push(symbol(row.repository));
        self.action.push(symbol(Some(row.action)));
        self.path.push(symbol(row.path));
        self.error.push(symbol(row.error));
        self.line.push(row.line);
        self.offset.push(row.offset);
        self.time.push(row.time.unwrap_or(Self::NO_I64));
        self.pid.push(row.pid.map_or(Self::NO_I64, i64::from));
        self.revision.push(row.revision.unwrap_or(Self::NO_I64));
        self.gap_before.push(f64::NAN);
        self.gap_after.push(f64::NAN);
        self.duration.push(row.duration.unwrap_or(f64::NAN));
        self.bytes_in.push(row.bytes_in.unwrap_or(Self::NO_I64));
        self.bytes_out.push(row.bytes_out.unwrap_or(Self::NO_I64));
        self.status.push(row.status.unwrap_or(Self::NO_I64));
        self.quality.push(row.quality);
    }

    /// The row of that index, from 0, without its gaps; `None` behind the end.
    pub fn row(&self, index: usize) -> Option<Request<'_>> {
        let integer = |column: &[i64]| column.get(index).copied().filter(|value| *value != Self::NO_I64);
        let text = |column: &[Symbol]| self.texts.get(*column.get(index)?);
        Some(Request {
            line: *self.line.get(index)?,
            offset: self.offset.get(index).copied().unwrap_or(0),
            time: integer(&self.time),
            pid: integer(&self.pid).and_then(|pid| u32::try_from(pid).ok()),
            host: text(&self.host),
            user: text(&self.user),
            repository: text(&self.repository),
            action: text(&self.action).unwrap_or(""),
            path: text(&self.path),
            revision: integer(&self.revision),
            duration: self.duration.get(index).copied().filter(|value| !value.is_nan()),
            bytes_in: integer(&self.bytes_in),
            bytes_out: integer(&self.bytes_out),
            status: integer(&self.status),
            error: text(&self.error),
            quality: self.quality.get(index).copied().unwrap_or_default(),
        })
    }

    /// Seconds since the line before it of the same session; `None` where there is none.
    pub fn gap_before(&self, index: usize) -> Option<f64> {
        self.gap_before.get(index).copied().filter(|value| !value.is_nan())
    }

    /// Seconds to the next line of the same session; `None` where there is none.
    pub fn gap_after(&self, index: usize) -> Option<f64> {
        self.gap_after.get(index).copied().filter(|value| !value.is_nan())
    }
}

/// One row of [`Requests`] in plain values, to write and to read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Request<'a> {
    /// Physical line, from 1.
    pub line: u32,
    /// Byte offset of the line.
    pub offset: u64,
    /// UTC microseconds.
    pub time: Option<i64>,
    /// Process id of the server.
    pub pid: Option<u32>,
    /// Client's address.
    pub host: Option<&'a str>,
    /// Authenticated user.
    pub user: Option<&'a str>,
    /// Repository as the server names it.
    pub repository: Option<&'a str>,
    /// Action word, HTTP method, or `error`, `warning`, `denied`.
    pub action: &'a str,
    /// Decoded path of a one-path action.
    pub path: Option<&'a str>,
    /// The one revision of the action.
    pub revision: Option<i64>,
    /// Seconds, where the log says so.
    pub duration: Option<f64>,
    /// Bytes received.
    pub bytes_in: Option<i64>,
    /// Bytes sent.
    pub bytes_out: Option<i64>,
    /// HTTP status.
    pub status: Option<i64>,
    /// `CODE message; CODE cause`.
    pub error: Option<&'a str>,
    /// How far to trust the row.
    pub quality: Quality,
}

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
    /// The server's operation log.
    pub requests: Requests,
    /// Lines between recognised blocks: output of the timed program.
    pub program_output: u64,
    /// Lines inside a recognised block or grammar that were not understood.
    pub not_understood: u64,
    /// The campaign that the source is the runner's log of: then its path says nothing of conditions, and
    /// the files beside it are parts of that campaign.
    pub campaign: Option<String>,
    /// Whether the source is a list table: then it is a campaign of its own.
    pub is_table: bool,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_comes_back_as_it_was_pushed() {
        let row = Request {
            line: 7,
            offset: 90,
            time: Some(5),
            pid: Some(11),
            host: Some("::1"),
            action: "commit",
            path: Some("/a b"),
            status: Some(201),
            duration: Some(0.5),
            ..Request::default()
        };
        let mut requests = Requests::default();
        requests.push(&row);
        requests.push(&Request { action: "open", ..Request::default() });
        assert_eq!(requests.row(0), Some(row));
        assert_eq!(requests.row(1).map(|row| (row.action, row.host, row.pid)), Some(("open", None, None)));
        assert_eq!((requests.row(2), requests.gap_before(0), requests.gap_after(1)), (None, None, None));
    }
}
