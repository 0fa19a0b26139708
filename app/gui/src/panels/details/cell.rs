//! One cell in Details: who and what, the value, the ratio with its verdict, the table of both sides.

use super::content::CellView;
use super::strip;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{body, named, paint_text, row_height, small, text_scale};
use egui::{Align2, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use triptych_analysis::INDICATION_BELOW;
use triptych_model::Severity;
use triptych_report::{Comparison, Row, numbers, row_title};
use triptych_store::RunIndex;

/// Who and what, the value, the ratio with its verdict.
pub fn headline(ui: &mut Ui, theme: &Theme, comparison: &Comparison, row: &Row, view: &CellView) {
    let name = row.name(view.cell).unwrap_or_default();
    let scale = text_scale(ui);
    let title = format!("{}, {}", row_title(row), row.group.metric);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("{name}, {title}")));
    kit::variant_mark(ui, kit::left(rect, 6.0 * scale), comparison.variant(name), theme);
    let shown = paint_text(
        ui,
        kit::left(rect, 17.0 * scale),
        Align2::LEFT_CENTER,
        name,
        named(ui),
        theme.t1,
        rect.width() * 0.5,
    );
    let left = shown.right() + 8.0;
    paint_text(
        ui,
        pos2(left, rect.center().y),
        Align2::LEFT_CENTER,
        &title,
        small(ui),
        theme.t2,
        rect.right() - left,
    );
    response.on_hover_text(&title);

    let height = (24.0 * scale * 1.35).round();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let side = row.sides.get(view.cell);
    let ratio = side.and_then(|side| side.ratio).map(numbers::ratio);
    let verdict = side.and_then(|side| side.verdict);
    let mut spoken = format!("{}, {}", view.figure, view.kind);
    if let Some(ratio) = &ratio {
        spoken.push_str(&format!(", ratio {ratio}"));
    }
    if let Some(verdict) = verdict {
        spoken.push_str(&format!(", {verdict}"));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    let mut right = rect.right();
    if let Some(ratio) = ratio {
        let mut ink = theme.t2;
        if let Some(verdict) = verdict {
            let (marker, colour) = kit::verdict_mark(verdict);
            ink = theme.ink(colour);
            let few = side.is_some_and(|side| side.n < INDICATION_BELOW);
            let fill = few.then_some(theme.s1);
            crate::painter::mark(
                ui.painter(),
                pos2(right - 6.0 * scale, rect.center().y),
                marker,
                5.0 * scale,
                ink,
                fill,
            );
        }
        right -= 18.0 * scale;
        let font = egui::TextStyle::Heading.resolve(ui.style());
        right = paint_text(ui, pos2(right, rect.center().y), Align2::RIGHT_CENTER, &ratio, font, ink, 120.0)
            .left()
            - 8.0;
    }
    let room = right - rect.left();
    let value = paint_text(
        ui,
        kit::left(rect, 0.0),
        Align2::LEFT_CENTER,
        &view.figure,
        kit::figure(ui),
        theme.t1,
        room,
    );
    let at = pos2(value.right() + 10.0, rect.center().y + 3.0 * scale);
    let room = right - at.x;
    // A word cut in its middle says less than none; screen readers say it anyway.
    if room > 56.0 * scale {
        paint_text(ui, at, Align2::LEFT_CENTER, &view.kind, body(ui), theme.t3, room);
    }
}

/// The ratio as its author printed it, with a warning where it contradicts the times.
pub fn printed(ui: &mut Ui, theme: &Theme, row: &Row, cell: usize) {
    let Some(ratio) = row.name(cell).and_then(|name| row.printed_ratio(name)) else { return };
    let computed =
        row.sides.get(cell).and_then(|side| side.ratio).map(numbers::list_ratio).unwrap_or_default();
    let (text, ink) = if ratio.inconsistent {
        (format!("Printed as {}, but the printed times give {computed}.", ratio.raw.trim()), theme.warning)
    } else {
        (format!("Printed as {}.", ratio.raw.trim()), theme.t3)
    };
    kit::label(ui, text, body(ui), ink);
}

/// Metric by baseline and variant.
pub fn table(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    comparison: &Comparison,
    row: &Row,
    view: &CellView,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let column = width * 0.32;
    let height = (19.0 * text_scale(ui)).round();
    let (rect, _) = ui.allocate_exact_size(vec2(width, height + 2.0), Sense::hover());
    for (index, cell) in [view.other, Some(view.cell)].into_iter().enumerate() {
        let Some(name) = cell.and_then(|cell| row.name(cell)) else { continue };
        let at = kit::right(rect, column * (1 - index) as f32);
        // The first has the room of the lines' names before it, too.
        let room = if index == 0 || view.other.is_none() { width - column } else { column };
        strip::side_head(ui, theme, at, name, comparison.variant(name), room - 8.0);
    }
    for [name, other, own] in &view.lines {
        let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {other} {own}")));
        paint_text(ui, kit::left(rect, 0.0), Align2::LEFT_CENTER, name, body(ui), theme.t2, width * 0.36);
        let failed = name == "failed" && own != "0";
        let ink = if name == "range" { theme.t2 } else { theme.t1 };
        let font = if name == "range" { small(ui) } else { body(ui) };
        paint_text(
            ui,
            kit::right(rect, column),
            Align2::RIGHT_CENTER,
            other,
            font.clone(),
            theme.t2,
            column - 8.0,
        );
        let mut right = kit::right(rect, 0.0);
        if failed {
            let runs: Vec<RunIndex> = view
                .runs
                .iter()
                .filter(|line| line.failure.is_some() && !line.counts)
                .map(|line| line.run)
                .collect();
            let show = kit::link_at(
                ui,
                theme,
                right,
                "show",
                "Show the failed runs",
                ui.scope_id().with("show failed"),
            );
            right.x = show.rect.left() - 4.0;
            if show.clicked() && !runs.is_empty() {
                state.panels.details.run =
                    view.runs.iter().position(|line| runs.contains(&line.run)).unwrap_or(0);
                state.shown_source_reset();
            }
        }
        let value = paint_text(ui, right, Align2::RIGHT_CENTER, own, font, ink, column - 8.0);
        if failed {
            kit::severity_mark(ui, pos2(value.left() - 10.0, rect.center().y), Severity::Error, theme);
        }
    }
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "noise floor: no A/A pair here"));
    paint_text(
        ui,
        kit::left(rect, 0.0),
        Align2::LEFT_CENTER,
        "noise floor",
        body(ui),
        theme.t2,
        width * 0.36,
    );
    paint_text(
        ui,
        kit::right(rect, 0.0),
        Align2::RIGHT_CENTER,
        "no A/A pair here",
        body(ui),
        theme.t3,
        width * 0.6,
    );
    ui.spacing_mut().item_spacing.y = 4.0;
}
