//! The table of triples: conditions, a value a variant, ratios with their intervals, the list's notation.
//!
//! Shown below the tiles for the window's query and in tiles for their own. Only visible rows are
//! drawn; what they say comes from the same comparison as the charts.

mod cells;
mod columns;
mod head;
mod plan;

use crate::action::Action;
use crate::painter;
use crate::state::State;
use crate::theme::Theme;
use crate::tiles::{selected, step};
use crate::widgets::{self, ButtonKind};
use cells::{RowPainter, all_runs};
use egui::{EventFilter, Id, Rect, RichText, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};
use plan::{Plan, Sort};
use std::sync::Arc;
use triptych_report::Comparison;
use triptych_store::RunIndex;

/// Shows the table of the window's query.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let comparison = Arc::clone(&state.comparison);
    show(ui, state, &comparison, Id::unique("table of the window"));
}

/// `n = 5, 5, 4 unless marked`: how many runs stand behind the values, in the order of the variants.
pub fn n_text(comparison: &Comparison) -> String {
    plan::n_text(comparison)
}

/// Shows the table of any comparison; `id` tells tables apart.
pub fn show(ui: &mut Ui, state: &mut State, comparison: &Arc<Comparison>, id: Id) {
    if comparison.rows.is_empty() {
        nothing(ui, state);
        return;
    }
    let sort: Option<Sort> = ui.data(|data| data.get_temp(id.with("sort")));
    let plan = plan::kept(ui, comparison, sort, ui.available_width(), id);
    let overflow = plan.width > ui.available_width() + 1.0;
    egui::ScrollArea::horizontal()
        .id_salt(id.with("across"))
        .scroll([overflow, false])
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.set_min_width(plan.width);
            ui.spacing_mut().item_spacing.y = 0.0;
            let head = head::ui(ui, state, comparison, &plan, sort, id);
            if let Some(sort) = head {
                ui.data_mut(|data| {
                    data.remove::<Sort>(id.with("sort"));
                    if let Some(sort) = sort {
                        data.insert_temp(id.with("sort"), sort);
                    }
                });
            }
            rows_ui(ui, state, comparison, &plan, id);
        });
}

fn rows_ui(ui: &mut Ui, state: &mut State, comparison: &Arc<Comparison>, plan: &Plan, id: Id) {
    let height = widgets::row_height(ui);
    let count = plan.order.len();
    let (current, moved) = walk(ui, id, count);
    let area = egui::ScrollArea::vertical().id_salt(id.with("rows")).auto_shrink(false);
    area.show_viewport(ui, |ui, view| {
        let top = ui.max_rect().top();
        let left = ui.max_rect().left();
        ui.set_height(height * count as f32);
        let first = (view.top() / height).floor().max(0.0) as usize;
        let last = ((view.bottom() / height).ceil().max(0.0) as usize).min(count);
        let row_rect = |place: usize| {
            Rect::from_min_size(
                pos2(left, top + place as f32 * height),
                Vec2::new(plan.width.max(ui.available_width()), height),
            )
        };
        if moved {
            ui.scroll_to_rect(row_rect(current), None);
        }
        let row_rects: Vec<(usize, Rect)> = (first..last)
            // The row that has the focus must be shown, or it would lose it before it is scrolled to.
            .chain((moved && !(first..last).contains(&current)).then_some(current))
            .map(|place| (place, row_rect(place)))
            .collect();
        for (place, rect) in row_rects {
            let painter = RowPainter { comparison, plan, id, place, rect, first: place == first };
            row_ui(ui, state, &painter, current == place);
        }
    });
}

/// The row that the tab stop is at, and whether arrows have just moved it.
fn walk(ui: &Ui, id: Id, count: usize) -> (usize, bool) {
    let stop = id.with("row with tab stop");
    let kept: usize = ui.data(|data| data.get_temp(stop)).unwrap_or(0);
    let current = kept.min(count.saturating_sub(1));
    if !ui.memory(|memory| memory.has_focus(row_id(id, current))) {
        return (current, false);
    }
    let arrows = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(row_id(id, current), arrows));
    let next = ui.input(|input| step(input, current, count));
    if next != current {
        ui.memory_mut(|memory| memory.request_focus(row_id(id, next)));
        ui.data_mut(|data| data.insert_temp(stop, next));
    }
    (next, next != current)
}

fn row_id(id: Id, place: usize) -> Id {
    id.with(("row", place))
}

fn row_ui(ui: &mut Ui, state: &mut State, row: &RowPainter<'_>, tab_stop: bool) {
    let theme = state.theme.clone();
    let Some(data) = row.row() else { return };
    let sense = if tab_stop { Sense::click() } else { Sense::CLICK };
    let response = ui.interact(row.rect, row_id(row.id, row.place), sense);
    let all: Vec<RunIndex> = (0..data.group.cells.len()).flat_map(|cell| all_runs(data, cell)).collect();
    let is_selected = all.iter().any(|run| state.selection.contains(run));
    response.widget_info(|| WidgetInfo::selected(egui::Role::Row, true, is_selected, row.name()));
    if is_selected {
        ui.painter().rect_filled(row.rect, 0.0, theme.accent_ground);
    } else if response.hovered() || response.contains_pointer() {
        ui.painter().rect_filled(row.rect, 0.0, theme.s3);
    }
    if row.separated() {
        separator(ui, row.rect, &theme);
    }
    let clicked_cell = row.cells(ui, state, &theme);
    let more = ui.input(|input| input.modifiers.command || input.modifiers.ctrl || input.modifiers.shift);
    if clicked_cell.is_some() || response.clicked() {
        ui.data_mut(|data| data.insert_temp(row.id.with("row with tab stop"), row.place));
    }
    if let Some(cell) = clicked_cell {
        state.act(Action::Select(selected(&state.selection, &all_runs(data, cell), more)));
    } else if response.clicked() {
        state.act(Action::Select(selected(&state.selection, &all, more)));
    }
    widgets::focus_ring(ui, &response, row.rect.shrink(2.0), &theme);
    if response.secondary_clicked() || response.context_menu_opened() {
        egui::Popup::context_menu(&response).show(|ui| row_menu(ui, state, row, &all));
    }
}

fn separator(ui: &Ui, rect: Rect, theme: &Theme) {
    let y = ui.painter().round_to_pixel_center(rect.top());
    ui.painter().hline(rect.x_range(), y, Stroke::new(1.0, theme.line));
}

fn row_menu(ui: &mut Ui, state: &mut State, row: &RowPainter<'_>, runs: &[RunIndex]) {
    let Some(data) = row.row() else { return };
    if ui.button("Copy this row as text").clicked() {
        let text = format!("{}  {}", triptych_report::row_title(data), triptych_report::notation(data));
        state.act(Action::Copy { text, what: "1 row as text".to_owned() });
        ui.close();
    }
    if ui.button("Rerun…").on_hover_text("measures these runs again on this machine").clicked() {
        state.act(Action::Select(runs.to_vec()));
        state.act(Action::Command("rerun"));
        ui.close();
    }
    if ui.button("Leave these runs out").clicked() {
        state.act(Action::Select(runs.to_vec()));
        state.act(Action::Command("leave-out"));
        ui.close();
    }
}

fn nothing(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    // Nothing is said while the first answer is still on its way.
    if state.comparison_asked.is_none() || state.jobs.running(crate::jobs::Kind::Chart(0)).is_some() {
        return;
    }
    ui.add_space(14.0);
    ui.horizontal(|ui| {
        ui.add_space(12.0);
        ui.vertical(|ui| {
            ui.label(RichText::new("No triples in this selection").color(theme.t1));
            let reason = if state.arrangement.query.filters.is_empty() {
                "No run has a value that could be compared. Problems says what could not be read."
            } else {
                "No run that passes the filters has the compared metric."
            };
            ui.label(RichText::new(reason).color(theme.t3));
            ui.add_space(4.0);
            if !state.arrangement.query.filters.is_empty()
                && widgets::button(ui, &theme, ButtonKind::Plain, None, "Show all runs").clicked()
            {
                state.act(Action::Command("clear-filters"));
            }
        });
    });
}

/// A marker before a name in the head of a column.
fn variant_mark(ui: &Ui, theme: &Theme, place: u16, at: egui::Pos2, scale: f32) {
    let marker = triptych_report::Marker::of_variant(place);
    let ink = theme.ink(triptych_report::Ink::Variant(place));
    painter::marker(ui.painter(), at, marker, 4.5 * scale, ink, false);
}
