//! Charts over time: zoom, pan, one cursor and one range for all linked tiles.
//!
//! Range and cursor are ours and not a plotting library's: automatic bounds would pull linked axes apart.

use super::Tile;
use super::readout::Readout;
use super::scene::{self, Scene, Shared};
use crate::action::Action;
use crate::state::State;
use crate::widgets;
use egui::{
    CursorIcon, EventFilter, Id, Key, Pos2, Rect, Response, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2,
};
use triptych_report::{LoadData, TimeAxis, numbers};

/// Points of the wheel that double the zoom, about five notches.
const DOUBLE: f64 = 240.0;

/// The axis of one chart on the screen.
#[derive(Clone, Copy, Debug)]
struct Axis {
    plot: Rect,
    strip: Rect,
    from: f64,
    to: f64,
    /// Seconds that the range may cover: of the longest linked run.
    whole: f64,
    /// Seconds that the strip shows.
    strip_whole: f64,
}

impl Axis {
    fn new(axis: &TimeAxis, origin: Pos2, longest: f64) -> Self {
        let place = |rect: triptych_report::Rect| {
            Rect::from_min_size(origin + Vec2::new(rect.x, rect.y), Vec2::new(rect.w, rect.h))
        };
        Self {
            plot: place(axis.rect),
            strip: place(axis.strip),
            from: axis.from,
            to: axis.to,
            whole: axis.whole.max(longest),
            strip_whole: axis.whole,
        }
    }

    fn span(&self) -> f64 {
        self.to - self.from
    }

    fn secs(&self, x: f32) -> f64 {
        self.from + f64::from((x - self.plot.left()) / self.plot.width().max(1.0)) * self.span()
    }

    fn x(&self, secs: f64) -> f32 {
        self.plot.left() + ((secs - self.from) / self.span()) as f32 * self.plot.width()
    }

    /// The range moved by seconds, within the whole.
    fn moved(&self, by: f64) -> (f64, f64) {
        let from = (self.from + by).clamp(0.0, (self.whole - self.span()).max(0.0));
        (from, from + self.span())
    }

    /// The range made `factor` times as long about a second that stays where it is.
    fn zoomed(&self, about: f64, factor: f64) -> (f64, f64) {
        let least = (self.whole / 10_000.0).max(0.01);
        let span = (self.span() * factor).clamp(least.min(self.whole), self.whole.max(least));
        let share = (about - self.from) / self.span();
        let from = (about - share * span).clamp(0.0, (self.whole - span).max(0.0));
        (from, from + span)
    }
}

/// Reacts to pointer, wheel and keys over the plot and its strip; returns the second pointed at.
pub fn ui(
    ui: &mut Ui,
    state: &mut State,
    tile: &Tile,
    scene: &Scene,
    axis: &TimeAxis,
    origin: Pos2,
    shared: Shared,
) -> Option<f64> {
    let load = scene.load()?;
    let axis = Axis::new(axis, origin, if tile.linked { shared.longest } else { 0.0 });
    if axis.span() <= 0.0 || axis.plot.width() < 8.0 {
        return None;
    }
    let plot = ui.interact(axis.plot, Id::unique(("plot", tile.id)), Sense::click_and_drag());
    let pointed = plot.hover_pos().filter(|_| plot.hovered() || plot.dragged()).map(|at| axis.secs(at.x));
    let pointed = pointed.or_else(|| keyboard_cursor(ui, tile, &axis, &plot));
    let cursor = pointed.or(if tile.linked { state.link.cursor } else { None });
    plot.widget_info(|| WidgetInfo::labeled(egui::Role::Canvas, true, name(scene, load, cursor)));
    if let Some(range) = wanted_range(ui, &axis, &plot).or_else(|| strip_range(ui, tile, &axis)) {
        set_range(ui, state, tile, range);
    }
    if plot.clicked() && !plot.double_clicked() {
        state.act(Action::Select(vec![load.load.run]));
    }
    if let Some(secs) = cursor.filter(|secs| *secs >= axis.from && *secs <= axis.to) {
        paint_cursor(ui, state, tile, load, &axis, secs);
    }
    widgets::focus_ring(ui, &plot, axis.plot.expand(2.0), &state.theme);
    pointed.filter(|_| tile.linked)
}

/// What the pointer and keys make of the range; the inner `None` is the whole run.
fn wanted_range(ui: &Ui, axis: &Axis, plot: &Response) -> Option<Option<(f64, f64)>> {
    if plot.double_clicked() {
        let is_whole = axis.span() >= axis.whole;
        return Some((!is_whole).then_some((0.0, axis.whole)));
    }
    if plot.dragged() {
        let by = -f64::from(plot.drag_delta().x / axis.plot.width()) * axis.span();
        return (by.abs() > 0.0).then(|| Some(axis.moved(by)));
    }
    if plot.has_focus() {
        let key = |key| ui.input(|input| input.key_pressed(key));
        let middle = (axis.from + axis.to) / 2.0;
        if key(Key::Plus) || key(Key::Equals) {
            return Some(Some(axis.zoomed(middle, 0.5)));
        }
        if key(Key::Minus) {
            return Some(Some(axis.zoomed(middle, 2.0)));
        }
        if key(Key::Home) {
            return Some(None);
        }
    }
    let at = plot.hover_pos().filter(|_| plot.hovered())?;
    let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    if wheel.y.abs() > 0.0 || (pinch - 1.0).abs() > 1e-4 {
        // Taken, so that nothing round the chart scrolls too.
        ui.input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
        let factor = (-f64::from(wheel.y) / DOUBLE).exp2() / f64::from(pinch.max(0.01));
        return Some(Some(axis.zoomed(axis.secs(at.x), factor)));
    }
    (wheel.x.abs() > 0.0).then(|| Some(axis.moved(-f64::from(wheel.x / axis.plot.width()) * axis.span())))
}

/// The strip below shows the whole run: dragging moves the range, a click puts it there.
fn strip_range(ui: &Ui, tile: &Tile, axis: &Axis) -> Option<Option<(f64, f64)>> {
    if axis.strip.width() < 8.0 || axis.strip_whole <= 0.0 {
        return None;
    }
    let easy = axis.strip.expand2(Vec2::new(0.0, ((14.0 - axis.strip.height()) / 2.0).max(0.0)));
    let sense = Sense::CLICK | Sense::DRAG;
    let strip = ui
        .interact(easy, Id::unique(("strip", tile.id)), sense)
        .on_hover_cursor(CursorIcon::ResizeHorizontal);
    strip.widget_info(|| {
        WidgetInfo::labeled(egui::Role::ScrollBar, true, format!("Range of tile {}", tile.id))
    });
    let per_point = axis.strip_whole / f64::from(axis.strip.width());
    if strip.dragged() {
        let by = f64::from(strip.drag_delta().x) * per_point;
        return (by.abs() > 0.0).then(|| Some(axis.moved(by)));
    }
    let at = strip.interact_pointer_pos().filter(|_| strip.clicked())?;
    let secs = f64::from(at.x - axis.strip.left()) * per_point;
    Some(Some(axis.moved(secs - axis.span() / 2.0 - axis.from)))
}

fn set_range(ui: &Ui, state: &mut State, tile: &Tile, range: Option<(f64, f64)>) {
    if tile.linked {
        state.link.range = range;
    } else {
        let id = scene::own_range_id(tile.id);
        ui.data_mut(|data| {
            data.remove::<(f64, f64)>(id);
            if let Some(range) = range {
                data.insert_temp(id, range);
            }
        });
    }
    ui.ctx().request_repaint();
}

/// With the keyboard focus, arrows move the cursor by a hundredth of the range, with Shift by a tenth.
fn keyboard_cursor(ui: &Ui, tile: &Tile, axis: &Axis, plot: &Response) -> Option<f64> {
    if !plot.has_focus() {
        return None;
    }
    let arrows = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(plot.id, arrows));
    let id = Id::unique(("keyboard cursor", tile.id));
    let kept = ui.data(|data| data.get_temp::<f64>(id)).unwrap_or((axis.from + axis.to) / 2.0);
    let step = ui.input(|input| {
        let step = if input.modifiers.shift { 0.1 } else { 0.01 };
        let right = if input.key_pressed(Key::ArrowRight) { 1.0 } else { 0.0 };
        let left = if input.key_pressed(Key::ArrowLeft) { 1.0 } else { 0.0 };
        (right - left) * step
    });
    let secs = (kept + step * axis.span()).clamp(axis.from, axis.to);
    ui.data_mut(|data| data.insert_temp(id, secs));
    Some(secs)
}

fn paint_cursor(ui: &Ui, state: &State, tile: &Tile, load: &LoadData, axis: &Axis, secs: f64) {
    let theme = &state.theme;
    let x = ui.painter().round_to_pixel_center(axis.x(secs));
    ui.painter().vline(x, axis.plot.y_range(), Stroke::new(1.6, theme.accent));
    let layers = load.at(secs);
    let total: f64 = layers.iter().map(|(_, _, percent)| percent).sum();
    let mut lines: Vec<_> = layers
        .iter()
        .rev()
        .map(|(ink, name, percent)| (Some(theme.ink(*ink)), name.clone(), format!("{percent:.0}")))
        .collect();
    if lines.is_empty() {
        lines.push((None, silence(load, secs), String::new()));
    }
    let readout = Readout {
        marker: None,
        title: second(secs),
        total: if layers.is_empty() { String::new() } else { whole_percent(total) },
        lines,
        hint: None,
    };
    let at = pos2(x, axis.plot.top() + 4.0);
    readout.show(ui.ctx(), theme, widgets::text_scale(ui), at, axis.plot, Id::unique(("read-out", tile.id)));
}

/// Why there is no load at a second.
fn silence(load: &LoadData, secs: f64) -> String {
    match load.load.real_secs.filter(|end| secs > *end) {
        Some(end) => format!("ended at {}", numbers::with_unit(end, triptych_model::Unit::Secs)),
        None => "no sample".to_owned(),
    }
}

fn second(secs: f64) -> String {
    format!("{secs:.1}{}s", numbers::NARROW)
}

fn whole_percent(percent: f64) -> String {
    format!("{percent:.0}{}%", numbers::NARROW)
}

/// What the read-out says, for screen readers and tests.
fn name(scene: &Scene, load: &LoadData, cursor: Option<f64>) -> String {
    let summary = scene.figure.targets.first().map(triptych_report::Target::accessible_name);
    let mut text = format!("Load over time, {}", summary.unwrap_or_else(|| scene.subtitle.clone()));
    if let Some(secs) = cursor {
        let layers = load.at(secs);
        let total: f64 = layers.iter().map(|(_, _, percent)| percent).sum();
        if layers.is_empty() {
            text.push_str(&format!("; at {} {}", second(secs), silence(load, secs)));
        } else {
            text.push_str(&format!("; at {} {}", second(secs), whole_percent(total)));
        }
        for (_, name, percent) in layers.iter().rev() {
            text.push_str(&format!("; {name} {percent:.0}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(from: f64, to: f64) -> Axis {
        let plot = Rect::from_min_size(pos2(100.0, 0.0), Vec2::new(400.0, 100.0));
        Axis { plot, strip: plot, from, to, whole: 156.0, strip_whole: 156.0 }
    }

    fn close(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6
    }

    #[test]
    fn zoom_keeps_the_second_under_the_pointer() {
        let axis = axis(0.0, 156.0);
        let about = axis.secs(200.0);
        assert!((about - 39.0).abs() < 1e-9);
        let (from, to) = axis.zoomed(about, 0.5);
        assert!(close((from, to), (19.5, 97.5)));
        let after = Axis { from, to, ..axis };
        assert!((after.secs(200.0) - about).abs() < 1e-4);
    }

    #[test]
    fn nothing_leaves_the_whole_run() {
        for (got, expect) in [
            (axis(0.0, 24.0).moved(-5.0), (0.0, 24.0)),
            (axis(0.0, 24.0).moved(5.0), (5.0, 29.0)),
            (axis(120.0, 144.0).moved(50.0), (132.0, 156.0)),
            (axis(0.0, 100.0).zoomed(50.0, 100.0), (0.0, 156.0)),
            (axis(150.0, 156.0).zoomed(150.0, 2.0), (144.0, 156.0)),
        ] {
            assert!(close(got, expect), "{got:?} {expect:?}");
        }
    }
}
