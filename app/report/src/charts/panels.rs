//! Rows of a comparison as panels: one an operation and content, so that each has its own scale.

use crate::comparison::{Comparison, Row};
use crate::exporters::varies;
use crate::words::condition_text;
use std::borrow::Cow;
use triptych_model::Key;

/// Rows that share all but medium and cache.
pub(crate) struct Panel<'a> {
    /// The operation, or what else varies where the operation does not.
    pub(crate) title: String,
    /// What else varies: repository, network, campaign …
    pub(crate) subtitle: String,
    pub(crate) rows: Vec<&'a Row>,
}

/// Conditions that tell panels apart beside the operation.
const OTHER_KEYS: [Key; 5] = [Key::Repository, Key::Network, Key::Threads, Key::Host, Key::Campaign];

/// The panels in the order of rows.
pub(crate) fn panels(comparison: &Comparison) -> Vec<Panel<'_>> {
    let mut panels: Vec<Panel<'_>> = Vec::new();
    let varying = Varying::of(comparison);
    for row in &comparison.rows {
        match panels.last_mut().filter(|panel| panel.rows.last().is_some_and(|last| same_panel(last, row))) {
            Some(panel) => panel.rows.push(row),
            None => panels.push(varying.panel(row)),
        }
    }
    panels
}

fn same_panel(a: &Row, b: &Row) -> bool {
    a.condition(Key::Operation) == b.condition(Key::Operation)
        && OTHER_KEYS.iter().all(|key| a.condition(*key) == b.condition(*key))
        && a.group.process == b.group.process
        && a.group.metric == b.group.metric
}

struct Varying {
    operation: bool,
    keys: Vec<Key>,
    process: bool,
    metric: bool,
}

impl Varying {
    fn of(comparison: &Comparison) -> Self {
        let differs = |key: &Key| varies(comparison, |row| row.condition(*key).map(str::to_owned));
        Self {
            operation: differs(&Key::Operation),
            keys: OTHER_KEYS.into_iter().filter(differs).collect(),
            process: varies(comparison, |row| Some(row.group.process.to_string())),
            metric: varies(comparison, |row| Some(row.group.metric.clone())),
        }
    }

    fn panel<'a>(&self, row: &'a Row) -> Panel<'a> {
        let mut parts: Vec<String> =
            self.keys.iter().filter_map(|key| condition_text(row, *key)).map(Cow::into_owned).collect();
        if self.process {
            parts.push(row.group.process.to_string());
        }
        if self.metric {
            parts.push(row.group.metric.clone());
        }
        let others = parts.join(", ");
        let operation = row.condition(Key::Operation).unwrap_or_default().to_owned();
        let (title, subtitle) = if operation.is_empty() || (!self.operation && !others.is_empty()) {
            (others, String::new())
        } else {
            (operation, others)
        };
        let title = if title.is_empty() && self.operation { "unknown".to_owned() } else { title };
        Panel { title, subtitle, rows: vec![row] }
    }
}
