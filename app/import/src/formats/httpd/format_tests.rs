//! Tests of LogFormat strings that a user types: what they read, and what is wrong with others.

use super::check_log_format;
use super::tests::{read_as, rows};
use triptych_model::{ProblemKind, Severity};

#[test]
fn a_format_typed_by_the_user_is_followed() {
    for (format, line, expect) in [
        (
            "%h %l %u %t \"%r\" %>s %b",
            r#"::1 - a [30/Nov/2026:08:05:18 +0000] "GET /x HTTP/1.1" 200 5"#,
            "2026-11-30T08:05:18.000000Z | ::1 | a | - | GET | /x | - | 200 | - | 5 | - | - | measured",
        ),
        (
            r#"LogFormat "%h %t \"%r\" %>s %{ms}T" mine"#,
            r#"::1 [30/Nov/2026:08:05:18 +0000] "GET /x HTTP/1.1" 200 15"#,
            "2026-11-30T08:05:18.000000Z | ::1 | - | - | GET | /x | - | 200 | - | - | 0.015 | - | measured",
        ),
        (
            r#""%t %a %m %U%q %s %>s %I %O %b %D %T %{us}T %P %k%X %%""#,
            "[30/Nov/2026:08:05:18 +0000] ::1 GET /x y?z 301 200 3 9 5 1500 0 1501 77 2+ %",
            "2026-11-30T08:05:18.000000Z | ::1 | - | - | GET | /x y | - | 200 | 3 | 9 | 0.0015 | 77 | measured",
        ),
        (
            "%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t %r",
            "30/Nov/2026 10:05:18.250 +0200 GET /x HTTP/1.0",
            "2026-11-30T08:05:18.250000Z | - | - | - | GET | /x | - | - | - | - | - | - | measured",
        ),
        (
            "%{usec}t|%{SVN-ACTION}e|%{SVN-REPOS}e|%{x}o",
            "1796025918000007|commit r3|/srv/my%20repos|y",
            "2026-11-30T08:05:18.000007Z | - | - | /srv/my repos | commit | - | 3 | - | - | - | - | - | measured",
        ),
        (
            "%{end:sec}t %T %r",
            "1796025918 2 GET /x HTTP/1.0",
            "2026-11-30T08:05:16.000000Z | - | - | - | GET | /x | - | - | - | - | 2 | - | measured",
        ),
        (
            "%{%F %T}t \"%{X-Forwarded-For}i\" %h \"%r\" \"%{User-Agent}i\" %V %v %p %H %f %{c}a %{tid}P %{note}n",
            "2026-11-30 08:05:18 \"10.1.1.1, 10.2.2.2\" ::1 \"GET /x HTTP/1.0\" \"S\" a b 80 HTTP/1.0 /f g ::1 12 n",
            "2026-11-30T08:05:18.000000Z | 10.1.1.1 | - | - | GET | /x | - | - | - | - | - | - | measured+zone-assumed",
        ),
        (
            "combined",
            r#"::1 - a [30/Nov/2026:08:05:18 +0000] "GET /x HTTP/1.1" 200 5 "-" "-""#,
            "2026-11-30T08:05:18.000000Z | ::1 | a | - | GET | /x | - | 200 | - | 5 | - | - | measured",
        ),
        (
            r#"CustomLog logs/svn_log "%t %{SVN-ACTION}e %!200,304s" env=SVN-ACTION"#,
            "[30/Nov/2026:08:05:18 +0000] get-file /a r1 text 200",
            "2026-11-30T08:05:18.000000Z | - | - | - | get-file | /a | 1 | 200 | - | - | - | - | measured",
        ),
    ] {
        let data = read_as(&format!("{line}\n"), Some(format));
        assert_eq!((rows(&data), data.not_understood), (vec![expect.to_owned()], 0), "{format}");
        assert_eq!(data.warnings(), 0, "{format}: {:?}", data.problems);
    }
}

#[test]
fn a_format_that_does_not_fit_falls_back_and_says_so() {
    let line = r#"::1 - a [30/Nov/2026:08:05:18 +0000] "GET /x HTTP/1.1" 200 5"#;
    let data = read_as(&format!("{line}\n"), Some("%t %r"));
    assert_eq!((data.requests.len(), data.warnings()), (1, 1));
    assert!(
        data.problems[0].message.ends_with("does not fit; the log was read as common"),
        "{:?}",
        data.problems
    );
    // Other files of the same import are read by their own readers.
    let data = read_as("real\t0m1.000s\nuser\t0m1.000s\nsys\t0m1.000s\n", Some("%t %r"));
    assert_eq!((data.formats.as_slice(), data.warnings()), (&["shell-time"][..], 0));
}

#[test]
fn a_wrong_format_is_refused_with_the_place() {
    for (format, column, message, expected) in [
        ("%h %t %r %y", 11, "no such directive", "one of %a"),
        ("%t %r %e", 8, "the directive needs a name", "a name in braces"),
        ("%t %r %{User-Agenti", 8, "the argument is not closed", "a } behind it"),
        ("%t %r %{min}T", 9, "no such argument", "s, ms or us"),
        ("%t %r %{x}P", 9, "no such argument", "pid, tid or hextid"),
        ("%r %{%Y-%Q}t", 9, "no such part of a time", "a format of strftime"),
        ("%r %{now}t", 6, "no such part of a time", "a format of strftime"),
        ("%t ä %r %", 9, "the directive ends too early", "one of %a"),
        ("%h %r", 6, "the format has no time", "%t or %{…}t"),
        ("%h %t", 6, "the format does not say what was asked", "%r, %m or"),
        ("common ", 0, "", ""),
        ("comon", 1, "there is no directive", "directives such as %h, or one of common"),
        ("", 1, "there is no directive", "directives"),
        ("LogFormat combined", 19, "the format is not quoted", "a format between double quotes"),
        ("%t %r %^xx", 8, "no such directive", "^FB"),
    ] {
        match check_log_format(format) {
            Ok(()) => assert_eq!(column, 0, "{format}"),
            Err(wrong) => {
                assert_eq!((wrong.column, wrong.message.as_str()), (column, message), "{format}");
                assert!(wrong.expected.starts_with(expected), "{format}: {}", wrong.expected);
            }
        }
    }
    let data = read_as("anything\n", Some("%h %t %r %y"));
    let error = data.error.expect("refused");
    assert_eq!((error.kind, error.severity), (ProblemKind::Refused, Severity::Error));
    assert!(error.message.contains("column 11: no such directive"), "{}", error.message);
}
