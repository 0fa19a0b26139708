//! The path pattern: a field whose keys are underlined like the parts of an example and of its reading.

use super::draft::Draft;
use super::outcome::Example;
use crate::panels::kit;
use crate::theme::Theme;
use crate::widgets::{
    ButtonKind, Icon, body, button, mono, named, paint_icon, paint_text, small, text_scale,
};
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Align2, Color32, Layout, Rect, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};
use std::ops::Range;
use triptych_import::Pattern;
use triptych_model::Key;

/// What was done in the well.
pub enum Done {
    /// Nothing.
    Nothing,
    /// The pattern's text changed.
    Changed,
    /// The guessed pattern is wanted back.
    Suggest,
}

/// Colours of keys in their order in the pattern.
fn key_ink(theme: &Theme, index: usize) -> Color32 {
    let inks =
        [theme.accent, theme.client, theme.system, theme.svnserve, theme.httpd, theme.disk, theme.warning];
    inks.get(index % inks.len()).copied().unwrap_or(theme.accent)
}

/// The keys of a pattern with their place in its text; empty where it cannot be understood.
fn keys(text: &str) -> Vec<(Key, Range<usize>)> {
    let mut keys = Pattern::parse(text).map(|pattern| pattern.keys()).unwrap_or_default();
    keys.sort_by_key(|(_, span)| span.start);
    keys
}

/// Source text with some parts underlined.
fn underlined(
    text: &str,
    parts: &[(Range<usize>, Color32)],
    font: &egui::FontId,
    plain: Color32,
    strong: Color32,
) -> LayoutJob {
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    let mut at = 0;
    for (span, ink) in parts {
        if let Some(before) = text.get(at..span.start) {
            job.append(before, 0.0, TextFormat::simple(font.clone(), plain));
        }
        if let Some(part) = text.get(span.start.max(at)..span.end) {
            let format =
                TextFormat { underline: Stroke::new(1.5, *ink), ..TextFormat::simple(font.clone(), strong) };
            job.append(part, 0.0, format);
        }
        at = span.end.max(at);
    }
    if let Some(rest) = text.get(at..) {
        job.append(rest, 0.0, TextFormat::simple(font.clone(), plain));
    }
    job
}

/// Shows the well.
pub fn ui(ui: &mut Ui, theme: &Theme, draft: &mut Draft) -> Done {
    let mut done = Done::Nothing;
    egui::Frame::new().fill(theme.s1).corner_radius(4.0).inner_margin(egui::Margin::symmetric(14, 12)).show(
        ui,
        |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing = vec2(12.0, 8.0);
            let label = 96.0 * text_scale(ui);
            ui.horizontal(|ui| {
                let name = cell(ui, label, "Path pattern", theme.t2);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if button(ui, theme, ButtonKind::Outline, Some(Icon::Undo), "Suggest again").clicked() {
                        done = Done::Suggest;
                    }
                    if field(ui, theme, draft).labelled_by(name).changed() {
                        done = Done::Changed;
                    }
                });
            });
            ui.horizontal(|ui| {
                cell(ui, label, "for example", theme.t3);
                example_line(ui, theme, draft);
            });
            ui.horizontal(|ui| {
                cell(ui, label, "", theme.t3);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    matches(ui, theme, draft);
                    ui.shrink_clip_rect(ui.available_rect_before_wrap());
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| reading(ui, theme, draft));
                });
            });
        },
    );
    done
}

fn cell(ui: &mut Ui, width: f32, text: &str, ink: Color32) -> egui::Id {
    let (rect, response) =
        ui.allocate_exact_size(vec2(width, crate::widgets::row_height(ui)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    paint_text(ui, kit::left(rect, 0.0), Align2::LEFT_CENTER, text, body(ui), ink, width);
    response.id
}

fn field(ui: &mut Ui, theme: &Theme, draft: &mut Draft) -> egui::Response {
    let font = mono(ui);
    let error = draft.error.clone();
    let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, _: f32| {
        let text = text.as_str();
        let mut parts: Vec<(Range<usize>, Color32)> = keys(text)
            .into_iter()
            .enumerate()
            .map(|(index, (_, span))| (span, key_ink(theme, index)))
            .collect();
        if let Some(error) = &error {
            let start = text
                .char_indices()
                .nth(error.column.saturating_sub(1) as usize)
                .map_or(text.len(), |(at, _)| at);
            parts = vec![(start..text.len(), theme.failed)];
        }
        ui.fonts_mut(|fonts| fonts.layout_job(underlined(text, &parts, &font, theme.t2, theme.t1)))
    };
    let edit = egui::TextEdit::singleline(&mut draft.pattern)
        .id_salt("path pattern")
        .font(mono(ui))
        .desired_width(ui.available_width())
        .margin(vec2(8.0, 6.0))
        .background_color(theme.s2)
        .layouter(&mut layouter);
    kit::field(ui, theme, edit, "Path pattern")
}

/// The example's path, its parts underlined as the keys are; or what is wrong with the pattern.
fn example_line(ui: &mut Ui, theme: &Theme, draft: &Draft) {
    if let Some(error) = &draft.error {
        let text = format!(
            "column {}: {}, found {}, expected {}",
            error.column, error.message, error.found, error.expected
        );
        kit::label(ui, text, body(ui), theme.failed);
        return;
    }
    let Some(Example { path, found, .. }) = &draft.outcome.example else {
        if draft.is_shown() {
            kit::label(ui, "no path matches", body(ui), theme.t3);
        }
        return;
    };
    let order = keys(&draft.pattern);
    let mut parts: Vec<(Range<usize>, Color32)> = found
        .spans
        .iter()
        .map(|(key, span)| {
            let index = order.iter().position(|(known, _)| known == key).unwrap_or(0);
            (span.clone(), key_ink(theme, index))
        })
        .collect();
    parts.sort_by_key(|(span, _)| span.start);
    let job = underlined(path, &parts, &mono(ui), theme.t3, theme.t1);
    ui.add(egui::Label::new(job).truncate());
}

/// The values with the names of their keys.
fn reading(ui: &mut Ui, theme: &Theme, draft: &Draft) {
    let Some(example) = draft.outcome.example.as_ref().filter(|_| draft.error.is_none()) else { return };
    ui.spacing_mut().item_spacing.x = 6.0;
    for (index, (key, _)) in keys(&draft.pattern).into_iter().enumerate() {
        let Some(value) = example.found.conditions.get(key) else { continue };
        let (rect, _) = ui.allocate_exact_size(vec2(8.0, 12.0), Sense::hover());
        ui.painter().rect_filled(
            Rect::from_center_size(rect.center(), vec2(8.0, 2.5)),
            0.0,
            key_ink(theme, index),
        );
        kit::label(ui, key.name(), body(ui), theme.t3);
        kit::label(ui, value, named(ui), theme.t1);
        if let Some(printed) = example.aliases.get(&key) {
            kit::label(ui, format!("alias of {printed}"), small(ui), theme.t3);
        }
        ui.add_space(10.0);
    }
}

fn matches(ui: &mut Ui, theme: &Theme, draft: &Draft) {
    if draft.error.is_some() || !draft.is_shown() {
        return;
    }
    let (matched, all) = (draft.outcome.matched, draft.outcome.rows.len());
    let ink = if draft.pending { theme.t3 } else { theme.t2 };
    kit::label(ui, format!("{} of {} match", kit::count(matched), kit::count(all)), body(ui), ink);
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(14.0), Sense::hover());
    if matched > 0 {
        paint_icon(ui.painter(), rect, Icon::Check, theme.faster);
    } else {
        kit::severity_mark(ui, rect.center(), triptych_model::Severity::Warning, theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_cover_the_whole_text() {
        let font = egui::FontId::monospace(11.0);
        let theme = Theme::dark();
        for (text, start, end) in
            [("a{b}c", 1, 4), ("äö{x}", 4, 7), ("abc", 0, 0), ("abc", 3, 3), ("abc", 0, 9)]
        {
            let parts = [(start..end, theme.accent)];
            let job = underlined(text, &parts, &font, theme.t2, theme.t1);
            assert!(text.starts_with(&job.text), "{:?}", job.text);
        }
        assert_eq!(keys("{operation}/{variant}-{cache}.txt").len(), 3);
        assert!(keys("{oops").is_empty());
    }
}
