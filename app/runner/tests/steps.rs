//! Every phase and every place where it can fail, on a scripted host.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use triptych_model::runlog::{Event, Finished, Outcome, Record, StepEnd};
use triptych_model::{Key, Quality};
use triptych_runner::campaign::{BuildFacts, Campaign};
use triptych_runner::desk::Desk;
use triptych_runner::expand::expand;
use triptych_runner::host::fake::{Act, FakeHost, Place};
use triptych_runner::inbox::Inbox;
use triptych_runner::lab::{Build, Lab, Medium, Repository, RepositoryCopy, Variant};
use triptych_runner::logfile::LogFile;
use triptych_runner::output::Output;
use triptych_runner::plan::{Cache, Operation, Plan, Restart};
use triptych_runner::protocol::Start;

const PRINTED: &str = "               3 directories\n              20 files\n           4,000 bytes in files\n               0 properties\n               0 bytes in properties\n";

fn lab() -> Lab {
    let mut lab = Lab::new("fake");
    lab.builds.push(Build { name: "b".into(), directory: "/bin".into(), ..Build::default() });
    lab.media.push(Medium { name: "disk".into(), directory: "/disk".into() });
    let copy = RepositoryCopy {
        name: "c".into(),
        medium: "disk".into(),
        path: "/disk/c".into(),
        ..RepositoryCopy::default()
    };
    lab.repositories.push(Repository {
        name: "r".into(),
        target: "trunk".into(),
        copies: vec![copy],
        ..Repository::default()
    });
    lab.variants.push(Variant {
        name: "v".into(),
        build: "b".into(),
        copies: vec!["c".into()],
        ..Variant::default()
    });
    lab
}

fn start(experiment: &str, caches: &[Cache], directory: &Path) -> Start {
    let mut plan = Plan {
        operations: vec![Operation { experiment: experiment.into(), ..Operation::default() }],
        repositories: vec!["r".into()],
        variants: vec!["v".into()],
        media: vec!["disk".into()],
        caches: caches.to_vec(),
        repetitions: 1,
        ..Plan::default()
    };
    expand(&mut plan, &lab()).unwrap();
    // Cold first, whatever the seed says: the scripts below count calls.
    plan.steps.sort_by_key(|step| step.cell.cache);
    for (index, step) in plan.steps.iter_mut().enumerate() {
        step.step = u32::try_from(index + 1).unwrap();
    }
    Start { lab: lab(), plan, directory: directory.to_owned(), expected_secs: BTreeMap::new() }
}

fn thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::thread::JoinHandle<T> {
    std::thread::Builder::new().spawn(work).unwrap()
}

struct Ran {
    finished: Finished,
    told: Vec<Record>,
    kept: Vec<Record>,
    calls: Vec<String>,
}

impl Ran {
    fn ends(&self) -> Vec<&StepEnd> {
        let ends = self.kept.iter().filter_map(|record| match &record.event {
            Event::StepEnded(end) => Some(&**end),
            _ => None,
        });
        ends.collect()
    }
}

/// Measures, and says something on standard input after a while; the input stays open.
fn measure(start: &Start, host: &mut FakeHost, input: &str) -> Ran {
    std::fs::create_dir_all(&start.directory).unwrap();
    let path = start.directory.join("run.ndjson");
    let (log, found) = LogFile::open(&path).unwrap();
    let (in_read, in_write) = rustix::pipe::pipe().unwrap();
    let input = input.to_owned();
    let speaker = thread(move || {
        // Late enough that the first thing that hangs does.
        std::thread::sleep(std::time::Duration::from_millis(if input.is_empty() { 0 } else { 100 }));
        rustix::io::write(&in_write, input.as_bytes()).unwrap();
        in_write
    });
    let (out_read, out_write) = rustix::pipe::pipe().unwrap();
    let reader = thread(move || {
        let mut text = String::new();
        std::fs::File::from(out_read).read_to_string(&mut text).map(|_| text)
    });
    let mut desk = Desk::new(log, Output::new(out_write), Inbox::new(in_read), found.last);
    let builds = BuildFacts::new();
    let finished = Campaign::new(start, Path::new("/scratch"), &builds, found).measure(host, &mut desk);
    desk.close(Event::Finished(finished.clone()));
    drop(speaker.join().unwrap());
    let read = |line: &str| serde_json::from_str(line).unwrap();
    let told: Vec<Record> = reader.join().unwrap().unwrap().lines().map(read).collect();
    let text = std::fs::read_to_string(path).unwrap();
    let kept = text.lines().skip(1).map(read).collect();
    Ran { finished, told, kept, calls: host.calls.clone() }
}

fn run(experiment: &str, script: &[(Place, u32, Act)], input: &str) -> Ran {
    let directory = tempfile::tempdir().unwrap();
    // Only svnbench prints what it counted.
    let mut host = FakeHost::printing(if experiment == "null-export" { PRINTED } else { "" });
    for (place, n, act) in script {
        host = host.at(*place, *n, act.clone());
    }
    let start = start(experiment, &[Cache::Cold, Cache::Hot], &directory.path().join("c"));
    let ran = measure(&start, &mut host, input);
    // What cannot be removed is left to the guard, who removes the whole directory.
    let stuck = script.iter().any(|(place, ..)| *place == Place::RemoveTarget);
    assert!(host.is_clean() || stuck, "{experiment} {script:?} left a server or a target: {:?}", ran.calls);
    let without_live: Vec<&Record> =
        ran.told.iter().filter(|record| !matches!(record.event, Event::Live(_))).collect();
    if ran.finished.outcome == Outcome::Completed {
        assert_eq!(without_live, ran.kept.iter().collect::<Vec<_>>(), "the log is what was told");
    }
    ran
}

#[test]
fn a_good_campaign_calls_in_this_order() {
    let ran = run("null-export", &[], "");
    assert_eq!(
        (ran.finished.outcome, ran.finished.failed, ran.finished.remaining),
        (Outcome::Completed, 0, 0)
    );
    let words: Vec<&str> =
        ran.calls.iter().map(|call| call.split(" /").next().unwrap().split(" svn").next().unwrap()).collect();
    // Servers are stopped in between; the scripted host panics where two would run at once.
    let wanted = "gate cache cold start-server run-client run-client \
        gate start-server run-client start-server cache hot run-client";
    let plain = |text: &str| {
        text.replace(" cold", "-cold")
            .replace(" hot", "-hot")
            .split(' ')
            .filter(|word| !["facts", "stop-server"].contains(word))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(plain(&words.join(" ")), plain(wanted), "{:?}", ran.calls);
    for (end, cache) in ran.ends().iter().zip(["cold", "hot"]) {
        assert_eq!(end.conditions.get(Key::Cache), Some(cache));
        assert_eq!(end.quality, Quality::MEASURED);
        assert_eq!(end.settings["counters"]["files"], 20.0);
        assert!(end.settings["client_command"].is_array() && end.settings["server_command"].is_array());
        assert_eq!(end.samples.times.len(), 2);
    }
    assert!(ran.told.iter().any(|record| matches!(record.event, Event::Live(_))));
}

#[test]
fn every_failure_fails_its_run_alone_and_says_why() {
    let fail = || Act::Fail("it broke".to_owned());
    let cases: &[(&str, Place, u32, Act, &str)] = &[
        ("null-export", Place::Cache, 1, fail(), "it broke"),
        ("null-export", Place::StartServer, 1, fail(), "it broke"),
        ("null-export", Place::RunClient, 1, Act::Exit(1), "--version ended with 1"),
        ("null-export", Place::RunClient, 1, fail(), "it broke"),
        ("null-export", Place::RunClient, 2, fail(), "it broke"),
        ("null-export", Place::RunClient, 2, Act::Exit(1), "the client ended with status 1"),
        ("null-export", Place::RunClient, 2, Act::Exit(-11), "the client ended with signal 11"),
        ("null-export", Place::RunClient, 2, Act::Print("nothing".to_owned()), "expected"),
        ("null-export", Place::RunClient, 2, Act::Limit, "limit"),
        ("null-export", Place::RunClient, 2, Act::ServerDies, "server"),
        ("export", Place::MakeTarget, 1, fail(), "it broke"),
        ("export", Place::MeasureTarget, 1, fail(), "it broke"),
        ("export", Place::MeasureTarget, 1, Act::Holds(0, 0), "expected"),
        ("verify", Place::RunClient, 2, Act::Exit(1), "the client ended with status 1"),
    ];
    for (experiment, place, n, act, why) in cases {
        let ran = run(experiment, &[(*place, *n, act.clone())], "");
        let case = format!("{experiment} {place:?} {n} {act:?}");
        assert_eq!((ran.finished.outcome, ran.finished.failed), (Outcome::Completed, 1), "{case}");
        let ends = ran.ends();
        assert!(
            ends[0].failure.as_deref().is_some_and(|text| text.contains(why)),
            "{case}: {:?}",
            ends[0].failure
        );
        assert!(ends[0].quality.has(Quality::FAILED), "{case}");
        assert_eq!(ends[1].failure, None, "{case}: the other run is good");
    }
}

#[test]
fn a_target_that_stays_costs_no_run() {
    let ran = run("export", &[(Place::RemoveTarget, 1, Act::Fail("it is busy".to_owned()))], "");
    assert_eq!((ran.finished.outcome, ran.finished.failed), (Outcome::Completed, 0));
    let noted = |record: &&Record| matches!(&record.event, Event::Note(note) if note.text == "it is busy");
    assert_eq!(ran.kept.iter().filter(noted).count(), 1);
}

#[test]
fn a_failing_warm_up_fails_its_run() {
    let ran = run("null-export", &[(Place::RunClient, 3, Act::Exit(1))], "");
    let why = ran.ends()[1].failure.clone().unwrap_or_default();
    assert!(why.contains("uncounted run"), "{why}");
}

#[test]
fn what_breaks_the_host_stops_the_campaign_after_this_run() {
    for place in [Place::Cache, Place::StartServer, Place::RunClient] {
        let ran = run("null-export", &[(place, 1, Act::Break("the lab is gone".to_owned()))], "");
        assert_eq!((ran.finished.outcome, ran.finished.remaining), (Outcome::Broken, 1), "{place:?}");
        assert_eq!(ran.finished.reason.as_deref(), Some("the lab is gone"));
        assert_eq!(ran.ends().len(), 1);
    }
}

#[test]
fn cancel_is_heard_in_every_phase_that_can_wait() {
    let cancel = "{\"command\":\"cancel\"}\n";
    for (place, n) in [(Place::StartServer, 1), (Place::RunClient, 1), (Place::RunClient, 2)] {
        let ran = run("null-export", &[(place, n, Act::Hang)], cancel);
        assert_eq!((ran.finished.outcome, ran.finished.done), (Outcome::Cancelled, 0), "{place:?} {n}");
        let last = ran.calls.iter().rfind(|call| !call.starts_with("stop-server")).unwrap();
        let wanted = if place == Place::StartServer { "start-server" } else { "run-client" };
        assert!(last.starts_with(wanted), "it hung at {last}");
        assert_eq!(ran.ends().len(), 0);
    }
}

#[test]
fn contradictions_of_cold_and_hot_are_marked() {
    let cases: &[(Place, u32, Act, usize, Quality)] = &[
        (Place::RunClient, 2, Act::Reads(0.0), 0, Quality::NOT_COLD),
        (Place::Cache, 1, Act::Resident(Some(500_000)), 0, Quality::NOT_COLD),
        (Place::RunClient, 4, Act::Reads(9e6), 1, Quality::NOT_HOT),
        (Place::Gate, 2, Act::Busy("others work".to_owned()), 1, Quality::BUSY_HOST),
    ];
    for (place, n, act, index, word) in cases {
        let ran = run("null-export", &[(*place, *n, act.clone())], "");
        for (at, end) in ran.ends().iter().enumerate() {
            assert_eq!(
                end.quality.has(*word),
                at == *index,
                "{place:?} {act:?}: {} {}",
                end.run,
                end.quality
            );
            assert_eq!(end.failure, None);
        }
    }
}

#[test]
fn a_result_that_differs_from_the_first_fails() {
    let other = PRINTED.replace("20 files", "19 files");
    let ran = run("null-export", &[(Place::RunClient, 4, Act::Print(other))], "");
    assert_eq!(ran.ends()[1].failure.as_deref(), Some("the result has 19 files, expected 20 as in run c/1"));
}

#[test]
fn a_server_lives_for_a_cell_where_the_plan_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let mut start = start("null-export", &[Cache::Hot, Cache::HotServer], &directory.path().join("c"));
    start.plan.server.restart = Restart::Cell;
    let mut host = FakeHost::printing(PRINTED);
    let ran = measure(&start, &mut host, "");
    assert!(host.is_clean());
    assert_eq!(ran.finished.failed, 0);
    let servers = ran.calls.iter().filter(|call| call.starts_with("start-server")).count();
    let clients = ran.calls.iter().filter(|call| call.starts_with("run-client")).count();
    // The warm-up's, and one for both runs.
    assert_eq!((servers, clients), (2, 3), "{:?}", ran.calls);
}

#[test]
fn a_resumed_campaign_makes_only_what_is_left() {
    let directory = tempfile::tempdir().unwrap();
    let start = start("null-export", &[Cache::Cold, Cache::Hot], &directory.path().join("c"));
    let mut host = FakeHost::printing(PRINTED).at(Place::Gate, 1, Act::Busy("x".to_owned()));
    let mut first = start.clone();
    first.plan.steps.truncate(1);
    measure(&first, &mut host, "");
    let mut host = FakeHost::printing(PRINTED.replace("20 files", "19 files"));
    let ran = measure(&start, &mut host, "");
    assert_eq!(ran.finished.done, 2);
    // What the first session counted still holds.
    assert!(
        ran.ends()[1].failure.as_deref().is_some_and(|why| why.contains("expected 20")),
        "{:?}",
        ran.ends()[1].failure
    );
    let numbers: Vec<u64> = ran.kept.iter().map(|record| record.n).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>(), "records are numbered without a gap");
}
