//! What the user said about the runs: patterns, single cells, names, runs left out.
//!
//! Kept in the workspace and applied each time the store resolves its sources; nothing is read again.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use triptych_model::Key;

/// All corrections of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Corrections {
    /// Path patterns by the directory below which they hold; the longest directory wins.
    pub patterns: BTreeMap<String, String>,
    /// Single conditions of single runs; later ones win.
    pub cells: Vec<CellCorrection>,
    /// Other names for values, everywhere: a variant renamed, a repository's alias.
    pub renames: BTreeMap<Key, BTreeMap<String, String>>,
    /// Reasons of the runs left out, by run id.
    pub left_out: BTreeMap<String, String>,
    /// Other names of metrics by source: the published `time` may be said to be `real`.
    pub metric_names: BTreeMap<String, BTreeMap<String, String>>,
    /// Sources whose rows do not count, by path.
    pub excluded: BTreeSet<String>,
}

/// One condition of one run as the user says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellCorrection {
    /// The run's id.
    pub run: String,
    /// Which condition.
    pub key: Key,
    /// Its value; empty for unknown.
    pub value: String,
}

impl Corrections {
    /// Sets a condition of a run, in place of what was said of it before.
    pub fn set_cell(&mut self, run: impl Into<String>, key: Key, value: impl Into<String>) {
        let cell = CellCorrection { run: run.into(), key, value: value.into() };
        self.cells.retain(|old| old.run != cell.run || old.key != cell.key);
        self.cells.push(cell);
    }

    /// Renames a value as it is shown now, also where it is itself another value's new name.
    pub fn rename(&mut self, key: Key, shown: &str, to: &str) {
        let names = self.renames.entry(key).or_default();
        for target in names.values_mut().filter(|target| target.as_str() == shown) {
            to.clone_into(target);
        }
        names.insert(shown.to_owned(), to.to_owned());
        names.retain(|from, to| from != to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_name_is_renamed_on() {
        let mut corrections = Corrections::default();
        corrections.rename(Key::Variant, "a", "b");
        corrections.rename(Key::Variant, "b", "c");
        let names = &corrections.renames[&Key::Variant];
        assert_eq!(names.get("a").map(String::as_str), Some("c"));
        corrections.rename(Key::Variant, "c", "a");
        assert_eq!(corrections.renames[&Key::Variant].get("a"), None, "a is a again");
    }

    #[test]
    fn reads_back_and_takes_defaults() {
        let mut corrections = Corrections::default();
        corrections.set_cell("a.txt#1", Key::Cache, "cold");
        corrections.set_cell("a.txt#1", Key::Cache, "hot");
        corrections.rename(Key::Repository, "fmt6_packed", "hist");
        let text = serde_json::to_string(&corrections).expect("writes");
        assert_eq!(serde_json::from_str::<Corrections>(&text).expect("reads"), corrections);
        assert_eq!(corrections.cells.len(), 1);
        assert_eq!(serde_json::from_str::<Corrections>("{}").expect("reads"), Corrections::default());
    }
}
