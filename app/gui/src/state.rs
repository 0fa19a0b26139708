//! Everything the window knows, in three lifetimes: data, arrangement (saved, undoable), session (forgotten).

use crate::action::Action;
use crate::jobs::{Jobs, Kind};
use crate::theme::{Look, Theme};
use crate::toasts::Toasts;
use crate::undo::Undo;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use triptych_model::TableMeaning;
use triptych_report::{ChartData, Comparison, Refusal};
use triptych_store::{Corrections, Loaded, Query, RunIndex, Store};

/// What the user arranged: saved with the workspace, covered by undo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrangement {
    /// What is shown and how it is compared.
    pub query: Query,
    /// The tiles and their tree.
    pub tiles: crate::tiles::Layout,
    /// Whether the left panel is shown.
    pub left: bool,
    /// Whether Details is shown.
    pub details: bool,
    /// Whether the bottom panel is shown.
    pub bottom: bool,
    /// The view of server logs.
    pub requests: crate::requests::Arranged,
}

impl Default for Arrangement {
    fn default() -> Self {
        Self {
            query: Query::default(),
            tiles: crate::tiles::Layout::default(),
            left: true,
            details: true,
            bottom: true,
            requests: crate::requests::Arranged::default(),
        }
    }
}

/// Whether a tile follows the window's query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TileQuery {
    /// It does.
    #[default]
    Follow,
    /// It has its own.
    Own(Box<Query>),
}

/// What undo goes back to.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The arrangement.
    pub arrangement: Arrangement,
    /// The corrections.
    pub corrections: Corrections,
}

/// What stays on this computer, whatever is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Format of this file.
    pub version: u32,
    /// Dark, light or high contrast.
    pub look: Look,
    /// 0.5 to 3.
    pub text_scale: f32,
    /// No fades at all.
    pub reduce_motion: bool,
    /// Patterns on bars in every look.
    pub patterns: bool,
    /// Ask for paths by the desktop's dialogs; else they are typed.
    pub native_dialogs: bool,
    /// While a run is timed, repaint at most twice a second where the window could disturb it.
    pub quiet: bool,
    /// File of the lab used last; `None`: the demo lab's.
    pub lab: Option<PathBuf>,
    /// Opened lately, newest first.
    pub recent: Vec<Recent>,
    /// What the columns of tables mean, by their headers; the newest answer first.
    pub tables: Vec<TableMeaning>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: 1,
            look: Look::System,
            text_scale: 1.0,
            reduce_motion: false,
            patterns: false,
            native_dialogs: true,
            quiet: true,
            lab: None,
            recent: Vec::new(),
            tables: Vec::new(),
        }
    }
}

/// One entry of the list of recent files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recent {
    /// Absolute path.
    pub path: PathBuf,
    /// What it was: `77 runs`.
    pub summary: String,
    /// When, seconds since 1970.
    pub opened: i64,
}

/// The panel at the bottom has these tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BottomTab {
    /// The triples as a table.
    #[default]
    Table,
    /// What is being measured.
    Run,
    /// What was done.
    Log,
    /// What went wrong or looks wrong.
    Problems,
}

/// A sheet over the window.
#[derive(Clone, Debug, PartialEq)]
pub enum Sheet {
    /// What was guessed for each file of a campaign; by the campaign's name.
    Import {
        /// Name of the campaign, or empty for all.
        campaign: String,
    },
    /// What the columns of a source's tables mean; by the source's path.
    Columns {
        /// The source.
        source: String,
    },
    /// A typed path to open.
    TypePath,
    /// A typed path to write to.
    SavePath {
        /// Proposed path.
        name: String,
        /// What is written.
        content: crate::workspace::Content,
    },
    /// Keys and words.
    Help,
    /// Pick what a tile is compared with.
    Compare {
        /// The tile.
        tile: u64,
    },
    /// The plan editor with its preview.
    Plan,
    /// The lab editor.
    Lab,
    /// Campaigns that can be resumed.
    Resume {
        /// Newest first.
        found: Vec<crate::run::Interrupted>,
    },
    /// What is missing to repeat these runs.
    Rerun {
        /// The runs.
        runs: Vec<RunIndex>,
    },
}

/// Data of one tile, kept until newer data are there.
#[derive(Clone, Debug, Default)]
pub struct TileData {
    /// For which generation and query the data were asked.
    pub asked: Option<(u64, Query)>,
    /// The newest answer.
    pub answer: Option<Result<ChartData, Refusal>>,
    /// Counts answers, so that drawings can be kept.
    pub version: u64,
}

/// What jobs answer.
pub enum Answer {
    /// Files were read.
    Loaded(Box<LoadAnswer>),
    /// A tile's data.
    Chart(u64, Result<ChartData, Refusal>),
    /// The table's and Details' triples.
    Comparison(Arc<Comparison>),
    /// The paths the user chose; empty: none.
    Paths(Vec<PathBuf>),
    /// Where to write, and what.
    SaveAs(PathBuf, crate::workspace::Content),
    /// Written there.
    Saved(PathBuf, crate::workspace::Saved),
    /// No dialog could be shown, or it was dismissed; the sheet that does the same by typing.
    NoChoice(Sheet),
    /// What the import sheet's draft would give: hand it to `sheets::previewed(state, preview)`.
    Preview(Box<crate::sheets::Preview>),
    /// Lines of a file for Details: hand them to `state.panels.lines_read(lines)`.
    RawLines(Box<crate::panels::RawLines>),
    /// What a query of server logs keeps: hand it to `requests::take(state, found)`.
    Requests(Box<crate::requests::Found>),
    /// The index of a generation with its clients.
    RequestClients(u64, Arc<triptych_store::RequestIndex>),
    /// Bins for the version of the data they were asked for.
    RequestBins(u64, Arc<triptych_store::RequestBins>),
    /// Everything known of a request.
    RequestDetails(triptych_store::RowRef, Option<Arc<triptych_store::RequestDetails>>),
    /// The thread that listened to the runner has ended; the run's own wire says how.
    RunnerGone,
    /// Files appeared or changed.
    Changed(Box<triptych_store::Changes>),
    /// Campaigns of the archive that lack runs.
    Interrupted(Vec<crate::run::Interrupted>),
}

/// What reading files gave.
pub struct LoadAnswer {
    /// The store with them in it.
    pub store: Store,
    /// What the loader said besides sources.
    pub loaded: Loaded,
    /// The paths asked for.
    pub paths: Vec<PathBuf>,
    /// Why named files gave nothing, one sentence each.
    pub refused: Vec<String>,
    /// How long it took.
    pub took: std::time::Duration,
    /// The campaign with the most compared runs.
    pub best_campaign: Option<String>,
    /// Whether any run has CPU load.
    pub has_load: bool,
    /// The folders among the paths.
    pub folders: Vec<PathBuf>,
    /// Whether a run log was read again while it grows: nothing is said, and what is selected stays.
    pub follows: bool,
    /// The first source whose columns were read as answered for another one.
    pub answered: Option<String>,
    /// The first named source that holds only tables whose columns nobody explained.
    pub asks: Option<String>,
}

/// The window's state.
pub struct State {
    /// What is known of the runs; a snapshot that jobs share.
    pub store: Arc<Store>,
    /// Saved arrangement.
    pub arrangement: Arrangement,
    /// Earlier arrangements.
    pub undo: Undo<Snapshot>,
    /// What stays on this computer.
    pub settings: Settings,
    /// Tokens in force.
    pub theme: Theme,
    /// The open workspace's file.
    pub workspace: Option<PathBuf>,
    /// Notes of the workspace.
    pub notes: String,
    /// Whether all is saved.
    pub saved: bool,
    /// Files that appear or grow.
    pub watching: crate::watch::Watching,
    /// Work in other threads.
    pub jobs: Jobs<Answer>,
    /// What widgets asked for in this frame.
    pub actions: Vec<Action>,
    /// Messages at the bottom right, and the log of them.
    pub toasts: Toasts,
    /// Selected runs.
    pub selection: Vec<RunIndex>,
    /// The tab shown at the bottom.
    pub bottom_tab: BottomTab,
    /// The open sheet.
    pub sheet: Option<Sheet>,
    /// The open palette's text.
    pub palette: Option<crate::palette::Palette>,
    /// Data of the tiles by tile id.
    pub tile_data: BTreeMap<u64, TileData>,
    /// The triples of the window's query, for the table and Details.
    pub comparison: Arc<Comparison>,
    /// For which generation and query they were asked.
    pub comparison_asked: Option<(u64, Query)>,
    /// Range and cursor that linked tiles share, in seconds.
    pub link: Link,
    /// Which raw line Details shows: source path and line; `None`: the selection's first.
    pub shown_source: Option<(String, u32)>,
    /// The tile that was pressed or had the keyboard last.
    pub used_tile: Option<u64>,
    /// What is read when the files being read now are done.
    pub waiting: std::collections::VecDeque<crate::open::Wanted>,
    /// What panels remember: folds, texts, answers of the store; `Default` at the start.
    pub panels: crate::panels::Memory,
    /// What is being measured, or was last; `Default` at the start.
    pub run: crate::run::Run,
    /// What the view of server logs remembers; `Default` at the start.
    pub requests: crate::requests::Memory,
    /// Drafts of the sheets; `Default` at the start.
    pub sheets: crate::sheets::Drafts,
}

/// Owned by us, not by a plotting library: automatic bounds break linked axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Link {
    /// Seconds shown; `None`: the longest run.
    pub range: Option<(f64, f64)>,
    /// Second under the pointer of any linked tile.
    pub cursor: Option<f64>,
}

impl State {
    /// The tile that was used last, else the first.
    pub fn tile(&self) -> Option<&crate::tiles::Tile> {
        let tiles = &self.arrangement.tiles;
        let used = self.used_tile.and_then(|id| tiles.pane(id));
        used.or_else(|| tiles.panes().min_by_key(|tile| tile.id))
    }

    /// Asks for something; carried out after the frame.
    pub fn act(&mut self, action: Action) {
        self.actions.push(action);
    }

    /// Whether files are being read.
    pub fn loading(&self) -> bool {
        self.jobs.running(Kind::Load).is_some()
    }

    /// Whether anything is open.
    pub fn is_empty(&self) -> bool {
        self.store.sources().is_empty()
    }

    /// What undo would go back to from here.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { arrangement: self.arrangement.clone(), corrections: self.store.corrections().clone() }
    }
}
