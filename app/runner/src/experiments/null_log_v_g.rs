//! `svnbench null-log -v -g`: as `null-log -v`, with the revisions that were merged.

use super::ExperimentSpec;
use super::bench::Bench;
use super::words::{LIMIT, STOP_ON_COPY};

/// The row of [`super::EXPERIMENTS`].
pub(super) static NULL_LOG_V_G: Bench = Bench {
    spec: &ExperimentSpec {
        id: "null-log-v-g",
        operation: "null-log -v -g",
        help: "svnbench null-log -v -g: as null-log -v, and the revisions that were merged",
        program: "svnbench",
        needs_server: true,
        needs_file: false,
        options: &[LIMIT, STOP_ON_COPY],
    },
    subcommand: "null-log",
    words: &["-v", "-g"],
    options: &[(LIMIT, "-l"), (STOP_ON_COPY, "--stop-on-copy")],
    counters: &[("revisions", "revisions"), ("msg_lines", "msg lines"), ("changes", "changes")],
    differing: &[],
    merged: &[
        ("merged_revisions", "revisions", "merged in"),
        ("merges", "revisions", "merges"),
        ("merged_msg_lines", "msg lines", "in merged revisions"),
        ("merged_changes", "changes", "in merged revisions"),
    ],
    something: &["changes"],
};
