//! What a command line says: the operation that was timed, the program, what it was pointed at.
//!
//! Used by the readers of transcripts and of list tables, so that `$ time svnadmin verify -q $repo`
//! means the same operation wherever it stands.

/// A Subversion program and its subcommands by the names of operations.
struct Program {
    name: &'static str,
    subcommands: &'static [Subcommand],
}

/// The words for one subcommand, the operation they mean, and whether `-v` and `-g` make it another one.
struct Subcommand {
    words: &'static [&'static str],
    operation: &'static str,
    by_options: bool,
}

const fn sub(words: &'static [&'static str], operation: &'static str) -> Subcommand {
    Subcommand { words, operation, by_options: false }
}

const fn log(words: &'static [&'static str], operation: &'static str) -> Subcommand {
    Subcommand { words, operation, by_options: true }
}

const BENCH: &[Subcommand] = &[
    sub(&["null-export"], "null-export"),
    log(&["null-log"], "null-log"),
    sub(&["null-blame", "null-praise", "null-annotate", "null-ann"], "null-blame"),
    sub(&["null-list", "ls"], "null-list"),
    sub(&["null-info"], "null-info"),
];

const CLIENT: &[Subcommand] = &[
    sub(&["export"], "export"),
    sub(&["checkout", "co"], "checkout"),
    sub(&["commit", "ci"], "commit"),
    sub(&["update", "up"], "update"),
    sub(&["switch", "sw"], "switch"),
    sub(&["import"], "import"),
    sub(&["merge"], "merge"),
    log(&["log"], "log"),
    sub(&["blame", "praise", "annotate", "ann"], "blame"),
    sub(&["diff", "di"], "diff"),
    sub(&["list", "ls"], "list"),
    sub(&["cat"], "cat"),
    sub(&["info"], "info"),
    sub(&["status", "stat", "st"], "status"),
    sub(&["copy", "cp"], "copy"),
    sub(&["move", "mv", "rename", "ren"], "move"),
    sub(&["delete", "del", "remove", "rm"], "delete"),
    sub(&["add"], "add"),
    sub(&["revert"], "revert"),
    sub(&["cleanup"], "cleanup"),
    sub(&["upgrade"], "upgrade"),
];

const ADMIN: &[Subcommand] = &[
    sub(&["verify"], "verify"),
    sub(&["dump"], "dump"),
    sub(&["load"], "load"),
    sub(&["pack"], "pack"),
    sub(&["hotcopy"], "hotcopy"),
    sub(&["recover"], "recover"),
    sub(&["upgrade"], "upgrade"),
    sub(&["build-repcache"], "build-repcache"),
];

/// Longer names first: `svn-bench` is not a build of `svn`.
const PROGRAMS: &[Program] = &[
    Program { name: "svn-bench", subcommands: BENCH },
    Program { name: "svnbench", subcommands: BENCH },
    Program { name: "svnadmin", subcommands: ADMIN },
    Program { name: "svn", subcommands: CLIENT },
];

/// Programs that run the command behind them; `NAME=value` counts as one.
const WRAPPERS: &[&str] = &[
    "time",
    "command",
    "exec",
    "sudo",
    "env",
    "nice",
    "ionice",
    "chrt",
    "nohup",
    "taskset",
    "numactl",
    "setsid",
    "stdbuf",
    "timeout",
    "ip",
    "unshare",
    "nsenter",
    "chroot",
    "strace",
    "perf",
    "systemd-run",
    "cgexec",
    "sh",
    "bash",
];

/// A command line taken apart.
struct Parts<'a> {
    program: &'a str,
    operation: &'static Subcommand,
    arguments: Vec<&'a str>,
}

/// The operation of a command line, as in `svnadmin verify` → `verify`; `None` where it is not known.
///
/// Paths in front, versions behind the program (`svnbench-trunk`), wrappers such as `ip netns exec X`
/// and options with values before the subcommand do not matter.
pub fn operation(command: &str) -> Option<String> {
    let parts = parts(command)?;
    let mut operation = parts.operation.operation.to_owned();
    if parts.operation.by_options {
        for (letter, long) in [('v', "--verbose"), ('g', "--use-merge-history")] {
            if parts.arguments.iter().any(|argument| is_option(argument, letter, long)) {
                operation.push_str(&format!(" -{letter}"));
            }
        }
    }
    Some(operation)
}

/// The program's own name without its directory, `svnbench-trunk`.
pub fn program(command: &str) -> Option<&str> {
    parts(command).map(|parts| parts.program)
}

/// The first URL among the arguments, or the path given to svnadmin.
///
/// It is a fact of the run and not its repository: the same content may lie in several copies.
pub fn target(command: &str) -> Option<&str> {
    let parts = parts(command)?;
    let url = parts.arguments.iter().copied().find(|argument| argument.contains("://"));
    url.or_else(|| parts.arguments.iter().rev().copied().find(|argument| argument.starts_with(['/', '$'])))
}

fn parts(command: &str) -> Option<Parts<'_>> {
    if !command.contains("svn") {
        return None;
    }
    command.split([';', '|', '&']).find_map(simple_parts)
}

fn simple_parts(command: &str) -> Option<Parts<'_>> {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['(', ')', '{', '}', '"', '\'']));
    let first = words.by_ref().find(|word| !word.is_empty())?;
    let (program, found) = match known(first) {
        Some(found) => (base(first), found),
        None if wraps(first) => words.by_ref().find_map(|word| Some((base(word), known(word)?)))?,
        None => return None,
    };
    let rest: Vec<&str> = words.collect();
    let (at, operation) = rest.iter().enumerate().find_map(|(at, word)| {
        let subcommand = found.subcommands.iter().find(|subcommand| subcommand.words.contains(word))?;
        Some((at, subcommand))
    })?;
    let arguments =
        rest.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, word)| *word).collect();
    Some(Parts { program, operation, arguments })
}

fn base(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

fn known(word: &str) -> Option<&'static Program> {
    let base = base(word);
    PROGRAMS.iter().find(|program| {
        base.strip_prefix(program.name)
            .is_some_and(|rest| !rest.starts_with(|first: char| first.is_alphanumeric()))
    })
}

/// Whether a word names a program of Subversion, `svnadmin` or `/opt/bin/svn-1.6.9`.
pub fn is_program(word: &str) -> bool {
    known(word).is_some()
}

fn wraps(word: &str) -> bool {
    let base = base(word);
    WRAPPERS.contains(&base)
        || base.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        })
}

fn is_option(argument: &str, letter: char, long: &str) -> bool {
    argument == long
        || argument.strip_prefix('-').is_some_and(|letters| {
            !letters.is_empty()
                && letters.chars().all(|one| one.is_ascii_lowercase())
                && letters.contains(letter)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_of_commands() {
        for (command, expect) in [
            ("svnadmin verify -M 4000 -q $repo", Some("verify")),
            ("svnadmin -M 4000 verify -q $repo", Some("verify")),
            ("svnbench null-export svn://localhost/tsvn/trunk -q", Some("null-export")),
            ("svnbench null-log svn://localhost/tsvn/trunk -v -q", Some("null-log -v")),
            ("svnbench null-log svn://localhost/tsvn/trunk -v -g -q", Some("null-log -v -g")),
            ("svn-bench null-log -g -v URL", Some("null-log -v -g")),
            ("svn-bench-1.8 null-log URL --verbose", Some("null-log -v")),
            ("svnbench null-log URL -q", Some("null-log")),
            ("/srv/svn/bin/svnbench-trunk null-blame URL", Some("null-blame")),
            ("svnbench null-list URL", Some("null-list")),
            ("svn-1.6.9 export --ignore-externals -q svn://localhost/$TOEXPORT /dev/shm/t", Some("export")),
            ("time svn co URL", Some("checkout")),
            ("ip netns exec lan /usr/bin/svn checkout URL wc", Some("checkout")),
            ("svn ci -m x", Some("commit")),
            ("LC_ALL=C svn commit -m x", Some("commit")),
            ("cd wc && svn ci -m x", Some("commit")),
            ("/usr/bin/time -v svnadmin-fmt7 verify -q /srv/repo", Some("verify")),
            ("( svn export URL )", Some("export")),
            ("C:\\svn\\bin\\svn.exe export URL", Some("export")),
            ("grep svn log", None),
            ("svnfoo export", None),
            ("svn --version", None),
            ("svnadmin export", None),
            ("", None),
        ] {
            assert_eq!(operation(command).as_deref(), expect, "{command}");
        }
    }

    #[test]
    fn programs_and_targets() {
        let command = "/srv/svn/bin/svnbench-trunk null-export svn://localhost:13690/fmt6_packed/trunk -q";
        assert_eq!(program(command), Some("svnbench-trunk"));
        assert_eq!(target(command), Some("svn://localhost:13690/fmt6_packed/trunk"));
        assert_eq!(target("svnadmin verify -q /srv/repos/x"), Some("/srv/repos/x"));
        assert_eq!(target("svn ci -m x"), None);
    }
}
