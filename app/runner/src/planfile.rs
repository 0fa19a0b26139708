//! The plan as a file: reading with line and column, checking against the experiments and a lab, writing.
//!
//! Used by the verbs and by the plan editor, which checks what its forms made with [`faults`].

mod check;

pub use check::{Fault, faults};

use crate::lab::Lab;
use crate::labfile::write_whole;
use crate::locate;
use crate::plan::{PLAN_VERSION, Plan};
use std::fs;
use std::path::Path;
use triptych_model::{Problem, ProblemKind, Severity};

/// Reads and checks a plan; with a lab also whether it has what the plan names.
///
/// # Errors
/// All that is wrong with it, each with its line and column.
pub fn read(path: &Path, lab: Option<&Lab>) -> Result<Plan, Vec<Problem>> {
    let source = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| {
        let problem = Problem::new(
            Severity::Error,
            ProblemKind::Unreadable,
            &source,
            format!("the plan cannot be read: {error}"),
        );
        vec![problem]
    })?;
    parse(&text, &source, lab)
}

/// Reads and checks the text of a plan; `source` is its path for messages.
///
/// # Errors
/// All that is wrong with it, each with its line and column.
pub fn parse(text: &str, source: &str, lab: Option<&Lab>) -> Result<Plan, Vec<Problem>> {
    let plan: Plan =
        locate::parse_version(source, text, "plan", PLAN_VERSION).map_err(|problem| vec![problem])?;
    let problems: Vec<Problem> =
        faults(&plan, lab).into_iter().map(|fault| placed(fault, text, source)).collect();
    if problems.is_empty() { Ok(plan) } else { Err(problems) }
}

/// Writes a plan; its file is whole or as it was before.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, plan: &Plan) -> Result<(), Problem> {
    let text = to_text(plan).map_err(std::io::Error::from);
    text.and_then(|text| write_whole(path, &text)).map_err(|error| {
        let message = format!("the plan cannot be written: {error}");
        Problem::new(Severity::Error, ProblemKind::Unreadable, path.display().to_string(), message)
            .next_step("choose another place")
    })
}

/// The text of a plan's file.
///
/// # Errors
/// A number has no form in JSON.
pub fn to_text(plan: &Plan) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(plan).map(|text| text + "\n")
}

fn placed(fault: Fault, text: &str, source: &str) -> Problem {
    let problem = Problem { source: source.to_owned(), ..fault.problem };
    match locate::locate_nearest(text, &fault.pointer) {
        Some((line, column)) => problem.at_line(line).at_column(column),
        None => problem,
    }
}

#[cfg(test)]
mod tests;
