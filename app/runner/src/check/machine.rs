//! The machine: media, what this user may do, ports, and whether others are at work.

use super::{CheckRow, State, Subject};
use crate::host::Host as _;
use crate::host::local::{LocalHost, lies_in_memory, may_drop_caches};
use crate::lab::{Lab, Medium};
use rustix::fs::{Access, access};
use serde_json::{Map, Value, json};
use std::net::TcpListener;
use std::path::Path;

/// Where clients write that shall not wait for a disk.
const MEMORY: &str = "/dev/shm";

/// Below this much free space a copy or an export may not fit.
const LITTLE_SPACE: u64 = 1 << 30;

/// Rows of media.
pub(super) fn media(lab: &Lab) -> Vec<CheckRow> {
    lab.media.iter().map(medium_row).collect()
}

fn medium_row(medium: &Medium) -> CheckRow {
    let row = |state, text: String| CheckRow::new(Subject::Medium, &medium.name, state, text);
    if !medium.directory.is_dir() {
        return row(State::Failed, format!("no directory: {}", medium.directory.display()))
            .next("mount it or correct its directory in the lab");
    }
    let mut facts = LocalHost::medium_facts(&medium.directory);
    let writable = access(&medium.directory, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    facts.insert("writable".into(), json!(writable));
    let word = |name: &str| facts.get(name).and_then(Value::as_str).unwrap_or("unknown").to_owned();
    let disk = match facts.get("rotational").and_then(Value::as_bool) {
        Some(true) => ", a disk that says it turns",
        Some(false) => ", a disk that does not turn",
        None => "",
    };
    let free = facts.get("free_bytes").and_then(Value::as_u64);
    let space = free
        .map_or_else(|| "free space unknown".to_owned(), |free| format!("{:.1} GB free", free as f64 / 1e9));
    let kind = word("file_system");
    let text = format!("{kind} ({}){disk}, {space}", word("mount_options"));
    let in_memory = lies_in_memory(&medium.directory);
    facts.insert("in_memory".into(), json!(in_memory));
    let row = |state, text| row(state, text).facts(facts.clone());
    if in_memory {
        return row(State::Warning, format!("{text}; in memory, so nothing on it can be cold"))
            .next("cold runs need a medium on a disk");
    }
    if !writable {
        return row(State::Warning, format!("{text}; not writable")).next("clients can write to memory only");
    }
    if free.is_some_and(|free| free < LITTLE_SPACE) {
        return row(State::Warning, format!("{text}; little space"))
            .next("make room before clients write there");
    }
    if kind == "unknown" {
        return row(State::Unknown, text);
    }
    row(State::Ok, text)
}

/// Rows of rights and of the machine at this moment.
pub(super) fn rows() -> Vec<CheckRow> {
    let mut rows = vec![drop_caches(), io_of_others(), port(), memory()];
    rows.extend(moment());
    rows
}

fn drop_caches() -> CheckRow {
    let may = may_drop_caches();
    let row = |state, text| CheckRow::new(Subject::Right, "drop caches", state, text).fact("may", may);
    if may {
        return row(State::Ok, "the system's caches may be dropped before cold runs");
    }
    row(
        State::Warning,
        "only root may drop the system's caches: the repository's files are evicted one by one",
    )
    .next("run as root for cold runs without a reserve")
}

/// The first process is another user's unless we are root.
fn io_of_others() -> CheckRow {
    let may = std::fs::read("/proc/1/io").is_ok();
    let row = |state, text| CheckRow::new(Subject::Right, "disk use of others", state, text).fact("may", may);
    if may {
        row(State::Ok, "bytes read and written by processes of other users can be read")
    } else {
        row(State::Unknown, "bytes read by processes of other users are unknown; those of our own are not")
    }
}

fn port() -> CheckRow {
    let row = |state, text: String| CheckRow::new(Subject::Host, "loopback port", state, text);
    match TcpListener::bind(("127.0.0.1", 0)) {
        Ok(_) => row(State::Ok, "the kernel gives free ports on 127.0.0.1".into()),
        Err(error) => row(State::Failed, format!("no port on 127.0.0.1: {error}"))
            .next("bring up the loopback interface (ip link set lo up)"),
    }
}

fn memory() -> CheckRow {
    let facts = LocalHost::medium_facts(Path::new(MEMORY));
    let kind = facts.get("file_system").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    let free = facts.get("free_bytes").and_then(Value::as_u64).unwrap_or(0);
    let fits =
        lies_in_memory(Path::new(MEMORY)) && access(MEMORY, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    let row = |state, text: String| {
        CheckRow::new(Subject::Host, "target in memory", state, text).facts(facts.clone())
    };
    if fits {
        return row(
            State::Ok,
            format!("{MEMORY} has {:.1} GB free for what clients write", free as f64 / 1e9),
        );
    }
    row(State::Warning, format!("{MEMORY} is no writable file system in memory, found {kind}"))
        .next("mount a tmpfs there, or let export and checkout write to the medium")
}

/// Who else is at work right now, and how the clock of the cores is governed.
fn moment() -> Vec<CheckRow> {
    let gate = LocalHost::new("check", Path::new("/")).gate();
    let of = |name: &str| gate.facts.get(name).cloned().unwrap_or_else(|| json!("unknown"));
    let number =
        |name: &str| of(name).as_f64().map_or_else(|| "unknown".to_owned(), |value| format!("{value:.1}"));
    let pressure = format!(
        "pressure in the last 10 s: processor {} %, disk {} %, memory {} %",
        number("pressure_cpu"),
        number("pressure_io"),
        number("pressure_memory"),
    );
    let mut facts: Map<String, Value> = gate.facts.clone();
    facts.remove("governor");
    let quiet = match gate.busy {
        Some(why) => CheckRow::new(Subject::Host, "quiet", State::Warning, format!("{why}; {pressure}"))
            .next("runs are marked busy-host until it is quiet"),
        None => {
            let text = format!("other work takes {} cores; {pressure}", number("other_load"));
            CheckRow::new(Subject::Host, "quiet", State::Ok, text)
        }
    };
    let governor = of("governor").as_str().unwrap_or("unknown").to_owned();
    let row = |state, text: String| {
        CheckRow::new(Subject::Host, "governor", state, text).fact("governor", governor.clone())
    };
    let clock = match governor.as_str() {
        "unknown" => row(State::Unknown, "how the clock of the cores is governed is unknown".into()),
        "performance" => row(State::Ok, "performance".into()),
        other => row(State::Warning, format!("{other}: the clock of the cores changes with the load"))
            .next("choose the governor performance while you measure"),
    };
    vec![quiet.facts(facts), clock]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_on_disk_in_memory_and_absent() {
        let directory = tempfile::tempdir().expect("a directory");
        for (path, expect) in [
            (MEMORY.into(), "in memory, so nothing on it can be cold"),
            (directory.path().join("absent"), "no directory: "),
            (directory.path().to_owned(), "GB free"),
        ] {
            let row = medium_row(&Medium { name: "m".into(), directory: path });
            assert!(row.text.contains(expect), "{row:?}");
            assert_eq!(row.state == State::Failed, expect.starts_with("no directory"), "{row:?}");
            assert_eq!(row.facts.is_empty(), row.state == State::Failed);
        }
    }

    #[test]
    fn this_machine_has_a_row_for_everything() {
        let rows = rows();
        let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(
            names,
            ["drop caches", "disk use of others", "loopback port", "target in memory", "quiet", "governor"]
        );
        let root = rustix::process::geteuid().is_root();
        assert!(root || rows[0].state == State::Warning, "{:?}", rows[0]);
        assert_eq!(rows[2].state, State::Ok);
        assert!(rows[4].text.contains("pressure in the last 10 s"), "{:?}", rows[4]);
    }
}
