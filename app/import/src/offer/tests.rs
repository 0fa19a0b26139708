//! Nothing is lost by offering a line to few readers.

use super::Offer;
use crate::format::{Format, LineFormat};
use crate::formats::FORMATS;
use crate::scan::read_lines;
use crate::sink::Sink;
use crate::text::Lines;
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
fn everyone() -> Offer {
    Offer { all: readers(), by_first: vec![readers(); 128] }
}

/// All files of the samples and, where `TRIPTYCH_LOGS` names a folder, of that.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-data");
    for folder in [Some(samples), std::env::var_os("TRIPTYCH_LOGS").map(PathBuf::from)].into_iter().flatten() {
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
fn outcome(bytes: &[u8], offer: &Offer) -> String {
    let options = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
    let mut sink = Sink::new("x", &options, &Silent);
    sink.data.bytes = bytes.len() as u64;
    read_lines(bytes, offer, &mut sink).expect("nobody cancels");
    format!("{:?}", sink.finish())
}

/// The reader that would have claimed a line that it is not offered, and the line.
fn lost(lines: &Lines<'_>, offer: &Offer, options: &ReadOptions) -> Option<(&'static str, String)> {
    let mut sink = Sink::new("x", options, &Silent);
    for (at, line) in lines.starting_at(1).filter(|(_, line)| !line.is_blank()) {
        let asked = offer.readers(&line, at);
        let is_asked = |id| asked.iter().any(|reader| reader.spec().id == id);
        for reader in offer.all.iter().filter(|reader| !is_asked(reader.spec().id)) {
            if reader.claim(lines, at, &mut sink).expect("nobody cancels").is_some() {
                return Some((reader.spec().id, line.text.to_owned()));
            }
        }
    }
    None
}

#[test]
fn every_file_is_read_as_if_all_readers_were_asked() {
    let (offer, everyone, options) = (Offer::new(readers()), everyone(), ReadOptions::default());
    for path in files() {
        let bytes = std::fs::read(&path).expect("a readable file");
        for (number, bytes) in variants(&bytes).iter().enumerate() {
            let same = outcome(bytes, &offer) == outcome(bytes, &everyone);
            assert!(same, "{} is read otherwise, variant {number}", path.display());
            let lost = lost(&Lines::new(bytes), &offer, &options);
            assert_eq!(lost, None, "{}, variant {number}", path.display());
        }
    }
}

#[test]
fn lines_have_few_readers() {
    let offer = Offer::new(readers());
    let all = offer.all.len();
    let lines = Lines::new("A  x\n  A  x\nA  x\n\u{a0}x\n\u{2192} x\n12 foo\n".as_bytes());
    let counts: Vec<usize> = lines.starting_at(0).map(|(at, line)| offer.readers(&line, at).len()).collect();
    assert_eq!((counts[0], counts[1], counts[3], counts[4]), (all, counts[2], all, all));
    assert!(counts[1] * 2 < all + 2 && counts[5] < all, "{counts:?} of {all}");
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
        let options = ReadOptions::default();
        prop_assert_eq!(lost(&Lines::new(text.as_bytes()), &Offer::new(readers()), &options), None);
        prop_assert_eq!(outcome(text.as_bytes(), &Offer::new(readers())), outcome(text.as_bytes(), &everyone()));
    }
}
