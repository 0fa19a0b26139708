//! A small real lab, and a campaign in it: shared by the tests that start the real runner.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use triptych_model::runlog::{Event, Record};
use triptych_runner::client::Session;
use triptych_runner::expand::expand;
use triptych_runner::lab::{Build, Lab, Medium, Repository, RepositoryCopy, Variant};
use triptych_runner::plan::{Cache, Operation, Plan};
use triptych_runner::protocol::Start;

/// A folder that holds a lab, campaigns and the runner's state, and goes when it is dropped.
pub struct Bench {
    pub directory: tempfile::TempDir,
    pub lab: Lab,
}

pub fn tool(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

impl Bench {
    /// A repository of one revision with this many files, in formats 6 and 8.
    pub fn new(files: usize) -> Self {
        // Not in memory: cold needs a disk.
        let directory = tempfile::Builder::new().prefix("runner-test-").tempdir_in("/var/tmp").unwrap();
        let tree = directory.path().join("tree/trunk");
        std::fs::create_dir_all(&tree).unwrap();
        for file in 0..files {
            let text: String =
                (0..400).map(|line| format!("{file} {line} {}\n", file * 7919 + line * 104_729)).collect();
            std::fs::write(tree.join(format!("f{file}")), text).unwrap();
        }
        let media = directory.path().join("disk");
        std::fs::create_dir_all(&media).unwrap();
        let mut lab = Lab::new("test");
        lab.builds.push(Build { name: "installed".into(), directory: "/usr/bin".into(), ..Build::default() });
        lab.media.push(Medium { name: "disk".into(), directory: media.clone() });
        let mut repository =
            Repository { name: "tree".into(), target: "trunk".into(), ..Repository::default() };
        for (format, version) in [("6", "1.8"), ("8", "1.10")] {
            let path = media.join(format!("fmt{format}"));
            tool("svnadmin", &["create", "--compatible-version", version, path.to_str().unwrap()]);
            let url = format!("file://{}", path.display());
            tool(
                "svn",
                &["import", "-q", "-m", "tree", directory.path().join("tree").to_str().unwrap(), &url],
            );
            let name = format!("fmt{format}");
            repository.copies.push(RepositoryCopy {
                name: name.clone(),
                format: Some(format.into()),
                packed: Some(false),
                medium: "disk".into(),
                path,
            });
            lab.variants.push(Variant {
                name: name.clone(),
                build: "installed".into(),
                copies: vec![name],
                ..Variant::default()
            });
        }
        lab.repositories.push(repository);
        Self { directory, lab }
    }

    pub fn campaign(&self, name: &str) -> PathBuf {
        self.directory.path().join("campaigns").join(name)
    }

    /// What asks for these experiments, cold and hot.
    pub fn start(&self, name: &str, experiments: &[&str], caches: &[Cache], repetitions: u32) -> Start {
        let operations = experiments
            .iter()
            .map(|experiment| Operation { experiment: (*experiment).into(), ..Operation::default() });
        let mut plan = Plan {
            title: name.into(),
            operations: operations.collect(),
            repositories: vec!["tree".into()],
            variants: vec!["fmt6".into(), "fmt8".into()],
            media: vec!["disk".into()],
            caches: caches.to_vec(),
            repetitions,
            ..Plan::default()
        };
        expand(&mut plan, &self.lab).unwrap();
        Start { lab: self.lab.clone(), plan, directory: self.campaign(name), expected_secs: BTreeMap::new() }
    }

    pub fn session(&self, start: &Start) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_triptych-runner"));
        command.env("XDG_STATE_HOME", self.directory.path().join("state"));
        Session::start_command(command, start).unwrap()
    }
}

/// All that a session says until its end.
pub fn events(session: &mut Session) -> Vec<Event> {
    let mut all = Vec::new();
    while let Some(record) = session.next() {
        all.push(record.unwrap().event);
    }
    all
}

/// The records of a run log, all lines whole.
pub fn log(campaign: &Path) -> Vec<Record> {
    let text = std::fs::read_to_string(campaign.join("run.ndjson")).unwrap();
    assert!(text.ends_with('\n'), "the last line is cut");
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Steps that have ended by a log.
pub fn ended(campaign: &Path) -> Vec<u32> {
    let steps = log(campaign).into_iter().filter_map(|record| match record.event {
        Event::StepEnded(end) => Some(end.step),
        _ => None,
    });
    steps.collect()
}

/// Waits until it holds; false where it does not within this time.
pub fn within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    holds()
}

/// What a runner whose guard had this id has left: processes, temporary directories, journals.
pub fn leftovers(test: &Bench, guard: u32) -> Vec<String> {
    let mark = format!("{guard}-");
    let mut left: Vec<String> = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let needle = format!("TRIPTYCH_RUN={mark}");
        let marked = environment.windows(needle.len()).any(|window| window == needle.as_bytes());
        if marked && triptych_runner::procfs::stat(pid).is_some_and(|stat| stat.lives()) {
            left.push(format!("process {pid}"));
        }
    }
    let places = [
        (PathBuf::from("/dev/shm"), format!("triptych-{mark}")),
        (PathBuf::from("/tmp"), format!("triptych-{mark}")),
        (test.directory.path().join("state/triptych/runner"), mark.clone()),
        (test.directory.path().join("disk"), ".triptych".into()),
    ];
    for (place, prefix) in places {
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                left.push(entry.path().display().to_string());
            }
        }
    }
    left
}

/// A thread of a test.
pub fn thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> std::thread::JoinHandle<T> {
    std::thread::Builder::new().spawn(work).unwrap()
}
