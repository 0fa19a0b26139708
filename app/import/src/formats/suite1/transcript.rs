//! What `run` prints while it runs, one line of time a run, and what `list` prints.

use super::label::{Label, tell_revisions_apart};
use crate::formats::timedelta::parse_timedelta;
use crate::sink::{Sink, measured, set_content};
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, Key, Process, Quality, RunRow, Unit};

/// The whole run of one series, as suite1 calls it in its database.
pub const TOTAL: &str = "TOTAL RUN";

/// A series of runs that is being read.
#[derive(Default)]
struct Series {
    label: Label,
    shape: String,
    program: String,
    runs: u32,
    repetition: u32,
    /// Where the current run began, until its time is seen.
    open: Option<(u32, u64)>,
    last: Option<u32>,
}

/// Reads from `Hi, going to run …` to the end of its last run, and returns the index behind it.
pub fn read(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<usize, Cancelled> {
    let mut series = Series::default();
    sink.close_run();
    let mut end = at;
    while let Some(line) = lines.get(end) {
        if end.is_multiple_of(4096) {
            sink.check(line.offset)?;
        }
        let text = line.text.trim();
        let is_next = end > at
            && ["Hi, going to run", "Timings for ", "Compare "].iter().any(|head| text.starts_with(head));
        if is_next {
            break;
        }
        end += 1;
        series.line(&line, text, sink);
        let is_done = series.runs > 0 && series.repetition >= series.runs && series.open.is_none();
        if text == "submitting..." && is_done && !lines.get(end).is_some_and(|line| is_traceback(line.text)) {
            break;
        }
    }
    series.finish(sink);
    sink.last = Some(tell_revisions_apart);
    Ok(end)
}

fn is_traceback(text: &str) -> bool {
    text.trim_start().starts_with("Traceback (most recent call last)")
}

impl Series {
    fn line(&mut self, line: &Line<'_>, text: &str, sink: &mut Sink<'_>) {
        let at = (line.number, line.offset);
        if let Some(rest) = text.strip_prefix("Hi, going to run a Subversion benchmark series of ") {
            self.runs = rest.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
        } else if let Some(label) = text.strip_prefix("Label is ") {
            self.label = Label::parse(label);
        } else if let Some(rest) = text.strip_prefix("Run ").filter(|rest| rest.contains(" of ")) {
            self.finish(sink);
            self.repetition = rest.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
            self.open = Some(at);
        } else if let Some(rest) = text.strip_prefix("dir levels: ") {
            let levels = rest.split(';').next().unwrap_or_default().trim();
            let spread = rest.rsplit(':').next().unwrap_or_default().trim();
            self.shape = format!("{levels}x{spread}");
        } else if let Some(raw) = text.strip_prefix("Done with svn benchmark in ") {
            let run = self.run(self.open.unwrap_or(at), sink);
            let value = parse_timedelta(raw);
            let mut row = measured(run, at, Process::Client, "real", Unit::Secs, value, raw);
            if value.is_none() {
                row.quality = row.quality.with(Quality::MALFORMED);
                let column = u32::try_from("Done with svn benchmark in ".len() + 1).unwrap_or(1);
                sink.not_understood(at.0, column, "unreadable time", raw, "a time such as 0:00:05.008999");
            }
            sink.measure(row);
            (self.open, self.last) = (None, Some(run));
        } else if text.starts_with("svn, version ") {
            self.program = text.to_owned();
        } else if is_traceback(text) {
            self.fail("the benchmark stopped with an error", sink);
        } else if !text.is_empty() && !is_known(text) {
            sink.data.program_output += 1;
        }
    }

    fn run(&self, at: (u32, u64), sink: &mut Sink<'_>) -> u32 {
        let mut row = RunRow { line: at.0, offset: at.1, ..RunRow::default() };
        self.label.describe(&mut row);
        if row.content.get(Key::Repository).is_none() {
            set_content(&mut row, Key::Repository, &self.shape);
        }
        set_content(&mut row, Key::Operation, TOTAL);
        if self.repetition > 0 {
            row.content.set(Key::Repetition, self.repetition.to_string());
        }
        if !self.program.is_empty() {
            row.settings.insert("program".to_owned(), self.program.as_str().into());
        }
        sink.run(row)
    }

    /// A traceback may come before or behind the time, for the two go to different streams.
    fn fail(&mut self, why: &str, sink: &mut Sink<'_>) {
        let run = match (self.open, self.last) {
            (Some(at), _) => {
                let run = self.run(at, sink);
                (self.open, self.last) = (None, Some(run));
                run
            }
            (None, Some(run)) => run,
            (None, None) => return,
        };
        if let Some(row) = sink.data.runs.get_mut(run as usize) {
            row.quality = row.quality.with(Quality::FAILED);
            row.failure.get_or_insert_with(|| why.to_owned());
        }
    }

    /// A run without its time did not end.
    fn finish(&mut self, sink: &mut Sink<'_>) {
        if let Some(at) = self.open {
            self.fail("the run has no end", sink);
            sink.cut(
                at.0,
                "the run has no end",
                "a line \u{201c}Done with svn benchmark in \u{2026}\u{201d}",
            );
        }
    }
}

/// Lines of the harness itself that say nothing more.
fn is_known(text: &str) -> bool {
    text == "submitting..."
        || text.starts_with("Running svn benchmark in ")
        || text.starts_with("svnadmin, version ")
}

/// Heads of the groups that `list` prints, and how they are counted.
const GROUPS: &[(&str, &str)] = &[
    (" command names:", "command_names"),
    (" branches:", "branches"),
    (" revisions:", "branch_revisions"),
    (" kinds of levels x spread:", "working_copy_shapes"),
];

/// So many lines at most stand above `I found:`: the words of the label.
const LABEL_LINES: usize = 20;

/// Reads what is on record, and returns the index behind `2 runs in 1 batches.`; `None` where that
/// line does not follow.
pub fn read_list(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Option<usize> {
    let mut groups: Vec<(&str, Line<'_>, Vec<String>)> = Vec::new();
    let mut found = false;
    let mut label = Label::default();
    for (index, line) in lines.starting_at(at).take(100_000) {
        let text = line.text.trim();
        if let Some((runs, batches)) = totals(text).filter(|_| found) {
            write_list(&label, &groups, (&line, runs, batches), sink);
            return Some(index + 1);
        }
        let group = GROUPS.iter().find(|(head, _)| text.ends_with(head));
        if (text == "I found:" && found) || (!found && index > at + LABEL_LINES) {
            return None;
        } else if text == "I found:" {
            found = true;
        } else if let Some((_, name)) = group {
            groups.push((name, line, Vec::new()));
        } else if let Some((key, value)) = text.split_once(" = ").filter(|_| !found) {
            match key {
                "branch" => label.branch = value.to_owned(),
                "revision" => label.revision = value.to_owned(),
                "levels" => label.shape = format!("{value}x"),
                "spread" => label.shape = format!("{}x{value}", label.shape.trim_end_matches('x')),
                _ => return None,
            }
        } else if let Some((_, _, names)) = groups.last_mut() {
            if !text.is_empty() {
                names.push(text.to_owned());
            }
        } else if index > at && !text.is_empty() {
            return None;
        }
    }
    None
}

/// `2 runs in 1 batches.`
fn totals(text: &str) -> Option<(&str, &str)> {
    let (runs, rest) = text.split_once(" runs in ")?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let batches = rest.strip_suffix(" batches.")?;
    (is_number(runs) && is_number(batches)).then_some((runs, batches))
}

/// One run of its own kind with the counts; the names are facts of it.
fn write_list(
    label: &Label,
    groups: &[(&str, Line<'_>, Vec<String>)],
    (line, runs, batches): (&Line<'_>, &str, &str),
    sink: &mut Sink<'_>,
) {
    let first = groups.first().map_or(line, |(_, line, _)| line);
    let mut row = RunRow { line: first.number, offset: first.offset, ..RunRow::default() };
    label.describe(&mut row);
    set_content(&mut row, Key::Operation, "suite1 list");
    for (name, _, names) in groups {
        row.settings.insert((*name).to_owned(), names.clone().into());
    }
    let run = sink.run(row);
    let heads = groups.iter().map(|(name, line, _)| {
        let raw = line.text.trim().split(' ').next().unwrap_or_default();
        (*name, raw, (line.number, line.offset))
    });
    let place = (line.number, line.offset);
    for (metric, raw, at) in heads.chain([("suite1_runs", runs, place), ("batches", batches, place)]) {
        let value = raw.parse::<u32>().ok().map(f64::from);
        sink.measure(measured(run, at, Process::Client, metric, Unit::Count, value, raw));
    }
}
