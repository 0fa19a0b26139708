//! Where plans, labs and campaigns lie, and how their faults are told; used by `run`, `rerun` and `lab`.

use crate::failure::Failure;
use crate::output;
use clap::ArgMatches;
use directories::ProjectDirs;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use triptych_model::{Problem, Timestamp};
use triptych_runner::cellname::campaign_name;
use triptych_runner::demo::demo_lab_directory;
use triptych_runner::lab::Lab;
use triptych_runner::labfile;
use triptych_runner::preview::{Known, may_drop_caches};

/// A lab as its file has it, and as the runner needs it.
pub struct LabFile {
    /// Its file.
    pub path: PathBuf,
    /// With the paths of the file.
    pub lab: Lab,
    /// With absolute paths.
    pub absolute: Lab,
}

/// The lab that was named; else `lab.json` in `beside`, else the demo lab.
///
/// # Errors
/// There is none, or it is at fault.
pub fn lab_file(arguments: &ArgMatches, beside: Option<&Path>) -> Result<LabFile, Failure> {
    read_lab(&lab_path(arguments, beside)?)
}

fn lab_path(arguments: &ArgMatches, beside: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = arguments.get_one::<PathBuf>("lab") {
        return Ok(path.clone());
    }
    match beside.map(|directory| directory.join("lab.json")).filter(|path| path.exists()) {
        Some(path) => Ok(path),
        None => demo_file("lab.json"),
    }
}

/// Reads a lab.
///
/// # Errors
/// It cannot be read, or is at fault.
pub fn read_lab(path: &Path) -> Result<LabFile, Failure> {
    let lab = labfile::read(path).map_err(|found| problems(&found, "the lab"))?;
    let path = std::path::absolute(path).map_err(|error| failed("the lab's directory is unknown", error))?;
    let absolute = lab.clone().absolute(path.parent().unwrap_or(Path::new("/")));
    Ok(LabFile { path, lab, absolute })
}

/// A file of the demo lab.
///
/// # Errors
/// The demo lab was not made yet.
pub fn demo_file(name: &str) -> Result<PathBuf, Failure> {
    let path = demo_lab_directory().map(|directory| directory.join(name)).filter(|path| path.exists());
    path.ok_or_else(|| {
        Failure::Failed(anyhow::anyhow!(
            "there is no demo lab yet: make it with triptych lab demo, or name a plan and its lab"
        ))
    })
}

/// Whether the demo lab was made.
pub fn has_demo() -> bool {
    demo_file("lab.json").is_ok()
}

/// A new directory of the archive for a campaign.
///
/// # Errors
/// This user has no directory for data.
pub fn new_directory(title: &str) -> Result<PathBuf, Failure> {
    let project = ProjectDirs::from("org", "triptych_bench", "Triptych").ok_or_else(|| {
        Failure::Usage("this user has no home, so there is no archive: name a directory with -o".into())
    })?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let micros = now.and_then(|now| i64::try_from(now.as_micros()).ok()).unwrap_or(0);
    Ok(project.data_dir().join("campaigns").join(campaign_name(title, Timestamp(micros))))
}

/// Refuses a directory in which a new campaign would lie among other files.
///
/// # Errors
/// It holds something, or cannot be looked into.
pub fn check_empty(directory: &Path) -> Result<(), Failure> {
    let shown = directory.display();
    match std::fs::read_dir(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(&format!("{shown} cannot be used"), error)),
        Ok(mut entries) => {
            // A campaign that broke off before its log was opened has left these.
            let is_ours = |name: OsString| ["plan.json", "lab.json"].iter().any(|known| name == *known);
            let others = entries.any(|entry| !entry.is_ok_and(|entry| is_ours(entry.file_name())));
            let words = format!("{shown} holds other files; give an empty or a new directory");
            if others { Err(Failure::Usage(words)) } else { Ok(()) }
        }
    }
}

/// What a preview can know here.
pub fn known_of_machine() -> Known {
    Known { may_drop: Some(may_drop_caches()), ..Known::default() }
}

/// Tells all that is wrong, and fails.
pub fn problems(found: &[Problem], what: &str) -> Failure {
    for problem in found {
        output::tell(problem);
    }
    Failure::Failed(anyhow::anyhow!("{what} cannot be used"))
}

/// A failure with its cause.
pub fn failed(what: &str, cause: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::Failed(anyhow::Error::new(cause).context(what.to_owned()))
}
