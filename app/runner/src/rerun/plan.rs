//! The plan of a rerun: the lab's cells, how often, and how the server was run.

use super::{FEWEST, OldRow, RerunDraft, Wish};
use crate::expand;
use crate::lab::Lab;
use crate::plan::{Cache, Cell, Plan};
use serde::de::DeserializeOwned;
use triptych_model::Key;

/// Gives the draft its plan, when nothing is missing.
pub(super) fn make(draft: &mut RerunDraft, rows: &[OldRow], lab: Option<&Lab>, wish: &Wish) {
    let (Some(lab), true) = (lab, draft.missing.is_empty()) else { return };
    let cells = distinct_cells(draft);
    let mut plan = Plan {
        title: wish.title.clone().unwrap_or_else(|| title(rows)),
        operations: draft.operations.clone(),
        repetitions: wish.repetitions.unwrap_or_else(|| repetitions(draft, rows)).max(1),
        repeats: rows.iter().map(|row| row.id.clone()).collect(),
        cells,
        ..Plan::default()
    };
    server(draft, rows, &mut plan);
    let left = expand::left_out(&plan, lab);
    plan.cells.retain(|cell| left.iter().all(|left| left.cell != *cell));
    draft.left_out.extend(left.into_iter().map(|left| left.reason));
    fill_lists(&mut plan, lab, rows);
    draft.plan = (!plan.cells.is_empty()).then_some(plan);
}

/// Foreign names may mean the same in the lab; the cell is then measured once.
fn distinct_cells(draft: &mut RerunDraft) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut same = Vec::new();
    for old in &draft.cells {
        match &old.cell {
            Some(cell) if cells.contains(cell) => same.push(old.name.clone()),
            Some(cell) => cells.push(cell.clone()),
            None => {}
        }
    }
    for name in same {
        draft.note(format!("{name}: in this lab it is the same as another cell and measured once"));
    }
    cells
}

fn title(rows: &[OldRow]) -> String {
    let campaign = rows.iter().find_map(|row| row.conditions.get(Key::Campaign));
    campaign.map_or_else(|| "Rerun".to_owned(), |name| format!("{name}, again"))
}

fn made_by_runner(row: &OldRow) -> bool {
    row.settings.get("experiment").is_some_and(serde_json::Value::is_string)
}

fn repetitions(draft: &RerunDraft, rows: &[OldRow]) -> u32 {
    let most = draft.cells.iter().map(|cell| cell.rows.len()).max().unwrap_or(1);
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    if rows.iter().all(made_by_runner) { most } else { most.max(FEWEST) }
}

/// The settings under which the runner made the rows; where they differ, the first count.
fn server(draft: &mut RerunDraft, rows: &[OldRow], plan: &mut Plan) {
    if let Some(server) = first_of(draft, rows, "server") {
        plan.server = server;
    }
    if let Some(limits) = first_of(draft, rows, "limits") {
        plan.limits = limits;
    }
    if let Some(warm_ups) = first_of(draft, rows, "warm_ups") {
        plan.warm_ups = warm_ups;
    }
    if let Some(sample_hz) = first_of(draft, rows, "sample_hz") {
        plan.sample_hz = sample_hz;
    }
}

fn first_of<T: DeserializeOwned>(draft: &mut RerunDraft, rows: &[OldRow], name: &str) -> Option<T> {
    let mut values = rows.iter().filter(|row| made_by_runner(row)).filter_map(|row| row.settings.get(name));
    let first = values.next()?;
    if values.any(|value| value != first) {
        draft.note(format!("the rows were measured with different settings of {name}: the first are taken"));
    }
    let value = serde_json::from_value(first.clone()).ok();
    if value.is_none() {
        draft.note(format!("the rows' {name} cannot be read: the default is taken"));
    }
    value
}

/// The lists of names, for forms and tables. The baseline is first; then the order of the rows, or of the
/// lab where the runner made the rows, for its own order is shuffled.
fn fill_lists(plan: &mut Plan, lab: &Lab, rows: &[OldRow]) {
    let list = |of: fn(&Cell) -> &String| {
        let mut names: Vec<String> = Vec::new();
        for cell in &plan.cells {
            if !names.contains(of(cell)) {
                names.push(of(cell).clone());
            }
        }
        names
    };
    let repositories = list(|cell| &cell.repository);
    let media = list(|cell| &cell.medium);
    let mut variants = list(|cell| &cell.variant);
    let by_lab = rows.iter().all(made_by_runner);
    variants.sort_by_key(|name| {
        let place = lab.variants.iter().position(|known| known.name == *name).filter(|_| by_lab);
        (lab.baseline.as_ref() != Some(name), place)
    });
    plan.caches =
        Cache::ALL.into_iter().filter(|cache| plan.cells.iter().any(|cell| cell.cache == *cache)).collect();
    (plan.repositories, plan.media, plan.variants) = (repositories, media, variants);
    keep_used_operations(plan);
}

/// Drops operations of which no cell is left.
fn keep_used_operations(plan: &mut Plan) {
    let mut kept = Vec::new();
    for (index, operation) in std::mem::take(&mut plan.operations).into_iter().enumerate() {
        let mut cells = plan.cells.iter_mut().filter(|cell| cell.operation == index).peekable();
        if cells.peek().is_some() {
            cells.for_each(|cell| cell.operation = kept.len());
            kept.push(operation);
        }
    }
    plan.operations = kept;
}
