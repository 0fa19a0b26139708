//! The words of the view: what a gap means, how times and filters are said.

use triptych_report::{clock, numbers};
use triptych_store::{ActionKind, GapKind, RequestAnswer, RequestColumn, RequestFacts, RequestFilter};

/// Seconds of a gap with three decimals, which is what a log of microseconds can carry in a table.
pub fn gap_secs(secs: f64) -> String {
    format!("{secs:.3}")
}

/// `gap before its line`.
pub fn gap_name(kind: GapKind) -> &'static str {
    match kind {
        GapKind::Before => "gap before its line",
        GapKind::After => "gap after its line",
        GapKind::Duration => "as the log says",
    }
}

/// What the seconds of a row mean, and why they are no duration.
pub fn gap_meaning(facts: &RequestFacts) -> String {
    let action = &facts.action;
    if facts.info.kind == ActionKind::Error {
        return facts.info.says.to_owned();
    }
    match facts.gap {
        Some((_, GapKind::Before)) => format!(
            "svnserve writes {action} when the work is done, so the gap to the line before it is an estimate of \
             how long it took, the client’s own time included."
        ),
        Some((_, GapKind::After)) => format!(
            "svnserve writes {action} before the work begins, so the gap to the next line is an estimate of how \
             long it took, the client’s own time included."
        ),
        Some((_, GapKind::Duration)) => {
            "The server measured it: from the request’s arrival to the last byte sent.".to_owned()
        }
        None if facts.gap_of_next.is_some() => format!(
            "The next line of its session is {}, which is written when its work is done: the gap between the two \
             is of that work, so how long {action} took is unknown.",
            facts.gap_of_next.as_deref().unwrap_or_default()
        ),
        None if facts.pid.is_none() => {
            format!("Its line names no process, so no session, and how long {action} took is unknown.")
        }
        None if facts.info.at_end => {
            format!(
                "svnserve writes {action} when the work is done, and no line of its session stands before it: how long it took is unknown."
            )
        }
        None => format!("No line of its session follows, so how long {action} took is unknown."),
    }
}

/// What a session is, or why there is none, for the status line.
pub fn session_meaning(answer: &RequestAnswer) -> &'static str {
    let measured = answer.gaps.first().is_some_and(|gap| gap.kind == GapKind::Duration);
    if has_sessions(answer) {
        "a session is one pid from its open line on"
    } else if measured {
        "these lines name no process, so there are no sessions; a LogFormat with %P has them"
    } else {
        "these lines name no process, so there are no sessions and no gaps; a LogFormat with %D or %P has them"
    }
}

/// Why no gap is known of the rows shown.
pub fn no_gap(answer: &RequestAnswer) -> &'static str {
    if has_sessions(answer) {
        "No session of the rows shown has two lines."
    } else {
        "These lines name no process, so there are no sessions and no gaps. A LogFormat with %D or %P has them."
    }
}

/// Whether rows can be put together to sessions; where no row is shown nothing is said against it.
fn has_sessions(answer: &RequestAnswer) -> bool {
    answer.names_process || answer.rows.is_empty()
}

/// Arguments as Details lists them: both ends of a range together, flags on one line.
pub fn arguments(known: &[(String, String)]) -> Vec<(String, String)> {
    let get = |name: &str| known.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let mut lines = Vec::new();
    if let (Some(from), Some(to)) = (get("from"), get("to")) {
        lines.push(("revisions".to_owned(), format!("r{from}:{to}")));
    }
    let ranged = !lines.is_empty();
    let told = |name: &str| matches!(name, "path" | "revision") || (ranged && matches!(name, "from" | "to"));
    for (name, value) in known.iter().filter(|(name, value)| !told(name) && value != "yes") {
        lines.push((name.clone(), value.clone()));
    }
    let flags: Vec<&str> =
        known.iter().filter(|(_, value)| value == "yes").map(|(name, _)| name.as_str()).collect();
    if !flags.is_empty() {
        lines.push(("with".to_owned(), flags.join(", ")));
    }
    lines
}

/// What of a raw line tells lines apart where there is room for little: of svnserve's log the process
/// and the action, without the time, the host, the user and the repository between them.
pub fn telling(line: &str) -> String {
    let mut words = line.splitn(6, ' ');
    let (Some(pid), Some(time)) = (words.next(), words.next()) else { return line.to_owned() };
    match words.nth(3) {
        Some(tail) if time.ends_with('Z') && pid.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{pid} {tail}")
        }
        _ => line.to_owned(),
    }
}

/// Time of day of a row, `unknown` where its line has none.
pub fn time(micros: Option<i64>) -> String {
    micros.map_or_else(|| "unknown".to_owned(), clock::exact)
}

/// Key and value of a filter's chip.
pub fn chip(filter: &RequestFilter) -> (String, String) {
    let name = filter.column.name();
    let key = if filter.not { format!("{name} is not") } else { name.to_owned() };
    let shown: Vec<&str> = filter.values.iter().map(|value| short(filter.column, value)).collect();
    let text = match shown.as_slice() {
        [] => "nothing".to_owned(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one}, {two}"),
        [one, rest @ ..] => format!("{one} and {} more", rest.len()),
    };
    (key, text)
}

/// A value as a chip has room for: the file's name of a source, the process of a session.
fn short(column: RequestColumn, value: &str) -> &str {
    match column {
        RequestColumn::Source => file_name(value),
        RequestColumn::Session => value.split(" from line ").next().unwrap_or(value),
        _ => value_text(column, value),
    }
}

/// A value of a facet; what is absent is said to be.
pub fn value_text(column: RequestColumn, value: &str) -> &str {
    match (column, value) {
        (_, value) if !value.is_empty() => value,
        (RequestColumn::User | RequestColumn::Repository, _) => "none",
        _ => "unknown",
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `0.984 s` with the narrow space.
pub fn secs(secs: f64) -> String {
    format!("{}{}s", gap_secs(secs), numbers::NARROW)
}

/// What Details says, for the clipboard.
pub fn as_text(facts: &RequestFacts, raw: Option<&str>) -> String {
    let mut text = format!("{}:{}\n", facts.source, facts.line);
    if let Some((secs_of, kind)) = facts.gap {
        text.push_str(&format!("{} {}: {}\n", facts.action, gap_name(kind), secs(secs_of)));
    }
    text.push_str(raw.unwrap_or(&facts.action));
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_line_is_told_by_process_and_action() {
        for (line, expect) in [
            ("7 2026-11-30T08:32:50.932492Z ::1 - r diff /a r1:2", "7 diff /a r1:2"),
            (
                "::1 - - [30/Nov/2026:08:00:00 +0000] \"GET / HTTP/1.1\" 200 5",
                "::1 - - [30/Nov/2026:08:00:00 +0000] \"GET / HTTP/1.1\" 200 5",
            ),
            ("short", "short"),
        ] {
            assert_eq!(telling(line), expect);
        }
    }

    #[test]
    fn arguments_of_a_range_stand_together() {
        let known =
            [("from", "1"), ("to", "9"), ("depth", "files"), ("ignore ancestry", "yes"), ("path", "/a")];
        let known = known.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let expect = [("revisions", "r1:9"), ("depth", "files"), ("with", "ignore ancestry")];
        assert_eq!(arguments(&known), expect.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn chips_are_short() {
        let filter = |column, not, values: &[&str]| RequestFilter {
            column,
            not,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        for (filter, key, value) in [
            (filter(RequestColumn::Source, false, &["a/b/c.log"]), "source", "c.log"),
            (
                filter(RequestColumn::Action, true, &["open", "stat", "log"]),
                "action is not",
                "open and 2 more",
            ),
            (filter(RequestColumn::User, false, &[""]), "user", "none"),
            (filter(RequestColumn::Session, false, &["pid 7 from line 3 of a.log"]), "session", "pid 7"),
            (filter(RequestColumn::Action, false, &[]), "action", "nothing"),
        ] {
            assert_eq!(chip(&filter), (key.to_owned(), value.to_owned()));
        }
    }
}
