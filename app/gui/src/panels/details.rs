//! Details: what is selected, how sure, in its file, what differs.

mod content;
mod differs;
mod file;
mod strip;
mod uncounted;

use super::kit;
use super::memory::{Kept, RawLines};
use crate::action::Action;
use crate::state::{Sheet, State};
use crate::theme::{Theme, size};
use crate::widgets::{
    ButtonKind, Icon, body, button_enabled, icon_button, named, paint_text, row_height, small, text_scale,
};
use content::{CellLine, CellView, Content, RunLine, Same};
use egui::{Align, Align2, Layout, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;
use triptych_analysis::INDICATION_BELOW;
use triptych_model::{Key, Severity};
use triptych_report::{Comparison, Row, numbers, row_title, verdict_sentence};
use triptych_store::RunIndex;

/// What Details remembers.
#[derive(Default)]
pub struct DetailsMemory {
    /// The lines read last.
    pub(super) lines: Option<Arc<RawLines>>,
    /// Generation, source and line asked for last.
    asked: Option<(u64, u32, u32)>,
    /// Which run of the selection stands under "In its file".
    run: usize,
    /// Whether equal facts are listed too.
    equal: bool,
    /// The reason being typed for runs left out: the old one and the text.
    reason: Option<(String, String)>,
    content: Kept<(u64, Vec<RunIndex>, Same), Content>,
    last: Vec<RunIndex>,
}

/// Shows the panel.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    let comparison = Arc::clone(&state.comparison);
    let key = (state.store.generation(), state.selection.clone(), Same(Arc::clone(&comparison)));
    let store = Arc::clone(&state.store);
    let content = state.panels.details.content.get(key, |(_, runs, same)| Content::of(&store, &same.0, runs));
    if state.panels.details.last != state.selection {
        state.panels.details.last = state.selection.clone();
        state.panels.details.run = match &*content {
            Content::Cell(view) => view.single.unwrap_or(0),
            _ => 0,
        };
    }
    header(ui, state, &theme);
    let footer = size::BUTTON * text_scale(ui).max(1.0) + 20.0;
    let height = (ui.available_height() - footer).max(60.0);
    egui::ScrollArea::vertical().id_salt("details").auto_shrink(false).max_height(height).show(ui, |ui| {
        egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 0, bottom: 12 }).show(
            ui,
            |ui| {
                ui.set_width(ui.available_width());
                body_ui(ui, state, &theme, &comparison, &content);
            },
        );
    });
    footer_ui(ui, state, &theme, &comparison, &content, footer);
}

fn header(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let height = size::HEADER.max(row_height(ui) + 8.0);
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), height),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.set_min_height(height);
            ui.add_space(size::EDGE);
            kit::title(ui, theme, "Details", "");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(size::CELL);
                if icon_button(ui, theme, Icon::Close, "Close Details", true).clicked() {
                    state.act(Action::Command("details-panel"));
                }
            });
        },
    );
}

fn body_ui(ui: &mut Ui, state: &mut State, theme: &Theme, comparison: &Comparison, content: &Content) {
    match content {
        Content::Nothing => {
            if state.shown_source.is_none() {
                kit::label(ui, "Nothing is selected", named(ui), theme.t1);
                let text = "Click a bar, a point or a cell: its runs, its lines in the file and what differs appear here.";
                kit::label(ui, text, body(ui), theme.t3);
            }
            in_file(ui, state, theme, &[]);
        }
        Content::Cell(view) => cell_ui(ui, state, theme, comparison, view),
        Content::Cells(lines) => cells_ui(ui, state, theme, comparison, lines),
        Content::Runs(runs) => runs_ui(ui, state, theme, runs),
    }
}

fn cell_ui(ui: &mut Ui, state: &mut State, theme: &Theme, comparison: &Comparison, view: &CellView) {
    let Some(row) = comparison.rows.get(view.row) else { return };
    headline(ui, theme, comparison, row, view);
    let sentence = verdict_sentence(comparison, row, view.cell);
    if !sentence.is_empty() {
        ui.add_space(2.0);
        kit::label(ui, sentence, body(ui), theme.t2);
    } else if view.cell == row.baseline && row.sides.len() > 1 {
        ui.add_space(2.0);
        kit::label(ui, "The baseline: the others are divided by it.", body(ui), theme.t3);
    }
    printed(ui, theme, row, view.cell);
    let cells: Vec<usize> = view.other.into_iter().chain([view.cell]).collect();
    let lanes = strip::lanes(row, &cells, |name| comparison.variant(name));
    if !lanes.is_empty() {
        ui.add_space(8.0);
        strip::ui(ui, theme, &lanes, row.group.unit);
    }
    ui.add_space(6.0);
    table(ui, state, theme, comparison, row, view);
    uncounted::ui(ui, state, theme, &view.runs);
    section(ui, theme);
    in_file(ui, state, theme, &view.runs);
    if !view.differences.is_empty() {
        section(ui, theme);
        differs::ui(ui, state, theme, comparison, row, view);
    }
}

/// Space, a line, space: between the parts of the panel.
fn section(ui: &mut Ui, theme: &Theme) {
    ui.add_space(8.0);
    kit::separator(ui, theme);
    ui.add_space(4.0);
}

/// Who and what, the value, the ratio with its verdict.
fn headline(ui: &mut Ui, theme: &Theme, comparison: &Comparison, row: &Row, view: &CellView) {
    let name = row.name(view.cell).unwrap_or_default();
    let scale = text_scale(ui);
    let title = format!("{}, {}", row_title(row), row.group.metric);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), row_height(ui)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("{name}, {title}")));
    kit::variant_mark(ui, kit::left(rect, 6.0 * scale), comparison.variant(name), theme);
    let shown = paint_text(
        ui,
        kit::left(rect, 17.0 * scale),
        Align2::LEFT_CENTER,
        name,
        named(ui),
        theme.t1,
        rect.width() * 0.5,
    );
    let left = shown.right() + 8.0;
    paint_text(
        ui,
        pos2(left, rect.center().y),
        Align2::LEFT_CENTER,
        &title,
        small(ui),
        theme.t2,
        rect.right() - left,
    );
    response.on_hover_text(&title);

    let height = (24.0 * scale * 1.35).round();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let side = row.sides.get(view.cell);
    let ratio = side.and_then(|side| side.ratio).map(numbers::ratio);
    let verdict = side.and_then(|side| side.verdict);
    let mut spoken = format!("{}, {}", view.figure, view.kind);
    if let Some(ratio) = &ratio {
        spoken.push_str(&format!(", ratio {ratio}"));
    }
    if let Some(verdict) = verdict {
        spoken.push_str(&format!(", {verdict}"));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    let mut right = rect.right();
    if let Some(ratio) = ratio {
        let mut ink = theme.t2;
        if let Some(verdict) = verdict {
            let (marker, colour) = kit::verdict_mark(verdict);
            ink = theme.ink(colour);
            let few = side.is_some_and(|side| side.n < INDICATION_BELOW);
            let fill = few.then_some(theme.s1);
            crate::painter::mark(
                ui.painter(),
                pos2(right - 6.0 * scale, rect.center().y),
                marker,
                5.0 * scale,
                ink,
                fill,
            );
        }
        right -= 18.0 * scale;
        let font = egui::TextStyle::Heading.resolve(ui.style());
        right = paint_text(ui, pos2(right, rect.center().y), Align2::RIGHT_CENTER, &ratio, font, ink, 120.0)
            .left()
            - 8.0;
    }
    let room = right - rect.left();
    let value = paint_text(
        ui,
        kit::left(rect, 0.0),
        Align2::LEFT_CENTER,
        &view.figure,
        kit::figure(ui),
        theme.t1,
        room,
    );
    let left = value.right() + 10.0;
    paint_text(
        ui,
        pos2(left, rect.center().y + 3.0 * scale),
        Align2::LEFT_CENTER,
        &view.kind,
        body(ui),
        theme.t3,
        right - left,
    );
}

/// The ratio as its author printed it, with a warning where it contradicts the times.
fn printed(ui: &mut Ui, theme: &Theme, row: &Row, cell: usize) {
    let Some(ratio) = row.name(cell).and_then(|name| row.printed_ratio(name)) else { return };
    let computed =
        row.sides.get(cell).and_then(|side| side.ratio).map(numbers::list_ratio).unwrap_or_default();
    let (text, ink) = if ratio.inconsistent {
        (format!("Printed as {}, but the printed times give {computed}.", ratio.raw.trim()), theme.warning)
    } else {
        (format!("Printed as {}.", ratio.raw.trim()), theme.t3)
    };
    kit::label(ui, text, body(ui), ink);
}

/// Metric by baseline and variant.
fn table(ui: &mut Ui, state: &mut State, theme: &Theme, comparison: &Comparison, row: &Row, view: &CellView) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let column = width * 0.32;
    let height = (19.0 * text_scale(ui)).round();
    let (rect, _) = ui.allocate_exact_size(vec2(width, height + 2.0), Sense::hover());
    for (index, cell) in [view.other, Some(view.cell)].into_iter().enumerate() {
        let Some(name) = cell.and_then(|cell| row.name(cell)) else { continue };
        let at = kit::right(rect, column * (1 - index) as f32);
        strip::side_head(ui, theme, at, name, comparison.variant(name), column - 8.0);
    }
    for [name, other, own] in &view.lines {
        let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {other} {own}")));
        paint_text(ui, kit::left(rect, 0.0), Align2::LEFT_CENTER, name, body(ui), theme.t2, width * 0.36);
        let failed = name == "failed" && own != "0";
        let ink = if name == "range" { theme.t2 } else { theme.t1 };
        let font = if name == "range" { small(ui) } else { body(ui) };
        paint_text(
            ui,
            kit::right(rect, column),
            Align2::RIGHT_CENTER,
            other,
            font.clone(),
            theme.t2,
            column - 8.0,
        );
        let mut right = kit::right(rect, 0.0);
        if failed {
            let runs: Vec<RunIndex> = view
                .runs
                .iter()
                .filter(|line| line.failure.is_some() && !line.counts)
                .map(|line| line.run)
                .collect();
            let show = kit::link_at(
                ui,
                theme,
                right,
                "show",
                "Show the failed runs",
                ui.scope_id().with("show failed"),
            );
            right.x = show.rect.left() - 4.0;
            if show.clicked() && !runs.is_empty() {
                state.panels.details.run =
                    view.runs.iter().position(|line| runs.contains(&line.run)).unwrap_or(0);
                state.shown_source_reset();
            }
        }
        let value = paint_text(ui, right, Align2::RIGHT_CENTER, own, font, ink, column - 8.0);
        if failed {
            kit::severity_mark(ui, pos2(value.left() - 10.0, rect.center().y), Severity::Error, theme);
        }
    }
    let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "noise floor: no A/A pair here"));
    paint_text(
        ui,
        kit::left(rect, 0.0),
        Align2::LEFT_CENTER,
        "noise floor",
        body(ui),
        theme.t2,
        width * 0.36,
    );
    paint_text(
        ui,
        kit::right(rect, 0.0),
        Align2::RIGHT_CENTER,
        "no A/A pair here",
        body(ui),
        theme.t3,
        width * 0.6,
    );
    ui.spacing_mut().item_spacing.y = 4.0;
}

/// The raw lines with their path, and the way to the next run of the selection.
fn in_file(ui: &mut Ui, state: &mut State, theme: &Theme, runs: &[RunLine]) {
    let index = if runs.is_empty() { 0 } else { state.panels.details.run % runs.len() };
    let shown = state.shown_source.clone().and_then(|(path, line)| {
        let index = state.store.sources().iter().position(|source| source.path() == path)?;
        Some((u32::try_from(index).ok()?, line.max(1)))
    });
    let Some((source, line)) = shown.or_else(|| runs.get(index).map(|run| run.place)) else { return };
    let Some(known) = state.store.sources().get(source as usize) else { return };
    let (path, file) = (known.path().to_owned(), known.file.clone());
    let words = if shown.is_some() || runs.is_empty() {
        format!("line {line}")
    } else {
        format!("run {} of {}", index + 1, runs.len())
    };
    ui.horizontal(|ui| {
        kit::label(ui, "In its file", egui::FontId::new(small(ui).size, crate::theme::semibold()), theme.t2);
        kit::label(ui, words, small(ui), theme.t3);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(file) = file.as_ref().and_then(|file| std::path::absolute(file).ok()) {
                if kit::named_link(ui, theme, "open", "Open the file").clicked() {
                    ui.ctx().open_url(egui::OpenUrl::new_tab(format!("file://{}", file.display())));
                }
            } else if kit::named_link(ui, theme, "copy path", "Copy the path").clicked() {
                state.act(Action::Copy { text: path.clone(), what: "the path".to_owned() });
            }
            if runs.len() > 1 {
                for (text, name, step) in
                    [("next", "Next run", 1), ("previous", "Previous run", runs.len() - 1)]
                {
                    if kit::named_link(ui, theme, text, name).clicked() {
                        state.panels.details.run = (index + step) % runs.len();
                        state.shown_source_reset();
                    }
                }
            }
        });
    });
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 18.0 * text_scale(ui)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &path));
    kit::paint_path(ui, kit::left(rect, 0.0), &path, theme.t2, rect.width());
    response.context_menu(|ui| {
        if ui.button("Copy the path").clicked() {
            state.act(Action::Copy { text: path.clone(), what: "the path".to_owned() });
            ui.close();
        }
    });
    response.on_hover_text(&path);
    file::well(ui, state, theme, source, line);
}

/// Several cells: a line each.
fn cells_ui(ui: &mut Ui, state: &mut State, theme: &Theme, comparison: &Comparison, lines: &[CellLine]) {
    let runs: usize = lines.iter().map(|line| line.runs.len()).sum();
    kit::label(
        ui,
        format!("{}, {}", kit::counted(lines.len(), "cell", "cells"), kit::counted(runs, "run", "runs")),
        named(ui),
        theme.t1,
    );
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 0.0;
    for line in lines.iter().take(60) {
        let Some(row) = comparison.rows.get(line.row) else { continue };
        let Some(side) = row.sides.get(line.cell) else { continue };
        let name = row.name(line.cell).unwrap_or_default();
        let value = side.median.map(|median| numbers::with_unit(median, row.group.unit)).unwrap_or_default();
        let title = row_title(row);
        let (rect, response) =
            kit::row(ui, theme, row_height(ui), false, &format!("{name}, {title}, {value}"));
        let scale = text_scale(ui);
        kit::variant_mark(ui, kit::left(rect, 6.0 * scale), comparison.variant(name), theme);
        let shown = paint_text(
            ui,
            kit::left(rect, 17.0 * scale),
            Align2::LEFT_CENTER,
            name,
            body(ui),
            theme.t1,
            rect.width() * 0.35,
        );
        let mut right = rect.right();
        if let (Some(ratio), Some(verdict)) = (side.ratio, side.verdict) {
            let (marker, ink) = kit::verdict_mark(verdict);
            let fill = (side.n < INDICATION_BELOW).then_some(theme.s1);
            crate::painter::mark(
                ui.painter(),
                pos2(right - 6.0, rect.center().y),
                marker,
                4.0 * scale,
                theme.ink(ink),
                fill,
            );
            let text = numbers::ratio(ratio);
            right = paint_text(
                ui,
                kit::right(rect, 16.0),
                Align2::RIGHT_CENTER,
                &text,
                body(ui),
                theme.ink(ink),
                60.0,
            )
            .left()
                - 8.0;
        }
        right = paint_text(
            ui,
            pos2(right, rect.center().y),
            Align2::RIGHT_CENTER,
            &value,
            body(ui),
            theme.t1,
            90.0,
        )
        .left()
            - 8.0;
        let left = shown.right() + 8.0;
        paint_text(
            ui,
            pos2(left, rect.center().y),
            Align2::LEFT_CENTER,
            &title,
            small(ui),
            theme.t3,
            right - left,
        );
        if response.clicked() {
            state.act(Action::Select(line.runs.clone()));
        }
    }
    ui.spacing_mut().item_spacing.y = 4.0;
    if state.shown_source.is_some() {
        section(ui, theme);
        in_file(ui, state, theme, &[]);
    }
}

/// Runs that are in no triple: each with its values.
fn runs_ui(ui: &mut Ui, state: &mut State, theme: &Theme, runs: &[RunLine]) {
    let index = if runs.is_empty() { 0 } else { state.panels.details.run % runs.len() };
    if let Some(run) = runs.get(index) {
        kit::label(ui, &run.title, named(ui), theme.t1);
        if let Some(failure) = &run.failure {
            kit::label(ui, failure, crate::widgets::mono(ui), theme.failed);
        }
        ui.add_space(2.0);
        egui::Grid::new("values of a run").num_columns(2).spacing(vec2(16.0, 2.0)).show(ui, |ui| {
            for (name, value) in &run.values {
                kit::label(ui, name, body(ui), theme.t2);
                kit::label(ui, value, body(ui), theme.t1);
                ui.end_row();
            }
        });
    }
    section(ui, theme);
    in_file(ui, state, theme, runs);
}

/// Buttons at the bottom, always there.
fn footer_ui(
    ui: &mut Ui,
    state: &mut State,
    theme: &Theme,
    comparison: &Comparison,
    content: &Content,
    height: f32,
) {
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), height),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.set_min_height(height);
            ui.add_space(size::EDGE);
            let tile = comparable_tile(state);
            let response =
                button_enabled(ui, theme, ButtonKind::Outline, None, "Compare with…", tile.is_some());
            if response.clicked()
                && let Some(tile) = tile
            {
                state.act(Action::Sheet(Some(Sheet::Compare { tile })));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_space(size::EDGE);
                let text = spoken(comparison, content);
                if icon_button(ui, theme, Icon::Copy, "Copy Details as text", text.is_some()).clicked()
                    && let Some(text) = text
                {
                    state.act(Action::Copy { text, what: "the details".to_owned() });
                }
            });
        },
    );
}

/// The tile that a comparison goes beside: the one with triples, else the first.
fn comparable_tile(state: &State) -> Option<u64> {
    let tiles = &state.arrangement.tiles;
    tiles
        .panes()
        .find(|tile| tile.view == "triples")
        .or_else(|| tiles.panes().min_by_key(|tile| tile.id))
        .map(|tile| tile.id)
}

/// What Details says, for the clipboard.
fn spoken(comparison: &Comparison, content: &Content) -> Option<String> {
    let line = |row: &Row| {
        let campaign = row.condition(Key::Campaign).unwrap_or_default();
        let names: Vec<&str> = row.group.cells.iter().map(|cell| cell.name.as_str()).collect();
        let remarks = triptych_report::remarks(row);
        let tail = if remarks.is_empty() { String::new() } else { format!("  ({})", remarks.join("; ")) };
        format!(
            "{campaign}: {}, {} of {}\n{}{tail}\n",
            row_title(row),
            row.group.metric,
            names.join(" / "),
            triptych_report::notation(row)
        )
    };
    match content {
        Content::Nothing => None,
        Content::Cell(view) => {
            let row = comparison.rows.get(view.row)?;
            let sentence = verdict_sentence(comparison, row, view.cell);
            Some(format!("{}{sentence}\n", line(row)).replace("\n\n", "\n"))
        }
        Content::Cells(lines) => {
            let mut rows: Vec<usize> = lines.iter().map(|line| line.row).collect();
            rows.dedup();
            Some(rows.into_iter().filter_map(|row| comparison.rows.get(row)).map(line).collect())
        }
        Content::Runs(runs) => Some(
            runs.iter()
                .map(|run| {
                    let values: Vec<String> =
                        run.values.iter().map(|(name, value)| format!("{name} {value}")).collect();
                    format!("{}: {}\n", run.title, values.join(", "))
                })
                .collect(),
        ),
    }
}

impl State {
    /// Lets Details follow the selection again instead of a line that was asked for.
    fn shown_source_reset(&mut self) {
        if self.shown_source.is_some() {
            let selection = self.selection.clone();
            self.act(Action::Select(selection));
        }
    }
}
