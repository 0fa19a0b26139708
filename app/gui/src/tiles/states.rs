//! What a tile says instead of a chart: what, why, what next; left-aligned, one button (LOOK §4).

use super::Tile;
use crate::action::{Action, Place};
use crate::commands::CommandId;
use crate::jobs::Kind;
use crate::state::{State, TileQuery};
use crate::theme::{Theme, font_id};
use crate::widgets::{self, ButtonKind};
use egui::{RichText, Ui, Vec2};
use std::time::Duration;
use triptych_report::{Font, Refusal};

/// Before this nothing is said about reading: most answers are there sooner.
pub const PATIENCE: Duration = Duration::from_millis(200);

/// Whether the tile's data have been asked for so long that it should say so.
pub fn is_slow(ui: &Ui, state: &State, tile: u64) -> bool {
    let Some(running) = state.jobs.running(Kind::Chart(tile)) else { return false };
    let elapsed = running.elapsed();
    if elapsed < PATIENCE {
        ui.ctx().request_repaint_after(PATIENCE - elapsed);
    }
    elapsed >= PATIENCE
}

/// Why there is no chart, with what can be done about it.
pub fn refusal(ui: &mut Ui, state: &mut State, tile: &Tile, refusal: &Refusal) {
    let theme = state.theme.clone();
    column(ui, |ui| {
        heading(ui, &theme, &refusal.title);
        sentence(ui, &theme, &refusal.reason);
        sentence(ui, &theme, &refusal.next_step);
        let filtered = !super::data::query_of(tile, &state.arrangement.query).filters.is_empty();
        let offer: Option<(&str, CommandId)> = match tile.view.as_str() {
            "cpu-load" => Some(("Open a load log…", "open-files")),
            _ if filtered && tile.query == TileQuery::Follow => Some(("Show all runs", "clear-filters")),
            _ => None,
        };
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            if let Some((text, command)) = offer
                && widgets::button(ui, &theme, ButtonKind::Plain, None, text).clicked()
            {
                state.act(Action::Command(command));
            }
            if tile.query != TileQuery::Follow
                && widgets::link_sized(ui, &theme, "Follow the window", widgets::body(ui)).clicked()
            {
                state.act(Action::SetTileQuery(tile.id, TileQuery::Follow));
            }
        });
        if lacks_runs(refusal)
            && state.store.has_requests()
            && widgets::button(ui, &theme, ButtonKind::Plain, None, "Show requests (F6)").clicked()
        {
            state.act(Action::Command("requests-view"));
        }
    });
}

/// Whether there is nothing to draw of any run: then requests may be what is worth a look.
fn lacks_runs(refusal: &Refusal) -> bool {
    matches!(refusal.title.as_str(), "Nothing to compare" | "Nothing to draw")
}

/// Nothing is there yet: what is being read, after a moment.
pub fn waiting(ui: &mut Ui, state: &mut State, tile: u64) {
    let theme = state.theme.clone();
    if let Some(running) = state.jobs.running(Kind::Load) {
        let (step, elapsed) = (running.step(), running.elapsed());
        if elapsed >= PATIENCE && step.total > 0 {
            reading(ui, state, &theme, &step);
        }
        return;
    }
    if is_slow(ui, state, tile) {
        column(ui, |ui| heading(ui, &theme, "Reading…"));
    }
}

fn reading(ui: &mut Ui, state: &mut State, theme: &Theme, step: &crate::jobs::Step) {
    let share = step.share();
    column(ui, |ui| {
        heading(ui, theme, &format!("Reading {} of {} sources", (step.done + 1).min(step.total), step.total));
        let width = ui.available_width();
        widgets::progress_bar(ui, theme, width, share);
        let name = step.what.rsplit('/').next().unwrap_or_default().to_owned();
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).color(theme.t3));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(format!("{:.0} %", share * 100.0)).color(theme.t3));
            });
        });
        if widgets::button(ui, theme, ButtonKind::Plain, None, "Cancel").clicked() {
            state.act(Action::Command("cancel"));
        }
    });
}

/// No tile is left.
pub fn no_tiles(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    column(ui, |ui| {
        heading(ui, &theme, "All tiles are closed");
        sentence(ui, &theme, "The table below and Details still show what is selected.");
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            if widgets::button(ui, &theme, ButtonKind::Plain, None, "Arrange the tiles as at first").clicked()
            {
                state.act(Action::Command("reset-layout"));
            }
            if widgets::link_sized(ui, &theme, "Add triples", widgets::body(ui)).clicked() {
                state.act(Action::AddTile { beside: None, view: "triples".to_owned(), place: Place::Right });
            }
        });
    });
}

/// A column in the upper left, as wide as a sentence reads well.
fn column(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let rect = ui.available_rect_before_wrap();
    let width = (rect.width() - 32.0).clamp(40.0, 360.0 * widgets::text_scale(ui));
    let top = (rect.height() * 0.14).min(40.0);
    let place =
        egui::Rect::from_min_size(rect.min + Vec2::new(16.0, top), Vec2::new(width, rect.height() - top));
    ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        content(ui);
    });
}

fn heading(ui: &mut Ui, theme: &Theme, text: &str) {
    ui.add(
        egui::Label::new(
            RichText::new(text).font(font_id(Font::Medium, widgets::text_scale(ui))).color(theme.t1),
        )
        .wrap(),
    );
}

fn sentence(ui: &mut Ui, theme: &Theme, text: &str) {
    if !text.is_empty() {
        ui.add(egui::Label::new(RichText::new(text).color(theme.t3)).wrap());
    }
}
