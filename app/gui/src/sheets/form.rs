//! Parts of forms that the sheets of plan, lab and Rerun share: labelled rows, check boxes, numbers
//! that say what is wrong with them, lists to choose from, paths.

use crate::panels::kit;
use crate::theme::{Theme, size};
use crate::widgets::{
    Icon, body, focus_ring, icon_button, mono, paint_check, paint_text, row_height, small, strong, text_scale,
};
use egui::{Align2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// What is typed into number fields while it differs from the value behind them, by the field's name.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    typed: BTreeMap<String, Typed>,
}

#[derive(Clone, Debug)]
struct Typed {
    text: String,
    wrong: Option<String>,
}

impl Texts {
    /// The first field that is wrong, with what is wrong: `repetitions: a whole number from 1 to 10`.
    pub fn wrong(&self) -> Option<String> {
        self.typed
            .iter()
            .find_map(|(name, typed)| typed.wrong.as_ref().map(|wrong| format!("{name}: {wrong}")))
    }

    /// Forgets what was typed into fields whose names begin so; all of them by an empty text.
    pub fn forget(&mut self, begin: &str) {
        self.typed.retain(|name, _| !name.starts_with(begin));
    }
}

/// The height of one line of a form: a field, or a check box with air.
pub fn line_height(ui: &Ui) -> f32 {
    size::BUTTON.max(row_height(ui) + 4.0)
}

/// The head of a part of a form, with what it counts.
pub fn section(ui: &mut Ui, theme: &Theme, text: &str, about: &str) {
    ui.add_space(8.0);
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(row_height(ui));
        let head = kit::label(ui, text, strong(ui), theme.t1);
        head.widget_info(|| WidgetInfo::labeled(Role::Heading, true, text));
        if !about.is_empty() {
            kit::label(ui, about, small(ui), theme.t3);
        }
    });
}

/// Width of the column of labels.
fn label_width(ui: &Ui) -> f32 {
    (118.0 * text_scale(ui)).min(ui.available_width() * 0.36)
}

/// A label at the left, controls at the right of it.
pub fn row<R>(ui: &mut Ui, theme: &Theme, label: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal_top(|ui| {
        let width = label_width(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(width, line_height(ui)), Sense::hover());
        let painted =
            paint_text(ui, kit::left(rect, 0.0), Align2::LEFT_CENTER, label, body(ui), theme.t3, width);
        if painted.width() + 1.0 >= width {
            response.on_hover_text(label);
        }
        ui.vertical(|ui| {
            ui.set_width(ui.available_width());
            add(ui)
        })
        .inner
    })
    .inner
}

/// A line of controls that goes on below where there is no room.
pub fn line<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal_wrapped(|ui| {
        ui.set_min_height(line_height(ui));
        ui.spacing_mut().item_spacing.x = 12.0;
        add(ui)
    })
    .inner
}

/// A check box with its text; screen readers say `name`.
pub fn check(ui: &mut Ui, theme: &Theme, on: bool, text: &str, name: &str) -> Response {
    let (rect, response) = marked(ui, theme, text, on);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, enabled, on, name));
    paint_check(ui, theme, mark_rect(ui, rect), on);
    response
}

/// One of several choices, of which one holds.
pub fn radio(ui: &mut Ui, theme: &Theme, on: bool, text: &str, name: &str) -> Response {
    let (rect, response) = marked(ui, theme, text, on);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, on, name));
    let (at, scale) = (mark_rect(ui, rect).center(), text_scale(ui));
    if on {
        ui.painter().circle_filled(at, 6.5 * scale, theme.accent);
        ui.painter().circle_filled(at, 2.5 * scale, theme.on_accent);
    } else {
        ui.painter().circle_filled(at, 6.5 * scale, theme.s0);
        ui.painter().circle_stroke(at, 6.0 * scale, Stroke::new(1.0, theme.line2));
    }
    response
}

fn mark_rect(ui: &Ui, rect: Rect) -> Rect {
    let scale = text_scale(ui);
    Rect::from_center_size(kit::left(rect, 8.0 * scale), Vec2::splat(13.0 * scale))
}

fn marked(ui: &mut Ui, theme: &Theme, text: &str, on: bool) -> (Rect, Response) {
    let before = 21.0 * text_scale(ui);
    let room = ui.max_rect().width() - before - 4.0;
    let ink = if on { theme.t1 } else { theme.t2 };
    let galley = crate::widgets::elided(ui, text, body(ui), ink, room);
    let wanted = vec2(before + galley.size().x + 4.0, line_height(ui));
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    let at = egui::pos2(rect.left() + before, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, ink);
    focus_ring(ui, &response, rect, theme);
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    (rect, response)
}

/// A field of one line as all forms have it, this wide in all.
fn edit<'a>(ui: &Ui, theme: &Theme, text: &'a mut String, hint: &str, width: f32) -> egui::TextEdit<'a> {
    egui::TextEdit::singleline(text)
        .hint_text(egui::RichText::new(hint).color(theme.t3))
        .desired_width(width.max(40.0))
        .min_size(vec2(0.0, line_height(ui)))
        .align(egui::Align2::LEFT_CENTER)
        .background_color(theme.s0)
        .margin(vec2(8.0, 3.0))
}

/// A field for one line of text of this width; gives whether it changed.
pub fn text(ui: &mut Ui, theme: &Theme, value: &mut String, name: &str, hint: &str, width: f32) -> bool {
    let edit = edit(ui, theme, value, hint, width);
    kit::field(ui, theme, edit, name).changed()
}

/// A field for a number with its unit behind it; below it what is wrong, and then the value stays.
pub fn number<T: Copy + PartialOrd + Display + FromStr>(
    ui: &mut Ui,
    theme: &Theme,
    texts: &mut Texts,
    name: &str,
    value: &mut T,
    (range, unit): (RangeInclusive<T>, &str),
) -> bool {
    let typed = texts.typed.get(name);
    let mut text = typed.map_or_else(|| value.to_string(), |typed| typed.text.clone());
    let mut changed = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let edit = edit(ui, theme, &mut text, "", 80.0 * text_scale(ui));
        let response = kit::field(ui, theme, edit, name);
        changed = take_typed(texts, name, text, &response, value, |text| parse(text, &range));
        let wrong = texts.typed.get(name).and_then(|typed| typed.wrong.clone());
        if wrong.is_some() {
            let outline = Stroke::new(1.5, theme.failed);
            ui.painter().rect_stroke(response.rect, 4.0, outline, StrokeKind::Inside);
        }
        match wrong {
            Some(wrong) => drop(wrapped(ui, &wrong, small(ui), theme.failed)),
            None => {
                let text = egui::RichText::new(unit).font(body(ui)).color(theme.t3);
                ui.add(egui::Label::new(text).truncate());
            }
        }
    });
    changed
}

/// Takes what was typed if it can be read; else it stays in the field, and the value as it was. Says
/// whether the value changed.
fn take_typed<T: PartialEq>(
    texts: &mut Texts,
    name: &str,
    text: String,
    response: &egui::Response,
    value: &mut T,
    read: impl Fn(&str) -> Result<T, String>,
) -> bool {
    let mut changed = false;
    if response.changed() {
        let wrong = match read(&text) {
            Ok(read) => {
                changed = *value != read;
                *value = read;
                None
            }
            Err(wrong) => Some(wrong),
        };
        texts.typed.insert(name.to_owned(), Typed { text, wrong });
    } else if !response.has_focus() && texts.typed.get(name).is_some_and(|typed| typed.wrong.is_none()) {
        texts.typed.remove(name);
    }
    changed
}

/// A field for a list in one line, which fills the width; what is wrong stands below it, and then the list stays.
pub fn typed_list(
    ui: &mut Ui,
    theme: &Theme,
    texts: &mut Texts,
    (name, hint): (&str, &str),
    value: &mut Vec<String>,
    (join, split): (impl Fn(&[String]) -> String, impl Fn(&str) -> Result<Vec<String>, String>),
) -> bool {
    let typed = texts.typed.get(name);
    let mut text = typed.map_or_else(|| join(value), |typed| typed.text.clone());
    let edit = edit(ui, theme, &mut text, hint, ui.available_width());
    let response = kit::field(ui, theme, edit, name);
    let changed = take_typed(texts, name, text, &response, value, split);
    if let Some(wrong) = texts.typed.get(name).and_then(|typed| typed.wrong.clone()) {
        kit::label(ui, wrong, small(ui), theme.failed);
    }
    changed
}

/// Reads a number, or says what it has to be.
fn parse<T: Copy + PartialOrd + Display + FromStr>(
    text: &str,
    range: &RangeInclusive<T>,
) -> Result<T, String> {
    let read: Option<T> = text.trim().replace(',', "").parse().ok();
    read.filter(|value| range.contains(value))
        .ok_or_else(|| format!("a number from {} to {}", grouped(range.start()), grouped(range.end())))
}

/// A bound with its thousands separated.
fn grouped<T: Display>(value: &T) -> String {
    let text = value.to_string();
    match text.parse::<f64>() {
        Ok(number) if !text.contains('.') => triptych_report::numbers::count(number),
        _ => text,
    }
}

/// A list to choose one from; gives what was chosen if that changed.
pub fn choose<'a>(
    ui: &mut Ui,
    name: &str,
    shown: &str,
    options: &[&'a str],
    (salt, width): (impl std::hash::Hash + std::fmt::Debug, f32),
) -> Option<&'a str> {
    let mut chosen = None;
    let combo = egui::ComboBox::from_id_salt(salt).selected_text(shown).width(width).truncate();
    let response = combo.show_ui(ui, |ui| {
        for option in options {
            if ui.selectable_label(*option == shown, *option).clicked() {
                chosen = Some(*option);
            }
        }
    });
    response.response.accessible_name(name);
    chosen.filter(|chosen| *chosen != shown)
}

/// What became of a [`path`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathClick {
    /// It was typed into.
    pub changed: bool,
    /// The dialog is asked for.
    pub choose: bool,
}

/// A field for a path, and in the line behind it a button that opens the desktop's dialog, where dialogs are on.
pub fn path(
    ui: &mut Ui,
    theme: &Theme,
    value: &mut PathBuf,
    name: &str,
    (width, dialogs): (f32, bool),
) -> PathClick {
    let mut text = value.display().to_string();
    let mut click = PathClick::default();
    let button = if dialogs { 24.0 + ui.spacing().item_spacing.x } else { 0.0 };
    let edit = edit(ui, theme, &mut text, "", width - button).font(mono(ui));
    if kit::field(ui, theme, edit, name).changed() {
        *value = super::type_path::expanded(&text);
        click.changed = true;
    }
    if dialogs {
        click.choose = icon_button(ui, theme, Icon::Folder, &format!("Choose {name}"), true).clicked();
    }
    click
}

/// The cross that takes a row away.
pub fn remove(ui: &mut Ui, theme: &Theme, name: &str) -> bool {
    icon_button(ui, theme, Icon::Close, name, true).on_hover_text(name).clicked()
}

/// A line that says what is wrong or worth knowing, with its mark; wraps.
pub fn remark(ui: &mut Ui, theme: &Theme, severity: triptych_model::Severity, text: &str, next: &str) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let side = 14.0 * text_scale(ui);
        let (rect, _) = ui.allocate_exact_size(vec2(side, row_height(ui) - 4.0), Sense::hover());
        kit::severity_mark(ui, rect.center(), severity, theme);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            wrapped(ui, text, body(ui), theme.t1);
            if !next.is_empty() {
                wrapped(ui, next, small(ui), theme.t3);
            }
        });
    });
}

/// Text in the flow that wraps.
pub fn wrapped(ui: &mut Ui, text: &str, font: egui::FontId, ink: egui::Color32) -> Response {
    ui.add(egui::Label::new(egui::RichText::new(text).font(font).color(ink)).wrap())
}

/// Where the parts of a sheet of two columns go: side by side, or below each other where text is large
/// or the window small. The right one is told where it may end, for lists that fill the rest.
pub fn columns<S>(
    ui: &mut Ui,
    theme: &Theme,
    (share, footer): (f32, f32),
    kept: &mut S,
    left: impl FnOnce(&mut Ui, &mut S),
    right: impl FnOnce(&mut Ui, &mut S, f32),
) {
    let all = ui.available_rect_before_wrap();
    let room = Rect::from_min_max(all.min, egui::pos2(all.right(), (all.bottom() - footer).max(all.top())));
    let wide = room.width() / text_scale(ui) >= 860.0;
    if wide {
        let (form, beside) = room.split_left_right_at_fraction(share);
        scrolled(ui, form, "form", |ui| left(ui, kept));
        ui.painter().rect_filled(beside, 0.0, theme.s1);
        scrolled(ui, beside, "beside", |ui| {
            let bottom = beside.bottom();
            right(ui, kept, bottom);
        });
    } else {
        scrolled(ui, room, "form", |ui| {
            left(ui, kept);
            ui.add_space(16.0);
            kit::separator(ui, theme);
            let bottom = ui.cursor().top() + room.height();
            right(ui, kept, bottom);
        });
    }
    ui.advance_cursor_after_rect(room);
}

fn scrolled(ui: &mut Ui, rect: Rect, salt: &str, content: impl FnOnce(&mut Ui)) {
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect).id_salt(salt), |ui| {
        ui.set_clip_rect(rect.intersect(ui.clip_rect()));
        egui::ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| {
            let edge = size::SHEET as i8;
            egui::Frame::new().inner_margin(egui::Margin::symmetric(edge, 0)).show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing.y = 4.0;
                content(ui);
                follow_focus(ui, rect);
                ui.add_space(12.0);
            });
        });
    });
}

/// Scrolls to what the keyboard has just come to.
fn follow_focus(ui: &Ui, visible: Rect) {
    let focused = ui.memory(egui::Memory::focused);
    let kept = ui.scope_id().with("focus before");
    let before: Option<egui::Id> = ui.data(|data| data.get_temp(kept)).flatten();
    if focused == before {
        return;
    }
    ui.data_mut(|data| data.insert_temp(kept, focused));
    let response = focused.and_then(|id| ui.ctx().read_response(id));
    if let Some(response) = response.filter(|response| response.layer_id == ui.layer_id())
        && visible.x_range().contains(response.rect.center().x)
        && !visible.contains_rect(response.rect)
        && ui.min_rect().contains(response.rect.center())
    {
        let still = egui::style::ScrollAnimation::none();
        ui.scroll_to_rect_animation(response.rect.expand(24.0), None, still);
    }
}

/// How high the line of actions at the bottom is: one line, or two where one has no room.
pub fn footer_height(ui: &Ui) -> f32 {
    let lines = if footer_stacked(ui) { 2.0 } else { 1.0 };
    line_height(ui) * lines + 34.0
}

fn footer_stacked(ui: &Ui) -> bool {
    ui.available_width() / text_scale(ui) < 560.0
}

/// The actions at the bottom: what opens and saves at the left, Cancel and the main action at the right,
/// which are shown last but stand first in a layout from the right.
pub fn footer<S>(
    ui: &mut Ui,
    theme: &Theme,
    kept: &mut S,
    left: impl FnOnce(&mut Ui, &mut S),
    right: impl FnOnce(&mut Ui, &mut S),
) {
    kit::separator(ui, theme);
    let stacked = footer_stacked(ui);
    let height = if stacked { line_height(ui) + 8.0 } else { ui.available_height() };
    let edge = size::SHEET;
    let whole = vec2(ui.available_width(), height);
    let at_left = |ui: &mut Ui, kept: &mut S| {
        ui.add_space(edge);
        left(ui, kept);
    };
    if stacked {
        ui.allocate_ui_with_layout(whole, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            at_left(ui, kept);
        });
        let rest = vec2(ui.available_width(), ui.available_height());
        ui.allocate_ui_with_layout(rest, egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(edge);
            right(ui, kept);
        });
    } else {
        ui.allocate_ui_with_layout(whole, egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_height(height);
            at_left(ui, kept);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add_space(edge);
                right(ui, kept);
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_or_said_to_be_wrong() {
        for (text, expect) in [
            ("3", Ok(3)),
            (" 10 ", Ok(10)),
            ("1,0", Ok(10)),
            ("0", Err("a number from 1 to 1,000".to_owned())),
            ("", Err("a number from 1 to 1,000".to_owned())),
            ("2.5", Err("a number from 1 to 1,000".to_owned())),
            ("many", Err("a number from 1 to 1,000".to_owned())),
        ] {
            assert_eq!(parse::<u32>(text, &(1..=1000)), expect, "{text:?}");
        }
        assert!(parse::<f64>("NaN", &(0.0..=1.0)).is_err());
        assert!(parse::<f64>("inf", &(0.0..=f64::MAX)).is_err());
    }
}
