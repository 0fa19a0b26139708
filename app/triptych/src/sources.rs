//! Reads what a verb was given, and tells what is wrong with it; used by `import` and `table`.

use crate::failure::{Failure, Outcome};
use crate::output;
use clap::ArgMatches;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use triptych_import::{Readers, zone_offset};
use triptych_model::{Importer as _, Problem, ProblemKind, Problems, ReadOptions, Severity, TableMeaning};
use triptych_report::numbers::plural;
use triptych_store::{LoadOptions, PathArg, Source, Store, Unwatched, load};

/// What was read, with everything that has to be told about it.
pub struct Read {
    /// The sources with their runs.
    pub store: Store,
    /// All warnings and errors, in the order of the sources and their lines.
    pub problems: Vec<Problem>,
}

impl Read {
    /// Tells problems and skipped files on standard error, as compilers do.
    pub fn tell(&self) {
        for line in problem_lines(&self.problems) {
            output::tell(&line);
        }
        for line in skipped_lines(self.store.sources()) {
            output::tell(&line);
        }
    }

    /// Tells once that times were read in the local zone; for verbs that print times of the day.
    pub fn tell_zone(&self) {
        if let Some(line) = zone_line(self.store.sources()) {
            output::tell(&line);
        }
    }

    /// Tells where there are rows but no measurements, with the words by which the rows can be had.
    pub fn tell_other_rows(&self, by: &str) {
        if let Some(line) = other_rows_line(self.store.sources(), by) {
            output::tell(&line);
        }
    }

    /// Whether all that was named was accepted.
    pub fn outcome(&self, strict: bool) -> Outcome {
        let refused = self.problems.iter().any(|problem| problem.severity == Severity::Error)
            || self
                .store
                .sources()
                .iter()
                .any(|source| refused(source) || (strict && skipped(source).is_some()));
        if refused { Outcome::Refused } else { Outcome::Accepted }
    }
}

/// Reads the paths that a verb names, with its `--path`, `--format`, `--log-format` and `--zone`.
///
/// # Errors
/// A pattern, a LogFormat, a zone or the meaning of columns cannot be understood.
pub fn read(arguments: &ArgMatches) -> Result<Read, Failure> {
    let paths: Vec<PathArg> =
        arguments.get_many::<PathBuf>("paths").unwrap_or_default().map(|path| path_arg(path)).collect();
    let patterns: Vec<String> = strings(arguments, "pattern");
    for pattern in &patterns {
        Readers
            .match_path(pattern, "")
            .map_err(|error| Failure::Usage(format!("--path {pattern}: {error}")))?;
    }
    let log_format = strings(arguments, "log-format").into_iter().next();
    if let Some(text) = &log_format {
        Readers
            .check_log_format(text)
            .map_err(|error| Failure::Usage(format!("--log-format {text}: {error}")))?;
    }
    let options = LoadOptions {
        patterns,
        read: ReadOptions {
            format: strings(arguments, "format").into_iter().next(),
            log_format,
            zone_offset_secs: zone(arguments)?,
            tables: columns(arguments)?,
            ..ReadOptions::default()
        },
        ..LoadOptions::default()
    };
    let importer = Arc::new(Readers);
    let loaded = load(&paths, importer.as_ref(), &options, &Unwatched)
        .map_err(|cancelled| Failure::Failed(anyhow::Error::new(cancelled)))?;
    let mut store = Store::new(importer);
    store.add(loaded.sources);
    if let Some(workspace) = loaded.workspace {
        store.set_corrections(workspace.corrections);
    }
    let problems = in_order(&store, loaded.problems);
    Ok(Read { store, problems })
}

/// What `--zone` says.
fn zone(arguments: &ArgMatches) -> Result<Option<i32>, Failure> {
    let parse = |text: &String| {
        zone_offset(text).ok_or_else(|| {
            let expected = "expected an offset such as +01:00, or a name with one meaning such as UTC or CET";
            Failure::Usage(format!("--zone {text}: {expected}"))
        })
    };
    strings(arguments, "zone").first().map(parse).transpose()
}

/// What `--columns` says of tables, each time for another header.
fn columns(arguments: &ArgMatches) -> Result<Vec<TableMeaning>, Failure> {
    let parse = |text: &String| {
        TableMeaning::parse(text).map_err(|reason| Failure::Usage(format!("--columns {text}: {reason}")))
    };
    strings(arguments, "columns").iter().map(parse).collect()
}

/// All values of a repeatable option, none where the verb does not have it.
pub fn strings(arguments: &ArgMatches, name: &str) -> Vec<String> {
    arguments.try_get_many::<String>(name).ok().flatten().unwrap_or_default().cloned().collect()
}

/// The reason why a file of a folder was passed over; a *named* file is refused instead.
pub fn skipped(source: &Source) -> Option<&str> {
    source.data.skipped.as_deref().filter(|_| !source.named)
}

/// One line for each problem; of equal warnings the first ones, then how many more there are.
fn problem_lines(problems: &[Problem]) -> Vec<String> {
    let mut equal: Vec<(&str, u64)> = Vec::new();
    let mut lines = Vec::new();
    for problem in problems {
        if problem.severity == Severity::Warning {
            let place = equal.iter().position(|(message, _)| *message == problem.message);
            let place = place.unwrap_or_else(|| {
                equal.push((&problem.message, 0));
                equal.len() - 1
            });
            let Some((_, count)) = equal.get_mut(place) else { continue };
            *count += 1;
            if *count > Problems::SHOWN {
                continue;
            }
        }
        lines.push(problem.to_string());
    }
    let more = equal.iter().filter_map(|(message, count)| {
        let rest = count.checked_sub(Problems::SHOWN).filter(|rest| *rest > 0)?;
        Some(format!("triptych: {rest} more warnings like this: {message}"))
    });
    lines.extend(more);
    lines
}

/// One line for each reason, with the first file: a folder of logs has dozens of files passed over alike.
fn skipped_lines(sources: &[Source]) -> Vec<String> {
    let mut reasons: Vec<(&str, &str, usize)> = Vec::new();
    for (path, reason) in sources.iter().filter_map(|source| Some((source.path(), skipped(source)?))) {
        match reasons.iter_mut().find(|(_, known, _)| *known == reason) {
            Some((_, _, more)) => *more += 1,
            None => reasons.push((path, reason, 0)),
        }
    }
    let line = |(path, reason, more)| match more {
        0 => format!("{path}: skipped: {reason}"),
        more => format!("{path}: skipped: {reason}; {more} more like this"),
    };
    reasons.into_iter().map(line).collect()
}

/// One line for all sources whose times name no zone, as the readers noted it of each.
fn zone_line(sources: &[Source]) -> Option<String> {
    let notes: Vec<&Problem> = sources
        .iter()
        .filter_map(|source| {
            source.data.problems.iter().find(|problem| problem.kind == ProblemKind::ZoneAssumed)
        })
        .collect();
    // The readers know what the local zone is called: their sentence ends with it.
    let name = notes.first()?.message.rsplit_once(" (").filter(|(_, name)| name.ends_with(')'));
    let name = name.map(|(_, name)| format!(" ({name}")).unwrap_or_default();
    let logs = plural(notes.len(), "log names", "logs name");
    let whose = if notes.len() == 1 { "its" } else { "their" };
    Some(format!(
        "note: {logs} no time zone; {whose} times were read in the local zone{name}; --zone names another"
    ))
}

/// One line where there is no measurement at all, but rows of other frames.
fn other_rows_line(sources: &[Source], by: &str) -> Option<String> {
    let (mut measurements, mut requests, mut samples) = (0, 0, 0);
    for source in sources {
        measurements += source.data.measurements.len();
        requests += source.data.requests.len();
        samples += source.data.samples.len();
    }
    let there: Vec<(String, String)> = [(requests, "request", "requests"), (samples, "sample", "samples")]
        .into_iter()
        .filter(|(count, _, _)| *count > 0)
        .map(|(count, one, many)| (plural(count, one, many), format!("{by} {many}")))
        .collect();
    if measurements > 0 || there.is_empty() {
        return None;
    }
    let (rows, ways): (Vec<String>, Vec<String>) = there.into_iter().unzip();
    Some(format!("note: no measurements, but {}; take them by {}", rows.join(" and "), ways.join(" or ")))
}

/// The one reason why a source was refused.
pub fn refusal(source: &Source) -> Option<String> {
    let error = source.data.error.as_ref().map(Problem::sentence);
    error.or_else(|| source.data.skipped.clone().filter(|_| source.named))
}

fn refused(source: &Source) -> bool {
    refusal(source).is_some()
}

fn path_arg(path: &Path) -> PathArg {
    if path == Path::new("-") { PathArg::Stdin } else { PathArg::Path(path.to_owned()) }
}

/// Warnings and errors of workspaces first, then those of the sources in their order.
fn in_order(store: &Store, of_workspaces: Vec<Problem>) -> Vec<Problem> {
    let place = |path: &str| store.sources().iter().position(|source| source.path() == path);
    let mut problems = store.problems();
    for source in store.sources().iter().filter(|source| source.named) {
        if let Some(reason) = source.data.skipped.as_ref().filter(|_| source.data.error.is_none()) {
            problems.push(Problem::new(Severity::Error, ProblemKind::Refused, source.path(), reason));
        }
    }
    problems.extend(of_workspaces);
    problems.retain(|problem| problem.severity >= Severity::Warning);
    problems.sort_by_cached_key(|problem| (place(&problem.source), problem.line, problem.column));
    problems.dedup();
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::SourceData;

    #[test]
    fn equal_warnings_are_counted_after_a_while() {
        let problem = |severity, index: u32| {
            Problem::new(severity, ProblemKind::Pattern, format!("f{index}"), "fits none").at_line(index)
        };
        let mut problems: Vec<Problem> = (1..=30).map(|index| problem(Severity::Warning, index)).collect();
        problems.push(problem(Severity::Error, 31));
        let lines = problem_lines(&problems);
        assert_eq!(lines.len(), 22);
        assert_eq!(lines[19], "f20:20: warning: fits none");
        assert_eq!(lines[20], "f31:31: error: fits none", "an error is always told");
        assert_eq!(lines[21], "triptych: 10 more warnings like this: fits none");
    }

    #[test]
    fn assumed_zones_are_told_once() {
        let note = |message: &str| Problem::new(Severity::Note, ProblemKind::ZoneAssumed, "a", message);
        let source =
            |problems: Vec<Problem>| Source::of_data(SourceData { problems, ..SourceData::new("a") });
        let said = "the log names no time zone; its times were read in the local zone (Europe/Berlin)";
        assert_eq!(zone_line(&[source(Vec::new())]), None);
        let one = zone_line(&[source(Vec::new()), source(vec![note(said), note(said)])]);
        let expect = "note: 1 log names no time zone; its times were read in the local zone (Europe/Berlin); \
                      --zone names another";
        assert_eq!(one.as_deref(), Some(expect), "a log is one, however often it was noted");
        let many: Vec<Source> = (0..1069).map(|_| source(vec![note("no zone")])).collect();
        let expect = "note: 1,069 logs name no time zone; their times were read in the local zone; \
                      --zone names another";
        assert_eq!(zone_line(&many).as_deref(), Some(expect));
    }

    #[test]
    fn files_skipped_alike_are_told_once() {
        let source = |path: &str, reason: Option<&str>, named| Source {
            named,
            ..Source::of_data(SourceData { skipped: reason.map(str::to_owned), ..SourceData::new(path) })
        };
        let sources = [
            source("a", Some("empty"), false),
            source("b", None, false),
            source("c", Some("output of top"), false),
            source("d", Some("empty"), false),
            source("e", Some("empty"), true),
        ];
        let expect = ["a: skipped: empty; 1 more like this", "c: skipped: output of top"];
        assert_eq!(skipped_lines(&sources), expect, "what was named is refused, not skipped");
    }
}
