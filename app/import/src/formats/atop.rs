//! atop's parseable output (`atop -P PRC,PRM,PRD,CPU,DSK`): what each process and the machine did in an interval.
//!
//! Every line names its interval and stands for itself. `RESET` begins a sample that counts from the
//! machine's start, which is no interval and is dropped; `SEP` ends a sample. Fields are only appended
//! between versions, so they are read from the left and may be missing on the right.

mod labels;

use crate::format::LineFormat;
use crate::formats::counters::{bad_row, read_while};
use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::record::{Figure, Recorder, Who, note, note_start};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use labels::{LABELS, Label, Value};
use std::collections::BTreeSet;
use triptych_model::{Cancelled, Clock, FormatSpec, ProblemKind, Process, Quality, ReadOptions};

/// The reader of atop.
pub struct Atop;

const SPEC: FormatSpec = FormatSpec {
    id: "atop",
    title: "atop -P",
    help: "CPU, memory and disk of processes and of the machine, parseable output of atop",
    extensions: &["txt", "log"],
    samples: "atop",
};

const EXPECTED: &str = "LABEL host epoch date time interval and the fields of that label";

impl LineFormat for Atop {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'R' | b'S' => Signs::ALWAYS,
            b'a'..=b'z' | b'A'..=b'Z' => const { Signs::any_of(&[":"]) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let is_mark = matches!(first.text.trim(), "RESET" | "SEP");
        let begins = if is_mark {
            // The words alone are nobody's.
            lines.get(at + 1).is_some_and(|line| Head::parse(line.text).is_some())
        } else {
            Head::parse(first.text).is_some()
        };
        if !begins {
            return Ok(None);
        }
        let mut block = Block {
            recorder: Recorder::new(sink),
            since_boot: false,
            last: None,
            passed_over: BTreeSet::new(),
        };
        let end = read_while(lines, at, sink, |index, line, sink| block.line(lines, index, line, sink))?;
        block.finish(first.number, sink);
        Ok(Some(end))
    }
}

/// What every line begins with.
struct Head<'l> {
    label: &'l str,
    /// End of the interval, seconds since 1970.
    epoch: i64,
    /// Its length in seconds.
    interval: f64,
    rest: &'l str,
}

impl<'l> Head<'l> {
    fn parse(text: &'l str) -> Option<Self> {
        let text = text.trim();
        let letters = text.bytes().take(5).take_while(u8::is_ascii_alphabetic).count();
        if !(3..=4).contains(&letters) || text.as_bytes().get(letters) != Some(&b' ') {
            return None;
        }
        let mut words = text.splitn(7, ' ');
        let (label, _host, epoch) = (words.next()?, words.next()?, words.next()?);
        let (date, time, interval) = (words.next()?, words.next()?, words.next()?);
        let is_date = date.len() == 10 && date.split('/').count() == 3;
        if !is_date || time.split(':').count() != 3 {
            return None;
        }
        let interval: u32 = interval.parse().ok()?;
        Some(Self {
            label,
            epoch: epoch.parse().ok().filter(|secs| jiff::Timestamp::from_second(*secs).is_ok())?,
            interval: f64::from(interval),
            rest: words.next().unwrap_or(""),
        })
    }
}

/// One run of atop.
struct Block {
    recorder: Recorder,
    /// Whether the sample that is read counts from the machine's start.
    since_boot: bool,
    /// End of the last sample.
    last: Option<i64>,
    /// Labels that have nothing for us.
    passed_over: BTreeSet<String>,
}

impl Block {
    /// Takes a line; `false` where the block ends before it.
    fn line(&mut self, lines: &Lines<'_>, index: usize, line: &Line<'_>, sink: &mut Sink<'_>) -> bool {
        match line.text.trim() {
            "RESET" => self.since_boot = true,
            "SEP" => self.since_boot = false,
            _ => match Head::parse(line.text) {
                Some(head) => self.record(&head, line, sink),
                None => {
                    let follows = lines.get(index + 1);
                    let goes_on = follows.is_none_or(|next| {
                        Head::parse(next.text).is_some() || matches!(next.text.trim(), "RESET" | "SEP")
                    });
                    let is_label = LABELS.iter().any(|label| line.text.starts_with(label.name));
                    if !goes_on || (follows.is_none() && !is_label) {
                        return false;
                    }
                    bad_row(line, EXPECTED, sink);
                }
            },
        }
        true
    }

    fn record(&mut self, head: &Head<'_>, line: &Line<'_>, sink: &mut Sink<'_>) {
        if self.since_boot {
            return;
        }
        let Some(label) = LABELS.iter().find(|label| label.name == head.label) else {
            self.passed_over.insert(head.label.to_owned());
            return;
        };
        let micros = head.epoch.saturating_mul(1_000_000);
        let at = Moment { micros, clock: Clock::Utc, zone_assumed: false };
        note_start(sink, Some(micros - (head.interval * 1e6) as i64));
        self.last = Some(micros);
        match label.split(head.rest) {
            // The last line of a whole log is SEP: one without a line end was cut, maybe within a number.
            _ if line.is_open => bad_row(line, EXPECTED, sink),
            Some(fields) if head.interval > 0.0 => {
                self.fields(label, &fields, head.interval, (at, line), sink);
            }
            // Several samples within one second: there is no interval to divide by.
            Some(_) => {}
            None => bad_row(line, EXPECTED, sink),
        }
    }

    fn fields(
        &mut self,
        label: &Label,
        fields: &labels::Fields<'_>,
        interval: f64,
        (at, line): (Moment, &Line<'_>),
        sink: &mut Sink<'_>,
    ) {
        let who = match (&fields.process, fields.name) {
            (Some((pid, name)), _) => Who::command(*pid, name),
            (None, Some(disk)) => Who::part(Process::Disk(disk.to_owned())),
            (None, None) => Who::part(Process::System),
        };
        // What threads share is said of their process.
        if fields.thread && !label.of_threads {
            return;
        }
        for value in label.values {
            match value.read(fields, interval) {
                Value::Known(known) => {
                    let name = format!("thread_{}", value.metric);
                    let metric = if fields.thread { name.as_str() } else { value.metric };
                    let figure = Figure { metric, unit: value.unit, value: known, quality: Quality::NONE };
                    self.recorder.add(&who, figure, at, line.number, sink);
                }
                Value::Absent => {}
                Value::Unreadable(found) => {
                    let message = format!("unreadable value of {}", value.metric);
                    sink.not_understood(line.number, 1, &message, found, "a whole number");
                }
            }
        }
    }

    fn finish(self, line: u32, sink: &mut Sink<'_>) {
        if !self.passed_over.is_empty() {
            let labels: Vec<String> = self.passed_over.into_iter().collect();
            let message = format!("lines of atop with these labels were passed over: {}", labels.join(", "));
            note(sink, ProblemKind::Other, line, &message);
        }
        if self.last.is_none() {
            let message = "only the sample since the machine's start, which is no interval";
            note(sink, ProblemKind::NoSamples, line, message);
        }
    }
}

#[cfg(test)]
mod tests;
