//! Several cells in Details, a line each, and runs that are in no triple.

use super::content::{CellLine, RunLine};
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{body, named, paint_text, row_height, small, text_scale};
use egui::{Align2, Ui, pos2, vec2};
use triptych_analysis::INDICATION_BELOW;
use triptych_report::{Comparison, numbers, row_title};

/// Several cells: a line each.
pub fn cells(ui: &mut Ui, state: &mut State, theme: &Theme, comparison: &Comparison, lines: &[CellLine]) {
    let runs: usize = lines.iter().map(|line| line.runs.len()).sum();
    kit::label(
        ui,
        format!("{}, {}", kit::counted(lines.len(), "cell", "cells"), kit::counted(runs, "run", "runs")),
        named(ui),
        theme.t1,
    );
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    for line in lines.iter().take(60) {
        let Some(row) = comparison.rows.get(line.row) else { continue };
        let Some(side) = row.sides.get(line.cell) else { continue };
        let name = row.name(line.cell).unwrap_or_default();
        let value = side.median.map(|median| numbers::with_unit(median, row.group.unit)).unwrap_or_default();
        let title = row_title(row);
        let (rect, response) =
            kit::row(ui, theme, row_height(ui), false, &format!("{name}, {title}, {value}"));
        let scale = text_scale(ui);
        kit::variant_mark(ui, kit::left(rect, 6.0 * scale), comparison.variant(name), theme);
        let shown = paint_text(
            ui,
            kit::left(rect, 17.0 * scale),
            Align2::LEFT_CENTER,
            name,
            body(ui),
            theme.t1,
            rect.width() * 0.35,
        );
        let mut right = rect.right();
        if let (Some(ratio), Some(verdict)) = (side.ratio, side.verdict) {
            let (marker, ink) = kit::verdict_mark(verdict);
            let fill = (side.n < INDICATION_BELOW).then_some(theme.s1);
            crate::painter::mark(
                ui.painter(),
                pos2(right - 6.0, rect.center().y),
                marker,
                4.0 * scale,
                theme.ink(ink),
                fill,
            );
            let text = numbers::ratio(ratio);
            right = paint_text(
                ui,
                kit::right(rect, 16.0),
                Align2::RIGHT_CENTER,
                &text,
                body(ui),
                theme.ink(ink),
                60.0,
            )
            .left()
                - 8.0;
        }
        right = paint_text(
            ui,
            pos2(right, rect.center().y),
            Align2::RIGHT_CENTER,
            &value,
            body(ui),
            theme.t1,
            90.0,
        )
        .left()
            - 8.0;
        let left = shown.right() + 8.0;
        paint_text(
            ui,
            pos2(left, rect.center().y),
            Align2::LEFT_CENTER,
            &title,
            small(ui),
            theme.t3,
            right - left,
        );
        if response.clicked() {
            state.act(Action::Select(line.runs.clone()));
        }
    }
    ui.spacing_mut().item_spacing.y = 4.0;
    if state.shown_source.is_some() {
        super::section(ui, theme);
        super::in_file(ui, state, theme, &[]);
    }
}

/// Runs that are in no triple: each with its values.
pub fn runs(ui: &mut Ui, state: &mut State, theme: &Theme, runs: &[RunLine]) {
    let index = if runs.is_empty() { 0 } else { state.panels.details.run % runs.len() };
    if let Some(run) = runs.get(index) {
        kit::label(ui, &run.title, named(ui), theme.t1);
        if let Some(failure) = &run.failure {
            kit::label(ui, failure, crate::widgets::mono(ui), theme.failed);
        }
        ui.add_space(2.0);
        egui::Grid::new("values of a run").num_columns(2).spacing(vec2(16.0, 2.0)).show(ui, |ui| {
            for (name, value) in &run.values {
                kit::label(ui, name, body(ui), theme.t2);
                kit::label(ui, value, body(ui), theme.t1);
                ui.end_row();
            }
        });
    }
    super::section(ui, theme);
    super::in_file(ui, state, theme, runs);
}
