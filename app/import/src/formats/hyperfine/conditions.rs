//! Which side of the comparison a result of hyperfine is, whatever form it was exported in.

use crate::commands;
use crate::sink::describe_run;
use triptych_model::{Key, RunRow};

/// What one result is known by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The command, or the name that `-n` gave it.
    pub command: Option<String>,
    /// The parameters with their values.
    pub parameters: Vec<(String, String)>,
}

/// The run of the result of that index: command, operation, variant and parameters, as far as they are sure.
///
/// Names need not be unique: results of one name are told apart by their parameters, else by their order.
pub fn conditions(index: usize, all: &[Identity]) -> RunRow {
    let mut run = RunRow::default();
    let Some(own) = all.get(index) else { return run };
    let command = own.command.as_deref();
    let named = command.filter(|text| commands::operation(text).is_none());
    if let Some(command) = command.filter(|_| named.is_none()) {
        describe_run(&mut run, command);
    }
    for (name, value) in &own.parameters {
        match Key::parse(name) {
            Some(key) => run.content.set(key, value.clone()),
            None => {
                run.settings.insert(name.clone(), value.clone().into());
            }
        }
    }
    if run.content.get(Key::Variant).is_none() {
        let others = all.iter().enumerate().filter(|(other, _)| *other != index);
        let others: Vec<&str> = others.map(|(_, other)| other.command.as_deref().unwrap_or("")).collect();
        let mut words = variant(&run, named, &own.parameters, &others);
        let equal = |other: &&Identity| *other == own;
        if named.is_some() && all.iter().filter(equal).count() > 1 {
            let ordinal = all.iter().take(index + 1).filter(equal).count();
            words = words.map(|words| format!("{words} #{ordinal}"));
        }
        if let Some(words) = words {
            run.content.set(Key::Variant, words);
        }
    }
    run
}

/// The side of the comparison, where no parameter is called so.
///
/// A name is given with `-n`, or it is a command that we do not know: both tell results apart, with
/// the parameters where a name comes twice. Parameters that are conditions tell them apart anyway.
fn variant(
    run: &RunRow,
    named: Option<&str>,
    parameters: &[(String, String)],
    others: &[&str],
) -> Option<String> {
    if named.is_none()
        && let Some(build) = run.content.get(Key::Build)
    {
        return Some(build.to_owned());
    }
    let free = parameters.iter().filter(|(name, _)| Key::parse(name).is_none());
    let free = free.map(|(_, value)| value.as_str()).filter(|_| !others.is_empty());
    let words: Vec<&str> = match named {
        Some(name) if others.contains(&name) => std::iter::once(name).chain(free).collect(),
        Some(name) => vec![name],
        None => free.collect(),
    };
    if words.is_empty() { own_words(run.content.get(Key::Command)?, others) } else { Some(words.join(" ")) }
}

/// The words of a command that some other command with the same operation lacks.
fn own_words(command: &str, others: &[&str]) -> Option<String> {
    let operation = commands::operation(command);
    let lack = |word: &str| {
        others.iter().any(|other| {
            commands::operation(other) == operation && other.split_whitespace().all(|known| known != word)
        })
    };
    let own = command.split_whitespace().filter(|word| lack(word));
    let words: Vec<&str> = own
        .map(|word| if word.contains("://") { word } else { word.rsplit('/').next().unwrap_or(word) })
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}
