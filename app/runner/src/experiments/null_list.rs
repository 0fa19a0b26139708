//! `svnbench null-list`: the entries of a tree without their contents.

use super::bench::Bench;
use super::words::REVISION;
use super::{ExperimentSpec, OptionKind, OptionSpec};

const RECURSIVE: OptionSpec = OptionSpec {
    name: "recursive",
    label: "Whole tree",
    help: "all directories below the target (-R), else its own entries",
    kind: OptionKind::Flag(true),
};

const VERBOSE: OptionSpec = OptionSpec {
    name: "verbose",
    label: "Verbose",
    help: "also revision, author, size and date of each entry (-v)",
    kind: OptionKind::Flag(false),
};

/// The row of [`super::EXPERIMENTS`].
pub(super) static NULL_LIST: Bench = Bench {
    spec: &ExperimentSpec {
        id: "null-list",
        operation: "null-list",
        help: "svnbench null-list: the entries of the target",
        program: "svnbench",
        needs_server: true,
        needs_file: false,
        options: &[RECURSIVE, VERBOSE, REVISION],
    },
    subcommand: "null-list",
    words: &[],
    options: &[(RECURSIVE, "-R"), (VERBOSE, "-v"), (REVISION, "-r")],
    counters: &[("directories", "directories"), ("files", "files"), ("locks", "locks")],
    differing: &[],
    merged: &[],
    something: &["directories", "files"],
};
