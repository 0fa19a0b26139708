//! Finds the best reading of the end of a path under a pattern.
//!
//! A pattern is laid flat into steps and the best way through them is remembered per step and
//! position, so that no pattern makes it slow. Best is the reading with the most known words, then
//! with the longest ones; among equals a key takes as little as it can.

use super::words::{self, Known};
use super::{Part, PartKind};
use std::ops::Range;
use triptych_model::Key;

/// Where the pattern matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// First byte of the matched part.
    pub start: usize,
    /// Where the values stand.
    pub spans: Vec<(Key, Range<usize>)>,
}

enum Step<'p> {
    Text(&'p str),
    Key(Key),
    Any,
    /// Go on, or skip to that step.
    Maybe(usize),
}

/// Longer ends of paths are none; positions fit into 16 bits, which keeps what is remembered small.
const LONGEST: usize = 60_000;

/// Known words, then their length in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score(u16, u16);

impl Score {
    fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0), self.1.saturating_add(other.1))
    }
}

/// The best way on from one step and position.
#[derive(Clone, Copy)]
struct Way {
    score: Score,
    /// Position behind this step.
    end: u16,
    /// The step after it.
    next: u16,
}

/// The best reading of the end of `path`.
pub(super) fn find(parts: &[Part], path: &str) -> Option<Found> {
    let base = leftmost_start(path, slashes(parts));
    let tail = path.get(base..)?;
    if tail.len() > LONGEST || !has_texts(parts, tail) {
        return None;
    }
    let mut steps = Vec::new();
    lay_flat(parts, &mut steps);
    let mut search =
        Search { steps: &steps, path: tail, seen: vec![None; (steps.len() + 1) * (tail.len() + 1)] };
    let mut best: Option<(Score, usize)> = None;
    for start in std::iter::once(0).chain(tail.match_indices('/').map(|(at, _)| at + 1)) {
        if let Some(way) = search.way(0, start)
            && best.is_none_or(|(score, _)| way.score > score)
        {
            best = Some((way.score, start));
        }
    }
    let (_, start) = best?;
    let spans = search.spans(start).into_iter().map(|(key, span)| (key, base + span.start..base + span.end));
    Some(Found { start: base + start, spans: spans.collect() })
}

/// Most slashes that the pattern can match.
fn slashes(parts: &[Part]) -> usize {
    let count = |part: &Part| match &part.kind {
        PartKind::Text(text) => text.bytes().filter(|byte| *byte == b'/').count(),
        PartKind::Optional(inner) => slashes(inner),
        PartKind::Key(_) | PartKind::Any => 0,
    };
    parts.iter().map(count).sum()
}

/// Where the last `slashes + 1` components start.
fn leftmost_start(path: &str, slashes: usize) -> usize {
    path.rmatch_indices('/').nth(slashes).map_or(0, |(at, _)| at + 1)
}

/// Whether the literal texts stand in the path in their order; spares most paths the search.
fn has_texts(parts: &[Part], path: &str) -> bool {
    if let Some(Part { kind: PartKind::Text(text), .. }) = parts.last()
        && !path.ends_with(text.as_str())
    {
        return false;
    }
    let mut rest = path;
    parts.iter().all(|part| match &part.kind {
        PartKind::Text(text) => match rest.split_once(text.as_str()) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        },
        _ => true,
    })
}

fn lay_flat<'p>(parts: &'p [Part], steps: &mut Vec<Step<'p>>) {
    for part in parts {
        match &part.kind {
            PartKind::Text(text) => steps.push(Step::Text(text)),
            PartKind::Key(key) => steps.push(Step::Key(*key)),
            PartKind::Any => steps.push(Step::Any),
            PartKind::Optional(inner) => {
                let maybe = steps.len();
                steps.push(Step::Maybe(0));
                lay_flat(inner, steps);
                let behind = steps.len();
                if let Some(step) = steps.get_mut(maybe) {
                    *step = Step::Maybe(behind);
                }
            }
        }
    }
}

struct Search<'s> {
    steps: &'s [Step<'s>],
    path: &'s str,
    /// By step and position; outer `None` is not yet tried, inner `None` leads nowhere.
    seen: Vec<Option<Option<Way>>>,
}

impl Search<'_> {
    fn way(&mut self, step: usize, at: usize) -> Option<Way> {
        let cell = step * (self.path.len() + 1) + at;
        if let Some(Some(known)) = self.seen.get(cell) {
            return *known;
        }
        let way = self.try_step(step, at);
        if let Some(slot) = self.seen.get_mut(cell) {
            *slot = Some(way);
        }
        way
    }

    fn try_step(&mut self, step: usize, at: usize) -> Option<Way> {
        let rest = self.path.get(at..)?;
        match self.steps.get(step) {
            None => rest.is_empty().then_some(Way { score: Score::default(), end: 0, next: 0 }),
            Some(Step::Text(text)) => {
                rest.strip_prefix(text)?;
                self.on(step + 1, at + text.len(), Score::default())
            }
            Some(Step::Maybe(behind)) => {
                let behind = *behind;
                let (inside, skipped) =
                    (self.on(step + 1, at, Score::default()), self.on(behind, at, Score::default()));
                match (inside, skipped) {
                    (Some(inside), Some(skipped)) if skipped.score > inside.score => Some(skipped),
                    (Some(inside), _) => Some(inside),
                    (None, skipped) => skipped,
                }
            }
            Some(Step::Any) => self.longest_way(step, at, None),
            Some(Step::Key(key)) => {
                let key = *key;
                self.longest_way(step, at, Some(key))
            }
        }
    }

    fn on(&mut self, next: usize, end: usize, own: Score) -> Option<Way> {
        let way = self.way(next, end)?;
        Some(Way {
            score: own.plus(way.score),
            end: u16::try_from(end).ok()?,
            next: u16::try_from(next).ok()?,
        })
    }

    /// Tries every length without a slash for a key, or for `*`.
    fn longest_way(&mut self, step: usize, at: usize, key: Option<Key>) -> Option<Way> {
        let path = self.path;
        let rest = path.get(at..)?;
        let limit = rest.find('/').unwrap_or(rest.len());
        let mut best: Option<Way> = None;
        for length in usize::from(key.is_some())..=limit {
            let Some(text) = rest.get(..length) else { continue };
            // Most lengths lead nowhere, so the words are looked up last.
            let Some(way) = self.on(step + 1, at + length, Score::default()) else { continue };
            let own = match key.map(|key| words::known(key, text)) {
                Some(Known::Impossible) => continue,
                Some(Known::Word) => Score(1, u16::try_from(length).unwrap_or(u16::MAX)),
                Some(Known::Free) | None => Score::default(),
            };
            let way = Way { score: own.plus(way.score), ..way };
            if best.is_none_or(|best| way.score > best.score) {
                best = Some(way);
            }
        }
        best
    }

    /// Walks the best way from `start` and collects the values.
    fn spans(&mut self, start: usize) -> Vec<(Key, Range<usize>)> {
        let (mut step, mut at, mut spans) = (0, start, Vec::new());
        while step < self.steps.len() {
            let Some(way) = self.way(step, at) else { break };
            if let Some(Step::Key(key)) = self.steps.get(step) {
                spans.push((*key, at..usize::from(way.end)));
            }
            (step, at) = (usize::from(way.next), usize::from(way.end));
        }
        spans
    }
}
