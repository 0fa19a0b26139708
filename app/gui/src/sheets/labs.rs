//! The lab in use: read in a job from the file that the settings name, else the demo lab's; kept for all
//! sheets that measure, with what its check said.

use super::Preview;
use crate::jobs::Kind;
use crate::state::{Answer, State};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use triptych_runner::lab::Lab;

/// The lab in use.
#[derive(Default)]
pub struct Labs {
    /// The lab as its file has it, and the file.
    known: Option<(Arc<Lab>, PathBuf)>,
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
    /// The lab, nothing where there is no such file, or why it is not readable.
    result: Result<Option<Lab>, String>,
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
        self.said = None;
        match read.result {
            Ok(lab) => self.known = lab.map(|lab| (Arc::new(lab), read.path)),
            Err(said) => {
                self.known = None;
                self.said = Some(said);
            }
        }
    }

    /// Takes a lab that was just written there.
    pub fn keep(&mut self, lab: Lab, path: PathBuf) {
        self.asked = Some(path.clone());
        self.said = None;
        self.reading += 1;
        self.known = Some((Arc::new(lab), path));
    }
}

/// The lab's file: the one used last, else the demo lab's.
pub fn file(state: &State) -> Option<PathBuf> {
    state.settings.lab.clone().or_else(|| demo_directory().map(|at| at.join(LAB)))
}

/// The usual name of a lab's file.
pub const LAB: &str = "lab.json";

/// Reads the lab's file if another one is asked for than before.
pub fn request(state: &mut State) {
    let Some(path) = file(state) else { return };
    if state.sheets.labs.asked.as_ref() == Some(&path) {
        return;
    }
    state.sheets.labs.asked = Some(path.clone());
    state.jobs.start(Kind::LabFile, move |_| {
        let result = if path.exists() { read_file(&path).map(Some) } else { Ok(None) };
        Ok(Answer::Preview(Box::new(Preview::Lab(Read { path, result }))))
    });
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

/// Writes a lab in a job and uses it from then on.
pub fn save(state: &mut State, lab: Lab, path: PathBuf) {
    state.jobs.start(Kind::Save, move |_| {
        write_file(&path, &lab)?;
        Ok(Answer::Preview(Box::new(Preview::LabSaved(Box::new(lab), path))))
    });
}

fn read_file(path: &Path) -> Result<Lab, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn write_file(path: &Path, lab: &Lab) -> Result<(), String> {
    let text = serde_json::to_string_pretty(lab).map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Where the demo lab lies.
pub fn demo_directory() -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("org", "triptych_bench", "Triptych")?;
    Some(directories.cache_dir().join("demo-lab"))
}

/// A new directory of the archive for a campaign: its title and the second it begins, first a letter.
pub fn new_campaign(title: &str) -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("org", "triptych_bench", "Triptych")?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    let micros = i64::try_from(now.as_micros()).ok()?;
    let archive = directories.data_dir().join("campaigns");
    Some(archive.join(campaign_name(title, triptych_model::Timestamp(micros))))
}

/// `demo-20261130-132105`.
fn campaign_name(title: &str, time: triptych_model::Timestamp) -> String {
    let mut slug = String::new();
    for character in title.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug: String = slug.trim_matches('-').chars().take(40).collect();
    let slug =
        if slug.starts_with(|first: char| first.is_ascii_alphabetic()) { slug } else { format!("c-{slug}") };
    let digits: String = time.to_string().chars().filter(char::is_ascii_digit).take(14).collect();
    let (day, second) = digits.split_at(8.min(digits.len()));
    format!("{}-{day}-{second}", slug.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn campaigns_are_named_by_title_and_time() {
        let time = triptych_model::Timestamp(1_700_000_000_000_000);
        for (title, expect) in [
            ("FSFS format 7, seconds", "fsfs-format-7-seconds-20231114-221320"),
            ("2013 again", "c-2013-again-20231114-221320"),
            ("", "c-20231114-221320"),
            ("../x", "x-20231114-221320"),
        ] {
            assert_eq!(campaign_name(title, time), expect, "{title:?}");
        }
    }
}
