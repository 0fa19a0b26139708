//! Lines that are rare in genuine logs: other hosts, other line ends, cut and damaged logs, long waits.

use super::request_arguments;
use crate::Readers;
use crate::sink::testing::{bytes, read};
use triptych_model::{Importer, ProblemKind, Quality, ReadOptions, Silent, SourceData};

const HEAD: &str = "24645 2026-11-30T08:03:43.388100Z";

/// `host user action path revision` of all rows, `-` where absent.
fn rows(data: &SourceData) -> Vec<String> {
    let rows = (0..data.requests.len()).filter_map(|index| data.requests.row(index));
    rows.map(|row| {
        let revision = row.revision.map_or("-".to_owned(), |revision| revision.to_string());
        let words = [row.host, row.user, Some(row.action), row.path].map(|text| text.unwrap_or("-"));
        format!("{} {revision}", words.join(" "))
    })
    .collect()
}

fn gaps(data: &SourceData) -> Vec<Option<f64>> {
    (0..data.requests.len()).map(|row| data.requests.gap_before(row)).collect()
}

#[test]
fn hosts_of_tunnels_and_of_both_protocols() {
    for (host, shown) in [
        ("-", "-"),
        ("::1", "::1"),
        ("2001:db8::7f", "2001:db8::7f"),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.1"),
        ("10.0.0.1", "10.0.0.1"),
    ] {
        let data = read(&format!(
            "{HEAD} {host} - - open 2 cap=(edit-pipeline) /tr%20unk SVN/1.14.2 -\n{HEAD} {host} john doe repos update /trunk r6\n"
        ));
        assert_eq!(
            rows(&data),
            [format!("{shown} - open /tr unk -"), format!("{shown} john doe update /trunk 6")]
        );
        assert_eq!((data.not_understood, data.requests.row(0).and_then(|row| row.repository)), (0, None));
    }
}

#[test]
fn line_ends_of_windows_change_nothing() {
    let text = String::from_utf8(bytes("svnserve/svnserve-1.14.2.log")).expect("text");
    let expect = rows(&read(&text));
    let mixed: String = text
        .lines()
        .enumerate()
        .map(|(index, line)| format!("{line}{}", if index % 3 == 0 { "\r\n" } else { "\n" }))
        .collect();
    for other in [text.replace('\n', "\r\n"), mixed] {
        let data = read(&other);
        assert_eq!((rows(&data), data.not_understood, data.warnings()), (expect.clone(), 0, 0));
    }
    let line = format!("{HEAD} ::1 - r get-file /a r1 text\r");
    assert_eq!(request_arguments(line.trim_end()).as_deref(), Some(r#"{"text":true}"#));
}

#[test]
fn a_truncated_copy_begins_with_zero_bytes() {
    let text = bytes("svnserve/rotated.log");
    let expect = rows(&read(std::str::from_utf8(&text).expect("text")));
    for zeros in [1, 384, 70_000] {
        let truncated = [vec![0; zeros], text.clone()].concat();
        let data = Readers.read("x", &truncated, &ReadOptions::default(), &Silent).expect("nobody cancels");
        assert_eq!((rows(&data), data.not_understood), (expect.clone(), 0), "{zeros}");
        let told: Vec<_> = data.problems.iter().map(|problem| (problem.kind, problem.line)).collect();
        assert_eq!(told, [(ProblemKind::Encoding, Some(1))], "{zeros}");
    }
}

#[test]
fn a_log_cut_at_both_ends_loses_two_lines_at_most() {
    let text = String::from_utf8(bytes("svnserve/svnserve-1.14.2.log")).expect("text");
    let head: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    let expect = rows(&read(&head));
    let first = head.find('\n').expect("a line") + 1;
    let last = head.trim_end().rfind('\n').expect("lines") + 1;
    for (start, end) in (1..first).zip((last..head.len()).cycle()) {
        let data = read(&head[start..end]);
        let found = rows(&data);
        let whole = &expect[1..expect.len() - 1];
        assert!(found.windows(whole.len()).any(|part| part == whole), "{start}..{end}: {found:?}");
        assert!(data.not_understood <= 2, "{start}..{end}");
    }
}

#[test]
fn a_last_line_without_an_end_may_be_cut_where_it_can_be_read() {
    let before = format!("{HEAD} ::1 - r get-latest-rev\n{HEAD} ::1 - r ERR - 0 220003 no\n");
    for (last, count, revision) in [
        ("- r commit r12", 3, Some(12)),
        ("- r get-latest-rev", 3, None),
        ("john doe r stat /a@1", 3, Some(1)),
        ("- r Authorization Failed read /a", 3, None),
        ("- r ERR - 0 2200", 3, None),
        ("- r ERR- - 0 2200", 2, None),
        ("- r commit", 3, None),
    ] {
        let line = format!("{HEAD} ::1 {last}");
        // As the only line of a text it gives its row as well.
        for (text, rows) in [(format!("{before}{line}"), count), (line, 1)] {
            let data = read(&text);
            let row = data.requests.row(rows - 1).expect("a row");
            assert_eq!((data.requests.len(), row.revision), (rows, revision), "{text}");
            assert!(row.quality.has(Quality::INCOMPLETE), "{text}");
            assert_eq!((data.problems.len(), data.problems[0].kind), (1, ProblemKind::Cut), "{text}");
            // The same with its line end, of which nothing can be lost.
            let whole = read(&format!("{text}\n"));
            assert!(!whole.problems.iter().any(|problem| problem.kind == ProblemKind::Cut), "{text}");
        }
    }
}

#[test]
fn an_error_without_its_numbers_is_told() {
    for (error, count) in [
        ("ERR - 0 220003 no", 0),
        ("ERR - 0 -5 no", 0),
        ("ERR - 0 - no", 1),
        ("ERR - 0 --5 no", 1),
        ("ERR - 0 x no", 1),
        ("ERR -  5 no", 1),
    ] {
        let data = read(&format!("{HEAD} ::1 - r stat /@1\n{HEAD} ::1 - r {error}\n"));
        let quality = data.requests.row(1).expect("a row").quality;
        assert_eq!((data.not_understood, quality.has(Quality::MALFORMED)), (count, count > 0), "{error}");
    }
}

#[test]
fn other_programs_on_the_same_output_are_told_and_lose_nothing() {
    let noise = "svnserve: warning: cannot set LC_CTYPE locale\n";
    let line = format!("{HEAD} ::1 - r stat /@1\n");
    let data = read(&format!("{}{line}{noise}{line}", noise.repeat(60)));
    assert_eq!((data.requests.len(), data.formats.as_slice()), (2, &["svnserve"][..]));
    assert_eq!((data.not_understood, data.program_output), (1, 60));
}

#[test]
fn messages_have_the_escapes_of_httpds_error_log() {
    for (printed, message) in [
        (r"a\b\n\r\t\v\\z", "a\u{8}\n\r\t\u{b}\\z"),
        (r"\x1b[0m \x7f", "\u{1b}[0m \u{7f}"),
        (r"caf\xc3\xa9", "café"),
        (r"half \xc3", "half \u{fffd}"),
        (r#"a "quote" stays"#, r#"a "quote" stays"#),
    ] {
        let data = read(&format!("{HEAD} ::1 - r ERR - 0 170001 {printed}\n"));
        let row = data.requests.row(0).expect("a row");
        assert_eq!(row.error, Some(format!("170001 {message}").as_str()), "{printed}");
        assert_eq!((row.action, data.not_understood), ("error", 0));
    }
    // svnserve cuts a line at 8192 bytes, silently.
    let long = format!("{HEAD} ::1 - r ERR - 0 170001 {}", "x".repeat(8192));
    let data = read(&format!("{}\n{HEAD} ::1 - r stat /@1\n", &long[..8191]));
    assert_eq!((data.requests.len(), data.not_understood), (2, 0));
}

#[test]
fn builds_of_maintainers_name_the_place_in_the_source() {
    let error = format!("{HEAD} ::1 - r ERR subversion/svnserve/serve.c 2847 2 No such file");
    let data = read(&format!("{error}\n{HEAD} ::1 - r WARN- - 0 13 denied\n"));
    let row = data.requests.row(0).expect("a row");
    assert_eq!((row.error, row.quality), (Some("2 No such file"), Quality::MEASURED));
    assert_eq!(
        request_arguments(&error).as_deref(),
        Some(r#"{"file":"subversion/svnserve/serve.c","line":2847}"#)
    );
    let row = data.requests.row(1).expect("a row");
    assert_eq!((row.action, row.error), ("warning", Some("13 denied")));
}

#[test]
fn blanks_in_a_user_shift_nothing() {
    for (tail, row) in [
        ("john doe bench ERR - 0 210005 No repository", "john doe error - -"),
        ("john doe bench WARN - 0 13 odd", "john doe warning - -"),
        ("john doe bench Authorization Failed read /a b", "john doe denied /a b -"),
        ("a b c bench commit r7", "a b c commit - 7"),
        ("john doe my%20repos get-dir /a r7 text", "john doe get-dir /a 7"),
    ] {
        let data = read(&format!("{HEAD} ::1 {tail}\n"));
        assert_eq!(rows(&data), [format!("::1 {row}")], "{tail}");
        assert_eq!(data.not_understood, 0, "{tail}");
    }
}

#[test]
fn causes_belong_to_the_error_of_their_own_process_time_and_host() {
    let error = format!("{HEAD} ::1 - r ERR - 0 210005 No repository\n");
    for (cause, count) in [
        (format!("{HEAD} ::1 - r ERR- - 0 2 gone\n"), 1),
        (format!("{HEAD} ::2 - r ERR- - 0 2 gone\n"), 2),
        ("24646 2026-11-30T08:03:43.388100Z ::1 - r ERR- - 0 2 gone\n".to_owned(), 2),
        ("24645 2026-11-30T08:03:43.388101Z ::1 - r ERR- - 0 2 gone\n".to_owned(), 2),
    ] {
        assert_eq!(read(&format!("{error}{cause}")).requests.len(), count, "{cause}");
    }
}

#[test]
fn revisions_depths_and_denials_as_they_come() {
    for (tail, row, arguments) in [
        ("get-file /a r-1 text", "get-file /a -1", Some(r#"{"text":true}"#)),
        ("log (/a) r-1:0", "log /a -", Some(r#"{"from":-1,"paths":["/a"],"to":0}"#)),
        ("check-path /a@-1", "check-path /a -1", None),
        ("update / r5 depth=empty", "update / 5", Some(r#"{"depth":"empty"}"#)),
        ("update / r5 depth=files", "update / 5", Some(r#"{"depth":"files"}"#)),
        ("update / r5 depth=immediates", "update / 5", Some(r#"{"depth":"immediates"}"#)),
        ("update / r5 depth=exclude", "update / 5", Some(r#"{"depth":"exclude"}"#)),
        ("update / r5", "update / 5", None),
        ("log (/a) r9:1 limit=100", "log /a -", Some(r#"{"from":9,"limit":100,"paths":["/a"],"to":1}"#)),
        (
            "get-file-revs /a r9:1 include-merged-revisions",
            "get-file-revs /a -",
            Some(r#"{"from":9,"include_merged_revisions":true,"to":1}"#),
        ),
        ("Authorization Failed write /a b", "denied /a b -", Some(r#"{"access":"write"}"#)),
        (
            "Authorization Failed recursive write /a",
            "denied /a -",
            Some(r#"{"access":"write","recursive":true}"#),
        ),
        ("list /a r6 depth=immediates <ANY>", "list /a 6", Some(r#"{"depth":"immediates"}"#)),
        ("list /a r6 depth=files *.c", "list /a 6", Some(r#"{"depth":"files","patterns":["*.c"]}"#)),
        // Nothing tells where one pattern ends and the next begins.
        ("list /a r6 *.txt file 1* %41", "list /a 6", Some(r#"{"patterns":["*.txt file 1* %41"]}"#)),
        ("reparent /a!$&'()*+,-.:=@_~%20%25%C3%A9", "reparent /a!$&'()*+,-.:=@_~ %é -", None),
    ] {
        let line = format!("{HEAD} ::1 - r {tail}");
        let data = read(&line);
        assert_eq!(rows(&data), [format!("::1 - {row}")], "{tail}");
        assert_eq!((data.not_understood, request_arguments(&line).as_deref()), (0, arguments), "{tail}");
    }
}

#[test]
fn damaged_replays_keep_their_revision_alone() {
    for (tail, path, revision, quality) in [
        ("/trunk/sub                  %(old)          1753150384ir r1", None, 1, Quality::CORRUPT_PATH),
        ("/trunk/a-1245181024 r12", Some("/trunk/a-1245181024"), 12, Quality::NONE),
        ("/trunk/a\u{1}0x1.8p+3 b r7", None, 7, Quality::CORRUPT_PATH),
        ("/tr r5 unk r6", None, 6, Quality::CORRUPT_PATH),
        ("/trunk r-1", Some("/trunk"), -1, Quality::NONE),
    ] {
        let data = read(&format!("{HEAD} ::1 - bench replay {tail}\n"));
        let row = data.requests.row(0).expect(tail);
        assert_eq!((row.action, row.path, row.revision), ("replay", path, Some(revision)), "{tail}");
        assert_eq!(row.quality, Quality::MEASURED.with(quality), "{tail}");
        assert_eq!(data.not_understood, 0, "{tail}");
    }
}

#[test]
fn an_open_always_begins_a_session() {
    let line = |time: &str, pid: u32, rest: &str| format!("{pid} 2026-{time}.000000Z ::1 - r {rest}\n");
    // The id of a process comes round after days.
    let data = read(
        &[
            line("11-28T08:00:00", 7, "open 2 cap=() / x -"),
            line("11-28T08:00:03", 7, "stat /@1"),
            line("11-30T08:00:00", 7, "open 2 cap=() / x -"),
            line("11-30T08:00:01", 7, "stat /@1"),
        ]
        .concat(),
    );
    assert_eq!(gaps(&data), [None, Some(3.0), None, Some(1.0)]);
    assert!(data.requests.qualities().iter().all(|quality| *quality == Quality::MEASURED));
    // Two sessions of one host in one process.
    let data = read(
        &[
            line("11-28T08:00:00", 7, "open 2 cap=() / x -"),
            line("11-28T08:00:01", 7, "open 2 cap=() / x -"),
            line("11-28T08:00:02", 7, "stat /@1"),
        ]
        .concat(),
    );
    assert_eq!(gaps(&data)[..2], [None, None]);
    assert!(data.requests.qualities().iter().all(|quality| quality.has(Quality::SESSION_GUESSED)));
}

#[test]
fn what_has_no_number_or_no_utc_in_front_is_none() {
    for line in [
        "2026-11-30T08:03:43.388100Z ::1 - r stat /@1",
        "7 2026-11-30T08:03:43.388100 ::1 - r stat /@1",
        "7 2026-11-30T08:03:43.3881Z ::1 - r stat /@1",
        "7 2026-11-30 08:03:43.388100Z ::1 - r stat /@1",
        "7 08:03:43.388100 stat(\"/\") = 0",
    ] {
        assert!(read(line).formats.is_empty(), "{line}");
    }
}
