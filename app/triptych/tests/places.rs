//! The same files named in other ways, odd names, and what else can be compared: the real program.

mod common;

use common::{Run, folder_with, triptych_in};
use serde_json::Value;
use std::collections::BTreeSet;

const TIMES: &[u8] = b"\nreal\t0m1.590s\nuser\t0m0.010s\nsys\t0m0.010s\n";

fn logs() -> tempfile::TempDir {
    folder_with(&[
        ("mine/verify/trunk-cold-r1.txt", TIMES),
        ("mine/verify/branch7-cold-r1.txt", TIMES),
        ("mine/null-log/trunk-cold-r1.txt", TIMES),
        ("mine/null-log/branch7-cold-r1.txt", TIMES),
        ("other/verify/trunk-cold-r1.txt", TIMES),
    ])
}

fn rows(run: &Run) -> Vec<Value> {
    assert_eq!(run.code, 0, "{run:?}");
    run.json().as_array().expect("a list").clone()
}

fn all<'a>(rows: &'a [Value], name: &str) -> BTreeSet<&'a str> {
    rows.iter().filter_map(|row| row[name].as_str()).collect()
}

#[test]
fn a_campaign_is_one_however_its_path_is_written() {
    let folder = logs();
    let full = folder.path().canonicalize().expect("a path");
    let full = |name: &str| full.join(name).to_str().expect("text").to_owned();
    for (place, paths) in [
        ("", vec!["mine".to_owned()]),
        ("mine", vec![".".to_owned()]),
        ("mine", vec!["verify".to_owned(), "./null-log/".to_owned()]),
        ("mine", vec!["../mine/verify".to_owned(), full("mine/null-log")]),
        ("mine/verify", vec!["..".to_owned()]),
        ("other", vec![full("mine")]),
    ] {
        let mut arguments = vec!["table", "--as", "json"];
        arguments.extend(paths.iter().map(String::as_str));
        let rows = rows(&triptych_in(&folder.path().join(place), &arguments));
        assert_eq!(all(&rows, "campaign"), BTreeSet::from(["mine"]), "{place}: {paths:?}");
        assert_eq!(all(&rows, "operation"), BTreeSet::from(["null-log -v", "verify"]), "{place}: {paths:?}");
    }
}

#[test]
fn plain_names_are_understood_where_they_are_plain() {
    let json = &std::fs::read(common::sample("hyperfine/null-export-hot.json")).expect("a sample")[..];
    let folder = folder_with(&[
        ("fine/null-export-cold.json", json),
        ("fine/null-export-hot.json", json),
        ("fine/with-failure.json", json),
        ("plain/verify-trunk.txt", TIMES),
        ("plain/verify-1.9.12.txt", TIMES),
        ("plain/verify-mine.txt", TIMES),
        ("plain/notes-1.9.12.txt", TIMES),
    ]);
    let fine = rows(&triptych_in(folder.path(), &["table", "fine", "--as", "json"]));
    assert_eq!(all(&fine, "cache"), BTreeSet::from(["cold", "hot"]), "failure is no cache: {fine:#?}");
    let plain = rows(&triptych_in(folder.path(), &["table", "plain", "--as", "json"]));
    let sides = |row: &Value| -> Vec<String> {
        let all = row["variants"].as_array().expect("sides");
        all.iter().map(|side| side["name"].as_str().expect("a name").to_owned()).collect()
    };
    let verify = plain.iter().find(|row| row["operation"] == "verify").expect("verify");
    assert_eq!(sides(verify), ["trunk", "1.9.12", "mine"]);
    assert_eq!(all(&plain, "operation"), BTreeSet::from(["verify"]), "notes are no operation: {plain:#?}");
}

#[test]
fn the_folder_where_one_stands_says_the_operation() {
    let folder = logs();
    for paths in [&["."][..], &["trunk-cold-r1.txt", "./branch7-cold-r1.txt"]] {
        let mut arguments = vec!["table", "--as", "json"];
        arguments.extend(paths);
        let rows = rows(&triptych_in(&folder.path().join("mine/verify"), &arguments));
        assert_eq!(all(&rows, "operation"), BTreeSet::from(["verify"]), "{paths:?}");
        assert_eq!(rows.len(), 1, "one campaign: {rows:#?}");
    }
}

#[test]
fn what_a_row_is_of_is_said_where_something_else_is_compared() {
    let folder = logs();
    let arguments = ["table", "mine", "--across", "cache", "--where", "operation=verify"];
    let run = triptych_in(folder.path(), &arguments);
    assert!(run.stdout.contains("verify, branch7\n") && run.stdout.contains("verify, trunk\n"), "{run:?}");
    for (form, expect) in [("json", "\"variant\": \"trunk\""), ("csv", ",threads,variant,process,")] {
        let run = triptych_in(folder.path(), &[&arguments[..], &["--as", form]].concat());
        assert!(run.stdout.contains(expect), "{run:?}");
    }
    let run =
        triptych_in(folder.path(), &["table", "mine", "--across", "operation", "--where", "variant=trunk"]);
    assert!(run.stdout.starts_with("all operations\n"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn odd_names_are_kept_apart_and_shown_without_their_codes() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder_with(&[("verify/new\nline-cold-r1.txt", TIMES)]);
    for byte in [0xe4, 0xf6] {
        let name = [b"tr".as_slice(), &[byte], b"k-cold-r1.txt"].concat();
        let path = folder.path().join("verify").join(std::ffi::OsStr::from_bytes(&name));
        std::fs::write(path, TIMES).expect("written");
    }
    let run = triptych_in(folder.path(), &["table", "verify"]);
    assert!(run.stdout.contains("tr\\xE4k") && run.stdout.contains("tr\\xF6k"), "{run:?}");
    assert!(run.stdout.contains("new\u{FFFD}line"), "{run:?}");
}

#[test]
fn what_a_load_log_did_not_see_is_said() {
    let folder = common::sample("export-old-new");
    let only = ["--where", "repository=tags_packed", "--where", "process=svnserve"];
    let arguments = [&["table", folder.as_str(), "--metric", "cpu_time"], &only[..]].concat();
    let run = common::triptych(&arguments);
    assert!(run.stdout.contains("(n = 3, 3, 3, 3; incomplete)"), "{run:?}");
    assert!(run.stdout.contains("cpu_time of svnserve in s"), "{run:?}");
}

#[test]
fn the_foot_says_only_what_is_there() {
    let folder = logs();
    let foot = |arguments: &[&str]| {
        let run = triptych_in(folder.path(), &[&["table"], arguments].concat());
        assert_eq!(run.code, 0, "{run:?}");
        (run.stdout.lines().last().unwrap_or("").to_owned(), run.stderr)
    };
    let (line, _) = foot(&["mine"]);
    assert_eq!(line, "real of client in s; ratios are trunk / variant, above 1 is faster");
    assert_eq!(foot(&["other"]).0, "real of client in s", "one side has no ratio");
    let (nothing, said) = foot(&["mine", "--where", "variant=none"]);
    assert!(nothing.is_empty() && said.contains("no run with a figure to compare fits"), "{said}");
}
