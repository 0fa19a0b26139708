//! The plan as a grid: operations and cache states down, rounds and variants across, a cell a step.

use std::collections::{BTreeMap, BTreeSet};
use triptych_runner::cellname::operation_name;
use triptych_runner::plan::{Cache, Plan, Step};

/// What a row of the grid measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The operation as tables call it.
    pub operation: String,
    /// Repository and medium, where the plan has several of them.
    pub place: String,
    /// State of the caches.
    pub cache: Cache,
}

/// What proves that a run found the caches as its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A hot run that read little: nothing to show.
    Quiet,
    /// Cold, and bytes were read.
    Proved,
    /// Called cold, but nobody knows what was read.
    None,
    /// Called cold but was not, or called hot and was not.
    Contradicted,
}

/// How far a step is.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Not begun.
    Waiting,
    /// Begun.
    Running,
    /// Ended.
    Done {
        /// Wall time, where it is known.
        secs: Option<f64>,
        /// Proof of the cache state.
        evidence: Evidence,
    },
    /// Ended without a result, and why.
    Failed(String),
}

/// One step in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Number of the step in the plan, from 1.
    pub step: u32,
    /// Index of its row.
    pub row: usize,
    /// Index of its round.
    pub round: usize,
    /// Index of its variant.
    pub column: usize,
    /// How far it is.
    pub state: State,
    /// Wall seconds that earlier campaigns or the runner expect.
    pub expected: Option<f64>,
    /// Id of the run, once the runner said it.
    pub run: String,
}

/// The grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// Down.
    pub rows: Vec<Row>,
    /// Across, within a round; baseline first.
    pub variants: Vec<String>,
    /// How often each cell is measured at most.
    pub rounds: usize,
    /// In the order of the plan.
    pub cells: Vec<Cell>,
    by_step: BTreeMap<u32, usize>,
    by_place: BTreeMap<(usize, usize, usize), usize>,
}

impl Matrix {
    /// The grid of a plan with its steps.
    pub fn of(plan: &Plan, expected: &BTreeMap<u32, f64>) -> Self {
        let keys: BTreeSet<_> = plan.steps.iter().map(|step| row_key(plan, step)).collect();
        let several = |count: usize| count > 1;
        let repositories: BTreeSet<&str> =
            plan.steps.iter().map(|step| step.cell.repository.as_str()).collect();
        let media: BTreeSet<&str> = plan.steps.iter().map(|step| step.cell.medium.as_str()).collect();
        let mut matrix = Self { variants: variants(plan), ..Self::default() };
        let mut places = BTreeMap::new();
        for key in keys {
            let Some(step) = plan.steps.iter().find(|step| row_key(plan, step) == key) else { continue };
            let cell = &step.cell;
            let mut place = Vec::new();
            if several(repositories.len()) {
                place.push(cell.repository.as_str());
            }
            if several(media.len()) {
                place.push(cell.medium.as_str());
            }
            let operation = plan
                .operations
                .get(cell.operation)
                .map_or_else(|| format!("operation {}", cell.operation), operation_name);
            places.insert(key, matrix.rows.len());
            matrix.rows.push(Row { operation, place: place.join(", "), cache: cell.cache });
        }
        for step in &plan.steps {
            let row = places.get(&row_key(plan, step)).copied().unwrap_or(0);
            matrix.push(step, row, expected.get(&step.step).copied());
        }
        matrix
    }

    fn push(&mut self, step: &Step, row: usize, expected: Option<f64>) {
        let column = self.variants.iter().position(|name| *name == step.cell.variant).unwrap_or(0);
        let round = (step.repetition.max(1) - 1) as usize;
        self.rounds = self.rounds.max(round + 1);
        self.by_step.insert(step.step, self.cells.len());
        self.by_place.insert((row, round, column), self.cells.len());
        let (state, run) = (State::Waiting, String::new());
        self.cells.push(Cell { step: step.step, row, round, column, state, expected, run });
    }

    /// The cell of a step.
    pub fn step(&self, step: u32) -> Option<&Cell> {
        self.cells.get(*self.by_step.get(&step)?)
    }

    /// The same, to be changed.
    pub fn step_mut(&mut self, step: u32) -> Option<&mut Cell> {
        self.cells.get_mut(*self.by_step.get(&step)?)
    }

    /// The cell at a place; none where the plan leaves it out.
    pub fn at(&self, row: usize, round: usize, column: usize) -> Option<&Cell> {
        self.cells.get(*self.by_place.get(&(row, round, column))?)
    }

    /// Wall seconds of the finished runs that repeat the same thing, with their rounds.
    pub fn finished(&self, row: usize, column: usize) -> impl Iterator<Item = (usize, f64)> {
        (0..self.rounds).filter_map(move |round| match self.at(row, round, column)?.state {
            State::Done { secs: Some(secs), .. } => Some((round, secs)),
            _ => None,
        })
    }

    /// `null-log -v, cold, branch7, run 3`.
    pub fn name(&self, cell: &Cell) -> String {
        let row = self.rows.get(cell.row);
        let variant = self.variants.get(cell.column).map_or("", String::as_str);
        format!("{}, {variant}, run {}", row.map(Row::name).unwrap_or_default(), cell.round + 1)
    }
}

impl Row {
    /// `null-log -v, cold`, with the place behind the operation where there are several.
    pub fn name(&self) -> String {
        let place = if self.place.is_empty() { String::new() } else { format!(", {}", self.place) };
        format!("{}{place}, {}", self.operation, self.cache.name())
    }
}

/// Operations as the plan lists them, then repositories and media, cold before hot.
fn row_key(plan: &Plan, step: &Step) -> (usize, usize, usize, Cache) {
    let place =
        |names: &[String], name: &str| names.iter().position(|known| known == name).unwrap_or(names.len());
    let cell = &step.cell;
    let (repository, medium) =
        (place(&plan.repositories, &cell.repository), place(&plan.media, &cell.medium));
    (cell.operation, repository, medium, cell.cache)
}

/// The plan's variants that have steps, in its order.
fn variants(plan: &Plan) -> Vec<String> {
    let has = |name: &&String| plan.steps.iter().any(|step| step.cell.variant == **name);
    let mut names: Vec<String> = plan.variants.iter().filter(has).cloned().collect();
    for step in &plan.steps {
        if !names.contains(&step.cell.variant) {
            names.push(step.cell.variant.clone());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::records;
    use super::*;

    #[test]
    fn a_plan_becomes_rows_rounds_and_variants() {
        let plan = records::plan();
        let matrix = Matrix::of(&plan, &BTreeMap::from([(1, 2.5)]));
        let rows: Vec<String> = matrix.rows.iter().map(Row::name).collect();
        assert_eq!(rows, ["verify, cold", "verify, hot", "null-log -v, cold", "null-log -v, hot"]);
        assert_eq!(matrix.variants, ["trunk", "branch6", "branch7"]);
        assert_eq!((matrix.rounds, matrix.cells.len()), (3, 36));
        assert_eq!(matrix.step(1).and_then(|cell| cell.expected), Some(2.5));
        for cell in &matrix.cells {
            assert_eq!(matrix.at(cell.row, cell.round, cell.column), Some(cell));
        }
    }

    #[test]
    fn cells_that_a_plan_leaves_out_are_absent() {
        let mut plan = records::plan();
        plan.steps.retain(|step| step.cell.variant != "branch6" || step.cell.cache == Cache::Hot);
        let matrix = Matrix::of(&plan, &BTreeMap::new());
        assert_eq!(matrix.at(0, 0, 1), None);
        assert!(matrix.at(1, 0, 1).is_some());
    }

    #[test]
    fn media_are_named_where_there_are_several() {
        let mut plan = records::plan();
        plan.media.push("USB".to_owned());
        if let Some(step) = plan.steps.last_mut() {
            step.cell.medium = "USB".to_owned();
        }
        let matrix = Matrix::of(&plan, &BTreeMap::new());
        assert!(matrix.rows.iter().all(|row| !row.place.is_empty()));
        assert_eq!(matrix.rows.len(), 5);
    }
}
