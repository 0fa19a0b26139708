//! Places of the source behind decoded text, and single lines decoded by what the source's head tells.
//!
//! Used for documents, which are decoded as a whole, and where lines are read again.

use super::encoding_of;
use encoding_rs::{Encoding, UTF_16LE};
use std::borrow::Cow;

/// Where the bytes of a document that `utf8` made stand in its source.
pub struct Places<'d> {
    base: u64,
    /// The document, where its bytes are not the source's own.
    decoded: Option<&'d [u8]>,
    /// A place of the document and that of the source, from which the next is counted.
    last: (usize, u64),
}

impl<'d> Places<'d> {
    /// For a source and what was made of it.
    pub fn new(bytes: &[u8], document: &'d [u8]) -> Self {
        let (encoding, base) = encoding_of(bytes);
        let base = base as u64;
        Self { base, decoded: encoding.map(|_| document), last: (0, base) }
    }

    /// Whether each byte stands where it stood.
    pub fn are_same(&self) -> bool {
        self.base == 0 && self.decoded.is_none()
    }

    /// The byte of the source at which a byte of the document begins; quickest in rising order.
    pub fn of(&mut self, offset: u64) -> u64 {
        let Some(document) = self.decoded else { return offset + self.base };
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(document.len());
        if offset < self.last.0 {
            self.last = (0, self.base);
        }
        // A character of four bytes takes two units of UTF-16, any other one.
        let units = |byte: &u8| match byte {
            0x80..=0xbf => 0,
            0xf0.. => 2,
            _ => 1,
        };
        let between = document.get(self.last.0..offset).unwrap_or_default();
        self.last = (offset, self.last.1 + 2 * between.iter().map(units).sum::<u64>());
        self.last.1
    }
}

/// The line at the head of these bytes of a source with that head, as UTF-8 and without its end.
pub fn line_as_utf8<'a>(head: Head, bytes: &'a [u8]) -> Cow<'a, [u8]> {
    let is_end = |byte: u8| byte == b'\n' || byte == b'\r';
    let Some(encoding) = head.encoding else {
        let end = bytes.iter().position(|byte| is_end(*byte)).unwrap_or(bytes.len());
        return Cow::Borrowed(bytes.get(..end).unwrap_or_default());
    };
    let pairs = bytes.as_chunks::<2>().0;
    let unit = |pair: &[u8; 2]| if encoding == UTF_16LE { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
    let end = pairs.iter().map(unit).position(|(high, low)| high == 0 && is_end(low)).unwrap_or(pairs.len());
    let line = bytes.get(..2 * end).unwrap_or_default();
    Cow::Owned(encoding.decode_without_bom_handling(line).0.into_owned().into_bytes())
}

/// What the first bytes of a source tell of its text.
#[derive(Clone, Copy)]
pub struct Head {
    encoding: Option<&'static Encoding>,
}

impl Head {
    /// Of the first bytes, at least 4096 where the source has as many.
    pub fn new(bytes: &[u8]) -> Self {
        Self { encoding: encoding_of(bytes).0 }
    }

    /// Whether the text is UTF-16.
    pub fn is_wide(self) -> bool {
        self.encoding.is_some()
    }
}
