//! The exporters on genuine figures: numbers of the logs' own summary, notation of the lists.

mod common;

use triptych_report::{EXPORTERS, Export, Verdict, json_value, notation, table_text, verdict_sentence};

#[test]
fn medians_and_ratios_of_the_repeated_experiment() {
    let rows: Vec<(String, String)> =
        common::format7().rows.iter().map(|row| (triptych_report::row_title(row), notation(row))).collect();
    let expect = [
        ("verify, cold", "7.31s / 7.02s / 7.15s = 1.00 : 1.04 : 1.02"),
        ("verify, hot", "7.09s / 7.18s / 6.55s = 1.00 : 0.99 : 1.08"),
        ("null-export, cold", "1.59s / 1.53s / 1.97s = 1.00 : 1.04 : 0.81"),
        ("null-export, hot", "1.25s / 1.29s / 1.74s = 1.00 : 0.97 : 0.72"),
        ("null-log -v, cold", "5.67s / 5.69s / 12.54s = 1.00 : 1.00 : 0.45"),
        ("null-log -v, hot", "5.04s / 5.13s / 12.84s = 1.00 : 0.98 : 0.39"),
        ("null-log -v -g, cold", "8.72s / 9.26s / 33.44s = 1.00 : 0.94 : 0.26"),
        ("null-log -v -g, hot", "7.96s / 8.76s / 33.46s = 1.00 : 0.91 : 0.24"),
    ];
    let got: Vec<(&str, &str)> = rows.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(got, expect);
}

#[test]
fn verdicts_of_the_repeated_experiment() {
    let comparison = common::format7();
    let verdicts: Vec<Option<Verdict>> =
        comparison.rows.iter().map(|row| row.side("branch7").and_then(|(_, _, side)| side.verdict)).collect();
    use Verdict::{Faster, NotShown, Slower};
    let expect = [NotShown, Faster, NotShown, Slower, Slower, Slower, Slower, Slower];
    assert_eq!(verdicts, expect.map(Some));
    let hot = &comparison.rows[5];
    assert_eq!(
        verdict_sentence(&comparison, hot, 2),
        "branch7 takes 2.55 times as long as trunk. The 95\u{202f}% interval of the ratio, 0.37 to 0.42, lies below 1 \
         and the ratio beyond the threshold of 2\u{202f}%. With fewer than 6 runs this is an indication."
    );
    let verify = verdict_sentence(&comparison, &comparison.rows[1], 2);
    assert!(
        verify.starts_with("branch7 is 1.08 times as fast as trunk.") && verify.ends_with(": not shown."),
        "{verify}"
    );
}

/// Values of which part is missing, and those of debug builds, have their figures and no verdict.
#[test]
fn no_verdict_rests_on_doubtful_values() {
    use triptych_model::Quality;
    let cases = [
        (Quality::INCOMPLETE, "Part of the record is missing: this carries no verdict."),
        (Quality::DEBUG_BUILD, "Runs of a debug build carry no verdict."),
    ];
    for (quality, why) in cases {
        for (doubtful, left) in [(2, [false, true, false]), (0, [false; 3])] {
            let mut groups = common::format7_groups();
            for value in &mut groups[5].cells[doubtful].values {
                value.quality = value.quality.with(quality);
            }
            let comparison =
                triptych_report::from_groups(groups, &common::query("trunk"), &common::colours());
            let is_so =
                |row: &&triptych_report::Row| row.group.cells[doubtful].values[0].quality.has(quality);
            let row = comparison.rows.iter().find(is_so).expect("the row of group 5");
            let verdicts: Vec<bool> = row.sides.iter().map(|side| side.verdict.is_some()).collect();
            let corrected: Vec<bool> =
                row.sides.iter().map(|side| side.corrected_verdict.is_some()).collect();
            assert_eq!((verdicts.as_slice(), corrected.as_slice()), (&left[..], &left[..]), "{why}");
            assert!(row.sides[2].ratio.is_some(), "the figure itself is shown");
            let sentence = verdict_sentence(&comparison, row, 2);
            assert!(sentence.ends_with(why), "{sentence}");
        }
    }
}

#[test]
fn printed_tables_keep_their_text_and_claim_nothing() {
    let comparison = common::published();
    let text = table_text(&comparison);
    for line in [
        "$ time svnbench verify -q",
        "medium    trunk / branch6 / branch7",
        "USB cold  270.5s / 246.3s / 104.4s = 1.00 : 1.10 : 2.59",
        "SSD cold  66.1s / 62.0s / 59.4s = 1.00 : 1.07 : 1.11",
        "USB hot   43.64s / 36.46s / 3.52s = 1.00 : 1.20 : 12.40",
        "USB cold  54.36s / 50.17s / 8.73s = 1.00 : 1.06 : 6.11  ! warning: the printed ratios contradict the times, which give 1.00 : 1.08 : 6.23",
    ] {
        assert!(text.lines().any(|have| have == line), "{line:?} is not in\n{text}");
    }
    for (row, printed) in comparison.rows.iter().zip(common::PUBLISHED) {
        for (cell, ratio) in printed.4.iter().enumerate() {
            let side = &row.sides[cell + 1];
            assert_eq!(side.verdict, Some(Verdict::TooFew), "one run is no claim");
            assert_eq!(side.ratio_interval, None);
            let computed = format!("{:.2}", side.ratio.expect("both are printed"));
            let known = [("1.06", "1.08"), ("6.11", "6.23")]
                .iter()
                .find(|(wrong, _)| wrong == ratio)
                .filter(|_| printed.1 == "USB");
            assert_eq!(
                computed,
                known.filter(|_| printed.0 == "null-log -v").map_or(*ratio, |(_, right)| right),
                "{printed:?}"
            );
        }
    }
}

#[test]
fn speed_ups_across_threads() {
    let comparison = common::scaling();
    assert_eq!(notation(&comparison.rows[0]), "9.05s / 5.70s / 3.23s / 2.17s = 1.00x, 1.59x, 2.80x, 4.16x");
}

#[test]
fn rows_of_one_heading_have_the_same_sides() {
    let comparison = common::uneven();
    let names = |row: usize| {
        comparison.rows[row].group.cells.iter().map(|cell| cell.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(names(0), ["old-1.6.9", "new-1.7.22", "new-1.9.12"]);
    assert_eq!(names(1), names(0));
    assert_eq!(notation(&comparison.rows[0]), "155.98s / 20.01s / not measured = 1.00 : 7.80 : none");
    assert_eq!(notation(&comparison.rows[1]), "not measured / 19.05s / 9.50s = none : 1.00 : 2.01");
    assert!(
        table_text(&comparison)
            .starts_with("export\ncache  old-1.6.9 / new-1.7.22 / new-1.9.12\ncold   155.98s")
    );
}

#[test]
fn what_nothing_names_is_unknown_and_not_blank() {
    let text = |names: &[&str]| {
        let cells = names.iter().map(|name| common::cell(name, 0, &[1.5])).collect();
        let group = common::group(triptych_model::Conditions::new(), triptych_model::Key::Variant, cells);
        table_text(&triptych_report::from_groups(
            vec![group],
            &common::query("trunk"),
            &triptych_store::VariantColours::default(),
        ))
    };
    assert!(text(&[""]).starts_with("operation unknown\n1.50s\n"), "{}", text(&[""]));
    let two = text(&["trunk", ""]);
    assert!(two.starts_with("operation unknown\ntrunk / unknown\n1.50s / 1.50s = 1.00 : 1.00\n"), "{two}");
}

#[test]
fn json_has_the_stable_names_and_null_for_what_is_absent() {
    let mut groups = common::format7_groups();
    groups[0].cells[1].values.clear();
    let comparison = triptych_report::from_groups(groups, &common::query("trunk"), &common::colours());
    let value = json_value(&comparison);
    let row = &value[7];
    let keys: Vec<&str> = row.as_object().expect("a row is an object").keys().map(String::as_str).collect();
    let mut expect = [
        "campaign",
        "host",
        "operation",
        "repository",
        "medium",
        "cache",
        "network",
        "threads",
        "process",
        "metric",
        "unit",
        "across",
        "baseline",
        "variants",
        "printed_ratios",
        "flags",
    ];
    expect.sort_unstable();
    let mut keys = keys;
    keys.sort_unstable();
    assert_eq!(keys, expect);
    assert_eq!(row["operation"], "null-log -v -g");
    assert_eq!(row["host"], serde_json::Value::Null);
    assert_eq!(
        (row["across"].as_str(), row["baseline"].as_str(), row["unit"].as_str()),
        (Some("variant"), Some("trunk"), Some("s"))
    );
    let missing = &row["variants"][1];
    for absent in ["value", "ratio", "ratio_low", "ratio_high", "verdict"] {
        assert_eq!(missing[absent], serde_json::Value::Null, "{absent}");
    }
    assert_eq!(missing["n"], 0);
    let branch7 = &row["variants"][2];
    assert_eq!(
        (branch7["n"].as_u64(), branch7["failed"].as_u64(), branch7["verdict"].as_str()),
        (Some(4), Some(1), Some("slower"))
    );
}

#[test]
fn campaigns_are_never_mixed() {
    let mut groups = common::format7_groups();
    groups.extend(common::published_groups());
    let mut both: Vec<_> = groups.iter().rev().cloned().collect();
    both.sort_by_key(|group| group.cells.len());
    let comparison = triptych_report::from_groups(both, &common::query("trunk"), &common::colours());
    let campaigns: Vec<_> =
        comparison.rows.iter().map(|row| row.condition(triptych_model::Key::Campaign)).collect();
    let mut runs = campaigns.clone();
    runs.dedup();
    assert_eq!(runs.len(), 2, "{campaigns:?}");
    let text = table_text(&comparison);
    assert!(
        text.contains("fsfs-format7\n============\n") && text.contains("fsfs-format7-2013.txt\n====="),
        "{text}"
    );
}

#[test]
fn all_table_exporters() {
    for exporter in EXPORTERS {
        let Export::Table(write) = exporter.export else { continue };
        insta::assert_snapshot!(format!("format7-{}", exporter.id), write(&common::format7()));
        insta::assert_snapshot!(format!("published-{}", exporter.id), write(&common::published()));
        assert!(
            write(&triptych_report::Comparison::default()).len() < 300,
            "an empty table says nothing much"
        );
    }
}
