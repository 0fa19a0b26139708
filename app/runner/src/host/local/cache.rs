//! Cold and hot, with proof: what lies in memory of a copy's files, before the run.

use super::devices::Mount;
use super::io_failure;
use super::patience::Patience;
use crate::host::{CacheProof, HostError};
use crate::plan::Cache;
use crate::sys;
use rustix::fs::{Access, Advice};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

const DROP: &str = "/proc/sys/vm/drop_caches";

/// Whether this process may drop the caches of the machine; asks by opening the switch, touches nothing.
pub fn may_drop_caches() -> bool {
    fs::OpenOptions::new().write(true).open(DROP).is_ok()
}

/// The directory of a copy that holds its revisions: it may be a link to another disk.
pub(super) fn data_of(copy: &Path) -> PathBuf {
    let data = copy.join("db");
    if data.is_dir() { data } else { copy.to_owned() }
}

/// Puts the files of a copy into a state and proves it.
pub(super) fn prepare(
    copy: &Path,
    state: Cache,
    patience: &mut Patience<'_>,
) -> Result<CacheProof, HostError> {
    let files = files_of(copy, patience)?;
    if state != Cache::Cold {
        let mut proof = CacheProof { method: "none".to_owned(), ..CacheProof::default() };
        prove(&files, &mut proof, patience)?;
        return Ok(proof);
    }
    let mount = Mount::of(&data_of(copy));
    if let Some(mount) = mount.filter(Mount::is_memory) {
        let mut proof = CacheProof { method: "none".to_owned(), ..CacheProof::default() };
        prove(&files, &mut proof, patience)?;
        proof.reserve = Some(format!("the copy lies on {}, which is memory: it cannot be cold", mount.kind));
        return Ok(proof);
    }
    make_cold(copy, &files, patience)
}

fn make_cold(copy: &Path, files: &[PathBuf], patience: &mut Patience<'_>) -> Result<CacheProof, HostError> {
    let start = Instant::now();
    rustix::fs::sync();
    let dropped = fs::write(DROP, "3");
    let mut proof = CacheProof::default();
    if let Err(error) = &dropped {
        "evicted".clone_into(&mut proof.method);
        let kept = evict(files, patience)?;
        proof.reserve = Some(match kept {
            0 => format!(
                "the caches of the machine cannot be dropped ({error}): the copy's files were evicted one by one, its directories were not"
            ),
            n => format!(
                "the caches of the machine cannot be dropped ({error}): the copy's files were evicted one by one, {n} of them cannot be opened, and directories were not"
            ),
        });
    } else {
        "dropped".clone_into(&mut proof.method);
    }
    proof.took = start.elapsed();
    prove(files, &mut proof, patience)?;
    if dropped.is_ok() {
        // The proof brought directories and inodes back; what it did not touch is clean and stays out.
        fs::write(DROP, "3")
            .map_err(|error| io_failure("cannot drop the caches again", Path::new(DROP), &error))?;
    }
    if let Some(share) = proof.resident_bytes.filter(|bytes| *bytes > 0) {
        let more = format!("{share} bytes of {} stayed in memory", copy.display());
        proof.reserve = Some(proof.reserve.map_or(more.clone(), |reserve| format!("{reserve}; {more}")));
    }
    Ok(proof)
}

/// All regular files below a directory; links are followed, for part of a copy may lie elsewhere, and none
/// leads to the same directory or the same single file twice.
fn files_of(copy: &Path, patience: &mut Patience<'_>) -> Result<Vec<PathBuf>, HostError> {
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    let mut links = Vec::new();
    walk(copy.to_owned(), &mut files, &mut links, &mut seen, patience)?;
    // A link may lead to what was walked already, or back to itself.
    while let Some(link) = links.pop() {
        patience.ask()?;
        let meta = match fs::metadata(&link) {
            Ok(meta) => meta,
            // It leads nowhere: nothing of it can lie in memory.
            Err(error) if leads_nowhere(&error) => continue,
            Err(error) => return Err(io_failure("cannot read", &link, &error)),
        };
        if meta.is_dir() {
            walk(link, &mut files, &mut links, &mut seen, patience)?;
        } else if meta.is_file() && is_outside(&link, copy) && seen.insert((meta.dev(), meta.ino())) {
            files.push(link);
        }
    }
    Ok(files)
}

fn leads_nowhere(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || error.raw_os_error() == Some(libc::ELOOP)
}

/// Whether a link leads out of the copy: a file inside is among its files by its own name.
fn is_outside(link: &Path, copy: &Path) -> bool {
    match (link.canonicalize(), copy.canonicalize()) {
        (Ok(link), Ok(copy)) => !link.starts_with(copy),
        _ => true,
    }
}

/// Adds the files and the links below a directory, unless it was walked before.
fn walk(
    directory: PathBuf,
    files: &mut Vec<PathBuf>,
    links: &mut Vec<PathBuf>,
    seen: &mut HashSet<(u64, u64)>,
    patience: &mut Patience<'_>,
) -> Result<(), HostError> {
    let mut directories = vec![directory];
    while let Some(directory) = directories.pop() {
        let failed = |error: io::Error| io_failure("cannot read", &directory, &error);
        let meta = fs::metadata(&directory).map_err(failed)?;
        if !seen.insert((meta.dev(), meta.ino())) {
            continue;
        }
        for entry in fs::read_dir(&directory).map_err(failed)? {
            patience.ask()?;
            let entry = entry.map_err(failed)?;
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() {
                directories.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            } else if kind.is_symlink() {
                links.push(entry.path());
            }
        }
    }
    Ok(())
}

/// Asks the kernel to forget the pages of each file; says of how many it could not be asked.
fn evict(files: &[PathBuf], patience: &mut Patience<'_>) -> Result<usize, HostError> {
    let mut kept = 0;
    for path in files {
        patience.ask()?;
        match File::open(path) {
            Ok(file) if rustix::fs::fadvise(&file, 0, None, Advice::DontNeed).is_ok() => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(io_failure("cannot read", path, &error));
            }
            _ => kept += 1,
        }
    }
    Ok(kept)
}

/// Sums what the files hold and what of it lies in memory.
fn prove(files: &[PathBuf], proof: &mut CacheProof, patience: &mut Patience<'_>) -> Result<(), HostError> {
    let page = rustix::param::page_size() as u64;
    let mut resident = Some(0);
    let mut silent: Option<String> = None;
    for path in files {
        patience.ask()?;
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                silent.get_or_insert(format!("{} cannot be opened", path.display()));
                continue;
            }
            Err(error) => return Err(io_failure("cannot read", path, &error)),
        };
        let meta = file.metadata().map_err(|error| io_failure("cannot read", path, &error))?;
        proof.file_bytes += meta.len();
        if !is_told(path, &meta) {
            silent.get_or_insert(format!(
                "the kernel does not tell who neither owns nor may write {}",
                path.display()
            ));
            continue;
        }
        match sys::resident_pages(&file, meta.len(), page) {
            Ok(pages) => resident = resident.map(|sum: u64| sum + (pages * page).min(meta.len())),
            Err(error) => {
                silent.get_or_insert(format!("{} cannot be asked: {error}", path.display()));
            }
        }
    }
    if let Some(silent) = silent {
        resident = None;
        let words = format!("what lies in memory is unknown: {silent}");
        proof.reserve =
            Some(proof.reserve.take().map_or(words.clone(), |reserve| format!("{reserve}; {words}")));
    }
    proof.resident_bytes = resident;
    Ok(())
}

/// Whether mincore tells this process the truth about a file.
fn is_told(path: &Path, meta: &fs::Metadata) -> bool {
    let me = rustix::process::geteuid();
    me.is_root() || meta.uid() == me.as_raw() || rustix::fs::access(path, Access::WRITE_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::patience::tests::GivesUp;
    use super::*;

    fn copy() -> tempfile::TempDir {
        let copy = tempfile::tempdir().expect("a directory");
        fs::create_dir_all(copy.path().join("db/revs/0")).expect("made");
        fs::write(copy.path().join("db/revs/0/0"), vec![1; 300_000]).expect("written");
        fs::write(copy.path().join("db/uuid"), "x").expect("written");
        copy
    }

    #[test]
    fn hot_is_only_proved() {
        let copy = copy();
        let proof =
            prepare(copy.path(), Cache::Hot, &mut Patience::of(&mut GivesUp::default())).expect("proved");
        assert_eq!((proof.method.as_str(), proof.file_bytes), ("none", 300_001));
        assert_eq!(proof.resident_bytes, Some(300_001), "it was just written");
        assert_eq!(proof.reserve, None);
    }

    #[test]
    fn eviction_works_without_rights_where_the_disk_is_one() {
        let copy = copy();
        if Mount::of(copy.path()).is_none_or(|mount| mount.kind != "ext4") {
            println!("skipped: eviction is tried on ext4 only");
            return;
        }
        let mut patient = GivesUp::default();
        let patience = &mut Patience::of(&mut patient);
        let files = files_of(copy.path(), patience).expect("read");
        rustix::fs::sync();
        assert_eq!(evict(&files, patience).expect("evicted"), 0);
        let mut proof = CacheProof::default();
        prove(&files, &mut proof, patience).expect("proved");
        assert_eq!((proof.file_bytes, proof.resident_bytes), (300_001, Some(0)));
    }

    #[test]
    fn a_copy_that_is_gone_is_named() {
        let mut patient = GivesUp::default();
        let gone = prepare(Path::new("/nowhere/copy"), Cache::Cold, &mut Patience::of(&mut patient));
        let error = gone.expect_err("gone").to_string();
        assert!(error.contains("/nowhere/copy"), "{error}");
    }

    #[test]
    fn what_lies_elsewhere_behind_a_link_is_part_of_the_copy() {
        use std::os::unix::fs::symlink;
        let (copy, elsewhere) = (copy(), tempfile::tempdir().expect("a directory"));
        let at = |name: &str| copy.path().join(name);
        fs::rename(at("db/revs"), elsewhere.path().join("revs")).expect("moved");
        fs::write(elsewhere.path().join("single"), [1; 1000]).expect("written");
        let revs = elsewhere.path().join("revs");
        for (to, link) in [
            (revs.clone(), at("db/revs")),
            (elsewhere.path().join("single"), at("db/single")),
            // Twice the same, a loop, nothing, and what is in the copy already.
            (revs.clone(), at("db/again")),
            (elsewhere.path().join("single"), at("db/single-again")),
            (copy.path().to_owned(), revs.join("back")),
            (at("db/itself"), at("db/itself")),
            (PathBuf::from("/nowhere/at-all"), at("db/gone")),
            (at("db/uuid"), at("uuid")),
        ] {
            symlink(to, link).expect("linked");
        }
        let mut patient = GivesUp::default();
        let proof = prepare(copy.path(), Cache::Hot, &mut Patience::of(&mut patient)).expect("proved");
        assert_eq!((proof.file_bytes, proof.resident_bytes), (301_001, Some(301_001)));
        assert_eq!(data_of(copy.path()), at("db"));
    }

    #[test]
    fn every_part_can_be_given_up() {
        let copy = copy();
        let files = files_of(copy.path(), &mut Patience::of(&mut GivesUp::default())).expect("read");
        for (part, act) in [
            (
                "files_of",
                &(|patience: &mut Patience<'_>| files_of(copy.path(), patience).map(drop))
                    as &dyn Fn(&mut Patience<'_>) -> Result<(), HostError>,
            ),
            ("evict", &|patience| evict(&files, patience).map(drop)),
            ("prove", &|patience| prove(&files, &mut CacheProof::default(), patience)),
        ] {
            let mut gone = GivesUp { at: 1, asked: 0 };
            let given_up = act(&mut Patience::of(&mut gone));
            assert!(matches!(given_up, Err(HostError::Cancelled)), "{part}: {given_up:?}");
        }
    }
}
