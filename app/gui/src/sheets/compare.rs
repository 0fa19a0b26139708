//! "Compare with…": which campaign, variant or run stands beside a tile, with linked axes and cursor.

use crate::action::Action;
use crate::panels::kit;
use crate::state::{State, TileQuery};
use crate::theme::Theme;
use crate::widgets::{ButtonKind, body, button, paint_text, row_height, small, text_scale};
use egui::{Align, Align2, Layout, Sense, Ui, vec2};
use triptych_model::Key;
use triptych_store::{Column, Filter, Query};

/// One thing to compare with.
#[derive(Clone, Debug)]
struct Choice {
    /// `campaign`, `variant`, `run`.
    section: &'static str,
    /// Its name.
    name: String,
    /// What it holds.
    about: String,
    /// Place of its colour, for variants.
    place: Option<u16>,
    /// What the new tile shows.
    query: Query,
    /// The run of charts of one run.
    run: Option<String>,
}

/// What the sheet has in hand.
pub struct Draft {
    tile: u64,
    generation: u64,
    title: String,
    choices: Vec<Choice>,
    filter: String,
}

/// Shows the sheet for a tile.
pub fn ui(ctx: &egui::Context, state: &mut State, tile: u64) {
    let generation = state.store.generation();
    if !state
        .sheets
        .compare
        .as_ref()
        .is_some_and(|draft| draft.tile == tile && draft.generation == generation)
    {
        state.sheets.compare = draft(state, tile);
    }
    let Some(title) = state.sheets.compare.as_ref().map(|draft| draft.title.clone()) else {
        state.act(Action::Sheet(None));
        return;
    };
    super::show(ctx, state, vec2(560.0, 560.0), ["Compare with", &title], false, content);
}

fn draft(state: &mut State, tile: u64) -> Option<Draft> {
    let shown = state.arrangement.tiles.pane(tile)?.clone();
    let query = match &shown.query {
        TileQuery::Follow => state.arrangement.query.clone(),
        TileQuery::Own(query) => (**query).clone(),
    };
    let view = triptych_report::CHARTS.iter().map(|chart| chart.spec()).find(|spec| spec.id == shown.view);
    let title = view.map_or_else(
        || shown.view.clone(),
        |spec| format!("{}, to the right of it, with linked axes", spec.title),
    );
    let mut choices = Vec::new();
    if shown.view == "cpu-load" {
        choices.extend(runs(state, &query));
    }
    choices.extend(campaigns(state, &query));
    choices.extend(variants(state, &query));
    Some(Draft { tile, generation: state.store.generation(), title, choices, filter: String::new() })
}

/// Runs that have a load: those of the tile's query first, then all others.
fn runs(state: &State, query: &Query) -> Vec<Choice> {
    let near = state.store.runs_with_load(query);
    let all = state.store.runs_with_load(&Query::default());
    let far = all.into_iter().filter(|run| !near.contains(run)).collect::<Vec<_>>();
    let choice = |run: u32| {
        let view = state.store.run(run)?;
        let value = |key: Key| {
            view.conditions.get(&key).map(|(value, _)| value.clone()).filter(|value| !value.is_empty())
        };
        let keys = [Key::Variant, Key::Operation, Key::Repository, Key::Network, Key::Medium, Key::Cache];
        let mut name: Vec<String> = keys.into_iter().filter_map(value).collect();
        name.extend(value(Key::Repetition).map(|repetition| format!("run {repetition}")));
        let campaign = value(Key::Campaign).unwrap_or_default();
        let query = crate::edits::campaign_query(query, &campaign);
        let name = if name.is_empty() { view.id.clone() } else { name.join(", ") };
        Some(Choice { section: "run", name, about: campaign, place: None, query, run: Some(view.id) })
    };
    near.into_iter().chain(far).filter_map(choice).collect()
}

fn campaigns(state: &mut State, query: &Query) -> Vec<Choice> {
    let campaigns = state.panels.campaigns(&state.store);
    campaigns
        .iter()
        .filter(|campaign| campaign.runs > 0)
        .map(|campaign| Choice {
            section: "campaign",
            name: campaign.name.clone(),
            about: kit::counted(campaign.runs, "run", "runs"),
            place: None,
            query: crate::edits::campaign_query(query, &campaign.name),
            run: None,
        })
        .collect()
}

/// Variants of what the tile shows, each for itself.
fn variants(state: &mut State, query: &Query) -> Vec<Choice> {
    let column = Column::Condition(Key::Variant);
    let mut whole = query.clone();
    whole.filters.retain(|filter| filter.column != column);
    let facets = state.store.facets(&whole);
    let Some(facet) = facets.into_iter().find(|facet| facet.column == column) else { return Vec::new() };
    let known = facet.values.into_iter().filter(|value| value.count > 0 && !value.text.is_empty());
    known
        .map(|value| {
            let mut query = whole.clone();
            query.filters.push(Filter { column, not: false, values: vec![value.text.clone()] });
            let place = crate::panels::variant_place(state, &value.text);
            Choice {
                section: "variant",
                about: kit::counted(value.count, "run", "runs"),
                name: value.text,
                place: Some(place),
                query,
                run: None,
            }
        })
        .collect()
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let Some(mut draft) = state.sheets.compare.take() else { return };
    let mut chosen = None;
    super::inner(ui, |ui| {
        let field = egui::TextEdit::singleline(&mut draft.filter)
            .hint_text("Find")
            .desired_width(ui.available_width())
            .margin(vec2(8.0, 5.0));
        kit::field(ui, theme, field, "Find what to compare with");
        ui.add_space(6.0);
        let words: Vec<String> = draft.filter.split_whitespace().map(str::to_lowercase).collect();
        let fits = |choice: &&Choice| {
            let text = format!("{} {} {}", choice.section, choice.name, choice.about).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let choices: Vec<&Choice> = draft.choices.iter().filter(fits).collect();
        let height = ui.available_height() - 56.0;
        chosen = list(ui, theme, &choices, height).cloned();
        if choices.is_empty() {
            kit::label(ui, "Nothing of that name is open", body(ui), theme.t3);
        }
    });
    if let Some(choice) = chosen {
        state.act(Action::Sheet(None));
        state.act(Action::CompareWith { tile: draft.tile, query: Box::new(choice.query), run: choice.run });
    }
    ui.add_space((ui.available_height() - 50.0).max(0.0));
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), 50.0),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.add_space(20.0);
            if button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked() {
                state.act(Action::Sheet(None));
            }
        },
    );
    state.sheets.compare = Some(draft);
}

/// The choices under the names of their sections; gives the one that was clicked.
fn list<'a>(ui: &mut Ui, theme: &Theme, choices: &[&'a Choice], height: f32) -> Option<&'a Choice> {
    let mut rows: Vec<(Option<&str>, Option<&'a Choice>)> = Vec::new();
    let mut section = "";
    for choice in choices {
        if choice.section != section {
            section = choice.section;
            rows.push((Some(section), None));
        }
        rows.push((None, Some(choice)));
    }
    let mut chosen = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let row = row_height(ui) + 2.0;
    let area = egui::ScrollArea::vertical().id_salt("choices").auto_shrink(false).max_height(height.max(row));
    area.show_rows(ui, row, rows.len(), |ui, range| {
        for (head, choice) in rows.get(range).unwrap_or_default() {
            if let Some(head) = head {
                let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), row), Sense::hover());
                let text = plural(head);
                paint_text(
                    ui,
                    kit::left(rect, 4.0),
                    Align2::LEFT_CENTER,
                    text,
                    small(ui),
                    theme.t3,
                    rect.width(),
                );
            }
            if let Some(choice) = choice
                && choice_row(ui, theme, choice, row)
            {
                chosen = Some(*choice);
            }
        }
    });
    chosen
}

/// The head of a section.
fn plural(section: &str) -> &'static str {
    match section {
        "run" => "Runs with CPU load",
        "variant" => "Variants",
        _ => "Campaigns",
    }
}

fn choice_row(ui: &mut Ui, theme: &Theme, choice: &Choice, height: f32) -> bool {
    let (rect, response) =
        kit::row(ui, theme, height, false, &format!("{} {}, {}", choice.section, choice.name, choice.about));
    let mut x = 12.0;
    if let Some(place) = choice.place {
        kit::variant_mark(ui, kit::left(rect, x + 5.0), place, theme);
        x += 18.0 * text_scale(ui);
    }
    let about = paint_text(
        ui,
        kit::right(rect, 8.0),
        Align2::RIGHT_CENTER,
        &choice.about,
        small(ui),
        theme.t3,
        160.0,
    );
    paint_text(
        ui,
        kit::left(rect, x),
        Align2::LEFT_CENTER,
        &choice.name,
        body(ui),
        theme.t1,
        about.left() - rect.left() - x - 12.0,
    );
    response.clicked()
}
