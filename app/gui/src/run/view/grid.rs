//! The plan as a matrix: a cell a run, 58 by 27, with the proof of its cache state at its left edge (LOOK §4).

use crate::action::Action;
use crate::run::matrix::{Cell, Evidence, Matrix, State as Step};
use crate::run::model::RunModel;
use crate::run::progress::expected;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets;
use egui::{
    Align2, Id, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo, pos2, vec2,
};
use triptych_model::{is_usual_baseline, natural_cmp};
use triptych_report::{Ink, Marker};

/// Sizes at the text scale.
struct Measure {
    cell: Vec2,
    /// From cell to cell.
    pitch: Vec2,
    /// Between rounds.
    block: f32,
    /// Between operations.
    group: f32,
    /// Names of rounds and variants.
    head: f32,
    /// Names of operations.
    names: f32,
    /// Names of cache states.
    caches: f32,
    scale: f32,
}

impl Measure {
    fn of(ui: &Ui, matrix: &Matrix) -> Self {
        let scale = widgets::text_scale(ui).max(0.8);
        let width = |text: &str| {
            ui.painter()
                .layout_no_wrap(text.to_owned(), widgets::named(ui), egui::Color32::PLACEHOLDER)
                .size()
                .x
        };
        let longest = |texts: &mut dyn Iterator<Item = f32>| texts.fold(0.0, f32::max);
        let names = longest(&mut matrix.rows.iter().map(|row| width(&row.operation).max(width(&row.place))));
        let caches = longest(&mut matrix.rows.iter().map(|row| width(row.cache.name())));
        let cell = vec2(58.0, 27.0) * scale;
        Self {
            cell,
            pitch: cell + vec2(3.0, 3.0),
            block: 12.0 * scale,
            group: 6.0 * scale,
            head: 38.0 * scale,
            names: names.clamp(60.0 * scale, 190.0 * scale) + 14.0,
            caches: caches + 14.0,
            scale,
        }
    }

    fn left(&self) -> f32 {
        size::EDGE + self.names + self.caches
    }

    fn x(&self, matrix: &Matrix, round: usize, column: usize) -> f32 {
        let block = self.pitch.x * matrix.variants.len() as f32 + self.block;
        self.left() + block * round as f32 + self.pitch.x * column as f32
    }

    /// Top of a row, with room above the first of an operation.
    fn y(&self, matrix: &Matrix, row: usize) -> f32 {
        let groups = (1..=row).filter(|row| begins(matrix, *row)).count();
        self.head + self.pitch.y * row as f32 + self.group * groups as f32
    }

    fn size(&self, matrix: &Matrix) -> Vec2 {
        let rows = matrix.rows.len();
        let bottom = rows.checked_sub(1).map_or(self.head, |last| self.y(matrix, last) + self.pitch.y);
        vec2(self.x(matrix, matrix.rounds, 0) - self.block + size::EDGE, bottom)
    }
}

/// Whether a row is the first of its operation and place.
fn begins(matrix: &Matrix, row: usize) -> bool {
    let of = |row: usize| matrix.rows.get(row).map(|row| (&row.operation, &row.place));
    row == 0 || of(row) != of(row - 1)
}

/// Height at which nothing has to be scrolled.
pub fn wanted_height(ui: &Ui, model: &RunModel) -> f32 {
    Measure::of(ui, &model.matrix).size(&model.matrix).y
}

/// Shows the matrix; its heads stay where they are while the cells scroll.
pub fn ui(ui: &mut Ui, state: &mut State, model: &RunModel, theme: &Theme, body: Rect) {
    let measure = Measure::of(ui, &model.matrix);
    let total = measure.size(&model.matrix);
    ui.scope_builder(UiBuilder::new().max_rect(body.shrink2(vec2(0.0, 2.0))), |ui| {
        let area = egui::ScrollArea::both().id_salt("run matrix").auto_shrink(false);
        area.show(ui, |ui| {
            let (rect, _) = ui.allocate_exact_size(total.max(ui.available_size()), Sense::hover());
            let grid = Grid { measure: &measure, model, theme, origin: rect.min, clip: ui.clip_rect() };
            grid.cells(ui, state);
            grid.heads(ui, state);
            grid.follow(ui, state);
        });
    });
}

struct Grid<'a> {
    measure: &'a Measure,
    model: &'a RunModel,
    theme: &'a Theme,
    origin: Pos2,
    clip: Rect,
}

impl Grid<'_> {
    fn place(&self, cell: &Cell) -> Rect {
        let matrix = &self.model.matrix;
        let at = vec2(self.measure.x(matrix, cell.round, cell.column), self.measure.y(matrix, cell.row));
        Rect::from_min_size(self.origin + at, self.measure.cell)
    }

    fn cells(&self, ui: &mut Ui, state: &mut State) {
        let open = Rect::from_min_max(
            self.clip.min + vec2(self.measure.left() - 2.0, self.measure.head),
            self.clip.max,
        );
        for cell in &self.model.matrix.cells {
            let place = self.place(cell);
            if !place.intersects(open) {
                continue;
            }
            let running = cell.state == Step::Running;
            let sense = if running { Sense::click() } else { Sense::CLICK };
            let response = ui.interact(place.intersect(open), Id::unique(("run cell", cell.step)), sense);
            let said = self.said(cell);
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, running, &said));
            if ui.is_rect_visible(place) {
                self.paint(ui, cell, place);
            }
            widgets::focus_ring(ui, &response, place, self.theme);
            if response.clicked()
                && let Some(run) = state.store.run_index(&cell.run)
            {
                state.act(Action::Select(vec![run]));
            }
            response.on_hover_text(said);
        }
    }

    /// What a cell says to those who point at it or hear it.
    fn said(&self, cell: &Cell) -> String {
        let name = self.model.matrix.name(cell);
        let state = match &cell.state {
            Step::Waiting => match expected(&self.model.matrix, cell) {
                Some(secs) => format!("waiting, about {}", seconds(secs)),
                None => "waiting".to_owned(),
            },
            Step::Running => match self.model.elapsed() {
                Some(secs) => format!("running, {} so far", seconds(secs)),
                None => "running".to_owned(),
            },
            Step::Failed(reason) => format!("failed: {reason}"),
            Step::Done { secs, evidence } => {
                let secs = secs.map_or_else(|| "time unknown".to_owned(), seconds);
                let proof = match evidence {
                    Evidence::Quiet => "",
                    Evidence::Proved => ", cold proved: bytes read",
                    Evidence::None => ", no evidence that it was cold",
                    Evidence::Contradicted => ", the cache was not as it is called",
                };
                format!("{secs}{proof}")
            }
        };
        format!("{name}: {state}")
    }

    fn paint(&self, ui: &Ui, cell: &Cell, place: Rect) {
        let theme = self.theme;
        let painter = ui.painter();
        let value = |text: &str, font, ink| {
            let at = pos2(place.right() - 8.0 * self.measure.scale, place.center().y);
            widgets::paint_text(ui, at, Align2::RIGHT_CENTER, text, font, ink, place.width() - 12.0);
        };
        match &cell.state {
            Step::Waiting => {
                painter.rect_stroke(place, 3.0, Stroke::new(1.0, theme.line), StrokeKind::Inside);
            }
            Step::Running => {
                painter.rect_filled(place, 3.0, theme.accent_ground);
                painter.rect_stroke(place, 3.0, Stroke::new(1.5, theme.accent), StrokeKind::Inside);
                let (elapsed, expected) = (self.model.elapsed(), self.model.expected());
                if let Some(elapsed) = elapsed {
                    value(&format!("{elapsed:.1}"), widgets::strong(ui), theme.t1);
                }
                if let Some((elapsed, expected)) = elapsed.zip(expected).filter(|(_, most)| *most > 0.0) {
                    let share = (elapsed / expected).min(1.0) as f32;
                    let line = Rect::from_min_size(
                        pos2(place.left() + 2.0, place.bottom() - 4.0),
                        vec2((place.width() - 4.0) * share, 2.5),
                    );
                    painter.rect_filled(line, 0.0, theme.accent);
                }
            }
            Step::Failed(_) => {
                painter.rect_filled(place, 3.0, theme.s2.lerp_to_gamma(theme.failed, 0.18));
                painter.rect_stroke(place, 3.0, Stroke::new(1.0, theme.failed), StrokeKind::Inside);
                let radius = 4.0 * self.measure.scale;
                crate::painter::marker(painter, place.center(), Marker::Cross, radius, theme.failed, false);
            }
            Step::Done { secs, evidence } => {
                painter.rect_filled(place, 3.0, theme.s3);
                proof(painter, place, *evidence, theme);
                match secs {
                    Some(secs) => value(&short(*secs), widgets::body(ui), theme.t1),
                    None => value("unknown", widgets::small(ui), theme.t3),
                }
            }
        }
    }

    /// Names of rounds, variants, operations and cache states, over whatever was scrolled below them.
    fn heads(&self, ui: &Ui, state: &State) {
        let (measure, theme) = (self.measure, self.theme);
        let painter = ui.painter();
        let corner = self.clip.min + vec2(measure.left() - 2.0, measure.head - 2.0);
        let top = Rect::from_min_max(self.clip.min, pos2(self.clip.right(), corner.y));
        let side = Rect::from_min_max(self.clip.min, pos2(corner.x, self.clip.bottom()));
        painter.rect_filled(side, 0.0, theme.s2);
        self.row_names(ui, Rect::from_min_max(pos2(side.left(), corner.y), side.max));
        painter.rect_filled(top, 0.0, theme.s2);
        self.column_names(ui, state, Rect::from_min_max(pos2(corner.x, top.top()), top.max));
    }

    fn row_names(&self, ui: &Ui, clip: Rect) {
        let (measure, theme, matrix) = (self.measure, self.theme, &self.model.matrix);
        let painter = ui.painter_at(clip.intersect(self.clip));
        let words = Words { ui, painter: &painter };
        let left = clip.left() + size::EDGE;
        for (index, row) in matrix.rows.iter().enumerate() {
            let middle = self.origin.y + measure.y(matrix, index) + measure.cell.y / 2.0;
            let say =
                |x: f32, text: &str, font, ink, width| words.say(pos2(x, middle), text, font, ink, width);
            if begins(matrix, index) {
                say(left, &row.operation, widgets::named(ui), theme.t1, measure.names - 8.0);
            } else if index > 0 && begins(matrix, index - 1) {
                say(left, &row.place, widgets::small(ui), theme.t3, measure.names - 8.0);
            }
            say(left + measure.names, row.cache.name(), widgets::body(ui), theme.t3, measure.caches);
        }
    }

    fn column_names(&self, ui: &Ui, state: &State, clip: Rect) {
        let (measure, theme, matrix) = (self.measure, self.theme, &self.model.matrix);
        let painter = ui.painter_at(clip.intersect(self.clip));
        let words = Words { ui, painter: &painter };
        let rows = [clip.top() + 10.0 * measure.scale, clip.top() + 27.0 * measure.scale];
        for round in 0..matrix.rounds {
            let x = self.origin.x + measure.x(matrix, round, 0);
            let width = measure.pitch.x * matrix.variants.len() as f32;
            if x > clip.right() || x + width < clip.left() {
                continue;
            }
            let text = format!("run {}", round + 1);
            words.say(pos2(x, rows[0]), &text, widgets::body(ui), theme.t2, width);
            for (column, name) in matrix.variants.iter().enumerate() {
                let x = self.origin.x + measure.x(matrix, round, column);
                let place = place_of(state, &matrix.variants, name);
                let (at, radius) = (pos2(x + 6.0 * measure.scale, rows[1]), 4.0 * measure.scale);
                let ink = theme.ink(Ink::Variant(place));
                crate::painter::marker(&painter, at, Marker::of_variant(place), radius, ink, false);
                let at = pos2(x + 14.0 * measure.scale, rows[1]);
                let width = measure.cell.x - 14.0 * measure.scale;
                words.say(at, name, widgets::small(ui), theme.t3, width);
            }
        }
    }

    /// Brings the running cell into view, once a step: then the user may scroll as he likes.
    fn follow(&self, ui: &Ui, state: &mut State) {
        let Some(current) = self.model.current.as_ref().map(|current| current.step) else { return };
        if state.run.memory.seen == Some(current) {
            return;
        }
        state.run.memory.seen = Some(current);
        if let Some(cell) = self.model.matrix.step(current) {
            let place = self.place(cell);
            // The heads cover what is above and left of it.
            let with_heads = Rect::from_min_max(
                place.min - vec2(self.measure.left(), self.measure.head),
                place.max + Vec2::splat(8.0),
            );
            if !self.clip.contains_rect(with_heads) {
                ui.scroll_to_rect(with_heads, None);
            }
        }
    }
}

/// A text cut to its width, within a painter's clip.
#[derive(Clone, Copy)]
struct Words<'a> {
    ui: &'a Ui,
    painter: &'a egui::Painter,
}

impl Words<'_> {
    fn say(self, at: Pos2, text: &str, font: egui::FontId, ink: egui::Color32, width: f32) {
        let galley = widgets::elided(self.ui, text, font, ink, width);
        let rect = Align2::LEFT_CENTER.anchor_size(at, galley.size());
        self.painter.galley(rect.min, galley, ink);
    }
}

/// The variant's colour: that of the charts where they know it, else the one they will give it.
pub fn place_of(state: &State, variants: &[String], name: &str) -> u16 {
    let known = state.store.variant_colours();
    let mut taken: Vec<u16> = variants.iter().filter_map(|name| known.place(name)).collect();
    let mut new: Vec<&String> = variants.iter().filter(|name| known.place(name).is_none()).collect();
    new.sort_by(|a, b| is_usual_baseline(b).cmp(&is_usual_baseline(a)).then_with(|| natural_cmp(a, b)));
    for new in new {
        let free = (0..=u16::MAX).find(|place| !taken.contains(place)).unwrap_or(0);
        if new == name {
            return free;
        }
        taken.push(free);
    }
    known.place(name).unwrap_or(0)
}

/// The bar at a cell's left edge.
fn proof(painter: &egui::Painter, place: Rect, evidence: Evidence, theme: &Theme) {
    let bar = Rect::from_min_size(place.min + vec2(0.0, 3.0), vec2(3.0, place.height() - 6.0));
    match evidence {
        Evidence::Quiet => {}
        Evidence::Proved => {
            painter.rect_filled(bar, 1.0, theme.disk);
        }
        Evidence::None => {
            painter.rect_stroke(bar, 1.0, Stroke::new(1.0, theme.disk), StrokeKind::Inside);
        }
        Evidence::Contradicted => {
            painter.rect_filled(bar, 1.0, theme.warning);
        }
    }
}

/// Seconds that fit into a cell.
fn short(secs: f64) -> String {
    match secs {
        _ if secs < 1.0 => format!("{secs:.3}"),
        _ if secs < 100.0 => format!("{secs:.2}"),
        _ if secs < 1000.0 => format!("{secs:.1}"),
        _ => triptych_report::numbers::count(secs.round()),
    }
}

fn seconds(secs: f64) -> String {
    triptych_report::numbers::secs_in_prose(secs)
}

/// What cells look like, right-aligned; those at the left go where there is no room.
pub fn legend(ui: &Ui, theme: &Theme, room: Rect) {
    let painter = ui.painter();
    let scale = widgets::text_scale(ui);
    let mut right = room.right();
    for (index, text) in ["no evidence", "cold proved: bytes read", "failed", "waiting", "running", "done"]
        .into_iter()
        .enumerate()
    {
        let galley = painter.layout_no_wrap(text.to_owned(), widgets::small(ui), theme.t3);
        let left = right - galley.size().x - 18.0 * scale;
        if left < room.left() {
            return;
        }
        let at = pos2(left + 5.0 * scale, room.center().y);
        let swatch = Rect::from_center_size(at, Vec2::splat(9.0 * scale));
        let stroke = |ink| Stroke::new(1.0, ink);
        match index {
            0 => proof(painter, swatch.expand2(vec2(-3.0, 3.0)), Evidence::None, theme),
            1 => proof(painter, swatch.expand2(vec2(-3.0, 3.0)), Evidence::Proved, theme),
            2 => crate::painter::marker(painter, at, Marker::Cross, 3.5 * scale, theme.failed, false),
            3 => {
                painter.rect_stroke(swatch, 2.0, stroke(theme.line2), StrokeKind::Inside);
            }
            4 => {
                painter.rect_filled(swatch, 2.0, theme.accent_ground);
                painter.rect_stroke(swatch, 2.0, stroke(theme.accent), StrokeKind::Inside);
            }
            _ => {
                painter.rect_filled(swatch, 2.0, theme.s4);
            }
        }
        let text = pos2(left + 16.0 * scale, room.center().y - galley.size().y / 2.0);
        painter.galley(text, galley, theme.t3);
        right = left - 16.0 * scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_fit_into_cells() {
        for (secs, expect) in
            [(0.0421, "0.042"), (7.334, "7.33"), (270.51, "270.5"), (1234.5, "1,235"), (99.999, "100.00")]
        {
            assert_eq!(short(secs), expect);
        }
    }
}
