//! The arguments of requests, made of their lines when they are asked for.
//!
//! Rows keep none of them: Details and the export of requests read the lines again, through the same text
//! layer as the readers, so that quoted, coloured and UTF-16 logs give what plain ones do.

use crate::formats;
use crate::formats::exported::ArgumentsColumn;
use crate::text::{Head, Lines, line_as_utf8, utf8};
use triptych_model::{ReadOptions, RequestArguments};

/// What reads the arguments of the lines of a source with that head.
pub fn reader<'a>(head: &[u8], options: &'a ReadOptions) -> RequestArguments<'a> {
    let text = Head::new(head);
    let exported = ArgumentsColumn::of(&utf8(head));
    Box::new(move |bytes| {
        if let Some(column) = &exported {
            // A cell may hold line ends; only where two bytes are a character they cannot be looked past.
            return if text.is_wide() { column.read(&line_as_utf8(text, bytes)) } else { column.read(bytes) };
        }
        let bytes = line_as_utf8(text, bytes);
        let lines = Lines::part(&bytes);
        let arguments = formats::request_arguments(lines.get(0)?.text, options.log_format.as_deref())?;
        if arguments.is_empty() { Some(String::new()) } else { serde_json::to_string(&arguments).ok() }
    })
}

#[cfg(test)]
mod tests {
    use crate::Readers;
    use crate::sink::testing::bytes;
    use triptych_model::{Importer as _, ReadOptions, Silent};

    /// Action and arguments of each row of a source.
    fn arguments(bytes: &[u8], options: &ReadOptions) -> Vec<(String, Option<String>)> {
        let data = Readers.read("x", bytes, options, &Silent).expect("nobody cancels");
        assert_eq!((data.not_understood, &data.error), (0, &None));
        let read = Readers.request_arguments(&bytes[..bytes.len().min(16 << 10)], options);
        let row = |row: usize| {
            let offset = usize::try_from(data.requests.offsets()[row]).expect("small");
            (data.requests.row(row).expect("a row").action.to_owned(), read(&bytes[offset..]))
        };
        (0..data.requests.len()).map(row).collect()
    }

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
    }

    fn each_line(text: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
        text.lines().map(change).collect::<String>().into_bytes()
    }

    fn log(name: &str) -> String {
        String::from_utf8(bytes(name)).expect("UTF-8")
    }

    #[test]
    fn the_arguments_of_a_log_are_the_same_however_it_came() {
        for name in ["svnserve/svnserve-1.6.9.log", "svnserve/fork-1.14.log", "httpd/ops.log"] {
            let text = log(name);
            let plain = arguments(text.as_bytes(), &ReadOptions::default());
            assert!(
                plain.iter().filter(|row| row.1.as_deref().is_some_and(|json| json.len() > 5)).count() > 9
            );
            assert!(plain.iter().all(|row| row.1.is_some()), "{name}");
            for (how, bytes) in [
                ("UTF-16LE", utf16(&text, u16::to_le_bytes)),
                ("UTF-16BE", utf16(&text, u16::to_be_bytes)),
                ("UTF-8 with a mark", format!("\u{feff}{text}").into_bytes()),
                ("quoted", each_line(&text, |line| format!("> {line}\n"))),
                ("CRLF", each_line(&text, |line| format!("{line}\r\n"))),
                ("only CR", each_line(&text, |line| format!("{line}\r"))),
                ("coloured", each_line(&text, |line| format!("\u{1b}[32m{line}\u{1b}[0m\n"))),
            ] {
                assert_eq!(arguments(&bytes, &ReadOptions::default()), plain, "{name} {how}");
            }
        }
    }

    #[test]
    fn exported_arguments_are_found_by_the_header() {
        let text = log("triptych-csv/requests.csv");
        let plain = arguments(&bytes("svnserve/svnserve-1.6.9.log"), &ReadOptions::default());
        let without_user = |line: &str| {
            let cells: Vec<&str> = line.splitn(8, ',').collect();
            format!("{},{}\n", cells[..6].join(","), cells[7])
        };
        for (how, bytes) in [
            ("as written", text.clone().into_bytes()),
            ("with a mark", format!("\u{feff}{text}").into_bytes()),
            ("UTF-16", utf16(&text, u16::to_le_bytes)),
            ("CRLF", each_line(&text, |line| format!("{line}\r\n"))),
            ("a column less", each_line(&text, without_user)),
        ] {
            assert_eq!(arguments(&bytes, &ReadOptions::default()), plain, "{how}");
        }
    }

    #[test]
    fn a_typed_log_format_gives_arguments() {
        let log_format = Some("when=%t action=%{SVN-ACTION}e bytes=%O".to_owned());
        let options = ReadOptions { log_format, ..ReadOptions::default() };
        let line = "when=[30/Nov/2026:09:05:18 +0100] action=get-dir /a r4 props bytes=12\n";
        assert_eq!(
            arguments(line.as_bytes(), &options),
            [("get-dir".to_owned(), Some(r#"{"props":true}"#.to_owned()))]
        );
    }
}
