//! What is opened in one go: every format packed in every way, beside files that are none, and what
//! was exported, taken in again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use triptych_import::Readers;
use triptych_model::{Importer as _, ReadOptions};
use triptych_store::{ExportFrame, LoadOptions, PathArg, Source, Store, Unwatched, load};
use zip::write::{SimpleFileOptions, ZipWriter};

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data")
}

fn read(paths: &[PathBuf]) -> Vec<Source> {
    // Logs without a zone are read alike on every machine.
    let read = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
    let options = LoadOptions { read, ..LoadOptions::default() };
    let paths: Vec<PathArg> = paths.iter().cloned().map(PathArg::Path).collect();
    load(&paths, &Readers, &options, &Unwatched).expect("nobody cancels").sources
}

/// The smallest file of each format's samples that is read as that format.
fn one_of_each() -> BTreeMap<&'static str, Source> {
    let mut found = BTreeMap::new();
    for spec in Readers.formats() {
        let mut sources = read(&[samples().join(spec.samples)]);
        sources.retain(|source| source.data.formats.contains(&spec.id));
        sources.sort_by_key(Source::bytes);
        match sources.into_iter().next() {
            Some(first) => {
                found.insert(spec.id, first);
            }
            // A table of the user's own is read when he has said what its columns mean.
            None => assert_eq!(spec.id, "table", "it has no sample"),
        }
    }
    found
}

type Pack = fn(&str, &[u8]) -> (String, Vec<u8>);

/// The ways to pack a file, with the name that each gives it.
const PACKINGS: &[Pack] = &[
    |name, bytes| (name.to_owned(), bytes.to_vec()),
    |name, bytes| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        writer.write_all(bytes).expect("packs");
        (format!("{name}.gz"), writer.finish().expect("packs"))
    },
    |name, bytes| (format!("{name}.zst"), zstd::encode_all(bytes, 3).expect("packs")),
    |name, bytes| {
        let mut writer =
            lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(1)).expect("packs");
        writer.write_all(bytes).expect("packs");
        (format!("{name}.xz"), writer.finish().expect("packs"))
    },
    |name, bytes| {
        let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.start_file(name, SimpleFileOptions::default()).expect("starts");
        writer.write_all(bytes).expect("writes");
        (format!("{name}.zip"), writer.finish().expect("ends").into_inner())
    },
];

/// Files that are no logs, and what is said of each.
const WRONG: &[(&str, &[u8], &str)] = &[
    ("empty.txt", b"", "empty"),
    ("blank.txt", b"\n  \n\n", "nothing but blanks"),
    ("notes.md", b"# About these logs\n\nAll of them were made on one machine.\n", "text without figures"),
    ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a picture"),
    (
        "error.log",
        b"[Mon Nov 30 08:05:17.496806 2026] [core:notice] [pid 1] AH00094: resuming\n",
        "httpd's error log",
    ),
    ("sar.bin", b"\x96\xd5\x75\x21\0\0\0\0", "sadf"),
    ("old.tar.bz2", b"BZh91AY&SY", "bzip2"),
    ("lab.json", b"{\"version\":1,\"builds\":[],\"repositories\":[],\"variants\":[]}\n", "a lab"),
    ("strange.json", b"{\"colour\": \"blue\"}\n", "JSON of no known shape"),
    ("program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0", "binary"),
    ("cut.zip", b"PK\x03\x04\x14\0\0\0\x08\0", "zip archive cannot be read"),
    ("cut.log.gz", b"\x1f\x8b\x08\0\0\0\0\0", "copy it once more"),
];

#[test]
fn every_format_packed_in_turn_and_wrong_files_open_in_one_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let each = one_of_each();
    let mut expected = BTreeMap::new();
    for (index, (id, source)) in each.iter().enumerate() {
        let file = source.file.as_deref().expect("a sample is a file");
        // A folder of its own, for the way to a file may say what it is: criterion's does.
        let name = source.path().rsplit("sample-data/").next().expect("lies there");
        let (name, bytes) = PACKINGS[index % PACKINGS.len()](name, &fs::read(file).expect("reads"));
        let place = folder.path().join(id).join(&name);
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(&place, bytes).expect("writes");
        expected.insert(*id, source);
    }
    for (name, bytes, _) in WRONG {
        fs::write(folder.path().join(name), bytes).expect("writes");
    }
    let opened = read(&[folder.path().to_owned()]);
    let mut met = 0;
    for source in &opened {
        let below = Path::new(source.path()).strip_prefix(folder.path()).expect("lies there");
        let first = below.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
        if let Some((_, _, reason)) = WRONG.iter().find(|(name, ..)| **name == first) {
            let said = source.data.skipped.clone().or(source.data.error.as_ref().map(ToString::to_string));
            let said = said.unwrap_or_else(|| panic!("{first} was taken for {:?}", source.data.formats));
            assert!(said.contains(reason), "{first}: {said}");
            met += 1;
            continue;
        }
        let Some(plain) = expected.remove(first.as_str()) else { panic!("{first} came twice") };
        assert_same(source, plain);
    }
    assert_eq!((met, expected.keys().collect::<Vec<_>>()), (WRONG.len(), Vec::new()));
}

/// Packing changes nothing but the path.
fn assert_same(packed: &Source, plain: &Source) {
    let (a, b) = (&packed.data, &plain.data);
    let name = packed.path();
    assert_eq!((&a.error, &a.skipped, &a.formats), (&b.error, &b.skipped, &b.formats), "{name}");
    assert_eq!((a.bytes, a.lines, a.not_understood), (b.bytes, b.lines, b.not_understood), "{name}");
    assert_eq!(a.measurements, b.measurements, "{name}");
    assert_eq!(
        (a.samples.len(), a.requests.len(), a.runs.len()),
        (b.samples.len(), b.requests.len(), b.runs.len()),
        "{name}"
    );
    assert_eq!(packed.sha256, plain.sha256, "{name}");
}

fn export(paths: &[PathBuf], frame: ExportFrame) -> String {
    let mut store = Store::new(Arc::new(Readers));
    store.add(read(paths));
    let mut out = Vec::new();
    let problems = store.export(frame, &mut out).expect("writes to memory");
    assert!(problems.is_empty(), "{problems:?}");
    String::from_utf8(out).expect("is UTF-8")
}

/// Each row behind source and line, which are those of the file that is open.
fn rows(csv: &str) -> Vec<&str> {
    csv.lines().skip(1).map(|row| row.splitn(3, ',').last().unwrap_or(row)).collect()
}

#[test]
fn what_is_exported_is_taken_in_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("exported.csv");
    for (frame, sources) in [
        (ExportFrame::Measurements, &["fsfs-format7", "list-table", "gnu-time", "svnbench"][..]),
        (ExportFrame::Samples, &["pidstat/pidstat-h.txt"]),
        (ExportFrame::Samples, &["run-log"]),
        (ExportFrame::Samples, &["pidstat/pidstat-h.txt", "pidstat/pidstat-C.txt", "psrecord"]),
        (ExportFrame::Requests, &["svnserve/svnserve-1.6.9.log"]),
        (
            ExportFrame::Requests,
            &[
                "svnserve/svnserve-1.6.9.log",
                "svnserve/fork-1.14.log",
                "httpd/ops.log",
                "httpd/access-combined.log",
            ],
        ),
    ] {
        let sources: Vec<PathBuf> = sources.iter().map(|name| samples().join(name)).collect();
        let first = export(&sources, frame);
        fs::write(&file, &first).expect("writes");
        let again = export(std::slice::from_ref(&file), frame);
        let (first, again) = (rows(&first), rows(&again));
        assert!(first.len() > 20, "{frame:?}: {} rows", first.len());
        for (row, (before, after)) in first.iter().zip(&again).enumerate() {
            assert_eq!(before, after, "{frame:?} of {sources:?}, row {row}");
        }
        assert_eq!(first.len(), again.len(), "{frame:?}");
    }
}

#[test]
fn a_cut_packed_log_is_exported_as_far_as_it_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = fs::read(samples().join("svnserve/fork-1.14.log")).expect("reads");
    let (name, packed) = PACKINGS[1]("fork.log", &log);
    let cut = folder.path().join(name);
    fs::write(&cut, &packed[..packed.len() / 2]).expect("writes");
    // Its arguments are read again, and the end is as cut as before: that is no second error.
    let rows = export(std::slice::from_ref(&cut), ExportFrame::Requests);
    assert!(rows.lines().count() > 20, "{rows}");
}

#[test]
fn json_of_pyperf_is_read_packed() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = samples().join("pyperf/command.json");
    let (name, bytes) = PACKINGS[1]("command.json", &fs::read(&plain).expect("reads"));
    let packed = folder.path().join(name);
    fs::write(&packed, bytes).expect("writes");
    let (packed, plain) = (read(&[packed]), read(&[plain]));
    assert_eq!((packed.len(), packed[0].data.formats.as_slice()), (1, &["pyperf"][..]));
    assert_same(&packed[0], &plain[0]);
}

/// The cells process, metric and value of the rows of that metric.
fn values(csv: &str, metric: &str) -> Vec<(String, String)> {
    let cells = csv.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let of_metric = cells.filter(|cells| cells.get(18) == Some(&metric));
    of_metric.map(|cells| (cells[17].to_owned(), cells[19].to_owned())).collect()
}

#[test]
fn several_logs_of_one_run_give_its_seconds_once() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, sample) in [
        ("rep1-run1.txt", "gnu-time/null-export-trunk-hot.txt"),
        ("rep1-run1.pidstat.txt", "pidstat/pidstat-svnserve-C.txt"),
        ("rep1-run1.pidstat2.txt", "pidstat/pidstat-svnserve-C.txt"),
    ] {
        fs::copy(samples().join(sample), folder.path().join(name)).expect(sample);
    }
    let logs = [folder.path().to_owned()];
    let first = export(&logs, ExportFrame::Samples);
    let exported = tempfile::tempdir().expect("a folder");
    let file = [exported.path().join("exported.csv")];
    fs::write(&file[0], &first).expect("writes");
    assert_eq!(rows(&first), rows(&export(&file, ExportFrame::Samples)));
    let runs: std::collections::BTreeSet<_> = rows(&first).iter().map(|row| row.split(',').next()).collect();
    assert_eq!(runs.len(), 1, "both logs are of the one run");
    let seconds = values(&export(&logs, ExportFrame::Measurements), "cpu_time");
    assert!(!seconds.is_empty());
    let mut store = Store::new(Arc::new(Readers));
    store.add(read(&file));
    let mut out = Vec::new();
    store.export(ExportFrame::Measurements, &mut out).expect("writes to memory");
    assert_eq!(values(&String::from_utf8(out).expect("UTF-8"), "cpu_time"), seconds);
}

#[test]
fn arguments_are_exported_however_the_log_came() {
    let folder = tempfile::tempdir().expect("a folder");
    // Behind source, line and run.
    let facts = |csv: &str| -> Vec<String> {
        csv.lines().skip(1).map(|row| row.splitn(4, ',').last().unwrap_or(row).to_owned()).collect()
    };
    let log = samples().join("svnserve/fork-1.14.log");
    let text = fs::read_to_string(&log).expect("reads");
    let plain = export(&[log], ExportFrame::Requests);
    assert!(facts(&plain).iter().filter(|row| row.contains("\"{\"\"")).count() > 100);
    let wide = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [
        ("wide.log", wide),
        ("quoted.log", text.lines().map(|line| format!("> {line}\n")).collect::<String>().into_bytes()),
        ("marked.csv", format!("\u{feff}{plain}").into_bytes()),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).expect("writes");
        assert_eq!(facts(&export(&[file], ExportFrame::Requests)), facts(&plain), "{name}");
    }
}
