//! Logs of Subversion's tests: `build/run_tests.py` writes how long each test program took.

use super::timedelta::parse_timedelta;
use crate::format::LineFormat;
use crate::signs::Signs;
use crate::sink::{Sink, measured, set_content};
use crate::text::Lines;
use triptych_model::{Cancelled, FormatSpec, Key, Process, Quality, ReadOptions, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static TEST_LOG: TestLog = TestLog;

static SPEC: FormatSpec = FormatSpec {
    id: "test-log",
    title: "Subversion test log",
    help: "how long each test program took, from the tests.log of Subversion's build",
    extensions: &["log"],
    samples: "test-log",
};

/// The reader.
pub struct TestLog;

const HEAD: &str = "ELAPSED: ";

impl LineFormat for TestLog {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'E' => const { Signs::any_of(&[":"]) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(line) = lines.get(at) else { return Ok(None) };
        let Some(rest) = line.text.strip_prefix(HEAD) else { return Ok(None) };
        let Some((name, raw)) = rest.split_once(' ').filter(|(name, _)| !name.is_empty()) else {
            return Ok(None);
        };
        let place = (line.number, line.offset);
        let raw = raw.trim();
        let value = parse_timedelta(raw);
        if value.is_none() && !raw.contains(':') {
            return Ok(None);
        }
        let mut row = RunRow { line: place.0, offset: place.1, ..RunRow::default() };
        set_content(&mut row, Key::Operation, name);
        sink.close_run();
        let run = sink.run(row);
        let mut row = measured(run, place, Process::Client, "real", Unit::Secs, value, raw);
        if value.is_none() {
            row.quality = row.quality.with(Quality::MALFORMED);
            let column = u32::try_from(HEAD.len() + name.chars().count() + 2).unwrap_or(u32::MAX);
            let expected = "a time such as 0:01:02.123456 or 1 day, 0:00:01";
            sink.not_understood(place.0, column, "unreadable time", raw, expected);
        }
        sink.measure(row);
        Ok(Some(at + 1))
    }
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{read, sample, values};
    use triptych_model::Key;

    #[test]
    fn times_with_and_without_fraction_and_days() {
        for (line, expect, not_understood) in [
            ("ELAPSED: basic_tests.py 0:01:02.123456", Some("real=62.123456s"), 0),
            ("ELAPSED: basic_tests.py 0:01:02", Some("real=62s"), 0),
            ("ELAPSED: basic_tests.py 1 day, 0:00:01", Some("real=86401s"), 0),
            ("ELAPSED: basic_tests.py 2 days, 3:00:00.5", Some("real=183600.5s"), 0),
            ("ELAPSED: basic_tests.py 0:01:x2", Some("real=?s"), 1),
            ("ELAPSED: basic_tests.py", None, 0),
            ("ELAPSED: 3 seconds", None, 0),
        ] {
            let data = read(&format!("{line}\n"));
            assert_eq!(data.runs.len(), usize::from(expect.is_some()), "{line}");
            if let Some(expect) = expect {
                assert_eq!(values(&data, 0), [expect], "{line}");
                assert_eq!(data.runs[0].content.get(Key::Operation), Some("basic_tests.py"));
            }
            assert_eq!(data.not_understood, not_understood, "{line}");
        }
    }

    #[test]
    fn a_log() {
        let data = sample("test-log/tests.log");
        assert_eq!((data.formats.as_slice(), data.not_understood), (["test-log"].as_slice(), 0));
        let found: Vec<_> = data.measurements.iter().map(|row| row.raw.as_str()).collect();
        assert_eq!(found, ["0:00:41.310842", "0:00:03", "1 day, 0:00:01"]);
    }
}
