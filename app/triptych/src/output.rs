//! Writing to standard output and to files.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a whole text to standard output.
///
/// # Errors
/// It cannot be written, or nobody reads it.
pub fn print(text: &str) -> Result<(), Failure> {
    to_stdout(|out| out.write_all(text.as_bytes()))
}

/// Lets `write` write to standard output, in large pieces.
///
/// # Errors
/// It cannot be written, or nobody reads it.
pub fn to_stdout<T>(write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let result = write(&mut out).and_then(|value| out.flush().map(|()| value));
    result.map_err(|error| Failure::writing("Standard output", error))
}

/// Lets `write` write a file, which stands in its place only when it is complete.
///
/// # Errors
/// The file cannot be written; what stood there before is kept.
pub fn to_file<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, Failure> {
    let failed = |error| Failure::writing(&path.display().to_string(), error);
    if path.exists() && !path.is_file() {
        // A pipe or a device, such as /dev/stdout, can't be replaced.
        let mut out = BufWriter::new(File::create(path).map_err(failed)?);
        return write(&mut out).and_then(|value| out.flush().map(|()| value)).map_err(failed);
    }
    // Hidden, so that what an interrupted run leaves in a folder of logs is not read as one.
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let result = File::create(&part).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        let value = write(&mut out)?;
        out.flush()?;
        std::fs::rename(&part, path)?;
        Ok(value)
    });
    if result.is_err() {
        std::fs::remove_file(&part).ok();
    }
    result.map_err(failed)
}

/// Tells a line on standard error. That nobody reads it is no reason to stop.
pub fn tell(line: &dyn std::fmt::Display) {
    // A file's name may hold line ends and codes that a terminal would obey.
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let line: String = line.to_string().chars().map(shown).collect();
    writeln!(io::stderr(), "{line}").ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.csv");
        to_file(&path, |out| out.write_all(b"one")).expect("written");
        let broken = to_file(&path, |out| {
            out.write_all(b"tw")?;
            Err::<(), _>(io::Error::other("disk full"))
        });
        assert!(matches!(broken, Err(Failure::Failed(_))));
        assert_eq!(std::fs::read_to_string(&path).expect("kept"), "one");
        assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 1, "no part is left");
    }
}
