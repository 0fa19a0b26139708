//! The real window for tests: opened, stepped until at rest, asked by accessible role and label.
#![allow(dead_code, reason = "each test file takes what it needs")]

use egui::accesskit::Role;
use egui_kittest::kittest::{By, NodeT, Queryable};
use egui_kittest::{Harness, HarnessBuilder, Node};
use std::path::{Path, PathBuf};
use std::time::Duration;
use triptych_gui::{App, Settings};

/// The window under test.
pub type Window = Harness<'static, App>;

/// A folder or file of the sample data.
pub fn sample(name: &str) -> PathBuf {
    // Relative, for paths are shown and pictures of them are kept.
    Path::new("../../sample-data").join(name)
}

/// Settings that open no dialog of the desktop and fade nothing.
pub fn settings() -> Settings {
    Settings { native_dialogs: false, reduce_motion: true, ..Settings::default() }
}

/// The window on these paths, all read and at rest.
pub fn window(builder: HarnessBuilder<App>, settings: Settings, paths: Vec<PathBuf>) -> Window {
    let mut window = builder.build_eframe(move |creation| {
        let mut app = App::with_settings(&creation.egui_ctx, settings);
        if !paths.is_empty() {
            app.open(paths);
        }
        app
    });
    settle(&mut window);
    window
}

/// The window of 1440 × 900 on folders of the sample data.
pub fn on_samples(names: &[&str]) -> Window {
    let paths = names.iter().map(|name| sample(name)).collect();
    window(Harness::builder().with_size([1440.0, 900.0]), settings(), paths)
}

/// Steps until no job is running any more.
pub fn settle(window: &mut Window) {
    let mut still = 0;
    for _ in 0..4000 {
        window.step();
        still = if window.state().is_idle() { still + 1 } else { 0 };
        if still > 4 {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("jobs are still running");
}

/// All widgets of a role whose label contains all of these words, in the order of the tree.
pub fn all<'w>(window: &'w Window, role: Role, words: &'w [&'w str]) -> Vec<Node<'w>> {
    let wanted = By::new().predicate(move |node| {
        let named = |label: &str| words.iter().all(|word| label.contains(word));
        node.role() == role && node.label().is_some_and(|label| named(label.as_ref()))
    });
    window.query_all(wanted).collect()
}

/// Labels of all widgets of a role that contain all of these words.
pub fn labels(window: &Window, role: Role, words: &[&str]) -> Vec<String> {
    let label = |node: &Node<'_>| node.accesskit_node().label().map(|label| label.to_string());
    all(window, role, words).iter().filter_map(label).collect()
}

/// Whether any text on screen contains this.
pub fn shows(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

/// Clicks the first widget of a role whose label contains all of these words, and waits.
pub fn click(window: &mut Window, role: Role, words: &[&str]) {
    let nodes = all(window, role, words);
    let node = nodes.first().unwrap_or_else(|| panic!("no {role:?} {words:?}"));
    node.click();
    drop(nodes);
    settle(window);
}

/// Clicks the first widget of a role with exactly this label, and waits.
pub fn click_named(window: &mut Window, role: Role, name: &str) {
    let words = [name];
    let nodes = all(window, role, &words);
    let exact =
        |node: &&Node<'_>| node.accesskit_node().label().is_some_and(|label| label.as_ref() as &str == name);
    let node = nodes.iter().find(exact).unwrap_or_else(|| panic!("no {role:?} {name}"));
    node.click();
    drop(nodes);
    settle(window);
}

/// Presses keys and waits.
pub fn press(window: &mut Window, modifiers: egui::Modifiers, key: egui::Key) {
    window.key_press_modifiers(modifiers, key);
    settle(window);
}
