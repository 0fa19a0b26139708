//! Directories that clients write to: made empty, measured, removed.

use super::io_failure;
use super::patience::Patience;
use crate::host::HostError;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Makes an empty directory in the place of a leftover, which can only be our own: its name is the token's.
pub(super) fn make(directory: &Path) -> Result<(), HostError> {
    let failed = |error: io::Error| io_failure("cannot make", directory, &error);
    match fs::create_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            remove_all(directory)?;
            fs::create_dir(directory).map_err(failed)
        }
        made => made.map_err(failed),
    }
}

/// Items and bytes below a directory; a working copy's own administration is not counted.
pub(super) fn measure(directory: &Path, patience: &mut Patience<'_>) -> Result<(u64, u64), HostError> {
    let (mut items, mut bytes) = (0, 0);
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        let failed = |error: io::Error| io_failure("cannot read", &directory, &error);
        for entry in fs::read_dir(&directory).map_err(failed)? {
            patience.ask()?;
            let entry = entry.map_err(failed)?;
            let meta = entry.metadata().map_err(failed)?;
            if meta.is_dir() && entry.file_name() == ".svn" {
                continue;
            }
            items += 1;
            if meta.is_dir() {
                directories.push(entry.path());
            } else {
                bytes += meta.len();
            }
        }
    }
    Ok((items, bytes))
}

/// Removes a directory with all that is in it, unless the user gives up meanwhile.
pub(super) fn remove(directory: &Path, patience: &mut Patience<'_>) -> Result<(), HostError> {
    remove_files(directory, patience)?;
    remove_all(directory)
}

/// Most of the work, file by file; whatever it cannot do is said by [`remove_all`].
fn remove_files(directory: &Path, patience: &mut Patience<'_>) -> Result<(), HostError> {
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
        for entry in entries {
            patience.ask()?;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => directories.push(entry.path()),
                _ => drop(fs::remove_file(entry.path())),
            }
        }
    }
    Ok(())
}

/// What a dying process still writes to may need a second look.
fn remove_all(directory: &Path) -> Result<(), HostError> {
    const LOOKS: u32 = 3;
    let mut looks = 0;
    loop {
        looks += 1;
        match fs::remove_dir_all(directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if looks == LOOKS => return Err(io_failure("cannot remove", directory, &error)),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
            Ok(()) => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::patience::tests::GivesUp;
    use super::*;

    #[test]
    fn a_leftover_gives_way_and_giving_up_leaves_the_rest() {
        let base = tempfile::tempdir().expect("a directory");
        let target = base.path().join("target");
        fs::create_dir_all(target.join("a/b")).expect("made");
        fs::write(target.join("a/b/f"), "x").expect("written");
        let mut gone = GivesUp { at: 1, asked: 0 };
        assert!(matches!(measure(&target, &mut Patience::of(&mut gone)), Err(HostError::Cancelled)));
        let mut gone = GivesUp { at: 1, asked: 0 };
        assert!(matches!(remove(&target, &mut Patience::of(&mut gone)), Err(HostError::Cancelled)));
        assert!(target.join("a/b/f").exists(), "nothing more was done");
        make(&target).expect("made in its place");
        let mut patient = GivesUp::default();
        assert_eq!(measure(&target, &mut Patience::of(&mut patient)).expect("read"), (0, 0));
        remove(&target, &mut Patience::of(&mut patient)).expect("removed");
        assert!(!target.exists());
        remove(&target, &mut Patience::of(&mut patient)).expect("gone already");
    }
}
