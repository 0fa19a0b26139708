//! The box beside the pointer: what is under it, in the words the accessible name says too.

use crate::painter::mark;
use crate::theme::{Theme, font_id};
use egui::emath::GuiRounding as _;
use egui::{
    Align2, Color32, Context, Id, LayerId, Order, Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2,
};
use std::sync::Arc;
use triptych_report::{Font, Marker};

/// Distance from the pointer (LOOK §4).
const AWAY: f32 = 12.0;
/// Width of the longest value.
const WIDEST: f32 = 300.0;
const PADDING: Vec2 = Vec2::new(10.0, 8.0);

/// What a read-out says.
#[derive(Clone, Debug, Default)]
pub struct Readout {
    /// Marker before the heading.
    pub marker: Option<(Marker, Color32)>,
    /// Heading, at the left.
    pub title: String,
    /// At the right of the heading, in its weight.
    pub total: String,
    /// Label and value, perhaps with a swatch.
    pub lines: Vec<(Option<Color32>, String, String)>,
    /// What clicks do: at the left and at the right.
    pub hint: Option<(&'static str, &'static str)>,
}

struct Row {
    swatch: Option<Color32>,
    left: Arc<egui::Galley>,
    right: Arc<egui::Galley>,
}

impl Readout {
    /// Paints it beside a point, on the side with more room within `bounds`.
    pub fn show(&self, ctx: &Context, theme: &Theme, scale: f32, at: Pos2, bounds: Rect, id: Id) {
        let painter = Painter::new(ctx.clone(), LayerId::new(Order::Tooltip, id), ctx.content_rect());
        let rows = self.rows(&painter, theme, scale);
        let indent = if rows.iter().any(|row| row.swatch.is_some()) { 16.0 * scale } else { 0.0 };
        let head_indent = if self.marker.is_some() { 16.0 * scale } else { 0.0 };
        let row_width = |(index, row): (usize, &Row)| {
            let indent = if index == 0 { head_indent } else { indent };
            indent + row.left.size().x + 16.0 * scale + row.right.size().x
        };
        let width = rows.iter().enumerate().map(row_width).fold(96.0 * scale, f32::max) + 2.0 * PADDING.x;
        let heights: Vec<f32> =
            rows.iter().map(|row| row.left.size().y.max(row.right.size().y) + 3.0).collect();
        let size = Vec2::new(width, heights.iter().sum::<f32>() + 2.0 * PADDING.y - 3.0);
        let rect = place(at, size, bounds, ctx.content_rect()).round_to_pixels(painter.pixels_per_point());
        painter.rect(rect, 4.0, theme.s3, Stroke::new(1.0, theme.line2), StrokeKind::Inside);
        let mut top = rect.top() + PADDING.y;
        for (index, (row, height)) in rows.into_iter().zip(heights).enumerate() {
            let middle = top + (height - 3.0) / 2.0;
            let mut left = rect.left() + PADDING.x;
            if let (0, Some((marker, colour))) = (index, self.marker) {
                mark(&painter, pos2(left + 5.0 * scale, middle), marker, 4.5 * scale, colour, None);
                left += head_indent;
            } else if index > 0 {
                if let Some(colour) = row.swatch {
                    let swatch =
                        Rect::from_center_size(pos2(left + 4.5 * scale, middle), Vec2::splat(9.0 * scale));
                    painter.rect_filled(swatch.round_to_pixels(painter.pixels_per_point()), 1.0, colour);
                }
                left += indent;
            }
            put(&painter, Align2::LEFT_CENTER, pos2(left, middle), row.left);
            put(&painter, Align2::RIGHT_CENTER, pos2(rect.right() - PADDING.x, middle), row.right);
            top += height;
        }
    }

    fn rows(&self, painter: &Painter, theme: &Theme, scale: f32) -> Vec<Row> {
        let text = |text: &str, font: Font, colour| {
            painter.layout_no_wrap(text.to_owned(), font_id(font, scale), colour)
        };
        let (small, medium) = (Font::Small, Font::Medium);
        let mut rows = vec![Row {
            swatch: None,
            left: text(&self.title, medium, theme.t1),
            right: text(&self.total, medium, theme.t1),
        }];
        for (swatch, label, value) in &self.lines {
            rows.push(Row {
                swatch: *swatch,
                left: text(label, small, theme.t2),
                right: elided(painter, value, font_id(small, scale), theme.t1, WIDEST * scale),
            });
        }
        if let Some((left, right)) = self.hint {
            rows.push(Row {
                swatch: None,
                left: text(left, small, theme.t3),
                right: text(right, small, theme.t3),
            });
        }
        rows
    }
}

/// A long reason is cut: Details shows it whole.
fn elided(
    painter: &Painter,
    text: &str,
    font: egui::FontId,
    colour: Color32,
    width: f32,
) -> Arc<egui::Galley> {
    let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width);
    painter.layout_job(job)
}

fn put(painter: &Painter, align: Align2, at: Pos2, galley: Arc<egui::Galley>) {
    let rect = align.anchor_size(at, galley.size()).round_to_pixels(painter.pixels_per_point());
    painter.galley(rect.min, galley, Color32::PLACEHOLDER);
}

/// Beside the point on the side with more room, never outside the window.
fn place(at: Pos2, size: Vec2, bounds: Rect, screen: Rect) -> Rect {
    let right = bounds.right() - at.x >= at.x - bounds.left();
    let left = if right { at.x + AWAY } else { at.x - AWAY - size.x };
    let min = pos2(
        left.clamp(screen.left() + 4.0, (screen.right() - size.x - 4.0).max(screen.left() + 4.0)),
        at.y.clamp(screen.top() + 4.0, (screen.bottom() - size.y - 4.0).max(screen.top() + 4.0)),
    );
    Rect::from_min_size(min, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stands_where_there_is_more_room() {
        let screen = Rect::from_min_max(pos2(0.0, 0.0), pos2(1000.0, 600.0));
        let bounds = Rect::from_min_max(pos2(100.0, 100.0), pos2(500.0, 400.0));
        let size = Vec2::new(150.0, 80.0);
        for (at, expect) in [
            (pos2(150.0, 200.0), pos2(162.0, 200.0)),
            (pos2(450.0, 200.0), pos2(288.0, 200.0)),
            (pos2(450.0, 590.0), pos2(288.0, 516.0)),
        ] {
            assert_eq!(place(at, size, bounds, screen).min, expect);
        }
    }
}
