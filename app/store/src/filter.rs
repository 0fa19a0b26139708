//! Which runs a query lets through, and the facets that its filter panel shows.

use crate::colours::VariantColours;
use crate::resolve::{Resolved, RunEntry, number};
use crate::{Column, Facet, FacetValue, Filter, Query, RunIndex, Source};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use triptych_model::{Key, Symbol, natural_cmp};

/// A filter with its answer for every text, so that a million runs compare numbers.
struct Prepared<'a> {
    filter: &'a Filter,
    /// By symbol, for conditions.
    fits: Vec<bool>,
    /// By source.
    sources: Vec<bool>,
}

impl<'a> Prepared<'a> {
    fn new(filter: &'a Filter, sources: &[Source], resolved: &Resolved) -> Self {
        let any = |text: &str| filter.values.iter().any(|pattern| wildcard(pattern, text));
        let (mut fits, mut by_source) = (Vec::new(), Vec::new());
        match filter.column {
            Column::Condition(_) => fits = resolved.texts.texts().map(any).collect(),
            Column::Source => by_source = sources.iter().map(|source| any(source.path())).collect(),
            Column::Quality | Column::Run => {}
        }
        Self { filter, fits, sources: by_source }
    }

    fn lets_through(&self, run: &RunEntry) -> bool {
        let any = |text: &str| self.filter.values.iter().any(|pattern| wildcard(pattern, text));
        let fits = match self.filter.column {
            Column::Condition(key) => self.fits.get(run.value(key) as usize).copied().unwrap_or(false),
            Column::Source => self.sources.get(run.source as usize).copied().unwrap_or(false),
            Column::Run => any(&run.id),
            Column::Quality => {
                run.quality.words().any(any) || (run.quality.words().next().is_none() && any(""))
            }
        };
        fits != self.filter.not
    }
}

/// Whether a text fits a pattern with `*` for anything.
pub(crate) fn wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| text.strip_prefix(head)) else { return false };
    let mut open = false;
    let mut last = "";
    for part in parts {
        if open {
            let Some(at) = rest.find(last) else { return false };
            rest = rest.get(at + last.len()..).unwrap_or("");
        }
        (open, last) = (true, part);
    }
    if open { rest.ends_with(last) } else { rest.is_empty() }
}

/// The runs of a query, in order.
pub(crate) fn runs(sources: &[Source], resolved: &Resolved, query: &Query) -> Vec<RunIndex> {
    let filters: Vec<_> =
        query.filters.iter().map(|filter| Prepared::new(filter, sources, resolved)).collect();
    let fits = |run: &RunEntry| filters.iter().all(|filter| filter.lets_through(run));
    resolved.runs.iter().enumerate().filter(|(_, run)| fits(run)).map(|(index, _)| number(index)).collect()
}

/// The columns of the panel; the command says nothing that the operation does not.
fn columns() -> impl Iterator<Item = Column> {
    let keys = Key::ALL.into_iter().filter(|key| *key != Key::Command).map(Column::Condition);
    keys.chain([Column::Quality])
}

/// Facets of all columns that have a value.
pub(crate) fn facets(
    sources: &[Source],
    resolved: &Resolved,
    query: &Query,
    colours: &VariantColours,
) -> Vec<Facet> {
    let filters: Vec<_> =
        query.filters.iter().map(|filter| Prepared::new(filter, sources, resolved)).collect();
    // One bit a filter that stops the run.
    let stopped: Vec<u64> = resolved
        .runs
        .iter()
        .map(|run| {
            let stops = filters.iter().enumerate().filter(|(_, filter)| !filter.lets_through(run));
            stops.fold(0, |bits, (index, _)| bits | 1_u64 << index.min(63))
        })
        .collect();
    let facet = |column| {
        let own = filters.iter().enumerate().filter(|(_, filter)| filter.filter.column == column);
        let own = own.fold(0, |bits, (index, _)| bits | 1_u64 << index.min(63));
        let mut counts = counts(resolved, column, &stopped, own);
        counts.sort_by(|a, b| compare(column, &a.text, &b.text, colours));
        let known = counts.iter().any(|value| !value.text.is_empty());
        known.then_some(Facet { column, values: counts })
    };
    columns().filter_map(facet).collect()
}

/// Counts runs by value, with the filters of all other columns applied.
fn counts(resolved: &Resolved, column: Column, stopped: &[u64], own: u64) -> Vec<FacetValue> {
    if let Column::Condition(key) = column {
        let mut by_symbol: Vec<(usize, bool, bool)> = vec![(0, false, false); resolved.texts.symbols()];
        for (run, stopped) in resolved.runs.iter().zip(stopped) {
            if let Some(cell) = by_symbol.get_mut(run.value(key) as usize) {
                cell.0 += usize::from(stopped & !own == 0);
                cell.1 |= stopped & own == 0;
                cell.2 = true;
            }
        }
        let seen = by_symbol.into_iter().enumerate().filter(|(_, cell)| cell.2);
        let value = |(symbol, (count, on, _)): (usize, (usize, bool, bool))| FacetValue {
            text: resolved.text(Symbol::try_from(symbol).unwrap_or(0)).to_owned(),
            count,
            on,
        };
        return seen.map(value).collect();
    }
    let mut by_word: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for (run, stopped) in resolved.runs.iter().zip(stopped) {
        for word in run.quality.words() {
            let cell = by_word.entry(word).or_default();
            cell.0 += usize::from(stopped & !own == 0);
            cell.1 |= stopped & own == 0;
        }
    }
    by_word.into_iter().map(|(word, (count, on))| FacetValue { text: word.to_owned(), count, on }).collect()
}

/// The unknown comes last.
fn compare(column: Column, a: &str, b: &str, colours: &VariantColours) -> Ordering {
    let known = a.is_empty().cmp(&b.is_empty());
    known.then_with(|| match column {
        Column::Condition(Key::Variant) => {
            let place =
                |name: &str| colours.iter().position(|(variant, _)| variant == name).unwrap_or(usize::MAX);
            place(a).cmp(&place(b)).then_with(|| natural_cmp(a, b))
        }
        Column::Condition(key) => compare_values(key, a, b),
        _ => natural_cmp(a, b),
    })
}

/// The order of operations that lists of figures use.
const OPERATIONS: &[&str] =
    &["verify", "null-export", "null-log -v", "null-log -v -g", "export", "checkout", "commit"];

/// The order of values: operations as lists print them, cold before hot, all else natural.
pub(crate) fn compare_values(key: Key, a: &str, b: &str) -> Ordering {
    let rank = |text: &str| match key {
        Key::Operation => OPERATIONS.iter().position(|known| *known == text).unwrap_or(OPERATIONS.len()),
        Key::Cache => match text.to_ascii_lowercase().as_str() {
            lower if lower.contains("cold") => 0,
            "hot" => 1,
            "hot-server" => 2,
            _ => 3,
        },
        _ => 0,
    };
    rank(a).cmp(&rank(b)).then_with(|| natural_cmp(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, expect) in [
            ("", "", true),
            ("", "a", false),
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("*b", "abb", true),
            ("a*a", "a", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxcyyb", false),
            ("null-log*", "null-log -v -g", true),
            ("**", "ä", true),
        ] {
            assert_eq!(wildcard(pattern, text), expect, "{pattern} {text}");
        }
    }
}
