//! Makes the copies: the history is made once and loaded into three formats side by side, then copied
//! and packed.

use super::describe::copy_name;
use super::history::{self, Size};
use super::tools::{self, Tee, Tool};
use super::{DemoError, DemoOptions, DemoProgress, FORMATS};
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What the making needs.
pub(super) struct Making<'a> {
    pub svnadmin: &'a Path,
    /// Where the copies shall lie.
    pub at: &'a Path,
    /// Where they are loaded.
    pub work: &'a Path,
    pub options: DemoOptions,
    pub progress: &'a mut dyn FnMut(&DemoProgress) -> bool,
}

impl Making<'_> {
    /// Makes all copies.
    pub(super) fn all(&mut self) -> Result<(), DemoError> {
        let paths = |directory: &Path, packed: bool| -> Vec<PathBuf> {
            FORMATS.iter().map(|(format, _)| directory.join(copy_name(format, packed))).collect()
        };
        let (loaded, plain, packed) = (paths(self.work, false), paths(self.at, false), paths(self.at, true));
        let create = FORMATS.iter().zip(&loaded).map(|((_, version), path)| {
            vec![
                OsStr::new("create"),
                OsStr::new("--compatible-version"),
                OsStr::new(version),
                path.as_os_str(),
            ]
        });
        self.step(0.0, "making repositories", &create.collect::<Vec<_>>())?;
        self.load(&loaded)?;
        for (share, text, to) in
            [(0.85, "copying repositories", &plain), (0.9, "copying repositories for packing", &packed)]
        {
            let copy = loaded.iter().zip(to);
            let copy = copy.map(|(from, to)| vec![OsStr::new("hotcopy"), from.as_os_str(), to.as_os_str()]);
            self.step(share, text, &copy.collect::<Vec<_>>())?;
        }
        let pack = packed.iter().map(|path| vec![OsStr::new("pack"), OsStr::new("-q"), path.as_os_str()]);
        self.step(0.95, "packing repositories", &pack.collect::<Vec<_>>())
    }

    /// Runs several commands side by side.
    fn step(&mut self, share: f64, text: &str, commands: &[Vec<&OsStr>]) -> Result<(), DemoError> {
        let start = |words: &Vec<&OsStr>| Tool::start(self.svnadmin, words, self.work, false);
        let running = commands.iter().map(start).collect::<Result<Vec<Tool>, DemoError>>()?;
        let progress = DemoProgress { share, text: text.to_owned() };
        tools::finish(running, &mut || (self.progress)(&progress))
    }

    /// Makes the history once and loads it into all copies at the same time.
    pub(super) fn load(&mut self, copies: &[PathBuf]) -> Result<(), DemoError> {
        let mut words = vec![OsStr::new("load"), OsStr::new("-q"), OsStr::new("--force-uuid")];
        if self.knows_no_flush() {
            words.push(OsStr::new("--no-flush-to-disk"));
        }
        let start = |copy: &PathBuf| {
            let words: Vec<&OsStr> = words.iter().copied().chain([copy.as_os_str()]).collect();
            Tool::start(self.svnadmin, &words, self.work, true)
        };
        let mut running = copies.iter().map(start).collect::<Result<Vec<Tool>, DemoError>>()?;
        let pipes = running.iter_mut().filter_map(Tool::input);
        let mut tee = Tee(pipes.map(|pipe| io::BufWriter::with_capacity(1 << 16, pipe)).collect());
        let DemoOptions { seed, revisions } = self.options;
        let progress = &mut *self.progress;
        let mut go_on = |revision: u64| {
            let share = 0.01 + 0.82 * revision as f64 / revisions as f64;
            progress(&DemoProgress { share, text: format!("loading revision {revision} of {revisions}") })
        };
        let written = history::write(&mut tee, seed, size(revisions), &mut go_on).and_then(|()| tee.flush());
        match written {
            Ok(()) => {
                drop(tee);
                let progress = DemoProgress { share: 0.84, text: "loading the last revisions".into() };
                tools::finish(running, &mut || (self.progress)(&progress))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                drop(running);
                drop_unwritten(tee);
                Err(DemoError::Cancelled)
            }
            Err(error) => {
                let why = tools::why(running);
                drop_unwritten(tee);
                Err(why.unwrap_or_else(|| DemoError::tool("svnadmin load".into(), error.to_string())))
            }
        }
    }

    /// Since 1.10; without it a load syncs every revision.
    fn knows_no_flush(&self) -> bool {
        let help = std::process::Command::new(self.svnadmin).args(["help", "load"]).output();
        help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("--no-flush-to-disk"))
    }
}

/// Closes pipes without another try to write what they still hold.
fn drop_unwritten(tee: Tee) {
    for pipe in tee.0 {
        drop(pipe.into_parts());
    }
}

fn size(revisions: u64) -> Size {
    let files = usize::try_from(revisions).unwrap_or(usize::MAX).saturating_mul(6) / 5;
    Size { revisions, files, binary_every: 24 }
}
