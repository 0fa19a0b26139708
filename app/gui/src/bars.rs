//! Query bar, status line and bottom panel: what frames every view.

use crate::action::Action;
use crate::jobs::Kind;
use crate::run::model::RunModel;
use crate::state::{BottomTab, State};
use crate::theme::{Theme, size};
use crate::widgets::{self, ButtonKind, ChipClick, Icon};
use crate::{painter, panels, run};
use egui::{Align, Layout, RichText, Ui};
use triptych_model::{Key, Severity};
use triptych_report::Marker;
use triptych_store::{Filter, Query};

/// The frame of a bar.
pub(crate) fn bar(fill: egui::Color32) -> egui::Frame {
    egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(12, 0))
}

/// A separator below a bar.
pub(crate) fn hline(ui: &Ui, theme: &Theme) {
    let rect = ui.available_rect_before_wrap();
    ui.painter().hline(rect.x_range(), rect.top(), egui::Stroke::new(1.0, theme.line));
}

/// Chips: left of the divider what is shown, right how it is compared.
pub fn query_bar(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    egui::Panel::top("query").frame(bar(theme.s1)).show_separator_line(false).show(ui, |ui| {
        ui.set_min_height(size::BAR);
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(size::BAR);
            ui.set_max_width(ui.available_width() - UNDO_WIDTH);
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.label(RichText::new("Query").small().color(theme.t3));
            filter_chips(ui, state, &theme);
            divider(ui, &theme);
            comparison_chips(ui, state, &theme);
        });
        undo_buttons(ui, state, &theme);
    });
}

/// Left of it what is shown, right of it how it is compared.
pub(crate) fn divider(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, size::BUTTON), egui::Sense::hover());
    let line = rect.center().y - 9.0..=rect.center().y + 9.0;
    ui.painter().vline(rect.center().x, line, egui::Stroke::new(1.0, theme.line));
}

/// Room at the right end of the query bar for undo and redo.
const UNDO_WIDTH: f32 = 64.0;

fn undo_buttons(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let row = ui.min_rect();
    let rect = egui::Rect::from_min_max(
        egui::pos2(ui.max_rect().right() - UNDO_WIDTH, row.top()),
        egui::pos2(ui.max_rect().right(), row.top() + size::BAR),
    );
    let place = egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(place, |ui| {
        for (icon, id, on) in
            [(Icon::Undo, "undo", state.undo.can_undo()), (Icon::Redo, "redo", state.undo.can_redo())]
        {
            let label = if id == "undo" { "Undo" } else { "Redo" };
            if widgets::icon_button(ui, theme, icon, label, on).clicked() {
                state.act(Action::Command(id));
            }
        }
    });
}

fn filter_text(filter: &Filter) -> (String, String) {
    let key =
        if filter.not { format!("{} is not", filter.column.name()) } else { filter.column.name().to_owned() };
    let values: Vec<&str> =
        filter.values.iter().map(|value| if value.is_empty() { "unknown" } else { value }).collect();
    let text = match values.as_slice() {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one}, {two}"),
        [one, rest @ ..] => format!("{one} and {} more", rest.len()),
    };
    (key, text)
}

fn filter_chips(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let mut removed = None;
    for (index, filter) in state.arrangement.query.filters.iter().enumerate() {
        let (key, value) = filter_text(filter);
        let (response, click) = widgets::chip(ui, theme, &key, &value, Icon::Close);
        let response = response.on_hover_text(filter.values.join(", "));
        // A chip is one button for the keyboard and for screen readers: pressing it takes the filter away.
        if click == ChipClick::Close || response.clicked() {
            removed = Some(index);
        }
    }
    if let Some(index) = removed {
        let mut query = state.arrangement.query.clone();
        query.filters.remove(index);
        state.act(Action::SetQuery(query));
    }
    let response = widgets::icon_button(ui, theme, Icon::Plus, "Add a filter", true);
    egui::Popup::menu(&response).show(|ui| add_filter_menu(ui, state));
}

fn add_filter_menu(ui: &mut Ui, state: &mut State) {
    ui.set_min_width(160.0);
    let facets = state.panels.facets(&state.store, &state.arrangement.query);
    for facet in &facets.0 {
        ui.menu_button(facet.column.name(), |ui| {
            egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for value in &facet.values {
                    let text = if value.text.is_empty() { "unknown" } else { &value.text };
                    let response = ui.button(format!("{text}   {}", value.count));
                    widgets::focus_ring(ui, &response, response.rect, &state.theme);
                    if response.clicked() {
                        state.act(Action::OnlyFacet(facet.column, value.text.clone()));
                        ui.close();
                    }
                }
            });
        });
    }
}

/// `metric real`, `across variant`, `baseline trunk`, `threshold 2 %`.
fn comparison_chips(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let query = state.arrangement.query.clone();
    let first = state.comparison.rows.first();
    let metric = query
        .metric
        .clone()
        .or_else(|| first.map(|row| row.group.metric.clone()))
        .unwrap_or_else(|| "none".to_owned());
    let across = query.across.or_else(|| first.map(|row| row.group.across)).unwrap_or(Key::Variant);
    let baseline = first
        .and_then(|row| row.group.cells.get(row.baseline))
        .map(|cell| cell.name.clone())
        .or_else(|| query.baseline.clone())
        .unwrap_or_else(|| "none".to_owned());
    let store = std::sync::Arc::clone(&state.store);
    let metrics = || {
        let mut names: Vec<String> = store.metrics(&query).into_iter().map(|count| count.metric).collect();
        names.dedup();
        names
    };
    choice(ui, theme, "metric", &metric, metrics, |name| {
        state.actions.push(set(&query, |q| q.metric = Some(name.to_owned())));
    });
    let compared = |key: &Key| !matches!(key, Key::Campaign | Key::Command | Key::Repetition);
    let keys = || Key::ALL.into_iter().filter(compared).map(|key| key.name().to_owned()).collect();
    choice(ui, theme, "across", across.name(), keys, |name| {
        state.actions.push(set(&query, |q| q.across = Key::parse(name)));
    });
    let comparison = std::sync::Arc::clone(&state.comparison);
    let shown = |name: &str| triptych_report::shown_name(name).to_owned();
    let names = || comparison.variants.iter().map(|(name, _)| shown(name)).collect();
    choice(ui, theme, "baseline", &shown(&baseline), names, |name| {
        let known = comparison.variants.iter().map(|(known, _)| known).find(|known| shown(known) == name);
        state.actions.push(set(&query, |q| q.baseline = known.cloned()));
    });
    let thresholds = || ["1 %", "2 %", "3 %", "5 %", "10 %"].map(str::to_owned).to_vec();
    let threshold = format!("{} %", query.threshold_percent);
    choice(ui, theme, "threshold", &threshold, thresholds, |text| {
        if let Ok(percent) = text.trim_end_matches(" %").parse() {
            state.actions.push(set(&query, |q| q.threshold_percent = percent));
        }
    });
}

fn set(query: &Query, change: impl FnOnce(&mut Query)) -> Action {
    let mut query = query.clone();
    change(&mut query);
    Action::SetQuery(query)
}

/// A chip that opens a list; the options are asked for only while it is open.
pub(crate) fn choice(
    ui: &mut Ui,
    theme: &Theme,
    key: &str,
    value: &str,
    options: impl FnOnce() -> Vec<String>,
    mut chosen: impl FnMut(&str),
) {
    let (response, _) = widgets::chip(ui, theme, key, value, Icon::Down);
    egui::Popup::menu(&response).show(|ui| {
        ui.set_min_width(120.0);
        let options = options();
        egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for option in &options {
                let response = ui.selectable_label(option == value, option);
                widgets::focus_ring(ui, &response, response.rect, theme);
                if response.clicked() {
                    chosen(option);
                    ui.close();
                }
            }
            if options.is_empty() {
                ui.label("nothing to choose from");
            }
        });
    });
}

/// Legend of the verdict marks, sources and rows, and what goes on.
pub fn status_line(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    let height = size::STATUS.max(11.0 * widgets::text_scale(ui) + 12.0);
    egui::Panel::bottom("status").exact_size(height).frame(bar(theme.s1)).show_separator_line(false).show(
        ui,
        |ui| {
            ui.horizontal_centered(|ui| {
                if state.run.shown {
                    run::view::status_left(ui, state, &theme);
                } else if crate::requests::is_shown(state) {
                    crate::requests::status_left(ui, state, &theme);
                } else if state.is_empty() {
                    ui.label(
                        RichText::new("Files can be dropped anywhere in this window").small().color(theme.t3),
                    );
                } else if ui.available_width() > 760.0 * widgets::text_scale(ui) {
                    verdict_legend(ui, &theme);
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| status_right(ui, state, &theme));
            });
        },
    );
}

fn verdict_legend(ui: &mut Ui, theme: &Theme) {
    for (marker, ink, text) in [
        (Marker::TriangleUp, theme.faster, "faster"),
        (Marker::TriangleDown, theme.slower, "slower"),
        (Marker::TwoBars, theme.same, "same"),
        (Marker::Dot, theme.not_shown, "not shown"),
        (Marker::DashedRing, theme.not_shown, "too few samples"),
        (Marker::Cross, theme.failed, "failed"),
    ] {
        let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(10.0), egui::Sense::hover());
        painter::marker(ui.painter(), rect.center(), marker, 4.0, ink, false);
        ui.add_space(-3.0);
        ui.label(RichText::new(text).small().color(theme.t3));
        ui.add_space(4.0);
    }
    ui.label(RichText::new("hollow: n below 6").small().color(theme.t3));
}

fn status_right(ui: &mut Ui, state: &mut State, theme: &Theme) {
    if let Some(running) = state.jobs.running(Kind::Load) {
        let step = running.step();
        let elapsed = running.elapsed();
        if widgets::button(ui, theme, ButtonKind::Quiet, None, "Cancel").clicked() {
            state.act(Action::Command("cancel"));
        }
        let share = step.share();
        widgets::progress_bar(ui, theme, 120.0, share);
        let name = step.what.rsplit('/').next().unwrap_or_default().to_owned();
        let text = format!(
            "Reading {} of {} sources, {name}, {} s",
            step.done + 1,
            step.total.max(1),
            elapsed.as_secs()
        );
        ui.label(RichText::new(text).small().color(theme.t2));
        return;
    }
    if state.run.shown || state.run.is_going() {
        run::view::status(ui, state, theme);
        return;
    }
    if state.is_empty() {
        ui.label(RichText::new("F1 help").small().color(theme.t3));
        return;
    }
    let rows: usize =
        state.panels.campaigns(&state.store).iter().map(|campaign| campaign.runs + campaign.requests).sum();
    let sources = crate::open::plural(state.store.sources().len(), "source");
    if let Some(watching) = crate::watch::status(state) {
        ui.label(RichText::new(watching).small().color(theme.t2));
        ui.add_space(12.0);
    }
    let text = format!(
        "{sources}, {}",
        crate::open::plural(rows, "run or request").replace("run or requests", "runs and requests")
    );
    ui.label(RichText::new(text).small().color(theme.t3));
}

/// The tabs below the tiles.
pub fn bottom(ui: &mut Ui, state: &mut State) {
    let model = state.run.model.clone();
    bottom_of(ui, state, model.as_deref());
}

/// The same with the campaign that is measured, or was last.
pub fn bottom_of(ui: &mut Ui, state: &mut State, model: Option<&RunModel>) {
    let theme = state.theme.clone();
    let frame = egui::Frame::new().fill(theme.s2).corner_radius(6.0);
    frame.show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            bottom_tabs(ui, state, &theme, model);
            if state.bottom_tab == BottomTab::Table {
                let text = panels::table::n_text(&state.comparison);
                let galley = ui.painter().layout_no_wrap(text.clone(), widgets::small(ui), theme.t3);
                let text = if galley.size().x + 24.0 < ui.available_width() { text } else { String::new() };
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.add_space(12.0);
                    ui.label(RichText::new(text).small().color(theme.t3));
                });
            }
        });
        hline(ui, &theme);
        match (state.bottom_tab, model) {
            (BottomTab::Run, Some(model)) => run::view::steps_ui(ui, state, model),
            (BottomTab::Log, Some(model)) if state.run.shown => run::view::log_ui(ui, state, model),
            (BottomTab::Table | BottomTab::Run, _) => panels::table::ui(ui, state),
            (BottomTab::Log, _) => panels::log::ui(ui, state),
            (BottomTab::Problems, _) => panels::problems::ui(ui, state),
        }
    });
}

fn bottom_tabs(ui: &mut Ui, state: &mut State, theme: &Theme, model: Option<&RunModel>) {
    let problems: Vec<Severity> = state
        .panels
        .problems(&state.store)
        .iter()
        .map(|problem| problem.severity)
        .filter(|severity| *severity > Severity::Note)
        .collect();
    let worst = match problems.iter().max() {
        Some(Severity::Error) => theme.failed,
        Some(Severity::Warning) => theme.warning,
        _ => theme.t3,
    };
    let log = match model.filter(|_| state.run.shown) {
        Some(model) => model.lines.len(),
        None => state.toasts.log().len(),
    };
    for (tab, text, count, ink) in [
        (BottomTab::Table, "Table", Some(state.comparison.rows.len()), theme.t3),
        (BottomTab::Run, "Live run", None, theme.t3),
        (BottomTab::Log, "Log", Some(log), theme.t3),
        (BottomTab::Problems, "Problems", Some(problems.len()), worst),
    ] {
        if tab == BottomTab::Run && model.is_none() {
            continue;
        }
        let count = count.map(|count| (triptych_report::numbers::count(count as f64), ink));
        if widgets::tab(ui, theme, text, count, state.bottom_tab == tab).clicked() {
            state.bottom_tab = tab;
        }
    }
    if state.run.shown && state.bottom_tab == BottomTab::Log && ui.available_width() > 190.0 {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            let find = &mut state.run.memory.find;
            let edit = egui::TextEdit::singleline(find).hint_text("Find in log").desired_width(140.0);
            panels::kit::field(ui, theme, edit, "Find in log");
        });
    }
}
