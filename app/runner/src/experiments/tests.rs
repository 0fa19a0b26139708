//! Each experiment over a real svnserve, and results that must be refused.

use super::*;
use crate::testing::{Svnserve, run};
use serde_json::json;
use std::path::Path;
use std::process::Command;

fn options(list: &[(&str, Value)]) -> BTreeMap<String, Value> {
    list.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn call<'a>(options: &'a BTreeMap<String, Value>, program: &str, url: &str, base: &Path) -> Call<'a> {
    Call {
        program: program.into(),
        url: url.into(),
        copy: base.join("copy"),
        target: "trunk",
        file: Some("trunk/a b@c%.txt"),
        options,
        directory: Some(base.join("out")),
        config: base.join("config"),
    }
}

#[test]
fn commands_with_and_without_options() {
    for (id, list, expect) in [
        (
            "export",
            vec![],
            "svn export --non-interactive --config-dir /b/config -q --force --ignore-externals svn://h:1/c/trunk /b/out",
        ),
        (
            "export",
            vec![("ignore-externals", json!(false)), ("revision", json!(7)), ("tmpfs", json!(false))],
            "svn export --non-interactive --config-dir /b/config -q --force -r 7 svn://h:1/c/trunk /b/out",
        ),
        (
            "checkout",
            vec![],
            "svn checkout --non-interactive --config-dir /b/config -q --ignore-externals svn://h:1/c/trunk /b/out",
        ),
        (
            "null-export",
            vec![],
            "svnbench null-export --non-interactive --config-dir /b/config svn://h:1/c/trunk",
        ),
        (
            "null-log-v",
            vec![("limit", json!(5)), ("stop-on-copy", json!(true))],
            "svnbench null-log --non-interactive --config-dir /b/config -v -l 5 --stop-on-copy svn://h:1/c/trunk",
        ),
        (
            "null-log-v-g",
            vec![],
            "svnbench null-log --non-interactive --config-dir /b/config -v -g svn://h:1/c/trunk",
        ),
        (
            "null-blame",
            vec![],
            "svnbench null-blame --non-interactive --config-dir /b/config svn://h:1/c/trunk/a%20b%40c%25.txt@",
        ),
        (
            "null-list",
            vec![],
            "svnbench null-list --non-interactive --config-dir /b/config -R svn://h:1/c/trunk",
        ),
        (
            "null-list",
            vec![("recursive", json!(false)), ("verbose", json!(true))],
            "svnbench null-list --non-interactive --config-dir /b/config -v svn://h:1/c/trunk",
        ),
        ("verify", vec![], "svnadmin verify -q /b/copy"),
        (
            "verify",
            vec![("cache-size", json!(64)), ("metadata-only", json!(true))],
            "svnadmin verify -q -M 64 --metadata-only /b/copy",
        ),
    ] {
        let experiment = experiment(id).expect("a row");
        let options = options(&list);
        assert_eq!(option_problems(experiment.spec(), &options), [], "{id}");
        let call = call(&options, experiment.spec().program, "svn://h:1/c/", Path::new("/b"));
        assert_eq!(experiment.command(&call).join(" "), expect, "{id}");
        let target = experiment.target(&options);
        let writes = ["export", "checkout"].contains(&id);
        let on_medium = options.get("tmpfs") == Some(&json!(false));
        let expect = if !writes {
            Target::None
        } else if on_medium {
            Target::Medium
        } else {
            Target::Tmpfs
        };
        assert_eq!(target, expect, "{id}");
    }
}

#[test]
fn rows_are_whole_and_ids_unique() {
    for row in EXPERIMENTS {
        let spec = row.spec();
        assert_eq!(EXPERIMENTS.iter().filter(|other| other.spec().id == spec.id).count(), 1, "{}", spec.id);
        assert_eq!(spec.operation.replace(" -", "-"), spec.id);
        assert_eq!(spec.needs_server, spec.program != "svnadmin", "{}", spec.id);
        assert!(!spec.help.is_empty() && spec.options.iter().all(|option| !option.help.is_empty()));
    }
}

#[test]
fn wrong_options_are_named() {
    for (id, name, value, expect) in [
        (
            "export",
            "ignore-external",
            json!(true),
            "export has no option \"ignore-external\", expected ignore-externals, tmpfs, revision",
        ),
        ("null-blame", "limit", json!(1), "null-blame has no option \"limit\", expected none"),
        ("export", "tmpfs", json!("yes"), "unreadable tmpfs, found \"yes\", expected true or false"),
        (
            "verify",
            "cache-size",
            json!(-1),
            "unreadable cache-size, found -1, expected a whole number, 0 to 1048576",
        ),
        (
            "verify",
            "cache-size",
            json!(1.5),
            "unreadable cache-size, found 1.5, expected a whole number, 0 to 1048576",
        ),
        ("null-log-v", "limit", json!(0), "unreadable limit, found 0, expected a whole number, 1 or more"),
    ] {
        let spec = experiment(id).expect("a row").spec();
        let found = option_problems(spec, &options(&[(name, value)]));
        assert_eq!(found, [(name.to_owned(), expect.to_owned())]);
    }
}

/// A repository with a merge and a file of an awkward name, served for real.
fn repository(base: &Path) {
    let copy = base.join("copy");
    let copy = copy.to_str().expect("a plain path");
    run("svnadmin", &["create", copy]);
    let url = format!("file://{copy}");
    let at = |path: &str| format!("{url}/{path}");
    run("svn", &["mkdir", "-q", "-m", "1", &at("trunk"), &at("branches")]);
    let file = base.join("text");
    std::fs::write(&file, "one\n").expect("written");
    let text = file.to_str().expect("a plain path");
    run("svn", &["import", "-q", "-m", "2", text, &at("trunk/a%20b%40c%25.txt")]);
    run("svn", &["copy", "-q", "-m", "3", &at("trunk"), &at("branches/x")]);
    let tree = base.join("tree");
    let tree = tree.to_str().expect("a plain path");
    run("svn", &["checkout", "-q", &at("branches/x"), tree]);
    std::fs::write(base.join("tree/a b@c%.txt"), "one\ntwo\n").expect("written");
    run("svn", &["commit", "-q", "-m", "4", tree]);
    run("svn", &["switch", "-q", &at("trunk"), tree]);
    run("svn", &["merge", "-q", &at("branches/x"), tree]);
    run("svn", &["commit", "-q", "-m", "5", tree]);
}

#[test]
fn every_experiment_over_a_real_server() {
    let base = tempfile::tempdir().expect("a directory");
    repository(base.path());
    let server = Svnserve::start(base.path());
    let none = BTreeMap::new();
    for row in EXPERIMENTS {
        let spec = row.spec();
        let out = base.path().join("out");
        std::fs::create_dir_all(&out).expect("made");
        let call = call(&none, spec.program, &format!("{}/copy", server.url), base.path());
        let command = row.command(&call);
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let stdout = run(words[0], &words[1..]);
        let target = (row.target(&none) != Target::None).then_some((1, 8));
        let counters = row.check(&Output { stdout: &stdout, target, youngest: Some(5) }).expect("sound");
        let counters: Vec<String> =
            counters.iter().map(|(metric, value)| format!("{metric}={value}")).collect();
        let expect = match spec.id {
            "export" | "checkout" => "export_items=1 export_size=8",
            "null-export" => "directories=1 files=1 bytes=8",
            "null-list" => "directories=1 files=1 locks=0",
            "null-log-v" => "revisions=3 msg_lines=3 changes=5",
            "null-log-v-g" => {
                "revisions=5 msg_lines=5 changes=7 merged_revisions=2 merges=1 merged_msg_lines=2 merged_changes=2"
            }
            "null-blame" => "revisions=2 deltas=2",
            _ => "",
        };
        assert!(counters.join(" ").starts_with(expect), "{}: {counters:?}", spec.id);
        let reported = row.reported(&Output { stdout: &stdout, ..Output::default() });
        let names: Vec<&str> = reported.iter().map(|(metric, _)| *metric).collect();
        let expect: &[&str] = match spec.id {
            "null-export" => &["properties", "property_bytes", "duration", "net_bytes"],
            "null-blame" => &["delta_bytes", "duration", "net_bytes"],
            _ if spec.program == "svnbench" => &["duration", "net_bytes"],
            _ => &[],
        };
        assert_eq!(names, expect, "{}: {stdout}", spec.id);
        if spec.id == "export" {
            let text = std::fs::read_to_string(out.join("a b@c%.txt")).expect("exported");
            assert_eq!(text, "one\ntwo\n");
        }
        std::fs::remove_dir_all(&out).expect("removed");
    }
}

#[test]
fn the_failure_of_a_real_client_is_no_result() {
    let base = tempfile::tempdir().expect("a directory");
    repository(base.path());
    let url = format!("file://{}/copy/absent", base.path().display());
    for words in [["null-export", &url], ["null-list", &url], ["null-log", &url]] {
        let output = Command::new("svnbench").args(words).env("LC_ALL", "C.UTF-8").output().expect("started");
        let stdout = String::from_utf8_lossy(&output.stdout);
        let id = if words[0] == "null-log" { "null-log-v" } else { words[0] };
        let row = experiment(id).expect("a row");
        let error = row.check(&Output { stdout: &stdout, ..Output::default() }).expect_err("refused");
        assert!(error.contains("expected") && error.contains("found"), "{error}");
    }
}

#[test]
fn outputs_of_several_versions() {
    let old = "          5,317 revisions\n         46,363 msg lines\n         14,109 changes\n";
    let merged = "          6,021 revisions,             704 merged in 59 merges\n         52,892 msg lines,           6,529 in merged revisions\n         15,714 changes,             1,605 in merged revisions\n       0.872472 seconds taken\n      4,025,881 bytes transferred over network\n";
    let zeros = "              0 directories\n              0 files\n              0 bytes in files\n              0 properties\n              0 bytes in properties\n";
    for (id, stdout, target, youngest, expect) in [
        ("null-log-v", old, None, None, Ok("revisions=5317 msg_lines=46363 changes=14109")),
        ("null-log-v", merged, None, None, Ok("revisions=6021 msg_lines=52892 changes=15714")),
        (
            "null-log-v-g",
            merged,
            None,
            Some(5317),
            Ok(
                "revisions=6021 msg_lines=52892 changes=15714 merged_revisions=704 merges=59 merged_msg_lines=6529 merged_changes=1605",
            ),
        ),
        (
            "null-log-v-g",
            old,
            None,
            None,
            Err(
                "svnbench did not say what was merged: expected \"… revisions, 704 merged in\", found \"5,317 revisions\\n",
            ),
        ),
        (
            "null-log-v",
            old,
            None,
            Some(1000),
            Err("svnbench counted 5317 revisions of its own: expected at most 1000, the youngest revision"),
        ),
        (
            "null-export",
            zeros,
            None,
            None,
            Err("svnbench counted nothing: expected files above 0, found \"0 directories"),
        ),
        (
            "null-export",
            "",
            None,
            None,
            Err(
                "svnbench counted no directories: expected a line such as \"1,397 directories\", found no output",
            ),
        ),
        (
            "null-export",
            "1x directories\n",
            None,
            None,
            Err("unreadable number of directories: expected digits such as 1,397, found \"1x\""),
        ),
        (
            "verify",
            "* Verified revision 0.\n",
            None,
            None,
            Err("svnadmin verify -q had something to say: expected no output, found \"* Verified"),
        ),
        (
            "export",
            "",
            Some((0, 0)),
            None,
            Err("nothing was written: expected at least one item in the target, found an empty directory"),
        ),
        ("export", "", None, None, Err("the target was not measured")),
    ] {
        let row = experiment(id).expect("a row");
        let found = row.check(&Output { stdout, target, youngest });
        match (found, expect) {
            (Ok(counters), Ok(expect)) => {
                let text: Vec<String> =
                    counters.iter().map(|(metric, value)| format!("{metric}={value}")).collect();
                assert_eq!(text.join(" "), expect, "{id}");
            }
            (Err(error), Err(expect)) => assert!(error.starts_with(expect), "{id}: {error}"),
            (found, _) => panic!("{id}: {found:?}"),
        }
    }
    let reported =
        experiment("null-log-v-g").expect("a row").reported(&Output { stdout: merged, ..Output::default() });
    assert_eq!(reported, [("duration", 0.872_472), ("net_bytes", 4_025_881.0)]);
}
