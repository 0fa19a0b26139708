//! Tiles and the table in the real window, by accessible label: what a user clicks and what follows.

mod common;

use common::{Window, sample, settings, settle};
use egui::accesskit::{Role, Toggled};
use egui::{Event, Key, Modifiers, MouseWheelUnit, Vec2};
use egui_kittest::kittest::{AccessKitNode, By, NodeT, Queryable};
use egui_kittest::{Harness, Node};

/// The window on a folder of the sample data, all read and at rest.
fn window(folder: &str) -> Window {
    window_of(folder, [1440.0, 900.0])
}

fn window_of(folder: &str, size: [f32; 2]) -> Window {
    common::window(Harness::builder().with_size(size), settings(), vec![sample(folder)])
}

/// A widget of a role whose label passes.
fn find<'w>(window: &'w Window, role: Role, passes: impl Fn(&str) -> bool + 'w) -> Vec<Node<'w>> {
    let wanted = By::new().predicate(move |node| {
        node.role() == role && node.label().is_some_and(|label| passes(label.as_ref()))
    });
    window.query_all(wanted).collect()
}

fn text(node: &Node<'_>) -> String {
    node.accesskit_node().label().map(|label| label.to_string()).unwrap_or_default()
}

/// Labels of all widgets of a role that contain all of these words.
fn labels(window: &Window, role: Role, words: &[&str]) -> Vec<String> {
    find(window, role, |label| words.iter().all(|word| label.contains(word))).iter().map(text).collect()
}

/// The one widget of a role whose label contains all of these words.
fn label(window: &Window, role: Role, words: &[&str]) -> String {
    let found = labels(window, role, words);
    assert_eq!(found.len(), 1, "{role:?} {words:?}: {found:#?}");
    found.into_iter().next().expect("one")
}

/// The one widget of a role and label.
fn one<'w>(window: &'w Window, role: Role, label: &'w str) -> Node<'w> {
    let mut found = find(window, role, move |other| other == label);
    assert_eq!(found.len(), 1, "{role:?} {label:?}");
    found.remove(0)
}

fn is_on(window: &Window, role: Role, label: &str) -> bool {
    one(window, role, label).accesskit_node().toggled() == Some(Toggled::True)
}

fn click(window: &mut Window, role: Role, label: &str) {
    one(window, role, label).click();
    window.step();
    settle(window);
}

/// How many tiles there are: each has one menu button.
fn tiles(window: &Window) -> usize {
    labels(window, Role::TitleBar, &["Tile "]).len()
}

#[test]
fn a_click_on_a_bar_selects_its_runs_in_the_table_too() {
    let mut window = window("fsfs-format7");
    // The bar, and its ratio in the strip below: one thing at two places.
    let words = ["branch7", "null-log -v, hot", "12.84"];
    let bars = |window: &Window, on: bool| {
        let bars = find(window, Role::Button, |label| words.iter().all(|word| label.contains(word)));
        bars.iter().filter(|bar| (bar.accesskit_node().toggled() == Some(Toggled::True)) == on).count()
    };
    let marks = bars(&window, false);
    assert!(marks >= 2, "{marks}");
    find(&window, Role::Button, |label| words.iter().all(|word| label.contains(word)))[0].click();
    settle(&mut window);
    assert_eq!((bars(&window, true), bars(&window, false)), (marks, 0));
    let row = label(&window, Role::Row, &["null-log -v, hot:"]);
    assert!(is_on(&window, Role::Row, &row), "{row}");
    assert!(row.contains("branch7") && row.contains("ratio 0.39") && row.contains("1 failed"), "{row}");
    let other = label(&window, Role::Row, &["verify, cold:"]);
    assert!(!is_on(&window, Role::Row, &other));
}

#[test]
fn a_row_selects_all_its_runs_and_a_value_its_own() {
    let mut window = window("fsfs-format7");
    let value = label(&window, Role::Cell, &["value of branch6, verify, hot"]);
    let trunk = label(&window, Role::Cell, &["value of trunk, verify, hot"]);
    click(&mut window, Role::Cell, &value);
    assert!(is_on(&window, Role::Cell, &value));
    assert!(!is_on(&window, Role::Cell, &trunk));
    let row = label(&window, Role::Row, &["verify, hot:"]);
    // Rows are walked to and taken with the keyboard.
    one(&window, Role::Row, &row).focus();
    window.run_steps(2);
    for key in [Key::ArrowUp, Key::ArrowUp, Key::ArrowDown] {
        window.key_press(key);
        window.run_steps(2);
    }
    window.key_press(Key::Enter);
    settle(&mut window);
    assert!(is_on(&window, Role::Row, &row));
    assert!(is_on(&window, Role::Cell, &trunk));
}

#[test]
fn control_click_adds_and_takes_away() {
    let mut window = window("fsfs-format7");
    let [first, second] = ["verify, hot", "null-export, cold"]
        .map(|title| label(&window, Role::Cell, &["value of branch6", title]));
    click(&mut window, Role::Cell, &first);
    for expect in [true, false] {
        one(&window, Role::Cell, &second).click_modifiers(Modifiers::COMMAND);
        settle(&mut window);
        assert!(is_on(&window, Role::Cell, &first));
        assert_eq!(is_on(&window, Role::Cell, &second), expect);
    }
}

#[test]
fn a_tile_dragged_by_its_header_moves_and_undo_brings_it_back() {
    let mut window = window("fsfs-format7");
    let left = |window: &Window| one(window, Role::TitleBar, "Tile 1 Triples").rect().left();
    let (at_first, width) = (left(&window), one(&window, Role::TitleBar, "Tile 1 Triples").rect().width());
    let from = one(&window, Role::TitleBar, "Tile 1 Triples").rect().left_center() + Vec2::new(160.0, 0.0);
    let target = one(&window, Role::TitleBar, "Tile 2 Cold vs hot").rect();
    let to = target.right_center() + Vec2::new(-12.0, 120.0);
    window.drag_at(from);
    window.run_steps(2);
    for share in [0.2, 0.6, 1.0] {
        window.hover_at(from + (to - from) * share);
        window.run_steps(3);
    }
    window.drop_at(to);
    settle(&mut window);
    assert!(left(&window) > at_first + width / 4.0, "{} was {at_first}", left(&window));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert!((left(&window) - at_first).abs() < 1.0);
}

#[test]
fn the_table_sorts_by_its_heads() {
    let mut window = window("fsfs-format7");
    let top = |window: &Window, words: &[&str]| {
        let found = label(window, Role::Row, words);
        one(window, Role::Row, &found).rect().top()
    };
    assert!(top(&window, &["verify, cold:"]) < top(&window, &["null-log -v -g, hot:"]));
    click(&mut window, Role::ColumnHeader, "Sort by ratio of branch7");
    assert!(top(&window, &["null-log -v -g, hot:"]) < top(&window, &["verify, hot:"]));
    click(&mut window, Role::ColumnHeader, "Sort by ratio of branch7");
    assert!(top(&window, &["verify, hot:"]) < top(&window, &["null-log -v -g, hot:"]));
}

#[test]
fn the_legend_hides_a_variant_and_shows_it_again() {
    let mut window = window("fsfs-format7");
    let entry = "branch6 in Triples";
    assert!(is_on(&window, Role::CheckBox, entry));
    let before = labels(&window, Role::Button, &["branch6", "null-export"]).len();
    assert!(before > 0);
    click(&mut window, Role::CheckBox, entry);
    assert!(!is_on(&window, Role::CheckBox, entry));
    assert!(labels(&window, Role::Button, &["branch6", "null-export"]).len() < before);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert!(is_on(&window, Role::CheckBox, entry), "hiding can be undone");
}

#[test]
fn tiles_are_duplicated_split_and_closed() {
    let mut window = window("fsfs-format7");
    assert_eq!(tiles(&window), 2, "where no load is known there is no tile for it");
    click(&mut window, Role::Button, "Menu of Cold vs hot");
    click(&mut window, Role::Button, "Duplicate");
    assert_eq!(tiles(&window), 3);
    click(&mut window, Role::Button, "Menu of Triples");
    click(&mut window, Role::Button, "Close the tile");
    assert_eq!(tiles(&window), 2);
    assert!(labels(&window, Role::Button, &["Menu of Triples"]).is_empty());
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert_eq!(tiles(&window), 3);
    click(&mut window, Role::Button, "Menu of Triples");
    click(&mut window, Role::Button, "Split below");
    click(&mut window, Role::Button, "Distribution");
    assert_eq!(tiles(&window), 4);
    assert_eq!(labels(&window, Role::Button, &["Menu of Distribution"]).len(), 1);
}

#[test]
fn linked_loads_share_cursor_and_range() {
    let mut window = window("export-old-new");
    let plots = labels(&window, Role::Canvas, &["Load over time"]);
    assert_eq!(plots.len(), 2, "{plots:#?}");
    assert!(plots.iter().any(|plot| plot.contains("1.6.9")), "{plots:#?}");
    assert!(plots.iter().any(|plot| plot.contains("1.14.2") || plot.contains("1.7.22")), "{plots:#?}");
    assert!(plots.iter().all(|plot| !plot.contains("; at ")));
    let first = plots[0].clone();
    let place = one(&window, Role::Canvas, &first).rect();
    window.hover_at(place.left_center() + Vec2::new(20.0, 0.0));
    window.run_steps(3);
    let seconds = |window: &Window| -> Vec<String> {
        let plots = labels(window, Role::Canvas, &["Load over time", "; at "]);
        plots
            .iter()
            .filter_map(|plot| plot.split("; at ").nth(1)?.split('s').next().map(str::to_owned))
            .collect()
    };
    let pointed = seconds(&window);
    assert_eq!(pointed.len(), 2, "both show the second under the pointer");
    assert_eq!(pointed[0], pointed[1]);
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: Vec2::new(0.0, 240.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::default(),
    };
    window.event(wheel);
    window.run_steps(40);
    let zoomed = seconds(&window);
    assert_eq!(zoomed, pointed, "the second under the pointer stays where it is");
    window.hover_at(place.right_center() - Vec2::new(4.0, 0.0));
    window.run_steps(3);
    let right = seconds(&window);
    assert_eq!(right[0], right[1], "both were zoomed");
    window.remove_cursor();
    window.run_steps(3);
    assert!(seconds(&window).is_empty());
}

#[test]
fn a_tile_without_load_says_why_and_what_next() {
    let mut window = window("fsfs-format7");
    click(&mut window, Role::Button, "Menu of Triples");
    click(&mut window, Role::Button, "Split below");
    click(&mut window, Role::Button, "CPU load");
    let says = |node: &AccessKitNode<'_>| {
        node.role() == Role::Label
            && node.value().is_some_and(|text| text.contains("No CPU load for these runs"))
    };
    assert_eq!(window.query_all(By::new().predicate(says)).count(), 1);
    assert_eq!(labels(&window, Role::Button, &["Open a load log…"]).len(), 1);
}

#[test]
fn in_a_narrow_window_tiles_stand_below_each_other() {
    let window = window_of("export-old-new", [560.0, 900.0]);
    let mut tops: Vec<f32> = find(&window, Role::TitleBar, |label| label.starts_with("Tile "))
        .iter()
        .map(|head| head.rect().top())
        .collect();
    tops.sort_by(f32::total_cmp);
    assert_eq!(tops.len(), 4);
    assert!(tops.windows(2).all(|pair| pair[1] - pair[0] > 100.0), "{tops:?}");
}

#[test]
fn another_run_is_picked_by_name_and_undone() {
    let mut window = window("export-old-new");
    let picker = |window: &Window| label(window, Role::ComboBox, &["Run of tile 3:"]);
    let first = picker(&window);
    click(&mut window, Role::ComboBox, &first);
    let offered = labels(&window, Role::Button, &["export, ", ", run "]);
    let another = offered.iter().find(|title| !title.contains("1.6.9")).expect("another variant").clone();
    let variant = another.split(", ").nth(1).expect("a variant").to_owned();
    click(&mut window, Role::Button, &another);
    assert!(picker(&window).contains(&variant), "{} {another}", picker(&window));
    window.key_press(Key::Escape);
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert_eq!(picker(&window), first);
}

#[test]
fn a_tile_that_is_not_linked_has_a_cursor_of_its_own() {
    let mut window = window("export-old-new");
    find(&window, Role::Button, |label| label == "Unlink the time axis")[0].click();
    settle(&mut window);
    let plot = labels(&window, Role::Canvas, &["Load over time"])[0].clone();
    let place = one(&window, Role::Canvas, &plot).rect();
    window.hover_at(place.center());
    window.run_steps(3);
    assert_eq!(labels(&window, Role::Canvas, &["Load over time", "; at "]).len(), 1);
}

#[test]
fn the_table_is_a_tile_too_and_tiles_are_tabs() {
    let mut window = window("fsfs-format7");
    let rows = labels(&window, Role::Row, &["null-export, hot:"]).len();
    click(&mut window, Role::Button, "Menu of Cold vs hot");
    click(&mut window, Role::Button, "Add as tab");
    click(&mut window, Role::Button, "Table");
    assert!(is_on(&window, Role::Tab, "Table tab"));
    assert!(!is_on(&window, Role::Tab, "Cold vs hot tab"));
    assert_eq!(labels(&window, Role::Row, &["null-export, hot:"]).len(), rows + 1);
    click(&mut window, Role::Tab, "Cold vs hot tab");
    assert_eq!(labels(&window, Role::Row, &["null-export, hot:"]).len(), rows);
}

#[test]
fn where_there_is_room_for_one_panel_tabs_choose_it() {
    let mut window = window_of("export-old-new", [560.0, 900.0]);
    let sources = |window: &Window| !labels(window, Role::Button, &["export-old-new, "]).is_empty();
    let tiles = |window: &Window| find(window, Role::TitleBar, |label| label.starts_with("Tile ")).len();
    assert!(!sources(&window) && tiles(&window) == 4);
    click(&mut window, Role::Tab, "Sources");
    assert!(sources(&window) && tiles(&window) == 0);
}

#[test]
fn the_first_load_log_brings_its_charts() {
    let mut window = window("fsfs-format7");
    let loads = |window: &Window| find(window, Role::TitleBar, |label| label.contains("CPU load")).len();
    assert_eq!(loads(&window), 0);
    window.state_mut().open(vec![common::sample("export-old-new")]);
    settle(&mut window);
    assert_eq!(loads(&window), 2);
}
