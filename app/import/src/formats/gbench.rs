//! Google Benchmark: its JSON, its CSV and what it prints on the console.
//!
//! All three become [`entry::Entry`]s first, because which entries are aggregates of others, and are
//! dropped then, can only be said when all are known.

mod console;
mod csv;
mod entry;
mod json;
#[cfg(test)]
mod tests;

use crate::document::{Document, head_text};
use crate::format::{Confidence, DocumentFormat, LineFormat};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::Lines;
use triptych_model::{Cancelled, FormatSpec, ReadOptions};

/// The row of [`crate::FORMATS`] for JSON.
pub static GOOGLE_BENCHMARK: GoogleBenchmark = GoogleBenchmark;

/// The row of [`crate::FORMATS`] for CSV and the console's table.
pub static GOOGLE_BENCHMARK_TEXT: GoogleBenchmarkText = GoogleBenchmarkText;

static SPEC: FormatSpec = FormatSpec {
    id: "google-benchmark",
    title: "Google Benchmark JSON",
    help: "times an iteration, counters and errors as --benchmark_format=json writes them",
    extensions: &["json"],
    samples: "google-benchmark",
};

static TEXT_SPEC: FormatSpec = FormatSpec {
    id: "google-benchmark-text",
    title: "Google Benchmark CSV and console",
    help: "the same as CSV or as the table on the console",
    extensions: &["csv", "txt", "log"],
    samples: "google-benchmark",
};

/// The reader of JSON.
pub struct GoogleBenchmark;

/// The reader of CSV and of the console's table.
pub struct GoogleBenchmarkText;

const EXPECTED: &str = "JSON as Google Benchmark writes it, {\"context\": {…}, \"benchmarks\": […]}";

impl DocumentFormat for GoogleBenchmark {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        let head = head_text(head);
        let has = |name: &str| head.contains(&format!("\"{name}\""));
        let is_context = has("context") && (has("num_cpus") || has("benchmarks"));
        let is_entry = has("benchmarks") && has("iterations") && has("time_unit");
        if head.starts_with('{') && (is_context || is_entry) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let text = String::from_utf8_lossy(bytes);
        let Some((mut document, root)) = Document::open(&text, sink, EXPECTED) else { return Ok(()) };
        json::read(&mut document, &root)?;
        document.close();
        Ok(())
    }
}

impl LineFormat for GoogleBenchmarkText {
    fn spec(&self) -> &'static FormatSpec {
        &TEXT_SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'B' => Signs::ALWAYS,
            b'n' => const { Signs::any_of(&["_"]) },
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(line) = lines.get(at) else { return Ok(None) };
        if csv::is_header(line.text) {
            return csv::read(lines, at, sink).map(Some);
        }
        match console::header(line.text) {
            Some(columns) => console::read(lines, at, &columns, sink).map(Some),
            None => Ok(None),
        }
    }
}
