//! sadf of sysstat, `-d` and `-p`: what sar recorded, as lines for other programs.
//!
//! `-d` is separated by semicolons, and a header stands before each activity: the columns change in
//! the middle. With `-h` all activities share one line; `[...]` in the header stands behind one that
//! repeats its columns for every item. `-p` has one figure a line between tabs. Times are UTC, local
//! where they name no zone (`-T`, `-t`), or seconds since 1970 (`-U`).

mod joined;

use crate::format::LineFormat;
use crate::formats::sysstat::cell;
use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::names::{meaning, own_name};
use crate::formats::sysstat::record::{Who, note_start, tell, zone_told};
use crate::formats::sysstat::stamp::Stamp;
use crate::formats::sysstat::table::{self, Part, Rows, Table, bad_row, unreadable};
use crate::formats::sysstat::zone::Zone;
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use joined::Layout;
use triptych_model::{Cancelled, FormatSpec, Process, ReadOptions};

/// The reader of what sadf prints.
pub struct Sadf;

const SPEC: FormatSpec = FormatSpec {
    id: "sadf",
    title: "sadf -d and -p",
    help: "what sar recorded, as sadf -d (semicolons, with -h, -T, -t or -U) or sadf -p (tabs) prints it",
    extensions: &["csv", "txt"],
    samples: "sadf",
};

const HEADER: &str = "# hostname;interval;timestamp";

impl LineFormat for Sadf {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'#' => Signs::ALWAYS,
            _ => const { Signs::any_of(&["\t", ";-"]) },
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        // Every line of every log comes by here, and few have what parts cells.
        if memchr::memchr2(b';', b'\t', first.text.as_bytes()).is_none() {
            return Ok(None);
        }
        let starts_here = first.text.starts_with(HEADER)
            || Event::parse(first.text).is_some()
            || Single::parse(first.text).is_some_and(|single| single.is_figure());
        if !starts_here {
            return Ok(None);
        }
        let mut block = Block {
            zone: Zone::new(sink.options.zone_offset_secs),
            rows: Rows::new(cpus_of(lines, at), sink),
            layout: Layout::default(),
            cells: None,
            last: None,
            column: String::new(),
        };
        let told = zone_told(sink);
        let end = block.read(lines, at, sink)?;
        tell(&block.rows.recorder, block.zone.note().filter(|_| !told), first.number, sink);
        block.rows.finish(first.number, sink);
        Ok(Some(end))
    }
}

/// The number of processors, which only the marks of a restart say; the first one holds from the start.
fn cpus_of(lines: &Lines<'_>, at: usize) -> Option<u32> {
    let block = lines.starting_at(at).take_while(|(_, line)| {
        line.text.starts_with(HEADER) || line.is_blank() || line.text.contains([';', '\t'])
    });
    block.into_iter().find_map(|(_, line)| Event::parse(line.text)?.cpus)
}

/// A line that marks a restart of the machine or holds the user's comment.
struct Event {
    /// Processors from here on.
    cpus: Option<u32>,
}

impl Event {
    /// Reads `vm;-1;2026-11-30 16:35:05 UTC;LINUX-RESTART<tab>(2 CPU)` and `vm;-1;…;COM words`.
    fn parse(text: &str) -> Option<Self> {
        let is_event = |mark: char| {
            let mut cells = text.split(mark);
            let number = cells.nth(1)?;
            Stamp::parse(cells.next()?)?;
            let word = cells.next()?;
            let named = word.starts_with("LINUX-RESTART") || word.starts_with("COM ");
            (number == "-1" && named).then_some(())
        };
        if !text.contains(";-1;") && !text.contains("\t-1\t") {
            return None;
        }
        is_event(';').or_else(|| is_event('\t'))?;
        let count = text.rsplit_once('(').and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
        Some(Self { cpus: count.filter(|_| text.contains("LINUX-RESTART")) })
    }
}

/// A line of `sadf -p`: host, interval, time, item, column, figure.
struct Single<'t> {
    interval: i64,
    stamp: Stamp,
    item: &'t str,
    column: &'t str,
    figure: &'t str,
}

impl<'t> Single<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        let mut cells = text.split('\t');
        let (_host, interval, stamp) = (cells.next()?, cells.next()?, cells.next()?);
        let interval = interval.parse().ok()?;
        let (item, column, figure) = (cells.next()?, cells.next()?, cells.next()?);
        let stamp = Stamp::parse(stamp)?;
        cells.next().is_none().then_some(Self { interval, stamp, item, column, figure })
    }

    fn is_figure(&self) -> bool {
        self.interval > 0 && self.figure.replace(',', ".").parse::<f64>().is_ok()
    }

    /// Whose figure it is, which only item and column together say.
    fn who(&self) -> (Who, &'static str) {
        let is = |names: &[&str]| names.contains(&self.column);
        let part = if matches!(self.item, "-" | "all") {
            return (Who::part(Process::System), "");
        } else if self.item.starts_with("cpu") {
            Part::Cpu
        } else if is(DISK_COLUMNS) {
            Part::Disk
        } else if self.column.starts_with("rx") || self.column.starts_with("tx") || is(&["coll/s", "%ifutil"])
        {
            Part::Net
        } else if self.column == "all" || self.column == "intr/s" || self.column.starts_with("cpu") {
            Part::Interrupt
        } else {
            Part::Other
        };
        table::who(part, "item", self.item)
    }
}

/// Columns that only block devices have.
const DISK_COLUMNS: &[&str] = &[
    "tps", "rkB/s", "wkB/s", "dkB/s", "areq-sz", "aqu-sz", "await", "%util", "rd_sec/s", "wr_sec/s",
    "avgrq-sz", "avgqu-sz", "svctm",
];

/// One output of sadf.
struct Block {
    zone: Zone,
    rows: Rows,
    layout: Layout,
    /// How many cells the last row with that header had.
    cells: Option<usize>,
    /// The last cell of it.
    last: Option<String>,
    /// The column of the last line of `-p`.
    column: String,
}

impl Block {
    fn read(&mut self, lines: &Lines<'_>, start: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
        let mut end = start;
        for (index, line) in lines.starting_at(start) {
            sink.check_at(index - start, line.offset)?;
            if line.is_blank() {
                continue;
            }
            if let Some(names) = line.text.strip_prefix(HEADER) {
                self.layout = Layout::parse(names.trim_start_matches(';'));
                (self.last, self.cells) = (None, None);
            } else if let Some(event) = Event::parse(line.text) {
                self.rows.cpus = event.cpus.or(self.rows.cpus);
            } else if let Some(single) = Single::parse(line.text) {
                self.single(&single, &line, sink);
            } else if line.text.matches(';').count() >= 3 {
                self.row(&line, sink);
            } else if line.is_open && line.text.contains([';', '\t']) {
                bad_row(&line, self.layout.columns(), sink);
            } else {
                break;
            }
            end = index + 1;
        }
        Ok(end)
    }

    fn single(&mut self, single: &Single<'_>, line: &Line<'_>, sink: &mut Sink<'_>) {
        let name = own_name(&self.column, single.column);
        let meaning = meaning(name);
        single.column.clone_into(&mut self.column);
        let at = line.text.len() - single.figure.len();
        let Some(moment) = self.moment(single.stamp, single.interval, sink) else {
            return bad_row(line, 6, sink);
        };
        if self.is_cut(single.figure, line) {
            return bad_row(line, 6, sink);
        }
        match cell::value(single.figure, meaning.unit, meaning.factor) {
            Ok(Some(value)) => {
                let (who, prefix) = single.who();
                self.rows.figure(&who, prefix, &meaning, value, moment, line.number, sink);
            }
            Ok(None) => {}
            Err(expected) => unreadable(line, at, single.column, single.figure, expected, sink),
        }
    }

    /// Whether the last figure of a source without a last line end has lost digits: it has other
    /// decimals than the one above.
    fn is_cut(&mut self, figure: &str, line: &Line<'_>) -> bool {
        let decimals = |text: &str| text.rsplit_once(['.', ',']).map(|(_, digits)| digits.len());
        let usual = self.last.as_deref().map_or(Some(2), decimals);
        let differs = usual != decimals(figure);
        let is_cut = line.is_open && (differs || decimals(figure).is_none());
        self.last = Some(figure.to_owned());
        is_cut
    }

    fn row(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let mut cells = cells_of(line.text);
        let head = (
            cells.get(1).and_then(|cell| cell.0.parse().ok()),
            cells.get(2).and_then(|cell| Stamp::parse(cell.0)),
        );
        let (Some(interval), Some(stamp)) = head else {
            return bad_row(line, self.layout.columns() + 3, sink);
        };
        let mut cells = cells.split_off(3);
        let count = self.cells.replace(cells.len());
        if line.is_open && self.layout.repeats() && count != Some(cells.len()) {
            // Fewer items would fit too.
            return bad_row(line, self.layout.columns() + 3, sink);
        }
        let Some(counts) = self.layout.fit(&cells) else {
            return bad_row(line, self.layout.columns() + 3, sink);
        };
        let Some(moment) = self.moment(stamp, interval, sink) else {
            return bad_row(line, self.layout.columns() + 3, sink);
        };
        let layout = std::mem::take(&mut self.layout);
        let last = cells.last().map_or("", |cell| cell.0);
        if self.is_cut(last, line) {
            cells.pop();
            bad_row(line, layout.columns() + 3, sink);
        }
        let mut rest = cells.as_slice();
        for (table, count) in layout.tables().zip(counts) {
            for _ in 0..count {
                let (mine, behind) = rest.split_at(table.len().min(rest.len()));
                self.rows.row(table, &table.cells(mine.iter().copied()), line, moment, sink);
                rest = behind;
            }
        }
        self.layout = layout;
    }

    fn moment(&mut self, stamp: Stamp, interval: i64, sink: &mut Sink<'_>) -> Option<Moment> {
        let moment = stamp.moment(&mut self.zone, None)?;
        note_start(
            sink,
            interval.checked_mul(1_000_000).and_then(|length| moment.micros.checked_sub(length)),
        );
        Some(moment)
    }
}

/// The cells of a row with their byte offsets.
fn cells_of(text: &str) -> Vec<(&str, usize)> {
    let mut at = 0;
    let place = |cell: &'_ str| {
        let start = at;
        at += cell.len() + 1;
        start
    };
    let places: Vec<usize> = text.split(';').map(place).collect();
    text.split(';').zip(places).collect()
}

/// Used by [`joined`]: whether a cell can be the item of a part.
fn is_item(part: Part, cell: &str) -> bool {
    let is_number = cell.replace(',', ".").parse::<f64>().is_ok();
    match part {
        Part::Cpu | Part::Node => cell.parse::<i32>().is_ok() || cell == "all",
        Part::Interrupt | Part::Other => true,
        Part::Disk | Part::Net => !is_number,
    }
}

/// Used by [`joined`]: the table of some names.
fn table_of(names: &str) -> Table {
    Table::new(names.split(';').map(str::trim))
}

#[cfg(test)]
mod tests;
