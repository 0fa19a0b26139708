//! One pass over the rows that a query keeps: which they are, facets, sessions, errors, the longest gaps.

use super::columns::Columns;
use super::errors::{self, ErrorGroup, Errors, SourceErrors};
use super::filter::{
    Actions, BY_SYMBOL, CLIENT_BIT, Compiled, NO_STATUS, STATUS_BIT, STATUSES, status_place, status_text,
};
use super::index::{NO_SESSION, Part, SourceIndex};
use super::{
    ASK_EVERY, ActionKind, GiveUp, GivenUp, RequestColumn, RequestIndex, RequestQuery, RowRef, SessionRef,
};
use std::borrow::Cow;
use std::collections::HashMap;
use triptych_model::{Symbol, natural_cmp};

/// How many of the longest gaps are kept.
pub const GAPS: usize = 50;
/// How many paths are kept.
const PATHS: usize = 100;

/// What a number of seconds beside a row means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// Since the line before it in its session: the line is written when the work is done.
    Before,
    /// To the line after it in its session: the line is written before the work begins.
    After,
    /// The log says how long the request took.
    Duration,
}

/// A row with the seconds that estimate its work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The row.
    pub row: RowRef,
    /// Seconds.
    pub secs: f64,
    /// What they are.
    pub kind: GapKind,
}

/// Rows of one source.
#[derive(Clone, Debug)]
enum Rows {
    All(usize),
    Some(Vec<u32>),
}

/// The rows that a query keeps, in order of sources and lines.
#[derive(Clone, Debug, Default)]
pub struct RowSet {
    parts: Vec<(u32, Rows)>,
}

impl RowSet {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|(_, rows)| rows.len()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of that place, from 0.
    pub fn get(&self, place: usize) -> Option<RowRef> {
        let mut place = place;
        for (source, rows) in &self.parts {
            if place < rows.len() {
                let row = u32::try_from(rows.at(place)).ok()?;
                return Some(RowRef { source: *source, row });
            }
            place -= rows.len();
        }
        None
    }

    /// The place of a row, where it is kept.
    pub fn place(&self, row: RowRef) -> Option<usize> {
        let mut before = 0;
        for (source, rows) in &self.parts {
            if *source == row.source {
                return match rows {
                    Rows::All(count) => ((row.row as usize) < *count).then_some(before + row.row as usize),
                    Rows::Some(rows) => rows.binary_search(&row.row).ok().map(|at| before + at),
                };
            }
            before += rows.len();
        }
        None
    }

    /// Sources with their rows, to walk through.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u32, usize, impl Fn(usize) -> usize)> {
        self.parts.iter().map(|(source, rows)| (*source, rows.len(), move |place| rows.at(place)))
    }
}

impl Rows {
    fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(rows) => rows.len(),
        }
    }

    fn at(&self, place: usize) -> usize {
        match self {
            Self::All(_) => place,
            Self::Some(rows) => rows.get(place).map_or(usize::MAX, |row| *row as usize),
        }
    }
}

/// A column with its values and counts, for the filter panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFacet {
    /// The column.
    pub column: RequestColumn,
    /// Most frequent first; the order does not change with filters.
    pub values: Vec<RequestFacetValue>,
}

/// One value of a facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestFacetValue {
    /// The value; empty: none.
    pub text: String,
    /// Rows, of clients sessions, that a click would give: all other columns' filters applied.
    pub count: usize,
    /// Whether the query lets it through.
    pub on: bool,
}

/// What a query keeps, in plain values.
#[derive(Clone, Debug, Default)]
pub struct RequestAnswer {
    /// Rows of the sources that the query keeps.
    pub all: usize,
    /// The rows kept.
    pub rows: RowSet,
    /// Rows of each kind by [`ActionKind::place`], errors last.
    pub kinds: [usize; 7],
    /// Times of the first and last row kept, UTC microseconds.
    pub span: Option<(i64, i64)>,
    /// Sessions with a row that is kept.
    pub sessions: Vec<SessionRef>,
    /// Sessions of the sources that the query keeps.
    pub all_sessions: usize,
    /// Values and counts.
    pub facets: Vec<RequestFacet>,
    /// The longest gaps, longest first.
    pub gaps: Vec<Gap>,
    /// The first and the last revision committed.
    pub revisions: Option<(i64, i64)>,
    /// The most frequent paths with their rows.
    pub paths: Vec<(String, usize)>,
    /// Errors of the rows kept, in order of their first time.
    pub errors: Vec<ErrorGroup>,
    /// Sources with an error that is kept.
    pub sources_with_errors: usize,
    /// Whether any row kept names a process of its server: without one there are no sessions.
    pub names_process: bool,
}

/// Values of one facet under way: count of all rows, count under the other filters. Distinct ones may be
/// as many as rows.
type Values<'a> = HashMap<Cow<'a, str>, (usize, usize)>;

impl RequestIndex {
    /// Answers a query.
    ///
    /// # Errors
    /// It was asked to give up.
    pub fn answer(&self, query: &RequestQuery, give_up: GiveUp<'_>) -> Result<RequestAnswer, GivenUp> {
        let mut answer = RequestAnswer::default();
        let mut facets: [Values<'_>; 6] = Default::default();
        let mut paths = HashMap::new();
        let mut gaps = Longest::default();
        let mut errors = Errors::default();
        for part in &self.parts {
            let Some(compiled) = Compiled::new(part, query) else { continue };
            let mut pass = Pass::new(part, compiled, &mut gaps);
            pass.rows(give_up)?;
            pass.finish(&mut answer, &mut facets, &mut paths, &mut errors, give_up)?;
        }
        answer.sources_with_errors = errors.sources;
        answer.errors = errors.sorted();
        answer.gaps = gaps.sorted();
        for column in RequestColumn::FACETS {
            if give_up() {
                return Err(GivenUp);
            }
            let values = sorted(std::mem::take(&mut facets[bit(column)]), column, query);
            answer.facets.push(RequestFacet { column, values });
        }
        answer.paths = paths.into_iter().map(|(path, rows): (&str, usize)| (path.to_owned(), rows)).collect();
        answer.paths.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| natural_cmp(&a.0, &b.0)));
        answer.paths.truncate(PATHS);
        Ok(answer)
    }

    /// The seconds that estimate a row's work, and what they are; or the action that the gap behind it is of.
    pub fn gap(&self, row: RowRef) -> Result<Option<Gap>, &str> {
        let Some(part) = self.part(row.source) else { return Ok(None) };
        let columns = part.index.columns();
        let info = super::action(columns.text(columns.action(row.row as usize)).unwrap_or(""));
        if info.kind == ActionKind::Error {
            return Ok(None);
        }
        let Some((secs, kind)) = gap(columns, row.row as usize, info.at_end) else { return Ok(None) };
        if kind == GapKind::After
            && let Some(next) = columns.next(row.row as usize)
        {
            let word = columns.text(columns.action(next)).unwrap_or("");
            let next = super::action(word);
            if next.at_end && next.kind != ActionKind::Error {
                return Err(word);
            }
        }
        Ok(Some(Gap { row, secs, kind }))
    }
}

/// The place of a facet's bit.
fn bit(column: RequestColumn) -> usize {
    match column {
        RequestColumn::Client => CLIENT_BIT,
        RequestColumn::Status => STATUS_BIT,
        _ => BY_SYMBOL.iter().find(|(_, known)| *known == column).map_or(0, |(bit, _)| *bit),
    }
}

fn sorted(values: Values<'_>, column: RequestColumn, query: &RequestQuery) -> Vec<RequestFacetValue> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(|(a, (a_all, _)), (b, (b_all, _))| b_all.cmp(a_all).then_with(|| natural_cmp(a, b)));
    let value = |(text, (_, count)): (Cow<'_, str>, (usize, usize))| {
        let on = query.lets(column, &text);
        RequestFacetValue { text: text.into_owned(), count, on }
    };
    values.into_iter().map(value).collect()
}

fn add<'a>(values: &mut Values<'a>, text: impl Into<Cow<'a, str>>, all: usize, count: usize) {
    let known = values.entry(text.into()).or_default();
    known.0 += all;
    known.1 += count;
}

fn gap(columns: Columns<'_>, row: usize, at_end: bool) -> Option<(f64, GapKind)> {
    if let Some(secs) = columns.duration(row) {
        return Some((secs, GapKind::Duration));
    }
    if at_end {
        columns.gap_before(row).map(|secs| (secs, GapKind::Before))
    } else {
        columns.gap_after(row).map(|secs| (secs, GapKind::After))
    }
}

/// The longest gaps seen so far.
#[derive(Default)]
struct Longest {
    kept: Vec<Gap>,
    floor: f64,
}

impl Longest {
    fn offer(&mut self, gap: Gap) {
        if gap.secs <= self.floor {
            return;
        }
        self.kept.push(gap);
        if self.kept.len() >= 8 * GAPS {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.kept.sort_by(|a, b| b.secs.total_cmp(&a.secs).then(a.row.cmp(&b.row)));
        self.kept.truncate(GAPS);
        if self.kept.len() == GAPS {
            self.floor = self.kept.last().map_or(0.0, |gap| gap.secs);
        }
    }

    fn sorted(mut self) -> Vec<Gap> {
        self.cut();
        self.kept
    }
}

/// Stands for no row.
const NO_ROW: u32 = u32::MAX;

/// The pass over one source.
struct Pass<'a, 'g> {
    part: &'a Part,
    index: &'a SourceIndex,
    columns: Columns<'a>,
    compiled: Compiled<'a>,
    actions: Actions,
    gaps: &'g mut Longest,
    kept: Vec<u32>,
    kinds: [usize; 7],
    span: Option<(i64, i64)>,
    by_symbol: [Vec<u32>; 4],
    statuses: Vec<u32>,
    paths: Vec<u32>,
    /// The last row of each session, where it is kept.
    pending: Vec<u32>,
    sessions: Vec<bool>,
    client_sessions: Vec<bool>,
    revisions: Option<(i64, i64)>,
    errors: SourceErrors,
    names_process: bool,
}

impl<'a, 'g> Pass<'a, 'g> {
    fn new(part: &'a Part, compiled: Compiled<'a>, gaps: &'g mut Longest) -> Self {
        let index = &*part.index;
        let columns = index.columns();
        let symbols = columns.symbols();
        Self {
            part,
            index,
            columns,
            compiled,
            actions: Actions::new(columns, &index.values[0]),
            gaps,
            kept: Vec::new(),
            kinds: [0; 7],
            span: None,
            by_symbol: [(); 4].map(|()| vec![0; symbols]),
            statuses: vec![0; STATUSES],
            paths: vec![0; symbols],
            pending: vec![NO_ROW; index.sessions.len()],
            sessions: vec![false; index.sessions.len()],
            client_sessions: vec![false; index.sessions.len()],
            revisions: None,
            errors: SourceErrors::default(),
            names_process: false,
        }
    }

    fn rows(&mut self, give_up: GiveUp<'_>) -> Result<(), GivenUp> {
        let open = self.compiled.is_open();
        for row in 0..self.columns.len() {
            if row % ASK_EVERY == 0 && give_up() {
                return Err(GivenUp);
            }
            let action = self.columns.action(row);
            let (kind, at_end) = self.actions.of(action);
            let session = self.index.session_of.get(row).copied().unwrap_or(NO_SESSION);
            let failed = if open { Some(0) } else { self.compiled.failed(row, kind, session) };
            self.gap(row, kind, at_end, session, failed == Some(0));
            match failed {
                Some(0) => {
                    if !open {
                        self.kept.push(u32::try_from(row).unwrap_or(u32::MAX));
                    }
                    self.keep(row, kind, session);
                }
                Some(bits) if bits.is_power_of_two() => {
                    self.count(row, kind, session, bits.trailing_zeros() as usize);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Offers the gap that this row ends. It lies between two lines of a session: where the second is
    /// written at the end of its work the gap is of that work, else of the first line's.
    fn gap(&mut self, row: usize, kind: usize, at_end: bool, session: u32, kept: bool) {
        let offer = |gaps: &mut Longest, row: u32, secs: f64, kind: GapKind| {
            gaps.offer(Gap { row: RowRef { source: self.index.source, row }, secs, kind });
        };
        let place = u32::try_from(row).unwrap_or(u32::MAX);
        if let Some(secs) = self.columns.duration(row).filter(|_| kept) {
            offer(self.gaps, place, secs, GapKind::Duration);
        }
        let Some(pending) = self.pending.get_mut(session as usize) else { return };
        let first = std::mem::replace(pending, if kept { place } else { NO_ROW });
        let is_error = kind == ActionKind::Error.place();
        if at_end && !is_error {
            if let Some(secs) = self.columns.gap_before(row).filter(|_| kept) {
                offer(self.gaps, place, secs, GapKind::Before);
            }
        } else if first != NO_ROW
            && !self.is_error(first as usize)
            && let Some(secs) = self.columns.gap_after(first as usize)
        {
            offer(self.gaps, first, secs, GapKind::After);
        }
    }

    fn is_error(&self, row: usize) -> bool {
        self.actions.of(self.columns.action(row)).0 == ActionKind::Error.place()
    }

    fn keep(&mut self, row: usize, kind: usize, session: u32) {
        let client = self.columns.client(row);
        let symbols = [self.columns.action(row), client.repository, client.user, client.host];
        for (counts, symbol) in self.by_symbol.iter_mut().zip(symbols) {
            if let Some(slot) = counts.get_mut(symbol as usize) {
                *slot += 1;
            }
        }
        for bit in [CLIENT_BIT, STATUS_BIT] {
            self.count(row, kind, session, bit);
        }
        if let Some(slot) = self.kinds.get_mut(kind) {
            *slot += 1;
        }
        if let Some(slot) = self.sessions.get_mut(session as usize) {
            *slot = true;
        }
        if let Some(slot) = self.paths.get_mut(self.columns.path(row) as usize) {
            *slot += 1;
        }
        if let Some(time) = self.columns.time(row) {
            let (from, to) = self.span.unwrap_or((time, time));
            self.span = Some((from.min(time), to.max(time)));
        }
        if self.actions.is_commit(self.columns.action(row)) {
            self.commit(row);
        }
        errors::note(&mut self.errors, self.columns, row, kind == ActionKind::Error.place());
        self.names_process = self.names_process || self.columns.pid(row).is_some();
    }

    fn commit(&mut self, row: usize) {
        let Some(revision) = self.columns.revision(row) else { return };
        let (low, high) = self.revisions.unwrap_or((revision, revision));
        self.revisions = Some((low.min(revision), high.max(revision)));
    }

    /// Counts a row for one facet.
    fn count(&mut self, row: usize, kind: usize, session: u32, bit: usize) {
        let columns = self.columns;
        let symbol: Symbol = match bit {
            0 => columns.action(row),
            1 => columns.client(row).repository,
            2 => columns.client(row).user,
            3 => columns.client(row).host,
            CLIENT_BIT => {
                if let Some(slot) = self.client_sessions.get_mut(session as usize) {
                    *slot = true;
                }
                return;
            }
            _ => {
                if let Some(slot) = self.statuses.get_mut(status_place(columns, row, kind)) {
                    *slot += 1;
                }
                return;
            }
        };
        if let Some(slot) = self.by_symbol.get_mut(bit).and_then(|counts| counts.get_mut(symbol as usize)) {
            *slot += 1;
        }
    }

    fn finish(
        self,
        answer: &mut RequestAnswer,
        facets: &mut [Values<'a>; 6],
        paths: &mut HashMap<&'a str, usize>,
        errors: &mut Errors<'a>,
        give_up: GiveUp<'_>,
    ) -> Result<(), GivenUp> {
        answer.names_process |= self.names_process;
        answer.all += self.columns.len();
        answer.all_sessions += self.index.sessions.len();
        for (sum, count) in answer.kinds.iter_mut().zip(self.kinds) {
            *sum += count;
        }
        let joined = |a: Option<(i64, i64)>, b: Option<(i64, i64)>| match (a, b) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
        answer.span = joined(answer.span, self.span);
        answer.revisions = joined(answer.revisions, self.revisions);
        let source = self.index.source;
        answer.sessions.extend(
            (0..)
                .zip(&self.sessions)
                .filter(|(_, hit)| **hit)
                .map(|(session, _)| SessionRef { source, session }),
        );
        self.values(facets, give_up)?;
        let counted = (0..).zip(&self.paths).skip(1).filter(|(_, count)| **count > 0);
        let mut top: Vec<(Symbol, u32)> = counted.map(|(symbol, count)| (symbol, *count)).collect();
        top.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (symbol, count) in top.into_iter().take(PATHS) {
            let text = self.columns.text(symbol).unwrap_or("");
            *paths.entry(text).or_default() += count as usize;
        }
        errors.add(source, self.columns, self.errors, give_up)?;
        let rows =
            if self.compiled.is_open() { Rows::All(self.columns.len()) } else { Rows::Some(self.kept) };
        answer.rows.parts.push((source, rows));
        Ok(())
    }

    fn values(&self, facets: &mut [Values<'a>; 6], give_up: GiveUp<'_>) -> Result<(), GivenUp> {
        for (bit, values) in self.index.values.iter().enumerate() {
            for (place, (symbol, all)) in values.iter().enumerate() {
                if place % ASK_EVERY == 0 && give_up() {
                    return Err(GivenUp);
                }
                let count = self.by_symbol.get(bit).and_then(|counts| counts.get(*symbol as usize));
                let text = self.columns.text(*symbol).unwrap_or("");
                add(&mut facets[bit], text, *all as usize, count.copied().unwrap_or(0) as usize);
            }
        }
        if let Some(clients) = &self.part.clients {
            let mut counts = vec![(0, 0); clients.names.len()];
            for (client, hit) in clients.of.iter().zip(&self.client_sessions) {
                if let Some((all, count)) = counts.get_mut(*client as usize) {
                    *all += 1;
                    *count += usize::from(*hit);
                }
            }
            for (name, (all, count)) in clients.names.iter().zip(counts) {
                add(&mut facets[CLIENT_BIT], name.as_str(), all, count);
            }
        }
        for (place, all) in self.index.statuses.iter().filter(|(place, _)| *place != NO_STATUS) {
            let count = self.statuses.get(*place).copied().unwrap_or(0);
            add(&mut facets[STATUS_BIT], status_text(*place), *all as usize, count as usize);
        }
        Ok(())
    }
}
