//! Access logs in blocks: the log's head chooses the layout, every block is read by it.
//!
//! A log whose head is cut, or shows numbers without a unit that cannot be guessed, is left to the other
//! way of reading.

use super::known::LAYOUTS;
use super::log_format::Layout;
use super::matcher::{Actions, Matched};
use super::{Reader, is_line};
use crate::format::{Block, BlockFormat};
use crate::sink::Sink;
use crate::text::Lines;
use triptych_model::{Cancelled, Quality, ReadOptions, Silent};

/// What the head of a log decided.
struct Blocks {
    /// The layout that the user typed.
    typed: Option<Layout>,
    /// The index of the log's layout, the typed one being the first.
    chosen: usize,
}

/// How the log that begins with these lines is read in blocks.
pub(super) fn of(head: &Lines<'_>, options: &ReadOptions) -> Option<Box<dyn BlockFormat>> {
    let typed = super::typed(options.log_format.as_deref()).as_deref().cloned();
    let first = head.get(0).filter(|first| is_line(first, typed.as_ref()))?;
    let mut blocks = Blocks { typed, chosen: 0 };
    let mut scratch = Sink::new("", options, &Silent);
    let mut reader = blocks.reader(&scratch);
    if !reader.choose(head, 0, &mut scratch) || !reader.fits_any(first.text) {
        return None;
    }
    let (chosen, count) = (reader.chosen, reader.layouts.len());
    let all = LAYOUTS.len() + usize::from(blocks.typed.is_some());
    // Where the unit of a number cannot be guessed, layouts were dropped.
    (count == all).then(|| {
        blocks.chosen = chosen;
        Box::new(blocks) as Box<dyn BlockFormat>
    })
}

impl Blocks {
    fn reader(&self, sink: &Sink<'_>) -> Reader<'_> {
        let layouts = self.typed.iter().chain(LAYOUTS.iter()).collect();
        Reader { chosen: self.chosen, layout: self.chosen, ..Reader::new(layouts, sink) }
    }

    /// All layouts, the log's own first.
    fn layouts(&self) -> impl Iterator<Item = &Layout> {
        let all = || self.typed.iter().chain(LAYOUTS.iter());
        all().skip(self.chosen).take(1).chain(all())
    }
}

impl BlockFormat for Blocks {
    fn may_begin(&self, line: &[u8]) -> bool {
        let text = std::str::from_utf8(line).unwrap_or("");
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        // Whatever layout a line fits, its row is the same whatever stands before it.
        let mut matched = Matched::default();
        let is_plain = !text.contains(['\r', '\0', '\u{1b}']);
        is_plain && self.layouts().any(|layout| matched.fits(layout, text, Actions::Whole))
    }

    fn read_block(&self, block: &Block<'_>, sink: &mut Sink<'_>) -> Result<bool, Cancelled> {
        let mut reader = self.reader(sink);
        // What is said of the head is said once.
        if block.is_first && !reader.choose(block.lines, 0, sink) {
            return Ok(false);
        }
        let (_, goes_on) = reader.read(block.lines, 0..block.end, block.is_first, sink)?;
        Ok(goes_on)
    }

    fn finish(&self, sink: &mut Sink<'_>) {
        let qualities = sink.data.requests.qualities();
        let zone_assumed = qualities.iter().any(|quality| quality.has(Quality::ZONE_ASSUMED));
        Reader { zone_assumed, ..self.reader(sink) }.tell(1, sink);
    }
}
