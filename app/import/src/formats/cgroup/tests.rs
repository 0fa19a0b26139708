//! Tests of the reader of `cpu.stat` on genuine files of both versions, and on what goes wrong.

use crate::formats::counters::testing::{check_cuts, check_dress, is_dated, read, read_at, rows_of, sample};
use crate::sink::testing::values;
use proptest::prelude::*;
use triptych_model::ProblemKind;

#[test]
fn copies_with_their_time_become_loads() {
    let data = sample("cgroup/cgroup-loop.txt");
    assert_eq!((data.not_understood, data.warnings(), &*data.formats), (0, 0, &["cgroup"][..]));
    assert!(is_dated(&data));
    // 35506393180 - 35503529210 µs; the stamps were cut to whole seconds by `date -Iseconds`.
    assert_eq!(rows_of(&data, "cpu")[0], "1 cgroup cpu=286.397%");
    assert_eq!(rows_of(&data, "cpu_user")[0], "1 cgroup cpu_user=239.598%");
    assert_eq!(rows_of(&data, "throttled_rate")[0], "1 cgroup throttled_rate=01/s");
}

#[test]
fn one_copy_is_one_moment() {
    let data = sample("cgroup/cpu.stat.txt");
    assert_eq!((data.samples.len(), data.not_understood, data.warnings()), (0, 0, 0));
    assert_eq!(values(&data, 0)[0].split('=').next(), Some("cpu_time"));
    let data = read_at("svnserve.cpu.stat", b"usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n");
    assert_eq!(values(&data, 0), ["cpu_time=1.5s", "user=1s", "sys=0.5s"]);
    assert_eq!(data.measurements[0].process.to_string(), "svnserve");
}

#[test]
fn both_versions_of_a_fact_count_once() {
    let text =
        "usage_usec 2000000\nnr_periods 4\nnr_throttled 1\nthrottled_usec 250000\nthrottled_time 250000000\n";
    let data = read(text);
    assert_eq!(values(&data, 0), ["cpu_time=2s", "periods=41", "throttled=11", "throttled_time=0.25s"]);
    let data = read("nr_periods 0\nnr_throttled 0\nthrottled_time 7000000\n");
    assert_eq!(
        values(&data, 0),
        ["periods=01", "throttled=01", "throttled_time=0.007s"],
        "version 1 counts in ns"
    );
    let data = read("nr_periods 0\nuser 150\nsystem 25\n");
    assert_eq!(values(&data, 0)[1..], ["user=1.5s", "sys=0.25s"], "cpuacct.stat counts in ticks");
}

#[test]
fn copies_without_a_time_have_no_order() {
    let copy = "usage_usec 1000000\nuser_usec 1\n";
    let data = read(&copy.repeat(3));
    assert_eq!((data.samples.len(), data.measurements.len(), data.warnings()), (0, 0, 1));
    assert!(data.problems[0].next_step.is_some());
    let data = read(&format!("08:06:39\n{copy}08:06:40\nusage_usec 1500000\nuser_usec 1\n"));
    assert_eq!(rows_of(&data, "cpu"), ["1 cgroup cpu=50%"], "a time of the day is enough");
}

#[test]
fn damage_is_named() {
    let data = read("usage_usec 1000000\nuser_usec x\nsystem_usec 5\n");
    assert_eq!((data.not_understood, data.problems[0].line, data.measurements.len()), (1, Some(2), 2));
    let data = read("usage_usec 1000000\nuser_use");
    assert_eq!(
        (data.not_understood, data.problems[0].kind, data.measurements.len()),
        (1, ProblemKind::Cut, 1)
    );
    assert!(read("user 7\nsystem 8\n").formats.is_empty(), "two words that anyone may write");
}

#[test]
fn cut_or_in_another_dress() {
    check_cuts("cgroup/cgroup-loop.txt", "cgroup");
    check_dress("cgroup/cgroup-loop.txt");
    check_dress("cgroup/cpu.stat.txt");
}

proptest! {
    #[test]
    fn no_text_panics(text in "(usage_usec|user_usec|nr_periods|throttled_time|[0-9:]{0,20}| |\\n){0,20}") {
        read(&text);
    }
}
