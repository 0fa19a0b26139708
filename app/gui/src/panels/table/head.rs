//! The head of the table: names of the columns, sorting, copying.

use super::columns::{self, Kind};
use super::plan::{Plan, Sort};
use super::variant_mark;
use crate::action::Action;
use crate::state::State;
use crate::widgets::{self, Icon};
use egui::{Align2, Id, Rect, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};
use triptych_report::{Comparison, numbers};

/// Shows the head; `Some` is what the table is to be sorted by from now on.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    comparison: &Comparison,
    plan: &Plan,
    sort: Option<Sort>,
    id: Id,
) -> Option<Option<Sort>> {
    let theme = state.theme.clone();
    let height = widgets::row_height(ui) + 2.0;
    let (rect, _) =
        ui.allocate_exact_size(Vec2::new(plan.width.max(ui.available_width()), height), Sense::hover());
    let scale = widgets::text_scale(ui);
    let font = widgets::small(ui);
    let mut wanted = None;
    for (index, column) in plan.columns.iter().enumerate() {
        let place =
            Rect::from_min_size(pos2(rect.left() + column.left, rect.top()), Vec2::new(column.width, height));
        let title = match column.kind {
            Kind::Ratio(_) if column.interval <= 0.0 => "ratio".to_owned(),
            Kind::Ratio(_) if column.width < 120.0 * scale => "ratio, 95\u{202f}%".to_owned(),
            kind => columns::title(comparison, kind),
        };
        if column.kind == Kind::Notation {
            let name = widgets::paint_text(
                ui,
                place.left_center(),
                Align2::LEFT_CENTER,
                &title,
                font.clone(),
                theme.t3,
                column.width,
            );
            copy(ui, state, comparison, pos2(name.right() + 6.0, place.center().y), id);
            continue;
        }
        let response = ui.interact(place, id.with(("head", index)), Sense::click());
        let by = format!("Sort by {}", name(comparison, column.kind));
        response.widget_info(|| WidgetInfo::labeled(egui::Role::ColumnHeader, true, &by));
        let ink = if response.hovered() { theme.t1 } else { theme.t3 };
        let mark = columns::variant(comparison, column.kind);
        let mark_width = if mark.is_some() { 14.0 * scale } else { 0.0 };
        let galley = widgets::elided(ui, &title, font.clone(), ink, column.width - mark_width);
        let width = galley.size().x + mark_width;
        // Over numbers the head ends where they end.
        let left = if matches!(column.kind, Kind::Value(_)) { place.right() - width } else { place.left() };
        if let Some(mark) = mark {
            variant_mark(ui, &theme, mark, pos2(left + 5.0 * scale, place.center().y), scale);
        }
        ui.painter().galley(pos2(left + mark_width, place.center().y - galley.size().y / 2.0), galley, ink);
        if let Some(sort) = sort.filter(|sort| sort.kind == column.kind) {
            let at = Rect::from_center_size(pos2(left + width + 8.0, place.center().y), Vec2::splat(10.0));
            sort_mark(ui, at, sort.descending, theme.t1);
        }
        widgets::focus_ring(ui, &response, place, &theme);
        if response.clicked() {
            wanted = Some(next(sort, column.kind));
        }
    }
    let y = ui.painter().round_to_pixel_center(rect.bottom() - 0.5);
    ui.painter().hline(rect.x_range(), y, Stroke::new(1.0, theme.line));
    wanted
}

fn name(comparison: &Comparison, kind: Kind) -> String {
    match kind {
        Kind::Ratio(place) => format!("ratio of {}", columns::title(comparison, Kind::Value(place))),
        kind => columns::title(comparison, kind),
    }
}

/// Up, down, then the order of the comparison again.
fn next(sort: Option<Sort>, kind: Kind) -> Option<Sort> {
    match sort.filter(|sort| sort.kind == kind) {
        None => Some(Sort { kind, descending: false }),
        Some(Sort { descending: false, .. }) => Some(Sort { kind, descending: true }),
        Some(_) => None,
    }
}

fn sort_mark(ui: &Ui, rect: Rect, descending: bool, ink: egui::Color32) {
    let (tip, base) = if descending {
        (rect.bottom() - 3.0, rect.top() + 3.0)
    } else {
        (rect.top() + 3.0, rect.bottom() - 3.0)
    };
    let points =
        vec![pos2(rect.left() + 2.0, base), pos2(rect.center().x, tip), pos2(rect.right() - 2.0, base)];
    ui.painter().add(egui::Shape::line(points, Stroke::new(1.3, ink)));
}

fn copy(ui: &mut Ui, state: &mut State, comparison: &Comparison, at: egui::Pos2, id: Id) {
    let place = Rect::from_center_size(pos2(at.x + 10.0, at.y), Vec2::splat(24.0));
    let builder = egui::UiBuilder::new().max_rect(place).id_salt(id.with("copy"));
    let theme = state.theme.clone();
    let clicked = ui
        .scope_builder(builder, |ui| {
            widgets::icon_button(ui, &theme, Icon::Copy, "Copy the rows as text", true).clicked()
        })
        .inner;
    if clicked {
        let rows = numbers::plural(comparison.rows.len(), "row", "rows");
        let text = triptych_report::table_text(comparison);
        state.act(Action::Copy { text, what: format!("{rows} as text") });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_sorts_up_then_down_then_not() {
        let kind = Kind::Value(0);
        let first = next(None, kind);
        assert_eq!(first, Some(Sort { kind, descending: false }));
        let second = next(first, kind);
        assert_eq!(second, Some(Sort { kind, descending: true }));
        assert_eq!(next(second, kind), None);
        assert_eq!(next(second, Kind::Ratio(1)), Some(Sort { kind: Kind::Ratio(1), descending: false }));
    }
}
