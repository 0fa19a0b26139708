//! What programs say of themselves: real ones, and scripts for what no released build says.

use super::*;
use std::os::unix::fs::PermissionsExt as _;

/// A script in the place of a program: what `--version` prints, and how it fails.
pub(crate) fn script(directory: &Path, name: &str, version: &str, failure: &str) -> PathBuf {
    let path = directory.join(name);
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then\ncat <<'END'\n{version}\nEND\nexit 0\nfi\ncat >&2 <<'END'\n{failure}\nEND\nexit 1\n"
    );
    fs::write(&path, text).expect("written");
    executable(&path);
    path
}

/// Makes a script executable and waits until no other test's child holds it open for writing.
pub(crate) fn executable(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
    for _ in 0..500 {
        match std::process::Command::new(path).arg("--version").output() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            _ => return,
        }
    }
}

#[test]
fn the_installed_build_tells_all() {
    let build = Build { name: "installed".into(), directory: "/usr/bin".into(), ..Build::default() };
    let programs = programs(&build);
    let version = crate::testing::run("svn", &["--version", "--quiet"]);
    for (name, program) in &programs {
        assert_eq!(program.fault, None, "{name}");
        assert_eq!(program.version.as_deref(), Some(version.trim()), "{name}");
        assert_eq!(program.debug, Some(false), "{name}: {program:?}");
        assert!(
            program.compiled.is_some() && program.platform.is_some() && program.revision().is_some(),
            "{name}"
        );
        assert!(!program.is_unreleased() && program.newest_format() >= Some(7), "{name}");
    }
    let facts = facts_of(&programs);
    assert!(facts["libraries"]["APR"].is_string(), "{facts:?}");
    assert_eq!(facts["debug"], json!(false));
    assert_eq!(facts["version"], json!(version.trim()));
    assert_eq!(facts["mixed"], json!(false));
    assert!(facts["revision"].is_u64() && facts["programs"]["svnserve"]["bytes"].is_u64());
}

#[test]
fn versions_of_many_kinds() {
    for (text, version, tag, revision, compiled, platform, unreleased, format) in [
        (
            "svn, version 1.6.9 (r901367)\n   compiled Mar 11 2010, 22:25:33\n",
            "1.6.9",
            Some("r901367"),
            Some(901_367),
            "Mar 11 2010, 22:25:33",
            None,
            false,
            Some(4),
        ),
        (
            "svnserve, version 1.15.0-dev (under development)\n   compiled Nov 30 2026, 09:00:01 on x86_64-unknown-linux-gnu\n",
            "1.15.0-dev",
            Some("under development"),
            None,
            "Nov 30 2026, 09:00:01",
            Some("x86_64-unknown-linux-gnu"),
            true,
            Some(8),
        ),
        (
            "svn, version 1.9.0 (Release Candidate 1)\n   compiled on x\n",
            "1.9.0",
            Some("Release Candidate 1"),
            None,
            "on x",
            None,
            true,
            Some(7),
        ),
        (
            "svn, version 1.4.0 (dev build)\n   compiled a\n",
            "1.4.0",
            Some("dev build"),
            None,
            "a",
            None,
            true,
            Some(2),
        ),
        (
            "svnadmin, version 1.8.19 (r1800620)\n   compiled b on c",
            "1.8.19",
            Some("r1800620"),
            Some(1_800_620),
            "b",
            Some("c"),
            false,
            Some(6),
        ),
        ("svnadmin, version 1.3.2\n   compiled b on c", "1.3.2", None, None, "b", Some("c"), false, Some(1)),
    ] {
        let mut program = Program::default();
        read_version(text, &mut program);
        assert_eq!(program.version.as_deref(), Some(version), "{text}");
        assert_eq!(program.tag.as_deref(), tag, "{text}");
        assert_eq!(program.revision(), revision, "{text}");
        assert_eq!(program.compiled.as_deref(), Some(compiled), "{text}");
        assert_eq!(program.platform.as_deref(), platform, "{text}");
        assert_eq!(program.is_unreleased(), unreleased, "{text}");
        assert_eq!(program.newest_format(), format, "{text}");
    }
}

#[test]
fn a_debug_build_is_told_by_its_errors() {
    let directory = tempfile::tempdir().expect("a directory");
    let version = |name: &str| {
        format!("{name}, version 1.9.7 (r1800392)\n   compiled Aug 10 2017, 00:00:00 on x86_64-pc-linux-gnu")
    };
    let traced =
        "subversion/libsvn_subr/io.c:3400: (apr_err=SVN_ERR_BAD)\nsvnserve: E200009: Root path is not there";
    let plain = "svnserve: E200009: Root path is not there";
    for (failure, debug, sign) in [
        (traced, json!(true), Some("subversion/libsvn_subr/io.c:3400: (apr_err=SVN_ERR_BAD)")),
        (
            "subversion/svn/main.c:99: (apr_err=205000)\nsvn: bad",
            json!(true),
            Some("subversion/svn/main.c:99: (apr_err=205000)"),
        ),
        (plain, json!(false), None),
        ("something else", json!("unknown"), None),
        ("", json!("unknown"), None),
    ] {
        for name in ["svn", "svnadmin", "svnbench"] {
            script(directory.path(), name, &version(name), "svn: E205000: bad");
        }
        script(directory.path(), "svnserve", &version("svnserve"), failure);
        let build = Build { name: "x".into(), directory: directory.path().into(), ..Build::default() };
        let facts = facts(&build);
        assert_eq!(facts["debug"], debug, "{failure}");
        assert_eq!(facts["programs"]["svnserve"]["debug_sign"], json!(sign), "{failure}");
    }
}

#[test]
fn what_cannot_be_asked_says_why() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    fs::write(at("plain"), "x").expect("written");
    fs::create_dir(at("folder")).expect("made");
    script(directory.path(), "odd", "hello", "");
    script(directory.path(), "none", "", "");
    fs::write(at("broken"), "#!/absent/interpreter\n").expect("written");
    executable(&at("broken"));
    fs::write(
        at("refuses"),
        "#!/bin/sh\necho 'error while loading shared libraries: libsvn_ra' >&2\nexit 127\n",
    )
    .expect("written");
    executable(&at("refuses"));
    for (name, expect) in [
        ("absent", "is not there"),
        ("plain", "may not be executed"),
        ("folder", "is no file"),
        ("odd", "did not tell its version: expected \"svn, version 1.14.2 …\", found \"hello\""),
        ("none", "did not tell its version: expected \"svn, version 1.14.2 …\", found \"\""),
        ("broken", "cannot be started: No such file or directory (os error 2)"),
        ("refuses", "did not tell its version: error while loading shared libraries: libsvn_ra"),
    ] {
        assert_eq!(program("svn", &at(name)).fault.as_deref(), Some(expect), "{name}");
    }
    let build = Build { name: "x".into(), directory: at("folder"), ..Build::default() };
    assert_eq!(facts(&build)["version"], json!("unknown"));
    assert_eq!(facts(&build)["debug"], json!("unknown"));
}

#[test]
fn a_program_that_hangs_carries_the_token_and_can_be_given_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let token = format!("test-builds-{}", std::process::id());
    for name in PROGRAMS {
        let path = directory.path().join(name);
        // Quick where nobody waits for an answer: `executable` starts it once.
        fs::write(&path, "#!/bin/sh\n[ -z \"$TRIPTYCH_RUN\" ] || sleep 30\n").expect("written");
        executable(&path);
    }
    let build = Build { name: "x".into(), directory: directory.path().into(), ..Build::default() };
    let start = std::time::Instant::now();
    let mut seen = 0;
    let facts = facts_while(&build, Some(&token), &mut || {
        seen = seen.max(crate::procfs::with_token(&token).len());
        seen < 2 && start.elapsed().as_secs() < 8
    });
    assert_eq!(facts, None);
    assert!(seen >= 2, "shell and sleep carry the token, {seen} did");
    assert!(start.elapsed().as_secs() < 8, "{:?}", start.elapsed());
    // Who is killed as an orphan dies a moment later.
    while !crate::procfs::with_token(&token).is_empty() {
        assert!(start.elapsed().as_secs() < 8, "something is left");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let patient = facts_while(&build, None, &mut || true).expect("answered");
    assert_eq!(patient["version"], json!("unknown"), "without the token it answers nothing at once");
}
