//! GNU time (`/usr/bin/time`): the two lines it prints by default, and the table of `-v`.
//!
//! Its `-p` form is POSIX and read with the shells'. Where the command failed, a line ahead of the
//! numbers says so; it belongs to their run, whatever form follows.

use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_duration, parse_number};
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use triptych_model::{
    Cancelled, FormatSpec, Problem, ProblemKind, Process, Quality, ReadOptions, Severity, Unit,
};

/// The row of [`crate::FORMATS`].
pub static GNU_TIME: GnuTime = GnuTime;

static SPEC: FormatSpec = FormatSpec {
    id: "gnu-time",
    title: "GNU time",
    help: "times, memory and page faults as /usr/bin/time prints them, by default or with -v",
    extensions: &["txt", "log"],
    samples: "gnu-time",
};

/// The reader.
pub struct GnuTime;

/// How a figure becomes a value.
#[derive(Clone, Copy)]
enum Kind {
    /// Seconds, or minutes and seconds with colons.
    Time,
    /// Per cent, with its sign.
    Percent,
    /// A number of things of that many base units.
    Times(f64, Unit),
    /// A number that Linux does not count; kept only where it is not zero.
    Rare,
    /// The exit status.
    Exit,
    /// A fact of the machine.
    Ignored,
}

/// Blocks that the kernel counts for a process are of this size whatever the disk's is.
const BLOCKS: Kind = Kind::Times(512.0, Unit::Bytes);
const KIB: Kind = Kind::Times(1024.0, Unit::Bytes);
const COUNT: Kind = Kind::Times(1.0, Unit::Count);

/// The labels of `-v`; keyed by their text, for versions differ in their order.
const LABELS: &[(&str, &str, Kind)] = &[
    ("User time (seconds)", "user", Kind::Time),
    ("System time (seconds)", "sys", Kind::Time),
    ("Percent of CPU this job got", "cpu", Kind::Percent),
    ("Elapsed (wall clock) time (h:mm:ss or m:ss)", "real", Kind::Time),
    ("Average shared text size (kbytes)", "avg_text", Kind::Rare),
    ("Average unshared data size (kbytes)", "avg_data", Kind::Rare),
    ("Average stack size (kbytes)", "avg_stack", Kind::Rare),
    ("Average total size (kbytes)", "avg_total", Kind::Rare),
    ("Maximum resident set size (kbytes)", "max_rss", KIB),
    ("Average resident set size (kbytes)", "avg_rss", Kind::Rare),
    ("Major (requiring I/O) page faults", "majflt", COUNT),
    ("Minor (reclaiming a frame) page faults", "minflt", COUNT),
    ("Voluntary context switches", "ctxsw_voluntary", COUNT),
    ("Involuntary context switches", "ctxsw_involuntary", COUNT),
    ("Swaps", "swaps", Kind::Rare),
    ("File system inputs", "read_bytes", BLOCKS),
    ("File system outputs", "write_bytes", BLOCKS),
    ("Socket messages sent", "socket_sent", Kind::Rare),
    ("Socket messages received", "socket_received", Kind::Rare),
    ("Signals delivered", "signals", Kind::Rare),
    ("Page size (bytes)", "page_size", Kind::Ignored),
    ("Exit status", "exit", Kind::Exit),
];

/// Ends of the words of the default form, on its first and second line.
const WORDS: [&[(&str, &str, Kind)]; 2] = [
    &[
        ("user", "user", Kind::Time),
        ("system", "sys", Kind::Time),
        ("elapsed", "real", Kind::Time),
        ("%CPU", "cpu", Kind::Percent),
        ("maxresident)k", "max_rss", KIB),
    ],
    &[
        ("inputs", "read_bytes", BLOCKS),
        ("outputs", "write_bytes", BLOCKS),
        ("major", "majflt", COUNT),
        ("minor)pagefaults", "minflt", COUNT),
    ],
];

/// What a metric is called by that another tool has given already.
const TOOL: &str = "gnu";

const TIMED: &str = "Command being timed: ";

impl LineFormat for GnuTime {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'C' => Signs::ALWAYS,
            b'0'..=b'9' => const { Signs::any_of(&["ps"]) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(line) = lines.get(at) else { return Ok(None) };
        let text = line.text.trim_ascii_start();
        if !text.starts_with(|first: char| first == 'C' || first.is_ascii_digit()) {
            return Ok(None);
        }
        let text = text.trim_ascii_end();
        if text.starts_with("Command ") {
            if let Some(exit) = exit_line(text) {
                sink.fail(text, Some(exit));
                return Ok(Some(at + 1));
            }
            return Ok(text.starts_with(TIMED).then(|| table(lines, at, &line, sink)));
        }
        if text.contains("elapsed ") {
            return Ok(default_form(lines, at, &line, sink));
        }
        Ok(None)
    }
}

/// The status of `Command exited with non-zero status 2`; a signal is negative.
fn exit_line(text: &str) -> Option<i32> {
    let number = |head| text.strip_prefix(head).and_then(|rest| rest.trim().parse::<i32>().ok());
    number("Command exited with non-zero status ").or_else(|| {
        number("Command terminated by signal ")
            .or_else(|| number("Command stopped by signal "))
            .and_then(i32::checked_neg)
    })
}

/// Reads the table of `-v` and returns the index behind it.
fn table(lines: &Lines<'_>, at: usize, first: &Line<'_>, sink: &mut Sink<'_>) -> usize {
    let (command, mut end) = timed_command(lines, at);
    let real = real_below(lines, end);
    let run = sink.timed_run((first.number, first.offset), TOOL, real);
    sink.describe(run, &command);
    let mut complete = false;
    while let Some(line) = lines.get(end) {
        let Some((label, raw)) = line.text.trim().rsplit_once(": ") else { break };
        match LABELS.iter().find(|(known, ..)| *known == label) {
            Some((_, metric, kind)) => write(sink, run, &line, metric, *kind, raw),
            None if line.text.starts_with(['\t', ' ']) => {
                sink.not_understood(line.number, 1, "unknown label", label, "a label of GNU time");
            }
            None => break,
        }
        end += 1;
        if label == "Exit status" {
            complete = true;
            break;
        }
    }
    if !complete {
        sink.mark(run, Quality::INCOMPLETE);
        let last = lines.get(end - 1).map_or(first.number, |line| line.number);
        sink.cut(last, "the table of GNU time ends early", "the line Exit status");
    }
    note_old_version(first, sink);
    sink.close_timed(run, TOOL, real);
    end
}

/// The wall time of the table whose labels begin at a line.
fn real_below(lines: &Lines<'_>, at: usize) -> Option<f64> {
    let rows = lines.starting_at(at).take(LABELS.len());
    rows.filter(|(_, line)| line.text.contains("Elapsed (wall clock) time"))
        .find_map(|(_, line)| parse_duration(line.text.rsplit_once(": ")?.1.trim()))
}

/// GNU time 1.7 takes the kernel's kB for pages and prints four times the memory.
///
/// Nothing in its output names the version, but all its figures are multiples of 16 kB, where one in
/// four of other versions is: three of three are worth a note.
fn note_old_version(first: &Line<'_>, sink: &mut Sink<'_>) {
    const ENOUGH: usize = 3;
    if sink.data.runs.len() > 4 * ENOUGH {
        return;
    }
    let sizes = sink.data.measurements.iter().filter(|row| row.metric == "max_rss");
    let sizes: Vec<Option<u64>> = sizes.map(|row| row.raw.parse().ok()).collect();
    if sizes.len() == ENOUGH && sizes.iter().all(|size| size.is_some_and(|size| size > 0 && size % 16 == 0)) {
        let path = sink.data.path.clone();
        sink.problem(
            Problem::new(
                Severity::Note,
                ProblemKind::Other,
                path,
                "the largest memory may be four times too big",
            )
            .at_line(first.number)
            .next_step("ask time --version: GNU time 1.7 prints it so"),
        );
    }
}

/// The command between the first and the last quote, which may hold quotes and line breaks itself.
fn timed_command(lines: &Lines<'_>, at: usize) -> (String, usize) {
    const LONGEST: usize = 50;
    let mut text = String::new();
    let mut end = at;
    while let Some(line) = lines.get(end) {
        if end > at {
            if end > at + LONGEST || line.text.trim().starts_with("User time (seconds): ") {
                break;
            }
            text.push('\n');
        }
        text.push_str(line.text.trim());
        end += 1;
        let follows = lines.get(end).is_none_or(|next| next.text.trim().contains("): "));
        if text.len() > TIMED.len() + 1 && text.ends_with('"') && follows {
            break;
        }
    }
    let quoted = text.strip_prefix(TIMED).unwrap_or(&text);
    let inner = quoted.strip_prefix('"').map_or(quoted, |rest| rest.strip_suffix('"').unwrap_or(rest));
    (inner.to_owned(), end)
}

/// `0.00user 0.00system 0:00.10elapsed 0%CPU (0avgtext+0avgdata 1496maxresident)k` and the line behind it.
fn default_form(lines: &Lines<'_>, at: usize, first: &Line<'_>, sink: &mut Sink<'_>) -> Option<usize> {
    let head = figures(first.text, WORDS[0]);
    if !["user", "sys", "real"].iter().all(|metric| head.iter().any(|(found, ..)| found == metric)) {
        return None;
    }
    let real = head.iter().find(|(metric, ..)| *metric == "real").and_then(|(.., raw)| parse_duration(raw));
    let run = sink.timed_run((first.number, first.offset), TOOL, real);
    for (metric, kind, raw) in head {
        write(sink, run, first, metric, kind, raw);
    }
    let second =
        lines.get(at + 1).filter(|line| line.text.contains("inputs+") && line.text.contains("pagefaults"));
    if let Some(line) = &second {
        for (metric, kind, raw) in figures(line.text, WORDS[1]) {
            write(sink, run, line, metric, kind, raw);
        }
    } else {
        sink.mark(run, Quality::INCOMPLETE);
        sink.cut(
            first.number,
            "the times of GNU time end early",
            "the line of inputs, outputs and page faults",
        );
    }
    sink.close_timed(run, TOOL, real);
    Some(if second.is_some() { at + 2 } else { at + 1 })
}

/// The figures of a line, each glued to the word that names it.
fn figures<'a>(text: &'a str, words: &[(&str, &'static str, Kind)]) -> Vec<(&'static str, Kind, &'a str)> {
    let parts = text.split([' ', '\t', '+']).map(|part| part.trim_start_matches('('));
    parts
        .filter_map(|part| {
            words.iter().find_map(|(end, metric, kind)| {
                let raw = part.strip_suffix(end)?;
                raw.starts_with(|first: char| first.is_ascii_digit() || first == '?')
                    .then_some((*metric, *kind, raw))
            })
        })
        .collect()
}

fn write(sink: &mut Sink<'_>, run: u32, line: &Line<'_>, metric: &str, kind: Kind, raw: &str) {
    let raw = raw.trim();
    let number = |text: &str| {
        parse_number(text, if text.contains(',') { &DecimalMark::Comma } else { &DecimalMark::Point })
    };
    let (unit, value) = match kind {
        Kind::Ignored => return,
        Kind::Exit => {
            let exit = raw.parse().ok();
            sink.exit(exit);
            if exit.is_some_and(|status| status != 0) {
                sink.fail(&format!("Exit status: {raw}"), exit);
            }
            return;
        }
        Kind::Rare => match number(raw) {
            Some(0.0) => return,
            value => (Unit::Count, value),
        },
        // busybox prints `0m 0.03s` in the table.
        Kind::Time => (Unit::Secs, number(raw).or_else(|| parse_duration(raw))),
        Kind::Percent => (Unit::Percent, number(raw.trim_end_matches('%'))),
        Kind::Times(size, unit) => (unit, number(raw).map(|count| count * size)),
    };
    let at = (line.number, line.offset);
    let mut row = measured(run, at, Process::Client, metric, unit, value, raw);
    if value.is_none() {
        row.quality = row.quality.with(Quality::INCOMPLETE);
        // GNU time itself prints `?` where nothing elapsed and there is no percentage.
        if !raw.starts_with('?') {
            sink.not_understood(line.number, column_of(line, raw), "unreadable figure", raw, "a number");
        }
    }
    sink.measure_of(TOOL, row);
}

fn column_of(line: &Line<'_>, raw: &str) -> u32 {
    let before =
        line.text.rfind(raw).and_then(|at| line.text.get(..at)).map_or(0, |head| head.chars().count());
    u32::try_from(before + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{read, sample, values};
    use triptych_model::{Key, Quality};

    #[test]
    fn every_figure_of_a_genuine_table() {
        let data = sample("gnu-time/verify-branch6-hot.txt");
        assert_eq!(
            values(&data, 0),
            [
                "user=6.01s",
                "sys=1.73s",
                "cpu=99%",
                "real=7.76s",
                "max_rss=2133999616B",
                "majflt=3",
                "minflt=529458",
                "ctxsw_voluntary=85",
                "ctxsw_involuntary=28",
                "read_bytes=3145728B",
                "write_bytes=16384B",
            ]
            .map(|text| if text.ends_with(['s', 'B', '%']) {
                text.to_owned()
            } else {
                format!("{text}1")
            })
        );
        let run = &data.runs[0];
        assert_eq!(run.exit, Some(0));
        assert_eq!(run.quality, Quality::NONE);
        assert_eq!(
            run.content.get(Key::Command),
            Some("/srv/svn/bin/svnadmin-fmt7 verify -M 4000 -q /srv/svn/repos/fmt6_packed")
        );
        assert_eq!(run.content.get(Key::Operation), Some("verify"));
        assert_eq!((data.warnings(), data.program_output), (0, 0));
    }

    #[test]
    fn counters_and_table_are_one_run() {
        let data = sample("gnu-time/null-export-trunk-hot-de_DE.UTF-8.txt");
        assert_eq!(data.runs.len(), 1);
        assert_eq!(data.runs[0].content.get(Key::Operation), Some("null-export"));
        let found = values(&data, 0);
        assert!(found.contains(&"bytes=26013500B".to_owned()), "{found:?}");
        assert!(found.contains(&"real=1.36s".to_owned()), "{found:?}");
    }

    #[test]
    fn the_default_form() {
        let text = "0.06user 0.00system 0:00.32elapsed 20%CPU (0avgtext+0avgdata 1684maxresident)k\n8inputs+0outputs (1major+160minor)pagefaults 0swaps\n";
        let data = read(text);
        assert_eq!(
            values(&data, 0),
            [
                "user=0.06s",
                "sys=0s",
                "real=0.32s",
                "cpu=20%",
                "max_rss=1724416B",
                "read_bytes=4096B",
                "write_bytes=0B",
                "majflt=11",
                "minflt=1601"
            ]
        );
        assert_eq!(data.problems, []);
        let unknown = read(&text.replace("20%CPU", "?%CPU").replace("0:00.32", "1:02:10"));
        assert_eq!(values(&unknown, 0)[2..4], ["real=3730s", "cpu=?%"]);
        assert_eq!(unknown.problems, []);
    }

    #[test]
    fn the_exit_line_belongs_to_the_numbers_behind_it() {
        let numbers = "0.00user 0.00system 0:00.00elapsed 100%CPU (0avgtext+0avgdata 1580maxresident)k\n0inputs+0outputs (0major+86minor)pagefaults 0swaps\n";
        for (line, numbers, exit) in [
            ("Command exited with non-zero status 2\n", numbers, 2),
            ("Command terminated by signal 9\n", numbers, -9),
            ("Command exited with non-zero status 3\n", "real 0.11\nuser 0.00\nsys 0.00\n", 3),
        ] {
            let data = read(&format!("{line}{numbers}"));
            assert_eq!(data.runs.len(), 1, "{line}");
            assert_eq!(data.runs[0].exit, Some(exit), "{line}");
            assert_eq!(data.runs[0].failure.as_deref(), Some(line.trim()), "{line}");
            assert!(data.runs[0].quality.has(Quality::FAILED), "{line}");
        }
        let data = read(&format!("Command stopped by signal -2147483648\n{numbers}"));
        assert_eq!((data.runs[0].exit, data.program_output), (None, 1), "there is no such signal");
        let data = sample("gnu-time/exit-3.txt");
        assert_eq!((data.runs.len(), data.runs[0].exit), (1, Some(3)));
        assert_eq!(data.runs[0].content.get(Key::Command), Some("sh -c sleep 0.1; exit 3"));
    }

    #[test]
    fn a_signal_outlives_the_status_zero_of_the_table() {
        let data = read(
            "Command terminated by signal 9\n\tCommand being timed: \"svn co \"a: b\" c\"\n\tUser time (seconds): 1.50\n\tExit status: 0\n",
        );
        assert_eq!(data.runs[0].exit, Some(-9));
        assert_eq!(data.runs[0].content.get(Key::Command), Some("svn co \"a: b\" c"));
        assert_eq!(values(&data, 0), ["user=1.5s"]);
    }

    #[test]
    fn a_cut_table_and_a_broken_figure_are_said() {
        let data = read("\tCommand being timed: \"x\"\n\tUser time (seconds): a.b\n\tNew label: 3\n");
        assert_eq!(values(&data, 0), ["user=?s"]);
        assert!(data.runs[0].quality.has(Quality::INCOMPLETE));
        let places: Vec<String> = data.problems.iter().map(triptych_model::Problem::place).collect();
        assert_eq!(places, ["test.txt:2:23", "test.txt:3:1", "test.txt:3"]);
    }

    #[test]
    fn other_genuine_forms() {
        for (path, expect, exit) in [
            ("signal.txt", "real=0s", Some(-9)),
            ("signal-v.txt", "real=0.01s", Some(-9)),
            ("exit-2.txt", "cpu=100%", Some(2)),
            ("busybox-v.txt", "real=0.03s", Some(0)),
            ("de.txt", "max_rss=2363392B", None),
        ] {
            let data = sample(&format!("gnu-time/{path}"));
            assert_eq!((data.runs.len(), data.runs[0].exit), (1, exit), "{path}");
            assert!(values(&data, 0).contains(&expect.to_owned()), "{path} {:?}", values(&data, 0));
            assert_eq!((data.warnings(), data.program_output), (0, 0), "{path} {:?}", data.problems);
        }
    }

    #[test]
    fn labels_with_colons_and_a_change_of_order() {
        let data = read(
            "\tCommand being timed: \"x\"\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02:10\n\tUser time (seconds): 1.50\n\tExit status: 0\n",
        );
        assert_eq!(values(&data, 0), ["real=3730s", "user=1.5s"]);
        assert_eq!(data.warnings(), 0);
    }

    #[test]
    fn memory_of_version_1_7_is_noted() {
        let table = |kb: u32| {
            format!(
                "\tCommand being timed: \"svn co A\"\n\tMaximum resident set size (kbytes): {kb}\n\tExit status: 0\n"
            )
        };
        let notes = |sizes: [u32; 3]| read(&sizes.map(table).concat()).problems.len();
        assert_eq!(notes([9600, 10_240, 9616]), 1);
        assert_eq!(notes([9600, 10_240, 9612]), 0);
    }

    #[test]
    fn a_shell_around_gnu_time_is_one_run() {
        let data = read(
            "$ time /usr/bin/time svn co A\n0.06user 0.00system 0:00.32elapsed 20%CPU (0avgtext+0avgdata 1684maxresident)k\n8inputs+0outputs (1major+160minor)pagefaults 0swaps\n\nreal\t0m0.324s\nuser\t0m0.062s\nsys\t0m0.001s\n",
        );
        assert_eq!(data.runs.len(), 1);
        let found = values(&data, 0);
        assert!(
            found.contains(&"real=0.32s".to_owned()) && found.contains(&"real_shell=0.324s".to_owned()),
            "{found:?}"
        );
    }
}
