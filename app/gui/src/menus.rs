//! The menu bar: menus from the table of commands, the workspace's name, the way to the palette.

use crate::action::{Action, Place};
use crate::bars::{bar, hline};
use crate::commands::{self, COMMANDS, Menu};
use crate::state::State;
use crate::theme::{Theme, size};
use crate::widgets::{self, Icon};
use egui::{Align2, RichText, Ui};

/// File, Edit, View … the workspace's name, and the way to the palette.
pub fn menu_bar(ui: &mut Ui, state: &mut State) {
    let theme = state.theme.clone();
    let height = size::BAR.max(13.0 * widgets::text_scale(ui) + 20.0);
    egui::Panel::top("menu").exact_size(height).frame(bar(theme.s1)).show_separator_line(false).show(
        ui,
        |ui| {
            let menus = ui.horizontal_centered(|ui| {
                logo(ui, &theme);
                let bar = egui::MenuBar::new().ui(ui, |ui| {
                    Menu::ALL.map(|menu| menu_ui(ui, state, menu)).into_iter().fold(0.0, f32::max)
                });
                bar.inner
            });
            let palette = palette_field(ui, state, &theme);
            title(ui, state, &theme, menus.inner..=palette);
        },
    );
    hline(ui, &theme);
}

/// Three bars in the colours of the first three variants.
fn logo(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(22.0, 14.0), egui::Sense::hover());
    for (index, height) in [(0u8, 9.0), (1, 12.0), (2, 7.0)] {
        let left = rect.left() + f32::from(index) * 6.0;
        let bar = egui::Rect::from_min_max(
            egui::pos2(left, rect.bottom() - height - 1.0),
            egui::pos2(left + 4.0, rect.bottom() - 1.0),
        );
        ui.painter().rect_filled(bar, 1.0, theme.variants[usize::from(index)]);
    }
}

/// Width of a menu at text scale 1.
const MENU_WIDTH: f32 = 296.0;

/// Room at the left of a menu's texts for the check of what is on.
const CHECK_ROOM: f32 = 26.0;

/// What is on has a check before its text.
fn checked(ui: &Ui, theme: &Theme, response: &egui::Response, text: &str, on: bool) {
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, response.enabled(), on, text));
    if on {
        let at = egui::pos2(response.rect.left() + CHECK_ROOM / 2.0, response.rect.center().y);
        let place = egui::Rect::from_center_size(at, egui::Vec2::splat(14.0));
        widgets::paint_icon(ui.painter(), place, Icon::Check, theme.t1);
    }
}

/// One menu; returns where its title ends.
fn menu_ui(ui: &mut Ui, state: &mut State, menu: Menu) -> f32 {
    let title = RichText::new(menu.title()).color(state.theme.t2);
    let theme = state.theme.clone();
    let opener = ui.menu_button(title, |ui| {
        ui.set_width(MENU_WIDTH * widgets::text_scale(ui));
        let all = || COMMANDS.iter().filter(|command| command.menu == menu);
        if all().any(|command| commands::is_on(command.id, state).is_some()) {
            ui.spacing_mut().button_padding.x = CHECK_ROOM;
        }
        for command in all() {
            if commands::GROUPS.contains(&command.id) {
                ui.separator();
            }
            let blocked = (command.blocked)(state);
            let mut button = egui::Button::new(command.text)
                .fill(egui::Color32::TRANSPARENT)
                .min_size(egui::vec2(ui.available_width(), 24.0));
            if let Some(keys) = &command.keys {
                button = button.shortcut_text(RichText::new(commands::keys_text(keys)).color(state.theme.t3));
            }
            let response = ui.add_enabled(blocked.is_none(), button);
            let response =
                response.on_hover_text(command.help).on_disabled_hover_text(blocked.unwrap_or_default());
            widgets::focus_ring(ui, &response, response.rect, &theme);
            if let Some(on) = commands::is_on(command.id, state) {
                checked(ui, &theme, &response, command.text, on);
            }
            if response.clicked() {
                state.act(Action::Command(command.id));
                ui.close();
            }
        }
        match menu {
            Menu::File => recent_menu(ui, state),
            Menu::Tile => add_tile_menu(ui, state),
            _ => {}
        }
    });
    widgets::focus_ring(ui, &opener.response, opener.response.rect, &theme);
    opener.response.rect.right()
}

/// A tile of any chart of the table, at the right end.
fn add_tile_menu(ui: &mut Ui, state: &mut State) {
    if state.is_empty() {
        return;
    }
    ui.separator();
    ui.label(RichText::new("Add a tile").small().color(state.theme.t3));
    for (view, help) in crate::tiles::views() {
        let button = egui::Button::new(crate::tiles::view_title(view))
            .fill(egui::Color32::TRANSPARENT)
            .min_size(egui::vec2(ui.available_width(), 24.0));
        if ui.add(button).on_hover_text(help).clicked() {
            state.act(Action::AddTile { beside: None, view: view.to_owned(), place: Place::Right });
            ui.close();
        }
    }
}

fn recent_menu(ui: &mut Ui, state: &mut State) {
    if state.settings.recent.is_empty() {
        return;
    }
    ui.separator();
    ui.label(RichText::new("Recent").small().color(state.theme.t3));
    let mut chosen = None;
    for recent in state.settings.recent.iter().take(8) {
        let name = recent.path.file_name().unwrap_or(recent.path.as_os_str()).to_string_lossy().into_owned();
        let button = egui::Button::new(name)
            .fill(egui::Color32::TRANSPARENT)
            .min_size(egui::vec2(ui.available_width(), 24.0));
        let response = ui.add(button).on_hover_text(recent.path.display().to_string());
        widgets::focus_ring(ui, &response, response.rect, &state.theme);
        if response.clicked() {
            chosen = Some(recent.path.clone());
            ui.close();
        }
    }
    if let Some(path) = chosen {
        state.act(Action::Open(vec![path]));
    }
}

/// The workspace's name in the middle of the bar, where it fits between menus and palette.
fn title(ui: &Ui, state: &State, theme: &Theme, room: std::ops::RangeInclusive<f32>) {
    let name = match &state.workspace {
        Some(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        None if state.is_empty() => "No workspace".to_owned(),
        None => "Not saved as a workspace".to_owned(),
    };
    let note = match (&state.workspace, state.saved) {
        (None, _) => "",
        (_, true) => "saved",
        (_, false) => "changed",
    };
    let ink = if state.workspace.is_some() { theme.t1 } else { theme.t3 };
    let middle = ui.ctx().viewport_rect().center().x;
    let width = |text: &str, font| ui.painter().layout_no_wrap(text.to_owned(), font, ink).size().x;
    let half = width(&name, widgets::named(ui)) / 2.0 + 12.0;
    let behind = width(note, widgets::small(ui)) + 8.0;
    if middle - half < *room.start() || middle + half + behind > *room.end() {
        return;
    }
    let at = egui::pos2(middle, ui.max_rect().center().y);
    let rect = ui.painter().text(at, Align2::CENTER_CENTER, name, widgets::named(ui), ink);
    ui.painter().text(
        egui::pos2(rect.right() + 8.0, at.y),
        Align2::LEFT_CENTER,
        note,
        widgets::small(ui),
        theme.t3,
    );
}

/// Opens the palette; returns where the field begins.
fn palette_field(ui: &mut Ui, state: &mut State, theme: &Theme) -> f32 {
    let bar = ui.max_rect();
    let wanted = if bar.width() < 760.0 { 96.0 } else { 268.0 };
    let height = size::BUTTON.max(13.0 * widgets::text_scale(ui) + 8.0);
    let rect = egui::Align2::RIGHT_CENTER.align_size_within_rect(egui::vec2(wanted, height), bar);
    let response = ui.interact(rect, egui::Id::unique("palette field"), egui::Sense::click());
    let text = "Search runs, run a command";
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, text));
    ui.painter().rect_filled(rect, 4.0, if response.hovered() { theme.s3 } else { theme.s0 });
    if !theme.dark || theme.patterns {
        ui.painter().rect_stroke(rect, 4.0, egui::Stroke::new(1.0, theme.line), egui::StrokeKind::Inside);
    }
    let icon = egui::Rect::from_center_size(
        egui::pos2(rect.left() + 15.0, rect.center().y),
        egui::Vec2::splat(14.0),
    );
    widgets::paint_icon(ui.painter(), icon, Icon::Search, theme.t3);
    let keys = ui.painter().text(
        rect.right_center() - egui::vec2(10.0, 0.0),
        Align2::RIGHT_CENTER,
        "Ctrl P",
        widgets::small(ui),
        theme.t3,
    );
    let left = rect.left() + 28.0;
    widgets::paint_text(
        ui,
        egui::pos2(left, rect.center().y),
        Align2::LEFT_CENTER,
        text,
        widgets::body(ui),
        theme.t3,
        keys.left() - left - 8.0,
    );
    widgets::focus_ring(ui, &response, rect, theme);
    if response.clicked() {
        state.act(Action::Command("palette"));
    }
    rect.left()
}
