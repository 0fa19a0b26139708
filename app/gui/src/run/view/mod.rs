//! The run view in the tiles' place: how far it is, the plan as a matrix, the live load, what goes on now.

mod bar;
mod clock;
mod grid;
mod lanes;
mod log;
mod pen;
mod side;
mod steps;

pub use bar::{status, status_left};
pub use log::ui as log_ui;
pub use steps::ui as steps_ui;

use super::model::RunModel;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets;
use egui::{Align2, Rect, Ui, UiBuilder, vec2};

/// What the view remembers within a session.
#[derive(Default)]
pub struct Memory {
    /// What is looked for in the log.
    pub find: String,
    /// The step that the matrix was last scrolled to.
    seen: Option<u32>,
}

/// Below this width at text scale 1 everything stands in one column.
const ONE_COLUMN: f32 = 820.0;

/// Shows the view.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let Some(model) = state.run.model.clone() else {
        state.run.shown = false;
        return;
    };
    let theme = state.theme.clone();
    bar::ui(ui, state, &model, &theme);
    let scale = widgets::text_scale(ui);
    if ui.available_width() < ONE_COLUMN * scale.max(1.0) {
        one_column(ui, state, &model, &theme);
    } else {
        columns(ui, state, &model, &theme);
    }
}

fn columns(ui: &mut Ui, state: &mut State, model: &RunModel, theme: &Theme) {
    let scale = widgets::text_scale(ui);
    let width = ui.available_width();
    let side = if width / scale.max(1.0) >= 2200.0 { 380.0 } else { 304.0 };
    let panel = egui::Panel::right(egui::Id::unique(("run side", scale.to_bits())))
        .frame(egui::Frame::new().fill(theme.s1))
        .default_size((side * scale).min(width * 0.3))
        .size_range((width * 0.2).min(220.0)..=width * 0.4);
    let side = reserve(ui, panel);
    let bottom = state.arrangement.bottom.then(|| {
        let height = ui.available_height();
        let margin = egui::Margin { top: 0, ..egui::Margin::same(4) };
        let panel = egui::Panel::bottom("run bottom")
            .frame(egui::Frame::new().fill(theme.s0).inner_margin(margin))
            .default_size((height * 0.22).clamp(130.0, 260.0))
            .size_range(90.0..=(height * 0.6).max(91.0));
        reserve(ui, panel)
    });
    let frame = egui::Frame::new().fill(theme.s0).inner_margin(4);
    egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| tiles(ui, state, model, theme));
    if let Some(rect) = bottom {
        within(ui, rect, "run bottom content", |ui| bottom_ui(ui, state, model));
    }
    within(ui, side, "run side content", |ui| {
        egui::ScrollArea::vertical().id_salt("run side").auto_shrink(false).show(ui, |ui| {
            side::ui(ui, state, model, theme);
        });
    });
}

/// The bottom panel reads the model from the state.
fn bottom_ui(ui: &mut Ui, state: &mut State, model: &RunModel) {
    crate::bars::bottom_of(ui, state, Some(model));
}

/// Matrix above, live load below; the matrix takes what it needs, at most the larger half.
fn tiles(ui: &mut Ui, state: &mut State, model: &RunModel, theme: &Theme) {
    let all = ui.available_rect_before_wrap();
    ui.allocate_rect(all, egui::Sense::hover());
    let wanted = grid::wanted_height(ui, model) + size::HEADER + 12.0;
    let live = 210.0 * widgets::text_scale(ui).max(1.0);
    let most = (all.height() - 4.0 - live).max((all.height() - 4.0) * 0.5);
    let upper = wanted.min(most).max(110.0).min(all.height() - 4.0);
    let matrix = Rect::from_min_size(all.min, vec2(all.width(), upper));
    let live = Rect::from_min_max(egui::pos2(all.left(), matrix.bottom() + size::GAP), all.max);
    within(ui, matrix, "run matrix tile", |ui| {
        let body = tile(ui, theme, "Plan", &plan_words(model), |ui, room| grid::legend(ui, theme, room));
        grid::ui(ui, state, model, theme, body);
    });
    if live.height() > 60.0 {
        within(ui, live, "run live tile", |ui| {
            let body = tile(ui, theme, "Live", &live_words(model), |ui, room| rate(ui, model, theme, room));
            lanes::ui(ui, model, theme, body);
        });
    }
}

/// For narrow windows and large text: one below the other.
fn one_column(ui: &mut Ui, state: &mut State, model: &RunModel, theme: &Theme) {
    let frame = egui::Frame::new().fill(theme.s0).inner_margin(4);
    egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| {
        let height = ui.available_height();
        egui::ScrollArea::vertical().id_salt("run column").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GAP;
            let wanted = grid::wanted_height(ui, model) + size::HEADER + 12.0;
            let scale = widgets::text_scale(ui).max(1.0);
            block(ui, wanted.min(height * 0.7), |ui| {
                let body = tile(ui, theme, "Plan", &plan_words(model), |_, _| ());
                grid::ui(ui, state, model, theme, body);
            });
            block(ui, 240.0 * scale, |ui| {
                let body = tile(ui, theme, "Live", &live_words(model), |_, _| ());
                lanes::ui(ui, model, theme, body);
            });
            egui::Frame::new().fill(theme.s1).corner_radius(6.0).show(ui, |ui| {
                side::ui(ui, state, model, theme);
            });
            block(ui, 220.0 * scale, |ui| bottom_ui(ui, state, model));
        });
    });
}

fn block(ui: &mut Ui, height: f32, content: impl FnOnce(&mut Ui)) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), egui::Sense::hover());
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        content(ui);
    });
}

/// `fsfs-format7, seconds; five rounds`.
fn plan_words(model: &RunModel) -> String {
    let rounds = triptych_report::numbers::plural(model.matrix.rounds, "round", "rounds");
    if model.title.is_empty() { rounds } else { format!("{}; seconds, {rounds}", model.title) }
}

fn live_words(model: &RunModel) -> String {
    let cell = model.current.as_ref().and_then(|current| model.matrix.step(current.step));
    cell.map(|cell| model.matrix.name(cell)).unwrap_or_default()
}

/// `10 samples a second, 0 dropped` at the right of the live tile's head.
fn rate(ui: &Ui, model: &RunModel, theme: &Theme, room: Rect) {
    let Some(live) = model.current.as_ref().map(|current| &current.live) else { return };
    let Some(rate) = live.rate() else { return };
    let text = format!("{rate:.0} samples a second, {} dropped", live.dropped);
    let at = room.right_center();
    let galley = ui.painter().layout_no_wrap(text, widgets::small(ui), theme.t3);
    if galley.size().x < room.width() {
        let place = Align2::RIGHT_CENTER.anchor_size(at, galley.size());
        ui.painter().galley(place.min, galley, theme.t3);
    }
}

/// Ground and head of a tile; gives the rectangle below the head. `right` gets the room left of the head's end.
fn tile(ui: &Ui, theme: &Theme, title: &str, words: &str, right: impl FnOnce(&Ui, Rect)) -> Rect {
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 6.0, theme.s2);
    let height = size::HEADER.max(13.0 * widgets::text_scale(ui) + 14.0);
    let head = Rect::from_min_size(rect.min, vec2(rect.width(), height)).shrink2(vec2(size::EDGE, 0.0));
    let named = widgets::paint_text(
        ui,
        head.left_center(),
        Align2::LEFT_CENTER,
        title,
        widgets::strong(ui),
        theme.t1,
        head.width(),
    );
    let at = egui::pos2(named.right() + 8.0, head.center().y);
    let room = (head.right() - at.x).max(0.0);
    let words = widgets::paint_text(ui, at, Align2::LEFT_CENTER, words, widgets::body(ui), theme.t3, room);
    let left = egui::pos2(words.right() + 16.0, head.top());
    if left.x < head.right() {
        right(ui, Rect::from_min_max(left, head.max));
    }
    Rect::from_min_max(egui::pos2(rect.left(), head.bottom()), rect.max)
}

/// A panel whose content comes later, so that Tab walks in reading order.
fn reserve(ui: &mut Ui, panel: egui::Panel) -> Rect {
    let filled = panel.show_separator_line(false).show(ui, |ui| {
        let rect = ui.available_rect_before_wrap();
        ui.allocate_rect(rect, egui::Sense::hover());
        rect
    });
    filled.inner
}

fn within(ui: &mut Ui, rect: Rect, salt: &str, content: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(salt), |ui| {
        ui.set_clip_rect(rect.expand(1.0));
        content(ui);
    });
}
