//! Rerun: which cells the selected runs are of, what the lab calls their names, asked for once and
//! remembered in the lab; then the plan that repeats them.

mod cells;
mod outcome;
mod questions;
mod side;

pub use outcome::{Outcome, measured_here};
pub use side::{SideBySide, stand};

use super::form::Texts;
use super::{Preview, form, lab, labs, plan};
use crate::action::Action;
use crate::panels::kit;
use crate::state::{Answer, Sheet, State};
use crate::theme::Theme;
use crate::widgets::{ButtonKind, button, button_enabled};
use egui::{Ui, vec2};
use outcome::Question;
use std::sync::Arc;
use triptych_runner::lab::Lab;
use triptych_runner::rerun::{self, OldRow, Wish};
use triptych_store::RunIndex;

/// What the sheet has in hand.
pub struct Draft {
    /// The runs, and the store's generation in which they are called so.
    runs: Vec<RunIndex>,
    generation: u64,
    /// What is known of them.
    rows: Arc<Vec<OldRow>>,
    /// Wall seconds of each row, where it says so.
    secs: Arc<Vec<Option<f64>>>,
    /// The campaigns they are of, for standing side by side.
    campaigns: Vec<String>,
    /// The lab as in its file, with the answers given here.
    lab: Option<Lab>,
    /// Which reading of the lab that is.
    reading: u64,
    /// How often.
    wish: Wish,
    texts: Texts,
    /// What came of it, and what it was asked for.
    outcome: Option<Arc<Outcome>>,
    asked: Option<(Option<Lab>, Wish)>,
}

impl Draft {
    fn new(state: &State, runs: &[RunIndex]) -> Self {
        let views: Vec<_> = runs.iter().filter_map(|run| state.store.run(*run)).collect();
        let mut campaigns: Vec<String> = Vec::new();
        let mut rows = Vec::new();
        for view in &views {
            let row = outcome::old_row(view);
            let campaign = row.conditions.get(triptych_model::Key::Campaign).unwrap_or_default().to_owned();
            if !campaigns.contains(&campaign) {
                campaigns.push(campaign);
            }
            rows.push(row);
        }
        Self {
            runs: runs.to_vec(),
            generation: state.store.generation(),
            rows: Arc::new(rows),
            secs: Arc::new(views.iter().map(outcome::wall_secs).collect()),
            campaigns,
            lab: state.sheets.labs.lab().map(|lab| (**lab).clone()),
            reading: state.sheets.labs.reading(),
            wish: Wish::default(),
            texts: Texts::default(),
            outcome: None,
            asked: None,
        }
    }

    /// Takes another lab, keeping the answers that were given here where it has none.
    fn follow(&mut self, state: &State) {
        let reading = state.sheets.labs.reading();
        if self.reading == reading {
            return;
        }
        self.reading = reading;
        let before = self.lab.take();
        self.lab = state.sheets.labs.lab().map(|lab| (**lab).clone());
        if let (Some(lab), Some(before)) = (&mut self.lab, before)
            && lab.name == before.name
        {
            for (name, answer) in before.known_as {
                lab.known_as.entry(name).or_insert(answer);
            }
        }
    }

    fn is_current(&self) -> bool {
        self.outcome.is_some()
            && self.asked.as_ref().is_some_and(|(lab, wish)| *lab == self.lab && *wish == self.wish)
    }
}

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State, runs: &[RunIndex]) {
    labs::request(state);
    let generation = state.store.generation();
    let fits = |draft: &Draft| draft.runs == runs && draft.generation == generation;
    if !state.sheets.rerun.as_ref().is_some_and(fits) {
        state.sheets.rerun = Some(Draft::new(state, runs));
    }
    let Some(mut draft) = state.sheets.rerun.take() else { return };
    draft.follow(state);
    let about =
        format!("{} of {}", kit::counted(draft.rows.len(), "run", "runs"), draft.campaigns.join(", "));
    super::show(ctx, state, vec2(1264.0, 1000.0), ["Run again", &about], false, |ui, state, theme| {
        content(ui, state, theme, &mut draft);
    });
    request(state, &mut draft);
    state.sheets.rerun = Some(draft);
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let footer = form::footer_height(ui) + if state.sheets.typed.is_some() { 60.0 } else { 0.0 };
    let mut kept = (&mut *state, &mut *draft);
    form::columns(
        ui,
        theme,
        (0.46, footer),
        &mut kept,
        |ui, (state, draft)| {
            lab::lab_line(ui, state, theme);
            questions::ui(ui, theme, draft);
            repetitions(ui, theme, draft);
        },
        |ui, (_, draft), bottom| cells::ui(ui, theme, draft, bottom),
    );
    lab::typed_line(ui, state, theme);
    footer_ui(ui, state, theme, draft);
}

fn repetitions(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    form::section(ui, theme, "Repetitions", "");
    let planned = draft.outcome.as_ref().and_then(|outcome| outcome.plan()).map(|plan| plan.repetitions);
    let mut value = draft.wish.repetitions.or(planned).unwrap_or(rerun::FEWEST);
    form::row(ui, theme, "repetitions", |ui| {
        let unit = "runs of each cell";
        if form::number(ui, theme, &mut draft.texts, "repetitions", &mut value, (1..=10_000, unit)) {
            draft.wish.repetitions = Some(value);
        }
    });
}

fn footer_ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let ready = draft.is_current() && draft.texts.wrong().is_none();
    let outcome = draft.outcome.clone();
    let mut kept = (state, draft);
    form::footer(
        ui,
        theme,
        &mut kept,
        |ui, (state, _)| {
            let plan = outcome.as_ref().and_then(|outcome| outcome.plan());
            if button_enabled(ui, theme, ButtonKind::Plain, None, "Edit as a plan…", plan.is_some()).clicked()
                && let Some(plan) = plan
            {
                let mut plan = plan.clone();
                plan.steps.clear();
                state.sheets.plan = Some(plan::Draft::new(plan, None));
                state.act(Action::Sheet(Some(Sheet::Plan)));
            }
        },
        |ui, (state, draft)| {
            let plan = outcome.as_ref().and_then(|outcome| outcome.expanded.plan.as_ref());
            let runs = outcome.as_ref().map_or(0, |outcome| outcome.expanded.runs());
            let text = format!("Measure {}", kit::counted(runs, "run", "runs"));
            let free = ready && plan.is_some() && !state.run.is_going();
            if button_enabled(ui, theme, ButtonKind::Main, None, &text, free).clicked()
                && let (Some(plan), Some(outcome)) = (plan, &outcome)
            {
                measure(state, draft, plan.clone(), outcome);
            }
            if button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked() {
                state.act(Action::Sheet(None));
            }
        },
    );
}

/// Keeps the answers in the lab's file, asks for the run, and for old and new side by side.
fn measure(state: &mut State, draft: &Draft, plan: triptych_runner::plan::Plan, outcome: &Outcome) {
    let Some(path) = state.sheets.labs.path().map(std::path::Path::to_path_buf) else { return };
    let Some(lab) = draft.lab.clone() else { return };
    if state.sheets.labs.lab().is_some_and(|known| **known != lab) {
        labs::save(state, lab.clone(), path.clone());
        state.sheets.labs.keep(lab.clone(), path.clone());
    }
    let lab = lab.absolute(path.parent().unwrap_or(&path));
    if let Some(directory) = plan::measure(state, plan, lab, outcome.expanded.expected.clone()) {
        let repeated: Vec<OldRow> =
            draft.rows.iter().filter(|row| outcome.is_repeated(&row.id)).cloned().collect();
        state.sheets.side = Some(SideBySide::new(&repeated, directory));
    }
}

/// Asks what came of the rows when the lab, the answers or the wish have changed.
fn request(state: &mut State, draft: &mut Draft) {
    let wanted = (draft.lab.clone(), draft.wish.clone());
    if draft.asked.as_ref() == Some(&wanted) {
        return;
    }
    let base = state.sheets.labs.path().and_then(std::path::Path::parent).map(std::path::Path::to_path_buf);
    let (rows, secs) = (Arc::clone(&draft.rows), Arc::clone(&draft.secs));
    let (lab, wish) = wanted.clone();
    draft.asked = Some(wanted);
    let store = Arc::clone(&state.store);
    state.jobs.start(crate::jobs::Kind::Preview, move |_| {
        let lab = lab.as_ref().zip(base.as_deref());
        let outcome = Outcome::of(&rows, &secs, lab, &wish, &store);
        Ok(Answer::Preview(Box::new(Preview::Rerun(Arc::new(outcome)))))
    });
}

/// Takes what the job worked out.
pub fn take(state: &mut State, outcome: Arc<Outcome>) {
    if let Some(draft) = &mut state.sheets.rerun {
        draft.outcome = Some(outcome);
    }
}

/// The answer to a question is kept with the lab; nothing chosen leaves its rows out.
fn answer(draft: &mut Draft, question: &Question, choice: &str) {
    let Some(lab) = &mut draft.lab else { return };
    // What can be chosen comes from the lab, so it has it.
    rerun::answer(lab, question.kind, &question.name, choice).ok();
}
