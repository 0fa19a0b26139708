//! What the readers of snapshots share: times that stand between them, counters that become loads,
//! series that are found again.
//!
//! Used by the readers of ps, `/proc/PID/stat`, cgroups, psrecord, atop and collectl. Such logs are made
//! by loops of the user's own (`while …; do date; ps …; done`), so a time may have any form that `date`
//! prints, and may be absent.

pub mod book;
pub mod rise;
pub mod snapshots;
pub mod stamp;

use crate::sink::Sink;
use crate::text::{Line, Lines};
use stamp::{Stamp, Stamps};
use triptych_model::{Problem, ProblemKind, Process, RunRow, Severity};

/// The role of the process that a log is about, where only the file's name tells it:
/// `rep1-run1.psrecord-svnserve.txt`.
pub fn role_of_path(path: &str) -> Option<Process> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .map(Process::from_command)
        .find(|process| !matches!(process, Process::Other(_)))
}

/// The time that stands on line `at`, where a line of the reader's own follows it.
pub fn stamp_above(
    lines: &Lines<'_>,
    at: usize,
    stamps: &mut Stamps,
    is_own: impl Fn(&str) -> bool,
) -> Option<Stamp> {
    let line = lines.get(at)?;
    if !stamp::may_be(line.text) {
        return None;
    }
    let (_, next) = lines.starting_at(at + 1).find(|(_, line)| !line.is_blank())?;
    if is_own(next.text) { stamps.read(line.text) } else { None }
}

/// The run that figures of one moment belong to: the open transcript's, else one of their own.
pub fn run_of_snapshot(line: &Line<'_>, sink: &mut Sink<'_>) -> u32 {
    match sink.pending.run {
        Some(run) => run,
        None => sink.run(RunRow { line: line.number, offset: line.offset, ..RunRow::default() }),
    }
}

/// Whether the source ends with this line and without a line end, so that its last cell may be cut.
pub fn is_last(line: &Line<'_>, sink: &Sink<'_>) -> bool {
    line.offset + line.text.len() as u64 >= sink.data.bytes
}

/// Warns of a row that does not fit its columns: the last of a source is cut, others are damaged.
pub fn bad_row(line: &Line<'_>, expected: &str, sink: &mut Sink<'_>) {
    if is_last(line, sink) {
        sink.data.not_understood += 1;
        sink.cut(line.number, "the last row is cut; the rest was kept", expected);
    } else {
        sink.not_understood(line.number, 1, "a row that does not fit its columns", line.text, expected);
    }
}

/// A note or a warning of a whole block, with what to do.
pub fn tell(severity: Severity, kind: ProblemKind, line: u32, message: &str, next_step: &str, sink: &mut Sink<'_>) {
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
