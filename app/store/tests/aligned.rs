//! Load logs beside runs: joined by name, else by time; one source a fact; CPU seconds whatever tool
//! sampled. The folders are made of genuine logs of `sample-data/`, renamed and shifted in time.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use triptych_import::Readers;
use triptych_model::{Process, ReadOptions};
use triptych_store::{ExportFrame, LoadOptions, PathArg, Query, Store, Unwatched, load};

/// A folder of copies: name there, path below `sample-data/`, seconds by which epochs are shifted.
fn folder(files: &[(&str, &[&str], i64)]) -> TempDir {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, sources, shift) in files {
        let text: String = sources
            .iter()
            .map(|source| fs::read_to_string(home.join(source)).expect("a sample"))
            .map(|text| if *shift == 0 { text } else { shifted(&text, *shift) })
            .collect();
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

/// Moves the epochs that begin lines, in microseconds or seconds.
fn shifted(text: &str, secs: i64) -> String {
    let line = |line: &str| {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word.len(), word.parse::<i64>()) {
            (16, Ok(micros)) => format!("{} {rest}\n", micros + secs * 1_000_000),
            (10, Ok(epoch)) => format!("{} {rest}\n", epoch + secs),
            _ => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

fn open(folder: &TempDir) -> Store {
    let importer = Arc::new(Readers);
    let read = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
    let options = LoadOptions { read, ..LoadOptions::default() };
    let paths = [PathArg::Path(folder.path().to_owned())];
    let loaded = load(&paths, &*importer, &options, &Unwatched).expect("not cancelled");
    let mut store = Store::new(importer);
    store.add(loaded.sources);
    store
}

fn run(store: &Store, name: &str) -> u32 {
    let found = store
        .runs(&Query::default())
        .into_iter()
        .find(|run| store.run(*run).is_some_and(|view| view.id.ends_with(name)));
    found.unwrap_or_else(|| panic!("no run {name}"))
}

fn file_name(store: &Store, source: u32) -> String {
    let path = store.sources()[source as usize].path();
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// `process metric file` of the lanes of a run, and of what is not shown.
fn lanes(store: &Store, run: u32) -> (Vec<String>, Vec<String>) {
    let load = store.load(run).expect("a load");
    let shown = load.lanes.iter();
    let shown =
        shown.map(|lane| format!("{} {} {}", lane.process, lane.metric, file_name(store, lane.source)));
    let hidden = load.not_shown.iter();
    let hidden =
        hidden.map(|(source, process, metric)| format!("{process} {metric} {}", file_name(store, *source)));
    (shown.collect(), hidden.collect())
}

fn cpu_time(store: &Store, run: u32, process: &Process) -> Option<f64> {
    let view = store.run(run).expect("a run");
    view.values.iter().find(|value| value.metric == "cpu_time" && value.process == *process)?.value
}

const OLD: &str = "export-old-new/old-1.6.9/tags_packed";

fn of(name: &str) -> String {
    format!("{OLD}/{name}")
}

#[test]
fn a_log_of_the_whole_folder_is_parted_by_time() {
    let (one, two) = (of("rep1-run1.pidstat-h-both.txt"), of("rep1-run2.pidstat-h-both.txt"));
    let (a, b) = (of("rep1-run1.txt"), of("rep1-run2.txt"));
    let (pa, pb) = (of("rep1-run1.pidstat-svn.txt"), of("rep1-run2.pidstat-svn.txt"));
    let folder = folder(&[
        ("rep1-run1.txt", &[&a], 0),
        ("rep1-run2.txt", &[&b], 0),
        ("rep1-run1.pidstat-svn.txt", &[&pa], 0),
        ("rep1-run2.pidstat-svn.txt", &[&pb], 0),
        ("all.pidstat.txt", &[&one, &two], 0),
    ]);
    let store = open(&folder);
    assert_eq!(store.runs_with_load(&Query::default()).len(), 2, "no run of its own for what saw both");
    for name in ["rep1-run1.txt#1", "rep1-run2.txt#1"] {
        let run = run(&store, name);
        let (shown, _) = lanes(&store, run);
        let named = name.replace(".txt#1", ".pidstat-svn.txt");
        let expect =
            ["svnserve cpu_user all.pidstat.txt".to_owned(), "svnserve cpu_sys all.pidstat.txt".to_owned()];
        assert_eq!(shown[..2], expect, "{name}");
        assert!(
            shown.iter().any(|lane| lane.starts_with("client") && lane.ends_with(&named)) || shown.len() == 4
        );
        // The server worked for nearly all of the run, and only for this run.
        let real = store.load(run).and_then(|load| load.real_secs).expect("timed");
        let secs = cpu_time(&store, run, &Process::Svnserve).expect("integrated");
        assert!((0.8 * real..1.02 * real).contains(&secs), "{name}: {secs} of {real}");
        let load = store.load(run).expect("a load");
        assert!(load.end_secs < real + 2.0, "{name}: {} of {real}", load.end_secs);
    }
    let mut out = Vec::new();
    store.export(ExportFrame::Samples, &mut out).expect("written");
    let text = String::from_utf8(out).expect("UTF-8");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains("all.pidstat.txt,")).collect();
    for name in ["rep1-run1.txt#1", "rep1-run2.txt#1"] {
        assert!(rows.iter().filter(|row| row.contains(name)).count() > 50, "{name}");
    }
}

/// The logs that six tools took of one svnserve -T at the same time, as companions of a run.
const TOOLS: &[(&str, &str)] = &[
    ("rep1-run1.ps.txt", "ps/ps-loop.txt"),
    ("rep1-run1.psrecord-svnserve.txt", "psrecord/svnserve-io.txt"),
    ("rep1-run1.atop.txt", "atop/svnserve.txt"),
    ("rep1-run1.proc-stat.txt", "proc-stat/stamped.txt"),
];

#[test]
fn every_tool_gives_cpu_seconds() {
    let a = of("rep1-run1.txt");
    for (name, source, secs) in [
        // TIME grew from 0 to 2 s.
        ("rep1-run1.ps.txt", "ps/ps-loop.txt", 2.0),
        // Per cents times 0.5 s each.
        ("rep1-run1.psrecord-svnserve.txt", "psrecord/svnserve-io.txt", 1.493),
        // Ticks of the five seconds behind RESET.
        ("rep1-run1.atop.txt", "atop/svnserve.txt", 1.34),
        // utime + stime grew from 53 to 253 ticks.
        ("rep1-run1.proc-stat.txt", "proc-stat/stamped.txt", 2.0),
        ("rep1-run1.proc-stat-date.txt", "proc-stat/date.txt", 1.69),
    ] {
        let folder = folder(&[("rep1-run1.txt", &[&a], 0), (name, &[source], 0)]);
        let store = open(&folder);
        let run = run(&store, "rep1-run1.txt#1");
        let found = cpu_time(&store, run, &Process::Svnserve);
        assert!(found.is_some_and(|found| (found - secs).abs() < 0.1), "{name}: {found:?}, not {secs}");
    }
}

#[test]
fn one_source_a_fact_in_the_order_of_trust() {
    let a = of("rep1-run1.txt");
    let pidstat = of("rep1-run1.pidstat-svnserve.txt");
    let order = ["rep1-run1.pidstat.txt", TOOLS[0].0, TOOLS[1].0, TOOLS[2].0, TOOLS[3].0];
    for first in 0..order.len() {
        let sources = [pidstat.as_str(), TOOLS[0].1, TOOLS[1].1, TOOLS[2].1, TOOLS[3].1];
        let pairs: Vec<([&str; 1], &str)> = order.into_iter().zip(sources).map(|(n, s)| ([s], n)).collect();
        let mut files: Vec<(&str, &[&str], i64)> =
            pairs.iter().skip(first).map(|(source, name)| (*name, source.as_slice(), 0)).collect();
        let run_file = [a.as_str()];
        files.push(("rep1-run1.txt", &run_file, 0));
        let store = open(&folder(&files));
        let (shown, hidden) = lanes(&store, run(&store, "rep1-run1.txt#1"));
        let of_server = |lanes: &[String]| -> Vec<String> {
            let mine = lanes.iter().filter(|lane| lane.starts_with("svnserve "));
            let mut files: Vec<String> =
                mine.filter_map(|lane| Some(lane.split(' ').nth(2)?.to_owned())).collect();
            files.dedup();
            files
        };
        assert_eq!(of_server(&shown), [order[first]]);
        assert_eq!(of_server(&hidden), order[first + 1..], "behind {}", order[first]);
    }
}

#[test]
fn the_whole_machine_stands_beside_the_processes_and_adds_no_cpu_time() {
    let (a, pidstat) = (of("rep1-run1.txt"), of("rep1-run1.pidstat-svnserve.txt"));
    let folder = folder(&[
        ("rep1-run1.txt", &[&a], 0),
        ("rep1-run1.pidstat.txt", &[&pidstat], 0),
        ("rep1-run1.atop.txt", &["atop/system.txt"], 0),
        ("rep1-run1.psrecord.txt", &["psrecord/psrecord.txt"], 0),
    ]);
    let store = open(&folder);
    let run = run(&store, "rep1-run1.txt#1");
    let (shown, _) = lanes(&store, run);
    assert!(shown.contains(&"svnserve cpu_user rep1-run1.pidstat.txt".to_owned()), "{shown:?}");
    assert!(shown.contains(&"system cpu_user rep1-run1.atop.txt".to_owned()), "{shown:?}");
    assert!(
        shown.contains(&"recorded cpu rep1-run1.psrecord.txt".to_owned()),
        "elapsed seconds join by name"
    );
    assert_eq!(cpu_time(&store, run, &Process::System), None);
}

#[test]
fn the_machines_log_finds_the_run_by_time_and_tops_comes_second() {
    let names = [
        "rep1-run1.txt",
        "rep1-run1.pidstat-svnserve.txt",
        "rep1-run2.txt",
        "rep1-run2.pidstat-svnserve.txt",
    ];
    let sources: Vec<[String; 1]> = names.iter().map(|name| [of(name)]).collect();
    let sources: Vec<[&str; 1]> = sources.iter().map(|source| [source[0].as_str()]).collect();
    let mut files: Vec<(&str, &[&str], i64)> =
        names.iter().zip(&sources).map(|(name, source)| (*name, source.as_slice(), 0)).collect();
    // Both were taken of the first run; only top says so by its name.
    files.push(("vmstat.txt", &["vmstat/run.txt"], 0));
    files.push(("rep1-run1.top.txt", &["top/run.txt"], 0));
    let store = open(&folder(&files));
    let (first, second) = (run(&store, "rep1-run1.txt#1"), run(&store, "rep1-run2.txt#1"));
    let (shown, hidden) = lanes(&store, first);
    assert!(shown.contains(&"svnserve cpu_user rep1-run1.pidstat-svnserve.txt".to_owned()), "{shown:?}");
    assert!(shown.iter().any(|lane| lane.starts_with("system ")), "{shown:?}");
    assert!(hidden.contains(&"svnserve cpu rep1-run1.top.txt".to_owned()), "{hidden:?}");
    assert!(shown.iter().chain(&hidden).any(|lane| lane.ends_with(" vmstat.txt")), "{shown:?} {hidden:?}");
    let load = store.load(second).expect("a load");
    assert!(
        load.lanes.iter().all(|lane| file_name(&store, lane.source) != "vmstat.txt"),
        "it saw the first only"
    );
    assert_eq!(store.runs_with_load(&Query::default()).len(), 2);
    let vmstat = load_of(&store, first, "vmstat.txt");
    assert!(vmstat.is_none_or(|end| end < 16.0), "what came after the run is nobody's");
}

/// Where the lanes of a file end.
fn load_of(store: &Store, run: u32, file: &str) -> Option<f64> {
    let load = store.load(run)?;
    let mine = load.lanes.iter().filter(|lane| file_name(store, lane.source) == file);
    mine.filter_map(|lane| lane.ends.last().copied()).reduce(f64::max)
}

#[test]
fn a_log_with_elapsed_seconds_alone_cannot_be_parted() {
    let (a, b) = (of("rep1-run1.txt"), of("rep1-run2.txt"));
    let folder = folder(&[
        ("rep1-run1.txt", &[&a], 0),
        ("rep1-run2.txt", &[&b], 0),
        ("psrecord.txt", &["psrecord/svnserve-io.txt"], 0),
    ]);
    let store = open(&folder);
    assert!(store.problems().iter().any(|problem| problem.message.contains("could belong to several runs")));
    assert_eq!(store.runs_with_load(&Query::default()).len(), 1, "it is charted by itself");
}

#[test]
fn logs_beside_the_runners_log_find_its_runs() {
    let campaign = folder(&[("run.ndjson", &["run-log/run.ndjson"], 0)]);
    let store = open(&campaign);
    let started = |run: u32| store.run(run).and_then(|view| view.started).map(|time| time / 1_000_000);
    let mut starts: Vec<(i64, u32)> =
        store.runs(&Query::default()).into_iter().filter_map(|run| Some((started(run)?, run))).collect();
    starts.sort_unstable();
    let (first, _) = starts[0];
    // The genuine sweeps of /proc, moved onto the beginning of the campaign.
    let shift = first - 1_796_056_892;
    let folder = folder(&[
        ("run.ndjson", &["run-log/run.ndjson"], 0),
        ("proc.txt", &["proc-stat/stamped.txt"], shift),
    ]);
    let store = open(&folder);
    let joined: Vec<u32> = store
        .runs(&Query::default())
        .into_iter()
        .filter(|run| {
            let view = store.run(*run).expect("a run");
            view.companions.iter().any(|source| file_name(&store, *source) == "proc.txt")
        })
        .collect();
    assert!(!joined.is_empty(), "its sweeps lie within runs");
    for run in joined {
        let (shown, _) = lanes(&store, run);
        assert!(
            shown.iter().all(|lane| lane.ends_with("run.ndjson")),
            "the own sampler comes first: {shown:?}"
        );
    }
}
