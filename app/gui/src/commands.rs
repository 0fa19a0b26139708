//! Commands: menu, palette, shortcuts and tooltips all come from their table in `commands/table.rs`.

mod table;

pub use table::{COMMANDS, GROUPS};

use crate::state::State;
use crate::theme::Look;
use egui::{Key, KeyboardShortcut};

/// The menus, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    /// Open, save, leave.
    File,
    /// Undo, copy, find.
    Edit,
    /// Panels, looks, text size.
    View,
    /// The tile that was used last.
    Tile,
    /// Query and comparisons.
    Compare,
    /// Measuring.
    Run,
    /// Words about the program.
    Help,
}

impl Menu {
    /// All, in the order of the menu bar.
    pub const ALL: [Self; 7] =
        [Self::File, Self::Edit, Self::View, Self::Tile, Self::Compare, Self::Run, Self::Help];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Tile => "Tile",
            Self::Compare => "Compare",
            Self::Run => "Run",
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
        "quiet" => settings.quiet,
        "watch" => state.watching.on,
        "run-view" => state.run.shown,
        "requests-view" => crate::requests::is_shown(state),
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
        assert_eq!(switches.len(), 14, "every name in the list is a command's");
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
