//! Mercurial's figures: `! wall 0.767042 comb 0.760000 user 0.750000 sys 0.010000 (median of 10)`,
//! below `before:` and `after:`.

use super::list_heading::describe;
use super::list_table::{Context, Out, Piece, Shared, printed};
use crate::number::{DecimalMark, parse_number};
use triptych_model::{Key, Process, Unit};

/// Its words and the metrics they are.
const WORDS: &[(&str, &str)] = &[("wall", "real"), ("comb", "cpu_time"), ("user", "user"), ("sys", "sys")];

/// What its figures are of several executions.
const AGGREGATES: &[(&str, &str)] = &[
    ("median of ", "_median"),
    ("best of ", "_min"),
    ("avg of ", "_mean"),
    ("average of ", "_mean"),
    ("max of ", "_max"),
];

/// Reads such a line; the side it belongs to stands on its own line above, or ahead of it.
pub fn row(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    let Some((front, figures)) = piece.text.split_once("! wall ") else {
        return false;
    };
    let side = side(front).or(context.side);
    if !front.trim().is_empty() && self::side(front).is_none() {
        return false;
    }
    let (figures, note) = match figures.split_once('(') {
        Some((figures, note)) => (figures, note.trim_end().trim_end_matches(')')),
        None => (figures, ""),
    };
    let aggregate = AGGREGATES.iter().find_map(|(words, ending)| {
        let count: u64 = note.strip_prefix(words)?.trim().parse().ok()?;
        Some((*ending, count))
    });
    let words: Vec<&str> = std::iter::once("wall").chain(figures.split_whitespace()).collect();
    let pairs: Vec<(&str, &str)> =
        words.chunks(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect();
    if pairs.iter().all(|(_, text)| parse_number(text, &DecimalMark::Point).is_none()) {
        return false;
    }
    let Some(sink) = out else { return true };
    let mut run = context.run(shared, piece);
    describe(&mut run, context.heading.as_deref());
    if let Some(side) = side {
        run.content.set(Key::Variant, side);
    }
    let run = sink.run(run);
    for (word, text) in pairs {
        let Some((_, metric)) = WORDS.iter().find(|(known, _)| *known == word) else {
            let column = piece.column(word);
            sink.not_understood(piece.line.number, column, "unknown figure", word, "wall, comb, user or sys");
            continue;
        };
        let value = parse_number(text, &DecimalMark::Point);
        if value.is_none() {
            let column = piece.column(text);
            sink.not_understood(
                piece.line.number,
                column,
                "unreadable figure",
                text,
                "seconds such as 0.767042",
            );
        }
        let metric = format!("{metric}{}", aggregate.map_or("", |(ending, _)| ending));
        let mut row = printed(run, piece, Process::Client, &metric, Unit::Secs, value, text);
        row.executions = aggregate.map(|(_, count)| count);
        sink.measure(row);
    }
    true
}

/// `before:`, `After:`; other names are no sides.
pub fn side(text: &str) -> Option<&'static str> {
    let word = text.trim().trim_end_matches(':').trim_end();
    ["before", "after"].into_iter().find(|side| word.eq_ignore_ascii_case(side))
}
