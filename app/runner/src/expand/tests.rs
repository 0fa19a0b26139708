//! Orders of steps: complete, repeatable, fair.

use super::*;
use crate::lab::{Build, Medium, Repository, RepositoryCopy, Variant};
use crate::plan::Operation;
use proptest::prelude::*;
use std::collections::BTreeSet;

const EXPERIMENTS: [&str; 3] = ["null-export", "null-log-v", "export"];

/// A lab in which each variant has a copy of each repository on each medium.
fn lab(variants: usize, repositories: usize, media: usize) -> Lab {
    let mut lab = Lab::new("test");
    lab.builds.push(Build { name: "installed".into(), directory: "/bin".into(), ..Build::default() });
    for medium in 0..media {
        lab.media.push(Medium { name: format!("m{medium}"), directory: "/m".into() });
    }
    for repository in 0..repositories {
        let copies = (0..media).flat_map(|medium| {
            (0..variants).map(move |variant| RepositoryCopy {
                name: format!("r{repository}m{medium}v{variant}"),
                medium: format!("m{medium}"),
                ..RepositoryCopy::default()
            })
        });
        lab.repositories.push(Repository {
            name: format!("r{repository}"),
            copies: copies.collect(),
            ..Repository::default()
        });
    }
    for variant in 0..variants {
        let own = |copy: &&RepositoryCopy| copy.name.ends_with(&format!("v{variant}"));
        let copies = lab.repositories.iter().flat_map(|repository| &repository.copies).filter(own);
        lab.variants.push(Variant {
            name: format!("v{variant}"),
            build: "installed".into(),
            copies: copies.map(|copy| copy.name.clone()).collect(),
            ..Variant::default()
        });
    }
    lab
}

/// A plan of everything that the lab has.
fn plan(lab: &Lab, operations: usize, repetitions: u32, seed: u64) -> Plan {
    let operation = |id: &&str| Operation { experiment: String::from(*id), ..Operation::default() };
    Plan {
        title: "test".into(),
        seed,
        operations: EXPERIMENTS.iter().take(operations).map(operation).collect(),
        repositories: lab.repositories.iter().map(|known| known.name.clone()).collect(),
        variants: lab.variants.iter().map(|known| known.name.clone()).collect(),
        media: lab.media.iter().map(|known| known.name.clone()).collect(),
        caches: Cache::ALL.to_vec(),
        repetitions,
        ..Plan::default()
    }
}

fn expanded(lab: &Lab, mut plan: Plan) -> Plan {
    expand(&mut plan, lab).unwrap_or_else(|problems| panic!("{problems:?}"));
    plan
}

/// The steps cut where another triple begins.
fn triples(plan: &Plan) -> Vec<Vec<&Step>> {
    let key = |step: &Step| {
        let cell = &step.cell;
        (cell.operation, cell.repository.clone(), cell.medium.clone(), cell.cache, step.repetition)
    };
    plan.steps.chunk_by(|a, b| key(a) == key(b)).map(|steps| steps.iter().collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_cell_is_run_as_often_as_asked(
        variants in 1..5usize,
        repositories in 1..3usize,
        media in 1..3usize,
        operations in 1..4usize,
        repetitions in 1..8u32,
        seed: u64,
        by_cell: bool,
    ) {
        let lab = lab(variants, repositories, media);
        let mut asked = plan(&lab, operations, repetitions, seed);
        asked.server.restart = if by_cell { Restart::Cell } else { Restart::Run };
        let made = expanded(&lab, asked.clone());
        prop_assert_eq!(&made.steps, &expanded(&lab, asked).steps, "the same seed gives the same order");

        let cells = cells(&made, &lab).expect("cells");
        prop_assert_eq!(cells.len(), operations * repositories * media * variants * 3);
        for (index, step) in made.steps.iter().enumerate() {
            prop_assert_eq!(step.step as usize, index + 1);
        }
        for cell in &cells {
            let runs: Vec<u32> =
                made.steps.iter().filter(|step| step.cell == *cell).map(|step| step.repetition).collect();
            prop_assert_eq!(runs, (1..=repetitions).collect::<Vec<_>>(), "in rounds");
        }
        prop_assert!(made.steps.is_sorted_by_key(|step| step.repetition), "a round ends before the next");
    }

    #[test]
    fn the_sides_of_a_triple_follow_each_other_and_take_turns(
        variants in 1..5usize,
        repetitions in 1..9u32,
        seed: u64,
    ) {
        let lab = lab(variants, 1, 2);
        let made = expanded(&lab, plan(&lab, 2, repetitions, seed));
        let mut first: BTreeMap<(usize, &str, Cache), BTreeMap<&str, u32>> = BTreeMap::new();
        let mut first_overall: BTreeMap<&str, u32> = BTreeMap::new();
        for triple in triples(&made) {
            prop_assert_eq!(triple.len(), variants, "all sides, one after the other");
            let cell = &triple[0].cell;
            let group = (cell.operation, cell.medium.as_str(), cell.cache);
            *first.entry(group).or_default().entry(&cell.variant).or_default() += 1;
            *first_overall.entry(&cell.variant).or_default() += 1;
        }
        prop_assert_eq!(first.len(), 2 * 2 * 3);
        for (counts, most) in first.values().map(|counts| (counts, 1)).chain([(&first_overall, variants)]) {
            let all = lab.variants.iter().map(|variant| counts.get(variant.name.as_str()).copied().unwrap_or(0));
            let (low, high) = (all.clone().min().unwrap_or(0), all.max().unwrap_or(0));
            prop_assert!((high - low) as usize <= most, "{:?}", counts);
        }
    }

    #[test]
    fn runs_of_one_server_stay_together(variants in 1..4usize, repetitions in 1..4u32, seed: u64) {
        let lab = lab(variants, 2, 1);
        let mut asked = plan(&lab, 2, repetitions, seed);
        asked.caches = vec![Cache::HotServer, Cache::Hot];
        asked.server.restart = Restart::Cell;
        for pair in expanded(&lab, asked).steps.chunks(2) {
            let [hot, again] = pair else { panic!("an odd number of steps") };
            prop_assert_eq!((hot.cell.cache, again.cell.cache), (Cache::Hot, Cache::HotServer));
            prop_assert_eq!(Cell { cache: Cache::Hot, ..again.cell.clone() }, hot.cell.clone());
        }
    }
}

#[test]
fn another_seed_gives_another_order() {
    let lab = lab(3, 1, 2);
    let orders: BTreeSet<String> =
        (0..20).map(|seed| format!("{:?}", expanded(&lab, plan(&lab, 3, 3, seed)).steps)).collect();
    assert_eq!(orders.len(), 20);
}

#[test]
fn what_cannot_be_measured_is_left_out_and_named() {
    let mut lab = lab(2, 1, 2);
    lab.variants[1].copies.retain(|copy| !copy.contains("m1"));
    let mut asked = plan(&lab, 1, 2, 7);
    asked.caches = vec![Cache::Cold];
    let reasons: Vec<String> = left_out(&asked, &lab).into_iter().map(|left| left.reason).collect();
    assert_eq!(reasons, ["null-export r0, m1 cold, v1: the variant v1 has no copy of r0 on m1"]);
    assert_eq!(expanded(&lab, asked.clone()).steps.len(), 3 * 2);

    asked.operations[0].experiment = "null-blame".into();
    asked.variants.truncate(1);
    asked.media.truncate(1);
    let problems = cells(&asked, &lab).expect_err("nothing left");
    assert_eq!(problems[0].message, "no cell of the plan can be measured");
    let why = "null-blame r0, m0 cold, v0: the lab names no file of r0 to ask for";
    assert_eq!(problems[1].message, why);

    asked.operations[0].experiment = "verify".into();
    asked.caches = vec![Cache::HotServer];
    let reasons: Vec<String> = left_out(&asked, &lab).into_iter().map(|left| left.reason).collect();
    let why = "verify r0, m0 hot-server, v0: it asks no server, so there is none to be hot";
    assert_eq!(reasons, [why]);
}

#[test]
fn unknown_names_are_refused_before_anything_is_made() {
    let lab = lab(1, 1, 1);
    let mut asked = plan(&lab, 1, 1, 1);
    asked.variants.push("v9".into());
    let problems = expand(&mut asked, &lab).expect_err("refused");
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].sentence(), "the lab test has no such variant, found \"v9\", expected one of v0");
    assert!(asked.steps.is_empty());
}

#[test]
fn only_the_cells_named_are_made() {
    let lab = lab(3, 1, 1);
    let mut asked = plan(&lab, 2, 4, 1);
    let all = cells(&asked, &lab).expect("cells");
    asked.cells = vec![all[4].clone(), all[1].clone()];
    let made = expanded(&lab, asked.clone());
    assert_eq!(made.steps.len(), 8);
    assert!(made.steps.iter().all(|step| asked.cells.contains(&step.cell)));
}
