//! `lab.json`: reading it with line and column for everything that is wrong, and writing it whole.
//!
//! Used by the verbs and by the window's lab editor, which checks what its forms made with [`faults()`].

mod faults;

pub use crate::planfile::Fault;
pub use faults::faults;

pub(crate) use crate::jsonfile::write_whole;

use crate::jsonfile::{self, Kind};
use crate::lab::{LAB_VERSION, Lab};
use std::path::Path;
use triptych_model::Problem;

const KIND: Kind = Kind {
    name: "lab",
    version: LAB_VERSION,
    next_step: Some("name another with --lab, or make a demo lab with triptych lab demo"),
};

/// The usual name of the file.
pub const LAB_FILE: &str = "lab.json";

/// Reads and checks a lab; its paths stay as the file gives them, see [`Lab::absolute`].
///
/// # Errors
/// All that is wrong with it, each with its line and column.
pub fn read(path: &Path) -> Result<Lab, Vec<Problem>> {
    parse(&KIND.read(path)?, &path.display().to_string())
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
    KIND.parse(text, source, faults)
}

/// Writes a lab; its file is whole or as it was before.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, lab: &Lab) -> Result<(), Problem> {
    KIND.write(path, lab)
}

/// The text of a lab's file.
///
/// # Errors
/// A path is no UTF-8, which JSON cannot hold.
pub fn to_text(lab: &Lab) -> Result<String, serde_json::Error> {
    jsonfile::to_text(lab)
}

#[cfg(test)]
mod tests;
