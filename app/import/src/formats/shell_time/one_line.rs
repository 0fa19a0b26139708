//! Times on one line: zsh, mksh, csh, and bash with a `TIMEFORMAT` of labels and numbers.

use super::{labelled, secs};
use crate::number::{DecimalMark, parse_number};
use triptych_model::Unit;

/// One value of such a line.
#[derive(Debug, PartialEq)]
pub struct Value<'a> {
    pub metric: &'static str,
    pub unit: Unit,
    pub value: f64,
    pub raw: &'a str,
}

/// The values and, where they are printed, the command and its exit status.
#[derive(Debug, PartialEq)]
pub struct Times<'a> {
    pub values: Vec<Value<'a>>,
    pub command: Option<&'a str>,
    pub exit: Option<i32>,
    /// A label and figure that say nothing known.
    pub unknown: Vec<&'a str>,
}

/// Blocks that the kernel counts for a process are of this size whatever the disk's is.
const BLOCK: f64 = 512.0;

/// Reads a line in any of the forms; the ends of the line rule most lines out at once.
pub fn read(text: &str) -> Option<Times<'_>> {
    let text = text.trim_ascii();
    let own = if text.ends_with(" total") {
        zsh(text)
    } else if text.ends_with(" system") || text.ends_with(" sys") {
        number_first(text)
    } else if text.ends_with('w') && text.starts_with(|first: char| first.is_ascii_digit()) {
        csh(text)
    } else {
        None
    };
    own.or_else(|| labelled::read(text))
}

/// `COMMAND  0.07s user 0.00s system 26% cpu 0.264 total`
fn zsh(text: &str) -> Option<Times<'_>> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let tail = words.split_off(words.len().checked_sub(8)?);
    let [user, "user", sys, "system", cpu, "cpu", real, "total"] = tail.as_slice() else { return None };
    let values = vec![
        time("real", real)?,
        time("user", user.strip_suffix('s')?)?,
        time("sys", sys.strip_suffix('s')?)?,
        percent(cpu)?,
    ];
    // The command ends where the last eight words begin; it may hold the same words itself.
    let behind =
        tail.iter().try_fold(text, |rest, _| rest.trim_end().rfind([' ', '\t']).map(|at| &rest[..at]));
    let command = behind.map(str::trim).filter(|command| !command.is_empty());
    Some(Times { values, command, exit: None, unknown: Vec::new() })
}

/// `    0m00.28s real     0m00.06s user     0m00.00s system`
fn number_first(text: &str) -> Option<Times<'_>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [real, "real", user, "user", sys, "system" | "sys"] = words.as_slice() else { return None };
    let values = vec![time("real", real)?, time("user", user)?, time("sys", sys)?];
    Some(Times { values, command: None, exit: None, unknown: Vec::new() })
}

/// `0.001u 0.000s 0:00.30 0.0% 0+0k 16+0io 1pf+0w`
fn csh(text: &str) -> Option<Times<'_>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [user, sys, real, cpu, memory, io, faults] = words.as_slice() else { return None };
    let (input, output) = io.strip_suffix("io")?.split_once('+')?;
    let (text, data) = memory.strip_suffix('k')?.split_once('+')?;
    let (major, swaps) = faults.strip_suffix('w')?.split_once("pf+")?;
    let mut values = vec![
        time("real", real)?,
        time("user", user.strip_suffix('u')?)?,
        time("sys", sys.strip_suffix('s')?)?,
        percent(cpu)?,
    ];
    for (metric, unit, raw, size) in [
        ("majflt", Unit::Count, major, 1.0),
        ("read_bytes", Unit::Bytes, input, BLOCK),
        ("write_bytes", Unit::Bytes, output, BLOCK),
    ] {
        values.push(Value { metric, unit, value: parse_number(raw, &DecimalMark::Point)? * size, raw });
    }
    // Linux keeps neither average sizes nor swaps.
    for (metric, unit, raw, size) in [
        ("avg_text", Unit::Bytes, text, 1024.0),
        ("avg_data", Unit::Bytes, data, 1024.0),
        ("swaps", Unit::Count, swaps, 1.0),
    ] {
        let value = parse_number(raw, &DecimalMark::Point)? * size;
        if value > 0.0 {
            values.push(Value { metric, unit, value, raw });
        }
    }
    Some(Times { values, command: None, exit: None, unknown: Vec::new() })
}

fn time<'a>(metric: &'static str, raw: &'a str) -> Option<Value<'a>> {
    Some(Value { metric, unit: Unit::Secs, value: secs(raw)?, raw })
}

fn percent(raw: &str) -> Option<Value<'_>> {
    let digits = raw.strip_suffix('%').unwrap_or(raw);
    let mark = if digits.contains(',') { DecimalMark::Comma } else { DecimalMark::Point };
    Some(Value { metric: "cpu", unit: Unit::Percent, value: parse_number(digits, &mark)?, raw })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(&str, f64)], command: Option<&str>) {
        let times = read(text).unwrap_or_else(|| panic!("{text:?} is not read"));
        let found: Vec<(&str, f64)> = times.values.iter().map(|value| (value.metric, value.value)).collect();
        assert_eq!(found, expect, "{text:?}");
        assert_eq!(times.command, command, "{text:?}");
    }

    #[test]
    fn genuine_lines_of_each_shell() {
        check(
            "/srv/svn/bin/svnbench-trunk null-export  -q  0.00s user 0.01s system 0% cpu 1.284 total",
            &[("real", 1.284), ("user", 0.0), ("sys", 0.01), ("cpu", 0.0)],
            Some("/srv/svn/bin/svnbench-trunk null-export  -q"),
        );
        check(
            "sleep 0.1  0,07s user 0,00s system 27% cpu 1:22,20 total",
            &[("real", 82.2), ("user", 0.07), ("sys", 0.0), ("cpu", 27.0)],
            Some("sleep 0.1"),
        );
        check(
            "    0m00.28s real     0m00.06s user     0m00.00s system",
            &[("real", 0.28), ("user", 0.06), ("sys", 0.0)],
            None,
        );
        check(
            "0.001u 0.000s 0:00.30 0.0%\t0+0k 16+0io 1pf+0w",
            &[
                ("real", 0.3),
                ("user", 0.001),
                ("sys", 0.0),
                ("cpu", 0.0),
                ("majflt", 1.0),
                ("read_bytes", 8192.0),
                ("write_bytes", 0.0),
            ],
            None,
        );
        check(
            "1.500u 0.250s 1:02:36.34 0.0% 5+7k 0+0io 0pf+3w",
            &[
                ("real", 3756.34),
                ("user", 1.5),
                ("sys", 0.25),
                ("cpu", 0.0),
                ("majflt", 0.0),
                ("read_bytes", 0.0),
                ("write_bytes", 0.0),
                ("avg_text", 5120.0),
                ("avg_data", 7168.0),
                ("swaps", 3.0),
            ],
            None,
        );
        check(
            "real 1.565 user 0.012 sys 0.000 cpu 0.79%",
            &[("real", 1.565), ("user", 0.012), ("sys", 0.0), ("cpu", 0.79)],
            None,
        );
    }

    #[test]
    fn other_lines_are_left() {
        for text in
            ["12 files total", "3 new", "real 5", "a b real c user d system", "", "real 1 user 2 wall 3"]
        {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
