//! Times on one line with labels that the user chose: `TIMEFORMAT`, `TIMEFMT`, `set time` and GNU
//! time's `-f`.
//!
//! Labels stand before their values (`real 1.5 user 0.1`, `E=1:04:13 e=3853.12`) or behind them
//! (`1,5 s real; 0,1 s user`). A line is read only where all of it is such pairs; what has no labels is
//! left to whoever can ask the user.

use super::one_line::{Times, Value};
use super::secs;
use crate::number::{DecimalMark, parse_duration, parse_number, parse_scaled};
use triptych_model::Unit;

/// Longer lines are no line of times.
const LONGEST: usize = 1000;

/// What a label names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Secs(&'static str),
    Percent,
    Memory,
    Count(&'static str),
    Exit,
}

/// Labels in words, in small letters.
const WORDS: &[(&str, Meaning)] = &[
    ("real", Meaning::Secs("real")),
    ("elapsed", Meaning::Secs("real")),
    ("wall", Meaning::Secs("real")),
    ("wallclock", Meaning::Secs("real")),
    ("total", Meaning::Secs("real")),
    ("user", Meaning::Secs("user")),
    ("usr", Meaning::Secs("user")),
    ("sys", Meaning::Secs("sys")),
    ("system", Meaning::Secs("sys")),
    ("kernel", Meaning::Secs("sys")),
    ("cpu", Meaning::Percent),
    ("mem", Meaning::Memory),
    ("max", Meaning::Memory),
    ("rss", Meaning::Memory),
    ("maxrss", Meaning::Memory),
    ("majflt", Meaning::Count("majflt")),
    ("minflt", Meaning::Count("minflt")),
    ("exit", Meaning::Exit),
    ("status", Meaning::Exit),
];

/// The letters of the tools' own conversions, which stand before a sign of equality.
const LETTERS: &[(&str, Meaning)] = &[
    ("E", Meaning::Secs("real")),
    ("e", Meaning::Secs("real")),
    ("R", Meaning::Secs("real")),
    ("U", Meaning::Secs("user")),
    ("S", Meaning::Secs("sys")),
    ("P", Meaning::Percent),
    ("M", Meaning::Memory),
    ("F", Meaning::Count("majflt")),
    ("x", Meaning::Exit),
];

/// Words that belong to the figure before them.
const UNITS: &[&str] = &["s", "sec", "secs", "seconds", "ms", "us", "kB", "KB", "k", "KiB", "MB", "MiB", "%"];

/// A word of the line without the marks around it.
#[derive(Clone, Copy, Debug)]
enum Token<'a> {
    Label(Meaning),
    /// A figure with its unit, if one follows.
    Figure(&'a str),
    Other,
}

/// Reads a line; two quick looks rule nearly all others out.
pub fn read(text: &str) -> Option<Times<'_>> {
    let may_be = text.len() < LONGEST
        && (text.contains("sys") || text.contains("S=") || text.contains("exit"))
        && (text.contains("real")
            || text.contains("elapsed")
            || text.contains("wall")
            || text.contains("total")
            || text.contains("E=")
            || text.contains("e="));
    if !may_be {
        return None;
    }
    let tokens = tokens(text);
    let label = tokens.iter().position(|(_, token)| matches!(token, Token::Label(_)))?;
    let behind = matches!(tokens.first(), Some((_, Token::Figure(_)))) && label == 1;
    let from = if behind { 0 } else { label };
    let mut times = Times { values: Vec::new(), command: None, exit: None, unknown: Vec::new() };
    let mut pairs = 0;
    for pair in tokens.get(from..)?.chunks(2) {
        let (meaning, raw) = match pair {
            [(_, Token::Label(meaning)), (_, Token::Figure(raw))] if !behind => (*meaning, *raw),
            [(_, Token::Figure(raw)), (_, Token::Label(meaning))] if behind => (*meaning, *raw),
            [(start, Token::Other), (at, Token::Figure(raw))] if !behind => {
                times.unknown.push(text.get(*start..at + raw.len())?);
                continue;
            }
            _ => return None,
        };
        take(&mut times, meaning, raw)?;
        pairs += 1;
    }
    let has = |metric: &str| times.values.iter().any(|value| value.metric == metric);
    let cpu = usize::from(has("user")) + usize::from(has("sys"));
    if !has("real") || pairs < 2 || (cpu == 0 && times.exit.is_none()) {
        return None;
    }
    let start = tokens.get(from).map_or(0, |(start, _)| *start);
    let command = text.get(..start).map(|head| head.trim().trim_end_matches(':'));
    times.command = command.filter(|command| !command.is_empty());
    Some(times)
}

/// The words of a line with their places, figures joined with their units.
fn tokens(text: &str) -> Vec<(usize, Token<'_>)> {
    let mut tokens: Vec<(usize, Token<'_>)> = Vec::new();
    let mut next = 0;
    for part in text.split([' ', '\t']) {
        let start = next;
        next += part.len() + 1;
        if part.is_empty() {
            continue;
        }
        let word = part.trim_matches(['(', ')', ',', ';', '|', ':']);
        if let Some((label, value)) = word.split_once('=')
            && let Some(meaning) = meaning(label, true)
        {
            tokens.push((start, Token::Label(meaning)));
            tokens.push((start, figure(value)));
            continue;
        }
        if UNITS.contains(&word)
            && let Some((at, Token::Figure(_))) = tokens.last().copied()
        {
            let joined = text
                .get(at..start + part.len())
                .map_or("", |joined| joined.trim_matches(['(', ',', ';', ' ', ')', '|']));
            if let Some(last) = tokens.last_mut() {
                // With `label=value unit` the label stands in the same word.
                last.1 = Token::Figure(joined.rsplit('=').next().unwrap_or(joined));
            }
            continue;
        }
        let token = meaning(word, false).map_or_else(|| figure(word), Token::Label);
        // `max rss 9 kB` is one label.
        match (tokens.last(), token) {
            (Some((_, Token::Label(Meaning::Memory))), Token::Label(Meaning::Memory)) => {}
            _ => tokens.push((start, token)),
        }
    }
    tokens
}

fn meaning(label: &str, letters: bool) -> Option<Meaning> {
    let find = |table: &[(&str, Meaning)], label: &str| {
        table.iter().find(|(known, _)| *known == label).map(|(_, meaning)| *meaning)
    };
    if letters && let Some(meaning) = find(LETTERS, label) {
        return Some(meaning);
    }
    if label.len() > 12 { None } else { find(WORDS, &label.to_ascii_lowercase()) }
}

fn figure(word: &str) -> Token<'_> {
    if word.starts_with(|c: char| c.is_ascii_digit()) { Token::Figure(word) } else { Token::Other }
}

/// Adds the value of a pair; `None` where the figure is not what the label says.
fn take<'a>(times: &mut Times<'a>, meaning: Meaning, raw: &'a str) -> Option<()> {
    let mark = if raw.contains(',') { DecimalMark::Comma } else { DecimalMark::Point };
    let (metric, unit, value) = match meaning {
        Meaning::Secs(metric) => (metric, Unit::Secs, secs(raw).or_else(|| parse_duration(raw))?),
        Meaning::Percent => {
            ("cpu", Unit::Percent, parse_number(raw.trim_end_matches('%').trim_end(), &mark)?)
        }
        Meaning::Memory => ("max_rss", Unit::Bytes, memory(raw, mark)?),
        Meaning::Count(metric) => (metric, Unit::Count, parse_number(raw, &mark)?),
        Meaning::Exit => {
            times.exit = Some(raw.parse().ok()?);
            return Some(());
        }
    };
    let value = Value { metric, unit, value, raw };
    // `%E` has no fraction from an hour on, `%e` keeps it.
    match times.values.iter_mut().find(|known| known.metric == metric) {
        Some(known) if metric == "real" && known.raw.contains(':') => *known = value,
        Some(_) if metric == "real" && raw.contains(':') => {}
        Some(_) => return None,
        None => times.values.push(value),
    }
    Some(())
}

/// The kernel counts in KiB, and so do the tools that leave the unit out or call it kB.
fn memory(raw: &str, mark: DecimalMark) -> Option<f64> {
    let end = raw.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(raw.len());
    let (digits, unit) = raw.split_at(end);
    let factor = match unit {
        "" | "k" | "K" | "kB" | "KB" | "KiB" => 1 << 10,
        "M" | "MB" | "MiB" => 1 << 20,
        _ => return None,
    };
    parse_scaled(digits.trim_end(), mark, factor, 0)
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
    fn labels_before_and_behind() {
        for (text, expect, command) in [
            (
                "real 1.565 user 0.012 sys 0.000 cpu 0.79%",
                &[("real", 1.565), ("user", 0.012), ("sys", 0.0), ("cpu", 0.79)][..],
                None,
            ),
            (
                "elapsed=0m0.078s user=0m0.005s system=0m0.005s",
                &[("real", 0.078), ("user", 0.005), ("sys", 0.005)],
                None,
            ),
            (
                "0,052 s real; 0,000 s user; 0,009 s sys",
                &[("real", 0.052), ("user", 0.0), ("sys", 0.009)],
                None,
            ),
            (
                "0.050 total, 0.005 user, 0.005 system",
                &[("real", 0.05), ("user", 0.005), ("sys", 0.005)],
                None,
            ),
            (
                "svnadmin verify -q repo real 0.08s user 0.00s sys 0.00s cpu 11%",
                &[("real", 0.08), ("user", 0.0), ("sys", 0.0), ("cpu", 11.0)],
                Some("svnadmin verify -q repo"),
            ),
            (
                "svnadmin verify -q repo: wall 44ms, user 3ms, system 6ms, max rss 9 kB",
                &[("real", 0.044), ("user", 0.003), ("sys", 0.006), ("max_rss", 9216.0)],
                Some("svnadmin verify -q repo"),
            ),
            (
                "E=1:04:13 e=3853.12 U=0.50 S=0.25 P=10% M=9948",
                &[("real", 3853.12), ("user", 0.5), ("sys", 0.25), ("cpu", 10.0), ("max_rss", 10_186_752.0)],
                None,
            ),
            (
                "real 0:00.06 user 0.000 sys 0.009 mem 10068kB",
                &[("real", 0.06), ("user", 0.0), ("sys", 0.009), ("max_rss", 10_309_632.0)],
                None,
            ),
            (
                "real 0.07 s, user 0.00 s, sys 0.00 s, cpu 11%, max 10168 kB",
                &[("real", 0.07), ("user", 0.0), ("sys", 0.0), ("cpu", 11.0), ("max_rss", 10_412_032.0)],
                None,
            ),
            ("elapsed 0:00.00 exit 3", &[("real", 0.0)], None),
        ] {
            check(text, expect, command);
        }
        assert_eq!(read("real 0.00 user 0.00 sys 0.00 exit 3").and_then(|times| times.exit), Some(3));
    }

    #[test]
    fn unknown_labels_are_kept_apart() {
        let times = read("real 0.07 user 0.00 sys 0.00 faults 0+1255").expect("times");
        assert_eq!((times.values.len(), times.unknown), (3, vec!["faults 0+1255"]));
    }

    #[test]
    fn lines_that_are_no_pairs() {
        for text in [
            "0m0.20s 0 0.000 0.91%",
            "0.11\t0.00\t0.00\t0%\t1780kB sleep 0.1",
            "the system took a real 5 minutes",
            "real 5",
            "real 1 user 2 wall 3",
            "real 1 user 2 sys x",
            "total 12 files, system 3 directories",
            "Total: 5 of the system's 7 lines",
            "real sys",
            "exit 1: real trouble",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
