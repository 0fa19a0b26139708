//! Every small genuine output of the shells' `time`, of GNU time, multitime and svnbench in each locale: all figures.

use crate::sink::testing::{read, sample, values};
use triptych_model::Quality;

#[test]
fn every_shell_in_every_locale() {
    for (path, expect) in [
        ("bash-en_US.UTF-8", "real=0.295s user=0.07s sys=0s"),
        ("bash-p-C", "real=0.33s user=0.06s sys=0s"),
        ("bash-p-en_US.UTF-8", "real=0.25s user=0.07s sys=0s"),
        ("bash-time-p", "real=1.25s user=0s sys=0s"),
        ("gnutime-p-C", "real=0.11s user=0s sys=0s"),
        ("ksh93-en_US.UTF-8", "real=0.3s user=0.07s sys=0s"),
        ("mksh-en_US.UTF-8", "real=0.29s user=0.06s sys=0s"),
        ("tcsh-C", "real=0.3s user=0.001s sys=0s cpu=0% majflt=11 read_bytes=8192B write_bytes=0B"),
        ("tcsh-de_DE.UTF-8", "real=0.3s user=0.001s sys=0s cpu=0% majflt=01 read_bytes=0B write_bytes=0B"),
        ("tcsh-set", "real=0.1s user=0.001s sys=0s cpu=0% majflt=01 read_bytes=0B write_bytes=0B"),
        ("zsh-en_US.UTF-8", "real=0.313s user=0.07s sys=0s cpu=22%"),
        ("zsh-time", "real=1.284s user=0s sys=0.01s cpu=0%"),
        ("zsh-pipe", "real=0.106s user=0s sys=0s cpu=1%"),
        ("bash-timeformat", "real=1.565s user=0.012s sys=0s cpu=0.79%"),
    ] {
        check(&format!("shell-time/{path}.txt"), expect);
    }
}

#[test]
fn gnu_time_is_never_localised() {
    for (path, expect) in [
        (
            "gnutime-C",
            "user=0s sys=0s real=0.1s cpu=0% max_rss=1531904B read_bytes=0B write_bytes=0B majflt=01 minflt=1431",
        ),
        (
            "gnutime-en_US.UTF-8",
            "user=0s sys=0s real=0.1s cpu=2% max_rss=2285568B read_bytes=0B write_bytes=0B majflt=01 minflt=1551",
        ),
        (
            "gnutime-v-de",
            "user=0s sys=0s cpu=3% real=0.12s max_rss=2355200B majflt=01 minflt=891 ctxsw_voluntary=21 ctxsw_involuntary=11 read_bytes=0B write_bytes=0B",
        ),
    ] {
        check(&format!("gnu-time/{path}.txt"), expect);
    }
    check(
        "multitime/multitime-en_US.UTF-8.txt",
        "real_mean=0.059s real_stddev=0.003s real_min=0.057s real_median=0.058s real_max=0.063s \
         user_mean=0.003s user_stddev=0s user_min=0.003s user_median=0.003s user_max=0.003s \
         sys_mean=0s sys_stddev=0s sys_min=0s sys_median=0s sys_max=0s",
    );
}

#[test]
fn svnbench_groups_thousands_with_a_comma_in_every_locale() {
    let export = |directories: u32, tail: &str| {
        format!(
            "directories={directories}1 files=13971 bytes=26013500B properties=71481 property_bytes=114730B {tail}"
        )
    };
    let log = |tail: &str| {
        format!(
            "revisions=60211 merged_revisions=7041 merges=591 msg_lines=528921 merged_msg_lines=65291 changes=157141 merged_changes=16051 {tail}"
        )
    };
    for (path, expect) in [
        (
            "bash-time-1.14.2-C",
            export(167, "duration=1.054547s net_bytes=11800118B real=1.202s user=0.043s sys=0.021s"),
        ),
        (
            "bash-time-1.14.2-en_US.UTF-8",
            export(167, "duration=0.398333s net_bytes=11800118B real=0.433s user=0.047s sys=0.015s"),
        ),
        ("bash-time-trunk-C", export(166, "real=4.129s user=0.122s sys=0.02s")),
        ("bash-time-trunk-de_DE.UTF-8", export(166, "real=2.705s user=0.132s sys=0.006s")),
        ("bash-time-trunk-en_US.UTF-8", export(166, "real=2.656s user=0.111s sys=0.008s")),
        (
            "null-log-1.14.2-C",
            log("duration=2.175885s net_bytes=4025881B real=2.219s user=0.042s sys=0.007s"),
        ),
        (
            "null-log-1.14.2-de_DE.UTF-8",
            log("duration=3.945828s net_bytes=4025881B real=3.995s user=0.032s sys=0.021s"),
        ),
        (
            "null-log-1.14.2-en_US.UTF-8",
            log("duration=0.887652s net_bytes=4025881B real=0.911s user=0.027s sys=0.011s"),
        ),
        ("null-log-trunk-C", log("real=18.461s user=0.027s sys=0.016s")),
        ("null-log-trunk-de_DE.UTF-8", log("real=14.219s user=0.035s sys=0.009s")),
        ("null-log-trunk-en_US.UTF-8", log("real=15.163s user=0.023s sys=0.015s")),
    ] {
        check(&format!("svnbench/{path}.txt"), &expect);
    }
}

/// All values of the first run, and nothing to complain of.
fn check(path: &str, expect: &str) {
    let data = sample(path);
    assert_eq!(values(&data, 0).join(" "), expect, "{path}");
    assert_eq!((data.warnings(), data.not_understood, data.program_output), (0, 0, 0), "{path}");
    assert_eq!(data.runs[0].quality, Quality::NONE, "{path}");
}

#[test]
fn every_part_of_a_genuine_failure_is_kept() {
    for (path, expect) in [
        ("shell-time/export-target-exists.txt", "real=0.054s user=0.004s sys=0s"),
        ("shell-time/no-server.txt", "real=0.005s user=0s sys=0.003s"),
        ("shell-time/no-such-path.txt", "real=0.015s user=0s sys=0.004s"),
        ("shell-time/no-such-repo.txt", "real=0.003s user=0.003s sys=0s"),
        ("shell-time/verify-format7b-with-1.14.2.txt", "real=0.014s user=0.001s sys=0.006s"),
        ("shell-time/wrong-option.txt", "real=0.003s user=0s sys=0.003s"),
        ("svnadmin-verify/verify-corrupt.txt", "revisions=171 errors=11 real=0.067s user=0.055s sys=0.012s"),
    ] {
        let data = sample(path);
        assert_eq!(values(&data, 0).join(" "), expect, "{path}");
        assert_eq!((data.runs.len(), data.not_understood), (1, 0), "{path}");
        assert!(data.runs[0].quality.has(Quality::FAILED), "{path}");
    }
}

/// What stands in front of `real` and is no part of a figure.
#[test]
fn the_precision_of_a_format_is_the_text_s_own() {
    for (text, expect) in [
        // bash 5.3 prints up to six places.
        ("real\t0m1.234567s\nuser\t0m0.000001s\nsys\t0m0.000000s\n", "real=1.234567s user=0.000001s sys=0s"),
        ("real 1\nuser 0\nsys 0\n", "real=1s user=0s sys=0s"),
        ("real 1.2\nuser 0.3\nsys 0.4\n", "real=1.2s user=0.3s sys=0.4s"),
        ("real 1.2\nuser 0.3\nsystem 0.4\n", "real=1.2s user=0.3s sys=0.4s"),
        ("+ time svn co A\nreal 1.2\nuser 0.3\nsys 0.4\n", "real=1.2s user=0.3s sys=0.4s"),
    ] {
        assert_eq!(values(&read(text), 0).join(" "), expect, "{text}");
    }
}

/// The transcript of a client over ssh, with what strace counted below it.
#[test]
fn what_ssh_and_strace_say_is_no_failure_and_no_command() {
    let strace = "% time     seconds  usecs/call     calls    errors syscall\n------ ----------- ----------- --------- --------- ----------------\n 54.05    0.000060           2        30        12 open\n";
    let times = |real: &str| format!("\nreal\t{real}\nuser\t0m1.456s\nsys\t0m0.500s\n");
    let data = read(&format!(
        "$ time svn up\nAt revision 7.\nKilled by signal 15.\n{}\n{strace}{}",
        times("0m10.000s"),
        times("0m2.000s")
    ));
    let operations: Vec<_> =
        data.runs.iter().map(|run| run.content.get(triptych_model::Key::Operation)).collect();
    assert_eq!(operations, [Some("update"), None]);
    assert!(data.runs.iter().all(|run| run.failure.is_none() && run.quality == Quality::NONE));
    assert_eq!((values(&data, 0)[0].as_str(), data.not_understood), ("real=10s", 0));
}
