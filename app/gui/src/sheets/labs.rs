//! The lab in use: read in a job from the file that the settings name, else the demo lab's; kept for all
//! sheets that measure, with what its check said.

use super::Preview;
use crate::jobs::Kind;
use crate::state::{Answer, State};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use triptych_runner::cellname;
use triptych_runner::check::copies;
use triptych_runner::demo::demo_lab_directory;
use triptych_runner::lab::Lab;
use triptych_runner::labfile::{self, LAB_FILE};

/// The lab in use.
#[derive(Default)]
pub struct Labs {
    /// The lab as its file has it, and the file.
    known: Option<(Arc<Lab>, PathBuf)>,
    /// A lab that cannot be used as it is, and its file; for the editor.
    faulty: Option<(Lab, PathBuf)>,
    /// The file that was asked for last.
    asked: Option<PathBuf>,
    /// Why there is no lab.
    said: Option<String>,
    /// Counts readings, so that answers can be told apart.
    reading: u64,
}

/// What a job found in a lab's file.
pub struct Read {
    /// The file.
    path: PathBuf,
    found: Found,
}

enum Found {
    Lab(Lab),
    /// There is no such file.
    Nothing,
    /// It cannot be used, and why; the lab as far as it can be read.
    Faulty(Option<Lab>, String),
}

impl Labs {
    /// The lab with paths as in its file, if there is one.
    pub fn lab(&self) -> Option<&Arc<Lab>> {
        self.known.as_ref().map(|(lab, _)| lab)
    }

    /// Its file.
    pub fn path(&self) -> Option<&Path> {
        self.known.as_ref().map(|(_, path)| path.as_path())
    }

    /// The lab with absolute paths.
    pub fn absolute(&self) -> Option<Lab> {
        let (lab, path) = self.known.as_ref()?;
        Some((**lab).clone().absolute(path.parent()?))
    }

    /// The lab to edit: the one in use, else the one that is at fault, with its file.
    pub fn to_edit(&self) -> Option<(Lab, PathBuf)> {
        let known = self.known.as_ref().map(|(lab, path)| ((**lab).clone(), path.clone()));
        known.or_else(|| self.faulty.clone())
    }

    /// Why it cannot be used.
    pub fn said(&self) -> Option<&str> {
        self.said.as_deref()
    }

    /// Changes with every reading.
    pub fn reading(&self) -> u64 {
        self.reading
    }

    /// Takes what was read.
    pub fn take(&mut self, read: Read) {
        if self.asked.as_ref() != Some(&read.path) {
            return;
        }
        self.reading += 1;
        (self.known, self.faulty, self.said) = (None, None, None);
        match read.found {
            Found::Lab(lab) => self.known = Some((Arc::new(lab), read.path)),
            Found::Nothing => {}
            Found::Faulty(lab, said) => {
                self.faulty = lab.map(|lab| (lab, read.path));
                self.said = Some(said);
            }
        }
    }

    /// Takes a lab that was just written there.
    pub fn keep(&mut self, lab: Lab, path: PathBuf) {
        self.asked = Some(path.clone());
        (self.faulty, self.said) = (None, None);
        self.reading += 1;
        self.known = Some((Arc::new(lab), path));
    }
}

/// The lab's file: the one used last, else the demo lab's.
pub fn file(state: &State) -> Option<PathBuf> {
    state.settings.lab.clone().or_else(|| demo_lab_directory().map(|at| at.join(LAB_FILE)))
}

/// Reads the lab's file if another one is asked for than before.
pub fn request(state: &mut State) {
    let Some(path) = file(state) else { return };
    if state.sheets.labs.asked.as_ref() == Some(&path) {
        return;
    }
    state.sheets.labs.asked = Some(path.clone());
    state.jobs.start(Kind::LabFile, move |_| {
        let found = read(&path);
        Ok(Answer::Preview(Box::new(Preview::Lab(Read { path, found }))))
    });
}

fn read(path: &Path) -> Found {
    if !path.exists() {
        return Found::Nothing;
    }
    match labfile::read(path) {
        Ok(lab) => Found::Lab(lab),
        Err(problems) => {
            // What can be taken for a lab can be mended by the forms.
            let lab = std::fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok());
            Found::Faulty(lab, sentences(&problems))
        }
    }
}

/// Uses another file from now on.
pub fn use_file(state: &mut State, path: PathBuf) {
    state.sheets.labs.asked = None;
    state.settings.lab = Some(path);
    request(state);
}

/// Problems as a few sentences.
pub fn sentences(problems: &[triptych_model::Problem]) -> String {
    let mut texts: Vec<String> = problems.iter().take(3).map(ToString::to_string).collect();
    if problems.len() > texts.len() {
        texts.push(format!("and {} more", problems.len() - texts.len()));
    }
    texts.join("; ")
}

/// Writes a lab in a job, with what its copies say of themselves, and uses it from then on.
pub fn save(state: &mut State, lab: Lab, path: PathBuf) {
    state.jobs.start(Kind::Save, move |_| {
        let lab = copies::complete(&lab, path.parent().unwrap_or(Path::new("")));
        labfile::write(&path, &lab).map_err(|problem| problem.to_string())?;
        Ok(Answer::Preview(Box::new(Preview::LabSaved(Box::new(lab), path))))
    });
}

/// A new directory of the archive for a campaign: its title and the second it begins, first a letter.
pub fn new_campaign(title: &str) -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("org", "triptych_bench", "Triptych")?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    let micros = i64::try_from(now.as_micros()).ok()?;
    let archive = directories.data_dir().join("campaigns");
    Some(archive.join(cellname::campaign_name(title, triptych_model::Timestamp(micros))))
}
