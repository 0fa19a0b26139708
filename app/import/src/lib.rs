//! Readers of benchmark evidence: text or bytes in, rows of the model out.
//!
//! A format is one file in `formats/` and one row of [`FORMATS`]. There are two kinds: readers of
//! *lines*, of which several may claim parts of one file, and readers of a *document*, which take
//! the whole file. Nothing here does input or output.
#![warn(missing_docs)]

mod arguments;
mod commands;
mod document;
mod foreign;
mod format;
mod formats;
mod grown;
mod json;
mod number;
mod offer;
mod parallel;
mod paths;
mod scan;
#[cfg(test)]
mod short_tests;
mod signs;
mod sink;
#[cfg(test)]
mod sniffing_pairs;
#[cfg(test)]
mod sniffing_tests;
mod tables;
mod text;
mod transcript;
mod zone;

pub use format::{Block, BlockFormat, Confidence, DocumentFormat, Format, LineFormat};
pub use formats::FORMATS;
pub use paths::{Alias, Part, PartKind, Pattern, aliases_applied};
pub use scan::Readers;
pub use tables::{ANSWERED_BEFORE, ColumnKind, FoundTable, ID as TABLE, ProposedColumn, propose};
pub use text::{Line, Lines};
pub use zone::{offset_of as zone_offset, text_of as zone_text};
