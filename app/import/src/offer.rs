//! Which readers a line is offered to.
//!
//! A log may have gigabytes of lines that are nobody's, and few readers can begin a block with a line of
//! given signs: the driver asks those alone.

use crate::format::LineFormat;
use crate::signs::Signs;
use crate::text::Line;
use crate::transcript;
use std::cell::OnceCell;
use triptych_model::ReadOptions;

/// A reader and the signs of which its first lines have one.
type Row = (Signs, &'static dyn LineFormat);

/// Some readers, by the first byte of the lines they are offered.
pub struct Offer<'o> {
    options: &'o ReadOptions,
    all: Vec<Row>,
    /// By byte, in the order of `all`; asked of the readers where a line first begins so.
    by_first: [OnceCell<Vec<Row>>; 256],
}

/// What there is to do with a line.
pub struct Offered<'o> {
    signs: Signs,
    rows: &'o [Row],
    /// Whether it may be a command line or tell a failure.
    pub tells: bool,
}

impl<'o> Offered<'o> {
    /// The readers to ask, in their order.
    pub fn readers(&self) -> impl Iterator<Item = &'static dyn LineFormat> + use<'o> {
        let signs = self.signs;
        self.rows.iter().filter(move |(wanted, _)| wanted.meets(signs)).map(|(_, reader)| *reader)
    }
}

impl<'o> Offer<'o> {
    /// Offers lines to these readers; they keep their order.
    pub fn new(readers: impl IntoIterator<Item = &'static dyn LineFormat>, options: &'o ReadOptions) -> Self {
        let all = readers.into_iter().map(|reader| (Signs::ALWAYS, reader)).collect();
        Self { options, all, by_first: [const { OnceCell::new() }; 256] }
    }

    /// What to do with that line of that index: nobody is asked about a blank one. A line is offered to
    /// all where its first byte tells nothing; so is the first, which may be the rest of one that was cut.
    pub fn of(&self, line: &Line<'_>, at: usize) -> Offered<'_> {
        let mut bytes = line.text.bytes();
        let Some(first) = bytes.find(|byte| !matches!(byte, b' ' | b'\t'..=b'\r')) else {
            return Offered { signs: Signs::NEVER, rows: &[], tells: false };
        };
        let signs = Signs::of_line(line.text);
        let tells = transcript::may_tell(first, signs);
        let rows = match self.by_first.get(usize::from(first)).filter(|_| at > 0 && tells_much(first)) {
            Some(rows) => rows.get_or_init(|| self.rows(first)).as_slice(),
            None if line.is_blank() => &[],
            None => &self.all,
        };
        Offered { signs, rows, tells }
    }

    fn rows(&self, first: u8) -> Vec<Row> {
        let rows = self.all.iter().map(|(_, reader)| (reader.opens_with(first, self.options), *reader));
        rows.filter(|(signs, _)| *signs != Signs::NEVER).collect()
    }
}

/// Whether it is clear what a line is that begins with this byte behind its ASCII blanks: not where other
/// blanks may follow, and not with a control character.
fn tells_much(first: u8) -> bool {
    first.is_ascii_graphic() || matches!(first, 0xc3..=0xe0 | 0xe4..)
}

#[cfg(test)]
mod tests;
