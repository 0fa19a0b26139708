//! Campaign directories as the runner keeps them, made with its own types.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use triptych_import::Readers;
use triptych_model::runlog::{
    CampaignStart, Event, Hello, MeasuredValue, Record, SampleSeries, SampleTable, StepEnd,
};
use triptych_model::{Conditions, Key, Process, Quality, Severity, Timestamp, Unit};
use triptych_store::{ExportFrame, LoadOptions, PathArg, Query, Store, Unwatched, load};

/// Steps of the campaign: variant, cache, start in seconds, wall time.
const STEPS: [(&str, &str, i64, f64); 4] = [
    ("old", "cold", 100, 2.0),
    ("new", "cold", 110, 1.0),
    ("old", "hot", 120, 0.5),
    ("new", "hot", 130, 0.25),
];

fn value(process: Process, metric: &str, value: f64) -> MeasuredValue {
    MeasuredValue {
        process,
        metric: metric.into(),
        value: Some(value),
        unit: Unit::Secs,
        quality: Quality::NONE,
    }
}

fn series(process: Process, metric: &str, values: [f64; 2]) -> SampleSeries {
    let values = values.map(Some).to_vec();
    SampleSeries { process, pid: Some(7), command: None, metric: metric.into(), unit: Unit::Percent, values }
}

fn step(index: usize) -> StepEnd {
    let (variant, cache, start, real) = STEPS[index];
    let number = u32::try_from(index + 1).expect("few");
    let port = 40_000 + number;
    let settings = serde_json::json!({
        "build": {"version": format!("1.{variant}"), "debug": false},
        "server_options": ["--memory-cache-size", "64"],
        "server_command": ["svnserve", "--listen-port", port.to_string()],
        "server_ready_secs": f64::from(number) / 1000.0,
        "gate": {"pressure_cpu": number},
    });
    StepEnd {
        step: number,
        run: format!("demo-1/{number}"),
        conditions: Conditions::new()
            .with(Key::Operation, "export")
            .with(Key::Repository, "demo")
            .with(Key::Variant, variant)
            .with(Key::Cache, cache)
            .with(Key::Repetition, "1"),
        started: Some(Timestamp(start * 1_000_000)),
        exit: Some(0),
        quality: Quality::MEASURED,
        settings: settings.as_object().cloned().unwrap_or_default(),
        measurements: vec![
            value(Process::Client, "real", real),
            value(Process::Client, "user", 0.25),
            value(Process::Client, "sys", 0.5),
            value(Process::Svnserve, "cpu_time", 1.5),
        ],
        samples: SampleTable {
            times: vec![real / 2.0, real],
            series: vec![
                series(Process::Client, "cpu_user", [10.0, 10.0]),
                series(Process::Client, "cpu_sys", [10.0, 10.0]),
                series(Process::Svnserve, "cpu_user", [50.0, 70.0]),
                series(Process::Svnserve, "cpu_sys", [20.0, 10.0]),
            ],
            dropped: 0,
        },
        ..StepEnd::default()
    }
}

fn log(steps: usize) -> String {
    log_of((0..steps).map(step))
}

fn log_of(steps: impl Iterator<Item = StepEnd>) -> String {
    let host = serde_json::json!({"host": "lab", "kernel": "6.1.0", "builds": {"a": {"version": "1.0"}}});
    let campaign = CampaignStart {
        campaign: "demo-1".into(),
        steps: 4,
        host: host.as_object().cloned().unwrap_or_default(),
        ..CampaignStart::default()
    };
    let mut events = vec![Event::Campaign(Box::new(campaign))];
    events.extend(steps.map(|end| Event::StepEnded(Box::new(end))));
    let mut text = serde_json::to_string(&Hello::of("triptych-runner")).expect("written") + "\n";
    for (n, event) in (1..).zip(events) {
        let record = Record { n, time: Timestamp(0), event };
        text += &(serde_json::to_string(&record).expect("written") + "\n");
    }
    text
}

/// A session of a server: `open` and one action, with the second each began.
fn session(pid: u32, secs: i64, action: &str) -> String {
    let line = |micros: i64, action: &str| {
        format!("{pid} {} 127.0.0.1 - demo {action}\n", Timestamp(secs * 1_000_000 + micros))
    };
    line(10, "open 2 cap=(edit-pipeline svndiff1) / SVN/1.14.2 -") + &line(20, action)
}

/// A whole campaign directory below `home`.
fn campaign(home: &Path, steps: usize) {
    fs::create_dir_all(home.join("raw")).expect("a folder");
    let write = |name: &str, text: &str| fs::write(home.join(name), text).expect("written");
    write("run.ndjson", &log(steps));
    write("plan.json", "{\"version\": 1, \"operations\": []}");
    write("host.json", "{\"kernel\": \"6.1.0\"}");
    let export = "checkout-or-export /trunk r5";
    for (index, (_, _, start, _)) in STEPS.iter().enumerate().take(steps) {
        let warm_up = session(1, start - 1, export);
        let timed = session(2, *start, export);
        let probe = format!("2 {} 127.0.0.1 - - ERR - 0 210002 closed\n", Timestamp((start - 2) * 1_000_000));
        let late = format!("2 {} 127.0.0.1 - demo get-latest-rev\n", Timestamp((start + 3) * 1_000_000));
        write(&format!("raw/{:04}.svnserve.log", index + 1), &(probe + &warm_up + &timed + &late));
        write(
            &format!("raw/{:04}.stdout", index + 1),
            "  1.23s  42 revisions\nreal 9.0\nuser 9.0\nsys 9.0\n",
        );
    }
}

fn opened(paths: &[&Path]) -> Store {
    let paths: Vec<PathArg> = paths.iter().map(|path| PathArg::Path((*path).to_owned())).collect();
    let loaded = load(&paths, &Readers, &LoadOptions::default(), &Unwatched).expect("nobody cancels");
    let mut store = Store::new(Arc::new(Readers));
    store.add(loaded.sources);
    store
}

fn csv(store: &Store, frame: ExportFrame) -> Vec<Vec<String>> {
    let mut bytes = Vec::new();
    assert_eq!(store.export(frame, &mut bytes).expect("written"), []);
    let text = String::from_utf8(bytes).expect("text");
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn a_directory_is_one_campaign_and_nothing_of_it_counts_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("elsewhere");
    campaign(&home, 4);
    let mut given: Vec<_> =
        fs::read_dir(&home).expect("a folder").map(|entry| entry.expect("one").path()).collect();
    given.retain(|path| !path.ends_with("plan.json") && !path.ends_with("host.json"));
    let by_name: Vec<&Path> = given.iter().map(std::path::PathBuf::as_path).collect();
    for paths in [vec![home.as_path()], by_name] {
        let store = opened(&paths);
        let campaigns: Vec<_> =
            store.campaigns().into_iter().map(|c| (c.name, c.runs, c.warnings, c.errors)).collect();
        assert_eq!(campaigns, [("demo-1".to_owned(), 4, 0, 0)]);
        let ids: Vec<String> =
            store.runs(&Query::default()).iter().map(|run| store.run(*run).expect("a run").id).collect();
        assert_eq!(ids, ["demo-1/1", "demo-1/2", "demo-1/3", "demo-1/4"]);
        let sides: Vec<Vec<(String, Vec<f64>)>> = store
            .groups(&Query::default())
            .iter()
            .map(|group| {
                group
                    .cells
                    .iter()
                    .map(|cell| (cell.name.clone(), cell.values.iter().map(|v| v.value).collect()))
                    .collect()
            })
            .collect();
        let side = |name: &str, value| (name.to_owned(), vec![value]);
        assert_eq!(
            sides,
            [vec![side("old", 2.0), side("new", 1.0)], vec![side("old", 0.5), side("new", 0.25)]]
        );
        assert!(
            store.problems().iter().all(|problem| problem.severity == Severity::Note),
            "{:?}",
            store.problems()
        );
    }
    let skipped: Vec<String> =
        opened(&[&home]).sources().iter().filter_map(|source| source.data.skipped.clone()).collect();
    assert_eq!(skipped.len(), 3, "{skipped:?}");
    assert_eq!(skipped[2], "raw output of the runs in 4 files, their figures are in run.ndjson");
}

#[test]
fn requests_of_the_timed_part_belong_to_their_run_and_warm_ups_to_none() {
    let folder = tempfile::tempdir().expect("a folder");
    campaign(folder.path(), 3);
    let store = opened(&[folder.path()]);
    let rows = csv(&store, ExportFrame::Requests);
    let runs: Vec<&str> = rows.iter().map(|row| row[2].as_str()).collect();
    let of = |run| ["", "", "", run, run, run];
    assert_eq!(runs, [of("demo-1/1"), of("demo-1/2"), of("demo-1/3")].concat());
    assert!(rows.iter().all(|row| !row.last().is_some_and(|quality| quality.contains("run-guessed"))));
    let view = store.run(store.run_index("demo-1/2").expect("known")).expect("a run");
    assert_eq!(view.companions.len(), 1);
    assert!(store.sources()[view.companions[0] as usize].path().ends_with("raw/0002.svnserve.log"));
}

#[test]
fn loads_are_the_samplers_own_and_begin_with_their_run() {
    let folder = tempfile::tempdir().expect("a folder");
    campaign(folder.path(), 4);
    let store = opened(&[folder.path()]);
    for (index, (_, _, start, real)) in STEPS.iter().enumerate() {
        let run = store.run_index(&format!("demo-1/{}", index + 1)).expect("known");
        let load = store.load(run).expect("a load");
        assert_eq!(
            (load.start, load.end_secs, load.real_secs),
            (Some(start * 1_000_000), *real, Some(*real))
        );
        let lanes: Vec<_> =
            load.lanes.iter().map(|lane| (lane.process.to_string(), lane.metric.as_str())).collect();
        let lane = |process: &str, metric| (process.to_owned(), metric);
        assert_eq!(
            lanes,
            [
                lane("svnserve", "cpu_user"),
                lane("svnserve", "cpu_sys"),
                lane("client", "cpu_user"),
                lane("client", "cpu_sys")
            ]
        );
        assert_eq!(
            (&load.lanes[0].starts, &load.lanes[0].ends),
            (&vec![0.0, real / 2.0], &vec![real / 2.0, *real])
        );
        let times: Vec<_> = store
            .run(run)
            .expect("a run")
            .values
            .into_iter()
            .filter(|value| value.metric == "cpu_time")
            .map(|value| (value.process, value.value, value.quality.has(Quality::COMPUTED)))
            .collect();
        let expect = [(Process::Svnserve, Some(1.5), false), (Process::Client, Some(0.75), true)];
        assert_eq!(times, expect, "measured, not integrated");
    }
    let elapsed: Vec<String> =
        csv(&store, ExportFrame::Samples).iter().skip(8).take(8).map(|row| row[4].clone()).collect();
    assert_eq!(elapsed, ["0.5", "0.5", "0.5", "0.5", "1", "1", "1", "1"]);
}

#[test]
fn the_machine_is_looked_at_less_often_and_its_intervals_are_longer() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut end = step(0);
    end.samples.times = vec![0.1, 0.2, 0.3, 0.5];
    let of = |process, values: [Option<f64>; 4]| SampleSeries {
        values: values.to_vec(),
        ..series(process, "cpu_user", [0.0; 2])
    };
    end.samples.series = vec![
        of(Process::Client, [10.0, 20.0, 30.0, 40.0].map(Some)),
        of(Process::System, [Some(10.0), None, None, Some(50.0)]),
        // Not there at first and not at every tick, but at the one before it was.
        of(Process::Svnserve, [None, Some(5.0), None, Some(7.0)]),
    ];
    fs::write(folder.path().join("run.ndjson"), log_of(std::iter::once(end))).expect("written");
    let store = opened(&[folder.path()]);
    let load = store.load(store.run_index("demo-1/1").expect("known")).expect("a load");
    let lane = |process: Process| {
        let lane = load.lanes.iter().find(|lane| lane.process == process).expect("a lane");
        (lane.starts.clone(), lane.ends.clone())
    };
    assert_eq!(lane(Process::Client), (vec![0.0, 0.1, 0.2, 0.3], vec![0.1, 0.2, 0.3, 0.5]));
    assert_eq!(lane(Process::System), (vec![0.0, 0.1], vec![0.1, 0.5]));
    assert_eq!(lane(Process::Svnserve), (vec![0.1, 0.3], vec![0.2, 0.5]));
}

#[test]
fn a_log_that_grew_replaces_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path();
    campaign(home, 1);
    let mut store = opened(&[home]);
    assert_eq!(store.runs(&Query::default()).len(), 1);
    campaign(home, 2);
    let grown = [home.join("run.ndjson"), home.join("raw/0002.svnserve.log")].map(PathArg::Path);
    let loaded = load(&grown, &Readers, &LoadOptions::default(), &Unwatched).expect("nobody cancels");
    store.add(loaded.sources);
    assert_eq!(store.runs(&Query::default()).len(), 2);
    assert_eq!(store.campaigns().len(), 1);
    let second = store.run(store.run_index("demo-1/2").expect("known")).expect("a run");
    assert_eq!(second.companions.len(), 1);
}

#[test]
fn a_campaign_without_a_run_is_shown_and_a_copy_is_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    campaign(&folder.path().join("a"), 0);
    let store = opened(&[folder.path()]);
    let campaigns = store.campaigns();
    assert_eq!((campaigns.len(), campaigns[0].name.as_str(), campaigns[0].sources.len()), (1, "demo-1", 3));
    campaign(&folder.path().join("a"), 1);
    campaign(&folder.path().join("b"), 1);
    let store = opened(&[folder.path()]);
    let ids: Vec<String> =
        store.runs(&Query::default()).iter().map(|run| store.run(*run).expect("a run").id).collect();
    let copy = format!("{}#1", folder.path().join("b/run.ndjson").display());
    assert_eq!(ids, ["demo-1/1".to_owned(), copy]);
    let told =
        store.problems().iter().filter(|problem| problem.message.contains("open from another place")).count();
    assert_eq!(told, 1);
}

#[test]
fn what_differs_names_builds_and_options_and_not_what_every_run_has_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    campaign(folder.path(), 4);
    let store = opened(&[folder.path()]);
    let run = |step: u32| store.run_index(&format!("demo-1/{step}")).expect("known");
    let differences = store.differences(&[run(1), run(3)], &[run(2), run(4)]);
    let names: Vec<&str> =
        differences.iter().filter(|fact| !fact.equal).map(|fact| fact.name.as_str()).collect();
    assert_eq!(names, ["variant", "build.version"]);
    let equal: Vec<&str> =
        differences.iter().filter(|fact| fact.equal).map(|fact| fact.name.as_str()).collect();
    assert!(equal.contains(&"host.kernel") && equal.contains(&"server_options"), "{equal:?}");
    assert!(!equal.contains(&"host.builds"), "{equal:?}");
}

#[test]
fn a_genuine_log_has_its_triples_its_proof_and_loads_that_add_up() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-data/run-log/run.ndjson");
    let store = opened(&[Path::new(log)]);
    let sides: Vec<(String, Vec<(String, usize)>)> = store
        .groups(&Query::default())
        .iter()
        .map(|group| {
            let cells = group.cells.iter().map(|cell| (cell.name.clone(), cell.values.len()));
            (group.conditions.get(Key::Cache).unwrap_or_default().to_owned(), cells.collect())
        })
        .collect();
    let formats = ["fmt6", "fmt7", "fmt8"].map(|name| (name.to_owned(), 3));
    assert_eq!(sides, ["cold", "hot"].map(|cache| (cache.to_owned(), formats.to_vec())));
    for run in store.runs(&Query::default()) {
        let view = store.run(run).expect("a run");
        let value = |metric: &str| {
            let of_server = |value: &&triptych_store::RunValue| {
                value.process == Process::Svnserve && value.metric == metric
            };
            let values: Vec<f64> =
                view.values.iter().filter(of_server).filter_map(|value| value.value).collect();
            assert_eq!(values.len(), 1, "{metric} of {}", view.id);
            values[0]
        };
        let cold = view.conditions[&Key::Cache].0 == "cold";
        assert_eq!(value("read_bytes") > 0.0, cold, "{}", view.id);
        let load = store.load(run).expect("a load");
        assert!(load.not_shown.is_empty(), "one series a fact");
        let lanes = load.lanes.iter().filter(|lane| lane.process == Process::Svnserve);
        let secs: f64 = lanes
            .flat_map(|lane| lane.starts.iter().zip(&lane.ends).zip(&lane.values))
            .map(|((start, end), load)| (end - start) * load / 100.0)
            .sum();
        let measured = value("cpu_time");
        let off = (secs - measured).abs();
        assert!(off < 0.02_f64.max(measured * 0.01), "{}: {secs} of {measured}", view.id);
    }
}
