//! What a cell is, and its value once the user said what its column means.

use crate::formats::is_absent;
use crate::number::{DecimalMark, parse_duration, parse_number, parse_size, take_qualifier};
use triptych_model::{Decimal, Unit, ValueMeaning, cell_unit, metric_spec};

/// What a cell looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// Nothing at all.
    Empty,
    /// `-`, `n/a` and other words for nothing.
    Absent,
    /// A number without a unit.
    Number,
    /// A duration with a unit or colons.
    Duration,
    /// A size with a unit.
    Size,
    /// `97%`, `( 97%)`
    Percent,
    /// `2.59x`
    Times,
    /// Anything else.
    Text,
}

/// What a cell looks like.
pub fn look(text: &str) -> Look {
    let text = text.trim();
    if text.is_empty() {
        return Look::Empty;
    }
    if is_absent(text) {
        return Look::Absent;
    }
    let text = take_qualifier(text).1;
    if number_of_any_mark(text) {
        Look::Number
    } else if parse_duration(text).is_some() {
        Look::Duration
    } else if parse_size(text).is_some() {
        Look::Size
    } else if percent(text).is_some_and(number_of_any_mark) {
        Look::Percent
    } else if text.strip_suffix(['x', '\u{d7}']).is_some_and(number_of_any_mark) {
        Look::Times
    } else {
        Look::Text
    }
}

/// Whether a cell holds a figure.
pub fn is_figure(text: &str) -> bool {
    !matches!(look(text), Look::Empty | Look::Absent | Look::Text)
}

/// Whether a cell holds a figure or a word for the lack of one.
pub fn is_value(text: &str) -> bool {
    !matches!(look(text), Look::Empty | Look::Text)
}

fn number_of_any_mark(text: &str) -> bool {
    parse_number(text, &DecimalMark::Point).is_some()
        || (!text.contains(' ') && parse_number(text, &DecimalMark::Comma).is_some())
}

/// The number of `97%`, `97 %`, `( 97%)`.
fn percent(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    Some(inner.trim().strip_suffix('%')?.trim_end())
}

/// What the cells of a table say about the decimal mark, decided for the whole table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// A cell that only reads with a decimal point.
    point: bool,
    /// A cell that only reads with a decimal comma.
    comma: bool,
    /// A cell such as `1,234` or `1.234` between groups of three.
    either: bool,
}

impl Marks {
    /// Takes a cell into account.
    pub fn see(&mut self, text: &str) {
        let text = take_qualifier(text.trim()).1;
        let number = percent(text).unwrap_or(text);
        let point = parse_number(number, &DecimalMark::Point);
        let comma = parse_number(number, &DecimalMark::Comma);
        match (point, comma) {
            (Some(a), Some(b)) if (a - b).abs() > f64::EPSILON => {
                // A table with `1.234` and no comma anywhere has points; `1,234` may be either.
                self.either |= number.contains(',');
            }
            (Some(_), None) => self.point |= number.contains('.') || number.contains(','),
            (None, Some(_)) => self.comma |= number.contains(','),
            _ => {}
        }
    }

    /// The mark, `None` where the cells do not tell and it matters.
    pub fn decide(self, said: Option<Decimal>) -> Option<DecimalMark> {
        match (said, self) {
            (Some(Decimal::Point), _) => Some(DecimalMark::Point),
            (Some(Decimal::Comma), _) => Some(DecimalMark::Comma),
            (None, Self { comma: true, point: false, .. }) => Some(DecimalMark::Comma),
            (None, Self { either: true, point: false, .. }) => None,
            (None, _) => Some(DecimalMark::Point),
        }
    }
}

/// The base unit of a column where a cell does not say its own.
pub fn expected_unit(meaning: &ValueMeaning) -> Unit {
    let chosen = meaning.unit.as_deref().and_then(cell_unit).map(|unit| unit.base);
    chosen.or(metric_spec(&meaning.metric).map(|spec| spec.unit)).unwrap_or(Unit::Count)
}

/// The value of a cell in a column of that meaning, and its base unit.
///
/// # Errors
/// What was expected instead, for the warning.
pub fn value(
    text: &str,
    meaning: &ValueMeaning,
    mark: Option<DecimalMark>,
) -> Result<(Option<f64>, Unit), String> {
    let known = metric_spec(&meaning.metric).map(|spec| spec.unit);
    let chosen = meaning.unit.as_deref().and_then(cell_unit);
    let expected = chosen.map(|unit| unit.base).or(known);
    if is_absent(text) {
        return Ok((None, expected.unwrap_or(Unit::Count)));
    }
    let bare = take_qualifier(text).1;
    if number_of_any_mark(bare) {
        let Some(number) = number(bare, mark) else { return Err(AMBIGUOUS.to_owned()) };
        return match (chosen, expected) {
            (Some(unit), _) => Ok((Some(unit.to_base(number)), unit.base)),
            (None, Some(base @ (Unit::Count | Unit::Times | Unit::Percent))) => Ok((Some(number), base)),
            (None, None) => Ok((Some(number), Unit::Count)),
            (None, Some(base)) => Err(format!("a value with a unit, or a unit of the column, in {base}")),
        };
    }
    let own = own_unit(bare, mark);
    match (own, expected) {
        (Some((value, unit)), Some(base)) if unit == base => Ok((Some(value), unit)),
        (Some((value, unit)), None) => Ok((Some(value), unit)),
        (_, Some(base)) => Err(format!("a value in {base}")),
        (None, None) => Err("a number, a duration or a size".to_owned()),
    }
}

const AMBIGUOUS: &str = "decimal=comma or decimal=point in the answer, for 1,234 may be either";

fn number(text: &str, mark: Option<DecimalMark>) -> Option<f64> {
    match mark {
        Some(mark) => parse_number(text, &mark),
        // Where the mark is open, only numbers that read alike are read.
        None => {
            let (point, comma) =
                (parse_number(text, &DecimalMark::Point), parse_number(text, &DecimalMark::Comma));
            point.filter(|point| comma.is_some_and(|comma| comma.to_bits() == point.to_bits()))
        }
    }
}

/// The value of a cell that says its own unit.
fn own_unit(text: &str, mark: Option<DecimalMark>) -> Option<(f64, Unit)> {
    let secs = || parse_duration(text).map(|value| (value, Unit::Secs));
    let size = || parse_size(text).map(|value| (value, Unit::Bytes));
    let share = || Some((number(percent(text)?, mark)?, Unit::Percent));
    let times = || Some((number(text.strip_suffix(['x', '\u{d7}'])?, mark)?, Unit::Times));
    secs().or_else(size).or_else(share).or_else(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks() {
        for (text, expect) in [
            ("", Look::Empty),
            ("-", Look::Absent),
            ("n/a", Look::Absent),
            ("12", Look::Number),
            ("1,5", Look::Number),
            ("~3.5", Look::Number),
            ("3m 1.455s", Look::Duration),
            ("0m0,275s", Look::Duration),
            ("3:20", Look::Duration),
            ("81M", Look::Size),
            ("( 97%)", Look::Percent),
            ("97 %", Look::Percent),
            ("2.59x", Look::Times),
            ("trunk", Look::Text),
            ("1.9.12", Look::Text),
            ("takes > 30 minutes", Look::Text),
            ("37% apr_file_rename", Look::Text),
        ] {
            assert_eq!(look(text), expect, "{text}");
        }
    }

    fn meaning(text: &str) -> ValueMeaning {
        match triptych_model::TableMeaning::parse(&format!("a={text}")).expect(text).columns.remove(0).meaning
        {
            triptych_model::Meaning::Value(value) => value,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_in_base_units_or_none() {
        let point = Some(DecimalMark::Point);
        for (text, is, mark, expect) in [
            ("270.5", "real ms", point, Some((0.2705, Unit::Secs))),
            ("270.5s", "real", point, Some((270.5, Unit::Secs))),
            ("66ms", "real s", point, Some((0.066, Unit::Secs))),
            ("270.5", "real", point, None),
            ("81M", "max_rss", point, Some((84_934_656.0, Unit::Bytes))),
            ("2048", "max_rss KiB", point, Some((2_097_152.0, Unit::Bytes))),
            ("81M", "real s", point, None),
            ("97%", "cpu", point, Some((97.0, Unit::Percent))),
            ("97", "cpu", point, Some((97.0, Unit::Percent))),
            ("18,937", "revisions", point, Some((18_937.0, Unit::Count))),
            ("18,937", "revisions", None, None),
            ("7", "revisions", None, Some((7.0, Unit::Count))),
            ("1,5", "real s", Some(DecimalMark::Comma), Some((1.5, Unit::Secs))),
            ("2.59x", "speedup", point, Some((2.59, Unit::Times))),
            ("3", "own", point, Some((3.0, Unit::Count))),
            ("3s", "own", point, Some((3.0, Unit::Secs))),
            ("oops", "real s", point, None),
        ] {
            let found = value(text, &meaning(is), mark);
            let found = found.ok().map(|(value, unit)| (value.expect("a value"), unit));
            assert_eq!(found, expect, "{text} as {is}");
        }
        assert_eq!(value("n/a", &meaning("real s"), point), Ok((None, Unit::Secs)));
    }

    #[test]
    fn the_decimal_mark_is_decided_for_the_table() {
        for (cells, said, expect) in [
            (&["1.5", "2"][..], None, Some(DecimalMark::Point)),
            (&["1,5", "2,25"], None, Some(DecimalMark::Comma)),
            (&["1,234", "2"], None, None),
            (&["1,234", "2.5"], None, Some(DecimalMark::Point)),
            (&["1,234", "2,5"], None, Some(DecimalMark::Comma)),
            (&["1,234"], Some(Decimal::Comma), Some(DecimalMark::Comma)),
            (&["1,234"], Some(Decimal::Point), Some(DecimalMark::Point)),
            (&["1.234"], None, Some(DecimalMark::Point)),
            (&["trunk", "3 s"], None, Some(DecimalMark::Point)),
        ] {
            let mut marks = Marks::default();
            cells.iter().for_each(|cell| marks.see(cell));
            assert_eq!(marks.decide(said), expect, "{cells:?}");
        }
    }
}
