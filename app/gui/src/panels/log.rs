//! The log: every message since the start with its time, newest last.

use super::kit;
use crate::action::Action;
use crate::state::State;
use crate::theme::size;
use crate::widgets::{body, mono, paint_text, row_height, text_scale};
use egui::{Align2, Ui};
use std::time::Duration;
use triptych_model::Severity;

/// Minutes, seconds and tenths since the start: `0:07.3`.
fn clock(since: Duration) -> String {
    let tenths = since.as_millis() / 100;
    let (minutes, tenths) = (tenths / 600, tenths % 600);
    format!("{minutes}:{:02}.{}", tenths / 10, tenths % 10)
}

/// Shows the panel.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    ui.spacing_mut().item_spacing.y = 0.0;
    let entries = state.toasts.log().len();
    if entries == 0 {
        egui::Frame::new().inner_margin(12).show(ui, |ui| {
            kit::label(ui, "Nothing was said yet", body(ui), theme.t3);
        });
        return;
    }
    let height = row_height(ui) + 2.0;
    let area = egui::ScrollArea::vertical().id_salt("log").auto_shrink(false).stick_to_bottom(true);
    area.show_rows(ui, height, entries, |ui, range| {
        let shown = state.toasts.log().get(range).unwrap_or_default().to_vec();
        for entry in shown {
            let time = clock(entry.since_start);
            let toast = &entry.toast;
            let (rect, response) = kit::row(ui, &theme, height, false, &format!("{time} {}", toast.text));
            let scale = text_scale(ui);
            paint_text(
                ui,
                kit::left(rect, size::EDGE),
                Align2::LEFT_CENTER,
                &time,
                mono(ui),
                theme.t3,
                60.0 * scale,
            );
            let mut x = size::EDGE + 62.0 * scale;
            if toast.severity > Severity::Note {
                kit::severity_mark(ui, kit::left(rect, x + 6.0), toast.severity, &theme);
            }
            x += 20.0 * scale;
            let ink = if toast.severity == Severity::Error { theme.failed } else { theme.t1 };
            paint_text(
                ui,
                kit::left(rect, x),
                Align2::LEFT_CENTER,
                &toast.text,
                body(ui),
                ink,
                rect.width() - x - 12.0,
            );
            response.context_menu(|ui| {
                if ui.button("Copy the message").clicked() {
                    state.act(Action::Copy { text: toast.text.clone(), what: "the message".to_owned() });
                    ui.close();
                }
            });
            response.on_hover_text(&toast.text);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_since_the_start() {
        for (millis, expect) in [(0, "0:00.0"), (7_350, "0:07.3"), (75_000, "1:15.0"), (3_600_000, "60:00.0")]
        {
            assert_eq!(clock(Duration::from_millis(millis)), expect);
        }
    }
}
