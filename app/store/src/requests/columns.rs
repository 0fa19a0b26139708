//! The one place of this module that knows how the columns of requests are kept: all else asks by row.

use triptych_model::{Client, Quality, Request, Requests, Symbol};

/// Cheap access to single facts of rows.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a>(pub(super) &'a Requests);

impl<'a> Columns<'a> {
    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    /// UTC microseconds.
    pub(super) fn time(self, row: usize) -> Option<i64> {
        self.0.time(row)
    }

    pub(super) fn line(self, row: usize) -> u32 {
        self.0.lines().get(row).copied().unwrap_or(1)
    }

    pub(super) fn offset(self, row: usize) -> Option<u64> {
        self.0.offsets().get(row).copied()
    }

    pub(super) fn pid(self, row: usize) -> Option<u32> {
        self.0.pid(row)
    }

    /// Host, user and repository.
    pub(super) fn client(self, row: usize) -> Client {
        self.0.client_of(row).unwrap_or_default()
    }

    pub(super) fn action(self, row: usize) -> Symbol {
        self.0.actions().get(row).copied().unwrap_or(0)
    }

    pub(super) fn path(self, row: usize) -> Symbol {
        self.0.paths().get(row).copied().unwrap_or(0)
    }

    pub(super) fn error(self, row: usize) -> Symbol {
        self.0.error_symbol(row)
    }

    pub(super) fn revision(self, row: usize) -> Option<i64> {
        self.0.revision(row)
    }

    pub(super) fn status(self, row: usize) -> Option<i64> {
        self.0.status(row)
    }

    pub(super) fn duration(self, row: usize) -> Option<f64> {
        self.0.duration(row)
    }

    pub(super) fn quality(self, row: usize) -> Quality {
        self.0.qualities().get(row).copied().unwrap_or_default()
    }

    pub(super) fn gap_before(self, row: usize) -> Option<f64> {
        self.0.gap_before(row)
    }

    pub(super) fn gap_after(self, row: usize) -> Option<f64> {
        self.0.gap_after(row)
    }

    /// The next row of a row's session.
    pub(super) fn next(self, row: usize) -> Option<usize> {
        self.0.next(row)
    }

    pub(super) fn row(self, row: usize) -> Option<Request<'a>> {
        self.0.row(row)
    }

    pub(super) fn text(self, symbol: Symbol) -> Option<&'a str> {
        self.0.texts().get(symbol)
    }

    /// One more than the largest symbol.
    pub(super) fn symbols(self) -> usize {
        self.0.texts().symbols()
    }
}
