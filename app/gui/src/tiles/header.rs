//! The head of a tile: its name, which run it is, legend, link and menu. It is also the drag handle.

use super::behavior::view_title;
use super::scene::Scene;
use super::{Tile, data, menu};
use crate::action::Action;
use crate::painter;
use crate::state::{State, TileQuery};
use crate::theme::Theme;
use crate::widgets::{self, Icon};
use egui::{Align2, CursorIcon, Id, Rect, Sense, Ui, Vec2, WidgetInfo, pos2};
use triptych_report::LegendEntry;

/// Entries in the header; more stand in the chart's margin (LOOK §4).
const ENTRIES: usize = 4;

/// Shows the header; whether a drag of the tile began.
pub fn ui(ui: &mut Ui, state: &mut State, tile: &mut Tile, rect: Rect, scene: Option<&Scene>) -> bool {
    let theme = state.theme.clone();
    let title = view_title(&tile.view).to_owned();
    let id = Id::unique(("tile header", tile.id));
    let handle = ui.interact(rect, id, Sense::CLICK | Sense::DRAG).on_hover_cursor(CursorIcon::Grab);
    handle
        .widget_info(|| WidgetInfo::labeled(egui::Role::TitleBar, true, format!("Tile {} {title}", tile.id)));
    egui::Popup::context_menu(&handle).show(|ui| menu::ui(ui, state, tile, scene));
    let right = buttons(ui, state, tile, rect, scene, &theme, &title);
    let left = rect.left() + 12.0;
    let width = (right - left).max(0.0);
    let named = widgets::paint_text(
        ui,
        pos2(left, rect.center().y),
        Align2::LEFT_CENTER,
        &title,
        widgets::strong(ui),
        theme.t1,
        width,
    );
    // The legend goes before the words are cut: it says itself again in every read-out.
    let words = scene.map_or(0.0, |scene| words_width(ui, tile, &scene.subtitle));
    let from = named.right() + 14.0 + words;
    let right = scene.map_or(right, |scene| legend(ui, tile, scene, &theme, rect, (from, right)));
    let space = Rect::from_min_max(pos2(named.right() + 10.0, rect.top()), pos2(right - 4.0, rect.bottom()));
    if space.width() > 24.0 {
        subtitle(ui, state, tile, scene, space, &theme);
    }
    handle.drag_started()
}

fn words_width(ui: &Ui, tile: &Tile, text: &str) -> f32 {
    let width =
        ui.painter().layout_no_wrap(text.to_owned(), widgets::body(ui), egui::Color32::PLACEHOLDER).size().x;
    if data::takes_one_run(&tile.view) { width + 28.0 } else { width }
}

/// Menu and link at the right end; returns where the space left of them ends.
fn buttons(
    ui: &mut Ui,
    state: &mut State,
    tile: &mut Tile,
    rect: Rect,
    scene: Option<&Scene>,
    theme: &Theme,
    title: &str,
) -> f32 {
    let mut right = rect.right() - 6.0;
    let mut place = || {
        let button = Rect::from_center_size(pos2(right - 12.0, rect.center().y), Vec2::splat(24.0));
        right -= 26.0;
        button
    };
    let more = place();
    let response = at(ui, more, ("more", tile.id), |ui| {
        widgets::icon_button(ui, theme, Icon::More, &format!("Menu of {title}"), true)
    });
    egui::Popup::menu(&response).show(|ui| menu::ui(ui, state, tile, scene));
    if data::takes_one_run(&tile.view) {
        let link = place();
        let label = if tile.linked { "Unlink the time axis" } else { "Link the time axis" };
        let response =
            at(ui, link, ("link", tile.id), |ui| widgets::icon_button(ui, theme, Icon::Link, label, true));
        if tile.linked && !response.hovered() {
            widgets::paint_icon(
                ui.painter(),
                Rect::from_center_size(link.center(), Vec2::splat(14.0)),
                Icon::Link,
                theme.accent,
            );
        }
        if response.clicked() {
            state.act(Action::ToggleLink(tile.id));
        }
    }
    if tile.query != TileQuery::Follow {
        let own = place();
        ui.painter().circle_filled(own.center(), 3.0, theme.accent);
        let hover = ui.interact(own, Id::unique(("own query", tile.id)), Sense::hover());
        hover.on_hover_text("This tile has its own selection");
    }
    right
}

/// One widget at a place of its own.
fn at<R>(ui: &mut Ui, rect: Rect, salt: impl egui::AsIdSalt, content: impl FnOnce(&mut Ui) -> R) -> R {
    ui.scope_builder(egui::UiBuilder::new().max_rect(rect).id_salt(salt), content).inner
}

/// Entries from the right; those that do not fit go, but never only some of them. Returns where they begin.
fn legend(
    ui: &mut Ui,
    tile: &mut Tile,
    scene: &Scene,
    theme: &Theme,
    rect: Rect,
    (from, to): (f32, f32),
) -> f32 {
    let entries = &scene.figure.legend;
    if entries.is_empty() || entries.len() > ENTRIES {
        return to;
    }
    let font = widgets::small(ui);
    let scale = widgets::text_scale(ui);
    let mark = 15.0 * scale;
    let galleys: Vec<_> = entries
        .iter()
        .map(|entry| {
            let ink = if entry.hidden { theme.t4 } else { theme.t2 };
            ui.painter().layout_no_wrap(entry.name.clone(), font.clone(), ink)
        })
        .collect();
    let width: f32 = galleys.iter().map(|galley| galley.size().x + mark + 10.0).sum();
    if to - from < width {
        return to;
    }
    let mut left = to - width;
    for (entry, galley) in entries.iter().zip(galleys) {
        let place = Rect::from_min_size(
            pos2(left, rect.center().y - 12.0),
            Vec2::new(galley.size().x + mark + 6.0, 24.0),
        );
        let response = ui.interact(place, Id::unique(("legend", tile.id, &entry.name)), Sense::click());
        response.widget_info(|| {
            let label = format!("{} in {}", entry.name, view_title(&tile.view));
            WidgetInfo::selected(egui::Role::CheckBox, true, !entry.hidden, label)
        });
        if response.hovered() {
            ui.painter().rect_filled(place, 4.0, theme.s3);
        }
        swatch(ui, entry, theme, pos2(left + 3.0 + 4.0 * scale, place.center().y), scale);
        ui.painter().galley(pos2(left + mark, place.center().y - galley.size().y / 2.0), galley, theme.t2);
        widgets::focus_ring(ui, &response, place, theme);
        if response.clicked() {
            toggle(&mut tile.hidden, entries, &entry.name, ui.input(|input| input.modifiers.alt));
        }
        response.on_hover_text("Click hides, Alt-click shows it alone");
        left += place.width() + 4.0;
    }
    to - width - 4.0
}

fn swatch(ui: &Ui, entry: &LegendEntry, theme: &Theme, at: egui::Pos2, scale: f32) {
    let ink = if entry.hidden { theme.t4 } else { theme.ink(entry.ink) };
    match entry.marker {
        Some(marker) => painter::marker(ui.painter(), at, marker, 4.5 * scale, ink, entry.hidden),
        None => {
            ui.painter().rect_filled(Rect::from_center_size(at, Vec2::splat(9.0 * scale)), 1.0, ink);
        }
    }
}

/// Hides or shows one entry, or shows it alone; all hidden would be an empty chart, so then all come back.
fn toggle(hidden: &mut Vec<String>, entries: &[LegendEntry], name: &str, alone: bool) {
    let others = || entries.iter().map(|entry| entry.name.clone()).filter(|other| other != name);
    if alone {
        let already =
            !hidden.iter().any(|other| other == name) && others().all(|other| hidden.contains(&other));
        *hidden = if already { Vec::new() } else { others().collect() };
    } else if let Some(place) = hidden.iter().position(|other| other == name) {
        hidden.remove(place);
    } else {
        hidden.push(name.to_owned());
        if entries.iter().all(|entry| hidden.contains(&entry.name)) {
            hidden.clear();
        }
    }
}

/// Plain words, or for charts of one run the button that picks another.
fn subtitle(
    ui: &mut Ui,
    state: &mut State,
    tile: &mut Tile,
    scene: Option<&Scene>,
    space: Rect,
    theme: &Theme,
) {
    let text = scene.map_or("", |scene| scene.subtitle.as_str());
    if !data::takes_one_run(&tile.view) {
        widgets::paint_text(
            ui,
            space.left_center(),
            Align2::LEFT_CENTER,
            text,
            widgets::body(ui),
            theme.t3,
            space.width(),
        );
        return;
    }
    let text = if text.is_empty() { "choose a run" } else { text };
    let galley = widgets::elided(ui, text, widgets::body(ui), theme.t3, space.width() - 22.0);
    let place = Rect::from_min_size(
        pos2(space.left() - 4.0, space.center().y - 12.0),
        Vec2::new(galley.size().x + 24.0, 24.0),
    );
    let response = ui.interact(place, Id::unique(("run picker", tile.id)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::labeled(egui::Role::ComboBox, true, format!("Run of tile {}: {text}", tile.id))
    });
    let lit = response.hovered() || response.has_focus();
    if lit {
        ui.painter().rect_filled(place, 4.0, theme.s3);
    }
    ui.painter().galley(pos2(place.left() + 4.0, place.center().y - galley.size().y / 2.0), galley, theme.t3);
    let icon = Rect::from_center_size(pos2(place.right() - 10.0, place.center().y), Vec2::splat(12.0));
    widgets::paint_icon(ui.painter(), icon, Icon::Down, if lit { theme.t1 } else { theme.t4 });
    widgets::focus_ring(ui, &response, place, theme);
    let response = response.on_hover_text("Another run with a load log");
    egui::Popup::menu(&response)
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
        .show(|ui| menu::run_picker(ui, state, tile));
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_report::Ink;

    #[test]
    fn the_legend_hides_isolates_and_never_empties() {
        let entries = ["a", "b", "c"].map(|name| LegendEntry {
            name: name.to_owned(),
            ink: Ink::T1,
            marker: None,
            hidden: false,
        });
        let mut hidden = Vec::new();
        for (name, alone, expect) in [
            ("a", false, vec!["a"]),
            ("a", false, vec![]),
            ("b", true, vec!["a", "c"]),
            ("b", true, vec![]),
            ("c", true, vec!["a", "b"]),
            ("a", true, vec!["b", "c"]),
            ("a", false, vec![]),
        ] {
            toggle(&mut hidden, &entries, name, alone);
            assert_eq!(hidden, expect, "{name} alone {alone}");
        }
    }
}
