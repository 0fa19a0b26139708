//! `svnbench null-blame`: every version of one file.

use super::ExperimentSpec;
use super::bench::Bench;

/// The row of [`super::EXPERIMENTS`].
pub(super) static NULL_BLAME: Bench = Bench {
    spec: &ExperimentSpec {
        id: "null-blame",
        operation: "null-blame",
        help: "svnbench null-blame: all versions of the repository's file",
        program: "svnbench",
        needs_server: true,
        needs_file: true,
        options: &[],
    },
    subcommand: "null-blame",
    words: &[],
    options: &[],
    counters: &[("revisions", "revisions"), ("deltas", "deltas")],
    differing: &[("delta_bytes", "bytes in deltas")],
    merged: &[],
    something: &["deltas"],
};
