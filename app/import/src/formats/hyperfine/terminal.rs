//! What hyperfine prints to the terminal: a block for each benchmark, and a summary.
//!
//! Units go by the line. The summary's quotients are kept as printed with the runs they name.

use super::conditions::{Identity, Results};
use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_duration, parse_number};
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use std::collections::HashMap;
use triptych_model::{
    Cancelled, FormatSpec, Problem, ProblemKind, Process, Quality, ReadOptions, RunRow, Severity, Unit,
};

/// The row of [`crate::FORMATS`].
pub static HYPERFINE_TEXT: HyperfineText = HyperfineText;

static SPEC: FormatSpec = FormatSpec {
    id: "hyperfine-text",
    title: "hyperfine text",
    help: "means, deviations and ranges as hyperfine prints them",
    extensions: &["txt", "log"],
    samples: "hyperfine-text",
};

/// The reader.
pub struct HyperfineText;

/// One benchmark with the lines that belong to it.
struct Benchmark<'a> {
    first: Line<'a>,
    command: &'a str,
    time: Option<Line<'a>>,
    range: Option<Line<'a>>,
    failure: Option<&'a str>,
}

/// `1.43 ± 0.82 times faster than 'svnlook tree repo'`
struct Quotient<'a> {
    line: Line<'a>,
    raw: &'a str,
    slower: bool,
    name: &'a str,
}

impl LineFormat for HyperfineText {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'B' => Signs::ALWAYS,
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if !first.text.starts_with("Benchmark ") || title(first.text).is_none() {
            return Ok(None);
        }
        let mut all: Vec<Benchmark<'_>> = Vec::new();
        let (mut end, mut times) = (at, at);
        while let Some(line) = lines.get(end) {
            sink.check_at(end, line.offset)?;
            if let Some(command) = title(line.text) {
                all.push(Benchmark { first: line, command, time: None, range: None, failure: None });
            } else if !line.is_blank() && !all.last_mut().is_some_and(|benchmark| benchmark.take(line)) {
                // With --show-output the command's own lines stand before its times.
                if all.last().is_none_or(|benchmark| benchmark.time.is_some()) {
                    break;
                }
                if times <= end {
                    let Some(behind) = times_behind(lines, end, sink)? else { break };
                    times = behind;
                }
                sink.data.program_output += 1;
            }
            end += 1;
        }
        let (quotients, behind) = summary(lines, end);
        write(&all, &quotients, sink);
        Ok(Some(behind))
    }
}

/// `Benchmark 1: svn export`, `Benchmark #1: svn export` before version 1.13
fn title(text: &str) -> Option<&str> {
    let (number, command) = text.strip_prefix("Benchmark ")?.split_once(':')?;
    let number = number.strip_prefix('#').unwrap_or(number);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && (command.is_empty() || command.starts_with(' '))).then(|| command.trim())
}

/// Where the times of a benchmark stand behind its output, which may be long, before another benchmark.
fn times_behind(lines: &Lines<'_>, at: usize, sink: &Sink<'_>) -> Result<Option<usize>, Cancelled> {
    for (index, line) in lines.starting_at(at) {
        sink.check_at(index, line.offset)?;
        if is_time(line.text) {
            return Ok(Some(index));
        }
        if title(line.text).is_some() {
            break;
        }
    }
    Ok(None)
}

/// `Time (mean ± σ):`, and `Time (abs ≡):` of a single execution.
fn is_time(text: &str) -> bool {
    let behind = text.trim_ascii_start().strip_prefix("Time (");
    behind.is_some_and(|behind| behind.starts_with("mean ") || behind.starts_with("abs "))
}

impl<'a> Benchmark<'a> {
    /// Takes a line that belongs to the benchmark.
    fn take(&mut self, line: Line<'a>) -> bool {
        let text = line.text.trim();
        if is_time(text) && self.time.is_none() {
            self.time = Some(line);
        } else if text.starts_with("Range (") && self.range.is_none() {
            self.range = Some(line);
        } else if let Some(warning) = text.strip_prefix("Warning: ") {
            if warning.starts_with("Ignoring non-zero exit code") {
                self.failure = Some(text);
            }
        } else {
            return false;
        }
        true
    }
}

/// Reads the summary and returns the index behind it.
fn summary<'a>(lines: &'a Lines<'_>, at: usize) -> (Vec<Quotient<'a>>, usize) {
    let mut quotients = Vec::new();
    if lines.get(at).is_none_or(|line| line.text.trim() != "Summary") {
        return (quotients, at);
    }
    let mut end = at + 1;
    while let Some(line) = lines.get(end) {
        match quotient(line) {
            Some(found) => quotients.push(found),
            None if line.text.starts_with(' ') && line.text.trim_end().ends_with(" ran") => {}
            None => break,
        }
        end += 1;
    }
    (quotients, end)
}

fn quotient(line: Line<'_>) -> Option<Quotient<'_>> {
    let (raw, behind) = line.text.trim().split_once(" times ")?;
    let (word, name) = behind.split_once(" than ")?;
    let slower = match word {
        "faster" => false,
        "slower" => true,
        _ => return None,
    };
    let name = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')).unwrap_or(name);
    Some(Quotient { line, raw, slower, name })
}

fn write(all: &[Benchmark<'_>], quotients: &[Quotient<'_>], sink: &mut Sink<'_>) {
    let identity = |one: &Benchmark<'_>| Identity {
        command: Some(one.command.to_owned()).filter(|command| !command.is_empty()),
        ..Identity::default()
    };
    let identities: Vec<Identity> = all.iter().map(identity).collect();
    sink.close_run();
    let results = Results::new(&identities);
    let mut runs = Vec::new();
    for (index, benchmark) in all.iter().enumerate() {
        let content = results.conditions(index);
        let (line, offset) = (benchmark.first.number, benchmark.first.offset);
        let mut run = RunRow { line, offset, ..content };
        if let Some(failure) = benchmark.failure {
            run.quality = run.quality.with(Quality::FAILED);
            run.failure = Some(failure.to_owned());
        }
        let run = sink.run(run);
        write_benchmark(benchmark, run, sink);
        runs.push(run);
    }
    // The run of a name that comes once.
    let mut named: HashMap<&str, Option<u32>> = HashMap::new();
    for (one, run) in all.iter().zip(&runs) {
        named.entry(one.command).and_modify(|known| *known = None).or_insert(Some(*run));
    }
    for quotient in quotients {
        match named.get(quotient.name).copied().flatten() {
            Some(run) => write_quotient(quotient, run, sink),
            None => {
                let path = sink.data.path.clone();
                sink.problem(
                    Problem::new(
                        Severity::Note,
                        ProblemKind::Other,
                        path,
                        "a quotient names no single benchmark",
                    )
                    .at_line(quotient.line.number)
                    .found(quotient.line.text.trim()),
                );
            }
        }
    }
}

/// Above 1 is slower for `factor`; where a reference was slower than the command, the command is so many times as fast.
fn write_quotient(quotient: &Quotient<'_>, run: u32, sink: &mut Sink<'_>) {
    let at = (quotient.line.number, quotient.line.offset);
    let metric = if quotient.slower { "speedup" } else { "factor" };
    let figure = quotient.raw.split('\u{b1}').next().unwrap_or("").trim();
    let value = parse_number(figure, &DecimalMark::Point);
    let mut row = measured(run, at, Process::Client, metric, Unit::Times, value, quotient.raw);
    row.quality = Quality::AS_PRINTED;
    if value.is_none() {
        row.quality = row.quality.with(Quality::MALFORMED);
        sink.not_understood(at.0, 1, "unreadable quotient of hyperfine", quotient.raw, "a number");
    }
    sink.measure(row);
}

fn write_benchmark(benchmark: &Benchmark<'_>, run: u32, sink: &mut Sink<'_>) {
    let executions = benchmark.range.and_then(|line| {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let [.., count, "runs" | "run"] = words.as_slice() else { return None };
        count.parse::<u64>().ok()
    });
    let Some(time) = benchmark.time else {
        sink.mark(run, Quality::INCOMPLETE);
        sink.cut(benchmark.first.number, "a benchmark of hyperfine ends early", "a line of its times");
        return;
    };
    let once = time.text.contains("(abs");
    let executions = if once { Some(1) } else { executions };
    write_time(&time, (run, executions), sink);
    match benchmark.range {
        Some(range) => write_range(&range, (run, executions), sink),
        None if once => {}
        None => {
            sink.mark(run, Quality::INCOMPLETE);
            sink.cut(time.number, "a benchmark of hyperfine ends early", "a line of its range");
        }
    }
}

/// What stands behind the label of a line.
fn behind<'t>(line: &Line<'t>) -> &'t str {
    line.text.split_once("):").map_or("", |(_, behind)| behind)
}

/// `12.8 ms ±   2.5 ms    [User: 0.8 ms, System: 0.4 ms]`
fn write_time(line: &Line<'_>, of: (u32, Option<u64>), sink: &mut Sink<'_>) {
    let text = behind(line);
    let (wall, cpu) = text.split_once('[').unwrap_or((text, ""));
    let (mean, deviation) = wall.split_once('\u{b1}').unwrap_or((wall, ""));
    put(line, "real_mean", mean, of, sink);
    if !deviation.trim().is_empty() {
        put(line, "real_stddev", deviation, of, sink);
    }
    for (label, metric) in [("User: ", "user_mean"), ("System: ", "sys_mean")] {
        if let Some((_, rest)) = cpu.split_once(label) {
            put(line, metric, rest.split([',', ']']).next().unwrap_or(""), of, sink);
        }
    }
}

/// `11.3 ms …  15.7 ms    10 runs`
fn write_range(line: &Line<'_>, of: (u32, Option<u64>), sink: &mut Sink<'_>) {
    let text = behind(line);
    let (min, rest) = text.split_once('\u{2026}').unwrap_or((text, ""));
    let mut words = rest.split_whitespace();
    let max = [words.next(), words.next()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    put(line, "real_min", min, of, sink);
    put(line, "real_max", &max, of, sink);
}

/// Writes a time of a run of so many executions.
fn put(line: &Line<'_>, metric: &str, raw: &str, of: (u32, Option<u64>), sink: &mut Sink<'_>) {
    let raw = raw.trim();
    let value = parse_duration(raw);
    let at = (line.number, line.offset);
    let mut row = measured(of.0, at, Process::Client, metric, Unit::Secs, value, raw);
    row.executions = of.1;
    if value.is_none() {
        row.quality = row.quality.with(Quality::MALFORMED);
        sink.not_understood(line.number, 1, "unreadable time of hyperfine", raw, "a time such as 12.8 ms");
    }
    sink.measure(row);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::testing::{bytes, read, sample, values};
    use proptest::prelude::*;
    use triptych_model::Key;

    #[test]
    fn every_figure_of_genuine_outputs() {
        let data = sample("hyperfine-text/null-export-cold.txt");
        assert_eq!(data.formats, ["hyperfine-text"]);
        assert_eq!(
            values(&data, 1),
            [
                "real_mean=1.411s",
                "real_stddev=0.02s",
                "user_mean=0.007s",
                "sys_mean=0.004s",
                "real_min=1.39s",
                "real_max=1.434s",
                "factor=1.01x",
            ]
        );
        let variants: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant)).collect();
        assert_eq!(variants, [Some("trunk"), Some("branch6"), Some("branch7")]);
        assert!(
            data.measurements
                .iter()
                .filter(|row| row.metric != "factor")
                .all(|row| row.executions == Some(5))
        );
        assert_eq!((data.warnings(), data.not_understood, data.program_output), (0, 0, 0));
        let commands = sample("hyperfine-text/null-export-param.txt");
        assert_eq!(commands.runs[0].content.get(Key::Operation), Some("null-export"));
        assert_eq!(commands.runs[0].content.get(Key::Variant), Some("svnbench-trunk"));
    }

    #[test]
    fn units_colours_single_executions_and_failures() {
        let colours = sample("hyperfine-text/color.txt");
        assert_eq!(values(&colours, 0)[..2], ["real_mean=0.0362s", "real_stddev=0.0222s"]);
        assert_eq!(values(&colours, 0).last().map(String::as_str), Some("factor=3.15x"));
        let one = sample("hyperfine-text/one.txt");
        assert_eq!(values(&one, 0), ["real_mean=0.0528s", "user_mean=0.0097s", "sys_mean=0s"]);
        assert_eq!((one.measurements[0].executions, one.warnings()), (Some(1), 0));
        let failed = sample("hyperfine-text/with-failure.txt");
        assert_eq!(failed.runs[0].failure.as_deref(), Some("Warning: Ignoring non-zero exit code."));
        assert!(failed.runs[0].quality.has(Quality::FAILED));
        let names = sample("hyperfine-text/names.txt");
        let variants: Vec<_> = names.runs.iter().map(|run| run.content.get(Key::Variant)).collect();
        assert_eq!(variants, [Some("a #1"), Some("a #2"), Some("b|c \"x\", y")]);
        assert_eq!(names.problems.iter().filter(|problem| problem.severity == Severity::Note).count(), 2);
    }

    #[test]
    fn older_and_newer_words() {
        let old = read(
            "Benchmark #1: svn co A\n  Time (mean \u{b1} \u{3c3}):     308.5 \u{b5}s \u{b1}   3.1 \u{b5}s    [User: 301.9 \u{b5}s, System: 6.0 \u{b5}s]\n  Range (min \u{2026} max):   304.0 \u{b5}s \u{2026} 317.2 \u{b5}s\n \n",
        );
        assert_eq!(values(&old, 0)[..2], ["real_mean=0.0003085s", "real_stddev=0.0000031s"]);
        assert_eq!((old.measurements[0].executions, old.warnings()), (None, 0));
        let block = |n: u8, name: &str| {
            format!(
                "Benchmark {n}: {name}\n  Time (mean \u{b1} \u{3c3}):  1.5 s \u{b1} 0.5 s    [User: 1.0 s, System: 0.1 s]\n  Range (min \u{2026} max):   1.0 s \u{2026} 2.0 s    3 runs\n\n"
            )
        };
        let new = read(&format!(
            "{}{}Summary\n  a ran\n    2.00 \u{b1} 0.10 times slower than b\n",
            block(1, "a"),
            block(2, "b")
        ));
        assert_eq!(values(&new, 1).last().map(String::as_str), Some("speedup=2x"));
        let shown = read(&block(1, "a").replacen('\n', "\nCommitted revision 1.\n", 1));
        assert_eq!((shown.runs.len(), shown.program_output, shown.measurements.len()), (1, 1, 6));
    }

    #[test]
    fn output_of_any_length_stands_before_the_times() {
        const LINES: u64 = 5000;
        let times = "  Time (mean \u{b1} \u{3c3}):  1.5 s \u{b1} 0.5 s    [User: 1.0 s, System: 0.1 s]\n  Range (min \u{2026} max):   1.0 s \u{2026} 2.0 s    3 runs\n\n";
        let output = "A    trunk/file\n".repeat(LINES as usize);
        for (text, runs, found) in [
            (format!("Benchmark 1: a\n{output}{times}"), 1, 6),
            (format!("Benchmark 1: a\n{output}Benchmark 2: b\n{output}{times}"), 2, 6),
            (format!("Benchmark 1: a\n{output}  Time (s): 3\n"), 1, 0),
        ] {
            let data = read(&text);
            assert_eq!((data.runs.len(), data.measurements.len()), (runs, found), "{}", data.lines);
            assert!(data.program_output >= LINES);
        }
    }

    #[test]
    fn cut_benchmarks_are_said() {
        let data = read("Benchmark 1: svn co A\n");
        assert!(data.runs[0].quality.has(Quality::INCOMPLETE));
        assert_eq!(data.warnings(), 1);
        let data = read("Benchmark 1: svn co A\n  Time (mean \u{b1} \u{3c3}):  1.5 s \u{b1} 0.5");
        assert_eq!((values(&data, 0)[0].as_str(), data.not_understood), ("real_mean=1.5s", 1));
        assert_eq!(read("Benchmark  Time\nBenchmark x: y\n").runs, []);
    }

    proptest! {
        #[test]
        fn no_damage_makes_it_panic(cut in 0_usize..900, tail in 0_usize..200, junk in "[ -~±…\n]{0,12}") {
            let bytes = bytes("hyperfine-text/null-export-cold.txt");
            let text = String::from_utf8_lossy(&bytes);
            let head: String = text.chars().take(cut).collect();
            let rest: String = text.chars().skip(cut + tail).collect();
            let data = read(&format!("{head}{junk}{rest}"));
            prop_assert!(data.measurements.iter().all(|row| row.value.is_none_or(f64::is_finite)));
        }
    }
}
