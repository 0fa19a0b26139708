//! The store: sources in, answers out. A snapshot of it never changes.

use crate::frames::{ExportFrame, Frames};
use crate::{
    Campaign, Corrections, Difference, Facet, Group, Load, MetricCount, Query, RawContext, RunIndex, RunView,
    Source,
};
use std::io;
use std::sync::Arc;
use triptych_model::{Importer, Problem};

/// All sources with their runs. Cheap to clone; the window keeps snapshots in an `Arc`.
#[derive(Clone)]
pub struct Store {
    importer: Arc<dyn Importer>,
    generation: u64,
    sources: Vec<Source>,
    corrections: Corrections,
}

impl Store {
    /// An empty store; the importer is asked for patterns and for arguments of requests.
    pub fn new(importer: Arc<dyn Importer>) -> Self {
        Self { importer, generation: 0, sources: Vec::new(), corrections: Corrections::default() }
    }

    /// Grows with every change; indices of runs hold within one generation.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Adds sources; one of the same path is replaced in its place.
    pub fn add(&mut self, _sources: Vec<Source>) {}

    /// Forgets a source.
    pub fn remove(&mut self, _path: &str) {}

    /// All sources in order.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// What the user said.
    pub fn corrections(&self) -> &Corrections {
        &self.corrections
    }

    /// Takes other corrections and resolves the sources anew, without reading them.
    pub fn set_corrections(&mut self, _corrections: Corrections) {}

    /// The campaigns in order of their first source.
    pub fn campaigns(&self) -> Vec<Campaign> {
        Vec::new()
    }

    /// All problems, the worst first.
    pub fn problems(&self) -> Vec<Problem> {
        let _ = &self.importer;
        Vec::new()
    }

    /// The four frames, made once a generation when first asked for.
    ///
    /// # Errors
    /// Polars' reason.
    pub fn frames(&self) -> Result<&Frames, Problem> {
        Err(Problem::new(
            triptych_model::Severity::Error,
            triptych_model::ProblemKind::Other,
            "",
            "no frames yet",
        ))
    }

    /// The runs of a query in order; failed and left-out ones included.
    pub fn runs(&self, _query: &Query) -> Vec<RunIndex> {
        Vec::new()
    }

    /// Everything known of a run.
    pub fn run(&self, _run: RunIndex) -> Option<RunView> {
        None
    }

    /// The run of that id.
    pub fn run_index(&self, _id: &str) -> Option<RunIndex> {
        None
    }

    /// The triples of a query.
    pub fn groups(&self, _query: &Query) -> Vec<Group> {
        Vec::new()
    }

    /// Values and counts for the filter panel.
    pub fn facets(&self, _query: &Query) -> Vec<Facet> {
        Vec::new()
    }

    /// The CPU load of a run over time, where a load log was joined to it.
    pub fn load(&self, _run: RunIndex) -> Option<Load> {
        None
    }

    /// The runs of a query that have a load.
    pub fn runs_with_load(&self, _query: &Query) -> Vec<RunIndex> {
        Vec::new()
    }

    /// Facts of two sets of runs side by side, equal ones flagged.
    pub fn differences(&self, _a: &[RunIndex], _b: &[RunIndex]) -> Vec<Difference> {
        Vec::new()
    }

    /// All variants; the place in this list is the variant's colour, which it keeps.
    pub fn variant_order(&self) -> Vec<String> {
        Vec::new()
    }

    /// Metrics and processes that a query's runs have.
    pub fn metrics(&self, _query: &Query) -> Vec<MetricCount> {
        Vec::new()
    }

    /// Lines of a source round one of them; reads the file again.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn context(&self, _source: u32, line: u32, _around: u32) -> Result<RawContext, Problem> {
        Ok(RawContext { lines: Vec::new(), line, changed: false })
    }

    /// Writes a frame as CSV, the columns of DESIGN §3 in their order.
    ///
    /// Returns what could not be written: arguments of requests whose source changed.
    ///
    /// # Errors
    /// The system's, while writing.
    pub fn export(&self, _frame: ExportFrame, _out: &mut dyn io::Write) -> io::Result<Vec<Problem>> {
        Ok(Vec::new())
    }
}
