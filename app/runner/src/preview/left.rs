//! How long a running plan will still take.

use crate::plan::{Cell, Plan};
use std::collections::{BTreeMap, BTreeSet};

/// Learns from the steps that ended: of the same cell, else of the same operation and cache state, else of all.
#[derive(Clone, Debug, Default)]
pub struct TimeLeft {
    cells: BTreeMap<u32, Cell>,
    waiting: BTreeSet<u32>,
    took: Vec<(Cell, f64)>,
}

impl TimeLeft {
    /// Nothing of this plan has ended yet.
    pub fn new(plan: &Plan) -> Self {
        let cells: BTreeMap<u32, Cell> =
            plan.steps.iter().map(|step| (step.step, step.cell.clone())).collect();
        Self { waiting: cells.keys().copied().collect(), cells, took: Vec::new() }
    }

    /// A step ended; `secs` is how long the whole of it took, servers and caches included, where it is known.
    pub fn ended(&mut self, step: u32, secs: Option<f64>) {
        self.waiting.remove(&step);
        if let (Some(secs), Some(cell)) = (secs, self.cells.get(&step)) {
            self.took.push((cell.clone(), secs));
        }
    }

    /// Steps that have not ended.
    pub fn steps(&self) -> usize {
        self.waiting.len()
    }

    /// Seconds that they will take; unknown as long as no step ended.
    pub fn secs(&self) -> Option<f64> {
        let mut known: BTreeMap<&Cell, f64> = BTreeMap::new();
        let mut sum = 0.0;
        for cell in self.waiting.iter().filter_map(|step| self.cells.get(step)) {
            let secs = match known.get(cell) {
                Some(secs) => *secs,
                None => self.of_cell(cell)?,
            };
            known.insert(cell, secs);
            sum += secs;
        }
        (!self.took.is_empty()).then_some(sum)
    }

    fn of_cell(&self, cell: &Cell) -> Option<f64> {
        let alike = |other: &Cell| other.operation == cell.operation && other.cache == cell.cache;
        self.mean(|other| other == cell).or_else(|| self.mean(alike)).or_else(|| self.mean(|_| true))
    }

    fn mean(&self, fits: impl Fn(&Cell) -> bool) -> Option<f64> {
        let (count, sum) = self
            .took
            .iter()
            .filter(|(cell, _)| fits(cell))
            .fold((0u32, 0.0), |(count, sum), (_, secs)| (count + 1, sum + secs));
        (count > 0).then(|| sum / f64::from(count))
    }
}
