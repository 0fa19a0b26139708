//! The store: sources in, answers out. A snapshot of it never changes.

use crate::colours::VariantColours;
use crate::export::{self, ExportFrame};
use crate::frames::Frames;
use crate::patterns::{self, PatternUse};
use crate::resolve::{self, Resolved};
use crate::{
    Campaign, Corrections, Difference, Facet, Group, Load, MetricCount, Query, RawContext, RunIndex, RunView,
    Source, cpu, details, filter, groups, reread,
};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, OnceLock};
use triptych_model::{Importer, Problem, ProblemKind, Severity, SuggestedPattern};

/// All sources with their runs. Cheap to clone; the window keeps snapshots in an `Arc`.
#[derive(Clone)]
pub struct Store {
    importer: Arc<dyn Importer>,
    generation: u64,
    sources: Vec<Source>,
    corrections: Corrections,
    suggestions: Arc<[SuggestedPattern]>,
    colours: VariantColours,
    resolved: Arc<Resolved>,
    frames: Arc<OnceLock<Result<Frames, Problem>>>,
}

impl Store {
    /// An empty store; the importer is asked for patterns and for arguments of requests.
    pub fn new(importer: Arc<dyn Importer>) -> Self {
        Self {
            importer,
            generation: 0,
            sources: Vec::new(),
            corrections: Corrections::default(),
            suggestions: Arc::from([]),
            colours: VariantColours::default(),
            resolved: Arc::default(),
            frames: Arc::default(),
        }
    }

    /// The readers.
    pub(crate) fn importer(&self) -> &dyn Importer {
        &*self.importer
    }

    /// What the sources were resolved to.
    pub(crate) fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// Grows with every change; indices of runs hold within one generation.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Adds sources; one of the same path is replaced in its place.
    pub fn add(&mut self, sources: Vec<Source>) {
        let mut places: HashMap<String, usize> = HashMap::new();
        for (index, source) in self.sources.iter().enumerate() {
            places.insert(source.path().to_owned(), index);
        }
        for source in sources {
            match places.get(source.path()).and_then(|place| self.sources.get_mut(*place)) {
                Some(old) => *old = source,
                None => {
                    places.insert(source.path().to_owned(), self.sources.len());
                    self.sources.push(source);
                }
            }
        }
        self.guess_and_resolve();
    }

    /// Forgets a source.
    pub fn remove(&mut self, path: &str) {
        self.sources.retain(|source| source.path() != path);
        self.guess_and_resolve();
    }

    fn guess_and_resolve(&mut self) {
        self.suggestions = Arc::from(patterns::suggestions(&self.sources, &*self.importer));
        self.resolve();
    }

    fn resolve(&mut self) {
        self.generation += 1;
        let resolved = resolve::resolve(&self.sources, &self.corrections, &*self.importer, &self.suggestions);
        self.colours.update(&resolved);
        self.resolved = Arc::new(resolved);
        self.frames = Arc::default();
    }

    /// All sources in order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// What the user said.
    pub fn corrections(&self) -> &Corrections {
        &self.corrections
    }

    /// Takes other corrections and resolves the sources anew, without reading them.
    pub fn set_corrections(&mut self, corrections: Corrections) {
        self.corrections = corrections;
        self.resolve();
    }

    /// The pattern that a source's path was read by, with what it gave; for the import sheet.
    pub fn pattern(&self, source: u32) -> Option<&PatternUse> {
        self.resolved.patterns.get(source as usize)?.as_ref()
    }

    /// The importer's guesses for the sources, whether they are used or not.
    pub fn suggested_patterns(&self) -> &[SuggestedPattern] {
        &self.suggestions
    }

    /// The campaigns in order of their first source.
    pub fn campaigns(&self) -> Vec<Campaign> {
        let campaign = |entry: &crate::campaigns::CampaignEntry| {
            let sources = || entry.sources.iter().filter_map(|index| self.sources.get(*index as usize));
            Campaign {
                name: entry.name.clone(),
                root: entry.root.clone(),
                sources: entry.sources.clone(),
                runs: entry.runs,
                requests: sources().map(|source| source.data.requests.len()).sum(),
                samples: sources().map(|source| source.data.samples.len()).sum(),
                warnings: sources().map(|source| source.data.warnings()).sum(),
                errors: sources().filter(|source| source.data.error.is_some()).count(),
                is_table: entry.is_table,
                pattern: entry.pattern.clone(),
            }
        };
        self.resolved.campaigns.iter().map(campaign).collect()
    }

    /// All problems, the worst first; files passed over are notes.
    pub fn problems(&self) -> Vec<Problem> {
        let mut all = Vec::new();
        for source in &self.sources {
            all.extend(source.data.error.clone());
            all.extend(source.data.problems.iter().cloned());
            // Where the reader said why, it is said already.
            if let Some(reason) = source.data.skipped.as_ref().filter(|_| source.data.problems.is_empty()) {
                let kind = if source.bytes() == 0 { ProblemKind::Empty } else { ProblemKind::Foreign };
                all.push(Problem::new(Severity::Note, kind, source.path(), reason.as_str()));
            }
        }
        all.extend(self.resolved.problems.iter().cloned());
        all.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
        all
    }

    /// The four frames, made once a generation when first asked for.
    ///
    /// # Errors
    /// Polars' reason.
    pub fn frames(&self) -> Result<&Frames, Problem> {
        let made = self.frames.get_or_init(|| {
            Frames::new(&self.sources, &self.resolved).map_err(|error| {
                Problem::new(
                    Severity::Error,
                    ProblemKind::Other,
                    "",
                    format!("the frames cannot be made: {error}"),
                )
            })
        });
        made.as_ref().map_err(Problem::clone)
    }

    /// The runs of a query in order; failed and left-out ones included.
    pub fn runs(&self, query: &Query) -> Vec<RunIndex> {
        filter::runs(&self.sources, &self.resolved, query)
    }

    /// Everything known of a run.
    pub fn run(&self, run: RunIndex) -> Option<RunView> {
        details::run_view(&self.sources, &self.resolved, run)
    }

    /// The run of that id.
    pub fn run_index(&self, id: &str) -> Option<RunIndex> {
        self.resolved.by_id.get(id).copied()
    }

    /// The triples of a query.
    pub fn groups(&self, query: &Query) -> Vec<Group> {
        groups::groups(&self.sources, &self.resolved, query, &self.runs(query))
    }

    /// Values and counts for the filter panel.
    pub fn facets(&self, query: &Query) -> Vec<Facet> {
        filter::facets(&self.sources, &self.resolved, query, &self.colours)
    }

    /// The CPU load of a run over time, where a load log was joined to it.
    pub fn load(&self, run: RunIndex) -> Option<Load> {
        cpu::load(&self.sources, &self.resolved, run)
    }

    /// The runs of a query that have a load.
    pub fn runs_with_load(&self, query: &Query) -> Vec<RunIndex> {
        let mut runs = self.runs(query);
        runs.retain(|run| self.resolved.run(*run).is_some_and(|entry| entry.has_load));
        runs
    }

    /// Facts of two sets of runs side by side, equal ones flagged.
    pub fn differences(&self, a: &[RunIndex], b: &[RunIndex]) -> Vec<Difference> {
        details::differences(&self.sources, &self.resolved, a, b)
    }

    /// The colours of all variants, which they keep.
    pub fn variant_colours(&self) -> &VariantColours {
        &self.colours
    }

    /// Metrics and processes that a query's runs have.
    pub fn metrics(&self, query: &Query) -> Vec<MetricCount> {
        details::metrics(&self.resolved, &self.runs(query))
    }

    /// Lines of a source round one of them; reads the file again.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn context(&self, source: u32, line: u32, around: u32) -> Result<RawContext, Problem> {
        match self.sources.get(source as usize) {
            Some(source) => reread::context(source, line, around),
            None => {
                Err(Problem::new(Severity::Error, ProblemKind::Other, "", "the source is not open any more"))
            }
        }
    }

    /// Writes a frame as CSV, the columns of DESIGN §3 in their order.
    ///
    /// Returns what could not be written: arguments of requests whose source changed.
    ///
    /// # Errors
    /// The system's, while writing.
    pub fn export(&self, frame: ExportFrame, out: &mut dyn io::Write) -> io::Result<Vec<Problem>> {
        export::export(&self.sources, &self.resolved, &*self.importer, frame, out)
    }
}
