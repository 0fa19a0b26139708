//! Every number of the published figures, in every form in which mails carry them.

mod further;

use crate::Readers;
use triptych_model::{
    Importer, Key, Measurement, Problem, ProblemKind, Process, Quality, ReadOptions, RunRow, Severity,
    Silent, SourceData, Unit,
};

fn read(bytes: &[u8]) -> SourceData {
    Readers.read("mail.txt", bytes, &ReadOptions::default(), &Silent).expect("nobody cancels")
}

fn sample(name: &str) -> String {
    let path = format!("{}/../../sample-data/list-table/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn flattened(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The conditions of a run, `-` where unknown.
fn conditions(run: &RunRow, keys: &[Key]) -> String {
    keys.iter().map(|key| run.content.get(*key).unwrap_or("-")).collect::<Vec<_>>().join("|")
}

/// All values as `conditions|process metric=value..high unit raw`, by run and line.
fn facts(data: &SourceData, keys: &[Key]) -> Vec<String> {
    let fact = |row: &Measurement| {
        let run = conditions(&data.runs[row.run as usize], keys);
        let value = row.value.map_or("?".to_owned(), |value| value.to_string());
        let high = row.value_high.map_or(String::new(), |high| format!("..{high}"));
        let count = row.executions.map_or(String::new(), |count| format!(" n={count}"));
        format!("{run}|{} {}={value}{high}{} {:?}{count}", row.process, row.metric, row.unit, row.raw)
    };
    data.measurements.iter().map(fact).collect()
}

const KEYS_2013: &[Key] = &[Key::Operation, Key::Repository, Key::Medium, Key::Cache, Key::Variant];

/// Operation, medium and cache, three times, three ratios.
type Row2013 = (&'static str, &'static str, [f64; 3], [f64; 3]);

const ROWS_2013: &[Row2013] = &[
    ("verify", "USB|cold", [270.5, 246.3, 104.4], [1.00, 1.10, 2.59]),
    ("verify", "USB|hot", [248.0, 191.0, 60.8], [1.00, 1.30, 4.08]),
    ("verify", "SSD|cold", [66.1, 62.0, 59.4], [1.00, 1.07, 1.11]),
    ("verify", "SSD|hot", [63.2, 60.0, 57.1], [1.00, 1.05, 1.11]),
    ("null-export", "USB|cold", [44.29, 39.63, 16.24], [1.00, 1.12, 2.73]),
    ("null-export", "USB|hot", [10.68, 10.25, 3.78], [1.00, 1.04, 2.83]),
    ("null-export", "SSD|cold", [5.72, 5.00, 3.75], [1.00, 1.14, 1.53]),
    ("null-export", "SSD|hot", [2.37, 2.38, 3.21], [1.00, 1.00, 0.74]),
    ("null-log -v", "USB|cold", [54.36, 50.17, 8.73], [1.00, 1.06, 6.11]),
    ("null-log -v", "USB|hot", [43.64, 36.46, 3.52], [1.00, 1.20, 12.40]),
    ("null-log -v", "SSD|cold", [9.32, 10.60, 3.22], [1.00, 0.88, 2.89]),
    ("null-log -v", "SSD|hot", [2.36, 2.28, 2.88], [1.00, 1.04, 0.82]),
    ("null-log -v -g", "USB|cold", [98.02, 87.01, 23.74], [1.00, 1.13, 4.13]),
    ("null-log -v -g", "USB|hot", [69.88, 57.14, 7.88], [1.00, 1.22, 8.87]),
    ("null-log -v -g", "SSD|cold", [8.35, 10.50, 8.16], [1.00, 0.80, 1.02]),
    ("null-log -v -g", "SSD|hot", [5.94, 5.72, 6.39], [1.00, 1.04, 0.93]),
];

const BAD_ROW: usize = 8;

/// Asserts every value of the table of 2013 and its one warning; lines are not looked at.
fn assert_2013(data: &SourceData, what: &str) {
    assert_eq!((data.runs.len(), data.measurements.len()), (48, 96), "{what}");
    assert_eq!(data.formats, ["list-table"], "{what}");
    assert!(data.is_table, "{what}");
    for (index, (run, pair)) in data.runs.iter().zip(data.measurements.chunks(2)).enumerate() {
        let (operation, row, times, ratios) = ROWS_2013[index / 3];
        let variant = ["trunk", "branch6", "branch7"][index % 3];
        assert_eq!(conditions(run, KEYS_2013), format!("{operation}|tsvn|{row}|{variant}"), "{what}");
        for (value, metric, unit, expect) in [
            (&pair[0], "time", Unit::Secs, times[index % 3]),
            (&pair[1], "ratio", Unit::Times, ratios[index % 3]),
        ] {
            assert_eq!(
                (value.run as usize, value.metric.as_str(), value.unit),
                (index, metric, unit),
                "{what}"
            );
            assert_eq!(value.value, Some(expect), "{what}: {operation} {row} {variant}");
            assert_eq!((value.process.clone(), value.value_high), (Process::Client, None), "{what}");
            assert!(value.quality.has(Quality::AS_PRINTED), "{what}");
            assert_eq!(value.quality.has(Quality::INCONSISTENT), index / 3 == BAD_ROW, "{what}");
        }
        assert_eq!(run.quality.has(Quality::INCONSISTENT), index / 3 == BAD_ROW, "{what}");
    }
    let warnings: Vec<&Problem> =
        data.problems.iter().filter(|problem| problem.severity >= Severity::Warning).collect();
    assert_eq!(warnings.len(), 1, "{what}: {warnings:?}");
    assert_eq!(warnings[0].kind, ProblemKind::Inconsistent);
    let sentence = warnings[0].sentence();
    assert!(sentence.contains("printed 1.06 and 6.11, computed 1.08 and 6.23"), "{what}: {sentence}");
    assert_eq!(data.not_understood, 0, "{what}");
}

#[test]
fn the_table_of_2013() {
    let data = read(sample("fsfs-format7-2013.txt").as_bytes());
    assert_2013(&data, "as published");
    let lines: Vec<u32> = data.runs.iter().step_by(3).map(|run| run.line).collect();
    assert_eq!(lines, [8, 9, 10, 11, 15, 16, 17, 18, 22, 23, 24, 25, 29, 30, 31, 32]);
    assert_eq!(data.measurements[0].raw, "270.5s");
    assert_eq!(data.measurements[59].raw, "12.40");
    assert_eq!(data.runs[0].content.get(Key::Command), Some("svnadmin verify -M 4000 -q $repo"));
    assert_eq!(data.problems[0].place(), "mail.txt:22:45");
    let builds = [Key::Variant, Key::Build, Key::Format];
    assert_eq!(conditions(&data.runs[0], &builds), "trunk|r1446787|6");
    assert_eq!(conditions(&data.runs[4], &builds), "branch6|fsfs-format7 r1446862|6");
    assert_eq!(conditions(&data.runs[8], &builds), "branch7|fsfs-format7 r1446862|7");
    let text = sample("fsfs-format7-2013.txt");
    for value in &data.measurements {
        let line = text.get(value.offset as usize..).and_then(|rest| rest.lines().next());
        assert!(line.is_some_and(|line| line.contains(&value.raw)), "{value:?}");
    }
}

#[test]
fn printed_ratios_are_reproduced() {
    let data = read(sample("fsfs-format7-2013.txt").as_bytes());
    let mut same = 0;
    for row in data.measurements.chunks(6) {
        let time = |index: usize| row[2 * index].value.expect("a time");
        for variant in 0..3 {
            let text = format!("{:.2}", time(0) / time(variant));
            same += usize::from(text == row[2 * variant + 1].raw);
        }
    }
    assert_eq!(same, 46);
}

#[test]
fn the_table_of_2013_in_every_form() {
    let text = sample("fsfs-format7-2013.txt");
    let bare: String =
        text.lines().map(|line| format!("{}\n", line.trim_start_matches(['>', ' ']))).collect();
    let doubled: String = text
        .lines()
        .map(|line| if line.starts_with('>') { format!("> {line}\n") } else { format!("{line}\n") })
        .collect();
    let all_deeper: String = text.lines().map(|line| format!(">> {line}\n")).collect();
    let crlf = text.replace('\n', "\r\n");
    let umlaut = text.replace("Figures", "Zahlen f\u{fc}r M\u{e4}rz");
    let latin1: Vec<u8> = umlaut.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    let utf16 = |big: bool| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(crlf.encode_utf16());
        units.flat_map(|unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(text.as_bytes());
    for (what, bytes) in [
        ("without marks", bare.clone().into_bytes()),
        ("doubled marks", doubled.into_bytes()),
        ("deeper", all_deeper.into_bytes()),
        ("CRLF", crlf.clone().into_bytes()),
        ("CR", text.replace('\n', "\r").into_bytes()),
        ("Latin-1", latin1),
        ("UTF-16 LE", utf16(false)),
        ("UTF-16 BE", utf16(true)),
        ("UTF-16 without mark", utf16(false)[2..].to_vec()),
        ("UTF-8 with mark", marked),
        ("one line", flattened(&text).into_bytes()),
        ("one line without marks", flattened(&bare).into_bytes()),
        ("padded", text.replace(" = ", "   =  ").replace(" / ", "  /  ").into_bytes()),
        ("narrow", bare.replace(" : ", ":").into_bytes()),
    ] {
        assert_2013(&read(&bytes), what);
    }
}

const KEYS_2010: &[Key] = &[Key::Operation, Key::Variant, Key::Cache, Key::Repository];

const NAMES_2010: [&str; 4] = ["tsvn", "tsvn_packed", "apache.org", "kde.org"];

const TIMES_2010: &[(&str, &str, &str, [f64; 4])] = &[
    ("old server", "cold", "real", [10.242, 9.774, 7.473, 1204.354]),
    ("old server", "cold", "user", [2.280, 2.372, 1.104, 159.870]),
    ("old server", "cold", "sys", [0.428, 0.424, 0.236, 35.590]),
    ("old server", "hot", "real", [5.494, 4.907, 3.045, 664.798]),
    ("old server", "hot", "user", [2.416, 2.484, 1.136, 165.506]),
    ("old server", "hot", "sys", [0.352, 0.328, 0.216, 37.718]),
    ("new server + patches, wire-compression off", "cold", "real", [6.453, 5.817, 6.119, 802.418]),
    ("new server + patches, wire-compression off", "cold", "user", [1.572, 1.680, 0.784, 102.710]),
    ("new server + patches, wire-compression off", "cold", "sys", [0.544, 0.572, 0.252, 40.351]),
    ("new server + patches, wire-compression off", "hot", "real", [2.520, 2.092, 1.792, 345.944]),
    ("new server + patches, wire-compression off", "hot", "user", [1.360, 1.228, 0.796, 98.662]),
    ("new server + patches, wire-compression off", "hot", "sys", [0.400, 0.392, 0.224, 36.386]),
];

const FACTS_2010: &[(&str, &str, [f64; 4])] = &[
    ("client repo_size", "B", [5_690_831_667.2, 5_153_960_755.2, 32_641_751_449.6, 62_706_522_521.6]),
    ("client revisions", "1", [18_937.0, 18_937.0, 943_322.0, 1_125_690.0]),
    ("client export_items", "1", [3_840.0, 3_840.0, 1_941.0, 399_419.0]),
    ("client export_size", "B", [84_934_656.0, 84_934_656.0, 39_845_888.0, 9_019_431_321.6]),
    ("svnserve cache_usage", "B", [101_711_872.0, 111_149_056.0, 63_963_136.0, 10_737_418_240.0]),
];

const LOADS_2010: &[&str] = &[
    "export|-|cold|kde.org|svnserve cpu=70..100% \"~70 .. 100%\"",
    "export|-|cold|kde.org|client cpu=20..40% \"~20 .. 40%\"",
    "export|-|cold|kde.org|system cpu=10..20% \"~10 .. 20%\"",
    "export|-|hot|kde.org|svnserve cpu=100% \"~100%\"",
    "export|-|hot|kde.org|client cpu=20..70% \"~20 .. 70%\"",
    "export|-|hot|kde.org|system cpu=15..30% \"~15 .. 30%\"",
];

fn assert_2010(data: &SourceData, what: &str) {
    let facts = facts(data, KEYS_2010);
    let without_raw: Vec<&str> = facts.iter().map(|fact| fact.split(" \"").next().unwrap_or("")).collect();
    let mut expect = Vec::new();
    for (variant, cache, metric, values) in TIMES_2010 {
        for (name, value) in NAMES_2010.iter().zip(values) {
            expect.push(format!("export|{variant}|{cache}|{name}|client {metric}={value}s"));
        }
    }
    for (metric, unit, values) in FACTS_2010 {
        for (name, value) in NAMES_2010.iter().zip(values) {
            expect.push(format!("-|-|-|{name}|{metric}={value}{unit}"));
        }
    }
    for fact in &expect {
        assert_eq!(
            without_raw.iter().filter(|found| *found == fact).count(),
            1,
            "{what}: {fact}\n{facts:#?}"
        );
    }
    let loads: Vec<&String> = facts.iter().filter(|fact| fact.contains(" cpu=")).collect();
    assert_eq!(loads, LOADS_2010, "{what}");
    assert_eq!(facts.len(), 48 + 16 + 4 + 6, "{what}");
    assert_eq!(data.runs.len(), 16 + 4 + 4 + 2, "{what}");
    assert_eq!((data.problems.as_slice(), data.not_understood), (&[] as &[Problem], 0), "{what}");
}

#[test]
fn the_tables_of_2010_in_both_layouts() {
    let text = sample("svnserve-export-2010.txt");
    let data = read(text.as_bytes());
    assert_2010(&data, "lines");
    let flat = read(sample("svnserve-export-2010-flat.txt").as_bytes());
    assert_2010(&flat, "one line");
    let plain = |data: &SourceData| facts(data, &Key::ALL);
    assert_eq!(plain(&data), plain(&flat));
    assert_2010(&read(flattened(&text).as_bytes()), "flattened here");
    let quoted: String = text.lines().map(|line| format!("> {line}\r\n")).collect();
    assert_2010(&read(quoted.as_bytes()), "quoted, CRLF");
    let run = data.runs.iter().find(|run| run.content.get(Key::Cache) == Some("hot")).expect("a second run");
    assert_eq!(run.settings["cache_as_printed"], "2nd run");
    assert_eq!(
        run.settings["server_command"],
        "~/subversion-1.6.9/subversion/svnserve/svnserve -d -T -r /mnt/archive/svnroot/"
    );
    assert_eq!(
        run.content.get(Key::Command),
        Some("svn-1.6.9 export --ignore-externals -q svn://localhost/$TOEXPORT /dev/shm/t")
    );
    assert_eq!(run.content.get(Key::Build), Some("1.6.9"));
    assert_eq!(run.line, 21);
}

#[test]
fn the_prose_of_2003() {
    let text = sample("dav-connection-cache-2003.txt");
    for (what, text) in [("lines", text.clone()), ("one line", flattened(&text))] {
        let data = read(text.as_bytes());
        let keys = [Key::Network, Key::Variant, Key::Build, Key::Operation, Key::Command];
        assert_eq!(
            facts(&data, &keys),
            [
                "local|Unpatched|0.24.2|commit|svn commit|client time=1893s \"31 minutes 33 seconds\"",
                "local|Unpatched|0.24.2|checkout|svn co|client time=579s \"9 minutes 39 seconds\"",
                "local|Patched|0.24.2|commit|svn commit|client time=736s \"12 minutes 16 seconds\"",
                "local|Patched|0.24.2|checkout|svn co|client time=226s \"3 minutes 46 seconds\"",
                "LAN|Unpatched|0.24.2|commit|svn commit|client time=924s \"15 minutes 24 seconds\"",
                "LAN|Unpatched|0.24.2|checkout|svn co|client time=284s \"4 minutes 44 seconds\"",
                "LAN|Patched|0.24.2|commit|svn commit|client time=616s \"10 minutes 16 seconds\"",
                "LAN|Patched|0.24.2|checkout|svn co|client time=213s \"3 minutes 33 seconds\"",
            ],
            "{what}"
        );
        assert_eq!((data.runs.len(), data.problems.len(), data.is_table), (8, 0, true), "{what}");
    }
}

#[test]
fn the_scaling_of_2008() {
    let text = sample("threaded-scan-2008.txt");
    for (what, text) in [("lines", text.clone()), ("one line", flattened(&text))] {
        let data = read(text.as_bytes());
        let mut found = facts(&data, &[Key::Operation, Key::Medium, Key::Threads]);
        found.sort_unstable();
        assert_eq!(
            found,
            [
                "scan|RAID5 Disks|10|client speedup=2x \"2.00x\" n=2",
                "scan|RAID5 Disks|10|client time=32s \"0m 32s\"",
                "scan|RAID5 Disks|1|client speedup=1.45x \"1.45x\" n=2",
                "scan|RAID5 Disks|1|client time=44s \"0m 44s\"",
                "scan|RAID5 Disks|2|client speedup=1.82x \"1.82x\" n=1",
                "scan|RAID5 Disks|5|client speedup=1.91x \"1.91x\" n=1",
                "scan|Single Disk|10|client speedup=0.65x \"0.65x\" n=3",
                "scan|Single Disk|10|client time=98s \"1m38s\"",
                "scan|Single Disk|1|client speedup=1x \"1.0x\" n=3",
                "scan|Single Disk|1|client time=64s \"1m 04s\"",
                "scan|Single Disk|2|client speedup=0.79x \"0.79x\" n=3",
                "scan|Single Disk|2|client time=82s \"1m22s\"",
                "scan|Single Disk|5|client speedup=0.68x \"0.68x\" n=3",
                "scan|Single Disk|5|client time=94s \"1m34s\"",
            ],
            "{what}"
        );
        assert_eq!((data.runs.len(), data.problems.len()), (8, 0), "{what}");
        assert!(data.runs.iter().all(|run| run.content.get(Key::Cache) == Some("cold")), "{what}");
    }
}

/// What a short text gives: the values as facts, and the problems as `line:column message`.
fn check(text: &str, values: &[&str], problems: &[&str]) {
    let data = read(text.as_bytes());
    assert_eq!(facts(&data, &[Key::Operation, Key::Medium, Key::Cache, Key::Variant]), values, "{text}");
    let told = |problem: &Problem| {
        let place = problem.place();
        format!("{} {}", place.trim_start_matches("mail.txt:"), problem.sentence())
    };
    let warnings = data.problems.iter().filter(|problem| problem.severity >= Severity::Warning);
    assert_eq!(warnings.map(told).collect::<Vec<_>>(), problems, "{text}");
}

#[test]
fn a_row_within_other_text_is_found() {
    check(
        "Hello,\n\nI tried it:\n$ time svnadmin verify -q r\nold / new\nSSD hot 2.0s / 1.0s = 1.00 : 2.00\nWhat do you think?\n",
        &[
            "verify|SSD|hot|old|client time=2s \"2.0s\"",
            "verify|SSD|hot|old|client ratio=1x \"1.00\"",
            "verify|SSD|hot|new|client time=1s \"1.0s\"",
            "verify|SSD|hot|new|client ratio=2x \"2.00\"",
        ],
        &[],
    );
}

#[test]
fn blanks_around_marks_may_be_missing() {
    check(
        "medium old/new\nSSD hot 2.0s/1.0s=1.00:2.00 <- twice as fast\n",
        &[
            "-|SSD|hot|old|client time=2s \"2.0s\"",
            "-|SSD|hot|old|client ratio=1x \"1.00\"",
            "-|SSD|hot|new|client time=1s \"1.0s\"",
            "-|SSD|hot|new|client ratio=2x \"2.00\"",
        ],
        &[],
    );
}

#[test]
fn our_own_notation_reads_back() {
    check(
        "trunk / b6\nSSD cold  3m 1.455s / 2m 0.5s = 1.00 : 1.51 (n = 5, 4)\n",
        &[
            "-|SSD|cold|trunk|client time=181.455s \"3m 1.455s\" n=5",
            "-|SSD|cold|trunk|client ratio=1x \"1.00\"",
            "-|SSD|cold|b6|client time=120.5s \"2m 0.5s\" n=4",
            "-|SSD|cold|b6|client ratio=1.51x \"1.51\"",
        ],
        &[],
    );
}

#[test]
fn nothing_is_guessed() {
    for text in [
        "37% apr_file_rename / MoveFileExW\n",
        "a / b\nUSB cold 270.5 / 246.3 = 1.00 : 1.10\n",
        "/usr/bin/x = 3:4\n",
        "url=http://host/path?a=1:2 took 3s\n",
        "1.0 / 2.0 = 0.5\n",
        "real 0m1s 0m2s\n",
        "criterion of success\nnothing\n",
        "the 2nd run failed\n",
        "Unpatched 0.24.2 svn commit - soon\n",
        "with 4 threads: 3s\n",
        "~70 .. 100% CPU load (svnserve)\n",
    ] {
        let data = read(text.as_bytes());
        assert_eq!((data.runs.len(), data.measurements.len(), data.is_table), (0, 0, false), "{text}");
    }
}

#[test]
fn damaged_rows_keep_what_can_be_read() {
    check(
        "m a / b / c\nhot 3.0s / 2x0s / 1.0s = 1.00 : 1.50 : 3.00\n",
        &[
            "-|-|hot|m a|client time=3s \"3.0s\"",
            "-|-|hot|m a|client ratio=1x \"1.00\"",
            "-|-|hot|b|client time=?s \"2x0s\"",
            "-|-|hot|b|client ratio=1.5x \"1.50\"",
            "-|-|hot|c|client time=1s \"1.0s\"",
            "-|-|hot|c|client ratio=3x \"3.00\"",
        ],
        &["2:12 unreadable duration, found \"2x0s\", expected a duration with a unit such as 0m1.234s"],
    );
    check(
        "medium a / b / c\n\nUSB hot 3.0s / 2.0s = 1.00 : 1.50\n",
        &[
            "-|USB|hot|a|client time=3s \"3.0s\"",
            "-|USB|hot|a|client ratio=1x \"1.00\"",
            "-|USB|hot|b|client time=2s \"2.0s\"",
            "-|USB|hot|b|client ratio=1.5x \"1.50\"",
        ],
        &["3:16 the row has not one time for each variant, found \"2.0s\", expected times for a / b / c"],
    );
    check(
        "1st run a b\nreal 0m1.0s 0m2.0s 0m3.0s\nuser 0m1.5s oops\n",
        &[
            "-|-|cold|-|client real=1s \"0m1.0s\"",
            "-|-|cold|-|client real=2s \"0m2.0s\"",
            "-|-|cold|-|client user=1.5s \"0m1.5s\"",
            "-|-|cold|-|client user=?s \"oops\"",
        ],
        &[
            "2:20 the row has not one value for each column, found \"0m3.0s\", expected 2 values",
            "3:13 unreadable duration, found \"oops\", expected a duration with a unit such as 0m1.234s",
        ],
    );
    check(
        "> a / b\n> hot 3.0s / - = 1.00 : -\n",
        &[
            "-|-|hot|a|client time=3s \"3.0s\"",
            "-|-|hot|a|client ratio=1x \"1.00\"",
            "-|-|hot|b|client time=?s \"-\"",
            "-|-|hot|b|client ratio=?x \"-\"",
        ],
        &[],
    );
}

#[test]
fn a_reply_between_quoted_rows_has_its_own_names() {
    check(
        "> a / b\n> hot 2s / 1s = 1.0 : 2.0\nx / y\nhot 4s / 1s = 1.0 : 4.0\n> cold 9s / 3s = 1.0 : 3.0\n",
        &[
            "-|-|hot|a|client time=2s \"2s\"",
            "-|-|hot|a|client ratio=1x \"1.0\"",
            "-|-|hot|b|client time=1s \"1s\"",
            "-|-|hot|b|client ratio=2x \"2.0\"",
            "-|-|hot|x|client time=4s \"4s\"",
            "-|-|hot|x|client ratio=1x \"1.0\"",
            "-|-|hot|y|client time=1s \"1s\"",
            "-|-|hot|y|client ratio=4x \"4.0\"",
            "-|-|cold|a|client time=9s \"9s\"",
            "-|-|cold|a|client ratio=1x \"1.0\"",
            "-|-|cold|b|client time=3s \"3s\"",
            "-|-|cold|b|client ratio=3x \"3.0\"",
        ],
        &[],
    );
}

#[test]
fn a_row_without_units_is_not_passed_over() {
    let rows = "a / b\nhot 2s / 1s = 1.0 : 2.0\n";
    for (line, told) in [
        ("cold 12.3 / 11.2 = 1.0 : 1.1\n", 1),
        ("12 / 11 = 1.1\n", 1),
        ("cold 12.3 / 11.2 / 9 = 1.0 : 1.1 : 1.2\n", 0),
        ("see a/b = c\n", 0),
        ("that is 3 / 4 = three quarters\n", 0),
    ] {
        let data = read(format!("{rows}{line}").as_bytes());
        let warnings = data.problems.iter().filter(|one| one.message == "a row without units");
        assert_eq!((data.measurements.len(), warnings.count()), (4, told), "{line}");
        assert_eq!(data.not_understood, told as u64, "{line}");
    }
    assert_eq!(read(b"12 / 11 = 1.0 : 1.1\n").not_understood, 0, "no table stands above");
}

#[test]
fn a_quoted_table_counts_once() {
    let table = "$ time svnadmin verify -q r\nold / new\nSSD hot 2.0s / 1.0s = 1.00 : 2.00\n";
    let quoted = table
        .replace("SSD hot 2.0s", "SSD hot  2.0s")
        .lines()
        .fold(String::new(), |text, line| text + "> " + line + "\n");
    for (text, values, notes) in [
        (format!("{table}\nA wrote:\n{quoted}"), 4, 1),
        (format!("A wrote:\n{quoted}\nWell.\n\nB wrote:\n{quoted}"), 4, 1),
        (format!("{table}\nand again\n{table}"), 8, 0),
        (format!("{table}{}", quoted.replace("1.0s = 1.00 : 2.00", "0.5s = 1.00 : 4.00")), 8, 0),
        (format!("{table}{}", quoted.replace("verify", "dump")), 8, 0),
    ] {
        let data = read(text.as_bytes());
        let told = data.problems.iter().filter(|one| one.message == "a quotation of line 3, counted once");
        let told =
            told.count() + data.problems.iter().filter(|one| one.message.contains("of line 4,")).count();
        assert_eq!((data.measurements.len(), told), (values, notes), "{text}");
    }
}

#[test]
fn a_long_text_with_rows_takes_linear_time() {
    let prose = "and so on, with a/b = c and words without end\n".repeat(20_000);
    let text = format!("{prose}a / b\nhot 2s / 1s = 1.0 : 2.0\n{prose}");
    let data = read(text.as_bytes());
    assert_eq!((data.measurements.len(), data.runs[0].line), (4, 20_002));
}

#[test]
fn a_transcript_below_a_table_has_a_command_of_its_own() {
    let table = "a / b\n$ time svnadmin verify -q r\na / b\nhot 2s / 1s = 1.0 : 2.0\n";
    let block = "\nreal\t0m1.000s\nuser\t0m0.500s\nsys\t0m0.250s\n";
    let data = read(format!("{table}{block}").as_bytes());
    assert_eq!(data.formats, ["list-table", "shell-time"]);
    let operations: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Operation)).collect();
    assert_eq!(operations, [Some("verify"), Some("verify"), None]);
    let data = read(format!("{table}\n$ time svn co URL\n{block}{table}").as_bytes());
    let operations: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Operation)).collect();
    assert_eq!(
        operations,
        [Some("verify"), Some("verify"), Some("checkout"), Some("verify"), Some("verify")]
    );
}

proptest::proptest! {
    #[test]
    fn any_words_are_read_or_left(words in proptest::collection::vec(proptest::sample::select(WORDS), 0..60)) {
        let text = words.concat();
        let data = read(text.as_bytes());
        for value in &data.measurements {
            proptest::prop_assert!((value.run as usize) < data.runs.len());
            proptest::prop_assert!(text.contains(&value.raw), "{:?}", value.raw);
        }
        proptest::prop_assert_eq!(data.is_table, data.formats.contains(&"list-table"));
    }
}

/// Words of all the grammars, and what parts them.
const WORDS: &[&str] = &[
    "USB ",
    "cold ",
    "hot ",
    "270.5s ",
    "3m 1.455s ",
    "12 ",
    "/ ",
    "/ ",
    "= ",
    "1.00 ",
    ": ",
    ":2.5 ",
    "trunk ",
    "medium ",
    "> ",
    "\n",
    "\n",
    "\n> ",
    "\r",
    "1st run ",
    "criterion ",
    "revisions ",
    "18,937 ",
    "5.3G ",
    "real ",
    "0m1.0s ",
    "~70 .. ",
    "100% ",
    "CPU load ",
    "(svn) ",
    "CPU load during 1st ",
    "----\n",
    "$ time svn co URL ",
    "0.24.2 svn co - ",
    "31 minutes 33 seconds ",
    "Single Disk, ",
    "2 threads ",
    "0.79x ",
    "(3 samples) ",
    "with 2 and 5 threads: ",
    "1m22s , ",
    "\u{e4}\u{b5} ",
    "%",
    "- ",
    "1. ",
    "Export using the x ",
    "trunk is r5 on format 6, ",
];
