//! The window of Triptych: the only crate that names egui, eframe and rfd.
//!
//! Data live in `triptych-store`, figures come from `triptych-report`; here they are shown,
//! arranged and asked for. See `state.rs` for what lives how long, `commands.rs` for what the user
//! can do, `app.rs` for how a frame goes.

// The tests of the sheets share their helpers with those outside.
#[cfg(test)]
extern crate self as triptych_gui;

mod action;
mod app;
mod bars;
mod clipboard;
mod commands;
mod edits;
mod fonts;
mod jobs;
mod menus;
mod open;
mod painter;
mod palette;
mod panels;
mod requests;
mod run;
mod settings;
mod sheets;
mod start;
mod state;
mod theme;
mod tiles;
mod toast_ui;
mod toasts;
mod undo;
mod watch;
mod widgets;
mod workspace;

pub use action::RunRequest;
pub use app::App;
pub use run::Teller;
pub use state::Settings;
pub use theme::Look;

use std::path::PathBuf;

/// One id everywhere: window, desktop file, icon, settings directory.
pub const APP_ID: &str = "org.triptych_bench.Triptych";

/// What the window is started with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files, folders and workspaces to open.
    pub paths: Vec<PathBuf>,
    /// Look to start with instead of the user's, for pictures.
    pub look: Option<Look>,
    /// Inner size in points, for pictures.
    pub size: Option<[f32; 2]>,
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// The display cannot be used; the text of the cause is kept.
pub fn run(options: Options) -> anyhow::Result<()> {
    let native = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Triptych")
            .with_app_id(APP_ID)
            .with_inner_size(options.size.unwrap_or([1440.0, 900.0]))
            .with_min_inner_size([480.0, 320.0]),
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    eframe::run_native(
        "Triptych",
        native,
        Box::new(move |creation| Ok(Box::new(App::new(&creation.egui_ctx, options)))),
    )
    .map_err(|error| anyhow::anyhow!("{error}"))
}
