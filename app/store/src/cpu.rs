//! The CPU load of a run per process, and the CPU seconds that it comes to.
//!
//! Where several logs saw one process, one is taken, in the order of [`RANKS`]; sums never mix sources.

use crate::companions::is_cpu;
use crate::resolve::{Resolved, RunEntry, number};
use crate::splits::Part;
use crate::{Lane, Load, RunIndex, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use triptych_model::{Clock, Measurement, Process, Quality, Sample, Series, SourceData, Unit};

/// A lane by the clock of its source, in microseconds.
struct Raw {
    process: Process,
    metric: String,
    source: u32,
    clock: Clock,
    commands: BTreeSet<String>,
    /// End of the interval, line and value in order; processes of one name are summed.
    points: Vec<(i64, u32, f64)>,
    /// Ends of all intervals of the log: a process may be absent from some.
    ends: Vec<i64>,
    samples_start: Option<i64>,
    quality: Quality,
}

/// The lanes of a run, and what other sources saw of the same.
struct Lanes {
    chosen: Vec<Raw>,
    not_shown: Vec<(u32, Process, String)>,
}

/// What a run's load looks like over time.
pub(crate) fn load(sources: &[Source], resolved: &Resolved, run: RunIndex) -> Option<Load> {
    let entry = resolved.run(run)?;
    if !entry.has_load {
        return None;
    }
    let Lanes { chosen, not_shown } = lanes(sources, resolved, run, entry);
    let first = chosen.iter().filter(|raw| raw.clock == Clock::Utc).filter_map(Raw::start).min();
    let lanes: Vec<Lane> = chosen.iter().map(|raw| raw.lane(first)).collect();
    let end_secs = lanes.iter().filter_map(|lane| lane.ends.last()).fold(0.0_f64, |max, end| max.max(*end));
    let real = real_secs(sources, resolved, entry);
    let exit = entry.row(sources).and_then(|row| row.exit);
    Some(Load { run, lanes, start: first, end_secs, real_secs: real, exit, not_shown })
}

/// The wall time that the run's own text gives.
fn real_secs(sources: &[Source], resolved: &Resolved, entry: &RunEntry) -> Option<f64> {
    let real = resolved.rows_of(entry).iter().find(|row| resolved.text(row.metric) == "real");
    real.and_then(|row| resolved.measurement(sources, row)?.value)
}

/// A load log that saw less of the wall time than this share gives too few CPU seconds.
const COVERED: f64 = 0.95;

/// `cpu_time` of each process of a run, integrated from its load, with the source it stands in.
pub(crate) fn cpu_times(sources: &[Source], resolved: &Resolved, run: RunIndex) -> Vec<(u32, Measurement)> {
    let Some(entry) = resolved.run(run) else { return Vec::new() };
    let measured = measured_times(sources, resolved, entry);
    let mut sums: BTreeMap<&Process, (u32, u32, f64, Quality)> = BTreeMap::new();
    let lanes = lanes(sources, resolved, run, entry);
    let real = real_secs(sources, resolved, entry);
    for raw in &lanes.chosen {
        let known = measured.iter().any(|(_, row)| row.process == raw.process);
        if known || matches!(raw.process, Process::System | Process::Disk(_)) {
            continue;
        }
        let covered =
            raw.start().zip(raw.ends.last()).map_or(0.0, |(start, end)| micros_to_secs(end - start));
        let cut = real.is_some_and(|real| covered < COVERED * real);
        let cut = if cut { Quality::INCOMPLETE } else { Quality::NONE };
        let line = raw.points.first().map_or(0, |(_, line, _)| *line);
        let secs: f64 =
            raw.intervals().map(|(start, end, _, value)| value / 100.0 * micros_to_secs(end - start)).sum();
        let sum = sums.entry(&raw.process).or_insert((raw.source, line, 0.0, Quality::COMPUTED));
        sum.2 += secs;
        sum.3 = sum.3.with(doubts(raw.quality)).with(cut);
    }
    let measurement = |(process, (source, line, value, quality)): (&Process, (u32, u32, f64, Quality))| {
        (source, cpu_time(run, line, process, value, quality))
    };
    measured.into_iter().chain(sums.into_iter().map(measurement)).collect()
}

fn cpu_time(run: u32, line: u32, process: &Process, secs: f64, quality: Quality) -> Measurement {
    Measurement {
        run,
        line,
        offset: 0,
        process: process.clone(),
        metric: "cpu_time".to_owned(),
        value: Some(secs),
        value_high: None,
        unit: Unit::Secs,
        executions: None,
        quality,
        raw: String::new(),
    }
}

/// User and system time that the runner measured, summed up by process: exact where samples are not.
fn measured_times(sources: &[Source], resolved: &Resolved, entry: &RunEntry) -> Vec<(u32, Measurement)> {
    if sources.get(entry.source as usize).is_none_or(|source| source.data.campaign.is_none()) {
        return Vec::new();
    }
    let rows = || resolved.rows_of(entry).iter().filter(|row| row.source == entry.source && !row.computed);
    let mut sums = Vec::new();
    for user in rows().filter(|row| resolved.text(row.metric) == "user") {
        let sys = rows().find(|row| row.process == user.process && resolved.text(row.metric) == "sys");
        let both = [Some(user), sys].map(|row| row.and_then(|row| resolved.measurement(sources, row)));
        if let [Some(user), Some(sys)] = both
            && let (Some(secs), Some(more)) = (user.value, sys.value)
        {
            let quality = Quality::COMPUTED.with(doubts(user.quality.with(sys.quality)));
            sums.push((entry.source, cpu_time(user.run, user.line, &user.process, secs + more, quality)));
        }
    }
    sums
}

/// What a sum inherits: it is computed, not measured, and a length of time knows no zone.
fn doubts(quality: Quality) -> Quality {
    let kept = quality.words().filter(|word| !["measured", "zone-assumed"].contains(word));
    Quality::parse(&kept.collect::<Vec<_>>().join("+")).unwrap_or_default()
}

fn lanes(sources: &[Source], resolved: &Resolved, run: RunIndex, entry: &RunEntry) -> Lanes {
    let mut seen: BTreeMap<Process, Vec<(u8, bool, u32)>> = BTreeMap::new();
    let mut logs: Vec<u32> = entry.companions.clone();
    logs.insert(0, entry.source);
    for log in &logs {
        for (process, split) in processes(sources, resolved, run, *log) {
            seen.entry(process).or_default().push((rank(&sources[*log as usize].data), !split, *log));
        }
    }
    let mut lanes = Lanes { chosen: Vec::new(), not_shown: Vec::new() };
    for (process, mut logs) in seen {
        logs.sort_unstable();
        let mut found = false;
        for (_, only_sum, log) in logs {
            let metrics: &[&str] = if only_sum { &["cpu"] } else { &["cpu_user", "cpu_sys"] };
            let shown = found;
            for metric in metrics {
                if shown {
                    lanes.not_shown.push((log, process.clone(), (*metric).to_owned()));
                } else if let Some(raw) = raw_lane(sources, resolved, run, log, &process, metric) {
                    lanes.chosen.push(raw);
                    found = true;
                }
            }
        }
    }
    lanes
}

/// The order in which logs of the same are taken: what sampled finest and per process comes first, the
/// whole machine's tools last.
const RANKS: &[(&str, u8)] = &[
    ("run-log", 0),
    ("pidstat", 1),
    ("top", 2),
    ("ps", 3),
    ("psrecord", 4),
    ("atop", 5),
    ("proc-stat", 6),
    ("cgroup", 7),
];

/// Which log is taken first where several saw the same.
fn rank(data: &SourceData) -> u8 {
    const LAST: u8 = 8;
    let of = |id: &&str| RANKS.iter().find(|(known, _)| known == id).map_or(LAST, |(_, rank)| *rank);
    data.formats.iter().map(of).min().unwrap_or(LAST)
}

/// Whether a source is a load log and nothing else, whatever rows it gave.
pub(crate) fn is_load_only(data: &SourceData) -> bool {
    let is_load = |id: &&str| RANKS.iter().any(|(known, rank)| known == id && *rank > 0);
    !data.formats.is_empty() && data.formats.iter().all(is_load)
}

/// Processes that a log saw in this run, with whether it tells user from system time.
fn processes(sources: &[Source], resolved: &Resolved, run: RunIndex, log: u32) -> BTreeMap<Process, bool> {
    let mut found = BTreeMap::new();
    for (_, series) in series_of(sources, resolved, run, log) {
        if is_cpu(&series.metric) {
            *found.entry(series.process.clone()).or_insert(false) |= series.metric != "cpu";
        }
    }
    found
}

/// The series of a log that have samples of this run.
fn series_of<'a>(
    sources: &'a [Source],
    resolved: &'a Resolved,
    run: RunIndex,
    log: u32,
) -> Vec<(usize, &'a Series)> {
    let Some(source) = sources.get(log as usize) else { return Vec::new() };
    let data = &source.data;
    let mine: Vec<bool> = match parts_of(resolved, log) {
        [] => {
            let runs = resolved.series_runs.get(log as usize).map_or(&[][..], Vec::as_slice);
            runs.iter().map(|of| *of == Some(run)).collect()
        }
        parts => {
            let mut mine = vec![false; data.series.len()];
            for part in parts.iter().filter(|part| part.run == run) {
                for sample in samples_of(data, &part.samples) {
                    if let Some(slot) = mine.get_mut(sample.series as usize) {
                        *slot = true;
                    }
                }
            }
            mine
        }
    };
    data.series.iter().enumerate().filter(|(index, _)| mine.get(*index) == Some(&true)).collect()
}

fn parts_of(resolved: &Resolved, log: u32) -> &[Part] {
    resolved.parts.get(log as usize).map_or(&[][..], Vec::as_slice)
}

fn samples_of<'a>(data: &'a SourceData, range: &Range<u32>) -> &'a [Sample] {
    data.samples.get(range.start as usize..range.end as usize).unwrap_or_default()
}

fn raw_lane(
    sources: &[Source],
    resolved: &Resolved,
    run: RunIndex,
    log: u32,
    process: &Process,
    metric: &str,
) -> Option<Raw> {
    let data = &sources.get(log as usize)?.data;
    let series = series_of(sources, resolved, run, log);
    let parts = parts_of(resolved, log).iter().filter(|part| part.run == run);
    let mut stretches: Vec<Stretch> = parts.map(|part| (part.samples.clone(), Some(part.start))).collect();
    if stretches.is_empty() {
        let mut mine = vec![(false, false); data.series.len()];
        for (index, _) in &series {
            mine[*index].0 = true;
        }
        stretches.push((run_span(resolved, log, &mine), None));
    }
    raw_of(data, log, process, metric, &series, &stretches)
}

/// Samples of a log, and when their first interval began, where that is not when the log began.
type Stretch = (Range<u32>, Option<i64>);

/// The series of the first log that has one that is wanted: several logs of an export saw the same, each at
/// its own moments.
fn of_one_log<'a>(
    data: &SourceData,
    series: &[(usize, &'a Series)],
    is_wanted: impl Fn(&Series) -> bool,
) -> Vec<(usize, &'a Series)> {
    let log_of = |index: usize| data.series_logs.get(index).map_or(0, |log| log.log);
    let one = series.iter().filter(|(_, series)| is_wanted(series)).map(|(index, _)| log_of(*index)).min();
    series.iter().filter(|(index, _)| Some(log_of(*index)) == one).copied().collect()
}

/// The lane of one process and metric over these series of a log and these stretches of its samples.
fn raw_of(
    data: &SourceData,
    log: u32,
    process: &Process,
    metric: &str,
    series: &[(usize, &Series)],
    stretches: &[Stretch],
) -> Option<Raw> {
    let is_wanted = |series: &Series| series.process == *process && series.metric == metric;
    let series = of_one_log(data, series, is_wanted);
    let mut mine = vec![(false, false); data.series.len()];
    let mut raw = Raw {
        process: process.clone(),
        metric: metric.to_owned(),
        source: log,
        clock: Clock::Elapsed,
        commands: BTreeSet::new(),
        points: Vec::new(),
        ends: Vec::new(),
        samples_start: data.samples_start,
        quality: Quality::NONE,
    };
    for (index, series) in &series {
        let wanted = is_wanted(series);
        mine[*index] = (true, wanted);
        if wanted {
            raw.clock = series.clock;
            raw.samples_start = series_start(data, *index);
            raw.quality = raw.quality.with(series.quality);
            raw.commands.extend(series.command.clone());
        }
    }
    for (_, start) in stretches {
        // What lies before a stretch is another run's.
        if let Some(start) = start {
            raw.samples_start = raw.ends.first().copied().or(Some(*start));
            raw.ends.push(*start);
        }
    }
    for sample in stretches.iter().flat_map(|(range, _)| samples_of(data, range)) {
        let Some((true, wanted)) = mine.get(sample.series as usize).copied() else { continue };
        // The machine is never absent: where it is looked at less often, its intervals are longer.
        if *process == Process::System && !wanted {
            continue;
        }
        if raw.ends.last() != Some(&sample.time) {
            raw.ends.push(sample.time);
        }
        if wanted {
            raw.add(sample.time, sample.line, sample.value);
        }
    }
    raw.sort();
    (!raw.points.is_empty()).then_some(raw)
}

/// Stands in a [`Load`] for no run: the load of a log that belongs to none.
pub(crate) const OF_NO_RUN: RunIndex = RunIndex::MAX;

/// All dated CPU series of a log, whatever run they belong to.
pub(crate) fn load_of_log(sources: &[Source], log: u32) -> Option<Load> {
    let data = &sources.get(log as usize)?.data;
    let dated = |series: &&(usize, &Series)| series.1.clock == Clock::Utc && is_cpu(&series.1.metric);
    let all: Vec<(usize, &Series)> = data.series.iter().enumerate().collect();
    let series: Vec<(usize, &Series)> = all.iter().filter(dated).copied().collect();
    let mut processes: BTreeMap<&Process, bool> = BTreeMap::new();
    for (_, series) in &series {
        *processes.entry(&series.process).or_insert(false) |= series.metric != "cpu";
    }
    let whole = [(0..number(data.samples.len()), None)];
    let raws: Vec<Raw> = processes
        .into_iter()
        .flat_map(|(process, split)| {
            let metrics: &[&str] = if split { &["cpu_user", "cpu_sys"] } else { &["cpu"] };
            metrics.iter().filter_map(|metric| raw_of(data, log, process, metric, &series, &whole))
        })
        .collect();
    let first = raws.iter().filter_map(Raw::start).min()?;
    let lanes: Vec<Lane> = raws.iter().map(|raw| raw.lane(Some(first))).collect();
    let end_secs = lanes.iter().filter_map(|lane| lane.ends.last()).fold(0.0_f64, |max, end| max.max(*end));
    Some(Load {
        run: OF_NO_RUN,
        lanes,
        start: Some(first),
        end_secs,
        real_secs: None,
        exit: None,
        not_shown: Vec::new(),
    })
}

/// When the first interval of a series began: with its run, where the source itself names that.
pub(crate) fn series_start(data: &SourceData, index: usize) -> Option<i64> {
    let series = data.series.get(index)?;
    if let Some(start) = data.series_logs.get(index).and_then(|log| log.start) {
        return Some(start);
    }
    let run = series.run.and_then(|run| data.runs.get(run as usize));
    match (run, series.clock) {
        (Some(run), Clock::Utc) => run.started.or(data.samples_start),
        (Some(_), Clock::Elapsed) => Some(0),
        (None, _) => data.samples_start,
    }
}

/// The part of a log's samples in which those of one run lie.
fn run_span(resolved: &Resolved, log: u32, mine: &[(bool, bool)]) -> Range<u32> {
    let spans = resolved.series_spans.get(log as usize).map_or(&[][..], Vec::as_slice);
    let used =
        mine.iter().zip(spans).filter(|(mine, span)| mine.0 && span.start < span.end).map(|(_, span)| span);
    let whole = used.cloned().reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
    whole.unwrap_or(0..0)
}

impl Raw {
    fn add(&mut self, time: i64, line: u32, value: f64) {
        match self.points.last_mut() {
            Some(last) if last.0 == time => last.2 += value,
            _ => self.points.push((time, line, value)),
        }
    }

    /// Logs are in order of time but for a clock that was set back.
    fn sort(&mut self) {
        self.ends.sort_unstable();
        self.ends.dedup();
        if !self.points.is_sorted_by_key(|point| point.0) {
            let mut points = std::mem::take(&mut self.points);
            points.sort_by_key(|point| point.0);
            for (time, line, value) in points {
                self.add(time, line, value);
            }
        }
    }

    /// Start, end, line and value of each sample.
    fn intervals(&self) -> impl Iterator<Item = (i64, i64, u32, f64)> {
        self.points.iter().map(|(end, line, value)| (self.before(*end), *end, *line, *value))
    }

    /// End of the interval before the one that ends at `end`.
    fn before(&self, end: i64) -> i64 {
        let at = self.ends.partition_point(|other| *other < end);
        if let Some(before) = at.checked_sub(1).and_then(|before| self.ends.get(before)) {
            return *before;
        }
        match (self.samples_start, self.ends.get(1)) {
            // The first look at counters stands at the start itself and has no length.
            (Some(start), _) if start <= end => start,
            (_, Some(second)) => end - (second - end),
            _ => end - 1_000_000,
        }
    }

    fn start(&self) -> Option<i64> {
        self.ends.first().map(|first| self.before(*first))
    }

    fn lane(&self, first: Option<i64>) -> Lane {
        let zero = match self.clock {
            Clock::Utc => first.unwrap_or(0),
            Clock::Elapsed => self.samples_start.unwrap_or(0),
        };
        let mut lane = Lane {
            process: self.process.clone(),
            metric: self.metric.clone(),
            commands: self.commands.iter().cloned().collect(),
            source: self.source,
            starts: Vec::with_capacity(self.points.len()),
            ends: Vec::with_capacity(self.points.len()),
            values: Vec::with_capacity(self.points.len()),
            lines: Vec::with_capacity(self.points.len()),
        };
        for (start, end, line, value) in self.intervals() {
            lane.starts.push(micros_to_secs(start - zero));
            lane.ends.push(micros_to_secs(end - zero));
            lane.lines.push(line);
            lane.values.push(value);
        }
        lane
    }
}

/// Exact up to 285 years.
pub(crate) fn micros_to_secs(micros: i64) -> f64 {
    micros as f64 / 1e6
}
