//! `triptych run`: measures a plan in a lab, tells how far it is, and prints its triples.

mod places;
mod session;

pub(super) use places::{LabFile, failed, has_demo, known_of_machine, lab_file, new_directory, problems};
pub(super) use session::{Campaign, measure, on_interrupt};

use crate::failure::{Failure, Outcome};
use crate::output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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
        return dry_run(&plan, &lab);
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

fn dry_run(plan: &Plan, lab: &LabFile) -> Result<Outcome, Failure> {
    let lines = preview::preview(plan, &lab.lab, &known_of_machine()).lines();
    output::print(&(lines.join("\n") + "\n"))?;
    Ok(Outcome::Accepted)
}
