//! Load logs and server logs join the run they were taken beside.
//!
//! `rep1-run1.pidstat-svnserve.txt` belongs to `rep1-run1.txt` by its name; `svnserve-rep1.log` holds
//! two runs and is split by time, or by the order of its sessions where no time is known (quality
//! `run-guessed`); so is `vmstat.txt`, which saw all runs of its folder. What belongs to no run makes one
//! of its own, so that it can be charted.

use crate::packed::plain_name;
use crate::patterns::{directory, file_name};
use crate::resolve::{Resolver, number};
use crate::splits::{self, Window};
use crate::{RunIndex, archive, cpu};
use std::collections::{BTreeMap, HashMap};
use triptych_model::{Clock, Key, Problem, ProblemKind, Requests, Severity, SourceData, natural_cmp};

/// Which run each request of a source belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) enum RequestRuns {
    /// None is known.
    #[default]
    None,
    /// All belong to one run.
    All(RunIndex),
    /// One run or [`NO_RUN`] a row.
    Each {
        runs: Vec<RunIndex>,
        /// Whether the order decided.
        guessed: bool,
    },
}

/// Stands for "belongs to no run" in [`RequestRuns::Each`].
pub(crate) const NO_RUN: RunIndex = RunIndex::MAX;

impl RequestRuns {
    /// The run of a row, and whether it was guessed.
    pub(crate) fn of(&self, row: usize) -> (Option<RunIndex>, bool) {
        match self {
            Self::None => (None, false),
            Self::All(run) => (Some(*run), false),
            Self::Each { runs, guessed } => {
                let run = runs.get(row).copied().filter(|run| *run != NO_RUN);
                (run, *guessed && run.is_some())
            }
        }
    }
}

/// Load logs print whole seconds; a request just outside a window still belongs to it.
const SLACK_MICROS: i64 = 1_500_000;

/// Joins all sources; those without a run get one at the end of the list.
pub(crate) fn join(resolver: &mut Resolver<'_>) {
    let sources = resolver.sources;
    resolver.out.series_runs = sources.iter().map(|source| vec![None; source.data.series.len()]).collect();
    resolver.out.series_spans = sources.iter().map(|source| series_spans(&source.data)).collect();
    resolver.out.requests = vec![RequestRuns::None; sources.len()];
    resolver.out.parts = vec![Vec::new(); sources.len()];
    let own = own_runs(resolver);
    join_own(resolver, &own);
    let by_directory = by_directory(resolver);
    let mut candidates: BTreeMap<usize, Near> = BTreeMap::new();
    let mut spans: HashMap<u32, Vec<Span>> = HashMap::new();
    for (index, source) in sources.iter().enumerate() {
        let data = &source.data;
        if own[index].is_empty() && data.has_rows() && !resolver.excluded(source) {
            if let Some(log) = resolver.homes[index].filter(|_| archive::is_raw_log(source.path())) {
                let spans = spans.entry(log).or_insert_with(|| spans_of(resolver, &own[log as usize]));
                join_kept(resolver, index, spans);
                continue;
            }
            let near = by_directory.get(directory(source.path())).map_or(&[][..], Vec::as_slice);
            candidates.insert(index, narrow(resolver, index, near));
        }
    }
    let with_samples = || candidates.iter().filter(|(index, _)| !sources[**index].data.samples.is_empty());
    for (index, near) in with_samples().filter(|(_, near)| near.is_sure()) {
        join_samples(resolver, *index, &near.runs);
    }
    // What is parted by time needs the times of runs, which may be those of logs joined by name.
    let with_windows = |near: &Near| near.windows(resolver);
    let windows: Vec<_> = with_samples()
        .filter(|(_, near)| !near.is_sure())
        .map(|(index, near)| (*index, near, with_windows(near)))
        .collect();
    for (index, near, windows) in windows {
        if !part_by_time(resolver, index, &windows) {
            join_samples(resolver, index, &near.runs);
        }
    }
    // Requests are split by the time of the load logs, which must be there before.
    for (index, near) in candidates.iter().filter(|(index, _)| !sources[**index].data.requests.is_empty()) {
        join_requests(resolver, *index, &near.runs);
    }
}

fn series_spans(data: &SourceData) -> Vec<std::ops::Range<u32>> {
    let mut spans = vec![0..0; data.series.len()];
    for (at, sample) in data.samples.iter().enumerate() {
        if let Some(span) = spans.get_mut(sample.series as usize) {
            if span.end == 0 {
                span.start = number(at);
            }
            span.end = number(at + 1);
        }
    }
    spans
}

fn own_runs(resolver: &Resolver<'_>) -> Vec<Vec<RunIndex>> {
    let mut own = vec![Vec::new(); resolver.sources.len()];
    for (index, entry) in resolver.out.runs.iter().enumerate() {
        own[entry.source as usize].push(number(index));
    }
    own
}

fn by_directory<'a>(resolver: &Resolver<'a>) -> HashMap<&'a str, Vec<RunIndex>> {
    let mut all: HashMap<&str, Vec<RunIndex>> = HashMap::new();
    for (index, entry) in resolver.out.runs.iter().enumerate() {
        let source = &resolver.sources[entry.source as usize];
        // A snapshot of processes is a run of its own, and no other log was taken beside it.
        if !source.data.is_table && source.text.is_none() && !cpu::is_load_only(&source.data) {
            all.entry(directory(source.path())).or_default().push(number(index));
        }
    }
    all
}

/// Samples and requests of sources that have runs themselves.
fn join_own(resolver: &mut Resolver<'_>, own: &[Vec<RunIndex>]) {
    for (index, runs) in own.iter().enumerate() {
        let data = &resolver.sources[index].data;
        let only = if let [run] = runs[..] { Some(run) } else { None };
        let mut with_load = Vec::new();
        for (at, series) in data.series.iter().enumerate() {
            let run = series.run.and_then(|run| runs.get(run as usize).copied());
            // Exported samples of no run are of none.
            let run = run.or(only.filter(|_| data.series_logs.is_empty()));
            resolver.out.series_runs[index][at] = run;
            if let Some(run) = run.filter(|_| is_cpu(&series.metric)) {
                with_load.push(run);
            }
        }
        if !data.samples.is_empty() {
            for run in with_load {
                resolver.out.runs[run as usize].has_load = true;
            }
            if runs.len() > 1 && resolver.out.series_runs[index].iter().all(Option::is_none) {
                let known = |run: &RunIndex| Some((*run, own_window(resolver, *run)?));
                let windows: Vec<_> = runs.iter().filter_map(known).collect();
                part_by_time(resolver, index, &windows);
            }
        }
        if data.requests.is_empty() {
            continue;
        }
        if !data.request_runs.is_empty() {
            resolver.out.requests[index] = as_told(data, runs);
        } else if let Some(run) = only {
            resolver.out.requests[index] = RequestRuns::All(run);
        } else if !runs.is_empty() {
            let windows: Vec<_> = runs.iter().map(|run| (*run, window(resolver, *run))).collect();
            resolver.out.requests[index] = by_time(&data.requests, &windows);
        }
    }
}

/// The runs that the source itself names for its requests; whether one was guessed, its quality says.
fn as_told(data: &SourceData, runs: &[RunIndex]) -> RequestRuns {
    let of = |run: Option<u32>| run.and_then(|run| runs.get(run as usize).copied()).unwrap_or(NO_RUN);
    if let [(0, Some(run))] = data.request_runs[..] {
        return RequestRuns::All(of(Some(run)));
    }
    let mut told = vec![NO_RUN; data.requests.len()];
    let ends = data.request_runs.iter().skip(1).map(|next| next.0 as usize).chain([told.len()]);
    for ((first, run), end) in data.request_runs.iter().zip(ends) {
        told.get_mut(*first as usize..end).unwrap_or_default().fill(of(*run));
    }
    RequestRuns::Each { runs: told, guessed: false }
}

/// The runs that a companion may belong to.
struct Near {
    runs: Vec<RunIndex>,
    /// Whether its name begins with theirs, as `rep1-run1.top.txt` beside `rep1-run1.txt`.
    named: bool,
}

impl Near {
    /// Whether it belongs to one run as a whole, by its name.
    fn is_sure(&self) -> bool {
        self.named && self.runs.len() == 1
    }

    /// When the runs took place, where that is known.
    fn windows(&self, resolver: &Resolver<'_>) -> Vec<(RunIndex, Window)> {
        self.runs.iter().filter_map(|run| Some((*run, window(resolver, *run)?))).collect()
    }
}

/// The runs that a companion may belong to: its path's conditions, then its name decide.
fn narrow(resolver: &Resolver<'_>, index: usize, near: &[RunIndex]) -> Near {
    let path_of = |run: RunIndex| resolver.sources[resolver.out.runs[run as usize].source as usize].path();
    let mut left = near.to_vec();
    keep_where(&mut left, |run| conditions_agree(resolver, index, run));
    let name = file_name(resolver.sources[index].path());
    let stem_length = |run: RunIndex| {
        let stem = stem(file_name(path_of(run)));
        let rest = name.strip_prefix(stem)?;
        (!rest.starts_with(|c: char| c.is_alphanumeric())).then_some(stem.len())
    };
    if let Some(longest) = left.iter().filter_map(|run| stem_length(*run)).max() {
        keep_where(&mut left, |run| stem_length(run) == Some(longest));
        return Near { runs: left, named: true };
    }
    let shared = |run: RunIndex| {
        let theirs: Vec<&str> = tokens(file_name(path_of(run))).collect();
        tokens(name).filter(|token| theirs.contains(token)).count()
    };
    let most = left.iter().map(|run| shared(*run)).max().unwrap_or(0);
    keep_where(&mut left, |run| shared(run) == most);
    Near { runs: left, named: false }
}

/// Keeps what fits, or all where nothing does.
fn keep_where(runs: &mut Vec<RunIndex>, fits: impl Fn(RunIndex) -> bool) {
    if runs.iter().any(|run| fits(*run)) {
        runs.retain(|run| fits(*run));
    }
}

fn conditions_agree(resolver: &Resolver<'_>, index: usize, run: RunIndex) -> bool {
    let Some(companion) = &resolver.out.patterns[index] else { return true };
    let source = resolver.out.runs[run as usize].source as usize;
    let Some(theirs) = &resolver.out.patterns[source] else { return false };
    companion.found.conditions.iter().all(|(key, value)| match theirs.found.conditions.get(key) {
        Some(other) => other == value || matches!(key, Key::Operation | Key::Campaign),
        None => true,
    })
}

fn stem(name: &str) -> &str {
    let name = plain_name(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn tokens(name: &str) -> impl Iterator<Item = &str> {
    stem(name).split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty())
}

pub(crate) fn is_cpu(metric: &str) -> bool {
    matches!(metric, "cpu" | "cpu_user" | "cpu_sys")
}

fn join_samples(resolver: &mut Resolver<'_>, index: usize, runs: &[RunIndex]) {
    let data = &resolver.sources[index].data;
    let run = match runs {
        // The only run of its folder, though no time says so.
        [run] => *run,
        _ => lone(resolver, index, !runs.is_empty()),
    };
    resolver.out.series_runs[index].fill(Some(run));
    let entry = &mut resolver.out.runs[run as usize];
    entry.has_load |= data.series.iter().any(|series| is_cpu(&series.metric));
    if entry.source as usize != index {
        entry.companions.push(number(index));
    }
}

/// Parts the samples of a source among runs by their times; `false` where none lies within one.
fn part_by_time(resolver: &mut Resolver<'_>, index: usize, windows: &[(RunIndex, Window)]) -> bool {
    let data = &resolver.sources[index].data;
    let parts = splits::parts(data, windows);
    for part in &parts {
        let samples = data.samples.get(part.samples.start as usize..part.samples.end as usize);
        let has_load = samples.unwrap_or_default().iter().any(|sample| {
            data.series.get(sample.series as usize).is_some_and(|series| is_cpu(&series.metric))
        });
        let entry = &mut resolver.out.runs[part.run as usize];
        entry.has_load |= has_load;
        if entry.source as usize != index && !entry.companions.contains(&number(index)) {
            entry.companions.push(number(index));
        }
    }
    let found = !parts.is_empty();
    resolver.out.parts[index] = parts;
    found
}

/// A run of its own for a log that belongs to none.
fn lone(resolver: &mut Resolver<'_>, index: usize, ambiguous: bool) -> RunIndex {
    if ambiguous {
        let message = "the log could belong to several runs and was kept apart";
        let path = resolver.sources[index].path();
        resolver.out.problems.push(
            Problem::new(Severity::Note, ProblemKind::Companion, path, message)
                .next_step("name it after its run, as in rep1-run1.pidstat.txt beside rep1-run1.txt"),
        );
    }
    let known =
        resolver.out.runs.iter().rposition(|entry| entry.source as usize == index && entry.ordinal.is_none());
    match known {
        Some(run) => number(run),
        None => resolver.add_run(number(index), None),
    }
}

/// A run with its start and, where its wall time is known, its end.
type Span = (i64, Option<i64>, RunIndex);

/// The spans of the runs of a runner's log, in order of their start.
fn spans_of(resolver: &Resolver<'_>, runs: &[RunIndex]) -> Vec<Span> {
    let mut reals: HashMap<u32, f64> = HashMap::new();
    let source = runs.first().map(|run| resolver.out.runs[*run as usize].source as usize);
    for row in source.map_or(&[][..], |source| &resolver.sources[source].data.measurements) {
        if let Some(value) = row.value.filter(|_| row.metric == "real") {
            reals.entry(row.run).or_insert(value);
        }
    }
    let span = |run: &RunIndex| {
        let entry = &resolver.out.runs[*run as usize];
        let started = entry.row(resolver.sources)?.started?;
        let real = entry.ordinal.and_then(|ordinal| reals.get(&ordinal));
        Some((started, real.map(|secs| started.saturating_add((secs * 1e6) as i64)), *run))
    };
    let mut spans: Vec<Span> = runs.iter().filter_map(span).collect();
    spans.sort_unstable_by_key(|span| span.0);
    spans
}

/// Joins a server's log that the runner kept: each action to the run that was being timed, and what
/// its session still says thereafter; warm-ups and probes to none. Both times are of one clock.
fn join_kept(resolver: &mut Resolver<'_>, index: usize, spans: &[Span]) {
    let requests = &resolver.sources[index].data.requests;
    let timed = |time: i64| {
        let last = spans.partition_point(|span| span.0 <= time).checked_sub(1)?;
        let (_, end, run) = spans.get(last)?;
        end.is_none_or(|end| time <= end).then_some(*run)
    };
    let mut of_session: HashMap<u32, RunIndex> = HashMap::new();
    let rows = sessions(requests).into_iter().zip(requests.times());
    let runs: Vec<RunIndex> = rows
        .map(|(session, time)| match timed(*time) {
            Some(run) => *of_session.entry(session).insert_entry(run).get(),
            None => of_session.get(&session).copied().unwrap_or(NO_RUN),
        })
        .collect();
    let mut joined: Vec<RunIndex> = of_session.into_values().collect();
    joined.sort_unstable();
    joined.dedup();
    for run in joined {
        resolver.out.runs[run as usize].companions.push(number(index));
    }
    resolver.out.requests[index] = RequestRuns::Each { runs, guessed: false };
}

fn join_requests(resolver: &mut Resolver<'_>, index: usize, runs: &[RunIndex]) {
    let requests = &resolver.sources[index].data.requests;
    let joined = match runs {
        [] => RequestRuns::All(lone(resolver, index, false)),
        [run] => RequestRuns::All(*run),
        _ => split(resolver, requests, runs),
    };
    let mut with_requests: Vec<RunIndex> = match &joined {
        RequestRuns::None => Vec::new(),
        RequestRuns::All(run) => vec![*run],
        RequestRuns::Each { runs, .. } => runs.iter().copied().filter(|run| *run != NO_RUN).collect(),
    };
    with_requests.sort_unstable();
    with_requests.dedup();
    note_guess(resolver, index, &joined);
    for run in with_requests {
        let entry = &mut resolver.out.runs[run as usize];
        if entry.source as usize != index && !entry.companions.contains(&number(index)) {
            entry.companions.push(number(index));
        }
    }
    resolver.out.requests[index] = joined;
}

fn note_guess(resolver: &mut Resolver<'_>, index: usize, joined: &RequestRuns) {
    let message = match joined {
        RequestRuns::Each { guessed: true, .. } => {
            "requests were joined to their runs by the order of sessions"
        }
        RequestRuns::None => "requests could belong to several runs and were joined to none",
        _ => return,
    };
    let path = resolver.sources[index].path();
    resolver.out.problems.push(Problem::new(Severity::Note, ProblemKind::Companion, path, message));
}

/// Splits a server log over several runs.
fn split(resolver: &Resolver<'_>, requests: &Requests, runs: &[RunIndex]) -> RequestRuns {
    let mut windows: Vec<(RunIndex, Option<Window>)> =
        runs.iter().map(|run| (*run, window(resolver, *run))).collect();
    if windows.iter().all(|(_, window)| window.is_some()) {
        return by_time(requests, &windows);
    }
    windows.sort_by(|a, b| order(resolver, a.0, b.0));
    let sessions = sessions(requests);
    let count = sessions.iter().max().map_or(0, |last| last + 1);
    if count as usize == windows.len() {
        let runs =
            sessions.iter().map(|session| windows.get(*session as usize).map_or(NO_RUN, |w| w.0)).collect();
        return RequestRuns::Each { runs, guessed: true };
    }
    by_time(requests, &windows)
}

/// The number of each row's session, counted by `open` of each process; a row ahead of its
/// process' first belongs to the latest.
fn sessions(requests: &Requests) -> Vec<u32> {
    let open = requests.texts().find("open").unwrap_or(u32::MAX);
    let mut of_process: HashMap<u32, u32> = HashMap::new();
    let mut opened = 0;
    let mut session_of = |(action, pid): (&u32, &u32)| {
        if *action == open {
            of_process.insert(*pid, opened);
            opened += 1;
        }
        of_process.get(pid).copied().unwrap_or(opened.saturating_sub(1))
    };
    requests.actions().iter().zip(requests.pids()).map(&mut session_of).collect()
}

/// Runs as they were made: by start, else by repetition, cold before hot, else by name.
fn order(resolver: &Resolver<'_>, a: RunIndex, b: RunIndex) -> std::cmp::Ordering {
    let key = |run: RunIndex| {
        let entry = &resolver.out.runs[run as usize];
        let started = entry.row(resolver.sources).and_then(|row| row.started);
        let text = |key: Key| resolver.out.text(entry.value(key));
        (started, text(Key::Repetition), text(Key::Cache), &*entry.id)
    };
    let (x, y) = (key(a), key(b));
    let started = match (x.0, y.0) {
        (Some(x), Some(y)) => x.cmp(&y),
        _ => std::cmp::Ordering::Equal,
    };
    started
        .then_with(|| natural_cmp(x.1, y.1))
        .then_with(|| natural_cmp(x.2, y.2))
        .then_with(|| natural_cmp(x.3, y.3))
}

fn by_time(requests: &Requests, windows: &[(RunIndex, Option<Window>)]) -> RequestRuns {
    let known: Vec<(RunIndex, Window)> =
        windows.iter().filter_map(|(run, window)| Some((*run, (*window)?))).collect();
    let nearest = |time: &i64| {
        let distance = |(from, to): Window| (from - time).max(time - to).max(0);
        let near = known.iter().min_by_key(|(_, window)| distance(*window));
        near.filter(|(_, window)| distance(*window) <= SLACK_MICROS).map_or(NO_RUN, |(run, _)| *run)
    };
    if known.is_empty() {
        return RequestRuns::None;
    }
    let dated = |time: &i64| if *time == Requests::NO_I64 { NO_RUN } else { nearest(time) };
    // A session belongs to one run as a whole: its last line may come after the load log's end.
    let has_sessions = requests.texts().find("open").is_some();
    let runs: Vec<RunIndex> = if has_sessions {
        let mut of_session: HashMap<u32, RunIndex> = HashMap::new();
        let rows = sessions(requests).into_iter().zip(requests.times());
        rows.map(|(session, time)| *of_session.entry(session).or_insert_with(|| dated(time))).collect()
    } else {
        requests.times().iter().map(dated).collect()
    };
    if runs.iter().all(|run| *run == NO_RUN) {
        RequestRuns::None
    } else {
        RequestRuns::Each { runs, guessed: false }
    }
}

/// When a run took place: by its own words, else by its joined load log.
fn window(resolver: &Resolver<'_>, run: RunIndex) -> Option<Window> {
    own_window(resolver, run).or_else(|| {
        let entry = &resolver.out.runs[run as usize];
        // A log of several runs says nothing of the time of one.
        let of_one = |source: &&u32| resolver.out.parts.get(**source as usize).is_none_or(Vec::is_empty);
        let logs = entry
            .companions
            .iter()
            .filter(of_one)
            .filter_map(|source| samples_window(&resolver.sources[*source as usize].data));
        logs.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    })
}

fn own_window(resolver: &Resolver<'_>, run: RunIndex) -> Option<Window> {
    let entry = &resolver.out.runs[run as usize];
    let started = entry.row(resolver.sources)?.started?;
    let measurements = &resolver.sources[entry.source as usize].data.measurements;
    let real = measurements.iter().find(|m| Some(m.run) == entry.ordinal && m.metric == "real")?.value?;
    Some((started, started.saturating_add((real * 1e6) as i64)))
}

fn samples_window(data: &SourceData) -> Option<Window> {
    let utc = data.series.iter().any(|series| series.clock == Clock::Utc);
    let (first, last) = (data.samples.first()?, data.samples.last()?);
    utc.then_some((data.samples_start.unwrap_or(first.time), last.time))
}
