//! `create_bigdir.sh` of Subversion's large_dirs: operations on a folder of 1, 2, 4, 8 … files.
//!
//! The script names each operation and lets the shell time it. By its own `TIMEFORMAT` bash puts three
//! numbers behind the name; another shell ignores that, and its block or line of times follows.

use super::gnu_time::GNU_TIME;
use super::shell_time::SHELL_TIME;
use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_number};
use crate::signs::Signs;
use crate::sink::{Sink, measured, set_content};
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, Key, Process, Quality, ReadOptions, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static LARGE_DIRS: LargeDirs = LargeDirs;

static SPEC: FormatSpec = FormatSpec {
    id: "large-dirs",
    title: "create_bigdir",
    help: "operations on folders of growing size, as Subversion's create_bigdir.sh prints them",
    extensions: &["txt", "log"],
    samples: "large-dirs",
};

/// The reader.
pub struct LargeDirs;

/// What the script says, and the operation it means. Creating files is no operation of Subversion.
const LABELS: &[(&str, &str)] = &[
    ("Adding files", "add"),
    ("Running status", "status"),
    ("Commit files", "commit"),
    ("Listing files", "list"),
    ("Updating files", "update"),
    ("Local copy", "copy"),
    ("Commit copy", "commit copy"),
    ("Delete 1 file", "delete 1 file"),
    ("Deleting files", "delete"),
    ("Commit deletions", "commit deletions"),
    ("Export all", "export"),
    ("Check out all", "checkout"),
];

const METRICS: [&str; 3] = ["real", "user", "sys"];

impl LineFormat for LargeDirs {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'P' | b'u' => Signs::ALWAYS,
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(line) = lines.get(at) else { return Ok(None) };
        let text = line.text.trim_ascii();
        let starts = files(text).is_some() || (program(text).is_some() && is_followed(lines, at));
        if starts { read(lines, at, sink).map(Some) } else { Ok(None) }
    }
}

/// The number in `Processing 4 files in the same folder`.
fn files(text: &str) -> Option<&str> {
    let count = text.strip_prefix("Processing ")?.strip_suffix(" files in the same folder")?;
    count.bytes().all(|byte| byte.is_ascii_digit()).then_some(count)
}

/// The version in `using svn, version 1.14.2 (r1899510)`.
fn program(text: &str) -> Option<&str> {
    text.strip_prefix("using ")?.split_once(", version ").map(|(_, version)| version)
}

fn is_followed(lines: &Lines<'_>, at: usize) -> bool {
    (at + 1..at + 4).any(|at| lines.get(at).is_some_and(|line| files(line.text.trim()).is_some()))
}

/// Name and rest of `\tAdding files ...   \t0.105  0.004  0.008`.
fn label(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.trim_start().split_once(" ..")?;
    (text.starts_with(['\t', ' '])).then(|| (name, rest.trim_start_matches('.').trim()))
}

/// Reads the whole report, and returns the index behind it.
fn read(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
    let mut shared = RunRow::default();
    let mut end = at;
    while let Some(line) = lines.get(end) {
        let text = line.text.trim();
        if let Some(version) = program(text) {
            let number = version.split(' ').next().unwrap_or(version);
            set_content(&mut shared, Key::Variant, number);
            set_content(&mut shared, Key::Build, version);
        } else if let Some(count) = files(text) {
            let word = if count == "1" { "file" } else { "files" };
            set_content(&mut shared, Key::Repository, &format!("{count} {word} in a folder"));
            shared.settings.insert("files".to_owned(), count.into());
        } else if let Some((name, rest)) = label(line.text) {
            end = operation(lines, end, (name, rest), &shared, sink)?;
            continue;
        } else if !text.is_empty() && !text.starts_with("killing svnserve") {
            break;
        }
        end += 1;
    }
    Ok(end)
}

/// Reads one operation with its times, and returns the index behind them.
fn operation(
    lines: &Lines<'_>,
    at: usize,
    (name, rest): (&str, &str),
    shared: &RunRow,
    sink: &mut Sink<'_>,
) -> Result<usize, Cancelled> {
    let Some(line) = lines.get(at) else { return Ok(at + 1) };
    let Some((_, operation)) = LABELS.iter().find(|(label, _)| *label == name) else {
        // The head of the columns stands behind the creation of the files.
        if name != "Creating files" {
            sink.not_understood(
                line.number,
                1,
                "unknown operation",
                name,
                "an operation of create_bigdir.sh",
            );
        }
        return Ok(at + 1);
    };
    let mut row = RunRow { line: line.number, offset: line.offset, ..shared.clone() };
    set_content(&mut row, Key::Operation, operation);
    if rest.starts_with("skipped") {
        return Ok(at + 1);
    }
    if rest.is_empty() {
        return block(lines, at + 1, &line, row, sink);
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    if words.len() > METRICS.len() || !words.iter().all(|word| secs(word).is_some()) {
        sink.not_understood(line.number, 1, "unreadable times", rest, "three numbers, real, user and sys");
        return Ok(at + 1);
    }
    let is_cut = words.len() < METRICS.len();
    if is_cut {
        row.quality = row.quality.with(Quality::INCOMPLETE);
        sink.cut(line.number, "the times end early", "three numbers, real, user and sys");
    }
    let run = sink.run(row);
    let place = (line.number, line.offset);
    for (metric, raw) in METRICS.iter().zip(words) {
        sink.measure(measured(run, place, Process::Client, metric, Unit::Secs, secs(raw), raw));
    }
    Ok(at + 1)
}

/// A number with three decimals and either mark.
fn secs(word: &str) -> Option<f64> {
    let mark = if word.contains(',') { DecimalMark::Comma } else { DecimalMark::Point };
    parse_number(word, &mark).filter(|secs| *secs >= 0.0)
}

/// Times that a shell or GNU time wrote below the operation's name.
fn block(
    lines: &Lines<'_>,
    at: usize,
    label: &Line<'_>,
    row: RunRow,
    sink: &mut Sink<'_>,
) -> Result<usize, Cancelled> {
    let next = (at..at + 3).find(|at| lines.get(*at).is_some_and(|line| !line.is_blank())).unwrap_or(at);
    let first = sink.data.runs.len();
    sink.close_run();
    let readers: [&dyn LineFormat; 2] = [&SHELL_TIME, &GNU_TIME];
    for reader in readers {
        let Some(end) = reader.claim(lines, next, sink)? else { continue };
        if let Some(run) = sink.data.runs.get_mut(first) {
            let found = std::mem::replace(run, row);
            run.quality = run.quality.with(found.quality);
            (run.exit, run.failure) = (found.exit, found.failure);
        }
        return Ok(end);
    }
    sink.cut(label.number, "an operation without its times", "three numbers, real, user and sys");
    Ok(at)
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{bytes, read, sample, values};
    use proptest::prelude::*;
    use triptych_model::{Key, ProblemKind};

    #[test]
    fn every_operation_of_every_size() {
        let data = sample("large-dirs/bigdir.txt");
        assert_eq!(
            (data.formats.as_slice(), data.not_understood, data.program_output),
            (["large-dirs"].as_slice(), 0, 0)
        );
        // With one file there is none to delete.
        assert_eq!(data.runs.len(), 11 + 12 + 12);
        assert_eq!(values(&data, 0), ["real=0.105s", "user=0.004s", "sys=0.008s"]);
        let keys = [Key::Operation, Key::Repository, Key::Variant, Key::Build];
        assert_eq!(
            keys.map(|key| data.runs[0].content.get(key)),
            ["add", "1 file in a folder", "1.14.2", "1.14.2 (r1899510)"].map(Some)
        );
        let last = &data.runs[34].content;
        assert_eq!(
            [last.get(Key::Operation), last.get(Key::Repository)],
            [Some("checkout"), Some("4 files in a folder")]
        );
    }

    #[test]
    fn times_of_any_shell() {
        let head = "Processing 2 files in the same folder\n\tAdding files ...   \t";
        for (times, expect) in [
            ("0.105  0.004  0.008\n", "real=0.105s user=0.004s sys=0.008s"),
            ("0,105  0,004  0,008\n", "real=0.105s user=0.004s sys=0.008s"),
            ("\nreal\t0m0.105s\nuser\t0m0.004s\nsys\t0m0.008s\n", "real=0.105s user=0.004s sys=0.008s"),
            ("\n\nreal\t0m0.105s\nuser\t0m0.004s\nsys\t0m0.008s\n", "real=0.105s user=0.004s sys=0.008s"),
        ] {
            let data = read(&format!("{head}{times}\tLocal copy ...     \t0.100  0.000  0.000\n"));
            assert_eq!(values(&data, 0).join(" "), expect, "{times:?}");
            let operations: Vec<_> =
                data.runs.iter().map(|run| run.content.get(Key::Operation).unwrap_or("?")).collect();
            assert_eq!(operations, ["add", "copy"], "{times:?}");
            assert_eq!((data.not_understood, data.problems.len()), (0, 0), "{times:?}");
        }
        let data = read(&format!("{head}0.1"));
        assert_eq!((data.runs.len(), data.problems[0].kind), (1, ProblemKind::Cut));
        let data = read(&format!("{head}\n"));
        assert_eq!((data.runs.len(), data.problems[0].kind), (0, ProblemKind::Cut));
        assert_eq!(read(&format!("{head}x y z\n")).not_understood, 1);
    }

    proptest! {
        #[test]
        fn no_damage_panics(at in 0_usize..1600, byte in 0_u8..128, end in 0_usize..1600) {
            let mut bytes = bytes("large-dirs/bigdir.txt");
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            bytes.truncate(end);
            read(&String::from_utf8_lossy(&bytes));
        }
    }
}
