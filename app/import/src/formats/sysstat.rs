//! What the tools of sysstat and their relatives share: the banner, times of rows, cells, columns, series.
//!
//! Used by the readers of pidstat, sar, mpstat, iostat, sadf, vmstat and top; nothing here claims lines.

pub mod banner;
pub mod cell;
pub mod clock;
pub mod names;
pub mod record;
pub mod stamp;
pub mod table;
#[cfg(test)]
pub mod testing;
pub mod zone;

/// Whether a row holds averages over the whole time: `Average:`, `Durchschn.:`, `Moyenne :`, `Trung bình:`.
pub fn is_average(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("");
    let named = first.starts_with(|c: char| c.is_alphabetic());
    let ends = |word: &str| word.ends_with([':', '：']);
    named && (ends(first) || words.next().is_some_and(|second| ends(second) && !second.starts_with('"')))
}

/// Whether the command line above the block calls that tool with that one-letter option, as in `iostat -xyt 1`.
pub fn is_called_with(sink: &crate::sink::Sink<'_>, tool: &str, option: char) -> bool {
    let command = sink.pending.command.as_deref().unwrap_or("");
    let mut words = command.split_whitespace();
    words.any(|word| word.rsplit('/').next() == Some(tool))
        && words.any(|word| {
            word.strip_prefix('-')
                .is_some_and(|letters| !letters.starts_with('-') && letters.contains(option))
        })
}
