//! Which side of the comparison a result of hyperfine is, whatever form it was exported in.

use crate::commands;
use crate::sink::describe_run;
use std::collections::{BTreeSet, HashMap};
use triptych_model::{Key, RunRow};

/// What one result is known by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The command, or the name that `-n` gave it.
    pub command: Option<String>,
    /// The parameters with their values.
    pub parameters: Vec<(String, String)>,
}

/// The results of one export, counted once: there may be many.
pub struct Results<'a> {
    all: &'a [Identity],
    /// How often each result's identity comes.
    same: HashMap<&'a Identity, usize>,
    /// How often it came up to the result of that index, itself included.
    ordinals: Vec<usize>,
    /// How often each command or name comes.
    names: HashMap<&'a str, usize>,
    /// How many results have an operation.
    operations: HashMap<String, usize>,
    /// How many of those have a word in their command.
    words: HashMap<(String, &'a str), usize>,
}

impl<'a> Results<'a> {
    /// Counts what the results have in common.
    pub fn new(all: &'a [Identity]) -> Self {
        let mut results = Self {
            all,
            same: HashMap::new(),
            ordinals: Vec::with_capacity(all.len()),
            names: HashMap::new(),
            operations: HashMap::new(),
            words: HashMap::new(),
        };
        for one in all {
            let count = results.same.entry(one).or_default();
            *count += 1;
            results.ordinals.push(*count);
            let command = one.command.as_deref().unwrap_or("");
            *results.names.entry(command).or_default() += 1;
            if let Some(operation) = commands::operation(command) {
                for word in command.split_whitespace().collect::<BTreeSet<_>>() {
                    *results.words.entry((operation.clone(), word)).or_default() += 1;
                }
                *results.operations.entry(operation).or_default() += 1;
            }
        }
        results
    }

    /// The run of the result of that index: command, operation, variant and parameters, as far as they
    /// are sure.
    ///
    /// Names need not be unique: results of one name are told apart by their parameters, else by their
    /// order.
    pub fn conditions(&self, index: usize) -> RunRow {
        let mut run = RunRow::default();
        let Some(own) = self.all.get(index) else { return run };
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
            let mut words = self.variant(&run, named, &own.parameters);
            if named.is_some() && self.same.get(own).is_some_and(|count| *count > 1) {
                let ordinal = self.ordinals.get(index).copied().unwrap_or(1);
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
    fn variant(&self, run: &RunRow, named: Option<&str>, parameters: &[(String, String)]) -> Option<String> {
        if named.is_none()
            && let Some(build) = run.content.get(Key::Build)
        {
            return Some(build.to_owned());
        }
        let free = parameters.iter().filter(|(name, _)| Key::parse(name).is_none());
        let free = free.map(|(_, value)| value.as_str()).filter(|_| self.all.len() > 1);
        let words: Vec<&str> = match named {
            Some(name) if self.names.get(name).is_some_and(|count| *count > 1) => {
                std::iter::once(name).chain(free).collect()
            }
            Some(name) => vec![name],
            None => free.collect(),
        };
        if words.is_empty() { self.own_words(run.content.get(Key::Command)?) } else { Some(words.join(" ")) }
    }

    /// The words of a command that some other command with the same operation lacks.
    fn own_words(&self, command: &str) -> Option<String> {
        let operation = commands::operation(command)?;
        let commands = *self.operations.get(&operation)?;
        let lack =
            |word: &&str| self.words.get(&(operation.clone(), *word)).is_none_or(|count| *count < commands);
        let words: Vec<&str> = command
            .split_whitespace()
            .filter(lack)
            .map(|word| if word.contains("://") { word } else { word.rsplit('/').next().unwrap_or(word) })
            .collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}
