//! The text of `perf stat`, in the locale of whoever ran it.
//!
//! Thousands are grouped and fractions marked as the locale says; the mark is decided for the block
//! by the figures that always have a fraction.

use super::{Block, Count, Subject, Total};
use crate::number::{DecimalMark, parse_number, parse_scaled};
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::Cancelled;

/// What the three times are called.
const TOTALS: &[(&str, &str)] =
    &[(" seconds time elapsed", "real"), (" seconds user", "user"), (" seconds sys", "sys")];

/// Reads the block below a title, or without one the intervals of `-I`.
pub fn read(lines: &Lines<'_>, at: usize, title: Option<&str>, sink: &Sink<'_>) -> Result<Block, Cancelled> {
    let mut block = Block { end: at + 1, ..Block::default() };
    if let Some(title) = title {
        (block.subject, block.executions) = subject(title);
    }
    let mut reader =
        Reader { mark: mark_of(lines, at), intervals: title.is_none(), table: false, done: false };
    for (index, line) in lines.starting_at(at + 1) {
        sink.check_at(index, line.offset)?;
        if line.is_blank() {
            continue;
        }
        if !reader.line(&line, &mut block) {
            break;
        }
        block.end = index + 1;
    }
    block.cut = title.is_some() && !reader.done;
    Ok(block)
}

/// `'CMD' (3 runs):`, `process id '11111':`, `'system wide':`
fn subject(title: &str) -> (Subject, Option<u64>) {
    let title = title.trim_ascii_end().trim_end_matches(':');
    let (front, rest) = title.split_once('\'').unwrap_or((title, ""));
    let (name, behind) = rest.rsplit_once('\'').unwrap_or((rest, ""));
    let executions = behind.trim_matches([' ', '(', ')']).strip_suffix(" runs").and_then(|n| n.parse().ok());
    let subject = match front.trim() {
        "" if name == "system wide" || name.starts_with("CPU(s) ") => Subject::Machine,
        "" if name.is_empty() => Subject::Unknown,
        "" => Subject::Command(name.to_owned()),
        what => Subject::Attached(format!("{what} {name}")),
    };
    (subject, executions)
}

/// The block's decimal mark, from the milliseconds and seconds that always have a fraction.
fn mark_of(lines: &Lines<'_>, at: usize) -> DecimalMark {
    const WITHIN: usize = 400;
    let texts: Vec<Line<'_>> = lines.starting_at(at + 1).take(WITHIN).map(|(_, line)| line).collect();
    let cells = texts.iter().filter_map(|line| {
        let before = line.text.split_once(" msec ").or_else(|| line.text.split_once(" seconds "))?.0;
        before.split("+-").next()?.split_ascii_whitespace().next_back()
    });
    DecimalMark::of_fractions(cells)
}

/// Whether a word in front of another one is an event that a cgroup follows, and no unit.
fn is_event(word: &str) -> bool {
    const PLAIN: &[&str] = &["cycles", "instructions", "branches", "faults", "migrations", "cs"];
    word.contains(['-', ':']) || word.ends_with('/') || PLAIN.contains(&word)
}

struct Reader {
    mark: DecimalMark,
    /// Whether a time stands first in each line.
    intervals: bool,
    /// Whether the lines are the times of single executions.
    table: bool,
    /// Whether the elapsed time was seen: only user and sys may follow.
    done: bool,
}

impl Reader {
    /// Takes a line that is not blank; `false` where the block ended before it.
    fn line(&mut self, line: &Line<'_>, block: &mut Block) -> bool {
        let text = line.text.trim_ascii();
        if let Some(total) = self.total(line, text) {
            self.done |= total.metric == "real";
            self.table = false;
            block.totals.push(total);
            return true;
        }
        if self.done {
            return false;
        }
        if text.starts_with('#') {
            self.table =
                text.starts_with("# Table of individual") || self.table && !text.starts_with("# Final");
            return !text.starts_with("# started on ");
        }
        if self.table
            && let Some(raw) = text.split_ascii_whitespace().next().filter(|_| text.contains(" ("))
        {
            block.each.push((line.number, line.offset, raw.to_owned(), parse_number(raw, &self.mark)));
            return true;
        }
        if let Some(count) = self.count(line) {
            block.counts.push(count);
            return true;
        }
        let inside = line.text.starts_with([' ', '\t']) && !text.starts_with("Performance counter stats");
        if inside {
            let found = text.to_owned();
            block.wrong.push((line.number, 1, found, "a count and an event"));
        }
        inside
    }

    /// `0.0519169 +- 0.0000731 seconds time elapsed  ( +- 0.14% )`
    fn total(&self, line: &Line<'_>, text: &str) -> Option<Total> {
        let (front, metric) = TOTALS.iter().find_map(|(label, metric)| {
            let (front, behind) = text.split_once(label)?;
            (behind.is_empty() || behind.starts_with(' ')).then_some((front, *metric))
        })?;
        let (raw, spread) = front.split_once("+-").unwrap_or((front, ""));
        let (raw, spread) = (raw.trim(), spread.trim());
        let spread = parse_number(spread, &self.mark).map(|value| (value, spread.to_owned()));
        let value = parse_number(raw, &self.mark);
        Some(Total { line: line.number, offset: line.offset, metric, value, raw: raw.to_owned(), spread })
    }

    /// `CPU0   1  119.00 msec task-clock   #  0.007 CPUs utilized   ( +- 0.90% )  (45.00%)`
    fn count(&self, line: &Line<'_>) -> Option<Count> {
        let (front, behind) = line.text.split_once(" #").unwrap_or((line.text, ""));
        let (front, spread) = match front.split_once("( +-") {
            Some((front, spread)) => (front, Some(spread)),
            None => (front, behind.split_once("( +-").map(|(_, spread)| spread)),
        };
        // How long the event was counted, where several shared a counter.
        let front = front.trim_ascii_end();
        let front = front
            .rsplit_once(" (")
            .filter(|(_, share)| share.ends_with("%)"))
            .map_or(front, |(front, _)| front);
        let mut words = front.split_ascii_whitespace().peekable();
        let mut count = Count::at(line);
        if self.intervals {
            count.time = Some(words.next().filter(|word| word.contains('.'))?.parse().ok()?);
        }
        if !self.is_value(words.peek()?) {
            count.place = Some(words.next()?.to_owned());
        }
        let mut raw = words.next().filter(|word| self.is_value(word))?;
        if count.place.is_some() && words.peek().is_some_and(|word| self.is_value(word)) {
            // The number of cores in the place comes first.
            raw = words.next()?;
        }
        if raw == "<not" {
            count.raw = format!("<not {}", words.next()?);
        } else {
            parse_number(raw, &self.mark)?;
            (count.raw, count.counted, count.mark) = (raw.to_owned(), true, self.mark);
        }
        let (unit, event, group) = match (words.next()?, words.next(), words.next()) {
            (event, None, _) => ("", event, None),
            (unit, Some(event), group) if !is_event(unit) => (unit, event, group),
            (event, Some(group), None) => ("", event, Some(group)),
            _ => return None,
        };
        // Rows of `--metric-only` are figures alone.
        if words.next().is_some() || !event.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        (count.unit, count.event) = (unit.to_owned(), event.to_owned());
        if let Some(group) = group {
            count.in_group(group);
        }
        count.spread = spread.and_then(|text| self.percent(text));
        count.cores = self.cores(behind).filter(|_| count.place.is_none());
        Some(count)
    }

    fn is_value(&self, word: &str) -> bool {
        word == "<not" || parse_number(word, &self.mark).is_some()
    }

    /// What stands before the first per cent sign.
    fn percent(&self, text: &str) -> Option<(f64, String)> {
        let raw = text.split_once('%')?.0.trim();
        Some((parse_number(raw, &self.mark)?, format!("{raw}%")))
    }

    fn cores(&self, behind: &str) -> Option<(f64, String)> {
        let raw = behind.split_once(" CPUs utilized")?.0.trim();
        Some((parse_scaled(raw, self.mark, 100, 0)?, raw.to_owned()))
    }
}
