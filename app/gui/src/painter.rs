//! Paints a toolkit-neutral figure with egui, on the pixel grid and in the theme's colours.
//!
//! Charts, legends, tables and panels all draw their marks here, so that a variant looks the same
//! everywhere. Knows nothing of what a figure means.

mod hatch;
mod marks;

pub use hatch::hatch;
pub use marks::{mark, marker};

use crate::theme::{Theme, font_id};
use egui::emath::GuiRounding as _;
use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2};
use triptych_report::{self as report, Align, Figure, Font, Ink, Point};

/// Draws the shapes of a figure with its top left at `origin`.
pub fn paint(painter: &Painter, origin: Pos2, figure: &Figure, theme: &Theme, text_scale: f32) {
    let brush = Brush { painter, origin, theme, text_scale, patterns: theme.patterns || crowded(figure) };
    for shape in &figure.shapes {
        brush.shape(shape);
    }
}

/// Width of a text in points.
pub fn measure(ctx: &egui::Context, text: &str, font: Font, text_scale: f32) -> f32 {
    ctx.fonts_mut(|fonts| {
        fonts.layout_no_wrap(text.to_owned(), font_id(font, text_scale), Color32::PLACEHOLDER).size().x
    })
}

/// Whether colours alone are no longer enough: more variants than the first three.
fn crowded(figure: &Figure) -> bool {
    figure.shapes.iter().any(|shape| {
        matches!(shape, report::Shape::Rect { ink: Ink::Variant(place), patterned: true, .. } if *place >= 3)
    })
}

/// What all shapes of one figure are drawn with.
struct Brush<'a> {
    painter: &'a Painter,
    origin: Pos2,
    theme: &'a Theme,
    text_scale: f32,
    patterns: bool,
}

impl Brush<'_> {
    fn shape(&self, shape: &report::Shape) {
        use report::Shape as S;
        match shape {
            S::Rect { rect, ink, patterned } => self.rect(*rect, *ink, *patterned),
            S::Outline { rect, ink, width, radius } => {
                let stroke = Stroke::new(*width, self.theme.ink(*ink));
                self.painter.rect_stroke(self.place(*rect), *radius, stroke, StrokeKind::Middle);
            }
            S::Line { from, to, width, ink, dashed } => self.line(*from, *to, *width, *ink, *dashed),
            S::Path { points, width, ink } => {
                let points = points.iter().map(|point| self.at(*point)).collect();
                self.painter.add(Shape::line(points, Stroke::new(*width, self.theme.ink(*ink))));
            }
            S::Area { columns, ink } => {
                self.painter.add(area(self.origin, columns, self.theme.area(*ink)));
            }
            S::Mark { at, marker, radius, ink, hollow } => {
                let fill = hollow.then_some(self.theme.s2);
                mark(self.painter, self.at(*at), *marker, *radius, self.theme.ink(*ink), fill);
            }
            S::Text { at, text, font, ink, align, valign } => {
                self.text(*at, text, *font, *ink, (*align, *valign));
            }
        }
    }

    fn at(&self, [x, y]: Point) -> Pos2 {
        self.origin + Vec2::new(x, y)
    }

    fn place(&self, rect: report::Rect) -> Rect {
        let place = Rect::from_min_size(self.at([rect.x, rect.y]), Vec2::new(rect.w, rect.h));
        place.round_to_pixels(self.painter.pixels_per_point())
    }

    fn rect(&self, rect: report::Rect, ink: Ink, patterned: bool) {
        let mut place = self.place(rect);
        // A value close to 0 would round away; a hairline shows that it is there.
        let pixel = 1.0 / self.painter.pixels_per_point();
        if rect.h > 0.0 && place.height() < pixel {
            place.min.y = place.max.y - pixel;
        }
        if rect.w > 0.0 && place.width() < pixel {
            place.max.x = place.min.x + pixel;
        }
        self.painter.rect_filled(place, 0.0, self.theme.ink(ink));
        if let (true, true, Ink::Variant(variant)) = (patterned, self.patterns, ink) {
            hatch(self.painter, place, variant, self.theme.s2);
        }
    }

    /// Straight lines along an axis are put on pixels, or a hairline would smear over two.
    fn line(&self, from: Point, to: Point, width: f32, ink: Ink, dashed: bool) {
        let (mut from, mut to) = (self.at(from), self.at(to));
        if (from.x - to.x).abs() < 0.01 {
            from.x = self.painter.round_to_pixel_center(from.x);
            to.x = from.x;
        } else if (from.y - to.y).abs() < 0.01 {
            from.y = self.painter.round_to_pixel_center(from.y);
            to.y = from.y;
        }
        let stroke = Stroke::new(width, self.theme.ink(ink));
        if dashed {
            self.painter.extend(Shape::dashed_line(&[from, to], stroke, 3.0, 3.0));
        } else {
            self.painter.line_segment([from, to], stroke);
        }
    }

    fn text(&self, at: Point, text: &str, font: Font, ink: Ink, (align, valign): (Align, Align)) {
        let colour = self.theme.ink(ink);
        let galley = self.painter.layout_no_wrap(text.to_owned(), font_id(font, self.text_scale), colour);
        let share = |align: Align| match align {
            Align::Min => 0.0,
            Align::Center => 0.5,
            Align::Max => 1.0,
        };
        let offset = Vec2::new(share(align), share(valign)) * galley.size();
        let at = (self.at(at) - offset).round_to_pixels(self.painter.pixels_per_point());
        self.painter.galley(at, galley, colour);
    }
}

/// A stacked area as quads: steps are not convex, so no polygon fits.
pub fn area(origin: Pos2, columns: &[[f32; 3]], colour: Color32) -> Mesh {
    let mut mesh = Mesh::default();
    mesh.reserve_triangles(columns.len() * 2);
    mesh.reserve_vertices(columns.len() * 4);
    for pair in columns.windows(2) {
        let &[[x0, low0, high0], [x1, low1, high1]] = pair else { continue };
        if x1 <= x0 || (low0 - high0).abs() + (low1 - high1).abs() < 0.01 {
            continue;
        }
        let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
        for (x, y) in [(x0, high0), (x1, high1), (x1, low1), (x0, low0)] {
            mesh.colored_vertex(origin + Vec2::new(x, y), colour);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_become_quads_and_edges_none() {
        let steps = [[0.0, 10.0, 4.0], [5.0, 10.0, 4.0], [5.0, 10.0, 2.0], [9.0, 10.0, 2.0]];
        let mesh = area(Pos2::new(1.0, 1.0), &steps, Color32::WHITE);
        assert_eq!((mesh.vertices.len(), mesh.indices.len()), (8, 12));
        assert!(mesh.is_valid());
        assert_eq!(mesh.calc_bounds(), Rect::from_min_max(Pos2::new(1.0, 3.0), Pos2::new(10.0, 11.0)));
    }

    #[test]
    fn an_area_without_height_draws_nothing() {
        assert!(area(Pos2::ZERO, &[[0.0, 3.0, 3.0], [9.0, 3.0, 3.0]], Color32::WHITE).is_empty());
        assert!(area(Pos2::ZERO, &[[0.0, 3.0, 1.0]], Color32::WHITE).is_empty());
    }
}
