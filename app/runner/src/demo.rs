//! The demo lab: a made repository in formats 6, 7 and 8, packed and not, with a lab and a plan for it,
//! so that the first measurement needs no set-up.
//!
//! It takes nothing but the installed `svnadmin`. The same seed gives the same content. Verbs and
//! window call [`make_demo`]; it is made beside its place and moved there, so it is whole or absent.

mod describe;
mod dump;
mod history;
mod making;
mod scratch;
mod texts;
mod tools;

pub use describe::demo_plan;

use crate::host::local::LocalHost;
use crate::lab::Lab;
use crate::labfile::{self, LAB_FILE, write_whole};
use making::Making;
use scratch::{Scratch, remove_stale};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The usual name of the plan's file, beside the lab's.
pub const PLAN_FILE: &str = "plan.json";

/// Says which demo a directory holds.
const MARK_FILE: &str = "demo.json";

/// Formats and the version of Subversion that each is compatible with.
const FORMATS: [(&str, &str); 3] = [("6", "1.8"), ("7", "1.9"), ("8", "1.10")];

/// Bytes that all copies take, for each revision, with room to spare.
const BYTES_A_REVISION: u64 = 160_000;

/// How far the making is.
#[derive(Clone, Debug, PartialEq)]
pub struct DemoProgress {
    /// From 0 to 1.
    pub share: f64,
    /// What is being done: `loading revision 700 of 1500`.
    pub text: String,
}

/// How large a demo shall be, and what its content is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DemoOptions {
    /// The same seed and size give the same content.
    pub seed: u64,
    /// Revisions, 10 or more.
    pub revisions: u64,
}

impl Default for DemoOptions {
    fn default() -> Self {
        Self { seed: 1, revisions: 1500 }
    }
}

/// Why there is no demo lab; nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The caller gave up.
    #[error("cancelled, and nothing was left behind")]
    Cancelled,
    /// There is no Subversion.
    #[error(
        "svnadmin is not in PATH: install Subversion (on Debian the packages subversion and subversion-tools)"
    )]
    NoSubversion,
    /// Something else lies where it should be.
    #[error("{what}: {}", path.display())]
    Occupied {
        /// What lies there and what to do.
        what: String,
        /// Where.
        path: PathBuf,
    },
    /// Too little room.
    #[error("the demo lab takes up to {needed_mb} MB and {free_mb} MB are free: make room or choose another directory: {}", path.display())]
    NoRoom {
        /// MB it takes.
        needed_mb: u64,
        /// MB there are.
        free_mb: u64,
        /// Where.
        path: PathBuf,
    },
    /// A file could not be made.
    #[error("cannot be {what}: {error}: {}", path.display())]
    Io {
        /// `made`, `written`, `moved`.
        what: &'static str,
        /// Why.
        error: io::Error,
        /// Where.
        path: PathBuf,
    },
    /// svnadmin failed.
    #[error("{what} failed: {said}")]
    Tool {
        /// The command.
        what: String,
        /// Its own words.
        said: String,
    },
    /// The lab that is there, or the preset, cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

impl DemoError {
    fn io(what: &'static str, path: &Path, error: io::Error) -> Self {
        Self::Io { what, error, path: path.to_owned() }
    }

    fn tool(what: String, said: String) -> Self {
        let said = if said.contains("No space left on device") {
            format!("{said}; make room or choose another directory")
        } else if said.contains("compatible version") || said.contains("compatible-version") {
            format!("{said}; formats 6, 7 and 8 need svnadmin 1.10 or later")
        } else {
            said
        };
        Self::Tool { what, said }
    }
}

/// Where the demo lab lies: `triptych/demo-lab` in the user's cache directory; `None` without a home.
pub fn demo_lab_directory() -> Option<PathBuf> {
    below_cache(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"))
}

/// Relative paths in these variables are to be ignored, says the XDG base directory specification.
fn below_cache(cache: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute(cache).or_else(|| Some(absolute(home)?.join(".cache")))?;
    Some(cache.join("triptych").join("demo-lab"))
}

/// Makes the demo lab, or reads the one that is there. Its paths are absolute; `lab.json` and
/// `plan.json` lie in the directory. `progress` says whether to go on.
///
/// # Errors
/// See [`DemoError`]; nothing is left behind.
pub fn make_demo(
    directory: &Path,
    seed: u64,
    progress: &mut dyn FnMut(&DemoProgress) -> bool,
) -> Result<Lab, DemoError> {
    make_demo_with(directory, DemoOptions { seed, ..DemoOptions::default() }, progress)
}

/// As [`make_demo`], in another size.
///
/// # Errors
/// As [`make_demo`].
pub fn make_demo_with(
    directory: &Path,
    options: DemoOptions,
    progress: &mut dyn FnMut(&DemoProgress) -> bool,
) -> Result<Lab, DemoError> {
    let options = DemoOptions { revisions: options.revisions.max(10), ..options };
    let directory =
        std::path::absolute(directory).map_err(|error| DemoError::io("made", directory, error))?;
    if let Some(lab) = present(&directory, options)? {
        return Ok(lab);
    }
    let svnadmin = tools::find("svnadmin").ok_or(DemoError::NoSubversion)?;
    let parent = directory.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).map_err(|error| DemoError::io("made", parent, error))?;
    room(parent, options.revisions)?;
    remove_stale(&directory);
    let scratch = Scratch::beside(&directory)?;
    {
        let work =
            Scratch::in_memory(options.revisions).map_or_else(|| Scratch::new(scratch.0.join("work")), Ok)?;
        Making { svnadmin: &svnadmin, at: &scratch.0, work: &work.0, options, progress }.all()?;
    }
    let lab = describe::describe(&scratch.0, &svnadmin, options);
    write_files(&scratch.0, &lab, options)?;
    match fs::rename(&scratch.0, &directory) {
        Ok(()) => Ok(lab.absolute(&directory)),
        // Another program may have made it meanwhile.
        Err(error) => present(&directory, options)?.ok_or_else(|| DemoError::io("moved", &directory, error)),
    }
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    demo: u32,
    seed: u64,
    revisions: u64,
}

impl Mark {
    /// The first number changes with the content that a seed gives.
    fn of(options: DemoOptions) -> Self {
        Self { demo: 1, seed: options.seed, revisions: options.revisions }
    }
}

/// The demo lab that is there, if there is one.
fn present(directory: &Path, options: DemoOptions) -> Result<Option<Lab>, DemoError> {
    let occupied = |what: &str| DemoError::Occupied { what: what.to_owned(), path: directory.to_owned() };
    match fs::read_dir(directory).map(|mut entries| entries.next().is_some()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(DemoError::io("read", directory, error)),
        Ok(false) => return Ok(None),
        Ok(true) => {}
    }
    let Ok(text) = fs::read_to_string(directory.join(MARK_FILE)) else {
        return Err(occupied("the directory is not empty and holds no demo lab, choose another"));
    };
    match serde_json::from_str::<Mark>(&text) {
        Ok(mark) if mark == Mark::of(options) => {}
        _ => {
            return Err(occupied(
                "the directory holds another demo lab, remove it or choose another directory",
            ));
        }
    }
    let said = |problems: Vec<triptych_model::Problem>| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        DemoError::Unreadable(format!("{}; mend it or remove the demo lab", lines.join("; ")))
    };
    labfile::read_absolute(&directory.join(LAB_FILE)).map(Some).map_err(said)
}

fn free_bytes(directory: &Path) -> Option<u64> {
    LocalHost::medium_facts(directory).get("free_bytes")?.as_u64()
}

fn room(parent: &Path, revisions: u64) -> Result<(), DemoError> {
    let needed = revisions * BYTES_A_REVISION;
    match free_bytes(parent) {
        Some(free) if free < needed => Err(DemoError::NoRoom {
            needed_mb: needed / 1_000_000,
            free_mb: free / 1_000_000,
            path: parent.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn write_files(at: &Path, lab: &Lab, options: DemoOptions) -> Result<(), DemoError> {
    let plan = demo_plan(lab)?;
    let texts = [
        (LAB_FILE, labfile::to_text(lab)),
        (PLAN_FILE, serde_json::to_string_pretty(&plan)),
        (MARK_FILE, serde_json::to_string_pretty(&Mark::of(options))),
    ];
    for (name, text) in texts {
        let path = at.join(name);
        let text = text.map_err(io::Error::from);
        text.and_then(|text| write_whole(&path, &text))
            .map_err(|error| DemoError::io("written", &path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
