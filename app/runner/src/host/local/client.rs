//! The timed part: a client from just before its start to its end, sampled, limited, and reaped.

use super::child::{Child, Output, timespec};
use super::devices::DiskCounter;
use super::gate::Stalls;
use super::sampler::{Moment, Role, Sampler, percent, thread_cpu_ns};
use super::server::Running;
use super::{measured, run_error};
use crate::host::{ClientEnd, ClientSpec, HostError, Watcher};
use crate::sys::Ended;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Signal;
use serde_json::{Map, Value, json};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant, SystemTime};
use triptych_model::runlog::MeasuredValue;
use triptych_model::{Process, Quality, Unit};

/// How often limits and cancelling are looked at where nothing is sampled.
const IDLE_TICK: Duration = Duration::from_millis(100);

/// Why the wait for a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Exited,
    Limit,
    Output,
    ServerGone,
    Cancelled,
}

/// What the wait itself saw.
struct Waited {
    why: Why,
    wall: Duration,
    ticks: u64,
    late: u64,
}

/// What a client is run with.
pub(super) struct Stage<'a> {
    pub(super) token: &'a str,
    pub(super) server: Option<&'a mut Running>,
    pub(super) disk: Option<DiskCounter>,
}

/// Runs a client to its end.
pub(super) fn run(
    mut stage: Stage<'_>,
    spec: &ClientSpec,
    watcher: &mut dyn Watcher,
) -> Result<ClientEnd, HostError> {
    let (stdout, stderr) = (output("stdout")?, output("stderr")?);
    let disk = stage.disk.as_ref().map(|disk| disk.name.clone());
    let stalls = Stalls::read();
    let mut sampler =
        Sampler::new(stage.disk.take(), stage.server.as_deref_mut().map(|server| &mut server.tree));
    let base = *sampler.base();
    if let Some(server) = stage.server.as_deref_mut() {
        server.client_starts(base.server.unwrap_or_default());
    }
    let started = SystemTime::now();
    let start = Instant::now();
    let mut child = Child::start(&spec.command, Some(&spec.directory), stage.token, [&stdout, &stderr])?;
    sampler.started(child.pid);
    let own_before = thread_cpu_ns();
    watcher.started(child.pid, &spec.command);
    let waited = wait(&child, &mut stage, spec, [&stdout, &stderr], (&mut sampler, start), watcher);
    if waited.why != Why::Exited {
        child.signal(Signal::KILL);
        child.wait(super::child::GRACE);
    }
    // The zombie still has its figures; reaped, it has none.
    let server = stage.server.as_deref_mut().map(|server| &mut server.tree);
    let last = sampler.finish(waited.wall, tick_of(spec), server, spec.sample_hz > 0);
    let own_ns = thread_cpu_ns().saturating_sub(own_before);
    let stalls = stalls.share_since(waited.wall);
    let pid = child.pid;
    let Some((ended, _)) = child.reap() else {
        return Err(HostError::Broken(format!("process {pid} cannot be ended even by SIGKILL")));
    };
    if waited.why == Why::Cancelled {
        return Err(HostError::Cancelled);
    }
    let printed = |output: &Output| {
        output.bytes(spec.output_bytes).map_err(run_error("cannot read what the client printed"))
    };
    let is_long =
        [&stdout, &stderr].iter().any(|output| output.len().is_ok_and(|len| len > spec.output_bytes));
    let server_died = stage.server.as_deref().is_some_and(|server| server.child.has_ended());
    let mut end = ClientEnd {
        started: micros(started),
        wall: waited.wall,
        exit: ended.status,
        ended: reason(waited.why, is_long, server_died, spec),
        stdout: printed(&stdout)?,
        stderr: printed(&stderr)?,
        values: client_values(&ended, waited.wall, child.quality_of_rss(ended.max_rss)),
        ..ClientEnd::default()
    };
    end.values.extend(machine_values(&base, &last, disk));
    end.server = stage.server.as_deref().map_or_else(Vec::new, |_| server_values(&base, &last));
    end.facts = facts(&waited, spec, pid, own_ns);
    end.facts.insert("other_load".to_owned(), other_load(&base, &last, &ended));
    end.facts.extend(stalls);
    let role = |process, pid, command: &str| Role { process, pid, command: base_name(command).to_owned() };
    let client = Some(role(Process::Client, pid, spec.command.first().map_or("", String::as_str)));
    let server = stage.server.as_deref();
    let server = server.map(|server| role(Process::Svnserve, server.child.pid, &server.program));
    end.samples = sampler.table(&[client, server]);
    Ok(end)
}

fn output(name: &str) -> Result<Output, HostError> {
    Output::new(name).map_err(run_error("cannot keep output in memory"))
}

fn tick_of(spec: &ClientSpec) -> Duration {
    match spec.sample_hz {
        0 => IDLE_TICK,
        hz => Duration::from_secs(1) / hz.min(100),
    }
}

/// Which of the descriptors are readable.
#[derive(Clone, Copy, Default)]
struct Ready {
    client: bool,
    server: bool,
    wake: bool,
}

fn wait_any(
    client: BorrowedFd<'_>,
    server: Option<BorrowedFd<'_>>,
    wake: Option<BorrowedFd<'_>>,
    most: Duration,
) -> Ready {
    let mut fds = vec![PollFd::from_borrowed_fd(client, PollFlags::IN)];
    fds.extend([server, wake].into_iter().flatten().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
    // Interrupted by a signal: the caller looks at everything and comes back.
    if poll(&mut fds, Some(&timespec(most))).is_err() {
        return Ready::default();
    }
    let mut is_ready = fds.iter().map(|fd| !fd.revents().is_empty());
    let client = is_ready.next().unwrap_or(false);
    let server = server.is_some() && is_ready.next().unwrap_or(false);
    Ready { client, server, wake: wake.is_some() && is_ready.next().unwrap_or(false) }
}

fn wait(
    child: &Child,
    stage: &mut Stage<'_>,
    spec: &ClientSpec,
    outputs: [&Output; 2],
    (sampler, start): (&mut Sampler, Instant),
    watcher: &mut dyn Watcher,
) -> Waited {
    let tick = tick_of(spec);
    let mut next = tick;
    let mut waited = Waited { why: Why::Exited, wall: Duration::ZERO, ticks: 0, late: 0 };
    let mut heeds_wake = true;
    loop {
        let until = next.min(spec.limit).saturating_sub(start.elapsed());
        let server = stage.server.as_deref().map(|server| server.child.fd());
        let ready = wait_any(child.fd(), server, watcher.wake_fd().filter(|_| heeds_wake), until);
        let now = start.elapsed();
        waited.wall = now;
        waited.why = match ready {
            Ready { client: true, .. } => return waited,
            Ready { server: true, .. } => Why::ServerGone,
            _ if now >= spec.limit => Why::Limit,
            Ready { wake: true, .. } if watcher.cancelled() => Why::Cancelled,
            _ => Why::Exited,
        };
        // Whatever woke us but is no reason to give up must not keep this loop turning.
        heeds_wake &= !ready.wake;
        if waited.why == Why::Exited && now >= next {
            waited.ticks += 1;
            waited.late += u64::from(now - next > tick / 2);
            if spec.sample_hz > 0 {
                let server = stage.server.as_deref_mut().map(|server| &mut server.tree);
                watcher.sample(sampler.tick(now, server));
            }
            waited.why = housekeeping(spec, outputs, watcher);
            heeds_wake = true;
            while next <= now {
                next += tick;
            }
        }
        if waited.why != Why::Exited {
            return waited;
        }
    }
}

fn housekeeping(spec: &ClientSpec, outputs: [&Output; 2], watcher: &mut dyn Watcher) -> Why {
    if watcher.cancelled() {
        Why::Cancelled
    } else if outputs.iter().any(|output| output.len().is_ok_and(|len| len > spec.output_bytes)) {
        Why::Output
    } else {
        Why::Exited
    }
}

/// Why the client was ended, or why its result cannot count.
fn reason(why: Why, is_long: bool, server_died: bool, spec: &ClientSpec) -> Option<String> {
    match why {
        Why::Limit => Some(format!("took longer than the limit of {} s", spec.limit.as_secs_f64())),
        _ if server_died => Some("the server ended while the client ran".to_owned()),
        _ if is_long => Some(format!("printed more than the limit of {} bytes", spec.output_bytes)),
        _ => None,
    }
}

fn micros(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn client_values(ended: &Ended, wall: Duration, of_rss: Quality) -> Vec<MeasuredValue> {
    let secs = |nanos: u64| nanos as f64 / 1e9;
    let value = |metric, unit, value| measured(Process::Client, metric, unit, value, Quality::MEASURED);
    vec![
        value("real", Unit::Secs, wall.as_nanos() as f64 / 1e9),
        value("user", Unit::Secs, secs(ended.user_ns)),
        value("sys", Unit::Secs, secs(ended.sys_ns)),
        value("cpu_time", Unit::Secs, secs(ended.user_ns + ended.sys_ns)),
        measured(Process::Client, "max_rss", Unit::Bytes, ended.max_rss as f64, of_rss),
        value("read_bytes", Unit::Bytes, ended.read_bytes as f64),
        value("write_bytes", Unit::Bytes, ended.write_bytes as f64),
    ]
}

/// Load of the machine over the timed part, and what its disk read.
fn machine_values(base: &Moment, last: &Moment, disk: Option<String>) -> Vec<MeasuredValue> {
    let secs = last.at.as_secs_f64().max(1e-9);
    let mut values = Vec::new();
    if let Some((old, new)) = base.machine.zip(last.machine) {
        for (metric, old, new) in [
            ("cpu_user", old.user_ns, new.user_ns),
            ("cpu_sys", old.sys_ns, new.sys_ns),
            ("cpu_iowait", old.iowait_ns, new.iowait_ns),
        ] {
            let load = percent(new.saturating_sub(old), secs);
            values.push(measured(Process::System, metric, Unit::Percent, load, Quality::MEASURED));
        }
    }
    if let Some(((name, old), new)) = disk.zip(base.disk_read).zip(last.disk_read) {
        let bytes = new.saturating_sub(old) as f64;
        values.push(measured(Process::Disk(name), "read_bytes", Unit::Bytes, bytes, Quality::MEASURED));
    }
    values
}

/// The server's values over the timed part, by the clocks.
fn server_values(base: &Moment, last: &Moment) -> Vec<MeasuredValue> {
    let Some((old, new)) = base.server.zip(last.server) else { return Vec::new() };
    let cpu = new.cpu_ns.saturating_sub(old.cpu_ns);
    let sys = new.sys_ns.saturating_sub(old.sys_ns).min(cpu);
    let value = |metric, unit, value| measured(Process::Svnserve, metric, unit, value, Quality::MEASURED);
    let mut values = vec![
        value("cpu_time", Unit::Secs, cpu as f64 / 1e9),
        value("user", Unit::Secs, (cpu - sys) as f64 / 1e9),
        value("sys", Unit::Secs, sys as f64 / 1e9),
    ];
    if let Some((old, new)) = old.read_bytes.zip(new.read_bytes) {
        values.push(value("read_bytes", Unit::Bytes, new.saturating_sub(old) as f64));
    }
    values
}

fn facts(waited: &Waited, spec: &ClientSpec, pid: u32, own_ns: u64) -> Map<String, Value> {
    let facts = [
        ("client_pid", json!(pid)),
        ("sample_hz", json!(spec.sample_hz)),
        ("ticks", json!(waited.ticks)),
        ("late_ticks", json!(waited.late)),
        ("sampler_cpu_secs", json!(own_ns as f64 / 1e9)),
    ];
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Cores that were busy with anything but client, server and this process; the machine's clock
/// steps by 10 ms a core, so a short run does not say.
fn other_load(base: &Moment, last: &Moment, ended: &Ended) -> Value {
    const SHORTEST: Duration = Duration::from_millis(200);
    let machine = base.machine.zip(last.machine).filter(|_| last.at >= SHORTEST);
    let Some((old, new)) = machine else { return json!("unknown") };
    let server = |moment: &Moment| moment.server.map_or(0, |total| total.cpu_ns);
    let ours = ended.user_ns
        + ended.sys_ns
        + server(last).saturating_sub(server(base))
        + last.own_ns.saturating_sub(base.own_ns);
    let others = new.busy_ns().saturating_sub(old.busy_ns()).saturating_sub(ours);
    json!((percent(others, last.at.as_secs_f64()) * 10.0).round() / 1000.0)
}
