//! Rows of `perf stat -x SEP`. perf announces neither the separator nor the columns: both depend on its
//! options and are found by content.
//!
//! ```text
//! [time,] [CPU0 | S0-D0-C0,cores, | svn-4711,] value,unit,event,[cgroup,] [variance%,] runtime,share[,metric,unit]
//! ```
//! In a locale whose decimal mark is the separator a value is two fields; since a value with a unit has
//! two decimals, and one without has none, the fields can be joined again.

use super::{Block, Count};
use crate::number::{DecimalMark, parse_scaled};
use crate::sink::Sink;
use crate::text::{Line, Lines};
use std::ops::Range;
use triptych_model::Cancelled;

/// No row is longer; longer lines are of other files.
const LONGEST: usize = 400;

/// Names of events, or their heads, that tell a single row from one of another table.
const EVENTS: &[&str] = &[
    "task-clock",
    "cpu-clock",
    "context-switches",
    "cs",
    "cpu-migrations",
    "migrations",
    "page-faults",
    "faults",
    "minor-faults",
    "major-faults",
    "alignment-faults",
    "emulation-faults",
    "cgroup-switches",
    "bpf-output",
    "cycles",
    "cpu-cycles",
    "ref-cycles",
    "bus-cycles",
    "stalled-cycles-",
    "instructions",
    "branches",
    "branch-",
    "cache-references",
    "cache-misses",
    "duration_time",
    "user_time",
    "system_time",
    "L1-",
    "LLC-",
    "dTLB-",
    "iTLB-",
    "node-",
    "mem-",
    "slots",
    "topdown-",
];

const EXPECTED: &str = "time, place, value, unit, event, runtime and share, parted by one separator";
const EXPECTED_MARK: &str =
    "fields parted by another sign than the decimal comma; run perf stat -x\\; or with LC_ALL=C";

/// Reads the rows from a line on, if it is one; a single row of no known event only where a line above
/// `announced` perf.
pub fn read(
    lines: &Lines<'_>,
    at: usize,
    announced: bool,
    sink: &Sink<'_>,
) -> Result<Option<Block>, Cancelled> {
    let Some(first) = lines.get(at) else { return Ok(None) };
    let Some(separator) = separator(first.text) else { return Ok(None) };
    if !has_fields(first.text, separator) {
        return Ok(None);
    }
    let Some((count, mut joined)) = row(&first, separator) else { return Ok(None) };
    let mut block = Block { end: at + 1, counts: vec![count], ..Block::default() };
    for (index, line) in lines.starting_at(at + 1) {
        sink.check_at(index, line.offset)?;
        match row(&line, separator) {
            Some((count, in_two)) => {
                if is_again(&block, &count) {
                    break;
                }
                joined |= in_two;
                block.counts.push(count);
            }
            None if is_near(line.text, separator) => {
                let expected = if joined { EXPECTED_MARK } else { EXPECTED };
                block.wrong.push((line.number, 1, line.text.trim().to_owned(), expected));
            }
            None => break,
        }
        block.end = index + 1;
    }
    let is_sure = announced || block.counts.len() > 1 || block.counts.iter().any(is_known);
    Ok(is_sure.then_some(block))
}

/// Whether perf alone writes such a count.
fn is_known(count: &Count) -> bool {
    let event = count.event.as_str();
    // Modifiers stand behind a colon or slash, as tracepoints and the units of processors have them within.
    count.raw.starts_with('<')
        || event.contains([':', '/'])
        || event.strip_prefix('r').is_some_and(is_code)
        || EVENTS.iter().any(|name| event == *name || (name.ends_with('-') && event.starts_with(name)))
}

/// Whether the separator stands often enough for the shortest row; lines of other files mostly end here.
fn has_fields(text: &str, separator: &str) -> bool {
    const FEWEST: usize = 4;
    match separator.as_bytes() {
        [b' '] => false,
        [one] => text.bytes().filter(|byte| byte == one).take(FEWEST).count() == FEWEST,
        _ => text.matches(separator).nth(FEWEST - 1).is_some(),
    }
}

/// Whether the event was counted in this block before: then another block begins.
fn is_again(block: &Block, count: &Count) -> bool {
    count.time.is_none()
        && block.counts.iter().any(|known| known.event == count.event && known.place == count.place)
}

/// Whether a line that is no row is a damaged one.
fn is_near(text: &str, separator: &str) -> bool {
    let text = text.trim_ascii();
    text.len() < LONGEST
        && text.matches(separator).count() >= 2
        && text.starts_with(|c: char| c.is_ascii_digit() || c == '<' || c.is_ascii_uppercase())
}

/// What parts the first two fields of a row.
fn separator(text: &str) -> Option<&str> {
    let text = text.trim_ascii();
    if text.len() > LONGEST {
        return None;
    }
    let rest = text.get(first_field(text)?..)?;
    let end = rest.find(|c: char| c.is_alphanumeric() || c == '<')?;
    let (run, next) = rest.split_at(end);
    let word = next.split(|c: char| !c.is_alphanumeric()).next()?;
    let whole = next.starts_with(|c: char| c.is_ascii_digit() || c == '<')
        || super::base(word).is_some()
        || word == "Joules"
        || is_place(word);
    let half = run.get(..run.len() / 2).filter(|half| run.strip_prefix(*half) == Some(*half));
    // Without a unit two separators stand side by side.
    let found = if whole { run } else { half.unwrap_or(run) };
    (!found.is_empty() && found.len() <= 4).then_some(found)
}

/// The length of a number, a place or `<not supported>` at the head.
fn first_field(text: &str) -> Option<usize> {
    if let Some(kind) = ["<not supported>", "<not counted>"].iter().find(|kind| text.starts_with(**kind)) {
        return Some(kind.len());
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        let end = text.find(|c: char| !is_of_place(c))?;
        let word = text.get(..end)?;
        return (is_place(word) || is_thread(word)).then_some(end);
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let fraction = text.get(end..)?.strip_prefix(',').and_then(|rest| rest.get(..2));
    let is_fraction = fraction.is_some_and(is_digits)
        && text.as_bytes().get(end + 3).is_some_and(|next| !next.is_ascii_digit() && *next != b',');
    Some(if is_fraction { end + 3 } else { end })
}

/// `CPU0`, `S0-D0-C0`, `N1`
fn is_place(word: &str) -> bool {
    let digits = |part: &str, head: &str| part.strip_prefix(head).is_some_and(is_digits);
    digits(word, "CPU")
        || !word.is_empty()
            && word.split('-').all(|part| ["S", "D", "C", "N"].iter().any(|head| digits(part, head)))
}

/// `svnserve-4711`, the thread that `--per-thread` counts on.
fn is_thread(word: &str) -> bool {
    word.rsplit_once('-').is_some_and(|(name, id)| !name.is_empty() && is_digits(id))
}

/// Whether a line begins with a thread, as no other row of perf begins with a small letter.
pub fn begins_with_thread(text: &str) -> bool {
    // The kernel cuts names at 15 bytes.
    const LONGEST_THREAD: usize = 15 + 1 + 10;
    let end = text.bytes().take(LONGEST_THREAD + 1).position(|byte| !is_of_place(char::from(byte)));
    end.and_then(|end| text.get(..end)).is_some_and(is_thread)
}

fn is_of_place(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./+".contains(c)
}

/// `01c2`, the code of a raw event; with a figure, as words may be hexadecimal.
fn is_code(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit()) && text.bytes().any(|byte| byte.is_ascii_digit())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number with a point or a comma before its decimals; perf groups no thousands here.
fn number(text: &str) -> Option<f64> {
    let plain = text.matches(['.', ',']).count() <= 1;
    if plain { parse_scaled(text, mark(text), 1, 0) } else { None }
}

fn mark(text: &str) -> DecimalMark {
    if text.contains(',') { DecimalMark::Comma } else { DecimalMark::Point }
}

fn is_unit(text: &str) -> bool {
    text.is_empty() || text == "%" || (text.len() < 12 && text.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

fn is_event(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.contains(' ')
        && super::base(text).is_none()
}

/// The fields of a row by their places in the text.
struct Fields<'t> {
    text: &'t str,
    ranges: Vec<Range<usize>>,
}

impl<'t> Fields<'t> {
    fn new(text: &'t str, separator: &str) -> Self {
        let mut ranges = Vec::new();
        let mut start = 0;
        for (at, _) in text.match_indices(separator) {
            // A separator of several signs may overlap itself.
            if at >= start {
                ranges.push(start..at);
                start = at + separator.len();
            }
        }
        ranges.push(start..text.len());
        Self { text, ranges }
    }

    fn get(&self, index: usize) -> Option<&'t str> {
        self.text.get(self.ranges.get(index)?.clone()).map(str::trim)
    }

    /// Two fields with the separator between them.
    fn both(&self, index: usize) -> Option<&'t str> {
        self.text.get(self.ranges.get(index)?.start..self.ranges.get(index + 1)?.end).map(str::trim)
    }
}

/// Reads a row, and whether its value was two fields.
fn row(line: &Line<'_>, separator: &str) -> Option<(Count, bool)> {
    let text = line.text.trim_ascii();
    if text.len() > LONGEST || !text.contains(separator) {
        return None;
    }
    let fields = Fields::new(text, separator);
    let at = (0..5).find(|at| {
        let value = fields.get(*at).is_some_and(|text| text.starts_with("<not ") || number(text).is_some());
        value && fields.get(at + 1).is_some_and(is_unit) && fields.get(at + 2).is_some_and(is_event)
    })?;
    let mut count = Count::at(line);
    let unit = fields.get(at + 1)?;
    let in_two = separator == "," && !unit.is_empty() && is_fraction(&fields, at);
    let raw = if in_two { fields.both(at - 1)? } else { fields.get(at)? };
    let prefix = if in_two { at - 1 } else { at };
    (count.unit, count.event) = (unit.to_owned(), fields.get(at + 2)?.to_owned());
    (count.raw, count.counted, count.mark) = (raw.to_owned(), number(raw).is_some(), mark(raw));
    place(&fields, prefix, &mut count)?;
    tail(&fields, at + 3, &mut count)?;
    Some((count, in_two))
}

/// Whether the field before the value is its whole part: a value has two decimals where it has any.
fn is_fraction(fields: &Fields<'_>, at: usize) -> bool {
    let whole = at.checked_sub(1).and_then(|before| fields.get(before));
    fields.get(at).is_some_and(|text| text.len() == 2 && is_digits(text)) && whole.is_some_and(is_digits)
}

/// What stands before the value: a time, a core, a socket with the number of its cores.
fn place(fields: &Fields<'_>, before: usize, count: &mut Count) -> Option<()> {
    for index in 0..before {
        let text = fields.get(index)?;
        if index == 0 && text.contains('.') && !is_thread(text) {
            count.time = Some(number(text)?);
        } else if count.place.is_none() && !text.is_empty() && !is_digits(text) {
            count.place = Some(text.to_owned());
        } else if !is_digits(text) {
            return None;
        }
    }
    Some(())
}

/// What stands behind the event: a variance with `-r`, the time counted, its share, a metric.
fn tail(fields: &Fields<'_>, from: usize, count: &mut Count) -> Option<()> {
    let mut at = from;
    let is_group = |text: &&str| !text.is_empty() && !is_digits(text) && !text.ends_with('%');
    if let Some(group) = fields.get(at).filter(is_group) {
        count.in_group(group);
        at += 1;
    }
    let variance = match (fields.get(at)?, fields.get(at + 1)) {
        (text, _) if text.ends_with('%') => Some((text, 1)),
        (whole, Some(rest)) if is_digits(whole) && rest.ends_with('%') => Some((fields.both(at)?, 2)),
        _ => None,
    };
    if let Some((text, width)) = variance {
        count.spread = Some((number(text.trim_end_matches('%'))?, text.to_owned()));
        at += width;
    }
    // Where only other events have a cgroup the field is empty.
    let at = (at..at + 2).find(|at| fields.get(*at).is_some_and(is_digits))?;
    number(fields.get(at + 1)?)?;
    // In comma locales perf prints the metric without its fraction; then it says nothing.
    let metric = fields.get(at + 2).filter(|text| text.contains('.'));
    let is_cores = fields.get(at + 3) == Some("CPUs utilized") && count.place.is_none();
    if let Some(raw) = metric.filter(|_| is_cores) {
        count.cores = parse_scaled(raw, mark(raw), 100, 0).map(|value| (value, raw.to_owned()));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_by_content() {
        for (text, expect) in [
            ("9.93\tmsec\ttask-clock\t9928086\t100.00\t0.149\tCPUs utilized", Some("\t")),
            ("13.38::msec::task-clock::13377748::100.00::0.858::CPUs utilized", Some("::")),
            ("10::::context-switches::13377748::100.00::747.510::/sec", Some("::")),
            ("3,,context-switches,9928086,100.00,302.173,/sec", Some(",")),
            ("14,27,msec,task-clock,14273882,100,00,0,CPUs utilized", Some(",")),
            ("13,06;msec;task-clock;1,70%;13058024;100,00;0;CPUs utilized", Some(";")),
            ("     0.020139668,3,,context-switches,2985790,100.00,1.005,K/sec", Some(",")),
            ("<not supported>||cycles|0|100.00||", Some("|")),
            ("S0-D0-C0,1,43,,context-switches,115997645,100.00,370.697,/sec", Some(",")),
            ("CPU0,<not supported>,,cycles,0,100.00,,", Some(",")),
            ("12 files", Some(" ")),
            ("word", None),
            ("", None),
        ] {
            assert_eq!(separator(text), expect, "{text}");
        }
    }
}
