//! A recorded campaign, made by arithmetic: what the runner would say of two operations, three variants,
//! cold and hot, three times. Shared by tests of the run's model and of the window.
#![allow(dead_code, reason = "each test takes what it needs")]

use serde_json::{Map, Value, json};
use triptych_model::runlog::{
    CampaignStart, Event, Finished, LiveSample, LiveValue, MeasuredValue, Outcome, Phase, PhaseDone, Record,
    StepEnd, StepStart,
};
use triptych_model::{Conditions, Key, Process, Quality, Timestamp, Unit};
use triptych_runner::plan::{Cache, Cell, Operation, Plan, Step};

/// The step that fails.
pub const FAILS: u32 = 8;
const VARIANTS: [&str; 3] = ["trunk", "branch6", "branch7"];

/// 36 steps, a round after the other.
pub fn plan() -> Plan {
    grid(&["verify", "null-log-v"], &VARIANTS, 3)
}

/// Operations × cold and hot × variants × rounds.
pub fn grid(operations: &[&str], variants: &[&str], rounds: u32) -> Plan {
    let mut plan = Plan {
        title: "fsfs-format7".into(),
        operations: operations
            .iter()
            .map(|id| Operation { experiment: (*id).to_owned(), ..Operation::default() })
            .collect(),
        repositories: vec!["hist".into()],
        variants: variants.iter().map(|name| (*name).to_owned()).collect(),
        media: vec!["SSD".into()],
        caches: vec![Cache::Cold, Cache::Hot],
        repetitions: rounds,
        ..Plan::default()
    };
    for repetition in 1..=rounds {
        for operation in 0..operations.len() {
            for cache in [Cache::Cold, Cache::Hot] {
                for variant in variants {
                    let step = u32::try_from(plan.steps.len()).unwrap_or(u32::MAX) + 1;
                    let (repository, medium) = ("hist".to_owned(), "SSD".to_owned());
                    let variant = (*variant).to_owned();
                    let cell = Cell { operation, repository, variant, medium, cache };
                    plan.steps.push(Step { step, cell, repetition });
                }
            }
        }
    }
    plan
}

/// Says things one after the other.
pub struct Teller {
    plan: Plan,
    n: u64,
    micros: i64,
    said: Vec<Record>,
}

impl Teller {
    /// The campaign begins.
    pub fn new(plan: &Plan) -> Self {
        let begin = Timestamp::parse("2026-11-30T08:03:39.382038Z").expect("a time");
        let mut teller = Self { plan: plan.clone(), n: 0, micros: begin.micros(), said: Vec::new() };
        let host = json!({"cores": 2, "name": "this machine"});
        teller.say(
            0.0,
            Event::Campaign(Box::new(CampaignStart {
                campaign: "c-0731".into(),
                title: plan.title.clone(),
                lab: "this machine".into(),
                directory: "campaigns/c-0731".into(),
                steps: u32::try_from(plan.steps.len()).unwrap_or(u32::MAX),
                done: 0,
                seed: 1,
                host: object(host),
            })),
        );
        teller
    }

    /// All that was said since the last call.
    pub fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.said)
    }

    fn say(&mut self, after: f64, event: Event) {
        self.micros += (after * 1e6) as i64;
        self.n += u64::from(!matches!(event, Event::Live(_)));
        self.said.push(Record { n: self.n, time: Timestamp(self.micros), event });
    }

    /// Wall seconds of a step.
    pub fn secs(&self, step: u32) -> f64 {
        let Some(at) = self.plan.steps.get(step as usize - 1) else { return 1.0 };
        let variant = self.plan.variants.iter().position(|name| *name == at.cell.variant).unwrap_or(0);
        let base =
            7.3 + 5.0 * at.cell.operation as f64 + if at.cell.cache == Cache::Cold { 1.1 } else { 0.0 };
        base * [1.0, 0.97, 1.6, 1.2, 0.8, 1.1, 0.9][variant % 7] + f64::from(step * 7 % 13) / 50.0
    }

    fn conditions(&self, step: u32) -> Conditions {
        let Some(at) = self.plan.steps.get(step as usize - 1) else { return Conditions::new() };
        let operation = triptych_runner::cellname::operation_name(&self.plan.operations[at.cell.operation]);
        Conditions::new()
            .with(Key::Operation, operation)
            .with(Key::Variant, &at.cell.variant)
            .with(Key::Cache, at.cell.cache.name())
            .with(Key::Repetition, at.repetition.to_string())
    }

    fn phase(&mut self, step: u32, phase: Phase, secs: f64, text: &str, facts: Value) {
        let text = text.to_owned();
        self.say(secs, Event::Phase(PhaseDone { step, phase, secs, text, facts: object(facts) }));
    }

    /// A step begins and comes to where its client runs.
    pub fn start(&mut self, step: u32) {
        let (run, conditions) = (format!("c-0731/{step}"), self.conditions(step));
        let start = StepStart { step, run, conditions, expected_secs: None };
        self.say(0.01, Event::StepStarted(Box::new(start)));
        let gate = json!({"pressure_cpu": 0.4, "pressure_io": 0.0, "pressure_memory": 0.0, "other_load": 0.06,
            "free_memory": 21.3e9, "governor": "unknown"});
        self.phase(step, Phase::Gate, 0.002, "the host is quiet", gate);
        let cold = self.plan.steps.get(step as usize - 1).is_some_and(|at| at.cell.cache == Cache::Cold);
        if cold {
            let facts = json!({"method": "dropped", "reserve": null, "took_secs": 0.041});
            self.phase(step, Phase::Cache, 0.041, "caches dropped", facts);
        } else {
            self.phase(step, Phase::Client, 0.0, "svnbench", json!({"pid": 4500, "command": ["svnbench"]}));
            self.phase(step, Phase::WarmUp, 1.0, "1 uncounted run", json!({}));
        }
        let facts = json!({"port": 41873, "pid": 4527, "command": ["/opt/fmt7/bin/svnserve-fmt7", "-d"]});
        self.phase(step, Phase::Server, 0.006, "svnserve on 127.0.0.1:41873, ready after 6 ms", facts);
        let resident = if cold { 0.0 } else { 96.2e6 };
        let facts = json!({"file_bytes": 96.2e6, "resident_bytes": resident, "reserve": null});
        self.phase(step, Phase::Cache, 0.001, "resident share read", facts);
        let command = [
            "/opt/fmt7/bin/svnbench-fmt7",
            "null-log",
            "svn://127.0.0.1:41873/fmt7b_packed/trunk",
            "-v",
            "-q",
        ];
        self.phase(step, Phase::Client, 0.0, "svnbench-fmt7", json!({"pid": 4532, "command": command}));
    }

    /// Samples of the timed part until then, ten a second.
    pub fn live(&mut self, step: u32, from: f64, until: f64) {
        for tick in (from * 10.0).round() as u32 + 1..=(until * 10.0).round() as u32 {
            let at = f64::from(tick) / 10.0;
            let wave = f64::from(tick * 7 % 11);
            let (server, client, other) = (90.0 + wave / 2.0, 9.0 + wave / 3.0, 6.0 + wave / 4.0);
            let cold = self.plan.steps.get(step as usize - 1).is_some_and(|at| at.cell.cache == Cache::Cold);
            let read = if !cold {
                0.0
            } else if at < 1.0 {
                30e6
            } else {
                4e6 / at
            };
            let value =
                |process, metric: &str, value| LiveValue { process, metric: metric.to_owned(), value };
            let values = vec![
                value(Process::Svnserve, "cpu", server),
                value(Process::Client, "cpu", client),
                value(Process::System, "cpu", server + client + other),
                value(Process::Svnserve, "rss", 10e6 + at * 5e6),
                value(Process::Client, "rss", 5e6),
                value(Process::Disk("nvme0n1".into()), "read_rate", read),
            ];
            self.say(
                0.1,
                Event::Live(LiveSample { step, elapsed_secs: at, values, dropped: 0, own_cpu: 0.4 }),
            );
        }
    }

    /// The step ends, as it should or not.
    pub fn end(&mut self, step: u32) {
        let secs = self.secs(step);
        let cold = self.plan.steps.get(step as usize - 1).is_some_and(|at| at.cell.cache == Cache::Cold);
        self.phase(step, Phase::Stop, secs, "the server was stopped", json!({}));
        let value = |process, metric: &str, value: f64, unit| MeasuredValue {
            process,
            metric: metric.to_owned(),
            value: Some(value),
            unit,
            quality: Quality::NONE,
        };
        let mut end = StepEnd {
            step,
            run: format!("c-0731/{step}"),
            conditions: self.conditions(step),
            started: Some(Timestamp(self.micros)),
            exit: Some(0),
            quality: Quality::MEASURED,
            measurements: vec![
                value(Process::Client, "real", secs, Unit::Secs),
                value(Process::Svnserve, "cpu_time", secs * 0.95, Unit::Secs),
                value(Process::Svnserve, "read_bytes", if cold { 29.1e6 } else { 0.0 }, Unit::Bytes),
            ],
            ..StepEnd::default()
        };
        match step {
            FAILS => {
                end.quality = Quality::MEASURED.with(Quality::FAILED);
                end.exit = Some(1);
                end.failure =
                    Some("svn: E000111: Can't connect to host '127.0.0.1': Connection refused".to_owned());
            }
            13 => end.measurements.retain(|value| value.metric != "read_bytes"),
            14 => end.quality = Quality::MEASURED.with(Quality::NOT_COLD),
            _ => {}
        }
        self.say(0.02, Event::StepEnded(Box::new(end)));
    }

    /// Whole steps from the first to this one.
    pub fn until(&mut self, last: u32) {
        for step in 1..=last {
            self.start(step);
            self.end(step);
        }
    }

    /// Any other event.
    pub fn event(&mut self, event: Event) {
        self.say(0.001, event);
    }

    /// The last record.
    pub fn finish(&mut self, outcome: Outcome, done: u32) {
        let all = u32::try_from(self.plan.steps.len()).unwrap_or(u32::MAX);
        let reason = (outcome == Outcome::Cancelled).then(|| "the user gave up".to_owned());
        let finished = Finished { outcome, done, failed: 1, remaining: all - done, reason };
        self.say(0.01, Event::Finished(finished));
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
