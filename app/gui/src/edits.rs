//! What commands and facets change: the query, the runs left out, and the triples that leave the window.

use crate::action::Action;
use crate::app::arrange;
use crate::open;
use crate::state::{State, TileQuery};
use crate::toasts::Toast;
use triptych_store::{Column, Filter, Query};

/// The query that shows one campaign: other filters were made for another and go.
pub fn campaign_query(query: &Query, name: &str) -> Query {
    let campaign = Column::Condition(triptych_model::Key::Campaign);
    Query {
        filters: vec![Filter { column: campaign, not: false, values: vec![name.to_owned()] }],
        metric: None,
        across: None,
        ..query.clone()
    }
}

fn facet_values(state: &State, column: Column) -> Vec<(String, bool)> {
    let facets = state.store.facets(&state.arrangement.query);
    let facet = facets.into_iter().find(|facet| facet.column == column);
    facet
        .map(|facet| facet.values.into_iter().map(|value| (value.text, value.on)).collect())
        .unwrap_or_default()
}

fn set_facet(state: &mut State, column: Column, values: Option<Vec<String>>) {
    arrange(state, |arrangement| {
        arrangement.query.filters.retain(|filter| filter.column != column);
        if let Some(values) = values {
            arrangement.query.filters.push(Filter { column, not: false, values });
        }
    });
}

/// Checks or unchecks one value; all checked is no filter.
pub fn toggle_facet(state: &mut State, column: Column, value: &str) {
    let mut values = facet_values(state, column);
    for (text, on) in &mut values {
        if *text == value {
            *on = !*on;
        }
    }
    let all_on = values.iter().all(|(_, on)| *on);
    let on = values.into_iter().filter(|(_, on)| *on).map(|(text, _)| text).collect();
    set_facet(state, column, (!all_on).then_some(on));
}

/// Lets only one value through, or all again where it was the only one.
pub fn only_facet(state: &mut State, column: Column, value: String) {
    let on: Vec<String> =
        facet_values(state, column).into_iter().filter(|(_, on)| *on).map(|(text, _)| text).collect();
    let already = on.len() == 1 && on.first() == Some(&value);
    set_facet(state, column, (!already).then(|| vec![value]));
}

/// Takes every filter away.
pub fn clear_filters(state: &mut State) {
    arrange(state, |arrangement| arrangement.query.filters.clear());
}

/// The one campaign that the query shows, if it is one.
pub fn shown_campaign(state: &State) -> Option<String> {
    let campaign = Column::Condition(triptych_model::Key::Campaign);
    let filter =
        state.arrangement.query.filters.iter().find(|filter| filter.column == campaign && !filter.not)?;
    (filter.values.len() == 1).then(|| filter.values.first().cloned()).flatten()
}

/// Divides by the next variant.
pub fn next_baseline(state: &mut State) {
    let names: Vec<String> = state.comparison.variants.iter().map(|(name, _)| name.clone()).collect();
    if names.is_empty() {
        return;
    }
    let now = state.arrangement.query.baseline.clone().or_else(|| {
        state
            .comparison
            .rows
            .first()
            .and_then(|row| row.group.cells.get(row.baseline))
            .map(|cell| cell.name.clone())
    });
    let place = now
        .and_then(|name| names.iter().position(|other| *other == name))
        .map_or(0, |index| (index + 1) % names.len());
    let next = names.get(place).cloned();
    arrange(state, |arrangement| arrangement.query.baseline = next);
}

/// Lets failed runs count, or not.
pub fn toggle_failed(state: &mut State) {
    arrange(state, |arrangement| arrangement.query.with_failed = !arrangement.query.with_failed);
}

fn selected_ids(state: &State) -> Vec<String> {
    state.selection.iter().filter_map(|run| state.store.run(*run).map(|view| view.id)).collect()
}

/// Leaves the selected runs out; the reason can be changed in Details.
pub fn leave_out(state: &mut State) {
    let ids = selected_ids(state);
    let mut corrections = state.store.corrections().clone();
    let count = ids.len();
    for id in ids {
        corrections.left_out.insert(id, "left out by hand".to_owned());
    }
    state.act(Action::Correct(corrections));
    let toast = Toast::note(format!("{} left out", open::plural(count, "run")));
    state.toasts.push(toast.offer("Undo", Action::Command("undo")));
}

/// Lets the selected runs count again.
pub fn take_back(state: &mut State) {
    let mut corrections = state.store.corrections().clone();
    for id in selected_ids(state) {
        corrections.left_out.remove(&id);
    }
    state.act(Action::Correct(corrections));
}

fn triples_text(state: &State, exporter: &str) -> Option<String> {
    match triptych_report::exporter(exporter)?.export {
        triptych_report::Export::Table(write) => Some(write(&state.comparison)),
        triptych_report::Export::Figure(_) => None,
    }
}

/// Copies the triples of the window's query.
pub fn copy_triples(state: &mut State, exporter: &str) {
    if let Some(text) = triples_text(state, exporter) {
        let what = format!("{} as {exporter}", open::plural(state.comparison.rows.len(), "row"));
        state.act(Action::Copy { text, what });
    }
}

/// Saves the triples of the window's query.
pub fn save_triples(state: &mut State, exporter: &str) {
    if let Some(text) = triples_text(state, exporter) {
        state.act(Action::SaveText { name: format!("triples.{exporter}"), text });
    }
}

/// Lets the tile used last follow the window's query, or gives it a query of its own.
pub fn toggle_own_query(state: &mut State) {
    let Some(tile) = state.tile() else { return };
    let query = match &tile.query {
        TileQuery::Follow => TileQuery::Own(Box::new(state.arrangement.query.clone())),
        TileQuery::Own(_) => TileQuery::Follow,
    };
    let action = Action::SetTileQuery(tile.id, query);
    state.act(action);
}
