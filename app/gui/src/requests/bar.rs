//! The query bar of the view: chips of what is shown, the width of bins, the link, undo.

use super::words;
use super::{Wish, changed};
use crate::action::Action;
use crate::bars;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{self, ChipClick, Icon};
use egui::{Align, Layout, RichText, Ui};
use triptych_report::clock;
use triptych_store::RequestColumn;

/// Widths that can be chosen, microseconds.
const BINS: [i64; 11] = [
    10_000,
    100_000,
    500_000,
    1_000_000,
    5_000_000,
    10_000_000,
    60_000_000,
    300_000_000,
    1_800_000_000,
    3_600_000_000,
    86_400_000_000,
];

/// Shows the bar.
pub(super) fn ui(ui: &mut Ui, state: &mut State, theme: &Theme) {
    egui::Panel::top("requests query").frame(bars::bar(theme.s1)).show_separator_line(false).show(ui, |ui| {
        ui.set_min_height(size::BAR);
        let right = right_width(ui, state);
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(size::BAR);
            ui.set_max_width((ui.available_width() - right).max(120.0));
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new("Query").small().color(theme.t3));
            chips(ui, state, theme);
            bars::divider(ui, theme);
            bin_chip(ui, state, theme);
        });
        right_ui(ui, state, theme, right);
    });
}

fn chips(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let query = state.arrangement.requests.query.clone();
    for filter in &query.filters {
        let (key, value) = words::chip(filter);
        let (response, click) = widgets::chip(ui, theme, &key, &value, Icon::Close);
        let response = response.on_hover_text(filter.values.join("\n"));
        if click != ChipClick::None || response.clicked() {
            let action = changed(state, |query| query.set(filter.column, None));
            state.act(action);
        }
    }
    if let Some((from, to)) = query.time {
        let (response, click) = widgets::chip(ui, theme, "time", &clock::span(from, to), Icon::Close);
        if click != ChipClick::None || response.clicked() {
            let action = changed(state, |query| query.time = None);
            state.act(action);
        }
    }
    if !query.text.is_empty() {
        let (response, click) = widgets::chip(ui, theme, "text", &query.text, Icon::Close);
        if click != ChipClick::None || response.clicked() {
            let action = changed(state, |query| query.text.clear());
            state.act(action);
        }
    }
    let response = widgets::icon_button(ui, theme, Icon::Plus, "Add a filter", true);
    egui::Popup::menu(&response).show(|ui| add_menu(ui, state));
}

fn add_menu(ui: &mut Ui, state: &mut State) {
    ui.set_min_width(160.0);
    let Some(data) = state.requests.data.clone() else {
        ui.label("the log is still being read");
        return;
    };
    for facet in &data.answer.facets {
        if facet.values.is_empty() {
            continue;
        }
        ui.menu_button(facet.column.name(), |ui| {
            egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for value in facet.values.iter().take(200) {
                    let text = words::value_text(facet.column, &value.text);
                    let response = ui.button(format!("{text}   {}", value.count));
                    widgets::focus_ring(ui, &response, response.rect, &state.theme);
                    if response.clicked() {
                        let action = changed(state, |query| query.only(facet.column, value.text.clone()));
                        state.act(action);
                        ui.close();
                    }
                }
            });
        });
    }
    let kinds = triptych_store::ActionKind::STACK;
    ui.menu_button("kind", |ui| {
        for kind in kinds {
            if ui.button(kind.name()).clicked() {
                let action = changed(state, |query| query.only(RequestColumn::Kind, kind.name()));
                state.act(action);
                ui.close();
            }
        }
    });
}

/// `bin 0.5 s`.
fn bin_chip(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let chosen = state.arrangement.requests.bin;
    let now = state.requests.data.as_ref().map(|data| data.bins.width);
    let value = match (chosen, now) {
        (_, Some(width)) => clock::width(width),
        (Some(width), None) => clock::width(width),
        (None, None) => "as fits".to_owned(),
    };
    let options = || {
        let widths = BINS.into_iter().map(clock::width);
        std::iter::once("as fits".to_owned()).chain(widths).collect()
    };
    bars::choice(ui, theme, "bin", &value, options, |text| {
        let bin = BINS.into_iter().find(|width| clock::width(*width) == text);
        state.actions.push(Action::Requests(Wish::Bin(bin)));
    });
}

const CHARTS: &str = "Charts";

fn link_text(state: &State) -> &'static str {
    if state.arrangement.requests.linked {
        "range and cursor linked to CPU load"
    } else {
        "link range and cursor to CPU load"
    }
}

fn has_load(state: &State) -> bool {
    state.requests.data.as_ref().is_some_and(|data| data.load.is_some())
}

/// Room that link, undo and the way back need.
fn right_width(ui: &Ui, state: &State) -> f32 {
    let width =
        |text: &str, font| ui.painter().layout_no_wrap(text.to_owned(), font, state.theme.t1).size().x;
    let back = width(CHARTS, widgets::body(ui)) + 24.0;
    let link = if has_load(state) && ui.available_width() > 900.0 * widgets::text_scale(ui) {
        width(link_text(state), widgets::small(ui)) + 34.0
    } else {
        0.0
    };
    64.0 + back + link
}

fn right_ui(ui: &mut Ui, state: &mut State, theme: &Theme, width: f32) {
    let row = ui.min_rect();
    let rect = egui::Rect::from_min_max(
        egui::pos2(ui.max_rect().right() - width, row.top()),
        egui::pos2(ui.max_rect().right(), row.top() + size::BAR),
    );
    let place = egui::UiBuilder::new().max_rect(rect).layout(Layout::right_to_left(Align::Center));
    ui.scope_builder(place, |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let back = widgets::button(ui, theme, widgets::ButtonKind::Quiet, None, CHARTS);
        if back.on_hover_text("the charts of runs, in this view’s place (F6)").clicked() {
            state.act(Action::Requests(Wish::Show(false)));
        }
        for (icon, id, label, on) in [
            (Icon::Redo, "redo", "Redo", state.undo.can_redo()),
            (Icon::Undo, "undo", "Undo", state.undo.can_undo()),
        ] {
            if widgets::icon_button(ui, theme, icon, label, on).clicked() {
                state.act(Action::Command(id));
            }
        }
        if has_load(state) && ui.available_width() > 60.0 {
            ui.add_space(4.0);
            if widgets::link(ui, theme, link_text(state)).clicked() {
                state.act(Action::Requests(Wish::Link(!state.arrangement.requests.linked)));
            }
            widgets::icon(ui, Icon::Link, theme.accent);
        }
    });
}
