//! Blocks of `time` of bash, ksh, busybox, fish and POSIX, and the one-line forms of zsh, mksh, csh and
//! of formats with labels.
//!
//! They close a transcript: the command, its output and its failure stand above them. No shell shows
//! the exit status, so a failure is only known from the text.

mod labelled;
mod one_line;

use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_duration, parse_number};
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, Process, Quality, ReadOptions, Unit};

/// The row of [`crate::FORMATS`].
pub static SHELL_TIME: ShellTime = ShellTime;

static SPEC: FormatSpec = FormatSpec {
    id: "shell-time",
    title: "Shell time",
    help: "real, user and sys as bash, ksh, busybox, fish, zsh, mksh, csh and POSIX time print them, or with labels of one's own",
    extensions: &["txt", "log"],
    samples: "shell-time",
};

/// The reader.
pub struct ShellTime;

/// What a metric is called by that another tool has given already.
const TOOL: &str = "shell";

/// The words before the three times; the first is the one a block begins with.
const LABELS: &[(&str, &str)] = &[("real", "real"), ("user", "user"), ("sys", "sys"), ("system", "sys")];

/// The same three in fish, which prints the shares of the shell and the program behind each.
const FISH_LABELS: &[(&str, &str)] = &[("Executed in ", "real"), ("usr time ", "user"), ("sys time ", "sys")];

/// One line of a block.
struct Part<'a> {
    metric: &'static str,
    line: Line<'a>,
    raw: &'a str,
    value: Option<f64>,
}

impl LineFormat for ShellTime {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'r' | b'R' | b'E' | b'_' => Signs::ALWAYS,
            _ => const { Signs::any_of(&["sy", "xi", "=", "+"]) },
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let at = at + usize::from(is_rule_of_fish(lines, at, &first));
        let Some(first) = lines.get(at) else { return Ok(None) };
        if let Some((parts, end)) = read_block(lines, at, &first) {
            write_block(&parts, sink);
            return Ok(Some(end));
        }
        if let Some(found) = one_line::read(first.text) {
            write_one_line(&first, &found, sink);
            return Ok(Some(at + 1));
        }
        Ok(None)
    }
}

fn read_block<'a>(lines: &'a Lines<'_>, at: usize, first: &Line<'a>) -> Option<(Vec<Part<'a>>, usize)> {
    if !first.text.trim_ascii_start().starts_with(['r', 'R', 'E']) {
        return None;
    }
    let head = part(*first)?;
    if head.metric != "real" {
        return None;
    }
    let mut parts = vec![head];
    let mut end = at + 1;
    while parts.len() < 3 {
        // A blank line may stand between the lines of a mail, but never ends up inside the block.
        let Some((next, line)) = (end..end + 2)
            .find_map(|index| Some((index, lines.get(index).filter(|line| !line.text.trim().is_empty())?)))
        else {
            break;
        };
        match part(line) {
            Some(found) if parts.iter().all(|known| known.metric != found.metric) => parts.push(found),
            _ => break,
        }
        end = next + 1;
    }
    let readable = parts.iter().filter(|part| part.value.is_some()).count();
    (readable == parts.len() || readable > 0 && parts.len() > 1).then_some((parts, end))
}

/// Whether this is the line of underscores that fish puts above its times.
fn is_rule_of_fish(lines: &Lines<'_>, at: usize, line: &Line<'_>) -> bool {
    line.text.starts_with("________")
        && lines.get(at + 1).is_some_and(|next| next.text.trim().starts_with("Executed in "))
}

/// A line of a block of any of the shells.
fn part(line: Line<'_>) -> Option<Part<'_>> {
    one_word_part(line).or_else(|| fish_part(line))
}

fn fish_part(line: Line<'_>) -> Option<Part<'_>> {
    let text = line.text.trim();
    let (metric, rest) =
        FISH_LABELS.iter().find_map(|(label, metric)| Some((*metric, text.strip_prefix(label)?.trim())))?;
    let (number, behind) = rest.split_once(' ')?;
    let unit = behind.trim_start().split(' ').next()?;
    let raw = rest.get(..rest.len() - behind.trim_start().len() + unit.len())?;
    number.starts_with(|first: char| first.is_ascii_digit()).then(|| Part {
        metric,
        line,
        raw,
        value: secs(raw),
    })
}

/// A line of label and value, whose value at least begins like a number.
fn one_word_part(line: Line<'_>) -> Option<Part<'_>> {
    let text = line.text.trim();
    let (word, rest) = text.split_once([' ', '\t'])?;
    let word = word.strip_suffix(':').unwrap_or(word);
    let (_, metric) = LABELS.iter().find(|(label, _)| word.eq_ignore_ascii_case(label))?;
    let raw = rest.trim();
    raw.starts_with(|first: char| first.is_ascii_digit()).then(|| Part {
        metric,
        line,
        raw,
        value: secs(raw),
    })
}

/// Seconds as a shell prints them: with units or colons, or as a bare number with either decimal mark.
fn secs(text: &str) -> Option<f64> {
    let mark = if text.contains(',') { DecimalMark::Comma } else { DecimalMark::Point };
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b',');
    if plain { parse_number(text, &mark) } else { parse_duration(text) }
}

fn write_block(parts: &[Part<'_>], sink: &mut Sink<'_>) {
    let Some(first) = parts.first() else { return };
    let real = first.value;
    let run = sink.timed_run((first.line.number, first.line.offset), TOOL, real);
    for part in parts {
        let at = (part.line.number, part.line.offset);
        let mut row = measured(run, at, Process::Client, part.metric, Unit::Secs, part.value, part.raw);
        if part.value.is_none() {
            row.quality = row.quality.with(Quality::MALFORMED);
            let before = part.line.text.find(part.raw).unwrap_or(0);
            let column = part.line.text.get(..before).map_or(0, |head| head.chars().count()) + 1;
            let column = u32::try_from(column).unwrap_or(u32::MAX);
            sink.not_understood(at.0, column, "unreadable time", part.raw, "a time such as 0m1.234s or 1.23");
        }
        sink.measure_of(TOOL, row);
    }
    if parts.len() < 3 {
        sink.mark(run, Quality::INCOMPLETE);
        let last = parts.last().map_or(first.line.number, |part| part.line.number);
        sink.cut(last, "the times end early", "the lines real, user and sys");
    }
    sink.close_timed(run, TOOL, real);
}

fn write_one_line(line: &Line<'_>, found: &one_line::Times<'_>, sink: &mut Sink<'_>) {
    let at = (line.number, line.offset);
    let real = found.values.iter().find(|value| value.metric == "real").map(|value| value.value);
    let run = sink.timed_run(at, TOOL, real);
    if let Some(command) = found.command {
        sink.describe(run, command);
    }
    for unknown in &found.unknown {
        let column =
            line.text.find(unknown).and_then(|at| line.text.get(..at)).map_or(0, |head| head.chars().count());
        let column = u32::try_from(column + 1).unwrap_or(u32::MAX);
        sink.not_understood(
            line.number,
            column,
            "unknown label in a line of times",
            unknown,
            "real, user, sys, cpu, max or exit",
        );
    }
    if let Some(exit) = found.exit {
        sink.exit(Some(exit));
        if exit != 0 {
            sink.fail(&format!("exit status {exit}"), Some(exit));
        }
    }
    for value in &found.values {
        let value_read = Some(value.value);
        let row = measured(run, at, Process::Client, value.metric, value.unit, value_read, value.raw);
        sink.measure_of(TOOL, row);
    }
    sink.close_timed(run, TOOL, real);
}

#[cfg(test)]
mod genuine_tests;
#[cfg(test)]
mod tests {
    use crate::sink::testing::{read, sample, values};
    use proptest::prelude::*;
    use triptych_model::{Key, Quality};

    fn check(text: &str, expect: &[&str]) {
        let data = read(text);
        assert_eq!(data.runs.len(), 1, "{text:?}");
        assert_eq!(values(&data, 0), expect, "{text:?}");
        assert_eq!(data.problems, [], "{text:?}");
    }

    #[test]
    fn all_spellings_of_the_three_lines() {
        for (text, expect) in [
            ("\nreal\t0m0.283s\nuser\t0m0.069s\nsys\t0m0.000s\n", ["real=0.283s", "user=0.069s", "sys=0s"]),
            ("\nreal\t0m0,275s\nuser\t0m0,069s\nsys\t0m0,000s\n", ["real=0.275s", "user=0.069s", "sys=0s"]),
            ("real 75.63\nuser 0.06\nsys 0.00\n", ["real=75.63s", "user=0.06s", "sys=0s"]),
            ("real 0,30\nuser 0,06\nsys 0,00\n", ["real=0.3s", "user=0.06s", "sys=0s"]),
            ("real\t62m11.280s\nuser\t0m0.1s\nsys\t0m0.2s", ["real=3731.28s", "user=0.1s", "sys=0.2s"]),
            ("real\t1h2m50.36s\nuser\t0m00.07s\nsys\t0m00.00s\n", ["real=3770.36s", "user=0.07s", "sys=0s"]),
            ("real\t1m 20.48s\nuser\t0m 0.00s\nsys\t0m 0.00s\n", ["real=80.48s", "user=0s", "sys=0s"]),
            ("real\t1h 2m 35s\nuser\t0m 0.00s\nsys\t0m 0.00s\n", ["real=3755s", "user=0s", "sys=0s"]),
            (
                "  real 0m1.5s\r\n\r\n  user 0m0.5s\r\n\r\n  sys 0m0.2s\r\n",
                ["real=1.5s", "user=0.5s", "sys=0.2s"],
            ),
            ("> real\t0m1.5s\n> user\t0m0.5s\n> sys\t0m0.2s\n", ["real=1.5s", "user=0.5s", "sys=0.2s"]),
            (
                "\n________________________________________________________\nExecuted in   75.74 secs      fish           external\n   usr time   60.66 millis  385.00 micros   60.28 millis\n   sys time    0.10 millis   97.00 micros    0.00 millis\n",
                ["real=75.74s", "user=0.06066s", "sys=0.0001s"],
            ),
            ("real 1.5\nuser 0.5\nSystem 0.2\n", ["real=1.5s", "user=0.5s", "sys=0.2s"]),
        ] {
            check(text, &expect);
        }
    }

    #[test]
    fn every_genuine_file_of_each_shell() {
        for (path, real, cpu) in [
            ("bash-C.txt", 0.283, [0.069, 0.0]),
            ("bash-de_DE.UTF-8.txt", 0.275, [0.069, 0.0]),
            ("bash-p-de_DE.UTF-8.txt", 0.3, [0.06, 0.0]),
            ("bash-labels.txt", 0.093, [0.011, 0.0]),
            ("bash-equals.txt", 0.078, [0.005, 0.005]),
            ("bash-behind-de.txt", 0.052, [0.0, 0.009]),
            ("bash-timeformat.txt", 1.565, [0.012, 0.0]),
            ("busybox.txt", 0.1, [0.0, 0.0]),
            ("dash.txt", 0.32, [0.06, 0.0]),
            ("fish.txt", 0.04357, [0.00985, 0.0]),
            ("gnu-letters.txt", 0.07, [0.0, 0.0]),
            ("gnu-words.txt", 0.03, [0.0, 0.0]),
            ("ksh93-C.txt", 0.24, [0.07, 0.0]),
            ("ksh93-de_DE.UTF-8.txt", 0.27, [0.06, 0.0]),
            ("ksh93-p.txt", 0.1, [0.0, 0.0]),
            ("mksh-C.txt", 0.28, [0.06, 0.0]),
            ("multitime-liketime.txt", 0.03, [0.0, 0.0]),
            ("tcsh-C.txt", 0.3, [0.001, 0.0]),
            ("tcsh-labels.txt", 0.06, [0.0, 0.009]),
            ("zsh-C.txt", 0.264, [0.07, 0.0]),
            ("zsh-de_DE.UTF-8.txt", 0.256, [0.07, 0.0]),
            ("zsh-labels.txt", 0.08, [0.0, 0.0]),
            ("zsh-lines.txt", 0.08, [0.01, 0.0]),
            ("zsh-millis.txt", 0.044, [0.003, 0.006]),
            ("zsh-star.txt", 0.05, [0.005, 0.005]),
            ("zsh-sub.txt", 0.105, [0.0, 0.0]),
        ] {
            let data = sample(&format!("shell-time/{path}"));
            let value = |metric: &str| {
                data.measurements.iter().find(|row| row.metric == metric).and_then(|row| row.value)
            };
            assert_eq!(data.runs.len(), 1, "{path}");
            assert_eq!(
                (value("real"), value("user"), value("sys")),
                (Some(real), Some(cpu[0]), Some(cpu[1])),
                "{path}"
            );
            assert_eq!((data.warnings(), data.not_understood), (0, 0), "{path}");
        }
        // One line per member of a pipeline.
        assert_eq!(sample("shell-time/zsh-pipe.txt").runs.len(), 2);
        assert_eq!(sample("shell-time/bash-pipe.txt").runs.len(), 2);
        let millis = sample("shell-time/zsh-millis.txt");
        assert_eq!(millis.runs[0].content.get(Key::Operation), Some("verify"));
    }

    #[test]
    fn times_without_labels_are_refused_by_name() {
        for (text, name) in [
            ("0m0.20s 0 0.000 0.91%\n", "times without labels"),
            ("0.11\t0.00\t0.00\t0%\t1780kB sleep 0.1\n", "times without labels"),
            ("0:00.00 3\n", "times without labels"),
            ("0m0.002s 0m0.000s\n0m0.000s 0m0.000s\n", "the shell's `times`"),
            ("0m0.000000s 0m0.000000s\n0m0.000000s 0m0.000000s\n", "the shell's `times`"),
        ] {
            let data = read(text);
            assert_eq!(data.runs, [], "{text:?}");
            assert!(
                data.skipped.as_deref().is_some_and(|reason| reason.contains(name)),
                "{text:?} {:?}",
                data.skipped
            );
        }
    }

    #[test]
    fn an_exit_status_in_the_format_is_the_run_s_own() {
        for (path, exit) in [("gnu-exit.txt", 3), ("gnu-q.txt", 3)] {
            let data = sample(&format!("shell-time/{path}"));
            assert_eq!((data.runs.len(), data.runs[0].exit), (1, Some(exit)), "{path}");
            assert!(data.runs[0].quality.has(Quality::FAILED), "{path}");
        }
    }

    /// The columns "≥ 60 s" and "≥ 1 h" of FORMATS.md §2.1, which no sample is long enough for.
    #[test]
    fn long_runs_in_every_notation() {
        for (text, real) in [
            ("real\t1m15.677s\nuser\t0m0.1s\nsys\t0m0.2s\n", 75.677),
            ("real\t62m11.280s\nuser\t0m0.1s\nsys\t0m0.2s\n", 3731.28),
            ("real 3818.34\nuser 0.06\nsys 0.00\n", 3818.34),
            ("sleep 75  0.00s user 0.00s system 0% cpu 1:22.20 total\n", 82.2),
            ("sleep 75  0.00s user 0.00s system 0% cpu 1:02:16.48 total\n", 3736.48),
            ("real\t1m15.04s\nuser\t0m00.00s\nsys\t0m00.00s\n", 75.04),
            ("real\t1h2m50.36s\nuser\t0m00.00s\nsys\t0m00.00s\n", 3770.36),
            ("    1m15.62s real     0m00.00s user     0m00.00s system\n", 75.62),
            ("   62m11.57s real     0m00.00s user     0m00.00s system\n", 3731.57),
            ("0.001u 0.000s 1:15.65 0.0%\t0+0k 0+0io 0pf+0w\n", 75.65),
            ("0.001u 0.000s 1:02:36.34 0.0%\t0+0k 0+0io 0pf+0w\n", 3756.34),
            (
                "Executed in   75.74 secs      fish           external\n   usr time    0.10 millis    0.00 micros    0.10 millis\n   sys time    0.10 millis    0.00 micros    0.10 millis\n",
                75.74,
            ),
            (
                "Executed in   65.01 mins      fish           external\n   usr time    0.10 millis    0.00 micros    0.10 millis\n   sys time    0.10 millis    0.00 micros    0.10 millis\n",
                3900.6,
            ),
            ("real\t1m 20.48s\nuser\t0m 0.00s\nsys\t0m 0.00s\n", 80.48),
            ("real\t1h 2m 35s\nuser\t0m 0.00s\nsys\t0m 0.00s\n", 3755.0),
        ] {
            let data = read(text);
            let found = data.measurements.iter().find(|row| row.metric == "real").and_then(|row| row.value);
            assert_eq!((found, data.warnings()), (Some(real), 0), "{text:?}");
        }
    }

    /// A lone comma is the decimal mark of `time` in every shell, and groups thousands in svnbench.
    #[test]
    fn a_lone_comma_goes_by_the_tool() {
        let data = read(
            "          1,234 directories\n          1,234 files\n          1,234 locks\n\nreal\t0m1,234s\nuser\t0m0,000s\nsys\t0m0,000s\n",
        );
        assert_eq!(values(&data, 0)[..4], ["directories=12341", "files=12341", "locks=12341", "real=1.234s"]);
    }

    #[test]
    fn a_file_of_several_formats_reports_every_block() {
        let text = [
            "$ time svnbench null-list svn://h/r\n              9 directories\n             16 files\n              0 locks\n       0.003610 seconds taken\n\nreal\t0m0.032s\nuser\t0m0.022s\nsys\t0m0.007s\n",
            "$ svnadmin verify r\n* Verified revision 0.\n* Verified revision 1.\n",
            "$ hyperfine 'svn co A'\nBenchmark 1: svn co A\n  Time (mean \u{b1} \u{3c3}):  1.5 s \u{b1} 0.5 s    [User: 1.0 s, System: 0.1 s]\n  Range (min \u{2026} max):   1.0 s \u{2026} 2.0 s    3 runs\n\n",
            "===> multitime results\n1: svn co A\n Mean Std.Dev. Min Median Max\nreal 1 2 3 4 5\nuser 1 2 3 4 5\nsys 1 2 3 4 5\n\n",
            "$ /usr/bin/time svn up\nAt revision 7.\n0.06user 0.00system 0:00.32elapsed 20%CPU (0avgtext+0avgdata 1684maxresident)k\n0inputs+0outputs (0major+143minor)pagefaults 0swaps\n",
            "$ perf stat svn ci -m x\n\n Performance counter stats for 'svn ci -m x':\n\n   9.42 msec task-clock  #  0.007 CPUs utilized\n\n   1.326230653 seconds time elapsed\n",
        ];
        let data = read(&text.concat());
        assert_eq!(
            data.formats,
            [
                "svnbench",
                "shell-time",
                "svnadmin-verify",
                "hyperfine-text",
                "multitime",
                "gnu-time",
                "perf-stat"
            ]
        );
        let operations: Vec<_> =
            data.runs.iter().map(|run| run.content.get(Key::Operation).unwrap_or("")).collect();
        assert_eq!(operations, ["null-list", "verify", "checkout", "checkout", "update", "commit"]);
        assert_eq!(
            (data.program_output, data.not_understood, data.warnings()),
            (1, 0, 0),
            "{:?}",
            data.problems
        );
        let lines: Vec<u32> = data.runs.iter().map(|run| run.line).collect();
        assert!(lines.is_sorted(), "{lines:?}");
    }

    #[test]
    fn cut_blocks_keep_what_is_there() {
        for (text, expect) in [
            ("real\t0m1.5s\n", vec!["real=1.5s"]),
            ("real\t0m1.5s\nuser\t0m0.1s", vec!["real=1.5s", "user=0.1s"]),
        ] {
            let data = read(text);
            assert_eq!(values(&data, 0), expect);
            assert!(data.runs[0].quality.has(Quality::INCOMPLETE));
            assert_eq!(data.warnings(), 1);
        }
    }

    #[test]
    fn an_unreadable_time_is_named_with_its_place() {
        let data = read("real\t0m1.5s\nuser\t0mXs\nsys\t0m0.2s\n");
        assert_eq!(values(&data, 0), ["real=1.5s", "user=?s", "sys=0.2s"]);
        assert_eq!(
            data.problems[0].to_string(),
            "test.txt:2:6: warning: unreadable time, found \"0mXs\", expected a time such as 0m1.234s or 1.23"
        );
        assert_eq!(data.not_understood, 1);
    }

    #[test]
    fn what_is_no_time_block() {
        for text in [
            "real life is slow\n",
            "real 0m10.242s 0m9.774s\nuser 0m2.280s 0m2.372s\nsys 0m0.428s 0m0.424s\n",
            "real        0.057       0.003       0.053\nuser        0.003       0.000       0.002\n",
            "0m0.002s 0m0.000s\n0m0.000s 0m0.000s\n",
            "user 1.0\nsys 2.0\n",
            "realm 1.0\n",
        ] {
            assert_eq!(read(text).runs, [], "{text:?}");
        }
    }

    #[test]
    fn two_blocks_are_two_runs() {
        let data = read("$ time svn co A\nreal 1\nuser 0\nsys 0\n$ time svn ci\nreal 2\nuser 0\nsys 0\n");
        let operations: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Operation)).collect();
        assert_eq!(operations, [Some("checkout"), Some("commit")]);
        assert_eq!(data.measurements.len(), 6);
    }

    #[test]
    fn genuine_failures_are_failed_once() {
        for (path, reason) in [
            (
                "export-target-exists.txt",
                "svn: Destination directory exists; please remove the directory or use --force to overwrite",
            ),
            (
                "no-server.txt",
                "svn: E000111: Unable to connect to a repository at URL 'svn://localhost:13699/fmt6_packed/trunk'",
            ),
            ("no-such-path.txt", "svn: E160013: File not found: revision 6124, path '/nosuch'"),
            (
                "no-such-repo.txt",
                "svn: E210005: Unable to connect to a repository at URL 'svn://localhost:13692/nosuch/trunk'",
            ),
            (
                "verify-format7b-with-1.14.2.txt",
                "svnadmin: E070014: Can't read file '/srv/svn/repos/fmt7b_packed/db/uuid': End of file found",
            ),
            ("wrong-option.txt", "svnbench-trunk: invalid option: --nosuch"),
        ] {
            let data = sample(&format!("shell-time/{path}"));
            assert_eq!(data.runs.len(), 1, "{path}");
            assert!(data.runs[0].quality.has(Quality::FAILED), "{path}");
            assert_eq!(data.runs[0].failure.as_deref(), Some(reason), "{path}");
            assert_eq!(data.measurements.len(), 3, "{path}");
        }
    }

    #[test]
    fn a_campaign_has_one_run_a_file_and_two_failed() {
        let mut failed = Vec::new();
        for operation in ["null-export", "null-log", "null-log-g", "verify"] {
            for variant in ["trunk", "branch6", "branch7"] {
                for (cache, repetition) in
                    ["cold", "hot"].iter().flat_map(|cache| (1..=5).map(move |r| (cache, r)))
                {
                    let path = format!("fsfs-format7/{operation}/{variant}-{cache}-r{repetition}.txt");
                    let data = sample(&path);
                    assert_eq!(
                        (data.runs.len(), data.measurements.len(), data.warnings()),
                        (1, 3, 0),
                        "{path}"
                    );
                    if data.runs[0].quality.has(Quality::FAILED) {
                        failed.push(path);
                    }
                }
            }
        }
        assert_eq!(
            failed,
            ["fsfs-format7/null-log/branch7-hot-r3.txt", "fsfs-format7/null-log-g/branch7-hot-r4.txt"]
        );
    }

    #[test]
    fn the_output_of_a_genuine_commit_is_program_output() {
        let data = sample("shell-time/commit-over-http.txt");
        assert_eq!(data.warnings(), 0);
        assert_eq!(values(&data, 0).len(), 3);
        assert!(!data.runs[0].quality.has(Quality::FAILED));
        assert_eq!(data.program_output, data.lines - 4);
    }

    proptest! {
        #[test]
        fn bash_times_read_back(minutes in 0u32..5000, millis in 0u32..60_000) {
            let text = format!("{minutes}m{}.{:03}s", millis / 1000, millis % 1000);
            let expect = f64::from(minutes) * 60.0 + f64::from(millis) / 1000.0;
            let found = super::secs(&text).expect("a time of bash");
            prop_assert!((found - expect).abs() < 1e-6, "{} {}", found, expect);
        }

        #[test]
        fn no_text_makes_it_panic(text in "(real|user|sys| |\t|\n|[0-9.,:msx%]){0,30}") {
            let data = read(&text);
            prop_assert!(data.measurements.iter().all(|row| row.value.is_none_or(f64::is_finite)));
        }
    }
}
