//! No verb: the window. Where it cannot open, one sentence says what works without it.

use crate::failure::{Failure, Outcome};
use crate::verbs::VERBS;
use std::path::PathBuf;

/// Opens the window and stays until it is closed.
///
/// # Errors
/// There is no display, or the window cannot be opened on it.
pub fn run(paths: Vec<PathBuf>) -> Result<Outcome, Failure> {
    if !has_display() {
        return Err(no_window("there is no display here"));
    }
    triptych_gui::run(triptych_gui::Options { paths, ..triptych_gui::Options::default() })
        .map(|()| Outcome::Accepted)
        .map_err(|error| no_window(&plain(&format!("{error:#}"))))
}

/// The cause in plain words: the toolkit puts a place in its own source before it.
fn plain(error: &str) -> String {
    // Causes of graphics drivers come in several lines.
    let error = error.split_whitespace().collect::<Vec<_>>().join(" ");
    let cause = error.split_once(" at ").and_then(|(_, place)| place.split_once(": "));
    match cause {
        Some((place, cause)) if place.contains(".rs:") => format!("the display does not answer ({cause})"),
        _ => error,
    }
}

/// Whether the environment names a display; other systems than X11 and Wayland always have one.
fn has_display() -> bool {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos")))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named)
}

fn no_window(reason: &str) -> Failure {
    let verbs = VERBS.iter().map(|verb| format!("triptych {}", verb.name)).collect::<Vec<_>>().join(", ");
    Failure::Failed(anyhow::anyhow!("The window cannot open: {reason}; these work without it: {verbs}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_stands_in_plain_words() {
        for (error, expect) in [
            (
                "winit EventLoopError: os error at /home/x/winit-0.30.13/src/linux/mod.rs:788: Failed to open connection to X server",
                "the display does not answer (Failed to open connection to X server)",
            ),
            ("no OpenGL here:\n  glx at fault: none", "no OpenGL here: glx at fault: none"),
        ] {
            assert_eq!(plain(error), expect);
        }
    }
}
