//! Tests of the pidstat reader on genuine files of all text forms, and on what goes wrong.

use crate::Readers;
use crate::sink::testing::bytes;
use proptest::prelude::*;
use triptych_model::{Clock, Importer, ProblemKind, Process, Quality, ReadOptions, Silent, SourceData};

/// 2026-11-30T08:06:40Z, near which the samples were taken.
const BASE: i64 = 1_796_026_000;

fn read(text: &[u8]) -> SourceData {
    let options = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
    Readers.read("p.txt", text, &options, &Silent).expect("nobody cancels")
}

fn sample(name: &str) -> SourceData {
    read(&bytes(&format!("pidstat/{name}")))
}

/// `seconds since BASE process/pid metric=value` of every sample.
fn rows(data: &SourceData) -> Vec<String> {
    let row = |sample: &triptych_model::Sample| {
        let series = &data.series[sample.series as usize];
        let pid = series.pid.expect("pidstat knows the pid");
        let base = if series.clock == Clock::Utc { BASE } else { 0 };
        let secs = sample.time / 1_000_000 - base;
        format!("{secs} {}/{pid} {}={}{}", series.process, series.metric, sample.value, series.unit)
    };
    data.samples.iter().map(row).collect()
}

fn check(name: &str, expect: &[&str]) {
    let data = sample(name);
    let rows = rows(&data);
    let found: Vec<&str> = rows.iter().map(String::as_str).take(expect.len()).collect();
    assert_eq!(found, expect, "{name}");
    assert_eq!((data.not_understood, data.warnings()), (0, 0), "{name}: {:?}", data.problems);
    assert_eq!(data.formats, ["pidstat"], "{name}");
}

#[test]
fn every_text_form_reads_to_the_same_metrics() {
    check(
        "pidstat-h.txt",
        &[
            "5 bash/21730 cpu_user=10%",
            "5 bash/21730 cpu_sys=0%",
            "5 bash/21730 cpu_guest=0%",
            "5 bash/21730 cpu_wait=89%",
            "5 bash/21730 cpu=10%",
            "5 bash/21730 minflt_rate=01/s",
            "5 bash/21730 majflt_rate=01/s",
            "5 bash/21730 vsz=7876608B",
            "5 bash/21730 rss=3145728B",
            "5 bash/21730 mem_share=0.01%",
            "5 bash/21730 read_rate=0B/s",
            "5 bash/21730 write_rate=0B/s",
            "5 bash/21730 ccwr_rate=0B/s",
            "5 bash/21730 iodelay=01",
            "5 bash/21731 cpu_user=17%",
        ],
    );
    check("pidstat-h-enUS.txt", &["7 bash/21730 cpu_user=17.82%"]);
    check("pidstat-H.txt", &["11 bash/21730 cpu_user=21%"]);
    check("pidstat-iso.txt", &["9 bash/21730 cpu_user=10.09%"]);
    check(
        "pidstat-human.txt",
        &[
            "19 bash/21730 minflt_rate=01/s",
            "19 bash/21730 majflt_rate=01/s",
            "19 bash/21730 vsz=7864320B",
            "19 bash/21730 rss=3145728B",
            "19 bash/21730 mem_share=0%",
            "19 bash/21730 read_rate=0B/s",
        ],
    );
    check(
        "pidstat-wsvR.txt",
        &[
            "15 bash/21730 StkSize=135168B",
            "15 bash/21730 StkRef=12288B",
            "15 bash/21730 cswch/s=01/s",
            "15 bash/21730 nvcswch/s=1421/s",
            "15 bash/21730 threads=11",
            "15 bash/21730 fd-nr=51",
            "15 bash/21730 prio=01",
        ],
    );
    check("pidstat-C.txt", &["-1 bash/21730 cpu_user=17%", "-1 bash/21730 cpu_sys=0%"]);
    check("pidstat-U.txt", &["20 bash/21730 cpu_user=24.75%", "20 bash/21730 cpu_sys=0.99%"]);
    check("pidstat-dec0.txt", &["21 bash/21730 cpu_user=21%", "21 bash/21730 cpu_sys=0%"]);
    check("pidstat-h-de_DE.UTF-8.txt", &["2122 svnserve/3077 cpu_user=55%"]);
    check(
        "pidstat-TCHILD.txt",
        &["30272 svnserve/19041 interval_user=0.08s", "30272 svnserve/19041 interval_sys=0.03s"],
    );
    check(
        "pidstat-U-wvRst.txt",
        &["30277 svnserve/18912 cswch/s=0.321/s", "30277 svnserve/18912 nvcswch/s=01/s"],
    );
    check("pidstat-I-iso.txt", &["30272 svnserve/19041 cpu_user=6.06%"]);
    check(
        "pidstat-hH-human-dec0.txt",
        &[
            "30272 svnserve/18912 cpu_user=0%",
            "30272 svnserve/18912 cpu_sys=0%",
            "30272 svnserve/18912 cpu_guest=0%",
            "30272 svnserve/18912 cpu_wait=1%",
            "30272 svnserve/18912 cpu=0%",
            "30272 svnserve/18912 minflt_rate=101/s",
            "30272 svnserve/18912 majflt_rate=01/s",
            "30272 svnserve/18912 vsz=16777216B",
            "30272 svnserve/18912 rss=3145728B",
        ],
    );
    check("pidstat-color.txt", &["30893 svnserve/4798 cpu_user=18.81%"]);
    check(
        "pidstat-svnserve-C.txt",
        &[
            "2104 svnserve/3035 cpu_user=48%",
            "2104 svnserve/3035 cpu_sys=16%",
            "2104 svnserve/3035 cpu_guest=0%",
            "2104 svnserve/3035 cpu_wait=0%",
            "2104 svnserve/3035 cpu=64%",
            "2104 svnserve/3035 minflt_rate=135141/s",
            "2104 svnserve/3035 majflt_rate=01/s",
            "2104 svnserve/3035 vsz=107757568B",
            "2104 svnserve/3035 rss=18731008B",
            "2104 svnserve/3035 mem_share=0.07%",
            "2104 svnserve/3035 read_rate=27353088B/s",
        ],
    );
    check("pidstat-H-iso.txt", &["2159 svnserve/3812 cpu_user=64%", "2159 svnserve/3812 cpu_sys=4%"]);
    check("pidstat-h-C.txt", &["2108 svnserve/3044 cpu_user=63%", "2108 svnserve/3044 cpu_sys=5%"]);
    check("pidstat-de_DE.UTF-8.txt", &["2117 svnserve/3068 cpu_user=62%"]);
    check("pidstat-en_US.UTF-8.txt", &["2131 svnserve/3103 cpu_user=59%"]);
}

#[test]
fn averages_are_no_samples() {
    let data = sample("pidstat-TALL.txt");
    assert_eq!(rows(&data).last().map(String::as_str), Some("18 bash/21730 interval_guest=0s"));
    assert_eq!(data.samples.len(), 8);
    let interval = data.samples.iter().find(|s| data.series[s.series as usize].metric == "interval_user");
    assert!(interval.is_some_and(|sample| (sample.value - 0.33).abs() < 1e-12));
}

#[test]
fn a_command_keeps_its_blanks_and_its_role() {
    let data = sample("pidstat-l.txt");
    assert_eq!(data.series[0].command.as_deref(), Some("bash -c while :; do :; done"));
    assert_eq!(data.series[0].process, Process::Other("bash".into()));
}

#[test]
fn threads_do_not_count_beside_their_process() {
    let data = sample("pidstat-t-threads.txt");
    let metric = |name: &str| data.series.iter().filter(|series| series.metric == name).count();
    assert_eq!((metric("cpu"), metric("thread_cpu")), (1, 2));
    let thread = data.series.iter().find(|series| series.pid == Some(3835)).expect("the thread has series");
    assert_eq!((thread.command.as_deref(), &thread.process), (Some("svnserve-trunk"), &Process::Svnserve));
    let cpu: Vec<f64> = data
        .samples
        .iter()
        .filter(|sample| data.series[sample.series as usize].metric == "cpu")
        .map(|sample| sample.value)
        .collect();
    assert_eq!(cpu, [68.0, 62.0, 0.0]);
}

#[test]
fn one_core_is_a_hundred_per_cent_with_i_too() {
    let data = sample("pidstat-I.txt");
    assert!(rows(&data).contains(&"17 bash/21730 cpu=20.68%".to_owned()), "{:?}", rows(&data));
    assert!(data.problems.iter().any(|problem| problem.message.contains("divided by 2 processors")));
}

#[test]
fn many_threads_load_more_than_one_core() {
    let row = |cpu: &str| format!("23:59:59 0 7 190.00 20.00 0.00 1.00 {cpu} 0 svnserve\n");
    let header = "23:59:58      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command";
    // With -I, %CPU alone is divided by the number of processors.
    for (printed, cpu) in [("210.00", 210.0), ("105.00", 210.0)] {
        let text = format!("Linux 6.1 (vm) \t11/30/26 \t_x86_64_\t(2 CPU)\n\n{header}\n{}", row(printed));
        let data = read(text.as_bytes());
        let found = data.samples.iter().find(|sample| data.series[sample.series as usize].metric == "cpu");
        assert_eq!(found.map(|sample| sample.value), Some(cpu), "{printed}");
    }
}

#[test]
fn the_first_interval_starts_at_the_header_or_one_interval_earlier() {
    let start = |name: &str| sample(name).samples_start.map(|micros| micros / 1_000_000 - BASE);
    assert_eq!(start("pidstat-iso.txt"), Some(8));
    assert_eq!(start("pidstat-en_US.UTF-8.txt"), Some(2130));
    assert_eq!(start("pidstat-h.txt"), Some(4));
    assert_eq!(start("pidstat-H.txt"), Some(10));
}

#[test]
fn a_banner_alone_is_a_short_run_and_other_tools_are_not_claimed() {
    let data = sample("no-samples.txt");
    assert_eq!((data.samples.len(), data.not_understood, data.formats.as_slice()), (0, 0, &["pidstat"][..]));
    assert_eq!(data.problems[0].kind, ProblemKind::NoSamples);
    assert_eq!(data.warnings(), 0);
    for header in [
        "08:00:01     CPU    %usr   %nice",
        "Device            r/s     rkB/s",
        "08:00:01        CPU     %user",
    ] {
        let text =
            format!("Linux 6.1 (vm) \t11/30/26 \t_x86_64_\t(2 CPU)\n\n{header}\n08:00:02 all 1.0 2.0\n");
        assert!(!read(text.as_bytes()).formats.contains(&"pidstat"), "{header}");
    }
}

fn text(date: &str, rows: &[&str]) -> String {
    let header = "23:59:58      UID       PID    %usr   CPU  Command";
    format!("Linux 6.1 (vm) \t{date} \t_x86_64_\t(2 CPU)\n\n{header}\n{}", rows.join("\n"))
}

#[test]
fn midnight_and_dates_in_all_orders() {
    for date in ["11/30/26", "11/30/2026", "30.11.2026", "2026-11-30", "30/11/26", "2026年11月30日"] {
        let data = read(text(date, &["23:59:59 0 7 1.00 0 svn", "00:00:00 0 7 2.00 0 svn\n"]).as_bytes());
        let secs: Vec<i64> = data.samples.iter().map(|sample| sample.time / 1_000_000 - BASE).collect();
        assert_eq!(secs, [57_199, 57_200], "{date}");
        assert_eq!(data.series[0].quality, Quality::MEASURED.with(Quality::ZONE_ASSUMED));
    }
    let noon = "Linux 6.1 (vm) \t11/30/2026 \t_x86_64_\t(2 CPU)\n\n12:00:00 AM   UID       PID    %usr   CPU  Command\n\
                12:00:01 AM     0         7    1.00     0  a b\n12:00:01 PM     0         7    1.00     0  a b\n";
    let data = read(noon.as_bytes());
    assert_eq!(data.samples[1].time - data.samples[0].time, 12 * 3_600_000_000);
    assert_eq!(data.series[0].command.as_deref(), Some("a b"));
}

#[test]
fn a_clock_of_twelve_hours_without_marks_goes_on() {
    let rows = [
        "11:59:58 0 7 1.00 0 svn",
        "12:59:59 0 7 1.00 0 svn",
        "01:00:00 0 7 1.00 0 svn",
        "12:00:01 0 7 1.00 0 svn",
        "01:00:02 0 7 1.00 0 svn\n",
    ];
    let header = "11:59:57      UID       PID    %usr   CPU  Command";
    let text = format!("Linux 6.1 (vm) \t11/30/26 \t_x86_64_\t(2 CPU)\n\n{header}\n{}", rows.join("\n"));
    let data = read(text.as_bytes());
    let hours: Vec<i64> = data.samples.iter().map(|sample| (sample.time / 1_000_000 - BASE) / 3600).collect();
    // BASE is 08:06:40: noon is 4 hours later, midnight 16.
    assert_eq!(hours, [3, 4, 4, 15, 16]);
}

#[test]
fn old_versions_print_seconds_since_1970_and_other_names() {
    for header in [
        "#      Time       PID    %user %system    %CPU   CPU  Command",
        "# Time   PID   %usr %system  %guest   %CPU   CPU  Command",
    ] {
        let guest = if header.contains("guest") { "0.00 " } else { "" };
        let text = format!(
            "Linux 2.6.32 (vm) \t11/30/26 \t_x86_64_\t(2 CPU)\n\n{header}\n 1796026011 7 21.00 1.00 {guest}22.00 0 svnserve -d\n"
        );
        let data = read(text.as_bytes());
        let found = rows(&data);
        assert_eq!(found[..2], ["11 svnserve/7 cpu_user=21%", "11 svnserve/7 cpu_sys=1%"], "{header}");
        assert_eq!(data.series[0].quality, Quality::MEASURED, "the epoch knows no zone");
    }
}

#[test]
fn averages_in_every_language_of_sysstat() {
    // What sysstat 12.6 brings along in its 36 translations.
    for label in [
        "Average:",
        "Gemideld:",
        "Průměr:",
        "Middel:",
        "Durchschn.:",
        "Meznombro:",
        "Media:",
        "Batezbestekoa:",
        "Keskiarvo:",
        "Moyenne\u{202f}:",
        "Medie:",
        "Prosjek:",
        "Átlag:",
        "Rata-rata:",
        "平均値:",
        "평균값:",
        "Орточо:",
        "Vidēji:",
        "Medja:",
        "Gj.snitt:",
        "Gemiddeld:",
        "Średnia:",
        "Média:",
        "Среднее:",
        "Priemer:",
        "Просек:",
        "Genomsnitt:",
        "Ortalama:",
        "Середнє:",
        "Trung bình:",
        "平均时间:",
        "平均時間：",
    ] {
        let tail = format!(
            "23:59:59 0 7 1.00 0 svn\n\n{label}      UID       PID    %usr   CPU  Command\n{label}        0         7    9.00     -  svn\n"
        );
        let data = read(text("11/30/26", &[&tail]).as_bytes());
        assert_eq!((data.samples.len(), data.not_understood, data.program_output), (1, 0, 0), "{label}");
    }
}

#[test]
fn the_output_of_the_program_stands_between_with_e() {
    let data = sample("pidstat-e.txt");
    assert_eq!(
        (data.not_understood, data.warnings(), data.program_output),
        (0, 0, 10),
        "{:?}",
        data.problems
    );
    assert_eq!(rows(&data)[0], "30895 bash/4863 cpu_user=0%", "the banner above gives the date");
    let header = "23:59:58      UID       PID    %usr   CPU  Command";
    let output = "A    file\n".repeat(30);
    let body = text("11/30/26", &["23:59:58 0 7 1.00 0 svn\n"]);
    let data = read(
        format!("{body}{output}{header}\n23:59:59 0 7 2.00 0 svn\nA  x\n{header}\n23:59:59 0 7 2.00 0 svn\n")
            .as_bytes(),
    );
    assert_eq!((data.samples.len(), data.series.len(), data.not_understood), (3, 1, 0));
    assert_eq!(data.program_output, 31);
}

#[test]
fn colours_change_nothing() {
    let whole = bytes("pidstat/pidstat-color.txt");
    let plain: String = String::from_utf8(whole.clone())
        .expect("UTF-8")
        .split('\u{1b}')
        .enumerate()
        .map(
            |(index, part)| if index == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) },
        )
        .collect();
    let (coloured, plain) = (read(&whole), read(plain.as_bytes()));
    assert_eq!(rows(&coloured), rows(&plain));
    assert!(coloured.samples.len() > 100 && coloured.not_understood == 0);
}

#[test]
fn several_blocks_of_one_file_share_series_and_note() {
    let block = text("11/30/26", &["23:59:59 0 7 1.00 0 svn\n"]);
    let options = ReadOptions::default();
    let data = Readers.read("p.txt", block.repeat(2).as_bytes(), &options, &Silent).expect("nobody cancels");
    assert_eq!((data.samples.len(), data.series.len(), data.not_understood), (2, 1, 0));
    let notes = data.problems.iter().filter(|problem| problem.kind == ProblemKind::ZoneAssumed);
    assert_eq!(notes.count(), 1);
}

#[test]
fn without_a_banner_times_count_from_the_first_header() {
    let rows_only = "08:00:00      UID       PID    %usr   CPU  Command\n08:00:02        0         7    1.50     0  svn\n";
    let data = read(rows_only.as_bytes());
    assert_eq!(data.series[0].clock, Clock::Elapsed);
    assert_eq!(rows(&data), ["2 client/7 cpu_user=1.5%"]);
    let collectl = "#Time     PID  User     PR  PPID S   VSZ   RSS Command\n08:07:10     7  root     20     1 R    7M    3M bash\n";
    assert!(read(collectl.as_bytes()).formats.is_empty());
}

#[test]
fn what_cannot_be_read_is_named() {
    let data = read(text("11/30/26", &["23:59:59 0 7 x.y 0 svn", "23:59:59 0 8 1.00 0 svn\n"]).as_bytes());
    assert_eq!((data.not_understood, data.samples.len()), (1, 1));
    let problem = &data.problems[0];
    assert_eq!((problem.line, problem.column, problem.found.as_deref()), (Some(4), Some(14), Some("x.y")));

    let data = read(text("11/30/26", &["23:59:59 0 8 1.00 0 svnserve", "00:00:00 0 8 1.0"]).as_bytes());
    assert_eq!((data.samples.len(), data.problems[0].kind), (1, ProblemKind::Cut));
    let data =
        read(text("11/30/26", &["23:59:59 0 8 1.00 0 svnserve", "00:00:00 0 8 1.0 0 svns"]).as_bytes());
    assert_eq!((data.samples.len(), data.series.len(), data.problems[0].kind), (2, 1, ProblemKind::Cut));

    let denied = "Linux 6.1 (vm) 11/30/26 _x86_64_ (2 CPU)\n\n08:00:00 UID PID kB_rd/s iodelay Command\n\
                  08:00:01 0 7 -1.00 3 svn\n08:00:02 0 7 -1.00 -1 svn\n";
    let data = read(denied.as_bytes());
    assert_eq!((data.samples.len(), data.warnings(), data.not_understood), (1, 1, 0));
}

#[test]
fn a_cut_anywhere_never_panics_and_keeps_the_rest() {
    for file in ["pidstat-h.txt", "pidstat-color.txt", "pidstat-hH-human-dec0.txt", "pidstat-t.txt"] {
        let whole = bytes(&format!("pidstat/{file}"));
        let samples = read(&whole).samples.len();
        for end in (0..whole.len()).step_by((whole.len() / 700).max(1)) {
            let data = read(&whole[..end]);
            assert!(data.samples.len() <= samples);
            assert!(data.not_understood <= 1, "{file} {end}: {:?}", data.problems);
        }
    }
}

proptest! {
    #[test]
    fn no_damage_panics(at in 0_usize..1000, junk in "\\PC{0,12}") {
        let whole = String::from_utf8(bytes("pidstat/pidstat-t-threads.txt")).expect("UTF-8");
        let place = (0..=at.min(whole.len())).rev().find(|place| whole.is_char_boundary(*place)).unwrap_or(0);
        let (head, tail) = whole.split_at(place);
        read(format!("{head}{junk}{tail}").as_bytes());
    }
}
