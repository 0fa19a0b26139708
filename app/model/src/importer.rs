//! What the store needs of the readers, so that neither crate depends on the other.

use crate::{PathMatch, PatternError, SourceData, SuggestedPattern, TableMeaning};
use std::io::Read;

/// One row of the table of formats, for help, file filters and the README.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// Stable id, as in `--format` and `import --json`.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// One line: what it is and who writes it.
    pub help: &'static str,
    /// Usual endings, for file dialogs only; detection reads the content.
    pub extensions: &'static [&'static str],
    /// Folder of its genuine files below `sample-data/`.
    pub samples: &'static str,
}

/// The user gave up waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Where a reader tells how far it is and asks whether to go on.
pub trait Progress: Sync {
    /// Bytes of the source read so far; called once per block of lines.
    fn advance(&self, done: u64, total: u64);
    /// Whether to give up.
    fn cancelled(&self) -> bool;
}

/// Progress that nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _done: u64, _total: u64) {}

    fn cancelled(&self) -> bool {
        false
    }
}

/// Why a source that is read in blocks gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The user gave up waiting.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The source cannot be read on.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// What the user decided before reading.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Read as this format, whatever the content looks like.
    pub format: Option<String>,
    /// Time zone of sources that name none, seconds east of Greenwich; `None`: the local zone.
    pub zone_offset_secs: Option<i32>,
    /// The LogFormat of access logs, as the server's configuration has it, or the name of a known one;
    /// `None`: the known ones are tried.
    pub log_format: Option<String>,
    /// What the columns of this source's tables mean.
    pub tables: Vec<TableMeaning>,
    /// What columns meant in other sources, as the user said then; used with a note for equal headers.
    pub known_tables: Vec<TableMeaning>,
}

/// Reads the arguments of one line from its bytes, as they stand in the source from the line's offset on
/// to its end or beyond: a JSON object, empty text where it has none, `None` where it is no such line.
pub type RequestArguments<'a> = Box<dyn Fn(&[u8]) -> Option<String> + 'a>;

/// The readers as the store sees them.
pub trait Importer: Send + Sync {
    /// The table of formats.
    fn formats(&self) -> Vec<FormatSpec>;

    /// Reads one source, all it can: what is wrong goes to `problems`, `skipped` or `error`.
    ///
    /// # Errors
    /// Only [`Cancelled`].
    fn read(
        &self,
        path: &str,
        bytes: &[u8],
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<SourceData, Cancelled>;

    /// Reads a large source in blocks, by several threads and without ever holding it whole.
    ///
    /// `size` is for the progress, where it is known. `None`: it is no log that can be read so (only
    /// servers' logs can), or something else begins in it; then [`Importer::read`] must have all its bytes.
    ///
    /// # Errors
    /// [`StreamError`]: cancelled, or what the stream says.
    fn read_stream(
        &self,
        _path: &str,
        _stream: &mut (dyn Read + Send),
        _size: Option<u64>,
        _options: &ReadOptions,
        _progress: &dyn Progress,
    ) -> Result<Option<SourceData>, StreamError> {
        Ok(None)
    }

    /// Adds the rows of what was appended to a log since `data` was read of it.
    ///
    /// False where that cannot be told from the new bytes alone; then `data` is as it was, and the
    /// source must be read whole.
    ///
    /// # Errors
    /// Only [`Cancelled`].
    fn read_on(
        &self,
        _data: &mut SourceData,
        _appended: &[u8],
        _options: &ReadOptions,
        _progress: &dyn Progress,
    ) -> Result<bool, Cancelled> {
        Ok(false)
    }

    /// What a path gives under a pattern such as `{operation}/{variant}-{cache}-r{repetition}.txt`;
    /// `Ok(None)` where it does not match.
    ///
    /// # Errors
    /// The pattern itself cannot be understood.
    fn match_path(&self, pattern: &str, path: &str) -> Result<Option<PathMatch>, PatternError>;

    /// Says what is wrong with a LogFormat string before anything is read by it.
    ///
    /// # Errors
    /// The string cannot be understood.
    fn check_log_format(&self, text: &str) -> Result<(), PatternError>;

    /// Guesses patterns for a set of paths; files that fit none are in no suggestion.
    fn suggest_patterns(&self, paths: &[&str]) -> Vec<SuggestedPattern>;

    /// What reads the arguments of the lines of one source, made when asked for.
    ///
    /// `head` are the first bytes of the source, 16 KiB or all: they tell its encoding and, of a table,
    /// its columns.
    fn request_arguments<'a>(&'a self, head: &[u8], options: &'a ReadOptions) -> RequestArguments<'a>;
}
