//! Tests of the reader of progress, against genuine and made-up outputs.

use crate::Readers;
use crate::sink::testing::{bytes, read, sample, values};
use proptest::prelude::*;
use triptych_model::{Clock, Importer, Key, Quality, ReadOptions, Silent, SourceData};

#[test]
fn genuine_outputs() {
    let corrupt_item =
        "svnadmin: E160004: Checksum mismatch in item at offset 0 of length 46 bytes in file bad/db/revs/0/3";
    for (path, expect, failure) in [
        ("verify.txt", &["revisions=161"][..], None),
        ("verify-bad.txt", &["revisions=01", "errors=11"], Some(corrupt_item)),
        ("verify-bad-kg.txt", &["revisions=131", "errors=41"], Some(corrupt_item)),
        (
            "verify-corrupt.txt",
            &["revisions=171", "errors=11", "real=0.067s", "user=0.055s", "sys=0.012s"],
            Some(
                "svnadmin: E160004: Corrupt representation '2007 2896 972 972 870fd9ac1627b45e990971a3ae1d1730'",
            ),
        ),
    ] {
        let data = sample(&format!("svnadmin-verify/{path}"));
        assert_eq!(data.runs.len(), 1, "{path}");
        assert_eq!(values(&data, 0), expect, "{path}");
        assert_eq!(data.runs[0].failure.as_deref(), failure, "{path}");
        assert_eq!(data.runs[0].quality.has(Quality::FAILED), failure.is_some(), "{path}");
        assert_eq!(data.runs[0].content.get(Key::Operation), Some("verify"), "{path}");
        assert_eq!((data.warnings(), data.program_output), (0, 0), "{path}");
    }
}

#[test]
fn progress_in_other_languages() {
    for (text, expect) in [
        (
            "* Überprüfe Metadaten des Projektarchivs ...\n* Revision 0 verifiziert.\n* Revision 1 verifiziert.\n",
            "revisions=21",
        ),
        ("* Révision 7 vérifiée.\n", "revisions=11"),
        ("* 已校验版本 7。\n", "revisions=11"),
        ("* Dumped revision 0.\n* Dumped revision 1.\n* Dumped revision 2.\n", "revisions=31"),
    ] {
        assert_eq!(values(&read(text), 0), [expect], "{text}");
    }
    assert_eq!(read("* Dumped revision 0.\n").runs[0].content.get(Key::Operation), Some("dump"));
    let german = read("* Fehler bei der Verifikation der Revision 3.\n");
    assert_eq!(german.runs[0].failure.as_deref(), Some("* Fehler bei der Verifikation der Revision 3."));
}

#[test]
fn lists_of_other_programs_are_left() {
    for text in ["* ra_svn : Module for accessing a repository\n", "* item 3.\n", "svnadmin: E160004: x\n"] {
        assert_eq!(read(text).runs, [], "{text}");
    }
}

#[test]
fn an_error_behind_the_progress_fails_the_run() {
    let data = read("* Verified revision 0.\n\nsvnadmin: E200015: Caught signal\n\nreal 1\nuser 0\nsys 0\n");
    assert_eq!(data.runs.len(), 1);
    assert_eq!(data.runs[0].failure.as_deref(), Some("svnadmin: E200015: Caught signal"));
}

#[test]
fn genuine_outputs_of_the_other_subcommands() {
    for (path, operation, expect) in [
        ("load.txt", "load", "revisions=461"),
        ("load-de.txt", "load", "revisions=461"),
        ("pack.txt", "pack", "shards=41"),
        ("hotcopy.txt", "hotcopy", "revisions=471"),
        ("dump-de.txt", "dump", "revisions=471"),
        ("verify-fr.txt", "verify", "revisions=471"),
    ] {
        let data = sample(&format!("svnadmin-verify/{path}"));
        assert_eq!(data.runs.len(), 1, "{path}");
        assert_eq!(values(&data, 0), [expect], "{path}");
        assert_eq!(data.runs[0].content.get(Key::Operation), Some(operation), "{path}");
        assert_eq!((data.warnings(), data.program_output, data.not_understood), (0, 0, 0), "{path}");
    }
}

/// The duration and rate that the stamps in a genuine file give.
fn timed(path: &str) -> (SourceData, f64, f64) {
    let data = sample(&format!("svnadmin-verify/{path}"));
    let value = |metric: &str| {
        let row = data.measurements.iter().find(|row| row.metric == metric);
        row.and_then(|row| row.value).unwrap_or_else(|| panic!("{path} has no {metric}"))
    };
    let (secs, rate) = (value("duration"), value("revision_rate"));
    (data, secs, rate)
}

#[test]
fn stamps_of_ts_give_a_duration_and_a_rate() {
    // The same work, stamped by each clock of `ts`: 16 revisions in about five seconds.
    for path in ["load-ts-date.txt", "load-ts-s.txt"] {
        let (data, secs, rate) = timed(path);
        assert_eq!(values(&data, 0)[0], "revisions=161", "{path}");
        assert!((4.0..=8.0).contains(&secs), "{path} {secs}");
        assert!((rate - 16.0 / secs).abs() < 1e-9, "{path} {rate}");
        assert_eq!(data.runs[0].started, None, "{path}");
        assert_eq!((data.warnings(), data.program_output, data.not_understood), (0, 0, 0), "{path}");
    }
    for path in ["verify-ts-i.txt", "verify-ts-epoch.txt", "verify-ts-iso.txt"] {
        let (data, secs, rate) = timed(path);
        assert_eq!(values(&data, 0)[0], "revisions=471", "{path}");
        assert!(secs > 0.0001 && secs < 1.0, "{path} {secs}");
        assert!((rate - 47.0 / secs).abs() < 1e-6, "{path} {rate}");
        assert_eq!((data.warnings(), data.program_output, data.not_understood), (0, 0, 0), "{path}");
    }
    let (data, _, _) = timed("verify-ts-epoch.txt");
    assert_eq!(data.runs[0].started, Some(1_796_056_329_477_762));
    assert_eq!(data.series[0].clock, Clock::Utc);
}

#[test]
fn rates_are_a_series_of_the_run() {
    let data = read(
        "10:00:00 * Verified revision 0.\n10:00:01 * Verified revision 1.\n10:00:01 * Verified revision 2.\n10:00:03 * Verified revision 3.\n",
    );
    assert_eq!(values(&data, 0), ["revisions=41", "duration=3s", "revision_rate=1.33333333333333331/s"]);
    assert_eq!((data.series.len(), data.series[0].run, data.series[0].clock), (1, Some(0), Clock::Elapsed));
    let samples: Vec<String> =
        data.samples.iter().map(|s| format!("{} {} {}", s.line, s.time, s.value)).collect();
    assert_eq!(samples, ["2 1000000 2", "4 3000000 1"]);
    let packed = read(
        "00:00:01 Packing revisions in shard 0...done.\n00:00:03 Packing revisions in shard 1...done.\n",
    );
    assert_eq!(values(&packed, 0), ["shards=21", "duration=3s", "shard_rate=0.66666666666666661/s"]);
}

#[test]
fn stamps_that_tell_no_time_are_noted() {
    let data = read("00:00:00 * Verified revision 0.\n00:00:00 * Verified revision 1.\n");
    assert_eq!(values(&data, 0), ["revisions=21"]);
    assert_eq!(data.problems[0].message, "the time stamps do not tell how long it took");
    // Each revision took a third of a second, which `ts -i` without a fraction rounds to nothing.
    let genuine = sample("svnadmin-verify/load-ts-i.txt");
    assert_eq!(values(&genuine, 0), ["revisions=161"]);
    assert_eq!((genuine.problems.len(), genuine.warnings(), genuine.program_output), (1, 0, 0));
}

#[test]
fn stamps_taken_to_count_from_the_start_are_noted() {
    let lines = "00:00:30 * Verified revision 0.\n00:00:40 * Verified revision 1.\n";
    for (head, notes) in [("", 1), ("$ svnadmin verify r | ts -s\n", 0)] {
        let data = read(&format!("{head}{lines}"));
        assert_eq!(values(&data, 0)[1], "duration=40s", "{head}");
        let notes_of = data.problems.iter().filter(|problem| problem.message.contains("from the start"));
        assert_eq!((notes_of.count(), data.warnings()), (notes, 0), "{head}");
    }
}

#[test]
fn months_of_unknown_length_give_no_duration() {
    let data = read("Feb 28 23:59:59 * Verified revision 0.\nMar 01 00:00:02 * Verified revision 1.\n");
    assert_eq!(values(&data, 0), ["revisions=21"]);
    assert_eq!(data.problems[0].message, "the time stamps do not tell how long it took");
    let data = read("Nov 30 23:59:59 * Verified revision 0.\nDec  2 00:00:02 * Verified revision 1.\n");
    assert_eq!(values(&data, 0)[1], "duration=86403s");
}

#[test]
fn dates_without_a_zone_are_assumed() {
    let text = "2026-11-30 08:05:17 * Verified revision 0.\n2026-11-30 08:05:19 * Verified revision 1.\n";
    let options = ReadOptions { zone_offset_secs: Some(3600), ..ReadOptions::default() };
    let data = Readers.read("x", text.as_bytes(), &options, &Silent).expect("nobody cancels");
    assert_eq!(data.runs[0].started, Some(1_796_022_317_000_000));
    assert!(!data.runs[0].quality.has(Quality::ZONE_ASSUMED));
    assert!(read(text).runs[0].quality.has(Quality::ZONE_ASSUMED));
}

#[test]
fn cut_progress_is_incomplete() {
    for (text, revisions) in [
        ("* Verified revision 0.\n* Verified revis", "revisions=11"),
        ("* Verified revision 0.\n* Verified revision 1", "revisions=11"),
        ("* Verifying metadata at revision 0 ...\n", "revisions=01"),
        (
            "<<< Started new transaction, based on original revision 1\n     * editing path : trunk ...",
            "revisions=01",
        ),
        ("Packing revisions in shard 0...done.\nPacking revisions in shard 1...", "shards=11"),
        ("00:00:01 * Verified revision 0.\n00:00:02 * Verif", "revisions=11"),
    ] {
        let data = read(text);
        assert_eq!(data.runs.len(), 1, "{text}");
        assert_eq!(values(&data, 0)[0], revisions, "{text}");
        assert!(data.runs[0].quality.has(Quality::INCOMPLETE), "{text}");
        assert_eq!((data.warnings(), data.program_output), (1, 0), "{text}");
    }
}

#[test]
fn a_summary_of_keep_going_with_stamps() {
    let plain = String::from_utf8(bytes("svnadmin-verify/verify-bad-kg.txt")).expect("UTF-8");
    let stamped: String =
        plain.lines().enumerate().map(|(at, line)| format!("00:00:{at:02} {line}\n")).collect();
    let data = read(&stamped);
    assert_eq!(data.runs.len(), 1);
    assert_eq!(values(&data, 0)[..2], ["revisions=131", "errors=41"]);
    assert!(data.runs[0].failure.as_deref().is_some_and(|text| text.starts_with("svnadmin: E160004: ")));
    assert_eq!((data.warnings(), data.program_output), (0, 0));
}

proptest! {
    #[test]
    fn no_damage_makes_it_panic(
        name in prop::sample::select(&["load-ts-i.txt", "verify-ts-epoch.txt", "verify-bad-kg.txt", "pack.txt", "load-de.txt"]),
        cut in 0_usize..2000,
        tail in 0_usize..100,
        junk in "[ -~\n]{0,10}",
    ) {
        let bytes = bytes(&format!("svnadmin-verify/{name}"));
        let text = String::from_utf8_lossy(&bytes);
        let head: String = text.chars().take(cut).collect();
        let rest: String = text.chars().skip(cut + tail).collect();
        let data = read(&format!("{head}{junk}{rest}"));
        prop_assert!(data.measurements.iter().all(|row| row.value.is_none_or(f64::is_finite)));
        prop_assert!(data.samples.iter().all(|sample| sample.value.is_finite()));
    }
}
