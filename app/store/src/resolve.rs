//! Sources in, runs with conditions out: what the readers found, the path says and the user knows.
//!
//! Everything a query compares is a number here (a [`Symbol`]); texts are kept once. Nothing is read
//! again, so a correction costs one pass over the rows.

use crate::campaigns::{self, CampaignEntry};
use crate::companions::{self, RequestRuns};
use crate::cpu;
use crate::patterns::{Chooser, PatternUse};
use crate::splits::{self, Part};
use crate::{Corrections, RunIndex, Source, archive};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use triptych_model::{
    Importer, Interner, Key, Measurement, Origin, Problem, ProblemKind, Process, Quality, RunRow, Severity,
    SuggestedPattern, Symbol, run_id,
};

/// Number of conditions.
pub(crate) const KEYS: usize = Key::ALL.len();

/// One run with its conditions as symbols.
#[derive(Clone, Debug)]
pub(crate) struct RunEntry {
    /// Index of its source.
    pub(crate) source: u32,
    /// Index into the source's runs; `None` for a load log or server log that belongs to no run.
    pub(crate) ordinal: Option<u32>,
    pub(crate) id: Arc<str>,
    values: [Symbol; KEYS],
    origins: [Origin; KEYS],
    /// Index of its campaign.
    pub(crate) campaign: u32,
    pub(crate) quality: Quality,
    pub(crate) left_out: Option<Arc<str>>,
    /// Its rows in [`Resolved::rows`].
    pub(crate) rows: Range<usize>,
    /// Sources whose samples or requests were joined to it.
    pub(crate) companions: Vec<u32>,
    /// Whether a CPU series belongs to it.
    pub(crate) has_load: bool,
}

impl RunEntry {
    pub(crate) fn value(&self, key: Key) -> Symbol {
        self.values[key as usize]
    }

    pub(crate) fn origin(&self, key: Key) -> Origin {
        self.origins[key as usize]
    }

    pub(crate) fn set(&mut self, key: Key, value: Symbol, origin: Origin) {
        self.values[key as usize] = value;
        self.origins[key as usize] = origin;
    }

    pub(crate) fn failed(&self) -> bool {
        self.quality.has(Quality::FAILED)
    }

    /// Its row in the source, for the facts that are not conditions.
    pub(crate) fn row<'a>(&self, sources: &'a [Source]) -> Option<&'a RunRow> {
        sources.get(self.source as usize)?.data.runs.get(self.ordinal? as usize)
    }
}

/// Where one measurement stands, with what queries compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) run: RunIndex,
    pub(crate) source: u32,
    /// Index into the source's measurements, or into [`Resolved::computed`].
    pub(crate) index: u32,
    pub(crate) process: Symbol,
    pub(crate) metric: Symbol,
    pub(crate) computed: bool,
}

/// All sources as queries see them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resolved {
    pub(crate) texts: Interner,
    pub(crate) runs: Vec<RunEntry>,
    pub(crate) rows: Vec<Row>,
    pub(crate) computed: Vec<Measurement>,
    pub(crate) by_id: HashMap<Arc<str>, RunIndex>,
    pub(crate) campaigns: Vec<CampaignEntry>,
    /// By source.
    pub(crate) patterns: Vec<Option<PatternUse>>,
    /// The parts of sources whose samples belong to several runs, by source; in order of samples.
    pub(crate) parts: Vec<Vec<Part>>,
    /// By source and series; none where the source has parts.
    pub(crate) series_runs: Vec<Vec<Option<RunIndex>>>,
    /// Between which samples of its source each series lies, by source and series.
    pub(crate) series_spans: Vec<Vec<Range<u32>>>,
    /// By source.
    pub(crate) requests: Vec<RequestRuns>,
    pub(crate) problems: Vec<Problem>,
}

impl Resolved {
    /// The measurement of a row.
    pub(crate) fn measurement<'a>(&'a self, sources: &'a [Source], row: &Row) -> Option<&'a Measurement> {
        if row.computed {
            self.computed.get(row.index as usize)
        } else {
            sources.get(row.source as usize)?.data.measurements.get(row.index as usize)
        }
    }

    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol).unwrap_or("")
    }

    pub(crate) fn run(&self, run: RunIndex) -> Option<&RunEntry> {
        self.runs.get(run as usize)
    }

    /// The run of one sample of a source.
    pub(crate) fn run_of_sample(&self, source: usize, series: u32, sample: usize) -> Option<RunIndex> {
        match self.parts.get(source).map_or(&[][..], Vec::as_slice) {
            [] => self.series_runs.get(source)?.get(series as usize).copied().flatten(),
            parts => splits::run_of(parts, number(sample)),
        }
    }

    pub(crate) fn rows_of(&self, run: &RunEntry) -> &[Row] {
        self.rows.get(run.rows.clone()).unwrap_or_default()
    }
}

/// Gives every run its conditions, companions, campaign and rows.
pub(crate) fn resolve(
    sources: &[Source],
    corrections: &Corrections,
    importer: &dyn Importer,
    suggestions: &[SuggestedPattern],
) -> Resolved {
    let mut chooser = Chooser::new(corrections, importer, suggestions);
    let patterns = sources.iter().map(|source| chooser.choose(source)).collect();
    let problems = std::mem::take(&mut chooser.problems);
    let mut resolver = Resolver {
        sources,
        corrections,
        cells: cells(corrections),
        homes: archive::homes(sources),
        out: Resolved { patterns, problems, ..Resolved::default() },
    };
    resolver.runs();
    companions::join(&mut resolver);
    campaigns::assign(sources, corrections, &resolver.homes, &mut resolver.out);
    resolver.rows();
    resolver.computed();
    resolver.out
}

/// The user's single cells by run, so that a million runs do not search the list.
fn cells(corrections: &Corrections) -> HashMap<&str, Vec<(Key, &str)>> {
    let mut cells: HashMap<&str, Vec<(Key, &str)>> = HashMap::new();
    for cell in &corrections.cells {
        cells.entry(cell.run.as_str()).or_default().push((cell.key, cell.value.as_str()));
    }
    cells
}

/// Fills a [`Resolved`] step by step.
pub(crate) struct Resolver<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) corrections: &'a Corrections,
    cells: HashMap<&'a str, Vec<(Key, &'a str)>>,
    /// The runner's log that each source is kept with.
    pub(crate) homes: Vec<Option<u32>>,
    pub(crate) out: Resolved,
}

impl Resolver<'_> {
    pub(crate) fn excluded(&self, source: &Source) -> bool {
        self.corrections.excluded.contains(source.path())
    }

    fn runs(&mut self) {
        for (index, source) in self.sources.iter().enumerate() {
            if self.excluded(source) {
                continue;
            }
            for ordinal in 0..source.data.runs.len() {
                self.add_run(number(index), Some(number(ordinal)));
            }
        }
    }

    /// Adds a run of a source and returns its index.
    pub(crate) fn add_run(&mut self, source: u32, ordinal: Option<u32>) -> RunIndex {
        let index = number(self.out.runs.len());
        let data = &self.sources[source as usize].data;
        let row = ordinal.and_then(|ordinal| data.runs.get(ordinal as usize));
        let own = row.and_then(|row| row.id.as_deref()).filter(|id| self.is_new(id, &data.path));
        let id: Arc<str> = match own {
            Some(id) => Arc::from(id),
            None => Arc::from(run_id(&data.path, ordinal.unwrap_or(0) as usize + 1)),
        };
        let mut entry = RunEntry {
            source,
            ordinal,
            values: [0; KEYS],
            origins: [Origin::Default; KEYS],
            campaign: 0,
            quality: row.map_or(Quality::NONE, |row| row.quality),
            left_out: self.corrections.left_out.get(&*id).map(|reason| Arc::from(reason.as_str())),
            rows: 0..0,
            companions: Vec::new(),
            has_load: false,
            id: Arc::clone(&id),
        };
        for key in Key::ALL {
            let (value, origin) = self.condition(key, source, row, &id);
            entry.set(key, value, origin);
        }
        self.out.by_id.insert(id, index);
        self.out.runs.push(entry);
        index
    }

    /// Whether no run has this id of the runner's yet: a copy of a log may be open beside it.
    fn is_new(&mut self, id: &str, path: &str) -> bool {
        let known = self.out.by_id.contains_key(id);
        let told = |problem: &Problem| problem.source == path && problem.message == OPEN_TWICE;
        if known && !self.out.problems.iter().any(told) {
            self.out.problems.push(
                Problem::new(Severity::Note, ProblemKind::Other, path, OPEN_TWICE)
                    .next_step("close one of the two, or their runs count twice"),
            );
        }
        !known
    }

    /// The user's word, else the path's, else the content's; of a command the content knows more.
    fn condition(&mut self, key: Key, source: u32, row: Option<&RunRow>, id: &str) -> (Symbol, Origin) {
        let path =
            self.out.patterns[source as usize].as_ref().and_then(|used| used.found.conditions.get(key));
        let content = row.and_then(|row| row.content.get(key));
        let (mut value, mut origin) = match (path, content) {
            (_, Some(text)) if matches!(key, Key::Command | Key::Operation) => (text, Origin::Content),
            (Some(text), _) => (text, Origin::Path),
            (None, Some(text)) => (text, Origin::Content),
            (None, None) => ("", Origin::Default),
        };
        if !self.cells.is_empty()
            && let Some(cells) = self.cells.get(id)
            && let Some((_, text)) = cells.iter().rev().find(|(cell, _)| *cell == key)
        {
            (value, origin) = (text, Origin::Yours);
        }
        if let Some(name) = self.corrections.renames.get(&key).and_then(|names| names.get(value)) {
            (value, origin) = (name, Origin::Yours);
        }
        if value.is_empty() { (0, origin) } else { (self.out.texts.intern(value), origin) }
    }

    /// The rows of all measurements, sorted by run.
    fn rows(&mut self) {
        let mut firsts: HashMap<u32, RunIndex> = HashMap::new();
        for (index, entry) in self.out.runs.iter().enumerate().filter(|(_, entry)| entry.ordinal == Some(0)) {
            firsts.insert(entry.source, number(index));
        }
        let total = self.sources.iter().map(|source| source.data.measurements.len()).sum();
        let mut rows: Vec<Row> = Vec::with_capacity(total);
        for (index, source) in self.sources.iter().enumerate() {
            let Some(first) = firsts.get(&number(index)) else { continue };
            let mut names = Names::new(&mut self.out.texts, self.corrections.metric_names.get(source.path()));
            let runs = number(source.data.runs.len());
            for (at, measurement) in source.data.measurements.iter().enumerate() {
                if measurement.run >= runs {
                    continue;
                }
                rows.push(Row {
                    run: first + measurement.run,
                    source: number(index),
                    index: number(at),
                    process: names.process(&measurement.process),
                    metric: names.metric(&measurement.metric),
                    computed: false,
                });
            }
        }
        self.out.rows = rows;
        self.sort_rows();
    }

    fn sort_rows(&mut self) {
        let out = &mut self.out;
        if !out.rows.is_sorted_by_key(|row| row.run) {
            out.rows.sort_by_key(|row| row.run);
        }
        let mut at = 0;
        for (index, entry) in out.runs.iter_mut().enumerate() {
            let start = at;
            while out.rows.get(at).is_some_and(|row| row.run as usize == index) {
                at += 1;
            }
            entry.rows = start..at;
        }
    }

    /// `cpu_time` of runs whose load logs know it and whose own text does not.
    fn computed(&mut self) {
        let metric = self.out.texts.intern("cpu_time");
        let mut added = false;
        for run in 0..self.out.runs.len() {
            let entry = &self.out.runs[run];
            // A load log without a run says nothing of an operation: it is charted, not compared.
            let measured = self.sources[entry.source as usize].data.campaign.is_some();
            if !(entry.has_load || measured) || entry.ordinal.is_none() {
                continue;
            }
            for (source, measurement) in cpu::cpu_times(self.sources, &self.out, number(run)) {
                let process = self.out.texts.intern(&measurement.process.to_string());
                let known = self.out.rows_of(&self.out.runs[run]);
                if known.iter().any(|row| row.metric == metric && row.process == process) {
                    continue;
                }
                let index = number(self.out.computed.len());
                self.out.computed.push(measurement);
                self.out.rows.push(Row { run: number(run), source, index, process, metric, computed: true });
                added = true;
            }
        }
        if added {
            self.sort_rows();
        }
    }
}

/// Said of the second of two logs with the same runs.
const OPEN_TWICE: &str = "the same campaign is open from another place";

/// Symbols of processes and metrics, with the last one remembered: neighbours are mostly equal.
struct Names<'a> {
    texts: &'a mut Interner,
    other_names: Option<&'a std::collections::BTreeMap<String, String>>,
    processes: HashMap<Process, Symbol>,
}

impl<'a> Names<'a> {
    fn new(
        texts: &'a mut Interner,
        other_names: Option<&'a std::collections::BTreeMap<String, String>>,
    ) -> Self {
        Self { texts, other_names, processes: HashMap::new() }
    }

    fn process(&mut self, process: &Process) -> Symbol {
        if let Some(symbol) = self.processes.get(process) {
            return *symbol;
        }
        let symbol = self.texts.intern(&process.to_string());
        self.processes.insert(process.clone(), symbol);
        symbol
    }

    fn metric(&mut self, metric: &str) -> Symbol {
        let name = self.other_names.and_then(|names| names.get(metric)).map_or(metric, String::as_str);
        self.texts.intern(name)
    }
}

/// Indices are 32 bits wide; what lies beyond would take more memory than there is.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_in_the_order_of_the_export() {
        for (index, key) in Key::ALL.into_iter().enumerate() {
            assert_eq!(key as usize, index);
        }
    }
}
