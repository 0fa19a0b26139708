//! The table itself: a command is a row here.

use super::{Command, CommandId, Menu};
use crate::action::{Action, RunWish};
use crate::state::{BottomTab, Sheet, State};
use crate::theme::Look;
use egui::{Key, KeyboardShortcut, Modifiers};

const fn keys(modifiers: Modifiers, key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(modifiers, key))
}

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const NONE: Modifiers = Modifiers::NONE;

fn always(_: &State) -> Option<&'static str> {
    None
}

fn with_sources(state: &State) -> Option<&'static str> {
    state.is_empty().then_some("nothing is open")
}

fn with_requests(state: &State) -> Option<&'static str> {
    let shown = crate::requests::is_shown(state);
    (!shown && !state.store.has_requests()).then_some("no log of a server is open")
}

fn with_tile(state: &State) -> Option<&'static str> {
    state.tile().is_none().then_some("there is no tile")
}

/// Does something with the tile that was used last.
fn on_tile(state: &mut State, action: fn(u64) -> Action) {
    if let Some(tile) = state.tile() {
        let action = action(tile.id);
        state.act(action);
    }
}

fn with_run(state: &State) -> Option<&'static str> {
    (!state.run.is_going()).then_some("nothing is being measured")
}

fn without_run(state: &State) -> Option<&'static str> {
    state.run.is_going().then_some("one campaign is measured at a time")
}

fn with_selection(state: &State) -> Option<&'static str> {
    state.selection.is_empty().then_some("no run is selected")
}

/// Commands with a line above them in their menu.
pub const GROUPS: &[CommandId] = &[
    "open-samples",
    "save",
    "cancel",
    "copy-text",
    "leave-out",
    "left-panel",
    "show-table",
    "reset-layout",
    "tile-close",
    "look-system",
    "patterns",
    "text-larger",
    "run-pause",
    "lab",
    "quiet",
];

macro_rules! command {
    ($id:literal, $menu:ident, $text:literal, $help:literal, $keys:expr, $blocked:expr, $run:expr) => {
        Command {
            id: $id,
            menu: Menu::$menu,
            text: $text,
            help: $help,
            keys: $keys,
            blocked: $blocked,
            run: $run,
        }
    };
}

/// All commands, in the order of their menus.
pub const COMMANDS: &[Command] = &[
    command!(
        "open-files",
        File,
        "Open files…",
        "time, svnbench, hyperfine, pidstat, svnserve logs, mails",
        keys(CTRL, Key::O),
        always,
        |state, _| crate::open::files_dialog(state)
    ),
    command!(
        "open-folder",
        File,
        "Open a folder…",
        "every log below it; the path says which build, cache state and run",
        keys(CTRL_SHIFT, Key::O),
        always,
        |state, _| crate::open::folder_dialog(state)
    ),
    command!(
        "paste",
        File,
        "Paste a mail or a terminal",
        "text from the clipboard is a source like any other",
        keys(CTRL, Key::V),
        always,
        |_, ctx| ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste)
    ),
    command!(
        "type-path",
        File,
        "Type a path…",
        "where no file dialog is available",
        keys(CTRL, Key::L),
        always,
        |state, _| state.act(Action::Sheet(Some(Sheet::TypePath)))
    ),
    command!(
        "open-samples",
        File,
        "Open the sample data",
        "published benchmarks and genuine logs",
        None,
        always,
        |state, _| crate::open::samples(state)
    ),
    command!(
        "reload",
        File,
        "Read all sources again",
        "after files changed on disk",
        keys(NONE, Key::F5),
        with_sources,
        |state, _| crate::open::reload(state)
    ),
    command!(
        "watch",
        File,
        "Watch for changes",
        "reads files that appear or grow in the folders that are open",
        keys(Modifiers::SHIFT, Key::F5),
        with_sources,
        |state, _| crate::watch::toggle(state)
    ),
    command!(
        "save",
        File,
        "Save the workspace",
        "sources, corrections, query and layout",
        keys(CTRL, Key::S),
        with_sources,
        |state, _| crate::workspace::save(state)
    ),
    command!(
        "save-as",
        File,
        "Save the workspace as…",
        "under another name",
        keys(CTRL_SHIFT, Key::S),
        with_sources,
        |state, _| crate::workspace::save_as(state)
    ),
    command!(
        "close-all",
        File,
        "Close the workspace",
        "back to the first screen",
        keys(CTRL, Key::W),
        with_sources,
        |state, _| crate::open::close_all(state)
    ),
    command!(
        "cancel",
        File,
        "Cancel reading",
        "stops the files being read; what is open stays",
        None,
        |state| (!state.loading()).then_some("nothing is being read"),
        |state, _| crate::open::cancel(state)
    ),
    command!("quit", File, "Quit", "leaves the program", keys(CTRL, Key::Q), always, |_, ctx| ctx
        .send_viewport_cmd(egui::ViewportCommand::Close)),
    command!(
        "undo",
        Edit,
        "Undo",
        "the last change of layout, filters or corrections",
        keys(CTRL, Key::Z),
        |state| (!state.undo.can_undo()).then_some("nothing to undo"),
        |state, _| crate::app::undo(state)
    ),
    command!(
        "redo",
        Edit,
        "Redo",
        "what was undone",
        keys(CTRL_SHIFT, Key::Z),
        |state| (!state.undo.can_redo()).then_some("nothing to redo"),
        |state, _| crate::app::redo(state)
    ),
    command!(
        "copy-text",
        Edit,
        "Copy the triples as text",
        "in the notation of the lists",
        keys(CTRL_SHIFT, Key::C),
        with_sources,
        |state, _| crate::edits::copy_triples(state, "text")
    ),
    command!(
        "copy-markdown",
        Edit,
        "Copy the triples as Markdown",
        "a table for an issue or a wiki",
        None,
        with_sources,
        |state, _| crate::edits::copy_triples(state, "markdown")
    ),
    command!(
        "save-csv",
        Edit,
        "Save the triples as CSV…",
        "one row a triple and variant",
        None,
        with_sources,
        |state, _| crate::edits::save_triples(state, "csv")
    ),
    command!(
        "leave-out",
        Edit,
        "Leave the selected runs out",
        "they enter no figure, stay visible and can be taken back",
        keys(CTRL, Key::E),
        with_selection,
        |state, _| crate::edits::leave_out(state)
    ),
    command!(
        "take-back",
        Edit,
        "Take left-out runs back",
        "all selected runs count again",
        None,
        with_selection,
        |state, _| crate::edits::take_back(state)
    ),
    command!(
        "clear-selection",
        Edit,
        "Clear the selection",
        "no run is marked",
        keys(NONE, Key::Escape),
        |state| if crate::requests::is_shown(state) {
            crate::requests::unselected(state)
        } else {
            with_selection(state)
        },
        |state, _| {
            if crate::requests::is_shown(state) {
                state.act(Action::Requests(crate::requests::Wish::Select(None)));
            } else {
                state.act(Action::Select(Vec::new()));
            }
        }
    ),
    command!(
        "palette",
        View,
        "Search runs, run a command…",
        "everything by name",
        keys(CTRL, Key::P),
        always,
        |state, _| state.palette = Some(crate::palette::Palette::default())
    ),
    command!(
        "left-panel",
        View,
        "Sources and filters",
        "shows or hides the left panel",
        keys(NONE, Key::F2),
        with_sources,
        |state, _| crate::app::arrange(state, |a| a.left = !a.left)
    ),
    command!(
        "bottom-panel",
        View,
        "Table, log and problems",
        "shows or hides the bottom panel",
        keys(NONE, Key::F3),
        with_sources,
        |state, _| crate::app::arrange(state, |a| a.bottom = !a.bottom)
    ),
    command!(
        "details-panel",
        View,
        "Details",
        "shows or hides the right panel",
        keys(NONE, Key::F4),
        with_sources,
        |state, _| crate::app::arrange(state, |a| a.details = !a.details)
    ),
    command!("show-table", View, "Show the table", "triples, a row each", None, with_sources, |state, _| {
        crate::app::show_bottom(state, BottomTab::Table);
    }),
    command!("show-log", View, "Show the log", "what was done", None, with_sources, |state, _| {
        crate::app::show_bottom(state, BottomTab::Log);
    }),
    command!(
        "show-problems",
        View,
        "Show the problems",
        "what could not be read, or is doubtful",
        keys(NONE, Key::F8),
        with_sources,
        |state, _| crate::app::show_bottom(state, BottomTab::Problems)
    ),
    command!(
        "requests-view",
        View,
        "Requests view",
        "what clients asked of svnserve or httpd, in the charts' place",
        keys(NONE, Key::F6),
        with_requests,
        |state, _| {
            let shown = crate::requests::is_shown(state) && !state.run.shown;
            if !shown {
                crate::requests::choose_source(state);
            }
            state.act(Action::Requests(crate::requests::Wish::Show(!shown)));
        }
    ),
    command!(
        "reset-layout",
        View,
        "Arrange the tiles as at first",
        "undo brings yours back",
        None,
        with_sources,
        |state, _| crate::app::arrange(state, |a| a.tiles = crate::tiles::Layout::default())
    ),
    command!(
        "look-system",
        View,
        "Colours of the desktop",
        "dark or light as the desktop is",
        None,
        always,
        |state, _| state.settings.look = Look::System
    ),
    command!("look-dark", View, "Dark", "light text on dark ground", None, always, |state, _| state
        .settings
        .look =
        Look::Dark),
    command!("look-light", View, "Light", "dark text on light ground", None, always, |state, _| state
        .settings
        .look =
        Look::Light),
    command!(
        "look-high-contrast",
        View,
        "High contrast",
        "white on black, patterns on",
        None,
        always,
        |state, _| state.settings.look = Look::HighContrast
    ),
    command!(
        "patterns",
        View,
        "Patterns on bars",
        "for print and for eyes that tell few colours",
        None,
        always,
        |state, _| state.settings.patterns = !state.settings.patterns
    ),
    command!("reduce-motion", View, "Reduce motion", "no fades at all", None, always, |state, _| state
        .settings
        .reduce_motion =
        !state.settings.reduce_motion),
    command!(
        "native-dialogs",
        View,
        "Dialogs of the desktop",
        "off: paths are typed",
        None,
        always,
        |state, _| state.settings.native_dialogs = !state.settings.native_dialogs
    ),
    command!("text-larger", View, "Larger text", "up to 300 %", keys(CTRL, Key::Plus), always, |state, _| {
        crate::app::scale_text(state, 1);
    }),
    command!(
        "text-smaller",
        View,
        "Smaller text",
        "down to 50 %",
        keys(CTRL, Key::Minus),
        always,
        |state, _| crate::app::scale_text(state, -1)
    ),
    command!("text-normal", View, "Normal text size", "100 %", keys(CTRL, Key::Num0), always, |state, _| {
        state.settings.text_scale = 1.0;
    }),
    command!(
        "tile-own",
        Tile,
        "Own selection or the window's",
        "lets the tile follow the window's query, or keep its own",
        None,
        with_tile,
        |state, _| crate::edits::toggle_own_query(state)
    ),
    command!(
        "tile-link",
        Tile,
        "Link the time axis",
        "range and cursor are shared with the other linked tiles",
        None,
        with_tile,
        |state, _| on_tile(state, Action::ToggleLink)
    ),
    command!(
        "tile-duplicate",
        Tile,
        "Duplicate the tile",
        "a copy with a selection of its own",
        keys(CTRL_SHIFT, Key::D),
        with_tile,
        |state, _| on_tile(state, Action::DuplicateTile)
    ),
    command!(
        "tile-compare",
        Tile,
        "Compare the tile with…",
        "a second selection beside it, with linked axes and cursor",
        keys(CTRL_SHIFT, Key::M),
        with_tile,
        |state, _| on_tile(state, Action::CompareTile)
    ),
    command!(
        "tile-close",
        Tile,
        "Close the tile in use",
        "undo brings it back",
        keys(CTRL_SHIFT, Key::W),
        with_tile,
        |state, _| on_tile(state, Action::CloseTile)
    ),
    command!(
        "clear-filters",
        Compare,
        "Show all runs",
        "takes every filter away",
        keys(CTRL_SHIFT, Key::A),
        with_sources,
        |state, _| crate::edits::clear_filters(state)
    ),
    command!(
        "import-sheet",
        Compare,
        "Files and conditions…",
        "what was guessed for every file; correct a pattern or a cell",
        keys(CTRL, Key::I),
        with_sources,
        |state, _| crate::app::import_sheet(state)
    ),
    command!(
        "next-baseline",
        Compare,
        "Next baseline",
        "divides by the next variant",
        keys(CTRL, Key::B),
        with_sources,
        |state, _| crate::edits::next_baseline(state)
    ),
    command!(
        "show-failed",
        Compare,
        "Count failed runs too",
        "they enter no figure unless asked for",
        None,
        with_sources,
        |state, _| crate::edits::toggle_failed(state)
    ),
    command!(
        "run-plan",
        Run,
        "Run a plan…",
        "which operations, variants, media and cache states, how often",
        keys(CTRL, Key::R),
        without_run,
        |state, _| state.act(Action::Sheet(Some(Sheet::Plan)))
    ),
    command!(
        "rerun",
        Run,
        "Run the selected again…",
        "makes a plan of the selected runs, those of a mail too",
        keys(CTRL_SHIFT, Key::R),
        |state| with_selection(state).or_else(|| without_run(state)),
        |state, _| state.act(Action::Rerun(state.selection.clone()))
    ),
    command!(
        "rerun-shown",
        Run,
        "Run all shown again…",
        "makes a plan of every run that the filters let through",
        None,
        |state| with_sources(state).or_else(|| without_run(state)),
        |state, _| state.act(Action::Rerun(state.store.runs(&state.arrangement.query)))
    ),
    command!(
        "run-resume",
        Run,
        "Resume a campaign…",
        "makes the runs that an interrupted campaign still lacks",
        None,
        without_run,
        |state, _| crate::run::resume_dialog(state)
    ),
    command!(
        "run-pause",
        Run,
        "Pause after this run",
        "the next run waits until you continue",
        None,
        |state| with_run(state).or_else(|| state.run.is_paused().then_some("it is paused already")),
        |state, _| state.act(Action::Run(RunWish::Pause))
    ),
    command!(
        "run-continue",
        Run,
        "Continue measuring",
        "after a pause",
        None,
        |state| with_run(state).or_else(|| (!state.run.is_paused()).then_some("it is not paused")),
        |state, _| state.act(Action::Run(RunWish::Continue))
    ),
    command!(
        "run-cancel",
        Run,
        "Cancel the run",
        "finished runs stay, the rest can be resumed",
        None,
        with_run,
        |state, _| state.act(Action::Run(RunWish::Cancel))
    ),
    command!(
        "run-view",
        Run,
        "Run view",
        "what is being measured, in the charts' place",
        keys(NONE, Key::F9),
        |state| state.run.is_empty().then_some("nothing was measured yet"),
        |state, _| state.act(Action::Run(RunWish::Show(!state.run.shown)))
    ),
    command!(
        "lab",
        Run,
        "The lab…",
        "builds, repositories, media and variants of this machine",
        None,
        always,
        |state, _| state.act(Action::Sheet(Some(Sheet::Lab)))
    ),
    command!(
        "make-demo-lab",
        Run,
        "Make a demo lab…",
        "a small repository in formats 6, 7 and 8, made here with the installed svnadmin",
        keys(CTRL, Key::D),
        |state| state.jobs.running(crate::jobs::Kind::Lab).map(|_| "a lab is being made"),
        |state, _| state.act(Action::MakeDemoLab)
    ),
    command!(
        "quiet",
        Run,
        "Quiet while measuring",
        "while a run is timed the window repaints at most twice a second",
        None,
        always,
        |state, _| state.settings.quiet = !state.settings.quiet
    ),
    command!(
        "help",
        Help,
        "Keys and words",
        "how to read the window",
        keys(NONE, Key::F1),
        always,
        |state, _| state.act(Action::Sheet(Some(Sheet::Help)))
    ),
];
