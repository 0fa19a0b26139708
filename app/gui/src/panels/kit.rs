//! Parts that panels and sheets share on top of [`crate::widgets`]: full-width rows, links inside
//! rows, marks, paths cut at their head.

use crate::theme::{Theme, size};
use crate::widgets::{focus_ring, mono, paint_text, row_height, small, strong, text_scale};
use egui::{
    Align2, Color32, FontId, Id, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};
use triptych_model::Severity;
use triptych_report::{Font, Ink, Marker, Verdict};

/// The mark of a severity: a cross, a triangle with a stroke, a ring.
pub fn severity_mark(ui: &Ui, at: Pos2, severity: Severity, theme: &Theme) {
    let scale = text_scale(ui);
    let painter = ui.painter();
    match severity {
        Severity::Error => {
            crate::painter::marker(painter, at, Marker::Cross, 4.0 * scale, theme.failed, false);
        }
        Severity::Warning => {
            let rect = Rect::from_center_size(at - vec2(0.0, 0.5), Vec2::splat(13.0 * scale));
            crate::widgets::paint_icon(painter, rect, crate::widgets::Icon::Warning, theme.warning);
        }
        Severity::Note => {
            painter.circle_stroke(at, 4.5 * scale, Stroke::new(1.3 * scale, theme.t3));
            painter.line_segment(
                [at + vec2(0.0, -0.5) * scale, at + vec2(0.0, 2.5) * scale],
                Stroke::new(1.3 * scale, theme.t3),
            );
            painter.circle_filled(at + vec2(0.0, -2.3) * scale, 0.8 * scale, theme.t3);
        }
    }
}

/// The marker and colour of a verdict.
pub fn verdict_mark(verdict: Verdict) -> (Marker, Ink) {
    match verdict {
        Verdict::Faster => (Marker::TriangleUp, Ink::Faster),
        Verdict::Slower => (Marker::TriangleDown, Ink::Slower),
        Verdict::Same => (Marker::TwoBars, Ink::Same),
        Verdict::NotShown => (Marker::Dot, Ink::NotShown),
        Verdict::TooFew => (Marker::DashedRing, Ink::NotShown),
    }
}

/// Paints a variant's marker by its place in the order of colours.
pub fn variant_mark(ui: &Ui, at: Pos2, place: u16, theme: &Theme) {
    let radius = 4.5 * text_scale(ui);
    crate::painter::marker(
        ui.painter(),
        at,
        Marker::of_variant(place),
        radius,
        theme.ink(Ink::Variant(place)),
        false,
    );
}

/// A row that fills the width: ground by hover and selection, focus ring, accessible name.
pub fn row(ui: &mut Ui, theme: &Theme, height: f32, selected: bool, name: &str) -> (Rect, Response) {
    row_as(ui, theme, height, Role::Button, selected, name)
}

/// The same with another role.
pub fn row_as(
    ui: &mut Ui,
    theme: &Theme,
    height: f32,
    role: Role,
    selected: bool,
    name: &str,
) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(role, enabled, selected, name));
    if selected && role != Role::CheckBox {
        ui.painter().rect_filled(rect, 0.0, theme.accent_ground);
    } else if response.hovered() || response.context_menu_opened() {
        ui.painter().rect_filled(rect, 0.0, theme.s3);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 3.0, Stroke::new(2.0, theme.accent), StrokeKind::Inside);
    }
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    (rect, response)
}

/// A link painted inside a row with its right middle at `at`; screen readers say `name`.
pub fn link_at(ui: &Ui, theme: &Theme, at: Pos2, text: &str, name: &str, id: Id) -> Response {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), small(ui), theme.accent);
    let rect = Align2::RIGHT_CENTER.anchor_size(at, galley.size());
    let response = ui.interact(rect.expand2(vec2(4.0, 3.0)), id, Sense::click());
    paint_link(ui, theme, rect, &response, galley, name);
    response
}

/// A link in the flow whose accessible name says more than its text.
pub fn named_link(ui: &mut Ui, theme: &Theme, text: &str, name: &str) -> Response {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), small(ui), theme.accent);
    let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::click());
    paint_link(ui, theme, rect, &response, galley, name);
    response
}

fn paint_link(
    ui: &Ui,
    theme: &Theme,
    rect: Rect,
    response: &Response,
    galley: std::sync::Arc<egui::Galley>,
    name: &str,
) {
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Link, enabled, name));
    if response.hovered() || response.has_focus() {
        ui.painter().hline(rect.x_range(), rect.bottom() - 1.0, Stroke::new(1.0, theme.accent));
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    ui.painter().galley(rect.min, galley, theme.accent);
    focus_ring(ui, response, rect.expand(1.0), theme);
}

/// Paints a path cut at its head, for its end is what tells files apart; gives the rectangle.
pub fn paint_path(ui: &Ui, at: Pos2, text: &str, ink: Color32, width: f32) -> Rect {
    let font = mono(ui);
    let each = ui.fonts_mut(|fonts| fonts.glyph_width(&font, 'm'));
    paint_text(
        ui,
        at,
        Align2::LEFT_CENTER,
        &head_cut(text, (width / each.max(1.0)) as usize),
        font,
        ink,
        f32::INFINITY,
    )
}

/// At most `most` characters of a text, the last ones.
pub fn head_cut(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().skip(length - most.saturating_sub(1).min(length)).collect();
    format!("…{kept}")
}

/// Text of a font and colour in the flow.
pub fn label(ui: &mut Ui, text: impl Into<String>, font: FontId, ink: Color32) -> Response {
    ui.label(egui::RichText::new(text).font(font).color(ink))
}

/// The title row of a panel: what it is, what it counts.
pub fn title(ui: &mut Ui, theme: &Theme, text: &str, count: &str) {
    label(ui, text, crate::widgets::strong(ui), theme.t1);
    if !count.is_empty() {
        label(ui, count, small(ui), theme.t3);
    }
}

/// The title of a panel of filters: how many rows they let through, spoken in full, and a link that
/// clears them where there are some. Says whether it was clicked.
pub fn filters_title(ui: &mut Ui, theme: &Theme, count: &str, spoken: &str, is_filtered: bool) -> bool {
    let height = size::HEADER.max(row_height(ui) + 8.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("Filters, {spoken}")));
    let at = left(rect, size::EDGE);
    let title = paint_text(ui, at, Align2::LEFT_CENTER, "Filters", strong(ui), theme.t1, rect.width());
    let link = is_filtered.then(|| {
        let id = ui.scope_id().with("clear");
        link_at(ui, theme, right(rect, size::EDGE), "clear", "Clear all filters", id)
    });
    let end = link.as_ref().map_or(rect.right() - size::EDGE, |link| link.rect.left());
    let at = pos2(title.right() + 8.0, rect.center().y);
    paint_text(ui, at, Align2::LEFT_CENTER, count, small(ui), theme.t3, end - at.x);
    link.is_some_and(|link| link.clicked())
}

/// A field for text with its outline and accessible name.
pub fn field(ui: &mut Ui, theme: &Theme, edit: egui::TextEdit<'_>, name: &str) -> Response {
    let response = ui.add(edit).accessible_name(name);
    field_outline(ui, theme, &response);
    response
}

/// The outline of a field: quiet, or 2 wide in the accent where the keyboard is.
pub fn field_outline(ui: &Ui, theme: &Theme, response: &Response) {
    let (width, ink) = if response.has_focus() { (2.0, theme.accent) } else { (1.0, theme.line2) };
    ui.painter().rect_stroke(response.rect, 4.0, Stroke::new(width, ink), StrokeKind::Inside);
}

/// A line across the panel.
pub fn separator(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, theme.line));
}

/// The font of the one figure of a view.
pub fn figure(ui: &Ui) -> FontId {
    crate::theme::font_id(Font::Figure, text_scale(ui))
}

/// `1 run`, `2,000 runs`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    triptych_report::numbers::plural(number, one, many)
}

/// A count with thousands separated.
pub fn count(number: usize) -> String {
    triptych_report::numbers::count(number as f64)
}

/// What of a path is right of a directory; the file's name where it is not below it.
pub fn tail<'a>(path: &'a str, root: &str) -> &'a str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match path.strip_prefix(root).map(|rest| rest.trim_start_matches('/')) {
        Some(rest) if !rest.is_empty() => rest,
        _ => name,
    }
}

/// The point `x` points right of the left middle.
pub fn left(rect: Rect, x: f32) -> Pos2 {
    pos2(rect.left() + x, rect.center().y)
}

/// The point `x` points left of the right middle.
pub fn right(rect: Rect, x: f32) -> Pos2 {
    pos2(rect.right() - x, rect.center().y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_keep_their_end() {
        for (text, most, expect) in
            [("abc", 3, "abc"), ("abcdef", 4, "…def"), ("äöüß", 2, "…ß"), ("abc", 0, "…"), ("", 0, "")]
        {
            assert_eq!(head_cut(text, most), expect);
        }
        for (path, root, expect) in [
            ("logs/a/b.txt", "logs/a", "b.txt"),
            ("logs/a/b/c.txt", "logs/a", "b/c.txt"),
            ("mail.txt", "mail.txt", "mail.txt"),
            ("x/mail.txt", "y", "mail.txt"),
        ] {
            assert_eq!(tail(path, root), expect);
        }
    }
}
