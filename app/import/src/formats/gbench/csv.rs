//! Google Benchmark's CSV. What it prints of the machine goes to standard error and may stand above.

use super::entry::{self, Entry, Figure, counter_unit, per_second};
use crate::number::parse_divided;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, RunRow, Unit};

/// Columns that are no counters.
const KNOWN: &[&str] =
    &["name", "iterations", "real_time", "cpu_time", "time_unit", "label", "error_occurred", "error_message"];

/// Whether a line is the header.
pub fn is_header(text: &str) -> bool {
    text.starts_with("name,iterations,real_time,")
}

/// Reads the header at `at` and the rows below it; returns the index behind them.
pub fn read(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
    let names = lines.get(at).map(|line| cells(line.text)).unwrap_or_default();
    let mut entries = Vec::new();
    let mut end = at + 1;
    let mut last_unit = None;
    while let Some(line) = lines.get(end) {
        if end.is_multiple_of(4096) {
            sink.check(line.offset)?;
        }
        let row = cells(line.text);
        if line.is_blank() || row.len() < 4 {
            break;
        }
        if !is_whole(&names, &row) {
            let expected = format!("{} cells", names.len());
            let message = if lines.get(end + 1).is_some() { "odd row" } else { "the last row is cut" };
            sink.not_understood(line.number, 1, message, line.text, &expected);
        } else if let Some(entry) = entry(&line, &names, &row, &mut last_unit, sink) {
            entries.push(entry);
        }
        end += 1;
    }
    entry::write(entries, &RunRow::default(), sink);
    Ok(end)
}

/// Whether a row has all its cells; behind an error the counters are not written.
fn is_whole(names: &[String], row: &[String]) -> bool {
    let column = |name: &str| names.iter().position(|known| known == name);
    let failed = column("error_occurred").and_then(|at| row.get(at)).is_some_and(|cell| cell == "true");
    let known = column("error_message").map(|at| at + 1);
    row.len() == names.len()
        || failed && known.is_some_and(|known| (known..=names.len()).contains(&row.len()))
}

/// The cells of one line.
fn cells(text: &str) -> Vec<String> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.trim_end().as_bytes());
    let mut record = csv::StringRecord::new();
    match reader.read_record(&mut record) {
        Ok(true) => record.iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn entry(
    line: &Line<'_>,
    names: &[String],
    row: &[String],
    last_unit: &mut Option<f64>,
    sink: &mut Sink<'_>,
) -> Option<Entry> {
    let cell = |name: &str| {
        let at = names.iter().position(|known| known == name)?;
        row.get(at).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    };
    let at = (line.number, line.offset);
    let mut entry = Entry { at, name: cell("name")?.to_owned(), ..Entry::default() };
    entry.iterations = cell("iterations").and_then(|cell| cell.parse().ok());
    if let Some(label) = cell("label") {
        entry.facts.push(("label", label.to_owned()));
    }
    if cell("error_occurred") == Some("true") {
        entry.failure = Some(cell("error_message").unwrap_or("an error occurred").to_owned());
        return Some(entry);
    }
    let is_share = entry.name.ends_with("_cv") || entry.name.ends_with("_RMS");
    let time = match cell("time_unit") {
        Some(unit) if per_second(unit).is_some() => {
            *last_unit = per_second(unit);
            *last_unit
        }
        // A fitted curve has its form there, and its coefficients are in the unit of the rows above.
        Some(curve) if entry.name.ends_with("_BigO") => {
            entry.facts.push(("big_o", curve.to_owned()));
            *last_unit
        }
        None => Some(1.0).filter(|_| is_share),
        Some(_) => None,
    };
    if time.is_none() {
        let found = cell("time_unit").unwrap_or_default();
        sink.not_understood(line.number, 1, "unreadable time_unit", found, "ns, us, ms or s");
    }
    // A `cv` is a share, which 1.7 multiplies as if it were seconds.
    let share = |divisor: f64| (Unit::Percent, Some(divisor / 100.0));
    let scale = if is_share { share(time.unwrap_or(f64::NAN)) } else { (Unit::Secs, time) };
    for (name, metric) in [("real_time", "real"), ("cpu_time", "cpu_time")] {
        entry.figures.extend(cell(name).map(|raw| figure(metric, raw, scale, at)));
    }
    for name in names.iter().filter(|name| !KNOWN.contains(&name.as_str())) {
        let scale = if is_share { share(1.0) } else { (counter_unit(name), Some(1.0)) };
        entry.figures.extend(cell(name).map(|raw| figure(name, raw, scale, at)));
    }
    Some(entry)
}

fn figure(metric: &str, raw: &str, (unit, divisor): (Unit, Option<f64>), at: (u32, u64)) -> Figure {
    let value = divisor.and_then(|divisor| parse_divided(raw, divisor));
    Figure { metric: metric.to_owned(), value, unit, raw: raw.to_owned(), at }
}
