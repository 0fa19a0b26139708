//! What is made of a run: its values, how far to trust them, and the tools' own words on disk.

use crate::experiments::Counter;
use crate::host::{CacheProof, HostError, MOST_OTHER_LOAD, ServerEnd};
use crate::plan::{Cache, Operation};
use crate::step::{Bench, Findings, proof_facts};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;
use triptych_model::runlog::{MeasuredValue, StepEnd};
use triptych_model::{Key, Process, Quality, Timestamp, Unit, metric_spec};

/// The machine's clock steps by 10 ms a core: below this, what is left for others is mostly rounding.
const SURE_OF_LOAD: Duration = Duration::from_millis(500);

/// A hot run may read this share of the repository's files before it is marked: files of the client
/// or of the system that were not there yet are read too.
const HOT_READ_SHARE: f64 = 0.01;

/// And at least this much.
const HOT_READ_BYTES: f64 = 1_048_576.0;

/// A cold run may find this share of the files in memory: what the server's start touched.
const COLD_RESIDENT_SHARE: f64 = 0.02;

/// What the tools printed, for the archive.
#[derive(Clone, Debug, Default)]
pub struct RawOutput {
    /// The client's standard output.
    pub stdout: Vec<u8>,
    /// The client's standard error.
    pub stderr: Vec<u8>,
    /// The server's standard error.
    pub server_stderr: Vec<u8>,
    /// The server's operation log.
    pub server_log: Vec<u8>,
    /// Exit status of a server that ended before it was told to.
    pub server_died: Option<i32>,
    /// Items and bytes that the client fetched.
    pub target: Option<(u64, u64)>,
}

impl RawOutput {
    /// Keeps what a server said until its end.
    pub fn keep(&mut self, end: ServerEnd) {
        self.server_died = end.died.then_some(end.exit.unwrap_or_default());
        self.server_stderr = end.stderr;
        self.server_log = end.log;
    }

    /// Writes what is not empty: `raw/STEP.stdout`, `.stderr`, `.svnserve.stderr`, `.svnserve.log`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, directory: &Path, step: u32) -> io::Result<()> {
        let files = [
            ("stdout", &self.stdout),
            ("stderr", &self.stderr),
            ("svnserve.stderr", &self.server_stderr),
            ("svnserve.log", &self.server_log),
        ];
        for (ending, text) in files.into_iter().filter(|(_, text)| !text.is_empty()) {
            std::fs::create_dir_all(directory)?;
            let mut file = std::fs::File::create(directory.join(format!("{step:04}.{ending}")))?;
            file.write_all(text)?;
            // On the disk before the next run is timed.
            file.sync_data()?;
        }
        Ok(())
    }
}

/// Counters of the first good run of an operation, with its options, on a repository: later runs must agree.
#[derive(Clone, Debug, Default)]
pub struct References(BTreeMap<(String, String), (String, BTreeMap<String, f64>)>);

/// An operation with its options, as text that compares.
fn asked(experiment: &str, options: &Value) -> String {
    format!("{experiment} {options}")
}

impl References {
    /// Compares, or becomes the reference.
    ///
    /// # Errors
    /// The first counter that differs, and the run that it differs from.
    pub fn compare(
        &mut self,
        run: &str,
        operation: &Operation,
        repository: &str,
        counters: &[Counter],
    ) -> Result<(), String> {
        let key = (asked(&operation.experiment, &json!(operation.options)), repository.to_owned());
        let Some((first, known)) = self.0.get(&key) else {
            let counters = counters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
            self.0.insert(key, (run.to_owned(), counters));
            return Ok(());
        };
        for (name, value) in counters {
            match known.get(*name) {
                // Counts are whole numbers.
                Some(expected) if (expected - value).abs() >= 1.0 => {
                    return Err(format!(
                        "the result has {value} {name}, expected {expected} as in run {first}"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes the references of runs made before.
    pub fn learn(&mut self, ends: &[StepEnd]) {
        for end in ends.iter().filter(|end| end.failure.is_none()) {
            let asked = end
                .settings
                .get("experiment")
                .and_then(Value::as_str)
                .map(|experiment| asked(experiment, end.settings.get("options").unwrap_or(&json!({}))));
            let (Some(asked), Some(repository)) = (asked, end.conditions.get(Key::Repository)) else {
                continue;
            };
            let counted = end.settings.get("counters").and_then(Value::as_object);
            let counted = counted.into_iter().flatten();
            let counters =
                counted.filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect();
            let key = (asked, repository.to_owned());
            self.0.entry(key).or_insert_with(|| (end.run.clone(), counters));
        }
    }
}

/// The run as it is kept.
pub fn step_end(
    bench: &Bench<'_>,
    start: &triptych_model::runlog::StepStart,
    findings: &mut Findings,
    failure: Option<&HostError>,
    build: &Map<String, Value>,
) -> StepEnd {
    let mut conditions = start.conditions.clone();
    if !findings.shown.is_empty() {
        conditions.set(Key::Command, &findings.shown);
    }
    let client = findings.client.take().unwrap_or_default();
    let started = (client.started != 0).then_some(Timestamp(client.started));
    let mut settings = settings(bench, findings, build);
    settings.extend(client.facts);
    let mut measurements = client.values;
    measurements.append(&mut findings.server_values);
    measurements.extend(findings.counters.iter().chain(&findings.reported).map(|counter| counted(*counter)));
    measurements.extend(proof_values(findings.proof.as_ref()));
    let mut quality = judge(bench, findings, &measurements, build);
    let others = settings.get("other_load").and_then(Value::as_f64).filter(|_| client.wall >= SURE_OF_LOAD);
    if let Some(cores) = others.filter(|cores| *cores > MOST_OTHER_LOAD) {
        quality = quality.with(Quality::BUSY_HOST);
        let reason = format!("other work took {cores:.1} cores during the run");
        settings.entry("busy").or_insert_with(|| json!(reason));
    }
    if failure.is_some() {
        quality = quality.with(Quality::FAILED);
    }
    StepEnd {
        step: start.step,
        run: start.run.clone(),
        conditions,
        started,
        exit: started.map(|_| client.exit),
        quality,
        failure: failure.map(ToString::to_string),
        settings,
        measurements,
        samples: client.samples,
    }
}

fn counted((metric, value): Counter) -> MeasuredValue {
    let unit = metric_spec(metric).map_or(Unit::Count, |spec| spec.unit);
    MeasuredValue {
        process: Process::Client,
        metric: metric.to_owned(),
        value: Some(value),
        unit,
        quality: Quality::MEASURED,
    }
}

fn proof_values(proof: Option<&CacheProof>) -> Vec<MeasuredValue> {
    let value = |metric: &str, value: f64| MeasuredValue {
        process: Process::System,
        metric: metric.to_owned(),
        value: Some(value),
        unit: Unit::Bytes,
        quality: Quality::MEASURED,
    };
    let Some(proof) = proof else { return Vec::new() };
    let resident = proof.resident_bytes.map(|bytes| value("resident_bytes", bytes as f64));
    let size = (proof.file_bytes > 0).then(|| value("repo_size", proof.file_bytes as f64));
    resident.into_iter().chain(size).collect()
}

fn settings(bench: &Bench<'_>, findings: &Findings, build: &Map<String, Value>) -> Map<String, Value> {
    let server = &bench.plan.server;
    let operation = &bench.plan.operations.get(bench.step.cell.operation);
    let mut all = json!({
        "experiment": operation.map(|operation| &operation.experiment),
        "options": operation.map(|operation| &operation.options),
        "client_command": findings.command,
        "copy": bench.copy.name,
        "build": short_facts(build),
        "gate": findings.gate.facts,
        "cache_proof": findings.proof.as_ref().map(proof_facts),
        "cache_reset": findings.reset.as_ref().map(proof_facts),
        "counters": findings.counters.iter().copied().collect::<BTreeMap<&str, f64>>(),
        "warm_ups": bench.plan.warm_ups,
        "limits": bench.plan.limits,
    });
    if let (Some(running), Some(all)) = (&findings.server, all.as_object_mut()) {
        all.insert("server_command".to_owned(), json!(running.command));
        all.insert("server_options".to_owned(), json!(bench.variant.options));
        all.insert("server".to_owned(), json!(server));
        all.insert("server_ready_secs".to_owned(), json!(running.ready_after.as_secs_f64()));
    }
    if let (Some(busy), Some(all)) = (&findings.gate.busy, all.as_object_mut()) {
        all.insert("busy".to_owned(), json!(busy));
    }
    let mut all = crate::step::object(all);
    all.retain(|_, value| !value.is_null());
    all
}

/// What tells builds apart; the rest stands once, in the campaign's head.
fn short_facts(build: &Map<String, Value>) -> Map<String, Value> {
    let names = ["version", "revision", "compiled", "debug", "unreleased", "mixed"];
    names.iter().filter_map(|name| Some(((*name).to_owned(), build.get(*name)?.clone()))).collect()
}

/// The words of a run, from what was found before, during and after it.
fn judge(
    bench: &Bench<'_>,
    findings: &Findings,
    values: &[MeasuredValue],
    build: &Map<String, Value>,
) -> Quality {
    let mut quality = Quality::MEASURED;
    let mut add = |word: Quality, holds: bool| {
        if holds {
            quality = quality.with(word);
        }
    };
    add(Quality::BUSY_HOST, findings.gate.busy.is_some());
    add(Quality::DEBUG_BUILD, build.get("debug") == Some(&Value::Bool(true)));
    let read = bytes_read(values, bench.experiment.spec().needs_server);
    let files = findings.proof.as_ref().map_or(0.0, |proof| proof.file_bytes as f64);
    let resident = findings.proof.as_ref().and_then(|proof| proof.resident_bytes).map(|bytes| bytes as f64);
    let finished = findings.raw.server_died.is_none() && !values.is_empty();
    match bench.step.cell.cache {
        Cache::Cold => {
            add(Quality::NOT_COLD, finished && read == Some(0.0));
            add(Quality::NOT_COLD, resident.is_some_and(|bytes| bytes > files * COLD_RESIDENT_SHARE));
        }
        Cache::Hot | Cache::HotServer => {
            let limit = HOT_READ_BYTES.max(files * HOT_READ_SHARE);
            add(Quality::NOT_HOT, read.is_some_and(|bytes| bytes > limit));
        }
    }
    quality
}

/// Bytes read from disk by whoever reads the repository: the server, or the client of a local operation.
fn bytes_read(values: &[MeasuredValue], by_server: bool) -> Option<f64> {
    let who = if by_server { Process::Svnserve } else { Process::Client };
    let mut read = values.iter().filter(|value| value.metric == "read_bytes" && value.process == who);
    read.next().and_then(|value| value.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_good_run_is_the_reference() {
        let operation =
            |experiment: &str| Operation { experiment: experiment.into(), ..Operation::default() };
        let (export, verify, mut older) = (operation("export"), operation("verify"), operation("export"));
        older.options.insert("revision".into(), json!(3));
        let mut references = References::default();
        assert_eq!(references.compare("c/1", &export, "demo", &[("files", 3.0)]), Ok(()));
        assert_eq!(references.compare("c/2", &export, "demo", &[("files", 3.0)]), Ok(()));
        assert_eq!(references.compare("c/3", &verify, "demo", &[("files", 4.0)]), Ok(()));
        assert_eq!(references.compare("c/3", &older, "demo", &[("files", 5.0)]), Ok(()));
        assert_eq!(
            references.compare("c/4", &export, "demo", &[("files", 4.0)]),
            Err("the result has 4 files, expected 3 as in run c/1".to_owned())
        );
    }

    #[test]
    fn raw_output_is_kept_by_step() {
        let directory = tempfile::tempdir().expect("a directory");
        let raw = RawOutput { stdout: b"x".to_vec(), server_log: b"y".to_vec(), ..RawOutput::default() };
        raw.write(&directory.path().join("raw"), 7).expect("written");
        let mut names: Vec<_> = std::fs::read_dir(directory.path().join("raw"))
            .expect("read")
            .flatten()
            .map(|entry| entry.file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        assert_eq!(names, ["0007.stdout", "0007.svnserve.log"]);
    }
}
