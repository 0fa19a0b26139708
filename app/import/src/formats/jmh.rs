//! JMH's JSON (`-rf json`): one run per iteration of a fork, or the aggregates where no raw data is kept.
//!
//! Scores in time an operation are times; scores in operations a time are a rate, for which more is
//! better. Figures that JMH could not compute are the text `"NaN"`.

use crate::document::{Document, Meaning, fact, head_text, number};
use crate::format::{Confidence, DocumentFormat};
use crate::json::{Kind, Node};
use crate::sink::{Sink, set_content};
use triptych_model::{Cancelled, FormatSpec, Key, Quality, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static JMH: Jmh = Jmh;

static SPEC: FormatSpec = FormatSpec {
    id: "jmh",
    title: "JMH JSON",
    help: "every iteration of the Java microbenchmark harness, times an operation or operations a second",
    extensions: &["json"],
    samples: "jmh",
};

/// The reader.
pub struct Jmh;

const EXPECTED: &str = "JSON as JMH -rf json writes it, [{\"benchmark\": …, \"primaryMetric\": {…}}]";

/// Units of time in JMH, and how many of them are one second.
const TIMES: &[(&str, f64)] = &[
    ("ns", 1e9),
    ("us", 1e6),
    ("ms", 1e3),
    ("s", 1.0),
    ("min", 1.0 / 60.0),
    ("hr", 1.0 / 3600.0),
    ("day", 1.0 / 86400.0),
];

/// Units of what profilers add, the base unit, and how many of them are one base unit.
const PROFILED: &[(&str, Unit, f64)] = &[
    ("B/op", Unit::Bytes, 1.0),
    ("B", Unit::Bytes, 1.0),
    ("KB", Unit::Bytes, 1.0 / 1024.0),
    ("MB", Unit::Bytes, 1.0 / 1_048_576.0),
    ("B/sec", Unit::BytesPerSec, 1.0),
    ("MB/sec", Unit::BytesPerSec, 1.0 / 1_048_576.0),
    ("%", Unit::Percent, 1.0),
    ("counts", Unit::Count, 1.0),
    ("count", Unit::Count, 1.0),
    ("#", Unit::Count, 1.0),
    ("#/op", Unit::Count, 1.0),
    ("threads", Unit::Count, 1.0),
    ("ms", Unit::Secs, 1e3),
];

/// Percentiles that have a metric of their own name.
const PERCENTILES: &[(&str, &str)] = &[
    ("0.0", "min"),
    ("50.0", "median"),
    ("90.0", "p90"),
    ("95.0", "p95"),
    ("99.0", "p99"),
    ("99.9", "p99.9"),
    ("99.99", "p99.99"),
    ("100.0", "max"),
];

/// Facts of a benchmark that are worth keeping.
const FACTS: &[&str] = &[
    "mode",
    "forks",
    "jmhVersion",
    "jdkVersion",
    "vmName",
    "vmVersion",
    "warmupIterations",
    "warmupTime",
    "measurementIterations",
    "measurementTime",
];

impl DocumentFormat for Jmh {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        let head = head_text(head);
        if !head.starts_with('[') {
            return Confidence::No;
        }
        let has = |name: &str| head.contains(&format!("\"{name}\""));
        let by_settings = has("benchmark") && has("mode") && has("forks");
        if has("primaryMetric") || has("jmhVersion") || by_settings {
            Confidence::Certain
        } else {
            Confidence::No
        }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let text = String::from_utf8_lossy(bytes);
        let Some((document, root)) = Document::open(&text, sink, EXPECTED) else { return Ok(()) };
        let mut reader = Reader { document };
        reader.read(&root)?;
        reader.document.close();
        Ok(())
    }
}

/// A score's metric, base unit and divisor.
#[derive(Clone, Copy)]
struct Scale {
    metric: &'static str,
    unit: Unit,
    divisor: f64,
}

struct Reader<'t, 's, 'p> {
    document: Document<'t, 's, 'p>,
}

impl<'t> Reader<'t, '_, '_> {
    fn read(&mut self, root: &Node<'t>) -> Result<(), Cancelled> {
        let Some(results) = root.elements() else {
            self.document.refuse(root, "no list of results");
            return Ok(());
        };
        for result in results {
            self.document.sink.check(result.offset as u64)?;
            self.result(result);
        }
        Ok(())
    }

    fn result(&mut self, result: &Node<'t>) {
        let Some(primary) = result.get("primaryMetric").filter(|node| matches!(node.kind, Kind::Object(_)))
        else {
            self.document.wrong(result, "result", "an object with benchmark and primaryMetric");
            return;
        };
        let mut shared = self.conditions(result);
        let Some(scale) = self.scale(primary) else { return };
        for name in ["score", "scoreError", "scoreConfidence", "scoreUnit"] {
            if let Some(node) = primary.get(name) {
                shared.settings.insert(name.to_owned(), fact(node));
            }
        }
        let runs = self.iterations(primary, &shared, scale);
        let runs = if runs.is_empty() { vec![vec![self.aggregates(primary, &shared, scale)]] } else { runs };
        if let Some(Kind::Object(metrics)) = result.get("secondaryMetrics").map(|node| &node.kind) {
            for (name, metric) in metrics {
                self.secondary(name, metric, &runs);
            }
        }
    }

    /// Operation, threads and facts; parameters that are no conditions tell operations apart.
    fn conditions(&mut self, result: &Node<'t>) -> RunRow {
        let mut row = RunRow::default();
        let mut operation = self.document.string(result, "benchmark").unwrap_or_default().to_owned();
        if let Some(Kind::Object(parameters)) = result.get("params").map(|node| &node.kind) {
            for (name, node) in parameters {
                let value = match &node.kind {
                    Kind::String(text) => text.as_str(),
                    _ => node.text(),
                };
                match Key::parse(name) {
                    Some(key) => set_content(&mut row, key, value),
                    None => {
                        operation = format!("{operation} {name}={value}");
                        row.settings.insert(name.clone(), value.into());
                    }
                }
            }
        }
        if row.content.get(Key::Operation).is_none() {
            set_content(&mut row, Key::Operation, operation.trim());
        }
        if let Some(threads) = self.document.count(result, "threads") {
            row.content.set(Key::Threads, threads.to_string());
        }
        for name in FACTS {
            if let Some(node) = result.get(name) {
                row.settings.insert((*name).to_owned(), fact(node));
            }
        }
        row
    }

    /// What a score is, by its unit: `ns/op` a time, `ops/s` a rate.
    fn scale(&mut self, primary: &Node<'t>) -> Option<Scale> {
        let unit = self.document.string(primary, "scoreUnit")?;
        let per_second = |name: &str| TIMES.iter().find(|(known, _)| *known == name).map(|(_, count)| *count);
        let scale = match unit.split_once('/') {
            Some(("ops", time)) => per_second(time).map(|count| Scale {
                metric: "throughput",
                unit: Unit::PerSec,
                divisor: 1.0 / count,
            }),
            Some((time, "op")) => {
                per_second(time).map(|divisor| Scale { metric: "real", unit: Unit::Secs, divisor })
            }
            _ => None,
        };
        if scale.is_none() {
            let node = primary.get("scoreUnit").unwrap_or(primary);
            self.document.wrong(node, "scoreUnit", "a time an operation or operations a time, ns/op, ops/s");
        }
        scale
    }

    /// The runs of each fork; none where no raw data is kept.
    fn iterations(&mut self, primary: &Node<'t>, shared: &RunRow, scale: Scale) -> Vec<Vec<u32>> {
        let mut forks = Vec::new();
        let mut repetition = 0;
        for (fork, iterations) in self.document.list(primary, "rawData").iter().enumerate() {
            let Some(iterations) = iterations.elements() else {
                self.document.wrong(iterations, "fork", "a list of scores");
                continue;
            };
            let mut runs = Vec::new();
            for score in iterations {
                repetition += 1;
                let mut row = self.document.run_at(score, shared);
                row.content.set(Key::Repetition, repetition.to_string());
                row.settings.insert("fork".to_owned(), (fork + 1).into());
                let run = self.document.sink.run(row);
                self.measure(score, run, scale.metric, scale.unit, scale.divisor);
                runs.push(run);
            }
            if !runs.is_empty() {
                forks.push(runs);
            }
        }
        forks
    }

    /// One run with mean and percentiles.
    fn aggregates(&mut self, primary: &Node<'t>, shared: &RunRow, scale: Scale) -> u32 {
        let row = self.document.run_at(primary, shared);
        let run = self.document.sink.run(row);
        let (unit, divisor) = (scale.unit, scale.divisor);
        match primary.get("score") {
            Some(score) => self.measure(score, run, &format!("{}_mean", scale.metric), unit, divisor),
            None => self.document.wrong(primary, "primaryMetric", "a score"),
        }
        let percentiles = primary.get("scorePercentiles");
        for (name, word) in PERCENTILES {
            if let Some(node) = percentiles.and_then(|all| all.get(name)) {
                self.measure(node, run, &format!("{}_{word}", scale.metric), unit, divisor);
            }
        }
        run
    }

    /// What a profiler counted, by iteration where it is known, else at the first run.
    fn secondary(&mut self, name: &str, metric: &Node<'t>, runs: &[Vec<u32>]) {
        let Some(unit) = self.document.string(metric, "scoreUnit") else { return };
        let Some((_, base, divisor)) = PROFILED.iter().find(|(known, ..)| *known == unit) else {
            let node = metric.get("scoreUnit").unwrap_or(metric);
            self.document.wrong(node, "unit of a profiler", "B/op, MB/sec, counts, ms …");
            return;
        };
        let name = name.trim_start_matches('\u{b7}');
        let forks = self.document.list(metric, "rawData");
        for (fork, iterations) in forks.iter().enumerate() {
            for (index, node) in iterations.elements().unwrap_or_default().iter().enumerate() {
                let run = runs.get(fork).and_then(|runs| runs.get(index)).or_else(|| runs.first()?.first());
                if let Some(run) = run {
                    self.measure(node, *run, name, *base, *divisor);
                }
            }
        }
        if let (true, Some(score), Some(run)) =
            (forks.is_empty(), metric.get("score"), runs.first().and_then(|runs| runs.first()))
        {
            self.measure(score, *run, name, *base, *divisor);
        }
    }

    /// Writes a score; one that JMH could not compute is the text `"NaN"`, and no fault of the file.
    fn measure(&mut self, node: &Node<'t>, run: u32, metric: &str, unit: Unit, divisor: f64) {
        let executions = None;
        if number(node).is_none() && matches!(&node.kind, Kind::String(text) if text == "NaN") {
            let at = self.document.at(node);
            let process = triptych_model::Process::Client;
            let mut row = crate::sink::measured(run, at, process, metric, unit, None, node.text());
            row.quality = row.quality.with(Quality::INCOMPLETE);
            self.document.sink.measure(row);
            return;
        }
        self.document.measure(node, run, Meaning { metric, unit, divisor, executions });
    }
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{bytes, read, sample, values};
    use proptest::prelude::*;
    use triptych_model::{Key, Unit};

    #[test]
    fn every_iteration_is_a_run() {
        let data = sample("jmh/result.json");
        assert_eq!((data.error.as_ref(), data.not_understood, data.runs.len()), (None, 0, 9));
        assert_eq!(values(&data, 0)[0], "real=0.0000001235s");
        assert_eq!(data.measurements[0].raw, "123.5");
        let content = &data.runs[0].content;
        assert_eq!(content.get(Key::Operation), Some("org.example.PathBench.join size=8"));
        assert_eq!((content.get(Key::Threads), content.get(Key::Repetition)), (Some("1"), Some("1")));
        assert_eq!(data.runs[5].settings.get("fork"), Some(&2.into()));
        let rate = data.measurements.iter().find(|row| row.metric == "throughput").expect("a rate");
        assert_eq!((rate.value, rate.unit), (Some(8_130_081.3), Unit::PerSec));
    }

    #[test]
    fn score_units() {
        for (unit, expect) in [
            ("ns/op", "real=0.000000002s"),
            ("us/op", "real=0.000002s"),
            ("ms/op", "real=0.002s"),
            ("s/op", "real=2s"),
            ("min/op", "real=120s"),
            ("ops/s", "throughput=21/s"),
            ("ops/ms", "throughput=20001/s"),
            ("ops/us", "throughput=20000001/s"),
        ] {
            let text = format!(
                r#"[{{"benchmark":"a.B.c","mode":"avgt","primaryMetric":{{"score":2,"scoreError":"NaN","scoreUnit":"{unit}","rawData":[[2]]}}}}]"#
            );
            let data = read(&text);
            assert_eq!(values(&data, 0), [expect], "{unit}");
            assert_eq!(data.not_understood, 0);
        }
    }

    #[test]
    fn not_a_number_is_no_value_and_no_fault() {
        let data = read(
            r#"[{"benchmark":"a.B.c","mode":"sample","primaryMetric":{"score":"NaN","scoreError":"NaN","scoreUnit":"ms/op","scorePercentiles":{"0.0":1,"50.0":2,"100.0":4}}}]"#,
        );
        assert_eq!(
            values(&data, 0),
            ["real_mean=?s", "real_min=0.001s", "real_median=0.002s", "real_max=0.004s"]
        );
        assert_eq!((data.not_understood, data.error), (0, None));
        let data = read(r#"[{"benchmark":"a","mode":"x","primaryMetric":{"score":1,"scoreUnit":"apples"}}]"#);
        assert_eq!((data.not_understood, data.runs.len()), (1, 0));
    }

    #[test]
    fn profilers_have_metrics_of_their_own() {
        let data = read(
            r#"[{"benchmark":"a.B.c","mode":"avgt","primaryMetric":{"score":2,"scoreUnit":"ns/op","rawData":[[1,2]]},"secondaryMetrics":{"·gc.alloc.rate":{"score":3,"scoreUnit":"MB/sec","rawData":[[1,2]]},"gc.time":{"score":5,"scoreUnit":"ms"}}}]"#,
        );
        assert_eq!(values(&data, 0), ["real=0.000000001s", "gc.alloc.rate=1048576B/s", "gc.time=0.005s"]);
        assert_eq!(values(&data, 1), ["real=0.000000002s", "gc.alloc.rate=2097152B/s"]);
    }

    proptest! {
        #[test]
        fn no_damage_panics(at in 0_usize..4000, byte in 0_u8..128, end in 0_usize..4000) {
            let mut bytes = bytes("jmh/result.json");
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            bytes.truncate(end);
            read(&String::from_utf8_lossy(&bytes));
        }
    }
}
