//! What `svn export` and `svn checkout` have in common: each writes a tree into an empty directory.

use super::words::{
    IGNORE_EXTERNALS, Options, REVISION, TMPFS, address, client, flag, path, push_flag, push_number, tree,
};
use super::{Call, Counter, Experiment, ExperimentSpec, OptionSpec, Output, Target};

/// Their options.
pub(super) const OPTIONS: &[OptionSpec] = &[IGNORE_EXTERNALS, TMPFS, REVISION];

/// An experiment that writes a tree.
pub(super) struct Tree {
    /// Its row.
    pub spec: &'static ExperimentSpec,
    /// Name of the subcommand: `export`.
    pub subcommand: &'static str,
    /// Words behind it: `-q`.
    pub words: &'static [&'static str],
}

impl Experiment for Tree {
    fn spec(&self) -> &'static ExperimentSpec {
        self.spec
    }

    fn target(&self, options: &Options) -> Target {
        if flag(options, &TMPFS) { Target::Tmpfs } else { Target::Medium }
    }

    fn command(&self, call: &Call<'_>) -> Vec<String> {
        let mut words = client(call, self.subcommand);
        words.extend(self.words.iter().map(|word| (*word).to_owned()));
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
