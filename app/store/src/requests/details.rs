//! Everything known of one row: its facts, its session's lines, its arguments and its lines in the file.

use super::index::NO_SESSION;
use super::{ActionInfo, ActionKind, Gap, GapKind, RequestIndex, RowRef, SessionFacts, SessionRef, action};
use crate::{RawContext, Store, reread};
use triptych_model::Problem;

/// Lines of a session that are listed before and behind the row.
const BEFORE: usize = 200;
const BEHIND: usize = 60;

/// One row in plain values.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestFacts {
    /// Which it is.
    pub row: RowRef,
    /// The source's path.
    pub source: String,
    /// Physical line, from 1.
    pub line: u32,
    /// UTC microseconds.
    pub time: Option<i64>,
    /// Process id of the server.
    pub pid: Option<u32>,
    /// The client's address.
    pub host: Option<String>,
    /// The authenticated user.
    pub user: Option<String>,
    /// The repository.
    pub repository: Option<String>,
    /// The action word.
    pub action: String,
    /// What the table of actions says of it.
    pub info: ActionInfo,
    /// The path of a one-path action.
    pub path: Option<String>,
    /// The one revision of the action.
    pub revision: Option<i64>,
    /// HTTP status.
    pub status: Option<i64>,
    /// Bytes sent.
    pub bytes_out: Option<i64>,
    /// `CODE message; CODE cause`.
    pub error: Option<String>,
    /// Words of its quality besides `measured`.
    pub quality: Vec<&'static str>,
    /// The seconds that estimate its work.
    pub gap: Option<(f64, GapKind)>,
    /// The next action of its session, where the gap between the two is of that one's work.
    pub gap_of_next: Option<String>,
    /// Its session.
    pub session: Option<SessionRef>,
}

/// One line of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionLine {
    /// The row.
    pub row: RowRef,
    /// Seconds since the session's first line.
    pub secs: f64,
    /// The action word.
    pub action: String,
    /// Its kind.
    pub kind: ActionKind,
    /// From and to which second its gap reaches, where it has one.
    pub gap: Option<(f64, f64)>,
}

/// What the window shows of one row.
#[derive(Clone, Debug)]
pub struct RequestDetails {
    /// The row.
    pub facts: RequestFacts,
    /// Its session.
    pub session: Option<SessionFacts>,
    /// The session's lines round the row.
    pub lines: Vec<SessionLine>,
    /// Lines of the session before those.
    pub lines_before: usize,
    /// Arguments that have no column of their own: name and text.
    pub arguments: Vec<(String, String)>,
    /// The raw lines round it, or why there are none.
    pub context: Result<RawContext, Problem>,
}

impl RequestIndex {
    /// A row in plain values; what the tables of the window show.
    pub fn facts(&self, row: RowRef) -> Option<RequestFacts> {
        let index = &self.part(row.source)?.index;
        let request = index.columns().row(row.row as usize)?;
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let session =
            index.session_of.get(row.row as usize).copied().filter(|session| *session != NO_SESSION);
        let gap = self.gap(row);
        let quality = request.quality.words().filter(|word| *word != "measured").collect();
        Some(RequestFacts {
            row,
            source: index.path.to_string(),
            line: request.line,
            time: request.time,
            pid: request.pid,
            host: owned(request.host),
            user: owned(request.user),
            repository: owned(request.repository),
            action: request.action.to_owned(),
            info: action(request.action),
            path: owned(request.path),
            revision: request.revision,
            status: request.status,
            bytes_out: request.bytes_out,
            error: owned(request.error),
            quality,
            gap: gap.ok().flatten().map(|Gap { secs, kind, .. }| (secs, kind)),
            gap_of_next: gap.err().map(str::to_owned),
            session: session.map(|session| SessionRef { source: row.source, session }),
        })
    }

    /// The lines of a session round one of its rows, and how many of them stand before.
    fn session_lines(&self, session: SessionRef, row: RowRef) -> (Vec<SessionLine>, usize) {
        let Some(part) = self.part(session.source) else { return (Vec::new(), 0) };
        let index = &part.index;
        let Some(known) = index.sessions.get(session.session as usize) else { return (Vec::new(), 0) };
        let is_its = |row: &usize| index.session_of.get(*row) == Some(&session.session);
        let mut before: Vec<usize> =
            (known.first as usize..row.row as usize).rev().filter(is_its).take(BEFORE + 1).collect();
        let more = before.len() > BEFORE;
        before.truncate(BEFORE);
        before.reverse();
        let behind = (row.row as usize..=known.last as usize).filter(is_its).take(BEHIND);
        let hidden = if more {
            (known.first as usize..before.first().copied().unwrap_or(0)).filter(is_its).count()
        } else {
            0
        };
        let columns = index.columns();
        let start = known.start.unwrap_or(0);
        let line = |row: usize| {
            let secs = columns.time(row).map_or(0.0, |time| crate::cpu::micros_to_secs(time - start));
            let word = columns.text(columns.action(row)).unwrap_or("");
            let row = RowRef { source: session.source, row: u32::try_from(row).unwrap_or(u32::MAX) };
            let gap = self.gap(row).ok().flatten().map(|gap| match gap.kind {
                GapKind::After => (secs, secs + gap.secs),
                GapKind::Before | GapKind::Duration => (secs - gap.secs, secs),
            });
            SessionLine { row, secs, action: word.to_owned(), kind: action(word).kind, gap }
        };
        (before.into_iter().chain(behind).map(line).collect(), hidden)
    }
}

impl Store {
    /// Everything known of a row; reads its file again.
    pub fn request_details(&self, index: &RequestIndex, row: RowRef, around: u32) -> Option<RequestDetails> {
        let facts = index.facts(row)?;
        let (lines, lines_before) =
            facts.session.map(|session| index.session_lines(session, row)).unwrap_or_default();
        let context = self.context(row.source, facts.line, around);
        let arguments = self.request_arguments(index, row);
        Some(RequestDetails {
            session: facts.session.and_then(|session| index.session(session)),
            lines,
            lines_before,
            arguments: arguments.map(|text| readable(&text)).unwrap_or_default(),
            context,
            facts,
        })
    }

    /// The arguments of a row as JSON, of its whole line; `None` where its file is not what it was.
    fn request_arguments(&self, index: &RequestIndex, row: RowRef) -> Option<String> {
        let source = self.sources().get(row.source as usize)?;
        let offset = index.part(row.source)?.index.columns().offset(row.row as usize)?;
        let mut text = reread::unchanged(source).ok()?;
        self.importer().request_arguments(&text.head(), &source.read)(text.from(offset)?)
    }
}

/// `depth infinity`, `revisions 1:9`, flags as `yes`, from the JSON of the arguments.
fn readable(json: &str) -> Vec<(String, String)> {
    let Ok(serde_json::Value::Object(map)) = serde_json::from_str(json) else { return Vec::new() };
    let told_elsewhere = |name: &str| matches!(name, "capabilities" | "protocol" | "client");
    map.into_iter()
        .filter(|(name, _)| !told_elsewhere(name))
        .map(|(name, value)| (name.replace('_', " "), text_of(&value)))
        .collect()
}

fn text_of(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Bool(true) => "yes".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Array(values) => values.iter().map(text_of).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_said_in_words() {
        let json = r#"{"capabilities":["a"],"depth":"infinity","ignore_ancestry":true,"paths":["/a","/b c"],"limit":5}"#;
        let expect =
            [("depth", "infinity"), ("ignore ancestry", "yes"), ("paths", "/a, /b c"), ("limit", "5")];
        let mut got = readable(json);
        got.sort();
        let mut expect = expect.map(|(name, text)| (name.to_owned(), text.to_owned())).to_vec();
        expect.sort();
        assert_eq!(got, expect);
    }
}
