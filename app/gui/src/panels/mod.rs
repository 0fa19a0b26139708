//! The panels round the tiles, and what they remember within a session.

pub mod details;
pub mod facets;
pub(crate) mod kit;
pub mod log;
mod memory;
pub mod problems;
pub mod sources;
pub mod table;

pub use memory::{Kept, Memory, RawLines, variant_place};
