//! What panels remember within a session: folds, texts, and answers of the store that would be too
//! dear to ask for in every frame. Forgotten with the window.

use super::details::DetailsMemory;
use super::problems::ProblemsMemory;
use crate::state::State;
use std::collections::BTreeSet;
use std::sync::Arc;
use triptych_model::{Key, Problem};
use triptych_store::{Campaign, Column, Facet, Filter, Query, RawContext, Store};

/// An answer kept as long as its question stays the same.
#[derive(Clone, Debug)]
pub struct Kept<K, V> {
    known: Option<(K, Arc<V>)>,
}

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self { known: None }
    }
}

impl<K: PartialEq, V> Kept<K, V> {
    /// The answer to a question, made anew only when the question is another one.
    pub fn get(&mut self, key: K, make: impl FnOnce(&K) -> V) -> Arc<V> {
        if let Some((known, value)) = &self.known
            && *known == key
        {
            return Arc::clone(value);
        }
        let value = Arc::new(make(&key));
        self.known = Some((key, Arc::clone(&value)));
        value
    }
}

/// Lines of a file as a job read them.
#[derive(Clone, Debug)]
pub struct RawLines {
    /// The store's generation, the source's index and the line they were asked for.
    pub asked: (u64, u32, u32),
    /// The lines, or why there are none.
    pub answer: Result<RawContext, Problem>,
}

/// How many runs a query shows, and of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Runs that the filters let through.
    pub shown: usize,
    /// Runs of the campaigns shown, whatever the other filters say.
    pub all: usize,
}

/// All that panels remember.
#[derive(Default)]
pub struct Memory {
    /// Campaigns whose files are listed.
    pub open_campaigns: BTreeSet<String>,
    /// Facets that are folded other than at first, by column.
    pub turned_facets: BTreeSet<&'static str>,
    /// Facets of which all values are listed, by column.
    pub whole_facets: BTreeSet<&'static str>,
    /// Details.
    pub details: DetailsMemory,
    /// Problems.
    pub problems: ProblemsMemory,
    campaigns: Kept<u64, Vec<Campaign>>,
    facets: Kept<(u64, Query), (Vec<Facet>, Counts)>,
    all_problems: Kept<u64, Vec<Problem>>,
}

impl Memory {
    /// The campaigns of the store.
    pub fn campaigns(&mut self, store: &Store) -> Arc<Vec<Campaign>> {
        self.campaigns.get(store.generation(), |_| store.campaigns())
    }

    /// All problems of the store.
    pub fn problems(&mut self, store: &Store) -> Arc<Vec<Problem>> {
        self.all_problems.get(store.generation(), |_| store.problems())
    }

    /// The facets of a query and how many runs it shows.
    pub fn facets(&mut self, store: &Store, query: &Query) -> Arc<(Vec<Facet>, Counts)> {
        // Marks and thresholds change no count; without them a click on a bar asks nothing anew.
        let asked = Query { filters: query.filters.clone(), ..Query::default() };
        self.facets
            .get((store.generation(), asked), |(_, query)| (facets(store, query), counts(store, query)))
    }

    /// Takes what the job of [`crate::jobs::Kind::RawLines`] read.
    pub fn lines_read(&mut self, lines: RawLines) {
        self.details.lines = Some(Arc::new(lines));
    }
}

/// Facets with the values that the shown campaigns have; those of others would all count nothing.
fn facets(store: &Store, query: &Query) -> Vec<Facet> {
    let mut facets = store.facets(query);
    let here = store.facets(&campaigns_only(query));
    for facet in &mut facets {
        if facet.column == Column::Condition(Key::Campaign) {
            continue;
        }
        let known = here.iter().find(|other| other.column == facet.column);
        facet.values.retain(|value| {
            value.count > 0
                || known.is_some_and(|known| {
                    known.values.iter().any(|other| other.text == value.text && other.count > 0)
                })
        });
    }
    facets.retain(|facet| !facet.values.is_empty());
    facets
}

/// The query with its filters of campaigns and no other.
fn campaigns_only(query: &Query) -> Query {
    let campaign = |filter: &&Filter| filter.column == Column::Condition(Key::Campaign);
    Query { filters: query.filters.iter().filter(campaign).cloned().collect(), ..Query::default() }
}

fn counts(store: &Store, query: &Query) -> Counts {
    Counts { shown: store.runs(query).len(), all: store.runs(&campaigns_only(query)).len() }
}

/// The place of a variant's colour.
pub fn variant_place(state: &State, name: &str) -> u16 {
    state.store.variant_colours().place(name).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_made_once_a_question() {
        let mut kept = Kept::<u32, u32>::default();
        let mut made = 0;
        for (key, expect) in [(1, 1), (1, 1), (2, 2), (1, 3)] {
            let value = kept.get(key, |_| {
                made += 1;
                made
            });
            assert_eq!(*value, expect);
        }
    }
}
