//! The table of files and conditions: a row a file, a dot for where each value was taken from, every
//! condition editable in place.

use super::draft::{CellEdit, Draft};
use super::outcome::FileRow;
use crate::panels::kit;
use crate::theme::Theme;
use crate::widgets::{body, paint_check, paint_text, row_height, small, text_scale};
use egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};
use triptych_model::{Key, Origin};

/// Where the columns stand, from the left edge of the table.
struct Columns {
    check: f32,
    path: f32,
    format: f32,
    keys: Vec<(Key, f32, f32)>,
    read: f32,
    width: f32,
}

fn columns(ui: &Ui, draft: &Draft, room: f32) -> Columns {
    let scale = text_scale(ui);
    let character = 7.0 * scale;
    let (check, path) = (12.0, 40.0 * scale.max(1.0));
    let format_width = 96.0 * scale;
    let read_width = 96.0 * scale;
    let keys: Vec<(Key, f32)> = draft
        .outcome
        .columns
        .iter()
        .map(|(key, longest)| {
            // Any file may say "unknown", numbers rarely do.
            let number = matches!(key, Key::Repetition | Key::Threads) && *longest > 0;
            let least = head(*key).len().max(if number { 0 } else { "unknown".len() });
            (*key, (*longest).clamp(least, 18) as f32 * character + 30.0 * scale)
        })
        .collect();
    let fixed = path + format_width + read_width + keys.iter().map(|(_, width)| width).sum::<f32>() + 24.0;
    let path_width = (room - fixed).max(220.0 * scale);
    let format = path + path_width;
    let mut x = format + format_width;
    let placed = keys
        .into_iter()
        .map(|(key, width)| {
            x += width;
            (key, x - width, width)
        })
        .collect();
    Columns { check, path, format, keys: placed, read: x, width: (x + read_width + 12.0).max(room) }
}

/// The head of a column.
fn head(key: Key) -> &'static str {
    match key {
        Key::Repetition => "rep.",
        Key::Format => "repo. format",
        _ => key.name(),
    }
}

/// Shows the table; says whether the draft's corrections changed.
pub fn ui(ui: &mut Ui, theme: &Theme, draft: &mut Draft, height: f32) -> bool {
    let mut changed = false;
    let words: Vec<String> = draft.filter.split_whitespace().map(str::to_lowercase).collect();
    let outcome = std::sync::Arc::clone(&draft.outcome);
    let fits = |row: &&FileRow| {
        let mut text = row.path.to_lowercase();
        for shown in row.cells.values() {
            text.push('\n');
            text.push_str(&shown.text.to_lowercase());
        }
        words.iter().all(|word| text.contains(word))
    };
    let rows: Vec<&FileRow> = if words.is_empty() {
        outcome.rows.iter().collect()
    } else {
        outcome.rows.iter().filter(fits).collect()
    };
    let frame = egui::Frame::new().stroke(Stroke::new(1.0, theme.line)).corner_radius(4.0);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let room = ui.available_width();
        let columns = columns(ui, draft, room);
        egui::ScrollArea::horizontal().id_salt("columns").auto_shrink(false).max_height(height).show(
            ui,
            |ui| {
                ui.set_width(columns.width);
                heads(ui, theme, &columns);
                let row = row_height(ui) + 1.0;
                let area = egui::ScrollArea::vertical()
                    .id_salt("files")
                    .auto_shrink(false)
                    .max_height((height - row).max(row));
                area.show_rows(ui, row, rows.len(), |ui, range| {
                    for file in rows.get(range).unwrap_or_default() {
                        changed |= file_row(ui, theme, draft, &columns, file, row);
                    }
                });
            },
        );
    });
    changed
}

fn heads(ui: &mut Ui, theme: &Theme, columns: &Columns) {
    let (rect, _) = ui.allocate_exact_size(vec2(columns.width, row_height(ui)), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, theme.s1);
    let text = |x: f32, text: &str| {
        paint_text(ui, kit::left(rect, x), Align2::LEFT_CENTER, text, small(ui), theme.t3, 200.0);
    };
    text(columns.path, "file");
    text(columns.format, "read as");
    for (key, x, _) in &columns.keys {
        text(*x, head(*key));
    }
    let right = kit::right(rect, 12.0);
    paint_text(ui, right, Align2::RIGHT_CENTER, "read", small(ui), theme.t3, 200.0);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme.line));
}

fn file_row(
    ui: &mut Ui,
    theme: &Theme,
    draft: &mut Draft,
    columns: &Columns,
    file: &FileRow,
    height: f32,
) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(columns.width, height), Sense::hover());
    let edited = draft.edit.as_ref().is_some_and(|edit| edit.path == file.path);
    if edited {
        ui.painter().rect_filled(rect, 0.0, theme.accent_ground);
    } else if response.contains_pointer() {
        ui.painter().rect_filled(rect, 0.0, theme.s1);
    }
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme.grid));
    let mut changed = !file.skipped && include_box(ui, theme, draft, columns, file, rect);
    let ink = match (file.included, file.skipped) {
        (false, _) => theme.t4,
        (true, true) => theme.t3,
        (true, false) => theme.t1,
    };
    kit::paint_path(ui, kit::left(rect, columns.path), &file.tail, ink, columns.format - columns.path - 12.0);
    let quiet = if file.included { theme.t2 } else { theme.t4 };
    let room = columns.keys.first().map_or(columns.read, |(_, x, _)| *x) - columns.format - 8.0;
    paint_text(ui, kit::left(rect, columns.format), Align2::LEFT_CENTER, &file.format, body(ui), quiet, room);
    for (key, x, width) in &columns.keys {
        let place = Rect::from_min_size(pos2(rect.left() + x, rect.top()), vec2(*width, height));
        changed |= cell(ui, theme, draft, file, *key, place);
    }
    let ink = match (file.included, file.doubtful) {
        (false, _) => theme.t4,
        (true, true) => theme.warning,
        (true, false) if file.skipped => theme.t3,
        (true, false) => theme.t1,
    };
    let read = paint_text(
        ui,
        kit::right(rect, 12.0),
        Align2::RIGHT_CENTER,
        &file.read,
        body(ui),
        ink,
        rect.right() - columns.read,
    );
    if file.doubtful && file.included {
        kit::severity_mark(
            ui,
            pos2(read.left() - 11.0, rect.center().y),
            triptych_model::Severity::Warning,
            theme,
        );
    }
    changed
}

fn include_box(
    ui: &Ui,
    theme: &Theme,
    draft: &mut Draft,
    columns: &Columns,
    file: &FileRow,
    rect: Rect,
) -> bool {
    let place =
        Rect::from_center_size(kit::left(rect, columns.check + 7.0), Vec2::splat(14.0 * text_scale(ui)));
    let response =
        ui.interact(place.expand(3.0), ui.scope_id().with(("include", &file.path)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(Role::CheckBox, true, file.included, format!("Count {}", file.tail))
    });
    paint_check(ui, theme, place, file.included);
    crate::widgets::focus_ring(ui, &response, place, theme);
    if response.clicked() {
        if file.included {
            draft.corrections.excluded.insert(file.path.clone());
        } else {
            draft.corrections.excluded.remove(&file.path);
        }
    }
    response.clicked()
}

/// The dot of an origin: filled where something says it, hollow for a default.
pub fn origin_dot(ui: &Ui, theme: &Theme, at: egui::Pos2, origin: Origin) {
    let radius = 2.6 * text_scale(ui);
    match origin {
        Origin::Path => ui.painter().circle_filled(at, radius, theme.accent),
        Origin::Content => ui.painter().circle_filled(at, radius, theme.svnserve),
        Origin::Yours => ui.painter().circle_filled(at, radius, theme.warning),
        Origin::Default => ui.painter().circle_stroke(at, radius, Stroke::new(1.0, theme.t3)),
    };
}

/// What an origin is called in the legend and by screen readers.
pub fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Path => "from the path",
        Origin::Content => "from the content",
        Origin::Yours => "yours",
        Origin::Default => "default",
    }
}

fn cell(ui: &mut Ui, theme: &Theme, draft: &mut Draft, file: &FileRow, key: Key, place: Rect) -> bool {
    if draft.edit.as_ref().is_some_and(|edit| edit.path == file.path && edit.key == key) {
        return editor(ui, theme, draft, place);
    }
    let known = file.cells.get(&key);
    let (value, origin) = known.map_or(("", Origin::Default), |known| (known.text.as_str(), known.origin));
    // Of several values none is the one to start from.
    let one = if known.is_some_and(|known| known.several) { "" } else { value };
    let shown = if value.is_empty() { "unknown" } else { value };
    let sense = if file.runs.is_empty() { Sense::hover() } else { Sense::click() };
    let response = ui.interact(place.shrink2(vec2(2.0, 1.0)), ui.scope_id().with((&file.path, key)), sense);
    let name = format!("{} {shown}, {} of {}", key.name(), origin_name(origin), file.tail);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, !file.runs.is_empty(), &name));
    if file.runs.is_empty() {
        return false;
    }
    if response.hovered() {
        ui.painter().rect_stroke(response.rect, 3.0, Stroke::new(1.0, theme.line2), StrokeKind::Inside);
    }
    crate::widgets::focus_ring(ui, &response, response.rect, theme);
    let scale = text_scale(ui);
    origin_dot(ui, theme, kit::left(place, 6.0 * scale), origin);
    let ink = if !file.included {
        theme.t4
    } else if origin == Origin::Default || value.is_empty() {
        theme.t3
    } else {
        theme.t1
    };
    paint_text(
        ui,
        kit::left(place, 14.0 * scale),
        Align2::LEFT_CENTER,
        shown,
        body(ui),
        ink,
        place.width() - 20.0 * scale,
    );
    let begin = |draft: &mut Draft, everywhere: bool| {
        draft.edit = Some(CellEdit {
            path: file.path.clone(),
            key,
            before: one.to_owned(),
            runs: file.runs.clone(),
            text: one.to_owned(),
            everywhere,
            fresh: true,
            hold: Rect::NOTHING,
        });
    };
    if response.clicked() {
        let changed = draft.finish_edit();
        begin(draft, false);
        return changed;
    }
    cell_menu(&response, draft, file, key, (one, origin), begin)
}

fn cell_menu(
    response: &egui::Response,
    draft: &mut Draft,
    file: &FileRow,
    key: Key,
    (value, origin): (&str, Origin),
    begin: impl Fn(&mut Draft, bool),
) -> bool {
    let mut changed = false;
    response.context_menu(|ui| {
        if ui.button("Edit").clicked() {
            begin(draft, false);
            ui.close();
        }
        if !value.is_empty() && ui.button("Rename everywhere…").clicked() {
            begin(draft, true);
            ui.close();
        }
        if origin == Origin::Yours && ui.button("As guessed").clicked() {
            draft.forget(&file.runs, key);
            changed = true;
            ui.close();
        }
    });
    changed
}

/// The field in place of a cell. Enter and leaving it take the text in, Escape forgets it.
fn editor(ui: &mut Ui, theme: &Theme, draft: &mut Draft, place: Rect) -> bool {
    let Some(edit) = &mut draft.edit else { return false };
    let name = if edit.everywhere {
        format!("New name of {} everywhere", edit.before)
    } else {
        format!("New {}", edit.key.name())
    };
    ui.painter().rect_filled(place.shrink(1.0), 4.0, theme.s2);
    ui.painter().rect_stroke(place.shrink(1.0), 4.0, Stroke::new(2.0, theme.accent), StrokeKind::Inside);
    let field = egui::TextEdit::singleline(&mut edit.text)
        .id(ui.scope_id().with("cell editor"))
        .frame(egui::Frame::NONE)
        .margin(egui::Margin::ZERO)
        .align(Align2::LEFT_CENTER)
        .font(body(ui));
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(place.shrink2(vec2(7.0, 2.0))));
    inside.spacing_mut().interact_size.y = place.height() - 4.0;
    let response = inside.add(field).accessible_name(name);
    if edit.fresh {
        edit.fresh = false;
        response.request_focus();
        return false;
    }
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        draft.edit = None;
        return false;
    }
    let held = ui.input(|input| input.pointer.latest_pos()).is_some_and(|at| edit.hold.contains(at));
    let pressed = |key| ui.input(|input| input.key_pressed(key));
    if response.lost_focus() && (!held || pressed(egui::Key::Enter) || pressed(egui::Key::Tab)) {
        return draft.finish_edit();
    }
    false
}
