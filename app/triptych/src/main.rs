//! The program: arguments and verbs, and the window where no verb is named.
//!
//! A verb is one file in `verbs/` and one row of [`VERBS`]. What can go wrong leaves a verb as
//! [`Failure`]; only this file turns it into a message and an exit status.

mod failure;
mod output;
mod sources;
mod verbs;
mod window;

use clap::{Arg, Command, value_parser};
use failure::Failure;
use std::path::PathBuf;
use std::process::ExitCode;
use verbs::VERBS;

fn main() -> ExitCode {
    let matches = match program().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version are "errors" too, with status 0.
            error.print().ok();
            return u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    let result = match matches.subcommand() {
        Some((name, arguments)) => match VERBS.iter().find(|verb| verb.name == name) {
            Some(verb) => (verb.run)(arguments),
            None => Err(Failure::Usage(format!("there is no verb {name}"))),
        },
        None => window::run(matches.get_many::<PathBuf>("paths").unwrap_or_default().cloned().collect()),
    };
    failure::report(result)
}

/// Everything clap needs to know.
fn program() -> Command {
    Command::new("triptych")
        .about("Explorer for Subversion benchmark logs")
        .long_about(
            "Explorer for Subversion benchmark logs.\n\n\
             Without a verb the window opens, with the files, folders and workspaces named; - is standard input. \
             A file named like a verb is opened with ./ before it.",
        )
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .args_conflicts_with_subcommands(true)
        .arg(
            Arg::new("paths")
                .value_name("PATH")
                .help("Files, folders or workspaces to open in the window; - is standard input")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf)),
        )
        .subcommands(VERBS.iter().map(|verb| (verb.command)().name(verb.name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_well_formed() {
        program().debug_assert();
    }

    #[test]
    fn a_verb_counts_only_as_the_first_word() {
        let paths = |words: &[&str]| {
            let matches = program().try_get_matches_from(words).expect("understood");
            assert_eq!(matches.subcommand_name(), None);
            matches.get_many::<PathBuf>("paths").unwrap_or_default().cloned().collect::<Vec<_>>()
        };
        assert_eq!(paths(&["triptych"]), Vec::<PathBuf>::new());
        assert_eq!(paths(&["triptych", "./table"]), [PathBuf::from("./table")]);
        assert_eq!(paths(&["triptych", "a", "table", "-"]), ["a", "table", "-"].map(PathBuf::from));
        let matches = program().try_get_matches_from(["triptych", "table", "a"]).expect("understood");
        assert_eq!(matches.subcommand_name(), Some("table"));
    }
}
