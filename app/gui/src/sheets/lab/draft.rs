//! A lab being edited: rows added and removed, names kept consistent, what cannot be right.

use super::super::form::Texts;
use std::collections::BTreeSet;
use std::path::PathBuf;
use triptych_runner::lab::{Build, Lab, Medium, Repository, RepositoryCopy, Variant};
use triptych_runner::labfile;

/// What the sheet has in hand.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The lab as edited.
    pub lab: Lab,
    /// The lab as it lies in the file.
    pub kept: Lab,
    /// The file, if it was read from one or saved.
    pub path: Option<PathBuf>,
    /// What is typed and not understood yet.
    pub texts: Texts,
    /// Which reading of the lab in use it was made of.
    pub reading: u64,
    /// Whether it was saved here.
    pub saved: bool,
    /// The lab that is being written.
    pub saving: Option<Lab>,
}

/// A part of the lab, for rows and their problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The lab itself.
    Lab,
    /// A build by its place.
    Build(usize),
    /// A medium.
    Medium(usize),
    /// A repository.
    Repository(usize),
    /// A copy of a repository.
    Copy(usize, usize),
    /// A variant.
    Variant(usize),
}

/// What may be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A build.
    Build,
    /// A medium.
    Medium,
    /// A copy.
    Copy,
    /// A variant.
    Variant,
}

impl Draft {
    /// A draft of a lab that lies in a file, or of a new one.
    pub fn new(lab: Lab, path: Option<PathBuf>, reading: u64) -> Self {
        Self { kept: lab.clone(), lab, path, texts: Texts::default(), reading, saved: false, saving: None }
    }

    /// Whether something differs from the file.
    pub fn is_changed(&self) -> bool {
        self.lab != self.kept
    }

    /// Follows a name that was changed, wherever it is spoken of.
    pub fn renamed(&mut self, kind: Kind, before: &str, now: &str) {
        let follow = |name: &mut String| {
            if name == before {
                now.clone_into(name);
            }
        };
        match kind {
            Kind::Build => self.lab.variants.iter_mut().for_each(|variant| follow(&mut variant.build)),
            Kind::Medium => {
                self.lab
                    .repositories
                    .iter_mut()
                    .flat_map(|repository| &mut repository.copies)
                    .for_each(|copy| follow(&mut copy.medium));
            }
            Kind::Copy => {
                self.lab.variants.iter_mut().flat_map(|variant| &mut variant.copies).for_each(follow);
            }
            Kind::Variant => self.lab.baseline.iter_mut().for_each(follow),
        }
    }

    /// A new build.
    pub fn add_build(&mut self) {
        let name = free("build", self.lab.builds.iter().map(|build| build.name.as_str()));
        self.lab.builds.push(Build { name, ..Build::default() });
    }

    /// A new medium.
    pub fn add_medium(&mut self) {
        let name = free("medium", self.lab.media.iter().map(|medium| medium.name.as_str()));
        self.lab.media.push(Medium { name, directory: PathBuf::new() });
    }

    /// A new repository with one copy.
    pub fn add_repository(&mut self) {
        let names = self.lab.repositories.iter().map(|repository| repository.name.as_str());
        let name = free("repository", names);
        self.lab.repositories.push(Repository { name, ..Repository::default() });
        self.add_copy(self.lab.repositories.len() - 1);
    }

    /// A new copy of a repository, on the first medium.
    pub fn add_copy(&mut self, repository: usize) {
        let name = free("copy", copies(&self.lab).map(|copy| copy.name.as_str()));
        let medium = self.lab.media.first().map(|medium| medium.name.clone()).unwrap_or_default();
        if let Some(repository) = self.lab.repositories.get_mut(repository) {
            repository.copies.push(RepositoryCopy { name, medium, ..RepositoryCopy::default() });
        }
    }

    /// A new variant of the first build.
    pub fn add_variant(&mut self) {
        let name = free("variant", self.lab.variants.iter().map(|variant| variant.name.as_str()));
        let build = self.lab.builds.first().map(|build| build.name.clone()).unwrap_or_default();
        self.lab.variants.push(Variant { name, build, ..Variant::default() });
    }

    /// Takes a part away, and what would speak of it then.
    pub fn remove(&mut self, place: Place) {
        match place {
            Place::Lab => {}
            Place::Build(index) => drop(take(&mut self.lab.builds, index)),
            Place::Medium(index) => drop(take(&mut self.lab.media, index)),
            Place::Repository(index) => {
                let gone = take(&mut self.lab.repositories, index);
                self.forget_copies(gone.into_iter().flat_map(|repository| repository.copies));
            }
            Place::Copy(repository, index) => {
                let gone =
                    self.lab.repositories.get_mut(repository).and_then(|of| take(&mut of.copies, index));
                self.forget_copies(gone.into_iter());
            }
            Place::Variant(index) => {
                let gone = take(&mut self.lab.variants, index);
                if gone.is_some_and(|variant| self.lab.baseline == Some(variant.name)) {
                    self.lab.baseline = None;
                }
            }
        }
        // Fields are named by their place, and places have moved.
        self.texts.forget("");
    }

    fn forget_copies(&mut self, gone: impl Iterator<Item = RepositoryCopy>) {
        let gone: BTreeSet<String> = gone.map(|copy| copy.name).collect();
        for variant in &mut self.lab.variants {
            variant.copies.retain(|copy| !gone.contains(copy));
        }
    }

    /// Lets a variant serve a copy, or not.
    pub fn toggle_copy(&mut self, variant: usize, copy: &str) {
        if let Some(variant) = self.lab.variants.get_mut(variant) {
            let before = variant.copies.len();
            variant.copies.retain(|served| served != copy);
            if variant.copies.len() == before {
                variant.copies.push(copy.to_owned());
            }
        }
    }
}

/// All copies of all repositories.
pub fn copies(lab: &Lab) -> impl Iterator<Item = &RepositoryCopy> {
    lab.repositories.iter().flat_map(|repository| &repository.copies)
}

fn take<T>(list: &mut Vec<T>, index: usize) -> Option<T> {
    (index < list.len()).then(|| list.remove(index))
}

/// The first of `build`, `build 2` … that is not taken.
fn free<'a>(stem: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let taken: BTreeSet<&str> = taken.collect();
    let numbered = (2..).map(|number| format!("{stem} {number}"));
    std::iter::once(stem.to_owned())
        .chain(numbered)
        .find(|name| !taken.contains(name.as_str()))
        .unwrap_or_default()
}

/// What cannot be right in a lab, whatever lies on the disk: place and sentence.
pub fn faults(lab: &Lab) -> Vec<(Place, String)> {
    let said = |fault: labfile::Fault| {
        let problem = fault.problem;
        let mut text = problem.message;
        if let Some(found) = problem.found.filter(|found| !found.is_empty()) {
            text.push_str(&format!(", found {found}"));
        }
        if let Some(expected) = problem.expected {
            text.push_str(&format!(", expected {expected}"));
        }
        (place(&fault.pointer), text)
    };
    labfile::faults(lab).into_iter().map(said).collect()
}

/// The part of the lab that a JSON pointer leads into.
fn place(pointer: &str) -> Place {
    let parts: Vec<&str> = pointer.split('/').skip(1).collect();
    let number = |at: usize| parts.get(at).and_then(|part| part.parse::<usize>().ok());
    match (parts.first().copied(), number(1)) {
        (Some("builds"), Some(at)) => Place::Build(at),
        (Some("media"), Some(at)) => Place::Medium(at),
        (Some("variants"), Some(at)) => Place::Variant(at),
        (Some("repositories"), Some(at)) => match (parts.get(2).copied(), number(3)) {
            (Some("copies"), Some(copy)) => Place::Copy(at, copy),
            _ => Place::Repository(at),
        },
        _ => Place::Lab,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab() -> Draft {
        let mut draft = Draft::new(Lab::new("box"), None, 0);
        draft.add_build();
        draft.add_medium();
        draft.add_repository();
        draft.add_copy(0);
        draft.add_variant();
        draft.toggle_copy(0, "copy");
        draft.lab.builds[0].directory = "bin".into();
        draft.lab.media[0].directory = "ssd".into();
        for copy in &mut draft.lab.repositories[0].copies {
            copy.path = PathBuf::from("there").join(&copy.name);
        }
        draft
    }

    fn texts(lab: &Lab) -> Vec<String> {
        faults(lab).into_iter().map(|(place, text)| format!("{place:?}: {text}")).collect()
    }

    #[test]
    fn rows_get_free_names_and_names_are_followed() {
        let mut draft = lab();
        assert_eq!(texts(&draft.lab), Vec::<String>::new());
        assert_eq!(draft.lab.repositories[0].copies[1].name, "copy 2");
        for (kind, before, now) in [
            (Kind::Build, "build", "1.14"),
            (Kind::Medium, "medium", "SSD"),
            (Kind::Copy, "copy", "fmt7"),
            (Kind::Variant, "variant", "trunk"),
        ] {
            draft.renamed(kind, before, now);
        }
        assert_eq!(draft.lab.variants[0].build, "1.14");
        assert_eq!(draft.lab.variants[0].copies, ["fmt7"]);
        assert_eq!(draft.lab.repositories[0].copies[0].medium, "SSD");
    }

    #[test]
    fn what_cannot_be_right_is_said_at_its_place() {
        type Change = fn(&mut Draft);
        let changes: [(Change, Place); 6] = [
            (|draft| draft.lab.name.clear(), Place::Lab),
            (|draft| draft.lab.builds[0].name.clear(), Place::Build(0)),
            (|draft| draft.lab.media[0].directory = PathBuf::new(), Place::Medium(0)),
            (|draft| draft.lab.variants[0].build = "x".to_owned(), Place::Variant(0)),
            (|draft| draft.toggle_copy(0, "copy 2"), Place::Variant(0)),
            (|draft| draft.lab.repositories[0].copies[1].name = "copy".to_owned(), Place::Copy(0, 1)),
        ];
        for (change, expect) in changes {
            let mut draft = lab();
            change(&mut draft);
            let faults = faults(&draft.lab);
            assert!(faults.iter().any(|(place, _)| *place == expect), "{expect:?}: {faults:?}");
        }
    }

    #[test]
    fn removing_leaves_no_name_behind() {
        let mut draft = lab();
        draft.lab.baseline = Some("variant".to_owned());
        draft.remove(Place::Copy(0, 0));
        assert!(draft.lab.variants[0].copies.is_empty());
        draft.remove(Place::Variant(0));
        assert_eq!(draft.lab.baseline, None);
        draft.remove(Place::Repository(7));
        assert_eq!(draft.lab.repositories.len(), 1);
    }
}
