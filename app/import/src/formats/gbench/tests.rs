//! Genuine and damaged files of Google Benchmark: what is read of them and what is said.

use crate::sink::testing::{bytes, read, sample, values};
use proptest::prelude::*;
use triptych_model::{Key, Quality, SourceData};

/// `operation: values` of all runs.
fn runs(data: &SourceData) -> Vec<String> {
    let line = |(index, run): (usize, &triptych_model::RunRow)| {
        let operation = run.content.get(Key::Operation).unwrap_or("?");
        format!("{operation}: {}", values(data, u32::try_from(index).expect("few")).join(" "))
    };
    data.runs.iter().enumerate().map(line).collect()
}

fn near(data: &SourceData, run: u32, metric: &str, expect: f64) {
    let row = data.measurements.iter().find(|row| row.run == run && row.metric == metric);
    let value = row.and_then(|row| row.value).unwrap_or_else(|| panic!("no {metric}"));
    assert!((value - expect).abs() <= expect.abs() * 1e-9, "{metric} {value} {expect}");
}

#[test]
fn json_keeps_iterations_and_drops_their_aggregates() {
    let data = sample("google-benchmark/repetitions.json");
    assert_eq!((data.runs.len(), data.not_understood, data.error.as_ref()), (4, 0, None));
    near(&data, 0, "real", 2.021_778_841_537_274_7e-8);
    near(&data, 0, "cpu_time", 7.015_538_304_993_631e-9);
    near(&data, 0, "foo", 3.0);
    near(&data, 0, "items_per_second", 4.946_139_406_818_811_6e7);
    assert_eq!(data.measurements[0].executions, Some(781_295));
    assert_eq!(data.measurements[0].raw, "2.0217788415372747e-02");
    let content = &data.runs[1].content;
    let found = [Key::Operation, Key::Threads, Key::Repetition, Key::Host].map(|key| content.get(key));
    assert_eq!(found, [Some("BM_x/8/real_time"), Some("1"), Some("2"), Some("vm")]);
    assert_eq!(
        data.problems[0].message,
        "8 aggregates are left out, for the iterations behind them are here"
    );
}

#[test]
fn the_console_says_the_same_with_fewer_digits() {
    let data = sample("google-benchmark/repetitions.txt");
    assert_eq!((data.runs.len(), data.not_understood), (4, 0));
    near(&data, 0, "real", 2e-8);
    near(&data, 0, "items_per_second", 49.4614e6);
    assert_eq!(data.measurements[0].raw, "0.020 us");
    assert_eq!(data.measurements[0].executions, Some(781_295));
}

#[test]
fn csv_rows() {
    let data = sample("google-benchmark/counters.csv");
    assert_eq!((data.runs.len(), data.not_understood), (2, 0));
    near(&data, 0, "real", 2.591e-8);
    near(&data, 0, "items_per_second", 3.85951e7);
    near(&data, 1, "foo", 3.0);
}

#[test]
fn aggregates_alone_are_kept_in_every_form() {
    for (file, real, cv) in [
        ("aggregates.json", None, None),
        ("aggregates.csv", Some(6.43842e-7), None),
        ("aggregates.txt", Some(7.42e-7), Some(16.35)),
    ] {
        let data = sample(&format!("google-benchmark/{file}"));
        let operations: Vec<_> =
            data.runs.iter().map(|run| run.content.get(Key::Operation).unwrap_or("?")).collect();
        assert_eq!(
            operations,
            ["BM_join/64", "BM_join", "BM_sort/real_time/threads:1", "BM_sort/real_time/threads:2"],
            "{file}"
        );
        assert_eq!(data.not_understood, 0, "{file}");
        assert_eq!(data.runs[3].content.get(Key::Threads), Some("2"), "{file}");
        assert_eq!(data.runs[2].settings.get("label"), Some(&"one thousand, mixed".into()), "{file}");
        if let Some(real) = real {
            near(&data, 0, "real_mean", real);
        }
        let cv_found = data.measurements.iter().find(|row| row.metric == "real_cv").and_then(|row| row.value);
        let cv_found = cv_found.expect("a coefficient of variation");
        assert!(
            (0.1..100.0).contains(&cv_found) && cv.is_none_or(|cv: f64| (cv - cv_found).abs() < 1e-9),
            "{file} {cv_found}"
        );
        let coefficient =
            data.measurements.iter().find(|row| row.metric == "real_coefficient").expect("a curve");
        assert!(coefficient.value.is_some_and(|value| (1e-7..1e-6).contains(&value)), "{file}");
        assert_eq!(data.runs[1].settings.get("big_o"), Some(&"(1)".into()), "{file}");
        let rms = data.measurements.iter().find(|row| row.metric == "real_rms").expect("an error");
        assert!(rms.value.is_some_and(|value| (0.5..20.0).contains(&value)), "{file}");
    }
}

#[test]
fn errors_are_failed_runs_and_curves_belong_to_their_family() {
    for file in ["complexity.json", "complexity.csv", "complexity.txt", "tabular.txt"] {
        let data = sample(&format!("google-benchmark/{file}"));
        assert_eq!((data.runs.len(), data.not_understood), (6, 0), "{file}: {:?}", runs(&data));
        let failed = &data.runs[5];
        assert_eq!(failed.failure.as_deref(), Some("no repository at /nowhere"), "{file}");
        assert!(failed.quality.has(Quality::FAILED));
        assert!(data.measurements.iter().all(|row| row.run != 5), "{file}");
        near(&data, 2, "parts", 512.0);
        assert_eq!(data.runs[4].settings.get("label"), Some(&"one thousand, mixed".into()), "{file}");
    }
}

#[test]
fn json_of_other_versions() {
    let entry = |more: &str| {
        format!(
            r#"{{"context":{{"num_cpus":2}},"benchmarks":[{{"name":"BM_x/8","iterations":10,"real_time":5,"cpu_time":4,"time_unit":"ns"}}{more}]}}"#
        )
    };
    for (more, expect, not_understood) in [
        // Before 1.5: no types, and the error of the curve with its sign, which is no JSON.
        (
            r#",{"name":"BM_x_BigO","cpu_coefficient":4,"real_coefficient":5,"big_o":"N","time_unit":"ns"},{"name":"BM_x_RMS","rms":2%}"#,
            vec!["BM_x/8: real=0.000000005s cpu_time=0.000000004s"],
            0,
        ),
        (
            r#",{"name":"BM_y_RMS","rms":2%},{"name":"BM_y_BigO","cpu_coefficient":4,"big_o":"N","time_unit":"ns"}"#,
            vec![
                "BM_x/8: real=0.000000005s cpu_time=0.000000004s",
                "BM_y: real_rms=2% cpu_time_coefficient=0.000000004s",
            ],
            0,
        ),
        (
            r#",{"name":"BM_x/8_mean","iterations":10,"real_time":5,"cpu_time":4}"#,
            vec!["BM_x/8: real=0.000000005s cpu_time=0.000000004s"],
            0,
        ),
        // A name that only looks like an aggregate.
        (
            r#",{"name":"BM_arithmetic_mean","iterations":1,"real_time":5}"#,
            vec!["BM_x/8: real=0.000000005s cpu_time=0.000000004s", "BM_arithmetic_mean: real=0.000000005s"],
            0,
        ),
        (
            r#",{"name":"BM_z/threads:4","iterations":1,"real_time":NaN,"time_unit":"ms"}"#,
            vec!["BM_x/8: real=0.000000005s cpu_time=0.000000004s", "BM_z/threads:4: real=?s"],
            1,
        ),
        (
            r#",{"name":"BM_z","run_type":"iteration","skipped":true,"skip_message":"no disk","real_time":0}"#,
            vec!["BM_x/8: real=0.000000005s cpu_time=0.000000004s", "BM_z: "],
            0,
        ),
    ] {
        let data = read(&entry(more));
        assert_eq!(runs(&data), expect, "{more}");
        assert_eq!(data.not_understood, not_understood, "{more}");
    }
    let data = read(&entry(
        r#",{"name":"BM_z","error_occurred":true,"error_message":"gone","iterations":0,"real_time":0}"#,
    ));
    assert_eq!(data.runs[1].failure.as_deref(), Some("gone"));
    assert!(data.runs[1].quality.has(Quality::FAILED));
}

#[test]
fn counters_on_the_console() {
    let head = "Benchmark      Time     CPU   Iterations UserCounters...\n";
    for (row, expect) in [
        ("BM_x   1.5 ms   1 ms   7 a=3", "real=0.0015s cpu_time=0.001s a=31"),
        (
            "BM_x   1 s   1 us   7 bytes_per_second=1.5Gi/s",
            "real=1s cpu_time=0.000001s bytes_per_second=1610612736B/s",
        ),
        ("BM_x   1 s   1 s   7 rate=2k/s b=4m", "real=1s cpu_time=1s rate=20001/s b=0.0041"),
        // Decimal letters, binary ones with an `i`; each counter has its own.
        (
            "BM_x   1 s   1 s   7 a=2k b=2M c=2G d=2T",
            "real=1s cpu_time=1s a=20001 b=20000001 c=20000000001 d=20000000000001",
        ),
        ("BM_x   1 s   1 s   7 a=2Ki b=2Mi c=2Gi", "real=1s cpu_time=1s a=20481 b=20971521 c=21474836481"),
        ("BM_x   1 s   1 s   7 a=2u b=2n c=12.5%", "real=1s cpu_time=1s a=0.0000021 b=0.0000000021 c=12.5%"),
        ("BM_x   1 ns   1 us   7", "real=0.000000001s cpu_time=0.000001s"),
        ("BM_x   0.050 us   0.18 ms   7", "real=0.00000005s cpu_time=0.00018s"),
        ("BM a b/8   1 s   1 s   7 some label", "real=1s cpu_time=1s"),
    ] {
        let data = read(&format!("{head}{row}\n"));
        assert_eq!(values(&data, 0).join(" "), expect, "{row}");
    }
    let data = read(&format!("{head}BM a b/8   1 s   1 s   7 some label\n"));
    assert_eq!(data.runs[0].content.get(Key::Operation), Some("BM a b/8"));
    assert_eq!(data.runs[0].settings.get("label"), Some(&"some label".into()));
}

#[test]
fn other_texts_are_left_alone() {
    for text in ["Benchmark one: svn export\n", "Benchmark  Time  CPU\n", "name,iterations\n"] {
        assert_eq!(read(text).runs.len(), 0, "{text}");
    }
}

proptest! {
    #[test]
    fn no_damage_panics(file in 0_usize..4, at in 0_usize..1500, byte in 0_u8..128, end in 0_usize..1500) {
        let file = ["complexity.csv", "complexity.txt", "aggregates.txt", "complexity.json"][file];
        let mut bytes = bytes(&format!("google-benchmark/{file}"));
        let skip = if file.ends_with("json") { 700 } else { 0 };
        if let Some(place) = bytes.get_mut(at + skip) {
            *place = byte;
        }
        bytes.truncate(end + skip);
        read(&String::from_utf8_lossy(&bytes));
    }
}
