//! Guesses which patterns the names below each directory follow.
//!
//! A guess must rest on known words in their places: a folder of arbitrary names gets none. Of
//! several patterns for the same files the one that explains most of them with most known words
//! wins; files it took are not counted again.

use super::Pattern;
use super::words::{self, Known};
use std::collections::{BTreeMap, BTreeSet};
use triptych_model::{Key, PathMatch, SuggestedPattern};

/// A usual way to name files; `@` stands for each of [`MARKERS`], the ending is one of [`ENDINGS`].
struct Shape {
    stem: &'static str,
    /// Known words (a variant's usual name counts as one) that a file must show.
    least: usize,
    /// Patterns of further files of the same runs.
    companions: &'static [&'static str],
}

/// What stands before the number of a repetition; nothing comes last.
const MARKERS: &[&str] = &["r", "rep", "run", ""];

const ENDINGS: &[&str] = &[".txt", ".log", ".out", ".time", ".json", ".csv", ".md"];

const SHAPES: &[Shape] = &[
    shape("{operation}/{variant}-{cache}-@{repetition}", 3),
    shape("{medium}/{operation}/{variant}-{cache}-@{repetition}", 4),
    shape("{operation}/{variant}-{medium}-{cache}-@{repetition}", 4),
    shape("{variant}/{operation}-{cache}-@{repetition}", 3),
    shape("{variant}/{operation}/{cache}-@{repetition}", 3),
    shape("{operation}/{variant}/{cache}-@{repetition}", 3),
    shape("{operation}/{cache}/{variant}-@{repetition}", 3),
    shape("{operation}-{threads}threads-{cache}-@{repetition}", 3),
    shape("{variant}/{operation}-{threads}threads-{cache}-@{repetition}", 5),
    shape("{operation}-{threads}threads-@{repetition}", 3),
    shape("{operation}-{variant}-{cache}-@{repetition}", 3),
    shape("{variant}-{operation}-{cache}-@{repetition}", 3),
    shape("{variant}-{cache}-@{repetition}", 3),
    shape("{operation}/{variant}-@{repetition}", 3),
    shape("{variant}/{operation}-@{repetition}", 3),
    shape("{operation}-{variant}-@{repetition}", 3),
    Shape {
        stem: "{variant}/{repository}/rep{repetition}-run{cache}[.*]",
        least: 2,
        companions: &["{variant}/{repository}/svnserve-rep{repetition}.log"],
    },
    Shape {
        stem: "{operation}/{variant}/rep{repetition}-run{cache}[.*]",
        least: 3,
        companions: &["{operation}/{variant}/svnserve-rep{repetition}.log"],
    },
    Shape {
        stem: "{variant}/rep{repetition}-run{cache}[.*]",
        least: 2,
        companions: &["{variant}/svnserve-rep{repetition}.log"],
    },
    Shape {
        stem: "{network}/{variant}/@{repetition}/{operation}[-{cache}]",
        least: 3,
        companions: &["{network}/{variant}/@{repetition}/*.log"],
    },
    Shape {
        stem: "{variant}/@{repetition}/{operation}[-{cache}]",
        least: 3,
        companions: &["{variant}/@{repetition}/*.log"],
    },
    shape("{operation}-{variant}-{cache}[-*]", 3),
    shape("{operation}/{variant}-{cache}", 3),
    shape("{variant}/{operation}-{cache}", 3),
    shape("{operation}-{cache}-@{repetition}", 3),
    shape("{operation}-{cache}", 2),
    shape("{variant}-{cache}", 2),
    shape("{operation}-{variant}", 2),
    shape("*-{operation}-{variant}", 2),
    shape("{variant}-{operation}", 2),
    shape("{operation}/{variant}", 2),
    shape("{variant}/{operation}", 2),
];

/// Names with fewer known words may be like a pattern by chance: half of the files must follow it, and show
/// several sides or states of the cache.
const SURE: usize = 3;

const fn shape(stem: &'static str, least: usize) -> Shape {
    Shape { stem, least, companions: &[] }
}

/// A pattern of the table with one marker and one ending.
struct Candidate {
    text: String,
    ending: &'static str,
    pattern: Pattern,
    least: usize,
    companions: Vec<String>,
}

/// A file that a candidate explains.
struct Hit<'a> {
    file: usize,
    root: &'a str,
    known: usize,
    variant: Option<&'a str>,
    cache: Option<&'a str>,
}

/// Guesses patterns for a set of paths; files that fit none are in no suggestion.
///
/// Suggestions are sorted by directory; for one directory the pattern of the runs comes before
/// those of their companions.
pub fn suggest_patterns(paths: &[&str]) -> Vec<SuggestedPattern> {
    let candidates = candidates();
    let hits: Vec<Vec<Hit<'_>>> = candidates.iter().map(|candidate| hits(candidate, paths)).collect();
    let mut free: Vec<bool> = vec![true; paths.len()];
    let mut suggestions = Vec::new();
    while let Some((root, index)) = best_claim(&hits, &free, paths) {
        let Some(candidate) = candidates.get(index) else { break };
        let texts = [&candidate.text].into_iter().chain(&candidate.companions);
        let mut taken = 0;
        for (position, text) in texts.enumerate() {
            let least = if position == 0 { candidate.least } else { 0 };
            let matched = take(text, least, root, paths, &mut free);
            taken += matched;
            if matched > 0 {
                let files = paths.iter().filter(|path| below(path, root)).count();
                suggestions.push(SuggestedPattern {
                    root: root.to_owned(),
                    pattern: text.clone(),
                    matched,
                    files,
                });
            }
        }
        if taken == 0 {
            break;
        }
    }
    suggestions.sort_by(|a, b| a.root.cmp(&b.root));
    suggestions
}

/// A bare number behind a name is a repetition only where the state of the cache stands before it:
/// `null-log-1.6.9-de_DE.UTF-8` has none.
fn markers(shape: &Shape) -> &'static [&'static str] {
    match (shape.stem.contains('@'), shape.stem.contains("{cache}-@"), MARKERS) {
        (false, ..) => &[""],
        (true, false, [marked @ .., _]) => marked,
        (true, ..) => MARKERS,
    }
}

fn candidates() -> Vec<Candidate> {
    let mut all = Vec::new();
    for shape in SHAPES {
        let pairs =
            markers(shape).iter().flat_map(|marker| ENDINGS.iter().map(move |ending| (marker, ending)));
        for (marker, ending) in pairs {
            let stem = shape.stem.replace('@', marker);
            let text = format!("{stem}{ending}");
            let mut companions: Vec<String> =
                shape.companions.iter().map(|text| text.replace('@', marker)).collect();
            companions.push(format!("{stem}.*"));
            if let Ok(pattern) = Pattern::parse(&text) {
                all.push(Candidate { text, ending, pattern, least: shape.least, companions });
            }
        }
    }
    all
}

/// What a candidate explains below one directory.
#[derive(Default)]
struct Claim<'a> {
    files: usize,
    known: usize,
    /// Most known words that one file shows.
    surest: usize,
    variants: BTreeSet<&'a str>,
    caches: BTreeSet<&'a str>,
}

impl Claim<'_> {
    fn holds(&self, root: &str, paths: &[&str]) -> bool {
        let most = || 2 * self.files >= paths.iter().filter(|path| below(path, root)).count();
        self.surest >= SURE || ((self.variants.len() > 1 || self.caches.len() > 1) && most())
    }
}

/// The directory and candidate that explain most of the files not yet taken.
fn best_claim<'a>(hits: &[Vec<Hit<'a>>], free: &[bool], paths: &[&str]) -> Option<(&'a str, usize)> {
    let mut best: Option<((usize, bool), &'a str, usize)> = None;
    for (index, hits) in hits.iter().enumerate() {
        let mut claims: BTreeMap<&'a str, Claim<'a>> = BTreeMap::new();
        for hit in hits.iter().filter(|hit| free.get(hit.file) == Some(&true)) {
            let claim = claims.entry(hit.root).or_default();
            claim.files += 1;
            claim.known += hit.known;
            claim.surest = claim.surest.max(hit.known);
            claim.variants.extend(hit.variant);
            claim.caches.extend(hit.cache);
        }
        for (root, claim) in claims {
            if !claim.holds(root, paths) {
                continue;
            }
            let score = (claim.known, claim.variants.len() > 1);
            if best.is_none_or(|(other, ..)| score > other) {
                best = Some((score, root, index));
            }
        }
    }
    best.map(|(_, root, index)| (root, index))
}

/// The files that a candidate explains.
fn hits<'a>(candidate: &Candidate, paths: &[&'a str]) -> Vec<Hit<'a>> {
    let hit = |(file, path): (usize, &&'a str)| {
        let found = candidate.pattern.matches(path)?;
        let known = known_words(&found, path).filter(|known| *known >= candidate.least)?;
        let root = path.get(..found.root)?;
        let [variant, cache] = [Key::Variant, Key::Cache].map(|key| printed(&found, path, key));
        Some(Hit { file, root, known, variant, cache })
    };
    paths.iter().enumerate().filter(|(_, path)| path.ends_with(candidate.ending)).filter_map(hit).collect()
}

/// Known words of a match; `None` where a key that has known words shows another one.
fn known_words(found: &PathMatch, path: &str) -> Option<usize> {
    let mut known = 0;
    for (key, span) in &found.spans {
        let text = path.get(span.clone())?;
        let free = matches!(key, Key::Variant | Key::Repository);
        match words::known(*key, text) {
            Known::Word => known += 1,
            Known::Free if free => {
                known += usize::from(*key == Key::Variant && words::looks_like_variant(text));
            }
            Known::Free | Known::Impossible => return None,
        }
    }
    Some(known)
}

fn printed<'a>(found: &PathMatch, path: &'a str, key: Key) -> Option<&'a str> {
    found.spans.iter().find(|(other, _)| *other == key).and_then(|(_, span)| path.get(span.clone()))
}

/// Marks the free files below `root` that the pattern explains, and counts them.
fn take(text: &str, least: usize, root: &str, paths: &[&str], free: &mut [bool]) -> usize {
    let Ok(pattern) = Pattern::parse(text) else { return 0 };
    let mut taken = 0;
    for (path, free) in paths.iter().zip(free.iter_mut()).filter(|(_, free)| **free) {
        let Some(found) = pattern.matches(path) else { continue };
        let same_root = path.get(..found.root) == Some(root);
        if same_root && known_words(&found, path).is_some_and(|known| known >= least) {
            *free = false;
            taken += 1;
        }
    }
    taken
}

fn below(path: &str, root: &str) -> bool {
    root.is_empty() || path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}
