//! A workspace: which sources, what the user said about them, what is shown; a file ending `.triptych`.
//!
//! It is written beside itself and renamed, so that a crash leaves the old one. What cannot be read is
//! kept aside, what a newer program wrote is refused and left alone.

use crate::{Corrections, Query, Source};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use triptych_model::{Problem, ProblemKind, Severity, TableMeaning};

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
    /// The path by which it was first opened; run ids and corrections go by it.
    pub name: String,
    /// Relative to the workspace file; empty for a text without a file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// Its name within that file, where the file is a zip archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Size in bytes, unpacked, when it was read.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// The text of a source without a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Patterns given when it was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// The format the user chose, if he did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The zone the user chose, seconds east of Greenwich.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone_offset_secs: Option<i32>,
    /// The LogFormat of access logs that the user typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_format: Option<String>,
    /// What the user said the columns of its tables mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableMeaning>,
}

/// Steps from one version to the next: the first leads from version 1 to 2.
const MIGRATIONS: &[fn(&mut serde_json::Value)] = &[];

impl Workspace {
    /// The newest version this program writes and reads.
    pub const VERSION: u32 = 1 + MIGRATIONS.len() as u32;

    /// A workspace of these sources, to be saved at `file`. Layout and notes are empty.
    pub fn new(sources: &[Source], corrections: Corrections, query: Query, file: &Path) -> Self {
        let home = file.parent().map(absolute).unwrap_or_default();
        let sources = sources.iter().filter(|source| source.file.is_some() || source.text.is_some());
        let sources = sources.map(|source| WorkspaceSource::new(source, &home)).collect();
        Self { version: Self::VERSION, sources, corrections, query, ..Self::default() }
    }

    /// Writes it beside `file` and renames it there.
    ///
    /// # Errors
    /// The system's reason, as a problem with the next step.
    pub fn save(&self, file: &Path) -> Result<(), Problem> {
        let mut beside = file.as_os_str().to_owned();
        beside.push(".new");
        let beside = PathBuf::from(beside);
        let write = || {
            let mut out = fs::File::create(&beside)?;
            serde_json::to_writer_pretty(&mut out, self)?;
            out.write_all(b"\n")?;
            out.sync_all()?;
            fs::rename(&beside, file)
        };
        write().map_err(|error| {
            problem(file, format!("the workspace cannot be written: {error}"))
                .next_step("save it somewhere else")
        })
    }

    /// Reads it. A file that is no workspace is moved aside as `.bad`, a newer version is refused.
    ///
    /// # Errors
    /// What is wrong, and what was done about it.
    pub fn open(file: &Path) -> Result<Self, Problem> {
        let text = fs::read(file).map_err(|error| {
            problem(file, format!("the workspace cannot be read: {error}"))
                .next_step("check the path and its rights")
        })?;
        match Self::parse(&text) {
            Ok(workspace) => Ok(workspace),
            Err(Refusal::Newer(version)) => Err(problem(
                file,
                format!("the workspace has version {version}, this program reads up to {}", Self::VERSION),
            )
            .next_step("open it with a newer Triptych; the file was not touched")),
            Err(Refusal::Broken(reason)) => {
                Err(problem(file, format!("the file is no workspace: {reason}")).next_step(move_aside(file)))
            }
        }
    }

    fn parse(text: &[u8]) -> Result<Self, Refusal> {
        let broken = |error: serde_json::Error| Refusal::Broken(error.to_string());
        let mut value: serde_json::Value = serde_json::from_slice(text).map_err(broken)?;
        let version = value.get("version").and_then(serde_json::Value::as_u64).filter(|version| *version > 0);
        let Some(version) = version else { return Err(Refusal::Broken("it has no version".to_owned())) };
        if version > u64::from(Self::VERSION) {
            return Err(Refusal::Newer(version));
        }
        for step in MIGRATIONS.iter().skip(usize::try_from(version - 1).unwrap_or(usize::MAX)) {
            step(&mut value);
        }
        let mut workspace: Self = serde_json::from_value(value).map_err(broken)?;
        workspace.version = Self::VERSION;
        Ok(workspace)
    }
}

enum Refusal {
    Newer(u64),
    Broken(String),
}

impl WorkspaceSource {
    fn new(source: &Source, home: &Path) -> Self {
        let text = source.text.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        Self {
            name: source.path().to_owned(),
            path: source.file.as_deref().map(|file| relative(file, home)).unwrap_or_default(),
            member: source.member.as_deref().map(str::to_owned),
            bytes: source.bytes(),
            sha256: source.sha256.to_string(),
            text,
            patterns: source.patterns.to_vec(),
            format: source.read.format.clone(),
            zone_offset_secs: source.read.zone_offset_secs,
            log_format: source.read.log_format.clone(),
            tables: source.read.tables.clone(),
        }
    }
}

fn problem(file: &Path, message: String) -> Problem {
    Problem::new(Severity::Error, ProblemKind::Workspace, file.to_string_lossy(), message)
}

fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

/// The way from a folder to a file, both absolute.
fn relative(file: &Path, home: &Path) -> String {
    let (there, here): (Vec<Component>, Vec<Component>) =
        (file.components().collect(), home.components().collect());
    let common = there.iter().zip(&here).take_while(|(a, b)| a == b).count();
    let up = here.iter().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(there.iter().skip(common).copied()).collect();
    way.to_string_lossy().into_owned()
}

/// Moves a file that cannot be read out of the way, under a name that is free, and says so.
fn move_aside(file: &Path) -> String {
    for attempt in 0..100 {
        let mut name = file.as_os_str().to_owned();
        name.push(if attempt == 0 { ".bad".to_owned() } else { format!(".bad{attempt}") });
        let aside = PathBuf::from(name);
        if !aside.exists() {
            return match fs::rename(file, &aside) {
                Ok(()) => format!("it was kept as {}", aside.display()),
                Err(error) => format!("it could not be moved aside: {error}"),
            };
        }
    }
    "it was left where it is".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::Key;

    #[test]
    fn what_is_saved_is_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.triptych");
        let mut corrections = Corrections::default();
        corrections.rename(Key::Variant, "trunk", "1.8-dev");
        let mut workspace = Workspace::new(&[], corrections, Query::default(), &file);
        workspace.notes = "cold means dropped caches".to_owned();
        workspace.save(&file).expect("saves");
        assert_eq!(Workspace::open(&file), Ok(workspace));
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1, "nothing is left beside it");
    }

    #[test]
    fn newer_is_refused_and_broken_is_kept_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.triptych");
        fs::write(&file, r#"{"version": 99}"#).expect("writes");
        let problem = Workspace::open(&file).expect_err("is newer");
        assert!(problem.message.contains("version 99"), "{problem}");
        assert!(file.exists());
        for text in ["{", "[]", r#"{"version": 0}"#, r#"{"version": 1, "sources": 3}"#] {
            fs::write(&file, text).expect("writes");
            let problem = Workspace::open(&file).expect_err("is broken");
            assert!(problem.next_step.is_some_and(|next| next.contains(".bad")), "{text}");
            assert!(!file.exists(), "{text}");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 4);
    }

    #[test]
    fn ways_between_folders() {
        for (file, home, expect) in
            [("/a/b/c.txt", "/a/b", "c.txt"), ("/a/b/c.txt", "/a/d/e", "../../b/c.txt"), ("/x", "/", "x")]
        {
            assert_eq!(relative(Path::new(file), Path::new(home)), expect);
        }
    }
}
