//! Prints what was parsed of genuine logs back, byte for byte.
//!
//! A line is made of the row and of its arguments alone, in the order of the grammar, so that whatever the
//! reader loses or changes shows. Replays that the server damaged cannot come back.

use super::actions::{ACTIONS, Arg};
use super::request_arguments;
use crate::Readers;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use triptych_model::{Importer, Quality, ReadOptions, Request, Silent, Timestamp};

/// Subversion's encoding of paths and names.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(char::from(byte)),
            _ if b"!$&'()*+,-./:=@_~".contains(&byte) => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The escapes of an error's message.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            8 => out.push_str("\\b"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            11 => out.push_str("\\v"),
            b'\\' => out.push_str("\\\\"),
            32..=126 => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out
}

/// Prints one argument; `None` where an optional one is absent.
fn argument(arg: Arg, row: &Request<'_>, arguments: &Map<String, Value>) -> Option<String> {
    let path = || row.path.map(encoded).unwrap_or_default();
    let revision = || row.revision.map(|revision| revision.to_string()).unwrap_or_default();
    let number = |key: &str| arguments.get(key).map(ToString::to_string).unwrap_or_default();
    let text = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let list = |key: &str| {
        let items = arguments.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), encoded))
            .collect::<Vec<_>>()
            .join(" ")
    };
    Some(match arg {
        Arg::Path => path(),
        Arg::PathAtRevision => format!("{}@{}", path(), revision()),
        Arg::PathAtPeg if arguments.contains_key("peg") => format!("{}@{}", path(), number("peg")),
        Arg::PathAtPeg => path(),
        Arg::PathFrom => format!("{}@{}", path(), number("from")),
        Arg::Path2To => format!("{}@{}", encoded(&text("path2")), number("to")),
        Arg::Path2AtRevision => format!("{}@{}", encoded(&text("path2")), revision()),
        Arg::Paths => format!("({})", list("paths")),
        Arg::Revision => format!("r{}", revision()),
        Arg::Range => format!("r{}:{}", number("from"), number("to")),
        Arg::Revisions => format!("({})", list("revisions")),
        Arg::Replay => format!("{} r{}", path(), revision()),
        Arg::Flag(printed, key) => arguments.contains_key(key).then(|| printed.to_owned())?,
        Arg::Depth => format!("depth={}", arguments.get("depth")?.as_str()?),
        Arg::Limit => format!("limit={}", arguments.get("limit")?),
        Arg::Revprops => match arguments.get("revprops")? {
            Value::String(all) => format!("revprops={all}"),
            _ => format!("revprops=({})", list("revprops")),
        },
        Arg::Inheritance => text("inheritance"),
        Arg::Word(key) => encoded(&text(key)),
        Arg::Patterns => {
            let patterns = arguments.get("patterns").and_then(Value::as_array);
            patterns.map_or("<ANY>".to_owned(), |patterns| {
                patterns.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            })
        }
        Arg::Protocol => format!("{} cap=({})", number("protocol"), list("capabilities")),
        Arg::Clients => match arguments.get("client") {
            Some(_) => format!("{} -", encoded(&text("client"))),
            None => "- -".to_owned(),
        },
    })
}

fn action(row: &Request<'_>, arguments: &Map<String, Value>) -> String {
    let action = ACTIONS.iter().find(|action| action.word == row.action).expect("a known action");
    let form = match action.forms {
        [_, second] if arguments.contains_key("path2") => second,
        [first, ..] => first,
        [] => return row.action.to_owned(),
    };
    let printed = form.iter().filter_map(|arg| argument(*arg, row, arguments));
    std::iter::once(row.action.to_owned()).chain(printed).collect::<Vec<_>>().join(" ")
}

/// Splits `CODE message; CODE cause` before each code.
fn chain(error: &str) -> Vec<&str> {
    let starts_code = |text: &str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && matches!(text.as_bytes().get(digits), None | Some(b' '))
    };
    let mut parts = vec![0];
    parts.extend(error.match_indices("; ").map(|(at, _)| at + 2).filter(|at| starts_code(&error[*at..])));
    let ends = parts.iter().skip(1).map(|at| at - 2).chain([error.len()]).collect::<Vec<_>>();
    parts.iter().zip(ends).map(|(start, end)| &error[*start..end]).collect()
}

/// The physical lines of a row.
fn printed(row: &Request<'_>, arguments: &Map<String, Value>) -> Vec<String> {
    let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let head = format!(
        "{} {} {} {} {}",
        row.pid.expect("a pid"),
        Timestamp(row.time.expect("a time")),
        or_dash(row.host),
        or_dash(row.user),
        row.repository.map_or("-".to_owned(), encoded)
    );
    let text = |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
    let word = match row.action {
        "error" => "ERR",
        "warning" => "WARN",
        "denied" => {
            let recursive = if arguments.contains_key("recursive") { "recursive " } else { "" };
            let path = row.path.unwrap_or("");
            return vec![format!("{head} Authorization Failed {recursive}{} {path}", text("access"))];
        }
        _ => return vec![format!("{head} {}", action(row, arguments))],
    };
    let file = arguments.get("file").and_then(Value::as_str).unwrap_or("-");
    let line = arguments.get("line").map_or("0".to_owned(), ToString::to_string);
    let errors = chain(row.error.unwrap_or("")).into_iter().enumerate();
    errors
        .map(|(at, error)| {
            let (code, message) = error.split_once(' ').unwrap_or((error, ""));
            let dash = if at == 0 { "" } else { "-" };
            format!("{head} {word}{dash} {file} {line} {code} {}", escaped(message))
        })
        .collect()
}

/// Compares a log with what is printed of it; the number of lines that came back and of those that the
/// server damaged. `None` where it is no such log.
fn round_trip(path: &Path) -> Option<(usize, usize)> {
    let bytes = std::fs::read(path).expect("a readable file");
    let data = Readers.read("x", &bytes, &ReadOptions::default(), &Silent).expect("nobody cancels");
    if !data.formats.contains(&"svnserve") {
        return None;
    }
    let text = std::str::from_utf8(&bytes).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let (mut whole, mut damaged) = (0, 0);
    for row in (0..data.requests.len()).filter_map(|index| data.requests.row(index)) {
        let at = row.line as usize - 1;
        if row.quality.has(Quality::CORRUPT_PATH) {
            damaged += 1;
            continue;
        }
        let arguments =
            request_arguments(lines[at]).map(|json| serde_json::from_str(&json).expect("an object"));
        for (further, expect) in printed(&row, &arguments.unwrap_or_default()).iter().enumerate() {
            assert_eq!(lines[at + further], expect, "{}:{}", path.display(), at + further + 1);
            whole += 1;
        }
    }
    assert_eq!(whole + damaged, lines.len(), "{}: a line is missing", path.display());
    Some((whole, damaged))
}

#[test]
fn genuine_logs_come_back_byte_for_byte() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-data/svnserve"));
    for (name, expect) in [
        ("fork-1.14.log", (372, 6)),
        ("svnserve-1.6.9.log", (130, 0)),
        ("svnserve-1.14.2.log", (120, 0)),
        ("rotated.log", (3, 0)),
    ] {
        assert_eq!(round_trip(&folder.join(name)), Some(expect), "{name}");
    }
}

/// The same for all logs below a folder that is not part of the project.
#[test]
#[ignore = "needs a folder of logs in SVNSERVE_LOGS"]
fn all_logs_of_a_folder_come_back_byte_for_byte() {
    let mut folders = vec![PathBuf::from(std::env::var("SVNSERVE_LOGS").expect("SVNSERVE_LOGS"))];
    let (mut logs, mut whole, mut damaged) = (0, 0, 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some((lines, lost)) = round_trip(&path) {
                (logs, whole, damaged) = (logs + 1, whole + lines, damaged + lost);
            }
        }
    }
    println!("{logs} logs, {whole} lines came back, {damaged} were damaged by the server");
    assert!(logs > 0);
}
