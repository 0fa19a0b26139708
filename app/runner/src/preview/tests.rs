//! Previews and time left of a small plan.

use super::*;
use crate::lab::{Medium, Repository, RepositoryCopy, Variant};
use crate::plan::Operation;

fn lab() -> Lab {
    let mut lab = Lab::new("bench");
    lab.media.push(Medium { name: "SSD".into(), ..Medium::default() });
    let mut repository = Repository { name: "tsvn".into(), ..Repository::default() };
    for name in ["trunk", "branch7"] {
        lab.variants.push(Variant { name: name.into(), copies: vec![name.into()], ..Variant::default() });
        let copy = RepositoryCopy { name: name.into(), medium: "SSD".into(), ..RepositoryCopy::default() };
        repository.copies.push(copy);
    }
    lab.repositories.push(repository);
    lab
}

fn plan() -> Plan {
    let mut plan = Plan {
        title: "two".into(),
        operations: vec![Operation { experiment: "null-export".into(), ..Operation::default() }],
        repositories: vec!["tsvn".into()],
        variants: vec!["trunk".into(), "branch7".into()],
        media: vec!["SSD".into()],
        warm_ups: 2,
        ..Plan::default()
    };
    expand::expand(&mut plan, &lab()).expect("expanded");
    plan
}

#[test]
fn a_plan_without_earlier_runs_says_what_is_unknown() {
    let plan = plan();
    let lines = preview(&plan, &lab(), &Known::default()).lines();
    assert_eq!(
        lines[..6],
        [
            "two: 12 runs of 4 cells in the lab bench",
            "Duration: unknown, no run of its cells is known; servers and caches alone take about 6.0 s",
            "Rights: 6 cold runs drop the system's caches where root permits it, else they evict the repository's files",
            "",
            "null-export tsvn, SSD cold: trunk / branch7: 6 runs",
            "null-export tsvn, SSD hot: trunk / branch7: 6 runs",
        ]
    );
    assert_eq!(lines[7], "Order");
    assert_eq!(lines.len(), 8 + 12);
    let first = &plan.steps[0];
    assert_eq!(lines[8], format!("    1  {}", step_name(&plan, first)));
}

#[test]
fn earlier_runs_make_a_duration() {
    let plan = plan();
    let cells = expand::cells(&plan, &lab()).expect("cells");
    let expected_secs: BTreeMap<Cell, f64> = cells.iter().cloned().map(|cell| (cell, 10.0)).collect();
    let known = Known { expected_secs, may_drop: Some(false) };
    let made = preview(&plan, &lab(), &known);
    // Six cold runs, six hot ones with two warm-ups each.
    assert_eq!(
        made.duration(),
        format!("about {}", duration(6.0 * 10.0 + 6.0 * 30.0 + 12.0 * OVERHEAD_SECS))
    );
    assert!(made.rights[0].contains("takes root"), "{:?}", made.rights);
    assert_eq!(expected_by_step(&plan, &known.expected_secs).len(), 12);

    let known = Known { expected_secs: [(cells[0].clone(), 1.0)].into(), may_drop: Some(true) };
    let made = preview(&plan, &lab(), &known);
    assert_eq!(made.unknown_steps, 9);
    assert_eq!(made.duration(), "about 9.0 s and the 9 runs of cells of which none is known");
}

#[test]
fn hot_runs_need_no_rights() {
    let mut plan = plan();
    plan.caches = vec![Cache::Hot];
    expand::expand(&mut plan, &lab()).expect("expanded");
    assert_eq!(preview(&plan, &lab(), &Known::default()).rights, ["no root is needed"]);
}

#[test]
fn durations_read_well() {
    for (secs, expect) in [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.6, "1 min 0 s"),
        (150.0, "2 min 30 s"),
        (3599.7, "1 h 0 min"),
        (11_100.0, "3 h 5 min"),
        (f64::NAN, "unknown"),
    ] {
        assert_eq!(duration(secs), expect);
    }
}

#[test]
fn the_time_left_is_learned_from_the_nearest_cells() {
    let plan = plan();
    let mut left = TimeLeft::new(&plan);
    assert_eq!((left.steps(), left.secs()), (12, None));
    let cold = plan.steps.iter().find(|step| step.cell.cache == Cache::Cold).expect("a cold step");
    left.ended(cold.step, Some(2.0));
    assert_eq!(left.secs(), Some(11.0 * 2.0), "nothing else is known");
    let hot = plan.steps.iter().find(|step| step.cell.cache == Cache::Hot).expect("a hot step");
    left.ended(hot.step, Some(7.0));
    assert_eq!(left.secs(), Some(5.0 * 2.0 + 5.0 * 7.0));
    for step in &plan.steps {
        left.ended(step.step, None);
    }
    assert_eq!((left.steps(), left.secs()), (0, Some(0.0)));
}
