//! One type for everything that went wrong or looks wrong, shown alike by verbs, JSON and window.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is doubtful.
    Note,
    /// Something was read, but is doubtful or incomplete.
    Warning,
    /// Something could not be read.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// What kind of problem it is; equal kinds of one source are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// The file could not be opened or read.
    Unreadable,
    /// The file has no content.
    Empty,
    /// No format claims the file.
    Foreign,
    /// A format claims the file and refuses it by name.
    Refused,
    /// A line inside a recognised block does not follow its grammar.
    Malformed,
    /// A record ends too early.
    Cut,
    /// Printed figures contradict each other.
    Inconsistent,
    /// A load log has a header and no sample.
    NoSamples,
    /// The bytes are not the encoding they claim to be.
    Encoding,
    /// A time has no zone; one was assumed.
    ZoneAssumed,
    /// A companion file was joined to its run by guess, or to none.
    Companion,
    /// The path does not fit the pattern.
    Pattern,
    /// The source changed since it was read.
    Changed,
    /// The workspace could not be read or written.
    Workspace,
    /// Variants share no repository.
    Alias,
    /// Only the user can say what a table's columns mean.
    Asked,
    /// Anything else.
    Other,
}

/// One problem: what happened, where, what was expected, what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What kind it is.
    pub kind: ProblemKind,
    /// The source's path as given; empty where no source is concerned.
    pub source: String,
    /// Physical line, from 1.
    pub line: Option<u32>,
    /// Column in characters, from 1.
    pub column: Option<u32>,
    /// What happened, one sentence without a full stop.
    pub message: String,
    /// The text that was found, if that helps.
    pub found: Option<String>,
    /// What was expected there.
    pub expected: Option<String>,
    /// What the user can do next.
    pub next_step: Option<String>,
}

impl Problem {
    /// A problem with only its message; the other facts are added by the methods below.
    pub fn new(
        severity: Severity,
        kind: ProblemKind,
        source: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity,
            kind,
            source: source.into(),
            line: None,
            column: None,
            message: message.into(),
            found: None,
            expected: None,
            next_step: None,
        }
    }

    /// Adds the physical line, from 1.
    #[must_use]
    pub fn at_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    /// Adds the column in characters, from 1.
    #[must_use]
    pub fn at_column(mut self, column: u32) -> Self {
        self.column = Some(column);
        self
    }

    /// Adds what was found.
    #[must_use]
    pub fn found(mut self, text: impl Into<String>) -> Self {
        self.found = Some(text.into());
        self
    }

    /// Adds what was expected.
    #[must_use]
    pub fn expected(mut self, text: impl Into<String>) -> Self {
        self.expected = Some(text.into());
        self
    }

    /// Adds what to do next.
    #[must_use]
    pub fn next_step(mut self, text: impl Into<String>) -> Self {
        self.next_step = Some(text.into());
        self
    }

    /// The message with what was found and expected, without the place.
    pub fn sentence(&self) -> String {
        let mut text = self.message.clone();
        if let Some(found) = &self.found {
            text.push_str(&format!(", found {found:?}"));
        }
        if let Some(expected) = &self.expected {
            text.push_str(&format!(", expected {expected}"));
        }
        if let Some(next) = &self.next_step {
            text.push_str(&format!("; {next}"));
        }
        text
    }

    /// The place as `path:line:column`, as far as it is known.
    pub fn place(&self) -> String {
        let mut text = self.source.clone();
        for part in [self.line, self.column].into_iter().flatten() {
            text.push_str(&format!(":{part}"));
        }
        text
    }
}

/// `path:line:column: warning: message`, as compilers write it and editors read it.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.source.is_empty() {
            write!(f, "{}: ", self.place())?;
        }
        write!(f, "{}: {}", self.severity, self.sentence())
    }
}

/// Behind the number of equal problems that are not shown.
const MORE: &str = " more like this";

/// Collects the problems of one source; equal ones are kept 20 times and then only counted.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    kept: Vec<Problem>,
    seen: BTreeMap<(ProblemKind, String), u64>,
}

impl Problems {
    /// How often an equal problem is kept before it is only counted.
    pub const SHOWN: u64 = 20;

    /// Adds a problem. Equal means the same kind and message, wherever it stands.
    pub fn push(&mut self, problem: Problem) {
        let count = self.seen.entry((problem.kind, problem.message.clone())).or_default();
        *count += 1;
        if *count <= Self::SHOWN {
            self.kept.push(problem);
        }
    }

    /// Adds the problems of a later part of the source, which counted its lines from its own beginning;
    /// the same as pushing them all.
    pub fn append(&mut self, part: Self, lines: u32) {
        let mut uncounted = part.seen;
        for mut problem in part.kept {
            if let Some(count) = uncounted.get_mut(&(problem.kind, problem.message.clone())) {
                *count -= 1;
            }
            problem.line = problem.line.map(|line| line.saturating_add(lines));
            self.push(problem);
        }
        for (key, count) in uncounted.into_iter().filter(|(_, count)| *count > 0) {
            *self.seen.entry(key).or_default() += count;
        }
    }

    /// What [`Self::finish`] told of the source so far, to go on from: the counts go on as well.
    pub fn resume(told: Vec<Problem>) -> Self {
        let mut all = Self::default();
        for problem in told {
            let counted = problem.message.strip_suffix(MORE).and_then(|text| {
                let (message, more) = text.rsplit_once(": ")?;
                Some(((problem.kind, message.to_owned()), more.parse::<u64>().ok()?))
            });
            match counted.and_then(|(key, more)| Some((all.seen.get_mut(&key)?, more))) {
                Some((count, more)) => *count += more,
                None => all.push(problem),
            }
        }
        all
    }

    /// The problems kept, followed by a line for each kind that was cut short.
    pub fn finish(self, source: &str) -> Vec<Problem> {
        let mut all = self.kept;
        for ((kind, message), count) in self.seen {
            if count > Self::SHOWN {
                let more = count - Self::SHOWN;
                let severity = all
                    .iter()
                    .find(|problem| problem.kind == kind && problem.message == message)
                    .map_or(Severity::Warning, |problem| problem.severity);
                all.push(Problem::new(severity, kind, source, format!("{message}: {more}{MORE}")));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_like_a_compiler() {
        let problem =
            Problem::new(Severity::Warning, ProblemKind::Malformed, "a/b.log", "unreadable duration")
                .at_line(3)
                .at_column(9)
                .found("0mXs")
                .expected("minutes and seconds such as 0m1.234s");
        assert_eq!(
            problem.to_string(),
            "a/b.log:3:9: warning: unreadable duration, found \"0mXs\", expected minutes and seconds such as 0m1.234s"
        );
    }

    #[test]
    fn parts_of_a_source_count_as_the_whole() {
        let problem = |line: u32, at: u32| {
            let message = if line.is_multiple_of(3) { "cut" } else { "odd" };
            Problem::new(Severity::Warning, ProblemKind::Cut, "x", message).at_line(at)
        };
        for cut in [0, 1, 19, 31, 60] {
            let mut all: [Problems; 3] = Default::default();
            for line in 1..=60 {
                let (part, before) = if line <= cut { (1, 0) } else { (2, cut) };
                all[0].push(problem(line, line));
                all[part].push(problem(line, line - before));
            }
            let [whole, mut first, second] = all;
            first.append(second, cut);
            assert_eq!(first.finish("x"), whole.finish("x"), "{cut}");
        }
    }

    #[test]
    fn what_was_told_is_counted_on() {
        let problem = |line: u32| {
            let message = if line.is_multiple_of(3) { "cut" } else { "odd: 7 more like this" };
            Problem::new(Severity::Warning, ProblemKind::Cut, "x", message).at_line(line)
        };
        let mut whole = Problems::default();
        let mut told = Vec::new();
        for line in 1..=90 {
            whole.push(problem(line));
            let mut resumed = Problems::resume(told);
            resumed.push(problem(line));
            told = resumed.finish("x");
        }
        assert_eq!(told, whole.finish("x"));
    }

    #[test]
    fn equal_problems_are_shown_twenty_times_then_counted() {
        let mut problems = Problems::default();
        for line in 1..=50 {
            problems.push(Problem::new(Severity::Warning, ProblemKind::Cut, "x", "cut").at_line(line));
        }
        let all = problems.finish("x");
        assert_eq!(all.len(), 21);
        assert_eq!(all.last().map(|problem| problem.message.as_str()), Some("cut: 30 more like this"));
    }
}
