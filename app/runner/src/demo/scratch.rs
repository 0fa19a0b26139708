//! Directories in which a demo is made: beside its place and in memory, removed whatever happens.

use super::{DemoError, free_bytes};
use crate::host::local::lies_in_memory;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where Linux has a file system in memory.
pub(super) const MEMORY: &str = "/dev/shm";

/// Bytes that three repositories take in memory, for each revision, with room to spare.
const MEMORY_BYTES_A_REVISION: u64 = 90_000;

/// Tells the scratch directories of one process apart.
static SCRATCHES: AtomicU32 = AtomicU32::new(0);

/// A directory in which something is made; removed when dropped, if it still lies there.
pub(super) struct Scratch(pub PathBuf);

impl Scratch {
    pub(super) fn new(path: PathBuf) -> Result<Self, DemoError> {
        fs::create_dir(&path).map_err(|error| DemoError::io("made", &path, error))?;
        Ok(Self(path))
    }

    /// Beside the place that it will be moved to.
    pub(super) fn beside(directory: &Path) -> Result<Self, DemoError> {
        let number = SCRATCHES.fetch_add(1, Ordering::Relaxed);
        Self::new(directory.with_file_name(part_name(directory, &format!("{}-{number}", std::process::id()))))
    }

    /// In memory, if there is room: a load syncs each of its revisions even where it is told not to,
    /// which on a busy disk takes minutes instead of seconds.
    pub(super) fn in_memory(revisions: u64) -> Option<Self> {
        let directory = Path::new(MEMORY);
        let room = free_bytes(directory)? >= revisions * MEMORY_BYTES_A_REVISION;
        if !room || !lies_in_memory(directory) {
            return None;
        }
        let path = directory.join("triptych-demo");
        remove_stale(&path);
        Self::beside(&path).ok()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

pub(super) fn part_name(directory: &Path, end: &str) -> String {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.part-{end}")
}

/// Removes what programs left that were killed while they made a demo lab.
pub(super) fn remove_stale(directory: &Path) {
    let beginning = part_name(directory, "");
    let entries = directory.parent().and_then(|parent| fs::read_dir(parent).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(end) = name.to_str().and_then(|name| name.strip_prefix(&beginning)) else { continue };
        let pid = end.split('-').next().and_then(|pid| pid.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}
