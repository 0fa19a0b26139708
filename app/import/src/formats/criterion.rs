//! criterion's `estimates.json` and `sample.json`, both in nanoseconds.
//!
//! Neither names its benchmark: `benchmark.json` beside them does, but a reader sees one source, so
//! the name is taken from the path, `target/criterion/GROUP/FUNCTION/VALUE/new/estimates.json`. The
//! folder that holds the files, `new`, `base` or the name of a saved baseline, is the variant.

use crate::document::{Document, Meaning, count_of, head_text, number};
use crate::format::{Confidence, DocumentFormat};
use crate::json::{Kind, Node};
use crate::sink::{Sink, set_content};
use triptych_model::{Cancelled, FormatSpec, Key, Process, Quality, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static CRITERION: Criterion = Criterion;

static SPEC: FormatSpec = FormatSpec {
    id: "criterion",
    title: "criterion JSON",
    help: "estimates.json and sample.json of Rust's criterion; the benchmark's name comes from the path",
    extensions: &["json"],
    samples: "criterion/paths/join/8/new",
};

/// The reader.
pub struct Criterion;

const EXPECTED: &str = "criterion's estimates.json or sample.json";

const NANOS: f64 = 1e9;

/// Estimates and their metrics. `slope` is null where all samples have one number of iterations.
const ESTIMATES: &[(&str, &str)] = &[
    ("mean", "real_mean"),
    ("median", "real_median"),
    ("std_dev", "real_stddev"),
    ("median_abs_dev", "real_median_abs_dev"),
    ("slope", "real_slope"),
];

impl DocumentFormat for Criterion {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        let head = head_text(head);
        let has = |name: &str| head.contains(&format!("\"{name}\""));
        let is_estimates = has("point_estimate") && has("confidence_interval");
        let is_sample = has("iters") && has("times");
        // A long list of iterations hides the times from the head.
        let is_long_sample = has("sampling_mode") && has("iters");
        let is_own = head.starts_with('{') && (is_estimates || is_sample || is_long_sample);
        if is_own { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let text = String::from_utf8_lossy(bytes);
        let path = sink.data.path.clone();
        let Some((mut document, root)) = Document::open(&text, sink, EXPECTED) else { return Ok(()) };
        let shared = conditions(&path);
        if root.get("times").is_some() || root.get("iters").is_some() {
            samples(&mut document, &root, &shared)?;
        } else if root.get("std_dev").is_none() && root.get("median_abs_dev").is_none() {
            let message = "criterion's change since the last run, which has no times";
            document.decline(&root, message, "open new/estimates.json or new/sample.json");
        } else {
            estimates(&mut document, &root, &shared);
        }
        if document.sink.data.error.is_none() && shared.content.get(Key::Operation).is_none() {
            let message = "the benchmark has no name, for the path does not say it".to_owned();
            document.note(&root, message);
        }
        document.close();
        Ok(())
    }
}

/// Name and variant by the path.
fn conditions(path: &str) -> RunRow {
    let mut row = RunRow::default();
    let folders: Vec<&str> =
        path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").collect();
    let Some((_, folders)) = folders.split_last() else { return row };
    let Some((variant, above)) = folders.split_last() else { return row };
    let start = above.iter().rposition(|folder| *folder == "criterion").map(|at| at + 1);
    // Without the folder that criterion makes only the nearest one can belong to the name.
    let name = above.get(start.unwrap_or(above.len().saturating_sub(1))..).unwrap_or_default();
    set_content(&mut row, Key::Operation, &name.join("/"));
    if !name.is_empty() {
        set_content(&mut row, Key::Variant, variant);
    }
    row
}

/// One run with the estimates; their intervals are facts of it.
fn estimates<'t>(document: &mut Document<'t, '_, '_>, root: &Node<'t>, shared: &RunRow) {
    let mut row = document.run_at(root, shared);
    for (name, metric) in ESTIMATES {
        let interval = root.get(name).and_then(|estimate| estimate.get("confidence_interval"));
        for (member, word) in [("lower_bound", "lower"), ("upper_bound", "upper")] {
            let bound = interval.and_then(|interval| interval.get(member)).and_then(number);
            if let Some(bound) = bound {
                row.settings.insert(format!("{metric}_{word}"), (bound / NANOS).into());
            }
        }
        let level = interval.and_then(|interval| interval.get("confidence_level")).and_then(number);
        if let Some(level) = level {
            row.settings.insert("confidence_level".to_owned(), level.into());
        }
    }
    let run = document.sink.run(row);
    for (name, metric) in ESTIMATES {
        let Some(estimate) = root.get(name).filter(|node| node.kind != Kind::Null) else { continue };
        let meaning = Meaning { metric, unit: Unit::Secs, divisor: NANOS, executions: None };
        match estimate.get("point_estimate") {
            Some(point) => document.measure(point, run, meaning),
            None => document.wrong(estimate, name, "an object with point_estimate"),
        }
    }
}

/// One run per sample: the times are totals of so many iterations.
fn samples<'t>(
    document: &mut Document<'t, '_, '_>,
    root: &Node<'t>,
    shared: &RunRow,
) -> Result<(), Cancelled> {
    let mut shared = shared.clone();
    if let Some(mode) = document.string(root, "sampling_mode") {
        shared.settings.insert("sampling_mode".to_owned(), mode.into());
    }
    let (iterations, times) = (document.list(root, "iters"), document.list(root, "times"));
    if iterations.len() != times.len() {
        let node = root.get("times").or(root.get("iters")).unwrap_or(root);
        document.wrong(node, "times", &format!("as many as there are iters, {}", iterations.len()));
    }
    for (index, (iterations, time)) in iterations.iter().zip(times).enumerate() {
        if index.is_multiple_of(4096) {
            document.sink.check(time.offset as u64)?;
        }
        let mut row = document.run_at(time, &shared);
        row.content.set(Key::Repetition, (index + 1).to_string());
        let run = document.sink.run(row);
        let count = count_of(iterations).filter(|count| *count > 0);
        let Some(count) = count else {
            document.wrong(iterations, "iters", "a whole number above 0");
            let at = document.at(time);
            let raw = time.text();
            let mut row = crate::sink::measured(run, at, Process::Client, "real", Unit::Secs, None, raw);
            row.quality = row.quality.with(Quality::MALFORMED);
            document.sink.measure(row);
            continue;
        };
        #[expect(clippy::cast_precision_loss, reason = "below 2^53 by count_of")]
        let divisor = NANOS * count as f64;
        let meaning = Meaning { metric: "real", unit: Unit::Secs, divisor, executions: Some(count) };
        document.measure(time, run, meaning);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Readers;
    use crate::sink::testing::{bytes, sample, values};
    use proptest::prelude::*;
    use triptych_model::{Importer, Key, ProblemKind, ReadOptions, Silent, SourceData};

    fn read_at(path: &str, text: &[u8]) -> SourceData {
        Readers.read(path, text, &ReadOptions::default(), &Silent).expect("nobody cancels")
    }

    const ESTIMATES: &[u8] = br#"{"mean":{"confidence_interval":{"confidence_level":0.95,"lower_bound":90.0,"upper_bound":120.0},"point_estimate":100.0,"standard_error":1.0},"median":{"confidence_interval":{"confidence_level":0.95,"lower_bound":90.0,"upper_bound":120.0},"point_estimate":99.0,"standard_error":1.0},"median_abs_dev":{"confidence_interval":{"confidence_level":0.95,"lower_bound":1.0,"upper_bound":2.0},"point_estimate":1.5,"standard_error":0.1},"slope":null,"std_dev":{"confidence_interval":{"confidence_level":0.95,"lower_bound":1.0,"upper_bound":2.0},"point_estimate":2.5,"standard_error":0.1}}"#;

    #[test]
    fn names_come_from_the_path() {
        for (path, operation, variant) in [
            (
                "target/criterion/path join/format/8/new/estimates.json",
                Some("path join/format/8"),
                Some("new"),
            ),
            ("x/criterion/g/f/trunk/estimates.json", Some("g/f"), Some("trunk")),
            (r"C:\x\target\criterion\g\f\base\sample.json", Some("g/f"), Some("base")),
            ("f/new/estimates.json", Some("f"), Some("new")),
            ("new/estimates.json", None, None),
            ("estimates.json", None, None),
        ] {
            let data = read_at(path, ESTIMATES);
            let content = &data.runs[0].content;
            let found = (content.get(Key::Operation), content.get(Key::Variant));
            assert_eq!(found, (operation, variant), "{path}");
            assert_eq!(data.problems.len(), usize::from(operation.is_none()), "{path}");
        }
    }

    #[test]
    fn estimates_are_nanoseconds_and_a_null_slope_is_none() {
        let data = read_at("f/new/estimates.json", ESTIMATES);
        assert_eq!(
            values(&data, 0),
            [
                "real_mean=0.0000001s",
                "real_median=0.000000099s",
                "real_stddev=0.0000000025s",
                "real_median_abs_dev=0.0000000015s"
            ]
        );
        assert_eq!(data.runs[0].settings.get("real_mean_lower"), Some(&9e-8.into()));
        assert_eq!(data.runs[0].settings.get("confidence_level"), Some(&0.95.into()));
        let change = br#"{"mean":{"confidence_interval":{"confidence_level":0.95,"lower_bound":-0.1,"upper_bound":0.1},"point_estimate":0.05,"standard_error":0.1},"median":{"confidence_interval":{},"point_estimate":0.1}}"#;
        let error = read_at("f/change/estimates.json", change).error.expect("refused");
        assert_eq!(error.kind, ProblemKind::Refused);
    }

    #[test]
    fn samples_are_totals() {
        let text = br#"{"sampling_mode":"Linear","iters":[2.0,4.0,0.0],"times":[200.0,"x",3.0]}"#;
        let data = read_at("f/new/sample.json", text);
        assert_eq!(values(&data, 0), ["real=0.0000001s"]);
        assert_eq!((data.measurements[0].executions, data.measurements[0].raw.as_str()), (Some(2), "200.0"));
        assert_eq!([values(&data, 1), values(&data, 2)], [["real=?s"], ["real=?s"]]);
        assert_eq!(data.not_understood, 2);
    }

    #[test]
    fn genuine_files() {
        let folder = "criterion/paths/join/8/new";
        let data = sample(&format!("{folder}/sample.json"));
        assert_eq!((data.runs.len(), data.not_understood, data.problems.len()), (10, 0, 0));
        let samples: Vec<f64> = data.measurements.iter().filter_map(|row| row.value).collect();
        let mean = samples.iter().sum::<f64>() / 10.0;
        let estimates = sample(&format!("{folder}/estimates.json"));
        assert_eq!(estimates.runs[0].content.get(Key::Operation), Some("paths/join/8"));
        let found = estimates.measurements[0].value.expect("a mean");
        assert!((found - mean).abs() < mean * 1e-6, "{found} {mean}");
        let flat = sample("criterion/flat/join/new/estimates.json");
        assert!(flat.measurements.iter().all(|row| row.metric != "real_slope"));
    }

    proptest! {
        #[test]
        fn no_damage_panics(at in 0_usize..1300, byte in 0_u8..128, end in 0_usize..1300) {
            let mut bytes = bytes("criterion/paths/join/8/new/estimates.json");
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            bytes.truncate(end);
            read_at("a/b", &bytes);
        }
    }
}
