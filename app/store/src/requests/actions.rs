//! The table of actions: what kind each is, when the server logs it, and what it is in words.

use serde::{Deserialize, Serialize};

/// What an action does to the server, for colours and bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// Sends files and trees to the client.
    Read,
    /// Opens, moves and asks after the session's repository.
    Session,
    /// Looks something up: does it exist, what is in it, where was it.
    LookUp,
    /// Walks through revisions.
    History,
    /// Changes the repository.
    Write,
    /// A word this table does not have.
    Other,
    /// Not an action: `error`, `warning`, `denied`.
    Error,
}

impl ActionKind {
    /// Kinds of actions in the order in which bars are stacked, from the bottom; errors are none.
    pub const STACK: [Self; 6] =
        [Self::Read, Self::Session, Self::LookUp, Self::History, Self::Write, Self::Other];

    /// The name in legend and filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read files",
            Self::Session => "session",
            Self::LookUp => "look up",
            Self::History => "history",
            Self::Write => "write",
            Self::Other => "other",
            Self::Error => "error",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        let mut all = Self::STACK.into_iter().chain([Self::Error]);
        all.find(|kind| kind.name() == name)
    }

    /// Its place in [`ActionKind::STACK`]; behind its end for errors.
    pub fn place(self) -> usize {
        self as usize
    }
}

/// One action of Subversion's log, or an HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionInfo {
    /// The word in the log.
    pub word: &'static str,
    /// Its kind.
    pub kind: ActionKind,
    /// Whether svnserve writes its line when the work is done; else before it begins.
    pub at_end: bool,
    /// What the client wants, as a sentence.
    pub says: &'static str,
}

const fn row(word: &'static str, kind: ActionKind, at_end: bool, says: &'static str) -> ActionInfo {
    ActionInfo { word, kind, at_end, says }
}

use ActionKind::{Error, History, LookUp, Read, Session, Write};

/// All known actions. Which are logged at their end is read in svnserve's source and proved by runs.
pub const ACTIONS: &[ActionInfo] = &[
    row("get-file", Read, false, "The client reads a file's text, its properties, or both."),
    row("checkout-or-export", Read, true, "The client checks out or exports a tree."),
    row("update", Read, true, "The client updates its working copy."),
    row("switch", Read, false, "The client switches its working copy to another path."),
    row("open", Session, false, "A client opens a session."),
    row("reparent", Session, false, "The client moves its session to another path."),
    row("get-latest-rev", Session, false, "The client asks for the youngest revision."),
    row("get-dated-rev", LookUp, false, "The client asks which revision a date had."),
    row("check-path", LookUp, false, "The client asks whether a path exists."),
    row("stat", LookUp, false, "The client asks for a path's kind, size and last change."),
    row("get-dir", LookUp, false, "The client lists a directory."),
    row("list", LookUp, false, "The client lists a tree."),
    row("status", LookUp, false, "The client compares its working copy with the repository."),
    row("get-locations", LookUp, false, "The client asks where a path was in other revisions."),
    row("get-location-segments", LookUp, false, "The client asks where a path was over time."),
    row("get-mergeinfo", LookUp, false, "The client asks what was merged to a path."),
    row("get-inherited-props", LookUp, false, "The client asks for properties of the parents."),
    row("get-deleted-rev", LookUp, false, "The client asks when a path was deleted."),
    row("get-lock", LookUp, false, "The client asks whether a path is locked."),
    row("get-locks", LookUp, false, "The client asks for all locks below a path."),
    row("rev-prop", LookUp, false, "The client reads a property of a revision."),
    row("rev-proplist", LookUp, false, "The client reads all properties of a revision."),
    row("log", History, false, "The client reads log messages."),
    row("get-file-revs", History, false, "The client reads a file's revisions, as blame does."),
    row("diff", History, true, "The client asks for the difference of two trees."),
    row("replay", History, false, "The client replays a revision."),
    row("commit", Write, true, "The client commits a revision."),
    row("lock", Write, false, "The client locks paths."),
    row("unlock", Write, false, "The client unlocks paths."),
    row("change-rev-prop", Write, false, "The client changes a property of a revision."),
    row("GET", Read, true, "The client reads a resource."),
    row("HEAD", LookUp, true, "The client asks for a resource's head."),
    row("PROPFIND", LookUp, true, "The client reads properties of a resource."),
    row("OPTIONS", Session, true, "The client asks what the server can do."),
    row("REPORT", History, true, "The client asks for a report."),
    row("MERGE", Write, true, "The client commits what it has sent."),
    row("PUT", Write, true, "The client sends a file."),
    row("POST", Write, true, "The client opens a transaction."),
    row("DELETE", Write, true, "The client deletes a path."),
    row("MKCOL", Write, true, "The client makes a directory."),
    row("MKACTIVITY", Write, true, "The client opens an activity."),
    row("CHECKOUT", Write, true, "The client checks a resource out into an activity."),
    row("PROPPATCH", Write, true, "The client changes properties."),
    row("COPY", Write, true, "The client copies a path."),
    row("MOVE", Write, true, "The client moves a path."),
    row("LOCK", Write, true, "The client locks a path."),
    row("UNLOCK", Write, true, "The client unlocks a path."),
    row("error", Error, false, "The server reports an error."),
    row("warning", Error, false, "The server reports a warning."),
    row("denied", Error, false, "The server refuses access to a path."),
];

/// What the table says of a word; unknown words are [`ActionKind::Other`].
pub fn action(word: &str) -> ActionInfo {
    let known = ACTIONS.iter().find(|info| info.word == word);
    known.copied().unwrap_or(ActionInfo {
        word: "",
        kind: ActionKind::Other,
        at_end: false,
        says: "This program does not know the action.",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_kinds_have_their_place() {
        for (index, info) in ACTIONS.iter().enumerate() {
            assert!(ACTIONS[index + 1..].iter().all(|other| other.word != info.word), "{}", info.word);
            assert!(info.says.ends_with('.'));
        }
        for (place, kind) in ActionKind::STACK.into_iter().enumerate() {
            assert_eq!((kind.place(), ActionKind::parse(kind.name())), (place, Some(kind)));
        }
    }

    #[test]
    fn four_actions_of_svnserve_are_logged_at_their_end() {
        let lower = |info: &&ActionInfo| info.word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let mut at_end: Vec<&str> =
            ACTIONS.iter().filter(lower).filter(|info| info.at_end).map(|info| info.word).collect();
        at_end.sort_unstable();
        assert_eq!(at_end, ["checkout-or-export", "commit", "diff", "update"]);
        assert_eq!(action("frobnicate").kind, ActionKind::Other);
    }
}
