//! The actions of svnserve and the arguments behind each, in their fixed order.
//!
//! A new action is a row here. The arguments are read by [`super::values`], for the columns as for
//! the JSON object.

/// One argument of an action; optional ones may be absent, the order never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arg {
    /// `P`, the path of the action.
    Path,
    /// `P@N` with the revision of the action.
    PathAtRevision,
    /// `P@N` with a peg revision; `@N` may be absent.
    PathAtPeg,
    /// `P@N` of the first side of a comparison.
    PathFrom,
    /// `P2@N` of the second side of a comparison.
    Path2To,
    /// `P2@N` with the revision of the action.
    Path2AtRevision,
    /// `(P P …)`.
    Paths,
    /// `rN`.
    Revision,
    /// `rN:M`.
    Range,
    /// `(N N …)`.
    Revisions,
    /// The damaged or whole path of a replay, and its revision behind it.
    Replay,
    /// A word that may be there; with it the argument of that name is true.
    Flag(&'static str, &'static str),
    /// `depth=D`, optional.
    Depth,
    /// `limit=N`, optional.
    Limit,
    /// `revprops=all` or `revprops=(a b)`, optional.
    Revprops,
    /// `explicit`, `inherited` or `nearest-ancestor`.
    Inheritance,
    /// An encoded word, kept under that name.
    Word(&'static str),
    /// `<ANY>` or patterns, raw to the end of the line.
    Patterns,
    /// `N cap=(words)`.
    Protocol,
    /// What the client calls itself: two encoded words.
    Clients,
}

/// One action.
pub(super) struct Action {
    /// As logged.
    pub word: &'static str,
    /// Its arguments; more than one row where the log has several forms.
    pub forms: &'static [&'static [Arg]],
    /// The arguments for people.
    pub help: &'static str,
}

use Arg::{
    Clients, Depth, Flag, Inheritance, Limit, Path, Path2AtRevision, Path2To, PathAtPeg, PathAtRevision,
    PathFrom, Paths, Patterns, Protocol, Range, Replay, Revision, Revisions, Revprops, Word,
};

const TEXT: Arg = Flag("text", "text");
const PROPS: Arg = Flag("props", "props");
const IGNORE_ANCESTRY: Arg = Flag("ignore-ancestry", "ignore_ancestry");
const INCLUDE_MERGED: Arg = Flag("include-merged-revisions", "include_merged_revisions");
const INCLUDE_DESCENDANTS: Arg = Flag("include-descendants", "include_descendants");
const CHANGED_PATHS: Arg = Flag("discover-changed-paths", "discover_changed_paths");
const STRICT: Arg = Flag("strict", "strict");
const COPYFROM: Arg = Flag("send-copyfrom-args", "send_copyfrom_args");

/// The actions of Subversion 1.6 to 1.14, frequent ones first.
pub(super) const ACTIONS: &[Action] = &[
    action("get-file", &[&[Path, Revision, TEXT, PROPS]], "/path rN [text] [props]"),
    action("get-latest-rev", &[&[]], "nothing"),
    action("open", &[&[Protocol, Path, Clients]], "N cap=(…) /path client client"),
    action("reparent", &[&[Path]], "/path"),
    action("check-path", &[&[PathAtRevision]], "/path@N"),
    action("get-dir", &[&[Path, Revision, TEXT, PROPS]], "/path rN [text] [props]"),
    action("stat", &[&[PathAtRevision]], "/path@N"),
    action("checkout-or-export", &[&[Path, Revision, Depth]], "/path rN [depth=D]"),
    action("update", &[&[Path, Revision, Depth, COPYFROM]], "/path rN [depth=D] [send-copyfrom-args]"),
    action("commit", &[&[Revision]], "rN"),
    action(
        "log",
        &[&[Paths, Range, Limit, CHANGED_PATHS, STRICT, INCLUDE_MERGED, Revprops]],
        "(/path …) rN:M [limit=N] [discover-changed-paths] [strict] [include-merged-revisions] [revprops=…]",
    ),
    action("replay", &[&[Replay]], "/path rN"),
    action("status", &[&[Path, Revision, Depth]], "/path rN [depth=D]"),
    action("switch", &[&[Path, Path2AtRevision, Depth]], "/path /path@N [depth=D]"),
    action(
        "diff",
        &[&[Path, Range, Depth, IGNORE_ANCESTRY], &[PathFrom, Path2To, Depth, IGNORE_ANCESTRY]],
        "/path rN:M or /path@N /path@M, [depth=D] [ignore-ancestry]",
    ),
    action("get-locations", &[&[PathAtPeg, Revisions]], "/path@N (N …)"),
    action("get-location-segments", &[&[PathAtPeg, Range]], "/path@N rN:M"),
    action("get-file-revs", &[&[Path, Range, INCLUDE_MERGED]], "/path rN:M [include-merged-revisions]"),
    action(
        "get-mergeinfo",
        &[&[Paths, Inheritance, INCLUDE_DESCENDANTS]],
        "(/path …) inheritance [include-descendants]",
    ),
    action("get-inherited-props", &[&[Path, Revision]], "/path rN"),
    action("get-lock", &[&[Path]], "/path"),
    action("get-locks", &[&[Path, Depth]], "/path [depth=D]"),
    action("lock", &[&[Paths, Flag("steal", "steal")]], "(/path …) [steal]"),
    action("unlock", &[&[Paths, Flag("break", "break")]], "(/path …) [break]"),
    action("list", &[&[Path, Revision, Depth, Patterns]], "/path rN [depth=D] patterns or <ANY>"),
    action("change-rev-prop", &[&[Revision, Word("property")]], "rN property"),
    action("rev-prop", &[&[Revision, Word("property")]], "rN property"),
    action("rev-proplist", &[&[Revision]], "rN"),
    action("get-dated-rev", &[&[Word("date")]], "a time"),
    action("get-deleted-rev", &[&[]], "nothing"),
];

const fn action(word: &'static str, forms: &'static [&'static [Arg]], help: &'static str) -> Action {
    Action { word, forms, help }
}
