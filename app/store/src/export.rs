//! The frames as CSV for other programs: the columns and their order are a promise to users' scripts.
//!
//! RFC 4180 with line feeds; an empty cell is null; numbers in the shortest form that reads back.

use crate::reread::{self, Text};
use crate::resolve::{Resolved, RunEntry};
use crate::{RunIndex, Source};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use triptych_model::{Clock, Importer, Key, Problem, ProblemKind, Quality, Requests, Severity, Timestamp};

/// What `import -o` can write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFrame {
    /// Values joined with their runs.
    #[default]
    Measurements,
    /// Samples joined with their series.
    Samples,
    /// The server's operation log.
    Requests,
}

impl ExportFrame {
    /// All frames in the order of help.
    pub const ALL: [Self; 3] = [Self::Measurements, Self::Samples, Self::Requests];

    /// The name in `--frame`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measurements => "measurements",
            Self::Samples => "samples",
            Self::Requests => "requests",
        }
    }

    /// The frame of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|frame| frame.name() == name)
    }

    /// The columns in order.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Measurements => &[
                "source",
                "line",
                "run",
                "campaign",
                "host",
                "operation",
                "command",
                "repository",
                "variant",
                "format",
                "medium",
                "cache",
                "network",
                "threads",
                "repetition",
                "started",
                "exit",
                "process",
                "metric",
                "value",
                "value_high",
                "unit",
                "executions",
                "quality",
                "raw",
            ],
            Self::Samples => &[
                "source",
                "line",
                "run",
                "time",
                "elapsed_secs",
                "process",
                "pid",
                "command",
                "metric",
                "value",
                "unit",
            ],
            Self::Requests => &[
                "source",
                "line",
                "run",
                "time",
                "pid",
                "host",
                "user",
                "repository",
                "action",
                "path",
                "revision",
                "arguments",
                "gap_before",
                "gap_after",
                "duration",
                "bytes_in",
                "bytes_out",
                "status",
                "error",
                "quality",
            ],
        }
    }
}

/// The conditions among the columns of measurements.
const EXPORTED: [Key; 12] = [
    Key::Campaign,
    Key::Host,
    Key::Operation,
    Key::Command,
    Key::Repository,
    Key::Variant,
    Key::Format,
    Key::Medium,
    Key::Cache,
    Key::Network,
    Key::Threads,
    Key::Repetition,
];

/// Writes one frame with its header.
pub(crate) fn export(
    sources: &[Source],
    resolved: &Resolved,
    importer: &dyn Importer,
    frame: ExportFrame,
    out: &mut dyn Write,
) -> io::Result<Vec<Problem>> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    writeln!(out, "{}", frame.columns().join(","))?;
    let mut problems = Vec::new();
    match frame {
        ExportFrame::Measurements => measurements(sources, resolved, &mut out)?,
        ExportFrame::Samples => samples(sources, resolved, &mut out)?,
        ExportFrame::Requests => requests(sources, resolved, importer, &mut out, &mut problems)?,
    }
    out.flush()?;
    Ok(problems)
}

/// One line in the making.
#[derive(Default)]
struct Record {
    line: String,
    cells: usize,
}

impl Record {
    fn separator(&mut self) {
        if self.cells > 0 {
            self.line.push(',');
        }
        self.cells += 1;
    }

    fn text(&mut self, text: &str) {
        self.separator();
        quote(text, &mut self.line);
    }

    /// A number or a word of ours that never needs quotes; `None` is null.
    fn plain(&mut self, value: Option<impl std::fmt::Display>) {
        self.separator();
        if let Some(value) = value {
            // Writing to a string cannot fail.
            write!(self.line, "{value}").ok();
        }
    }

    fn float(&mut self, value: f64) {
        self.plain(Some(value).filter(|value| value.is_finite()));
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.line.push('\n');
        out.write_all(self.line.as_bytes())?;
        self.line.clear();
        self.cells = 0;
        Ok(())
    }
}

fn quote(text: &str, out: &mut String) {
    if text.contains([',', '"', '\n', '\r']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}

fn id(resolved: &Resolved, run: Option<RunIndex>) -> &str {
    run.and_then(|run| resolved.run(run)).map_or("", |entry| &entry.id)
}

fn measurements(sources: &[Source], resolved: &Resolved, out: &mut dyn Write) -> io::Result<()> {
    let mut record = Record::default();
    for row in &resolved.rows {
        let Some(measurement) = resolved.measurement(sources, row) else { continue };
        let Some(run) = resolved.run(row.run) else { continue };
        record.text(sources.get(row.source as usize).map_or("", Source::path));
        record.plain(Some(measurement.line));
        record.text(&run.id);
        conditions(sources, resolved, run, &mut record);
        record.text(resolved.text(row.process));
        record.text(resolved.text(row.metric));
        record.float(measurement.value.unwrap_or(f64::NAN));
        record.float(measurement.value_high.unwrap_or(f64::NAN));
        record.plain(Some(measurement.unit));
        record.plain(measurement.executions);
        record.plain(Some(measurement.quality.with(run.quality)));
        record.text(&measurement.raw);
        record.end(out)?;
    }
    Ok(())
}

fn conditions(sources: &[Source], resolved: &Resolved, run: &RunEntry, record: &mut Record) {
    for key in EXPORTED {
        record.text(resolved.text(run.value(key)));
    }
    let row = run.row(sources);
    record.plain(row.and_then(|row| row.started).map(Timestamp));
    record.plain(row.and_then(|row| row.exit));
}

fn samples(sources: &[Source], resolved: &Resolved, out: &mut dyn Write) -> io::Result<()> {
    let mut record = Record::default();
    for (number, source) in sources.iter().enumerate() {
        let data = &source.data;
        let first = data.samples.first().map_or(0, |sample| sample.time);
        let starts: Vec<i64> = data
            .series
            .iter()
            .enumerate()
            .map(|(index, series)| match series.clock {
                Clock::Utc => crate::cpu::series_start(data, index).unwrap_or(first),
                Clock::Elapsed => 0,
            })
            .collect();
        let roles: Vec<String> = data.series.iter().map(|series| series.process.to_string()).collect();
        for (at, sample) in data.samples.iter().enumerate() {
            let index = sample.series as usize;
            let (Some(series), Some(role)) = (data.series.get(index), roles.get(index)) else { continue };
            let time = (series.clock == Clock::Utc).then_some(Timestamp(sample.time));
            let zero = starts.get(index).copied().unwrap_or(0);
            record.text(source.path());
            record.plain(Some(sample.line));
            record.text(id(resolved, resolved.run_of_sample(number, sample.series, at)));
            record.plain(time);
            record.float(crate::cpu::micros_to_secs(sample.time.saturating_sub(zero)));
            record.text(role);
            record.plain(series.pid);
            record.text(series.command.as_deref().unwrap_or(""));
            record.text(&series.metric);
            record.float(sample.value);
            record.plain(Some(series.unit));
            record.end(out)?;
        }
    }
    Ok(())
}

fn requests(
    sources: &[Source],
    resolved: &Resolved,
    importer: &dyn Importer,
    out: &mut dyn Write,
    problems: &mut Vec<Problem>,
) -> io::Result<()> {
    let mut record = Record::default();
    for (source, joined) in sources.iter().zip(&resolved.requests) {
        let requests = &source.data.requests;
        if requests.is_empty() {
            continue;
        }
        // The arguments are not kept: they are made of the lines again.
        let mut text = match reread::unchanged(source) {
            Ok(text) => Some(text),
            Err(problem) => {
                problems.extend(problem);
                None
            }
        };
        let head = text.as_mut().map_or_else(Vec::new, Text::head);
        let read = importer.request_arguments(&head, &source.read);
        let mut unread = Unread::default();
        for row in 0..requests.len() {
            let (run, guessed) = joined.of(row);
            let arguments = text.as_mut().and_then(|text| {
                let arguments = text.from(*requests.offsets().get(row)?).and_then(&read);
                unread.look(requests, row, arguments.is_some());
                arguments
            });
            record.text(source.path());
            record.plain(requests.lines().get(row));
            record.text(id(resolved, run));
            let guess = if guessed { Quality::RUN_GUESSED } else { Quality::NONE };
            request(requests, row, arguments.as_deref(), guess, &mut record);
            record.end(out)?;
        }
        problems.extend(unread.problem(source.path()));
    }
    Ok(())
}

/// Requests whose lines, read again, gave no request.
#[derive(Default)]
struct Unread {
    count: u64,
    first: u32,
}

impl Unread {
    /// Cut lines are known to have less than their arguments.
    fn look(&mut self, requests: &Requests, row: usize, is_read: bool) {
        let quality = requests.qualities().get(row).copied().unwrap_or_default();
        if is_read || quality.has(Quality::INCOMPLETE) || quality.has(Quality::MALFORMED) {
            return;
        }
        if self.count == 0 {
            self.first = requests.lines().get(row).copied().unwrap_or(0);
        }
        self.count += 1;
    }

    fn problem(&self, path: &str) -> Option<Problem> {
        let message = format!("the arguments of {} requests could not be read again", self.count);
        let told = Problem::new(Severity::Warning, ProblemKind::Malformed, path, message);
        (self.count > 0).then(|| told.at_line(self.first))
    }
}

/// The cells behind `run`.
fn request(requests: &Requests, row: usize, arguments: Option<&str>, guess: Quality, record: &mut Record) {
    let Some(cells) = requests.row(row) else { return };
    record.plain(cells.time.map(Timestamp));
    record.plain(cells.pid);
    for text in [cells.host, cells.user, cells.repository, Some(cells.action), cells.path] {
        record.text(text.unwrap_or(""));
    }
    record.plain(cells.revision);
    record.text(arguments.unwrap_or(""));
    for value in [requests.gap_before(row), requests.gap_after(row), cells.duration] {
        record.float(value.unwrap_or(f64::NAN));
    }
    for value in [cells.bytes_in, cells.bytes_out, cells.status] {
        record.plain(value);
    }
    record.text(cells.error.unwrap_or(""));
    record.plain(Some(cells.quality.with(guess)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_only_where_they_must_be() {
        for (text, expect) in [
            ("a b", "a b"),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("", ""),
        ] {
            let mut out = String::new();
            quote(text, &mut out);
            assert_eq!(out, expect);
        }
    }

    #[test]
    fn numbers_are_short_and_nulls_empty() {
        let mut record = Record::default();
        for value in [0.1, 1204.354, 2.0, f64::NAN, 1e-7] {
            record.float(value);
        }
        record.plain(None::<i64>);
        record.plain(Some(Timestamp(1_500_000)));
        assert_eq!(record.line, "0.1,1204.354,2,,0.0000001,,1970-01-01T00:00:01.500000Z");
    }
}
