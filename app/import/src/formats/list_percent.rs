//! Rows with a share of another row: `trunk+diff -M1000    3m23.496s ( 97%)`, `svndiff alone: 3471614 (50%)`.
//!
//! A share means something only where a row of 100 % stands in the same table: then `97%` is that of
//! the row's figure in the 100 % row's. Two rows at least, one of them the whole; else nothing is read.

use super::list_heading::describe;
use super::list_ratio::split_head;
use super::list_table::{Context, Out, Piece, Shared, printed, quotation_of};
use crate::number::{DecimalMark, Printed, parse_size, printed_duration, printed_number, take_qualifier};
use crate::sink::Sink;
use triptych_model::{Key, Problem, ProblemKind, Process, Quality, Severity, Unit};

/// The table of shares that is open.
#[derive(Clone, Default)]
pub struct Shares {
    /// Rows that wait for a row of 100 %.
    waiting: Vec<Kept>,
    /// The figure of the 100 % row, once it was met.
    whole: Option<Figure>,
    /// Rows met so far.
    rows: usize,
}

/// A row that was read, with its place.
#[derive(Clone)]
struct Kept {
    label: String,
    cell: String,
    figure: Figure,
    share: Printed,
    share_text: String,
    at: (u32, u64),
    column: u32,
    repeats: Option<u32>,
}

/// A figure with its base unit.
#[derive(Clone, Copy)]
struct Figure {
    printed: Printed,
    unit: Unit,
}

/// A row taken apart.
struct Row<'a> {
    label: &'a str,
    cell: &'a str,
    figure: Figure,
    share: &'a str,
}

/// Labels are names, not sentences.
const LABEL_WORDS: usize = 6;

fn parse(text: &str) -> Option<Row<'_>> {
    let (front, share) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
    let share = share.trim();
    printed_number(share.strip_suffix('%')?.trim_end(), &DecimalMark::Point)?;
    let (label, cell) = split_head(front.trim_end());
    let named = label.trim_end().strip_suffix(':');
    let figure = figure(cell, named.is_some())?;
    let label = named.unwrap_or(label).trim();
    let is_label = !label.is_empty()
        && label.split_whitespace().count() <= LABEL_WORDS
        && !label.contains(['/', '=', '%'])
        && label.contains(char::is_alphabetic);
    is_label.then_some(Row { label, cell, figure, share })
}

/// A duration or a size with its unit; a bare number only behind a label's colon.
fn figure(cell: &str, is_named: bool) -> Option<Figure> {
    let text = take_qualifier(cell).1;
    if let Some(printed) = printed_duration(text) {
        return Some(Figure { printed, unit: Unit::Secs });
    }
    if let Some(value) = parse_size(text) {
        // Sizes are rounded to a few digits; a hundredth of them is the most that is lost.
        return Some(Figure { printed: Printed { value, half: value / 100.0 }, unit: Unit::Bytes });
    }
    let printed = printed_number(text, &DecimalMark::Point).filter(|_| is_named)?;
    Some(Figure { printed, unit: Unit::Count })
}

/// Whether a line looks like such a row; it is one only with others.
pub fn looks_so(text: &str) -> bool {
    text.contains("%)") && parse(text).is_some()
}

/// Reads a row; before a row of 100 % was met it is only kept, and the line is not claimed.
pub fn row(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    if !piece.text.contains("%)") {
        return false;
    }
    let Some(row) = parse(piece.text) else { return false };
    let share = row.share.trim_end_matches('%').trim_end();
    let Some(share) = printed_number(share, &DecimalMark::Point) else { return false };
    let is_whole = share.value.to_bits() == 100_f64.to_bits();
    let shares = &mut context.shares;
    shares.rows += 1;
    if is_whole && shares.whole.is_none() {
        shares.whole = Some(row.figure);
    }
    let repeats = quotation_of(shared, piece, context.heading.as_deref().unwrap_or(""));
    context.shares.waiting.push(Kept {
        label: row.label.to_owned(),
        cell: row.cell.to_owned(),
        figure: row.figure,
        share,
        share_text: row.share.to_owned(),
        at: piece.at(),
        column: piece.column(row.share),
        repeats,
    });
    if context.shares.rows < 2 || context.shares.whole.is_none() {
        return false;
    }
    if let Some(sink) = out {
        for kept in std::mem::take(&mut context.shares.waiting) {
            match kept.repeats {
                Some(first) => super::list_table::note_quotation(first, kept.at.0, sink),
                None => write(context, shared, piece, &kept, sink),
            }
        }
    }
    true
}

/// Ends the table: the next rows have a whole of their own.
pub fn end(context: &mut Context) {
    context.shares = Shares::default();
}

fn write(context: &Context, shared: &Shared, piece: &Piece<'_>, kept: &Kept, sink: &mut Sink<'_>) {
    let mut run = context.run(shared, piece);
    (run.line, run.offset) = kept.at;
    describe(&mut run, context.heading.as_deref());
    run.content.set(Key::Variant, kept.label.as_str());
    let wrong = context.shares.whole.and_then(|whole| contradiction(whole, kept));
    let quality = if wrong.is_some() { Quality::INCONSISTENT } else { Quality::NONE };
    run.quality = run.quality.with(quality);
    let run = sink.run(run);
    let (metric, unit) = metric(kept, context.heading.as_deref());
    for (metric, unit, value, raw) in [
        (metric, unit, kept.figure.printed.value, &kept.cell),
        ("relative", Unit::Percent, kept.share.value, &kept.share_text),
    ] {
        let mut row = printed(run, piece, Process::Client, metric, unit, Some(value), raw);
        (row.line, row.offset) = kept.at;
        row.quality = row.quality.with(quality);
        sink.measure(row);
    }
    if let Some(computed) = wrong {
        let message = format!(
            "the share does not follow from the figures: printed {}, computed {computed:.0}%",
            kept.share_text
        );
        let path = sink.data.path.clone();
        let problem = Problem::new(Severity::Warning, ProblemKind::Inconsistent, path, message);
        sink.problem(problem.at_line(kept.at.0).at_column(kept.column));
    }
}

/// A bare number is bytes only where row or heading says so.
fn metric(kept: &Kept, heading: Option<&str>) -> (&'static str, Unit) {
    let says_bytes = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("bytes"))
    };
    match kept.figure.unit {
        Unit::Secs => ("time", Unit::Secs),
        Unit::Count if !says_bytes(&kept.label) && !heading.is_some_and(says_bytes) => ("size", Unit::Count),
        _ => ("size", Unit::Bytes),
    }
}

/// What the figures give where the printed share lies outside half a unit of every printed number.
fn contradiction(whole: Figure, kept: &Kept) -> Option<f64> {
    let (base, part) = (whole.printed, kept.figure.printed);
    if whole.unit != kept.figure.unit || base.value <= 0.0 {
        return None;
    }
    let slack = 1e-9;
    let low = 100.0 * (part.value - part.half) / (base.value + base.half);
    let short = base.value - base.half;
    let high = if short > 0.0 { 100.0 * (part.value + part.half) / short } else { f64::INFINITY };
    // Shares are rounded or cut off: a whole unit of their last digit is allowed.
    let half = 2.0 * kept.share.half;
    let fits = kept.share.value + half + slack >= low && kept.share.value - half - slack <= high;
    (!fits).then(|| 100.0 * part.value / base.value)
}
