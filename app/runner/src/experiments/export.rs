//! `svn export`: the whole way of a tree, from the repository over the server to files.

use super::words::{
    IGNORE_EXTERNALS, Options, REVISION, TMPFS, address, client, flag, path, push_flag, push_number, tree,
};
use super::{Call, Counter, Experiment, ExperimentSpec, Output, Target};

/// The row of [`super::EXPERIMENTS`].
pub(super) static EXPORT: Export = Export;

static SPEC: ExperimentSpec = ExperimentSpec {
    id: "export",
    operation: "export",
    help: "svn export of the target into an empty directory",
    program: "svn",
    needs_server: true,
    needs_file: false,
    options: &[IGNORE_EXTERNALS, TMPFS, REVISION],
};

/// The experiment.
pub(super) struct Export;

impl Experiment for Export {
    fn spec(&self) -> &'static ExperimentSpec {
        &SPEC
    }

    fn target(&self, options: &Options) -> Target {
        if flag(options, &TMPFS) { Target::Tmpfs } else { Target::Medium }
    }

    /// `--force` lets it write into the directory that is there already, and changes nothing else.
    fn command(&self, call: &Call<'_>) -> Vec<String> {
        let mut words = client(call, "export");
        words.extend(["-q".to_owned(), "--force".to_owned()]);
        push_flag(&mut words, call, &IGNORE_EXTERNALS, "--ignore-externals");
        push_number(&mut words, call, &REVISION, "-r");
        words.push(address(call, call.target));
        words.extend(call.directory.as_deref().map(path));
        words
    }

    fn check(&self, output: &Output<'_>) -> Result<Vec<Counter>, String> {
        tree(output)
    }
}
