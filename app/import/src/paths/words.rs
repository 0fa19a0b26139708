//! The words that people use in file names, and what they stand for.

use super::matcher::Found;
use std::ops::Range;
use triptych_model::{Conditions, Key, PathMatch};

/// A value that stands otherwise in the path than in the conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The condition.
    pub key: Key,
    /// As it stands in the path.
    pub printed: String,
    /// As it is stored and shown.
    pub value: String,
}

/// How well a text suits a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The key cannot have this value.
    Impossible,
    /// The key may have any value, and this is none of its known words.
    Free,
    /// A known word of the key.
    Word,
}

/// Names of operations as they stand in file names, and the operation they mean.
///
/// svnbench's `null-log` is only ever timed with `-v` by the harnesses that write such names.
const OPERATIONS: &[(&str, &str)] = &[
    ("null-export", "null-export"),
    ("null-log", "null-log -v"),
    ("null-log-v", "null-log -v"),
    ("null-log-g", "null-log -v -g"),
    ("null-log-v-g", "null-log -v -g"),
    ("null-blame", "null-blame"),
    ("null-list", "null-list"),
    ("null-list-v", "null-list -v"),
    ("null-info", "null-info"),
    ("null-info-R", "null-info"),
    ("verify", "verify"),
    ("export", "export"),
    ("checkout", "checkout"),
    ("co", "checkout"),
    ("commit", "commit"),
    ("ci", "commit"),
    ("import", "import"),
    ("update", "update"),
    ("switch", "switch"),
    ("merge", "merge"),
    ("status", "status"),
    ("diff", "diff"),
    ("blame", "blame"),
    ("log", "log"),
    ("list", "list"),
    ("ls", "list"),
    ("cat", "cat"),
    ("dump", "dump"),
    ("load", "load"),
    ("pack", "pack"),
    ("hotcopy", "hotcopy"),
    ("scan", "scan"),
    ("read", "read"),
    ("stat", "stat"),
];

/// States of the caches; in a pair of runs the first is the cold one.
const CACHES: &[(&str, &str)] = &[
    ("cold", "cold"),
    ("hot", "hot"),
    ("hot-server", "hot-server"),
    ("1", "cold"),
    ("2", "hot"),
    ("1st", "cold"),
    ("2nd", "hot"),
];

const NETWORKS: &[&str] = &["local", "localhost", "loopback", "lan", "wan", "wlan", "wifi", "vpn"];

const MEDIA: &[&str] = &["usb", "ssd", "hdd", "nvme", "raid", "tmpfs", "ramdisk", "nfs", "disk"];

/// Beginnings of names that people give to the sides of a comparison.
const VARIANTS: &[&str] = &[
    "trunk",
    "branch",
    "patched",
    "unpatched",
    "old",
    "new",
    "before",
    "after",
    "base",
    "baseline",
    "main",
    "master",
    "vanilla",
    "keepalive",
    "fmt",
    "svn-",
];

/// How well `text` suits `key`.
pub(super) fn known(key: Key, text: &str) -> Known {
    if matches!(text, "." | "..") {
        // A way to write a folder, not its name.
        return Known::Impossible;
    }
    let word = match key {
        Key::Repetition | Key::Threads => {
            return if is_number(text) { Known::Word } else { Known::Impossible };
        }
        Key::Operation => operation(text).is_some(),
        Key::Cache => cache(text).is_some(),
        Key::Network => numbered(NETWORKS, text),
        Key::Medium => numbered(MEDIA, text),
        Key::Format => is_number(text) || text.strip_prefix("fmt").is_some_and(is_number),
        Key::Packed => packed(text).is_some(),
        _ => false,
    };
    if word { Known::Word } else { Known::Free }
}

/// Whether a name looks like a side of a comparison: it has a version number, or begins as such
/// names do. Only suggestions weigh it.
pub(super) fn looks_like_variant(text: &str) -> bool {
    let bytes = text.as_bytes();
    let version = bytes.windows(3).any(|three| match three {
        [a, b'.', c] => a.is_ascii_digit() && c.is_ascii_digit(),
        _ => false,
    });
    let lower = text.to_ascii_lowercase();
    version || VARIANTS.iter().any(|name| lower.starts_with(name))
}

/// The conditions of a match: aliases applied, and what the names say beside.
pub(super) fn conditions(path: &str, found: Found) -> PathMatch {
    let root = found.start.saturating_sub(1);
    let mut conditions = Conditions::new();
    for (key, span) in &found.spans {
        if let Some(printed) = path.get(span.clone()) {
            conditions.set(*key, value(*key, printed));
        }
    }
    if conditions.get(Key::Operation).is_none()
        && let Some(name) = path.get(..root).and_then(|root| root.rsplit('/').next())
        && let Some(operation) = leading_operation(name)
    {
        conditions.set(Key::Operation, operation);
    }
    add_facts(&mut conditions);
    let is_strange = |(key, span): &&(Key, Range<usize>)| {
        let worded = [Key::Operation, Key::Cache, Key::Network, Key::Medium, Key::Format, Key::Packed];
        worded.contains(key) && path.get(span.clone()).is_some_and(|text| known(*key, text) == Known::Free)
    };
    let strangers = found.spans.iter().filter(is_strange).count();
    PathMatch { root, conditions, spans: found.spans, strangers }
}

/// The value that a printed text stands for.
fn value(key: Key, printed: &str) -> String {
    let canonical = match key {
        Key::Operation => operation(printed),
        Key::Cache => cache(printed),
        Key::Packed => packed(printed),
        Key::Format => printed.strip_prefix("fmt").filter(|digits| is_number(digits)),
        Key::Repetition | Key::Threads => {
            Some(printed.trim_start_matches('0')).filter(|digits| !digits.is_empty())
        }
        _ => None,
    };
    canonical.unwrap_or(printed).to_owned()
}

/// Format and packing that stand in the names of a variant or a repository; the names stay as printed.
fn add_facts(conditions: &mut Conditions) {
    if conditions.get(Key::Packed).is_none()
        && conditions
            .get(Key::Repository)
            .is_some_and(|name| name.ends_with("_packed") || name.ends_with("-packed"))
    {
        conditions.set(Key::Packed, "yes");
    }
    if conditions.get(Key::Format).is_none() {
        let format = [Key::Repository, Key::Variant]
            .into_iter()
            .filter_map(|key| conditions.get(key))
            .flat_map(|name| name.split(['-', '_']))
            .find_map(|word| word.strip_prefix("fmt").filter(|digits| is_number(digits)))
            .map(str::to_owned);
        if let Some(format) = format {
            conditions.set(Key::Format, format);
        }
    }
}

/// The operation that a folder's name begins with: `export-old-new` is `export`.
fn leading_operation(name: &str) -> Option<&'static str> {
    OPERATIONS
        .iter()
        .filter(|(word, _)| {
            name.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_', '.']))
        })
        .max_by_key(|(word, _)| word.len())
        .map(|(_, operation)| *operation)
}

fn operation(text: &str) -> Option<&'static str> {
    OPERATIONS.iter().find(|(word, _)| *word == text).map(|(_, operation)| *operation)
}

fn cache(text: &str) -> Option<&'static str> {
    CACHES.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, cache)| *cache)
}

fn packed(text: &str) -> Option<&'static str> {
    match text {
        "packed" | "yes" => Some("yes"),
        "unpacked" | "no" => Some("no"),
        _ => None,
    }
}

/// Whether `text` is one of the words, with digits behind it or not (`lan100`, `RAID5`).
fn numbered(words: &[&str], text: &str) -> bool {
    let bare = text.trim_end_matches(|c: char| c.is_ascii_digit());
    words.iter().any(|word| word.eq_ignore_ascii_case(bare))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}
