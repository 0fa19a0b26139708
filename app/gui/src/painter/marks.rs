//! Markers with egui: filled, or hollow as outlines of 1.6. Their shapes are the report's, so that a
//! saved picture shows the same marks.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2};
use triptych_report::Marker;
use triptych_report::marks::{Outline, outline};

/// Width of outlines (LOOK §3).
const OUTLINE: f32 = 1.6;

/// Draws one marker; half its width is `radius`. A hollow one lets the ground shine through.
pub fn marker(painter: &Painter, at: Pos2, which: Marker, radius: f32, colour: Color32, hollow: bool) {
    mark(painter, at, which, radius, colour, hollow.then_some(Color32::TRANSPARENT));
}

/// The same; `Some` fill makes it hollow and is what lies inside its outline.
pub fn mark(painter: &Painter, at: Pos2, which: Marker, radius: f32, colour: Color32, fill: Option<Color32>) {
    // Half of the outline lies outside: taken off, both kinds have one size.
    let radius = if fill.is_some() { (radius - OUTLINE * 0.35).max(1.0) } else { radius };
    let stroke = Stroke::new(OUTLINE, colour);
    match outline(which, [at.x, at.y], radius) {
        Outline::Circle if which == Marker::Dot => {
            // A dot is small beside the other marks, whatever size they have.
            let radius = if radius > 2.2 { (radius * 0.4).max(1.4) } else { radius };
            painter.circle_filled(at, radius, colour);
        }
        Outline::Circle => {
            match fill {
                Some(fill) => painter.circle(at, radius, fill, stroke),
                None => painter.circle_filled(at, radius, colour),
            };
        }
        Outline::Ring => ring(painter, at, radius, colour),
        Outline::Polygon(corners) => {
            let corners: Vec<Pos2> = corners.into_iter().map(|[x, y]| pos2(x, y)).collect();
            fill_polygon(painter, which, &corners, fill.unwrap_or(colour));
            if fill.is_some() {
                painter.add(Shape::closed_line(corners, stroke));
            }
        }
        Outline::Lines(lines) => {
            let width = if which == Marker::Cross { 2.0 } else { OUTLINE };
            for line in lines {
                painter.line_segment(line.map(|[x, y]| pos2(x, y)), Stroke::new(width, colour));
            }
        }
    }
}

/// egui fills convex polygons only: a plus is two bars, an hourglass two triangles.
fn fill_polygon(painter: &Painter, which: Marker, corners: &[Pos2], fill: Color32) {
    match (which, corners) {
        (Marker::Plus, corners) => {
            let bounds = Rect::from_points(corners);
            for arm in [Vec2::new(1.0, 0.4), Vec2::new(0.4, 1.0)] {
                painter.rect_filled(Rect::from_center_size(bounds.center(), bounds.size() * arm), 0.0, fill);
            }
        }
        (Marker::Hourglass, [left_top, right_top, left_bottom, right_bottom]) => {
            let middle = *left_top + (*right_bottom - *left_top) / 2.0;
            for ends in [[*left_top, *right_top], [*right_bottom, *left_bottom]] {
                painter.add(Shape::convex_polygon(vec![ends[0], ends[1], middle], fill, Stroke::NONE));
            }
        }
        _ => {
            painter.add(Shape::convex_polygon(corners.to_vec(), fill, Stroke::NONE));
        }
    }
}

fn ring(painter: &Painter, at: Pos2, radius: f32, colour: Color32) {
    let points: Vec<Pos2> = (0..=24u8)
        .map(|part| at + Vec2::angled(f32::from(part) * std::f32::consts::TAU / 24.0) * radius * 0.9)
        .collect();
    painter.extend(Shape::dashed_line(&points, Stroke::new(1.3, colour), radius * 0.5, radius * 0.44));
}
