//! One chart in its tile: the painted figure, the marks that can be pointed at, clicked and walked to.

use super::readout::Readout;
use super::scene::{Scene, Shared};
use super::{Tile, menu, time};
use crate::action::Action;
use crate::painter;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets;
use egui::{
    CornerRadius, EventFilter, Id, Key, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
};
use triptych_report::{Figure, Ink, Marker, Target};
use triptych_store::RunIndex;

/// Smaller marks are as easy to hit as this, in points.
const EASY: f32 = 10.0;

/// Shows the chart; returns the second under the pointer, for linked charts over time.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    tile: &Tile,
    scene: &Scene,
    body: Rect,
    shared: Shared,
) -> Option<f64> {
    ui.data_mut(|data| data.insert_temp(menu::size_id(tile.id), body.size()));
    let wanted = scene.figure.wanted_height;
    if wanted <= body.height() + 1.0 {
        return chart(ui, state, tile, scene, body, shared);
    }
    let area = egui::ScrollArea::vertical().id_salt(("chart", tile.id)).auto_shrink(false);
    area.show(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::new(body.width(), wanted), Sense::hover());
        chart(ui, state, tile, scene, rect, shared)
    })
    .inner
}

fn chart(
    ui: &mut Ui,
    state: &mut State,
    tile: &Tile,
    scene: &Scene,
    rect: Rect,
    shared: Shared,
) -> Option<f64> {
    painter::paint(ui.painter(), rect.min, &scene.figure, &state.theme, widgets::text_scale(ui));
    if let Some(axis) = scene.figure.time {
        return time::ui(ui, state, tile, scene, &axis, rect.min, shared);
    }
    Marks { tile, figure: &scene.figure, rect }.ui(ui, state);
    None
}

/// The targets of a figure. One of them takes the keyboard focus, arrows walk to the others.
struct Marks<'a> {
    tile: &'a Tile,
    figure: &'a Figure,
    rect: Rect,
}

impl Marks<'_> {
    fn id(&self, index: usize) -> Id {
        Id::unique(("mark", self.tile.id, index))
    }

    fn ui(&self, ui: &mut Ui, state: &mut State) {
        let theme = state.theme.clone();
        let current = self.walk(ui);
        let mut shown: Option<(usize, Pos2)> = None;
        for (index, target) in self.figure.targets.iter().enumerate() {
            let place = self.place(target);
            let sense = if index == current { Sense::click() } else { Sense::CLICK };
            let response = ui.interact(place, self.id(index), sense);
            response.widget_info(|| {
                let chosen = is_selected(target, &state.selection);
                WidgetInfo::selected(egui::Role::Button, true, chosen, target.accessible_name())
            });
            if response.has_focus() {
                let ring = place.expand(3.0);
                ui.painter().rect_stroke(
                    ring,
                    CornerRadius::same(3),
                    Stroke::new(2.0, theme.accent),
                    StrokeKind::Outside,
                );
                shown = shown.or(Some((index, place.right_top())));
            }
            if let Some(at) = response.hover_pos().filter(|_| response.hovered()) {
                shown = Some((index, at));
            }
            self.clicks(ui, state, target, &response);
        }
        if let Some((index, at)) = shown
            && let Some(target) = self.figure.targets.get(index)
        {
            let scale = widgets::text_scale(ui);
            let id = Id::unique(("read-out", self.tile.id));
            readout(target, &theme).show(ui.ctx(), &theme, scale, at, self.rect, id);
        }
    }

    fn place(&self, target: &Target) -> Rect {
        let place = Rect::from_min_size(
            self.rect.min + Vec2::new(target.rect.x, target.rect.y),
            Vec2::new(target.rect.w, target.rect.h),
        );
        let grow = ((Vec2::splat(EASY) - place.size()) / 2.0).max(Vec2::ZERO);
        place.expand2(Vec2::new(grow.x.min(1.0), grow.y))
    }

    fn clicks(&self, ui: &Ui, state: &mut State, target: &Target, response: &Response) {
        if response.clicked() && !target.runs.is_empty() {
            let more =
                ui.input(|input| input.modifiers.command || input.modifiers.ctrl || input.modifiers.shift);
            state.act(Action::Select(selected(&state.selection, &target.runs, more)));
        }
        if response.secondary_clicked() || response.context_menu_opened() {
            egui::Popup::context_menu(response).show(|ui| menu::target(ui, state, self.tile, target));
        }
    }

    /// Which mark has the tab stop, after arrows.
    fn walk(&self, ui: &Ui) -> usize {
        let count = self.figure.targets.len();
        let stop = Id::unique(("mark with tab stop", self.tile.id));
        let kept: usize = ui.data(|data| data.get_temp(stop)).unwrap_or(0);
        let current = kept.min(count.saturating_sub(1));
        if count == 0 || !ui.memory(|memory| memory.has_focus(self.id(current))) {
            return current;
        }
        let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(self.id(current), arrows));
        let next = ui.input(|input| step(input, current, count));
        if next != current {
            ui.memory_mut(|memory| memory.request_focus(self.id(next)));
            ui.data_mut(|data| data.insert_temp(stop, next));
        }
        next
    }
}

/// Where the arrow keys lead from one of `count` marks.
pub fn step(input: &egui::InputState, current: usize, count: usize) -> usize {
    let last = count.saturating_sub(1);
    if input.key_pressed(Key::ArrowRight) || input.key_pressed(Key::ArrowDown) {
        (current + 1).min(last)
    } else if input.key_pressed(Key::ArrowLeft) || input.key_pressed(Key::ArrowUp) {
        current.saturating_sub(1)
    } else if input.key_pressed(Key::Home) {
        0
    } else if input.key_pressed(Key::End) {
        last
    } else {
        current
    }
}

/// Whether a mark stands for selected runs only.
fn is_selected(target: &Target, selection: &[RunIndex]) -> bool {
    !target.runs.is_empty() && target.runs.iter().all(|run| selection.contains(run))
}

/// The selection after a click on a mark with these runs; `more` adds them, or takes them away again.
pub fn selected(selection: &[RunIndex], runs: &[RunIndex], more: bool) -> Vec<RunIndex> {
    if !more {
        return runs.to_vec();
    }
    if runs.iter().all(|run| selection.contains(run)) {
        return selection.iter().copied().filter(|run| !runs.contains(run)).collect();
    }
    let mut all = selection.to_vec();
    all.extend(runs.iter().copied().filter(|run| !selection.contains(run)));
    all
}

fn readout(target: &Target, theme: &Theme) -> Readout {
    Readout {
        marker: target.variant.map(|place| (Marker::of_variant(place), theme.ink(Ink::Variant(place)))),
        title: target.title.clone(),
        total: String::new(),
        lines: target.lines.iter().map(|(label, value)| (None, label.clone(), value.clone())).collect(),
        hint: (!target.runs.is_empty()).then_some(("click: details", "right click: copy, leave out")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_select_add_and_take_away() {
        for (before, runs, more, expect) in [
            (vec![1, 2], vec![7], false, vec![7]),
            (vec![1, 2], vec![7], true, vec![1, 2, 7]),
            (vec![1, 2, 7], vec![2, 7], true, vec![1]),
            (vec![1, 2], vec![2, 3], true, vec![1, 2, 3]),
        ] {
            assert_eq!(selected(&before, &runs, more), expect);
        }
    }
}
