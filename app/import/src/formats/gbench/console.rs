//! The table that Google Benchmark prints on the console.
//!
//! Columns are as wide as the longest name, and a name may hold blanks: a row is found by its two
//! times with their units and the number of iterations behind them.

use super::entry::{self, Entry, Figure, counter_unit, per_second};
use crate::number::parse_divided;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, RunRow, Unit};

/// Letters behind a counter's number, decimal, and for binary counters with an `i` behind them.
const PREFIXES: &[(char, i32)] = &[
    ('k', 1),
    // Only with an `i` behind it.
    ('K', 1),
    ('M', 2),
    ('G', 3),
    ('T', 4),
    ('P', 5),
    ('E', 6),
    ('Z', 7),
    ('Y', 8),
    ('m', -1),
    ('u', -2),
    ('n', -3),
    ('p', -4),
    ('f', -5),
    ('a', -6),
    ('z', -7),
    ('y', -8),
];

/// The names of the counters' columns where the line is the table's header; none where each counter
/// stands as `name=value`.
pub fn header(text: &str) -> Option<Vec<String>> {
    let rest = text.strip_prefix("Benchmark ")?;
    let mut words = rest.split_whitespace();
    let mut is = |word: &str| words.next() == Some(word);
    if !(is("Time") && is("CPU") && is("Iterations")) {
        return None;
    }
    Some(words.filter(|word| *word != "UserCounters...").map(str::to_owned).collect())
}

/// Reads the table whose header is at `at`; returns the index behind it.
pub fn read(
    lines: &Lines<'_>,
    at: usize,
    columns: &[String],
    sink: &mut Sink<'_>,
) -> Result<usize, Cancelled> {
    let mut entries = Vec::new();
    let mut columns = columns.to_vec();
    let mut end = at + 1;
    let mut last_unit = None;
    while let Some(line) = lines.get(end) {
        if end.is_multiple_of(4096) {
            sink.check(line.offset)?;
        }
        if let Some(again) = header(line.text) {
            columns = again;
        } else if let Some(entry) = entry(&line, &columns, &mut last_unit) {
            entries.push(entry);
        } else if !is_rule(line.text) {
            break;
        }
        end += 1;
    }
    entry::write(entries, &RunRow::default(), sink);
    Ok(end)
}

fn is_rule(text: &str) -> bool {
    let text = text.trim_end();
    text.len() > 3 && text.bytes().all(|byte| byte == b'-')
}

/// A time or share with its unit, as printed.
#[derive(Clone, Copy)]
struct Time<'a> {
    /// Checked to be one.
    number: &'a str,
    unit: &'a str,
    raw: &'a str,
}

/// Words that stand behind the coefficient of a fitted curve.
const CURVES: &[&str] = &["N", "N^2", "N^3", "lgN", "NlgN", "(1)", "f(N)"];

fn entry(line: &Line<'_>, columns: &[String], last_unit: &mut Option<f64>) -> Option<Entry> {
    let at = (line.number, line.offset);
    if let Some((name, message)) = failure(line.text) {
        let (name, failure) = (name.to_owned(), Some(message.to_owned()));
        return Some(Entry { at, name, failure, ..Entry::default() });
    }
    let words = words(line.text);
    let first = (1..words.len()).find(|first| times(line.text, &words, *first).is_some())?;
    let times = times(line.text, &words, first)?;
    let name = line.text.get(..words.get(first)?.0)?.trim().to_owned();
    let mut entry = Entry { at, name, ..Entry::default() };
    for (time, metric) in times.into_iter().zip(["real", "cpu_time"]) {
        let value = match per_second(time.unit) {
            Some(divisor) => {
                *last_unit = Some(divisor);
                Some((parse_divided(time.number, divisor), Unit::Secs))
            }
            None if time.unit == "%" => Some((parse_divided(time.number, 1.0), Unit::Percent)),
            None => {
                entry.facts = vec![("big_o", time.unit.to_owned())];
                last_unit.map(|divisor| (parse_divided(time.number, divisor), Unit::Secs))
            }
        };
        let unit = value.map_or(Unit::Secs, |(_, unit)| unit);
        let (value, metric, raw) =
            (value.and_then(|(value, _)| value), metric.to_owned(), time.raw.to_owned());
        entry.figures.push(Figure { metric, value, unit, raw, at });
    }
    let mut rest = words.get(first + 4..).unwrap_or_default();
    if let Some(iterations) = rest.first().and_then(|(_, word)| word.parse::<u64>().ok()) {
        entry.iterations = Some(iterations);
        rest = rest.get(1..).unwrap_or_default();
    }
    counters(line.text, rest, columns, &mut entry);
    Some(entry)
}

/// Words with the places where they begin.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut all = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if !c.is_whitespace() {
            start.get_or_insert(at);
        } else if let Some(start) = start.take() {
            all.extend(text.get(start..at).map(|word| (start, word)));
        }
    }
    all
}

/// The two times that begin at a word.
fn times<'a>(text: &'a str, words: &[(usize, &'a str)], first: usize) -> Option<[Time<'a>; 2]> {
    let time = |at: usize| {
        let ((start, number), (end, unit)) = (*words.get(at)?, *words.get(at + 1)?);
        let is_unit = unit == "%" || per_second(unit).is_some() || CURVES.contains(&unit);
        let is_number = number.parse::<f64>().is_ok_and(f64::is_finite);
        if !(is_unit && is_number) {
            return None;
        }
        Some(Time { number, unit, raw: text.get(start..end + unit.len())? })
    };
    Some([time(first)?, time(first + 2)?])
}

/// Name and message of `BM_x   ERROR OCCURRED: 'message'`.
fn failure(text: &str) -> Option<(&str, &str)> {
    let (name, message) = ["ERROR OCCURRED: ", "SKIPPED: "].iter().find_map(|mark| text.split_once(mark))?;
    let message = message.trim_end();
    let inner = message.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    (!name.trim().is_empty()).then_some((name.trim(), inner.unwrap_or(message)))
}

/// Counters as `name=value` or in columns of their own, and what stands behind them, the label.
fn counters(text: &str, words: &[(usize, &str)], columns: &[String], entry: &mut Entry) {
    let mut figures = Vec::new();
    let mut taken = 0;
    for (_, word) in words {
        let named = if columns.is_empty() { word.split_once('=') } else { None };
        let in_column = columns.get(taken).map(|name| (name.as_str(), *word));
        let Some((name, raw)) = named.or(in_column) else { break };
        let Some((value, unit)) = counter(name, raw) else { break };
        figures.push(Figure {
            metric: name.to_owned(),
            value: Some(value),
            unit,
            raw: raw.to_owned(),
            at: entry.at,
        });
        taken += 1;
    }
    entry.figures.append(&mut figures);
    if let Some(label) = words.get(taken).and_then(|(at, _)| text.get(*at..)) {
        entry.facts.push(("label", label.trim_end().to_owned()));
    }
}

/// The value of `3`, `49.4614M/s`, `58k`, `1.5Ki`, `22.34%`.
fn counter(name: &str, raw: &str) -> Option<(f64, Unit)> {
    if let Some(percent) = raw.strip_suffix('%') {
        return Some((percent.parse().ok()?, Unit::Percent));
    }
    let (number, is_rate) = match raw.strip_suffix("/s") {
        Some(number) => (number, true),
        None => (raw, false),
    };
    let unit = if is_rate && counter_unit(name) == Unit::Count { Unit::PerSec } else { counter_unit(name) };
    let (digits, base) = match number.strip_suffix('i') {
        Some(digits) => (digits, 1024.0_f64),
        None => (number, 1000.0),
    };
    let prefix = PREFIXES.iter().find_map(|(letter, power)| Some((digits.strip_suffix(*letter)?, *power)));
    let (digits, power) = prefix.unwrap_or((digits, 0));
    let value = digits.parse::<f64>().ok()? * base.powi(power);
    value.is_finite().then_some((value, unit))
}
