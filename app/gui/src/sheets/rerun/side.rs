//! Old and new side by side: once the new campaign is open, its tile stands right of the old one's.

use crate::action::Place;
use crate::state::{State, TileQuery};
use crate::tiles::Tile;
use std::path::{Path, PathBuf};
use triptych_model::Key;
use triptych_runner::rerun::OldRow;
use triptych_store::{Column, Filter, Query};

/// What shall stand side by side.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// What was repeated: values of conditions.
    old: Vec<(Key, Vec<String>)>,
    /// Directory of the campaign that repeats them.
    directory: PathBuf,
    /// The generation of the store that was looked into last.
    seen: Option<u64>,
}

impl SideBySide {
    /// What these rows are of beside the campaign in a directory, as soon as it is open.
    pub fn new(rows: &[OldRow], directory: PathBuf) -> Self {
        let keys = [Key::Campaign, Key::Operation, Key::Repository, Key::Variant, Key::Medium, Key::Cache];
        let old = keys.into_iter().filter_map(|key| Some((key, values(rows, key)?))).collect();
        Self { old, directory, seen: None }
    }
}

/// Puts them side by side when the new campaign has come.
pub fn stand(state: &mut State) {
    let generation = state.store.generation();
    let Some(side) = state.sheets.side.as_mut().filter(|side| side.seen != Some(generation)) else { return };
    side.seen = Some(generation);
    let (old, directory) = (side.old.clone(), side.directory.clone());
    let campaigns = state.store.campaigns();
    let Some(new) = campaigns.iter().find(|campaign| campaign.runs > 0 && is_at(&campaign.root, &directory))
    else {
        return;
    };
    let base = state.arrangement.query.clone();
    let left = only(&base, &old);
    let right = only(&base, &[(Key::Campaign, vec![new.name.clone()])]);
    state.sheets.side = None;
    let mut panes: Vec<(u64, String)> =
        state.arrangement.tiles.panes().map(|tile| (tile.id, tile.view.clone())).collect();
    panes.sort_unstable();
    let triples = panes.iter().find(|(_, view)| view == "triples").map(|(id, _)| *id);
    crate::app::arrange(state, |arrangement| {
        let own = |query: Query| TileQuery::Own(Box::new(query));
        if let Some(tile) = triples.and_then(|id| arrangement.tiles.pane_mut(id)) {
            tile.query = own(left);
            let tile = Tile { query: own(right), ..Tile::new(0, "triples") };
            arrangement.tiles.add(tile, triples, Place::Right);
        } else {
            let tile = Tile { query: own(right), ..Tile::new(0, "triples") };
            arrangement.tiles.add(tile, None, Place::Right);
        }
    });
}

/// Whether a campaign as opened is the one of that directory.
fn is_at(root: &str, directory: &Path) -> bool {
    let root = Path::new(root);
    root.starts_with(directory) || std::path::absolute(root).is_ok_and(|root| root.starts_with(directory))
}

/// The distinct values of a condition; `None` where some row has none, so that it cannot tell them apart.
fn values(rows: &[OldRow], key: Key) -> Option<Vec<String>> {
    let mut values: Vec<String> = Vec::new();
    for row in rows {
        let value = row.conditions.get(key).filter(|value| !value.is_empty())?;
        if !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
        }
    }
    Some(values)
}

/// The same query for these conditions alone. Metric and baseline are found anew, for what was measured
/// here has other names and metrics than a mail.
fn only(base: &Query, conditions: &[(Key, Vec<String>)]) -> Query {
    let mut query = Query { metric: None, baseline: None, ..base.clone() };
    query.filters.retain(|filter| !matches!(filter.column, Column::Condition(_)));
    query.filters.extend(conditions.iter().map(|(key, values)| Filter {
        column: Column::Condition(*key),
        not: false,
        values: values.clone(),
    }));
    query
}
