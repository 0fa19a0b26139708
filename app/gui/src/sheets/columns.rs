//! The import sheet of a table that no format knows: what each column means and in which unit, with
//! the first rows as they will be read. The answer is kept with the source, and for equal headers.

mod draft;
mod rows;

pub use draft::{Draft, Found};

use super::form;
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{ButtonKind, body, button, button_enabled, paint_text, row_height, small, text_scale};
use draft::Table;
use egui::{Align2, Rect, Role, Sense, Ui, WidgetInfo, vec2};
use triptych_model::{Decimal, Meaning, Severity};

/// Shows the sheet for a source.
pub fn ui(ctx: &egui::Context, state: &mut State, source: &str) {
    if state.sheets.columns.as_ref().is_none_or(|draft| draft.source != source) {
        state.sheets.columns = Some(Draft::new(state, source));
    }
    let Some(mut draft) = state.sheets.columns.take() else { return };
    let name = source.rsplit('/').next().unwrap_or(source);
    let title = format!("Import {name}");
    let rows: usize = draft.tables.iter().map(|table| table.found.count).sum();
    let about = match draft.tables.len() {
        0 => String::new(),
        1 => format!("a table of {}, in no known format", kit::counted(rows, "row", "rows")),
        tables => {
            format!("{tables} tables of {} in all, in no known format", kit::counted(rows, "row", "rows"))
        }
    };
    super::show(ctx, state, vec2(1180.0, 760.0), [&title, &about], false, |ui, state, theme| {
        content(ui, state, theme, &mut draft);
    });
    state.sheets.columns = Some(draft);
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let footer = form::footer_height(ui);
    let room = Rect::from_min_max(
        ui.available_rect_before_wrap().min,
        ui.available_rect_before_wrap().max - vec2(0.0, footer),
    );
    ui.scope_builder(egui::UiBuilder::new().max_rect(room).id_salt("columns"), |ui| {
        ui.set_clip_rect(room.intersect(ui.clip_rect()));
        super::inner(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            if let Some(error) = &draft.error {
                form::remark(ui, theme, Severity::Error, error, "Close this and look at the source");
            } else if draft.is_shown() {
                parts(ui, theme, draft);
            }
        });
    });
    ui.advance_cursor_after_rect(room);
    footer_ui(ui, state, theme, draft);
}

/// The columns above, what will be read below.
fn parts(ui: &mut Ui, theme: &Theme, draft: &mut Draft) {
    let mut changed = false;
    if draft.tables.len() > 1 {
        choose_table(ui, draft);
    }
    let chosen = draft.chosen;
    let Some(table) = draft.tables.get_mut(chosen) else { return };
    form::section(ui, theme, "Columns", "say what they mean; nothing is guessed while it is read");
    let row = form::line_height(ui) + 4.0;
    let wanted = row * table.found.header.len() as f32 + row_height(ui) + 12.0;
    let most = ui.available_height() * 0.6;
    egui::Frame::new().fill(theme.s1).corner_radius(4.0).inner_margin(egui::Margin::symmetric(12, 6)).show(
        ui,
        |ui| {
            let area = egui::ScrollArea::both().id_salt(("columns", chosen)).auto_shrink([false, true]);
            area.max_height(wanted.min(most)).show(ui, |ui| changed |= rows::ui(ui, theme, table));
        },
    );
    if table.found.asks_decimal {
        changed |= decimal(ui, theme, table);
    }
    if changed {
        draft.changed();
    }
    preview(ui, theme, draft);
}

fn choose_table(ui: &mut Ui, draft: &mut Draft) {
    let name = |index: usize, table: &Table| {
        format!("{}: line {}, {}", index + 1, table.found.line, table.found.header.join(", "))
    };
    let names: Vec<String> =
        draft.tables.iter().enumerate().map(|(index, table)| name(index, table)).collect();
    let options: Vec<&str> = names.iter().map(String::as_str).collect();
    let shown = names.get(draft.chosen).map_or("", String::as_str);
    let width = 420.0 * text_scale(ui);
    if let Some(choice) = form::choose(ui, "Table", shown, &options, ("which table", width)) {
        draft.chosen = names.iter().position(|name| name == choice).unwrap_or(0);
    }
}

/// `1,234` may be either; the user says which.
fn decimal(ui: &mut Ui, theme: &Theme, table: &mut Table) -> bool {
    let mut changed = false;
    form::line(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, row_height(ui)), Sense::hover());
        kit::severity_mark(ui, rect.center(), Severity::Warning, theme);
        kit::label(ui, "A comma in a number", body(ui), theme.t1);
        for (decimal, text) in [
            (Decimal::Point, "groups thousands, 1,234 is 1234"),
            (Decimal::Comma, "is decimal, 1,234 is 1.234"),
        ] {
            if form::radio(ui, theme, table.decimal == Some(decimal), text, text).clicked() {
                table.decimal = Some(decimal);
                changed = true;
            }
        }
    });
    changed
}

/// What would be read of the first rows, and what could not be.
fn preview(ui: &mut Ui, theme: &Theme, draft: &Draft) {
    let data = &draft.preview;
    form::section(ui, theme, "As it will be read", "");
    if !draft.answers().iter().any(triptych_model::TableMeaning::gives_values) {
        form::remark(
            ui,
            theme,
            Severity::Note,
            "No column gives values yet",
            "Choose “value” for at least one column",
        );
        return;
    }
    let wrong: Vec<_> = data.problems.iter().filter(|one| one.severity >= Severity::Warning).collect();
    if let Some(first) = wrong.iter().find(|one| one.kind != triptych_model::ProblemKind::Asked) {
        let unread = data.measurements.iter().filter(|row| row.value.is_none()).count();
        let text = format!("line {}: {}", first.line.unwrap_or(1), first.sentence());
        form::remark(
            ui,
            theme,
            Severity::Warning,
            &text,
            &format!("{} without a value", kit::counted(unread, "cell", "cells")),
        );
    }
    let height = row_height(ui);
    let width = ui.available_width();
    let places = [0.0, 0.07, 0.56, 0.72, 0.85].map(|share| share * width);
    line(
        ui,
        theme.t3,
        height,
        &places,
        &["line", "run", "metric", "as it stands", "value"].map(str::to_owned),
    );
    let rows = &data.measurements;
    let area = egui::ScrollArea::vertical().id_salt("read").auto_shrink([false, false]);
    area.show_rows(ui, height, rows.len(), |ui, range| {
        for row in rows.get(range).unwrap_or_default() {
            let value = match row.value {
                // All its digits: what was misread by a factor shall be seen.
                Some(value) => format!("{value} {}", row.unit),
                None => "no value".to_owned(),
            };
            let metric = match &row.process {
                triptych_model::Process::Client => row.metric.clone(),
                process => format!("{} of {process}", row.metric),
            };
            let cells =
                [row.line.to_string(), draft::conditions(data, row.run), metric, row.raw.clone(), value];
            let ink = if row.value.is_some() { theme.t1 } else { theme.warning };
            line(ui, ink, height, &places, &cells);
        }
    });
}

/// One line of the preview.
fn line(ui: &mut Ui, ink: egui::Color32, height: f32, places: &[f32; 5], cells: &[String; 5]) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, cells.join(" \u{b7} ")));
    for (index, text) in cells.iter().enumerate() {
        let start = places.get(index).copied().unwrap_or(0.0);
        let end = places.get(index + 1).copied().unwrap_or(rect.width());
        paint_text(ui, kit::left(rect, start), Align2::LEFT_CENTER, text, body(ui), ink, end - start - 12.0);
    }
}

fn footer_ui(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) {
    let mut kept = (state, draft);
    form::footer(
        ui,
        theme,
        &mut kept,
        |ui, (_, draft)| {
            let text = "Remember for tables with this header";
            if form::check(ui, theme, draft.remember, text, text).clicked() {
                draft.remember = !draft.remember;
            }
        },
        |ui, (state, draft)| {
            let answers = draft.answers();
            let runs = draft.preview.runs.len();
            let text = match (draft.whole, runs) {
                (_, 0) => "Import".to_owned(),
                (true, runs) => format!("Import {}", kit::counted(runs, "run", "runs")),
                (false, _) => "Import all runs".to_owned(),
            };
            let ready = draft.preview.measurements.iter().any(|row| row.value.is_some());
            if button_enabled(ui, theme, ButtonKind::Main, None, &text, ready).clicked() {
                let (source, remember) = (draft.source.clone(), draft.remember);
                state.act(Action::ExplainTables { source, tables: answers, remember });
                state.act(Action::Sheet(None));
            }
            if button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked() {
                state.act(Action::Sheet(None));
            }
            let asked = draft.tables.iter().flat_map(|table| table.asked.iter().zip(&table.meanings));
            let asked = asked.filter(|(asked, meaning)| **asked && **meaning != Meaning::Ignored).count();
            if asked > 0 {
                let text = format!("{} only supposed", kit::counted(asked, "column is", "columns are"));
                kit::label(ui, text, small(ui), theme.warning);
            }
        },
    );
}
