//! What becomes of rows: of the mail of 2013, of foreign logs, of the runner's own runs.

use super::*;
use crate::lab::{Medium, Repository, RepositoryCopy, Variant};
use crate::plan::{Cache, Restart, ServerMode};
use serde_json::json;
use std::collections::BTreeMap;

const COMMANDS: [(&str, &str); 4] = [
    ("verify", "svnadmin verify -M 4000 -q $repo"),
    ("null-export", "svnbench null-export svn://localhost/tsvn/trunk -q"),
    ("null-log -v", "svnbench null-log svn://localhost/tsvn/trunk -v -q"),
    ("null-log -v -g", "svnbench null-log svn://localhost/tsvn/trunk -v -g -q"),
];

fn row(id: usize, operation: &str, command: &str, rest: [&str; 4]) -> OldRow {
    let [repository, variant, medium, cache] = rest;
    let mut conditions = Conditions::new().with(Key::Campaign, "mail").with(Key::Operation, operation);
    let keys = [
        (Key::Command, command),
        (Key::Repository, repository),
        (Key::Variant, variant),
        (Key::Medium, medium),
        (Key::Cache, cache),
    ];
    for (key, text) in keys.into_iter().filter(|(_, text)| !text.is_empty()) {
        conditions.set(key, text);
    }
    OldRow { id: format!("mail#{id}"), conditions, settings: Map::new() }
}

/// The table of 2013 as the reader gives it.
fn mail() -> Vec<OldRow> {
    let mut rows = Vec::new();
    for (operation, command) in COMMANDS {
        for medium in ["USB", "SSD"] {
            for cache in ["cold", "hot"] {
                for (variant, format) in [("trunk", "6"), ("branch6", "6"), ("branch7", "7")] {
                    let mut one = row(rows.len() + 1, operation, command, ["tsvn", variant, medium, cache]);
                    one.conditions.set(Key::Format, format);
                    rows.push(one);
                }
            }
        }
    }
    rows
}

/// A lab with variants `format 6`, `format 7`, `format 8`, a repository and a medium.
fn lab() -> Lab {
    let mut lab = Lab::new("demo");
    lab.media.push(Medium { name: "disk".into(), ..Medium::default() });
    let mut repository = Repository { name: "demo".into(), ..Repository::default() };
    for format in ["6", "7", "8"] {
        let copy = format!("fmt{format}");
        lab.variants.push(Variant {
            name: format!("format {format}"),
            copies: vec![copy.clone()],
            ..Variant::default()
        });
        repository.copies.push(RepositoryCopy {
            name: copy,
            format: Some(format.into()),
            medium: "disk".into(),
            ..RepositoryCopy::default()
        });
    }
    lab.repositories.push(repository);
    lab.baseline = Some("format 6".into());
    lab
}

fn titles(draft: &RerunDraft) -> Vec<String> {
    draft.missing.iter().map(|missing| format!("{}: {}", missing.title(), missing.needed_by)).collect()
}

#[test]
fn the_mail_of_2013_names_its_48_cells_and_what_is_missing() {
    let draft = map(&mail(), Some(&lab()));
    assert_eq!(draft.cells.len(), 48);
    assert_eq!(draft.cells[0].name, "verify --cache-size=4000 tsvn, USB cold, trunk");
    assert_eq!(draft.cells[47].name, "null-log -v -g tsvn, SSD hot, branch7");
    assert_eq!(
        titles(&draft),
        [
            "repository tsvn: 48",
            "variant trunk: 16",
            "medium USB: 24",
            "variant branch6: 16",
            "variant branch7: 16",
            "medium SSD: 24",
        ]
    );
    assert_eq!((draft.plan, draft.notes), (None, Vec::<String>::new()));
    let likeliest = |name: &str| {
        let missing = draft.missing.iter().find(|missing| missing.name == name).expect("missing");
        missing.suggestions.first().cloned().expect("a suggestion")
    };
    assert_eq!(likeliest("branch7"), "format 7");
    assert_eq!(likeliest("branch6"), "format 6");
}

#[test]
fn without_a_lab_the_cells_are_named_all_the_same() {
    let draft = map(&mail(), None);
    assert_eq!(draft.cells.len(), 48);
    assert_eq!(draft.missing.len(), 6);
    assert!(draft.missing.iter().all(|missing| missing.suggestions.is_empty()));
    assert_eq!(draft.plan, None);
}

#[test]
fn answers_are_remembered_and_make_a_plan() {
    let mut lab = lab();
    for (kind, name, own) in [
        (Kind::Repository, "tsvn", "demo"),
        (Kind::Variant, "trunk", "format 6"),
        (Kind::Variant, "branch7", "format 7"),
        (Kind::Variant, "branch6", ""),
        (Kind::Medium, "SSD", "disk"),
        (Kind::Medium, "USB", ""),
    ] {
        answer(&mut lab, kind, name, own).expect("known");
    }
    let wrong = answer(&mut lab, Kind::Medium, "USB", "floppy").expect_err("unknown");
    assert_eq!(wrong, "the lab has no medium floppy; there are disk");

    // The lab's own file keeps the answers.
    let text = serde_json::to_string(&lab).expect("written");
    let lab: Lab = serde_json::from_str(&text).expect("read");
    let draft = map(&mail(), Some(&lab));
    assert_eq!(draft.missing, []);
    assert_eq!(draft.left_out.len(), 24 + 16 - 8 + 8, "a sentence for each name of a cell");
    let plan = draft.plan.expect("a plan");
    assert_eq!(plan.cells.len(), 4 * 2 * 2);
    assert_eq!(plan.variants, ["format 6", "format 7"]);
    assert_eq!((plan.repositories, plan.media), (vec!["demo".into()], vec!["disk".into()]));
    assert_eq!(plan.caches, [Cache::Cold, Cache::Hot]);
    assert_eq!(plan.repetitions, FEWEST, "one published figure asks for a few runs");
    assert_eq!(plan.operations[0].options, BTreeMap::from([("cache-size".to_owned(), json!(4000))]));
    assert_eq!((plan.title.as_str(), plan.repeats.len()), ("mail, again", 48));
}

#[test]
fn names_are_found_as_they_stand_then_by_alias_then_without_regard_to_case() {
    let mut lab = lab();
    lab.variants[0].aliases.push("trunk".into());
    lab.repositories[0].aliases.push("hist".into());
    for (kind, name, expect) in [
        (Kind::Variant, "format 7", Some("format 7")),
        (Kind::Variant, "Format 7", Some("format 7")),
        (Kind::Variant, "trunk", Some("format 6")),
        (Kind::Variant, "Trunk", Some("format 6")),
        (Kind::Variant, "trunkless", None),
        (Kind::Variant, "", None),
        (Kind::Repository, "hist", Some("demo")),
        (Kind::Repository, "fmt7", Some("demo")),
        (Kind::Repository, "", Some("demo")),
        (Kind::Medium, "DISK", Some("disk")),
        (Kind::Cache, "Cold", Some("cold")),
        (Kind::Cache, "WarmOS", None),
        (Kind::Experiment, "verify", Some("verify")),
    ] {
        let found = names::find(Some(&lab), kind, name).name();
        assert_eq!(found.as_deref(), expect, "{} {name:?}", kind.word());
        assert_eq!(Kind::parse(kind.word()), Some(kind));
    }
}

#[test]
fn options_come_from_the_command() {
    let none: &[(&str, Value)] = &[];
    for (operation, command, expect, unrepeated) in [
        ("export", "svn export --ignore-externals -q svn://h/r /dev/shm/t", none, 0),
        ("export", "time svn-1.6.9 export -q svn://h/r /tmp/t", &[("ignore-externals", json!(false))], 0),
        ("verify", "/usr/bin/time -v svnadmin verify -M64 -q $repo", none, 1),
        ("verify", "svnadmin verify --memory-cache-size=64 $repo", &[("cache-size", json!(64))], 0),
        ("verify", "svnadmin verify -M $SIZE $repo", none, 1),
        ("null-log -v", "svnbench null-log -qv URL -l 100", &[("limit", json!(100))], 0),
        ("null-log -v -g", "svnbench null-log --use-merge-history --verbose URL", none, 0),
        ("null-log -v", "svnbench null-log -v URL --with-all-revprops", none, 1),
        (
            "null-list",
            "svnbench null-list URL -v",
            &[("recursive", json!(false)), ("verbose", json!(true))],
            0,
        ),
        ("null-list", "svnbench null-list -R URL", none, 0),
        ("null-list", "", none, 0),
    ] {
        let one = row(1, operation, command, ["r", "v", "m", "cold"]);
        let (found, sentences) = command::operation_of(&one);
        let expect = expect.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        assert_eq!(found.expect("an experiment").options, expect, "{command}: {sentences:?}");
        assert_eq!(sentences.len(), unrepeated, "{command}: {sentences:?}");
    }
}

#[test]
fn an_operation_without_an_experiment_is_asked_for() {
    let rows = [row(1, "commit", "svn ci -m x", ["demo", "format 6", "disk", "cold"])];
    let mut lab = lab();
    let draft = map(&rows, Some(&lab));
    assert_eq!(draft.cells[0].name, "commit demo, disk cold, format 6");
    assert_eq!(titles(&draft), ["experiment commit: 1"]);
    answer(&mut lab, Kind::Experiment, "commit", "checkout").expect("known");
    let plan = map(&rows, Some(&lab)).plan.expect("a plan");
    assert_eq!(plan.operations[0].experiment, "checkout");
}

#[test]
fn the_runners_own_rows_repeat_exactly() {
    let mut rows = Vec::new();
    for repetition in 1..=2 {
        for variant in ["format 8", "format 6"] {
            let mut one = row(rows.len(), "export", "svn export x", ["demo", variant, "disk", "hot-server"]);
            one.conditions.set(Key::Repetition, repetition.to_string());
            let settings = json!({
                "experiment": "export",
                "options": {"tmpfs": false},
                "server": {"mode": "threads", "restart": "cell", "no_log": true},
                "warm_ups": 2,
            });
            one.settings = settings.as_object().cloned().expect("an object");
            rows.push(one);
        }
    }
    let draft = map(&rows, Some(&lab()));
    assert_eq!((draft.missing, draft.notes), (vec![], Vec::<String>::new()));
    let plan = draft.plan.expect("a plan");
    assert_eq!(plan.operations[0].options, BTreeMap::from([("tmpfs".to_owned(), json!(false))]));
    assert_eq!((plan.repetitions, plan.warm_ups), (2, 2));
    assert_eq!((plan.server.mode, plan.server.restart), (ServerMode::Threads, Restart::Cell));
    assert!(plan.server.no_log);
    assert_eq!(plan.variants, ["format 6", "format 8"], "baseline first");
    assert_eq!(plan.cells.len(), 2);
    assert_eq!(crate::planfile::faults(&plan, Some(&lab())), []);

    let wish = Wish { repetitions: Some(9), title: Some("mine".into()) };
    let plan = map_as(&rows, Some(&lab()), &wish).plan.expect("a plan");
    assert_eq!((plan.repetitions, plan.title.as_str()), (9, "mine"));
}

#[test]
fn what_will_be_otherwise_is_said() {
    let mut one = row(1, "verify", "", ["demo", "format 6", "", "cold"]);
    one.conditions.set(Key::Network, "LAN");
    let mut two = row(2, "verify", "", ["demo", "Format 6", "", "cold"]);
    two.conditions.set(Key::Network, "local");
    let mut three = row(3, "read", "", ["files", "", "", "cold"]);
    three.conditions.set(Key::Threads, "5");
    let draft = map(&[one, two, three], Some(&lab()));
    assert_eq!(
        draft.notes,
        [
            "some rows were measured over the network LAN: they are repeated on this machine",
            "the rows do not say the medium: it is disk, the lab's only one",
            "verify demo, unknown medium cold, Format 6: in this lab it is the same as another cell and measured once",
        ]
    );
    let left = "read files, unknown medium cold, 5 clients, unknown variant: the runner measures one client at a time";
    assert_eq!((draft.missing, draft.left_out), (vec![], vec![left.to_owned()]));
    assert_eq!(draft.plan.expect("a plan").cells.len(), 1);
}

#[test]
fn a_cell_without_a_copy_is_left_out_and_named() {
    let mut lab = lab();
    lab.media.push(Medium { name: "USB".into(), ..Medium::default() });
    let rows = [
        row(1, "verify", "", ["demo", "format 6", "USB", "cold"]),
        row(2, "null-export", "", ["demo", "format 6", "disk", "cold"]),
    ];
    let draft = map(&rows, Some(&lab));
    assert_eq!(
        draft.left_out,
        ["verify demo, USB cold, format 6: the variant format 6 has no copy of demo on USB"]
    );
    let plan = draft.plan.clone().expect("a plan");
    assert_eq!(plan.operations.len(), 1, "only what is used");
    assert_eq!((plan.cells[0].operation, plan.cells[0].medium.as_str()), (0, "disk"));
    let cells: Vec<Cell> = draft.cells.iter().filter_map(|old| old.cell.clone()).collect();
    assert_eq!((cells[0].operation, cells[1].operation), (0, 1));
    assert_eq!(draft.in_plan(&cells[0]), None);
    assert_eq!(draft.in_plan(&cells[1]).as_ref(), plan.cells.first());
    assert_eq!(map(&rows[..1], Some(&lab)).plan, None);
}
