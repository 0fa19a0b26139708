//! Logs as the runner's own types write them, whole and damaged.

use crate::Readers;
use crate::sink::testing::{read, values};
use proptest::prelude::*;
use triptych_model::runlog::{
    CampaignStart, Event, Finished, Hello, MeasuredValue, Note, Outcome, Record, SampleSeries, SampleTable,
    StepEnd,
};
use triptych_model::{
    Clock, Conditions, Importer, Key, ProblemKind, Process, Quality, ReadOptions, Severity, Silent,
    SourceData, Timestamp, Unit,
};

const START: &str = "2026-11-30T08:03:39.382038Z";

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).expect(text)
}

fn campaign() -> Event {
    let facts =
        r#"{"name": "lab", "kernel": "6.1.0", "media": {"SSD": {"fs": "ext4"}, "USB": {"fs": "vfat"}}}"#;
    Event::Campaign(Box::new(CampaignStart {
        campaign: "demo-1".into(),
        title: "demo".into(),
        lab: "demo lab".into(),
        steps: 3,
        host: serde_json::from_str(facts).expect("JSON"),
        ..CampaignStart::default()
    }))
}

fn value(process: Process, metric: &str, value: Option<f64>, unit: Unit) -> MeasuredValue {
    MeasuredValue { process, metric: metric.into(), value, unit, quality: Quality::NONE }
}

fn end(step: u32, real: f64) -> StepEnd {
    let series = |process, values: &[Option<f64>]| SampleSeries {
        process,
        pid: Some(7),
        command: Some("svnserve".into()),
        metric: "cpu".into(),
        unit: Unit::Percent,
        values: values.to_vec(),
    };
    StepEnd {
        step,
        run: format!("demo-1/{step}"),
        conditions: Conditions::new().with(Key::Operation, "export").with(Key::Medium, "SSD"),
        started: Some(time(START)),
        exit: Some(0),
        quality: Quality::MEASURED,
        settings: [("port".to_owned(), 3690.into())].into_iter().collect(),
        measurements: vec![
            value(Process::Client, "real", Some(real), Unit::Secs),
            value(Process::Svnserve, "max_rss", None, Unit::Bytes),
        ],
        samples: SampleTable {
            times: vec![0.1, 0.25],
            series: vec![
                series(Process::Svnserve, &[Some(99.5), Some(100.0)]),
                series(Process::Client, &[None, Some(3.0)]),
            ],
            dropped: 0,
        },
        ..StepEnd::default()
    }
}

fn ended(step: u32, real: f64) -> Event {
    Event::StepEnded(Box::new(end(step, real)))
}

fn completed() -> Event {
    Event::Finished(Finished { outcome: Outcome::Completed, done: 3, failed: 0, remaining: 0, reason: None })
}

fn note(severity: Severity, step: Option<u32>, text: &str) -> Event {
    Event::Note(Note { severity, step, text: text.into() })
}

/// A log of these events, numbered from 1.
fn log(events: Vec<Event>) -> String {
    let mut text = serde_json::to_string(&Hello::of("triptych-runner")).expect("written") + "\n";
    for (n, event) in (1..).zip(events) {
        let record = Record { n, time: time(START), event };
        text += &(serde_json::to_string(&record).expect("written") + "\n");
    }
    text
}

fn sentences(data: &SourceData) -> Vec<String> {
    data.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn a_finished_step_is_a_run_with_all_it_measured() {
    let text = log(vec![campaign(), ended(1, 0.1 + 0.2), completed()]);
    let data = read(&text);
    assert_eq!((data.formats.as_slice(), data.lines), (&["run-log"][..], 4));
    assert_eq!((data.campaign.as_deref(), sentences(&data)), (Some("demo-1"), vec![]));
    let run = &data.runs[0];
    assert_eq!((run.id.as_deref(), run.line, run.exit), (Some("demo-1/1"), 3, Some(0)));
    assert_eq!(run.started, Some(time(START).micros()));
    let conditions: Vec<_> = run.content.iter().map(|(key, value)| (key.name(), value)).collect();
    let expect = [("campaign", "demo-1"), ("host", "lab"), ("operation", "export"), ("medium", "SSD")];
    assert_eq!(conditions, expect);
    let settings = serde_json::to_string(&run.settings).expect("written");
    assert_eq!(
        settings,
        r#"{"host":{"kernel":"6.1.0","medium":{"fs":"ext4"}},"lab":"demo lab","plan":"demo","port":3690}"#
    );
    assert_eq!(values(&data, 0), ["real=0.30000000000000004s", "max_rss=?B"]);
    let row = &data.measurements[0];
    assert_eq!((row.line, row.raw.as_str(), row.quality), (3, "0.30000000000000004", Quality::MEASURED));
    assert!(text[usize::try_from(row.offset).expect("small")..].starts_with("{\"n\":2"));
    assert_eq!(
        (data.measurements[1].quality, data.measurements[1].raw.as_str()),
        (Quality::INCOMPLETE, "null")
    );
}

#[test]
fn samples_are_dated_by_the_start_of_their_run() {
    let data = read(&log(vec![campaign(), ended(1, 1.0), ended(2, 1.0), completed()]));
    let start = time(START).micros();
    assert_eq!(data.samples_start, Some(start));
    let runs: Vec<_> = data.series.iter().map(|series| (series.run, series.clock)).collect();
    assert_eq!(runs, [0, 0, 1, 1].map(|run| (Some(run), Clock::Utc)));
    let samples: Vec<_> = data.samples.iter().map(|s| (s.series, s.line, s.time - start, s.value)).collect();
    let of_run = |first, line| {
        [(first, line, 100_000, 99.5), (first, line, 250_000, 100.0), (first + 1, line, 250_000, 3.0)]
    };
    assert_eq!(samples, [of_run(0, 3), of_run(2, 4)].concat());
}

#[test]
fn failed_runs_are_marked_and_lost_samples_told() {
    let mut failed = end(1, 0.003);
    failed.failure = Some("svn: E170013: cannot connect".into());
    failed.exit = Some(1);
    failed.started = None;
    failed.samples.dropped = 5;
    failed.samples.series[0].values.pop();
    let data = read(&log(vec![campaign(), Event::StepEnded(failed.into()), completed()]));
    assert!(data.runs[0].quality.has(Quality::FAILED));
    assert_eq!(data.runs[0].failure.as_deref(), Some("svn: E170013: cannot connect"));
    assert_eq!((data.series[0].clock, data.samples[0].time), (Clock::Elapsed, 100_000));
    assert!(data.series[0].quality.has(Quality::INCOMPLETE));
    assert_eq!(
        sentences(&data),
        [
            "test.txt:3: warning: 5 samples did not fit into the runner's memory",
            "test.txt:3: warning: cpu of svnserve has 1 samples for 2 times"
        ]
    );
}

#[test]
fn of_two_ends_of_a_step_the_last_counts() {
    let data =
        read(&log(vec![campaign(), ended(1, 1.0), ended(2, 2.0), campaign(), ended(1, 3.0), completed()]));
    let ids: Vec<_> = data.runs.iter().filter_map(|run| run.id.as_deref()).collect();
    assert_eq!(ids, ["demo-1/2", "demo-1/1"]);
    assert_eq!(values(&data, 1)[0], "real=3s");
    assert_eq!((data.measurements.len(), data.series.len()), (4, 4));
    let expect =
        "test.txt:6: note: step 1 ended twice, its last end counts, found \"its first end on line 3\"";
    assert_eq!(sentences(&data), [expect]);
}

#[test]
fn the_runners_warnings_are_notes_and_stay_with_their_run() {
    let data = read(&log(vec![
        campaign(),
        note(Severity::Warning, Some(1), "the host is busy"),
        note(Severity::Error, None, "the medium is gone"),
        note(Severity::Note, None, "nothing of note"),
        ended(1, 1.0),
    ]));
    assert_eq!(
        sentences(&data),
        [
            "test.txt:3: note: the runner's warning of step 1: the host is busy",
            "test.txt:4: note: the runner's error: the medium is gone",
            "test.txt:6: note: the campaign is still running, or its runner was killed; 1 of 3 steps have ended"
        ]
    );
    assert_eq!(data.runs[0].settings["warnings"], serde_json::json!(["the host is busy"]));
    assert_eq!(data.warnings(), 0);
}

#[test]
fn a_log_without_a_record_is_spoken_of_at_its_first_line() {
    let options = ReadOptions { format: Some("run-log".to_owned()), ..ReadOptions::default() };
    let data = Readers.read("test.txt", b"\n", &options, &Silent).expect("nobody cancels");
    assert!(data.problems.iter().all(|problem| problem.line == Some(1)), "{:?}", data.problems);
    assert_eq!(data.problems.len(), 2);
}

#[test]
fn a_damaged_line_costs_that_line_alone() {
    let whole = log(vec![campaign(), ended(1, 1.0), ended(2, 2.0), ended(3, 3.0)]);
    let lines: Vec<&str> = whole.lines().collect();
    let with = |index: usize, line: &str| {
        let mut lines = lines.clone();
        lines[index] = line;
        lines.join("\n")
    };
    let cut = &lines[4][..60];
    let bad_unit = lines[3].replacen("\"unit\":\"s\"", "\"unit\":\"ells\"", 1);
    for (text, runs, kind, place) in [
        (with(4, cut), 2, ProblemKind::Cut, (5, Some(60))),
        (with(3, "{\"n\":3,"), 2, ProblemKind::Malformed, (4, Some(7))),
        (
            with(3, &bad_unit),
            2,
            ProblemKind::Malformed,
            (4, bad_unit.find(",\"quality\":\"\"").and_then(|at| u32::try_from(at).ok())),
        ),
        (with(3, "\0\0\0\0"), 2, ProblemKind::Malformed, (4, Some(1))),
        (with(0, "{\"proto"), 3, ProblemKind::Malformed, (1, Some(7))),
    ] {
        let data = read(&text);
        assert_eq!((data.runs.len(), &data.error), (runs, &None), "{text}");
        let problem = data.problems.first().expect("told");
        assert_eq!((problem.severity, problem.kind), (Severity::Warning, kind), "{problem}");
        assert_eq!((problem.line, problem.column), (Some(place.0), place.1), "{problem}");
        assert_eq!(data.not_understood, 1);
        assert!(data.problems.iter().all(|problem| !problem.message.contains("missing")), "told once");
    }
}

#[test]
fn a_lost_record_is_missed() {
    let whole = log(vec![campaign(), ended(1, 1.0), ended(2, 2.0), completed()]);
    let without: Vec<&str> =
        whole.lines().enumerate().filter(|(at, _)| *at != 2).map(|(_, line)| line).collect();
    let expect =
        "test.txt:3: warning: 1 records before this line are missing, found \"record 3\", expected record 2";
    assert_eq!(sentences(&read(&without.join("\n"))), [expect]);
}

#[test]
fn unknown_events_are_passed_over_and_another_protocol_is_refused() {
    let known = log(vec![campaign(), ended(1, 1.0), completed()]);
    let more = known.replacen("\n", "\n{\"n\":0,\"time\":\"x\",\"event\":\"invented\",\"step\":[1]}\n", 1);
    assert_eq!((read(&more).runs.len(), sentences(&read(&more))), (1, vec![]));
    for hello in ["{\"protocol\":2,\"program\":\"triptych-runner 9.0.0\"}", "{\"protocol\":2}"] {
        let (_, rest) = known.split_once('\n').expect("lines");
        let data = read(&format!("{hello}\n{rest}"));
        let error = data.error.expect("refused");
        assert_eq!((error.kind, error.line, data.runs.len()), (ProblemKind::Refused, Some(1), 0));
        assert!(error.message.contains("version 2 of the run log"), "{error}");
    }
}

#[test]
fn other_json_lines_are_not_claimed() {
    for text in ["{\"protocol\":1}\n", "{\"program\":\"x\"}\n{\"a\":1}\n", "{\"n\":1,\"name\":\"x\"}\n"] {
        assert_eq!(read(text).formats, [""; 0], "{text}");
    }
}

prop_compose! {
    fn measured()(
        process in prop_oneof![Just(Process::Client), Just(Process::Svnserve), Just(Process::Disk("sda".into()))],
        metric in "[a-z_]{1,12}",
        value in prop_oneof![Just(None), any::<f64>().prop_filter("finite", |v| v.is_finite()).prop_map(Some)],
        unit in prop_oneof![Just(Unit::Secs), Just(Unit::Bytes), Just(Unit::Percent)],
    ) -> MeasuredValue {
        MeasuredValue { process, metric, value, unit, quality: Quality::MEASURED }
    }
}

proptest! {
    #[test]
    fn what_was_written_is_read(
        list in prop::collection::vec(measured(), 0..6),
        command in "[ -~äß\\n]{0,20}",
        series in prop::collection::vec(prop::option::of(0.0_f64..400.0), 4),
        started in 0_i64..4_000_000_000_000_000,
    ) {
        let mut step = end(1, 1.0);
        step.measurements = list.clone();
        step.conditions.set(Key::Command, command.clone());
        step.started = Some(Timestamp(started));
        step.samples.times = vec![0.1, 0.2, 0.3, 0.4];
        step.samples.series.truncate(1);
        step.samples.series[0].values = series.clone();
        let data = read(&log(vec![campaign(), Event::StepEnded(step.into()), completed()]));
        prop_assert_eq!(sentences(&data), Vec::<String>::new());
        prop_assert_eq!(data.runs[0].content.get(Key::Command), Some(command.as_str()));
        prop_assert_eq!(data.runs[0].started, Some(started));
        let back: Vec<_> = data.measurements.iter().map(|row| (&row.process, &row.metric, row.value, row.unit)).collect();
        let expect: Vec<_> = list.iter().map(|row| (&row.process, &row.metric, row.value, row.unit)).collect();
        prop_assert_eq!(back, expect);
        for row in &data.measurements {
            prop_assert_eq!(row.raw.parse::<f64>().ok(), row.value);
        }
        let times = [100_000, 200_000, 300_000, 400_000];
        let expect: Vec<_> = times.into_iter().zip(&series).filter_map(|(time, value)| Some((time, (*value)?))).collect();
        prop_assert_eq!(data.samples.len(), expect.len());
        for (sample, (time, value)) in data.samples.iter().zip(expect) {
            prop_assert_eq!(sample.time - started, time);
            prop_assert!((sample.value - value).abs() < 1e-9);
        }
    }

    #[test]
    fn damaged_bytes_never_panic_and_lose_only_their_lines(
        damage in prop::collection::vec((0_usize..4000, any::<u8>()), 0..4),
        length in 0_usize..8000,
    ) {
        let whole = log(vec![campaign(), ended(1, 1.0), ended(2, 2.0), ended(3, 3.0), completed()]);
        let mut bytes = whole.clone().into_bytes();
        for (at, byte) in damage {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        bytes.truncate(length.max(1));
        let options = ReadOptions { format: Some("run-log".into()), ..ReadOptions::default() };
        let data = Readers.read("x", &bytes, &options, &Silent).expect("nobody cancels");
        if data.error.is_none() {
            let intact = bytes.split(|byte| *byte == b'\n').zip(whole.lines());
            let ends = intact.filter(|(now, was)| *now == was.as_bytes() && was.contains("step-ended")).count();
            // A damaged line may still be an end of a step, even of one that has another end.
            prop_assert!(data.runs.len() + 1 >= ends, "{} of {ends}", data.runs.len());
            let doubted = data.not_understood > 0 || !data.problems.is_empty() || bytes == whole.as_bytes();
            prop_assert!(doubted || data.runs.len() >= ends);
        }
    }
}
