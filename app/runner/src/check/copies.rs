//! What the files of a repository say of it: format, layout, packing, UUID, youngest revision, settings.
//!
//! They are the few small files that Subversion itself reads first; no program is needed.

use crate::lab::Lab;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

/// What a copy is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyFacts {
    /// File system type: `fsfs`.
    pub kind: String,
    /// Format of the file system, `db/format`.
    pub format: u32,
    /// Revisions in a shard; `None`: all in one directory.
    pub shard: Option<u64>,
    /// `logical` or `physical`, since format 7.
    pub addressing: Option<String>,
    /// Revisions below this one are packed; 0: none.
    pub packed_below: u64,
    /// Youngest revision.
    pub youngest: u64,
    /// UUID of the content.
    pub uuid: String,
    /// Settings of `db/fsfs.conf` that are set, as `section.name` and value.
    pub settings: Vec<(String, String)>,
}

impl CopyFacts {
    /// Whether any shard is packed.
    pub fn is_packed(&self) -> bool {
        self.packed_below > 0
    }

    /// Facts for reports and run logs.
    pub fn facts(&self) -> Map<String, Value> {
        let settings: Map<String, Value> =
            self.settings.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let facts = json!({
            "fs_type": self.kind,
            "format": self.format.to_string(),
            "shard": self.shard,
            "addressing": self.addressing,
            "packed": self.is_packed(),
            "packed_below": self.packed_below,
            "youngest": self.youngest,
            "uuid": self.uuid,
            "settings": settings,
        });
        crate::step::object(facts)
    }

    /// One line: `fsfs format 7, packed below r1000 of r1500, logical addressing`.
    pub fn text(&self) -> String {
        let packed = match (self.packed_below, self.shard) {
            (0, Some(_)) => format!("not packed, youngest r{}", self.youngest),
            (0, None) => format!("not sharded, youngest r{}", self.youngest),
            (below, _) => format!("packed below r{below}, youngest r{}", self.youngest),
        };
        let mut text = format!("{} format {}, {packed}", self.kind, self.format);
        if let Some(addressing) = &self.addressing {
            text.push_str(&format!(", {addressing} addressing"));
        }
        for (name, value) in &self.settings {
            text.push_str(&format!(", {name} = {value}"));
        }
        text
    }
}

/// Reads a copy.
///
/// # Errors
/// What lies there instead, and what was expected.
pub fn read(path: &Path) -> Result<CopyFacts, String> {
    if !path.is_dir() {
        let what = if path.exists() { "is no directory" } else { "is not there" };
        return Err(format!("{what}: {}", path.display()));
    }
    if !path.join("format").is_file() || !path.join("db").is_dir() {
        return Err(format!("no repository: expected the files format and db/format in {}", path.display()));
    }
    let kind = first_line(path, "db/fs-type")?;
    if kind != "fsfs" {
        return Err(format!("a repository of type {kind}: expected fsfs, the only one that is measured"));
    }
    let text = file(path, "db/format")?;
    let mut facts = CopyFacts { kind, ..CopyFacts::default() };
    facts.format = number(text.lines().next().unwrap_or_default(), "db/format")?;
    for line in text.lines().skip(1) {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["layout", "linear"] => facts.shard = None,
            ["layout", "sharded", size] => facts.shard = Some(number(size, "db/format")?),
            ["addressing", kind, ..] => facts.addressing = Some((*kind).to_owned()),
            _ => {
                return Err(format!(
                    "unreadable line in db/format, found {line:?}, expected a layout or an addressing"
                ));
            }
        }
    }
    let current = first_line(path, "db/current")?;
    facts.youngest = number(current.split(' ').next().unwrap_or_default(), "db/current")?;
    facts.uuid = first_line(path, "db/uuid")?;
    if path.join("db/min-unpacked-rev").is_file() {
        facts.packed_below = number(&first_line(path, "db/min-unpacked-rev")?, "db/min-unpacked-rev")?;
    }
    if path.join("db/fsfs.conf").is_file() {
        facts.settings = settings(&file(path, "db/fsfs.conf")?);
    }
    Ok(facts)
}

/// The lab with what its copies say where it says nothing: formats, packing, UUID, youngest revision.
/// What cannot be read stays absent; `check` says why.
#[must_use]
pub fn complete(lab: &Lab, directory: &Path) -> Lab {
    let mut lab = lab.clone();
    for repository in &mut lab.repositories {
        for copy in &mut repository.copies {
            let Ok(facts) = read(&directory.join(&copy.path)) else { continue };
            copy.format.get_or_insert_with(|| facts.format.to_string());
            copy.packed.get_or_insert(facts.is_packed());
            repository.uuid.get_or_insert_with(|| facts.uuid.clone());
            repository.youngest.get_or_insert(facts.youngest);
        }
    }
    lab
}

fn file(path: &Path, name: &str) -> Result<String, String> {
    let read = fs::read(path.join(name)).map_err(|error| format!("{name} cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&read).into_owned())
}

fn first_line(path: &Path, name: &str) -> Result<String, String> {
    let text = file(path, name)?;
    let line = text.lines().next().unwrap_or_default().trim();
    if line.is_empty() { Err(format!("{name} is empty")) } else { Ok(line.to_owned()) }
}

fn number<T: std::str::FromStr>(text: &str, name: &str) -> Result<T, String> {
    let number = text.trim().parse().ok();
    number.ok_or_else(|| format!("unreadable {name}, found {text:?}, expected a number"))
}

/// What stands in fsfs.conf without a `#` before it.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name.to_owned();
        } else if let Some((name, value)) = line.split_once(['=', ':']) {
            found.push((format!("{section}.{}", name.trim()), value.trim().to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir(directory.path().join("db")).expect("made");
        let usual = [
            ("format", "5\n"),
            ("db/fs-type", "fsfs\n"),
            ("db/format", "7\nlayout sharded 1000\naddressing logical\n"),
            ("db/current", "1500\n"),
            ("db/uuid", "u-1\ninstance\n"),
            ("db/min-unpacked-rev", "1000\n"),
        ];
        for (name, text) in usual.iter().chain(files) {
            fs::write(directory.path().join(name), text).expect("written");
        }
        directory
    }

    #[test]
    fn formats_old_and_new() {
        let conf = "# [memcached-servers]\n[caches]\n# fail-stop = true\n[packed-revprops]\nrevprop-pack-size = 64\n [io]\n### x\nblock-size: 32\n";
        for (files, expect) in [
            (&[][..], "fsfs format 7, packed below r1000, youngest r1500, logical addressing"),
            (
                &[("db/fsfs.conf", conf), ("db/min-unpacked-rev", "0\n")],
                "fsfs format 7, not packed, youngest r1500, logical addressing, packed-revprops.revprop-pack-size = 64, io.block-size = 32",
            ),
            (
                &[("db/format", "2\n"), ("db/current", "7 2a 3\n"), ("db/min-unpacked-rev", "0\n")],
                "fsfs format 2, not sharded, youngest r7",
            ),
            (
                &[("db/format", "4\nlayout linear\n"), ("db/min-unpacked-rev", "0\n")],
                "fsfs format 4, not sharded, youngest r1500",
            ),
        ] {
            let copy = made(files);
            assert_eq!(read(copy.path()).expect("read").text(), expect);
        }
    }

    #[test]
    fn what_is_no_such_copy_says_so() {
        for (name, text, expect) in [
            ("db/fs-type", "fsx\n", "a repository of type fsx: expected fsfs, the only one that is measured"),
            ("db/format", "x\n", "unreadable db/format, found \"x\", expected a number"),
            (
                "db/format",
                "7\nlayout odd\n",
                "unreadable line in db/format, found \"layout odd\", expected a layout or an addressing",
            ),
            ("db/current", "", "db/current is empty"),
            ("db/current", "-\n", "unreadable db/current, found \"-\", expected a number"),
            ("db/uuid", "\n", "db/uuid is empty"),
        ] {
            assert_eq!(read(made(&[(name, text)]).path()).expect_err("refused"), expect);
        }
        let copy = made(&[]);
        fs::remove_file(copy.path().join("db/uuid")).expect("removed");
        assert!(read(copy.path()).expect_err("refused").starts_with("db/uuid cannot be read: No such file"));
        assert!(read(&copy.path().join("absent")).expect_err("refused").starts_with("is not there: "));
        assert!(read(&copy.path().join("format")).expect_err("refused").starts_with("is no directory: "));
        assert!(read(&copy.path().join("db")).expect_err("refused").starts_with("no repository: expected"));
    }
}
