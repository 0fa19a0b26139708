//! Distribution: every run of a triple in the order of repetition, so that drift and outliers show.

use super::axis::{self, Axis};
use super::panels::panels;
use super::pen::Pen;
use super::readout;
use crate::chart::{Chart, ChartData, ChartSpec, Refusal};
use crate::comparison::{Comparison, Row};
use crate::figure::{Align, Figure, Font, Frame, Ink, Marker, Rect, Shape, Target};
use crate::numbers;
use triptych_model::Key;
use triptych_store::{Query, Store};

/// The row of [`crate::CHARTS`].
pub(crate) struct Distribution;

const SPEC: ChartSpec = ChartSpec {
    id: "distribution",
    title: "Distribution",
    help: "Every repetition in run order with the median; outliers are ringed, never dropped",
};

impl Chart for Distribution {
    fn spec(&self) -> &'static ChartSpec {
        &SPEC
    }

    fn data(&self, store: &Store, query: &Query) -> Result<ChartData, Refusal> {
        super::comparison(store, query).map(|comparison| ChartData::Comparison(comparison.into()))
    }

    fn figure(&self, data: &ChartData, frame: &Frame<'_>) -> Figure {
        let ChartData::Comparison(comparison) = data else { return Figure::default() };
        let mut pen = Pen::new(frame);
        pen.variant_legend(&comparison.variants);
        pen.figure.subtitle = super::compared(comparison);
        draw(&mut pen, comparison);
        pen.figure
    }
}

/// A triple with its heading.
struct Cell<'a> {
    title: String,
    subtitle: String,
    row: &'a Row,
}

fn cells(comparison: &Comparison) -> Vec<Cell<'_>> {
    let panels = panels(comparison);
    let cell = |title: &str, subtitle: &str, row| {
        let states = crate::words::conditions_text(row, &[Key::Medium, Key::Cache]);
        let parts = [states.as_str(), subtitle];
        let subtitle = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        Cell { title: title.to_owned(), subtitle, row }
    };
    let all = panels
        .iter()
        .flat_map(|panel| panel.rows.iter().map(|row| cell(&panel.title, &panel.subtitle, *row)));
    all.filter(|cell| cell.row.sides.iter().any(|side| side.n > 0)).collect()
}

fn draw(pen: &mut Pen<'_, '_>, comparison: &Comparison) {
    let cells = cells(comparison);
    let (edge, gap) = (pen.scaled(10.0), pen.scaled(14.0));
    let least = pen.scaled(130.0);
    let room = pen.frame.width - 2.0 * edge;
    let columns = (((room + gap) / (least + gap)) as usize).clamp(1, cells.len().max(1));
    let lines = cells.len().div_ceil(columns).max(1);
    let width = (room + gap) / columns as f32 - gap;
    let foot = pen.scaled(22.0);
    let height = ((pen.frame.height - foot) / lines as f32).clamp(pen.scaled(118.0), pen.scaled(220.0));
    for (index, cell) in cells.iter().enumerate() {
        let x = edge + (index % columns) as f32 * (width + gap);
        let y = (index / columns) as f32 * height;
        panel(pen, comparison, cell, Rect { x, y, w: width, h: height });
    }
    let bottom = lines as f32 * height;
    let what =
        comparison.metric.as_ref().map_or(String::new(), |(metric, unit, _)| format!("{metric} in {unit}, "));
    let text = format!("{what}runs in their order. Line: median. Ring: outside Tukey's fences.");
    let text = pen.fitted(&text, Font::Small, room);
    pen.text([edge, bottom + foot / 2.0 - 2.0], &text, Font::Small, Ink::T3, Align::Min);
    pen.figure.wanted_height = (bottom + foot).max(pen.frame.height);
}

fn panel(pen: &mut Pen<'_, '_>, comparison: &Comparison, cell: &Cell<'_>, rect: Rect) {
    let shown = |name: &str| !pen.frame.hidden.iter().any(|hidden| hidden == name);
    let sides: Vec<usize> =
        (0..cell.row.sides.len()).filter(|i| cell.row.name(*i).is_some_and(shown)).collect();
    let values = sides.iter().filter_map(|i| cell.row.group.cells.get(*i)).flat_map(|cell| &cell.values);
    let (min, max, count) = values.fold((f64::INFINITY, 0.0f64, 0), |(min, max, count), value| {
        (min.min(value.value), max.max(value.value), count + 1)
    });
    let title = pen.fitted(&cell.title, Font::Medium, rect.w);
    pen.text([rect.x, rect.y + pen.scaled(11.0)], &title, Font::Medium, Ink::T1, Align::Min);
    let subtitle = pen.fitted(&cell.subtitle, Font::Small, rect.w);
    pen.text([rect.x, rect.y + pen.scaled(26.0)], &subtitle, Font::Small, Ink::T3, Align::Min);
    if count == 0 {
        return;
    }
    let (divisor, _) = axis::scale_of(cell.row.group.unit, max);
    let (low, high, step) = axis::span(min / divisor, max / divisor, 3);
    let ticks = axis::ticks(low, high, step);
    let left =
        ticks.iter().map(|tick| pen.width(&axis::tick_text(*tick, step), Font::Small)).fold(0.0, f32::max);
    let left = rect.x + left + pen.scaled(6.0);
    let (top, base) = (rect.y + pen.scaled(40.0), rect.y + rect.h - pen.scaled(12.0));
    let y = Axis { low: low * divisor, high: high * divisor, log: false, from: base, to: top };
    for tick in &ticks {
        let at = y.at(tick * divisor).round();
        pen.line([left, at], [rect.x + rect.w, at], 1.0, Ink::Grid);
        pen.text(
            [left - pen.scaled(6.0), at],
            &axis::tick_text(*tick, step),
            Font::Small,
            Ink::T3,
            Align::Max,
        );
    }
    let lane = (rect.x + rect.w - left) / sides.len().max(1) as f32;
    for (place, index) in sides.iter().enumerate() {
        let lane = Rect { x: left + place as f32 * lane, y: top, w: lane, h: base - top };
        points(pen, comparison, cell.row, *index, lane, &y);
    }
}

/// The runs of one side in its own lane, from left to right in their order.
fn points(pen: &mut Pen<'_, '_>, comparison: &Comparison, row: &Row, index: usize, lane: Rect, y: &Axis) {
    let (Some(cell), Some(side)) = (row.group.cells.get(index), row.sides.get(index)) else { return };
    let place = comparison.variant(&cell.name);
    let (ink, marker) = (Ink::Variant(place), Marker::of_variant(place));
    let (edge, inner) = (pen.scaled(6.0), lane.w - pen.scaled(12.0));
    let count = cell.values.len().max(1) as f32;
    let at = |order: usize| lane.x + edge + inner * (order as f32 + 0.5) / count;
    if let Some(median) = side.median {
        let y = y.at(median);
        pen.line([lane.x + pen.scaled(3.0), y], [lane.x + lane.w - pen.scaled(3.0), y], 1.6, ink);
    }
    let path: Vec<[f32; 2]> =
        cell.values.iter().enumerate().map(|(i, value)| [at(i), y.at(value.value)]).collect();
    for (order, value) in cell.values.iter().enumerate() {
        let Some(point) = path.get(order).copied() else { continue };
        pen.mark(point, marker, 3.2, ink, false);
        if side.outliers.contains(&order) {
            pen.mark(point, Marker::DashedRing, 6.5, Ink::T3, true);
        }
        let reach = pen.scaled(6.0);
        let rect = Rect { x: point[0] - reach, y: point[1] - reach, w: 2.0 * reach, h: 2.0 * reach };
        if pen.frame.selected.contains(&value.run) {
            pen.shape(Shape::Outline { rect, ink: Ink::Accent, width: 1.5, radius: 3.0 });
        }
        pen.figure.targets.push(point_target(comparison, row, index, order, rect));
    }
}

fn point_target(comparison: &Comparison, row: &Row, index: usize, order: usize, rect: Rect) -> Target {
    let name = row.name(index).unwrap_or_default();
    let mut lines = Vec::new();
    let mut runs = Vec::new();
    if let Some(value) = row.group.cells.get(index).and_then(|cell| cell.values.get(order)) {
        let of = row.sides.get(index).map_or(0, |side| side.n);
        lines.push((format!("run {} of {of}", order + 1), numbers::with_unit(value.value, row.group.unit)));
        if let Some(source) = comparison.source_name(value.source) {
            lines.push(("source".to_owned(), format!("{source}:{}", value.line)));
        }
        runs.push(value.run);
    }
    let rest = readout::lines(comparison, row, index);
    lines.extend(rest.into_iter().filter(|(label, _)| label != "source"));
    Target {
        rect,
        title: format!("{}, {}", crate::words::shown_name(name), crate::words::row_title(row)),
        variant: Some(comparison.variant(name)),
        lines,
        runs,
    }
}
