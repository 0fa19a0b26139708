//! Messages at the bottom right, and the hint that files can be let go.

use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{self, Icon};
use egui::{Align, Align2, Layout, RichText, Ui};
use triptych_model::Severity;

/// Messages at the bottom right.
pub fn toasts(ctx: &egui::Context, state: &mut State) {
    let shown = state.toasts.shown();
    if shown.is_empty() {
        return;
    }
    let theme = state.theme.clone();
    egui::Area::new(egui::Id::unique("toasts"))
        .anchor(Align2::RIGHT_BOTTOM, [-16.0, -40.0])
        .order(egui::Order::Foreground)
        .show(ctx, |ui| {
            for index in shown {
                toast_ui(ui, state, &theme, index);
            }
        });
}

fn toast_ui(ui: &mut Ui, state: &mut State, theme: &Theme, index: usize) {
    let Some(entry) = state.toasts.log().get(index) else { return };
    let toast = entry.toast.clone();
    let frame = egui::Frame::new()
        .fill(theme.s3)
        .stroke(egui::Stroke::new(1.0, theme.line2))
        .corner_radius(6.0)
        .inner_margin(egui::Margin::symmetric(12, 8))
        .shadow(ui.visuals().popup_shadow);
    frame.show(ui, |ui| {
        ui.set_width(400.0);
        ui.horizontal(|ui| {
            let (icon, ink) = match toast.severity {
                Severity::Note => (Icon::Check, theme.faster),
                Severity::Warning => (Icon::Warning, theme.warning),
                Severity::Error => (Icon::Error, theme.failed),
            };
            widgets::icon(ui, icon, ink);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if widgets::icon_button(ui, theme, Icon::Close, "Close the message", true).clicked() {
                    state.toasts.close(index);
                }
                if let Some((label, action)) = toast.offer
                    && widgets::link_sized(ui, theme, &label, widgets::body(ui)).clicked()
                {
                    state.act(*action);
                    state.toasts.close(index);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(&toast.text).color(theme.t1)).wrap());
                });
            });
        });
    });
    ui.add_space(4.0);
}

/// Says that files can be let go here.
pub fn drop_hint(ctx: &egui::Context, state: &State) {
    if ctx.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
    let rect = ctx.viewport_rect();
    painter.rect_filled(rect, 0.0, state.theme.scrim);
    let font = egui::TextStyle::Heading.resolve(&ctx.style_of(ctx.theme()));
    painter.text(rect.center(), Align2::CENTER_CENTER, "Let go to open these files", font, state.theme.t1);
}
