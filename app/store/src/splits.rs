//! A load log that saw several runs, parted among them by time.
//!
//! Companions of a whole folder (`vmstat.txt` beside twenty runs) name no run. Each of their samples
//! belongs to the run that its interval overlaps most; what lies between the runs belongs to none. The
//! samples of a log are in order of time, so that the part of a run is a range of them.

use crate::RunIndex;
use crate::resolve::number;
use std::ops::Range;
use triptych_model::{Clock, SourceData};

/// A span of time in UTC microseconds.
pub(crate) type Window = (i64, i64);

/// The samples of a source that belong to one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Between which samples.
    pub(crate) samples: Range<u32>,
    /// Whose.
    pub(crate) run: RunIndex,
    /// When the first of their intervals began.
    pub(crate) start: i64,
}

/// The parts of a source with UTC times; none where it has no such times or overlaps no run.
pub(crate) fn parts(data: &SourceData, windows: &[(RunIndex, Window)]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    if windows.is_empty() || data.series.iter().any(|series| series.clock != Clock::Utc) {
        return parts;
    }
    let usual = usual_interval(data);
    let mut before: Option<i64> = None;
    let mut at = 0;
    for frame in data.samples.chunk_by(|a, b| a.time == b.time) {
        let range = number(at)..number(at + frame.len());
        at += frame.len();
        let Some(end) = frame.first().map(|sample| sample.time) else { continue };
        // A tool that was started again for another run, or whose clock was set back, left a gap.
        let known = before.or(data.samples_start);
        let start = known.filter(|start| (0..=usual + usual / 2).contains(&(end - start)));
        let start = start.unwrap_or(end - usual);
        before = Some(end);
        let Some(run) = most_overlapped((start, end), windows) else { continue };
        match parts.last_mut() {
            Some(part) if part.run == run && part.samples.end == range.start => part.samples.end = range.end,
            _ => parts.push(Part { samples: range, run, start }),
        }
    }
    parts
}

const SECOND: i64 = 1_000_000;

/// The median time between two frames; a second where there is but one.
fn usual_interval(data: &SourceData) -> i64 {
    let ends = data.samples.chunk_by(|a, b| a.time == b.time).filter_map(|frame| frame.first());
    let ends: Vec<i64> = ends.map(|sample| sample.time).collect();
    let mut gaps: Vec<i64> =
        ends.iter().zip(ends.iter().skip(1)).map(|(a, b)| b - a).filter(|gap| *gap > 0).collect();
    gaps.sort_unstable();
    gaps.get(gaps.len() / 2).copied().unwrap_or(SECOND)
}

/// The run whose time an interval covers most; `None` where two runs went on at once, or none.
fn most_overlapped((start, end): Window, windows: &[(RunIndex, Window)]) -> Option<RunIndex> {
    // A frame without length, the first look at counters, stands within a run or in none.
    let (from, to) = if start == end { (start, end + 1) } else { (start, end) };
    let overlap = |window: Window| to.min(window.1) - from.max(window.0);
    let mut best: Option<(i64, RunIndex)> = None;
    let mut tie = false;
    for (run, window) in windows {
        let overlap = overlap(*window);
        if overlap <= 0 {
            continue;
        }
        match best {
            Some((most, _)) if most > overlap => {}
            Some((most, _)) if most == overlap => tie = true,
            _ => (best, tie) = (Some((overlap, *run)), false),
        }
    }
    best.filter(|_| !tie).map(|(_, run)| run)
}

/// The run that a sample belongs to, by its index.
pub(crate) fn run_of(parts: &[Part], sample: u32) -> Option<RunIndex> {
    let behind = parts.partition_point(|part| part.samples.end <= sample);
    parts.get(behind).filter(|part| part.samples.contains(&sample)).map(|part| part.run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::{Process, Quality, Sample, Series, Unit};

    fn log(times: &[i64], clock: Clock) -> SourceData {
        let mut data = SourceData::new("vmstat.txt");
        data.series.push(Series {
            run: None,
            process: Process::System,
            pid: None,
            command: None,
            metric: "cpu_user".to_owned(),
            unit: Unit::Percent,
            clock,
            quality: Quality::MEASURED,
        });
        let sample = |time: &i64| Sample { series: 0, line: 1, time: time * SECOND, value: 1.0 };
        data.samples = times.iter().map(sample).collect();
        data.samples_start = Some((times[0] - 1) * SECOND);
        data
    }

    fn of(data: &SourceData, windows: &[(RunIndex, (f64, f64))]) -> Vec<(RunIndex, Range<u32>, i64)> {
        let micros = |secs: f64| (secs * 1e6) as i64;
        let windows: Vec<_> = windows.iter().map(|(run, w)| (*run, (micros(w.0), micros(w.1)))).collect();
        parts(data, &windows).into_iter().map(|part| (part.run, part.samples, part.start / SECOND)).collect()
    }

    #[test]
    fn samples_belong_to_the_run_that_they_cover_most() {
        let data = log(&[1, 2, 2, 3, 4, 5, 6, 7], Clock::Utc);
        // The interval that ends at 4 lies more in the second run.
        let windows = [(8, (0.9, 3.3)), (9, (3.3, 5.6))];
        assert_eq!(of(&data, &windows), [(8, 0..4, 0), (9, 4..7, 3)]);
        let parts = parts(&data, &[(8, (900_000, 3_300_000))]);
        assert_eq!((run_of(&parts, 3), run_of(&parts, 4), run_of(&parts, 7)), (Some(8), Some(8), None));
    }

    #[test]
    fn a_tool_that_was_started_again_left_a_gap() {
        let data = log(&[1, 2, 3, 60, 61, 62], Clock::Utc);
        assert_eq!(of(&data, &[(1, (0.0, 3.0)), (2, (59.0, 62.0))]), [(1, 0..3, 0), (2, 3..6, 59)]);
        assert_eq!(of(&log(&[5], Clock::Utc), &[(1, (4.5, 9.0))]), [(1, 0..1, 4)]);
    }

    #[test]
    fn what_lies_between_and_what_two_runs_share_is_nobodys() {
        let data = log(&[1, 2, 3, 4, 5, 6], Clock::Utc);
        assert_eq!(of(&data, &[(1, (0.0, 2.0)), (2, (4.0, 9.0))]), [(1, 0..2, 0), (2, 4..6, 4)]);
        assert_eq!(of(&data, &[(1, (0.0, 6.0)), (2, (2.0, 4.0))]), [(1, 0..2, 0), (1, 4..6, 4)]);
        assert_eq!(of(&data, &[(1, (60.0, 61.0))]), []);
        assert_eq!(of(&log(&[1, 2], Clock::Elapsed), &[(1, (0.0, 2.0))]), []);
    }
}
