//! The chart of the view: the figure of the report, and what the pointer and the keyboard do with it.
//!
//! Dragging over it keeps a time, a click on a bar keeps the bar's, the wheel zooms, Shift and the
//! wheel or the strip below move. Range and cursor are those of the linked CPU loads where there is one.

use super::ask::{Inputs, Scene, is_slow};
use super::{Wish, changed};
use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::tiles::Readout;
use crate::widgets::{self, ButtonKind, Icon};
use crate::{jobs, painter};
use egui::{
    Align2, CursorIcon, EventFilter, Id, Key, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use std::sync::Arc;
use triptych_report::{
    ChartData, Font, Frame, RequestsData, RequestsLayout, Target, clock, kind_ink, numbers,
};

/// Points of the wheel that double the zoom, about five notches.
const DOUBLE: f64 = 240.0;
/// Least drag that keeps a time, points.
const LEAST_DRAG: f32 = 4.0;

/// Seconds shown since the data's origin; `None`: all.
pub(super) fn range(state: &State) -> Option<(f64, f64)> {
    let range = if shares(state) { state.link.range } else { state.requests.range };
    // A range of other runs may lie where these requests are not.
    range.filter(|(from, to)| {
        state.requests.data.as_ref().is_none_or(|data| {
            let (first, last) = data.span();
            let secs = |micros: i64| (micros - data.origin()) as f64 / 1e6;
            *from < secs(last) && *to > secs(first)
        })
    })
}

/// Shows another range; `None`: all.
pub(super) fn set_range(state: &mut State, range: Option<(f64, f64)>) {
    if shares(state) {
        state.link.range = range;
    } else {
        state.requests.range = range;
    }
}

/// Whether range and cursor are those of the CPU loads.
fn shares(state: &State) -> bool {
    let has_load = state.requests.data.as_ref().is_some_and(|data| data.load.is_some());
    has_load && state.arrangement.requests.linked
}

/// The tile: head and chart, or why there is none.
pub(super) fn tile(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let rect = ui.max_rect();
    ui.painter().rect_filled(rect, 6.0, theme.s2);
    let height = size::HEADER.max(13.0 * widgets::text_scale(ui) + 14.0);
    let head = Rect::from_min_size(rect.min, vec2(rect.width(), height));
    let body = Rect::from_min_max(head.left_bottom(), rect.max).shrink2(vec2(8.0, 0.0));
    let body = Rect::from_min_max(body.min, pos2(body.right(), body.bottom() - 4.0));
    let data = state.requests.data.clone();
    head_ui(ui, state, theme, head, data.as_deref());
    let Some(data) = data else { return waiting(ui, state, theme, body) };
    if data.answer.span.is_none() {
        return refused(ui, state, theme, body, &data);
    }
    let slow = is_slow(state);
    let builder = egui::UiBuilder::new().max_rect(body).id_salt("chart of requests");
    ui.scope_builder(builder, |ui| {
        if slow {
            ui.multiply_opacity(0.45);
        }
        chart(ui, state, theme, body, &data);
    });
}

fn head_ui(ui: &mut Ui, state: &mut State, theme: &Theme, rect: Rect, data: Option<&RequestsData>) {
    let at = kit::left(rect, size::EDGE);
    let room = rect.width() - 2.0 * size::EDGE;
    let title =
        widgets::paint_text(ui, at, Align2::LEFT_CENTER, "Requests", widgets::strong(ui), theme.t1, room);
    let Some(data) = data else { return };
    let menu = Rect::from_center_size(kit::right(rect, 20.0), Vec2::splat(24.0));
    let builder = egui::UiBuilder::new().max_rect(menu).id_salt("menu of requests");
    ui.scope_builder(builder, |ui| {
        let response = widgets::icon_button(ui, theme, Icon::More, "Menu of Requests", true);
        egui::Popup::menu(&response).show(|ui| menu_ui(ui, state, data));
    });
    let mut right = menu.left() - 8.0;
    if range(state).is_some() {
        let at = pos2(right, rect.center().y);
        let link = kit::link_at(
            ui,
            theme,
            at,
            "show all",
            "Show the whole time",
            Id::unique("whole time of requests"),
        );
        if link.clicked() {
            set_range(state, None);
        }
        right = link.rect.left() - 8.0;
    }
    let left = title.right() + 8.0;
    let font = widgets::body(ui);
    let summary = data.summary();
    let wanted = ui.painter().layout_no_wrap(summary.clone(), widgets::small(ui), theme.t3).size().x;
    if right - left > wanted + 120.0 {
        let at = pos2(right, rect.center().y);
        right = widgets::paint_text(
            ui,
            at,
            Align2::RIGHT_CENTER,
            &summary,
            widgets::small(ui),
            theme.t3,
            wanted + 4.0,
        )
        .left()
            - 12.0;
    }
    widgets::paint_text(
        ui,
        pos2(left, rect.center().y),
        Align2::LEFT_CENTER,
        &data.title,
        font,
        theme.t3,
        right - left,
    );
}

fn menu_ui(ui: &mut Ui, state: &mut State, data: &RequestsData) {
    ui.set_min_width(180.0);
    if ui.button("Copy as text").clicked() {
        let text = data.csv().replace(',', "\t");
        state.act(Action::Copy { text, what: "the bins as text".to_owned() });
        ui.close();
    }
    if ui.button("Save as SVG…").clicked() {
        if let Some(scene) = &state.requests.scene {
            let size = scene.inputs.size;
            let text = crate::tiles::svg_of(&scene.figure, "Requests", size, &state.theme);
            state.act(Action::SaveText { name: "requests.svg".to_owned(), text });
        }
        ui.close();
    }
    if ui.button("Save as CSV…").clicked() {
        state.act(Action::SaveText { name: "requests.csv".to_owned(), text: data.csv() });
        ui.close();
    }
}

/// While the first answer is made: what is read and how many rows there are.
fn waiting(ui: &mut Ui, state: &State, theme: &Theme, body: Rect) {
    if !is_slow(state) {
        return;
    }
    let rows: usize = state.store.sources().iter().map(|source| source.data.requests.len()).sum();
    let text = format!("Looking through {}", kit::counted(rows, "request", "requests"));
    let at = body.left_top() + vec2(12.0, 18.0);
    widgets::paint_text(ui, at, Align2::LEFT_CENTER, &text, widgets::body(ui), theme.t2, body.width() - 24.0);
    if state.jobs.running(jobs::Kind::Requests).is_some() {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(500));
    }
}

/// Nothing passes the filters, or nothing has a time.
fn refused(ui: &mut Ui, state: &mut State, theme: &Theme, body: Rect, data: &RequestsData) {
    let builder = egui::UiBuilder::new().max_rect(body.shrink2(vec2(12.0, 10.0))).id_salt("no requests");
    ui.scope_builder(builder, |ui| {
        let (title, why) = if data.answer.rows.is_empty() {
            ("No request passes the filters", "Take a chip away, or clear the filters.")
        } else {
            ("The requests shown have no time", "The table below lists them.")
        };
        kit::label(ui, title, widgets::strong(ui), theme.t1);
        kit::label(ui, why, widgets::body(ui), theme.t3);
        if data.answer.rows.is_empty()
            && widgets::button(ui, theme, ButtonKind::Plain, None, "Clear the filters").clicked()
        {
            state.act(Action::Requests(Wish::Query(triptych_store::RequestQuery::default())));
        }
    });
}

/// Lays the figure out, unless nothing changed.
fn scene(ui: &Ui, state: &mut State, data: &Arc<RequestsData>, body: Rect) -> Scene {
    let inputs = Inputs {
        version: state.requests.version,
        size: body.size().max(Vec2::splat(1.0)).round(),
        scale: widgets::text_scale(ui),
        hidden: state.arrangement.requests.hidden.clone(),
        range: range(state),
    };
    if let Some(scene) = state.requests.scene.as_ref().filter(|scene| scene.inputs == inputs) {
        return scene.clone();
    }
    let ctx = ui.ctx().clone();
    let measure = |text: &str, font: Font| painter::measure(&ctx, text, font, inputs.scale);
    let frame = Frame {
        width: inputs.size.x,
        height: inputs.size.y,
        text_scale: inputs.scale,
        measure: &measure,
        selected: &[],
        hidden: &inputs.hidden,
        range: inputs.range,
        top: None,
    };
    let figure = triptych_report::chart("requests")
        .map(|chart| chart.figure(&ChartData::Requests(Arc::clone(data)), &frame))
        .unwrap_or_default();
    let layout = RequestsLayout::new(data, &frame);
    let scene = Scene { inputs, figure: Arc::new(figure), layout };
    state.requests.scene = Some(scene.clone());
    scene
}

/// What the chart is shown with.
struct Plot<'a> {
    data: &'a RequestsData,
    layout: &'a RequestsLayout,
    origin: Pos2,
    rect: Rect,
}

impl Plot<'_> {
    fn x(&self, secs: f64) -> f32 {
        self.origin.x + self.layout.x(secs)
    }

    fn secs(&self, x: f32) -> f64 {
        self.layout.secs(x - self.origin.x)
    }

    fn micros(&self, secs: f64) -> i64 {
        self.data.origin() + (secs * 1e6) as i64
    }

    /// First and last second of the rows.
    fn whole(&self) -> (f64, f64) {
        let (from, to) = self.data.span();
        let secs = |micros: i64| (micros - self.data.origin()) as f64 / 1e6;
        (secs(from), secs(to))
    }

    fn place(&self, rect: triptych_report::Rect) -> Rect {
        Rect::from_min_size(self.origin + vec2(rect.x, rect.y), vec2(rect.w, rect.h))
    }

    fn zoomed(&self, about: f64, factor: f64) -> Option<(f64, f64)> {
        let (first, last) = self.whole();
        let (from, to) = self.layout.shown;
        let most = last - first;
        let span = ((to - from) * factor).clamp((most / 1e6).max(0.001).min(most), most);
        let share = (about - from) / (to - from).max(1e-9);
        let from = (about - share * span).clamp(first, last - span);
        (span < most).then_some((from, from + span))
    }

    fn moved(&self, by: f64) -> Option<(f64, f64)> {
        let (first, last) = self.whole();
        let (from, to) = self.layout.shown;
        let span = to - from;
        let from = (from + by).clamp(first, (last - span).max(first));
        Some((from, from + span))
    }
}

fn chart(ui: &mut Ui, state: &mut State, theme: &Theme, body: Rect, data: &Arc<RequestsData>) {
    let scene = scene(ui, state, data, body);
    let Some(layout) = &scene.layout else {
        painter::paint(ui.painter(), body.min, &scene.figure, theme, widgets::text_scale(ui));
        return;
    };
    state.requests.plot_width = layout.plot.w;
    let plot_rect = Rect::from_min_size(
        body.min + vec2(layout.plot.x, layout.plot.y),
        vec2(layout.plot.w, layout.plot.h),
    );
    let plot = Plot { data, layout, origin: body.min, rect: plot_rect };
    let response = ui.interact(plot_rect, Id::unique("plot of requests"), Sense::click_and_drag());
    shade(ui, state, theme, &plot);
    painter::paint(ui.painter(), body.min, &scene.figure, theme, widgets::text_scale(ui));
    legend(ui, state, theme, &plot);
    let hovered = bars(ui, state, theme, &scene.figure.targets, &plot);
    let pointed = ui
        .input(|input| input.pointer.latest_pos())
        .filter(|at| (response.contains_pointer() || hovered) && plot.rect.contains(*at))
        .map(|at| plot.secs(at.x))
        .or_else(|| keyboard(ui, state, &response, &plot));
    if let Some(range) = wheel(ui, &plot, &response, hovered) {
        set_range(state, range);
        ui.ctx().request_repaint();
    }
    drag(ui, state, &plot, &response);
    let linked = shares(state);
    let cursor = pointed.or(if linked { state.link.cursor } else { None });
    if linked {
        state.link.cursor = pointed;
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name(&plot, cursor)));
    if let Some(secs) = cursor.filter(|secs| *secs >= layout.shown.0 && *secs <= layout.shown.1) {
        paint_cursor(ui, theme, &plot, secs, pointed.is_some());
    }
    widgets::focus_ring(ui, &response, plot.rect.expand(2.0), theme);
    let menu = response.clone();
    if response.double_clicked() && range(state).is_some() {
        set_range(state, None);
    }
    menu.context_menu(|ui| menu_ui(ui, state, data));
}

/// The time being dragged over, behind the bars.
fn shade(ui: &Ui, state: &State, theme: &Theme, plot: &Plot<'_>) {
    let Some((from, to)) = state.requests.drag else { return };
    let (left, right) = (plot.x(from.min(to)), plot.x(from.max(to)));
    let band =
        Rect::from_x_y_ranges(left.max(plot.rect.left())..=right.min(plot.rect.right()), plot.rect.y_range());
    ui.painter().rect_filled(band, 0.0, theme.accent_ground);
    for x in [band.left(), band.right()] {
        let x = ui.painter().round_to_pixel_center(x);
        ui.painter().vline(x, band.y_range(), Stroke::new(1.0, theme.accent));
    }
}

/// Entries of the legend: a click hides a kind, with Alt it hides all others.
fn legend(ui: &Ui, state: &mut State, theme: &Theme, plot: &Plot<'_>) {
    for (kind, rect) in &plot.layout.entries {
        let place = plot.place(*rect).translate(vec2(0.0, -4.0 * widgets::text_scale(ui)));
        let response = ui.interact(place, Id::unique(("kind of requests", kind.name())), Sense::click());
        let shown = !state.arrangement.requests.hidden.iter().any(|name| name == kind.name());
        let label =
            format!("{}, {}", kind.name(), numbers::plural(plot.data.count(*kind), "action", "actions"));
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, shown, &label));
        widgets::focus_ring(ui, &response, place, theme);
        if response.clicked() {
            let name = kind.name().to_owned();
            let alone = ui.input(|input| input.modifiers.alt);
            state.act(Action::Requests(if alone { Wish::Isolate(name) } else { Wish::Hide(name) }));
        }
        response
            .on_hover_cursor(CursorIcon::PointingHand)
            .on_hover_text("click: hide or show; with Alt: only this kind");
    }
}

/// Bars can be clicked and walked to; says whether the pointer is over one.
fn bars(ui: &Ui, state: &mut State, theme: &Theme, targets: &[Target], plot: &Plot<'_>) -> bool {
    let stop = Id::unique("bar of requests with tab stop");
    let kept: usize = ui.data(|data| data.get_temp(stop)).unwrap_or(0);
    let current = kept.min(targets.len().saturating_sub(1));
    let id = |index: usize| Id::unique(("bar of requests", index));
    let mut next = current;
    if !targets.is_empty() && ui.memory(|memory| memory.has_focus(id(current))) {
        let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id(current), arrows));
        next = ui.input(|input| crate::tiles::step(input, current, targets.len()));
        if next != current {
            ui.memory_mut(|memory| memory.request_focus(id(next)));
            ui.data_mut(|data| data.insert_temp(stop, next));
        }
    }
    let mut over = false;
    for (index, target) in targets.iter().enumerate() {
        let place = plot.place(target.rect);
        let sense = if index == next { Sense::click() } else { Sense::CLICK };
        let response = ui.interact(place, id(index), sense);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, target.accessible_name()));
        over |= response.hovered();
        if response.has_focus() {
            let ring = Stroke::new(2.0, theme.accent);
            ui.painter().rect_stroke(place.expand(2.0), 3.0, ring, egui::StrokeKind::Outside);
        }
        if response.clicked() {
            let middle = plot.micros(plot.layout.secs(target.rect.x + target.rect.w / 2.0));
            if let Some(bin) = plot.data.bins.at(middle) {
                let (from, to) = plot.data.bins.span(bin);
                let action = changed(state, |query| query.time = Some((from, to - 1)));
                state.act(action);
            }
        }
    }
    over
}

/// What wheel and keys make of the range; the inner `None` is the whole time.
fn wheel(ui: &Ui, plot: &Plot<'_>, response: &Response, over_bar: bool) -> Option<Option<(f64, f64)>> {
    let (from, to) = plot.layout.shown;
    if response.has_focus() {
        let key = |key| ui.input(|input| input.key_pressed(key));
        let middle = f64::midpoint(from, to);
        if key(Key::Plus) || key(Key::Equals) {
            return Some(plot.zoomed(middle, 0.5));
        }
        if key(Key::Minus) {
            return Some(plot.zoomed(middle, 2.0));
        }
        if key(Key::Home) {
            return Some(None);
        }
        for (wanted, by) in [(Key::PageDown, 0.5), (Key::PageUp, -0.5)] {
            if key(wanted) {
                return Some(plot.moved(by * (to - from)));
            }
        }
    }
    if !(response.contains_pointer() || over_bar) {
        return None;
    }
    let at = ui.input(|input| input.pointer.latest_pos())?;
    let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    if wheel.x.abs() > wheel.y.abs() {
        let by = -f64::from(wheel.x / plot.rect.width()) * (to - from);
        return Some(plot.moved(by));
    }
    if wheel.y.abs() > 0.0 || (pinch - 1.0).abs() > 1e-4 {
        ui.input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
        let factor = (-f64::from(wheel.y) / DOUBLE).exp2() / f64::from(pinch.max(0.01));
        return Some(plot.zoomed(plot.secs(at.x), factor));
    }
    None
}

/// Dragging over the chart keeps that time.
fn drag(ui: &Ui, state: &mut State, plot: &Plot<'_>, response: &Response) {
    let secs = |at: Pos2| plot.secs(at.x.clamp(plot.rect.left(), plot.rect.right()));
    if response.drag_started()
        && let Some(at) = ui.input(|input| input.pointer.press_origin())
    {
        state.requests.drag = Some((secs(at), secs(at)));
    }
    if response.dragged()
        && let (Some((from, _)), Some(at)) = (state.requests.drag, response.interact_pointer_pos())
    {
        state.requests.drag = Some((from, secs(at)));
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.drag_stopped()
        && let Some((from, to)) = state.requests.drag.take()
        && (plot.x(from) - plot.x(to)).abs() >= LEAST_DRAG
    {
        let time = (plot.micros(from.min(to)), plot.micros(from.max(to)));
        let action = changed(state, |query| query.time = Some(time));
        state.act(action);
    }
}

/// With the keyboard focus, arrows move the cursor by a bin.
fn keyboard(ui: &Ui, state: &State, plot: &Response, shown: &Plot<'_>) -> Option<f64> {
    if !plot.has_focus() {
        return None;
    }
    let arrows = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(plot.id, arrows));
    let id = Id::unique("keyboard cursor of requests");
    let (from, to) = shown.layout.shown;
    let kept = ui.data(|data| data.get_temp::<f64>(id)).unwrap_or(f64::midpoint(from, to));
    let width = state.requests.data.as_ref().map_or(1.0, |data| data.bins.width as f64 / 1e6);
    let step = ui.input(|input| {
        let far = if input.modifiers.shift { 10.0 } else { 1.0 };
        let right = if input.key_pressed(Key::ArrowRight) { 1.0 } else { 0.0 };
        let left = if input.key_pressed(Key::ArrowLeft) { 1.0 } else { 0.0 };
        (right - left) * far
    });
    let secs = (kept + step * width).clamp(from, to);
    ui.data_mut(|data| data.insert_temp(id, secs));
    Some(secs)
}

fn paint_cursor(ui: &Ui, theme: &Theme, plot: &Plot<'_>, secs: f64, with_words: bool) {
    let x = ui.painter().round_to_pixel_center(plot.x(secs));
    ui.painter().vline(x, plot.rect.y_range(), Stroke::new(1.6, theme.accent));
    let Some(bin) = plot.data.bins.at(plot.micros(secs)).filter(|_| with_words) else { return };
    let (title, kinds, more) = plot.data.read_out(bin);
    let total: u32 = kinds.iter().map(|(_, count)| *count).sum();
    let mut lines: Vec<_> = kinds
        .iter()
        .map(|(kind, count)| {
            (Some(theme.ink(kind_ink(*kind))), kind.name().to_owned(), numbers::count(f64::from(*count)))
        })
        .collect();
    lines.extend(more.into_iter().map(|(label, value)| (None, label, value)));
    let readout = Readout {
        marker: None,
        title,
        total: numbers::plural(total as usize, "action", "actions"),
        lines,
        hint: Some(("click: only this bar", "drag: a time, wheel: zoom")),
    };
    let at = pos2(x, plot.rect.top() + 4.0);
    let id = Id::unique("read-out of requests");
    readout.show(ui.ctx(), theme, widgets::text_scale(ui), at, plot.rect, id);
}

/// What the chart says, for screen readers and tests.
fn name(plot: &Plot<'_>, cursor: Option<f64>) -> String {
    let mut text = format!("Requests over time, {}, {}", plot.data.title, plot.data.summary());
    let (from, to) = plot.layout.shown;
    text.push_str(&format!(", {}", clock::span(plot.micros(from), plot.micros(to))));
    if let Some(bin) = cursor.and_then(|secs| plot.data.bins.at(plot.micros(secs))) {
        let (title, kinds, more) = plot.data.read_out(bin);
        text.push_str(&format!("; at {title}"));
        for (kind, count) in kinds {
            text.push_str(&format!("; {} {count}", kind.name()));
        }
        for (label, value) in more {
            text.push_str(&format!("; {label} {value}"));
        }
    }
    text
}
