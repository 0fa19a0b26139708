//! The table of charts: menus, palette, help and looping tests come from it.

pub(crate) mod cold_hot;
pub(crate) mod cpu_load;
pub(crate) mod distribution;
pub(crate) mod triples;

use crate::chart::Chart;

/// All kinds of charts, in the order of the menu.
pub const CHARTS: &[&dyn Chart] =
    &[&triples::Triples, &cold_hot::ColdHot, &cpu_load::CpuLoad, &distribution::Distribution];

/// The chart of that id, as in `triptych chart KIND`.
pub fn chart(id: &str) -> Option<&'static dyn Chart> {
    CHARTS.iter().copied().find(|chart| chart.spec().id == id)
}
