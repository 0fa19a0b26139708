//! Tests of the reader of ps on genuine loops, and on what goes wrong.

use crate::formats::counters::testing::{check_cuts, check_dress, is_dated, read, rows, rows_of, sample};
use crate::sink::testing::values;
use proptest::prelude::*;
use triptych_model::{Clock, ProblemKind, Process, Quality};

#[test]
fn the_load_comes_from_differences_of_time() {
    let data = sample("ps/ps-loop.txt");
    assert_eq!((data.not_understood, data.warnings(), &*data.formats), (0, 0, &["ps"][..]));
    assert!(is_dated(&data));
    // TIME is 0, 0, 1, 1, 1, 2, 2 at :32, :33, :35, :36, :37, :38, :39.
    assert_eq!(
        rows_of(&data, "cpu"),
        [
            "1 svnserve/4798 cpu=0%",
            "3 svnserve/4798 cpu=50%",
            "4 svnserve/4798 cpu=0%",
            "5 svnserve/4798 cpu=0%",
            "6 svnserve/4798 cpu=100%",
            "7 svnserve/4798 cpu=0%",
        ]
    );
    assert_eq!(rows_of(&data, "cpu_mean")[1], "1 svnserve/4798 cpu_mean=19.2%", "of its life so far");
    assert_eq!(rows_of(&data, "rss")[0], "0 svnserve/4798 rss=21848064B");
    let command = "svnserve -d -T -r repos --listen-port 36909 --pid-file out3/svnserve.pid";
    assert_eq!(data.series[0].command.as_deref(), Some(command));
}

#[test]
fn threads_do_not_count_beside_their_process() {
    let data = sample("ps/ps-threads.txt");
    assert_eq!((data.not_understood, data.warnings()), (0, 0));
    assert_eq!(rows_of(&data, "cpu").len(), 6);
    assert_eq!(rows_of(&data, "cpu")[1], "2.662757 svnserve/4798 cpu=83.347%", "1 s in 1.199804 s");
    assert!(rows_of(&data, "thread_cpu").iter().all(|row| !row.contains("/4798 ")));
    assert!(rows_of(&data, "rss").iter().all(|row| row.contains("/4798 ")), "memory is the process'");
}

#[test]
fn ages_put_frames_in_order_where_there_is_no_time() {
    let data = sample("ps/ps-elapsed.txt");
    assert_eq!((data.not_understood, data.warnings()), (0, 0));
    assert!(data.series.iter().all(|series| series.clock == Clock::Elapsed));
    assert_eq!(rows_of(&data, "cpu")[..2], ["1 svnserve/4798 cpu=0%", "3 svnserve/4798 cpu=50%"]);
}

#[test]
fn one_frame_is_one_moment() {
    let data = sample("ps/ps.txt");
    assert_eq!((data.samples.len(), data.runs.len(), data.not_understood, data.warnings()), (0, 1, 0, 0));
    let of = |process: Process| -> Vec<String> {
        let rows = data.measurements.iter().filter(|row| row.process == process);
        rows.map(|row| format!("{}={:?} {}", row.metric, row.value.unwrap_or(f64::NAN), row.raw)).collect()
    };
    // The second command calls itself `svn serve`.
    let expect = ["cpu_time=0.0 00:00:00", "cpu_mean=16.1 16.1"];
    assert_eq!(of(Process::Client)[..2], [expect[0], expect[1]].map(str::to_owned));
    assert!(of(Process::Other("bash".into())).contains(&"rss=3248128.0 3172".to_owned()));
    let german = sample("ps/ps-de.txt");
    assert_eq!(values(&german, 0), ["cpu_time=0s", "cpu_mean=15.9%"]);
    assert_eq!(german.measurements[1].raw, "15.9, 15.9");
    assert_eq!(german.measurements[1].quality, Quality::COMPUTED, "the largest of two processes");
}

fn frame(time: &str, rows: &[&str]) -> String {
    format!("{time}\n  PID ELAPSED     TIME COMMAND\n{}\n", rows.join("\n"))
}

#[test]
fn times_and_ages_in_all_notations() {
    let text = frame("Mon Nov 30 08:06:39 UTC 2026", &["  7 1-02:03:04 100:00:01 svn"])
        + &frame(
            "Mon Nov 30 08:06:41 UTC 2026",
            &["  7 1-02:03:06 100:00:02 svn", "  8 00:01 00:00:01 svn x"],
        )
        + &frame("Mon Nov 30 08:06:42 UTC 2026", &["  7 1-02:03:07 4-04:00:02 svn", "  9 7 3 svn"]);
    assert_eq!(
        rows_of(&read(&text), "cpu"),
        [
            "2 client/7 cpu=50%",
            // It began since the frame before: its time counts from 0.
            "2 client/8 cpu=50%",
            "3 client/7 cpu=0%",
            // It is 7 s old and was not looked for before: nobody knows.
        ]
    );
    let aux = "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\nroot 7 0.0 0.1 16 28 ? Ss Nov29 61:05 svnserve -d\n";
    assert_eq!(values(&read(aux), 0)[0], "cpu_time=3665s", "minutes are unbounded");
    let by_start = "  PID                  STARTED     TIME CMD\n    7 Mon Nov 30 08:06:39 2026 00:00:03 svn up\n    8   Nov 29 00:00:04 svnserve\n    9 08:06:39 00:00:05 svnadmin\n";
    let data = read(by_start);
    assert_eq!(values(&data, 0), ["cpu_time=8s", "cpu_time=4s"]);
    assert_eq!(data.measurements[0].raw, "00:00:03 + 00:00:05");
}

#[test]
fn the_command_may_stand_anywhere_and_hold_blanks() {
    let text = "2026-11-30 08:06:39\nPID COMMAND         TIME   RSS\n7 svn serve x 00:00:01 10\n2026-11-30 08:06:40\nPID COMMAND         TIME   RSS\n7 svn serve x 00:00:02 12\n";
    let data = read(text);
    assert_eq!(rows(&data), ["0 client/7 rss=10240B", "1 client/7 cpu=100%", "1 client/7 rss=12288B"]);
    assert_eq!(data.series[0].command.as_deref(), Some("svn serve x"));
    assert!(data.series[0].quality.has(Quality::ZONE_ASSUMED));
    let defunct = frame("1796056892", &["7 0 0 svnbench null-log"])
        + &frame("1796056893", &["7 1 1 [svnbench] <defunct>"]);
    assert!(read(&defunct).series.iter().all(|series| series.process == Process::Client));
}

#[test]
fn the_header_may_stand_once_and_frames_may_be_empty() {
    let text = frame("1796056892", &["7 0 0 svn"]) + "1796056893\n1796056894\n7 2 1 svn\n";
    assert_eq!(rows_of(&read(&text), "cpu"), ["2 client/7 cpu=50%"]);
}

#[test]
fn frames_without_any_time_are_told_of() {
    let frame = "  PID     TIME   RSS COMMAND\n    7 00:00:01  2896 svnserve\n";
    let data = read(&frame.repeat(3));
    assert_eq!((data.samples.len(), data.measurements.len(), data.warnings()), (0, 0, 1));
    assert!(data.problems[0].next_step.as_deref().is_some_and(|step| step.contains("date")));
}

#[test]
fn without_names_of_columns_only_aux_is_known() {
    let aux = "root     20800  0.0  0.1  19264  2916 ?        Ss   16:32   0:03 svnserve -d -r repos\n";
    assert_eq!(
        values(&read(aux), 0),
        ["cpu_time=3s", "cpu_mean=0%", "mem_share=0.1%", "vsz=19726336B", "rss=2985984B"]
    );
    for text in ["21730 15.5\n", "18912     1  0.0  0.0  2896  15936       00:01 00:00:00 svnserve\n"] {
        let data = read(text);
        assert!(data.formats.is_empty());
        let reason = data.skipped.expect("refused");
        assert!(reason.contains("columns of figures without names") && reason.contains("ps -o"), "{reason}");
    }
}

#[test]
fn others_are_not_claimed() {
    for text in [
        "  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n    7 root  20 0 1 2 3 R 6.7 0.0 0:00.01 bash\n",
        "#Time      PID  User     PR  PPID THRD S   VSZ   RSS CP  SysT  UsrT Pct\n",
        "Mon Nov 30 08:06:39 UTC 2026\nreal 1.00\nuser 0.10\nsys 0.10\n",
        "The PID of svnserve is 7\n",
        "PID USER\n7 root\n",
    ] {
        assert!(!read(text).formats.contains(&"ps"), "{text}");
    }
}

#[test]
fn damage_is_named() {
    let text =
        frame("1796056892", &["7 0 0:0x svn", "8 0 1 svn"]) + &frame("1796056893", &["x", "8 1 2 svn"]);
    let data = read(&text);
    assert_eq!((data.not_understood, rows_of(&data, "cpu").len()), (2, 1));
    let place = |index: usize| (data.problems[index].line, data.problems[index].column);
    assert_eq!((place(0), place(1)), ((Some(3), Some(5)), (Some(7), Some(1))));
    let cut =
        frame("1796056892", &["7 0 0 svnserve"]) + "1796056893\n  PID ELAPSED     TIME COMMAND\n7 1 1 svns";
    let data = read(&cut);
    assert_eq!((data.problems[0].kind, data.series.len()), (ProblemKind::Cut, 1));
}

#[test]
fn cut_or_in_another_dress() {
    for file in ["ps-loop.txt", "ps-threads.txt", "ps-elapsed.txt", "ps.txt"] {
        check_cuts(&format!("ps/{file}"), "ps");
        check_dress(&format!("ps/{file}"));
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "(PID|TIME|RSS|COMMAND|ELAPSED|LWP|STARTED|[0-9:.-]{0,9}|Mon|Nov| |\\n){0,30}") {
        read(&text);
    }
}
