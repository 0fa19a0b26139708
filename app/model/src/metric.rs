//! Metrics have one name whatever tool wrote them, and one base unit.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The base units of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Unit {
    /// Seconds.
    #[serde(rename = "s")]
    Secs,
    /// Bytes.
    #[serde(rename = "B")]
    Bytes,
    /// Bytes a second.
    #[serde(rename = "B/s")]
    BytesPerSec,
    /// Events a second.
    #[serde(rename = "1/s")]
    PerSec,
    /// Per cent; for CPU load 100 % is one core.
    #[serde(rename = "%")]
    Percent,
    /// A count.
    #[serde(rename = "1")]
    Count,
    /// A quotient: ratio, factor, speed-up.
    #[serde(rename = "x")]
    Times,
}

impl Unit {
    /// The unit as exported.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Secs => "s",
            Self::Bytes => "B",
            Self::BytesPerSec => "B/s",
            Self::PerSec => "1/s",
            Self::Percent => "%",
            Self::Count => "1",
            Self::Times => "x",
        }
    }

    /// The unit of that symbol, if it is one of ours.
    pub fn parse(symbol: &str) -> Option<Self> {
        [Self::Secs, Self::Bytes, Self::BytesPerSec, Self::PerSec, Self::Percent, Self::Count, Self::Times]
            .into_iter()
            .find(|unit| unit.symbol() == symbol)
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.symbol())
    }
}

/// What is known of a metric by its name.
#[derive(Clone, Copy, Debug)]
pub struct MetricSpec {
    /// The stable name, as exported.
    pub name: &'static str,
    /// Its base unit.
    pub unit: Unit,
    /// One line for help and tooltips.
    pub help: &'static str,
}

/// Metrics that readers share; an unknown column of a log keeps its own name.
pub const METRICS: &[MetricSpec] = &[
    spec("real", Unit::Secs, "wall time of the timed command"),
    spec("user", Unit::Secs, "CPU time in user mode"),
    spec("sys", Unit::Secs, "CPU time in the kernel"),
    spec("time", Unit::Secs, "a published time that does not say which"),
    spec("cpu_time", Unit::Secs, "user and system CPU time of a process or the server's tree"),
    spec("wait_time", Unit::Secs, "time waiting for a core"),
    spec("throttled_time", Unit::Secs, "time that a cgroup was held back by its limit"),
    spec("duration", Unit::Secs, "time the tool itself reports"),
    spec("real_mean", Unit::Secs, "mean wall time of several executions"),
    spec("real_median", Unit::Secs, "median wall time of several executions"),
    spec("real_min", Unit::Secs, "shortest wall time of several executions"),
    spec("real_max", Unit::Secs, "longest wall time of several executions"),
    spec("real_stddev", Unit::Secs, "standard deviation of the wall time"),
    spec("user_mean", Unit::Secs, "mean user CPU time of several executions"),
    spec("sys_mean", Unit::Secs, "mean system CPU time of several executions"),
    spec("cpu", Unit::Percent, "CPU load, 100 % is one core"),
    spec("cpu_user", Unit::Percent, "CPU load in user mode"),
    spec("cpu_sys", Unit::Percent, "CPU load in the kernel"),
    spec("cpu_mean", Unit::Percent, "mean CPU load since the process began, as ps prints it"),
    spec("cpu_wait", Unit::Percent, "share of time waiting for a core"),
    spec("cpu_iowait", Unit::Percent, "share of time idle with I/O pending"),
    spec("cpu_idle", Unit::Percent, "share of time idle"),
    spec("cpu_guest", Unit::Percent, "CPU load of guests"),
    spec("cpu_nice", Unit::Percent, "CPU load in user mode of processes that give way to others"),
    spec("cpu_steal", Unit::Percent, "time that the host gave to other guests"),
    spec("cpu_irq", Unit::Percent, "CPU load of interrupts"),
    spec("cpu_softirq", Unit::Percent, "CPU load of deferred interrupts"),
    spec("mem_total", Unit::Bytes, "the machine's memory"),
    spec("mem_free", Unit::Bytes, "memory that nothing uses"),
    spec("mem_available", Unit::Bytes, "memory that could be had without swapping"),
    spec("mem_used", Unit::Bytes, "memory in use, as the tool counts it"),
    spec("mem_buffers", Unit::Bytes, "memory of buffers"),
    spec("mem_cached", Unit::Bytes, "memory of the page cache"),
    spec("mem_dirty", Unit::Bytes, "memory that waits to be written"),
    spec("swap_used", Unit::Bytes, "swap space in use"),
    spec("max_rss", Unit::Bytes, "largest resident memory"),
    spec("rss", Unit::Bytes, "resident memory"),
    spec("vsz", Unit::Bytes, "virtual memory"),
    spec("mem_share", Unit::Percent, "share of the machine's memory"),
    spec("read_rate", Unit::BytesPerSec, "bytes read from disk a second"),
    spec("write_rate", Unit::BytesPerSec, "bytes written to disk a second"),
    spec("discard_rate", Unit::BytesPerSec, "bytes discarded on disk a second"),
    spec("receive_rate", Unit::BytesPerSec, "bytes received from a network a second"),
    spec("send_rate", Unit::BytesPerSec, "bytes sent to a network a second"),
    spec("read_bytes", Unit::Bytes, "bytes read from disk"),
    spec("write_bytes", Unit::Bytes, "bytes written to disk"),
    spec("minflt_rate", Unit::PerSec, "minor page faults a second"),
    spec("majflt_rate", Unit::PerSec, "major page faults a second"),
    spec("minflt", Unit::Count, "minor page faults"),
    spec("majflt", Unit::Count, "major page faults"),
    spec("ratio", Unit::Times, "baseline / variant as printed, above 1 is faster"),
    spec("factor", Unit::Times, "time(R) / time(L) of suite1, above 1 is slower"),
    spec("difference", Unit::Secs, "time(R) - time(L) of suite1, above 0 is slower"),
    spec("throughput", Unit::PerSec, "operations a second; more is better"),
    spec(
        "relative",
        Unit::Percent,
        "value in per cent of a stated row's, as printed; above 100 is slower or larger",
    ),
    spec("speedup", Unit::Times, "speed relative to a stated baseline"),
    spec("revisions", Unit::Count, "revisions"),
    spec("revision_rate", Unit::PerSec, "revisions verified, dumped or loaded a second"),
    spec("files", Unit::Count, "files"),
    spec("directories", Unit::Count, "directories"),
    spec("bytes", Unit::Bytes, "bytes in files"),
    spec("property_bytes", Unit::Bytes, "bytes in properties"),
    spec("delta_bytes", Unit::Bytes, "bytes in deltas"),
    spec("net_bytes", Unit::Bytes, "bytes over the network"),
    spec("resident_bytes", Unit::Bytes, "bytes of the repository's files in memory before the run"),
    spec("repo_size", Unit::Bytes, "size of the repository on disk"),
    spec("export_size", Unit::Bytes, "size of the exported tree"),
    spec("export_items", Unit::Count, "items in the exported tree"),
    spec("cache_usage", Unit::Bytes, "memory the server's cache took"),
];

/// What `table` takes where the user names no metric, in this order.
pub const TABLE_METRICS: &[&str] = &["real", "time", "cpu_time", "user", "real_median", "real_mean"];

const fn spec(name: &'static str, unit: Unit, help: &'static str) -> MetricSpec {
    MetricSpec { name, unit, help }
}

/// The row of [`METRICS`] of that name, if there is one.
pub fn metric_spec(name: &str) -> Option<&'static MetricSpec> {
    METRICS.iter().find(|spec| spec.name == name)
}
