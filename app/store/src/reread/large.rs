//! Files that are too large to be held, or hashed, whole.
//!
//! They are known by a digest of their size and of pieces all over them, and their lines are read where
//! they are asked for. Logs only grow: a file of the same size that was written to meanwhile is said to
//! have changed whatever its pieces say, one that grew is the same if its pieces still are. Packed files
//! that unpack to as much are hashed while they are unpacked, and unpacked on to the line asked for.

use super::{clipped, decode, gone, sha256};
use crate::{RawContext, Source, packed};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use triptych_model::Problem;

/// From this size on a file is known by pieces of it, and read in blocks where its format allows.
pub(crate) const LARGE: u64 = 32 << 20;

/// How many pieces make a digest, the first and the last of the file among them.
const PIECES: u64 = 64;

/// Bytes of a piece.
const PIECE: u64 = 64 << 10;

/// Begins the digest of a large file, so that it is never taken for the hash of a whole one.
const MARK: &str = "sampled-";

/// Whether a digest was made of pieces.
pub(crate) fn is_sampled(digest: &str) -> bool {
    digest.starts_with(MARK)
}

/// The digest of the first `bytes` bytes of a file.
pub(crate) fn digest(file: &mut File, bytes: u64) -> io::Result<String> {
    let mut all = bytes.to_le_bytes().to_vec();
    for piece in 0..PIECES {
        let at = bytes.saturating_sub(PIECE) / (PIECES - 1) * piece;
        // What the division leaves over belongs to the last piece.
        let at = if piece == PIECES - 1 { bytes.saturating_sub(PIECE) } else { at };
        file.seek(SeekFrom::Start(at))?;
        file.take(PIECE.min(bytes)).read_to_end(&mut all)?;
    }
    Ok(format!("{MARK}{}", sha256(&all)))
}

/// Whether a source is a file too large to be held, as it lies or unpacked.
pub(super) fn is_large(source: &Source) -> bool {
    source.file.is_some() && source.bytes() >= LARGE || is_sampled(&source.sha256)
}

/// A large file, open.
pub(crate) struct Text {
    stream: Stream,
    /// Whether its bytes that were read are not what they were.
    pub(super) changed: bool,
    /// Whether it is longer now.
    grown: bool,
    line: Vec<u8>,
    at: u64,
}

/// What is read at once.
const WINDOW: usize = 256 << 10;

/// A file as it lies, or one that is unpacked from its beginning whenever an earlier place is asked for.
enum Stream {
    Plain(BufReader<File>),
    Packed(BufReader<Box<dyn Read + Send>>, Box<Source>),
}

impl Stream {
    fn buffered(&mut self) -> &mut dyn BufRead {
        match self {
            Self::Plain(file) => file,
            Self::Packed(stream, _) => stream,
        }
    }

    fn unpack(source: &Source) -> io::Result<Box<dyn Read + Send>> {
        packed::open(source.file.as_deref().unwrap_or("".as_ref()), source.member.as_deref())
    }

    fn seek(&mut self, from: u64, to: u64) -> io::Result<()> {
        match self {
            Self::Plain(file) => {
                let step = |place: u64| i64::try_from(place).unwrap_or(i64::MAX);
                file.seek_relative(step(to) - step(from))
            }
            Self::Packed(stream, source) => {
                let mut at = from;
                if to < from {
                    (*stream, at) = (BufReader::with_capacity(WINDOW, Self::unpack(source)?), 0);
                }
                io::copy(&mut stream.take(to - at), &mut io::sink()).map(drop)
            }
        }
    }
}

impl Text {
    /// Opens the file of a source and sees whether it changed.
    pub(super) fn open(source: &Source) -> Result<Self, Problem> {
        Self::try_open(source).map_err(|error| gone(source, &error))
    }

    fn try_open(source: &Source) -> io::Result<Self> {
        let mut file = File::open(source.file.as_deref().unwrap_or("".as_ref()))?;
        let metadata = file.metadata()?;
        let is_as_read = |size: u64| metadata.len() == size && metadata.modified().ok() == source.modified;
        let (line, at) = (Vec::new(), 0);
        if is_sampled(&source.sha256) {
            let grown = metadata.len() > source.bytes();
            let changed = !is_as_read(source.bytes())
                && (!grown || digest(&mut file, source.bytes())? != *source.sha256);
            file.seek(SeekFrom::Start(0))?;
            let stream = Stream::Plain(BufReader::with_capacity(WINDOW, file));
            return Ok(Self { stream, changed, grown, line, at });
        }
        let changed = !is_as_read(source.stored_bytes) && {
            let mut whole = Hashed::new(Stream::unpack(source)?);
            io::copy(&mut whole, &mut io::sink())?;
            whole.digest() != *source.sha256
        };
        let stream = BufReader::with_capacity(WINDOW, Stream::unpack(source)?);
        Ok(Self { stream: Stream::Packed(stream, Box::new(source.clone())), changed, grown: false, line, at })
    }

    fn seek(&mut self, offset: u64) -> io::Result<()> {
        let from = std::mem::replace(&mut self.at, offset);
        self.stream.seek(from, offset)
    }

    /// Reads on to the end of the line; false at the end of the file.
    fn next_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let count = self.stream.buffered().read_until(b'\n', &mut self.line)?;
        self.at += count as u64;
        if self.line.ends_with(b"\n") {
            self.line.pop();
        }
        if self.line.ends_with(b"\r") {
            self.line.pop();
        }
        Ok(count > 0)
    }

    /// The line that begins at a byte offset, without its end.
    pub(super) fn line_at(&mut self, offset: u64) -> Option<&[u8]> {
        self.seek(offset).ok()?;
        let found = self.next_line().ok()?;
        found.then_some(self.line.as_slice())
    }

    /// The first bytes of the file.
    pub(super) fn head(&mut self, bytes: usize) -> io::Result<Vec<u8>> {
        self.seek(0)?;
        let mut head = Vec::with_capacity(bytes);
        self.at = self.stream.buffered().take(bytes as u64).read_to_end(&mut head)? as u64;
        Ok(head)
    }

    /// Goes on behind that many line feeds, without keeping the lines.
    fn skip_lines(&mut self, mut count: u32) -> io::Result<()> {
        while count > 0 {
            let window = self.stream.buffered().fill_buf()?;
            if window.is_empty() {
                return Ok(());
            }
            let mut feeds = (1..).zip(window).filter(|(_, byte)| **byte == b'\n').map(|(end, _)| end);
            // Windows without the wanted line are only counted, many bytes a step.
            let all = window.iter().filter(|byte| **byte == b'\n').count();
            let passed = match (count as usize).checked_sub(all) {
                Some(_) => window.len(),
                None => feeds.nth(count as usize - 1).unwrap_or(window.len()),
            };
            count = count.saturating_sub(u32::try_from(all).unwrap_or(u32::MAX));
            self.stream.buffered().consume(passed);
            self.at += passed as u64;
        }
        Ok(())
    }

    fn lines(&mut self, first: u32, count: u32) -> io::Result<Vec<(u32, String)>> {
        let mut lines = Vec::new();
        for number in (first..).take(count as usize) {
            if !self.next_line()? {
                break;
            }
            lines.push((number, clipped(&decode(&self.line))));
        }
        Ok(lines)
    }
}

/// Lines round the one asked for, from the nearest place that a row knows; `None` where the source is
/// not large, or its lines do not end as those of logs do.
pub(super) fn context(source: &Source, line: u32, around: u32) -> Result<Option<RawContext>, Problem> {
    if !is_large(source) {
        return Ok(None);
    }
    let mut text = Text::open(source)?;
    let first = line.saturating_sub(around).max(1);
    let count = line.saturating_add(around).saturating_sub(first).saturating_add(1);
    let mut read = || {
        let window = text.stream.buffered().fill_buf()?;
        if window.contains(&0) || !window.contains(&b'\n') {
            return Ok(None);
        }
        let (known, offset) = anchor(source, first);
        text.seek(offset)?;
        text.skip_lines(first - known)?;
        text.lines(first, count).map(Some)
    };
    let lines = read().map_err(|error: io::Error| gone(source, &error))?;
    Ok(lines.map(|lines| RawContext { lines, line, changed: text.changed || text.grown }))
}

/// The last line up to `first` whose offset is known, and that offset.
fn anchor(source: &Source, first: u32) -> (u32, u64) {
    let requests = &source.data.requests;
    let rows = requests.lines().partition_point(|line| *line <= first);
    let row = rows.checked_sub(1).and_then(|row| requests.row(row)).map(|row| (row.line, row.offset));
    let runs = source.data.runs.iter().map(|run| (run.line, run.offset));
    let values = source.data.measurements.iter().map(|value| (value.line, value.offset));
    let known = runs.chain(values).filter(|place| place.0 <= first && place.0 > 0);
    known.chain(row).max().unwrap_or((1, 0))
}

/// A large source that is as it was when the workspace was saved, by the hash of all its bytes that an
/// older workspace has.
pub(crate) fn has_whole_hash(source: &Source, hash: &str) -> bool {
    let open = || Some(Hashed::new(File::open(source.file.as_deref()?).ok()?));
    let Some(mut file) = open() else { return false };
    io::copy(&mut file, &mut io::sink()).is_ok() && file.digest() == hash
}

/// A stream that hashes what is read from it, for files that are unpacked block by block.
pub(crate) struct Hashed<R> {
    stream: R,
    hash: Sha256,
}

impl<R: Read> Hashed<R> {
    /// Begins a hash.
    pub(crate) fn new(stream: R) -> Self {
        Self { stream, hash: Sha256::new() }
    }

    /// The SHA-256 of what was read, in hexadecimal.
    pub(crate) fn digest(self) -> String {
        super::hexadecimal(&self.hash.finalize())
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.hash.update(buffer.get(..count).unwrap_or_default());
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use triptych_model::{Request, SourceData};

    /// A source of a file that is taken for a large one.
    fn large(folder: &std::path::Path, text: &[u8]) -> Source {
        let path = folder.join("large.log");
        std::fs::write(&path, text).expect("written");
        let mut file = File::open(&path).expect("opens");
        let mut data = SourceData::new("large.log");
        data.bytes = text.len() as u64;
        // Every seventh line has a row.
        for (line, offset) in (1_u32..).zip(starts(text)).step_by(7) {
            data.requests.push(&Request { line, offset, action: "open", ..Request::default() });
        }
        Source {
            sha256: Arc::from(digest(&mut file, data.bytes).expect("read")),
            modified: file.metadata().expect("there").modified().ok(),
            file: Some(path),
            ..Source::of_data(data)
        }
    }

    fn starts(text: &[u8]) -> Vec<u64> {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u64 + 1);
        [0].into_iter().chain(ends).filter(|start| *start < text.len() as u64).collect()
    }

    #[test]
    fn lines_are_found_where_they_lie() {
        let folder = tempfile::tempdir().expect("a folder");
        let text: String = (1..=20_000).map(|line| format!("line {line} of many\r\n")).collect();
        let source = large(folder.path(), text.as_bytes());
        for (line, around, expect) in
            [(1, 2, 1..=3), (7, 0, 7..=7), (9_999, 3, 9_996..=10_002), (20_000, 5, 19_995..=20_000)]
        {
            let found = context(&source, line, around).expect("reads").expect("large");
            let expect: Vec<_> = expect.map(|line| (line, format!("line {line} of many"))).collect();
            assert_eq!((found.lines, found.changed), (expect, false));
        }
        let mut without_rows = source.clone();
        Arc::make_mut(&mut without_rows.data).requests = triptych_model::Requests::default();
        let found = context(&without_rows, 12_345, 1).expect("reads").expect("large");
        assert_eq!(found.lines[1].1, "line 12345 of many");
        let mut lines = Text::open(&source).expect("opens");
        for (line, start) in
            (1..).zip(starts(text.as_bytes())).step_by(1234).collect::<Vec<_>>().into_iter().rev()
        {
            assert_eq!(lines.line_at(start), Some(format!("line {line} of many").as_bytes()));
        }
        assert_eq!(lines.line_at(text.len() as u64), None);
    }

    #[test]
    fn what_changed_is_said_to_have_and_what_grew_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = vec![b'x'; 8_000_000];
        let source = large(folder.path(), &text);
        let path = source.file.clone().expect("a file");
        let is_changed = || {
            let text = Text::open(&source).expect("opens");
            (text.changed, text.grown)
        };
        assert_eq!(is_changed(), (false, false));
        let mut longer = text.clone();
        longer.extend(b"more\n");
        std::fs::write(&path, &longer).expect("written");
        assert_eq!(is_changed(), (false, true));
        longer[7_999_999] = b'y';
        std::fs::write(&path, &longer).expect("written");
        assert_eq!(is_changed(), (true, true));
        std::fs::write(&path, &text[1..]).expect("written");
        assert_eq!(is_changed(), (true, false));
        // Of the same size and written to: whatever its pieces say.
        std::fs::write(&path, &text).expect("written");
        let later = source.modified.expect("a time") + std::time::Duration::from_secs(5);
        File::options().write(true).open(&path).and_then(|file| file.set_modified(later)).expect("set");
        assert_eq!(is_changed(), (true, false));
        assert!(has_whole_hash(&source, &sha256(&text)) && !has_whole_hash(&source, "0"));
    }
}
