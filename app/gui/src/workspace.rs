//! Saving and taking in workspaces; the file itself is the store's.

use crate::jobs::Kind;
use crate::state::{Answer, Arrangement, Sheet, State};
use crate::toasts::Toast;
use std::path::{Path, PathBuf};
use triptych_store::Workspace;

/// What a save dialog was opened for.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The workspace.
    Workspace,
    /// Text: a table, a figure.
    Text(String),
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// The workspace.
    Workspace,
    /// Something else.
    Text,
}

/// Saves to the open workspace's file, or asks for one.
pub fn save(state: &mut State) {
    match state.workspace.clone() {
        Some(path) => write(state, path, Content::Workspace),
        None => save_as(state),
    }
}

/// Asks where to save.
pub fn save_as(state: &mut State) {
    let name = state
        .workspace
        .as_deref()
        .and_then(Path::file_name)
        .map_or_else(|| "benchmark.triptych".to_owned(), |name| name.to_string_lossy().into_owned());
    ask(state, name, Content::Workspace);
}

/// Asks where to write something; answered by [`Answer::SaveAs`].
pub fn ask(state: &mut State, name: String, content: Content) {
    let typed = Sheet::SavePath { name: name.clone(), content: content.clone() };
    if !state.settings.native_dialogs {
        state.sheet = Some(typed);
        return;
    }
    state.jobs.start(Kind::Dialog, move |_| {
        let chosen = rfd::FileDialog::new().set_title("Save").set_file_name(name).save_file();
        Ok(chosen.map_or(Answer::NoChoice(typed), |path| Answer::SaveAs(path, content)))
    });
}

/// Writes in a job.
pub fn write(state: &mut State, path: PathBuf, content: Content) {
    let workspace = matches!(content, Content::Workspace).then(|| collect(state, &path));
    state.jobs.start(Kind::Save, move |_| match (workspace, content) {
        (Some(workspace), _) => {
            workspace.save(&path).map_err(|problem| problem.to_string())?;
            Ok(Answer::Saved(path, Saved::Workspace))
        }
        (None, Content::Text(text)) => {
            std::fs::write(&path, text)
                .map_err(|error| format!("{} was not written: {error}", path.display()))?;
            Ok(Answer::Saved(path, Saved::Text))
        }
        (None, Content::Workspace) => Err("there is nothing to save".to_owned()),
    });
}

fn collect(state: &State, path: &Path) -> Workspace {
    let mut workspace = Workspace::new(
        state.store.sources(),
        state.store.corrections().clone(),
        state.arrangement.query.clone(),
        path,
    );
    workspace.layout = serde_json::to_value(&state.arrangement).unwrap_or_default();
    workspace.notes.clone_from(&state.notes);
    workspace
}

/// Shows what a workspace says.
pub fn adopt(state: &mut State, workspace: Workspace, path: Option<PathBuf>) {
    match serde_json::from_value::<Arrangement>(workspace.layout) {
        Ok(arrangement) => state.arrangement = arrangement,
        Err(error) => {
            state.toasts.push(Toast::warning(format!(
                "The layout of the workspace is not readable, the usual one is shown: {error}"
            )));
        }
    }
    state.arrangement.query = workspace.query;
    state.notes = workspace.notes;
    state.workspace = path;
    state.undo.clear();
    state.saved = true;
}
