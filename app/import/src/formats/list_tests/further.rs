//! The further notations of the lists: shares, before and after, mercurial's figures, and what is none.

use super::{facts, flattened, read, sample};
use triptych_model::{Key, ProblemKind, Severity};

const KEYS: &[Key] = &[Key::Operation, Key::Cache, Key::Variant];

/// What a text gives: the values as facts, and the warnings with their places.
fn check(text: &str, values: &[&str], warnings: &[&str]) {
    let data = read(text.as_bytes());
    assert_eq!(facts(&data, KEYS), values, "{text}");
    let told = data.problems.iter().filter(|problem| problem.severity >= Severity::Warning);
    let told: Vec<String> = told
        .map(|one| format!("{} {}", one.place().trim_start_matches("mail.txt:"), one.sentence()))
        .collect();
    assert_eq!(told, warnings, "{text}");
}

/// In the notation of 2011.
const SHARES_2011: &str = "svnadmin verify -q
trunk                3m29.400s (100%)
trunk+diff -M1000    3m23.496s ( 97%)
trunk+diff           3m 1.455s ( 87%)

svn log -q (hot) (accuracy +/- 2ms)
trunk                    66ms (100%)
trunk+diff               63ms ( 95%)

svnadmin dump -q $repo (cold)
trunk                4m 0.500s (100%)
trunk+diff           2m 0.250s ( 50%)
";

const SHARES: &[&str] = &[
    "verify|-|trunk|client time=209.4s \"3m29.400s\"",
    "verify|-|trunk|client relative=100% \"100%\"",
    "verify|-|trunk+diff -M1000|client time=203.496s \"3m23.496s\"",
    "verify|-|trunk+diff -M1000|client relative=97% \"97%\"",
    "verify|-|trunk+diff|client time=181.455s \"3m 1.455s\"",
    "verify|-|trunk+diff|client relative=87% \"87%\"",
    "log|hot|trunk|client time=0.066s \"66ms\"",
    "log|hot|trunk|client relative=100% \"100%\"",
    "log|hot|trunk+diff|client time=0.063s \"63ms\"",
    "log|hot|trunk+diff|client relative=95% \"95%\"",
    "dump|cold|trunk|client time=240.5s \"4m 0.500s\"",
    "dump|cold|trunk|client relative=100% \"100%\"",
    "dump|cold|trunk+diff|client time=120.25s \"2m 0.250s\"",
    "dump|cold|trunk+diff|client relative=50% \"50%\"",
];

#[test]
fn shares_of_a_row_of_100_percent() {
    let text = SHARES_2011.to_owned();
    let quoted: String = text.lines().map(|line| format!("> {line}\r\n")).collect();
    let flat = flattened(&text);
    assert!(flat.len() > 200, "only long lines are taken apart");
    for (what, text) in [("lines", text.clone()), ("quoted", quoted), ("one line", flat)] {
        let data = read(text.as_bytes());
        assert_eq!(facts(&data, KEYS), SHARES, "{what}");
        assert_eq!((data.problems.len(), data.not_understood, data.is_table), (0, 0, true), "{what}");
        let log = data.runs.get(4).expect("a run");
        assert_eq!(log.settings["accuracy"], "+/- 2ms", "{what}");
        assert_eq!(log.content.get(Key::Command), Some("svn log -q"), "{what}");
        for value in &data.measurements {
            let line = text.get(value.offset as usize..).and_then(|rest| rest.lines().next());
            assert!(line.is_some_and(|line| line.contains(&value.raw)), "{what}: {value:?}");
        }
    }
}

#[test]
fn the_whole_may_stand_anywhere_in_its_table() {
    check(
        "svnadmin verify -q (cold)\nb6  2.0s ( 50%)\n\ntrunk  4.0s (100%)\n",
        &[
            "verify|cold|b6|client time=2s \"2.0s\"",
            "verify|cold|b6|client relative=50% \"50%\"",
            "verify|cold|trunk|client time=4s \"4.0s\"",
            "verify|cold|trunk|client relative=100% \"100%\"",
        ],
        &[],
    );
}

#[test]
fn a_share_that_contradicts_its_figures_is_said() {
    check(
        "trunk  4.00s (100%)\nb6  2.00s ( 60%)\n",
        &[
            "-|-|trunk|client time=4s \"4.00s\"",
            "-|-|trunk|client relative=100% \"100%\"",
            "-|-|b6|client time=2s \"2.00s\"",
            "-|-|b6|client relative=60% \"60%\"",
        ],
        &["2:13 the share does not follow from the figures: printed 60%, computed 50%"],
    );
    let data = read(b"trunk  4.00s (100%)\nb6  2.00s ( 60%)\n");
    assert_eq!(data.problems[0].kind, ProblemKind::Inconsistent);
}

#[test]
fn sizes_with_shares() {
    check(
        "text alone: 6943228 (100%)\nsvndiff alone: 3471614 (50%)\n",
        &[
            "-|-|text alone|client size=6943228 1 \"6943228\"",
            "-|-|text alone|client relative=100% \"100%\"",
            "-|-|svndiff alone|client size=3471614 1 \"3471614\"",
            "-|-|svndiff alone|client relative=50% \"50%\"",
        ]
        .map(|fact| fact.replace(" 1 \"", "1 \""))
        .each_ref()
        .map(String::as_str),
        &[],
    );
    let data = read(b"Bytes on disk:\n\ntext alone: 6943228 (100%)\nsvndiff alone: 3471614 (50%)\n");
    assert!(data.measurements.iter().step_by(2).all(|row| row.unit == triptych_model::Unit::Bytes));
}

#[test]
fn before_and_after_an_arrow() {
    let expect = [
        "-|-|before|client time=3.861s \"3.861 s\"",
        "-|-|after|client time=2.812s \"2.812 s\"",
        "-|-|before|client read_io=57322000B \"57322 KB\"",
        "-|-|after|client read_io=316000B \"316 KB\"",
    ];
    let text = sample("before-after-2021.txt");
    check(&text, &expect, &[]);
    check(&text.replace('\u{2192}', "->"), &expect, &[]);
    let data = read(text.as_bytes());
    assert_eq!((data.runs.len(), data.not_understood), (2, 0), "rows below each other are of the same runs");
    check(
        "$ svn up\nUser time: 3.5 s -> 2m 1s (slower)\nUser time: 1s -> 2s\n",
        &[
            "update|-|before|client user=3.5s \"3.5 s\"",
            "update|-|after|client user=121s \"2m 1s\"",
            "update|-|before|client user=1s \"1s\"",
            "update|-|after|client user=2s \"2s\"",
        ],
        &[],
    );
    check(
        "Total time:  3.861 s  \u{2192}  2x812 s\n",
        &["-|-|before|client time=3.861s \"3.861 s\"", "-|-|after|client time=?s \"2x812 s\""],
        &["1:26 unreadable figure, found \"2x812 s\", expected a duration or a size with its unit"],
    );
}

#[test]
fn figures_of_mercurial() {
    let text = "$ hg perfmoonwalk\nbefore:\n\
                ! wall 0.767042 comb 0.760000 user 0.750000 sys 0.010000 (median of 10)\nafter:\n\
                ! wall 0.500391 comb 0.500000 user 0.500000 sys 0.000000 (median of 10)\n";
    let data = read(text.as_bytes());
    assert_eq!(
        facts(&data, &[Key::Command, Key::Variant]),
        [
            "hg perfmoonwalk|before|client real_median=0.767042s \"0.767042\" n=10",
            "hg perfmoonwalk|before|client cpu_time_median=0.76s \"0.760000\" n=10",
            "hg perfmoonwalk|before|client user_median=0.75s \"0.750000\" n=10",
            "hg perfmoonwalk|before|client sys_median=0.01s \"0.010000\" n=10",
            "hg perfmoonwalk|after|client real_median=0.500391s \"0.500391\" n=10",
            "hg perfmoonwalk|after|client cpu_time_median=0.5s \"0.500000\" n=10",
            "hg perfmoonwalk|after|client user_median=0.5s \"0.500000\" n=10",
            "hg perfmoonwalk|after|client sys_median=0s \"0.000000\" n=10",
        ]
    );
    check(
        "before: ! wall 1.5 comb 1.4 user 1x4 sys 0.0 (best of 3)\nAfter: ! wall 1.0\n",
        &[
            "-|-|before|client real_min=1.5s \"1.5\" n=3",
            "-|-|before|client cpu_time_min=1.4s \"1.4\" n=3",
            "-|-|before|client user_min=?s \"1x4\" n=3",
            "-|-|before|client sys_min=0s \"0.0\" n=3",
            "-|-|after|client real=1s \"1.0\"",
        ],
        &["1:34 unreadable figure, found \"1x4\", expected seconds such as 0.767042"],
    );
}

#[test]
fn nothing_is_invented() {
    for text in [
        "37% apr_file_rename / MoveFileExW\n12% other / thing\n",
        "takes > 30 minutes\n",
        "a factor of 2 slower\n",
        "approx 3x and 8x as high\n",
        "~2 extra CPU cores per saturated 10Gb network\n",
        "speeds up a \"cold\" export by approx. 10%\n",
        "about 14 minutes compared to about 5 minutes\n",
        "~3:20 on Win7 vs. ~0:13 on Linux\n",
        "brought it down to 2:40\n",
        "> > > > about 100x slower than CVS\n",
        "It took 3m (50%)\n",
        "It took 3m (100%)\n",
        "a 3m (50%)\nb 2m (40%)\n",
        "37% a (100%)\n12% b (50%)\n",
        "step: 1 -> 2\n",
        "r1 -> r2: 3s\n",
        "node->next: 3s\n",
        "see: this -> that\n",
        "time: 3 s -> some day\n",
        "read: 3 s -> 4 KB\n",
        "! wall\n",
        "a great ! wall of text\n",
        "before:\nafter:\n",
    ] {
        let data = read(text.as_bytes());
        assert_eq!((data.runs.len(), data.measurements.len(), data.is_table), (0, 0, false), "{text}");
        assert!(data.skipped.is_some(), "{text}");
    }
}

#[test]
fn ratios_lie_in_the_span_of_half_a_unit() {
    for (row, fits) in [
        ("64s / 82s = 1.00 : 0.79", true),
        ("64s / 82s = 1.00 : 0.80", false),
        ("54.36s / 50.17s = 1.00 : 1.06", false),
        ("53.36s / 50.17s = 1.00 : 1.06", true),
        ("5s / 4s / 3s / 2s / 1s = 1.0 : 1.2 : 1.7 : 2.5 : 5.0", true),
    ] {
        let names = ["a", "b", "c", "d", "e"];
        let header = names[..row.matches(" / ").count() + 1].join(" / ");
        let data = read(format!("{header}\n{row}\n").as_bytes());
        assert_eq!(data.warnings(), usize::from(!fits), "{row}: {:?}", data.problems);
        assert_eq!(data.runs.len(), names[..row.matches(" / ").count() + 1].len(), "{row}");
    }
}

#[test]
fn a_quoted_table_of_shares_counts_once() {
    let table = "svn log -q\ntrunk  4.0s (100%)\nb6  2.0s ( 50%)\n";
    let quoted: String = table.lines().map(|line| format!("> {line}\n")).collect();
    let data = read(format!("{table}\nA wrote:\n{quoted}").as_bytes());
    assert_eq!(data.measurements.len(), 4, "{:?}", facts(&data, KEYS));
    assert_eq!(data.problems.len(), 2, "{:?}", data.problems);
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
    }
}

const WORDS: &[&str] = &[
    "trunk ",
    "b6  ",
    "3m 1.455s ",
    "3.5s",
    "12 KB ",
    " ( 97%)",
    "(100%)",
    "%) ",
    "( ",
    "\n",
    "\n",
    "\n> ",
    ": ",
    " -> ",
    " \u{2192} ",
    "Total time: ",
    "! wall 0.5 ",
    "comb 1x ",
    "user ",
    "(median of 3)",
    "before:",
    "after:\n",
    "svnadmin verify -q ",
    "(cold) ",
    "(accuracy +/- 2ms) ",
    "3471614 ",
    "some words of prose that fill a line, ",
];
