//! Triples with their statistics: what tables and charts of a query are made of.

use crate::order;
use triptych_analysis::{CONFIDENCE, Method, Verdict};
use triptych_model::{Key, Process, Quality, Unit};
use triptych_store::{Cell, Group, PrintedRatio, Query, RunIndex, Store, VariantColours};

/// All triples of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// One a line of the table, in the order of operations, then medium, then cold before hot.
    pub rows: Vec<Row>,
    /// Names of the compared variants with their place in the workspace's order of colours.
    pub variants: Vec<(String, u16)>,
    /// The metric, its unit and process, where all rows agree.
    pub metric: Option<(String, Unit, Process)>,
    /// Threshold of verdicts in per cent.
    pub threshold_percent: f64,
    /// How the intervals were made, one sentence.
    pub method: String,
    /// Paths of the sources by their index, for read-outs; empty where the data came without a store.
    pub sources: Vec<String>,
}

/// One triple.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The runs and their conditions.
    pub group: Group,
    /// Index into `group.cells` of the baseline.
    pub baseline: usize,
    /// One a cell of the group.
    pub sides: Vec<Side>,
}

/// One side of a triple with its statistics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Median of the values; `None` where no run counts.
    pub median: Option<f64>,
    /// Smallest and largest value.
    pub range: Option<(f64, f64)>,
    /// 95 % interval of the median, from n = 6 on.
    pub interval: Option<(f64, f64)>,
    /// Values that count.
    pub n: usize,
    /// Baseline / this; `None` for the baseline itself and where either is missing.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio; `None` at n = 1.
    pub ratio_interval: Option<(f64, f64)>,
    /// What the interval carries; `None` too where values are incomplete or of debug builds.
    pub verdict: Option<Verdict>,
    /// The interval widened so that all of the campaign's together hold with 95 % (Bonferroni).
    pub corrected_interval: Option<(f64, f64)>,
    /// What the widened interval carries.
    pub corrected_verdict: Option<Verdict>,
    /// Indices of values outside Tukey's fences: marked, never dropped.
    pub outliers: Vec<usize>,
}

impl Row {
    /// Runs of one cell that count.
    pub fn runs(&self, cell: usize) -> Vec<RunIndex> {
        self.group.cells.get(cell).map(|c| c.values.iter().map(|v| v.run).collect()).unwrap_or_default()
    }

    /// The name of a cell.
    pub fn name(&self, cell: usize) -> Option<&str> {
        self.group.cells.get(cell).map(|cell| cell.name.as_str())
    }

    /// The cell of that name, with its place and statistics.
    pub fn side(&self, name: &str) -> Option<(usize, &Cell, &Side)> {
        let place = self.group.cells.iter().position(|cell| cell.name == name)?;
        Some((place, self.group.cells.get(place)?, self.sides.get(place)?))
    }

    /// The ratio its author printed for a cell.
    pub fn printed_ratio(&self, name: &str) -> Option<&PrintedRatio> {
        self.group.printed_ratios.iter().find(|ratio| ratio.name == name)
    }

    /// A condition of the group.
    pub fn condition(&self, key: Key) -> Option<&str> {
        self.group.conditions.get(key)
    }
}

impl Comparison {
    /// Place of a variant's colour and marker.
    pub fn variant(&self, name: &str) -> u16 {
        self.variants.iter().find(|(known, _)| known == name).map_or(0, |(_, place)| *place)
    }

    /// How many ratios with an interval the campaign of this row has.
    pub fn comparisons(&self, row: &Row) -> usize {
        let campaign = row.condition(Key::Campaign);
        let rows = self.rows.iter().filter(|other| other.condition(Key::Campaign) == campaign);
        rows.flat_map(|row| &row.sides).filter(|side| side.ratio_interval.is_some()).count()
    }

    /// `branch7-hot-r1.txt`: the name of a source without its directory.
    pub fn source_name(&self, source: u32) -> Option<&str> {
        let path = self.sources.get(source as usize)?;
        Some(path.rsplit(['/', '\\']).next().unwrap_or(path))
    }

    /// The same with intervals and verdicts corrected for all comparisons of each campaign.
    #[must_use]
    pub fn corrected(mut self) -> Self {
        for side in self.rows.iter_mut().flat_map(|row| &mut row.sides) {
            side.ratio_interval = side.corrected_interval;
            side.verdict = side.corrected_verdict;
        }
        self.method.push_str(" Widened for all comparisons of a campaign (Bonferroni).");
        self
    }
}

/// The triples of a query with their statistics.
pub fn compare(store: &Store, query: &Query) -> Comparison {
    let mut groups = store.groups(query);
    for group in &mut groups {
        add_command(store, group);
    }
    let mut comparison = from_groups(groups, query, store.variant_colours());
    comparison.sources = store.sources().iter().map(|source| source.path().to_owned()).collect();
    comparison
}

/// Names the command where all runs were timed with one: tables stand under it.
///
/// A cell of very many runs goes without: asking for each would cost more than the line is worth.
fn add_command(store: &Store, group: &mut Group) {
    const MOST: usize = 64;
    let values = || group.cells.iter().flat_map(|cell| &cell.values);
    if group.conditions.get(Key::Command).is_some() || values().count() > MOST {
        return;
    }
    let command = |run| Some(store.run(run)?.conditions.get(&Key::Command)?.0.clone());
    let mut commands = values().map(|value| command(value.run));
    let Some(Some(first)) = commands.next() else { return };
    if commands.all(|other| other.as_ref() == Some(&first)) {
        drop(commands);
        group.conditions.set(Key::Command, first);
    }
}

/// The same from groups; pure.
pub fn from_groups(groups: Vec<Group>, query: &Query, colours: &VariantColours) -> Comparison {
    let groups = order::sorted(groups);
    let mut exact = true;
    let mut rows: Vec<Row> = groups.into_iter().map(|group| row(group, query, &mut exact)).collect();
    correct(&mut rows, query.threshold_percent);
    let method = if exact { Method::Exact } else { Method::Resampled };
    Comparison {
        variants: order::variants(&rows, colours),
        metric: common_metric(&rows),
        threshold_percent: query.threshold_percent,
        method: format!("Intervals: 95 % percentile interval, {method}, each cell for itself."),
        sources: Vec::new(),
        rows,
    }
}

fn common_metric(rows: &[Row]) -> Option<(String, Unit, Process)> {
    let first = &rows.first()?.group;
    let same = |row: &Row| {
        row.group.metric == first.metric && row.group.unit == first.unit && row.group.process == first.process
    };
    rows.iter().all(same).then(|| (first.metric.clone(), first.unit, first.process.clone()))
}

fn row(group: Group, query: &Query, exact: &mut bool) -> Row {
    let is_measured = |cell: &Cell| !cell.values.is_empty();
    let named = |name: &String| group.cells.iter().position(|cell| cell.name == *name && is_measured(cell));
    // Where the baseline is missing the first side that is there stands for it, as the query says.
    let first = || group.cells.iter().position(is_measured);
    let baseline = query.baseline.as_ref().and_then(named).or_else(first).unwrap_or(0);
    let base = group.cells.get(baseline).map(values).unwrap_or_default();
    let sides = group
        .cells
        .iter()
        .enumerate()
        .map(|(index, cell)| side(cell, (index != baseline).then_some(&base), &group, query, exact))
        .collect();
    let mut row = Row { group, baseline, sides };
    withhold_verdicts(&mut row);
    row
}

/// What takes the verdict from a value, and why: CPU seconds of a log that began late, checks that users do
/// not pay for.
const WITHHELD: [(Quality, &str); 2] = [
    (Quality::INCOMPLETE, "Part of the record is missing: this carries no verdict."),
    (Quality::DEBUG_BUILD, "Runs of a debug build carry no verdict."),
];

/// Why a side has no verdict though it has values: what is said of its own or of the baseline's.
pub(crate) fn withheld(group: &Group, baseline: usize, cell: usize) -> impl Iterator<Item = &'static str> {
    let cells = [baseline, cell].into_iter().filter_map(|place| group.cells.get(place));
    let all = cells.flat_map(|cell| &cell.values).fold(Quality::NONE, |all, value| all.with(value.quality));
    WITHHELD.into_iter().filter(move |(quality, _)| all.has(*quality)).map(|(_, why)| why)
}

fn withhold_verdicts(row: &mut Row) {
    for (cell, side) in row.sides.iter_mut().enumerate() {
        if withheld(&row.group, row.baseline, cell).next().is_some() {
            side.verdict = None;
        }
    }
}

fn values(cell: &Cell) -> Vec<f64> {
    cell.values.iter().map(|value| value.value).collect()
}

/// The statistics of a cell against the baseline's values; `None`: it is the baseline.
fn side(cell: &Cell, base: Option<&Vec<f64>>, group: &Group, query: &Query, exact: &mut bool) -> Side {
    let values = values(cell);
    let mut side = Side {
        median: triptych_analysis::median(&values),
        range: triptych_analysis::range(&values),
        n: values.len(),
        outliers: triptych_analysis::outliers(&values),
        ..Side::default()
    };
    if side.n >= triptych_analysis::INDICATION_BELOW {
        side.interval = triptych_analysis::median_interval(&values, CONFIDENCE);
    }
    // A quotient of quotients (speed-ups, printed ratios) says nothing in the words of faster and slower.
    let Some(base) = base.filter(|_| group.unit != Unit::Times) else { return side };
    side.ratio = triptych_analysis::ratio_of_medians(base, &values);
    let interval = triptych_analysis::ratio_interval(base, &values, CONFIDENCE);
    *exact &= interval.is_none_or(|interval| interval.method == Method::Exact);
    side.ratio_interval = interval.map(|interval| (interval.low, interval.high));
    if group.unit == Unit::Secs {
        let fewest = side.n.min(base.len());
        side.verdict = side
            .ratio
            .map(|ratio| triptych_analysis::verdict(ratio, interval, fewest, query.threshold_percent));
    }
    side
}

/// Widens the intervals for the number of comparisons in each campaign.
fn correct(rows: &mut [Row], threshold_percent: f64) {
    let campaigns: Vec<Option<String>> =
        rows.iter().map(|row| row.condition(Key::Campaign).map(str::to_owned)).collect();
    let with_interval = |row: &Row| row.sides.iter().filter(|side| side.ratio_interval.is_some()).count();
    let counts: Vec<usize> = campaigns
        .iter()
        .map(|own| {
            rows.iter().zip(&campaigns).filter(|(_, c)| *c == own).map(|(row, _)| with_interval(row)).sum()
        })
        .collect();
    for (row, count) in rows.iter_mut().zip(counts) {
        let confidence = triptych_analysis::bonferroni(CONFIDENCE, count);
        let Some(base) = row.group.cells.get(row.baseline).map(values) else { continue };
        for (cell, side) in row.group.cells.iter().zip(&mut row.sides) {
            side.corrected_verdict = side.verdict;
            if side.ratio_interval.is_none() {
                continue;
            }
            let own = values(cell);
            let interval = triptych_analysis::ratio_interval(&base, &own, confidence);
            side.corrected_interval = interval.map(|interval| (interval.low, interval.high));
            if let (Some(ratio), Some(_)) = (side.ratio, side.verdict) {
                let fewest = own.len().min(base.len());
                side.corrected_verdict =
                    Some(triptych_analysis::verdict(ratio, interval, fewest, threshold_percent));
            }
        }
    }
}
