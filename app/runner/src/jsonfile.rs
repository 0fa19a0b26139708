//! What `lab.json` and `plan.json` have in common as files: reading with a place for each fault, and writing whole.

use crate::locate;
use crate::planfile::Fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use triptych_model::{Problem, ProblemKind, Severity};

/// A kind of file.
pub(crate) struct Kind {
    /// `lab`, as messages name it.
    pub name: &'static str,
    /// The version that is understood.
    pub version: u32,
    /// What helps where there is none.
    pub next_step: Option<&'static str>,
}

impl Kind {
    /// The text of a file.
    ///
    /// # Errors
    /// It cannot be read, or is no text.
    pub(crate) fn read(&self, path: &Path) -> Result<String, Vec<Problem>> {
        fs::read_to_string(path).map_err(|error| {
            let problem =
                Problem { next_step: self.next_step.map(str::to_owned), ..self.cannot(path, "read", &error) };
            vec![problem]
        })
    }

    /// Reads and checks a text; `source` is its path for messages.
    ///
    /// # Errors
    /// All that is wrong with it, each with its line and column.
    pub(crate) fn parse<T: DeserializeOwned>(
        &self,
        text: &str,
        source: &str,
        faults: impl FnOnce(&T) -> Vec<Fault>,
    ) -> Result<T, Vec<Problem>> {
        let value: T =
            locate::parse_version(source, text, self.name, self.version).map_err(|problem| vec![problem])?;
        let place = |fault: Fault| {
            let problem = Problem { source: source.to_owned(), ..fault.problem };
            match locate::locate_nearest(text, &fault.pointer) {
                Some((line, column)) => problem.at_line(line).at_column(column),
                None => problem,
            }
        };
        let problems: Vec<Problem> = faults(&value).into_iter().map(place).collect();
        if problems.is_empty() { Ok(value) } else { Err(problems) }
    }

    /// Writes it; the file is whole or as it was before.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write<T: Serialize>(&self, path: &Path, value: &T) -> Result<(), Problem> {
        let text = to_text(value).map_err(std::io::Error::from);
        text.and_then(|text| write_whole(path, &text))
            .map_err(|error| self.cannot(path, "written", &error).next_step("choose another place"))
    }

    fn cannot(&self, path: &Path, what: &str, error: &std::io::Error) -> Problem {
        let message = format!("the {} cannot be {what}: {error}", self.name);
        Problem::new(Severity::Error, ProblemKind::Unreadable, path.display().to_string(), message)
    }
}

/// The text of a file.
///
/// # Errors
/// Something has no form in JSON, such as a path that is no UTF-8.
pub(crate) fn to_text<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(value).map(|text| text + "\n")
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
