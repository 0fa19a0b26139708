//! `cpu.stat` of a cgroup: CPU seconds of a service or container, alone or again and again.
//!
//! Version 2 counts in microseconds, version 1 in nanoseconds; where a file has the lines of both, a fact
//! is taken once. Times may stand on lines of their own between the copies; one copy is one moment.

use crate::format::LineFormat;
use crate::formats::counters::snapshots::{Counter, CounterSpec, Row, Snapshots};
use crate::formats::counters::stamp::Stamps;
use crate::formats::counters::{bad_row, read_while, role_of_path, stamp_above, stands_above, tell_zone};
use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::record::Who;
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, Process, Quality, ReadOptions};

/// The reader of `cpu.stat`.
pub struct Cgroup;

const SPEC: FormatSpec = FormatSpec {
    id: "cgroup",
    title: "cgroup cpu.stat",
    help: "CPU time of a cgroup, version 1 or 2, once or between lines of date",
    extensions: &["txt", "log", "stat"],
    samples: "cgroup",
};

/// Units in a second.
const MICROS: f64 = 1e6;
const NANOS: f64 = 1e9;
const TICKS: f64 = 100.0;

/// Printed key, what it counts, and how many of its units are a second or an event.
const KEYS: &[(&str, CounterSpec, f64)] = &[
    ("usage_usec", CounterSpec::secs("cpu", "cpu_time"), MICROS),
    ("user_usec", CounterSpec::secs("cpu_user", "user"), MICROS),
    ("system_usec", CounterSpec::secs("cpu_sys", "sys"), MICROS),
    ("nice_usec", CounterSpec::secs("cpu_nice", "nice"), MICROS),
    ("core_sched.force_idle_usec", CounterSpec::secs("cpu_force_idle", "force_idle"), MICROS),
    ("nr_periods", CounterSpec::events("periods_rate", "periods"), 1.0),
    ("nr_throttled", CounterSpec::events("throttled_rate", "throttled"), 1.0),
    ("throttled_usec", CounterSpec::secs("cpu_throttled", "throttled_time"), MICROS),
    ("throttled_time", CounterSpec::secs("cpu_throttled", "throttled_time"), NANOS),
    ("nr_bursts", CounterSpec::events("bursts_rate", "bursts"), 1.0),
    ("burst_usec", CounterSpec::secs("cpu_burst", "burst_time"), MICROS),
    ("burst_time", CounterSpec::secs("cpu_burst", "burst_time"), NANOS),
    ("wait_sum", CounterSpec::secs("cpu_wait", "wait_time"), NANOS),
    ("current_bw", CounterSpec::events("bandwidth_rate", "bandwidth"), 1.0),
    // cpuacct.stat of version 1
    ("user", CounterSpec::secs("cpu_user", "user"), TICKS),
    ("system", CounterSpec::secs("cpu_sys", "sys"), TICKS),
];

/// Keys that no other file has, with which a block may begin.
const HEADS: &[&str] =
    &["usage_usec", "user_usec", "system_usec", "nr_periods", "nr_throttled", "throttled_usec"];

impl LineFormat for Cgroup {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        const TIME: Signs = Signs::any_of(&["0:"]);
        match first {
            b'u' | b's' | b'n' => const { TIME.or(Signs::any_of(&["_"])) },
            b'0'..=b'9' => const { TIME.or(Signs::LONG) },
            b'.' => Signs::ALWAYS,
            _ => TIME,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let is_stamp = !is_head(first.text);
        if is_stamp && !stands_above(lines, at, is_head) {
            return Ok(None);
        }
        let mut block = Block::new(sink);
        if is_stamp && block.stamp(lines, at).is_none() {
            return Ok(None);
        }
        let end = read_while(lines, at, sink, |index, line, sink| block.line(lines, index, line, sink))?;
        block.finish(first.number, sink);
        Ok(Some(end))
    }
}

/// Whether a line is a key that only `cpu.stat` has, and a number.
fn is_head(text: &str) -> bool {
    pair(text).is_some_and(|(key, value)| HEADS.contains(&key) && is_count(value))
}

fn pair(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.trim().split_once(' ')?;
    Some((key, value.trim_start()))
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The copies of one source.
struct Block<'l> {
    snapshots: Snapshots<'l>,
    stamps: Stamps,
    now: Option<Moment>,
    /// The copy that is open.
    open: Vec<(&'l str, Counter<'l>)>,
    line: Option<Line<'l>>,
    process: Process,
    zone_told: bool,
}

impl<'l> Block<'l> {
    fn new(sink: &Sink<'_>) -> Self {
        Self {
            snapshots: Snapshots::default(),
            stamps: Stamps::new(sink.options),
            now: None,
            open: Vec::new(),
            line: None,
            process: role_of_path(&sink.data.path).unwrap_or_else(|| Process::Other("cgroup".to_owned())),
            zone_told: sink.data.series.iter().any(|series| series.quality.has(Quality::ZONE_ASSUMED)),
        }
    }

    fn stamp(&mut self, lines: &Lines<'_>, at: usize) -> Option<Moment> {
        stamp_above(lines, at, &mut self.stamps, is_head)
    }

    /// Takes a line; `false` where the block ends before it.
    fn line(&mut self, lines: &'l Lines<'_>, index: usize, line: &Line<'l>, sink: &mut Sink<'_>) -> bool {
        if let Some((key, value)) = pair(line.text).filter(|(_, value)| is_count(value))
            && let Some((key, spec, unit)) = KEYS.iter().find(|(name, ..)| *name == key)
        {
            if self.open.iter().any(|(known, _)| known == key) {
                self.close(sink);
                self.now = None;
            }
            self.line.get_or_insert(*line);
            let number = value.parse::<f64>().ok().filter(|_| !line.is_open);
            let Some(number) = number else {
                bad_row(line, "a whole number and the end of the line", sink);
                return true;
            };
            self.open.push((key, Counter { spec: *spec, value: number / unit, raw: value }));
            return true;
        }
        if let Some(stamp) = self.stamp(lines, index) {
            self.close(sink);
            self.now = Some(stamp);
            return true;
        }
        let follows = lines.starting_at(index + 1).find(|(_, line)| !line.is_blank());
        let known = pair(line.text).map_or(line.text.trim(), |(key, _)| key);
        let is_key = KEYS.iter().any(|(key, ..)| *key == known);
        let is_cut = follows.is_none() && KEYS.iter().any(|(key, ..)| key.starts_with(line.text.trim()));
        if is_key
            || is_cut
            || follows.is_some_and(|(_, line)| is_head(line.text)) && pair(line.text).is_some()
        {
            bad_row(line, "a key of cpu.stat and a whole number", sink);
            return true;
        }
        false
    }

    /// Closes a copy: of a fact that stands there in both versions the first counts.
    fn close(&mut self, sink: &mut Sink<'_>) {
        let mut counters: Vec<Counter<'l>> = Vec::new();
        for (_, counter) in self.open.drain(..) {
            if !counters.iter().any(|known| known.spec.load == counter.spec.load) {
                counters.push(counter);
            }
        }
        if let Some(line) = self.line.take() {
            let who = Who::part(self.process.clone());
            self.snapshots.push(Row { who, line, age: None, born: None, counters, gauges: Vec::new() });
            self.snapshots.close(self.now, sink);
        }
    }

    fn finish(mut self, line: u32, sink: &mut Sink<'_>) {
        self.close(sink);
        tell_zone(line, &self.stamps, self.zone_told, sink);
        self.snapshots.finish(
            "cpu.stat",
            "print the time before each copy: date +%s.%N; cat …/cpu.stat",
            sink,
        );
    }
}

#[cfg(test)]
mod tests;
