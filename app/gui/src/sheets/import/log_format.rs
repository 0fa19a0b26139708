//! The LogFormat of access logs: a row of the import sheet, there where a file is such a log or looks like
//! one. Other corrections change what was read; this one reads the files again.

use super::draft::Draft;
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{ButtonKind, body, button_enabled, mono, row_height};
use egui::{Sense, Ui, vec2};
use triptych_import::Readers;
use triptych_model::Importer as _;

/// How many rows the part has.
pub fn rows(draft: &Draft) -> usize {
    match (draft.outcome.access.is_empty(), draft.log_format_error()) {
        (true, _) => 0,
        (false, None) => 1,
        (false, Some(_)) => 2,
    }
}

/// Shows the row; reading again is a wish, no correction.
pub fn ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    if draft.outcome.access.is_empty() {
        return;
    }
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
        kit::severity_mark(ui, rect.center(), triptych_model::Severity::Note, theme);
        let count = kit::counted(draft.outcome.access.len(), "access log", "access logs");
        let text = kit::label(ui, format!("LogFormat of {count}"), body(ui), theme.t1);
        let edit = egui::TextEdit::singleline(&mut draft.log_format)
            .hint_text("combined, or %h %l %u %t \"%r\" %>s %b %D; empty: by the content")
            .font(mono(ui))
            .desired_width((ui.available_width() - 160.0).max(160.0))
            .margin(vec2(8.0, 4.0));
        kit::field(ui, theme, edit, "LogFormat").labelled_by(text.id);
        let ready =
            draft.log_format_error().is_none() && draft.log_format_wanted() != draft.outcome.log_format;
        if button_enabled(ui, theme, ButtonKind::Outline, None, "Read again", ready).clicked() {
            state.act(Action::ReadAs(draft.outcome.access.clone(), draft.log_format_wanted()));
        }
    });
    if let Some(error) = draft.log_format_error() {
        ui.horizontal(|ui| {
            ui.set_min_height(row_height(ui));
            ui.add_space(22.0);
            kit::label(ui, error, body(ui), theme.failed);
        });
    }
}

impl Draft {
    /// The format typed, if one is.
    fn log_format_wanted(&self) -> Option<String> {
        let text = self.log_format.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Why it cannot be understood.
    fn log_format_error(&self) -> Option<String> {
        let wanted = self.log_format_wanted()?;
        Readers.check_log_format(&wanted).err().map(|error| error.to_string())
    }
}
