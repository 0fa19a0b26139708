//! `triptych rerun`: the plan that repeats these rows, made or measured, or its commands as a script.

use super::run::{self, Campaign, LabFile};
use super::{paths, pattern, table};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::sources;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::collections::BTreeMap;
use std::path::PathBuf;
use triptych_model::Process;
use triptych_runner::plan::{Cell, Plan};
use triptych_runner::preview::Known;
use triptych_runner::rerun::{FEWEST, Kind, OldCell, OldRow, RerunDraft, Wish, answer, map_as};
use triptych_runner::{expand, labfile, preview, shell};
use triptych_store::{Query, RunView};

/// Help and arguments.
pub fn command() -> Command {
    Command::new("rerun")
        .about("Measure the rows of logs and published tables again")
        .long_about(
            "Measure the rows of logs and published tables again, a mail's included. Rows that triptych run made \
             are repeated as they were; of all others the operation and its options come from the command, and \
             variant, repository, medium and cache from their names in the lab.",
        )
        .arg(paths())
        .arg(pattern())
        .arg(
            Arg::new("where")
                .long("where")
                .value_name("K=V")
                .help("Only rows with this condition, * is a wildcard; K!=V: only rows without it")
                .action(ArgAction::Append),
        )
        .arg(run::lab_option())
        .arg(
            Arg::new("known-as")
                .long("known-as")
                .value_name("KIND NAME=LAB NAME")
                .help("What a name of the rows is called in the lab, such as 'variant trunk=format 6'")
                .long_help(
                    "What a name of the rows is called in the lab, such as 'variant trunk=format 6'. The kinds are \
                     experiment, repository, variant, medium and cache; an empty name of the lab leaves such rows \
                     out. Without --dry-run the lab's file remembers it.",
                )
                .action(ArgAction::Append),
        )
        .arg(
            Arg::new("repetitions")
                .long("repetitions")
                .value_name("N")
                .help("Runs of each cell; else as many as the rows have, of published rows three at least")
                .value_parser(value_parser!(u32).range(1..=10_000)),
        )
        .arg(run::directory_option())
        .arg(run::dry_run_option())
        .arg(
            Arg::new("as")
                .long("as")
                .value_name("FORM")
                .help("Print the commands as a script for bash instead, for those who have no Triptych")
                .value_parser(["shell"]),
        )
}

/// Reads the rows, maps them, and prints or measures the plan.
///
/// # Errors
/// A condition or answer cannot be understood, the lab is at fault, or the output cannot be written.
pub fn run(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let filters = table::filters(&sources::strings(arguments, "where"))?;
    let read = sources::read(arguments)?;
    read.tell();
    let query = Query { filters, with_failed: true, ..Query::default() };
    let runs: Vec<RunView> =
        read.store.runs(&query).into_iter().filter_map(|run| read.store.run(run)).collect();
    let rows: Vec<OldRow> = runs.iter().map(old_row).collect();
    if rows.is_empty() {
        output::tell(&"triptych: there are no rows to repeat in what was read and asked for");
        return Ok(Outcome::Refused);
    }
    let mut lab = lab_of(arguments)?;
    let script = arguments.get_one::<String>("as").is_some();
    let dry = script || arguments.get_flag("dry-run");
    remember(arguments, lab.as_mut(), dry)?;
    let wish = Wish { repetitions: arguments.get_one::<u32>("repetitions").copied(), title: None };
    let draft = map_as(&rows, lab.as_ref().map(|file| &file.lab), &wish);
    if script {
        return print_script(&draft, lab.as_ref(), &wish);
    }
    let lacks = lacks(&draft, lab.as_ref());
    if dry {
        let mut lines = cell_lines(&draft, rows.len());
        lines.extend(lacks);
        lines.extend(plan_lines(&draft, lab.as_ref(), &took(&draft, &runs))?);
        output::print(&(lines.join("\n") + "\n"))?;
        return Ok(read.outcome(false));
    }
    let took = took(&draft, &runs);
    match (draft.plan, lab) {
        (Some(plan), Some(lab)) => {
            for note in draft.left_out.iter().chain(&draft.notes) {
                output::tell(&format!("triptych: {note}"));
            }
            measure_again(arguments, plan, lab, &took)
        }
        _ => {
            lacks.iter().for_each(|line| output::tell(line));
            Ok(Outcome::Refused)
        }
    }
}

fn old_row(run: &RunView) -> OldRow {
    let mut row = OldRow { id: run.id.clone(), settings: run.settings.clone(), ..OldRow::default() };
    for (key, (value, _)) in &run.conditions {
        row.conditions.set(*key, value.clone());
    }
    row
}

/// How long the rows took by cell, the longest of each: what another machine took is the best guess there is.
fn took(draft: &RerunDraft, runs: &[RunView]) -> BTreeMap<Cell, f64> {
    let of_run: BTreeMap<&str, f64> =
        runs.iter().filter_map(|run| Some((run.id.as_str(), wall_secs(run)?))).collect();
    let mut took = BTreeMap::new();
    for old in &draft.cells {
        let Some(cell) = old.cell.as_ref().and_then(|cell| draft.in_plan(cell)) else { continue };
        let longest = old.rows.iter().filter_map(|id| of_run.get(id.as_str()).copied()).reduce(f64::max);
        if let Some(secs) = longest {
            let known: &mut f64 = took.entry(cell).or_insert(secs);
            *known = known.max(secs);
        }
    }
    took
}

/// `real`, else the time that a table printed without saying which.
fn wall_secs(run: &RunView) -> Option<f64> {
    let of_client = |metric: &str| {
        let mut values = run.values.iter();
        values.find(|value| value.process == Process::Client && value.metric == metric)?.value
    };
    of_client("real").or_else(|| of_client("time"))
}

/// The lab that was named, else that of the campaign that is repeated, else the demo lab if there is one.
fn lab_of(arguments: &ArgMatches) -> Result<Option<LabFile>, Failure> {
    let mut places = arguments.get_many::<PathBuf>("paths").unwrap_or_default();
    let beside = places.find(|path| path.join("lab.json").exists());
    let named = arguments.get_one::<PathBuf>("lab").is_some() || beside.is_some();
    match run::lab_file(arguments, beside.map(PathBuf::as_path)) {
        Ok(lab) => Ok(Some(lab)),
        Err(failure) if named || run::has_demo() => Err(failure),
        Err(_) => Ok(None),
    }
}

/// Takes the answers of `--known-as` into the lab, and into its file if it is to be used.
fn remember(arguments: &ArgMatches, lab: Option<&mut LabFile>, dry: bool) -> Result<(), Failure> {
    let answers = sources::strings(arguments, "known-as");
    if answers.is_empty() {
        return Ok(());
    }
    let usage = |text: &str, why: &str| Failure::Usage(format!("--known-as {text}: {why}"));
    let Some(lab) = lab else {
        return Err(Failure::Usage("--known-as: there is no lab to know it; name one with --lab".into()));
    };
    for text in &answers {
        let (foreign, own) =
            text.split_once('=').ok_or_else(|| usage(text, "expected KIND NAME=LAB NAME"))?;
        let (word, name) = foreign.trim().split_once(' ').unwrap_or((foreign.trim(), ""));
        let kinds = Kind::ALL.map(Kind::word).join(", ");
        let kind = Kind::parse(word).ok_or_else(|| usage(text, &format!("expected one of {kinds} first")))?;
        for lab in [&mut lab.lab, &mut lab.absolute] {
            answer(lab, kind, name.trim(), own.trim()).map_err(|why| usage(text, &why))?;
        }
    }
    if dry {
        return Ok(());
    }
    labfile::write(&lab.path, &lab.lab).map_err(|problem| run::problems(&[problem], "the lab"))
}

fn print_script(draft: &RerunDraft, lab: Option<&LabFile>, wish: &Wish) -> Result<Outcome, Failure> {
    let planned = draft.plan.as_ref().map(|plan| plan.repetitions);
    let repetitions = wish.repetitions.or(planned).unwrap_or(FEWEST);
    let title = draft.plan.as_ref().map_or("The commands of these rows", |plan| &plan.title);
    let (script, unmade) = shell::of_draft(draft, lab.map(|lab| &lab.absolute), title, repetitions);
    output::print(&script)?;
    for line in unmade.iter().chain(&draft.notes) {
        output::tell(&format!("triptych: {line}"));
    }
    Ok(if unmade.is_empty() { Outcome::Accepted } else { Outcome::Refused })
}

/// The cells in the words of the rows, under their commands.
fn cell_lines(draft: &RerunDraft, rows: usize) -> Vec<String> {
    let mut lines = vec![format!("{} cells of {rows} rows", draft.cells.len())];
    let mut command: Option<&Option<String>> = None;
    for cell in &draft.cells {
        if command != Some(&cell.command) {
            command = Some(&cell.command);
            let text = cell.command.as_deref().unwrap_or("(the rows do not say the command)");
            lines.extend([String::new(), format!("$ {text}")]);
        }
        lines.push(cell_line(cell));
    }
    lines
}

fn cell_line(cell: &OldCell) -> String {
    match cell.rows.len() {
        1 => format!("  {}", cell.name),
        rows => format!("  {} ({rows} rows)", cell.name),
    }
}

/// What the lab lacks, and how it can be told.
fn lacks(draft: &RerunDraft, lab: Option<&LabFile>) -> Vec<String> {
    if draft.missing.is_empty() {
        return draft.left_out.iter().map(|line| format!("left out: {line}")).collect();
    }
    let name = lab.map_or("There is no lab; these names need one".to_owned(), |lab| {
        format!("The lab {} lacks", lab.lab.name)
    });
    let mut lines = vec![String::new(), name];
    for missing in &draft.missing {
        let there = if missing.suggestions.is_empty() {
            String::new()
        } else {
            format!("; it has {}", missing.suggestions.join(", "))
        };
        let cells = if missing.needed_by == 1 { "cell" } else { "cells" };
        lines.push(format!("  {}: needed by {} {cells}{there}", missing.title(), missing.needed_by));
    }
    // An operation is seldom another one's other name.
    let names = draft.missing.iter().filter(|missing| missing.kind != Kind::Experiment);
    let example = names.chain(&draft.missing).find_map(|missing| {
        let own = missing.suggestions.first()?;
        Some(format!("--known-as '{} {}={own}'", missing.kind.word(), missing.name))
    });
    lines.push(String::new());
    lines.push(match (lab, example) {
        (Some(lab), Some(example)) => {
            format!(
                "Say what they are called there, such as {example}, or add them to {}",
                lab.path.display()
            )
        }
        (Some(lab), None) => format!("Add them to {}", lab.path.display()),
        (None, _) => "Name a lab with --lab, or make one with triptych lab demo".to_owned(),
    });
    lines
}

/// What will be otherwise, and the preview of the plan, if nothing is missing.
fn plan_lines(
    draft: &RerunDraft,
    lab: Option<&LabFile>,
    took: &BTreeMap<Cell, f64>,
) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    if !draft.notes.is_empty() {
        lines.push(String::new());
        lines.extend(draft.notes.iter().map(|note| format!("Note: {note}")));
    }
    if let (Some(plan), Some(lab)) = (&draft.plan, lab) {
        let mut plan = plan.clone();
        expand::expand(&mut plan, &lab.lab).map_err(|found| run::problems(&found, "the plan"))?;
        lines.push(String::new());
        let known = Known { expected_secs: took.clone(), ..run::known_of_machine() };
        lines.extend(preview::preview(&plan, &lab.lab, &known).lines());
    }
    Ok(lines)
}

fn measure_again(
    arguments: &ArgMatches,
    mut plan: Plan,
    lab: LabFile,
    took: &BTreeMap<Cell, f64>,
) -> Result<Outcome, Failure> {
    expand::expand(&mut plan, &lab.lab).map_err(|found| run::problems(&found, "the plan"))?;
    let directory = match arguments.get_one::<PathBuf>("output") {
        Some(directory) if directory.join("run.ndjson").exists() => {
            return Err(Failure::Usage(format!(
                "{} holds a campaign: name another directory",
                directory.display()
            )));
        }
        Some(directory) => {
            run::check_empty(directory)?;
            directory.clone()
        }
        None => run::new_directory(&plan.title)?,
    };
    let expected_secs = preview::expected_by_step(&plan, took);
    run::measure(Campaign { lab: lab.absolute, plan, directory, expected_secs })
}
