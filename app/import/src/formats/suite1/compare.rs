//! Tables of quotients: `compare`, and what its ancestor of 2010 printed under a title `A / B`.

use super::label::{Label, tell_revisions_apart};
use super::show::{TIMES, is_damaged_row, is_end, number, word};
use super::{count, next_line};
use crate::sink::{Sink, measured, set_content};
use crate::text::{Line, Lines};
use triptych_model::{Key, Process, Quality, RunRow, Unit};

/// Names behind `factor` and `difference` of the columns min, max and avg.
const COLUMNS: [&str; 3] = ["_min", "_max", ""];

/// One table.
struct Table {
    /// The side whose times are above the line.
    right: Label,
    /// The side they are divided by, as printed.
    left: String,
}

/// Reads the table under `Compare R to L`; `None` where no header follows.
pub fn read(lines: &Lines<'_>, at: usize, title: &str, sink: &mut Sink<'_>) -> Option<usize> {
    let (right, left) = title.strip_prefix("Compare ")?.split_once(" to ")?;
    let (header, line) = next_line(lines, at + 1)?;
    let names: Vec<&str> = line.text.split_whitespace().collect();
    let columns: &[&str] = match names.as_slice() {
        ["N", "avg", "operation"] => COLUMNS.get(2..)?,
        ["N", "min", "max", "avg", "operation"] => &COLUMNS,
        _ => return None,
    };
    let table = Table { right: Label::parse(right), left: left.trim().to_owned() };
    let depth = line.depth;
    let mut end = header + 1;
    sink.close_run();
    while let Some(line) = lines.get(end).filter(|line| line.depth == depth && !is_end(line.text)) {
        match row(line.text, columns.len()) {
            Some(row) => write(&line, &table, columns, &row, sink),
            None if is_damaged_row(line.text) => {
                let expected = "counts N/N, a factor and seconds a column, and an operation";
                sink.not_understood(line.number, 1, "unreadable row", line.text.trim(), expected);
            }
            None => break,
        }
        end += 1;
    }
    sink.last = Some(tell_revisions_apart);
    Some(behind_legend(lines, end))
}

/// The three lines that explain the table belong to it.
fn behind_legend(lines: &Lines<'_>, at: usize) -> usize {
    if !lines.get(at).is_some_and(|line| line.text.trim_start().starts_with("(legend:")) {
        return at;
    }
    let closes = |at: &usize| lines.get(*at).is_some_and(|line| line.text.trim_end().ends_with(".)"));
    (at..at + 4).find(closes).map_or(at + 1, |last| last + 1)
}

/// A quotient and a difference in seconds.
struct Pair<'t> {
    factor: &'t str,
    seconds: &'t str,
}

struct Row<'t> {
    /// Timings of the side divided by, and of the other.
    counts: [u64; 2],
    pairs: Vec<Pair<'t>>,
    operation: &'t str,
}

/// `16/16    0.96| -0.002     0.89| -0.034     1.11| +0.020   commit`
fn row(text: &str, columns: usize) -> Option<Row<'_>> {
    let (counts, mut rest) = word(text)?;
    let (left, right) = counts.split_once('/')?;
    let mut pairs = Vec::new();
    for _ in 0..columns {
        let (factor, behind) = rest.split_once('|')?;
        let (seconds, behind) = word(behind)?;
        let factor = factor.trim();
        number(factor)?;
        number(seconds)?;
        pairs.push(Pair { factor, seconds });
        rest = behind;
    }
    let operation = Some(rest.trim()).filter(|rest| !rest.is_empty() && !rest.contains('|'))?;
    Some(Row { counts: [count(left)?, count(right)?], pairs, operation })
}

fn write(line: &Line<'_>, table: &Table, columns: &[&str], row: &Row<'_>, sink: &mut Sink<'_>) {
    let at = (line.number, line.offset);
    let mut run = RunRow { line: at.0, offset: at.1, ..RunRow::default() };
    table.right.describe(&mut run);
    set_content(&mut run, Key::Operation, row.operation);
    run.settings.insert("compared_to".to_owned(), table.left.as_str().into());
    let [left, right] = row.counts;
    run.settings.insert("compared_to_timings".to_owned(), left.into());
    let run = sink.run(run);
    for (column, pair) in columns.iter().zip(&row.pairs) {
        for (name, unit, raw) in
            [("factor", Unit::Times, pair.factor), ("difference", Unit::Secs, pair.seconds)]
        {
            let metric = format!("{name}{column}");
            let mut value = measured(run, at, Process::Client, &metric, unit, number(raw), raw);
            value.executions = Some(right);
            value.quality = Quality::AS_PRINTED;
            sink.measure(value);
        }
    }
}

/// Reads the rows below the header `min max avg operation (unit is …)` at `at`; `None` where it is
/// another line. The title `A / B` is looked for in the lines above.
pub fn read_ancestor(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Option<usize> {
    let line = lines.get(at)?;
    let is_time = unit_of_header(line.text)?;
    let mut above = (at.saturating_sub(2)..at).rev().filter_map(|above| lines.get(above));
    let title = above.find(|above| !above.is_blank()).map_or("", |title| title.text.trim());
    let (right, left) = title.split_once(" / ").unwrap_or_default();
    let mut end = at + 1;
    sink.close_run();
    while let Some(row) = lines.get(end).filter(|row| row.depth == line.depth && !is_end(row.text)) {
        match ancestor_row(row.text) {
            Some((values, operation)) => {
                let run = ancestor_run(&row, right, left, operation, sink);
                for ((time, column), raw) in TIMES.iter().zip(COLUMNS).zip(values) {
                    let (metric, unit) = match is_time {
                        true => ((*time).to_owned(), Unit::Secs),
                        false => (format!("factor{column}"), Unit::Times),
                    };
                    let at = (row.number, row.offset);
                    let mut value = measured(run, at, Process::Client, &metric, unit, number(raw), raw);
                    value.quality = Quality::AS_PRINTED;
                    sink.measure(value);
                }
            }
            None if is_damaged_row(row.text) => {
                let expected = "three numbers and an operation";
                sink.not_understood(row.number, 1, "unreadable row", row.text.trim(), expected);
            }
            None => break,
        }
        end += 1;
    }
    (end > at + 1).then_some(end)
}

/// Whether the values below a header are times, else factors; `None` where it is no header.
fn unit_of_header(text: &str) -> Option<bool> {
    let rest = text.trim().strip_prefix("min ")?;
    let words: Vec<&str> = rest.split_whitespace().take(5).collect();
    match words.as_slice() {
        ["max", "avg", "operation", "(unit", "is"] => Some(rest.contains("(unit is seconds")),
        _ => None,
    }
}

fn ancestor_row(text: &str) -> Option<([&str; 3], &str)> {
    let (least, rest) = word(text)?;
    let (most, rest) = word(rest)?;
    let (mean, rest) = word(rest)?;
    let values = [least, most, mean];
    let operation = Some(rest.trim()).filter(|rest| !rest.is_empty())?;
    values.iter().all(|value| number(value).is_some()).then_some((values, operation))
}

fn ancestor_run(line: &Line<'_>, right: &str, left: &str, operation: &str, sink: &mut Sink<'_>) -> u32 {
    let mut run = RunRow { line: line.number, offset: line.offset, ..RunRow::default() };
    set_content(&mut run, Key::Variant, right.trim());
    set_content(&mut run, Key::Operation, operation);
    if !left.is_empty() {
        run.settings.insert("compared_to".to_owned(), left.trim().into());
    }
    sink.run(run)
}
