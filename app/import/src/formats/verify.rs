//! The progress of `svnadmin verify`, `dump`, `load`, `pack` and `hotcopy`: how many revisions, and
//! what was corrupt.
//!
//! It holds no times, unless a filter such as `ts` put a stamp in front of each line: then the block
//! has a duration, a rate, and a series of rates. A block of times behind it joins its run.

mod stamp;
mod steps;

use crate::format::LineFormat;
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use crate::transcript::is_failure;
use stamp::{Kind, Mode, Stamps, Timeline};
use steps::{Step, Work, is_cut, is_summary, step};
use triptych_model::{
    Cancelled, Clock, FormatSpec, Problem, ProblemKind, Process, Quality, ReadOptions, Sample, Series,
    Severity, Unit,
};

/// The row of [`crate::FORMATS`].
pub static SVNADMIN_VERIFY: SvnadminVerify = SvnadminVerify;

static SPEC: FormatSpec = FormatSpec {
    id: "svnadmin-verify",
    title: "svnadmin progress",
    help: "revisions and errors that svnadmin verify, dump, load, pack or hotcopy reported, timed where ts stamped them",
    extensions: &["txt", "log"],
    samples: "svnadmin-verify",
};

/// The reader.
pub struct SvnadminVerify;

/// What a block says in the end.
#[derive(Default)]
struct Found<'a> {
    operation: Option<&'static str>,
    done: u64,
    last: Option<Line<'a>>,
    corrupt: u64,
    last_corrupt: Option<Line<'a>>,
    failure: Option<String>,
    /// What has begun and is not told to be done.
    open: Option<Work>,
    /// The text of the first and the last stamp.
    stamped: Option<(&'a str, &'a str)>,
    stamps: Stamps,
}

impl LineFormat for SvnadminVerify {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'*' | b'<' | b'-' | b'P' | b'C' | 0x80.. => Signs::ALWAYS,
            b'[' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                const { Signs::any_of(&["*", "<", "--", " P"]) }
            }
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if !may_begin(first.text) {
            return Ok(None);
        }
        let (_, begins) = stamp::split(first.text);
        if step(begins).is_none_or(|step| step == Step::Words) {
            return Ok(None);
        }
        let mut found = Found::default();
        let mut end = at;
        while let Some(line) = lines.get(end) {
            let (stamp, text) = stamp::split(line.text);
            match step(text) {
                Some(step) => found.take(step, stamp, text, line),
                None if stamp.is_some() && text.trim_ascii().is_empty() => {}
                None if is_inner_blank(lines, end, text) => {}
                None => break,
            }
            end += 1;
            sink.check_at(end, line.offset)?;
        }
        let torn = lines.get(end).filter(|line| end + 1 == lines.len() && is_cut(stamp::split(line.text).1));
        end += usize::from(torn.is_some());
        write(&found, &first, torn, sink);
        Ok(Some(end))
    }
}

/// Whether the first letter fits a line of progress with or without a stamp; most lines end here.
fn may_begin(text: &str) -> bool {
    const WITHIN: usize = 48;
    let bytes = text.as_bytes();
    let Some(first) = bytes.first() else { return false };
    if matches!(first, b'*' | b'<' | b'-' | b'P' | b'C' | 0x80..) {
        return true;
    }
    // A stamp begins with a digit, a bracket, or the name of a month and the day behind it.
    let is_letter = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte > 0x7f);
    let is_stamp = first.is_ascii_digit()
        || *first == b'['
        || (0..3).all(is_letter) && bytes.get(3..6).is_some_and(|behind| behind.contains(&b' '));
    if !is_stamp {
        return false;
    }
    let head = bytes.get(..bytes.len().min(WITHIN)).unwrap_or_default();
    let mut last = [0; 2];
    head.iter().any(|byte| {
        let found = match byte {
            b'*' | b'<' => true,
            b'-' => last == *b"--",
            b'P' => last[1] == b' ',
            _ => false,
        };
        last = [last[1], *byte];
        found
    })
}

/// Blank lines stand around committed revisions and before the summary, with a stamp of their own.
fn is_inner_blank(lines: &Lines<'_>, at: usize, text: &str) -> bool {
    let is_blank = |text: &str| text.trim_ascii().is_empty() || stamp::is_stamp(text);
    if !is_blank(text) {
        return false;
    }
    let behind = |ahead: usize| lines.get(at + ahead).map_or("", |line| stamp::split(line.text).1);
    let follows = if is_blank(behind(1)) { behind(2) } else { behind(1) };
    is_summary(follows) || matches!(step(follows), Some(Step::Loaded | Step::Begun(Work::Revision)))
}

impl<'a> Found<'a> {
    fn take(&mut self, step: Step, stamp: Option<stamp::Stamp>, text: &str, line: Line<'a>) {
        let (operation, count) = match step {
            Step::Verified => (Some("verify"), 1),
            Step::Dumped => (Some("dump"), 1),
            Step::Copied(count) => (Some("hotcopy"), count),
            Step::Loaded => (Some("load"), 1),
            Step::Packed => (Some("pack"), 1),
            Step::Begun(Work::Revision) => (Some("load"), 0),
            Step::Begun(Work::Shard) => (Some("pack"), 0),
            Step::Begun(Work::Metadata) | Step::Corrupt | Step::Words => (None, 0),
        };
        self.operation = self.operation.or(operation);
        self.done += count;
        match step {
            Step::Begun(work) => self.open = Some(work),
            Step::Corrupt => {
                self.corrupt += 1;
                self.last_corrupt = Some(line);
                self.open = None;
            }
            Step::Words if is_failure(text.trim()) => {
                self.failure.get_or_insert_with(|| text.trim().to_owned());
                self.open = None;
            }
            Step::Words => {}
            _ => {
                self.last = Some(line);
                self.open = None;
            }
        }
        if let Some(stamp) = stamp {
            self.stamps.push(stamp, count, line.number);
            let text = line.text.strip_suffix(text).unwrap_or("").trim_ascii_end();
            let first = self.stamped.map_or(text, |(first, _)| first);
            self.stamped = Some((first, text));
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "no repository has 2^53 revisions")]
fn write(found: &Found<'_>, first: &Line<'_>, torn: Option<Line<'_>>, sink: &mut Sink<'_>) {
    let mode = sink.pending.command.as_deref().map(Mode::of_command).unwrap_or_default();
    let run = sink.start_run((first.number, first.offset));
    let operation = found.operation.unwrap_or("verify");
    sink.suggest_operation(run, operation);
    let mut count = |metric: &str, count: u64, line: &Line<'_>| {
        let at = (line.number, line.offset);
        let mut row =
            measured(run, at, Process::Client, metric, Unit::Count, Some(count as f64), line.text.trim());
        row.quality = Quality::COMPUTED;
        sink.measure(row);
    };
    let counted = if operation == "pack" { "shards" } else { "revisions" };
    count(counted, found.done, found.last.as_ref().unwrap_or(first));
    if let Some(line) = &found.last_corrupt {
        count("errors", found.corrupt, line);
    }
    let corrupt = || found.last_corrupt.map(|line| stamp::split(line.text).1.trim().to_owned());
    if let Some(reason) = found.failure.clone().or_else(corrupt) {
        sink.fail(&reason, None);
    }
    write_end(found, first, torn, run, sink);
    if let Some((from, to)) = found.stamped {
        let raw = format!("{from} … {to}");
        match found.stamps.timeline(mode).filter(|timeline| timeline.end > timeline.start) {
            Some(timeline) => {
                write_times(&timeline, (first, run), counted, &raw, sink);
                if timeline.guessed {
                    guessed(first, &raw, sink);
                }
            }
            None => no_times(first, &raw, sink),
        }
    }
}

/// Says where the progress ends before its time.
fn write_end(found: &Found<'_>, first: &Line<'_>, torn: Option<Line<'_>>, run: u32, sink: &mut Sink<'_>) {
    let expected = match (torn, found.open) {
        (Some(_), _) => "a whole line of progress",
        (None, Some(Work::Metadata)) if found.done == 0 => "a line that a revision was verified, or why not",
        (None, Some(Work::Revision)) => "a line that the revision was committed",
        (None, Some(Work::Shard)) => "the word that the shard is done",
        _ => return,
    };
    sink.mark(run, Quality::INCOMPLETE);
    let line = torn.or(found.last).map_or(first.number, |line| line.number);
    sink.cut(line, "the progress of svnadmin ends early", expected);
}

/// The duration, the rate and the series of rates that the stamps give.
#[expect(clippy::cast_precision_loss, reason = "microseconds of a run and its revisions fit")]
fn write_times(timeline: &Timeline, at: (&Line<'_>, u32), counted: &str, raw: &str, sink: &mut Sink<'_>) {
    let (first, run) = at;
    let secs = (timeline.end - timeline.start) as f64 / 1e6;
    let done: u64 = timeline.done.iter().map(|done| done.count).sum();
    let rate = format!("{}_rate", counted.trim_end_matches('s'));
    for (metric, unit, value) in
        [("duration", Unit::Secs, secs), (rate.as_str(), Unit::PerSec, done as f64 / secs)]
    {
        let place = (first.number, first.offset);
        let mut row = measured(run, place, Process::Client, metric, unit, Some(value), raw);
        row.quality = Quality::COMPUTED;
        sink.measure(row);
    }
    let zone = sink.options.zone_offset_secs;
    let utc = |micros| match timeline.kind {
        Kind::Epoch => Some(micros),
        Kind::Civil => stamp::utc_of_civil(micros, zone),
        _ => None,
    };
    let start = utc(timeline.start);
    if let Some(row) = sink.data.runs.get_mut(run as usize) {
        row.started = row.started.or(start);
    }
    let assumed = timeline.kind == Kind::Civil && zone.is_none();
    let quality = if assumed { Quality::COMPUTED.with(Quality::ZONE_ASSUMED) } else { Quality::COMPUTED };
    if assumed {
        sink.mark(run, Quality::ZONE_ASSUMED);
    }
    write_rates(timeline, run, (rate, quality), start, sink);
}

/// The series of rates; `start` is in UTC where that is known.
fn write_rates(
    timeline: &Timeline,
    run: u32,
    of: (String, Quality),
    start: Option<i64>,
    sink: &mut Sink<'_>,
) {
    let (metric, quality) = of;
    let series = u32::try_from(sink.data.series.len()).unwrap_or(u32::MAX);
    sink.data.series.push(Series {
        run: Some(run),
        process: Process::Client,
        pid: None,
        command: Some("svnadmin".to_owned()),
        metric,
        unit: Unit::PerSec,
        clock: if start.is_some() { Clock::Utc } else { Clock::Elapsed },
        quality,
    });
    let base = start.unwrap_or(0);
    sink.data.samples_start.get_or_insert(base);
    let samples = rates(timeline).into_iter().map(|(line, end, rate)| Sample {
        series,
        line,
        time: base + (end - timeline.start),
        value: rate,
    });
    sink.data.samples.extend(samples);
}

/// The rate in each of at most 200 intervals, none of them shorter than a second where stamps are whole
/// seconds; with the line that ends it.
#[expect(clippy::cast_precision_loss, reason = "microseconds of a run and its revisions fit")]
fn rates(timeline: &Timeline) -> Vec<(u32, i64, f64)> {
    const INTERVALS: i64 = 200;
    let whole = timeline.done.iter().all(|done| done.at % 1_000_000 == 0);
    let width = ((timeline.end - timeline.start) / INTERVALS).max(if whole { 1_000_000 } else { 1000 });
    let mut rates = Vec::new();
    let (mut begin, mut count) = (timeline.start, 0_u64);
    for (index, done) in timeline.done.iter().enumerate() {
        count += done.count;
        let last = index + 1 == timeline.done.len();
        if done.at - begin >= width || (last && done.at > begin) {
            rates.push((done.line, done.at, count as f64 * 1e6 / (done.at - begin) as f64));
            (begin, count) = (done.at, 0);
        }
    }
    rates
}

fn guessed(first: &Line<'_>, raw: &str, sink: &mut Sink<'_>) {
    let path = sink.data.path.clone();
    let message = "the time stamps were taken to count from the start, not from midnight";
    sink.problem(
        Problem::new(Severity::Note, ProblemKind::Other, path, message)
            .at_line(first.number)
            .found(raw)
            .next_step("put the command line with ts -s above, or stamp lines with the date"),
    );
}

fn no_times(first: &Line<'_>, raw: &str, sink: &mut Sink<'_>) {
    let path = sink.data.path.clone();
    sink.problem(
        Problem::new(
            Severity::Note,
            ProblemKind::Other,
            path,
            "the time stamps do not tell how long it took",
        )
        .at_line(first.number)
        .found(raw)
        .next_step("stamp lines with microseconds, ts -s '%.s'"),
    );
}

#[cfg(test)]
mod tests;
