//! Lab files: what is read and written, and where a fault is said to stand.

use super::*;
use crate::lab::{Build, Medium, Repository, RepositoryCopy, Variant};
use serde_json::{Value, json};

fn sound() -> Lab {
    let copy = |name: &str, format: &str| RepositoryCopy {
        name: name.into(),
        format: Some(format.into()),
        packed: Some(true),
        medium: "SSD".into(),
        path: name.into(),
    };
    let variant = |name: &str, copy: &str| Variant {
        name: name.into(),
        build: "installed".into(),
        copies: vec![copy.into()],
        options: vec!["--memory-cache-size".into(), "64".into()],
        aliases: vec![format!("{name}-old")],
    };
    Lab {
        builds: vec![Build { name: "installed".into(), directory: "/usr/bin".into(), ..Build::default() }],
        media: vec![Medium { name: "SSD".into(), directory: ".".into() }],
        repositories: vec![Repository {
            name: "demo".into(),
            target: "trunk".into(),
            file: Some("trunk/README".into()),
            copies: vec![copy("a6", "6"), copy("a7", "7")],
            ..Repository::default()
        }],
        variants: vec![variant("fmt6", "a6"), variant("fmt7", "a7")],
        baseline: Some("fmt6".into()),
        ..Lab::new("box")
    }
}

#[test]
fn a_lab_reads_back_and_relative_paths_lie_beside_the_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("lab.json");
    write(&path, &sound()).expect("written");
    write(&path, &sound()).expect("written again");
    assert_eq!(read(&path).expect("read"), sound());
    let lab = read_absolute(&path).expect("read");
    assert_eq!(lab.repositories[0].copies[0].path, directory.path().join("a6"));
    assert_eq!(std::fs::read_dir(directory.path()).expect("listed").count(), 1);
}

#[test]
fn what_cannot_be_read_or_written_says_so() {
    let directory = tempfile::tempdir().expect("a directory");
    let problems = read(&directory.path().join("absent.json")).expect_err("refused");
    assert!(problems[0].to_string().contains("the lab cannot be read: No such file"), "{problems:?}");
    let problem = write(&directory.path().join("no/lab.json"), &sound()).expect_err("refused");
    assert!(problem.to_string().contains("the lab cannot be written: No such file"), "{problem}");
    assert_eq!(std::fs::read_dir(directory.path()).expect("listed").count(), 0);
}

#[test]
fn every_fault_names_its_place() {
    let mut wrong = Vec::new();
    for (pointer, value, expect) in [
        ("/name", json!(" "), "lab:3:11: error: the lab has an empty name, expected a name for the lab"),
        (
            "/builds/0/name",
            json!("x"),
            "lab:42:16: error: the lab has no build \"installed\", expected \"x\"",
        ),
        (
            "/builds/0/directory",
            json!(""),
            "lab:7:20: error: build \"installed\" has no directory, expected a directory",
        ),
        (
            "/media/0/name",
            json!("USB "),
            "lab:12:15: error: the name of the medium begins or ends with a blank, found \"USB \", expected \"USB\"",
        ),
        (
            "/repositories/0/copies/1/medium",
            json!("RAID"),
            "lab:33:21: error: the lab has no medium \"RAID\", expected \"SSD\"",
        ),
        (
            "/repositories/0/copies/1/name",
            json!("a6"),
            "lab:30:19: error: two copies are called \"a6\", expected a name of its own",
        ),
        (
            "/repositories/0/copies/1/path",
            json!("a6"),
            "lab:34:19: error: copies \"a6\" and \"a7\" lie in the same directory, expected a directory of its own",
        ),
        (
            "/repositories/0/target",
            json!("svn://h/trunk"),
            "lab:19:17: error: the target of repository \"demo\" is no path in a repository, found \"svn://h/trunk\", expected such as trunk",
        ),
        (
            "/repositories/0/file",
            json!(""),
            "lab:20:15: error: the file of repository \"demo\" is no path in a repository, found \"\", expected such as trunk/README",
        ),
        (
            "/variants/1/name",
            json!("fmt6"),
            "lab:55:15: error: two variants are called \"fmt6\", expected a name of its own",
        ),
        (
            "/variants/1/copies/0",
            json!("a9"),
            "lab:58:9: error: the lab has no copy \"a9\", expected one of a6, a7",
        ),
        (
            "/variants/1/copies",
            json!(["a7", "a6"]),
            "lab:59:9: error: variant \"fmt7\" serves two copies of demo on SSD: \"a7\" and \"a6\", expected one copy for each repository and medium",
        ),
        (
            "/variants/1/options",
            json!(["--memory-cache-size 64"]),
            "lab:61:9: error: an option and its value stand in one word, found \"--memory-cache-size 64\", expected \"--memory-cache-size\", \"64\"",
        ),
        (
            "/variants/1/options",
            json!(["--listen-port=7"]),
            "lab:61:9: error: --listen-port=7 is an option that the runner gives its servers itself; leave it out; the plan says mode and log",
        ),
        (
            "/variants/1/aliases",
            json!(["fmt6"]),
            "lab:65:9: error: \"fmt6\" would mean variant \"fmt6\" and variant \"fmt7\", expected a name that means one of them",
        ),
        (
            "/baseline",
            json!("fmt8"),
            "lab:69:15: error: the lab has no variant \"fmt8\", expected one of fmt6, fmt7",
        ),
        (
            "/version",
            json!(2),
            "lab:2:14: error: this lab has version 2, this program reads version 1; open it with a newer Triptych",
        ),
        (
            "/builds/0/directory",
            json!(7),
            "lab:7:20: error: invalid type, found \"integer `7`\", expected path string",
        ),
    ] {
        let mut whole = serde_json::to_value(sound()).expect("written");
        *whole.pointer_mut(pointer).expect("a value") = value;
        let text = ordered(&whole);
        let problems = parse(&text, "lab").expect_err(expect);
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        if !said.iter().any(|said| said == expect) {
            wrong.push(format!("{expect}\n  {}", said.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text with its fields in the order of the file, which a [`Value`] does not keep.
fn ordered(value: &Value) -> String {
    match serde_json::from_value::<Lab>(value.clone()) {
        Ok(lab) => to_text(&lab).expect("written"),
        Err(_) => to_text(&sound()).expect("written").replace("\"/usr/bin\"", "7"),
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let lab =
        Lab { baseline: Some("x".into()), builds: vec![Build::default(), Build::default()], ..Lab::new("") };
    let pointers: Vec<String> = faults(&lab).into_iter().map(|fault| fault.pointer).collect();
    assert_eq!(
        pointers,
        [
            "/name",
            "/builds/0/name",
            "/builds/0/directory",
            "/builds/1/name",
            "/builds/1/directory",
            "/baseline"
        ]
    );
    assert_eq!(faults(&sound()), []);
}
