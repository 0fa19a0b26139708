//! What a plan gives with a lab: its steps in their order, how long they take, what is in the way.

use triptych_model::Problem;
use triptych_runner::lab::Lab;
use triptych_runner::plan::Plan;
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
}

impl Outcome {
    /// Works it out; `lab` has absolute paths.
    pub fn of(plan: &Plan, lab: &Lab) -> Self {
        let mut plan = plan.clone();
        let mut outcome = Self::default();
        match expand::expand(&mut plan, lab) {
            Err(problems) => outcome.problems = problems,
            Ok(()) => {
                outcome.order = plan.steps.iter().map(|step| cellname::step_name(&plan, step)).collect();
                outcome.cells = plan.steps.iter().filter(|step| step.repetition == 1).count();
                outcome.plan = Some(plan);
            }
        }
        outcome
    }
}
