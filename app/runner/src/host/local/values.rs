//! The values of a run, from what was read before the client's start and at its end.

use super::measured;
use super::sampler::{Moment, percent};
use crate::sys::Ended;
use serde_json::{Value, json};
use std::time::Duration;
use triptych_model::runlog::MeasuredValue;
use triptych_model::{Process, Quality, Unit};

/// What the kernel charges the client.
pub(super) fn of_client(ended: &Ended, wall: Duration, of_rss: Quality) -> Vec<MeasuredValue> {
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
pub(super) fn of_machine(base: &Moment, last: &Moment, disk: Option<String>) -> Vec<MeasuredValue> {
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

/// How far to trust a server's CPU time.
///
/// What processes had used that its parent waited for is known in whole steps of 10 ms, of user and of
/// system time: where they stand in what is subtracted, up to 20 ms of them are charged to the run.
pub(super) fn quality_of_cpu(is_stepped: bool, cpu_ns: u64) -> Quality {
    const SMALL: u64 = 100_000_000;
    if is_stepped && cpu_ns < SMALL { Quality::MEASURED.with(Quality::INCOMPLETE) } else { Quality::MEASURED }
}

/// The server's values over the timed part, by the clocks.
pub(super) fn of_server(base: &Moment, last: &Moment, is_stepped: bool) -> Vec<MeasuredValue> {
    let Some((old, new)) = base.server.zip(last.server) else { return Vec::new() };
    let cpu = new.cpu_ns.saturating_sub(old.cpu_ns);
    let sys = new.sys_ns.saturating_sub(old.sys_ns).min(cpu);
    let value = |metric, unit, value| measured(Process::Svnserve, metric, unit, value, Quality::MEASURED);
    let quality = quality_of_cpu(is_stepped, cpu);
    let secs =
        |metric, nanos: u64| measured(Process::Svnserve, metric, Unit::Secs, nanos as f64 / 1e9, quality);
    let mut values = vec![secs("cpu_time", cpu), secs("user", cpu - sys), secs("sys", sys)];
    if let Some((old, new)) = old.disk.zip(new.disk) {
        for (metric, old, new) in [("read_bytes", old[0], new[0]), ("write_bytes", old[1], new[1])] {
            values.push(value(metric, Unit::Bytes, new.saturating_sub(old) as f64));
        }
    }
    values
}

/// Cores that were busy with anything but client, server and this process; the machine's clock
/// steps by 10 ms a core, so a short run does not say.
pub(super) fn other_load(base: &Moment, last: &Moment, ended: &Ended) -> Value {
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
