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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// Whether it was there to be killed.
fn kill(pid: u32) -> bool {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).is_ok()
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

/// What became of one kill.
struct Killed {
    guard: u32,
    worker: Option<u32>,
    /// Whether there was somebody to kill.
    hit: bool,
    /// The steps that the session had told of.
    told: Vec<u32>,
    /// Whether it came to the end of its plan all the same.
    complete: bool,
}

/// Lets a session run for a while, and kills.
fn one(test: &Bench, victim: Victim, after: Duration) -> Killed {
    let start = test.start("c-kills", &["null-export", "export", "verify"], &[Cache::Cold, Cache::Hot], 2);
    let mut session = test.session(&start);
    let guard = session.pid();
    let killer = common::thread(move || {
        std::thread::sleep(after);
        let worker = children(guard, "triptych-runner").first().copied();
        let hit = match victim {
            Victim::Guard => kill(guard),
            Victim::Worker => worker.is_some_and(kill),
            Victim::Both => kill(guard) & worker.is_some_and(kill),
            Victim::Server => worker.is_some_and(|worker| kill_child(worker, |name| name == "svnserve")),
            Victim::Client => {
                let client = |name: &str| name.starts_with("svn") && name != "svnserve";
                worker.is_some_and(|worker| kill_child(worker, client))
            }
            // Its end is the end of the pipes, below.
            Victim::Window => true,
        };
        (worker, hit)
    });
    let (mut told, mut complete) = (Vec::new(), false);
    let begun = std::time::Instant::now();
    while let Some(record) = session.next() {
        match record.map(|record| record.event) {
            Ok(Event::StepEnded(end)) => told.push(end.step),
            Ok(Event::Finished(end)) => complete = end.outcome == Outcome::Completed,
            _ => {}
        }
        if victim == Victim::Window && begun.elapsed() > after {
            break;
        }
        if matches!(victim, Victim::Server | Victim::Client) && killer.is_finished() && told.len() > 4 {
            break;
        }
    }
    drop(session);
    let (worker, hit) = killer.join().unwrap();
    Killed { guard, worker, hit, told, complete }
}

/// Waits for a child of that name, for there is not one at every moment, and kills it.
fn kill_child(worker: u32, is_victim: impl Fn(&str) -> bool) -> bool {
    for _ in 0..300 {
        let name = |pid: &u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        if let Some(pid) = children(worker, "svn").into_iter().find(|pid| is_victim(name(pid).trim())) {
            return kill(pid);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

#[test]
fn nothing_is_lost_and_nothing_is_left() {
    let kills: usize = std::env::var("TRIPTYCH_KILLS").map_or(12, |text| text.parse().unwrap());
    let mut random = SplitMix::new(std::env::var("TRIPTYCH_SEED").map_or(1, |text| text.parse().unwrap()));
    let (mut done, mut turn) = (0, 0);
    let mut hits = std::collections::BTreeMap::new();
    while done < kills {
        let test = Bench::new(60);
        let campaign = test.campaign("c-kills");
        let mut told_before: Vec<u32> = Vec::new();
        // One campaign is killed again and again until it is complete.
        for _ in 0..40 {
            let victim = VICTIMS[turn % VICTIMS.len()];
            let after = Duration::from_millis(30 + random.below(1500) as u64);
            let killed = one(&test, victim, after);
            *hits.entry(victim).or_insert(0) += usize::from(killed.hit);
            if victim == Victim::Both {
                clear_by_a_new_start(&test);
            }
            let mut left = Vec::new();
            let clean = within(Duration::from_secs(5), || {
                left = leftovers(&test, killed.guard);
                let worker = killed.worker.and_then(procfs::stat).is_some_and(|stat| stat.lives());
                left.extend(worker.then(|| "the worker".to_owned()));
                left.is_empty()
            });
            assert!(clean, "{victim:?} after {after:?} left {left:?}");
            told_before.extend(killed.told);
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
            turn += 1;
            done += usize::from(killed.hit);
            if done >= kills || killed.complete {
                break;
            }
        }
        finish(&test, &told_before);
    }
    println!("{done} kills in {turn} sessions: {hits:?}");
    // A session may be over before its turn comes, and a client is not there at every moment; never to
    // hit one kind would be a test of nothing.
    assert!(VICTIMS.iter().all(|victim| hits.get(victim).is_some_and(|hits| *hits > 0)), "{hits:?}");
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
