//! The log of the campaign, newest last, with a field to find a line.

use super::clock::{FINE, clock};
use crate::panels::kit;
use crate::run::model::{Line, LineKind, RunModel};
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{body, mono, paint_text, row_height, text_scale};
use egui::{Align2, Ui};
use triptych_model::Severity;

/// Shows the lines that hold what is looked for.
pub fn ui(ui: &mut Ui, state: &mut State, model: &RunModel) {
    let theme = state.theme.clone();
    let find = state.run.memory.find.to_lowercase();
    let holds = |line: &&Line| find.is_empty() || line.text.to_lowercase().contains(&find);
    let lines: Vec<&Line> = model.lines.iter().filter(holds).collect();
    ui.spacing_mut().item_spacing.y = 0.0;
    if lines.is_empty() {
        egui::Frame::new().inner_margin(12).show(ui, |ui| {
            let text = if find.is_empty() { "Nothing was said yet" } else { "No line holds this" };
            kit::label(ui, text, body(ui), theme.t3);
        });
        return;
    }
    let height = row_height(ui) - 2.0;
    let area = egui::ScrollArea::vertical().id_salt("run log").auto_shrink(false).stick_to_bottom(true);
    area.show_rows(ui, height, lines.len(), |ui, range| {
        for line in lines.get(range).unwrap_or_default() {
            row(ui, &theme, height, line);
        }
    });
}

fn row(ui: &mut Ui, theme: &Theme, height: f32, line: &Line) {
    let time = clock(line.time, FINE);
    let (word, ink) = match line.kind {
        LineKind::Step => ("step", theme.t3),
        LineKind::Failed => ("failed", theme.failed),
        LineKind::Note(Severity::Error) => ("error", theme.failed),
        LineKind::Note(Severity::Warning) => ("warning", theme.warning),
        LineKind::Note(Severity::Note) => ("note", theme.t3),
    };
    let (rect, response) = kit::row(ui, theme, height, false, &format!("{time} {word} {}", line.text));
    let scale = text_scale(ui);
    let text_ink = if line.kind == LineKind::Step { theme.t2 } else { theme.t1 };
    let mut x = size::EDGE;
    for (text, ink, width) in [(time.as_str(), theme.t3, 94.0), (word, ink, 58.0)] {
        paint_text(ui, kit::left(rect, x), Align2::LEFT_CENTER, text, mono(ui), ink, width * scale);
        x += width * scale;
    }
    let room = rect.width() - x - 12.0;
    paint_text(ui, kit::left(rect, x), Align2::LEFT_CENTER, &line.text, mono(ui), text_ink, room);
    response.on_hover_text(&line.text);
}
