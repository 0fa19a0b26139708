//! The notation of 2013: `USB cold 270.5s / 246.3s / 104.4s = 1.00 : 1.10 : 2.59`, any number of variants.
//!
//! A row is one only if it has a duration with a unit left of the `=` and ratios right of it, so that
//! `37% apr_file_rename / MoveFileExW` and paths are none. The names of the variants stand above the
//! first table and hold for the later ones.

use super::list_table::{Context, Out, Piece, Shared, duration_cell, note_quotation, printed, quotation_of};
use crate::number::{DecimalMark, Printed, printed_duration, printed_number, take_qualifier};
use crate::sink::Sink;
use triptych_model::{Key, Problem, ProblemKind, Process, Quality, RunRow, Severity, Unit};

/// The names of the variants, and what the words ahead of a row mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// What the row's head names beside the cache state.
    pub key: Key,
    /// The variants in their order.
    pub names: Vec<String>,
}

/// States of the cache as people print them at the end of a row's head.
const CACHES: &[(&str, &str)] = &[
    ("cold", "cold"),
    ("Cold", "cold"),
    ("hot", "hot"),
    ("Hot", "hot"),
    ("hot-server", "hot-server"),
    ("warm", "warm"),
    ("WarmOS", "WarmOS"),
    ("HotOS", "HotOS"),
    ("WrmSVN", "WrmSVN"),
    ("HotSVN", "HotSVN"),
];

/// Words that head the column of the rows' names.
const HEADS: &[(&str, Key)] = &[
    ("medium", Key::Medium),
    ("disk", Key::Medium),
    ("storage", Key::Medium),
    ("cache", Key::Cache),
    ("network", Key::Network),
    ("host", Key::Host),
    ("repository", Key::Repository),
    ("repo", Key::Repository),
    ("operation", Key::Operation),
    ("threads", Key::Threads),
];

/// Whether a word names a state of the cache.
pub fn is_cache(word: &str) -> bool {
    CACHES.iter().any(|(printed, _)| *printed == word)
}

/// Whether a word heads the column of the rows' names.
pub fn is_head(word: &str) -> bool {
    HEADS.iter().any(|(name, _)| *name == word)
}

/// Reads `medium trunk / branch6 / branch7`; whether it is a header shows in the row below.
pub fn header(text: &str) -> Option<Header> {
    let slash = if text.contains(" / ") { " / " } else { "/" };
    let mut pieces: Vec<&str> = text.split(slash).map(str::trim).collect();
    let mut key = Key::Medium;
    while let Some((word, rest)) = pieces.first().and_then(|piece| piece.split_once(char::is_whitespace))
        && let Some((_, known)) = HEADS.iter().find(|(name, _)| *name == word)
    {
        if *known != Key::Cache {
            key = *known;
        }
        *pieces.first_mut()? = rest.trim_start();
    }
    let is_name = |piece: &&str| {
        !piece.is_empty()
            && piece.split_whitespace().count() <= 4
            && !piece.contains(['=', ':', '/'])
            && printed_duration(piece).is_none()
    };
    (pieces.len() >= 2 && pieces.iter().all(is_name))
        .then(|| Header { key, names: pieces.into_iter().map(str::to_owned).collect() })
}

/// A row taken apart.
struct Row<'a> {
    head: &'a str,
    cells: Vec<&'a str>,
    ratios: Vec<&'a str>,
    counts: Vec<u64>,
}

fn parse(text: &str) -> Option<Row<'_>> {
    let (left, right) = text.split_once('=')?;
    let (right, counts) = match right.split_once('(') {
        Some((right, note)) => (right, counts(note)),
        None => (right, Vec::new()),
    };
    let mut cells: Vec<&str> = left.split('/').map(str::trim).collect();
    let mut ratios: Vec<&str> = right.split(':').map(str::trim).collect();
    if let Some(last) = ratios.last_mut() {
        *last = without_remark(last);
    }
    let (head, first) = split_head(cells.first()?);
    *cells.first_mut()? = first;
    let is_duration = |cell: &&str| printed_duration(take_qualifier(cell).1).is_some();
    let is_ratio = |ratio: &&str| printed_number(ratio, &DecimalMark::Point).is_some();
    let is_row = cells.len() >= 2
        && cells.iter().any(is_duration)
        && cells.iter().all(|cell| cell.split_whitespace().count() <= 4)
        && ratios.iter().any(is_ratio)
        && ratios.iter().all(|ratio| ratio.split_whitespace().count() <= 1);
    is_row.then_some(Row { head, cells, ratios, counts })
}

/// The last ratio without a remark such as `<- slower` or `*`.
fn without_remark(ratio: &str) -> &str {
    match ratio.split_once(char::is_whitespace) {
        Some((ratio, remark)) if !remark.trim_start().starts_with(char::is_alphanumeric) => ratio,
        _ => ratio,
    }
}

/// `n = 5, 5, 4)`: how many runs each value sums up.
fn counts(note: &str) -> Vec<u64> {
    let Some(list) = note.trim_start().strip_prefix("n = ") else { return Vec::new() };
    list.trim_end_matches(')').split(',').map_while(|count| count.trim().parse().ok()).collect()
}

/// Parts `USB cold 3m 1.455s` ahead of its duration, the longest text at the end that is one.
pub fn split_head(text: &str) -> (&str, &str) {
    let starts = text.char_indices().rev().filter(|(at, c)| {
        !c.is_whitespace()
            && text.get(..*at).is_none_or(|head| head.is_empty() || head.ends_with(char::is_whitespace))
    });
    let starts: Vec<usize> = starts.map(|(at, _)| at).take(5).collect();
    let is_duration =
        |at: &&usize| text.get(**at..).is_some_and(|tail| printed_duration(take_qualifier(tail).1).is_some());
    let at = starts.iter().rev().find(is_duration).or(starts.first()).copied().unwrap_or(0);
    let (head, cell) = text.split_at(at);
    (head.trim_end(), cell)
}

/// Reads a row and writes a run for each of its cells.
pub fn row(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    let Some(row) = parse(piece.text) else { return is_unitless(context, piece, out) };
    let fits = context.candidate.as_ref().is_some_and(|header| header.names.len() == row.cells.len());
    if fits || context.header.is_none() {
        context.header = context.candidate.take().or(context.header.take());
    }
    let first = first_line_of(context, shared, piece);
    if let Some(sink) = out {
        match first {
            Some(line) => note_quotation(line, piece.line.number, sink),
            None => write(context, shared, piece, &row, sink),
        }
    }
    true
}

/// Whether a line below a table's rows is one of them but for its units; it is warned about, not guessed at.
fn is_unitless(context: &Context, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    let (Some(header), Some((left, right))) = (&context.header, piece.text.split_once('=')) else {
        return false;
    };
    let last_word = |text: &str| text.split_whitespace().next_back().map(str::to_owned);
    let is_number =
        |text: &str| last_word(text).is_some_and(|word| printed_number(&word, &DecimalMark::Point).is_some());
    let is_row = left.split('/').count() == header.names.len()
        && left.split('/').all(is_number)
        && right.split(':').all(is_number);
    if let (true, Some(sink)) = (is_row, out) {
        let (line, column) = (piece.line.number, piece.column(left));
        sink.not_understood(line, column, "a row without units", left.trim(), "durations such as 12.3s");
    }
    is_row
}

/// The line where the row stood already, if this is a quotation of it: who answers a mail runs
/// nothing again. The same row twice outside quotations is two measurements.
fn first_line_of(context: &Context, shared: &mut Shared, piece: &Piece<'_>) -> Option<u32> {
    let names = context.header.as_ref().map_or(&[][..], |header| &header.names);
    let command = context.command.as_deref().unwrap_or_default();
    quotation_of(shared, piece, &format!("{command}\n{}", names.join("\n")))
}

fn write(context: &Context, shared: &Shared, piece: &Piece<'_>, row: &Row<'_>, sink: &mut Sink<'_>) {
    let names = names(context.header.as_ref(), row, piece, sink);
    let wrong = contradictions(row);
    let quality = if wrong.is_empty() { Quality::NONE } else { Quality::INCONSISTENT };
    if !wrong.is_empty() {
        warn_contradiction(&wrong, piece, sink);
    }
    for (index, name) in names.iter().enumerate() {
        let mut run = context.run(shared, piece);
        describe_head(&mut run, context.header.as_ref(), row.head);
        describe_variant(&mut run, shared, name);
        run.quality = run.quality.with(quality);
        let run = sink.run(run);
        if let Some(cell) = row.cells.get(index) {
            let value = duration_cell(sink, piece, cell);
            let mut time = printed(run, piece, Process::Client, "time", Unit::Secs, value, cell);
            time.quality = time.quality.with(quality);
            time.executions = row.counts.get(index).copied();
            sink.measure(time);
        }
        if let Some(ratio) = row.ratios.get(index) {
            let value = ratio_cell(sink, piece, ratio);
            let mut ratio = printed(run, piece, Process::Client, "ratio", Unit::Times, value, ratio);
            ratio.quality = ratio.quality.with(quality);
            sink.measure(ratio);
        }
    }
}

/// A name for every cell that has one, with a warning where header, times and ratios differ in number.
fn names(header: Option<&Header>, row: &Row<'_>, piece: &Piece<'_>, sink: &mut Sink<'_>) -> Vec<String> {
    let (line, cells) = (piece.line.number, row.cells.len());
    let mut wrong = |part: &str, message: &str, expected: String| {
        sink.not_understood(line, piece.column(part), message, part, &expected);
    };
    if row.ratios.len() != cells {
        let last = row.ratios.last().copied().unwrap_or("");
        wrong(last, "the row has not one ratio for each time", format!("{cells} ratios"));
    }
    let Some(header) = header else {
        wrong(piece.text, "no line above names the variants", "names such as trunk / branch6".to_owned());
        return (1..=cells).map(|index| format!("variant {index}")).collect();
    };
    if header.names.len() != cells {
        let last = row.cells.get(header.names.len()).or(row.cells.last()).copied().unwrap_or("");
        let names = header.names.join(" / ");
        wrong(last, "the row has not one time for each variant", format!("times for {names}"));
    }
    header.names.iter().take(cells).cloned().collect()
}

/// The variant's name, and what the prose says of it.
fn describe_variant(run: &mut RunRow, shared: &Shared, name: &str) {
    run.content.set(Key::Variant, name);
    let Some(build) = shared.builds.iter().rev().find(|build| build.name == name) else { return };
    run.content.set(Key::Build, build.build.as_str());
    if let Some(format) = &build.format {
        run.content.set(Key::Format, format.as_str());
    }
}

/// Medium and cache from the words ahead of the times.
fn describe_head(run: &mut RunRow, header: Option<&Header>, head: &str) {
    let key = header.map_or(Key::Medium, |header| header.key);
    let (rest, last) = match head.rsplit_once(char::is_whitespace) {
        Some((rest, last)) => (rest.trim_end(), last),
        None => ("", head),
    };
    let cache = CACHES.iter().find(|(printed, _)| *printed == last.trim_matches(['(', ')', ',', ':']));
    let rest = if let Some((_, state)) = cache {
        run.content.set(Key::Cache, *state);
        rest
    } else {
        head
    };
    let rest = rest.trim_end_matches([',', ':']);
    if !rest.is_empty() {
        run.content.set(key, rest);
    }
}

fn ratio_cell(sink: &mut Sink<'_>, piece: &Piece<'_>, cell: &str) -> Option<f64> {
    let value = printed_number(cell, &DecimalMark::Point).map(|printed| printed.value);
    if value.is_none() && !super::list_table::is_absent(cell) {
        let column = piece.column(cell);
        sink.not_understood(piece.line.number, column, "unreadable ratio", cell, "a number such as 1.25");
    }
    value
}

/// A printed ratio that its times cannot give: its text and what they give.
struct Contradiction<'a> {
    printed: &'a str,
    computed: f64,
}

/// Ratios outside what the times give within half a unit of every printed number.
fn contradictions<'a>(row: &Row<'a>) -> Vec<Contradiction<'a>> {
    let cell = |index: usize| printed_duration(take_qualifier(row.cells.get(index)?).1);
    let Some(base) = cell(0) else { return Vec::new() };
    let wrong = |(index, printed): (usize, &&'a str)| {
        let (ratio, time) = (printed_number(printed, &DecimalMark::Point)?, cell(index)?);
        (!is_consistent(base, time, ratio))
            .then_some(Contradiction { printed, computed: base.value / time.value })
    };
    row.ratios.iter().enumerate().filter_map(wrong).collect()
}

/// Whether some base, time and ratio that print as these give `ratio = base / time`.
fn is_consistent(base: Printed, time: Printed, ratio: Printed) -> bool {
    // Half a unit again for what decimal fractions lose in binary.
    let slack = 1e-9;
    let low = (base.value - base.half) / (time.value + time.half);
    let short = time.value - time.half;
    let high = if short > 0.0 { (base.value + base.half) / short } else { f64::INFINITY };
    ratio.value + ratio.half + slack >= low && ratio.value - ratio.half - slack <= high
}

fn warn_contradiction(wrong: &[Contradiction<'_>], piece: &Piece<'_>, sink: &mut Sink<'_>) {
    let list = |texts: Vec<String>| texts.join(" and ");
    let printed = list(wrong.iter().map(|one| one.printed.to_owned()).collect());
    let computed = list(wrong.iter().map(|one| format!("{:.2}", one.computed)).collect());
    let message = format!("the ratios do not follow from the times: printed {printed}, computed {computed}");
    let column = wrong.first().map_or(1, |one| piece.column(one.printed));
    let path = sink.data.path.clone();
    sink.problem(
        Problem::new(Severity::Warning, ProblemKind::Inconsistent, path, message)
            .at_line(piece.line.number)
            .at_column(column),
    );
}
