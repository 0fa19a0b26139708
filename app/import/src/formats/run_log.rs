//! The runner's log, `run.ndjson`: one run a finished step, with its values and time series.
//!
//! The form is [`triptych_model::runlog`]. A line that cannot be read costs that line alone: a killed
//! runner or a full disk leaves its last one cut. Of several ends of one step the last counts.

mod rows;
#[cfg(test)]
mod tests;

use crate::format::{Confidence, DocumentFormat};
use crate::json;
use crate::sink::Sink;
use rows::Ended;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use triptych_model::runlog::{CampaignStart, Finished, Hello, Note, Outcome, PROTOCOL, RecordHead, StepEnd};
use triptych_model::{Cancelled, FormatSpec, Problem, ProblemKind, Severity};

/// The row of [`crate::FORMATS`].
pub static RUN_LOG: RunLog = RunLog;

static SPEC: FormatSpec = FormatSpec {
    id: "run-log",
    title: "Run log",
    help: "runs of Triptych's own runner: conditions, values, CPU load and the proof of the cache's state",
    extensions: &["ndjson"],
    samples: "run-log",
};

/// The reader.
pub struct RunLog;

impl DocumentFormat for RunLog {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        let mut lines = head.split(|byte| *byte == b'\n');
        if protocol(lines.next().unwrap_or_default()).is_some() {
            return Confidence::Certain;
        }
        // The greeting may be the damaged line.
        let is_record = |line: &[u8]| line.starts_with(b"{\"n\":") && contains(line, b"\"event\":\"");
        if lines.any(is_record) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let mut reader = Reader::new(sink);
        let mut at = 0;
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            reader.sink.check(at)?;
            let place = Place { line: number, offset: at, complete: line.ends_with(b"\n") };
            at += line.len() as u64;
            let line = line.trim_ascii_end();
            if !line.is_empty() && !reader.line(line, place) {
                return Ok(());
            }
        }
        reader.finish()
    }
}

fn contains(line: &[u8], words: &[u8]) -> bool {
    line.windows(words.len()).any(|window| window == words)
}

/// The protocol that a greeting names, and who speaks it; `None` where the line is no greeting.
fn protocol(line: &[u8]) -> Option<Hello> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let protocol = u32::try_from(value.get("protocol")?.as_u64()?).unwrap_or(u32::MAX);
    let program = value.get("program").and_then(Value::as_str);
    if protocol == PROTOCOL && program.is_none() {
        return None;
    }
    Some(Hello { protocol, program: program.unwrap_or("the program that wrote this").to_owned() })
}

/// Where a line stands.
#[derive(Clone, Copy)]
struct Place {
    line: u32,
    offset: u64,
    /// Whether its end was written.
    complete: bool,
}

/// Reads one log.
struct Reader<'t, 's, 'p> {
    sink: &'s mut Sink<'p>,
    /// The beginnings of the campaign's sessions.
    sessions: Vec<CampaignStart>,
    /// Ends of steps in their order; an earlier end of the same step is taken out.
    ended: Vec<Ended<'t>>,
    /// Their steps.
    keys: BTreeSet<String>,
    /// Warnings of the runner that belong to a step.
    step_notes: BTreeMap<u32, Vec<Value>>,
    finished: Option<(u32, Finished)>,
    greeted: bool,
    /// Number of the last record, and whether a damaged line followed it.
    last: (u64, bool),
    /// The last line read.
    line: u32,
}

impl<'t, 's, 'p> Reader<'t, 's, 'p> {
    fn new(sink: &'s mut Sink<'p>) -> Self {
        Self {
            sink,
            sessions: Vec::new(),
            ended: Vec::new(),
            keys: BTreeSet::new(),
            step_notes: BTreeMap::new(),
            finished: None,
            greeted: false,
            last: (0, false),
            line: 0,
        }
    }

    /// Takes one line; false where the log is refused.
    fn line(&mut self, line: &'t [u8], place: Place) -> bool {
        self.line = place.line;
        // A greeting is no record; asked first, it would cost a second reading of every record's samples.
        let Err(error) = self.record(line, place) else { return true };
        if let Some(hello) = protocol(line) {
            self.greeted = true;
            return self.accepts(&hello, place);
        }
        self.last.1 = true;
        self.damaged(line, place, &error);
        true
    }

    fn accepts(&mut self, hello: &Hello, place: Place) -> bool {
        let Some(refusal) = hello.refusal() else { return true };
        let path = self.sink.data.path.clone();
        let problem = Problem::new(Severity::Error, ProblemKind::Refused, path, refusal);
        self.sink.data.error = Some(problem.at_line(place.line));
        false
    }

    fn record(&mut self, line: &'t [u8], place: Place) -> serde_json::Result<()> {
        let head: RecordHead = serde_json::from_slice(line)?;
        match head.event.as_str() {
            "campaign" => self.sessions.push(serde_json::from_slice(line)?),
            "step-ended" => {
                let end: StepEnd = serde_json::from_slice(line)?;
                // Whatever serde takes for JSON is text.
                let text = std::str::from_utf8(line).unwrap_or_default();
                self.ended(Ended { end, text, place, session: self.sessions.len() });
            }
            "note" => self.note(&serde_json::from_slice(line)?, place),
            "finished" => self.finished = Some((place.line, serde_json::from_slice(line)?)),
            _ => {}
        }
        if head.event == "campaign" {
            self.finished = None;
        }
        self.in_sequence(head.n, place);
        Ok(())
    }

    /// Records are counted, so that one that was lost is missed.
    fn in_sequence(&mut self, n: u64, place: Place) {
        let (last, damaged) = std::mem::replace(&mut self.last, (n, false));
        let missing = n.saturating_sub(last.saturating_add(1));
        if missing > 0 && !damaged {
            let path = self.sink.data.path.clone();
            let message = format!("{missing} records before this line are missing");
            self.sink.problem(
                Problem::new(Severity::Warning, ProblemKind::Cut, path, message)
                    .at_line(place.line)
                    .found(format!("record {n}"))
                    .expected(format!("record {}", last.saturating_add(1))),
            );
        }
    }

    fn ended(&mut self, ended: Ended<'t>) {
        let key = ended.key();
        let again = !self.keys.insert(key.clone());
        let known = self.ended.iter().position(|other| again && other.key() == key);
        if let Some(earlier) = known.map(|index| self.ended.remove(index)) {
            let message = format!("step {} ended twice, its last end counts", ended.end.step);
            let found = format!("its first end on line {}", earlier.place.line);
            self.tell(message, Some(ended.place.line), Some(found));
        }
        self.ended.push(ended);
    }

    /// The campaign's own warnings are no fault of the file: they are shown, and kept with their run.
    fn note(&mut self, note: &Note, place: Place) {
        if note.severity == Severity::Note {
            return;
        }
        if let Some(step) = note.step {
            self.step_notes.entry(step).or_default().push(note.text.clone().into());
        }
        let of_step = note.step.map_or_else(String::new, |step| format!(" of step {step}"));
        self.tell(format!("the runner's {}{of_step}: {}", note.severity, note.text), Some(place.line), None);
    }

    fn tell(&mut self, message: String, line: Option<u32>, found: Option<String>) {
        let path = self.sink.data.path.clone();
        let mut problem = Problem::new(Severity::Note, ProblemKind::Other, path, message);
        problem.line = line;
        problem.found = found;
        self.sink.problem(problem);
    }

    fn damaged(&mut self, line: &[u8], place: Place, error: &serde_json::Error) {
        let broken = json::broken(error);
        let text = String::from_utf8_lossy(line);
        let before = line.get(..broken.column as usize - 1).unwrap_or(line);
        let column = u32::try_from(String::from_utf8_lossy(before).chars().count() + 1).unwrap_or(u32::MAX);
        self.sink.data.not_understood += 1;
        let path = self.sink.data.path.clone();
        let cut = !place.complete && error.is_eof();
        let problem = if cut {
            let message = "the log ends within a record, as a killed runner or a full disk leaves it";
            Problem::new(Severity::Warning, ProblemKind::Cut, path, message)
                .next_step("triptych run -o DIRECTORY measures what has no end")
        } else {
            let message = format!("unreadable record: {}", broken.message);
            let found: String = text.trim_end().chars().skip(column as usize - 1).take(40).collect();
            Problem::new(Severity::Warning, ProblemKind::Malformed, path, message)
                .found(found)
                .expected("a line as triptych-runner writes it")
        };
        self.sink.problem(problem.at_line(place.line).at_column(column));
    }

    fn finish(mut self) -> Result<(), Cancelled> {
        if !self.greeted {
            let path = self.sink.data.path.clone();
            let message = "the log has no greeting that names its version";
            self.sink.problem(
                Problem::new(Severity::Warning, ProblemKind::Malformed, path, message)
                    .at_line(1)
                    .expected(format!("{{\"protocol\":{PROTOCOL},\"program\":…}}")),
            );
        }
        self.tell_outcome();
        self.sink.data.campaign = self.campaign();
        for ended in std::mem::take(&mut self.ended) {
            self.sink.check(ended.place.offset)?;
            let session = ended.session.checked_sub(1).and_then(|index| self.sessions.get(index));
            let notes = self.step_notes.get(&ended.end.step).cloned().unwrap_or_default();
            let facts = facts(session, &ended.end, notes);
            ended.write(self.sink, session, facts);
        }
        Ok(())
    }

    fn campaign(&self) -> Option<String> {
        let named = self.sessions.iter().rev().map(|session| session.campaign.as_str());
        let of_runs = self.ended.iter().filter_map(|ended| Some(ended.end.run.rsplit_once('/')?.0));
        named.chain(of_runs).find(|name| !name.is_empty()).map(str::to_owned)
    }

    /// Says what is missing of the plan, if anything.
    fn tell_outcome(&mut self) {
        let done = self.ended.len();
        let steps = self.sessions.last().map_or(0, |session| session.steps);
        let (line, how, reason) = match self.finished.take() {
            Some((_, Finished { outcome: Outcome::Completed, .. })) => return,
            Some((line, Finished { outcome, reason, .. })) => {
                let how = if outcome == Outcome::Cancelled { "was cancelled" } else { "broke off" };
                (line, how, reason)
            }
            None => (self.line.max(1), "is still running, or its runner was killed", None),
        };
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        self.tell(
            format!("the campaign {how}{reason}; {done} of {steps} steps have ended"),
            Some(line),
            None,
        );
    }
}

/// What the campaign says of all its runs, as far as it concerns this one.
fn facts(session: Option<&CampaignStart>, end: &StepEnd, notes: Vec<Value>) -> Map<String, Value> {
    let mut facts = Map::new();
    if let Some(session) = session {
        for (name, text) in [("plan", &session.title), ("lab", &session.lab)] {
            if !text.is_empty() {
                facts.insert(name.to_owned(), text.as_str().into());
            }
        }
        let host = rows::host_of(&session.host, &end.conditions);
        if !host.is_empty() {
            facts.insert("host".to_owned(), host.into());
        }
    }
    if !notes.is_empty() {
        facts.insert("warnings".to_owned(), notes.into());
    }
    facts
}
