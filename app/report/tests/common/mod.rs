//! Comparisons and loads of genuine logs as literals, so that tests wait for no reader and no store.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::sync::Arc;
use triptych_model::{Conditions, Key, Process, Quality, Unit};
use triptych_report::{Comparison, LoadData, RequestsData, from_groups};
use triptych_store::{
    Cell, Group, Lane, Load, PrintedRatio, Query, RequestAnswer, RequestBins, RowRef, SessionRef, Value,
    VariantColours,
};

/// The variants of both format 7 experiments, in the order of their colours.
pub const VARIANTS: [&str; 3] = ["trunk", "branch6", "branch7"];

type Cells<'a> = [&'a [f64]; 3];

/// `real` of every successful run of the format 7 experiment repeated in 2026; two runs of branch7 failed.
pub const FORMAT7: &[(&str, &str, Cells<'_>)] = &[
    (
        "verify",
        "cold",
        [
            &[7.329, 7.305, 7.628, 6.951, 7.310],
            &[7.020, 7.305, 7.223, 6.467, 6.974],
            &[6.845, 7.679, 7.150, 7.664, 6.577],
        ],
    ),
    (
        "verify",
        "hot",
        [
            &[7.246, 7.097, 7.089, 6.721, 6.721],
            &[7.180, 7.506, 7.237, 6.735, 6.824],
            &[6.553, 6.419, 6.708, 6.888, 6.356],
        ],
    ),
    (
        "null-export",
        "cold",
        [
            &[2.047, 1.475, 1.531, 1.832, 1.592],
            &[1.530, 1.672, 1.568, 1.497, 1.398],
            &[1.930, 1.980, 1.946, 2.333, 1.973],
        ],
    ),
    (
        "null-export",
        "hot",
        [
            &[1.211, 1.267, 1.263, 1.251, 1.185],
            &[1.267, 1.305, 1.259, 1.329, 1.295],
            &[1.827, 1.692, 1.742, 1.870, 1.681],
        ],
    ),
    (
        "null-log -v",
        "cold",
        [
            &[6.035, 5.667, 5.833, 5.633, 5.227],
            &[6.014, 6.050, 5.688, 5.200, 5.461],
            &[13.392, 12.544, 12.551, 11.998, 11.969],
        ],
    ),
    (
        "null-log -v",
        "hot",
        [
            &[5.037, 4.834, 5.281, 5.037, 5.066],
            &[5.133, 4.861, 5.804, 4.969, 5.407],
            &[12.399, 13.463, 11.951, 13.284],
        ],
    ),
    (
        "null-log -v -g",
        "cold",
        [
            &[8.382, 9.101, 8.173, 8.719, 8.847],
            &[9.298, 9.259, 9.994, 8.358, 9.076],
            &[34.275, 33.441, 32.987, 34.578, 32.252],
        ],
    ),
    (
        "null-log -v -g",
        "hot",
        [
            &[7.608, 8.756, 7.919, 7.964, 9.374],
            &[8.556, 9.270, 8.761, 8.764, 7.765],
            &[33.634, 34.137, 33.291, 32.335],
        ],
    ),
];

/// Operation, medium, cache, times and ratios as printed.
type PrintedRow = (&'static str, &'static str, &'static str, [&'static str; 3], [&'static str; 2]);

/// The table of 2013: heading, medium and cache, times and ratios as printed.
pub const PUBLISHED: &[PrintedRow] = &[
    ("verify", "USB", "cold", ["270.5s", "246.3s", "104.4s"], ["1.10", "2.59"]),
    ("verify", "USB", "hot", ["248.0s", "191.0s", "60.8s"], ["1.30", "4.08"]),
    ("verify", "SSD", "cold", ["66.1s", "62.0s", "59.4s"], ["1.07", "1.11"]),
    ("verify", "SSD", "hot", ["63.2s", "60.0s", "57.1s"], ["1.05", "1.11"]),
    ("null-log -v", "USB", "cold", ["54.36s", "50.17s", "8.73s"], ["1.06", "6.11"]),
    ("null-log -v", "USB", "hot", ["43.64s", "36.46s", "3.52s"], ["1.20", "12.40"]),
    ("null-log -v", "SSD", "cold", ["9.32s", "10.60s", "3.22s"], ["0.88", "2.89"]),
    ("null-log -v", "SSD", "hot", ["2.36s", "2.28s", "2.88s"], ["1.04", "0.82"]),
];

const SERVER_USER: [f64; 18] = [
    77.0, 79.0, 85.0, 87.13, 88.0, 86.0, 85.0, 86.0, 86.0, 91.0, 88.0, 88.0, 87.0, 85.0, 83.0, 87.0, 86.0,
    86.0,
];
const SERVER_SYS: [f64; 18] = [
    13.0, 13.0, 13.0, 9.9, 10.0, 13.0, 14.0, 12.0, 13.0, 9.0, 11.0, 10.0, 12.0, 15.0, 15.0, 11.0, 13.0, 12.0,
];
const CLIENT_USER: [f64; 18] = [
    37.0, 50.5, 44.0, 52.0, 47.0, 55.0, 52.0, 49.0, 43.0, 45.0, 47.0, 47.0, 44.0, 51.0, 55.0, 49.0, 42.0,
    53.0,
];
const CLIENT_SYS: [f64; 18] = [
    18.0, 12.87, 17.0, 24.0, 17.0, 20.0, 23.0, 17.0, 22.0, 15.0, 18.0, 17.0, 15.0, 15.0, 19.0, 23.0, 19.0,
    19.0,
];

pub fn query(baseline: &str) -> Query {
    Query { baseline: Some(baseline.to_owned()), ..Query::default() }
}

pub fn colours() -> VariantColours {
    VariantColours::from([(VARIANTS[0], 0), (VARIANTS[1], 1), (VARIANTS[2], 2)])
}

pub fn value(run: u32, value: f64, raw: &str, quality: Quality, line: u32) -> Value {
    Value { run, value, high: None, raw: Arc::from(raw), quality, source: 0, line }
}

pub fn group(conditions: Conditions, across: Key, cells: Vec<Cell>) -> Group {
    Group {
        conditions,
        process: Process::Client,
        metric: "real".to_owned(),
        unit: Unit::Secs,
        across,
        is_table: false,
        cells,
        printed_ratios: Vec::new(),
        flags: Vec::new(),
    }
}

pub fn cell(name: &str, first_run: u32, values: &[f64]) -> Cell {
    let value = |(index, secs): (usize, &f64)| {
        let raw = format!("{}m{:.3}s", (secs / 60.0) as u32, secs % 60.0);
        value(first_run + index as u32, *secs, &raw, Quality::MEASURED, 2)
    };
    Cell {
        name: name.to_owned(),
        values: values.iter().enumerate().map(value).collect(),
        failed: Vec::new(),
        left_out: Vec::new(),
    }
}

/// The groups of the repeated experiment, in an order that is not the table's.
pub fn format7_groups() -> Vec<Group> {
    let mut run = 0;
    let mut groups = Vec::new();
    for (operation, cache, cells) in FORMAT7 {
        let conditions = Conditions::new()
            .with(Key::Campaign, "fsfs-format7")
            .with(Key::Operation, *operation)
            .with(Key::Cache, *cache);
        let mut sides = Vec::new();
        for (name, values) in VARIANTS.iter().zip(cells) {
            let mut side = cell(name, run, values);
            if values.len() < 5 {
                side.failed.push(run + 4);
            }
            run += 5;
            sides.push(side);
        }
        groups.push(group(conditions, Key::Variant, sides));
    }
    groups.reverse();
    groups
}

pub fn format7() -> Comparison {
    let mut comparison = from_groups(format7_groups(), &query("trunk"), &colours());
    comparison.sources = vec!["logs/fsfs-format7/null-log/branch7-hot-r1.txt".to_owned()];
    comparison
}

/// The published table; its first row of `null-log -v` contradicts itself.
pub fn published_groups() -> Vec<Group> {
    let mut groups = Vec::new();
    for (index, (operation, medium, cache, times, ratios)) in PUBLISHED.iter().enumerate() {
        let conditions = Conditions::new()
            .with(Key::Campaign, "fsfs-format7-2013.txt")
            .with(Key::Operation, *operation)
            .with(Key::Command, format!("time svnbench {operation} -q"))
            .with(Key::Repository, "tsvn")
            .with(Key::Medium, *medium)
            .with(Key::Cache, *cache);
        let line = 8 + index as u32;
        let cells = VARIANTS.iter().zip(times).enumerate().map(|(place, (name, raw))| {
            let secs: f64 = raw.trim_end_matches('s').parse().expect("a literal above");
            let run = (index * 3 + place) as u32;
            let values = vec![value(run, secs, raw, Quality::AS_PRINTED, line)];
            Cell { name: (*name).to_owned(), values, failed: Vec::new(), left_out: Vec::new() }
        });
        let mut group = group(conditions, Key::Variant, cells.collect());
        group.metric = "time".to_owned();
        group.is_table = true;
        let inconsistent = ratios[1] == "6.11";
        let printed = VARIANTS.iter().skip(1).zip(ratios).map(|(name, raw)| PrintedRatio {
            name: (*name).to_owned(),
            value: raw.parse().expect("a literal above"),
            raw: Arc::from(*raw),
            inconsistent,
        });
        group.printed_ratios = printed.collect();
        if inconsistent {
            group.flags.push("inconsistent".to_owned());
        }
        groups.push(group);
    }
    groups
}

pub fn published() -> Comparison {
    from_groups(published_groups(), &query("trunk"), &colours())
}

/// `real` of the scan with 1, 2, 5 and 10 threads, the medians of its log.
pub fn scaling() -> Comparison {
    let conditions = Conditions::new()
        .with(Key::Campaign, "threaded-scan")
        .with(Key::Operation, "read")
        .with(Key::Cache, "cold");
    let cells = [("1", 9.05), ("2", 5.70), ("5", 3.23), ("10", 2.175)];
    let cells =
        cells.iter().enumerate().map(|(i, (name, secs))| cell(name, i as u32, &[*secs, *secs, *secs]));
    from_groups(
        vec![group(conditions, Key::Threads, cells.collect())],
        &query("1"),
        &VariantColours::default(),
    )
}

fn lane(process: Process, metric: &str, values: &[f64]) -> Lane {
    let ends: Vec<f64> = (1..=values.len()).map(|end| end as f64).collect();
    Lane {
        process,
        metric: metric.to_owned(),
        commands: vec!["svnserve-1.7.22".to_owned()],
        source: 0,
        starts: ends.iter().map(|end| end - 1.0).collect(),
        lines: (0..values.len() as u32).map(|i| 4 + 9 * i).collect(),
        ends,
        values: values.to_vec(),
    }
}

/// pidstat of the first export from svnserve 1.7.22, all_packed.
pub fn load() -> LoadData {
    let lanes = vec![
        lane(Process::Svnserve, "cpu_user", &SERVER_USER),
        lane(Process::Svnserve, "cpu_sys", &SERVER_SYS),
        lane(Process::Client, "cpu_user", &CLIENT_USER),
        lane(Process::Client, "cpu_sys", &CLIENT_SYS),
    ];
    let load = Load {
        run: 7,
        end_secs: SERVER_USER.len() as f64,
        lanes,
        start: None,
        real_secs: Some(18.938),
        exit: Some(0),
        not_shown: Vec::new(),
    };
    let mut data = LoadData::new("new-1.7.22, all_packed, cold".to_owned(), load);
    data.sources = vec!["rep1-run1.pidstat-svnserve.txt".to_owned()];
    data
}

/// Half the samples at 100 %, half at 0, alternating, a millisecond each.
pub fn dense(count: usize) -> LoadData {
    let mut lane = lane(Process::Svnserve, "cpu", &vec![0.0; count]);
    for (index, value) in lane.values.iter_mut().enumerate() {
        *value = if index % 2 == 0 { 100.0 } else { 0.0 };
    }
    lane.starts.iter_mut().chain(&mut lane.ends).for_each(|time| *time /= 1000.0);
    let end_secs = count as f64 / 1000.0;
    let load = Load {
        run: 1,
        end_secs,
        lanes: vec![lane],
        start: None,
        real_secs: None,
        exit: None,
        not_shown: Vec::new(),
    };
    LoadData::new("dense".to_owned(), load)
}

/// Five servers, three repositories, first and second run: medians of the exports, some missing.
pub fn many() -> Comparison {
    let names = ["old-1.6.9", "new-1.7.22", "new-1.9.12", "new-1.14.2", "trunk"];
    let figures: [(&str, &str, [&[f64]; 5]); 6] = [
        ("hist_packed", "cold", [&[2.79, 2.8, 2.7], &[0.694], &[0.548, 0.55], &[0.578], &[0.6]]),
        ("hist_packed", "hot", [&[2.449], &[0.362], &[0.323], &[0.345], &[]]),
        ("tags_packed", "cold", [&[12.518], &[1.913], &[1.473], &[1.594], &[1.6]]),
        ("tags_packed", "hot", [&[11.959], &[1.581], &[1.168], &[1.204], &[]]),
        ("all_packed", "cold", [&[155.98], &[20.01, 20.5], &[], &[], &[]]),
        ("all_packed", "hot", [&[150.1], &[18.9, 19.0], &[], &[], &[]]),
    ];
    let groups = figures.iter().map(|(repository, cache, cells)| {
        let conditions = Conditions::new()
            .with(Key::Campaign, "export-old-new")
            .with(Key::Operation, "export")
            .with(Key::Repository, *repository)
            .with(Key::Cache, *cache);
        group(
            conditions,
            Key::Variant,
            names.iter().zip(cells).map(|(name, values)| cell(name, 0, values)).collect(),
        )
    });
    from_groups(groups.collect(), &query("old-1.6.9"), &VariantColours::default())
}

/// First and second run of one export with different sides measured.
pub fn uneven() -> Comparison {
    let row = |cache: &str, cells: Vec<Cell>| {
        let conditions = Conditions::new().with(Key::Operation, "export").with(Key::Cache, cache);
        group(conditions, Key::Variant, cells)
    };
    let cold = row("cold", vec![cell("old-1.6.9", 0, &[155.98]), cell("new-1.7.22", 1, &[20.01])]);
    let hot = row("hot", vec![cell("new-1.7.22", 2, &[19.05]), cell("new-1.9.12", 3, &[9.5])]);
    from_groups(vec![hot, cold], &query("old-1.6.9"), &VariantColours::default())
}

/// Ten seconds of a busy server: reads, sessions, look-ups, some history, commits, one error, and a load.
pub fn requests() -> RequestsData {
    let start = 1_796_027_544_000_000;
    let count = 20;
    let kinds: Vec<[u32; 6]> = (0..count)
        .map(|bin| [40 + bin % 7 * 9, 60 + bin % 5 * 11, 8 + bin % 3 * 4, bin % 4, bin % 2, 0])
        .collect();
    let mut totals = [0usize; 7];
    for bin in &kinds {
        for (total, count) in totals.iter_mut().zip(bin) {
            *total += *count as usize;
        }
    }
    totals[6] = 1;
    let row = |row| RowRef { source: 0, row };
    let bins = RequestBins {
        start,
        width: 500_000,
        errors: (0..count).map(|bin| u32::from(bin == 3)).collect(),
        sessions: (0..count).map(|bin| 12 + bin * 7 % 13).collect(),
        commits: (0..9).map(|place| (start + i64::from(place) * 1_070_000, row(place))).collect(),
        commit_count: 9,
        kinds,
    };
    let answer = RequestAnswer {
        kinds: totals,
        span: Some((start + 20_000, start + 9_980_000)),
        sessions: (0..230).map(|session| SessionRef { source: 0, session }).collect(),
        all_sessions: 230,
        revisions: Some((6125, 6133)),
        ..RequestAnswer::default()
    };
    let mut load = load();
    load.load.start = Some(start);
    RequestsData {
        title: "svnserve.log".to_owned(),
        answer: Arc::new(answer),
        bins: Arc::new(bins),
        load: Some(Arc::new(load)),
    }
}
