//! The table of charts: menus, palette, help and looping tests come from it.

mod axis;
mod bars;
pub(crate) mod cold_hot;
pub(crate) mod cpu_load;
pub(crate) mod distribution;
mod panels;
mod pen;
pub(crate) mod readout;
pub(crate) mod requests;
pub(crate) mod stack;
pub(crate) mod triples;

use crate::chart::{Chart, Refusal};
use crate::comparison::{Comparison, compare};
use crate::numbers;
use triptych_model::Key;
use triptych_store::{Query, Store};

/// All kinds of charts, in the order of the menu.
pub const CHARTS: &[&dyn Chart] = &[
    &triples::Triples,
    &cold_hot::ColdHot,
    &cpu_load::CpuLoad,
    &distribution::Distribution,
    &requests::Requests,
];

/// The chart of that id, as in `triptych chart KIND`.
pub fn chart(id: &str) -> Option<&'static dyn Chart> {
    CHARTS.iter().copied().find(|chart| chart.spec().id == id)
}

/// `by threads` where other than variants are compared; the legend's names alone would not say so.
pub(crate) fn compared(comparison: &Comparison) -> String {
    let across = comparison.rows.first().map(|row| row.group.across);
    across.filter(|key| *key != Key::Variant).map(|key| format!("by {}", key.name())).unwrap_or_default()
}

/// The triples of a query, or why there are none to draw.
pub(crate) fn comparison(store: &Store, query: &Query) -> Result<Comparison, Refusal> {
    let comparison = compare(store, query);
    match refusal(&comparison, store, query) {
        Some(refusal) => Err(refusal),
        None => Ok(comparison),
    }
}

/// Why a comparison cannot be drawn; `None` where it can.
fn refusal(comparison: &Comparison, store: &Store, query: &Query) -> Option<Refusal> {
    let refuse = |title: &str, reason: String, next_step: &str| {
        Some(Refusal { title: title.to_owned(), reason, next_step: next_step.to_owned() })
    };
    if comparison.rows.is_empty() {
        let unfiltered = query.filters.is_empty() || store.runs(&Query::default()).is_empty();
        return match (&query.metric, unfiltered) {
            (Some(metric), _) => refuse(
                "No such figures",
                format!("No run of the selection has the metric {metric}."),
                "Choose another metric.",
            ),
            (None, false) => match store.runs(query).len() {
                0 => refuse("Nothing to draw", "No run passes the filters.".to_owned(), "Clear a filter."),
                runs => refuse(
                    "Nothing to compare",
                    format!("No time is known of the {} shown.", numbers::plural(runs, "run", "runs")),
                    "Choose another campaign, or open the logs that hold the times.",
                ),
            },
            (None, true) => refuse(
                "Nothing to draw",
                "The open sources hold no timed runs.".to_owned(),
                "Open the result files of a benchmark.",
            ),
        };
    }
    let sides = |row: &crate::comparison::Row| row.sides.iter().filter(|side| side.n > 0).count();
    if comparison.rows.iter().all(|row| sides(row) == 0) {
        return refuse(
            "No run counts",
            "All runs of the selection failed or were left out.".to_owned(),
            "Show failed runs, or take a run in again.",
        );
    }
    let apart =
        comparison.rows.iter().flat_map(|row| &row.group.flags).find(|flag| flag.contains("repositor"));
    let alone = comparison.rows.iter().all(|row| sides(row) < 2);
    match apart.filter(|_| alone) {
        Some(flag) => refuse(
            "Nothing to compare",
            format!("The variants share no repository ({flag}). If theirs are copies of one, say so once."),
            "Give the copies one name as aliases.",
        ),
        None => None,
    }
}
