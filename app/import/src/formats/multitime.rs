//! multitime's tables: for each command the mean, deviation, minimum, median and maximum of several
//! executions, with `-f rusage` of all that the kernel counted.
//!
//! Its form `-f liketime` is three lines as of POSIX `time` and read with the shells'.

use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_number};
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, Process, Quality, ReadOptions, Unit};

/// The row of [`crate::FORMATS`].
pub static MULTITIME: Multitime = Multitime;

static SPEC: FormatSpec = FormatSpec {
    id: "multitime",
    title: "multitime",
    help: "mean, deviation, minimum, median and maximum of several executions",
    extensions: &["txt", "log"],
    samples: "multitime",
};

/// The reader.
pub struct Multitime;

const RESULTS: &str = "===> multitime results";
const EXECUTING: &str = "===> Executing ";

/// The rows of a table: their label, metric, unit and the base units of one printed unit.
const ROWS: &[(&str, &str, Unit, f64)] = &[
    ("real", "real", Unit::Secs, 1.0),
    ("user", "user", Unit::Secs, 1.0),
    ("sys", "sys", Unit::Secs, 1.0),
    ("maxrss", "max_rss", Unit::Bytes, 1024.0),
    ("minflt", "minflt", Unit::Count, 1.0),
    ("majflt", "majflt", Unit::Count, 1.0),
    ("nswap", "swaps", Unit::Count, 1.0),
    ("inblock", "read_bytes", Unit::Bytes, 512.0),
    ("oublock", "write_bytes", Unit::Bytes, 512.0),
    ("msgsnd", "socket_sent", Unit::Count, 1.0),
    ("msgrcv", "socket_received", Unit::Count, 1.0),
    ("nsignals", "signals", Unit::Count, 1.0),
    ("nvcsw", "ctxsw_voluntary", Unit::Count, 1.0),
    ("nivcsw", "ctxsw_involuntary", Unit::Count, 1.0),
];

/// The columns by their headings, and what they add to a metric's name.
const COLUMNS: &[(&str, &str)] =
    &[("Mean", "mean"), ("Std.Dev.", "stddev"), ("Min", "min"), ("Median", "median"), ("Max", "max")];

impl LineFormat for Multitime {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'=' => Signs::ALWAYS,
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if !first.text.starts_with("===> ") {
            return Ok(None);
        }
        if first.text.starts_with(EXECUTING) {
            return Ok(Some(at + 1));
        }
        if first.text.trim_ascii_end() != RESULTS {
            return Ok(None);
        }
        let mut end = at + 1;
        let mut tables = 0;
        loop {
            let begin = end + usize::from(tables > 0 && lines.get(end).is_some_and(|line| line.is_blank()));
            let Some(behind) = table(lines, begin, at, sink) else { break };
            (end, tables) = (behind, tables + 1);
        }
        if tables == 0 {
            sink.cut(first.number, "multitime's results end early", "a numbered command and its table");
        }
        Ok(Some(end))
    }
}

/// `1: svnadmin verify repo`
fn title(text: &str) -> Option<&str> {
    let (number, command) = text.split_once(": ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| command.trim_ascii())
}

/// Reads the table of one command and returns the index behind it; `results` is the title line above.
fn table(lines: &Lines<'_>, at: usize, results: usize, sink: &mut Sink<'_>) -> Option<usize> {
    let first = lines.get(at)?;
    let command = title(first.text)?;
    sink.close_run();
    let run = sink.open_run((first.number, first.offset));
    sink.describe(run, without_options(command));
    let executions = executions(lines, results, command);
    let columns = lines.get(at + 1).map(|line| columns(line.text)).unwrap_or_default();
    let mut end = at + if columns.is_empty() { 1 } else { 2 };
    let mut rows = 0;
    while let Some(line) = lines.get(end) {
        let mut cells = line.text.split_ascii_whitespace();
        let Some(label) = cells.next() else { break };
        let cells: Vec<&str> = cells.collect();
        let is_row = !columns.is_empty()
            && cells.first().is_some_and(|cell| cell.starts_with(|c: char| c.is_ascii_digit()));
        if !is_row || title(line.text).is_some() {
            break;
        }
        row(&line, label, &cells, &columns, (run, executions), sink);
        rows += 1;
        end += 1;
    }
    if rows < 3 {
        sink.mark(run, Quality::INCOMPLETE);
        let last = lines.get(end - 1).map_or(first.number, |line| line.number);
        sink.cut(last, "multitime's table ends early", "the rows real, user and sys");
    }
    sink.close_run();
    Some(end)
}

/// The columns that a heading names, in its order.
fn columns(text: &str) -> Vec<&'static str> {
    let known = |word: &str| COLUMNS.iter().find(|(name, _)| *name == word).map(|(_, suffix)| *suffix);
    let columns: Option<Vec<&str>> = text.split_ascii_whitespace().map(known).collect();
    columns.unwrap_or_default()
}

fn row(
    line: &Line<'_>,
    label: &str,
    cells: &[&str],
    columns: &[&str],
    of: (u32, Option<u64>),
    sink: &mut Sink<'_>,
) {
    let known = ROWS.iter().find(|(name, ..)| *name == label);
    let Some((_, name, unit, size)) = known else {
        sink.not_understood(line.number, 1, "unknown row of multitime", label, "real, user, sys or a count");
        return;
    };
    let at = (line.number, line.offset);
    for (index, column) in columns.iter().enumerate() {
        let metric = format!("{name}_{column}");
        let raw = cells.get(index).copied().unwrap_or("");
        // Newer versions print the mean's confidence interval behind it.
        let (value, interval) = raw.split_once("+/-").unwrap_or((raw, ""));
        let number = |text: &str| parse_number(text, &DecimalMark::Point).map(|number| number * size);
        let mut main = measured(of.0, at, Process::Client, &metric, *unit, number(value), value);
        main.executions = of.1;
        if main.value.is_none() {
            main.quality = main.quality.with(Quality::INCOMPLETE);
            sink.not_understood(
                line.number,
                column_of(line, raw),
                "unreadable figure of multitime",
                raw,
                "a number in each column",
            );
        }
        sink.measure(main);
        if !interval.is_empty() {
            let metric = format!("{metric}_confidence");
            sink.measure(measured(of.0, at, Process::Client, &metric, *unit, number(interval), interval));
        }
    }
}

fn column_of(line: &Line<'_>, raw: &str) -> u32 {
    let head = line.text.rfind(raw).and_then(|at| line.text.get(..at));
    u32::try_from(head.map_or(0, |head| head.chars().count()) + 1).unwrap_or(1)
}

/// Takes off the options that a batch file gives a command: `-q`, `-i CMD`, `-o CMD`, `-r CMD`, `-I STR`.
fn without_options(command: &str) -> &str {
    let mut rest = command;
    while let Some((option, behind)) = rest.split_once(' ').filter(|(word, _)| word.starts_with('-')) {
        rest = behind.trim_start();
        if matches!(option, "-i" | "-o" | "-r" | "-I") {
            let quoted =
                rest.strip_prefix('"').and_then(|inner| inner.split_once("\" ")).map(|(_, rest)| rest);
            rest = quoted.or_else(|| rest.split_once(' ').map(|(_, rest)| rest)).unwrap_or(rest);
        }
    }
    rest
}

/// How often the command was executed, where `-v` told of each time.
fn executions(lines: &Lines<'_>, results: usize, command: &str) -> Option<u64> {
    let before = (0..results).rev().map_while(|at| lines.get(at));
    let own = before.take_while(|line| line.text.trim_ascii_end() != RESULTS);
    let count = own
        .filter(|line| line.text.strip_prefix(EXECUTING).is_some_and(|text| text.trim() == command))
        .count();
    u64::try_from(count).ok().filter(|count| *count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::testing::{read, sample, values};
    use proptest::prelude::*;
    use triptych_model::Key;

    #[test]
    fn every_figure_of_genuine_tables() {
        let data = sample("multitime/multitime-C.txt");
        assert_eq!(
            values(&data, 0),
            [
                "real_mean=0.057s",
                "real_stddev=0.003s",
                "real_min=0.053s",
                "real_median=0.057s",
                "real_max=0.06s",
                "user_mean=0.003s",
                "user_stddev=0s",
                "user_min=0.002s",
                "user_median=0.002s",
                "user_max=0.003s",
                "sys_mean=0s",
                "sys_stddev=0s",
                "sys_min=0s",
                "sys_median=0s",
                "sys_max=0s",
            ]
        );
        assert_eq!(data.runs[0].content.get(Key::Command), Some("sh -c \"sleep 0.05\""));
        assert_eq!((data.warnings(), data.program_output), (0, 0));
        let rusage = sample("multitime/multitime-rusage.txt");
        let found = values(&rusage, 0);
        assert_eq!(found.len(), 14 * 5);
        for expect in
            ["max_rss_mean=1495040B", "max_rss_max=1519616B", "minflt_stddev=11", "ctxsw_voluntary_mean=21"]
        {
            assert!(found.contains(&expect.to_owned()), "{expect} in {found:?}");
        }
        // The tables have points in every locale.
        let german = sample("multitime/multitime-de_DE.UTF-8.txt");
        assert_eq!(german.measurements[0].value, Some(0.062));
        assert_eq!(german.warnings(), 0);
    }

    #[test]
    fn a_batch_is_a_run_for_each_command() {
        let data = sample("multitime/batch-v.txt");
        let operations: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Operation)).collect();
        assert_eq!(operations, [Some("verify"), Some("dump")]);
        assert_eq!(data.measurements.len(), 30);
        assert!(data.measurements.iter().all(|row| row.executions == Some(3)));
        assert_eq!((data.warnings(), data.program_output, data.not_understood), (0, 0, 0));
        let verbose = sample("multitime/multitime-v.txt");
        assert_eq!((verbose.runs.len(), verbose.measurements[0].executions), (1, Some(2)));
    }

    #[test]
    fn a_confidence_interval_stands_apart() {
        let data = read(
            "===> multitime results\n1: svn co A\n            Mean        Std.Dev.    Min         Median      Max\nreal        0.057+/-0.0001    0.003       0.053       0.057       0.060\nuser 1 1 1 1 1\nsys 1 1 1 1 1\n",
        );
        assert_eq!(
            values(&data, 0)[..3],
            ["real_mean=0.057s", "real_mean_confidence=0.0001s", "real_stddev=0.003s"]
        );
        assert_eq!(data.warnings(), 0);
    }

    #[test]
    fn cut_and_damaged_tables_are_said() {
        let whole = "===> multitime results\n1: a\n Mean Std.Dev. Min Median Max\nreal 1 2 3 4 5\nuser 1 2 3 4 5\nsys 1 2 3 4 5\n";
        for (text, warnings, rows) in [
            ("===> multitime results\n".to_owned(), 1, 0),
            ("===> multitime results\n1: a\n".to_owned(), 1, 0),
            (whole.replace("sys 1 2 3 4 5\n", ""), 1, 10),
            (whole.replace("user 1 2 3 4 5", "user 1 2"), 3, 15),
            (whole.replace("user", "fuser"), 1, 10),
            (whole.replace("user 1 2", "user 1 x"), 1, 15),
        ] {
            let data = read(&text);
            assert_eq!((data.warnings(), data.measurements.len()), (warnings, rows), "{text}");
        }
    }

    #[test]
    fn options_of_a_batch_are_no_command() {
        for (text, expect) in [
            ("svnadmin verify r", "svnadmin verify r"),
            ("-q svnadmin verify r", "svnadmin verify r"),
            ("-q -o \"diff x y\" svnadmin verify r", "svnadmin verify r"),
            ("-I r -i cat svn co", "svn co"),
        ] {
            assert_eq!(without_options(text), expect);
        }
    }

    proptest! {
        #[test]
        fn no_cut_makes_it_panic(cut in 0_usize..900, junk in "[ -~\n]{0,8}") {
            let bytes = crate::sink::testing::bytes("multitime/batch-v.txt");
            let text = String::from_utf8_lossy(&bytes);
            let data = read(&format!("{}{junk}", text.chars().take(cut).collect::<String>()));
            prop_assert!(data.measurements.iter().all(|row| row.value.is_none_or(f64::is_finite)));
        }
    }
}
