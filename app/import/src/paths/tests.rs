//! Tests of path patterns on the names of genuine campaigns.

use super::*;
use triptych_model::SuggestedPattern;

fn check(pattern: &str, path: &str, root: &str, expect: &[(Key, &str)]) {
    let found = match_path(pattern, path).expect(pattern).unwrap_or_else(|| panic!("{pattern} on {path}"));
    let conditions: Vec<(Key, &str)> = found.conditions.iter().collect();
    assert_eq!(conditions, expect, "{pattern} on {path}");
    assert_eq!(&path[..found.root], root, "{pattern} on {path}");
}

const FSFS: &str = "{operation}/{variant}-{cache}-r{repetition}.txt";
const EXPORT: &str = "{variant}/{repository}/rep{repetition}-run{cache}[.*].txt";
const DAV: &str = "{network}/{variant}/rep{repetition}/{operation}[-{cache}].txt";

#[test]
fn genuine_names_give_their_conditions() {
    use Key::{Cache, Format, Network, Operation, Packed, Repetition, Repository, Threads, Variant};
    check(
        FSFS,
        "logs/fsfs-format7/null-log-g/branch7-cold-r3.txt",
        "logs/fsfs-format7",
        &[(Operation, "null-log -v -g"), (Variant, "branch7"), (Cache, "cold"), (Repetition, "3")],
    );
    check(
        FSFS,
        "fsfs-releases/null-export/1.9.12-fmt6-hot-r10.txt",
        "fsfs-releases",
        &[
            (Operation, "null-export"),
            (Variant, "1.9.12-fmt6"),
            (Format, "6"),
            (Cache, "hot"),
            (Repetition, "10"),
        ],
    );
    check(
        FSFS,
        "verify/trunk-hot-server-r1.txt",
        "",
        &[(Operation, "verify"), (Variant, "trunk"), (Cache, "hot-server"), (Repetition, "1")],
    );
    for companion in ["", ".pidstat-svnserve", ".mpstat"] {
        check(
            EXPORT,
            &format!("x/export-old-new/old-1.6.9/hist_packed/rep2-run1{companion}.txt"),
            "x/export-old-new",
            &[
                (Operation, "export"),
                (Repository, "hist_packed"),
                (Variant, "old-1.6.9"),
                (Packed, "yes"),
                (Cache, "cold"),
                (Repetition, "2"),
            ],
        );
    }
    check(
        DAV,
        "dav-keepalive/lan100/keepalive-off/rep2/checkout-hot.txt",
        "dav-keepalive",
        &[
            (Operation, "checkout"),
            (Variant, "keepalive-off"),
            (Cache, "hot"),
            (Network, "lan100"),
            (Repetition, "2"),
        ],
    );
    check(
        DAV,
        "dav-keepalive/local/keepalive-on/rep1/commit.txt",
        "dav-keepalive",
        &[(Operation, "commit"), (Variant, "keepalive-on"), (Network, "local"), (Repetition, "1")],
    );
    check(
        "{operation}-{threads}threads-{cache}-r{repetition}.txt",
        "/a/threaded-scan/read-10threads-cold-r3.txt",
        "/a/threaded-scan",
        &[(Operation, "read"), (Cache, "cold"), (Threads, "10"), (Repetition, "3")],
    );
}

#[test]
fn known_words_win_over_hyphens() {
    use Key::{Cache, Operation, Variant};
    let pattern = "{operation}-{variant}-{cache}[-*].txt";
    for (name, operation, variant, cache) in [
        ("null-export-branch6-cold.txt", "null-export", "branch6", "cold"),
        ("null-export-trunk-hot-de_DE.UTF-8.txt", "null-export", "trunk", "hot"),
        ("verify-branch7-hot.txt", "verify", "branch7", "hot"),
        ("null-log-v-g-1.9-rc-1-hot-server.txt", "null-log -v -g", "1.9-rc-1", "hot-server"),
        ("suck-it-and-see.txt", "suck", "it", "and"),
        ("commit-a-b-Cold.txt", "commit", "a-b", "cold"),
    ] {
        check(pattern, name, "", &[(Operation, operation), (Variant, variant), (Cache, cache)]);
    }
}

#[test]
fn patterns_match_the_end_on_a_boundary() {
    let nothing = |pattern: &str, path: &str| {
        assert_eq!(match_path(pattern, path), Ok(None), "{pattern} on {path}");
    };
    nothing("fy/{variant}.txt", "verify/trunk.txt");
    nothing(FSFS, "verify/trunk-cold-r1.txt.bak");
    nothing(FSFS, "trunk-cold-r1.txt");
    nothing(FSFS, "verify/trunk-cold-rx.txt");
    nothing("{variant}/x.txt", "/x.txt");
    check("[{medium}/]{variant}.txt", "SSD/a.txt", "", &[(Key::Variant, "a"), (Key::Medium, "SSD")]);
    check("[{medium}/]{variant}.txt", "a.txt", "", &[(Key::Variant, "a")]);
    check("{variant}/*.log", "c/ä/svn_ops.log", "c", &[(Key::Variant, "ä")]);
}

#[test]
fn no_pattern_makes_it_slow() {
    let pattern = format!("{}{{variant}}b", "*a".repeat(100));
    let path = "a".repeat(4000);
    assert_eq!(match_path(&pattern, &path), Ok(None));
    assert_eq!(
        match_path(&pattern, &format!("{}cb", "a".repeat(200))).map(|found| found.is_some()),
        Ok(true)
    );
}

#[test]
fn errors_name_the_column() {
    for (pattern, column, message) in [
        ("ä{varian}.txt", 2, "unknown key"),
        ("{variant", 1, "a bracket without its partner"),
        ("a[{variant}", 2, "a bracket without its partner"),
        ("{variant}]", 10, "a bracket without its partner"),
        ("{variant}-{variant}", 11, "a key stands twice"),
        ("[{variant}[x]]", 11, "optional parts cannot be nested"),
        ("x.txt", 1, "a pattern without a key gives no condition"),
        ("", 1, "a pattern without a key gives no condition"),
    ] {
        let error = Pattern::parse(pattern).expect_err(pattern);
        assert_eq!((error.column, error.message.as_str()), (column, message), "{pattern}");
    }
}

#[test]
fn strange_words_are_counted() {
    for (pattern, path, strangers) in [
        ("{operation}-{cache}.json", "null-export-hot.json", 0),
        ("{operation}-{cache}.json", "null-export-param.json", 1),
        ("{operation}-{cache}.json", "with-failure.json", 2),
        ("{operation}-{variant}.txt", "verify-mine.txt", 0),
        (FSFS, "my-bench/mine-cold-r1.txt", 1),
    ] {
        let found = match_path(pattern, path).expect(pattern).expect(path);
        assert_eq!(found.strangers, strangers, "{pattern} on {path}");
    }
}

#[test]
fn keys_and_aliases_can_be_shown() {
    let pattern = Pattern::parse(DAV).expect(DAV);
    let texts: Vec<&str> = pattern.keys().into_iter().map(|(_, span)| &DAV[span]).collect();
    assert_eq!(texts, ["{network}", "{variant}", "{repetition}", "{operation}", "{cache}"]);
    let path = "null-log/branch7-cold-r3.txt";
    let found = match_path(FSFS, path).expect(FSFS).expect(path);
    let alias = Alias { key: Key::Operation, printed: "null-log".into(), value: "null-log -v".into() };
    assert_eq!(aliases_applied(&found, path), [alias]);
}

/// The names of the genuine campaigns, made by their own rules.
fn genuine_names() -> Vec<String> {
    let mut names = Vec::new();
    for (campaign, variants, caches) in [
        ("fsfs-format7", ["trunk", "branch6", "branch7"], &["cold", "hot"][..]),
        ("fsfs-format7-slow-disk", ["trunk", "branch6", "branch7"], &["cold"]),
        ("fsfs-releases", ["1.8.19-fmt6", "1.9.12-fmt6", "1.9.12-fmt7"], &["cold", "hot"]),
    ] {
        for operation in ["null-export", "null-log", "null-log-g"] {
            for variant in variants {
                names.extend(
                    caches.iter().map(|cache| format!("{campaign}/{operation}/{variant}-{cache}-r1.txt")),
                );
            }
        }
    }
    for variant in ["old-1.6.9", "new-1.7.22"] {
        for repository in ["hist", "hist_packed"] {
            let folder = format!("export-old-new/{variant}/{repository}");
            names.push(format!("{folder}/svnserve-rep1.log"));
            for run in ["rep1-run1", "rep1-run2"] {
                names.extend(
                    ["", ".pidstat-svn", ".pidstat-svnserve"].map(|what| format!("{folder}/{run}{what}.txt")),
                );
            }
        }
    }
    for folder in ["lan100/keepalive-on", "lan100/keepalive-off", "local/keepalive-on", "local/keepalive-off"]
    {
        names.extend(
            ["checkout-cold.txt", "checkout-hot.txt", "commit.txt", "svn_ops.log", "error.log"]
                .map(|file| format!("dav-keepalive/{folder}/rep1/{file}")),
        );
    }
    for threads in [1, 2, 5, 10] {
        names.extend(
            ["read", "stat"].map(|what| format!("threaded-scan/{what}-{threads}threads-cold-r1.txt")),
        );
    }
    for name in ["null-export-branch6-cold", "null-export-trunk-hot-de_DE.UTF-8", "verify-branch7-hot"] {
        names.push(format!("gnu-time-v/{name}.txt"));
    }
    names
}

/// Names in genuine folders that follow no pattern of a campaign; those of `svnbench-output` name
/// operation and build.
const ARBITRARY: &[&str] = &[
    "README.md",
    "index.tsv",
    "failures/verify-corrupt.txt",
    "failures/verify-format8-with-1.6.9.txt",
    "hyperfine/null-export-cold.json",
    "hyperfine/null-export-cold.txt",
    "hyperfine/null-export-hot.txt",
    "hyperfine/null-export-param.json",
    "hyperfine/with-failure.json",
    "load/pidstat-H.txt",
    "load/iostat-de.txt",
    "locales/null-log-1.9.12-C.txt",
    "locales/null-log-1.9.12-de_DE.UTF-8.txt",
    "locales/bash-time-trunk-de_DE.UTF-8.txt",
    "locales/pidstat-C.txt",
    "locales/zsh-time.txt",
    "perf-stat/stat-svnbench-branch6.txt",
    "perf-stat/stat-r5-csv.txt",
    "suite1/compare.txt",
    "svnbench-output/null-export-1.8.19.txt",
    "svnbench-output/null-log-v-g-branch6.txt",
    "svnserve-rotation/1.14.2/svnserve.log",
    "svnserve-by-version/client2-1.6.9.txt",
    "time/gnutime-p-C.txt",
    "verify/verify-bad-kg.txt",
];

#[test]
fn each_campaign_gets_its_pattern_and_no_other_folder_one() {
    let mut names: Vec<String> =
        genuine_names().into_iter().map(|name| format!("/shared/logs/{name}")).collect();
    names.extend(ARBITRARY.iter().map(|name| format!("/shared/logs/{name}")));
    let paths: Vec<&str> = names.iter().map(String::as_str).collect();
    let suggested = suggest_patterns(&paths);
    let found: Vec<(&str, &str, usize, usize)> = suggested
        .iter()
        .map(|SuggestedPattern { root, pattern, matched, files }| {
            (root.as_str(), pattern.as_str(), *matched, *files)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("/shared/logs/dav-keepalive", DAV, 12, 20),
            ("/shared/logs/dav-keepalive", "{network}/{variant}/rep{repetition}/*.log", 8, 20),
            ("/shared/logs/export-old-new", EXPORT, 24, 28),
            ("/shared/logs/export-old-new", "{variant}/{repository}/svnserve-rep{repetition}.log", 4, 28),
            ("/shared/logs/fsfs-format7", FSFS, 18, 18),
            ("/shared/logs/fsfs-format7-slow-disk", FSFS, 9, 9),
            ("/shared/logs/fsfs-releases", FSFS, 18, 18),
            ("/shared/logs/gnu-time-v", "{operation}-{variant}-{cache}[-*].txt", 3, 3),
            ("/shared/logs/svnbench-output", "{operation}-{variant}.txt", 2, 2),
            ("/shared/logs/threaded-scan", "{operation}-{threads}threads-{cache}-r{repetition}.txt", 8, 8),
        ]
    );
}

#[test]
fn other_usual_ways_to_name_files() {
    for (paths, root, pattern) in [
        (
            &["c/trunk/rep1-run1.txt", "c/patched/rep1-run1.txt"][..],
            "c",
            "{variant}/rep{repetition}-run{cache}[.*].txt",
        ),
        (&["new-1.7.22/hist/rep1-run1.txt"], "", EXPORT),
        (&["c/trunk-verify-hot-run2.log"], "c", "{variant}-{operation}-{cache}-run{repetition}.log"),
        (
            &["c/verify/gcc-cold-1.out", "c/verify/clang-cold-1.out"],
            "c",
            "{operation}/{variant}-{cache}-{repetition}.out",
        ),
        (
            &["c/SSD/verify/trunk-cold-r1.txt"],
            "c",
            "{medium}/{operation}/{variant}-{cache}-r{repetition}.txt",
        ),
        (&["c/1.9.12/commit-rep1.txt"], "c", "{variant}/{operation}-rep{repetition}.txt"),
        (&["c/verify/trunk.txt", "c/verify/branch7.txt"], "c", "{operation}/{variant}.txt"),
        (&["c/trunk/verify.log", "c/1.9.12/verify.log"], "c", "{variant}/{operation}.log"),
        (&["c/null-log-v-g-trunk.txt", "c/null-log-v-g-1.9.12.txt"], "c", "{operation}-{variant}.txt"),
        (&["c/trunk-verify.txt", "c/patched-verify.txt"], "c", "{variant}-{operation}.txt"),
        (&["c/verify-cold.txt", "c/verify-hot.txt"], "c", "{operation}-{cache}.txt"),
        (&["c/trunk-cold.out", "c/branch7-cold.out", "c/trunk-hot.out"], "c", "{variant}-{cache}.out"),
    ] {
        let suggested = suggest_patterns(paths);
        let found: Vec<(&str, &str)> =
            suggested.iter().map(|found| (found.root.as_str(), found.pattern.as_str())).collect();
        assert_eq!(found, [(root, pattern)], "{paths:?}");
    }
    assert_eq!(suggest_patterns(&["a.txt", "b/c.log", "verify/x.txt", "2026/notes-1.txt"]), []);
    assert_eq!(suggest_patterns(&["c/verify/trunk.txt", "c/log-1.6.txt"]), [], "one name is chance");
}
