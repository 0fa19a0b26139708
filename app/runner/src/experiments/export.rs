//! `svn export`: the whole way of a tree, from the repository over the server to files.

use super::ExperimentSpec;
use super::tree::{OPTIONS, Tree};

/// The row of [`super::EXPERIMENTS`]; `--force` lets it write into the directory that is there already, and
/// changes nothing else.
pub(super) static EXPORT: Tree = Tree {
    spec: &ExperimentSpec {
        id: "export",
        operation: "export",
        help: "svn export of the target into an empty directory",
        program: "svn",
        needs_server: true,
        needs_file: false,
        options: OPTIONS,
    },
    subcommand: "export",
    words: &["-q", "--force"],
};
