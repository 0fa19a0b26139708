//! The shapes of markers as points, so that the window and pictures draw the same ones.

use crate::figure::{Marker, Point};

/// What a marker is drawn of.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// A circle of the marker's radius.
    Circle,
    /// A dashed circle of the marker's radius, never filled.
    Ring,
    /// A closed polygon, filled or outlined. Not always convex.
    Polygon(Vec<Point>),
    /// Strokes.
    Lines(Vec<[Point; 2]>),
}

/// The outline of a marker round `at`; `radius` is half its width.
pub fn outline(marker: Marker, at: Point, radius: f32) -> Outline {
    let polygon = |points: &[Point]| {
        Outline::Polygon(points.iter().map(|[x, y]| [at[0] + x * radius, at[1] + y * radius]).collect())
    };
    let lines = |ends: &[[Point; 2]]| {
        let place = |[x, y]: Point| [at[0] + x * radius, at[1] + y * radius];
        Outline::Lines(ends.iter().map(|[from, to]| [place(*from), place(*to)]).collect())
    };
    match marker {
        Marker::Disc | Marker::Dot => Outline::Circle,
        Marker::DashedRing => Outline::Ring,
        Marker::Square => polygon(&[[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]),
        Marker::Diamond => polygon(&[[0.0, -1.15], [1.15, 0.0], [0.0, 1.15], [-1.15, 0.0]]),
        Marker::Plus => polygon(&[
            [-0.4, -1.0],
            [0.4, -1.0],
            [0.4, -0.4],
            [1.0, -0.4],
            [1.0, 0.4],
            [0.4, 0.4],
            [0.4, 1.0],
            [-0.4, 1.0],
            [-0.4, 0.4],
            [-1.0, 0.4],
            [-1.0, -0.4],
            [-0.4, -0.4],
        ]),
        Marker::WideBar => polygon(&[[-1.1, -0.5], [1.1, -0.5], [1.1, 0.5], [-1.1, 0.5]]),
        Marker::TallBar => polygon(&[[-0.5, -1.1], [0.5, -1.1], [0.5, 1.1], [-0.5, 1.1]]),
        Marker::HalfDisc => Outline::Polygon(half_disc(at, radius)),
        Marker::Hourglass => polygon(&[[-0.9, -1.0], [0.9, -1.0], [-0.9, 1.0], [0.9, 1.0]]),
        Marker::TriangleUp => polygon(&[[0.0, -0.95], [1.05, 0.85], [-1.05, 0.85]]),
        Marker::TriangleDown => polygon(&[[0.0, 0.95], [1.05, -0.85], [-1.05, -0.85]]),
        Marker::TwoBars => lines(&[[[-1.0, -0.5], [1.0, -0.5]], [[-1.0, 0.5], [1.0, 0.5]]]),
        Marker::Cross => lines(&[[[-0.8, -0.8], [0.8, 0.8]], [[-0.8, 0.8], [0.8, -0.8]]]),
    }
}

/// The right half of a disc.
fn half_disc([x, y]: Point, radius: f32) -> Vec<Point> {
    const STEPS: u8 = 12;
    (0..=STEPS)
        .map(|step| {
            let angle = std::f32::consts::PI * (f32::from(step) / f32::from(STEPS) - 0.5);
            [x - 0.4 * radius + 1.1 * radius * angle.cos(), y + 1.1 * radius * angle.sin()]
        })
        .collect()
}
