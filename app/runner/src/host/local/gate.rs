//! How busy the machine is by the work of others, looked at in a short quiet moment before a run.
//!
//! Averages over ten seconds still show our own last run, so they are facts only. Busy is judged by
//! what happens while we do nothing: time that others used, and stalls that grew.

use super::sampler::own_cpu_ns;
use super::tree::Tree;
use crate::host::Gate;
use crate::host::MOST_OTHER_LOAD;
use crate::procfs::{self, MachineTime, Pinned};
use serde_json::{Map, Value, json};
use std::fs;
use std::time::{Duration, Instant};

/// Long enough for fifteen steps of each core's clock, short beside a run.
const QUIET: Duration = Duration::from_millis(150);

/// Per cent of the quiet moment in which somebody waited for a disk. Nothing of ours reads then.
const MOST_IO_STALL: f64 = 20.0;

const KINDS: [&str; 3] = ["cpu", "io", "memory"];

/// Microseconds since boot in which some task was stalled, for each of [`KINDS`].
pub(super) struct Stalls([Option<u64>; 3]);

impl Stalls {
    pub(super) fn read() -> Self {
        Self(KINDS.map(|kind| some_line(kind, "total=")))
    }

    /// Shares of the time since then in per cent: `stall_cpu`, `stall_io`, `stall_memory`.
    pub(super) fn share_since(&self, span: Duration) -> Map<String, Value> {
        let now = Self::read();
        let micros = span.as_secs_f64().max(1e-6) * 1e6;
        let shares = KINDS.iter().zip(self.0.iter().zip(now.0)).map(|(kind, (old, new))| {
            let share = old.zip(new).map(|(old, new)| new.saturating_sub(old) as f64 * 100.0 / micros);
            let value = share.map_or(json!("unknown"), |share| json!(rounded(share.min(100.0))));
            (format!("stall_{kind}"), value)
        });
        shares.collect()
    }
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A value of the line `some avg10=0.00 avg60=… total=…`.
fn some_line<T: std::str::FromStr>(kind: &str, name: &str) -> Option<T> {
    let text = fs::read_to_string(format!("/proc/pressure/{kind}")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    line.split(' ').find_map(|word| word.strip_prefix(name))?.parse().ok()
}

/// Looks at the machine; neither a running server of ours is others' work, nor the program that watches:
/// it draws what has just ended, and holds still when a client is timed.
pub(super) fn look(server: Option<&mut Tree>, watching: Option<&Pinned>) -> Gate {
    let (other_load, stalls) = quiet_moment(server, watching);
    let mut facts = Map::new();
    for kind in KINDS {
        let average: Option<f64> = some_line(kind, "avg10=");
        facts.insert(format!("pressure_{kind}"), average.map_or(json!("unknown"), |share| json!(share)));
    }
    let io_stall = stalls.get("stall_io").and_then(Value::as_f64);
    facts.extend(stalls);
    facts.insert("other_load".to_owned(), other_load.map_or(json!("unknown"), |load| json!(rounded(load))));
    facts.insert("free_memory".to_owned(), free_memory().map_or(json!("unknown"), |bytes| json!(bytes)));
    facts.insert("governor".to_owned(), json!(governor()));
    Gate { facts, busy: judge(other_load, io_stall) }
}

fn quiet_moment(
    mut server: Option<&mut Tree>,
    watching: Option<&Pinned>,
) -> (Option<f64>, Map<String, Value>) {
    let mut used = || {
        let watching = watching.and_then(|pinned| pinned.read(false)).map_or(0, |used| used.cpu_ns);
        own_cpu_ns() + watching + server.as_deref_mut().map_or(0, |tree| tree.read().cpu_ns)
    };
    let (machine, ours, stalls, start) = (machine_time(), used(), Stalls::read(), Instant::now());
    std::thread::sleep(QUIET);
    let (span, now, ours_now) = (start.elapsed(), machine_time(), used());
    let others = machine.zip(now).map(|(old, new)| {
        others(new.busy_ns().saturating_sub(old.busy_ns()), ours_now.saturating_sub(ours), span)
    });
    (others, stalls.share_since(span))
}

/// Cores that others kept busy.
fn others(busy_ns: u64, ours_ns: u64, span: Duration) -> f64 {
    busy_ns.saturating_sub(ours_ns) as f64 / 1e9 / span.as_secs_f64().max(1e-9)
}

fn machine_time() -> Option<MachineTime> {
    MachineTime::parse(&fs::read_to_string("/proc/stat").ok()?)
}

fn judge(other_load: Option<f64>, io_stall: Option<f64>) -> Option<String> {
    let load = other_load.filter(|load| *load > MOST_OTHER_LOAD);
    let load = load.map(|load| format!("other work takes {load:.1} cores"));
    let stall = io_stall.filter(|share| *share > MOST_IO_STALL);
    let stall = stall.map(|share| format!("other work waits for a disk in {share:.0} % of the time"));
    let words: Vec<String> = load.into_iter().chain(stall).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn free_memory() -> Option<u64> {
    Some(procfs::field(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable")? * 1024)
}

/// How the cores' clock is governed: one word, or all that there are.
pub(super) fn governor() -> String {
    let Ok(cores) = fs::read_dir("/sys/devices/system/cpu/cpufreq") else { return "unknown".to_owned() };
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let text = fs::read_to_string(entry.ok()?.path().join("scaling_governor")).ok()?;
        Some(text.trim().to_owned())
    };
    let mut words: Vec<String> = cores.filter_map(read).collect();
    words.sort_unstable();
    words.dedup();
    if words.is_empty() { "unknown".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_is_said_with_its_reason() {
        for (load, stall, expect) in [
            (Some(0.1), Some(5.0), None),
            (None, None, None),
            (Some(1.26), Some(0.0), Some("other work takes 1.3 cores")),
            (Some(0.0), Some(42.0), Some("other work waits for a disk in 42 % of the time")),
        ] {
            assert_eq!(judge(load, stall).as_deref(), expect, "{load:?} {stall:?}");
        }
    }

    #[test]
    fn every_fact_is_there() {
        let gate = look(None, None);
        for name in [
            "pressure_cpu",
            "pressure_io",
            "pressure_memory",
            "stall_io",
            "other_load",
            "free_memory",
            "governor",
        ] {
            assert!(gate.facts.get(name).is_some_and(|value| !value.is_null()), "{name}: {:?}", gate.facts);
        }
    }

    #[test]
    fn our_own_work_is_not_blamed() {
        let span = Duration::from_millis(150);
        for (busy_ms, ours_ms, expect) in [(300, 0, 2.0), (300, 150, 1.0), (150, 150, 0.0), (140, 150, 0.0)] {
            let load = others(busy_ms * 1_000_000, ours_ms * 1_000_000, span);
            assert!((load - expect).abs() < 1e-9, "{busy_ms} {ours_ms}: {load}");
        }
        let ours = own_cpu_ns();
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(20) {
            std::hint::spin_loop();
        }
        assert!(own_cpu_ns() > ours, "what is subtracted is counted");
    }
}
