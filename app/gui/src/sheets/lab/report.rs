//! What a check of the lab found: builds with their versions, formats, media, rights, tools, pressure.

use super::draft::Draft;
use crate::state::State;
use crate::theme::Theme;
use egui::Ui;

/// Shows it, with the way to check again.
pub fn ui(ui: &mut Ui, _state: &mut State, theme: &Theme, _draft: &mut Draft) {
    super::form::section(ui, theme, "Check", "");
}
