//! The layouts that are met, as LogFormat strings; a new one is a row here.

use super::log_format::{Layout, compile};
use std::sync::LazyLock;

/// A layout that is recognised without being named.
struct Known {
    /// As `--log-format` takes it, and as messages call it.
    name: &'static str,
    /// Its LogFormat.
    format: &'static str,
    /// Whether lines may go on behind it.
    open: bool,
}

const fn known(name: &'static str, format: &'static str) -> Known {
    Known { name, format, open: false }
}

const fn open(name: &'static str, format: &'static str) -> Known {
    Known { name, format, open: true }
}

/// What `common` ends with that is neither a unit nor told: [`super::Reader`] looks at the values.
pub(super) const GUESSED: &[&str] = &["common-us", "combined-us"];

macro_rules! common {
    ($before:literal, $after:literal) => {
        concat!($before, r#"%h %l %u %t "%r" %>s %b"#, $after)
    };
}

macro_rules! combined {
    ($before:literal, $after:literal) => {
        concat!($before, r#"%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#, $after)
    };
}

/// In the order of preference where several fit as many lines. The names stay, they can be typed.
const KNOWN: &[Known] = &[
    known("combined", combined!("", "")),
    known("vhost_combined", combined!("%v:%p ", "")),
    known("common", common!("", "")),
    known("vhost_common", common!("%v ", "")),
    known("combined-svn", combined!("", r#" "%{SVN-ACTION}e""#)),
    known("combined-svn-bare", combined!("", " %{SVN-ACTION}e")),
    known("combined-us-svn", combined!("", r#" %D "%{SVN-ACTION}e""#)),
    known("combined-svn-us", combined!("", r#" "%{SVN-ACTION}e" %D"#)),
    known("combined-repository-svn", combined!("", r#" "%{SVN-REPOS-NAME}e" "%{SVN-ACTION}e""#)),
    known("common-svn", common!("", r#" "%{SVN-ACTION}e""#)),
    known("common-svn-bare", common!("", " %{SVN-ACTION}e")),
    known("common-us-svn", common!("", r#" %D "%{SVN-ACTION}e""#)),
    known("common-svn-us", common!("", r#" "%{SVN-ACTION}e" %D"#)),
    known("nginx-main", combined!("", r#" "%{X-Forwarded-For}i""#)),
    known("common-us", common!("", " %D")),
    known("combined-us", combined!("", " %D")),
    known("common-seconds", common!("", " %{decimal}T")),
    known("combined-seconds", combined!("", " %{decimal}T")),
    known("davautocheck", "%t %u %{SVN-REPOS-NAME}e %{SVN-ACTION}e"),
    known("book", "%t %u %{SVN-ACTION}e"),
    known("vania", "%t %{SVN-ACTION}e %u %a"),
    known(
        "timed",
        "%{%Y-%m-%d %T}t.%{usec_frac}t %u@%h %>s %D us in=%I out=%O pid=%P svn=[%{SVN-ACTION}e] repos=%{SVN-REPOS}e",
    ),
    known("full", "%{%Y-%m-%d %T}t %u@%h %>s repo:%{SVN-REPOS-NAME}e %{SVN-ACTION}e (%B Bytes in %T Sec)"),
    open("combined-more", combined!("", "")),
    open("vhost_combined-more", combined!("%v:%p ", "")),
    open("common-more", common!("", "")),
    open("vhost_common-more", common!("%v ", "")),
];

/// The compiled table.
pub(super) static LAYOUTS: LazyLock<Vec<Layout>> = LazyLock::new(|| {
    let compiled = KNOWN.iter().filter_map(|known| {
        let layout = compile(known.format).ok()?;
        Some(Layout { name: known.name.to_owned(), open: known.open, ..layout })
    });
    compiled.collect()
});

/// The format of that name; `None` for a name that is not in the table.
pub(super) fn by_name(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|known| !known.open && known.name == name).map(|known| known.format)
}

/// The names worth telling.
pub(super) fn names() -> Vec<&'static str> {
    vec!["common", "combined", "vhost_combined", "book", "davautocheck", "vania", "timed", "full"]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_layout_compiles() {
        assert_eq!(LAYOUTS.len(), KNOWN.len());
        assert!(names().iter().all(|name| by_name(name).is_some()));
        assert!(GUESSED.iter().all(|name| by_name(name).is_some()));
    }
}
