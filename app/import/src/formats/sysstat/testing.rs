//! What the tests of all readers of load logs ask: the figures, and that damage makes none up.

use crate::Readers;
use crate::sink::testing::bytes;
use proptest::prelude::*;
use std::collections::BTreeSet;
use triptych_model::{Clock, Importer, ReadOptions, Silent, SourceData};

/// 2026-11-30T00:00:00Z, the day of all samples.
const DAY: i64 = 1_795_996_800;

/// Reads bytes with times in UTC where they name no zone.
pub fn read(bytes: &[u8]) -> SourceData {
    let options = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
    Readers.read("load.log", bytes, &options, &Silent).expect("nobody cancels")
}

/// Seconds of the day as a clock shows them.
fn clock_text(secs: i64) -> String {
    format!("{:02}:{:02}:{:02}", secs.div_euclid(3600), secs.rem_euclid(3600) / 60, secs.rem_euclid(60))
}

/// `08:06:45 system cpu_user=12.5%` of every sample; times without a date count from 0.
pub fn rows(data: &SourceData) -> Vec<String> {
    let row = |sample: &triptych_model::Sample| {
        let series = &data.series[sample.series as usize];
        let pid = series.pid.map_or(String::new(), |pid| format!("/{pid}"));
        let base = if series.clock == Clock::Utc { DAY } else { 0 };
        let time = clock_text(sample.time / 1_000_000 - base);
        // Factors leave a last place that is of no interest.
        let value = (sample.value * 1e6).round() / 1e6;
        format!("{time} {}{pid} {}={value} {}", series.process, series.metric, series.unit)
    };
    data.samples.iter().map(row).collect()
}

/// Start of the first interval as a clock shows it.
pub fn start(data: &SourceData) -> Option<String> {
    let elapsed = data.series.iter().any(|series| series.clock == Clock::Elapsed);
    data.samples_start.map(|micros| clock_text(micros / 1_000_000 - if elapsed { 0 } else { DAY }))
}

/// Reads a sample without a complaint and finds figures in it: `08:06:45 system cpu_user=12.5 %`.
pub fn check(path: &str, id: &str, samples: usize, expect: &[&str]) -> SourceData {
    let data = read(&bytes(path));
    let rows = rows(&data);
    assert_eq!(data.formats, [id], "{path}");
    assert_eq!(
        (data.not_understood, data.warnings(), data.program_output),
        (0, 0, 0),
        "{path}: {:?}",
        data.problems
    );
    assert_eq!(rows.len(), samples, "{path}");
    let mut places: Vec<(u32, i64)> =
        data.samples.iter().map(|sample| (sample.series, sample.time)).collect();
    places.sort_unstable();
    let twice =
        places.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| &data.series[pair[0].0 as usize]);
    assert_eq!(twice, None, "{path}: two figures of one time");
    for figure in expect {
        assert!(rows.iter().any(|row| row == figure), "{path}: {figure} is not in\n{}", rows.join("\n"));
    }
    data
}

/// Every form in which the text may come reads the same.
pub fn check_forms(path: &str) {
    let text = String::from_utf8(bytes(path)).expect("a text");
    let plain = rows(&read(text.as_bytes()));
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
    for (form, bytes) in [
        ("CRLF", text.replace('\n', "\r\n").into_bytes()),
        ("quoted", quoted.into_bytes()),
        ("UTF-16", wide),
        ("mark", format!("\u{feff}{text}").into_bytes()),
        ("no last line end", text.trim_end_matches('\n').as_bytes().to_vec()),
    ] {
        assert_eq!(rows(&read(&bytes)), plain, "{path} as {form}");
    }
}

/// A source cut anywhere gives no figure that the whole one does not give; `first` are those of the
/// report that is left out where others follow.
pub fn check_cuts(path: &str, first: &[u8]) {
    let whole = bytes(path);
    let mut known: BTreeSet<String> = rows(&read(&whole)).into_iter().collect();
    known.extend(rows(&read(first)));
    for end in 0..whole.len() {
        let cut = read(&whole[..end]);
        for row in rows(&cut) {
            assert!(known.contains(&row), "{path} cut at {end}: {row}");
        }
        assert!(cut.not_understood <= 2, "{path} cut at {end}: {:?}", cut.problems);
    }
}

/// Damaged bytes are read or told of; nothing panics, and no figure is no number.
pub fn check_damage(paths: &[&str]) {
    for path in paths {
        let whole = bytes(path);
        let strategy = proptest::collection::vec((0..whole.len(), any::<u8>()), 1..12);
        proptest!(ProptestConfig::with_cases(64), |(damage in strategy)| {
            let mut bytes = whole.clone();
            for (at, byte) in damage {
                bytes[at] = byte;
            }
            let data = read(&bytes);
            prop_assert!(data.samples.iter().all(|sample| sample.value.is_finite()));
        });
    }
}
