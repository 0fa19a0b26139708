//! Sheets: modal, over a scrim, with the main action last and named by its effect.

mod choose;
mod columns;
mod compare;
mod form;
mod help;
mod import;
mod lab;
mod labs;
mod plan;
mod rerun;
mod resume;
mod save_path;
#[cfg(test)]
mod tests;
mod type_path;

pub use lab::make_demo as make_demo_lab;

use crate::action::Action;
use crate::state::{Sheet, State};
use crate::theme::{Theme, size};
use crate::widgets::{Icon, body, icon_button};
use egui::{Align, Id, Layout, Modal, Ui, Vec2};
use std::path::PathBuf;
use std::sync::Arc;

/// What sheets have in hand while they are open.
#[derive(Default)]
pub struct Drafts {
    import: Option<import::Draft>,
    columns: Option<columns::Draft>,
    type_path: type_path::Draft,
    compare: Option<compare::Draft>,
    save_path: Option<save_path::Draft>,
    plan: Option<plan::Draft>,
    lab: Option<lab::Draft>,
    rerun: Option<rerun::Draft>,
    labs: labs::Labs,
    typed: Option<choose::Typed>,
    side: Option<rerun::SideBySide>,
    checked: Option<lab::Checked>,
}

/// What a job found out for an open sheet.
pub enum Preview {
    /// What the corrections of the import sheet would give.
    Import(Box<import::Outcome>),
    /// The tables of a source whose columns are to be explained.
    Columns(Box<columns::Found>),
    /// The entries of a directory.
    Entries(type_path::Entries),
    /// A path that the desktop's dialog gave.
    Chosen(choose::Chosen),
    /// What the file of the lab holds.
    Lab(labs::Read),
    /// A lab that was written there.
    LabSaved(Box<triptych_runner::lab::Lab>, PathBuf),
    /// The demo lab lies there, with its plan.
    Demo(PathBuf, Box<triptych_runner::plan::Plan>),
    /// What a check of the lab found.
    Checked(Box<lab::Checked>),
    /// What the plan gives.
    Plan(Arc<plan::Outcome>),
    /// What came of the rows that shall be repeated.
    Rerun(Arc<rerun::Outcome>),
    /// A plan that was read from there.
    PlanRead(Box<Result<triptych_runner::plan::Plan, String>>, PathBuf),
    /// The plan was written there.
    PlanSaved(Box<triptych_runner::plan::Plan>, PathBuf),
}

/// Takes what the job of a sheet found.
pub fn previewed(state: &mut State, preview: Preview) {
    match preview {
        Preview::Import(outcome) => {
            if let Some(draft) = &mut state.sheets.import {
                draft.take(*outcome);
            }
        }
        Preview::Columns(found) => {
            if let Some(draft) = &mut state.sheets.columns {
                draft.take(*found);
            }
        }
        Preview::Entries(entries) => state.sheets.type_path.take(entries),
        Preview::Chosen(chosen) => take_choice(state, chosen),
        Preview::Lab(read) => state.sheets.labs.take(read),
        Preview::LabSaved(lab, path) => lab::saved(state, *lab, path),
        Preview::Demo(directory, plan) => lab::demo_made(state, &directory, *plan),
        Preview::Checked(checked) => state.sheets.checked = Some(*checked),
        Preview::Plan(outcome) => {
            if let Some(draft) = &mut state.sheets.plan {
                draft.outcome = Some(outcome);
            }
        }
        Preview::Rerun(outcome) => rerun::take(state, outcome),
        Preview::PlanRead(read, path) => plan::opened(state, *read, path),
        Preview::PlanSaved(plan, path) => plan::saved(state, *plan, path),
    }
}

/// Does what a path was chosen for; where no dialog answers it can be typed.
fn take_choice(state: &mut State, chosen: choose::Chosen) {
    use choose::Purpose;
    let Some(path) = chosen.path else {
        if !matches!(chosen.purpose, Purpose::Lab(_)) {
            state.sheets.typed = Some(choose::Typed::new(chosen.purpose, &chosen.begin));
        }
        return;
    };
    match chosen.purpose {
        Purpose::OpenPlan => plan::open(state, path),
        Purpose::SavePlan => {
            if let Some(plan) = state.sheets.plan.as_ref().map(|draft| draft.plan.clone()) {
                plan::save(state, plan, path);
            }
        }
        Purpose::OpenLab => labs::use_file(state, path),
        Purpose::SaveLab => {
            if let Some(mut draft) = state.sheets.lab.take() {
                lab::save(state, &mut draft, path);
                state.sheets.lab = Some(draft);
            }
        }
        Purpose::Lab(slot) => {
            if let Some(draft) = &mut state.sheets.lab {
                lab::take_directory(draft, slot, path);
            }
        }
    }
}

/// Shows the open sheet, if there is one.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    rerun::stand(state);
    let Some(sheet) = state.sheet.clone() else {
        state.sheets.import = None;
        state.sheets.columns = None;
        state.sheets.compare = None;
        state.sheets.save_path = None;
        state.sheets.rerun = None;
        state.sheets.typed = None;
        return;
    };
    match sheet {
        Sheet::Import { campaign } => import::ui(ctx, state, &campaign),
        Sheet::Columns { source } => columns::ui(ctx, state, &source),
        Sheet::TypePath => type_path::ui(ctx, state),
        Sheet::Resume { found } => resume::ui(ctx, state, &found),
        Sheet::SavePath { name, content } => save_path::ui(ctx, state, &name, &content),
        Sheet::Help => help::ui(ctx, state),
        Sheet::Compare { tile } => compare::ui(ctx, state, tile),
        Sheet::Plan => plan::ui(ctx, state),
        Sheet::Lab => lab::ui(ctx, state),
        Sheet::Rerun { runs } => rerun::ui(ctx, state, &runs),
    }
}

/// A sheet with title and close button; `content` gets the rest. Closes on Escape, on a click beside
/// it and by its button, unless `held` says that Escape belongs to something inside.
fn show(
    ctx: &egui::Context,
    state: &mut State,
    wanted: Vec2,
    head: [&str; 2],
    held: bool,
    content: impl FnOnce(&mut Ui, &mut State, &Theme),
) {
    let theme = state.theme.clone();
    let screen = ctx.content_rect().size();
    let room =
        Vec2::new(wanted.x.min(screen.x - 24.0), wanted.y.min(screen.y - 24.0)).max(Vec2::splat(200.0));
    let frame = egui::Frame::new()
        .fill(theme.s2)
        .corner_radius(8.0)
        .stroke(egui::Stroke::new(1.0, theme.line))
        .shadow(ctx.global_style().visuals.window_shadow);
    let modal = Modal::new(Id::unique(("sheet", head[0]))).backdrop_color(theme.scrim).frame(frame);
    let mut close = false;
    let response = modal.show(ctx, |ui| {
        ui.set_width(room.x);
        ui.set_height(room.y);
        ui.spacing_mut().item_spacing.y = 0.0;
        let margin = egui::Margin { left: 20, right: 14, top: 12, bottom: 8 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.horizontal(|ui| {
                let heading = ui.heading(egui::RichText::new(head[0]).color(theme.t1));
                heading.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Heading, true, head[0]));
                crate::panels::kit::label(ui, head[1], body(ui), theme.t3);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    close = icon_button(ui, &theme, Icon::Close, "Close", true).clicked();
                });
            });
        });
        content(ui, state, &theme);
    });
    if close || (!held && response.should_close()) {
        state.act(Action::Sheet(None));
    }
}

/// The part of a sheet between title and actions.
fn inner(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let edge = size::SHEET as i8;
    egui::Frame::new().inner_margin(egui::Margin::symmetric(edge, 0)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}
