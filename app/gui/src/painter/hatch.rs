//! The pattern of each variant (LOOK §2), drawn as line segments clipped to a bar.

use egui::{Color32, Painter, Pos2, Rect, Stroke, pos2};

/// One family of lines.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Family {
    /// Up to the right, that far apart along x.
    Slash(f32),
    /// Down to the right.
    Backslash(f32),
    /// Level.
    Level(f32),
    /// Upright.
    Upright(f32),
    /// Dots on a square grid.
    Dots(f32),
}

/// Patterns by the variant's place; empty: plain.
const PATTERNS: [&[Family]; 8] = [
    &[],
    &[Family::Slash(6.0)],
    &[Family::Backslash(6.0)],
    &[Family::Level(5.0)],
    &[Family::Upright(5.0)],
    &[Family::Level(5.0), Family::Upright(5.0)],
    &[Family::Dots(4.5)],
    &[Family::Slash(3.5)],
];

const WIDTH: f32 = 1.5;

/// Draws the pattern of a variant over its filled bar; `ground` is the colour of the lines.
pub fn hatch(painter: &Painter, rect: Rect, variant: u16, ground: Color32) {
    let families = PATTERNS[usize::from(variant) % PATTERNS.len()];
    for family in families {
        if let Family::Dots(pitch) = *family {
            for at in dots(rect, pitch) {
                painter.circle_filled(at, 1.0, ground);
            }
        } else {
            for line in lines(rect, *family) {
                painter.line_segment(line, Stroke::new(WIDTH, ground));
            }
        }
    }
}

/// Both ends of each line that lies in the bar.
fn lines(rect: Rect, family: Family) -> Vec<[Pos2; 2]> {
    let (left, right, top, bottom) = (rect.left(), rect.right(), rect.top(), rect.bottom());
    match family {
        Family::Slash(pitch) => steps(pitch / 2.0, rect.width() + rect.height(), pitch)
            .map(|c| {
                let (from, to) = ((left + c - rect.height()).max(left), (left + c).min(right));
                let y = |x: f32| bottom - (left + c - x);
                [pos2(from, y(from)), pos2(to, y(to))]
            })
            .map(|line| line.map(|at| pos2(at.x, bottom + top - at.y)))
            .collect(),
        Family::Backslash(pitch) => steps(pitch / 2.0, rect.width() + rect.height(), pitch)
            .map(|c| {
                let (from, to) = ((left + c - rect.height()).max(left), (left + c).min(right));
                let y = |x: f32| bottom - (left + c - x);
                [pos2(from, y(from)), pos2(to, y(to))]
            })
            .collect(),
        Family::Level(pitch) => steps(pitch / 2.0, rect.height(), pitch)
            .map(|c| [pos2(left, bottom - c), pos2(right, bottom - c)])
            .collect(),
        Family::Upright(pitch) => steps(pitch / 2.0, rect.width(), pitch)
            .map(|c| [pos2(left + c, top), pos2(left + c, bottom)])
            .collect(),
        Family::Dots(_) => Vec::new(),
    }
}

fn dots(rect: Rect, pitch: f32) -> Vec<Pos2> {
    let mut all = Vec::new();
    for up in steps(pitch / 2.0, rect.height() - 0.5, pitch) {
        all.extend(
            steps(pitch / 2.0, rect.width() - 0.5, pitch).map(|x| pos2(rect.left() + x, rect.bottom() - up)),
        );
    }
    all
}

/// `first`, `first + pitch` … below `end`.
fn steps(first: f32, end: f32, pitch: f32) -> impl Iterator<Item = f32> {
    let count = ((end - first) / pitch).ceil().clamp(0.0, 4000.0) as u16;
    (0..count).map(move |index| first + f32::from(index) * pitch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_leaves_its_bar() {
        for rect in [
            Rect::from_min_max(pos2(10.0, 20.0), pos2(22.0, 160.0)),
            Rect::from_min_max(pos2(0.0, 0.0), pos2(60.0, 3.0)),
            Rect::from_min_max(pos2(5.0, 5.0), pos2(6.0, 6.0)),
        ] {
            for family in PATTERNS.into_iter().flatten() {
                for at in lines(rect, *family).into_iter().flatten() {
                    assert!(rect.expand(0.01).contains(at), "{family:?} {at:?} outside {rect:?}");
                }
            }
            assert!(dots(rect, 4.5).into_iter().all(|at| rect.contains(at)));
        }
    }

    #[test]
    fn slashes_rise_and_backslashes_fall() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(30.0, 30.0));
        let rise = |family| lines(rect, family).iter().map(|[a, b]| (b.y - a.y).signum()).collect::<Vec<_>>();
        assert!(rise(Family::Slash(6.0)).iter().all(|sign| *sign < 0.0));
        assert!(rise(Family::Backslash(6.0)).iter().all(|sign| *sign > 0.0));
        assert_eq!(lines(rect, Family::Slash(6.0)).len(), 10);
    }
}
