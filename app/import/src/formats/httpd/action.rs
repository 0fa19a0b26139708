//! SVN-ACTION as httpd's modules write it: svnserve's grammar, a replay without its leading slash, and
//! the names of Subversion 1.4 and before.

use super::fields::unescaped;
use crate::formats::svnserve::shared;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use triptych_model::Quality;

/// One action.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Action<'t> {
    /// Its name today, or the word as it stands where that is unknown.
    pub word: Cow<'t, str>,
    /// The one path, decoded.
    pub path: Option<Cow<'t, str>>,
    /// The one revision.
    pub revision: Option<i64>,
    /// Measured, and what is odd about it.
    pub quality: Quality,
    /// What was expected instead, where it was not understood.
    pub expected: Option<&'static str>,
}

/// Reads an action whose escapes are undone.
pub(super) fn read(text: &str) -> Action<'_> {
    if let Some((action, _)) = replay(text).or_else(|| old(text)) {
        return action;
    }
    let read = shared::read(text);
    let path = read.path.map(|(path, encoded)| if encoded { shared::decoded(path) } else { path.into() });
    let (quality, expected) = match read.known {
        _ if read.complete => (Quality::NONE, None),
        Some(help) => (Quality::MALFORMED, Some(help)),
        None => (Quality::UNKNOWN_ACTION, Some("an action of Subversion")),
    };
    Action {
        word: read.word.into(),
        path,
        revision: read.revision,
        quality: Quality::MEASURED.with(quality),
        expected,
    }
}

/// The arguments that have no column of their own.
pub(super) fn arguments(text: &str) -> Map<String, Value> {
    match replay(text).or_else(|| old(text)) {
        Some((_, arguments)) => arguments,
        None => shared::arguments(text),
    }
}

/// Whether a text in a line is an action that reads to its end, or says that there is none.
pub(super) fn is_whole(raw: &str) -> bool {
    raw == "-" || read(&unescaped(raw)).expected.is_none()
}

/// `replay trunk/sub rN`: mod_dav_svn leaves out the slash.
fn replay(text: &str) -> Option<(Action<'_>, Map<String, Value>)> {
    let (path, revision) = text.strip_prefix("replay ")?.rsplit_once(" r")?;
    if path.starts_with('/') || path.contains([' ', '\'']) {
        return None;
    }
    let action = Action {
        word: "replay".into(),
        path: Some(format!("/{}", shared::decoded(path)).into()),
        revision: Some(revision.parse().ok()?),
        quality: Quality::MEASURED,
        expected: None,
    };
    Some((action, Map::new()))
}

/// What follows an old name.
#[derive(Clone, Copy)]
enum Old {
    Nothing,
    /// `'P'`
    Path,
    /// `'P'`, a list today
    Paths,
    /// `'P' 'P2'`, not encoded
    TwoPaths,
    /// `rN 'name'`
    RevisionAndName,
    /// `N 'P'`
    RevisionAndPath,
}

/// The names of Subversion 1.4 and before, their names today, and what follows them.
const OLD: &[(&str, &str, Old)] = &[
    ("list-dir", "get-dir", Old::Path),
    ("checkout-or-export", "checkout-or-export", Old::Path),
    ("update", "update", Old::Path),
    ("remote-status", "status", Old::Path),
    ("switch", "switch", Old::TwoPaths),
    ("diff-or-merge", "diff", Old::TwoPaths),
    ("blame", "get-file-revs", Old::Path),
    ("log-all", "log", Old::Paths),
    ("log-partial", "log", Old::Paths),
    ("log", "log", Old::Nothing),
    ("lock", "lock", Old::Paths),
    ("unlock", "unlock", Old::Paths),
    ("revprop-change", "change-rev-prop", Old::RevisionAndName),
    ("replay", "replay", Old::RevisionAndPath),
];

fn old(text: &str) -> Option<(Action<'_>, Map<String, Value>)> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    OLD.iter().filter(|(name, _, _)| *name == word).find_map(|(_, today, form)| old_form(*form, today, rest))
}

fn old_form(form: Old, word: &'static str, rest: &str) -> Option<(Action<'static>, Map<String, Value>)> {
    let quality = Quality::MEASURED.with(Quality::PRE_1_5);
    let mut action = Action { word: word.into(), path: None, revision: None, quality, expected: None };
    let mut arguments = Map::new();
    match form {
        Old::Nothing if rest.is_empty() => {}
        Old::Nothing => return None,
        Old::Path | Old::Paths => {
            let path = shared::decoded(quoted(rest)?).into_owned();
            if matches!(form, Old::Paths) {
                arguments.insert("paths".to_owned(), json!([path]));
            }
            action.path = Some(path.into());
        }
        Old::TwoPaths => {
            let (path, path2) = quoted(rest)?.split_once("' '")?;
            action.path = Some(path.to_owned().into());
            arguments.insert("path2".to_owned(), json!(path2));
        }
        Old::RevisionAndName => {
            let (revision, name) = rest.strip_prefix('r')?.split_once(' ')?;
            action.revision = Some(revision.parse().ok()?);
            arguments.insert("property".to_owned(), json!(shared::decoded(quoted(name)?)));
        }
        Old::RevisionAndPath => {
            let (revision, path) = rest.split_once(' ')?;
            action.revision = Some(revision.parse().ok()?);
            action.path = Some(shared::decoded(quoted(path)?).into_owned().into());
        }
    }
    Some((action, arguments))
}

/// What stands between the first and the last quote.
fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('\'')?.strip_suffix('\'').filter(|inside| !inside.is_empty())
}
