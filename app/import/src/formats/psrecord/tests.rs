//! Tests of psrecord's reader on genuine logs, and on what goes wrong.

use crate::formats::counters::testing::{check_cuts, check_dress, read, read_at, rows, rows_of, sample};
use triptych_model::{Clock, ProblemKind, Process};

#[test]
fn a_log_gives_load_and_memory_by_elapsed_time() {
    let data = sample("psrecord/svnserve-io.txt");
    assert_eq!((data.not_understood, data.warnings(), &*data.formats), (0, 0, &["psrecord"][..]));
    assert_eq!(
        rows(&data)[..9],
        [
            // The first look knows no load: what it prints, 0, is none.
            "0 svnserve rss=22744662.016B",
            "0 svnserve vsz=264823111.68B",
            "0.507 svnserve cpu=27.6%",
            "0.507 svnserve rss=22761439.232B",
            "0.507 svnserve vsz=264823111.68B",
            // (77656 - 64811) / 0.507
            "0.507 svnserve read_calls=25335.3061/s",
            "0.507 svnserve write_calls=5994.0831/s",
            "0.507 svnserve read_rate=622074.951B/s",
            "0.507 svnserve write_rate=0B/s",
        ]
    );
    assert!(data.series.iter().all(|series| series.clock == Clock::Elapsed && series.pid.is_none()));
    assert_eq!((data.samples_start, rows_of(&data, "cpu").len()), (Some(0), 11));
}

#[test]
fn csv_says_the_same_and_counts_processes() {
    let data = sample("psrecord/svnserve.csv");
    assert_eq!((data.not_understood, data.warnings()), (0, 0));
    assert_eq!(rows_of(&data, "cpu")[0], "0.546962 svnserve cpu=19.9%");
    assert_eq!(rows_of(&data, "processes")[0], "0 svnserve processes=21");
}

#[test]
fn whose_it_is_stands_in_the_name_or_nowhere() {
    let text = "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n       0.000        0.000        1.000        2.000\n       0.500      150.500        1.000        2.000\n";
    for (path, process) in [
        ("rep1-run1.psrecord-svnserve.txt", Process::Svnserve),
        ("psrecord.txt", Process::Other("recorded".into())),
        ("svn.psrecord.txt", Process::Client),
    ] {
        let data = read_at(path, text.as_bytes());
        assert_eq!(data.series[0].process, process, "{path}");
        assert_eq!(rows_of(&data, "cpu").len(), 1);
        assert!(rows_of(&data, "cpu")[0].ends_with("cpu=150.5%"), "CPU may exceed 100");
    }
    let genuine = sample("psrecord/psrecord.txt");
    assert_eq!((genuine.samples.len(), genuine.not_understood), (14, 0));
}

#[test]
fn a_new_column_keeps_its_name_and_damage_is_named() {
    let head = "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)  Shiny\n";
    let data = read(&format!(
        "{head}  0.000  0.000  1.000  2.000  7\n  1.000  x  1.000  2.000  7\n  2.000  1.000  1.000  2.000  7\n"
    ));
    assert_eq!(rows_of(&data, "Shiny"), ["0 recorded Shiny=71", "2 recorded Shiny=71"]);
    assert_eq!((data.not_understood, data.problems[0].line), (1, Some(3)));
    let cut = read(&format!("{head}  0.000  0.000  1.000  2.000  7\n  1.000  5.0"));
    assert_eq!((cut.not_understood, cut.problems[0].kind), (1, ProblemKind::Cut));
    // The rows end where text begins.
    let data = read(&format!("{head}  0.000  0.000  1.000  2.000  7\ndone\n"));
    assert_eq!((data.program_output, data.not_understood), (1, 0));
}

#[test]
fn cut_or_in_another_dress() {
    for path in ["psrecord/svnserve-io.txt", "psrecord/svnserve.csv", "psrecord/psrecord.txt"] {
        check_cuts(path, "psrecord");
        check_dress(path);
    }
    let whole = sample("psrecord/psrecord.txt");
    let bytes = crate::sink::testing::bytes("psrecord/psrecord.txt");
    let cut = read_at("psrecord/psrecord.txt", &bytes[..bytes.len() - 3]);
    assert_eq!(cut.samples.len(), whole.samples.len() - 3, "a cut number is no number");
}
