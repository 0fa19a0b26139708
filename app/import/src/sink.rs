//! Where readers put their rows, and the transcript that is open while they do.
//!
//! A transcript is a command line, the output of the program, and a block of times that closes it:
//! the command and the failure found on the way belong to the run that the block makes.

use crate::text::Line;
use triptych_model::{
    Cancelled, Key, Measurement, Problem, ProblemKind, Problems, Process, Progress, Quality, ReadOptions, RunRow,
    Severity, SourceData, Unit,
};

/// What was seen since the last run was closed.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    /// The command line above, without its prompt and without `time`.
    pub command: Option<String>,
    /// First line of the transcript (index is the physical line, from 1) and its byte offset.
    pub start: Option<(u32, u64)>,
    /// The failure that the program printed, in its own words.
    pub failure: Option<String>,
    /// The exit status that a tool printed ahead of its numbers.
    pub exit: Option<i32>,
    /// A run that counters were already written to and that a time block may still join.
    pub run: Option<u32>,
}

/// Collects the rows of one source.
pub struct Sink<'p> {
    /// The rows so far.
    pub data: SourceData,
    /// The transcript that is open.
    pub pending: Pending,
    /// What the user decided before reading.
    pub options: &'p ReadOptions,
    problems: Problems,
    progress: &'p dyn Progress,
}

impl<'p> Sink<'p> {
    /// An empty sink for the source of that path.
    pub fn new(path: &str, options: &'p ReadOptions, progress: &'p dyn Progress) -> Self {
        Self {
            data: SourceData::new(path),
            pending: Pending::default(),
            options,
            problems: Problems::default(),
            progress,
        }
    }

    /// Tells how far the reader is, in bytes, and asks whether to go on.
    ///
    /// # Errors
    /// [`Cancelled`] when the user gave up.
    pub fn check(&self, done: u64) -> Result<(), Cancelled> {
        self.progress.advance(done, self.data.bytes);
        if self.progress.cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Adds a run and returns its index for measurements.
    pub fn run(&mut self, run: RunRow) -> u32 {
        self.data.runs.push(run);
        u32::try_from(self.data.runs.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds a value. The quality of its run is added by the store, it need not be repeated here.
    pub fn measure(&mut self, measurement: Measurement) {
        self.data.measurements.push(measurement);
    }

    /// Notes that a format was recognised, once.
    pub fn recognised(&mut self, id: &'static str) {
        if !self.data.formats.contains(&id) {
            self.data.formats.push(id);
        }
    }

    /// Adds a problem of this source.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Warns of a line inside a block that does not follow its grammar, and counts it.
    pub fn not_understood(&mut self, line: u32, column: u32, message: &str, found: &str, expected: &str) {
        self.data.not_understood += 1;
        let path = self.data.path.clone();
        self.problem(
            Problem::new(Severity::Warning, ProblemKind::Malformed, path, message)
                .at_line(line)
                .at_column(column)
                .found(found.chars().take(80).collect::<String>())
                .expected(expected),
        );
    }

    /// Takes note of a line that no format claimed: output of the timed program, a command line, a failure.
    pub fn outside(&mut self, _line: &Line<'_>) {
        self.data.program_output += 1;
    }

    /// Everything, with the problems in their place.
    pub fn finish(mut self) -> SourceData {
        let path = self.data.path.clone();
        self.data.problems = self.problems.finish(&path);
        self.data
    }
}

/// A value that a tool measured, for the usual case.
pub fn measured(run: u32, at: (u32, u64), process: Process, metric: &str, unit: Unit, value: Option<f64>, raw: &str) -> Measurement {
    Measurement {
        run,
        line: at.0,
        offset: at.1,
        process,
        metric: metric.to_owned(),
        value,
        value_high: None,
        unit,
        executions: None,
        quality: Quality::MEASURED,
        raw: raw.to_owned(),
    }
}

/// Sets a condition that the content gives, where the value is not empty.
pub fn set_content(run: &mut RunRow, key: Key, value: &str) {
    if !value.is_empty() {
        run.content.set(key, value);
    }
}
