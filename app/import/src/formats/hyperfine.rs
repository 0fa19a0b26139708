//! hyperfine's `--export-json`: one run per element of `times`, or the aggregates where there are none.
//!
//! User and system times are means over all executions and stand once, at the first run of a result.

mod json;

use crate::commands;
use crate::format::{Confidence, DocumentFormat};
use crate::sink::{Sink, describe_run, measured};
use json::{Kind, Node};
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
                reader.refuse(error.line, error.column, &error.message);
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
    exits: Vec<Option<i32>>,
    memory: Vec<Node<'t>>,
}

impl<'t> Reader<'t, '_, '_> {
    fn document(&mut self, root: &Node<'t>) -> Result<(), Cancelled> {
        let Some(results) = root.get("results").and_then(Node::elements) else {
            let at = root.get("results").unwrap_or(root);
            let (line, column) = self.lines.of(at.offset);
            self.refuse(line, column, "no list of results");
            return Ok(());
        };
        for result in results {
            self.sink.check(result.offset as u64)?;
            self.result(result, results.len() > 1);
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

    fn result(&mut self, result: &Node<'t>, several: bool) {
        let Kind::Object(_) = result.kind else {
            self.wrong(result, "result", "an object with command and times");
            return;
        };
        let exits = self.exits(result);
        let memory = match result.get("memory_usage_byte") {
            Some(node) => node.elements().unwrap_or_default().to_vec(),
            None => Vec::new(),
        };
        let shared = Shared { content: self.conditions(result, several), exits, memory };
        let first = match result.get("times").map(|times| (times, times.elements())) {
            Some((_, Some(times))) if !times.is_empty() => self.executions(times, &shared),
            Some((times, None)) if times.kind != Kind::Null => {
                self.wrong(times, "times", "a list of seconds");
                self.aggregates(result, &shared)
            }
            _ => self.aggregates(result, &shared),
        };
        let executions = u64::try_from(shared.exits.len()).ok().filter(|count| *count > 0);
        for (key, metric) in MEANS {
            self.value(result, key, first, metric, executions);
        }
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
        let failed = shared.exits.iter().find(|exit| **exit != Some(0));
        if let Some(exit) = failed.or(shared.exits.first()) {
            set_exit(&mut run, *exit);
        }
        let run = self.sink.run(run);
        let executions = u64::try_from(shared.exits.len()).ok().filter(|count| *count > 0);
        for (key, metric) in AGGREGATES {
            self.value(result, key, run, metric, executions);
        }
        run
    }

    fn run_at(&self, node: &Node<'_>, content: &RunRow) -> RunRow {
        RunRow { line: self.lines.of(node.offset).0, offset: node.offset as u64, ..content.clone() }
    }

    /// `null` stands for an execution that a signal ended.
    fn exits(&mut self, result: &Node<'t>) -> Vec<Option<i32>> {
        let Some(node) = result.get("exit_codes") else { return Vec::new() };
        let Some(codes) = node.elements() else {
            self.wrong(node, "exit_codes", "a list of numbers");
            return Vec::new();
        };
        let mut exits = Vec::new();
        for code in codes {
            let exit = code.text().parse().ok();
            if exit.is_none() && code.kind != Kind::Null {
                self.wrong(code, "exit code", "a whole number or null");
            }
            exits.push(exit);
        }
        exits
    }

    /// Command, operation, variant and parameters, as far as they are sure.
    fn conditions(&mut self, result: &Node<'t>, several: bool) -> RunRow {
        let mut run = RunRow::default();
        let command = match result.get("command") {
            Some(node) => self.string(node, "command"),
            None => None,
        };
        let named = command.as_deref().filter(|text| commands::operation(text).is_none());
        if let Some(command) = command.as_deref().filter(|_| named.is_none()) {
            describe_run(&mut run, command);
        }
        let parameters = self.parameters(result);
        for (name, value) in &parameters {
            match Key::parse(name) {
                Some(key) => run.content.set(key, value.clone()),
                None => {
                    run.settings.insert(name.clone(), value.clone().into());
                }
            }
        }
        if run.content.get(Key::Variant).is_none()
            && let Some(variant) = variant(&run, named, &parameters, several)
        {
            run.content.set(Key::Variant, variant);
        }
        run
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

/// The side of the comparison, where no parameter is called so.
///
/// A name is given with `-n`, or it is a command that we do not know: both tell results apart.
fn variant(
    run: &RunRow,
    named: Option<&str>,
    parameters: &[(String, String)],
    several: bool,
) -> Option<String> {
    if let Some(name) = named.or_else(|| run.content.get(Key::Build)) {
        return Some(name.to_owned());
    }
    let values: Vec<&str> = parameters.iter().map(|(_, value)| value.as_str()).collect();
    (several && !values.is_empty()).then(|| values.join(" "))
}

fn set_exit(run: &mut RunRow, exit: Option<i32>) {
    run.exit = exit;
    if exit != Some(0) {
        run.quality = run.quality.with(Quality::FAILED);
        run.failure = Some(match exit {
            Some(status) => format!("exit status {status}"),
            None => "ended by a signal".to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::testing::{bytes, values};
    use triptych_model::{ReadOptions, Silent, SourceData};

    fn read(text: &str) -> SourceData {
        let options = ReadOptions::default();
        let mut sink = Sink::new("test.json", &options, &Silent);
        HYPERFINE.read(text.as_bytes(), &mut sink).expect("nobody cancels");
        sink.finish()
    }

    fn sample(name: &str) -> SourceData {
        let bytes = bytes(&format!("hyperfine/{name}"));
        assert_eq!(HYPERFINE.sniff(&bytes), Confidence::Certain, "{name}");
        read(std::str::from_utf8(&bytes).expect("UTF-8"))
    }

    #[test]
    fn every_execution_of_a_genuine_file() {
        let data = sample("null-export-cold.json");
        assert_eq!(data.runs.len(), 15);
        assert_eq!(data.measurements.len(), 15 + 3 * 2);
        let reals: Vec<f64> =
            data.measurements.iter().filter(|row| row.metric == "real").filter_map(|row| row.value).collect();
        assert_eq!(reals[..5], [1.45796742888, 1.33021588088, 1.38444999088, 1.39216825888, 1.38775977788]);
        let variants: Vec<_> =
            data.runs.iter().map(|run| run.content.get(Key::Variant).unwrap_or("")).collect();
        assert_eq!(variants[0..6], ["trunk", "trunk", "trunk", "trunk", "trunk", "branch6"]);
        assert_eq!(data.runs[4].content.get(Key::Repetition), Some("5"));
        assert_eq!(data.runs[4].exit, Some(0));
        assert_eq!((data.measurements[0].line, data.measurements[0].raw.as_str()), (13, "1.45796742888"));
        assert_eq!(data.measurements[5].metric, "user_mean");
        assert_eq!((data.measurements[5].value, data.measurements[5].executions), (Some(0.0090505), Some(5)));
        assert_eq!(data.problems, []);
    }

    #[test]
    fn parameters_and_failures_of_genuine_files() {
        let data = sample("null-export-param.json");
        assert_eq!(data.runs.len(), 6);
        let run = &data.runs[0];
        assert_eq!(run.content.get(Key::Operation), Some("null-export"));
        assert_eq!(run.content.get(Key::Build), Some("trunk"));
        assert_eq!(run.content.get(Key::Variant), Some("trunk"));
        let data = sample("with-failure.json");
        assert_eq!(data.runs.len(), 2);
        for run in &data.runs {
            assert_eq!((run.exit, run.failure.as_deref()), (Some(1), Some("exit status 1")));
            assert!(run.quality.has(Quality::FAILED));
        }
    }

    #[test]
    fn aggregates_stand_in_for_missing_times() {
        let data = read(
            r#"{"results":[{"command":"a","mean":0.0,"stddev":null,"median":1.5,"user":0.5,"system":0.25,"min":1,"max":2,"exit_codes":[0,null]}]}"#,
        );
        assert_eq!(
            values(&data, 0),
            [
                "real_mean=0s",
                "real_median=1.5s",
                "real_min=1s",
                "real_max=2s",
                "user_mean=0.5s",
                "sys_mean=0.25s"
            ]
        );
        assert!(data.runs[0].quality.has(Quality::FAILED));
        assert_eq!(data.measurements[0].executions, Some(2));
    }

    #[test]
    fn wrong_values_are_named_and_the_rest_is_kept() {
        let data = read(
            "{\"results\": [\n  {\"command\": 7, \"times\": [1.5, \"x\", -1],\n \"exit_codes\": {}},\n 3]}",
        );
        assert_eq!(values(&data, 0), ["real=1.5s"]);
        assert_eq!(values(&data, 1), ["real=?s"]);
        let said: Vec<String> = data.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "test.json:3:16: warning: unreadable exit_codes, found \"{}\", expected a list of numbers",
                "test.json:2:15: warning: unreadable command, found \"7\", expected a text",
                "test.json:2:33: warning: unreadable real, found \"\\\"x\\\"\", expected a number that is not negative",
                "test.json:2:38: warning: unreadable real, found \"-1\", expected a number that is not negative",
                "test.json:4:2: warning: unreadable result, found \"3\", expected an object with command and times",
            ]
        );
        assert_eq!(data.not_understood, 5);
    }

    #[test]
    fn broken_documents_are_refused_with_their_place() {
        for (text, place, message) in [
            ("{\"results\": [\n{\"command\": \"x\", \"mean\": 1.", "test.json:2:27", "EOF while parsing"),
            ("{\"results\": [\n  oops]}", "test.json:2:3", "expected value"),
            ("{\"results\": 3}", "test.json:1:13", "no list of results"),
            ("[]", "test.json:1:1", "no list of results"),
        ] {
            let error = read(text).error.unwrap_or_else(|| panic!("{text:?} is accepted"));
            assert_eq!(error.place(), place, "{text:?}");
            assert!(error.message.contains(message), "{error}");
        }
        let deep = format!("{{\"results\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(read(&deep).error.is_some());
    }

    #[test]
    fn sniffing() {
        assert_eq!(
            HYPERFINE.sniff(b"\n{ \"results\": [{\"command\": \"x\", \"mean\": 1"),
            Confidence::Certain
        );
        assert_eq!(HYPERFINE.sniff(b"{\"results\": []}"), Confidence::Possible);
        assert_eq!(HYPERFINE.sniff(b"{\"benchmarks\": []}"), Confidence::No);
        assert_eq!(HYPERFINE.sniff(b"$ cat results"), Confidence::No);
    }
}
