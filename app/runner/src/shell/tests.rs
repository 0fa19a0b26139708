//! Scripts as bash reads them.

use super::*;
use crate::lab::{Medium, Repository, RepositoryCopy, Variant};
use crate::rerun::{self, OldRow};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use triptych_model::{Conditions, Key};

fn bash(arguments: &[&str]) -> (bool, String) {
    let output = Command::new("bash").args(arguments).output().expect("bash");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text)
}

fn lab(directory: &Path) -> Lab {
    let mut lab = Lab::new("test");
    lab.builds.push(Build { name: "here".into(), directory: "/usr/bin".into(), ..Build::default() });
    lab.media.push(Medium { name: "disk".into(), directory: directory.into() });
    lab.variants.push(Variant {
        name: "it's".into(),
        build: "here".into(),
        copies: vec!["one".into()],
        options: vec!["--memory-cache-size".into(), "64".into()],
        ..Variant::default()
    });
    let copy = RepositoryCopy {
        name: "one".into(),
        medium: "disk".into(),
        path: directory.join("a $b"),
        ..RepositoryCopy::default()
    };
    let repository = Repository { name: "r".into(), copies: vec![copy], ..Repository::default() };
    lab.repositories.push(Repository { file: Some("f".into()), ..repository });
    lab
}

fn plan(lab: &Lab) -> Plan {
    let named = |experiment: &&dyn experiments::Experiment| Operation {
        experiment: experiment.spec().id.to_owned(),
        options: BTreeMap::new(),
    };
    let mut plan = Plan {
        title: "all\nof them".into(),
        operations: experiments::EXPERIMENTS.iter().map(named).collect(),
        repositories: vec!["r".into()],
        variants: vec!["it's".into()],
        media: vec!["disk".into()],
        caches: vec![Cache::Hot, Cache::HotServer],
        repetitions: 1,
        ..Plan::default()
    };
    crate::expand::expand(&mut plan, lab).expect("expanded");
    plan
}

/// A cold run would drop the caches of everyone; the hot ones run for real, each experiment once.
#[test]
fn the_script_of_every_experiment_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = lab(folder.path());
    let path = lab.repositories[0].copies[0].path.to_str().expect("plain").to_owned();
    let made = "svnadmin create \"$1\" && url=\"file://${1//\\$/%24}\" && svn mkdir -q -m x \"$url/d\" && \
                svnmucc -m y put /etc/hostname \"$url/f\"";
    let (good, text) = bash(&["-c", made, "-", &path]);
    assert!(good, "{text}");

    let mut plan = plan(&lab);
    plan.steps.retain(|step| {
        let id = &plan.operations[step.cell.operation].experiment;
        step.cell.cache == Cache::Hot || id == "null-export"
    });
    let script = of_plan(&plan, &lab);
    // Another port than the printed one, which another user of this machine may have.
    let port = 20_000 + std::process::id() % 10_000;
    let script = script.replace(&format!("port={PORT}"), &format!("port={port}"));
    let file = folder.path().join("script");
    std::fs::write(&file, &script).expect("written");
    let (good, text) = bash(&[file.to_str().expect("plain")]);
    assert!(good, "{script}\n{text}");
    assert_eq!(text.matches("\nreal\t").count(), experiments::EXPERIMENTS.len() + 1, "{script}\n{text}");
    assert_eq!(text.matches("$ time /usr/bin/svn").count(), experiments::EXPERIMENTS.len() + 1, "{text}");
    assert!(!text.contains("svn: ") && !text.contains("svnbench: "), "{script}\n{text}");
    assert!(script.contains("    serve \"${bin_it_s_27:?}/svnserve\""), "{script}");
}

/// A script of one verify or one null-export, with its port and the kernel's file replaced.
fn small_script(folder: &Path, cache: Cache, changes: impl FnOnce(&mut Plan), port: u16) -> String {
    let lab = lab(folder);
    let mut plan = plan(&lab);
    plan.steps.retain(|step| plan.operations[step.cell.operation].experiment == "null-export");
    plan.steps.truncate(1);
    plan.steps[0].cell.cache = cache;
    changes(&mut plan);
    of_plan(&plan, &lab)
        .replace(&format!("port={PORT}"), &format!("port={port}"))
        .replace("/proc/sys/vm/drop_caches", "/dev/full")
}

fn run_script(folder: &Path, script: &str) -> (bool, String) {
    let file = folder.join("script");
    std::fs::write(&file, script).expect("written");
    bash(&[file.to_str().expect("plain")])
}

#[test]
fn caches_that_cannot_be_dropped_end_the_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let (good, text) = run_script(folder.path(), &small_script(folder.path(), Cache::Cold, |_| {}, 1));
    assert!(!good && !text.contains("real"), "{text}");
    assert!(text.contains("The caches are not dropped, which takes root"), "{text}");
}

#[test]
fn a_server_that_is_not_ours_ends_the_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its address").port();
    let script = small_script(folder.path(), Cache::Hot, |_| {}, port);
    let (good, text) = run_script(folder.path(), &script);
    assert!(!good && !text.contains("real"), "{text}");
    assert!(text.contains(&format!("Port {port} is taken")), "{text}");
    drop(taken);
    // A program that is none ends at once.
    let (good, text) = run_script(folder.path(), &script.replace("=/usr/bin ", "=/nowhere "));
    assert!(!good && !text.contains("real"), "{text}");
    assert!(text.contains("The server has ended or does not answer."), "{text}");
}

#[test]
fn the_script_follows_the_settings_of_the_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let changes = |plan: &mut Plan| {
        plan.warm_ups = 12;
        plan.server.compression = Some(0);
    };
    let script = small_script(folder.path(), Cache::Hot, changes, 1);
    let options = " --compression 0 --memory-cache-size 64 --log-file \"$scratch/svnserve.log\"\n";
    assert!(script.contains(options), "{script}");
    assert!(script.contains("for _ in {1..12}; do ") && script.contains("; done  # warm-ups"), "{script}");
    let silent = small_script(folder.path(), Cache::Hot, |plan| plan.server.no_log = true, 1);
    assert!(!silent.contains("--log-file"), "{silent}");
}

#[test]
fn what_the_lab_lacks_is_left_to_be_filled_in() {
    let conditions = |medium: &str, cache: &str| {
        Conditions::new()
            .with(Key::Operation, "null-export")
            .with(Key::Command, "svnbench null-export svn://localhost/tsvn/trunk -q")
            .with(Key::Repository, "tsvn")
            .with(Key::Variant, "branch7")
            .with(Key::Medium, medium)
            .with(Key::Cache, cache)
    };
    let row =
        |conditions: Conditions| OldRow { id: format!("{conditions:?}"), conditions, ..OldRow::default() };
    let rows = [row(conditions("USB", "cold")), row(conditions("USB", "WarmOS"))];
    let draft = rerun::map(&rows, None);
    let (script, unmade) = of_draft(&draft, None, "mail", 3);
    let why = "null-export tsvn, USB WarmOS, branch7: the state of the caches is none of ours: \"WarmOS\"";
    assert_eq!(unmade, [why]);
    for line in [
        "repetitions=3",
        "bin_branch7=''  # programs of branch7",
        "copy_tsvn_on_USB_for_branch7=''  # repository tsvn on USB for branch7",
        "    cold",
        "    serve \"${bin_branch7:?}/svnserve\" \"$(dirname \"${copy_tsvn_on_USB_for_branch7:?}\")\"",
        "    time \"${bin_branch7:?}/svnbench\" null-export --non-interactive --config-dir \"$scratch/config\" \
         \"svn://127.0.0.1:$port/${copy_tsvn_on_USB_for_branch7##*/}/trunk\"",
    ] {
        assert!(script.lines().any(|found| found == line), "{script}\nlacks {line}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("script");
    std::fs::write(&file, &script).expect("written");
    let (good, text) = bash(&["-n", file.to_str().expect("plain")]);
    assert!(good, "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn quoted_words_come_out_as_they_went_in(texts in proptest::collection::vec("[^\u{0}]{0,12}", 1..20)) {
        let quoted: Vec<String> = texts
            .iter()
            .flat_map(|text| [quote(text), word(&format!("{text}{}", Mark::Port.text()), |_| "$p".to_owned())])
            .collect();
        let output = Command::new("bash")
            .args(["-c", &format!("p=7; printf '%s\\0' {}", quoted.join(" "))])
            .output()
            .expect("bash");
        let expect: String = texts.iter().map(|text| format!("{text}\0{text}7\0")).collect();
        prop_assert_eq!(String::from_utf8_lossy(&output.stdout), expect);
    }
}

#[test]
fn variables_stay_apart() {
    assert_eq!(variable("bin", "format 7"), "bin_format_7");
    let names = ["a-b", "a.b", "a_b", "a b"].map(|label| variable("bin", label));
    assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{names:?}");
}
