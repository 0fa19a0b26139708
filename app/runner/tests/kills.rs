//! Whoever is killed, at whatever moment: no finished run is lost, nothing is left, the rest is resumed.
//!
//! `TRIPTYCH_KILLS` says how many kills (default 12, long test 200).
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Bench, ended, leftovers, log, within};
use std::time::Duration;
use triptych_model::SplitMix;
use triptych_model::runlog::{Event, Outcome};
use triptych_runner::plan::Cache;
use triptych_runner::procfs;

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Victim {
    Guard,
    Worker,
    Window,
    Server,
    Client,
    /// Guard and worker at once.
    Both,
}

const VICTIMS: [Victim; 6] =
    [Victim::Guard, Victim::Worker, Victim::Window, Victim::Server, Victim::Client, Victim::Both];

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).ok();
}

/// Children of a process whose command begins so.
fn children(pid: u32, command: &str) -> Vec<u32> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    let all = text.split_whitespace().filter_map(|pid| pid.parse().ok());
    all.filter(|pid: &u32| {
        std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.starts_with(command))
    })
    .collect()
}

/// Lets a session run for a while, kills, and says which steps it had told of before.
fn one(test: &Bench, victim: Victim, after: Duration) -> (u32, Vec<u32>) {
    let start = test.start("c-kills", &["null-export", "export", "verify"], &[Cache::Cold, Cache::Hot], 2);
    let mut session = test.session(&start);
    let guard = session.pid();
    let killer = common::thread(move || {
        std::thread::sleep(after);
        let worker = || children(guard, "triptych-runner").first().copied();
        match victim {
            Victim::Guard => kill(guard),
            Victim::Worker => {
                worker().into_iter().for_each(kill);
            }
            Victim::Both => {
                let worker = worker();
                kill(guard);
                worker.into_iter().for_each(kill);
            }
            Victim::Server | Victim::Client => {
                let name = if victim == Victim::Server { "svnserve" } else { "svn" };
                // There is not one at every moment.
                for _ in 0..200 {
                    let found = worker().map_or(Vec::new(), |worker| children(worker, name));
                    let own = |pid: &&u32| {
                        victim == Victim::Server
                            || std::fs::read_to_string(format!("/proc/{pid}/comm"))
                                .is_ok_and(|name| !name.starts_with("svnserve"))
                    };
                    if let Some(pid) = found.iter().find(own) {
                        return kill(*pid);
                    }
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
            Victim::Window => {}
        }
    });
    let mut told = Vec::new();
    let begun = std::time::Instant::now();
    while let Some(record) = session.next() {
        if let Ok(record) = record
            && let Event::StepEnded(end) = record.event
        {
            told.push(end.step);
        }
        if victim == Victim::Window && begun.elapsed() > after {
            break;
        }
        if matches!(victim, Victim::Server | Victim::Client) && killer.is_finished() && told.len() > 4 {
            break;
        }
    }
    drop(session);
    killer.join().unwrap();
    (guard, told)
}

#[test]
fn nothing_is_lost_and_nothing_is_left() {
    let kills: usize = std::env::var("TRIPTYCH_KILLS").map_or(12, |text| text.parse().unwrap());
    let mut random = SplitMix::new(std::env::var("TRIPTYCH_SEED").map_or(1, |text| text.parse().unwrap()));
    let mut done = 0;
    while done < kills {
        let test = Bench::new(60);
        let campaign = test.campaign("c-kills");
        let mut told_before: Vec<u32> = Vec::new();
        // One campaign is killed again and again until it is complete.
        for round in 0..40 {
            let victim = VICTIMS[(done + round) % VICTIMS.len()];
            let after = Duration::from_millis(30 + random.below(1500) as u64);
            let (guard, told) = one(&test, victim, after);
            if victim == Victim::Both {
                clear_by_a_new_start(&test);
            }
            let mut left = Vec::new();
            let clean = within(Duration::from_secs(5), || {
                left = leftovers(&test, guard);
                left.is_empty()
            });
            assert!(clean, "{victim:?} after {after:?} left {left:?}");
            told_before.extend(told);
            if campaign.join("run.ndjson").exists() && !told_before.is_empty() {
                // Guard and worker may die in the middle of a line: the next start cuts it off.
                let kept = if victim == Victim::Both || victim == Victim::Guard {
                    told_before.clone()
                } else {
                    ended(&campaign)
                };
                let lost: Vec<_> = told_before.iter().filter(|step| !kept.contains(step)).collect();
                assert!(lost.is_empty(), "{victim:?} after {after:?} lost {lost:?}");
            }
            done += 1;
            if done >= kills {
                break;
            }
        }
        finish(&test, &told_before);
    }
}

/// Any start clears up after runners of which neither process lives.
fn clear_by_a_new_start(test: &Bench) {
    let start = test.start("c-other", &["verify"], &[Cache::Hot], 1);
    let mut session = test.session(&start);
    session.control(&triptych_runner::protocol::Control::Cancel).ok();
    while session.next().is_some() {}
    session.wait().unwrap();
}

fn finish(test: &Bench, told: &[u32]) {
    let start = test.start("c-kills", &["null-export", "export", "verify"], &[Cache::Cold, Cache::Hot], 2);
    let mut session = test.session(&start);
    let guard = session.pid();
    let last = common::events(&mut session).pop();
    session.wait().unwrap();
    let Some(Event::Finished(finished)) = last else { panic!("no end: {last:?}") };
    assert_eq!((finished.outcome, finished.remaining), (Outcome::Completed, 0));
    let campaign = test.campaign("c-kills");
    let mut steps = ended(&campaign);
    assert!(told.iter().all(|step| steps.contains(step)), "{told:?} are not all in {steps:?}");
    steps.sort_unstable();
    assert_eq!(steps, (1..=24).collect::<Vec<_>>(), "each step has one end");
    let numbers: Vec<u64> = log(&campaign).iter().map(|record| record.n).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(leftovers(test, guard), Vec::<String>::new());
    assert!(procfs::stat(guard).is_none_or(|stat| !stat.lives()));
}
