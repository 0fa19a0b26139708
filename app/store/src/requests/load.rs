//! The CPU load that belongs to requests: of the run whose requests they are, else of a log beside them.

use crate::companions::RequestRuns;
use crate::{Load, RunIndex, Store, cpu};
use std::collections::BTreeSet;

impl Store {
    /// The load under these sources' requests between two times, UTC microseconds.
    ///
    /// Taken from the run that the requests were joined to, else from a dated load log of the same
    /// folder; of several the one that covers most of the time.
    pub fn request_load(&self, sources: &[u32], span: (i64, i64)) -> Option<Load> {
        let runs = self.runs_of_requests(sources);
        let loads = runs.into_iter().filter_map(|run| self.load(run));
        if let Some(best) = best(loads, span) {
            return Some(best);
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

/// The load that covers most of a time.
fn best(loads: impl Iterator<Item = Load>, (from, to): (i64, i64)) -> Option<Load> {
    let overlap = |load: &Load| {
        let start = load.start?;
        let end = start + secs_to_micros(load.end_secs);
        let common = to.min(end) - from.max(start);
        (common > 0).then_some(common)
    };
    let known = loads.filter_map(|load| Some((overlap(&load)?, load)));
    known.max_by_key(|(common, _)| *common).map(|(_, load)| load)
}

/// Exact up to 285 years.
fn secs_to_micros(secs: f64) -> i64 {
    (secs * 1e6) as i64
}
