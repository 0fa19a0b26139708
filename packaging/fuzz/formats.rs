//! One fuzz target per format: whatever the bytes, no reader panics, loops or breaks its promises, and a
//! log says the same read whole, in blocks, or as it grew.
//!
//! The format is named by `TRIPTYCH_FORMAT`, `any` lets the content decide. A format that is added to
//! the table is a target from then on. Started by `run` beside this file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use triptych_import::Readers;
use triptych_model::{Importer as _, ReadOptions, Silent, SourceData};

static OPTIONS: LazyLock<ReadOptions> = LazyLock::new(|| {
    let named = std::env::var("TRIPTYCH_FORMAT").unwrap_or_else(|_| "any".to_owned());
    let known = Readers.formats().iter().any(|spec| spec.id == named);
    assert!(known || named == "any", "there is no format {named}");
    // A zone of its own, so that a crash repeats everywhere.
    ReadOptions { format: known.then_some(named), zone_offset_secs: Some(3600), ..ReadOptions::default() }
});

/// Says which targets there are and where their seeds lie, for `run`.
fn list() {
    if std::env::var_os("TRIPTYCH_FORMATS").is_some() {
        for spec in Readers.formats() {
            println!("{} {}", spec.id, spec.samples);
        }
        std::process::exit(0);
    }
}

const PATH: &str = "fuzz/1.8-hot-r1.txt";

fn read(bytes: &[u8]) -> SourceData {
    Readers.read(PATH, bytes, &OPTIONS, &Silent).expect("nobody cancels")
}

fuzz_target!(init: list(), |bytes: &[u8]| {
    let data = read(bytes);
    check(&data);
    for row in 0..data.requests.len() {
        let request = data.requests.row(row).expect("is a row");
        assert!(request.line >= 1 && u64::from(request.line) <= data.lines);
        assert!(request.offset <= data.bytes);
        let times = [request.duration, data.requests.gap_before(row), data.requests.gap_after(row)];
        assert!(times.into_iter().flatten().all(f64::is_finite));
    }
    let mut stream = bytes;
    let size = Some(bytes.len() as u64);
    let in_blocks = Readers.read_stream(PATH, &mut stream, size, &OPTIONS, &Silent).expect("nobody cancels");
    // Blocks are tiny here: their head may look like a text where the file does not.
    if let Some(in_blocks) = in_blocks.filter(|_| data.skipped.is_none()) {
        compare(&in_blocks, &data);
    }
    if let Some((first, more)) = cut(bytes) {
        let mut grown = read(first);
        if Readers.read_on(&mut grown, more, &OPTIONS, &Silent).expect("nobody cancels") {
            compare(&grown, &data);
        }
    }
});

/// A log that may be read on, as it was before its second half was written.
fn cut(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let half = bytes.get(..bytes.len() / 2)?;
    let end = half.iter().rposition(|byte| *byte == b'\n')? + 1;
    let is_whole = bytes.ends_with(b"\n");
    is_whole.then(|| bytes.split_at(end))
}

/// Both say the same, however they were read.
fn compare(one: &SourceData, other: &SourceData) {
    assert_eq!(one.formats, other.formats);
    assert_eq!((one.lines, one.not_understood, one.bytes), (other.lines, other.not_understood, other.bytes));
    assert_eq!((one.requests.len(), one.program_output), (other.requests.len(), other.program_output));
    // What is said of repaired lines comes behind what was read with them.
    let problems = |data: &SourceData| {
        let mut all: Vec<String> = data.problems.iter().map(|problem| format!("{problem:?}")).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(problems(one), problems(other));
    for row in 0..one.requests.len() {
        assert_eq!(one.requests.row(row), other.requests.row(row));
        let gaps = |data: &SourceData| (data.requests.gap_before(row), data.requests.gap_after(row));
        assert_eq!(gaps(one), gaps(other));
    }
}

/// What holds for the rows of every source.
fn check(data: &SourceData) {
    let is_line = |line: u32| line >= 1 && u64::from(line) <= data.lines.max(1);
    assert!(data.runs.iter().all(|run| is_line(run.line)));
    assert!(data.problems.iter().filter_map(|problem| problem.line).all(is_line), "{:?}", data.problems);
    for row in &data.measurements {
        assert!((row.run as usize) < data.runs.len());
        assert!([row.value, row.value_high].into_iter().flatten().all(f64::is_finite), "{row:?}");
        assert!(is_line(row.line), "{row:?}");
    }
    for series in &data.series {
        assert!(series.run.is_none_or(|run| (run as usize) < data.runs.len()));
    }
    for sample in &data.samples {
        assert!((sample.series as usize) < data.series.len());
        assert!(sample.value.is_finite() && is_line(sample.line), "{sample:?}");
    }
    let nothing = data.error.is_none() && data.skipped.is_none() && !data.has_rows() && data.runs.is_empty();
    assert!(!nothing || !data.problems.is_empty() || !data.formats.is_empty(), "dropped in silence");
}
