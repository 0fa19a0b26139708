//! The lab editor: builds, repositories, media and variants of this machine, and what a check of them found.

mod draft;
mod report;
mod rows;
mod words;

pub use draft::Draft;
pub use report::Checked;

use super::choose::{self, Purpose, Slot};
use super::{Preview, form, labs};
use crate::action::Action;
use crate::jobs::{Kind, Running};
use crate::panels::kit;
use crate::state::{Answer, Sheet, State};
use crate::theme::Theme;
use crate::toasts::Toast;
use crate::widgets::{ButtonKind, body, button, button_enabled, small};
use egui::{Ui, vec2};
use rows::{Rows, Wishes};
use std::path::{Path, PathBuf};
use triptych_runner::demo;
use triptych_runner::lab::Lab;
use triptych_runner::labfile::LAB_FILE;
use triptych_runner::plan::Plan;
use triptych_runner::planfile;

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    labs::request(state);
    let reading = state.sheets.labs.reading();
    let fits = |draft: &Draft| draft.is_changed() || draft.reading == reading;
    if !state.sheets.lab.as_ref().is_some_and(fits) {
        state.sheets.lab = Some(of_file(state));
    }
    let Some(mut draft) = state.sheets.lab.take() else { return };
    let scale = state.settings.text_scale;
    let most = (ctx.content_rect().width().min(1264.0) * 0.5 / (7.0 * scale)) as usize;
    let shown = |path: &Path| kit::head_cut(&path.display().to_string(), most);
    let about = match draft.path.as_deref().map(shown) {
        None => "not saved yet".to_owned(),
        Some(path) if draft.is_changed() => format!("{path}, changed"),
        Some(path) if draft.saved => format!("{path}, saved"),
        Some(path) => path,
    };
    super::show(ctx, state, vec2(1264.0, 1000.0), ["The lab", &about], false, |ui, state, theme| {
        content(ui, state, theme, &mut draft);
    });
    state.sheets.lab = Some(draft);
}

/// The lab in use as a draft, or an empty one.
fn of_file(state: &State) -> Draft {
    let labs = &state.sheets.labs;
    match labs.to_edit() {
        Some((lab, path)) => Draft::new(lab, Some(path), labs.reading()),
        None => Draft::new(Lab::new("this machine"), None, labs.reading()),
    }
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let footer = form::footer_height(ui) + if state.sheets.typed.is_some() { 60.0 } else { 0.0 };
    let faults = draft::faults(&draft.lab);
    let mut wishes = Wishes::default();
    let mut kept = (&mut *state, &mut *draft);
    form::columns(
        ui,
        theme,
        (0.62, footer),
        &mut kept,
        |ui, (state, draft)| {
            let dialogs = state.settings.native_dialogs;
            let mut rows = Rows { theme, faults: &faults, dialogs, wishes: Wishes::default() };
            if let Some(said) = state.sheets.labs.said() {
                form::remark(ui, theme, triptych_model::Severity::Error, said, "mend it here, and save");
            }
            name(ui, theme, draft);
            rows.builds(ui, draft);
            rows.media(ui, draft);
            rows.repositories(ui, draft);
            rows.variants(ui, draft);
            wishes = rows.wishes;
        },
        |ui, (state, draft), _| report::ui(ui, state, theme, draft),
    );
    if let Some((purpose, begin)) = wishes.choose.take() {
        choose::ask(state, purpose, begin);
    }
    wishes.settle(draft);
    if let Some((Purpose::SaveLab, path)) = typed_line(ui, state, theme) {
        save(state, draft, path);
    }
    report::request(state, draft, faults.len());
    footer_ui(ui, state, theme, draft, faults.len());
}

fn name(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    form::row(ui, theme, "name", |ui| {
        let width = ui.available_width().min(320.0 * crate::widgets::text_scale(ui));
        form::text(ui, theme, &mut draft.lab.name, "name of the lab", "a name for this machine", width);
    });
}

/// The line for a typed path above the actions, of any sheet that measures.
pub(super) fn typed_line(ui: &mut Ui, state: &mut State, theme: &Theme) -> Option<(Purpose, PathBuf)> {
    let mut typed = state.sheets.typed.take();
    let mut chosen = None;
    if typed.is_some() {
        super::inner(ui, |ui| chosen = choose::line(ui, theme, &mut typed));
    }
    state.sheets.typed = typed;
    if let Some((Purpose::OpenLab, path)) = &chosen {
        labs::use_file(state, path.clone());
    }
    chosen
}

fn footer_ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft, faults: usize) {
    let mut kept = (state, draft);
    form::footer(
        ui,
        theme,
        &mut kept,
        |ui, (state, draft)| {
            if button(ui, theme, ButtonKind::Plain, None, "Open a lab…").clicked() {
                let begin = labs::file(state).unwrap_or_default();
                choose::ask(state, Purpose::OpenLab, begin);
            }
            if button(ui, theme, ButtonKind::Plain, None, "Save as…").clicked() {
                let begin = draft.path.clone().unwrap_or_else(|| PathBuf::from(LAB_FILE));
                choose::ask(state, Purpose::SaveLab, begin);
            }
        },
        |ui, (state, draft)| {
            let ready = faults == 0 && draft.texts.wrong().is_none();
            let named = draft.path.clone();
            let text = if named.is_some() { "Save the lab" } else { "Save the lab…" };
            let wanted = ready && (draft.is_changed() || named.is_none());
            if button_enabled(ui, theme, ButtonKind::Main, None, text, wanted).clicked() {
                match named {
                    Some(path) => save(state, draft, path),
                    None => choose::ask(state, Purpose::SaveLab, labs::file(state).unwrap_or_default()),
                }
            }
            let close = if draft.is_changed() { "Discard the changes" } else { "Close" };
            if button(ui, theme, ButtonKind::Outline, None, close).clicked() {
                draft.lab = draft.kept.clone();
                draft.texts.forget("");
                state.act(Action::Sheet(None));
            }
            if faults > 0 {
                kit::label(ui, kit::counted(faults, "problem", "problems"), body(ui), theme.failed);
            }
        },
    );
}

/// Puts a directory that was chosen into its field.
pub fn take_directory(draft: &mut Draft, slot: Slot, path: PathBuf) {
    let lab = &mut draft.lab;
    let field = match slot {
        Slot::Build(at) => lab.builds.get_mut(at).map(|build| &mut build.directory),
        Slot::Medium(at) => lab.media.get_mut(at).map(|medium| &mut medium.directory),
        Slot::Copy(at, copy) => {
            lab.repositories.get_mut(at).and_then(|of| of.copies.get_mut(copy)).map(|copy| &mut copy.path)
        }
    };
    if let Some(field) = field {
        *field = path;
    }
}

/// Writes the lab in a job.
pub fn save(state: &mut State, draft: &mut Draft, path: PathBuf) {
    draft.saving = Some(draft.lab.clone());
    labs::save(state, draft.lab.clone(), path);
}

/// Takes in that a lab was written, completed by what its copies say.
pub fn saved(state: &mut State, lab: Lab, path: PathBuf) {
    if let Some(draft) = &mut state.sheets.lab {
        if draft.saving.take().as_ref() == Some(&draft.lab) {
            draft.lab = lab.clone();
        }
        draft.kept = lab.clone();
        draft.path = Some(path.clone());
        draft.saved = true;
        draft.reading = state.sheets.labs.reading() + 1;
    }
    state.settings.lab = Some(path.clone());
    state.sheets.labs.keep(lab, path);
}

/// Where the lab comes from, for the sheets that measure: its name and file, and the ways to another.
pub(super) fn lab_line(ui: &mut Ui, state: &mut State, theme: &Theme) {
    if state.jobs.running(Kind::Lab).is_some() {
        progress(ui, state, theme);
        return;
    }
    let labs = &state.sheets.labs;
    let lab = labs.lab().map(|lab| lab.name.clone());
    let path = labs.path().map(|path| path.display().to_string());
    let said = labs.said().map(str::to_owned);
    form::row(ui, theme, "lab", |ui| {
        form::line(ui, |ui| {
            match &lab {
                Some(name) => {
                    let response = kit::label(ui, name, crate::widgets::named(ui), theme.t1);
                    if let Some(path) = path {
                        response.on_hover_text(path);
                    }
                }
                None if said.is_none() => {
                    kit::label(ui, "none on this machine yet", body(ui), theme.t2);
                }
                None => {}
            }
            let mut links = vec![("edit", "Edit the lab", Action::Sheet(Some(Sheet::Lab)))];
            if lab.is_none() {
                links.insert(0, ("make a demo lab", "Make a demo lab", Action::MakeDemoLab));
            }
            for (text, name, action) in links {
                if kit::named_link(ui, theme, text, name).clicked() {
                    state.act(action);
                }
            }
            if kit::named_link(ui, theme, "use another", "Use another lab").clicked() {
                let begin = labs::file(state).unwrap_or_default();
                choose::ask(state, Purpose::OpenLab, begin);
            }
        });
        if let Some(said) = &said {
            let next = "edit it as text, use another, or make a demo lab";
            form::remark(ui, theme, triptych_model::Severity::Error, said, next);
        }
    });
}

/// How far the demo lab is, with Cancel.
fn progress(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let Some(step) = state.jobs.running(Kind::Lab).map(Running::step) else { return };
    form::row(ui, theme, "demo lab", |ui| {
        form::line(ui, |ui| {
            if step.total > 0 {
                crate::widgets::progress_bar(ui, theme, 160.0, step.share());
            }
            if button(ui, theme, ButtonKind::Outline, None, "Cancel the demo lab").clicked() {
                state.jobs.cancel(Kind::Lab);
                state.toasts.push(Toast::note("The demo lab was not made"));
            }
            let text = if step.what.is_empty() { "begins".to_owned() } else { step.what };
            form::wrapped(ui, &text, small(ui), theme.t3);
        });
    });
}

/// Makes the demo lab in a job, or takes the one that is there, and opens the plan editor, which shows
/// how far it is and then the demo's plan.
pub fn make_demo(state: &mut State) {
    state.sheet = Some(Sheet::Plan);
    if state.jobs.running(Kind::Lab).is_some() {
        return;
    }
    let Some(directory) = demo::demo_lab_directory() else {
        state.toasts.push(Toast::error("This user has no home, so there is no place for a demo lab"));
        return;
    };
    make_demo_in(state, directory, demo::DemoOptions::default());
}

/// The same in a directory and a size.
pub(super) fn make_demo_in(state: &mut State, directory: PathBuf, options: demo::DemoOptions) {
    state.jobs.start(Kind::Lab, move |context| {
        let mut tell = |progress: &demo::DemoProgress| {
            context.progress((progress.share * 1000.0) as u64, 1000, &progress.text);
            !context.cancelled()
        };
        demo::make_demo_with(&directory, options, &mut tell).map_err(|error| error.to_string())?;
        let plan = planfile::read(&directory.join(demo::PLAN_FILE), None);
        let plan = plan.map_err(|problems| labs::sentences(&problems))?;
        Ok(Answer::Preview(Box::new(Preview::Demo(directory, Box::new(plan)))))
    });
}

/// Takes in that the demo lab is there: it is the lab in use, and its plan is offered.
pub fn demo_made(state: &mut State, directory: &Path, plan: Plan) {
    labs::use_file(state, directory.join(LAB_FILE));
    state.sheets.plan = Some(super::plan::Draft::new(plan, None));
    if matches!(state.sheet, None | Some(Sheet::Lab)) {
        state.sheet = Some(Sheet::Plan);
    }
}
