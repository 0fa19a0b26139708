//! The end of a step as rows: the run, its values with their exact text, its time series.

use super::Place;
use crate::json::{self, Node};
use crate::sink::Sink;
use serde_json::{Map, Value};
use triptych_model::runlog::{CampaignStart, SampleTable, StepEnd};
use triptych_model::{
    Clock, Conditions, Key, Measurement, Problem, ProblemKind, Quality, RunRow, Sample, Series, Severity,
    Timestamp,
};

/// The end of a step and the line that it was read from.
pub struct Ended<'t> {
    pub end: StepEnd,
    pub text: &'t str,
    pub place: Place,
    /// How many sessions of the campaign had begun.
    pub session: usize,
}

/// Names under which the facts of a host may say what it is called.
const HOST_NAMES: &[&str] = &["name", "hostname", "host"];

/// Facts of a host that are listed by the name of what they concern, and the condition that names it.
const BY_NAME: &[(&str, Key)] = &[("media", Key::Medium)];

/// Facts of a host that each run repeats as far as they are its own.
const REPEATED: &[&str] = &["builds", "name", "hostname", "host"];

/// The facts of a host that concern a run: of several media its own.
pub fn host_of(host: &Map<String, Value>, conditions: &Conditions) -> Map<String, Value> {
    let mut facts = Map::new();
    for (name, value) in host {
        let key = BY_NAME.iter().find(|(list, _)| list == name).map(|(_, key)| *key);
        match (key, value) {
            (Some(key), Value::Object(all)) => {
                if let Some(own) = conditions.get(key).and_then(|value| all.get(value)) {
                    facts.insert(key.name().to_owned(), own.clone());
                }
            }
            _ if REPEATED.contains(&name.as_str()) => {}
            _ => {
                facts.insert(name.clone(), value.clone());
            }
        }
    }
    facts
}

fn host_name(host: &Map<String, Value>) -> Option<&str> {
    let text = HOST_NAMES.iter().find_map(|name| host.get(*name)?.as_str())?;
    (!text.is_empty() && text != "unknown").then_some(text)
}

impl Ended<'_> {
    /// What ends of one step have in common.
    pub fn key(&self) -> String {
        if self.end.run.is_empty() { self.end.step.to_string() } else { self.end.run.clone() }
    }

    /// Writes the run with all its rows; `facts` are the campaign's.
    pub fn write(self, sink: &mut Sink<'_>, session: Option<&CampaignStart>, facts: Map<String, Value>) {
        let Self { end, text, place, .. } = self;
        let started = end.started;
        let run = sink.run(run_row(&end, place, session, facts));
        measurements(&end, text, place, run, sink);
        samples(&end.samples, started, place, run, sink);
    }
}

fn run_row(
    end: &StepEnd,
    place: Place,
    session: Option<&CampaignStart>,
    facts: Map<String, Value>,
) -> RunRow {
    let mut content = end.conditions.clone();
    let known = [
        (Key::Campaign, end.run.rsplit_once('/').map(|(campaign, _)| campaign)),
        (Key::Campaign, session.map(|session| session.campaign.as_str())),
        (Key::Host, session.and_then(|session| host_name(&session.host))),
    ];
    for (key, value) in known {
        let is_known = content.get(key).is_some_and(|known| known != "unknown");
        if let Some(value) = value.filter(|value| !value.is_empty() && !is_known) {
            content.set(key, value);
        }
    }
    let mut settings = facts;
    settings.extend(end.settings.clone());
    let mut quality = end.quality;
    if end.failure.is_some() || end.exit.is_some_and(|exit| exit != 0) {
        quality = quality.with(Quality::FAILED);
    }
    RunRow {
        id: (!end.run.is_empty()).then(|| end.run.clone()),
        line: place.line,
        offset: place.offset,
        content,
        started: end.started.map(Timestamp::micros),
        exit: end.exit,
        quality,
        failure: end.failure.clone(),
        settings,
    }
}

fn measurements(end: &StepEnd, text: &str, place: Place, run: u32, sink: &mut Sink<'_>) {
    let list = json::member(text, "measurements");
    let nodes = list.as_ref().and_then(Node::elements).unwrap_or_default();
    for (index, value) in end.measurements.iter().enumerate() {
        let raw = nodes.get(index).and_then(|node| node.get("value")).map_or("", Node::text);
        // Every row has at least one word.
        let quality = match value.value {
            None => value.quality.with(Quality::INCOMPLETE),
            Some(_) if value.quality == Quality::NONE => Quality::MEASURED,
            Some(_) => value.quality,
        };
        sink.measure(Measurement {
            run,
            line: place.line,
            offset: place.offset,
            process: value.process.clone(),
            metric: value.metric.clone(),
            // serde_json's own numbers may be off in the last place.
            value: value.value.map(|rounded| raw.parse().unwrap_or(rounded)),
            value_high: None,
            unit: value.unit,
            executions: None,
            quality,
            raw: raw.to_owned(),
        });
    }
}

/// Writes the series of a run, all values of one time together.
fn samples(table: &SampleTable, started: Option<Timestamp>, place: Place, run: u32, sink: &mut Sink<'_>) {
    if table.dropped > 0 {
        doubt(sink, place, format!("{} samples did not fit into the runner's memory", table.dropped));
    }
    let first = u32::try_from(sink.data.series.len()).unwrap_or(u32::MAX);
    let words = if table.dropped > 0 { Quality::INCOMPLETE } else { Quality::NONE };
    for series in &table.series {
        if series.values.len() != table.times.len() {
            let (values, times) = (series.values.len(), table.times.len());
            let (process, metric) = (&series.process, &series.metric);
            doubt(sink, place, format!("{metric} of {process} has {values} samples for {times} times"));
        }
        sink.data.series.push(Series {
            run: Some(run),
            process: series.process.clone(),
            pid: series.pid,
            command: series.command.clone(),
            metric: series.metric.clone(),
            unit: series.unit,
            clock: if started.is_some() { Clock::Utc } else { Clock::Elapsed },
            quality: Quality::MEASURED.with(words),
        });
    }
    let start = started.map_or(0, Timestamp::micros);
    for (at, secs) in table.times.iter().enumerate() {
        // A cast of floats stops at the ends of the range.
        let time = start.saturating_add((secs * 1e6).round() as i64);
        for (series, values) in (first..).zip(&table.series) {
            if let Some(value) = values.values.get(at).copied().flatten() {
                sink.data.samples.push(Sample { series, line: place.line, time, value });
            }
        }
    }
    if !table.times.is_empty() {
        sink.data.samples_start.get_or_insert(start);
    }
}

fn doubt(sink: &mut Sink<'_>, place: Place, message: String) {
    let path = sink.data.path.clone();
    sink.problem(Problem::new(Severity::Warning, ProblemKind::Cut, path, message).at_line(place.line));
}
