//! pidstat of sysstat, as text: CPU, memory and disk of processes over time.
//!
//! Nearly everything varies with options and locale, so nothing is taken for granted but this: a row
//! has the columns of the last header, and `Command`, which may hold blanks, is the last of them.
//! Every table of every interval repeats its header. mpstat, iostat and sar write the same banner;
//! their headers have no `PID` and no `Command`, and they are not claimed.

mod columns;

use crate::format::LineFormat;
use crate::formats::sysstat::banner::Banner;
use crate::formats::sysstat::clock::{self, BlockClock, Moment};
use crate::formats::sysstat::is_average;
use crate::formats::sysstat::record::note_start;
use crate::formats::sysstat::table::{bad_row, cut};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use columns::{Column, Id, Role};
use std::collections::HashMap;
use triptych_model::{
    Cancelled, FormatSpec, Problem, ProblemKind, Process, Quality, ReadOptions, Sample, Series, Severity,
    Unit,
};

/// The reader of pidstat text.
pub struct Pidstat;

const SPEC: FormatSpec = FormatSpec {
    id: "pidstat",
    title: "pidstat",
    help: "CPU, memory and disk of processes over time, text of sysstat's pidstat in any locale",
    extensions: &["txt", "log"],
    samples: "pidstat",
};

/// How many lines behind a strange line still show whether the block goes on.
const LOOK_AHEAD: usize = 8;

/// How many lines above a header its banner is looked for.
const LOOK_BACK: usize = 20_000;

impl LineFormat for Pidstat {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'L' => Signs::ALWAYS,
            _ => const { Signs::any_of(&["ID"]) },
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let banner = Banner::at(lines, at);
        // Every line of every log comes by here.
        if banner.is_none() && !is_header(first.text) {
            return Ok(None);
        }
        let start = if banner.is_some() { at + 1 } else { at };
        let next = lines.starting_at(start).find(|(_, line)| !line.is_blank());
        let starts_here = match (&next, &banner) {
            // A banner with nothing behind it: pidstat ended within its first interval.
            (None, banner) => banner.is_some(),
            (Some((_, line)), Some(_)) => is_header(line.text) || Banner::parse(line.text).is_some(),
            // Others, such as collectl, have like headers; without the banner all columns must be known.
            (Some((index, line)), None) => {
                *index == at && is_header(line.text) && has_known_columns(line.text)
            }
        };
        if !starts_here {
            return Ok(None);
        }
        let banner = banner.or_else(|| banner_above(lines, at));
        let mut block = Block::new(banner, first.number, sink);
        let end = block.read(lines, start, sink)?;
        block.finish(sink);
        Ok(Some(end))
    }
}

/// The banner of a block that was interrupted: with `-e` the output of the program stands between.
fn banner_above(lines: &Lines<'_>, at: usize) -> Option<Banner> {
    let first = at.saturating_sub(LOOK_BACK);
    (first..at).rev().find_map(|index| Banner::parse(lines.get(index)?.text))
}

/// Whether a line names columns, among them a process id and, last, the command.
fn is_header(text: &str) -> bool {
    let text = text.trim();
    if !text.ends_with("Command") {
        return false;
    }
    let lead = text.starts_with('#')
        || text
            .split_whitespace()
            .next()
            .is_some_and(|word| clock::looks_like_time(word) || word.ends_with(':'));
    lead && text.split_whitespace().any(|word| word == "PID" || word == "TGID")
}

fn has_known_columns(header: &str) -> bool {
    let (_, names) = clock::split_time(header.trim_start().trim_start_matches('#'));
    names.is_some_and(|names| names.split_whitespace().all(columns::is_known))
}

fn is_row(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(clock::looks_like_time)
}

/// The series of one process or thread.
struct Known {
    command: String,
    thread: bool,
    series: Vec<(String, u32)>,
}

/// One run of pidstat: from its banner to the next one.
struct Block {
    first_line: u32,
    cpus: Option<u32>,
    clock: BlockClock,
    columns: Vec<Column>,
    known: HashMap<u32, Vec<Known>>,
    rows: u64,
    denied: bool,
    divided: bool,
    /// Whether an earlier block of the file already told of the zone.
    zone_told: bool,
}

impl Block {
    fn new(banner: Option<Banner>, first_line: u32, sink: &mut Sink<'_>) -> Self {
        let cpus = banner.as_ref().and_then(|banner| banner.cpus);
        let date = banner.and_then(|banner| banner.date(first_line, sink));
        let clock = BlockClock::new(date, sink.options.zone_offset_secs);
        let mut known: HashMap<u32, Vec<Known>> = HashMap::new();
        for (index, series) in (0_u32..).zip(&sink.data.series) {
            let (Some(pid), Some(command)) = (series.pid, &series.command) else { continue };
            if series.clock == clock.kind() {
                let thread = series.metric.starts_with(columns::THREAD);
                remember(known.entry(pid).or_default(), command, thread)
                    .series
                    .push((series.metric.clone(), index));
            }
        }
        let zone_told = sink.data.series.iter().any(|series| series.quality.has(Quality::ZONE_ASSUMED));
        Self {
            first_line,
            cpus,
            clock,
            columns: Vec::new(),
            known,
            rows: 0,
            denied: false,
            divided: false,
            zone_told,
        }
    }

    /// Reads lines up to the end of the block and returns the index behind it.
    fn read(&mut self, lines: &Lines<'_>, start: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
        let mut end = start;
        for (index, line) in lines.starting_at(start) {
            sink.check_at(index - start, line.offset)?;
            if line.is_blank() {
                continue;
            }
            if is_header(line.text) {
                self.header(line.text, sink);
            } else if is_row(line.text) {
                self.row(&line, sink);
            } else if !is_average(line.text) {
                if Banner::parse(line.text).is_some() || !goes_on(lines, index + 1) {
                    break;
                }
                self.strange(&line, sink);
            }
            end = index + 1;
        }
        Ok(end)
    }

    /// With `-e` the output of the program stands between; a row that lost its time is mostly figures.
    fn strange(&self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let figures =
            line.text.split_whitespace().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        if figures.count() * 2 > self.columns.len().max(4) {
            sink.not_understood(line.number, 1, "no row of pidstat", line.text, "a time, or a header");
        } else {
            sink.outside(line, true);
        }
    }

    fn header(&mut self, text: &str, sink: &mut Sink<'_>) {
        let (time, names) = clock::split_time(text.trim_start().trim_start_matches('#').trim_start());
        self.columns = columns::parse(names.unwrap_or(text));
        if let Some(time) = time
            && self.rows == 0
        {
            let start = self.clock.moment(time);
            note_start(sink, start.map(|moment| moment.micros));
        }
    }

    fn row(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let (time, rest) = clock::split_time(line.text);
        let moment = time.and_then(|time| self.clock.moment(time));
        let (Some(moment), Some(rest)) = (moment, rest) else {
            sink.not_understood(line.number, 1, "unreadable time", line.text, "a time such as 08:06:39");
            return;
        };
        match self.cells(line.text, rest) {
            Some(row) => self.add(&row, line, moment, sink),
            None => bad_row(line, self.columns.len(), sink),
        }
    }

    /// Splits a row by the columns of its header; `None` where it has too few.
    fn cells<'t>(&self, text: &'t str, rest: &'t str) -> Option<Row<'t>> {
        let mut row =
            Row { pid: None, tid: None, command: "", values: Vec::with_capacity(self.columns.len()) };
        let mut rest = rest;
        for (index, column) in self.columns.iter().enumerate() {
            rest = rest.trim_start();
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (cell, behind) = rest.split_at_checked(end)?;
            match column.role {
                Role::Command => {
                    row.command = rest.trim_end();
                    return (!row.command.is_empty()).then_some(row);
                }
                Role::Id(Id::Process) => row.pid = cell.parse().ok(),
                Role::Id(Id::Thread) => row.tid = cell.parse().ok(),
                Role::Ignored => {}
                Role::Value => row.values.push((index, cell, text.len() - rest.len())),
            }
            rest = behind;
        }
        None
    }

    fn add(&mut self, row: &Row<'_>, line: &Line<'_>, moment: Moment, sink: &mut Sink<'_>) {
        let thread = row.pid.is_none();
        let Some(pid) = row.pid.or(row.tid) else {
            bad_row(line, self.columns.len(), sink);
            return;
        };
        self.rows += 1;
        self.clock.saw(moment);
        let command = self.whole_command(pid, row.command.trim_start_matches("|__"), line, sink);
        let values = self.values(row, line, sink);
        for (index, value) in values {
            let Some(column) = self.columns.get(index) else { continue };
            let metric = column.metric(thread);
            let series = self.series(pid, &command, thread, &metric, column.unit, moment, sink);
            sink.data.samples.push(Sample { series, line: line.number, time: moment.micros, value });
        }
    }

    /// The command, mended where the row is the last of a log that was cut within the name.
    fn whole_command(&self, pid: u32, command: &str, line: &Line<'_>, sink: &mut Sink<'_>) -> String {
        let at_end = line.is_open;
        let longer = self
            .known
            .get(&pid)
            .into_iter()
            .flatten()
            .find(|known| known.command.len() > command.len() && known.command.starts_with(command));
        match longer {
            Some(known) if at_end => {
                cut(line, sink);
                known.command.clone()
            }
            _ => command.to_owned(),
        }
    }

    /// The readable values of a row by column, in base units.
    fn values(&mut self, row: &Row<'_>, line: &Line<'_>, sink: &mut Sink<'_>) -> Vec<(usize, f64)> {
        let mut values = Vec::with_capacity(row.values.len());
        for (index, cell, at) in &row.values {
            let Some(column) = self.columns.get(*index) else { continue };
            match column.value(cell) {
                Ok(Some(value)) => values.push((*index, value)),
                Ok(None) => self.absent(cell, line, sink),
                Err(expected) => {
                    let before = line.text.get(..*at).unwrap_or("").chars().count();
                    let place = u32::try_from(before + 1).unwrap_or(u32::MAX);
                    let message = format!("unreadable value of {}", column.name);
                    sink.not_understood(line.number, place, &message, cell, expected);
                }
            }
        }
        self.undivide(&mut values, line, sink);
        values
    }

    /// pidstat prints -1 where it may not look; said once.
    fn absent(&mut self, cell: &str, line: &Line<'_>, sink: &mut Sink<'_>) {
        if cell.starts_with('-') && cell.len() > 1 && !self.denied {
            self.denied = true;
            let path = sink.data.path.clone();
            sink.problem(
                Problem::new(
                    Severity::Warning,
                    ProblemKind::Other,
                    path,
                    "pidstat was not permitted to see some figures; they are left out",
                )
                .at_line(line.number)
                .found(cell)
                .next_step("start pidstat as root to have the disk figures of other users' processes"),
            );
        }
    }

    /// With `-I` pidstat divides `%CPU`, and only that, by the number of processors.
    fn undivide(&mut self, values: &mut [(usize, f64)], line: &Line<'_>, sink: &mut Sink<'_>) {
        let Some(cpus) = self.cpus.filter(|cpus| *cpus > 1).map(f64::from) else { return };
        let metric = |index: usize| self.columns.get(index).map_or("", |column| column.base.as_str());
        let parts = ["cpu_user", "cpu_sys", "cpu_guest"];
        let sum: f64 =
            values.iter().filter(|(index, _)| parts.contains(&metric(*index))).map(|(_, value)| value).sum();
        let Some((_, cpu)) = values.iter_mut().find(|(index, _)| metric(*index) == "cpu") else { return };
        let differs = sum > 2.0 && (*cpu - sum).abs() > 0.05 * sum + 0.5;
        if differs && (*cpu * cpus - sum).abs() <= 0.05 * sum + 0.1 * cpus {
            *cpu *= cpus;
            if !self.divided {
                self.divided = true;
                let message = format!("%CPU was divided by {cpus} processors (-I); here 100 % is one core");
                let path = sink.data.path.clone();
                sink.problem(
                    Problem::new(Severity::Note, ProblemKind::Other, path, message).at_line(line.number),
                );
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the facts that make a series are just so many")]
    fn series(
        &mut self,
        pid: u32,
        command: &str,
        thread: bool,
        metric: &str,
        unit: Unit,
        moment: Moment,
        sink: &mut Sink<'_>,
    ) -> u32 {
        let known = remember(self.known.entry(pid).or_default(), command, thread);
        if let Some((_, index)) = known.series.iter().find(|(name, _)| name == metric) {
            return *index;
        }
        let index = u32::try_from(sink.data.series.len()).unwrap_or(u32::MAX);
        let zone = if moment.zone_assumed { Quality::ZONE_ASSUMED } else { Quality::NONE };
        sink.data.series.push(Series {
            run: None,
            process: Process::from_command(command),
            pid: Some(pid),
            command: Some(command.to_owned()),
            metric: metric.to_owned(),
            unit,
            clock: moment.clock,
            quality: Quality::MEASURED.with(zone),
        });
        known.series.push((metric.to_owned(), index));
        index
    }

    fn finish(self, sink: &mut Sink<'_>) {
        let path = sink.data.path.clone();
        if self.rows == 0 {
            sink.problem(
                Problem::new(
                    Severity::Note,
                    ProblemKind::NoSamples,
                    path,
                    "a header and no sample: the run was shorter than one interval",
                )
                .at_line(self.first_line),
            );
            return;
        }
        note_start(sink, self.clock.guessed_start());
        if let Some(message) = self.clock.zone_note().filter(|_| !self.zone_told) {
            sink.problem(
                Problem::new(Severity::Note, ProblemKind::ZoneAssumed, path, message)
                    .at_line(self.first_line),
            );
        }
    }
}

/// A row split by its header.
struct Row<'t> {
    pid: Option<u32>,
    tid: Option<u32>,
    command: &'t str,
    /// Column, cell and the cell's place in the line, in bytes.
    values: Vec<(usize, &'t str, usize)>,
}

fn remember<'k>(all: &'k mut Vec<Known>, command: &str, thread: bool) -> &'k mut Known {
    let position = all.iter().position(|known| known.thread == thread && known.command == command);
    let position = position.unwrap_or_else(|| {
        all.push(Known { command: command.to_owned(), thread, series: Vec::new() });
        all.len() - 1
    });
    &mut all[position]
}

/// Whether rows or headers follow within a few lines, before another banner.
fn goes_on(lines: &Lines<'_>, from: usize) -> bool {
    lines.starting_at(from).take(LOOK_AHEAD).take_while(|(_, line)| Banner::parse(line.text).is_none()).any(
        |(_, line)| is_header(line.text) || (is_row(line.text) && line.text.split_whitespace().count() > 3),
    )
}

#[cfg(test)]
mod tests;
