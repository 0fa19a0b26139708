//! The series of a block, found again by whom and of what, so that each fact has one.

use crate::sink::Sink;
use std::collections::HashMap;
use triptych_model::{Clock, Process, Quality, Sample, Series, Unit};

/// Whose series it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Who {
    /// The role.
    pub process: Process,
    /// Process id, where the log has one.
    pub pid: Option<u32>,
    /// The command's own name, where the log has one.
    pub command: Option<String>,
}

impl Who {
    /// A process by the name of its command.
    pub fn command(pid: u32, command: &str) -> Self {
        Self { process: Process::from_command(command), pid: Some(pid), command: Some(command.to_owned()) }
    }

    /// A role without a process of its own: the machine, a disk, a group of processes.
    pub fn role(process: Process) -> Self {
        Self { process, pid: None, command: None }
    }
}

/// Where a sample stands: its line, and the time in microseconds by the clock of its series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Physical line, from 1.
    pub line: u32,
    /// Microseconds.
    pub time: i64,
}

/// What is known of one process.
struct Known {
    process: Process,
    command: Option<String>,
    series: Vec<(String, u32)>,
}

/// The series of a source so far.
pub struct Book {
    clock: Clock,
    quality: Quality,
    known: HashMap<Option<u32>, Vec<Known>>,
}

impl Book {
    /// A book for times of that clock, with the series that earlier blocks of the source made.
    pub fn new(clock: Clock, zone_assumed: bool, sink: &Sink<'_>) -> Self {
        let zone = if zone_assumed { Quality::ZONE_ASSUMED } else { Quality::NONE };
        let mut book = Self { clock, quality: Quality::MEASURED.with(zone), known: HashMap::new() };
        for (index, series) in (0_u32..).zip(&sink.data.series) {
            if series.clock == clock && series.run.is_none() {
                let known = book.known.entry(series.pid).or_default();
                remember(known, &series.process, series.command.as_deref())
                    .series
                    .push((series.metric.clone(), index));
            }
        }
        book
    }

    /// Adds a sample; what is no number adds none.
    pub fn add(&mut self, who: &Who, metric: &str, unit: Unit, at: At, value: f64, sink: &mut Sink<'_>) {
        if value.is_finite() {
            let series = self.series(who, metric, unit, sink);
            sink.data.samples.push(Sample { series, line: at.line, time: at.time, value });
        }
    }

    fn series(&mut self, who: &Who, metric: &str, unit: Unit, sink: &mut Sink<'_>) -> u32 {
        let known =
            remember(self.known.entry(who.pid).or_default(), &who.process, who.command.as_deref());
        if let Some((_, index)) = known.series.iter().find(|(name, _)| name == metric) {
            return *index;
        }
        let index = u32::try_from(sink.data.series.len()).unwrap_or(u32::MAX);
        sink.data.series.push(Series {
            run: None,
            process: who.process.clone(),
            pid: who.pid,
            command: who.command.clone(),
            metric: metric.to_owned(),
            unit,
            clock: self.clock,
            quality: self.quality,
        });
        known.series.push((metric.to_owned(), index));
        index
    }
}

fn remember<'k>(all: &'k mut Vec<Known>, process: &Process, command: Option<&str>) -> &'k mut Known {
    let same = |known: &Known| known.command.as_deref() == command && known.process == *process;
    let position = all.iter().position(same).unwrap_or_else(|| {
        all.push(Known { process: process.clone(), command: command.map(str::to_owned), series: Vec::new() });
        all.len() - 1
    });
    &mut all[position]
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::{ReadOptions, Silent};

    #[test]
    fn a_fact_has_one_series_over_all_blocks() {
        let options = ReadOptions::default();
        let mut sink = Sink::new("x", &options, &Silent);
        let (svn, disk) = (Who::command(7, "svn"), Who::role(Process::Disk("vda".to_owned())));
        for block in 0..2 {
            let mut book = Book::new(Clock::Utc, false, &sink);
            let at = At { line: block, time: i64::from(block) };
            book.add(&svn, "cpu", Unit::Percent, at, 1.0, &mut sink);
            book.add(&svn, "rss", Unit::Bytes, at, 2.0, &mut sink);
            book.add(&disk, "read_rate", Unit::BytesPerSec, at, 3.0, &mut sink);
            book.add(&disk, "write_rate", Unit::BytesPerSec, at, f64::NAN, &mut sink);
        }
        let elapsed = Book::new(Clock::Elapsed, false, &sink);
        assert_eq!((sink.data.series.len(), sink.data.samples.len(), elapsed.known.len()), (3, 6, 0));
        assert_eq!(sink.data.series[0].process, Process::Client);
    }
}
