//! What is known of a campaign while it is measured: records in, nothing else. No clock, no thread, no toolkit.

use super::live::Live;
use super::matrix::{Evidence, Matrix, State};
use super::progress::expected;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use triptych_model::runlog::{
    CampaignStart, Event, Finished, MeasuredValue, Note, Phase, PhaseDone, Record, StepEnd, StepStart,
};
use triptych_model::{Process, Quality, Severity, Timestamp, Unit};
use triptych_report::numbers;
use triptych_runner::plan::{Cache, Plan};

/// Lines of the log kept at most; the file has them all.
const LINES: usize = 20_000;

/// Where the campaign stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// The runner was started and has not said anything.
    Starting,
    /// Steps are made.
    Measuring,
    /// It stands still.
    Paused,
    /// The runner said that it is done.
    Finished(Finished),
    /// The runner is gone without having said so, and why.
    Lost(String),
}

/// What a line of the log is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A step.
    Step,
    /// A step that failed.
    Failed,
    /// Anything else.
    Note(Severity),
}

/// One line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When the runner said it.
    pub time: Timestamp,
    /// What it is about.
    pub kind: LineKind,
    /// One sentence.
    pub text: String,
}

/// The step that goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Current {
    /// Its number, from 1.
    pub step: u32,
    /// When it began.
    pub begun: Timestamp,
    /// Whether the client runs: nothing may disturb it.
    pub timed: bool,
    /// What the phases found, the later over the earlier.
    pub facts: Map<String, Value>,
    /// Texts of the phases.
    said: Vec<String>,
    /// The server's command and process id.
    pub server: Option<(String, u64)>,
    /// The client's.
    pub client: Option<(String, u64)>,
    /// The samples.
    pub live: Live,
}

/// A campaign as the window knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct RunModel {
    /// What the runner said at the start.
    pub campaign: CampaignStart,
    /// The plan's title.
    pub title: String,
    /// The plan as a grid.
    pub matrix: Matrix,
    /// Steps of the plan.
    pub steps: u32,
    /// Where it stands.
    pub stage: Stage,
    /// The step that goes on, or went on last.
    pub current: Option<Current>,
    /// What was found of the host before the last step.
    pub gate: Map<String, Value>,
    /// The log, oldest first.
    pub lines: Vec<Line>,
    /// Steps that failed.
    pub failed: usize,
    /// Steps that ended and were synced to disk.
    pub done: usize,
    /// When the last step was synced.
    pub synced: Option<Timestamp>,
    /// Time of the last record.
    pub now: Option<Timestamp>,
    /// Seconds round the timed part of a step: gate, server, caches, sync.
    pub overhead: Option<f64>,
    /// The runner's own CPU load, % of a core.
    pub runner_cpu: Option<f64>,
}

impl RunModel {
    /// Nothing was said yet.
    pub fn new(plan: &Plan, expected_secs: &BTreeMap<u32, f64>, directory: &std::path::Path) -> Self {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let directory = directory.to_string_lossy().into_owned();
        let steps = u32::try_from(plan.steps.len()).unwrap_or(u32::MAX);
        Self {
            campaign: CampaignStart { campaign: name, directory, steps, ..CampaignStart::default() },
            title: plan.title.clone(),
            matrix: Matrix::of(plan, expected_secs),
            steps,
            stage: Stage::Starting,
            current: None,
            gate: Map::new(),
            lines: Vec::new(),
            failed: 0,
            done: 0,
            synced: None,
            now: None,
            overhead: None,
            runner_cpu: None,
        }
    }

    /// Whether the runner is at work, paused or not.
    pub fn is_going(&self) -> bool {
        matches!(self.stage, Stage::Starting | Stage::Measuring | Stage::Paused)
    }

    /// Steps without an end, where the runner has ended.
    pub fn remaining(&self) -> usize {
        if self.is_going() { 0 } else { self.matrix.cells.len().saturating_sub(self.done) }
    }

    /// Whether steps are made now.
    pub fn is_measuring(&self) -> bool {
        matches!(self.stage, Stage::Starting | Stage::Measuring)
    }

    /// Whether every variant of the plan has a run that ended.
    pub fn has_all_variants(&self) -> bool {
        let ended = |cell: &super::matrix::Cell| matches!(cell.state, State::Done { .. } | State::Failed(_));
        let has = |column: usize| self.matrix.cells.iter().any(|cell| cell.column == column && ended(cell));
        (0..self.matrix.variants.len()).all(has)
    }

    /// Whether a client is being timed.
    pub fn is_timed(&self) -> bool {
        self.stage == Stage::Measuring && self.current.as_ref().is_some_and(|current| current.timed)
    }

    /// Seconds that the current client has been running.
    pub fn elapsed(&self) -> Option<f64> {
        self.current.as_ref().filter(|current| current.timed).and_then(|current| current.live.elapsed())
    }

    /// What the current step should take.
    pub fn expected(&self) -> Option<f64> {
        let cell = self.matrix.step(self.current.as_ref()?.step)?;
        expected(&self.matrix, cell)
    }

    /// Takes what the runner said.
    pub fn apply(&mut self, record: Record) {
        let time = record.time;
        self.now = Some(time);
        match record.event {
            Event::Campaign(start) => self.begin(*start),
            Event::StepStarted(start) => self.step_started(time, *start),
            Event::Phase(phase) => self.phase(time, phase),
            Event::Live(sample) => {
                if let Some(current) = self.current.as_mut().filter(|now| now.step == sample.step) {
                    current.live.push(&sample);
                    self.runner_cpu = current.live.own_cpu;
                }
            }
            Event::StepEnded(end) => self.step_ended(time, &end),
            Event::Note(note) => self.note(time, note),
            Event::Paused => {
                self.stage = Stage::Paused;
                self.say(time, LineKind::Note(Severity::Note), "paused".to_owned());
            }
            Event::Continued => {
                self.stage = Stage::Measuring;
                self.say(time, LineKind::Note(Severity::Note), "continued".to_owned());
            }
            Event::Finished(finished) => self.finished(time, finished),
            Event::Unknown => {}
        }
    }

    /// A run of an earlier session of the campaign: it counts, but is no news.
    pub fn apply_earlier(&mut self, end: &StepEnd, time: Timestamp) {
        self.settle(end, time);
    }

    /// The runner's output ended; `error` is what it said last or why it could not be read.
    pub fn lost(&mut self, error: Option<String>) {
        self.stop_timing();
        if self.is_going() {
            self.drop_running();
            let text = error.unwrap_or_else(|| "the runner ended without a word".to_owned());
            if let Some(now) = self.now {
                self.say(now, LineKind::Note(Severity::Error), text.clone());
            }
            self.stage = Stage::Lost(text);
        }
    }

    fn begin(&mut self, start: CampaignStart) {
        self.stage = Stage::Measuring;
        self.steps = start.steps;
        if !start.title.is_empty() {
            self.title.clone_from(&start.title);
        }
        self.campaign = start;
    }

    fn step_started(&mut self, time: Timestamp, start: StepStart) {
        if let Some(cell) = self.matrix.step_mut(start.step) {
            cell.state = State::Running;
            cell.run = start.run;
            cell.expected = start.expected_secs.or(cell.expected);
        }
        self.current = Some(Current {
            step: start.step,
            begun: time,
            timed: false,
            facts: Map::new(),
            said: Vec::new(),
            server: None,
            client: None,
            live: Live::default(),
        });
    }

    fn phase(&mut self, time: Timestamp, done: PhaseDone) {
        let Some(current) = self.current.as_mut().filter(|current| current.step == done.step) else { return };
        current.timed = done.phase == Phase::Client;
        match done.phase {
            Phase::Gate => self.gate = done.facts,
            Phase::Server => {
                current.server = process(&done.facts);
                current.said.push(done.text);
            }
            Phase::Client => {
                current.client = process(&done.facts);
                current.live = Live::default();
                let text = std::mem::take(&mut current.said).join(", ");
                if !text.is_empty() {
                    self.say_step(time, LineKind::Step, done.step, &text);
                }
            }
            Phase::Cache => {
                // That the cache was only looked at says nothing that the panel does not say better.
                if done.facts.get("method").and_then(Value::as_str).is_some_and(|method| method != "none") {
                    current.said.push(done.text);
                }
                current.facts.extend(done.facts.into_iter().filter(|(_, value)| !value.is_null()));
            }
            // The servers and clients of uncounted runs are of no interest once they are done.
            Phase::WarmUp => current.said = vec![done.text],
            Phase::Stop | Phase::Check => {}
        }
    }

    fn step_ended(&mut self, time: Timestamp, end: &StepEnd) {
        self.stop_timing();
        if let Some(current) = self.current.as_ref().filter(|current| current.step == end.step) {
            let whole = (time.micros() - current.begun.micros()) as f64 / 1e6;
            if let Some(real) = wall(end) {
                let around = (whole - real).max(0.0);
                // Half of what is new, so that one slow sync does not shift the end by minutes.
                self.overhead = Some(self.overhead.map_or(around, |known| f64::midpoint(known, around)));
            }
        }
        self.settle(end, time);
        match &end.failure {
            Some(failure) => self.say_step(time, LineKind::Failed, end.step, failure),
            None => self.say_step(time, LineKind::Step, end.step, &summary(end)),
        }
    }

    /// Puts the result into its cell.
    fn settle(&mut self, end: &StepEnd, time: Timestamp) {
        let Some(cell) = self.matrix.step_mut(end.step) else { return };
        let failed = end.failure.is_some() || end.quality.has(Quality::FAILED);
        if !matches!(cell.state, State::Done { .. } | State::Failed(_)) {
            self.done += 1;
            self.failed += usize::from(failed);
        }
        let row = cell.row;
        let cold = self.matrix.rows.get(row).is_some_and(|row| row.cache == Cache::Cold);
        let Some(cell) = self.matrix.step_mut(end.step) else { return };
        cell.run.clone_from(&end.run);
        cell.state = if failed {
            State::Failed(end.failure.clone().unwrap_or_else(|| "the run failed".to_owned()))
        } else {
            State::Done { secs: wall(end), evidence: evidence(end, cold) }
        };
        self.synced = Some(time);
    }

    fn note(&mut self, time: Timestamp, note: Note) {
        match note.step {
            Some(step) => self.say_step(time, LineKind::Note(note.severity), step, &note.text),
            None => self.say(time, LineKind::Note(note.severity), note.text),
        }
    }

    fn finished(&mut self, time: Timestamp, finished: Finished) {
        self.stop_timing();
        self.drop_running();
        let reason = finished.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let runs = numbers::plural(finished.done as usize, "run", "runs");
        let text = format!("{}{reason}; {runs} done, {} failed", outcome(&finished), finished.failed);
        let severity = if finished.reason.is_some() { Severity::Warning } else { Severity::Note };
        self.say(time, LineKind::Note(severity), text);
        self.stage = Stage::Finished(finished);
    }

    fn stop_timing(&mut self) {
        if let Some(current) = &mut self.current {
            current.timed = false;
        }
    }

    /// A step without an end will be made again: it waits.
    fn drop_running(&mut self) {
        for cell in self.matrix.cells.iter_mut().filter(|cell| cell.state == State::Running) {
            cell.state = State::Waiting;
        }
    }

    fn say_step(&mut self, time: Timestamp, kind: LineKind, step: u32, text: &str) {
        let name = self.matrix.step(step).map(|cell| self.matrix.name(cell)).unwrap_or_default();
        self.say(time, kind, format!("{step} {name}: {text}"));
    }

    fn say(&mut self, time: Timestamp, kind: LineKind, text: String) {
        if self.lines.len() >= LINES {
            self.lines.drain(..LINES / 10);
        }
        self.lines.push(Line { time, kind, text });
    }
}

/// `completed`, `cancelled`, `broken off`.
pub fn outcome(finished: &Finished) -> &'static str {
    use triptych_model::runlog::Outcome;
    match finished.outcome {
        Outcome::Completed => "completed",
        Outcome::Cancelled => "cancelled",
        Outcome::Broken => "broken off",
    }
}

/// Command and process id of a phase's facts.
fn process(facts: &Map<String, Value>) -> Option<(String, u64)> {
    let words = facts.get("command")?.as_array()?;
    let command = words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
    Some((command, facts.get("pid").and_then(Value::as_u64).unwrap_or(0)))
}

fn value<'a>(end: &'a StepEnd, process: &Process, metric: &str) -> Option<&'a MeasuredValue> {
    end.measurements.iter().find(|value| value.process == *process && value.metric == metric)
}

fn wall(end: &StepEnd) -> Option<f64> {
    value(end, &Process::Client, "real").and_then(|value| value.value)
}

/// Bytes read by whoever reads the repository: the server, or the client of a local operation.
fn bytes_read(end: &StepEnd) -> Option<f64> {
    let of = |process| value(end, &process, "read_bytes");
    of(Process::Svnserve).or_else(|| of(Process::Httpd)).or_else(|| of(Process::Client))?.value
}

fn evidence(end: &StepEnd, cold: bool) -> Evidence {
    let contradicted = if cold { Quality::NOT_COLD } else { Quality::NOT_HOT };
    match (cold, bytes_read(end)) {
        _ if end.quality.has(contradicted) => Evidence::Contradicted,
        (false, _) => Evidence::Quiet,
        (true, Some(bytes)) if bytes > 0.0 => Evidence::Proved,
        (true, _) => Evidence::None,
    }
}

/// `8.17 s, server CPU 8.02 s, read 29.1 MiB`, and what is doubtful.
fn summary(end: &StepEnd) -> String {
    let mut parts = Vec::new();
    let secs = |value: Option<f64>| match value {
        Some(secs) => numbers::with_unit(secs, Unit::Secs),
        None => "unknown".to_owned(),
    };
    parts.push(secs(wall(end)));
    if let Some(cpu) = value(end, &Process::Svnserve, "cpu_time") {
        parts.push(format!("server CPU {}", secs(cpu.value)));
    }
    if let Some(bytes) = bytes_read(end) {
        parts.push(format!("read {}", numbers::bytes(bytes)));
    }
    let doubts = end.quality.words().filter(|word| *word != "measured").map(|word| word.replace('-', " "));
    parts.extend(doubts);
    parts.join(", ")
}
