//! Rerun: from the rows of any source, a mail's included, to the plan that repeats them.
//!
//! Rows that the runner made say exactly what they were. Of all others the operation and its options
//! come from the command, and variant, repository, medium and cache from their names. What the lab
//! does not have is listed once for each name, and the user's answers are kept in the lab. Used by the
//! verb and by the window's sheet; nothing here reads a file.

mod command;
mod names;
mod plan;

pub use names::{Kind, Missing, answer};

use crate::lab::Lab;
use crate::plan::{Cell, Operation, Plan};
use names::Found;
use serde_json::{Map, Value};
use triptych_model::{Conditions, Key};

/// A row that shall be repeated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OldRow {
    /// Stable id of its run.
    pub id: String,
    /// Its conditions.
    pub conditions: Conditions,
    /// Its further facts; of the runner's own runs `experiment`, `options`, `server` and `warm_ups` are used.
    pub settings: Map<String, Value>,
}

/// A cell of the old rows, in their own words.
#[derive(Clone, Debug, PartialEq)]
pub struct OldCell {
    /// `verify tsvn, USB cold, trunk`.
    pub name: String,
    /// The command of its first row.
    pub command: Option<String>,
    /// What it is timed by, if an experiment does that.
    pub operation: Option<Operation>,
    /// Its repository, `None` where the rows do not say.
    pub repository: Option<String>,
    /// Its variant, `None` where the rows do not say.
    pub variant: Option<String>,
    /// Its medium, `None` where the rows do not say.
    pub medium: Option<String>,
    /// Its cache state as printed, `None` where the rows do not say.
    pub cache: Option<String>,
    /// Ids of its rows.
    pub rows: Vec<String>,
    /// The same in the lab's words, where it has them all; its index is that of [`RerunDraft::operations`].
    pub cell: Option<Cell>,
}

/// What came of the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RerunDraft {
    /// The distinct cells in the order of the rows.
    pub cells: Vec<OldCell>,
    /// The distinct operations that an experiment does.
    pub operations: Vec<Operation>,
    /// What the lab lacks, each name once.
    pub missing: Vec<Missing>,
    /// Cells that will not be repeated, each with the reason.
    pub left_out: Vec<String>,
    /// What will be otherwise than it was.
    pub notes: Vec<String>,
    /// The plan, not yet expanded; present when nothing is missing and a cell is left.
    pub plan: Option<Plan>,
}

/// How the rows shall be repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Runs of each cell; else as many as the fullest cell has rows, for rows of other sources at least
    /// [`FEWEST`].
    pub repetitions: Option<u32>,
    /// Title of the plan; else the campaign's name.
    pub title: Option<String>,
}

/// A published figure is one row, and fewer runs than this carry no verdict.
pub const FEWEST: u32 = 3;

/// Maps rows to a plan for this lab.
pub fn map(rows: &[OldRow], lab: Option<&Lab>) -> RerunDraft {
    map_as(rows, lab, &Wish::default())
}

/// Maps rows to a plan for this lab, as wished.
pub fn map_as(rows: &[OldRow], lab: Option<&Lab>, wish: &Wish) -> RerunDraft {
    let mut draft = RerunDraft::default();
    for row in rows {
        add_row(&mut draft, row);
    }
    for index in 0..draft.cells.len() {
        resolve(&mut draft, index, rows, lab);
    }
    plan::make(&mut draft, rows, lab, wish);
    draft
}

/// Adds the row to its cell.
fn add_row(draft: &mut RerunDraft, row: &OldRow) {
    let said = |key| row.conditions.get(key).filter(|text| !text.is_empty()).map(str::to_owned);
    let (operation, unrepeated) = command::operation_of(row);
    for option in unrepeated {
        draft.note(option);
    }
    let (repository, variant) = (said(Key::Repository), said(Key::Variant));
    let (medium, cache) = (said(Key::Medium), said(Key::Cache));
    let name = {
        let what = said(Key::Operation).unwrap_or_else(|| "unknown operation".into());
        let what = operation.as_ref().map_or(what, crate::cellname::operation_name);
        let part = |text: &Option<String>, kind| text.clone().unwrap_or_else(|| format!("unknown {kind}"));
        let network = network(row).map(|name| format!(", over {name}")).unwrap_or_default();
        let clients = several_clients(row).map(|count| format!(", {count} clients")).unwrap_or_default();
        format!(
            "{what} {}, {} {}{network}{clients}, {}",
            part(&repository, "repository"),
            part(&medium, "medium"),
            part(&cache, "cache"),
            part(&variant, "variant")
        )
    };
    if let Some(cell) = draft.cells.iter_mut().find(|cell| cell.name == name && cell.operation == operation) {
        cell.rows.push(row.id.clone());
        return;
    }
    let command = said(Key::Command);
    let rows = vec![row.id.clone()];
    draft.cells.push(OldCell {
        name,
        command,
        operation,
        repository,
        variant,
        medium,
        cache,
        rows,
        cell: None,
    });
}

/// Looks a cell's names up in the lab; what is not there becomes [`RerunDraft::missing`].
fn resolve(draft: &mut RerunDraft, index: usize, rows: &[OldRow], lab: Option<&Lab>) {
    let Some(old) = draft.cells.get(index).cloned() else { return };
    let row = rows.iter().find(|row| old.rows.first() == Some(&row.id));
    if row.and_then(several_clients).is_some() {
        draft.left_out.push(format!("{}: the runner measures one client at a time", old.name));
        return;
    }
    if let Some(network) = row.and_then(network) {
        draft.note(format!(
            "some rows were measured over the network {network}: they are repeated on this machine"
        ));
    }
    let said = |key| row.and_then(|row| row.conditions.get(key)).map(str::to_owned);
    let format = said(Key::Format);
    let mut names = Vec::new();
    for (kind, name) in [
        (Kind::Experiment, said(Key::Operation)),
        (Kind::Repository, old.repository.clone()),
        (Kind::Variant, old.variant.clone()),
        (Kind::Medium, old.medium.clone()),
        (Kind::Cache, old.cache.clone()),
    ] {
        let name = name.unwrap_or_default();
        let found = match (kind, &old.operation) {
            (Kind::Experiment, Some(operation)) => Found::Name(operation.experiment.clone()),
            _ => names::find(lab, kind, &name),
        };
        if let Found::Only(only) = &found {
            draft.note(format!("the rows do not say the {}: it is {only}, the lab's only one", kind.word()));
        }
        if matches!(found, Found::Nothing) {
            names::add_missing(&mut draft.missing, lab, kind, &name, format.as_deref());
        }
        if matches!(found, Found::LeftOut) {
            draft.left_out.push(format!("{}: {} {name} is to be left out", old.name, kind.word()));
        }
        names.push(found.name());
    }
    if let [Some(experiment), Some(repository), Some(variant), Some(medium), Some(cache)] = names.as_slice() {
        let operation = old.operation.clone();
        let operation =
            operation.unwrap_or_else(|| Operation { experiment: experiment.clone(), ..Operation::default() });
        let operation = draft.place_of(operation);
        let cell = crate::plan::Cache::parse(cache).map(|cache| Cell {
            operation,
            repository: repository.clone(),
            variant: variant.clone(),
            medium: medium.clone(),
            cache,
        });
        if let Some(old) = draft.cells.get_mut(index) {
            old.cell = cell;
        }
    }
}

impl RerunDraft {
    /// A cell of [`OldCell::cell`] as the plan has it, whose operations are only those that are left.
    pub fn in_plan(&self, cell: &Cell) -> Option<Cell> {
        let operation = self.operations.get(cell.operation)?;
        let place = self.plan.as_ref()?.operations.iter().position(|known| known == operation)?;
        Some(Cell { operation: place, ..cell.clone() })
    }

    /// Says something once.
    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    fn place_of(&mut self, operation: Operation) -> usize {
        self.operations.iter().position(|known| *known == operation).unwrap_or_else(|| {
            self.operations.push(operation);
            self.operations.len() - 1
        })
    }
}

/// Clients at once, where there were several.
fn several_clients(row: &OldRow) -> Option<&str> {
    row.conditions.get(Key::Threads).filter(|count| !matches!(*count, "" | "1"))
}

/// The network, where it was not this machine's own.
fn network(row: &OldRow) -> Option<&str> {
    let is_local = |name: &str| matches!(name, "" | "local" | "localhost" | "loopback");
    row.conditions.get(Key::Network).filter(|name| !is_local(name))
}

#[cfg(test)]
mod tests;
