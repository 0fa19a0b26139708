//! Settings stay in the user's configuration directory; an unreadable file is kept aside, never overwritten.

use crate::state::Settings;
use std::path::{Path, PathBuf};

/// Where settings lie, if the system says so. `TRIPTYCH_CONFIG_DIR` names another directory.
pub fn path() -> Option<PathBuf> {
    if let Some(directory) = std::env::var_os("TRIPTYCH_CONFIG_DIR") {
        return Some(PathBuf::from(directory).join("settings.json"));
    }
    let directories = directories::ProjectDirs::from("org", "triptych_bench", "Triptych")?;
    Some(directories.config_dir().join("settings.json"))
}

/// The settings, and a sentence where they could not be read.
pub fn load(path: &Path) -> (Settings, Option<String>) {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Settings::default(), None),
        Err(error) => return (Settings::default(), Some(format!("Settings could not be read: {error}"))),
    };
    match serde_json::from_str::<Settings>(&text) {
        Ok(settings) if settings.version > Settings::default().version => (
            Settings::default(),
            Some("Settings were written by a newer Triptych and are left alone.".to_owned()),
        ),
        Ok(settings) => (settings, None),
        Err(error) => {
            let aside = path.with_extension("json.bad");
            let kept = std::fs::rename(path, &aside).is_ok();
            let tail = if kept { "; the file was kept aside as settings.json.bad" } else { "" };
            (Settings::default(), Some(format!("Settings are not readable: {error}{tail}")))
        }
    }
}

/// Writes the settings beside the old ones and swaps them.
///
/// # Errors
/// What the system says.
pub fn save(path: &Path, settings: &Settings) -> std::io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    let text = serde_json::to_string_pretty(settings).map_err(std::io::Error::other)?;
    let draft = path.with_extension("json.new");
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, path)
}
