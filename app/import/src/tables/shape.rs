//! How the cells of a line are parted: pipes, tabs, semicolons, commas, gaps, blanks.

use super::cells::{is_figure, is_value};
use crate::number::parse_duration;
use std::ops::Range;

/// A way to part a line into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `| a | b |`, with or without the outer ones: Markdown, SQL clients.
    Pipes,
    /// Tabs.
    Tabs,
    /// `a;b`, with quotes where needed.
    Semicolons,
    /// `a,b`, with quotes where needed.
    Commas,
    /// Two blanks or more.
    Gaps,
    /// Any blanks.
    Words,
    /// A label of any words, and behind it that many figures.
    Tail(usize),
}

impl Shape {
    /// The ways that a header may be parted, the surest first; [`Shape::Tail`] comes from its rows.
    pub const OF_HEADERS: [Self; 6] =
        [Self::Pipes, Self::Tabs, Self::Semicolons, Self::Commas, Self::Gaps, Self::Words];

    /// Whether a character parts the cells, so that an empty cell can be told.
    pub fn is_explicit(self) -> bool {
        matches!(self, Self::Pipes | Self::Tabs | Self::Semicolons | Self::Commas)
    }

    /// The cells of a line as places in it, without blanks at their ends and without quotes.
    pub fn cells(self, text: &str) -> Vec<Range<usize>> {
        match self {
            Self::Pipes => pipes(text),
            Self::Tabs => separated(text, '\t'),
            Self::Semicolons => separated(text, ';'),
            Self::Commas => separated(text, ','),
            Self::Gaps => gaps(text),
            Self::Words => joined_words(text),
            Self::Tail(figures) => tail(text, figures),
        }
    }
}

/// Whether a line only rules off others: `|---|:--:|`, `+----+`, `=====`.
pub fn is_rule(text: &str) -> bool {
    let text = text.trim();
    text.len() >= 2
        && text.contains(['-', '=', '_', '\u{2500}', '\u{2550}'])
        && text.chars().all(|c| "-=_+|: \t\u{2500}\u{2550}\u{253c}\u{2502}".contains(c))
}

/// A place without the blanks at its ends.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let Some(part) = text.get(place.clone()) else { return place };
    let start = place.start + (part.len() - part.trim_start().len());
    let end = start + part.trim().len();
    start..end
}

fn pipes(text: &str) -> Vec<Range<usize>> {
    let mut inner = trimmed(text, 0..text.len());
    let body = text.get(inner.clone()).unwrap_or("");
    if !body.contains('|') {
        return Vec::new();
    }
    if body.starts_with('|') {
        inner.start += 1;
    }
    if body.len() > 1 && body.ends_with('|') {
        inner.end -= 1;
    }
    split_at(text, inner, |c| c == '|')
}

/// The parts of a place between separators.
fn split_at(text: &str, place: Range<usize>, is_separator: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = place.start;
    for (at, c) in text.get(place.clone()).unwrap_or("").char_indices() {
        if is_separator(c) {
            let at = place.start + at;
            cells.push(trimmed(text, start..at));
            start = at + c.len_utf8();
        }
    }
    cells.push(trimmed(text, start..place.end));
    cells
}

/// Cells between separators; one in double quotes may hold separators.
fn separated(text: &str, separator: char) -> Vec<Range<usize>> {
    if !text.contains(separator) {
        return Vec::new();
    }
    let mut cells = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in text.char_indices().chain([(text.len(), separator)]) {
        if c == '"' {
            quoted = !quoted;
        } else if c == separator && (!quoted || at == text.len()) {
            cells.push(unquoted(text, trimmed(text, start..at)));
            start = at + c.len_utf8();
        }
    }
    cells
}

fn unquoted(text: &str, place: Range<usize>) -> Range<usize> {
    let inside = text.get(place.clone()).and_then(|cell| cell.strip_prefix('"')?.strip_suffix('"'));
    match inside {
        Some(inside) => trimmed(text, place.start + 1..place.start + 1 + inside.len()),
        None => place,
    }
}

fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begun)) => {
                found.push(begun..at);
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Cells with two blanks or more between them.
fn gaps(text: &str) -> Vec<Range<usize>> {
    let mut cells: Vec<Range<usize>> = Vec::new();
    for word in words(text) {
        let gap = cells.last().map(|last| last.end..word.start);
        let wide = gap.clone().and_then(|gap| text.get(gap)).is_some_and(|gap| gap.len() > 1 || gap == "\t");
        match cells.last_mut() {
            Some(last) if !wide => last.end = word.end,
            _ => cells.push(word),
        }
    }
    cells
}

/// Words, with the parts of one figure joined: `3m 1.455s`, `12 ms`, `( 97%)`.
fn joined_words(text: &str) -> Vec<Range<usize>> {
    let mut cells: Vec<Range<usize>> = Vec::new();
    for word in words(text) {
        match cells.last_mut() {
            Some(last) if continues(text, last, &word) => last.end = word.end,
            _ => cells.push(word),
        }
    }
    cells
}

/// Whether two words are one figure: `3m 1.455s`, `12 ms`, `( 97%)`, `< 3s`; `1 2` are two.
fn continues(text: &str, last: &Range<usize>, word: &Range<usize>) -> bool {
    let part = |place: Range<usize>| text.get(place).unwrap_or("");
    let (first, second, both) = (part(last.clone()), part(word.clone()), part(last.start..word.end));
    match first {
        "(" => second.ends_with(')'),
        "<" | ">" | "~" => is_figure(second),
        _ if !first.contains(|c: char| c.is_ascii_digit()) => false,
        _ => {
            let is_unit = second.chars().all(|c| c.is_alphabetic() || c == '%');
            parse_duration(both).is_some() || (is_unit && is_figure(both))
        }
    }
}

/// A label and that many figures behind it.
fn tail(text: &str, figures: usize) -> Vec<Range<usize>> {
    let cells = joined_words(text);
    let Some(label) = cells.len().checked_sub(figures).filter(|label| *label > 0) else { return Vec::new() };
    let (front, behind) = cells.split_at(label);
    let is_value = |place: &Range<usize>| text.get(place.clone()).is_some_and(is_value);
    let (Some(first), Some(last)) = (front.first(), front.last()) else { return Vec::new() };
    if !behind.iter().all(is_value) {
        return Vec::new();
    }
    std::iter::once(first.start..last.end).chain(behind.iter().cloned()).collect()
}

/// How many figures a line ends with, behind a label; 0 where there is no label.
pub fn trailing_figures(text: &str) -> usize {
    let cells = joined_words(text);
    let is_value = |place: &Range<usize>| text.get(place.clone()).is_some_and(is_value);
    let count = cells.iter().rev().take_while(|place| is_value(place)).count();
    if count < cells.len() { count } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: Shape, text: &str, expect: &[&str]) {
        let found: Vec<&str> =
            shape.cells(text).into_iter().map(|place| text.get(place).unwrap_or("?")).collect();
        assert_eq!(found, expect, "{shape:?} {text}");
    }

    #[test]
    fn cells_of_all_shapes() {
        check(Shape::Pipes, "| verify | 3.1 s |  |", &["verify", "3.1 s", ""]);
        check(Shape::Pipes, "a|b", &["a", "b"]);
        check(Shape::Pipes, "no pipes", &[]);
        check(Shape::Tabs, "a\t\t1.5", &["a", "", "1.5"]);
        check(Shape::Semicolons, "\"a;b\"; 1,5 ;x", &["a;b", "1,5", "x"]);
        check(Shape::Commas, "\"a,b\",1.5,", &["a,b", "1.5", ""]);
        check(Shape::Commas, "\"cut,1.5", &["\"cut,1.5"]);
        check(Shape::Gaps, "  null-log -v   3m 1.455s    12 ms", &["null-log -v", "3m 1.455s", "12 ms"]);
        check(Shape::Words, "verify 3m 1.455s 12 ms 4 5", &["verify", "3m 1.455s", "12 ms", "4", "5"]);
        check(Shape::Words, "a ( 97%) 1s 2s < 3s", &["a", "( 97%)", "1s", "2s", "< 3s"]);
        check(Shape::Tail(2), "null-log -v -g 1.5 2.5s", &["null-log -v -g", "1.5", "2.5s"]);
        check(Shape::Tail(2), "1.5 2.5s", &[]);
        check(Shape::Tail(2), "a b 2.5s", &[]);
    }

    #[test]
    fn rules_and_trailing_figures() {
        for (text, expect) in [
            ("|---|:--:|", true),
            ("+----+---+", true),
            ("=====", true),
            ("-", false),
            ("a--", false),
            ("|  |", false),
        ] {
            assert_eq!(is_rule(text), expect, "{text}");
        }
        for (text, expect) in [("a b 1 2s -", 3), ("1 2", 0), ("a", 0), ("", 0), ("a 1 b", 0)] {
            assert_eq!(trailing_figures(text), expect, "{text}");
        }
    }
}
