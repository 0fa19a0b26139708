//! One line of Google Benchmark's report, whatever form it was written in, and how it becomes a run.

use crate::sink::{Sink, measured, set_content};
use std::collections::{BTreeMap, BTreeSet};
use triptych_model::{Key, Problem, ProblemKind, Process, Quality, RunRow, Severity, Unit};

/// A figure of an entry in its base unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// `real`, `cpu_time`, or a counter's own name; the aggregate's word comes behind it.
    pub metric: String,
    /// `None` where the text is no number.
    pub value: Option<f64>,
    pub unit: Unit,
    /// The exact source text.
    pub raw: String,
    /// Line and byte offset.
    pub at: (u32, u64),
}

/// One measured repetition, or one aggregate of several.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    pub at: (u32, u64),
    /// Name as printed, with the aggregate's word behind it.
    pub name: String,
    /// Name without it, where the source says so; else it is found by [`write()`].
    pub run_name: Option<String>,
    /// `mean`, `cv`, `BigO` …, where the source says so.
    pub aggregate: Option<String>,
    /// Whether the source tells aggregates from iterations at all.
    pub typed: bool,
    pub threads: Option<u64>,
    /// From 1, where the source counts.
    pub repetition: Option<u64>,
    pub iterations: Option<u64>,
    pub figures: Vec<Figure>,
    /// Why it failed or was passed over.
    pub failure: Option<String>,
    /// Further facts.
    pub facts: Vec<(&'static str, String)>,
}

/// Words behind a name that make it an aggregate, where the source does not say so itself.
const AGGREGATES: &[&str] = &["mean", "median", "stddev", "cv", "BigO", "RMS", "min", "max"];

/// Units of time, and how many of them are one second.
pub const TIME_UNITS: &[(&str, f64)] = &[("ns", 1e9), ("us", 1e6), ("ms", 1e3), ("s", 1.0)];

/// How many of that unit are a second; Google Benchmark means nanoseconds where it says nothing.
pub fn per_second(unit: &str) -> Option<f64> {
    TIME_UNITS.iter().find(|(name, _)| *name == unit).map(|(_, count)| *count)
}

/// The unit of a counter by its name: those that the library computes itself are rates.
pub fn counter_unit(name: &str) -> Unit {
    match name {
        "bytes_per_second" => Unit::BytesPerSec,
        "items_per_second" => Unit::PerSec,
        _ => Unit::Count,
    }
}

/// Writes runs: all iterations, and those aggregates whose iterations are not there.
pub fn write(mut entries: Vec<Entry>, shared: &RunRow, sink: &mut Sink<'_>) {
    resolve_aggregates(&mut entries);
    let measured: BTreeSet<String> =
        entries.iter().filter(|entry| entry.aggregate.is_none()).map(|entry| entry.name.clone()).collect();
    let mut dropped = 0;
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    // The run of aggregates of one name.
    let mut runs: BTreeMap<String, u32> = BTreeMap::new();
    for entry in &entries {
        let Some(word) = &entry.aggregate else {
            let count = counted.entry(entry.name.clone()).or_insert(0);
            *count += 1;
            write_iteration(entry, *count, shared, sink);
            continue;
        };
        let base = entry.run_name.as_deref().unwrap_or(&entry.name);
        if is_covered(base, word, &measured) {
            dropped += 1;
            continue;
        }
        let run = *runs.entry(base.to_owned()).or_insert_with(|| {
            let row = row_of(entry, base, shared);
            sink.run(row)
        });
        write_aggregate(entry, word, run, sink);
    }
    if let (true, Some(first)) = (dropped > 0, entries.first()) {
        let path = sink.data.path.clone();
        let message = format!("{dropped} aggregates are left out, for the iterations behind them are here");
        sink.problem(Problem::new(Severity::Note, ProblemKind::Other, path, message).at_line(first.at.0));
    }
}

/// Whether the iterations that an aggregate sums up are in the source. Complexity sums up a family,
/// `BM_x/8`, `BM_x/64`.
fn is_covered(base: &str, word: &str, measured: &BTreeSet<String>) -> bool {
    let of_family =
        || measured.iter().any(|name| name.strip_prefix(base).is_some_and(|rest| rest.starts_with('/')));
    measured.contains(base) || (matches!(word, "BigO" | "RMS") && of_family())
}

/// Finds aggregates by their names where the source does not call them so: `x_mean` is one only where
/// `x` is there, or another aggregate of `x`.
fn resolve_aggregates(entries: &mut [Entry]) {
    let names: BTreeSet<String> =
        entries.iter().filter(|entry| !entry.typed).map(|entry| entry.name.clone()).collect();
    for entry in entries.iter_mut().filter(|entry| !entry.typed && entry.aggregate.is_none()) {
        let Some((base, word)) = entry.name.rsplit_once('_') else { continue };
        if !AGGREGATES.contains(&word) {
            continue;
        }
        let sibling = |other: &str| other != word && names.contains(&format!("{base}_{other}"));
        if names.contains(base) || AGGREGATES.iter().any(|other| sibling(other)) {
            entry.run_name = Some(base.to_owned());
            entry.aggregate = Some(word.to_owned());
        }
    }
}

fn row_of(entry: &Entry, operation: &str, shared: &RunRow) -> RunRow {
    let mut row = RunRow { line: entry.at.0, offset: entry.at.1, ..shared.clone() };
    set_content(&mut row, Key::Operation, operation);
    let named = || operation.split('/').find_map(|part| part.strip_prefix("threads:")?.parse::<u64>().ok());
    if let Some(threads) = entry.threads.or_else(named) {
        row.content.set(Key::Threads, threads.to_string());
    }
    for (name, value) in &entry.facts {
        row.settings.insert((*name).to_owned(), value.as_str().into());
    }
    row
}

fn write_iteration(entry: &Entry, count: u64, shared: &RunRow, sink: &mut Sink<'_>) {
    let mut row = row_of(entry, entry.run_name.as_deref().unwrap_or(&entry.name), shared);
    row.content.set(Key::Repetition, entry.repetition.unwrap_or(count).to_string());
    if let Some(failure) = &entry.failure {
        row.quality = row.quality.with(Quality::FAILED);
        row.failure = Some(failure.clone());
    }
    let run = sink.run(row);
    for figure in &entry.figures {
        write_figure(figure, &figure.metric, run, entry.iterations, sink);
    }
}

fn write_aggregate(entry: &Entry, word: &str, run: u32, sink: &mut Sink<'_>) {
    for figure in &entry.figures {
        let metric = match word {
            // The coefficients and the error of the fitted curve.
            "BigO" => format!("{}_coefficient", figure.metric),
            "RMS" => format!("{}_rms", figure.metric),
            _ => format!("{}_{word}", figure.metric),
        };
        write_figure(figure, &metric, run, entry.iterations, sink);
    }
    if let Some(row) = sink.data.runs.get_mut(run as usize) {
        for (name, value) in &entry.facts {
            row.settings.insert((*name).to_owned(), value.as_str().into());
        }
    }
}

fn write_figure(figure: &Figure, metric: &str, run: u32, executions: Option<u64>, sink: &mut Sink<'_>) {
    let mut row = measured(run, figure.at, Process::Client, metric, figure.unit, figure.value, &figure.raw);
    row.executions = executions;
    if figure.value.is_none() {
        row.quality = row.quality.with(Quality::MALFORMED);
        sink.not_understood(figure.at.0, 1, &format!("unreadable {metric}"), &figure.raw, "a number");
    }
    sink.measure(row);
}
