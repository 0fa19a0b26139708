//! Cold vs hot: a dumbbell per variant from its cold to its hot median, grouped by operation.

use super::axis::{self, Axis};
use super::panels::panels;
use super::pen::{LEGEND_MOST, Pen};
use super::readout;
use crate::chart::{Chart, ChartData, ChartSpec, Refusal};
use crate::comparison::{Comparison, Row};
use crate::figure::{Align, Figure, Font, Frame, Ink, Marker, Rect, Shape, Target};
use crate::numbers;
use crate::order::{Temperature, temperature};
use crate::words::shown_name;
use triptych_model::{Key, Unit};
use triptych_store::{Query, Store};

/// The row of [`crate::CHARTS`].
pub(crate) struct ColdHot;

const SPEC: ChartSpec = ChartSpec {
    id: "cold-hot",
    title: "Cold vs hot",
    help: "What a warm cache saves: cold and hot medians of each variant on one line",
};

/// Beyond this quotient of largest and smallest value the axis is logarithmic.
const LOG_BEYOND: f64 = 8.0;

impl Chart for ColdHot {
    fn spec(&self) -> &'static ChartSpec {
        &SPEC
    }

    fn data(&self, store: &Store, query: &Query) -> Result<ChartData, Refusal> {
        let comparison = super::comparison(store, query)?;
        let has = |end: Temperature| {
            comparison.rows.iter().any(|row| row.condition(Key::Cache).and_then(temperature) == Some(end))
        };
        let missing = match (has(Temperature::Cold), has(Temperature::Hot)) {
            (true, true) => return Ok(ChartData::Comparison(comparison.into())),
            (true, false) => "hot",
            (false, true) => "cold",
            (false, false) => "cold or hot",
        };
        Err(Refusal {
            title: format!("No {missing} runs"),
            reason: match comparison.rows.len() {
                1 => format!("The one triple shown is not {missing}."),
                many => format!("None of the {many} triples shown is {missing}."),
            },
            next_step: "Clear the filter on cache, or say in the import sheet which runs were cold."
                .to_owned(),
        })
    }

    fn figure(&self, data: &ChartData, frame: &Frame<'_>) -> Figure {
        let ChartData::Comparison(comparison) = data else { return Figure::default() };
        let mut pen = Pen::new(frame);
        pen.variant_legend(&comparison.variants);
        pen.figure.subtitle = super::compared(comparison);
        let groups = groups(comparison, frame.hidden);
        if frame.width < 240.0 || frame.height < 140.0 {
            headline(&mut pen, comparison, &groups);
        } else {
            draw(&mut pen, comparison, &groups);
        }
        pen.figure
    }
}

/// Lines of one operation and medium.
struct Group<'a> {
    title: String,
    subtitle: String,
    lines: Vec<Line<'a>>,
}

/// The two ends of one variant.
struct Line<'a> {
    name: &'a str,
    cold: Option<End<'a>>,
    hot: Option<End<'a>>,
}

#[derive(Clone, Copy)]
struct End<'a> {
    row: &'a Row,
    cell: usize,
    median: f64,
}

impl<'a> Line<'a> {
    fn ends(&self) -> impl Iterator<Item = End<'a>> {
        [self.cold, self.hot].into_iter().flatten()
    }

    fn quotient(&self) -> Option<f64> {
        let (cold, hot) = (self.cold?, self.hot?);
        (hot.median > 0.0).then(|| cold.median / hot.median)
    }
}

fn groups<'a>(comparison: &'a Comparison, hidden: &[String]) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    for panel in panels(comparison) {
        let mut media: Vec<Option<&str>> = panel.rows.iter().map(|row| row.condition(Key::Medium)).collect();
        media.dedup();
        for medium in media {
            let rows: Vec<&Row> =
                panel.rows.iter().copied().filter(|row| row.condition(Key::Medium) == medium).collect();
            let of = |end: Temperature| {
                let is = move |row: &&&Row| row.condition(Key::Cache).and_then(temperature) == Some(end);
                rows.iter().filter(is).copied().collect::<Vec<_>>()
            };
            let (cold, hot) = (of(Temperature::Cold), of(Temperature::Hot));
            // Each further warm state (hot-server, HotSVN) is a group of its own beside the same cold.
            for index in 0..hot.len().max(usize::from(!cold.is_empty())) {
                let warm = hot.get(index).copied();
                let state = warm.and_then(|row| row.condition(Key::Cache)).filter(|_| hot.len() > 1);
                let parts = [medium, Some(panel.subtitle.as_str()).filter(|text| !text.is_empty()), state];
                groups.push(Group {
                    title: panel.title.clone(),
                    subtitle: parts.into_iter().flatten().collect::<Vec<_>>().join(", "),
                    lines: lines(comparison, cold.first().copied(), warm, hidden),
                });
            }
        }
    }
    groups.retain(|group| !group.lines.is_empty());
    groups
}

fn lines<'a>(
    comparison: &'a Comparison,
    cold: Option<&'a Row>,
    hot: Option<&'a Row>,
    hidden: &[String],
) -> Vec<Line<'a>> {
    let end = |row: Option<&'a Row>, name: &str| {
        let row = row?;
        let (cell, _, side) = row.side(name)?;
        Some(End { row, cell, median: side.median? })
    };
    let shown = comparison.variants.iter().filter(|(name, _)| !hidden.contains(name));
    shown
        .map(|(name, _)| Line { name, cold: end(cold, name), hot: end(hot, name) })
        .filter(|line| line.cold.is_some() || line.hot.is_some())
        .collect()
}

fn headline(pen: &mut Pen<'_, '_>, comparison: &Comparison, groups: &[Group<'_>]) {
    let all = groups.iter().flat_map(|group| group.lines.iter().map(move |line| (group, line)));
    let measured = all.filter_map(|(group, line)| line.quotient().map(|quotient| (group, line, quotient)));
    let Some((group, line, quotient)) = measured.max_by(|a, b| a.2.total_cmp(&b.2)) else { return };
    let (x, y) = (pen.scaled(10.0), pen.scaled(18.0));
    pen.text([x, y], &numbers::ratio(quotient), Font::Figure, Ink::T1, Align::Min);
    let words = format!("cold / hot, {}, {}", line.name, group.title);
    let words = pen.fitted(&words, Font::Small, pen.frame.width - 2.0 * x);
    pen.text([x, y + pen.scaled(26.0)], &words, Font::Small, Ink::T3, Align::Min);
    let rect = Rect { x: 0.0, y: 0.0, w: pen.frame.width, h: pen.frame.height };
    let target = target(comparison, group, line, rect);
    pen.figure.targets.push(target);
}

/// Where things stand.
struct Layout {
    left: f32,
    /// Room for the variants' names before the plot; 0 where the header's legend says them.
    names: f32,
    plot: Rect,
    right: f32,
    pitch: f32,
    padding: f32,
    axis: Axis,
}

const MIN_PITCH: f32 = 14.0;

fn draw(pen: &mut Pen<'_, '_>, comparison: &Comparison, groups: &[Group<'_>]) {
    let medians: Vec<f64> = groups
        .iter()
        .flat_map(|g| &g.lines)
        .flat_map(Line::ends)
        .map(|end| end.median)
        .filter(|m| *m > 0.0)
        .collect();
    let (min, max) =
        (medians.iter().copied().fold(f64::INFINITY, f64::min), medians.iter().copied().fold(0.0, f64::max));
    if medians.is_empty() {
        return;
    }
    let unit = comparison.metric.as_ref().map_or(Unit::Secs, |(_, unit, _)| *unit);
    let (divisor, _) = axis::scale_of(unit, max);
    let log = max / min > LOG_BEYOND;
    let mut layout = layout(pen, groups, comparison.variants.len() > LEGEND_MOST);
    // Lines may stand closer than labels: those that would touch are dropped.
    let pitch = if log { 13.0 } else { 34.0 };
    let most = ((layout.plot.w / pen.scaled(pitch)) as usize).max(2);
    let (low, high, ticks, step) = if log {
        let (low, high, ticks) = axis::log_span(min / divisor, max / divisor, most);
        let step = ticks.first().copied().unwrap_or(1.0);
        (low, high, ticks, step)
    } else {
        let (low, high, step) = axis::span(min / divisor, max / divisor, most);
        (low, high, axis::ticks(low, high, step), step)
    };
    layout.axis = Axis { low: low * divisor, high: high * divisor, log, ..layout.axis };
    head(pen, comparison, &layout, unit, max);
    scale(pen, &layout, &ticks, step, divisor, log);
    rows(pen, comparison, groups, &layout);
    foot(pen, &layout, log);
}

fn layout(pen: &mut Pen<'_, '_>, groups: &[Group<'_>], named: bool) -> Layout {
    let edge = pen.scaled(12.0);
    let lines = groups.iter().flat_map(|group| &group.lines).filter(|_| named);
    let widest = lines.map(|line| pen.width(shown_name(line.name), Font::Small)).fold(0.0, f32::max);
    let names = if named { widest.min(pen.frame.width * 0.24) + pen.scaled(8.0) } else { 0.0 };
    let titles = groups
        .iter()
        .map(|group| pen.width(&group.title, Font::Medium).max(pen.width(&group.subtitle, Font::Small)));
    let left = edge + titles.fold(0.0, f32::max).min(pen.frame.width * 0.34) + names + pen.scaled(14.0);
    let ratio = pen.width("cold / hot", Font::Small).max(pen.width("12.4", Font::Body));
    let right = pen.frame.width - edge;
    let head = pen.scaled(28.0);
    let below = pen.scaled(46.0);
    let lines: usize = groups.iter().map(|group| group.lines.len().max(needed_lines(group))).sum();
    let room = pen.frame.height - head - below;
    let padding = pen.scaled(6.0);
    let pitch = (room - 2.0 * padding * groups.len() as f32) / lines.max(1) as f32;
    let pitch = pitch.clamp(pen.scaled(MIN_PITCH), pen.scaled(22.0)).floor();
    let height = lines as f32 * pitch + 2.0 * padding * groups.len() as f32;
    pen.figure.wanted_height = (head + height + below).max(pen.frame.height);
    let plot = Rect { x: left, y: head, w: (right - ratio - pen.scaled(18.0) - left).max(40.0), h: height };
    let inset = pen.scaled(6.0);
    let axis = Axis { low: 0.0, high: 1.0, log: false, from: plot.x + inset, to: plot.x + plot.w - inset };
    Layout { left: edge, names, plot, right, pitch, padding, axis }
}

/// Lines that the two texts at the left of a group take.
fn needed_lines(group: &Group<'_>) -> usize {
    if group.subtitle.is_empty() { 1 } else { 2 }
}

fn head(pen: &mut Pen<'_, '_>, comparison: &Comparison, layout: &Layout, unit: Unit, max: f64) {
    let y = pen.scaled(12.0);
    let symbol = if unit == Unit::Secs { "seconds" } else { axis::scale_of(unit, max).1 };
    let what = match &comparison.metric {
        Some((metric, _, _)) if symbol.is_empty() => metric.clone(),
        Some((metric, _, _)) => format!("{metric}, {symbol}"),
        None => symbol.to_owned(),
    };
    pen.text([layout.left, y], &what, Font::Small, Ink::T3, Align::Min);
    pen.text([layout.right, y], "cold / hot", Font::Small, Ink::T3, Align::Max);
}

fn scale(pen: &mut Pen<'_, '_>, layout: &Layout, ticks: &[f64], step: f64, divisor: f64, log: bool) {
    let (top, base) = (layout.plot.y, layout.plot.y + layout.plot.h);
    let mut labels = Vec::new();
    for tick in ticks {
        let x = layout.axis.at(tick * divisor).round();
        pen.line([x, top], [x, base], 1.0, Ink::Grid);
        labels.push((x, axis::tick_text(*tick, if log { *tick } else { step })));
    }
    pen.line([layout.axis.from, base], [layout.axis.to, base], 1.0, Ink::Line2);
    // The ends say most about a scale, then powers of ten.
    let is_end = |x: f32| x < layout.axis.from + 1.0 || x > layout.axis.to - 1.0;
    labels.sort_by_key(|(x, text)| if is_end(*x) { 0 } else { 2 - u8::from(log && text.starts_with('1')) });
    pen.labels(base + pen.scaled(11.0), &labels, Font::Small, Ink::T3);
}

fn rows(pen: &mut Pen<'_, '_>, comparison: &Comparison, groups: &[Group<'_>], layout: &Layout) {
    let mut y = layout.plot.y;
    for (index, group) in groups.iter().enumerate() {
        let height = group.lines.len().max(needed_lines(group)) as f32 * layout.pitch + 2.0 * layout.padding;
        if index > 0 {
            pen.line([layout.left, y.round()], [layout.right, y.round()], 1.0, Ink::Line);
        }
        let middle = y + height / 2.0;
        let room = layout.plot.x - layout.names - layout.left - pen.scaled(8.0);
        let title = pen.fitted(&group.title, Font::Medium, room);
        let shift = if group.subtitle.is_empty() { 0.0 } else { pen.scaled(7.5) };
        pen.text([layout.left, middle - shift], &title, Font::Medium, Ink::T1, Align::Min);
        let subtitle = pen.fitted(&group.subtitle, Font::Small, room);
        pen.text([layout.left, middle + shift], &subtitle, Font::Small, Ink::T3, Align::Min);
        let first = middle - group.lines.len() as f32 * layout.pitch / 2.0;
        for (place, line) in group.lines.iter().enumerate() {
            let y = first + (place as f32 + 0.5) * layout.pitch;
            dumbbell(pen, comparison, group, line, layout, y);
        }
        y += height;
    }
}

fn dumbbell(
    pen: &mut Pen<'_, '_>,
    comparison: &Comparison,
    group: &Group<'_>,
    line: &Line<'_>,
    layout: &Layout,
    y: f32,
) {
    let place = comparison.variant(line.name);
    let (ink, marker) = (Ink::Variant(place), Marker::of_variant(place));
    let at = |end: End<'_>| [layout.axis.at(end.median), y];
    let band = Rect {
        x: layout.plot.x,
        y: y - layout.pitch / 2.0,
        w: layout.right - layout.plot.x,
        h: layout.pitch,
    };
    let target = target(comparison, group, line, band);
    if target.runs.iter().any(|run| pen.frame.selected.contains(run)) {
        pen.shape(Shape::Outline { rect: band, ink: Ink::Accent, width: 1.5, radius: 3.0 });
    }
    if layout.names > 0.0 {
        let name = pen.fitted(shown_name(line.name), Font::Small, layout.names - pen.scaled(8.0));
        pen.text([layout.plot.x - pen.scaled(8.0), y], &name, Font::Small, Ink::T2, Align::Max);
    }
    if let (Some(cold), Some(hot)) = (line.cold, line.hot) {
        pen.line(at(cold), at(hot), 2.5, ink);
    }
    if let Some(hot) = line.hot {
        pen.mark(at(hot), marker, 4.5, ink, false);
    }
    if let Some(cold) = line.cold {
        pen.mark(at(cold), marker, 4.2, ink, true);
    }
    if let Some(quotient) = line.quotient() {
        pen.text([layout.right, y], &numbers::ratio(quotient), Font::Body, Ink::T2, Align::Max);
    }
    pen.figure.targets.push(target);
}

fn target(comparison: &Comparison, group: &Group<'_>, line: &Line<'_>, rect: Rect) -> Target {
    let mut lines = Vec::new();
    for (word, end) in [("cold", line.cold), ("hot", line.hot)] {
        let Some(end) = end else {
            lines.push((word.to_owned(), "not measured".to_owned()));
            continue;
        };
        let n = end.row.sides.get(end.cell).map_or(0, |side| side.n);
        let of = if n > 1 { format!(", median of {n}") } else { String::new() };
        lines.push((word.to_owned(), numbers::with_unit(end.median, end.row.group.unit) + &of));
        let own = readout::lines(comparison, end.row, end.cell);
        lines.extend(own.into_iter().filter(|(label, _)| label == "runs" || label == "source"));
    }
    if let Some(quotient) = line.quotient() {
        lines.push(("cold / hot".to_owned(), numbers::ratio(quotient)));
    }
    let parts = [line.name, &group.title, &group.subtitle];
    Target {
        rect,
        title: parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
        variant: Some(comparison.variant(line.name)),
        lines,
        runs: line.ends().flat_map(|end| readout::all_runs(end.row, end.cell)).collect(),
    }
}

fn foot(pen: &mut Pen<'_, '_>, layout: &Layout, log: bool) {
    let y = layout.plot.y + layout.plot.h + pen.scaled(33.0);
    let mut x = layout.left + pen.scaled(5.0);
    for (word, hollow) in [("cold", true), ("hot", false)] {
        pen.mark([x, y], Marker::Disc, 4.2, Ink::T2, hollow);
        pen.text([x + pen.scaled(9.0), y], word, Font::Small, Ink::T3, Align::Min);
        x += pen.scaled(24.0) + pen.width(word, Font::Small);
    }
    if log {
        pen.text([layout.right, y], "log axis", Font::Small, Ink::T3, Align::Max);
    }
}
