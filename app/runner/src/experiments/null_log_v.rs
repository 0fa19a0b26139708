//! `svnbench null-log -v`: the history of the target with the paths each revision changed.

use super::ExperimentSpec;
use super::bench::Bench;
use super::words::{LIMIT, STOP_ON_COPY};

/// The row of [`super::EXPERIMENTS`].
pub(super) static NULL_LOG_V: Bench = Bench {
    spec: &ExperimentSpec {
        id: "null-log-v",
        operation: "null-log -v",
        help: "svnbench null-log -v: all revisions of the target with their changed paths",
        program: "svnbench",
        needs_server: true,
        needs_file: false,
        options: &[LIMIT, STOP_ON_COPY],
    },
    subcommand: "null-log",
    words: &["-v"],
    options: &[(LIMIT, "-l"), (STOP_ON_COPY, "--stop-on-copy")],
    counters: &[("revisions", "revisions"), ("msg_lines", "msg lines"), ("changes", "changes")],
    differing: &[],
    merged: &[],
    something: &["changes"],
};
