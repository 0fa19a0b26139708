//! Gaps between the lines of a session, the only hint at durations that the log gives.
//!
//! A forking server has one process per connection. A threaded one has one process for all; there a
//! session can only be guessed, per process and client host. `open` always starts a session, for
//! process ids come again after days.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use triptych_model::{Client, Quality, Requests, Symbol};

/// Mixes a process id and a symbol by one multiplication: every row asks, and nobody can choose them so
/// that they collide who could not as well write the log as he likes.
#[derive(Clone, Copy, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, number: u32) {
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

type ByNumber = BuildHasherDefault<Mixer>;

/// A process id that opens again within this time serves several connections.
const REUSE_MICROS: i64 = 60_000_000;

/// A session that goes on.
#[derive(Clone, Copy)]
struct Session {
    row: usize,
    repository: Symbol,
    user: Symbol,
}

/// Links each row from `first` on to the one before it of the same session.
///
/// Where two sessions of one host plainly run at once on a threaded server (the repository or the user
/// changes without an `open`), the lines concerned are not linked.
pub(super) fn link(rows: &mut Requests, first: usize) {
    let open = rows.texts().find("open").unwrap_or(0);
    rows.unlink(first);
    let threaded = link_processes(rows, first, open);
    if !threaded.is_empty() {
        rows.unlink(first);
        link_sessions(rows, first, open, &threaded);
    }
}

/// Links the rows of each process, which is all there is to do where none serves several connections;
/// gives those that do: of several hosts, or opened again at once.
fn link_processes(rows: &mut Requests, first: usize, open: Symbol) -> HashSet<u32, ByNumber> {
    let mut last = LastRows::default();
    let mut threaded = HashSet::default();
    for row in first..rows.len() {
        let Some(facts) = facts(rows, row) else { break };
        let Some(before) = last.replace(facts.pid, row) else { continue };
        let opened = facts.action == open;
        // Exported requests may have no time.
        let since = facts.time.zip(rows.time(before)).map(|(now, then)| now.saturating_sub(then));
        let soon = since.is_some_and(|micros| micros < REUSE_MICROS);
        let host = rows.client_of(before).map(|client| client.host);
        if soon && (opened || host != Some(facts.client.host)) {
            threaded.insert(facts.pid);
        }
        if !opened && threaded.is_empty() {
            rows.link(before, row);
        }
    }
    threaded
}

/// The last row of each process id.
#[derive(Default)]
struct LastRows {
    /// By process id, 0 for none, else the row and one; as far as systems count in practice.
    by_pid: Vec<u32>,
    others: HashMap<u32, usize, ByNumber>,
}

impl LastRows {
    /// Above this, ids are looked up: 2^22 is where Linux begins anew.
    const DENSE: usize = 1 << 22;

    /// Sets the last row of a process and gives the one before.
    fn replace(&mut self, pid: u32, row: usize) -> Option<usize> {
        let place = pid as usize;
        if place >= Self::DENSE {
            return self.others.insert(pid, row);
        }
        if self.by_pid.len() <= place {
            self.by_pid.resize(place + 1, 0);
        }
        let cell = self.by_pid.get_mut(place)?;
        let before = std::mem::replace(cell, u32::try_from(row + 1).unwrap_or(u32::MAX));
        (before as usize).checked_sub(1)
    }
}

fn link_sessions(rows: &mut Requests, first: usize, open: Symbol, threaded: &HashSet<u32, ByNumber>) {
    let mut sessions: HashMap<(u32, Symbol), Session, ByNumber> = HashMap::default();
    for row in first..rows.len() {
        let Some(facts) = facts(rows, row) else { break };
        let guessed = threaded.contains(&facts.pid);
        if guessed {
            rows.mark(row, Quality::SESSION_GUESSED);
        }
        let key = (facts.pid, if guessed { facts.client.host } else { 0 });
        let session = sessions.get(&key).filter(|_| facts.action != open);
        if let Some(session) = session.filter(|session| !(guessed && session.is_another(&facts))) {
            rows.link(session.row, row);
        }
        let user = match session {
            Some(session) if facts.client.user == 0 => session.user,
            _ => facts.client.user,
        };
        sessions.insert(key, Session { row, repository: facts.client.repository, user });
    }
}

impl Session {
    /// Whether a line cannot be of this session.
    fn is_another(&self, facts: &Facts) -> bool {
        let differs = |mine: Symbol, theirs: Symbol| mine != 0 && theirs != 0 && mine != theirs;
        differs(self.repository, facts.client.repository) || differs(self.user, facts.client.user)
    }
}

struct Facts {
    pid: u32,
    client: Client,
    action: Symbol,
    time: Option<i64>,
}

fn facts(rows: &Requests, row: usize) -> Option<Facts> {
    Some(Facts {
        pid: *rows.pids().get(row)?,
        client: rows.client_of(row)?,
        action: *rows.actions().get(row)?,
        time: rows.time(row),
    })
}
