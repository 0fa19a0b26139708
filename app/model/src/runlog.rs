//! The run log's wire form: what the runner says of a campaign, live on its pipe and for good in `run.ndjson`.
//!
//! Both are JSON lines. The first is a [`Hello`], every other a [`Record`]: a number, a time and an
//! [`Event`]. The file holds the same records as the pipe, without the live samples. Fields that a
//! reader does not know are ignored, kinds of events it does not know read as [`Event::Unknown`];
//! another major protocol is refused. The runner writes these types, the window and the verbs read
//! them from the pipe, and the reader of run logs takes the same lines from the file.

use crate::{Conditions, Process, Quality, Severity, Timestamp, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of the form; a reader refuses any other.
pub const PROTOCOL: u32 = 1;

/// The first line, both ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`] of the writer.
    pub protocol: u32,
    /// Name and version of the writer: `triptych-runner 0.1.0`.
    pub program: String,
}

impl Hello {
    /// The greeting of a program of this version.
    pub fn of(program: &str) -> Self {
        Self { protocol: PROTOCOL, program: format!("{program} {}", env!("CARGO_PKG_VERSION")) }
    }

    /// Why this greeting is refused, if it is.
    pub fn refusal(&self) -> Option<String> {
        (self.protocol != PROTOCOL).then(|| {
            format!(
                "{} speaks version {} of the run log, this program version {PROTOCOL}: use versions of Triptych that belong together",
                self.program, self.protocol
            )
        })
    }
}

/// One line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Counts the records of a campaign from 1 without a gap in the file; live samples repeat the last number.
    pub n: u64,
    /// When it was said.
    #[serde(serialize_with = "write_time", deserialize_with = "read_time")]
    pub time: Timestamp,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// The outside of a record: enough to tell what it is before all of it is read.
///
/// The fields of the event lie beside these, so [`StepEnd`] and the others read from the same line.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RecordHead {
    /// See [`Record::n`].
    pub n: u64,
    /// The kind of event: `step-ended`.
    pub event: String,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A campaign begins, or goes on where it was interrupted.
    Campaign(Box<CampaignStart>),
    /// A step of the plan begins.
    StepStarted(Box<StepStart>),
    /// Part of a step is done; between the client's start and its end none is.
    Phase(PhaseDone),
    /// The processes as the sampler just saw them; on the pipe only, and droppable.
    Live(LiveSample),
    /// A step ended: the run with all that was measured. It is synced to disk before it is sent.
    StepEnded(Box<StepEnd>),
    /// Worth knowing, or a warning.
    Note(Note),
    /// The campaign stands still until it is continued.
    Paused,
    /// It goes on.
    Continued,
    /// The end of this session of the campaign, the last record.
    Finished(Finished),
    /// A kind that this version does not know.
    #[serde(other)]
    Unknown,
}

/// What is measured, where, and how much of it there is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CampaignStart {
    /// Its name in the archive; begins with a letter.
    pub campaign: String,
    /// The plan's title.
    pub title: String,
    /// The lab's name.
    pub lab: String,
    /// Directory of the campaign, absolute.
    pub directory: String,
    /// Steps of the whole plan.
    pub steps: u32,
    /// Steps that had ended before this session.
    pub done: u32,
    /// Seed of the order.
    pub seed: u64,
    /// Facts of the host as a JSON object: kernel, CPU, memory, media, binaries; `"unknown"` is an answer.
    pub host: serde_json::Map<String, serde_json::Value>,
}

/// A step as it begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepStart {
    /// Number of the step in the plan, from 1.
    pub step: u32,
    /// Id of the run: `campaign/step`.
    pub run: String,
    /// Conditions of the run.
    pub conditions: Conditions,
    /// Expected wall time in seconds, from earlier runs of the cell.
    pub expected_secs: Option<f64>,
}

/// The parts of a step, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The host's pressure and load were read.
    Gate,
    /// The server was started and answers.
    Server,
    /// Uncounted runs were made.
    WarmUp,
    /// The cache was put into the state the step asks for.
    Cache,
    /// The timed client was started.
    Client,
    /// The server was stopped and reaped.
    Stop,
    /// The result was checked.
    Check,
}

/// A phase that is done; `Client` is said when the timed part begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseDone {
    /// The step, from 1.
    pub step: u32,
    /// Which phase.
    pub phase: Phase,
    /// How long it took, seconds; 0 for `client`.
    pub secs: f64,
    /// One line for people.
    pub text: String,
    /// What it found, as a JSON object: `resident_bytes`, `file_bytes`, `pressure_cpu`, `port`, `pid`, `command` …
    #[serde(default)]
    pub facts: serde_json::Map<String, serde_json::Value>,
}

/// What the sampler saw at one tick, sent while the client runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveSample {
    /// The step, from 1.
    pub step: u32,
    /// Seconds since the client's start; the values hold for the interval that ends here.
    pub elapsed_secs: f64,
    /// The values, in base units.
    pub values: Vec<LiveValue>,
    /// Live samples of this step that the pipe did not take.
    pub dropped: u64,
    /// The runner's own CPU load over this interval, % of a core.
    pub own_cpu: f64,
}

/// One value of a live sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LiveValue {
    /// Whose.
    pub process: Process,
    /// Stable metric name: `cpu`, `rss`, `read_rate` …
    pub metric: String,
    /// In the metric's base unit.
    pub value: f64,
}

/// A run, whole: conditions, result, values and samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepEnd {
    /// The step, from 1.
    pub step: u32,
    /// Id of the run: `campaign/step`.
    pub run: String,
    /// Conditions of the run.
    pub conditions: Conditions,
    /// Start of the timed part.
    #[serde(serialize_with = "write_some_time", deserialize_with = "read_some_time")]
    pub started: Option<Timestamp>,
    /// Exit status of the client, negative for a signal; absent where it never ran.
    pub exit: Option<i32>,
    /// Words that hold for the whole run: `failed`, `busy-host`, `not-cold`, `debug-build` …
    pub quality: Quality,
    /// Why it failed, one sentence with the tool's own words.
    pub failure: Option<String>,
    /// Further facts: commands as arrays, server options, pressure, cache evidence, sampler's cost.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// The values.
    pub measurements: Vec<MeasuredValue>,
    /// The time series.
    pub samples: SampleTable,
}

/// One value of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredValue {
    /// Whose.
    pub process: Process,
    /// Stable metric name.
    pub metric: String,
    /// In the base unit; absent where it could not be read.
    pub value: Option<f64>,
    /// The base unit.
    pub unit: Unit,
    /// How far to trust it, besides the words of the run.
    #[serde(default)]
    pub quality: Quality,
}

/// Time series on one grid of times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SampleTable {
    /// Seconds since the run's start, the end of each interval.
    pub times: Vec<f64>,
    /// The series.
    pub series: Vec<SampleSeries>,
    /// Samples that did not fit into the bounded memory.
    pub dropped: u64,
}

/// One time series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleSeries {
    /// Whose.
    pub process: Process,
    /// Process id of the first process of the role.
    pub pid: Option<u32>,
    /// The command's own name: `svnserve-1.6.9`.
    pub command: Option<String>,
    /// Stable metric name.
    pub metric: String,
    /// The base unit.
    pub unit: Unit,
    /// One element for each time; absent where the process was not there or could not be read.
    pub values: Vec<Option<f64>>,
}

/// A sentence for the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// How bad.
    pub severity: Severity,
    /// The step it belongs to, from 1.
    #[serde(default)]
    pub step: Option<u32>,
    /// What happened and what to do next.
    pub text: String,
}

/// How a session of a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every step of the plan has ended.
    Completed,
    /// The user, or the end of the window, stopped it; the rest can be resumed.
    Cancelled,
    /// Something broke that no further step can do without; the rest can be resumed.
    Broken,
}

/// The last record of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// How.
    pub outcome: Outcome,
    /// Steps that have ended, of all sessions.
    pub done: u32,
    /// Of these, runs that failed.
    pub failed: u32,
    /// Steps without an end.
    pub remaining: u32,
    /// Why it was not completed.
    #[serde(default)]
    pub reason: Option<String>,
}

fn write_time<S: Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(time)
}

fn read_time<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(from)?;
    Timestamp::parse(&text).ok_or_else(|| {
        serde::de::Error::custom(format!(
            "unreadable time {text:?}, expected such as 2026-11-30T08:03:39.382038Z"
        ))
    })
}

#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn write_some_time<S: Serializer>(time: &Option<Timestamp>, to: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => write_time(time, to),
        None => to.serialize_none(),
    }
}

fn read_some_time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Timestamp>, D::Error> {
    let text: Option<String> = Option::deserialize(from)?;
    let Some(text) = text else { return Ok(None) };
    read_time(serde::de::value::StringDeserializer::new(text)).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Key;

    fn back(record: &Record) -> Record {
        serde_json::from_str(&serde_json::to_string(record).expect("written")).expect("read")
    }

    #[test]
    fn records_read_back() {
        let end = StepEnd {
            step: 3,
            run: "c-1/3".into(),
            conditions: Conditions::new().with(Key::Operation, "export").with(Key::Cache, "cold"),
            started: Timestamp::parse("2026-11-30T08:03:39.382038Z"),
            exit: Some(0),
            quality: Quality::MEASURED.with(Quality::NOT_COLD),
            measurements: vec![MeasuredValue {
                process: Process::Client,
                metric: "real".into(),
                value: Some(0.1 + 0.2),
                unit: Unit::Secs,
                quality: Quality::NONE,
            }],
            samples: SampleTable {
                times: vec![0.1, 0.2],
                series: vec![SampleSeries {
                    process: Process::Svnserve,
                    pid: Some(7),
                    command: Some("svnserve".into()),
                    metric: "cpu".into(),
                    unit: Unit::Percent,
                    values: vec![None, Some(99.5)],
                }],
                dropped: 0,
            },
            ..StepEnd::default()
        };
        let time = Timestamp::parse("2026-11-30T08:03:40.000001Z").expect("a time");
        let finished =
            Finished { outcome: Outcome::Cancelled, done: 1, failed: 0, remaining: 4, reason: None };
        for event in [Event::StepEnded(end.into()), Event::Paused, Event::Finished(finished)] {
            let record = Record { n: 9, time, event };
            assert_eq!(back(&record), record);
            let line = serde_json::to_string(&record).expect("written");
            assert_eq!(serde_json::from_str::<RecordHead>(&line).expect("read").n, 9);
        }
    }

    #[test]
    fn unknown_fields_and_events_are_ignored_and_bad_times_named() {
        let read = serde_json::from_str::<Record>;
        let record = read(r#"{"n":1,"time":"2026-11-30T08:03:40Z","event":"invented","more":[1]}"#);
        assert_eq!(record.expect("read").event, Event::Unknown);
        let record = read(r#"{"n":1,"time":"2026-11-30T08:03:40Z","event":"paused","more":{"a":1}}"#);
        assert_eq!(record.expect("read").event, Event::Paused);
        let error = read(r#"{"n":1,"time":"noon","event":"paused"}"#).expect_err("refused").to_string();
        assert!(error.contains("unreadable time \"noon\""), "{error}");
    }

    #[test]
    fn another_protocol_is_refused() {
        assert_eq!(Hello::of("triptych").refusal(), None);
        assert!(Hello { protocol: 2, program: "x 9".into() }.refusal().is_some());
    }
}
