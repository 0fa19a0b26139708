//! Tests of the order in which formats are asked: every genuine sample is claimed by its own format
//! alone, and what looks alike is told apart, whatever the files are called.

use crate::sniffing_pairs::{FURTHER, Pair};
use crate::text::is_wide;
use crate::{FORMATS, Format, Readers};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use triptych_model::{Importer, ProblemKind, ReadOptions, Silent, SourceData};

/// Formats that stand beside others in the transcript of a harness.
const TRANSCRIPT: &[&str] = &["svnbench", "gnu-time", "shell-time", "svnadmin-verify"];

fn read(path: &str, bytes: &[u8]) -> SourceData {
    let options = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
    let data = Readers.read(path, bytes, &options, &Silent).expect("nobody cancels");
    if !data.problems.iter().any(|problem| problem.kind == ProblemKind::Asked) {
        return data;
    }
    // Only the user can say what the columns mean; here he says what is offered.
    let tables = crate::propose(bytes).iter().map(crate::FoundTable::meaning).collect();
    let options = ReadOptions { tables, ..options };
    Readers.read(path, bytes, &options, &Silent).expect("nobody cancels")
}

fn root() -> PathBuf {
    PathBuf::from(format!("{}/../../sample-data", env!("CARGO_MANIFEST_DIR")))
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files(&path, all);
        } else {
            all.push(path);
        }
    }
}

/// Files of the formats' folders, and the ids that may claim them.
fn samples() -> Vec<(PathBuf, BTreeSet<&'static str>)> {
    let mut folders: BTreeMap<&str, BTreeSet<&'static str>> = BTreeMap::new();
    for spec in FORMATS.iter().map(Format::spec) {
        folders.entry(spec.samples.split('/').next().unwrap_or_default()).or_default().insert(spec.id);
    }
    let mut all = Vec::new();
    for (folder, ids) in folders {
        let mut paths = Vec::new();
        files(&root().join(folder), &mut paths);
        paths.sort();
        all.extend(paths.into_iter().map(|path| (path, ids.clone())));
    }
    all
}

#[test]
fn every_sample_is_claimed_by_its_own_format() {
    for (path, own) in samples() {
        let bytes = std::fs::read(&path).expect("a readable file");
        let name = path.display().to_string();
        let data = read(&name, &bytes);
        assert_eq!((&data.error, &data.skipped), (&None, &None), "{name}");
        let allowed = |id: &&str| own.contains(*id) || TRANSCRIPT.contains(id);
        let strange: Vec<_> = data.formats.iter().filter(|id| !allowed(id)).collect();
        assert!(strange.is_empty() && !data.formats.is_empty(), "{name}: {strange:?} beside {own:?}");
        // Only the content decides.
        assert_eq!(read("x.bin", &bytes).formats, data.formats, "{name}");
    }
}

/// What was read, as far as it can be counted.
fn counts(data: &SourceData) -> [usize; 5] {
    [
        data.runs.len(),
        data.measurements.len(),
        data.samples.len(),
        data.requests.len(),
        usize::try_from(data.not_understood).unwrap_or(usize::MAX),
    ]
}

#[test]
fn line_ends_encodings_and_quote_marks_change_nothing() {
    for (path, _) in samples() {
        let name = path.display().to_string();
        let bytes = std::fs::read(&path).expect("a readable file");
        // A line of the runner's log has its own frame, and a database is no text.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if name.ends_with(".db")
            || name.ends_with(".ndjson")
            || text.contains('\r')
            || is_wide(text.as_bytes())
        {
            continue;
        }
        let plain = read(&name, text.as_bytes());
        let crlf = text.replace('\n', "\r\n").into_bytes();
        let mut wide = vec![0xff, 0xfe];
        wide.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let mut variants = vec![("CRLF", crlf), ("UTF-16", wide)];
        let is_document = |format: &&Format| matches!(format, Format::Document(_));
        let documents: Vec<&str> =
            FORMATS.iter().filter(is_document).map(|format| format.spec().id).collect();
        if !plain.formats.iter().any(|id| documents.contains(id)) {
            let quoted: Vec<String> = text.lines().map(|line| format!("> {line}\n")).collect();
            variants.push(("quoted", quoted.concat().into_bytes()));
        }
        for (what, bytes) in variants {
            let data = read(&name, &bytes);
            assert_eq!((&data.formats, counts(&data)), (&plain.formats, counts(&plain)), "{name} as {what}");
        }
    }
}

#[test]
fn a_cut_anywhere_keeps_the_format() {
    for (path, _) in samples() {
        let name = path.display().to_string();
        let bytes = std::fs::read(&path).expect("a readable file");
        let whole = read(&name, &bytes);
        // From the half on: before, only blanks or a preamble may be left.
        let step = (bytes.len() / 16).max(1);
        for end in (bytes.len() / 2..bytes.len()).step_by(step) {
            let data = read(&name, bytes.get(..end).unwrap_or_default());
            let known = data.formats.iter().all(|id| whole.formats.contains(id));
            assert!(known, "{name} cut at {end}: {:?}", data.formats);
        }
    }
}

const PAIRS: &[Pair] = &[
    ("svnserve", "23569 2026-11-30T08:03:39.393265Z 127.0.0.1 - bench update /trunk r6\n", &["svnserve"], ""),
    (
        "strace -f -tt",
        "23569 08:03:39.393265 read(3, \"x\", 1) = 1\n23569 08:03:39.393270 close(3) = 0\n",
        &[],
        "",
    ),
    ("ISO log without pid", "2026-11-30T08:03:39.393265Z 127.0.0.1 - bench update /trunk r6\n", &[], ""),
    (
        "httpd's error log",
        "[Mon Nov 30 08:05:17.496806 2026] [mpm_event:notice] [pid 1] AH00489: x\n",
        &[],
        "httpd's error log",
    ),
    ("sar's binary", "\u{0}\u{1}", &[], "binary"),
    ("bash -p, POSIX, GNU -p", "real 0.33\nuser 0.06\nsys 0.00\n", &["shell-time"], ""),
    (
        "GNU time",
        "0.00user 0.00system 0:00.10elapsed 0%CPU (0avgtext+0avgdata 1496maxresident)k\n0inputs+0outputs (0major+143minor)pagefaults 0swaps\n",
        &["gnu-time"],
        "",
    ),
    ("times", "0m0.002s 0m0.000s\n0m0.000s 0m0.000s\n", &[], "`times`"),
    ("list table", "a / b\ncold 2s / 1s = 1.00 : 2.00\n", &["list-table"], ""),
    ("a slash that parts no triple", "37% apr_file_rename / MoveFileExW\n", &[], ""),
    ("a `>` inside a line", "takes > 30 minutes\n", &[], ""),
    (
        "hyperfine",
        "{\"results\":[{\"command\":\"svn info\",\"mean\":1.0,\"times\":[1.0]}]}",
        &["hyperfine"],
        "",
    ),
    ("pyperf", "{\"benchmarks\":[{\"runs\":[{\"values\":[1.0]}]}],\"version\":\"1.0\"}", &["pyperf"], ""),
    (
        "Google Benchmark",
        "{\"context\":{\"num_cpus\":2},\"benchmarks\":[{\"name\":\"a\",\"iterations\":1,\"real_time\":1}]}",
        &["google-benchmark"],
        "",
    ),
    (
        "another tool's benchmarks",
        "{\"machine_info\":{},\"benchmarks\":[{\"stats\":{\"mean\":1}}]}",
        &[],
        "JSON",
    ),
    (
        "JMH",
        "[{\"benchmark\":\"a.b\",\"mode\":\"avgt\",\"primaryMetric\":{\"score\":1,\"scoreUnit\":\"ns/op\"}}]",
        &["jmh"],
        "",
    ),
    ("a list of other objects", "[{\"benchmark\":\"a.b\"}]", &[], "JSON"),
    (
        "criterion's samples",
        "{\"sampling_mode\":\"Flat\",\"iters\":[1.0],\"times\":[5.0]}",
        &["criterion"],
        "",
    ),
    ("criterion's name", "{\"group_id\":\"a\",\"function_id\":\"b\"}", &[], "criterion's name"),
    (
        "Google Benchmark's CSV",
        "Run on (2 X 2300 MHz CPU s)\nname,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message\n\"a\",1,2,2,ns,,,,,\n",
        &["google-benchmark-text"],
        "",
    ),
    (
        "Google Benchmark's console",
        "Benchmark   Time   CPU   Iterations\n------\nBM_x   1 ns   1 ns   7\n",
        &["google-benchmark-text"],
        "",
    ),
    ("pyperf's words", "Mean +- std dev: 15.0 ms +- 2.5 ms\n", &[], "pyperf's words"),
    (
        "suite1",
        "Timings for a\n   N    min     max     avg   operation  (unit is seconds)\n   2    0.05    0.06    0.06  add\n",
        &["suite1"],
        "",
    ),
    ("RepoPerf", "Cold\tx-nopack0\tsvn://localhost/\tslow\t 1.000\t0.500\t0.250\n", &["win-repo-bench"], ""),
    ("tests of Subversion", "ELAPSED: basic_tests.py 0:01:02.123456\n", &["test-log"], ""),
    (
        "create_bigdir",
        "Processing 1 files in the same folder\n\tAdding files ...   \t0.105  0.004  0.008\n",
        &["large-dirs"],
        "",
    ),
    ("verify", "* Verified revision 0.\n* Verified revision 1.\n", &["svnadmin-verify"], ""),
];

#[test]
fn what_looks_alike_is_told_apart() {
    for (name, text, formats, reason) in PAIRS.iter().chain(FURTHER) {
        let data = read("x", text.as_bytes());
        assert_eq!(data.formats, *formats, "{name}");
        let skipped = data.skipped.unwrap_or_default();
        assert_eq!(skipped.is_empty(), !formats.is_empty(), "{name}: {skipped}");
        assert!(skipped.contains(reason), "{name}: {skipped}");
    }
    for (bytes, reason) in [
        (b"\x96\xd5\x75\x21\0\0".as_slice(), "sadf -d"),
        (b"SQLite format 3\0", ""),
        (b"PERFILE2\0\0", "perf's binary data"),
    ] {
        let data = read("x", bytes);
        assert_eq!(data.formats, Vec::<&str>::new());
        assert!(data.error.is_some() || data.skipped.is_some_and(|why| why.contains(reason)), "{reason}");
    }
}

#[test]
fn one_banner_has_several_tools() {
    let banner = "Linux 6.1.0 (vm) \t11/30/26 \t_x86_64_\t(2 CPU)\n\n";
    for table in [
        "08:05:17      CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n08:05:18      all    1.00    0.00    1.00    0.00    0.00    0.00    0.00    0.00    0.00   98.00\n",
        "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           1.00    0.00    1.00    0.00    0.00   98.00\n",
    ] {
        let data = read("x", format!("{banner}{table}").as_bytes());
        assert!(!data.formats.contains(&"pidstat"), "{table}");
    }
    let table = "08:05:17      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n08:05:18        0       123    1.00    0.00    0.00    0.00    1.00     0  svnserve\n";
    assert_eq!(read("x", format!("{banner}{table}").as_bytes()).formats, ["pidstat"]);
}
