//! top in batch mode (`-b`): processes and the machine, frame by frame, in any locale.
//!
//! A frame begins with `top - HH:MM:SS`, has some lines of sums, a blank line, a header and rows. There
//! is no date, so times count from the first frame. Its `%CPU` is since the start of each process:
//! the first frame is left out unless it is the only one. Columns are the user's choice and their
//! names are translated: they are read from the header, and where it names none of ours, by place.

mod columns;
mod sums;

use crate::format::LineFormat;
use crate::formats::sysstat::clock::{self, BlockClock, Moment};
use crate::formats::sysstat::record::{Figure, Who, note, note_start, tell};
use crate::formats::sysstat::table::{Rows, bad_row, cut, unreadable};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use columns::{Columns, Row};
use std::collections::HashMap;
use triptych_model::{Cancelled, FormatSpec, Problem, ProblemKind, Process, Quality, ReadOptions, Severity};

/// The reader of top's batch mode.
pub struct Top;

const SPEC: FormatSpec = FormatSpec {
    id: "top",
    title: "top -b",
    help: "CPU and memory of processes over time, batch mode of procps' top in any locale",
    extensions: &["txt", "log"],
    samples: "top",
};

/// No terminal has more lines.
const LONGEST_SCREEN: usize = 500;

const SCREEN: &str = "top drew a screen (no -b) and wrote only what changed, which cannot be read";
const FIRST_LEFT_OUT: &str = "the first frame, loads since the start of each process, was left out";
const ONLY_ONE: &str = "the only frame shows loads since the start of each process";

impl LineFormat for Top {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b't' => const { Signs::any_of(&[" -"]) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if time_of(first.text).is_none() {
            return Ok(None);
        }
        if let Some(end) = end_of_screen(lines, at) {
            let path = sink.data.path.clone();
            sink.data.not_understood += 1;
            sink.problem(
                Problem::new(Severity::Warning, ProblemKind::Malformed, path, SCREEN)
                    .at_line(first.number)
                    .next_step("take `top -b -d 1`"),
            );
            return Ok(Some(end));
        }
        let second = lines.starting_at(at + 1).find(|(_, line)| time_of(line.text).is_some());
        let mut block = Block {
            clock: BlockClock::new(None, sink.options.zone_offset_secs),
            rows: Rows::new(None, sink),
            columns: None,
            place: Place::Sums,
            at: None,
            frames: 0,
            skips: second.is_some(),
            commands: HashMap::new(),
        };
        let end = block.read(lines, at, sink)?;
        tell(&block.rows.recorder, None, first.number, sink);
        block.rows.finish(first.number, sink);
        let message = if block.skips { FIRST_LEFT_OUT } else { ONLY_ONE };
        note(sink, ProblemKind::Other, first.number, message);
        Ok(Some(end))
    }
}

/// Where the screens end that top drew without `-b`: it writes only what changed, so that a frame begins
/// within a line of the one before. `None` where the frames are whole.
fn end_of_screen(lines: &Lines<'_>, at: usize) -> Option<usize> {
    let begins =
        |text: &str| text.match_indices("top - ").any(|(at, _)| text.get(at..).and_then(time_of).is_some());
    let frame = lines.starting_at(at + 1).take_while(|(_, line)| time_of(line.text).is_none());
    let (mut end, _) = frame.take(LONGEST_SCREEN).find(|(_, line)| begins(line.text))?;
    while let Some((next, _)) =
        lines.starting_at(end + 1).take(LONGEST_SCREEN).find(|(_, line)| begins(line.text))
    {
        end = next;
    }
    Some(end + 1)
}

/// The time of `top - 08:06:38 up 11 min, …`.
fn time_of(text: &str) -> Option<clock::Printed> {
    clock::split_time(text.trim_start().strip_prefix("top - ")?).0
}

/// Where in a frame a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Above the blank line.
    Sums,
    /// Behind it, where the header stands.
    Header,
    /// Below the header.
    Rows,
    /// Behind the rows.
    Between,
}

/// One run of top.
struct Block {
    clock: BlockClock,
    rows: Rows,
    columns: Option<Columns>,
    place: Place,
    at: Option<Moment>,
    frames: u32,
    /// Whether the first frame is left out.
    skips: bool,
    /// The last command of each process.
    commands: HashMap<u32, String>,
}

impl Block {
    fn read(&mut self, lines: &Lines<'_>, start: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
        let mut end = start;
        for (index, line) in lines.starting_at(start) {
            sink.check_at(index - start, line.offset)?;
            if let Some(time) = time_of(line.text) {
                self.frame(time, sink);
            } else if line.is_blank() {
                self.place = match self.place {
                    Place::Sums => Place::Header,
                    Place::Rows => Place::Between,
                    place => place,
                };
                continue;
            } else if self.place == Place::Between {
                break;
            } else {
                self.line(&line, sink);
            }
            end = index + 1;
        }
        Ok(end)
    }

    fn frame(&mut self, time: clock::Printed, sink: &mut Sink<'_>) {
        self.frames += 1;
        self.place = Place::Sums;
        self.at = self.clock.moment(time);
        if self.frames == 1 && self.skips {
            note_start(sink, self.at.map(|moment| moment.micros));
        }
    }

    fn line(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        match self.place {
            Place::Sums => self.sums(line, sink),
            Place::Rows => self.row(line, sink),
            Place::Header | Place::Between => {
                self.columns = Columns::parse(line.text);
                self.place = Place::Rows;
                if self.columns.is_none() {
                    let expected = "names of columns with PID and %CPU among them";
                    sink.not_understood(line.number, 1, "no header of top", line.text, expected);
                }
            }
        }
    }

    /// The moment of this frame, where its figures count.
    fn moment(&self) -> Option<Moment> {
        self.at.filter(|_| !(self.skips && self.frames == 1))
    }

    /// `%Cpu(s): …` of all processors or of each, and the line of memory.
    fn sums(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        if line.is_open {
            return bad_row(line, 8, sink);
        }
        for cpu in sums::processors(line.text) {
            let whose = match cpu.number {
                Some(number) => Process::Other(format!("cpu:{number}")),
                None => Process::System,
            };
            let prefix = if cpu.number.is_some() { "core_" } else { "" };
            let Some(moment) = self.moment() else { continue };
            let who = Who::part(whose);
            for (meaning, value) in &cpu.shares {
                self.rows.figure(&who, prefix, meaning, *value, moment, line.number, sink);
            }
        }
        if let Some(moment) = self.moment() {
            for (meaning, value) in sums::memory(line.text) {
                let who = Who::part(Process::System);
                self.rows.figure(&who, "", &meaning, value, moment, line.number, sink);
            }
        }
    }

    fn row(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let Some(columns) = &self.columns else { return };
        let Some(row) = columns.split(line.text) else { return bad_row(line, columns.len(), sink) };
        let Some(command) = whole_command(&mut self.commands, &row, line, sink) else {
            return bad_row(line, columns.len(), sink);
        };
        let Some(moment) = self.moment() else { return };
        let who = Who::command(row.pid, &command);
        for (column, cell, at) in row.values {
            match column.value(cell) {
                Ok(Some(value)) => {
                    let figure = Figure {
                        metric: column.metric(),
                        unit: column.unit(),
                        value,
                        quality: Quality::NONE,
                    };
                    self.rows.recorder.add(&who, figure, moment, line.number, sink);
                }
                Ok(None) => {}
                Err(expected) => unreadable(line, at, column.name(), cell, expected, sink),
            }
        }
    }
}

/// The command, mended where the source ends within it and an earlier frame has it whole; `None` where
/// it may be cut and nothing tells.
fn whole_command(
    seen: &mut HashMap<u32, String>,
    row: &Row<'_, '_>,
    line: &Line<'_>,
    sink: &mut Sink<'_>,
) -> Option<String> {
    if !line.is_open {
        if seen.get(&row.pid).is_none_or(|known| known != row.command) {
            seen.insert(row.pid, row.command.to_owned());
        }
        return Some(row.command.to_owned());
    }
    let known = seen.get(&row.pid).filter(|known| known.starts_with(row.command))?;
    if known.len() > row.command.len() {
        cut(line, sink);
    }
    Some(known.clone())
}

#[cfg(test)]
mod tests;
