//! Tests of the reader of sadf's lines on genuine files of all options, and on what goes wrong.

use super::joined::Layout;
use crate::formats::sysstat::testing::{check, check_cuts, check_damage, check_forms, read, rows, start};
use triptych_model::{ProblemKind, Quality};

#[test]
fn columns_change_in_the_middle() {
    let data = check(
        "sadf/sadf-d.csv",
        "sadf",
        51,
        &[
            "08:06:45 system cpu_user=64.18 %",
            "08:06:47 system cpu_sys=24.5 %",
            "08:06:45 system mem_free=22557138944 B",
            "08:06:47 system mem_dirty=154472448 B",
        ],
    );
    assert_eq!(start(&data).as_deref(), Some("08:06:44"));
    assert_eq!(data.series[0].quality, Quality::MEASURED.with(Quality::AS_PRINTED));
}

#[test]
fn times_are_utc_local_or_epoch() {
    let utc = check("sadf/sadf-d.csv", "sadf", 51, &[]);
    assert!(!utc.series[0].quality.has(Quality::ZONE_ASSUMED));
    let local = check("sadf/sadf-dT.csv", "sadf", 18, &["08:06:45 system cpu_user=64.18 %"]);
    assert!(local.series[0].quality.has(Quality::ZONE_ASSUMED));
    let epoch = check("sadf/sadf-dU.csv", "sadf", 34, &["16:32:46 system cpu_user=88.44 %"]);
    assert!(!epoch.series[0].quality.has(Quality::ZONE_ASSUMED));
}

#[test]
fn h_joins_activities_and_repeats_items() {
    check("sadf/sadf-dh.csv", "sadf", 18, &["08:06:45 system cpu_user=64.18 %"]);
    check(
        "sadf/sadf-dh-several.csv",
        "sadf",
        64,
        &[
            "16:32:46 system cpu_user=88.44 %",
            "16:32:46 cpu:1 core_cpu_sys=9.09 %",
            "16:32:46 system runq-sz=14 1",
            "16:32:46 disk:vda write_rate=843530.24 B/s",
            "16:32:47 disk:vda %util=8.8 %",
        ],
    );
    for (header, row, expect) in [
        ("CPU;%user[...];runq-sz;a", "-1;5;0;4;1;3;7;8", Some(vec![3, 1])),
        ("CPU;%user[...];DEV;tps[...]", "-1;5;0;4;vda;3;vdb;8", Some(vec![2, 2])),
        ("CPU;%user;%idle", "-1;5;6", Some(vec![1])),
        ("CPU;%user;%idle", "-1;5", None),
        ("CPU;%user[...]", "-1;5;0", None),
        ("CPU;%user[...]", "-1;5;vda;4", None),
        ("", "1", None),
    ] {
        let cells: Vec<(&str, usize)> = row.split(';').map(|cell| (cell, 0)).collect();
        assert_eq!(Layout::parse(header).fit(&cells), expect, "{header}: {row}");
    }
}

#[test]
fn german_figures_have_a_comma() {
    check(
        "sadf/sadf-d-de.csv",
        "sadf",
        28,
        &["16:32:46 system cpu_user=88.44 %", "16:32:46 disk:vda await=0.0014 s"],
    );
}

#[test]
fn a_restart_says_how_many_processors_there_are() {
    for path in ["sadf/sadf-restart.csv", "sadf/sadf-restart-p.txt"] {
        let data = check(
            path,
            "sadf",
            if path.ends_with("csv") { 34 } else { 12 },
            &["16:35:06 system cpu_user=197 %"],
        );
        assert!(data.problems.is_empty(), "{:?}", data.problems);
    }
    let text = "vm;-1;2026-11-30 08:00:00 UTC;LINUX-RESTART\t(4 CPU)\n# hostname;interval;timestamp;CPU;%user\n\
                vm;-1;2026-11-30 08:00:00 UTC;COM a; b\nvm;10;2026-11-30 08:00:10 UTC;-1;25.00\n";
    let data = read(text.as_bytes());
    assert_eq!((rows(&data), data.not_understood), (vec!["08:00:10 system cpu_user=100 %".to_owned()], 0));
    assert_eq!(start(&data).as_deref(), Some("08:00:00"));
}

#[test]
fn p_has_one_figure_a_line() {
    check(
        "sadf/sadf-p.txt",
        "sadf",
        18,
        &["08:06:45 system cpu_user=64.18 %", "08:06:47 system cpu_idle=0 %"],
    );
    let line = |item: &str, column: &str, figure: &str| {
        format!("vm\t1\t2026-11-30 08:00:01 UTC\t{item}\t{column}\t{figure}\n")
    };
    for (item, column, figure, expect) in [
        ("all", "%user", "88,44", "system cpu_user=88.44 %"),
        ("cpu0", "%user", "87.00", "cpu:0 core_cpu_user=87 %"),
        ("-", "kbmemfree", "2", "system mem_free=2048 B"),
        ("vda", "rkB/s", "1.50", "disk:vda read_rate=1536 B/s"),
        ("eth0", "rxkB/s", "1.00", "net:eth0 receive_rate=1024 B/s"),
        ("sum", "all", "7.00", "system intr/s=7 1/s"),
        ("LOC", "cpu1", "7.00", "irq:LOC CPU1=7 1/s"),
    ] {
        let data = read(line(item, column, figure).as_bytes());
        assert_eq!(rows(&data), [format!("08:00:01 {expect}")], "{item} {column}");
    }
    for other in ["a\tb\tc\td\te\tf\n", "vm\t1\tx\tall\t%user\t1.0\n", "1\t2\t3\n"] {
        assert!(read(other.as_bytes()).formats.is_empty(), "{other}");
    }
}

#[test]
fn cores_of_d_stand_beside_the_machine() {
    check(
        "sadf/sadf-d-P.csv",
        "sadf",
        116,
        &[
            "16:32:46 system cpu_user=88.44 %",
            "16:32:46 cpu:0 core_cpu_user=87 %",
            "16:32:46 net:lo %ifutil=0 %",
        ],
    );
}

#[test]
fn what_cannot_be_read_is_named() {
    let text = "# hostname;interval;timestamp;CPU;%user;%idle\nvm;1;2026-11-30 08:00:01 UTC;-1;x;99.00\n\
                vm;1;2026-11-30 08:00:02 UTC;-1;1.00\nvm;1;soon;-1;1.00;2.00\nvm;1;2026-11-30 08:00:03 UTC;-1;1.00;99.00\n";
    let data = read(text.as_bytes());
    assert_eq!((data.not_understood, data.samples.len()), (3, 3), "{:?}", data.problems);
    assert_eq!((data.problems[0].line, data.problems[0].column), (Some(2), Some(33)));
    let data = read(&text.as_bytes()[..text.len() - 3]);
    assert!(data.problems.iter().any(|problem| problem.kind == ProblemKind::Cut));
    let header = read(b"# hostname;interval;timestamp;CPU;%user;%idle\n");
    assert_eq!(header.problems[0].kind, ProblemKind::NoSamples);
}

#[test]
fn forms_cuts_and_damage() {
    for path in ["sadf/sadf-dT.csv", "sadf/sadf-p.txt", "sadf/sadf-d-de.csv", "sadf/sadf-dh-several.csv"] {
        check_forms(path);
    }
    for path in ["sadf/sadf-dT.csv", "sadf/sadf-p.txt", "sadf/sadf-dh-several.csv"] {
        check_cuts(path, b"");
    }
    check_damage(&[
        "sadf/sadf-d.csv",
        "sadf/sadf-p.txt",
        "sadf/sadf-dh-several.csv",
        "sadf/sadf-restart.csv",
    ]);
}
