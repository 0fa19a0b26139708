//! Gaps between the lines of a session, the only hint at durations that the log gives.
//!
//! A forking server has one process per connection. A threaded one has one process for all; there a
//! session can only be guessed, per process and client host. `open` always starts a session, for
//! process ids come again after days.

use std::collections::{HashMap, HashSet};
use triptych_model::{Quality, Requests, Symbol};

/// A process id that opens again within this time serves several connections.
const REUSE_MICROS: i64 = 60_000_000;

/// A session that goes on.
struct Session {
    row: usize,
    repository: Symbol,
    user: Symbol,
}

/// Fills `gap_before` and `gap_after` of the rows from `first` on, in seconds.
///
/// Where two sessions of one host plainly run at once on a threaded server (the repository or the user
/// changes without an `open`), the lines concerned get no gap.
pub(super) fn fill_gaps(rows: &mut Requests, first: usize) {
    let open = (1..).zip(rows.texts.texts().iter().skip(1)).find(|(_, text)| *text == "open");
    let open: Symbol = open.map_or(0, |(symbol, _)| symbol);
    let threaded = threaded_pids(rows, first, open);
    let mut sessions: HashMap<(i64, Symbol), Session> = HashMap::new();
    for row in first..rows.len() {
        let Some(facts) = facts(rows, row) else { break };
        let guessed = threaded.contains(&facts.pid);
        if guessed && let Some(quality) = rows.quality.get_mut(row) {
            *quality = quality.with(Quality::SESSION_GUESSED);
        }
        let key = (facts.pid, if guessed { facts.host } else { 0 });
        let starts = facts.action == open;
        let session = sessions.get(&key);
        if let Some(session) = session
            && !starts
            && !(guessed && session.is_another(&facts))
        {
            set_gap(rows, session.row, row);
        }
        let user = match session {
            Some(session) if !starts && facts.user == 0 => session.user,
            _ => facts.user,
        };
        sessions.insert(key, Session { row, repository: facts.repository, user });
    }
}

impl Session {
    /// Whether a line cannot be of this session.
    fn is_another(&self, facts: &Facts) -> bool {
        let differs = |mine: Symbol, theirs: Symbol| mine != 0 && theirs != 0 && mine != theirs;
        differs(self.repository, facts.repository) || differs(self.user, facts.user)
    }
}

struct Facts {
    pid: i64,
    host: Symbol,
    user: Symbol,
    repository: Symbol,
    action: Symbol,
    time: i64,
}

fn facts(rows: &Requests, row: usize) -> Option<Facts> {
    Some(Facts {
        pid: *rows.pid.get(row)?,
        host: *rows.host.get(row)?,
        user: *rows.user.get(row)?,
        repository: *rows.repository.get(row)?,
        action: *rows.action.get(row)?,
        time: *rows.time.get(row)?,
    })
}

/// Process ids that serve several connections: of several hosts, or opened again at once.
fn threaded_pids(rows: &Requests, first: usize, open: Symbol) -> HashSet<i64> {
    let mut seen: HashMap<i64, (Symbol, i64)> = HashMap::new();
    let mut threaded = HashSet::new();
    for row in first..rows.len() {
        let Some(facts) = facts(rows, row) else { break };
        let opened = facts.action == open;
        match seen.get_mut(&facts.pid) {
            Some((host, time)) => {
                let soon = facts.time - *time < REUSE_MICROS;
                if soon && (*host != facts.host || opened) {
                    threaded.insert(facts.pid);
                }
                (*host, *time) = (facts.host, facts.time);
            }
            None => {
                seen.insert(facts.pid, (facts.host, facts.time));
            }
        }
    }
    threaded
}

fn set_gap(rows: &mut Requests, before: usize, row: usize) {
    let (Some(start), Some(end)) = (rows.time.get(before), rows.time.get(row)) else { return };
    let micros = end - start;
    // A clock that was set back tells nothing.
    if micros < 0 {
        return;
    }
    #[expect(clippy::cast_precision_loss, reason = "exact below 285 years")]
    let secs = micros as f64 / 1e6;
    if let Some(gap) = rows.gap_after.get_mut(before) {
        *gap = secs;
    }
    if let Some(gap) = rows.gap_before.get_mut(row) {
        *gap = secs;
    }
}
