//! Where a directory lies: its mount, its file system, its disk and that disk's counter of reads.

use crate::procfs::Kept;
use serde_json::{Map, Value, json};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Sectors are 512 bytes here whatever the disk says.
const SECTOR: u64 = 512;

/// A mount as `/proc/self/mountinfo` lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mount {
    pub(super) point: PathBuf,
    pub(super) kind: String,
    pub(super) source: String,
    pub(super) options: String,
}

impl Mount {
    /// The mount that a directory lies in; the later of equal ones hides the earlier.
    pub(super) fn of(directory: &Path) -> Option<Self> {
        let directory = directory.canonicalize().ok()?;
        let text = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let mounts = text.lines().filter_map(Self::parse);
        mounts.filter(|mount| directory.starts_with(&mount.point)).max_by_key(|m| m.point.as_os_str().len())
    }

    fn parse(line: &str) -> Option<Self> {
        let (left, right) = line.split_once(" - ")?;
        let mut left = left.split(' ').skip(4);
        let (point, options) = (left.next()?, left.next()?);
        let mut right = right.split(' ');
        let (kind, source) = (right.next()?, right.next()?);
        Some(Self {
            point: unescaped(point).into(),
            kind: kind.to_owned(),
            source: unescaped(source),
            options: match right.next() {
                Some(more) => format!("{options} {more}"),
                None => options.to_owned(),
            },
        })
    }

    /// Whether its files live in memory and can never be cold.
    pub(super) fn is_memory(&self) -> bool {
        matches!(self.kind.as_str(), "tmpfs" | "ramfs")
    }
}

/// Whether what lies in a directory lives in memory and can never be cold; a directory that is not there does not.
pub fn lies_in_memory(directory: &Path) -> bool {
    Mount::of(directory).is_some_and(|mount| mount.is_memory())
}

/// Blanks are written as `\040`.
fn unescaped(text: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .into_iter()
        .fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain))
}

/// The whole disk below a directory: `nvme0n1` for a directory on `nvme0n1p2`.
pub(super) fn disk_of(directory: &Path) -> Option<String> {
    let device = fs::metadata(directory).ok()?.dev();
    // File systems of several devices have a number of their own: the mount names one of them.
    let device = match rustix::fs::major(device) {
        0 => fs::metadata(Mount::of(directory)?.source).ok().map(|source| source.rdev())?,
        _ => device,
    };
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let entry = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")).ok()?;
    let whole = if entry.join("partition").exists() { entry.parent()?.to_owned() } else { entry };
    whole.file_name()?.to_str().map(str::to_owned)
}

/// Counts what a disk read.
pub(super) struct DiskCounter {
    /// Its name.
    pub(super) name: String,
    file: Kept,
}

impl DiskCounter {
    pub(super) fn of(directory: &Path) -> Option<Self> {
        let name = disk_of(directory)?;
        let file = Kept::open(format!("/sys/block/{name}/stat")).ok()?;
        Some(Self { name, file })
    }

    /// Bytes since boot.
    pub(super) fn read_bytes(&self) -> Option<u64> {
        let mut buffer = [0; 512];
        let text = self.file.read(&mut buffer).ok()?;
        text.split_ascii_whitespace().nth(2)?.parse::<u64>().ok().map(|sectors| sectors * SECTOR)
    }
}

/// Facts of the medium that a directory lies on.
pub(super) fn medium_facts(directory: &Path) -> Map<String, Value> {
    let mount = Mount::of(directory);
    let disk = disk_of(directory);
    let of_disk = |name: &str| {
        let text = fs::read_to_string(format!("/sys/block/{}/{name}", disk.as_ref()?)).ok()?;
        Some(text.trim().to_owned())
    };
    let free = rustix::fs::statvfs(directory).ok().map(|it| it.f_bavail.saturating_mul(it.f_frsize));
    let rotates = of_disk("queue/rotational").and_then(|text| match text.as_str() {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    });
    let facts = [
        ("file_system", json!(mount.as_ref().map(|mount| &mount.kind))),
        ("mount_point", json!(mount.as_ref().map(|mount| mount.point.to_string_lossy()))),
        ("mount_options", json!(mount.as_ref().map(|mount| &mount.options))),
        ("mount_source", json!(mount.as_ref().map(|mount| &mount.source))),
        ("disk", json!(disk)),
        ("disk_model", json!(of_disk("device/model"))),
        ("rotational", json!(rotates)),
        ("scheduler", json!(of_disk("queue/scheduler"))),
        ("read_ahead_kib", json!(of_disk("queue/read_ahead_kb").and_then(|text| text.parse::<u64>().ok()))),
        ("free_bytes", json!(free)),
    ];
    with_unknown(facts)
}

/// The facts by name; what is null is unknown.
pub(super) fn with_unknown<const N: usize>(facts: [(&str, Value); N]) -> Map<String, Value> {
    let known = |value: Value| if value.is_null() { json!("unknown") } else { value };
    facts.into_iter().map(|(name, value)| (name.to_owned(), known(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_are_read_with_their_blanks() {
        let line = r"36 35 98:0 / /mnt/my\040disk rw,noatime shared:1 - ext4 /dev/sda1 rw,errors=continue";
        let mount = Mount::parse(line).expect("read");
        assert_eq!(mount.point, Path::new("/mnt/my disk"));
        assert_eq!((mount.kind.as_str(), mount.source.as_str()), ("ext4", "/dev/sda1"));
        assert_eq!(mount.options, "rw,noatime rw,errors=continue");
        assert_eq!(Mount::parse("36 35 98:0 / /mnt"), None);
    }

    #[test]
    fn every_fact_of_a_medium_is_known_or_unknown() {
        let here = tempfile::tempdir().expect("a directory");
        let facts = medium_facts(here.path());
        assert!(facts.values().all(|value| !value.is_null()), "{facts:?}");
        assert_ne!(facts["file_system"], "unknown", "{facts:?}");
        assert!(facts["free_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{facts:?}");
        assert_eq!(
            lies_in_memory(here.path()),
            ["tmpfs", "ramfs"].iter().any(|kind| facts["file_system"] == *kind)
        );
        assert!(!lies_in_memory(Path::new("/proc")) && !lies_in_memory(&here.path().join("gone")));
        let nowhere = medium_facts(&here.path().join("gone"));
        assert_eq!(nowhere["file_system"], "unknown");
    }
}
