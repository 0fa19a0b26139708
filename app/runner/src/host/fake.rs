//! A host that replays a script.
