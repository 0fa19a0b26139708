//! The tables of 2010: a column per repository, rows `real`, `user`, `sys` below `1st run`, sizes and
//! counts below `criterion`, and CPU loads as ranges.

use super::list_table::{Context, Out, Piece, Shared, duration_cell, is_absent, printed};
use crate::number::{DecimalMark, parse_duration, parse_number, parse_size, take_qualifier};
use crate::sink::Sink;
use triptych_model::{Key, Process, RunRow, Unit};

/// A column table that is open.
#[derive(Clone)]
pub struct Columns {
    kind: Kind,
    names: Vec<String>,
    /// The runs of the columns, once a row was written.
    runs: Vec<u32>,
}

#[derive(Clone)]
enum Kind {
    /// Times of the run of these words, such as `1st run`.
    Times(String),
    Facts,
    /// CPU loads below this title.
    Load(String),
}

/// Criteria with a metric of their own, and whose value they are.
const CRITERIA: &[(&str, &str, Process)] = &[
    ("repo size", "repo_size", Process::Client),
    ("repository size", "repo_size", Process::Client),
    ("revisions", "revisions", Process::Client),
    ("export items", "export_items", Process::Client),
    ("export size", "export_size", Process::Client),
    ("cache usage", "cache_usage", Process::Svnserve),
];

/// The words of the criteria, for texts whose lines were joined.
pub fn criteria() -> impl Iterator<Item = &'static str> {
    CRITERIA.iter().map(|(label, _, _)| *label)
}

/// Whether a word numbers a run: `1st`, `2nd`, `10th`.
pub fn is_ordinal(word: &str) -> bool {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(word.get(digits.len()..), Some("st" | "nd" | "rd" | "th"))
}

/// The first run finds the cache cold, later ones hot.
fn cache_of(ordinal: &str) -> &'static str {
    if ordinal == "1st" { "cold" } else { "hot" }
}

/// Reads the head of a table.
pub fn start(context: &mut Context, piece: &Piece<'_>) -> bool {
    let words: Vec<&str> = piece.text.split_whitespace().collect();
    let (kind, names) = match words.as_slice() {
        [ordinal, "run", names @ ..] if is_ordinal(ordinal) && !names.is_empty() => {
            (Kind::Times(format!("{ordinal} run")), names)
        }
        ["criterion", names @ ..] if !names.is_empty() => (Kind::Facts, names),
        [.., _] if is_load_title(piece.text) => (Kind::Load(piece.text.to_owned()), &[] as &[&str]),
        _ => return false,
    };
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    for name in &names {
        if !context.names.contains(name) {
            context.names.push(name.clone());
        }
    }
    context.columns = Some(Columns { kind, names, runs: Vec::new() });
    true
}

fn is_load_title(text: &str) -> bool {
    text.contains("CPU load during ") && !text.starts_with(|c: char| c == '~' || c.is_ascii_digit())
}

/// Reads a row of the table that is open.
pub fn row(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    let Some(mut columns) = context.columns.take() else { return false };
    let done = match &columns.kind {
        Kind::Times(_) => times(context, shared, piece, &mut columns, out),
        Kind::Facts => facts(context, piece, &mut columns, out),
        Kind::Load(_) => load(context, shared, piece, &mut columns, out),
    };
    context.columns = Some(columns);
    done
}

fn times(
    context: &Context,
    shared: &Shared,
    piece: &Piece<'_>,
    columns: &mut Columns,
    out: &mut Out<'_, '_>,
) -> bool {
    let mut words = piece.text.split_whitespace();
    let Some(metric) = words.next().and_then(metric_of_label) else { return false };
    let cells = cells(piece.text, words.collect(), columns.names.len());
    let Some(sink) = out else { return true };
    open_runs(context, shared, piece, columns, sink);
    warn_of_count(sink, piece, &cells, columns.names.len());
    for (run, cell) in columns.runs.iter().zip(&cells) {
        let value = duration_cell(sink, piece, cell);
        sink.measure(printed(*run, piece, Process::Client, metric, Unit::Secs, value, cell));
    }
    true
}

fn metric_of_label(word: &str) -> Option<&'static str> {
    [("real", "real"), ("user", "user"), ("sys", "sys"), ("system", "sys")]
        .into_iter()
        .find(|(label, _)| *label == word.trim_end_matches(':'))
        .map(|(_, metric)| metric)
}

/// The cells of a row; seconds padded by hand (`3m 1.455s`) belong to the minutes ahead of them.
fn cells<'a>(text: &'a str, words: Vec<&'a str>, count: usize) -> Vec<&'a str> {
    if words.len() <= count {
        return words;
    }
    let mut joined: Vec<&str> = Vec::new();
    for word in &words {
        let span = joined.last().and_then(|last| span(text, last, word));
        match (joined.last_mut(), span.filter(|span| parse_duration(span).is_some())) {
            (Some(last), Some(span)) => *last = span,
            _ => joined.push(word),
        }
    }
    if joined.len() == count { joined } else { words }
}

/// The text from the start of one part to the end of another.
fn span<'a>(text: &'a str, first: &str, last: &str) -> Option<&'a str> {
    let base = text.as_ptr() as usize;
    let start = (first.as_ptr() as usize).checked_sub(base)?;
    let end = (last.as_ptr() as usize + last.len()).checked_sub(base)?;
    text.get(start..end)
}

fn warn_of_count(sink: &mut Sink<'_>, piece: &Piece<'_>, cells: &[&str], names: usize) {
    if cells.len() == names {
        return;
    }
    let part = cells.get(names).or(cells.last()).copied().unwrap_or(piece.text);
    let (line, column) = (piece.line.number, piece.column(part));
    sink.not_understood(
        line,
        column,
        "the row has not one value for each column",
        part,
        &format!("{names} values"),
    );
}

/// One run per column of a table of times: the variant is the title's, the repository the column's.
fn open_runs(
    context: &Context,
    shared: &Shared,
    piece: &Piece<'_>,
    columns: &mut Columns,
    sink: &mut Sink<'_>,
) {
    let Kind::Times(words) = &columns.kind else { return };
    if !columns.runs.is_empty() {
        return;
    }
    let ordinal = words.split(' ').next().unwrap_or("");
    for name in &columns.names {
        let mut run = context.run(shared, piece);
        run.content.set(Key::Repository, name.as_str());
        run.content.set(Key::Cache, cache_of(ordinal));
        run.settings.insert("cache_as_printed".to_owned(), words.as_str().into());
        describe_title(&mut run, context);
        columns.runs.push(sink.run(run));
    }
}

/// `Export using the old server`: the operation and, behind `using the`, the variant.
fn describe_title(run: &mut RunRow, context: &Context) {
    let Some(title) = &context.title else { return };
    let (operation, variant) = match title.split_once(" using the ").or_else(|| title.split_once(" using ")) {
        Some((operation, variant)) => (Some(operation), variant),
        None => (None, title.as_str()),
    };
    run.content.set(Key::Variant, variant);
    if let Some(operation) = operation.filter(|operation| !operation.contains(' '))
        && run.content.get(Key::Operation).is_none()
    {
        run.content.set(Key::Operation, operation.to_lowercase());
    }
    if let Some(build) = context.server.as_deref().and_then(build_of) {
        run.content.set(Key::Build, build);
    }
}

/// The build that a server's directory names: `~/subversion-1.6.9/…` is 1.6.9.
fn build_of(command: &str) -> Option<&str> {
    let directories = command.split_whitespace().next()?.split('/');
    directories.filter_map(|part| part.strip_prefix("subversion-")).next()
}

fn facts(context: &Context, piece: &Piece<'_>, columns: &mut Columns, out: &mut Out<'_, '_>) -> bool {
    let is_cell = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || c == '~') || is_absent(word);
    let Some(first) = piece.text.split_whitespace().find(|word| is_cell(word)) else { return false };
    let at = span(piece.text, piece.text, first).map_or(0, |head| head.len() - first.len());
    let (label, values) = piece.text.split_at(at);
    let label = label.trim_end().trim_end_matches(':');
    let known = criterion(label).is_some();
    let fits =
        values.split_whitespace().all(is_cell) && values.split_whitespace().count() == columns.names.len();
    if !known && (label.is_empty() || label.split_whitespace().count() > 4 || !fits) {
        return false;
    }
    let Some(sink) = out else { return true };
    if columns.runs.is_empty() {
        for name in &columns.names {
            let mut run =
                Context { title: context.title.clone(), ..Context::default() }.run(&Shared::default(), piece);
            run.content.set(Key::Repository, name.as_str());
            columns.runs.push(sink.run(run));
        }
    }
    let cells: Vec<&str> = values.split_whitespace().collect();
    warn_of_count(sink, piece, &cells, columns.names.len());
    for (run, cell) in columns.runs.iter().zip(&cells) {
        fact(sink, piece, *run, label, cell);
    }
    true
}

fn criterion(label: &str) -> Option<&'static (&'static str, &'static str, Process)> {
    CRITERIA.iter().find(|(known, _, _)| known.eq_ignore_ascii_case(label))
}

fn fact(sink: &mut Sink<'_>, piece: &Piece<'_>, run: u32, label: &str, cell: &str) {
    let (metric, process) = match criterion(label) {
        Some((_, metric, process)) => ((*metric).to_owned(), process.clone()),
        None => (label.to_lowercase().replace(char::is_whitespace, "_"), Process::Client),
    };
    let text = take_qualifier(cell).1;
    let readings = [
        (parse_size(text), Unit::Bytes),
        (parse_duration(text), Unit::Secs),
        (parse_number(text, &DecimalMark::Point), Unit::Count),
    ];
    let (value, unit) = match readings.into_iter().find(|(value, _)| value.is_some()) {
        Some(reading) => reading,
        None => (None, triptych_model::metric_spec(&metric).map_or(Unit::Count, |spec| spec.unit)),
    };
    if value.is_none() && !is_absent(cell) {
        let column = piece.column(cell);
        sink.not_understood(
            piece.line.number,
            column,
            "unreadable figure",
            cell,
            "a number or a size such as 5.3G",
        );
    }
    sink.measure(printed(run, piece, process, &metric, unit, value, cell));
}

/// `~70 .. 100% CPU load (svnserve)` taken apart.
struct Load<'a> {
    raw: &'a str,
    low: f64,
    high: Option<f64>,
    process: Process,
}

fn parse_load(text: &str) -> Option<Load<'_>> {
    let (figures, rest) = text.split_once('%')?;
    let raw = text.get(..=figures.len())?;
    let (low, high) = match take_qualifier(figures).1.split_once("..") {
        Some((low, high)) => (low, Some(parse_number(high.trim(), &DecimalMark::Point)?)),
        None => (take_qualifier(figures).1, None),
    };
    let low = parse_number(low.trim().trim_end_matches('%'), &DecimalMark::Point)?;
    let rest = rest.trim();
    let name = match rest.strip_prefix("CPU load") {
        Some(name) => name.trim().strip_prefix('(')?.strip_suffix(')')?,
        None => rest,
    };
    let process = match name {
        "sys" | "system" => Process::System,
        "" => return None,
        _ if name.contains(' ') => return None,
        _ => Process::from_command(name),
    };
    Some(Load { raw, low, high, process })
}

fn load(
    context: &Context,
    shared: &Shared,
    piece: &Piece<'_>,
    columns: &mut Columns,
    out: &mut Out<'_, '_>,
) -> bool {
    let Some(load) = parse_load(piece.text) else { return false };
    let (Some(sink), Kind::Load(title)) = (out, &columns.kind) else { return true };
    let run = match columns.runs.first() {
        Some(run) => *run,
        None => sink.run(load_run(context, shared, piece, title)),
    };
    columns.runs = vec![run];
    let mut row = printed(run, piece, load.process, "cpu", Unit::Percent, Some(load.low), load.raw);
    row.value_high = load.high;
    sink.measure(row);
    true
}

/// `Typical CPU load during 1st KDE export`: cache, repository and operation by their words.
fn load_run(context: &Context, shared: &Shared, piece: &Piece<'_>, title: &str) -> RunRow {
    let mut run = Context::default().run(shared, piece);
    let words = title
        .split_whitespace()
        .skip_while(|word| *word != "during")
        .take_while(|word| !word.starts_with('('));
    for word in words.skip(1) {
        let lower = word.to_lowercase();
        let column = context.names.iter().find(|name| {
            name.to_lowercase()
                .strip_prefix(&lower)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        if is_ordinal(word) {
            run.content.set(Key::Cache, cache_of(word));
            run.settings.insert("cache_as_printed".to_owned(), format!("{word} run").into());
        } else if let Some(name) = column {
            run.content.set(Key::Repository, name.as_str());
        } else if let Some(operation) = crate::commands::operation(&format!("svn {lower}")) {
            run.content.set(Key::Operation, operation);
        }
    }
    run.settings.insert("title".to_owned(), title.into());
    run
}
