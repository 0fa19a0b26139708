//! Tests of the access log reader: genuine logs, each layout, each action, and what goes wrong.

use super::{check_log_format, request_arguments};
use crate::Readers;
use crate::sink::testing::{read, sample};
use triptych_model::{
    Importer, ProblemKind, Quality, ReadOptions, Request, Severity, Silent, SourceData, Timestamp,
};

/// What the readers make of a text with a LogFormat typed by the user, times without a zone being UTC.
pub(super) fn read_as(text: &str, log_format: Option<&str>) -> SourceData {
    let options = ReadOptions {
        zone_offset_secs: Some(0),
        log_format: log_format.map(str::to_owned),
        ..ReadOptions::default()
    };
    Readers.read("test.log", text.as_bytes(), &options, &Silent).expect("nobody cancels")
}

/// All of a row but its place, `-` where absent.
fn shown(row: &Request<'_>) -> String {
    let text = |value: Option<&str>| value.unwrap_or("-").to_owned();
    let number = |value: Option<i64>| value.map_or("-".to_owned(), |value| value.to_string());
    [
        row.time.map_or("-".to_owned(), |micros| Timestamp(micros).to_string()),
        text(row.host),
        text(row.user),
        text(row.repository),
        row.action.to_owned(),
        text(row.path),
        number(row.revision),
        number(row.status),
        number(row.bytes_in),
        number(row.bytes_out),
        row.duration.map_or("-".to_owned(), |secs| secs.to_string()),
        number(row.pid.map(i64::from)),
        row.quality.to_string(),
    ]
    .join(" | ")
}

pub(super) fn rows(data: &SourceData) -> Vec<String> {
    (0..data.requests.len()).filter_map(|index| Some(shown(&data.requests.row(index)?))).collect()
}

fn actions(data: &SourceData) -> Vec<(String, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for row in (0..data.requests.len()).filter_map(|index| data.requests.row(index)) {
        *counts.entry(row.action.to_owned()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

#[test]
fn a_line_of_a_megabyte_that_nearly_fits_ends_soon() {
    // Each repetition could be a user and a host; what ends the line is looked for in vain behind each.
    let line = format!("2026-11-30 08:05:18 {}\n", "@h 200 repo:r a ".repeat(60_000));
    assert_eq!(read(&line.repeat(2)).requests.len(), 0);
}

#[test]
fn unknown_actions_behind_a_change_of_layout_are_kept() {
    let combined = "::1 - - [30/Nov/2026:08:05:18 +0000] \"GET /x HTTP/1.1\" 200 5\n".repeat(60);
    let timed = |action: &str| {
        let head = "2026-11-30 08:05:18.000001 a@::1 200 15 us in=3 out=9 pid=1";
        format!("{head} svn=[{action}] repos=/srv/x\n")
    };
    let data = read(&(combined + &timed("commit r7") + &timed("frobnicate /a") + &timed("commit r8")));
    assert_eq!((data.requests.len(), data.not_understood, data.program_output), (63, 1, 0));
    assert_eq!(data.requests.row(61).map(|row| row.action), Some("frobnicate"));
}

#[test]
fn what_is_said_of_a_whole_log_stands_at_its_first_line() {
    // Three pieces of one physical line, then the log.
    let line = "::1 - - [30/Nov/2026:08:05:18 +0000] \"GET /x HTTP/1.1\" 200 5 1500\n";
    let data = read(&format!("0 %\r50 %\r100 %\n{}", line.repeat(3)));
    let said = data.problems.iter().find(|problem| problem.message.contains("microseconds"));
    assert_eq!(said.and_then(|problem| problem.line), Some(2), "{:?}", data.problems);
}

#[test]
fn genuine_logs_read_whole() {
    for (name, lines) in [
        ("access-combined.log", 193),
        ("access-common-us.log", 60),
        ("ops.log", 47),
        ("ops-timed.log", 47),
        ("ops-full.log", 4),
    ] {
        let data = sample(&format!("httpd/{name}"));
        assert_eq!(
            (data.lines, data.not_understood, data.requests.len()),
            (lines, 0, lines as usize),
            "{name}"
        );
        assert_eq!((data.program_output, data.formats.as_slice()), (0, &["httpd"][..]), "{name}");
        assert_eq!(data.warnings(), 0, "{name}: {:?}", data.problems);
        assert!(!data.requests.qualities().iter().any(|quality| quality.has(Quality::MALFORMED)), "{name}");
    }
}

#[test]
fn a_genuine_combined_log_counts_as_its_text_does() {
    let data = sample("httpd/access-combined.log");
    let count = |action: &str, status: i64| {
        let rows = (0..data.requests.len()).filter_map(|index| data.requests.row(index));
        rows.filter(|row| row.action == action && row.status == Some(status)).count()
    };
    for (action, status, expect) in [
        ("COPY", 201, 1),
        ("GET", 200, 12),
        ("GET", 404, 1),
        ("HEAD", 404, 4),
        ("LOCK", 200, 2),
        ("LOCK", 401, 2),
        ("MERGE", 200, 4),
        ("MKCOL", 201, 3),
        ("OPTIONS", 200, 86),
        ("POST", 201, 4),
        ("POST", 401, 4),
        ("PROPFIND", 207, 20),
        ("PROPFIND", 404, 1),
        ("PROPPATCH", 207, 1),
        ("PROPPATCH", 401, 1),
        ("PUT", 201, 4),
        ("PUT", 204, 1),
        ("REPORT", 200, 38),
        ("UNLOCK", 204, 2),
        ("UNLOCK", 401, 2),
    ] {
        assert_eq!(count(action, status), expect, "{action} {status}");
    }
    let all = rows(&data);
    for (index, expect) in [
        (
            0,
            "2026-11-30T08:05:18.000000Z | 127.0.0.1 | - | - | OPTIONS | /svn/bench | - | 200 | - | 189 | - | - | measured",
        ),
        (
            3,
            "2026-11-30T08:05:18.000000Z | 127.0.0.1 | alice | - | POST | /svn/bench/!svn/me | - | 201 | - | 0 | - | - | measured",
        ),
        (
            6,
            "2026-11-30T08:05:18.000000Z | 127.0.0.1 | alice | - | MKCOL | /svn/bench/!svn/txr/0-0/trunk/sub (old) dir | - | 201 | - | 262 | - | - | measured",
        ),
    ] {
        assert_eq!(all[index], expect);
    }
}

#[test]
fn genuine_operation_logs_say_the_same() {
    let [plain, timed] = ["httpd/ops.log", "httpd/ops-timed.log"].map(sample);
    assert_eq!(actions(&plain), actions(&timed));
    let expect = [
        ("change-rev-prop", 1),
        ("checkout-or-export", 3),
        ("commit", 4),
        ("diff", 3),
        ("get-dir", 1),
        ("get-file", 3),
        ("get-file-revs", 1),
        ("get-inherited-props", 5),
        ("get-mergeinfo", 6),
        ("list", 2),
        ("lock", 2),
        ("log", 2),
        ("replay", 4),
        ("rev-proplist", 5),
        ("status", 3),
        ("unlock", 2),
    ];
    assert_eq!(actions(&plain), expect.map(|(action, count)| (action.to_owned(), count)));
    for index in 0..plain.requests.len() {
        let of = |data: &SourceData| {
            let row = data.requests.row(index).expect("as many rows");
            format!("{:?} {:?} {:?} {:?}", row.user, row.action, row.path, row.revision)
        };
        assert_eq!(of(&plain), of(&timed), "{index}");
    }
    let all = rows(&read_as(
        &String::from_utf8(crate::sink::testing::bytes("httpd/ops-timed.log")).expect("text"),
        None,
    ));
    assert_eq!(
        all[0],
        "2026-11-30T08:05:18.635257Z | 127.0.0.1 | alice | /srv/bench/repos/bench | commit | - | 1 | 200 | 715 | 665 | 0.065482 | 3338 | measured+zone-assumed"
    );
    assert!(all.iter().any(|row| row.contains("| replay | /trunk/sub (old) dir | 3 |")));
    let full = rows(&sample("httpd/ops-full.log"));
    assert!(
        full[2].contains("| 127.0.0.1 | - | gimp | checkout-or-export | / | 1 | 200 | - | 1629246 | 0 | - |"),
        "{}",
        full[2]
    );
}

#[test]
fn each_layout_gives_its_fields() {
    const T: &str = "[30/Nov/2026:09:05:18 +0100]";
    const AT: &str = "2026-11-30T08:05:18.000000Z";
    let get = r#""GET /svn/a%20b?p=3 HTTP/1.1""#;
    for (line, expect) in [
        (
            format!("::1 - - {T} {get} 200 -"),
            "::1 | - | - | GET | /svn/a b | - | 200 | - | 0 | - | - | measured",
        ),
        (
            format!(r#"::1 - "" {T} {get} 200 7 "-" "SVN/1.14""#),
            "::1 | - | - | GET | /svn/a b | - | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"svn.example.org:443 ::1 - john doe {T} {get} 200 7 "-" "SVN \"x\"""#),
            "::1 | john doe | - | GET | /svn/a b | - | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"svn.example.org ::1 - - {T} {get} 404 7"#),
            "::1 | - | - | GET | /svn/a b | - | 404 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"10.0.0.7, 192.0.2.1 - - {T} {get} 200 7 "-" "x""#),
            "10.0.0.7 | - | - | GET | /svn/a b | - | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"::1 - - {T} {get} 200 7 "-" "x" "10.0.0.7, 192.0.2.1""#),
            "10.0.0.7 | - | - | GET | /svn/a b | - | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(
                r#"::1 - a {T} "REPORT /svn/!svn/me HTTP/1.1" 200 7 "-" "x" "update /a%20b r7 send-copyfrom-args""#
            ),
            "::1 | a | - | update | /a b | 7 | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"::1 - a {T} "REPORT /svn/!svn/me HTTP/1.1" 200 7 update /a%20b r7"#),
            "::1 | a | - | update | /a b | 7 | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"::1 - a {T} "MERGE /svn HTTP/1.1" 200 7 "-" "x" "bench" "commit r9""#),
            "::1 | a | bench | commit | - | 9 | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"::1 - a {T} "MERGE /svn HTTP/1.1" 200 7 1500 "commit r9""#),
            "::1 | a | - | commit | - | 9 | 200 | - | 7 | 0.0015 | - | measured",
        ),
        (
            format!("::1 - - {T} {get} 200 7 1500"),
            "::1 | - | - | GET | /svn/a b | - | 200 | - | 7 | 0.0015 | - | measured",
        ),
        (
            format!(r#"::1 - - {T} {get} 200 7 "-" "x" 0.005"#),
            "::1 | - | - | GET | /svn/a b | - | 200 | - | 7 | 0.005 | - | measured",
        ),
        (format!("{T} john doe commit r7"), "- | john | doe | commit | - | 7 | - | - | - | - | - | measured"),
        (
            format!("{T} - my%20repos get-dir /a r7 text"),
            "- | - | my repos | get-dir | /a | 7 | - | - | - | - | - | measured",
        ),
        (format!("{T} alice commit r7"), "- | alice | - | commit | - | 7 | - | - | - | - | - | measured"),
        (
            format!("{T} commit r7 john doe ::1"),
            "::1 | john doe | - | commit | - | 7 | - | - | - | - | - | measured",
        ),
        (
            format!("{T} list /a r7 *.txt file 1* alice ::1"),
            "::1 | alice | - | list | /a | 7 | - | - | - | - | - | measured",
        ),
        (format!("{T} - -"), "- | - | - | - | - | - | - | - | - | - | - | measured"),
        (
            format!(r#"::1 - - {T} "\x16\x03\x01\x02" 400 226"#),
            "::1 | - | - | - | - | - | 400 | - | 226 | - | - | measured+malformed",
        ),
        (format!(r#"::1 - - {T} "-" 408 -"#), "::1 | - | - | - | - | - | 408 | - | 0 | - | - | measured"),
        (
            format!(r#"::1 - - {T} "OPTIONS * HTTP/1.1" 200 7"#),
            "::1 | - | - | OPTIONS | * | - | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"::1 - - {T} "GET http://example.org/svn/%e4%c3%a4 HTTP/1.1" 200 7"#),
            "::1 | - | - | GET | /svn/%e4%c3%a4 | - | 200 | - | 7 | - | - | measured",
        ),
        (
            format!(r#"::1 - a\"b {T} "GET /\xc3\xa4 HTTP/1.1" 200 7"#),
            "::1 | a\"b | - | GET | /ä | - | 200 | - | 7 | - | - | measured",
        ),
    ] {
        let data = read(&format!("{line}\n"));
        assert_eq!((rows(&data), data.not_understood), (vec![format!("{AT} | {expect}")], 0), "{line}");
    }
}

#[test]
fn a_whole_log_decides_what_one_line_leaves_open() {
    let t = "[30/Nov/2026:09:05:18 +0100]";
    // One line without a repository: then the two words before another action are a user.
    let data = read(&format!("{t} john doe commit r7\n{t} alice get-dir /a r1\n"));
    let users: Vec<_> = (0..2).map(|row| data.requests.row(row).and_then(|row| row.user)).collect();
    assert_eq!((users, data.not_understood), (vec![Some("john doe"), Some("alice")], 0));
    // A number that is 0 is no count of microseconds.
    let line = format!(r#"::1 - - {t} "GET / HTTP/1.1" 200 7"#);
    let data = read(&format!("{line} 3\n{line} 0\n"));
    assert!((0..data.requests.len()).all(|row| data.requests.duration(row).is_none()));
    assert_eq!((data.requests.len(), data.not_understood), (2, 0));
    assert!(
        data.problems.iter().any(|problem| problem.message.contains("has no unit")),
        "{:?}",
        data.problems
    );
    let data = read(&format!("{line} 3\n{line} 40\n"));
    assert_eq!([0, 1].map(|row| data.requests.duration(row)), [Some(3e-6), Some(4e-5)]);
    assert!(
        data.problems
            .iter()
            .any(|problem| problem.severity == Severity::Note && problem.message.contains("%D"))
    );
    // GeoIP and other additions: what is known is read, the rest is told of.
    let data = read(&format!("{line} \"-\" \"x\" DE Berlin 52.5\n{line} \"-\" \"x\" US - -\n"));
    assert_eq!((data.requests.len(), data.not_understood, data.warnings()), (2, 0, 1));
    assert!(data.problems[0].message.starts_with("2 lines have more fields"), "{:?}", data.problems);
    // A log whose format was changed.
    let data = read(&format!("{line}\n{line} \"-\" \"x\"\n{line}\n"));
    assert_eq!((data.requests.len(), data.not_understood, data.warnings()), (3, 0, 0));
}

#[test]
fn old_names_give_the_new_ones() {
    for (text, action, path, revision, arguments) in [
        ("list-dir '/a%20b'", "get-dir", Some("/a b"), None, None),
        ("checkout-or-export '/a'", "checkout-or-export", Some("/a"), None, None),
        ("update '/a'", "update", Some("/a"), None, None),
        ("remote-status '/a'", "status", Some("/a"), None, None),
        ("switch '/a%20' '/b c'", "switch", Some("/a%20"), None, Some(r#"{"path2":"/b c"}"#)),
        ("diff-or-merge '/a' '/it's'", "diff", Some("/a"), None, Some(r#"{"path2":"/it's"}"#)),
        ("blame '/a'", "get-file-revs", Some("/a"), None, None),
        ("log-all '/a'", "log", Some("/a"), None, Some(r#"{"paths":["/a"]}"#)),
        ("log-partial '/a'", "log", Some("/a"), None, Some(r#"{"paths":["/a"]}"#)),
        ("log", "log", None, None, None),
        ("lock '/a'", "lock", Some("/a"), None, Some(r#"{"paths":["/a"]}"#)),
        ("unlock '/a'", "unlock", Some("/a"), None, Some(r#"{"paths":["/a"]}"#)),
        ("revprop-change r5 'svn:log'", "change-rev-prop", None, Some(5), Some(r#"{"property":"svn:log"}"#)),
        ("replay 7 '/a%20b'", "replay", Some("/a b"), Some(7), None),
    ] {
        let line = format!("[30/Nov/2026:09:05:18 +0100] alice {text}");
        let data = read(&line);
        let row = data.requests.row(0).expect(text);
        assert_eq!(
            (row.action, row.path, row.revision, row.user),
            (action, path, revision, Some("alice")),
            "{text}"
        );
        assert!(row.quality.has(Quality::PRE_1_5), "{text}");
        assert_eq!(request_arguments(&line).as_deref(), arguments, "{text}");
    }
    let data = read("[30/Nov/2026:09:05:18 +0100] alice commit r7\n");
    assert!(!data.requests.qualities()[0].has(Quality::PRE_1_5));
}

#[test]
fn arguments_are_those_of_svnserve_and_the_client() {
    let t = "[30/Nov/2026:09:05:18 +0100]";
    for (line, expect) in [
        (
            format!(r#"{t} - bench list /a r4 depth=immediates *.txt file \"1"#),
            Some(r#"{"depth":"immediates","patterns":["*.txt file \"1"]}"#),
        ),
        (
            format!("{t} - bench diff /a@2 /b%20c@4 ignore-ancestry"),
            Some(r#"{"from":2,"ignore_ancestry":true,"path2":"/b c","to":4}"#),
        ),
        (format!("{t} - bench lock (/a)b.txt)"), Some(r#"{"paths":["/a)b.txt"]}"#)),
        (format!("{t} - bench replay trunk/x r1"), None),
        (
            format!(r#"::1 - - {t} "GET / HTTP/1.1" 200 7 "-" "SVN/1.14 \"x\"""#),
            Some(r#"{"client":"SVN/1.14 \"x\""}"#),
        ),
        (format!(r#"::1 - - {t} "GET / HTTP/1.1" 200 7"#), None),
        ("nothing of the kind".to_owned(), None),
    ] {
        assert_eq!(request_arguments(&line).as_deref(), expect, "{line}");
    }
}

#[test]
fn a_replay_without_its_slash_is_httpds_alone() {
    let data = read("[30/Nov/2026:09:05:18 +0100] - bench replay trunk/x%20(old) r3\n");
    let row = data.requests.row(0).expect("a row");
    assert_eq!((row.action, row.path, row.revision), ("replay", Some("/trunk/x (old)"), Some(3)));
    assert_eq!(row.quality, Quality::MEASURED);
    let data = read(
        "7 2026-11-30T08:03:43.388100Z ::1 - bench stat /@1\n7 2026-11-30T08:03:43.388100Z ::1 - bench replay trunk/x r3\n",
    );
    assert_eq!((data.not_understood, data.requests.qualities()[1].has(Quality::MALFORMED)), (1, true));
}

#[test]
fn what_is_not_understood_is_counted_with_its_place() {
    let t = "[30/Nov/2026:09:05:18 +0100]";
    let good = format!(r#"::1 - - {t} "GET / HTTP/1.1" 200 7"#);
    let data = read(&format!("{good}\n::1 - - {t} \"GET / HTTP/1.1 200 7\nstray words\n{good}\n"));
    assert_eq!((data.not_understood, data.requests.len()), (2, 2));
    let problem = &data.problems[0];
    assert_eq!((problem.line, problem.kind), (Some(2), ProblemKind::Malformed));
    let data = read(&format!("{good}\n::1 - - {t} \"GET / HTTP/1.1\" OK 7\n{good}\n"));
    let problem = &data.problems[0];
    assert_eq!((problem.column, problem.found.as_deref()), (Some(55), Some("OK 7")));
    assert_eq!(problem.expected.as_deref(), Some("a status (%>s)"));
    let data = read(&format!(
        "{t} - r get-dir /a r1\n{t} - r frobnicate /a r1\n{t} - r get-dir /k r27 props text\n"
    ));
    let words: Vec<_> = data.requests.qualities().iter().map(ToString::to_string).collect();
    assert_eq!(words, ["measured", "measured+unknown-action", "measured+malformed"]);
    assert_eq!((data.not_understood, data.problems[0].column), (2, Some(34)));
    let row = data.requests.row(2).expect("a row");
    assert_eq!((row.action, row.path, row.revision), ("get-dir", Some("/k"), Some(27)));
}

#[test]
fn cut_logs_are_said_and_lose_nothing_else() {
    let whole = String::from_utf8(crate::sink::testing::bytes("httpd/access-combined.log")).expect("text");
    let head: String = whole.lines().take(4).map(|line| format!("{line}\n")).collect();
    let last = head.trim_end().rfind('\n').expect("four lines") + 1;
    for end in last..head.len() {
        let data = read(&head[..end]);
        let full = usize::from(end + 1 == head.len());
        assert!(data.requests.len() >= 3 + full, "{end}");
        assert_eq!(data.not_understood, u64::from(end > last && full == 0), "{end}: {:?}", data.problems);
    }
    let first = head.find('\n').expect("four lines");
    for start in 1..first {
        let data = read(&head[start..]);
        assert!(data.requests.len() >= 3, "{start}");
        assert_eq!(data.formats, ["httpd"], "{start}");
    }
    let data = read(&head[60..]);
    assert_eq!((data.not_understood, data.problems[0].kind), (1, ProblemKind::Cut));
}

#[test]
fn a_last_line_without_an_end_may_be_cut_where_it_can_be_read() {
    let line = r#"::1 - - [30/Nov/2026:08:05:18 +0000] "GET / HTTP/1.1" 200 12"#;
    for (text, rows) in [(format!("{line}34\n{line}"), 2), (line.to_owned(), 1)] {
        let data = read(&text);
        let row = data.requests.row(rows - 1).expect("a row");
        assert_eq!((data.requests.len(), row.bytes_out), (rows, Some(12)), "{text}");
        assert!(row.quality.has(Quality::INCOMPLETE), "{text}");
        let told: Vec<_> = data.problems.iter().map(|problem| problem.kind).collect();
        assert_eq!((data.not_understood, told), (0, vec![ProblemKind::Cut]), "{text}");
        let whole = read(&format!("{text}\n"));
        assert!(whole.problems.is_empty() && whole.requests.row(rows - 1).is_some(), "{text}");
    }
}

#[test]
fn zones_that_no_clock_has_are_told() {
    for (zone, hours) in
        [("+0000", Some(8)), ("-0730", Some(15)), ("+0175", None), ("-0060", None), ("+9900", None)]
    {
        let data = read(&format!("::1 - - [30/Nov/2026:08:05:18 {zone}] \"GET / HTTP/1.1\" 200 12\n"));
        let time = data.requests.row(0).and_then(|row| row.time);
        let found = time.map(|micros| micros / 3_600_000_000 % 24);
        assert_eq!((found, data.not_understood), (hours, u64::from(hours.is_none())), "{zone}");
    }
}

#[test]
fn lines_that_only_look_like_an_access_log_cost_little() {
    let line =
        "worker [30/Nov/2026:08:05:18 +0000] did \"this and that\" and then something - else 200 12 times\n";
    // Where each line has the next fifty tried this takes a minute.
    let data = read(&line.repeat(2000));
    assert_eq!(data.requests.len(), 0);
}

#[test]
fn other_logs_are_refused_by_name() {
    for (text, reason) in [
        (
            "[Mon Nov 30 08:05:17.496806 2026] [core:notice] [pid 3337:tid 3337] AH00094: x\n",
            "httpd's error log, which has no figures",
        ),
        (
            "#Software: Microsoft Internet Information Services 10.0\n#Fields: date time s-ip cs-method\n2026-11-30 08:05:18 ::1 GET\n",
            "a W3C log as IIS writes it; have the server write",
        ),
        (
            "{\"time\":\"30/Nov/2026:08:05:18 +0000\",\"remote_ip\":\"::1\",\"request\":\"GET /\"}\n",
            "an access log in JSON; have the server write",
        ),
        (
            "x=1 [30/Nov/2026:08:05:18 +0000] y\n",
            "an access log in an unknown format; give the server's LogFormat",
        ),
    ] {
        let data = read(text);
        assert!(
            data.skipped.as_deref().is_some_and(|skipped| skipped.contains(reason)),
            "{:?}",
            data.skipped
        );
        assert_eq!((data.requests.len(), data.formats.len()), (0, 0));
    }
}

#[test]
fn other_line_ends_quotes_and_encodings_read_the_same() {
    let text = String::from_utf8(crate::sink::testing::bytes("httpd/ops.log")).expect("text");
    let expect = rows(&read(&text));
    assert_eq!(rows(&read(&text.replace('\n', "\r\n"))), expect);
    let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
    assert_eq!(rows(&read(&quoted)), expect);
    let wide: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let data = Readers.read("x", &wide, &ReadOptions::default(), &Silent).expect("nobody cancels");
    assert_eq!(rows(&data), expect);
}

/// Reads all access logs below the folder that the variable names; for logs that are not part of the
/// project.
#[test]
#[ignore = "needs a folder of logs in HTTPD_LOGS"]
fn all_logs_of_a_folder_read_whole() {
    let mut folders = vec![std::path::PathBuf::from(std::env::var("HTTPD_LOGS").expect("HTTPD_LOGS"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).expect("a readable file");
            let data = Readers.read("x", &bytes, &ReadOptions::default(), &Silent).expect("nobody cancels");
            if data.formats.contains(&"httpd") {
                assert_eq!(
                    (data.requests.len() as u64, data.not_understood),
                    (data.lines, 0),
                    "{}",
                    path.display()
                );
                println!("{}: {} rows, {} warnings", path.display(), data.requests.len(), data.warnings());
            }
        }
    }
}

proptest::proptest! {
    #[test]
    fn no_line_panics_or_is_lost(tail in "\\PC{0,80}") {
        let good = r#"::1 - - [30/Nov/2026:08:05:18 +0000] "GET / HTTP/1.1" 200 7"#;
        for strange in [format!("::1 - - [30/Nov/2026:08:05:18 +0000] {tail}"), tail.clone(), format!("[30/Nov/2026:08:05:18 +0000] {tail}")] {
            let data = read(&format!("{good}\n{strange}\n{good}\n"));
            let blank = usize::from(strange.chars().all(|letter| letter == '>' || letter.is_whitespace()));
            proptest::prop_assert!(data.requests.len() + data.not_understood as usize + blank >= 3, "{strange}");
            request_arguments(&strange);
        }
    }

    #[test]
    fn no_format_panics(format in "[%{}>a-zA-Z \"\\\\<!0-9^.-]{0,40}", line in "\\PC{0,60}") {
        if check_log_format(&format).is_ok() {
            read_as(&format!("{line}\n{line}"), Some(&format));
        }
    }

    #[test]
    fn damaged_logs_do_not_panic(at in 0_usize..6000, byte in proptest::num::u8::ANY) {
        let mut bytes = crate::sink::testing::bytes("httpd/ops-timed.log");
        let at = at % bytes.len();
        bytes[at] = byte;
        let data = Readers.read("x", &bytes, &ReadOptions::default(), &Silent).expect("nobody cancels");
        proptest::prop_assert!(data.requests.len() + 2 * data.not_understood as usize + usize::from(byte == b'\r') >= 46);
    }
}
