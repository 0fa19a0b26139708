//! What the readers of snapshots share: times that stand between them, counters that become loads,
//! frames that follow each other.
//!
//! Used by the readers of ps, `/proc/PID/stat`, cgroups, psrecord, atop and collectl. Such logs are made
//! by loops of the user's own (`while …; do date; ps …; done`), so a time may have any form that `date`
//! prints, and may be absent.

pub mod snapshots;
pub mod stamp;

use crate::formats::sysstat::clock::Moment;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use stamp::Stamps;
use triptych_model::{Cancelled, Problem, ProblemKind, Process, RunRow, Severity};

/// The role of the process that a log is about, where only the file's name tells it:
/// `rep1-run1.psrecord-svnserve.txt`.
pub fn role_of_path(path: &str) -> Option<Process> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .map(Process::from_command)
        .find(|process| !matches!(process, Process::Other(_)))
}

/// Whether line `at` can be a time and a line of the reader's own follows it; asked of every line of
/// every log before anything is made.
pub fn stands_above(lines: &Lines<'_>, at: usize, is_own: impl Fn(&str) -> bool) -> bool {
    let may_be = lines.get(at).is_some_and(|line| stamp::may_be(line.text));
    let next = || lines.starting_at(at + 1).find(|(_, line)| !line.is_blank());
    may_be && next().is_some_and(|(_, line)| is_own(line.text))
}

/// The time that stands on line `at`, where a line of the reader's own follows it.
pub fn stamp_above(
    lines: &Lines<'_>,
    at: usize,
    stamps: &mut Stamps,
    is_own: impl Fn(&str) -> bool,
) -> Option<Moment> {
    if stands_above(lines, at, is_own) { stamps.read(lines.get(at)?.text) } else { None }
}

/// Offers the lines from `at` on, blank ones passed over, until one is not taken; returns the index behind
/// the last that was.
pub fn read_while<'l>(
    lines: &'l Lines<'_>,
    at: usize,
    sink: &mut Sink<'_>,
    mut takes: impl FnMut(usize, &Line<'l>, &mut Sink<'_>) -> bool,
) -> Result<usize, Cancelled> {
    let mut end = at;
    for (index, line) in lines.starting_at(at) {
        sink.check_at(index - at, line.offset)?;
        if line.is_blank() {
            continue;
        }
        if !takes(index, &line, sink) {
            break;
        }
        end = index + 1;
    }
    Ok(end)
}

/// The run that figures of one moment belong to: the open transcript's, else one of their own.
pub fn run_of_snapshot(line: &Line<'_>, sink: &mut Sink<'_>) -> u32 {
    match sink.pending.run {
        Some(run) => run,
        None => sink.run(RunRow { line: line.number, offset: line.offset, ..RunRow::default() }),
    }
}

/// Warns of a row that does not fit its columns: the last of a source is cut, others are damaged.
pub fn bad_row(line: &Line<'_>, expected: &str, sink: &mut Sink<'_>) {
    if line.is_open {
        sink.data.not_understood += 1;
        sink.cut(line.number, "the last row is cut; the rest was kept", expected);
    } else {
        sink.not_understood(line.number, 1, "a row that does not fit its columns", line.text, expected);
    }
}

/// A note or a warning of a whole block, with what to do.
pub fn tell(
    severity: Severity,
    kind: ProblemKind,
    line: u32,
    message: &str,
    next_step: &str,
    sink: &mut Sink<'_>,
) {
    let path = sink.data.path.clone();
    let problem = Problem::new(severity, kind, path, message).at_line(line);
    sink.problem(if next_step.is_empty() { problem } else { problem.next_step(next_step) });
}

/// Tells once a source that times without a zone were read in the local one.
pub fn tell_zone(line: u32, stamps: &Stamps, told: bool, sink: &mut Sink<'_>) {
    if let Some(message) = stamps.zone_note().filter(|_| !told) {
        tell(Severity::Note, ProblemKind::ZoneAssumed, line, &message, "", sink);
    }
}

#[cfg(test)]
pub mod testing {
    //! What the tests of these readers say of rows.

    use crate::Readers;
    use triptych_model::{Clock, Importer, ReadOptions, Silent, SourceData};

    /// What the readers make of bytes at a path, in UTC.
    pub fn read_at(path: &str, bytes: &[u8]) -> SourceData {
        let options = ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() };
        Readers.read(path, bytes, &options, &Silent).expect("nobody cancels")
    }

    /// The same of text.
    pub fn read(text: &str) -> SourceData {
        read_at("x.txt", text.as_bytes())
    }

    /// A genuine file below `sample-data/`.
    pub fn sample(path: &str) -> SourceData {
        read_at(path, &crate::sink::testing::bytes(path))
    }

    /// `second process/pid metric=value` of every sample, with seconds since the first interval's start.
    pub fn rows(data: &SourceData) -> Vec<String> {
        let start = data.samples_start.unwrap_or(0);
        let row = |sample: &triptych_model::Sample| {
            let series = &data.series[sample.series as usize];
            let secs = (sample.time - start) as f64 / 1e6;
            let pid = series.pid.map_or(String::new(), |pid| format!("/{pid}"));
            let value = (sample.value * 1000.0).round() / 1000.0;
            format!("{secs} {}{pid} {}={value}{}", series.process, series.metric, series.unit)
        };
        data.samples.iter().map(row).collect()
    }

    /// The same rows without those of other metrics.
    pub fn rows_of(data: &SourceData, metric: &str) -> Vec<String> {
        let mark = format!(" {metric}=");
        rows(data).into_iter().filter(|row| row.contains(&mark)).collect()
    }

    /// A file cut at every byte never panics and never gives more; whole lines are kept.
    pub fn check_cuts(path: &str, id: &str) {
        let whole = crate::sink::testing::bytes(path);
        let samples = read_at(path, &whole).samples.len();
        let step = (whole.len() / 600).max(1);
        for end in (0..whole.len()).step_by(step) {
            let data = read_at(path, &whole[..end]);
            assert!(data.samples.len() <= samples, "{path} cut at {end}");
            let ours = data.formats.contains(&id);
            assert!(!ours || data.not_understood <= 1, "{path} cut at {end}: {:?}", data.problems);
        }
    }

    /// Line ends of Windows, quote marks and 16 bits change nothing.
    pub fn check_dress(path: &str) {
        let whole = crate::sink::testing::bytes(path);
        let plain = read_at(path, &whole);
        let text = String::from_utf8(whole).expect("UTF-8");
        let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in [text.replace('\n', "\r\n").into_bytes(), quoted.into_bytes(), wide] {
            let data = read_at(path, &bytes);
            assert_eq!((rows(&data), &data.formats), (rows(&plain), &plain.formats), "{path}");
            assert_eq!(data.not_understood, plain.not_understood, "{path}");
        }
    }

    /// Whether times of the source are dated.
    pub fn is_dated(data: &SourceData) -> bool {
        data.series.iter().all(|series| series.clock == Clock::Utc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_roles() {
        for (path, role) in [
            ("a/rep1-run1.psrecord-svnserve.txt", Some(Process::Svnserve)),
            ("svnserve/x.txt", None),
            ("svn.psrecord.log", Some(Process::Client)),
            ("psrecord.txt", None),
        ] {
            assert_eq!(role_of_path(path), role, "{path}");
        }
    }
}
