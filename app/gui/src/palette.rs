//! Ctrl P: every command, campaign, variant and operation by name.

use crate::action::{Action, Place};
use crate::commands::{self, COMMANDS};
use crate::state::State;
use crate::theme::semibold;
use crate::widgets;
use egui::{Align2, FontId, Key as Press, Rect, Vec2};
use triptych_store::Column;

/// Rows shown at most.
const ROWS: usize = 9;

/// What was typed so far.
#[derive(Clone, Debug, Default)]
pub struct Palette {
    text: String,
    chosen: usize,
}

/// One thing that can be done.
struct Entry {
    text: String,
    effect: String,
    keys: String,
    blocked: bool,
    action: Action,
    /// Places in `text` that match, in characters.
    hits: Vec<usize>,
    score: i32,
}

/// Shows the palette, if it is open.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    let Some(mut palette) = state.palette.take() else { return };
    let mut open = true;
    let entries = entries(state, &palette.text);
    palette.chosen = palette.chosen.min(entries.len().saturating_sub(1));
    let (up, down, enter, escape) = ctx.input_mut(|input| {
        let mut pressed = |key| input.consume_key(egui::Modifiers::NONE, key);
        (pressed(Press::ArrowUp), pressed(Press::ArrowDown), pressed(Press::Enter), pressed(Press::Escape))
    });
    if down && !entries.is_empty() {
        palette.chosen = (palette.chosen + 1) % entries.len();
    }
    if up && !entries.is_empty() {
        palette.chosen = (palette.chosen + entries.len() - 1) % entries.len();
    }
    let mut picked = enter.then_some(palette.chosen);
    let area = egui::Area::new(egui::Id::unique("palette"))
        .order(egui::Order::Foreground)
        .anchor(Align2::CENTER_TOP, [0.0, 52.0])
        .show(ctx, |ui| {
            let frame =
                egui::Frame::window(ui.style()).fill(state.theme.s3).corner_radius(8.0).inner_margin(8.0);
            frame.show(ui, |ui| {
                ui.set_width(520.0_f32.min(ctx.viewport_rect().width() - 40.0));
                field(ui, &mut palette);
                picked = rows(ui, state, &palette, &entries).or(picked);
            });
        });
    let clicked_outside = ctx.input(|input| input.pointer.any_pressed())
        && ctx.pointer_interact_pos().is_some_and(|at| !area.response.rect.contains(at));
    if let Some(entry) = picked.and_then(|index| entries.into_iter().nth(index)) {
        if !entry.blocked {
            state.act(entry.action);
            open = false;
        }
    } else if escape || clicked_outside {
        open = false;
    }
    if open {
        state.palette = Some(palette);
    }
}

fn field(ui: &mut egui::Ui, palette: &mut Palette) {
    let edit = egui::TextEdit::singleline(&mut palette.text)
        .hint_text("Search runs, run a command")
        .desired_width(f32::INFINITY)
        .margin(Vec2::new(8.0, 6.0));
    let response = ui.add(edit);
    response.widget_info(|| {
        egui::WidgetInfo::text_edit(true, "", palette.text.clone(), "Search runs, run a command")
    });
    if response.changed() {
        palette.chosen = 0;
    }
    response.request_focus();
}

fn rows(ui: &mut egui::Ui, state: &State, palette: &Palette, entries: &[Entry]) -> Option<usize> {
    let theme = &state.theme;
    let mut picked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let first = (palette.chosen + 1).saturating_sub(ROWS);
    for (index, entry) in entries.iter().enumerate().skip(first).take(ROWS) {
        let height = widgets::row_height(ui) + 6.0;
        let (rect, response) =
            ui.allocate_exact_size(Vec2::new(ui.available_width(), height), egui::Sense::click());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, !entry.blocked, &entry.text));
        if index == palette.chosen {
            ui.painter().rect_filled(rect, 4.0, theme.accent_ground);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 4.0, theme.s4);
        }
        paint_row(ui, state, entry, rect);
        if response.clicked() {
            picked = Some(index);
        }
    }
    if entries.is_empty() {
        ui.add_space(6.0);
        ui.label(egui::RichText::new("Nothing of that name").color(theme.t3));
    }
    picked
}

fn paint_row(ui: &egui::Ui, state: &State, entry: &Entry, rect: Rect) {
    let theme = &state.theme;
    let ink = if entry.blocked { theme.t4 } else { theme.t1 };
    let body = widgets::body(ui);
    let mut job = egui::text::LayoutJob::default();
    for (index, letter) in entry.text.chars().enumerate() {
        let family = if entry.hits.contains(&index) { semibold() } else { body.family.clone() };
        job.append(&letter.to_string(), 0.0, egui::TextFormat::simple(FontId::new(body.size, family), ink));
    }
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let left = rect.left() + 8.0;
    let right = left + galley.size().x;
    ui.painter().galley(egui::pos2(left, rect.center().y - galley.size().y / 2.0), galley, ink);
    let keys = ui.painter().text(
        rect.right_center() - egui::vec2(8.0, 0.0),
        Align2::RIGHT_CENTER,
        &entry.keys,
        widgets::small(ui),
        theme.t3,
    );
    let space = keys.left() - right - 24.0;
    widgets::paint_text(
        ui,
        egui::pos2(right + 10.0, rect.center().y),
        Align2::LEFT_CENTER,
        &entry.effect,
        widgets::small(ui),
        theme.t3,
        space,
    );
}

/// All entries that match, best first.
fn entries(state: &mut State, text: &str) -> Vec<Entry> {
    let mut all: Vec<Entry> = COMMANDS
        .iter()
        .filter(|command| command.id != "palette")
        .map(|command| {
            let blocked = (command.blocked)(state);
            Entry {
                text: command.text.to_owned(),
                effect: blocked.unwrap_or(command.help).to_owned(),
                keys: command.keys.as_ref().map(commands::keys_text).unwrap_or_default(),
                blocked: blocked.is_some(),
                action: Action::Command(command.id),
                hits: Vec::new(),
                score: 0,
            }
        })
        .collect();
    all.extend(data_entries(state));
    all.retain_mut(|entry| match fuzzy(&entry.text, text) {
        Some((score, hits)) => {
            entry.score = score;
            entry.hits = hits;
            true
        }
        None => false,
    });
    all.sort_by_key(|entry| (entry.blocked, -entry.score));
    all
}

/// Campaigns, charts, values of facets and baselines; campaigns and facets are kept between frames.
fn data_entries(state: &mut State) -> Vec<Entry> {
    let entry = |text: String, effect: String, action: Action| Entry {
        text,
        effect,
        keys: String::new(),
        blocked: false,
        action,
        hits: Vec::new(),
        score: 0,
    };
    let campaigns = state.panels.campaigns(&state.store);
    let mut all: Vec<Entry> = campaigns
        .iter()
        .map(|campaign| {
            let effect = crate::open::plural(campaign.runs, "run");
            let show = Action::ShowCampaign(campaign.name.clone());
            entry(format!("Show {}", campaign.name), effect, show)
        })
        .collect();
    if !state.is_empty() {
        all.extend(crate::tiles::views().map(|(view, help)| {
            let action = Action::AddTile { beside: None, view: view.to_owned(), place: Place::Right };
            entry(format!("Add a tile: {}", crate::tiles::view_title(view)), help.to_owned(), action)
        }));
    }
    let facets = state.panels.facets(&state.store, &state.arrangement.query);
    for facet in &facets.0 {
        if !matches!(facet.column, Column::Condition(_)) {
            continue;
        }
        for value in facet.values.iter().filter(|value| !value.text.is_empty() && value.count > 0) {
            let text = format!("Only {} {}", facet.column.name(), value.text);
            all.push(entry(
                text,
                crate::open::plural(value.count, "run"),
                Action::OnlyFacet(facet.column, value.text.clone()),
            ));
        }
    }
    for (name, _) in &state.comparison.variants {
        let mut query = state.arrangement.query.clone();
        query.baseline = Some(name.clone());
        all.push(entry(
            format!("Baseline {name}"),
            "the others are divided by it".to_owned(),
            Action::SetQuery(query),
        ));
    }
    all
}

/// Whether all letters of `wanted` stand in `text` in order; starts of words and neighbours count more.
fn fuzzy(text: &str, wanted: &str) -> Option<(i32, Vec<usize>)> {
    let letters: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let mut hits = Vec::new();
    let mut score = 0;
    let mut from = 0;
    for letter in wanted.chars().filter(|letter| !letter.is_whitespace()).flat_map(char::to_lowercase) {
        let starts_word = |index: usize| index == 0 || !letters[index - 1].is_alphanumeric();
        let next = hits.last().map(|last| last + 1);
        let index = next
            .filter(|index| letters.get(*index) == Some(&letter))
            .or_else(|| (from..letters.len()).find(|index| letters[*index] == letter && starts_word(*index)))
            .or_else(|| (from..letters.len()).find(|index| letters[*index] == letter))?;
        score += if Some(index) == next { 3 } else { 0 } + if starts_word(index) { 2 } else { 0 };
        hits.push(index);
        from = index + 1;
    }
    Some((score * 100 - i32::try_from(letters.len()).unwrap_or(i32::MAX / 2), hits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_by_letters_in_order() {
        assert!(fuzzy("Open a folder…", "ofo").is_some());
        assert!(fuzzy("Open a folder…", "xq").is_none());
        let (folder, _) = fuzzy("Open a folder…", "fold").expect("matches");
        let (other, _) = fuzzy("Only format local disk", "fold").expect("matches");
        assert!(folder > other);
        assert_eq!(fuzzy("Dark", "").map(|(_, hits)| hits.len()), Some(0));
    }
}
