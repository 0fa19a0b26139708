//! The table of formats; a format is one file here and one row of [`FORMATS`].

use crate::format::Format;

/// All formats, in the order in which they are asked: the surest and most frequent first.
pub const FORMATS: &[Format] = &[];
