//! Builds: whether their programs are there, of which version, built for debugging or not; and which
//! operations they can run.

use super::{CheckRow, State, Subject};
use crate::builds::{self, Program, ask};
use crate::experiments::{EXPERIMENTS, ExperimentSpec};
use crate::lab::{Build, Lab, Variant};
use std::collections::BTreeMap;

/// What the programs of a build said.
pub(super) type Programs = Vec<(&'static str, Program)>;

/// What the programs of each build said.
pub(super) type Asked = BTreeMap<String, Programs>;

/// Asks a build.
pub(super) fn row(build: &Build) -> (CheckRow, Programs) {
    let programs = builds::programs(build);
    let facts = builds::facts_of(&programs);
    let row = judge(build, &programs).facts(facts);
    (row, programs)
}

fn judge(build: &Build, programs: &[(&'static str, Program)]) -> CheckRow {
    let row = |state, text: String| CheckRow::new(Subject::Build, &build.name, state, text);
    let faults: Vec<String> = programs
        .iter()
        .filter_map(|(name, program)| Some(format!("{name} {}", program.fault.as_ref()?)))
        .collect();
    let versions = builds::versions(programs);
    let Some(version) = versions.first() else {
        return row(State::Failed, faults.join(", "))
            .next("name the directory that holds svn, svnadmin, svnserve and svnbench");
    };
    let compiled = programs.iter().find_map(|(_, program)| program.compiled.as_deref()).unwrap_or("unknown");
    let about = format!("{version}, compiled {compiled}");
    if !faults.is_empty() {
        let vital = programs.iter().any(|(name, program)| *name != "svnbench" && program.fault.is_some());
        let state = if vital { State::Failed } else { State::Warning };
        return row(state, format!("{about}; {}", faults.join(", ")))
            .next("install it or say under programs where it lies; what needs it cannot run");
    }
    if builds::is_debug(programs) == Some(true) {
        let sign = programs.iter().find_map(|(_, program)| program.debug_sign.as_deref()).unwrap_or_default();
        return row(State::Warning, format!("{about}; a debug or maintainer-mode build ({sign})"))
            .next("its runs are marked debug-build and get no verdict; build it without --enable-debug and --enable-maintainer-mode");
    }
    if versions.len() > 1 {
        return row(
            State::Warning,
            format!("{about}; programs of several versions: {}", versions.join(", ")),
        )
        .next("name a directory that holds one build");
    }
    if builds::is_debug(programs).is_none() {
        return row(State::Unknown, format!("{about}; its errors do not tell whether it is a debug build"));
    }
    let unreleased = programs.iter().any(|(_, program)| program.is_unreleased());
    row(State::Ok, if unreleased { format!("{about}, not a release") } else { about })
}

/// Which operations can run, and for which variants they cannot.
pub(super) fn experiments(lab: &Lab, asked: &Asked) -> Vec<CheckRow> {
    EXPERIMENTS.iter().map(|experiment| experiment_row(experiment.spec(), lab, asked)).collect()
}

fn experiment_row(spec: &ExperimentSpec, lab: &Lab, asked: &Asked) -> CheckRow {
    let row = |state, text: String| CheckRow::new(Subject::Experiment, spec.operation, state, text);
    if spec.needs_file && lab.repositories.iter().all(|repository| repository.file.is_none()) {
        return row(State::Warning, "no repository of the lab names a file for it".into())
            .next("name one, such as trunk/README");
    }
    let lacks: Vec<(&Variant, String)> = lab
        .variants
        .iter()
        .filter_map(|variant| Some((variant, lack(spec, asked.get(&variant.build)?)?)))
        .collect();
    if lacks.is_empty() {
        return row(State::Ok, "can run".into());
    }
    let mut texts: Vec<String> =
        lacks.iter().map(|(variant, why)| format!("in build {}, {why}", variant.build)).collect();
    texts.dedup();
    let names: Vec<&str> = lacks.iter().map(|(variant, _)| variant.name.as_str()).collect();
    let all = lacks.len() == lab.variants.len();
    let text = if all { "cannot run".to_owned() } else { format!("cannot run for {}", names.join(", ")) };
    row(State::Warning, format!("{text}: {}", texts.join(", "))).fact("not_for", names)
}

/// What a build lacks for an operation.
fn lack(spec: &ExperimentSpec, programs: &Programs) -> Option<String> {
    let needed = [Some(spec.program), spec.needs_server.then_some("svnserve")];
    for name in needed.into_iter().flatten() {
        let (_, program) = programs.iter().find(|(program, _)| *program == name)?;
        if let Some(fault) = &program.fault {
            return Some(format!("{name} {fault}"));
        }
        if name == "svnbench" && !knows(program, spec) {
            let subcommand = spec.operation.split(' ').next().unwrap_or(spec.operation);
            return Some(format!("svnbench does not know {subcommand}"));
        }
    }
    None
}

/// Old ones lack some of the subcommands.
fn knows(program: &Program, spec: &ExperimentSpec) -> bool {
    let subcommand = spec.operation.split(' ').next().unwrap_or(spec.operation);
    match ask(&program.path, &["help", subcommand], true) {
        Ok(said) => !said.stdout.contains("unknown command") && !said.stderr.contains("unknown command"),
        // Whether it answers at all was asked before.
        Err(_) => true,
    }
}
