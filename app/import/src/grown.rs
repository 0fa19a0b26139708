//! Logs that grew since they were read: only what was appended is read.
//!
//! Used by [`crate::Readers`] for the logs that are read in blocks, for a block needs nothing of what
//! stands before it. All others are read whole again: they are small.

use crate::format::{Block, Format};
use crate::formats::FORMATS;
use crate::sink::Sink;
use crate::text::{Lines, is_wide};
use triptych_model::{Cancelled, Problem, ProblemKind, Progress, ReadOptions, SourceData};

/// Adds the rows of what was appended behind the last byte that was read.
///
/// False where that cannot be: the log is of another kind, its last line was not whole, or what was
/// appended is not more of the same. Then nothing has changed, and the source must be read whole.
///
/// # Errors
/// Only [`Cancelled`].
pub fn read_on(
    data: &mut SourceData,
    appended: &[u8],
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<bool, Cancelled> {
    let [id] = data.formats[..] else { return Ok(false) };
    let is_one = |format: &&Format| format.spec().id == id;
    let Some(Format::Lines(reader)) = FORMATS.iter().find(is_one) else { return Ok(false) };
    if is_strange(data) {
        return Ok(false);
    }
    let first = appended.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok(lines_before) = u32::try_from(data.lines) else { return Ok(false) };
    if is_wide(appended) || !first.ends_with(b"\n") {
        return Ok(false);
    }
    let lines = Lines::part(appended);
    let format = reader.blocks(&lines, options).filter(|format| format.needs_no_head());
    let Some(format) = format.filter(|format| format.may_begin(first)) else { return Ok(false) };
    let mut part = Sink::new(&data.path, options, progress);
    part.data.bytes = appended.len() as u64;
    let block = Block { lines: &lines, end: lines.len(), is_first: false };
    let is_more = !lines.has_marks() && lines.repairs().is_empty() && format.read_block(&block, &mut part)?;
    if !is_more {
        return Ok(false);
    }
    let path = data.path.clone();
    let mut whole = Sink::new(&path, options, progress);
    whole.resume(std::mem::take(data));
    let bytes = whole.data.bytes;
    whole.absorb(&mut part, lines_before, bytes);
    whole.data.bytes += appended.len() as u64;
    whole.data.lines += lines.physical();
    format.finish(&mut whole);
    *data = whole.finish();
    Ok(true)
}

/// Whether what was read ends with a line that is cut, or has lines that are none of the log's: with more
/// behind them they would be read otherwise, and rows on both sides of many such lines are strangers.
fn is_strange(data: &SourceData) -> bool {
    let cut = |problem: &Problem| {
        problem.kind == ProblemKind::Cut && problem.line.is_none_or(|line| u64::from(line) >= data.lines)
    };
    data.program_output > 0 || data.problems.iter().any(cut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Readers;
    use crate::sink::testing::bytes;
    use triptych_model::{Importer as _, Silent};

    fn read(bytes: &[u8]) -> SourceData {
        Readers.read("svnserve.log", bytes, &ReadOptions::default(), &Silent).expect("nobody cancels")
    }

    fn grow(data: &mut SourceData, appended: &[u8]) -> bool {
        read_on(data, appended, &ReadOptions::default(), &Silent).expect("nobody cancels")
    }

    /// Everything that rows, gaps and counts say.
    fn told(data: &SourceData) -> (Vec<String>, u64, u64, u64, Vec<String>) {
        let rows = (0..data.requests.len()).map(|row| {
            let gaps = (data.requests.gap_before(row), data.requests.gap_after(row));
            format!("{:?} {gaps:?}", data.requests.row(row))
        });
        let problems = data.problems.iter().map(ToString::to_string);
        (rows.collect(), data.bytes, data.lines, data.not_understood, problems.collect())
    }

    #[test]
    fn a_log_that_grew_is_as_if_read_whole() {
        for name in ["svnserve/fork-1.14.log", "svnserve/svnserve-1.6.9.log"] {
            let log = bytes(name);
            let whole = told(&read(&log));
            let ends: Vec<usize> =
                log.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
            for (first, second) in [(1, 2), (20, 21), (40, ends.len() - 1), (60, 90)] {
                let (first, second) = (ends[first], ends[second]);
                let mut data = read(&log[..first]);
                for (from, to) in [(first, second), (second, log.len())] {
                    if !grow(&mut data, &log[from..to]) {
                        data = read(&log[..to]);
                    }
                }
                assert_eq!(told(&data), whole, "{name} at {first} and {second}");
            }
        }
    }

    #[test]
    fn what_is_no_more_of_the_same_changes_nothing() {
        let log = bytes("svnserve/fork-1.14.log");
        let end = log.iter().position(|byte| *byte == b'\n').expect("lines") + 1;
        let line = &log[..end];
        for appended in [
            &b""[..],
            b"real\t0m1.5s\n",
            b"\xff\xfer\0e\0",
            &line[..end - 1],
            b"23569 2026-11-30T08:03:39.382038Z 127.0.0.1 - bench ERR- - 0 200002 line 1\n",
        ] {
            let mut data = read(line);
            let before = told(&data);
            assert!(!grow(&mut data, appended), "{appended:?}");
            assert_eq!(told(&data), before);
        }
        let strange = [line, b"out of memory\n"].concat();
        assert!(!grow(&mut read(&strange), line), "its last line is strange, or the log's end");
        // A first line that rotation cut does not matter.
        let begun = [&log[30..end], line, line].concat();
        let (mut data, more) = (read(&begun), [&begun, line].concat());
        assert!(grow(&mut data, line) && told(&data) == told(&read(&more)));
        let apart = [line, b"stray words\n".repeat(30).as_slice(), line].concat();
        assert!(!grow(&mut read(&apart), line), "rows on both sides of many strange lines");
        let mut cut = read(&log[..end + 30]);
        assert!(!grow(&mut cut, line), "its last line was not whole");
        let mut other = read(b"real\t0m1.5s\nuser\t0m1.0s\nsys\t0m0.1s\n");
        assert!(!grow(&mut other, line));
    }

    #[test]
    fn a_process_that_turns_out_to_be_threaded_loses_the_links_it_had() {
        let line = |secs: u32, host: &str, rest: &str| {
            format!("7 2026-11-30T08:03:{secs:02}.000000Z {host} - {rest}\n")
        };
        // The last one follows the others as long as the process seems to serve one connection.
        let first = [
            line(1, "::1", "r open 2 cap=() / x -"),
            line(3, "::1", "r stat /@1"),
            line(4, "::1", "q stat /@1"),
        ];
        // Another host, and the same one with another session.
        for more in [line(5, "10.0.0.1", "r stat /@1"), line(5, "::1", "r open 2 cap=() / x -")] {
            let (log, more) = (first.concat(), more + &line(9, "10.0.0.1", "r get-latest-rev"));
            let mut data = read(log.as_bytes());
            assert!(data.requests.gap_before(2).is_some() && grow(&mut data, more.as_bytes()));
            assert!(data.requests.gap_before(2).is_none());
            assert_eq!(told(&data), told(&read((log + &more).as_bytes())), "{more}");
        }
    }

    #[test]
    fn warnings_of_a_log_that_grows_stay_few() {
        let line = "7 2026-11-30T08:03:43.388100Z ::1 - r stat /@1\n";
        let odd = "7 2026-11-30T08:03:43.388100Z ::1 - r stat\n".repeat(15);
        let more = format!("{line}{odd}");
        let mut data = read(more.as_bytes());
        for times in 2..5 {
            assert!(grow(&mut data, more.as_bytes()));
            assert_eq!(told(&data), told(&read(more.repeat(times).as_bytes())), "{times}");
        }
    }
}
