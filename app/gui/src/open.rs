//! Opening: arguments, dialogs, typed paths, drops, pastes and workspaces all come together here.

use crate::action::{Action, Reading};
use crate::jobs::{Context, Kind};
use crate::state::{Answer, LoadAnswer, Recent, Sheet, State};
use crate::toasts::Toast;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use triptych_import::Readers;
use triptych_model::{ProblemKind, ReadOptions, TableMeaning};
use triptych_store::{
    Campaign, LoadOptions, LoadProgress, Loaded, PathArg, Query, Source, Store, load, read_again,
};

/// Most entries of the list of recent files.
const RECENT: usize = 12;

struct Watch<'a>(&'a Context);

impl LoadProgress for Watch<'_> {
    fn file(&self, path: &str, index: usize, total: usize, _bytes: u64) {
        self.0.progress(index as u64, total as u64, path);
    }

    fn advance(&self, done: u64, total: u64) {
        if total > 0 {
            self.0.part(done as f32 / total as f32);
        }
    }

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}

/// An empty store with all formats.
pub fn empty_store() -> Store {
    Store::new(Arc::new(Readers))
}

/// Reads the paths in a job and adds them to what is open.
pub fn open(state: &mut State, paths: Vec<PathBuf>) {
    let args = paths.iter().cloned().map(path_arg).collect();
    read(state, args, paths);
}

/// Text from the clipboard is a source like any other.
pub fn open_text(state: &mut State, text: String) {
    let number =
        1 + state.store.sources().iter().filter(|source| source.path().starts_with("pasted text")).count();
    read(state, vec![PathArg::Pasted { name: format!("pasted text {number}"), text }], Vec::new());
}

fn path_arg(path: PathBuf) -> PathArg {
    if path.as_os_str() == "-" { PathArg::Stdin } else { PathArg::Path(path) }
}

/// What was asked to be read together.
#[derive(Clone, Debug)]
pub struct Wanted {
    args: Vec<PathArg>,
    /// The paths for the list of recent files.
    paths: Vec<PathBuf>,
    /// Of the folders among them only these files.
    only: Option<HashSet<PathBuf>>,
    /// Sources that are read again, each as it was read before.
    again: Vec<Source>,
    /// Whether this happens by itself while files grow: nothing is said of it, what is selected stays.
    follows: bool,
}

impl Wanted {
    /// What watching found: files that appeared in folders, and sources that changed.
    pub fn news(folders: Vec<PathArg>, appeared: HashSet<PathBuf>, again: Vec<Source>) -> Self {
        Self { args: folders, paths: Vec::new(), only: Some(appeared), again, follows: true }
    }

    /// Whether watching found it.
    fn is_news(&self) -> bool {
        self.only.is_some()
    }
}

/// Reads a run log that grows: nothing is said of it, and what is selected stays.
pub fn follow(state: &mut State, log: PathBuf) {
    let args = vec![PathArg::Path(log)];
    queue(state, Wanted { args, paths: Vec::new(), only: None, again: Vec::new(), follows: true });
}

/// Reads at once, or behind what is being read now: no wish cancels another.
fn read(state: &mut State, args: Vec<PathArg>, paths: Vec<PathBuf>) {
    queue(state, Wanted { args, paths, only: None, again: Vec::new(), follows: false });
}

/// Reads at once, or when what is being read now is done.
pub fn queue(state: &mut State, wanted: Wanted) {
    state.waiting.push_back(wanted);
    if !state.loading() {
        read_next(state);
    }
}

/// Starts reading what waits longest.
pub fn read_next(state: &mut State) {
    let Some(Wanted { args, paths, only, again, follows }) = state.waiting.pop_front() else { return };
    state.jobs.cancel(Kind::Watch);
    let mut store = (*state.store).clone();
    let known_tables = state.settings.tables.clone();
    state.jobs.start(Kind::Load, move |context| {
        let begun = Instant::now();
        let read = ReadOptions { known_tables, ..ReadOptions::default() };
        let options = LoadOptions { only, read, ..LoadOptions::default() };
        let cancelled = |error: triptych_model::Cancelled| error.to_string();
        let mut loaded = load(&args, &Readers, &options, &Watch(context)).map_err(cancelled)?;
        loaded.sources.extend(read_again(&again, &Readers, &Watch(context)).map_err(cancelled)?);
        if let Some(workspace) = &loaded.workspace {
            store.set_corrections(workspace.corrections.clone());
        }
        let refused = refused(&paths, &loaded);
        let path_of = |fits: &dyn Fn(&Source) -> bool| {
            loaded.sources.iter().find(|source| fits(source)).map(|source| source.path().to_owned())
        };
        let asks = path_of(&|source| source.named && asks(source));
        let answered = path_of(&was_answered);
        store.add(std::mem::take(&mut loaded.sources));
        Ok(Answer::Loaded(Box::new(LoadAnswer {
            best_campaign: best_campaign(&store),
            has_load: !store.runs_with_load(&Query::default()).is_empty(),
            store,
            loaded,
            folders: paths.iter().filter(|path| path.is_dir()).cloned().collect(),
            paths,
            refused,
            took: begun.elapsed(),
            follows,
            answered,
            asks,
        })))
    });
}

/// Takes in what a job has read.
pub fn take_in(state: &mut State, answer: LoadAnswer) {
    let LoadAnswer {
        mut store,
        loaded,
        paths,
        folders,
        refused,
        took,
        best_campaign,
        has_load,
        follows,
        answered,
        asks,
    } = answer;
    crate::watch::add_folders(state, folders);
    let was_empty = state.is_empty();
    let known: BTreeSet<String> = state.store.campaigns().into_iter().map(|campaign| campaign.root).collect();
    if loaded.workspace.is_none() && store.corrections() != state.store.corrections() {
        // The user corrected something while the files were read.
        store.set_corrections(state.store.corrections().clone());
    }
    let selected: Vec<String> = if follows {
        state.selection.iter().filter_map(|run| state.store.run(*run).map(|view| view.id)).collect()
    } else {
        Vec::new()
    };
    state.selection = selected.iter().filter_map(|id| store.run_index(id)).collect();
    // The first load log brings its charts, unless the user arranged the tiles.
    let mut views: Vec<&str> = state.arrangement.tiles.panes().map(|tile| tile.view.as_str()).collect();
    views.sort_unstable();
    let brings_load = !was_empty
        && has_load
        && views == ["cold-hot", "triples"]
        && state.store.runs_with_load(&Query::default()).is_empty();
    state.store = Arc::new(store);
    let has_workspace = loaded.workspace.is_some();
    let refused: Vec<String> = loaded.problems.iter().map(ToString::to_string).chain(refused).collect();
    for sentence in &refused {
        state.toasts.push(Toast::error(sentence));
    }
    if let Some(workspace) = loaded.workspace {
        crate::workspace::adopt(state, workspace, paths.iter().find(|path| is_workspace(path)).cloned());
    } else if was_empty {
        show_at_first(state, best_campaign, has_load);
    } else if brings_load {
        state.arrangement.tiles = crate::tiles::Layout::default();
    }
    state.saved = state.workspace.is_some() && was_empty;
    if follows {
        return;
    }
    tell_of_tables(state, answered, asks);
    let campaigns = state.store.campaigns();
    let runs: usize = campaigns.iter().map(|campaign| campaign.runs).sum();
    let new = campaigns.into_iter().filter(|campaign| !known.contains(&campaign.root)).collect();
    say_what_was_read(state, new, took, was_empty);
    if has_workspace || refused.is_empty() {
        remember(state, &paths, runs);
    }
}

/// Says whose columns were read as answered before, and opens the sheet that asks about unknown ones.
fn tell_of_tables(state: &mut State, answered: Option<String>, asks: Option<String>) {
    if let Some(source) = answered {
        let text = format!("The columns of {source} mean what you answered before");
        let change = Action::Sheet(Some(Sheet::Columns { source }));
        state.toasts.push(Toast::note(text).offer("Change", change));
    }
    if let Some(source) = asks.filter(|_| state.sheet.is_none()) {
        state.sheet = Some(Sheet::Columns { source });
    }
}

/// Whether a source holds nothing but tables whose columns nobody explained yet.
pub fn asks(source: &Source) -> bool {
    source.data.skipped.is_some()
        && source.data.problems.iter().any(|problem| problem.kind == ProblemKind::Asked)
}

/// Whether a source's columns were read as answered for another one.
fn was_answered(source: &Source) -> bool {
    source.data.problems.iter().any(|problem| problem.message == triptych_import::ANSWERED_BEFORE)
}

/// Reads a source again by what its tables' columns mean, and keeps the answers for equal headers.
pub fn explain(state: &mut State, source: &str, tables: Vec<TableMeaning>, remember: bool) {
    if remember {
        let new = |known: &TableMeaning| !tables.iter().any(|table| table.header == known.header);
        state.settings.tables.retain(new);
        state.settings.tables.splice(0..0, tables.iter().cloned());
        state.settings.tables.truncate(ANSWERS);
    }
    let known = state.store.sources().iter().find(|known| known.path() == source).cloned();
    let Some(mut known) = known else { return };
    known.read.tables = tables;
    queue(
        state,
        Wanted { args: Vec::new(), paths: Vec::new(), only: None, again: vec![known], follows: false },
    );
}

/// Most answers about columns that are kept for other files.
const ANSWERS: usize = 200;

/// Files met in a folder are skipped quietly; a file or folder that was named has to say why it gave nothing.
fn refused(paths: &[PathBuf], loaded: &Loaded) -> Vec<String> {
    let named = |source: &&triptych_store::Source| paths.iter().any(|path| path == Path::new(source.path()));
    let reason = |source: &triptych_store::Source| {
        let skipped = || Some(format!("{} was not read: {}", source.path(), source.data.skipped.as_ref()?));
        source.data.error.as_ref().map(ToString::to_string).or_else(skipped)
    };
    if loaded.sources.is_empty() && loaded.problems.is_empty() && loaded.workspace.is_none() {
        return paths.iter().map(|path| format!("{} holds no files", path.display())).collect();
    }
    // What asks for its columns gets its sheet, not a complaint.
    let plain = loaded.sources.iter().filter(|source| !asks(source));
    let mut sentences: Vec<String> = plain.filter(named).filter_map(reason).collect();
    let lost = loaded.sources.iter().filter(|source| source.data.error.is_some()).count();
    if loaded.workspace.is_some() && lost > 0 {
        let all = plural(loaded.sources.len(), "source");
        sentences.push(format!("{lost} of {all} of the workspace could not be read, Problems says why"));
    }
    sentences
}

/// At the start the window shows one campaign, for medians never cross one.
fn show_at_first(state: &mut State, campaign: Option<String>, has_load: bool) {
    if let Some(name) = campaign {
        state.arrangement.query = crate::edits::campaign_query(&state.arrangement.query, &name);
    }
    if !has_load {
        state.arrangement.tiles = crate::tiles::Layout::without_load();
    }
    // Without a run there is nothing to compare, but requests can be looked at.
    let has_runs = state.store.sources().iter().any(|source| !source.data.runs.is_empty());
    if state.store.has_requests() && !has_runs {
        crate::requests::choose_source(state);
        state.arrangement.requests.shown = true;
    }
}

/// The first files can be seen at once; later ones are offered, for the query stays on what is shown.
fn say_what_was_read(state: &mut State, new: Vec<Campaign>, took: std::time::Duration, first: bool) {
    let files = plural(new.iter().map(|campaign| campaign.sources.len()).sum(), "new source");
    let text = format!("Read {files} in {} ms", took.as_millis());
    match new.into_iter().next() {
        Some(campaign) if !first => {
            let show = Action::ShowCampaign(campaign.name.clone());
            state.toasts.push(Toast::note(text).offer(format!("Show {}", campaign.name), show));
        }
        _ => state.toasts.note_only(text),
    }
}

/// Whether the path names a workspace.
pub fn is_workspace(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "triptych")
}

/// `1 run`, `77 runs`.
pub fn plural(count: usize, word: &str) -> String {
    let number = triptych_report::numbers::count(count as f64);
    if count == 1 { format!("{number} {word}") } else { format!("{number} {word}s") }
}

/// The campaign with the most compared runs; the first where none compares anything.
fn best_campaign(store: &Store) -> Option<String> {
    let compared = |name: &str| -> usize {
        let groups = store.groups(&crate::edits::campaign_query(&Query::default(), name));
        let triples = groups.iter().filter(|group| group.cells.len() > 1);
        triples.flat_map(|group| &group.cells).map(|cell| cell.values.len()).sum()
    };
    let names =
        store.campaigns().into_iter().filter(|campaign| campaign.runs > 0).map(|campaign| campaign.name);
    // The first of equals, where `max_by_key` takes the last.
    names.rev().max_by_key(|name| compared(name))
}

fn remember(state: &mut State, paths: &[PathBuf], runs: usize) {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
    for path in paths.iter().filter(|path| path.as_os_str() != "-") {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        state.settings.recent.retain(|recent| recent.path != path);
        state.settings.recent.insert(0, Recent { path, summary: plural(runs, "run"), opened: now });
    }
    state.settings.recent.truncate(RECENT);
}

/// Stops reading; what is open stays.
pub fn cancel(state: &mut State) {
    // What watching found is not what the user gives up.
    state.waiting.retain(Wanted::is_news);
    if state.jobs.cancel(Kind::Load) {
        state.toasts.push(Toast::note("Reading cancelled, what was open stays"));
        read_next(state);
    }
    crate::watch::look_on(state);
}

/// Reads every source again.
pub fn reload(state: &mut State) {
    let paths: Vec<String> = state.store.sources().iter().map(|source| source.path().to_owned()).collect();
    reload_some(state, &paths);
}

/// Reads the sources of these paths again.
pub fn reload_some(state: &mut State, paths: &[String]) {
    let sources = state.store.sources();
    let again =
        sources.iter().filter(|source| paths.iter().any(|path| path == source.path())).cloned().collect();
    queue(state, Wanted { args: Vec::new(), paths: Vec::new(), only: None, again, follows: false });
}

/// Reads sources again by what the user says of them.
pub fn read_as(state: &mut State, paths: &[String], reading: &Reading) {
    let chosen = state.store.sources().iter().filter(|source| paths.iter().any(|path| path == source.path()));
    let again = chosen.cloned().map(|mut source| {
        match reading {
            Reading::LogFormat(format) => source.read.log_format.clone_from(format),
            Reading::Zone(offset) => source.read.zone_offset_secs = *offset,
        }
        source
    });
    let again = again.collect();
    queue(state, Wanted { args: Vec::new(), paths: Vec::new(), only: None, again, follows: false });
}

/// Back to the first screen.
pub fn close_all(state: &mut State) {
    state.waiting.clear();
    state.jobs.cancel(Kind::Load);
    crate::watch::stop(state);
    state.watching.folders.clear();
    state.watching.removed.clear();
    state.store = Arc::new(empty_store());
    state.arrangement = crate::state::Arrangement::default();
    state.undo.clear();
    state.workspace = None;
    state.notes.clear();
    state.selection.clear();
    state.tile_data.clear();
    state.comparison = Arc::default();
    state.comparison_asked = None;
    state.shown_source = None;
}

/// The whole campaigns and published tables among the sample data; the folders beside them hold a file
/// or two of every format.
const CAMPAIGNS: &[&str] = &[
    "list-table",
    "fsfs-format7",
    "fsfs-format7-slow-disk",
    "fsfs-releases",
    "export-old-new",
    "dav-keepalive",
    "threaded-scan",
];

/// Opens the sample data that the program came with.
pub fn samples(state: &mut State) {
    match sample_directory() {
        Some(directory) => open(state, CAMPAIGNS.iter().map(|name| directory.join(name)).collect()),
        None => state.toasts.push(Toast::error("The sample data were not found beside the program")),
    }
}

/// Beside the program, in the system's data directory, or in the source tree it was built from.
pub fn sample_directory() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let beside = program.ancestors().skip(1).map(|directory| directory.join("sample-data"));
    let shared = program.ancestors().nth(2).map(|prefix| prefix.join("share/triptych/sample-data"));
    let tree = [
        PathBuf::from("sample-data"),
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-data")),
    ];
    let named = std::env::var_os("TRIPTYCH_SAMPLE_DATA").map(PathBuf::from);
    named
        .into_iter()
        .chain(beside)
        .chain(shared)
        .chain(tree)
        .find(|directory| directory.join("list-table").is_dir())
}

/// Asks for files.
pub fn files_dialog(state: &mut State) {
    ask(state, rfd::FileDialog::pick_files);
}

/// Asks for folders.
pub fn folder_dialog(state: &mut State) {
    ask(state, rfd::FileDialog::pick_folders);
}

/// The dialog blocks until answered, so it runs in a job; where there is none a path is typed.
fn ask(state: &mut State, pick: fn(rfd::FileDialog) -> Option<Vec<PathBuf>>) {
    if !state.settings.native_dialogs {
        state.sheet = Some(Sheet::TypePath);
        return;
    }
    state.jobs.start(Kind::Dialog, move |_| {
        Ok(pick(dialog()).map_or(Answer::NoChoice(Sheet::TypePath), Answer::Paths))
    });
}

/// A dialog with a filter a format, from the table of formats.
pub fn dialog() -> rfd::FileDialog {
    use triptych_model::Importer as _;
    let formats = Readers.formats();
    let mut all: Vec<&str> = formats.iter().flat_map(|format| format.extensions.iter().copied()).collect();
    all.push("triptych");
    all.sort_unstable();
    all.dedup();
    let dialog = rfd::FileDialog::new()
        .set_title("Open benchmark logs")
        .add_filter("Benchmark logs and workspaces", &all);
    formats
        .iter()
        .fold(dialog, |dialog, format| dialog.add_filter(format.title, format.extensions))
        .add_filter("All files", &["*"])
}
