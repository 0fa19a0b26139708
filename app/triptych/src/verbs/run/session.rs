//! A campaign while it runs: the runner is started, its events become lines on standard error.

use super::super::table;
use super::places::failed;
use crate::failure::{Failure, Outcome};
use crate::output::tell;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use triptych_model::runlog::{self, CampaignStart, Event, Finished, Note, Record, SampleTable, StepEnd};
use triptych_model::{Process, Severity, Timestamp};
use triptych_runner::builds;
use triptych_runner::cellname::step_name;
use triptych_runner::client::{Session, find_runner};
use triptych_runner::lab::Lab;
use triptych_runner::plan::{Cell, Plan};
use triptych_runner::preview::{TimeLeft, duration};
use triptych_runner::protocol::Start;
use triptych_runner::signals::Interrupts;

/// What is to be measured, and where it is kept.
pub struct Campaign {
    /// The lab, with absolute paths.
    pub lab: Lab,
    /// The plan with its steps.
    pub plan: Plan,
    /// Directory of the campaign.
    pub directory: PathBuf,
    /// What earlier runs of a cell took, wall seconds by the step's number.
    pub expected_secs: BTreeMap<u32, f64>,
}

/// Measures to the end, and prints the triples of what was measured.
///
/// # Errors
/// The runner cannot be started or speaks another language, or the output cannot be written.
pub fn measure(campaign: Campaign) -> Result<Outcome, Failure> {
    let Campaign { lab, plan, directory, expected_secs } = campaign;
    let missing = missing(&plan, &lab);
    if !missing.is_empty() {
        let words = anyhow::anyhow!("{}; triptych lab check says more", missing.join(", "));
        return Err(Failure::Failed(words));
    }
    let directory = std::path::absolute(&directory)
        .map_err(|error| failed("the campaign's directory is unknown", error))?;
    let uncaught = |error| failed("signals cannot be caught", error);
    on_interrupt().map_err(uncaught)?;
    let interrupts = Interrupts::catch().map_err(uncaught)?;
    let program = find_runner().map_err(|error| Failure::Failed(error.into()))?;
    let mut progress = Progress::new(&plan);
    for end in ends_before(&directory) {
        progress.left.ended(end.step, None);
    }
    let start = Start { lab, plan, directory: directory.clone(), expected_secs };
    let mut session = Session::start(&program, &start).map_err(|error| Failure::Failed(error.into()))?;
    let tell_kept = || tell(&"triptych: interrupted: what is finished is kept");
    interrupts.cancel(session.controller(), tell_kept).map_err(uncaught)?;
    while let Some(record) = session.next() {
        progress.record(record.map_err(|error| Failure::Failed(error.into()))?);
    }
    session.wait().map_err(|error| Failure::Failed(error.into()))?;
    let outcome = progress.finish(&directory)?;
    if progress.ended > 0 {
        print_triples(&directory)?;
    }
    Ok(outcome)
}

/// What the steps of a plan need and the lab's builds have not, as sentences.
pub fn missing(plan: &Plan, lab: &Lab) -> Vec<String> {
    let programs = builds::missing(plan, lab);
    programs.iter().map(|program| format!("{} is not there", program.display())).collect()
}

/// The first signal is noticed, the second ends this program as it would by default.
///
/// # Errors
/// The system refuses the handler.
pub fn on_interrupt() -> std::io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, flag.clone())?;
        signal_hook::flag::register(signal, flag.clone())?;
    }
    Ok(flag)
}

/// Ends of steps in earlier sessions, without their samples; only for what is told, the runner itself knows
/// better.
pub fn ends_before(directory: &Path) -> Vec<StepEnd> {
    let Ok(text) = std::fs::read_to_string(directory.join("run.ndjson")) else { return Vec::new() };
    let records = text.lines().filter(|line| line.contains("step-ended"));
    let ends = records.filter_map(|line| match serde_json::from_str::<Record>(line).ok()?.event {
        Event::StepEnded(end) => Some(StepEnd { samples: SampleTable::default(), ..*end }),
        _ => None,
    });
    ends.collect()
}

/// How long the runs took by cell, the longest of each.
pub fn took(plan: &Plan, ends: &[StepEnd]) -> BTreeMap<Cell, f64> {
    let cells: BTreeMap<u32, &Cell> = plan.steps.iter().map(|step| (step.step, &step.cell)).collect();
    let mut took: BTreeMap<Cell, f64> = BTreeMap::new();
    for end in ends.iter().filter(|end| end.failure.is_none()) {
        if let (Some(cell), Some(secs)) = (cells.get(&end.step), real(end)) {
            let known = took.entry((*cell).clone()).or_insert(secs);
            *known = known.max(secs);
        }
    }
    took
}

/// As `triptych table` does of the campaign's log; what else lies beside it need not be told.
fn print_triples(directory: &Path) -> Result<(), Failure> {
    let log = directory.join("run.ndjson");
    let words = [std::ffi::OsStr::new("table"), log.as_os_str()];
    let arguments = table::command()
        .try_get_matches_from(words)
        .map_err(|error| failed("the campaign cannot be read", error))?;
    table::run(&arguments).map(drop)
}

/// What was said so far, as lines.
struct Progress {
    /// Names of the steps by number.
    names: BTreeMap<u32, String>,
    left: TimeLeft,
    /// When the step began that runs now.
    began: Option<Timestamp>,
    /// Steps that have ended, of all sessions.
    ended: u32,
    finished: Option<Finished>,
}

impl Progress {
    fn new(plan: &Plan) -> Self {
        let names = plan.steps.iter().map(|step| (step.step, step_name(plan, step))).collect();
        Self { names, left: TimeLeft::new(plan), began: None, ended: 0, finished: None }
    }

    fn record(&mut self, record: Record) {
        match record.event {
            Event::Campaign(start) => self.campaign(&start),
            Event::StepStarted(_) => self.began = Some(record.time),
            Event::StepEnded(end) => self.step(&end, record.time),
            Event::Note(note) => self.note(&note),
            Event::Paused => tell(&"paused"),
            Event::Continued => tell(&"continued"),
            Event::Finished(finished) => self.finished = Some(finished),
            Event::Phase(_) | Event::Live(_) | Event::Unknown => {}
        }
    }

    fn campaign(&mut self, start: &CampaignStart) {
        self.ended = start.done;
        let done = match start.done {
            0 => String::new(),
            done => format!(", {done} of them done before"),
        };
        tell(&format!("{}: {} runs{done}, kept in {}", start.title, start.steps, start.directory));
    }

    fn step(&mut self, end: &StepEnd, time: Timestamp) {
        self.ended += 1;
        let secs = self.began.take().map(|began| (time.micros() - began.micros()) as f64 / 1e6);
        self.left.ended(end.step, secs);
        let unnamed = format!("step {}", end.step);
        let name = self.names.get(&end.step).unwrap_or(&unnamed);
        let result = match (&end.failure, real(end)) {
            (Some(why), _) => format!("failed: {why}"),
            (None, Some(secs)) => format!("{secs:.3} s{}", doubts(end)),
            (None, None) => format!("no time{}", doubts(end)),
        };
        let all = self.names.len();
        let left = self.left.secs().filter(|_| self.left.steps() > 0);
        let left = left.map(|secs| format!("  ({} left)", duration(secs))).unwrap_or_default();
        tell(&format!("{}/{all}  {name}  {result}{left}", self.ended));
    }

    fn note(&self, note: &Note) {
        let step = note.step.and_then(|step| self.names.get(&step));
        let place = step.map(|name| format!("{name}: ")).unwrap_or_default();
        match note.severity {
            Severity::Note => tell(&format!("{place}{}", note.text)),
            severity => tell(&format!("{place}{severity}: {}", note.text)),
        }
    }

    /// The last line, and whether all went well.
    fn finish(&self, directory: &Path) -> Result<Outcome, Failure> {
        let Some(finished) = &self.finished else {
            return Err(Failure::Failed(anyhow::anyhow!(
                "the runner ended without a word; go on with triptych run -o {}",
                directory.display()
            )));
        };
        let reason = finished.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let word = match finished.outcome {
            runlog::Outcome::Completed => "completed",
            runlog::Outcome::Cancelled => "cancelled",
            runlog::Outcome::Broken => "broken off",
        };
        tell(&format!("{word}{reason}: {} runs, {} failed", finished.done, finished.failed));
        if finished.remaining > 0 {
            let directory = directory.display();
            tell(&format!("{} runs are left: triptych run -o {directory} goes on", finished.remaining));
        }
        let good = finished.outcome == runlog::Outcome::Completed && finished.failed == 0;
        Ok(if good { Outcome::Accepted } else { Outcome::Refused })
    }
}

fn real(end: &StepEnd) -> Option<f64> {
    let mut values = end.measurements.iter();
    values.find(|value| value.process == Process::Client && value.metric == "real")?.value
}

/// The words that say why a value is to be doubted.
fn doubts(end: &StepEnd) -> String {
    let text = end.quality.to_string();
    let doubts: Vec<&str> = text.split('+').filter(|word| !matches!(*word, "" | "measured")).collect();
    if doubts.is_empty() { String::new() } else { format!(" [{}]", doubts.join(", ")) }
}
