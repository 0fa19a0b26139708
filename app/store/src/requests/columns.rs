//! The one place that knows how the columns of requests are kept: everything else asks by row.
//!
//! Columns of which no row has a value may be empty; an absent text is symbol 0.

use triptych_model::{Quality, Request, Requests, Symbol};

/// Cheap access to single facts of rows.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a>(pub(super) &'a Requests);

impl<'a> Columns<'a> {
    pub(super) fn len(self) -> usize {
        self.0.len()
    }

    /// UTC microseconds.
    pub(super) fn time(self, row: usize) -> Option<i64> {
        self.0.time.get(row).copied().filter(|time| *time != Requests::NO_I64)
    }

    pub(super) fn line(self, row: usize) -> u32 {
        self.0.line.get(row).copied().unwrap_or(1)
    }

    pub(super) fn pid(self, row: usize) -> Option<u32> {
        let pid = self.0.pid.get(row).copied().filter(|pid| *pid != Requests::NO_I64)?;
        u32::try_from(pid).ok()
    }

    pub(super) fn host(self, row: usize) -> Symbol {
        self.0.host.get(row).copied().unwrap_or(0)
    }

    pub(super) fn user(self, row: usize) -> Symbol {
        self.0.user.get(row).copied().unwrap_or(0)
    }

    pub(super) fn repository(self, row: usize) -> Symbol {
        self.0.repository.get(row).copied().unwrap_or(0)
    }

    pub(super) fn action(self, row: usize) -> Symbol {
        self.0.action.get(row).copied().unwrap_or(0)
    }

    pub(super) fn path(self, row: usize) -> Symbol {
        self.0.path.get(row).copied().unwrap_or(0)
    }

    pub(super) fn error(self, row: usize) -> Symbol {
        self.0.error.get(row).copied().unwrap_or(0)
    }

    pub(super) fn revision(self, row: usize) -> Option<i64> {
        self.0.revision.get(row).copied().filter(|revision| *revision != Requests::NO_I64)
    }

    pub(super) fn status(self, row: usize) -> Option<i64> {
        self.0.status.get(row).copied().filter(|status| *status != Requests::NO_I64)
    }

    pub(super) fn duration(self, row: usize) -> Option<f64> {
        self.0.duration.get(row).copied().filter(|secs| !secs.is_nan())
    }

    pub(super) fn quality(self, row: usize) -> Quality {
        self.0.quality.get(row).copied().unwrap_or_default()
    }

    pub(super) fn gap_before(self, row: usize) -> Option<f64> {
        self.0.gap_before(row)
    }

    pub(super) fn gap_after(self, row: usize) -> Option<f64> {
        self.0.gap_after(row)
    }

    pub(super) fn row(self, row: usize) -> Option<Request<'a>> {
        self.0.row(row)
    }

    pub(super) fn text(self, symbol: Symbol) -> Option<&'a str> {
        self.0.texts.get(symbol)
    }

    /// One more than the largest symbol.
    pub(super) fn symbols(self) -> usize {
        self.0.texts.texts().len()
    }
}
