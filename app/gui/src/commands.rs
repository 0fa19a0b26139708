//! The table of commands: menu, palette, shortcuts and tooltips all come from it.

use crate::action::{Action, Place};
use crate::state::{BottomTab, Sheet, State};
use crate::theme::Look;
use egui::{Key, KeyboardShortcut, Modifiers};

/// The menus, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Open, save, leave.
    File,
    /// Undo, copy, find.
    Edit,
    /// Panels, looks, text size, tiles.
    View,
    /// Query and comparisons.
    Compare,
    /// Words about the program.
    Help,
}

impl Menu {
    /// All, in the order of the menu bar.
    pub const ALL: [Self; 5] = [Self::File, Self::Edit, Self::View, Self::Compare, Self::Help];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Compare => "Compare",
            Self::Help => "Help",
        }
    }
}

/// The name of a command in code and tests.
pub type CommandId = &'static str;

/// One row of the table.
pub struct Command {
    /// Stable id.
    pub id: CommandId,
    /// Its menu.
    pub menu: Menu,
    /// Text in menu and palette; `…` when a sheet or dialog follows.
    pub text: &'static str,
    /// Tooltip, and second column of the palette.
    pub help: &'static str,
    /// Keys.
    pub keys: Option<KeyboardShortcut>,
    /// Why it cannot be used now; `None`: it can.
    pub blocked: fn(&State) -> Option<&'static str>,
    /// What it does.
    pub run: fn(&mut State, &egui::Context),
}

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
    "add-triples",
    "look-system",
    "patterns",
    "text-larger",
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
        with_selection,
        |state, _| state.act(Action::Select(Vec::new()))
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
        "add-triples",
        View,
        "Add a tile of triples",
        "grouped bars with ratio labels",
        None,
        with_sources,
        |state, _| crate::app::add_tile(state, "triples", Place::Right)
    ),
    command!(
        "add-cold-hot",
        View,
        "Add a tile of cold against hot",
        "dumbbells, a row a variant",
        None,
        with_sources,
        |state, _| crate::app::add_tile(state, "cold-hot", Place::Right)
    ),
    command!(
        "add-cpu-load",
        View,
        "Add a tile of CPU load",
        "stacked per process over time",
        None,
        with_sources,
        |state, _| crate::app::add_tile(state, "cpu-load", Place::Right)
    ),
    command!(
        "add-distribution",
        View,
        "Add a tile of repetitions",
        "every run in its order",
        None,
        with_sources,
        |state, _| crate::app::add_tile(state, "distribution", Place::Right)
    ),
    command!(
        "add-table",
        View,
        "Add a tile with the table",
        "beside the charts",
        None,
        with_sources,
        |state, _| crate::app::add_tile(state, "table", Place::Right)
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
        "help",
        Help,
        "Keys and words",
        "how to read the window",
        keys(NONE, Key::F1),
        always,
        |state, _| state.act(Action::Sheet(Some(Sheet::Help)))
    ),
];

/// Whether what a command switches is on; `None` for commands that switch nothing.
pub fn is_on(id: CommandId, state: &State) -> Option<bool> {
    let settings = &state.settings;
    Some(match id {
        "left-panel" => state.arrangement.left,
        "bottom-panel" => state.arrangement.bottom,
        "details-panel" => state.arrangement.details,
        "look-system" => settings.look == Look::System,
        "look-dark" => settings.look == Look::Dark,
        "look-light" => settings.look == Look::Light,
        "look-high-contrast" => settings.look == Look::HighContrast,
        "patterns" => settings.patterns,
        "reduce-motion" => settings.reduce_motion,
        "native-dialogs" => settings.native_dialogs,
        _ => return None,
    })
}

/// The command of an id.
pub fn find(id: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.id == id)
}

/// The keys of a command as people read them: `Ctrl Shift O`.
pub fn keys_text(shortcut: &KeyboardShortcut) -> String {
    let mut words = Vec::new();
    for (on, word) in [
        (shortcut.modifiers.command, "Ctrl"),
        (shortcut.modifiers.alt, "Alt"),
        (shortcut.modifiers.shift, "Shift"),
    ] {
        if on {
            words.push(word);
        }
    }
    words.push(shortcut.logical_key.symbol_or_name());
    words.join(" ")
}

/// Runs every command whose keys were pressed, except while a text field wants them.
pub fn listen(state: &mut State, ctx: &egui::Context) {
    // Escape belongs to what is open on top, and to a text field.
    let taken = egui::Popup::is_any_open(ctx) || state.sheet.is_some() || state.palette.is_some();
    let typing = ctx.text_edit_focused();
    // egui lets Ctrl Z match Ctrl Shift Z too, so the keys with Shift are asked first.
    let (with_shift, without): (Vec<_>, Vec<_>) =
        COMMANDS.iter().partition(|command| command.keys.is_some_and(|keys| keys.modifiers.shift));
    let pressed: Vec<&Command> = with_shift
        .into_iter()
        .chain(without)
        .filter(|command| {
            command.keys.is_some_and(|keys| {
                // Copy and paste arrive as events of their own; plain keys belong to the text field.
                let plain = keys.modifiers.is_none() && keys.logical_key == Key::Escape;
                !(typing && (plain || command.id == "undo" || command.id == "redo"))
                    && !(taken && plain)
                    && ctx.input_mut(|input| input.consume_shortcut(&keys))
            })
        })
        .collect();
    for command in pressed {
        if (command.blocked)(state).is_none() {
            (command.run)(state, ctx);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_keys_are_unique() {
        for (index, command) in COMMANDS.iter().enumerate() {
            for other in &COMMANDS[index + 1..] {
                assert_ne!(command.id, other.id);
                assert_ne!(command.text, other.text);
                if let (Some(a), Some(b)) = (command.keys, other.keys) {
                    assert_ne!(a, b, "{} and {}", command.id, other.id);
                }
            }
        }
    }

    #[test]
    fn switches_say_whether_they_are_on() {
        let ctx = egui::Context::default();
        let app = crate::App::with_settings(&ctx, crate::Settings::default());
        let switches: Vec<_> =
            COMMANDS.iter().filter(|command| is_on(command.id, &app.state).is_some()).collect();
        assert_eq!(switches.len(), 10, "every name in the list is a command's");
        assert_eq!(is_on("look-system", &app.state), Some(true));
        assert_eq!(is_on("look-dark", &app.state), Some(false));
    }

    #[test]
    fn groups_name_commands() {
        for id in GROUPS {
            assert!(find(id).is_some(), "{id}");
        }
    }

    #[test]
    fn menus_hold_their_commands_together() {
        for menu in Menu::ALL {
            assert!(COMMANDS.iter().any(|command| command.menu == menu), "{} is empty", menu.title());
        }
    }
}
