//! What `triptych import -o` wrote, taken in again: the three frames as CSV (DESIGN §3).
//!
//! The run's own text, its conditions and every value come back as they were exported; source and
//! line are those of the CSV itself, for that is what is open now. Columns go by their names, so a
//! spreadsheet may have moved some or taken some out.

mod gaps;

use crate::format::{Confidence, DocumentFormat};
use crate::sink::{Sink, set_content};
use csv::{ReaderBuilder, StringRecord};
use gaps::Gaps;
use std::collections::HashMap;
use triptych_model::{
    Cancelled, Clock, FormatSpec, Key, Measurement, Problem, ProblemKind, Process, Quality, Request, RunRow,
    Sample, Series, SeriesLog, Severity, Timestamp, Unit,
};

/// The row of [`crate::FORMATS`].
pub static EXPORTED: Exported = Exported;

static SPEC: FormatSpec = FormatSpec {
    id: "triptych-csv",
    title: "Triptych CSV",
    help: "measurements, samples or requests that triptych import -o wrote",
    extensions: &["csv"],
    samples: "triptych-csv",
};

/// The reader.
pub struct Exported;

/// How every such file begins.
const HEAD: &str = "source,line,run,";

/// How many records are read between two looks at the cancel button.
const CHECK_EVERY: u64 = 4096;

impl DocumentFormat for Exported {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        if head.starts_with(HEAD.as_bytes()) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(bytes);
        let header = match reader.headers() {
            Ok(header) => header.clone(),
            Err(error) => {
                refuse(sink, &error.to_string());
                return Ok(());
            }
        };
        let mut table = Table::new(&header);
        let Some(row) = ROWS.iter().find(|(mark, _)| table.has(mark)).map(|(_, row)| *row) else {
            refuse(sink, "the header names none of the columns metric, action");
            return Ok(());
        };
        sink.data.says_all = true;
        let mut record = StringRecord::new();
        loop {
            match reader.read_record(&mut record) {
                Ok(false) => break,
                Ok(true) => {}
                Err(error) => {
                    bad_record(&error, sink);
                    continue;
                }
            }
            // Exports that were joined to one file have a header each.
            if record == header {
                continue;
            }
            let place = record.position();
            table.go_to(place, bytes);
            if place.is_some_and(|place| place.record() % CHECK_EVERY == 0) {
                sink.check(table.offset)?;
            }
            row(&mut table, &record, sink);
        }
        table.gaps.tell_lost(sink);
        Ok(())
    }
}

/// Takes one record into the rows of its frame.
type TakeIn = fn(&mut Table, &StringRecord, &mut Sink<'_>);

/// A column that only one frame has, and how its records are taken in.
const ROWS: &[(&str, TakeIn)] =
    &[("elapsed_secs", sample_row), ("metric", measurement_row), ("action", request_row)];

fn refuse(sink: &mut Sink<'_>, reason: &str) {
    let path = sink.data.path.clone();
    let message = format!("the exported rows cannot be read: {reason}");
    sink.data.error = Some(
        Problem::new(Severity::Error, ProblemKind::Malformed, path, message)
            .at_line(1)
            .expected("the header that triptych import writes"),
    );
}

fn bad_record(error: &csv::Error, sink: &mut Sink<'_>) {
    let line = error.position().map_or(1, |place| u32::try_from(place.line()).unwrap_or(u32::MAX));
    sink.not_understood(line, 1, "unreadable record", &error.to_string(), "comma-separated cells in UTF-8");
}

/// Where the cells of a record are, and what was met so far.
#[derive(Default)]
struct Table {
    columns: HashMap<String, usize>,
    line: u32,
    offset: u64,
    runs: HashMap<String, u32>,
    /// The logs that were exported, by the cell `source`.
    logs: HashMap<String, u32>,
    series: HashMap<(u32, bool, [String; 6]), u32>,
    gaps: Gaps,
}

impl Table {
    fn new(header: &StringRecord) -> Self {
        let columns =
            header.iter().enumerate().map(|(index, name)| (name.trim().to_owned(), index)).collect();
        Self { columns, line: 1, ..Self::default() }
    }

    /// Takes the place of a record; the reader's own is ahead of the line ends that were left over.
    fn go_to(&mut self, place: Option<&csv::Position>, bytes: &[u8]) {
        let Some(place) = place else { return };
        let rest = usize::try_from(place.byte()).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
        let ends = || rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let feeds = ends().filter(|byte| **byte == b'\n').count();
        self.line = u32::try_from(place.line() + feeds as u64).unwrap_or(u32::MAX);
        self.offset = place.byte() + ends().count() as u64;
    }

    fn has(&self, name: &str) -> bool {
        self.columns.contains_key(name)
    }

    /// The text of a cell; an empty one is null.
    fn text<'r>(&self, record: &'r StringRecord, name: &str) -> Option<&'r str> {
        record.get(*self.columns.get(name)?).filter(|text| !text.is_empty())
    }

    /// The value of a cell; one that cannot be read is told and null.
    fn value<T>(
        &self,
        record: &StringRecord,
        name: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
        sink: &mut Sink<'_>,
    ) -> Option<T> {
        let text = self.text(record, name)?;
        let value = parse(text);
        if value.is_none() {
            sink.not_understood(self.line, 1, &format!("unreadable {name}"), text, expected);
        }
        value
    }

    fn number(&self, record: &StringRecord, name: &str, sink: &mut Sink<'_>) -> Option<f64> {
        let finite = |text: &str| text.parse().ok().filter(|value: &f64| value.is_finite());
        self.value(record, name, "a number such as 0.25", finite, sink)
    }

    fn integer<T: std::str::FromStr>(
        &self,
        record: &StringRecord,
        name: &str,
        sink: &mut Sink<'_>,
    ) -> Option<T> {
        self.value(record, name, "a whole number", |text| text.parse().ok(), sink)
    }

    fn time(&self, record: &StringRecord, name: &str, sink: &mut Sink<'_>) -> Option<i64> {
        self.value(record, name, TIME, micros, sink)
    }

    fn seconds(&self, record: &StringRecord, name: &str, sink: &mut Sink<'_>) -> Option<i64> {
        self.value(record, name, "a number of seconds such as 0.25", to_micros, sink)
    }

    /// The number of the log that a record came from.
    fn log(&mut self, record: &StringRecord) -> u32 {
        let next = u32::try_from(self.logs.len()).unwrap_or(u32::MAX);
        let source = self.text(record, "source").unwrap_or("");
        if let Some(log) = self.logs.get(source) {
            return *log;
        }
        let source = source.to_owned();
        *self.logs.entry(source).or_insert(next)
    }

    fn unit(&self, record: &StringRecord, sink: &mut Sink<'_>) -> Option<Unit> {
        self.value(record, "unit", UNITS, Unit::parse, sink)
    }

    fn quality(&self, record: &StringRecord, sink: &mut Sink<'_>) -> Quality {
        let words = |text: &str| Quality::parse(text).ok();
        self.value(record, "quality", "words of quality joined by +", words, sink).unwrap_or_default()
    }

    /// The run of a record, a new one where it was not met before; `None` where the cell is empty.
    fn run(&mut self, record: &StringRecord, sink: &mut Sink<'_>) -> Option<u32> {
        let id = self.text(record, "run")?.to_owned();
        if let Some(run) = self.runs.get(&id) {
            return Some(*run);
        }
        let mut run =
            RunRow { id: Some(id.clone()), line: self.line, offset: self.offset, ..RunRow::default() };
        // The frame of samples names commands of processes, and that of requests clients' addresses.
        if self.has("operation") {
            for key in Key::ALL {
                set_content(&mut run, key, self.text(record, key.name()).unwrap_or(""));
            }
            run.started = self.time(record, "started", sink);
            run.exit = self.integer(record, "exit", sink);
        }
        let index = sink.run(run);
        self.runs.insert(id, index);
        Some(index)
    }
}

const UNITS: &str = "s, B, B/s, 1/s, %, 1 or x";

const TIME: &str = "a time such as 2026-11-30T08:03:39.382038Z";

fn micros(text: &str) -> Option<i64> {
    Timestamp::parse(text).map(Timestamp::micros)
}

fn measurement_row(table: &mut Table, record: &StringRecord, sink: &mut Sink<'_>) {
    let Some(metric) = table.text(record, "metric") else {
        sink.not_understood(table.line, 1, "a row without a metric", "", "the metric's name");
        return;
    };
    let Some(run) = table.run(record, sink) else {
        sink.not_understood(table.line, 1, "a row without a run", "", "the run's text, as it was exported");
        return;
    };
    let Some(unit) = table.unit(record, sink) else {
        if table.text(record, "unit").is_none() {
            sink.not_understood(table.line, 1, "a row without a unit", "", UNITS);
        }
        return;
    };
    let quality = table.quality(record, sink);
    if quality.has(Quality::FAILED) {
        sink.mark(run, Quality::FAILED);
    }
    let measurement = Measurement {
        run,
        line: table.line,
        offset: table.offset,
        process: process(table.text(record, "process")),
        metric: metric.to_owned(),
        value: table.number(record, "value", sink),
        value_high: table.number(record, "value_high", sink),
        unit,
        executions: table.integer(record, "executions", sink),
        quality,
        raw: table.text(record, "raw").unwrap_or("").to_owned(),
    };
    sink.measure(measurement);
}

fn process(text: Option<&str>) -> Process {
    Process::from(text.unwrap_or("client").to_owned())
}

fn sample_row(table: &mut Table, record: &StringRecord, sink: &mut Sink<'_>) {
    let time = table.time(record, "time", sink);
    let elapsed = table.seconds(record, "elapsed_secs", sink);
    let (Some(value), Some(at)) = (table.number(record, "value", sink), time.or(elapsed)) else {
        if table.text(record, "value").is_none() || time.or(elapsed).is_none() {
            sink.not_understood(table.line, 1, "a sample without time or value", "", TIME);
        }
        return;
    };
    let run = table.run(record, sink);
    if let (Some(time), Some(elapsed)) = (time, elapsed) {
        note_start(run, time.saturating_sub(elapsed), sink);
    }
    let start = time.zip(elapsed).map(|(time, elapsed)| time.saturating_sub(elapsed));
    let Some(series) = series(table, record, run, start, sink) else { return };
    sink.data.samples.push(Sample { series, line: table.line, time: at, value });
}

/// Where the first sample's interval began: what elapsed is counted from there.
fn note_start(run: Option<u32>, start: i64, sink: &mut Sink<'_>) {
    match run.and_then(|run| sink.data.runs.get_mut(run as usize)) {
        Some(run) => {
            run.started.get_or_insert(start);
        }
        None => {
            sink.data.samples_start.get_or_insert(start);
        }
    }
}

/// Seconds as microseconds; `None` where they are no number, or beyond what can be counted.
fn to_micros(text: &str) -> Option<i64> {
    let micros = text.parse::<f64>().ok()? * 1e6;
    (micros.abs() < 9e18).then(|| micros.round() as i64)
}

fn series(
    table: &mut Table,
    record: &StringRecord,
    run: Option<u32>,
    start: Option<i64>,
    sink: &mut Sink<'_>,
) -> Option<u32> {
    let dated = table.text(record, "time").is_some();
    let log = table.log(record);
    let text = |name: &str| table.text(record, name).unwrap_or("").to_owned();
    let cells = ["run", "process", "pid", "command", "metric", "unit"].map(text);
    let known = (log, dated, cells);
    if let Some(series) = table.series.get(&known) {
        return Some(*series);
    }
    let unit = table.unit(record, sink)?;
    let series = Series {
        run,
        process: process(table.text(record, "process")),
        pid: table.integer(record, "pid", sink),
        command: table.text(record, "command").map(str::to_owned),
        metric: text("metric"),
        unit,
        clock: if dated { Clock::Utc } else { Clock::Elapsed },
        quality: Quality::MEASURED,
    };
    let index = u32::try_from(sink.data.series.len()).ok()?;
    sink.data.series.push(series);
    sink.data.series_logs.push(SeriesLog { log, start: if dated { start } else { Some(0) } });
    table.series.insert(known, index);
    Some(index)
}

fn request_row(table: &mut Table, record: &StringRecord, sink: &mut Sink<'_>) {
    let Some(action) = table.text(record, "action") else {
        sink.not_understood(table.line, 1, "a row without an action", "", "the action's word");
        return;
    };
    let (log, run) = (table.log(record), table.run(record, sink));
    let (gap_before, gap_after) =
        (table.seconds(record, "gap_before", sink), table.seconds(record, "gap_after", sink));
    let row = Request {
        line: table.line,
        offset: table.offset,
        time: table.time(record, "time", sink),
        pid: table.integer(record, "pid", sink),
        host: table.text(record, "host"),
        user: table.text(record, "user"),
        repository: table.text(record, "repository"),
        action,
        path: table.text(record, "path"),
        revision: table.integer(record, "revision", sink),
        duration: table.number(record, "duration", sink),
        bytes_in: table.integer(record, "bytes_in", sink),
        bytes_out: table.integer(record, "bytes_out", sink),
        status: table.integer(record, "status", sink),
        error: table.text(record, "error"),
        quality: table.quality(record, sink),
    };
    sink.data.requests.push(&row);
    let at = sink.data.requests.len() - 1;
    let runs = &mut sink.data.request_runs;
    if runs.last().map_or(run.is_some(), |last| last.1 != run) {
        // Rows ahead of the first run are of none.
        if runs.is_empty() && at > 0 {
            runs.push((0, None));
        }
        runs.push((u32::try_from(at).unwrap_or(u32::MAX), run));
    }
    let goes_on = gap_after.is_some() || !table.has("gap_after");
    table.gaps.row(log, at, (gap_before, goes_on), &mut sink.data.requests);
}

/// Where the arguments of exported requests stand.
pub struct ArgumentsColumn(Option<usize>);

impl ArgumentsColumn {
    /// By the first bytes of a source; `None` where it is no such file.
    pub fn of(head: &[u8]) -> Option<Self> {
        if !head.starts_with(HEAD.as_bytes()) {
            return None;
        }
        let mut reader = ReaderBuilder::new().flexible(true).from_reader(head);
        let place = |header: &StringRecord| header.iter().position(|name| name.trim() == "arguments");
        Some(Self(place(reader.headers().ok()?)))
    }

    /// The arguments of the record at the head of these bytes as they were exported, empty where it has
    /// none.
    pub fn read(&self, bytes: &[u8]) -> Option<String> {
        let mut reader = ReaderBuilder::new().has_headers(false).from_reader(bytes);
        let mut record = StringRecord::new();
        reader.read_record(&mut record).ok().filter(|found| *found)?;
        let text = self.0.and_then(|column| record.get(column));
        Some(text.filter(|text| text.starts_with('{')).unwrap_or("").to_owned())
    }
}

#[cfg(test)]
mod tests;
