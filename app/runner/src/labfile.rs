//! `lab.json`: reading it with line and column for everything that is wrong, and writing it whole.
//!
//! Used by the verbs and by the window's lab editor, which checks what its forms made with [`faults`].

mod faults;

pub use crate::planfile::Fault;
pub use faults::faults;

use crate::lab::{LAB_VERSION, Lab};
use crate::locate;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use triptych_model::{Problem, ProblemKind, Severity};

/// The usual name of the file.
pub const LAB_FILE: &str = "lab.json";

/// Reads and checks a lab; its paths stay as the file gives them, see [`Lab::absolute`].
///
/// # Errors
/// All that is wrong with it, each with its line and column.
pub fn read(path: &Path) -> Result<Lab, Vec<Problem>> {
    let source = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|error| {
        let message = format!("the lab cannot be read: {error}");
        let problem = Problem::new(Severity::Error, ProblemKind::Unreadable, &source, message);
        vec![problem.next_step("name another with --lab, or make a demo lab with triptych lab demo")]
    })?;
    parse(&text, &source)
}

/// Reads and checks a lab and makes its paths absolute, relative ones below the file's own directory.
///
/// # Errors
/// As [`read`].
pub fn read_absolute(path: &Path) -> Result<Lab, Vec<Problem>> {
    let lab = read(path)?;
    let directory = path.parent().unwrap_or(Path::new(""));
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    Ok(lab.absolute(&directory))
}

/// Reads and checks the text of a lab; `source` is its path for messages.
///
/// # Errors
/// All that is wrong with it, each with its line and column.
pub fn parse(text: &str, source: &str) -> Result<Lab, Vec<Problem>> {
    let lab: Lab =
        locate::parse_version(source, text, "lab", LAB_VERSION).map_err(|problem| vec![problem])?;
    let place = |fault: Fault| {
        let problem = Problem { source: source.to_owned(), ..fault.problem };
        match locate::locate_nearest(text, &fault.pointer) {
            Some((line, column)) => problem.at_line(line).at_column(column),
            None => problem,
        }
    };
    let problems: Vec<Problem> = faults(&lab).into_iter().map(place).collect();
    if problems.is_empty() { Ok(lab) } else { Err(problems) }
}

/// Writes a lab; its file is whole or as it was before.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, lab: &Lab) -> Result<(), Problem> {
    let text = to_text(lab).map_err(std::io::Error::from);
    text.and_then(|text| write_whole(path, &text)).map_err(|error| {
        let message = format!("the lab cannot be written: {error}");
        Problem::new(Severity::Error, ProblemKind::Unreadable, path.display().to_string(), message)
            .next_step("choose another place")
    })
}

/// The text of a lab's file.
///
/// # Errors
/// A path is no UTF-8, which JSON cannot hold.
pub fn to_text(lab: &Lab) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(lab).map(|text| text + "\n")
}

/// Writes a file beside its place, syncs it and moves it there.
pub(crate) fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let result = fs::File::create(&part).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&part, path)
    });
    if result.is_err() {
        fs::remove_file(&part).ok();
    }
    result
}

#[cfg(test)]
mod tests;
