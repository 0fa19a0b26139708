//! Snapshots of processes, one frame after the other, and what they come to.
//!
//! A frame shows gauges (memory), which are samples of its time, and counters (CPU seconds since the
//! process began), whose growth between two frames is a load: a mean over the process' life says nothing
//! of an interval. One frame alone has no interval: its figures are measurements of one moment.

use super::{run_of_snapshot, tell};
use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::record::{Figure, Recorder, Who, note_start};
use crate::sink::Sink;
use crate::text::Line;
use std::collections::HashMap;
use triptych_model::{Clock, Measurement, ProblemKind, Process, Quality, Severity, Unit};

/// A counter that only grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CounterSpec {
    /// The metric of its growth.
    pub load: &'static str,
    /// The unit of that.
    pub load_unit: Unit,
    /// From growth a second to that unit.
    pub factor: f64,
    /// The metric of its value in a frame alone.
    pub total: &'static str,
    /// The unit of the value.
    pub unit: Unit,
}

impl CounterSpec {
    /// A counter of CPU seconds, whose growth is a load: 100 % is one core.
    pub const fn secs(load: &'static str, total: &'static str) -> Self {
        Self { load, load_unit: Unit::Percent, factor: 100.0, total, unit: Unit::Secs }
    }

    /// A counter of events.
    pub const fn events(load: &'static str, total: &'static str) -> Self {
        Self { load, load_unit: Unit::PerSec, factor: 1.0, total, unit: Unit::Count }
    }
}

/// The value of a counter, in base units, with its text.
#[derive(Clone, Copy, Debug)]
pub struct Counter<'l> {
    /// Of what.
    pub spec: CounterSpec,
    /// Since the process began.
    pub value: f64,
    /// As printed.
    pub raw: &'l str,
}

/// A figure of the moment.
#[derive(Clone, Debug)]
pub struct Gauge<'l> {
    /// The metric.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// In that unit.
    pub value: f64,
    /// As printed.
    pub raw: &'l str,
}

/// What a frame says of one process, thread or group.
#[derive(Clone, Debug)]
pub struct Row<'l> {
    /// Who it is.
    pub who: Who,
    /// Where it stands.
    pub line: Line<'l>,
    /// Seconds since it began, where the frame says so.
    pub age: Option<f64>,
    /// When it began, by any clock that all rows share.
    pub born: Option<u64>,
    /// Its counters.
    pub counters: Vec<Counter<'l>>,
    /// Its figures of the moment.
    pub gauges: Vec<Gauge<'l>>,
}

/// A process as the frame before showed it.
struct Last {
    age: Option<f64>,
    born: Option<u64>,
    counters: Vec<(&'static str, f64)>,
    micros: i64,
}

/// The frames of one block.
#[derive(Default)]
pub struct Snapshots<'l> {
    rows: Vec<Row<'l>>,
    /// The first frame, while it is the only one.
    first: Vec<Row<'l>>,
    first_stamp: Option<Moment>,
    frames: u64,
    untimed: u64,
    recorder: Option<Recorder>,
    /// When the frame before was taken.
    before: Option<Moment>,
    last: HashMap<Option<u32>, Last>,
    /// The latest beginning seen in earlier frames.
    youngest: Option<u64>,
}

impl<'l> Snapshots<'l> {
    /// Adds a row to the frame that is open.
    pub fn push(&mut self, row: Row<'l>) {
        self.rows.push(row);
    }

    /// Whether the open frame shows that process already, so that another one begins.
    pub fn shows(&self, pid: Option<u32>) -> bool {
        self.rows.iter().any(|row| row.who.pid == pid)
    }

    /// Closes the open frame, which was taken at that time; a frame without rows counts too.
    pub fn close(&mut self, stamp: Option<Moment>, sink: &mut Sink<'_>) {
        let rows = std::mem::take(&mut self.rows);
        if rows.is_empty() && (stamp.is_none() || self.frames == 0) {
            return;
        }
        self.frames += 1;
        if self.frames == 1 {
            self.first = rows;
            self.first_stamp = stamp;
            return;
        }
        if self.frames == 2 {
            let first = std::mem::take(&mut self.first);
            self.place(&first, self.first_stamp, sink);
        }
        self.place(&rows, stamp, sink);
    }

    /// Puts a frame to its place in time and makes its samples.
    fn place(&mut self, rows: &[Row<'l>], stamp: Option<Moment>, sink: &mut Sink<'_>) {
        let at = self.time_of(rows, stamp);
        let Some(at) = at.filter(|at| self.before.is_none_or(|before| before.micros < at.micros)) else {
            self.untimed += 1;
            return;
        };
        let since = self.before.map(|before| at.micros - before.micros);
        if since.is_none() {
            note_start(sink, Some(at.micros));
        }
        let mut recorder = self.recorder.take().unwrap_or_else(|| Recorder::new(sink));
        for row in rows {
            self.sample(row, at, since, &mut recorder, sink);
        }
        self.recorder = Some(recorder);
        self.before = Some(at);
        self.youngest = rows.iter().filter_map(|row| row.born).max().max(self.youngest);
    }

    /// By its stamp, else by how much older its processes are than in the frame before.
    fn time_of(&self, rows: &[Row<'l>], stamp: Option<Moment>) -> Option<Moment> {
        if let Some(stamp) = stamp {
            return self.before.is_none_or(|before| before.clock == stamp.clock).then_some(stamp);
        }
        if self.first_stamp.is_some() || rows.iter().all(|row| row.age.is_none()) {
            return None;
        }
        let since_first = |micros| Moment { micros, clock: Clock::Elapsed, zone_assumed: false };
        if self.before.is_none() {
            return Some(since_first(0));
        }
        let (then, secs) = rows.iter().find_map(|row| {
            let last = self.last.get(&row.who.pid)?;
            Some((last.micros, row.age? - last.age?))
        })?;
        // A cast of floats stops at the ends of the range.
        Some(since_first(then.saturating_add((secs * 1e6) as i64)))
    }

    fn sample(
        &mut self,
        row: &Row<'l>,
        at: Moment,
        since: Option<i64>,
        recorder: &mut Recorder,
        sink: &mut Sink<'_>,
    ) {
        for (counter, load) in self.loads(row, at.micros, since) {
            let spec = counter.spec;
            let figure =
                Figure { metric: spec.load, unit: spec.load_unit, value: load, quality: Quality::NONE };
            recorder.add(&row.who, figure, at, row.line.number, sink);
        }
        for gauge in &row.gauges {
            let Gauge { metric, unit, value, .. } = gauge;
            let figure = Figure { metric, unit: *unit, value: *value, quality: Quality::NONE };
            recorder.add(&row.who, figure, at, row.line.number, sink);
        }
    }

    /// How fast the counters of a process grew since it was seen last, where that is sure.
    fn loads<'r>(
        &mut self,
        row: &'r Row<'l>,
        micros: i64,
        since: Option<i64>,
    ) -> Vec<(&'r Counter<'l>, f64)> {
        let now = Last {
            age: row.age,
            born: row.born,
            counters: row.counters.iter().map(|counter| (counter.spec.load, counter.value)).collect(),
            micros,
        };
        let last = self.last.insert(row.who.pid, now);
        let last = last.filter(|last| last.born == row.born && !is_older(last.age, row.age));
        // A process that began since the frame before began with counters at 0.
        let (then, counters) = match (&last, since.filter(|since| self.is_new(row, *since))) {
            (Some(last), _) => (last.micros, Some(&last.counters)),
            (None, Some(since)) => (micros - since, None),
            (None, None) => return Vec::new(),
        };
        let secs = (micros - then) as f64 / 1e6;
        let load = |counter: &'r Counter<'l>| {
            let before = match counters {
                Some(known) => known.iter().find(|(name, _)| *name == counter.spec.load)?.1,
                None => 0.0,
            };
            let by = counter.value - before;
            (by >= 0.0 && secs > 0.0).then_some((counter, by / secs * counter.spec.factor))
        };
        row.counters.iter().filter_map(load).collect()
    }

    /// Whether a process that no earlier frame showed began since the frame before.
    fn is_new(&self, row: &Row<'l>, since: i64) -> bool {
        match (row.age, row.born, self.youngest) {
            // Ages are cut to whole seconds.
            (Some(age), ..) => age <= since as f64 / 1e6 + 1.0,
            (None, Some(born), Some(youngest)) => born > youngest,
            _ => false,
        }
    }

    /// Ends the block: one frame alone becomes measurements; what had no time is told.
    pub fn finish(mut self, what: &str, hint: &str, sink: &mut Sink<'_>) {
        if self.frames == 1 {
            self.measure(sink);
        } else if self.untimed > 0 {
            let line = self.first.first().map_or(1, |row| row.line.number);
            let message = match (self.recorder.is_some(), self.untimed) {
                (true, count) => {
                    format!("{count} frames of {what} have no time of their own and were left out")
                }
                (false, count) => format!("{what} prints no time: {count} frames cannot be put in order"),
            };
            tell(Severity::Warning, ProblemKind::Other, line, &message, hint, sink);
        }
    }

    /// One value a role and metric: CPU time of several processes adds up, of memory the largest counts.
    fn measure(&mut self, sink: &mut Sink<'_>) {
        let rows = std::mem::take(&mut self.first);
        let Some(head) = rows.first() else { return };
        let run = run_of_snapshot(&head.line, sink);
        let mut sums: Vec<Measurement> = Vec::new();
        let mut places: HashMap<(Process, String), usize> = HashMap::new();
        for row in &rows {
            let counters =
                row.counters.iter().map(|c| (c.spec.total.to_owned(), c.spec.unit, c.value, c.raw, true));
            let gauges = row.gauges.iter().map(|g| (g.metric.clone(), g.unit, g.value, g.raw, false));
            for (metric, unit, value, raw, adds) in counters.chain(gauges) {
                let key = (row.who.process.clone(), metric);
                if let Some(sum) = places.get(&key).and_then(|place| sums.get_mut(*place)) {
                    join(sum, value, raw, adds);
                    continue;
                }
                sums.push(of_moment(run, row, &key.1, unit, value, raw));
                places.insert(key, sums.len() - 1);
            }
        }
        sums.into_iter().for_each(|sum| sink.measure(sum));
    }
}

fn of_moment(run: u32, row: &Row<'_>, metric: &str, unit: Unit, value: f64, raw: &str) -> Measurement {
    let at = (row.line.number, row.line.offset);
    crate::sink::measured(run, at, row.who.process.clone(), metric, unit, Some(value), raw)
}

/// Takes a further process of the same role into a value.
fn join(sum: &mut Measurement, value: f64, raw: &str, adds: bool) {
    let known = sum.value.unwrap_or(0.0);
    sum.value = Some(if adds { known + value } else { known.max(value) });
    sum.quality = Quality::COMPUTED;
    sum.raw.push_str(if adds { " + " } else { ", " });
    sum.raw.push_str(raw);
}

/// Whether a process was older than it is: then it is another one.
fn is_older(then: Option<f64>, now: Option<f64>) -> bool {
    then.zip(now).is_some_and(|(then, now)| then > now)
}
