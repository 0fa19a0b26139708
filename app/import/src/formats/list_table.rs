//! List tables: the benchmark figures that people print in mails.
//!
//! The grammars are in `list_ratio` (2013: variants beside each other with ratios), `list_columns`
//! (2010: a column per repository), `list_prose` (2003: a duration in words) and `list_scaling` (2008:
//! speed-ups by threads), `list_percent` (2011: shares of a row of 100 %), `list_arrow` (before → after)
//! and `list_wall` (mercurial's figures). A row means little without what stands above it, the command, the names of
//! the variants, the title; so this file keeps that context, and gains it again from the lines above
//! when a table goes on behind other text.

use super::list_arrow::{self, Change};
use super::list_columns::{self, Columns};
use super::list_flat::pieces;
use super::list_percent::{self, Shares};
use super::list_ratio::{self, Header};
use super::list_scaling::{self, Scaling};
use super::{list_note, list_prose, list_wall};
use crate::format::LineFormat;
use crate::number::{parse_duration, take_qualifier};
use crate::signs::Signs;
use crate::sink::{Sink, describe_run, measured};
use crate::text::{Line, Lines};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use triptych_model::{
    Cancelled, FormatSpec, Key, Measurement, Problem, ProblemKind, Process, Quality, ReadOptions, RunRow,
    Severity, Unit,
};

/// The row of [`crate::FORMATS`].
pub struct ListTable;

const SPEC: FormatSpec = FormatSpec {
    id: "list-table",
    title: "List table",
    help: "benchmark figures printed in a mail: triples with ratios, columns of times, shares, before and after, prose",
    extensions: &["txt", "eml", "mbox"],
    samples: "list-table",
};

/// How far above a row its context may stand, and how far below one the next row of the block.
const CONTEXT_LINES: usize = 400;
const GAP_LINES: usize = 12;

impl LineFormat for ListTable {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, _: u8, _: &ReadOptions) -> Signs {
        const { Signs::any_of(&["=", " r", "mp", " -", "PU", "cr", "%)", "! "]).or(Signs::HIGH) }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let starts = |line: Line<'_>| {
            may_start(line.text)
                && (Reader::default().line(&line, &mut None) >= Step::Start
                    || (list_percent::looks_so(line.text) && becomes_row(lines, at)))
        };
        if !lines.get(at).is_some_and(starts) {
            return Ok(None);
        }
        let mut above = Above::of(lines, at, sink);
        let mut reader = above.reader.branch();
        let mut end = None;
        for (index, line) in lines.starting_at(at) {
            if index % 4096 == 0 {
                sink.check(line.offset)?;
            }
            match reader.line(&line, &mut Some(&mut *sink)) {
                Step::Row => end = Some(index + 1),
                Step::Other => break,
                Step::Start | Step::Context | Step::Blank => {}
            }
            if index > end.unwrap_or(at) + GAP_LINES {
                break;
            }
        }
        above.reader.shared.rows = reader.shared.rows;
        sink.kept = Some(Box::new(above));
        if end.is_some() {
            sink.data.is_table = true;
            sink.close_run();
        }
        Ok(end)
    }
}

/// What stands above a block, kept for the next one: a text may have thousands of small tables.
struct Above {
    /// Index of the first line that was looked at.
    first: usize,
    /// Index of the line that `reader` has not seen yet.
    next: usize,
    reader: Reader,
}

impl Above {
    /// The context of the line of that index, of so many lines at least and four times as many at most.
    fn of(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Self {
        let kept = sink.kept.take().and_then(|kept| kept.downcast::<Self>().ok());
        let kept = kept.filter(|above| above.next <= at && at - above.first <= 4 * CONTEXT_LINES);
        let first = at.saturating_sub(CONTEXT_LINES);
        let mut above = kept.map_or(Self { first, next: first, reader: Reader::default() }, |above| *above);
        for (_, line) in lines.starting_at(above.next).take(at - above.next) {
            above.reader.line(&line, &mut None);
        }
        above.next = at;
        above
    }
}

/// Whether the rows from a row of shares on have a row of 100 % among them.
fn becomes_row(lines: &Lines<'_>, at: usize) -> bool {
    let mut reader = Reader::default();
    lines.starting_at(at).take(GAP_LINES).any(|(_, line)| reader.line(&line, &mut None) == Step::Row)
}

/// Whether a line is worth a closer look; asked for every line of every file that nobody else claims.
fn may_start(text: &str) -> bool {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return text.trim_start().starts_with("criterion ");
    }
    MARKS.iter().any(|marks| marks.iter().all(|mark| text.contains(mark)))
}

/// What all lines have that may start a table, by grammar.
const MARKS: &[&[&str]] = &[
    &["/", "="],
    &[" run "],
    &["sample", ")"],
    &[" - ", " svn"],
    &["CPU load during"],
    &["criterion "],
    &["%)"],
    &["\u{2192}"],
    &[" -> ", ":"],
    &["! wall "],
];

/// What a line is to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Nothing of a table.
    Other,
    /// Nothing at all.
    Blank,
    /// A line that later rows depend on.
    Context,
    /// The head of a table, which a row must follow.
    Start,
    /// Values.
    Row,
}

/// A line, or the part of a flattened line that was one.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    /// Its text without blanks at its ends.
    pub text: &'a str,
    /// The line it stands in.
    pub line: Line<'a>,
}

impl Piece<'_> {
    /// Line and offset, as measurements want them.
    pub fn at(&self) -> (u32, u64) {
        (self.line.number, self.line.offset)
    }

    /// Column of a part of this piece in its physical line, from 1, quote marks included.
    pub fn column(&self, part: &str) -> u32 {
        let before = (part.as_ptr() as usize).saturating_sub(self.line.text.as_ptr() as usize);
        let chars = self.line.text.get(..before).map_or(0, |head| head.chars().count());
        u32::try_from(chars + 2 * usize::from(self.line.depth) + 1).unwrap_or(u32::MAX)
    }
}

/// Where rows go: nowhere while context is gained again from lines that were read before.
pub type Out<'s, 'p> = Option<&'s mut Sink<'p>>;

/// What stands above a row at one quote depth.
#[derive(Clone, Default)]
pub struct Context {
    /// Names of the variants, once a row has confirmed them.
    pub header: Option<Header>,
    /// A line that may be such a header.
    pub candidate: Option<Header>,
    /// The command line above.
    pub command: Option<String>,
    /// The command line of the server above.
    pub server: Option<String>,
    /// The underlined title above.
    pub title: Option<String>,
    /// The numbered section above.
    pub section: Option<String>,
    /// The column table that is open.
    pub columns: Option<Columns>,
    /// Names of the columns met so far.
    pub names: Vec<String>,
    /// Figures by threads.
    pub scaling: Scaling,
    /// The text of the piece above, if that was no row.
    pub last_text: Option<String>,
    /// The last text that was no row, whatever blank lines follow it.
    pub heading: Option<String>,
    /// The table of shares that is open.
    pub shares: Shares,
    /// The rows with arrows right above.
    pub change: Change,
    /// `before` or `after`, where a line said so.
    pub side: Option<&'static str>,
}

/// The build and the repository's format behind a name, as in `trunk is r1446787 on format 6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// The name, perhaps that of a variant.
    pub name: String,
    /// The build's own words.
    pub build: String,
    /// The format, if it is said.
    pub format: Option<String>,
}

/// What holds for the whole text.
#[derive(Clone, Default)]
pub struct Shared {
    /// The repository that the prose names.
    pub repository: Option<String>,
    /// What the prose says of names that may be variants.
    pub builds: Vec<Build>,
    /// Rows met so far with what stands above them: the line of the first and its quote depth.
    pub rows: HashMap<String, (u32, u8)>,
    /// The prose speaks of a scan.
    pub scan: bool,
    /// The prose says that the machine was started afresh.
    pub rebooted: bool,
}

/// Context by quote depth, so that a reply between quoted lines does not disturb them.
#[derive(Clone, Default)]
struct Reader {
    depths: Vec<(u8, Context)>,
    shared: Shared,
}

impl Reader {
    /// Another reader that knows as much; the rows met so far, which may be many, go over to it.
    fn branch(&mut self) -> Self {
        let rows = std::mem::take(&mut self.shared.rows);
        let mut other = self.clone();
        other.shared.rows = rows;
        other
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Out<'_, '_>) -> Step {
        let index = match self.depths.iter().position(|(depth, _)| *depth == line.depth) {
            Some(index) => index,
            None => {
                self.depths.push((line.depth, Context::default()));
                self.depths.len() - 1
            }
        };
        let Some((_, context)) = self.depths.get_mut(index) else { return Step::Other };
        if line.is_blank() {
            (context.columns, context.last_text) = (None, None);
            context.change = Change::default();
            return Step::Blank;
        }
        let steps = pieces(line.text).into_iter().map(|text| {
            let piece = Piece { text, line: *line };
            let step = step(context, &mut self.shared, &piece, out);
            context.last_text = (step != Step::Row).then(|| text.to_owned());
            step
        });
        steps.max().unwrap_or(Step::Blank)
    }
}

/// Reads a row of one grammar; whether it is one.
type RowReader = fn(&mut Context, &mut Shared, &Piece<'_>, &mut Out<'_, '_>) -> bool;

/// The grammars of rows in the order in which they are asked.
const ROWS: &[RowReader] = &[
    list_ratio::row,
    list_columns::row,
    list_prose::row,
    list_scaling::row,
    list_percent::row,
    list_arrow::row,
    list_wall::row,
];

fn step(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> Step {
    if list_columns::start(context, piece) {
        return Step::Start;
    }
    if ROWS.iter().any(|row| row(context, shared, piece, out)) {
        context.candidate = None;
        return Step::Row;
    }
    context.columns = None;
    if list_percent::looks_so(piece.text) {
        return Step::Context;
    }
    list_percent::end(context);
    context.change = Change::default();
    if let Some(side) = list_wall::side(piece.text) {
        context.side = Some(side);
        return Step::Context;
    }
    if !list_note::is_underline(piece.text) {
        context.heading = Some(piece.text.to_owned());
    }
    list_scaling::prose(context, shared, piece, out);
    context.candidate = list_ratio::header(piece.text);
    if list_note::note(context, shared, piece) || context.candidate.is_some() {
        Step::Context
    } else {
        Step::Other
    }
}

impl Context {
    /// A run with what the context says of every row below it.
    pub fn run(&self, shared: &Shared, piece: &Piece<'_>) -> RunRow {
        let (line, offset) = piece.at();
        let mut run = RunRow { line, offset, quality: Quality::AS_PRINTED, ..RunRow::default() };
        if let Some(command) = &self.command {
            describe_run(&mut run, command);
        }
        let of_url = self.command.as_deref().and_then(list_note::repository_of);
        if let Some(repository) = shared.repository.clone().or(of_url) {
            run.content.set(Key::Repository, repository);
        }
        let notes = [("server_command", &self.server), ("title", &self.title), ("section", &self.section)];
        for (name, text) in notes {
            if let Some(text) = text {
                run.settings.insert(name.to_owned(), text.as_str().into());
            }
        }
        run
    }
}

/// The line where a row stood already under the same head, if this is a quotation of it: who answers a
/// mail runs nothing again. The same row twice outside quotations is two measurements.
pub fn quotation_of(shared: &mut Shared, piece: &Piece<'_>, head: &str) -> Option<u32> {
    let mut key = head.to_owned();
    for word in piece.text.split_whitespace() {
        key.push('\n');
        key.push_str(word);
    }
    let (line, depth) = (piece.line.number, piece.line.depth);
    match shared.rows.entry(key) {
        Entry::Occupied(known) => {
            let (first, first_depth) = *known.get();
            (first != line && depth.max(first_depth) > 0).then_some(first)
        }
        Entry::Vacant(place) => {
            place.insert((line, depth));
            None
        }
    }
}

/// Says that a row is a quotation.
pub fn note_quotation(first: u32, line: u32, sink: &mut Sink<'_>) {
    sink.data.program_output += 1;
    let message = format!("a quotation of line {first}, counted once");
    let path = sink.data.path.clone();
    sink.problem(Problem::new(Severity::Note, ProblemKind::Other, path, message).at_line(line));
}

/// A value that a person printed.
pub fn printed(
    run: u32,
    piece: &Piece<'_>,
    process: Process,
    metric: &str,
    unit: Unit,
    value: Option<f64>,
    raw: &str,
) -> Measurement {
    Measurement {
        quality: Quality::AS_PRINTED,
        ..measured(run, piece.at(), process, metric, unit, value, raw)
    }
}

/// A duration cell, which may be absent in the author's words; warns where it cannot be read.
pub fn duration_cell(sink: &mut Sink<'_>, piece: &Piece<'_>, cell: &str) -> Option<f64> {
    let value = parse_duration(take_qualifier(cell).1);
    if value.is_none() && !is_absent(cell) {
        let (line, column) = (piece.line.number, piece.column(cell));
        sink.not_understood(
            line,
            column,
            "unreadable duration",
            cell,
            "a duration with a unit such as 0m1.234s",
        );
    }
    value
}

/// Words for a value that was not measured.
pub fn is_absent(cell: &str) -> bool {
    ["-", "\u{2013}", "\u{2014}", "?", "n/a", "N/A", "DNF", "timeout"].contains(&cell)
        || cell.starts_with("?.?")
}
