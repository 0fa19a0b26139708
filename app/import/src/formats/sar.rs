//! sar and mpstat of sysstat, as text: load of the whole machine and its parts over time.
//!
//! The banner is pidstat's; the header tells the tools apart. Nothing else is taken for granted: the
//! columns are those of the last header, in any locale, and a table may change from row to row.

use crate::format::LineFormat;
use crate::formats::sysstat::banner::Banner;
use crate::formats::sysstat::clock::{self, BlockClock};
use crate::formats::sysstat::is_average;
use crate::formats::sysstat::names;
use crate::formats::sysstat::record::{note_start, tell, zone_told};
use crate::formats::sysstat::table::{self, Rows, Table, bad_row};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, ReadOptions};

/// The reader of sar's and mpstat's text.
pub struct Sar;

const SPEC: FormatSpec = FormatSpec {
    id: "sar",
    title: "sar and mpstat",
    help: "CPU, memory, disks and networks of the machine over time, text of sysstat's sar and mpstat in any locale",
    extensions: &["txt", "log"],
    samples: "sar",
};

/// How many lines behind a strange line still show whether the block goes on.
const LOOK_AHEAD: usize = 8;

/// Without a banner a header must have so many columns, all of them known.
const LEAST_COLUMNS: usize = 3;

impl LineFormat for Sar {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'L' => Signs::ALWAYS,
            // The time of a header in any locale, or in seconds.
            b'0'..=b'9' => const { Signs::any_of(&["0:"]).or(Signs::DOTS).or(Signs::HIGH).or(Signs::LONG) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let banner = Banner::at(lines, at);
        let start = if banner.is_some() { at + 1 } else { at };
        let starts_here = if banner.is_some() {
            let next = lines.starting_at(start).find(|(_, line)| !line.is_blank());
            next.is_some_and(|(_, line)| !matches!(Said::by(line.text), Said::Nothing | Said::Row))
        } else {
            Said::by(first.text) == Said::Header && has_known_columns(first.text)
        };
        if !starts_here {
            return Ok(None);
        }
        let mut block = Block::new(banner, first.number, sink);
        let end = block.read(lines, start, sink)?;
        let zone = block.clock.zone_note().filter(|_| !block.zone_told);
        tell(&block.rows.recorder, zone, first.number, sink);
        block.rows.finish(first.number, sink);
        Ok(Some(end))
    }
}

/// What a line behind the banner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// Names of columns: no word is a figure.
    Header,
    /// Figures.
    Row,
    /// The machine was started: sar's counters began anew.
    Restart,
    /// A comment that the user put into sar's data.
    Comment,
    /// No line of sar.
    Nothing,
}

impl Said {
    fn by(text: &str) -> Self {
        // Every line of all logs comes here: one that does not begin with a figure is done with.
        if !text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            return Self::Nothing;
        }
        let (Some(_), Some(rest)) = clock::split_time(text) else { return Self::Nothing };
        let rest = rest.trim();
        if rest.starts_with("LINUX RESTART") {
            return Self::Restart;
        }
        if rest.starts_with("COM ") {
            return Self::Comment;
        }
        let mut words = rest.split_whitespace();
        let may_be_figure =
            |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-.,iInN".contains(c));
        let is_figure = |word: &str| may_be_figure(word) && word.replace(',', ".").parse::<f64>().is_ok();
        if rest.ends_with("Command") || rest.is_empty() {
            Self::Nothing
        } else if words.any(is_figure) {
            Self::Row
        } else {
            Self::Header
        }
    }
}

fn has_known_columns(header: &str) -> bool {
    let (_, names) = clock::split_time(header);
    let names: Vec<&str> = names.unwrap_or("").split_whitespace().collect();
    let known = |name: &&str| names::is_known(name) || table::part(name).is_some();
    names.len() >= LEAST_COLUMNS && names.iter().all(known)
}

/// One run of sar: from its banner to the next one.
struct Block {
    clock: BlockClock,
    rows: Rows,
    table: Table,
    /// Characters of the header: rows are aligned with it.
    width: usize,
    /// Averages were seen: what follows is another table over the same time.
    ended: bool,
    /// The time of the header above the first row.
    start: Option<i64>,
    zone_told: bool,
}

impl Block {
    fn new(banner: Option<Banner>, first_line: u32, sink: &mut Sink<'_>) -> Self {
        let cpus = banner.as_ref().and_then(|banner| banner.cpus);
        let date = banner.and_then(|banner| banner.date(first_line, sink));
        Self {
            clock: BlockClock::new(date, sink.options.zone_offset_secs),
            rows: Rows::new(cpus, sink),
            table: Table::default(),
            width: 0,
            ended: false,
            start: None,
            zone_told: zone_told(sink),
        }
    }

    /// Reads lines up to the end of the block and returns the index behind it.
    fn read(&mut self, lines: &Lines<'_>, start: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
        let (mut end, mut blank) = (start, true);
        for (index, line) in lines.starting_at(start) {
            sink.check_at(index - start, line.offset)?;
            let behind_blank = std::mem::replace(&mut blank, line.is_blank());
            if blank {
                continue;
            }
            match Said::by(line.text) {
                // A blank line stands above every header; figures of a row may all be unreadable.
                Said::Header if behind_blank => self.header(line.text),
                Said::Header => self.row(&line, sink),
                Said::Row => self.row(&line, sink),
                Said::Restart => self.restart(line.text),
                Said::Comment => {}
                Said::Nothing if is_average(line.text) => self.ended = true,
                Said::Nothing => {
                    if Banner::parse(line.text).is_some() || !goes_on(lines, index + 1) {
                        break;
                    }
                    sink.not_understood(line.number, 1, "no row of sar", line.text, "a time, or a header");
                }
            }
            end = index + 1;
        }
        Ok(end)
    }

    fn header(&mut self, text: &str) {
        let (time, names) = clock::split_time(text);
        if std::mem::take(&mut self.ended) {
            self.clock.restart();
        }
        self.table = Table::new(names.unwrap_or("").split_whitespace());
        self.width = text.trim_end().chars().count();
        let moment = time.and_then(|time| self.clock.moment(time));
        if self.rows.recorder.samples() == 0 {
            self.start = moment.map(|moment| moment.micros);
        }
    }

    fn restart(&mut self, text: &str) {
        let count = text.rsplit_once('(').and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
        self.rows.cpus = count.or(self.rows.cpus);
    }

    fn row(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let (time, rest) = clock::split_time(line.text);
        let moment = time.and_then(|time| self.clock.moment(time));
        let (Some(moment), Some(rest)) = (moment, rest) else {
            sink.not_understood(line.number, 1, "unreadable time", line.text, "a time such as 08:06:39");
            return;
        };
        let Some(mut row) = self.table.split(rest, line.text.len() - rest.len()) else {
            bad_row(line, self.table.len(), sink);
            return;
        };
        row.drop_cut_cell(&self.table, line, self.width, sink);
        if let Some(start) = self.start.take().filter(|start| *start < moment.micros) {
            note_start(sink, Some(start));
        }
        self.rows.row(&self.table, &row, line, moment, sink);
    }
}

/// Whether rows or headers follow within a few lines, before another banner.
fn goes_on(lines: &Lines<'_>, from: usize) -> bool {
    let near = lines.starting_at(from).take(LOOK_AHEAD);
    near.take_while(|(_, line)| Banner::parse(line.text).is_none())
        .any(|(_, line)| matches!(Said::by(line.text), Said::Header | Said::Restart) || is_average(line.text))
}

#[cfg(test)]
mod tests;
