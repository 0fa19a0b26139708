//! The whole window as pictures, in the looks there are: they guard what the eye would notice.
//!
//! Drawn by the software rasteriser, so that they are the same on every machine. After a wanted
//! change look at the new pictures, then accept them with `UPDATE_SNAPSHOTS=1`.

mod common;
#[path = "common/records.rs"]
mod records;

use common::{Window, click, press, sample, settings, settle};
use egui::accesskit::Role;
use egui_kittest::{Harness, SnapshotOptions, SnapshotResults};
use triptych_gui::{Look, Settings};

/// Share of the colour space that one pixel may differ by.
const THRESHOLD: f32 = 0.8;
/// Pixels that may differ: antialiasing of a few letters.
const FEW: usize = 300;

fn window(look: Look, size: [f32; 2], names: &[&str]) -> Window {
    let settings = Settings { look, ..settings() };
    let paths = names.iter().map(|name| sample(name)).collect();
    common::window(Harness::builder().with_size(size).wgpu(), settings, paths)
}

fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(THRESHOLD).max_failed_pixels(FEW)
}

const CAMPAIGNS: &[&str] = &["fsfs-format7", "fsfs-format7-slow-disk", "export-old-new"];

#[test]
fn looks() {
    let mut results = SnapshotResults::new();
    for (name, look) in [
        ("overview-dark", Look::Dark),
        ("overview-light", Look::Light),
        ("overview-high-contrast", Look::HighContrast),
    ] {
        let mut window = window(look, [1440.0, 900.0], CAMPAIGNS);
        click(&mut window, Role::Button, &["branch7, null-log -v, hot; median of 4"]);
        window.remove_cursor();
        settle(&mut window);
        results.add(window.try_snapshot_options(name, &options()));
    }
    results.unwrap();
}

#[test]
fn first_screen_and_sheet() {
    let mut results = SnapshotResults::new();
    let mut start = window(Look::Dark, [1440.0, 900.0], &[]);
    results.add(start.try_snapshot_options("start-dark", &options()));
    let mut sheet = window(Look::Light, [1280.0, 800.0], &["export-old-new"]);
    press(&mut sheet, egui::Modifiers::COMMAND, egui::Key::I);
    results.add(sheet.try_snapshot_options("import-light", &options()));
    results.unwrap();
}

#[test]
fn a_campaign_being_measured() {
    let plan = records::plan();
    let mut teller = records::Teller::new(&plan);
    teller.until(20);
    teller.start(21);
    teller.live(21, 0.0, 14.4);
    let mut run = window(Look::Dark, [1440.0, 900.0], &[]);
    let request = triptych_gui::RunRequest {
        lab: triptych_runner::lab::Lab::new("this machine"),
        plan,
        directory: "campaigns/c-0731".into(),
        expected_secs: std::collections::BTreeMap::new(),
    };
    let (wishes, _) = std::sync::mpsc::sync_channel(64);
    run.state_mut().assume_machine(2, false);
    let _voice = run.state_mut().replay(request, teller.take(), wishes);
    settle(&mut run);
    run.try_snapshot_options("run-dark", &options()).unwrap();
}

#[test]
fn small_window_and_large_text() {
    let mut results = SnapshotResults::new();
    let mut small = window(Look::Dark, [1280.0, 800.0], &["list-table"]);
    results.add(small.try_snapshot_options("published-1280", &options()));
    results.unwrap();
}

/// A lab of a machine for which old rows have no name yet.
const LAB: &str = r#"{
    "version": 1, "name": "this machine",
    "builds": [{"name": "1.14", "directory": "bin"}],
    "media": [{"name": "disk", "directory": "disk"}],
    "repositories": [{"name": "hist", "copies": [
        {"name": "f6", "medium": "disk", "path": "disk/f6"},
        {"name": "f7", "medium": "disk", "path": "disk/f7"}
    ]}],
    "variants": [
        {"name": "format 6", "build": "1.14", "copies": ["f6"]},
        {"name": "format 7", "build": "1.14", "copies": ["f7"]}
    ],
    "known_as": {"repository tsvn": "hist", "variant trunk": "format 6"}
}"#;

#[test]
fn old_rows_to_be_repeated() {
    let mut results = SnapshotResults::new();
    let directory = tempfile::tempdir().expect("a directory");
    let lab = directory.path().join("lab.json");
    std::fs::write(&lab, LAB).expect("writes");
    let settings = Settings { look: Look::Dark, lab: Some(lab), ..settings() };
    let builder = Harness::builder().with_size([1280.0, 800.0]).wgpu();
    let mut window = common::window(builder, settings, vec![sample("list-table/fsfs-format7-2013.txt")]);
    press(&mut window, egui::Modifiers::COMMAND, egui::Key::P);
    window.event(egui::Event::Text("all shown again".to_owned()));
    settle(&mut window);
    press(&mut window, egui::Modifiers::NONE, egui::Key::Enter);
    window.remove_cursor();
    settle(&mut window);
    results.add(window.try_snapshot_options("rerun-dark", &options()));
    results.unwrap();
}
