//! The four frames, queries over them, exports and workspaces: the only crate that names polars.
//!
//! [`load`] reads files into [`Source`]s, [`Store`] gives their rows conditions and runs and answers
//! queries in plain values. Used by the report, the window and the verbs.
#![warn(missing_docs)]

mod corrections;
mod frames;
mod load;
mod query;
mod source;
mod store;
mod view;
mod workspace;

pub use corrections::{CellCorrection, Corrections};
pub use frames::{ExportFrame, Frames};
pub use load::{LoadOptions, LoadProgress, Loaded, PathArg, Unwatched, load};
pub use query::{Column, Filter, Query};
pub use source::Source;
pub use store::Store;
pub use view::{
    Campaign, Cell, Difference, Facet, FacetValue, Group, Lane, Load, MetricCount, PrintedRatio, RawContext,
    RunIndex, RunValue, RunView, Value,
};
pub use workspace::{Workspace, WorkspaceSource};
