//! Nothing is lost by offering a line to few readers.

use super::Offer;
use crate::format::{Format, LineFormat};
use crate::formats::FORMATS;
use crate::scan::read_lines;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use crate::transcript::{is_failure, prompt};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use triptych_model::{ReadOptions, Silent};

fn readers() -> Vec<&'static dyn LineFormat> {
    let lines = FORMATS.iter().filter_map(|format| match format {
        Format::Lines(reader) => Some(*reader),
        Format::Document(_) => None,
    });
    lines.collect()
}

/// Every reader for every line.
fn everyone(options: &ReadOptions) -> Offer<'_> {
    let offer = Offer::new(readers(), options);
    for rows in &offer.by_first {
        rows.get_or_init(|| offer.all.clone());
    }
    offer
}

/// All files of the samples and, where `TRIPTYCH_LOGS` names a folder, of that.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data");
    for folder in [Some(samples), std::env::var_os("TRIPTYCH_LOGS").map(PathBuf::from)].into_iter().flatten()
    {
        let before = files.len();
        add_files(&folder, &mut files);
        assert!(files.len() > before, "{} has no files", folder.display());
    }
    files
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            add_files(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// The bytes as they are, and as mails, terminals and cuts change their lines.
fn variants(bytes: &[u8]) -> Vec<Vec<u8>> {
    let led = |lead: &str| {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        lines.flat_map(|line| [lead.as_bytes(), line].concat()).collect()
    };
    let halves = bytes.split(|byte| *byte == b'\n').flat_map(|line| {
        let (head, tail) = line.split_at(line.len() / 2);
        [head, b"\n", tail, b"\n"].concat()
    });
    let mut variants: Vec<Vec<u8>> = ["", "> ", "   ", "\t", "\u{a0}", "x", "\u{1b}[1m"].map(led).to_vec();
    variants.push(halves.collect());
    variants
}

/// What all lines are read as.
fn outcome(bytes: &[u8], offer: &Offer<'_>) -> String {
    let mut sink = Sink::new("x", offer.options, &Silent);
    sink.data.bytes = bytes.len() as u64;
    read_lines(bytes, offer, &mut sink).expect("nobody cancels");
    let mut data = sink.finish();
    let requests = std::mem::take(&mut data.requests);
    let rows: Vec<String> = (0..requests.len())
        .map(|row| format!("{:?} {:?}", requests.row(row), requests.gap_before(row)))
        .collect();
    format!("{data:?} {}", rows.join("\n"))
}

/// The reader that would have claimed a line that it is not offered, and the line.
fn lost(lines: &Lines<'_>, offer: &Offer<'_>) -> Option<(&'static str, String)> {
    let mut sink = Sink::new("x", offer.options, &Silent);
    for (at, line) in lines.starting_at(1).filter(|(_, line)| !line.is_blank()) {
        let offered = offer.of(&line, at);
        let is_asked = |id| offered.readers().any(|reader| reader.spec().id == id);
        for (_, reader) in offer.all.iter().filter(|(_, reader)| !is_asked(reader.spec().id)) {
            if reader.claim(lines, at, &mut sink).expect("nobody cancels").is_some() {
                return Some((reader.spec().id, line.text.to_owned()));
            }
        }
    }
    None
}

/// Lines that would say something and are thought to tell nothing.
fn untold(lines: &Lines<'_>, offer: &Offer<'_>) -> Option<String> {
    let told = |text: &str| prompt(text).is_some() || is_failure(text);
    lines
        .starting_at(0)
        .find(|(at, line)| !offer.of(line, *at).tells && told(line.text.trim_ascii()))
        .map(|(_, line)| line.text.to_owned())
}

#[test]
fn every_file_is_read_as_if_all_readers_were_asked() {
    let options = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
    let (offer, everyone) = (Offer::new(readers(), &options), everyone(&options));
    for path in files() {
        let bytes = std::fs::read(&path).expect("a readable file");
        for (number, bytes) in variants(&bytes).iter().enumerate() {
            let same = outcome(bytes, &offer) == outcome(bytes, &everyone);
            assert!(same, "{} is read otherwise, variant {number}", path.display());
            let lines = Lines::new(bytes);
            let lost = (lost(&lines, &offer), untold(&lines, &offer));
            assert_eq!(lost, (None, None), "{}, variant {number}", path.display());
        }
    }
}

#[test]
fn plain_lines_have_no_readers() {
    let options = ReadOptions::default();
    let offer = Offer::new(readers(), &options);
    for text in
        ["A    trunk/subversion/libsvn_fs/file.c", "And so each of them was made three times", "", "\u{a0} "]
    {
        let count = offer.of(&line(text), 1).readers().count();
        assert_eq!(count, 0, "{text:?}");
    }
    for text in ["x", "\u{a0}x", "\u{2003}12", "\u{1}x"] {
        let at = usize::from(text != "x");
        assert_eq!(offer.of(&line(text), at).readers().count(), readers().len(), "{text:?}");
    }
}

fn line(text: &str) -> Line<'_> {
    Line { number: 1, offset: 0, depth: 0, is_open: false, text }
}

/// Beginnings of lines that some reader knows.
const WORDS: &[&str] = &[
    "Linux 6.1 (vm) \t11/30/26 \t_x86_64_\t(2 CPU)",
    "08:06:44      UID       PID    %usr %system  Command",
    "Average:      UID       PID    %usr  Command",
    "top - 08:06:38 up 11 min",
    "Mon Nov 30 08:06:39 UTC 2026",
    "=== 08:06:39 ===",
    "vm;-1;2026-11-30 16:35:05 UTC;LINUX-RESTART\t(2 CPU)",
    "procs -----------memory---------- ---swap-- -----io----",
    "usage_usec 12",
    "1 (a) S 1 2 3 4",
    "real 1.5 user 0.1 sys 0.2",
    "* Dumped revision 1.",
    "Nov 30 08:05:17 * Dumped revision 1.",
    "Performance counter stats for 'x':",
    "    PID %CPU RSS COMMAND",
    "ELAPSED: x 0:00:01",
    "===> multitime results",
    "a 1s / 2s = 0.5 : 1",
    "$ time svn export URL",
    "svn: E160013: gone",
    "x: command not found",
    "  4711 Segmentation fault      (core dumped) svn",
    "0.001u 0.000s 0:00.30 0.0%\t0+0k 16+0io 1pf+0w",
    "svn export  0.07s user 0.00s system 26% cpu 0.264 total",
];

proptest! {
    #[test]
    fn no_line_is_lost(
        lines in proptest::collection::vec((".{0,3}", prop::sample::select(WORDS), 0..40_usize), 1..8),
    ) {
        let text: String = lines
            .iter()
            .map(|(head, words, from)| format!("{head}{}\n", words.get(*from..).unwrap_or(words)))
            .collect();
        let options = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
        let (offer, lines) = (Offer::new(readers(), &options), Lines::new(text.as_bytes()));
        prop_assert_eq!((lost(&lines, &offer), untold(&lines, &offer)), (None, None));
        prop_assert_eq!(outcome(text.as_bytes(), &offer), outcome(text.as_bytes(), &everyone(&options)));
    }
}
