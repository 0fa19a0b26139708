//! Tests of the iostat reader on genuine files in five languages and all layouts, and on what goes wrong.

use crate::formats::sysstat::testing::{check, check_cuts, check_damage, check_forms, read, rows, start};
use crate::sink::testing::bytes;
use triptych_model::{ProblemKind, Quality};

#[test]
fn the_first_report_is_left_out_where_others_follow() {
    let data = check(
        "iostat/iostat-xt.txt",
        "iostat",
        28,
        &[
            "08:06:42 system cpu_user=97.22 %",
            "08:06:42 system cpu_steal=0.92 %",
            "08:06:42 disk:vda r/s=65.74 1/s",
            "08:06:42 disk:vda read_rate=1558753.28 B/s",
            "08:06:42 disk:vda rareq-sz=23705.6 B",
            "08:06:42 disk:vda r_await=0.00018 s",
            "08:06:42 disk:vda %util=1.11 %",
        ],
    );
    assert_eq!(start(&data).as_deref(), Some("08:06:41"));
    assert!(data.problems.iter().any(|problem| problem.message.contains("since the boot, was left out")));
    let only = check("iostat/iostat-enus.txt", "iostat", 6, &["08:06:44 system cpu_user=104.58 %"]);
    assert!(only.problems.iter().any(|problem| problem.message.contains("the only report")));
}

#[test]
fn y_keeps_the_first_report() {
    check("iostat/iostat-isoy-C.txt", "iostat", 26, &["16:32:27 disk:vda io_rate=1740800 B/s"]);
    // Where the empty lines were lost only the command line tells.
    let text =
        String::from_utf8(bytes("iostat/iostat-isoy-C.txt")).expect("a text").replacen("\n\n\n", "\n\n", 1);
    for (command, samples) in [
        ("iostat -xtsy 1 2", 26),
        ("/usr/bin/iostat -y -xt 1 2", 26),
        ("iostat -xts 1 2", 13),
        ("iostat --pretty -x 1", 13),
    ] {
        let data = read(format!("$ {command}\n{text}").as_bytes());
        assert_eq!(data.samples.len(), samples, "{command}");
    }
}

#[test]
fn every_language_and_layout_reads_alike() {
    check(
        "iostat/iostat-de.txt",
        "iostat",
        6,
        &["08:06:44 system cpu_user=104.58 %", "08:06:44 system cpu_idle=57.18 %"],
    );
    let iso = check("iostat/iostat-iso.txt", "iostat", 6, &["08:06:44 system cpu_nice=45.8 %"]);
    assert!(!iso.series[0].quality.has(Quality::ZONE_ASSUMED));
    check("iostat/iostat-xt-fr.txt", "iostat", 56, &["16:32:40 disk:vda write_rate=19345408 B/s"]);
    check("iostat/iostat-dt-ja.txt", "iostat", 7, &["16:32:36 disk:vda tps=28 1/s"]);
    check(
        "iostat/iostat-h-C.txt",
        "iostat",
        13,
        &["16:32:27 disk:vda read_rate=1782579.2 B/s", "16:32:27 disk:vda discard_bytes=4096 B"],
    );
    check(
        "iostat/iostat-human-enus.txt",
        "iostat",
        28,
        &["16:32:33 system cpu_user=184 %", "16:32:33 disk:vda write_rate=147456 B/s"],
    );
}

const BANNER: &str = "Linux 2.6.32 (vm) \t11/30/2026 \t_x86_64_\t(1 CPU)";

#[test]
fn older_versions_and_long_names() {
    let old = format!(
        "{BANNER}\n\nTime: 08:06:41 AM\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           1.00    0.00    2.00    0.00    0.00   97.00\n\n\
         Device:         rrqm/s   wrqm/s     r/s     w/s   rsec/s   wsec/s avgrq-sz avgqu-sz   await  svctm  %util\n\
         sda               0.00     0.00    1.00    0.00     8.00     0.00     8.00     0.00    2.00   1.00   0.10\n\
         /dev/mapper/a-very-long-name\n                  0.00     0.00    1.00    0.00     2.00     0.00     8.00     0.00    2.00   1.00   0.10\n"
    );
    let data = read(old.as_bytes());
    let rows = rows(&data);
    assert_eq!((data.not_understood, rows.len()), (0, 28), "{:?}", data.problems);
    assert!(rows.contains(&"08:06:41 disk:sda read_rate=4096 B/s".to_owned()));
    assert!(rows.contains(&"08:06:41 disk:/dev/mapper/a-very-long-name read_rate=1024 B/s".to_owned()));
    assert!(rows.contains(&"08:06:41 disk:sda avgrq-sz=4096 B".to_owned()));
}

#[test]
fn without_times_it_is_refused_by_name() {
    let text = format!(
        "{BANNER}\n\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           1.00    0.00    2.00    0.00    0.00   97.00\n"
    );
    let data = read(text.as_bytes());
    assert!(data.formats.is_empty());
    assert!(data.skipped.is_some_and(|reason| reason.contains("iostat") && reason.contains("-t")));
}

#[test]
fn what_cannot_be_read_is_named() {
    let text = format!(
        "{BANNER}\n\n11/30/2026 08:06:41 AM\nDevice             tps    kB_read/s\nsda               x.00         1.00\nsdb 1.00\n\n11/30/2026 08:06:42 AM\n\
         Device             tps    kB_read/s\nsda               y.00         1.00\nsdb 1.00\nsdc               1.00         2.00\n\n\
         11/30/2026 08:06:43 AM\nDevice             tps    kB_read/s\nsda               1.00         1.00\n\nreal 1.00\nuser 0.10\nsys 0.20\n"
    );
    let data = read(text.as_bytes());
    assert_eq!(
        (data.not_understood, data.samples.len(), data.measurements.len()),
        (3, 5, 3),
        "{:?}",
        data.problems
    );
    let problem =
        data.problems.iter().find(|problem| problem.found.as_deref() == Some("y.00")).expect("a problem");
    assert_eq!((problem.line, problem.column, problem.kind), (Some(10), Some(19), ProblemKind::Malformed));
}

#[test]
fn forms_cuts_and_damage() {
    for path in [
        "iostat/iostat-xt.txt",
        "iostat/iostat-xt-fr.txt",
        "iostat/iostat-dt-ja.txt",
        "iostat/iostat-human-enus.txt",
    ] {
        check_forms(path);
    }
    for path in ["iostat/iostat-xt.txt", "iostat/iostat-iso.txt", "iostat/iostat-h-C.txt"] {
        let text = String::from_utf8(bytes(path)).expect("a text");
        // The first report alone: up to the two blank lines behind it.
        let first = text.find("\n\n\n").and_then(|at| text.get(..at + 1)).unwrap_or("");
        check_cuts(path, first.as_bytes());
    }
    check_damage(&["iostat/iostat-xt.txt", "iostat/iostat-human-enus.txt"]);
}
