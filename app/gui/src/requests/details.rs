//! Details of a request: what it was, what its gap means, its session, its line in the file.

use super::{changed, paths, rows, session, words};
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{self, ButtonKind, Icon, body, named, row_height, small, text_scale};
use egui::{Align, Layout, Sense, Ui, vec2};
use std::sync::Arc;
use triptych_store::{RequestColumn, RequestDetails, RequestFacts};

/// Shows the panel.
pub(super) fn ui(ui: &mut Ui, state: &mut State, theme: &Theme) {
    header(ui, state, theme);
    let details = state.requests.details.clone().filter(|_| state.requests.selected.is_some());
    let lines = if stacked(ui) { 2.0 } else { 1.0 };
    let footer = (size::BUTTON * text_scale(ui).max(1.0) + 4.0) * lines + 16.0;
    let footer = if details.is_some() { footer } else { 0.0 };
    let height = (ui.available_height() - footer).max(60.0);
    egui::ScrollArea::vertical().id_salt("details of requests").auto_shrink(false).max_height(height).show(
        ui,
        |ui| {
            let margin = egui::Margin { left: 12, right: 12, top: 0, bottom: 12 };
            egui::Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.set_width(ui.available_width());
                match &details {
                    Some(details) => content(ui, state, theme, details),
                    None if state.requests.selected.is_some() => {}
                    None => nothing(ui, state, theme),
                }
            });
        },
    );
    if let Some(details) = &details {
        footer_ui(ui, state, theme, details, footer);
    }
}

fn header(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let height = size::HEADER.max(row_height(ui) + 8.0);
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), layout, |ui| {
        ui.set_min_height(height);
        ui.add_space(size::EDGE);
        kit::title(ui, theme, "Details", "");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(size::CELL);
            if widgets::icon_button(ui, theme, Icon::Close, "Close Details", true).clicked() {
                state.act(Action::Command("details-panel"));
            }
        });
    });
}

fn nothing(ui: &mut Ui, state: &mut State, theme: &Theme) {
    kit::label(ui, "Nothing is selected", named(ui), theme.t1);
    let text = "Click a row: its session, its line in the file and what its gap means appear here. Click a bar, \
                or drag over the chart, to keep only that time.";
    kit::label(ui, text, body(ui), theme.t3);
    section(ui, theme);
    paths::ui(ui, state, theme);
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme, details: &Arc<RequestDetails>) {
    headline(ui, theme, &details.facts);
    ui.add_space(4.0);
    kit::label(ui, words::gap_meaning(&details.facts), body(ui), theme.t2);
    ui.add_space(6.0);
    facts(ui, theme, details);
    if details.session.is_some() {
        section(ui, theme);
        session::ui(ui, state, theme, details);
    }
    section(ui, theme);
    in_file(ui, state, theme, details);
}

/// Space, a line, space.
fn section(ui: &mut Ui, theme: &Theme) {
    ui.add_space(8.0);
    kit::separator(ui, theme);
    ui.add_space(4.0);
}

fn headline(ui: &mut Ui, theme: &Theme, facts: &RequestFacts) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(10.0 * text_scale(ui)), Sense::hover());
        rows::kind_mark(ui, theme, rect.center(), facts.info.kind);
        kit::label(ui, facts.action.clone(), named(ui), theme.t1);
        let mut parts: Vec<String> = facts.repository.iter().cloned().collect();
        parts.extend(facts.pid.map(|pid| format!("pid {pid}")));
        kit::label(ui, parts.join(", "), body(ui), theme.t3);
    });
    match facts.gap {
        Some((secs, kind)) => {
            ui.horizontal(|ui| {
                kit::label(ui, words::secs(secs), kit::figure(ui), theme.t1);
                kit::label(ui, words::gap_name(kind), body(ui), theme.t3);
            });
        }
        None => {
            if let Some(error) = &facts.error {
                kit::label(ui, error.clone(), body(ui), theme.failed);
            }
        }
    }
    if facts.gap.is_some() || facts.error.is_none() {
        kit::label(ui, facts.info.says, body(ui), theme.t1);
    }
}

/// Name and value, and a remark behind.
fn facts(ui: &mut Ui, theme: &Theme, details: &RequestDetails) {
    let facts = &details.facts;
    let mut lines: Vec<(&str, String, &str)> = vec![("time", words::time(facts.time), "UTC")];
    let mut push = |name: &'static str, value: Option<String>| {
        if let Some(value) = value {
            lines.push((name, value, ""));
        }
    };
    push("path", facts.path.clone());
    push("revision", facts.revision.map(|revision| format!("r{revision}")));
    push("client", details.session.as_ref().and_then(|session| session.client.clone()));
    push("host", facts.host.clone());
    push("status", facts.status.map(|status| status.to_string()));
    push("sent", facts.bytes_out.map(|bytes| triptych_report::numbers::bytes(bytes as f64)));
    match &facts.user {
        Some(user) => lines.push(("user", user.clone(), "")),
        None => lines.push(("user", "none".to_owned(), "not signed in")),
    }
    for (name, value, remark) in &lines {
        pair(ui, theme, name, value, remark);
    }
    for (name, value) in words::arguments(&details.arguments) {
        pair(ui, theme, &name, &value, "");
    }
    if !facts.quality.is_empty() {
        pair(ui, theme, "doubt", &facts.quality.join(", "), "");
    }
}

/// Name, value on as many lines as it needs, and a remark at the right.
fn pair(ui: &mut Ui, theme: &Theme, name: &str, value: &str, remark: &str) {
    let scale = text_scale(ui);
    let width = ui.available_width();
    let label = (84.0 * scale).min(width * 0.4);
    let remark = ui.painter().layout_no_wrap(remark.to_owned(), small(ui), theme.t3);
    let room = (width - label - remark.size().x - if remark.size().x > 0.0 { 8.0 } else { 0.0 }).max(40.0);
    let mut job = egui::text::LayoutJob::simple(value.to_owned(), body(ui), theme.t1, room);
    job.wrap.break_anywhere = true;
    job.wrap.max_rows = 4;
    let text = ui.painter().layout_job(job);
    let (rect, response) = ui.allocate_exact_size(vec2(width, text.size().y), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{name} {value}")));
    let line = body(ui).size * 1.25;
    let first = egui::Rect::from_min_size(rect.min, vec2(width, line));
    let at = first.left_center();
    widgets::paint_text(ui, at, egui::Align2::LEFT_CENTER, name, body(ui), theme.t3, label - 6.0);
    let at = egui::Align2::RIGHT_CENTER.anchor_size(first.right_center(), remark.size()).min;
    ui.painter().galley(at, remark, theme.t3);
    ui.painter().galley(rect.min + vec2(label, 0.0), text, theme.t1);
    if value.len() > 40 {
        response.on_hover_text(value);
    }
}

fn in_file(ui: &mut Ui, state: &mut State, theme: &Theme, details: &RequestDetails) {
    let facts = &details.facts;
    let file = state.store.sources().get(facts.row.source as usize).and_then(|source| source.file.clone());
    ui.horizontal(|ui| {
        let font = egui::FontId::new(small(ui).size, crate::theme::semibold());
        kit::label(ui, "In its file", font, theme.t2);
        let line = triptych_report::numbers::count(f64::from(facts.line));
        kit::label(ui, format!("line {line}"), small(ui), theme.t3);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(file) = file.as_ref().and_then(|file| std::path::absolute(file).ok())
                && kit::named_link(ui, theme, "open", "Open the file").clicked()
            {
                ui.ctx().open_url(egui::OpenUrl::new_tab(format!("file://{}", file.display())));
            }
        });
    });
    let height = 18.0 * text_scale(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    kit::paint_path(ui, kit::left(rect, 0.0), &facts.source, theme.t2, rect.width());
    response.on_hover_text(&facts.source);
    match &details.context {
        Ok(context) => crate::panels::details::raw_lines(ui, theme, context, words::telling),
        Err(problem) => {
            kit::label(ui, problem.to_string(), small(ui), theme.failed);
        }
    }
}

/// Whether the buttons at the bottom need two lines.
fn stacked(ui: &Ui) -> bool {
    ui.available_width() / text_scale(ui) < 280.0
}

/// Only this session, only this path, copy.
fn footer_ui(ui: &mut Ui, state: &mut State, theme: &Theme, details: &RequestDetails, height: f32) {
    let layout = Layout::left_to_right(Align::Center).with_main_wrap(true);
    ui.allocate_ui_with_layout(vec2(ui.available_width(), height), layout, |ui| {
        ui.add_space(size::EDGE);
        let session = details.session.as_ref().map(triptych_store::SessionFacts::name);
        let path = details.facts.path.clone();
        let button = |ui: &mut Ui, text: &str, on: bool| {
            widgets::button_enabled(ui, theme, ButtonKind::Plain, None, text, on).clicked()
        };
        if button(ui, "Only this session", session.is_some())
            && let Some(name) = session
        {
            let action = changed(state, |query| query.only(RequestColumn::Session, name));
            state.act(action);
        }
        if stacked(ui) {
            ui.end_row();
            ui.add_space(size::EDGE);
        }
        if button(ui, "Only this path", path.is_some())
            && let Some(path) = path
        {
            let action = changed(state, |query| query.only(RequestColumn::Path, path));
            state.act(action);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(size::EDGE);
            if widgets::icon_button(ui, theme, Icon::Copy, "Copy Details as text", true).clicked() {
                let raw = details.context.as_ref().ok().and_then(|context| {
                    context
                        .lines
                        .iter()
                        .find(|(line, _)| *line == context.line)
                        .map(|(_, text)| text.as_str())
                });
                let text = words::as_text(&details.facts, raw);
                state.act(Action::Copy { text, what: "the details".to_owned() });
            }
        });
    });
}
