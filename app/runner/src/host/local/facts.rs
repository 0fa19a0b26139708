//! Facts of this machine, asked once a campaign; what is not told is unknown.

use super::cache;
use super::devices::with_unknown;
use super::gate::governor;
use crate::procfs;
use serde_json::{Map, Value, json};
use std::fs;

/// Host, kernel, CPU, memory, clock, rights.
pub(super) fn of_this_machine() -> Map<String, Value> {
    let text = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
    let memory = text("/proc/meminfo").and_then(|text| procfs::field(&text, "MemTotal"));
    let cpu = text("/proc/cpuinfo");
    with_unknown([
        ("hostname", json!(text("/proc/sys/kernel/hostname"))),
        ("kernel", json!(text("/proc/sys/kernel/osrelease"))),
        ("architecture", json!(std::env::consts::ARCH)),
        ("os", json!(text("/etc/os-release").and_then(|text| os_name(&text)))),
        ("cpu", json!(cpu.as_deref().and_then(cpu_model))),
        ("cores", json!(std::thread::available_parallelism().ok().map(std::num::NonZero::get))),
        ("memory_bytes", json!(memory.map(|kib| kib * 1024))),
        ("page_bytes", json!(rustix::param::page_size())),
        ("clock_source", json!(text("/sys/devices/system/clocksource/clocksource0/current_clocksource"))),
        ("governor", json!(governor())),
        ("turbo", json!(turbo(&text))),
        ("swappiness", json!(text("/proc/sys/vm/swappiness").and_then(|text| text.parse::<u64>().ok()))),
        ("may_drop_caches", json!(cache::may_drop_caches())),
        ("is_root", json!(rustix::process::geteuid().is_root())),
    ])
}

fn os_name(text: &str) -> Option<String> {
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

fn cpu_model(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Two drivers say it in two ways.
fn turbo(text: &impl Fn(&str) -> Option<String>) -> Option<bool> {
    let no_turbo = text("/sys/devices/system/cpu/intel_pstate/no_turbo").map(|word| word == "0");
    no_turbo.or_else(|| text("/sys/devices/system/cpu/cpufreq/boost").map(|word| word == "1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_known_or_unknown() {
        let facts = of_this_machine();
        assert!(facts.values().all(|value| !value.is_null()), "{facts:?}");
        for name in ["kernel", "cores", "memory_bytes", "page_bytes"] {
            assert_ne!(facts[name], "unknown", "{name}");
        }
        assert_eq!(os_name("NAME=x\nPRETTY_NAME=\"Debian 12\"\n").as_deref(), Some("Debian 12"));
        assert_eq!(cpu_model("processor: 0\nmodel name\t: Fast 9000\n").as_deref(), Some("Fast 9000"));
        assert_eq!(cpu_model(""), None);
    }
}
