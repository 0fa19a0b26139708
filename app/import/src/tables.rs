//! The general reader: tables of figures with a header that no format knows.
//!
//! Nothing in such a table says what its columns mean, and nothing here guesses it: [`propose()`] finds
//! the tables of a source and says what each column looks like, the user answers with a
//! [`TableMeaning`], and only with that answer rows are made (`read`). The driver asks for it where no
//! other format takes anything of a source; the import sheet shows the proposal with a preview.

mod cells;
mod find;
mod propose;
mod read;
mod shape;

pub use propose::{ColumnKind, FoundTable, ProposedColumn};

use crate::format::LineFormat;
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use find::Table;
use triptych_model::{Cancelled, FormatSpec, Problem, ProblemKind, ReadOptions, Severity, TableMeaning};

/// The row of [`crate::FORMATS`].
pub struct TableFormat;

/// Its id, by which a user asks for it alone.
pub const ID: &str = "table";

const SPEC: FormatSpec = FormatSpec {
    id: ID,
    title: "Any other table",
    help: "a table of times or other figures with a header, in columns, CSV, TSV or Markdown; you say what its columns mean",
    extensions: &["txt", "csv", "tsv", "md"],
    samples: "table",
};

impl LineFormat for TableFormat {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, _: u8, _: &ReadOptions) -> Signs {
        Signs::NEVER
    }

    /// Claims nothing: the driver reads tables by [`read_rest`] after all other formats had their turn.
    fn claim(&self, _: &Lines<'_>, _: usize, _: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        Ok(None)
    }
}

/// Tables of a source that no format claims, with what their columns look like. Pure and quick: of a
/// long table only the head is looked at.
pub fn propose(bytes: &[u8]) -> Vec<FoundTable> {
    let lines = Lines::new(bytes);
    let mut found: Vec<FoundTable> = Vec::new();
    for table in Tables::new(&lines) {
        let table = propose::describe(&lines, &table);
        if !found.iter().any(|known| known.header == table.header) {
            found.push(table);
        }
    }
    found
}

/// Reads all tables of a source that no other format took anything of; says whether there are any.
///
/// Tables whose columns nobody explained are asked about; where that is all of them, the source is
/// passed over with that reason.
///
/// # Errors
/// Only [`Cancelled`].
pub fn read_rest(lines: &Lines<'_>, sink: &mut Sink<'_>) -> Result<bool, Cancelled> {
    let (mut any, mut within) = (false, 0);
    for table in Tables::new(lines) {
        any = true;
        if let Some(line) = lines.get(table.start) {
            sink.check(line.offset)?;
        }
        within += one(lines, &table, sink);
    }
    if sink.data.formats.is_empty() {
        sink.data.program_output = 0;
    } else {
        let is_said = |line: &Line<'_>| !line.is_blank() && !shape::is_rule(line.text);
        let written = lines.starting_at(0).filter(|(_, line)| is_said(line)).count();
        sink.data.program_output = written.saturating_sub(within) as u64;
    }
    Ok(any)
}

/// Reads one table by the answer that fits it, or asks; gives the lines that were read.
fn one(lines: &Lines<'_>, table: &Table, sink: &mut Sink<'_>) -> usize {
    let options = sink.options;
    let answer = TableMeaning::find(&options.tables, &table.header);
    let before = TableMeaning::find(&options.known_tables, &table.header);
    if let Some(used) = answer.or(before).filter(|used| !sink.data.tables.contains(used)) {
        sink.data.tables.push(used.clone());
    }
    match (answer, before) {
        (Some(answer), _) => read::table(lines, table, answer, sink),
        (None, Some(answer)) => {
            let path = sink.data.path.clone();
            let mut problem = Problem::new(Severity::Note, ProblemKind::Other, path, ANSWERED_BEFORE);
            problem.line = lines.get(table.start).map(|line| line.number);
            sink.problem(problem);
            read::table(lines, table, answer, sink);
        }
        (None, None) => {
            ask(lines, table, sink);
            return 0;
        }
    }
    sink.recognised(ID);
    sink.data.is_table = true;
    sink.data.skipped = None;
    table.lines()
}

/// Says that the user is asked, once a header, and passes the source over unless other tables were read.
fn ask(lines: &Lines<'_>, table: &Table, sink: &mut Sink<'_>) {
    let found = propose::describe(lines, table);
    let names = found.header.join(" | ");
    let message = format!("a table whose columns nobody explained yet: {names}");
    let next = format!("say in the import sheet what they mean, or give --columns '{}'", found.meaning());
    let path = sink.data.path.clone();
    if sink.data.formats.is_empty() && sink.data.skipped.is_none() {
        sink.data.skipped = Some(format!("{message}; {next}"));
    }
    let severity = if sink.data.formats.is_empty() { Severity::Note } else { Severity::Warning };
    sink.problem(
        Problem::new(severity, ProblemKind::Asked, path, message).at_line(found.line).next_step(next),
    );
}

/// Said of a table that was read by an answer for another one.
pub const ANSWERED_BEFORE: &str =
    "the columns mean what you answered for a table with the same header before";

/// The tables of a source from its first line on.
struct Tables<'l, 'a> {
    lines: &'l Lines<'a>,
    at: usize,
}

/// Text of as many lines without a table has none.
const LOOKED_AT: usize = 5000;

impl<'l, 'a> Tables<'l, 'a> {
    fn new(lines: &'l Lines<'a>) -> Self {
        Self { lines, at: 0 }
    }
}

impl Iterator for Tables<'_, '_> {
    type Item = Table;

    fn next(&mut self) -> Option<Table> {
        let end = self.at.saturating_add(LOOKED_AT).min(self.lines.len());
        while self.at < end {
            match find::at(self.lines, self.at) {
                Some(table) => {
                    self.at = table.end.max(self.at + 1);
                    return Some(table);
                }
                None => self.at += 1,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
