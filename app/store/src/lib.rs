//! The four frames, queries over them, exports and workspaces: the only crate that names polars.
//!
//! [`load()`] reads files into [`Source`]s, [`Store`] gives their rows conditions and runs and answers
//! queries in plain values. Used by the report, the window and the verbs.
#![warn(missing_docs)]

mod archive;
mod campaigns;
mod colours;
mod companions;
mod corrections;
mod cpu;
mod details;
mod export;
mod filter;
mod frames;
mod groups;
mod grown;
mod load;
mod packed;
mod patterns;
mod query;
mod requests;
mod reread;
mod resolve;
mod source;
mod splits;
mod store;
mod view;
mod watch;
mod workspace;

pub use colours::VariantColours;
pub use corrections::{CellCorrection, Corrections};
pub use export::ExportFrame;
pub use frames::Frames;
pub use load::{LoadOptions, LoadProgress, Loaded, PathArg, Unwatched, load, read_again};
pub use patterns::PatternUse;
pub use query::{Column, Filter, Query};
pub use requests::{
    ACTIONS, ActionInfo, ActionKind, ErrorGroup, Gap, GapKind, GiveUp, GivenUp, RequestAnswer, RequestBins,
    RequestColumn, RequestDetails, RequestFacet, RequestFacetValue, RequestFacts, RequestFilter,
    RequestIndex, RequestQuery, RowRef, RowSet, SessionFacts, SessionLine, SessionRef, action, bin_width,
};
pub use reread::bytes as source_bytes;
pub use source::Source;
pub use store::Store;
pub use view::{
    Campaign, Cell, Difference, Facet, FacetValue, Group, Lane, Load, MetricCount, PrintedRatio, RawContext,
    RunIndex, RunValue, RunView, Value,
};
pub use watch::{Changes, Watch};
pub use workspace::{Workspace, WorkspaceSource};
