//! Tests of the top reader on genuine files in four languages, and on what goes wrong.

use crate::formats::sysstat::testing::{check, check_cuts, check_damage, check_forms, read, rows, start};
use crate::sink::testing::bytes;
use triptych_model::{Clock, Process, Quality};

#[test]
fn the_first_frame_is_left_out_where_others_follow() {
    let data = check(
        "top/top.txt",
        "top",
        24,
        &[
            "00:00:01 bash/21730 cpu=19.4 %",
            "00:00:01 bash/21731 cpu=18.4 %",
            "00:00:01 bash/21730 vsz=7876608 B",
            "00:00:01 bash/21730 rss=3248128 B",
            "00:00:01 bash/21730 cpu_time=0.21 s",
            "00:00:01 system cpu_user=59.1 %",
            "00:00:01 system cpu_nice=20 %",
        ],
    );
    assert_eq!((start(&data).as_deref(), data.series[0].clock), (Some("00:00:00"), Clock::Elapsed));
    let user = data.series.iter().find(|series| series.metric == "cpu_user").expect("a series");
    assert!(user.quality.has(Quality::AS_PRINTED));
    let only = check(
        "top/top-c.txt",
        "top",
        24,
        &["00:00:00 svn/21731 cpu=18.8 %", "00:00:00 system cpu_idle=100 %"]
            .map(|row| row.replace("svn/", "client/"))
            .each_ref()
            .map(String::as_str),
    );
    assert!(only.problems.iter().any(|problem| problem.message.contains("the only frame")));
}

#[test]
fn every_language_reads_alike() {
    check(
        "top/top-de.txt",
        "top",
        48,
        &[
            "00:00:01 bash/6880 cpu=22.8 %",
            "00:00:01 bash/6880 cpu_time=0.26 s",
            "00:00:02 system cpu_steal=2 %",
        ],
    );
    check(
        "top/top-fr.txt",
        "top",
        48,
        &[
            "00:00:01 bash/6880 cpu=23.8 %",
            "00:00:01 bash/6880 cpu_time=0.8 s",
            "00:00:01 system cpu_user=94.4 %",
        ],
    );
    let polish = check("top/top-pl.txt", "top", 48, &[]);
    for metric in ["vsz", "rss", "shared", "cpu", "mem_share", "cpu_time"] {
        assert!(
            polish.series.iter().any(|series| series.metric == metric && series.pid == Some(6880)),
            "{metric}"
        );
    }
}

#[test]
fn commands_keep_their_role_cut_or_with_blanks() {
    let data = check(
        "top/run.txt",
        "top",
        264,
        &[
            "00:00:01 svnserve/4527 cpu=98 %",
            "00:00:01 client/4532 cpu=14 %",
            "00:00:01 client/4532 cpu_time=0.15 s",
        ],
    );
    let server = data.series.iter().find(|series| series.pid == Some(4527)).expect("a series");
    assert_eq!((&server.process, server.command.as_deref()), (&Process::Svnserve, Some("svnserve-+")));
    let data = check("top/top-c.txt", "top", 24, &[]);
    assert!(
        data.series
            .iter()
            .any(|series| series.command.as_deref() == Some("svn serve -c while :; do :; done"))
    );
}

#[test]
fn single_processors_and_threads() {
    let data = check("top/top-1.txt", "top", 24, &["00:00:01 cpu:0 core_cpu_user=94.1 %"]);
    assert!(
        !data.series.iter().any(|series| series.process == Process::System && series.metric == "cpu_user")
    );
    check("top/top-H.txt", "top", 18, &[]);
}

fn frame(time: &str, rows: &[&str]) -> String {
    let head =
        format!("top - {time} up 11 min,  0 user,  load average: 6.46, 4.21, 1.94\nTasks:   2 total\n\n");
    format!(
        "{head}  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n{}\n",
        rows.join("\n")
    )
}

#[test]
fn sizes_have_letters_and_loads_exceed_one_core() {
    let text = frame("23:59:59", &["1 a 20 0 1 1 1 R 1.0 0.0 0:00.01 svnserve"])
        + &frame(
            "00:00:01",
            &[
                "1 a rt 0 10.3g 512m 1t R 389.5 0.0 100:00.01 svnserve",
                "2 a 20 0 2p 1,5g 1 R 12,5 0,0 0:00.01 svn co",
            ],
        );
    let data = read(text.as_bytes());
    let rows = rows(&data);
    assert_eq!(data.not_understood, 0, "{:?}", data.problems);
    for row in [
        "00:00:02 svnserve/1 vsz=11059540787.2 B",
        "00:00:02 svnserve/1 rss=536870912 B",
        "00:00:02 svnserve/1 shared=1099511627776 B",
        "00:00:02 svnserve/1 cpu=389.5 %",
        "00:00:02 svnserve/1 cpu_time=6000.01 s",
        "00:00:02 client/2 vsz=2251799813685248 B",
        "00:00:02 client/2 rss=1610612736 B",
        "00:00:02 client/2 cpu=12.5 %",
    ] {
        assert!(rows.contains(&row.to_owned()), "{row} is not in {rows:?}");
    }
}

#[test]
fn a_drawn_screen_is_refused_in_so_many_words() {
    let screen = "\u{1b}[H\u{1b}[2Jtop - 17:10:17 up  6:59,  0 user\u{1b}[K\r\nTasks: 1 total\u{1b}[K\r\n\u{1b}[K\r\n  PID USER %CPU COMMAND\r\n\
                  32505 root 0.0 sleep   \u{1b}[K\u{1b}[9;1H\u{1b}[K\u{1b}[Htop - 17:10:18 up  6:59,  0 user\u{1b}[K\r\n\r\n%Cpu(s): 94.4 us\r\n";
    let data = read(screen.as_bytes());
    assert_eq!((data.formats.as_slice(), data.samples.len(), data.not_understood), (&["top"][..], 0, 1));
    assert!(data.problems[0].message.contains("no -b") && data.problems[0].next_step.is_some());
}

#[test]
fn colours_are_taken_off() {
    let text = String::from_utf8(bytes("top/top.txt")).expect("a text");
    let coloured =
        text.replace("%CPU", "\u{1b}[1m%CPU\u{1b}[m\u{f}").replace("top - ", "\u{1b}[H\u{1b}[2Jtop - ");
    assert_eq!(rows(&read(coloured.replace('\u{f}', "").as_bytes())), rows(&read(text.as_bytes())));
}

#[test]
fn what_cannot_be_read_is_named_and_what_follows_is_not_taken() {
    let text = frame("08:00:00", &["1 a 20 0 1 1 1 R 1.0 0.0 0:00.01 svn"])
        + &frame(
            "08:00:01",
            &["1 a 20 0 1 1 1 R x 0.0 0:00.01 svn", "what is this", "2 a 20 0 1 1 1 R 2.0 0.0 0:00.01 svn"],
        )
        + "\nreal 1.00\nuser 0.10\nsys 0.20\n";
    let data = read(text.as_bytes());
    assert_eq!(
        (data.not_understood, data.samples.len(), data.measurements.len()),
        (2, 11, 3),
        "{:?}",
        data.problems
    );
    assert_eq!((data.problems[0].line, data.problems[0].column), (Some(10), Some(18)));
    let data = read(b"top - 08:00:00 up 1 min\nTasks: 1 total\n\n  A B C\n 1 2 3\n");
    assert_eq!((data.formats.as_slice(), data.not_understood), (&["top"][..], 1));
}

#[test]
fn forms_cuts_and_damage() {
    for path in ["top/top.txt", "top/top-de.txt", "top/top-pl.txt", "top/run.txt"] {
        check_forms(path);
    }
    for path in ["top/top.txt", "top/top-fr.txt"] {
        let text = String::from_utf8(bytes(path)).expect("a text");
        let first = text.find("\n\ntop - ").and_then(|at| text.get(..at + 1)).unwrap_or("");
        check_cuts(path, first.as_bytes());
    }
    check_damage(&["top/top.txt", "top/top-de.txt"]);
}

#[test]
fn columns_are_those_of_the_header() {
    let frame = |time: &str, cpu: &str| {
        format!(
            "top - {time} up 11 min,  0 user,  load average: 6.46, 4.21, 1.94\nTasks:   1 total\n\n  PID  %CPU   RES COMMAND         S     TIME+ USER\n    7  {cpu}  3172 svnserve        R   0:01.50 a\n"
        )
    };
    let data = read((frame("08:00:00", "1.0") + "\n" + &frame("08:00:01", "2.5")).as_bytes());
    assert_eq!(
        rows(&data),
        [
            "00:00:01 svnserve/7 cpu=2.5 %",
            "00:00:01 svnserve/7 rss=3248128 B",
            "00:00:01 svnserve/7 cpu_time=1.5 s"
        ]
    );
    assert_eq!((data.not_understood, data.warnings()), (0, 0), "{:?}", data.problems);
}
