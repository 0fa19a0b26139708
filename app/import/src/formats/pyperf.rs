//! pyperf's JSON: one run per value, with the loops that it is the mean of.
//!
//! A process that only finds the number of loops has `warmups` and no `values`, and gives no run.
//! The names of members are those of `pyperf` 1 and 2; files of 0.6 and before are refused by name.

use crate::commands;
use crate::document::{Document, Meaning, fact, head_text, member_start};
use crate::format::{Confidence, DocumentFormat};
use crate::json::{Kind, Node};
use crate::sink::{Sink, describe_run, set_content};
use triptych_model::{Cancelled, FormatSpec, Key, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static PYPERF: Pyperf = Pyperf;

static SPEC: FormatSpec = FormatSpec {
    id: "pyperf",
    title: "pyperf JSON",
    help: "every value that pyperf measured, with its loops and the memory of its process",
    extensions: &["json"],
    samples: "pyperf",
};

/// The reader.
pub struct Pyperf;

const EXPECTED: &str = "JSON as pyperf -o writes it, {\"benchmarks\": [{\"runs\": […]}]}";

/// What a value is by the `unit` of its benchmark; pyperf gives seconds a loop where it says nothing.
const UNITS: &[(&str, &str, Unit)] =
    &[("second", "real", Unit::Secs), ("byte", "value", Unit::Bytes), ("integer", "value", Unit::Count)];

/// Largest memory of a process; of a timed command first, else of the process that ran the loops.
const MEMORY: &[&str] = &["command_max_rss", "mem_max_rss"];

/// Facts of a benchmark that are worth keeping.
const FACTS: &[&str] = &[
    "name",
    "loops",
    "inner_loops",
    "perf_version",
    "python_version",
    "python_implementation",
    "platform",
    "cpu_model_name",
    "cpu_config",
    "cpu_affinity",
    "timer",
    "tags",
    "description",
];

impl DocumentFormat for Pyperf {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        let head = head_text(head);
        if !head.starts_with('{') || head.contains("\"context\"") {
            return Confidence::No;
        }
        let has = |name: &str| head.contains(&format!("\"{name}\""));
        match member_start(&head, "benchmarks") {
            Some('[') if has("runs") && (has("metadata") || has("warmups") || has("values")) => {
                Confidence::Certain
            }
            Some('{') if has("runs") || has("version") || has("common_metadata") => Confidence::Certain,
            _ => Confidence::No,
        }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let text = String::from_utf8_lossy(bytes);
        let Some((document, root)) = Document::open(&text, sink, EXPECTED) else { return Ok(()) };
        let mut reader = Reader { document, calibrations: 0 };
        reader.read(&root)?;
        reader.document.close();
        Ok(())
    }
}

struct Reader<'t, 's, 'p> {
    document: Document<'t, 's, 'p>,
    /// Processes without values.
    calibrations: usize,
}

/// What a benchmark says of all its runs.
struct Shared {
    row: RunRow,
    metric: &'static str,
    unit: Unit,
    loops: Option<u64>,
}

impl<'t> Reader<'t, '_, '_> {
    fn read(&mut self, root: &Node<'t>) -> Result<(), Cancelled> {
        let benchmarks = root.get("benchmarks");
        if benchmarks.is_some_and(|node| matches!(node.kind, Kind::Object(_))) {
            let message = "a file of pyperf 0.6 or before, whose benchmarks have no order";
            self.document.decline(root, message, "measure again with pyperf 1 or newer and open its JSON");
            return Ok(());
        }
        let Some(benchmarks) = benchmarks.and_then(Node::elements) else {
            self.document.refuse(root, "no list of benchmarks");
            return Ok(());
        };
        for benchmark in benchmarks {
            self.document.sink.check(benchmark.offset as u64)?;
            self.benchmark(root, benchmark);
        }
        if self.calibrations > 0 {
            let count = self.calibrations;
            let message = format!("{count} processes only found the number of loops and gave no value");
            self.document.note(root, message.replace("1 processes", "1 process"));
        }
        Ok(())
    }

    fn benchmark(&mut self, root: &Node<'t>, benchmark: &Node<'t>) {
        if !matches!(benchmark.kind, Kind::Object(_)) {
            self.document.wrong(benchmark, "benchmark", "an object with runs");
            return;
        }
        let shared = self.shared(root, benchmark);
        let mut repetition = 0;
        for process in self.document.list(benchmark, "runs") {
            self.process(process, &shared, &mut repetition);
        }
    }

    /// Conditions and facts of a benchmark: its own metadata, then those that all share.
    fn shared(&mut self, root: &Node<'t>, benchmark: &Node<'t>) -> Shared {
        let metadata = |name: &str| {
            let of = |node: &Node<'t>| node.get("metadata").and_then(|all| all.get(name)).cloned();
            of(benchmark).or_else(|| of(root)).filter(|node| node.kind != Kind::Null)
        };
        let text = |name: &str| match metadata(name).map(|node| node.kind) {
            Some(Kind::String(text)) => Some(text),
            _ => None,
        };
        let mut row = RunRow::default();
        let name = text("name");
        let command = text("command");
        if let Some(command) = &command {
            describe_run(&mut row, command);
        }
        let known = command.as_deref().is_some_and(|command| commands::operation(command).is_some());
        if let Some(name) = name.as_deref().filter(|name| *name != "command" || !known) {
            // A name tells benchmarks of one command apart.
            set_content(&mut row, if known { Key::Variant } else { Key::Operation }, name);
        }
        set_content(&mut row, Key::Host, text("hostname").as_deref().unwrap_or_default());
        for name in FACTS {
            if let Some(node) = metadata(name) {
                row.settings.insert((*name).to_owned(), fact(&node));
            }
        }
        let (metric, unit) = self.unit(metadata("unit").as_ref());
        let loops = |name: &str| metadata(name).as_ref().and_then(crate::document::count_of);
        let loops = match (loops("loops"), loops("inner_loops")) {
            (Some(loops), Some(inner)) => loops.checked_mul(inner),
            (loops, _) => loops,
        };
        Shared { row, metric, unit, loops }
    }

    fn unit(&mut self, node: Option<&Node<'t>>) -> (&'static str, Unit) {
        let word = match node.map(|node| &node.kind) {
            Some(Kind::String(word)) => word.as_str(),
            _ => "second",
        };
        if let Some((_, metric, unit)) = UNITS.iter().find(|(known, ..)| *known == word) {
            return (metric, *unit);
        }
        if let Some(node) = node {
            self.document.wrong(node, "unit", "second, byte or integer");
        }
        ("value", Unit::Count)
    }

    /// One process: its values are runs, its memory stands at the first.
    fn process(&mut self, process: &Node<'t>, shared: &Shared, repetition: &mut usize) {
        let values = self.document.list(process, "values");
        if values.is_empty() {
            self.calibrations += usize::from(process.get("warmups").is_some());
            return;
        }
        let metadata = process.get("metadata");
        let of_process = |name: &str| metadata.and_then(|all| all.get(name));
        let loops = of_process("loops").and_then(crate::document::count_of).or(shared.loops);
        let mut first = None;
        for value in values {
            *repetition += 1;
            let mut row = self.document.run_at(value, &shared.row);
            row.content.set(Key::Repetition, repetition.to_string());
            if let Some(date) = of_process("date") {
                // When the process began, which is before its warm-up and this value.
                row.settings.insert("date".to_owned(), fact(date));
            }
            let run = self.document.sink.run(row);
            let (metric, unit) = (shared.metric, shared.unit);
            self.document.measure(value, run, Meaning { metric, unit, divisor: 1.0, executions: loops });
            first.get_or_insert(run);
        }
        let memory = MEMORY.iter().find_map(|name| of_process(name));
        if let (Some(run), Some(memory)) = (first, memory) {
            let executions = u64::try_from(values.len()).ok();
            let unit = Unit::Bytes;
            self.document.measure(memory, run, Meaning { metric: "max_rss", unit, divisor: 1.0, executions });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{bytes, read, sample, values};
    use proptest::prelude::*;
    use triptych_model::{Key, ProblemKind};

    #[test]
    fn every_value_is_a_run_and_calibration_gives_none() {
        let data = sample("pyperf/function.json");
        assert_eq!((data.runs.len(), data.error.as_ref(), data.not_understood), (20, None, 0));
        assert_eq!(values(&data, 0), ["real=0.0000011022646179198112s", "max_rss=19947520B"]);
        assert_eq!(values(&data, 1), ["real=0.0000008122042083743772s"]);
        assert_eq!(data.measurements[0].executions, Some(131_072));
        assert_eq!(data.measurements[0].raw, "1.1022646179198112e-06");
        assert_eq!(data.runs[19].content.get(Key::Repetition), Some("20"));
        let notes: Vec<_> = data.problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(notes, ["1 process only found the number of loops and gave no value"]);
    }

    #[test]
    fn the_memory_of_a_command_is_its_own() {
        let data = sample("pyperf/command.json");
        assert_eq!(data.runs.len(), 20);
        assert_eq!(values(&data, 0), ["real=0.014272516624998843s", "max_rss=12902400B"]);
        assert_eq!(data.measurements[0].executions, Some(8));
    }

    #[test]
    fn units_and_names() {
        for (metadata, expect, operation, variant) in [
            (r#"{"name":"x"}"#, "real=2s", Some("x"), None),
            (r#"{"name":"x","unit":"second"}"#, "real=2s", Some("x"), None),
            (r#"{"name":"x","unit":"byte"}"#, "value=2B", Some("x"), None),
            (r#"{"name":"x","unit":"integer"}"#, "value=21", Some("x"), None),
            (r#"{"name":"command","command":"svn export -q URL"}"#, "real=2s", Some("export"), None),
            (r#"{"name":"packed","command":"svn export -q URL"}"#, "real=2s", Some("export"), Some("packed")),
            (r#"{"name":"command","command":"./run me"}"#, "real=2s", Some("command"), None),
        ] {
            let own = format!(r#"{{"benchmarks":[{{"runs":[{{"values":[2.0]}}],"metadata":{metadata}}}]}}"#);
            let common =
                format!(r#"{{"benchmarks":[{{"runs":[{{"values":[2.0]}}]}}],"metadata":{metadata}}}"#);
            for text in [own, common] {
                let data = read(&text);
                assert_eq!(values(&data, 0), [expect], "{text}");
                let content = &data.runs[0].content;
                assert_eq!(
                    (content.get(Key::Operation), content.get(Key::Variant)),
                    (operation, variant),
                    "{text}"
                );
            }
        }
        let odd = r#"{"benchmarks":[{"runs":[{"values":[2.0,"x"]}],"metadata":{"unit":"mile"}}]}"#;
        assert_eq!(read(odd).not_understood, 2);
    }

    #[test]
    fn old_files_are_refused_by_name() {
        let old = r#"{"benchmarks": {"telco": {"common_metadata": {}, "runs": []}}, "version": 1}"#;
        let error = read(old).error.expect("refused");
        assert_eq!(error.kind, ProblemKind::Refused);
        assert!(error.message.contains("pyperf 0.6"), "{}", error.message);
    }

    #[test]
    fn its_words_are_refused_with_a_hint() {
        for text in ["Mean +- std dev: 970 ns +- 185 ns\n", "command: Mean +- std dev: 15.0 ms +- 2.5 ms\n"] {
            let reason = read(text).skipped.expect("passed over");
            assert!(reason.contains("pyperf's words") && reason.contains("JSON"), "{reason}");
        }
    }

    #[test]
    fn a_cut_file_keeps_what_is_whole() {
        let whole = bytes("pyperf/command.json");
        let cut = &whole[..whole.len() / 2];
        let data = read(std::str::from_utf8(cut).expect("text"));
        assert!(data.runs.len() > 5 && data.runs.len() < 20, "{}", data.runs.len());
        assert_eq!(data.problems[0].kind, ProblemKind::Cut);
    }

    proptest! {
        #[test]
        fn no_damage_panics(at in 0_usize..4400, byte in 0_u8..128, end in 0_usize..4400) {
            let mut bytes = bytes("pyperf/function.json");
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            bytes.truncate(end);
            let data = read(&String::from_utf8_lossy(&bytes));
            // A point that becomes a comma makes two values of one.
            prop_assert!(data.runs.len() <= 21);
        }
    }
}
