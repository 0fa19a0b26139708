//! The import sheet: what was guessed for every file of a campaign, and the way to correct a pattern,
//! a single cell, a name everywhere, with a live preview of what it gives.

mod draft;
mod files;
mod outcome;
mod pattern;
mod questions;
mod rereading;

pub use draft::Draft;
pub use outcome::Outcome;

use crate::action::Action;
use crate::panels::kit;
use crate::state::{Sheet, State};
use crate::theme::{Theme, size};
use crate::widgets::{ButtonKind, body, button, button_enabled, row_height, small, strong, text_scale};
use egui::{Align, Layout, Sense, Ui, vec2};
use triptych_model::Origin;
use triptych_report::numbers;

/// Shows the sheet for a campaign.
pub fn ui(ctx: &egui::Context, state: &mut State, campaign: &str) {
    if !state.sheets.import.as_ref().is_some_and(|draft| draft.fits(state, campaign)) {
        state.sheets.import = Some(Draft::new(state, campaign));
    }
    let Some(mut draft) = state.sheets.import.take() else { return };
    let title = if draft.campaign.is_empty() {
        "Files and conditions".to_owned()
    } else {
        format!("Files and conditions of {}", draft.campaign)
    };
    let outcome = &draft.outcome;
    let about = if draft.is_shown() {
        format!(
            "{}, {}",
            kit::counted(outcome.rows.len(), "file", "files"),
            numbers::bytes(outcome.bytes as f64)
        )
    } else {
        String::new()
    };
    let mut changed = draft.is_new();
    let held = draft.edit.is_some();
    super::show(ctx, state, vec2(1264.0, 780.0), [&title, &about], held, |ui, state, theme| {
        changed |= content(ui, state, theme, &mut draft);
    });
    state.sheets.import = Some(draft);
    if changed {
        draft::request(state);
    }
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) -> bool {
    let mut changed = false;
    let footer = size::BUTTON.max(row_height(ui) + 4.0) + 33.0;
    super::inner(ui, |ui| {
        if draft.has_pattern {
            match pattern::ui(ui, theme, draft) {
                pattern::Done::Nothing => {}
                pattern::Done::Changed => changed |= draft.pattern_changed(),
                pattern::Done::Suggest => {
                    draft.suggest();
                    changed = true;
                }
            }
            ui.add_space(8.0);
        }
        if let Some(source) = heading(ui, theme, draft) {
            state.act(Action::Sheet(Some(Sheet::Columns { source })));
        }
        ui.add_space(4.0);
        let below = questions::height(ui, draft) + footer + 12.0;
        let height = (ui.available_height() - below).max(row_height(ui) * 4.0);
        if draft.is_shown() {
            changed |= files::ui(ui, theme, draft, height);
        } else {
            ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        }
        changed |= questions::ui(ui, state, theme, draft);
    });
    footer_ui(ui, state, theme, draft, footer);
    changed
}

/// What the table holds, the way to find a file in it, and what its dots mean. Gives the source whose
/// columns are to be explained anew, if that was asked for.
fn heading(ui: &mut Ui, theme: &Theme, draft: &mut Draft) -> Option<String> {
    let mut columns = None;
    ui.horizontal(|ui| {
        ui.set_min_height(size::BUTTON.max(row_height(ui) + 4.0));
        kit::label(ui, "Files and conditions", strong(ui), theme.t1);
        let find = egui::TextEdit::singleline(&mut draft.filter)
            .hint_text("Find in files")
            .desired_width(180.0)
            .margin(vec2(8.0, 4.0));
        kit::field(ui, theme, find, "Find in files");
        if let Some(edit) = draft.edit.as_mut().filter(|edit| !edit.before.is_empty()) {
            let text = format!("rename {} everywhere", edit.before);
            let response = ui.checkbox(&mut edit.everywhere, text);
            edit.hold = response.rect;
            // The field in the cell goes on where it was.
            edit.fresh |= response.clicked();
        }
        let explained = draft.outcome.rows.iter().find(|row| row.format == triptych_import::TABLE);
        if let Some(row) = explained
            && button(ui, theme, ButtonKind::Plain, None, "Meaning of columns…").clicked()
        {
            columns = Some(row.path.clone());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            for origin in [Origin::Default, Origin::Yours, Origin::Content, Origin::Path] {
                kit::label(ui, files::origin_name(origin), small(ui), theme.t2);
                let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0) * text_scale(ui), Sense::hover());
                files::origin_dot(ui, theme, rect.center(), origin);
                ui.add_space(8.0);
            }
        });
    });
    columns
}

/// What it gives, Cancel, and the main action by its effect.
fn footer_ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &Draft, height: f32) {
    let room = ui.available_height() - height;
    if room > 0.0 {
        ui.add_space(room);
    }
    kit::separator(ui, theme);
    let edge = size::SHEET;
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), height - 1.0),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.set_min_height(height - 1.0);
            ui.spacing_mut().item_spacing.x = 10.0;
            ui.add_space(edge);
            let outcome = &draft.outcome;
            let new = draft.corrections != *state.store.corrections();
            let ready = new && draft.error.is_none() && !draft.pending;
            let text = format!("Apply to {}", kit::counted(outcome.runs, "run", "runs"));
            if button_enabled(ui, theme, ButtonKind::Main, None, &text, ready).clicked() {
                state.act(Action::Correct(draft.corrections.clone()));
                state.act(Action::Sheet(None));
            }
            if button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked() {
                state.act(Action::Sheet(None));
            }
            let counts: Vec<String> = [
                (outcome.runs, "run", "runs"),
                (outcome.measurements, "measurement", "measurements"),
                (outcome.samples, "sample", "samples"),
                (outcome.requests, "request", "requests"),
            ]
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| kit::counted(count, one, many))
            .collect();
            let ink = if draft.pending { theme.t4 } else { theme.t2 };
            kit::label(ui, counts.join(", "), body(ui), ink);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add_space(edge);
                let text = if new {
                    "The corrections are kept in the workspace"
                } else {
                    "Click a value to correct it"
                };
                let text = egui::RichText::new(text).font(body(ui)).color(theme.t3);
                if ui.available_width() > 80.0 {
                    ui.add(egui::Label::new(text).truncate());
                }
            });
        },
    );
}
