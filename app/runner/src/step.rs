//! One step of a plan: server, warm-up, cache, the timed client, and what is made of it.
//!
//! The order is what makes a run mean what its name says. A cold run drops the caches before its
//! server starts and lets the client's program be read again before the clock does: cold is the
//! repository, not the tools. A hot run is preceded by uncounted runs, and its server is new. Only
//! `hot-server` keeps the server that has answered before.

use crate::command_text::{encode, shown};
use crate::desk::Desk;
use crate::experiments::{Call, Counter, Experiment, Output, Target};
use crate::host::{CacheProof, ClientEnd, ClientSpec, Gate, Host, HostError, Server, ServerSpec};
use crate::lab::{Build, Lab, Repository, RepositoryCopy, Variant};
use crate::outcome::RawOutput;
use crate::plan::{Cache, Plan, Restart, Step};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use triptych_model::runlog::{MeasuredValue, Phase};
use triptych_model::{Conditions, Key, Severity};

/// What a step's names stand for.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The step.
    pub step: &'a Step,
    /// Its experiment.
    pub experiment: &'static dyn Experiment,
    /// Its variant.
    pub variant: &'a Variant,
    /// The variant's build.
    pub build: &'a Build,
    /// Its repository.
    pub repository: &'a Repository,
    /// The copy that is served.
    pub copy: &'a RepositoryCopy,
    /// Directory of the medium.
    pub medium: &'a Path,
    /// Directory for temporary things, in memory.
    pub scratch: &'a Path,
}

/// What a running server serves; the next run may share it only where all is equal.
pub type ServedCell = (usize, String, String, String);

impl<'a> Bench<'a> {
    /// Looks up what a step names.
    ///
    /// # Errors
    /// A sentence with the name that the lab or the program does not have.
    pub fn find(lab: &'a Lab, plan: &'a Plan, step: &'a Step, scratch: &'a Path) -> Result<Self, String> {
        let cell = &step.cell;
        let missing = |what: &str, name: &str| format!("the lab {:?} has no {what} {name:?}", lab.name);
        let operation = plan.operations.get(cell.operation).ok_or("the plan has no such operation")?;
        let experiment = crate::experiments::experiment(&operation.experiment)
            .ok_or_else(|| format!("there is no experiment {:?}", operation.experiment))?;
        let variant = lab.variant(&cell.variant).ok_or_else(|| missing("variant", &cell.variant))?;
        let build = lab.build(&variant.build).ok_or_else(|| missing("build", &variant.build))?;
        let repository =
            lab.repository(&cell.repository).ok_or_else(|| missing("repository", &cell.repository))?;
        let copy = lab.copy_of(&cell.variant, &cell.repository, &cell.medium).ok_or_else(|| {
            missing("copy for", &format!("{} {} on {}", cell.variant, cell.repository, cell.medium))
        })?;
        let medium = lab.medium(&cell.medium).ok_or_else(|| missing("medium", &cell.medium))?;
        Ok(Self {
            plan,
            step,
            experiment,
            variant,
            build,
            repository,
            copy,
            medium: &medium.directory,
            scratch,
        })
    }

    /// The options of the operation.
    pub fn options(&self) -> &'a std::collections::BTreeMap<String, Value> {
        static NONE: std::collections::BTreeMap<String, Value> = std::collections::BTreeMap::new();
        self.plan.operations.get(self.step.cell.operation).map_or(&NONE, |operation| &operation.options)
    }

    /// The conditions of the run.
    pub fn conditions(&self, campaign: &str, host: &str) -> Conditions {
        let cell = &self.step.cell;
        let mut conditions = Conditions::new()
            .with(Key::Campaign, campaign)
            .with(Key::Host, host)
            .with(Key::Operation, self.experiment.spec().operation)
            .with(Key::Repository, &cell.repository)
            .with(Key::Variant, &cell.variant)
            .with(Key::Build, &self.build.name)
            .with(Key::Medium, &cell.medium)
            .with(Key::Cache, cell.cache.name())
            .with(Key::Network, "local")
            .with(Key::Repetition, self.step.repetition.to_string());
        if let Some(format) = &self.copy.format {
            conditions.set(Key::Format, format);
        }
        if let Some(packed) = self.copy.packed {
            conditions.set(Key::Packed, if packed { "yes" } else { "no" });
        }
        conditions
    }

    fn served(&self) -> ServedCell {
        let cell = &self.step.cell;
        (cell.operation, cell.repository.clone(), cell.variant.clone(), cell.medium.clone())
    }

    fn server_spec(&self) -> ServerSpec {
        let settings = &self.plan.server;
        ServerSpec {
            program: self.build.program("svnserve"),
            root: self.copy.path.parent().unwrap_or(Path::new("/")).to_owned(),
            mode: settings.mode,
            options: settings.options().into_iter().chain(self.variant.options.iter().cloned()).collect(),
            log: !settings.no_log,
            start_limit: secs(self.plan.limits.start_secs),
        }
    }

    fn command(&self, port: Option<u16>, directory: Option<PathBuf>) -> Vec<String> {
        let name = self.copy.path.file_name().unwrap_or_default().to_string_lossy();
        let url = port.map_or(String::new(), |port| format!("svn://127.0.0.1:{port}/{}", encode(&name)));
        self.experiment.command(&Call {
            program: self.build.program(self.experiment.spec().program),
            url,
            copy: self.copy.path.clone(),
            target: &self.repository.target,
            file: self.repository.file.as_deref(),
            options: self.options(),
            directory,
            config: self.config(),
        })
    }

    fn config(&self) -> PathBuf {
        self.scratch.join("config")
    }
}

/// A limit of a plan as a duration; what no duration can be is as good as none.
fn secs(limit: f64) -> Duration {
    Duration::try_from_secs_f64(limit).unwrap_or(Duration::from_secs(86400))
}

/// What a step found, whether or not it came to its end.
#[derive(Default)]
pub struct Findings {
    /// The host before the run.
    pub gate: Gate,
    /// The caches just before the run.
    pub proof: Option<CacheProof>,
    /// How the caches were brought there.
    pub reset: Option<CacheProof>,
    /// The server's command line.
    pub server: Option<Server>,
    /// The client's command line.
    pub command: Vec<String>,
    /// The same without what is random.
    pub shown: String,
    /// How the client ended.
    pub client: Option<ClientEnd>,
    /// Values of the server's tree.
    pub server_values: Vec<MeasuredValue>,
    /// What the tool counted.
    pub counters: Vec<Counter>,
    /// What the tool reports of the run itself, which may differ between runs.
    pub reported: Vec<Counter>,
    /// What the tools printed.
    pub raw: RawOutput,
}

/// One execution of the client.
struct Fetched {
    end: ClientEnd,
    command: Vec<String>,
    /// The command without what is random.
    shown: String,
    /// Items and bytes it fetched.
    target: Option<(u64, u64)>,
}

/// Runs steps, and keeps the server between them where the plan says so.
pub struct Stage<'h> {
    /// The machine.
    pub host: &'h mut dyn Host,
    serving: Option<(ServedCell, Server)>,
}

impl<'h> Stage<'h> {
    /// A stage on this machine.
    pub fn new(host: &'h mut dyn Host) -> Self {
        Self { host, serving: None }
    }

    /// Ends the server, if one runs.
    pub fn clear(&mut self) -> Option<crate::host::ServerEnd> {
        self.serving = None;
        self.host.stop_server()
    }

    /// Makes one run; what was found before a failure stays in `findings`.
    ///
    /// # Errors
    /// Why the run failed, or that nothing further can be measured, or that the user gave up.
    pub fn run(
        &mut self,
        bench: &Bench<'_>,
        desk: &mut Desk,
        findings: &mut Findings,
    ) -> Result<(), HostError> {
        let made = self.attempt(bench, desk, findings);
        if made.is_err()
            && let Some(end) = self.clear()
        {
            findings.raw.keep(end);
        }
        made
    }

    fn attempt(
        &mut self,
        bench: &Bench<'_>,
        desk: &mut Desk,
        findings: &mut Findings,
    ) -> Result<(), HostError> {
        let begun = Instant::now();
        findings.gate = self.host.gate();
        let text = findings.gate.busy.clone().unwrap_or_else(|| "the host is quiet".to_owned());
        desk.phase(Phase::Gate, begun.elapsed(), text, findings.gate.facts.clone());
        let port = self.prepare(bench, desk, findings)?;
        let made = self.timed(bench, port, desk, findings);
        self.stop(bench, desk, findings);
        made?;
        let (target, client) = (findings.raw.target, findings.client.as_ref());
        let Some(client) = client else { return Err(HostError::Run("the client never ran".to_owned())) };
        check_end(client, findings)?;
        let begun = Instant::now();
        let stdout = String::from_utf8_lossy(&client.stdout);
        let output = Output { stdout: &stdout, target, youngest: bench.repository.youngest };
        findings.reported = bench.experiment.reported(&output);
        findings.counters = bench.experiment.check(&output).map_err(HostError::Run)?;
        let counts = findings.counters.iter().map(|(name, value)| ((*name).to_owned(), json!(value)));
        desk.phase(Phase::Check, begun.elapsed(), "the result is whole", counts.collect());
        Ok(())
    }

    /// Brings server and caches into the state that the step asks for; gives the server's port.
    fn prepare(
        &mut self,
        bench: &Bench<'_>,
        desk: &mut Desk,
        findings: &mut Findings,
    ) -> Result<Option<u16>, HostError> {
        let keep = bench.step.cell.cache == Cache::HotServer
            && self.host.server_lives()
            && bench.plan.server.restart == Restart::Cell
            && self.serving.as_ref().is_some_and(|(cell, _)| *cell == bench.served());
        if !keep {
            self.clear();
        }
        let port = match bench.step.cell.cache {
            Cache::Cold => self.make_cold(bench, desk, findings)?,
            Cache::Hot => {
                self.warm(bench, desk, findings)?;
                self.clear();
                self.serve(bench, desk, findings)?
            }
            Cache::HotServer if keep => self.serve(bench, desk, findings)?,
            Cache::HotServer => self.warm(bench, desk, findings)?,
        };
        if bench.step.cell.cache != Cache::Cold {
            // What the uncounted runs wrote shall not be written while the counted one is timed.
            self.host.flush(bench.medium);
        }
        // Looking at the files of a cold copy would bring its directories back: its proof was made before.
        findings.proof = match bench.step.cell.cache {
            Cache::Cold => findings.reset.clone(),
            Cache::Hot | Cache::HotServer => Some(self.prove(bench, desk)?),
        };
        Ok(port)
    }

    fn make_cold(
        &mut self,
        bench: &Bench<'_>,
        desk: &mut Desk,
        findings: &mut Findings,
    ) -> Result<Option<u16>, HostError> {
        let begun = Instant::now();
        let reset = self.host.cache(&bench.copy.path, Cache::Cold, desk)?;
        let text = match &reset.reserve {
            Some(reserve) => format!("caches {}; {reserve}", reset.method),
            None => format!("caches {}", reset.method),
        };
        desk.phase(Phase::Cache, begun.elapsed(), text, proof_facts(&reset));
        findings.reset = Some(reset);
        if desk_cancelled(desk) {
            return Err(HostError::Cancelled);
        }
        let port = self.serve(bench, desk, findings)?;
        let program = bench.build.program(bench.experiment.spec().program);
        let version = vec![program.to_string_lossy().into_owned(), "--version".into(), "--quiet".into()];
        let end = self.client(bench, version, bench.scratch, 0, desk)?;
        match end.exit {
            0 => Ok(port),
            exit => Err(HostError::Run(format!(
                "{} --version ended with {exit}: {}",
                program.display(),
                first_line(&end.stderr)
            ))),
        }
    }

    /// Starts the server unless it runs; nothing for an experiment that needs none.
    fn serve(
        &mut self,
        bench: &Bench<'_>,
        desk: &mut Desk,
        findings: &mut Findings,
    ) -> Result<Option<u16>, HostError> {
        if !bench.experiment.spec().needs_server {
            return Ok(None);
        }
        if self.serving.is_none() {
            let server = self.host.start_server(&bench.server_spec(), desk)?;
            let text = format!(
                "{} on 127.0.0.1:{}, ready after {:.0} ms",
                server.command.first().map_or("svnserve", |program| crate::command_text::base(program)),
                server.port,
                server.ready_after.as_secs_f64() * 1e3
            );
            let facts = json!({"port": server.port, "pid": server.pid, "command": server.command});
            desk.phase(Phase::Server, server.ready_after, text, object(facts));
            if let Some(reserve) = &server.reserve {
                desk.note(Severity::Warning, reserve.clone());
            }
            self.serving = Some((bench.served(), server));
        }
        let server = self.serving.as_ref().map(|(_, server)| server.clone());
        let port = server.as_ref().map(|server| server.port);
        findings.server = server;
        Ok(port)
    }

    fn warm(
        &mut self,
        bench: &Bench<'_>,
        desk: &mut Desk,
        findings: &mut Findings,
    ) -> Result<Option<u16>, HostError> {
        let port = self.serve(bench, desk, findings)?;
        let begun = Instant::now();
        let runs = bench.plan.warm_ups.max(1);
        for _ in 0..runs {
            let end = self.fetch(bench, port, 0, desk)?.end;
            if end.exit != 0 || end.ended.is_some() {
                let why = end.ended.unwrap_or_else(|| first_line(&end.stderr));
                findings.raw.stderr = end.stderr;
                return Err(HostError::Run(format!("the uncounted run ended with {}: {why}", end.exit)));
            }
        }
        let text = if runs == 1 { "1 uncounted run".to_owned() } else { format!("{runs} uncounted runs") };
        desk.phase(Phase::WarmUp, begun.elapsed(), text, Map::new());
        Ok(port)
    }

    fn prove(&mut self, bench: &Bench<'_>, desk: &mut Desk) -> Result<CacheProof, HostError> {
        let proof = self.host.cache(&bench.copy.path, Cache::Hot, desk)?;
        desk.phase(Phase::Cache, proof.took, resident(&proof), proof_facts(&proof));
        Ok(proof)
    }

    fn timed(
        &mut self,
        bench: &Bench<'_>,
        port: Option<u16>,
        desk: &mut Desk,
        findings: &mut Findings,
    ) -> Result<(), HostError> {
        desk.client_is_timed(true);
        let fetched = self.fetch(bench, port, bench.plan.sample_hz, desk);
        desk.client_is_timed(false);
        let Fetched { end, command, shown, target } = fetched?;
        findings.shown = shown;
        findings.command = command;
        findings.raw.target = target;
        findings.raw.stdout.clone_from(&end.stdout);
        findings.raw.stderr.clone_from(&end.stderr);
        findings.server_values.clone_from(&end.server);
        findings.client = Some(end);
        Ok(())
    }

    /// Runs the client once, with a new target if it wants one.
    fn fetch(
        &mut self,
        bench: &Bench<'_>,
        port: Option<u16>,
        sample_hz: u32,
        desk: &mut Desk,
    ) -> Result<Fetched, HostError> {
        let target = bench.experiment.target(bench.options());
        let config = bench.config();
        if target == Target::None {
            let command = bench.command(port, None);
            let shown = shown(&command, None, &config);
            let end = self.client(bench, command.clone(), bench.scratch, sample_hz, desk)?;
            return Ok(Fetched { end, command, shown, target: None });
        }
        let directory = self.host.make_target(target, bench.medium)?;
        let command = bench.command(port, Some(directory.clone()));
        let shown = shown(&command, Some(&directory), &config);
        let end = self.client(bench, command.clone(), &directory, sample_hz, desk);
        let found = match &end {
            Ok(end) if end.exit == 0 => self.host.measure_target(&directory, desk).map(Some),
            _ => Ok(None),
        };
        let removed = self.host.remove_target(&directory, desk);
        let fetched = Fetched { end: end?, command, shown, target: found? };
        if let Err(error) = removed
            && !matches!(error, HostError::Cancelled)
        {
            // The run is good; the guard removes what is left when the campaign ends.
            desk.note(Severity::Warning, error.to_string());
        }
        Ok(fetched)
    }

    fn client(
        &mut self,
        bench: &Bench<'_>,
        command: Vec<String>,
        directory: &Path,
        sample_hz: u32,
        desk: &mut Desk,
    ) -> Result<ClientEnd, HostError> {
        let limits = &bench.plan.limits;
        let spec = ClientSpec {
            command,
            directory: directory.to_owned(),
            limit: secs(limits.run_secs),
            output_bytes: limits.output_bytes,
            sample_hz,
        };
        self.host.run_client(&spec, desk)
    }

    /// Ends the server behind a run, unless the next run shall find it.
    fn stop(&mut self, bench: &Bench<'_>, desk: &mut Desk, findings: &mut Findings) {
        let cell = bench.plan.server.restart == Restart::Cell && bench.step.cell.cache != Cache::Cold;
        let whole = findings.client.as_ref().is_some_and(|end| end.exit == 0 && end.ended.is_none());
        if cell && whole {
            return;
        }
        let begun = Instant::now();
        let Some(end) = self.clear() else { return };
        let text = match (end.died, end.exit) {
            (true, Some(exit)) => format!("the server had ended with {exit}"),
            (true, None) => "the server had ended".to_owned(),
            (false, _) => "the server was stopped".to_owned(),
        };
        desk.phase(Phase::Stop, begun.elapsed(), text, object(json!({"died": end.died, "exit": end.exit})));
        if !end.values.is_empty() {
            findings.server_values.clone_from(&end.values);
        }
        findings.raw.keep(end);
    }
}

fn check_end(client: &ClientEnd, findings: &Findings) -> Result<(), HostError> {
    let died = findings.raw.server_died.map(|exit| match exit {
        exit if exit < 0 => format!("the server ended with signal {}", -exit),
        exit => format!("the server ended with status {exit}"),
    });
    let why = match (&client.ended, client.exit) {
        (Some(ended), _) => ended.clone(),
        (None, 0) => match died {
            Some(died) => return Err(HostError::Run(died)),
            None => return Ok(()),
        },
        (None, exit) if exit < 0 => format!("the client ended with signal {}", -exit),
        (None, exit) => format!("the client ended with status {exit}"),
    };
    let words = first_line(&client.stderr);
    let parts = [Some(why), died, (!words.is_empty()).then_some(words)];
    Err(HostError::Run(parts.into_iter().flatten().collect::<Vec<_>>().join(": ")))
}

fn resident(proof: &CacheProof) -> String {
    match proof.resident_bytes {
        Some(bytes) => format!("{bytes} of {} bytes resident", proof.file_bytes),
        None => "resident share unknown".to_owned(),
    }
}

/// A proof as it is kept and sent.
pub fn proof_facts(proof: &CacheProof) -> Map<String, Value> {
    object(json!({
        "method": proof.method,
        "file_bytes": proof.file_bytes,
        "resident_bytes": proof.resident_bytes,
        "took_secs": proof.took.as_secs_f64(),
        "reserve": proof.reserve,
    }))
}

/// The first line that says something.
pub fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().chars().take(500).collect()
}

fn desk_cancelled(desk: &mut Desk) -> bool {
    crate::host::Watcher::cancelled(desk)
}

/// The members of a JSON object.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
