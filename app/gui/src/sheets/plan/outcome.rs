//! What a plan gives with a lab: its steps in their order, how long they take, what is in the way.

use std::collections::BTreeMap;
use triptych_model::Problem;
use triptych_runner::lab::Lab;
use triptych_runner::plan::{Cell, Operation, Plan};
use triptych_runner::{cellname, expand};

/// What was worked out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The plan with its steps; none where something is in the way.
    pub plan: Option<Plan>,
    /// How many cells are measured.
    pub cells: usize,
    /// The names of the steps in their order.
    pub order: Vec<String>,
    /// What is in the way, and what is worth knowing.
    pub problems: Vec<Problem>,
    /// Cells that the lab cannot measure, each with the reason.
    pub left_out: Vec<String>,
    /// Wall seconds that earlier runs of a cell took, by the step's number.
    pub expected: BTreeMap<u32, f64>,
}

impl Outcome {
    /// Works it out; `lab` has absolute paths.
    pub fn of(plan: &Plan, lab: &Lab) -> Self {
        Self::with_history(plan, lab, &[])
    }

    /// The same with what earlier runs of cells took, in wall seconds.
    pub fn with_history(plan: &Plan, lab: &Lab, history: &[(Operation, Cell, f64)]) -> Self {
        let mut plan = plan.clone();
        let mut outcome = Self::default();
        match expand::expand(&mut plan, lab) {
            Err(problems) => outcome.problems = problems,
            Ok(()) => {
                outcome.order = plan.steps.iter().map(|step| cellname::step_name(&plan, step)).collect();
                outcome.cells = plan.steps.iter().filter(|step| step.repetition == 1).count();
                outcome.left_out = expand::left_out(&plan, lab).into_iter().map(|left| left.reason).collect();
                outcome.expected = expected(&plan, history);
                outcome.plan = Some(plan);
            }
        }
        outcome
    }
}

/// What each step may take, where its cell was measured before.
fn expected(plan: &Plan, history: &[(Operation, Cell, f64)]) -> BTreeMap<u32, f64> {
    let of = |cell: &Cell| {
        let operation = plan.operations.get(cell.operation)?;
        let same = |(known, before, _): &&(Operation, Cell, f64)| {
            known == operation && Cell { operation: cell.operation, ..before.clone() } == *cell
        };
        history.iter().find(same).map(|(_, _, secs)| *secs)
    };
    plan.steps.iter().filter_map(|step| Some((step.step, of(&step.cell)?))).collect()
}
