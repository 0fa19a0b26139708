//! Conditions from names: engineers keep one file per run, such as `null-log/branch7-cold-r3.txt`.
//!
//! A pattern matches the end of a path, from a directory's start on. `{key}` is anything without a
//! slash and gives that condition, `*` is anything without a slash, `[…]` may be absent, all else is
//! literal. Where several readings fit, known words decide: `{operation}-{variant}-{cache}` reads
//! `null-export-branch6-cold` as `null-export`, `branch6`, `cold`. What people call a thing in a file
//! name is turned into the word of the glossary (`null-log-g` is `null-log -v -g`); those aliases are
//! part of the pattern and the import sheet lists them.
//!
//! Used by [`crate::Readers`] for the store, and by the window's import sheet, which underlines the
//! keys of the pattern and the parts of the path alike.

mod matcher;
mod suggest;
mod words;

use std::ops::Range;
use triptych_model::{Key, PathMatch, PatternError};

pub use suggest::suggest_patterns;
pub use words::Alias;

/// A path pattern that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<Part>,
}

/// One piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it stands in the pattern, in bytes, brackets and braces included.
    pub span: Range<usize>,
    /// What it matches.
    pub kind: PartKind,
}

/// What a piece of a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// This text.
    Text(String),
    /// One or more characters without a slash: the value of a condition.
    Key(Key),
    /// Any number of characters without a slash.
    Any,
    /// These parts or nothing.
    Optional(Vec<Part>),
}

/// Longer patterns are a mistake; the limit keeps matching cheap.
const LONGEST: usize = 500;

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// Unknown or repeated keys, brackets without their partner, a pattern without any key.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let mut reader = Reader { text, at: 0, seen: Vec::new() };
        let parts = reader.parts(false)?;
        if reader.seen.is_empty() {
            return Err(reader.error(0, "a pattern without a key gives no condition", text, &known_keys()));
        }
        if text.len() > LONGEST {
            return Err(reader.error(0, "the pattern is too long", text, "at most 500 bytes"));
        }
        Ok(Self { parts })
    }

    /// Its pieces in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Its keys and where they stand in its text, optional ones included.
    pub fn keys(&self) -> Vec<(Key, Range<usize>)> {
        let mut keys = Vec::new();
        collect_keys(&self.parts, &mut keys);
        keys
    }

    /// The conditions that a path gives, `None` where it does not match.
    pub fn matches(&self, path: &str) -> Option<PathMatch> {
        matcher::find(&self.parts, path).map(|found| words::conditions(path, found))
    }
}

/// What a path gives under a pattern; `Ok(None)` where it does not match.
///
/// # Errors
/// The pattern cannot be understood, see [`Pattern::parse`].
pub fn match_path(pattern: &str, path: &str) -> Result<Option<PathMatch>, PatternError> {
    Ok(Pattern::parse(pattern)?.matches(path))
}

/// The values of a match that stand otherwise in the path than in the conditions.
pub fn aliases_applied(found: &PathMatch, path: &str) -> Vec<Alias> {
    let mut aliases = Vec::new();
    for (key, span) in &found.spans {
        let (Some(printed), Some(value)) = (path.get(span.clone()), found.conditions.get(*key)) else {
            continue;
        };
        if printed != value {
            aliases.push(Alias { key: *key, printed: printed.to_owned(), value: value.to_owned() });
        }
    }
    aliases
}

fn collect_keys(parts: &[Part], keys: &mut Vec<(Key, Range<usize>)>) {
    for part in parts {
        match &part.kind {
            PartKind::Key(key) => keys.push((*key, part.span.clone())),
            PartKind::Optional(inner) => collect_keys(inner, keys),
            PartKind::Text(_) | PartKind::Any => {}
        }
    }
}

fn known_keys() -> String {
    let names: Vec<String> = Key::ALL.iter().map(|key| format!("{{{}}}", key.name())).collect();
    format!("one of {}", names.join(" "))
}

/// Reads the text of a pattern from left to right.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    seen: Vec<Key>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Reads up to the end, or inside brackets up to the `]`, which it leaves there.
    fn parts(&mut self, bracketed: bool) -> Result<Vec<Part>, PatternError> {
        let mut parts = Vec::new();
        while let Some(next) = self.rest().chars().next() {
            let start = self.at;
            let kind = match next {
                '{' => self.key()?,
                '*' => {
                    self.at += 1;
                    PartKind::Any
                }
                '[' if bracketed => {
                    return Err(self.error(
                        start,
                        "optional parts cannot be nested",
                        "[",
                        "] before the next [",
                    ));
                }
                '[' => self.optional()?,
                ']' if bracketed => return Ok(parts),
                '}' | ']' => {
                    let partner = if next == '}' { "{ before it" } else { "[ before it" };
                    return Err(self.error(
                        start,
                        "a bracket without its partner",
                        &next.to_string(),
                        partner,
                    ));
                }
                _ => self.literal(),
            };
            parts.push(Part { span: start..self.at, kind });
        }
        Ok(parts)
    }

    fn literal(&mut self) -> PartKind {
        let rest = self.rest();
        let end = rest.find(['{', '}', '[', ']', '*']).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or("").to_owned();
        self.at += end;
        PartKind::Text(text)
    }

    fn key(&mut self) -> Result<PartKind, PatternError> {
        let start = self.at;
        let Some(end) = self.rest().find('}') else {
            return Err(self.error(start, "a bracket without its partner", self.rest(), "} behind the key"));
        };
        let name = self.rest().get(1..end).unwrap_or("").to_owned();
        let Some(key) = Key::parse(&name) else {
            return Err(self.error(start, "unknown key", &name, &known_keys()));
        };
        if self.seen.contains(&key) {
            return Err(self.error(start, "a key stands twice", &name, "each key once"));
        }
        self.seen.push(key);
        self.at += end + 1;
        Ok(PartKind::Key(key))
    }

    fn optional(&mut self) -> Result<PartKind, PatternError> {
        let start = self.at;
        self.at += 1;
        let inner = self.parts(true)?;
        if !self.rest().starts_with(']') {
            return Err(self.error(
                start,
                "a bracket without its partner",
                "[",
                "] behind the optional part",
            ));
        }
        self.at += 1;
        Ok(PartKind::Optional(inner))
    }

    fn error(&self, at: usize, message: &str, found: &str, expected: &str) -> PatternError {
        let before = self.text.get(..at).unwrap_or("").chars().count();
        PatternError {
            column: u32::try_from(before + 1).unwrap_or(u32::MAX),
            message: message.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
