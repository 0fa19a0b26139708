//! What came of old rows with a lab and the answers so far; worked out in a job.

use super::super::plan;
use std::collections::BTreeMap;
use std::path::Path;
use triptych_model::{Process, Severity};
use triptych_runner::lab::Lab;
use triptych_runner::plan::{Cell, Operation, Plan};
use triptych_runner::rerun::{self, Kind, OldCell, OldRow, RerunDraft, Wish};
use triptych_store::{Query, RunView, Store};

/// A name that the lab does not have by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What it names.
    pub kind: Kind,
    /// The name; empty where the rows do not say one.
    pub name: String,
    /// How many cells need it.
    pub needed_by: usize,
    /// What the lab has of that kind, the likeliest first.
    pub choices: Vec<String>,
    /// What was answered; an empty answer leaves its rows out.
    pub answer: Option<String>,
}

impl Question {
    /// `variant trunk`.
    pub fn title(&self) -> String {
        match self.name.as_str() {
            "" => format!("{}, not said by the rows", self.kind.word()),
            name => format!("{} {name}", self.kind.word()),
        }
    }
}

/// How the runner ends the sentence of a cell that the user left out.
const AS_ANSWERED: &str = "is to be left out";

/// What came of the rows.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The mapped rows.
    pub draft: RerunDraft,
    /// What the lab does not have by itself, answered or not.
    pub questions: Vec<Question>,
    /// The plan with its steps.
    pub expanded: plan::Outcome,
}

impl Outcome {
    /// Maps rows; with the lab comes the directory that its paths are relative to.
    pub fn of(
        rows: &[OldRow],
        secs: &[Option<f64>],
        lab: Option<(&Lab, &Path)>,
        wish: &Wish,
        store: &Store,
    ) -> Self {
        let own = lab.map(|(lab, _)| lab);
        let draft = rerun::map_as(rows, own, wish);
        let questions = questions(rows, own, &draft);
        let expanded = match (&draft.plan, lab) {
            (Some(plan), Some((lab, base))) => {
                let lab = lab.clone().absolute(base);
                // What was measured here says more than what the old machine took.
                let mut known = history(rows, secs, &draft);
                known.extend(measured_here(store, &lab));
                plan::Outcome::of(plan, &lab, &known)
            }
            _ => plan::Outcome::default(),
        };
        Self { draft, questions, expanded }
    }

    /// The plan, if nothing is missing.
    pub fn plan(&self) -> Option<&Plan> {
        self.draft.plan.as_ref()
    }

    /// How many names have no answer yet.
    pub fn open(&self) -> usize {
        self.questions.iter().filter(|question| question.answer.is_none()).count()
    }

    /// Whether a cell is not repeated, as answered or because the lab cannot.
    pub fn is_left_out(&self, old: &OldCell) -> bool {
        let of_it =
            |text: &str| text.strip_prefix(old.name.as_str()).is_some_and(|rest| rest.starts_with(':'));
        self.draft.left_out.iter().any(|text| of_it(text))
    }

    /// Whether a row is of a cell that is measured again.
    pub fn is_repeated(&self, row: &str) -> bool {
        let of_row = |old: &&OldCell| old.rows.iter().any(|id| id == row);
        self.draft.cells.iter().find(of_row).is_some_and(|old| old.cell.is_some() && !self.is_left_out(old))
    }

    /// What is worth knowing: what is left out, what will be otherwise. Cells that are left out as the
    /// user answered are counted, not listed.
    pub fn remarks(&self) -> Vec<(Severity, String)> {
        let (answered, others): (Vec<&String>, Vec<&String>) =
            self.draft.left_out.iter().partition(|text| text.ends_with(AS_ANSWERED));
        let left = self
            .draft
            .cells
            .iter()
            .filter(|old| answered.iter().any(|text| text.starts_with(&format!("{}:", old.name))));
        let count = left.count();
        let mut remarks: Vec<(Severity, String)> =
            others.into_iter().map(|text| (Severity::Warning, text.clone())).collect();
        if count > 0 {
            let cells = triptych_report::numbers::plural(count, "cell is", "cells are");
            remarks.push((Severity::Note, format!("{cells} left out, as answered")));
        }
        remarks.extend(self.draft.notes.iter().map(|text| (Severity::Note, text.clone())));
        remarks
    }
}

/// Most runs that are asked what they took.
const MOST: usize = 5000;

/// What the runner's own runs took that are open: by operation and cell of this lab, in wall seconds.
pub fn measured_here(store: &Store, lab: &Lab) -> Vec<(Operation, Cell, f64)> {
    let runs = store.runs(&Query::default());
    let views = runs.iter().rev().take(MOST).filter_map(|run| store.run(*run));
    let own = views.filter(|view| view.settings.contains_key("experiment") && view.failure.is_none());
    let (rows, secs): (Vec<OldRow>, Vec<Option<f64>>) =
        own.map(|view| (old_row(&view), wall_secs(&view))).unzip();
    history(&rows, &secs, &rerun::map(&rows, Some(lab)))
}

/// A run as a row to be repeated.
pub fn old_row(view: &RunView) -> OldRow {
    let mut row = OldRow { id: view.id.clone(), settings: view.settings.clone(), ..OldRow::default() };
    for (key, (value, _)) in &view.conditions {
        row.conditions.set(*key, value.as_str());
    }
    row
}

/// All that would be asked without answers, with the answers there are.
fn questions(rows: &[OldRow], lab: Option<&Lab>, draft: &RerunDraft) -> Vec<Question> {
    let bare = lab.map(|lab| Lab { known_as: BTreeMap::new(), ..lab.clone() });
    let asked = rerun::map(rows, bare.as_ref()).missing;
    let question = |missing: rerun::Missing| {
        let open = draft.missing.iter().any(|left| left.kind == missing.kind && left.name == missing.name);
        let key = format!("{} {}", missing.kind.word(), missing.name);
        let known = lab.and_then(|lab| lab.known_as.get(key.trim_end()));
        Question {
            answer: known.filter(|_| !open).cloned(),
            kind: missing.kind,
            name: missing.name,
            needed_by: missing.needed_by,
            choices: missing.suggestions,
        }
    };
    let mut questions: Vec<Question> = asked.into_iter().map(question).collect();
    questions.sort_by_key(|question| question.kind);
    questions
}

/// Wall seconds of a run: what its harness, else its table says.
pub fn wall_secs(run: &RunView) -> Option<f64> {
    let of = |metric: &str| {
        let fits = |value: &&triptych_store::RunValue| {
            value.metric == metric && matches!(value.process, Process::Client | Process::System)
        };
        run.values.iter().find(fits).and_then(|value| value.value)
    };
    of("real").or_else(|| of("time")).filter(|secs| secs.is_finite() && *secs >= 0.0)
}

/// The median wall seconds of each cell by its rows.
fn history(rows: &[OldRow], secs: &[Option<f64>], draft: &RerunDraft) -> Vec<(Operation, Cell, f64)> {
    let of_row: BTreeMap<&str, f64> =
        rows.iter().zip(secs).filter_map(|(row, secs)| Some((row.id.as_str(), (*secs)?))).collect();
    let median = |ids: &[String]| {
        let mut known: Vec<f64> = ids.iter().filter_map(|id| of_row.get(id.as_str()).copied()).collect();
        known.sort_by(f64::total_cmp);
        known.get(known.len() / 2).copied()
    };
    let of = |old: &OldCell| {
        let cell = old.cell.clone()?;
        let operation = draft.operations.get(cell.operation)?.clone();
        Some((operation, cell, median(&old.rows)?))
    };
    draft.cells.iter().filter_map(of).collect()
}
