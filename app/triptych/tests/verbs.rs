//! The real program on genuine files: what it prints, what it refuses, and how it exits.

mod common;

use common::{Run, folder_with, sample, table, triptych};
use serde_json::Value;

/// A triple's conditions, the medians as `logs/README.md` printed them, the ratios, and n.
type Expected =
    (&'static str, &'static str, &'static [&'static str], &'static [&'static str], &'static [u64]);

/// Finds each expected triple among those of a campaign and compares figures in the printed precision.
fn check_campaign(arguments: &[&str], expected: &[Expected]) {
    let rows = table(arguments);
    for (operation, cache, medians, ratios, n) in expected {
        let row = rows
            .iter()
            .find(|row| row["operation"] == *operation && (cache.is_empty() || row["cache"] == *cache))
            .unwrap_or_else(|| panic!("no row {operation} {cache} among {rows:#?}"));
        let variants = row["variants"].as_array().expect("variants");
        assert_eq!(variants.len(), medians.len(), "{operation} {cache}: {row:#}");
        for (index, variant) in variants.iter().enumerate() {
            let place = format!("{operation} {cache}, {}", variant["name"]);
            same_figure(&variant["value"], medians[index], &place);
            if index > 0 && !ratios.is_empty() {
                same_figure(&variant["ratio"], ratios[index], &place);
            }
            if !n.is_empty() {
                assert_eq!(variant["n"], n[index], "n of {place}");
            }
        }
    }
}

/// Compares in the precision in which the figure was printed.
fn same_figure(found: &Value, printed: &str, place: &str) {
    let value = found.as_f64().unwrap_or_else(|| panic!("{place}: {found} is no number, expected {printed}"));
    let decimals = printed.split_once('.').map_or(0, |(_, digits)| digits.len());
    let unit = 10f64.powi(-i32::try_from(decimals).expect("few decimals"));
    let expected: f64 = printed.parse().expect("a figure");
    assert!((value - expected).abs() <= unit * 0.5001, "{place}: {value}, expected {printed}");
}

#[test]
fn the_runs_of_2013_come_to_the_known_medians() {
    let all = &[5, 5, 5];
    let expected: &[Expected] = &[
        ("verify", "cold", &["7.31", "7.02", "7.15"], &["1.00", "1.04", "1.02"], all),
        ("verify", "hot", &["7.09", "7.18", "6.55"], &["1.00", "0.99", "1.08"], all),
        ("null-export", "cold", &["1.59", "1.53", "1.97"], &["1.00", "1.04", "0.81"], all),
        ("null-export", "hot", &["1.25", "1.29", "1.74"], &["1.00", "0.97", "0.72"], all),
        ("null-log -v", "cold", &["5.67", "5.69", "12.54"], &["1.00", "1.00", "0.45"], all),
        ("null-log -v", "hot", &["5.04", "5.13", "12.84"], &["1.00", "0.98", "0.39"], &[5, 5, 4]),
        ("null-log -v -g", "cold", &["8.72", "9.26", "33.44"], &["1.00", "0.94", "0.26"], all),
        ("null-log -v -g", "hot", &["7.96", "8.76", "33.46"], &["1.00", "0.91", "0.24"], &[5, 5, 4]),
    ];
    check_campaign(&[&sample("fsfs-format7"), "--metric", "real", "--baseline", "trunk"], expected);
}

#[test]
fn two_failed_runs_are_shown_and_enter_nothing() {
    let rows = table(&[&sample("fsfs-format7"), "--metric", "real", "--baseline", "trunk"]);
    let failed: Vec<(String, u64)> = rows
        .iter()
        .flat_map(|row| {
            row["variants"].as_array().expect("variants").iter().map(move |variant| (row, variant))
        })
        .filter(|(_, variant)| variant["failed"] != 0)
        .map(|(row, variant)| {
            let name = format!("{} {} {}", row["operation"], row["cache"], variant["name"]).replace('"', "");
            (name, variant["failed"].as_u64().expect("a count"))
        })
        .collect();
    assert_eq!(
        failed,
        [("null-log -v hot branch7".to_owned(), 1), ("null-log -v -g hot branch7".to_owned(), 1)]
    );
}

#[test]
fn a_slow_disk_turns_the_order_round() {
    check_campaign(
        &[&sample("fsfs-format7-slow-disk"), "--metric", "real", "--baseline", "trunk"],
        &[
            ("verify", "cold", &["12.27", "12.29", "16.59"], &[], &[3, 3, 3]),
            ("null-export", "cold", &["19.72", "27.31", "8.42"], &["1.00", "0.72", "2.34"], &[3, 3, 3]),
        ],
    );
}

#[test]
fn releases_come_to_the_known_medians() {
    check_campaign(
        &[&sample("fsfs-releases"), "--metric", "real", "--baseline", "1.8.19-fmt6"],
        &[
            ("null-export", "hot", &["1.28", "1.27", "0.95"], &["1.00", "1.00", "1.34"], &[]),
            ("null-log -v", "cold", &["5.53", "5.11", "0.42"], &["1.00", "1.08", "13.19"], &[]),
            ("null-log -v", "hot", &["4.85", "4.69", "0.24"], &["1.00", "1.03", "19.88"], &[]),
            ("null-log -v -g", "hot", &["7.63", "6.09", "0.29"], &["1.00", "1.25", "26.50"], &[]),
        ],
    );
}

#[test]
fn threads_are_compared_where_there_is_one_variant() {
    let rows = table(&[&sample("threaded-scan"), "--metric", "real", "--baseline", "1"]);
    assert!(rows.iter().all(|row| row["across"] == "threads"), "{rows:#?}");
    check_campaign(
        &[&sample("threaded-scan"), "--metric", "real", "--where", "operation=read"],
        &[(
            "read",
            "cold",
            &["9.05", "5.70", "3.23", "2.18"],
            &["1.00", "1.59", "2.80", "4.16"],
            &[3, 3, 3, 3],
        )],
    );
}

#[test]
fn servers_of_2010_and_later_come_to_the_known_medians() {
    let expected: &[(&str, &str, &[&str])] = &[
        ("tags_packed", "cold", &["12.518", "1.913", "1.473", "1.594"]),
        ("tags_packed", "hot", &["11.959", "1.581", "1.168", "1.204"]),
        ("all_packed", "cold", &["155.98", "20.01"]),
    ];
    for (repository, cache, medians) in expected {
        let only = format!("repository={repository}");
        check_campaign(
            &[&sample("export-old-new"), "--metric", "real", "--baseline", "old-1.6.9", "--where", &only],
            &[("export", cache, medians, &[], &[])],
        );
    }
}

#[test]
fn campaigns_are_never_mixed() {
    let folders = ["fsfs-format7", "fsfs-format7-slow-disk", "fsfs-releases"].map(sample);
    let apart: usize = folders.iter().map(|folder| table(&[folder, "--metric", "real"]).len()).sum();
    let rows = table(&[&folders[0], &folders[1], &folders[2], "--metric", "real"]);
    assert_eq!(rows.len(), apart);
    let runs: u64 = rows
        .iter()
        .flat_map(|row| row["variants"].as_array().expect("variants"))
        .map(|variant| variant["n"].as_u64().expect("n") + variant["failed"].as_u64().expect("failed"))
        .sum();
    assert_eq!(runs, 120 + 18 + 90);
}

#[test]
fn conditions_choose_the_runs() {
    let folder = sample("fsfs-format7");
    let rows = table(&[
        &folder,
        "--where",
        "cache=cold",
        "--where",
        "operation=null-*",
        "--where",
        "variant!=branch6",
    ]);
    assert_eq!(rows.len(), 3, "{rows:#?}");
    for row in &rows {
        assert_eq!(row["cache"], "cold");
        let names: Vec<_> =
            row["variants"].as_array().expect("variants").iter().map(|one| &one["name"]).collect();
        assert!(!names.iter().any(|name| **name == "branch6"), "{names:?}");
    }
}

#[test]
fn absent_figures_are_null_and_the_json_has_all_its_names() {
    let rows = table(&[&sample("fsfs-format7"), "--metric", "real", "--baseline", "trunk"]);
    for row in &rows {
        let object = row.as_object().expect("an object");
        for name in [
            "campaign",
            "host",
            "operation",
            "repository",
            "medium",
            "cache",
            "network",
            "threads",
            "process",
            "metric",
            "unit",
            "across",
            "baseline",
            "variants",
            "printed_ratios",
            "flags",
        ] {
            assert!(object.contains_key(name), "{name} is missing: {row:#}");
        }
        assert_eq!(
            (&row["metric"], &row["unit"], &row["baseline"]),
            (&"real".into(), &"s".into(), &"trunk".into())
        );
        assert!(row["medium"].is_null(), "nothing says what the medium was: {row:#}");
        for variant in row["variants"].as_array().expect("variants") {
            for name in ["name", "value", "n", "failed", "ratio", "ratio_low", "ratio_high", "verdict"] {
                assert!(
                    variant.as_object().expect("an object").contains_key(name),
                    "{name} is missing: {variant:#}"
                );
            }
        }
    }
}

#[test]
fn every_form_of_the_table_can_be_had() {
    for (form, expect) in [("text", "trunk"), ("markdown", "|"), ("csv", ","), ("json", "[")] {
        let run = triptych(&["table", &sample("fsfs-format7"), "--as", form]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.stdout.contains(expect) && run.stdout.ends_with('\n'), "{form}: {}", run.stdout);
    }
}

#[test]
fn standard_input_is_a_source() {
    let bytes = std::fs::read(sample("list-table/fsfs-format7-2013.txt")).expect("a sample");
    let run = common::triptych_with_input(&["table", "-", "--as", "json"], &bytes);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.json().as_array().map(Vec::len), Some(16));
}

#[test]
fn what_was_understood_is_told_as_json() {
    let run = triptych(&["import", &sample("fsfs-format7/null-log"), "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let json = run.json();
    let list = json.as_array().expect("a list");
    assert_eq!(list.len(), 30);
    for source in list {
        for name in ["lines", "program_output", "not_understood"] {
            assert!(source[name].is_u64(), "{name} of {source:#}");
        }
        for name in ["measurements", "samples", "requests"] {
            assert!(source["rows"][name].is_u64(), "{name} of {source:#}");
        }
        assert!(source["rows"]["measurements"].as_u64() >= Some(3), "{source:#}");
        assert_eq!((&source["skipped"], &source["error"]), (&Value::Null, &Value::Null));
        assert!(source["format"].is_string() && source["warnings"].is_array(), "{source:#}");
    }
}

const MEASUREMENTS: &str = "source,line,run,campaign,host,operation,command,repository,variant,format,medium,cache,\
                            network,threads,repetition,started,exit,process,metric,value,value_high,unit,executions,\
                            quality,raw";
const SAMPLES: &str = "source,line,run,time,elapsed_secs,process,pid,command,metric,value,unit";
const REQUESTS: &str = "source,line,run,time,pid,host,user,repository,action,path,revision,arguments,gap_before,\
                        gap_after,duration,bytes_in,bytes_out,status,error,quality";

#[test]
fn frames_have_their_columns_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("all");
    let run = triptych(&["import", &sample("fsfs-format7"), "-o", &format!("{}/", out.display())]);
    assert_eq!(run.code, 0, "{run:?}");
    for (name, header) in [("measurements", MEASUREMENTS), ("samples", SAMPLES), ("requests", REQUESTS)] {
        let text = std::fs::read_to_string(out.join(format!("{name}.csv"))).expect("written");
        assert_eq!(text.lines().next(), Some(header), "{name}");
        let printed = triptych(&["import", &sample("fsfs-format7"), "--frame", name]);
        assert_eq!(printed.stdout, text, "{name} on standard output");
    }
    let file = folder.path().join("x.csv");
    let name = file.to_str().expect("a name");
    let run = triptych(&["import", &sample("fsfs-format7/null-log"), "-o", name, "--json"]);
    assert_eq!((run.code, run.json().as_array().map(Vec::len)), (0, Some(30)));
    let text = std::fs::read_to_string(&file).expect("written");
    assert_eq!(text.lines().filter(|line| line.contains(",real,")).count(), 30);
}

#[test]
fn a_named_file_that_cannot_be_read_is_refused() {
    let zeros = [0u8; 4096];
    let folder = folder_with(&[
        ("good.txt", b"$ time svnbench null-export svn://localhost/tsvn -q\n\nreal\t0m1.590s\nuser\t0m0.010s\nsys\t0m0.010s\n"),
        ("empty.txt", b""),
        ("binary.bin", &zeros),
        ("foreign.txt", b"Dear all,\nnothing was measured today.\n"),
    ]);
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    for (name, code) in
        [("good.txt", 0), ("empty.txt", 1), ("binary.bin", 1), ("foreign.txt", 1), ("missing.txt", 1)]
    {
        for verb in ["import", "table"] {
            let run = triptych(&[verb, &path(name)]);
            assert_eq!(run.code, code, "{verb} {name}: {run:?}");
            assert_eq!(code == 1, run.stderr.contains(&format!("{name}: error: ")), "{verb} {name}: {run:?}");
        }
        let run = triptych(&["import", &path(name), "--json"]);
        let source = &run.json()[0];
        assert_eq!(code == 1, source["error"].is_string(), "{source:#}");
        assert_eq!(source["skipped"], Value::Null);
    }
    let both = triptych(&["import", &path("missing.txt"), &path("good.txt"), "--json"]);
    assert_eq!(both.code, 1);
    assert_eq!(both.json()[1]["rows"]["measurements"], 3, "the rest is imported: {both:?}");
}

#[test]
fn a_folder_is_taken_as_it_is() {
    let folder = folder_with(&[
        ("good.txt", b"real\t0m1.590s\nuser\t0m0.010s\nsys\t0m0.010s\n"),
        ("empty.txt", b""),
        ("foreign.txt", b"Dear all,\nnothing was measured today.\n"),
    ]);
    let path = folder.path().to_str().expect("a name");
    let run = triptych(&["import", path, "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let skipped: Vec<String> = run
        .json()
        .as_array()
        .expect("a list")
        .iter()
        .filter(|source| source["skipped"].is_string())
        .map(|source| source["path"].as_str().expect("a path").rsplit('/').next().expect("a name").to_owned())
        .collect();
    assert_eq!(skipped, ["empty.txt", "foreign.txt"]);
    assert!(run.stderr.contains("foreign.txt: skipped: "), "{run:?}");
    assert_eq!(triptych(&["import", path, "--json", "--strict"]).code, 1);
}

#[test]
fn a_log_format_is_followed_and_a_wrong_one_shown_where() {
    let folder =
        folder_with(&[("access.log", b"[30/Nov/2026:08:05:18 +0000] commit r7 ms=250 alice\n".as_slice())]);
    let log = folder.path().join("access.log").display().to_string();
    let run =
        triptych(&["import", &log, "--frame", "requests", "--log-format", "%t %{SVN-ACTION}e ms=%{ms}T %u"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.stdout.contains("commit") && run.stdout.contains("alice") && run.stdout.contains("0.25"),
        "{run:?}"
    );
    let run = triptych(&["import", &log, "--log-format", "%t %r %{min}T"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains("column 9: no such argument, found \"min}T\", expected s, ms or us"),
        "{run:?}"
    );
    let run = triptych(&["import", &log]);
    assert!(run.stderr.contains("access log in an unknown format; give the server's LogFormat"), "{run:?}");
}

#[test]
fn local_times_are_read_in_the_zone_given() {
    let line = "2026-11-30 08:05:18.000001 a@::1 200 15 us in=3 out=9 pid=1 svn=[commit r7] repos=/srv/x\n";
    let folder = folder_with(&[("timed.log", line.as_bytes())]);
    let log = folder.path().join("timed.log").display().to_string();
    for (zone, hour) in [("+02:00", "06"), ("-0930", "17"), ("CET", "07"), ("UTC", "08")] {
        let run = triptych(&["import", &log, "--frame", "requests", "--zone", zone]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{zone}");
        assert!(run.stdout.contains(&format!("2026-11-30T{hour}:")), "{zone}: {}", run.stdout);
    }
    let run = triptych(&["table", &log, "--zone", "IST"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.stderr.contains("--zone IST: expected an offset such as +01:00"), "{run:?}");
}

const TIMED: &str =
    "2026-11-30 08:05:18.000001 a@::1 200 15 us in=3 out=9 pid=1 svn=[commit r7] repos=/srv/x\n";

#[test]
fn an_assumed_zone_is_told_once() {
    let folder = folder_with(&[("a.log", TIMED.as_bytes()), ("b.log", TIMED.repeat(2).as_bytes())]);
    let path = folder.path().to_str().expect("a plain name");
    let said = "note: 2 logs name no time zone; their times were read in the local zone";
    for arguments in [&["import", path, "--frame", "requests"][..], &["import", path, "--json"]] {
        let run = triptych(arguments);
        assert_eq!((run.code, run.stderr.lines().count()), (0, 1), "{run:?}");
        assert!(run.stderr.starts_with(said) && run.stderr.ends_with("; --zone names another\n"), "{run:?}");
        let given = triptych(&[arguments, &["--zone", "UTC"]].concat());
        assert_eq!((given.code, given.stderr.as_str()), (0, ""), "{arguments:?}");
    }
    let json = triptych(&["import", path, "--json"]).json();
    assert!(json[0]["warnings"].as_array().is_some_and(Vec::is_empty), "a note is no warning: {json:#}");
    // No time of the day is in a table.
    assert!(!triptych(&["table", path]).stderr.contains("zone"));
}

#[test]
fn rows_that_are_no_measurements_are_pointed_at() {
    let folder = folder_with(&[("timed.log", TIMED.repeat(1200).as_bytes())]);
    let log = folder.path().join("timed.log").display().to_string();
    let said = "note: no measurements, but 1,200 requests; take them by --frame requests\n";
    let run = triptych(&["import", &log, "--zone", "UTC"]);
    assert_eq!((run.code, run.stdout.lines().count(), run.stderr.as_str()), (0, 1, said));
    for more in [&["--frame", "requests"][..], &["--json"], &["--frame", "samples"]] {
        let run = triptych(&[&["import", &log, "--zone", "UTC"][..], more].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{more:?}");
    }
    let run = triptych(&["table", &log, "--zone", "UTC"]);
    let said = "triptych: there are no runs to compare in what was read\n\
                note: no measurements, but 1,200 requests; take them by triptych import --frame requests\n";
    assert_eq!((run.code, run.stderr.as_str()), (0, said));
    let run = triptych(&["import", &sample("pidstat/pidstat-iso.txt")]);
    assert!(run.stderr.contains(" samples; take them by --frame samples\n"), "{run:?}");
    let run = triptych(&["import", &sample("list-table/fsfs-format7-2013.txt")]);
    assert!(!run.stderr.contains("no measurements"), "{run:?}");
}

#[test]
fn what_does_not_exist_is_a_fault_of_usage() {
    let log = sample("fsfs-format7");
    for arguments in [
        &["table"][..],
        &["import", &log, "--frame", "runs"],
        &["import", &log, "--format", "no-such-format"],
        &["import", &log, "--path", "{operation"],
        &["import", &log, "--log-format", "%h %t %r %y"],
        &["table", &log, "--log-format", "%h %l"],
        &["table", &log, "--where", "colour=red"],
        &["table", &log, "--where", "cold"],
        &["table", &log, "--across", "colour"],
        &["table", &log, "--as", "html"],
        &["table", &log, "--metric", "no_such_metric"],
        &["table", &log, "--baseline", "no-such-variant"],
        &["--no-such-option"],
    ] {
        let run = triptych(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {run:?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{arguments:?}: {run:?}");
    }
}

#[test]
fn a_slip_is_answered_with_what_there_is() {
    let log = sample("fsfs-format7");
    for (arguments, expect) in [
        (["--metric", "reel"], "real"),
        (["--baseline", "trunc"], "trunk"),
        (["--where", "color=red"], "variant"),
    ] {
        let run = triptych(&["table", &log, arguments[0], arguments[1]]);
        assert!(run.stderr.contains(expect), "{arguments:?}: {run:?}");
    }
}

#[test]
fn without_a_display_one_sentence_names_the_verbs() {
    // The second names a display that nobody serves.
    for display in [None, Some(":987")] {
        for arguments in [&[][..], &["./table"][..]] {
            let run = common::window(arguments, display);
            assert_eq!(run.code, 1, "{display:?}: {run:?}");
            let lines: Vec<&str> = run.stderr.lines().collect();
            assert!(lines.len() == 1 && !run.stderr.contains("panicked"), "{display:?}: {run:?}");
            assert!(!run.stderr.contains(".rs:"), "no place in anybody's source: {run:?}");
            for verb in ["triptych import", "triptych table", "triptych formats"] {
                assert!(run.stderr.contains(verb), "{display:?}: {run:?}");
            }
        }
    }
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    let Run { code, stderr, .. } = common::triptych_unread(&["import", &sample("fsfs-format7")]);
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn help_and_version_are_no_faults() {
    for arguments in [&["--help"][..], &["--version"], &["table", "--help"], &["formats"]] {
        let run = triptych(arguments);
        assert!(run.code == 0 && run.stderr.is_empty() && !run.stdout.is_empty(), "{arguments:?}: {run:?}");
    }
}

#[test]
fn formats_are_listed_alike_in_every_form() {
    let json = triptych(&["formats", "--as", "json"]).json();
    let text = triptych(&["formats"]).stdout;
    let ids: Vec<&str> =
        json.as_array().expect("a list").iter().filter_map(|row| row["id"].as_str()).collect();
    assert!(ids.len() > 5, "{ids:?}");
    assert!(text.lines().zip(&ids).all(|(line, id)| line.starts_with(id)), "{text}");
    assert_eq!(text.lines().count(), ids.len());
}

#[test]
fn a_table_of_unknown_columns_is_read_by_what_they_mean() {
    let table_text = b"test;trunk;branch 6\nco;3,5;2,25\nup;10;8\n";
    let folder = folder_with(&[("times.csv", table_text), ("notes.txt", b"nothing\n")]);
    let path = folder.path().to_str().expect("a plain name").to_owned();
    let file = format!("{path}/times.csv");

    let run = triptych(&["import", &file]);
    assert_eq!(run.code, 1, "a named file that is not read is refused");
    assert!(run.stderr.contains("nobody explained yet: test | trunk | branch 6"), "{}", run.stderr);
    let offered =
        run.stderr.split("--columns '").nth(1).and_then(|rest| rest.split('\'').next()).expect("an offer");
    assert!(offered.starts_with("test=operation,trunk=time variant:trunk"), "{offered}");
    assert_eq!(triptych(&["import", &path]).code, 0, "in a folder it is skipped");

    let columns = "test=operation,trunk=real ms variant:trunk,\"branch 6\"=real ms variant:b6";
    let run = triptych(&["import", &file, "--columns", columns, "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let source = &run.json()[0];
    assert_eq!(
        (source["format"].as_str(), source["rows"]["measurements"].as_u64()),
        (Some("table"), Some(4))
    );
    assert_eq!(
        (source["not_understood"].as_u64(), source["warnings"].as_array().map(Vec::len)),
        (Some(0), Some(0))
    );
    let rows = table(&[&file, "--columns", columns, "--baseline", "trunk"]);
    let co = rows.iter().find(|row| row["operation"] == "co").expect("a row");
    assert_eq!((co["metric"].as_str(), co["variants"][0]["value"].as_f64()), (Some("real"), Some(0.0035)));
    assert_eq!(co["variants"][1]["name"], "b6");
    let text = triptych(&["table", &file, "--columns", columns]).stdout;
    assert!(
        text.contains("0.0035s / 0.00225s = 1.00 : 1.56"),
        "every value has its unit in the lists: {text}"
    );

    let run = triptych(&["import", &file, "--columns", "test=colour"]);
    assert!(run.stderr.contains("times.csv:2:1: warning: unreadable cell, found \"co\""), "{}", run.stderr);
    for wrong in ["test", "trunk=real KiB", "test=operation,test=variant"] {
        let run = triptych(&["table", &file, "--columns", wrong]);
        assert_eq!(run.code, 2, "{wrong}: {run:?}");
        assert!(run.stderr.contains("--columns"), "{}", run.stderr);
    }
}
