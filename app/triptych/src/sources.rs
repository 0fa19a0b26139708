//! Reads what a verb was given, and tells what is wrong with it; used by `import` and `table`.

use crate::failure::{Failure, Outcome};
use crate::output;
use clap::ArgMatches;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use triptych_import::Readers;
use triptych_model::{Importer as _, Problem, ProblemKind, ReadOptions, Severity};
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
        for problem in &self.problems {
            output::tell(problem);
        }
        for source in self.store.sources() {
            if let Some(reason) = skipped(source) {
                output::tell(&format_args!("{}: skipped: {reason}", source.path()));
            }
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

/// Reads the paths that a verb names, with its `--path` and `--format`.
///
/// # Errors
/// A pattern cannot be understood.
pub fn read(arguments: &ArgMatches) -> Result<Read, Failure> {
    let paths: Vec<PathArg> =
        arguments.get_many::<PathBuf>("paths").unwrap_or_default().map(|path| path_arg(path)).collect();
    let patterns: Vec<String> = strings(arguments, "pattern");
    for pattern in &patterns {
        Readers
            .match_path(pattern, "")
            .map_err(|error| Failure::Usage(format!("--path {pattern}: {error}")))?;
    }
    let options = LoadOptions {
        patterns,
        read: ReadOptions {
            format: strings(arguments, "format").into_iter().next(),
            ..ReadOptions::default()
        },
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

/// All values of a repeatable option, none where the verb does not have it.
pub fn strings(arguments: &ArgMatches, name: &str) -> Vec<String> {
    arguments.try_get_many::<String>(name).ok().flatten().unwrap_or_default().cloned().collect()
}

/// The reason why a file of a folder was passed over; a *named* file is refused instead.
pub fn skipped(source: &Source) -> Option<&str> {
    source.data.skipped.as_deref().filter(|_| !source.named)
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
