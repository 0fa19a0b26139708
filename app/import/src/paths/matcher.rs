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

/// Known words, then their length in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score(u32, u32);

impl Score {
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

/// The best way on from one step and position.
#[derive(Clone, Copy)]
struct Way {
    score: Score,
    /// Position behind this step.
    end: usize,
    /// The step after it.
    next: usize,
}

/// The best reading of the end of `path`.
pub(super) fn find(parts: &[Part], path: &str) -> Option<Found> {
    if !has_texts(parts, path) {
        return None;
    }
    let mut steps = Vec::new();
    lay_flat(parts, &mut steps);
    let slashes =
        steps.iter().map(|step| if let Step::Text(text) = step { count_slashes(text) } else { 0 }).sum();
    let mut search = Search { steps: &steps, path, seen: vec![None; (steps.len() + 1) * (path.len() + 1)] };
    let mut best: Option<(Score, usize)> = None;
    for start in boundaries(path, slashes) {
        if let Some(way) = search.way(0, start)
            && best.is_none_or(|(score, _)| way.score > score)
        {
            best = Some((way.score, start));
        }
    }
    best.map(|(_, start)| Found { start, spans: search.spans(start) })
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

fn count_slashes(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'/').count()
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

/// Where the last `slashes + 1` components and fewer start, the leftmost first.
fn boundaries(path: &str, slashes: usize) -> Vec<usize> {
    let mut starts: Vec<usize> =
        path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(at, _)| at + 1).collect();
    starts.insert(0, 0);
    let surplus = starts.len().saturating_sub(slashes + 1);
    starts.split_off(surplus)
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
            None => rest.is_empty().then_some(Way { score: Score::default(), end: at, next: step }),
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
        Some(Way { score: own.plus(way.score), end, next })
    }

    /// Tries every length without a slash for a key, or for `*`.
    fn longest_way(&mut self, step: usize, at: usize, key: Option<Key>) -> Option<Way> {
        let path = self.path;
        let rest = path.get(at..)?;
        let limit = rest.find('/').unwrap_or(rest.len());
        let mut best: Option<Way> = None;
        for length in usize::from(key.is_some())..=limit {
            let Some(text) = rest.get(..length) else { continue };
            let own = match key.map(|key| words::known(key, text)) {
                Some(Known::Impossible) => continue,
                Some(Known::Word) => Score(1, u32::try_from(length).unwrap_or(u32::MAX)),
                Some(Known::Free) | None => Score::default(),
            };
            if let Some(way) = self.on(step + 1, at + length, own)
                && best.is_none_or(|best| way.score > best.score)
            {
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
                spans.push((*key, at..way.end));
            }
            (step, at) = (way.next, way.end);
        }
        spans
    }
}
