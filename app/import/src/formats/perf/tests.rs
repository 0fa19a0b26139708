//! Tests of the reader of perf stat, against genuine files in all forms and locales.

use crate::Readers;
use crate::sink::testing::{bytes, read, sample, values};
use proptest::prelude::*;
use triptych_model::{Importer, Key, Process, Quality, ReadOptions, Silent};

const ALL: &[&str] = &[
    "A.txt",
    "I.txt",
    "cgroup.txt",
    "csv-A.txt",
    "csv-I-per-core-de.txt",
    "csv-I.txt",
    "csv-colons.txt",
    "csv-per-thread.txt",
    "csv-r2-cgroup.txt",
    "csv-r3-de.txt",
    "csv-r3-semicolon-de.txt",
    "csv-tab.txt",
    "de.txt",
    "fr.txt",
    "json-I.txt",
    "json-de.txt",
    "json-per-thread.txt",
    "json-r3.txt",
    "json.txt",
    "per-core.txt",
    "per-thread.txt",
    "r3-de.txt",
    "r3-table.txt",
    "r5-csv.txt",
    "svnbench-branch7.txt",
    "svnserve-trunk.txt",
    "us.txt",
    "verify-trunk.txt",
];

#[test]
fn every_line_of_every_genuine_file_is_understood() {
    for name in ALL {
        let data = sample(&format!("perf-stat/{name}"));
        assert_eq!(data.formats, ["perf-stat"], "{name}");
        assert_eq!(
            (data.not_understood, data.program_output, data.warnings()),
            (0, 0, 0),
            "{name} {:?}",
            data.problems
        );
        assert!(data.has_rows(), "{name}");
    }
}

#[test]
fn every_figure_of_the_plain_text() {
    let data = sample("perf-stat/svnbench-branch7.txt");
    assert_eq!(data.runs.len(), 1);
    assert_eq!(data.runs[0].content.get(Key::Operation), Some("null-export"));
    assert_eq!(
        values(&data, 0),
        [
            "task-clock=0.00916s",
            "cpu=0.6%",
            "context-switches=1211",
            "cpu-migrations=81",
            "page-faults=1971",
            "cycles=?1",
            "instructions=?1",
            "branches=?1",
            "branch-misses=?1",
            "real=1.662125915s",
            "user=0.012439s",
            "sys=0s",
        ]
    );
    let cycles = &data.measurements[5];
    assert_eq!(cycles.raw, "<not supported>");
    assert!(cycles.quality.has(Quality::INCOMPLETE));
    let attached = sample("perf-stat/svnserve-trunk.txt");
    assert_eq!(attached.measurements[0].process, Process::Other("process id 10810".to_owned()));
    assert_eq!(values(&attached, 0).last().map(String::as_str), Some("real=1.249431479s"));
}

#[test]
fn marks_and_groups_go_by_the_locale() {
    for (name, faults, clock) in
        [("de.txt", 1224.0, 0.01307), ("fr.txt", 1221.0, 0.00951), ("us.txt", 1219.0, 0.00954)]
    {
        let data = sample(&format!("perf-stat/{name}"));
        let value = |metric: &str| {
            data.measurements.iter().find(|row| row.metric == metric).and_then(|row| row.value)
        };
        assert_eq!(value("page-faults"), Some(faults), "{name}");
        assert_eq!(value("task-clock"), Some(clock), "{name}");
        assert_eq!(data.runs[0].content.get(Key::Operation), Some("verify"), "{name}");
    }
}

#[test]
fn repeated_commands_have_means_and_errors() {
    let data = sample("perf-stat/r3-de.txt");
    let found = values(&data, 0);
    for expect in [
        "task-clock=0.01348s",
        "task-clock_stderr=2.3%",
        "page-faults=12231",
        "real_mean=0.0617s",
        "real_stderr=0.0113s",
    ] {
        assert!(found.contains(&expect.to_owned()), "{expect} in {found:?}");
    }
    assert!(data.measurements.iter().all(|row| row.executions == Some(3)));
    let table = sample("perf-stat/r3-table.txt");
    let reals: Vec<_> = table
        .measurements
        .iter()
        .filter(|row| row.metric == "real")
        .map(|row| (row.run, row.value))
        .collect();
    assert_eq!(reals, [(0, Some(0.0489)), (1, Some(0.0142)), (2, Some(0.0152))]);
    assert_eq!(table.runs[2].content.get(Key::Repetition), Some("3"));
}

#[test]
fn columns_of_csv_are_found_by_content() {
    for (name, expect) in [
        (
            "csv-tab.txt",
            &[
                "task-clock=0.00993s",
                "cpu=14.9%",
                "context-switches=31",
                "cpu-migrations=01",
                "page-faults=12291",
            ][..],
        ),
        ("csv-colons.txt", &["task-clock=0.01338s", "cpu=85.8%", "context-switches=101"]),
        (
            "r5-csv.txt",
            &[
                "task-clock=0.00983s",
                "task-clock_stderr=5.05%",
                "cpu=0.8%",
                "context-switches=1191",
                "context-switches_stderr=0.31%",
            ],
        ),
        (
            "csv-r3-de.txt",
            &[
                "task-clock=0.01425s",
                "task-clock_stderr=9.29%",
                "context-switches=51",
                "context-switches_stderr=17.64%",
            ],
        ),
        (
            "csv-r3-semicolon-de.txt",
            &["task-clock=0.01306s", "task-clock_stderr=1.7%", "context-switches=61"],
        ),
    ] {
        let data = sample(&format!("perf-stat/{name}"));
        assert_eq!(values(&data, 0)[..expect.len()], *expect, "{name}");
        assert_eq!(data.runs.len(), 1, "{name}");
    }
    let raw = &sample("perf-stat/csv-r3-de.txt").measurements[0].raw;
    assert_eq!(raw, "14,25");
}

#[test]
fn a_single_row_needs_an_event_that_perf_has() {
    for (text, rows) in [
        ("1,5,ms,alpha,100,100.00\n", 0),
        ("5,,red,100,100.00\n", 0),
        ("x\n1,5,ms,alpha,100,100.00\n1,5,ms,alpha,100,100.00\n", 0),
        ("5.00,msec,task-clock,100,100.00\n", 1),
        ("5,,instructions:u,100,100.00\n", 1),
        ("5,,L1-dcache-loads,100,100.00\n", 1),
        ("5,,r01c2,100,100.00\n", 1),
        ("5,,sched:sched_switch,100,100.00\n", 1),
        ("<not supported>,,alpha,0,100.00\n", 1),
        ("5,,alpha,100,100.00\n5,,beta,100,100.00\n", 2),
        ("# started on Mon Nov 30 16:32:49 2026\n\n5,,alpha,100,100.00\n", 1),
    ] {
        assert_eq!(read(text).measurements.len(), rows, "{text}");
    }
}

#[test]
fn places_have_processes_of_their_own() {
    for name in ["A.txt", "csv-A.txt"] {
        let data = sample(&format!("perf-stat/{name}"));
        let clocks: Vec<_> = data
            .measurements
            .iter()
            .filter(|row| row.metric == "cpu-clock")
            .map(|row| row.process.to_string())
            .collect();
        assert_eq!(clocks, ["CPU0", "CPU1"], "{name}");
    }
    let data = sample("perf-stat/per-core.txt");
    assert_eq!(
        (data.measurements[0].process.to_string().as_str(), data.measurements[0].value),
        ("S0-D0-C0", Some(0.11204))
    );
    assert_eq!(values(&data, 0).last().map(|text| text.starts_with("real=")), Some(true));
}

#[test]
fn threads_and_cgroups_are_places_too() {
    for (name, expect) in [
        (
            "per-thread.txt",
            &[
                "burn.sh-32627 task-clock=0.19937",
                "python3-32684 task-clock=0.15226",
                "python3-32683 task-clock=0.15024",
                "python3-32633 task-clock=?",
                "python3-32684 context-switches=153",
            ][..],
        ),
        (
            "csv-per-thread.txt",
            &[
                "burn.sh-32627 task-clock=0.21571",
                "python3-32684 task-clock=0.1502",
                "python3-32683 task-clock=0.14621",
                "python3-32633 task-clock=?",
                "python3-32683 context-switches=152",
            ],
        ),
        (
            "json-per-thread.txt",
            &["burn.sh-32627 task-clock=0.160525961", "python3-32683 task-clock=0.147880006"],
        ),
        ("cgroup.txt", &["cgroup / task-clock=2.06061", "cgroup / context-switches=?"]),
        (
            "csv-r2-cgroup.txt",
            &[
                "cgroup / task-clock=1.06327",
                "cgroup / task-clock_stderr=0.49",
                "cgroup / context-switches=?",
                "cgroup / context-switches_stderr=0",
            ],
        ),
    ] {
        let data = sample(&format!("perf-stat/{name}"));
        let shown = |row: &triptych_model::Measurement| {
            let value = row.value.map_or("?".to_owned(), |value| value.to_string());
            format!("{} {}={value}", row.process, row.metric)
        };
        let found: Vec<String> = data.measurements.iter().map(shown).collect();
        assert_eq!(found[..expect.len()], *expect, "{name}");
        assert_eq!(data.runs.len(), 1, "{name}");
    }
}

#[test]
fn groups_stand_behind_events_and_units_before_them() {
    let head = "\n Performance counter stats for 'svn co A':\n\n";
    let tail = "\n   1.326230653 seconds time elapsed\n";
    for (row, expect) in [
        ("  5.25 Joules power/energy-pkg/", "power/energy-pkg/ (Joules)=5.251"),
        ("  5.25 Joules power/energy-pkg/  svn/a", "power/energy-pkg/ (Joules)=5.251"),
        ("  7 cycles  svn", "cycles=71"),
        ("  7 cpu-cycles:u  /  #  1 GHz", "cpu-cycles:u=71"),
        ("  9.5 msec task-clock  /", "task-clock=0.0095s"),
    ] {
        assert_eq!(values(&read(&format!("{head}{row}\n{tail}")), 0)[0], expect, "{row}");
    }
    // Figures without events, as --metric-only prints them, are no counts.
    let data = read(&format!("{head}   CPUs utilized   insn per cycle\n     2.0     1.2\n{tail}"));
    assert_eq!((values(&data, 0), data.not_understood), (vec!["real=1.326230653s".to_owned()], 2));
    assert!(read(" time,\n     0.100176082,\n     0.200522785,\n").formats.is_empty());
}

#[test]
fn intervals_are_series_with_sums() {
    for (name, first, unit) in
        [("I.txt", 0.00235, "s"), ("csv-I.txt", 0.00299, "s"), ("json-I.txt", 0.002_799_866, "s")]
    {
        let data = sample(&format!("perf-stat/{name}"));
        let series = &data.series[0];
        assert_eq!((series.metric.as_str(), series.unit.symbol()), ("task-clock", unit), "{name}");
        let samples: Vec<_> = data.samples.iter().filter(|sample| sample.series == 0).collect();
        assert!((samples[0].value - first).abs() < 1e-12, "{name}");
        assert!((20_000..21_000).contains(&samples[0].time), "{name}");
        let sum: f64 = samples.iter().map(|sample| sample.value).sum();
        let total = data.measurements.iter().find(|row| row.metric == "task-clock").expect("a sum");
        assert_eq!((total.value, total.quality.has(Quality::COMPUTED)), (Some(sum), true), "{name}");
    }
    let data = sample("perf-stat/csv-I-per-core-de.txt");
    assert_eq!((format!("{}", data.samples[0].value).as_str(), data.samples[0].time), ("0.036", 23_836));
    assert_eq!(data.series[0].process.to_string(), "S0-D0-C0");
}

#[test]
fn json_of_comma_locales_is_mended() {
    let data = sample("perf-stat/json-de.txt");
    assert_eq!(values(&data, 0)[..3], ["task-clock=0.013275232s", "cpu=29.9138%", "context-switches=51"]);
    assert_eq!(data.measurements[0].raw, "13,275232");
    let data = sample("perf-stat/json-r3.txt");
    assert_eq!(values(&data, 0)[..2], ["task-clock=0.013010346s", "task-clock_stderr=3.45%"]);
}

#[test]
fn the_start_goes_by_the_zone() {
    let options = ReadOptions { zone_offset_secs: Some(3600), ..ReadOptions::default() };
    let data = Readers.read("x", &bytes("perf-stat/csv-tab.txt"), &options, &Silent).expect("nobody cancels");
    assert_eq!(data.runs[0].started, Some(1_796_052_767_000_000));
    assert!(!data.runs[0].quality.has(Quality::ZONE_ASSUMED));
    assert!(sample("perf-stat/csv-tab.txt").runs[0].quality.has(Quality::ZONE_ASSUMED));
}

#[test]
fn damage_is_said_with_its_place() {
    let data = read(
        "9.83,msec,task-clock,9828782,100.00,0.008,CPUs utilized\n119,,context-sw\n198,,page-faults,9828782,100.00,24.959,K/sec\n",
    );
    assert_eq!((data.measurements.len(), data.not_understood), (3, 1));
    assert_eq!(data.problems[0].line, Some(2));
    let cut = read(
        "\n Performance counter stats for 'svn co A':\n\n   9.42 msec task-clock  #  0.007 CPUs utilized\n   118      context-swi",
    );
    assert!(cut.runs[0].quality.has(Quality::INCOMPLETE));
    assert_eq!(cut.runs[0].content.get(Key::Operation), Some("checkout"));
    let joined = read("1,02,msec,task-clock,1023205,100,00,0,CPUs utilized\n1,0,2,msec,x\n");
    assert!(joined.problems[0].expected.as_deref().is_some_and(|text| text.contains("LC_ALL=C")));
}

#[test]
fn a_transcript_with_perf_and_time_is_one_run() {
    let perf = " Performance counter stats for 'svnbench null-export URL':\n\n   9.42 msec task-clock  #  0.007 CPUs utilized\n\n   1.326230653 seconds time elapsed\n\n   0.012678000 seconds user\n   0.000000000 seconds sys\n\n";
    let counters = "            166 directories\n          1,397 files\n     26,013,500 bytes in files\n          7,148 properties\n        114,730 bytes in properties\n";
    let time = "\nreal\t0m1.340s\nuser\t0m0.020s\nsys\t0m0.001s\n";
    for text in [
        format!("$ time perf stat svnbench null-export URL\n{counters}\n{perf}{time}"),
        format!("$ perf stat sh -c 'time svnbench null-export URL'\n{counters}{time}\n{perf}"),
    ] {
        let data = read(&text);
        assert_eq!(data.runs.len(), 1, "{text}");
        let found = values(&data, 0);
        assert_eq!(found.iter().filter(|text| text.starts_with("real=")).count(), 1, "{found:?}");
        assert!(
            found.contains(&"directories=1661".to_owned())
                && found.contains(&"task-clock=0.00942s".to_owned())
        );
        assert!(
            found.iter().any(|text| text.starts_with("real_perf=") || text.starts_with("real_shell=")),
            "{found:?}"
        );
    }
    let apart = read(&format!("{perf}{}", time.replace("1.340", "9.340")));
    assert_eq!(apart.runs.len(), 2);
    let twice = read(&format!("{perf}\n{perf}"));
    assert_eq!(twice.runs.len(), 2);
}

proptest! {
    #[test]
    fn no_damage_makes_it_panic(index in 0..ALL.len(), cut in 0_usize..3000, junk in "[ -~\n]{0,12}", tail in 0_usize..400) {
        let bytes = bytes(&format!("perf-stat/{}", ALL[index]));
        let text = String::from_utf8_lossy(&bytes);
        let head: String = text.chars().take(cut).collect();
        let rest: String = text.chars().skip(cut + tail).collect();
        let data = read(&format!("{head}{junk}{rest}"));
        prop_assert!(data.measurements.iter().all(|row| row.value.is_none_or(f64::is_finite) && (row.run as usize) < data.runs.len()));
    }
}
