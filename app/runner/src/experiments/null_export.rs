//! `svnbench null-export`: fetches a tree as an export does, and throws it away.

use super::ExperimentSpec;
use super::bench::Bench;
use super::words::REVISION;

/// The row of [`super::EXPERIMENTS`].
pub(super) static NULL_EXPORT: Bench = Bench {
    spec: &ExperimentSpec {
        id: "null-export",
        operation: "null-export",
        help: "svnbench null-export: the target is fetched and nothing is written",
        program: "svnbench",
        needs_server: true,
        needs_file: false,
        options: &[REVISION],
    },
    subcommand: "null-export",
    words: &[],
    options: &[(REVISION, "-r")],
    counters: &[("directories", "directories"), ("files", "files"), ("bytes", "bytes in files")],
    differing: &[("properties", "properties"), ("property_bytes", "bytes in properties")],
    merged: &[],
    something: &["files"],
};
