//! `triptych run`: measures a plan in a lab, tells how far it is, and prints its triples.

mod places;
mod session;

pub(super) use places::{
    LabFile, check_empty, failed, has_demo, known_of_machine, lab_file, new_directory, problems,
};
pub(super) use session::{Campaign, measure, on_interrupt};

use crate::failure::{Failure, Outcome};
use crate::output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use triptych_model::runlog::StepEnd;
use triptych_runner::plan::Plan;
use triptych_runner::{expand, planfile, preview};

/// Help and arguments.
pub fn command() -> Command {
    Command::new("run")
        .about("Measure a plan on this machine")
        .long_about(
            "Measure a plan on this machine, and print its triples. Without a plan it is the demo lab's, which \
             triptych lab demo makes. Of a directory that holds an interrupted campaign, named by -o, what is left \
             is measured. Ctrl+C ends the current run and keeps what is finished.",
        )
        .arg(
            Arg::new("plan")
                .value_name("PLAN.json")
                .help("What to measure; else the plan of the campaign in DIR, else the demo lab's")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(lab_option())
        .arg(directory_option())
        .arg(dry_run_option())
}

/// `--lab LAB.json`.
pub(super) fn lab_option() -> Arg {
    Arg::new("lab")
        .long("lab")
        .value_name("LAB.json")
        .help("The lab; else lab.json beside the plan, else the demo lab")
        .value_parser(value_parser!(PathBuf))
}

/// `-o DIR`.
pub(super) fn directory_option() -> Arg {
    Arg::new("output")
        .short('o')
        .value_name("DIR")
        .help("Directory of the campaign; else a new one in the archive")
        .value_parser(value_parser!(PathBuf))
}

/// `--dry-run`.
pub(super) fn dry_run_option() -> Arg {
    Arg::new("dry-run")
        .long("dry-run")
        .help("Say what would be done, in which order, for how long and with which rights, and do nothing")
        .action(ArgAction::SetTrue)
}

/// Reads plan and lab, measures, prints.
///
/// # Errors
/// Plan or lab are at fault, the runner cannot be started, or the output cannot be written.
pub fn run(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let output = arguments.get_one::<PathBuf>("output");
    let named = arguments.get_one::<PathBuf>("plan");
    let interrupted = output.filter(|directory| directory.join("run.ndjson").exists());
    if let (Some(directory), None) = (output, interrupted) {
        check_empty(directory)?;
    }
    let path = match (interrupted, named) {
        (Some(directory), _) => directory.join("plan.json"),
        (None, Some(path)) => path.clone(),
        (None, None) => places::demo_file("plan.json")?,
    };
    // A plan that cannot be read is the nearer fault: it is told before that of a missing lab.
    planfile::read(&path, None).map_err(|found| problems(&found, "the plan"))?;
    let lab = lab_file(arguments, path.parent())?;
    let mut plan = planfile::read(&path, Some(&lab.lab)).map_err(|found| problems(&found, "the plan"))?;
    if let (Some(directory), Some(named)) = (interrupted, named) {
        same_plan(&plan, named, directory)?;
    }
    if plan.steps.is_empty() {
        expand::expand(&mut plan, &lab.lab).map_err(|found| problems(&found, "the plan"))?;
    }
    if arguments.get_flag("dry-run") {
        let ends = interrupted.map(|directory| session::ends_before(directory));
        return dry_run(plan, &lab, ends.as_deref());
    }
    let directory = match output {
        Some(directory) => directory.clone(),
        None => new_directory(&plan.title)?,
    };
    measure(Campaign { lab: lab.absolute, plan, directory, expected_secs: BTreeMap::new() })
}

/// Refuses to go on with a campaign under another plan.
fn same_plan(kept: &Plan, named: &Path, directory: &Path) -> Result<(), Failure> {
    let mut wanted = planfile::read(named, None).map_err(|found| problems(&found, "the plan"))?;
    if wanted.steps.is_empty() {
        wanted.steps.clone_from(&kept.steps);
    }
    if wanted == *kept {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{} holds a campaign of another plan: name another directory, or leave {} out to go on with it",
        directory.display(),
        named.display()
    )))
}

/// Says what a plan will do; of a campaign that was begun, of which `ends` are there, what is left.
fn dry_run(mut plan: Plan, lab: &LabFile, ends: Option<&[StepEnd]>) -> Result<Outcome, Failure> {
    let (mut lines, mut known) = (Vec::new(), known_of_machine());
    if let Some(ends) = ends {
        known.expected_secs = session::took(&plan, ends);
        lines.push(leave_undone(&mut plan, ends));
    }
    if ends.is_none() || !plan.steps.is_empty() {
        lines.extend(preview::preview(&plan, &lab.lab, &known).lines());
    }
    lines.extend(session::missing(&plan, &lab.absolute).into_iter().map(|words| format!("Missing: {words}")));
    output::print(&(lines.join("\n") + "\n"))?;
    Ok(Outcome::Accepted)
}

/// Takes the steps that ended out of the plan, and says how many there are.
fn leave_undone(plan: &mut Plan, ends: &[StepEnd]) -> String {
    let all = plan.steps.len();
    let ended: BTreeSet<u32> = ends.iter().map(|end| end.step).collect();
    plan.steps.retain(|step| !ended.contains(&step.step));
    let left = plan.steps.len();
    format!("{} of {all} runs done before, {left} left", all - left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::runlog::MeasuredValue;
    use triptych_model::{Process, Quality, Unit};
    use triptych_runner::plan::{Cache, Cell, Step};

    fn cell(variant: &str) -> Cell {
        let (repository, medium) = ("demo".to_owned(), "SSD".to_owned());
        Cell { operation: 0, repository, variant: variant.to_owned(), medium, cache: Cache::Hot }
    }

    fn end(step: u32, secs: f64, failure: Option<&str>) -> StepEnd {
        let real = MeasuredValue {
            process: Process::Client,
            metric: "real".to_owned(),
            value: Some(secs),
            unit: Unit::Secs,
            quality: Quality::MEASURED,
        };
        let failure = failure.map(str::to_owned);
        StepEnd { step, failure, measurements: vec![real], ..StepEnd::default() }
    }

    #[test]
    fn what_is_done_is_known_and_not_listed() {
        let step = |step: u32, variant: &str| Step { step, cell: cell(variant), repetition: 1 };
        let steps = vec![step(1, "a"), step(2, "b"), step(3, "a"), step(4, "c"), step(5, "a")];
        let mut plan = Plan { steps, ..Plan::default() };
        let ends = [end(1, 2.0, None), end(3, 1.5, None), end(4, 9.0, Some("broken")), end(7, 1.0, None)];
        let took: Vec<(Cell, f64)> = session::took(&plan, &ends).into_iter().collect();
        assert_eq!(took, [(cell("a"), 2.0)], "the longest, and no failed run");
        assert_eq!(leave_undone(&mut plan, &ends), "3 of 5 runs done before, 2 left");
        assert_eq!(plan.steps.iter().map(|step| step.step).collect::<Vec<_>>(), [2, 5]);
    }
}
