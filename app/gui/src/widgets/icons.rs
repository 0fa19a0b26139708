//! Icons as polylines in a 14 x 14 box, stroked 1.3 and tinted by a token.

use egui::{Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, Vec2};

/// The icons there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A folder.
    Folder,
    /// A sheet of paper.
    File,
    /// A table.
    Table,
    /// Add.
    Plus,
    /// Close, remove.
    Close,
    /// Opens a list.
    Down,
    /// Closed group.
    Right,
    /// Check mark.
    Check,
    /// Look for.
    Search,
    /// Copy.
    Copy,
    /// Undo.
    Undo,
    /// Redo.
    Redo,
    /// Linked axes.
    Link,
    /// More.
    More,
    /// Warning.
    Warning,
    /// An error.
    Error,
    /// A lab: a flask.
    Lab,
    /// Pause.
    Pause,
    /// Continue.
    Play,
    /// Stop.
    Stop,
    /// Quiet: an eye.
    Eye,
}

type Line = &'static [(f32, f32)];

fn lines(icon: Icon) -> &'static [Line] {
    match icon {
        Icon::Folder => {
            &[&[(1.5, 11.5), (1.5, 3.0), (5.5, 3.0), (7.0, 4.7), (12.5, 4.7), (12.5, 11.5), (1.5, 11.5)]]
        }
        Icon::File => &[
            &[(3.0, 1.5), (8.5, 1.5), (11.0, 4.0), (11.0, 12.5), (3.0, 12.5), (3.0, 1.5)],
            &[(8.3, 1.7), (8.3, 4.3), (10.8, 4.3)],
        ],
        Icon::Table => &[
            &[(1.5, 2.5), (12.5, 2.5), (12.5, 11.5), (1.5, 11.5), (1.5, 2.5)],
            &[(1.5, 5.5), (12.5, 5.5)],
            &[(5.5, 5.5), (5.5, 11.5)],
        ],
        Icon::Plus => &[&[(7.0, 2.5), (7.0, 11.5)], &[(2.5, 7.0), (11.5, 7.0)]],
        Icon::Close => &[&[(3.5, 3.5), (10.5, 10.5)], &[(10.5, 3.5), (3.5, 10.5)]],
        Icon::Down => &[&[(3.5, 5.5), (7.0, 9.0), (10.5, 5.5)]],
        Icon::Right => &[&[(5.5, 3.5), (9.0, 7.0), (5.5, 10.5)]],
        Icon::Check => &[&[(3.6, 7.2), (6.2, 9.8), (10.6, 4.6)]],
        Icon::Search => &[
            &[
                (9.6, 6.0),
                (9.1, 8.0),
                (7.4, 9.4),
                (5.2, 9.5),
                (3.3, 8.4),
                (2.4, 6.4),
                (2.7, 4.3),
                (4.3, 2.7),
                (6.4, 2.4),
                (8.4, 3.3),
                (9.5, 5.1),
                (9.6, 6.0),
            ],
            &[(8.6, 8.6), (12.0, 12.0)],
        ],
        Icon::Copy => &[
            &[(4.5, 4.5), (12.0, 4.5), (12.0, 12.0), (4.5, 12.0), (4.5, 4.5)],
            &[(9.5, 4.3), (9.5, 2.0), (2.0, 2.0), (2.0, 9.5), (4.3, 9.5)],
        ],
        Icon::Undo => &[
            &[(5.0, 2.5), (2.0, 5.5), (5.0, 8.5)],
            &[(2.2, 5.5), (8.5, 5.5), (10.9, 6.5), (11.8, 8.5), (10.9, 10.6), (8.5, 11.5), (5.0, 11.5)],
        ],
        Icon::Redo => &[
            &[(9.0, 2.5), (12.0, 5.5), (9.0, 8.5)],
            &[(11.8, 5.5), (5.5, 5.5), (3.1, 6.5), (2.2, 8.5), (3.1, 10.6), (5.5, 11.5), (9.0, 11.5)],
        ],
        Icon::Link => &[
            &[(6.0, 8.0), (8.0, 6.0)],
            &[(6.5, 4.6), (8.3, 2.8), (10.0, 2.5), (11.4, 4.0), (11.1, 5.7), (9.3, 7.5)],
            &[(7.5, 9.4), (5.7, 11.2), (4.0, 11.5), (2.6, 10.0), (2.9, 8.3), (4.7, 6.5)],
        ],
        Icon::More => &[&[(2.2, 7.0), (3.4, 7.0)], &[(6.4, 7.0), (7.6, 7.0)], &[(10.6, 7.0), (11.8, 7.0)]],
        Icon::Warning => &[
            &[(7.0, 2.0), (12.5, 11.8), (1.5, 11.8), (7.0, 2.0)],
            &[(7.0, 5.8), (7.0, 8.4)],
            &[(7.0, 10.0), (7.0, 10.3)],
        ],
        Icon::Error => &[
            &[
                (12.2, 7.0),
                (11.2, 10.1),
                (8.6, 12.0),
                (5.4, 12.0),
                (2.8, 10.1),
                (1.8, 7.0),
                (2.8, 3.9),
                (5.4, 2.0),
                (8.6, 2.0),
                (11.2, 3.9),
                (12.2, 7.0),
            ],
            &[(3.6, 3.6), (10.4, 10.4)],
        ],
        Icon::Lab => &[
            &[(4.5, 1.5), (9.5, 1.5)],
            &[(5.5, 1.5), (5.5, 5.5), (2.5, 12.5), (11.5, 12.5), (8.5, 5.5), (8.5, 1.5)],
            &[(4.0, 9.0), (10.0, 9.0)],
        ],
        Icon::Pause => &[&[(5.0, 3.0), (5.0, 11.0)], &[(9.0, 3.0), (9.0, 11.0)]],
        Icon::Play => &[&[(4.5, 3.0), (11.0, 7.0), (4.5, 11.0), (4.5, 3.0)]],
        Icon::Stop => &[&[(3.5, 3.5), (10.5, 3.5), (10.5, 10.5), (3.5, 10.5), (3.5, 3.5)]],
        Icon::Eye => &[
            &[
                (1.2, 7.0),
                (3.4, 4.4),
                (7.0, 3.2),
                (10.6, 4.4),
                (12.8, 7.0),
                (10.6, 9.6),
                (7.0, 10.8),
                (3.4, 9.6),
                (1.2, 7.0),
            ],
            &[
                (8.7, 7.0),
                (8.2, 8.2),
                (7.0, 8.7),
                (5.8, 8.2),
                (5.3, 7.0),
                (5.8, 5.8),
                (7.0, 5.3),
                (8.2, 5.8),
                (8.7, 7.0),
            ],
        ],
    }
}

/// Paints an icon into a rectangle of any size.
pub fn paint(painter: &Painter, rect: Rect, icon: Icon, colour: Color32) {
    let scale = rect.width().min(rect.height()) / 14.0;
    for line in lines(icon) {
        let points: Vec<Pos2> =
            line.iter().map(|(x, y)| rect.min + Vec2::new(x * scale, y * scale)).collect();
        painter.add(Shape::line(points, Stroke::new(1.3 * scale.max(0.8), colour)));
    }
}

/// An icon as a widget that only shows.
pub fn icon(ui: &mut Ui, which: Icon, colour: Color32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(14.0), Sense::hover());
    paint(ui.painter(), rect, which, colour);
    response
}
