//! The left panel: the open server logs, a field for text, and facets with their counts.

use super::{Wish, changed, rows, words};
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::{Theme, medium, size};
use crate::widgets::{self, Icon, body, paint_check, paint_icon, paint_text, row_height, small, text_scale};
use egui::{Align2, FontId, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use triptych_store::{RequestColumn, RequestFacet, RequestFacetValue, RequestFilter, action};

/// Values of a facet that are listed before `show all`.
const FEW: usize = 9;

/// Shows the panel.
pub(super) fn ui(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let entries = entries(state);
    let height = ui.available_height();
    let wanted = size::HEADER + entries.len() as f32 * row_height(ui) + 2.0 * size::CELL;
    egui::Panel::top("server logs")
        .frame(egui::Frame::new())
        .resizable(true)
        .default_size(wanted.min(height * 0.35))
        .size_range(70.0..=(height * 0.7).max(71.0))
        .show_separator_line(true)
        .show(ui, |ui| logs_ui(ui, state, theme, &entries));
    egui::CentralPanel::no_frame().show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        head(ui, state, theme);
        field(ui, state, theme);
        facets(ui, state, theme);
    });
}

/// A server log.
struct Log {
    path: String,
    name: String,
    rows: usize,
}

/// A row of the list.
enum Entry {
    /// A folder with its logs, where there are many.
    Folder(String, Vec<String>),
    /// A log; whether it stands below its folder.
    File(Log, bool),
}

/// So many logs are listed without their folders.
const FLAT: usize = 8;

/// All logs; where there are many, by folder, and only those of the folder that is looked at.
fn entries(state: &State) -> Vec<Entry> {
    let log = |source: &triptych_store::Source| Log {
        path: source.path().to_owned(),
        name: words::file_name(source.path()).to_owned(),
        rows: source.data.requests.len(),
    };
    let logs = || state.store.sources().iter().filter(|source| !source.data.requests.is_empty()).map(log);
    if logs().count() <= FLAT {
        return logs().map(|log| Entry::File(log, false)).collect();
    }
    let mut folders: Vec<(String, Vec<Log>)> = Vec::new();
    for log in logs() {
        let folder = log.path.strip_suffix(&log.name).unwrap_or("").trim_end_matches(['/', '\\']).to_owned();
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, logs)) => logs.push(log),
            None => folders.push((folder, vec![log])),
        }
    }
    let query = &state.arrangement.requests.query;
    let kept = query.filter(RequestColumn::Source).filter(|filter| !filter.not);
    let common = common_folder(&folders.iter().map(|(folder, _)| folder.as_str()).collect::<Vec<_>>());
    let mut entries = Vec::new();
    for (folder, logs) in folders {
        let open = kept.is_some_and(|filter| logs.iter().any(|log| filter.values.contains(&log.path)));
        let name = folder.get(common..).map(|rest| rest.trim_start_matches(['/', '\\'])).unwrap_or(&folder);
        let name = if name.is_empty() { words::file_name(&folder) } else { name };
        entries.push(Entry::Folder(name.to_owned(), logs.iter().map(|log| log.path.clone()).collect()));
        if open {
            entries.extend(logs.into_iter().map(|log| Entry::File(log, true)));
        }
    }
    entries
}

/// Bytes of the folders that all have in common, whole names only.
fn common_folder(folders: &[&str]) -> usize {
    let Some((first, rest)) = folders.split_first() else { return 0 };
    let same = |folder: &&str| first.bytes().zip(folder.bytes()).take_while(|(a, b)| a == b).count();
    let common = rest.iter().map(same).min().unwrap_or(first.len());
    let is_whole = |folder: &&str| matches!(folder.as_bytes().get(common), None | Some(b'/' | b'\\'));
    if folders.iter().all(is_whole) {
        return common;
    }
    first.get(..common).and_then(|head| head.rfind(['/', '\\'])).unwrap_or(0)
}

fn logs_ui(ui: &mut Ui, state: &mut State, theme: &Theme, entries: &[Entry]) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let height = size::HEADER.max(row_height(ui) + 8.0);
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), height),
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            ui.set_min_height(height);
            ui.add_space(size::EDGE);
            kit::title(ui, theme, "Server logs", "");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add_space(size::CELL);
                if widgets::icon_button(ui, theme, Icon::Plus, "Open files…", true).clicked() {
                    state.act(Action::Command("open-files"));
                }
            });
        },
    );
    let row = row_height(ui);
    egui::ScrollArea::vertical().id_salt("server logs").auto_shrink(false).show_rows(
        ui,
        row,
        entries.len(),
        |ui, range| {
            for entry in entries.get(range).unwrap_or_default() {
                match entry {
                    Entry::Folder(name, paths) => folder_row(ui, state, theme, name, paths),
                    Entry::File(log, below) => {
                        log_row(ui, state, theme, log, if *below { 14.0 } else { 0.0 }, entries.len() == 1);
                    }
                }
            }
        },
    );
}

/// Keeps only these sources, or all again.
fn keep(state: &mut State, paths: &[String], again: bool) {
    let values = paths.to_vec();
    let action = changed(state, |query| {
        query.time = None;
        let filter = RequestFilter { column: RequestColumn::Source, not: false, values };
        query.set(RequestColumn::Source, (!again).then_some(filter));
    });
    state.act(action);
}

fn folder_row(ui: &mut Ui, state: &mut State, theme: &Theme, name: &str, paths: &[String]) {
    let query = &state.arrangement.requests.query;
    let whole = query.filter(RequestColumn::Source).is_some_and(|filter| {
        !filter.not
            && filter.values.len() == paths.len()
            && paths.iter().all(|path| filter.values.contains(path))
    });
    let logs = kit::counted(paths.len(), "log", "logs");
    let (rect, response) =
        kit::row(ui, theme, row_height(ui), whole && paths.len() > 1, &format!("{name}, {logs}"));
    let icon = Rect::from_center_size(kit::left(rect, 19.0), Vec2::splat(14.0));
    paint_icon(ui.painter(), icon, Icon::Folder, theme.t2);
    let at = kit::right(rect, size::EDGE);
    let count = paint_text(ui, at, Align2::RIGHT_CENTER, &logs, small(ui), theme.t3, 90.0);
    let left = rect.left() + 34.0;
    let at = pos2(left, rect.center().y);
    paint_text(ui, at, Align2::LEFT_CENTER, name, body(ui), theme.t1, count.left() - left - 8.0);
    if response.clicked() {
        keep(state, paths, whole);
    }
    response.on_hover_text(format!(
        "{name}\n{}",
        if whole { "click: all logs again" } else { "click: only these logs" }
    ));
}

fn log_row(ui: &mut Ui, state: &mut State, theme: &Theme, log: &Log, indent: f32, single: bool) {
    let query = &state.arrangement.requests.query;
    let kept = query.lets(RequestColumn::Source, &log.path);
    let filter = query.filter(RequestColumn::Source).filter(|filter| !filter.not && filter.values.len() == 1);
    let alone = filter.is_some_and(|filter| filter.values.contains(&log.path));
    let rows = kit::counted(log.rows, "request", "requests");
    let name = format!("{}, {rows}", log.name);
    let (rect, response) = kit::row(ui, theme, row_height(ui), alone || single, &name);
    let ink = if kept { theme.t1 } else { theme.t3 };
    let icon = Rect::from_center_size(kit::left(rect, 19.0 + indent), Vec2::splat(14.0));
    paint_icon(ui.painter(), icon, Icon::File, if kept { theme.t2 } else { theme.t4 });
    let at = kit::right(rect, size::EDGE);
    let count = paint_text(ui, at, Align2::RIGHT_CENTER, &kit::count(log.rows), small(ui), theme.t3, 90.0);
    let left = rect.left() + 34.0 + indent;
    let at = pos2(left, rect.center().y);
    paint_text(ui, at, Align2::LEFT_CENTER, &log.name, body(ui), ink, count.left() - left - 8.0);
    if response.clicked() {
        keep(state, std::slice::from_ref(&log.path), alone);
    }
    let hint = if alone { "click: all logs again" } else { "click: only this log" };
    response.on_hover_text(format!("{}\n{hint}", log.path));
}

fn head(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let text = match &state.requests.data {
        Some(data) => format!("{} of {}", kit::count(data.answer.rows.len()), kit::count(data.answer.all)),
        None => "reading…".to_owned(),
    };
    let is_filtered = !state.arrangement.requests.query.is_empty();
    if kit::filters_title(ui, theme, &text, &format!("{text} requests"), is_filtered) {
        state.act(Action::Requests(Wish::Query(triptych_store::RequestQuery::default())));
    }
}

/// Letters of path, action, user or error. One undo takes back all that was typed at once.
fn field(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let frame = egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 0, bottom: 6 });
    frame.show(ui, |ui| {
        let mut text = state.arrangement.requests.query.text.clone();
        let edit = egui::TextEdit::singleline(&mut text)
            .hint_text("Path, action, user, error")
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 5));
        let response = kit::field(ui, theme, edit, "Find in path, action, user or error");
        if response.gained_focus() || (response.changed() && state.requests.before_typing.is_none()) {
            state.requests.before_typing = Some(state.snapshot());
        }
        if response.changed() {
            state.arrangement.requests.query.text = text;
            state.saved = false;
        }
        if response.lost_focus()
            && let Some(before) = state.requests.before_typing.take()
            && before.arrangement != state.arrangement
        {
            state.undo.keep(before);
        }
    });
}

fn facets(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let Some(data) = state.requests.data.clone() else { return };
    egui::ScrollArea::vertical().id_salt("facets of requests").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for facet in &data.answer.facets {
            let filtered = state.arrangement.requests.query.filter(facet.column).is_some();
            if says_something(facet, filtered) {
                facet_ui(ui, state, theme, facet);
            }
        }
        let index = state.requests.index();
        if index.is_some_and(|index| !index.knows_clients()) {
            let (rect, _) =
                ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui)), Sense::hover());
            let at = kit::left(rect, 28.0);
            paint_text(
                ui,
                at,
                Align2::LEFT_CENTER,
                "reading the clients…",
                small(ui),
                theme.t3,
                rect.width() - 40.0,
            );
        }
    });
}

/// One value of users, hosts or repositories tells nothing.
fn says_something(facet: &RequestFacet, filtered: bool) -> bool {
    match facet.column {
        RequestColumn::Action | RequestColumn::Status | RequestColumn::Client => !facet.values.is_empty(),
        _ => facet.values.len() > 1 || filtered,
    }
}

/// `client, by sessions`: what is counted where that is not rows.
fn title(column: RequestColumn) -> &'static str {
    if column == RequestColumn::Client { "client, by sessions" } else { column.name() }
}

fn facet_ui(ui: &mut Ui, state: &mut State, theme: &Theme, facet: &RequestFacet) {
    let name = facet.column.name();
    let folded = state.requests.folded.contains(name);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(Role::DisclosureTriangle, true, !folded, format!("{name} filter"))
    });
    let icon = Rect::from_center_size(kit::left(rect, 17.0), Vec2::splat(11.0 * text_scale(ui)));
    paint_icon(ui.painter(), icon, if folded { Icon::Right } else { Icon::Down }, theme.t3);
    let font = FontId::new(small(ui).size, medium());
    let at = kit::left(rect, 28.0);
    paint_text(ui, at, Align2::LEFT_CENTER, title(facet.column), font, theme.t2, rect.width() - 80.0);
    widgets::focus_ring(ui, &response, rect.shrink2(vec2(4.0, 2.0)), theme);
    if response.clicked() && !state.requests.folded.remove(name) {
        state.requests.folded.insert(name);
    }
    if folded {
        return;
    }
    let whole = state.requests.whole.contains(name);
    let long = facet.values.len() > FEW + 2;
    let listed = if long && !whole { FEW } else { facet.values.len().min(500) };
    for value in facet.values.iter().take(listed) {
        value_row(ui, state, theme, facet.column, value);
    }
    if long {
        let rest = facet.values.len() - listed;
        let text = if whole { "show fewer".to_owned() } else { format!("{rest} more {name}s") };
        more_row(ui, state, theme, name, &text.replace("ys", "ies"));
    }
}

fn more_row(ui: &mut Ui, state: &mut State, theme: &Theme, name: &'static str, text: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui)), Sense::hover());
    let x = 12.0 + 13.0 * text_scale(ui) + 8.0;
    let width = ui.painter().layout_no_wrap(text.to_owned(), small(ui), theme.accent).size().x;
    let id = ui.scope_id().with(("more", name));
    if kit::link_at(ui, theme, kit::left(rect, x + width), text, text, id).clicked()
        && !state.requests.whole.remove(name)
    {
        state.requests.whole.insert(name);
    }
}

fn value_row(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    column: RequestColumn,
    value: &RequestFacetValue,
) {
    let text = words::value_text(column, &value.text);
    let name = format!("{} {text}", column.name());
    let (rect, response) = kit::row_as(ui, theme, row_height(ui), Role::CheckBox, value.on, &name);
    let scale = text_scale(ui);
    let check = Rect::from_center_size(kit::left(rect, 12.0 + 6.5 * scale), Vec2::splat(13.0 * scale));
    paint_check(ui, theme, check, value.on);
    let mut x = 12.0 + 13.0 * scale + 8.0;
    // Words among the statuses are errors of their own.
    let fails = |status: &str| !status.parse::<u16>().is_ok_and(|status| status < 400);
    let is_error = column == RequestColumn::Status && fails(&value.text);
    if column == RequestColumn::Action || is_error {
        let kind = if is_error { triptych_store::ActionKind::Error } else { action(&value.text).kind };
        rows::kind_mark(ui, theme, kit::left(rect, x + 5.0 * scale), kind);
        x += 17.0 * scale;
    }
    let none = value.count == 0;
    let at = kit::right(rect, size::EDGE);
    let ink = if none { theme.t4 } else { theme.t3 };
    let count = paint_text(ui, at, Align2::RIGHT_CENTER, &kit::count(value.count), small(ui), ink, 120.0);
    let ink = match (none, value.on) {
        (true, _) => theme.t4,
        (false, true) => theme.t1,
        (false, false) => theme.t3,
    };
    let only =
        only_link(ui, state, theme, column, value, &response, pos2(count.left() - 10.0, rect.center().y));
    let room = (if only { count.left() - 44.0 } else { count.left() - 8.0 }) - rect.left() - x;
    paint_text(ui, kit::left(rect, x), Align2::LEFT_CENTER, text, body(ui), ink, room);
    if response.clicked() {
        let text = value.text.clone();
        let action = changed(state, |query| query.toggle(column, &text));
        state.act(action);
    }
}

/// `only`, under the pointer and where the keyboard is; says whether it was shown.
fn only_link(
    ui: &Ui,
    state: &mut State,
    theme: &Theme,
    column: RequestColumn,
    value: &RequestFacetValue,
    row: &egui::Response,
    at: egui::Pos2,
) -> bool {
    let id = row.id.with("only");
    let focused = ui.memory(|memory| memory.has_focus(id));
    if !(row.contains_pointer() || row.has_focus() || focused) {
        return false;
    }
    let name = format!("Only {} {}", column.name(), words::value_text(column, &value.text));
    if kit::link_at(ui, theme, at, "only", &name, id).clicked() {
        let text = value.text.clone();
        let action = changed(state, |query| query.only(column, text));
        state.act(action);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_by_where_they_part() {
        for (folders, expect) in [
            (&["logs/a/x", "logs/a/y"][..], 6),
            (&["logs/a", "logs/ab"], 4),
            (&["logs", "logs/a"], 4),
            (&["a", "b"], 0),
            (&[], 0),
        ] {
            assert_eq!(common_folder(folders), expect, "{folders:?}");
        }
    }
}
