//! The driver: which format reads which lines of a source.

use crate::format::Format;
use crate::formats::FORMATS;
use crate::sink::Sink;
use crate::text::Lines;
use triptych_model::{
    Cancelled, FormatSpec, Importer, PathMatch, PatternError, Progress, ReadOptions, SourceData,
    SuggestedPattern,
};

/// All readers, as the store sees them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Readers;

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
        let lines = Lines::new(bytes);
        sink.data.lines = lines.len() as u64;
        let mut at = 0;
        'lines: while let Some(line) = lines.get(at) {
            for format in FORMATS {
                let Format::Lines(reader) = format else { continue };
                if let Some(end) = reader.claim(&lines, at, &mut sink)? {
                    sink.recognised(reader.spec().id);
                    at = end.max(at + 1);
                    continue 'lines;
                }
            }
            sink.outside(&line);
            at += 1;
        }
        Ok(sink.finish())
    }

    fn match_path(&self, pattern: &str, path: &str) -> Result<Option<PathMatch>, PatternError> {
        crate::paths::match_path(pattern, path)
    }

    fn suggest_patterns(&self, paths: &[&str]) -> Vec<SuggestedPattern> {
        crate::paths::suggest_patterns(paths)
    }

    fn request_arguments(&self, _line: &str) -> Option<String> {
        None
    }
}
