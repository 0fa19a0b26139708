//! `svn checkout`: as an export, and the client's own bookkeeping of the working copy.

use super::ExperimentSpec;
use super::tree::{OPTIONS, Tree};

/// The row of [`super::EXPERIMENTS`].
pub(super) static CHECKOUT: Tree = Tree {
    spec: &ExperimentSpec {
        id: "checkout",
        operation: "checkout",
        help: "svn checkout of the target into an empty directory",
        program: "svn",
        needs_server: true,
        needs_file: false,
        options: OPTIONS,
    },
    subcommand: "checkout",
    words: &["-q"],
};
