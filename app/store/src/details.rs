//! One run in full, and what differs between two sets of runs.

use crate::resolve::Resolved;
use crate::{Difference, MetricCount, RunIndex, RunValue, RunView, Source};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use triptych_model::{Key, METRICS, Origin, Process, Symbol, natural_cmp};

/// Everything known of a run.
pub(crate) fn run_view(sources: &[Source], resolved: &Resolved, run: RunIndex) -> Option<RunView> {
    let entry = resolved.run(run)?;
    let row = entry.row(sources);
    let mut conditions: BTreeMap<Key, (String, Origin)> = BTreeMap::new();
    for key in Key::ALL {
        if let Some(text) = resolved.texts.get(entry.value(key)) {
            conditions.insert(key, (text.to_owned(), entry.origin(key)));
        }
    }
    // Nothing else says so, and nothing is compared by it: an unnamed network splits no group.
    conditions.entry(Key::Network).or_insert_with(|| ("local".to_owned(), Origin::Default));
    let value = |row: &crate::resolve::Row| {
        let measurement = resolved.measurement(sources, row)?;
        Some(RunValue {
            process: measurement.process.clone(),
            metric: resolved.text(row.metric).to_owned(),
            value: measurement.value,
            high: measurement.value_high,
            unit: measurement.unit,
            quality: measurement.quality.with(entry.quality),
            raw: measurement.raw.clone(),
            source: row.source,
            line: measurement.line,
        })
    };
    Some(RunView {
        id: entry.id.to_string(),
        index: run,
        source: entry.source,
        line: row.map_or(1, |row| row.line),
        conditions,
        started: row.and_then(|row| row.started),
        exit: row.and_then(|row| row.exit),
        failure: row.and_then(|row| row.failure.clone()),
        left_out: entry.left_out.as_deref().map(str::to_owned),
        quality: entry.quality,
        settings: row.map(|row| row.settings.clone()).unwrap_or_default(),
        values: resolved.rows_of(entry).iter().filter_map(value).collect(),
        companions: entry.companions.clone(),
    })
}

/// Facts of two sets of runs side by side.
pub(crate) fn differences(
    sources: &[Source],
    resolved: &Resolved,
    a: &[RunIndex],
    b: &[RunIndex],
) -> Vec<Difference> {
    let (left, right) = (facts(sources, resolved, a), facts(sources, resolved, b));
    let mut names: Vec<&String> = left.keys().chain(right.keys()).collect();
    names.sort_by_key(|name| (Key::parse(name).map_or(usize::MAX, |key| key as usize), name.as_str()));
    names.dedup();
    let side = |facts: &BTreeMap<String, BTreeSet<String>>, name: &str| {
        let mut values: Vec<&str> = facts.get(name).into_iter().flatten().map(String::as_str).collect();
        values.sort_by(|x, y| natural_cmp(x, y));
        values.join(", ")
    };
    names.retain(|name| ![&left, &right].iter().any(|facts| is_noise(facts, name)));
    let difference = |name: &String| {
        let (a, b) = (side(&left, name), side(&right, name));
        Difference { name: name.clone(), equal: a == b, a, b }
    };
    names.into_iter().map(difference).collect()
}

/// Settings that are of one run alone: what was found round it, and commands with its port.
const OF_ONE_RUN: &[&str] = &[
    "gate",
    "busy",
    "cache_proof",
    "cache_reset",
    "counters",
    "warnings",
    "client_command",
    "client_pid",
    "server_command",
    "server_ready_secs",
    "ticks",
    "late_ticks",
    "sampler_cpu_secs",
    "window_cpu",
    "other_load",
    "stall_cpu",
    "stall_io",
    "stall_memory",
];

/// Whether a fact tells runs apart, not sides: numbers that differ within a side were measured.
fn is_noise(facts: &BTreeMap<String, BTreeSet<String>>, name: &str) -> bool {
    let values = facts.get(name);
    let is_number = |text: &String| text.parse::<f64>().is_ok();
    let counted = values.is_some_and(|values| values.len() > 1 && values.iter().all(is_number));
    Key::parse(name).is_none() && counted
}

/// Conditions (repetitions aside), qualities and settings of some runs.
fn facts(sources: &[Source], resolved: &Resolved, runs: &[RunIndex]) -> BTreeMap<String, BTreeSet<String>> {
    let mut facts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for entry in runs.iter().filter_map(|run| resolved.run(*run)) {
        for key in Key::ALL.into_iter().filter(|key| *key != Key::Repetition) {
            if let Some(text) = resolved.texts.get(entry.value(key)) {
                add(&mut facts, key.name(), text);
            }
        }
        for word in entry.quality.words() {
            add(&mut facts, "quality", word);
        }
        if let Some(row) = entry.row(sources) {
            for (name, value) in row.settings.iter().filter(|(name, _)| !OF_ONE_RUN.contains(&name.as_str()))
            {
                add_setting(&mut facts, name, value);
            }
        }
    }
    facts
}

fn add(facts: &mut BTreeMap<String, BTreeSet<String>>, name: &str, text: &str) {
    if !facts.get(name).is_some_and(|values| values.contains(text)) {
        facts.entry(name.to_owned()).or_default().insert(text.to_owned());
    }
}

/// Objects within settings are facts of their own: `fsfs.compression`.
fn add_setting(facts: &mut BTreeMap<String, BTreeSet<String>>, name: &str, value: &serde_json::Value) {
    match value {
        serde_json::Value::Object(inner) => {
            for (key, value) in inner {
                add_setting(facts, &format!("{name}.{key}"), value);
            }
        }
        serde_json::Value::String(text) => add(facts, name, text),
        other => add(facts, name, &other.to_string()),
    }
}

/// Metrics of these runs with their processes, in the order of the table of metrics.
pub(crate) fn metrics(resolved: &Resolved, runs: &[RunIndex]) -> Vec<MetricCount> {
    let mut counts: HashMap<(Symbol, Symbol), usize> = HashMap::new();
    for entry in runs.iter().filter_map(|run| resolved.run(*run)) {
        for row in resolved.rows_of(entry) {
            *counts.entry((row.metric, row.process)).or_default() += 1;
        }
    }
    let mut all: Vec<MetricCount> = Vec::with_capacity(counts.len());
    #[expect(clippy::iter_over_hash_type, reason = "sorted below")]
    for ((metric, process), count) in counts {
        let (metric, process) = (resolved.text(metric).to_owned(), resolved.text(process).to_owned());
        all.push(MetricCount { metric, process: Process::from(process), count });
    }
    let rank = |name: &str| METRICS.iter().position(|spec| spec.name == name).unwrap_or(METRICS.len());
    all.sort_by(|a, b| {
        let metrics = rank(&a.metric).cmp(&rank(&b.metric)).then_with(|| natural_cmp(&a.metric, &b.metric));
        metrics.then_with(|| a.process.cmp(&b.process))
    });
    all
}
