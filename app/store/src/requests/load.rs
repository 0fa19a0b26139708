//! The CPU load that belongs to requests: of the run whose requests they are, else of a log beside them.

use crate::companions::RequestRuns;
use crate::{Load, RunIndex, Store, cpu};
use std::collections::BTreeSet;

impl Store {
    /// The load under these sources' requests between two times, UTC microseconds.
    ///
    /// Taken from the runs that the requests were joined to, else from a dated load log of the same
    /// folder. Seconds count from the start of the run that covers most of the time; those before it
    /// are negative.
    pub fn request_load(&self, sources: &[u32], span: (i64, i64)) -> Option<Load> {
        let runs = self.runs_of_requests(sources);
        let loads = runs.into_iter().filter_map(|run| self.load(run));
        if let Some(joined) = joined(loads, span) {
            return Some(joined);
        }
        let folders: BTreeSet<&str> = sources.iter().filter_map(|source| self.folder(*source)).collect();
        let beside = (0..).zip(self.sources()).filter(|(index, source)| {
            !source.data.samples.is_empty()
                && self.folder(*index).is_some_and(|folder| folders.contains(folder))
        });
        best(beside.filter_map(|(index, _)| cpu::load_of_log(self.sources(), index)), span)
    }

    /// The runs that requests of these sources were joined to.
    fn runs_of_requests(&self, sources: &[u32]) -> BTreeSet<RunIndex> {
        let mut found = BTreeSet::new();
        for source in sources {
            match self.resolved().requests.get(*source as usize) {
                Some(RequestRuns::All(run)) => {
                    found.insert(*run);
                }
                Some(RequestRuns::Each { runs, .. }) => found.extend(runs.iter().copied()),
                Some(RequestRuns::None) | None => {}
            }
        }
        found
    }

    /// The folder of a source.
    fn folder(&self, source: u32) -> Option<&str> {
        let path = self.sources().get(source as usize)?.path();
        Some(path.rfind(['/', '\\']).and_then(|at| path.get(..at)).unwrap_or(""))
    }
}

/// Microseconds of a time that a load covers.
fn overlap(load: &Load, (from, to): (i64, i64)) -> Option<i64> {
    let start = load.start?;
    let common = to.min(start + secs_to_micros(load.end_secs)) - from.max(start);
    (common > 0).then_some(common)
}

/// The load that covers most of a time.
fn best(loads: impl Iterator<Item = Load>, span: (i64, i64)) -> Option<Load> {
    let known = loads.filter_map(|load| Some((overlap(&load, span)?, load)));
    known.max_by_key(|(common, _)| *common).map(|(_, load)| load)
}

/// The loads of several runs one after another, in the seconds of the one that covers most of a time.
fn joined(loads: impl Iterator<Item = Load>, span: (i64, i64)) -> Option<Load> {
    let mut loads: Vec<Load> = loads.filter(|load| overlap(load, span).is_some()).collect();
    let place =
        (0..loads.len()).max_by_key(|place| loads.get(*place).and_then(|load| overlap(load, span)))?;
    let mut whole = loads.swap_remove(place);
    loads.sort_by_key(|load| load.start);
    for load in loads {
        let shift = cpu::micros_to_secs(load.start? - whole.start?);
        whole.end_secs = whole.end_secs.max(load.end_secs + shift);
        for mut lane in load.lanes {
            lane.starts.iter_mut().chain(&mut lane.ends).for_each(|secs| *secs += shift);
            whole.lanes.push(lane);
        }
    }
    Some(whole)
}

/// Exact up to 285 years.
fn secs_to_micros(secs: f64) -> i64 {
    (secs * 1e6) as i64
}
