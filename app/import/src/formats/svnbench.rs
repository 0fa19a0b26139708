//! The counters that svnbench (svn-bench before 1.9) prints without `-q`.
//!
//! They make a run that a block of times behind them joins. On failure svnbench prints zero counters
//! first and its error afterwards, so counters alone never mean success.

mod shapes;

use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_number};
use crate::signs::Signs;
use crate::sink::{NOTHING_COUNTED, Sink, measured};
use crate::text::{Line, Lines};
use shapes::{MERGED, SHAPES, STATUS_LINES, Shape, has_label, is_first_label};
use triptych_model::{
    Cancelled, FormatSpec, Problem, ProblemKind, Process, Quality, ReadOptions, Severity, Unit,
};

/// The row of [`crate::FORMATS`].
pub static SVNBENCH: Svnbench = Svnbench;

static SPEC: FormatSpec = FormatSpec {
    id: "svnbench",
    title: "svnbench counters",
    help: "what svnbench null-export, null-log, null-blame, null-list and null-info counted",
    extensions: &["txt", "log"],
    samples: "svnbench",
};

/// The reader.
pub struct Svnbench;

/// One `%15s label` line.
struct Count<'a> {
    line: Line<'a>,
    raw: &'a str,
    label: &'a str,
}

impl LineFormat for Svnbench {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'0'..=b'9' => shapes::SIGNS,
            b'N' | b'Z' | b'A' => const { Signs::any_of(&[":"]) },
            b't' => Signs::ALWAYS,
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if !may_begin(first.text) {
            return Ok(None);
        }
        if let Some((metric, raw)) = footer(first.text) {
            let run = sink.open_run((first.number, first.offset));
            write_footer(sink, run, &first, metric, raw);
            return Ok(Some(at + 1));
        }
        if let Some(raw) = STATUS_LINES.iter().find_map(|label| first.text.trim().strip_prefix(label)) {
            return Ok(Some(null_info(lines, at, &first, raw, sink)));
        }
        let begins =
            |count: Count<'_>| count.line.text.find(count.label) == Some(16) || is_first_label(count.label);
        if !count(first).is_some_and(begins) {
            return Ok(None);
        }
        let counts: Vec<Count<'_>> =
            (at..at + 5).map_while(|index| lines.get(index).and_then(count)).collect();
        let command = sink.pending.command.as_deref().and_then(crate::commands::operation);
        let Some((shape, found, sure)) = shape_of(&counts, command.as_deref()) else { return Ok(None) };
        let counts: Vec<Count<'_>> = counts.into_iter().take(found).collect();
        let (counts, targets) = all_targets(lines, at, shape, counts, sink);
        let at = at + (targets - 1) * counts.len();
        Ok(Some(block(lines, at, shape, (&first, targets), &counts, sure, sink)))
    }
}

/// `null-list` prints a block for each target, of which each sums up those before it: the last one has
/// the counts of the command. That they are of one command shows in the time, which stands once.
fn all_targets<'a>(
    lines: &'a Lines<'_>,
    at: usize,
    shape: &Shape,
    first: Vec<Count<'a>>,
    sink: &Sink<'_>,
) -> (Vec<Count<'a>>, usize) {
    let size = shape.counters.len();
    if shape.operation != "null-list" || first.len() < size {
        return (first, 1);
    }
    let value = |count: &Count<'_>| parse_number(count.raw, &DecimalMark::Point).unwrap_or(0.0);
    let (mut last, mut targets) = (None, 1);
    loop {
        let begin = at + targets * size;
        let next: Vec<Count<'_>> =
            (begin..begin + size).map_while(|at| lines.get(at).and_then(count)).collect();
        let known = last.as_ref().unwrap_or(&first);
        let pairs = || known.iter().zip(&next).map(|(a, b)| (value(a), value(b)));
        let sums_up = next.len() == size && pairs().all(|(a, b)| b >= a) && pairs().any(|(a, b)| b > a);
        if !sums_up {
            break;
        }
        (last, targets) = (Some(next), targets + 1);
    }
    let timed = lines.get(at + targets * size).is_some_and(|line| footer(line.text).is_some());
    let told = sink.pending.command.as_deref().is_some_and(|command| command.matches("://").count() > 1);
    match last {
        Some(last) if timed || told => (last, targets),
        _ => (first, 1),
    }
}

/// Whether the first letter fits any line that begins a block; most lines of other files end here.
fn may_begin(text: &str) -> bool {
    text.trim_ascii_start().starts_with(|first: char| first.is_ascii_digit() || "NZAt".contains(first))
}

/// A number with thousands and a label behind one blank.
fn count(line: Line<'_>) -> Option<Count<'_>> {
    let text = line.text.trim();
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let (raw, label) = text.split_once(' ')?;
    let is_count = raw.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let is_label = label.starts_with(char::is_alphabetic);
    (is_count && is_label && footer(text).is_none()).then_some(Count { line, raw, label })
}

/// The shape whose labels fit, the number of lines that do, and whether it can be no other shape.
///
/// In a language we do not know the lines are taken in order, where the subcommand or the number of
/// lines says which they are.
fn shape_of(counts: &[Count<'_>], command: Option<&str>) -> Option<(&'static Shape, usize, bool)> {
    let fits = |shape: &Shape| {
        let pairs = shape.counters.iter().zip(counts);
        pairs
            .take_while(|(counter, count)| counter.labels.iter().any(|label| has_label(count.label, label)))
            .count()
    };
    let best = SHAPES.iter().max_by_key(|shape| (fits(shape), std::cmp::Reverse(shape.counters.len())))?;
    let lines = fits(best);
    if lines >= 2 {
        let rivals = SHAPES.iter().filter(|shape| fits(shape) == lines).count();
        return Some((best, lines, rivals == 1));
    }
    let aligned = counts.iter().take_while(|count| count.line.text.find(count.label) == Some(16)).count();
    let shape = SHAPES.iter().find(|shape| match command {
        Some(operation) => operation.starts_with(shape.operation) && aligned >= shape.counters.len(),
        None => shape.counters.len() == 5 && aligned == 5,
    })?;
    Some((shape, shape.counters.len(), true))
}

/// Writes the counters and the lines behind them; returns the index behind the last.
fn block(
    lines: &Lines<'_>,
    at: usize,
    shape: &'static Shape,
    from: (&Line<'_>, usize),
    counts: &[Count<'_>],
    sure: bool,
    sink: &mut Sink<'_>,
) -> usize {
    let (first, targets) = from;
    let run = sink.start_run((first.number, first.offset));
    if let Some(row) = sink.data.runs.get_mut(run as usize).filter(|_| targets > 1) {
        row.settings.insert("targets".to_owned(), targets.into());
    }
    for (index, (counter, count)) in shape.counters.iter().zip(counts).enumerate() {
        write(sink, run, &count.line, counter.metric, counter.unit, count.raw);
        if let Some((_, merged)) = count.label.split_once(',') {
            write_merged(sink, run, &count.line, index, merged);
        }
    }
    if sure {
        let operation = operation_of(shape, counts);
        sink.suggest_operation(run, &operation);
    }
    let (end, timed) = footers(lines, at + counts.len(), run, sink);
    if !timed || counts.len() < shape.counters.len() {
        write_end((lines, at), first, counts, (shape.counters.len(), timed), run, sink);
    }
    end
}

/// Says what a block without all of its counters or without its time may be.
fn write_end(
    of: (&Lines<'_>, usize),
    first: &Line<'_>,
    counts: &[Count<'_>],
    whole: (usize, bool),
    run: u32,
    sink: &mut Sink<'_>,
) {
    let ((lines, at), (expected, timed)) = (of, whole);
    if counts.len() < expected {
        sink.mark(run, Quality::INCOMPLETE);
        let last = counts.last().map_or(first.number, |count| count.line.number);
        sink.cut(last, "the counters of svnbench end early", "all counters of the subcommand");
    } else if !timed && counts.iter().all(|count| count.raw == "0") {
        sink.fail(NOTHING_COUNTED, None);
    } else if !timed && others_are_timed(lines, at) {
        let path = sink.data.path.clone();
        sink.problem(
            Problem::new(
                Severity::Note,
                ProblemKind::Other,
                path,
                "no line 'seconds taken', which other blocks have",
            )
            .at_line(first.number)
            .next_step("look whether it failed, or whether its svnbench is older than 1.10"),
        );
    }
}

/// Whether blocks near this one have the line that 1.10 and later print at the end of a success.
fn others_are_timed(lines: &Lines<'_>, at: usize) -> bool {
    const NEAR: usize = 200;
    let near = lines.starting_at(at.saturating_sub(NEAR)).take(2 * NEAR);
    near.map(|(_, line)| line).any(|line| matches!(footer(line.text), Some(("duration", _))))
}

/// `-g` shows in the second column, `-v` in changes that were counted.
fn operation_of(shape: &Shape, counts: &[Count<'_>]) -> String {
    let mut operation = shape.operation.to_owned();
    if shape.operation == "null-log" {
        if counts.get(2).is_some_and(|count| count.raw != "0") {
            operation.push_str(" -v");
        }
        if counts.first().is_some_and(|count| count.label.contains(',')) {
            operation.push_str(" -g");
        }
    }
    operation
}

fn write_merged(sink: &mut Sink<'_>, run: u32, line: &Line<'_>, index: usize, text: &str) {
    let numbers =
        text.split_whitespace().filter(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    for (metric, raw) in MERGED.get(index).copied().unwrap_or_default().iter().zip(numbers) {
        write(sink, run, line, metric, Unit::Count, raw);
    }
}

/// Reads `seconds taken` and `bytes transferred over network`; tells whether the first was there.
fn footers(lines: &Lines<'_>, at: usize, run: u32, sink: &mut Sink<'_>) -> (usize, bool) {
    let mut end = at;
    let mut timed = false;
    while let Some(line) = lines.get(end) {
        let Some((metric, raw)) = footer(line.text) else { break };
        write_footer(sink, run, &line, metric, raw);
        timed |= metric == "duration";
        end += 1;
    }
    (end, timed)
}

/// The metric and figure of a line that 1.10 and later print behind the counters.
fn footer(text: &str) -> Option<(&'static str, &str)> {
    let text = text.trim_ascii();
    if let Some(raw) = text.strip_suffix(" seconds taken") {
        return Some(("duration", raw)).filter(|(_, raw)| !raw.contains(' '));
    }
    if let Some(raw) = text.strip_prefix("tog ") {
        return raw
            .strip_suffix(" s")
            .map(|raw| ("duration", raw.trim()))
            .filter(|(_, raw)| !raw.contains(' '));
    }
    let raw = [" bytes transferred over network", " byte överförda över nätverket"]
        .iter()
        .find_map(|label| text.strip_suffix(label))?;
    Some(("net_bytes", raw)).filter(|(_, raw)| !raw.contains(' '))
}

fn write_footer(sink: &mut Sink<'_>, run: u32, line: &Line<'_>, metric: &str, raw: &str) {
    let unit = if metric == "duration" { Unit::Secs } else { Unit::Bytes };
    write(sink, run, line, metric, unit, raw);
}

fn null_info(lines: &Lines<'_>, at: usize, line: &Line<'_>, raw: &str, sink: &mut Sink<'_>) -> usize {
    let run = sink.start_run((line.number, line.offset));
    let (more, end) = more_targets(lines, at + 1);
    if more.is_empty() {
        write(sink, run, line, "status_notifications", Unit::Count, raw.trim());
    } else {
        write_sum(raw.trim(), &more, run, line, sink);
    }
    sink.suggest_operation(run, "null-info");
    let (end, timed) = footers(lines, end, run, sink);
    if !timed && raw.trim() == "0" {
        sink.fail(NOTHING_COUNTED, None);
    }
    end
}

/// The numbers of further targets of one `null-info`, whose time stands once below them, and where they end.
fn more_targets<'a>(lines: &'a Lines<'_>, at: usize) -> (Vec<&'a str>, usize) {
    let mut more = Vec::new();
    let number = |line: Line<'a>| STATUS_LINES.iter().find_map(|label| line.text.trim().strip_prefix(label));
    while let Some(raw) = lines.get(at + more.len()).and_then(number) {
        more.push(raw.trim());
    }
    let end = at + more.len();
    let timed = lines.get(end).is_some_and(|line| footer(line.text).is_some());
    if timed { (more, end) } else { (Vec::new(), at) }
}

/// `null-info` counts each target by itself.
fn write_sum(first: &str, more: &[&str], run: u32, line: &Line<'_>, sink: &mut Sink<'_>) {
    let all: Vec<&str> = std::iter::once(first).chain(more.iter().copied()).collect();
    let values = all.iter().map(|raw| parse_number(raw, &DecimalMark::Point));
    let sum: Option<f64> = values.sum();
    let at = (line.number, line.offset);
    let metric = "status_notifications";
    let mut row = measured(run, at, Process::Client, metric, Unit::Count, sum, &all.join(" + "));
    row.quality = Quality::COMPUTED;
    if sum.is_none() {
        row.quality = row.quality.with(Quality::MALFORMED);
        sink.not_understood(line.number, 1, "unreadable counter", &row.raw, "numbers such as 1,397");
    }
    sink.measure(row);
    if let Some(row) = sink.data.runs.get_mut(run as usize) {
        row.settings.insert("targets".to_owned(), all.len().into());
    }
}

/// Counters group thousands by commas in every language, and `seconds taken` has a decimal point.
fn write(sink: &mut Sink<'_>, run: u32, line: &Line<'_>, metric: &str, unit: Unit, raw: &str) {
    let value = parse_number(raw, &DecimalMark::Point);
    let mut row = measured(run, (line.number, line.offset), Process::Client, metric, unit, value, raw);
    if value.is_none() {
        row.quality = row.quality.with(Quality::MALFORMED);
        let before =
            line.text.find(raw).and_then(|at| line.text.get(..at)).map_or(0, |head| head.chars().count());
        let column = u32::try_from(before + 1).unwrap_or(u32::MAX);
        sink.not_understood(line.number, column, "unreadable counter", raw, "a number such as 1,397");
    }
    sink.measure(row);
}

#[cfg(test)]
mod tests {
    use super::SHAPES;
    use crate::sink::testing::{read, sample, values};
    use proptest::prelude::*;
    use triptych_model::{Key, Quality};

    #[test]
    fn every_figure_of_genuine_outputs() {
        for (path, operation, expect) in [
            (
                "null-export-1.14.2.txt",
                "null-export",
                &[
                    "directories=1671",
                    "files=13971",
                    "bytes=26013500B",
                    "properties=71481",
                    "property_bytes=114730B",
                    "duration=0.473285s",
                    "net_bytes=11800118B",
                    "real=0.578s",
                    "user=0.056s",
                    "sys=0.016s",
                ][..],
            ),
            (
                "null-export-de_DE.UTF-8.txt",
                "null-export",
                &[
                    "directories=1671",
                    "files=13971",
                    "bytes=26013500B",
                    "properties=71481",
                    "property_bytes=114730B",
                    "duration=0.984571s",
                    "net_bytes=11800118B",
                    "real=1.123s",
                    "user=0.038s",
                    "sys=0.032s",
                ],
            ),
            (
                "null-log-v-trunk.txt",
                "null-log -v",
                &[
                    "revisions=53171",
                    "msg_lines=463631",
                    "changes=141091",
                    "real=11.376s",
                    "user=0.017s",
                    "sys=0.026s",
                ],
            ),
            (
                "null-log-v-g-1.14.2.txt",
                "null-log -v -g",
                &[
                    "revisions=60211",
                    "merged_revisions=7041",
                    "merges=591",
                    "msg_lines=528921",
                    "merged_msg_lines=65291",
                    "changes=157141",
                    "merged_changes=16051",
                    "duration=0.872472s",
                    "net_bytes=4025881B",
                    "real=0.896s",
                    "user=0.028s",
                    "sys=0.009s",
                ],
            ),
            (
                "null-blame-1.14.2.txt",
                "null-blame",
                &[
                    "revisions=781",
                    "deltas=781",
                    "delta_bytes=9123633B",
                    "duration=0.076988s",
                    "net_bytes=123854B",
                    "real=0.1s",
                    "user=0.014s",
                    "sys=0.01s",
                ],
            ),
            (
                "null-list-v-1.9.12.txt",
                "null-list",
                &["directories=91", "files=161", "locks=01", "real=0.011s", "user=0.005s", "sys=0s"],
            ),
            (
                "null-info-R-1.14.2.txt",
                "null-info",
                &[
                    "status_notifications=15641",
                    "duration=0.029044s",
                    "net_bytes=173367B",
                    "real=0.054s",
                    "user=0.014s",
                    "sys=0.014s",
                ],
            ),
        ] {
            let data = sample(&format!("svnbench/{path}"));
            assert_eq!(data.runs.len(), 1, "{path}");
            assert_eq!(values(&data, 0), expect, "{path}");
            assert_eq!(data.runs[0].content.get(Key::Operation), Some(operation), "{path}");
            assert_eq!(data.runs[0].quality, Quality::NONE, "{path}");
            assert_eq!((data.warnings(), data.program_output), (0, 0), "{path}");
        }
    }

    #[test]
    fn an_unknown_subcommand_is_a_failure() {
        let data = sample("svnbench/null-blame-trunk.txt");
        assert_eq!(data.runs[0].failure.as_deref(), Some("Unknown subcommand: 'null-blame'"));
        assert!(data.runs[0].quality.has(Quality::FAILED));
    }

    #[test]
    fn zero_counters_and_an_error_are_one_failed_run() {
        let zeros = "              0 directories\n              0 files\n              0 bytes in files\n              0 properties\n              0 bytes in properties\n";
        let times = "\nreal\t0m0.004s\nuser\t0m0.003s\nsys\t0m0.000s\n";
        let data = read(&format!("{zeros}svnbench: E160013: no such path\n{times}"));
        assert_eq!(data.runs.len(), 1);
        assert_eq!(data.measurements.len(), 8);
        assert_eq!(data.runs[0].failure.as_deref(), Some("svnbench: E160013: no such path"));
        let silent = read(&format!("{zeros}{times}"));
        assert!(silent.runs[0].quality.has(Quality::FAILED));
        assert_eq!(silent.runs[0].failure.as_deref(), Some(crate::sink::NOTHING_COUNTED));
    }

    #[test]
    fn other_languages_go_by_order() {
        let lines = |labels: &[&str]| {
            let mut text = String::new();
            for (index, label) in labels.iter().enumerate() {
                text.push_str(&format!("{:>15} {label}\n", index + 1));
            }
            text
        };
        let export = read(&lines(&["aa", "bb", "cc", "dd", "ee"]));
        assert_eq!(
            values(&export, 0),
            ["directories=11", "files=21", "bytes=3B", "properties=41", "property_bytes=5B"]
        );
        let log = read(&format!("$ svnbench null-log -v URL\n{}", lines(&["aa", "bb", "cc"])));
        assert_eq!(values(&log, 0), ["revisions=11", "msg_lines=21", "changes=31"]);
        assert_eq!(read(&lines(&["aa", "bb", "cc"])).runs, []);
        let swedish =
            read(&format!("{}tog        2.500000 s\n", lines(&["revisioner", "delta", "byte i delta"])));
        assert_eq!(values(&swedish, 0), ["revisions=11", "deltas=21", "delta_bytes=3B", "duration=2.5s"]);
    }

    #[test]
    fn several_targets_are_one_run() {
        let data = sample("svnbench/null-list-two-targets.txt");
        assert_eq!((data.runs.len(), data.not_understood), (1, 0));
        assert_eq!(values(&data, 0), ["directories=481", "files=01", "locks=01", "duration=0.002302s"]);
        assert_eq!(data.runs[0].settings.get("targets"), Some(&2.into()));
        let info = read(
            "Number of status notifications received: 3\nNumber of status notifications received: 4\n       0.000384 seconds taken\n",
        );
        assert_eq!(values(&info, 0), ["status_notifications=71", "duration=0.000384s"]);
        assert_eq!(info.measurements[0].raw, "3 + 4");
        let untimed = read(
            "              9 directories\n             16 files\n              0 locks\n             10 directories\n             17 files\n              0 locks\n",
        );
        assert_eq!(untimed.runs.len(), 2);
    }

    #[test]
    fn a_block_without_its_time_beside_others_is_noted() {
        let block = "              9 directories\n             16 files\n              0 locks\n";
        let data = read(&format!(
            "$ svnbench null-list A\n{block}       0.002302 seconds taken\n$ svnbench null-list B\n{block}"
        ));
        assert_eq!(data.runs.len(), 2);
        assert_eq!(data.problems.iter().map(|problem| problem.line).collect::<Vec<_>>(), [Some(7)]);
        assert!(!data.runs[1].quality.has(Quality::FAILED));
    }

    #[test]
    fn genuine_failures_of_each_subcommand() {
        for (path, failure) in [
            (
                "null-export-no-such-path.txt",
                "svnbench: E170000: URL 'svn://localhost/bench/nosuch' doesn't exist",
            ),
            ("null-log-no-such-path.txt", "svnbench: E160013: File not found: revision 46, path '/nosuch'"),
            (
                "null-list-no-such-path.txt",
                "svnbench: E200009: Could not list all targets because some targets don't exist",
            ),
            (
                "null-info-no-such-path.txt",
                "svnbench: E200009: Could not display info for all targets because some targets don't exist",
            ),
        ] {
            let data = sample(&format!("svnbench/{path}"));
            assert_eq!(data.runs.len(), 1, "{path}");
            assert_eq!(data.runs[0].failure.as_deref(), Some(failure), "{path}");
            assert!(data.runs[0].quality.has(Quality::FAILED), "{path}");
        }
    }

    #[test]
    fn cut_counters_are_incomplete() {
        let data =
            read("            166 directories\n          1,397 files\n     26,013,500 bytes in files\n");
        assert_eq!(values(&data, 0), ["directories=1661", "files=13971", "bytes=26013500B"]);
        assert!(data.runs[0].quality.has(Quality::INCOMPLETE));
        assert_eq!(data.warnings(), 1);
    }

    #[test]
    fn a_new_command_ends_a_run_without_times() {
        let list = "              9 directories\n             16 files\n              0 locks\n";
        let data = read(&format!(
            "$ svnbench null-list A\n{list}$ time svnbench null-list B -q\nreal 1\nuser 0\nsys 0\n"
        ));
        assert_eq!(values(&data, 0), ["directories=91", "files=161", "locks=01"]);
        assert_eq!(values(&data, 1), ["real=1s", "user=0s", "sys=0s"]);
    }

    proptest! {
        /// FORMATS.md §2.3: on failure the counters are printed first, then the error; zeros are no result.
        #[test]
        fn a_failure_is_never_a_result(shape in 0..SHAPES.len(), zero in proptest::bool::ANY, error in "[a-zA-Z0-9 ':/]{1,40}", time in proptest::bool::ANY) {
            let figure = if zero { "0" } else { "1,234" };
            let mut text = String::from("$ time svnbench null-x URL\n");
            for counter in SHAPES[shape].counters {
                text.push_str(&format!("{figure:>15} {}\n", counter.labels[0]));
            }
            text.push_str(&format!("svnbench: E170000: {error}\n"));
            if time {
                text.push_str("\nreal\t0m0.004s\nuser\t0m0.003s\nsys\t0m0.000s\n");
            }
            let data = read(&text);
            prop_assert_eq!(data.runs.len(), 1);
            prop_assert!(data.runs[0].quality.has(Quality::FAILED));
            prop_assert!(data.runs[0].failure.as_deref().is_some_and(|reason| reason.starts_with("svnbench: E170000")));
        }

        #[test]
        fn zeros_without_a_time_are_a_failure(shape in 0..SHAPES.len()) {
            let lines = SHAPES[shape].counters.iter().map(|counter| format!("{:>15} {}\n", 0, counter.labels[0]));
            let data = read(&lines.collect::<String>());
            prop_assert!(data.runs[0].quality.has(Quality::FAILED));
        }
    }
}
