//! Where readers put their rows, and the transcript that is open while they do.
//!
//! A transcript is a command line, the output of the program, and a block of times that closes it:
//! the command and the failure found on the way belong to the run that the block makes.

use crate::commands;
use crate::text::Line;
use crate::transcript::{is_failure, prompt};
use std::any::Any;
use triptych_model::{
    Cancelled, Key, Measurement, Problem, ProblemKind, Problems, Process, Progress, Quality, ReadOptions,
    RunRow, Severity, SourceData, Unit,
};

/// How many lines are read between two looks at the cancel button.
const LINES_PER_CHECK: usize = 4096;

/// What was seen since the last run was closed.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    /// The command line above, without its prompt and without `time`.
    pub command: Option<String>,
    /// Whether that line can hardly be anything but a command.
    pub command_is_sure: bool,
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
    /// What a reader keeps from one of its blocks to the next, so that it need not look far back again.
    pub kept: Option<Box<dyn Any + Send>>,
    /// What a reader does with all runs once the source ends; each of its blocks asks for it.
    pub last: Option<fn(&mut [RunRow])>,
    /// Lines that were taken but not read to their end; the reader tells of all at once.
    pub unread_ends: u64,
    problems: Problems,
    progress: &'p dyn Progress,
    last_timed: Option<Timed>,
}

/// A run whose times were just written, and which tool took them.
#[derive(Clone, Copy, Debug)]
struct Timed {
    run: u32,
    tool: &'static str,
    real: Option<f64>,
}

impl<'p> Sink<'p> {
    /// An empty sink for the source of that path.
    pub fn new(path: &str, options: &'p ReadOptions, progress: &'p dyn Progress) -> Self {
        Self {
            data: SourceData::new(path),
            pending: Pending::default(),
            options,
            kept: None,
            last: None,
            unread_ends: 0,
            problems: Problems::default(),
            progress,
            last_timed: None,
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

    /// The same every few thousand lines of a block; `count` is how many of it were read.
    ///
    /// # Errors
    /// [`Cancelled`] when the user gave up.
    pub fn check_at(&self, count: usize, done: u64) -> Result<(), Cancelled> {
        if count % LINES_PER_CHECK == LINES_PER_CHECK - 1 { self.check(done) } else { Ok(()) }
    }

    /// Adds a run and returns its index for measurements.
    pub fn run(&mut self, run: RunRow) -> u32 {
        self.data.runs.push(run);
        u32::try_from(self.data.runs.len() - 1).unwrap_or(u32::MAX)
    }

    /// The run of the open transcript; where counters made one already it is joined, else one is
    /// made of what the transcript said so far. `at` is the line and offset of the block.
    pub fn open_run(&mut self, at: (u32, u64)) -> u32 {
        if let Some(run) = self.pending.run {
            return run;
        }
        let pending = std::mem::take(&mut self.pending);
        let (line, offset) = pending.start.unwrap_or(at);
        let index = self.run(RunRow { line, offset, ..RunRow::default() });
        self.pending.run = Some(index);
        if let Some(command) = &pending.command {
            self.describe(index, command);
        }
        if let Some(failure) = pending.failure {
            self.fail(&failure, pending.exit);
        } else {
            self.exit(pending.exit);
        }
        index
    }

    /// A new run for counters that begin here, even where earlier counters still wait for their times.
    pub fn start_run(&mut self, at: (u32, u64)) -> u32 {
        if self.pending.run.is_some() {
            self.close_run();
        }
        self.open_run(at)
    }

    /// Ends the transcript: what follows belongs to another run.
    pub fn close_run(&mut self) {
        self.pending = Pending::default();
    }

    /// The run of a block of times by that tool.
    ///
    /// Where another tool has just timed the same command, as in `time perf stat …`, its run is
    /// joined: nothing stands between the two blocks and their wall times agree.
    pub fn timed_run(&mut self, at: (u32, u64), tool: &'static str, real: Option<f64>) -> u32 {
        let pending = &self.pending;
        let begun = pending.run.is_some() || pending.command.is_some() || pending.start.is_some();
        match self.last_timed {
            Some(last) if !begun && last.tool != tool && agree(last.real, real) => {
                self.pending.run = Some(last.run);
                last.run
            }
            _ => self.open_run(at),
        }
    }

    /// Ends the transcript of a run that a tool has timed; see [`Self::timed_run`].
    pub fn close_timed(&mut self, run: u32, tool: &'static str, real: Option<f64>) {
        self.close_run();
        self.last_timed = Some(Timed { run, tool, real });
    }

    /// Adds a value of a tool that may be the second around one command: a metric that the run has
    /// already gets the tool's name behind it.
    pub fn measure_of(&mut self, tool: &str, mut row: Measurement) {
        let same = |known: &Measurement| {
            known.run == row.run && known.metric == row.metric && known.process == row.process
        };
        if self.data.measurements.iter().rev().take_while(|known| known.run == row.run).any(same) {
            row.metric = format!("{}_{tool}", row.metric);
        }
        self.measure(row);
    }

    /// Notes that the transcript's program failed, in its own words; the first words are kept.
    pub fn fail(&mut self, text: &str, exit: Option<i32>) {
        self.exit(exit);
        match self.pending.run.and_then(|run| self.data.runs.get_mut(run as usize)) {
            Some(run) => {
                run.quality = run.quality.with(Quality::FAILED);
                if run.failure.as_deref().is_none_or(|known| known == NOTHING_COUNTED) {
                    run.failure = Some(text.to_owned());
                }
            }
            None => {
                self.pending.failure.get_or_insert_with(|| text.to_owned());
            }
        }
    }

    /// Notes the exit status of the transcript's program; one that is not zero stays.
    pub fn exit(&mut self, exit: Option<i32>) {
        let known = match self.pending.run.and_then(|run| self.data.runs.get_mut(run as usize)) {
            Some(run) => &mut run.exit,
            None => &mut self.pending.exit,
        };
        if exit.is_some() && !known.is_some_and(|status| status != 0) {
            *known = exit;
        }
    }

    /// Adds words that hold for all values of a run.
    pub fn mark(&mut self, run: u32, quality: Quality) {
        if let Some(run) = self.data.runs.get_mut(run as usize) {
            run.quality = run.quality.with(quality);
        }
    }

    /// Sets what a command line says of a run.
    pub fn describe(&mut self, run: u32, command: &str) {
        let Some(run) = self.data.runs.get_mut(run as usize) else { return };
        describe_run(run, command);
    }

    /// Sets the operation of a run where its command did not say it.
    pub fn suggest_operation(&mut self, run: u32, operation: &str) {
        if let Some(run) = self.data.runs.get_mut(run as usize)
            && run.content.get(Key::Operation).is_none()
        {
            run.content.set(Key::Operation, operation);
        }
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

    /// Warns that a block ends before its last line; what is there is kept.
    pub fn cut(&mut self, line: u32, message: &str, expected: &str) {
        let path = self.data.path.clone();
        self.problem(
            Problem::new(Severity::Warning, ProblemKind::Cut, path, message).at_line(line).expected(expected),
        );
    }

    /// Takes note of a line that no format claimed: output of the timed program, a command line, a failure.
    ///
    /// Called for every such line of large files, so it only looks for fixed words, and only where the
    /// line `tells` that it may have some (see [`crate::transcript::may_tell`]).
    pub fn outside(&mut self, line: &Line<'_>, tells: bool) {
        let text = line.text.trim_ascii();
        if text.is_empty() || self.continues_command(text) {
            return;
        }
        if tells
            && let Some(prompt) = prompt(text)
            && (prompt.sure || (self.pending.command.is_none() && self.pending.run.is_none()))
        {
            if prompt.sure {
                self.close_run();
            }
            self.pending.command = Some(prompt.command.to_owned());
            self.pending.command_is_sure = prompt.sure;
            self.pending.start.get_or_insert((line.number, line.offset));
            return;
        }
        self.data.program_output += 1;
        self.pending.start.get_or_insert((line.number, line.offset));
        if tells && is_failure(text) {
            self.fail(text, None);
        }
    }

    /// Appends a line to a command that was broken with a backslash.
    fn continues_command(&mut self, text: &str) -> bool {
        let Some(command) = &mut self.pending.command else { return false };
        if !command.ends_with('\\') {
            return false;
        }
        command.pop();
        command.truncate(command.trim_end().len());
        command.push(' ');
        command.push_str(text);
        true
    }

    /// Takes over what a sink of a later part of the source has: requests, counts and problems. The
    /// part counted `lines` and `bytes` from its own beginning, and is empty thereafter.
    pub fn absorb(&mut self, part: &mut Sink<'_>, lines: u32, bytes: u64) {
        self.data.requests.append(&part.data.requests, lines, bytes);
        part.data.requests.clear();
        self.data.not_understood += std::mem::take(&mut part.data.not_understood);
        self.unread_ends += std::mem::take(&mut part.unread_ends);
        self.problems.append(std::mem::take(&mut part.problems), lines);
    }

    /// Goes on with what was read of the source before.
    pub fn resume(&mut self, mut data: SourceData) {
        self.problems = Problems::resume(std::mem::take(&mut data.problems));
        self.data = data;
    }

    /// Adds problems of this source that were collected apart.
    pub fn problems(&mut self, problems: Problems) {
        self.problems.append(problems, 0);
    }

    /// Everything, with the problems in their place.
    pub fn finish(mut self) -> SourceData {
        if let Some(last) = self.last {
            last(&mut self.data.runs);
        }
        let path = self.data.path.clone();
        self.data.problems = self.problems.finish(&path);
        self.data
    }
}

/// Whether two wall times can be of one execution: the outer tool adds its own start.
fn agree(a: Option<f64>, b: Option<f64>) -> bool {
    a.zip(b).is_some_and(|(a, b)| (a - b).abs() <= 0.05 + 0.02 * a.max(b))
}

/// A value that a tool measured, for the usual case.
pub fn measured(
    run: u32,
    at: (u32, u64),
    process: Process,
    metric: &str,
    unit: Unit,
    value: Option<f64>,
    raw: &str,
) -> Measurement {
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

/// Sets what a command line says: the command, its operation, and as settings the program and target.
pub fn describe_run(run: &mut RunRow, command: &str) {
    set_content(run, Key::Command, command);
    if let Some(operation) = commands::operation(command) {
        run.content.set(Key::Operation, operation);
    }
    for (name, value) in [("program", commands::program(command)), ("target", commands::target(command))] {
        if let Some(value) = value {
            run.settings.insert(name.to_owned(), value.into());
        }
    }
}

/// Why a run failed whose counters are all zero and that printed no time, until its own error is seen.
pub const NOTHING_COUNTED: &str = "all counters are zero and no time was printed";

#[cfg(test)]
pub mod testing {
    //! Reads texts and genuine files in the tests of the readers.

    use crate::Readers;
    use triptych_model::{Importer, ReadOptions, Silent, SourceData};

    /// What the readers make of a text.
    pub fn read(text: &str) -> SourceData {
        Readers.read("test.txt", text.as_bytes(), &ReadOptions::default(), &Silent).expect("nobody cancels")
    }

    /// What the readers make of a file below `sample-data/`.
    pub fn sample(path: &str) -> SourceData {
        Readers.read(path, &bytes(path), &ReadOptions::default(), &Silent).expect("nobody cancels")
    }

    /// A file below `sample-data/`.
    pub fn bytes(path: &str) -> Vec<u8> {
        let full = format!("{}/../../sample-data/{path}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(&full).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The values of one run as `metric=value`, in order.
    pub fn values(data: &SourceData, run: u32) -> Vec<String> {
        let of_run = data.measurements.iter().filter(|row| row.run == run);
        of_run
            .map(|row| match row.value {
                Some(value) => format!("{}={value}{}", row.metric, row.unit),
                None => format!("{}=?{}", row.metric, row.unit),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::testing::read;
    use super::*;

    #[test]
    fn a_failure_belongs_to_its_own_command() {
        let data = read(
            "$ svn export URL\nsvn: E160013: gone\n$ time svnadmin verify -q r\n\nreal\t0m2.000s\nuser\t0m1.000s\nsys\t0m0.500s\n",
        );
        let run = &data.runs[0];
        assert_eq!(run.content.get(Key::Operation), Some("verify"));
        assert_eq!((run.failure.as_deref(), run.line), (None, 3));
        assert_eq!(data.program_output, 1);
    }

    #[test]
    fn a_broken_command_line_is_joined() {
        let data = read("$ time svnbench null-log \\\n    svn://x/y -v -g\nreal 1.00\nuser 0.10\nsys 0.20\n");
        assert_eq!(data.runs[0].content.get(Key::Command), Some("svnbench null-log svn://x/y -v -g"));
        assert_eq!(data.runs[0].content.get(Key::Operation), Some("null-log -v -g"));
        assert_eq!(data.program_output, 0);
    }
}
