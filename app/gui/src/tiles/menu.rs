//! The menu of a tile, the menu of a mark in it, and the list of runs to choose from.

use super::scene::Scene;
use super::{Tile, behavior::view_title, data, views};
use crate::action::{Action, Place};
use crate::state::{State, TileQuery};
use crate::theme::Theme;
use crate::widgets;
use egui::{Id, RichText, Ui};
use std::sync::Arc;
use triptych_report::{ChartData, Export, LoadData, Palette, SvgOptions, Target, numbers};
use triptych_store::{Query, RunIndex};

/// What a tile offers.
pub fn ui(ui: &mut Ui, state: &mut State, tile: &Tile, scene: Option<&Scene>) {
    ui.set_min_width(180.0);
    let follows = tile.query == TileQuery::Follow;
    if ui.radio(follows, "Follow the window").clicked() {
        state.act(Action::SetTileQuery(tile.id, TileQuery::Follow));
        ui.close();
    }
    if ui.radio(!follows, "Own selection").clicked() {
        let own = data::query_of(tile, &state.arrangement.query);
        state.act(Action::SetTileQuery(tile.id, TileQuery::Own(Box::new(own))));
        ui.close();
    }
    ui.separator();
    item(ui, state, "Duplicate", Action::DuplicateTile(tile.id));
    item(ui, state, "Compare with…", Action::CompareTile(tile.id));
    for (text, place) in
        [("Split right", Place::Right), ("Split below", Place::Below), ("Add as tab", Place::Tab)]
    {
        ui.menu_button(text, |ui| {
            ui.set_min_width(140.0);
            for (view, _) in views() {
                let action = Action::AddTile { beside: Some(tile.id), view: view.to_owned(), place };
                item(ui, state, view_title(view), action);
            }
        });
    }
    ui.separator();
    if let Some(scene) = scene {
        exports(ui, state, tile, scene);
        ui.separator();
    }
    item(ui, state, "Close the tile", Action::CloseTile(tile.id));
}

fn item(ui: &mut Ui, state: &mut State, text: &str, action: Action) {
    let response = ui.button(text);
    widgets::focus_ring(ui, &response, response.rect, &state.theme);
    if response.clicked() {
        state.act(action);
        ui.close();
    }
}

fn exports(ui: &mut Ui, state: &mut State, tile: &Tile, scene: &Scene) {
    let name = |ending: &str| format!("{}.{ending}", tile.view);
    if ui.button("Copy as text").clicked() {
        let (text, what) = match &scene.data {
            ChartData::Comparison(comparison) => {
                let rows = numbers::plural(comparison.rows.len(), "row", "rows");
                (triptych_report::table_text(comparison), format!("{rows} as text"))
            }
            ChartData::Load(load) => (load_csv(load).replace(',', "\t"), "the samples as text".to_owned()),
            ChartData::Requests(data) => (data.csv().replace(',', "\t"), "the bins as text".to_owned()),
        };
        state.act(Action::Copy { text, what });
        ui.close();
    }
    if tile.view != "table" && ui.button("Save as SVG…").clicked() {
        let text = picture(ui, state, tile, scene);
        state.act(Action::SaveText { name: name("svg"), text });
        ui.close();
    }
    if ui.button("Save as CSV…").clicked() {
        let text = match &scene.data {
            ChartData::Comparison(comparison) => match triptych_report::exporter("csv").map(|csv| csv.export)
            {
                Some(Export::Table(write)) => write(comparison),
                _ => String::new(),
            },
            ChartData::Load(load) => load_csv(load),
            ChartData::Requests(data) => data.csv(),
        };
        state.act(Action::SaveText { name: name("csv"), text });
        ui.close();
    }
}

/// The figure as it stands, in the look of the window.
fn picture(ui: &Ui, state: &State, tile: &Tile, scene: &Scene) -> String {
    let kept = ui.data(|data| data.get_temp::<egui::Vec2>(size_id(tile.id)));
    let size = kept.unwrap_or(egui::Vec2::new(640.0, 320.0));
    svg_of(&scene.figure, view_title(&tile.view), size, &state.theme)
}

/// A figure that was laid out for a size, under its title, in a look.
pub fn svg_of(figure: &triptych_report::Figure, title: &str, size: egui::Vec2, theme: &Theme) -> String {
    let palette = match (theme.patterns, theme.dark) {
        (true, _) => &Palette::HIGH_CONTRAST,
        (false, true) => &Palette::DARK,
        (false, false) => &Palette::LIGHT,
    };
    triptych_report::svg(figure, &SvgOptions { title, width: size.x, height: size.y, palette })
}

/// Where the size is kept that a tile's figure was laid out for.
pub fn size_id(tile: u64) -> Id {
    Id::unique(("figure size", tile))
}

/// One row a sample: `process,metric,from_secs,to_secs,percent,line`.
fn load_csv(load: &LoadData) -> String {
    let mut text = String::from("process,metric,from_secs,to_secs,percent,line\n");
    for lane in &load.load.lanes {
        let spans = lane.starts.iter().zip(&lane.ends);
        for (((from, to), value), line) in spans.zip(&lane.values).zip(&lane.lines) {
            text.push_str(&format!("{},{},{from},{to},{value},{line}\n", lane.process, lane.metric));
        }
    }
    text
}

/// What a mark offers.
pub fn target(ui: &mut Ui, state: &mut State, tile: &Tile, target: &Target) {
    ui.set_min_width(160.0);
    ui.label(RichText::new(&target.title).small().color(state.theme.t3));
    if ui.button("Copy these figures").clicked() {
        state.act(Action::Copy { text: target.accessible_name(), what: target.title.clone() });
        ui.close();
    }
    if !target.runs.is_empty() && ui.button("Leave these runs out").clicked() {
        state.act(Action::Select(target.runs.clone()));
        state.act(Action::Command("leave-out"));
        ui.close();
    }
    if ui.button("Compare with…").clicked() {
        if !target.runs.is_empty() {
            state.act(Action::Select(target.runs.clone()));
        }
        state.act(Action::CompareTile(tile.id));
        ui.close();
    }
}

/// A run in the list.
#[derive(Clone)]
struct Choice {
    id: String,
    title: String,
}

/// The list is made once while it is open.
type Kept = (u64, Query, Arc<Vec<Choice>>);

/// Runs with a load log, by name; those of the query first.
pub fn run_picker(ui: &mut Ui, state: &State, tile: &mut Tile) {
    let id = Id::unique(("run choices", tile.id));
    let search_id = Id::unique(("run search", tile.id));
    let query = data::query_of(tile, &state.arrangement.query);
    let choices = choices(ui, state, id, &query);
    let mut search: String = ui.data(|data| data.get_temp(search_id)).unwrap_or_default();
    ui.set_width(360.0 * widgets::text_scale(ui));
    let edit = egui::TextEdit::singleline(&mut search)
        .hint_text("Find a run")
        .desired_width(f32::INFINITY)
        .margin(egui::Margin::symmetric(8, 5));
    let field = ui.add(edit).accessible_name("Find a run");
    if field.changed() {
        ui.data_mut(|data| data.insert_temp(search_id, search.clone()));
    }
    let words: Vec<String> = search.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let found: Vec<&Choice> = choices
        .iter()
        .filter(|choice| {
            let title = choice.title.to_lowercase();
            words.iter().all(|word| title.contains(word))
        })
        .collect();
    let mut picked = None;
    if ui.selectable_label(tile.run.is_none(), "Chosen by the program, or selected").clicked() {
        picked = Some(None);
    }
    let row = ui.spacing().interact_size.y;
    egui::ScrollArea::vertical().max_height(300.0).show_rows(ui, row, found.len(), |ui, rows| {
        for choice in found.get(rows).unwrap_or_default() {
            let label =
                egui::Button::selectable(tile.run.as_ref() == Some(&choice.id), choice.title.as_str())
                    .truncate();
            if ui.add(label).clicked() {
                picked = Some(Some(choice.id.clone()));
            }
        }
    });
    if found.is_empty() {
        ui.label(RichText::new("No run with a load log has this name").color(state.theme.t3));
    }
    if let Some(run) = picked {
        tile.run = run;
        ui.close();
    }
}

fn choices(ui: &Ui, state: &State, id: Id, query: &Query) -> Arc<Vec<Choice>> {
    let generation = state.store.generation();
    if let Some((kept, of, list)) = ui.data(|data| data.get_temp::<Kept>(id))
        && kept == generation
        && of == *query
    {
        return list;
    }
    let mut runs: Vec<RunIndex> = state.store.runs_with_load(query);
    let others = state.store.runs_with_load(&Query::default());
    runs.extend(others.into_iter().filter(|run| !runs.contains(run)).collect::<Vec<_>>());
    let views = runs.into_iter().filter_map(|run| state.store.run(run));
    let list: Vec<Choice> = views.map(|view| Choice { title: data::run_title(&view), id: view.id }).collect();
    let list = Arc::new(list);
    ui.data_mut(|data| data.insert_temp(id, (generation, query.clone(), Arc::clone(&list))));
    list
}
