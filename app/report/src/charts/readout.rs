//! What a bar, point or cell says when it is pointed at, and by its accessible name.

use crate::comparison::{Comparison, Row};
use crate::figure::{Rect, Target};
use crate::numbers;
use crate::words::{is_printed, row_title, shown_name};
use triptych_analysis::{INDICATION_BELOW, Verdict};
use triptych_store::{Cell, RunIndex};

/// The target of one cell of a triple.
pub(crate) fn target(comparison: &Comparison, row: &Row, cell: usize, rect: Rect) -> Target {
    let name = row.name(cell).unwrap_or_default();
    Target {
        rect,
        title: format!("{}, {}", shown_name(name), row_title(row)),
        variant: Some(comparison.variant(name)),
        lines: lines(comparison, row, cell),
        runs: all_runs(row, cell),
    }
}

/// Runs that count, then the failed and left-out ones: a click shows what a cell stands for.
pub(crate) fn all_runs(row: &Row, cell: usize) -> Vec<RunIndex> {
    let mut runs = row.runs(cell);
    if let Some(cell) = row.group.cells.get(cell) {
        runs.extend(&cell.failed);
        runs.extend(cell.left_out.iter().map(|(run, _)| *run));
    }
    runs
}

/// Label and value of each line: value, runs, interval, ratio, verdict, failures, source.
pub fn lines(comparison: &Comparison, row: &Row, cell: usize) -> Vec<(String, String)> {
    let (Some(own), Some(side)) = (row.group.cells.get(cell), row.sides.get(cell)) else { return Vec::new() };
    let unit = row.group.unit;
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut push = |label: &str, value: String| lines.push((label.to_owned(), value));
    match (side.median, own.values.as_slice()) {
        (Some(value), [only]) if is_printed(only) => {
            push(&row.group.metric, numbers::with_unit(value, unit));
            push("as printed", only.raw.trim().to_owned());
        }
        (Some(value), [_]) => {
            push(&format!("{}, one run", row.group.metric), numbers::with_unit(value, unit));
        }
        (Some(value), _) => push(&format!("median of {}", side.n), numbers::with_unit(value, unit)),
        (None, _) => push(&row.group.metric, "not measured".to_owned()),
    }
    if let (Some((low, high)), true) = (side.range, side.n > 1) {
        push("runs", spanned(low, high, unit));
    }
    if let Some((low, high)) = side.interval {
        push("95 % interval", spanned(low, high, unit));
    }
    if let (Some(ratio), Some(base)) = (side.ratio, row.name(row.baseline)) {
        let interval = side
            .ratio_interval
            .map(|(low, high)| format!(", 95{}% {}", numbers::NARROW, numbers::ratio_span(low, high)));
        push(&format!("ratio to {base}"), numbers::ratio(ratio) + &interval.unwrap_or_default());
    }
    if let Some(printed) = row.printed_ratio(&own.name) {
        let doubt = if printed.inconsistent { ", contradicts the times" } else { "" };
        push("printed ratio", format!("{}{doubt}", printed.raw.trim()));
    }
    if let Some(verdict) = side.verdict {
        push("verdict", verdict_text(verdict, row, cell));
    }
    if !side.outliers.is_empty() {
        push("outliers", side.outliers.len().to_string());
    }
    if !own.failed.is_empty() {
        push("failed", own.failed.len().to_string());
    }
    if !own.left_out.is_empty() {
        push("left out", own.left_out.len().to_string());
    }
    lines.extend(source(comparison, own).map(|text| ("source".to_owned(), text)));
    lines
}

fn spanned(low: f64, high: f64, unit: triptych_model::Unit) -> String {
    format!("{} to {}", numbers::digits(low, unit), numbers::with_unit(high, unit))
}

/// Whether the marks of a cell are hollow: fewer than six runs on either side.
pub(crate) fn is_indication(row: &Row, cell: usize) -> bool {
    let n = |index: usize| row.sides.get(index).map_or(0, |side| side.n);
    n(cell).min(n(row.baseline)) < INDICATION_BELOW
}

fn verdict_text(verdict: Verdict, row: &Row, cell: usize) -> String {
    let reserve = if verdict != Verdict::TooFew && is_indication(row, cell) { ", an indication" } else { "" };
    format!("{verdict}{reserve}")
}

/// `branch7-hot-r1.txt:2 and 3 more`.
fn source(comparison: &Comparison, cell: &Cell) -> Option<String> {
    let first = cell.values.first()?;
    let name = comparison.source_name(first.source)?;
    let more = cell.values.len() - 1;
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("{name}:{}{rest}", first.line))
}
