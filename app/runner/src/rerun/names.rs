//! Names of other sources, and what the lab calls the same.

use crate::experiments::EXPERIMENTS;
use crate::lab::Lab;
use crate::plan::Cache;
use triptych_model::natural_cmp;

/// What a name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An operation, answered by the id of an experiment.
    Experiment,
    /// A variant.
    Variant,
    /// A repository.
    Repository,
    /// A medium.
    Medium,
    /// A state of the caches.
    Cache,
}

impl Kind {
    /// All kinds, in the order in which they are asked for.
    pub const ALL: [Self; 5] = [Self::Experiment, Self::Repository, Self::Variant, Self::Medium, Self::Cache];

    /// Its word in sentences and in [`Lab::known_as`].
    pub fn word(self) -> &'static str {
        match self {
            Self::Experiment => "experiment",
            Self::Variant => "variant",
            Self::Repository => "repository",
            Self::Medium => "medium",
            Self::Cache => "cache",
        }
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// A name that the lab does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What it names.
    pub kind: Kind,
    /// The name; empty where the rows do not say one.
    pub name: String,
    /// Cells that need it.
    pub needed_by: usize,
    /// What the lab has of that kind, the likeliest first.
    pub suggestions: Vec<String>,
}

impl Missing {
    /// `variant trunk`; where the rows do not say a name, that.
    pub fn title(&self) -> String {
        match self.name.as_str() {
            "" => format!("{} (the rows do not say it)", self.kind.word()),
            name => format!("{} {name}", self.kind.word()),
        }
    }
}

/// Remembers in the lab what a foreign name means there; the empty answer leaves its rows out.
///
/// # Errors
/// The lab has nothing of that name; what there is.
pub fn answer(lab: &mut Lab, kind: Kind, name: &str, lab_name: &str) -> Result<(), String> {
    let known = all(Some(lab), kind);
    if !lab_name.is_empty() && !known.iter().any(|known| known == lab_name) {
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        return Err(format!("the lab has no {} {lab_name}; there are {known}", kind.word()));
    }
    lab.known_as.insert(key(kind, name), lab_name.to_owned());
    Ok(())
}

fn key(kind: Kind, name: &str) -> String {
    format!("{} {name}", kind.word()).trim_end().to_owned()
}

/// What a lookup gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The lab's own name.
    Name(String),
    /// The rows say none, and the lab has but this one.
    Only(String),
    /// The user said that such rows are not to be repeated.
    LeftOut,
    /// Nothing.
    Nothing,
}

impl Found {
    pub(super) fn name(self) -> Option<String> {
        match self {
            Self::Name(name) | Self::Only(name) => Some(name),
            Self::LeftOut | Self::Nothing => None,
        }
    }
}

/// The lab's name for a foreign one: names, aliases, answers of the user, then the same without regard to case.
pub(super) fn find(lab: Option<&Lab>, kind: Kind, name: &str) -> Found {
    let names = all(lab, kind);
    if !name.is_empty() && names.iter().any(|known| known == name) {
        return Found::Name(name.to_owned());
    }
    let aliases = aliases(lab, kind);
    if let Some((own, _)) = aliases.iter().find(|(_, alias)| *alias == name) {
        return Found::Name((*own).to_owned());
    }
    if let Some(answer) = lab.and_then(|lab| lab.known_as.get(&key(kind, name))) {
        return match answer.as_str() {
            "" => Found::LeftOut,
            answer if names.iter().any(|known| known == answer) => Found::Name(answer.to_owned()),
            // What the answer named has gone from the lab: ask again.
            _ => Found::Nothing,
        };
    }
    let alike = |known: &str| known.eq_ignore_ascii_case(name);
    let by_name = names.iter().find(|known| alike(known)).cloned();
    let by_alias = || aliases.iter().find(|(_, alias)| alike(alias)).map(|(own, _)| (*own).to_owned());
    if let Some(own) = by_name.or_else(by_alias) {
        return Found::Name(own);
    }
    match names.as_slice() {
        [only] if name.is_empty() => Found::Only(only.clone()),
        _ => Found::Nothing,
    }
}

/// All names that there are of a kind, in the lab's order.
fn all(lab: Option<&Lab>, kind: Kind) -> Vec<String> {
    match (kind, lab) {
        (Kind::Experiment, _) => {
            EXPERIMENTS.iter().map(|experiment| experiment.spec().id.to_owned()).collect()
        }
        (Kind::Cache, _) => Cache::ALL.map(|cache| cache.name().to_owned()).to_vec(),
        (_, None) => Vec::new(),
        (Kind::Variant, Some(lab)) => lab.variants.iter().map(|known| known.name.clone()).collect(),
        (Kind::Repository, Some(lab)) => lab.repositories.iter().map(|known| known.name.clone()).collect(),
        (Kind::Medium, Some(lab)) => lab.media.iter().map(|known| known.name.clone()).collect(),
    }
}

/// Own names and aliases. A copy's name means its repository: foreign tables name copies (`fmt6_packed`).
fn aliases(lab: Option<&Lab>, kind: Kind) -> Vec<(&str, &str)> {
    let Some(lab) = lab else { return Vec::new() };
    match kind {
        Kind::Variant => lab
            .variants
            .iter()
            .flat_map(|known| known.aliases.iter().map(|alias| (known.name.as_str(), alias.as_str())))
            .collect(),
        Kind::Repository => lab
            .repositories
            .iter()
            .flat_map(|known| {
                let copies = known.copies.iter().map(|copy| &copy.name);
                known.aliases.iter().chain(copies).map(|alias| (known.name.as_str(), alias.as_str()))
            })
            .collect(),
        Kind::Experiment | Kind::Medium | Kind::Cache => Vec::new(),
    }
}

/// Counts one more cell that needs a name, and what the lab could offer for it.
pub(super) fn add_missing(
    missing: &mut Vec<Missing>,
    lab: Option<&Lab>,
    kind: Kind,
    name: &str,
    format: Option<&str>,
) {
    if let Some(known) = missing.iter_mut().find(|known| known.kind == kind && known.name == name) {
        known.needed_by += 1;
        return;
    }
    let mut suggestions = all(lab, kind);
    suggestions.sort_by_cached_key(|known| std::cmp::Reverse(likeness(lab, kind, known, name, format)));
    missing.push(Missing { kind, name: name.to_owned(), needed_by: 1, suggestions });
}

/// How likely a name of the lab means the same: the same format first, then the longest common beginning,
/// or the same number at the end.
fn likeness(
    lab: Option<&Lab>,
    kind: Kind,
    known: &str,
    name: &str,
    format: Option<&str>,
) -> (bool, bool, usize) {
    let formats = lab.filter(|_| kind == Kind::Variant).and_then(|lab| {
        let variant = lab.variant(known)?;
        let copies = lab.repositories.iter().flat_map(|repository| &repository.copies);
        let own = copies.filter(|copy| variant.copies.contains(&copy.name));
        Some(own.filter_map(|copy| copy.format.as_deref()).collect::<Vec<_>>())
    });
    let same_format = format.is_some_and(|format| formats.is_some_and(|formats| formats.contains(&format)));
    let tail = |text: &str| text.chars().rev().take_while(char::is_ascii_digit).collect::<String>();
    let same_number = !tail(name).is_empty() && natural_cmp(&tail(name), &tail(known)).is_eq();
    let pairs = known.chars().zip(name.chars());
    (same_format, same_number, pairs.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count())
}
