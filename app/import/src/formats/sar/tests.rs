//! Tests of the sar and mpstat reader on genuine files in five languages, and on what goes wrong.

use crate::formats::sysstat::testing::{check, check_cuts, check_damage, check_forms, read, rows, start};
use triptych_model::{Clock, ProblemKind, Quality};

#[test]
fn shares_of_two_processors_become_per_cents_of_one() {
    let data = check(
        "sar/sar.txt",
        "sar",
        51,
        &[
            "08:06:45 system cpu_user=128.36 %",
            "08:06:45 system cpu_nice=28.86 %",
            "08:06:45 system cpu_sys=41.8 %",
            "08:06:45 system cpu_iowait=0 %",
            "08:06:45 system cpu_steal=1 %",
            "08:06:45 system cpu_idle=0 %",
            "08:06:46 system mem_free=22527959040 B",
            "08:06:46 system mem_share=4.44 %",
            "08:06:47 system mem_dirty=154472448 B",
        ],
    );
    assert_eq!(start(&data).as_deref(), Some("08:06:44"));
    assert!(data.series.iter().all(|series| series.quality == Quality::MEASURED.with(Quality::ZONE_ASSUMED)));
}

#[test]
fn every_language_and_clock_reads_alike() {
    check(
        "sar/sar-enUS.txt",
        "sar",
        12,
        &["08:06:48 system cpu_user=113.14 %", "08:06:49 system cpu_sys=43.56 %"],
    );
    check(
        "sar/sar-de.txt",
        "sar",
        93,
        &[
            "16:32:30 system cpu_user=179.2 %",
            "16:32:30 system ldavg-1=12.67 1",
            "16:32:30 disk:vda tps=136 1/s",
            "16:32:30 disk:vda read_rate=2322432 B/s",
            "16:32:30 disk:vda await=0.00209 s",
            "16:32:30 disk:vda %util=0.8 %",
        ],
    );
    check(
        "sar/mpstat-ja.txt",
        "sar",
        60,
        &["16:32:36 system cpu_user=176.24 %", "16:32:37 cpu:1 core_cpu_sys=11 %"],
    );
    check("sar/mpstat-pl.txt", "sar", 60, &[]);
}

#[test]
fn a_core_counts_beside_the_machine_not_in_it() {
    let data = check(
        "sar/mpstat.txt",
        "sar",
        30,
        &["09:01:49 cpu:0 core_cpu_idle=37 %", "09:01:49 system cpu_softirq=4.04 %"],
    );
    for series in &data.series {
        assert_eq!(series.metric.starts_with("core_"), series.process.to_string().starts_with("cpu:"));
    }
}

#[test]
fn all_activities_of_sar_are_read() {
    check(
        "sar/sar-all.txt",
        "sar",
        918,
        &[
            "16:32:46 system intr/s=1984.16 1/s",
            "16:32:46 irq:LOC CPU1=395.05 1/s",
            "16:32:46 system page_in_rate=4254167.04 B/s",
            "16:32:46 system inode-nr=198064 1",
            "16:32:46 net:eth0 receive_rate=0 B/s",
            "16:32:46 system tcp6sck=0 1",
        ],
    );
}

#[test]
fn all_tables_of_mpstat_are_read() {
    let data = check("sar/mpstat-all.txt", "sar", 143, &[]);
    assert!(data.series.iter().any(|series| series.process.to_string() == "node:all"));
    check("sar/mpstat-topology.txt", "sar", 30, &[]);
}

#[test]
fn restarts_and_several_tables_of_a_recording() {
    let data = check(
        "sar/sar-restart.txt",
        "sar",
        46,
        &["16:35:06 system cpu_user=197 %", "16:35:07 system ldavg-5=7.93 1"],
    );
    assert_eq!(start(&data).as_deref(), Some("16:35:05"));
}

fn text(banner: &str, body: &str) -> String {
    format!("{banner}\n\n{body}")
}

const BANNER: &str = "Linux 6.1 (vm) \t11/30/26 \t_x86_64_\t(4 CPU)";

#[test]
fn midnight_passes_and_a_second_table_starts_again() {
    let body = "23:59:58        CPU     %user     %idle\n23:59:59        all      1.00     99.00\n00:00:00        all      2.00     98.00\n\
                Average:        all      1.50     98.50\n\n23:59:58    kbmemfree\n23:59:59    100\n00:00:00    200\n";
    let data = read(text(BANNER, body).as_bytes());
    let times: Vec<i64> = data.samples.iter().map(|sample| sample.time / 1_000_000 - 1_796_083_199).collect();
    assert_eq!(times, [0, 0, 1, 1, 0, 1]);
    assert_eq!(data.not_understood, 0, "{:?}", data.problems);
}

#[test]
fn averages_in_every_language_are_no_samples() {
    for average in [
        "Average:",
        "Durchschn.:",
        "Moyenne\u{202f}:",
        "Moyenne :",
        "Trung bình:",
        "平均値:",
        "平均時間：",
        "Średnia:",
    ] {
        let body = format!("08:00:00 CPU %user %idle\n08:00:01 all 1.00 99.00\n{average} all 1.00 99.00\n");
        let data = read(text(BANNER, &body).as_bytes());
        assert_eq!((data.samples.len(), data.not_understood), (2, 0), "{average}");
    }
}

#[test]
fn restart_and_comment_lines_are_known_and_change_the_count() {
    let body = "08:00:00 CPU %user %idle\n08:00:01 all 1.00 99.00\n08:00:02  LINUX RESTART\t(8 CPU)\n08:00:03  COM starts CPU test\n\n\
                08:00:03 CPU %user %idle\n08:00:04 all 1.00 99.00\n";
    let data = read(text(BANNER, body).as_bytes());
    assert_eq!(data.not_understood, 0, "{:?}", data.problems);
    let rows = rows(&data);
    assert_eq!(
        (rows[0].as_str(), rows[2].as_str()),
        ("08:00:01 system cpu_user=4 %", "08:00:04 system cpu_user=8 %")
    );
}

#[test]
fn without_a_banner_shares_stand_as_printed() {
    let data = read(b"08:00:00        CPU     %user     %nice     %idle\n08:00:01        all      1.00      2.00     97.00\n");
    assert_eq!(rows(&data)[0], "00:00:01 system cpu_user=1 %");
    assert_eq!(data.series[0].clock, Clock::Elapsed);
    assert!(data.series[0].quality.has(Quality::AS_PRINTED));
    assert!(data.problems.iter().any(|problem| problem.message.contains("how many processors")));
    // Lines of other logs that begin with a time are not claimed.
    for other in ["08:00:00 the server starts\n", "08:00:00 12 13 14\n", "2026-11-30 08:00:00 x\n"] {
        assert!(read(other.as_bytes()).formats.is_empty(), "{other}");
    }
}

#[test]
fn a_table_without_a_sample_is_said_to_be_one() {
    let data = read(text(BANNER, "08:00:00 CPU %user %idle\n").as_bytes());
    assert_eq!((data.samples.len(), data.problems[0].kind), (0, ProblemKind::NoSamples));
}

#[test]
fn what_cannot_be_read_is_named() {
    let body = "08:00:00 CPU %user %idle\n08:00:01 all x.y 99.00\n08:00:02 all 1.00\n08:00:03 all -nan 97.00\n08:00:04 all 3.00 97.00\n";
    let data = read(text(BANNER, body).as_bytes());
    assert_eq!((data.not_understood, data.samples.len()), (3, 4));
    let problem = &data.problems[0];
    assert_eq!((problem.line, problem.column, problem.found.as_deref()), (Some(4), Some(14), Some("x.y")));
    // Text below belongs to something else.
    let data = read(
        text(BANNER, "08:00:00 CPU %user %idle\n08:00:01 all 1.00 99.00\n\nreal 1.00\nuser 0.10\nsys 0.20\n")
            .as_bytes(),
    );
    assert_eq!((data.not_understood, data.measurements.len()), (0, 3));
}

#[test]
fn units_of_human_and_pretty_layouts() {
    let body = "08:00:00      tps     rkB/s     wkB/s   %util DEV\n08:00:01    1.00      7.5M      0.0k    5.0% vda\n\n\
                08:00:00    kbmemfree  %memused\n08:00:01    21.0G   4.4%\n";
    let data = read(text(BANNER, body).as_bytes());
    assert_eq!(rows(&data)[1], "08:00:01 disk:vda read_rate=7864320 B/s");
    assert_eq!(
        rows(&data)[4..],
        ["08:00:01 system mem_free=22548578304 B", "08:00:01 system mem_share=4.4 %"]
    );
}

#[test]
fn forms_cuts_and_damage() {
    for path in ["sar/sar.txt", "sar/sar-enUS.txt", "sar/sar-de.txt", "sar/mpstat-ja.txt"] {
        check_forms(path);
    }
    for path in ["sar/sar.txt", "sar/mpstat.txt", "sar/sar-restart.txt"] {
        check_cuts(path, b"");
    }
    check_damage(&["sar/sar.txt", "sar/mpstat-ja.txt", "sar/sar-restart.txt"]);
}
