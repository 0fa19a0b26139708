//! Triples: grouped bars, a panel per operation from 0, ratios in a strip below.

use super::axis::{self, Axis};
use super::bars::{cut, headline, is_selected, media_labels, ratio_ink, ratio_text, whisker, whisker_shapes};
use super::panels::{Panel, panels};
use super::pen::{LEGEND_MOST, Pen};
use super::readout::{self, is_indication};
use crate::chart::{Chart, ChartData, ChartSpec, Refusal};
use crate::comparison::{Comparison, Row, Side};
use crate::figure::{Align, Figure, Font, Frame, Ink, Marker, Rect, Shape};
use crate::words::{quotient, shown_name};
use std::borrow::Cow;
use triptych_analysis::{INDICATION_BELOW, Verdict};
use triptych_model::{Key, Unit};
use triptych_store::{Query, Store};

/// The row of [`crate::CHARTS`].
pub(crate) struct Triples;

const SPEC: ChartSpec = ChartSpec {
    id: "triples",
    title: "Triples",
    help: "Medians of each variant side by side, with their ratios and verdicts",
};

impl Chart for Triples {
    fn spec(&self) -> &'static ChartSpec {
        &SPEC
    }

    fn data(&self, store: &Store, query: &Query) -> Result<ChartData, Refusal> {
        super::comparison(store, query).map(|comparison| ChartData::Comparison(comparison.into()))
    }

    fn figure(&self, data: &ChartData, frame: &Frame<'_>) -> Figure {
        let ChartData::Comparison(comparison) = data else { return Figure::default() };
        let mut pen = Pen::new(frame);
        if frame.width < 240.0 || frame.height < 140.0 {
            headline(&mut pen, comparison);
            return pen.figure;
        }
        pen.variant_legend(&comparison.variants);
        pen.figure.subtitle = super::compared(comparison);
        let many = comparison.variants.len() > LEGEND_MOST;
        let parts = by_campaign(comparison);
        let (mut top, height) = (0.0, pen.frame.height / parts.len().max(1) as f32);
        for part in &parts {
            if parts.len() > 1 {
                top = campaign_title(&mut pen, part, top);
            }
            let layout = Layout::of(&pen, part, many);
            let chunks = layout.rows_of_panels(&pen, &panels(part));
            top = layout.draw(&mut pen, &chunks, top, height);
        }
        pen.figure.wanted_height = top.max(pen.frame.height);
        pen.figure
    }
}

/// The comparison in parts of one campaign each: their variants are strangers to each other, and
/// bars side by side would say that they can be compared.
fn by_campaign(comparison: &Comparison) -> Vec<Cow<'_, Comparison>> {
    let mut names: Vec<Option<&str>> = Vec::new();
    for row in &comparison.rows {
        let name = row.condition(Key::Campaign);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.len() < 2 {
        return vec![Cow::Borrowed(comparison)];
    }
    let part = |name: Option<&str>| {
        let mut part = comparison.clone();
        part.rows.retain(|row| row.condition(Key::Campaign) == name);
        let rows = &part.rows;
        part.variants.retain(|(variant, _)| rows.iter().any(|row| row.side(variant).is_some()));
        Cow::Owned(part)
    };
    names.into_iter().map(part).collect()
}

/// The campaign's name above its panels; returns where they begin.
fn campaign_title(pen: &mut Pen<'_, '_>, part: &Comparison, top: f32) -> f32 {
    let (edge, height) = (pen.scaled(10.0), pen.scaled(26.0));
    if top > 0.0 {
        pen.line([edge, top], [pen.frame.width - edge, top], 1.0, Ink::Line);
    }
    let name = part.rows.first().and_then(|row| row.condition(Key::Campaign)).unwrap_or("unknown");
    let name = pen.fitted(name, Font::Semibold, pen.frame.width - 2.0 * edge);
    pen.text([edge, top + height / 2.0 + 1.0], &name, Font::Semibold, Ink::T1, Align::Min);
    top + height
}

/// Sizes that all panels share.
struct Layout<'a> {
    comparison: &'a Comparison,
    /// Names shown, with their places.
    shown: Vec<&'a (String, u16)>,
    /// Names with a row in the strip.
    strip: Vec<&'a (String, u16)>,
    left: f32,
    ratio_width: f32,
    /// Room behind a ratio for its verdict; printed ratios have none, at most a warning.
    mark_width: f32,
    tick_width: f32,
    has_medium: bool,
    has_subtitle: bool,
    has_title: bool,
    line: f32,
}

/// A row of panels as they stand side by side, with the width of a bar in it.
struct Chunk<'a> {
    panels: Vec<Panel<'a>>,
    bar: f32,
    pitch: f32,
    gap: f32,
}

const MIN_BAR: f32 = 8.0;
const MAX_BAR: f32 = 28.0;
const GROUP_GAP: f32 = 13.0;
/// Least space between the ratios of two groups.
const RATIO_GAP: f32 = 4.0;
const RIGHT: f32 = 12.0;

impl<'a> Layout<'a> {
    fn of(pen: &Pen<'_, '_>, comparison: &'a Comparison, many: bool) -> Self {
        let shown: Vec<_> =
            comparison.variants.iter().filter(|(name, _)| !pen.frame.hidden.contains(name)).collect();
        let is_base = |name: &String| comparison.rows.iter().all(|row| row.name(row.baseline) == Some(name));
        let has_ratio = |name: &String| {
            comparison.rows.iter().any(|row| {
                row.printed_ratio(name).is_some()
                    || row.side(name).is_some_and(|(_, _, side)| side.ratio.is_some())
            })
        };
        // The strip serves as the legend where the header has no room for one.
        let strip: Vec<_> =
            shown.iter().copied().filter(|(name, _)| many || (!is_base(name) && has_ratio(name))).collect();
        let known = |key: Key| comparison.rows.iter().any(|row| row.condition(key).is_some());
        let mut layout = Self {
            comparison,
            shown,
            strip,
            left: 0.0,
            ratio_width: 0.0,
            mark_width: pen.scaled(
                if comparison.rows.iter().all(|row| !row.group.printed_ratios.is_empty()) {
                    10.0
                } else {
                    15.0
                },
            ),
            tick_width: 0.0,
            has_medium: known(Key::Medium),
            has_subtitle: false,
            has_title: true,
            line: pen.scaled(20.0),
        };
        layout.left = layout.left_margin(pen);
        layout.tick_width = layout.widest_tick(pen) + pen.scaled(9.0);
        let ratios =
            comparison.rows.iter().flat_map(|row| (0..row.sides.len()).filter_map(|i| ratio_text(row, i)));
        let widest = ratios.map(|text| pen.width(&text, Font::Semibold)).fold(0.0, f32::max);
        layout.ratio_width = if layout.strip.is_empty() { 0.0 } else { widest + layout.mark_width };
        layout
    }

    fn left_margin(&self, pen: &Pen<'_, '_>) -> f32 {
        let names = self.strip.iter().map(|(name, _)| pen.width(name, Font::Small) + pen.scaled(17.0));
        let widest = names.fold(pen.width(&self.metric_label(), Font::Small), f32::max);
        (pen.scaled(12.0) + widest).min(pen.frame.width * 0.3)
    }

    /// The widest label at any panel's axis.
    fn widest_tick(&self, pen: &Pen<'_, '_>) -> f32 {
        let divisor = |unit| axis::scale_of(unit, self.max(self.comparison.rows.iter())).0;
        let width = |panel: Panel<'_>| {
            let unit = panel.rows.first().map_or(Unit::Secs, |row| row.group.unit);
            let (top, step) = axis::from_zero(self.max(panel.rows.iter().copied()) / divisor(unit));
            let ticks = axis::ticks(0.0, top, step);
            ticks.iter().map(|tick| pen.width(&axis::tick_text(*tick, step), Font::Small)).fold(0.0, f32::max)
        };
        panels(self.comparison).into_iter().map(width).fold(0.0, f32::max)
    }

    fn metric_label(&self) -> String {
        match &self.comparison.metric {
            Some((metric, unit, _)) => {
                let (_, symbol) = axis::scale_of(*unit, self.max(self.comparison.rows.iter()));
                if symbol.is_empty() { metric.clone() } else { format!("{metric}, {symbol}") }
            }
            None => String::new(),
        }
    }

    fn max<'r>(&self, rows: impl Iterator<Item = &'r Row>) -> f64 {
        let sides = rows.flat_map(|row| self.shown.iter().filter_map(|(name, _)| row.side(name)));
        // Single runs, too: where bars are wide they are dots, and an outlier stands above its whisker.
        let highest =
            |side: &Side| side.range.map(|ends| ends.1).into_iter().chain(side.median).reduce(f64::max);
        sides.filter_map(|(_, _, side)| highest(side)).fold(0.0, f64::max)
    }

    fn bars(&self, bar: f32) -> f32 {
        self.shown.len() as f32 * (bar + 1.0) - 1.0
    }

    /// Panels in rows that fit the width, long panels cut, spare width given to bars and gaps.
    fn rows_of_panels(&self, pen: &Pen<'_, '_>, panels: &[Panel<'a>]) -> Vec<Chunk<'a>> {
        // Ticks of a panel stand in the gap behind the last group of the one before it.
        let gap = (self.tick_width - GROUP_GAP).max(2.0);
        let room = pen.frame.width - self.left - RIGHT + GROUP_GAP - self.tick_width + gap;
        let pitch = (self.bars(MIN_BAR) + GROUP_GAP).max(self.ratio_width + RATIO_GAP);
        let most = (((room - gap) / pitch).floor() as usize).max(1);
        let mut chunks: Vec<Vec<Panel<'a>>> = Vec::new();
        let mut used = f32::INFINITY;
        for panel in panels.iter().flat_map(|panel| cut(panel, most)) {
            let title = pen.width(&panel.title, Font::Medium).min(2.2 * pitch);
            let needs = gap + (panel.rows.len() as f32 * pitch).max(title);
            if used + needs > room {
                chunks.push(Vec::new());
                used = 0.0;
            }
            used += needs;
            if let Some(last) = chunks.last_mut() {
                last.push(panel);
            }
        }
        let size = |(groups, panels): (usize, usize)| groups as f32 * pitch + panels as f32 * gap;
        let counts = chunks.iter().map(|panels| self.groups_and_panels(panels));
        let (groups, count) = counts.max_by(|a, b| size(*a).total_cmp(&size(*b))).unwrap_or((1, 1));
        let spare = room - count as f32 * gap;
        let widest = self.bars(MAX_BAR).max(self.ratio_width) + 40.0;
        let pitch = (spare / groups.max(1) as f32).clamp(pitch, widest.max(pitch));
        let bars = (pitch - GROUP_GAP).max(self.bars(MIN_BAR));
        let bar = ((bars + 1.0) / self.shown.len().max(1) as f32 - 1.0).clamp(MIN_BAR, MAX_BAR).floor();
        let left_over = (spare - groups as f32 * pitch).max(0.0);
        let gap = gap + (left_over / count.max(1) as f32).min(40.0);
        chunks.into_iter().map(|panels| Chunk { panels, bar, pitch, gap }).collect()
    }

    fn groups_and_panels(&self, panels: &[Panel<'_>]) -> (usize, usize) {
        (panels.iter().map(|panel| panel.rows.len()).sum(), panels.len())
    }

    /// Draws below `start`, in `height` where that is enough; returns where it ends.
    fn draw(mut self, pen: &mut Pen<'_, '_>, chunks: &[Chunk<'_>], start: f32, height: f32) -> f32 {
        self.has_subtitle =
            chunks.iter().flat_map(|chunk| &chunk.panels).any(|panel| !panel.subtitle.is_empty());
        self.has_title = chunks.iter().flat_map(|chunk| &chunk.panels).any(|panel| !panel.title.is_empty());
        let foot = self.wrapped_foot(pen);
        let foot_height = pen.scaled(10.0 + 15.0 * foot.len() as f32);
        let fixed = self.head(pen) + self.below(pen);
        let count = chunks.len().max(1) as f32;
        let between = pen.scaled(10.0);
        let plot =
            ((height - foot_height) / count - fixed - between).max(pen.scaled(88.0)).min(pen.scaled(420.0));
        for (index, chunk) in chunks.iter().enumerate() {
            let top = start + index as f32 * (fixed + plot + between);
            self.chunk(pen, chunk, top, plot, index == 0);
        }
        let bottom = start + count * (fixed + plot + between) - between;
        for (index, line) in foot.iter().enumerate() {
            let y = bottom + pen.scaled(12.0 + 15.0 * index as f32);
            pen.text([pen.scaled(10.0), y], line, Font::Small, Ink::T3, Align::Min);
        }
        bottom + foot_height
    }

    /// The foot in lines of whole sentences where the width allows.
    fn wrapped_foot(&self, pen: &Pen<'_, '_>) -> Vec<String> {
        let room = pen.frame.width - 2.0 * pen.scaled(10.0);
        let mut lines: Vec<String> = Vec::new();
        for sentence in self.foot() {
            let joined = lines.last().map(|last| format!("{last} {sentence}"));
            match joined.filter(|line| pen.width(line, Font::Small) <= room) {
                Some(line) => {
                    lines.pop();
                    lines.push(line);
                }
                None => lines.push(pen.fitted(&sentence, Font::Small, room)),
            }
        }
        lines
    }

    fn head(&self, pen: &Pen<'_, '_>) -> f32 {
        pen.scaled(28.0) + if self.has_subtitle { pen.scaled(15.0) } else { 0.0 }
    }

    fn below(&self, pen: &Pen<'_, '_>) -> f32 {
        let medium = if self.has_medium { pen.scaled(15.0) } else { 0.0 };
        pen.scaled(26.0) + medium + self.strip.len() as f32 * self.line
    }

    fn chunk(&self, pen: &mut Pen<'_, '_>, chunk: &Chunk<'_>, top: f32, plot: f32, first: bool) {
        let (edge, title) = (pen.scaled(10.0), top + pen.scaled(11.0));
        if first {
            pen.text([edge, title], &self.metric_label(), Font::Small, Ink::T3, Align::Min);
        }
        let upper = top + self.head(pen);
        let base = upper + plot;
        let mut x = self.left + self.tick_width;
        for panel in &chunk.panels {
            let wide = panel.rows.len() as f32 * chunk.pitch;
            self.panel(pen, chunk, panel, Rect { x, y: upper, w: wide, h: plot }, title);
            x += wide + chunk.gap;
        }
        let cache = base + pen.scaled(11.0);
        let known =
            |key: Key| chunk.panels.iter().flat_map(|p| &p.rows).any(|row| row.condition(key).is_some());
        if known(Key::Cache) {
            pen.text([edge, cache], "cache", Font::Small, Ink::T3, Align::Min);
        }
        if known(Key::Medium) {
            pen.text([edge, cache + pen.scaled(15.0)], "medium", Font::Small, Ink::T3, Align::Min);
        }
        let right = (x - chunk.gap - GROUP_GAP).max(self.left);
        let strip = base + self.below(pen) - self.strip.len() as f32 * self.line;
        if !self.strip.is_empty() {
            let y = strip - pen.scaled(2.0);
            pen.line([edge, y], [right, y], 1.0, Ink::Line);
        }
        for (index, (name, place)) in self.strip.iter().enumerate() {
            let y = strip + (index as f32 + 0.5) * self.line;
            pen.mark(
                [edge + pen.scaled(4.5), y],
                Marker::of_variant(*place),
                4.0,
                Ink::Variant(*place),
                false,
            );
            let name = pen.fitted(shown_name(name), Font::Small, self.left - edge - pen.scaled(15.0));
            pen.text([edge + pen.scaled(15.0), y], &name, Font::Small, Ink::T2, Align::Min);
        }
    }

    fn panel(&self, pen: &mut Pen<'_, '_>, chunk: &Chunk<'_>, panel: &Panel<'_>, plot: Rect, title: f32) {
        let room = plot.w + chunk.gap - pen.scaled(6.0);
        let text = pen.fitted(&panel.title, Font::Medium, room);
        pen.text([plot.x, title], &text, Font::Medium, Ink::T1, Align::Min);
        let text = pen.fitted(&panel.subtitle, Font::Small, room);
        pen.text([plot.x, title + pen.scaled(15.0)], &text, Font::Small, Ink::T3, Align::Min);
        let unit = panel.rows.first().map_or(Unit::Secs, |row| row.group.unit);
        let (divisor, _) = axis::scale_of(unit, self.max(self.comparison.rows.iter()));
        let (high, step) = axis::from_zero(self.max(panel.rows.iter().copied()) / divisor);
        let axis = Axis { low: 0.0, high: high * divisor, log: false, from: plot.y + plot.h, to: plot.y };
        for tick in axis::ticks(0.0, high, step) {
            let y = axis.at(tick * divisor).round();
            let ink = if tick == 0.0 { Ink::Line2 } else { Ink::Grid };
            pen.line([plot.x, y], [plot.x + plot.w - GROUP_GAP + 3.0, y], 1.0, ink);
            let text = axis::tick_text(tick, step);
            pen.text([plot.x - pen.scaled(6.0), y], &text, Font::Small, Ink::T3, Align::Max);
        }
        let mut labels = Vec::new();
        for (index, row) in panel.rows.iter().enumerate() {
            let group = plot.x + index as f32 * chunk.pitch;
            let middle = group + (chunk.pitch - GROUP_GAP) / 2.0;
            self.group(pen, chunk, row, &axis, middle);
            self.ratios(pen, row, middle, plot.y + plot.h);
            labels.push((middle, row.condition(Key::Cache).unwrap_or_default().to_owned()));
        }
        let below = plot.y + plot.h + pen.scaled(11.0);
        pen.labels(below, &labels, Font::Small, Ink::T3);
        let media = media_labels(panel, &labels);
        pen.labels(below + pen.scaled(15.0), &media, Font::Small, Ink::T3);
    }

    /// The bars of one triple.
    fn group(&self, pen: &mut Pen<'_, '_>, chunk: &Chunk<'_>, row: &Row, axis: &Axis, middle: f32) {
        let mut x = (middle - self.bars(chunk.bar) / 2.0).round();
        for (name, place) in self.shown.iter().copied() {
            if let Some((index, cell, side)) = row.side(name) {
                let top = side.median.map_or(axis.from, |median| axis.at(median).round());
                let rect = Rect { x, y: top, w: chunk.bar, h: axis.from - top };
                let mut highest = top;
                if side.median.is_some() {
                    pen.shape(Shape::Rect { rect, ink: Ink::Variant(*place), patterned: true });
                }
                let center = x + chunk.bar / 2.0;
                if let Some((low, high)) = whisker(side) {
                    highest = axis.at(high);
                    whisker_shapes(pen, center, axis.at(low), highest);
                }
                if chunk.bar >= 24.0 && side.n > 1 {
                    for value in &cell.values {
                        pen.mark([center, axis.at(value.value)], Marker::Disc, 1.6, Ink::T1, false);
                    }
                }
                if !cell.failed.is_empty() || !cell.left_out.is_empty() {
                    let ink = if cell.failed.is_empty() { Ink::T3 } else { Ink::Failed };
                    highest -= pen.scaled(9.0);
                    pen.mark([center, highest], Marker::Cross, 3.6, ink, false);
                }
                if is_selected(pen, row, index) {
                    let rect = Rect { x: x - 2.5, y: rect.y - 2.5, w: rect.w + 5.0, h: rect.h + 5.0 };
                    pen.shape(Shape::Outline { rect, ink: Ink::Accent, width: 1.5, radius: 3.0 });
                }
                let reach = (axis.from - highest).max(14.0);
                let rect = Rect { x, y: axis.from - reach, w: chunk.bar + 1.0, h: reach };
                if side.median.is_some() || !cell.failed.is_empty() || !cell.left_out.is_empty() {
                    let target = readout::target(self.comparison, row, index, rect);
                    pen.figure.targets.push(target);
                }
            }
            x += chunk.bar + 1.0;
        }
    }

    /// The ratios of one triple in the strip, right-aligned under its group.
    fn ratios(&self, pen: &mut Pen<'_, '_>, row: &Row, middle: f32, base: f32) {
        let strip = base + self.below(pen) - self.strip.len() as f32 * self.line;
        let right = middle + self.ratio_width / 2.0;
        for (line, (name, _)) in self.strip.iter().enumerate() {
            let Some((index, _, side)) = row.side(name) else { continue };
            let y = strip + (line as f32 + 0.5) * self.line;
            let Some(text) = ratio_text(row, index) else {
                let compared = row.sides.iter().any(|side| side.ratio.is_some());
                if index == row.baseline && compared {
                    pen.text([right - self.mark_width, y], "1", Font::Body, Ink::T4, Align::Max);
                }
                continue;
            };
            let width = self.ratio_width;
            let cell = Rect { x: right - width - 3.0, y: y - self.line / 2.0, w: width + 6.0, h: self.line };
            if is_selected(pen, row, index) {
                pen.rect(cell, Ink::AccentGround);
            }
            let clear = matches!(side.verdict, Some(Verdict::Faster | Verdict::Slower));
            let font = if clear { Font::Semibold } else { Font::Body };
            pen.text([right - self.mark_width, y], &text, font, ratio_ink(side.verdict), Align::Max);
            let mark = [right - pen.scaled(5.0), y];
            if row.printed_ratio(name).is_some_and(|printed| printed.inconsistent) {
                pen.text(mark, "!", Font::Semibold, Ink::Warning, Align::Center);
            } else if let Some(verdict) = side.verdict.filter(|_| row.printed_ratio(name).is_none()) {
                pen.verdict(mark, verdict, is_indication(row, index));
            }
            let target = readout::target(self.comparison, row, index, cell);
            pen.figure.targets.push(target);
        }
    }

    /// What the ratios and whiskers are, in sentences.
    fn foot(&self) -> Vec<String> {
        let rows = &self.comparison.rows;
        let quotient = quotient(self.comparison);
        let printed = rows.iter().any(|row| !row.group.printed_ratios.is_empty());
        let many = rows.iter().flat_map(|row| &row.sides).filter(|side| side.n > 1);
        let (mut few, mut enough) = (false, false);
        many.for_each(|side| if side.n < INDICATION_BELOW { few = true } else { enough = true });
        let mut sentences = Vec::new();
        if !self.strip.is_empty() {
            sentences.push(match (printed, few || enough) {
                (true, _) => format!("Ratios as printed, {quotient}: above 1 is faster."),
                (false, true) => format!("Ratio of medians, {quotient}: above 1 is faster."),
                (false, false) => format!("Ratio {quotient}: above 1 is faster. One run each."),
            });
        }
        let whiskers = match (few, enough) {
            (true, false) => "Whiskers: smallest and largest run.",
            (false, true) => "Whiskers: 95 % interval of the median.",
            (true, true) => "Whiskers: range of the runs, from 6 runs on the interval of the median.",
            (false, false) => return sentences,
        };
        sentences.push(whiskers.to_owned());
        sentences
    }
}
