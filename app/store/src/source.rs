//! One file, stream or pasted text as it was read.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;
use triptych_model::{ReadOptions, SourceData};

/// A source with what is needed to see later whether it changed. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its rows, or why there are none.
    pub data: Arc<SourceData>,
    /// Where to read it again, or where it should have been; `None` for standard input and pasted text.
    pub file: Option<PathBuf>,
    /// Its name within that file, where the file is a zip archive.
    pub member: Option<Arc<str>>,
    /// The text of a source without a file.
    pub text: Option<Arc<[u8]>>,
    /// Size of the file on disk, packed as it lies there, when it was read; 0 without a file.
    pub stored_bytes: u64,
    /// Last change of the file when it was read.
    pub modified: Option<SystemTime>,
    /// SHA-256 of its bytes, unpacked, in hexadecimal; empty where nothing could be read.
    pub sha256: Arc<str>,
    /// Whether the user named it; else it was met in a folder.
    pub named: bool,
    /// Patterns given when it was read, tried in order.
    pub patterns: Arc<[String]>,
    /// What the user decided before it was read.
    pub read: ReadOptions,
}

impl Source {
    /// The path as given.
    pub fn path(&self) -> &str {
        &self.data.path
    }

    /// Size in bytes, unpacked, when it was read.
    pub fn bytes(&self) -> u64 {
        self.data.bytes
    }

    /// A source of rows made elsewhere: examples, tests, the live run.
    pub fn of_data(data: SourceData) -> Self {
        Self {
            data: Arc::new(data),
            file: None,
            member: None,
            text: None,
            stored_bytes: 0,
            modified: None,
            sha256: Arc::from(""),
            named: true,
            patterns: Arc::from([]),
            read: ReadOptions::default(),
        }
    }
}
