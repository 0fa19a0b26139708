//! What appeared, grew or changed on disk since it was read.
//!
//! Sizes and times are looked at, never contents, so that a look at some thousand files costs
//! milliseconds. Used by the window, which looks once a second while the user wants it.

use crate::Source;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a look found; empty where nothing changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files that were not there before in the folders that are watched, by their real paths: what
    /// [`crate::LoadOptions::only`] takes.
    pub appeared: Vec<PathBuf>,
    /// Paths of sources whose files grew or changed.
    pub changed: Vec<String>,
}

impl Changes {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.appeared.is_empty() && self.changed.is_empty()
    }
}

/// What is known of a file by its entry alone.
type Entry = (u64, Option<SystemTime>);

/// Folders and files that are watched.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    folders: Vec<PathBuf>,
    /// What was read or told already, by the real path.
    known: HashMap<PathBuf, Entry>,
    /// What the last look told, until [`Watch::acknowledge`].
    told: Vec<(PathBuf, Entry)>,
    /// Sources by their file; a zip archive has many.
    sources: BTreeMap<PathBuf, Vec<String>>,
    /// Folders and files that were passed over with a reason, and files the user removed.
    passed_over: BTreeSet<PathBuf>,
}

impl Watch {
    /// Watches these folders, with all below them, and the files of these sources.
    pub fn new(folders: Vec<PathBuf>, sources: &[Source]) -> Self {
        let mut watch = Self { folders, ..Self::default() };
        watch.learn(sources);
        watch
    }

    /// Watches one more folder.
    pub fn add_folder(&mut self, folder: PathBuf) {
        if !self.folders.contains(&folder) {
            self.folders.push(folder);
        }
    }

    /// Takes note of the sources that are open now; what was told of a file stays told.
    pub fn learn(&mut self, sources: &[Source]) {
        self.sources.clear();
        for source in sources {
            let Some(file) = source.file.as_deref().map(real) else {
                self.pass_over(Path::new(source.path()));
                continue;
            };
            // What was read is known by size and time as they were then.
            self.known.entry(file.clone()).or_insert((source.stored_bytes, source.modified));
            self.sources.entry(file).or_default().push(source.path().to_owned());
        }
    }

    /// Leaves out a file, or a folder with all below it.
    pub fn pass_over(&mut self, path: &Path) {
        self.passed_over.insert(real(path));
    }

    /// Takes what the last look told as known: it is told again only when it changes again.
    pub fn acknowledge(&mut self) {
        self.known.extend(std::mem::take(&mut self.told));
    }

    /// Looks once. What was told and not acknowledged is told again, for nobody may have heard it.
    pub fn look(&mut self) -> Changes {
        let mut now: BTreeMap<PathBuf, Entry> = BTreeMap::new();
        let mut walked = HashSet::new();
        for folder in self.folders.clone() {
            walk(&folder, &mut walked, &mut now);
        }
        for file in self.sources.keys() {
            if let Ok(metadata) = fs::metadata(file) {
                now.insert(file.clone(), entry(&metadata));
            }
        }
        let mut changes = Changes::default();
        self.told.clear();
        for (file, entry) in now {
            self.compare(file, entry, &mut changes);
        }
        changes
    }

    fn compare(&mut self, file: PathBuf, entry: Entry, changes: &mut Changes) {
        let news = match self.known.get(&file) {
            Some(known) => *known != entry,
            None => entry.0 > 0,
        };
        let is_left_out = || file.ancestors().any(|above| self.passed_over.contains(above));
        match self.sources.get(&file) {
            _ if !news => return,
            Some(paths) => changes.changed.extend(paths.iter().cloned()),
            None if is_left_out() => return,
            None => changes.appeared.push(file.clone()),
        }
        self.told.push((file, entry));
    }
}

fn entry(metadata: &Metadata) -> Entry {
    (metadata.len(), metadata.modified().ok())
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Visible files below a folder; what cannot be read now may be at the next look.
fn walk(folder: &Path, walked: &mut HashSet<PathBuf>, found: &mut BTreeMap<PathBuf, Entry>) {
    if !walked.insert(real(folder)) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        match fs::metadata(&path) {
            _ if hidden => {}
            Ok(metadata) if metadata.is_dir() => walk(&path, walked, found),
            Ok(metadata) if metadata.is_file() => {
                found.insert(real(&path), entry(&metadata));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, PathArg, Unwatched, load, read_again};
    use std::io::Write as _;
    use triptych_import::Readers;

    const TIME: &str = "real\t0m1.500s\nuser\t0m0.100s\nsys\t0m0.200s\n";

    fn append(file: &Path, text: &str) {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(file).expect("opens");
        file.write_all(text.as_bytes()).expect("writes");
    }

    fn read(folder: &Path, only: Option<HashSet<PathBuf>>) -> Vec<Source> {
        let options = LoadOptions { only, ..LoadOptions::default() };
        let loaded = load(&[PathArg::Path(folder.to_owned())], &Readers, &options, &Unwatched);
        loaded.expect("nobody cancels").sources
    }

    #[test]
    fn what_appears_and_what_grows_is_told_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = folder.path().join("old.txt");
        append(&old, TIME);
        append(&folder.path().join("notes.md"), "# About\n");
        append(&folder.path().join("empty.txt"), "");
        let sources = read(folder.path(), None);
        let mut watch = Watch::new(vec![folder.path().to_owned()], &sources);
        assert_eq!(watch.look(), Changes::default());

        append(&old, TIME);
        append(&folder.path().join("below.txt"), TIME);
        append(&folder.path().join(".hidden.txt"), TIME);
        fs::create_dir(folder.path().join("deep")).expect("a folder");
        append(&folder.path().join("deep/new.txt"), TIME);
        let changes = watch.look();
        assert_eq!(
            changes.changed,
            [sources.iter().find(|s| s.path().ends_with("old.txt")).expect("is there").path()]
        );
        let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
        assert_eq!(changes.appeared.iter().map(name).collect::<Vec<_>>(), ["below.txt", "new.txt"]);
        assert_eq!(watch.look(), changes, "nobody may have heard it");
        watch.acknowledge();
        assert_eq!(watch.look(), Changes::default());

        let only = Some(changes.appeared.iter().cloned().collect());
        let new = read(folder.path(), only);
        assert_eq!(new.iter().map(|source| source.data.runs.len()).collect::<Vec<_>>(), [1, 1]);
        let again = read_again(&sources, &Readers, &Unwatched).expect("nobody cancels");
        let grown = again.iter().find(|source| source.path().ends_with("old.txt")).expect("is there");
        assert_eq!(grown.data.runs.len(), 2);
    }

    #[test]
    fn what_was_passed_over_or_removed_is_no_news() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.txt", "removed.txt"] {
            append(&folder.path().join(name), TIME);
        }
        append(&folder.path().join("mine.triptych"), "{\"version\": 1}");
        let campaign = folder.path().join("campaign");
        fs::create_dir_all(campaign.join("raw")).expect("folders");
        for name in ["run.ndjson", "plan.json", "raw/0001.out"] {
            append(&campaign.join(name), TIME);
        }
        let mut sources = read(folder.path(), None);
        let removed = sources.iter().position(|source| source.path().ends_with("removed.txt"));
        let removed = sources.remove(removed.expect("is there"));
        let mut watch = Watch::new(vec![folder.path().to_owned()], &sources);
        watch.pass_over(removed.file.as_deref().expect("a file"));
        assert_eq!(watch.look(), Changes::default());
        append(&folder.path().join("removed.txt"), TIME);
        append(&campaign.join("raw/0002.out"), TIME);
        assert_eq!(watch.look(), Changes::default());
    }

    #[test]
    fn a_packed_source_that_stays_is_no_news() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(TIME.repeat(50).as_bytes()).expect("packs");
        fs::write(folder.path().join("a.txt.gz"), packed.finish().expect("packs")).expect("writes");
        let sources = read(folder.path(), None);
        assert_eq!(sources[0].data.runs.len(), 50);
        assert_eq!(Watch::new(vec![folder.path().to_owned()], &sources).look(), Changes::default());
    }
}
