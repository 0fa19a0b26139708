//! What a plan gives with a lab: its steps in their order, how long they take, what is in the way.

use std::collections::BTreeMap;
use triptych_model::Problem;
use triptych_runner::expand;
use triptych_runner::lab::Lab;
use triptych_runner::plan::{Cell, Operation, Plan};
use triptych_runner::preview::{Known, Preview, expected_by_step, may_drop_caches, preview};

/// What was worked out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The plan with its steps; none where something is in the way.
    pub plan: Option<Plan>,
    /// What it will do.
    pub preview: Preview,
    /// What is in the way.
    pub problems: Vec<Problem>,
    /// Wall seconds that earlier runs of a cell took, by the step's number.
    pub expected: BTreeMap<u32, f64>,
}

impl Outcome {
    /// Works it out; `lab` has absolute paths. Earlier runs took so many wall seconds.
    pub fn of(plan: &Plan, lab: &Lab, history: &[(Operation, Cell, f64)]) -> Self {
        let mut plan = plan.clone();
        if let Err(problems) = expand::expand(&mut plan, lab) {
            return Self { problems, ..Self::default() };
        }
        let expected_secs = in_plan(&plan, history);
        let expected = expected_by_step(&plan, &expected_secs);
        let known = Known { expected_secs, may_drop: Some(may_drop_caches()) };
        let preview = preview(&plan, lab, &known);
        Self { plan: Some(plan), preview, problems: Vec::new(), expected }
    }

    /// How many runs it makes.
    pub fn runs(&self) -> usize {
        self.preview.order.len()
    }
}

/// Earlier runs as cells of this plan, whose operations have places of their own.
fn in_plan(plan: &Plan, history: &[(Operation, Cell, f64)]) -> BTreeMap<Cell, f64> {
    let of = |(operation, cell, secs): &(Operation, Cell, f64)| {
        let place = plan.operations.iter().position(|known| known == operation)?;
        Some((Cell { operation: place, ..cell.clone() }, *secs))
    };
    history.iter().filter_map(of).collect()
}
