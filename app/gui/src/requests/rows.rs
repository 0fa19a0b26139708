//! Columns and rows of the view's tables: what a row paints is what its accessible name says.

use super::words;
use crate::panels::kit;
use crate::theme::{Theme, size};
use crate::widgets::{self, body, mono, small, text_scale};
use egui::{Align2, FontId, Rect, Sense, Stroke, Ui, Vec2, pos2};
use triptych_report::{kind_ink, numbers};
use triptych_store::{RequestFacts, SessionFacts};

/// A column: its head, and its place once it was laid out.
#[derive(Clone, Debug)]
pub(super) struct Column {
    title: &'static str,
    width: f32,
    right: bool,
    left: f32,
}

impl Column {
    /// A column of that width; 0 takes what is left.
    pub(super) fn new(title: &'static str, width: f32) -> Self {
        Self { title, width, right: false, left: 0.0 }
    }

    /// Its numbers end where its head ends.
    fn number(title: &'static str, width: f32) -> Self {
        Self { right: true, ..Self::new(title, width) }
    }
}

/// Gives the columns their places; the widest-shrinking one takes what is left.
pub(super) fn laid_out(ui: &Ui, columns: &[Column]) -> Vec<Column> {
    let fixed: f32 = columns.iter().map(|column| column.width + 12.0).sum();
    let open = columns.iter().filter(|column| column.width <= 0.0).count().max(1) as f32;
    let rest = ((ui.available_width() - fixed - 2.0 * size::EDGE) / open).max(40.0);
    let mut left = size::EDGE;
    let place = |column: &Column| {
        let width = if column.width > 0.0 { column.width } else { rest };
        let placed = Column { width, left, ..column.clone() };
        left += width + 12.0;
        placed
    };
    columns.iter().map(place).collect()
}

/// Columns that there is room for: each with the width from which on it is shown.
fn fitting(ui: &Ui, columns: Vec<(f32, Column)>) -> Vec<Column> {
    let room = ui.available_width() / text_scale(ui);
    let kept: Vec<Column> =
        columns.into_iter().filter(|(from, _)| room >= *from).map(|(_, column)| column).collect();
    laid_out(ui, &kept)
}

fn clock_width(ui: &Ui) -> f32 {
    ui.fonts_mut(|fonts| fonts.glyph_width(&mono(ui), '0')) * 15.0 + 2.0
}

/// What seconds are called: a gap is no duration.
fn secs_title(measured: bool) -> &'static str {
    if measured { "took, s" } else { "gap, s" }
}

/// time, gap, bar, during, path, line.
pub(super) fn gap_columns(ui: &Ui, measured: bool) -> Vec<Column> {
    let scale = text_scale(ui);
    fitting(
        ui,
        vec![
            (0.0, Column::new("time", clock_width(ui))),
            (0.0, Column::number(secs_title(measured), 48.0 * scale)),
            (480.0, Column::new("", 90.0 * scale)),
            (0.0, Column::new("during", 124.0 * scale)),
            (420.0, Column::new("path", 0.0)),
            (0.0, Column::number("line", 62.0 * scale)),
        ],
    )
}

/// time, action, path, repository, user, gap, line.
pub(super) fn table_columns(ui: &Ui, measured: bool) -> Vec<Column> {
    let scale = text_scale(ui);
    fitting(
        ui,
        vec![
            (0.0, Column::new("time", clock_width(ui))),
            (0.0, Column::new("action", 142.0 * scale)),
            (0.0, Column::new("path", 0.0)),
            (620.0, Column::new("repository", 84.0 * scale)),
            (780.0, Column::new("user", 90.0 * scale)),
            (900.0, Column::number("pid", 62.0 * scale)),
            (460.0, Column::number(secs_title(measured), 54.0 * scale)),
            (0.0, Column::number("line", 74.0 * scale)),
        ],
    )
}

/// first line, pid, client, user, repository, host, lines, length.
pub(super) fn session_columns(ui: &Ui) -> Vec<Column> {
    let scale = text_scale(ui);
    fitting(
        ui,
        vec![
            (0.0, Column::new("opened", clock_width(ui))),
            (0.0, Column::number("pid", 56.0 * scale)),
            (0.0, Column::new("client", 0.0)),
            (520.0, Column::new("user", 90.0 * scale)),
            (440.0, Column::new("repository", 84.0 * scale)),
            (760.0, Column::new("host", 120.0 * scale)),
            (0.0, Column::number("lines", 56.0 * scale)),
            (0.0, Column::number("length, s", 70.0 * scale)),
        ],
    )
}

/// The heads of the columns.
pub(super) fn head(ui: &mut Ui, theme: &Theme, columns: &[Column]) {
    let height = widgets::row_height(ui) + 2.0;
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::hover());
    for (place, column) in columns.iter().enumerate() {
        let align = if column.right { Align2::RIGHT_CENTER } else { Align2::LEFT_CENTER };
        cell(ui, columns, place, rect, column.title, small(ui), theme.t3, align);
    }
    let y = ui.painter().round_to_pixel_center(rect.bottom() - 0.5);
    ui.painter().hline(rect.x_range(), y, Stroke::new(1.0, theme.line));
}

/// A text in a cell, cut where it is too long.
#[expect(clippy::too_many_arguments, reason = "a cell is all of these")]
pub(super) fn cell(
    ui: &Ui,
    columns: &[Column],
    place: usize,
    rect: Rect,
    text: &str,
    font: FontId,
    ink: egui::Color32,
    align: Align2,
) {
    let Some(column) = columns.get(place) else { return };
    let x = rect.left() + column.left + if align == Align2::RIGHT_CENTER { column.width } else { 0.0 };
    widgets::paint_text(ui, pos2(x, rect.center().y), align, text, font, ink, column.width);
}

/// Paints cells by the titles of their columns.
struct Cells<'a> {
    ui: &'a Ui,
    columns: &'a [Column],
    rect: Rect,
}

impl Cells<'_> {
    fn place(&self, title: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.title == title)
    }

    fn text(&self, title: &str, text: &str, font: FontId, ink: egui::Color32) {
        let Some(place) = self.place(title) else { return };
        let align = if self.columns.get(place).is_some_and(|column| column.right) {
            Align2::RIGHT_CENTER
        } else {
            Align2::LEFT_CENTER
        };
        cell(self.ui, self.columns, place, self.rect, text, font, ink, align);
    }

    /// A path, cut at its head, for its end tells files apart.
    fn path(&self, title: &str, text: &str, ink: egui::Color32) {
        let Some(column) = self.place(title).and_then(|place| self.columns.get(place)) else { return };
        let at = pos2(self.rect.left() + column.left, self.rect.center().y);
        kit::paint_path(self.ui, at, text, ink, column.width);
    }
}

/// What stands in the path's place: the path, the error, or the revision of an action without one.
fn object(facts: &RequestFacts) -> String {
    match (&facts.path, &facts.error, facts.revision) {
        (_, Some(error), _) => error.clone(),
        (Some(path), ..) => path.clone(),
        (None, None, Some(revision)) => format!("r{revision}"),
        (None, None, None) => String::new(),
    }
}

/// One of the slowest gaps.
pub(super) fn gap_row(
    ui: &Ui,
    theme: &Theme,
    columns: &[Column],
    rect: Rect,
    facts: &RequestFacts,
    longest: f64,
    selected: bool,
) -> String {
    let cells = Cells { ui, columns, rect };
    let time = words::time(facts.time);
    let secs = facts.gap.map_or(0.0, |(secs, _)| secs);
    let line = numbers::count(f64::from(facts.line));
    let object = object(facts);
    cells.text("time", &time, mono(ui), if selected { theme.t1 } else { theme.t2 });
    for title in [secs_title(false), secs_title(true)] {
        cells.text(title, &words::gap_secs(secs), body(ui), theme.t1);
    }
    cells.text("during", &facts.action, body(ui), theme.t1);
    cells.path("path", &object, theme.t2);
    cells.text("line", &line, body(ui), theme.t3);
    if let Some(column) = cells.place("").and_then(|place| columns.get(place)) {
        let width = column.width * (secs / longest.max(1e-9)).clamp(0.0, 1.0) as f32;
        let bar = Rect::from_min_size(
            pos2(rect.left() + column.left, rect.center().y - 3.0),
            Vec2::new(width.max(1.0), 6.0),
        );
        let ink = if selected { theme.accent } else { theme.ink(kind_ink(facts.info.kind)) };
        ui.painter().rect_filled(bar, 1.0, ink);
    }
    let name = facts.gap.map_or("", |(_, kind)| words::gap_name(kind));
    format!("{time}, {}, {name}, {} {object}, line {line}", words::secs(secs), facts.action)
}

/// A row of the table.
pub(super) fn table_row(
    ui: &Ui,
    theme: &Theme,
    columns: &[Column],
    rect: Rect,
    facts: &RequestFacts,
) -> String {
    let cells = Cells { ui, columns, rect };
    let time = words::time(facts.time);
    let line = numbers::count(f64::from(facts.line));
    let object = object(facts);
    cells.text("time", &time, mono(ui), theme.t2);
    if let Some(column) = cells.place("action").and_then(|place| columns.get(place)) {
        let side = 9.0 * text_scale(ui);
        let at = pos2(rect.left() + column.left + side / 2.0, rect.center().y);
        kind_mark(ui, theme, at, facts.info.kind);
        let x = at.x + side / 2.0 + 6.0;
        let room = column.width - side - 6.0;
        widgets::paint_text(
            ui,
            pos2(x, rect.center().y),
            Align2::LEFT_CENTER,
            &facts.action,
            body(ui),
            theme.t1,
            room,
        );
    }
    if facts.error.is_some() {
        cells.text("path", &object, body(ui), theme.t2);
    } else {
        cells.path("path", &object, theme.t2);
    }
    cells.text("repository", facts.repository.as_deref().unwrap_or(""), body(ui), theme.t2);
    cells.text("user", facts.user.as_deref().unwrap_or(""), body(ui), theme.t2);
    let pid = facts.pid.map(|pid| pid.to_string()).unwrap_or_default();
    cells.text("pid", &pid, body(ui), theme.t3);
    let gap = facts.gap.map(|(secs, _)| words::gap_secs(secs)).unwrap_or_default();
    for title in [secs_title(false), secs_title(true)] {
        cells.text(title, &gap, body(ui), theme.t1);
    }
    cells.text("line", &line, body(ui), theme.t3);
    format!("{time}, {} {object}, line {line}", facts.action)
}

/// The swatch of a kind; a cross for errors.
pub(super) fn kind_mark(ui: &Ui, theme: &Theme, at: egui::Pos2, kind: triptych_store::ActionKind) {
    let scale = text_scale(ui);
    if kind == triptych_store::ActionKind::Error {
        crate::painter::marker(
            ui.painter(),
            at,
            triptych_report::Marker::Cross,
            3.5 * scale,
            theme.failed,
            false,
        );
    } else {
        let swatch = Rect::from_center_size(at, Vec2::splat(9.0 * scale));
        ui.painter().rect_filled(swatch, 1.0, theme.ink(kind_ink(kind)));
    }
}

/// time, pid, client, user, repository, lines, length.
pub(super) fn session_words(facts: &SessionFacts) -> [String; 7] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        words::time(facts.start),
        facts.pid.map(|pid| pid.to_string()).unwrap_or_default(),
        text(&facts.client),
        text(&facts.user),
        text(&facts.repository),
        facts.lines.to_string(),
        words::gap_secs(facts.secs),
    ]
}

/// A session.
pub(super) fn session_row(
    ui: &Ui,
    theme: &Theme,
    columns: &[Column],
    rect: Rect,
    facts: &SessionFacts,
) -> String {
    let cells = Cells { ui, columns, rect };
    let [time, pid, client, user, repository, lines, secs] = session_words(facts);
    let client = match (client.is_empty(), facts.opened) {
        (false, _) => client,
        (true, true) => String::new(),
        (true, false) => "opened before the log began".to_owned(),
    };
    cells.text("opened", &time, mono(ui), theme.t2);
    cells.text("pid", &pid, body(ui), theme.t1);
    cells.text("client", &client, body(ui), if facts.opened { theme.t1 } else { theme.t3 });
    cells.text("user", &user, body(ui), theme.t2);
    cells.text("repository", &repository, body(ui), theme.t2);
    cells.text("host", facts.host.as_deref().unwrap_or(""), body(ui), theme.t2);
    cells.text("lines", &numbers::count(f64::from(facts.lines)), body(ui), theme.t1);
    cells.text("length, s", &secs, body(ui), theme.t1);
    format!("session of pid {pid}, {client}, {time}, {lines} lines in {secs} s")
}
