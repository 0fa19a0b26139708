//! Repositories: whether each copy is what the lab says, whether the copies of a content agree, and
//! whether each variant's build reads the copies that it serves.

use super::builds::Asked;
use super::copies::{self, CopyFacts};
use super::{CheckRow, State, Subject};
use crate::builds::ask;
use crate::host::local::LocalHost;
use crate::lab::{Lab, Repository, RepositoryCopy, Variant};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// What was read of each copy.
type Read = BTreeMap<String, Result<CopyFacts, String>>;

/// Rows of copies, repositories and variants.
pub(super) fn rows(lab: &Lab, asked: &Asked) -> Vec<CheckRow> {
    let copies = || lab.repositories.iter().flat_map(|repository| &repository.copies);
    let read: Read = copies().map(|copy| (copy.name.clone(), copies::read(&copy.path))).collect();
    let mut rows: Vec<CheckRow> = copies().map(|copy| copy_row(lab, copy, &read)).collect();
    rows.extend(lab.repositories.iter().map(|repository| repository_row(lab, repository, &read)));
    rows.extend(lab.variants.iter().map(|variant| variant_row(lab, variant, &read, asked)));
    rows
}

fn copy_row(lab: &Lab, copy: &RepositoryCopy, read: &Read) -> CheckRow {
    let row = |state, text: String| CheckRow::new(Subject::Copy, &copy.name, state, text);
    let facts = match read.get(&copy.name) {
        Some(Ok(facts)) => facts,
        Some(Err(fault)) => return row(State::Failed, fault.clone()).next("correct its path in the lab"),
        None => return row(State::Unknown, "not read".into()),
    };
    let mut wrong = Vec::new();
    if let Some(format) = copy.format.as_ref().filter(|format| **format != facts.format.to_string()) {
        wrong.push(format!("the lab says format {format}"));
    }
    match copy.packed {
        Some(true) if !facts.is_packed() => wrong.push("the lab says packed".into()),
        Some(false) if facts.is_packed() => wrong.push("the lab says not packed".into()),
        _ => {}
    }
    let medium = lab.medium(&copy.medium);
    if let Some(medium) = medium.filter(|medium| lies_elsewhere(&copy.path, &medium.directory)) {
        wrong.push(format!("it lies on another file system than its medium {}", medium.name));
    }
    let row = |state, text| row(state, text).facts(facts.facts());
    if wrong.is_empty() {
        return row(State::Ok, facts.text());
    }
    row(State::Failed, format!("{}; {}", facts.text(), wrong.join(", "))).next("correct the lab")
}

fn lies_elsewhere(copy: &Path, medium: &Path) -> bool {
    let point = |path: &Path| LocalHost::medium_facts(path).get("mount_point").cloned();
    let (copy, medium) = (point(copy), point(medium));
    copy.is_some() && medium.is_some() && copy != medium
}

/// Whether the copies hold one content, and target and file are in it.
fn repository_row(lab: &Lab, repository: &Repository, read: &Read) -> CheckRow {
    let row = |state, text: String| CheckRow::new(Subject::Repository, &repository.name, state, text);
    let sound: Vec<(&RepositoryCopy, &CopyFacts)> = repository
        .copies
        .iter()
        .filter_map(|copy| Some((copy, read.get(&copy.name)?.as_ref().ok()?)))
        .collect();
    let Some((first, facts)) = sound.first() else {
        return row(State::Failed, "none of its copies can be read".into())
            .next("add a copy or correct the paths");
    };
    let uuid = repository.uuid.as_ref().unwrap_or(&facts.uuid);
    let youngest = repository.youngest.unwrap_or(facts.youngest);
    let row = |state, text| row(state, text).fact("uuid", uuid.clone()).fact("youngest", youngest);
    let other = |(copy, facts): &&(&RepositoryCopy, &CopyFacts)| {
        (facts.uuid != *uuid || facts.youngest != youngest)
            .then(|| format!("{} has UUID {} and youngest r{}", copy.name, facts.uuid, facts.youngest))
    };
    let others: Vec<String> = sound.iter().filter_map(|pair| other(&pair)).collect();
    if !others.is_empty() {
        return row(
            State::Failed,
            format!("expected UUID {uuid} and youngest r{youngest}: {}", others.join(", ")),
        )
        .next("copies of one repository hold the same revisions; make another repository of what differs");
    }
    let text = format!("{} copies agree, r{youngest}, UUID {uuid}", sound.len());
    let named = [("target", Some(repository.target.as_str())), ("file", repository.file.as_deref())];
    for (what, path) in named {
        let Some(path) = path.filter(|path| !path.is_empty()) else { continue };
        match holds(lab, &first.path, path) {
            Some(Ok(())) => {}
            Some(Err(said)) => {
                return row(State::Failed, format!("{text}; its {what} {path:?} is not there: {said}"))
                    .next(format!("correct the {what} in the lab"));
            }
            None => {
                return row(
                    State::Unknown,
                    format!("{text}; without svnlook it is unknown whether {path:?} is there"),
                );
            }
        }
    }
    row(State::Ok, text)
}

/// Whether a path is in the youngest revision, as svnlook of any build says.
fn holds(lab: &Lab, copy: &Path, path: &str) -> Option<Result<(), String>> {
    let svnlook =
        lab.builds.iter().map(|build| build.program("svnlook")).find(|program| program.is_file())?;
    let words = [OsStr::new("tree"), OsStr::new("-N"), copy.as_os_str(), OsStr::new(path)];
    match ask(&svnlook, &words, false) {
        Ok(said) if said.status == Some(0) => Some(Ok(())),
        Ok(said) => Some(Err(said.complaint())),
        Err(_) => None,
    }
}

/// Whether its build reads the last revision of each of its copies.
fn variant_row(lab: &Lab, variant: &Variant, read: &Read, asked: &Asked) -> CheckRow {
    let row = |state, text: String| CheckRow::new(Subject::Variant, &variant.name, state, text);
    let Some(build) = lab.build(&variant.build) else {
        return row(State::Failed, format!("the lab has no build {:?}", variant.build))
            .next("correct the lab");
    };
    if variant.copies.is_empty() {
        return row(State::Failed, "it serves no copy".into()).next("name its copies");
    }
    let svnadmin =
        asked.get(&build.name).and_then(|programs| programs.iter().find(|(name, _)| *name == "svnadmin"));
    let Some((_, svnadmin)) = svnadmin.filter(|(_, program)| program.fault.is_none()) else {
        return row(
            State::Unknown,
            format!("without svnadmin of build {} its copies cannot be tried", build.name),
        );
    };
    let mut faults = Vec::new();
    for name in &variant.copies {
        let copy =
            lab.repositories.iter().flat_map(|repository| &repository.copies).find(|copy| copy.name == *name);
        let (Some(copy), Some(Ok(facts))) = (copy, read.get(name)) else {
            faults.push(format!("{name} cannot be read"));
            continue;
        };
        let youngest = facts.youngest.to_string();
        let words = ["dump", "-q", "--incremental", "-r", &youngest].map(OsStr::new);
        let words: Vec<&OsStr> = words.into_iter().chain([copy.path.as_os_str()]).collect();
        match ask(&svnadmin.path, &words, false) {
            Ok(said) if said.status == Some(0) => {}
            Ok(said) => faults.push(format!("{name}: {}", said.complaint())),
            Err(fault) => faults.push(format!("{name}: svnadmin {fault}")),
        }
    }
    let newest = svnadmin.newest_format();
    let row = |state, text| row(state, text).fact("newest_format", newest.map(|format| format.to_string()));
    if faults.is_empty() {
        let copies = variant.copies.join(", ");
        return row(State::Ok, format!("build {} reads {copies}", build.name));
    }
    let step = match newest {
        Some(newest) => {
            format!("releases like this build read formats up to {newest}: choose a copy it reads")
        }
        None => "choose a copy that its build reads".to_owned(),
    };
    row(State::Failed, format!("build {} does not read {}", build.name, faults.join("; "))).next(step)
}
