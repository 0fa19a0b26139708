//! The progress of `svnadmin verify` and `svnadmin dump`: how many revisions, and what was corrupt.
//!
//! It holds no times; a block of times behind it joins its run.

use crate::format::LineFormat;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use crate::transcript::is_failure;
use triptych_model::{Cancelled, FormatSpec, Process, Quality, Unit};

/// The row of [`crate::FORMATS`].
pub static SVNADMIN_VERIFY: SvnadminVerify = SvnadminVerify;

static SPEC: FormatSpec = FormatSpec {
    id: "svnadmin-verify",
    title: "svnadmin progress",
    help: "revisions and errors that svnadmin verify or dump reported",
    extensions: &["txt", "log"],
    samples: "svnadmin-verify",
};

/// The reader.
pub struct SvnadminVerify;

/// What a line of progress says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A revision was verified.
    Verified,
    /// A revision was dumped.
    Dumped,
    /// Work on metadata began.
    Begun,
    /// A revision or the metadata is corrupt.
    Corrupt,
    /// svnadmin's own words, a part of its summary.
    Words,
}

/// Texts behind `* `, in the languages of Subversion; `#` is the revision.
const STEPS: &[(Step, &[&str])] = &[
    (
        Step::Verified,
        &[
            "Verified revision #.",
            "Revision # verifiziert.",
            "Revisión # verificada.",
            "Révision # vérifiée.",
            "Verificato la revisione #.",
            "リビジョン # を検証しました。",
            "검토된 리비전 #.",
            "Kontrollerte revisjon #.",
            "Zweryfikowano wersję #.",
            "Verificada revisão #.",
            "Verifierade revision #.",
            "已校验版本 #。",
        ],
    ),
    (
        Step::Dumped,
        &[
            "Dumped revision #.",
            "Revision # ausgegeben.",
            "Revisión # volcada.",
            "Révision # déchargée.",
            "Scaricato la revisione #.",
            "リビジョン # をダンプしました。",
            "덤프된 리비전 #.",
            "Dumpet revisjon #.",
            "Wykonano zrzut wersji #.",
            "Extraída revisão #.",
            "Dumpade revision #.",
            "已转存版本 #。",
        ],
    ),
    (
        Step::Begun,
        &[
            "Verifying metadata at revision # ...",
            "Verifying repository metadata ...",
            "Überprüfe Metadaten der Revision # ...",
            "Überprüfe Metadaten des Projektarchivs ...",
            "Kontrollerar metadata i revision #...",
            "Kontrollerar arkivmetadata...",
        ],
    ),
    (
        Step::Corrupt,
        &[
            "Error verifying revision #.",
            "Error verifying repository metadata.",
            "Fehler bei der Verifikation der Revision #.",
            "Fehler bei der Verifikation der Metadaten des Projektarchivs.",
            "Fel vid kontroll av revision #.",
            "Fel vid kontroll av arkivmetadata.",
        ],
    ),
];

const SUMMARY: &str = "-----Summary of corrupt revisions-----";

/// What a block says in the end.
#[derive(Default)]
struct Found<'a> {
    done: u64,
    last: Option<Line<'a>>,
    corrupt: u64,
    last_corrupt: Option<Line<'a>>,
    dumped: bool,
    failure: Option<&'a str>,
}

impl LineFormat for SvnadminVerify {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        const CHECK_EVERY: usize = 4096;
        let Some(first) = lines.get(at) else { return Ok(None) };
        if !first.text.starts_with("* ") || step(first.text).is_none_or(|step| step == Step::Words) {
            return Ok(None);
        }
        let mut found = Found::default();
        let mut end = at;
        while let Some(line) = lines.get(end) {
            let blank_before_summary =
                line.text.is_empty() && lines.get(end + 1).is_some_and(|next| next.text.trim() == SUMMARY);
            match step(line.text) {
                Some(step) => found.take(step, line),
                None if blank_before_summary => {}
                None => break,
            }
            end += 1;
            if end.is_multiple_of(CHECK_EVERY) {
                sink.check(line.offset)?;
            }
        }
        write(&found, &first, sink);
        Ok(Some(end))
    }
}

impl<'a> Found<'a> {
    fn take(&mut self, step: Step, line: Line<'a>) {
        match step {
            Step::Verified | Step::Dumped => {
                self.done += 1;
                self.last = Some(line);
                self.dumped |= step == Step::Dumped;
            }
            Step::Corrupt => {
                self.corrupt += 1;
                self.last_corrupt = Some(line);
            }
            Step::Words if self.failure.is_none() && is_failure(line.text.trim()) => {
                self.failure = Some(line.text.trim());
            }
            Step::Begun | Step::Words => {}
        }
    }
}

fn step(text: &str) -> Option<Step> {
    let text = text.trim_end();
    if let Some(rest) = text.strip_prefix("* ") {
        return STEPS
            .iter()
            .find(|(_, patterns)| patterns.iter().any(|pattern| fits(rest, pattern)))
            .map(|(step, _)| *step);
    }
    let is_words = text.starts_with("svnadmin") && text.contains(": ");
    let is_summary = text == SUMMARY || text.strip_prefix("    r").is_some_and(|rest| rest.contains(": E"));
    (is_words || is_summary).then_some(Step::Words)
}

/// Whether the text is the pattern with a number in the place of `#`.
fn fits(text: &str, pattern: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('#') else { return text == pattern };
    text.strip_prefix(head)
        .and_then(|rest| rest.strip_suffix(tail))
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

#[expect(clippy::cast_precision_loss, reason = "no repository has 2^53 revisions")]
fn write(found: &Found<'_>, first: &Line<'_>, sink: &mut Sink<'_>) {
    let run = sink.start_run((first.number, first.offset));
    sink.suggest_operation(run, if found.dumped { "dump" } else { "verify" });
    let mut count = |metric: &str, count: u64, line: &Line<'_>| {
        let at = (line.number, line.offset);
        let mut row =
            measured(run, at, Process::Client, metric, Unit::Count, Some(count as f64), line.text.trim());
        row.quality = Quality::COMPUTED;
        sink.measure(row);
    };
    count("revisions", found.done, found.last.as_ref().unwrap_or(first));
    if let Some(line) = &found.last_corrupt {
        count("errors", found.corrupt, line);
    }
    if let Some(reason) = found.failure.or_else(|| found.last_corrupt.map(|line| line.text.trim())) {
        sink.fail(reason, None);
    }
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{read, sample, values};
    use triptych_model::{Key, Quality};

    #[test]
    fn genuine_outputs() {
        let corrupt_item = "svnadmin: E160004: Checksum mismatch in item at offset 0 of length 46 bytes in file bad/db/revs/0/3";
        for (path, expect, failure) in [
            ("verify.txt", &["revisions=161"][..], None),
            ("verify-bad.txt", &["revisions=01", "errors=11"], Some(corrupt_item)),
            ("verify-bad-kg.txt", &["revisions=131", "errors=41"], Some(corrupt_item)),
            (
                "verify-corrupt.txt",
                &["revisions=171", "errors=11", "real=0.067s", "user=0.055s", "sys=0.012s"],
                Some(
                    "svnadmin: E160004: Corrupt representation '2007 2896 972 972 870fd9ac1627b45e990971a3ae1d1730'",
                ),
            ),
        ] {
            let data = sample(&format!("svnadmin-verify/{path}"));
            assert_eq!(data.runs.len(), 1, "{path}");
            assert_eq!(values(&data, 0), expect, "{path}");
            assert_eq!(data.runs[0].failure.as_deref(), failure, "{path}");
            assert_eq!(data.runs[0].quality.has(Quality::FAILED), failure.is_some(), "{path}");
            assert_eq!(data.runs[0].content.get(Key::Operation), Some("verify"), "{path}");
            assert_eq!((data.warnings(), data.program_output), (0, 0), "{path}");
        }
    }

    #[test]
    fn progress_in_other_languages() {
        for (text, expect) in [
            (
                "* Überprüfe Metadaten des Projektarchivs ...\n* Revision 0 verifiziert.\n* Revision 1 verifiziert.\n",
                "revisions=21",
            ),
            ("* Révision 7 vérifiée.\n", "revisions=11"),
            ("* 已校验版本 7。\n", "revisions=11"),
            ("* Dumped revision 0.\n* Dumped revision 1.\n* Dumped revision 2.\n", "revisions=31"),
        ] {
            assert_eq!(values(&read(text), 0), [expect], "{text}");
        }
        assert_eq!(read("* Dumped revision 0.\n").runs[0].content.get(Key::Operation), Some("dump"));
        let german = read("* Fehler bei der Verifikation der Revision 3.\n");
        assert_eq!(german.runs[0].failure.as_deref(), Some("* Fehler bei der Verifikation der Revision 3."));
    }

    #[test]
    fn lists_of_other_programs_are_left() {
        for text in
            ["* ra_svn : Module for accessing a repository\n", "* item 3.\n", "svnadmin: E160004: x\n"]
        {
            assert_eq!(read(text).runs, [], "{text}");
        }
    }

    #[test]
    fn an_error_behind_the_progress_fails_the_run() {
        let data =
            read("* Verified revision 0.\n\nsvnadmin: E200015: Caught signal\n\nreal 1\nuser 0\nsys 0\n");
        assert_eq!(data.runs.len(), 1);
        assert_eq!(data.runs[0].failure.as_deref(), Some("svnadmin: E200015: Caught signal"));
    }
}
