//! Which readers a line is offered to.
//!
//! A log may have gigabytes of lines that are nobody's, and few readers can begin a block with a given
//! letter: the driver asks those alone.

use crate::format::LineFormat;
use crate::text::Line;

/// Some readers, by the first byte of the lines they are offered.
pub struct Offer {
    all: Vec<&'static dyn LineFormat>,
    /// By ASCII byte, in the order of `all`.
    by_first: Vec<Vec<&'static dyn LineFormat>>,
}

impl Offer {
    /// Asks each reader what its blocks can begin with; they keep their order.
    pub fn new(readers: impl IntoIterator<Item = &'static dyn LineFormat>) -> Self {
        let all: Vec<_> = readers.into_iter().collect();
        let opening = |first: u8| all.iter().copied().filter(|reader| reader.opens_with(first)).collect();
        let by_first =
            (0..128_u8).map(|first| if first.is_ascii_graphic() { opening(first) } else { Vec::new() });
        Self { by_first: by_first.collect(), all }
    }

    /// The readers of that line of that index: all, where its first byte tells nothing and of the first
    /// line, which may be the rest of one that was cut.
    pub fn readers(&self, line: &Line<'_>, at: usize) -> &[&'static dyn LineFormat] {
        let mut bytes = line.text.bytes();
        let first = bytes.find(|byte| !matches!(byte, b' ' | b'\t'..=b'\r'));
        match first.filter(|first| at > 0 && first.is_ascii_graphic()) {
            Some(first) => self.by_first.get(usize::from(first)).map_or(&self.all, Vec::as_slice),
            None => &self.all,
        }
    }
}

#[cfg(test)]
mod tests;
