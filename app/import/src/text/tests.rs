//! Tests of the text layer: encodings, line ends, quote marks, colours, and places of lines.

use super::*;

fn check(bytes: &[u8], expect: &[(u32, u64, u8, &str)]) {
    let lines = Lines::new(bytes);
    let found: Vec<_> =
        lines.starting_at(0).map(|(_, line)| (line.number, line.offset, line.depth, line.text)).collect();
    assert_eq!(found, expect, "{bytes:?}");
    assert_eq!(lines.len(), expect.len());
}

fn utf16(text: &str, big: bool, mark: bool) -> Vec<u8> {
    let mut units: Vec<u16> = if mark { vec![0xfeff] } else { Vec::new() };
    units.extend(text.encode_utf16());
    units.iter().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

#[test]
fn plain_text_is_borrowed_and_placed() {
    check(b"", &[]);
    check(b"a", &[(1, 0, 0, "a")]);
    check(b"a\n", &[(1, 0, 0, "a")]);
    check(b"a\n\nb", &[(1, 0, 0, "a"), (2, 2, 0, ""), (3, 3, 0, "b")]);
    check(b"a\r\nb\r\n", &[(1, 0, 0, "a"), (2, 3, 0, "b")]);
    check("ä\nb\n".as_bytes(), &[(1, 0, 0, "ä"), (2, 3, 0, "b")]);
    check(b"\xef\xbb\xbfa\nb\n", &[(1, 3, 0, "a"), (2, 5, 0, "b")]);
    assert!(matches!(Lines::new(b"a\r\nb\n").text, Cow::Borrowed(_)));
    assert!(matches!(Lines::new(b"\0\0\0a\nb\n").text, Cow::Borrowed(_)));
}

#[test]
fn a_last_line_without_an_end_is_open_in_any_encoding() {
    for text in ["a", "a\nb", "> a\n> b", "a\rb", "\x1b[1ma\x1b[0m", "a\r\nü", "a\0"] {
        for end in ["", "\n", "\r\n", "\r"] {
            let whole = format!("{text}{end}");
            let western: Vec<u8> = whole.chars().map(|letter| letter as u8).collect();
            for bytes in [utf16(&whole, false, true), utf16(&whole, true, true), western, whole.into_bytes()]
            {
                let lines = Lines::new(&bytes);
                let open: Vec<usize> =
                    lines.starting_at(0).filter(|(_, line)| line.is_open).map(|(at, _)| at).collect();
                let expect = if end.is_empty() { vec![lines.len() - 1] } else { Vec::new() };
                assert_eq!(open, expect, "{bytes:?}");
                assert_eq!(Lines::part(b"a\n\xe4\n").get(1).map(|line| line.is_open), Some(false));
            }
        }
    }
    let mut odd = utf16("a\n", false, true);
    odd.push(b'x');
    assert_eq!(Lines::new(&odd).get(1).map(|line| line.is_open), Some(true));
}

#[test]
fn quote_marks_come_off_at_any_depth() {
    check(
        b"> a\n>> b\n > > c\n>>>d\ntakes > 30 minutes\n| a | b |\n    > code\n>\n",
        &[
            (1, 0, 1, "a"),
            (2, 4, 2, "b"),
            (3, 9, 2, "c"),
            (4, 16, 3, "d"),
            (5, 21, 0, "takes > 30 minutes"),
            (6, 40, 0, "| a | b |"),
            (7, 50, 0, "    > code"),
            (8, 61, 1, ""),
        ],
    );
}

#[test]
fn bars_are_quote_marks_where_no_table_has_them() {
    check(
        b"| a\n|> b\n> | c | d\n|\n",
        &[(1, 0, 1, "a"), (2, 4, 2, "b"), (3, 9, 2, "c | d"), (4, 19, 1, "")],
    );
    check(b"| a\n| b | c |\n", &[(1, 0, 0, "| a"), (2, 4, 0, "| b | c |")]);
    check(b"|===\n| a\n", &[(1, 0, 0, "|==="), (2, 5, 0, "| a")]);
    check(b" | a\n", &[(1, 0, 0, " | a")]);
    let mut marked = b"\xef\xbb\xbf".to_vec();
    marked.extend(b"| \x1b[1ma\x1b[0m\n");
    check(&marked, &[(1, 3, 1, "a")]);
}

/// FORMATS.md §0.2, step by step; each makes the same block of times readable.
#[test]
fn every_step_of_the_text_layer() {
    let text = "real\t0m1.500s\nuser\t0m0.250s\nsys\t0m0.125s\n";
    let quoted = |mark: &str| text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let umlaut: Vec<u8> = [b"Stra\xdfe\n".as_slice(), text.as_bytes()].concat();
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        utf16(text, false, true),
        utf16(text, true, true),
        utf16(text, false, false),
        umlaut,
        text.replace('\n', "\r\n").into_bytes(),
        text.replace('\n', "\r").into_bytes(),
        format!("10%\r99%\n{text}").into_bytes(),
        text.replace("0m", "\x1b[1;34m0m").replace('\n', "\n\x1b[0m").into_bytes(),
        text.replace("0m", "\x1b(B0m").into_bytes(),
        text.replace("0m", "\x1b]0;title\x070m").into_bytes(),
        [&[0; 4096], text.as_bytes()].concat(),
        quoted("> ").into_bytes(),
        quoted(">> ").into_bytes(),
        quoted("> > ").into_bytes(),
        quoted("  >").into_bytes(),
        quoted("| ").into_bytes(),
        quoted(">|").into_bytes(),
    ] {
        let options = triptych_model::ReadOptions::default();
        let data =
            triptych_model::Importer::read(&crate::Readers, "x", &bytes, &options, &triptych_model::Silent)
                .expect("nobody cancels");
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let found: Vec<_> = data.measurements.iter().filter_map(|row| row.value).collect();
        assert_eq!(found, [1.5, 0.25, 0.125], "{shown:?}");
        assert_eq!(data.not_understood, 0, "{shown:?}");
    }
}

#[test]
fn sixteen_bit_text_with_and_without_mark() {
    for (big, mark) in [(false, true), (true, true), (false, false), (true, false)] {
        let base = if mark { 2 } else { 0 };
        check(
            &utf16("> real 1\r\nümlaut\n", big, mark),
            &[(1, base, 1, "real 1"), (2, base + 20, 0, "ümlaut")],
        );
    }
    let mut odd = utf16("real 1.2\n", false, true);
    odd.push(b'x');
    let lines = Lines::new(&odd);
    assert_eq!(lines.get(0).map(|line| line.text), Some("real 1.2"));
    assert_eq!(lines.repairs(), [Repair { line: 2, message: BAD_UTF16, lossy: true }]);
}

#[test]
fn western_text_line_by_line() {
    check(b"Durchschn.: \xe4\nna\xc3\xafve\n", &[(1, 0, 0, "Durchschn.: ä"), (2, 14, 0, "naïve")]);
    let lines = Lines::new(b"ok\n\x80 5\n");
    assert_eq!(lines.get(1).map(|line| line.text), Some("€ 5"));
    assert_eq!(lines.repairs(), [Repair { line: 2, message: NOT_UTF8, lossy: false }]);
}

#[test]
fn lone_carriage_returns_are_overwritten_text_or_line_ends() {
    check(
        b"10%\r50%\rdone\r\nnext\n",
        &[(1, 0, 0, "10%"), (1, 4, 0, "50%"), (1, 8, 0, "done"), (2, 14, 0, "next")],
    );
    check(b"a\rb\rc\r", &[(1, 0, 0, "a"), (2, 2, 0, "b"), (3, 4, 0, "c")]);
    check(b"a\r\r\nb\r\r\n", &[(1, 0, 0, "a"), (2, 4, 0, "b")]);
    assert_eq!(Lines::new(b"10%\r50%\r\nnext\n").physical(), 2);
}

#[test]
fn terminal_sequences_and_nul_runs_vanish() {
    check(b"\x1b[0m\x1b[1;34m08:03\x1b[0m x\n", &[(1, 0, 0, "08:03 x")]);
    check(b"\x1b]0;title\x07a\x1b(Bb\x1b]8;;u\x1b\\c\x1b[3\n", &[(1, 0, 0, "abc")]);
    check(b"a\n\0\0\0b\n", &[(1, 0, 0, "a"), (2, 2, 0, "b")]);
    check(b"\0\0\0b\nc\n", &[(1, 3, 0, "b"), (2, 5, 0, "c")]);
    assert_eq!(Lines::new(b"a\n\0\0b\n").repairs(), [Repair { line: 2, message: NUL_RUN, lossy: true }]);
}

proptest::proptest! {
    #[test]
    fn any_bytes_make_lines_in_order(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        let lines = Lines::new(&bytes);
        let mut last = (0, 0);
        for (_, line) in lines.starting_at(0) {
            proptest::prop_assert!(line.number >= last.0 && line.offset >= last.1);
            proptest::prop_assert!(line.offset <= bytes.len() as u64);
            proptest::prop_assert_eq!(line.text.find(['\n', '\0', '\x1b']), None);
            last = (line.number, line.offset);
        }
        proptest::prop_assert!(lines.get(lines.len()).is_none());
    }
}
