//! The commands of a plan as a script, for those who have no Triptych: text to read, to mend and to run by hand.
//!
//! Nothing here or elsewhere runs it. The script starts the server, prepares the caches, times the client with
//! bash's `time` and echoes each command before it, so that its output is a transcript that `import` reads.
//! What the lab does not know is left to be filled in at the script's head.

use crate::cellname::cell_name;
use crate::command_text::{encode, quote};
use crate::experiments::{self, Call, ExperimentSpec, Target};
use crate::lab::{Build, Lab};
use crate::plan::{Cache, Operation, Plan, ServerMode, ServerSettings};
use crate::rerun::{OldCell, RerunDraft};
use std::path::PathBuf;

mod words;

use words::{Mark, variable, word};

/// The port that the script's server listens on.
pub const PORT: u16 = 36_900;

/// One cell to be scripted, with what is known of where things lie.
#[derive(Clone, Debug, PartialEq)]
struct Part<'a> {
    name: String,
    operation: Operation,
    cache: Cache,
    /// Labels of the script's variables, and their values where the lab knows them.
    variant: String,
    build: Option<&'a Build>,
    copy_label: String,
    copy: Option<PathBuf>,
    target: String,
    file: Option<&'a str>,
    options: &'a [String],
}

/// The script of a plan's cells in this lab, whose paths should be absolute.
pub fn of_plan(plan: &Plan, lab: &Lab) -> String {
    let mut cells: Vec<_> = plan.steps.iter().map(|step| step.cell.clone()).collect();
    if cells.is_empty() {
        cells.clone_from(&plan.cells);
    }
    cells.sort();
    cells.dedup();
    let parts = cells.iter().filter_map(|cell| {
        let operation = plan.operations.get(cell.operation)?.clone();
        let names = [&cell.repository, &cell.variant, &cell.medium].map(String::as_str);
        Some(part(cell_name(plan, cell), operation, cell.cache, names, Some(lab)))
    });
    let parts: Vec<Part<'_>> = parts.collect();
    script(&plan.title, plan, &parts)
}

/// The script of a rerun, also where the lab lacks what it needs; with the cells that no script can be made of.
pub fn of_draft(
    draft: &RerunDraft,
    lab: Option<&Lab>,
    title: &str,
    repetitions: u32,
) -> (String, Vec<String>) {
    let mut unmade = Vec::new();
    let mut parts = Vec::new();
    for old in &draft.cells {
        match part_of_old(draft, old, lab) {
            Ok(part) => parts.push(part),
            Err(why) => unmade.push(format!("{}: {why}", old.name)),
        }
    }
    let plan = draft.plan.clone().unwrap_or_else(of_others);
    (script(title, &Plan { repetitions, ..plan }, &parts), unmade)
}

/// Of runs that others made nobody knows that their server kept a log.
fn of_others() -> Plan {
    Plan { server: ServerSettings { no_log: true, ..ServerSettings::default() }, ..Plan::default() }
}

fn part_of_old<'a>(draft: &RerunDraft, old: &OldCell, lab: Option<&'a Lab>) -> Result<Part<'a>, String> {
    let cell = old.cell.as_ref();
    let by_cell = cell.and_then(|cell| draft.operations.get(cell.operation));
    let operation = by_cell.or(old.operation.as_ref()).ok_or("no experiment does that operation")?;
    let printed = old.cache.as_deref().unwrap_or_default();
    let cache = cell.map(|cell| cell.cache).or_else(|| Cache::parse(&printed.to_lowercase()));
    let cache = cache.ok_or_else(|| format!("the state of the caches is none of ours: {printed:?}"))?;
    let said =
        |text: &'_ Option<String>, kind: &str| text.clone().unwrap_or_else(|| format!("unknown {kind}"));
    let names = match cell {
        Some(cell) => [cell.repository.clone(), cell.variant.clone(), cell.medium.clone()],
        None => {
            [said(&old.repository, "repository"), said(&old.variant, "variant"), said(&old.medium, "medium")]
        }
    };
    let names = [&names[0], &names[1], &names[2]].map(String::as_str);
    let mut part = part(old.name.clone(), operation.clone(), cache, names, lab);
    if part.copy.is_none() && part.target.is_empty() {
        part.target = old.command.as_deref().and_then(target_of).unwrap_or_default();
    }
    Ok(part)
}

/// The path in the repository that a command named: all behind the repository's own name.
fn target_of(command: &str) -> Option<String> {
    let address = command.split_whitespace().find(|word| word.contains("://"))?;
    let (_, path) = address.split_once("://")?;
    let parts = path.split('/').skip(2).filter(|part| !part.is_empty() && !part.contains('$'));
    Some(parts.collect::<Vec<_>>().join("/"))
}

fn part<'a>(
    name: String,
    operation: Operation,
    cache: Cache,
    [repository, variant, medium]: [&str; 3],
    lab: Option<&'a Lab>,
) -> Part<'a> {
    let known = lab.and_then(|lab| lab.repository(repository));
    let side = lab.and_then(|lab| lab.variant(variant));
    let build = lab.zip(side).and_then(|(lab, side)| lab.build(&side.build));
    let copy = lab.and_then(|lab| lab.copy_of(variant, repository, medium));
    Part {
        name,
        operation,
        cache,
        variant: variant.to_owned(),
        build,
        copy_label: format!("{repository} on {medium} for {variant}"),
        copy: copy.map(|copy| copy.path.clone()),
        target: known.map(|known| known.target.clone()).unwrap_or_default(),
        file: known.and_then(|known| known.file.as_deref()),
        options: side.map_or(&[], |side| &side.options),
    }
}

fn script(title: &str, plan: &Plan, parts: &[Part<'_>]) -> String {
    let mut lines: Vec<String> = vec!["#!/usr/bin/env bash".into()];
    lines.push(format!("# {}", one_line(title)));
    lines.push("#".into());
    lines.push(
        "# Cold runs drop the system's caches, which takes root. Keep the output as a file for Triptych:"
            .into(),
    );
    lines.push("#     bash SCRIPT > runs.txt 2>&1".into());
    lines.push("set -u".into());
    lines.push(format!("port={PORT}"));
    lines.push(format!("repetitions={}", plan.repetitions.max(1)));
    lines.extend([String::new(), "# Where things lie; what is empty has to be filled in.".into()]);
    lines.extend(variables(parts));
    lines.push(String::new());
    lines.extend(FUNCTIONS.lines().map(str::to_owned));
    for part in parts {
        lines.push(String::new());
        lines.extend(cell_lines(plan, part));
    }
    lines.join("\n") + "\n"
}

/// What every cell uses. What would make a figure wrong ends the script: a server that is not ours, dies or
/// does not answer within ten seconds, and caches that cannot be dropped.
const FUNCTIONS: &str = r#"scratch=$(mktemp -d -p /dev/shm) || exit 1
server=''
trap 'stop; rm -rf "$scratch"' EXIT

answers() {
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null
}

serve() {  # PROGRAM ROOT [OPTION…]
    if answers; then
        echo "Port $port is taken: write another at the head of this script." >&2
        exit 1
    fi
    "$1" "${@:3}" -d --foreground --listen-host 127.0.0.1 --listen-port "$port" -r "$2" &
    server=$!
    for _ in {1..200}; do
        kill -0 "$server" 2>/dev/null || break
        if answers; then return; fi
        sleep 0.05
    done
    echo 'The server has ended or does not answer.' >&2
    exit 1
}

stop() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; server=''; }
}

cold() {
    sync
    echo 3 > /proc/sys/vm/drop_caches || {
        echo 'The caches are not dropped, which takes root: there are no cold runs.' >&2
        exit 1
    }
}

say() {  # COMMAND…
    printf '$ time'
    printf ' %q' "$@"
    printf '\n'
}"#;

/// An assignment for each build and each copy, each once.
fn variables(parts: &[Part<'_>]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let bin = part.build.map(|build| &build.directory);
        for (name, label, value) in [
            (bin_name(part), format!("programs of {}", part.variant), bin),
            (copy_name(part), format!("repository {}", part.copy_label), part.copy.as_ref()),
        ] {
            let value = value.map(|path| path.to_string_lossy().into_owned());
            let value = value.unwrap_or_default();
            let line = format!("{name}={}  # {}", quote(&value), one_line(&label));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

fn bin_name(part: &Part<'_>) -> String {
    variable("bin", &part.variant)
}

fn copy_name(part: &Part<'_>) -> String {
    variable("copy", &part.copy_label)
}

fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// A comment, a loop, and in it the server, the caches and the timed client.
fn cell_lines(plan: &Plan, part: &Part<'_>) -> Vec<String> {
    let Some(experiment) = experiments::experiment(&part.operation.experiment) else {
        return vec![format!("# {}: no experiment does that", one_line(&part.name))];
    };
    let spec = experiment.spec();
    let target = experiment.target(&part.operation.options);
    let words: Vec<String> =
        experiment.command(&call(part, spec, target)).iter().map(|text| command_word(part, text)).collect();
    let command = words.join(" ");
    let fresh = match target {
        Target::None => String::new(),
        target => {
            let directory = command_word(part, &directory(target));
            format!("rm -rf {directory}; mkdir {directory}; ")
        }
    };
    let serve = spec.needs_server.then(|| serve_line(plan, part));
    let quiet = quiet_line(plan.warm_ups.max(1), &format!("{fresh}{command} > /dev/null"));
    let mut lines = vec![
        format!("# {}", one_line(&part.name)),
        format!("echo {}", quote(&format!("# {}", part.name))),
        "for _ in $(seq \"$repetitions\"); do".to_owned(),
    ];
    let stop = serve.is_some().then(|| "    stop".to_owned());
    match part.cache {
        Cache::Cold => {
            lines.push("    cold".to_owned());
            lines.extend(serve);
        }
        Cache::Hot => {
            lines.extend(serve.clone());
            lines.push(quiet);
            lines.extend(stop.clone());
            lines.extend(serve);
        }
        Cache::HotServer => {
            lines.extend(serve);
            lines.push(quiet);
        }
    }
    if !fresh.is_empty() {
        lines.push(format!("    {}", fresh.trim_end_matches("; ")));
    }
    lines.push(format!("    say {command}"));
    lines.push(format!("    time {command}"));
    lines.extend(stop);
    lines.push("done".to_owned());
    lines
}

/// The uncounted runs.
fn quiet_line(warm_ups: u32, command: &str) -> String {
    match warm_ups {
        1 => format!("    {command}  # warm-up, not counted"),
        warm_ups => {
            format!("    for _ in {{1..{warm_ups}}}; do {command}; done  # warm-ups, not counted")
        }
    }
}

fn serve_line(plan: &Plan, part: &Part<'_>) -> String {
    let copy = copy_name(part);
    let program = command_word(part, &program(part, "svnserve"));
    let mut line = format!("    serve {program} \"$(dirname \"${{{copy}:?}}\")\"");
    if plan.server.mode == ServerMode::Threads {
        line.push_str(" -T");
    }
    for option in plan.server.options().iter().chain(part.options) {
        line.push(' ');
        line.push_str(&quote(option));
    }
    if !plan.server.no_log {
        line.push_str(" --log-file \"$scratch/svnserve.log\"");
    }
    line
}

/// A program of the build: below the variable of its directory, if it is not named otherwise.
fn program(part: &Part<'_>, name: &str) -> String {
    match part.build.filter(|build| build.programs.contains_key(name)) {
        Some(build) => build.program(name).to_string_lossy().into_owned(),
        None => format!("{}/{name}", Mark::Bin.text()),
    }
}

/// Where a client writes: in memory, or beside the copy.
fn directory(target: Target) -> String {
    match target {
        Target::Medium => format!("{}.target", Mark::Copy.text()),
        Target::None | Target::Tmpfs => format!("{}/target", Mark::Scratch.text()),
    }
}

/// The call with marks where the script has variables.
fn call<'a>(part: &'a Part<'a>, spec: &ExperimentSpec, target: Target) -> Call<'a> {
    let name = part.copy.as_deref().and_then(|copy| copy.file_name());
    let name = name.map_or_else(|| Mark::CopyName.text(), |name| encode(&name.to_string_lossy()));
    let url = format!("svn://127.0.0.1:{}/{name}", Mark::Port.text());
    Call {
        program: PathBuf::from(program(part, spec.program)),
        url: if spec.needs_server { url } else { String::new() },
        copy: PathBuf::from(Mark::Copy.text()),
        target: &part.target,
        file: part.file.or(spec.needs_file.then_some("FILE")),
        options: &part.operation.options,
        directory: (target != Target::None).then(|| PathBuf::from(directory(target))),
        config: PathBuf::from(format!("{}/config", Mark::Scratch.text())),
    }
}

fn command_word(part: &Part<'_>, text: &str) -> String {
    word(text, |mark| match mark {
        Mark::Bin => format!("${{{}:?}}", bin_name(part)),
        Mark::Copy => format!("${{{}:?}}", copy_name(part)),
        Mark::CopyName => format!("${{{}##*/}}", copy_name(part)),
        Mark::Port => "$port".to_owned(),
        Mark::Scratch => "$scratch".to_owned(),
    })
}

#[cfg(test)]
mod tests;
