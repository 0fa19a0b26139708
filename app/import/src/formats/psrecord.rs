//! psrecord's log: CPU and memory of one process, by seconds since it was begun.
//!
//! One comment names the columns, further rows are aligned numbers; newer versions also write CSV. The
//! log names no process and no date: whose it is may stand in the file's name, and it joins its run by
//! that name alone.

use crate::format::LineFormat;
use crate::formats::counters::{bad_row, role_of_path};
use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::record::{Figure, Recorder, Who, note_start};
use crate::number::{DecimalMark, parse_number};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, Clock, FormatSpec, Process, Quality, ReadOptions, Unit};

/// The reader of psrecord's logs.
pub struct Psrecord;

const SPEC: FormatSpec = FormatSpec {
    id: "psrecord",
    title: "psrecord",
    help: "CPU and memory of one process over time, as psrecord logs them",
    extensions: &["txt", "log"],
    samples: "psrecord",
};

/// What the header begins with, as aligned text and as CSV.
const HEADS: &[&str] = &["# Elapsed time", "elapsed_time,nproc,"];

/// psrecord divides bytes by this and calls it MB.
const MIB: f64 = 1024.0 * 1024.0;

/// What a column holds: its name as text and as CSV, the metric, the base unit, the factor to it, and
/// whether it counts since the process began.
const COLUMNS: &[(&str, &str, &str, Unit, f64, bool)] = &[
    ("CPU (%)", "cpu", "cpu", Unit::Percent, 1.0, false),
    ("Real (MB)", "mem_real", "rss", Unit::Bytes, MIB, false),
    ("Virtual (MB)", "mem_virtual", "vsz", Unit::Bytes, MIB, false),
    ("Read count", "read_count", "read_calls", Unit::PerSec, 1.0, true),
    ("Write count", "write_count", "write_calls", Unit::PerSec, 1.0, true),
    ("Read bytes", "read_bytes", "read_rate", Unit::BytesPerSec, 1.0, true),
    ("Write bytes", "write_bytes", "write_rate", Unit::BytesPerSec, 1.0, true),
    ("", "nproc", "processes", Unit::Count, 1.0, false),
];

/// One column behind the time.
struct Column {
    metric: String,
    unit: Unit,
    factor: f64,
    counts: bool,
}

impl LineFormat for Psrecord {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'#' => Signs::ALWAYS,
            b'e' => const { Signs::any_of(&["_"]) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let header = lines.get(at).filter(|line| HEADS.iter().any(|head| line.text.trim().starts_with(head)));
        let Some(header) = header else { return Ok(None) };
        let mut block = Block::new(header.text.trim(), sink);
        let mut end = at + 1;
        for (index, line) in lines.starting_at(at + 1) {
            sink.check_at(index - at, line.offset)?;
            if line.is_blank() {
                continue;
            }
            if !line.text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
                break;
            }
            block.row(&line, sink);
            end = index + 1;
        }
        Ok(Some(end))
    }
}

/// One log.
struct Block {
    columns: Vec<Column>,
    csv: bool,
    who: Who,
    recorder: Recorder,
    /// Time and values of the row before.
    before: Option<(i64, Vec<f64>)>,
    /// Length of the row before: all rows of aligned text are equally long.
    length: usize,
}

impl Block {
    fn new(header: &str, sink: &Sink<'_>) -> Self {
        let csv = !header.starts_with('#');
        let mark = if csv { "," } else { "  " };
        let names = header.split(mark).map(str::trim).filter(|name| !name.is_empty());
        let process = role_of_path(&sink.data.path).unwrap_or_else(|| Process::Other("recorded".to_owned()));
        Self {
            columns: names.skip(1).map(column).collect(),
            csv,
            who: Who::part(process),
            recorder: Recorder::new(sink),
            before: None,
            length: 0,
        }
    }

    fn row(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let numbers = self.numbers(line.text);
        let short = !self.csv && line.text.len() < self.length && line.is_open;
        match numbers.filter(|numbers| numbers.len() == self.columns.len() + 1 && !short) {
            Some(numbers) => {
                self.length = line.text.len();
                self.add(&numbers, line, sink);
            }
            None => bad_row(line, &format!("{} numbers as in the header", self.columns.len() + 1), sink),
        }
    }

    fn numbers(&self, text: &str) -> Option<Vec<f64>> {
        let number = |cell: &str| parse_number(cell, &DecimalMark::Point);
        if self.csv {
            text.split(',').map(number).collect()
        } else {
            text.split_whitespace().map(number).collect()
        }
    }

    fn add(&mut self, numbers: &[f64], line: &Line<'_>, sink: &mut Sink<'_>) {
        let Some((secs, values)) = numbers.split_first() else { return };
        // A cast of floats stops at the ends of the range.
        let at = Moment { micros: (secs * 1e6).round() as i64, clock: Clock::Elapsed, zone_assumed: false };
        note_start(sink, Some(at.micros));
        for (index, (column, value)) in self.columns.iter().zip(values).enumerate() {
            let value = if column.counts {
                self.rise(index, *value, at.micros)
            } else {
                // psutil knows no load before its second look: the first one is always 0.
                Some(value * column.factor).filter(|_| self.before.is_some() || column.metric != "cpu")
            };
            if let Some(value) = value {
                let figure =
                    Figure { metric: &column.metric, unit: column.unit, value, quality: Quality::NONE };
                self.recorder.add(&self.who, figure, at, line.number, sink);
            }
        }
        self.before = Some((at.micros, values.to_vec()));
    }

    /// How much a counter grew a second since the row before; of children that ended it falls.
    fn rise(&self, index: usize, value: f64, micros: i64) -> Option<f64> {
        let (then, values) = self.before.as_ref()?;
        let (by, secs) = (value - values.get(index)?, (micros - then) as f64 / 1e6);
        (by >= 0.0 && secs > 0.0).then_some(by / secs)
    }
}

fn column(name: &str) -> Column {
    let known = COLUMNS.iter().find(|(text, csv, ..)| *text == name || *csv == name);
    let (metric, unit, factor, counts) = known
        .map_or((name, Unit::Count, 1.0, false), |(_, _, metric, unit, factor, counts)| {
            (metric, *unit, *factor, *counts)
        });
    Column { metric: metric.to_owned(), unit, factor, counts }
}

#[cfg(test)]
mod tests;
