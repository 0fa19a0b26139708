//! The live load of the run that goes on: CPU stacked by process, memory, disk, and where the end is expected.

use super::pen::{Bin, bins, span, ticks};
use crate::painter;
use crate::run::live::{Lane, Live};
use crate::run::model::RunModel;
use crate::theme::Theme;
use crate::widgets;
use egui::{Align2, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use triptych_report::{Ink, numbers};

/// Narrowest column of pixels that samples are put into.
const COLUMN: f32 = 1.0;

/// One lane of the picture.
struct Band<'a> {
    name: &'a str,
    unit: &'a str,
    /// Values are divided by this for the axis.
    unit_size: f32,
    rect: Rect,
    /// Top of the axis, in its unit.
    top: f32,
    ticks: Vec<f64>,
}

impl Band<'_> {
    fn y(&self, value: f32) -> f32 {
        let share = (value / self.unit_size / self.top).clamp(0.0, 1.0);
        self.rect.bottom() - share * self.rect.height()
    }
}

/// Shows the lanes.
pub fn ui(ui: &mut Ui, model: &RunModel, theme: &Theme, body: Rect) {
    let response = ui.interact(body, egui::Id::unique("live lanes"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, spoken(model)));
    let Some(current) = &model.current else {
        return say(ui, theme, body, "The load of each run is shown here while it is timed");
    };
    let live = &current.live;
    if live.points.is_empty() && !current.timed {
        let text =
            if model.is_going() { "The next run is being prepared" } else { "The last run has no samples" };
        return say(ui, theme, body, text);
    }
    let scale = widgets::text_scale(ui);
    let left = body.left() + 92.0 * scale;
    let right = body.right() - 132.0 * scale;
    if right - left < 80.0 {
        return;
    }
    let axis = 20.0 * scale;
    let plot = Rect::from_min_max(pos2(left, body.top() + 6.0), pos2(right, body.bottom() - axis - 4.0));
    let seconds = span(model.expected(), live.elapsed().unwrap_or(0.0)) as f32;
    let x = |secs: f32| plot.left() + secs / seconds * plot.width();
    let picture = Picture { ui, model, live, theme, plot, seconds, bins: bins(&live.points, x, COLUMN) };
    let label = picture.expected_end();
    let [cpu, memory, disk] = picture.bands();
    picture.axes(&cpu, true);
    picture.axes(&memory, false);
    picture.axes(&disk, false);
    picture.cpu(&cpu);
    picture.line(&memory, Lane::ServerRss, Ink::Svnserve);
    picture.line(&memory, Lane::ClientRss, Ink::Client);
    picture.disk(&disk);
    picture.time_axis();
    picture.legend(&cpu, &memory, &disk);
    if let Some((at, align)) = label {
        let font = widgets::small(ui);
        ui.painter().text(at, align, "expected end", font, theme.t3);
    }
    if let Some(at) = response.hover_pos().filter(|at| plot.contains(*at)) {
        let text = picture.read_out(at);
        response.on_hover_text_at_pointer(text);
    }
}

fn say(ui: &Ui, theme: &Theme, body: Rect, text: &str) {
    let at = body.left_top() + vec2(12.0, 18.0);
    widgets::paint_text(ui, at, Align2::LEFT_CENTER, text, widgets::body(ui), theme.t3, body.width() - 24.0);
}

/// The heights of a lane's area. What is dear to read is said later than the rest: until then the newest
/// bins, those behind the last one with a value, have the lane's last value, where one still holds.
fn stacked(bins: &[Bin], lane: Lane, last: Option<f32>) -> Vec<f32> {
    let known = bins.iter().rposition(|bin| bin.get(lane).is_some());
    let height = |(place, bin): (usize, &Bin)| {
        let carried = last.filter(|_| known.is_some_and(|known| known < place));
        bin.get(lane).or(carried).unwrap_or(0.0)
    };
    bins.iter().enumerate().map(height).collect()
}

/// What the lanes say to those who cannot see them.
fn spoken(model: &RunModel) -> String {
    let Some(live) = model.current.as_ref().map(|current| &current.live) else {
        return "Live load: nothing is timed".to_owned();
    };
    let part = |name: &str, lane, text: &dyn Fn(f32) -> String| {
        live.last(lane).map(|value| format!("{name} {}", text(value)))
    };
    let percent = |value: f32| format!("{value:.0} %");
    let bytes = |value: f32| numbers::bytes(f64::from(value));
    let parts: Vec<String> = [
        part("svnserve", Lane::ServerCpu, &percent),
        part("client", Lane::ClientCpu, &percent),
        part("system", Lane::OtherCpu, &percent),
        part("svnserve memory", Lane::ServerRss, &bytes),
        part("disk read a second", Lane::DiskRead, &bytes),
    ]
    .into_iter()
    .flatten()
    .collect();
    format!("Live load: {}", if parts.is_empty() { "no sample yet".to_owned() } else { parts.join(", ") })
}

struct Picture<'a> {
    ui: &'a Ui,
    model: &'a RunModel,
    live: &'a Live,
    theme: &'a Theme,
    plot: Rect,
    seconds: f32,
    bins: Vec<Bin>,
}

impl Picture<'_> {
    fn x(&self, secs: f32) -> f32 {
        self.plot.left() + secs / self.seconds * self.plot.width()
    }

    fn most(&self, lanes: &[Lane]) -> f32 {
        let sum = |bin: &Bin| lanes.iter().filter_map(|lane| bin.get(*lane)).sum::<f32>();
        self.bins.iter().map(sum).fold(0.0, f32::max)
    }

    /// Half of the height for CPU; one core and a little is always shown, so that the axis stays.
    fn bands(&self) -> [Band<'static>; 3] {
        let plot = self.plot;
        let gap = 12.0;
        let share = |from: f32, to: f32| {
            let height = plot.height();
            Rect::from_min_max(
                pos2(plot.left(), plot.top() + height * from + if from > 0.0 { gap } else { 0.0 }),
                pos2(plot.right(), plot.top() + height * to),
            )
        };
        let cpu = (self.most(&[Lane::ServerCpu, Lane::ClientCpu, Lane::OtherCpu]) * 1.08).max(125.0);
        let megabyte = 1e6;
        let memory = [Lane::ServerRss, Lane::ClientRss].map(|lane| self.most(&[lane])).into_iter();
        let memory = (memory.fold(0.0, f32::max) / megabyte * 1.1).max(10.0);
        let disk = (self.most(&[Lane::DiskRead]) / megabyte * 1.1).max(1.0);
        let band = |name, unit, unit_size, rect: Rect, top: f32, least: f32| {
            let count = (rect.height() / least).clamp(1.0, 4.0) as usize;
            Band { name, unit, unit_size, rect, top, ticks: ticks(f64::from(top), count) }
        };
        [
            band("CPU", "%", 1.0, share(0.0, 0.52), cpu, 34.0),
            band("memory", "MB", megabyte, share(0.52, 0.77), memory, 24.0),
            band("disk read", "MB/s", megabyte, share(0.77, 1.0), disk, 24.0),
        ]
    }

    /// Where earlier runs of the cell ended, and where this one should; gives the place of the words,
    /// which stand where nothing was drawn yet.
    fn expected_end(&self) -> Option<(Pos2, Align2)> {
        let expected = self.model.expected()?;
        let painter = self.ui.painter();
        let cell = self.model.current.as_ref().and_then(|now| self.model.matrix.step(now.step));
        let ends: Vec<f64> = cell
            .map(|cell| self.model.matrix.finished(cell.row, cell.column).map(|(_, secs)| secs).collect())
            .unwrap_or_default();
        let (low, high) =
            ends.iter().fold((expected, expected), |(low, high), secs| (low.min(*secs), high.max(*secs)));
        // One run tells no range: a few per cent are usual.
        let (low, high) = if ends.len() < 2 { (expected * 0.97, expected * 1.03) } else { (low, high) };
        let (from, to) =
            (self.x(low as f32).max(self.plot.left()), self.x(high as f32).min(self.plot.right()));
        if to > from {
            let band = Rect::from_x_y_ranges(from..=to, self.plot.y_range());
            painter.rect_filled(band, 0.0, self.theme.s3);
        }
        let x = painter.round_to_pixel_center(self.x(expected as f32));
        if x >= self.plot.right() {
            return None;
        }
        let line = [pos2(x, self.plot.top()), pos2(x, self.plot.bottom())];
        painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, self.theme.t3), 3.0, 3.0));
        let (left, right) = (from.min(x) - 6.0, to.max(x) + 6.0);
        let room = left - self.plot.left() > 84.0 * widgets::text_scale(self.ui);
        let (at, align) = if room { (left, Align2::RIGHT_CENTER) } else { (right, Align2::LEFT_CENTER) };
        let drawn = self.bins.last().map_or(self.plot.left(), |bin| bin.to);
        let free = drawn < at - if room { 84.0 } else { 0.0 };
        free.then_some((pos2(at, self.plot.top() + 6.0), align))
    }

    fn axes(&self, band: &Band<'_>, core: bool) {
        let (painter, theme, ui) = (self.ui.painter(), self.theme, self.ui);
        let scale = widgets::text_scale(ui);
        let left = band.rect.left() - 80.0 * scale;
        let name = pos2(left, band.rect.top() + 7.0);
        painter.text(name, Align2::LEFT_CENTER, band.name, widgets::small(ui), theme.t1);
        let unit = pos2(left, band.rect.top() + 7.0 + 13.0 * scale);
        if unit.y < band.rect.bottom() + 8.0 {
            painter.text(unit, Align2::LEFT_CENTER, band.unit, widgets::small(ui), theme.t3);
        }
        for tick in &band.ticks {
            let y = painter.round_to_pixel_center(band.y(*tick as f32 * band.unit_size));
            let ink = if *tick == 0.0 { theme.line2 } else { theme.grid };
            painter.hline(band.rect.x_range(), y, Stroke::new(1.0, ink));
            let at = pos2(band.rect.left() - 7.0, y);
            let text = numbers::count(*tick);
            painter.text(at, Align2::RIGHT_CENTER, text, widgets::small(ui), theme.t3);
        }
        if core {
            let y = painter.round_to_pixel_center(band.y(100.0));
            let line = [pos2(band.rect.left(), y), pos2(band.rect.right(), y)];
            painter.extend(Shape::dashed_line(&line, Stroke::new(1.0, theme.t4), 3.0, 3.0));
        }
    }

    /// Areas on each other; what nobody says is no area.
    fn cpu(&self, band: &Band<'_>) {
        let mut below = vec![0.0_f32; self.bins.len()];
        for (lane, ink) in
            [(Lane::ServerCpu, Ink::Svnserve), (Lane::ClientCpu, Ink::Client), (Lane::OtherCpu, Ink::System)]
        {
            let mut columns = Vec::with_capacity(self.bins.len() * 2);
            let mut edge: Vec<Pos2> = Vec::with_capacity(self.bins.len() * 2);
            let values = stacked(&self.bins, lane, self.live.last(lane));
            for ((bin, value), below) in self.bins.iter().zip(values).zip(&mut below) {
                let (low, high) = (band.y(*below), band.y(*below + value));
                columns.extend([[bin.from, low, high], [bin.to, low, high]]);
                edge.extend([pos2(bin.from, high), pos2(bin.to, high)]);
                *below += value;
            }
            self.ui.painter().add(painter::area(Pos2::ZERO, &columns, self.theme.area(ink)));
            let stroke = Stroke::new(1.0, self.theme.ink(ink));
            self.ui.painter().add(Shape::line(edge, stroke));
        }
        if let Some(end) = self.bins.last().map(|bin| bin.to) {
            let x = self.ui.painter().round_to_pixel_center(end);
            self.ui.painter().vline(x, self.plot.y_range(), Stroke::new(1.0, self.theme.accent));
        }
    }

    fn line(&self, band: &Band<'_>, lane: Lane, ink: Ink) {
        let mut points = Vec::with_capacity(self.bins.len() * 2);
        for bin in &self.bins {
            if let Some(value) = bin.get(lane) {
                points.extend([pos2(bin.from, band.y(value)), pos2(bin.to, band.y(value))]);
            }
        }
        self.ui.painter().add(Shape::line(points, Stroke::new(1.6, self.theme.ink(ink))));
    }

    fn disk(&self, band: &Band<'_>) {
        let column = |bin: &Bin| {
            let (low, high) = (band.y(0.0), band.y(bin.get(Lane::DiskRead).unwrap_or(0.0)));
            [[bin.from, low, high], [bin.to, low, high]]
        };
        let columns: Vec<[f32; 3]> = self.bins.iter().flat_map(column).collect();
        self.ui.painter().add(painter::area(Pos2::ZERO, &columns, self.theme.area(Ink::Disk)));
        self.line(band, Lane::DiskRead, Ink::Disk);
    }

    fn time_axis(&self) {
        let (painter, theme) = (self.ui.painter(), self.theme);
        let count = (self.plot.width() / 80.0).clamp(1.0, 12.0) as usize;
        let ticks = ticks(f64::from(self.seconds), count);
        let step = ticks.get(1).copied().unwrap_or(1.0);
        for (index, tick) in ticks.into_iter().enumerate() {
            let x = self.x(tick as f32);
            painter.vline(
                painter.round_to_pixel_center(x),
                self.plot.bottom()..=self.plot.bottom() + 3.0,
                Stroke::new(1.0, theme.line2),
            );
            let digits = match tick {
                _ if tick.fract() == 0.0 => numbers::count(tick),
                _ if step < 0.1 => format!("{tick:.2}"),
                _ => format!("{tick:.1}"),
            };
            let text = if index == 0 { format!("0{}s", numbers::NARROW) } else { digits };
            let at = pos2(x, self.plot.bottom() + 5.0);
            painter.text(at, Align2::CENTER_TOP, text, widgets::small(self.ui), theme.t3);
        }
    }

    /// In the right margin, with the newest value, in the order in which they are stacked.
    fn legend(&self, cpu: &Band<'_>, memory: &Band<'_>, disk: &Band<'_>) {
        let disks = if self.live.disks.is_empty() { "disk" } else { &self.live.disks };
        for (band, entries) in [
            (
                cpu,
                vec![
                    ("system", Lane::OtherCpu, Ink::System),
                    ("client", Lane::ClientCpu, Ink::Client),
                    ("svnserve", Lane::ServerCpu, Ink::Svnserve),
                ],
            ),
            (
                memory,
                vec![("svnserve", Lane::ServerRss, Ink::Svnserve), ("client", Lane::ClientRss, Ink::Client)],
            ),
            (disk, vec![(disks, Lane::DiskRead, Ink::Disk)]),
        ] {
            let scale = widgets::text_scale(self.ui);
            let pitch = (16.0 * scale).min(band.rect.height() / entries.len() as f32 + 3.0);
            for (index, (name, lane, ink)) in entries.into_iter().enumerate() {
                let y = band.rect.top() + 8.0 + pitch * index as f32;
                self.entry(
                    pos2(self.plot.right() + 14.0, y),
                    name,
                    self.live.last(lane),
                    band.unit_size,
                    ink,
                );
            }
        }
    }

    fn entry(&self, at: Pos2, name: &str, value: Option<f32>, unit: f32, ink: Ink) {
        let (ui, theme) = (self.ui, self.theme);
        let scale = widgets::text_scale(ui);
        let swatch = Rect::from_center_size(at + vec2(4.0, 0.0), vec2(9.0, 9.0) * scale);
        ui.painter().rect_filled(swatch, 1.0, theme.ink(ink));
        let right = self.plot.right() + 120.0 * scale;
        // Nothing seen is not nothing used.
        let text = value.map(|value| format!("{:.0}", value / unit)).unwrap_or_default();
        let number =
            ui.painter().text(pos2(right, at.y), Align2::RIGHT_CENTER, text, widgets::small(ui), theme.t1);
        let left = at.x + 14.0 * scale;
        let width = number.left() - left - 6.0;
        let font = widgets::small(ui);
        widgets::paint_text(ui, pos2(left, at.y), Align2::LEFT_CENTER, name, font, theme.t2, width);
    }

    /// All lanes at the second under the pointer.
    fn read_out(&self, at: Pos2) -> String {
        let secs = (at.x - self.plot.left()) / self.plot.width() * self.seconds;
        let mut lines = vec![format!("{secs:.1} s")];
        let Some(bin) = self.bins.iter().find(|bin| bin.from <= at.x && at.x < bin.to) else {
            lines.push("no sample".to_owned());
            return lines.join("\n");
        };
        let percent = |value: f32| format!("{value:.0} %");
        let bytes = |value: f32| numbers::bytes(f64::from(value));
        for (name, lane) in [
            ("svnserve", Lane::ServerCpu),
            ("client", Lane::ClientCpu),
            ("system without them", Lane::OtherCpu),
        ] {
            lines.extend(bin.get(lane).map(|value| format!("{name} {}", percent(value))));
        }
        for (name, lane) in [
            ("svnserve memory", Lane::ServerRss),
            ("client memory", Lane::ClientRss),
            ("disk read a second", Lane::DiskRead),
        ] {
            lines.extend(bin.get(lane).map(|value| format!("{name} {}", bytes(value))));
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::Process;
    use triptych_model::runlog::{LiveSample, LiveValue};

    fn push(live: &mut Live, elapsed_secs: f64, loads: &[(Process, f64)]) {
        let value = |(process, value): &(Process, f64)| LiveValue {
            process: process.clone(),
            metric: "cpu".to_owned(),
            value: *value,
        };
        let values = loads.iter().map(value).collect();
        live.push(&LiveSample { elapsed_secs, values, ..LiveSample::default() });
    }

    #[test]
    fn the_last_value_stands_for_the_newest_bins_until_the_next_is_said() {
        let mut live = Live::default();
        push(&mut live, 2.0, &[(Process::Client, 10.0)]);
        push(&mut live, 2.5, &[(Process::Client, 10.0), (Process::System, 40.0)]);
        push(&mut live, 2.75, &[(Process::Client, 20.0)]);
        push(&mut live, 3.0, &[(Process::Client, 20.0)]);
        let heights = |live: &Live, lane| {
            let bins = bins(&live.points, |secs| secs, 0.01);
            stacked(&bins, lane, live.last(lane))
        };
        assert_eq!(heights(&live, Lane::OtherCpu), [0.0, 30.0, 30.0, 30.0], "forward only");
        assert_eq!(heights(&live, Lane::ClientCpu), [10.0, 10.0, 20.0, 20.0]);
        assert_eq!(heights(&live, Lane::ServerCpu), [0.0; 4], "nothing was ever said");
        push(&mut live, 4.0, &[(Process::Client, 20.0)]);
        assert_eq!(heights(&live, Lane::OtherCpu), [0.0, 30.0, 0.0, 0.0, 0.0], "too old to still hold");
    }
}
