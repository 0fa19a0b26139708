//! Beside the questions: how many runs, how long, what will be otherwise, and the cells in their own words.

use super::super::form;
use super::super::plan;
use super::Draft;
use super::outcome::Outcome;
use crate::panels::kit;
use crate::theme::Theme;
use crate::widgets::{Icon, body, paint_icon, paint_text, row_height, small, text_scale};
use egui::{Align2, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use triptych_model::Severity;
use triptych_runner::cellname::operation_name;
use triptych_runner::rerun::OldCell;

/// Heads and shares of the columns.
const COLUMNS: [(&str, f32); 6] = [
    ("operation", 0.28),
    ("repository", 0.17),
    ("medium", 0.14),
    ("cache", 0.12),
    ("variant", 0.21),
    ("rows", 0.08),
];

/// Remarks that are listed at most.
const MOST: usize = 8;

/// Shows it.
pub fn ui(ui: &mut Ui, theme: &Theme, draft: &Draft, bottom: f32) {
    ui.add_space(8.0);
    if let Some(wrong) = draft.texts.wrong() {
        form::remark(ui, theme, Severity::Error, &wrong, "");
    }
    let Some(outcome) = &draft.outcome else { return };
    let times = outcome.plan().map_or(1, |plan| plan.repetitions);
    plan::headline(ui, theme, times, &outcome.expanded);
    let open = outcome.open();
    if open > 0 {
        let names = kit::counted(open, "name has", "names have");
        form::wrapped(ui, &format!("{names} to be known first"), body(ui), theme.t2);
    }
    ui.add_space(4.0);
    plan::problems(ui, theme, &outcome.expanded);
    let remarks = outcome.remarks();
    for (severity, text) in remarks.iter().take(MOST) {
        form::remark(ui, theme, *severity, text, "");
    }
    if remarks.len() > MOST {
        kit::label(ui, format!("and {} more", kit::count(remarks.len() - MOST)), small(ui), theme.t3);
    }
    let count = kit::counted(outcome.draft.cells.len(), "cell", "cells");
    form::section(ui, theme, "Cells", &format!("{count} in their own words"));
    table(ui, theme, outcome, bottom);
}

/// The cells; only visible rows are drawn.
fn table(ui: &mut Ui, theme: &Theme, outcome: &Outcome, bottom: f32) {
    let height = row_height(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let (mut head, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let room = (bottom - ui.cursor().top() - 16.0).max(height * 8.0);
    if outcome.draft.cells.len() as f32 * height > room {
        head.max.x -= ui.spacing().scroll.allocated_width();
    }
    for (index, (name, _)) in COLUMNS.iter().enumerate() {
        cell(ui, theme, head, index, name, theme.t3);
    }
    let cells = &outcome.draft.cells;
    let area = egui::ScrollArea::vertical().id_salt("cells").auto_shrink([false, true]).max_height(room);
    area.show_rows(ui, height, cells.len(), |ui, range| {
        for old in cells.get(range).unwrap_or_default() {
            row(ui, theme, outcome, old, height);
        }
    });
}

fn row(ui: &mut Ui, theme: &Theme, outcome: &Outcome, old: &OldCell, height: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let left_out = outcome.is_left_out(old);
    let state = match (left_out, old.cell.is_some()) {
        (true, _) => "left out",
        (false, true) => "known",
        (false, false) => "not known yet",
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, format!("{}, {state}", old.name)));
    let mark =
        Rect::from_center_size(kit::left(rect, 7.0 * text_scale(ui)), Vec2::splat(13.0 * text_scale(ui)));
    if left_out {
        // Said by its ink and its name alone: it is what the user wants.
    } else if old.cell.is_some() {
        paint_icon(ui.painter(), mark, Icon::Check, theme.same);
    } else {
        kit::severity_mark(ui, mark.center(), Severity::Warning, theme);
    }
    let operation = old.operation.as_ref().map(operation_name);
    let named = old.name.split(' ').next().map(str::to_owned);
    let rows = kit::count(old.rows.len());
    let texts = [
        operation.or(named),
        old.repository.clone(),
        old.medium.clone(),
        old.cache.clone(),
        old.variant.clone(),
        Some(rows),
    ];
    for (index, text) in texts.iter().enumerate() {
        let ink = match text {
            _ if left_out => theme.t4,
            Some(_) => theme.t1,
            None => theme.t3,
        };
        cell(ui, theme, rect, index, text.as_deref().unwrap_or("unknown"), ink);
    }
    if let Some(command) = &old.command {
        response.on_hover_text(command);
    }
}

fn cell(ui: &Ui, _theme: &Theme, row: Rect, index: usize, text: &str, ink: egui::Color32) {
    let before = 22.0 * text_scale(ui);
    let room = row.width() - before;
    let share = |upto: usize| COLUMNS.iter().take(upto).map(|(_, share)| share).sum::<f32>();
    let (left, right) =
        (row.left() + before + room * share(index), row.left() + before + room * share(index + 1));
    let font = if row.width() < 520.0 * text_scale(ui) { small(ui) } else { body(ui) };
    if index + 1 == COLUMNS.len() {
        paint_text(ui, pos2(right, row.center().y), Align2::RIGHT_CENTER, text, font, ink, right - left);
    } else {
        paint_text(ui, pos2(left, row.center().y), Align2::LEFT_CENTER, text, font, ink, right - left - 8.0);
    }
}
