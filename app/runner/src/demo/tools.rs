//! The installed Subversion as the demo uses it: programs found in `PATH`, and runs of `svnadmin` that
//! end with whoever started them.

use super::DemoError;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

/// Where the usual programs lie when `PATH` does not say.
const USUAL: &[&str] = &["/usr/local/bin", "/usr/bin", "/bin"];

/// A program in `PATH`, or where such programs usually lie.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).chain(USUAL.iter().map(PathBuf::from));
    directories.map(|directory| directory.join(name)).find(|path| path.is_absolute() && path.is_file())
}

/// A run of svnadmin; ended when dropped.
pub(super) struct Tool {
    child: Child,
    what: String,
    errors: PathBuf,
}

impl Tool {
    /// Starts `svnadmin` with these arguments; what it complains of goes to a file in `scratch`.
    pub(super) fn start(
        svnadmin: &Path,
        arguments: &[&OsStr],
        scratch: &Path,
        reads: bool,
    ) -> Result<Self, DemoError> {
        let words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let what = format!("svnadmin {}", words.join(" "));
        let name = format!("errors-{}", words.join("-").replace('/', "_"));
        // A file name holds 255 bytes at most; the end tells the commands apart.
        let name: String = name.chars().rev().take(100).collect();
        let errors = scratch.join(name);
        let failed = |error: io::Error| DemoError::Tool { what: what.clone(), said: error.to_string() };
        let child = Command::new(svnadmin)
            .args(arguments)
            .env("LC_ALL", "C.UTF-8")
            // A Ctrl+C at the terminal is for the caller, who ends it.
            .process_group(0)
            .stdin(if reads { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::null())
            .stderr(File::create(&errors).map_err(|error| DemoError::io("made", &errors, error))?)
            .spawn()
            .map_err(failed)?;
        Ok(Self { child, what, errors })
    }

    /// The standard input, once.
    pub(super) fn input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Whether it has ended well; an error where it ended badly.
    fn ended(&mut self) -> Result<bool, DemoError> {
        match self.child.try_wait() {
            Ok(None) => Ok(false),
            Ok(Some(status)) if status.success() => Ok(true),
            Ok(Some(status)) => Err(self.failure(&status.to_string())),
            Err(error) => Err(self.failure(&error.to_string())),
        }
    }

    fn failure(&self, status: &str) -> DemoError {
        let said = fs::read_to_string(&self.errors).unwrap_or_default();
        let said = if said.trim().is_empty() { status.to_owned() } else { said.trim().replace('\n', "; ") };
        DemoError::tool(self.what.clone(), said)
    }
}

impl Drop for Tool {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.child.kill().ok();
            self.child.wait().ok();
        }
    }
}

/// Waits until all have ended well.
///
/// # Errors
/// One ended badly, or `go_on` said no; the others are ended.
pub(super) fn finish(mut tools: Vec<Tool>, go_on: &mut dyn FnMut() -> bool) -> Result<(), DemoError> {
    while !tools.is_empty() {
        if !go_on() {
            return Err(DemoError::Cancelled);
        }
        let mut running = Vec::new();
        for mut tool in tools {
            if !tool.ended()? {
                running.push(tool);
            }
        }
        tools = running;
        if !tools.is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    Ok(())
}

/// Of several, the first that ended badly says why; used when a pipe to them broke.
pub(super) fn why(mut tools: Vec<Tool>) -> Option<DemoError> {
    // The one whose pipe broke ends at once; the others may still be at work.
    for _ in 0..200 {
        for tool in &mut tools {
            if let Err(error) = tool.ended() {
                return Some(error);
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}

/// Writes the same to several pipes.
pub(super) struct Tee(pub Vec<io::BufWriter<ChildStdin>>);

impl Write for Tee {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for pipe in &mut self.0 {
            pipe.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(Write::flush)
    }
}
