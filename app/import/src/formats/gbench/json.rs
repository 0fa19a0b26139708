//! Google Benchmark's JSON. Versions before 1.5 name no `run_type`, those before 1.8 write an error
//! only, not why a benchmark was passed over; user counters are members beside the known ones.

use super::entry::{self, Entry, Figure, counter_unit, per_second};
use crate::document::{Document, divided, fact};
use crate::json::{Kind, Node};
use crate::sink::set_content;
use triptych_model::{Cancelled, Key, RunRow, Unit};

/// Facts of the machine and the library.
const FACTS: &[&str] = &[
    "date",
    "executable",
    "num_cpus",
    "mhz_per_cpu",
    "cpu_scaling_enabled",
    "load_avg",
    "library_version",
    "library_build_type",
];

/// Members of an entry that are no counters.
const KNOWN: &[&str] = &[
    "name",
    "family_index",
    "per_family_instance_index",
    "run_name",
    "run_type",
    "repetitions",
    "repetition_index",
    "threads",
    "iterations",
    "real_time",
    "cpu_time",
    "time_unit",
    "aggregate_name",
    "aggregate_unit",
    "error_occurred",
    "error_message",
    "skipped",
    "skip_message",
    "label",
    "big_o",
    "rms",
    "cpu_coefficient",
    "real_coefficient",
];

/// Reads all entries and writes their runs.
pub fn read<'t>(document: &mut Document<'t, '_, '_>, root: &Node<'t>) -> Result<(), Cancelled> {
    let mut shared = RunRow::default();
    if let Some(context) = root.get("context") {
        let host = document.string(context, "host_name").unwrap_or_default();
        set_content(&mut shared, Key::Host, host);
        for name in FACTS {
            if let Some(node) = context.get(name) {
                shared.settings.insert((*name).to_owned(), fact(node));
            }
        }
    }
    let Some(benchmarks) = root.get("benchmarks").and_then(Node::elements) else {
        document.refuse(root, "no list of benchmarks");
        return Ok(());
    };
    let mut entries = Vec::new();
    for node in benchmarks {
        document.sink.check(node.offset as u64)?;
        if matches!(node.kind, Kind::Object(_)) {
            entries.extend(entry(document, node));
        } else {
            document.wrong(node, "benchmark", "an object with name and times");
        }
    }
    entry::write(entries, &shared, document.sink);
    Ok(())
}

fn entry<'t>(document: &mut Document<'t, '_, '_>, node: &Node<'t>) -> Option<Entry> {
    let text = |document: &mut Document<'t, '_, '_>, key: &str| document.string(node, key).map(str::to_owned);
    let Some(name) = text(document, "name") else {
        document.wrong(node, "benchmark", "a name");
        return None;
    };
    let run_type = text(document, "run_type");
    let is_aggregate = run_type.as_deref() == Some("aggregate");
    let mut entry = Entry {
        at: document.at(node),
        run_name: text(document, "run_name"),
        aggregate: if is_aggregate { text(document, "aggregate_name") } else { None },
        typed: run_type.is_some(),
        threads: document.count(node, "threads"),
        repetition: document.count(node, "repetition_index").map(|index| index + 1),
        iterations: document.count(node, "iterations"),
        name,
        ..Entry::default()
    };
    if is_aggregate && entry.aggregate.is_none() {
        // Versions that know the type but not the word have it behind the name.
        entry.aggregate = entry.name.rsplit_once('_').map(|(_, word)| word.to_owned());
    }
    for key in ["label", "big_o"] {
        if let (Some(value), Some(key)) = (text(document, key), FACT_KEYS.iter().find(|known| **known == key))
        {
            entry.facts.push((*key, value));
        }
    }
    entry.failure = failure(document, node);
    figures(document, node, &mut entry);
    Some(entry)
}

const FACT_KEYS: &[&str] = &["label", "big_o"];

/// Why the benchmark gave no figure.
fn failure<'t>(document: &mut Document<'t, '_, '_>, node: &Node<'t>) -> Option<String> {
    let is_true = |key: &str| node.get(key).is_some_and(|flag| flag.text() == "true");
    for (flag, message, otherwise) in
        [("error_occurred", "error_message", "an error occurred"), ("skipped", "skip_message", "passed over")]
    {
        if is_true(flag) {
            return Some(document.string(node, message).unwrap_or(otherwise).to_owned());
        }
    }
    None
}

fn figures<'t>(document: &mut Document<'t, '_, '_>, node: &Node<'t>, entry: &mut Entry) {
    let unit = document.string(node, "time_unit").unwrap_or("ns");
    let divisor = per_second(unit).unwrap_or_else(|| {
        document.wrong(node.get("time_unit").unwrap_or(node), "time_unit", "ns, us, ms or s");
        f64::NAN
    });
    // `cv` is a quotient, and so are the errors of a fitted curve; both are shown in per cent.
    let is_share = entry.aggregate.as_deref() == Some("cv")
        || document.string(node, "aggregate_unit").is_some_and(|unit| unit == "percentage");
    let time = if is_share { (Unit::Percent, 0.01) } else { (Unit::Secs, divisor) };
    let mut add = |key: &str, metric: &str, (unit, divisor): (Unit, f64)| {
        if let Some(value) = node.get(key) {
            entry.figures.push(figure(document, value, metric, unit, divisor));
        }
    };
    // After an error nothing was timed, and the zeros that stand there are no times.
    let nothing_timed = entry.failure.is_some();
    if !nothing_timed {
        add("real_time", "real", time);
        add("cpu_time", "cpu_time", time);
    }
    add("real_coefficient", "real", (Unit::Secs, divisor));
    add("cpu_coefficient", "cpu_time", (Unit::Secs, divisor));
    add("rms", "real", (Unit::Percent, 0.01));
    let Kind::Object(members) = &node.kind else { return };
    for (name, value) in members {
        if KNOWN.contains(&name.as_str()) || value.kind == Kind::Null || nothing_timed {
            continue;
        }
        let (unit, divisor) = if is_share { (Unit::Percent, 0.01) } else { (counter_unit(name), 1.0) };
        match value.kind {
            Kind::Number => entry.figures.push(figure(document, value, name, unit, divisor)),
            _ => document.wrong(value, "counter", "a number"),
        }
    }
}

/// A number, also one that is written with its sign of per cent, as versions before 1.5 did.
fn figure<'t>(
    document: &Document<'t, '_, '_>,
    node: &Node<'t>,
    metric: &str,
    unit: Unit,
    divisor: f64,
) -> Figure {
    let percent = || node.text().strip_suffix('%')?.parse::<f64>().ok();
    let value = divided(node, divisor).or_else(percent).filter(|value| value.is_finite());
    let raw = node.text().chars().take(200).collect();
    Figure { metric: metric.to_owned(), value, unit, raw, at: document.at(node) }
}
