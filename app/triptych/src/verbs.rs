//! The table of verbs, and the arguments that several of them share.

mod formats;
mod import;
mod lab;
mod rerun;
mod run;
mod table;

use crate::failure::{Failure, Outcome};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;
use triptych_import::FORMATS;

/// One verb.
pub struct Verb {
    /// Its word on the command line.
    pub name: &'static str,
    /// Its help and arguments.
    pub command: fn() -> Command,
    /// What it does.
    pub run: fn(&ArgMatches) -> Result<Outcome, Failure>,
}

/// All verbs, in the order of the help.
pub const VERBS: &[Verb] = &[
    Verb { name: "import", command: import::command, run: import::run },
    Verb { name: "table", command: table::command, run: table::run },
    Verb { name: "run", command: run::command, run: run::run },
    Verb { name: "rerun", command: rerun::command, run: rerun::run },
    Verb { name: "lab", command: lab::command, run: lab::run },
    Verb { name: "formats", command: formats::command, run: formats::run },
];

/// `PATH…`, at least one.
fn paths() -> Arg {
    Arg::new("paths")
        .value_name("PATH")
        .help("Files and folders to read; - is standard input")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf))
}

/// `--path PATTERN`, repeatable.
fn pattern() -> Arg {
    Arg::new("pattern")
        .long("path")
        .value_name("PATTERN")
        .help("How paths name the conditions, such as '{operation}/{variant}-{cache}-r{repetition}.txt'")
        .long_help(
            "How paths name the conditions, matched at the end of the path: {key} is anything without a slash, \
             * is anything, […] may be absent. Given several times, the first that matches counts. \
             Without it the pattern is guessed.",
        )
        .action(ArgAction::Append)
}

/// `--format ID`.
fn format() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("ID")
        .help("Read as this format, whatever the content looks like; see triptych formats")
        .value_parser(FORMATS.iter().map(|format| format.spec().id).collect::<Vec<_>>())
}

/// `--log-format STRING`.
fn log_format() -> Arg {
    Arg::new("log-format")
        .long("log-format")
        .value_name("STRING")
        .help("The LogFormat of access logs, as httpd's configuration has it, or a name such as combined")
        .long_help(
            "The LogFormat of access logs, as httpd's configuration has it: '%h %l %u %t \"%r\" %>s %b %D'; or the \
             name of a known one: common, combined, vhost_combined, book, davautocheck, vania, timed, full. \
             Without it the known ones are tried.",
        )
}

/// `--zone OFFSET`.
fn zone() -> Arg {
    Arg::new("zone")
        .long("zone")
        .value_name("OFFSET")
        .allow_hyphen_values(true)
        .help("The zone of times that name none, such as +01:00, UTC or CET; without it that of this machine")
}

/// `--columns COLUMN=MEANING,…`, repeatable.
fn columns() -> Arg {
    Arg::new("columns")
        .long("columns")
        .value_name("COLUMN=MEANING,…")
        .help("What the columns of a table mean that no format knows, such as 'test=operation,trunk=real s variant:trunk'")
        .long_help(
            "What the columns of a table mean that no format knows: COLUMN=MEANING, parted by commas. COLUMN is the \
             column's header, or #N for the N-th from 1. MEANING is a condition (operation, variant, cache …) whose \
             values stand in the column; or a metric (real, time, max_rss …) with, where they apply, a unit of its \
             numbers (s, ms, KiB, % …), process:NAME, and conditions of the column's runs such as variant:trunk; or exit \
             for the exit status; or - to ignore the column. decimal=comma says that 1,234 is less than two. Texts with \
             blanks, commas, colons or = stand in double quotes. Given several times, each is for the tables that have \
             its columns. Example: --columns 'test=operation,trunk=real ms variant:trunk,\"branch 6\"=real ms variant:b6'",
        )
        .action(ArgAction::Append)
}

/// `--as FORM`.
fn as_form(forms: impl IntoIterator<Item = &'static str>) -> Arg {
    Arg::new("as")
        .long("as")
        .value_name("FORM")
        .help("How to print it")
        .value_parser(forms.into_iter().collect::<Vec<_>>())
        .default_value("text")
}

/// `--strict`.
fn strict() -> Arg {
    Arg::new("strict")
        .long("strict")
        .help("Exit with 1 also where a file of a folder was skipped")
        .action(ArgAction::SetTrue)
}
