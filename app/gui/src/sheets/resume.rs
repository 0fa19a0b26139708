//! Interrupted campaigns: a click makes the runs that one of them still lacks.

use crate::action::Action;
use crate::panels::kit;
use crate::run::Interrupted;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{
    ButtonKind, body, button, named, paint_text, progress_bar, row_height, small, text_scale,
};
use egui::{Align, Align2, Layout, Ui, vec2};

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State, found: &[Interrupted]) {
    let head = ["Resume a campaign", "finished runs stay, the rest is made"];
    super::show(ctx, state, vec2(620.0, 360.0), head, false, |ui, state, theme| {
        let height = ui.available_height() - 52.0;
        egui::ScrollArea::vertical().max_height(height).auto_shrink(false).show(ui, |ui| {
            if found.is_empty() {
                super::inner(ui, |ui| {
                    let text = "No campaign of the archive lacks runs.";
                    kit::label(ui, text, body(ui), theme.t2);
                });
            }
            for campaign in found {
                row(ui, state, theme, campaign);
            }
        });
        super::inner(ui, |ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if button(ui, theme, ButtonKind::Outline, None, "Close").clicked() {
                    state.act(Action::Sheet(None));
                }
            });
        });
    });
}

fn row(ui: &mut Ui, state: &mut State, theme: &Theme, campaign: &Interrupted) {
    let request = &campaign.request;
    let name = request.directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let of = request.plan.steps.len();
    let words = format!("{} of {of} runs, lab {}", campaign.done, request.lab.name);
    let height = row_height(ui) * 2.0;
    let (rect, response) = kit::row(ui, theme, height, false, &format!("Resume {name}, {words}"));
    let left = size::SHEET;
    let scale = text_scale(ui);
    let room = rect.width() - left - 160.0 * scale;
    let (upper, lower) = (rect.center().y - 1.0, rect.center().y + 2.0);
    let at = egui::pos2(rect.left() + left, upper);
    let title = if request.plan.title.is_empty() { &name } else { &request.plan.title };
    paint_text(ui, at, Align2::LEFT_BOTTOM, title, named(ui), theme.t1, room);
    let at = egui::pos2(rect.left() + left, lower);
    paint_text(ui, at, Align2::LEFT_TOP, &format!("{words}, {name}"), small(ui), theme.t3, room);
    let bar = egui::Rect::from_center_size(kit::right(rect, 80.0 * scale), vec2(110.0 * scale, 6.0));
    ui.scope_builder(egui::UiBuilder::new().max_rect(bar).id_salt(&name), |ui| {
        progress_bar(ui, theme, bar.width(), campaign.done as f32 / of.max(1) as f32);
    });
    if response.clicked() {
        state.act(Action::Sheet(None));
        state.act(Action::RunPlan(Box::new(request.clone())));
    }
}
