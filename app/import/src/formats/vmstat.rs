//! vmstat of procps with `-t`: the whole machine over time, in any locale.
//!
//! Two header lines, one of groups drawn with dashes and one of names, come again every screen. The
//! names are translated, so columns count by their place. The last name is the zone, the last two
//! words of a row are its time. The first row is an average since the boot and is left out unless it
//! is the only one, or the command line shows `-y`. Without `-t` there is no time: not claimed.

use crate::format::LineFormat;
use crate::formats::iostat::{FIRST_LEFT_OUT, ONLY_ONE};
use crate::formats::sysstat::cell::{self, KIB};
use crate::formats::sysstat::is_called_with;
use crate::formats::sysstat::names::Meaning;
use crate::formats::sysstat::record::{Who, note, note_start, tell, zone_told};
use crate::formats::sysstat::stamp::Stamp;
use crate::formats::sysstat::table::{Rows, bad_row, unreadable};
use crate::formats::sysstat::zone::Zone;
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use crate::zone::offset_of;
use triptych_model::{Cancelled, FormatSpec, ProblemKind, Process, ReadOptions, Unit};

/// The reader of vmstat's text.
pub struct Vmstat;

const SPEC: FormatSpec = FormatSpec {
    id: "vmstat",
    title: "vmstat -t",
    help: "CPU, memory and disks of the machine over time, vmstat with times (-t), wide or not, in any locale",
    extensions: &["txt", "log"],
    samples: "vmstat",
};

type Column = (&'static str, Unit, f64);

/// Columns by their place; `gu` came with procps 4.
const COLUMNS: &[Column] = &[
    ("r", Unit::Count, 1.0),
    ("b", Unit::Count, 1.0),
    ("swap_used", Unit::Bytes, KIB),
    ("mem_free", Unit::Bytes, KIB),
    ("mem_buffers", Unit::Bytes, KIB),
    ("mem_cached", Unit::Bytes, KIB),
    ("swap_in_rate", Unit::BytesPerSec, KIB),
    ("swap_out_rate", Unit::BytesPerSec, KIB),
    ("read_rate", Unit::BytesPerSec, KIB),
    ("write_rate", Unit::BytesPerSec, KIB),
    ("intr/s", Unit::PerSec, 1.0),
    ("cswch/s", Unit::PerSec, 1.0),
    ("cpu_user", Unit::Percent, 1.0),
    ("cpu_sys", Unit::Percent, 1.0),
    ("cpu_idle", Unit::Percent, 1.0),
    ("cpu_iowait", Unit::Percent, 1.0),
    ("cpu_steal", Unit::Percent, 1.0),
    ("cpu_guest", Unit::Percent, 1.0),
];

/// Columns of the fewest and of the most kinds.
const LEAST: usize = COLUMNS.len() - 1;

/// With `-a` the fifth and sixth column are other kinds of memory.
const ACTIVE: &[Column] = &[("mem_inactive", Unit::Bytes, KIB), ("mem_active", Unit::Bytes, KIB)];

/// The fifth name with `-a`, in the languages of procps.
const INACTIVE: &[&str] = &["inact", "inakt", "nieakt", "비활", "不活动"];

impl LineFormat for Vmstat {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'0'..=b'9' => Signs::NEVER,
            _ => const { Signs::any_of(&["--"]) },
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at).filter(|line| is_groups(line.text)) else { return Ok(None) };
        let Some(second) = lines.get(at + 1) else { return Ok(None) };
        let Some(header) = Header::parse(second.text) else { return Ok(None) };
        let is_header = |text: &str| is_groups(text) || Header::parse(text).is_some();
        let mut rows =
            lines.starting_at(at + 2).filter(|(_, line)| !line.is_blank() && !is_header(line.text));
        let has_time =
            |row: Option<(usize, Line<'_>)>| row.is_some_and(|(_, row)| stamp_of(row.text).is_some());
        let (row, next) = (rows.next(), rows.next());
        if row.is_some_and(|(index, _)| index + 1 < lines.len()) && !has_time(row) {
            return Ok(None);
        }
        let is_since_boot = !is_called_with(sink, "vmstat", 'y');
        let mut block = Block {
            skips: is_since_boot && has_time(next),
            header,
            zone: Zone::new(sink.options.zone_offset_secs),
            rows: Rows::new(None, sink),
            seen: 0,
        };
        let told = zone_told(sink);
        let end = block.read(lines, at + 2, sink)?;
        let zone = block.zone.note().filter(|_| !told);
        tell(&block.rows.recorder, zone, first.number, sink);
        block.rows.finish(first.number, sink);
        if block.skips {
            note(sink, ProblemKind::Other, first.number, FIRST_LEFT_OUT);
        } else if is_since_boot && block.seen == 1 {
            note(sink, ProblemKind::Other, first.number, ONLY_ONE);
        }
        Ok(Some(end))
    }
}

/// `procs -----------memory---------- ---swap-- …`, the groups in any language.
fn is_groups(text: &str) -> bool {
    let trimmed = text.trim_start();
    !trimmed.starts_with("----")
        && text.contains("--- ")
        && text.split_whitespace().filter(|word| word.contains("--")).count() >= 3
        && text.chars().any(char::is_alphabetic)
        && !text.chars().any(|c| c.is_ascii_digit())
}

/// The second header line.
struct Header {
    columns: Vec<Column>,
    /// The offset of the zone that it names, if its name says one.
    offset: Option<i32>,
    /// Characters: rows are aligned with it.
    width: usize,
}

impl Header {
    fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (zone, names) = words.split_last()?;
        let is_name = |word: &str| word.chars().any(char::is_alphabetic) && !word.contains(['-', ':']);
        if !(LEAST..=COLUMNS.len()).contains(&names.len()) || !names.iter().all(|name| is_name(name)) {
            return None;
        }
        // Without `-t` the last name is a column of the processors.
        if zone.chars().all(char::is_lowercase) {
            return None;
        }
        let mut columns: Vec<Column> = COLUMNS.iter().copied().take(names.len()).collect();
        if names.get(4).is_some_and(|name| INACTIVE.contains(name)) {
            columns.splice(4..6, ACTIVE.iter().copied());
        }
        Some(Self { columns, offset: offset_of(zone), width: text.trim_end().chars().count() })
    }
}

/// The figures of a row and its time, split.
fn split_stamp(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end();
    let time = text.rfind(char::is_whitespace)?;
    let date = text.get(..time)?.trim_end().rfind(char::is_whitespace)?;
    Some((text.get(..date)?, text.get(date..)?.trim()))
}

fn stamp_of(text: &str) -> Option<(&str, Stamp)> {
    let (figures, stamp) = split_stamp(text)?;
    Some((figures, Stamp::parse(stamp).filter(|stamp| matches!(stamp, Stamp::Local { .. }))?))
}

/// One run of vmstat.
struct Block {
    header: Header,
    zone: Zone,
    rows: Rows,
    seen: u64,
    /// Whether the first row is left out.
    skips: bool,
}

impl Block {
    fn read(&mut self, lines: &Lines<'_>, start: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
        let mut end = start;
        for (index, line) in lines.starting_at(start) {
            sink.check_at(index - start, line.offset)?;
            if line.is_blank() || is_groups(line.text) {
                continue;
            }
            if let Some(header) = Header::parse(line.text) {
                self.header = header;
            } else if line.text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
                if !self.row(&line, sink) {
                    break;
                }
            } else {
                break;
            }
            end = index + 1;
        }
        Ok(end)
    }

    /// Reads a row; `false` where the line belongs to something else.
    fn row(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) -> bool {
        let count = self.header.columns.len();
        // `00:00:0` of a cut time would read as another time.
        let is_cut = line.is_open && line.text.chars().count() < self.header.width;
        let Some((figures, stamp)) = stamp_of(line.text).filter(|_| !is_cut) else {
            let is_row =
                line.text.split_whitespace().all(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            if is_row {
                bad_row(line, count + 2, sink);
            }
            return is_row;
        };
        let cells: Vec<&str> = figures.split_whitespace().collect();
        let moment = stamp.moment(&mut self.zone, self.header.offset);
        let Some(moment) = moment.filter(|_| cells.len() == count) else {
            bad_row(line, count + 2, sink);
            return true;
        };
        self.seen += 1;
        if self.skips && self.seen == 1 {
            note_start(sink, Some(moment.micros));
            return true;
        }
        let system = Who::part(Process::System);
        for ((metric, unit, factor), text) in self.header.columns.iter().zip(cells) {
            match cell::value(text, *unit, *factor) {
                Ok(Some(value)) => {
                    let meaning = Meaning { metric: (*metric).to_owned(), unit: *unit, factor: *factor };
                    self.rows.figure(&system, "", &meaning, value, moment, line.number, sink);
                }
                Ok(None) => {}
                Err(expected) => {
                    let at = text.as_ptr() as usize - line.text.as_ptr() as usize;
                    unreadable(line, at, metric, text, expected, sink);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
