//! `svn checkout`: as an export, and the client's own bookkeeping of the working copy.

use super::words::{
    IGNORE_EXTERNALS, Options, REVISION, TMPFS, address, client, flag, path, push_flag, push_number, tree,
};
use super::{Call, Counter, Experiment, ExperimentSpec, Output, Target};

/// The row of [`super::EXPERIMENTS`].
pub(super) static CHECKOUT: Checkout = Checkout;

static SPEC: ExperimentSpec = ExperimentSpec {
    id: "checkout",
    operation: "checkout",
    help: "svn checkout of the target into an empty directory",
    program: "svn",
    needs_server: true,
    needs_file: false,
    options: &[IGNORE_EXTERNALS, TMPFS, REVISION],
};

/// The experiment.
pub(super) struct Checkout;

impl Experiment for Checkout {
    fn spec(&self) -> &'static ExperimentSpec {
        &SPEC
    }

    fn target(&self, options: &Options) -> Target {
        if flag(options, &TMPFS) { Target::Tmpfs } else { Target::Medium }
    }

    fn command(&self, call: &Call<'_>) -> Vec<String> {
        let mut words = client(call, "checkout");
        words.push("-q".to_owned());
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
