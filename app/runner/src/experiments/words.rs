//! The words that commands of several experiments share: addresses, options, counters.

use super::{Call, OptionKind, OptionSpec, Output};
use crate::command_text::encode;
use serde_json::Value;
use std::collections::BTreeMap;

/// Whether externals are left out.
pub(super) const IGNORE_EXTERNALS: OptionSpec = OptionSpec {
    name: "ignore-externals",
    label: "Ignore externals",
    help: "leave out what svn:externals would fetch from elsewhere",
    kind: OptionKind::Flag(true),
};

/// Whether the client writes to memory or to the repository's own medium.
pub(super) const TMPFS: OptionSpec = OptionSpec {
    name: "tmpfs",
    label: "Write to memory",
    help: "write to a tmpfs, so that only reading the repository costs disk time; else to the repository's medium",
    kind: OptionKind::Flag(true),
};

/// An older revision.
pub(super) const REVISION: OptionSpec = OptionSpec {
    name: "revision",
    label: "Revision",
    help: "the revision to fetch; the youngest where nothing is said",
    kind: OptionKind::Number(1, i64::MAX, None),
};

/// How many revisions of a log.
pub(super) const LIMIT: OptionSpec = OptionSpec {
    name: "limit",
    label: "Limit",
    help: "at most so many revisions; all where nothing is said",
    kind: OptionKind::Number(1, i64::MAX, None),
};

/// Whether a log ends at the copy that made the path.
pub(super) const STOP_ON_COPY: OptionSpec = OptionSpec {
    name: "stop-on-copy",
    label: "Stop on copy",
    help: "do not follow the history over the copy that made the path",
    kind: OptionKind::Flag(false),
};

/// Names and values of options as a plan gives them.
pub(super) type Options = BTreeMap<String, Value>;

/// A flag as the plan says it, else its default.
pub(super) fn flag(options: &Options, spec: &OptionSpec) -> bool {
    let default = matches!(spec.kind, OptionKind::Flag(true));
    options.get(spec.name).and_then(Value::as_bool).unwrap_or(default)
}

/// A number as the plan says it, else its default if it has one.
pub(super) fn number(options: &Options, spec: &OptionSpec) -> Option<i64> {
    let OptionKind::Number(_, _, default) = spec.kind else { return None };
    options.get(spec.name).and_then(Value::as_i64).or(default)
}

/// Appends `--flag` where the flag is set.
pub(super) fn push_flag(words: &mut Vec<String>, call: &Call<'_>, spec: &OptionSpec, word: &str) {
    if flag(call.options, spec) {
        words.push(word.to_owned());
    }
}

/// Appends `-r N` and the like where the number is said.
pub(super) fn push_number(words: &mut Vec<String>, call: &Call<'_>, spec: &OptionSpec, word: &str) {
    if let Some(number) = number(call.options, spec) {
        words.extend([word.to_owned(), number.to_string()]);
    }
}

/// The beginning of a client's command: it never asks, and no user's settings take part.
pub(super) fn client(call: &Call<'_>, subcommand: &str) -> Vec<String> {
    let mut words = vec![path(&call.program), subcommand.to_owned(), "--non-interactive".to_owned()];
    words.extend(["--config-dir".to_owned(), path(&call.config)]);
    words
}

/// A path as a word of a command.
pub(super) fn path(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The address of a path in the repository; everything but plain letters is written as `%XX`, so that
/// no blank means anything else. svn takes what follows the last `@`, written as `%40` too, for a revision:
/// behind a path that has one stands an empty one.
pub(super) fn address(call: &Call<'_>, path: &str) -> String {
    let mut text = call.url.trim_end_matches('/').to_owned();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        text.push('/');
        text.push_str(&encode(part));
    }
    if path.contains('@') {
        text.push('@');
    }
    text
}

/// Reads one counter of svnbench: `%15s label`, thousands grouped by commas in every language.
///
/// The figures of merged revisions stand behind a comma in the same line and are read by [`merged`].
pub(super) fn counter(stdout: &str, label: &str) -> Result<f64, String> {
    let line = stdout.lines().find_map(|line| {
        let (number, rest) = line.trim().split_once(' ')?;
        let rest = rest.strip_prefix(label)?;
        (rest.is_empty() || rest.starts_with(',')).then_some(number)
    });
    let Some(number) = line else {
        return Err(format!(
            "svnbench counted no {label}: expected a line such as \"1,397 {label}\", found {}",
            shown(stdout)
        ));
    };
    let digits = number.replace(',', "");
    let value = digits.parse::<u64>().map_err(|error| {
        format!("unreadable number of {label}: expected digits such as 1,397, found {number:?} ({error})")
    })?;
    Ok(value as f64)
}

/// Reads a figure of the second column of `null-log -g`, which stands before the words `words`.
pub(super) fn merged(stdout: &str, label: &str, words: &str) -> Result<f64, String> {
    let find = || {
        let line = stdout
            .lines()
            .find(|line| line.trim().split_once(' ').is_some_and(|(_, rest)| rest.starts_with(label)))?;
        let (_, second) = line.split_once(&format!("{label},"))?;
        let before = second.split(words).next().filter(|before| before.len() < second.len())?;
        before.split_whitespace().next_back()?.replace(',', "").parse::<u64>().ok()
    };
    match find() {
        Some(value) => Ok(value as f64),
        None => Err(format!(
            "svnbench did not say what was merged: expected \"… {label}, 704 {words}\", found {}",
            shown(stdout)
        )),
    }
}

/// What svnbench 1.10 and later say behind the counters; it differs between runs.
pub(super) fn footers(output: &Output<'_>) -> Vec<super::Counter> {
    const LINES: [(&str, &str); 2] =
        [("duration", " seconds taken"), ("net_bytes", " bytes transferred over network")];
    let figure = |words: &str| {
        let line = output.stdout.lines().find_map(|line| line.trim().strip_suffix(words))?;
        line.replace(',', "").parse::<f64>().ok().filter(|value| value.is_finite())
    };
    LINES.into_iter().filter_map(|(metric, words)| Some((metric, figure(words)?))).collect()
}

/// The beginning of an output for an error, or that there was none.
pub(super) fn shown(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "no output".to_owned();
    }
    let short: String = text.chars().take(200).collect();
    format!("{:?}{}", short, if short.len() < text.len() { " …" } else { "" })
}

/// The check of a tree that was written.
pub(super) fn tree(output: &Output<'_>) -> Result<Vec<super::Counter>, String> {
    match output.target {
        Some((items, bytes)) if items > 0 => {
            Ok(vec![("export_items", items as f64), ("export_size", bytes as f64)])
        }
        Some(_) => {
            Err("nothing was written: expected at least one item in the target, found an empty directory"
                .into())
        }
        None => Err("the target was not measured: expected the number of its items, found nothing".into()),
    }
}
