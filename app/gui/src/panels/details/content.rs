//! What Details has to say about a selection, made once a selection and not in every frame.

use std::sync::Arc;
use triptych_model::{Key, Problem, Process, Quality, Unit};
use triptych_report::{Comparison, Row, numbers};
use triptych_store::{Difference, RunIndex, RunView, Store, Value};

/// A comparison that is equal only to itself, so that keeping its answers is cheap.
#[derive(Clone, Debug)]
pub struct Same(pub Arc<Comparison>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What is selected.
#[derive(Clone, Debug)]
pub enum Content {
    /// No run.
    Nothing,
    /// Runs of one cell.
    Cell(Box<CellView>),
    /// Runs of several cells.
    Cells(Vec<CellLine>),
    /// Runs that are in no triple shown.
    Runs(Vec<RunLine>),
}

/// One run in words.
#[derive(Clone, Debug)]
pub struct RunLine {
    /// The run.
    pub run: RunIndex,
    /// Its stable id.
    pub id: String,
    /// Where its figures stand: index of the source and line.
    pub place: (u32, u32),
    /// Conditions in words.
    pub title: String,
    /// Its first values in words: label and value.
    pub values: Vec<(String, String)>,
    /// Why it failed.
    pub failure: Option<String>,
    /// Why it was left out.
    pub left_out: Option<String>,
    /// Whether it counts.
    pub counts: bool,
}

/// One cell among several that are selected.
#[derive(Clone, Debug)]
pub struct CellLine {
    /// Index of the triple.
    pub row: usize,
    /// Index of the cell in it.
    pub cell: usize,
    /// Selected runs of it.
    pub runs: Vec<RunIndex>,
}

/// One cell, compared with its baseline.
#[derive(Clone, Debug)]
pub struct CellView {
    /// Index of the triple.
    pub row: usize,
    /// Index of the cell in it.
    pub cell: usize,
    /// Index of the cell it is compared with; `None` for the baseline itself.
    pub other: Option<usize>,
    /// The value in words, with its unit.
    pub figure: String,
    /// What the value is: `median of 4`.
    pub kind: String,
    /// All runs of the cell in order: those that count, failed ones, those left out.
    pub runs: Vec<RunLine>,
    /// The runs that are selected one by one, where not the whole cell is.
    pub single: Option<usize>,
    /// Lines of the table: name, other's value, its own.
    pub lines: Vec<[String; 3]>,
    /// Facts of both sides.
    pub differences: Vec<Difference>,
}

impl Content {
    /// What is to be said about these runs.
    pub fn of(store: &Store, comparison: &Comparison, selection: &[RunIndex]) -> Self {
        if selection.is_empty() {
            return Self::Nothing;
        }
        let cells = cells_of(comparison, selection);
        match cells.as_slice() {
            [] => {
                Self::Runs(selection.iter().take(50).filter_map(|run| run_line(store, *run, None)).collect())
            }
            [only] => cell_view(store, comparison, only, selection)
                .map_or(Self::Nothing, |view| Self::Cell(Box::new(view))),
            _ => Self::Cells(cells),
        }
    }
}

/// All runs of a cell: counting, failed, left out.
fn runs_of(row: &Row, cell: usize) -> Vec<RunIndex> {
    let Some(cell) = row.group.cells.get(cell) else { return Vec::new() };
    let counting = cell.values.iter().map(|value| value.run);
    counting.chain(cell.failed.iter().copied()).chain(cell.left_out.iter().map(|(run, _)| *run)).collect()
}

/// The cells that hold the runs; a run is taken at its first place only.
fn cells_of(comparison: &Comparison, selection: &[RunIndex]) -> Vec<CellLine> {
    let mut left: std::collections::BTreeSet<RunIndex> = selection.iter().copied().collect();
    let mut lines = Vec::new();
    for (row_index, row) in comparison.rows.iter().enumerate() {
        for cell in 0..row.group.cells.len() {
            let runs: Vec<RunIndex> = runs_of(row, cell).into_iter().filter(|run| left.remove(run)).collect();
            if !runs.is_empty() {
                lines.push(CellLine { row: row_index, cell, runs });
            }
        }
    }
    lines
}

fn cell_view(
    store: &Store,
    comparison: &Comparison,
    line: &CellLine,
    selection: &[RunIndex],
) -> Option<CellView> {
    let row = comparison.rows.get(line.row)?;
    let cell = row.group.cells.get(line.cell)?;
    let side = row.sides.get(line.cell)?;
    let other = (line.cell != row.baseline).then_some(row.baseline);
    let runs: Vec<RunLine> = runs_of(row, line.cell)
        .into_iter()
        .filter_map(|run| run_line(store, run, cell.values.iter().find(|value| value.run == run)))
        .collect();
    let single = match selection {
        [run] if runs.len() > 1 => runs.iter().position(|line| line.run == *run),
        _ => None,
    };
    let unit = row.group.unit;
    let chosen = single
        .and_then(|index| runs.get(index))
        .and_then(|line| cell.values.iter().find(|v| v.run == line.run));
    let (figure, kind) = match (chosen, cell.values.as_slice(), side.median) {
        (Some(value), ..) => (
            value_text(value, unit),
            side.median.map_or(String::new(), |m| format!("one run, median {}", numbers::with_unit(m, unit))),
        ),
        (None, [only], _) => (value_text(only, unit), one_value(only).to_owned()),
        (None, _, Some(median)) => (numbers::with_unit(median, unit), format!("median of {}", side.n)),
        (None, _, None) if !cell.failed.is_empty() => {
            ("failed".to_owned(), numbers::plural(cell.failed.len(), "run", "runs"))
        }
        (None, _, None) if !cell.left_out.is_empty() => {
            ("left out".to_owned(), numbers::plural(cell.left_out.len(), "run", "runs"))
        }
        (None, _, None) => ("no value".to_owned(), String::new()),
    };
    let differences = other.map_or(Vec::new(), |other| {
        // Failed runs differ in their failure, which stands elsewhere; without any other they have to do.
        let runs =
            |cell| Some(row.runs(cell)).filter(|runs| !runs.is_empty()).unwrap_or_else(|| runs_of(row, cell));
        let mut facts = store.differences(&runs(other), &runs(line.cell));
        // The compared key differs by definition and heads the columns.
        facts.retain(|fact| fact.name != row.group.across.name());
        facts
    });
    let lines = table_lines(store, row, other, line.cell);
    Some(CellView { row: line.row, cell: line.cell, other, figure, kind, runs, single, lines, differences })
}

fn one_value(value: &Value) -> &'static str {
    if value.quality.has(Quality::AS_PRINTED) { "as printed" } else { "one run" }
}

fn value_text(value: &Value, unit: triptych_model::Unit) -> String {
    match value.high {
        Some(high) => numbers::span(value.value, high, |number| numbers::with_unit(number, unit)),
        None => numbers::with_unit(value.value, unit),
    }
}

/// Name and both sides' values: the metric itself, the server's CPU time, counts.
fn table_lines(store: &Store, row: &Row, other: Option<usize>, cell: usize) -> Vec<[String; 3]> {
    let unit = row.group.unit;
    let both = |text: &dyn Fn(usize) -> String| [other.map(text).unwrap_or_default(), text(cell)];
    let median = |index: usize| row.sides.get(index).and_then(|side| side.median);
    let value = |index: usize| median(index).map(|value| numbers::with_unit(value, unit)).unwrap_or_default();
    let cpu = |index: usize| {
        server_cpu(store, row, index).map(|secs| numbers::with_unit(secs, Unit::Secs)).unwrap_or_default()
    };
    let range = |index: usize| match row.sides.get(index).and_then(|side| side.range) {
        Some((low, high)) if low < high => numbers::span(low, high, |value| numbers::digits(value, unit)),
        _ => String::new(),
    };
    let runs = |index: usize| row.sides.get(index).map_or(String::new(), |side| side.n.to_string());
    let count =
        |index: usize, of: fn(&triptych_store::Cell) -> usize| row.group.cells.get(index).map_or(0, of);
    let mut lines = Vec::new();
    let mut push = |name: &str, [a, b]: [String; 2]| {
        if !(a.is_empty() && b.is_empty()) {
            lines.push([name.to_owned(), a, b]);
        }
    };
    push(&row.group.metric, both(&value));
    if row.group.metric != "cpu_time" {
        push("server CPU", both(&cpu));
    }
    push("runs", both(&runs));
    push("range", both(&range));
    let some = |of: fn(&triptych_store::Cell) -> usize| {
        count(cell, of) + other.map_or(0, |other| count(other, of)) > 0
    };
    for (name, of) in [
        ("failed", (|cell| cell.failed.len()) as fn(&triptych_store::Cell) -> usize),
        ("left out", |cell| cell.left_out.len()),
    ] {
        if some(of) {
            push(name, both(&|index| count(index, of).to_string()));
        }
    }
    lines
}

/// Median of the CPU seconds that the server took for a cell's runs.
fn server_cpu(store: &Store, row: &Row, cell: usize) -> Option<f64> {
    let seconds: Vec<f64> = row
        .runs(cell)
        .into_iter()
        .filter_map(|run| store.run(run))
        .filter_map(|view| {
            let server = |process: &Process| matches!(process, Process::Svnserve | Process::Httpd);
            view.values
                .iter()
                .find(|value| value.metric == "cpu_time" && server(&value.process))
                .and_then(|value| value.value)
        })
        .collect();
    triptych_analysis::median(&seconds)
}

/// The conditions that tell a run from others, in the order of headings.
const TITLE: [Key; 9] = [
    Key::Variant,
    Key::Operation,
    Key::Repository,
    Key::Network,
    Key::Threads,
    Key::Medium,
    Key::Cache,
    Key::Format,
    Key::Repetition,
];

fn run_title(view: &RunView) -> String {
    let known = TITLE.iter().filter_map(|key| Some((key, &view.conditions.get(key)?.0)));
    let words: Vec<String> = known
        .filter(|(_, value)| !value.is_empty())
        .map(|(key, value)| match key {
            Key::Threads if value == "1" => "1 thread".to_owned(),
            Key::Threads => format!("{value} threads"),
            Key::Format => format!("format {value}"),
            Key::Repetition => format!("run {value}"),
            _ => value.clone(),
        })
        .collect();
    if words.is_empty() { view.id.clone() } else { words.join(", ") }
}

fn run_line(store: &Store, run: RunIndex, value: Option<&Value>) -> Option<RunLine> {
    let view = store.run(run)?;
    let place = value.map_or((view.source, view.line), |value| (value.source, value.line));
    let values = view.values.iter().filter_map(|value| {
        let text = value.value.map(|number| numbers::with_unit(number, value.unit))?;
        let name = match value.process {
            Process::Client => value.metric.clone(),
            ref process => format!("{process} {}", value.metric),
        };
        Some((name, text))
    });
    Some(RunLine {
        run,
        place,
        title: run_title(&view),
        values: values.take(12).collect(),
        counts: value.is_some(),
        failure: view
            .failure
            .or_else(|| view.exit.filter(|exit| *exit != 0).map(|exit| format!("exit {exit}"))),
        left_out: view.left_out,
        id: view.id,
    })
}

/// A problem in words, for the place where lines of a file should stand.
pub fn sentence(problem: &Problem) -> String {
    let mut text = problem.sentence();
    if let Some(first) = text.get(..1) {
        let upper = first.to_uppercase();
        text.replace_range(..1, &upper);
    }
    text.push('.');
    text
}
