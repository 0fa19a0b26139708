//! The rows of the right panel: is the host quiet, what is the cache's state. Each says whether it is as it should be.

use super::model::{Current, RunModel};
use serde_json::{Map, Value};
use triptych_report::numbers::{self, NARROW};
use triptych_runner::plan::Cache;

/// Whether a fact is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is.
    Good,
    /// It may disturb what is measured, or contradicts what it is called.
    Doubtful,
    /// Nobody knows.
    Unknown,
}

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: &'static str,
    /// Its value in words.
    pub value: String,
    /// Whether it is as it should be.
    pub mark: Mark,
}

/// Pressure above this share of ten seconds disturbs.
const PRESSURE: f64 = 5.0;
/// Work of others above this many cores disturbs.
const OTHERS: f64 = 0.25;
/// The window itself above this share of a core is worth a look.
const WINDOW: f64 = 1.0;
/// Below this much free memory the kernel begins to drop what was read.
const FREE: f64 = (256 << 20) as f64;

fn fact(name: &'static str, value: Option<(String, bool)>) -> Fact {
    match value {
        Some((value, good)) => Fact { name, value, mark: if good { Mark::Good } else { Mark::Doubtful } },
        None => Fact { name, value: "unknown".to_owned(), mark: Mark::Unknown },
    }
}

fn number(facts: &Map<String, Value>, name: &str) -> Option<f64> {
    facts.get(name).and_then(Value::as_f64)
}

/// How busy the host was before the current step, and what this window takes.
pub fn gate(facts: &Map<String, Value>, window_cpu: Option<f64>) -> Vec<Fact> {
    let pressure = |name: &'static str, key: &str| {
        fact(name, number(facts, key).map(|v| (format!("{v:.1}{NARROW}% in 10{NARROW}s"), v < PRESSURE)))
    };
    let governor = facts.get("governor").and_then(Value::as_str).filter(|word| *word != "unknown");
    vec![
        pressure("CPU pressure", "pressure_cpu"),
        pressure("disk pressure", "pressure_io"),
        pressure("memory pressure", "pressure_memory"),
        fact("other load", number(facts, "other_load").map(|v| (format!("{v:.2} cores"), v < OTHERS))),
        fact("free memory", number(facts, "free_memory").map(|v| (numbers::bytes(v), v > FREE))),
        fact("governor", governor.map(|word| (word.to_owned(), word == "performance"))),
        fact("this window", window_cpu.map(|v| (format!("{v:.1}{NARROW}% of a core"), v < WINDOW))),
    ]
}

/// What is known of the cache in the current step.
pub fn cache(model: &RunModel, current: &Current) -> Vec<Fact> {
    let cell = model.matrix.step(current.step);
    let row = cell.and_then(|cell| model.matrix.rows.get(cell.row));
    let cold = row.is_some_and(|row| row.cache == Cache::Cold);
    let (resident, files) = (number(&current.facts, "resident_bytes"), number(&current.facts, "file_bytes"));
    let before = resident.map(|resident| {
        let share = files.filter(|files| *files > 0.0).map(|files| resident / files);
        let good = share.is_some_and(|share| if cold { share < 0.05 } else { share > 0.9 });
        let of = files.map(|files| format!(" of {}", numbers::bytes(files))).unwrap_or_default();
        let amount = if resident == 0.0 { "0".to_owned() } else { numbers::bytes(resident) };
        (format!("{amount}{of}"), good)
    });
    let read = current.live.read_bytes.map(|bytes| {
        let limit = files.map_or(1e6, |files| files * 0.05).max(1e6);
        let good = if cold { bytes > 0.0 } else { bytes < limit };
        (format!("{} so far", numbers::bytes(bytes)), good)
    });
    let mut rows = vec![fact("resident before", before), fact("read in this run", read)];
    if cold {
        let reserve = current.facts.get("reserve").and_then(Value::as_str);
        let dropped = number(&current.facts, "took_secs")
            .map(|secs| (format!("in {:.0}{NARROW}ms", secs * 1000.0), reserve.is_none()));
        let evicted = current.facts.get("method").and_then(Value::as_str) == Some("evicted");
        rows.push(fact(if evicted { "files evicted" } else { "caches dropped" }, dropped));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_of_the_host_say_what_is_unknown() {
        let facts: Map<String, Value> = serde_json::from_str(
            r#"{"pressure_cpu":0.42,"pressure_io":12.5,"other_load":0.06,"governor":"unknown"}"#,
        )
        .expect("an object");
        let rows = gate(&facts, Some(1.1));
        let said: Vec<(&str, String, Mark)> =
            rows.into_iter().map(|row| (row.name, row.value.replace(NARROW, " "), row.mark)).collect();
        let expect = [
            ("CPU pressure", "0.4 % in 10 s", Mark::Good),
            ("disk pressure", "12.5 % in 10 s", Mark::Doubtful),
            ("memory pressure", "unknown", Mark::Unknown),
            ("other load", "0.06 cores", Mark::Good),
            ("free memory", "unknown", Mark::Unknown),
            ("governor", "unknown", Mark::Unknown),
            ("this window", "1.1 % of a core", Mark::Doubtful),
        ];
        assert_eq!(said, expect.map(|(name, value, mark)| (name, value.to_owned(), mark)));
    }
}
