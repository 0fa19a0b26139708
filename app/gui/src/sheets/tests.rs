//! The sheets that measure in the real window, by role and label: a plan by clicks, numbers that are wrong,
//! files written and read again, old rows mapped once and remembered.

use crate::action::{Action, RunRequest};
use crate::state::Sheet;
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::path::{Path, PathBuf};
use triptych_runner::demo::DemoOptions;
use triptych_runner::lab::{Build, Lab, Medium, Repository, RepositoryCopy, Variant};
use triptych_runner::plan::{Cache, Restart, ServerMode};
use triptych_runner::planfile;
use triptych_store::Query;

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{Window, all, labels, press, settle, shows};

/// A lab of two variants of one repository on two media; nothing of it lies on the disk.
fn lab() -> Lab {
    let copy = |name: &str, format: &str, medium: &str| RepositoryCopy {
        name: name.to_owned(),
        format: Some(format.to_owned()),
        packed: Some(true),
        medium: medium.to_owned(),
        path: PathBuf::from("repos").join(name),
    };
    let variant = |name: &str, copies: [&str; 2]| Variant {
        name: name.to_owned(),
        build: "installed".to_owned(),
        copies: copies.map(str::to_owned).to_vec(),
        ..Variant::default()
    };
    let medium = |name: &str| Medium { name: name.to_owned(), directory: PathBuf::from(name) };
    Lab {
        builds: vec![Build { name: "installed".into(), directory: "bin".into(), ..Build::default() }],
        media: vec![medium("disk"), medium("stick")],
        repositories: vec![Repository {
            name: "hist".into(),
            target: "trunk".into(),
            copies: vec![
                copy("f6", "6", "disk"),
                copy("f7", "7", "disk"),
                copy("f6-stick", "6", "stick"),
                copy("f7-stick", "7", "stick"),
            ],
            ..Repository::default()
        }],
        variants: vec![variant("format 6", ["f6", "f6-stick"]), variant("format 7", ["f7", "f7-stick"])],
        baseline: Some("format 6".into()),
        ..Lab::new("box")
    }
}

struct Bench {
    window: Window,
    directory: tempfile::TempDir,
}

impl Bench {
    /// The window with a lab in a directory of its own, on these samples.
    fn new(lab: Option<&Lab>, samples: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("lab.json");
        if let Some(lab) = lab {
            std::fs::write(&file, serde_json::to_string(lab).expect("JSON")).expect("writes");
        }
        let settings = crate::Settings { lab: Some(file), ..common::settings() };
        let paths = samples.iter().map(|name| common::sample(name)).collect();
        let window = common::window(Harness::builder().with_size([1280.0, 800.0]), settings, paths);
        Self { window, directory }
    }

    /// Turns the wheel over the form.
    fn scroll(&mut self, down: f32) {
        self.window.event(egui::Event::PointerMoved(egui::pos2(300.0, 400.0)));
        self.window.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: egui::vec2(0.0, -down),
            phase: egui::TouchPhase::Move,
            modifiers: Modifiers::NONE,
            source: egui::MouseWheelSource::Trackpad,
        });
        self.window.run_steps(12);
    }

    fn place(&self, role: Role, name: &str) -> Option<f32> {
        let words = [name];
        let nodes = all(&self.window, role, &words);
        let exact = nodes.iter().rev().find(|node| node.accesskit_node().label().as_deref() == Some(name));
        exact.map(|node| node.rect().center().y)
    }

    /// Scrolls the form until a widget of exactly this name is well inside the sheet.
    #[track_caller]
    fn reach(&mut self, role: Role, name: &str) {
        if self.place(role, name).is_some_and(|y| (90.0..690.0).contains(&y)) {
            return;
        }
        self.scroll(-10_000.0);
        for _ in 0..40 {
            let before = self.place(role, name);
            if before.is_some_and(|y| (90.0..690.0).contains(&y)) {
                return;
            }
            self.scroll(150.0);
            // What stands in the lines below the form does not move with it.
            if before.is_some() && self.place(role, name) == before {
                return;
            }
        }
        panic!("no {role:?} {name}: {:#?}", labels(&self.window, role, &[]));
    }

    #[track_caller]
    fn click(&mut self, role: Role, name: &str) {
        self.reach(role, name);
        let words = [name];
        let nodes = all(&self.window, role, &words);
        let exact = nodes.iter().rev().find(|node| node.accesskit_node().label().as_deref() == Some(name));
        exact.unwrap_or_else(|| panic!("no {role:?} {name}")).click_accesskit();
        drop(nodes);
        settle(&mut self.window);
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn open(&mut self, sheet: Sheet) {
        self.window.state_mut().state.act(Action::Sheet(Some(sheet)));
        settle(&mut self.window);
    }

    /// Presses a button and takes the request that it makes, before the window carries it out.
    #[track_caller]
    fn measure(&mut self, text: &str) -> RunRequest {
        let words = [text];
        all(&self.window, Role::Button, &words).first().unwrap_or_else(|| panic!("no button {text}")).click();
        for _ in 0..4 {
            self.window.step();
            let actions = &mut self.window.state_mut().state.actions;
            if let Some(at) = actions.iter().position(|action| matches!(action, Action::RunPlan(_)))
                && let Action::RunPlan(request) = actions.remove(at)
            {
                settle(&mut self.window);
                return *request;
            }
        }
        panic!("{text} asked for nothing");
    }

    #[track_caller]
    fn retype(&mut self, field: &str, text: &str) {
        self.reach(Role::TextInput, field);
        retype(&mut self.window, field, text);
    }

    #[track_caller]
    fn is_on(&mut self, role: Role, name: &str) -> bool {
        self.reach(role, name);
        let words = [name];
        let nodes = all(&self.window, role, &words);
        let exact = nodes.iter().rev().find(|node| node.accesskit_node().label().as_deref() == Some(name));
        let node = exact.unwrap_or_else(|| panic!("no {role:?} {name}"));
        node.accesskit_node().toggled() == Some(Toggled::True)
    }

    #[track_caller]
    fn is_disabled(&self, text: &str) -> bool {
        let words = [text];
        all(&self.window, Role::Button, &words).first().expect("is there").accesskit_node().is_disabled()
    }

    #[track_caller]
    fn choose(&mut self, combo: &str, choice: &str) {
        self.click(Role::ComboBox, combo);
        self.click(Role::Button, choice);
    }

    #[track_caller]
    fn shows(&mut self, text: &str) {
        for turn in 0..12 {
            if shows(&self.window, text) {
                return;
            }
            self.scroll(if turn == 0 { -10_000.0 } else { 150.0 });
        }
        assert!(shows(&self.window, text), "{text:?}: {:#?}", labels(&self.window, Role::Label, &[]));
    }
}

#[track_caller]
fn retype(window: &mut Window, field: &str, text: &str) {
    let words = [field];
    let find = |window: &Window, act: &dyn Fn(&egui_kittest::Node<'_>)| {
        let nodes = all(window, Role::TextInput, &words);
        let exact = nodes.iter().rev().find(|node| node.accesskit_node().label().as_deref() == Some(field));
        act(exact.unwrap_or_else(|| panic!("no field {field}: {:#?}", labels(window, Role::TextInput, &[]))));
    };
    find(window, &|node| node.focus());
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.step();
    find(window, &|node| node.type_text(text));
    settle(window);
}

#[test]
fn a_plan_is_made_by_clicks() {
    let mut bench = Bench::new(Some(&lab()), &[]);
    press(&mut bench.window, Modifiers::COMMAND, Key::R);
    assert!(bench.is_on(Role::CheckBox, "variant format 7"));
    assert!(!bench.is_on(Role::CheckBox, "null-blame"), "the lab names no file to blame");
    for name in ["checkout", "null-export", "null-log -v", "null-log -v -g", "null-list", "verify"] {
        bench.click(Role::CheckBox, name);
    }
    bench.shows("24 runs");
    bench.shows("8 cells, 3 times each");
    bench.click(Role::CheckBox, "medium stick");
    bench.click(Role::CheckBox, "option ignore-externals of export");
    bench.click(Role::RadioButton, "threads (-T)");
    bench.click(Role::RadioButton, "server started for each cell");
    bench.retype("repetitions", "5");
    bench.retype("longest run", "90.5");
    bench.retype("title", "Exports, again");
    let request = bench.measure("Measure 20 runs");
    assert_eq!(bench.window.state().state.sheet, None, "the sheet makes room for the run");
    let plan = &request.plan;
    assert_eq!(plan.operations.len(), 1);
    assert_eq!(plan.operations[0].options.get("ignore-externals"), Some(&false.into()));
    assert_eq!((plan.server.mode, plan.server.restart), (ServerMode::Threads, Restart::Cell));
    assert_eq!((plan.media.clone(), plan.repetitions), (vec!["disk".to_owned()], 5));
    assert!((plan.limits.run_secs - 90.5).abs() < 1e-9);
    assert_eq!(plan.steps.len(), 20);
    assert!(request.lab.builds[0].directory.starts_with(bench.directory.path()), "paths are absolute");
    let name = request.directory.file_name().expect("a name").to_string_lossy().into_owned();
    assert!(name.starts_with("exports-again-20"), "{name}");
}

#[test]
fn wrong_numbers_are_said_and_nothing_is_measured() {
    let mut bench = Bench::new(Some(&lab()), &[]);
    bench.open(Sheet::Plan);
    assert!(!bench.is_disabled("Measure"));
    for (field, text, expect) in [
        ("repetitions", "0", "a number from 1 to 10,000"),
        ("samples a second", "many", "a number from 1 to 100"),
        ("longest start", "-1", "a number from 0.001 to 604,800"),
    ] {
        bench.retype(field, text);
        bench.shows(&format!("{field}: {expect}"));
        assert!(bench.is_disabled("Measure"), "{field}");
        bench.retype(field, "7");
        assert!(!bench.is_disabled("Measure"), "{field}");
    }
    bench.click(Role::CheckBox, "repository hist");
    bench.shows("Nothing can be measured yet");
    assert!(bench.is_disabled("Measure"));
}

#[test]
fn a_plan_is_saved_and_opened_again() {
    let mut bench = Bench::new(Some(&lab()), &[]);
    bench.open(Sheet::Plan);
    bench.retype("title", "kept");
    bench.click(Role::CheckBox, "cache hot");
    bench.click(Role::Button, "Save the plan…");
    let file = bench.file("kept.json");
    bench.retype("Save the plan as", &file.display().to_string());
    bench.click(Role::Button, "Save");
    let written = planfile::read(&file, Some(&lab())).expect("a plan");
    assert_eq!((written.title.as_str(), written.caches), ("kept", vec![Cache::Cold]));
    bench.retype("title", "another");
    bench.click(Role::Button, "Open a plan…");
    bench.retype("Plan to open", &bench.file("nowhere.json").display().to_string());
    bench.click(Role::Button, "Open");
    bench.shows("there is no file of that name");
    bench.retype("Plan to open", &file.display().to_string());
    bench.click(Role::Button, "Open");
    let words = ["title"];
    let title = all(&bench.window, Role::TextInput, &words).first().and_then(egui_kittest::Node::value);
    assert_eq!(title.as_deref(), Some("kept"));
    std::fs::write(&file, "{\"version\": 9}").expect("writes");
    bench.click(Role::Button, "Open a plan…");
    bench.click(Role::Button, "Open");
    bench.shows("newer Triptych");
}

#[test]
fn without_a_lab_the_way_to_one_is_shown() {
    let mut bench = Bench::new(None, &[]);
    bench.open(Sheet::Plan);
    bench.shows("none on this machine yet");
    assert!(bench.is_disabled("Measure"));
    assert_eq!(labels(&bench.window, Role::Link, &["Make a demo lab"]).len(), 1);
    std::fs::write(bench.file("bad.json"), "{\"version\": 1,").expect("writes");
    bench.click(Role::Link, "Use another lab");
    bench.retype("Lab to use", &bench.file("bad.json").display().to_string());
    bench.click(Role::Button, "Use");
    bench.shows("bad.json");
    let good = bench.file("good.json");
    std::fs::write(&good, serde_json::to_string(&lab()).expect("JSON")).expect("writes");
    bench.click(Role::Link, "Use another lab");
    bench.retype("Lab to use", &good.display().to_string());
    bench.click(Role::Button, "Use");
    bench.shows("168 runs");
    assert_eq!(bench.window.state().state.settings.lab, Some(good), "it is the one used next time");
}

/// Selects every run that is open and asks to repeat them.
fn rerun_all(bench: &mut Bench) {
    let state = &mut bench.window.state_mut().state;
    let runs = state.store.runs(&Query::default());
    state.act(Action::Rerun(runs));
    settle(&mut bench.window);
}

#[test]
fn old_rows_are_asked_for_once_and_remembered() {
    let mut bench = Bench::new(Some(&lab()), &["list-table/fsfs-format7-2013.txt"]);
    rerun_all(&mut bench);
    bench.shows("48 cells in their own words");
    bench.shows("Nothing can be measured yet");
    for (name, choice) in [
        ("repository tsvn", "hist"),
        ("variant trunk", "format 6"),
        ("variant branch6", "leave these out"),
        ("variant branch7", "format 7"),
        ("medium USB", "stick"),
        ("medium SSD", "disk"),
    ] {
        bench.choose(&format!("what {name} is in the lab"), choice);
    }
    bench.shows("96 runs");
    bench.shows("32 cells, 3 times each");
    bench.shows("16 cells are left out, as answered");
    bench.retype("repetitions", "4");
    let request = bench.measure("Measure 128 runs");
    let plan = &request.plan;
    assert_eq!(plan.steps.len(), 128);
    assert_eq!(plan.variants, ["format 6", "format 7"]);
    let operations: Vec<&str> =
        plan.operations.iter().map(|operation| operation.experiment.as_str()).collect();
    assert_eq!(operations, ["verify", "null-export", "null-log-v", "null-log-v-g"]);
    assert_eq!(request.expected_secs.len(), 128, "what the old rows took is known for every step");
    let kept: Lab = read(&bench.file("lab.json"));
    assert_eq!(kept.known_as.get("variant trunk").map(String::as_str), Some("format 6"));
    assert_eq!(kept.known_as.get("variant branch6").map(String::as_str), Some(""));

    rerun_all(&mut bench);
    bench.shows("all known, and kept with the lab");
    bench.shows("96 runs");
    assert!(!bench.is_disabled("Measure 96 runs"));
    bench.choose("what variant branch6 is in the lab", "format 6");
    bench.shows("measured once");
}

#[test]
fn old_rows_without_a_lab_say_what_is_needed() {
    let mut bench = Bench::new(None, &["list-table/fsfs-format7-2013.txt"]);
    rerun_all(&mut bench);
    bench.shows("There is no lab to repeat these runs with");
    bench.shows("variant branch7");
    assert!(bench.is_disabled("Measure 0 runs"));
}

#[test]
fn a_rerun_can_be_edited_as_a_plan_of_chosen_cells() {
    let mut known = lab();
    for (name, own) in [("repository tsvn", "hist"), ("variant trunk", "format 6"), ("variant branch6", "")] {
        known.known_as.insert(name.to_owned(), own.to_owned());
    }
    for (name, own) in [("variant branch7", "format 7"), ("medium USB", "stick"), ("medium SSD", "disk")] {
        known.known_as.insert(name.to_owned(), own.to_owned());
    }
    let mut bench = Bench::new(Some(&known), &["list-table/fsfs-format7-2013.txt"]);
    rerun_all(&mut bench);
    bench.click(Role::Button, "Edit as a plan…");
    bench.shows("only 32 chosen cells");
    bench.click(Role::CheckBox, "cache hot");
    bench.shows("only 16 chosen cells");
    bench.shows("48 runs");
    bench.click(Role::Link, "Measure every combination");
    bench.click(Role::CheckBox, "cache hot");
    bench.shows("96 runs");
}

#[test]
fn a_lab_is_written_by_forms() {
    let mut bench = Bench::new(None, &[]);
    bench.open(Sheet::Lab);
    for button in ["Add a build", "Add a medium", "Add a repository", "Add a variant"] {
        bench.click(Role::Button, button);
    }
    assert!(bench.is_disabled("Save the lab…"), "directories are missing");
    bench.retype("name of build 1", "1.14");
    for (field, text) in [
        ("directory of build 1", "/opt/svn/bin"),
        ("directory of medium 1", "/srv"),
        ("directory of copy 1 of repository 1", "/srv/hist"),
        ("server options of variant 1", "--memory-cache-size 64"),
        ("other names of variant 1", "trunk, new"),
        ("name of the lab", "box"),
    ] {
        bench.retype(field, text);
    }
    bench.click(Role::CheckBox, "variant 1 serves copy");
    bench.click(Role::Button, "Save the lab…");
    let file = bench.file("mine.json");
    bench.retype("Save the lab as", &file.display().to_string());
    bench.click(Role::Button, "Save");
    let written: Lab = read(&file);
    assert_eq!(written.name, "box");
    assert_eq!(written.variants[0].build, "1.14", "variants follow a build's new name");
    assert_eq!(written.variants[0].options, ["--memory-cache-size", "64"]);
    assert_eq!(written.variants[0].aliases, ["trunk", "new"]);
    assert_eq!(written.variants[0].copies, ["copy"]);
    assert_eq!(bench.window.state().state.settings.lab.as_deref(), Some(file.as_path()));
    bench.retype("name of medium 1", "SSD");
    bench.click(Role::Button, "Save the lab");
    assert_eq!(read::<Lab>(&file).repositories[0].copies[0].medium, "SSD");
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    serde_json::from_str(&std::fs::read_to_string(path).expect("reads")).expect("JSON")
}

#[test]
fn old_and_new_stand_side_by_side_when_the_new_campaign_comes() {
    let mut bench = Bench::new(Some(&lab()), &["list-table/fsfs-format7-2013.txt"]);
    let row = triptych_runner::rerun::OldRow {
        conditions: triptych_model::Conditions::new()
            .with(triptych_model::Key::Campaign, "fsfs-format7-2013.txt")
            .with(triptych_model::Key::Medium, "SSD"),
        ..Default::default()
    };
    let new = std::path::absolute(common::sample("fsfs-releases")).expect("a path");
    let side = super::rerun::SideBySide::new(&[row], new);
    bench.window.state_mut().state.sheets.side = Some(side);
    settle(&mut bench.window);
    let tiles = |bench: &Bench| labels(&bench.window, Role::Button, &["Menu of Triples"]).len();
    assert_eq!(tiles(&bench), 1);
    bench.window.state_mut().state.act(Action::Open(vec![common::sample("fsfs-releases")]));
    settle(&mut bench.window);
    assert_eq!(tiles(&bench), 2);
    assert!(bench.window.state().state.sheets.side.is_none());
}

#[test]
fn a_demo_lab_is_made_checked_and_its_plan_offered() {
    let mut bench = Bench::new(None, &[]);
    let directory = bench.file("demo-lab");
    bench.open(Sheet::Plan);
    let options = DemoOptions { revisions: 30, ..DemoOptions::default() };
    super::lab::make_demo_in(&mut bench.window.state_mut().state, directory.clone(), options);
    settle(&mut bench.window);
    bench.shows("90 runs");
    assert!(!bench.is_disabled("Measure 90 runs"));
    assert_eq!(bench.window.state().state.settings.lab, Some(directory.join("lab.json")));
    bench.click(Role::Link, "Edit the lab");
    bench.shows("in order");
    bench.shows("build installed: ok");
    assert!(bench.is_disabled("Save the lab"), "nothing was changed");
    bench.retype("directory of copy 1 of repository 1", "nowhere");
    bench.shows("the lab has changed since");
    bench.click(Role::Button, "Check now");
    bench.shows("copy fmt6_packed: failed");
}

#[test]
fn making_the_demo_lab_is_cancelled_and_leaves_nothing() {
    let mut bench = Bench::new(None, &[]);
    let directory = bench.file("parent").join("demo-lab");
    bench.open(Sheet::Plan);
    super::lab::make_demo_in(&mut bench.window.state_mut().state, directory.clone(), DemoOptions::default());
    bench.window.step();
    let words = ["Cancel the demo lab"];
    all(&bench.window, Role::Button, &words).first().expect("a button").click_accesskit();
    settle(&mut bench.window);
    bench.shows("none on this machine yet");
    // The thread ends a moment after the window has done with it.
    let parent = directory.parent().expect("a parent");
    let is_empty = || std::fs::read_dir(parent).map_or(true, |mut entries| entries.next().is_none());
    let waited = (0..400).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(25));
        is_empty()
    });
    assert!(waited, "nothing is left behind");
}

#[test]
fn tab_walks_through_a_form_in_reading_order() {
    let mut bench = Bench::new(Some(&lab()), &[]);
    bench.open(Sheet::Plan);
    for expect in ["Close", "title", "Edit the lab", "Use another lab", "export", "option tmpfs of export"] {
        let turns = if expect == "option tmpfs of export" { 2 } else { 1 };
        for _ in 0..turns {
            press(&mut bench.window, Modifiers::NONE, Key::Tab);
        }
        let focused = bench
            .window
            .root()
            .query_by(|node| node.is_focused() && node.label().is_some())
            .expect("one has the focus");
        assert_eq!(focused.accesskit_node().label().as_deref(), Some(expect));
    }
    press(&mut bench.window, Modifiers::NONE, Key::Space);
    bench.window.run_steps(3);
    assert!(!bench.is_on(Role::CheckBox, "option tmpfs of export"), "Space does what a click does");
    for _ in 0..60 {
        press(&mut bench.window, Modifiers::NONE, Key::Tab);
        let focused = bench.window.root().query_by(|node| node.is_focused() && node.label().is_some());
        if focused.is_some_and(|node| node.accesskit_node().label().as_deref() == Some("most output")) {
            return;
        }
    }
    panic!("the end of the form is not reached, or not scrolled to");
}
