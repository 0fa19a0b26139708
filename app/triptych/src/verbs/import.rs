//! `triptych import`: files in, one of the frames out as CSV, or what was understood as JSON.

use super::{columns, format, log_format, paths, pattern, strict, zone};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::sources::{self, Read};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use triptych_model::Severity;
use triptych_store::{ExportFrame, Source};

/// The frames that can be written, by the names of `--frame` and of the files in a folder.
const FRAMES: &[(&str, ExportFrame)] = &[
    ("measurements", ExportFrame::Measurements),
    ("samples", ExportFrame::Samples),
    ("requests", ExportFrame::Requests),
];

/// Help and arguments.
pub fn command() -> Command {
    Command::new("import")
        .about("Read logs and write their rows as CSV")
        .long_about(
            "Read logs and write their rows as CSV: to FILE, all frames to DIR (an existing folder, or a name ending \
             in /), or to standard output. With --json standard output tells instead what was understood of each file.",
        )
        .arg(paths())
        .arg(
            Arg::new("output")
                .short('o')
                .value_name("FILE|DIR")
                .help("Where to write; - is standard output")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("frame")
                .long("frame")
                .value_name("FRAME")
                .help("Which rows: measurements (the default), samples or requests")
                .value_parser(PossibleValuesParser::new(FRAMES.iter().map(|(name, _)| *name))),
        )
        .arg(pattern())
        .arg(format())
        .arg(log_format())
        .arg(zone())
        .arg(columns())
        .arg(Arg::new("json").long("json").help("Tell what was understood, as JSON").action(ArgAction::SetTrue))
        .arg(strict())
}

/// Reads, writes, tells.
///
/// # Errors
/// A pattern cannot be understood, or something cannot be written.
pub fn run(arguments: &ArgMatches) -> Result<Outcome, Failure> {
    let json = arguments.get_flag("json");
    let frame = arguments.get_one::<String>("frame").map(String::as_str);
    let output =
        arguments.get_one::<PathBuf>("output").map(PathBuf::as_path).filter(|path| *path != Path::new("-"));
    let mut read = sources::read(arguments)?;
    let folder = output.filter(|path| is_folder(path));
    // A folder gets all frames, and JSON tells the rows of each.
    let one_frame = folder.is_none() && !json;
    let late = match output {
        Some(path) if folder.is_some() => write_folder(&read, path, frame)?,
        Some(path) => output::to_file(path, |out| read.store.export(frame_of(frame), out))?,
        None if json => Vec::new(),
        None => output::to_stdout(|out| read.store.export(frame_of(frame), out))?,
    };
    read.problems.extend(late);
    read.tell();
    read.tell_zone();
    if one_frame && frame_of(frame) == ExportFrame::Measurements {
        read.tell_other_rows("--frame");
    }
    if json {
        output::print(&format!("{:#}\n", summary(&read)))?;
    }
    Ok(read.outcome(arguments.get_flag("strict")))
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/')
}

fn frame_of(name: Option<&str>) -> ExportFrame {
    FRAMES.iter().find(|(known, _)| Some(*known) == name).map_or(ExportFrame::default(), |(_, frame)| *frame)
}

/// Writes `measurements.csv`, `samples.csv` and `requests.csv`, or the one of them that was asked for.
fn write_folder(
    read: &Read,
    folder: &Path,
    only: Option<&str>,
) -> Result<Vec<triptych_model::Problem>, Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::writing(&folder.display().to_string(), error))?;
    let mut late = Vec::new();
    for (name, frame) in FRAMES.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        late.extend(output::to_file(&folder.join(format!("{name}.csv")), |out| {
            read.store.export(*frame, out)
        })?);
    }
    Ok(late)
}

/// What was understood of each source; the names are stable.
fn summary(read: &Read) -> Value {
    read.store.sources().iter().map(|source| source_json(read, source)).collect()
}

fn source_json(read: &Read, source: &Source) -> Value {
    let data = &source.data;
    let warnings: Vec<Value> = read
        .problems
        .iter()
        .filter(|problem| problem.severity == Severity::Warning && problem.source == source.path())
        .map(|problem| json!({"line": problem.line, "column": problem.column, "message": problem.sentence()}))
        .collect();
    json!({
        "path": source.path(),
        "format": (!data.formats.is_empty()).then(|| data.formats.join("+")),
        "lines": data.lines,
        "rows": {
            "measurements": data.measurements.len(),
            "samples": data.samples.len(),
            "requests": data.requests.len(),
        },
        "program_output": data.program_output,
        "not_understood": data.not_understood,
        "skipped": sources::skipped(source),
        "warnings": warnings,
        "error": sources::refusal(source),
    })
}
