//! The lab editor: builds, repositories, media and variants of this machine.

use crate::state::State;
use egui::vec2;

/// What the sheet has in hand.
pub struct Draft;

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    state.sheets.lab.get_or_insert(Draft);
    super::show(ctx, state, vec2(900.0, 600.0), ["The lab", ""], false, |_, _, _| {});
}

/// Makes the demo lab in a job.
pub fn make_demo(state: &mut State) {
    state.sheet = Some(crate::state::Sheet::Lab);
}
