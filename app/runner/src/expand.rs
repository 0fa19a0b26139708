//! From a plan to its cells and to its steps in their order: pure, and the same for the same seed.
//!
//! A round makes every cell once. Within a round the sides of a triple follow each other, so that they
//! meet the machine in the same state; which of them comes first changes evenly from round to round.

use crate::cellname::cell_name;
use crate::experiments;
use crate::lab::Lab;
use crate::plan::{Cache, Cell, Plan, Restart, Step};
use crate::planfile;
use std::collections::BTreeMap;
use triptych_model::{Problem, ProblemKind, Severity, SplitMix};

/// A cell that cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Which one.
    pub cell: Cell,
    /// Its name and why.
    pub reason: String,
}

/// The cells of a plan that this lab can measure, in the order of the plan.
///
/// # Errors
/// The plan is at fault, or names what the lab does not have, or nothing is left of it.
pub fn cells(plan: &Plan, lab: &Lab) -> Result<Vec<Cell>, Vec<Problem>> {
    let faults = planfile::faults(plan, Some(lab));
    if !faults.is_empty() {
        return Err(faults.into_iter().map(|fault| fault.problem).collect());
    }
    let (cells, left_out) = select(plan, lab);
    if cells.is_empty() {
        let all = left_out.iter().map(|left| error(&left.reason));
        return Err(std::iter::once(error("no cell of the plan can be measured")).chain(all).collect());
    }
    Ok(cells)
}

/// The cells of a plan that this lab cannot measure, with the reason for each.
pub fn left_out(plan: &Plan, lab: &Lab) -> Vec<LeftOut> {
    select(plan, lab).1
}

/// Gives the plan its steps.
///
/// # Errors
/// As [`cells`]; the plan is unchanged then.
pub fn expand(plan: &mut Plan, lab: &Lab) -> Result<(), Vec<Problem>> {
    let cells = cells(plan, lab)?;
    plan.steps = steps(plan, cells);
    Ok(())
}

fn error(message: &str) -> Problem {
    Problem::new(Severity::Error, ProblemKind::Other, "", message)
}

/// The cells that a plan asks for, those that can be measured apart from those that cannot.
fn select(plan: &Plan, lab: &Lab) -> (Vec<Cell>, Vec<LeftOut>) {
    let wanted = if plan.cells.is_empty() { combinations(plan) } else { plan.cells.clone() };
    let (mut good, mut left) = (Vec::new(), Vec::new());
    for cell in wanted {
        match obstacle(plan, lab, &cell) {
            None => good.push(cell),
            Some(why) => {
                left.push(LeftOut { reason: format!("{}: {why}", cell_name(plan, &cell)), cell });
            }
        }
    }
    (good, left)
}

fn combinations(plan: &Plan) -> Vec<Cell> {
    let mut cells = Vec::new();
    for operation in 0..plan.operations.len() {
        for repository in &plan.repositories {
            for medium in &plan.media {
                for cache in &plan.caches {
                    cells.extend(plan.variants.iter().map(|variant| Cell {
                        operation,
                        repository: repository.clone(),
                        variant: variant.clone(),
                        medium: medium.clone(),
                        cache: *cache,
                    }));
                }
            }
        }
    }
    cells
}

/// Why a cell cannot be measured, if so.
fn obstacle(plan: &Plan, lab: &Lab, cell: &Cell) -> Option<String> {
    let Cell { repository, variant, medium, .. } = cell;
    if lab.copy_of(variant, repository, medium).is_none() {
        return Some(format!("the variant {variant} has no copy of {repository} on {medium}"));
    }
    let spec = experiments::experiment(&plan.operations.get(cell.operation)?.experiment)?.spec();
    if spec.needs_file && lab.repository(repository)?.file.is_none() {
        return Some(format!("the lab names no file of {repository} to ask for"));
    }
    (cell.cache == Cache::HotServer && !spec.needs_server)
        .then(|| "it asks no server, so there is none to be hot".to_owned())
}

/// What is kept together: the runs of one variant that follow each other whatever the seed.
type Unit = Vec<Cell>;

/// The sides of a triple, each with its count of rounds in which it came first.
struct Group {
    units: Vec<(Unit, u32)>,
}

fn steps(plan: &Plan, cells: Vec<Cell>) -> Vec<Step> {
    let mut random = SplitMix::new(plan.seed);
    let mut groups = groups(cells, plan.server.restart);
    let mut first_overall: BTreeMap<String, u32> = BTreeMap::new();
    let mut steps = Vec::new();
    for repetition in 1..=plan.repetitions {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        random.shuffle(&mut order);
        for place in order {
            let Some(group) = groups.get_mut(place) else { continue };
            for unit in group.round(&mut random, &mut first_overall) {
                for cell in unit {
                    let step = u32::try_from(steps.len() + 1).unwrap_or(u32::MAX);
                    steps.push(Step { step, cell: cell.clone(), repetition });
                }
            }
        }
    }
    steps
}

/// Puts the cells of a triple together. Where a server lives for a cell, all its cache states stay with it:
/// the second run is to find what the first one left.
fn groups(cells: Vec<Cell>, restart: Restart) -> Vec<Group> {
    let same_cache = |a: &Cell, b: &Cell| restart == Restart::Cell || a.cache == b.cache;
    let shares = |a: &Cell, b: &Cell| {
        (a.operation, &a.repository, &a.medium) == (b.operation, &b.repository, &b.medium) && same_cache(a, b)
    };
    let mut all: Vec<Group> = Vec::new();
    for cell in cells {
        let fits = |group: &&mut Group| group.first().is_some_and(|first| shares(first, &cell));
        match all.iter_mut().find(fits) {
            Some(group) => group.add(cell),
            None => all.push(Group { units: vec![(vec![cell], 0)] }),
        }
    }
    all
}

impl Group {
    fn first(&self) -> Option<&Cell> {
        self.units.first()?.0.first()
    }

    fn add(&mut self, cell: Cell) {
        let same = |unit: &Unit| unit.first().is_some_and(|first| first.variant == cell.variant);
        match self.units.iter_mut().find(|(unit, _)| same(unit)) {
            Some((unit, _)) => {
                unit.push(cell);
                unit.sort_by_key(|cell| cell.cache);
            }
            None => self.units.push((vec![cell], 0)),
        }
    }

    /// The order of one round: first is who was it least often here, then least often anywhere, then by chance.
    fn round(&mut self, random: &mut SplitMix, first_overall: &mut BTreeMap<String, u32>) -> Vec<&Unit> {
        let mut order: Vec<usize> = (0..self.units.len()).collect();
        random.shuffle(&mut order);
        let rank = |place: &usize| {
            let (unit, here) = self.units.get(*place)?;
            let anywhere = first_overall.get(&unit.first()?.variant).copied().unwrap_or(0);
            Some((*here, anywhere))
        };
        let least = order.iter().enumerate().min_by_key(|(_, place)| rank(place)).map(|(at, _)| at);
        if let Some(at) = least {
            order.swap(0, at);
        }
        if let Some((unit, here)) = order.first().and_then(|place| self.units.get_mut(*place)) {
            *here += 1;
            let variant = unit.first().map(|cell| cell.variant.clone()).unwrap_or_default();
            *first_overall.entry(variant).or_default() += 1;
        }
        order.into_iter().filter_map(|place| self.units.get(place)).map(|(unit, _)| unit).collect()
    }
}

#[cfg(test)]
mod tests;
