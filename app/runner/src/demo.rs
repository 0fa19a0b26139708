//! The demo lab: a made repository in formats 6, 7 and 8, packed and not, with a lab and a plan for it,
//! so that the first measurement needs no set-up.
//!
//! It takes nothing but the installed `svnadmin`. The same seed gives the same content. Verbs and
//! window call [`make_demo`]; it is made beside its place and moved there, so it is whole or absent.

mod dump;
mod history;
mod texts;
mod tools;

use crate::host::local::LocalHost;
use crate::lab::{Build, Lab, Medium, Repository, RepositoryCopy, Variant};
use crate::labfile::{self, LAB_FILE, write_whole};
use crate::plan::Plan;
use history::Size;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tools::{Tee, Tool};

/// The usual name of the plan's file, beside the lab's.
pub const PLAN_FILE: &str = "plan.json";

/// Says which demo a directory holds.
const MARK_FILE: &str = "demo.json";

/// The plan of the demo, as a preset.
const PRESET: &str = include_str!("../../../assets/presets/demo.json");

/// Formats and the version of Subversion that each is compatible with.
const FORMATS: [(&str, &str); 3] = [("6", "1.8"), ("7", "1.9"), ("8", "1.10")];

/// Name of the made repository.
const NAME: &str = "demo";

/// Bytes that all copies take, for each revision, with room to spare.
const BYTES_A_REVISION: u64 = 160_000;

/// Tells the scratch directories of one process apart.
static SCRATCHES: AtomicU32 = AtomicU32::new(0);

/// Where Linux has a file system in memory.
const MEMORY: &str = "/dev/shm";

/// Bytes that three repositories take in memory, for each revision, with room to spare.
const MEMORY_BYTES_A_REVISION: u64 = 90_000;

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
        /// MB there are; 0 where the disk got full on the way.
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
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
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
    let lab = describe(&scratch.0, &svnadmin, options);
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

/// A directory in which something is made; removed when dropped, if it still lies there.
struct Scratch(PathBuf);

impl Scratch {
    fn new(path: PathBuf) -> Result<Self, DemoError> {
        fs::create_dir(&path).map_err(|error| DemoError::io("made", &path, error))?;
        Ok(Self(path))
    }

    /// Beside the place that it will be moved to.
    fn beside(directory: &Path) -> Result<Self, DemoError> {
        let number = SCRATCHES.fetch_add(1, Ordering::Relaxed);
        Self::new(directory.with_file_name(part_name(directory, &format!("{}-{number}", std::process::id()))))
    }

    /// In memory, if there is room: a load syncs each of its revisions even where it is told not to,
    /// which on a busy disk takes minutes instead of seconds.
    fn in_memory(revisions: u64) -> Option<Self> {
        let directory = Path::new(MEMORY);
        let room = free_bytes(directory)? >= revisions * MEMORY_BYTES_A_REVISION;
        if !room || !is_in_memory(directory) {
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

fn part_name(directory: &Path, end: &str) -> String {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    format!(".{name}.part-{end}")
}

/// Removes what programs left that were killed while they made a demo lab.
fn remove_stale(directory: &Path) {
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

fn free_bytes(directory: &Path) -> Option<u64> {
    LocalHost::medium_facts(directory).get("free_bytes")?.as_u64()
}

fn is_in_memory(directory: &Path) -> bool {
    let facts = LocalHost::medium_facts(directory);
    let kind = facts.get("file_system").and_then(serde_json::Value::as_str);
    kind.is_some_and(|kind| ["tmpfs", "ramfs"].contains(&kind))
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

struct Making<'a> {
    svnadmin: &'a Path,
    /// Where the copies shall lie.
    at: &'a Path,
    /// Where they are loaded.
    work: &'a Path,
    options: DemoOptions,
    progress: &'a mut dyn FnMut(&DemoProgress) -> bool,
}

impl Making<'_> {
    fn all(&mut self) -> Result<(), DemoError> {
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
    fn load(&mut self, copies: &[PathBuf]) -> Result<(), DemoError> {
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

fn copy_name(format: &str, packed: bool) -> String {
    format!("fmt{format}{}", if packed { "_packed" } else { "" })
}

/// The lab of the demo, with paths relative to its file.
fn describe(at: &Path, svnadmin: &Path, options: DemoOptions) -> Lab {
    let medium = if is_in_memory(at) { "tmpfs" } else { "disk" };
    let both = || FORMATS.iter().flat_map(|(format, _)| [(*format, true), (*format, false)]);
    let copies = both().map(|(format, packed)| RepositoryCopy {
        name: copy_name(format, packed),
        format: Some(format.to_owned()),
        packed: Some(packed),
        medium: medium.to_owned(),
        path: copy_name(format, packed).into(),
    });
    let mut variants: Vec<Variant> = both()
        .map(|(format, packed)| Variant {
            name: format!("fmt{format}{}", if packed { "" } else { " unpacked" }),
            build: "installed".into(),
            copies: vec![copy_name(format, packed)],
            ..Variant::default()
        })
        .collect();
    variants.sort_by_key(|variant| variant.name.contains(' '));
    let repository = Repository {
        name: NAME.into(),
        uuid: Some(history::uuid(options.seed, options.revisions)),
        youngest: Some(options.revisions),
        target: history::TARGET.into(),
        file: Some(history::FILE.into()),
        aliases: Vec::new(),
        copies: copies.collect(),
    };
    Lab {
        builds: vec![installed(svnadmin)],
        media: vec![Medium { name: medium.into(), directory: ".".into() }],
        repositories: vec![repository],
        variants,
        baseline: Some("fmt6".into()),
        ..Lab::new("demo")
    }
}

/// The installed Subversion, wherever each of its programs lies.
fn installed(svnadmin: &Path) -> Build {
    let directory = svnadmin.parent().unwrap_or(Path::new("/usr/bin")).to_owned();
    let mut programs = BTreeMap::new();
    for name in ["svn", "svnserve", "svnbench"] {
        let elsewhere = tools::find(name).filter(|_| !directory.join(name).is_file());
        if let Some(path) = elsewhere {
            programs.insert(name.to_owned(), path);
        }
    }
    Build { name: "installed".into(), directory, programs }
}

/// The plan of the demo for a lab that [`make_demo`] made; its steps are not yet laid out.
///
/// # Errors
/// The preset does not fit this program's plans.
pub fn demo_plan(lab: &Lab) -> Result<Plan, DemoError> {
    let read = crate::locate::parse_version::<Plan>("demo.json", PRESET, "plan", crate::plan::PLAN_VERSION);
    let plan = read.map_err(|problem| DemoError::Unreadable(problem.to_string()))?;
    Ok(Plan { media: lab.media.iter().map(|medium| medium.name.clone()).collect(), ..plan })
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
