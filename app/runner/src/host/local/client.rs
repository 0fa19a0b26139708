//! The timed part: a client from just before its start to its end, sampled, limited, and reaped.

use super::child::{Child, Output, timespec};
use super::devices::DiskCounter;
use super::gate::Stalls;
use super::sampler::{Moment, Role, Sampler, thread_cpu_ns};
use super::server::Running;
use super::tree::Tree;
use super::{run_error, values};
use crate::command_text::base;
use crate::host::{ClientEnd, ClientSpec, HostError, Watcher};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Signal;
use serde_json::{Map, Value, json};
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant, SystemTime};
use triptych_model::Process;

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

impl Stage<'_> {
    fn tree(&mut self) -> Option<&mut Tree> {
        self.server.as_deref_mut().map(|server| &mut server.tree)
    }
}

/// What was seen of the timed part.
struct Seen {
    started: SystemTime,
    waited: Waited,
    base: Moment,
    last: Moment,
    own_ns: u64,
    stalls: Map<String, Value>,
}

/// Runs a client to its end.
pub(super) fn run(
    mut stage: Stage<'_>,
    spec: &ClientSpec,
    watcher: &mut dyn Watcher,
) -> Result<ClientEnd, HostError> {
    let outputs = [output("stdout")?, output("stderr")?];
    let disk = stage.disk.as_ref().map(|disk| disk.name.clone());
    let mut sampler = Sampler::new(stage.disk.take());
    let (mut child, seen) = timed(&mut stage, spec, &outputs, &mut sampler, watcher)?;
    let Some((ended, _)) = child.reap() else {
        let words = format!("process {} cannot be ended even by SIGKILL", child.pid);
        return Err(HostError::Broken(words));
    };
    if seen.waited.why == Why::Cancelled {
        return Err(HostError::Cancelled);
    }
    if let Some(server) = stage.server.as_deref_mut() {
        // Seen to their end, its processes are known better than in whole steps.
        server.settle();
    }
    let server = stage.server.as_deref();
    let role = |process, pid, command: &str| Role { process, pid, command: base(command).to_owned() };
    let client = role(Process::Client, child.pid, spec.command.first().map_or("", String::as_str));
    let serving = server.map(|server| role(Process::Svnserve, server.child.pid, &server.program));
    let printed = |output: &Output| {
        output.bytes(spec.output_bytes).map_err(run_error("cannot read what the client printed"))
    };
    let (base, last, wall) = (&seen.base, &seen.last, seen.waited.wall);
    let mut end = ClientEnd {
        started: micros(seen.started),
        wall,
        exit: ended.status,
        ended: reason(seen.waited.why, &outputs, server, spec),
        stdout: printed(&outputs[0])?,
        stderr: printed(&outputs[1])?,
        values: values::of_client(&ended, wall, child.quality_of_rss(ended.max_rss)),
        server: values::of_server(base, last, server.is_some_and(|server| server.is_stepped)),
        facts: facts(&seen, spec, child.pid),
        samples: sampler.table(&[Some(client), serving]),
    };
    end.values.extend(values::of_machine(base, last, disk));
    end.facts.insert("other_load".to_owned(), values::other_load(base, last, &ended));
    Ok(end)
}

/// From just before the client's start to its end; it is dead then and not reaped.
fn timed(
    stage: &mut Stage<'_>,
    spec: &ClientSpec,
    outputs: &[Output; 2],
    sampler: &mut Sampler,
    watcher: &mut dyn Watcher,
) -> Result<(Child, Seen), HostError> {
    if let Some(server) = stage.server.as_deref_mut() {
        // What still ends an earlier connection is not this client's doing.
        server.settle();
    }
    let stalls = Stalls::read();
    let base = sampler.restart(stage.tree());
    if let Some(server) = stage.server.as_deref_mut() {
        server.client_starts(base.server.unwrap_or_default(), &spec.command);
    }
    let started = SystemTime::now();
    let start = Instant::now();
    let [stdout, stderr] = outputs;
    let child = Child::start(&spec.command, Some(&spec.directory), stage.token, [stdout, stderr])?;
    sampler.started(child.pid);
    let own_before = thread_cpu_ns();
    watcher.started(child.pid, &spec.command);
    let waited = wait(&child, stage, spec, outputs, (sampler, start), watcher);
    if waited.why != Why::Exited {
        child.signal(Signal::KILL);
        child.wait(super::child::GRACE);
    }
    // The zombie still has its figures; reaped, it has none.
    let last = sampler.finish(waited.wall, tick_of(spec), stage.tree(), spec.sample_hz > 0);
    let own_ns = thread_cpu_ns().saturating_sub(own_before);
    let stalls = stalls.share_since(waited.wall);
    Ok((child, Seen { started, waited, base, last, own_ns, stalls }))
}

/// A stream of a child's.
pub(super) fn output(name: &str) -> Result<Output, HostError> {
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
    outputs: &[Output; 2],
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
                watcher.sample(sampler.tick(now, stage.tree()));
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

fn housekeeping(spec: &ClientSpec, outputs: &[Output; 2], watcher: &mut dyn Watcher) -> Why {
    if watcher.cancelled() {
        Why::Cancelled
    } else if is_too_long(outputs, spec) {
        Why::Output
    } else {
        Why::Exited
    }
}

fn is_too_long(outputs: &[Output; 2], spec: &ClientSpec) -> bool {
    outputs.iter().any(|output| output.len().is_ok_and(|len| len > spec.output_bytes))
}

/// Why the client was ended, or why its result cannot count.
fn reason(why: Why, outputs: &[Output; 2], server: Option<&Running>, spec: &ClientSpec) -> Option<String> {
    if why == Why::Limit {
        Some(format!("took longer than the limit of {} s", spec.limit.as_secs_f64()))
    } else if server.is_some_and(|server| server.child.has_ended()) {
        Some("the server ended while the client ran".to_owned())
    } else if is_too_long(outputs, spec) {
        Some(format!("printed more than the limit of {} bytes", spec.output_bytes))
    } else {
        None
    }
}

fn micros(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

fn facts(seen: &Seen, spec: &ClientSpec, pid: u32) -> Map<String, Value> {
    let facts = [
        ("client_pid", json!(pid)),
        ("sample_hz", json!(spec.sample_hz)),
        ("ticks", json!(seen.waited.ticks)),
        ("late_ticks", json!(seen.waited.late)),
        ("sampler_cpu_secs", json!(seen.own_ns as f64 / 1e9)),
    ];
    let facts = facts.into_iter().map(|(name, value)| (name.to_owned(), value));
    facts.chain(seen.stalls.clone()).collect()
}
