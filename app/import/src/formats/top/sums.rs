//! The lines of sums above top's table: processors and memory, in any locale.

use crate::formats::sysstat::cell::KIB;
use crate::formats::sysstat::names::Meaning;
use triptych_model::Unit;

/// What the shares of a processor's line are, in their order in every version.
const SHARES: &[&str] =
    &["cpu_user", "cpu_sys", "cpu_nice", "cpu_idle", "cpu_iowait", "cpu_irq", "cpu_softirq", "cpu_steal"];

/// One line, or half of one, of processors.
pub(super) struct Processors {
    /// Which one, `None` for all together.
    pub number: Option<u32>,
    /// Its shares of time in per cent.
    pub shares: Vec<(Meaning, f64)>,
}

fn meaning(metric: &str, unit: Unit) -> Meaning {
    Meaning { metric: metric.to_owned(), unit, factor: 1.0 }
}

/// Reads `%Cpu(s): 59,1 us, 20,9 sy, …`, `%Cpu0  : …   %Cpu1  : …` and the older `Cpu(s):  0.0%us, …`.
pub(super) fn processors(text: &str) -> Vec<Processors> {
    let text = text.trim_start();
    if !text.starts_with(['%', 'C']) {
        return Vec::new();
    }
    let starts: Vec<usize> = match text.starts_with('%') {
        true => text.match_indices('%').filter(|(at, _)| is_label(text, *at)).map(|(at, _)| at).collect(),
        false => vec![0],
    };
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| one(text.get(*start..end)?)).collect()
}

/// Whether a per cent sign begins `%Cpu0 :` and does not end a figure.
fn is_label(text: &str, at: usize) -> bool {
    text.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
        && !text.get(..at).is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()))
}

fn one(text: &str) -> Option<Processors> {
    let (label, rest) = text.split_once(':')?;
    let label = label.trim();
    let cpu = label.trim_start_matches('%').to_lowercase();
    if !cpu.starts_with("cpu") && !cpu.starts_with("cпроц") {
        return None;
    }
    let digits: String = cpu.chars().filter(char::is_ascii_digit).collect();
    let figures = figures(rest);
    if figures.len() < SHARES.len() - 1 {
        return None;
    }
    let shares = SHARES.iter().zip(figures).map(|(metric, value)| (meaning(metric, Unit::Percent), value));
    Some(Processors { number: digits.parse().ok(), shares: shares.collect() })
}

/// The figures before each word: `ni,100,0 id` is the end of one and all of the next.
fn figures(text: &str) -> Vec<f64> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(word) = rest.find(char::is_alphabetic) {
        let (figure, behind) = rest.split_at(word);
        let figure = figure.trim_matches(|c: char| c.is_whitespace() || c == ',' || c == '%' || c == ':');
        match number(figure) {
            Some(value) => all.push(value),
            None => return all,
        }
        let end = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
        rest = behind.get(end..).unwrap_or("");
    }
    all
}

fn number(text: &str) -> Option<f64> {
    let plain = text.starts_with(|c: char| c.is_ascii_digit());
    text.replace(',', ".").parse().ok().filter(|value: &f64| plain && value.is_finite())
}

/// Units of the memory lines, in the languages of procps.
const UNITS: &[(&str, f64)] = &[
    ("KiB", KIB),
    ("MiB", KIB * KIB),
    ("GiB", KIB * KIB * KIB),
    ("TiB", KIB * KIB * KIB * KIB),
    ("MB", KIB * KIB),
    ("МіБ", KIB * KIB),
    ("მიბ", KIB * KIB),
];

/// The words of the swap line, which has other figures.
const SWAP: &[&str] = &["swap", "intercambio", "éch", "სვაპი", "스", "växl", "своп", "tđổi"];

/// Reads `MiB Mem :  24105.6 total,  20971.8 free,   2054.7 used,   1399.3 buff/cache`.
pub(super) fn memory(text: &str) -> Vec<(Meaning, f64)> {
    let Some((label, rest)) = text.split_once(':') else { return Vec::new() };
    let mut words = label.split_whitespace();
    let unit = words.next().and_then(|word| UNITS.iter().find(|(unit, _)| *unit == word));
    let name = words.next().unwrap_or("").to_lowercase();
    let Some((_, factor)) = unit.filter(|_| !SWAP.contains(&name.as_str())) else { return Vec::new() };
    let metrics: &[&str] = if rest.split_once("used").is_some_and(|(head, _)| !head.contains("free")) {
        &["mem_total", "mem_used", "mem_free", "mem_buffers"]
    } else {
        &["mem_total", "mem_free", "mem_used", "mem_buff_cache"]
    };
    let values = figures(rest);
    metrics.iter().zip(values).map(|(metric, value)| (meaning(metric, Unit::Bytes), value * factor)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(text: &str) -> Vec<String> {
        let all = processors(text);
        let one = |cpu: &Processors| {
            let values: Vec<String> = cpu.shares.iter().map(|(_, value)| value.to_string()).collect();
            format!("{:?} {}", cpu.number, values.join(" "))
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn processors_in_all_forms() {
        for (text, expect) in [
            (
                "%Cpu(s):  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st ",
                "None 0 0 0 100 0 0 0 0",
            ),
            (
                "%CPU(s):100,0 us,  0,0 sy,  0,0 ni,100,0 id,  0,0 wa,  0,0 hi,  0,0 si,  0,5 st ",
                "None 100 0 0 100 0 0 0 0.5",
            ),
            (
                "%CPU:   100,0 uż,  0,0 sy,  0,0 ni,  0,0 be,  0,0 io,  0,0 hi,  0,0 si,  0,0 sk ",
                "None 100 0 0 0 0 0 0 0",
            ),
            (
                "Cpu(s):  1.5%us,  0.5%sy,  0.0%ni, 98.0%id,  0.0%wa,  0.0%hi,  0.0%si,  0.0%st",
                "None 1.5 0.5 0 98 0 0 0 0",
            ),
            (
                "%Cpu3  :  6.7 us,  0.0 sy,  0.0 ni, 93.3 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st",
                "Some(3) 6.7 0 0 93.3 0 0 0 0",
            ),
        ] {
            assert_eq!(shares(text), [expect], "{text}");
        }
        let two = "%Cpu0  :  1.0 us,  0.0 sy,  0.0 ni, 99.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st   %Cpu1  :  2.0 us,  0.0 sy,  0.0 ni, 98.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st";
        assert_eq!(shares(two), ["Some(0) 1 0 0 99 0 0 0 0", "Some(1) 2 0 0 98 0 0 0 0"]);
        for text in ["Tasks:   2 total,   2 running", "%Cpu(s):  0.0 us,", "Cpu", "%", "%Cpu(s): x us, y sy"]
        {
            assert!(shares(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn memory_in_all_forms() {
        for (text, expect) in [
            (
                "MiB Mem :  24105.6 total,  20971.8 free,   2054.7 used,   1399.3 buff/cache     ",
                "mem_free=20971.8",
            ),
            (
                "MiB Spch:  24105,6 total,  11744,8 free,   3035,0 used,   9690,1 buff/cache     ",
                "mem_free=11744.8",
            ),
            (
                "MiB Mem :  24105,6 total,  11853,5 libr,   3053,8 util,   9562,9 tamp/cache     ",
                "mem_free=11853.5",
            ),
            ("MiB Mem:   1000 total,   600 used,   400 free,    10 buffers", "mem_used=600"),
        ] {
            let found = memory(text);
            let (meaning, value) = &found[1];
            assert_eq!(format!("{}={}", meaning.metric, value / KIB / KIB), expect, "{text}");
            assert_eq!(found.len(), 4);
        }
        assert!(
            memory("MiB Swap:      0.0 total,      0.0 free,      0.0 used.  22079.6 avail Mem").is_empty()
        );
        assert!(memory("Tasks: 144 total").is_empty());
    }
}
