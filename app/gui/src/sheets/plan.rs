//! The plan editor: what is measured, in which order, how long it takes.

use crate::state::State;
use egui::vec2;

/// What the sheet has in hand.
pub struct Draft;

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    state.sheets.plan.get_or_insert(Draft);
    super::show(ctx, state, vec2(900.0, 600.0), ["Run a plan", ""], false, |_, _, _| {});
}
