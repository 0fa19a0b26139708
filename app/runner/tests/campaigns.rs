//! Real campaigns with real servers: what is said, what is kept, and what is resumed.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Bench, ended, events, leftovers, log, within};
use std::time::{Duration, Instant};
use triptych_model::runlog::{Event, Outcome, Phase, StepEnd};
use triptych_model::{Key, Process, Quality};
use triptych_runner::plan::{Cache, Restart, ServerMode};
use triptych_runner::protocol::Control;

fn ends(events: &[Event]) -> Vec<&StepEnd> {
    let ends = events.iter().filter_map(|event| match event {
        Event::StepEnded(end) => Some(&**end),
        _ => None,
    });
    ends.collect()
}

fn value(end: &StepEnd, process: &Process, metric: &str) -> f64 {
    let found = end.measurements.iter().find(|value| value.process == *process && value.metric == metric);
    found.and_then(|value| value.value).unwrap_or_else(|| panic!("{} has no {metric} of {process}", end.run))
}

fn finished(events: &[Event]) -> (Outcome, u32, u32, u32) {
    match events.last() {
        Some(Event::Finished(end)) => (end.outcome, end.done, end.failed, end.remaining),
        other => panic!("the last record is {other:?}"),
    }
}

/// Cold runs drop the caches of the whole machine: one campaign at a time.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn a_campaign_measures_what_it_says() {
    let _alone = alone();
    let test = Bench::new(60);
    let start = test.start("c-whole", &["null-export", "export", "verify"], &[Cache::Cold, Cache::Hot], 1);
    let mut session = test.session(&start);
    let guard = session.pid();
    let said = events(&mut session);
    assert_eq!(session.wait().unwrap().code(), Some(0));
    assert_eq!(finished(&said), (Outcome::Completed, 12, 0, 0));
    for end in ends(&said) {
        assert_eq!(end.failure, None, "{}", end.run);
        assert!(
            end.quality.has(Quality::MEASURED) && !end.quality.has(Quality::NOT_HOT),
            "{}: {}",
            end.run,
            end.quality
        );
        let real = value(end, &Process::Client, "real");
        assert!(real > 0.001 && real < 20.0, "{real}");
        let served = end.conditions.get(Key::Operation) != Some("verify");
        let reader = if served { Process::Svnserve } else { Process::Client };
        assert!(value(end, &reader, "cpu_time") > 0.0);
        if is_root() {
            let read = value(end, &reader, "read_bytes");
            let cold = end.conditions.get(Key::Cache) == Some("cold");
            // Others may use this machine: a hot run may read a page or two again.
            assert_eq!(read > 65536.0, cold, "{} read {read}", end.run);
            assert!(!end.quality.has(Quality::NOT_COLD), "{}", end.run);
        }
    }
    assert!(said.iter().any(|event| matches!(event, Event::Campaign(start) if start.steps == 12)));
    let campaign = test.campaign("c-whole");
    assert_eq!(ended(&campaign).len(), 12);
    assert!(
        !log(&campaign).iter().any(|record| matches!(record.event, Event::Live(_))),
        "live samples are not kept"
    );
    let raw = std::fs::read_dir(campaign.join("raw")).unwrap().flatten();
    let raw: Vec<String> = raw.map(|entry| entry.file_name().into_string().unwrap()).collect();
    let of = |ending: &str| raw.iter().filter(|name| name.ends_with(ending)).count();
    assert_eq!((of(".svnserve.log"), of(".stdout")), (8, 4), "{raw:?}");
    assert_eq!(leftovers(&test, guard), Vec::<String>::new());
}

#[test]
fn a_server_may_live_for_a_cell_and_serve_by_threads() {
    let _alone = alone();
    let test = Bench::new(30);
    let mut start = test.start("c-cell", &["null-export"], &[Cache::Hot, Cache::HotServer], 2);
    start.plan.server.restart = Restart::Cell;
    start.plan.server.mode = ServerMode::Threads;
    start.plan.steps.clear();
    triptych_runner::expand::expand(&mut start.plan, &test.lab).unwrap();
    let mut session = test.session(&start);
    let said = events(&mut session);
    assert_eq!(finished(&said), (Outcome::Completed, 8, 0, 0));
    let starts = said
        .iter()
        .filter(|event| matches!(event, Event::Phase(done) if done.phase == Phase::Server))
        .count();
    // Each hot run has a warm-up server and its own, each hot-server run the one before it.
    assert_eq!(starts, 8);
    let commands = ends(&said)
        .iter()
        .filter(|end| end.settings["server_command"].to_string().contains("\"-T\""))
        .count();
    assert_eq!(commands, 8);
    assert!(ends(&said).iter().all(|end| value(end, &Process::Svnserve, "cpu_time") > 0.0));
}

#[test]
fn cancel_takes_a_second_and_the_rest_is_resumed() {
    let _alone = alone();
    let test = Bench::new(60);
    let start = test.start("c-cancel", &["null-export"], &[Cache::Hot], 3);
    let mut session = test.session(&start);
    let guard = session.pid();
    let mut done = 0;
    let mut asked = None;
    while let Some(record) = session.next() {
        match record.unwrap().event {
            Event::StepEnded(_) if done == 0 => {
                done += 1;
                session.control(&Control::Pause).unwrap();
            }
            Event::StepEnded(_) => done += 1,
            Event::Paused => {
                session.control(&Control::Cancel).unwrap();
                asked = Some(Instant::now());
            }
            Event::Finished(end) => {
                assert_eq!((end.outcome, end.done, end.remaining), (Outcome::Cancelled, done, 6 - done));
            }
            _ => {}
        }
    }
    assert!(asked.expect("paused").elapsed() < Duration::from_secs(1));
    assert_eq!(session.wait().unwrap().code(), Some(3));
    assert_eq!(leftovers(&test, guard), Vec::<String>::new());
    let mut session = test.session(&start);
    assert_eq!(finished(&events(&mut session)), (Outcome::Completed, 6, 0, 0));
    assert_eq!(ended(&test.campaign("c-cancel")).len(), 6);
}

#[test]
fn a_repository_that_vanishes_fails_its_runs_and_no_other() {
    let _alone = alone();
    let test = Bench::new(10);
    let start = test.start("c-gone", &["null-export", "verify"], &[Cache::Hot], 1);
    std::fs::remove_dir_all(test.directory.path().join("disk/fmt6")).unwrap();
    let mut session = test.session(&start);
    let said = events(&mut session);
    assert_eq!(finished(&said), (Outcome::Completed, 4, 2, 0));
    assert_eq!(session.wait().unwrap().code(), Some(1));
    for end in ends(&said) {
        let gone = end.conditions.get(Key::Variant) == Some("fmt6");
        assert_eq!(end.failure.is_some(), gone, "{:?}", end.failure);
        assert_eq!(end.quality.has(Quality::FAILED), gone);
    }
}

#[test]
fn a_client_that_hangs_is_ended_by_its_limit() {
    let _alone = alone();
    let test = Bench::new(10);
    let mut start = test.start("c-hang", &["null-export"], &[Cache::Hot], 1);
    let script = test.directory.path().join("hang");
    std::fs::write(&script, "#!/bin/sh\nexec sleep 30\n").unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    start.lab.builds[0].programs.insert("svnbench".into(), script);
    start.plan.limits.run_secs = 0.3;
    let begun = Instant::now();
    let mut session = test.session(&start);
    let guard = session.pid();
    let said = events(&mut session);
    assert_eq!(finished(&said), (Outcome::Completed, 2, 2, 0));
    assert!(begun.elapsed() < Duration::from_secs(25));
    assert!(
        ends(&said)[0].failure.as_deref().is_some_and(|why| why.contains("0.3")),
        "{:?}",
        ends(&said)[0].failure
    );
    assert!(within(Duration::from_secs(1), || leftovers(&test, guard).is_empty()));
}

#[test]
fn two_runners_do_not_write_one_log() {
    let _alone = alone();
    let test = Bench::new(10);
    let start = test.start("c-two", &["null-export"], &[Cache::Hot], 2);
    let mut first = test.session(&start);
    assert!(first.next().is_some());
    let mut second = test.session(&start);
    let said = events(&mut second);
    let Some(Event::Finished(end)) = said.last() else { panic!("{said:?}") };
    assert_eq!(end.outcome, Outcome::Broken);
    assert!(end.reason.as_deref().is_some_and(|why| why.contains("another runner")), "{:?}", end.reason);
    assert_eq!(finished(&events(&mut first)), (Outcome::Completed, 4, 0, 0));
}

#[test]
fn a_plan_for_another_lab_fails_by_name() {
    let _alone = alone();
    let test = Bench::new(10);
    let mut start = test.start("c-names", &["null-export"], &[Cache::Hot], 1);
    start.lab.variants.remove(0);
    let mut session = test.session(&start);
    let said = events(&mut session);
    assert_eq!(finished(&said), (Outcome::Completed, 2, 1, 0));
    let failed: Vec<_> = ends(&said).iter().filter_map(|end| end.failure.clone()).collect();
    assert_eq!(failed, ["the lab \"test\" has no variant \"fmt6\""]);
}

#[test]
fn a_full_disk_stops_before_a_run_and_loses_none() {
    let _alone = alone();
    if !is_root() {
        println!("skipped: mounting a small disk takes root");
        return;
    }
    let test = Bench::new(10);
    let small = test.directory.path().join("small");
    std::fs::create_dir(&small).unwrap();
    common::tool("mount", &["-t", "tmpfs", "-o", "size=5m", "none", small.to_str().unwrap()]);
    let mut start = test.start("c-full", &["null-export"], &[Cache::Hot], 3);
    start.directory = small.join("c-full");
    let filler = small.join("filler");
    let mut session = test.session(&start);
    let mut said = Vec::new();
    while let Some(record) = session.next() {
        let event = record.unwrap().event;
        let first_end = matches!(event, Event::StepEnded(_)) && !filler.exists();
        said.push(event);
        if first_end {
            // As much as there is.
            let mut file = std::fs::File::create(&filler).unwrap();
            while std::io::Write::write_all(&mut file, &[1; 65536]).is_ok() {}
        }
    }
    drop(session);
    let told: Vec<u32> = ends(&said).iter().map(|end| end.step).collect();
    let kept = ended(&start.directory);
    std::fs::remove_file(&filler).unwrap();
    let (outcome, done, _, remaining) = finished(&said);
    let resumed = finished(&events(&mut test.session(&start)));
    common::tool("umount", &[small.to_str().unwrap()]);
    assert_eq!(outcome, Outcome::Broken);
    assert_eq!(told, kept);
    assert!(done >= 1 && remaining >= 1 && done + remaining == 6, "{done} {remaining}");
    assert_eq!(resumed, (Outcome::Completed, 6, 0, 0));
}

#[test]
fn runs_of_a_debug_build_are_badged() {
    let _alone = alone();
    let test = Bench::new(5);
    let mut start = test.start("c-debug", &["null-export"], &[Cache::Hot], 1);
    let script = test.directory.path().join("debug-svnbench");
    // Errors of a debug build name the place in the source where they were made.
    let text = "#!/bin/sh\nsvnbench \"$@\" && exit\nstatus=$?\n\
        echo 'svnbench.c:1: (apr_err=SVN_ERR_CL_ARG_PARSING_ERROR)' >&2\nexit $status\n";
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    start.lab.builds[0].programs.insert("svnbench".into(), script);
    let mut session = test.session(&start);
    let said = events(&mut session);
    assert_eq!(finished(&said), (Outcome::Completed, 2, 0, 0));
    for end in ends(&said) {
        assert!(end.quality.has(Quality::DEBUG_BUILD), "{}", end.quality);
        assert_eq!(end.settings["build"]["debug"], true);
    }
}
