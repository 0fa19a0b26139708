//! What each subcommand of svnbench counts, in order and in the languages that translate it.

use crate::signs::Signs;
use triptych_model::Unit;

/// One counter: its metric, its unit and the beginnings of its label in the languages of Subversion.
pub struct Counter {
    pub metric: &'static str,
    pub unit: Unit,
    pub labels: &'static [&'static str],
}

/// The counters of one subcommand, in the order in which it prints them.
pub struct Shape {
    pub operation: &'static str,
    pub counters: &'static [Counter],
}

const fn counter(metric: &'static str, unit: Unit, labels: &'static [&'static str]) -> Counter {
    Counter { metric, unit, labels }
}

const DIRECTORIES: Counter =
    counter("directories", Unit::Count, &["directories", "Verzeichnisse", "kataloger"]);
const FILES: Counter = counter("files", Unit::Count, &["files", "Dateien", "filer"]);
const REVISIONS: Counter = counter("revisions", Unit::Count, &["revisions", "Revisionen", "revisioner"]);

/// All subcommands with counters in columns.
pub const SHAPES: &[Shape] = &[
    Shape {
        operation: "null-export",
        counters: &[
            DIRECTORIES,
            FILES,
            counter("bytes", Unit::Bytes, &["bytes in files", "Byte in Dateien", "byte i filer"]),
            counter("properties", Unit::Count, &["properties", "Eigenschaften", "egenskaper"]),
            counter(
                "property_bytes",
                Unit::Bytes,
                &["bytes in properties", "Byte in Eigenschaften", "byte i egenskaper"],
            ),
        ],
    },
    Shape {
        operation: "null-list",
        counters: &[DIRECTORIES, FILES, counter("locks", Unit::Count, &["locks", "Sperren", "lås"])],
    },
    Shape {
        operation: "null-log",
        counters: &[
            REVISIONS,
            counter("msg_lines", Unit::Count, &["msg lines", "Log-Zeilen", "meddelanderader"]),
            counter("changes", Unit::Count, &["changes", "Änderungen", "ändringar"]),
        ],
    },
    Shape {
        operation: "null-blame",
        counters: &[
            REVISIONS,
            counter("deltas", Unit::Count, &["deltas", "Deltas", "delta"]),
            counter("delta_bytes", Unit::Bytes, &["bytes in deltas", "Byte in Deltas", "byte i delta"]),
        ],
    },
];

/// What the second column of `null-log -g` counts, by line.
pub const MERGED: &[&[&str]] = &[&["merged_revisions", "merges"], &["merged_msg_lines"], &["merged_changes"]];

/// What stands before the one number of `null-info`.
pub const STATUS_LINES: &[&str] = &[
    "Number of status notifications received: ",
    "Zahl der empfangenen Statusmitteilungen: ",
    "Antal mottagna statusavsiseringar: ",
];

/// What lines of figures have: the first label of a block in a known language, the column that numbers are
/// aligned in, the words of a footer.
pub const SIGNS: Signs = Signs::any_of(&["ct", "vi", "rz", "ta", "yt", "  "]).or(Signs::HIGH);

/// Whether a label is this one; more may follow behind a comma.
pub fn has_label(text: &str, label: &str) -> bool {
    text.strip_prefix(label).is_some_and(|rest| rest.trim().is_empty() || rest.starts_with(','))
}

/// Whether the counters of a subcommand begin with this label.
pub fn is_first_label(text: &str) -> bool {
    let mut labels = SHAPES.iter().filter_map(|shape| shape.counters.first()).flat_map(|first| first.labels);
    labels.any(|label| has_label(text, label))
}
