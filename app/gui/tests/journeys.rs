//! What a user does from start to end, in the real window, by accessible label.

mod common;

use common::{all, click, click_named, labels, on_samples, press, sample, settings, settle, shows, window};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use triptych_gui::{Look, Settings};

const CTRL: Modifiers = Modifiers::COMMAND;

fn type_text(window: &mut common::Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    settle(window);
}

#[test]
fn a_newcomer_types_a_path_and_sees_triples() {
    let mut window = window(Harness::builder().with_size([1280.0, 800.0]), settings(), Vec::new());
    assert!(shows(&window, "Which build is faster, and where?"));
    for entry in [
        "Open files…",
        "Open a folder…",
        "Paste a mail or a terminal",
        "Type a path…",
        "Open the sample data",
    ] {
        assert_eq!(labels(&window, Role::Button, &[entry]).len(), 1, "{entry}");
    }
    press(&mut window, CTRL, Key::L);
    type_text(&mut window, sample("fsfs-format7").to_str().expect("a path of letters"));
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_ne!(
        labels(&window, Role::Button, &["branch7, null-log -v, hot; median of 4", "12.84"]),
        Vec::<String>::new()
    );
}

#[test]
fn a_pasted_mail_is_a_source_like_any_other() {
    let mut window = window(Harness::builder().with_size([1280.0, 800.0]), settings(), Vec::new());
    let mail = fs::read_to_string(sample("list-table/fsfs-format7-2013.txt")).expect("the published figures");
    window.event(Event::Paste(mail));
    settle(&mut window);
    assert_ne!(labels(&window, Role::Button, &["branch7, verify, USB"]), Vec::<String>::new());
    assert!(shows(&window, "pasted text 1"));
}

/// A file as a desktop drops it.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn dropped_folders_are_opened_behind_each_other() {
    let mut window = window(Harness::builder().with_size([1440.0, 900.0]), settings(), Vec::new());
    for name in ["fsfs-format7", "threaded-scan"] {
        window.input_mut().dropped_files.push(Arc::new(Dropped(sample(name))));
        window.step();
        window.step();
    }
    settle(&mut window);
    assert_ne!(labels(&window, Role::Button, &["branch7, verify, cold"]), Vec::<String>::new());
    assert!(shows(&window, "threaded-scan"), "the second did not cancel the first, nor was it lost");
}

#[test]
fn the_baseline_turns_the_ratios_round() {
    let mut window = on_samples(&["fsfs-format7"]);
    let bar = ["branch7, null-log -v, cold"];
    assert!(labels(&window, Role::Button, &bar).iter().any(|label| label.contains("ratio to trunk 0.45")));
    click(&mut window, Role::ComboBox, &["baseline trunk"]);
    click_named(&mut window, Role::Button, "branch7");
    let bar = ["trunk, null-log -v, cold"];
    assert!(labels(&window, Role::Button, &bar).iter().any(|label| label.contains("ratio to branch7 2.21")));
    press(&mut window, CTRL, Key::Z);
    assert_eq!(labels(&window, Role::ComboBox, &["baseline trunk"]).len(), 1);
    press(&mut window, CTRL.plus(Modifiers::SHIFT), Key::Z);
    assert_eq!(labels(&window, Role::ComboBox, &["baseline branch7"]).len(), 1);
}

#[test]
fn a_workspace_is_saved_and_opened_again() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let file = directory.path().join("again.triptych");
    let mut first = on_samples(&["fsfs-format7"]);
    click(&mut first, Role::ComboBox, &["baseline trunk"]);
    click_named(&mut first, Role::Button, "branch6");
    press(&mut first, CTRL, Key::S);
    press(&mut first, CTRL, Key::A);
    type_text(&mut first, file.to_str().expect("a path of letters"));
    press(&mut first, Modifiers::NONE, Key::Enter);
    assert!(file.is_file(), "the workspace was written");

    let second = window(Harness::builder().with_size([1440.0, 900.0]), settings(), vec![file]);
    assert_eq!(labels(&second, Role::ComboBox, &["baseline branch6"]).len(), 1);
    let bars = labels(&second, Role::Button, &["branch7, null-log -v, hot; median of 4"]);
    assert!(bars.iter().any(|label| label.contains("ratio to branch6 0.40")), "{bars:?}");
}

#[test]
fn the_palette_finds_commands_and_data_by_their_letters() {
    let mut window = on_samples(&["fsfs-format7"]);
    press(&mut window, CTRL, Key::P);
    type_text(&mut window, "only variant branch7");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(labels(&window, Role::Button, &["variant branch7"]).len(), 1, "a chip says what is shown");
    assert_eq!(labels(&window, Role::Button, &["branch6, verify"]), Vec::<String>::new());
}

#[test]
fn the_palette_does_what_a_tiles_menu_does() {
    let mut window = on_samples(&["fsfs-format7"]);
    let tiles = |window: &common::Window| labels(window, Role::TitleBar, &["Tile "]).len();
    assert_eq!(tiles(&window), 2);
    for (text, expect) in [("duplicate the tile", 3), ("add a tile distribution", 4), ("close the tile", 3)] {
        press(&mut window, CTRL, Key::P);
        type_text(&mut window, text);
        press(&mut window, Modifiers::NONE, Key::Enter);
        assert_eq!(tiles(&window), expect, "{text}");
    }
}

#[test]
fn failed_runs_enter_nothing_until_asked_for() {
    let mut window = on_samples(&["fsfs-format7"]);
    press(&mut window, CTRL, Key::P);
    type_text(&mut window, "count failed");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_ne!(
        labels(&window, Role::Button, &["branch7, null-log -v, hot; median of 5"]),
        Vec::<String>::new()
    );
}

#[test]
fn runs_are_left_out_with_a_way_back() {
    let mut window = on_samples(&["fsfs-format7"]);
    click(&mut window, Role::Button, &["branch7, null-log -v, hot; median of 4"]);
    press(&mut window, CTRL, Key::E);
    assert_eq!(
        labels(&window, Role::Button, &["branch7, null-log -v, hot; median of 4"]),
        Vec::<String>::new()
    );
    assert!(shows(&window, "5 runs left out"), "with a way back");
    press(&mut window, CTRL, Key::Z);
    assert!(!shows(&window, "5 runs left out"), "the way back was taken, and would lead further now");
    assert_ne!(
        labels(&window, Role::Button, &["branch7, null-log -v, hot; median of 4"]),
        Vec::<String>::new()
    );
}

#[test]
fn bad_files_among_good_ones_are_told_and_lose_nothing() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    fs::write(directory.path().join("empty.txt"), "").expect("written");
    fs::write(directory.path().join("binary.bin"), [0_u8, 159, 146, 150, 0, 1, 2]).expect("written");
    fs::write(directory.path().join("notes.txt"), "nothing was measured here\n").expect("written");
    let paths =
        vec![directory.path().to_owned(), sample("fsfs-format7"), directory.path().join("missing.txt")];
    let mut window = window(Harness::builder().with_size([1440.0, 900.0]), settings(), paths);
    assert_ne!(labels(&window, Role::Button, &["branch7, verify, cold"]), Vec::<String>::new());
    press(&mut window, Modifiers::NONE, Key::F8);
    for name in ["missing.txt", "empty.txt", "binary.bin", "notes.txt"] {
        assert!(shows(&window, name), "{name}");
    }
}

#[test]
fn a_large_log_is_read_while_the_window_answers_and_can_be_cancelled() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let log = directory.path().join("svnserve.log");
    let genuine = fs::read(sample("svnserve/fork-1.6.log")).or_else(|_| {
        let mut logs = fs::read_dir(sample("svnserve"))?.filter_map(Result::ok);
        logs.find(|entry| entry.path().extension().is_some_and(|ending| ending == "log"))
            .map_or_else(|| Err(std::io::Error::other("no server log")), |entry| fs::read(entry.path()))
    });
    let genuine = genuine.expect("a genuine server log");
    fs::write(&log, genuine.repeat(100_000_000 / genuine.len() + 1)).expect("written");
    let mut window = on_samples(&["fsfs-format7"]);
    window.state_mut().open(vec![log]);
    for _ in 0..5 {
        window.step();
        assert!(!window.state().is_idle(), "a large log is not read at once");
    }
    click(&mut window, Role::Button, &["Cancel"]);
    assert!(shows(&window, "Reading cancelled"));
    assert!(!shows(&window, "svnserve.log"));
    assert_ne!(labels(&window, Role::Button, &["branch7, verify, cold"]), Vec::<String>::new());
}

#[test]
fn at_rest_nothing_asks_for_another_frame() {
    let mut window = on_samples(&["fsfs-format7", "export-old-new"]);
    for _ in 0..10 {
        window.step();
    }
    let wanted = window.output().viewport_output.values().map(|viewport| viewport.repaint_delay).min();
    assert!(wanted.is_some_and(|delay| delay > std::time::Duration::from_secs(60)), "{wanted:?}");
}

#[test]
fn every_look_and_text_size_keeps_the_window_usable() {
    for look in [Look::Dark, Look::Light, Look::HighContrast] {
        for text_scale in [0.5, 1.0, 2.0, 3.0] {
            let settings = Settings { look, text_scale, ..settings() };
            let paths = vec![sample("fsfs-format7")];
            let window = window(Harness::builder().with_size([1280.0, 800.0]), settings, paths);
            let bars = all(&window, Role::Button, &["branch7, verify, cold"]);
            assert!(!bars.is_empty(), "{look:?} at {text_scale}");
            assert!(bars.iter().all(|bar| bar.accesskit_node().label().is_some()));
        }
    }
}

#[test]
fn escape_closes_a_menu_before_it_clears_the_selection() {
    let mut window = on_samples(&["fsfs-format7"]);
    click(&mut window, Role::Button, &["branch7, null-log -v, hot; median of 4"]);
    click_named(&mut window, Role::Button, "File");
    assert!(!labels(&window, Role::Button, &["Cancel reading"]).is_empty(), "the menu is open");
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(labels(&window, Role::Button, &["Cancel reading"]).is_empty(), "the menu is closed");
    assert!(!shows(&window, "Nothing is selected"));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(shows(&window, "Nothing is selected"));
}

#[test]
fn a_named_file_that_gives_nothing_says_why() {
    let directory = tempfile::tempdir().expect("a directory");
    let empty = directory.path().join("empty.log");
    fs::write(&empty, "").expect("writes");
    for (path, reason) in
        [(empty, "empty.log was not read: empty"), (directory.path().join("none"), "holds no files")]
    {
        if reason.starts_with("holds") {
            fs::create_dir(&path).expect("creates");
        }
        let size = Harness::builder().with_size([1280.0, 800.0]);
        let mut window = window(size, settings(), vec![path]);
        settle(&mut window);
        assert!(shows(&window, reason), "{reason}");
    }
}

#[test]
fn tab_walks_in_reading_order() {
    let mut window = on_samples(&["export-old-new"]);
    let mut walked: Vec<String> = Vec::new();
    for _ in 0..90 {
        window.key_press(Key::Tab);
        window.run_steps(2);
        let focused = window.query_all_by(|node| node.is_focused() && !node.is_hidden()).next();
        let label = focused.and_then(|node| node.accesskit_node().label().map(|label| label.to_string()));
        walked.push(label.unwrap_or_default());
    }
    let order = [
        "File",
        "metric real",
        "Add sources",
        "variant old-1.6.9",
        "Menu of Triples",
        "Table",
        "Close Details",
    ];
    let places: Vec<_> = order.iter().map(|name| walked.iter().position(|label| label == name)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
}

#[test]
fn what_appears_and_grows_is_read_on_while_the_user_wants_it() {
    const TIME: &str = "real\t0m1.500s\nuser\t0m0.100s\nsys\t0m0.200s\n";
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    fs::write(file("a.txt"), TIME).expect("writes");
    let builder = Harness::builder().with_size([1440.0, 900.0]);
    let mut window = window(builder, settings(), vec![directory.path().to_owned()]);
    assert!(shows(&window, "1 source, 1 run or request"));

    press(&mut window, Modifiers::SHIFT, Key::F5);
    assert!(shows(&window, "watching for changes"));
    fs::write(file("b.txt"), TIME).expect("writes");
    fs::write(file("a.txt"), TIME.repeat(2)).expect("writes");
    wait_until(&mut window, "watching, 2 changes read on");
    wait_until(&mut window, "2 sources, 3 runs and requests");

    press(&mut window, Modifiers::SHIFT, Key::F5);
    assert!(!shows(&window, "watching"));
    fs::write(file("c.txt"), TIME).expect("writes");
    std::thread::sleep(Duration::from_millis(1500));
    settle(&mut window);
    assert!(shows(&window, "2 sources, 3 runs and requests"), "nobody looks any more");
}

/// Steps until a text is on screen; the window looks once a second.
fn wait_until(window: &mut common::Window, text: &str) {
    for _ in 0..200 {
        settle(window);
        if shows(window, text) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{text} does not appear");
}

/// A table in no known format: its figures have no unit, and nothing says what the columns mean.
const TABLE: &str = "test,trunk,branch6\nco,3.5,2.25\nup,10,8\n";

#[test]
fn a_table_of_unknown_columns_is_explained_once() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let (first, second) = (directory.path().join("first.csv"), directory.path().join("second.csv"));
    fs::write(&first, TABLE).expect("writes");
    fs::write(&second, TABLE.replace("3.5", "7")).expect("writes");
    let mut window = window(Harness::builder().with_size([1280.0, 800.0]), settings(), vec![first]);
    assert_eq!(labels(&window, Role::Heading, &["Import first.csv"]).len(), 1, "the sheet opens by itself");
    assert!(shows(&window, "numbers: 3.5, 10"), "what the column holds is shown");
    assert_eq!(window.query_all_by_label_contains("is only supposed").count(), 3);
    assert!(shows(&window, "expected a value with a unit"), "nothing is read that no unit is known of");

    for column in ["trunk", "branch6"] {
        click(&mut window, Role::ComboBox, &["Unit of", column]);
        click_named(&mut window, Role::Button, "ms");
    }
    assert!(shows(&window, "2 \u{b7} operation co, variant trunk \u{b7} time \u{b7} 3.5 \u{b7} 0.0035"));
    click(&mut window, Role::ComboBox, &["Metric of trunk"]);
    click_named(&mut window, Role::Button, "real");
    click(&mut window, Role::ComboBox, &["Metric of branch6"]);
    click_named(&mut window, Role::Button, "real");
    click(&mut window, Role::ComboBox, &["Meaning of test"]);
    click_named(&mut window, Role::Button, "repository");
    assert!(shows(&window, "repository co, variant branch6 \u{b7} real \u{b7} 2.25"));
    assert!(!shows(&window, "is only supposed"));
    click_named(&mut window, Role::Button, "Import 4 runs");

    assert_eq!(labels(&window, Role::Heading, &["Import"]), Vec::<String>::new());
    let bars = labels(&window, Role::Button, &["branch6", "co"]);
    assert!(!bars.is_empty(), "the rows are shown: {:?}", labels(&window, Role::Button, &["branch6"]));

    // The next file with this header asks nothing, and says why.
    window.state_mut().open(vec![second]);
    settle(&mut window);
    assert_eq!(labels(&window, Role::Heading, &["Import"]), Vec::<String>::new());
    assert!(shows(&window, "mean what you answered before"));

    // The workspace keeps the answer, also where the settings know none.
    press(&mut window, CTRL, Key::S);
    press(&mut window, CTRL, Key::A);
    let file = directory.path().join("kept.triptych");
    type_text(&mut window, file.to_str().expect("a path of letters"));
    press(&mut window, Modifiers::NONE, Key::Enter);
    let kept = fs::read_to_string(&file).expect("the workspace was written");
    assert_eq!(kept.matches("\"tables\"").count(), 2, "{kept}");
    let again = common::window(Harness::builder().with_size([1280.0, 800.0]), settings(), vec![file]);
    assert_eq!(labels(&again, Role::Heading, &["Import"]), Vec::<String>::new());
    assert!(!labels(&again, Role::Button, &["branch6"]).is_empty());
}

#[test]
fn a_table_that_nobody_explains_is_not_read() {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let file = directory.path().join("first.csv");
    fs::write(&file, TABLE).expect("writes");
    let mut window = window(Harness::builder().with_size([1280.0, 800.0]), settings(), vec![file]);
    click_named(&mut window, Role::Button, "Cancel");
    assert_eq!(labels(&window, Role::Heading, &["Import first.csv"]), Vec::<String>::new());
    assert_eq!(labels(&window, Role::Button, &["trunk"]), Vec::<String>::new());
}
