//! Small widgets that every view shares, so that the same thing looks the same everywhere.

mod icons;

pub use icons::{Icon, icon, paint as paint_icon};

use crate::theme::{self, Theme, semibold, size};
use egui::{
    Align2, Color32, CornerRadius, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
};

/// How a button looks (LOOK §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButtonKind {
    /// Filled with the accent: one a view.
    Main,
    /// Surface 3.
    Plain,
    /// Outline only: Cancel.
    Outline,
    /// Outline in red: ends a run.
    Danger,
    /// Nothing until hovered.
    Quiet,
}

/// The font of body text at the current scale.
pub fn body(ui: &Ui) -> FontId {
    egui::TextStyle::Body.resolve(ui.style())
}

/// The font of small text at the current scale.
pub fn small(ui: &Ui) -> FontId {
    egui::TextStyle::Small.resolve(ui.style())
}

/// The font of source text at the current scale.
pub fn mono(ui: &Ui) -> FontId {
    egui::TextStyle::Monospace.resolve(ui.style())
}

/// Semibold at body size.
pub fn strong(ui: &Ui) -> FontId {
    FontId::new(body(ui).size, semibold())
}

/// Medium at body size.
pub fn named(ui: &Ui) -> FontId {
    FontId::new(body(ui).size, theme::medium())
}

/// How much larger text is than at 100 %.
pub fn text_scale(ui: &Ui) -> f32 {
    body(ui).size / 13.0
}

/// Height of a row of a table or a facet: line + 6, never below the grid's.
pub fn row_height(ui: &Ui) -> f32 {
    size::ROW.max((body(ui).size * 1.25 + 6.0).round())
}

/// A button with a text and perhaps an icon before it.
pub fn button(ui: &mut Ui, theme: &Theme, kind: ButtonKind, icon: Option<Icon>, text: &str) -> Response {
    button_enabled(ui, theme, kind, icon, text, true)
}

/// The same, perhaps disabled.
pub fn button_enabled(
    ui: &mut Ui,
    theme: &Theme,
    kind: ButtonKind,
    icon: Option<Icon>,
    text: &str,
    enabled: bool,
) -> Response {
    let font = if kind == ButtonKind::Main { strong(ui) } else { body(ui) };
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER);
    let icon_width = if icon.is_some() { 14.0 + 6.0 } else { 0.0 };
    let padding = if kind == ButtonKind::Quiet { 6.0 } else { 10.0 };
    let wanted =
        Vec2::new(galley.size().x + icon_width + 2.0 * padding, size::BUTTON.max(galley.size().y + 10.0));
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(wanted, sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, text));
    let hovered = enabled && (response.hovered() || response.has_focus());
    let (fill, ink) = match kind {
        ButtonKind::Main if hovered => (theme.accent.lerp_to_gamma(theme.t1, 0.15), theme.on_accent),
        ButtonKind::Main => (theme.accent, theme.on_accent),
        ButtonKind::Plain if hovered => (theme.s4, theme.t1),
        ButtonKind::Plain => (theme.s3, theme.t1),
        ButtonKind::Outline if hovered => (theme.s3, theme.t1),
        ButtonKind::Outline => (Color32::TRANSPARENT, theme.t1),
        ButtonKind::Danger if hovered => (theme.s3, theme.failed),
        ButtonKind::Danger => (Color32::TRANSPARENT, theme.failed),
        ButtonKind::Quiet if hovered => (theme.s3, theme.t1),
        ButtonKind::Quiet => (Color32::TRANSPARENT, theme.t2),
    };
    let ink = if enabled { ink } else { theme.t4 };
    let painter = ui.painter();
    let fill = if enabled || kind != ButtonKind::Main { fill } else { theme.s3 };
    painter.rect_filled(rect, 4.0, fill);
    if kind == ButtonKind::Danger && enabled {
        painter.rect_stroke(rect, 4.0, Stroke::new(1.0, theme.failed), StrokeKind::Inside);
    }
    if kind == ButtonKind::Outline {
        painter.rect_stroke(rect, 4.0, Stroke::new(1.0, theme.line2), StrokeKind::Inside);
    }
    let mut left = rect.left() + padding;
    if let Some(icon) = icon {
        icons::paint(
            painter,
            Rect::from_center_size(egui::pos2(left + 7.0, rect.center().y), Vec2::splat(14.0)),
            icon,
            ink,
        );
        left += icon_width;
    }
    painter.galley(egui::pos2(left, rect.center().y - galley.size().y / 2.0), galley, ink);
    focus_ring(ui, &response, rect, theme);
    response.on_hover_cursor(if enabled { egui::CursorIcon::PointingHand } else { egui::CursorIcon::Default })
}

/// A button that is only an icon; the label is for screen readers and the tooltip.
pub fn icon_button(ui: &mut Ui, theme: &Theme, which: Icon, label: &str, enabled: bool) -> Response {
    let (rect, response) =
        ui.allocate_exact_size(Vec2::splat(24.0), if enabled { Sense::click() } else { Sense::hover() });
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, label));
    let hovered = enabled && (response.hovered() || response.has_focus());
    if hovered {
        ui.painter().rect_filled(rect, 4.0, theme.s3);
    }
    let ink = if !enabled {
        theme.t4
    } else if hovered {
        theme.t1
    } else {
        theme.t3
    };
    icons::paint(ui.painter(), Rect::from_center_size(rect.center(), Vec2::splat(14.0)), which, ink);
    focus_ring(ui, &response, rect, theme);
    response.on_hover_text(label)
}

/// A link: accent text that underlines on hover.
pub fn link(ui: &mut Ui, theme: &Theme, text: &str) -> Response {
    link_sized(ui, theme, text, small(ui))
}

/// A link in a font of its own.
pub fn link_sized(ui: &mut Ui, theme: &Theme, text: &str, font: FontId) -> Response {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, theme.accent);
    let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, text));
    if response.hovered() || response.has_focus() {
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.accent));
    }
    ui.painter().galley(rect.min, galley, theme.accent);
    focus_ring(ui, &response, rect, theme);
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

/// The 2 px ring round what has the keyboard focus.
pub fn focus_ring(ui: &Ui, response: &Response, rect: Rect, theme: &Theme) {
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4.0, Stroke::new(2.0, theme.accent), StrokeKind::Outside);
    }
}

/// A check box of 13 px, painted in its rectangle.
pub fn paint_check(ui: &Ui, theme: &Theme, rect: Rect, on: bool) {
    let box_rect = Rect::from_center_size(rect.center(), Vec2::splat((13.0 * text_scale(ui)).round()));
    if on {
        ui.painter().rect_filled(box_rect, 3.0, theme.accent);
        icons::paint(ui.painter(), box_rect.expand(1.0), Icon::Check, theme.on_accent);
    } else {
        ui.painter().rect_filled(box_rect, 3.0, theme.s0);
        ui.painter().rect_stroke(box_rect, 3.0, Stroke::new(1.0, theme.line2), StrokeKind::Inside);
    }
}

/// What a click on a chip asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChipClick {
    /// Nothing.
    None,
    /// The chip itself.
    Body,
    /// Its cross.
    Close,
}

/// `key value ×` or `key value ⌄` on surface 3.
pub fn chip(ui: &mut Ui, theme: &Theme, key: &str, value: &str, tail: Icon) -> (Response, ChipClick) {
    let (body, medium) = (body(ui), named(ui));
    let key_galley = ui.painter().layout_no_wrap(key.to_owned(), body, theme.t3);
    let value_galley = ui.painter().layout_no_wrap(value.to_owned(), medium, theme.t1);
    let width = 8.0 + key_galley.size().x + 5.0 + value_galley.size().x + 4.0 + 16.0 + 4.0;
    let (rect, response) = ui
        .allocate_exact_size(Vec2::new(width, size::BUTTON.max(value_galley.size().y + 8.0)), Sense::click());
    let kind = if tail == Icon::Close { Role::Button } else { Role::ComboBox };
    response.widget_info(|| WidgetInfo::labeled(kind, true, format!("{key} {value}")));
    let tail_rect =
        Rect::from_center_size(egui::pos2(rect.right() - 12.0, rect.center().y), Vec2::splat(16.0));
    ui.painter().rect_filled(rect, 4.0, if response.hovered() { theme.s4 } else { theme.s3 });
    let middle = rect.center().y;
    let left = rect.left() + 8.0;
    let value_left = left + key_galley.size().x + 5.0;
    ui.painter().galley(egui::pos2(left, middle - key_galley.size().y / 2.0), key_galley, theme.t3);
    ui.painter().galley(egui::pos2(value_left, middle - value_galley.size().y / 2.0), value_galley, theme.t1);
    icons::paint(ui.painter(), tail_rect.shrink(3.0), tail, theme.t3);
    focus_ring(ui, &response, rect, theme);
    let click = if !response.clicked() {
        ChipClick::None
    } else if tail == Icon::Close && response.interact_pointer_pos().is_none_or(|at| at.x >= tail_rect.left())
    {
        ChipClick::Close
    } else {
        ChipClick::Body
    };
    (response, click)
}

/// A tab of 30 px with a count behind it and an accent line below the active one.
pub fn tab(
    ui: &mut Ui,
    theme: &Theme,
    text: &str,
    count: Option<(String, Color32)>,
    active: bool,
) -> Response {
    let font = if active { strong(ui) } else { body(ui) };
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER);
    let small = small(ui);
    let count_galley = count.map(|(text, colour)| ui.painter().layout_no_wrap(text, small, colour));
    let count_width = count_galley.as_ref().map_or(0.0, |galley| galley.size().x + 6.0);
    let wanted = Vec2::new(galley.size().x + count_width + 24.0, size::HEADER.max(galley.size().y + 12.0));
    let (rect, response) = ui.allocate_exact_size(wanted, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, active, text));
    let ink = if active || response.hovered() { theme.t1 } else { theme.t2 };
    let left = rect.left() + 12.0;
    let count_left = left + galley.size().x + 6.0;
    ui.painter().galley(egui::pos2(left, rect.center().y - galley.size().y / 2.0), galley, ink);
    if let Some(galley) = count_galley {
        ui.painter().galley(
            egui::pos2(count_left, rect.center().y - galley.size().y / 2.0),
            galley,
            theme.t3,
        );
    }
    if active {
        let line = Rect::from_min_max(egui::pos2(rect.left(), rect.bottom() - 2.0), rect.right_bottom());
        ui.painter().rect_filled(line, CornerRadius::ZERO, theme.accent);
    }
    focus_ring(ui, &response, rect.shrink(2.0), theme);
    response
}

/// A bar of 6 px that is filled to a share from 0 to 1.
pub fn progress_bar(ui: &mut Ui, theme: &Theme, width: f32, share: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 6.0), Sense::hover());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ProgressIndicator, true, "progress");
        info.value = Some(f64::from(share));
        info
    });
    ui.painter().rect_filled(rect, 3.0, theme.s4);
    let done = Rect::from_min_size(rect.min, Vec2::new(rect.width() * share.clamp(0.0, 1.0), rect.height()));
    ui.painter().rect_filled(done, 3.0, theme.accent);
    response
}

/// A text cut with `…` at the right where it is wider than it may be.
pub fn elided(
    ui: &Ui,
    text: &str,
    font: FontId,
    colour: Color32,
    width: f32,
) -> std::sync::Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(1.0));
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Text painted in a row, cut to the width that is left.
pub fn paint_text(
    ui: &Ui,
    at: egui::Pos2,
    align: Align2,
    text: &str,
    font: FontId,
    colour: Color32,
    width: f32,
) -> Rect {
    let galley = elided(ui, text, font, colour, width);
    let rect = align.anchor_size(at, galley.size());
    ui.painter().galley(rect.min, galley, colour);
    rect
}
