//! `perf stat`: its text in any locale, its CSV with any separator (`-x`), and its JSON lines (`-j`).
//!
//! Each is read into one shape of counts, which then become the values of a run: the event is the
//! metric. With `-I` the counts are a series, and the run has their sums.

mod csv;
mod json_lines;
mod text;

use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_scaled};
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use crate::zone;
use triptych_model::{
    Cancelled, Clock, FormatSpec, Key, Measurement, Process, Quality, ReadOptions, Sample, Series, Unit,
};

/// The row of [`crate::FORMATS`].
pub static PERF_STAT: PerfStat = PerfStat;

static SPEC: FormatSpec = FormatSpec {
    id: "perf-stat",
    title: "perf stat",
    help: "events and times that perf stat counted, as text, CSV (-x) or JSON (-j)",
    extensions: &["txt", "csv", "json"],
    samples: "perf-stat",
};

/// The reader.
pub struct PerfStat;

const TOOL: &str = "perf";

/// One count of an event.
#[derive(Debug, Default)]
struct Count {
    line: u32,
    offset: u64,
    /// Seconds since the start, with `-I`.
    time: Option<f64>,
    /// The core, socket, node, thread or cgroup it was counted on, where there are several.
    place: Option<String>,
    /// Whether perf did count; the reader has made sure that `raw` is a number then.
    counted: bool,
    raw: String,
    mark: DecimalMark,
    unit: String,
    event: String,
    /// Standard error of the mean in per cent, with `-r`.
    spread: Option<(f64, String)>,
    /// Load in per cent, from the cores in use on average that perf computes behind `#`.
    cores: Option<(f64, String)>,
}

/// One of the times below the counts.
#[derive(Debug)]
struct Total {
    line: u32,
    offset: u64,
    /// `real`, `user` or `sys`.
    metric: &'static str,
    value: Option<f64>,
    raw: String,
    /// Standard error of the mean in seconds, with `-r`.
    spread: Option<(f64, String)>,
}

/// What was counted.
#[derive(Debug, Default)]
enum Subject {
    /// Nothing says so.
    #[default]
    Unknown,
    /// A command that perf started.
    Command(String),
    /// A process or thread that ran already.
    Attached(String),
    /// The machine or some of its cores.
    Machine,
}

/// A block of any of the three forms.
#[derive(Debug, Default)]
struct Block {
    subject: Subject,
    /// Number of executions, with `-r`.
    executions: Option<u64>,
    counts: Vec<Count>,
    totals: Vec<Total>,
    /// The elapsed time of each execution, with `--table`: line, offset, text, value.
    each: Vec<(u32, u64, String, Option<f64>)>,
    /// Whether the line that ends it is missing.
    cut: bool,
    /// Lines that are not understood: line, column, text, what was expected.
    wrong: Vec<(u32, u32, String, &'static str)>,
    /// Index behind its last line.
    end: usize,
}

impl LineFormat for PerfStat {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'0'..=b'9' => Signs::CELLS,
            b'P' | b'#' | b'{' | b'<' | b'C' | b'S' | b'D' | b'N' => Signs::ALWAYS,
            // A thread.
            _ => const { Signs::any_of(&["-0"]) },
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let head = first.text.trim_ascii_start();
        if !head.starts_with(['P', '#', '{', '<', 'C', 'S', 'D', 'N'])
            && !head.starts_with(|c: char| c.is_ascii_digit())
            && !csv::begins_with_thread(head)
        {
            return Ok(None);
        }
        let started = head.strip_prefix("# started on ");
        let begin = match started {
            Some(_) => (at + 1..at + 4).find(|at| lines.get(*at).is_some_and(|line| !line.is_blank())),
            None => Some(at),
        };
        let Some(begin) = begin else { return Ok(None) };
        let Some(block) = read(lines, begin, started.is_some(), sink)? else { return Ok(None) };
        let end = block.end;
        write(&block, &first, started, sink);
        Ok(Some(end))
    }
}

/// Reads the block that begins at a line, in the form that this line has; a line above may have
/// `announced` it.
fn read(lines: &Lines<'_>, at: usize, announced: bool, sink: &Sink<'_>) -> Result<Option<Block>, Cancelled> {
    let Some(first) = lines.get(at) else { return Ok(None) };
    let head = first.text.trim_ascii();
    if let Some(title) = head.strip_prefix("Performance counter stats for ") {
        return text::read(lines, at, Some(title), sink).map(Some);
    }
    if head.starts_with('#') {
        let intervals = head.contains("time ") && head.contains("counts unit events");
        return if intervals { text::read(lines, at, None, sink).map(Some) } else { Ok(None) };
    }
    if head.starts_with('{') {
        return json_lines::read(lines, at, sink);
    }
    csv::read(lines, at, announced, sink)
}

/// A unit's base unit, the factor to it, and the power of ten to divide by; a unit of another kind stays
/// in the metric's name.
fn base(unit: &str) -> Option<(Unit, u128, u32)> {
    Some(match unit {
        "" => (Unit::Count, 1, 0),
        "sec" | "s" | "seconds" => (Unit::Secs, 1, 0),
        "msec" | "ms" => (Unit::Secs, 1, 3),
        "usec" | "us" => (Unit::Secs, 1, 6),
        "nsec" | "ns" => (Unit::Secs, 1, 9),
        "%" => (Unit::Percent, 1, 0),
        "Bytes" | "B" => (Unit::Bytes, 1, 0),
        "KiB" => (Unit::Bytes, 1 << 10, 0),
        "MiB" => (Unit::Bytes, 1 << 20, 0),
        "GiB" => (Unit::Bytes, 1 << 30, 0),
        _ => return None,
    })
}

impl Count {
    fn at(line: &Line<'_>) -> Self {
        Self { line: line.number, offset: line.offset, ..Self::default() }
    }

    /// Says in which cgroup it was counted (`-G`), beside the core or thread if there is one.
    fn in_group(&mut self, name: &str) {
        let place = self.place.take().map_or(String::new(), |place| place + " ");
        self.place = Some(format!("{place}cgroup {name}"));
    }

    /// Metric, base unit and value in it.
    fn measured(&self) -> (String, Unit, Option<f64>) {
        match base(&self.unit) {
            Some((unit, factor, shift)) => {
                let value = parse_scaled(&self.raw, self.mark, factor, shift);
                (self.event.clone(), unit, value.filter(|_| self.counted))
            }
            None => {
                let value = parse_scaled(&self.raw, self.mark, 1, 0);
                (format!("{} ({})", self.event, self.unit), Unit::Count, value.filter(|_| self.counted))
            }
        }
    }

    fn process(&self, subject: &Subject) -> Process {
        match (&self.place, subject) {
            (Some(place), _) => Process::Other(place.clone()),
            (None, Subject::Attached(what)) => Process::Other(what.clone()),
            (None, Subject::Machine) => Process::System,
            (None, Subject::Unknown | Subject::Command(_)) => Process::Client,
        }
    }
}

fn write(block: &Block, first: &Line<'_>, started: Option<&str>, sink: &mut Sink<'_>) {
    let real = block.totals.iter().find(|total| total.metric == "real").and_then(|total| total.value);
    let real = real.filter(|_| block.executions.is_none());
    let run = sink.timed_run((first.number, first.offset), TOOL, real);
    if let Subject::Command(command) = &block.subject {
        sink.describe(run, command);
    }
    if let Subject::Attached(what) = &block.subject
        && let Some(row) = sink.data.runs.get_mut(run as usize)
    {
        row.settings.insert("counted".to_owned(), what.clone().into());
    }
    write_start(run, started, sink);
    write_counts(block, run, sink);
    write_totals(block, run, sink);
    write_each(block, run, sink);
    for (line, column, found, expected) in &block.wrong {
        sink.not_understood(*line, *column, "a line of perf stat is not understood", found, expected);
    }
    if block.cut {
        sink.mark(run, Quality::INCOMPLETE);
        let last = block.counts.last().map_or(first.number, |count| count.line);
        sink.cut(last, "the counts of perf stat end early", "the line of seconds time elapsed");
    }
    sink.close_timed(run, TOOL, real);
}

/// `# started on Mon Nov 30 08:05:17 2026`, in the zone of the machine.
fn write_start(run: u32, started: Option<&str>, sink: &mut Sink<'_>) {
    let zone = sink.options.zone_offset_secs;
    let Some(micros) = started.and_then(zone::ctime).and_then(|civil| zone::utc_of_civil(civil, zone)) else {
        return;
    };
    if let Some(row) = sink.data.runs.get_mut(run as usize) {
        row.started = Some(micros);
    }
    if zone.is_none() {
        sink.mark(run, Quality::ZONE_ASSUMED);
    }
}

fn write_counts(block: &Block, run: u32, sink: &mut Sink<'_>) {
    let (series, single): (Vec<&Count>, Vec<&Count>) =
        block.counts.iter().partition(|count| count.time.is_some());
    for count in single {
        let process = count.process(&block.subject);
        let (metric, unit, value) = count.measured();
        let at = (count.line, count.offset);
        let row = |metric: &str, unit, value, raw: &str| Measurement {
            executions: block.executions,
            ..measured(run, at, process.clone(), metric, unit, value, raw)
        };
        let mut main = row(&metric, unit, value, &count.raw);
        if value.is_none() {
            main.quality = main.quality.with(Quality::INCOMPLETE);
        }
        sink.measure_of(TOOL, main);
        if let Some((spread, raw)) = &count.spread {
            sink.measure_of(TOOL, row(&format!("{metric}_stderr"), Unit::Percent, Some(*spread), raw));
        }
        if let Some((cores, raw)) = &count.cores {
            sink.measure_of(TOOL, row("cpu", Unit::Percent, Some(*cores), raw));
        }
    }
    write_series(block, &series, run, sink);
}

/// The counts of `-I`: a series per event and place, and its sum.
fn write_series(block: &Block, counts: &[&Count], run: u32, sink: &mut Sink<'_>) {
    let mut known: Vec<(String, Option<&str>, u32, f64, &Count)> = Vec::new();
    for count in counts {
        let (metric, unit, Some(value)) = count.measured() else { continue };
        let place = count.place.as_deref();
        let found = known.iter().position(|(name, at, ..)| *name == metric && *at == place);
        let index = found.unwrap_or_else(|| {
            let series = u32::try_from(sink.data.series.len()).unwrap_or(u32::MAX);
            sink.data.series.push(Series {
                run: Some(run),
                process: count.process(&block.subject),
                pid: None,
                command: None,
                metric: metric.clone(),
                unit,
                clock: Clock::Elapsed,
                quality: Quality::MEASURED,
            });
            known.push((metric, place, series, 0.0, count));
            known.len() - 1
        });
        let Some((_, _, series, sum, last)) = known.get_mut(index) else { continue };
        *sum += value;
        *last = count;
        // Intervals of a run are far below what an i64 of microseconds holds.
        let time = (count.time.unwrap_or(0.0) * 1e6).round() as i64;
        sink.data.samples_start.get_or_insert(0);
        sink.data.samples.push(Sample { series: *series, line: count.line, time, value });
    }
    for (metric, _, _, sum, last) in known {
        let (_, unit, _) = last.measured();
        let at = (last.line, last.offset);
        let process = last.process(&block.subject);
        let mut row = measured(run, at, process, &metric, unit, Some(sum), "sum of all intervals");
        row.quality = Quality::COMPUTED;
        sink.measure_of(TOOL, row);
    }
}

/// `seconds time elapsed`, `user` and `sys`; means where perf repeated the command.
fn write_totals(block: &Block, run: u32, sink: &mut Sink<'_>) {
    let process = Count::default().process(&block.subject);
    let repeated = block.executions.is_some_and(|count| count > 1)
        || block.totals.iter().any(|total| total.spread.is_some());
    for total in &block.totals {
        let at = (total.line, total.offset);
        let row = |metric: &str, value, raw: &str| Measurement {
            executions: block.executions,
            ..measured(run, at, process.clone(), metric, Unit::Secs, value, raw)
        };
        let metric = if repeated { format!("{}_mean", total.metric) } else { total.metric.to_owned() };
        let mut main = row(&metric, total.value, &total.raw);
        if total.value.is_none() {
            main.quality = main.quality.with(Quality::MALFORMED);
        }
        sink.measure_of(TOOL, main);
        if let Some((spread, raw)) = &total.spread {
            sink.measure_of(TOOL, row(&format!("{}_stderr", total.metric), Some(*spread), raw));
        }
    }
}

/// One run for each execution that `--table` lists; the first has the means as well.
fn write_each(block: &Block, run: u32, sink: &mut Sink<'_>) {
    let Some(content) = sink.data.runs.get(run as usize).cloned() else { return };
    for (index, (line, offset, raw, value)) in block.each.iter().enumerate() {
        let of = if index == 0 {
            run
        } else {
            let mut row = content.clone();
            (row.line, row.offset) = (*line, *offset);
            sink.run(row)
        };
        if let Some(row) = sink.data.runs.get_mut(of as usize) {
            row.content.set(Key::Repetition, (index + 1).to_string());
        }
        sink.measure(measured(of, (*line, *offset), Process::Client, "real", Unit::Secs, *value, raw));
    }
}

#[cfg(test)]
mod tests;
