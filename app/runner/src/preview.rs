//! What a plan will do, before it does it: what, in which order, for how long, with which rights.
//!
//! Used by `--dry-run` and by the window's preview; [`TimeLeft`] goes on counting while the plan runs.

mod left;

pub use crate::host::local::may_drop_caches;
pub use left::TimeLeft;

use crate::cellname::{group_name, step_name};
use crate::expand;
use crate::lab::Lab;
use crate::plan::{Cache, Cell, Plan, Restart};
use std::collections::BTreeMap;

/// What a step costs besides its runs where nothing better is known, seconds: server, caches, checks, syncs.
pub const OVERHEAD_SECS: f64 = 0.5;

/// What is known of the machine and of earlier runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// Wall seconds of earlier runs by cell.
    pub expected_secs: BTreeMap<Cell, f64>,
    /// Whether the caches of the system may be dropped; absent: not asked.
    pub may_drop: Option<bool>,
}

/// A triple of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewGroup {
    /// What its sides share: `null-export tsvn, USB cold`.
    pub name: String,
    /// Its variants.
    pub variants: Vec<String>,
    /// Runs of all its variants.
    pub runs: u32,
    /// Seconds of all its runs, warm-ups included; absent where a cell never ran before.
    pub expected_secs: Option<f64>,
}

/// A plan before it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// The plan's title.
    pub title: String,
    /// The lab's name.
    pub lab: String,
    /// Its triples in the order of the plan.
    pub groups: Vec<PreviewGroup>,
    /// Cells.
    pub cells: usize,
    /// The names of its steps in their order.
    pub order: Vec<String>,
    /// Expected seconds, servers and caches included, of the steps whose runs are known.
    pub known_secs: f64,
    /// Steps whose runs are not known: they come on top.
    pub unknown_steps: usize,
    /// What takes which right, and what is done without it.
    pub rights: Vec<String>,
    /// Cells that cannot be measured, with the reason.
    pub left_out: Vec<String>,
}

/// Says what an expanded plan will do in this lab.
pub fn preview(plan: &Plan, lab: &Lab, known: &Known) -> Preview {
    let secs = |cell: &Cell| known.expected_secs.get(cell).map(|secs| step_secs(plan, cell, *secs));
    let mut groups: Vec<PreviewGroup> = Vec::new();
    let mut cells: Vec<&Cell> = Vec::new();
    // The order of the plan's own lists, not the shuffled one of its steps.
    let mut steps: Vec<_> = plan.steps.iter().collect();
    let place = |list: &[String], name: &str| list.iter().position(|known| known == name);
    steps.sort_by_key(|step| {
        let cell = &step.cell;
        let names = (place(&plan.repositories, &cell.repository), place(&plan.media, &cell.medium));
        (cell.operation, names, cell.cache, place(&plan.variants, &cell.variant))
    });
    for step in &steps {
        let name = group_name(plan, &step.cell);
        if groups.last().is_none_or(|group| group.name != name) {
            groups.push(PreviewGroup { name, variants: Vec::new(), runs: 0, expected_secs: Some(0.0) });
        }
        let Some(group) = groups.last_mut() else { continue };
        group.runs += 1;
        group.expected_secs = group.expected_secs.zip(secs(&step.cell)).map(|(sum, secs)| sum + secs);
        if !group.variants.contains(&step.cell.variant) {
            group.variants.push(step.cell.variant.clone());
        }
        if !cells.contains(&&step.cell) {
            cells.push(&step.cell);
        }
    }
    Preview {
        title: plan.title.clone(),
        lab: lab.name.clone(),
        cells: cells.len(),
        groups,
        order: plan.steps.iter().map(|step| step_name(plan, step)).collect(),
        known_secs: plan.steps.iter().filter_map(|step| secs(&step.cell)).sum(),
        unknown_steps: plan.steps.iter().filter(|step| secs(&step.cell).is_none()).count(),
        rights: rights(plan, known.may_drop),
        left_out: expand::left_out(plan, lab).into_iter().map(|left| left.reason).collect(),
    }
}

/// Seconds of a whole step whose run takes `secs`: warm-ups are runs, too.
fn step_secs(plan: &Plan, cell: &Cell, secs: f64) -> f64 {
    let warm_ups = match cell.cache {
        Cache::Cold => 0,
        Cache::HotServer if plan.server.restart == Restart::Cell => 0,
        Cache::Hot | Cache::HotServer => plan.warm_ups.max(1),
    };
    secs * f64::from(1 + warm_ups) + OVERHEAD_SECS
}

fn rights(plan: &Plan, may_drop: Option<bool>) -> Vec<String> {
    let cold = plan.steps.iter().filter(|step| step.cell.cache == Cache::Cold).count();
    if cold == 0 {
        return vec!["no root is needed".to_owned()];
    }
    vec![match may_drop {
        Some(true) => format!("{cold} cold runs drop the system's caches, which this user may"),
        Some(false) => format!(
            "{cold} cold runs evict the repository's files one by one: dropping the system's caches takes root, \
             and without it directories and inodes stay in memory"
        ),
        None => format!(
            "{cold} cold runs drop the system's caches where root permits it, else they evict the repository's files"
        ),
    }]
}

impl Preview {
    /// The whole as lines of text; the order of the steps is given in full.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{}: {} runs of {} cells in the lab {}",
            self.title,
            self.order.len(),
            self.cells,
            self.lab
        )];
        lines.push(format!("Duration: {}", self.duration()));
        lines.extend(self.rights.iter().map(|right| format!("Rights: {right}")));
        lines.push(String::new());
        for group in &self.groups {
            let known = group.expected_secs.map(|secs| format!(", about {}", duration(secs)));
            let known = known.unwrap_or_default();
            lines.push(format!("{}: {}: {} runs{known}", group.name, group.variants.join(" / "), group.runs));
        }
        if !self.left_out.is_empty() {
            lines.extend([String::new(), "Left out".to_owned()]);
            lines.extend(self.left_out.iter().map(|reason| format!("  {reason}")));
        }
        lines.extend([String::new(), "Order".to_owned()]);
        lines.extend(self.order.iter().enumerate().map(|(index, name)| format!("{:5}  {name}", index + 1)));
        lines
    }

    /// `about 2 min 30 s`, as far as it is known.
    pub fn duration(&self) -> String {
        let overhead = OVERHEAD_SECS * self.unknown_steps as f64;
        match (self.unknown_steps, self.order.len()) {
            (0, _) => format!("about {}", duration(self.known_secs)),
            (unknown, all) if unknown == all => {
                format!(
                    "unknown, no run of its cells is known; servers and caches alone take about {}",
                    duration(overhead)
                )
            }
            (unknown, _) => {
                let known = duration(self.known_secs + overhead);
                format!("about {known} and the {unknown} runs of cells of which none is known")
            }
        }
    }
}

/// The expected wall time of each step, by its number, for [`crate::protocol::Start`].
pub fn expected_by_step(plan: &Plan, expected: &BTreeMap<Cell, f64>) -> BTreeMap<u32, f64> {
    let known = |step: &crate::plan::Step| Some((step.step, *expected.get(&step.cell)?));
    plan.steps.iter().filter_map(known).collect()
}

/// Seconds for people: `0.4 s`, `42 s`, `2 min 30 s`, `3 h 5 min`.
pub fn duration(secs: f64) -> String {
    if !secs.is_finite() || secs < 0.0 {
        return "unknown".to_owned();
    }
    if secs < 9.95 {
        return format!("{secs:.1} s");
    }
    // Bounded above by what a plan can hold, and rounded before it is cut.
    let whole = secs.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests;
