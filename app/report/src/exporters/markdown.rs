//! Markdown: one table a heading, ratios with interval and verdict.

use super::{Block, campaigns, doubts, row_label};
use crate::comparison::{Comparison, Row};
use crate::numbers;
use crate::words::{cell_text, contradiction, quotient, shown_name};

/// The triples as Markdown tables, the same figures as the text with intervals and verdicts.
pub(super) fn markdown(comparison: &Comparison) -> String {
    let campaigns = campaigns(comparison);
    let mut out = String::new();
    for (name, blocks) in &campaigns {
        if let (Some(name), true) = (name, campaigns.len() > 1) {
            out.push_str(&format!("## {}\n\n", escaped(name)));
        }
        for block in blocks {
            push_block(&mut out, comparison, block);
        }
    }
    if !comparison.rows.is_empty() {
        out.push_str(&format!(
            "Ratios are {}, above 1 is faster. {} Threshold of verdicts: {} %.\n",
            quotient(comparison),
            comparison.method,
            comparison.threshold_percent
        ));
    }
    out
}

fn push_block(out: &mut String, comparison: &Comparison, block: &Block<'_>) {
    let Some(first) = block.first() else { return };
    out.push_str(&format!("### {}\n\n", escaped(&block.heading(comparison))));
    let keys = block.label_keys();
    let label = keys.iter().map(|key| key.name()).collect::<Vec<_>>().join(" ");
    let mut head = vec![label];
    head.extend(first.group.cells.iter().map(|cell| escaped(shown_name(&cell.name))));
    let others = |row: &Row| (0..row.sides.len()).filter(|index| *index != row.baseline).collect::<Vec<_>>();
    head.extend(
        others(first)
            .iter()
            .filter_map(|index| first.name(*index))
            .map(|name| format!("ratio {}", escaped(shown_name(name)))),
    );
    push_row(out, &head);
    let rule: Vec<String> =
        (0..head.len()).map(|index| if index == 0 { "---" } else { "---:" }.to_owned()).collect();
    push_row(out, &rule);
    for row in &block.rows {
        let mut line = vec![escaped(&row_label(row, &keys))];
        line.extend((0..row.sides.len()).map(|index| value(row, index)));
        line.extend(others(row).into_iter().map(|index| ratio(row, index)));
        push_row(out, &line);
    }
    out.push('\n');
    for row in &block.rows {
        let doubts = doubts(row);
        if !doubts.is_empty() {
            out.push_str(&format!(
                "{}: {}\n\n",
                escaped(&row_label(row, &keys)),
                escaped(&doubts.join("; "))
            ));
        }
    }
    for warning in block.rows.iter().filter_map(|row| contradiction(row).map(|text| (row, text))) {
        out.push_str(&format!("{}: {}\n\n", escaped(&row_label(warning.0, &keys)), warning.1));
    }
}

fn value(row: &Row, index: usize) -> String {
    let (Some(cell), Some(side)) = (row.group.cells.get(index), row.sides.get(index)) else {
        return String::new();
    };
    let mut text = escaped(&cell_text(row, cell, side));
    if side.n > 1 {
        text.push_str(&format!(" (n = {})", side.n));
    }
    if !cell.failed.is_empty() && side.n > 0 {
        text.push_str(&format!(", {} failed", cell.failed.len()));
    }
    text
}

fn ratio(row: &Row, index: usize) -> String {
    let Some(side) = row.sides.get(index) else { return String::new() };
    let printed = row.name(index).and_then(|name| row.printed_ratio(name));
    let Some(number) =
        printed.map(|p| p.raw.trim().to_owned()).or_else(|| side.ratio.map(numbers::list_ratio))
    else {
        return String::new();
    };
    let interval = side
        .ratio_interval
        .map(|(low, high)| format!(" ({})", numbers::ratio_span(low, high)))
        .unwrap_or_default();
    let verdict = side.verdict.map(|verdict| format!(" {verdict}")).unwrap_or_default();
    format!("{number}{interval}{verdict}")
}

fn push_row(out: &mut String, cells: &[String]) {
    out.push_str(&format!("| {} |\n", cells.join(" | ")));
}

/// Text that Markdown must not read as its own signs.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '|' | '\\' | '`' | '*' | '_' | '<' | '[') {
            out.push('\\');
        }
        out.push(if character == '\n' { ' ' } else { character });
    }
    out
}
