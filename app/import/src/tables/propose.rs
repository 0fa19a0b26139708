//! Says what a table's columns look like and may mean; the user decides.

use super::cells::{Look, Marks, look};
use super::find::{ROWS_LOOKED_AT, Table};
use crate::text::Lines;
use triptych_model::{Decimal, Key, Meaning, TableMeaning, Unit, ValueMeaning, cell_unit, metric_spec};

/// A table with what its columns look like.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundTable {
    /// Physical line of the header, from 1.
    pub line: u32,
    /// Texts of the header, one a column; empty where a column has none.
    pub header: Vec<String>,
    /// One a column.
    pub columns: Vec<ProposedColumn>,
    /// Cells of the first rows, as they stand in the source.
    pub rows: Vec<Vec<String>>,
    /// How many rows there are in all.
    pub count: usize,
    /// Whether `1,234` may be 1234 or 1.234 here, so that the user has to say which.
    pub asks_decimal: bool,
}

/// What a column looks like.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedColumn {
    /// Its header's text.
    pub header: String,
    /// What its cells are.
    pub kind: ColumnKind,
    /// What it may mean, with the unit that header or cells name.
    pub guess: Meaning,
    /// Whether header and cells leave no doubt; else the user is asked.
    pub sure: bool,
}

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Words, or words and figures.
    Label,
    /// Durations with units.
    Duration,
    /// Numbers without units.
    Number,
    /// Numbers with a per cent sign.
    Percent,
    /// Sizes with units.
    Size,
    /// Nothing.
    Empty,
}

impl ColumnKind {
    /// The kind in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Duration => "durations",
            Self::Number => "numbers",
            Self::Percent => "per cent",
            Self::Size => "sizes",
            Self::Empty => "empty",
        }
    }
}

impl FoundTable {
    /// The answer that would come of all guesses.
    pub fn meaning(&self) -> TableMeaning {
        let meanings: Vec<Meaning> = self.columns.iter().map(|column| column.guess.clone()).collect();
        TableMeaning::for_header(&self.header, &meanings)
    }

    /// The answers about the decimal mark that a user can give.
    pub fn decimals() -> [Decimal; 2] {
        [Decimal::Point, Decimal::Comma]
    }
}

/// How many rows a proposal shows.
const SHOWN: usize = 50;

/// What a table's columns look like.
pub fn describe(lines: &Lines<'_>, table: &Table) -> FoundTable {
    let rows = table.rows.get(..ROWS_LOOKED_AT).unwrap_or(&table.rows);
    let mut marks = Marks::default();
    let mut labels = 0;
    let columns = (0..table.header.len()).map(|column| {
        let cells: Vec<&str> = rows.iter().map(|row| row.cell(lines, column)).collect();
        cells.iter().for_each(|cell| marks.see(cell));
        let header = table.header.get(column).cloned().unwrap_or_default();
        let kind = kind_of(&cells);
        let (guess, sure) = guess(&header, kind, &mut labels);
        ProposedColumn { header, kind, guess, sure }
    });
    let columns = columns.collect();
    let shown = rows.iter().take(SHOWN);
    let rows = shown
        .map(|row| (0..table.header.len()).map(|column| row.cell(lines, column).to_owned()).collect())
        .collect();
    FoundTable {
        line: lines.get(table.start).map_or(1, |line| line.number),
        header: table.header.clone(),
        columns,
        rows,
        count: table.rows.len(),
        asks_decimal: marks.decide(None).is_none(),
    }
}

/// The kind of a column: one look for all cells that hold anything, else it is a label.
fn kind_of(cells: &[&str]) -> ColumnKind {
    let mut looks =
        cells.iter().map(|cell| look(cell)).filter(|look| !matches!(look, Look::Empty | Look::Absent));
    let Some(first) = looks.next() else { return ColumnKind::Empty };
    let rest: Vec<Look> = looks.collect();
    let all = |wanted: &[Look]| wanted.contains(&first) && rest.iter().all(|look| wanted.contains(look));
    if all(&[Look::Number, Look::Times]) {
        ColumnKind::Number
    } else if all(&[Look::Duration, Look::Number]) {
        ColumnKind::Duration
    } else if all(&[Look::Size, Look::Number]) {
        ColumnKind::Size
    } else if all(&[Look::Percent, Look::Number]) {
        ColumnKind::Percent
    } else {
        ColumnKind::Label
    }
}

/// Headers that name a condition in other words than ours; the user is asked all the same.
const CONDITIONS: &[(&str, Key)] = &[
    ("benchmark", Key::Operation),
    ("test", Key::Operation),
    ("action", Key::Operation),
    ("task", Key::Operation),
    ("repo", Key::Repository),
    ("project", Key::Repository),
    ("branch", Key::Variant),
    ("side", Key::Variant),
    ("server", Key::Variant),
    ("version", Key::Build),
    ("revision", Key::Build),
    ("disk", Key::Medium),
    ("storage", Key::Medium),
    ("drive", Key::Medium),
    ("temperature", Key::Cache),
    ("machine", Key::Host),
    ("run", Key::Repetition),
    ("rep", Key::Repetition),
    ("iteration", Key::Repetition),
    ("thread", Key::Threads),
    ("clients", Key::Threads),
];

/// Headers of exit statuses.
const EXITS: &[&str] = &["exit", "status", "exit status", "exit code", "exit_code", "rc"];

/// Headers that name a metric in other words than ours.
const NAMES_OF_METRICS: &[(&str, &str, bool)] = &[
    ("elapsed", "real", false),
    ("wall", "real", false),
    ("wall time", "real", true),
    ("real time", "real", true),
    ("user time", "user", true),
    ("system", "sys", false),
    ("system time", "sys", true),
    ("sys time", "sys", true),
    ("cpu time", "cpu_time", true),
    ("mean", "real_mean", false),
    ("average", "real_mean", false),
    ("avg", "real_mean", false),
    ("median", "real_median", false),
    ("min", "real_min", false),
    ("max", "real_max", false),
    ("stddev", "real_stddev", false),
    ("rss", "rss", true),
    ("max rss", "max_rss", true),
    ("peak memory", "max_rss", false),
];

/// What a header may mean, and whether that is sure. `labels` counts the columns of words so far.
fn guess(header: &str, kind: ColumnKind, labels: &mut usize) -> (Meaning, bool) {
    let (name, unit) = unit_of_header(header);
    let lower = name.to_lowercase();
    let condition = CONDITIONS.iter().find(|(word, _)| *word == lower).map(|(_, key)| *key);
    match (kind, Key::parse(&lower), condition) {
        (ColumnKind::Empty, _, _) => return (Meaning::Ignored, true),
        (ColumnKind::Number, ..) if EXITS.contains(&lower.as_str()) => return (Meaning::Exit, true),
        (ColumnKind::Label | ColumnKind::Number, Some(key), _) => return (Meaning::Condition(key), true),
        (ColumnKind::Label | ColumnKind::Number, None, Some(key)) => return (Meaning::Condition(key), false),
        _ => {}
    }
    if kind == ColumnKind::Label {
        *labels += 1;
        let key = if *labels == 1 && unit.is_none() {
            Meaning::Condition(Key::Operation)
        } else {
            Meaning::Ignored
        };
        return (key, false);
    }
    value_of(&name, &lower, kind, unit)
}

/// A metric by its name, else a variant by its name with an open metric.
fn value_of(name: &str, lower: &str, kind: ColumnKind, unit: Option<&'static str>) -> (Meaning, bool) {
    let ours = lower.replace([' ', '-'], "_");
    let named = NAMES_OF_METRICS.iter().find(|(word, ..)| *word == lower);
    let (metric, is_clear) = match (metric_spec(&ours), named) {
        (Some(spec), _) => (Some(spec.name), spec.name != "time" || name == "time"),
        (None, Some((_, metric, clear))) => (Some(*metric), *clear),
        (None, None) => (None, false),
    };
    let own = match kind {
        ColumnKind::Duration => Some(Unit::Secs),
        ColumnKind::Size => Some(Unit::Bytes),
        ColumnKind::Percent => Some(Unit::Percent),
        _ => None,
    };
    let base = unit.and_then(cell_unit).map(|unit| unit.base).or(own);
    let (metric, is_clear) = match metric {
        Some(metric) if base.is_none_or(|base| metric_spec(metric).is_some_and(|spec| spec.unit == base)) => {
            (metric.to_owned(), is_clear)
        }
        _ if base == Some(Unit::Secs) || (base.is_none() && !name.is_empty()) => ("time".to_owned(), false),
        _ => (own_name(&ours), false),
    };
    let mut value = ValueMeaning::new(metric.clone());
    value.unit = unit.map(str::to_owned);
    let is_variant = metric == "time" && !lower.contains("time") && !name.is_empty();
    if is_variant {
        value.conditions.set(Key::Variant, name);
    }
    let needs_unit = base.is_none()
        && metric_spec(&metric)
            .is_some_and(|spec| !matches!(spec.unit, Unit::Count | Unit::Times | Unit::Percent));
    (Meaning::Value(value), is_clear && !needs_unit)
}

fn own_name(text: &str) -> String {
    let name: String = text.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let name = name.trim_matches('_');
    if name.is_empty() { "value".to_owned() } else { name.to_owned() }
}

/// `real (ms)`, `real [ms]`, `real, ms`, `real ms`, `server_user_secs`: the name and the unit's symbol.
fn unit_of_header(header: &str) -> (String, Option<&'static str>) {
    let text = header.trim();
    let bracketed = [('(', ')'), ('[', ']')].iter().find_map(|(open, close)| {
        let (front, unit) = text.strip_suffix(*close)?.rsplit_once(*open)?;
        Some((front, unit))
    });
    let parted = text.rsplit_once([',', ' ', '_']).filter(|(front, _)| !front.trim().is_empty());
    for (front, unit) in [bracketed, parted].into_iter().flatten() {
        let unit = unit.trim().trim_start_matches("in ");
        // A single letter or digit behind a blank may be a name: `branch h`, `run 1`.
        let is_clear = bracketed.is_some() || unit.len() > 1 || unit == "s" || unit == "%";
        if let Some(unit) = cell_unit(unit).filter(|unit| is_clear && unit.symbol != "1") {
            return (front.trim().trim_end_matches([',', '_']).to_owned(), Some(unit.symbol));
        }
    }
    (text.to_owned(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_headers() {
        for (header, name, unit) in [
            ("real (ms)", "real", Some("ms")),
            ("real [s]", "real", Some("s")),
            ("real, seconds", "real", Some("s")),
            ("server_user_secs", "server_user", Some("s")),
            ("CPU %", "CPU", Some("%")),
            ("size in KiB", "size in", Some("KiB")),
            ("trunk", "trunk", None),
            ("branch h", "branch h", None),
            ("run 1", "run 1", None),
            ("time (best of 3)", "time (best of 3)", None),
            ("", "", None),
        ] {
            assert_eq!(unit_of_header(header), (name.to_owned(), unit), "{header}");
        }
    }

    #[test]
    fn guesses_and_their_doubts() {
        for (header, kind, expect, sure) in [
            ("operation", ColumnKind::Label, "operation", true),
            ("Test", ColumnKind::Label, "operation", false),
            ("what", ColumnKind::Label, "operation", false),
            ("threads", ColumnKind::Number, "threads", true),
            ("real (s)", ColumnKind::Number, "real s", true),
            ("real", ColumnKind::Number, "real", false),
            ("real", ColumnKind::Duration, "real", true),
            ("elapsed (ms)", ColumnKind::Number, "real ms", false),
            ("Time", ColumnKind::Duration, "time", false),
            ("trunk", ColumnKind::Duration, "time variant:trunk", false),
            ("trunk (s)", ColumnKind::Number, "time s variant:trunk", false),
            ("max rss (KiB)", ColumnKind::Number, "max_rss KiB", true),
            ("revisions", ColumnKind::Number, "revisions", true),
            ("share", ColumnKind::Percent, "share", false),
            ("index", ColumnKind::Size, "index", false),
            ("Exit code", ColumnKind::Number, "exit", true),
            ("notes", ColumnKind::Empty, "-", true),
        ] {
            let (guess, found) = guess(header, kind, &mut 0);
            assert_eq!((guess.to_string().as_str(), found), (expect, sure), "{header}");
        }
    }
}
