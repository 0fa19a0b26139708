//! The verbs that measure: labs, plans, campaigns and what is repeated, with the real runner and Subversion.

mod common;

use assert_cmd::cargo::cargo_bin;
use common::{Run, sample, triptych};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A user who has nothing yet, and the directory he works in.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin!("triptych"));
        command.args(arguments).stdin(Stdio::null()).current_dir(self.0.path());
        for (name, place) in [("HOME", "home"), ("XDG_CACHE_HOME", "cache"), ("XDG_DATA_HOME", "data")] {
            command.env(name, self.path(place));
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        self.command(arguments).output().expect("the program starts").into()
    }

    /// Runs what must be accepted.
    fn good(&self, arguments: &[&str]) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}\n{}", run.stdout, run.stderr);
        run
    }

    /// A demo lab, small enough for a test, in `lab`.
    fn with_lab() -> Self {
        let desk = Self::new();
        let made = desk.good(&["lab", "demo", "lab", "--revisions", "30"]);
        assert_eq!(made.stdout, "lab/lab.json\n");
        assert!(made.stderr.ends_with("next: triptych run lab/plan.json\n"), "{}", made.stderr);
        desk
    }

    /// Writes a plan of hot runs, so that the test disturbs nobody's caches.
    fn plan(&self, name: &str, changes: &Value) {
        let mut plan = json!({
            "version": 1,
            "title": "Small test",
            "operations": [{"experiment": "null-export"}, {"experiment": "verify"}],
            "repositories": ["demo"],
            "variants": ["fmt6", "fmt7"],
            "media": self.media(),
            "caches": ["hot"],
            "repetitions": 1,
        });
        for (key, value) in changes.as_object().expect("changes") {
            plan[key] = value.clone();
        }
        std::fs::write(self.path(name), format!("{plan:#}")).expect("written");
    }

    fn media(&self) -> Value {
        self.json("lab/plan.json")["media"].clone()
    }

    fn json(&self, name: &str) -> Value {
        let text = std::fs::read_to_string(self.path(name)).expect("a file");
        serde_json::from_str(&text).expect("JSON")
    }
}

fn lines(text: &str, end: &str) -> usize {
    text.lines().filter(|line| line.ends_with(end)).count()
}

#[test]
fn the_mail_of_2013_names_48_cells_and_what_the_lab_lacks() {
    let desk = Desk::new();
    let mail = sample("list-table/fsfs-format7-2013.txt");
    let run = desk.good(&["rerun", &mail, "--dry-run"]);
    assert!(run.stdout.starts_with("48 cells of 48 rows\n"), "{}", run.stdout);
    for (command, operation) in [
        ("svnadmin verify -M 4000 -q $repo", "verify --cache-size=4000"),
        ("svnbench null-export svn://localhost/tsvn/trunk -q", "null-export"),
        ("svnbench null-log svn://localhost/tsvn/trunk -v -q", "null-log -v"),
        ("svnbench null-log svn://localhost/tsvn/trunk -v -g -q", "null-log -v -g"),
    ] {
        assert_eq!(lines(&run.stdout, &format!("$ {command}")), 1, "{}", run.stdout);
        for medium in ["USB", "SSD"] {
            for cache in ["cold", "hot"] {
                for variant in ["trunk", "branch6", "branch7"] {
                    let cell = format!("  {operation} tsvn, {medium} {cache}, {variant}");
                    assert_eq!(run.stdout.lines().filter(|line| *line == cell).count(), 1, "{cell}");
                }
            }
        }
    }
    assert!(run.stdout.contains("There is no lab; these names need one\n"), "{}", run.stdout);
    for lack in [
        "  repository tsvn: needed by 48 cells",
        "  variant branch7: needed by 16 cells",
        "  medium USB: needed by 24 cells",
    ] {
        assert_eq!(lines(&run.stdout, lack), 1, "{lack}: {}", run.stdout);
    }
    let refused = desk.run(&["rerun", &mail]);
    assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("triptych lab demo"), "{}", refused.stderr);
}

#[test]
fn the_commands_of_a_cell_are_a_script() {
    let desk = Desk::new();
    let mail = sample("list-table/fsfs-format7-2013.txt");
    let only = ["--where", "variant=branch7", "--where", "medium=USB", "--where", "operation=null-export"];
    let all: Vec<&str> = ["rerun", &mail, "--as", "shell"].iter().chain(&only).copied().collect();
    let run = desk.good(&all);
    assert_eq!(lines(&run.stdout, "# null-export tsvn, USB cold, branch7"), 1, "{}", run.stdout);
    assert!(run.stdout.contains("/trunk\"\n"), "the target of the mail's command: {}", run.stdout);
    std::fs::write(desk.path("script"), &run.stdout).expect("written");
    let checked = Command::new("bash").arg("-n").arg(desk.path("script")).status().expect("bash");
    assert!(checked.success(), "{}", run.stdout);
}

#[test]
fn without_a_lab_the_next_step_is_said() {
    let desk = Desk::new();
    for arguments in [&["run"][..], &["lab", "show"], &["lab", "check"]] {
        let run = desk.run(arguments);
        assert_eq!(run.code, 1, "{arguments:?}: {run:?}");
        assert!(run.stderr.contains("triptych lab demo"), "{arguments:?}: {run:?}");
    }
    let run = desk.run(&["lab"]);
    assert_eq!(run.code, 2, "{run:?}");
}

#[test]
fn a_campaign_begins_only_where_there_is_room_for_it() {
    let desk = Desk::new();
    for name in ["full", "empty", "planned"] {
        std::fs::create_dir(desk.path(name)).expect("made");
    }
    std::fs::write(desk.path("full/notes.txt"), "mine\n").expect("written");
    std::fs::write(desk.path("planned/plan.json"), "{}\n").expect("written");
    for words in
        [&["run", "-o", "full"][..], &["run", "plan.json", "-o", "full"], &["run", "-o", "full", "--dry-run"]]
    {
        let run = desk.run(words);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains("full holds other files; give an empty or a new directory"), "{run:?}");
    }
    for directory in ["missing", "empty", "planned"] {
        let run = desk.run(&["run", "plan.json", "-o", directory]);
        assert_eq!(run.code, 1, "only the plan is missing: {run:?}");
        assert!(run.stderr.contains("plan.json"), "{run:?}");
    }
    assert!(!desk.path("missing").exists());
}

#[test]
fn nothing_is_measured_where_a_program_is_missing() {
    let desk = Desk::with_lab();
    let file = desk.path("lab/lab.json");
    let mut lab: Value = serde_json::from_slice(&std::fs::read(&file).expect("read")).expect("JSON");
    lab["builds"][0]["programs"]["svnserve"] = json!("/nowhere/svnserve");
    std::fs::write(&file, lab.to_string()).expect("written");
    desk.plan("plan.json", &json!({}));
    let words = ["run", "plan.json", "--lab", "lab/lab.json"];
    let run = desk.good(&[&words[..], &["--dry-run"]].concat());
    assert_eq!(lines(&run.stdout, "Missing: /nowhere/svnserve is not there"), 1, "{}", run.stdout);
    let run = desk.run(&[&words[..], &["-o", "campaign"]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("/nowhere/svnserve is not there; triptych lab check says more"), "{run:?}");
    assert!(!desk.path("campaign").exists());
    // Who asks no server needs none.
    desk.plan("plan.json", &json!({"operations": [{"experiment": "verify"}]}));
    let run = desk.good(&[&words[..], &["--dry-run"]].concat());
    assert!(!run.stdout.contains("Missing: "), "{}", run.stdout);
}

#[test]
fn what_is_wrong_with_a_plan_is_told_with_its_place() {
    let desk = Desk::with_lab();
    desk.plan("plan.json", &json!({"variants": ["fmt6", "fmt9"]}));
    let run = desk.run(&["run", "plan.json", "--lab", "lab/lab.json", "--dry-run"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("plan.json:"), "{run:?}");
    assert!(run.stderr.contains("no such variant, found \"fmt9\", expected one of fmt6, "), "{run:?}");
}

#[test]
fn a_dry_run_says_all_and_does_nothing() {
    let desk = Desk::with_lab();
    let before = std::fs::read_dir(desk.0.path()).expect("listed").count();
    let run = desk.good(&["run", "lab/plan.json", "--dry-run"]);
    for line in ["demo: formats 6, 7 and 8: 90 runs of 30 cells in the lab demo", "Order"] {
        assert_eq!(lines(&run.stdout, line), 1, "{}", run.stdout);
    }
    assert!(run.stdout.contains("\n   90  "), "{}", run.stdout);
    assert!(run.stdout.contains("Rights: 45 cold runs "), "{}", run.stdout);
    let duration = "Duration: unknown, no run of its cells is known; ";
    assert!(run.stdout.contains(duration), "{}", run.stdout);
    assert_eq!(std::fs::read_dir(desk.0.path()).expect("listed").count(), before);

    // Once it is made, the demo lab of the cache directory needs no name.
    let made = desk.good(&["lab", "demo", "--revisions", "30"]);
    assert!(made.stdout.ends_with("cache/triptych/demo-lab/lab.json\n"), "{}", made.stdout);
    assert_eq!(desk.good(&["run", "--dry-run"]).stdout, run.stdout);
}

#[test]
fn a_lab_is_shown_and_checked() {
    let desk = Desk::with_lab();
    let shown = desk.good(&["lab", "show", "lab/lab.json"]);
    assert!(shown.stdout.contains("  fmt6: installed on "), "{}", shown.stdout);
    let shown = desk.good(&["lab", "show", "lab/lab.json", "--json"]).json();
    let path = shown["repositories"][0]["copies"][0]["path"].as_str().expect("a path");
    assert!(Path::new(path).join("format").is_file(), "{path} is absolute and a repository");

    let mut lab = desk.json("lab/lab.json");
    // So few revisions fill no shard: nothing is packed, whatever the copies are called.
    assert_eq!(lab["repositories"][0]["copies"][0]["packed"], json!(false));
    let checked = desk.good(&["lab", "check", "lab/lab.json"]);
    assert_eq!(
        lines(&checked.stdout, "ok      variant fmt6: build installed reads fmt6_packed"),
        1,
        "{checked:?}"
    );
    assert!(checked.stdout.ends_with(" 0 failed\n"), "{}", checked.stdout);
    let report = desk.good(&["lab", "check", "lab/lab.json", "--json"]).json();
    assert_eq!((&report["lab"], &report["rows"][0]["state"]), (&json!("demo"), &json!("ok")));
    lab["repositories"][0]["copies"][0]["path"] = json!("nowhere");
    std::fs::write(desk.path("lab/broken.json"), lab.to_string()).expect("written");
    let broken = desk.run(&["lab", "check", "lab/broken.json"]);
    assert_eq!(broken.code, 1, "{broken:?}");
    assert!(broken.stdout.contains("\nfailed  copy "), "{}", broken.stdout);
}

#[test]
fn a_plan_is_measured_and_its_runs_can_be_repeated() {
    let desk = Desk::with_lab();
    desk.plan("plan.json", &json!({"repetitions": 2}));
    let run = desk.good(&["run", "plan.json", "--lab", "lab/lab.json"]);
    assert_eq!(lines(&run.stderr, "completed: 8 runs, 0 failed"), 1, "{}", run.stderr);
    assert!(run.stderr.contains("\n8/8  "), "{}", run.stderr);
    assert!(run.stdout.contains("fmt6 / fmt7"), "{}", run.stdout);
    let archive = desk.path("data/triptych/campaigns");
    let campaigns: Vec<PathBuf> =
        std::fs::read_dir(archive).expect("the archive").flatten().map(|entry| entry.path()).collect();
    let [campaign] = campaigns.as_slice() else { panic!("one campaign, found {campaigns:?}") };
    let campaign = campaign.to_str().expect("plain");
    assert!(campaign.contains("/small-test-"), "{campaign}");

    let rows = triptych(&["table", campaign, "--as", "json"]).json();
    let rows = rows.as_array().expect("rows").clone();
    assert_eq!(rows.len(), 2, "{rows:#?}");
    for row in &rows {
        assert_eq!((&row["repository"], &row["cache"]), (&json!("demo"), &json!("hot")), "{row:#}");
        let n: Vec<&Value> =
            row["variants"].as_array().expect("sides").iter().map(|side| &side["n"]).collect();
        assert_eq!(n, [2, 2], "{row:#}");
    }

    let again = desk.good(&["rerun", campaign, "--where", "operation=verify", "--dry-run"]);
    assert!(again.stdout.starts_with("2 cells of 4 rows\n"), "{}", again.stdout);
    assert!(
        again.stdout.contains(": 4 runs of 2 cells in the lab demo\nDuration: about "),
        "{}",
        again.stdout
    );
    assert!(!again.stdout.contains("lacks"), "{}", again.stdout);
    let again =
        desk.good(&["rerun", campaign, "--where", "operation=verify", "--repetitions", "1", "-o", "again"]);
    assert_eq!(lines(&again.stderr, "completed: 2 runs, 0 failed"), 1, "{}", again.stderr);
    assert_eq!(desk.json("again/plan.json")["repeats"].as_array().map(Vec::len), Some(4));

    // A campaign that is complete has nothing left, and is no place for another plan.
    let none = desk.good(&["run", "-o", "again", "--dry-run"]);
    assert_eq!(none.stdout, "2 of 2 runs done before, 0 left\n");
    let done = desk.good(&["run", "-o", "again"]);
    assert!(done.stderr.contains("completed: 2 runs, 0 failed"), "{}", done.stderr);
    let other = desk.run(&["run", "plan.json", "-o", "again"]);
    assert_eq!(other.code, 2, "{other:?}");
    assert!(other.stderr.contains("holds a campaign of another plan"), "{other:?}");
    let other = desk.run(&["rerun", campaign, "-o", "again"]);
    assert_eq!(other.code, 2, "{other:?}");
}

#[test]
fn foreign_names_are_answered_once() {
    let desk = Desk::with_lab();
    let medium = desk.media()[0].as_str().expect("a name").to_owned();
    let mail = sample("list-table/fsfs-format7-2013.txt");
    let on = format!("medium SSD={medium}");
    let answers =
        ["repository tsvn=demo", "variant trunk=fmt6", "variant branch6=", "variant branch7=fmt7", &on];
    let mut all = vec!["rerun", &mail, "--lab", "lab/lab.json", "--where", "medium=SSD"];
    all.extend(["--where", "cache=hot", "--where", "operation=null-export", "--repetitions", "1"]);
    let plain = all.clone();
    all.extend(answers.iter().flat_map(|answer| ["--known-as", *answer]));

    let lacking = desk.good(&[&plain[..], &["--dry-run"]].concat());
    assert!(lacking.stdout.contains("The lab demo lacks\n"), "{}", lacking.stdout);
    assert!(
        lacking.stdout.contains("Say what they are called there, such as --known-as "),
        "{}",
        lacking.stdout
    );
    let before = desk.json("lab/lab.json");
    let dry = desk.good(&[&all[..], &["--dry-run"]].concat());
    assert!(dry.stdout.contains(": 2 runs of 2 cells in the lab demo\n"), "{}", dry.stdout);
    assert_eq!(desk.json("lab/lab.json"), before, "a dry run writes nothing");

    let run = desk.good(&[&all[..], &["-o", "again"]].concat());
    assert_eq!(lines(&run.stderr, "completed: 2 runs, 0 failed"), 1, "{}", run.stderr);
    assert_eq!(desk.json("lab/lab.json")["known_as"]["variant trunk"], "fmt6");
    let known = desk.good(&[&plain[..], &["--dry-run"]].concat());
    assert!(known.stdout.contains(": 2 runs of 2 cells in the lab demo\n"), "{}", known.stdout);

    let wrong = desk.run(&[&plain[..], &["--dry-run", "--known-as", "variant trunk=x"]].concat());
    assert_eq!(wrong.code, 2, "{wrong:?}");
    assert!(wrong.stderr.contains("the lab has no variant x; there are fmt6, "), "{wrong:?}");
}

#[test]
fn a_failed_run_is_told_and_makes_the_exit_status() {
    let desk = Desk::with_lab();
    let mut lab = desk.json("lab/lab.json");
    lab["repositories"][0]["target"] = json!("no/such/path");
    std::fs::write(desk.path("lab/broken.json"), lab.to_string()).expect("written");
    desk.plan("plan.json", &json!({"variants": ["fmt6"]}));
    let run = desk.run(&["run", "plan.json", "--lab", "lab/broken.json", "-o", "campaign"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(lines(&run.stderr, "completed: 2 runs, 1 failed"), 1, "{}", run.stderr);
    let told =
        run.stderr.lines().any(|line| line.contains("  null-export demo, ") && line.contains("failed: "));
    assert!(told, "{}", run.stderr);
}

/// Ctrl+C in a terminal reaches both the verb and its runner.
#[test]
fn an_interrupted_campaign_goes_on_where_it_ended() {
    let desk = Desk::with_lab();
    desk.plan("plan.json", &json!({"repetitions": 8}));
    let mut child = desk
        .command(&["run", "plan.json", "--lab", "lab/lab.json", "-o", "campaign"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .expect("the program starts");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut text = String::new();
    while !text.contains("\n2/32  ") {
        assert_ne!(said.read_line(&mut text).expect("read"), 0, "{text}");
    }
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().expect("kill").success());
    while said.read_line(&mut text).expect("read") > 0 {}
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("\ncancelled"), "{text}");
    assert!(text.contains(" goes on\n"), "{text}");
    assert!(!output.stdout.is_empty(), "what is finished is shown");

    // Only what is left is shown and measured.
    let dry = desk.good(&["run", "-o", "campaign", "--lab", "lab/lab.json", "--dry-run"]).stdout;
    let (done, rest) = dry.split_once(" of 32 runs done before, ").expect("what is done");
    let left = 32 - done.parse::<usize>().expect("a number");
    assert!(left <= 30 && rest.starts_with(&format!("{left} left\n")), "{dry}");
    assert!(dry.contains(&format!("Small test: {left} runs of ")), "{dry}");
    assert!(dry.contains("\nDuration: about "), "{dry}");
    let listed = dry.lines().skip_while(|line| *line != "Order").skip(1).count();
    assert_eq!(listed, left, "{dry}");
    let rest = desk.run(&["run", "-o", "campaign", "--lab", "lab/lab.json"]);
    assert_eq!(rest.code, 0, "{rest:?}");
    let before = rest.stderr.lines().next().expect("a line");
    assert!(before.contains("32 runs, ") && before.contains(" of them done before"), "{before}");
    assert_eq!(lines(&rest.stderr, "completed: 32 runs, 0 failed"), 1, "{}", rest.stderr);
    assert!(!rest.stderr.contains("\n2/32  "), "{}", rest.stderr);
}

/// A signal to the verb alone, while nothing is said for a minute.
#[test]
fn a_signal_is_heeded_between_two_records() {
    let desk = Desk::with_lab();
    let (slow, begun, quick) = (desk.path("slow"), desk.path("begun"), desk.path("quick"));
    let script = format!(
        "#!/bin/sh\n[ -e '{0}' ] || case \"$*\" in *null-export*) : > '{1}'; exec sleep 60;; esac\nexec svnbench \"$@\"\n",
        quick.display(),
        begun.display()
    );
    std::fs::write(&slow, script).expect("written");
    std::fs::set_permissions(&slow, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let mut lab = desk.json("lab/lab.json");
    lab["builds"][0]["programs"] = json!({"svnbench": slow});
    std::fs::write(desk.path("lab/lab.json"), lab.to_string()).expect("written");
    desk.plan("plan.json", &json!({"operations": [{"experiment": "null-export"}]}));
    let child = desk
        .command(&["run", "plan.json", "--lab", "lab/lab.json", "-o", "campaign"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while !begun.exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "the uncounted run does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let told = Instant::now();
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("it ends"));
    assert!(told.elapsed() < Duration::from_secs(10), "{:?}: {run:?}", told.elapsed());
    assert_eq!(run.code, 1, "{run:?}");
    for line in ["triptych: interrupted: what is finished is kept", "2 runs are left: triptych run -o "] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }

    std::fs::write(&quick, "").expect("written");
    let rest = desk.good(&["run", "-o", "campaign", "--lab", "lab/lab.json"]);
    assert_eq!(lines(&rest.stderr, "completed: 2 runs, 0 failed"), 1, "{}", rest.stderr);
}

/// Its runs and ratios are shown with the badge, and nothing is claimed of them.
#[test]
fn a_debug_build_gets_no_verdict() {
    let log = std::fs::read_to_string(sample("run-log/run.ndjson")).expect("the sample");
    let marked = |line: &str| {
        let debug = line.contains("\"variant\":\"fmt8\"") && line.contains("\"event\":\"step-ended\"");
        let quality = "\"quality\":\"measured";
        if debug {
            line.replace(&format!("{quality}\""), &format!("{quality}+debug-build\""))
        } else {
            line.into()
        }
    };
    let log: String = log.lines().map(|line| marked(line) + "\n").collect();
    let folder = common::folder_with(&[("run.ndjson", log.as_bytes())]);
    let path = folder.path().to_str().expect("plain");
    let rows = common::table(&[path]);
    assert!(!rows.is_empty());
    for row in &rows {
        let verdict = |index: usize| &row["variants"][index]["verdict"];
        assert!(verdict(1).is_string() && verdict(2).is_null(), "{row:#}");
        assert!(row["variants"][2]["ratio"].is_number(), "{row:#}");
        assert!(row["flags"].as_array().expect("flags").contains(&json!("debug-build")), "{row:#}");
    }
    let text = triptych(&["table", path]).stdout;
    assert_eq!(text.matches("debug-build: fmt8").count(), rows.len(), "{text}");
}
