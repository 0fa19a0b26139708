//! The server's operation log in columns, as small as a log of a gigabyte asks for.
//!
//! Readers push rows, blocks of a large log are appended to one another, the store and the window ask
//! for rows and columns. Texts are symbols; host, user and repository, which go together, are one
//! number; a column that a source does not have takes no room. A row of svnserve's log takes 52 bytes.

mod columns;

use crate::{Interner, Quality, Symbol};
use columns::{Absent, Late, Sparse};
use std::collections::HashMap;

/// Who asks for what: the three texts that lines of one session share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Client {
    /// Client's address.
    pub host: Symbol,
    /// Authenticated user.
    pub user: Symbol,
    /// Repository as the server names it.
    pub repository: Symbol,
}

/// A row whose texts are symbols already, for readers of large logs.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolRow {
    /// Physical line, from 1.
    pub line: u32,
    /// Byte offset of the line.
    pub offset: u64,
    /// UTC microseconds, or [`Requests::NO_I64`].
    pub time: i64,
    /// Process id of the server, or [`Requests::NO_PID`].
    pub pid: u32,
    /// What [`Requests::client`] gave.
    pub client: u32,
    /// Action word.
    pub action: Symbol,
    /// Decoded path.
    pub path: Symbol,
    /// The one revision of the action.
    pub revision: Option<i64>,
    /// How far to trust the row.
    pub quality: Quality,
}

/// The server's operation log in columns.
///
/// Gaps are not kept but made from links to the rows before and behind of the same session.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    line: Vec<u32>,
    offset: Vec<u64>,
    time: Vec<i64>,
    pid: Vec<u32>,
    client: Vec<u32>,
    action: Vec<Symbol>,
    path: Vec<Symbol>,
    quality: Vec<Quality>,
    revision: Late<i32>,
    /// Revisions that `revision` cannot hold.
    wide: Sparse<i64>,
    previous: Late<u32>,
    next: Late<u32>,
    duration: Late<f64>,
    bytes_in: Late<i64>,
    bytes_out: Late<i64>,
    status: Late<i64>,
    error: Sparse<Symbol>,
    clients: Vec<Client>,
    known: HashMap<Client, u32>,
    texts: Interner,
}

impl Requests {
    /// Stands for an absent integer.
    pub const NO_I64: i64 = i64::MIN;

    /// Stands for an absent process id.
    pub const NO_PID: u32 = u32::MAX;

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.line.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.line.is_empty()
    }

    /// Adds a row.
    pub fn push(&mut self, row: &Request<'_>) {
        let mut symbol = |text: Option<&str>| text.map_or(0, |text| self.texts.intern(text));
        let client =
            Client { host: symbol(row.host), user: symbol(row.user), repository: symbol(row.repository) };
        let (action, path) = (symbol(Some(row.action)), symbol(row.path));
        let error = symbol(row.error);
        let client = self.client(client);
        self.push_symbols(&SymbolRow {
            line: row.line,
            offset: row.offset,
            time: row.time.unwrap_or(Self::NO_I64),
            pid: row.pid.unwrap_or(Self::NO_PID),
            client,
            action,
            path,
            revision: row.revision,
            quality: row.quality,
        });
        let at = self.len() - 1;
        self.duration.set(at, row.duration);
        self.bytes_in.set(at, row.bytes_in);
        self.bytes_out.set(at, row.bytes_out);
        self.status.set(at, row.status);
        if error != 0 {
            self.error.push(at, error);
        }
    }

    /// Adds a row whose texts are symbols of these requests.
    pub fn push_symbols(&mut self, row: &SymbolRow) {
        let at = self.len();
        self.line.push(row.line);
        self.offset.push(row.offset);
        self.time.push(row.time);
        self.pid.push(row.pid);
        self.client.push(row.client);
        self.action.push(row.action);
        self.path.push(row.path);
        self.quality.push(row.quality);
        if let Some(revision) = row.revision {
            match i32::try_from(revision) {
                Ok(small) if small != i32::ABSENT && small != WIDE => self.revision.set(at, Some(small)),
                _ => {
                    self.revision.set(at, Some(WIDE));
                    self.wide.push(at, revision);
                }
            }
        }
    }

    /// The symbol of a text, for [`SymbolRow`].
    pub fn intern(&mut self, text: &str) -> Symbol {
        self.texts.intern(text)
    }

    /// The number of a client, for [`SymbolRow`].
    pub fn client(&mut self, client: Client) -> u32 {
        let next = u32::try_from(self.clients.len()).unwrap_or(u32::MAX);
        *self.known.entry(client).or_insert_with(|| {
            self.clients.push(client);
            next
        })
    }

    /// Sets the error of the last row.
    pub fn set_last_error(&mut self, error: Symbol) {
        if let Some(at) = self.len().checked_sub(1) {
            self.error.push(at, error);
        }
    }

    /// Adds words to the quality of a row.
    pub fn mark(&mut self, row: usize, quality: Quality) {
        if let Some(known) = self.quality.get_mut(row) {
            *known = known.with(quality);
        }
    }

    /// Says that `row` follows `before` in its session. A clock that was set back tells nothing.
    pub fn link(&mut self, before: usize, row: usize) {
        let gap = self.time(before).zip(self.time(row)).map(|(start, end)| end.saturating_sub(start));
        if gap.is_none_or(|micros| micros < 0) {
            return;
        }
        self.next.set(before, u32::try_from(row).ok());
        self.previous.set(row, u32::try_from(before).ok());
    }

    /// Forgets the links between rows from `first` on.
    pub fn unlink(&mut self, first: usize) {
        self.next.0.truncate(first);
        self.previous.0.truncate(first);
    }

    /// Says anew where each line begins, for a source that was decoded as a whole.
    pub fn place(&mut self, place: impl FnMut(u64) -> u64) {
        let mut place = place;
        self.offset.iter_mut().for_each(|offset| *offset = place(*offset));
    }

    /// Makes room for that many rows more, if there is not. Where the system has none, nothing happens:
    /// rows ask for their own as they come.
    pub fn reserve(&mut self, rows: usize) {
        let asked = [
            self.line.try_reserve(rows),
            self.offset.try_reserve(rows),
            self.time.try_reserve(rows),
            self.pid.try_reserve(rows),
            self.client.try_reserve(rows),
            self.action.try_reserve(rows),
            self.path.try_reserve(rows),
            self.quality.try_reserve(rows),
            self.revision.0.try_reserve(rows),
        ];
        if asked.iter().any(Result::is_err) {
            self.shrink();
        }
    }

    /// Gives back what is reserved beyond the rows.
    pub fn shrink(&mut self) {
        self.line.shrink_to_fit();
        self.offset.shrink_to_fit();
        self.time.shrink_to_fit();
        self.pid.shrink_to_fit();
        self.client.shrink_to_fit();
        self.action.shrink_to_fit();
        self.path.shrink_to_fit();
        self.quality.shrink_to_fit();
        self.revision.0.shrink_to_fit();
    }

    /// Forgets all rows and texts and keeps the room.
    pub fn clear(&mut self) {
        let Self { line, offset, time, pid, client, action, path, quality, .. } = self;
        for column in [line, pid, client, action, path] {
            column.clear();
        }
        offset.clear();
        time.clear();
        quality.clear();
        self.revision.0.clear();
        self.wide.0.clear();
        self.error.0.clear();
        self.previous.0.clear();
        self.next.0.clear();
        self.duration.0.clear();
        self.bytes_in.0.clear();
        self.bytes_out.0.clear();
        self.status.0.clear();
        self.clients.clear();
        self.known.clear();
        self.texts.clear();
    }

    /// Appends the rows of a later part of the same source, which counted `lines` and `bytes` from its
    /// own beginning. Links between rows are not taken over: sessions are told apart when all is there.
    pub fn append(&mut self, part: &Self, lines: u32, bytes: u64) {
        let rows = self.len();
        let symbols: Vec<Symbol> = part.texts.texts().map(|text| self.texts.intern(text)).collect();
        let symbol = |known: &Symbol| match known {
            0 => 0,
            known => symbols.get(*known as usize).copied().unwrap_or(0),
        };
        let clients: Vec<u32> = part
            .clients
            .iter()
            .map(|client| Client {
                host: symbol(&client.host),
                user: symbol(&client.user),
                repository: symbol(&client.repository),
            })
            .collect::<Vec<_>>()
            .into_iter()
            .map(|client| self.client(client))
            .collect();
        self.line.extend(part.line.iter().map(|line| line.saturating_add(lines)));
        self.offset.extend(part.offset.iter().map(|offset| offset + bytes));
        self.time.extend_from_slice(&part.time);
        self.pid.extend_from_slice(&part.pid);
        self.client
            .extend(part.client.iter().map(|client| clients.get(*client as usize).copied().unwrap_or(0)));
        self.action.extend(part.action.iter().map(symbol));
        self.path.extend(part.path.iter().map(symbol));
        self.quality.extend_from_slice(&part.quality);
        self.revision.append(rows, &part.revision);
        self.duration.append(rows, &part.duration);
        self.bytes_in.append(rows, &part.bytes_in);
        self.bytes_out.append(rows, &part.bytes_out);
        self.status.append(rows, &part.status);
        self.wide.append(rows, &part.wide, |revision| revision);
        self.error.append(rows, &part.error, |known| symbol(&known));
    }

    /// The row of that index, from 0, without its gaps; `None` behind the end.
    pub fn row(&self, index: usize) -> Option<Request<'_>> {
        let client = self.client_of(index)?;
        Some(Request {
            line: *self.line.get(index)?,
            offset: *self.offset.get(index)?,
            time: self.time(index),
            pid: self.pid(index),
            host: self.texts.get(client.host),
            user: self.texts.get(client.user),
            repository: self.texts.get(client.repository),
            action: self.texts.get(*self.action.get(index)?).unwrap_or(""),
            path: self.texts.get(*self.path.get(index)?),
            revision: self.revision(index),
            duration: self.duration.get(index),
            bytes_in: self.bytes_in.get(index),
            bytes_out: self.bytes_out.get(index),
            status: self.status.get(index),
            error: self.error.get(index).and_then(|symbol| self.texts.get(symbol)),
            quality: *self.quality.get(index)?,
        })
    }

    /// Seconds since the line before it of the same session, an estimate of the work of actions logged
    /// at their end; `None` where there is none.
    pub fn gap_before(&self, index: usize) -> Option<f64> {
        self.gap(self.previous.get(index)? as usize, index)
    }

    /// Seconds to the next line of the same session, an estimate of the work of actions logged at their
    /// start; `None` where there is none.
    pub fn gap_after(&self, index: usize) -> Option<f64> {
        self.gap(index, self.next.get(index)? as usize)
    }

    /// The next row of a row's session; `None` where it is not linked to one.
    pub fn next(&self, index: usize) -> Option<usize> {
        self.next.get(index).map(|next| next as usize)
    }

    fn gap(&self, from: usize, to: usize) -> Option<f64> {
        let micros = self.time(to)?.saturating_sub(self.time(from)?);
        #[expect(clippy::cast_precision_loss, reason = "exact below 285 years")]
        Some(micros as f64 / 1e6)
    }

    /// The time of a row, UTC microseconds.
    pub fn time(&self, index: usize) -> Option<i64> {
        self.time.get(index).copied().filter(|time| *time != Self::NO_I64)
    }

    /// The process id of a row.
    pub fn pid(&self, index: usize) -> Option<u32> {
        self.pid.get(index).copied().filter(|pid| *pid != Self::NO_PID)
    }

    /// The revision of a row.
    pub fn revision(&self, index: usize) -> Option<i64> {
        match self.revision.get(index)? {
            WIDE => self.wide.get(index),
            small => Some(i64::from(small)),
        }
    }

    /// Host, user and repository of a row.
    pub fn client_of(&self, index: usize) -> Option<Client> {
        self.clients.get(*self.client.get(index)? as usize).copied()
    }

    /// Seconds that the log itself gives a row.
    pub fn duration(&self, index: usize) -> Option<f64> {
        self.duration.get(index)
    }

    /// Bytes that a row received.
    pub fn bytes_in(&self, index: usize) -> Option<i64> {
        self.bytes_in.get(index)
    }

    /// Bytes that a row sent.
    pub fn bytes_out(&self, index: usize) -> Option<i64> {
        self.bytes_out.get(index)
    }

    /// HTTP status of a row.
    pub fn status(&self, index: usize) -> Option<i64> {
        self.status.get(index)
    }

    /// The text of a row's error, 0 where it has none.
    pub fn error_symbol(&self, index: usize) -> Symbol {
        self.error.get(index).unwrap_or(0)
    }

    /// Physical lines, by row.
    pub fn lines(&self) -> &[u32] {
        &self.line
    }

    /// Byte offsets of the lines, by row.
    pub fn offsets(&self) -> &[u64] {
        &self.offset
    }

    /// Times by row, [`Self::NO_I64`] where absent.
    pub fn times(&self) -> &[i64] {
        &self.time
    }

    /// Process ids by row, [`Self::NO_PID`] where absent.
    pub fn pids(&self) -> &[u32] {
        &self.pid
    }

    /// Action words by row.
    pub fn actions(&self) -> &[Symbol] {
        &self.action
    }

    /// Decoded paths by row, 0 where absent.
    pub fn paths(&self) -> &[Symbol] {
        &self.path
    }

    /// How far to trust each row.
    pub fn qualities(&self) -> &[Quality] {
        &self.quality
    }

    /// The texts of all symbols.
    pub fn texts(&self) -> &Interner {
        &self.texts
    }
}

/// Stands in the column of small revisions for one that is kept apart.
const WIDE: i32 = i32::MAX;

/// One row of [`Requests`] in plain values, to write and to read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Request<'a> {
    /// Physical line, from 1.
    pub line: u32,
    /// Byte offset of the line.
    pub offset: u64,
    /// UTC microseconds.
    pub time: Option<i64>,
    /// Process id of the server.
    pub pid: Option<u32>,
    /// Client's address.
    pub host: Option<&'a str>,
    /// Authenticated user.
    pub user: Option<&'a str>,
    /// Repository as the server names it.
    pub repository: Option<&'a str>,
    /// Action word, HTTP method, or `error`, `warning`, `denied`.
    pub action: &'a str,
    /// Decoded path of a one-path action.
    pub path: Option<&'a str>,
    /// The one revision of the action.
    pub revision: Option<i64>,
    /// Seconds, where the log says so.
    pub duration: Option<f64>,
    /// Bytes received.
    pub bytes_in: Option<i64>,
    /// Bytes sent.
    pub bytes_out: Option<i64>,
    /// HTTP status.
    pub status: Option<i64>,
    /// `CODE message; CODE cause`.
    pub error: Option<&'a str>,
    /// How far to trust the row.
    pub quality: Quality,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> [Request<'static>; 4] {
        let full = Request {
            line: 7,
            offset: 90,
            time: Some(5_000_000),
            pid: Some(11),
            host: Some("::1"),
            user: Some("me"),
            repository: Some("r"),
            action: "commit",
            path: Some("/a b"),
            revision: Some(7),
            duration: Some(0.5),
            bytes_in: Some(1),
            bytes_out: Some(i64::MAX),
            status: Some(201),
            error: Some("13 no"),
            quality: Quality::MEASURED,
        };
        let bare = Request { line: 8, action: "open", ..Request::default() };
        let wide = Request { line: 9, time: Some(7_250_000), revision: Some(1 << 40), ..full };
        [full, bare, wide, Request { line: 10, revision: Some(i64::from(i32::MAX)), ..bare }]
    }

    fn all(requests: &Requests) -> Vec<Request<'_>> {
        (0..requests.len()).filter_map(|row| requests.row(row)).collect()
    }

    #[test]
    fn a_request_comes_back_as_it_was_pushed() {
        let mut requests = Requests::default();
        for row in rows() {
            requests.push(&row);
        }
        assert_eq!(all(&requests), rows());
        assert_eq!((requests.row(4), requests.gap_before(0), requests.gap_after(1)), (None, None, None));
        requests.clear();
        assert_eq!((requests.len(), requests.row(0)), (0, None));
        requests.push(&rows()[0]);
        assert_eq!(all(&requests), rows()[..1]);
    }

    #[test]
    fn gaps_come_from_links() {
        let mut requests = Requests::default();
        for row in rows() {
            requests.push(&row);
        }
        requests.link(0, 2);
        assert_eq!((requests.gap_after(0), requests.gap_before(2)), (Some(2.25), Some(2.25)));
        // A row without a time, and a clock that was set back.
        requests.link(2, 3);
        requests.link(2, 0);
        assert_eq!(
            (requests.gap_after(2), requests.gap_before(3), requests.gap_before(0)),
            (None, None, None)
        );
    }

    #[test]
    fn parts_make_a_whole() {
        for cut in 0..=4 {
            let (mut whole, mut part) = (Requests::default(), Requests::default());
            for row in &rows()[..cut] {
                whole.push(row);
            }
            // Other texts first, so that symbols of part and whole differ.
            part.intern("something else");
            for row in &rows()[cut..] {
                part.push(&Request { line: row.line - 5, ..*row });
            }
            whole.append(&part, 5, 1000);
            let mut expect = rows();
            for row in &mut expect[cut..] {
                row.offset += 1000;
            }
            assert_eq!(all(&whole), expect, "{cut}");
        }
    }

    #[test]
    fn room_that_is_not_there_is_done_without() {
        let mut requests = Requests::default();
        for more in [usize::MAX, usize::MAX / 64, 1] {
            requests.reserve(more);
            requests.push(&rows()[0]);
        }
        assert_eq!(requests.len(), 3);
    }

    #[test]
    fn what_a_source_does_not_have_takes_no_room() {
        let mut requests = Requests::default();
        requests.push(&rows()[1]);
        let empty =
            [requests.bytes_in.0.capacity(), requests.status.0.capacity(), requests.next.0.capacity()];
        assert_eq!((empty, requests.duration.0.capacity()), ([0; 3], 0));
    }
}
