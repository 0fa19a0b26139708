//! Samples of `/proc/PID/stat` and `/proc/PID/schedstat`, as a loop of `cat` collects them.
//!
//! Each line may begin with its time (`epoch_us <raw stat>`), or times stand on lines of their own; lines
//! without any time are one moment. Fields are counted behind the last `)`: a command's name may hold
//! blanks and parentheses. Ticks are a hundredth of a second and pages 4 KiB, as nearly everywhere.

use crate::format::LineFormat;
use crate::formats::counters::snapshots::{Counter, CounterSpec, Gauge, Row, Snapshots};
use crate::formats::counters::stamp::{Stamps, epoch};
use crate::formats::counters::{bad_row, read_while, role_of_path, stamp_above, stands_above, tell_zone};
use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::record::Who;
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, Clock, FormatSpec, Process, Quality, ReadOptions, Unit};

/// The reader of samples of `/proc`.
pub struct ProcStat;

const SPEC: FormatSpec = FormatSpec {
    id: "proc-stat",
    title: "/proc/PID/stat",
    help: "lines of /proc/PID/stat or schedstat, with or without their time in front",
    extensions: &["txt", "log"],
    samples: "proc-stat",
};

/// Units in a second.
const TICKS: f64 = 100.0;
const PAGE_BYTES: f64 = 4096.0;
const NANOS: f64 = 1e9;

/// A longer pause than this, in microseconds, begins another sweep over the processes.
const PAUSE_MICROS: i64 = 500_000;

/// Fields of `stat` that count, by their number in proc(5), and how many of its units are a second or an event.
const COUNTERS: &[(usize, CounterSpec, f64)] = &[
    (14, CounterSpec::secs("cpu_user", "user"), TICKS),
    (15, CounterSpec::secs("cpu_sys", "sys"), TICKS),
    (16, CounterSpec::secs("children_cpu_user", "children_user"), TICKS),
    (17, CounterSpec::secs("children_cpu_sys", "children_sys"), TICKS),
    (10, CounterSpec::events("minflt_rate", "minflt"), 1.0),
    (12, CounterSpec::events("majflt_rate", "majflt"), 1.0),
];

/// Fields of `stat` that hold for the moment.
const GAUGES: &[(usize, &str, Unit, f64)] =
    &[(20, "threads", Unit::Count, 1.0), (23, "vsz", Unit::Bytes, 1.0), (24, "rss", Unit::Bytes, PAGE_BYTES)];

/// The three figures of `schedstat`.
const SCHED: &[(CounterSpec, f64)] = &[
    (CounterSpec::secs("cpu", "cpu_time"), NANOS),
    (CounterSpec::secs("cpu_wait", "wait_time"), NANOS),
    (CounterSpec::events("timeslices_rate", "timeslices"), 1.0),
];

/// A process' start, in ticks since the machine's.
const START_FIELD: usize = 22;

/// The field behind the last that is read: where it stands, none before it is cut.
const LAST_FIELD: usize = 25;

/// What is expected of a line.
const EXPECTED: &str =
    "a time in microseconds if any, then pid, (name), state and the fields of /proc/PID/stat";

impl LineFormat for ProcStat {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        const TIME: Signs = Signs::any_of(&["0:"]);
        match first {
            b'0'..=b'9' => const { TIME.or(Signs::any_of(&[" ("])).or(Signs::LONG).or(Signs::COLUMNS) },
            b'.' => Signs::ALWAYS,
            _ => TIME,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let forced = sink.options.format.as_deref() == Some(SPEC.id);
        let bare = sched(first.text, true).is_some() && (forced || is_schedstat(lines));
        let is_stamp = record(first.text, bare).is_none();
        if is_stamp && !stands_above(lines, at, |text| record(text, bare).is_some()) {
            return Ok(None);
        }
        let mut block = Block::new(bare, sink);
        if is_stamp && block.stamp(lines, at).is_none() {
            return Ok(None);
        }
        let end = read_while(lines, at, sink, |index, line, sink| block.line(lines, index, line, sink))?;
        block.finish(first.number, sink);
        Ok(Some(end))
    }
}

/// A line of one of the two files.
enum Record<'l> {
    Stat(Stat<'l>),
    Sched(Option<i64>, [&'l str; 3]),
}

/// Reads a line of either file.
fn record(text: &str, bare: bool) -> Option<Record<'_>> {
    match Stat::parse(text) {
        Some(stat) => Some(Record::Stat(stat)),
        None => sched(text, bare).map(|(time, figures)| Record::Sched(time, figures)),
    }
}

/// A line of `stat` in its parts.
#[derive(Debug, PartialEq)]
struct Stat<'l> {
    time: Option<i64>,
    pid: u32,
    name: &'l str,
    /// From the state on, which is field 3.
    fields: Vec<&'l str>,
}

impl<'l> Stat<'l> {
    /// Reads `[time] pid (name) state …`; a line that is cut has fewer fields.
    fn parse(text: &'l str) -> Option<Self> {
        let text = text.trim();
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let (head, rest) = text.split_once(" (")?;
        // A time without a line behind it is of a process that ended before it could be read.
        let mut words = head.split_whitespace().rev();
        let pid = words.next()?;
        let mut times = words.map(epoch);
        let time = times.next();
        if time == Some(None) || times.any(|time| time.is_none()) {
            return None;
        }
        let time = time.flatten();
        let (name, fields) = rest.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let state = fields.first()?;
        let is_state = state.len() == 1 && state.bytes().all(|byte| byte.is_ascii_alphabetic());
        let are_numbers = fields.iter().skip(1).all(|field| is_integer(field));
        (is_state && are_numbers && fields.len() > 1).then_some(Self {
            time,
            pid: pid.trim().parse().ok()?,
            name,
            fields,
        })
    }

    /// A field by its number in proc(5).
    fn field(&self, number: usize) -> Option<&'l str> {
        self.fields.get(number.checked_sub(3)?).copied()
    }
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads `[time] run wait slices`; three bare numbers only where all lines of the source are such.
fn sched(text: &str, bare: bool) -> Option<(Option<i64>, [&str; 3])> {
    if !text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut words = text.split_whitespace();
    let (first, second, third) = (words.next()?, words.next()?, words.next()?);
    let (fourth, more) = (words.next(), words.next());
    let is_whole = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if more.is_some() || ![Some(first), Some(second), Some(third), fourth].into_iter().flatten().all(is_whole)
    {
        return None;
    }
    match fourth {
        None if bare => Some((None, [first, second, third])),
        Some(fourth) if first.len() >= 13 => Some((Some(epoch(first)?), [second, third, fourth])),
        _ => None,
    }
}

/// Whether a source is nothing but three numbers a line that can be nanoseconds run, nanoseconds waited
/// and slices of time: a slice lasts from a microsecond to ten seconds.
fn is_schedstat(lines: &Lines<'_>) -> bool {
    let fits = |text: &str| {
        let Some((_, figures)) = sched(text, true) else { return false };
        let [run, _, slices] = figures.map(|figure| figure.parse::<f64>().unwrap_or(0.0));
        run >= 1e5 && slices >= 1.0 && (1e3..1e10).contains(&(run / slices))
    };
    lines.len() <= MOST_BARE && lines.starting_at(0).all(|(_, line)| line.is_blank() || fits(line.text))
}

/// More lines of bare numbers than these are not looked at.
const MOST_BARE: usize = 1000;

/// The lines of one source, sweep by sweep.
struct Block<'l> {
    snapshots: Snapshots<'l>,
    stamps: Stamps,
    /// The time of the open sweep.
    now: Option<Moment>,
    /// Whose the lines of `schedstat` are.
    process: Process,
    /// Whether three bare numbers are a line of `schedstat`.
    bare: bool,
    zone_told: bool,
}

impl<'l> Block<'l> {
    fn new(bare: bool, sink: &Sink<'_>) -> Self {
        let path = &sink.data.path;
        Self {
            snapshots: Snapshots::default(),
            stamps: Stamps::new(sink.options),
            now: None,
            process: role_of_path(path).unwrap_or_else(|| Process::Other("recorded".to_owned())),
            bare,
            zone_told: sink.data.series.iter().any(|series| series.quality.has(Quality::ZONE_ASSUMED)),
        }
    }

    /// The time on a line of its own, where one of our lines follows.
    fn stamp(&mut self, lines: &Lines<'_>, at: usize) -> Option<Moment> {
        let bare = self.bare;
        stamp_above(lines, at, &mut self.stamps, |text| record(text, bare).is_some())
    }

    /// Takes a line; `false` where the block ends before it.
    fn line(&mut self, lines: &'l Lines<'_>, index: usize, line: &Line<'l>, sink: &mut Sink<'_>) -> bool {
        if let Some(record) = record(line.text, self.bare) {
            match record {
                Record::Stat(stat) => self.stat(&stat, *line, sink),
                Record::Sched(time, figures) => self.sched(time, figures, *line, sink),
            }
            return true;
        }
        if let Some(stamp) = self.stamp(lines, index) {
            self.snapshots.close(self.now, sink);
            self.now = Some(stamp);
            return true;
        }
        let follows = lines.starting_at(index + 1).find(|(_, line)| !line.is_blank());
        let goes_on = follows.is_some_and(|(_, line)| record(line.text, self.bare).is_some());
        let looks = line.text.contains(" (") && line.text.starts_with(|c: char| c.is_ascii_digit());
        if goes_on || (looks && follows.is_none()) {
            bad_row(line, EXPECTED, sink);
            return true;
        }
        false
    }

    /// Begins another sweep where this line cannot be of the open one.
    fn sweep(&mut self, time: Option<i64>, pid: Option<u32>, sink: &mut Sink<'_>) {
        let paused = time.zip(self.now).is_some_and(|(time, now)| time - now.micros > PAUSE_MICROS);
        if self.snapshots.shows(pid) || paused {
            self.snapshots.close(self.now.take(), sink);
        }
        if let Some(micros) = time.filter(|_| self.now.is_none()) {
            self.now = Some(Moment { micros, clock: Clock::Utc, zone_assumed: false });
        }
    }

    fn stat(&mut self, stat: &Stat<'l>, line: Line<'l>, sink: &mut Sink<'_>) {
        if stat.field(LAST_FIELD).is_none() {
            bad_row(&line, EXPECTED, sink);
            return;
        }
        self.sweep(stat.time, Some(stat.pid), sink);
        let counter = |(field, spec, unit): &(usize, CounterSpec, f64)| {
            let raw = stat.field(*field)?;
            Some(Counter { spec: *spec, value: raw.parse::<f64>().ok()? / unit, raw })
        };
        let gauge = |(field, metric, unit, factor): &(usize, &str, Unit, f64)| {
            let raw = stat.field(*field)?;
            let value = raw.parse::<f64>().ok().filter(|value| *value >= 0.0)? * factor;
            Some(Gauge { metric: (*metric).to_owned(), unit: *unit, value, raw })
        };
        self.snapshots.push(Row {
            who: Who::command(stat.pid, stat.name),
            line,
            age: None,
            born: stat.field(START_FIELD).and_then(|ticks| ticks.parse().ok()),
            counters: COUNTERS.iter().filter_map(counter).collect(),
            gauges: GAUGES.iter().filter_map(gauge).collect(),
        });
    }

    fn sched(&mut self, time: Option<i64>, figures: [&'l str; 3], line: Line<'l>, sink: &mut Sink<'_>) {
        self.sweep(time, None, sink);
        let counter = |((spec, unit), raw): (&(CounterSpec, f64), &'l str)| {
            Some(Counter { spec: *spec, value: raw.parse::<f64>().ok()? / unit, raw })
        };
        self.snapshots.push(Row {
            who: Who::part(self.process.clone()),
            line,
            age: None,
            born: None,
            counters: SCHED.iter().zip(figures).filter_map(counter).collect(),
            gauges: Vec::new(),
        });
    }

    fn finish(mut self, line: u32, sink: &mut Sink<'_>) {
        self.snapshots.close(self.now, sink);
        tell_zone(line, &self.stamps, self.zone_told, sink);
        self.snapshots.finish(
            "/proc",
            "put the time in front: $(date +%s%6N) and the line of /proc/PID/stat",
            sink,
        );
    }
}

#[cfg(test)]
mod tests;
