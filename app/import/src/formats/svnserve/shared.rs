//! The grammar of actions for other logs: httpd's modules write the same text as svnserve.
//!
//! Used by the httpd reader, and by the tests that print what was parsed back.

use super::actions::ACTIONS;
use super::values::{self, Columns, Values, read_forms};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What the text of an action says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) struct ActionText<'t> {
    /// Its first word.
    pub word: &'t str,
    /// The arguments of that action for people; `None` where no version writes such an action.
    pub known: Option<&'static str>,
    /// Whether all of the text was understood.
    pub complete: bool,
    /// The one path as printed, and whether it is URI-encoded.
    pub path: Option<(&'t str, bool)>,
    /// The one revision.
    pub revision: Option<i64>,
}

/// Reads an action with its arguments; what was read before something odd is kept.
pub(in crate::formats) fn read(text: &str) -> ActionText<'_> {
    let (word, known, complete, values) = read_with::<Columns<'_>>(text);
    let path = values.path.map(|path| (path, values.encoded));
    ActionText { word, known, complete, path, revision: values.revision }
}

/// The arguments that have no column of their own.
pub(in crate::formats) fn arguments(text: &str) -> Map<String, Value> {
    read_with::<Arguments>(text).3.0
}

/// A text with its `%HH` undone.
pub(in crate::formats) fn decoded(text: &str) -> Cow<'_, str> {
    if text.contains('%') { Cow::Owned(values::decoded(text, str::to_owned)) } else { Cow::Borrowed(text) }
}

fn read_with<'t, V: Values<'t>>(text: &'t str) -> (&'t str, Option<&'static str>, bool, V) {
    let (word, detail) = text.split_once(' ').unwrap_or((text, ""));
    let Some(action) = ACTIONS.iter().find(|action| action.word == word) else {
        return (word, None, false, V::default());
    };
    let (complete, values) = read_forms(action.forms, detail);
    (word, Some(action.help), complete, values)
}

#[derive(Debug, Default)]
struct Arguments(Map<String, Value>);

impl<'t> Values<'t> for Arguments {
    fn path(&mut self, _path: &'t str, _encoded: bool) {}

    fn revision(&mut self, _revision: i64) {}

    fn corrupt(&mut self) {}

    fn set(&mut self, key: &'static str, value: impl FnOnce() -> Value) {
        self.0.insert(key.to_owned(), value());
    }
}
