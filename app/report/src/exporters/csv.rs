//! CSV of the triples: one line a side, full precision, empty cell for what is unknown.

use crate::comparison::{Comparison, Row};
use triptych_model::Key;

const KEYS: [Key; 8] = [
    Key::Campaign,
    Key::Host,
    Key::Operation,
    Key::Repository,
    Key::Medium,
    Key::Cache,
    Key::Network,
    Key::Threads,
];

const REST: [&str; 15] = [
    "process",
    "metric",
    "unit",
    "across",
    "baseline",
    "name",
    "value",
    "n",
    "failed",
    "ratio",
    "ratio_low",
    "ratio_high",
    "verdict",
    "printed_ratio",
    "flags",
];

/// The triples as CSV after RFC 4180; the columns are those of `--as json`, one line a side.
pub(super) fn csv(comparison: &Comparison) -> String {
    // A triple has a variant only where something else is compared.
    let variant = comparison.rows.iter().any(|row| row.condition(Key::Variant).is_some());
    let keys: Vec<Key> = KEYS.into_iter().chain(variant.then_some(Key::Variant)).collect();
    let mut head: Vec<String> = keys.iter().map(|key| key.name().to_owned()).collect();
    head.extend(REST.iter().map(|&name| name.to_owned()));
    let mut out = line(&head);
    for row in &comparison.rows {
        for index in 0..row.sides.len() {
            out.push_str(&line(&side(row, index, &keys)));
        }
    }
    out
}

fn side(row: &Row, index: usize, keys: &[Key]) -> Vec<String> {
    let (Some(cell), Some(side)) = (row.group.cells.get(index), row.sides.get(index)) else {
        return Vec::new();
    };
    let group = &row.group;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let mut fields: Vec<String> =
        keys.iter().map(|key| row.condition(*key).unwrap_or_default().to_owned()).collect();
    fields.extend([
        group.process.to_string(),
        group.metric.clone(),
        group.unit.to_string(),
        group.across.name().to_owned(),
        row.name(row.baseline).unwrap_or_default().to_owned(),
        cell.name.clone(),
        number(side.median),
        side.n.to_string(),
        cell.failed.len().to_string(),
        number(super::json::ratio_of(row, index)),
        number(side.ratio_interval.map(|ends| ends.0)),
        number(side.ratio_interval.map(|ends| ends.1)),
        side.verdict.map(|verdict| verdict.word().to_owned()).unwrap_or_default(),
        number(row.printed_ratio(&cell.name).map(|ratio| ratio.value)),
        group.flags.join("+"),
    ]);
    fields
}

fn line(fields: &[String]) -> String {
    let quoted: Vec<String> = fields
        .iter()
        .map(|field| {
            if field.contains(['"', ',', '\n', '\r']) {
                format!("\"{}\"", field.replace('"', "\"\""))
            } else {
                field.clone()
            }
        })
        .collect();
    quoted.join(",") + "\n"
}
