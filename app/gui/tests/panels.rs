//! Panels and sheets in the real window, by accessible label: filter, follow a bar to its raw line,
//! correct a pattern, a cell and a name, go from a problem to its line.

mod common;

use common::{Window, sample, settings, settle};
use egui::accesskit::{Role, Toggled};
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use std::path::PathBuf;

/// The window on these paths, all read and at rest.
fn window(paths: Vec<PathBuf>) -> Window {
    common::window(Harness::builder().with_size([1440.0, 900.0]), settings(), paths)
}

/// Names of all widgets of a role that contain all of these words.
fn names(window: &Window, role: Role, words: &[&str]) -> Vec<String> {
    window
        .root()
        .query_all_by(move |node| node.role() == role)
        .filter_map(|node| node.accesskit_node().label().or_else(|| node.accesskit_node().value()))
        .map(|text| text.to_string())
        .filter(|text| words.iter().all(|word| text.contains(word)))
        .collect()
}

fn has_text(window: &Window, text: &str) -> bool {
    [Role::Label, Role::Heading, Role::Image].iter().any(|role| !names(window, *role, &[text]).is_empty())
}

/// Asserts that exactly one widget has such a name and gives the name.
#[track_caller]
fn only(window: &Window, role: Role, words: &[&str]) -> String {
    let found = names(window, role, words);
    assert_eq!(found.len(), 1, "{role:?} {words:?}: {found:#?}, all: {:#?}", names(window, role, &[]));
    found.into_iter().next().expect("one")
}

/// The first of the widgets whose name contains these words: a bar stands in several charts.
#[track_caller]
fn first(window: &Window, role: Role, words: &[&str]) -> String {
    names(window, role, words).into_iter().next().unwrap_or_else(|| panic!("no {role:?} {words:?}"))
}

/// Clicks the first widget of that name.
#[track_caller]
fn click_first(window: &mut Window, role: Role, name: &str) {
    window
        .root()
        .query_all_by(move |node| node.role() == role)
        .find(|node| node.accesskit_node().label().is_some_and(|label| label == name))
        .expect("is there")
        .click();
    settle(window);
}

#[track_caller]
fn node<'a>(window: &'a Window, role: Role, name: &str) -> egui_kittest::Node<'a> {
    let found: Vec<_> = window
        .root()
        .query_all_by(move |node| node.role() == role)
        .filter(|node| node.accesskit_node().label().is_some_and(|label| label == name))
        .collect();
    match <[_; 1]>::try_from(found) {
        Ok([only]) => only,
        Err(found) => {
            panic!("{} of {role:?} {name:?}; there are {:#?}", found.len(), names(window, role, &[]))
        }
    }
}

#[track_caller]
fn click(window: &mut Window, role: Role, name: &str) {
    node(window, role, name).click();
    settle(window);
}

#[track_caller]
fn is_on(window: &Window, role: Role, name: &str) -> bool {
    node(window, role, name).accesskit_node().toggled() == Some(Toggled::True)
}

/// Types over what a field holds.
#[track_caller]
fn retype(window: &mut Window, field: &str, text: &str) {
    node(window, Role::TextInput, field).focus();
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.step();
    node(window, Role::TextInput, field).type_text(text);
    settle(window);
}

#[test]
fn filters_let_runs_through_by_check_box_and_by_only() {
    let mut window = window(vec![sample("fsfs-format7")]);
    assert!(has_text(&window, "120 of 120 runs"));
    assert!(is_on(&window, Role::CheckBox, "variant branch6"));
    click(&mut window, Role::CheckBox, "variant branch6");
    assert!(!is_on(&window, Role::CheckBox, "variant branch6"));
    assert!(has_text(&window, "80 of 120 runs"));
    node(&window, Role::CheckBox, "cache hot").hover();
    window.run_steps(3);
    click(&mut window, Role::Link, "Only cache hot");
    assert!(has_text(&window, "40 of 120 runs"));
    assert!(!is_on(&window, Role::CheckBox, "cache cold"));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert!(has_text(&window, "80 of 120 runs"), "a filter can be undone");
    click(&mut window, Role::Link, "Clear all filters");
    assert!(is_on(&window, Role::CheckBox, "variant branch6"));
}

#[test]
fn a_facet_folds_away() {
    let mut window = window(vec![sample("fsfs-format7")]);
    click(&mut window, Role::DisclosureTriangle, "variant filter");
    assert!(names(&window, Role::CheckBox, &["variant "]).is_empty());
    click(&mut window, Role::DisclosureTriangle, "variant filter");
    assert_eq!(names(&window, Role::CheckBox, &["variant "]).len(), 3);
}

#[test]
fn campaigns_are_shown_by_a_click_and_list_their_files() {
    let mut window = window(vec![sample("fsfs-format7"), sample("export-old-new")]);
    let campaign = only(&window, Role::Button, &["export-old-new, "]);
    click(&mut window, Role::Button, &campaign);
    assert!(is_on(&window, Role::Button, &campaign));
    click(&mut window, Role::DisclosureTriangle, "Files of export-old-new");
    let file = only(&window, Role::Button, &["new-1.7.22/all_packed/rep1-run1.txt"]);
    click(&mut window, Role::Button, &file);
    assert!(!names(&window, Role::Label, &["line 2: real"]).is_empty(), "the file's lines stand in Details");
}

#[test]
fn a_bar_leads_to_the_raw_line_of_each_of_its_runs() {
    let mut window = window(vec![sample("fsfs-format7")]);
    assert!(has_text(&window, "Nothing is selected"));
    let bar = first(&window, Role::Button, &["branch7", "null-log -v, hot", "12.84"]);
    click_first(&mut window, Role::Button, &bar);
    assert!(has_text(&window, "branch7, null-log -v, hot, real"));
    only(&window, Role::Label, &["12.84", "median of 4", "ratio 0.39", "slower"]);
    assert!(has_text(&window, "branch7 takes 2.55 times as long as trunk."));
    only(&window, Role::Label, &["failed: 0 1"]);
    only(&window, Role::Label, &["line 2: real    0m12.399s"]);
    click(&mut window, Role::Link, "Next run");
    assert!(has_text(&window, "run 2 of 5"), "the failed run is one of them");
    assert!(names(&window, Role::Label, &["0m12.399s"]).is_empty());
    click(&mut window, Role::Link, "Show the failed runs");
    assert!(has_text(&window, "run 5 of 5"));
    assert!(!names(&window, Role::Label, &["line ", "0m0.00"]).is_empty());
    only(&window, Role::Label, &["Connection refused"]);
}

#[test]
fn what_differs_is_counted() {
    let mut window = window(vec![sample("fsfs-format7")]);
    let bar = first(&window, Role::Button, &["branch7", "verify, cold", "7.15"]);
    click_first(&mut window, Role::Button, &bar);
    only(&window, Role::Label, &[" of ", " fact"]);
    click(&mut window, Role::Link, "show equal facts");
    only(&window, Role::Label, &["operation: verify, verify"]);
}

#[test]
fn a_pattern_is_corrected_with_a_preview() {
    let mut window = window(vec![sample("fsfs-format7")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    assert!(has_text(&window, "120 of 120 match"));
    assert!(node(&window, Role::Button, "Apply to 120 runs").accesskit_node().is_disabled());
    retype(&mut window, "Path pattern", "{operation}/{variant}-{nonsense}.txt");
    assert!(has_text(&window, "column 23: unknown key"), "{:#?}", names(&window, Role::Label, &["column"]));
    retype(&mut window, "Path pattern", "{operation}/{variant}-hot-r{repetition}.txt");
    assert!(has_text(&window, "60 of 120 match"));
    click(&mut window, Role::Button, "Apply to 120 runs");
    assert!(names(&window, Role::TextInput, &["Path pattern"]).is_empty(), "the sheet is closed");
    assert!(names(&window, Role::CheckBox, &["cache hot"]).is_empty(), "no path says hot any more");
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert_eq!(names(&window, Role::CheckBox, &["cache hot"]).len(), 1);
}

#[test]
fn the_guessed_pattern_comes_back() {
    let mut window = window(vec![sample("fsfs-format7")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    retype(&mut window, "Path pattern", "{variant}.txt");
    click(&mut window, Role::Button, "Suggest again");
    assert!(has_text(&window, "120 of 120 match"));
    let field = node(&window, Role::TextInput, "Path pattern").value().unwrap_or_default();
    assert!(field.contains("{operation}") && field.contains("{variant}"), "{field}");
}

#[test]
fn a_cell_and_a_name_everywhere_are_corrected() {
    let mut window = window(vec![sample("fsfs-format7")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    retype(&mut window, "Find in files", "verify/trunk-cold");
    let cell = only(&window, Role::Button, &["medium ", "verify/trunk-cold-r1.txt"]);
    click(&mut window, Role::Button, &cell);
    node(&window, Role::TextInput, "New medium").type_text("USB");
    window.key_press(Key::Enter);
    settle(&mut window);
    only(&window, Role::Button, &["medium USB, yours of verify/trunk-cold-r1.txt"]);

    let cell = only(&window, Role::Button, &["variant trunk, ", "verify/trunk-cold-r2.txt"]);
    click(&mut window, Role::Button, &cell);
    click(&mut window, Role::CheckBox, "rename trunk everywhere");
    retype(&mut window, "New name of trunk everywhere", "base");
    window.key_press(Key::Enter);
    settle(&mut window);
    only(&window, Role::Button, &["variant base, ", "verify/trunk-cold-r5.txt"]);
    click(&mut window, Role::Button, "Apply to 120 runs");
    assert!(names(&window, Role::CheckBox, &["variant trunk"]).is_empty());
    assert_eq!(names(&window, Role::CheckBox, &["variant base"]).len(), 1);
}

#[test]
fn files_left_out_in_the_sheet_do_not_count() {
    let mut window = window(vec![sample("fsfs-format7")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    retype(&mut window, "Find in files", "verify/trunk-cold-r1");
    click(&mut window, Role::CheckBox, "Count verify/trunk-cold-r1.txt");
    click(&mut window, Role::Button, "Apply to 119 runs");
    assert!(has_text(&window, "of 119 runs"));
}

#[test]
fn access_logs_are_read_again_by_the_format_typed() {
    const FIELD: &str = "LogFormat of 1 access log";
    let mut window = window(vec![sample("httpd/access-common-us.log")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    assert!(has_text(&window, FIELD));
    retype(&mut window, FIELD, "%h %t %r %y");
    assert!(has_text(&window, "column 11: no such directive"));
    retype(&mut window, FIELD, "%h %l %u %t \"%r\" %>s %b %{ms}T");
    click(&mut window, Role::Button, "Read by this LogFormat");
    // The sheet begins anew with what was read.
    let field = node(&window, Role::TextInput, FIELD).value().unwrap_or_default();
    assert!(field.ends_with("%{ms}T"), "{field}");
}

#[test]
fn logs_with_local_times_are_read_again_in_the_zone_typed() {
    const FIELD: &str = "Zone of 1 log with local times";
    let mut window = window(vec![sample("httpd/ops-timed.log")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    assert!(has_text(&window, FIELD) && has_text(&window, "the log names no time zone"));
    retype(&mut window, FIELD, "IST");
    assert!(has_text(&window, "\"IST\" is no zone; expected an offset such as +01:00"));
    retype(&mut window, FIELD, "CET");
    click(&mut window, Role::Button, "Read by this zone");
    // The sheet begins anew with what was read.
    assert_eq!(node(&window, Role::TextInput, FIELD).value().as_deref(), Some("+01:00"));
    assert!(!has_text(&window, "the log names no time zone"));
}

#[test]
fn a_problem_leads_to_its_line() {
    let mut window = window(vec![sample("list-table/fsfs-format7-2013.txt")]);
    window.key_press(Key::F8);
    settle(&mut window);
    let problem = only(&window, Role::Button, &["fsfs-format7-2013.txt:", "warning"]);
    click(&mut window, Role::Button, &problem);
    let line = problem.split(':').nth(1).unwrap_or_default().to_owned();
    assert!(!names(&window, Role::Label, &[&format!("line {line}: ")]).is_empty(), "{problem}");
    retype(&mut window, "Find in problems", "no such words");
    assert!(has_text(&window, "No problem matches the filter"));
}

#[test]
fn a_missing_path_is_said_to_be_in_place() {
    let mut window = window(vec![sample("fsfs-format7")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::L);
    settle(&mut window);
    let root = sample("").display().to_string();
    retype(&mut window, "Path", &format!("{root}nowhere"));
    click(&mut window, Role::Button, "Open");
    assert!(has_text(&window, "cannot be opened: there is no file or folder of that name"));
    retype(&mut window, "Path", &format!("{root}fsfs-rel"));
    window.key_press(Key::Tab);
    settle(&mut window);
    let text = node(&window, Role::TextInput, "Path").value().unwrap_or_default();
    assert!(text.ends_with("fsfs-releases/"), "{text}");
    window.key_press(Key::Enter);
    settle(&mut window);
    only(&window, Role::Button, &["fsfs-releases, 90 runs"]);
}

#[test]
fn another_campaign_stands_beside_a_tile() {
    let mut window = window(vec![sample("fsfs-format7"), sample("fsfs-releases")]);
    let tiles = |window: &Window| names(window, Role::Button, &["Menu of Triples"]).len();
    assert_eq!(tiles(&window), 1);
    click(&mut window, Role::Button, "Compare with…");
    retype(&mut window, "Find what to compare with", "releases");
    let choice = only(&window, Role::Button, &["campaign fsfs-releases, 90 runs"]);
    click(&mut window, Role::Button, &choice);
    assert_eq!(tiles(&window), 2);
}

#[test]
fn keys_and_words_are_explained() {
    let mut window = window(vec![sample("fsfs-format7")]);
    window.key_press(Key::F1);
    settle(&mut window);
    assert!(has_text(&window, "baseline / variant: above 1 is faster"));
    window.key_press(Key::Escape);
    settle(&mut window);
    assert!(!has_text(&window, "baseline / variant: above 1 is faster"));
}

#[test]
fn published_times_are_said_to_be_real() {
    let mut window = window(vec![sample("list-table/fsfs-format7-2013.txt")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    let combo = only(&window, Role::ComboBox, &["do not say whether they are real"]);
    click(&mut window, Role::ComboBox, &combo);
    click(&mut window, Role::Button, "real: wall time");
    click(&mut window, Role::Button, "Apply to 48 runs");
    assert!(!names(&window, Role::ComboBox, &["metric real"]).is_empty());
}

#[test]
fn copies_of_one_repository_get_one_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = "\nreal\t0m1.250s\nuser\t0m0.020s\nsys\t0m0.003s\n";
    for (variant, repository) in [("old-1.6.9", "fmt6_packed"), ("new-1.9.12", "fmt7b_packed")] {
        let folder = directory.path().join("export").join(variant).join(repository);
        std::fs::create_dir_all(&folder).expect("creates");
        for file in ["rep1-run1.txt", "rep1-run2.txt", "rep2-run1.txt", "rep2-run2.txt"] {
            std::fs::write(folder.join(file), text).expect("writes");
        }
    }
    let mut window = window(vec![directory.path().join("export")]);
    window.key_press_modifiers(Modifiers::COMMAND, Key::I);
    settle(&mut window);
    assert!(has_text(&window, "The variants share no repository: fmt6_packed, fmt7b_packed"));
    retype(&mut window, "Name of the one repository", "hist");
    click(&mut window, Role::Button, "They are one: hist");
    assert!(
        !has_text(&window, "The variants share no repository: "),
        "{:#?}",
        names(&window, Role::Label, &["repository"])
    );
    assert_eq!(names(&window, Role::Button, &["repository hist, "]).len(), 8);
    click(&mut window, Role::Button, "Apply to 8 runs");
    assert!(names(&window, Role::CheckBox, &["repository fmt6_packed"]).is_empty());
}

#[test]
fn runs_left_out_have_a_reason_and_come_back() {
    let mut window = window(vec![sample("fsfs-format7")]);
    let bar = first(&window, Role::Button, &["branch7", "verify, cold", "7.15"]);
    click_first(&mut window, Role::Button, &bar);
    window.key_press_modifiers(Modifiers::COMMAND, Key::E);
    settle(&mut window);
    assert!(has_text(&window, "left out: 0 5"));
    retype(&mut window, "Reason for leaving out", "the disk was busy");
    window.key_press(Key::Enter);
    settle(&mut window);
    click(&mut window, Role::Link, "Take back runs left out: the disk was busy");
    assert!(!has_text(&window, "left out: 0 5"));
    only(&window, Role::Label, &["7.15", "median of 5"]);
}

#[test]
fn a_quality_is_dropped_by_itself() {
    let mut window = window(vec![sample("fsfs-format7")]);
    click(&mut window, Role::CheckBox, "quality failed");
    assert!(has_text(&window, "118 of 120 runs"));
    assert!(!is_on(&window, Role::CheckBox, "quality failed"));
    click(&mut window, Role::CheckBox, "quality failed");
    assert!(has_text(&window, "120 of 120 runs"));
}

#[test]
fn a_campaign_is_removed_from_its_menu_and_by_key() {
    let mut window = window(vec![sample("fsfs-format7"), sample("fsfs-releases")]);
    node(&window, Role::Button, "fsfs-releases, 90 runs").click_secondary();
    settle(&mut window);
    click(&mut window, Role::Button, "Files and conditions…");
    assert!(has_text(&window, "Files and conditions of fsfs-releases"));
    window.key_press(Key::Escape);
    settle(&mut window);
    node(&window, Role::Button, "fsfs-releases, 90 runs").click_secondary();
    settle(&mut window);
    click(&mut window, Role::Button, "Remove from the workspace");
    assert!(names(&window, Role::Button, &["fsfs-releases, 90 runs"]).is_empty());
    node(&window, Role::Button, "fsfs-format7, 120 runs").focus();
    window.run_steps(3);
    window.key_press(Key::ArrowRight);
    settle(&mut window);
    assert!(
        !names(&window, Role::Button, &["branch6-cold-r1.txt, shell-time"]).is_empty(),
        "its files are listed"
    );
    window.key_press(Key::Delete);
    settle(&mut window);
    assert!(names(&window, Role::Button, &["fsfs-format7, 120 runs"]).is_empty());
}
