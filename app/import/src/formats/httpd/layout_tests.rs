//! The layouts that FORMATS.md names, made of the genuine logs by leaving fields out: what is left reads the same.

use super::tests::{read_as, rows};
use crate::sink::testing::{bytes, read};
use triptych_model::{Quality, SourceData};

fn genuine(name: &str) -> String {
    String::from_utf8(bytes(&format!("httpd/{name}"))).expect("text")
}

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

fn whole(data: &SourceData, rows: usize, what: &str) {
    assert_eq!(
        (data.requests.len(), data.not_understood, data.warnings()),
        (rows, 0, 0),
        "{what}: {:?}",
        data.problems
    );
}

/// A line up to its last `count` quoted texts.
fn without_quoted(line: &str, count: usize) -> String {
    (0..count).fold(line, |line, _| line.rsplit_once(" \"").map_or(line, |(head, _)| head)).to_owned()
}

#[test]
fn common_is_combined_without_its_last_two() {
    let combined = genuine("access-combined.log");
    let common = read(&each_line(&combined, |line| without_quoted(line, 2)));
    whole(&common, 193, "common");
    assert_eq!(rows(&common), rows(&read(&combined)));
    // With %D behind it, as in the genuine common log.
    let timed = genuine("access-common-us.log");
    let plain = each_line(&timed, |line| line.rsplit_once(' ').map_or(line, |(head, _)| head).to_owned());
    let plain = read(&plain);
    whole(&plain, 60, "common without %D");
    let without_duration = |row: String| {
        let mut fields: Vec<&str> = row.split(" | ").collect();
        if let Some(duration) = fields.get_mut(10) {
            *duration = "-";
        }
        fields.join(" | ")
    };
    let timed: Vec<String> = rows(&read(&timed)).into_iter().map(without_duration).collect();
    assert_eq!(rows(&plain), timed);
}

#[test]
fn combined_with_the_action_behind_it() {
    let combined = genuine("access-combined.log");
    let text = each_line(&combined, |line| format!("{line} \"-\" \"-\""));
    let data = read(&text);
    whole(&data, 193, "combined-svn without actions");
    assert_eq!(rows(&data), rows(&read(&combined)));
    let action = r#"list /a r6 depth=immediates *.txt file \"1"#;
    let text = each_line(&combined, |line| format!("{line} \"bench\" \"{action}\""));
    let data = read(&text);
    whole(&data, 193, "combined-svn");
    let row = data.requests.row(7).expect("a row");
    assert_eq!(
        (row.action, row.path, row.revision, row.repository),
        ("list", Some("/a"), Some(6), Some("bench"))
    );
}

#[test]
fn the_books_layout_has_no_repository() {
    let ops = genuine("ops.log");
    let book = each_line(&ops, |line| line.replacen(" bench ", " ", 1));
    let data = read(&book);
    whole(&data, 47, "book");
    let without_repository = |row: String| row.replacen("| bench |", "| - |", 1);
    let expect: Vec<String> = rows(&read(&ops)).into_iter().map(without_repository).collect();
    assert_eq!(rows(&data), expect);
    assert!(expect.iter().any(|row| row.contains("| get-dir |") && row.contains("| - |")));
}

#[test]
fn vanias_layout_has_the_action_in_the_middle() {
    let ops = genuine("ops.log");
    let vania = each_line(&ops, |line| {
        let (time, rest) = line.split_once("] ").expect("a time");
        let (user, action) = rest.split_once(" bench ").expect("a repository");
        format!("{time}] {action} {user} 127.0.0.1")
    });
    let data = read(&vania);
    whole(&data, 47, "vania");
    for (row, plain) in rows(&data).iter().zip(rows(&read(&ops))) {
        let plain = plain.replacen("| - |", "| 127.0.0.1 |", 1).replacen("| bench |", "| - |", 1);
        assert_eq!(*row, plain);
    }
}

#[test]
fn times_have_the_offset_of_the_server_and_english_months() {
    for (time, expect) in [
        ("30/Nov/2026:08:05:18 +0000", "2026-11-30T08:05:18"),
        ("30/Nov/2026:13:35:18 +0530", "2026-11-30T08:05:18"),
        ("29/Nov/2026:22:05:18 -1000", "2026-11-29T08:05:18"),
        ("01/Jan/2027:00:30:00 +0100", "2026-12-31T23:30:00"),
        ("29/Feb/2028:12:00:00 +0000", "2028-02-29T12:00:00"),
    ] {
        let data = read(&format!("::1 - - [{time}] \"GET / HTTP/1.1\" 200 7\n"));
        let row = rows(&data).into_iter().next().unwrap_or_default();
        if time.starts_with("29/Nov") {
            assert!(row.starts_with("2026-11-30T08:05:18"), "{row}");
        } else {
            assert!(row.starts_with(expect), "{row}");
        }
        assert_eq!(data.requests.qualities(), [Quality::MEASURED], "{time}");
    }
    for time in ["30/Dez/2026:08:05:18 +0000", "31/Nov/2026:08:05:18 +0000", "30/Nov/2026:25:05:18 +0000"] {
        let line = format!("::1 - - [{time}] \"GET / HTTP/1.1\" 200 7\n");
        assert_eq!(read(&line).requests.len(), 0, "{time}");
    }
}

#[test]
fn units_of_durations_and_bytes() {
    for (format, line, duration, out, into) in [
        ("%t %r %D", "1500", Some(0.0015), None, None),
        ("%t %r %T", "2", Some(2.0), None, None),
        ("%t %r %{ms}T", "15", Some(0.015), None, None),
        ("%t %r %{us}T", "15", Some(0.000_015), None, None),
        ("%t %r %{s}T", "3", Some(3.0), None, None),
        ("%t %r %b", "-", None, Some(0), None),
        ("%t %r %O", "0", None, Some(0), None),
        ("%t %r %I", "77", None, None, Some(77)),
    ] {
        let text = format!("[30/Nov/2026:08:05:18 +0000] GET /x HTTP/1.1 {line}\n");
        let data = read_as(&text, Some(format));
        let row = data.requests.row(0).expect(format);
        assert_eq!((row.duration, row.bytes_out, row.bytes_in), (duration, out, into), "{format}");
    }
}

#[test]
fn escapes_of_httpd_come_off_before_those_of_the_path() {
    let t = "[30/Nov/2026:08:05:18 +0000]";
    for (printed, path) in [
        (r"/a\tb", "/a\tb"),
        (r"/a\nb", "/a\nb"),
        (r#"/a\"b"#, "/a\"b"),
        (r"/a\\b", r"/a\b"),
        (r"/a%5Cb", r"/a\b"),
        (r"/\xc3\xa4", "/ä"),
        (r"/%C3%A4", "/ä"),
        (r"/\x25", "/%"),
    ] {
        let data = read(&format!("::1 - - {t} \"GET {printed} HTTP/1.1\" 200 7\n"));
        assert_eq!(
            data.requests.row(0).and_then(|row| row.path.map(str::to_owned)).as_deref(),
            Some(path),
            "{printed}"
        );
        assert_eq!(data.not_understood, 0, "{printed}");
    }
}
