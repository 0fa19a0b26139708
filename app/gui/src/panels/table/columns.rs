//! Which columns a comparison has, and the text of each cell.

use triptych_model::{Key, Process, Unit, natural_cmp};
use triptych_report::{Comparison, Row, Side, numbers};
use triptych_store::Cell;

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A condition of the row.
    Condition(Key),
    /// Whose values, where rows differ.
    Process,
    /// Which metric, where rows differ.
    Metric,
    /// The value of a variant, by its place in [`Comparison::variants`].
    Value(usize),
    /// Its ratio with the interval.
    Ratio(usize),
    /// The row in the notation of the lists.
    Notation,
}

/// Conditions that get a column where rows differ in them, in their order; cache comes last.
const VARYING: [Key; 6] =
    [Key::Campaign, Key::Host, Key::Repository, Key::Medium, Key::Network, Key::Threads];

/// The columns of a comparison, before it is known what fits.
pub fn kinds(comparison: &Comparison) -> Vec<Kind> {
    let rows = &comparison.rows;
    let varies = |key: Key| {
        rows.iter().any(|row| row.condition(key) != rows.first().and_then(|first| first.condition(key)))
    };
    let known = |key: Key| rows.iter().any(|row| row.condition(key).is_some());
    let mut kinds = Vec::new();
    if known(Key::Operation) {
        kinds.push(Kind::Condition(Key::Operation));
    }
    kinds.extend(VARYING.into_iter().filter(|key| varies(*key)).map(Kind::Condition));
    if known(Key::Cache) {
        kinds.push(Kind::Condition(Key::Cache));
    }
    let first = rows.first().map(|row| &row.group);
    if rows.iter().any(|row| Some(&row.group.process) != first.map(|group| &group.process)) {
        kinds.push(Kind::Process);
    }
    if rows.iter().any(|row| Some(&row.group.metric) != first.map(|group| &group.metric)) {
        kinds.push(Kind::Metric);
    }
    kinds.extend((0..comparison.variants.len()).map(Kind::Value));
    let has_ratio = |name: &str| {
        rows.iter().any(|row| {
            row.side(name).is_some_and(|(_, _, side)| side.ratio.is_some())
                || row.printed_ratio(name).is_some()
        })
    };
    let ratios = comparison.variants.iter().enumerate().filter(|(_, (name, _))| {
        has_ratio(name) && !rows.iter().all(|row| row.name(row.baseline) == Some(name.as_str()))
    });
    kinds.extend(ratios.map(|(place, _)| Kind::Ratio(place)));
    kinds.push(Kind::Notation);
    kinds
}

/// The head of a column, without its marker.
pub fn title(comparison: &Comparison, kind: Kind) -> String {
    match kind {
        Kind::Condition(key) => key.name().to_owned(),
        Kind::Process => "process".to_owned(),
        Kind::Metric => "metric".to_owned(),
        Kind::Value(place) => {
            let name = comparison.variants.get(place).map_or("", |(name, _)| name);
            triptych_report::shown_name(name).to_owned()
        }
        Kind::Ratio(_) => "ratio, 95 % interval".to_owned(),
        Kind::Notation => "as in the list".to_owned(),
    }
}

/// The place of a column's variant in the order of colours.
pub fn variant(comparison: &Comparison, kind: Kind) -> Option<u16> {
    match kind {
        Kind::Value(place) | Kind::Ratio(place) => comparison.variants.get(place).map(|(_, colour)| *colour),
        _ => None,
    }
}

/// The side of a row in a column of a variant, with its index in the group.
pub fn side<'a>(comparison: &Comparison, row: &'a Row, kind: Kind) -> Option<(usize, &'a Cell, &'a Side)> {
    match kind {
        Kind::Value(place) | Kind::Ratio(place) => row.side(&comparison.variants.get(place)?.0),
        _ => None,
    }
}

/// The text of a cell; empty where nothing is known.
pub fn text(comparison: &Comparison, row: &Row, kind: Kind) -> String {
    match kind {
        // A blank would look like the operation above it.
        Kind::Condition(Key::Operation) => {
            triptych_report::shown_name(row.condition(Key::Operation).unwrap_or_default()).to_owned()
        }
        Kind::Condition(key) => row.condition(key).unwrap_or_default().to_owned(),
        Kind::Process => process(&row.group.process),
        Kind::Metric => match row.group.unit {
            Unit::Count | Unit::Times => row.group.metric.clone(),
            unit => format!("{}, {unit}", row.group.metric),
        },
        Kind::Value(_) => {
            side(comparison, row, kind).map(|(_, cell, side)| value(row, cell, side)).unwrap_or_default()
        }
        Kind::Ratio(_) => {
            side(comparison, row, kind).map(|(_, cell, side)| ratio(row, cell, side)).unwrap_or_default()
        }
        Kind::Notation => triptych_report::notation(row),
    }
}

fn process(process: &Process) -> String {
    process.to_string()
}

/// Printed values in their own digits, medians in ours.
fn value(row: &Row, cell: &Cell, side: &Side) -> String {
    let unit = row.group.unit;
    if let ([value], true) = (cell.values.as_slice(), row.group.is_table) {
        if let Some(high) = value.high {
            return numbers::span(value.value, high, |end| numbers::digits(end, unit));
        }
        let digits = value.raw.trim().trim_end_matches(unit.symbol()).trim();
        if digits.parse::<f64>().is_ok() {
            return digits.to_owned();
        }
    }
    side.median.map(|median| numbers::digits(median, unit)).unwrap_or_default()
}

fn ratio(row: &Row, cell: &Cell, side: &Side) -> String {
    match row.printed_ratio(&cell.name) {
        Some(_) if row.name(row.baseline) == Some(cell.name.as_str()) => String::new(),
        Some(printed) => printed.raw.to_string(),
        None => side.ratio.map(numbers::ratio).unwrap_or_default(),
    }
}

/// Order of two rows in a column; unknown comes last either way.
pub fn compare(
    comparison: &Comparison,
    a: &Row,
    b: &Row,
    kind: Kind,
    descending: bool,
) -> std::cmp::Ordering {
    let number = |row: &Row| {
        let (_, _, side) = side(comparison, row, kind)?;
        if matches!(kind, Kind::Ratio(_)) { side.ratio } else { side.median }
    };
    let order = match kind {
        Kind::Value(_) | Kind::Ratio(_) => match (number(a), number(b)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => return b.is_some().cmp(&a.is_some()),
        },
        _ => natural_cmp(&text(comparison, a, kind), &text(comparison, b, kind)),
    };
    if descending { order.reverse() } else { order }
}
