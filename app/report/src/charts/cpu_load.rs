//! CPU load.

use crate::chart::{Chart, ChartData, ChartSpec, Refusal};
use crate::figure::{Figure, Frame};
use triptych_store::{Query, Store};

pub(crate) struct CpuLoad;

const SPEC: ChartSpec = ChartSpec { id: "cpu-load", title: "CPU load", help: "" };

impl Chart for CpuLoad {
    fn spec(&self) -> &'static ChartSpec {
        &SPEC
    }

    fn data(&self, _store: &Store, _query: &Query) -> Result<ChartData, Refusal> {
        Err(Refusal { title: "Nothing to draw".into(), reason: String::new(), next_step: String::new() })
    }

    fn figure(&self, _data: &ChartData, _frame: &Frame<'_>) -> Figure {
        Figure::default()
    }
}

/// The stack at a second.
pub(crate) fn stack_at(_data: &crate::LoadData, _secs: f64) -> Vec<(crate::Ink, String, f64)> {
    Vec::new()
}
