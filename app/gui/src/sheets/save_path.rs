//! A typed path to write to, for where no file dialog answers.

use crate::action::Action;
use crate::panels::kit;
use crate::state::State;
use crate::theme::Theme;
use crate::widgets::{ButtonKind, button, button_enabled, mono, small};
use crate::workspace::Content;
use egui::{Align, Key, Layout, Ui, vec2};
use std::path::{Path, PathBuf};

/// What the sheet has in hand.
pub struct Draft {
    name: String,
    text: String,
    said: Option<String>,
    /// The path whose replacement was asked for.
    replace: Option<PathBuf>,
    fresh: bool,
}

impl Draft {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), text: name.to_owned(), said: None, replace: None, fresh: true }
    }

    /// Where to write; `None` where that has to be said or asked first.
    fn target(&mut self) -> Option<PathBuf> {
        let path = super::type_path::expanded(self.text.trim());
        let directory =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if path.is_dir() {
            self.said = Some(format!("{} is a folder: a name of a file is missing", path.display()));
            return None;
        }
        if !directory.is_dir() {
            self.said = Some(format!("{} is no folder", directory.display()));
            return None;
        }
        if path.exists() && self.replace.as_ref() != Some(&path) {
            self.said = Some("There is a file of that name: Save once more replaces it".to_owned());
            self.replace = Some(path);
            return None;
        }
        Some(path)
    }
}

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State, name: &str, what: &Content) {
    if state.sheets.save_path.as_ref().is_none_or(|draft| draft.name != name) {
        state.sheets.save_path = Some(Draft::new(name));
    }
    super::show(ctx, state, vec2(620.0, 168.0), ["Save as", ""], false, |ui, state, theme| {
        let Some(mut draft) = state.sheets.save_path.take() else { return };
        let save = content(ui, state, theme, &mut draft);
        if save && let Some(path) = draft.target() {
            state.act(Action::Sheet(None));
            state.act(Action::SaveTo { path, content: what.clone() });
        }
        state.sheets.save_path = Some(draft);
    });
}

/// Shows field and buttons; says whether to save.
fn content(ui: &mut Ui, state: &mut State, theme: &Theme, draft: &mut Draft) -> bool {
    let mut save = false;
    super::inner(ui, |ui| {
        let field = egui::TextEdit::singleline(&mut draft.text)
            .font(mono(ui))
            .desired_width(ui.available_width())
            .margin(vec2(8.0, 6.0))
            .background_color(theme.s0);
        let response = kit::field(ui, theme, field, "Path to save to");
        if std::mem::take(&mut draft.fresh) {
            response.request_focus();
        }
        if response.changed() {
            draft.said = None;
            draft.replace = None;
        }
        save = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.add_space(6.0);
        let (text, ink) = match &draft.said {
            Some(said) => (said.clone(), theme.failed),
            None => ("Relative paths begin where the program was started".to_owned(), theme.t3),
        };
        kit::label(ui, text, small(ui), ink);
    });
    ui.add_space((ui.available_height() - 50.0).max(0.0));
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), 50.0),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.add_space(20.0);
            let named = !draft.text.trim().is_empty();
            save |= button_enabled(ui, theme, ButtonKind::Main, None, "Save", named).clicked();
            if button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked() {
                state.act(Action::Sheet(None));
            }
        },
    );
    save
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_when_asked_twice() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("there.csv");
        std::fs::write(&path, "x").expect("writes");
        let mut draft = Draft::new(&path.display().to_string());
        assert_eq!(draft.target(), None);
        assert!(draft.said.as_ref().is_some_and(|said| said.contains("replaces")));
        assert_eq!(draft.target(), Some(path));
        for (name, expect) in [("", "folder"), ("nowhere/x.csv", "no folder")] {
            let mut draft = Draft::new(&directory.path().join(name).display().to_string());
            assert_eq!(draft.target(), None);
            assert!(draft.said.is_some_and(|said| said.contains(expect)), "{name}");
        }
    }
}
