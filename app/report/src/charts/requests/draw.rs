//! Draws the bands of the chart of requests.

use super::bands::RequestsLayout;
use super::kind_ink;
use crate::chart::RequestsData;
use crate::charts::axis::{self, Axis};
use crate::charts::cpu_load;
use crate::charts::pen::Pen;
use crate::figure::{Align, Figure, Font, Frame, Ink, Marker, Rect, Shape, Target};
use crate::{clock, numbers};
use triptych_store::{ActionKind, bin_width};

/// The figure.
pub(super) fn figure(data: &RequestsData, frame: &Frame<'_>) -> Figure {
    let mut pen = Pen::new(frame);
    pen.figure.subtitle.clone_from(&data.title);
    match RequestsLayout::new(data, frame) {
        Some(layout) if super::is_drawn(&data.answer) => Drawing { data, layout, pen }.all(),
        _ => headline(pen, data),
    }
}

/// For tiles that are too small for a chart.
fn headline(mut pen: Pen<'_, '_>, data: &RequestsData) -> Figure {
    let (x, y) = (pen.scaled(10.0), pen.scaled(18.0));
    let actions: usize = ActionKind::STACK.into_iter().map(|kind| data.count(kind)).sum();
    pen.text([x, y], &numbers::count(actions as f64), Font::Figure, Ink::T1, Align::Min);
    pen.text([x, y + pen.scaled(26.0)], &data.summary(), Font::Small, Ink::T3, Align::Min);
    let rect = Rect { x: 0.0, y: 0.0, w: pen.frame.width, h: pen.frame.height };
    let target = summary(data, rect);
    pen.figure.targets.push(target);
    pen.figure
}

/// The whole log in words.
fn summary(data: &RequestsData, rect: Rect) -> Target {
    let mut lines = vec![("requests".to_owned(), data.summary())];
    for kind in ActionKind::STACK.into_iter().rev().filter(|kind| data.count(*kind) > 0) {
        lines.push((kind.name().to_owned(), numbers::count(data.count(kind) as f64)));
    }
    Target { rect, title: data.title.clone(), variant: None, lines, runs: Vec::new() }
}

struct Drawing<'d, 'f, 'a> {
    data: &'d RequestsData,
    layout: RequestsLayout,
    pen: Pen<'f, 'a>,
}

impl Drawing<'_, '_, '_> {
    fn all(mut self) -> Figure {
        self.actions();
        self.commits();
        self.sessions();
        self.load();
        self.time_axis();
        self.legend();
        self.pen.figure
    }

    fn hidden(&self, kind: ActionKind) -> bool {
        self.pen.frame.hidden.iter().any(|name| name == kind.name())
    }

    /// Counts of a bin without the hidden kinds.
    fn counts(&self, bin: usize) -> Vec<(ActionKind, u32)> {
        let counts = self.data.bins.kinds.get(bin).copied().unwrap_or_default();
        ActionKind::STACK.into_iter().zip(counts).filter(|(kind, _)| !self.hidden(*kind)).collect()
    }

    /// Bins that are shown, with their left and right edge within the plot.
    fn shown_bins(&self) -> Vec<(usize, f32, f32)> {
        let (origin, plot) = (self.data.origin(), self.layout.plot);
        let x = |micros: i64| self.layout.x((micros - origin) as f64 / 1e6);
        let place = |bin: usize| {
            let (from, to) = self.data.bins.span(bin);
            let (left, right) = (x(from).max(plot.x), x(to).min(plot.x + plot.w));
            (right > left).then_some((bin, left, right))
        };
        (0..self.data.bins.kinds.len()).filter_map(place).collect()
    }

    fn name(&mut self, band: Rect, name: &str, unit: &str) {
        if self.layout.legend.is_none() {
            return;
        }
        let (x, y) = (self.layout.names, band.y + self.pen.scaled(5.0));
        self.pen.text([x, y], name, Font::Small, Ink::T1, Align::Min);
        self.pen.text([x, y + self.pen.scaled(14.0)], unit, Font::Small, Ink::T3, Align::Min);
    }

    /// Grid and labels of a value axis.
    fn scale(&mut self, band: Rect, most: f64, steps: usize) -> Axis {
        let (top, step) = if steps < 3 {
            let step = axis::step_of(most.max(1.0) / steps.max(1) as f64 / 1.3).max(1.0);
            (most.max(step) * 1.05, step)
        } else {
            let (top, step) = axis::from_zero(most.max(1.0));
            (top, step.max(1.0))
        };
        let y = Axis { low: 0.0, high: top, log: false, from: band.y + band.h, to: band.y };
        for tick in axis::ticks(0.0, top, step) {
            let at = y.at(tick).round();
            let ink = if tick == 0.0 { Ink::Line2 } else { Ink::Grid };
            self.pen.line([band.x, at], [band.x + band.w, at], 1.0, ink);
            let x = band.x - self.pen.scaled(8.0);
            self.pen.text([x, at], &numbers::count(tick), Font::Small, Ink::T3, Align::Max);
        }
        y
    }

    fn actions(&mut self) {
        let band = self.layout.actions;
        let shown = self.shown_bins();
        let sum = |bin: usize| self.counts(bin).iter().map(|(_, count)| *count).sum::<u32>();
        let most = shown.iter().map(|(bin, ..)| sum(*bin)).max().unwrap_or(0);
        let steps = (band.h / self.pen.scaled(30.0)).clamp(1.0, 4.0) as usize;
        let y = self.scale(band, f64::from(most), steps);
        let unit = format!("in {}", clock::width(self.data.bins.width));
        self.name(band, "actions", &unit);
        for (bin, left, right) in shown {
            let gap = if right - left >= 4.0 { 1.0 } else { 0.0 };
            let mut below = 0u32;
            for (kind, count) in self.counts(bin).into_iter().filter(|(_, count)| *count > 0) {
                let (low, high) = (y.at(f64::from(below)), y.at(f64::from(below + count)));
                let rect = Rect { x: left, y: high, w: (right - left - gap).max(0.5), h: low - high };
                self.pen.rect(rect, kind_ink(kind));
                below += count;
            }
            if self.data.bins.errors.get(bin).is_some_and(|errors| *errors > 0) {
                let at = [f32::midpoint(left, right), self.pen.scaled(6.0)];
                self.pen.mark(at, Marker::Cross, 3.0, Ink::Failed, false);
            }
            self.target(bin, Rect { x: left, y: band.y, w: right - left, h: band.h });
        }
    }

    /// What a bin says; empty ones cannot be pointed at, for there is nothing to click.
    fn target(&mut self, bin: usize, rect: Rect) {
        let (title, kinds, more) = self.data.read_out(bin);
        let total: u32 = kinds.iter().map(|(_, count)| *count).sum();
        if total == 0 && self.data.bins.errors.get(bin).is_none_or(|errors| *errors == 0) {
            return;
        }
        let mut lines = vec![("actions".to_owned(), numbers::count(f64::from(total)))];
        lines.extend(
            kinds.iter().map(|(kind, count)| (kind.name().to_owned(), numbers::count(f64::from(*count)))),
        );
        lines.extend(more);
        self.pen.figure.targets.push(Target { rect, title, variant: None, lines, runs: Vec::new() });
    }

    fn commits(&mut self) {
        let band = self.layout.commits;
        let middle = band.y + band.h / 2.0;
        let origin = self.data.origin();
        let x = self.layout.names;
        if self.layout.legend.is_some() {
            self.pen.text([x, middle], "commits", Font::Small, Ink::T1, Align::Min);
        }
        let half = (band.h / 2.0).min(self.pen.scaled(6.0));
        let mut last = f32::NEG_INFINITY;
        for (time, _) in &self.data.bins.commits {
            let at = self.layout.x((time - origin) as f64 / 1e6);
            if at < band.x || at > band.x + band.w || at - last < 0.5 {
                continue;
            }
            last = at;
            self.pen.line([at, middle - half], [at, middle + half], 1.6, Ink::Httpd);
        }
        let commits = self.data.bins.commit_count;
        let text = match self.data.answer.revisions {
            _ if commits == 0 => "none".to_owned(),
            Some((low, high)) if low == high => format!("r{low}"),
            Some((low, _)) => format!("r{low} …"),
            None => String::new(),
        };
        self.right(middle, &text, if commits == 0 { None } else { Some(commits) }, None);
    }

    /// An entry in the right margin: swatch, words and a count at the right edge.
    fn right(&mut self, y: f32, text: &str, count: Option<usize>, ink: Option<Ink>) {
        let Some(left) = self.layout.legend else { return };
        let edge = self.pen.frame.width - self.pen.scaled(10.0);
        let mut x = left;
        if let Some(ink) = ink {
            let side = self.pen.scaled(9.0);
            self.pen.rect(Rect { x, y: y - side / 2.0, w: side, h: side }, ink);
        }
        x += if ink.is_some() { self.pen.scaled(14.0) } else { 0.0 };
        let count = count.map(short).unwrap_or_default();
        let room = edge - x - self.pen.width(&count, Font::Small) - self.pen.scaled(6.0);
        let text = self.pen.fitted(text, Font::Small, room);
        self.pen.text([x, y], &text, Font::Small, Ink::T2, Align::Min);
        self.pen.text([edge, y], &count, Font::Small, Ink::T1, Align::Max);
    }

    fn sessions(&mut self) {
        let Some(band) = self.layout.sessions else { return };
        let shown = self.shown_bins();
        let open = |bin: usize| self.data.bins.sessions.get(bin).copied().unwrap_or(0);
        let most = shown.iter().map(|(bin, ..)| open(*bin)).max().unwrap_or(0);
        let steps = (band.h / self.pen.scaled(26.0)).clamp(1.0, 2.0) as usize;
        let y = self.scale(band, f64::from(most), steps);
        let unit = format!("open in {}", clock::width(self.data.bins.width));
        self.name(band, "sessions", &unit);
        let mut points: Vec<[f32; 2]> = Vec::new();
        for (bin, left, right) in shown {
            let at = y.at(f64::from(open(bin)));
            points.extend([[left, at], [right, at]]);
        }
        if points.len() > 1 {
            self.pen.shape(Shape::Path { points, width: 1.2, ink: Ink::T2 });
        }
        let sessions = self.data.answer.sessions.len();
        let middle = band.y + self.pen.scaled(5.0);
        let text = format!("of {}", numbers::count(sessions as f64));
        self.right(middle, if sessions == 0 { "none known" } else { &text }, None, None);
    }

    fn load(&mut self) {
        let (Some(band), Some(load)) = (self.layout.load, self.data.load.as_ref()) else { return };
        let (from, to) = self.layout.shown;
        let within = load.stack.within(from, to);
        let peak = f64::from(load.stack.peak(within)).max(50.0);
        let top = (peak / 100.0).ceil() * 100.0;
        let x = Axis { low: from, high: to, log: false, from: band.x, to: band.x + band.w };
        let y = Axis { low: 0.0, high: top, log: false, from: band.y + band.h, to: band.y };
        let step = if band.h > self.pen.scaled(48.0) { top / 2.0 } else { top };
        for tick in axis::ticks(0.0, top, step) {
            let at = y.at(tick).round();
            self.pen.line([band.x, at], [band.x + band.w, at], 1.0, Ink::Grid);
            let label = band.x - self.pen.scaled(8.0);
            self.pen.text([label, at], &numbers::count(tick), Font::Small, Ink::T3, Align::Max);
        }
        let hidden = vec![false; load.stack.layers.len()];
        cpu_load::layers(&mut self.pen, load, &hidden, &x, &y);
        self.pen.line([band.x, y.from], [band.x + band.w, y.from], 1.0, Ink::Line2);
        self.name(band, "CPU load", "%");
        let means = load.stack.mean(from, to).map(|(means, _)| means).unwrap_or_default();
        let count = load.stack.layers.len().max(1) as f32;
        let pitch = self.pen.scaled(17.0).min(band.h / count + 2.0);
        for (place, (layer, mean)) in load.stack.layers.iter().zip(means).rev().enumerate() {
            let at = band.y + self.pen.scaled(5.0) + pitch * place as f32;
            self.right(at, &layer.name, Some(mean.round() as usize), Some(layer.ink));
        }
    }

    fn time_axis(&mut self) {
        let origin = self.data.origin();
        let (from, to) = self.layout.shown;
        let plot = self.layout.plot;
        let micros = |secs: f64| origin + (secs * 1e6) as i64;
        let most = (plot.w / self.pen.scaled(88.0)).clamp(1.0, 12.0) as usize;
        let step = bin_width(micros(to) - micros(from), most);
        let mut tick = micros(from).div_euclid(step) * step;
        let mut labels: Vec<(f32, String)> = Vec::new();
        while tick <= micros(to) {
            let x = self.layout.x((tick - origin) as f64 / 1e6);
            if x >= plot.x - 0.5 {
                self.pen.line([x, plot.y + plot.h], [x, plot.y + plot.h + 3.0], 1.0, Ink::Line2);
                labels.push((x, clock::stepped(tick, step)));
            }
            tick += step;
        }
        let y = self.layout.axis;
        if self.layout.legend.is_some() {
            let x = self.layout.names;
            let date = format!("{} UTC", clock::date(micros(from)));
            // The date is said once, at the left: a time that would touch it gives way.
            let end = x + self.pen.width(&date, Font::Small) + self.pen.scaled(6.0);
            labels.retain(|(x, text)| x - self.pen.width(text, Font::Small) / 2.0 > end);
            self.pen.text([x, y], &date, Font::Small, Ink::T3, Align::Min);
        }
        self.pen.labels(y, &labels, Font::Small, Ink::T3);
    }

    fn legend(&mut self) {
        for (kind, rect) in self.layout.entries.clone() {
            let y = rect.y + self.pen.scaled(5.0);
            let ink = if self.hidden(kind) { Ink::S4 } else { kind_ink(kind) };
            self.right(y, kind.name(), Some(self.data.count(kind)), Some(ink));
        }
    }
}

/// `44`, `1.7k`, `12k`, `3.4M`: counts in the margin.
fn short(count: usize) -> String {
    let value = count as f64;
    match count {
        0..1_000 => count.to_string(),
        1_000..9_950 => format!("{:.1}k", value / 1e3),
        9_950..999_500 => format!("{:.0}k", value / 1e3),
        999_500..9_950_000 => format!("{:.1}M", value / 1e6),
        _ => format!("{:.0}M", value / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_the_margin_are_short() {
        for (count, expect) in [
            (44, "44"),
            (1_728, "1.7k"),
            (9_868, "9.9k"),
            (9_999, "10k"),
            (20_000, "20k"),
            (2_400_000, "2.4M"),
        ] {
            assert_eq!(short(count), expect);
        }
    }
}
