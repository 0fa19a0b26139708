//! Tables of times: `show`.

use super::label::{Label, tell_revisions_apart};
use super::{count, next_line};
use crate::number::{DecimalMark, parse_number};
use crate::sink::{Sink, measured, set_content};
use crate::text::{Line, Lines};
use triptych_model::{Key, Process, Quality, RunRow, Unit};

/// Columns of times and their metrics.
pub const TIMES: [&str; 3] = ["real_min", "real_max", "real_mean"];

/// Reads the table under `Timings for LABEL`; `None` where no header follows.
pub fn read(lines: &Lines<'_>, at: usize, label: &str, sink: &mut Sink<'_>) -> Option<usize> {
    let (header, line) = next_line(lines, at + 1)?;
    if line.text.split_whitespace().take(5).ne(["N", "min", "max", "avg", "operation"]) {
        return None;
    }
    let label = Label::parse(label);
    let depth = line.depth;
    let mut end = header + 1;
    sink.close_run();
    while let Some(line) = lines.get(end).filter(|line| line.depth == depth && !is_end(line.text)) {
        match row(line.text) {
            Some(row) => write(&line, &label, &row, sink),
            None if is_damaged_row(line.text) => {
                let expected = "a count, three times in seconds and an operation";
                sink.not_understood(line.number, 1, "unreadable row", line.text.trim(), expected);
            }
            None => break,
        }
        end += 1;
    }
    sink.last = Some(tell_revisions_apart);
    Some(end)
}

/// What ends a table.
pub fn is_end(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text == "--" || text.starts_with("(legend:") || text.starts_with("Timings for ")
}

/// A row begins with blanks or its count; what does not is text behind the table.
pub fn is_damaged_row(text: &str) -> bool {
    text.starts_with(|first: char| first == ' ' || first.is_ascii_digit())
}

struct Row<'t> {
    executions: u64,
    times: [&'t str; 3],
    operation: &'t str,
}

/// `  16    0.06    0.32    0.18  commit`; an operation may hold blanks, `TOTAL RUN`.
fn row(text: &str) -> Option<Row<'_>> {
    let (executions, rest) = word(text)?;
    let (least, rest) = word(rest)?;
    let (most, rest) = word(rest)?;
    let (mean, rest) = word(rest)?;
    let times = [least, most, mean];
    let operation = Some(rest.trim()).filter(|rest| !rest.is_empty())?;
    times.iter().all(|time| number(time).is_some()).then_some(())?;
    Some(Row { executions: count(executions)?, times, operation })
}

/// The first word and what stands behind it.
pub fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A number as suite1 prints it; Python's format has a point in every locale.
pub fn number(text: &str) -> Option<f64> {
    text.contains('.').then(|| parse_number(text, &DecimalMark::Point)).flatten()
}

fn write(line: &Line<'_>, label: &Label, row: &Row<'_>, sink: &mut Sink<'_>) {
    let at = (line.number, line.offset);
    let mut run = RunRow { line: at.0, offset: at.1, ..RunRow::default() };
    label.describe(&mut run);
    set_content(&mut run, Key::Operation, row.operation);
    let run = sink.run(run);
    for (metric, raw) in TIMES.iter().zip(row.times) {
        let mut value = measured(run, at, Process::Client, metric, Unit::Secs, number(raw), raw);
        value.executions = Some(row.executions);
        value.quality = Quality::MEASURED;
        sink.measure(value);
    }
}
