//! What is wrong with a lab in itself, without a look at the machine: names that are empty, that stand
//! twice, or that name nothing.

use crate::lab::{Lab, Repository, Variant};
use crate::planfile::Fault;
use std::collections::BTreeMap;
use std::path::Path;
use triptych_model::{Problem, ProblemKind, Severity};

/// Options of svnserve that the runner gives itself: another value would take the server away from it.
const OWN_OPTIONS: &[&str] = &[
    "-d",
    "--daemon",
    "-i",
    "--inetd",
    "-t",
    "--tunnel",
    "-X",
    "--listen-once",
    "-r",
    "--root",
    "-T",
    "--threads",
    "--listen-port",
    "--listen-host",
    "--foreground",
    "--log-file",
    "--pid-file",
    "--virtual-host",
    "--service",
    "--single-thread",
];

/// Everything wrong with a lab.
pub fn faults(lab: &Lab) -> Vec<Fault> {
    let mut found = Found::default();
    found.name("/name", "lab", &lab.name);
    builds_and_media(lab, &mut found);
    repositories(lab, &mut found);
    for (index, variant) in lab.variants.iter().enumerate() {
        check_variant(lab, index, variant, &mut found);
    }
    aliases(lab, &mut found);
    if let Some(baseline) = &lab.baseline {
        let known = names(lab.variants.iter().map(|variant| &variant.name));
        found.known("/baseline", "variant", baseline, &known);
    }
    found.faults
}

#[derive(Default)]
struct Found {
    faults: Vec<Fault>,
    /// Where each name of a kind stands first.
    seen: BTreeMap<(&'static str, String), String>,
}

impl Found {
    fn push(&mut self, pointer: impl Into<String>, change: impl FnOnce(Problem) -> Problem, message: String) {
        let problem = Problem::new(Severity::Error, ProblemKind::Other, "", message);
        self.faults.push(Fault { pointer: pointer.into(), problem: change(problem) });
    }

    /// A name that must not be empty.
    fn name(&mut self, pointer: &str, kind: &'static str, name: &str) {
        if name.trim().is_empty() {
            let expected = format!("a name for the {kind}");
            self.push(pointer, |problem| problem.expected(expected), format!("the {kind} has an empty name"));
        } else if name.trim() != name {
            let text = format!("the name of the {kind} begins or ends with a blank");
            self.push(pointer, |problem| problem.found(name).expected(format!("{:?}", name.trim())), text);
        }
    }

    /// A name that must not be empty and must be the only one of its kind.
    fn unique(&mut self, pointer: String, kind: &'static str, name: &str) {
        self.name(&pointer, kind, name);
        if self.seen.contains_key(&(kind, name.to_owned())) && !name.is_empty() {
            let text = format!("two {} are called {name:?}", plural(kind));
            self.push(pointer, |problem| problem.expected("a name of its own"), text);
        } else {
            self.seen.insert((kind, name.to_owned()), pointer);
        }
    }

    /// A name that must be one of these.
    fn known(&mut self, pointer: impl Into<String>, kind: &str, name: &str, known: &[&str]) {
        if known.contains(&name) {
            return;
        }
        let expected = match known {
            [] => format!("a {kind}, of which the lab has none"),
            [one] => format!("{one:?}"),
            several => format!("one of {}", several.join(", ")),
        };
        self.push(pointer, |problem| problem.expected(expected), format!("the lab has no {kind} {name:?}"));
    }

    fn place(&mut self, pointer: String, what: &str, path: &Path) {
        if path.as_os_str().is_empty() {
            self.push(pointer, |problem| problem.expected("a directory"), format!("{what} has no directory"));
        }
    }
}

fn plural(kind: &str) -> String {
    match kind {
        "repository" => "repositories".into(),
        "copy" => "copies".into(),
        "medium" => "media".into(),
        other => format!("{other}s"),
    }
}

fn names<'a>(names: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    names.map(String::as_str).collect()
}

fn builds_and_media(lab: &Lab, found: &mut Found) {
    for (index, build) in lab.builds.iter().enumerate() {
        found.unique(format!("/builds/{index}/name"), "build", &build.name);
        found.place(
            format!("/builds/{index}/directory"),
            &format!("build {:?}", build.name),
            &build.directory,
        );
    }
    for (index, medium) in lab.media.iter().enumerate() {
        found.unique(format!("/media/{index}/name"), "medium", &medium.name);
        found.place(
            format!("/media/{index}/directory"),
            &format!("medium {:?}", medium.name),
            &medium.directory,
        );
    }
}

fn repositories(lab: &Lab, found: &mut Found) {
    let media = names(lab.media.iter().map(|medium| &medium.name));
    let mut places: BTreeMap<&Path, &str> = BTreeMap::new();
    for (index, repository) in lab.repositories.iter().enumerate() {
        let base = format!("/repositories/{index}");
        found.unique(format!("{base}/name"), "repository", &repository.name);
        paths(&base, repository, found);
        for (at, copy) in repository.copies.iter().enumerate() {
            let base = format!("{base}/copies/{at}");
            found.unique(format!("{base}/name"), "copy", &copy.name);
            found.known(format!("{base}/medium"), "medium", &copy.medium, &media);
            let pointer = format!("{base}/path");
            found.place(pointer.clone(), &format!("copy {:?}", copy.name), &copy.path);
            match places.insert(&copy.path, &copy.name) {
                Some(other) if !copy.path.as_os_str().is_empty() => {
                    let text = format!("copies {other:?} and {:?} lie in the same directory", copy.name);
                    found.push(pointer, |problem| problem.expected("a directory of its own"), text);
                }
                _ => {}
            }
        }
    }
}

/// Target and file are paths in the repository.
fn paths(base: &str, repository: &Repository, found: &mut Found) {
    let file = repository.file.as_deref();
    for (name, path) in [("target", Some(repository.target.as_str())), ("file", file)] {
        let Some(path) = path else { continue };
        let odd = path.contains("://") || path.split('/').any(|part| part == ".." || part == ".");
        let empty = name == "file" && path.trim_matches('/').is_empty();
        if odd || empty {
            let text = format!("the {name} of repository {:?} is no path in a repository", repository.name);
            let expected = if name == "file" { "such as trunk/README" } else { "such as trunk" };
            found.push(format!("{base}/{name}"), |problem| problem.found(path).expected(expected), text);
        }
    }
}

fn check_variant(lab: &Lab, index: usize, variant: &Variant, found: &mut Found) {
    let base = format!("/variants/{index}");
    let builds = names(lab.builds.iter().map(|build| &build.name));
    found.unique(format!("{base}/name"), "variant", &variant.name);
    found.known(format!("{base}/build"), "build", &variant.build, &builds);
    let copies: Vec<(&str, &str, &str)> = lab
        .repositories
        .iter()
        .flat_map(|repository| repository.copies.iter().map(move |copy| (repository, copy)))
        .map(|(repository, copy)| (copy.name.as_str(), repository.name.as_str(), copy.medium.as_str()))
        .collect();
    let known: Vec<&str> = copies.iter().map(|(name, _, _)| *name).collect();
    let mut served: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for (at, name) in variant.copies.iter().enumerate() {
        let pointer = format!("{base}/copies/{at}");
        let Some((_, repository, medium)) = copies.iter().find(|(copy, _, _)| copy == name) else {
            found.known(pointer, "copy", name, &known);
            continue;
        };
        if let Some(other) = served.insert((repository, medium), name) {
            let text = format!(
                "variant {:?} serves two copies of {repository} on {medium}: {other:?} and {name:?}",
                variant.name
            );
            found.push(pointer, |problem| problem.expected("one copy for each repository and medium"), text);
        }
    }
    options(&base, variant, found);
}

fn options(base: &str, variant: &Variant, found: &mut Found) {
    for (at, word) in variant.options.iter().enumerate() {
        let pointer = format!("{base}/options/{at}");
        if word.starts_with('-') && word.contains(char::is_whitespace) {
            let split: Vec<String> = word.split_whitespace().map(|word| format!("{word:?}")).collect();
            let text = "an option and its value stand in one word".to_owned();
            found.push(pointer, |problem| problem.found(word).expected(split.join(", ")), text);
        } else if OWN_OPTIONS.contains(&word.split('=').next().unwrap_or_default()) {
            let text = format!("{word} is an option that the runner gives its servers itself");
            found.push(
                pointer,
                |problem| problem.next_step("leave it out; the plan says mode and log"),
                text,
            );
        }
    }
}

/// Names with what other sources call them.
type Owners<'a> = Vec<(&'a String, &'a Vec<String>)>;

/// What other sources call something must mean one thing only.
fn aliases(lab: &Lab, found: &mut Found) {
    let repositories = lab.repositories.iter().map(|one| (&one.name, &one.aliases)).collect();
    let variants = lab.variants.iter().map(|one| (&one.name, &one.aliases)).collect();
    let lists: [(&str, &str, Owners<'_>); 2] =
        [("repositories", "repository", repositories), ("variants", "variant", variants)];
    for (list, kind, owners) in lists {
        let mut means: BTreeMap<&str, usize> =
            owners.iter().enumerate().map(|(index, (name, _))| (name.as_str(), index)).collect();
        for (index, (name, aliases)) in owners.iter().enumerate() {
            for (at, alias) in aliases.iter().enumerate() {
                let pointer = format!("/{list}/{index}/aliases/{at}");
                match means.insert(alias, index) {
                    _ if alias.trim().is_empty() => found.name(&pointer, "alias", alias),
                    Some(other) if other != index => {
                        let other = owners.get(other).map_or("", |(name, _)| name.as_str());
                        let text = format!("{alias:?} would mean {kind} {other:?} and {kind} {name:?}");
                        found.push(
                            pointer,
                            |problem| problem.expected("a name that means one of them"),
                            text,
                        );
                    }
                    _ => {}
                }
            }
        }
    }
}
