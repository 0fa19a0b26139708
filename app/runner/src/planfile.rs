//! The plan as a file: reading with line and column, checking against the experiments and a lab, writing.
//!
//! Used by the verbs and by the plan editor, which checks what its forms made with [`faults`].

mod check;

pub use check::{Fault, faults};

use crate::jsonfile::{self, Kind};
use crate::lab::Lab;
use crate::plan::{PLAN_VERSION, Plan};
use std::path::Path;
use triptych_model::Problem;

const KIND: Kind = Kind { name: "plan", version: PLAN_VERSION, next_step: None };

/// Reads and checks a plan; with a lab also whether it has what the plan names.
///
/// # Errors
/// All that is wrong with it, each with its line and column.
pub fn read(path: &Path, lab: Option<&Lab>) -> Result<Plan, Vec<Problem>> {
    parse(&KIND.read(path)?, &path.display().to_string(), lab)
}

/// Reads and checks the text of a plan; `source` is its path for messages.
///
/// # Errors
/// All that is wrong with it, each with its line and column.
pub fn parse(text: &str, source: &str, lab: Option<&Lab>) -> Result<Plan, Vec<Problem>> {
    KIND.parse(text, source, |plan| faults(plan, lab))
}

/// Writes a plan; its file is whole or as it was before.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, plan: &Plan) -> Result<(), Problem> {
    KIND.write(path, plan)
}

/// The text of a plan's file.
///
/// # Errors
/// A number has no form in JSON.
pub fn to_text(plan: &Plan) -> Result<String, serde_json::Error> {
    jsonfile::to_text(plan)
}

#[cfg(test)]
mod tests;
