//! The demo lab in a small size: whole, the same every time, and gone when it fails.

use super::scratch::{MEMORY, part_name};
use super::*;
use crate::testing::{Svnserve, run};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

const SMALL: DemoOptions = DemoOptions { seed: 7, revisions: 120 };

/// One at a time, so that each can look for what it left in memory.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn go_on(_: &DemoProgress) -> bool {
    true
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("listed").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_small_demo_is_whole_and_the_same_every_time() {
    let _alone = alone();
    let base = tempfile::tempdir().expect("a directory");
    let mut shares = Vec::new();
    let place = base.path().join("a");
    let lab = make_demo_with(&place, SMALL, &mut |progress| {
        shares.push(progress.share);
        true
    })
    .expect("made");
    assert!(shares.is_sorted() && shares.iter().all(|share| (0.0..=1.0).contains(share)));
    let files = ["demo.json", "fmt6", "fmt6_packed", "fmt7", "fmt7_packed", "fmt8", "fmt8_packed"];
    assert_eq!(names(&place), [&files[..], &["lab.json", "plan.json"]].concat());
    assert_eq!(labfile::read_absolute(&place.join(LAB_FILE)).expect("read"), lab);
    let dump = |path: &Path| run("svnadmin", &["dump", "-q", path.to_str().expect("a plain path")]);
    let first = dump(&place.join("fmt8_packed"));
    for copy in &lab.repositories[0].copies {
        let format = fs::read_to_string(copy.path.join("db/format")).expect("read");
        assert_eq!(format.lines().next(), copy.format.as_deref(), "{}", copy.name);
        assert!(dump(&copy.path) == first, "{} has another content", copy.name);
    }
    let plan = crate::planfile::read(&place.join(PLAN_FILE), Some(&lab)).expect("a sound plan");
    assert_eq!(plan.variants, ["fmt6", "fmt7", "fmt8"]);
    let again = base.path().join("b");
    make_demo_with(&again, SMALL, &mut go_on).expect("made");
    assert!(dump(&again.join("fmt6")) == first, "the same seed gives another content");
    let mut asked = 0;
    let reused = make_demo_with(&place, SMALL, &mut |_| {
        asked += 1;
        true
    });
    assert_eq!((reused.expect("read"), asked), (lab, 0));
    let other = make_demo_with(&place, DemoOptions { seed: 8, ..SMALL }, &mut go_on).expect_err("refused");
    assert!(other.to_string().contains("another demo lab"), "{other}");
    assert_eq!(names(base.path()), ["a", "b"]);
}

#[test]
fn every_experiment_finds_its_work_in_a_small_demo() {
    let _alone = alone();
    use crate::experiments::{Call, EXPERIMENTS, Output, Target};
    let base = tempfile::tempdir().expect("a directory");
    let place = base.path().join("demo");
    let lab = make_demo_with(&place, SMALL, &mut go_on).expect("made");
    let server = Svnserve::start(&place);
    let repository = &lab.repositories[0];
    let none = BTreeMap::new();
    for row in EXPERIMENTS {
        let out = base.path().join("out");
        fs::create_dir(&out).expect("made");
        let call = Call {
            program: row.spec().program.into(),
            url: format!("{}/fmt7_packed", server.url),
            copy: place.join("fmt7_packed"),
            target: &repository.target,
            file: repository.file.as_deref(),
            options: &none,
            directory: Some(out.clone()),
            config: base.path().join("config"),
        };
        let command = row.command(&call);
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let stdout = run(words[0], &words[1..]);
        let target = (row.target(&none) != Target::None).then(|| (names(&out).len() as u64, 1));
        let counters = row.check(&Output { stdout: &stdout, target, youngest: repository.youngest });
        let counters: BTreeMap<&str, f64> = counters.expect("sound").into_iter().collect();
        for (metric, least) in
            [("merges", 1.0), ("merged_revisions", 10.0), ("files", 100.0), ("deltas", 20.0)]
        {
            assert!(
                counters.get(metric).is_none_or(|value| *value >= least),
                "{}: {counters:?}",
                row.spec().id
            );
        }
        fs::remove_dir_all(&out).expect("removed");
    }
}

#[test]
fn the_demo_lies_in_the_cache_directory() {
    for (cache, home, expect) in [
        (Some("/c"), Some("/h"), Some("/c/triptych/demo-lab")),
        (None, Some("/h"), Some("/h/.cache/triptych/demo-lab")),
        (Some("relative"), Some("/h"), Some("/h/.cache/triptych/demo-lab")),
        (Some(""), None, None),
        (None, Some("relative"), None),
    ] {
        let found = below_cache(cache.map(OsString::from), home.map(OsString::from));
        assert_eq!(found.as_deref(), expect.map(Path::new), "{cache:?} {home:?}");
    }
}

#[test]
fn cancelled_at_any_moment_it_leaves_nothing() {
    let _alone = alone();
    let base = tempfile::tempdir().expect("a directory");
    let place = base.path().join("demo");
    for limit in [0.0, 0.3, 0.84, 0.85, 0.9, 0.95] {
        let error =
            make_demo_with(&place, SMALL, &mut |progress| progress.share < limit).expect_err("cancelled");
        assert!(matches!(error, DemoError::Cancelled), "{error}");
        assert_eq!(names(base.path()), [""; 0]);
        let own = part_name(Path::new("triptych-demo"), &format!("{}-", std::process::id()));
        assert!(!names(Path::new(MEMORY)).iter().any(|name| name.starts_with(&own)), "left in memory");
    }
}

#[test]
fn what_a_killed_program_left_is_removed_and_what_a_living_one_makes_is_not() {
    let base = tempfile::tempdir().expect("a directory");
    // The largest pid the kernel gives out is 4194304.
    for name in [".demo.part-4999999-0", ".demo.part-1-3", ".demo.part-x", ".other.part-4999999-0"] {
        fs::create_dir(base.path().join(name)).expect("made");
    }
    remove_stale(&base.path().join("demo"));
    assert_eq!(names(base.path()), [".demo.part-1-3", ".demo.part-x", ".other.part-4999999-0"]);
}

#[test]
fn errors_say_what_to_do() {
    let base = tempfile::tempdir().expect("a directory");
    fs::write(base.path().join("mine"), "x").expect("written");
    let error = make_demo_with(base.path(), SMALL, &mut go_on).expect_err("refused");
    assert!(error.to_string().starts_with("the directory is not empty and holds no demo lab"), "{error}");
    let error = room(base.path(), u64::MAX / BYTES_A_REVISION).expect_err("refused");
    assert!(error.to_string().contains("make room or choose another directory"), "{error}");
    let full =
        DemoError::tool("svnadmin load".into(), "E000028: Can't write: No space left on device".into());
    assert!(full.to_string().ends_with("No space left on device; make room or choose another directory"));
    let error = make_demo_with(&base.path().join("mine/demo"), SMALL, &mut go_on).expect_err("refused");
    assert!(
        error.to_string().contains("Not a directory") || error.to_string().contains("File exists"),
        "{error}"
    );
    assert_eq!(names(base.path()), ["mine"]);
}

#[test]
fn a_tool_that_fails_is_quoted_and_leaves_nothing() {
    let base = tempfile::tempdir().expect("a directory");
    let place = base.path().join("scratch");
    fs::create_dir(&place).expect("made");
    for (svnadmin, expect) in [("/usr/bin/false", "exit status: 1"), ("/absent/svnadmin", "No such file")] {
        let mut making = Making {
            svnadmin: Path::new(svnadmin),
            at: &place,
            work: &place,
            options: SMALL,
            progress: &mut go_on,
        };
        let error = making.all().expect_err("refused").to_string();
        assert!(error.contains("svnadmin create") && error.contains(expect), "{error}");
    }
    // A copy that is gone: load ends, its pipe breaks, and its own words are told.
    let mut making = Making {
        svnadmin: &tools::find("svnadmin").expect("installed"),
        at: &place,
        work: &place,
        options: SMALL,
        progress: &mut go_on,
    };
    let error = making.load(&[place.join("gone")]).expect_err("refused").to_string();
    assert!(error.contains("E000002"), "{error}");
}

/// `cargo test -p triptych-runner -- --ignored --nocapture the_full_demo`; DEMO_DIR keeps it.
#[test]
#[ignore = "takes half a minute; for measuring"]
fn the_full_demo() {
    let base = tempfile::tempdir().expect("a directory");
    let place = std::env::var_os("DEMO_DIR").map_or_else(|| base.path().join("demo"), PathBuf::from);
    let began = Instant::now();
    let lab = make_demo(&place, 1, &mut go_on).expect("made");
    println!("made in {:.1} s", began.elapsed().as_secs_f64());
    for copy in &lab.repositories[0].copies {
        println!(
            "{}: {}",
            copy.name,
            run("du", &["-sh", "--apparent-size", copy.path.to_str().expect("plain")])
        );
    }
    assert!(began.elapsed().as_secs() < 60);
}
