//! Makes runs and measurements of a table whose columns the user explained.

use super::cells::{self, Marks};
use super::find::{Row, Table};
use crate::formats::is_absent;
use crate::number::DecimalMark;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{
    Conditions, Key, Meaning, Measurement, Problem, ProblemKind, Process, Quality, RunRow, Severity,
    TableMeaning, ValueMeaning, column_name,
};

/// Reads a table by an answer that fits it.
pub fn table(lines: &Lines<'_>, table: &Table, answer: &TableMeaning, sink: &mut Sink<'_>) {
    let meanings = answer.of_columns(&table.header);
    let reader = Reader {
        lines,
        table,
        meanings: &meanings,
        mark: decimal_mark(lines, table, &meanings, answer),
        title: title(lines, table),
    };
    reader.tell_ignored(sink);
    for row in &table.rows {
        reader.row(row, sink);
    }
    for at in &table.odd {
        reader.odd(*at, sink);
    }
}

struct Reader<'t, 'l> {
    lines: &'t Lines<'l>,
    table: &'t Table,
    meanings: &'t [Meaning],
    /// `None` where the cells do not tell and the user did not say.
    mark: Option<DecimalMark>,
    /// The line above the header.
    title: Option<String>,
}

/// The decimal mark of the table, by its columns of values alone.
fn decimal_mark(
    lines: &Lines<'_>,
    table: &Table,
    meanings: &[Meaning],
    answer: &TableMeaning,
) -> Option<DecimalMark> {
    let mut marks = Marks::default();
    for (column, _) in meanings.iter().enumerate().filter(|(_, meaning)| matches!(meaning, Meaning::Value(_)))
    {
        table.rows.iter().for_each(|row| marks.see(row.cell(lines, column)));
    }
    marks.decide(answer.decimal)
}

/// What stands right above the header, or above the blank line there.
fn title(lines: &Lines<'_>, table: &Table) -> Option<String> {
    let depth = lines.get(table.start)?.depth;
    let above = (table.start.saturating_sub(2)..table.start).rev().filter_map(|at| lines.get(at));
    let line = above.filter(|line| line.depth == depth).find(|line| !line.is_blank())?;
    let text = line.text.trim();
    (!super::shape::is_rule(text) && text.chars().count() <= 120).then(|| text.to_owned())
}

/// A run of the row that is being read, with the values it has.
struct Open<'m> {
    conditions: &'m Conditions,
    run: u32,
    has: Vec<(&'m str, &'m Process)>,
}

impl Reader<'_, '_> {
    /// Values that nobody wants are said to be left.
    fn tell_ignored(&self, sink: &mut Sink<'_>) {
        let ignored: Vec<String> = self
            .meanings
            .iter()
            .enumerate()
            .filter(|(_, meaning)| **meaning == Meaning::Ignored)
            .map(|(column, _)| column_name(&self.table.header, column))
            .collect();
        let Some(line) = self.lines.get(self.table.start).filter(|_| !ignored.is_empty()) else { return };
        let message = format!("columns that mean nothing were not read: {}", ignored.join(", "));
        let path = sink.data.path.clone();
        sink.problem(Problem::new(Severity::Note, ProblemKind::Other, path, message).at_line(line.number));
    }

    /// One row: a run for each set of conditions among its columns, and another one where a metric
    /// comes twice under the same conditions.
    fn row(&self, row: &Row, sink: &mut Sink<'_>) {
        let Some(line) = self.lines.get(row.at) else { return };
        let mut open: Vec<Open<'_>> = Vec::new();
        for (column, meaning) in self.meanings.iter().enumerate() {
            let Meaning::Value(value) = meaning else { continue };
            let cell = row.cell(self.lines, column);
            if cell.is_empty() {
                continue;
            }
            let key = (value.metric.as_str(), &value.process);
            let known =
                open.iter().position(|run| *run.conditions == value.conditions && !run.has.contains(&key));
            let index = known.unwrap_or_else(|| {
                let run = self.run(row, &line, value, sink);
                let run = sink.run(run);
                open.push(Open { conditions: &value.conditions, run, has: Vec::new() });
                open.len() - 1
            });
            let Some(run) = open.get_mut(index) else { continue };
            run.has.push(key);
            let measurement = self.measurement(run.run, &line, cell, value, sink);
            sink.measure(measurement);
        }
    }

    /// A run with what the row's cells and the column say.
    fn run(&self, row: &Row, line: &Line<'_>, value: &ValueMeaning, sink: &mut Sink<'_>) -> RunRow {
        let mut run = RunRow {
            line: line.number,
            offset: line.offset,
            quality: Quality::AS_PRINTED,
            ..RunRow::default()
        };
        for (column, meaning) in self.meanings.iter().enumerate() {
            let Meaning::Condition(key) = meaning else { continue };
            let cell = row.cell(self.lines, column);
            if !cell.is_empty() && !is_absent(cell) {
                run.content.set(*key, cell);
            }
        }
        self.exit(row, line, &mut run, sink);
        if let Some(command) = run.content.get(Key::Command).map(str::to_owned) {
            crate::sink::describe_run(&mut run, &command);
        }
        for (key, text) in value.conditions.iter() {
            run.content.set(key, text);
        }
        if let Some(title) = &self.title {
            run.settings.insert("title".to_owned(), title.as_str().into());
        }
        run
    }

    /// A row whose status is not zero is a failed run, however short its times are.
    fn exit(&self, row: &Row, line: &Line<'_>, run: &mut RunRow, sink: &mut Sink<'_>) {
        let Some(column) = self.meanings.iter().position(|meaning| *meaning == Meaning::Exit) else { return };
        let cell = row.cell(self.lines, column);
        if cell.is_empty() || is_absent(cell) {
            return;
        }
        match cell.parse::<i32>() {
            Ok(0) => run.exit = Some(0),
            Ok(status) => {
                run.exit = Some(status);
                run.quality = run.quality.with(Quality::FAILED);
                run.failure = Some(format!("exit status {status}"));
            }
            Err(_) => {
                let column = column_of(line, cell);
                sink.not_understood(line.number, column, "unreadable exit status", cell, "a whole number");
            }
        }
    }

    fn measurement(
        &self,
        run: u32,
        line: &Line<'_>,
        cell: &str,
        value: &ValueMeaning,
        sink: &mut Sink<'_>,
    ) -> Measurement {
        let (number, unit) = match cells::value(cell, value, self.mark) {
            Ok(found) => found,
            Err(expected) => {
                sink.not_understood(line.number, column_of(line, cell), "unreadable cell", cell, &expected);
                (None, cells::expected_unit(value))
            }
        };
        Measurement {
            run,
            line: line.number,
            offset: line.offset,
            process: value.process.clone(),
            metric: value.metric.clone(),
            value: number,
            value_high: None,
            unit,
            executions: None,
            quality: Quality::AS_PRINTED,
            raw: cell.to_owned(),
        }
    }

    /// A line between rows with another number of cells.
    fn odd(&self, at: usize, sink: &mut Sink<'_>) {
        let Some(line) = self.lines.get(at) else { return };
        let expected = format!("{} cells", self.table.header.len());
        sink.not_understood(
            line.number,
            1,
            "a line of the table has not one cell for each column",
            line.text.trim(),
            &expected,
        );
    }
}

/// Column of a cell in its physical line, from 1, quote marks included.
fn column_of(line: &Line<'_>, cell: &str) -> u32 {
    let before = (cell.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
    let chars = line.text.get(..before).map_or(0, |head| head.chars().count());
    u32::try_from(chars + 2 * usize::from(line.depth) + 1).unwrap_or(u32::MAX)
}
