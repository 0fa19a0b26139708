//! What all subcommands of svnbench have in common: each fetches everything and writes nothing, and
//! prints what it counted.

use super::words::{Options, address, client, counter, footers, merged, push_flag, push_number, shown};
use super::{Call, Counter, Experiment, ExperimentSpec, OptionSpec, Output, Target};

/// An experiment that is a subcommand of svnbench.
pub(super) struct Bench {
    /// Its row.
    pub spec: &'static ExperimentSpec,
    /// Name of the subcommand: `null-log`.
    pub subcommand: &'static str,
    /// Words that make it this operation: `-v`, `-g`.
    pub words: &'static [&'static str],
    /// Options of plans, and the words they become.
    pub options: &'static [(OptionSpec, &'static str)],
    /// Metrics and labels of what it counts.
    pub counters: &'static [(&'static str, &'static str)],
    /// The same of what it counts too, but what builds may count differently, so that runs need not agree.
    pub differing: &'static [(&'static str, &'static str)],
    /// Metrics, labels and words of the second column of `-g`.
    pub merged: &'static [(&'static str, &'static str, &'static str)],
    /// Metrics of which one at least must not be 0: on failure svnbench prints zeros first and its error
    /// afterwards.
    pub something: &'static [&'static str],
}

impl Experiment for Bench {
    fn spec(&self) -> &'static ExperimentSpec {
        self.spec
    }

    fn target(&self, _options: &Options) -> Target {
        Target::None
    }

    fn command(&self, call: &Call<'_>) -> Vec<String> {
        let mut words = client(call, self.subcommand);
        words.extend(self.words.iter().map(|word| (*word).to_owned()));
        for (option, word) in self.options {
            push_flag(&mut words, call, option, word);
            push_number(&mut words, call, option, word);
        }
        let path = if self.spec.needs_file { call.file.unwrap_or_default() } else { call.target };
        words.push(address(call, path));
        words
    }

    fn check(&self, output: &Output<'_>) -> Result<Vec<Counter>, String> {
        let mut counters = Vec::new();
        for (metric, label) in self.counters {
            counters.push((*metric, counter(output.stdout, label)?));
        }
        for (metric, label, words) in self.merged {
            counters.push((*metric, merged(output.stdout, label, words)?));
        }
        let counted = |(metric, value): &Counter| self.something.contains(metric) && *value > 0.0;
        if !counters.iter().any(counted) {
            return Err(format!(
                "svnbench counted nothing: expected {} above 0, found {}",
                self.something.join(" or "),
                shown(output.stdout)
            ));
        }
        too_many(&counters, output)?;
        Ok(counters)
    }

    fn reported(&self, output: &Output<'_>) -> Vec<Counter> {
        let counted = self
            .differing
            .iter()
            .filter_map(|(metric, label)| Some((*metric, counter(output.stdout, label).ok()?)));
        counted.chain(footers(output)).collect()
    }
}

/// A repository has no more revisions than its youngest says; those that `-g` repeats are counted apart.
fn too_many(counters: &[Counter], output: &Output<'_>) -> Result<(), String> {
    let value = |name: &str| counters.iter().find(|(metric, _)| *metric == name).map(|(_, value)| *value);
    let (Some(revisions), Some(youngest)) = (value("revisions"), output.youngest) else { return Ok(()) };
    let own = revisions - value("merged_revisions").unwrap_or(0.0);
    if own > youngest as f64 + 1.0 {
        return Err(format!(
            "svnbench counted {own} revisions of its own: expected at most {youngest}, the youngest revision"
        ));
    }
    Ok(())
}
