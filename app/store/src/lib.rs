//! The four frames, queries over them, exports and workspaces.
