//! A lab beside the machine: what holds, what does not, and that looking changes nothing.

use super::*;
use crate::lab::{Build, Medium, Repository, RepositoryCopy, Variant};
use crate::testing::run;
use std::fs;

/// A lab of a small real repository in formats 6 and 8 below a directory.
fn lab(base: &Path) -> Lab {
    let mut copies = Vec::new();
    for (name, version) in [("a6", "1.8"), ("a8", "1.10")] {
        let path = base.join(name);
        let text = path.to_str().expect("a plain path");
        run("svnadmin", &["create", "--compatible-version", version, text]);
        run("svn", &["mkdir", "-q", "-m", "1", &format!("file://{text}/trunk")]);
        run("svnadmin", &["setuuid", text, "11111111-2222-4333-8444-555555555555"]);
        copies.push(RepositoryCopy {
            name: name.into(),
            medium: "disk".into(),
            path: name.into(),
            ..RepositoryCopy::default()
        });
    }
    let variant = |name: &str, copy: &str| Variant {
        name: name.into(),
        build: "installed".into(),
        copies: vec![copy.into()],
        ..Variant::default()
    };
    Lab {
        builds: vec![Build { name: "installed".into(), directory: "/usr/bin".into(), ..Build::default() }],
        media: vec![Medium { name: "disk".into(), directory: ".".into() }],
        repositories: vec![Repository {
            name: "small".into(),
            target: "trunk".into(),
            copies,
            ..Repository::default()
        }],
        variants: vec![variant("fmt6", "a6"), variant("fmt8", "a8")],
        ..Lab::new("test")
    }
}

fn row<'a>(report: &'a LabReport, what: Subject, name: &str) -> &'a CheckRow {
    let found = report.rows.iter().find(|row| row.what == what && row.name == name);
    found.unwrap_or_else(|| panic!("no row {what:?} {name}: {report:#?}"))
}

/// The listing of a directory with sizes and times, to see that nothing changed.
fn listing(base: &Path) -> Vec<String> {
    run("find", &[base.to_str().expect("a plain path"), "-printf", "%p %s %T@ %C@\n"])
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_sound_lab_is_proven_and_nothing_is_changed() {
    let base = tempfile::tempdir().expect("a directory");
    let lab = lab(base.path());
    let before = listing(base.path());
    let report = check(&lab, base.path());
    assert_eq!(listing(base.path()), before);
    assert!(report.is_sound(), "{report:#?}");
    assert!(row(&report, Subject::Build, "installed").facts["version"].is_string());
    let copy = row(&report, Subject::Copy, "a8");
    assert_eq!(copy.text, "fsfs format 8, not packed, youngest r1, logical addressing");
    assert_eq!((&copy.facts["format"], &copy.facts["packed"]), (&"8".into(), &false.into()));
    let repository = row(&report, Subject::Repository, "small");
    assert_eq!(repository.text, "2 copies agree, r1, UUID 11111111-2222-4333-8444-555555555555");
    assert_eq!(row(&report, Subject::Variant, "fmt6").text, "build installed reads a6");
    assert_eq!(row(&report, Subject::Experiment, "export").state, State::Ok);
    let blame = row(&report, Subject::Experiment, "null-blame");
    assert_eq!(
        (blame.state, blame.text.as_str()),
        (State::Warning, "no repository of the lab names a file for it")
    );
    assert!(report.rows.is_sorted_by_key(|row| row.what));
    let text = serde_json::to_string(&report).expect("written");
    assert!(text.contains("{\"what\":\"build\",\"name\":\"installed\",\"state\":\"ok\""), "{text}");
    assert_eq!(serde_json::from_str::<LabReport>(&text).expect("read"), report);
}

#[test]
fn what_the_copies_say_completes_the_lab() {
    let base = tempfile::tempdir().expect("a directory");
    let lab = copies::complete(&lab(base.path()), base.path());
    let repository = &lab.repositories[0];
    assert_eq!(repository.uuid.as_deref(), Some("11111111-2222-4333-8444-555555555555"));
    assert_eq!(repository.youngest, Some(1));
    assert_eq!(
        (repository.copies[0].format.as_deref(), repository.copies[0].packed),
        (Some("6"), Some(false))
    );
}

#[test]
fn what_is_not_as_the_lab_says_fails_with_its_reason() {
    let base = tempfile::tempdir().expect("a directory");
    let good = lab(base.path());
    type Change = fn(&mut Lab);
    let cases: [(Change, Subject, &str, State, &str); 12] = [
        (
            |lab| lab.builds[0].directory = "/absent".into(),
            Subject::Build,
            "installed",
            State::Failed,
            "svn is not there, svnadmin is not there",
        ),
        (
            |lab| drop(lab.builds[0].programs.insert("svnbench".into(), "none".into())),
            Subject::Build,
            "installed",
            State::Warning,
            "svnbench is not there",
        ),
        (
            |lab| drop(lab.builds[0].programs.insert("svnbench".into(), "none".into())),
            Subject::Experiment,
            "null-list",
            State::Warning,
            "cannot run: in build installed, svnbench is not there",
        ),
        (
            |lab| lab.repositories[0].copies[0].format = Some("7".into()),
            Subject::Copy,
            "a6",
            State::Failed,
            "the lab says format 7",
        ),
        (
            |lab| lab.repositories[0].copies[0].packed = Some(true),
            Subject::Copy,
            "a6",
            State::Failed,
            "the lab says packed",
        ),
        (
            |lab| lab.repositories[0].copies[0].path = "absent".into(),
            Subject::Copy,
            "a6",
            State::Failed,
            "is not there",
        ),
        (
            |lab| lab.media[0].directory = "/proc".into(),
            Subject::Copy,
            "a6",
            State::Failed,
            "it lies on another file system than its medium disk",
        ),
        (
            |lab| lab.repositories[0].youngest = Some(9),
            Subject::Repository,
            "small",
            State::Failed,
            "and youngest r9: a6 has UUID 11111111-2222-4333-8444-555555555555 and youngest r1, a8",
        ),
        (
            |lab| lab.repositories[0].target = "trunc".into(),
            Subject::Repository,
            "small",
            State::Failed,
            "its target \"trunc\" is not there: svnlook: E160013",
        ),
        (|lab| lab.variants[0].copies.clear(), Subject::Variant, "fmt6", State::Failed, "it serves no copy"),
        (
            |lab| lab.variants[0].build = "x".into(),
            Subject::Variant,
            "fmt6",
            State::Failed,
            "the lab has no build \"x\"",
        ),
        (
            |lab| lab.media[0].directory = "/absent".into(),
            Subject::Medium,
            "disk",
            State::Failed,
            "no directory: /absent",
        ),
    ];
    for (change, what, name, state, expect) in cases {
        let mut lab = good.clone();
        change(&mut lab);
        let report = check(&lab, base.path());
        let row = row(&report, what, name);
        assert_eq!(row.state, state, "{row:?}");
        assert!(row.text.contains(expect), "expected {expect}: {row:?}");
    }
}

#[test]
fn a_copy_that_the_build_cannot_read_is_found() {
    let base = tempfile::tempdir().expect("a directory");
    let lab = lab(base.path());
    fs::write(base.path().join("a8/db/format"), "99\nlayout sharded 1000\naddressing logical\n")
        .expect("written");
    let report = check(&lab, base.path());
    let broken = row(&report, Subject::Variant, "fmt8");
    assert_eq!(broken.state, State::Failed);
    assert!(broken.text.contains("Expected FS format between '1' and '8'; found format '99'"), "{broken:?}");
    assert!(
        broken.next_step.as_ref().is_some_and(|step| step.contains("read formats up to 8")),
        "{broken:?}"
    );
    assert_eq!(row(&report, Subject::Variant, "fmt6").state, State::Ok);
    // The head of the file says nothing of a revision that is damaged.
    let revision = base.path().join("a6/db/revs/0/1");
    fs::remove_file(&revision).expect("removed");
    let report = check(&lab, base.path());
    assert_eq!(row(&report, Subject::Variant, "fmt6").state, State::Failed);
}

#[test]
fn a_debug_build_is_named() {
    use crate::builds::tests::script;
    let base = tempfile::tempdir().expect("a directory");
    let bin = base.path().join("bin");
    fs::create_dir(&bin).expect("made");
    for name in crate::builds::PROGRAMS {
        let failure = format!("subversion/{name}/{name}.c:1: (apr_err=SVN_ERR_X)\n{name}: E200009: x");
        script(&bin, name, &format!("{name}, version 1.9.7 (r1800392)\n   compiled today"), &failure);
    }
    let lab = Lab {
        builds: vec![Build { name: "trunk".into(), directory: "bin".into(), ..Build::default() }],
        ..Lab::new("test")
    };
    let report = check(&lab, base.path());
    let debug = row(&report, Subject::Build, "trunk");
    assert_eq!((debug.state, &debug.facts["debug"]), (State::Warning, &true.into()));
    assert!(
        debug.text.contains("a debug or maintainer-mode build (subversion/svn/svn.c:1: (apr_err=SVN_ERR_X))"),
        "{debug:?}"
    );
    assert!(report.is_sound());
}

#[test]
fn a_check_can_be_given_up() {
    let base = tempfile::tempdir().expect("a directory");
    let report = check_with(&Lab::new("empty"), base.path(), &mut |what| what == "media");
    assert_eq!(report.rows, []);
}
