//! One chart is one file in `charts/` and one row of [`crate::CHARTS`].

use crate::comparison::Comparison;
use crate::figure::{Figure, Frame, Ink};
use std::sync::Arc;
use triptych_store::{Load, Query, RequestAnswer, RequestBins, Store};

/// One row of the table of charts, for menus, palette, help and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChartSpec {
    /// Stable id, as in `triptych chart KIND`.
    pub id: &'static str,
    /// Name for people, the tile's title.
    pub title: &'static str,
    /// One line.
    pub help: &'static str,
}

/// What a chart asked the store; made once a query and generation, drawn at any size.
#[derive(Clone, Debug)]
pub enum ChartData {
    /// Triples with their statistics.
    Comparison(Arc<Comparison>),
    /// CPU load of one run.
    Load(Arc<LoadData>),
    /// Requests of server logs.
    Requests(Arc<RequestsData>),
}

/// Requests of server logs over time.
#[derive(Clone, Debug)]
pub struct RequestsData {
    /// `diverse-1.14.2.log`
    pub title: String,
    /// The rows with their counts.
    pub answer: Arc<RequestAnswer>,
    /// The same in bins; of any part of the time, of any width.
    pub bins: Arc<RequestBins>,
    /// The CPU load under them.
    pub load: Option<Arc<LoadData>>,
}

/// CPU load of one run with the words that say which.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadData {
    /// `old-1.6.9, all_packed, cold`
    pub title: String,
    /// Its series.
    pub load: Load,
    /// Typical range of the stack in per cent of a core: its 10th and 90th percentile over time.
    pub typical: Option<(f64, f64)>,
    /// Names of the files the series come from.
    pub sources: Vec<String>,
    /// The layers with their levels; see [`LoadData::new`].
    pub(crate) stack: crate::charts::stack::Stack,
}

impl LoadData {
    /// The stack at a second: colour, name and per cent of each layer from the bottom; empty where no sample is.
    pub fn at(&self, secs: f64) -> Vec<(Ink, String, f64)> {
        crate::charts::cpu_load::stack_at(self, secs)
    }
}

/// Why a chart cannot be drawn from a selection: shown in the tile, with what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What, as a heading: `No CPU load for these runs`.
    pub title: String,
    /// Why.
    pub reason: String,
    /// What next.
    pub next_step: String,
}

/// A kind of chart.
pub trait Chart: Sync {
    /// Its row.
    fn spec(&self) -> &'static ChartSpec;

    /// Asks the store; runs in a job, draws nothing.
    ///
    /// # Errors
    /// Why there is nothing to draw.
    fn data(&self, store: &Store, query: &Query) -> Result<ChartData, Refusal>;

    /// Lays the chart out; pure and quick.
    fn figure(&self, data: &ChartData, frame: &Frame<'_>) -> Figure;
}
