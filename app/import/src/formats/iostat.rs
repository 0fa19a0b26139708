//! iostat of sysstat with `-t`, as text: CPU and disks of the machine over time.
//!
//! Reports begin with a line of date and time in the locale's form. The first one is an average since
//! the boot and is left out unless it is the only one, or a second empty line below the banner or the command line shows `-y`. The columns
//! are those of the last header; old versions write `Device:`, `--pretty` puts `Device` last.
//! Without `-t` there is no time, and the log is not claimed.

use crate::format::LineFormat;
use crate::formats::sysstat::banner::Banner;
use crate::formats::sysstat::clock::{self, BlockClock, Moment};
use crate::formats::sysstat::is_called_with;
use crate::formats::sysstat::record::{note, note_start, tell, zone_told};
use crate::formats::sysstat::stamp::Stamp;
use crate::formats::sysstat::table::{Row, Rows, Table, bad_row};
use crate::formats::sysstat::zone::Zone;
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, ProblemKind, ReadOptions};

/// The reader of iostat's text.
pub struct Iostat;

const SPEC: FormatSpec = FormatSpec {
    id: "iostat",
    title: "iostat -t",
    help: "CPU and disks of the machine over time, text of sysstat's iostat with times (-t) in any locale",
    extensions: &["txt", "log"],
    samples: "iostat",
};

/// How many lines behind a strange line still show whether the block goes on.
const LOOK_AHEAD: usize = 8;

/// What is said where the first report was left out.
pub(super) const FIRST_LEFT_OUT: &str = "the first report, averages since the boot, was left out";

/// What is said where there is no other.
pub(super) const ONLY_ONE: &str = "the only report may be an average since the boot";

impl LineFormat for Iostat {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'L' | b'T' => Signs::ALWAYS,
            b'0'..=b'9' => const { Signs::any_of(&["0:"]).or(Signs::DOTS).or(Signs::HIGH) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let banner = Banner::at(lines, at);
        let start = if banner.is_some() { at + 1 } else { at };
        let mut filled = lines.starting_at(start).filter(|(_, line)| !line.is_blank());
        let Some((stamp, line)) = filled.next() else { return Ok(None) };
        if banner.is_none() && stamp != at {
            return Ok(None);
        }
        // Most times of other logs have no header below them.
        let is_above = filled.next().is_some_and(|(_, line)| names(line.text).is_some());
        if !is_above || !is_stamp(line.text, banner.is_some()) {
            return Ok(None);
        }
        let banner_line = banner.is_some();
        let mut block = Block::new(banner, first.number, sink);
        // With -y one line more is left empty below the banner.
        let is_open = banner_line && stamp > at + 2;
        block.is_since_boot = !is_open && !is_called_with(sink, "iostat", 'y');
        block.skips = block.is_since_boot && has_second(lines, stamp);
        let end = block.read(lines, start, sink)?;
        block.finish(first.number, sink);
        Ok(Some(end))
    }
}

/// Whether a line is the time of a report; old versions wrote `Time: 08:06:41`.
fn is_stamp(text: &str, may_be_words: bool) -> bool {
    let text = text.trim();
    let begins = (may_be_words || text.starts_with(|c: char| c.is_ascii_digit())) && text.len() < 96;
    (begins && Stamp::parse(text).is_some_and(|stamp| matches!(stamp, Stamp::Local { .. })))
        || text.strip_prefix("Time:").is_some_and(|time| clock::split_time(time).0.is_some())
}

/// The columns that a header names, `None` where the line is no header.
fn names(text: &str) -> Option<Table> {
    let text = text.trim();
    if let Some(names) = text.strip_prefix("avg-cpu:") {
        return Some(Table::new(names.split_whitespace()));
    }
    let mut words = text.split_whitespace();
    let is_device = |word: &str| matches!(word, "Device" | "Device:");
    let is_header =
        words.clone().next().is_some_and(is_device) || words.clone().next_back() == Some("Device");
    if !is_header || !text.contains('/') {
        return None;
    }
    let has_figures = words.any(|word| word.replace(',', ".").parse::<f64>().is_ok());
    (!has_figures).then(|| Table::new(text.split_whitespace()))
}

/// Whether another report follows in the same block.
fn has_second(lines: &Lines<'_>, stamp: usize) -> bool {
    let behind = lines.starting_at(stamp + 1).take_while(|(_, line)| Banner::parse(line.text).is_none());
    let mut stamps = behind.filter(|(_, line)| is_stamp(line.text, true));
    stamps.next().is_some()
}

/// One run of iostat.
struct Block {
    clock: BlockClock,
    zone: Zone,
    zone_told: bool,
    rows: Rows,
    table: Table,
    width: usize,
    /// The device whose figures stand in the next line, for its name is too long.
    held: Option<String>,
    at: Option<Moment>,
    reports: u32,
    /// Whether the day stands before the month in its dates.
    day_first: Option<bool>,
    /// Whether the first report may be an average since the boot.
    is_since_boot: bool,
    /// Whether it is left out.
    skips: bool,
}

impl Block {
    fn new(banner: Option<Banner>, first_line: u32, sink: &mut Sink<'_>) -> Self {
        let cpus = banner.as_ref().and_then(|banner| banner.cpus);
        let day_first = banner.as_ref().and_then(|banner| banner.day_first);
        let date = banner.and_then(|banner| banner.date(first_line, sink));
        let offset = sink.options.zone_offset_secs;
        Self {
            clock: BlockClock::new(date, offset),
            zone: Zone::new(offset),
            zone_told: zone_told(sink),
            rows: Rows::new(cpus, sink),
            table: Table::default(),
            width: 0,
            held: None,
            at: None,
            reports: 0,
            day_first,
            is_since_boot: true,
            skips: false,
        }
    }

    fn read(&mut self, lines: &Lines<'_>, start: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
        let mut end = start;
        for (index, line) in lines.starting_at(start) {
            sink.check_at(index - start, line.offset)?;
            if line.is_blank() {
                continue;
            }
            if is_stamp(line.text, true) {
                self.stamp(line.text, sink);
            } else if let Some(table) = names(line.text) {
                self.table = table;
                self.width = line.text.trim_end().chars().count();
            } else if self.is_long_name(lines, index, line.text) {
                self.held = Some(line.text.trim().to_owned());
            } else if !self.row(&line, sink) {
                if Banner::parse(line.text).is_some() || !goes_on(lines, index + 1) {
                    break;
                }
                bad_row(&line, self.table.len(), sink);
            }
            end = index + 1;
        }
        Ok(end)
    }

    fn stamp(&mut self, text: &str, sink: &mut Sink<'_>) {
        self.reports += 1;
        self.at = match text.trim().strip_prefix("Time:") {
            Some(time) => clock::split_time(time).0.and_then(|time| self.clock.moment(time)),
            None => {
                Stamp::parse_by(text, self.day_first).and_then(|stamp| stamp.moment(&mut self.zone, None))
            }
        };
        if self.reports == 1 && self.skips {
            note_start(sink, self.at.map(|moment| moment.micros));
        }
    }

    /// Whether the line is a device's name alone, too long for its column, above the figures.
    fn is_long_name(&self, lines: &Lines<'_>, index: usize, text: &str) -> bool {
        let is_name = !text.starts_with(char::is_whitespace) && text.split_whitespace().count() == 1;
        is_name
            && lines.get(index + 1).is_some_and(|next| {
                next.text.starts_with(char::is_whitespace)
                    && next.text.split_whitespace().count() + 1 == self.table.len()
            })
    }

    /// Reads figures; `false` where the line does not fit the header.
    fn row(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) -> bool {
        let held = self.held.take();
        let with_name = held.as_ref().map(|name| format!("{name} {}", line.text));
        let text = with_name.as_deref().unwrap_or(line.text);
        let Some(mut row) = self.table.split(text, 0) else { return self.is_cut(line, sink) };
        if let Some(name) = &held {
            for (_, _, at) in &mut row.values {
                *at = at.saturating_sub(name.len() + 1);
            }
        } else if !self.is_figures(&row) {
            return false;
        }
        row.drop_cut_cell(&self.table, line, self.width, sink);
        if let Some(moment) = self.at.filter(|_| !(self.skips && self.reports == 1)) {
            self.rows.row(&self.table, &row, line, moment, sink);
        }
        true
    }

    /// Whether the row's first figure is one; else the line is text of something else.
    fn is_figures(&self, row: &Row<'_>) -> bool {
        let figure = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        row.values.iter().any(|(_, cell, _)| figure(cell))
    }

    /// Whether the line is the last one and the source ends within it.
    fn is_cut(&self, line: &Line<'_>, sink: &mut Sink<'_>) -> bool {
        let is_last = line.is_open && self.table.len() > 0;
        if is_last {
            bad_row(line, self.table.len(), sink);
        }
        is_last
    }

    fn finish(&self, line: u32, sink: &mut Sink<'_>) {
        let zone = self.zone.note().or_else(|| self.clock.zone_note()).filter(|_| !self.zone_told);
        tell(&self.rows.recorder, zone, line, sink);
        self.rows.finish(line, sink);
        if self.skips {
            note(sink, ProblemKind::Other, line, FIRST_LEFT_OUT);
        } else if self.is_since_boot && self.reports == 1 {
            note(sink, ProblemKind::Other, line, ONLY_ONE);
        }
    }
}

/// Whether a report or a header follows within a few lines, before another banner.
fn goes_on(lines: &Lines<'_>, from: usize) -> bool {
    let near = lines.starting_at(from).take(LOOK_AHEAD);
    near.take_while(|(_, line)| Banner::parse(line.text).is_none())
        .any(|(_, line)| is_stamp(line.text, true) || names(line.text).is_some())
}

#[cfg(test)]
mod tests;
