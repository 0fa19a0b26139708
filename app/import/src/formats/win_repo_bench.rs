//! `win_repo_bench.py` of Subversion's RepoPerf with its `TimeWin.exe`: lines of cells parted by tabs.
//!
//! Written after the source of the two. The client's lines are state, repository, URL prefix, server
//! configuration and three times; `svnadmin`'s have no prefix. Python 2 put blanks around the tabs.

use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_number};
use crate::signs::Signs;
use crate::sink::{Sink, measured, set_content};
use crate::text::{Line, Lines};
use std::collections::BTreeMap;
use triptych_model::{Cancelled, FormatSpec, Key, Process, Quality, ReadOptions, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static WIN_REPO_BENCH: WinRepoBench = WinRepoBench;

static SPEC: FormatSpec = FormatSpec {
    id: "win-repo-bench",
    title: "win_repo_bench",
    help: "times of Subversion's RepoPerf on Windows, in five states of the caches",
    extensions: &["txt", "log"],
    samples: "win-repo-bench",
};

/// The reader.
pub struct WinRepoBench;

/// States of the caches, from cold to hot; `Hot` is svnadmin's.
const STATES: &[&str] = &["Cold", "WarmOS", "HotOS", "WrmSVN", "HotSVN", "Hot"];

/// What TimeWin prints as times.
const METRICS: [&str; 3] = ["real", "user", "sys"];

/// Where TimeWin could not start or time the program.
const NO_TIME: &str = "?.???";

/// Words at the end of a repository's name that say whether it is packed.
const PACKED: &[(&str, &str)] =
    &[("-nonpacked", "no"), ("-nopack", "no"), ("-packed", "yes"), ("-pack", "yes")];

impl LineFormat for WinRepoBench {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'-' | b'a'..=b'z' => Signs::ALWAYS,
            b'C' | b'W' | b'H' => const { Signs::any_of(&["\t"]) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if is_command(first.text) {
            let next = (at + 1..at + 3).find(|at| lines.get(*at).is_some_and(|line| !line.is_blank()));
            return match next.filter(|at| lines.get(*at).is_some_and(|line| cells(line.text).is_some())) {
                Some(next) => read(lines, next, first.text.trim(), sink).map(Some),
                None => Ok(None),
            };
        }
        if cells(first.text).is_none() {
            return Ok(None);
        }
        read(lines, at, "", sink).map(Some)
    }
}

/// Whether a line may be the command that heads a block: one lower-case word such as `null-export`.
fn is_command(text: &str) -> bool {
    let text = text.trim();
    (3..24).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// The cells of a line that begins with a state.
fn cells(text: &str) -> Option<Vec<&str>> {
    if !text.starts_with(['C', 'W', 'H']) || !text.contains('\t') {
        return None;
    }
    let cells: Vec<&str> = text.split('\t').map(str::trim).collect();
    let is_line = cells.first().is_some_and(|state| STATES.contains(state)) && (3..=7).contains(&cells.len());
    is_line.then_some(cells)
}

/// Reads the lines from `at` on, and returns the index behind them.
fn read(lines: &Lines<'_>, at: usize, command: &str, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
    let mut seen = BTreeMap::new();
    let mut end = at;
    sink.close_run();
    while let Some(line) = lines.get(end) {
        if end.is_multiple_of(4096) {
            sink.check(line.offset)?;
        }
        let Some(cells) = cells(line.text) else { break };
        end += 1;
        let is_last = lines.get(end).is_none();
        read_line(&line, command, &cells, is_last, &mut seen, sink);
    }
    Ok(end)
}

fn read_line(
    line: &Line<'_>,
    command: &str,
    cells: &[&str],
    is_last: bool,
    seen: &mut BTreeMap<String, u32>,
    sink: &mut Sink<'_>,
) {
    let is_time = |cell: &&&str| cell.starts_with(NO_TIME) || cell.starts_with(|c: char| c.is_ascii_digit());
    let times = cells.iter().rev().take(3).filter(is_time).count();
    let conditions = cells.get(..cells.len() - times).unwrap_or_default();
    let row = match conditions {
        [state, repository, prefix, config] => conditions_of(state, repository, prefix, config),
        [state, repository, config] => conditions_of(state, repository, "", config),
        [state, repository, prefix, config, ""] => conditions_of(state, repository, prefix, config),
        _ => {
            let expected = "state, repository, URL prefix, configuration and three times between tabs";
            sink.not_understood(line.number, 1, "odd line", line.text, expected);
            return;
        }
    };
    let mut row = RunRow { line: line.number, offset: line.offset, ..row };
    set_content(&mut row, Key::Operation, command);
    // The repository's own number is its copy; without it the order counts.
    if row.content.get(Key::Repetition).is_none() {
        let count = seen.entry(conditions.join("\t")).or_insert(0);
        *count += 1;
        row.content.set(Key::Repetition, count.to_string());
    }
    let raw = cells.get(cells.len() - times..).unwrap_or_default();
    if raw.iter().any(|cell| cell.starts_with(NO_TIME)) {
        row.quality = row.quality.with(Quality::FAILED);
        row.failure = Some("TimeWin could not run or time the program".to_owned());
    } else if raw.len() < METRICS.len() {
        row.quality = row.quality.with(if is_last { Quality::INCOMPLETE } else { Quality::FAILED });
        row.failure = (!is_last).then(|| "no times were printed".to_owned());
    }
    let run = sink.run(row);
    if raw.len() < METRICS.len() && is_last {
        sink.cut(line.number, "the last line ends early", "three times");
    }
    for (metric, raw) in METRICS.iter().zip(raw) {
        time(line, run, metric, raw, sink);
    }
}

fn time(line: &Line<'_>, run: u32, metric: &str, raw: &str, sink: &mut Sink<'_>) {
    let at = (line.number, line.offset);
    let value = parse_number(raw, &DecimalMark::Point).filter(|value| *value >= 0.0);
    let mut row = measured(run, at, Process::Client, metric, Unit::Secs, value, raw);
    if value.is_none() {
        row.quality = row.quality.with(Quality::MALFORMED);
        // `?.???` and its neighbour `?.???f` are what TimeWin prints on failure.
        if !raw.starts_with(NO_TIME) {
            sink.not_understood(at.0, 1, "unreadable time", raw, "seconds with three decimals");
        }
    }
    sink.measure(row);
}

/// `ruby-f6-nopack0` is the content `ruby` in format 6, not packed, its first copy. Format, packing,
/// server configuration and protocol together are the variant.
fn conditions_of(state: &str, name: &str, prefix: &str, config: &str) -> RunRow {
    let mut row = RunRow::default();
    set_content(&mut row, Key::Cache, state);
    let mut rest = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let copy = name.get(rest.len()..).unwrap_or_default();
    let mut layout: Vec<&str> = Vec::new();
    if let Some((head, packed)) =
        PACKED.iter().find_map(|(end, packed)| Some((rest.strip_suffix(end)?, *packed)))
    {
        row.content.set(Key::Packed, packed);
        layout.push(rest.get(head.len() + 1..).unwrap_or_default());
        rest = head;
        if let Some(number) = copy.parse::<u32>().ok().and_then(|copy| copy.checked_add(1)) {
            row.content.set(Key::Repetition, number.to_string());
        }
    } else {
        rest = name;
    }
    if let Some((head, format)) = rest.rsplit_once("-f")
        && format.parse::<u8>().is_ok()
    {
        row.content.set(Key::Format, format);
        layout.insert(0, rest.get(head.len() + 1..).unwrap_or_default());
        rest = head;
    }
    set_content(&mut row, Key::Repository, rest);
    let scheme = prefix.split(':').next().unwrap_or_default();
    let layout = layout.join("-");
    let mut variant = vec![layout.as_str(), config, scheme];
    variant.retain(|word| !word.is_empty());
    set_content(&mut row, Key::Variant, &variant.join(" "));
    if scheme == "file" || prefix.contains("//localhost/") {
        row.content.set(Key::Network, "local");
    }
    for (key, value) in [("configuration", config), ("url_prefix", prefix)] {
        if !value.is_empty() {
            row.settings.insert(key.to_owned(), value.into());
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{bytes, read, sample, values};
    use proptest::prelude::*;
    use triptych_model::{Key, ProblemKind, Quality};

    #[test]
    fn client_and_admin_lines() {
        let data = sample("win-repo-bench/ruby.txt");
        assert_eq!((data.formats.as_slice(), data.not_understood), (["win-repo-bench"].as_slice(), 0));
        let get = |run: usize, key| data.runs[run].content.get(key);
        assert_eq!(values(&data, 0), ["real=12.345s", "user=1.264s", "sys=0.593s"]);
        let keys = [
            Key::Operation,
            Key::Cache,
            Key::Repository,
            Key::Format,
            Key::Packed,
            Key::Variant,
            Key::Network,
        ];
        assert_eq!(
            keys.map(|key| get(0, key)),
            ["log", "Cold", "ruby", "6", "no", "f6-nopack slow svn", "local"].map(Some)
        );
        let states: Vec<_> = (0..5).map(|run| get(run, Key::Cache).unwrap_or("?")).collect();
        assert_eq!(states, ["Cold", "WarmOS", "HotOS", "WrmSVN", "HotSVN"]);
        let dumps: Vec<_> =
            data.runs.iter().filter(|run| run.content.get(Key::Operation) == Some("dump")).collect();
        assert_eq!(dumps.len(), 4);
        assert_eq!(dumps[1].content.get(Key::Cache), Some("Hot"));
        assert_eq!(dumps[0].content.get(Key::Variant), Some("f6-nonpacked slow"));
        let failed: Vec<_> = data.runs.iter().filter(|run| run.quality.has(Quality::FAILED)).collect();
        assert_eq!((failed.len(), failed[0].content.get(Key::Operation)), (1, Some("null-export")));
        let none = data.measurements.iter().filter(|row| row.value.is_none()).map(|row| row.raw.as_str());
        assert_eq!(none.collect::<Vec<_>>(), ["?.???", "?.???f", "?.???"]);
    }

    #[test]
    fn lines() {
        for (line, variant, repository, repetition, expect) in [
            (
                "Cold \ttsvn-nopack0 \tsvn://localhost/ \tslow \t 1.000\t0.500\t0.250",
                "nopack slow svn",
                "tsvn",
                "1",
                "real=1s user=0.5s sys=0.25s",
            ),
            (
                "Hot\tbsd-f7-packed2\tfast\t 1.000\t0.500\t0.250",
                "f7-packed fast",
                "bsd",
                "3",
                "real=1s user=0.5s sys=0.25s",
            ),
            (
                "HotSVN\trepo2\thttp://far/svn/\tmedium\t 1.000\t0.500\t0.250",
                "medium http",
                "repo2",
                "1",
                "real=1s user=0.5s sys=0.25s",
            ),
            (
                "Cold\tx\tfile:///C:/repos/\tslow\t ?.???\t?.???f\t?.???",
                "slow file",
                "x",
                "1",
                "real=?s user=?s sys=?s",
            ),
            (
                "Cold\tx\tfile:///C:/repos/\tslow\t 1.0a\t1.000\t1.000",
                "slow file",
                "x",
                "1",
                "real=?s user=1s sys=1s",
            ),
        ] {
            let data = read(&format!("{line}\n"));
            let content = &data.runs[0].content;
            let found =
                [Key::Variant, Key::Repository, Key::Repetition].map(|key| content.get(key).unwrap_or("?"));
            assert_eq!(
                (found, values(&data, 0).join(" ").as_str()),
                ([variant, repository, repetition], expect),
                "{line}"
            );
            assert_eq!(data.not_understood, u64::from(line.contains("1.0a")), "{line}");
        }
    }

    #[test]
    fn a_cut_line_is_incomplete() {
        let data = read(
            "Cold\tx\tsvn://localhost/\tslow\t 1.000\t0.500\t0.250\nWarmOS\tx\tsvn://localhost/\tslow\t ",
        );
        assert_eq!((data.runs.len(), data.problems[0].kind), (2, ProblemKind::Cut));
        assert!(data.runs[1].quality.has(Quality::INCOMPLETE));
        assert_eq!(read("Cold\tweather\n").runs.len(), 0);
        assert_eq!(read("export\n\nhello\n").formats.len(), 0);
    }

    proptest! {
        #[test]
        fn no_damage_panics(at in 0_usize..1500, byte in 0_u8..128, end in 0_usize..1500) {
            let mut bytes = bytes("win-repo-bench/ruby.txt");
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            bytes.truncate(end);
            read(&String::from_utf8_lossy(&bytes));
        }
    }
}
