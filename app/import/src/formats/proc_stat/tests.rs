//! Tests of the reader of `/proc` on genuine samples, and on what goes wrong.

use crate::formats::counters::testing::{check_cuts, check_dress, is_dated, read, read_at, rows_of, sample};
use crate::sink::testing::values;
use proptest::prelude::*;
use triptych_model::{Process, Quality};

#[test]
fn counters_become_loads_between_sweeps() {
    let data = sample("proc-stat/stamped.txt");
    assert_eq!((data.not_understood, data.warnings(), &*data.formats), (0, 0, &["proc-stat"][..]));
    assert!(is_dated(&data));
    assert_eq!(data.samples_start, Some(1_796_056_892_777_786));
    // (66 - 37) ticks in 1.532567 s, then (99 - 66) in 1.45122 s.
    assert_eq!(
        rows_of(&data, "cpu_user")
            .into_iter()
            .filter(|row| row.contains("/4798 "))
            .take(2)
            .collect::<Vec<_>>(),
        ["1.532567 svnserve/4798 cpu_user=18.923%", "2.983787 svnserve/4798 cpu_user=22.739%"]
    );
    let rss = rows_of(&data, "rss");
    assert_eq!(rss[0], "0 svnserve/4798 rss=21626880B", "5280 pages");
    // All processes of one sweep stand at one time, so that their loads can be added.
    assert!(rows_of(&data, "cpu_sys").contains(&"2.983787 client/4997 cpu_sys=0.689%".to_owned()));
}

#[test]
fn the_load_adds_up_to_the_counters() {
    for path in ["proc-stat/stamped.txt", "proc-stat/date.txt"] {
        let data = sample(path);
        let mut before = data.samples_start.expect("dated");
        let mut secs = 0.0;
        for sample in &data.samples {
            let series = &data.series[sample.series as usize];
            if series.process == Process::Svnserve && series.metric == "cpu_user" {
                secs += sample.value / 100.0 * (sample.time - before) as f64 / 1e6;
                before = sample.time;
            }
        }
        let text = String::from_utf8(crate::sink::testing::bytes(path)).expect("ASCII");
        let ticks: Vec<f64> = text
            .lines()
            .filter(|line| line.contains("(svnserve)"))
            .filter_map(|line| line.split(") ").nth(1)?.split(' ').nth(11)?.parse().ok())
            .collect();
        let grew = (ticks[ticks.len() - 1] - ticks[0]) / 100.0;
        assert!((secs - grew).abs() < 1e-9, "{path}: {secs} {grew}");
    }
}

#[test]
fn times_may_stand_on_lines_of_their_own() {
    let data = sample("proc-stat/date.txt");
    assert_eq!((data.not_understood, data.warnings()), (0, 0));
    // (51 - 28) ticks in 1.085639 s
    assert_eq!(rows_of(&data, "cpu_user")[0], "1.085639 svnserve/4798 cpu_user=21.186%");
}

#[test]
fn without_a_time_it_is_one_moment() {
    let data = sample("proc-stat/snapshot.txt");
    assert_eq!(data.samples.len(), 0);
    let expect = [
        "user=0.26s",
        "sys=0s",
        "children_user=0s",
        "children_sys=0s",
        "minflt=2131",
        "majflt=01",
        "threads=11",
        "vsz=7876608B",
        "rss=3346432B",
    ];
    assert_eq!(values(&data, 0), expect);
    assert_eq!(data.measurements[0].raw, "26");
    assert_eq!((data.not_understood, data.warnings()), (0, 0));
    let bash = Process::Other("bash".into());
    assert!(data.measurements.iter().all(|row| row.process == bash && row.quality == Quality::MEASURED));
}

#[test]
fn the_name_ends_at_the_last_parenthesis() {
    let tail = "S 1 7 7 0 -1 4194368 73 0 0 0 5 6 0 0 20 0 1 0 2280435 16318464 703 18446744073709551615 1";
    for (name, role) in
        [("svn serve", "client"), ("a) S 1 (b", "a)"), ("(sd-pam)", "(sd-pam)"), ("svnserve", "svnserve")]
    {
        let data = read(&format!("7 ({name}) {tail}\n"));
        assert_eq!(data.series.len(), 0);
        assert_eq!(data.measurements[0].process.to_string(), role, "{name}");
        assert_eq!(values(&data, 0)[..2], ["user=0.05s", "sys=0.06s"], "{name}");
    }
}

#[test]
fn schedstat_needs_a_time_or_a_source_of_its_own() {
    let data = sample("proc-stat/schedstat.txt");
    assert_eq!(values(&data, 0), ["cpu_time=0.260722888s", "wait_time=1.384450445s", "timeslices=951"]);
    let data = sample("proc-stat/stamped-schedstat.txt");
    assert_eq!((data.not_understood, data.warnings()), (0, 0));
    // (850747 - 715567) ns in 1.234706 s
    assert_eq!(rows_of(&data, "cpu")[0], "1.234706 recorded cpu=0.011%");
    assert_eq!(rows_of(&data, "cpu_wait")[0], "1.234706 recorded cpu_wait=2.343%");
    for text in ["260722888 1384450445 95\nand words\n", "1 2 3\n", "100 200 300\n", "2026 11 30\n"] {
        assert!(read(text).formats.is_empty(), "three numbers may be anything: {text}");
    }
    let data = read_at("a/schedstat-svnserve.txt", b"260722888 1384450445 95\n");
    assert_eq!(data.measurements[0].process, Process::Svnserve);
}

fn line(time: &str, pid: u32, born: u32, user: u32) -> String {
    format!(
        "{time} {pid} (svn) S 1 7 7 0 -1 4194368 73 0 0 0 {user} 0 0 0 20 0 1 0 {born} 16318464 703 18446744073709551615 1\n"
    )
}

#[test]
fn a_process_that_began_between_two_sweeps_counts_from_0() {
    let text = [
        line("1796056892000000", 7, 100, 50),
        line("1796056893000000", 7, 100, 60),
        line("1796056893000100", 8, 150, 30),
        // Older than one that was there before: it was only looked for late.
        line("1796056893000200", 9, 90, 900),
        line("1796056894000000", 7, 100, 60),
        line("1796056894000100", 9, 90, 905),
        // The id came round.
        line("1796056894000200", 8, 260, 2),
    ];
    let rows = rows_of(&read(&text.concat()), "cpu_user");
    assert_eq!(
        rows,
        [
            "1 client/7 cpu_user=10%",
            "1 client/8 cpu_user=30%",
            "2 client/7 cpu_user=0%",
            "2 client/9 cpu_user=5%",
            "2 client/8 cpu_user=2%"
        ]
    );
}

#[test]
fn a_sweep_that_found_nothing_and_damage() {
    // `cat` of a process that had ended left its time without a line end.
    let text = format!("1796056891000000 {}", line("1796056892000000", 7, 100, 50))
        + &line("1796056893000000", 7, 100, 60);
    let data = read(&text);
    assert_eq!((data.not_understood, rows_of(&data, "cpu_user").len()), (0, 1));
    let text = line("1796056892000000", 7, 1, 50)
        + "1796056892500000 7 (svn) S 1 7\n"
        + &line("1796056893000000", 7, 1, 60);
    let data = read(&text);
    assert_eq!(
        (data.not_understood, data.problems[0].line, rows_of(&data, "cpu_user").len()),
        (1, Some(2), 1)
    );
    // Two times without order: the second is no frame.
    let text = line("1796056893000000", 7, 1, 50) + &line("1796056892000000", 7, 1, 60);
    assert_eq!((read(&text).warnings(), read(&text).samples.len()), (1, 3));
}

#[test]
fn cut_or_in_another_dress() {
    for file in ["stamped.txt", "date.txt", "snapshot.txt", "stamped-schedstat.txt"] {
        check_cuts(&format!("proc-stat/{file}"), "proc-stat");
        check_dress(&format!("proc-stat/{file}"));
    }
}

proptest! {
    #[test]
    fn no_line_panics(text in "[0-9() SR:.\\n-]{0,120}") {
        read(&text);
    }
}
