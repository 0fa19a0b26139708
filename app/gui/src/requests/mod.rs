//! The view of server logs: what was asked of a server, when, by whom, and where it was silent.
//!
//! ```text
//! chips: source, time, filters                                    bin   link
//! Logs      │ actions in bins, commits, sessions, CPU load  │ Details
//! Filters   ├───────────────────────────────────────────────┤
//!           │ Slowest gaps · Table · Sessions · …  │ Errors  │
//! ```
//! It stands in the tiles' place as the run view does. [`ask`] makes its answers in jobs.

mod ask;
mod bar;
mod chart;
mod details;
mod errors;
mod left;
mod list;
mod lower;
mod paths;
mod rows;
mod session;
mod words;

pub use ask::{Found, Memory, take, take_bins, take_clients, take_details, work};

use crate::action::Action;
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{self, ButtonKind};
use egui::{Rect, Ui, vec2};
use serde::{Deserialize, Serialize};
use triptych_store::{RequestColumn, RequestQuery, RowRef};

/// What the user arranged in this view: saved with the workspace, covered by undo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arranged {
    /// Whether the view is in the tiles' place.
    pub shown: bool,
    /// Which requests it shows.
    pub query: RequestQuery,
    /// Width of a bin, microseconds; `None`: as fits.
    pub bin: Option<i64>,
    /// Kinds of actions that are not drawn, by name.
    pub hidden: Vec<String>,
    /// Whether range and cursor are shared with the CPU loads.
    pub linked: bool,
}

impl Default for Arranged {
    fn default() -> Self {
        Self { shown: false, query: RequestQuery::default(), bin: None, hidden: Vec::new(), linked: true }
    }
}

/// What widgets of the view ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    /// Put the view in the tiles' place, or the tiles back.
    Show(bool),
    /// Show other requests; undoable.
    Query(RequestQuery),
    /// Draw a kind or not; undoable.
    Hide(String),
    /// Draw only this kind, or all again; undoable.
    Isolate(String),
    /// Another width of bins; undoable.
    Bin(Option<i64>),
    /// Share range and cursor with the CPU loads, or not; undoable.
    Link(bool),
    /// Show a row in Details; `None`: nothing.
    Select(Option<RowRef>),
}

/// Carries out a wish.
pub fn wish(state: &mut State, wish: Wish) {
    match wish {
        Wish::Show(shown) => {
            state.run.shown &= !shown;
            state.arrangement.requests.shown = shown;
        }
        Wish::Query(query) => {
            if query.time != state.arrangement.requests.query.time {
                chart::set_range(state, None);
            }
            crate::app::arrange(state, |arrangement| arrangement.requests.query = query);
        }
        Wish::Hide(kind) => crate::app::arrange(state, |arrangement| {
            let hidden = &mut arrangement.requests.hidden;
            match hidden.iter().position(|known| *known == kind) {
                Some(place) => {
                    hidden.remove(place);
                }
                None => hidden.push(kind),
            }
        }),
        Wish::Isolate(kind) => crate::app::arrange(state, |arrangement| {
            let others: Vec<String> = triptych_store::ActionKind::STACK
                .into_iter()
                .map(|kind| kind.name().to_owned())
                .filter(|name| *name != kind)
                .collect();
            let hidden = &mut arrangement.requests.hidden;
            *hidden = if *hidden == others { Vec::new() } else { others };
        }),
        Wish::Bin(bin) => crate::app::arrange(state, |arrangement| arrangement.requests.bin = bin),
        Wish::Link(linked) => crate::app::arrange(state, |arrangement| arrangement.requests.linked = linked),
        Wish::Select(row) => {
            state.requests.selected = row;
            if row.is_some() {
                state.arrangement.details = true;
            }
        }
    }
}

/// Whether the view is shown.
pub fn is_shown(state: &State) -> bool {
    state.arrangement.requests.shown && !state.is_empty()
}

/// Why there is no selection to clear.
pub fn unselected(state: &State) -> Option<&'static str> {
    state.requests.selected.is_none().then_some("no request is selected")
}

/// The query with one change, to be asked for.
fn changed(state: &State, change: impl FnOnce(&mut RequestQuery)) -> Action {
    let mut query = state.arrangement.requests.query.clone();
    change(&mut query);
    Action::Requests(Wish::Query(query))
}

/// Keeps the largest log alone where the open ones are of different times: bars of hours apart say nothing.
pub fn choose_source(state: &mut State) {
    let logs: Vec<(String, usize)> = state
        .store
        .sources()
        .iter()
        .filter(|source| !source.data.requests.is_empty())
        .map(|source| (source.path().to_owned(), source.data.requests.len()))
        .collect();
    if logs.len() > 1
        && state.arrangement.requests.query.is_empty()
        && let Some((path, _)) = logs.into_iter().rev().max_by_key(|(_, rows)| *rows)
    {
        state.arrangement.requests.query.only(RequestColumn::Source, path);
    }
}

/// Below this width at text scale 1 there is room for one panel at a time.
const ONE_PANEL: f32 = 640.0;
/// Below this width at text scale 1 Details hides until something is selected.
const NARROW: f32 = 1200.0;

/// Shows the view.
pub fn ui(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    bar::ui(ui, state, &theme);
    if !state.store.has_requests() {
        nothing(ui, state, &theme);
        return;
    }
    let width = ui.available_width();
    let scale = widgets::text_scale(ui);
    if width < ONE_PANEL * scale {
        return one_panel(ui, state, &theme);
    }
    let free = width / scale.max(1.0);
    let (left, right) = match free {
        2200.0.. => (280.0, 380.0),
        NARROW.. => (236.0, 300.0),
        _ => (208.0, 280.0),
    };
    let side = egui::Frame::new().fill(theme.s1);
    if state.arrangement.left {
        egui::Panel::left(egui::Id::unique(("requests left", scale.to_bits())))
            .frame(side)
            .default_size((left * scale).min(width * 0.26))
            .size_range((width * 0.2).min(160.0)..=width * 0.3)
            .show_separator_line(false)
            .show(ui, |ui| left::ui(ui, state, &theme));
    }
    let wanted = free >= NARROW || state.requests.selected.is_some();
    let details = (state.arrangement.details && wanted).then(|| {
        let panel = egui::Panel::right(egui::Id::unique(("requests right", scale.to_bits())))
            .frame(side)
            .default_size((right * scale).min(width * 0.3))
            .size_range((width * 0.2).min(220.0)..=width * 0.4);
        crate::app::reserve(ui, panel)
    });
    let bottom = state.arrangement.bottom.then(|| {
        let height = ui.available_height();
        let margin = egui::Margin { top: 0, ..egui::Margin::same(4) };
        let panel = egui::Panel::bottom("requests bottom")
            .frame(egui::Frame::new().fill(theme.s0).inner_margin(margin))
            .default_size((height * 0.44).clamp(150.0, 620.0))
            .size_range(90.0..=(height * 0.8).max(91.0));
        crate::app::reserve(ui, panel)
    });
    let middle = egui::Frame::new().fill(theme.s0).inner_margin(4);
    egui::CentralPanel::no_frame().frame(middle).show(ui, |ui| chart::tile(ui, state, &theme));
    if let Some(rect) = bottom {
        crate::app::within(ui, rect, "requests bottom content", |ui| lower_ui(ui, state, &theme));
    }
    if let Some(rect) = details {
        crate::app::within(ui, rect, "requests details content", |ui| details::ui(ui, state, &theme));
    }
}

/// Tables at the left, errors at the right where there is room; else errors are a tab.
fn lower_ui(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let all = ui.available_rect_before_wrap();
    let scale = widgets::text_scale(ui);
    if all.width() < 760.0 * scale {
        lower::ui(ui, state, theme, true);
        return;
    }
    let errors = (all.width() * 0.32).clamp(230.0 * scale, 460.0 * scale);
    let left = Rect::from_min_size(all.min, vec2(all.width() - errors - size::GAP, all.height()));
    let right = Rect::from_min_max(egui::pos2(left.right() + size::GAP, all.top()), all.max);
    crate::app::within(ui, left, "requests tables", |ui| lower::ui(ui, state, theme, false));
    crate::app::within(ui, right, "requests errors", |ui| errors::tile(ui, state, theme));
}

/// The panels one at a time, chosen by tabs.
fn one_panel(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let kept = egui::Id::unique("the one panel of requests");
    let mut shown: usize = ui.data(|data| data.get_temp(kept)).unwrap_or(1);
    let frame = egui::Frame::new().fill(theme.s1);
    egui::Panel::top("requests panels").frame(frame).show_separator_line(true).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            for (index, name) in ["Logs", "Chart", "Results", "Details"].into_iter().enumerate() {
                if widgets::tab(ui, theme, name, None, shown == index).clicked() {
                    shown = index;
                }
            }
        });
    });
    ui.data_mut(|data| data.insert_temp(kept, shown));
    let (fill, margin) = if matches!(shown, 0 | 3) { (theme.s1, 0) } else { (theme.s0, 4) };
    let frame = egui::Frame::new().fill(fill).inner_margin(margin);
    egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| match shown {
        0 => left::ui(ui, state, theme),
        1 => chart::tile(ui, state, theme),
        2 => lower::ui(ui, state, theme, true),
        _ => details::ui(ui, state, theme),
    });
}

/// No server log is open: what this view is for, and what to do.
fn nothing(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let frame = egui::Frame::new().fill(theme.s0).inner_margin(egui::Margin::same(28));
    egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| {
        use crate::panels::kit;
        kit::label(ui, "No server log is open", widgets::strong(ui), theme.t1);
        let text = "What clients asked of svnserve or httpd is shown here: open the file of svnserve --log-file, \
                    or an access log of httpd.";
        kit::label(ui, text, widgets::body(ui), theme.t2);
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            if widgets::button(ui, theme, ButtonKind::Main, None, "Open files…").clicked() {
                state.act(Action::Command("open-files"));
            }
            if widgets::button(ui, theme, ButtonKind::Plain, None, "Back to the charts").clicked() {
                state.act(Action::Requests(Wish::Show(false)));
            }
        });
    });
}

/// Says on the status line what a session is.
pub fn status_left(ui: &mut Ui, state: &State, theme: &Theme) {
    let answer = state.requests.data.as_ref().map(|data| &data.answer);
    let says = answer.map_or("", |answer| words::session_meaning(answer));
    ui.label(egui::RichText::new(says).small().color(theme.t3));
}
