//! The lab: the builds, repositories and media of a test machine, as `lab.json` keeps them.
//!
//! Names are what plans, tables and Rerun speak of; paths stand here only.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version of the file's form.
pub const LAB_VERSION: u32 = 1;

/// What this machine can measure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// [`LAB_VERSION`].
    pub version: u32,
    /// Name for people: `demo`.
    pub name: String,
    /// Builds of Subversion.
    #[serde(default)]
    pub builds: Vec<Build>,
    /// Where repositories may lie.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Contents and their copies.
    #[serde(default)]
    pub repositories: Vec<Repository>,
    /// The sides that are compared.
    #[serde(default)]
    pub variants: Vec<Variant>,
    /// The variant the others are divided by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Names that other sources use for something of this lab, as the user answered: kind and foreign
    /// name (`variant trunk`) to the lab's own name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub known_as: BTreeMap<String, String>,
}

/// A build of Subversion: a directory of programs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Its name: `installed`, `1.6.9`.
    pub name: String,
    /// Directory that holds `svn`, `svnadmin`, `svnserve`, `svnbench`; absolute or relative to the file.
    pub directory: PathBuf,
    /// Programs that are named otherwise or lie elsewhere: `svnserve` to its path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub programs: BTreeMap<String, PathBuf>,
}

impl Build {
    /// Where a program of this build lies; whether it is there is for `check` to say.
    pub fn program(&self, name: &str) -> PathBuf {
        match self.programs.get(name) {
            Some(path) => self.directory.join(path),
            None => self.directory.join(name),
        }
    }
}

/// A disk, a RAM disk, a share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Medium {
    /// Its name: `SSD`, `USB`, `tmpfs`.
    pub name: String,
    /// A directory on it.
    pub directory: PathBuf,
}

/// A content, whatever its copies' formats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repository {
    /// Its name: `tsvn`.
    pub name: String,
    /// UUID of the content; copies must agree. Absent: not asked yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uuid: Option<String>,
    /// Youngest revision of the content; copies must agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub youngest: Option<u64>,
    /// Path in the repository that exports and logs are asked for: `trunk`; empty: the root.
    #[serde(default)]
    pub target: String,
    /// A file in the repository that blames are asked for: `trunk/README`; absent: blame cannot run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What other sources call it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Its copies on disk.
    pub copies: Vec<RepositoryCopy>,
}

/// One copy of a repository on disk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryCopy {
    /// Its name: `fmt6_packed`; unique in the lab.
    pub name: String,
    /// FSFS format as `db/format` says: `6`. Absent: not read yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Whether its shards are packed. Absent: not read yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packed: Option<bool>,
    /// Name of its medium.
    pub medium: String,
    /// Its directory.
    pub path: PathBuf,
}

/// One side of a comparison: a build with its copies and server options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Its name: `trunk`, `format 7`.
    pub name: String,
    /// Name of its build.
    pub build: String,
    /// Names of the copies it serves: at most one for each repository and medium.
    pub copies: Vec<String>,
    /// Options of its server: `--memory-cache-size`, `64`; each word an element.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// What other sources call it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

impl Lab {
    /// An empty lab of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { version: LAB_VERSION, name: name.into(), ..Self::default() }
    }

    /// The build of that name.
    pub fn build(&self, name: &str) -> Option<&Build> {
        self.builds.iter().find(|build| build.name == name)
    }

    /// The medium of that name.
    pub fn medium(&self, name: &str) -> Option<&Medium> {
        self.media.iter().find(|medium| medium.name == name)
    }

    /// The variant of that name.
    pub fn variant(&self, name: &str) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }

    /// The repository of that name.
    pub fn repository(&self, name: &str) -> Option<&Repository> {
        self.repositories.iter().find(|repository| repository.name == name)
    }

    /// The copy that a variant serves of a repository on a medium.
    pub fn copy_of(&self, variant: &str, repository: &str, medium: &str) -> Option<&RepositoryCopy> {
        let variant = self.variant(variant)?;
        let copies = self.repository(repository)?.copies.iter();
        copies.filter(|copy| copy.medium == medium).find(|copy| variant.copies.contains(&copy.name))
    }

    /// The same lab with every path made absolute, relative ones below the file's own directory.
    #[must_use]
    pub fn absolute(mut self, directory: &Path) -> Self {
        for build in &mut self.builds {
            build.directory = directory.join(&build.directory);
        }
        for medium in &mut self.media {
            medium.directory = directory.join(&medium.directory);
        }
        for copy in self.repositories.iter_mut().flat_map(|repository| &mut repository.copies) {
            copy.path = directory.join(&copy.path);
        }
        self
    }
}
