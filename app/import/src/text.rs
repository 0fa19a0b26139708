//! The text layer: bytes of any usual encoding in, lines without line ends, colours and quote marks out.
//!
//! Every line keeps the number and byte offset of its place in the source, whatever was taken off it.
//! Plain UTF-8, nearly all logs, is borrowed: a source of a gigabyte costs eight bytes a line and no copy.
//! All readers of lines use this; readers of documents get the bytes.

mod places;

pub use places::{Head, Places, line_as_utf8};

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memchr_iter;
use std::borrow::Cow;
use triptych_model::{Problem, ProblemKind, Severity};

/// One line as the readers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Physical line in the source, from 1.
    pub number: u32,
    /// Byte offset of the line in the source, before its quote marks.
    pub offset: u64,
    /// How many mail quote marks (`>`, `|`) were taken off its head.
    pub depth: u8,
    /// Whether the source ends with this line and without a line end, so that the line may be cut even
    /// where it can be read.
    pub is_open: bool,
    /// The decoded text without quote marks, colours and line end.
    pub text: &'a str,
}

impl Line<'_> {
    /// Whether nothing but blanks is left.
    pub fn is_blank(&self) -> bool {
        self.text.bytes().next().is_none_or(|first| !first.is_ascii_graphic()) && self.text.trim().is_empty()
    }
}

/// Something that had to be repaired while the text was decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Physical line, from 1.
    pub line: u32,
    /// What was wrong, one sentence without a full stop.
    pub message: &'static str,
    /// Whether something was lost, so that the figures near it are doubtful.
    pub lossy: bool,
}

impl Repair {
    /// What is told of it.
    pub fn problem(&self, path: &str) -> Problem {
        let severity = if self.lossy { Severity::Warning } else { Severity::Note };
        Problem::new(severity, ProblemKind::Encoding, path, self.message).at_line(self.line)
    }
}

/// All lines of a source.
///
/// A carriage return within a line, as progress meters write it, begins another [`Line`] with the
/// same physical number; in a source without any line feed it ends the physical line.
#[derive(Debug)]
pub struct Lines<'a> {
    text: Cow<'a, str>,
    /// Bytes of the source before `text`, where the text is borrowed.
    base: usize,
    starts: Vec<usize>,
    /// Number and offset by line, where the text is not the source's own.
    places: Option<Vec<(u32, u64)>>,
    repairs: Vec<Repair>,
    physical: u64,
    /// Whether the last line has no line end.
    ends_open: bool,
    /// Whether `|` at the head of a line is a quote mark.
    bars: bool,
}

impl<'a> Lines<'a> {
    /// Decodes a source and finds its lines.
    pub fn new(bytes: &'a [u8]) -> Self {
        let (encoding, base) = encoding_of(bytes);
        let body = bytes.get(base..).unwrap_or_default();
        let mut repairs = Vec::new();
        let head = if encoding.is_none() { body.iter().take_while(|byte| **byte == 0).count() } else { 0 };
        if head > 0 {
            repairs.push(Repair { line: 1, message: NUL_RUN, lossy: true });
        }
        let (base, body) = (base + head, body.get(head..).unwrap_or_default());
        match std::str::from_utf8(body) {
            Ok(text) if encoding.is_none() && is_plain(text) => Self::borrowed(text, base, repairs),
            _ => Decoder::new(base, encoding, repairs).decode(body),
        }
    }

    /// The lines of a later part of a source, which begins with a line; numbers and offsets count from
    /// the part's own beginning.
    ///
    /// Whether the source is plain is asked of each part anew: what a line says never depends on that.
    pub fn part(bytes: &'a [u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) if is_plain(text) => Self::borrowed(text, 0, Vec::new()),
            _ => {
                let mut decoder = Decoder::new(0, None, Vec::new());
                decoder.is_part = true;
                decoder.decode(bytes)
            }
        }
    }

    fn borrowed(text: &'a str, base: usize, repairs: Vec<Repair>) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 64);
        if !text.is_empty() {
            starts.push(0);
            starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
        }
        if starts.last() == Some(&text.len()) {
            starts.pop();
        }
        let physical = starts.len() as u64;
        let (bars, ends_open) = (bars_are_quotes(text, &starts), ends_open(text.as_bytes(), None));
        Self { text: Cow::Borrowed(text), base, starts, places: None, repairs, physical, ends_open, bars }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Number of physical lines in the source.
    pub fn physical(&self) -> u64 {
        self.physical
    }

    /// What had to be repaired, by line.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }

    /// Index of the first line that begins at that byte of the source or behind it.
    pub fn index_at(&self, offset: usize) -> usize {
        match &self.places {
            Some(places) => places.partition_point(|place| place.1 < offset as u64),
            None => self.starts.partition_point(|start| self.base + start < offset),
        }
    }

    /// Whether a line begins with what may be a quote mark: what is one is asked of the source as a whole.
    pub fn has_marks(&self) -> bool {
        let bytes = self.text.as_bytes();
        self.starts.iter().any(|start| matches!(bytes.get(*start), Some(b'|' | b'>')))
    }

    /// Number of physical lines ahead of the line of that index.
    pub fn physical_before(&self, index: usize) -> u64 {
        self.get(index).map_or(self.physical, |line| u64::from(line.number) - 1)
    }

    /// The line of that index, from 0.
    pub fn get(&self, index: usize) -> Option<Line<'_>> {
        let start = *self.starts.get(index)?;
        let next = self.starts.get(index + 1).copied().unwrap_or(self.text.len());
        let ends = self.text.as_bytes().get(start..next)?.iter().rev();
        let end = next - ends.take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        let line = self.text.get(start..end)?;
        let (depth, text) = match line.as_bytes().first() {
            Some(b'>' | b' ' | b'|') => unquote(line, self.bars),
            _ => (0, line),
        };
        let (number, offset) = match &self.places {
            Some(places) => *places.get(index)?,
            None => (u32::try_from(index + 1).unwrap_or(u32::MAX), (self.base + start) as u64),
        };
        let is_open = self.ends_open && index + 1 == self.len() && !text.is_empty();
        Some(Line { number, offset, depth, is_open, text })
    }

    /// The lines from that index on, with their indices.
    pub fn starting_at(&self, index: usize) -> impl Iterator<Item = (usize, Line<'_>)> {
        (index..self.len()).map_while(|at| Some((at, self.get(at)?)))
    }
}

/// Whether a source ends without a line end.
fn ends_open(bytes: &[u8], encoding: Option<&'static Encoding>) -> bool {
    let last = match encoding {
        None => bytes.last().copied(),
        Some(encoding) => match bytes.as_chunks::<2>() {
            ([.., pair], []) if encoding == UTF_16LE => u8::try_from(u16::from_le_bytes(*pair)).ok(),
            ([.., pair], []) => u8::try_from(u16::from_be_bytes(*pair)).ok(),
            _ => None,
        },
    };
    !bytes.is_empty() && !matches!(last, Some(b'\n' | b'\r'))
}

const NUL_RUN: &str = "a run of NUL bytes was taken out";
const NOT_UTF8: &str = "the line is not UTF-8 and was read as Windows-1252";
const BAD_UTF16: &str = "the line is not valid UTF-16";

/// Whether the text is UTF-16, with or without a mark.
pub fn is_wide(bytes: &[u8]) -> bool {
    encoding_of(bytes).0.is_some()
}

/// The encoding, `None` for UTF-8 or one of its neighbours, and the length of the byte order mark.
fn encoding_of(bytes: &[u8]) -> (Option<&'static Encoding>, usize) {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => (None, 3),
        [0xff, 0xfe, ..] => (Some(UTF_16LE), 2),
        [0xfe, 0xff, ..] => (Some(UTF_16BE), 2),
        _ => (guess_utf16(bytes), 0),
    }
}

/// UTF-16 without a mark: mostly ASCII, so that one byte of each pair is nearly always zero.
fn guess_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let pairs = bytes.as_chunks::<2>().0;
    let pairs = pairs.get(..pairs.len().min(2048)).unwrap_or_default();
    let little = pairs.iter().filter(|pair| pair[0] != 0 && pair[1] == 0).count();
    let big = pairs.iter().filter(|pair| pair[0] == 0 && pair[1] != 0).count();
    let enough = |count: usize| pairs.len() >= 2 && count * 10 >= pairs.len() * 9;
    if enough(little) {
        Some(UTF_16LE)
    } else if enough(big) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Whether lines can be borrowed: no escape sequence, no NUL, carriage returns only before line feeds.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Nearly all logs end here: sixteen bytes and more are looked at in one step.
    let is_rare = |byte: &u8| *byte < b'\n' && *byte != b'\t' || (*byte > b'\n' && *byte < b' ');
    let has_rare = |piece: &[u8]| piece.iter().fold(false, |any, byte| any | is_rare(byte));
    if !bytes.chunks(4096).any(has_rare) {
        return true;
    }
    !text.contains('\u{1b}')
        && !text.contains('\0')
        && text.match_indices('\r').all(|(at, _)| bytes.get(at + 1) == Some(&b'\n'))
}

/// Takes mail quote marks off the head: `> `, `>>`, ` > > `, and `| ` where these are quote marks.
fn unquote(text: &str, bars: bool) -> (u8, &str) {
    let (mut depth, mut rest) = (0_u8, text);
    loop {
        let blanks = rest.bytes().take(3).take_while(|byte| *byte == b' ').count();
        let marked = rest.get(blanks..).and_then(|inner| inner.strip_prefix('>'));
        let Some(inner) = marked.or_else(|| rest.strip_prefix('|').filter(|_| bars)) else { break };
        depth = depth.saturating_add(1);
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    (depth, rest)
}

/// Whether bars at the heads of lines are quote marks: no line with one is a row of a table, which ends
/// with a bar as well, and none is the fence of a table of AsciiDoc.
fn bars_are_quotes(text: &str, starts: &[usize]) -> bool {
    let bytes = text.as_bytes();
    let mut found = false;
    for start in starts.iter().filter(|start| matches!(bytes.get(**start), Some(b'|' | b'>'))) {
        let rest = text.get(*start..).unwrap_or_default();
        let (_, line) = unquote(rest.lines().next().unwrap_or_default(), false);
        let line = line.trim_end();
        let is_row = line.ends_with('|') && line.bytes().filter(|byte| *byte == b'|').count() > 2;
        if line.starts_with('|') && (is_row || line == "|===") {
            return false;
        }
        found |= line.starts_with('|');
    }
    found
}

/// The bytes of a document as UTF-8 without a byte order mark, borrowed where they are so already.
pub fn utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    let (encoding, base) = encoding_of(bytes);
    let body = bytes.get(base..).unwrap_or_default();
    match encoding {
        Some(encoding) => Cow::Owned(encoding.decode_without_bom_handling(body).0.into_owned().into_bytes()),
        None => Cow::Borrowed(body),
    }
}

/// Makes owned text of a source that cannot be borrowed.
struct Decoder {
    base: usize,
    encoding: Option<&'static Encoding>,
    text: String,
    starts: Vec<usize>,
    places: Vec<(u32, u64)>,
    repairs: Vec<Repair>,
    line: u32,
    /// No line feed anywhere: carriage returns end the lines.
    returns_only: bool,
    /// The bytes are a later part of a source, which has line feeds.
    is_part: bool,
}

impl Decoder {
    fn new(base: usize, encoding: Option<&'static Encoding>, repairs: Vec<Repair>) -> Self {
        let (text, starts, places) = Default::default();
        Self { base, encoding, text, starts, places, repairs, line: 0, returns_only: false, is_part: false }
    }

    fn decode(mut self, body: &[u8]) -> Lines<'static> {
        self.text.reserve(body.len());
        self.returns_only = !self.is_part && self.line_end(body).is_none();
        let mut rest = body;
        while !rest.is_empty() {
            let end = self.line_end(rest).unwrap_or(rest.len());
            let (raw, tail) = rest.split_at(end);
            self.line = self.line.saturating_add(1);
            self.physical_line(raw, body.len() - rest.len());
            rest = tail;
        }
        let bars = bars_are_quotes(&self.text, &self.starts);
        Lines {
            bars,
            text: Cow::Owned(self.text),
            base: self.base,
            starts: self.starts,
            places: Some(self.places),
            repairs: self.repairs,
            physical: u64::from(self.line),
            ends_open: ends_open(body, self.encoding),
        }
    }

    /// Behind the first line feed, in bytes.
    fn line_end(&self, bytes: &[u8]) -> Option<usize> {
        let Some(encoding) = self.encoding else {
            return bytes.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        };
        let feed = if encoding == UTF_16LE { [b'\n', 0] } else { [0, b'\n'] };
        bytes.as_chunks::<2>().0.iter().position(|pair| *pair == feed).map(|at| 2 * (at + 1))
    }

    fn physical_line(&mut self, raw: &[u8], at: usize) {
        let (decoded, unit) = self.decoded(raw);
        let line = decoded.trim_end_matches('\n').trim_end_matches('\r');
        let mut offset = self.base + at;
        for (index, piece) in line.split('\r').enumerate() {
            if index > 0 && self.returns_only {
                self.line = self.line.saturating_add(1);
            }
            if index == 0 || !piece.is_empty() {
                self.push(piece, offset);
            }
            offset += unit.width(piece) + unit.width("\r");
        }
    }

    fn decoded<'b>(&mut self, raw: &'b [u8]) -> (Cow<'b, str>, ByteWidth) {
        if let Some(encoding) = self.encoding {
            let (text, damaged) = encoding.decode_without_bom_handling(raw);
            if damaged {
                self.repairs.push(Repair { line: self.line, message: BAD_UTF16, lossy: true });
            }
            return (text, ByteWidth::Utf16);
        }
        match std::str::from_utf8(raw) {
            Ok(text) => (Cow::Borrowed(text), ByteWidth::Utf8),
            Err(_) => {
                self.repairs.push(Repair { line: self.line, message: NOT_UTF8, lossy: false });
                (WINDOWS_1252.decode_without_bom_handling(raw).0, ByteWidth::Single)
            }
        }
    }

    fn push(&mut self, piece: &str, offset: usize) {
        self.starts.push(self.text.len());
        self.places.push((self.line, offset as u64));
        strip_controls(piece, &mut self.text);
        if piece.contains('\0') {
            self.repairs.push(Repair { line: self.line, message: NUL_RUN, lossy: true });
        }
        self.text.push('\n');
    }
}

/// How many bytes of the source a decoded character took.
#[derive(Clone, Copy)]
enum ByteWidth {
    Single,
    Utf8,
    Utf16,
}

impl ByteWidth {
    fn width(self, text: &str) -> usize {
        match self {
            Self::Single => text.chars().count(),
            Self::Utf8 => text.len(),
            Self::Utf16 => 2 * text.encode_utf16().count(),
        }
    }
}

/// Copies text without NUL bytes and terminal sequences: `ESC [ … m`, `ESC ] … BEL`, `ESC ( B`.
fn strip_controls(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['\u{1b}', '\0']) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        rest = match tail.strip_prefix('\u{1b}') {
            Some(sequence) => after_escape(sequence),
            None => tail.trim_start_matches('\0'),
        };
    }
    out.push_str(rest);
}

/// What follows an escape sequence whose `ESC` is already taken; a cut sequence takes the rest of the line.
fn after_escape(sequence: &str) -> &str {
    let mut chars = sequence.chars();
    match chars.next() {
        Some('[') => {
            let rest = chars.as_str();
            rest.trim_start_matches(|c: char| ('\u{20}'..='\u{3f}').contains(&c))
                .strip_prefix(|c: char| ('\u{40}'..='\u{7e}').contains(&c))
                .unwrap_or("")
        }
        Some(']') => {
            let rest = chars.as_str();
            let end = rest.find('\u{7}').map(|at| at + 1).or_else(|| rest.find("\u{1b}\\").map(|at| at + 2));
            end.and_then(|end| rest.get(end..)).unwrap_or("")
        }
        Some('(' | ')' | '*' | '+' | '#') => {
            chars.next();
            chars.as_str()
        }
        Some(_) => chars.as_str(),
        None => "",
    }
}

#[cfg(test)]
mod tests;
