//! The figures published in 2003 to 2013: every number of them, in every wrapping a mail gives them.

mod common;

use common::{folder_with, sample, table, triptych};
use serde_json::Value;
use std::collections::BTreeMap;

const OF_2013: &str = "list-table/fsfs-format7-2013.txt";

fn text_of(name: &str) -> String {
    std::fs::read_to_string(sample(name)).expect("a sample")
}

/// The 16 rows of 2013 as they stand in the file: label, times, ratios.
fn printed_rows() -> Vec<(String, Vec<String>, Vec<String>)> {
    let words = |text: &str, parting| {
        text.split(parting).map(|word: &str| word.trim().to_owned()).collect::<Vec<_>>()
    };
    text_of(OF_2013)
        .lines()
        .filter_map(|line| {
            let (left, ratios) = line.strip_prefix("> ")?.split_once(" = ")?;
            let label: Vec<&str> = left.split_whitespace().take(2).collect();
            let times = left.split_once(label[1])?.1;
            Some((label.join(" "), words(times, '/'), words(ratios, ':')))
        })
        .collect()
}

#[test]
fn the_list_of_2013_is_printed_in_its_own_notation() {
    let run = triptych(&["table", &sample(OF_2013)]);
    assert_eq!(run.code, 0, "{run:?}");
    let printed = printed_rows();
    assert_eq!(printed.len(), 16);
    let lines: Vec<String> =
        run.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for (label, times, _) in &printed {
        let expect = format!("{label} {}", times.join(" / "));
        assert!(lines.iter().any(|line| line.starts_with(&expect)), "{expect} is not in\n{}", run.stdout);
    }
    for command in [
        "svnadmin verify -M 4000 -q",
        "svnbench null-export svn://localhost/tsvn/trunk -q",
        "null-log svn://localhost/tsvn/trunk -v -g -q",
    ] {
        assert!(run.stdout.contains(command), "{command} is not in\n{}", run.stdout);
    }
    assert!(run.stdout.contains("= 1.00 : 1.10 : 2.59"), "{}", run.stdout);
}

#[test]
fn ratios_of_2013_are_computed_and_two_contradict_their_times() {
    let rows = table(&[&sample(OF_2013)]);
    assert_eq!(rows.len(), 16);
    let (mut same, mut apart) = (0, Vec::new());
    for (row, (label, times, ratios)) in rows.iter().zip(printed_rows()) {
        assert_eq!(format!("{} {}", row["medium"], row["cache"]).replace('"', ""), label);
        for (index, variant) in row["variants"].as_array().expect("variants").iter().enumerate() {
            let time: f64 = times[index].trim_end_matches('s').parse().expect("a time");
            assert_eq!(variant["value"].as_f64(), Some(time), "{label}");
            let computed = variant["ratio"].as_f64().unwrap_or(1.0);
            let printed: f64 = ratios[index].parse().expect("a ratio");
            assert_eq!(
                row["printed_ratios"][variant["name"].as_str().expect("a name")].as_f64(),
                Some(printed)
            );
            if format!("{computed:.2}") == format!("{printed:.2}") {
                same += 1;
            } else {
                apart.push((
                    row["operation"].clone(),
                    label.clone(),
                    format!("{printed:.2}"),
                    format!("{computed:.2}"),
                ));
            }
        }
    }
    assert_eq!(same, 46);
    let expect = |printed: &str, computed: &str| {
        (Value::from("null-log -v"), "USB cold".to_owned(), printed.to_owned(), computed.to_owned())
    };
    assert_eq!(apart, [expect("1.06", "1.08"), expect("6.11", "6.23")]);
}

#[test]
fn the_contradiction_is_told_with_its_line_and_both_readings() {
    let run = triptych(&["table", &sample(OF_2013)]);
    let line = text_of(OF_2013).lines().position(|line| line.contains("6.11")).expect("the row") + 1;
    let warnings: Vec<&str> = run.stderr.lines().filter(|text| text.contains(": warning: ")).collect();
    assert!(!warnings.is_empty() && warnings.len() <= 2, "one row is told of: {run:?}");
    assert!(
        warnings.iter().all(|text| text.contains(&format!("fsfs-format7-2013.txt:{line}:"))),
        "{warnings:?}"
    );
    for reading in ["1.06", "1.08", "6.11", "6.23"] {
        assert!(warnings.iter().any(|text| text.contains(reading)), "{reading}: {warnings:?}");
    }
    let rows = table(&[&sample(OF_2013)]);
    let flagged: Vec<bool> =
        rows.iter().map(|row| row["flags"].to_string().contains("inconsistent")).collect();
    assert_eq!(flagged.iter().filter(|flag| **flag).count(), 1, "{rows:#?}");
}

#[test]
fn the_same_figures_come_out_of_every_wrapping() {
    let plain = text_of(OF_2013);
    let map = |change: fn(&str) -> String| plain.lines().map(|line| change(line) + "\n").collect::<String>();
    let unquoted = map(|line| line.strip_prefix('>').unwrap_or(line).trim_start().to_owned());
    let doubled = map(|line| format!("> {line}"));
    let windows = plain.replace('\n', "\r\n");
    let utf16: Vec<u8> =
        [0xFEFFu16].into_iter().chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let figures = |bytes: &[u8]| {
        let folder = folder_with(&[("fsfs-format7-2013.txt", bytes)]);
        table(&[folder.path().join("fsfs-format7-2013.txt").to_str().expect("a name")])
    };
    let expect = table(&[&sample(OF_2013)]);
    for (what, bytes) in [
        ("as it is", plain.as_bytes()),
        ("unquoted", unquoted.as_bytes()),
        ("quoted twice", doubled.as_bytes()),
        ("CRLF", windows.as_bytes()),
        ("UTF-16", &utf16),
    ] {
        assert_eq!(figures(bytes), expect, "{what}");
    }
}

/// Rows of the measurements, each as column and text, without what tells where they stand.
fn measurements(name: &str) -> Vec<BTreeMap<String, String>> {
    let run = triptych(&["import", &sample(name)]);
    assert_eq!(run.code, 0, "{run:?}");
    let mut records = common::csv(&run.stdout).into_iter();
    let header = records.next().expect("a header");
    records.map(|record| header.iter().cloned().zip(record).collect()).collect()
}

fn metrics_of<'a>(
    rows: &'a [BTreeMap<String, String>],
    metric: &'a str,
) -> impl Iterator<Item = &'a BTreeMap<String, String>> {
    rows.iter().filter(move |row| row["metric"] == metric)
}

/// What a value means, whatever layout it stands in.
fn meaning(row: &BTreeMap<String, String>) -> String {
    let value: f64 = row["value"].parse().unwrap_or_else(|error| panic!("{error}: {row:?}"));
    let parts = [
        "operation",
        "repository",
        "variant",
        "medium",
        "cache",
        "network",
        "process",
        "metric",
        "value_high",
    ];
    let words: Vec<&str> = parts.iter().map(|part| row[*part].as_str()).collect();
    format!("{} {value:.3} {}", words.join(" | "), row["unit"])
}

const TIMES: [&str; 3] = ["real", "user", "sys"];

#[test]
fn both_layouts_of_2010_hold_the_same_values() {
    let table = measurements("list-table/svnserve-export-2010.txt");
    let flat = measurements("list-table/svnserve-export-2010-flat.txt");
    let facts = ["repo_size", "revisions", "export_items", "export_size"];
    for metric in TIMES.iter().chain(&facts).copied().chain(["cache_usage", "cpu"]) {
        let sorted = |rows: &[BTreeMap<String, String>]| {
            let mut all: Vec<String> = metrics_of(rows, metric).map(meaning).collect();
            all.sort();
            all
        };
        assert_eq!(sorted(&table), sorted(&flat), "{metric}");
    }
    for rows in [&table, &flat] {
        let times: Vec<f64> = TIMES
            .iter()
            .flat_map(|metric| metrics_of(rows, metric))
            .map(|row| row["value"].parse().expect("a time"))
            .collect();
        assert_eq!(times.len(), 48);
        assert!(times.iter().any(|time| (time - 1204.354).abs() < 1e-9), "20m4.354s: {times:?}");
        assert_eq!(facts.iter().map(|metric| metrics_of(rows, metric).count()).sum::<usize>(), 16);
        assert_eq!(metrics_of(rows, "cache_usage").count(), 4);
        let loads: Vec<_> = metrics_of(rows, "cpu").collect();
        assert_eq!(loads.len(), 6);
        assert!(
            loads.iter().any(|row| row["value"].starts_with("70") && row["value_high"].starts_with("100"))
        );
        assert!(loads.iter().any(|row| row["value"].starts_with("100") && row["value_high"].is_empty()));
    }
}

#[test]
fn the_other_figures_are_read() {
    for (name, metric, least) in [
        ("list-table/threaded-scan-2008.txt", "speedup", 3),
        ("list-table/dav-connection-cache-2003.txt", "time", 2),
    ] {
        let rows = measurements(name);
        assert!(metrics_of(&rows, metric).count() >= least, "{name}: {rows:#?}");
        for row in &rows {
            assert!(!row["quality"].is_empty() && !row["raw"].is_empty(), "{name}: {row:?}");
        }
    }
}
