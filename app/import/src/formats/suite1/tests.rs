//! suite1's texts and database: what is read of them and what is said.

use crate::Readers;
use crate::sink::testing::{bytes, read, sample, values};
use proptest::prelude::*;
use rusqlite::Connection;
use triptych_model::{Importer, Key, Problem, ProblemKind, Quality, ReadOptions, Silent, SourceData};

fn conditions(data: &SourceData, run: usize) -> [Option<&str>; 4] {
    let content = &data.runs[run].content;
    [Key::Operation, Key::Variant, Key::Build, Key::Repository].map(|key| content.get(key))
}

fn read_bytes(bytes: &[u8]) -> SourceData {
    let options = ReadOptions { zone_offset_secs: Some(3600), ..ReadOptions::default() };
    Readers.read("benchmark.db", bytes, &options, &Silent).expect("nobody cancels")
}

#[test]
fn show_prints_times() {
    let data = sample("suite1/show.txt");
    assert_eq!((data.runs.len(), data.not_understood, data.program_output), (16, 0, 0));
    assert_eq!(conditions(&data, 0), [Some("TOTAL RUN"), Some("1.14.2"), None, None]);
    assert_eq!(values(&data, 0), ["real_min=5.01s", "real_max=5.32s", "real_mean=5.17s"]);
    assert_eq!(data.measurements[9].executions, Some(16));
    assert_eq!(
        (data.measurements[9].metric.as_str(), data.measurements[9].raw.as_str()),
        ("real_min", "0.06")
    );
}

#[test]
fn compare_prints_factors_that_are_no_ratios() {
    let data = sample("suite1/compare.txt");
    assert_eq!((data.runs.len(), data.not_understood, data.program_output), (16, 0, 0));
    assert_eq!(conditions(&data, 0), [Some("TOTAL RUN"), Some("trunk"), None, None]);
    assert_eq!(values(&data, 0), ["factor=1.1x", "difference=0.494s"]);
    assert_eq!(data.runs[0].settings.get("compared_to"), Some(&"1.14.2".into()));
    assert_eq!(values(&data, 1), ["factor=0.96x", "difference=-0.002s"]);
    assert!(data.measurements.iter().all(|row| row.quality == Quality::AS_PRINTED && row.metric != "ratio"));

    let data = sample("suite1/compare-v.txt");
    assert_eq!((data.runs.len(), data.not_understood, data.program_output), (16, 0, 0));
    assert_eq!(conditions(&data, 0), [Some("TOTAL RUN"), Some("trunk"), None, Some("2x2")]);
    assert_eq!(
        values(&data, 0),
        [
            "factor_min=1.13x",
            "difference_min=0.647s",
            "factor_max=1.06x",
            "difference_max=0.341s",
            "factor=1.1x",
            "difference=0.494s"
        ]
    );
    assert_eq!(data.runs[0].settings.get("compared_to"), Some(&"1.14.2,2x2".into()));
}

#[test]
fn counts_are_rounded_thousands() {
    for (text, expect) in
        [("2", Some(2)), ("2K", Some(2000)), ("13M", Some(13_000_000)), ("K", None), ("", None), ("-1", None)]
    {
        assert_eq!(super::count(text), expect, "{text}");
    }
    let data =
        read("Compare a to b\n       N        avg         operation\n    2K/3M    1.10| +0.494   update\n");
    assert_eq!(data.measurements[0].executions, Some(3_000_000));
    assert_eq!(data.runs[0].settings.get("compared_to_timings"), Some(&2000.into()));
}

#[test]
fn a_series_has_one_time_a_run() {
    let data = sample("suite1/run.txt");
    assert_eq!((data.runs.len(), data.not_understood, data.problems.len()), (4, 0, 0));
    assert_eq!(
        conditions(&data, 0),
        [Some("TOTAL RUN"), Some("1.14.2"), Some("1.14.2@1899510"), Some("2x2")]
    );
    assert_eq!(values(&data, 0), ["real=5.008999s"]);
    assert_eq!(conditions(&data, 3), [Some("TOTAL RUN"), Some("trunk"), Some("trunk@1920000"), Some("2x2")]);
    assert_eq!(data.runs[3].content.get(Key::Repetition), Some("2"));
    assert_eq!(
        data.runs[0].settings.get("program").and_then(|value| value.as_str()).map(|text| &text[..19]),
        Some("svn, version 1.14.2")
    );
}

#[test]
fn runs_that_stop_are_failed() {
    let head = "Hi, going to run a Subversion benchmark series of 2 runs...\nLabel is trunk@1,2x2\nRun 1 of 2\n\nRunning svn benchmark in /tmp/x\n";
    let data = read(&format!(
        "{head}\nDone with svn benchmark in 0:00:01.5\nsubmitting...\nTraceback (most recent call last):\n  File \"x\"\nTypeError: no\n"
    ));
    assert_eq!(data.runs.len(), 1);
    assert!(data.runs[0].quality.has(Quality::FAILED));
    let data = read(&format!("{head}dir levels: 2; new files"));
    assert_eq!((data.runs.len(), data.runs[0].failure.as_deref()), (1, Some("the run has no end")));
    assert_eq!(data.problems[0].kind, ProblemKind::Cut);
    let data = read(&format!("{head}Done with svn benchmark in soon\nsubmitting...\n"));
    assert_eq!((values(&data, 0), data.not_understood), (vec!["real=?s".to_owned()], 1));
}

#[test]
fn what_is_on_record() {
    let data = sample("suite1/list.txt");
    assert_eq!((data.runs.len(), data.not_understood, data.program_output), (1, 0, 0));
    assert_eq!(conditions(&data, 0), [Some("suite1 list"), Some("1.14.2"), None, None]);
    assert_eq!(
        values(&data, 0),
        [
            "command_names=161",
            "branch_revisions=11",
            "working_copy_shapes=11",
            "suite1_runs=21",
            "batches=11"
        ]
    );
    assert_eq!(data.runs[0].settings.get("branch_revisions"), Some(&serde_json::json!(["1899510"])));
}

#[test]
fn nightly_mails() {
    let data = sample("suite1/nightly.txt");
    assert_eq!((data.not_understood, &data.error), (0, &None));
    assert_eq!(data.formats, ["suite1", "shell-time"]);
    let shapes: std::collections::BTreeSet<_> =
        data.runs.iter().filter_map(|run| run.content.get(Key::Repository)).collect();
    assert_eq!(shapes.into_iter().collect::<Vec<_>>(), ["1x1", "1x2", "2x1"]);
    let warnings: Vec<&Problem> = data.problems.iter().collect();
    assert_eq!(warnings, Vec::<&Problem>::new());
}

#[test]
fn revisions_of_one_branch_are_told_apart() {
    let table = |label: &str| {
        format!(
            "Timings for {label}\n   N    min     max     avg   operation  (unit is seconds)\n   2    0.05    0.06    0.06  add\n--\n"
        )
    };
    let text = ["trunk@1,2x2", "1.7.0@9", "trunk@2,2x2", "trunk@3"].map(table).concat();
    let data = read(&text);
    let variants: Vec<_> = data.runs.iter().filter_map(|run| run.content.get(Key::Variant)).collect();
    assert_eq!(variants, ["trunk@1", "1.7.0", "trunk@2", "trunk@3"]);
}

#[test]
fn the_ancestor_of_2010() {
    let rows = "  min     max     avg    operation  (unit is factor between runs)\n0.970   1.346   1.119  resolved\n0.8   1.0   0.9  TOTAL RUN\n";
    for text in [
        format!("trunk / 1.6.13\n{rows}\ntext"),
        format!("> trunk / 1.6.13\n> \n> {}", rows.replace('\n', "\n> ")),
    ] {
        let data = read(&text);
        assert_eq!((data.runs.len(), data.not_understood), (2, 0), "{text}");
        assert_eq!(conditions(&data, 0)[..2], [Some("resolved"), Some("trunk")]);
        assert_eq!(data.runs[0].settings.get("compared_to"), Some(&"1.6.13".into()));
        assert_eq!(values(&data, 0), ["factor_min=0.97x", "factor_max=1.346x", "factor=1.119x"]);
    }
    assert_eq!(read(rows).runs.len(), 2);
    let seconds = rows.replace("factor between runs", "seconds");
    assert_eq!(values(&read(&seconds), 0), ["real_min=0.97s", "real_max=1.346s", "real_mean=1.119s"]);
}

#[test]
fn unreadable_rows_cost_themselves_alone() {
    let data = read(
        "Timings for a\n   N    min     max     avg   operation  (unit is seconds)\n   2    0.05    x    0.06  add\n   2    0.05    0.06    0.06  info\n   2    0.0",
    );
    assert_eq!((data.runs.len(), data.not_understood), (1, 2));
    let data = read(
        "Compare a to b\n       N        avg         operation\n      2/2    1.10| +0.4x4   update\n      2/2    1.10| +0.494   info\n",
    );
    assert_eq!((data.runs.len(), data.not_understood), (1, 1));
}

#[test]
fn other_lines_are_left_alone() {
    for text in [
        "Timings for the night\nhello\n",
        "Compare a to b\nhello\n",
        "I found:\nhello\n",
        "For\nhello\n",
        "a / b\nc\n",
        "min cost\n",
    ] {
        assert_eq!(read(text).formats, Vec::<&str>::new(), "{text}");
    }
    assert!(read(&"I found:\n".repeat(50_000)).formats.is_empty(), "each is looked at once");
}

#[test]
fn the_database_has_every_timing() {
    let data = read_bytes(&bytes("suite1-database/benchmark.db"));
    assert_eq!((data.runs.len(), data.not_understood, &data.error), (238, 0, &None));
    assert_eq!(data.formats, ["suite1-database"]);
    assert_eq!(conditions(&data, 0), [Some("checkout"), Some("1.14.2"), Some("1.14.2@1899510"), Some("2x2")]);
    assert_eq!(
        (values(&data, 0), data.measurements[0].raw.as_str()),
        (vec!["real=0.055716s".to_owned()], "0.055716")
    );
    assert_eq!(data.runs[0].started, None);
    let total = &data.runs[59];
    assert_eq!(total.content.get(Key::Operation), Some("TOTAL RUN"));
    assert_eq!(values(&data, 59), ["real=5.008999s"]);
    // 2026-11-30 08:09:11 in a zone an hour east of Greenwich.
    assert_eq!(total.started, Some(1_796_022_551_000_000));
    assert!(total.quality.has(Quality::ZONE_ASSUMED) && !total.quality.has(Quality::FAILED));
    let commits: Vec<_> =
        data.runs.iter().filter(|run| run.content.get(Key::Operation) == Some("commit")).collect();
    assert_eq!(commits.len(), 32);
    assert_eq!(
        commits
            .iter()
            .filter_map(|run| run.content.get(Key::Variant))
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        2
    );
    assert_eq!(commits[15].content.get(Key::Repetition), Some("16"));
}

#[test]
fn the_database_says_what_show_says() {
    let (data, shown) = (sample("suite1-database/benchmark.db"), sample("suite1/show.txt"));
    for (index, run) in shown.runs.iter().enumerate() {
        let same = |other: &&triptych_model::RunRow| {
            [Key::Operation, Key::Variant].iter().all(|key| other.content.get(*key) == run.content.get(*key))
        };
        let of: Vec<f64> = data
            .runs
            .iter()
            .zip(&data.measurements)
            .filter(|(other, _)| same(other))
            .filter_map(|(_, row)| row.value)
            .collect();
        let mean = of.iter().sum::<f64>() / f64::from(u32::try_from(of.len()).expect("few"));
        let printed = &shown.measurements[index * 3 + 2];
        assert!(
            (printed.value.expect("a mean") - mean).abs() <= 0.005_000_1,
            "{}",
            run.content.get(Key::Operation).unwrap_or("?")
        );
        assert_eq!(printed.executions, u64::try_from(of.len()).ok());
    }
}

fn database(sql: &str) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().expect("memory");
    connection.execute_batch(sql).expect("SQL");
    connection.serialize("main").expect("bytes").to_vec()
}

const SCHEMA: &str = "CREATE TABLE batch (batch_id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT, ended TEXT);
CREATE TABLE run_kind (run_kind_id INTEGER PRIMARY KEY, branch TEXT NOT NULL, revision TEXT NOT NULL, wc_levels INTEGER, wc_spread INTEGER);
CREATE TABLE run (run_id INTEGER PRIMARY KEY, batch_id INTEGER, run_kind_id INTEGER, started TEXT, ended TEXT, aborted INTEGER);
CREATE TABLE timings (run_id INTEGER NOT NULL, command TEXT NOT NULL, sequence INTEGER, timing REAL);
INSERT INTO batch VALUES (1, '2012-01-02 03:04:05', NULL);
INSERT INTO run_kind VALUES (1, 'trunk', '1', 5, 5), (2, 'trunk', '2', 5, 5), (3, '1.7.0', '9', 1, 100);
INSERT INTO run VALUES (1, 1, 1, '2012-01-02 03:04:05', '2012-01-02 03:05:05', 0), (2, 1, 2, '2012-01-02 03:06:05', '2012-01-02 03:07:05', 1),
 (3, 1, 3, '2012-01-02 03:08:05', NULL, NULL), (4, 1, 3, '2012-01-02 03:09:05', NULL, NULL);
INSERT INTO timings VALUES (1, 'checkout', 1, 1.5), (1, 'TOTAL RUN', 2, 60), (2, 'checkout', 1, 0.5), (3, 'checkout', 1, 0.25), (9, 'checkout', 1, 1), (1, 'update', 3, NULL);";

#[test]
fn aborted_and_crashed_runs_are_failed() {
    let data = read_bytes(&database(SCHEMA));
    let found: Vec<_> = data
        .runs
        .iter()
        .map(|run| {
            (
                run.content.get(Key::Operation).unwrap_or("?"),
                run.content.get(Key::Variant).unwrap_or("?"),
                run.failure.as_deref().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("checkout", "trunk@1", ""),
            ("TOTAL RUN", "trunk@1", ""),
            ("checkout", "trunk@2", "the run was aborted"),
            ("checkout", "1.7.0", "the run has no end: it crashed or was killed"),
            ("update", "trunk@1", ""),
            ("TOTAL RUN", "1.7.0", "the run has no end: it crashed or was killed"),
        ]
    );
    // A timing of no run, and one that is NULL.
    assert_eq!((data.not_understood, data.measurements.len()), (2, 5));
    assert_eq!(data.measurements[4].raw, "NULL");
}

#[test]
fn foreign_and_damaged_databases_are_named() {
    for sql in [
        "CREATE TABLE bookmarks (id INTEGER)",
        "CREATE VIEW timings AS SELECT 1 AS run_id; CREATE TABLE batch (a)",
    ] {
        let data = read_bytes(&database(sql));
        let reason = data.skipped.expect("passed over");
        assert!(reason.contains("SQLite database without suite1's tables"), "{reason}");
        assert_eq!((data.error, data.formats), (None, vec![]));
    }
    let whole = bytes("suite1-database/benchmark.db");
    let error = read_bytes(&whole[..200]).error.expect("refused");
    assert!(error.message.contains("SQLite database that cannot be read"), "{}", error.message);
    let cut = read_bytes(&whole[..whole.len() - 4096]);
    assert!(cut.error.is_some() || cut.problems.iter().any(|problem| problem.kind == ProblemKind::Cut));
}

#[test]
fn a_write_ahead_log_is_no_hindrance() {
    let mut whole = bytes("suite1-database/benchmark.db");
    whole[18] = 2;
    whole[19] = 2;
    assert_eq!(read_bytes(&whole).runs.len(), 238);
}

proptest! {
    #[test]
    fn no_damage_panics(at in 0_usize..36_864, byte in 0_u8..=255, end in 0_usize..36_864) {
        let mut whole = bytes("suite1-database/benchmark.db");
        whole[at] = byte;
        whole.truncate(end.max(whole.len() * usize::from(byte % 2 == 0)));
        read_bytes(&whole);
    }

    #[test]
    fn no_text_panics(file in 0_usize..5, at in 0_usize..1400, byte in 0_u8..128, end in 0_usize..1400) {
        let file = ["show.txt", "compare.txt", "compare-v.txt", "run.txt", "list.txt"][file];
        let mut bytes = bytes(&format!("suite1/{file}"));
        if let Some(place) = bytes.get_mut(at) {
            *place = byte;
        }
        bytes.truncate(end);
        read(&String::from_utf8_lossy(&bytes));
    }
}
