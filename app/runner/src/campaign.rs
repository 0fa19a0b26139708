//! A campaign: the steps of a plan that have no end yet, one after the other.

use crate::desk::Desk;
use crate::host::{Host, HostError};
use crate::logfile::Found;
use crate::outcome::{References, step_end};
use crate::plan::Step;
use crate::protocol::Start;
use crate::step::{Bench, Findings, Stage};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use triptych_model::runlog::{CampaignStart, Event, Finished, Outcome, StepEnd, StepStart};
use triptych_model::{Conditions, Key, Quality, Severity};

/// What is known of each build before anything is measured: its name to its facts.
pub type BuildFacts = BTreeMap<String, Map<String, Value>>;

/// A campaign in progress.
pub struct Campaign<'a> {
    /// What to measure.
    pub start: &'a Start,
    /// Name of the campaign.
    pub name: String,
    /// Directory for temporary things.
    pub scratch: &'a Path,
    /// Facts of the builds.
    pub builds: &'a BuildFacts,
    /// What the log held before.
    pub found: Found,
    /// Facts of the host.
    pub facts: Map<String, Value>,
    references: References,
    took: BTreeMap<String, Vec<f64>>,
}

/// Why no further step is begun.
struct Stop(Outcome, Option<String>);

impl<'a> Campaign<'a> {
    /// A campaign that goes on where `found` ends.
    pub fn new(start: &'a Start, scratch: &'a Path, builds: &'a BuildFacts, found: Found) -> Self {
        let name = start.directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut references = References::default();
        references.learn(&found.ends);
        let facts = Map::new();
        Self { start, name, scratch, builds, found, facts, references, took: BTreeMap::new() }
    }

    /// Measures what is left; the last record is for the caller to write.
    pub fn measure(mut self, host: &mut dyn Host, desk: &mut Desk) -> Finished {
        self.facts.extend(host.facts());
        self.facts.insert("builds".to_owned(), json!(self.builds));
        self.found.steps = u32::try_from(self.start.plan.steps.len()).unwrap_or(u32::MAX);
        desk.say(Event::Campaign(Box::new(self.header())));
        self.keep_host(desk);
        let mut stage = Stage::new(host);
        let stopped = self.steps(&mut stage, desk);
        stage.clear();
        match stopped {
            Ok(()) => self.found.session_end(Outcome::Completed, None),
            Err(Stop(outcome, reason)) => self.found.session_end(outcome, reason),
        }
    }

    /// Keeps the facts of the host of this session beside the log, for people.
    fn keep_host(&self, desk: &mut Desk) {
        let text = serde_json::to_string_pretty(&self.facts).map_err(std::io::Error::from);
        let path = self.start.directory.join("host.json");
        if let Err(error) = text.and_then(|text| crate::labfile::write_whole(&path, &text)) {
            desk.note(Severity::Warning, format!("host.json could not be written: {error}"));
        }
    }

    fn header(&self) -> CampaignStart {
        CampaignStart {
            campaign: self.name.clone(),
            title: self.start.plan.title.clone(),
            lab: self.start.lab.name.clone(),
            directory: self.start.directory.to_string_lossy().into_owned(),
            steps: self.found.steps,
            done: u32::try_from(self.found.ended.len()).unwrap_or(u32::MAX),
            seed: self.start.plan.seed,
            host: self.facts.clone(),
        }
    }

    fn steps(&mut self, stage: &mut Stage<'_>, desk: &mut Desk) -> Result<(), Stop> {
        desk.commit().map_err(|error| Stop(Outcome::Broken, Some(error.to_string())))?;
        let start = self.start;
        let known: BTreeSet<u32> = start.plan.steps.iter().map(|step| step.step).collect();
        let (ended, failed) = (&mut self.found.ended, &mut self.found.failed);
        ended.retain(|step| known.contains(step));
        failed.retain(|step| known.contains(step));
        for step in &start.plan.steps {
            if self.found.ended.contains(&step.step) {
                continue;
            }
            if !desk.rest() {
                return Err(Stop(Outcome::Cancelled, None));
            }
            self.step(step, stage, desk)?;
        }
        Ok(())
    }

    fn step(&mut self, step: &Step, stage: &mut Stage<'_>, desk: &mut Desk) -> Result<(), Stop> {
        desk.begin_step(step.step).map_err(|error| Stop(Outcome::Broken, Some(error.to_string())))?;
        let run = format!("{}/{}", self.name, step.step);
        let bench = match Bench::find(&self.start.lab, &self.start.plan, step, self.scratch) {
            Ok(bench) => bench,
            Err(why) => return self.unknown(step, run, &why, desk),
        };
        let start = StepStart {
            step: step.step,
            run,
            conditions: bench.conditions(&self.name, &self.host_name()),
            expected_secs: self.expected(step),
        };
        desk.say(Event::StepStarted(Box::new(start.clone())));
        // Log, reserve and raw output of the step before: on the disk before the host is looked at.
        stage.host.flush(&self.start.directory);
        let mut findings = Findings::default();
        let failure = stage
            .run(&bench, desk, &mut findings)
            .and_then(|()| self.compare(&bench, &start, &findings))
            .err();
        match &failure {
            Some(HostError::Cancelled) => return Err(Stop(Outcome::Cancelled, None)),
            // A result that differs from the first leaves a server that was to live on.
            Some(_) => drop(stage.clear()),
            None => {}
        }
        if let Err(error) = findings.raw.write(&self.start.directory.join("raw"), step.step) {
            desk.note(Severity::Warning, format!("the tools' output could not be kept: {error}"));
        }
        let no_facts = Map::new();
        let build = self.builds.get(&bench.build.name).unwrap_or(&no_facts);
        let mut end = step_end(&bench, &start, &mut findings, failure.as_ref(), build);
        if let Some(cpu) = desk.window_cpu() {
            end.settings.insert("window_cpu".to_owned(), json!(cpu));
        }
        self.ended(end, desk)?;
        match failure {
            Some(HostError::Broken(why)) => Err(Stop(Outcome::Broken, Some(why))),
            _ => Ok(()),
        }
    }

    /// A step that names something which the lab does not have fails without being tried.
    fn unknown(&mut self, step: &Step, run: String, why: &str, desk: &mut Desk) -> Result<(), Stop> {
        let conditions = Conditions::new()
            .with(Key::Campaign, &self.name)
            .with(Key::Repository, &step.cell.repository)
            .with(Key::Variant, &step.cell.variant)
            .with(Key::Medium, &step.cell.medium)
            .with(Key::Cache, step.cell.cache.name())
            .with(Key::Repetition, step.repetition.to_string());
        let end = StepEnd {
            step: step.step,
            run,
            conditions,
            quality: Quality::MEASURED.with(Quality::FAILED),
            failure: Some(why.to_owned()),
            ..StepEnd::default()
        };
        self.ended(end, desk)
    }

    fn compare(
        &mut self,
        bench: &Bench<'_>,
        start: &StepStart,
        findings: &Findings,
    ) -> Result<(), HostError> {
        let Some(operation) = self.start.plan.operations.get(bench.step.cell.operation) else {
            return Ok(());
        };
        self.references
            .compare(&start.run, operation, &bench.repository.name, &findings.counters)
            .map_err(HostError::Run)
    }

    fn ended(&mut self, end: StepEnd, desk: &mut Desk) -> Result<(), Stop> {
        let (step, failed) = (end.step, end.failure.is_some());
        let wall = end.measurements.iter().find(|value| value.metric == "real").and_then(|value| value.value);
        if let (false, Some(wall)) = (failed, wall) {
            self.took.entry(cell_key(&end.conditions)).or_default().push(wall);
        }
        desk.end_step(end).map_err(|error| Stop(Outcome::Broken, Some(error.to_string())))?;
        self.found.ended.insert(step);
        if failed {
            self.found.failed.insert(step);
        }
        Ok(())
    }

    fn host_name(&self) -> String {
        self.facts.get("hostname").and_then(Value::as_str).unwrap_or("unknown").to_owned()
    }

    /// The mean of the cell's runs so far, else what the caller expects.
    fn expected(&self, step: &Step) -> Option<f64> {
        let bench = Bench::find(&self.start.lab, &self.start.plan, step, self.scratch).ok()?;
        let key = cell_key(&bench.conditions(&self.name, ""));
        match self.took.get(&key) {
            Some(values) => Some(values.iter().sum::<f64>() / values.len() as f64),
            None => self.start.expected_secs.get(&step.step).copied(),
        }
    }
}

/// What the repetitions of a cell share.
fn cell_key(conditions: &Conditions) -> String {
    let keys = [Key::Operation, Key::Repository, Key::Variant, Key::Medium, Key::Cache];
    keys.map(|key| conditions.get(key).unwrap_or_default()).join("\n")
}
