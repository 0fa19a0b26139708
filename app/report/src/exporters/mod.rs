//! The table of exporters: menus, `--as`, help and looping tests come from it.

mod csv;
mod json;
mod markdown;
mod svg;
mod text;
mod widths;

use crate::comparison::{Comparison, Row};
use crate::figure::Figure;
use crate::palette::Palette;
use crate::words::shown_name;
use triptych_model::Key;
use triptych_store::Cell;

pub use json::json_value;
pub use svg::svg;
pub use text::table_text;
pub use widths::text_width;

/// What an exporter turns into text.
#[derive(Clone, Copy, Debug)]
pub enum Export {
    /// Triples.
    Table(fn(&Comparison) -> String),
    /// A drawn chart under its title, in a palette.
    Figure(fn(&Figure, &SvgOptions<'_>) -> String),
}

/// What a picture needs beside the figure.
#[derive(Clone, Copy, Debug)]
pub struct SvgOptions<'a> {
    /// The chart's name, the heading of the picture.
    pub title: &'a str,
    /// Width of the frame the figure was laid out for.
    pub width: f32,
    /// Height of that frame.
    pub height: f32,
    /// Its colours.
    pub palette: &'a Palette,
}

/// One row of the table of exporters.
#[derive(Clone, Copy, Debug)]
pub struct Exporter {
    /// Stable id, as in `--as`.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Ending of a file, without the dot.
    pub extension: &'static str,
    /// How.
    pub export: Export,
}

/// All exporters, in the order of help and menus.
pub const EXPORTERS: &[Exporter] = &[
    Exporter {
        id: "text",
        title: "Text as in the lists",
        extension: "txt",
        export: Export::Table(text::table_text),
    },
    Exporter {
        id: "markdown",
        title: "Markdown",
        extension: "md",
        export: Export::Table(markdown::markdown),
    },
    Exporter { id: "csv", title: "CSV", extension: "csv", export: Export::Table(csv::csv) },
    Exporter { id: "json", title: "JSON", extension: "json", export: Export::Table(json::json) },
    Exporter { id: "svg", title: "SVG picture", extension: "svg", export: Export::Figure(svg::svg) },
];

/// The exporter of that id.
pub fn exporter(id: &str) -> Option<&'static Exporter> {
    EXPORTERS.iter().find(|exporter| exporter.id == id)
}

/// Rows that stand under one heading: same campaign, operation and conditions but medium and cache.
pub(crate) struct Block<'a> {
    pub(crate) rows: Vec<&'a Row>,
}

/// Conditions that a heading names, in order; medium and cache label the rows.
///
/// A row has a variant only where something else is compared.
const HEADING_KEYS: [Key; 7] =
    [Key::Operation, Key::Command, Key::Host, Key::Repository, Key::Variant, Key::Network, Key::Threads];

/// The rows of a comparison in blocks, campaigns never mixed.
pub(crate) fn blocks(comparison: &Comparison) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for row in &comparison.rows {
        match blocks.last_mut().filter(|block| block.rows.last().is_some_and(|last| share_heading(last, row)))
        {
            Some(block) => block.rows.push(row),
            None => blocks.push(Block { rows: vec![row] }),
        }
    }
    blocks
}

fn share_heading(a: &Row, b: &Row) -> bool {
    let names = |row: &Row| row.group.cells.iter().map(|cell| cell.name.clone()).collect::<Vec<_>>();
    a.condition(Key::Campaign) == b.condition(Key::Campaign)
        && HEADING_KEYS.iter().all(|key| a.condition(*key) == b.condition(*key))
        && (a.group.process == b.group.process && a.group.metric == b.group.metric)
        && a.group.across == b.group.across
        && names(a) == names(b)
}

impl Block<'_> {
    pub(crate) fn first(&self) -> Option<&Row> {
        self.rows.first().copied()
    }

    /// `$ svnadmin verify -q`, else the operation, with the conditions that vary over the comparison.
    pub(crate) fn heading(&self, comparison: &Comparison) -> String {
        let Some(row) = self.first() else { return String::new() };
        let mut parts = Vec::new();
        match (row.condition(Key::Command), row.condition(Key::Operation)) {
            (Some(command), _) => parts.push(format!("$ {command}")),
            (None, Some(operation)) => parts.push(operation.to_owned()),
            (None, None) if row.group.across == Key::Operation => {}
            (None, None) => parts.push("operation unknown".to_owned()),
        }
        for key in [Key::Host, Key::Repository, Key::Variant, Key::Network, Key::Threads] {
            if varies(comparison, |row| row.condition(key).map(str::to_owned)) {
                parts.extend(crate::words::condition_text(row, key).map(std::borrow::Cow::into_owned));
            }
        }
        if varies(comparison, |row| Some(row.group.process.to_string())) {
            parts.push(row.group.process.to_string());
        }
        if varies(comparison, |row| Some(row.group.metric.clone())) {
            parts.push(row.group.metric.clone());
        }
        if parts.is_empty() { "all operations".to_owned() } else { parts.join(", ") }
    }

    /// The conditions that label the rows of this block: those of medium and cache that are known.
    pub(crate) fn label_keys(&self) -> Vec<Key> {
        let known = |key: &Key| self.rows.iter().any(|row| row.condition(*key).is_some());
        [Key::Medium, Key::Cache].into_iter().filter(known).collect()
    }
}

/// Whether the rows differ in that.
pub(crate) fn varies(comparison: &Comparison, part: impl Fn(&Row) -> Option<String>) -> bool {
    let mut parts = comparison.rows.iter().map(part);
    let first = parts.next();
    parts.any(|other| Some(other) != first)
}

/// `SSD cold`: the label of a row, a blank where a condition is unknown.
pub(crate) fn row_label(row: &Row, keys: &[Key]) -> String {
    let parts: Vec<&str> = keys.iter().filter_map(|key| row.condition(*key)).collect();
    parts.join(" ")
}

/// What makes a row doubtful, and which of its sides: `incomplete: new-1.7.22, new-1.9.12`.
///
/// Contradicted ratios are not among them, they have a sentence of their own.
pub(crate) fn doubts(row: &Row) -> Vec<String> {
    let cells = &row.group.cells;
    let doubt = |flag: &String| {
        let doubtful =
            |cell: &&Cell| cell.values.iter().any(|value| value.quality.words().any(|word| word == flag));
        let names: Vec<&str> = cells.iter().filter(doubtful).map(|cell| shown_name(&cell.name)).collect();
        if names.is_empty() || names.len() == cells.len() {
            flag.clone()
        } else {
            format!("{flag}: {}", names.join(", "))
        }
    };
    row.group.flags.iter().filter(|flag| *flag != "inconsistent").map(doubt).collect()
}

/// The campaigns with their blocks, in order.
pub(crate) fn campaigns(comparison: &Comparison) -> Vec<(Option<String>, Vec<Block<'_>>)> {
    let mut campaigns: Vec<(Option<String>, Vec<Block<'_>>)> = Vec::new();
    for block in blocks(comparison) {
        let name = block.first().and_then(|row| row.condition(Key::Campaign)).map(str::to_owned);
        match campaigns.last_mut().filter(|(last, _)| *last == name) {
            Some((_, blocks)) => blocks.push(block),
            None => campaigns.push((name, vec![block])),
        }
    }
    campaigns
}
