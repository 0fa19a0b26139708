//! Asks the store for the data of each tile, in jobs, when its query or the store has changed.
//!
//! A tile of one run (CPU load) names its run, takes the selection's, or takes the n-th of runs
//! that are worth laying side by side: the same cell of the baseline and the last variant.

use super::Tile;
use crate::jobs::Kind;
use crate::state::{Answer, State, TileQuery};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use triptych_model::{Conditions, Key, Process, natural_cmp};
use triptych_report::{ChartData, Refusal};
use triptych_store::{Query, RunIndex, RunView, Store};

/// Selected runs that are looked at for a load; more would not fit beside each other.
const LOOKED_AT: usize = 32;

/// Whether a view draws one run and not a comparison.
pub fn takes_one_run(view: &str) -> bool {
    view == "cpu-load"
}

/// The query of a tile: its own or the window's.
pub fn query_of(tile: &Tile, window: &Query) -> Query {
    match &tile.query {
        TileQuery::Follow => window.clone(),
        TileQuery::Own(own) => (**own).clone(),
    }
}

/// Starts the jobs that are due; called before a frame.
pub fn request_data(state: &mut State) {
    if state.is_empty() {
        state.tile_data.clear();
        return;
    }
    let tiles: Vec<Tile> = state.arrangement.tiles.panes().cloned().collect();
    state.tile_data.retain(|id, _| tiles.iter().any(|tile| tile.id == *id));
    let generation = state.store.generation();
    for tile in tiles {
        let wanted = (generation, wanted(state, &tile));
        let data = state.tile_data.entry(tile.id).or_default();
        if data.asked.as_ref() != Some(&wanted) {
            data.asked = Some(wanted.clone());
            start(state, &tile, wanted.1);
        }
    }
}

/// What a tile's data depend on, besides the store: its query, and for one run the ids to choose from.
fn wanted(state: &State, tile: &Tile) -> Query {
    let mut query = query_of(tile, &state.arrangement.query);
    if !takes_one_run(&tile.view) {
        return query;
    }
    if let Some(run) = &tile.run {
        query.marked = [run.clone()].into();
    } else if tile.query == TileQuery::Follow {
        query.marked = match kept_choice(state, tile) {
            Some(marked) => marked,
            None => {
                let looked_at = state.selection.iter().take(LOOKED_AT);
                looked_at.filter_map(|run| state.store.run(*run)).map(|view| view.id).collect()
            }
        };
    }
    query
}

/// What was chosen from, while only runs are selected that tiles show already: a click on one of two
/// loads must not make them change places.
fn kept_choice(state: &State, tile: &Tile) -> Option<BTreeSet<String>> {
    let shown = |run: &RunIndex| {
        state.tile_data.values().any(|data| match &data.answer {
            Some(Ok(ChartData::Load(load))) => load.load.run == *run,
            _ => false,
        })
    };
    let (generation, asked) = state.tile_data.get(&tile.id)?.asked.as_ref()?;
    let same = *generation == state.store.generation() && !state.selection.is_empty();
    (same && state.selection.iter().all(shown)).then(|| asked.marked.clone())
}

fn start(state: &mut State, tile: &Tile, query: Query) {
    let (store, id, view) = (Arc::clone(&state.store), tile.id, tile.view.clone());
    // A named run is the only one to choose from.
    let nth = if tile.run.is_some() { 0 } else { tile.nth };
    state.jobs.start(Kind::Chart(id), move |_| Ok(Answer::Chart(id, chart_data(&store, &view, &query, nth))));
}

fn chart_data(store: &Store, view: &str, query: &Query, nth: usize) -> Result<ChartData, Refusal> {
    // The table's twin of a comparison is made of the same data as the triples.
    let id = if view == "table" { "triples" } else { view };
    let Some(chart) = triptych_report::chart(id) else {
        return Err(Refusal {
            title: "Unknown chart".to_owned(),
            reason: format!("This program has no chart named {view}."),
            next_step: "The workspace may come from another version.".to_owned(),
        });
    };
    if !takes_one_run(view) {
        return chart.data(store, query);
    }
    let Some(run) = choose(store, query, nth) else { return chart.data(store, query) };
    chart.data(store, &Query { marked: [run].into(), filters: Vec::new(), ..query.clone() })
}

/// The id of the run that a tile shows.
fn choose(store: &Store, query: &Query, nth: usize) -> Option<String> {
    let marked: Vec<RunIndex> = query.marked.iter().filter_map(|id| store.run_index(id)).collect();
    let run = side_by_side(store, query, &marked).get(nth).copied()?;
    store.run(run).map(|view| view.id)
}

/// Runs with a load, those worth comparing first: the marked ones and what stands beside them, then
/// one a variant of the same cell, the longest.
fn side_by_side(store: &Store, query: &Query, marked: &[RunIndex]) -> Vec<RunIndex> {
    let mut base = Query { marked: BTreeSet::new(), ..query.clone() };
    if store.runs_with_load(&base).is_empty() {
        base.filters.clear();
    }
    let runs = store.runs_with_load(&base);
    let all = marked.iter().filter(|run| store.load(**run).is_some()).chain(&runs);
    let views: Vec<RunView> = all.filter_map(|run| store.run(*run)).collect();
    // The order of the triples: the baseline first, as it was chosen or guessed there.
    let mut names: Vec<String> = Vec::new();
    for cell in store.groups(&base).into_iter().flat_map(|group| group.cells) {
        if !names.contains(&cell.name) {
            names.push(cell.name);
        }
    }
    let place = |name: &str| names.iter().position(|known| known == name).unwrap_or(usize::MAX);
    let order = |a: &str, b: &str| place(a).cmp(&place(b)).then_with(|| natural_cmp(a, b));
    ordered(&views, base.across.unwrap_or(Key::Variant), marked, order)
}

/// One cell with its variants and how long its longest run took.
#[derive(Default)]
struct Cell {
    sides: Vec<(String, RunIndex)>,
    longest: f64,
}

fn ordered(
    views: &[RunView],
    across: Key,
    marked: &[RunIndex],
    order: impl Fn(&str, &str) -> Ordering,
) -> Vec<RunIndex> {
    let mut cells: BTreeMap<Vec<(Key, String)>, Cell> = BTreeMap::new();
    let counts =
        |view: &&RunView| marked.contains(&view.index) || (view.failure.is_none() && view.left_out.is_none());
    for view in views.iter().filter(counts) {
        let conditions = conditions(view);
        let side = conditions.get(across).unwrap_or_default().to_owned();
        let cell = cells.entry(cell_key(&conditions, across)).or_default();
        cell.longest = cell.longest.max(seconds(view));
        // Runs that nothing names are not repetitions of each other.
        if side.is_empty() || !cell.sides.iter().any(|(name, _)| *name == side) {
            cell.sides.push((side, view.index));
        }
    }
    let mut cells: Vec<Cell> = cells.into_values().collect();
    let is_marked = |cell: &Cell| cell.sides.iter().any(|(_, run)| marked.contains(run));
    cells.sort_by(|a, b| {
        let compared = |cell: &Cell| cell.sides.len() > 1;
        is_marked(b)
            .cmp(&is_marked(a))
            .then(compared(b).cmp(&compared(a)))
            .then(b.longest.total_cmp(&a.longest))
    });
    cells.into_iter().flat_map(|cell| sides_in_order(cell.sides, marked, &order)).collect()
}

/// The marked ones, then the baseline, the last variant, and those between.
fn sides_in_order(
    mut sides: Vec<(String, RunIndex)>,
    marked: &[RunIndex],
    order: &impl Fn(&str, &str) -> Ordering,
) -> Vec<RunIndex> {
    sides.sort_by(|(a, _), (b, _)| order(a, b));
    let mut runs: Vec<RunIndex> = sides.into_iter().map(|(_, run)| run).collect();
    if runs.len() > 2
        && let Some(last) = runs.pop()
    {
        runs.insert(1, last);
    }
    runs.sort_by_key(|run| !marked.contains(run));
    runs
}

fn conditions(view: &RunView) -> Conditions {
    let mut conditions = Conditions::new();
    for (key, (value, _)) in &view.conditions {
        conditions.set(*key, value.clone());
    }
    conditions
}

fn cell_key(conditions: &Conditions, across: Key) -> Vec<(Key, String)> {
    const FACTS: [Key; 5] = [Key::Command, Key::Build, Key::Format, Key::Packed, Key::Repetition];
    let known = conditions.iter().filter(|(key, _)| *key != across && !FACTS.contains(key));
    known.map(|(key, value)| (key, value.to_owned())).collect()
}

fn seconds(view: &RunView) -> f64 {
    let real = view.values.iter().filter(|value| value.metric == "real" && value.process == Process::Client);
    real.filter_map(|value| value.value).fold(0.0, f64::max)
}

/// A run's id, which is its source and place in it, without the directory.
fn file_name(id: &str) -> &str {
    id.rsplit(['/', '\\']).next().unwrap_or(id)
}

/// `checkout, svnserve-1.6.9, all_packed, cold, run 2`: a run among others.
pub fn run_title(view: &RunView) -> String {
    let mut words: Vec<String> = Vec::new();
    for key in
        [Key::Operation, Key::Variant, Key::Repository, Key::Medium, Key::Network, Key::Threads, Key::Cache]
    {
        if let Some((value, _)) = view.conditions.get(&key) {
            words.push(if key == Key::Threads { format!("{value} threads") } else { value.clone() });
        }
    }
    if let Some((repetition, _)) = view.conditions.get(&Key::Repetition) {
        words.push(format!("run {repetition}"));
    }
    if words.is_empty() { file_name(&view.id).to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::Origin;

    fn view(index: RunIndex, variant: &str, cache: &str, repetition: &str, real: f64) -> RunView {
        let conditions = [(Key::Variant, variant), (Key::Cache, cache), (Key::Repetition, repetition)];
        let value = triptych_store::RunValue {
            process: Process::Client,
            metric: "real".into(),
            value: Some(real),
            high: None,
            unit: triptych_model::Unit::Secs,
            quality: triptych_model::Quality::default(),
            raw: String::new(),
            source: 0,
            line: 1,
        };
        RunView {
            id: format!("r{index}"),
            index,
            source: 0,
            line: 1,
            conditions: conditions.into_iter().map(|(k, v)| (k, (v.to_owned(), Origin::Path))).collect(),
            started: None,
            exit: None,
            failure: None,
            left_out: None,
            quality: triptych_model::Quality::default(),
            settings: serde_json::Map::new(),
            values: vec![value],
            companions: Vec::new(),
        }
    }

    #[test]
    fn baseline_and_last_variant_of_the_longest_cell_stand_first() {
        let views = [
            view(0, "1.6.9", "hot", "1", 20.0),
            view(1, "1.7.22", "hot", "1", 10.0),
            view(2, "1.6.9", "cold", "1", 156.0),
            view(3, "1.6.9", "cold", "2", 150.0),
            view(4, "1.7.22", "cold", "1", 90.0),
            view(5, "1.9.12", "cold", "1", 80.0),
            view(6, "alone", "warm", "1", 900.0),
        ];
        for (marked, expect) in
            [(&[][..], [2, 5, 4, 0, 1, 6]), (&[4][..], [4, 2, 5, 0, 1, 6]), (&[1][..], [1, 0, 2, 5, 4, 6])]
        {
            assert_eq!(ordered(&views, Key::Variant, marked, natural_cmp), expect, "marked {marked:?}");
        }
    }

    #[test]
    fn failed_runs_are_not_offered_first() {
        let mut failed = view(0, "a", "cold", "1", 50.0);
        failed.failure = Some("exit 1".into());
        let views = [failed, view(1, "a", "cold", "2", 40.0)];
        assert_eq!(ordered(&views, Key::Variant, &[], natural_cmp), [1]);
        assert_eq!(ordered(&views, Key::Variant, &[0], natural_cmp), [0]);
    }

    #[test]
    fn a_run_is_named_by_its_conditions() {
        assert_eq!(run_title(&view(0, "1.6.9", "cold", "2", 1.0)), "1.6.9, cold, run 2");
    }
}
