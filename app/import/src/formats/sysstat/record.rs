//! Series of a load log as they are met, each made once, and the samples put into them.

use super::clock::Moment;
use crate::sink::Sink;
use std::collections::HashMap;
use triptych_model::{Clock, Problem, ProblemKind, Process, Quality, Sample, Series, Severity, Unit};

/// Whose figure it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Who {
    /// The role.
    pub process: Process,
    /// Process id.
    pub pid: Option<u32>,
    /// The command's own name.
    pub command: Option<String>,
}

impl Who {
    /// The whole machine, one of its disks, or another part of it.
    pub fn part(process: Process) -> Self {
        Self { process, pid: None, command: None }
    }

    /// A process by the name of its command.
    pub fn command(pid: u32, command: &str) -> Self {
        Self { process: Process::from_command(command), pid: Some(pid), command: Some(command.to_owned()) }
    }
}

/// One figure.
#[derive(Clone, Copy)]
pub struct Figure<'n> {
    /// Stable metric name.
    pub metric: &'n str,
    /// Base unit.
    pub unit: Unit,
    /// In the base unit.
    pub value: f64,
    /// What to say beside `measured`.
    pub quality: Quality,
}

/// Metric, clock and index of a series.
type Known = (String, Clock, u32);

/// The series of one source.
pub struct Recorder {
    known: HashMap<Who, Vec<Known>>,
    samples: u64,
}

impl Recorder {
    /// Takes up the series that earlier blocks of the source made.
    pub fn new(sink: &Sink<'_>) -> Self {
        let mut known: HashMap<Who, Vec<Known>> = HashMap::new();
        for (index, series) in (0_u32..).zip(&sink.data.series) {
            let who =
                Who { process: series.process.clone(), pid: series.pid, command: series.command.clone() };
            known.entry(who).or_default().push((series.metric.clone(), series.clock, index));
        }
        Self { known, samples: 0 }
    }

    /// Adds a sample.
    pub fn add(&mut self, who: &Who, figure: Figure<'_>, at: Moment, line: u32, sink: &mut Sink<'_>) {
        let series = self.series(who, figure, at, sink);
        self.samples += 1;
        sink.data.samples.push(Sample { series, line, time: at.micros, value: figure.value });
    }

    /// How many samples this block gave.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    fn series(&mut self, who: &Who, figure: Figure<'_>, at: Moment, sink: &mut Sink<'_>) -> u32 {
        let known = self.known.get(who).into_iter().flatten();
        let same = |(metric, clock, _): &&Known| metric == figure.metric && *clock == at.clock;
        if let Some((_, _, index)) = known.into_iter().find(same) {
            return *index;
        }
        let index = u32::try_from(sink.data.series.len()).unwrap_or(u32::MAX);
        let zone = if at.zone_assumed { Quality::ZONE_ASSUMED } else { Quality::NONE };
        sink.data.series.push(Series {
            run: None,
            process: who.process.clone(),
            pid: who.pid,
            command: who.command.clone(),
            metric: figure.metric.to_owned(),
            unit: figure.unit,
            clock: at.clock,
            quality: Quality::MEASURED.with(figure.quality).with(zone),
        });
        self.known.entry(who.clone()).or_default().push((figure.metric.to_owned(), at.clock, index));
        index
    }
}

/// The first known start of a first interval counts.
pub fn note_start(sink: &mut Sink<'_>, start: Option<i64>) {
    if sink.data.samples_start.is_none() {
        sink.data.samples_start = start;
    }
}

/// Adds a note of a line.
pub fn note(sink: &mut Sink<'_>, kind: ProblemKind, line: u32, message: &str) {
    let path = sink.data.path.clone();
    sink.problem(Problem::new(Severity::Note, kind, path, message).at_line(line));
}

/// Whether an earlier block of the source already told of the zone.
pub fn zone_told(sink: &Sink<'_>) -> bool {
    sink.data.series.iter().any(|series| series.quality.has(Quality::ZONE_ASSUMED))
}

/// Tells of an assumed zone, and of a block without any sample.
pub fn tell(recorder: &Recorder, zone: Option<String>, line: u32, sink: &mut Sink<'_>) {
    if recorder.samples() == 0 {
        note(
            sink,
            ProblemKind::NoSamples,
            line,
            "a header and no sample: the run was shorter than one interval",
        );
    } else if let Some(message) = zone {
        note(sink, ProblemKind::ZoneAssumed, line, &message);
    }
}
