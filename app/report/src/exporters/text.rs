//! Plain text in the notation of the lists, ready for a mail.

use super::{Block, campaigns, doubts, row_label};
use crate::comparison::Comparison;
use crate::words::{notation, quotient, remarks, shown_name};
use std::fmt::Write as _;
use triptych_model::{Key, Unit};

/// The triples as text: a heading with the command, the variants, then a row for each medium and cache.
///
/// Printed figures stand in their own text. Below them stands what was compared and how.
pub fn table_text(comparison: &Comparison) -> String {
    let campaigns = campaigns(comparison);
    let mut out = String::new();
    for (index, (name, blocks)) in campaigns.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if let (Some(name), true) = (name, campaigns.len() > 1) {
            let line = "=".repeat(name.chars().count());
            push_line(&mut out, name);
            push_line(&mut out, &line);
        }
        for (index, block) in blocks.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            push_block(&mut out, comparison, block);
        }
    }
    if !comparison.rows.is_empty() {
        out.push('\n');
        push_line(&mut out, &foot(comparison));
    }
    out
}

fn push_block(out: &mut String, comparison: &Comparison, block: &Block<'_>) {
    let Some(first) = block.first() else { return };
    push_line(out, &block.heading(comparison));
    let keys = block.label_keys();
    let head = keys.first().map_or("", |key| key.name());
    let labels: Vec<String> = block.rows.iter().map(|row| row_label(row, &keys)).collect();
    let width = labels.iter().map(|label| label.chars().count()).chain([head.len()]).max().unwrap_or(0);
    let gap = if width == 0 { "" } else { "  " };
    let names: Vec<&str> = first.group.cells.iter().map(|cell| shown_name(&cell.name)).collect();
    // Bare numbers would not say what they count.
    let across = if first.group.across == Key::Variant { "" } else { first.group.across.name() };
    let is_nameless = first.group.cells.iter().all(|cell| cell.name.is_empty());
    if !is_nameless || !head.is_empty() {
        push_line(out, &format!("{head:width$}{gap}{} {across}", names.join(" / ")));
    }
    for (row, label) in block.rows.iter().zip(&labels) {
        let mut line = format!("{label:width$}{gap}{}", notation(row));
        let (warnings, mut remarks): (Vec<String>, Vec<String>) =
            remarks(row).into_iter().partition(|remark| remark.starts_with("warning"));
        remarks.extend(doubts(row));
        if !remarks.is_empty() {
            let _never = write!(line, "  ({})", remarks.join("; "));
        }
        for warning in warnings {
            let _never = write!(line, "  ! {warning}");
        }
        push_line(out, &line);
    }
}

/// What the figures are: `real of client in s, medians of the runs; ratios are trunk / variant, above 1 is faster`.
fn foot(comparison: &Comparison) -> String {
    let what = match &comparison.metric {
        Some((metric, unit, process)) => format!("{metric} of {process} in {unit}"),
        None => "the metric named in each heading".to_owned(),
    };
    let many = comparison.rows.iter().flat_map(|row| &row.sides).any(|side| side.n > 1);
    let medians = if many { ", medians of the runs" } else { "" };
    if !comparison.rows.iter().flat_map(|row| &row.sides).any(|side| side.ratio.is_some()) {
        return format!("{what}{medians}");
    }
    let is_time = comparison.metric.as_ref().is_none_or(|(_, unit, _)| *unit == Unit::Secs);
    let better = if is_time { "faster" } else { "less" };
    format!("{what}{medians}; ratios are {}, above 1 is {better}", quotient(comparison))
}

/// Adds a line. A name may hold line ends and codes that a terminal would obey.
fn push_line(out: &mut String, line: &str) {
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    out.extend(line.trim_end().chars().map(shown));
    out.push('\n');
}
