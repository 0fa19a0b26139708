//! Subversion's own suite1 (`tools/dev/benchmarks/suite1/benchmark.py`): what it prints, and its database.
//!
//! `show` prints times, `compare` prints quotients and differences, `run` one line a run, `list` what is
//! on record. Its quotients are time(R) / time(L): above 1 is slower, so they are never called ratios.

mod compare;
mod database;
mod label;
mod show;
#[cfg(test)]
mod tests;
mod transcript;

use crate::format::{Confidence, DocumentFormat, LineFormat};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, ReadOptions};

/// The row of [`crate::FORMATS`] for what it prints.
pub static SUITE1: Suite1 = Suite1;

/// The row of [`crate::FORMATS`] for its database.
pub static SUITE1_DATABASE: Suite1Database = Suite1Database;

static SPEC: FormatSpec = FormatSpec {
    id: "suite1",
    title: "suite1 text",
    help: "what Subversion's benchmark.py prints for run, show, compare and list, also in its nightly mails",
    extensions: &["txt", "log"],
    samples: "suite1",
};

static DATABASE_SPEC: FormatSpec = FormatSpec {
    id: "suite1-database",
    title: "suite1 database",
    help: "every timing in the benchmark.db of Subversion's benchmark.py",
    extensions: &["db"],
    samples: "suite1-database",
};

/// The reader of what it prints.
pub struct Suite1;

/// The reader of its database.
pub struct Suite1Database;

impl LineFormat for Suite1 {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'T' | b'C' | b'H' | b'I' | b'F' | b'm' => Signs::ALWAYS,
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(line) = lines.get(at) else { return Ok(None) };
        let text = line.text.trim_ascii();
        // Every line of large logs comes by.
        if !text.starts_with(['T', 'C', 'H', 'I', 'F', 'm']) {
            return Ok(None);
        }
        Ok(if let Some(label) = text.strip_prefix("Timings for ") {
            show::read(lines, at, label, sink)
        } else if text.starts_with("Compare ") {
            compare::read(lines, at, text, sink)
        } else if text.starts_with("Hi, going to run a Subversion benchmark") {
            Some(transcript::read(lines, at, sink)?)
        } else if text == "I found:" || text == "For" {
            transcript::read_list(lines, at, sink)
        } else if text.starts_with("min ") {
            compare::read_ancestor(lines, at, sink)
        } else {
            None
        })
    }
}

impl DocumentFormat for Suite1Database {
    fn spec(&self) -> &'static FormatSpec {
        &DATABASE_SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        if head.starts_with(database::MAGIC) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        database::read(bytes, sink)
    }
}

/// The next line that is not blank, and its index.
fn next_line<'a>(lines: &'a Lines<'_>, from: usize) -> Option<(usize, Line<'a>)> {
    (from..from + 3).find_map(|at| Some((at, lines.get(at).filter(|line| !line.is_blank())?)))
}

/// A count as suite1 prints it, with `K`, `M`, `G` for whole thousands, millions, …; those are rounded down.
fn count(text: &str) -> Option<u64> {
    let prefix = [('K', 1_000), ('M', 1_000_000), ('G', 1_000_000_000), ('T', 1_000_000_000_000)];
    let found = prefix.iter().find_map(|(letter, factor)| Some((text.strip_suffix(*letter)?, *factor)));
    let (digits, factor) = found.unwrap_or((text, 1));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(factor)
}
