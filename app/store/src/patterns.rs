//! Which path pattern each source is read by, and the directory left of what it matched.
//!
//! The user's own pattern comes first, then the patterns given when the source was read, then the
//! importer's guess for all sources together.

use crate::packed::plain_name;
use crate::{Corrections, Source, archive};
use std::collections::BTreeSet;
use triptych_model::{
    Importer, Origin, PathMatch, PatternError, Problem, ProblemKind, Severity, SuggestedPattern,
};

/// The pattern that a source's path was read by, with what it gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternUse {
    /// The pattern.
    pub pattern: String,
    /// `yours` where the user gave it, `path` where it was guessed.
    pub origin: Origin,
    /// What it found.
    pub found: PathMatch,
}

/// The importer's guesses for the sources that have rows; tables are campaigns of their own.
pub(crate) fn suggestions(sources: &[Source], importer: &dyn Importer) -> Vec<SuggestedPattern> {
    let paths: Vec<&str> = sources.iter().filter(|s| guessable(s)).map(|s| plain_name(s.path())).collect();
    if paths.is_empty() { Vec::new() } else { importer.suggest_patterns(&paths) }
}

fn guessable(source: &Source) -> bool {
    let data = &source.data;
    !data.is_table && source.text.is_none() && !says_all(source) && (data.has_rows() || !data.runs.is_empty())
}

/// Whether the runner's log says all that a path could.
fn says_all(source: &Source) -> bool {
    source.data.says_all || source.data.campaign.is_some() || archive::is_raw_log(source.path())
}

/// Chooses the pattern of every source, one element a source.
pub(crate) struct Chooser<'a> {
    pub(crate) corrections: &'a Corrections,
    pub(crate) importer: &'a dyn Importer,
    pub(crate) suggestions: &'a [SuggestedPattern],
    /// Patterns that cannot be understood, each said once.
    bad: BTreeSet<String>,
    pub(crate) problems: Vec<Problem>,
}

impl<'a> Chooser<'a> {
    pub(crate) fn new(
        corrections: &'a Corrections,
        importer: &'a dyn Importer,
        suggestions: &'a [SuggestedPattern],
    ) -> Self {
        Self { corrections, importer, suggestions, bad: BTreeSet::new(), problems: Vec::new() }
    }

    pub(crate) fn choose(&mut self, source: &Source) -> Option<PatternUse> {
        if says_all(source) {
            return None;
        }
        let mut used = self.choose_by_path(source)?;
        if let Some(full) = self.full_match(source, &used) {
            used.found.conditions = full.conditions;
        }
        Some(used)
    }

    /// What the full path gives where the given one ends at `.` or before the folder's name, which
    /// may say the operation.
    fn full_match(&mut self, source: &Source, used: &PatternUse) -> Option<PathMatch> {
        let path = source.path();
        let root = path.get(..used.found.root)?;
        let nameless = matches!(file_name(root), "" | "." | "..");
        let file = source.file.as_deref().filter(|_| nameless && !root.starts_with('/'))?.to_string_lossy();
        let full = self.try_match(&used.pattern, &file)?;
        let rest = |path: &str, root: usize| path.get(root..).map(|rest| rest.trim_start_matches('/').len());
        (rest(&file, full.root) == rest(path, used.found.root)).then_some(full)
    }

    fn choose_by_path(&mut self, source: &Source) -> Option<PatternUse> {
        if let Some(corrected) = self.corrected(source.path()) {
            return Some(corrected);
        }
        if source.patterns.is_empty() {
            return if source.data.is_table { None } else { self.guessed(source.path()) };
        }
        for pattern in source.patterns.iter() {
            if let Some(found) = self.try_match(pattern, source.path()) {
                return Some(PatternUse { pattern: pattern.clone(), origin: Origin::Yours, found });
            }
        }
        if !source.data.runs.is_empty() && !source.data.is_table {
            let patterns: Vec<&str> = source.patterns.iter().map(String::as_str).collect();
            self.problems.push(
                Problem::new(
                    Severity::Warning,
                    ProblemKind::Pattern,
                    source.path(),
                    "the path fits none of the given patterns",
                )
                .expected(patterns.join(" or ")),
            );
        }
        None
    }

    fn corrected(&mut self, path: &str) -> Option<PatternUse> {
        let corrections = self.corrections;
        let below_root = corrections.patterns.iter().filter(|(root, _)| below(path, root));
        let (_, pattern) = below_root.max_by_key(|(root, _)| root.len())?;
        let found = self.try_match(pattern, path)?;
        Some(PatternUse { pattern: pattern.clone(), origin: Origin::Yours, found })
    }

    fn guessed(&mut self, path: &str) -> Option<PatternUse> {
        let suggestions = self.suggestions;
        let mut fitting: Vec<&SuggestedPattern> =
            suggestions.iter().filter(|s| below(path, &s.root)).collect();
        fitting.sort_by_key(|suggestion| std::cmp::Reverse(suggestion.root.len()));
        for suggestion in fitting {
            let found = self.try_match(&suggestion.pattern, path);
            let fits = |found: &PathMatch| {
                found.root == suggestion.root.len() && 2 * found.strangers < found.spans.len().max(1)
            };
            if let Some(found) = found.filter(fits) {
                return Some(PatternUse { pattern: suggestion.pattern.clone(), origin: Origin::Path, found });
            }
        }
        None
    }

    fn try_match(&mut self, pattern: &str, path: &str) -> Option<PathMatch> {
        match self.importer.match_path(pattern, path) {
            Ok(None) if plain_name(path) != path => self.try_match(pattern, plain_name(path)),
            Ok(found) => found,
            Err(error) => {
                self.bad_pattern(pattern, error);
                None
            }
        }
    }

    fn bad_pattern(&mut self, pattern: &str, error: PatternError) {
        if self.bad.insert(pattern.to_owned()) {
            let message = format!("path pattern {pattern}: {}", error.message);
            self.problems.push(
                Problem::new(Severity::Error, ProblemKind::Pattern, "", message)
                    .at_column(error.column)
                    .found(error.found)
                    .expected(error.expected),
            );
        }
    }
}

/// Whether a path lies below a directory; everything relative lies below the empty one.
pub(crate) fn below(path: &str, root: &str) -> bool {
    root.is_empty()
        || path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/') || root.ends_with('/'))
}

/// The directory part of a path without the slash; empty where there is none.
pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
