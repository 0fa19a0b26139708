//! The bar above the run view and the words in the status line: how far it is, when it ends, and what can be done.

use super::clock::{COARSE, clock};
use crate::action::{Action, RunWish};
use crate::run::model::{RunModel, Stage, outcome};
use crate::run::progress::{left_in_words, progress};
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{self, ButtonKind, Icon};
use egui::{Align, Align2, Layout, RichText, Sense, Ui, vec2};
use triptych_model::Timestamp;

/// What the stage is called, and the colour of the dot before it.
fn stage_words(state: &State, model: &RunModel, theme: &Theme) -> (&'static str, egui::Color32) {
    match &model.stage {
        _ if state.run.is_cancelling() && model.is_going() => ("Cancelling", theme.failed),
        Stage::Starting => ("Starting", theme.accent),
        Stage::Paused => ("Paused", theme.warning),
        Stage::Measuring => ("Measuring", theme.accent),
        Stage::Finished(finished) => match outcome(finished) {
            "completed" => ("Completed", theme.faster),
            "cancelled" => ("Cancelled", theme.t3),
            _ => ("Broken off", theme.failed),
        },
        Stage::Lost(_) => ("The runner is gone", theme.failed),
    }
}

/// `step 71 of 120` while it goes on, else `70 of 120 steps`.
fn step_words(model: &RunModel) -> String {
    let of = model.matrix.cells.len().max(model.steps as usize);
    match &model.current {
        Some(_) if model.is_going() => format!("step {} of {of}", (model.done + 1).min(of)),
        _ => format!("{} of {of} steps", model.done),
    }
}

/// Shows the bar.
pub fn ui(ui: &mut Ui, state: &mut State, model: &RunModel, theme: &Theme) {
    let height = 40.0_f32.max(13.0 * widgets::text_scale(ui) + 24.0);
    let panel = egui::Panel::top("run bar").frame(crate::bars::bar(theme.s1)).show_separator_line(false);
    panel.show(ui, |ui| {
        ui.set_min_height(height);
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(height);
            let (words, ink) = stage_words(state, model, theme);
            let (dot, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
            ui.painter().circle_filled(dot.center(), 4.5, ink);
            ui.label(RichText::new(words).font(widgets::strong(ui)).color(theme.t1));
            ui.label(RichText::new(step_words(model)).color(theme.t2));
            let far = progress(model);
            let room = (ui.available_width() - 640.0 * widgets::text_scale(ui)).clamp(90.0, 260.0);
            let share = if model.is_going() { far.share } else { far.done as f64 / far.of.max(1) as f64 };
            widgets::progress_bar(ui, theme, room, share as f32);
            if model.is_going() {
                end_words(ui, model, theme, far.left_secs);
            }
            let layout = Layout::right_to_left(Align::Center);
            let rest = ui.available_size_before_wrap();
            ui.allocate_ui_with_layout(vec2(rest.x, height), layout, |ui| buttons(ui, state, model, theme));
        });
    });
}

fn end_words(ui: &mut Ui, model: &RunModel, theme: &Theme, left: Option<f64>) {
    let Some(left) = left else {
        ui.label(RichText::new("time left is known after the first runs").color(theme.t3));
        return;
    };
    ui.label(RichText::new(left_in_words(left)).font(widgets::named(ui)).color(theme.t1));
    // Only a run tells time: while it stands still the end moves on.
    if let Some(now) = model.now.filter(|_| model.stage == Stage::Measuring) {
        let end = Timestamp(now.micros() + (left * 1e6) as i64);
        ui.label(RichText::new(format!("ends {}", clock(end, COARSE))).color(theme.t3));
    }
}

/// From the right: cancel, pause or what follows the end, the way to the charts, the note on quiet.
fn buttons(ui: &mut Ui, state: &mut State, model: &RunModel, theme: &Theme) {
    let wish = |ui: &mut Ui, state: &mut State, kind, icon, text: &str, wish| {
        if widgets::button(ui, theme, kind, icon, text).clicked() {
            state.act(Action::Run(wish));
        }
    };
    let charts = if model.is_going() { "Charts" } else { "Show the charts" };
    if model.is_going() {
        if !state.run.is_cancelling() {
            wish(ui, state, ButtonKind::Danger, Some(Icon::Stop), "Cancel", RunWish::Cancel);
            if state.run.is_paused() {
                wish(ui, state, ButtonKind::Main, Some(Icon::Play), "Continue", RunWish::Continue);
            } else {
                let text = "Pause after this run";
                wish(ui, state, ButtonKind::Plain, Some(Icon::Pause), text, RunWish::Pause);
            }
        }
        wish(ui, state, ButtonKind::Quiet, Some(Icon::Table), charts, RunWish::Show(false));
        quiet_note(ui, state, theme);
    } else {
        wish(ui, state, ButtonKind::Main, None, charts, RunWish::Show(false));
        if model.remaining() > 0 {
            let text = format!("Resume, {} left", model.remaining());
            wish(ui, state, ButtonKind::Plain, Some(Icon::Play), &text, RunWish::Resume);
        }
    }
}

/// What the window does not do now, where there is room to say so.
fn quiet_note(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let quiet = state.run.restraint(state.settings.quiet);
    let pauses = state.run.is_paused() && !state.run.stands_still();
    let words = if pauses { Some("pauses after this run") } else { quiet };
    let Some(text) = words else { return };
    let galley = ui.painter().layout_no_wrap(text.to_owned(), widgets::small(ui), theme.t3);
    if galley.size().x + 40.0 > ui.available_width() {
        return;
    }
    ui.label(RichText::new(text).small().color(theme.t3));
    widgets::icon(ui, Icon::Eye, theme.t3);
}

/// The status line: the campaign where the view is shown, how far it is where the charts are.
pub fn status(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let Some(model) = state.run.model.clone() else { return };
    let percent = |value: Option<f64>| match value {
        Some(value) => format!("{value:.1}\u{202f}% CPU"),
        None => "unknown".to_owned(),
    };
    if state.run.shown {
        let text =
            format!("runner {}    window {}", percent(model.runner_cpu), percent(state.run.window_cpu));
        ui.label(RichText::new(text).small().color(theme.t3));
    } else if model.is_going() {
        if widgets::button(ui, theme, ButtonKind::Quiet, None, "Run view").clicked() {
            state.act(Action::Run(RunWish::Show(true)));
        }
        let far = progress(&model);
        let (words, _) = stage_words(state, &model, theme);
        widgets::progress_bar(ui, theme, 120.0, far.share as f32);
        let left = far.left_secs.map(|left| format!(", {}", left_in_words(left))).unwrap_or_default();
        let text = format!("{words}, {}{left}", step_words(&model));
        ui.label(RichText::new(text).small().color(theme.t2));
    }
}

/// At the left of the status line while the view is shown.
pub fn status_left(ui: &mut Ui, state: &State, theme: &Theme) {
    let Some(model) = &state.run.model else { return };
    let start = &model.campaign;
    let mut words = vec![format!("campaign {}", start.campaign)];
    if !start.lab.is_empty() {
        words.push(format!("lab: {}", start.lab));
    }
    if let Some(cores) = start.host.get("cores").and_then(serde_json::Value::as_u64) {
        words.push(triptych_report::numbers::plural(cores as usize, "core", "cores"));
    }
    let text = words.join("    ");
    let at = egui::pos2(ui.max_rect().left(), ui.max_rect().center().y);
    let width = ui.available_width() * 0.6;
    widgets::paint_text(ui, at, Align2::LEFT_CENTER, &text, widgets::small(ui), theme.t3, width);
}
