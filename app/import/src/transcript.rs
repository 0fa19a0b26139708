//! What the lines between recognised blocks say: which command was run, and that it failed.
//!
//! Used by the sink for every line that no format claims, so each test is for fixed words.

use crate::commands::operation;
use crate::signs::Signs;

/// A line that looks like a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt<'a> {
    /// The command without its prompt and without `time`.
    pub command: &'a str,
    /// Whether it can hardly be anything else, such as a comment or a heading.
    pub sure: bool,
}

/// What may stand before a command in a transcript or a mail.
const PROMPTS: &[&str] = &["> $ ", ">$ ", "$ ", "# ", "% ", "++ ", "+ "];

/// The columns of `strace -c`, which look like a command behind the prompt of csh.
const STRACE_HEADER: &str = "% time     seconds";

/// Whether [`prompt`] or [`is_failure`] can find anything in a line of these signs that begins with that
/// byte behind its blanks; nearly all lines of large outputs end here.
pub fn may_tell(first: u8, signs: Signs) -> bool {
    // time, Connection refused, Caught, Killed, Segmentation, (core
    const WORDS: Signs = Signs::any_of(&["im", "fu", "Ca", "Ki", "gm", "(c"]);
    let not_found =
        || signs.meets(const { Signs::any_of(&[": "]) }) && signs.meets(const { Signs::any_of(&["ou"]) });
    // The prompts, and the first letters of svn, Unknown, Command.
    b"$#%+>sUC".contains(&first) || signs.meets(WORDS) || not_found()
}

/// Reads a line as a command line: `$ time …`, `# …`, `% …`, `+ time …`, `user@host:~$ time …`.
pub fn prompt(text: &str) -> Option<Prompt<'_>> {
    if text.starts_with(STRACE_HEADER) {
        return None;
    }
    let dollar = text.starts_with('$') || text.starts_with('>');
    let prompted = PROMPTS
        .iter()
        .filter(|_| text.starts_with(['$', '#', '%', '+', '>']))
        .find_map(|prompt| text.strip_prefix(prompt))
        .map(str::trim);
    let timed = after_time(prompted.unwrap_or(text));
    match (prompted, timed) {
        (_, Some(command)) => {
            let sure = prompted.is_some() || !text.starts_with("time ") || operation(command).is_some();
            Some(Prompt { command, sure })
        }
        (Some(command), None) => {
            let sure = dollar || operation(command).is_some();
            (sure || is_plausible(command)).then_some(Prompt { command, sure })
        }
        (None, None) => None,
    }
    .filter(|prompt| !prompt.command.is_empty())
}

/// The command behind the word `time`, if that word stands where a shell would run it.
fn after_time(text: &str) -> Option<&str> {
    // `contains` is several times as fast as `find`, and almost every line ends here.
    if !text.contains("time ") {
        return None;
    }
    let at = text.find("time ")?;
    let before = text.get(..at)?;
    let runs = before.is_empty()
        || ["$ ", "# ", "% ", "> ", "; ", "&& ", "/bin/"].iter().any(|end| before.ends_with(end))
        || before == "command "
        || before == "\\";
    if !runs {
        return None;
    }
    let mut rest = text.get(at + "time ".len()..)?.trim_start();
    while rest.starts_with('-') {
        let (option, behind) = rest.split_once(' ')?;
        rest = behind.trim_start();
        if option == "-o" || option == "-f" {
            rest = rest.split_once(' ')?.1.trim_start();
        }
    }
    Some(rest.trim_end())
}

/// Whether text behind `# ` or `+ ` may be a command and not a heading or a sentence.
fn is_plausible(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase() || first == '/' || first == '.' || first == '~')
        && !text.ends_with(['.', ':'])
}

/// Failure texts that stand somewhere in a line, of the shell or of a library.
const FAILURE_WORDS: &[&str] =
    &["Connection refused", "Caught signal", "Killed", "Segmentation fault", "(core dumped)"];

/// Failure texts that a line begins with, of GNU time and of clients that do not know a subcommand.
const FAILURE_HEADS: &[&str] =
    &["Unknown subcommand", "Command exited with non-zero", "Command terminated by signal"];

/// What a shell says last where the program is missing.
const FAILURE_ENDS: &[&str] = &[": command not found", ": not found"];

/// Clients print names of files after these words; a name is no failure.
const NOTIFICATIONS: &[&str] =
    &["Adding ", "Sending ", "Deleting ", "Replacing ", "Restored ", "A  ", "U  ", "D  ", "G  ", "Exported "];

/// Whether a program's line says that it failed, so that a short time is no fast run.
pub fn is_failure(text: &str) -> bool {
    if let Some(rest) = text.strip_prefix("svn") {
        return is_error_of_svn(rest);
    }
    if FAILURE_HEADS.iter().any(|head| text.starts_with(head)) {
        return true;
    }
    // A client that is done ends its ssh, which says so.
    if matches!(text, "Killed by signal 1." | "Killed by signal 15.") {
        return false;
    }
    let fails = FAILURE_WORDS.iter().any(|word| text.contains(word) && stands_alone(text, word))
        || FAILURE_ENDS.iter().any(|end| text.ends_with(end));
    fails && !NOTIFICATIONS.iter().any(|head| text.starts_with(head))
}

/// `svnbench-trunk: invalid option` and `svn: E000111: …`, but no warning; `rest` is what follows `svn`.
fn is_error_of_svn(rest: &str) -> bool {
    let Some((name, message)) = rest.split_once(": ") else { return false };
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte));
    is_name && !message.starts_with("warning: ") && !is_warning_code(message)
}

/// A translated warning has its code, `W` and six digits, where an error has `E` and six digits.
fn is_warning_code(message: &str) -> bool {
    message.split(": ").take(2).any(|part| {
        part.strip_prefix('W')
            .is_some_and(|code| code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// Whether the word is no part of a longer word or of a path.
fn stands_alone(text: &str, word: &str) -> bool {
    text.find(word).is_some_and(|at| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
        let part_of_path = |c: char| c.is_alphanumeric() || "/_-.\\".contains(c);
        !before.is_some_and(part_of_path)
            && !after.is_some_and(|c| c.is_alphanumeric() || "/_-\\".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::testing::read;
    use proptest::prelude::*;

    #[test]
    fn prompts() {
        for (line, expect) in [
            ("$ time svnadmin verify -q $repo", Some(("svnadmin verify -q $repo", true))),
            ("> $ time svn co URL", Some(("svn co URL", true))),
            ("# svnadmin verify x", Some(("svnadmin verify x", true))),
            ("% time sleep 1", Some(("sleep 1", true))),
            ("+ svnbench null-log URL", Some(("svnbench null-log URL", true))),
            ("+ time svnbench null-log URL", Some(("svnbench null-log URL", true))),
            ("me@box:~/bench$ time ./run", Some(("./run", true))),
            ("time svn-1.6.9 export URL", Some(("svn-1.6.9 export URL", true))),
            ("/usr/bin/time -v -o out svn export URL", Some(("svn export URL", true))),
            ("# sleep 3", Some(("sleep 3", false))),
            ("# The second run, after a reboot", None),
            ("read: 100000 files, 0 errors, 1 threads, 0m 09s (9.043 s)", None),
            ("All the time it took", None),
            ("Adding         dev/shm/bench/wc/a", None),
            ("% time     seconds  usecs/call     calls    errors syscall", None),
            ("$ ", None),
            ("", None),
        ] {
            let found = prompt(line).map(|prompt| (prompt.command, prompt.sure));
            assert_eq!(found, expect, "{line}");
        }
    }

    #[test]
    fn failures_and_what_is_none() {
        for (line, expect) in [
            ("svn: E160013: File not found: revision 6124, path '/nosuch'", true),
            ("svn: '/dev/shm/bench/tx' already exists", true),
            ("svnadmin: E070014: Can't read file: End of file found", true),
            ("svnbench-trunk: invalid option: --nosuch", true),
            ("svn-1.6.9: Connection refused", true),
            ("svn: warning: W150013: not a file", false),
            ("svn: Warnung: W150013: keine Datei", false),
            ("svn, version 1.8.0-dev (under development)", false),
            ("svn export done: all right", false),
            ("Unknown subcommand: 'null-blame'", true),
            ("Command exited with non-zero status 2", true),
            ("Command terminated by signal 9", true),
            ("run.sh: line 3:  4711 Killed                  svn export URL", true),
            ("Killed", true),
            ("Killed by signal 15.", false),
            ("Killed by signal 1.", false),
            ("Killed by signal 2.", true),
            ("bash: line 1: svnbench-trunk: command not found", true),
            ("sh: 1: svnbench: not found", true),
            ("run.sh: line 3:  4711 Segmentation fault      (core dumped) svnbench", true),
            ("Segmentation fault (core dumped)", true),
            ("ssh: connect to host x port 22: Connection refused", true),
            ("Adding         a/Killed me.txt", false),
            ("Adding         Killed", false),
            ("A    docs/Killed/x", false),
            ("Committed revision 1.", false),
            ("", false),
        ] {
            assert_eq!(is_failure(line), expect, "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_transcript_makes_a_reader_panic(
            lines in proptest::collection::vec(prop::sample::select(FRAGMENTS), 0..25),
        ) {
            let data = read(&lines.join("\n"));
            prop_assert!(data.measurements.iter().all(|row| (row.run as usize) < data.runs.len()));
            prop_assert!(data.runs.iter().all(|run| run.line >= 1 && run.line as u64 <= data.lines));
        }
    }

    const FRAGMENTS: &[&str] = &[
        "",
        "$ time svnbench null-log \\",
        "+ svn co URL",
        "# a heading",
        "svn: E160013: gone",
        "Killed",
        "real\t0m1.5s",
        "user\t0m0,5s",
        "sys 0.2",
        "real 1 user 2 sys 3 cpu",
        "a 1s user 2s system 3% cpu 4 total",
        "0.001u 0.000s 0:00.30 0.0%\t0+0k 16+0io 1pf+0w",
        "0.06user 0.00system 0:00.32elapsed 20%CPU (0avgtext+0avgdata 1684maxresident)k",
        "0inputs+0outputs (0major+143minor)pagefaults 0swaps",
        "\tCommand being timed: \"a",
        "b\"",
        "\tUser time (seconds): 0.00",
        "\tExit status: 1",
        "Command terminated by signal 9",
        "            166 directories",
        "          1,397 files",
        "              0 locks",
        "          6,021 revisions,             704 merged in 59 merges",
        "         52,892 msg lines,           6,529 in merged revisions",
        "       0.473285 seconds taken",
        "* Verified revision 7.",
        "* Error verifying revision 8.",
        "-----Summary of corrupt revisions-----",
        "    r3: E200046: LZ4 decompression failed",
    ];
}
