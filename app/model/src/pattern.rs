//! What a path pattern found in a path. The grammar itself is the importer's.

use crate::{Conditions, Key};
use std::ops::Range;

/// The conditions that one path gives under one pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathMatch {
    /// Bytes of the path left of the matched part, without the slash: the campaign's directory.
    pub root: usize,
    /// Canonical values, aliases applied (`null-log-g` is `null-log -v -g`, run `1` is cold).
    pub conditions: Conditions,
    /// Where in the path each value stood, in bytes.
    pub spans: Vec<(Key, Range<usize>)>,
    /// How many keys that have usual words (operation, cache …) show another one: a guessed pattern
    /// that fits a path with many of them fits by chance.
    pub strangers: usize,
}

/// A pattern that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {message}, found {found:?}, expected {expected}")]
pub struct PatternError {
    /// Column in the pattern, in characters, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The text that was found there.
    pub found: String,
    /// What was expected there.
    pub expected: String,
}

/// A pattern guessed for the files below one directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuggestedPattern {
    /// The directory left of the matched part, as given; the campaign.
    pub root: String,
    /// The pattern for what is right of it.
    pub pattern: String,
    /// How many of the files below `root` it matches.
    pub matched: usize,
    /// How many files there are below `root`.
    pub files: usize,
}
