//! Errors of the rows shown, grouped by code and text; and why their absence proves nothing.

use super::{Wish, words};
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{self, body, small, text_scale};
use egui::{Align2, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use triptych_report::numbers;
use triptych_store::{ErrorGroup, RequestColumn};

const NOTE: &str = "Most failures a client sees leave no line here. No error in this list proves nothing.";

/// The tile beside the tables.
pub(super) fn tile(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let frame = egui::Frame::new().fill(theme.s2).corner_radius(6.0);
    frame.show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = 0.0;
        let height = size::HEADER.max(body(ui).size + 14.0);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let words = summary(state);
        response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("Errors, {words}")));
        let at = kit::left(rect, size::EDGE);
        let room = rect.width() - 2.0 * size::EDGE;
        let title =
            widgets::paint_text(ui, at, Align2::LEFT_CENTER, "Errors", widgets::strong(ui), theme.t1, room);
        let left = title.right() + 8.0;
        let room = rect.right() - size::EDGE - left;
        widgets::paint_text(
            ui,
            pos2(left, rect.center().y),
            Align2::LEFT_CENTER,
            &words,
            body(ui),
            theme.t3,
            room,
        );
        crate::bars::hline(ui, theme);
        ui.add_space(1.0);
        list(ui, state, theme);
    });
}

/// How many errors the rows shown have.
pub(super) fn count(state: &State) -> usize {
    let data = state.requests.data.as_ref();
    data.map_or(0, |data| data.answer.errors.iter().map(|group| group.count).sum())
}

/// `6 in 2 logs`.
fn summary(state: &State) -> String {
    let Some(data) = &state.requests.data else { return String::new() };
    let count = count(state);
    if count == 0 {
        return "none".to_owned();
    }
    let logs = kit::counted(data.answer.sources_with_errors, "log", "logs");
    format!("{} in {logs}", numbers::count(count as f64))
}

/// The groups, and the note.
pub(super) fn list(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let data = state.requests.data.clone();
    let groups = data.as_ref().map(|data| data.answer.errors.as_slice()).unwrap_or_default();
    egui::ScrollArea::vertical().id_salt("errors of requests").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for group in groups {
            row(ui, state, theme, group);
        }
        ui.add_space(10.0);
        egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 0)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            kit::label(ui, NOTE, small(ui), theme.t3);
        });
        ui.add_space(8.0);
    });
}

/// `E210005, first at 08:03:42`.
fn where_and_when(group: &ErrorGroup) -> String {
    let first = format!("first at {}", words::time(group.time).get(..8).unwrap_or("an unknown time"));
    let code = code(group);
    if code.is_empty() { first } else { format!("{code}, {first}") }
}

/// `E210005`, or `HTTP 404`; empty where there is none.
fn code(group: &ErrorGroup) -> String {
    match (group.status, group.code.as_str()) {
        (Some(status), "") => format!("HTTP {status}"),
        (_, "") => String::new(),
        (_, code) => format!("E{code:0>6}"),
    }
}

fn row(ui: &mut Ui, state: &mut State, theme: &Theme, group: &ErrorGroup) {
    let scale = text_scale(ui);
    let height = (36.0 * scale).round();
    let second = where_and_when(group);
    let name = format!("{}, {second}, {}", group.text, kit::counted(group.count, "time", "times"));
    let selected = state.requests.selected == Some(group.first);
    let (rect, response) = kit::row(ui, theme, height, selected, &name);
    kit::severity_mark(ui, kit::left(rect, 18.0), triptych_model::Severity::Error, theme);
    let count = numbers::count(group.count as f64);
    let at = kit::right(rect, size::EDGE);
    let count = widgets::paint_text(ui, at, Align2::RIGHT_CENTER, &count, widgets::named(ui), theme.t1, 80.0);
    let left = rect.left() + 33.0;
    let room = count.left() - 8.0 - left;
    let middle = rect.center().y;
    let upper = pos2(left, middle - 7.5 * scale);
    widgets::paint_text(ui, upper, Align2::LEFT_CENTER, &group.text, body(ui), theme.t1, room);
    let lower = pos2(left, middle + 7.5 * scale);
    widgets::paint_text(ui, lower, Align2::LEFT_CENTER, &second, small(ui), theme.t3, room);
    let y = ui.painter().round_to_pixel_center(rect.bottom() - 0.5);
    ui.painter().hline(rect.x_range(), y, egui::Stroke::new(1.0, theme.line));
    if response.clicked() {
        state.act(Action::Requests(Wish::Select(Some(group.first))));
    }
    response.context_menu(|ui| {
        let only =
            if group.status.is_some() { "Only requests of this status" } else { "Only requests with errors" };
        if ui.button(only).clicked() {
            let status = group.status.map_or_else(|| "error".to_owned(), |status| status.to_string());
            let action = super::changed(state, |query| query.only(RequestColumn::Status, &status));
            state.act(action);
            ui.close();
        }
        if ui.button("Copy the error").clicked() {
            let text = format!("{} {}", code(group), group.text).trim_start().to_owned();
            state.act(Action::Copy { text, what: "the error".to_owned() });
            ui.close();
        }
    });
}
