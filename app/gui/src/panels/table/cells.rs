//! One row of the table: its texts, its crosses, its intervals and what they say when pointed at.

use super::columns::{self, Kind};
use super::plan::{Column, Plan};
use crate::painter;
use crate::state::State;
use crate::theme::Theme;
use crate::tiles::{Readout, verdict_mark};
use crate::widgets;
use egui::{Align2, Id, Rect, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2};
use triptych_model::Key;
use triptych_report::{Comparison, Ink, Marker, Row, Side, Verdict, numbers};
use triptych_store::{Cell, RunIndex};

/// Below this many runs a mark is hollow.
const INDICATION: usize = 6;

/// One row in its place.
pub struct RowPainter<'a> {
    /// All triples.
    pub comparison: &'a Comparison,
    /// Their layout.
    pub plan: &'a Plan,
    /// The table's.
    pub id: Id,
    /// Place in the order of showing.
    pub place: usize,
    /// Where it is drawn.
    pub rect: Rect,
    /// Whether it is the first that is seen: then it repeats its conditions.
    pub first: bool,
}

impl RowPainter<'_> {
    /// The triple.
    pub fn row(&self) -> Option<&Row> {
        self.at(self.place)
    }

    fn at(&self, place: usize) -> Option<&Row> {
        self.comparison.rows.get(*self.plan.order.get(place)?)
    }

    fn above(&self) -> Option<&Row> {
        self.at(self.place.checked_sub(1)?)
    }

    /// Whether another operation or campaign begins here.
    pub fn separated(&self) -> bool {
        let (Some(row), Some(above)) = (self.row(), self.above()) else { return false };
        [Key::Operation, Key::Campaign].into_iter().any(|key| row.condition(key) != above.condition(key))
    }

    /// The row for screen readers and tests: `verify, cold: trunk 7.31 s, branch6 7.02 s ratio 1.04 not shown`.
    pub fn name(&self) -> String {
        let Some(row) = self.row() else { return String::new() };
        let sides: Vec<String> =
            row.group.cells.iter().zip(&row.sides).map(|(cell, side)| side_text(row, cell, side)).collect();
        format!("{}: {}", triptych_report::row_title(row), sides.join(", "))
    }

    /// Paints the cells; returns the side that was clicked.
    pub fn cells(&self, ui: &mut Ui, state: &mut State, theme: &Theme) -> Option<usize> {
        let row = self.row()?;
        let mut clicked = None;
        let mut repeated = !self.first;
        for column in &self.plan.columns {
            let place = self.column_rect(column);
            match column.kind {
                Kind::Condition(_) | Kind::Process | Kind::Metric => {
                    let text = columns::text(self.comparison, row, column.kind);
                    repeated &= self
                        .above()
                        .is_some_and(|above| columns::text(self.comparison, above, column.kind) == text);
                    if !repeated {
                        self.condition(ui, theme, column, place, &text);
                    }
                }
                Kind::Notation => {
                    let text = columns::text(self.comparison, row, column.kind);
                    widgets::paint_text(
                        ui,
                        place.left_center(),
                        Align2::LEFT_CENTER,
                        &text,
                        widgets::mono(ui),
                        theme.t2,
                        place.width(),
                    );
                }
                Kind::Value(_) => clicked = clicked.or(self.value(ui, state, theme, column, row)),
                Kind::Ratio(_) => clicked = clicked.or(self.ratio(ui, state, theme, column, row)),
            }
        }
        clicked
    }

    fn column_rect(&self, column: &Column) -> Rect {
        Rect::from_min_size(
            pos2(self.rect.left() + column.left, self.rect.top()),
            Vec2::new(column.width, self.rect.height()),
        )
    }

    fn condition(&self, ui: &Ui, theme: &Theme, column: &Column, place: Rect, text: &str) {
        let (font, ink) = match column.kind {
            Kind::Condition(Key::Operation) => (widgets::body(ui), theme.t1),
            _ => (widgets::body(ui), theme.t2),
        };
        widgets::paint_text(
            ui,
            place.left_center(),
            Align2::LEFT_CENTER,
            text,
            font,
            ink,
            place.width() + 2.0,
        );
    }

    /// A value with what was left out before it.
    fn value(&self, ui: &mut Ui, state: &State, theme: &Theme, column: &Column, row: &Row) -> Option<usize> {
        let place = self.column_rect(column);
        let Some((index, cell, side)) = columns::side(self.comparison, row, column.kind) else {
            let id = self.id.with(("empty", self.place, column.left.to_bits()));
            let name = columns::title(self.comparison, column.kind);
            ui.interact(place, id, Sense::hover())
                .on_hover_text(format!("No run of {name} in these conditions"));
            return None;
        };
        let clicked = self.cell_response(ui, state, theme, column, (index, cell, side), row);
        let text = columns::text(self.comparison, row, column.kind);
        let shown = widgets::paint_text(
            ui,
            place.right_center(),
            Align2::RIGHT_CENTER,
            &text,
            widgets::body(ui),
            theme.t1,
            place.width(),
        );
        let scale = widgets::text_scale(ui);
        let cross = pos2(shown.left() - 9.0 * scale, place.center().y);
        if !cell.failed.is_empty() {
            painter::marker(ui.painter(), cross, Marker::Cross, 3.8 * scale, theme.failed, false);
        } else if !cell.left_out.is_empty() {
            painter::marker(ui.painter(), cross, Marker::Cross, 3.8 * scale, theme.t3, false);
        } else if self.unusual(column, side) {
            let n = format!("n{}{}", numbers::NARROW, side.n);
            widgets::paint_text(
                ui,
                pos2(shown.left() - 6.0, place.center().y),
                Align2::RIGHT_CENTER,
                &n,
                widgets::small(ui),
                theme.t3,
                40.0,
            );
        }
        clicked.then_some(index)
    }

    fn unusual(&self, column: &Column, side: &Side) -> bool {
        let Kind::Value(place) = column.kind else { return false };
        side.median.is_some() && self.plan.usual_n.get(place).is_none_or(|usual| *usual != side.n)
    }

    /// The ratio with its interval on the common scale, and the mark of its verdict.
    fn ratio(&self, ui: &mut Ui, state: &State, theme: &Theme, column: &Column, row: &Row) -> Option<usize> {
        let place = self.column_rect(column);
        if column.interval > 0.0 {
            self.ground(ui, theme, column, place);
        }
        let (index, cell, side) = columns::side(self.comparison, row, column.kind)?;
        let text = columns::text(self.comparison, row, column.kind);
        if text.is_empty() {
            return None;
        }
        let clicked = self.cell_response(ui, state, theme, column, (index, cell, side), row);
        let hollow = row.sides.get(row.baseline).is_none_or(|base| base.n.min(side.n) < INDICATION);
        let (marker, ink) = side.verdict.map_or((None, theme.t3), |verdict| {
            let (marker, ink) = verdict_mark(verdict, theme);
            (Some(marker), ink)
        });
        let loud = matches!(side.verdict, Some(Verdict::Faster | Verdict::Slower));
        let ink = if loud { ink } else { theme.t3 };
        if column.interval > 0.0 {
            self.interval(ui, column, place, side, ink);
        }
        let scale = widgets::text_scale(ui);
        let (font, text_ink) = if loud { (widgets::strong(ui), ink) } else { (widgets::body(ui), theme.t2) };
        let end = pos2(place.right() - 22.0 * scale, place.center().y);
        widgets::paint_text(ui, end, Align2::RIGHT_CENTER, &text, font, text_ink, place.width());
        if let Some(marker) = marker {
            let at = pos2(place.right() - 10.0 * scale, place.center().y);
            painter::marker(ui.painter(), at, marker, 4.5 * scale, ink, hollow && loud);
        }
        clicked.then_some(index)
    }

    fn x(&self, column: &Column, place: Rect, ratio: f64) -> f32 {
        let x = place.left() + (ratio.max(1e-9).ln() as f32 - column.origin) * self.plan.per_log;
        x.clamp(place.left() + 1.0, place.left() + column.interval - 1.0)
    }

    /// The threshold's band and the line at 1, through every row.
    fn ground(&self, ui: &Ui, theme: &Theme, column: &Column, place: Rect) {
        let edge = 1.0 + self.comparison.threshold_percent.max(0.0) / 100.0;
        let (from, to) = (self.x(column, place, 1.0 / edge), self.x(column, place, edge));
        ui.painter().rect_filled(Rect::from_x_y_ranges(from..=to, place.y_range()), 0.0, theme.s4);
        let one = ui.painter().round_to_pixel_center(self.x(column, place, 1.0));
        ui.painter().vline(one, place.y_range(), Stroke::new(1.0, theme.t4));
    }

    fn interval(&self, ui: &Ui, column: &Column, place: Rect, side: &Side, ink: egui::Color32) {
        let y = ui.painter().round_to_pixel_center(place.center().y);
        if let Some((low, high)) = side.ratio_interval {
            let (from, to) = (self.x(column, place, low), self.x(column, place, high));
            ui.painter().hline(from..=to, y, Stroke::new(1.6, ink));
            for end in [from, to] {
                ui.painter().vline(end, (y - 3.0)..=(y + 3.0), Stroke::new(1.2, ink));
            }
        }
        if let Some(ratio) = side.ratio {
            let at = pos2(self.x(column, place, ratio), y);
            painter::marker(ui.painter(), at, Marker::Disc, 2.8, ink, false);
        }
    }

    /// Where a side reacts, with its read-out; whether it was clicked.
    fn cell_response(
        &self,
        ui: &Ui,
        state: &State,
        theme: &Theme,
        column: &Column,
        (index, cell, side): (usize, &Cell, &Side),
        row: &Row,
    ) -> bool {
        let place = self.column_rect(column).expand2(Vec2::new(6.0, 0.0));
        let what = if matches!(column.kind, Kind::Ratio(_)) { "ratio" } else { "value" };
        let response = ui.interact(place, self.id.with(("cell", self.place, index, what)), Sense::CLICK);
        let runs = all_runs(row, index);
        let chosen = !runs.is_empty() && runs.iter().all(|run| state.selection.contains(run));
        response.widget_info(|| {
            let title = triptych_report::row_title(row);
            let name = format!("{what} of {}, {title}: {}", cell.name, side_text(row, cell, side));
            WidgetInfo::selected(egui::Role::Cell, true, chosen, name)
        });
        let alone = chosen
            && (0..row.group.cells.len()).any(|other| {
                other != index && row.runs(other).iter().any(|run| !state.selection.contains(run))
            });
        if alone && matches!(column.kind, Kind::Value(_)) {
            let outline = self.column_rect(column).expand2(Vec2::new(5.0, -1.5));
            ui.painter().rect_stroke(outline, 3.0, Stroke::new(1.5, theme.accent), StrokeKind::Inside);
        }
        if let Some(at) = response.hover_pos().filter(|_| response.hovered()) {
            let place = self.comparison.variant(&cell.name);
            let readout = Readout {
                marker: Some((Marker::of_variant(place), theme.ink(Ink::Variant(place)))),
                title: cell.name.clone(),
                total: triptych_report::row_title(row),
                lines: lines(self.comparison, row, cell, side, state),
                hint: Some(("click: details", "right click: copy, leave out")),
            };
            readout.show(
                ui.ctx(),
                theme,
                widgets::text_scale(ui),
                at,
                ui.clip_rect(),
                self.id.with("read-out"),
            );
        }
        response.clicked()
    }
}

/// All runs of a side: those that count and those that failed, as a click on its bar takes them.
pub fn all_runs(row: &Row, cell: usize) -> Vec<RunIndex> {
    let failed = row.group.cells.get(cell).map(|cell| cell.failed.clone()).unwrap_or_default();
    row.runs(cell).into_iter().chain(failed).collect()
}

/// `branch7 12.84 s n = 4 ratio 0.39 slower`
fn side_text(row: &Row, cell: &Cell, side: &Side) -> String {
    let mut text = cell.name.clone();
    match side.median {
        Some(median) => text.push_str(&format!(" {}", numbers::with_unit(median, row.group.unit))),
        None => text.push_str(" unknown"),
    }
    if side.n > 1 {
        text.push_str(&format!(" n = {}", side.n));
    }
    if let Some(ratio) = side.ratio {
        text.push_str(&format!(" ratio {}", numbers::ratio(ratio)));
    }
    if let Some(verdict) = side.verdict {
        text.push_str(&format!(" {verdict}"));
    }
    if !cell.failed.is_empty() {
        text.push_str(&format!(" {} failed", cell.failed.len()));
    }
    text
}

type Line = (Option<egui::Color32>, String, String);

/// Value, n, range or interval, ratio, what is missing and why, source.
fn lines(comparison: &Comparison, row: &Row, cell: &Cell, side: &Side, state: &State) -> Vec<Line> {
    let unit = row.group.unit;
    let mut lines: Vec<Line> = Vec::new();
    let mut line = |label: &str, value: String| lines.push((None, label.to_owned(), value));
    if let Some(median) = side.median {
        let label = if side.n > 1 { format!("median of {}", side.n) } else { row.group.metric.clone() };
        line(&label, numbers::with_unit(median, unit));
    } else {
        line(&row.group.metric, "unknown: no run counts".to_owned());
    }
    let span = |(low, high): (f64, f64)| numbers::span(low, high, |end| numbers::with_unit(end, unit));
    if side.n > 1
        && let Some(range) = side.range
    {
        line("runs", span(range));
    }
    if let Some(interval) = side.interval {
        line("95 % interval", span(interval));
    }
    if let Some(ratio) = side.ratio {
        let base = row.name(row.baseline).unwrap_or_default();
        let interval = side
            .ratio_interval
            .map(|(low, high)| format!(", 95 % {}", numbers::span(low, high, numbers::ratio)));
        line(
            &format!("ratio to {base}"),
            format!("{}{}", numbers::ratio(ratio), interval.unwrap_or_default()),
        );
    }
    if let Some(verdict) = side.verdict {
        line("verdict", verdict.to_string());
    }
    for run in cell.failed.iter().take(3) {
        let reason = state
            .store
            .run(*run)
            .and_then(|view| view.failure)
            .unwrap_or_else(|| "reason unknown".to_owned());
        line("failed", reason);
    }
    for (_, reason) in cell.left_out.iter().take(3) {
        line("left out", reason.clone());
    }
    if let Some(value) = cell.values.first()
        && let Some(source) = comparison.source_name(value.source)
    {
        let more = cell.values.len() - 1;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        line("source", format!("{source}:{}{more}", value.line));
    }
    lines
}
