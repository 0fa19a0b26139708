//! The genuine logs of `sample-data/` through reader and store: the figures they are known for.

use std::path::Path;
use std::sync::Arc;
use triptych_import::Readers;
use triptych_model::{Key, Process, Quality};
use triptych_store::{ExportFrame, Group, LoadOptions, PathArg, Query, Store, Unwatched, load};

fn open(folders: &[&str]) -> Store {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data");
    let paths: Vec<PathArg> = folders.iter().map(|folder| PathArg::Path(home.join(folder))).collect();
    let importer = Arc::new(Readers);
    let loaded = load(&paths, &*importer, &LoadOptions::default(), &Unwatched).expect("not cancelled");
    let mut store = Store::new(importer);
    store.add(loaded.sources);
    store
}

fn query(metric: &str, baseline: &str) -> Query {
    Query { metric: Some(metric.to_owned()), baseline: Some(baseline.to_owned()), ..Query::default() }
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

/// `verify cold: trunk 7.31 (5), branch6 7.02 (5)`: medians to two decimals with n, failed ones behind.
fn line(group: &Group, keys: &[Key], decimals: usize) -> String {
    let head: Vec<&str> = keys.iter().filter_map(|key| group.conditions.get(*key)).collect();
    let cells = group.cells.iter().map(|cell| {
        let failed =
            if cell.failed.is_empty() { String::new() } else { format!("+{} failed", cell.failed.len()) };
        let median = median(cell.values.iter().map(|value| value.value));
        format!("{} {median:.decimals$} ({}{failed})", cell.name, cell.values.len())
    });
    format!("{}: {}", head.join(" "), cells.collect::<Vec<_>>().join(", "))
}

fn check(store: &Store, query: &Query, keys: &[Key], decimals: usize, expect: &[&str]) {
    let lines: Vec<String> = store.groups(query).iter().map(|group| line(group, keys, decimals)).collect();
    assert_eq!(lines, expect);
}

#[test]
fn the_experiment_of_2013() {
    let store = open(&["fsfs-format7"]);
    let expect = [
        "verify cold: trunk 7.31 (5), branch6 7.02 (5), branch7 7.15 (5)",
        "verify hot: trunk 7.09 (5), branch6 7.18 (5), branch7 6.55 (5)",
        "null-export cold: trunk 1.59 (5), branch6 1.53 (5), branch7 1.97 (5)",
        "null-export hot: trunk 1.25 (5), branch6 1.29 (5), branch7 1.74 (5)",
        "null-log -v cold: trunk 5.67 (5), branch6 5.69 (5), branch7 12.54 (5)",
        "null-log -v hot: trunk 5.04 (5), branch6 5.13 (5), branch7 12.84 (4+1 failed)",
        "null-log -v -g cold: trunk 8.72 (5), branch6 9.26 (5), branch7 33.44 (5)",
        "null-log -v -g hot: trunk 7.96 (5), branch6 8.76 (5), branch7 33.46 (4+1 failed)",
    ];
    check(&store, &query("real", "trunk"), &[Key::Operation, Key::Cache], 2, &expect);
    let failed = store.runs(&Query::default()).into_iter().filter_map(|run| store.run(run));
    let failed: Vec<_> = failed.filter(|run| run.quality.has(Quality::FAILED)).collect();
    assert_eq!(failed.len(), 2);
    for run in failed {
        assert!(run.failure.is_some_and(|words| words.contains("Unable to connect")), "{}", run.id);
    }
    let with_failed = Query { with_failed: true, ..query("real", "trunk") };
    let taken_in = store.groups(&with_failed).iter().map(|g| g.cells[2].values.len()).collect::<Vec<_>>();
    assert_eq!(taken_in, [5; 8], "asked for, they count");
}

#[test]
fn campaigns_are_never_mixed() {
    let store = open(&["fsfs-format7", "fsfs-format7-slow-disk", "fsfs-releases"]);
    let names: Vec<_> =
        store.campaigns().into_iter().map(|campaign| (campaign.name, campaign.runs)).collect();
    let expect = [("fsfs-format7", 120), ("fsfs-format7-slow-disk", 18), ("fsfs-releases", 90)];
    assert_eq!(names, expect.map(|(name, runs)| (name.to_owned(), runs)));
    let groups = store.groups(&query("real", "trunk"));
    let slow: Vec<String> = groups
        .iter()
        .filter(|group| group.conditions.get(Key::Campaign) == Some("fsfs-format7-slow-disk"))
        .map(|group| line(group, &[Key::Operation, Key::Cache], 2))
        .collect();
    let expect = [
        "verify cold: trunk 12.27 (3), branch6 12.29 (3), branch7 16.59 (3)",
        "null-export cold: trunk 19.72 (3), branch6 27.31 (3), branch7 8.42 (3)",
    ];
    assert_eq!(slow, expect);
    for group in groups.iter().filter(|group| group.conditions.get(Key::Campaign) == Some("fsfs-releases")) {
        assert!(group.flags.contains(&"baseline absent".to_owned()));
        assert_eq!(group.cells[0].name, "1.8.19-fmt6", "the first in order stands in");
    }
}

#[test]
fn the_experiment_of_2008() {
    let store = open(&["threaded-scan"]);
    let groups = store.groups(&Query::default());
    assert_eq!(
        line(&groups[0], &[Key::Operation], 2),
        "read: 1 9.05 (3), 2 5.70 (3), 5 3.23 (3), 10 2.18 (3)"
    );
    assert!(
        groups
            .iter()
            .all(|group| group.across == Key::Threads && group.conditions.get(Key::Threads).is_none())
    );
}

#[test]
fn the_experiment_of_2010_with_its_load() {
    let store = open(&["export-old-new"]);
    let lines: Vec<String> = store
        .groups(&query("real", "old-1.6.9"))
        .iter()
        .filter(|group| group.conditions.get(Key::Repository) == Some("tags_packed"))
        .map(|group| line(group, &[Key::Operation, Key::Cache], 3))
        .collect();
    let expect = [
        "export cold: old-1.6.9 12.518 (3), new-1.7.22 1.913 (3), new-1.9.12 1.473 (3), new-1.14.2 1.594 (3)",
        "export hot: old-1.6.9 11.959 (3), new-1.7.22 1.581 (3), new-1.9.12 1.168 (3), new-1.14.2 1.204 (3)",
    ];
    assert_eq!(lines, expect);
    let runs = store.runs_with_load(&Query::default());
    let all_packed = runs.iter().find_map(|run| {
        store.run(*run).filter(|view| view.id.ends_with("old-1.6.9/all_packed/rep1-run1.txt#1"))
    });
    let view = all_packed.expect("the long run has its load");
    let load = store.load(view.index).expect("a load");
    let lanes: Vec<_> = load.lanes.iter().map(|lane| (lane.process.clone(), lane.metric.as_str())).collect();
    let (server, client) = (Process::Svnserve, Process::Client);
    assert_eq!(
        lanes,
        [
            (server.clone(), "cpu_user"),
            (server.clone(), "cpu_sys"),
            (client.clone(), "cpu_user"),
            (client, "cpu_sys")
        ]
    );
    let not_shown: Vec<_> = load.not_shown.iter().map(|(_, process, _)| process).collect();
    assert_eq!(not_shown.len(), 4, "two logs saw each process, one of each is shown");
    assert_eq!(load.real_secs, Some(155.982));
    assert!((150.0..157.0).contains(&load.end_secs), "{}", load.end_secs);
    let cpu = view.values.iter().find(|value| value.metric == "cpu_time" && value.process == server);
    let cpu = cpu.expect("integrated from the load");
    assert!(cpu.quality.has(Quality::COMPUTED));
    // The server's own count for this run is 155.33 s; pidstat ends up to a second early.
    assert!(cpu.value.is_some_and(|secs| (153.0..156.0).contains(&secs)), "{cpu:?}");
    assert!(!cpu.quality.has(Quality::INCOMPLETE));
    // pidstat saw one second of 1.9: too little to tell.
    let short = store.groups(&query("cpu_time", "old-1.6.9"));
    let short = short.iter().find(|group| group.conditions.get(Key::Repository) == Some("tags_packed"));
    assert_eq!(short.expect("a group").flags, ["incomplete"]);
}

#[test]
fn requests_find_their_run() {
    let store = open(&["export-old-new"]);
    let mut csv = Vec::new();
    let problems = store.export(ExportFrame::Requests, &mut csv).expect("writes");
    assert_eq!(problems, []);
    let csv = String::from_utf8(csv).expect("UTF-8");
    assert!(csv.starts_with("source,line,run,time,pid,host,user,repository,action,path,revision,arguments,"));
    let mut joined = 0;
    for line in csv.lines().filter(|line| line.contains(",checkout-or-export,")) {
        let mut cells = line.split(',');
        let (source, _, run) = (cells.next().expect("source"), cells.next(), cells.next().expect("run"));
        let repetition = source.rsplit("svnserve-").next().and_then(|tail| tail.strip_suffix(".log"));
        assert!(run.contains(repetition.expect("rep1")), "{line}");
        assert!(line.contains(r#""{""depth"":""infinity""}""#), "{line}");
        joined += 1;
    }
    let exports = store.runs(&Query::default()).len();
    assert_eq!(joined, exports, "each run has its export, and each export its run");
}

#[test]
fn published_figures_keep_their_order_and_ratios() {
    let store = open(&["list-table"]);
    assert!(store.campaigns().iter().all(|campaign| campaign.is_table));
    let groups = store.groups(&Query::default());
    let of = |name: &str| {
        let named = |group: &&Group| group.conditions.get(Key::Campaign) == Some(name);
        groups.iter().filter(named).collect::<Vec<_>>()
    };
    let table = of("fsfs-format7-2013.txt");
    assert_eq!(table.len(), 16);
    assert_eq!(
        line(table[0], &[Key::Operation, Key::Medium, Key::Cache], 1),
        "verify USB cold: trunk 270.5 (1), branch6 246.3 (1), branch7 104.4 (1)"
    );
    let printed: Vec<_> =
        table[0].printed_ratios.iter().map(|ratio| (ratio.name.as_str(), &*ratio.raw)).collect();
    assert_eq!(printed, [("trunk", "1.00"), ("branch6", "1.10"), ("branch7", "2.59")]);
    let doubtful: Vec<_> =
        table.iter().filter(|group| group.flags.contains(&"inconsistent".to_owned())).collect();
    assert_eq!(doubtful.len(), 1);
    let (a, b) = (of("svnserve-export-2010.txt"), of("svnserve-export-2010-flat.txt"));
    assert_eq!(a.len(), 8);
    for (a, b) in a.iter().zip(b) {
        assert_eq!(line(a, &[Key::Repository, Key::Cache], 3), line(b, &[Key::Repository, Key::Cache], 3));
    }
    assert_eq!(of("threaded-scan-2008.txt")[0].across, Key::Threads);
}

#[test]
fn lone_load_logs_can_be_charted_and_are_not_compared() {
    let store = open(&["pidstat"]);
    assert!(!store.runs_with_load(&Query::default()).is_empty());
    assert_eq!(store.groups(&Query::default()), []);
}

#[test]
fn variants_of_each_campaign_have_the_first_colours_baseline_first() {
    let store = open(&["fsfs-format7", "fsfs-format7-slow-disk", "fsfs-releases", "export-old-new"]);
    let colours = store.variant_colours();
    for sides in [
        ["trunk", "branch6", "branch7"],
        ["1.8.19-fmt6", "1.9.12-fmt6", "1.9.12-fmt7"],
        ["old-1.6.9", "new-1.7.22", "new-1.9.12"],
    ] {
        assert_eq!(sides.map(|name| colours.place(name)), [Some(0), Some(1), Some(2)], "{sides:?}");
    }
    assert_eq!(colours.place("1.2.3"), None);
}
