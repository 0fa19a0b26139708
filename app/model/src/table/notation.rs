//! The notation of `--columns`: `label=operation,trunk=real s variant:trunk,#3=-`.
//!
//! Columns are parted by commas. Left of `=` stands the column's header or `#N`; right of it a
//! condition's name (`operation`, `variant` …), or a metric with, in any order, a unit, `process:NAME`
//! and conditions `KEY:VALUE` of the column's runs, or `exit` for the status, or `-` for a column to be
//! ignored. `decimal=comma`
//! says what `1,234` is. Texts with blanks, commas, colons or `=` stand in double quotes.

use super::{ColumnMeaning, Decimal, Meaning, TableMeaning, ValueMeaning, cell_unit};
use crate::{Key, Process, metric_spec};
use std::fmt::{self, Write as _};

impl TableMeaning {
    /// Reads the notation.
    ///
    /// # Errors
    /// A sentence that names the part and what was expected there.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut meaning = Self::default();
        for part in split(text, |c| c == ',')? {
            let part = part.trim();
            if part.is_empty() {
                return Err("a column is missing between two commas".to_owned());
            }
            let sides = split(part, |c| c == '=')?;
            let [column, is] = sides.as_slice() else {
                return Err(format!("{part}: expected COLUMN=MEANING"));
            };
            let (column, is) = (plain(column.trim()), is.trim());
            if column == "decimal" && !column_is_quoted(part) {
                meaning.decimal = Some(
                    decimal(is).ok_or_else(|| format!("{part}: expected decimal=comma or decimal=point"))?,
                );
                continue;
            }
            if column.is_empty() {
                return Err(format!("{part}: expected a header or #N before the ="));
            }
            if meaning.columns.iter().any(|one| one.column == column) {
                return Err(format!("{part}: the column {column} stands twice"));
            }
            let is = meaning_of(is).map_err(|reason| format!("{part}: {reason}"))?;
            meaning.columns.push(ColumnMeaning { column, meaning: is });
        }
        if meaning.columns.is_empty() {
            return Err("no column is named".to_owned());
        }
        Ok(meaning)
    }
}

fn column_is_quoted(part: &str) -> bool {
    part.trim_start().starts_with('"')
}

fn decimal(word: &str) -> Option<Decimal> {
    match word {
        "comma" => Some(Decimal::Comma),
        "point" => Some(Decimal::Point),
        _ => None,
    }
}

/// Reads what stands right of the `=`.
fn meaning_of(text: &str) -> Result<Meaning, String> {
    let words = split(text, char::is_whitespace)?;
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [] => return Err("expected a condition, a metric, or - for a column to be ignored".to_owned()),
        ["-"] => return Ok(Meaning::Ignored),
        ["exit"] => return Ok(Meaning::Exit),
        [word] if Key::parse(word).is_some() => {
            return Ok(Key::parse(word).map_or(Meaning::Ignored, Meaning::Condition));
        }
        _ => {}
    }
    let mut metric: Option<String> = None;
    let mut value = ValueMeaning::new("");
    for word in words {
        if let [name, text] = split(word, |c| c == ':')?.as_slice() {
            let text = plain(text);
            match (Key::parse(name), *name) {
                (_, _) if text.is_empty() => return Err(format!("{word}: nothing stands behind the colon")),
                (Some(key), _) => value.conditions.set(key, text),
                (None, "process") => value.process = Process::from(text),
                (None, _) => return Err(format!("{word}: there is no condition {name}")),
            }
        } else if let Some(unit) = cell_unit(word).filter(|_| value.unit.is_none()) {
            value.unit = Some(unit.symbol.to_owned());
        } else if metric.is_none() {
            metric = Some(plain(word));
        } else {
            return Err(format!("{word}: is neither a unit nor a condition such as variant:trunk"));
        }
    }
    value.metric = metric.ok_or("no metric is named, such as real, time or max_rss")?;
    check_unit(&value)?;
    Ok(Meaning::Value(value))
}

/// A known metric has one base unit.
fn check_unit(value: &ValueMeaning) -> Result<(), String> {
    let known = metric_spec(&value.metric).map(|spec| spec.unit);
    let chosen = value.unit.as_deref().and_then(cell_unit);
    match (known, chosen) {
        (Some(known), Some(chosen)) if known != chosen.base => {
            Err(format!("{} is in {known}, not in {}", value.metric, chosen.symbol))
        }
        _ => Ok(()),
    }
}

/// The parts of a text between separators that stand outside quotes, with their quotes.
fn split(text: &str, is_separator: impl Fn(char) -> bool) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in text.char_indices() {
        if c == '"' {
            quoted = !quoted;
        } else if !quoted && is_separator(c) {
            parts.push(text.get(start..at).unwrap_or(""));
            start = at + c.len_utf8();
        }
    }
    if quoted {
        return Err(format!("{text}: a quote has no partner"));
    }
    parts.push(text.get(start..).unwrap_or(""));
    Ok(parts)
}

/// A text without its quotes; a doubled quote inside stands for itself.
fn plain(text: &str) -> String {
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => text.to_owned(),
    }
}

/// A text with quotes where the notation needs them.
fn quoted(text: &str) -> String {
    let bare = !text.is_empty()
        && text != "decimal"
        && text != "-"
        && !text.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '=' | ':' | '"'));
    if bare { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// The notation, so that an answer given in the window can be repeated without one.
impl fmt::Display for TableMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, one) in self.columns.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{}={}", quoted(&one.column), one.meaning)?;
        }
        match self.decimal {
            Some(Decimal::Comma) => f.write_str(",decimal=comma"),
            Some(Decimal::Point) => f.write_str(",decimal=point"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ignored => f.write_char('-'),
            Self::Exit => f.write_str("exit"),
            Self::Condition(key) => f.write_str(key.name()),
            Self::Value(value) => {
                // A metric called like a unit or a condition needs its quotes.
                let special = cell_unit(&value.metric).is_some()
                    || Key::parse(&value.metric).is_some()
                    || value.metric == "exit";
                let metric = if special { format!("\"{}\"", value.metric) } else { quoted(&value.metric) };
                f.write_str(&metric)?;
                if let Some(unit) = &value.unit {
                    write!(f, " {unit}")?;
                }
                if value.process != Process::Client {
                    write!(f, " process:{}", quoted(&value.process.to_string()))?;
                }
                for (key, text) in value.conditions.iter() {
                    write!(f, " {}:{}", key.name(), quoted(text))?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "label=operation,col2=real s variant:trunk",
            "#1=medium,#2=time",
            "\"test, or so\"=operation,a=max_rss KiB process:svnserve",
            "a=real ms variant:\"trunk r5\" cache:cold,b=-,decimal=comma",
            "\"decimal\"=files,decimal=point",
            "threads=threads,\"f x\"=speedup x",
            "a=\"s\" s",
            "a=own_name,b=exit",
        ] {
            let meaning = TableMeaning::parse(text).expect(text);
            assert_eq!(meaning.to_string(), text);
        }
        let meaning =
            TableMeaning::parse(" col2 = variant:trunk  real   seconds , #3 = cache").expect("read");
        assert_eq!(meaning.to_string(), "col2=real s variant:trunk,#3=cache");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expect) in [
            ("", "a column is missing"),
            ("a", "expected COLUMN=MEANING"),
            ("a=b=c", "expected COLUMN=MEANING"),
            ("=operation", "expected a header or #N"),
            ("a=", "expected a condition"),
            ("a=real s,,b=user s", "a column is missing"),
            ("a=real s,a=user s", "stands twice"),
            ("a=real KiB", "real is in s, not in KiB"),
            ("a=s variant:x", "no metric"),
            ("a=real colour:red", "there is no condition colour"),
            ("a=real variant:", "nothing stands behind the colon"),
            ("a=real s user", "neither a unit nor a condition"),
            ("a=\"real", "a quote has no partner"),
            ("a=real,decimal=x", "decimal=comma"),
            ("decimal=comma", "no column is named"),
        ] {
            let error = TableMeaning::parse(text).expect_err(text);
            assert!(error.contains(expect), "{text}: {error}");
        }
    }
}
