//! The two kinds of readers.

use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::Lines;
use triptych_model::{Cancelled, FormatSpec, ReadOptions};

/// How sure a reader is that a block or a document is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It is not.
    No,
    /// It may be; another reader that is certain comes first.
    Possible,
    /// It is.
    Certain,
}

/// One row of [`crate::FORMATS`].
#[derive(Clone, Copy)]
pub enum Format {
    /// Claims ranges of lines; several of this kind may share one file.
    Lines(&'static dyn LineFormat),
    /// Takes the whole file.
    Document(&'static dyn DocumentFormat),
}

impl Format {
    /// Its id, title and samples.
    pub fn spec(&self) -> &'static FormatSpec {
        match self {
            Self::Lines(format) => format.spec(),
            Self::Document(format) => format.spec(),
        }
    }
}

/// A recogniser of blocks of lines.
pub trait LineFormat: Sync {
    /// Its row for help, filters and the README.
    fn spec(&self) -> &'static FormatSpec;

    /// Reads the block that starts at line `at` (an index into `lines`), if one does.
    ///
    /// Writes rows to `sink` and returns the index behind the block's last line; `None` where no
    /// block of this format starts there, and then nothing may have been written. Lines inside the
    /// block that do not follow its grammar are warned about and counted by the sink.
    ///
    /// # Errors
    /// Only [`Cancelled`], which the sink's `check` returns; long blocks ask it every few thousand lines.
    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled>;

    /// What a line has with which one of its blocks begins, where the first byte of that line that is no
    /// blank is this one; for a line that has none of these signs `claim` is not called.
    ///
    /// It only spares the call: `Signs::ALWAYS` is always right. The first line of a source, and a line
    /// whose first byte may be part of a blank, are offered in any case.
    fn opens_with(&self, _first: u8, _options: &ReadOptions) -> Signs {
        Signs::ALWAYS
    }

    /// How the log that begins with these lines is read in blocks, if it is one of this format and can be.
    fn blocks(&self, _head: &Lines<'_>, _options: &ReadOptions) -> Option<Box<dyn BlockFormat>> {
        None
    }
}

/// A reader of a log so large that several threads read it in blocks. It knows what its head decides.
///
/// A block begins with a line that [`BlockFormat::may_begin`] allows; rows of blocks are put behind one
/// another, and what needs the whole log comes last.
pub trait BlockFormat: Sync {
    /// Whether a block may begin with this line: it must not depend on any line before it. The bytes
    /// are those of the source; to say no is always safe.
    fn may_begin(&self, line: &[u8]) -> bool;

    /// Reads one block; false where the log ends before its last line that is not blank.
    ///
    /// # Errors
    /// Only [`Cancelled`].
    fn read_block(&self, block: &Block<'_>, sink: &mut Sink<'_>) -> Result<bool, Cancelled>;

    /// Whether lines say the same whatever the log's head decided: then what is appended to a log that
    /// was read before is a block like any other.
    fn needs_no_head(&self) -> bool {
        false
    }

    /// Does what needs all blocks.
    fn finish(&self, sink: &mut Sink<'_>);
}

/// Some lines of a log, and those behind them to look at.
pub struct Block<'b> {
    /// The lines; what lies at `end` and behind belongs to the next block.
    pub lines: &'b Lines<'b>,
    /// Index behind the block's last line.
    pub end: usize,
    /// Whether the source begins with it.
    pub is_first: bool,
}

/// How many lines behind a block its reader can look at.
pub const LOOK_AHEAD: usize = 60;

/// A reader of a whole file: JSON, a database.
pub trait DocumentFormat: Sync {
    /// Its row for help, filters and the README.
    fn spec(&self) -> &'static FormatSpec;

    /// How sure it is, from at most the first 4 KiB. Must not fail.
    fn sniff(&self, head: &[u8]) -> Confidence;

    /// Reads all it can; what is wrong goes to the sink.
    ///
    /// # Errors
    /// Only [`Cancelled`].
    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled>;
}
