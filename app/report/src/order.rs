//! The order of rows and of colours: operations, then medium, then cold before hot.

use crate::comparison::Row;
use std::cmp::Ordering;
use std::collections::HashMap;
use triptych_model::{Key, natural_cmp};
use triptych_store::{Cell, Group, VariantColours};

/// Operations in the order in which engineers list them; others follow in natural order.
const OPERATIONS: &[&str] = &[
    "verify",
    "export",
    "checkout",
    "update",
    "commit",
    "null-export",
    "null-list",
    "null-info",
    "null-log",
    "null-log -v",
    "null-log -v -g",
    "null-blame",
];

/// Whether a label of the cache is the cold or the hot end of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Temperature {
    Cold,
    Hot,
}

/// The end that a label belongs to; labels keep their own words everywhere else.
pub(crate) fn temperature(cache: &str) -> Option<Temperature> {
    const COLD: &[&str] = &["cold", "1st run", "1st"];
    const HOT: &[&str] =
        &["hot", "warmos", "hotos", "wrmsvn", "hotsvn", "hot-server", "2nd run", "2nd", "warm"];
    let label = cache.to_ascii_lowercase();
    if COLD.contains(&label.as_str()) {
        Some(Temperature::Cold)
    } else if HOT.contains(&label.as_str()) {
        Some(Temperature::Hot)
    } else {
        None
    }
}

/// Groups in the order of rows; campaigns in order of first appearance and never interleaved.
pub(crate) fn sorted(groups: Vec<Group>) -> Vec<Group> {
    let campaigns = Places::of(&groups, Key::Campaign);
    let mut groups = groups;
    // A published table is read in the order in which it was printed.
    groups
        .sort_by_key(|group| (campaigns.of_group(group), if group.is_table { first_line(group) } else { 0 }));
    let places = |keys: &[Key]| keys.iter().map(|key| Places::of(&groups, *key)).collect::<Vec<_>>();
    // First what headings name, then what labels their rows.
    let (heading, label) = (places(&[Key::Operation, Key::Repository, Key::Variant]), places(&[Key::Medium]));
    groups.sort_by(|a, b| {
        campaigns
            .of_group(a)
            .cmp(&campaigns.of_group(b))
            .then_with(|| by_places(&heading, a, b))
            .then_with(|| by_heading(a, b))
            .then_with(|| by_places(&label, a, b))
            .then_with(|| cache_cmp(text(a, Key::Cache), text(b, Key::Cache)))
    });
    complete(&mut groups);
    groups
}

/// Gives the rows of one operation and content the same sides: what a row lacks is an empty cell.
fn complete(groups: &mut [Group]) {
    let same = |a: &Group, b: &Group| {
        [Key::Campaign, Key::Host, Key::Operation, Key::Repository, Key::Variant, Key::Network, Key::Threads]
            .iter()
            .all(|key| text(a, *key) == text(b, *key))
            && a.process == b.process
            && a.metric == b.metric
            && a.across == b.across
    };
    for rows in groups.chunk_by_mut(same) {
        let mut names: Vec<String> = Vec::new();
        for row in rows.iter() {
            let mut after = 0;
            for cell in &row.cells {
                match names.iter().position(|name| *name == cell.name) {
                    Some(place) => after = place + 1,
                    None => {
                        names.insert(after, cell.name.clone());
                        after += 1;
                    }
                }
            }
        }
        for row in rows {
            let mut cells = std::mem::take(&mut row.cells);
            for name in &names {
                let place = cells.iter().position(|cell| cell.name == *name);
                row.cells.push(place.map_or_else(|| empty(name), |place| cells.swap_remove(place)));
            }
        }
    }
}

fn empty(name: &str) -> Cell {
    Cell { name: name.to_owned(), values: Vec::new(), failed: Vec::new(), left_out: Vec::new() }
}

/// By these conditions: published tables in their own order, others in the usual one.
fn by_places(keys: &[Places], a: &Group, b: &Group) -> Ordering {
    let by_key = |places: &Places| match (a.is_table && b.is_table, places.key) {
        (true, _) => places.of_group(a).cmp(&places.of_group(b)),
        (false, Key::Operation) => operation_cmp(text(a, places.key), text(b, places.key)),
        (false, key) => natural_cmp(text(a, key), text(b, key)),
    };
    keys.iter().map(by_key).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn by_heading(a: &Group, b: &Group) -> Ordering {
    let natural = |key: Key| natural_cmp(text(a, key), text(b, key));
    natural(Key::Network).then_with(|| natural(Key::Threads)).then_with(|| a.process.cmp(&b.process))
}

/// Cold, then hot, then labels of neither end, then none; equal ends in natural order.
pub(crate) fn cache_cmp(a: &str, b: &str) -> Ordering {
    let rank = |cache: &str| (cache.is_empty(), temperature(cache).map_or(2, |end| end as u8));
    rank(a).cmp(&rank(b)).then_with(|| natural_cmp(a, b))
}

fn operation_cmp(a: &str, b: &str) -> Ordering {
    let rank = |name: &str| OPERATIONS.iter().position(|known| *known == name).unwrap_or(OPERATIONS.len());
    rank(a).cmp(&rank(b)).then_with(|| natural_cmp(a, b))
}

fn text(group: &Group, key: Key) -> &str {
    group.conditions.get(key).unwrap_or("")
}

fn first_line(group: &Group) -> u32 {
    group.cells.iter().flat_map(|cell| &cell.values).map(|value| value.line).min().unwrap_or(u32::MAX)
}

/// Places of a condition's values by first appearance.
struct Places {
    key: Key,
    places: HashMap<String, usize>,
}

impl Places {
    fn of(groups: &[Group], key: Key) -> Self {
        let mut places = HashMap::new();
        for group in groups {
            let next = places.len();
            places.entry(text(group, key).to_owned()).or_insert(next);
        }
        Self { key, places }
    }

    fn of_group(&self, group: &Group) -> usize {
        self.places.get(text(group, self.key)).copied().unwrap_or(usize::MAX)
    }
}

/// The compared names in order of first appearance, each with its place in the order of colours.
///
/// Names that the workspace does not know yet, and what is no variant (threads), are placed behind.
pub(crate) fn variants(rows: &[Row], colours: &VariantColours) -> Vec<(String, u16)> {
    let mut variants: Vec<(String, u16)> = Vec::new();
    let mut next = 0;
    for row in rows {
        // Other keys than the variant have colours of their own, from the first on.
        let is_variant = row.group.across == Key::Variant;
        for cell in &row.group.cells {
            if variants.iter().any(|(name, _)| *name == cell.name) {
                continue;
            }
            let known = colours.place(&cell.name).filter(|_| is_variant);
            let place = known.unwrap_or(next);
            next = next.max(place.saturating_add(1));
            variants.push((cell.name.clone(), place));
        }
    }
    variants
}
