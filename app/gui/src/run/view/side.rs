//! The right panel of the run view: what runs now, the cache's state, whether the host is quiet, what is done.

use super::clock::{SECONDS, clock};
use super::grid::place_of;
use crate::panels::kit;
use crate::run::facts::{self, Fact, Mark};
use crate::run::matrix::{Cell, State as Step};
use crate::run::model::{Current, RunModel, Stage};
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{self, Icon};
use egui::{Align2, Rect, RichText, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};
use triptych_report::{Ink, numbers};
use triptych_runner::command_text;

/// Shows the panel.
pub fn ui(ui: &mut Ui, state: &mut State, model: &RunModel, theme: &Theme) {
    ui.spacing_mut().item_spacing.y = 4.0;
    section(ui, |ui| {
        kit::title(ui, theme, "Now", "");
        now(ui, state, model, theme);
    });
    if let Some(current) = model.current.as_ref().filter(|_| model.is_going()) {
        kit::separator(ui, theme);
        section(ui, |ui| {
            head(ui, theme, "Cache state");
            facts::cache(model, current).iter().for_each(|fact| fact_row(ui, theme, fact));
        });
    }
    kit::separator(ui, theme);
    section(ui, |ui| {
        head(ui, theme, "Is the host quiet?");
        let rows = facts::gate(&model.gate, state.run.window_cpu);
        rows.iter().for_each(|fact| fact_row(ui, theme, fact));
    });
    kit::separator(ui, theme);
    section(ui, |ui| {
        head(ui, theme, "So far");
        so_far(ui, model, theme);
    });
}

fn section(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(size::EDGE as i8, 8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
}

fn head(ui: &mut Ui, theme: &Theme, text: &str) {
    let font = egui::FontId::new(widgets::small(ui).size, crate::theme::semibold());
    kit::label(ui, text, font, theme.t3);
}

fn sentence(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add(egui::Label::new(RichText::new(text).color(theme.t2)).wrap());
}

fn now(ui: &mut Ui, state: &State, model: &RunModel, theme: &Theme) {
    match &model.stage {
        Stage::Starting => return sentence(ui, theme, "The runner is being started."),
        Stage::Finished(finished) => {
            let text = match (&finished.reason, finished.remaining) {
                (Some(reason), _) => format!("The campaign ended: {reason}."),
                (None, 0) => "Every step of the plan has ended.".to_owned(),
                (None, left) => format!("The campaign ended with {left} steps left."),
            };
            return sentence(ui, theme, &text);
        }
        Stage::Lost(reason) => return sentence(ui, theme, &format!("The runner is gone: {reason}.")),
        Stage::Paused => sentence(ui, theme, "The next run waits until you continue."),
        Stage::Measuring => {}
    }
    let Some(current) = &model.current else {
        return sentence(ui, theme, "The first run is being prepared.");
    };
    if let Some(cell) = model.matrix.step(current.step) {
        run_line(ui, state, model, cell, theme);
        clock_line(ui, model, current, theme);
        progress(ui, state, model, cell, theme);
        earlier(ui, model, cell, theme);
    }
    for (name, process) in [("server", &current.server), ("client", &current.client)] {
        if let Some((command, pid)) = process {
            let program = command.split(' ').next().unwrap_or_default();
            row(ui, theme, name, command_text::base(program), &format!("pid {pid}"));
        }
    }
    if let Some((command, _)) = current.client.as_ref().filter(|_| current.timed) {
        command_box(ui, theme, command);
    }
}

/// Marker, variant, and which run of what.
fn run_line(ui: &mut Ui, state: &State, model: &RunModel, cell: &Cell, theme: &Theme) {
    let name = model.matrix.variants.get(cell.column).cloned().unwrap_or_default();
    let row = model.matrix.rows.get(cell.row).map(crate::run::matrix::Row::name).unwrap_or_default();
    let words = format!("{row}, run {}", cell.round + 1);
    let height = widgets::row_height(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Now {name}, {words}")));
    let place = place_of(state, &model.matrix.variants, &name);
    let radius = 5.0 * widgets::text_scale(ui);
    kit::variant_mark(ui, pos2(rect.left() + radius, rect.center().y), place, theme);
    let at = pos2(rect.left() + 2.0 * radius + 7.0, rect.center().y);
    let named = widgets::paint_text(
        ui,
        at,
        Align2::LEFT_CENTER,
        &name,
        widgets::strong(ui),
        theme.t1,
        rect.width() * 0.5,
    );
    let at = pos2(named.right() + 8.0, rect.center().y);
    let room = rect.right() - at.x;
    widgets::paint_text(ui, at, Align2::LEFT_CENTER, &words, widgets::body(ui), theme.t2, room);
}

/// The one large figure.
fn clock_line(ui: &mut Ui, model: &RunModel, current: &Current, theme: &Theme) {
    ui.horizontal(|ui| {
        let figure = kit::figure(ui);
        match model.elapsed() {
            Some(elapsed) => {
                kit::label(ui, format!("{elapsed:.1}{}s", numbers::NARROW), figure, theme.t1);
            }
            None if current.timed => {
                kit::label(ui, format!("0.0{}s", numbers::NARROW), figure, theme.t1);
            }
            None => {
                kit::label(ui, "preparing", figure, theme.t2);
            }
        }
        if let Some(expected) = model.expected() {
            kit::label(
                ui,
                format!("of about {}", numbers::secs_in_prose(expected)),
                widgets::body(ui),
                theme.t2,
            );
        }
    });
}

/// How far the run is, with where the earlier ones of its cell ended.
fn progress(ui: &mut Ui, state: &State, model: &RunModel, cell: &Cell, theme: &Theme) {
    let ends: Vec<f64> = model.matrix.finished(cell.row, cell.column).map(|(_, secs)| secs).collect();
    let most = ends.iter().copied().fold(model.expected().unwrap_or(0.0), f64::max);
    let elapsed = model.elapsed().unwrap_or(0.0);
    let whole = (most * 1.02).max(elapsed);
    let share = if whole > 0.0 { elapsed / whole } else { 0.0 };
    let width = ui.available_width();
    let bar = widgets::progress_bar(ui, theme, width, share as f32).rect;
    let name = model.matrix.variants.get(cell.column).map_or("", String::as_str);
    let ink = theme.ink(Ink::Variant(place_of(state, &model.matrix.variants, name)));
    for end in ends.into_iter().filter(|_| whole > 0.0) {
        let x = ui.painter().round_to_pixel_center(bar.left() + bar.width() * (end / whole) as f32);
        ui.painter().vline(x, bar.top() - 3.0..=bar.bottom() + 3.0, Stroke::new(1.5, ink));
    }
    ui.add_space(6.0);
}

/// `runs 1 and 2   34.27 s, 33.44 s`.
fn earlier(ui: &mut Ui, model: &RunModel, cell: &Cell, theme: &Theme) {
    let finished: Vec<(usize, f64)> = model.matrix.finished(cell.row, cell.column).collect();
    // The last few tell enough; a campaign of twenty rounds would fill the panel.
    let shown = finished.get(finished.len().saturating_sub(3)..).unwrap_or_default();
    let numbered: Vec<String> = shown.iter().map(|(round, _)| (round + 1).to_string()).collect();
    let name = match numbered.as_slice() {
        [] => return,
        [one] => format!("run {one}"),
        [one, two] => format!("runs {one}, {two}"),
        [first, .., last] => format!("runs {first} to {last}"),
    };
    let secs: Vec<String> = shown.iter().map(|(_, secs)| numbers::secs(*secs)).collect();
    row(ui, theme, &name, &format!("{}{}s", secs.join(", "), numbers::NARROW), "");
}

/// Name, value, and a note at the right.
fn row(ui: &mut Ui, theme: &Theme, name: &str, value: &str, note: &str) {
    let scale = widgets::text_scale(ui);
    let height = widgets::row_height(ui) - 2.0;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name} {value} {note}")));
    let y = rect.center().y;
    let column = (92.0 * scale).min(rect.width() * 0.42);
    let font = widgets::body(ui);
    widgets::paint_text(
        ui,
        pos2(rect.left(), y),
        Align2::LEFT_CENTER,
        name,
        font.clone(),
        theme.t3,
        column - 6.0,
    );
    let note =
        ui.painter().text(pos2(rect.right(), y), Align2::RIGHT_CENTER, note, widgets::small(ui), theme.t3);
    let at = pos2(rect.left() + column, y);
    let room = note.left() - at.x - 6.0;
    widgets::paint_text(ui, at, Align2::LEFT_CENTER, value, font, theme.t1, room);
}

fn command_box(ui: &mut Ui, theme: &Theme, command: &str) {
    egui::Frame::new().fill(theme.s0).corner_radius(4.0).inner_margin(8).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let text = RichText::new(command).font(widgets::mono(ui)).color(theme.t2);
        ui.add(egui::Label::new(text).wrap());
    });
}

/// Mark, name, value.
fn fact_row(ui: &mut Ui, theme: &Theme, fact: &Fact) {
    let scale = widgets::text_scale(ui);
    let height = widgets::row_height(ui) - 1.0;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let word = match fact.mark {
        Mark::Good => "as it should be",
        Mark::Doubtful => "doubtful",
        Mark::Unknown => "not known",
    };
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Label, true, format!("{} {}, {word}", fact.name, fact.value))
    });
    let y = rect.center().y;
    let place = Rect::from_center_size(pos2(rect.left() + 7.0 * scale, y), Vec2::splat(14.0 * scale));
    match fact.mark {
        Mark::Good => widgets::paint_icon(ui.painter(), place, Icon::Check, theme.faster),
        Mark::Doubtful => widgets::paint_icon(ui.painter(), place.shrink(0.5), Icon::Warning, theme.warning),
        Mark::Unknown => widgets::paint_icon(ui.painter(), place, Icon::More, theme.t3),
    }
    let left = rect.left() + 22.0 * scale;
    let column = (122.0 * scale).min(rect.width() * 0.45);
    let font = widgets::body(ui);
    let ink = if fact.mark == Mark::Unknown { theme.t3 } else { theme.t1 };
    widgets::paint_text(
        ui,
        pos2(left, y),
        Align2::LEFT_CENTER,
        fact.name,
        font.clone(),
        theme.t2,
        column - 6.0,
    );
    let at = pos2(left + column, y);
    widgets::paint_text(ui, at, Align2::LEFT_CENTER, &fact.value, font, ink, rect.right() - at.x);
}

fn so_far(ui: &mut Ui, model: &RunModel, theme: &Theme) {
    let failed = match model.failed {
        0 => String::new(),
        count => format!("{count} of them failed"),
    };
    row(ui, theme, "runs done", &numbers::count(model.done as f64), &failed);
    let doubtful = model.matrix.cells.iter().filter(|cell| {
        let Step::Done { evidence, .. } = cell.state else { return false };
        evidence == crate::run::matrix::Evidence::Contradicted
    });
    match doubtful.count() {
        0 => {}
        count => row(ui, theme, "not as called", &numbers::count(count as f64), "cold or hot by name only"),
    }
    row(ui, theme, "written to", &model.campaign.campaign, "");
    if let Some(time) = model.synced {
        row(ui, theme, "last synced", &clock(time, SECONDS), "");
    }
    if model.is_going() {
        let steps = numbers::plural(model.done, "finished step stays", "finished steps stay");
        let text = format!(
            "If you close the window the run is cancelled. The {steps}, and the rest can be resumed."
        );
        ui.add(egui::Label::new(RichText::new(text).color(theme.t3)).wrap());
    }
}
