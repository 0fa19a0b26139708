//! Tests of the vmstat reader on genuine files in four languages, and on what goes wrong.

use crate::formats::sysstat::testing::{check, check_cuts, check_damage, check_forms, read, rows, start};
use crate::sink::testing::bytes;
use triptych_model::{ProblemKind, Quality};

#[test]
fn columns_count_by_their_place_and_the_first_row_is_left_out() {
    let data = check(
        "vmstat/vmstat-t.txt",
        "vmstat",
        34,
        &[
            "08:06:39 system r=10 1",
            "08:06:39 system mem_free=22026776576 B",
            "08:06:39 system mem_buffers=12759040 B",
            "08:06:39 system mem_cached=1447895040 B",
            "08:06:39 system read_rate=1024000 B/s",
            "08:06:40 system intr/s=765 1/s",
            "08:06:40 system cswch/s=4056 1/s",
            "08:06:40 system cpu_user=69 %",
            "08:06:40 system cpu_sys=31 %",
            "08:06:40 system cpu_idle=0 %",
            "08:06:40 system cpu_iowait=0 %",
        ],
    );
    assert_eq!(start(&data).as_deref(), Some("08:06:38"));
    // The header names the zone; nothing names the number of processors.
    let user = data.series.iter().find(|series| series.metric == "cpu_user").expect("a series");
    assert_eq!(user.quality, Quality::MEASURED.with(Quality::AS_PRINTED));
}

#[test]
fn wide_and_translated_headers() {
    check(
        "vmstat/vmstat-wt.txt",
        "vmstat",
        18,
        &["08:06:41 system cpu_guest=0 %", "08:06:41 system write_rate=9789440 B/s"],
    );
    check(
        "vmstat/vmstat-t-de.txt",
        "vmstat",
        51,
        &["16:32:30 system mem_free=12315275264 B", "16:32:30 system cpu_user=94 %"],
    );
    check("vmstat/vmstat-wt-fr.txt", "vmstat", 36, &[]);
    let active = check(
        "vmstat/vmstat-at-pl.txt",
        "vmstat",
        34,
        &["16:32:43 system mem_inactive=9979338752 B", "16:32:43 system mem_active=2312044544 B"],
    );
    assert!(!active.series.iter().any(|series| series.metric == "mem_cached"));
    check("vmstat/run.txt", "vmstat", 238, &["08:47:06 system cpu_iowait=1 %"]);
}

#[test]
fn the_zone_of_the_header_holds() {
    let data = check("vmstat/vmstat-t-cet.txt", "vmstat", 34, &["16:46:13 system cpu_user=97 %"]);
    assert!(!data.series[0].quality.has(Quality::ZONE_ASSUMED));
    let text = String::from_utf8(bytes("vmstat/vmstat-t-cet.txt")).expect("a text").replace("CET", "XYZ");
    let data = read(text.as_bytes());
    assert!(rows(&data).contains(&"17:46:13 system cpu_user=97 %".to_owned()));
    assert!(data.series[0].quality.has(Quality::ZONE_ASSUMED));
}

/// Header lines as a screen repeats them, and rows.
fn text(rows: &[&str]) -> String {
    let header = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- -----timestamp-----\n \
                  r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st                 UTC\n";
    rows.iter().map(|row| if *row == "header" { header.to_owned() } else { format!("{row}\n") }).collect()
}

const ROW: &str =
    " 2  0      0 23451548   5072 984080    0    0  7392     0  866  830 53  3 43  1  0 2026-11-30 08:47:07";

#[test]
fn headers_come_again() {
    let data = read(text(&["header", ROW, ROW, "header", ROW, ROW]).as_bytes());
    assert_eq!((data.samples.len(), data.not_understood), (51, 0), "{:?}", data.problems);
}

#[test]
fn the_only_row_is_kept_and_y_keeps_the_first() {
    let data = read(text(&["header", ROW]).as_bytes());
    assert_eq!(data.samples.len(), 17);
    assert!(data.problems.iter().any(|problem| problem.message.contains("the only report")));
    let data = read(text(&["$ vmstat -yt 1", "header", ROW, ROW]).as_bytes());
    assert_eq!(data.samples.len(), 34);
    let data = read(text(&["header"]).as_bytes());
    assert_eq!((data.samples.len(), data.problems[0].kind), (0, ProblemKind::NoSamples));
}

#[test]
fn without_times_it_is_refused_by_name() {
    let text = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n \
                r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n \
                2  0      0 23451548   5072 984080    0    0  7392     0  866  830 53  3 43  1  0\n";
    let data = read(text.as_bytes());
    assert!(data.formats.is_empty());
    assert!(data.skipped.is_some_and(|reason| reason.contains("vmstat -t")));
}

#[test]
fn what_cannot_be_read_is_named_and_what_follows_is_not_taken() {
    let bad = ROW.replace("866", "8x6");
    let short = ROW.replace("  866", "");
    let data =
        read(text(&["header", ROW, &bad, &short, ROW, "real 1.00", "user 0.10", "sys 0.20"]).as_bytes());
    assert_eq!(
        (data.not_understood, data.samples.len(), data.measurements.len()),
        (2, 33, 3),
        "{:?}",
        data.problems
    );
    assert_eq!((data.problems[0].column, data.problems[0].found.as_deref()), (Some(60), Some("8x6")));
}

#[test]
fn forms_cuts_and_damage() {
    for path in [
        "vmstat/vmstat-t.txt",
        "vmstat/vmstat-t-de.txt",
        "vmstat/vmstat-at-pl.txt",
        "vmstat/vmstat-wt-fr.txt",
    ] {
        check_forms(path);
    }
    for path in ["vmstat/vmstat-t.txt", "vmstat/vmstat-wt.txt", "vmstat/vmstat-at-pl.txt"] {
        let text = String::from_utf8(bytes(path)).expect("a text");
        let first: String = text.split_inclusive('\n').take(3).collect();
        check_cuts(path, first.as_bytes());
    }
    check_damage(&["vmstat/vmstat-t.txt", "vmstat/vmstat-at-pl.txt"]);
}
