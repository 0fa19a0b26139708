//! Sentences and names made from a triple: headings, the notation of the lists, verdicts in words.
//!
//! Used by the exporters, the charts' read-outs and Details, so that all say the same.

use crate::comparison::{Comparison, Row, Side, withheld};
use crate::numbers;
use std::borrow::Cow;
use triptych_analysis::{INDICATION_BELOW, Verdict};
use triptych_model::{Key, Quality, Unit};
use triptych_store::{Cell, Value};

/// The conditions that name a triple within its campaign, in the order of headings.
pub(crate) const ROW_KEYS: [Key; 6] =
    [Key::Operation, Key::Repository, Key::Network, Key::Threads, Key::Medium, Key::Cache];

/// `null-log -v, hot`: the operation with the conditions that are known.
pub fn row_title(row: &Row) -> String {
    let title = conditions_text(row, &ROW_KEYS);
    if title.is_empty() { row.group.metric.clone() } else { title }
}

/// The values of those conditions, joined by commas.
pub(crate) fn conditions_text(row: &Row, keys: &[Key]) -> String {
    let known: Vec<Cow<'_, str>> = keys.iter().filter_map(|key| condition_text(row, *key)).collect();
    known.join(", ")
}

/// One condition for a heading; a bare number is said to be of threads.
pub(crate) fn condition_text(row: &Row, key: Key) -> Option<Cow<'_, str>> {
    let value = row.group.conditions.get(key).filter(|value| !value.is_empty())?;
    Some(match (key, value) {
        (Key::Threads, "1") => Cow::Borrowed("1 thread"),
        (Key::Threads, value) => Cow::Owned(format!("{value} threads")),
        (_, value) => Cow::Borrowed(value),
    })
}

/// The triple in the notation of the lists: `66.1s / 62.0s / 59.4s = 1.00 : 1.07 : 1.11`.
///
/// Printed values and ratios stand in their own text; across threads the ratios are speed-ups
/// (`= 1.00x, 1.59x`). Without any ratio only the values stand there.
pub fn notation(row: &Row) -> String {
    let cells = row.group.cells.iter().zip(&row.sides);
    let mut text = cells.map(|(cell, side)| cell_text(row, cell, side)).collect::<Vec<_>>().join(" / ");
    let ratios = ratio_texts(row);
    if ratios.iter().any(Option::is_some) && row.sides.len() > 1 {
        let scaling = row.group.across == Key::Threads;
        let (separator, suffix) = if scaling { (", ", "x") } else { (" : ", "") };
        let texts: Vec<String> = ratios
            .iter()
            .enumerate()
            .map(|(index, ratio)| match ratio {
                _ if index == row.baseline => format!("1.00{suffix}"),
                Some(ratio) => format!("{ratio}{}", if ratio.ends_with('x') { "" } else { suffix }),
                None => "none".to_owned(),
            })
            .collect();
        text.push_str(" = ");
        text.push_str(&texts.join(separator));
    }
    text
}

/// The value of a cell as the lists print it; `not measured` where no run is.
pub(crate) fn cell_text(row: &Row, cell: &Cell, side: &Side) -> String {
    match (side.median, cell.values.as_slice()) {
        // Seconds of a column whose header has the unit: in the lists every value has its own.
        (Some(median), [only])
            if is_printed(only) && row.group.unit == Unit::Secs && !says_unit(&only.raw) =>
        {
            format!("{median}s")
        }
        (Some(_), [only]) if is_printed(only) => only.raw.trim().to_owned(),
        (Some(median), _) => numbers::list_value(median, row.group.unit),
        (None, _) if cell.failed.is_empty() => "not measured".to_owned(),
        (None, _) => "failed".to_owned(),
    }
}

/// Whether the text of a duration says what it is: `12.5s`, `1:15.65`, but not `12.5`.
fn says_unit(raw: &str) -> bool {
    raw.contains(|c: char| c.is_alphabetic() || c == ':')
}

/// Ratios of all cells but the baseline in the lists' notation, printed ones in their own text.
fn ratio_texts(row: &Row) -> Vec<Option<String>> {
    let text = |(index, (cell, side)): (usize, (&Cell, &Side))| {
        if index == row.baseline {
            return None;
        }
        let printed = row.printed_ratio(&cell.name).map(|ratio| ratio.raw.trim().to_owned());
        printed.or_else(|| side.ratio.map(numbers::list_ratio))
    };
    row.group.cells.iter().zip(&row.sides).enumerate().map(text).collect()
}

/// The name of a side for people; a variant that nothing names is unknown, not blank.
pub fn shown_name(name: &str) -> &str {
    if name.is_empty() { "unknown" } else { name }
}

/// What stands behind a row where it applies: n, failures, runs left out, contradictions.
pub fn remarks(row: &Row) -> Vec<String> {
    let mut remarks = Vec::new();
    if row.sides.iter().any(|side| side.n > 1) {
        let counts: Vec<String> = row.sides.iter().map(|side| side.n.to_string()).collect();
        remarks.push(format!("n = {}", counts.join(", ")));
    }
    let several = row.group.cells.len() > 1;
    for cell in &row.group.cells {
        let whose = if several { format!("{}: ", shown_name(&cell.name)) } else { String::new() };
        if !cell.failed.is_empty() {
            remarks.push(format!("{whose}{} failed", cell.failed.len()));
        }
        if !cell.left_out.is_empty() {
            remarks.push(format!("{whose}{} left out", cell.left_out.len()));
        }
    }
    remarks.extend(contradiction(row));
    remarks
}

/// `warning: the printed ratios contradict the times, which give 1.00 : 1.08 : 6.23`.
pub fn contradiction(row: &Row) -> Option<String> {
    let flagged = row.group.printed_ratios.iter().any(|ratio| ratio.inconsistent);
    if !flagged && !row.group.flags.iter().any(|flag| flag == "inconsistent") {
        return None;
    }
    let computed: Vec<String> = row
        .sides
        .iter()
        .enumerate()
        .map(|(index, side)| match side.ratio {
            _ if index == row.baseline => "1.00".to_owned(),
            Some(ratio) => numbers::list_ratio(ratio),
            None => "none".to_owned(),
        })
        .collect();
    Some(format!("warning: the printed ratios contradict the times, which give {}", computed.join(" : ")))
}

/// What ratios are quotients of: `trunk / variant`, `threads 1 / others`.
pub(crate) fn quotient(comparison: &Comparison) -> String {
    let has_ratio = |row: &&Row| row.sides.iter().any(|side| side.ratio.is_some());
    let with_ratios = comparison.rows.iter().filter(has_ratio);
    let mut bases: Vec<&str> = with_ratios.filter_map(|row| row.name(row.baseline)).collect();
    bases.sort_unstable();
    bases.dedup();
    let base = if let [one] = bases.as_slice() { shown_name(one) } else { "baseline" };
    match comparison.rows.first().map_or(Key::Variant, |row| row.group.across) {
        Key::Variant => format!("{base} / variant"),
        key => format!("{} {base} / others", key.name()),
    }
}

/// Whether the value's own text is what a reader wants to see.
pub(crate) fn is_printed(value: &Value) -> bool {
    value.quality.has(Quality::AS_PRINTED) && !value.raw.trim().is_empty()
}

/// The verdict on one side as sentences: who, how much, interval, reserve.
///
/// Empty for the baseline and where there is no ratio.
pub fn verdict_sentence(comparison: &Comparison, row: &Row, cell: usize) -> String {
    let (Some(side), Some(name), Some(base)) = (row.sides.get(cell), row.name(cell), row.name(row.baseline))
    else {
        return String::new();
    };
    let Some(ratio) = side.ratio else { return String::new() };
    let (name, base) = (shown_name(name), shown_name(base));
    let mut sentences = vec![how_much(name, base, ratio)];
    let threshold = numbers::percent(comparison.threshold_percent);
    if let Some((low, high)) = side.ratio_interval {
        let ends = numbers::ratio_span(low, high);
        sentences.push(match side.verdict {
            Some(Verdict::Faster) => {
                format!("The 95{n}% interval of the ratio, {ends}, lies above 1 and the ratio beyond the threshold of {threshold}.", n = numbers::NARROW)
            }
            Some(Verdict::Slower) => {
                format!("The 95{n}% interval of the ratio, {ends}, lies below 1 and the ratio beyond the threshold of {threshold}.", n = numbers::NARROW)
            }
            Some(Verdict::Same) => {
                format!("The 95{n}% interval of the ratio, {ends}, lies within the threshold of {threshold}: they are the same.", n = numbers::NARROW)
            }
            _ => format!("The 95{n}% interval of the ratio is {ends}.", n = numbers::NARROW),
        });
    }
    sentences.extend(reserve(comparison, row, side));
    sentences.extend(withheld(&row.group, row.baseline, cell).map(str::to_owned));
    sentences.join(" ")
}

fn how_much(name: &str, base: &str, ratio: f64) -> String {
    let (up, down) = (numbers::ratio(ratio), numbers::ratio(1.0 / ratio));
    if up == "1.00" || down == "1.00" {
        format!("{name} takes as long as {base}, to two decimals.")
    } else if ratio > 1.0 {
        format!("{name} is {up} times as fast as {base}.")
    } else {
        format!("{name} takes {down} times as long as {base}.")
    }
}

fn reserve(comparison: &Comparison, row: &Row, side: &Side) -> Vec<String> {
    let base = row.sides.get(row.baseline).map_or(0, |side| side.n);
    let fewest = side.n.min(base);
    let mut sentences = Vec::new();
    match side.verdict {
        Some(Verdict::TooFew) => {
            let runs = numbers::plural(fewest, "run", "runs");
            sentences.push(format!("With {runs} on a side there are too few samples for a verdict."));
        }
        Some(Verdict::NotShown) => sentences.push("A difference is not shown.".to_owned()),
        _ => {}
    }
    if side.verdict.is_some_and(|verdict| verdict != Verdict::TooFew) && fewest < INDICATION_BELOW {
        sentences.push(format!("With fewer than {INDICATION_BELOW} runs this is an indication."));
    }
    if let (Some((low, high)), true) = (side.corrected_interval, side.corrected_verdict != side.verdict) {
        let word = side.corrected_verdict.map_or("not shown", Verdict::word);
        sentences.push(format!(
            "Corrected for all {} comparisons the interval is {}: {word}.",
            comparison.comparisons(row),
            numbers::ratio_span(low, high)
        ));
    }
    sentences
}
