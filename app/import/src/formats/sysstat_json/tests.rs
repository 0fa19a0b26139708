//! Tests of the reader of sysstat's JSON on genuine files of its three tools, and on what goes wrong.

use crate::formats::sysstat::testing::{check, check_damage, read, rows, start};
use crate::sink::testing::bytes;
use std::collections::BTreeSet;
use triptych_model::{ProblemKind, Quality};

#[test]
fn sadf_has_all_processors_together() {
    let data = check(
        "sysstat-json/sadf.json",
        "sysstat-json",
        18,
        &["08:06:45 system cpu_user=128.36 %", "08:06:47 system cpu_sys=49 %"],
    );
    assert_eq!(start(&data).as_deref(), Some("08:06:44"));
    assert_eq!((data.series[0].quality, data.samples[0].line), (Quality::MEASURED, 16));
}

#[test]
fn all_activities_have_the_names_of_sars_text() {
    let all = check(
        "sysstat-json/sadf-all.json",
        "sysstat-json",
        928,
        &[
            "16:32:46 cpu:1 core_cpu_user=89.9 %",
            "16:32:46 system mem_active=2329649152 B",
            "16:32:46 system active/s=0 1/s",
            "16:32:46 disk:vda %util=12.67 %",
            "16:32:46 system read_rate=4254161.92 B/s",
            "16:32:46 net:eth0 %ifutil=0 %",
            "16:32:46 tty:0 rcvin/s=0 1/s",
        ],
    );
    let names = |data: &triptych_model::SourceData| -> BTreeSet<String> {
        let kept = data.series.iter().filter(|series| !series.process.to_string().contains("filesystem"));
        kept.map(|series| format!("{} {} {}", series.process, series.metric, series.unit)).collect()
    };
    let (json, text) = (names(&all), names(&read(&bytes("sar/sar-all.txt"))));
    let others: Vec<&String> = text
        .difference(&json)
        .filter(|name| !name.contains(" %f") && !name.contains(" %s") && !name.contains("avg"))
        .collect();
    assert!(others.is_empty(), "in sar's text only: {others:?}");
}

#[test]
fn mpstat_has_times_of_the_day() {
    let data = check(
        "sysstat-json/mpstat-enus.json",
        "sysstat-json",
        60,
        &["16:32:33 system cpu_user=184.92 %", "16:32:34 cpu:0 core_cpu_sys=5.94 %"],
    );
    assert_eq!(start(&data).as_deref(), Some("16:32:32"));
    check("sysstat-json/mpstat-ja.json", "sysstat-json", 60, &["16:32:36 system cpu_user=176.24 %"]);
}

#[test]
fn iostat_leaves_its_first_report_out() {
    let data = check(
        "sysstat-json/iostat.json",
        "sysstat-json",
        28,
        &[
            "08:06:43 system cpu_user=83.16 %",
            "08:06:43 disk:vda read_rate=15366082.56 B/s",
            "08:06:43 disk:vda %rrqm=39.61 %",
        ],
    );
    assert_eq!(start(&data).as_deref(), Some("08:06:42"));
    check("sysstat-json/iostat-de.json", "sysstat-json", 56, &["16:32:30 system cpu_user=181 %"]);
    let text = String::from_utf8(bytes("sysstat-json/iostat.json")).expect("a text");
    let names = |text: &str| rows(&read(text.as_bytes())).len();
    let only = text.split("\t\t\t\t},").next().map(|head| format!("{head}}}]}}]}}}}")).expect("a report");
    assert_eq!(names(&only), 28);
}

#[test]
fn a_killed_iostat_keeps_what_was_complete() {
    let data = read(&bytes("sysstat-json/iostat-cut.json"));
    assert_eq!(
        (data.formats.as_slice(), data.samples.len(), &data.error),
        (&["sysstat-json"][..], 56, &None)
    );
    let cut: Vec<_> = data.problems.iter().filter(|problem| problem.kind == ProblemKind::Cut).collect();
    assert_eq!((cut.len(), data.warnings()), (1, 1), "{:?}", data.problems);
    for path in ["sysstat-json/iostat.json", "sysstat-json/sadf.json"] {
        let whole = bytes(path);
        let mut known: BTreeSet<String> = rows(&read(&whole)).into_iter().collect();
        let second = whole.windows(6).position(|part| part == b"\t\t\t\t},").unwrap_or(0);
        known.extend(rows(&read(&whole[..second])));
        for end in 0..whole.len() {
            for row in rows(&read(&whole[..end])) {
                assert!(known.contains(&row), "{path} cut at {end}: {row}");
            }
        }
    }
}

#[test]
fn the_stray_comma_of_y_and_decimal_commas_of_old_versions() {
    let text = String::from_utf8(bytes("sysstat-json/iostat.json")).expect("a text");
    let stray = text.replacen("\"statistics\": [", "\"statistics\": [\n,", 1);
    let data = read(stray.as_bytes());
    assert_eq!((data.samples.len(), data.warnings()), (56, 0), "{:?}", data.problems);
    assert!(data.problems.iter().any(|problem| problem.message.contains("a comma too many")));
    let commas = String::from_utf8(bytes("sysstat-json/sadf.json")).expect("a text");
    let commas: String = commas
        .lines()
        .map(|line| if line.contains("\"cpu\"") { line.replace('.', ",") } else { line.to_owned() } + "\n")
        .collect();
    assert_eq!(rows(&read(commas.as_bytes())), rows(&read(&bytes("sysstat-json/sadf.json"))));
}

#[test]
fn y_is_an_empty_line_in_later_versions() {
    check("sysstat-json/iostat-y.json", "sysstat-json", SAMPLES_Y, &[]);
    let text = String::from_utf8(bytes("sysstat-json/iostat-y.json")).expect("a text");
    assert_eq!(read(text.replacen("[\n\n", "[\n", 1).as_bytes()).samples.len(), SAMPLES_Y / 2);
}

/// Two reports of six shares and one disk.
const SAMPLES_Y: usize = 56;

#[test]
fn all_tables_of_mpstat() {
    check("sysstat-json/mpstat-all.json", "sysstat-json", 143, &[]);
}

#[test]
fn without_times_it_is_refused() {
    let data = read(b"{\"sysstat\": {\"hosts\": [{\"statistics\": [{\"avg-cpu\": {\"user\": 1.0}}]}]}}");
    let error = data.error.expect("refused");
    assert_eq!((error.kind, data.not_understood), (ProblemKind::Refused, 0));
    assert!(error.next_step.is_some_and(|step| step.contains("-t")));
}

#[test]
fn zones_and_times_that_cannot_be_read() {
    let report = |stamp: &str| {
        format!(
            "{{\"sysstat\": {{\"hosts\": [{{\"number-of-cpus\": 1, \"date\": \"11/30/26\", \"statistics\": [{{\"timestamp\": {stamp}, \"cpu-load\": [{{\"cpu\": \"all\", \"user\": 1.5}}]}}]}}]}}}}"
        )
    };
    for (stamp, expect, assumed) in [
        (
            "{\"date\": \"2026-11-30\", \"time\": \"08:00:00\", \"utc\": 1, \"interval\": 10}",
            "08:00:00",
            false,
        ),
        (
            "{\"date\": \"2026-11-30\", \"time\": \"08:00:00\", \"utc\": 0, \"interval\": 10}",
            "08:00:00",
            true,
        ),
        (
            "{\"date\": \"2026-11-30\", \"time\": \"09:00:00\", \"tz\": \"CET\", \"interval\": 10}",
            "08:00:00",
            false,
        ),
        ("\"2026-11-30T08:00:00+0000\"", "08:00:00", false),
        ("\"08:00:00 AM\"", "08:00:00", true),
    ] {
        let data = read(report(stamp).as_bytes());
        assert_eq!(rows(&data), [format!("{expect} system cpu_user=1.5 %")], "{stamp}");
        assert_eq!(data.series[0].quality.has(Quality::ZONE_ASSUMED), assumed, "{stamp}");
    }
    let data = read(report("\"soon\"").as_bytes());
    assert_eq!((data.not_understood, data.samples.len()), (1, 0));
    assert_eq!(data.problems[0].found.as_deref(), Some("\"soon\""));
    let error = read(b"{\"sysstat\": {\"hosts\": [}]]").error.expect("no JSON");
    assert_eq!(error.kind, ProblemKind::Malformed);
    assert!(read(b"{\"other\": 1}").formats.is_empty());
}

#[test]
fn damage_makes_no_figure_up() {
    check_damage(&["sysstat-json/iostat.json", "sysstat-json/sadf.json", "sysstat-json/mpstat-ja.json"]);
}

#[test]
fn processes_are_not_guessed() {
    let text = "{\"sysstat\": {\"hosts\": [{\"number-of-cpus\": 2, \"statistics\": [{\"timestamp\": \"2026-11-30T08:00:00+0000\", \
                \"tasks\": [{\"pid\": 7, \"command\": \"svn\", \"usr\": 1.5}, {\"pid\": 8, \"command\": \"svn\", \"usr\": 1.5}], \
                \"cpu-load\": [{\"cpu\": \"all\", \"usr\": 1.5}]}]}]}}";
    let data = read(text.as_bytes());
    assert_eq!((rows(&data), data.not_understood), (vec!["08:00:00 system cpu_user=3 %".to_owned()], 2));
    assert!(data.problems[0].message.contains("pidstat -h"), "{:?}", data.problems);
}
