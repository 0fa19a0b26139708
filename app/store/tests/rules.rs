//! The rules of the store on rows made by hand: conditions, failures, companions, loading, workspaces.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use triptych_import::Readers;
use triptych_model::{
    Clock, Conditions, Key, Measurement, Origin, Process, Quality, ReadOptions, RunRow, Sample, Series,
    SourceData, Unit,
};
use triptych_store::{
    Column, Corrections, ExportFrame, Filter, LoadOptions, Loaded, PathArg, Query, Source, Store, Unwatched,
    VariantColours, Workspace, load,
};

fn measurement(run: u32, process: Process, metric: &str, value: f64) -> Measurement {
    Measurement {
        run,
        line: run + 1,
        offset: 0,
        process,
        metric: metric.to_owned(),
        value: Some(value),
        value_high: None,
        unit: Unit::Secs,
        executions: None,
        quality: Quality::MEASURED,
        raw: format!("{value}s"),
    }
}

/// A source with one run of that wall time and these conditions in its content.
fn timed(path: &str, content: &[(Key, &str)], real: f64) -> Source {
    let mut data = SourceData::new(path);
    add_run(&mut data, content, real);
    Source::of_data(data)
}

fn add_run(data: &mut SourceData, content: &[(Key, &str)], real: f64) {
    let content = content.iter().fold(Conditions::new(), |all, (key, value)| all.with(*key, *value));
    let run = u32::try_from(data.runs.len()).expect("few");
    data.runs.push(RunRow { line: 1, content, ..RunRow::default() });
    data.measurements.push(measurement(run, Process::Client, "real", real));
}

fn edited(source: &Source, edit: impl FnOnce(&mut SourceData)) -> Source {
    let mut data = (*source.data).clone();
    edit(&mut data);
    Source::of_data(data)
}

fn store(sources: Vec<Source>) -> Store {
    let mut store = Store::new(Arc::new(Readers));
    store.add(sources);
    store
}

fn correct(store: &mut Store, edit: impl FnOnce(&mut Corrections)) {
    let mut corrections = store.corrections().clone();
    edit(&mut corrections);
    store.set_corrections(corrections);
}

/// `a 1,2 / b 3` for each group.
fn cells(store: &Store, query: &Query) -> Vec<String> {
    let cell = |cell: &triptych_store::Cell| {
        let values: Vec<String> = cell.values.iter().map(|value| value.value.to_string()).collect();
        format!("{} {}", cell.name, values.join(","))
    };
    let group = |group: &triptych_store::Group| group.cells.iter().map(cell).collect::<Vec<_>>().join(" / ");
    store.groups(query).iter().map(group).collect()
}

#[test]
fn the_user_beats_the_path_and_the_path_the_content() {
    let mut store = store(
        ["trunk", "branch"]
            .into_iter()
            .flat_map(|variant| (1..=3).map(move |r| format!("c/verify/{variant}-cold-r{r}.txt")))
            .map(|path| {
                timed(
                    &path,
                    &[(Key::Variant, "content"), (Key::Operation, "export"), (Key::Host, "box")],
                    1.0,
                )
            })
            .collect(),
    );
    let id = "c/verify/trunk-cold-r1.txt#1";
    let conditions =
        |store: &Store| store.run(store.run_index(id).expect("known")).expect("a run").conditions;
    let expect = |value: &str, origin| (value.to_owned(), origin);
    let found = conditions(&store);
    assert_eq!(found[&Key::Variant], expect("trunk", Origin::Path));
    assert_eq!(
        found[&Key::Operation],
        expect("export", Origin::Content),
        "of a command the content knows more"
    );
    assert_eq!(found[&Key::Host], expect("box", Origin::Content));
    assert_eq!(found[&Key::Cache], expect("cold", Origin::Path));
    assert_eq!(found[&Key::Network], expect("local", Origin::Default));
    correct(&mut store, |corrections| corrections.set_cell(id, Key::Cache, "hot"));
    assert_eq!(conditions(&store)[&Key::Cache], expect("hot", Origin::Yours));
    correct(&mut store, |corrections| corrections.set_cell(id, Key::Cache, ""));
    assert_eq!(conditions(&store).get(&Key::Cache), None, "the user may say that nobody knows");
    correct(&mut store, |corrections| {
        corrections.patterns.insert("c".to_owned(), "{host}/{build}-{cache}-r{repetition}.txt".to_owned());
    });
    let found = conditions(&store);
    assert_eq!(found[&Key::Variant], expect("content", Origin::Content));
    assert_eq!(found[&Key::Build], expect("trunk", Origin::Path));
}

#[test]
fn a_renamed_variant_keeps_its_runs_and_its_colour() {
    let mut store = store(vec![
        timed("a.txt", &[(Key::Variant, "x")], 1.0),
        timed("b.txt", &[(Key::Variant, "y")], 2.0),
        timed("c.txt", &[(Key::Variant, "z")], 3.0),
    ]);
    assert_eq!(*store.variant_colours(), VariantColours::from([("x", 0), ("y", 1), ("z", 2)]));
    let generation = store.generation();
    correct(&mut store, |corrections| corrections.rename(Key::Variant, "y", "b7"));
    assert!(store.generation() > generation);
    assert_eq!(*store.variant_colours(), VariantColours::from([("x", 0), ("b7", 1), ("z", 2)]));
    assert!(store.run_index("b.txt#1").is_some());
    let query = Query { baseline: Some("z".to_owned()), ..Query::default() };
    assert_eq!(cells(&store, &query), ["z 3 / b7 2 / x 1"]);
    correct(&mut store, |corrections| corrections.rename(Key::Variant, "x", "b7"));
    assert_eq!(cells(&store, &Query::default()), ["b7 1,2 / z 3"], "two names of one thing");
}

#[test]
fn failed_and_left_out_runs_enter_nothing() {
    let good = timed("a.txt", &[(Key::Variant, "v")], 1.0);
    let failed = edited(&timed("b.txt", &[(Key::Variant, "v")], 0.003), |data| {
        data.runs[0].quality = Quality::FAILED;
    });
    let mut store = store(vec![good, failed, timed("c.txt", &[(Key::Variant, "v")], 9.0)]);
    correct(&mut store, |corrections| {
        corrections.left_out.insert("c.txt#1".to_owned(), "a backup ran".to_owned());
    });
    let groups = store.groups(&Query::default());
    let cell = &groups[0].cells[0];
    assert_eq!(cell.values.iter().map(|value| value.run).collect::<Vec<_>>(), [0]);
    assert_eq!(cell.failed, [1]);
    assert_eq!(cell.left_out, [(2, "a backup ran".to_owned())]);
    assert_eq!(cells(&store, &Query { with_failed: true, ..Query::default() }), ["v 1,0.003"]);
    correct(&mut store, |corrections| {
        corrections.excluded.insert("a.txt".to_owned());
    });
    assert_eq!(store.runs(&Query::default()).len(), 2);
}

#[test]
fn variants_on_repositories_of_their_own_are_told_apart_until_they_have_an_alias() {
    let mut store = store(vec![
        timed("a.txt", &[(Key::Variant, "a"), (Key::Repository, "fmt6")], 1.0),
        timed("b.txt", &[(Key::Variant, "b"), (Key::Repository, "fmt7")], 2.0),
    ]);
    let groups = store.groups(&Query::default());
    assert_eq!(groups.len(), 2);
    assert!(groups.iter().all(|group| group.flags == ["no common repository"]));
    correct(&mut store, |corrections| {
        corrections.rename(Key::Repository, "fmt6", "hist");
        corrections.rename(Key::Repository, "fmt7", "hist");
    });
    assert_eq!(cells(&store, &Query::default()), ["a 1 / b 2"]);
    assert_eq!(store.groups(&Query::default())[0].flags, [""; 0]);
}

#[test]
fn campaigns_are_named_by_their_shortest_unique_tail() {
    let mut store = store(vec![
        timed("x/2013/a.txt", &[(Key::Variant, "v")], 1.0),
        timed("y/2013/a.txt", &[(Key::Variant, "v")], 2.0),
        timed("y/2014/a.txt", &[(Key::Variant, "v")], 3.0),
    ]);
    let names: Vec<String> = store.campaigns().into_iter().map(|campaign| campaign.name).collect();
    assert_eq!(names, ["x/2013", "y/2013", "2014"]);
    assert_eq!(cells(&store, &Query::default()), ["v 1", "v 2", "v 3"]);
    let across = Query { across: Some(Key::Campaign), ..Query::default() };
    assert_eq!(cells(&store, &across), ["2014 3 / x/2013 1 / y/2013 2"], "the user says so");
    correct(&mut store, |corrections| {
        for id in ["x/2013/a.txt#1", "y/2013/a.txt#1"] {
            corrections.set_cell(id, Key::Campaign, "both");
        }
    });
    assert_eq!(cells(&store, &Query::default()), ["v 1,2", "v 3"]);
}

#[test]
fn filters_and_facets() {
    let store = store(vec![
        timed("a.txt", &[(Key::Variant, "v1.9"), (Key::Cache, "hot")], 1.0),
        timed("b.txt", &[(Key::Variant, "v1.14"), (Key::Cache, "cold")], 2.0),
        timed("c.txt", &[(Key::Variant, "w")], 3.0),
    ]);
    let filter = |column, not, values: &[&str]| Filter {
        column,
        not,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let with = |filters: &[Filter]| Query { filters: filters.to_vec(), ..Query::default() };
    for (filters, expect) in [
        (vec![filter(Column::Condition(Key::Variant), false, &["v*"])], vec![0, 1]),
        (vec![filter(Column::Condition(Key::Variant), true, &["v*"])], vec![2]),
        (vec![filter(Column::Condition(Key::Cache), false, &["", "cold"])], vec![1, 2]),
        (vec![filter(Column::Source, false, &["a*"]), filter(Column::Run, true, &["b*"])], vec![0]),
        (vec![filter(Column::Quality, false, &["failed"])], vec![]),
    ] {
        assert_eq!(store.runs(&with(&filters)), expect, "{filters:?}");
    }
    let query = with(&[filter(Column::Condition(Key::Cache), false, &["cold"])]);
    let facets = store.facets(&query);
    let values = |key: Key| {
        let facet = facets.iter().find(|facet| facet.column == Column::Condition(key)).expect("a facet");
        facet.values.iter().map(|value| (value.text.as_str(), value.count, value.on)).collect::<Vec<_>>()
    };
    assert_eq!(values(Key::Cache), [("cold", 1, true), ("hot", 1, false), ("", 1, false)]);
    assert_eq!(values(Key::Variant), [("v1.9", 0, true), ("v1.14", 1, true), ("w", 0, true)]);
    let text = serde_json::to_string(&query).expect("writes");
    assert_eq!(serde_json::from_str::<Query>(&text).expect("reads"), query, "{text}");
}

/// A load log: samples of (series, second, value) every second; series of (command, pid, metric).
fn load_log(path: &str, series: &[(&str, u32, &str)], samples: &[(u32, i64, f64)]) -> Source {
    let mut data = SourceData::new(path);
    data.formats.push("pidstat");
    data.samples_start = Some(0);
    data.series = series
        .iter()
        .map(|(command, pid, metric)| Series {
            run: None,
            process: Process::from_command(command),
            pid: Some(*pid),
            command: Some((*command).to_owned()),
            metric: (*metric).to_owned(),
            unit: Unit::Percent,
            clock: Clock::Utc,
            quality: Quality::MEASURED,
        })
        .collect();
    data.samples = samples
        .iter()
        .map(|(series, secs, value)| Sample {
            series: *series,
            line: 4,
            time: secs * 1_000_000,
            value: *value,
        })
        .collect();
    Source::of_data(data)
}

#[test]
fn a_load_log_joins_its_run_and_gives_cpu_seconds() {
    let fork = load_log(
        "d/rep1-run1.pidstat-svnserve.txt",
        &[
            ("svnserve-1.6.9", 7, "cpu_user"),
            ("svnserve-1.6.9", 8, "cpu_user"),
            ("svnserve-1.6.9", 8, "cpu_sys"),
        ],
        &[(0, 1, 50.0), (1, 1, 30.0), (0, 2, 10.0), (2, 2, 5.0), (1, 4, 100.0)],
    );
    let top = load_log("d/rep1-run1.top.txt", &[("svnserve-+", 7, "cpu")], &[(0, 1, 99.0)]);
    let top = edited(&top, |data| data.formats = vec!["top"]);
    let store = store(vec![
        timed("d/rep1-run1.txt", &[(Key::Operation, "export")], 3.5),
        timed("d/rep1-run10.txt", &[(Key::Operation, "export")], 3.5),
        top,
        fork,
    ]);
    assert_eq!(store.runs_with_load(&Query::default()), [0]);
    let load = store.load(0).expect("a load");
    let lanes: Vec<_> = load
        .lanes
        .iter()
        .map(|lane| (lane.metric.as_str(), lane.ends.clone(), lane.values.clone()))
        .collect();
    // Two processes of one name are one server.
    assert_eq!(
        lanes,
        [("cpu_user", vec![1.0, 2.0, 4.0], vec![80.0, 10.0, 100.0]), ("cpu_sys", vec![2.0], vec![5.0])]
    );
    assert_eq!(load.not_shown, [(2, Process::Svnserve, "cpu".to_owned())]);
    assert_eq!((load.real_secs, load.end_secs), (Some(3.5), 4.0));
    let query = Query { metric: Some("cpu_time".to_owned()), ..Query::default() };
    let groups = store.groups(&query);
    assert_eq!(groups.len(), 1);
    let value = &groups[0].cells[0].values[0];
    // 0.8 s, 0.15 s, and the whole core from second 2 to 4.
    assert!((value.value - 2.95).abs() < 1e-9, "{value:?}");
    assert_eq!((value.quality, value.source), (Quality::COMPUTED, 3));
}

#[test]
fn a_load_log_that_could_be_of_several_runs_is_kept_apart() {
    let mut session = SourceData::new("d/session.txt");
    add_run(&mut session, &[(Key::Operation, "export")], 1.0);
    add_run(&mut session, &[(Key::Operation, "export")], 2.0);
    let log = load_log("d/pidstat.txt", &[("svn", 7, "cpu_user")], &[(0, 1, 50.0)]);
    let store = store(vec![Source::of_data(session), log]);
    let lone = store.runs_with_load(&Query::default());
    assert_eq!(lone, [2]);
    assert_eq!(store.run(2).expect("a run").id, "d/pidstat.txt#1");
    assert_eq!(cells(&store, &Query::default()), [" 1,2"]);
    assert!(store.problems().iter().any(|problem| problem.source == "d/pidstat.txt"));
}

#[test]
fn a_published_time_may_be_said_to_be_real() {
    let table = edited(&timed("t.txt", &[(Key::Variant, "v")], 5.0), |data| {
        data.is_table = true;
        data.measurements[0].metric = "time".to_owned();
    });
    let mut store = store(vec![table]);
    assert_eq!(store.groups(&Query::default())[0].metric, "time");
    correct(&mut store, |corrections| {
        corrections
            .metric_names
            .entry("t.txt".to_owned())
            .or_default()
            .insert("time".to_owned(), "real".to_owned());
    });
    assert_eq!(store.groups(&Query::default())[0].metric, "real");
}

#[test]
fn what_differs() {
    let a = edited(&timed("a.txt", &[(Key::Variant, "a"), (Key::Host, "box")], 1.0), |data| {
        data.runs[0].settings.insert("fsfs".to_owned(), serde_json::json!({"compression": "lz4"}));
    });
    let store = store(vec![a, timed("b.txt", &[(Key::Variant, "b"), (Key::Host, "box")], 1.0)]);
    let all = store.differences(&[0], &[1]);
    let found: Vec<_> =
        all.iter().map(|fact| (fact.name.as_str(), fact.a.as_str(), fact.b.as_str(), fact.equal)).collect();
    assert!(found.contains(&("host", "box", "box", true)));
    assert!(found.contains(&("variant", "a", "b", false)));
    assert!(found.contains(&("fsfs.compression", "lz4", "", false)));
}

#[test]
fn exported_columns_are_a_promise() {
    let source = edited(&timed("a, b.txt", &[(Key::Variant, "v"), (Key::Threads, "4")], 0.1), |data| {
        data.runs[0].started = Some(1_000_000);
        data.runs[0].exit = Some(-11);
        data.runs[0].quality = Quality::FAILED;
    });
    let log = load_log("d/p.txt", &[("svn", 7, "cpu_user")], &[(0, 1, 50.5)]);
    let store = store(vec![source, log]);
    for (frame, expect) in [
        (
            ExportFrame::Measurements,
            "source,line,run,campaign,host,operation,command,repository,variant,format,medium,cache,network,\
             threads,repetition,started,exit,process,metric,value,value_high,unit,executions,quality,raw\n\
             \"a, b.txt\",1,\"a, b.txt#1\",,,,,,v,,,,,4,,1970-01-01T00:00:01.000000Z,-11,client,real,0.1,,s,,\
             measured+failed,0.1s\n",
        ),
        (
            ExportFrame::Samples,
            "source,line,run,time,elapsed_secs,process,pid,command,metric,value,unit\n\
             d/p.txt,4,d/p.txt#1,1970-01-01T00:00:01.000000Z,1,client,7,svn,cpu_user,50.5,%\n",
        ),
        (
            ExportFrame::Requests,
            "source,line,run,time,pid,host,user,repository,action,path,revision,arguments,gap_before,gap_after,\
             duration,bytes_in,bytes_out,status,error,quality\n",
        ),
    ] {
        let mut out = Vec::new();
        store.export(frame, &mut out).expect("writes");
        assert_eq!(String::from_utf8(out).expect("UTF-8"), expect);
    }
}

fn read(paths: &[&Path], patterns: &[&str]) -> Loaded {
    let paths: Vec<PathArg> = paths.iter().map(|path| PathArg::Path(path.to_path_buf())).collect();
    let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    load(&paths, &Readers, &LoadOptions { patterns, ..LoadOptions::default() }, &Unwatched)
        .expect("not cancelled")
}

const TIME: &str = "\nreal\t0m1.500s\nuser\t0m0.100s\nsys\t0m0.050s\n";

#[test]
fn bad_files_among_good_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("sub")).expect("makes");
    for (name, text) in
        [("r10.txt", TIME), ("r9.txt", TIME), ("empty.txt", ""), (".hidden", TIME), ("sub/r1.txt", TIME)]
    {
        fs::write(at(name), text).expect("writes");
    }
    std::os::unix::fs::symlink(folder.path(), at("sub/loop")).expect("links");
    std::os::unix::fs::symlink(at("r9.txt"), at("same.txt")).expect("links");
    let _socket = std::os::unix::net::UnixListener::bind(at("socket")).expect("binds");
    let missing = at("missing.txt");
    let named = at("r10.txt");
    let loaded = read(&[&missing, folder.path(), &named], &[]);
    let found: Vec<(String, bool, bool, bool)> = loaded
        .sources
        .iter()
        .map(|source| {
            let name = Path::new(source.path()).file_name().expect("a name").to_string_lossy().into_owned();
            (name, source.named, source.data.skipped.is_some(), source.data.error.is_some())
        })
        .collect();
    let expect = [
        ("missing.txt", true, false, true),
        ("empty.txt", false, true, false),
        ("r9.txt", false, false, false),
        ("r10.txt", true, false, false),
        ("socket", false, true, false),
        ("r1.txt", false, false, false),
    ];
    assert_eq!(found, expect.map(|(name, named, skipped, error)| (name.to_owned(), named, skipped, error)));
    let error = loaded.sources[0].data.error.as_ref().expect("is missing");
    assert!(error.message.contains("No such file"), "{error}");
    assert!(error.next_step.is_some());
}

#[test]
fn given_patterns_are_tried_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("verify")).expect("makes");
    for name in ["verify/a_cold.txt", "verify/b.txt", "other.log"] {
        fs::write(folder.path().join(name), TIME).expect("writes");
    }
    let loaded =
        read(&[folder.path()], &["{operation}/{variant}_{cache}.txt", "{operation}/{variant}.txt", "{oops}"]);
    let store = store(loaded.sources);
    let conditions: Vec<String> = store
        .runs(&Query::default())
        .into_iter()
        .filter_map(|run| store.run(run))
        .map(|run| {
            let text = |key: Key| run.conditions.get(&key).map_or("-", |(text, _)| text.as_str());
            format!("{} {} {}", text(Key::Operation), text(Key::Variant), text(Key::Cache))
        })
        .collect();
    assert_eq!(conditions, ["- - -", "verify a cold", "verify b -"]);
    let problems = store.problems();
    assert!(problems[0].message.contains("{oops}"), "{problems:?}");
    assert!(problems.iter().any(|problem| problem.source.ends_with("other.log")));
}

#[test]
fn a_workspace_remembers_the_log_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("access.log");
    fs::write(&file, "[30/Nov/2026:08:05:18 +0000] commit r7 ms=250\n").expect("writes");
    let format = "%t %{SVN-ACTION}e ms=%{ms}T".to_owned();
    let read_by = |log_format: Option<String>, path: &Path| {
        let read = ReadOptions { log_format, ..ReadOptions::default() };
        let options = LoadOptions { read, ..LoadOptions::default() };
        load(&[PathArg::Path(path.to_owned())], &Readers, &options, &Unwatched).expect("not cancelled")
    };
    let sources = read_by(Some(format.clone()), &file).sources;
    assert_eq!(sources[0].data.requests.duration(0), Some(0.25));
    let saved = folder.path().join("my.triptych");
    let workspace = Workspace::new(&sources, Corrections::default(), Query::default(), &saved);
    workspace.save(&saved).expect("saves");
    let again = read_by(None, &saved).sources;
    assert_eq!((again[0].data.requests.duration(0), &again[0].read.log_format), (Some(0.25), &Some(format)));
    // What is typed now counts more.
    let other = read_by(Some("%t %{SVN-ACTION}e ms=%D".to_owned()), &saved).sources;
    assert_eq!(other[0].data.requests.duration(0), Some(0.00025));
}

#[test]
fn a_workspace_brings_everything_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("logs/a.txt");
    fs::create_dir(folder.path().join("logs")).expect("makes");
    fs::write(&file, TIME).expect("writes");
    let pasted = PathArg::Pasted { name: "pasted text 1".to_owned(), text: TIME.to_owned() };
    let paths = [PathArg::Path(file.clone()), pasted];
    let loaded = load(&paths, &Readers, &LoadOptions::default(), &Unwatched).expect("not cancelled");
    let mut store = store(loaded.sources);
    let id = format!("{}#1", file.display());
    correct(&mut store, |corrections| corrections.set_cell(&*id, Key::Variant, "mine"));
    let saved = folder.path().join("my.triptych");
    let workspace = Workspace::new(store.sources(), store.corrections().clone(), Query::default(), &saved);
    assert_eq!(workspace.sources[0].path, "logs/a.txt");
    assert_eq!(workspace.sources[0].log_format, None);
    workspace.save(&saved).expect("saves");

    // The whole folder moves; ids and corrections go by the path of old.
    let moved = tempfile::tempdir().expect("a folder");
    let home = moved.path().join("here");
    fs::rename(folder.path(), &home).expect("moves");
    let loaded = read(&[&home.join("my.triptych")], &[]);
    let reopened = loaded.workspace.expect("a workspace");
    let mut store = Store::new(Arc::new(Readers));
    store.add(loaded.sources);
    store.set_corrections(reopened.corrections.clone());
    assert_eq!(store.sources().len(), 2);
    assert!(store.problems().is_empty(), "{:?}", store.problems());
    let run = store.run(store.run_index(&id).expect("known")).expect("a run");
    assert_eq!(run.conditions[&Key::Variant], ("mine".to_owned(), Origin::Yours));

    fs::rename(home.join("logs"), home.join("away")).expect("moves");
    let loaded = read(&[&home.join("my.triptych")], &[]);
    assert!(loaded.sources[0].data.error.is_some());
    let again =
        Workspace::new(&loaded.sources, Corrections::default(), Query::default(), &home.join("b.triptych"));
    assert_eq!(again.sources, reopened.sources, "what cannot be read now is not forgotten");
    fs::rename(home.join("away"), home.join("logs")).expect("moves");

    fs::write(home.join("logs/a.txt"), format!("{TIME}{TIME}")).expect("writes");
    let context = store.context(0, 2, 0).expect("reads");
    assert_eq!((context.changed, context.lines), (true, vec![(2, "real\t0m1.500s".to_owned())]));
    let context = store.context(1, 3, 1).expect("the pasted text is kept");
    assert_eq!((context.changed, context.lines.len()), (false, 3));
    let loaded = read(&[&home.join("my.triptych")], &[]);
    let problems = &loaded.sources[0].data.problems;
    assert!(
        problems.iter().any(|problem| problem.message.contains("changed since the workspace")),
        "{problems:?}"
    );
}
