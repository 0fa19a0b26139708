//! What the columns of a table mean, as the user said it: kept with a source, found again by the
//! table's header, and written on the command line in one short notation.
//!
//! Used by the general reader of tables, by `--columns`, by the import sheet and by workspaces.

mod notation;
mod units;

pub use units::{CELL_UNITS, CellUnit, cell_unit};

use crate::{Conditions, Key, Process};
use serde::{Deserialize, Serialize};

/// The answer to "what do these columns mean".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableMeaning {
    /// Texts of the table's header, in order, by which the answer is found again; empty: it holds
    /// for every table that has the columns named below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<String>,
    /// The columns that mean something; the others are ignored.
    pub columns: Vec<ColumnMeaning>,
    /// What parts the whole from the fraction where the cells do not show it, as in `1,234`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decimal: Option<Decimal>,
}

/// One column with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnMeaning {
    /// Its header, or `#N` for the N-th column from 1.
    pub column: String,
    /// What its cells are.
    #[serde(flatten)]
    pub meaning: Meaning,
}

/// What the cells of a column are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Meaning {
    /// Nothing of interest.
    #[default]
    Ignored,
    /// A condition of the row's runs.
    Condition(Key),
    /// The exit status: a row where it is not zero is a failed run.
    Exit,
    /// Values of a metric.
    Value(ValueMeaning),
}

/// Which value a column holds, and of which runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueMeaning {
    /// Stable name, see [`crate::METRICS`], or the column's own.
    pub metric: String,
    /// Symbol of a unit in [`CELL_UNITS`]; `None`: every cell says its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Whose value it is.
    #[serde(default = "client")]
    pub process: Process,
    /// What distinguishes this column's runs from those of the columns beside it.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
}

fn client() -> Process {
    Process::Client
}

impl ValueMeaning {
    /// A value of the client without unit and conditions.
    pub fn new(metric: impl Into<String>) -> Self {
        Self { metric: metric.into(), unit: None, process: client(), conditions: Conditions::new() }
    }
}

/// What parts the whole from the fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decimal {
    /// `1,234.5`
    Point,
    /// `1.234,5`
    Comma,
}

impl TableMeaning {
    /// Whether this answer is for a table with that header.
    pub fn fits(&self, header: &[String]) -> bool {
        if self.header.is_empty() {
            return !self.columns.is_empty()
                && self.columns.iter().all(|one| position(header, &one.column).is_some());
        }
        self.header.len() == header.len() && self.header.iter().zip(header).all(|(a, b)| same(a, b))
    }

    /// The meaning of each column of a table with that header; what is not named is ignored.
    pub fn of_columns(&self, header: &[String]) -> Vec<Meaning> {
        let mut all = vec![Meaning::Ignored; header.len()];
        for one in &self.columns {
            if let Some(place) = position(header, &one.column).and_then(|index| all.get_mut(index)) {
                *place = one.meaning.clone();
            }
        }
        all
    }

    /// The answer that gives each column of a header its meaning, found again by this header.
    pub fn for_header(header: &[String], meanings: &[Meaning]) -> Self {
        let columns = header.iter().zip(meanings).enumerate().map(|(index, (_, meaning))| ColumnMeaning {
            column: column_name(header, index),
            meaning: meaning.clone(),
        });
        let columns = columns.filter(|one| one.meaning != Meaning::Ignored).collect();
        Self { header: header.to_vec(), columns, decimal: None }
    }

    /// The first answer that fits a header.
    pub fn find<'a>(answers: &'a [Self], header: &[String]) -> Option<&'a Self> {
        answers.iter().find(|answer| answer.fits(header))
    }

    /// Whether any column gives values; without one nothing can be read.
    pub fn gives_values(&self) -> bool {
        self.columns.iter().any(|one| matches!(one.meaning, Meaning::Value(_)))
    }
}

/// How a column is named: by its header where no other column has the same, else by its place.
pub fn column_name(header: &[String], index: usize) -> String {
    let text = header.get(index).map_or("", |text| text.trim());
    let alone = header.iter().filter(|other| same(other, text)).count() == 1;
    if alone && !text.is_empty() && !text.starts_with('#') {
        text.to_owned()
    } else {
        format!("#{}", index + 1)
    }
}

/// The column that a name means; `None` where there is none or several have that header.
fn position(header: &[String], name: &str) -> Option<usize> {
    if let Some(number) = name.strip_prefix('#').and_then(|digits| digits.parse::<usize>().ok()) {
        return number.checked_sub(1).filter(|index| *index < header.len());
    }
    let mut found = header.iter().enumerate().filter(|(_, text)| same(text, name));
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Some(index),
        _ => None,
    }
}

/// Headers are the same whatever their letters' case and the blanks in them.
fn same(a: &str, b: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    words(a) == words(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn answers_are_found_by_header() {
        let table = header(&["", "trunk", "Trunk", "b6  (s)"]);
        assert_eq!(
            (0..4).map(|at| column_name(&table, at)).collect::<Vec<_>>(),
            ["#1", "#2", "#3", "b6  (s)"]
        );
        let value = Meaning::Value(ValueMeaning::new("real"));
        let meanings = [Meaning::Condition(Key::Operation), value.clone(), Meaning::Ignored, value.clone()];
        let answer = TableMeaning::for_header(&table, &meanings);
        assert!(answer.fits(&header(&["", "trunk", "TRUNK", "b6 (S)"])));
        assert!(!answer.fits(&table[1..]));
        assert_eq!(answer.of_columns(&table), meanings);
        let by_name = TableMeaning { header: Vec::new(), ..answer };
        assert!(by_name.fits(&table), "every column named is there");
        assert!(!by_name.fits(&header(&["", "trunk"])), "b6 is not");
        assert!(!TableMeaning::default().fits(&table), "an empty answer fits nothing");
        assert!(by_name.gives_values() && !TableMeaning::default().gives_values());
    }

    #[test]
    fn it_comes_back_from_json() {
        let mut value = ValueMeaning::new("real");
        value.unit = Some("ms".to_owned());
        value.conditions.set(Key::Variant, "trunk");
        let answer = TableMeaning::for_header(
            &header(&["a", "b", "c"]),
            &[Meaning::Condition(Key::Operation), Meaning::Value(value), Meaning::Ignored],
        );
        let text = serde_json::to_string(&answer).expect("is written");
        assert_eq!(serde_json::from_str::<TableMeaning>(&text).expect("is read"), answer, "{text}");
    }
}
