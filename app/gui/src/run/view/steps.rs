//! The tab "Live run": in the run view the steps in their order, beside the charts the live load.

use super::lanes;
use crate::panels::kit;
use crate::run::matrix::{Cell, State as Step};
use crate::run::model::RunModel;
use crate::run::progress::expected;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{body, paint_text, row_height, small, text_scale};
use egui::{Align2, Ui};
use triptych_report::{Marker, numbers};

/// Shows the tab.
pub fn ui(ui: &mut Ui, state: &mut State, model: &RunModel) {
    let theme = state.theme.clone();
    if !state.run.shown {
        let body = ui.available_rect_before_wrap();
        ui.allocate_rect(body, egui::Sense::hover());
        lanes::ui(ui, model, &theme, body.shrink(4.0));
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = row_height(ui);
    let cells = &model.matrix.cells;
    let area = egui::ScrollArea::vertical().id_salt("run steps").auto_shrink(false);
    area.show_rows(ui, height, cells.len(), |ui, range| {
        for cell in cells.get(range).unwrap_or_default() {
            row(ui, model, &theme, height, cell);
        }
    });
}

fn row(ui: &mut Ui, model: &RunModel, theme: &Theme, height: f32, cell: &Cell) {
    let name = model.matrix.name(cell);
    let (words, ink) = match &cell.state {
        Step::Waiting => match expected(&model.matrix, cell) {
            Some(secs) => (format!("waits, about {}", numbers::secs_in_prose(secs)), theme.t3),
            None => ("waits".to_owned(), theme.t3),
        },
        Step::Running => ("runs".to_owned(), theme.accent),
        Step::Failed(reason) => (format!("failed: {reason}"), theme.failed),
        Step::Done { secs: Some(secs), .. } => (numbers::secs_in_prose(*secs), theme.t1),
        Step::Done { secs: None, .. } => ("time unknown".to_owned(), theme.t1),
    };
    let running = cell.state == Step::Running;
    let (rect, response) =
        kit::row(ui, theme, height, running, &format!("step {} {name}: {words}", cell.step));
    let scale = text_scale(ui);
    let number = cell.step.to_string();
    let right = kit::left(rect, size::EDGE + 34.0 * scale);
    paint_text(ui, right, Align2::RIGHT_CENTER, &number, small(ui), theme.t3, 34.0 * scale);
    if matches!(cell.state, Step::Failed(_)) {
        let at = kit::left(rect, size::EDGE + 46.0 * scale);
        crate::painter::marker(ui.painter(), at, Marker::Cross, 3.5 * scale, theme.failed, false);
    }
    let x = size::EDGE + 58.0 * scale;
    let column = (rect.width() * 0.45).min(360.0 * scale);
    paint_text(ui, kit::left(rect, x), Align2::LEFT_CENTER, &name, body(ui), theme.t2, column - 8.0);
    let room = rect.width() - x - column - 12.0;
    paint_text(ui, kit::left(rect, x + column), Align2::LEFT_CENTER, &words, body(ui), ink, room);
    response.on_hover_text(format!("{name}: {words}"));
}
