//! A query made ready for the rows of one source: tables by symbol, so that a row costs a few look-ups.

use super::columns::Columns;
use super::index::{NO_SESSION, Part, parse_name};
use super::{ActionKind, RequestColumn, RequestFilter, RequestQuery, action};
use triptych_model::Symbol;

/// Places for statuses: HTTP's own numbers, then the words of errors, then none.
pub(super) const STATUSES: usize = 1024;
const ERROR: usize = 1001;
const WARNING: usize = 1002;
const DENIED: usize = 1003;
pub(super) const NO_STATUS: usize = 1004;

/// Facets whose value is a symbol of the row, with their bit's place.
pub(super) const BY_SYMBOL: [(usize, RequestColumn); 4] = [
    (0, RequestColumn::Action),
    (1, RequestColumn::Repository),
    (2, RequestColumn::User),
    (3, RequestColumn::Host),
];
pub(super) const CLIENT_BIT: usize = 4;
pub(super) const STATUS_BIT: usize = 5;

/// What is known of every action symbol: its kind and when it is logged.
pub(super) struct Actions(Vec<u8>);

impl Actions {
    pub(super) fn new(columns: Columns<'_>, used: &[(Symbol, u32)]) -> Self {
        let mut known = vec![ActionKind::Other.place() as u8; columns.symbols()];
        for (symbol, _) in used {
            let info = action(columns.text(*symbol).unwrap_or(""));
            if let Some(slot) = known.get_mut(*symbol as usize) {
                *slot = info.kind.place() as u8
                    | u8::from(info.at_end) << 7
                    | u8::from(matches!(info.word, "commit" | "MERGE")) << 6;
            }
        }
        Self(known)
    }

    /// Place of the kind, and whether the line is written at the end of the work.
    pub(super) fn of(&self, symbol: Symbol) -> (usize, bool) {
        let known = self.0.get(symbol as usize).copied().unwrap_or(ActionKind::Other.place() as u8);
        (usize::from(known & 0x3f), known & 0x80 != 0)
    }

    /// Whether the action is a commit.
    pub(super) fn is_commit(&self, symbol: Symbol) -> bool {
        self.0.get(symbol as usize).is_some_and(|known| known & 0x40 != 0)
    }
}

/// The place of a row's status among [`STATUSES`].
pub(super) fn status_place(columns: Columns<'_>, row: usize, kind: usize) -> usize {
    if let Some(status) = columns.status(row) {
        return usize::try_from(status).map_or(NO_STATUS, |status| status.min(1000));
    }
    if kind != ActionKind::Error.place() {
        return NO_STATUS;
    }
    match columns.text(columns.action(row)) {
        Some("warning") => WARNING,
        Some("denied") => DENIED,
        _ => ERROR,
    }
}

/// The value of a place.
pub(super) fn status_text(place: usize) -> String {
    match place {
        ERROR => "error".to_owned(),
        WARNING => "warning".to_owned(),
        DENIED => "denied".to_owned(),
        NO_STATUS => String::new(),
        number => number.to_string(),
    }
}

type Allowed = Option<Vec<bool>>;

/// The query for one source.
pub(super) struct Compiled<'a> {
    columns: Columns<'a>,
    part: &'a Part,
    symbols: [Allowed; 4],
    kind: Option<[bool; 7]>,
    clients: Allowed,
    no_client: bool,
    status: Allowed,
    path: Allowed,
    text: Allowed,
    session: Option<(Vec<u32>, bool)>,
    time: Option<(i64, i64)>,
}

fn by_symbol(columns: Columns<'_>, filter: Option<&RequestFilter>) -> Allowed {
    let filter = filter?;
    let mut allowed = vec![filter.not; columns.symbols().max(1)];
    for (symbol, slot) in (0..).zip(&mut allowed) {
        let text = columns.text(symbol).unwrap_or("");
        if filter.values.iter().any(|value| value == text) {
            *slot = !filter.not;
        }
    }
    Some(allowed)
}

/// Symbols whose text has these letters, in any case.
fn with_text(columns: Columns<'_>, text: &str) -> Allowed {
    let wanted = text.trim().to_lowercase();
    if wanted.is_empty() {
        return None;
    }
    let found = |symbol| {
        let known = columns.text(symbol).unwrap_or("");
        if wanted.is_ascii() {
            contains(known.as_bytes(), wanted.as_bytes())
        } else {
            known.to_lowercase().contains(&wanted)
        }
    };
    Some((0..u32::try_from(columns.symbols()).unwrap_or(u32::MAX)).map(found).collect())
}

/// Whether the text has the lower-case letters somewhere, in any case.
fn contains(text: &[u8], wanted: &[u8]) -> bool {
    let Some(first) = wanted.first() else { return true };
    text.windows(wanted.len()).any(|window| {
        window.first().is_some_and(|byte| byte.to_ascii_lowercase() == *first)
            && window.eq_ignore_ascii_case(wanted)
    })
}

impl<'a> Compiled<'a> {
    /// `None`: the query drops the whole source.
    pub(super) fn new(part: &'a Part, query: &RequestQuery) -> Option<Self> {
        let index = &*part.index;
        if !query.lets(RequestColumn::Source, &index.path) {
            return None;
        }
        let columns = index.columns();
        let kind = query.filter(RequestColumn::Kind).map(|filter| {
            let mut allowed = [filter.not; 7];
            for value in &filter.values {
                if let Some(slot) = ActionKind::parse(value).and_then(|kind| allowed.get_mut(kind.place())) {
                    *slot = !filter.not;
                }
            }
            allowed
        });
        let clients = query.filter(RequestColumn::Client).map(|filter| {
            let names = part.clients.iter().flat_map(|clients| &clients.names);
            names.map(|name| filter.values.contains(name) != filter.not).collect()
        });
        let status = query.filter(RequestColumn::Status).map(|filter| {
            (0..STATUSES).map(|place| filter.values.contains(&status_text(place)) != filter.not).collect()
        });
        Some(Self {
            columns,
            part,
            symbols: BY_SYMBOL.map(|(_, column)| by_symbol(columns, query.filter(column))),
            kind,
            clients,
            no_client: query.lets(RequestColumn::Client, ""),
            status,
            path: by_symbol(columns, query.filter(RequestColumn::Path)),
            text: with_text(columns, &query.text),
            session: query.filter(RequestColumn::Session).map(|filter| (sessions(part, filter), filter.not)),
            time: query.time,
        })
    }

    /// Whether every row passes.
    pub(super) fn is_open(&self) -> bool {
        self.symbols.iter().all(Option::is_none)
            && self.kind.is_none()
            && self.clients.is_none()
            && self.status.is_none()
            && self.path.is_none()
            && self.text.is_none()
            && self.session.is_none()
            && self.time.is_none()
    }

    /// Bits of the facets whose filters drop the row; `None`: another filter does.
    pub(super) fn failed(&self, row: usize, kind: usize, session: u32) -> Option<u8> {
        let columns = self.columns;
        if let Some((from, to)) = self.time
            && !columns.time(row).is_some_and(|time| from <= time && time <= to)
        {
            return None;
        }
        if self.kind.is_some_and(|allowed| allowed.get(kind) != Some(&true)) {
            return None;
        }
        let has = |allowed: &Vec<bool>, symbol: Symbol| allowed.get(symbol as usize) == Some(&true);
        if self.path.as_ref().is_some_and(|allowed| !has(allowed, columns.path(row))) {
            return None;
        }
        if let Some((sessions, not)) = &self.session
            && sessions.contains(&session) == *not
        {
            return None;
        }
        if let Some(text) = &self.text {
            let user = columns.client(row).user;
            let places = [columns.path(row), columns.action(row), user, columns.error(row)];
            if !places.iter().any(|symbol| *symbol != 0 && has(text, *symbol)) {
                return None;
            }
        }
        Some(self.facets(row, kind, session))
    }

    fn facets(&self, row: usize, kind: usize, session: u32) -> u8 {
        let columns = self.columns;
        let mut failed = 0;
        let client = columns.client(row);
        let symbols = [columns.action(row), client.repository, client.user, client.host];
        for (bit, (allowed, symbol)) in self.symbols.iter().zip(symbols).enumerate() {
            if let Some(allowed) = allowed
                && allowed.get(symbol as usize) != Some(&true)
            {
                failed |= 1 << bit;
            }
        }
        if let Some(allowed) = &self.clients {
            let client = self.part.client_place(session);
            if !client.map_or(self.no_client, |place| allowed.get(place) == Some(&true)) {
                failed |= 1 << CLIENT_BIT;
            }
        }
        if let Some(allowed) = &self.status
            && allowed.get(status_place(columns, row, kind)) != Some(&true)
        {
            failed |= 1 << STATUS_BIT;
        }
        failed
    }
}

impl Part {
    /// The place of a session's client among the names.
    fn client_place(&self, session: u32) -> Option<usize> {
        let place = *self.clients.as_ref()?.of.get(session as usize)?;
        (place != NO_SESSION).then_some(place as usize)
    }
}

/// The sessions of this source that a filter names.
fn sessions(part: &Part, filter: &RequestFilter) -> Vec<u32> {
    let index = &*part.index;
    let columns = index.columns();
    let named = filter.values.iter().filter_map(|value| parse_name(value));
    let here = named.filter(|(_, path)| *path == &*index.path);
    let place = |(line, _): (u32, &str)| {
        let at = index.sessions.partition_point(|session| columns.line(session.first as usize) < line);
        let found = index.sessions.get(at)?;
        (columns.line(found.first as usize) == line).then(|| u32::try_from(at).ok())?
    };
    here.filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_found_in_any_case() {
        for (text, wanted, expect) in [
            ("/trunk/Makefile.in", "makefile", true),
            ("/trunk", "trunks", false),
            ("", "a", false),
            ("aAb", "ab", true),
        ] {
            assert_eq!(contains(text.as_bytes(), wanted.as_bytes()), expect, "{text} {wanted}");
        }
    }
}
