//! suite1's `benchmark.db`, read by SQLite from memory: no file is made, and none is written to.
//!
//! A timing is a run. `TOTAL RUN`, the whole of a suite's run, is an operation of its own and summed
//! into nothing. Times are local and name no zone. Only a row's number in the table `timings` can
//! stand for its line.

use super::label::{Label, tell_revisions_apart};
use super::transcript::TOTAL;
use crate::formats::sysstat::zone::Zone;
use crate::sink::{Sink, measured, set_content};
use jiff::civil::DateTime;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::collections::BTreeMap;
use std::io::Read;
use triptych_model::{Cancelled, Key, Problem, ProblemKind, Process, Quality, RunRow, Severity, Unit};

/// What an SQLite file begins with.
pub const MAGIC: &[u8] = b"SQLite format 3\0";

/// Where the header says how the file is written and read; 2 is a write-ahead log, which needs a file beside it.
const JOURNAL_MODE: usize = 18;

const TABLES: [&str; 4] = ["batch", "run_kind", "run", "timings"];

/// One run of the suite.
struct SuiteRun {
    row: RunRow,
    started: Option<String>,
    aborted: Option<i64>,
    ended: bool,
    timings: u64,
}

/// Reads the database.
pub fn read(bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
    let connection = match open(bytes) {
        Ok(connection) => connection,
        Err(error) => {
            refuse(sink, &error);
            return Ok(());
        }
    };
    match tables(&connection) {
        Ok(found) if TABLES.iter().all(|table| found.iter().any(|known| known == table)) => {}
        Ok(_) => {
            pass_over(sink);
            return Ok(());
        }
        Err(error) => {
            refuse(sink, &error);
            return Ok(());
        }
    }
    let mut runs = match suite_runs(&connection) {
        Ok(runs) => runs,
        Err(error) => {
            refuse(sink, &error);
            return Ok(());
        }
    };
    let end = timings(&connection, &mut runs, sink)?;
    unfinished(&runs, sink);
    if let Some(error) = end {
        if sink.data.runs.is_empty() {
            refuse(sink, &error);
        } else {
            let line = u32::try_from(sink.data.lines).unwrap_or(u32::MAX);
            let message = format!("the database is damaged and ends early: {error}");
            sink.cut(line, &message, "a whole benchmark.db of Subversion's suite1");
        }
    }
    tell_revisions_apart(&mut sink.data.runs);
    Ok(())
}

/// A copy of the bytes as a database that cannot be written to.
fn open(bytes: &[u8]) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open_in_memory()?;
    let (head, rest) = bytes.split_at_checked(JOURNAL_MODE).unwrap_or((bytes, &[]));
    let (mode, tail) = rest.split_at_checked(2).unwrap_or((rest, &[]));
    let plain: &[u8] = if mode == [2, 2] { &[1, 1] } else { mode };
    connection.deserialize_read_exact("main", head.chain(plain).chain(tail), bytes.len(), true)?;
    connection.execute_batch(
        "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;",
    )?;
    Ok(connection)
}

/// Tables, not views: a view could be a query of any length.
fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'";
    let mut statement = connection.prepare(sql)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    names.collect()
}

fn refuse(sink: &mut Sink<'_>, error: &rusqlite::Error) {
    let path = sink.data.path.clone();
    let problem = Problem::new(
        Severity::Error,
        ProblemKind::Malformed,
        path,
        format!("an SQLite database that cannot be read: {error}"),
    );
    sink.data.error = Some(
        problem
            .expected("benchmark.db of Subversion's suite1")
            .next_step("copy the database again while nothing writes to it"),
    );
}

/// A database of another program is no fault.
fn pass_over(sink: &mut Sink<'_>) {
    let reason =
        format!("no format claims it: an SQLite database without suite1's tables {}", TABLES.join(", "));
    let path = sink.data.path.clone();
    sink.problem(Problem::new(Severity::Note, ProblemKind::Foreign, path, reason.as_str()));
    sink.data.skipped = Some(reason);
}

/// The text of a value, also where a number was stored.
fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

fn integer(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Text(_) => text(value)?.parse().ok(),
        _ => None,
    }
}

/// The suite's runs by their number, with what their kind says.
fn suite_runs(connection: &Connection) -> rusqlite::Result<BTreeMap<i64, SuiteRun>> {
    let sql = "SELECT r.run_id, r.batch_id, r.started, r.ended, r.aborted,
                      k.branch, k.revision, k.wc_levels, k.wc_spread, b.started
               FROM run r LEFT JOIN run_kind k ON k.run_kind_id = r.run_kind_id
                          LEFT JOIN batch b ON b.batch_id = r.batch_id
               ORDER BY r.run_id";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut runs = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let text = |index: usize| row.get_ref(index).map(text);
        let integer = |index: usize| row.get_ref(index).map(integer);
        let Some(id) = integer(0)? else { continue };
        let shape = match (integer(7)?, integer(8)?) {
            (Some(levels), Some(spread)) => format!("{levels}x{spread}"),
            (Some(levels), None) => levels.to_string(),
            (None, Some(spread)) => format!("x{spread}"),
            (None, None) => String::new(),
        };
        let label =
            Label { branch: text(5)?.unwrap_or_default(), revision: text(6)?.unwrap_or_default(), shape };
        let mut run = RunRow::default();
        label.describe(&mut run);
        run.settings.insert("suite_run".to_owned(), id.into());
        for (name, value) in [("batch", text(1)?), ("batch_started", text(9)?), ("run_started", text(2)?)] {
            if let Some(value) = value {
                run.settings.insert(name.to_owned(), value.into());
            }
        }
        let (started, ended, aborted) = (text(2)?, text(3)?.is_some(), integer(4)?);
        runs.insert(id, SuiteRun { row: run, started, aborted, ended, timings: 0 });
    }
    Ok(runs)
}

/// Why a run of the suite counts for nothing, if it does: `benchmark.py` itself takes `aborted = 0` alone.
fn failure(run: &SuiteRun) -> Option<&'static str> {
    match run.aborted {
        Some(0) => None,
        Some(_) => Some("the run was aborted"),
        None if run.ended => Some("the run does not say whether it was aborted"),
        None => Some("the run has no end: it crashed or was killed"),
    }
}

/// Writes all timings; returns why the table could not be read to its end.
fn timings(
    connection: &Connection,
    runs: &mut BTreeMap<i64, SuiteRun>,
    sink: &mut Sink<'_>,
) -> Result<Option<rusqlite::Error>, Cancelled> {
    let sql = "SELECT rowid, run_id, command, sequence, timing FROM timings ORDER BY rowid";
    let mut statement = match connection.prepare(sql) {
        Ok(statement) => statement,
        Err(error) => return Ok(Some(error)),
    };
    let mut rows = match statement.query([]) {
        Ok(rows) => rows,
        Err(error) => return Ok(Some(error)),
    };
    let mut writer = Writer::new(sink);
    let mut count = 0_u64;
    loop {
        let row = match rows.next() {
            Ok(Some(row)) => row,
            Ok(None) => break,
            Err(error) => return Ok(Some(error)),
        };
        count += 1;
        if count.is_multiple_of(4096) {
            writer.sink.check(0)?;
        }
        if let Err(error) = writer.timing(row, runs) {
            return Ok(Some(error));
        }
    }
    writer.finish();
    Ok(None)
}

struct Writer<'s, 'p> {
    sink: &'s mut Sink<'p>,
    zone: Zone,
    /// How often a cell was seen: variant, build, shape and operation.
    seen: BTreeMap<String, u64>,
}

impl<'s, 'p> Writer<'s, 'p> {
    fn new(sink: &'s mut Sink<'p>) -> Self {
        let zone = Zone::new(sink.options.zone_offset_secs);
        sink.data.lines = 0;
        Self { sink, zone, seen: BTreeMap::new() }
    }

    fn timing(
        &mut self,
        row: &rusqlite::Row<'_>,
        runs: &mut BTreeMap<i64, SuiteRun>,
    ) -> rusqlite::Result<()> {
        let line = integer(row.get_ref(0)?).and_then(|row| u32::try_from(row).ok()).unwrap_or(u32::MAX);
        self.sink.data.lines = self.sink.data.lines.max(u64::from(line));
        let owner = integer(row.get_ref(1)?).and_then(|id| runs.get_mut(&id));
        let (Some(suite), Some(command)) = (owner, text(row.get_ref(2)?)) else {
            let found = format!("run {}", text(row.get_ref(1)?).unwrap_or_default());
            self.sink.not_understood(
                line,
                1,
                "a timing of no known run or command",
                &found,
                "a run of the table run",
            );
            return Ok(());
        };
        suite.timings += 1;
        let mut run = RunRow { line, ..suite.row.clone() };
        set_content(&mut run, Key::Operation, &command);
        if let Some(sequence) = integer(row.get_ref(3)?) {
            run.settings.insert("sequence".to_owned(), sequence.into());
        }
        if let Some(failure) = failure(suite) {
            run.quality = run.quality.with(Quality::FAILED);
            run.failure = Some(failure.to_owned());
        }
        if command == TOTAL {
            self.start(&mut run, suite.started.as_deref());
        }
        let of = |key| run.content.get(key).unwrap_or_default();
        let cell = [Key::Variant, Key::Build, Key::Repository, Key::Operation].map(of).join("\n");
        let count = self.seen.entry(cell).or_insert(0);
        *count += 1;
        run.content.set(Key::Repetition, count.to_string());
        let run = self.sink.run(run);
        self.value(run, line, row.get_ref(4)?);
        Ok(())
    }

    /// A command's own start is not on record, that of the whole run is.
    fn start(&mut self, run: &mut RunRow, started: Option<&str>) {
        let Some(local) = started.and_then(|text| text.parse::<DateTime>().ok()) else { return };
        let time = local.time();
        let secs = i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second());
        if let Some(moment) = self.zone.moment(local.date(), secs, None) {
            run.started = Some(moment.micros);
            run.quality = run.quality.with(Quality::ZONE_ASSUMED);
        }
    }

    fn value(&mut self, run: u32, line: u32, value: ValueRef<'_>) {
        let raw = text(value).unwrap_or_else(|| "NULL".to_owned());
        let number = match value {
            ValueRef::Real(number) => Some(number),
            _ => raw.parse::<f64>().ok(),
        };
        let number = number.filter(|number| number.is_finite());
        let mut row = measured(run, (line, 0), Process::Client, "real", Unit::Secs, number, &raw);
        if number.is_none() {
            row.quality = row.quality.with(Quality::MALFORMED);
            self.sink.not_understood(line, 1, "unreadable timing", &raw, "seconds");
        }
        self.sink.measure(row);
    }

    fn finish(self) {
        if let Some(message) = self.zone.note() {
            let path = self.sink.data.path.clone();
            self.sink.problem(Problem::new(Severity::Note, ProblemKind::ZoneAssumed, path, message));
        }
    }
}

/// Runs that left no timing at all, because they crashed before they wrote any.
fn unfinished(runs: &BTreeMap<i64, SuiteRun>, sink: &mut Sink<'_>) {
    for run in runs.values().filter(|run| run.timings == 0) {
        let mut row = run.row.clone();
        set_content(&mut row, Key::Operation, TOTAL);
        row.quality = row.quality.with(Quality::FAILED);
        row.failure = Some(failure(run).unwrap_or("the run left no timing").to_owned());
        sink.run(row);
    }
}
