//! Which experiment repeats a row, and with which options: from the runner's own facts, else from the command.

use super::OldRow;
use crate::experiments::{EXPERIMENTS, ExperimentSpec, OptionKind, OptionSpec, experiment, option_problems};
use crate::plan::Operation;
use serde_json::Value;
use std::collections::BTreeMap;
use triptych_model::Key;

/// Options that an experiment calls otherwise.
const SHORT: &[(&str, &[&str])] = &[
    ("-M", &["cache-size"]),
    ("-v", &["verbose"]),
    ("-g", &["use-merge-history"]),
    ("-r", &["revision"]),
    ("-l", &["limit"]),
    ("--memory-cache-size", &["cache-size"]),
    ("-R", &["recursive"]),
];

/// An option of our own that no command line has: its target's path says it.
const TMPFS: &str = "tmpfs";

/// Options that change nothing that is measured, with whether a value follows.
const IDLE: &[(&str, bool)] = &[
    ("-q", false),
    ("--quiet", false),
    ("--non-interactive", false),
    ("--no-auth-cache", false),
    ("--force", false),
    ("--username", true),
    ("--password", true),
    ("--config-dir", true),
];

/// The operation of a row, if an experiment has it, and a sentence for each option that it does not repeat.
pub(super) fn operation_of(row: &OldRow) -> (Option<Operation>, Vec<String>) {
    if let Some(id) = row.settings.get("experiment").and_then(Value::as_str)
        && experiment(id).is_some()
    {
        let options = row.settings.get("options").and_then(Value::as_object).cloned().unwrap_or_default();
        let options = options.into_iter().collect();
        return (Some(Operation { experiment: id.to_owned(), options }), Vec::new());
    }
    let named = row.conditions.get(Key::Operation).unwrap_or_default();
    let known = |spec: &ExperimentSpec| spec.operation == named || spec.id == named;
    let Some(spec) = EXPERIMENTS.iter().map(|experiment| experiment.spec()).find(|spec| known(spec)) else {
        return (None, Vec::new());
    };
    let (options, unrepeated) = match row.conditions.get(Key::Command) {
        Some(command) => options_of(command, spec),
        None => (BTreeMap::new(), Vec::new()),
    };
    (Some(Operation { experiment: spec.id.to_owned(), options }), unrepeated)
}

/// The options of a command line that the experiment has, and a sentence for each that it has not.
fn options_of(command: &str, spec: &ExperimentSpec) -> (BTreeMap<String, Value>, Vec<String>) {
    let mut options = not_said(spec);
    let mut unrepeated = Vec::new();
    let words = command_words(command);
    if words.iter().any(|word| word.starts_with("/dev/shm")) {
        options.insert(TMPFS.to_owned(), Value::Bool(true));
    }
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let (name, joined) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let is_option = word.starts_with('-') && word != "-";
        if let Some((_, takes_value)) = IDLE.iter().find(|(idle, _)| *idle == name) {
            if *takes_value && joined.is_none() {
                words.next();
            }
            continue;
        }
        if !is_option || in_name(name, spec) {
            continue;
        }
        let Some(option) = option_of(name, spec) else {
            unrepeated.push(format!("the option {word} of {} is not repeated", spec.operation));
            continue;
        };
        let value = match option.kind {
            OptionKind::Flag(_) => Some(Value::Bool(true)),
            OptionKind::Number(..) => {
                let text = joined.or_else(|| words.next_if(|next| !next.starts_with('-')));
                text.and_then(|text| text.parse::<i64>().ok()).map(Value::from)
            }
        };
        let one = value.map(|value| BTreeMap::from([(option.name.to_owned(), value)]));
        match one.filter(|one| option_problems(spec, one).is_empty()) {
            Some(one) => options.extend(one),
            None => unrepeated.push(format!("the value of {word} in `{command}` cannot be used")),
        }
    }
    let is_default = |name: &str, value: &Value| {
        spec.options.iter().any(|option| option.name == name && *value == default_of(option))
    };
    options.retain(|name, value| !is_default(name, value));
    (options, unrepeated)
}

/// What the command would say if it were so: options that we set by default and the command does not name.
fn not_said(spec: &ExperimentSpec) -> BTreeMap<String, Value> {
    let set = spec.options.iter().filter(|option| option.kind == OptionKind::Flag(true));
    let named = set.filter(|option| option.name != TMPFS);
    named.map(|option| (option.name.to_owned(), Value::Bool(false))).collect()
}

fn default_of(option: &OptionSpec) -> Value {
    match option.kind {
        OptionKind::Flag(default) => Value::Bool(default),
        OptionKind::Number(_, _, default) => default.map_or(Value::Null, Value::from),
    }
}

/// Whether the operation's own name says this option, as `null-log -v -g` does; letters may be joined.
fn in_name(option: &str, spec: &ExperimentSpec) -> bool {
    let said = |letter: char| {
        letter == 'q' || spec.operation.split_whitespace().any(|word| word == format!("-{letter}"))
    };
    match option {
        "--verbose" => said('v'),
        "--use-merge-history" => said('g'),
        _ => option.strip_prefix('-').is_some_and(|letters| {
            !letters.is_empty()
                && letters.chars().all(|letter| letter.is_ascii_lowercase())
                && letters.chars().all(said)
        }),
    }
}

fn option_of(name: &str, spec: &ExperimentSpec) -> Option<&'static OptionSpec> {
    let long = name.strip_prefix("--");
    let short = SHORT.iter().find(|(short, _)| *short == name).map(|(_, names)| *names).unwrap_or_default();
    spec.options.iter().find(|option| long == Some(option.name) || short.contains(&option.name))
}

/// The words from the Subversion program on, without what a shell would take off.
fn command_words(command: &str) -> Vec<&str> {
    let quotes: &[char] = &['(', ')', '{', '}', '"', '\''];
    let is_program =
        |word: &&str| word.rsplit(['/', '\\']).next().is_some_and(|base| base.starts_with("svn"));
    let words = command.split_whitespace().map(|word| word.trim_matches(quotes));
    let words = words.filter(|word| !word.is_empty()).skip_while(|word| !is_program(word));
    words.take_while(|word| !matches!(*word, "|" | "&&" | ";" | ">" | "2>&1" | ">/dev/null")).collect()
}
