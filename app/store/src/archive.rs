//! Directories of campaigns as the runner keeps them: which of their files are read, and whose they are.
//!
//! `run.ndjson` is the truth. Beside it lie the plan, the lab and facts of the host, which the log repeats
//! as far as runs need them, and `raw/` with what the tools printed: their figures are in the log, and
//! read again they would count twice. Only the servers' operation logs say more, one line an action.
//! Used by the loader, the path patterns, the joining of companions and the naming of campaigns.

use crate::Source;
use crate::patterns::{directory, file_name};
use crate::resolve::number;
use std::collections::HashMap;
use std::path::Path;

/// The runner's log.
const RUN_LOG: &str = "run.ndjson";

/// Folder of what the tools printed.
const RAW: &str = "raw";

/// Ending of a server's operation log in that folder.
const SERVER_LOG: &str = ".svnserve.log";

/// Files of the runner beside its log, and why they are not read.
const PARTS: &[(&str, &str)] = &[
    ("plan.json", "the campaign's plan, its runs are in run.ndjson"),
    ("lab.json", "the campaign's lab, its runs are in run.ndjson"),
    ("host.json", "facts of the host, which run.ndjson repeats"),
];

/// Whether a folder is a campaign of the runner.
pub(crate) fn is_campaign(folder: &Path) -> bool {
    folder.join(RUN_LOG).is_file()
}

/// Whether a folder holds what the tools of a campaign printed.
pub(crate) fn is_raw(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == RAW) && folder.parent().is_some_and(is_campaign)
}

/// Why a file of a campaign is passed over, if it is.
pub(crate) fn part(file: &Path) -> Option<&'static str> {
    let (_, reason) = PARTS.iter().find(|(name, _)| file.file_name().is_some_and(|own| own == *name))?;
    Some(reason)
}

/// Whether a file of the raw output is read: only a server's log says more than the run log.
pub(crate) fn is_server_log(file: &Path) -> bool {
    file.to_string_lossy().ends_with(SERVER_LOG)
}

/// Why the raw output is passed over.
pub(crate) fn raw_reason(files: usize) -> String {
    let word = if files == 1 { "file" } else { "files" };
    format!("raw output of the runs in {files} {word}, their figures are in run.ndjson")
}

/// Whether a path is that of a server's log of one step, as in `raw/0012.svnserve.log`.
pub(crate) fn is_raw_log(path: &str) -> bool {
    let stem = file_name(path).strip_suffix(SERVER_LOG);
    let counted = stem.is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_digit()));
    counted && file_name(directory(path)) == RAW
}

/// The run log that each source lies beside or below in `raw/`; `None` for run logs themselves.
pub(crate) fn homes(sources: &[Source]) -> Vec<Option<u32>> {
    let logs: HashMap<&str, u32> = sources
        .iter()
        .enumerate()
        .filter(|(_, source)| source.data.campaign.is_some())
        .map(|(index, source)| (directory(source.path()), number(index)))
        .collect();
    let home = |source: &Source| {
        if logs.is_empty() || source.data.campaign.is_some() {
            return None;
        }
        let path = source.path();
        let beside = directory(path);
        let below = (file_name(beside) == RAW || beside == RAW).then(|| directory(beside));
        below.and_then(|folder| logs.get(folder)).or_else(|| logs.get(beside)).copied()
    };
    sources.iter().map(home).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_steps_are_known_by_their_path() {
        for (path, expect) in [
            ("c/raw/0012.svnserve.log", true),
            ("raw/1.svnserve.log", true),
            ("c/raw/.svnserve.log", false),
            ("c/raw/a.svnserve.log", false),
            ("c/0012.svnserve.log", false),
            ("c/raw/0012.stdout", false),
        ] {
            assert_eq!(is_raw_log(path), expect, "{path}");
        }
    }
}
