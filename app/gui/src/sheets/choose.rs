//! Choosing a file or a folder for a form: by the desktop's dialog in a job, or typed into a line of the sheet.

use super::Preview;
use super::form;
use crate::jobs::Kind;
use crate::panels::kit;
use crate::state::{Answer, State};
use crate::theme::Theme;
use crate::widgets::{ButtonKind, body, button, button_enabled, small};
use egui::{Key, Ui};
use std::path::{Path, PathBuf};

/// What a path is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open a plan.
    OpenPlan,
    /// To write the plan.
    SavePlan,
    /// To use another lab.
    OpenLab,
    /// To write the lab.
    SaveLab,
    /// For a field of the lab.
    Lab(Slot),
}

/// A field of the lab editor that holds a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// Of a build.
    Build(usize),
    /// Of a medium.
    Medium(usize),
    /// Of a copy of a repository.
    Copy(usize, usize),
}

impl Purpose {
    /// What the line asks for, and what its button says.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::OpenPlan => ("Plan to open", "Open"),
            Self::SavePlan => ("Save the plan as", "Save"),
            Self::OpenLab => ("Lab to use", "Use"),
            Self::SaveLab => ("Save the lab as", "Save"),
            Self::Lab(_) => ("Directory", "Use"),
        }
    }

    fn saves(self) -> bool {
        matches!(self, Self::SavePlan | Self::SaveLab)
    }
}

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// For what.
    pub purpose: Purpose,
    /// Where; `None`: no dialog could be shown, or it was dismissed.
    pub path: Option<PathBuf>,
    /// What the dialog began with, for the line that takes its place.
    pub begin: PathBuf,
}

/// A path being typed into a sheet.
#[derive(Clone, Debug)]
pub struct Typed {
    purpose: Purpose,
    text: String,
    said: Option<String>,
    replace: Option<PathBuf>,
    fresh: bool,
}

impl Typed {
    /// A line that begins with a path.
    pub fn new(purpose: Purpose, begin: &Path) -> Self {
        Self { purpose, text: begin.display().to_string(), said: None, replace: None, fresh: true }
    }

    /// The path, unless something has to be said or asked first.
    fn target(&mut self) -> Option<PathBuf> {
        let path = super::type_path::expanded(self.text.trim());
        if !self.purpose.saves() {
            if path.is_file() {
                return Some(path);
            }
            self.said = Some("there is no file of that name".to_owned());
            return None;
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if path.is_dir() {
            self.said = Some("that is a folder: a name of a file is missing".to_owned());
        } else if let Some(parent) = parent.filter(|parent| !parent.is_dir()) {
            self.said = Some(format!("{} is no folder", parent.display()));
        } else if path.exists() && self.replace.as_ref() != Some(&path) {
            self.said = Some("there is a file of that name: Save once more replaces it".to_owned());
            self.replace = Some(path);
        } else {
            return Some(path);
        }
        None
    }
}

/// Asks for a path: the desktop's dialog where they are on, else a line in the sheet.
pub fn ask(state: &mut State, purpose: Purpose, begin: PathBuf) {
    if !state.settings.native_dialogs {
        state.sheets.typed = Some(Typed::new(purpose, &begin));
        return;
    }
    state.jobs.start(Kind::Dialog, move |_| {
        let dialog = rfd::FileDialog::new().set_title(purpose.words().0);
        let dialog = match begin.parent().filter(|parent| parent.is_dir()) {
            Some(parent) => dialog.set_directory(parent),
            None => dialog,
        };
        let name = begin.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let path = match purpose {
            Purpose::Lab(_) => dialog.pick_folder(),
            _ if purpose.saves() => dialog.set_file_name(name).save_file(),
            _ => dialog.add_filter("JSON", &["json"]).add_filter("All files", &["*"]).pick_file(),
        };
        Ok(Answer::Preview(Box::new(Preview::Chosen(Chosen { purpose, path, begin }))))
    });
}

/// The line for a typed path, while one is asked for; gives what was typed.
pub fn line(ui: &mut Ui, theme: &Theme, kept: &mut Option<Typed>) -> Option<(Purpose, PathBuf)> {
    let typed = kept.as_mut()?;
    let (label, verb) = typed.purpose.words();
    let (mut done, mut cancel) = (false, false);
    ui.horizontal(|ui| {
        ui.set_min_height(form::line_height(ui));
        kit::label(ui, label, body(ui), theme.t2);
        let buttons = 150.0 * crate::widgets::text_scale(ui);
        let edit = egui::TextEdit::singleline(&mut typed.text)
            .font(crate::widgets::mono(ui))
            .desired_width((ui.available_width() - buttons).max(80.0))
            .background_color(theme.s0)
            .margin(egui::vec2(8.0, 6.0));
        let response = kit::field(ui, theme, edit, label);
        if std::mem::take(&mut typed.fresh) {
            response.request_focus();
        }
        if response.changed() {
            typed.said = None;
            typed.replace = None;
        }
        done = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let named = !typed.text.trim().is_empty();
        done |= button_enabled(ui, theme, ButtonKind::Plain, None, verb, named).clicked();
        cancel = button(ui, theme, ButtonKind::Quiet, None, "Dismiss").clicked();
    });
    if let Some(said) = &typed.said {
        kit::label(ui, said, small(ui), theme.failed);
    }
    if done && let Some(path) = typed.target() {
        let purpose = typed.purpose;
        *kept = None;
        return Some((purpose, path));
    }
    if cancel {
        *kept = None;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_opened_if_there_and_replaced_if_asked_twice() {
        let directory = tempfile::tempdir().expect("a directory");
        let there = directory.path().join("there.json");
        std::fs::write(&there, "{}").expect("writes");
        let mut typed = Typed::new(Purpose::OpenPlan, &there);
        assert_eq!(typed.target(), Some(there.clone()));
        typed.text.push('x');
        assert_eq!(typed.target(), None);
        let mut typed = Typed::new(Purpose::SavePlan, &there);
        assert_eq!(typed.target(), None);
        assert!(typed.said.as_ref().is_some_and(|said| said.contains("replaces")));
        assert_eq!(typed.target(), Some(there));
        for (name, expect) in [("", "folder"), ("nowhere/x.json", "no folder")] {
            let mut typed = Typed::new(Purpose::SaveLab, &directory.path().join(name));
            assert_eq!(typed.target(), None);
            assert!(typed.said.is_some_and(|said| said.contains(expect)), "{name}");
        }
    }
}
