//! The demo lab end to end, and what its figures must show. Long: run it by `cargo test -- --ignored`.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::Bench;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use triptych_model::runlog::{Event, Outcome, StepEnd};
use triptych_model::{Key, Process, Quality};
use triptych_runner::demo::{demo_plan, make_demo};
use triptych_runner::expand::expand;
use triptych_runner::lab::Lab;
use triptych_runner::plan::{Cache, Operation, Plan};
use triptych_runner::protocol::Start;

fn demo(test: &Bench) -> Lab {
    let begun = Instant::now();
    let lab = make_demo(&test.directory.path().join("demo"), 1, &mut |_| true).unwrap();
    println!("demo lab made in {:.1} s", begun.elapsed().as_secs_f64());
    assert!(begun.elapsed() < Duration::from_secs(60));
    lab
}

fn measure(test: &Bench, lab: &Lab, mut plan: Plan, name: &str) -> Vec<StepEnd> {
    expand(&mut plan, lab).unwrap();
    let start =
        Start { lab: lab.clone(), plan, directory: test.campaign(name), expected_secs: BTreeMap::new() };
    let mut session = test.session(&start);
    let said = common::events(&mut session);
    let Some(Event::Finished(end)) = said.last() else { panic!("no end") };
    assert_eq!((end.outcome, end.failed), (Outcome::Completed, 0), "{:?}", end.reason);
    let ends = said.into_iter().filter_map(|event| match event {
        Event::StepEnded(end) => Some(*end),
        _ => None,
    });
    ends.collect()
}

fn value(end: &StepEnd, process: &Process, metric: &str) -> f64 {
    let found = end.measurements.iter().find(|value| value.process == *process && value.metric == metric);
    found.and_then(|value| value.value).unwrap()
}

fn median_of(ends: &[StepEnd], variant: &str) -> f64 {
    let of = |end: &&StepEnd| end.conditions.get(Key::Variant) == Some(variant);
    let mut values: Vec<f64> =
        ends.iter().filter(of).map(|end| value(end, &Process::Client, "real")).collect();
    println!("{variant}: {values:.3?}");
    values.sort_by(f64::total_cmp);
    assert!(!values.is_empty(), "{variant}");
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

/// Cold runs read, hot runs do not, all are measured; the whole takes at most three minutes.
#[test]
#[ignore = "three minutes on a quiet machine"]
fn the_demo_plan_proves_cold_and_hot() {
    let test = Bench::new(1);
    let lab = demo(&test);
    let plan = demo_plan(&lab).unwrap();
    let begun = Instant::now();
    let ends = measure(&test, &lab, plan, "c-demo");
    println!("{} runs in {:.0} s", ends.len(), begun.elapsed().as_secs_f64());
    assert_eq!(ends.len(), 90);
    for end in &ends {
        let served = end.conditions.get(Key::Operation) != Some("verify");
        let reader = if served { Process::Svnserve } else { Process::Client };
        let read = value(end, &reader, "read_bytes");
        let cold = end.conditions.get(Key::Cache) == Some("cold");
        assert!(
            if cold { read > 1e6 } else { read < 1_048_576.0 },
            "{} {:?} read {read}",
            end.run,
            end.conditions
        );
        for word in [Quality::NOT_COLD, Quality::NOT_HOT, Quality::FAILED] {
            assert!(!end.quality.has(word), "{} is {}", end.run, end.quality);
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(180), "{:?}", begun.elapsed());
}

/// A copy of the lab in which a variant is served by another svnserve.
fn with_variant(lab: &Lab, name: &str, svnserve: Option<PathBuf>) -> Lab {
    let mut lab = lab.clone();
    let mut build = lab.builds[0].clone();
    build.name = format!("{name}-build");
    if let Some(svnserve) = svnserve {
        build.programs.insert("svnserve".into(), svnserve);
    }
    let mut variant = lab.variants[0].clone();
    variant.name = name.into();
    variant.build.clone_from(&build.name);
    lab.builds.push(build);
    lab.variants.push(variant);
    lab
}

fn hot(lab: &Lab, experiment: &str, variants: [&str; 2]) -> Plan {
    let demo = demo_plan(lab).unwrap();
    Plan {
        operations: vec![Operation { experiment: experiment.into(), ..Operation::default() }],
        variants: variants.map(str::to_owned).to_vec(),
        caches: vec![Cache::Hot],
        repetitions: 10,
        steps: Vec::new(),
        ..demo
    }
}

#[test]
#[ignore = "a minute on a quiet machine"]
// Runs of a second and more: shorter ones differ by more than that on a virtual machine.
fn the_same_build_twice_stays_within_five_per_cent() {
    let test = Bench::new(1);
    let lab = with_variant(&demo(&test), "again", None);
    let first = lab.variants[0].name.clone();
    let ends = measure(&test, &lab, hot(&lab, "verify", [&first, "again"]), "c-same");
    let ratio = median_of(&ends, &first) / median_of(&ends, "again");
    println!("A / A = {ratio:.3} (n = 10, 10)");
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

/// A control group of the kernel that gives half a core; `None` where there is no such right.
struct HalfCore(PathBuf);

impl HalfCore {
    fn new() -> Option<Self> {
        let name = format!("triptych-test-{}", std::process::id());
        let v1 = Path::new("/sys/fs/cgroup/cpu");
        let directory = v1.join(name);
        std::fs::create_dir(&directory).ok()?;
        let group = Self(directory);
        std::fs::write(group.0.join("cpu.cfs_period_us"), "20000").ok()?;
        std::fs::write(group.0.join("cpu.cfs_quota_us"), "10000").ok()?;
        Some(group)
    }
}

impl Drop for HalfCore {
    fn drop(&mut self) {
        std::fs::remove_dir(&self.0).ok();
    }
}

#[test]
#[ignore = "two minutes on a quiet machine, and cgroups of version 1"]
fn a_server_held_to_half_a_core_takes_half_as_long_again() {
    let Some(group) = HalfCore::new() else {
        println!("skipped: no control group can be made here");
        return;
    };
    let test = Bench::new(1);
    let script = test.directory.path().join("half-svnserve");
    let text = format!("#!/bin/sh\necho $$ > '{}/cgroup.procs'\nexec svnserve \"$@\"\n", group.0.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let lab = with_variant(&demo(&test), "half", Some(script));
    let first = lab.variants[0].name.clone();
    let ends = measure(&test, &lab, hot(&lab, "null-log-v-g", [&first, "half"]), "c-half");
    let ratio = median_of(&ends, "half") / median_of(&ends, &first);
    println!("half a core / a whole one = {ratio:.2} (n = 10, 10)");
    assert!(ratio >= 1.5, "{ratio}");
}
