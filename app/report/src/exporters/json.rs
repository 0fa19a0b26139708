//! JSON of the triples: the stable form of `table --as json` and `compare --as json`.

use crate::comparison::{Comparison, Row};
use serde::Serialize;
use std::collections::BTreeMap;
use triptych_model::Key;

#[derive(Serialize)]
struct Triple<'a> {
    campaign: Option<&'a str>,
    host: Option<&'a str>,
    operation: Option<&'a str>,
    repository: Option<&'a str>,
    /// Only where something else is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    medium: Option<&'a str>,
    cache: Option<&'a str>,
    network: Option<&'a str>,
    threads: Option<&'a str>,
    process: String,
    metric: &'a str,
    unit: &'static str,
    across: &'static str,
    baseline: Option<&'a str>,
    variants: Vec<Variant<'a>>,
    printed_ratios: BTreeMap<&'a str, f64>,
    flags: &'a [String],
}

#[derive(Serialize)]
struct Variant<'a> {
    name: &'a str,
    value: Option<f64>,
    n: usize,
    failed: usize,
    ratio: Option<f64>,
    ratio_low: Option<f64>,
    ratio_high: Option<f64>,
    verdict: Option<&'static str>,
}

/// The triples as JSON, indented, with a line end.
pub(super) fn json(comparison: &Comparison) -> String {
    let triples: Vec<Triple<'_>> = comparison.rows.iter().map(triple).collect();
    // Only maps whose keys are no text can fail, and there are none. Fields keep their order here.
    serde_json::to_string_pretty(&triples).unwrap_or_default() + "\n"
}

/// The triples as a JSON list; absent figures are null, never 0 or NaN.
pub fn json_value(comparison: &Comparison) -> serde_json::Value {
    let triples: Vec<Triple<'_>> = comparison.rows.iter().map(triple).collect();
    serde_json::to_value(triples).unwrap_or_default()
}

/// The ratio as exported: the baseline's own is 1 where it has a value.
pub(super) fn ratio_of(row: &Row, index: usize) -> Option<f64> {
    let side = row.sides.get(index)?;
    if index == row.baseline && row.group.unit != triptych_model::Unit::Times {
        return side.median.filter(|median| *median > 0.0).map(|_| 1.0);
    }
    side.ratio
}

fn triple(row: &Row) -> Triple<'_> {
    let group = &row.group;
    Triple {
        campaign: row.condition(Key::Campaign),
        host: row.condition(Key::Host),
        operation: row.condition(Key::Operation),
        repository: row.condition(Key::Repository),
        variant: row.condition(Key::Variant),
        medium: row.condition(Key::Medium),
        cache: row.condition(Key::Cache),
        network: row.condition(Key::Network),
        threads: row.condition(Key::Threads),
        process: group.process.to_string(),
        metric: &group.metric,
        unit: group.unit.symbol(),
        across: group.across.name(),
        baseline: row.name(row.baseline),
        variants: (0..row.sides.len()).filter_map(|index| variant(row, index)).collect(),
        printed_ratios: group.printed_ratios.iter().map(|ratio| (ratio.name.as_str(), ratio.value)).collect(),
        flags: &group.flags,
    }
}

fn variant(row: &Row, index: usize) -> Option<Variant<'_>> {
    let (cell, side) = (row.group.cells.get(index)?, row.sides.get(index)?);
    Some(Variant {
        name: &cell.name,
        value: side.median,
        n: side.n,
        failed: cell.failed.len(),
        ratio: ratio_of(row, index),
        ratio_low: side.ratio_interval.map(|ends| ends.0),
        ratio_high: side.ratio_interval.map(|ends| ends.1),
        verdict: side.verdict.map(triptych_analysis::Verdict::word),
    })
}
