//! Files, folders, streams and workspaces in, sources out. The only place that reads logs.
//!
//! Folders are walked whole and in natural order; what is hidden is passed over, a file reached
//! twice is read once, and nothing that could block or never end is opened.

use crate::packed::{self, Packing};
use crate::workspace::WorkspaceSource;
use crate::{Source, Workspace, archive, grown, reread};
use std::collections::{HashMap, HashSet};
use std::fs::{self, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;
use triptych_model::{
    Cancelled, Importer, Problem, ProblemKind, Progress, ReadOptions, Severity, SourceData, StreamError,
    natural_cmp,
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

/// Something to read, found.
struct Found {
    /// The path as given, by which the source is known.
    path: String,
    input: Input,
    named: bool,
    /// What a workspace said of it: size, hash, patterns.
    remembered: Option<WorkspaceSource>,
}

enum Input {
    /// A file, or the member of that name of a zip archive.
    File(PathBuf, Option<String>),
    Stdin,
    /// A pipe that another program of the same shell command writes, `/dev/fd/63`.
    Pipe(PathBuf),
    Text(String),
    /// It cannot be read, and why; where it should be, so that a workspace does not forget it.
    Refused(Problem, PathBuf),
    /// It was met in a folder and is passed over, and why.
    Skipped(String),
}

struct Finder<'a> {
    progress: &'a dyn LoadProgress,
    found: Vec<Found>,
    /// Files found so far by their real path.
    known: HashMap<PathBuf, usize>,
    /// Folders that are being walked or were, by their real path.
    walked: HashSet<PathBuf>,
    workspace: Option<Workspace>,
    problems: Vec<Problem>,
    only: Option<&'a HashSet<PathBuf>>,
}

impl<'a> Finder<'a> {
    fn new(progress: &'a dyn LoadProgress) -> Self {
        Self {
            progress,
            found: Vec::new(),
            known: HashMap::new(),
            walked: HashSet::new(),
            workspace: None,
            problems: Vec::new(),
            only: None,
        }
    }

    fn push(&mut self, path: &str, input: Input, named: bool) {
        // Whoever wants some files of a folder was told of the others before.
        if self.only.is_some() && !matches!(input, Input::File(..)) {
            return;
        }
        self.found.push(Found { path: path.to_owned(), input, named, remembered: None });
    }

    fn argument(&mut self, argument: &PathArg) -> Result<(), Cancelled> {
        match argument {
            PathArg::Stdin => self.push("-", Input::Stdin, true),
            PathArg::Pasted { name, text } => self.push(name, Input::Text(text.clone()), true),
            PathArg::Path(path) if is_workspace(path) && path.is_file() => self.workspace(path),
            PathArg::Path(path) => return self.named(path),
        }
        Ok(())
    }

    fn named(&mut self, path: &Path) -> Result<(), Cancelled> {
        let shown = shown(path);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return self.folder(path, true),
            Ok(metadata) if metadata.is_file() => self.file(path, true),
            Ok(_) if path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") => {
                self.push(&shown, Input::Pipe(path.to_owned()), true);
            }
            Ok(_) if path == Path::new("/dev/stdin") => self.push("-", Input::Stdin, true),
            Ok(metadata) => {
                let message = format!("{} cannot be read as a file", special(metadata.file_type()));
                let problem = Problem::new(Severity::Error, ProblemKind::Unreadable, shown.clone(), message)
                    .next_step("give it as standard input with -");
                self.push(&shown, Input::Refused(problem, path.to_owned()), true);
            }
            Err(error) => {
                self.push(&shown, Input::Refused(unreadable(&shown, &error), path.to_owned()), true);
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, named: bool) {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if self.only.is_some_and(|only| !only.contains(&real)) {
            return;
        }
        if let Some(found) = self.known.get(&real).and_then(|index| self.found.get_mut(*index)) {
            found.named |= named;
            return;
        }
        self.known.insert(real.clone(), self.found.len());
        match packed::packing_of(&real) {
            Ok(Some(Packing::Archive)) => self.archive(path, &real, named),
            // What cannot be read says so when it is its turn.
            _ => self.push(&shown(path), Input::File(real, None), named),
        }
    }

    /// The files of a zip archive, as if it were a folder.
    fn archive(&mut self, path: &Path, real: &Path, named: bool) {
        let shown = shown(path);
        match packed::members(real) {
            Ok(names) if names.is_empty() => {
                self.push(&shown, Input::Skipped("an empty zip archive".to_owned()), named);
            }
            Ok(mut names) => {
                names.sort_by(|a, b| natural_cmp(a, b));
                for name in names {
                    let member = format!("{shown}/{name}");
                    self.push(&member, Input::File(real.to_owned(), Some(name)), false);
                }
            }
            Err(error) => {
                let message = format!("the zip archive cannot be read: {error}");
                let problem = Problem::new(Severity::Error, ProblemKind::Unreadable, shown.as_str(), message)
                    .next_step("unpack it with another program and open the folder");
                self.push(&shown, Input::Refused(problem, path.to_owned()), named);
            }
        }
    }

    fn folder(&mut self, folder: &Path, named: bool) -> Result<(), Cancelled> {
        if self.progress.cancelled() {
            return Err(Cancelled);
        }
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        if !self.walked.insert(real) {
            return Ok(());
        }
        match entries(folder) {
            Ok(entries) if archive::is_raw(folder) => self.raw_output(folder, &entries),
            Ok(entries) => {
                let is_campaign = archive::is_campaign(folder);
                for path in entries {
                    match archive::part(&path).filter(|_| is_campaign) {
                        Some(reason) => self.push(&shown(&path), Input::Skipped(reason.to_owned()), false),
                        None => self.met(&path)?,
                    }
                }
            }
            Err(error) => {
                let shown = shown(folder);
                self.push(&shown, Input::Refused(unreadable(&shown, &error), folder.to_owned()), named);
            }
        }
        Ok(())
    }

    /// What the tools of a campaign printed: only the servers' logs are read.
    fn raw_output(&mut self, folder: &Path, entries: &[PathBuf]) {
        let (logs, others): (Vec<_>, Vec<_>) = entries.iter().partition(|path| archive::is_server_log(path));
        for log in logs {
            self.file(log, false);
        }
        if !others.is_empty() {
            self.push(&shown(folder), Input::Skipped(archive::raw_reason(others.len())), false);
        }
    }

    /// Something met in a folder.
    fn met(&mut self, path: &Path) -> Result<(), Cancelled> {
        let shown = shown(path);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return self.folder(path, false),
            Ok(_) if is_workspace(path) => {
                self.push(&shown, Input::Skipped("a workspace, open it by its name".to_owned()), false);
            }
            Ok(metadata) if metadata.is_file() => self.file(path, false),
            Ok(metadata) => {
                let reason = format!("{}, no file", special(metadata.file_type()));
                self.push(&shown, Input::Skipped(reason), false);
            }
            Err(error) => {
                self.push(&shown, Input::Refused(unreadable(&shown, &error), path.to_owned()), false);
            }
        }
        Ok(())
    }

    fn workspace(&mut self, path: &Path) {
        let workspace = match Workspace::open(path) {
            Ok(workspace) => workspace,
            Err(problem) => {
                self.problems.push(problem);
                return;
            }
        };
        if self.workspace.is_some() {
            let message = "only the first workspace is opened";
            self.problems.push(Problem::new(Severity::Warning, ProblemKind::Workspace, shown(path), message));
            return;
        }
        let home = path.parent().unwrap_or(Path::new(""));
        for source in &workspace.sources {
            let remembered = Some(source.clone());
            let input = match &source.text {
                Some(text) => Input::Text(text.clone()),
                None => remembered_file(&home.join(&source.path), source),
            };
            if let Input::File(real, None) = &input {
                if self.known.contains_key(real) {
                    continue;
                }
                self.known.insert(real.clone(), self.found.len());
            }
            self.found.push(Found { path: source.name.clone(), input, named: true, remembered });
        }
        self.workspace = Some(workspace);
    }
}

/// A file that a workspace names: known by the path it was first opened by, wherever it lies now.
fn remembered_file(path: &Path, source: &WorkspaceSource) -> Input {
    let name = source.name.as_str();
    match fs::canonicalize(path) {
        Ok(real) if real.is_file() => Input::File(real, source.member.clone()),
        Ok(_) => {
            let message = "it is no file any more";
            let problem = Problem::new(Severity::Error, ProblemKind::Unreadable, name, message);
            Input::Refused(problem, path.to_owned())
        }
        Err(error) => Input::Refused(unreadable(name, &error), path.to_owned()),
    }
}

fn is_workspace(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "triptych")
}

/// The visible entries of a folder in natural order.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let text = name.to_string_lossy().into_owned();
        if !text.starts_with('.') {
            names.push((text, name));
        }
    }
    names.sort_by(|a, b| natural_cmp(&a.0, &b.0));
    Ok(names.into_iter().map(|(_, name)| folder.join(name)).collect())
}

/// A path as given, with slashes and without a trailing one; bytes that are no text stand as `\xE4`,
/// so that two such names stay apart.
fn shown(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    let trimmed = text.trim_end_matches('/');
    if trimmed.is_empty() { text.clone() } else { trimmed.to_owned() }
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_kind: FileType) -> &'static str {
    "a special file"
}

fn unreadable(path: &str, error: &io::Error) -> Problem {
    let next = match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check who may read it",
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
    Problem::new(Severity::Warning, ProblemKind::Cut, path, message)
        .next_step("copy it once more from its origin")
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
