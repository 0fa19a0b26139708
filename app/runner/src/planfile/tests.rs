//! Plans that are read, refused with their place, and written.

use super::*;
use crate::plan::{Cache, Operation, Step};
use std::fs;

const TEXT: &str = r#"{
  "version": 1,
  "title": "two",
  "operations": [
    {"experiment": "null-export"},
    {"experiment": "export", "options": {"ignore-externals": true}}
  ],
  "repositories": ["tsvn"],
  "variants": ["trunk", "branch7"],
  "media": ["SSD"],
  "caches": ["cold", "hot"],
  "repetitions": 3
}
"#;

fn lab() -> Lab {
    let mut lab = Lab::new("bench");
    let named = |name: &str| name.to_owned();
    for name in ["trunk", "branch7"] {
        lab.variants.push(crate::lab::Variant { name: named(name), ..Default::default() });
    }
    lab.media.push(crate::lab::Medium { name: named("SSD"), ..Default::default() });
    lab.repositories.push(crate::lab::Repository { name: named("tsvn"), ..Default::default() });
    lab
}

fn check(from: &str, to: &str, expect: &str) {
    assert!(TEXT.contains(from), "{from}");
    let text = TEXT.replacen(from, to, 1);
    let problems = parse(&text, "p.json", Some(&lab())).expect_err(expect);
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert!(lines.iter().any(|line| line.contains(expect)), "{lines:#?} lacks {expect}");
}

#[test]
fn a_plan_is_read_with_its_defaults() {
    let plan = parse(TEXT, "p.json", Some(&lab())).expect("read");
    assert_eq!(plan.operations.len(), 2);
    assert_eq!((plan.repetitions, plan.warm_ups, plan.sample_hz), (3, 1, 10));
    assert_eq!(plan.caches, [Cache::Cold, Cache::Hot]);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (from, to, expect) in [
        ("[\"tsvn\"],", "[\"tsvn\"]", "p.json:9:3: error: "),
        ("\"version\": 1", "\"version\": 2", "p.json:2:14: error: "),
        (
            "null-export",
            "null-exprot",
            "p.json:5:20: error: unknown experiment, found \"null-exprot\", expected one of ",
        ),
        (
            "ignore-externals",
            "ignore",
            "p.json:6:52: error: export has no option \"ignore\", expected ignore-externals, ",
        ),
        ("true", "1", "p.json:6:62: error: unreadable ignore-externals, found 1, expected true or false"),
        (
            "\"branch7\"",
            "\"branch8\"",
            "p.json:9:25: error: the lab bench has no such variant, found \"branch8\", expected one of trunk, branch7",
        ),
        ("\"branch7\"", "\"trunk\"", "p.json:9:25: error: named twice, found \"trunk\""),
        ("[\"SSD\"]", "[]", "p.json:10:12: error: empty list, expected media to measure"),
        (
            "\"repetitions\": 3",
            "\"repetitions\": 0",
            "p.json:12:18: error: number out of range, found \"0\", expected 1 to 10000",
        ),
        ("\"repetitions\": 3", "\"repetitions\": -1", "p.json:12:"),
        (
            "\"repetitions\": 3",
            "\"repetitions\": 3, \"limits\": {\"run_secs\": -1}",
            "limit out of range, found \"-1\"",
        ),
        ("\"repetitions\": 3", "\"repetitoins\": 3", "unknown field `repetitoins`"),
        ("\"cold\"", "\"warm\"", "p.json:11:"),
    ] {
        check(from, to, expect);
    }
}

#[test]
fn cells_and_steps_belong_to_the_plan() {
    let cell =
        r#""operation": 0, "repository": "tsvn", "variant": "trunk", "medium": "SSD", "cache": "cold""#;
    let with = |more: &str| format!("\"repetitions\": 3, {more}");
    for (more, expect) in [
        (
            format!("\"cells\": [{{{}}}]", cell.replace(": 0", ": 2")),
            "no such operation, found \"2\", expected an index below 2",
        ),
        (format!("\"cells\": [{{{cell}}}, {{{cell}}}]"), "the same cell twice"),
        (
            format!("\"cells\": [{{{}}}]", cell.replace("trunk", "x")),
            "p.json:12:81: error: the lab bench has no such variant",
        ),
        (format!("\"steps\": [{{\"step\": 2, {cell}, \"repetition\": 1}}]"), "numbered from 1 without a gap"),
        (
            format!(
                "\"steps\": [{{\"step\": 1, {cell}, \"repetition\": 1}}, {{\"step\": 2, {cell}, \"repetition\": 1}}]"
            ),
            "the same run twice",
        ),
    ] {
        check("\"repetitions\": 3", &with(&more), expect);
    }
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plan.json");
    let mut plan = parse(TEXT, "p.json", None).expect("read");
    let cell = crate::plan::Cell {
        operation: 1,
        repository: "tsvn".into(),
        variant: "trunk".into(),
        medium: "SSD".into(),
        cache: Cache::HotServer,
    };
    plan.cells.push(cell.clone());
    plan.steps.push(Step { step: 1, cell, repetition: 1 });
    write(&path, &plan).expect("written");
    assert_eq!(read(&path, None).expect("read"), plan);
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "no part is left");

    let missing = write(&folder.path().join("no/plan.json"), &plan).expect_err("no folder");
    assert!(missing.message.contains("cannot be written"), "{missing}");
    let missing = read(&folder.path().join("none.json"), None).expect_err("no file");
    assert!(missing[0].message.contains("cannot be read"), "{missing:?}");
}

#[test]
fn options_are_checked_by_their_kind() {
    let plan = |value: serde_json::Value| Plan {
        operations: vec![Operation {
            experiment: "export".into(),
            options: [("ignore-externals".to_owned(), value)].into(),
        }],
        repositories: vec!["r".into()],
        variants: vec!["v".into()],
        media: vec!["m".into()],
        ..Plan::default()
    };
    assert_eq!(faults(&plan(false.into()), None), []);
    assert_eq!(faults(&plan("yes".into()), None).len(), 1);
}
