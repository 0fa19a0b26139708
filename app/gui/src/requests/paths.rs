//! The busiest paths of what is shown; Details lists them while nothing is selected.

use super::changed;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{self, small};
use egui::{Align2, Ui};
use triptych_store::RequestColumn;

/// Paths that are listed.
const MOST: usize = 30;

/// Shows the list.
pub(super) fn ui(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let Some(data) = state.requests.data.clone() else { return };
    if data.answer.paths.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        let font = egui::FontId::new(small(ui).size, crate::theme::semibold());
        kit::label(ui, "Busiest paths", font, theme.t2);
        kit::label(ui, "of the requests shown", small(ui), theme.t3);
    });
    ui.spacing_mut().item_spacing.y = 0.0;
    for (path, count) in data.answer.paths.iter().take(MOST) {
        let name = format!("Only {path}, {}", kit::counted(*count, "request", "requests"));
        let (rect, response) = kit::row(ui, theme, widgets::row_height(ui), false, &name);
        let at = kit::right(rect, 4.0);
        let count =
            widgets::paint_text(ui, at, Align2::RIGHT_CENTER, &kit::count(*count), small(ui), theme.t3, 90.0);
        kit::paint_path(ui, kit::left(rect, 4.0), path, theme.t1, count.left() - rect.left() - 12.0);
        if response.clicked() {
            let action = changed(state, |query| query.only(RequestColumn::Path, path.clone()));
            state.act(action);
        }
        response.on_hover_text(path);
    }
}
