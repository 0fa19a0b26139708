//! What is missing to repeat runs: asked for once, and remembered in the lab.

use crate::state::State;
use egui::vec2;
use triptych_store::RunIndex;

/// What the sheet has in hand.
pub struct Draft;

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State, _runs: &[RunIndex]) {
    state.sheets.rerun.get_or_insert(Draft);
    super::show(ctx, state, vec2(900.0, 600.0), ["Run again", ""], false, |_, _, _| {});
}
