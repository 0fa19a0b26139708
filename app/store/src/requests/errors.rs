//! Errors of the server logs, grouped by code and text; of access logs the requests that failed, by status.

use super::columns::Columns;
use super::{ASK_EVERY, GiveUp, GivenUp, RowRef};
use std::collections::HashMap;
use triptych_model::Symbol;

/// Errors of one code and text, over all rows that a query keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorGroup {
    /// The number of Subversion or APR, as printed; empty where the line has none.
    pub code: String,
    /// The text of the first cause, quoted names left out; of a status its reason.
    pub text: String,
    /// The HTTP status, from 400 on, where the line is of an access log.
    pub status: Option<i64>,
    /// How often.
    pub count: usize,
    /// In how many sources.
    pub sources: usize,
    /// The first of them.
    pub first: RowRef,
    /// When that was, UTC microseconds.
    pub time: Option<i64>,
}

/// Count and first row of each action, error text and failed status, of the rows of one source that are
/// kept.
pub(super) type SourceErrors = HashMap<(Symbol, Symbol, Option<i64>), (usize, u32)>;

/// Counts a row if it is an error, a warning or a refusal, or a request that failed.
pub(super) fn note(errors: &mut SourceErrors, columns: Columns<'_>, row: usize, is_error: bool) {
    let failed = columns.status(row).filter(|status| *status >= FAILED);
    if failed.is_none() && !is_error {
        return;
    }
    let place = u32::try_from(row).unwrap_or(u32::MAX);
    // What was asked does not tell one failed status from another.
    let action = if failed.is_some() { 0 } else { columns.action(row) };
    errors.entry((action, columns.error(row), failed)).or_insert((0, place)).0 += 1;
}

/// From this status on a request failed (RFC 9110, 15).
const FAILED: i64 = 400;

/// The reasons of RFC 9110 and RFC 4918 for the statuses that mod_dav_svn answers with.
const REASONS: &[(i64, &str)] = &[
    (400, "Bad Request"),
    (401, "Unauthorized"),
    (403, "Forbidden"),
    (404, "Not Found"),
    (405, "Method Not Allowed"),
    (408, "Request Timeout"),
    (409, "Conflict"),
    (412, "Precondition Failed"),
    (413, "Content Too Large"),
    (423, "Locked"),
    (424, "Failed Dependency"),
    (500, "Internal Server Error"),
    (501, "Not Implemented"),
    (502, "Bad Gateway"),
    (503, "Service Unavailable"),
    (504, "Gateway Timeout"),
    (507, "Insufficient Storage"),
];

fn reason(status: i64) -> &'static str {
    let known = REASONS.iter().find(|(known, _)| *known == status);
    known.map_or(if status < 500 { "Client error" } else { "Server error" }, |(_, reason)| reason)
}

/// Code and first text of `210005 No repository found in 'x'; 2 cause`.
fn head(error: &str) -> (&str, String) {
    let (code, text) = error.split_once(' ').unwrap_or(("", error));
    let (code, text) =
        if code.bytes().all(|byte| byte.is_ascii_digit()) { (code, text) } else { ("", error) };
    // Causes begin with their code; a semicolon of the message itself is followed by words.
    let cause = text.match_indices("; ").find(|(at, mark)| {
        let rest = text.get(at + mark.len()..).unwrap_or("");
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && rest.as_bytes().get(digits) == Some(&b' ')
    });
    let text = cause.map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    (code, unquoted(text))
}

/// Names in quotes differ from error to error of one sort; an apostrophe stands inside a word.
fn unquoted(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let (mut out, mut from) = (String::new(), 0);
    let mut quotes = text.match_indices('\'').map(|(at, _)| at);
    while let Some(open) = quotes.find(|at| !is_word(at.checked_sub(1))) {
        let Some(close) = quotes.find(|at| !is_word(Some(at + 1))) else { break };
        out.push_str(text.get(from..open).unwrap_or(""));
        out.push('…');
        from = close + 1;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

/// What an [`ErrorGroup`] knows besides code and text, while errors are counted source by source.
struct Group {
    count: usize,
    sources: usize,
    last_source: Option<u32>,
    first: RowRef,
    time: Option<i64>,
}

impl Group {
    fn add(&mut self, count: usize, first: RowRef, time: Option<i64>) {
        self.count += count;
        if self.last_source.replace(first.source) != Some(first.source) {
            self.sources += 1;
        }
        if (time.unwrap_or(i64::MAX), first) < (self.time.unwrap_or(i64::MAX), self.first) {
            (self.time, self.first) = (time, first);
        }
    }
}

/// Errors by code and text, counted source by source.
#[derive(Default)]
pub(super) struct Errors<'a> {
    groups: HashMap<(&'a str, String, Option<i64>), Group>,
    /// How many sources have one.
    pub(super) sources: usize,
}

impl<'a> Errors<'a> {
    /// Adds those of one source.
    ///
    /// # Errors
    /// It was asked to give up.
    pub(super) fn add(
        &mut self,
        source: u32,
        columns: Columns<'a>,
        errors: SourceErrors,
        give_up: GiveUp<'_>,
    ) -> Result<(), GivenUp> {
        self.sources += usize::from(!errors.is_empty());
        let mut own: Vec<_> = errors.into_iter().collect();
        own.sort_by_key(|(_, (_, row))| *row);
        for (place, ((action, error, status), (count, row))) in own.into_iter().enumerate() {
            if place % ASK_EVERY == 0 && give_up() {
                return Err(GivenUp);
            }
            let (code, text) = match columns.text(error) {
                Some(error) => head(error),
                None if let Some(status) = status => ("", reason(status).to_owned()),
                None if columns.text(action) == Some("denied") => ("", "Authorization failed".to_owned()),
                None => ("", columns.text(action).unwrap_or("error").to_owned()),
            };
            let first = RowRef { source, row };
            let time = columns.time(row as usize);
            let new = Group { count: 0, sources: 0, last_source: None, first, time };
            self.groups.entry((code, text, status)).or_insert(new).add(count, first, time);
        }
        Ok(())
    }

    /// All groups, in order of their first time.
    pub(super) fn sorted(self) -> Vec<ErrorGroup> {
        let group = |((code, text, status), group): ((&str, String, Option<i64>), Group)| {
            let Group { count, sources, first, time, .. } = group;
            ErrorGroup { code: code.to_owned(), text, status, count, sources, first, time }
        };
        let mut groups: Vec<ErrorGroup> = self.groups.into_iter().map(group).collect();
        groups.sort_by_key(|group| (group.time.unwrap_or(i64::MAX), group.first));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_its_code_and_its_first_text() {
        for (error, code, text) in [
            ("210005 No repository found in 'svn://x/norepo'", "210005", "No repository found in …"),
            (
                "220003 Invalid authz configuration; 200002 Error while parsing 'a'",
                "220003",
                "Invalid authz configuration",
            ),
            ("170001 Authorization failed", "170001", "Authorization failed"),
            ("2 Can't open file 'a'; try again", "2", "Can't open file …; try again"),
            ("no code here", "", "no code here"),
        ] {
            assert_eq!(head(error), (code, text.to_owned()), "{error}");
        }
    }
}
