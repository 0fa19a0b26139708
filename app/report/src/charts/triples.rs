//! Triples.

use crate::chart::{Chart, ChartData, ChartSpec, Refusal};
use crate::figure::{Figure, Frame};
use triptych_store::{Query, Store};

pub(crate) struct Triples;

const SPEC: ChartSpec = ChartSpec { id: "triples", title: "Triples", help: "" };

impl Chart for Triples {
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
