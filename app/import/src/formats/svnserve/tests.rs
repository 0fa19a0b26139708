//! Tests of the svnserve reader on genuine logs, on each action, and on what goes wrong.

use super::request_arguments;
use crate::sink::testing::{read, sample};
use triptych_model::{ProblemKind, Quality, SourceData};

const HEAD: &str = "24645 2026-11-30T08:03:43.388100Z 127.0.0.1";

/// `user repository action path revision error quality` of a row, `-` where absent.
fn row(data: &SourceData, row: usize) -> String {
    let row = data.requests.row(row).expect("a row");
    let text = |text: Option<&str>| text.unwrap_or("-").to_owned();
    [
        text(row.user),
        text(row.repository),
        text(Some(row.action)),
        text(row.path),
        row.revision.map_or("-".to_owned(), |revision| revision.to_string()),
        text(row.error),
        row.quality.to_string(),
    ]
    .join(" | ")
}

/// The gaps before each row, `-` where there is none.
fn gaps(data: &SourceData) -> Vec<String> {
    let gap = |row| data.requests.gap_before(row).map_or("-".to_owned(), |gap| gap.to_string());
    (0..data.requests.len()).map(gap).collect()
}

fn check(tail: &str, expect: &str, arguments: Option<&str>) {
    let line = format!("{HEAD} {tail}");
    // A known line around it, so that an unknown one is still part of a log.
    let data = read(&format!("9{HEAD} - r get-latest-rev\n{line}\n"));
    assert_eq!(row(&data, 1), expect, "{tail}");
    assert_eq!(request_arguments(&line).as_deref(), arguments, "{tail}");
}

#[test]
fn each_action_gives_its_path_revision_and_arguments() {
    for (tail, expect, arguments) in [
        (
            "open 2 cap=(edit-pipeline depth) /tr%20unk SVN/1.14.2%20(x86_64-pc-linux-gnu) -",
            "open | /tr unk | -",
            Some(
                r#"{"capabilities":["edit-pipeline","depth"],"client":"SVN/1.14.2 (x86_64-pc-linux-gnu)","protocol":2}"#,
            ),
        ),
        ("reparent /a", "reparent | /a | -", None),
        ("get-latest-rev", "get-latest-rev | - | -", None),
        (
            "get-dated-rev 2026-11-30T08:03:39.382038Z",
            "get-dated-rev | - | -",
            Some(r#"{"date":"2026-11-30T08:03:39.382038Z"}"#),
        ),
        ("change-rev-prop r5 svn:log", "change-rev-prop | - | 5", Some(r#"{"property":"svn:log"}"#)),
        ("rev-proplist r4", "rev-proplist | - | 4", None),
        ("commit r7", "commit | - | 7", None),
        ("get-file /a%25b r3 text props", "get-file | /a%b | 3", Some(r#"{"props":true,"text":true}"#)),
        ("get-dir /a r3 props", "get-dir | /a | 3", Some(r#"{"props":true}"#)),
        (
            "checkout-or-export / r6 depth=infinity",
            "checkout-or-export | / | 6",
            Some(r#"{"depth":"infinity"}"#),
        ),
        (
            "update /trunk r6 send-copyfrom-args",
            "update | /trunk | 6",
            Some(r#"{"send_copyfrom_args":true}"#),
        ),
        ("switch /b1 /trunk@6", "switch | /b1 | 6", Some(r#"{"path2":"/trunk"}"#)),
        (
            "diff /trunk r2:4 ignore-ancestry",
            "diff | /trunk | -",
            Some(r#"{"from":2,"ignore_ancestry":true,"to":4}"#),
        ),
        (
            "diff /trunk@5 /b1@6 depth=infinity",
            "diff | /trunk | -",
            Some(r#"{"depth":"infinity","from":5,"path2":"/b1","to":6}"#),
        ),
        (
            "get-mergeinfo (/b1) inherited include-descendants",
            "get-mergeinfo | /b1 | -",
            Some(r#"{"include_descendants":true,"inheritance":"inherited","paths":["/b1"]}"#),
        ),
        (
            "log (/trunk /b%201) r6:0 limit=3 discover-changed-paths revprops=(svn:author svn:log)",
            "log | - | -",
            Some(
                r#"{"discover_changed_paths":true,"from":6,"limit":3,"paths":["/trunk","/b 1"],"revprops":["svn:author","svn:log"],"to":0}"#,
            ),
        ),
        (
            "log (/) r1:3 revprops=all",
            "log | / | -",
            Some(r#"{"from":1,"paths":["/"],"revprops":"all","to":3}"#),
        ),
        ("get-locations /f@9 (3 4)", "get-locations | /f | -", Some(r#"{"peg":9,"revisions":[3,4]}"#)),
        ("get-locations /f (3)", "get-locations | /f | -", Some(r#"{"revisions":[3]}"#)),
        (
            "get-location-segments /f@6 r6:-1",
            "get-location-segments | /f | -",
            Some(r#"{"from":6,"peg":6,"to":-1}"#),
        ),
        ("check-path /a@b@7", "check-path | /a@b | 7", None),
        ("stat /@7", "stat | / | 7", None),
        (
            "lock (/trunk/a)b.txt /trunk/file%201.txt) steal",
            "lock | - | -",
            Some(r#"{"paths":["/trunk/a)b.txt","/trunk/file 1.txt"],"steal":true}"#),
        ),
        ("unlock (/a) break", "unlock | /a | -", Some(r#"{"break":true,"paths":["/a"]}"#)),
        ("get-inherited-props /a r1", "get-inherited-props | /a | 1", None),
        (
            "list /a r6 depth=immediates *.txt file 1*",
            "list | /a | 6",
            Some(r#"{"depth":"immediates","patterns":["*.txt file 1*"]}"#),
        ),
        ("list /a r6 depth=infinity <ANY>", "list | /a | 6", Some(r#"{"depth":"infinity"}"#)),
        ("replay /trunk r3", "replay | /trunk | 3", None),
    ] {
        check(&format!("- bench {tail}"), &format!("- | bench | {expect} | - | measured"), arguments);
    }
}

#[test]
fn odd_lines_keep_what_they_say() {
    check("john doe bench commit r7", "john doe | bench | commit | - | 7 | - | measured", None);
    check("a open b r get-file /x r1", "a open b | r | get-file | /x | 1 | - | measured", None);
    check("- - get-deleted-rev", "- | - | get-deleted-rev | - | - | - | measured", None);
    check(
        "alice bench Authorization Failed recursive read /trunk/secret dir",
        "alice | bench | denied | /trunk/secret dir | - | - | measured",
        Some(r#"{"access":"read","recursive":true}"#),
    );
    check(
        "- bench replay /trunk/sub                  %(old)          1753150384ir r4",
        "- | bench | replay | - | 4 | - | measured+corrupt-path",
        None,
    );
    check(
        r"- bench WARN - 0 13 no \xc3\xa9 \\ here",
        r"- | bench | warning | - | - | 13 no é \ here | measured",
        None,
    );
    check("- bench frobnicate /x r1", "- | bench | frobnicate | - | - | - | measured+unknown-action", None);
    check("- bench get-file /x r1 sideways", "- | bench | get-file | /x | 1 | - | measured+malformed", None);
}

#[test]
fn what_is_not_understood_is_counted_with_its_place() {
    let data = read(&format!(
        "{HEAD} - r get-latest-rev\n{HEAD} - r frobnicate /x\nstray words\n{HEAD} - r stat /@1\n"
    ));
    assert_eq!((data.not_understood, data.requests.len(), data.lines), (2, 3, 4));
    let places: Vec<_> = data.problems.iter().map(|problem| (problem.line, problem.kind)).collect();
    assert_eq!(places, [(Some(2), ProblemKind::Malformed), (Some(3), ProblemKind::Malformed)]);
    assert_eq!(data.problems[0].found.as_deref(), Some("frobnicate"));
}

#[test]
fn causes_join_their_error() {
    let data = read(&format!(
        "{HEAD} - b ERR - 0 220003 Invalid authz configuration\n{HEAD} - b ERR- - 0 200002 line 1: odd\n{HEAD} - b stat /@1\n"
    ));
    assert_eq!(data.requests.len(), 2);
    assert_eq!(
        row(&data, 0),
        "- | b | error | - | - | 220003 Invalid authz configuration; 200002 line 1: odd | measured"
    );
    let data = read(&format!("{HEAD} - b get-latest-rev\n{HEAD} - b ERR- - 0 200002 alone\n"));
    assert_eq!(row(&data, 1), "- | b | error | - | - | 200002 alone | measured");
}

#[test]
fn genuine_logs_read_whole() {
    let fork = sample("svnserve/fork-1.14.log");
    assert_eq!((fork.lines, fork.not_understood, fork.requests.len()), (378, 0, 376));
    assert_eq!((fork.program_output, fork.formats.as_slice()), (0, &["svnserve"][..]));
    let count = |data: &SourceData, action: &str| {
        let rows = &data.requests;
        rows.actions().iter().filter(|symbol| rows.texts().get(**symbol) == Some(action)).count()
    };
    assert_eq!((count(&fork, "replay"), count(&fork, "denied"), count(&fork, "error")), (18, 2, 5));
    let corrupt =
        fork.requests.qualities().iter().filter(|quality| quality.has(Quality::CORRUPT_PATH)).count();
    assert_eq!(corrupt, 6);
    for (name, lines) in [("svnserve-1.6.9.log", 130), ("svnserve-1.14.2.log", 120), ("rotated.log", 3)] {
        let data = sample(&format!("svnserve/{name}"));
        assert_eq!((data.lines, data.not_understood, data.warnings()), (lines, 0, 0), "{name}");
    }
}

#[test]
fn gaps_stay_within_their_session() {
    let data = sample("export-old-new/new-1.7.22/all_packed/svnserve-rep1.log");
    let rows = &data.requests;
    assert_eq!(rows.len(), 10);
    // The export is logged at its end: the gap before it is its work, 18.9 s in the first run.
    assert_eq!(rows.gap_before(4), Some(18.914_577));
    assert_eq!((rows.gap_before(0), rows.gap_before(5), rows.gap_after(4)), (None, None, None));
    assert_eq!(rows.gap_after(3), rows.gap_before(4));
    assert!(rows.qualities().iter().all(|quality| quality.has(Quality::SESSION_GUESSED)));
    let fork = sample("svnserve/fork-1.14.log");
    assert!(!fork.requests.qualities().iter().any(|quality| quality.has(Quality::SESSION_GUESSED)));
    let first = triptych_model::Timestamp::parse("2026-11-30T08:03:39.382038Z")
        .map(triptych_model::Timestamp::micros);
    assert!(fork.requests.times().iter().any(|time| Some(*time) == first));
}

#[test]
fn sessions_of_a_threaded_server_are_told_apart_by_host() {
    let line =
        |secs: u32, host: &str, rest: &str| format!("7 2026-11-30T08:03:{secs:02}.000000Z {host} - {rest}\n");
    let data = read(
        &[
            line(1, "::1", "a open 2 cap=() / x -"),
            line(2, "10.0.0.1", "a open 2 cap=() / x -"),
            line(5, "::1", "a get-latest-rev"),
            line(9, "10.0.0.1", "a get-latest-rev"),
            line(10, "10.0.0.1", "b get-latest-rev"),
        ]
        .concat(),
    );
    assert_eq!(gaps(&data), ["-", "-", "4", "7", "-"]);
}

#[test]
fn cut_ends_are_said_and_never_panic() {
    let whole = format!("{HEAD} - r get-latest-rev\n{HEAD} - r checkout-or-export /a r12 depth=infinity");
    let first = whole.find('\n').expect("two lines") + 1;
    for end in first..whole.len() {
        let data = read(&whole[..end]);
        assert!(data.not_understood <= 1 && data.requests.len() <= 2, "{end}: {:?}", data.problems);
        if data.not_understood == 1 {
            assert_eq!(data.problems[0].kind, ProblemKind::Cut, "{end}: {:?}", data.problems);
        }
    }
    let data = read(&whole[20..]);
    assert_eq!((data.not_understood, data.problems[0].kind), (1, ProblemKind::Cut));
    assert_eq!(data.requests.len(), 1);
}

proptest::proptest! {
    #[test]
    fn no_tail_panics_or_is_lost(tail in "\\PC{0,60}") {
        let data = read(&format!("{HEAD} - r get-latest-rev\n{HEAD} {tail}\n{HEAD} - r stat /@1\n"));
        proptest::prop_assert!(data.requests.len() + data.not_understood as usize >= 3);
        request_arguments(&format!("{HEAD} {tail}"));
    }
}
