//! Tests of the reader of atop on genuine output, and on what goes wrong.

use crate::formats::counters::testing::{check_cuts, check_dress, is_dated, read, rows, rows_of, sample};
use proptest::prelude::*;
use triptych_model::{ProblemKind, Process};

#[test]
fn processes_have_the_load_of_each_interval() {
    let data = sample("atop/svnserve.txt");
    assert_eq!((data.not_understood, data.warnings(), &*data.formats), (0, 0, &["atop"][..]));
    assert!(is_dated(&data));
    assert_eq!(data.samples_start, Some(1_796_056_892_000_000), "one second before the first interval's end");
    let of_server = |metric: &str| -> Vec<String> {
        rows_of(&data, metric).into_iter().filter(|row| row.contains("svnserve/4798 ")).collect()
    };
    // 18 and 4 ticks of a hundredth in the first second, 21 and 4 in the next.
    assert_eq!(of_server("cpu_user")[..2], ["1 svnserve/4798 cpu_user=18%", "2 svnserve/4798 cpu_user=21%"]);
    assert_eq!(of_server("cpu_sys")[..2], ["1 svnserve/4798 cpu_sys=4%", "2 svnserve/4798 cpu_sys=4%"]);
    assert_eq!(of_server("cpu_wait")[0], "1 svnserve/4798 cpu_wait=135.387%");
    assert_eq!(of_server("rss")[0], "1 svnserve/4798 rss=21757952B");
    assert_eq!(of_server("vsz")[0], "1 svnserve/4798 vsz=264691712B");
    assert_eq!(of_server("minflt_rate")[0], "1 svnserve/4798 minflt_rate=421/s");
    assert_eq!(of_server("read_rate")[0], "1 svnserve/4798 read_rate=0B/s");
    assert!(rows_of(&data, "thread_cpu_user").contains(&"1 svnserve/4800 thread_cpu_user=7%".to_owned()));
    assert!(rows_of(&data, "rss").iter().all(|row| !row.contains("/4800 ")), "threads share memory");
}

#[test]
fn what_counts_since_the_machines_start_is_dropped() {
    let data = sample("atop/system.txt");
    assert_eq!((data.not_understood, data.warnings()), (0, 0));
    assert_eq!(rows_of(&data, "cpu_user").len(), 4, "five samples, the first is RESET");
    assert_eq!(rows_of(&data, "cpu_user")[0], "1 system cpu_user=161%", "ticks of all processors");
    assert_eq!(rows_of(&data, "cpu_nice")[0], "1 system cpu_nice=22%");
    assert_eq!(rows_of(&data, "%util")[0], "1 disk:vda %util=2.4%");
    assert_eq!(rows_of(&data, "read_rate")[0], "1 disk:vda read_rate=782336B/s", "1528 sectors");
    assert_eq!(rows_of(&data, "ldavg-1")[0], "1 system ldavg-1=11.541");
    let only =
        read("RESET\nCPU vm 1796056322 2026/11/30 16:32:02 22856 100 2 1 2 3 4 5 6 7 8 0 1 1 0 0\nSEP\n");
    assert_eq!((only.samples.len(), only.problems[0].kind), (0, ProblemKind::NoSamples));
}

fn prc(name: &str) -> String {
    format!(
        "PRC vm 1796056322 2026/11/30 16:32:02 2 7 {name} S 100 50 30 0 120 0 0 1 0 7 y 9 () 0 -3 -3\nSEP\n"
    )
}

#[test]
fn names_in_parentheses_or_with_underscores() {
    for (printed, name) in [
        ("(svn serve)", "svn serve"),
        ("(a) (b)", "a) (b"),
        ("(kworker/0:0-eve)", "kworker/0:0-eve"),
        ("svn_serve", "svn_serve"),
    ] {
        let data = read(&prc(printed));
        assert_eq!(data.series[0].command.as_deref(), Some(name), "{printed}");
        assert_eq!(rows(&data)[0].split(' ').next_back(), Some("cpu_user=25%"), "50 ticks in 2 s");
    }
}

#[test]
fn versions_append_fields_and_old_ones_lack_them() {
    let old = "PRC vm 1796056322 2026/11/30 16:32:02 1 7 (svnserve) S 100 50 30 0 120 0 0 1 0\nSEP\n";
    assert_eq!(rows(&read(old)), ["1 svnserve/7 cpu_user=50%", "1 svnserve/7 cpu_sys=30%"]);
    let ended =
        "PRM vm 1796056322 2026/11/30 16:32:02 1 7 (svn) E 4096 0 0 0 0 0 91 0 0 0 0 0 7 y 0 0\nSEP\n";
    assert_eq!(
        rows(&read(ended)),
        ["1 client/7 minflt_rate=911/s", "1 client/7 majflt_rate=01/s"],
        "it has no memory left"
    );
    let no_statistics = "PRD vm 1796056322 2026/11/30 16:32:02 1 7 (svn) S n n 0 8 0 8 0 7 n y\nSEP\n";
    assert_eq!(read(no_statistics).samples.len(), 0);
}

#[test]
fn other_labels_are_told_of_once() {
    let data = sample("atop/svnserve.txt");
    let notes: Vec<_> = data.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(notes, ["lines of atop with these labels were passed over: NET"]);
    assert!(data.series.iter().any(|series| series.process == Process::Disk("vda".into())));
}

#[test]
fn damage_is_named_and_others_are_not_claimed() {
    let text = prc("(svn)").replace(" 100 50 30 ", " 100 5x 30 ");
    let data = read(&text);
    assert_eq!((data.not_understood, data.samples.len()), (1, 2));
    let data = read(&format!("{}PRC vm 1796056323 2026/11/30 16:32:03 1 7 (svn) S 1", prc("(svn)")));
    assert_eq!((data.not_understood, data.problems[0].kind), (1, ProblemKind::Cut));
    for epoch in ["9223372036854775807", "-9223372036854775808"] {
        let data = read(&format!("{}{}", prc("(svn)"), prc("(svn)").replace("1796056322", epoch)));
        assert_eq!((data.samples.len(), data.not_understood), (3, 1), "{epoch} is no time");
    }
    for text in ["RESET\n", "SEP\n", "CPU usage was 50 % on 2026/11/30 at 08:00:01 with 7 runs\n"] {
        assert!(read(text).formats.is_empty(), "{text}");
    }
}

#[test]
fn cut_or_in_another_dress() {
    for file in ["svnserve.txt", "system.txt"] {
        check_cuts(&format!("atop/{file}"), "atop");
        check_dress(&format!("atop/{file}"));
    }
}

proptest! {
    #[test]
    fn no_line_panics(text in "(PR[CMD]|CPU|DSK|SEP|RESET) vm 1796056322 2026/11/30 16:32:02 [0-9]{1,2} [()a-zSE0-9 -]{0,60}\\n{0,2}") {
        read(&text);
    }
}
