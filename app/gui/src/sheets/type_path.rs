//! A typed path, for where no file dialog answers: completion from the directory, what was opened
//! lately, and the reason in place when it cannot be opened.

use super::Preview;
use crate::action::Action;
use crate::jobs::Kind;
use crate::panels::kit;
use crate::state::{Answer, State};
use crate::theme::Theme;
use crate::widgets::{ButtonKind, Icon, button, button_enabled, mono, paint_icon, row_height, small};
use egui::{Align, Key, Layout, Rect, Ui, Vec2, vec2};
use std::path::{Path, PathBuf};

/// Entries listed at most; a directory with more is narrowed down by typing.
const MOST: usize = 2000;

/// The entries of one directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    /// The directory as typed, ending in a slash, or empty for the working directory.
    directory: String,
    /// Names, directories first and with a slash behind them.
    names: Vec<String>,
    /// Why there are none.
    error: Option<String>,
}

/// What the sheet has in hand while it is open.
#[derive(Default)]
pub struct Draft {
    text: String,
    entries: Option<Entries>,
    asked: Option<String>,
    chosen: usize,
    error: Option<String>,
    open: bool,
}

impl Draft {
    /// Takes what the job read.
    pub fn take(&mut self, entries: Entries) {
        if self.asked.as_ref() == Some(&entries.directory) {
            self.entries = Some(entries);
        }
    }
}

/// The directory part of a typed path, and the beginning of the name behind it.
fn split(text: &str) -> (&str, &str) {
    match text.rfind('/') {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    }
}

/// `~/` stands for the home directory.
pub(super) fn expanded(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(text),
    }
}

fn read(directory: &str) -> Entries {
    let path = if directory.is_empty() { PathBuf::from(".") } else { expanded(directory) };
    let mut entries = Entries { directory: directory.to_owned(), ..Entries::default() };
    match std::fs::read_dir(&path) {
        Ok(read) => {
            let mut names: Vec<(bool, String)> = read
                .filter_map(Result::ok)
                .take(MOST)
                .map(|entry| (entry.path().is_dir(), entry.file_name().to_string_lossy().into_owned()))
                .collect();
            names.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| triptych_model::natural_cmp(&a.1, &b.1)));
            entries.names =
                names.into_iter().map(|(is_dir, name)| if is_dir { name + "/" } else { name }).collect();
        }
        Err(error) => entries.error = Some(format!("{} cannot be listed: {error}", path.display())),
    }
    entries
}

/// Asks for the entries of the typed directory, in a job: a network drive may be slow.
fn request(state: &mut State) {
    let draft = &mut state.sheets.type_path;
    let directory = split(&draft.text).0.to_owned();
    if draft.asked.as_ref() == Some(&directory) {
        return;
    }
    draft.asked = Some(directory.clone());
    state
        .jobs
        .start(Kind::Preview, move |_| Ok(Answer::Preview(Box::new(Preview::Entries(read(&directory))))));
}

/// What may be chosen: entries that begin as typed, or what was opened lately while nothing is typed.
fn offers(state: &State) -> Vec<String> {
    let draft = &state.sheets.type_path;
    if draft.text.is_empty() && !state.settings.recent.is_empty() {
        return state.settings.recent.iter().map(|recent| recent.path.display().to_string()).collect();
    }
    let (directory, begin) = split(&draft.text);
    let Some(entries) = draft.entries.as_ref().filter(|entries| entries.directory == directory) else {
        return Vec::new();
    };
    let hidden = begin.starts_with('.');
    let fits = |name: &&String| name.starts_with(begin) && (hidden || !name.starts_with('.'));
    entries.names.iter().filter(fits).map(|name| format!("{directory}{name}")).collect()
}

/// Opens what is typed, or says why not.
fn open(state: &mut State) {
    let text = state.sheets.type_path.text.trim().to_owned();
    let path = expanded(&text);
    match std::fs::metadata(&path) {
        Ok(_) => {
            state.act(Action::Sheet(None));
            state.act(Action::Open(vec![path]));
        }
        Err(error) => {
            let reason = match error.kind() {
                std::io::ErrorKind::NotFound => "there is no file or folder of that name".to_owned(),
                std::io::ErrorKind::PermissionDenied => "this user may not read it".to_owned(),
                _ => error.to_string(),
            };
            state.sheets.type_path.error = Some(format!("{text} cannot be opened: {reason}"));
        }
    }
}

/// Shows the sheet.
pub fn ui(ctx: &egui::Context, state: &mut State) {
    request(state);
    super::show(ctx, state, vec2(620.0, 420.0), ["Open a path", ""], false, content);
    if state.actions.iter().any(|action| matches!(action, Action::Sheet(_))) {
        state.sheets.type_path = Draft::default();
    }
}

fn content(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let offers = offers(state);
    keys(ui, state, &offers);
    super::inner(ui, |ui| {
        field(ui, state, theme);
        ui.add_space(4.0);
        let error =
            state.sheets.type_path.error.clone().or_else(|| {
                state.sheets.type_path.entries.as_ref().and_then(|entries| entries.error.clone())
            });
        let (text, ink) = match error {
            Some(error) => (error, theme.failed),
            None if state.sheets.type_path.text.is_empty() && !state.settings.recent.is_empty() => {
                ("Opened lately".to_owned(), theme.t3)
            }
            None => (
                "A file, a folder with everything below it, or a workspace; Tab completes".to_owned(),
                theme.t3,
            ),
        };
        kit::label(ui, text, small(ui), ink);
        ui.add_space(4.0);
        let height = ui.available_height() - 62.0;
        list(ui, state, theme, &offers, height);
    });
    ui.add_space((ui.available_height() - 46.0).max(0.0));
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), 46.0),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.add_space(20.0);
            let typed = !state.sheets.type_path.text.trim().is_empty();
            if button_enabled(ui, theme, ButtonKind::Main, None, "Open", typed).clicked() {
                open(state);
            }
            if button(ui, theme, ButtonKind::Outline, None, "Cancel").clicked() {
                state.act(Action::Sheet(None));
            }
        },
    );
}

/// Arrows choose, Tab completes; taken before the field sees them.
fn keys(ui: &mut Ui, state: &mut State, offers: &[String]) {
    let draft = &mut state.sheets.type_path;
    draft.chosen = draft.chosen.min(offers.len().saturating_sub(1));
    let pressed = |key| ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, key));
    if pressed(Key::ArrowDown) {
        draft.chosen = (draft.chosen + 1).min(offers.len().saturating_sub(1));
    }
    if pressed(Key::ArrowUp) {
        draft.chosen = draft.chosen.saturating_sub(1);
    }
    let focused = ui.memory(|memory| memory.has_focus(field_id()));
    if focused
        && let Some(offer) = offers.get(draft.chosen)
        && pressed(Key::Tab)
    {
        complete(ui, state, offer);
    }
}

fn field_id() -> egui::Id {
    egui::Id::unique("typed path")
}

/// Puts an offer into the field with the cursor behind it.
fn complete(ui: &Ui, state: &mut State, offer: &str) {
    let draft = &mut state.sheets.type_path;
    offer.clone_into(&mut draft.text);
    draft.chosen = 0;
    draft.error = None;
    let end = egui::text::CCursor::new(draft.text.chars().count());
    let mut edit = egui::TextEdit::load_state(ui.ctx(), field_id()).unwrap_or_default();
    edit.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
    egui::TextEdit::store_state(ui.ctx(), field_id(), edit);
    ui.memory_mut(|memory| memory.request_focus(field_id()));
}

fn field(ui: &mut Ui, state: &mut State, theme: &Theme) {
    let draft = &mut state.sheets.type_path;
    let edit = egui::TextEdit::singleline(&mut draft.text)
        .id(field_id())
        .font(mono(ui))
        .desired_width(ui.available_width())
        .margin(vec2(8.0, 6.0))
        .background_color(theme.s0)
        .lock_focus(true);
    let response = kit::field(ui, theme, edit, "Path");
    if !draft.open {
        draft.open = true;
        response.request_focus();
    }
    if response.changed() {
        draft.error = None;
        draft.chosen = 0;
    }
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        open(state);
        response.request_focus();
    }
}

fn list(ui: &mut Ui, state: &mut State, theme: &Theme, offers: &[String], height: f32) {
    let row = row_height(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = egui::ScrollArea::vertical().id_salt("offers").auto_shrink(false).max_height(height.max(row));
    area.show_rows(ui, row, offers.len(), |ui, range| {
        for index in range {
            let Some(offer) = offers.get(index) else { continue };
            let chosen = index == state.sheets.type_path.chosen;
            let (rect, response) = kit::row(ui, theme, row, chosen, offer);
            let folder = offer.ends_with('/') || Path::new(offer).extension().is_none();
            let icon = if folder { Icon::Folder } else { Icon::File };
            paint_icon(
                ui.painter(),
                Rect::from_center_size(kit::left(rect, 14.0), Vec2::splat(14.0)),
                icon,
                theme.t3,
            );
            kit::paint_path(ui, kit::left(rect, 28.0), offer, theme.t1, rect.width() - 36.0);
            if response.clicked() {
                complete(ui, state, offer);
                if response.double_clicked() || !offer.ends_with('/') {
                    open(state);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_a_typed_path() {
        for (text, expect) in [
            ("", ("", "")),
            ("a", ("", "a")),
            ("/", ("/", "")),
            ("/a/b", ("/a/", "b")),
            ("~/x/", ("~/x/", "")),
        ] {
            assert_eq!(split(text), expect);
        }
    }

    #[test]
    fn lists_a_directory_with_folders_first() {
        let directory = tempfile::tempdir().expect("a directory");
        for name in ["b10.txt", "b9.txt"] {
            std::fs::write(directory.path().join(name), "x").expect("writes");
        }
        std::fs::create_dir(directory.path().join("z")).expect("creates");
        let typed = format!("{}/", directory.path().display());
        let entries = read(&typed);
        assert_eq!(entries.names, ["z/", "b9.txt", "b10.txt"]);
        let missing = read(&format!("{typed}nowhere/"));
        assert!(missing.names.is_empty());
        assert!(missing.error.is_some_and(|error| error.contains("nowhere")));
    }
}
