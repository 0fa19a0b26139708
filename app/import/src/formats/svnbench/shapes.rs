//! What each subcommand of svnbench counts, in order and in the languages that translate it.

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
