//! The corrections that are being made, before they are applied.

use super::outcome::Outcome;
use super::rereading::Typed;
use crate::jobs::Kind;
use crate::sheets::Preview;
use crate::state::{Answer, State};
use std::collections::BTreeSet;
use std::sync::Arc;
use triptych_import::Pattern;
use triptych_model::{Key, Origin, PatternError};
use triptych_store::Corrections;

/// A cell whose value is being typed.
#[derive(Clone, Debug, PartialEq)]
pub struct CellEdit {
    /// Path of the file's row.
    pub path: String,
    /// The condition.
    pub key: Key,
    /// Its value before.
    pub before: String,
    /// Runs of the row.
    pub runs: Vec<String>,
    /// The text typed so far.
    pub text: String,
    /// Whether all runs of the workspace that have the value get the new one.
    pub everywhere: bool,
    /// Whether the field wants the focus in the next frame.
    pub fresh: bool,
    /// Where a click does not end the edit.
    pub hold: egui::Rect,
}

/// What the import sheet has in hand.
pub struct Draft {
    /// The campaign it was opened for; empty for all.
    pub campaign: String,
    /// Its directory.
    pub root: String,
    /// Its files.
    pub paths: BTreeSet<String>,
    /// Whether one pattern reads its paths: not of published tables, nor of several campaigns.
    pub has_pattern: bool,
    /// The corrections so far.
    pub corrections: Corrections,
    /// Text of the pattern's field.
    pub pattern: String,
    /// Why it cannot be understood.
    pub error: Option<PatternError>,
    /// What the draft gives.
    pub outcome: Arc<Outcome>,
    /// Whether a newer outcome is being worked out.
    pub pending: bool,
    /// The cell being typed.
    pub edit: Option<CellEdit>,
    /// Text that files must contain to be listed.
    pub filter: String,
    /// The name for repositories that are one.
    pub alias: String,
    /// What is typed for files that do not say it themselves.
    pub typed: Typed,
    generation: u64,
    shown: bool,
}

impl Draft {
    /// A draft for a campaign as it is now.
    pub fn new(state: &mut State, campaign: &str) -> Self {
        let campaigns = state.panels.campaigns(&state.store);
        let known =
            campaigns.iter().find(|one| one.name == campaign).or_else(|| match campaigns.as_slice() {
                [only] => Some(only),
                _ => None,
            });
        let sources = state.store.sources();
        let paths = match known {
            Some(known) => known
                .sources
                .iter()
                .filter_map(|index| sources.get(*index as usize))
                .map(|source| source.path().to_owned())
                .collect(),
            None => sources
                .iter()
                .filter(|source| source.data.skipped.is_none())
                .map(|source| source.path().to_owned())
                .collect(),
        };
        Self {
            campaign: campaign.to_owned(),
            root: known.map(|known| known.root.clone()).unwrap_or_default(),
            has_pattern: known.is_some_and(|known| !known.is_table),
            alias: known.map(|known| known.name.clone()).unwrap_or_default(),
            paths,
            corrections: state.store.corrections().clone(),
            pattern: known.and_then(|known| known.pattern.clone()).map(|(text, _)| text).unwrap_or_default(),
            error: None,
            outcome: Arc::default(),
            pending: false,
            edit: None,
            filter: String::new(),
            typed: Typed::default(),
            generation: state.store.generation(),
            shown: false,
        }
    }

    /// Whether it still belongs to what is open.
    pub fn fits(&self, state: &State, campaign: &str) -> bool {
        self.campaign == campaign && self.generation == state.store.generation()
    }

    /// Whether nothing was worked out yet.
    pub fn is_new(&self) -> bool {
        !self.shown && !self.pending
    }

    /// Whether an outcome is there to be shown.
    pub fn is_shown(&self) -> bool {
        self.shown
    }

    /// Takes what the job worked out.
    pub fn take(&mut self, outcome: Outcome) {
        if let Some((text, origin)) = &outcome.pattern
            && (*origin != Origin::Yours || self.pattern.is_empty())
            && !self.corrections.patterns.contains_key(&self.root)
        {
            self.pattern.clone_from(text);
        }
        if !self.shown {
            self.typed = Typed::of(&outcome);
        }
        self.outcome = Arc::new(outcome);
        self.pending = false;
        self.shown = true;
    }

    /// Reads the pattern's field; an understood pattern becomes a correction.
    pub fn pattern_changed(&mut self) -> bool {
        match Pattern::parse(&self.pattern) {
            Ok(_) => {
                self.error = None;
                self.corrections.patterns.insert(self.root.clone(), self.pattern.clone());
                true
            }
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    /// Goes back to the guessed pattern.
    pub fn suggest(&mut self) {
        self.error = None;
        self.pattern.clear();
        self.corrections.patterns.remove(&self.root);
    }

    /// Takes the typed cell in; says whether anything changed.
    pub fn finish_edit(&mut self) -> bool {
        let Some(edit) = self.edit.take() else { return false };
        let text = edit.text.trim();
        if text == edit.before {
            return false;
        }
        if edit.everywhere && !edit.before.is_empty() && !text.is_empty() {
            self.corrections.rename(edit.key, &edit.before, text);
        } else {
            for run in edit.runs {
                self.corrections.set_cell(run, edit.key, text);
            }
        }
        true
    }

    /// Forgets what the user said of a condition of these runs.
    pub fn forget(&mut self, runs: &[String], key: Key) {
        self.corrections.cells.retain(|cell| cell.key != key || !runs.contains(&cell.run));
    }

    /// Calls all these repositories by one name.
    pub fn unite(&mut self, repositories: &[String]) {
        let name = self.alias.trim().to_owned();
        for repository in repositories {
            if *repository != name {
                self.corrections.rename(Key::Repository, repository, &name);
            }
        }
    }
}

/// Works the draft out in a job.
pub fn request(state: &mut State) {
    let Some(draft) = &mut state.sheets.import else { return };
    draft.pending = true;
    let (store, corrections) = ((*state.store).clone(), draft.corrections.clone());
    let (root, paths) = (draft.root.clone(), draft.paths.clone());
    state.jobs.start(Kind::Preview, move |_| {
        let outcome = Outcome::of(store, corrections, &root, &paths);
        Ok(Answer::Preview(Box::new(Preview::Import(Box::new(outcome)))))
    });
}
