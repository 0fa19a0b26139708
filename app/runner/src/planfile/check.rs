//! What is wrong with a plan: against the table of experiments, against a lab, and in itself.

use crate::experiments::{self, EXPERIMENTS};
use crate::lab::Lab;
use crate::plan::{Cell, Operation, PLAN_VERSION, Plan};
use serde_json::Value;
use std::collections::BTreeSet;
use triptych_model::{Problem, ProblemKind, Severity};

/// Something wrong with a plan, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer to the value: `/operations/0/experiment`.
    pub pointer: String,
    /// What is wrong, without a source or a place.
    pub problem: Problem,
}

/// Everything wrong with a plan; without a lab its names are not looked up.
pub fn faults(plan: &Plan, lab: Option<&Lab>) -> Vec<Fault> {
    let mut found = Vec::new();
    numbers(plan, &mut found);
    for (index, operation) in plan.operations.iter().enumerate() {
        check_operation(operation, &format!("/operations/{index}"), &mut found);
    }
    lists(plan, &mut found);
    if let Some(lab) = lab {
        names(plan, lab, &mut found);
    }
    members(plan, &mut found);
    found
}

fn fault(pointer: impl Into<String>, message: impl Into<String>) -> Fault {
    let problem = Problem::new(Severity::Error, ProblemKind::Malformed, "", message);
    Fault { pointer: pointer.into(), problem }
}

impl Fault {
    fn found(mut self, text: impl Into<String>) -> Self {
        self.problem = self.problem.found(text);
        self
    }

    fn expected(mut self, text: impl Into<String>) -> Self {
        self.problem = self.problem.expected(text);
        self
    }
}

fn numbers(plan: &Plan, found: &mut Vec<Fault>) {
    let whole = [
        ("/version", plan.version, PLAN_VERSION, PLAN_VERSION),
        ("/repetitions", plan.repetitions, 1, 10_000),
        ("/warm_ups", plan.warm_ups, 0, 1_000),
        ("/sample_hz", plan.sample_hz, 1, 100),
        ("/server/compression", plan.server.compression.map_or(0, u32::from), 0, 9),
    ];
    for (pointer, value, low, high) in whole {
        if !(low..=high).contains(&value) {
            let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
            found.push(fault(pointer, "number out of range").found(value.to_string()).expected(range));
        }
    }
    for (pointer, secs) in
        [("/limits/run_secs", plan.limits.run_secs), ("/limits/start_secs", plan.limits.start_secs)]
    {
        // A week is longer than any benchmark, and short enough to be a duration everywhere.
        if !(secs > 0.0 && secs <= 604_800.0) {
            let range = "seconds above 0, a week at most";
            found.push(fault(pointer, "limit out of range").found(secs.to_string()).expected(range));
        }
    }
    if plan.limits.output_bytes == 0 {
        let message = "the limit of output leaves nothing to check";
        found.push(fault("/limits/output_bytes", message).found("0").expected("bytes above 0"));
    }
}

fn check_operation(operation: &Operation, pointer: &str, found: &mut Vec<Fault>) {
    let Some(experiment) = experiments::experiment(&operation.experiment) else {
        let known: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.spec().id).collect();
        let place = format!("{pointer}/experiment");
        let unknown = fault(place, "unknown experiment").found(&operation.experiment);
        found.push(unknown.expected(one_of(&known)));
        return;
    };
    for (name, problem) in experiments::option_problems(experiment.spec(), &operation.options) {
        found.push(fault(format!("{pointer}/options/{}", escape(&name)), problem));
    }
}

/// Lists that are empty, or name something twice.
fn lists(plan: &Plan, found: &mut Vec<Fault>) {
    let caches: Vec<String> = plan.caches.iter().map(|cache| cache.name().to_owned()).collect();
    let operations: Vec<String> = plan
        .operations
        .iter()
        .map(|operation| format!("{} {}", operation.experiment, Value::from_iter(operation.options.clone())))
        .collect();
    let lists = [
        ("operations", &operations),
        ("repositories", &plan.repositories),
        ("variants", &plan.variants),
        ("media", &plan.media),
        ("caches", &caches),
    ];
    for (name, list) in lists {
        if list.is_empty() && (plan.cells.is_empty() || name == "operations") {
            found.push(fault(format!("/{name}"), "empty list").expected(format!("{name} to measure")));
        }
        let mut seen = BTreeSet::new();
        for (index, item) in list.iter().enumerate() {
            if !seen.insert(item) {
                found.push(
                    fault(format!("/{name}/{index}"), "named twice").found(item.trim_end_matches(" {}")),
                );
            }
        }
    }
}

/// Names that the lab does not have, with those that it has.
fn names(plan: &Plan, lab: &Lab, found: &mut Vec<Fault>) {
    let repositories: Vec<&str> = lab.repositories.iter().map(|known| known.name.as_str()).collect();
    let variants: Vec<&str> = lab.variants.iter().map(|known| known.name.as_str()).collect();
    let media: Vec<&str> = lab.media.iter().map(|known| known.name.as_str()).collect();
    let lists = [
        ("repositories", "repository", &plan.repositories, &repositories),
        ("variants", "variant", &plan.variants, &variants),
        ("media", "medium", &plan.media, &media),
    ];
    for (name, kind, list, known) in lists {
        for (index, item) in list.iter().enumerate() {
            if !known.contains(&item.as_str()) {
                let place = format!("/{name}/{index}");
                let unknown = fault(place, format!("the lab {} has no such {kind}", lab.name));
                found.push(unknown.found(item).expected(one_of(known)));
            }
        }
    }
    for (index, cell) in plan.cells.iter().enumerate() {
        let parts = [
            ("repository", &cell.repository, &repositories),
            ("variant", &cell.variant, &variants),
            ("medium", &cell.medium, &media),
        ];
        for (kind, item, known) in parts {
            if !known.contains(&item.as_str()) {
                let place = format!("/cells/{index}/{kind}");
                let unknown = fault(place, format!("the lab {} has no such {kind}", lab.name));
                found.push(unknown.found(item).expected(one_of(known)));
            }
        }
    }
}

/// Cells and steps have to be of the plan's own operations, each once, steps numbered from 1.
fn members(plan: &Plan, found: &mut Vec<Fault>) {
    let check = |cell: &Cell, place: String, found: &mut Vec<Fault>| {
        if cell.operation >= plan.operations.len() {
            let range = format!("an index below {}", plan.operations.len());
            let wrong = fault(format!("{place}/operation"), "no such operation");
            found.push(wrong.found(cell.operation.to_string()).expected(range));
        }
    };
    let mut cells = BTreeSet::new();
    for (index, cell) in plan.cells.iter().enumerate() {
        check(cell, format!("/cells/{index}"), found);
        if !cells.insert(cell) {
            found.push(fault(format!("/cells/{index}"), "the same cell twice"));
        }
    }
    let mut runs = BTreeSet::new();
    for (index, step) in plan.steps.iter().enumerate() {
        let place = format!("/steps/{index}");
        check(&step.cell, place.clone(), found);
        if usize::try_from(step.step) != Ok(index + 1) {
            let wrong = fault(format!("{place}/step"), "steps are numbered from 1 without a gap");
            found.push(wrong.found(step.step.to_string()).expected((index + 1).to_string()));
        }
        if !runs.insert((&step.cell, step.repetition)) {
            found.push(fault(place, "the same run twice").found(step.repetition.to_string()));
        }
    }
}

fn one_of(known: &[&str]) -> String {
    if known.is_empty() {
        "nothing, there is none".to_owned()
    } else {
        format!("one of {}", known.join(", "))
    }
}

/// A name as a part of a JSON pointer.
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
