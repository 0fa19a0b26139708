//! Labels `branch@revision,LEVELSxSPREAD`, each part of which may be absent.

use crate::sink::set_content;
use std::collections::{BTreeMap, BTreeSet};
use triptych_model::{Key, RunRow};

/// A label taken apart; an absent part means all that is on record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    pub branch: String,
    pub revision: String,
    /// `5x5`: directory levels and new files and directories per level.
    pub shape: String,
}

impl Label {
    /// Reads a label; a text that is none is all branch.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let (name, shape) = match text.rsplit_once(',') {
            Some((name, shape)) if is_shape(shape) => (name, shape),
            _ => (text, ""),
        };
        let (branch, revision) = name.split_once('@').unwrap_or((name, ""));
        Self { branch: branch.to_owned(), revision: revision.to_owned(), shape: shape.to_owned() }
    }

    /// `branch@revision`, or what there is of it.
    pub fn build(&self) -> String {
        if self.revision.is_empty() {
            self.branch.clone()
        } else {
            format!("{}@{}", self.branch, self.revision)
        }
    }

    /// Conditions of a run: the branch is the variant, its working copies' shape the content compared.
    pub fn describe(&self, row: &mut RunRow) {
        set_content(row, Key::Variant, if self.branch.is_empty() { "" } else { &self.branch });
        if !self.revision.is_empty() {
            let build = self.build();
            if self.branch.is_empty() {
                set_content(row, Key::Variant, &build);
            }
            set_content(row, Key::Build, &build);
        }
        set_content(row, Key::Repository, &self.shape);
    }
}

/// Gives runs of one branch in several revisions variants of their own, `trunk@1352725`.
pub fn tell_revisions_apart(rows: &mut [RunRow]) {
    let mut builds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in rows.iter() {
        if let Some((branch, build)) = branch_of(row) {
            builds.entry(branch.to_owned()).or_default().insert(build.to_owned());
        }
    }
    for row in rows {
        let build = branch_of(row)
            .filter(|(branch, _)| builds.get(*branch).is_some_and(|builds| builds.len() > 1))
            .map(|(_, build)| build.to_owned());
        if let Some(build) = build {
            row.content.set(Key::Variant, build);
        }
    }
}

/// Branch and build of a run that a label with a revision described.
fn branch_of(row: &RunRow) -> Option<(&str, &str)> {
    let (variant, build) = (row.content.get(Key::Variant)?, row.content.get(Key::Build)?);
    let (branch, _) = build.split_once('@')?;
    (!branch.is_empty() && (variant == branch || variant == build)).then_some((branch, build))
}

/// `5x5`, `x100`, `5`
fn is_shape(text: &str) -> bool {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (levels, spread) = text.split_once('x').unwrap_or((text, ""));
    !(levels.is_empty() && spread.is_empty()) && is_number(levels) && is_number(spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_optional() {
        for (text, branch, revision, shape) in [
            ("trunk@1352725,5x5", "trunk", "1352725", "5x5"),
            ("1.7.0", "1.7.0", "", ""),
            ("1.7.x@12345", "1.7.x", "12345", ""),
            ("trunk,x100", "trunk", "", "x100"),
            ("@123", "", "123", ""),
            (",100x1", "", "", "100x1"),
            ("trunk,5", "trunk", "", "5"),
            ("a,b", "a,b", "", ""),
        ] {
            let label = Label { branch: branch.into(), revision: revision.into(), shape: shape.into() };
            assert_eq!(Label::parse(text), label, "{text}");
        }
    }
}
