//! Pieces of the triples chart that need no layout: whiskers, ratio texts, the headline of a small tile.

use super::panels::Panel;
use super::pen::Pen;
use super::readout::{self, is_indication};
use crate::comparison::{Comparison, Row};
use crate::figure::{Align, Font, Ink, Rect};
use crate::numbers;
use triptych_analysis::Verdict;
use triptych_model::Key;
use triptych_store::RunIndex;

/// Too small for bars: the strongest verdict as one figure.
pub(super) fn headline(pen: &mut Pen<'_, '_>, comparison: &Comparison) {
    let sides = comparison
        .rows
        .iter()
        .flat_map(|row| row.sides.iter().enumerate().map(move |(i, side)| (row, i, side)));
    let shown = sides.filter_map(|(row, index, side)| side.ratio.map(|ratio| (row, index, side, ratio)));
    let clear = |verdict: Option<Verdict>| matches!(verdict, Some(Verdict::Faster | Verdict::Slower));
    let strongest = shown.max_by(|a, b| {
        clear(a.2.verdict).cmp(&clear(b.2.verdict)).then(a.3.ln().abs().total_cmp(&b.3.ln().abs()))
    });
    let Some((row, index, side, ratio)) = strongest else { return };
    let (x, y) = (pen.scaled(10.0), pen.scaled(18.0));
    let text = numbers::ratio(ratio);
    pen.text([x, y], &text, Font::Figure, ratio_ink(side.verdict), Align::Min);
    let after = x + pen.width(&text, Font::Figure) + pen.scaled(14.0);
    if let Some(verdict) = side.verdict {
        pen.verdict([after, y], verdict, is_indication(row, index));
    }
    let name = row.name(index).unwrap_or_default();
    let room = pen.frame.width - 2.0 * x;
    for (line, words) in [name.to_owned(), crate::words::row_title(row)].iter().enumerate() {
        let words = pen.fitted(words, Font::Small, room);
        let y = y + pen.scaled(26.0 + 15.0 * line as f32);
        pen.text([x, y], &words, Font::Small, if line == 0 { Ink::T2 } else { Ink::T3 }, Align::Min);
    }
    let (width, height) = (pen.frame.width, pen.frame.height);
    let target = readout::target(comparison, row, index, Rect { x: 0.0, y: 0.0, w: width, h: height });
    pen.figure.targets.push(target);
}

pub(super) fn ratio_ink(verdict: Option<Verdict>) -> Ink {
    match verdict {
        Some(Verdict::Faster) => Ink::Faster,
        Some(Verdict::Slower) => Ink::Slower,
        _ => Ink::T2,
    }
}

/// A panel in pieces of at most that many triples.
pub(super) fn cut<'a>(panel: &Panel<'a>, most: usize) -> Vec<Panel<'a>> {
    let pieces = panel.rows.chunks(most);
    pieces
        .map(|rows| Panel {
            title: panel.title.clone(),
            subtitle: panel.subtitle.clone(),
            rows: rows.to_vec(),
        })
        .collect()
}

/// The ends of a bar's whisker: the range of the runs, from six runs on the interval of the median.
pub(super) fn whisker(side: &crate::comparison::Side) -> Option<(f64, f64)> {
    side.interval.or(side.range.filter(|_| side.n > 1))
}

pub(super) fn whisker_shapes(pen: &mut Pen<'_, '_>, x: f32, low: f32, high: f32) {
    let cap = pen.scaled(3.0);
    for (width, ink) in [(3.0, Ink::S2), (1.2, Ink::T1)] {
        let over = if ink == Ink::S2 { 0.9 } else { 0.0 };
        pen.line([x, low + over], [x, high - over], width, ink);
        for y in [low, high] {
            pen.line([x - cap - over, y], [x + cap + over, y], width, ink);
        }
    }
}

pub(super) fn is_selected(pen: &Pen<'_, '_>, row: &Row, cell: usize) -> bool {
    let selected: &[RunIndex] = pen.frame.selected;
    !selected.is_empty() && row.runs(cell).iter().any(|run| selected.contains(run))
}

/// A ratio's text: the printed one where there is one.
pub(super) fn ratio_text(row: &Row, cell: usize) -> Option<String> {
    let printed = row.name(cell).and_then(|name| row.printed_ratio(name)).filter(|_| cell != row.baseline);
    printed
        .map(|ratio| ratio.raw.trim().to_owned())
        .or_else(|| row.sides.get(cell)?.ratio.map(numbers::ratio))
}

/// One label a medium, in the middle of its groups.
pub(super) fn media_labels(panel: &Panel<'_>, labels: &[(f32, String)]) -> Vec<(f32, String)> {
    let mut media: Vec<(f32, f32, String)> = Vec::new();
    for (row, (middle, _)) in panel.rows.iter().zip(labels) {
        let medium = row.condition(Key::Medium).unwrap_or_default();
        match media.last_mut().filter(|(_, _, last)| last == medium) {
            Some((_, to, _)) => *to = *middle,
            None => media.push((*middle, *middle, medium.to_owned())),
        }
    }
    media.into_iter().map(|(from, to, name)| (from + (to - from) / 2.0, name)).collect()
}
