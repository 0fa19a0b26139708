//! Sessions and clients of every source with requests, made once a source.
//!
//! A session is one process from its `open` line on. A threaded server has one process for all: there
//! the reader marked the rows `session-guessed`, and a session is guessed per process and host.

use super::columns::Columns;
use super::filter::{self, STATUSES};
use super::{
    ASK_EVERY, ActionKind, GiveUp, GivenUp, RequestColumn, RequestQuery, RowRef, SessionRef, action,
};
use crate::{Source, Store, reread};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use triptych_model::{Importer, Quality, Request, RequestArguments, SourceData, Symbol};

/// Stands for no session.
pub(super) const NO_SESSION: u32 = u32::MAX;

/// One session of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Session {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) rows: u32,
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    pub(super) user: Symbol,
    pub(super) repository: Symbol,
    pub(super) opened: bool,
}

/// One source with its sessions.
#[derive(Debug)]
pub(super) struct SourceIndex {
    pub(super) source: u32,
    pub(super) path: Arc<str>,
    pub(super) data: Arc<SourceData>,
    /// One session or [`NO_SESSION`] a row.
    pub(super) session_of: Vec<u32>,
    pub(super) sessions: Vec<Session>,
    /// Actions, repositories, users and hosts with their rows, see [`filter::BY_SYMBOL`].
    pub(super) values: [Vec<(Symbol, u32)>; 4],
    /// Statuses with their rows, see [`filter::status_place`].
    pub(super) statuses: Vec<(usize, u32)>,
    /// First and last time.
    pub(super) span: Option<(i64, i64)>,
    /// Whether every time is a whole second, as in httpd's usual log.
    pub(super) whole_secs: bool,
    /// Whether times never go back, so that a range can be found by halving.
    pub(super) sorted: bool,
}

/// Clients of one source: a name of each, and which a session has.
#[derive(Debug, Default)]
pub(super) struct Clients {
    pub(super) names: Vec<String>,
    /// An index into the names or [`NO_SESSION`] a session.
    pub(super) of: Vec<u32>,
}

/// A source's part of the index; cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) index: Arc<SourceIndex>,
    pub(super) clients: Option<Arc<Clients>>,
}

/// What is known of the requests of all sources besides their rows. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct RequestIndex {
    pub(super) parts: Vec<Part>,
}

/// A session in plain values.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionFacts {
    /// Which it is.
    pub session: SessionRef,
    /// Process id of the server.
    pub pid: Option<u32>,
    /// First line, UTC microseconds.
    pub start: Option<i64>,
    /// Seconds from its first to its last line.
    pub secs: f64,
    /// Its lines.
    pub lines: u32,
    /// Physical line of the first, from 1.
    pub line: u32,
    /// Its first row.
    pub first: u32,
    /// The client's address.
    pub host: Option<String>,
    /// The authenticated user.
    pub user: Option<String>,
    /// The repository.
    pub repository: Option<String>,
    /// What the client called itself; `None`: it did not say, or was not read yet.
    pub client: Option<String>,
    /// Whether its `open` line is in the log; else it began before the log did.
    pub opened: bool,
    /// Whether the rows were put together by process and host alone.
    pub guessed: bool,
    /// The source's path.
    pub path: String,
}

impl SessionFacts {
    /// The value of a filter that keeps this session: `pid 23226 from line 9316 of PATH`.
    pub fn name(&self) -> String {
        let pid = self.pid.map_or_else(|| "unknown".to_owned(), |pid| pid.to_string());
        format!("pid {pid} from line {} of {}", self.line, self.path)
    }
}

/// Line and path in a session's name.
pub(super) fn parse_name(name: &str) -> Option<(u32, &str)> {
    let (_, rest) = name.split_once(" from line ")?;
    let (line, path) = rest.split_once(" of ")?;
    Some((line.parse().ok()?, path))
}

impl Store {
    /// Makes the index of all sources with requests; those of `known` are taken over as they are.
    ///
    /// # Errors
    /// It was asked to give up.
    pub fn request_index(&self, known: &RequestIndex, give_up: GiveUp<'_>) -> Result<RequestIndex, GivenUp> {
        let mut parts = Vec::new();
        for (number, source) in self.sources().iter().enumerate() {
            if source.data.requests.is_empty() {
                continue;
            }
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            let old = known.parts.iter().find(|part| Arc::ptr_eq(&part.index.data, &source.data));
            let part = match old {
                Some(part) if part.index.source == number => part.clone(),
                old => {
                    let index = Arc::new(SourceIndex::new(number, source, give_up)?);
                    Part { index, clients: old.and_then(|part| part.clients.clone()) }
                }
            };
            parts.push(part);
        }
        Ok(RequestIndex { parts })
    }

    /// Reads what clients called themselves from the `open` lines, where that is not known yet.
    ///
    /// A source that changed since it was read has no clients.
    ///
    /// # Errors
    /// It was asked to give up.
    pub fn request_clients(
        &self,
        index: &RequestIndex,
        give_up: GiveUp<'_>,
    ) -> Result<RequestIndex, GivenUp> {
        let mut parts = index.parts.clone();
        for part in parts.iter_mut().filter(|part| part.clients.is_none()) {
            let source = self.sources().get(part.index.source as usize);
            let clients = match source {
                Some(source) => read_clients(&part.index, source, self.importer(), give_up)?,
                None => Clients::default(),
            };
            part.clients = Some(Arc::new(clients));
        }
        Ok(RequestIndex { parts })
    }
}

impl RequestIndex {
    /// Whether there are no requests.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Whether the clients of every source were read.
    pub fn knows_clients(&self) -> bool {
        self.parts.iter().all(|part| part.clients.is_some())
    }

    /// Whether a source's server has one process for all connections; `None`: it has no sessions.
    pub fn is_threaded(&self, source: u32) -> Option<bool> {
        let index = &self.part(source)?.index;
        let first = index.sessions.first()?.first as usize;
        Some(index.columns().quality(first).has(Quality::SESSION_GUESSED))
    }

    /// The narrowest bin that says something of these sources, microseconds: logs of whole seconds know no less.
    pub fn finest(&self, query: &RequestQuery) -> i64 {
        let kept = self.parts.iter().filter(|part| query.lets(RequestColumn::Source, &part.index.path));
        if kept.into_iter().any(|part| !part.index.whole_secs) { 1 } else { 1_000_000 }
    }

    /// Rows of all sources.
    pub fn rows(&self) -> usize {
        self.parts.iter().map(|part| part.index.data.requests.len()).sum()
    }

    /// Sources with their rows and the times of the first and last, in the store's order.
    pub fn sources(&self) -> impl Iterator<Item = (u32, &str, usize, Option<(i64, i64)>)> {
        self.parts.iter().map(|part| {
            (part.index.source, &*part.index.path, part.index.data.requests.len(), part.index.span)
        })
    }

    /// The row of another index, of the same sources as they were before, in this one: where its line is
    /// still of the same process and action.
    pub fn carried(&self, before: &Self, row: RowRef) -> Option<RowRef> {
        let (path, known) = before.place(row)?;
        let found = self.at_line(path, known.line)?;
        let (_, now) = self.place(found)?;
        ((now.line, now.pid, now.action) == (known.line, known.pid, known.action)).then_some(found)
    }

    /// The path of a row's source, and the row.
    fn place(&self, row: RowRef) -> Option<(&str, Request<'_>)> {
        let index = &self.part(row.source)?.index;
        Some((&*index.path, index.columns().row(row.row as usize)?))
    }

    /// The row at a line of a source, or the next one behind it.
    pub fn at_line(&self, path: &str, line: u32) -> Option<RowRef> {
        let index = &self.parts.iter().find(|part| &*part.index.path == path)?.index;
        let columns = index.columns();
        let (mut low, mut high) = (0, columns.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if columns.line(middle) < line { low = middle + 1 } else { high = middle }
        }
        let row = low.min(columns.len().checked_sub(1)?);
        Some(RowRef { source: index.source, row: u32::try_from(row).ok()? })
    }

    pub(super) fn part(&self, source: u32) -> Option<&Part> {
        self.parts.iter().find(|part| part.index.source == source)
    }

    /// A session in plain values.
    pub fn session(&self, session: SessionRef) -> Option<SessionFacts> {
        let part = self.part(session.source)?;
        let known = part.index.sessions.get(session.session as usize)?;
        let columns = part.index.columns();
        let first = known.first as usize;
        let text = |symbol: Symbol| columns.text(symbol).map(str::to_owned);
        Some(SessionFacts {
            session,
            pid: columns.pid(first),
            start: known.start,
            secs: known
                .start
                .zip(known.end)
                .map_or(0.0, |(start, end)| crate::cpu::micros_to_secs(end - start)),
            lines: known.rows,
            line: columns.line(first),
            first: known.first,
            host: text(columns.client(first).host),
            user: text(known.user),
            repository: text(known.repository),
            client: part.client(session.session).map(str::to_owned),
            opened: known.opened,
            guessed: columns.quality(first).has(Quality::SESSION_GUESSED),
            path: part.index.path.to_string(),
        })
    }
}

impl Part {
    /// What the client of a session called itself.
    pub(super) fn client(&self, session: u32) -> Option<&str> {
        let clients = self.clients.as_ref()?;
        let name = *clients.of.get(session as usize)?;
        clients.names.get(name as usize).map(String::as_str)
    }
}

impl SourceIndex {
    pub(super) fn columns(&self) -> Columns<'_> {
        Columns(&self.data.requests)
    }

    fn new(number: u32, source: &Source, give_up: GiveUp<'_>) -> Result<Self, GivenUp> {
        let mut index = Self {
            source: number,
            path: Arc::from(source.path()),
            data: Arc::clone(&source.data),
            session_of: Vec::with_capacity(source.data.requests.len()),
            sessions: Vec::new(),
            values: Default::default(),
            statuses: Vec::new(),
            span: None,
            whole_secs: true,
            sorted: true,
        };
        index.fill(give_up)?;
        Ok(index)
    }

    fn fill(&mut self, give_up: GiveUp<'_>) -> Result<(), GivenUp> {
        let data = Arc::clone(&self.data);
        let columns = Columns(&data.requests);
        let mut words = Words::default();
        let mut going = Going::default();
        let mut before = i64::MIN;
        let mut counts = [(); 4].map(|()| vec![0u32; columns.symbols()]);
        let mut statuses = vec![0u32; STATUSES];
        for row in 0..columns.len() {
            if row % ASK_EVERY == 0 && give_up() {
                return Err(GivenUp);
            }
            if let Some(time) = columns.time(row) {
                let (start, end) = self.span.unwrap_or((time, time));
                self.span = Some((start.min(time), end.max(time)));
                self.sorted &= time >= before;
                self.whole_secs &= time % 1_000_000 == 0;
                before = time;
            }
            let word = words.of(columns, columns.action(row));
            let session = self.session_at(columns, row, word, &mut going);
            self.session_of.push(session);
            let client = columns.client(row);
            let symbols = [columns.action(row), client.repository, client.user, client.host];
            for (counts, symbol) in counts.iter_mut().zip(symbols) {
                if let Some(slot) = counts.get_mut(symbol as usize) {
                    *slot += 1;
                }
            }
            let kind = if word == Word::Error { ActionKind::Error } else { ActionKind::Other };
            if let Some(slot) = statuses.get_mut(filter::status_place(columns, row, kind.place())) {
                *slot += 1;
            }
        }
        for (values, counts) in self.values.iter_mut().zip(counts) {
            *values = (0..).zip(counts).filter(|(_, count)| *count > 0).collect();
        }
        self.statuses = statuses.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
        Ok(())
    }

    /// The session of the next row.
    fn session_at(&mut self, columns: Columns<'_>, row: usize, word: Word, going: &mut Going) -> u32 {
        let Some(pid) = columns.pid(row) else { return NO_SESSION };
        let guessed = columns.quality(row).has(Quality::SESSION_GUESSED);
        let key = (pid, if guessed { columns.client(row).host } else { 0 });
        let place = u32::try_from(row).unwrap_or(u32::MAX);
        let known = going.get(&key).copied().filter(|_| word != Word::Open);
        if let Some(known) = known
            && let Some(session) = self.sessions.get_mut(known as usize)
        {
            session.last = place;
            session.rows += 1;
            session.end = columns.time(row).or(session.end);
            let client = columns.client(row);
            for (kept, found) in
                [(&mut session.user, client.user), (&mut session.repository, client.repository)]
            {
                if *kept == 0 {
                    *kept = found;
                }
            }
            return known;
        }
        // An error of a connection that never spoke is no session.
        if word == Word::Error {
            return NO_SESSION;
        }
        let number = u32::try_from(self.sessions.len()).unwrap_or(NO_SESSION);
        let time = columns.time(row);
        self.sessions.push(Session {
            first: place,
            last: place,
            rows: 1,
            start: time,
            end: time,
            user: columns.client(row).user,
            repository: columns.client(row).repository,
            opened: word == Word::Open,
        });
        going.insert(key, number);
        number
    }
}

/// The session that goes on, by process and where guessed by host.
type Going = HashMap<(u32, Symbol), u32, BuildHasherDefault<Mix>>;

/// Mixes two numbers of this program's own making: no stranger chooses them, and ten million are mixed.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

/// What the index must know of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Open,
    Error,
    Else,
}

/// Actions by symbol, looked up once each.
#[derive(Default)]
struct Words(HashMap<Symbol, Word>, Option<(Symbol, Word)>);

impl Words {
    fn of(&mut self, columns: Columns<'_>, symbol: Symbol) -> Word {
        if let Some((last, word)) = self.1
            && last == symbol
        {
            return word;
        }
        let word = *self.0.entry(symbol).or_insert_with(|| {
            let text = columns.text(symbol).unwrap_or("");
            match action(text).kind {
                ActionKind::Error => Word::Error,
                _ if text == "open" => Word::Open,
                _ => Word::Else,
            }
        });
        self.1 = Some((symbol, word));
        word
    }
}

/// `svn 1.7.22` of `SVN/1.7.22 (r1) …`; other programs keep their name: `TortoiseSVN-1.14.5/…`.
pub(super) fn short_client(text: &str) -> String {
    let head = text.split(' ').next().unwrap_or(text);
    match head.strip_prefix("SVN/") {
        Some(version) => format!("svn {version}"),
        None => head.to_owned(),
    }
}

fn read_clients(
    index: &SourceIndex,
    source: &Source,
    importer: &dyn Importer,
    give_up: GiveUp<'_>,
) -> Result<Clients, GivenUp> {
    let mut clients = Clients { names: Vec::new(), of: vec![NO_SESSION; index.sessions.len()] };
    if !index.sessions.iter().any(|session| session.opened) {
        return Ok(clients);
    }
    let Ok(mut text) = reread::unchanged(source) else { return Ok(clients) };
    let arguments = importer.request_arguments(&text.head(), &source.read);
    // Clients are few, and what tells them apart stands in the last two words of the line.
    let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
    let mut places = HashMap::new();
    for (place, session) in index.sessions.iter().enumerate().filter(|(_, session)| session.opened) {
        if place % (ASK_EVERY / 16) == 0 && give_up() {
            return Err(GivenUp);
        }
        let offset = index.columns().offset(session.first as usize);
        let Some(line) = offset.and_then(|offset| text.line_at(offset)) else { continue };
        let tail = line.iter().rev().enumerate().filter(|(_, byte)| **byte == b' ').nth(1);
        let tail = line.get(line.len() - tail.map_or(line.len(), |(at, _)| at)..).unwrap_or(line);
        let name = match known.get(tail) {
            Some(name) => *name,
            None => {
                let name = clients.intern(&mut places, &arguments, line);
                known.insert(tail.to_vec(), name);
                name
            }
        };
        if let Some(slot) = clients.of.get_mut(place) {
            *slot = name;
        }
    }
    Ok(clients)
}

impl Clients {
    /// The place of a line's client among the names; `places` has those of all names.
    fn intern(
        &mut self,
        places: &mut HashMap<String, u32>,
        arguments: &RequestArguments<'_>,
        line: &[u8],
    ) -> u32 {
        let arguments =
            arguments(line).and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        let client = arguments.as_ref().and_then(|value| value.get("client")).and_then(|value| match value {
            serde_json::Value::String(text) => Some(text.as_str()),
            serde_json::Value::Array(texts) => texts.first().and_then(serde_json::Value::as_str),
            _ => None,
        });
        let Some(name) = client.map(short_client) else { return NO_SESSION };
        let next = u32::try_from(self.names.len()).unwrap_or(NO_SESSION);
        *places.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_and_sessions_have_short_names() {
        for (text, expect) in [
            ("SVN/1.14.2 (x86_64-pc-linux-gnu)", "svn 1.14.2"),
            ("SVN/1.7.22", "svn 1.7.22"),
            ("SVN/1.6.9 (r901367)", "svn 1.6.9"),
            ("TortoiseSVN-1.8 x", "TortoiseSVN-1.8"),
        ] {
            assert_eq!(short_client(text), expect);
        }
        assert_eq!(parse_name("pid 23226 from line 9316 of a of b.log"), Some((9316, "a of b.log")));
        assert_eq!(parse_name("nothing"), None);
    }
}
