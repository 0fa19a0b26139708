//! Files, folders, streams and workspaces in, sources out. The only place that reads logs.
//!
//! [`find`] says what there is, this reads it; nothing that could block or never end is opened.

mod find;

use crate::packed;
use crate::workspace::WorkspaceSource;
use crate::{Source, Workspace, grown, reread};
use find::{Finder, Found, Input};
use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use triptych_model::{
    Cancelled, Importer, Problem, ProblemKind, Progress, ReadOptions, Severity, SourceData, StreamError,
};

/// Something to read, as the user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathArg {
    /// A file, a folder taken whole, or a workspace.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// Text from the clipboard, with the name it shall have (`pasted text 1`).
    Pasted {
        /// The source's path.
        name: String,
        /// The text.
        text: String,
    },
}

impl PathArg {
    /// An argument of the command line: `-` is standard input.
    pub fn of_argument(argument: impl Into<PathBuf>) -> Self {
        let path = argument.into();
        if path.as_os_str() == "-" { Self::Stdin } else { Self::Path(path) }
    }
}

/// What the user decided before loading.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Path patterns, tried in order; none: guessed.
    pub patterns: Vec<String>,
    /// For the readers.
    pub read: ReadOptions,
    /// Of the folders named only these files, by their real paths: what a [`crate::Watch`] saw appear.
    pub only: Option<HashSet<PathBuf>>,
}

/// Where loading tells how far it is and asks whether to go on.
pub trait LoadProgress: Sync {
    /// A source is about to be read: its path, its place among all of them from 0, its size.
    fn file(&self, path: &str, index: usize, total: usize, bytes: u64);
    /// Bytes of the current source read so far.
    fn advance(&self, _done: u64, _total: u64) {}
    /// Whether to give up.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Loading that nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl LoadProgress for Unwatched {
    fn file(&self, _path: &str, _index: usize, _total: usize, _bytes: u64) {}
}

/// What was loaded.
#[derive(Debug, Default)]
pub struct Loaded {
    /// In the order of the arguments, folders in natural order.
    pub sources: Vec<Source>,
    /// The workspace among the arguments, if one was.
    pub workspace: Option<Workspace>,
    /// What went wrong outside the sources: workspaces.
    pub problems: Vec<Problem>,
}

/// Reads all that was named.
///
/// A named file that is missing or unreadable becomes a source with an `error`; what was met in a
/// folder and is empty or foreign is `skipped`. The same file reached twice is read once.
///
/// # Errors
/// Only [`Cancelled`].
pub fn load(
    paths: &[PathArg],
    importer: &dyn Importer,
    options: &LoadOptions,
    progress: &dyn LoadProgress,
) -> Result<Loaded, Cancelled> {
    let mut finder = Finder { only: options.only.as_ref(), ..Finder::new(progress) };
    for path in paths {
        finder.argument(path)?;
    }
    let total = finder.found.len();
    let mut sources = Vec::with_capacity(total);
    for (index, found) in finder.found.into_iter().enumerate() {
        let reader = Reader { importer, options, progress, index, total };
        sources.push(reader.read(found)?);
    }
    Ok(Loaded { sources, workspace: finder.workspace, problems: finder.problems })
}

/// Reads sources again, each as it was read before: its format, zone and patterns. Of a log that only
/// grew just the new lines are read.
///
/// A file that is gone becomes a source with an `error`; standard input cannot come again and is left out.
///
/// # Errors
/// Only [`Cancelled`].
pub fn read_again(
    sources: &[Source],
    importer: &dyn Importer,
    progress: &dyn LoadProgress,
) -> Result<Vec<Source>, Cancelled> {
    let total = sources.len();
    let mut read = Vec::with_capacity(total);
    for (index, source) in sources.iter().enumerate() {
        let input = match (&source.file, &source.text) {
            (Some(file), _) => Input::File(file.clone(), source.member.as_deref().map(str::to_owned)),
            (None, Some(text)) => Input::Text(String::from_utf8_lossy(text).into_owned()),
            (None, None) => continue,
        };
        let options =
            LoadOptions { patterns: source.patterns.to_vec(), read: source.read.clone(), only: None };
        let reader = Reader { importer, options: &options, progress, index, total };
        if let Some(grown) = grown::read_on(source, importer, &reader)? {
            read.push(grown);
            continue;
        }
        let path = source.path().to_owned();
        read.push(reader.read(Found { path, input, named: source.named, remembered: None })?);
    }
    Ok(read)
}

/// What helps where bytes are missing or wrong.
const DAMAGED: &str = "copy it once more from its origin";

fn unreadable(path: &str, error: &io::Error) -> Problem {
    let next = match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check who may read it",
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => DAMAGED,
        io::ErrorKind::FileTooLarge | io::ErrorKind::Unsupported => "unpack it and open what comes out",
        _ => "copy it somewhere readable and open the copy",
    };
    Problem::new(Severity::Error, ProblemKind::Unreadable, path, format!("cannot be read: {error}"))
        .next_step(next)
}

/// How much is read between two looks at the cancel button.
const READ_AT_ONCE: u64 = 4 << 20;

/// From this size on a packed file is unpacked block by block, where its format allows.
const LARGE_PACKED: u64 = 2 << 20;

/// What a file may unpack to; a few bytes can claim to be any size.
const LARGEST: u64 = 8 << 30;

/// Reads one source.
struct Reader<'a> {
    importer: &'a dyn Importer,
    options: &'a LoadOptions,
    progress: &'a dyn LoadProgress,
    index: usize,
    total: usize,
}

impl Progress for Reader<'_> {
    fn advance(&self, done: u64, total: u64) {
        self.progress.advance(done, total);
    }

    fn cancelled(&self) -> bool {
        self.progress.cancelled()
    }
}

impl Reader<'_> {
    fn read(&self, found: Found) -> Result<Source, Cancelled> {
        if self.progress.cancelled() {
            return Err(Cancelled);
        }
        let read = self.read_options(found.remembered.as_ref());
        let mut source = match found.input {
            Input::Refused(problem, place) => failed(&found.path, problem, Some(&place)),
            Input::Skipped(reason) => {
                Source::of_data(SourceData { skipped: Some(reason), ..SourceData::new(found.path.as_str()) })
            }
            Input::File(file, member) => self.file(&found.path, file, member, &read)?,
            Input::Stdin => self.stream(&found.path, &read, io::stdin())?,
            Input::Pipe(path) => match fs::File::open(&path) {
                Ok(pipe) => self.stream(&found.path, &read, pipe)?,
                Err(error) => failed(&found.path, unreadable(&found.path, &error), None),
            },
            Input::Text(text) => {
                self.progress.file(&found.path, self.index, self.total, text.len() as u64);
                self.import(&found.path, text.as_bytes(), &read, None)?
            }
        };
        source.named = found.named;
        source.patterns = Arc::from(self.options.patterns.as_slice());
        if let Some(remembered) = found.remembered {
            recall(&mut source, &remembered);
        }
        Ok(source)
    }

    /// A file, unpacked where it is packed.
    fn file(
        &self,
        path: &str,
        file: PathBuf,
        member: Option<String>,
        read: &ReadOptions,
    ) -> Result<Source, Cancelled> {
        let metadata = fs::metadata(&file);
        let size = metadata.as_ref().map_or(0, fs::Metadata::len);
        self.progress.file(path, self.index, self.total, size);
        let modified = metadata.and_then(|metadata| metadata.modified()).ok();
        let is_packed = member.is_some() || matches!(packed::packing_of(&file), Ok(Some(_)));
        if size >= if is_packed { LARGE_PACKED } else { reread::LARGE }
            && let Some((data, sha256)) = self.in_blocks(path, &file, member.as_deref(), is_packed, read)?
        {
            return Ok(Source {
                file: Some(file),
                member: member.map(Arc::from),
                stored_bytes: size,
                modified,
                sha256: Arc::from(sha256),
                read: read.clone(),
                ..Source::of_data(data)
            });
        }
        let stream = match packed::open(&file, member.as_deref()) {
            Ok(stream) => stream,
            Err(error) => return Ok(failed(path, unreadable(path, &error), Some(&file))),
        };
        let (bytes, end) = self.whole(stream)?;
        let mut source = match end {
            Err(error) if bytes.is_empty() || !is_packed => {
                failed(path, unreadable(path, &error), Some(&file))
            }
            end => {
                let mut source = self.import(path, &bytes, read, Some((file, modified)))?;
                if let Err(error) = end {
                    Arc::make_mut(&mut source.data).problems.push(damaged(path, &error));
                }
                source
            }
        };
        source.member = member.map(Arc::from);
        source.stored_bytes = size;
        Ok(source)
    }

    /// All bytes of a stream, and the error that ended it before its end.
    fn whole(&self, mut stream: impl Read) -> Result<(Vec<u8>, io::Result<()>), Cancelled> {
        let mut bytes = Vec::new();
        loop {
            if self.progress.cancelled() {
                return Err(Cancelled);
            }
            match stream.by_ref().take(READ_AT_ONCE).read_to_end(&mut bytes) {
                Ok(0) => return Ok((bytes, Ok(()))),
                Ok(_) if bytes.len() as u64 > LARGEST => {
                    let message = format!("it unpacks to more than {} GiB", LARGEST >> 30);
                    return Ok((Vec::new(), Err(io::Error::new(io::ErrorKind::FileTooLarge, message))));
                }
                Ok(_) => {}
                Err(error) => return Ok((bytes, Err(error))),
            }
        }
    }

    /// A large file, where it is a log that can be read without holding it, and its digest.
    fn in_blocks(
        &self,
        path: &str,
        file: &Path,
        member: Option<&str>,
        is_packed: bool,
        read: &ReadOptions,
    ) -> Result<Option<(SourceData, String)>, Cancelled> {
        // Where the file cannot be read to its end, reading it whole says why and keeps what it can.
        let Ok(mut plain) = fs::File::open(file) else { return Ok(None) };
        let packed = is_packed.then(|| packed::open(file, member));
        let mut hashed = match packed {
            Some(Ok(stream)) => Some(reread::Hashed::new(stream)),
            Some(Err(_)) => return Ok(None),
            None => None,
        };
        let size = plain.metadata().ok().filter(|_| !is_packed).map(|metadata| metadata.len());
        let stream: &mut (dyn Read + Send) = match &mut hashed {
            Some(hashed) => hashed,
            None => &mut plain,
        };
        let data = match self.importer.read_stream(path, stream, size, read, self) {
            Ok(Some(data)) => data,
            Ok(None) | Err(StreamError::Io(_)) => return Ok(None),
            Err(StreamError::Cancelled(cancelled)) => return Err(cancelled),
        };
        let digest = match hashed {
            Some(hashed) => hashed.digest(),
            None => reread::digest(&mut plain, data.bytes).unwrap_or_default(),
        };
        Ok(Some((data, digest)))
    }

    /// What the user says now, else what the workspace remembers.
    fn read_options(&self, remembered: Option<&WorkspaceSource>) -> ReadOptions {
        let now = self.options.read.clone();
        ReadOptions {
            format: now.format.or_else(|| remembered.and_then(|source| source.format.clone())),
            zone_offset_secs: now.zone_offset_secs.or(remembered.and_then(|source| source.zone_offset_secs)),
            log_format: now.log_format.or_else(|| remembered.and_then(|source| source.log_format.clone())),
            tables: if now.tables.is_empty() {
                remembered.map(|source| source.tables.clone()).unwrap_or_default()
            } else {
                now.tables
            },
            known_tables: now.known_tables,
        }
    }

    fn stream(
        &self,
        path: &str,
        read: &ReadOptions,
        stream: impl Read + Send + 'static,
    ) -> Result<Source, Cancelled> {
        self.progress.file(path, self.index, self.total, 0);
        let stream = match packed::unpacked(Box::new(stream)) {
            Ok(stream) => stream,
            Err(error) => return Ok(failed(path, unreadable(path, &error), None)),
        };
        match self.whole(stream)? {
            (bytes, Ok(())) => self.import(path, &bytes, read, None),
            (_, Err(error)) => Ok(failed(path, unreadable(path, &error), None)),
        }
    }

    fn import(
        &self,
        path: &str,
        bytes: &[u8],
        read: &ReadOptions,
        file: Option<(PathBuf, Option<SystemTime>)>,
    ) -> Result<Source, Cancelled> {
        let mut data = self.importer.read(path, bytes, read, self)?;
        data.bytes = bytes.len() as u64;
        let silent = data.skipped.is_none() && data.error.is_none();
        if silent && data.formats.is_empty() && !data.has_rows() && data.runs.is_empty() {
            let reason = if bytes.is_empty() { "empty file" } else { "no format claims it" };
            data.skipped = Some(reason.to_owned());
        }
        let mut read = read.clone();
        if read.tables.is_empty() {
            // The answer for another table that was used here is this source's from now on.
            read.tables.clone_from(&data.tables);
        }
        let text = if file.is_none() { Some(Arc::from(bytes)) } else { None };
        let sampled = |file: &Path| reread::digest(&mut fs::File::open(file)?, bytes.len() as u64);
        let sha256 = match &file {
            // The bytes of a packed file are not those that lie on the disk.
            Some((file, _)) if is_large_as_it_lies(file, bytes) => sampled(file).unwrap_or_default(),
            _ => reread::sha256(bytes),
        };
        let sha256 = Arc::from(sha256);
        let (file, modified) = file.map_or((None, None), |(file, modified)| (Some(file), modified));
        Ok(Source { text, file, modified, sha256, read, ..Source::of_data(data) })
    }
}

fn is_large_as_it_lies(file: &Path, bytes: &[u8]) -> bool {
    let size = fs::metadata(file).map_or(0, |metadata| metadata.len());
    size >= reread::LARGE && size == bytes.len() as u64
}

/// A packed file that is cut or damaged; what came before the damage was read.
fn damaged(path: &str, error: &io::Error) -> Problem {
    let message = format!("the packed file is cut or damaged, what came before was read: {error}");
    Problem::new(Severity::Warning, ProblemKind::Cut, path, message).next_step(DAMAGED)
}

fn failed(path: &str, problem: Problem, place: Option<&Path>) -> Source {
    let data = SourceData { error: Some(problem), ..SourceData::new(path) };
    Source { file: place.and_then(|place| std::path::absolute(place).ok()), ..Source::of_data(data) }
}

/// Compares a source with what the workspace remembers of it.
fn recall(source: &mut Source, remembered: &WorkspaceSource) {
    if source.patterns.is_empty() {
        source.patterns = Arc::from(remembered.patterns.as_slice());
    }
    if source.data.error.is_some() {
        // What was known of it stays known until it can be read again.
        source.sha256 = Arc::from(remembered.sha256.as_str());
        Arc::make_mut(&mut source.data).bytes = remembered.bytes;
        return;
    }
    let known = !remembered.sha256.is_empty() && !source.sha256.is_empty();
    // Workspaces of before know large files by the hash of all their bytes.
    let by_whole = || {
        reread::is_sampled(&source.sha256)
            && !reread::is_sampled(&remembered.sha256)
            && source.bytes() == remembered.bytes
            && reread::has_whole_hash(source, &remembered.sha256)
    };
    if known && *source.sha256 != *remembered.sha256 && !by_whole() {
        let mut problem = reread::changed(source);
        problem.message = "the file changed since the workspace was saved".to_owned();
        problem.next_step = Some("corrections of single runs may point to other lines now".to_owned());
        Arc::make_mut(&mut source.data).problems.push(problem);
    }
}
