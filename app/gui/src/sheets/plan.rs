//! The plan editor: what is measured, in which order, how long it takes.

mod draft;
mod outcome;
mod parts;
mod preview;

pub use draft::Draft;
pub use outcome::Outcome;
pub use preview::{headline, problems};

use super::choose::{self, Purpose};
use super::{Preview, form, lab, labs};
use crate::action::{Action, RunRequest};
use crate::jobs::Kind;
use crate::state::{Answer, State};
use crate::theme::Theme;
use crate::toasts::Toast;
use crate::widgets::{ButtonKind, button, button_enabled};
use egui::{Ui, vec2};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use triptych_runner::lab::Lab;
use triptych_runner::plan::Plan;
use triptych_runner::planfile;

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    labs::request(state);
    if state.sheets.plan.is_none()
        && let Some(lab) = state.sheets.labs.lab()
    {
        state.sheets.plan = Some(Draft::of_lab(lab));
    }
    let mut draft = state.sheets.plan.take().unwrap_or_else(|| Draft::new(Plan::default(), None));
    let name =
        draft.path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let about = match (name, &draft.kept) {
        (Some(name), Some(kept)) if *kept == draft.plan => format!("{name}, saved"),
        (Some(name), _) => format!("{name}, changed"),
        (None, _) => String::new(),
    };
    let head = ["Run a plan", &about];
    super::show(ctx, state, vec2(1264.0, 1000.0), head, false, |ui, state, theme| {
        content(ui, state, theme, &mut draft);
    });
    request(state, &mut draft);
    // Without a lab nothing was drafted yet: the next lab brings its own plan.
    let begun = state.sheets.labs.lab().is_some() || draft.plan != Plan::default();
    state.sheets.plan = begun.then_some(draft);
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let footer = form::footer_height(ui) + if state.sheets.typed.is_some() { 60.0 } else { 0.0 };
    let known = state.sheets.labs.lab().cloned();
    let mut kept = (&mut *state, &mut *draft);
    form::columns(
        ui,
        theme,
        (0.6, footer),
        &mut kept,
        |ui, (state, draft)| form_ui(ui, state, theme, draft, known.as_deref()),
        |ui, (_, draft), bottom| preview::ui(ui, theme, draft, bottom),
    );
    match lab::typed_line(ui, state, theme) {
        Some((Purpose::OpenPlan, path)) => open(state, path),
        Some((Purpose::SavePlan, path)) => save(state, draft.plan.clone(), path),
        _ => {}
    }
    footer_ui(ui, state, theme, draft);
}

fn form_ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft, known: Option<&Lab>) {
    form::row(ui, theme, "title", |ui| {
        let width = ui.available_width();
        form::text(ui, theme, &mut draft.plan.title, "title", "what this campaign is about", width);
    });
    lab::lab_line(ui, state, theme);
    form::section(ui, theme, "Operations", "what is timed");
    parts::operations(ui, theme, draft);
    form::section(ui, theme, "Compared", "every combination is a cell");
    if !draft.plan.cells.is_empty() {
        preview::chosen_cells(ui, theme, draft);
    }
    parts::lists(ui, theme, draft, known);
    form::section(ui, theme, "Repetitions", "");
    parts::counts(ui, theme, draft);
    form::section(ui, theme, "Server", "svnserve, on this machine's own address only");
    parts::server(ui, theme, &mut draft.plan);
    form::section(ui, theme, "Limits", "when a run is given up");
    parts::limits(ui, theme, draft);
}

fn footer_ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let ready = draft.outcome.clone().filter(|_| is_current(state, draft) && draft.texts.wrong().is_none());
    let mut kept = (state, draft);
    form::footer(
        ui,
        theme,
        &mut kept,
        |ui, (state, draft)| {
            if button(ui, theme, ButtonKind::Plain, None, "Open a plan…").clicked() {
                choose::ask(state, Purpose::OpenPlan, draft.path.clone().unwrap_or_default());
            }
            if button(ui, theme, ButtonKind::Plain, None, "Save the plan…").clicked() {
                let begin = draft.path.clone().unwrap_or_else(|| PathBuf::from("plan.json"));
                choose::ask(state, Purpose::SavePlan, begin);
            }
        },
        |ui, (state, draft)| {
            let runs = draft.outcome.as_ref().map_or(0, |outcome| outcome.runs());
            let text = format!("Measure {}", crate::panels::kit::counted(runs, "run", "runs"));
            let plan = ready.and_then(|outcome| outcome.plan.clone());
            let free = !state.run.is_going();
            let response = button_enabled(ui, theme, ButtonKind::Main, None, &text, plan.is_some() && free);
            if response.clicked()
                && let (Some(plan), Some(lab)) = (plan, state.sheets.labs.absolute())
            {
                measure(state, plan, lab, std::collections::BTreeMap::new());
            } else if !free {
                response.on_hover_text("one campaign is measured at a time");
            }
            if button(ui, theme, ButtonKind::Outline, None, "Close").clicked() {
                state.act(Action::Sheet(None));
            }
        },
    );
}

/// Asks for the run and closes the sheet; gives the directory of the new campaign.
pub(super) fn measure(
    state: &mut State,
    plan: Plan,
    lab: Lab,
    expected_secs: std::collections::BTreeMap<u32, f64>,
) -> Option<PathBuf> {
    let Some(directory) = labs::new_campaign(&plan.title) else {
        state.toasts.push(Toast::error("This system names no directory for data: start the run by the verb"));
        return None;
    };
    let request = RunRequest { lab, plan, directory: directory.clone(), expected_secs };
    state.act(Action::RunPlan(Box::new(request)));
    state.act(Action::Sheet(None));
    Some(directory)
}

/// Whether the outcome is that of the plan and the lab as they are.
fn is_current(state: &State, draft: &Draft) -> bool {
    let reading = state.sheets.labs.reading();
    draft.asked.as_ref().is_some_and(|(plan, of)| *plan == draft.plan && *of == reading)
        && state.jobs.running(Kind::Preview).is_none()
}

/// Asks what the plan gives when it or the lab has changed.
fn request(state: &mut State, draft: &mut Draft) {
    let reading = state.sheets.labs.reading();
    if draft.asked.as_ref().is_some_and(|(plan, of)| *plan == draft.plan && *of == reading) {
        return;
    }
    draft.asked = Some((draft.plan.clone(), reading));
    let Some(lab) = state.sheets.labs.absolute() else {
        draft.outcome = None;
        return;
    };
    let (plan, store) = (draft.plan.clone(), Arc::clone(&state.store));
    state.jobs.start(Kind::Preview, move |_| {
        let history = super::rerun::measured_here(&store, &lab);
        Ok(Answer::Preview(Box::new(Preview::Plan(Arc::new(Outcome::of(&plan, &lab, &history))))))
    });
}

/// Reads a plan in a job.
pub fn open(state: &mut State, path: PathBuf) {
    state.jobs.start(Kind::LabFile, move |_| {
        let read = planfile::read(&path, None).map_err(|problems| labs::sentences(&problems));
        Ok(Answer::Preview(Box::new(Preview::PlanRead(Box::new(read), path))))
    });
}

/// Takes in a plan that was read.
pub fn opened(state: &mut State, read: Result<Plan, String>, path: PathBuf) {
    match read {
        Ok(mut plan) => {
            // They are made again: the lab may have changed since.
            plan.steps.clear();
            state.sheets.plan = Some(Draft::new(plan, Some(path)));
        }
        Err(said) => {
            let draft = state.sheets.plan.get_or_insert_with(|| Draft::new(Plan::default(), None));
            draft.said = Some(said);
        }
    }
}

/// Writes the plan in a job.
pub fn save(state: &mut State, plan: Plan, path: PathBuf) {
    state.jobs.start(Kind::Save, move |_| {
        planfile::write(&path, &plan).map_err(|problem| problem.to_string())?;
        Ok(Answer::Preview(Box::new(Preview::PlanSaved(Box::new(plan), path))))
    });
}

/// Takes in that the plan was written.
pub fn saved(state: &mut State, plan: Plan, path: PathBuf) {
    if let Some(draft) = &mut state.sheets.plan {
        draft.path = Some(path);
        draft.kept = Some(plan);
        draft.said = None;
    }
}
