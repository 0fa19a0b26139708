//! `triptych lab`: what this machine can measure, proved or shown, and a demo lab made here.

use super::run;
use crate::failure::{Failure, Outcome};
use crate::output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use triptych_runner::check::{self, LabReport, State};
use triptych_runner::demo::{DemoError, DemoOptions, PLAN_FILE, demo_lab_directory, make_demo_with};
use triptych_runner::lab::Lab;
use triptych_runner::labfile;

/// Help and arguments.
pub fn command() -> Command {
    Command::new("lab")
        .about("What this machine can measure: check it, show it, or make a demo lab")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(
            Command::new("check")
                .about("Prove builds, repositories, media, rights, tools and quiet of the machine")
                .arg(lab_path())
                .arg(json()),
        )
        .subcommand(
            Command::new("demo")
                .about("Make a small repository in formats 6, 7 and 8, with a lab and a plan for it")
                .arg(
                    Arg::new("directory")
                        .value_name("DIR")
                        .help("Where to make it; else in the cache directory")
                        .value_parser(value_parser!(PathBuf)),
                )
                .arg(
                    Arg::new("seed")
                        .long("seed")
                        .value_name("N")
                        .help("The same seed gives the same content")
                        .default_value("1")
                        .value_parser(value_parser!(u64)),
                )
                .arg(
                    Arg::new("revisions")
                        .long("revisions")
                        .value_name("N")
                        .help("How many revisions it has; else 1500")
                        .value_parser(value_parser!(u64).range(10..=100_000)),
                ),
        )
        .subcommand(Command::new("show").about("List what a lab names").arg(lab_path()).arg(json()))
}

/// `[LAB.json]`, under the name that `run` gives its option.
fn lab_path() -> Arg {
    Arg::new("lab")
        .value_name("LAB.json")
        .help("The lab; else lab.json in this directory, else the demo lab")
        .value_parser(value_parser!(PathBuf))
}

fn json() -> Arg {
    Arg::new("json").long("json").help("Print it as JSON").action(ArgAction::SetTrue)
}

/// Checks, makes or shows.
///
/// # Errors
/// There is no lab, it is at fault, or the demo cannot be made.
pub fn run(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    match arguments.subcommand() {
        Some(("check", arguments)) => check(arguments),
        Some(("demo", arguments)) => demo(arguments),
        Some(("show", arguments)) => show(arguments),
        _ => Err(Failure::Usage("expected triptych lab check, demo or show".into())),
    }
}

/// Something that cannot be measured makes the exit status 1; a reserve does not.
fn check(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let file = run::lab_file(arguments, Some(".".as_ref()))?;
    let report = check::check(&file.absolute, file.path.parent().unwrap_or(Path::new("/")));
    let text = if arguments.get_flag("json") {
        serde_json::to_string_pretty(&report)
            .map_err(|error| run::failed("the report has no form in JSON", error))?
    } else {
        report_lines(&report).join("\n")
    };
    output::print(&(text + "\n"))?;
    Ok(if report.is_sound() { Outcome::Accepted } else { Outcome::Refused })
}

/// One line for each row, its next step below it, and the count of each state.
fn report_lines(report: &LabReport) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &report.rows {
        lines.push(format!("{:8}{} {}: {}", row.state.word(), row.what.word(), row.name, row.text));
        lines.extend(row.next_step.iter().map(|next| format!("{:8}→ {next}", "")));
    }
    let counts = [State::Ok, State::Warning, State::Unknown, State::Failed]
        .map(|state| format!("{} {}", report.count(state), state.word()));
    lines.extend([String::new(), format!("{}: {}", report.lab, counts.join(", "))]);
    lines
}

fn demo(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let named = arguments.get_one::<PathBuf>("directory").cloned();
    let is_usual = named.is_none();
    let directory = named.or_else(demo_lab_directory).ok_or_else(|| {
        Failure::Usage("this user has no cache directory: name one, triptych lab demo DIR".into())
    })?;
    let default = DemoOptions::default();
    let options = DemoOptions {
        seed: arguments.get_one::<u64>("seed").copied().unwrap_or(default.seed),
        revisions: arguments.get_one::<u64>("revisions").copied().unwrap_or(default.revisions),
    };
    let interrupted = run::on_interrupt().map_err(|error| run::failed("signals cannot be caught", error))?;
    let mut told = -1;
    let made = make_demo_with(&directory, options, &mut |progress| {
        let tenth = (progress.share * 10.0) as i32;
        if tenth > told {
            told = tenth;
            output::tell(&format!("{:3} %  {}", tenth * 10, progress.text));
        }
        !interrupted.load(Ordering::Relaxed)
    });
    match made {
        Ok(_) => {
            output::print(&format!("{}\n", directory.join(labfile::LAB_FILE).display()))?;
            let plan = directory.join(PLAN_FILE);
            let plan = if is_usual { String::new() } else { format!(" {}", plan.display()) };
            output::tell(&format!("next: triptych run{plan}"));
            Ok(Outcome::Accepted)
        }
        Err(DemoError::Cancelled) => {
            output::tell(&"triptych: cancelled, and nothing was left behind");
            Ok(Outcome::Refused)
        }
        Err(error) => Err(Failure::Failed(error.into())),
    }
}

fn show(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let file = run::lab_file(arguments, Some(".".as_ref()))?;
    let text = if arguments.get_flag("json") {
        labfile::to_text(&file.absolute).map_err(|error| run::failed("the lab has no form in JSON", error))?
    } else {
        let head = format!("{} ({})", file.lab.name, file.path.display());
        [head].into_iter().chain(lines(&file.absolute)).collect::<Vec<_>>().join("\n") + "\n"
    };
    output::print(&text)?;
    Ok(Outcome::Accepted)
}

/// Builds, media, repositories with their copies, and variants.
fn lines(lab: &Lab) -> Vec<String> {
    let mut lines = vec![String::new(), "Builds".to_owned()];
    lines.extend(lab.builds.iter().map(|build| format!("  {}: {}", build.name, build.directory.display())));
    lines.extend([String::new(), "Media".to_owned()]);
    lines.extend(lab.media.iter().map(|medium| format!("  {}: {}", medium.name, medium.directory.display())));
    lines.extend([String::new(), "Repositories".to_owned()]);
    for repository in &lab.repositories {
        let youngest = repository.youngest.map(|youngest| format!(", revision {youngest}"));
        let aliases = also(&repository.aliases);
        lines.push(format!("  {}{}{aliases}", repository.name, youngest.unwrap_or_default()));
        for copy in &repository.copies {
            let format = copy.format.as_deref().map(|format| format!("format {format}"));
            let packed = copy.packed.map(|packed| if packed { "packed" } else { "not packed" }.to_owned());
            let facts: Vec<String> =
                format.into_iter().chain(packed).chain([format!("on {}", copy.medium)]).collect();
            lines.push(format!("    {}: {}: {}", copy.name, facts.join(", "), copy.path.display()));
        }
    }
    lines.extend([String::new(), "Variants".to_owned()]);
    for variant in &lab.variants {
        let baseline = if lab.baseline.as_ref() == Some(&variant.name) { ", the baseline" } else { "" };
        let options = variant.options.join(" ");
        let options = if options.is_empty() { options } else { format!(" with {options}") };
        let copies = variant.copies.join(", ");
        let aliases = also(&variant.aliases);
        lines.push(format!("  {}: {}{options} on {copies}{baseline}{aliases}", variant.name, variant.build));
    }
    if !lab.known_as.is_empty() {
        lines.extend([String::new(), "Names of other sources".to_owned()]);
        lines.extend(lab.known_as.iter().map(|(foreign, own)| match own.as_str() {
            "" => format!("  {foreign}: left out"),
            own => format!("  {foreign}: {own}"),
        }));
    }
    lines
}

fn also(aliases: &[String]) -> String {
    if aliases.is_empty() { String::new() } else { format!(", also called {}", aliases.join(", ")) }
}
