//! Widths, order and scale of a table, worked out once for each comparison, width and sorting.

use super::columns::{self, Kind};
use crate::painter::measure;
use crate::widgets;
use egui::{Id, Ui};
use std::collections::BTreeMap;
use std::sync::Arc;
use triptych_report::{Comparison, Font, Row, numbers};

/// Free space between two columns.
const GAP: f32 = 12.0;
/// At the left and right edge.
pub const EDGE: f32 = 12.0;
/// Beside a ratio's digits: room before them and the verdict mark behind them.
const BESIDE_RATIO: f32 = 28.0;
/// Interval columns are dropped below this and grow to the other.
const INTERVAL: (f32, f32) = (40.0, 400.0);

/// Sorted by a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub kind: Kind,
    /// Largest first.
    pub descending: bool,
}

/// One column in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// What stands there.
    pub kind: Kind,
    /// Left edge from the table's.
    pub left: f32,
    /// Width without the gap behind it.
    pub width: f32,
    /// For ratios: width of the interval at its left; 0: there is no room for it.
    pub interval: f32,
    /// Natural logarithm of the ratio at the interval's left edge.
    pub origin: f32,
}

/// A table laid out.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The columns that fit.
    pub columns: Vec<Column>,
    /// Rows by index, in order of showing.
    pub order: Vec<usize>,
    /// Points for each unit of a ratio's natural logarithm; the same in all columns.
    pub per_log: f32,
    /// Width of it all.
    pub width: f32,
    /// The usual number of runs of each variant.
    pub usual_n: Vec<usize>,
}

type Kept = (Arc<Comparison>, Option<Sort>, f32, f32, Arc<Plan>);

/// The plan, made anew only when something it depends on has changed.
pub fn kept(ui: &Ui, comparison: &Arc<Comparison>, sort: Option<Sort>, width: f32, id: Id) -> Arc<Plan> {
    let scale = widgets::text_scale(ui);
    let id = id.with("plan");
    if let Some((of, sorted, at_width, at_scale, plan)) = ui.data(|data| data.get_temp::<Kept>(id))
        && Arc::ptr_eq(&of, comparison)
        && sorted == sort
        && (at_width - width).abs() < 0.5
        && (at_scale - scale).abs() < 1e-3
    {
        return plan;
    }
    let measure = |text: &str, font: Font| measure(ui.ctx(), text, font, scale);
    let plan = Arc::new(plan(comparison, sort, width, scale, &measure));
    ui.data_mut(|data| data.insert_temp(id, (Arc::clone(comparison), sort, width, scale, Arc::clone(&plan))));
    plan
}

fn plan(
    comparison: &Comparison,
    sort: Option<Sort>,
    width: f32,
    scale: f32,
    measure: &dyn Fn(&str, Font) -> f32,
) -> Plan {
    let mut kinds = columns::kinds(comparison);
    let natural = |kind: Kind| natural_width(comparison, kind, scale, measure);
    let total = |kinds: &[Kind], interval: f32| {
        let widths = kinds.iter().map(|kind| natural(*kind) + interval_of(*kind, interval * scale) + GAP);
        widths.sum::<f32>() - GAP + 2.0 * EDGE
    };
    // The notation goes first, then the intervals (LOOK §7).
    if total(&kinds, INTERVAL.0) > width {
        kinds.retain(|kind| *kind != Kind::Notation);
    }
    let ratios = kinds.iter().filter(|kind| matches!(kind, Kind::Ratio(_))).count();
    let intervals = ratios > 0 && total(&kinds, INTERVAL.0) <= width;
    let interval = if intervals {
        let spare = (width - total(&kinds, 0.0)) / ratios as f32;
        spare.clamp(INTERVAL.0 * scale, INTERVAL.1 * scale)
    } else {
        0.0
    };
    let mut left = EDGE;
    let mut columns = Vec::new();
    for kind in kinds {
        let interval = interval_of(kind, interval);
        let width = natural(kind) + interval;
        columns.push(Column { kind, left, width, interval, origin: 0.0 });
        left += width + GAP;
    }
    let per_log = scale_intervals(comparison, &mut columns);
    Plan {
        columns,
        order: order(comparison, sort),
        per_log,
        width: left - GAP + EDGE,
        usual_n: usual_n(comparison),
    }
}

fn interval_of(kind: Kind, interval: f32) -> f32 {
    if matches!(kind, Kind::Ratio(_)) { interval } else { 0.0 }
}

/// Width that a column's widest text takes; for ratios without the interval.
fn natural_width(
    comparison: &Comparison,
    kind: Kind,
    scale: f32,
    measure: &dyn Fn(&str, Font) -> f32,
) -> f32 {
    let head = measure(&columns::title(comparison, kind), Font::Small);
    let font = match kind {
        Kind::Notation => Font::Mono,
        Kind::Condition(_) => Font::Medium,
        Kind::Ratio(_) => Font::Semibold,
        _ => Font::Body,
    };
    // Measuring thousands of texts would take longer than drawing those that are seen.
    let texts = comparison.rows.iter().map(|row| columns::text(comparison, row, kind));
    let widest = texts.max_by_key(|text| text.chars().count()).unwrap_or_default();
    let text = measure(&widest, font).ceil();
    match kind {
        Kind::Value(_) => (text + 16.0 * scale).max(head + 15.0 * scale),
        Kind::Ratio(_) => text + BESIDE_RATIO * scale,
        Kind::Notation => text.max(head + 28.0),
        _ => text.max(head),
    }
}

/// One scale for all interval columns, each with its own span that holds 1.
fn scale_intervals(comparison: &Comparison, columns: &mut [Column]) -> f32 {
    let mut per_log = f32::INFINITY;
    let mut spans = Vec::new();
    for column in columns.iter() {
        if column.interval <= 0.0 {
            spans.push(None);
            continue;
        }
        let ends =
            comparison.rows.iter().filter_map(|row| columns::side(comparison, row, column.kind)).flat_map(
                |(_, _, side)| {
                    let (low, high) = side.ratio_interval.unzip();
                    [side.ratio, low, high].into_iter().flatten()
                },
            );
        // A tenth to each side is the least: else noise would fill the column.
        let (mut low, mut high) = (0.9f64.ln(), 1.1f64.ln());
        for end in ends.filter(|end| *end > 0.0).map(f64::ln) {
            low = low.min(end);
            high = high.max(end);
        }
        per_log = per_log.min((column.interval - 12.0).max(8.0) / (high - low) as f32);
        spans.push(Some((low, high)));
    }
    for (column, span) in columns.iter_mut().zip(spans) {
        if let Some((low, high)) = span {
            let spare = column.interval - 12.0 - (high - low) as f32 * per_log;
            column.origin = low as f32 - (6.0 + spare.max(0.0) / 2.0) / per_log;
        }
    }
    if per_log.is_finite() { per_log } else { 1.0 }
}

fn order(comparison: &Comparison, sort: Option<Sort>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..comparison.rows.len()).collect();
    if let Some(sort) = sort {
        let row = |index: &usize| comparison.rows.get(*index);
        order.sort_by(|a, b| match (row(a), row(b)) {
            (Some(a), Some(b)) => columns::compare(comparison, a, b, sort.kind, sort.descending),
            _ => std::cmp::Ordering::Equal,
        });
    }
    order
}

/// The number of runs that most rows have, for each variant.
fn usual_n(comparison: &Comparison) -> Vec<usize> {
    let usual = |name: &str| {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for side in comparison.rows.iter().filter_map(|row: &Row| row.side(name)).map(|(_, _, side)| side) {
            *counts.entry(side.n).or_default() += 1;
        }
        counts.into_iter().max_by_key(|(n, rows)| (*rows, *n)).map_or(0, |(n, _)| n)
    };
    let all: Vec<usize> = comparison.variants.iter().map(|(name, _)| usual(name)).collect();
    let same = all.iter().all(|n| Some(n) == all.first());
    if same || all.len() <= MOST_N { all } else { Vec::new() }
}

/// Variants whose numbers of runs can be read off one line; of more, every value shows its own.
const MOST_N: usize = 8;

/// `n = 5, 5, 4 unless marked`; empty where nothing is compared.
pub fn n_text(comparison: &Comparison) -> String {
    let usual = usual_n(comparison);
    if usual.is_empty() || comparison.rows.is_empty() {
        return String::new();
    }
    let differs = comparison.rows.iter().any(|row| {
        let sides = comparison.variants.iter().zip(&usual);
        sides.filter_map(|((name, _), n)| Some((row.side(name)?.2.n, *n))).any(|(n, usual)| n != usual)
    });
    let same = usual.iter().all(|n| Some(n) == usual.first());
    let shown: Vec<String> = if same && usual.len() > 4 {
        usual.iter().take(1).map(|n| numbers::count(*n as f64)).collect()
    } else {
        usual.iter().map(|n| numbers::count(*n as f64)).collect()
    };
    let tail = if differs { " unless marked" } else { "" };
    format!("n = {}{tail}", shown.join(", "))
}
