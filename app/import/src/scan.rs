//! The driver: which format reads which lines of a source.
//!
//! Used by the store through [`Readers`]. Documents are asked first; then every line is offered to
//! the readers of lines in the order of [`FORMATS`], and what none of them takes is the output of a
//! timed program or, where nothing at all was recognised, a foreign file.

use crate::foreign;
use crate::format::{BlockFormat, Confidence, DocumentFormat, Format, LineFormat};
use crate::formats::FORMATS;
use crate::offer::Offer;
use crate::parallel::{self, Cutter, Plan};
use crate::paths;
use crate::sink::Sink;
use crate::tables;
use crate::text::{Lines, Places, Repair, is_wide, utf8};
use std::io::Read;
use triptych_model::{
    Cancelled, FormatSpec, Importer, PathMatch, PatternError, Problem, ProblemKind, Progress, ReadOptions,
    RequestArguments, Severity, Silent, SourceData, StreamError, SuggestedPattern,
};

/// All readers, as the store sees them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Readers;

/// How much of a document its readers see before they say whose it is.
const HEAD_BYTES: usize = 4096;

/// How many lines are read between two looks at the progress.
const LINES_PER_CHECK: usize = 4096;

impl Importer for Readers {
    fn formats(&self) -> Vec<FormatSpec> {
        FORMATS.iter().map(|format| *format.spec()).collect()
    }

    fn read(
        &self,
        path: &str,
        bytes: &[u8],
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<SourceData, Cancelled> {
        let mut sink = Sink::new(path, options, progress);
        sink.data.bytes = bytes.len() as u64;
        let wrong =
            options.log_format.as_deref().and_then(|text| Some((text, self.check_log_format(text).err()?)));
        if let Some((text, wrong)) = wrong {
            sink.data.error = Some(bad_log_format(path, text, &wrong));
        } else if bytes.is_empty() {
            pass_over(&mut sink, ProblemKind::Empty, "empty".to_owned());
        } else if let Some(id) = &options.format {
            read_as(id, bytes, &mut sink)?;
        } else {
            read_any(bytes, &mut sink)?;
        }
        Ok(sink.finish())
    }

    fn read_stream(
        &self,
        path: &str,
        stream: &mut (dyn Read + Send),
        size: Option<u64>,
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<Option<SourceData>, StreamError> {
        // What is wrong with the options is said where the whole source is read.
        if options.log_format.as_deref().is_some_and(|text| self.check_log_format(text).is_err()) {
            return Ok(None);
        }
        let mut sink = Sink::new(path, options, progress);
        sink.data.bytes = size.unwrap_or(0);
        let read = read_blocks(stream, Plan::default(), &mut sink)?;
        Ok(read.then(|| sink.finish()))
    }

    fn read_on(
        &self,
        data: &mut SourceData,
        appended: &[u8],
        options: &ReadOptions,
        progress: &dyn Progress,
    ) -> Result<bool, Cancelled> {
        crate::grown::read_on(data, appended, options, progress)
    }

    fn match_path(&self, pattern: &str, path: &str) -> Result<Option<PathMatch>, PatternError> {
        paths::match_path(pattern, path)
    }

    fn check_log_format(&self, text: &str) -> Result<(), PatternError> {
        crate::formats::check_log_format(text)
    }

    fn suggest_patterns(&self, paths: &[&str]) -> Vec<SuggestedPattern> {
        paths::suggest_patterns(paths)
    }

    fn request_arguments<'a>(&'a self, head: &[u8], options: &'a ReadOptions) -> RequestArguments<'a> {
        crate::arguments::reader(head, options)
    }
}

/// The format typed by the user is no fault of the source, but nothing can be read by it.
fn bad_log_format(path: &str, text: &str, wrong: &PatternError) -> Problem {
    let message = format!("the LogFormat cannot be understood: column {}: {}", wrong.column, wrong.message);
    Problem::new(Severity::Error, ProblemKind::Refused, path, message)
        .found(if wrong.found.is_empty() { text } else { wrong.found.as_str() })
        .expected(wrong.expected.as_str())
}

/// Reads a log of a format that can be read in blocks; false where the source is no such log, or not
/// from its beginning to its end.
pub(crate) fn read_blocks(
    stream: &mut (dyn Read + Send),
    plan: Plan,
    sink: &mut Sink<'_>,
) -> Result<bool, StreamError> {
    let cutter = Cutter::new(stream, plan.block)?;
    let Some((spec, format)) = cutter.head().and_then(|head| block_reader(head, sink.options)) else {
        return Ok(false);
    };
    let Some(repairs) = parallel::read(cutter, format.as_ref(), plan, sink)? else { return Ok(false) };
    sink.recognised(spec.id);
    sink.problems(repairs);
    sink.check(sink.data.bytes)?;
    Ok(true)
}

/// The reader of the log that begins with this head, where it is one that reads in blocks.
fn block_reader(head: &[u8], options: &ReadOptions) -> Option<(&'static FormatSpec, Box<dyn BlockFormat>)> {
    let (confidence, document) = sniff(&utf8(head));
    let is_foreign = options.format.is_none() && document.is_none() && foreign::is_no_text(head);
    if is_wide(head) || confidence == Confidence::Certain || is_foreign {
        return None;
    }
    let lines = Lines::new(head);
    let mut scratch = Sink::new("", options, &Silent);
    let wanted = |reader: &dyn LineFormat| options.format.as_ref().is_none_or(|id| reader.spec().id == id);
    for format in FORMATS {
        let Format::Lines(reader) = format else { continue };
        if !wanted(*reader) {
            continue;
        }
        if let Some(blocks) = reader.blocks(&lines, options) {
            return Some((reader.spec(), blocks));
        }
        // One that is asked before and reads only whole files has the first word.
        match reader.claim(&lines, 0, &mut scratch) {
            Ok(None) => {}
            Ok(Some(_)) | Err(Cancelled) => return None,
        }
    }
    None
}

/// Reads a source by its content alone.
fn read_any(bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
    let document = utf8(bytes);
    let (confidence, reader) = sniff(&document);
    if let (Confidence::Certain, Some(reader)) = (confidence, reader) {
        return read_document(reader, bytes, &document, sink);
    }
    if reader.is_none() && foreign::is_no_text(bytes) {
        pass_over(sink, ProblemKind::Foreign, foreign::reason(bytes));
        return Ok(());
    }
    let formats = FORMATS.iter().filter_map(|format| match format {
        Format::Lines(reader) => Some(*reader),
        Format::Document(_) => None,
    });
    read_lines(bytes, &Offer::new(formats, sink.options), sink)?;
    if sink.data.formats.is_empty() {
        match reader {
            Some(reader) => read_document(reader, bytes, &document, sink)?,
            None => read_unclaimed(bytes, sink)?,
        }
    }
    Ok(())
}

/// A source that no format claims: its tables, if the user said or can say what their columns mean.
fn read_unclaimed(bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
    if foreign::is_known(bytes) || !read_tables(bytes, sink)? {
        pass_over(sink, ProblemKind::Foreign, foreign::reason(bytes));
    }
    Ok(())
}

/// Reads the tables of a text, or asks about them; says whether there are any.
fn read_tables(bytes: &[u8], sink: &mut Sink<'_>) -> Result<bool, Cancelled> {
    let lines = Lines::new(bytes);
    sink.data.lines = lines.physical();
    let any = tables::read_rest(&lines, sink)?;
    if !sink.data.formats.is_empty() {
        tell_repairs(lines.repairs(), sink);
    }
    Ok(any)
}

/// The surest reader of documents; of equal ones the first.
fn sniff(document: &[u8]) -> (Confidence, Option<&'static dyn DocumentFormat>) {
    let head = document.get(..HEAD_BYTES).unwrap_or(document);
    let mut best = (Confidence::No, None);
    for format in FORMATS {
        let Format::Document(reader) = format else { continue };
        let confidence = reader.sniff(head);
        if confidence > best.0 {
            best = (confidence, Some(*reader));
        }
    }
    best
}

/// Reads a source as the format that the user named; one that does not fit is an error.
fn read_as(id: &str, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
    let path = sink.data.path.clone();
    let Some(format) = FORMATS.iter().find(|format| format.spec().id == id) else {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.spec().id).collect();
        sink.data.error = Some(
            Problem::new(Severity::Error, ProblemKind::Refused, path, "there is no format of that name")
                .found(id)
                .expected(known.join(", ")),
        );
        return Ok(());
    };
    match format {
        Format::Lines(_) if id == tables::ID => {
            read_tables(bytes, sink)?;
        }
        Format::Lines(reader) => read_lines(bytes, &Offer::new([*reader], sink.options), sink)?,
        Format::Document(reader) => read_document(*reader, bytes, &utf8(bytes), sink)?,
    }
    if sink.data.formats.is_empty() && sink.data.error.is_none() && sink.data.skipped.is_none() {
        sink.data.error = Some(
            Problem::new(
                Severity::Error,
                ProblemKind::Foreign,
                path,
                "the file has nothing of the named format",
            )
            .found(foreign::what(bytes))
            .expected(format.spec().title)
            .next_step("leave the format out to let the content decide"),
        );
    }
    Ok(())
}

/// Reads a document, which is all of the source's bytes as UTF-8.
fn read_document(
    reader: &dyn DocumentFormat,
    bytes: &[u8],
    document: &[u8],
    sink: &mut Sink<'_>,
) -> Result<(), Cancelled> {
    sink.data.lines = count_lines(document);
    reader.read(document, sink)?;
    let mut place = Places::new(bytes, document);
    if !place.are_same() {
        sink.data.requests.place(|offset| place.of(offset));
        sink.data.runs.iter_mut().for_each(|run| run.offset = place.of(run.offset));
        sink.data.measurements.iter_mut().for_each(|row| row.offset = place.of(row.offset));
    }
    if sink.data.error.is_none() && sink.data.skipped.is_none() {
        sink.recognised(reader.spec().id);
    }
    Ok(())
}

fn count_lines(bytes: &[u8]) -> u64 {
    let feeds = bytes.iter().filter(|byte| **byte == b'\n').count();
    (feeds + usize::from(bytes.last().is_some_and(|byte| *byte != b'\n'))) as u64
}

/// Offers every line to its readers in turn; the first that claims it reads its whole block.
pub fn read_lines(bytes: &[u8], offer: &Offer<'_>, sink: &mut Sink<'_>) -> Result<(), Cancelled> {
    let lines = Lines::new(bytes);
    sink.data.lines = lines.physical();
    let (mut at, mut next_check) = (0, 0);
    while let Some(line) = lines.get(at) {
        if at >= next_check {
            sink.check(line.offset)?;
            next_check = at + LINES_PER_CHECK;
        }
        let offered = offer.of(&line, at);
        let mut end = None;
        for reader in offered.readers() {
            end = reader.claim(&lines, at, sink)?;
            if end.is_some() {
                sink.recognised(reader.spec().id);
                break;
            }
        }
        if end.is_none() {
            sink.outside(&line, offered.tells);
        }
        at = end.unwrap_or(at).max(at + 1);
    }
    if sink.data.formats.is_empty() {
        sink.data.program_output = 0;
    } else {
        tell_repairs(lines.repairs(), sink);
    }
    sink.check(sink.data.bytes)
}

fn tell_repairs(repairs: &[Repair], sink: &mut Sink<'_>) {
    let path = sink.data.path.clone();
    for repair in repairs {
        sink.problem(repair.problem(&path));
    }
}

fn pass_over(sink: &mut Sink<'_>, kind: ProblemKind, reason: String) {
    let path = sink.data.path.clone();
    sink.problem(Problem::new(Severity::Note, kind, path, reason.as_str()));
    sink.data.skipped = Some(reason);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn read(bytes: &[u8], format: Option<&str>) -> SourceData {
        let options = ReadOptions { format: format.map(str::to_owned), ..ReadOptions::default() };
        Readers.read("x", bytes, &options, &Silent).expect("nobody cancels")
    }

    #[test]
    fn formats_have_ids_of_their_own() {
        let mut ids: Vec<&str> = Readers.formats().iter().map(|spec| spec.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((ids.len(), ids.is_empty()), (count, false));
    }

    #[test]
    fn empty_and_foreign_files_are_passed_over_with_a_reason() {
        let data = read(b"", None);
        assert_eq!(data.skipped.as_deref(), Some("empty"));
        assert_eq!(data.problems[0].kind, ProblemKind::Empty);
        let data = read(b"# About\n\nsvn: E000111: nothing here\n", None);
        assert_eq!(data.problems.last().map(|problem| problem.kind), Some(ProblemKind::Foreign));
        assert!(data.skipped.is_some_and(|reason| reason.starts_with("no format claims it")));
        assert_eq!((data.program_output, data.not_understood, data.error), (0, 0, None));
    }

    #[test]
    fn a_named_format_must_fit() {
        let row = b"a / b\ncold 2s / 1s = 1.00 : 2.00\n";
        assert_eq!(read(row, Some("list-table")).measurements.len(), 4);
        let error = read(b"hello\n", Some("list-table")).error.expect("nothing of that format");
        assert_eq!((error.severity, error.kind), (Severity::Error, ProblemKind::Foreign));
        let error = read(row, Some("nonsense")).error.expect("no such format");
        assert_eq!((error.kind, error.found.as_deref()), (ProblemKind::Refused, Some("nonsense")));
        assert!(error.expected.is_some_and(|known| known.contains("list-table")));
    }

    #[test]
    fn every_format_reads_its_samples() {
        for spec in Readers.formats() {
            let folder = format!("{}/../../sample-data/{}", env!("CARGO_MANIFEST_DIR"), spec.samples);
            let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
            let mut count = 0;
            for file in files {
                let path = file.expect("a readable folder").path();
                let bytes = std::fs::read(&path).expect("a readable file");
                // What the user is asked about needs an answer.
                let answers = tables::propose(&bytes).iter().map(tables::FoundTable::meaning).collect();
                let tables = if spec.id == tables::ID { answers } else { Vec::new() };
                let options = ReadOptions { tables, ..ReadOptions::default() };
                let data = Readers.read("x", &bytes, &options, &Silent).expect("nobody cancels");
                assert_eq!((&data.error, &data.skipped), (&None, &None), "{}", path.display());
                // A failed run in a folder may show nothing but the times around it.
                count += usize::from(data.formats.contains(&spec.id));
            }
            assert!(count > 0, "{} reads none of its samples", spec.id);
        }
    }

    struct GiveUp(AtomicUsize);

    impl Progress for GiveUp {
        fn advance(&self, _done: u64, _total: u64) {}

        fn cancelled(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) >= 2
        }
    }

    #[test]
    fn a_long_source_can_be_given_up() {
        let bytes = b"nothing of note\n".repeat(20_000);
        let progress = GiveUp(AtomicUsize::new(0));
        assert!(Readers.read("x", &bytes, &ReadOptions::default(), &progress).is_err());
        assert_eq!(progress.0.load(Ordering::Relaxed), 3);
    }
}
