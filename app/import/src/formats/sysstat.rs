//! What the tools of sysstat and their relatives share: the banner, times of rows, cells, columns, series.
//!
//! Used by the readers of pidstat, sar, mpstat, iostat, sadf, vmstat and top; nothing here claims lines.

pub mod banner;
pub mod cell;
pub mod clock;
#[allow(dead_code, reason = "the readers of sar and iostat use it next")]
pub mod names;
#[allow(dead_code, reason = "the readers of sar and iostat use it next")]
pub mod record;
#[allow(dead_code, reason = "the readers of sar and iostat use it next")]
pub mod stamp;
#[allow(dead_code, reason = "the readers of sar and iostat use it next")]
pub mod table;
#[allow(dead_code, reason = "the readers of sar and iostat use it next")]
pub mod zone;

/// Whether a row holds averages over the whole time: `Average:`, `Durchschn.:`, `Moyenne :`, `Trung bình:`.
pub fn is_average(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("");
    let named = first.starts_with(|c: char| c.is_alphabetic());
    let ends = |word: &str| word.ends_with([':', '：']);
    named && (ends(first) || words.next().is_some_and(|second| ends(second) && !second.starts_with('"')))
}
