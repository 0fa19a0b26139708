//! The four frames, queries over them, exports and workspaces: the only crate that names polars.
#![warn(missing_docs)]

mod query;
mod view;

pub use query::{Column, Filter, Query};
pub use view::{
    Campaign, Cell, Facet, FacetValue, Group, Lane, Load, PrintedRatio, RawContext, RunIndex, RunValue, RunView,
    Value,
};
