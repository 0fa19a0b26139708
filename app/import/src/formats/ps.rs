//! ps, again and again: what a loop of `date` and `ps -o …` collects of processes.
//!
//! A frame is a time on a line of its own, the names of the columns, and rows; the names may stand there
//! once only. `%CPU` of ps is the mean since the process began and no load of an interval: loads are made
//! of the differences of `TIME`. Without times the growing `ELAPSED` of a process puts frames in order.

mod columns;

use crate::format::LineFormat;
use crate::formats::counters::snapshots::{Counter, CounterSpec, Gauge, Row, Snapshots};
use crate::formats::counters::stamp::Stamps;
use crate::formats::counters::{bad_row, read_while, role_of_path, stamp_above, stands_above, tell_zone};
use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::record::Who;
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use columns::{Cells, Column, Role};
use std::collections::HashMap;
use triptych_model::{Cancelled, FormatSpec, Process, Quality, ReadOptions};

/// The reader of ps.
pub struct Ps;

const SPEC: FormatSpec = FormatSpec {
    id: "ps",
    title: "ps",
    help: "frames of ps with its header, with lines of date between them; loads from TIME, not from %CPU",
    extensions: &["txt", "log"],
    samples: "ps",
};

/// CPU time of a process.
const CPU: CounterSpec = CounterSpec::secs("cpu", "cpu_time");
/// CPU time of a thread, which no sum counts beside its process.
const THREAD_CPU: CounterSpec = CounterSpec::secs("thread_cpu", "thread_cpu_time");

impl LineFormat for Ps {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'0'..=b'9' => const { Signs::any_of(&[":"]).or(Signs::LONG) },
            b'.' => Signs::ALWAYS,
            _ => const { Signs::any_of(&[":", "ID"]) },
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let is_stamp = !begins(first.text);
        if is_stamp && !stands_above(lines, at, begins) {
            return Ok(None);
        }
        let mut block = Block::new(sink);
        if is_stamp && block.stamp(lines, at).is_none() {
            return Ok(None);
        }
        let end = read_while(lines, at, sink, |index, line, sink| block.line(lines, index, *line, sink))?;
        block.finish(first.number, sink);
        Ok(Some(end))
    }
}

/// Whether ps begins here: with its header, or with a row whose columns are known without one.
fn begins(text: &str) -> bool {
    columns::header(text).is_some() || columns::without_header(text).is_some()
}

/// The frames of one source.
struct Block<'l> {
    snapshots: Snapshots<'l>,
    stamps: Stamps,
    /// The time of the open frame.
    now: Option<Moment>,
    columns: Vec<Column>,
    /// The command of each process as last seen.
    commands: HashMap<u32, &'l str>,
    /// Whose rows without a command are.
    nameless: Process,
    zone_told: bool,
}

impl<'l> Block<'l> {
    fn new(sink: &Sink<'_>) -> Self {
        Self {
            snapshots: Snapshots::default(),
            stamps: Stamps::new(sink.options),
            now: None,
            columns: Vec::new(),
            commands: HashMap::new(),
            nameless: role_of_path(&sink.data.path).unwrap_or_else(|| Process::Other("recorded".to_owned())),
            zone_told: sink.data.series.iter().any(|series| series.quality.has(Quality::ZONE_ASSUMED)),
        }
    }

    /// The time on a line of its own; further frames may be without a header.
    fn stamp(&mut self, lines: &Lines<'_>, at: usize) -> Option<Moment> {
        let columns = &self.columns;
        stamp_above(lines, at, &mut self.stamps, |text| {
            begins(text) || (!columns.is_empty() && Cells::split(columns, text).is_some())
        })
    }

    /// Takes a line; `false` where the block ends before it.
    fn line(&mut self, lines: &'l Lines<'_>, index: usize, line: Line<'l>, sink: &mut Sink<'_>) -> bool {
        if let Some(columns) = columns::header(line.text) {
            // Without a time every header begins a frame; else it may be the next page of one.
            if self.now.is_none() {
                self.snapshots.close(None, sink);
            }
            self.columns = columns;
            return true;
        }
        if let Some(now) = self.stamp(lines, index) {
            self.snapshots.close(self.now, sink);
            self.now = Some(now);
            return true;
        }
        if self.columns.is_empty() {
            self.columns = columns::without_header(line.text).unwrap_or_default();
        }
        if let Some(cells) = Cells::split(&self.columns, line.text) {
            // A figure at the very end of the source may be cut.
            if line.is_open && self.columns.last().is_some_and(|column| column.role != Role::Command) {
                bad_row(&line, "a whole row and the end of the line", sink);
            } else {
                self.row(&cells, line, sink);
            }
            return true;
        }
        // An empty frame: nothing of what was asked for ran.
        if let Some(now) = self.stamps.read(line.text) {
            self.snapshots.close(self.now, sink);
            self.now = Some(now);
            return true;
        }
        let follows = lines.starting_at(index + 1).find(|(_, line)| !line.is_blank());
        let goes_on = follows
            .is_some_and(|(_, line)| begins(line.text) || Cells::split(&self.columns, line.text).is_some());
        let is_cut = follows.is_none() && line.text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        if goes_on || is_cut {
            bad_row(&line, &format!("{} columns as in the header", self.columns.len()), sink);
            return true;
        }
        false
    }

    fn row(&mut self, cells: &Cells<'l>, line: Line<'l>, sink: &mut Sink<'_>) {
        let id = cells.thread.or(Some(cells.pid));
        if self.snapshots.shows(id) {
            self.snapshots.close(self.now.take(), sink);
        }
        let mut row = Row {
            who: self.who(cells, &line, sink),
            line,
            age: None,
            born: None,
            counters: Vec::new(),
            gauges: Vec::new(),
        };
        for (column, cell, at) in self
            .columns
            .iter()
            .zip(&cells.values)
            .filter_map(|(column, cell)| Some((column, cell.0?, cell.1)))
        {
            match column.value(cell) {
                Ok(None) => {}
                Ok(Some(value)) => take(column, value, cell, cells.thread.is_some(), &mut row),
                Err(expected) => {
                    let before = line.text.get(..at).unwrap_or("").chars().count();
                    let place = u32::try_from(before + 1).unwrap_or(u32::MAX);
                    let message = format!("unreadable value of {}", column.name);
                    sink.not_understood(line.number, place, &message, cell, expected);
                }
            }
        }
        self.snapshots.push(row);
    }

    /// Whose a row is; a command that the end of the source cut is mended by what is known of its process.
    fn who(&mut self, cells: &Cells<'l>, line: &Line<'l>, sink: &mut Sink<'_>) -> Who {
        let id = cells.thread.unwrap_or(cells.pid);
        let Some(mut command) = cells.command else {
            return Who { process: self.nameless.clone(), pid: Some(id), command: None };
        };
        let longer = |known: &&&str| known.len() > command.len() && known.starts_with(command);
        if let Some(known) = self.commands.get(&id).filter(longer)
            && line.is_open
        {
            sink.cut(line.number, "the last row is cut; the rest was kept", "the whole name of the command");
            command = known;
        }
        self.commands.insert(id, command);
        Who {
            process: Process::from_command(bare(command)),
            pid: Some(id),
            command: Some(command.to_owned()),
        }
    }

    fn finish(mut self, line: u32, sink: &mut Sink<'_>) {
        self.snapshots.close(self.now, sink);
        tell_zone(line, &self.stamps, self.zone_told, sink);
        self.snapshots.finish(
            "ps",
            "print the time before each frame: date +%s.%N; ps -o pid,cputimes,rss,comm …",
            sink,
        );
    }
}

/// The name within `[svn] <defunct>`.
fn bare(command: &str) -> &str {
    let name = command.trim_end_matches("<defunct>").trim_end();
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(command)
}

/// Puts a value to its place; of a thread only its CPU time is its own.
fn take<'l>(column: &Column, value: f64, raw: &'l str, thread: bool, row: &mut Row<'l>) {
    match &column.role {
        Role::Age => row.age = Some(value),
        Role::Cpu => row.counters.push(Counter { spec: if thread { THREAD_CPU } else { CPU }, value, raw }),
        Role::Counter(spec) if !thread => row.counters.push(Counter { spec: *spec, value, raw }),
        Role::Gauge { metric, unit, .. } if !thread => {
            row.gauges.push(Gauge { metric: metric.clone(), unit: *unit, value, raw });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
