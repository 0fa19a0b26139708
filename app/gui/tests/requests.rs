//! The view of server logs: opened, filtered by a bar and by facets, rows looked at, sessions kept.

mod common;

use common::{Window, all, click, click_named, labels, on_samples, press, settings, settle, shows, window};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

const FORK: &str = "svnserve/fork-1.14.log";

fn on_log() -> Window {
    on_samples(&[FORK])
}

/// The text of the first widget of a role with these words.
fn label(window: &Window, role: Role, words: &[&str]) -> String {
    labels(window, role, words).into_iter().next().unwrap_or_else(|| panic!("no {role:?} {words:?}"))
}

#[test]
fn a_server_log_alone_opens_the_view() {
    let window = on_log();
    assert_eq!(label(&window, Role::Heading, &["Filters"]), "Filters, 376 of 376 requests");
    let chart = label(&window, Role::Canvas, &["Requests over time"]);
    assert!(
        chart.contains("fork-1.14.log") && chart.contains("369 actions in") && chart.contains("7 errors"),
        "{chart}"
    );
    assert!(shows(&window, "a session is one pid from its open line on"));
    assert!(shows(&window, "No error in this list proves nothing."));
    assert_eq!(labels(&window, Role::CheckBox, &["client svn 1.14.2"]).len(), 1);
    assert_eq!(
        labels(&window, Role::Button, &["Invalid authz configuration, E220003, first at 08:03:43, 2 times"])
            .len(),
        1
    );
}

#[test]
fn a_bar_keeps_its_time_and_undo_brings_all_back() {
    let mut window = on_log();
    let bars = labels(&window, Role::Button, &["; actions ", "sessions open"]);
    assert!(bars.len() > 5, "{bars:?}");
    click(&mut window, Role::Button, &["; actions ", "sessions open"]);
    assert_eq!(labels(&window, Role::Button, &["time 08:03:"]).len(), 1, "a chip says which time");
    let heading = label(&window, Role::Heading, &["Filters"]);
    assert!(!heading.contains("376 of"), "{heading}");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(label(&window, Role::Heading, &["Filters"]), "Filters, 376 of 376 requests");
}

#[test]
fn a_gap_shows_its_session_and_its_line() {
    let mut window = on_log();
    click(&mut window, Role::Row, &["gap before its line"]);
    assert!(shows(&window, "when the work is done, so the gap to the line before it is an estimate"));
    assert!(shows(&window, "Its session"));
    assert!(shows(&window, "In its file"));
    assert!(shows(&window, " 2026-11-30T08:03:"), "the raw line is shown");
    click_named(&mut window, Role::Button, "Only this session");
    assert_eq!(labels(&window, Role::Button, &["session pid "]).len(), 1);
    click(&mut window, Role::Button, &["session pid "]);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(shows(&window, "Nothing is selected"));
    assert!(shows(&window, "Busiest paths"));
}

#[test]
fn what_is_selected_stays_while_its_log_grows() {
    let log = std::fs::read(common::sample(FORK)).expect("a sample");
    let half = log[..log.len() / 2].iter().rposition(|byte| *byte == b'\n').expect("lines") + 1;
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("svnserve.log");
    std::fs::write(&path, &log[..half]).expect("writes");
    let mut window =
        window(Harness::builder().with_size([1440.0, 900.0]), settings(), vec![directory.path().to_owned()]);
    press(&mut window, Modifiers::SHIFT, Key::F5);
    click(&mut window, Role::Row, &["gap before its line"]);
    let raw_lines = |window: &Window| {
        let lines = window.query_all_by_label_contains(" 2026-11-30T08:03:");
        lines.filter_map(|node| node.accesskit_node().value()).collect::<Vec<_>>()
    };
    let details = raw_lines(&window);
    assert!(!details.is_empty());
    std::fs::write(&path, &log).expect("writes");
    for _ in 0..200 {
        settle(&mut window);
        if label(&window, Role::Heading, &["Filters"]) == "Filters, 376 of 376 requests" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(label(&window, Role::Heading, &["Filters"]), "Filters, 376 of 376 requests");
    assert!(!shows(&window, "Nothing is selected"));
    assert_eq!(raw_lines(&window), details);
}

#[test]
fn facets_and_text_filter_and_say_what_is_left() {
    let mut window = on_log();
    click(&mut window, Role::CheckBox, &["action open"]);
    assert_eq!(labels(&window, Role::Button, &["action is not open"]).len(), 1);
    click(&mut window, Role::Link, &["Clear all filters"]);
    click(&mut window, Role::TextInput, &["Find in path"]);
    window.event(egui::Event::Text("file 1".to_owned()));
    settle(&mut window);
    assert_eq!(labels(&window, Role::Button, &["text file 1"]).len(), 1);
    let heading = label(&window, Role::Heading, &["Filters"]);
    assert!(!heading.starts_with("Filters, 376 of") && !heading.starts_with("Filters, 0 of"), "{heading}");
    click_named(&mut window, Role::Tab, "Table");
    assert!(!labels(&window, Role::Row, &["file 1"]).is_empty());
}

#[test]
fn sessions_problems_and_errors_are_lists() {
    let mut window = on_log();
    click_named(&mut window, Role::Tab, "Sessions");
    click(&mut window, Role::Row, &["session of pid", "svn 1.14.2"]);
    assert!(shows(&window, "A client opens a session."));
    click(&mut window, Role::Button, &["Malformed network data"]);
    assert!(shows(&window, "210004 Malformed network data"));
    click_named(&mut window, Role::Tab, "Problems");
    assert!(
        shows(&window, "Nothing looks wrong") || !labels(&window, Role::Row, &["fork-1.14.log:"]).is_empty()
    );
}

#[test]
fn rows_are_walked_by_the_keyboard() {
    let mut window = on_log();
    click_named(&mut window, Role::Tab, "Table");
    click(&mut window, Role::Row, &["line 1"]);
    let first = labels(&window, Role::Row, &["line 1"]).len();
    assert!(first > 0);
    press(&mut window, Modifiers::NONE, Key::End);
    assert!(shows(&window, "Malformed network data"));
    assert_eq!(labels(&window, Role::Row, &["line 378"]).len(), 1, "the end is in view");
    press(&mut window, Modifiers::NONE, Key::Home);
    assert_eq!(
        labels(&window, Role::Row, &[", line 1"]).iter().filter(|name| name.ends_with(", line 1")).count(),
        1
    );
}

#[test]
fn the_legend_hides_and_the_charts_come_back() {
    let mut window = on_samples(&["fsfs-format7", FORK]);
    assert!(labels(&window, Role::Canvas, &["Requests over time"]).is_empty(), "runs are looked at first");
    press(&mut window, Modifiers::NONE, Key::F6);
    assert_eq!(labels(&window, Role::Canvas, &["Requests over time"]).len(), 1);
    click(&mut window, Role::CheckBox, &["read files, "]);
    let node = all(&window, Role::CheckBox, &["read files, "]);
    assert_eq!(node.len(), 1);
    drop(node);
    click_named(&mut window, Role::Button, "Charts");
    assert!(labels(&window, Role::Canvas, &["Requests over time"]).is_empty());
    assert!(!labels(&window, Role::Button, &["branch7, verify, cold; median"]).is_empty());
}

#[test]
fn several_logs_show_the_largest_first() {
    let mut window = on_samples(&["svnserve"]);
    assert_eq!(labels(&window, Role::Button, &["source fork-1.14.log"]).len(), 1);
    click(&mut window, Role::Button, &["svnserve-1.6.9.log, "]);
    assert_eq!(labels(&window, Role::Button, &["source svnserve-1.6.9.log"]).len(), 1);
    click(&mut window, Role::Button, &["svnserve-1.6.9.log, "]);
    assert!(labels(&window, Role::Button, &["source "]).is_empty(), "all logs again");
}

#[test]
fn errors_are_those_of_the_rows_shown() {
    const BROKEN: &[&str] = &["Malformed network data", "E210004"];
    let mut window = on_samples(&["svnserve"]);
    assert_eq!(label(&window, Role::Heading, &["Errors, "]), "Errors, 7 in 1 log");
    assert_eq!(labels(&window, Role::Button, BROKEN).len(), 1);
    click(&mut window, Role::Button, &["svnserve-1.6.9.log, "]);
    let one = label(&window, Role::Heading, &["Errors, "]);
    assert!(one.ends_with(" in 1 log") && !one.contains(" 7 "), "{one}");
    assert!(labels(&window, Role::Button, BROKEN).is_empty(), "it is another log's");
    click(&mut window, Role::Button, &["svnserve-1.6.9.log, "]);
    let all = label(&window, Role::Heading, &["Errors, "]);
    assert!(all.ends_with(" in 3 logs"), "{all}");
    assert_eq!(labels(&window, Role::Button, BROKEN).len(), 1);
}

#[test]
fn charts_without_times_lead_back_to_the_requests() {
    let mut window = on_log();
    press(&mut window, Modifiers::NONE, Key::F6);
    assert!(labels(&window, Role::Canvas, &["Requests over time"]).is_empty());
    click_named(&mut window, Role::Button, "Show requests (F6)");
    assert_eq!(labels(&window, Role::Canvas, &["Requests over time"]).len(), 1);
}

#[test]
fn lines_without_a_process_have_no_sessions() {
    let window = on_samples(&["httpd/access-combined.log"]);
    let why = "hese lines name no process, so there are no sessions and no gaps";
    assert!(shows(&window, &format!("t{why}")), "the status line");
    assert!(shows(&window, &format!("T{why}")), "the list of gaps");
    assert!(!shows(&window, "one pid from its open line on"));
}

#[test]
fn it_holds_in_small_windows_and_with_large_text() {
    for (size, scale) in
        [([1280.0, 800.0], 1.0), ([700.0, 500.0], 1.0), ([480.0, 320.0], 1.0), ([1280.0, 800.0], 2.0)]
    {
        let settings = triptych_gui::Settings { text_scale: scale, ..settings() };
        let window = window(Harness::builder().with_size(size), settings, vec![common::sample(FORK)]);
        assert_eq!(labels(&window, Role::Canvas, &["Requests over time"]).len(), 1, "{size:?} {scale}");
    }
}

/// Pictures of the view, looked at by hand before they are accepted.
mod pictures {
    use super::*;
    use egui_kittest::{SnapshotOptions, SnapshotResults};
    use triptych_gui::{Look, Settings};

    fn picture(look: Look, size: [f32; 2], log: &str) -> Window {
        let settings = Settings { look, ..settings() };
        let mut window =
            window(Harness::builder().with_size(size).wgpu(), settings, vec![common::sample(log)]);
        let first = all(&window, Role::Row, &[", line "]).first().map(egui_kittest::Node::click);
        assert!(first.is_some());
        settle(&mut window);
        window.remove_cursor();
        settle(&mut window);
        window
    }

    #[test]
    fn looks() {
        let mut results = SnapshotResults::new();
        let options = SnapshotOptions::new().threshold(0.8).max_failed_pixels(300);
        for (name, look, size) in [
            ("requests-dark", Look::Dark, [1440.0, 900.0]),
            ("requests-light", Look::Light, [1280.0, 800.0]),
            ("requests-high-contrast", Look::HighContrast, [1440.0, 900.0]),
        ] {
            let mut window = picture(look, size, FORK);
            results.add(window.try_snapshot_options(name, &options));
        }
        results.unwrap();
    }

    /// Pictures of any log for the eye: `REQUESTS_LOG=… REQUESTS_OUT=… cargo test … by_hand -- --ignored`.
    #[test]
    #[ignore = "for the eye"]
    fn by_hand() {
        let (Ok(log), Ok(out)) = (std::env::var("REQUESTS_LOG"), std::env::var("REQUESTS_OUT")) else {
            return;
        };
        for (name, look, size) in [
            ("dark-1440", Look::Dark, [1440.0, 900.0]),
            ("light-1280", Look::Light, [1280.0, 800.0]),
            ("dark-2560", Look::Dark, [2560.0, 1440.0]),
        ] {
            let mut window = picture(look, size, &log);
            let image = window.render().expect("rendered");
            image.save(format!("{out}/{name}.png")).expect("saved");
        }
    }
}
