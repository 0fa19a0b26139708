//! What corrections would give, worked out in a job on a clone of the store: a row a file, counts,
//! problems and questions.

use crate::panels::kit::tail;
use std::collections::{BTreeMap, BTreeSet};
use triptych_import::{Pattern, aliases_applied};
use triptych_model::{Key, Origin, PathMatch, Problem, ProblemKind};
use triptych_report::numbers;
use triptych_store::{Campaign, Corrections, Query, RunView, Source, Store};

/// What a draft gives.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// One row a file, in the order of the store.
    pub rows: Vec<FileRow>,
    /// The pattern the paths were read by, and whether the user set it.
    pub pattern: Option<(String, Origin)>,
    /// Files that the pattern matches.
    pub matched: usize,
    /// A path under the pattern.
    pub example: Option<Example>,
    /// Runs of the files that count.
    pub runs: usize,
    /// Their measurements.
    pub measurements: usize,
    /// Samples of the files that count.
    pub samples: usize,
    /// Requests of the files that count.
    pub requests: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Problems of these files, equal ones together, worst first.
    pub problems: Vec<ProblemGroup>,
    /// Repositories by variant where no repository is common to the variants.
    pub apart: Vec<String>,
    /// Sources whose published times do not say what they are.
    pub times: Vec<String>,
    /// Access logs, and files below the directory that look like some in an unknown LogFormat.
    pub access: Vec<String>,
    /// The LogFormats by which they were read; none where the content decided.
    pub log_formats: BTreeSet<Option<String>>,
    /// Logs whose times name no zone.
    pub local: Vec<String>,
    /// The zones that the user gave for them, seconds east of Greenwich.
    pub zones: BTreeSet<Option<i32>>,
    /// Columns of the table, with the characters of their longest value.
    pub columns: Vec<(Key, usize)>,
}

/// One file.
#[derive(Clone, Debug)]
pub struct FileRow {
    /// The source's path.
    pub path: String,
    /// What of it is right of the campaign's directory.
    pub tail: String,
    /// Formats by their ids.
    pub format: String,
    /// Whether its rows count.
    pub included: bool,
    /// Ids of the runs its conditions belong to: its own, or those it was joined to.
    pub runs: Vec<String>,
    /// Its conditions.
    pub cells: BTreeMap<Key, Shown>,
    /// What was read: `11.713 s`, `155 samples`.
    pub read: String,
    /// Whether something is wrong with it.
    pub doubtful: bool,
    /// Whether no format claims it.
    pub skipped: bool,
}

/// A condition of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The value, or several of its runs in words.
    pub text: String,
    /// Where it was taken from.
    pub origin: Origin,
    /// Whether its runs have several values.
    pub several: bool,
}

/// A path with what the pattern found in it.
#[derive(Clone, Debug)]
pub struct Example {
    /// The path.
    pub path: String,
    /// What was found.
    pub found: PathMatch,
    /// `alias of tags_packed`, by key.
    pub aliases: BTreeMap<Key, String>,
}

/// Problems of one kind and message.
#[derive(Clone, Debug)]
pub struct ProblemGroup {
    /// The first of them.
    pub first: Problem,
    /// Paths of all files concerned.
    pub files: BTreeSet<String>,
}

/// Columns that are always there, for they are what people correct.
const ALWAYS: [Key; 7] =
    [Key::Operation, Key::Variant, Key::Repository, Key::Cache, Key::Repetition, Key::Medium, Key::Network];

/// Columns that are there where something is known.
const SOMETIMES: [Key; 5] = [Key::Threads, Key::Format, Key::Packed, Key::Build, Key::Host];

impl Outcome {
    /// Works the draft out. `paths` are the campaign's files, `root` its directory.
    pub fn of(mut store: Store, corrections: Corrections, root: &str, paths: &BTreeSet<String>) -> Self {
        store.set_corrections(corrections);
        let indices: Vec<u32> = (0u32..)
            .zip(store.sources())
            .filter(|(_, source)| paths.contains(source.path()))
            .map(|(index, _)| index)
            .collect();
        let mut outcome = Self::default();
        let by_source = runs_by_source(&store, &indices);
        for index in &indices {
            let Some(source) = store.sources().get(*index as usize) else { continue };
            let runs = by_source.get(index).map(Vec::as_slice).unwrap_or_default();
            outcome.count(&store, source);
            outcome.rows.push(file_row(&store, source, root, *index, runs));
        }
        let yours = store.corrections().patterns.get(root).map(|pattern| (pattern.clone(), Origin::Yours));
        outcome.pattern =
            yours.or_else(|| campaign_of(&store, &indices).and_then(|campaign| campaign.pattern));
        outcome.find_access_logs(&store, root, paths);
        outcome.find_local_times(&store, paths);
        outcome.match_paths();
        outcome.problems = problems(&store, paths);
        outcome.apart = apart(&by_source);
        outcome.columns = columns(&outcome.rows);
        outcome
    }

    fn count(&mut self, store: &Store, source: &Source) {
        let data = &source.data;
        self.bytes += source.bytes();
        if data.measurements.iter().any(|value| value.metric == "time") {
            self.times.push(source.path().to_owned());
        }
        if !store.corrections().excluded.contains(source.path()) {
            self.runs += data.runs.len();
            self.measurements += data.measurements.len();
            self.samples += data.samples.len();
            self.requests += data.requests.len();
        }
    }

    fn find_access_logs(&mut self, store: &Store, root: &str, paths: &BTreeSet<String>) {
        for source in store.sources() {
            let read = paths.contains(source.path()) && source.data.formats.contains(&"httpd");
            let refused = source.path().starts_with(root)
                && source
                    .data
                    .skipped
                    .as_deref()
                    .is_some_and(|reason| reason.contains("give the server's LogFormat"));
            if read || refused {
                self.access.push(source.path().to_owned());
                self.log_formats.insert(source.read.log_format.clone());
            }
        }
    }

    fn find_local_times(&mut self, store: &Store, paths: &BTreeSet<String>) {
        for source in store.sources().iter().filter(|source| paths.contains(source.path())) {
            let given = source.read.zone_offset_secs;
            let assumed = |problem: &Problem| problem.kind == ProblemKind::ZoneAssumed;
            if given.is_some() || source.data.problems.iter().any(assumed) {
                self.local.push(source.path().to_owned());
                self.zones.insert(given);
            }
        }
    }

    /// Counts what the pattern matches and takes the first path with most conditions as the example.
    fn match_paths(&mut self) {
        let Some((text, _)) = &self.pattern else { return };
        let Ok(pattern) = Pattern::parse(text) else { return };
        for row in &self.rows {
            let Some(found) = pattern.matches(&row.path) else { continue };
            self.matched += 1;
            let better = |known: &Example| known.found.spans.len() < found.spans.len();
            if !row.skipped && self.example.as_ref().is_none_or(better) {
                let aliases = aliases_applied(&found, &row.path);
                let aliases = aliases.into_iter().map(|alias| (alias.key, alias.printed)).collect();
                self.example = Some(Example { path: row.path.clone(), found, aliases });
            }
        }
    }
}

/// The runs of each source; of a companion those it was joined to.
fn runs_by_source(store: &Store, indices: &[u32]) -> BTreeMap<u32, Vec<RunView>> {
    let wanted: BTreeSet<u32> = indices.iter().copied().collect();
    let mut by_source: BTreeMap<u32, Vec<RunView>> = BTreeMap::new();
    for view in store.runs(&Query::default()).into_iter().filter_map(|run| store.run(run)) {
        for companion in view
            .companions
            .iter()
            .filter(|companion| wanted.contains(companion) && **companion != view.source)
        {
            by_source.entry(*companion).or_default().push(view.clone());
        }
        if wanted.contains(&view.source) {
            by_source.entry(view.source).or_default().push(view);
        }
    }
    by_source
}

fn campaign_of(store: &Store, indices: &[u32]) -> Option<Campaign> {
    let first = indices.first()?;
    store.campaigns().into_iter().find(|campaign| campaign.sources.contains(first))
}

fn file_row(store: &Store, source: &Source, root: &str, index: u32, runs: &[RunView]) -> FileRow {
    let data = &source.data;
    let mut cells = BTreeMap::new();
    for key in ALWAYS.into_iter().chain(SOMETIMES) {
        let mut values: Vec<(&str, Origin)> = Vec::new();
        for (value, origin) in runs.iter().filter_map(|run| run.conditions.get(&key)) {
            if !values.iter().any(|(known, _)| known == value) {
                values.push((value, *origin));
            }
        }
        if let Some((_, origin)) = values.first() {
            let text = if values.len() > 3 {
                format!("{} values", values.len())
            } else {
                values.iter().map(|(value, _)| *value).collect::<Vec<_>>().join(", ")
            };
            cells.insert(key, Shown { text, origin: *origin, several: values.len() > 1 });
        }
    }
    FileRow {
        path: source.path().to_owned(),
        tail: tail(source.path(), root).to_owned(),
        format: data.formats.join(", "),
        included: !store.corrections().excluded.contains(source.path()),
        runs: runs.iter().map(|run| run.id.clone()).collect(),
        cells,
        read: read(source, index, runs),
        doubtful: data.error.is_some() || data.warnings() > 0 || !data.has_rows() && data.skipped.is_none(),
        skipped: data.skipped.is_some(),
    }
}

/// What a file gave, in few words.
fn read(source: &Source, index: u32, runs: &[RunView]) -> String {
    let data = &source.data;
    if data.error.is_some() {
        return "not read".to_owned();
    }
    let own = |run: &&RunView| run.source == index;
    match (data.runs.len(), data.samples.len(), data.requests.len()) {
        (0, 0, 0) if data.skipped.is_some() => "skipped".to_owned(),
        (0, 0, 0) => "nothing".to_owned(),
        (0, 0, requests) => numbers::plural(requests, "request", "requests"),
        (0, samples, _) => numbers::plural(samples, "sample", "samples"),
        (1, ..) => runs
            .iter()
            .find(own)
            .and_then(|run| {
                if run.failure.is_some() {
                    return Some("failed".to_owned());
                }
                let names = triptych_model::TABLE_METRICS.iter().chain(&["duration"]);
                let value =
                    names.filter_map(|name| run.values.iter().find(|value| value.metric == *name)).next()?;
                Some(numbers::with_unit(value.value?, value.unit))
            })
            .unwrap_or_else(|| "1 run".to_owned()),
        (many, ..) => numbers::plural(many, "run", "runs"),
    }
}

fn problems(store: &Store, paths: &BTreeSet<String>) -> Vec<ProblemGroup> {
    let mut groups: Vec<ProblemGroup> = Vec::new();
    for problem in store.problems().into_iter().filter(|problem| paths.contains(&problem.source)) {
        let same = |group: &&mut ProblemGroup| {
            group.first.kind == problem.kind && group.first.message == problem.message
        };
        match groups.iter_mut().find(same) {
            Some(group) => {
                group.files.insert(problem.source);
            }
            None => {
                groups.push(ProblemGroup { files: BTreeSet::from([problem.source.clone()]), first: problem });
            }
        }
    }
    groups
}

/// The repositories, where the variants have none in common.
fn apart(by_source: &BTreeMap<u32, Vec<RunView>>) -> Vec<String> {
    let mut by_variant: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for run in by_source.values().flatten() {
        let value = |key| run.conditions.get(&key).map(|(value, _)| value.as_str());
        if let (Some(variant), Some(repository)) = (value(Key::Variant), value(Key::Repository)) {
            by_variant.entry(variant).or_default().insert(repository);
        }
    }
    let mut sets = by_variant.values();
    let Some(first) = sets.next() else { return Vec::new() };
    let common = sets.clone().fold(first.clone(), |common, set| common.intersection(set).copied().collect());
    if by_variant.len() < 2 || !common.is_empty() {
        return Vec::new();
    }
    let all: BTreeSet<&str> = by_variant.values().flatten().copied().collect();
    all.into_iter().map(str::to_owned).collect()
}

fn columns(rows: &[FileRow]) -> Vec<(Key, usize)> {
    let longest = |key: Key| {
        rows.iter().filter_map(|row| row.cells.get(&key)).map(|shown| shown.text.chars().count()).max()
    };
    let always = ALWAYS.into_iter().map(|key| (key, longest(key).unwrap_or(0)));
    let sometimes = SOMETIMES.into_iter().filter_map(|key| Some((key, longest(key)?)));
    always.chain(sometimes).collect()
}
