//! Short genuine samples of the most frequent formats, each with all that it says.

use crate::sink::testing::{read, values};
use triptych_model::SourceData;

/// A text, its format, and the values of its runs parted by ` | `.
const MEASURED: &[(&str, &str, &str)] = &[
    (
        "              3 directories\n              7 files\n        135,105 bytes in files\n             40 properties\n            483 bytes in properties\n       0.005826 seconds taken\n        141,658 bytes transferred over network\n",
        "svnbench",
        "directories=31 files=71 bytes=135105B properties=401 property_bytes=483B duration=0.005826s net_bytes=141658B",
    ),
    (
        "              5 revisions,               0 merged in 0 merges\n              5 msg lines,               0 in merged revisions\n             12 changes,                 0 in merged revisions\n       0.001000 seconds taken\n",
        "svnbench",
        "revisions=51 merged_revisions=01 merges=01 msg_lines=51 merged_msg_lines=01 changes=121 merged_changes=01 duration=0.001s",
    ),
    ("\nreal\t0m0.283s\nuser\t0m0.069s\nsys\t0m0.000s\n", "shell-time", "real=0.283s user=0.069s sys=0s"),
    ("\nreal\t0m0,275s\nuser\t0m0,069s\nsys\t0m0,000s\n", "shell-time", "real=0.275s user=0.069s sys=0s"),
    ("\nreal\t1h2m50.36s\nuser\t0m00.07s\nsys\t0m00.00s\n", "shell-time", "real=3770.36s user=0.07s sys=0s"),
    (
        "   62m11.57s real     0m00.00s user     0m00.00s system\n",
        "shell-time",
        "real=3731.57s user=0s sys=0s",
    ),
    (
        "sleep 75  0.00s user 0.00s system 0% cpu 1:22.20 total\n",
        "shell-time",
        "real=82.2s user=0s sys=0s cpu=0%",
    ),
    (
        "0.001u 0.000s 1:02:36.34 0.0%\t0+0k 0+0io 0pf+0w\n",
        "shell-time",
        "real=3756.34s user=0.001s sys=0s cpu=0% majflt=01 read_bytes=0B write_bytes=0B",
    ),
    (
        "Executed in   65.01 mins      fish           external\n   usr time   60.66 millis  385.00 micros   60.28 millis\n   sys time    0.10 millis   97.00 micros    0.00 millis\n",
        "shell-time",
        "real=3900.6s user=0.06066s sys=0.0001s",
    ),
    (
        "Timings for 1.14.2\n   N    min     max     avg   operation  (unit is seconds)\n   2    5.01    5.32    5.17  TOTAL RUN\n",
        "suite1",
        "real_min=5.01s real_max=5.32s real_mean=5.17s",
    ),
    (
        "Compare trunk to 1.14.2\n       N        avg         operation\n      2/2    1.10| +0.494   TOTAL RUN\n",
        "suite1",
        "factor=1.1x difference=0.494s",
    ),
    (
        "1.13;msec;task-clock;0.90%;1133963;100.00;0.022;CPUs utilized\n",
        "perf-stat",
        "task-clock=0.00113s task-clock_stderr=0.9% cpu=2.2%",
    ),
    (
        "1.13,msec,task-clock,1130469,100.00,0.011,CPUs utilized\n",
        "perf-stat",
        "task-clock=0.00113s cpu=1.1%",
    ),
    // The comma of a German locale is the separator too; the metric lost its fraction.
    ("1,02,msec,task-clock,1023205,100,00,0,CPUs utilized\n", "perf-stat", "task-clock=0.00102s"),
    ("E=1:04:13 e=3853.12\n", "", ""),
];

#[test]
fn short_samples_give_all_their_values() {
    for (text, id, expect) in MEASURED {
        let data = read(text);
        let ids: Vec<&str> = if id.is_empty() { Vec::new() } else { vec![id] };
        assert_eq!(data.formats, ids, "{text}");
        let runs = u32::try_from(data.runs.len()).expect("few");
        let found: Vec<String> = (0..runs).map(|run| values(&data, run).join(" ")).collect();
        assert_eq!(found.join(" | "), *expect, "{text}");
        assert_eq!(data.not_understood, 0, "{text}");
    }
}

/// A line of a server's log and its row: host, user, repository, action, path, revision, error.
const REQUESTED: &[(&str, &str)] = &[
    (
        "23569 2026-11-30T08:03:39.382038Z 127.0.0.1 - bench open 2 cap=(edit-pipeline log-revprops) /trunk SVN/1.14.2%20(x86_64-pc-linux-gnu) -",
        "127.0.0.1 - bench open /trunk - -",
    ),
    (
        "23569 2026-11-30T08:03:39.393265Z 127.0.0.1 - bench update /trunk r6",
        "127.0.0.1 - bench update /trunk 6 -",
    ),
    (
        "24348 2026-11-30T08:03:42.556495Z 127.0.0.1 john doe bench commit r7",
        "127.0.0.1 john doe bench commit - 7 -",
    ),
    (
        "24645 2026-11-30T08:03:43.388100Z 127.0.0.1 - bench ERR - 0 220003 Invalid authz configuration\n24645 2026-11-30T08:03:43.388100Z 127.0.0.1 - bench ERR- - 0 200002 line 1: Section header must end with ']'",
        "127.0.0.1 - bench error - - 220003 Invalid authz configuration; 200002 line 1: Section header must end with ']'",
    ),
    (
        "24588 2026-11-30T08:03:43.192246Z 127.0.0.1 alice bench Authorization Failed read /trunk/secret dir",
        "127.0.0.1 alice bench denied /trunk/secret dir - -",
    ),
    (
        "23949 2026-11-30T08:03:40.936952Z 127.0.0.1 - bench replay /trunk/sub                  %(old)          1753150384ir r1",
        "127.0.0.1 - bench replay - 1 -",
    ),
    ("[30/Nov/2026:08:05:18 +0000] alice bench commit r1", "- alice bench commit - 1 -"),
    (
        "2026-11-30 08:05:19.557545 -@127.0.0.1 200 384 us in=591 out=3323 pid=3348 svn=[get-file-revs /trunk/file%201.txt r0:4] repos=/srv/bench/repos/bench",
        "127.0.0.1 - /srv/bench/repos/bench get-file-revs /trunk/file 1.txt - -",
    ),
];

fn row(data: &SourceData) -> String {
    let row = data.requests.row(0).expect("a row");
    let revision = row.revision.map(|revision| revision.to_string());
    let all =
        [row.host, row.user, row.repository, Some(row.action), row.path, revision.as_deref(), row.error];
    all.map(|text| text.unwrap_or("-").to_owned()).join(" ")
}

#[test]
fn short_logs_give_all_their_fields() {
    for (text, expect) in REQUESTED {
        let data = read(&format!("{text}\n"));
        assert_eq!(
            (row(&data).as_str(), data.requests.len(), data.not_understood),
            (*expect, 1, 0),
            "{text}"
        );
    }
    let data = read(&format!("{}\n", REQUESTED[7].0));
    let row = data.requests.row(0).expect("a row");
    assert_eq!(
        (row.duration, row.bytes_in, row.bytes_out, row.pid, row.status),
        (Some(0.000_384), Some(591), Some(3323), Some(3348), Some(200))
    );
}
