//! Changes with an arrow: `Total time:  3.861 s  →  2.812 s`, `Read IO:  57322 KB  ->  316 KB`.
//!
//! A row has a label with a colon and a figure with a unit on both sides; `step: 1 -> 2` and arrows in
//! prose or code are none. Rows right below each other are values of the same two runs.

use super::list_heading::describe;
use super::list_table::{Context, Out, Piece, Shared, is_absent, printed};
use crate::number::{parse_duration, parse_size, take_qualifier};
use triptych_model::{Key, Process, Unit, metric_spec};

/// The two runs of the rows right above, and the metrics they have.
#[derive(Clone, Default)]
pub struct Change {
    runs: Option<(u32, u32)>,
    metrics: Vec<String>,
}

struct Row<'a> {
    label: &'a str,
    sides: [&'a str; 2],
}

/// Labels of metrics that have another name here; others keep their own.
const LABELS: &[(&str, &str)] = &[
    ("total time", "time"),
    ("run time", "time"),
    ("runtime", "time"),
    ("elapsed", "real"),
    ("elapsed time", "real"),
    ("wall time", "real"),
    ("wall clock", "real"),
    ("real time", "real"),
    ("user time", "user"),
    ("system time", "sys"),
    ("sys time", "sys"),
    ("cpu time", "cpu_time"),
];

fn parse(text: &str) -> Option<Row<'_>> {
    let (front, after) = text.split_once('\u{2192}').or_else(|| text.split_once(" -> "))?;
    let colon = front.char_indices().find(|(at, c)| {
        *c == ':' && front.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_whitespace))
    })?;
    let (label, before) = (front.get(..colon.0)?.trim(), front.get(colon.0 + 1..)?.trim());
    let is_label = !label.is_empty()
        && label.split_whitespace().count() <= 5
        && label.contains(char::is_alphabetic)
        && !label.contains(['\u{2192}', '=', '(']);
    let after = without_remark(after.trim());
    is_label.then_some(Row { label, sides: [before, after] })
}

/// The figure without `(27 % less)` behind it.
fn without_remark(text: &str) -> &str {
    match text.split_once('(') {
        Some((figure, remark)) if remark.ends_with(')') && !figure.trim().is_empty() => figure.trim_end(),
        _ => text,
    }
}

fn figure(text: &str) -> Option<(f64, Unit)> {
    let text = take_qualifier(text).1;
    let secs = || parse_duration(text).map(|value| (value, Unit::Secs));
    secs().or_else(|| parse_size(text).map(|value| (value, Unit::Bytes)))
}

fn metric(label: &str) -> String {
    let lower = label.to_lowercase();
    match LABELS.iter().find(|(known, _)| *known == lower) {
        Some((_, metric)) => (*metric).to_owned(),
        None => lower.replace(|c: char| c.is_whitespace() || c == '-', "_"),
    }
}

/// Reads a row with a figure before and after.
pub fn row(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    let Some(row) = parse(piece.text) else { return false };
    let sides = row.sides.map(figure);
    let unit = match sides {
        [Some((_, a)), Some((_, b))] if a == b => a,
        // One side may be a word for the lack of a figure, or damaged; the other shows what it should be.
        [Some((_, unit)), None] | [None, Some((_, unit))] if row.sides.iter().all(|side| is_cell(side)) => {
            unit
        }
        _ => return false,
    };
    let metric = metric(row.label);
    if metric_spec(&metric).is_some_and(|spec| spec.unit != unit) {
        return false;
    }
    let Some(sink) = out else { return true };
    if context.change.metrics.contains(&metric) {
        context.change = Change::default();
    }
    let (before, after) = context.change.runs.unwrap_or_else(|| {
        let mut open = |name: &str| {
            let mut run = context.run(shared, piece);
            describe(&mut run, context.heading.as_deref());
            run.content.set(Key::Variant, name);
            sink.run(run)
        };
        (open("before"), open("after"))
    });
    context.change.runs = Some((before, after));
    context.change.metrics.push(metric.clone());
    for ((run, side), text) in [before, after].into_iter().zip(sides).zip(row.sides) {
        if side.is_none() && !is_absent(text) {
            let (line, column) = (piece.line.number, piece.column(text));
            sink.not_understood(
                line,
                column,
                "unreadable figure",
                text,
                "a duration or a size with its unit",
            );
        }
        let value = side.map(|(value, _)| value);
        sink.measure(printed(run, piece, Process::Client, &metric, unit, value, text));
    }
    true
}

/// Whether a text can be meant as a figure: it begins with a digit, or is a word for the lack of one.
fn is_cell(text: &str) -> bool {
    let text = take_qualifier(text).1;
    is_absent(text)
        || (text.starts_with(|c: char| c.is_ascii_digit()) && text.split_whitespace().count() <= 2)
}
