//! Tests that need a process of their own: one that adopts orphans, one of an ordinary user.
//!
//! Each starts this test program again, asking for itself alone, and does its work in there.

use super::*;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;

const INSIDE: &str = "TRIPTYCH_APART";
const FOREIGN: &str = "TRIPTYCH_FOREIGN";

fn is_inside() -> bool {
    std::env::var_os(INSIDE).is_some()
}

/// Runs one test of this file in a process of its own, which must pass.
fn again(program: &Path, name: &str, change: impl FnOnce(&mut Command)) {
    let mut command = Command::new(program);
    command.args(["--exact", &format!("host::local::tests::apart::{name}"), "--nocapture"]);
    command.env(INSIDE, "1");
    change(&mut command);
    // A program just copied is busy while a child of another test still holds its descriptor.
    let output = loop {
        match command.output() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            output => break output.expect("started"),
        }
    };
    let (said, more) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("1 passed"), "{said}\n{more}");
    println!("{said}");
}

#[test]
fn what_leaves_its_group_or_loses_its_parent_is_ended_and_charged() {
    if !is_inside() {
        let me = std::env::current_exe().expect("known");
        return again(&me, "what_leaves_its_group_or_loses_its_parent_is_ended_and_charged", |_| ());
    }
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).expect("allowed");
    let mut bench = Bench::new("adopt");
    let spec =
        bench.client(&["sh", "-c", "setsid sleep 30 & setsid sh -c 'sleep 30 & sleep 30' & sleep 0.1"]);
    let end = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
    assert_eq!(end.exit, 0);
    assert!(own_children().is_empty(), "they were ended and reaped");
    bench.nothing_is_left();

    let root = repositories();
    let mut bench = Bench::new("orphan");
    let spec = bench.server("svnserve", ServerMode::Fork, root.path());
    let server = bench.host().start_server(&spec, &mut Notes::default()).expect("started");
    let url = format!("svn://127.0.0.1:{}/r", server.port);
    let mut spec = bench.client(&["sh", "-c", &format!("while svnbench null-export {url}; do :; done")]);
    spec.sample_hz = 100;
    // The parent dies in the midst of its child's work.
    let mut notes = Notes { kill_when_busy: Some(server.pid), ..Notes::default() };
    let end = bench.host().run_client(&spec, &mut notes).expect("ran");
    assert_eq!(end.ended.as_deref(), Some("the server ended while the client ran"));
    let end = bench.host().stop_server().expect("it ran");
    assert!(end.died);
    let cpu = end.values.first().expect("some");
    assert!(cpu.value.is_some_and(|secs| secs > 0.0) && cpu.quality == Quality::MEASURED, "{cpu:?}");
    assert!(own_children().is_empty(), "the orphan was reaped");
    bench.nothing_is_left();
}

#[test]
fn an_ordinary_user_evicts_file_by_file_and_says_what_he_is_not_told() {
    const NAME: &str = "an_ordinary_user_evicts_file_by_file_and_says_what_he_is_not_told";
    const NOBODY: u32 = 65_534;
    if !is_inside() {
        if !rustix::process::geteuid().is_root() {
            println!("skipped: only root can become another user");
            return;
        }
        let place = tempfile::tempdir().expect("a directory");
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).expect("ours");
        let program = place.path().join("test");
        fs::copy(std::env::current_exe().expect("known"), &program).expect("copied");
        let foreign = place.path().join("foreign");
        fs::create_dir(&foreign).expect("made");
        fs::write(foreign.join("file"), vec![1; 50_000]).expect("written");
        return again(&program, NAME, |command| {
            command.uid(NOBODY).gid(NOBODY).current_dir("/").env("HOME", "/").env(FOREIGN, &foreign);
        });
    }
    let root = repositories();
    let copy = root.path().join("r");
    let mut bench = Bench::new("user");
    assert_eq!(bench.host().facts()["may_drop_caches"], false);
    let proof = bench.host().cache(&copy, Cache::Cold, &mut Notes::default()).expect("proved");
    let reserve = proof.reserve.clone().unwrap_or_default();
    match devices::Mount::of(&copy) {
        Some(mount) if mount.is_memory() => assert!(reserve.contains("is memory"), "{proof:?}"),
        _ => {
            assert_eq!(proof.method, "evicted");
            assert!(reserve.contains("cannot be dropped"), "{reserve}");
            assert!(proof.resident_bytes.is_some_and(|bytes| bytes * 10 < proof.file_bytes), "{proof:?}");
        }
    }
    let spec = bench.server("svnserve", ServerMode::Fork, root.path());
    let server = bench.host().start_server(&spec, &mut Notes::default()).expect("started");
    let spec = bench.client(&["svnbench", "null-export", &format!("svn://127.0.0.1:{}/r", server.port)]);
    let end = bench.host().run_client(&spec, &mut Notes::default()).expect("ran");
    assert_eq!(end.exit, 0, "{}", String::from_utf8_lossy(&end.stderr));
    let stopped = bench.host().stop_server().expect("it ran");
    let read = value(&stopped.values, &Process::Svnserve, "read_bytes");
    assert_eq!(read > 0.0, proof.method == "evicted", "{read}");
    let foreign = PathBuf::from(std::env::var_os(FOREIGN).expect("given"));
    let proof = bench.host().cache(&foreign, Cache::Hot, &mut Notes::default()).expect("looked at");
    assert_eq!((proof.file_bytes, proof.resident_bytes), (50_000, None));
    assert!(proof.reserve.is_some_and(|words| words.contains("neither owns nor may write")));
    bench.nothing_is_left();
}
