//! Interrupted campaigns of the archive: those with steps that have no end in their run log.

use crate::action::RunRequest;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use triptych_runner::{labfile, planfile};

/// A campaign that lacks runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Interrupted {
    /// What makes the rest of it.
    pub request: RunRequest,
    /// Steps that ended.
    pub done: usize,
}

/// What matters of a record, whatever else it holds.
#[derive(Deserialize)]
struct Brief {
    event: String,
    step: Option<u32>,
}

/// Where campaigns lie.
pub fn archive() -> Option<PathBuf> {
    let directories = directories::ProjectDirs::from("org", "triptych_bench", "Triptych")?;
    Some(directories.data_dir().join("campaigns"))
}

/// The interrupted campaigns of an archive, newest first. What has no readable plan or lab cannot be resumed
/// and is passed over.
pub fn scan(archive: &Path) -> Vec<Interrupted> {
    let entries = std::fs::read_dir(archive).into_iter().flatten().flatten();
    let mut found: Vec<(std::time::SystemTime, Interrupted)> = entries
        .filter_map(|entry| {
            let changed = entry.path().join("run.ndjson").metadata().and_then(|log| log.modified()).ok()?;
            Some((changed, campaign(&entry.path())?))
        })
        .collect();
    found.sort_by_key(|(changed, _)| std::cmp::Reverse(*changed));
    found.into_iter().map(|(_, campaign)| campaign).collect()
}

fn campaign(directory: &Path) -> Option<Interrupted> {
    let lab = labfile::read_absolute(&directory.join("lab.json")).ok()?;
    let plan = planfile::read(&directory.join("plan.json"), Some(&lab)).ok()?;
    let done = ended(&directory.join("run.ndjson"))?.len();
    let request = RunRequest { lab, plan, directory: directory.to_owned(), expected_secs: BTreeMap::new() };
    (done < request.plan.steps.len()).then_some(Interrupted { request, done })
}

/// Steps with an end; a line cut by a crash is none.
fn ended(log: &Path) -> Option<BTreeSet<u32>> {
    let lines = BufReader::new(std::fs::File::open(log).ok()?).lines().map_while(Result::ok);
    let briefs = lines.filter_map(|line| serde_json::from_str::<Brief>(&line).ok());
    Some(briefs.filter(|brief| brief.event == "step-ended").filter_map(|brief| brief.step).collect())
}

#[cfg(test)]
mod tests {
    use super::super::records::{self, Teller};
    use super::*;
    use triptych_model::runlog::Hello;
    use triptych_runner::lab::Lab;

    fn write(archive: &Path, name: &str, last: u32) {
        let directory = archive.join(name);
        std::fs::create_dir_all(&directory).expect("made");
        let plan = records::plan();
        labfile::write(&directory.join("lab.json"), &Lab::new("box")).expect("written");
        planfile::write(&directory.join("plan.json"), &plan).expect("written");
        let mut teller = Teller::new(&plan);
        teller.until(last);
        let mut text = serde_json::to_string(&Hello::of("triptych-runner")).expect("a line");
        for record in teller.take() {
            text.push('\n');
            text.push_str(&serde_json::to_string(&record).expect("a line"));
        }
        // As a crash leaves it.
        text.push_str("\n{\"n\":99,\"ti");
        std::fs::write(directory.join("run.ndjson"), text).expect("written");
    }

    #[test]
    fn what_lacks_runs_is_found() {
        let archive = tempfile::tempdir().expect("a directory");
        write(archive.path(), "half", 7);
        write(archive.path(), "whole", 36);
        std::fs::create_dir(archive.path().join("empty")).expect("made");
        assert_eq!(ended(&archive.path().join("half/run.ndjson")).map(|steps| steps.len()), Some(7));
        assert_eq!(ended(&archive.path().join("whole/run.ndjson")).map(|steps| steps.len()), Some(36));
        assert!(scan(archive.path()).iter().all(|campaign| campaign.done == 7));
        assert_eq!(scan(&archive.path().join("nowhere")), []);
    }
}
