//! Server logs as they were asked: filters, bins, sessions, gaps and errors of the `requests` frame.
//!
//! A [`RequestIndex`] knows the sessions of every source and is made once a source; an
//! [`RequestAnswer`] is one pass over the rows that a [`RequestQuery`] keeps. Both are made in jobs of
//! the window, and by the chart of requests. Ten million rows are the measure: no row is ever copied,
//! answers name rows by their place.

mod actions;
mod answer;
mod bins;
mod columns;
mod details;
mod errors;
mod filter;
mod index;
mod load;

pub use actions::{ACTIONS, ActionInfo, ActionKind, action};
pub use answer::{Gap, GapKind, RequestAnswer, RequestFacet, RequestFacetValue, RowSet};
pub use bins::{RequestBins, bin_width};
pub use details::{RequestDetails, RequestFacts, SessionLine};
pub use errors::ErrorGroup;
pub use index::{RequestIndex, SessionFacts};

use crate::Store;
use serde::{Deserialize, Serialize};

/// A row: index of the source in the store, and the row in its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowRef {
    /// Index of the source.
    pub source: u32,
    /// Index of the row.
    pub row: u32,
}

/// A session: index of the source in the store, and the session's place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionRef {
    /// Index of the source.
    pub source: u32,
    /// Index of the session.
    pub session: u32,
}

/// What requests can be filtered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestColumn {
    /// The source's path.
    Source,
    /// The kind of action, see [`ActionKind::name`].
    Kind,
    /// The action word.
    Action,
    /// The repository as the server names it.
    Repository,
    /// What the client called itself when it opened the session: `svn 1.7.22`.
    Client,
    /// The authenticated user.
    User,
    /// HTTP status, or `error`, `warning`, `denied`.
    Status,
    /// The client's address.
    Host,
    /// The path, exactly.
    Path,
    /// One session: see [`SessionFacts::name`].
    Session,
}

impl RequestColumn {
    /// The columns with values and counts in the filter panel, in its order.
    pub const FACETS: [Self; 6] =
        [Self::Action, Self::Repository, Self::Client, Self::User, Self::Status, Self::Host];

    /// The name in chips and facets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Kind => "kind",
            Self::Action => "action",
            Self::Repository => "repository",
            Self::Client => "client",
            Self::User => "user",
            Self::Status => "status",
            Self::Host => "host",
            Self::Path => "path",
            Self::Session => "session",
        }
    }
}

/// Keeps, or drops, the rows whose column has one of the values; the empty text stands for none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestFilter {
    /// What is looked at.
    pub column: RequestColumn,
    /// Drop instead of keep.
    #[serde(default)]
    pub not: bool,
    /// The values, exactly.
    pub values: Vec<String>,
}

/// Which requests are shown; an empty one shows all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestQuery {
    /// All must hold; at most one a column.
    pub filters: Vec<RequestFilter>,
    /// First and last microsecond, UTC; rows without a time are dropped by it.
    pub time: Option<(i64, i64)>,
    /// Some letters of path, action, user or error, in any case; empty: all.
    pub text: String,
}

impl RequestQuery {
    /// The filter of a column.
    pub fn filter(&self, column: RequestColumn) -> Option<&RequestFilter> {
        self.filters.iter().find(|filter| filter.column == column)
    }

    /// Whether a value passes the filter of its column.
    pub fn lets(&self, column: RequestColumn, value: &str) -> bool {
        self.filter(column)
            .is_none_or(|filter| filter.values.iter().any(|known| known == value) != filter.not)
    }

    /// Puts another filter in a column's place; `None` takes it away.
    pub fn set(&mut self, column: RequestColumn, filter: Option<RequestFilter>) {
        let place = self.filters.iter().position(|known| known.column == column);
        match (place, filter) {
            (Some(place), Some(filter)) => {
                if let Some(known) = self.filters.get_mut(place) {
                    *known = filter;
                }
            }
            (Some(place), None) => {
                self.filters.remove(place);
            }
            (None, Some(filter)) => self.filters.push(filter),
            (None, None) => {}
        }
    }

    /// Keeps only this value of a column.
    pub fn only(&mut self, column: RequestColumn, value: impl Into<String>) {
        self.set(column, Some(RequestFilter { column, not: false, values: vec![value.into()] }));
    }

    /// Lets a value through that was not, or no longer.
    pub fn toggle(&mut self, column: RequestColumn, value: &str) {
        let Some(filter) = self.filter(column) else {
            self.set(column, Some(RequestFilter { column, not: true, values: vec![value.to_owned()] }));
            return;
        };
        let mut filter = filter.clone();
        match filter.values.iter().position(|known| known == value) {
            Some(place) => {
                filter.values.remove(place);
            }
            None => filter.values.push(value.to_owned()),
        }
        let says_nothing = filter.not && filter.values.is_empty();
        self.set(column, (!says_nothing).then_some(filter));
    }

    /// Whether it shows everything.
    pub fn is_empty(&self) -> bool {
        self.filters.is_empty() && self.time.is_none() && self.text.is_empty()
    }
}

/// The maker of an answer was asked to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

/// Whether to give up; asked every some ten thousand rows.
pub type GiveUp<'a> = &'a dyn Fn() -> bool;

/// Rows between two questions whether to go on.
pub(crate) const ASK_EVERY: usize = 1 << 16;

impl Store {
    /// Whether any source has requests.
    pub fn has_requests(&self) -> bool {
        self.sources().iter().any(|source| !source.data.requests.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_switched_off_and_on_again() {
        let mut query = RequestQuery::default();
        query.toggle(RequestColumn::Action, "get-file");
        assert!(!query.lets(RequestColumn::Action, "get-file") && query.lets(RequestColumn::Action, "diff"));
        query.toggle(RequestColumn::Action, "get-file");
        assert!(query.is_empty());
        query.only(RequestColumn::Action, "diff");
        assert!(query.lets(RequestColumn::Action, "diff") && !query.lets(RequestColumn::Action, "log"));
        query.toggle(RequestColumn::Action, "log");
        assert!(query.lets(RequestColumn::Action, "log"));
        query.toggle(RequestColumn::Action, "log");
        query.toggle(RequestColumn::Action, "diff");
        assert!(!query.lets(RequestColumn::Action, "diff") && !query.is_empty(), "nothing is kept");
    }
}
