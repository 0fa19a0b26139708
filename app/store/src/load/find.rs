//! What there is to read: files, folders, archives, streams and what workspaces remember.
//!
//! Folders are walked whole and in natural order; what is hidden is passed over, a file reached twice
//! is found once. Used by the loader, which reads what is found.

use super::{LoadProgress, PathArg, unreadable};
use crate::packed::{self, Packing};
use crate::workspace::WorkspaceSource;
use crate::{Workspace, archive};
use std::collections::{HashMap, HashSet};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use triptych_model::{Cancelled, Problem, ProblemKind, Severity, natural_cmp};

/// Something to read, found.
pub(super) struct Found {
    /// The path as given, by which the source is known.
    pub(super) path: String,
    pub(super) input: Input,
    pub(super) named: bool,
    /// What a workspace said of it: size, hash, patterns.
    pub(super) remembered: Option<WorkspaceSource>,
}

pub(super) enum Input {
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

pub(super) struct Finder<'a> {
    pub(super) progress: &'a dyn LoadProgress,
    pub(super) found: Vec<Found>,
    /// Files found so far by their real path.
    pub(super) known: HashMap<PathBuf, usize>,
    /// Folders that are being walked or were, by their real path.
    pub(super) walked: HashSet<PathBuf>,
    pub(super) workspace: Option<Workspace>,
    pub(super) problems: Vec<Problem>,
    pub(super) only: Option<&'a HashSet<PathBuf>>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(progress: &'a dyn LoadProgress) -> Self {
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

    pub(super) fn argument(&mut self, argument: &PathArg) -> Result<(), Cancelled> {
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
