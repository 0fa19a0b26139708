//! The model is fed with a recorded campaign, as the runner would tell it.

use super::matrix::{Evidence, State};
use super::model::{LineKind, RunModel, Stage};
use super::progress::progress;
use super::records::{self, FAILS, Teller};
use super::{facts, progress};
use std::collections::BTreeMap;
use std::path::Path;
use triptych_model::Severity;
use triptych_model::runlog::{Event, Note, Outcome};

fn told(say: impl FnOnce(&mut Teller)) -> RunModel {
    let plan = records::plan();
    let mut teller = Teller::new(&plan);
    say(&mut teller);
    let mut model = RunModel::new(&plan, &BTreeMap::new(), Path::new("campaigns/c-0731"));
    teller.take().into_iter().for_each(|record| model.apply(record));
    model
}

#[test]
fn cells_know_their_time_and_their_proof() {
    let model = told(|teller| teller.until(15));
    let state = |step: u32| model.matrix.step(step).map(|cell| cell.state.clone());
    let evidence = |step: u32| match state(step) {
        Some(State::Done { evidence, .. }) => Some(evidence),
        _ => None,
    };
    assert_eq!(evidence(1), Some(Evidence::Proved));
    assert_eq!(evidence(4), Some(Evidence::Quiet), "hot proves nothing");
    assert_eq!(evidence(13), Some(Evidence::None), "nobody said what was read");
    assert_eq!(evidence(14), Some(Evidence::Contradicted));
    assert!(matches!(state(FAILS), Some(State::Failed(reason)) if reason.contains("E000111")));
    assert_eq!(state(16), Some(State::Waiting));
    assert_eq!((model.done, model.failed), (15, 1));
    let Some(State::Done { secs: Some(secs), .. }) = state(1) else { panic!("the first step is done") };
    assert!((secs - 8.54).abs() < 1e-9, "{secs}");
}

#[test]
fn only_the_run_that_counts_is_timed() {
    let mut begun = told(|teller| teller.start(4));
    assert!(begun.is_timed(), "a hot step has an uncounted client first");
    let current = begun.current.as_ref().expect("a step");
    assert_eq!(current.client.as_ref().map(|(_, pid)| *pid), Some(4532));
    assert!(begun.lines.last().is_some_and(|line| line.text.ends_with(
        "verify, hot, trunk, run 1: 1 uncounted run, svnserve on 127.0.0.1:41873, ready after 6 ms"
    )));
    begun.lost(Some("it was killed".to_owned()));
    assert!(!begun.is_timed());
    assert_eq!(begun.matrix.step(4).map(|cell| &cell.state), Some(&State::Waiting), "it will be made again");
    assert_eq!(begun.stage, Stage::Lost("it was killed".to_owned()));
}

#[test]
fn live_samples_tell_the_time_and_what_was_read() {
    let model = told(|teller| {
        teller.until(12);
        teller.start(13);
        teller.live(13, 0.0, 4.0);
    });
    assert_eq!(model.elapsed().map(|secs| (secs * 10.0).round()), Some(40.0));
    let expected = model.expected().expect("round 1 has ended");
    assert!((expected - 8.54).abs() < 1e-9, "{expected}");
    let rows = facts::cache(&model, model.current.as_ref().expect("a step"));
    let said: Vec<(&str, String)> =
        rows.iter().map(|row| (row.name, row.value.replace('\u{202f}', " "))).collect();
    assert_eq!(said[0], ("resident before", "0 of 91.7 MiB".to_owned()));
    assert!(said[1].1.ends_with(" MiB so far"), "{said:?}");
    assert_eq!(said[2], ("caches dropped", "in 41 ms".to_owned()));
    assert!(rows.iter().all(|row| row.mark == facts::Mark::Good));
    assert_eq!(model.runner_cpu.map(|cpu| (cpu * 10.0).round()), Some(4.0));
}

#[test]
fn the_rest_is_estimated_from_what_is_known() {
    let start = told(|teller| teller.start(1));
    assert_eq!(progress(&start).left_secs, None, "nothing is known yet");
    let model = told(|teller| teller.until(24));
    let far = progress(&model);
    assert_eq!((far.done, far.of), (24, 36));
    let left = far.left_secs.expect("two rounds are known");
    let teller = Teller::new(&records::plan());
    let real: f64 = (25..=36).map(|step| teller.secs(step)).sum();
    assert!((left - real).abs() < real * 0.12, "{left} {real}");
    assert!((far.share - 2.0 / 3.0).abs() < 0.05, "{}", far.share);
    let finished = told(|teller| teller.until(36));
    assert_eq!(progress(&finished).left_secs, Some(0.0));
    assert_eq!(progress::left_in_words(0.0), "a few seconds left");
}

#[test]
fn the_log_says_what_happened() {
    let model = told(|teller| {
        teller.until(FAILS);
        let text = "the disk is nearly full".to_owned();
        teller.event(Event::Note(Note { severity: Severity::Warning, step: Some(FAILS), text }));
        teller.event(Event::Paused);
        teller.event(Event::Continued);
        teller.finish(Outcome::Cancelled, FAILS);
    });
    let of = |kind| model.lines.iter().filter(move |line| line.kind == kind).map(|line| line.text.as_str());
    let failed: Vec<&str> = of(LineKind::Failed).collect();
    assert_eq!(failed.len(), 1);
    assert!(failed[0].starts_with("8 null-log -v, cold, branch6, run 1: svn: E000111"), "{failed:?}");
    let steps: Vec<&str> = of(LineKind::Step).collect();
    assert!(
        steps[1].contains("1 verify, cold, trunk, run 1: 8.54\u{202f}s, server CPU 8.11\u{202f}s, read 27.8")
    );
    let warnings: Vec<&str> = of(LineKind::Note(Severity::Warning)).collect();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[1].contains("cancelled: the user gave up; 8 runs done, 1 failed"));
    assert!(!model.is_going());
    assert_eq!(model.remaining(), 28);
}

#[test]
fn runs_of_an_earlier_session_count_and_are_no_news() {
    let plan = records::plan();
    let mut teller = Teller::new(&plan);
    teller.until(5);
    let mut model = RunModel::new(&plan, &BTreeMap::new(), Path::new("c-0731"));
    for record in teller.take() {
        if let Event::StepEnded(end) = record.event {
            model.apply_earlier(&end, record.time);
        }
    }
    assert_eq!((model.done, model.lines.len()), (5, 0));
    assert!(matches!(model.matrix.step(5).map(|cell| &cell.state), Some(State::Done { .. })));
}
