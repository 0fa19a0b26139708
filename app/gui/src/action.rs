//! What widgets ask for. They never change the program themselves: they push an [`Action`], and
//! [`crate::App`] carries it out after the frame.

use crate::commands::CommandId;
use crate::state::{Sheet, TileQuery};
use std::collections::BTreeMap;
use std::path::PathBuf;
use triptych_model::TableMeaning;
use triptych_runner::lab::Lab;
use triptych_runner::plan::Plan;
use triptych_store::{Column, Corrections, Query, RunIndex};

/// What readers must be told where the files do not say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The LogFormat of access logs; `None`: by their content.
    LogFormat(Option<String>),
    /// The zone of local times, seconds east of Greenwich; `None`: that of this machine.
    Zone(Option<i32>),
}

/// One wish of the user.
#[derive(Clone, Debug)]
pub enum Action {
    /// A row of the command table.
    Command(CommandId),
    /// Open files, folders and workspaces.
    Open(Vec<PathBuf>),
    /// Open text that came from the clipboard.
    OpenText(String),
    /// Forget a source.
    RemoveSource(String),
    /// Read some sources again, by path: as the command `reload` does for all of them.
    Reload(Vec<String>),
    /// Read sources again, by path, with what the user says of them.
    ReadAs(Vec<String>, Reading),
    /// Read a source again by what its tables' columns mean.
    ExplainTables {
        /// The source's path.
        source: String,
        /// One answer for each header.
        tables: Vec<TableMeaning>,
        /// Whether the answers hold for other files with these headers too.
        remember: bool,
    },
    /// Show another set of runs or compare them otherwise; undoable.
    SetQuery(Query),
    /// Let a value of a facet through or not; undoable.
    ToggleFacet(Column, String),
    /// Let only this value of a facet through; undoable.
    OnlyFacet(Column, String),
    /// Show one campaign, by name; undoable.
    ShowCampaign(String),
    /// Select runs: Details shows them, all tiles mark them.
    Select(Vec<RunIndex>),
    /// Change what the user corrected: patterns, cells, names, runs left out; undoable.
    Correct(Corrections),
    /// Put a tile of a chart beside, below or as a tab of another.
    AddTile {
        /// The tile it goes to; `None`: the whole area.
        beside: Option<u64>,
        /// Chart id, or `table`.
        view: String,
        /// Where.
        place: Place,
    },
    /// A copy of a tile with its own query.
    DuplicateTile(u64),
    /// Put a second selection beside a tile, with linked axes and cursor.
    CompareTile(u64),
    /// Put a tile of the same kind to the right of a tile, linked, with this query of its own and
    /// this run (a run's id, for charts of one run); undoable.
    CompareWith {
        /// The tile it goes beside.
        tile: u64,
        /// What the new tile shows.
        query: Box<Query>,
        /// For charts of one run.
        run: Option<String>,
    },
    /// Close a tile; undoable.
    CloseTile(u64),
    /// Let a tile follow the window's query, or not.
    SetTileQuery(u64, TileQuery),
    /// Link a tile's time axis with the others, or not.
    ToggleLink(u64),
    /// Open a sheet, or close the open one.
    Sheet(Option<Sheet>),
    /// Put text on the clipboard and say so if it was.
    Copy {
        /// The text.
        text: String,
        /// What it is: `8 rows as text`.
        what: String,
    },
    /// Write text to a file the user chooses.
    SaveText {
        /// Proposed name.
        name: String,
        /// The text.
        text: String,
    },
    /// Write to a path that was typed.
    SaveTo {
        /// Where.
        path: PathBuf,
        /// What.
        content: crate::workspace::Content,
    },
    /// Show the raw line in Details.
    ShowSource {
        /// Source's path.
        source: String,
        /// Physical line.
        line: u32,
    },
    /// Measure: starts the runner and shows the run view.
    RunPlan(Box<RunRequest>),
    /// Repeat runs: opens the sheet that makes a plan of them.
    Rerun(Vec<RunIndex>),
    /// Make the demo lab in a job and open the plan editor on it.
    MakeDemoLab,
    /// Say something to the runner.
    Run(RunWish),
    /// What the view of server logs asks for.
    Requests(crate::requests::Wish),
}

/// What is to be measured, and where it is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRequest {
    /// The lab, with absolute paths.
    pub lab: Lab,
    /// The plan with its steps.
    pub plan: Plan,
    /// Directory of the campaign; with a run log in it the campaign is resumed.
    pub directory: PathBuf,
    /// What earlier runs of a cell took, wall seconds by the step's number.
    pub expected_secs: BTreeMap<u32, f64>,
}

/// What the user wants of the run that is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunWish {
    /// Stand still after the current run.
    Pause,
    /// Go on.
    Continue,
    /// End it; what is finished stays.
    Cancel,
    /// Make what the last campaign still lacks.
    Resume,
    /// Put the run view in the tiles' place, or the tiles back.
    Show(bool),
}

/// Where a new tile goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To the right.
    Right,
    /// Below.
    Below,
    /// As a tab of the same place.
    Tab,
}
