//! What the programs of a build say of themselves: version, revision, day of compilation, libraries, and
//! whether they were built for debugging.
//!
//! The worker writes it to the run log and badges runs of debug builds, `check` shows it, and both the
//! verbs and the window ask here. Programs are only asked for versions and made to fail on purpose.

mod ask;

use ask::Asker;
pub(crate) use ask::ask;

use crate::experiments::{Experiment, experiment};
use crate::lab::{Build, Lab};
use crate::plan::Plan;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The programs that experiments and servers take from a build.
pub const PROGRAMS: [&str; 4] = ["svn", "svnadmin", "svnserve", "svnbench"];

/// How each program is made to fail without touching anything: what an error looks like tells a debug
/// build. Nothing is below `/dev/null`, and a bad depth is refused before any setting is read.
const FAILURES: [(&str, &[&str]); 4] = [
    ("svn", &["info", "--depth=none-such"]),
    ("svnadmin", &["verify", "/dev/null/none-such"]),
    ("svnserve", &["-t", "-r", "/dev/null/none-such"]),
    ("svnbench", &["null-list", "--depth=none-such"]),
];

/// In builds with SVN_DEBUG (`--enable-debug`, `--enable-maintainer-mode`) every error begins with the
/// place in the source where it was made, and this.
const DEBUG_SIGN: &str = "(apr_err=";

/// What one program says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Where it lies.
    pub path: PathBuf,
    /// Why it cannot be used, if it cannot.
    pub fault: Option<String>,
    /// `1.14.2`, `1.15.0-dev`.
    pub version: Option<String>,
    /// What stands in parentheses behind it: `r1899510`, `under development`.
    pub tag: Option<String>,
    /// When it was compiled, as it says: `Jan  4 2025, 01:39:54`.
    pub compiled: Option<String>,
    /// What it was compiled for: `x86_64-pc-linux-gnu`; before 1.8 it does not say.
    pub platform: Option<String>,
    /// Libraries and their versions; svn lists them since 1.8, the others do not.
    pub libraries: Vec<(String, String)>,
    /// Whether it was built for debugging; `None` where its errors do not tell.
    pub debug: Option<bool>,
    /// The line that tells it.
    pub debug_sign: Option<String>,
    /// Size of its file.
    pub bytes: Option<u64>,
    /// When its file was changed last, seconds since 1970.
    pub modified: Option<i64>,
}

impl Program {
    /// Its revision in Subversion's own repository.
    pub fn revision(&self) -> Option<u64> {
        self.tag.as_deref()?.strip_prefix('r')?.parse().ok()
    }

    /// Whether its version names no release: `-dev`, `under development`, a candidate, an alpha.
    pub fn is_unreleased(&self) -> bool {
        let odd_version = self
            .version
            .as_deref()
            .is_some_and(|version| version.contains(|c: char| c != '.' && !c.is_ascii_digit()));
        odd_version || (self.tag.is_some() && self.revision().is_none())
    }

    /// Major and minor number of its version.
    pub fn minor(&self) -> Option<(u32, u32)> {
        let mut parts = self.version.as_deref()?.split(['.', '-']);
        Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    }

    /// The newest FSFS format that a release of this version reads.
    pub fn newest_format(&self) -> Option<u32> {
        const SINCE: [(u32, u32); 6] = [(10, 8), (9, 7), (8, 6), (6, 4), (5, 3), (4, 2)];
        let (major, minor) = self.minor()?;
        let known = SINCE.into_iter().find(|(since, _)| minor >= *since);
        (major == 1).then(|| known.map_or(1, |(_, format)| format))
    }
}

/// What the programs of a build say, in the order of [`PROGRAMS`].
pub fn programs(build: &Build) -> Vec<(&'static str, Program)> {
    asked(build, &mut Asker::new(None, &mut || true))
}

fn asked(build: &Build, asker: &mut Asker<'_>) -> Vec<(&'static str, Program)> {
    PROGRAMS.into_iter().map(|name| (name, program_by(name, &build.program(name), asker))).collect()
}

/// Facts of a build for the run log: `version`, `revision`, `compiled`, `platform`, `debug` (true, false or
/// `"unknown"`), `libraries`, `unreleased`, `mixed` where its programs are of several versions, and
/// `programs` with path, size, time and fault of each.
pub fn facts(build: &Build) -> Map<String, Value> {
    facts_of(&programs(build))
}

/// As [`facts`], for a campaign: the programs carry its token, and `go_on` is asked while they are waited
/// for, so that one that hangs does not hold up who gives up; `None` where it said no.
pub fn facts_while(
    build: &Build,
    token: Option<&str>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Map<String, Value>> {
    let mut asker = Asker::new(token, go_on);
    let programs = asked(build, &mut asker);
    (!asker.gave_up()).then(|| facts_of(&programs))
}

/// As [`facts`], of programs that were asked already.
pub fn facts_of(programs: &[(&'static str, Program)]) -> Map<String, Value> {
    let unknown = |value: Value| if value.is_null() { json!("unknown") } else { value };
    let first = programs.iter().map(|(_, program)| program).find(|program| program.version.is_some());
    let versions = versions(programs);
    let each: Map<String, Value> = programs
        .iter()
        .map(|(name, program)| {
            let facts = json!({
                "path": program.path.to_string_lossy(),
                "version": program.version,
                "fault": program.fault,
                "bytes": program.bytes,
                "modified": program.modified,
                "debug": program.debug,
                "debug_sign": program.debug_sign,
            });
            ((*name).to_owned(), facts)
        })
        .collect();
    let libraries: Map<String, Value> = first
        .map(|program| {
            program.libraries.iter().map(|(name, version)| (name.clone(), json!(version))).collect()
        })
        .unwrap_or_default();
    [
        ("version", unknown(json!(first.and_then(|program| program.version.as_deref())))),
        ("revision", unknown(json!(first.and_then(Program::revision)))),
        ("compiled", unknown(json!(first.and_then(|program| program.compiled.as_deref())))),
        ("platform", unknown(json!(first.and_then(|program| program.platform.as_deref())))),
        ("debug", unknown(json!(is_debug(programs)))),
        ("unreleased", json!(first.is_some_and(Program::is_unreleased))),
        ("mixed", json!(versions.len() > 1)),
        ("libraries", Value::Object(libraries)),
        ("programs", Value::Object(each)),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}

/// The different versions of the programs, with their tags.
pub(crate) fn versions(programs: &[(&'static str, Program)]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (_, program) in programs {
        let Some(version) = &program.version else { continue };
        let text = program.tag.as_ref().map_or(version.clone(), |tag| format!("{version} ({tag})"));
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// One debug program makes a debug build; none is one only where all that are there say so.
pub(crate) fn is_debug(programs: &[(&'static str, Program)]) -> Option<bool> {
    let there = || programs.iter().filter(|(_, program)| program.fault.is_none());
    if there().any(|(_, program)| program.debug == Some(true)) {
        return Some(true);
    }
    (there().count() > 0 && there().all(|(_, program)| program.debug == Some(false))).then_some(false)
}

/// Programs that the steps of a plan need and that are not there, each once.
pub fn missing(plan: &Plan, lab: &Lab) -> Vec<PathBuf> {
    let mut needed = BTreeSet::new();
    for step in &plan.steps {
        let operation = plan.operations.get(step.cell.operation);
        let spec = operation.and_then(|operation| experiment(&operation.experiment)).map(Experiment::spec);
        let build = lab.variant(&step.cell.variant).and_then(|variant| lab.build(&variant.build));
        if let (Some(spec), Some(build)) = (spec, build) {
            let names = [Some(spec.program), spec.needs_server.then_some("svnserve")];
            needed.extend(names.into_iter().flatten().map(|name| build.program(name)));
        }
    }
    needed.into_iter().filter(|program| !program.exists()).collect()
}

/// What one program says; `name` is its usual name, whatever its file is called.
pub fn program(name: &str, path: &Path) -> Program {
    program_by(name, path, &mut Asker::new(None, &mut || true))
}

fn program_by(name: &str, path: &Path, asker: &mut Asker<'_>) -> Program {
    let mut program = Program { path: path.to_owned(), ..Program::default() };
    program.fault = match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some("is not there".into()),
        Err(error) => Some(format!("cannot be read: {error}")),
        Ok(facts) => {
            program.bytes = Some(facts.size());
            program.modified = Some(facts.mtime());
            let executable = rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
            let file = facts.is_file();
            if !file {
                Some("is no file".into())
            } else if executable {
                None
            } else {
                Some("may not be executed".into())
            }
        }
    };
    if program.fault.is_none() {
        program.fault = question(name, path, &mut program, asker).err();
    }
    program
}

fn question(name: &str, path: &Path, program: &mut Program, asker: &mut Asker<'_>) -> Result<(), String> {
    // Only svn lists its libraries, and only since 1.8.
    let verbose = if name == "svn" { asker.ask(path, &["--version", "--verbose"], true).ok() } else { None };
    let said = match verbose.filter(|said| said.status == Some(0)) {
        Some(said) => said,
        None => asker.ask(path, &["--version"], true)?,
    };
    if said.status != Some(0) {
        return Err(format!("did not tell its version: {}", said.complaint()));
    }
    read_version(&said.stdout, program);
    if program.version.is_none() {
        let line = said.stdout.lines().next().unwrap_or_default();
        return Err(format!(
            "did not tell its version: expected \"{name}, version 1.14.2 …\", found {line:?}"
        ));
    }
    if let Some((_, words)) = FAILURES.iter().find(|(program, _)| *program == name) {
        (program.debug, program.debug_sign) = debug_sign(&asker.ask(path, words, false)?.stderr);
    }
    Ok(())
}

/// Reads what `--version --verbose` prints.
fn read_version(text: &str, program: &mut Program) {
    if let Some((_, rest)) = text.lines().find_map(|line| line.split_once(", version ")) {
        let (version, tag) = rest.split_once(' ').unwrap_or((rest, ""));
        program.version = Some(version.trim().to_owned()).filter(|version| !version.is_empty());
        program.tag = tag.trim().strip_prefix('(').and_then(|tag| tag.strip_suffix(')')).map(str::to_owned);
    }
    if let Some(rest) = text.lines().find_map(|line| line.trim().strip_prefix("compiled ")) {
        let (when, platform) = rest.split_once(" on ").map_or((rest, None), |(when, on)| (when, Some(on)));
        program.compiled = Some(when.trim().to_owned());
        program.platform = platform.map(|platform| platform.trim().to_owned());
    }
    let mut listed = text.lines().skip_while(|line| !line.contains("linked dependencies:")).skip(1);
    for line in listed.by_ref() {
        let Some(item) = line.trim().strip_prefix("- ") else { break };
        let item = item.split(" (").next().unwrap_or(item);
        if let Some((name, version)) = item.rsplit_once(' ') {
            program.libraries.push((name.to_owned(), version.to_owned()));
        }
    }
}

/// Whether an error names the place in the source where it was made, and the line that does.
fn debug_sign(stderr: &str) -> (Option<bool>, Option<String>) {
    match stderr.lines().find(|line| line.contains(DEBUG_SIGN)) {
        Some(line) => (Some(true), Some(line.trim().to_owned())),
        None if stderr.lines().any(|line| line.starts_with("svn")) => (Some(false), None),
        None => (None, None),
    }
}

#[cfg(test)]
pub(crate) mod tests;
