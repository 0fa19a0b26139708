//! Distribution.

use crate::chart::{Chart, ChartData, ChartSpec, Refusal};
use crate::figure::{Figure, Frame};
use triptych_store::{Query, Store};

pub(crate) struct Distribution;

const SPEC: ChartSpec = ChartSpec { id: "distribution", title: "Distribution", help: "" };

impl Chart for Distribution {
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
