//! What panels remember within a session: folds, texts, and answers of the store that would be too
//! dear to ask for in every frame. Forgotten with the window.

use super::details::DetailsMemory;
use super::problems::ProblemsMemory;
use crate::state::State;
use std::collections::BTreeSet;
use std::sync::Arc;
use triptych_model::Problem;
use triptych_store::{Campaign, Facet, Query, RawContext, Store};

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
    variants: Kept<u64, Vec<String>>,
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

    /// The variants in the order of their colours.
    pub fn variants(&mut self, store: &Store) -> Arc<Vec<String>> {
        self.variants.get(store.generation(), |_| store.variant_order())
    }

    /// The facets of a query and how many runs it shows.
    pub fn facets(&mut self, store: &Store, query: &Query) -> Arc<(Vec<Facet>, Counts)> {
        // Marks and thresholds change no count; without them a click on a bar asks nothing anew.
        let asked = Query { filters: query.filters.clone(), ..Query::default() };
        self.facets.get((store.generation(), asked), |(_, query)| (store.facets(query), counts(store, query)))
    }

    /// Takes what the job of [`crate::jobs::Kind::RawLines`] read.
    pub fn lines_read(&mut self, lines: RawLines) {
        self.details.lines = Some(Arc::new(lines));
    }
}

fn counts(store: &Store, query: &Query) -> Counts {
    let campaigns: Vec<_> = query
        .filters
        .iter()
        .filter(|filter| filter.column == triptych_store::Column::Condition(triptych_model::Key::Campaign))
        .cloned()
        .collect();
    let whole = Query { filters: campaigns, ..Query::default() };
    Counts { shown: store.runs(query).len(), all: store.runs(&whole).len() }
}

/// The place of a variant in the order of colours.
pub fn variant_place(state: &mut State, name: &str) -> u16 {
    let order = state.panels.variants(&state.store);
    let place = order.iter().position(|variant| variant == name).unwrap_or(0);
    u16::try_from(place).unwrap_or(0)
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
