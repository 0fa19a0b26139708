//! Files, folders, streams and workspaces in, sources out. The only place that reads logs.

use crate::{Source, Workspace};
use std::path::PathBuf;
use triptych_model::{Cancelled, Importer, Problem, ReadOptions};

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

/// What the user decided before loading.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Path patterns, tried in order; none: guessed.
    pub patterns: Vec<String>,
    /// For the readers.
    pub read: ReadOptions,
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
    _paths: &[PathArg],
    _importer: &dyn Importer,
    _options: &LoadOptions,
    _progress: &dyn LoadProgress,
) -> Result<Loaded, Cancelled> {
    Ok(Loaded::default())
}
