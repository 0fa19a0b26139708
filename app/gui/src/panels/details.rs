//! Details: what is selected, how sure, in its file, what differs.

mod cell;
mod content;
mod differs;
mod file;
mod several;
mod strip;
mod uncounted;

use super::kit;
use super::memory::{Kept, RawLines};
use crate::action::Action;
use crate::state::{Sheet, State};
use crate::theme::{Theme, size};
use crate::widgets::{
    ButtonKind, Icon, body, button_enabled, icon_button, named, row_height, small, text_scale,
};
pub(crate) use file::lines as raw_lines;

use content::{CellView, Content, RunLine, Same};
use egui::{Align, Layout, Role, Sense, Ui, WidgetInfo, vec2};
use std::sync::Arc;
use triptych_model::Key;
use triptych_report::{Comparison, Row, row_title, verdict_sentence};
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
    let lines = if stacked(ui) { 2.0 } else { 1.0 };
    let footer = (size::BUTTON * text_scale(ui).max(1.0) + 4.0) * lines + 16.0;
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
        Content::Cells(lines) => several::cells(ui, state, theme, comparison, lines),
        Content::Runs(runs) => several::runs(ui, state, theme, runs),
    }
}

fn cell_ui(ui: &mut Ui, state: &mut State, theme: &Theme, comparison: &Comparison, view: &CellView) {
    let Some(row) = comparison.rows.get(view.row) else { return };
    cell::headline(ui, theme, comparison, row, view);
    let sentence = verdict_sentence(comparison, row, view.cell);
    if !sentence.is_empty() {
        ui.add_space(2.0);
        kit::label(ui, sentence, body(ui), theme.t2);
    } else if view.cell == row.baseline && row.sides.len() > 1 {
        ui.add_space(2.0);
        kit::label(ui, "The baseline: the others are divided by it.", body(ui), theme.t3);
    }
    cell::printed(ui, theme, row, view.cell);
    let cells: Vec<usize> = view.other.into_iter().chain([view.cell]).collect();
    let lanes = strip::lanes(row, &cells, |name| comparison.variant(name));
    if !lanes.is_empty() {
        ui.add_space(8.0);
        strip::ui(ui, theme, &lanes, row.group.unit);
    }
    ui.add_space(6.0);
    cell::table(ui, state, theme, comparison, row, view);
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

/// Whether the buttons at the bottom need two lines.
fn stacked(ui: &Ui) -> bool {
    ui.available_width() / text_scale(ui) < 258.0
}

/// The main action: the selected runs once more, on this machine.
fn rerun_button(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let blocked = crate::commands::find("rerun").and_then(|command| (command.blocked)(state));
    let response = button_enabled(ui, theme, ButtonKind::Main, Some(Icon::Play), "Rerun…", blocked.is_none());
    if response.clicked() {
        state.act(Action::Command("rerun"));
    }
    response.on_hover_text(blocked.unwrap_or("measures the selected runs again on this machine"));
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
    let mut height = height;
    let stacked = stacked(ui);
    if stacked {
        height /= 2.0;
        ui.allocate_ui_with_layout(
            vec2(ui.available_width(), height),
            Layout::left_to_right(Align::Center),
            |ui| {
                ui.add_space(size::EDGE);
                rerun_button(ui, state, theme);
            },
        );
    }
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), height),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.set_min_height(height);
            ui.add_space(size::EDGE);
            if !stacked {
                rerun_button(ui, state, theme);
            }
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
