//! Sources read again: raw lines for Details, and what the store does not keep.

mod large;

pub(crate) use large::{Hashed, LARGE, digest, has_whole_hash, is_sampled};

use crate::{RawContext, Source, packed};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Read as _;
use triptych_model::{Problem, ProblemKind, Severity};

/// SHA-256 in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").ok();
    }
    text
}

/// The bytes of a source as they are now, unpacked.
///
/// # Errors
/// The file is gone or unreadable, or the source never had a text.
pub fn bytes(source: &Source) -> Result<Vec<u8>, Problem> {
    if let Some(text) = &source.text {
        return Ok(text.to_vec());
    }
    let Some(file) = &source.file else {
        let message = "the source has no text to show";
        return Err(Problem::new(Severity::Error, ProblemKind::Unreadable, source.path(), message));
    };
    let mut bytes = Vec::new();
    let read = packed::open(file, source.member.as_deref()).and_then(|mut file| file.read_to_end(&mut bytes));
    match read {
        // A packed file that is cut ends as it did the first time.
        Err(error) if source.bytes() == 0 || (bytes.len() as u64) < source.bytes() => {
            Err(gone(source, &error))
        }
        _ => Ok(bytes),
    }
}

fn gone(source: &Source, error: &std::io::Error) -> Problem {
    let message = format!("the file cannot be read again: {error}");
    Problem::new(Severity::Error, ProblemKind::Unreadable, source.path(), message)
        .next_step("put it back where it was, or open it anew")
}

/// The text of a source if the bytes that were read are still its head; logs may have grown.
///
/// `Err(None)`: the source never had a text.
pub(crate) fn unchanged(source: &Source) -> Result<Text, Option<Problem>> {
    if source.text.is_none() && source.file.is_none() {
        return Err(None);
    }
    if large::is_large(source) {
        let text = large::Text::open(source).map_err(Some)?;
        return if text.changed { Err(Some(changed(source))) } else { Ok(Text::Large(text)) };
    }
    let mut bytes = bytes(source).map_err(Some)?;
    bytes.truncate(usize::try_from(source.bytes()).unwrap_or(usize::MAX));
    if *source.sha256 == sha256(&bytes) { Ok(Text::Small(bytes)) } else { Err(Some(changed(source))) }
}

/// The text of a source whose lines are asked for by their offsets.
pub(crate) enum Text {
    /// All of it.
    Small(Vec<u8>),
    /// A file that is read where it is asked for.
    Large(large::Text),
}

impl Text {
    /// The first bytes, which tell the encoding and, of a table, the columns.
    pub(crate) fn head(&mut self) -> Vec<u8> {
        match self {
            Self::Small(bytes) => bytes.get(..HEAD_BYTES).unwrap_or(bytes).to_vec(),
            Self::Large(text) => text.head(HEAD_BYTES).unwrap_or_default(),
        }
    }

    /// What stands from a byte offset on, to the end of its line or further; quickest in rising order.
    pub(crate) fn from(&mut self, offset: u64) -> Option<&[u8]> {
        match self {
            Self::Small(bytes) => bytes.get(usize::try_from(offset).ok()?..).filter(|rest| !rest.is_empty()),
            Self::Large(text) => text.line_at(offset),
        }
    }

    /// The line that begins at a byte offset, without its end; quickest in rising order.
    pub(crate) fn line_at(&mut self, offset: u64) -> Option<&[u8]> {
        match self {
            Self::Small(bytes) => line_at(bytes, offset),
            Self::Large(text) => text.line_at(offset),
        }
    }
}

/// How much of a source [`Text::head`] gives.
const HEAD_BYTES: usize = 16 << 10;

/// What is said of a source that is not what it was.
pub(crate) fn changed(source: &Source) -> Problem {
    Problem::new(Severity::Warning, ProblemKind::Changed, source.path(), "the file changed since it was read")
        .next_step("open it anew to see what it says now")
}

/// The line that begins at a byte offset, without its end.
fn line_at(bytes: &[u8], offset: u64) -> Option<&[u8]> {
    let tail = bytes.get(usize::try_from(offset).ok()?..)?;
    let line = tail.split(|byte| *byte == b'\n').next()?;
    Some(line.strip_suffix(b"\r").unwrap_or(line))
}

/// Whether a text was not written to since it was read, by size and time of its file alone: no click
/// shall wait for a hash.
fn is_untouched(source: &Source) -> bool {
    let metadata = source.file.as_deref().and_then(|file| std::fs::metadata(file).ok());
    source.text.is_some()
        || metadata.is_some_and(|now| {
            now.len() == source.stored_bytes
                && source.modified.is_some()
                && now.modified().ok() == source.modified
        })
}

/// Lines round the one asked for.
pub(crate) fn context(source: &Source, line: u32, around: u32) -> Result<RawContext, Problem> {
    if let Some(context) = large::context(source, line, around)? {
        return Ok(context);
    }
    let is_untouched = is_untouched(source);
    let now = bytes(source)?;
    let changed = now.len() as u64 != source.bytes() || !is_untouched && *source.sha256 != sha256(&now);
    let text = decode(&now);
    let separator = if text.contains('\n') { '\n' } else { '\r' };
    let first = line.saturating_sub(around).max(1);
    let count = line.saturating_add(around).saturating_sub(first) as usize + 1;
    let numbered = (1_u32..).zip(text.split_terminator(separator));
    let lines = numbered
        .skip(first as usize - 1)
        .take(count)
        .map(|(number, line)| (number, clipped(line.trim_end_matches('\r'))))
        .collect();
    Ok(RawContext { lines, line, changed })
}

/// The runner writes a run with all its samples on one line: nobody reads more than its head.
const LONGEST_LINE: usize = 2000;

fn clipped(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => {
            let (head, rest) = line.split_at(end);
            format!("{head} … and {} characters more", rest.chars().count())
        }
        None => line.to_owned(),
    }
}

/// Text for people; the readers have their own, exact decoder.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let pairs = |big: bool, body: &[u8]| {
        let unit = |pair: &[u8; 2]| if big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
        let units: Vec<u16> = body.as_chunks::<2>().0.iter().map(unit).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xff, 0xfe, body @ ..] => pairs(false, body),
        [0xfe, 0xff, body @ ..] => pairs(true, body),
        [0xef, 0xbb, 0xbf, body @ ..] => String::from_utf8_lossy(body),
        [first, 0, ..] if *first != 0 => pairs(false, bytes),
        [0, second, ..] if *second != 0 => pairs(true, bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::sync::Arc;
    use triptych_model::SourceData;

    fn pasted(text: &[u8]) -> Source {
        let mut data = SourceData::new("pasted text 1");
        data.bytes = text.len() as u64;
        Source { text: Some(Arc::from(text)), sha256: Arc::from(sha256(text)), ..Source::of_data(data) }
    }

    #[test]
    fn lines_round_a_line_in_any_encoding() {
        let text = "1\r\n2\r\n3ä\r\n4\r\n5\r\n";
        let utf16: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        for bytes in [text.as_bytes().to_vec(), utf16, latin] {
            let found = context(&pasted(&bytes), 3, 1).expect("reads");
            let expect = [(2, "2"), (3, "3ä"), (4, "4")].map(|(line, text)| (line, text.to_owned()));
            assert_eq!(found.lines, expect);
            assert!(!found.changed);
        }
        let found = context(&pasted(b"a\nb\n"), 1, 5).expect("reads");
        assert_eq!(found.lines.len(), 2);
        assert_eq!(context(&pasted(b"a\n"), 9, 0).expect("reads").lines, []);
        let long = "ä".repeat(2003);
        let found = context(&pasted(long.as_bytes()), 1, 0).expect("reads");
        assert_eq!(found.lines[0].1, format!("{} … and 3 characters more", "ä".repeat(2000)));
    }

    #[test]
    fn a_file_is_hashed_only_where_it_was_touched() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("small.log");
        let read = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        let write = |text: &[u8], later: u64| {
            std::fs::write(&path, text).expect("written");
            let file = File::options().write(true).open(&path).expect("opens");
            file.set_modified(read + std::time::Duration::from_secs(later)).expect("a time");
        };
        let source = Source {
            text: None,
            file: Some(path.clone()),
            stored_bytes: 4,
            modified: Some(read),
            ..pasted(b"a\nb\n")
        };
        for (text, later, changed) in [
            (&b"a\nb\n"[..], 0, false),
            // Other bytes of the same size and time are seen by a hash alone.
            (b"a\nc\n", 0, false),
            (b"a\nc\n", 1, true),
            (b"a\nb\n", 1, false),
            (b"a\nb\nc\n", 0, true),
        ] {
            write(text, later);
            let found = context(&source, 1, 0).expect("reads");
            assert_eq!(found.changed, changed, "{text:?} {later} s later");
        }
    }

    #[test]
    fn the_empty_text_has_the_known_hash() {
        assert!(sha256(b"").starts_with("e3b0c44298fc1c14"));
    }

    #[test]
    fn lines_by_offset() {
        assert_eq!(line_at(b"ab\r\ncd\n", 4), Some(&b"cd"[..]));
        assert_eq!(line_at(b"ab\r\ncd\n", 0), Some(&b"ab"[..]));
        assert_eq!(line_at(b"ab", 9), None);
    }
}
