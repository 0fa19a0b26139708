//! Where in a JSON text something stands: line and column of a value, and of an error.
//!
//! Lab and plan files are written by hand as often as by the window, so every complaint about them
//! names its place. Used by the readers of `lab.json` and `plan.json`.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::error::Category;
use triptych_model::{Problem, ProblemKind, Severity};

/// Line and column (in characters), both from 1, of the value that a JSON pointer (RFC 6901) names.
///
/// `None` where the text holds no such value, or is no JSON up to it. Of a key that stands twice the
/// last counts, as it does when the file is read.
pub fn locate(text: &str, pointer: &str) -> Option<(u32, u32)> {
    let mut scan = Scan { bytes: text.as_bytes(), at: 0 };
    scan.blanks();
    if !pointer.is_empty() {
        for token in pointer.strip_prefix('/')?.split('/') {
            scan.enter(&token.replace("~1", "/").replace("~0", "~"))?;
        }
    }
    scan.bytes.get(scan.at)?;
    place(text, scan.at)
}

/// As [`locate`], but where the value is missing the place of the nearest value around it.
pub fn locate_nearest(text: &str, pointer: &str) -> Option<(u32, u32)> {
    let mut pointer = pointer;
    loop {
        if let Some(found) = locate(text, pointer) {
            return Some(found);
        }
        pointer = &pointer[..pointer.rfind('/')?];
    }
}

/// A problem at the value that a pointer names, or around it if the value itself is missing.
pub fn problem_at(path: &str, text: &str, pointer: &str, message: impl Into<String>) -> Problem {
    let problem = Problem::new(Severity::Error, ProblemKind::Other, path, message);
    match locate_nearest(text, pointer) {
        Some((line, column)) => problem.at_line(line).at_column(column),
        None => problem,
    }
}

/// What serde says of a text that is no JSON or of another form, with its place.
///
/// The column counts bytes, as serde does; [`parse`] knows the text and counts characters.
pub fn json_problem(path: &str, error: &serde_json::Error) -> Problem {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = said.strip_suffix(&place).unwrap_or(&said);
    let problem = |message: &str| Problem::new(Severity::Error, ProblemKind::Malformed, path, message);
    let (what, expected) = match said.split_once(", expected ") {
        Some((what, expected)) => (what, Some(expected)),
        None => (said, None),
    };
    let problem = match error.classify() {
        Category::Io => Problem::new(Severity::Error, ProblemKind::Unreadable, path, said),
        Category::Eof => problem("the JSON ends too early").expected(what_lacks(said)),
        Category::Syntax => match said.strip_prefix("expected ") {
            Some(expected) => problem("not JSON").expected(expected),
            None => problem(&format!("not JSON: {said}")),
        },
        Category::Data => match what.split_once(": ") {
            Some((message, found)) if expected.is_some() => problem(message).found(found.trim_matches('"')),
            _ => problem(what),
        },
    };
    let problem = match (error.classify(), expected) {
        (Category::Data, Some(expected)) => problem.expected(expected),
        _ => problem,
    };
    match (u32::try_from(error.line()), u32::try_from(error.column())) {
        (Ok(line), Ok(column)) if line > 0 => problem.at_line(line).at_column(column.max(1)),
        _ => problem,
    }
}

fn what_lacks(said: &str) -> &str {
    match said {
        "EOF while parsing a list" => "`,` or `]`",
        "EOF while parsing an object" => "`,` or `}`",
        "EOF while parsing a string" => "the closing quote",
        _ => "a value",
    }
}

/// Reads a JSON text.
///
/// # Errors
/// What is wrong with it, with line and column in characters.
pub fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|error| {
        let problem = json_problem(path, &error);
        match characters(text, error.line(), error.column()) {
            Some(column) => problem.at_column(column),
            None => problem,
        }
    })
}

/// Reads a JSON text whose `version` must be `known`; `what` it is (`lab`) is said where it is another.
///
/// # Errors
/// What is wrong with it, with line and column; of another version which program reads it.
pub fn parse_version<T: DeserializeOwned>(
    path: &str,
    text: &str,
    what: &str,
    known: u32,
) -> Result<T, Problem> {
    let whole: Value = parse(path, text)?;
    if !whole.is_object() {
        return Err(problem_at(path, text, "", format!("a {what} is a JSON object"))
            .expected(format!("an object such as {{\"version\": {known}, …}}")));
    }
    let at = |message: String| problem_at(path, text, "/version", message);
    match whole.get("version") {
        None => Err(at(format!("this {what} has no version")).expected(format!("\"version\": {known}"))),
        Some(version) => match version.as_u64() {
            Some(version) if version == u64::from(known) => parse(path, text),
            Some(version) if version > u64::from(known) => {
                Err(at(format!("this {what} has version {version}, this program reads version {known}"))
                    .next_step("open it with a newer Triptych"))
            }
            Some(version) => {
                Err(at(format!("this {what} has version {version}, which no Triptych has written"))
                    .expected(format!("version {known}")))
            }
            None => {
                Err(at("unreadable version".into()).found(version.to_string()).expected("a whole number"))
            }
        },
    }
}

/// serde's byte column of a line as a column in characters.
fn characters(text: &str, line: usize, column: usize) -> Option<u32> {
    let line = text.split('\n').nth(line.checked_sub(1)?)?;
    let before = line.as_bytes().get(..column.saturating_sub(1).min(line.len()))?;
    u32::try_from(String::from_utf8_lossy(before).chars().count() + 1).ok()
}

fn place(text: &str, at: usize) -> Option<(u32, u32)> {
    let before = text.get(..at)?;
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.chars().rev().take_while(|letter| *letter != '\n').count() + 1;
    Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
}

/// Goes over JSON without building it; stops with `None` where it is none.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Takes this byte and the blanks around it, if it is there.
    fn takes(&mut self, byte: u8) -> bool {
        self.blanks();
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        self.blanks();
        there
    }

    /// From a value to one of its members.
    fn enter(&mut self, token: &str) -> Option<()> {
        if self.takes(b'{') { self.member(token) } else { self.element(token.parse().ok()?) }
    }

    fn member(&mut self, token: &str) -> Option<()> {
        let mut found = None;
        while !self.takes(b'}') {
            let key: String = serde_json::from_slice(self.string()?).ok()?;
            if !self.takes(b':') {
                break;
            }
            if key == token {
                found = Some(self.at);
            }
            if self.value().is_none() || !self.takes(b',') {
                break;
            }
        }
        self.at = found?;
        Some(())
    }

    fn element(&mut self, index: usize) -> Option<()> {
        if !self.takes(b'[') {
            return None;
        }
        for _ in 0..index {
            self.value()?;
            if !self.takes(b',') {
                return None;
            }
        }
        (self.peek()? != b']').then_some(())
    }

    /// Passes a string and gives it with its quotes.
    fn string(&mut self) -> Option<&[u8]> {
        let start = self.at;
        if self.peek()? != b'"' {
            return None;
        }
        self.at += 1;
        loop {
            match self.peek()? {
                b'\\' => self.at += 2,
                b'"' => break,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        self.bytes.get(start..self.at)
    }

    /// Passes a value of any depth without recursion.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            self.blanks();
            match self.peek()? {
                b'"' => drop(self.string()?),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                _ => self.word(),
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Passes a number, `true`, `false` or `null`.
    fn word(&mut self) {
        let ends = |byte: u8| byte.is_ascii_whitespace() || b",:]}".contains(&byte);
        while self.peek().is_some_and(|byte| !ends(byte)) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;

    const TEXT: &str = "{\n  \"ä\\\"b\": [1, {\"x/y\": [ ]}],\n  \"ö\": \"}]\", \"m~n\": -2.5e3,\n  \"list\": [[], {}, null]\n}\n";

    #[test]
    fn places_of_values() {
        for (pointer, expect) in [
            ("", Some((1, 1))),
            ("/ä\"b", Some((2, 11))),
            ("/ä\"b/0", Some((2, 12))),
            ("/ä\"b/1", Some((2, 15))),
            ("/ä\"b/1/x~1y", Some((2, 23))),
            ("/ä\"b/1/x~1y/0", None),
            ("/ö", Some((3, 8))),
            ("/ö/0", None),
            ("/m~0n", Some((3, 21))),
            ("/list/0", Some((4, 12))),
            ("/list/2", Some((4, 20))),
            ("/list/3", None),
            ("/list/x", None),
            ("/absent", None),
            ("list", None),
        ] {
            assert_eq!(locate(TEXT, pointer), expect, "{pointer}");
        }
        assert_eq!(locate_nearest(TEXT, "/list/7/name"), Some((4, 11)));
        assert_eq!(locate_nearest(TEXT, "/absent/x"), Some((1, 1)));
        assert_eq!(locate("", ""), None);
        assert_eq!(locate("{\"a\": ", "/a"), None);
        assert_eq!(locate("{\"a\": 1, \"a\": 2}", "/a"), Some((1, 15)));
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        version: u32,
        name: String,
    }

    #[test]
    fn errors_name_place_found_and_expected() {
        for (text, expect) in [
            ("{\"version\": 1, \"name\": \"a\" \"b\"}", "x:1:28: error: not JSON, expected `,` or `}`"),
            ("{\"version\": 1, \"name\": \"a\",}", "x:1:28: error: not JSON: trailing comma"),
            ("{\"version\": 1,\n \"name\": [", "x:2:10: error: the JSON ends too early, expected `,` or `]`"),
            ("", "x:1:1: error: the JSON ends too early, expected a value"),
            ("{\"version\": 1}", "x:1:14: error: missing field `name`"),
            (
                "{\"version\": 1, \"nama\": \"a\"}",
                "x:1:21: error: unknown field `nama`, expected `version` or `name`",
            ),
            (
                "{\"name\": true, \"version\": 1}",
                "x:1:13: error: invalid type, found \"boolean `true`\", expected a string",
            ),
            ("[1]", "x:1:1: error: a form is a JSON object, expected an object such as {\"version\": 1, …}"),
            ("{\n \"name\": \"a\"}", "x:1:1: error: this form has no version, expected \"version\": 1"),
            (
                "{\n \"version\": 2, \"new\": 1}",
                "x:2:13: error: this form has version 2, this program reads version 1; open it with a newer Triptych",
            ),
            (
                "{\"version\": 0}",
                "x:1:13: error: this form has version 0, which no Triptych has written, expected version 1",
            ),
            (
                "{\"version\": 1.5}",
                "x:1:13: error: unreadable version, found \"1.5\", expected a whole number",
            ),
            ("{\"name\": \"ääää\", \"version\" 1}", "x:1:28: error: not JSON, expected `:`"),
        ] {
            let problem = parse_version::<Form>("x", text, "form", 1).expect_err(text);
            assert_eq!(problem.to_string(), expect, "{text}");
        }
        let form: Form = parse_version("x", "{\"version\": 1, \"name\": \"a\"}", "form", 1).expect("read");
        assert_eq!((form.version, form.name.as_str()), (1, "a"));
    }

    proptest! {
        #[test]
        fn any_text_and_pointer_is_survived(text in "[\\[\\]{}\":,\\\\ a1ä\n]{0,40}", pointer in "[/~01a\"ä]{0,8}") {
            let found = locate(&text, &pointer);
            if let Some((line, column)) = found {
                prop_assert!(line >= 1 && column >= 1);
            }
        }

        #[test]
        fn every_value_of_a_list_is_found(values in proptest::collection::vec("[a-zäö\\]\\[{},\" ]{0,6}", 1..8)) {
            let text = serde_json::to_string_pretty(&values).expect("written");
            for index in 0..values.len() {
                prop_assert_eq!(locate(&text, &format!("/{index}")), Some((u32::try_from(index).expect("small") + 2, 3)));
            }
        }
    }
}
