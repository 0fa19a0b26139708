//! The lab and the plan of a demo.

use super::{DemoError, DemoOptions, FORMATS, history, tools};
use crate::check::copies;
use crate::host::local::lies_in_memory;
use crate::lab::{Build, Lab, Medium, Repository, RepositoryCopy, Variant};
use crate::plan::Plan;
use std::collections::BTreeMap;
use std::path::Path;

/// The plan of the demo, as a preset.
const PRESET: &str = include_str!("../../../../assets/presets/demo.json");

/// Name of the made repository.
const NAME: &str = "demo";

/// Name of a copy and of its directory.
pub(super) fn copy_name(format: &str, packed: bool) -> String {
    format!("fmt{format}{}", if packed { "_packed" } else { "" })
}

/// The lab of the demo, with paths relative to its file.
pub(super) fn describe(at: &Path, svnadmin: &Path, options: DemoOptions) -> Lab {
    let medium = if lies_in_memory(at) { "tmpfs" } else { "disk" };
    let both = || FORMATS.iter().flat_map(|(format, _)| [(*format, true), (*format, false)]);
    let copies = both().map(|(format, packed)| RepositoryCopy {
        name: copy_name(format, packed),
        format: Some(format.to_owned()),
        // A demo of few revisions fills no shard: packing it packs nothing.
        packed: copies::read(&at.join(copy_name(format, packed))).map(|found| found.is_packed()).ok(),
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

/// The plan of the demo for a lab that [`super::make_demo`] made; its steps are not yet laid out.
///
/// # Errors
/// The preset does not fit this program's plans.
pub fn demo_plan(lab: &Lab) -> Result<Plan, DemoError> {
    let read = crate::locate::parse_version::<Plan>("demo.json", PRESET, "plan", crate::plan::PLAN_VERSION);
    let plan = read.map_err(|problem| DemoError::Unreadable(problem.to_string()))?;
    Ok(Plan { media: lab.media.iter().map(|medium| medium.name.clone()).collect(), ..plan })
}
