//! A lab being edited: rows added and removed, names kept consistent, what cannot be right.

use super::super::form::Texts;
use std::collections::BTreeSet;
use std::path::PathBuf;
use triptych_runner::lab::{Build, Lab, Medium, Repository, RepositoryCopy, Variant};

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
    pub fn new(lab: Lab, path: Option<PathBuf>) -> Self {
        Self { kept: lab.clone(), lab, path, texts: Texts::default() }
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
    let mut faults = Vec::new();
    let builds = lab.builds.iter().enumerate().map(|(at, build)| (Place::Build(at), build.name.as_str()));
    let media = lab.media.iter().enumerate().map(|(at, medium)| (Place::Medium(at), medium.name.as_str()));
    let repositories = lab.repositories.iter().enumerate();
    let names = repositories.clone().map(|(at, of)| (Place::Repository(at), of.name.as_str()));
    let copies = repositories.clone().flat_map(|(at, of)| {
        of.copies.iter().enumerate().map(move |(copy, of)| (Place::Copy(at, copy), of.name.as_str()))
    });
    let variants = lab.variants.iter().enumerate().map(|(at, of)| (Place::Variant(at), of.name.as_str()));
    names_of(&mut faults, "build", builds);
    names_of(&mut faults, "medium", media);
    names_of(&mut faults, "repository", names);
    names_of(&mut faults, "copy", copies);
    names_of(&mut faults, "variant", variants);
    for (at, build) in lab.builds.iter().enumerate() {
        if build.directory.as_os_str().is_empty() {
            faults.push((Place::Build(at), "the directory of its programs is missing".to_owned()));
        }
    }
    for (at, medium) in lab.media.iter().enumerate() {
        if medium.directory.as_os_str().is_empty() {
            faults.push((Place::Medium(at), "a directory on it is missing".to_owned()));
        }
    }
    for (at, repository) in repositories {
        for (index, copy) in repository.copies.iter().enumerate() {
            if copy.path.as_os_str().is_empty() {
                faults.push((Place::Copy(at, index), "its directory is missing".to_owned()));
            }
            if lab.medium(&copy.medium).is_none() {
                faults.push((Place::Copy(at, index), unknown("medium", &copy.medium)));
            }
        }
        if repository.copies.is_empty() {
            faults.push((Place::Repository(at), "it has no copy".to_owned()));
        }
    }
    for (at, variant) in lab.variants.iter().enumerate() {
        faults.extend(variant_faults(lab, variant).into_iter().map(|text| (Place::Variant(at), text)));
    }
    if lab.baseline.as_ref().is_some_and(|name| lab.variant(name).is_none()) {
        let name = lab.baseline.clone().unwrap_or_default();
        faults.push((Place::Lab, format!("the baseline {name} is no variant of this lab")));
    }
    faults
}

fn unknown(kind: &str, name: &str) -> String {
    if name.is_empty() { format!("a {kind} has to be chosen") } else { format!("there is no {kind} {name}") }
}

fn names_of<'a>(
    faults: &mut Vec<(Place, String)>,
    kind: &str,
    names: impl Iterator<Item = (Place, &'a str)>,
) {
    let mut seen = BTreeSet::new();
    for (place, name) in names {
        if name.trim().is_empty() {
            faults.push((place, "a name is missing".to_owned()));
        } else if !seen.insert(name) {
            faults.push((place, format!("another {kind} is called {name} too")));
        }
    }
}

fn variant_faults(lab: &Lab, variant: &Variant) -> Vec<String> {
    let mut faults = Vec::new();
    if lab.build(&variant.build).is_none() {
        faults.push(unknown("build", &variant.build));
    }
    if variant.copies.is_empty() {
        faults.push("it serves no copy of a repository".to_owned());
    }
    for name in &variant.copies {
        if !copies(lab).any(|copy| copy.name == *name) {
            faults.push(unknown("copy", name));
        }
    }
    for repository in &lab.repositories {
        for medium in &lab.media {
            let on_it = repository.copies.iter().filter(|copy| copy.medium == medium.name);
            let served: Vec<&str> =
                on_it.map(|copy| copy.name.as_str()).filter(|name| serves(variant, name)).collect();
            if served.len() > 1 {
                let names = served.join(" and ");
                faults
                    .push(format!("of {} on {} it may serve one, not {names}", repository.name, medium.name));
            }
        }
    }
    faults
}

fn serves(variant: &Variant, copy: &str) -> bool {
    variant.copies.iter().any(|served| served == copy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lab() -> Draft {
        let mut draft = Draft::new(Lab::new("box"), None);
        draft.add_build();
        draft.add_medium();
        draft.add_repository();
        draft.add_copy(0);
        draft.add_variant();
        draft.toggle_copy(0, "copy");
        draft.lab.builds[0].directory = "bin".into();
        draft.lab.media[0].directory = "ssd".into();
        for copy in &mut draft.lab.repositories[0].copies {
            copy.path = "there".into();
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
    fn what_cannot_be_right_is_said() {
        let change: [(fn(&mut Draft), &str); 7] = [
            (|draft| draft.lab.builds[0].name.clear(), "Build(0): a name is missing"),
            (
                |draft| draft.lab.media[0].directory = PathBuf::new(),
                "Medium(0): a directory on it is missing",
            ),
            (|draft| draft.lab.variants[0].build = "x".to_owned(), "Variant(0): there is no build x"),
            (
                |draft| draft.toggle_copy(0, "copy 2"),
                "Variant(0): of repository on medium it may serve one, not copy and copy 2",
            ),
            (|draft| draft.toggle_copy(0, "copy"), "Variant(0): it serves no copy of a repository"),
            (
                |draft| draft.lab.repositories[0].copies[1].name = "copy".to_owned(),
                "Copy(0, 1): another copy is called copy too",
            ),
            (
                |draft| draft.lab.baseline = Some("old".to_owned()),
                "Lab: the baseline old is no variant of this lab",
            ),
        ];
        for (change, expect) in change {
            let mut draft = lab();
            change(&mut draft);
            assert!(texts(&draft.lab).contains(&expect.to_owned()), "{expect}: {:?}", texts(&draft.lab));
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
