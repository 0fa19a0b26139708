//! The worker: measures a campaign, in a session of its own, and clears up if the guard is gone.

use crate::campaign::{BuildFacts, Campaign};
use crate::check::copies;
use crate::desk::Desk;
use crate::host::Watcher;
use crate::host::local::LocalHost;
use crate::inbox::Inbox;
use crate::journal::{Journal, Places, state_directory};
use crate::lab::Lab;
use crate::logfile::{LogFile, now};
use crate::output::Output;
use crate::protocol::{Control, Start};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use triptych_model::Severity;
use triptych_model::runlog::{Event, Finished, Hello, Outcome, Record};

/// How long the window gets to say what is to be measured.
const GREETING: Duration = Duration::from_secs(30);

/// How the worker ended, for its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every run was good.
    Good,
    /// Some run failed.
    Failed,
    /// It did not come to the end of the plan.
    Short,
}

/// Measures what standard input asks for and tells standard output.
///
/// # Errors
/// A sentence where nothing could be begun; it was sent as the last record too.
pub fn run(journal: &Journal) -> Result<Ended, String> {
    let ended = serve(journal);
    // With the guard gone its input ended, which cancelled: what the guard would clear is ours to clear.
    if !journal.guard.runs() {
        journal.clear(&state_directory());
    }
    ended
}

fn serve(journal: &Journal) -> Result<Ended, String> {
    // Started through /proc, it would be called "exe".
    rustix::thread::set_name(c"triptych-runner").ok();
    // Away from the terminal: Ctrl+C reaches the guard alone, who ends things in order.
    rustix::process::setsid().ok();
    crate::journal::become_subreaper();
    let input = duplicate(std::io::stdin())?;
    let mut inbox = Inbox::new(input);
    let mut output = Output::new(duplicate(std::io::stdout())?);
    output.send(&Hello::of("triptych-runner"));
    match begin(journal, &mut inbox) {
        Ok((start, log, found)) => Ok(measure(journal, start, log, found, inbox, output)),
        Err(why) => {
            let finished = Finished {
                outcome: Outcome::Broken,
                done: 0,
                failed: 0,
                remaining: 0,
                reason: Some(why.clone()),
            };
            output.send(&Record { n: 1, time: now(), event: Event::Finished(finished) });
            output.flush(Duration::from_secs(2));
            Err(why)
        }
    }
}

fn duplicate(fd: impl std::os::fd::AsFd) -> Result<std::os::fd::OwnedFd, String> {
    rustix::io::fcntl_dupfd_cloexec(fd, 3).map_err(|error| format!("a pipe is missing: {error}"))
}

/// Reads the wish, makes the campaign's directory and opens its log.
fn begin(journal: &Journal, inbox: &mut Inbox) -> Result<(Start, LogFile, crate::logfile::Found), String> {
    let start = wish(inbox)?;
    let directory = &start.directory;
    if start.plan.steps.is_empty() {
        return Err("the plan has no step: nothing to measure".to_owned());
    }
    std::fs::create_dir_all(directory).map_err(|error| format!("{error} ({})", directory.display()))?;
    let path = directory.join("run.ndjson");
    let targets =
        start.lab.media.iter().map(|medium| LocalHost::target_root(&medium.directory, &journal.token));
    let places = Places { log: path.clone(), targets: targets.collect() };
    places
        .write(&state_directory(), &journal.token)
        .map_err(|error| format!("no journal can be kept: {error}"))?;
    client_config(&journal.scratch.join("config"))
        .map_err(|error| format!("the scratch directory: {error}"))?;
    let (plan, lab) = (directory.join("plan.json"), directory.join("lab.json"));
    belongs(&plan, &start.plan, "another plan")?;
    belongs(&lab, &Lab { known_as: BTreeMap::new(), ..start.lab.clone() }, "another lab")?;
    keep(&plan, &start.plan)?;
    keep(&lab, &Lab { known_as: BTreeMap::new(), ..start.lab.clone() })?;
    let (log, found) = LogFile::open(&path).map_err(|error| error.to_string())?;
    Ok((start, log, found))
}

fn wish(inbox: &mut Inbox) -> Result<Start, String> {
    let line = inbox.line(Some(GREETING)).ok_or("no greeting came on standard input")?;
    let hello: Hello = serde_json::from_str(&line).map_err(|error| {
        format!("no greeting came on standard input, expected {{\"protocol\":1,…}}: {error}")
    })?;
    if let Some(refusal) = hello.refusal() {
        return Err(refusal);
    }
    let line = inbox.line(Some(GREETING)).ok_or("nothing to measure came on standard input")?;
    match serde_json::from_str(&line) {
        Ok(Control::Start(start)) => Ok(*start),
        Ok(_) => Err("the first wish is not what to measure".to_owned()),
        Err(error) => Err(format!("what to measure cannot be read: {error}")),
    }
}

/// An empty configuration for the clients, whole enough that none writes to it while it is timed
/// (`svn_config_ensure` makes what is missing).
fn client_config(directory: &Path) -> std::io::Result<()> {
    for name in ["svn.simple", "svn.username", "svn.ssl.server", "svn.ssl.client-passphrase"] {
        std::fs::create_dir_all(directory.join("auth").join(name))?;
    }
    for name in ["README.txt", "config", "servers"] {
        std::fs::write(directory.join(name), "")?;
    }
    Ok(())
}

/// A campaign goes on with what it was begun with.
fn belongs<T: PartialEq + serde::de::DeserializeOwned>(
    path: &Path,
    value: &T,
    other: &str,
) -> Result<(), String> {
    let Ok(text) = std::fs::read(path) else { return Ok(()) };
    let kept: T = serde_json::from_slice(&text).map_err(|error| format!("{error} ({})", path.display()))?;
    if kept == *value {
        return Ok(());
    }
    Err(format!("this directory was begun with {other} ({}); choose a new one", path.display()))
}

/// Keeps a file of the campaign, whole and on the disk; what is there already stays.
fn keep<T: serde::Serialize>(path: &Path, value: &T) -> Result<(), String> {
    if path.exists() {
        return Ok(());
    }
    let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    crate::labfile::write_whole(path, &text).map_err(|error| format!("{error} ({})", path.display()))
}

fn measure(
    journal: &Journal,
    mut start: Start,
    log: LogFile,
    found: crate::logfile::Found,
    inbox: Inbox,
    output: Output,
) -> Ended {
    let mut desk = Desk::new(log, output, inbox, found.last);
    let mut host = LocalHost::new(&journal.token, &journal.scratch);
    if let Some(pid) = journal.watching {
        host.watched_by(pid);
    }
    let builds = build_facts(&start, &journal.token, &mut desk);
    let (copies, faults) = true_copies(&mut start);
    let mut campaign = Campaign::new(&start, &journal.scratch, &builds, found);
    let media = start.lab.media.iter();
    let media = media.map(|medium| (medium.name.clone(), LocalHost::medium_facts(&medium.directory).into()));
    campaign.facts.insert("media".to_owned(), media.collect::<Map<_, _>>().into());
    campaign.facts.insert("copies".to_owned(), copies.into());
    for fault in faults {
        desk.note(Severity::Warning, fault);
    }
    let finished = campaign.measure(&mut host, &mut desk);
    let ended = match (finished.outcome, finished.failed) {
        (Outcome::Completed, 0) => Ended::Good,
        (Outcome::Completed, _) => Ended::Failed,
        _ => Ended::Short,
    };
    desk.close(Event::Finished(finished));
    ended
}

/// What the binaries of the builds that the plan uses say of themselves.
fn build_facts(start: &Start, token: &str, desk: &mut Desk) -> BuildFacts {
    let variants = start.plan.steps.iter().filter_map(|step| start.lab.variant(&step.cell.variant));
    let used: BTreeSet<&str> = variants.map(|variant| variant.build.as_str()).collect();
    let builds = start.lab.builds.iter().filter(|build| used.contains(build.name.as_str()));
    let mut go_on = || !Watcher::cancelled(desk);
    let facts = builds.map_while(|build| {
        Some((build.name.clone(), crate::builds::facts_while(build, Some(token), &mut go_on)?))
    });
    facts.collect()
}

/// Reads format and packing from the copies that the plan uses: a run is labelled by what is there, not
/// by what the lab says. Gives the facts by the copy's name, and where lab and copy disagree.
fn true_copies(start: &mut Start) -> (Map<String, Value>, Vec<String>) {
    let variants = start.plan.steps.iter().filter_map(|step| start.lab.variant(&step.cell.variant));
    let used: BTreeSet<String> = variants.flat_map(|variant| variant.copies.iter().cloned()).collect();
    let (mut facts, mut faults) = (Map::new(), Vec::new());
    for copy in start.lab.repositories.iter_mut().flat_map(|repository| &mut repository.copies) {
        // A copy that cannot be read fails its runs, with the reason.
        let Ok(found) = copies::read(&copy.path) else { continue };
        if !used.contains(&copy.name) {
            continue;
        }
        let (format, packed) = (Some(found.format.to_string()), Some(found.is_packed()));
        if copy.format.is_some() && copy.format != format || copy.packed.is_some() && copy.packed != packed {
            faults.push(format!("copy {} is not as the lab says: {}", copy.name, found.text()));
        }
        (copy.format, copy.packed) = (format, packed);
        facts.insert(copy.name.clone(), Value::Object(found.facts()));
    }
    (facts, faults)
}
