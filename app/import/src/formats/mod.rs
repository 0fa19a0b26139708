//! The table of formats; a format is one file here and one row of [`FORMATS`].

mod gnu_time;
mod hyperfine;
mod shell_time;
mod svnbench;
mod verify;

use crate::format::Format;

/// All formats, in the order in which they are asked: the surest and most frequent first.
pub const FORMATS: &[Format] = &[
    Format::Document(&hyperfine::HYPERFINE),
    Format::Lines(&svnbench::SVNBENCH),
    Format::Lines(&gnu_time::GNU_TIME),
    Format::Lines(&shell_time::SHELL_TIME),
    Format::Lines(&verify::SVNADMIN_VERIFY),
];
