//! A log that only grew since it was read: its new lines are added to the rows that are there.
//!
//! Used where sources are read again. Whatever does not fit (the head changed, the file is packed or
//! shorter, the readers need the whole) is read whole as ever.

use crate::{Source, packed, reread};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use triptych_model::{Cancelled, Importer, Progress};

/// More than this is read in blocks, by several threads and without holding it.
const MOST: u64 = 64 << 20;

/// What was appended, and what the file is known by now.
struct Appended {
    bytes: Vec<u8>,
    digest: String,
    modified: Option<std::time::SystemTime>,
}

/// The source with what was appended to its file; `None` where it must be read whole.
///
/// # Errors
/// Only [`Cancelled`].
pub(crate) fn read_on(
    source: &Source,
    importer: &dyn Importer,
    progress: &dyn Progress,
) -> Result<Option<Source>, Cancelled> {
    let Some(file) = source.file.as_deref().filter(|_| source.member.is_none()) else { return Ok(None) };
    // Where the file cannot be read, reading it whole says why.
    let Ok(Some(appended)) = appended(source, file) else { return Ok(None) };
    let mut data = (*source.data).clone();
    if !importer.read_on(&mut data, &appended.bytes, &source.read, progress)? {
        return Ok(None);
    }
    let stored_bytes = data.bytes;
    let data = Arc::new(data);
    let sha256 = Arc::from(appended.digest);
    Ok(Some(Source { data, stored_bytes, sha256, modified: appended.modified, ..source.clone() }))
}

/// The whole lines behind what was read; `None` where what was read is not the file's head any more.
fn appended(source: &Source, path: &Path) -> io::Result<Option<Appended>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let known = source.bytes();
    let is_packed = packed::packing_of(path)?.is_some();
    if is_packed || known == 0 || metadata.len() <= known || metadata.len() - known > MOST {
        return Ok(None);
    }
    let mut head = Vec::new();
    let head_digest = if reread::is_sampled(&source.sha256) {
        reread::digest(&mut file, known)?
    } else {
        file.by_ref().take(known).read_to_end(&mut head)?;
        reread::sha256(&head)
    };
    if head_digest != *source.sha256 {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(known))?;
    let mut bytes = Vec::new();
    file.by_ref().take(metadata.len() - known).read_to_end(&mut bytes)?;
    // A line that is still being written comes the next time.
    let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') else { return Ok(None) };
    bytes.truncate(end + 1);
    let now = known + bytes.len() as u64;
    let digest = if now >= reread::LARGE {
        reread::digest(&mut file, now)?
    } else {
        head.extend_from_slice(&bytes);
        reread::sha256(&head)
    };
    Ok(Some(Appended { bytes, digest, modified: metadata.modified().ok() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LoadOptions, PathArg, Unwatched, load, read_again};
    use std::fs;
    use std::io::Write as _;
    use triptych_import::Readers;
    use triptych_model::Silent;

    fn log() -> Vec<u8> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data/svnserve/fork-1.14.log");
        fs::read(path).expect("a sample")
    }

    fn open(path: &Path) -> Source {
        let paths = [PathArg::Path(path.to_owned())];
        let loaded = load(&paths, &Readers, &LoadOptions::default(), &Unwatched).expect("nobody cancels");
        loaded.sources.into_iter().next().expect("one file")
    }

    fn append(path: &Path, bytes: &[u8]) {
        let mut file = fs::OpenOptions::new().append(true).open(path).expect("opens");
        file.write_all(bytes).expect("writes");
    }

    #[test]
    fn only_what_was_appended_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("svnserve.log");
        let log = log();
        let half = log[..log.len() / 2].iter().rposition(|byte| *byte == b'\n').expect("lines") + 1;
        fs::write(&path, &log[..half]).expect("writes");
        let before = open(&path);
        // A server writes on, its last line not yet whole.
        append(&path, &log[half..log.len() - 10]);
        let grown = read_on(&before, &Readers, &Silent).expect("nobody cancels").expect("only grew");
        assert!(before.bytes() < grown.bytes() && grown.bytes() < log.len() as u64 - 10);
        append(&path, &log[log.len() - 10..]);
        let grown = read_on(&grown, &Readers, &Silent).expect("nobody cancels").expect("only grew");
        let whole = open(&path);
        assert_eq!((grown.bytes(), &grown.sha256), (whole.bytes(), &whole.sha256));
        assert_eq!(grown.data.requests.len(), whole.data.requests.len());
        let last = whole.data.requests.len() - 1;
        assert_eq!(grown.data.requests.row(last), whole.data.requests.row(last));
        assert!(read_on(&grown, &Readers, &Silent).expect("nobody cancels").is_none(), "nothing is new");
    }

    #[test]
    fn what_changed_otherwise_is_read_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("svnserve.log");
        let log = log();
        let lines: Vec<&[u8]> = log.split_inclusive(|byte| *byte == b'\n').collect();
        fs::write(&path, lines[..20].concat()).expect("writes");
        let before = open(&path);
        for now in
            [lines[1..40].concat(), lines[..10].concat(), [&lines[..20].concat(), &b"cut"[..]].concat()]
        {
            fs::write(&path, &now).expect("writes");
            assert!(read_on(&before, &Readers, &Silent).expect("nobody cancels").is_none());
            let again =
                read_again(std::slice::from_ref(&before), &Readers, &Unwatched).expect("nobody cancels");
            assert_eq!(again[0].bytes(), now.len() as u64);
        }
    }
}
