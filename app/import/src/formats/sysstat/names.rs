//! What the columns of system-wide tools mean: sar, mpstat, iostat and sadf in text and JSON.
//!
//! One metric whatever tool wrote it; a column that is not here keeps its own name, and its unit is
//! told by the usual marks (`%`, `kb`, `/s`).

use super::cell::KIB;
use triptych_model::Unit;

/// A metric, its unit, and the factor that takes the printed figure to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// Stable metric name.
    pub metric: String,
    /// Base unit.
    pub unit: Unit,
    /// From the printed unit to the base unit.
    pub factor: f64,
}

impl Meaning {
    /// Whether the figure is a share of all processors' time, which is not yet per cents of one.
    pub fn is_share(&self) -> bool {
        self.metric.starts_with("cpu_")
    }
}

const MIB: f64 = KIB * KIB;
/// A sector, and what sar and old iostat call a block.
const SECTOR: f64 = 512.0;
const MILLI: f64 = 0.001;

type Name = (&'static str, &'static str, Unit, f64);

const fn cpu(name: &'static str, metric: &'static str) -> Name {
    (name, metric, Unit::Percent, 1.0)
}

const fn size(name: &'static str, metric: &'static str) -> Name {
    (name, metric, Unit::Bytes, KIB)
}

const fn rate(name: &'static str, metric: &'static str, factor: f64) -> Name {
    (name, metric, Unit::BytesPerSec, factor)
}

const fn millis(name: &'static str) -> Name {
    (name, name, Unit::Secs, MILLI)
}

const fn per_sec(name: &'static str, metric: &'static str) -> Name {
    (name, metric, Unit::PerSec, 1.0)
}

/// Printed name or JSON key, metric, unit, factor.
const NAMES: &[Name] = &[
    cpu("%user", "cpu_user"),
    cpu("%usr", "cpu_user"),
    cpu("user", "cpu_user"),
    cpu("usr", "cpu_user"),
    cpu("%nice", "cpu_nice"),
    cpu("nice", "cpu_nice"),
    cpu("%system", "cpu_sys"),
    cpu("%sys", "cpu_sys"),
    cpu("system", "cpu_sys"),
    cpu("sys", "cpu_sys"),
    cpu("%iowait", "cpu_iowait"),
    cpu("iowait", "cpu_iowait"),
    cpu("%steal", "cpu_steal"),
    cpu("steal", "cpu_steal"),
    cpu("%idle", "cpu_idle"),
    cpu("idle", "cpu_idle"),
    cpu("%irq", "cpu_irq"),
    cpu("irq", "cpu_irq"),
    cpu("%soft", "cpu_softirq"),
    cpu("soft", "cpu_softirq"),
    cpu("%guest", "cpu_guest"),
    cpu("guest", "cpu_guest"),
    cpu("%gnice", "cpu_guest_nice"),
    cpu("gnice", "cpu_guest_nice"),
    size("kbmemfree", "mem_free"),
    size("memfree", "mem_free"),
    size("kbavail", "mem_available"),
    size("avail", "mem_available"),
    size("kbmemused", "mem_used"),
    size("memused", "mem_used"),
    cpu("%memused", "mem_share"),
    cpu("memused-percent", "mem_share"),
    size("kbbuffers", "mem_buffers"),
    size("buffers", "mem_buffers"),
    size("kbcached", "mem_cached"),
    size("cached", "mem_cached"),
    size("kbactive", "mem_active"),
    size("active", "mem_active"),
    size("kbinact", "mem_inactive"),
    size("inactive", "mem_inactive"),
    size("kbdirty", "mem_dirty"),
    size("dirty", "mem_dirty"),
    size("kbcommit", "mem_commit"),
    size("commit", "mem_commit"),
    cpu("%commit", "mem_commit_share"),
    cpu("commit-percent", "mem_commit_share"),
    size("kbswpfree", "swap_free"),
    size("swpfree", "swap_free"),
    size("kbswpused", "swap_used"),
    size("swpused", "swap_used"),
    cpu("%swpused", "swap_share"),
    cpu("swpused-percent", "swap_share"),
    rate("rkB/s", "read_rate", KIB),
    rate("rkB", "read_rate", KIB),
    rate("kB_read/s", "read_rate", KIB),
    rate("rMB/s", "read_rate", MIB),
    rate("MB_read/s", "read_rate", MIB),
    rate("rsec/s", "read_rate", SECTOR),
    rate("rd_sec/s", "read_rate", SECTOR),
    rate("Blk_read/s", "read_rate", SECTOR),
    rate("bread/s", "read_rate", SECTOR),
    rate("bread", "read_rate", SECTOR),
    rate("wkB/s", "write_rate", KIB),
    rate("wkB", "write_rate", KIB),
    rate("kB_wrtn/s", "write_rate", KIB),
    rate("wMB/s", "write_rate", MIB),
    rate("MB_wrtn/s", "write_rate", MIB),
    rate("wsec/s", "write_rate", SECTOR),
    rate("wr_sec/s", "write_rate", SECTOR),
    rate("Blk_wrtn/s", "write_rate", SECTOR),
    rate("bwrtn/s", "write_rate", SECTOR),
    rate("bwrtn", "write_rate", SECTOR),
    rate("dkB/s", "discard_rate", KIB),
    rate("dkB", "discard_rate", KIB),
    rate("kB_dscd/s", "discard_rate", KIB),
    rate("dMB/s", "discard_rate", MIB),
    rate("MB_dscd/s", "discard_rate", MIB),
    rate("Blk_dscd/s", "discard_rate", SECTOR),
    rate("bdscd/s", "discard_rate", SECTOR),
    rate("bdscd", "discard_rate", SECTOR),
    rate("kB/s", "io_rate", KIB),
    rate("MB/s", "io_rate", MIB),
    rate("sec/s", "io_rate", SECTOR),
    size("kB_read", "read_bytes"),
    size("kB_wrtn", "write_bytes"),
    size("kB_dscd", "discard_bytes"),
    ("MB_read", "read_bytes", Unit::Bytes, MIB),
    ("MB_wrtn", "write_bytes", Unit::Bytes, MIB),
    ("MB_dscd", "discard_bytes", Unit::Bytes, MIB),
    ("Blk_read", "read_bytes", Unit::Bytes, SECTOR),
    ("Blk_wrtn", "write_bytes", Unit::Bytes, SECTOR),
    ("Blk_dscd", "discard_bytes", Unit::Bytes, SECTOR),
    size("areq-sz", "areq-sz"),
    size("rareq-sz", "rareq-sz"),
    size("wareq-sz", "wareq-sz"),
    size("dareq-sz", "dareq-sz"),
    ("avgrq-sz", "avgrq-sz", Unit::Bytes, SECTOR),
    millis("await"),
    millis("r_await"),
    millis("w_await"),
    millis("d_await"),
    millis("f_await"),
    millis("svctm"),
    cpu("%util", "%util"),
    cpu("util", "%util"),
    cpu("util-percent", "%util"),
    cpu("rrqm", "%rrqm"),
    cpu("wrqm", "%wrqm"),
    cpu("drqm", "%drqm"),
    ("frequency", "MHz", Unit::Count, 1.0),
    per_sec("rd_sec", "rd_sec/s"),
    per_sec("wr_sec", "wr_sec/s"),
    per_sec("dc_sec", "dc_sec/s"),
    per_sec("all", "intr/s"),
    per_sec("tps", "tps"),
    per_sec("rtps", "rtps"),
    per_sec("wtps", "wtps"),
    per_sec("dtps", "dtps"),
    per_sec("proc", "proc/s"),
    per_sec("cswch", "cswch/s"),
    per_sec("pswpin", "pswpin/s"),
    per_sec("pswpout", "pswpout/s"),
    rate("pgpgin/s", "page_in_rate", KIB),
    rate("pgpgin", "page_in_rate", KIB),
    rate("pgpgout/s", "page_out_rate", KIB),
    rate("pgpgout", "page_out_rate", KIB),
    per_sec("fault", "fault/s"),
    per_sec("majflt", "majflt_rate"),
    per_sec("majflt/s", "majflt_rate"),
    rate("rxkB/s", "receive_rate", KIB),
    rate("rxkB", "receive_rate", KIB),
    rate("txkB/s", "send_rate", KIB),
    rate("txkB", "send_rate", KIB),
    per_sec("rxpck", "rxpck/s"),
    per_sec("txpck", "txpck/s"),
];

/// `CPU0`: interrupts that one processor served.
fn is_of_one_cpu(name: &str) -> bool {
    let number = name.strip_prefix("CPU").or_else(|| name.strip_prefix("cpu")).unwrap_or("");
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of a column behind another: the client of NFS counts `retrans/s` behind `call/s`, TCP has
/// one too.
pub fn own_name<'n>(before: &str, name: &'n str) -> &'n str {
    if before.trim_end_matches("/s") == "call" && name.trim_end_matches("/s") == "retrans" {
        "nfs_retrans/s"
    } else {
        name
    }
}

/// `psi-io` with `some_avg10` is `%sio-10` in sar's text.
fn pressure(kind: &str, key: &str) -> Option<String> {
    let (mark, span) = match key.split_once("_avg")? {
        ("some", span) => ('s', span),
        ("full", span) => ('f', span),
        _ => return None,
    };
    let dash = if span.is_empty() { "" } else { "-" };
    Some(format!("%{mark}{kind}{dash}{span}"))
}

/// What a key of `sadf -j` means within its activity, where sar's own name has a mark that JSON drops.
pub fn meaning_in(activity: &str, key: &str) -> Meaning {
    if let Some(name) = activity.strip_prefix("psi-").and_then(|kind| pressure(kind, key)) {
        return meaning(&name);
    }
    if activity == "net-nfs" && key == "retrans" {
        return meaning(own_name("call", key));
    }
    let is_net = activity.starts_with("net-");
    let of_rates = is_net && !activity.starts_with("net-sock")
        || matches!(activity, "paging" | "swap-pages" | "process-and-context-switch" | "serial" | "softnet");
    let is_rate = of_rates && key != "blg_len";
    let is_size = matches!(activity, "memory" | "hugepages");
    // `active` is memory, and connections in `net-tcp`.
    let is_shared = is_net && activity != "net-dev";
    if is_known(key) && !is_shared || key.ends_with("-percent") {
        return meaning(key);
    }
    if is_rate {
        meaning(&format!("{key}/s"))
    } else if is_size {
        meaning(&format!("kb{key}"))
    } else {
        meaning(key)
    }
}

/// Whether a column of that name is known.
pub fn is_known(name: &str) -> bool {
    NAMES.iter().any(|(known, ..)| *known == name)
}

/// What a column or key of that name means.
pub fn meaning(name: &str) -> Meaning {
    if let Some((_, metric, unit, factor)) = NAMES.iter().find(|(known, ..)| *known == name) {
        return Meaning { metric: (*metric).to_owned(), unit: *unit, factor: *factor };
    }
    if let Some(stem) = name.strip_suffix("-percent") {
        return Meaning { metric: format!("%{stem}"), unit: Unit::Percent, factor: 1.0 };
    }
    if is_of_one_cpu(name) {
        return Meaning { metric: name.to_ascii_uppercase(), unit: Unit::PerSec, factor: 1.0 };
    }
    let (unit, factor) = if name.starts_with('%') {
        (Unit::Percent, 1.0)
    } else if name.ends_with("kB/s") {
        (Unit::BytesPerSec, KIB)
    } else if name.ends_with("/s") {
        (Unit::PerSec, 1.0)
    } else if name.starts_with("kb") {
        (Unit::Bytes, KIB)
    } else if name.starts_with("MB") {
        (Unit::Bytes, MIB)
    } else {
        (Unit::Count, 1.0)
    };
    Meaning { metric: name.to_owned(), unit, factor }
}
