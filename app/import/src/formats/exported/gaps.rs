//! The gaps between exported requests, as links between rows again.
//!
//! They are those that were exported and no others: a row with a gap before it follows the row of its log
//! and process whose time is that much earlier. Nothing is guessed of what the columns do not say.

use crate::sink::Sink;
use std::collections::HashMap;
use triptych_model::{Problem, ProblemKind, Requests, Severity, Symbol};

/// Log, process and time of a row.
type At = (u32, Option<u32>, i64);

/// The rows that may have a follower.
#[derive(Default)]
pub struct Gaps {
    /// Each with its host.
    open: HashMap<At, Vec<(usize, Symbol)>>,
    /// Gaps without the row ahead of them.
    lost: u64,
}

impl Gaps {
    /// Links the last row by the gap before it, microseconds, and keeps it for the next if it has one.
    pub fn row(&mut self, log: u32, row: usize, gaps: (Option<i64>, bool), rows: &mut Requests) {
        let (before, goes_on) = gaps;
        let host = rows.client_of(row).map_or(0, |client| client.host);
        let (pid, time) = (rows.pid(row), rows.time(row));
        if let Some(gap) = before {
            match time.and_then(|time| self.take((log, pid, time.saturating_sub(gap)), host)) {
                Some(before) => rows.link(before, row),
                None => self.lost += 1,
            }
        }
        if let Some(time) = time.filter(|_| goes_on) {
            self.open.entry((log, pid, time)).or_default().push((row, host));
        }
    }

    /// The latest row of that time, of the same host where there is one.
    fn take(&mut self, key: At, host: Symbol) -> Option<usize> {
        let open = self.open.get_mut(&key)?;
        let place = open.iter().rposition(|row| row.1 == host).or(open.len().checked_sub(1))?;
        let (row, _) = open.remove(place);
        if open.is_empty() {
            self.open.remove(&key);
        }
        Some(row)
    }

    /// Says how many gaps were lost because rows are missing or in another order.
    pub fn tell_lost(&self, sink: &mut Sink<'_>) {
        if self.lost == 0 {
            return;
        }
        let path = sink.data.path.clone();
        let message = format!("{} gaps were left out: the rows ahead of them are not in the file", self.lost);
        sink.problem(
            Problem::new(Severity::Note, ProblemKind::Other, path, message)
                .next_step("keep all rows of a session, in the order in which they were exported"),
        );
    }
}
