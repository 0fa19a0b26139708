//! hyperfine's `--export-json`: one run per element of `times`, or the aggregates where there are none.
//!
//! User and system times are means over all executions and stand once, at the first run of a result.

mod conditions;
pub mod csv;
pub mod table;
pub mod terminal;

use crate::format::{Confidence, DocumentFormat};
use crate::json::{self, Kind, Node};
use crate::sink::{Sink, measured};
use conditions::{Identity, Results};
use triptych_model::{
    Cancelled, FormatSpec, Key, Problem, ProblemKind, Process, Quality, RunRow, Severity, Unit,
};

/// The row of [`crate::FORMATS`].
pub static HYPERFINE: Hyperfine = Hyperfine;

static SPEC: FormatSpec = FormatSpec {
    id: "hyperfine",
    title: "hyperfine JSON",
    help: "every execution that hyperfine --export-json recorded, with its exit status",
    extensions: &["json"],
    samples: "hyperfine",
};

/// The reader.
pub struct Hyperfine;

/// Aggregates of the wall time, and their metrics.
const AGGREGATES: &[(&str, &str)] = &[
    ("mean", "real_mean"),
    ("median", "real_median"),
    ("min", "real_min"),
    ("max", "real_max"),
    ("stddev", "real_stddev"),
];

/// Means over all executions, whatever else the file has.
const MEANS: &[(&str, &str)] = &[("user", "user_mean"), ("system", "sys_mean")];

impl DocumentFormat for Hyperfine {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        if !text.starts_with('{') || !text.contains("\"results\"") {
            return Confidence::No;
        }
        let own = ["\"command\"", "\"times\"", "\"mean\""].iter().filter(|key| text.contains(**key)).count();
        if own >= 2 { Confidence::Certain } else { Confidence::Possible }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let text = String::from_utf8_lossy(bytes);
        let mut reader = Reader { lines: json::Places::new(&text), sink };
        let root = match json::parse(&text) {
            Ok(root) => root,
            Err(error) => {
                reader.refuse(error.line, error.column, &format!("no complete JSON: {}", error.message));
                return Ok(());
            }
        };
        reader.document(&root)
    }
}

/// Reads one document; knows the place of every value.
struct Reader<'t, 's, 'p> {
    lines: json::Places<'t>,
    sink: &'s mut Sink<'p>,
}

/// What one element of `results` says of all its runs.
struct Shared<'t> {
    content: RunRow,
    exits: Vec<Exit>,
    memory: Vec<Node<'t>>,
    executions: Option<u64>,
}

/// How one execution ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    /// With that status.
    Status(i32),
    /// By a signal; hyperfine writes `null`.
    Signal,
    /// It cannot be read.
    Unknown,
}

impl<'t> Reader<'t, '_, '_> {
    fn document(&mut self, root: &Node<'t>) -> Result<(), Cancelled> {
        let Some(results) = root.get("results").and_then(Node::elements) else {
            let at = root.get("results").unwrap_or(root);
            let (line, column) = self.lines.of(at.offset);
            self.refuse(line, column, "no list of results");
            return Ok(());
        };
        let mut all = Vec::new();
        for result in results {
            all.push(self.identity(result));
        }
        let known = Results::new(&all);
        for (index, result) in results.iter().enumerate() {
            self.sink.check(result.offset as u64)?;
            self.result(result, known.conditions(index));
        }
        Ok(())
    }

    /// The document cannot be read: nothing of it is kept.
    fn refuse(&mut self, line: u32, column: u32, message: &str) {
        let path = self.sink.data.path.clone();
        self.sink.data.error = Some(
            Problem::new(Severity::Error, ProblemKind::Malformed, path, message.to_owned())
                .at_line(line)
                .at_column(column)
                .expected("JSON as hyperfine --export-json writes it, {\"results\": [{\"command\": …}]}"),
        );
    }

    fn result(&mut self, result: &Node<'t>, content: RunRow) {
        let Kind::Object(_) = result.kind else {
            self.wrong(result, "result", "an object with command and times");
            return;
        };
        let times = self.list(result, "times", "a list of seconds").unwrap_or_default();
        let exits = self.exits(result, times.len());
        let memory = self.list(result, "memory_usage_byte", "a list of bytes").unwrap_or_default();
        let count = if times.is_empty() { exits.len() } else { times.len() };
        let executions = u64::try_from(count).ok().filter(|count| *count > 0);
        let shared = Shared { content, exits, memory: memory.to_vec(), executions };
        let first =
            if times.is_empty() { self.aggregates(result, &shared) } else { self.executions(times, &shared) };
        for (key, metric) in MEANS {
            self.value(result, key, first, metric, executions);
        }
    }

    /// The elements of a member; `None` where it is absent, null or no list.
    fn list<'r>(&mut self, result: &'r Node<'t>, key: &str, expected: &str) -> Option<&'r [Node<'t>]> {
        let node = result.get(key).filter(|node| node.kind != Kind::Null)?;
        let elements = node.elements();
        if elements.is_none() {
            self.wrong(node, key, expected);
        }
        elements
    }

    /// One run per element; returns the first.
    fn executions(&mut self, times: &[Node<'t>], shared: &Shared<'t>) -> u32 {
        let first = u32::try_from(self.sink.data.runs.len()).unwrap_or(u32::MAX);
        for (index, time) in times.iter().enumerate() {
            let mut run = self.run_at(time, &shared.content);
            run.content.set(Key::Repetition, (index + 1).to_string());
            if let Some(exit) = shared.exits.get(index) {
                set_exit(&mut run, *exit);
            }
            let run = self.sink.run(run);
            self.measure(time, run, "real", Unit::Secs, None);
            if let Some(memory) = shared.memory.get(index) {
                self.measure(memory, run, "max_rss", Unit::Bytes, None);
            }
        }
        first
    }

    /// One run with the aggregates; it failed where any execution did.
    fn aggregates(&mut self, result: &Node<'t>, shared: &Shared<'t>) -> u32 {
        let mut run = self.run_at(result, &shared.content);
        let failed = shared.exits.iter().find(|exit| !matches!(exit, Exit::Status(0) | Exit::Unknown));
        if let Some(exit) = failed.or(shared.exits.first()) {
            set_exit(&mut run, *exit);
        }
        let run = self.sink.run(run);
        for (key, metric) in AGGREGATES {
            self.value(result, key, run, metric, shared.executions);
        }
        run
    }

    fn run_at(&self, node: &Node<'_>, content: &RunRow) -> RunRow {
        RunRow { line: self.lines.of(node.offset).0, offset: node.offset as u64, ..content.clone() }
    }

    /// How each execution ended; `times` is their number where it is known.
    fn exits(&mut self, result: &Node<'t>, times: usize) -> Vec<Exit> {
        let Some(codes) = self.list(result, "exit_codes", "a list of numbers") else { return Vec::new() };
        if times > 0 && codes.len() != times {
            let node = result.get("exit_codes").unwrap_or(result);
            self.wrong(node, "exit_codes", &format!("as many as there are times, {times}"));
        }
        let mut exits = Vec::new();
        for code in codes {
            exits.push(match code.text().parse() {
                Ok(status) => Exit::Status(status),
                Err(_) if code.kind == Kind::Null => Exit::Signal,
                Err(_) => {
                    self.wrong(code, "exit code", "a whole number or null");
                    Exit::Unknown
                }
            });
        }
        exits
    }

    /// What the result is known by.
    fn identity(&mut self, result: &Node<'t>) -> Identity {
        let command = match result.get("command") {
            Some(node) => self.string(node, "command"),
            None => None,
        };
        Identity { command, parameters: self.parameters(result) }
    }

    fn parameters(&mut self, result: &Node<'t>) -> Vec<(String, String)> {
        let Some(node) = result.get("parameters") else { return Vec::new() };
        let Kind::Object(members) = &node.kind else {
            if node.kind != Kind::Null {
                self.wrong(node, "parameters", "an object of names and texts");
            }
            return Vec::new();
        };
        members
            .iter()
            .filter_map(|(name, value)| {
                // Older versions wrote numbers where newer ones write texts.
                let value = match value.kind {
                    Kind::Number => Some(value.text().to_owned()),
                    _ => self.string(value, "parameter"),
                }?;
                Some((name.clone(), value))
            })
            .collect()
    }

    fn string(&mut self, node: &Node<'t>, what: &str) -> Option<String> {
        if let Kind::String(text) = &node.kind {
            return Some(text.clone());
        }
        self.wrong(node, what, "a text");
        None
    }

    fn value(&mut self, result: &Node<'t>, key: &str, run: u32, metric: &str, executions: Option<u64>) {
        // `stddev` is null where there was one execution.
        if let Some(node) = result.get(key).filter(|node| node.kind != Kind::Null) {
            self.measure(node, run, metric, Unit::Secs, executions);
        }
    }

    fn measure(&mut self, node: &Node<'t>, run: u32, metric: &str, unit: Unit, executions: Option<u64>) {
        let raw = node.text();
        let number = (node.kind == Kind::Number).then(|| raw.parse::<f64>().ok()).flatten();
        let value = number.filter(|number| number.is_finite() && *number >= 0.0);
        let at = (self.lines.of(node.offset).0, node.offset as u64);
        let mut row = measured(run, at, Process::Client, metric, unit, value, raw);
        row.executions = executions;
        if value.is_none() {
            row.quality = row.quality.with(Quality::MALFORMED);
            row.raw = raw.chars().take(200).collect();
            self.wrong(node, metric, "a number that is not negative");
        }
        self.sink.measure(row);
    }

    fn wrong(&mut self, node: &Node<'_>, what: &str, expected: &str) {
        let (line, column) = self.lines.of(node.offset);
        self.sink.not_understood(line, column, &format!("unreadable {what}"), node.text(), expected);
    }
}

fn set_exit(run: &mut RunRow, exit: Exit) {
    let failure = match exit {
        Exit::Unknown => return,
        Exit::Status(status) => {
            run.exit = Some(status);
            if status == 0 {
                return;
            }
            format!("exit status {status}")
        }
        Exit::Signal => "ended by a signal".to_owned(),
    };
    run.quality = run.quality.with(Quality::FAILED);
    run.failure = Some(failure);
}

#[cfg(test)]
mod tests;
