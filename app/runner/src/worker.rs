//! The worker: measures a campaign, in a session of its own, and clears up if the guard is gone.

use crate::campaign::{BuildFacts, Campaign};
use crate::desk::Desk;
use crate::host::Watcher;
use crate::host::local::LocalHost;
use crate::inbox::Inbox;
use crate::journal::{Journal, Places, state_directory};
use crate::logfile::{LogFile, now};
use crate::output::Output;
use crate::protocol::{Control, Start};
use serde_json::Map;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
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
    // Away from the terminal: Ctrl+C reaches the guard alone, who ends things in order.
    rustix::process::setsid().ok();
    crate::journal::become_subreaper();
    let input = duplicate(std::io::stdin())?;
    let mut inbox = Inbox::new(input);
    let mut output = Output::new(duplicate(std::io::stdout())?);
    output.send(&Hello::of("triptych-runner"));
    match begin(journal, &mut inbox) {
        Ok((start, log, found)) => Ok(measure(journal, &start, log, found, inbox, output)),
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
    places.write(&journal.scratch).map_err(|error| format!("the scratch directory: {error}"))?;
    client_config(&journal.scratch.join("config"))
        .map_err(|error| format!("the scratch directory: {error}"))?;
    let (log, found) = LogFile::open(&path).map_err(|error| error.to_string())?;
    keep(&directory.join("plan.json"), &start.plan)?;
    keep(&directory.join("lab.json"), &start.lab)?;
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

/// Keeps a file of the campaign; what is there already stays, for resuming must not change it.
fn keep<T: serde::Serialize>(path: &Path, value: &T) -> Result<(), String> {
    if path.exists() {
        return Ok(());
    }
    let text = serde_json::to_vec_pretty(value).map_err(|error| error.to_string())?;
    let draft: PathBuf = path.with_extension("draft");
    std::fs::write(&draft, text)
        .and_then(|()| std::fs::rename(&draft, path))
        .map_err(|error| format!("{error} ({})", path.display()))
}

fn measure(
    journal: &Journal,
    start: &Start,
    log: LogFile,
    found: crate::logfile::Found,
    inbox: Inbox,
    output: Output,
) -> Ended {
    let mut desk = Desk::new(log, output, inbox, found.last);
    let mut host = LocalHost::new(&journal.token, &journal.scratch);
    let builds = build_facts(start, &journal.token, &mut desk);
    let mut campaign = Campaign::new(start, &journal.scratch, &builds, found);
    let media = start.lab.media.iter();
    let media = media.map(|medium| (medium.name.clone(), LocalHost::medium_facts(&medium.directory).into()));
    campaign.facts.insert("media".to_owned(), media.collect::<Map<_, _>>().into());
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
