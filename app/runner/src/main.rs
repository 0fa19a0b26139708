//! The runner's program: a guard, and behind it the worker that measures.
//!
//! It reads JSON lines on standard input and writes JSON lines to standard output, see
//! `triptych_runner::protocol` and `triptych_model::runlog`. The end of the input cancels.

use std::process::ExitCode;
use triptych_runner::{guard, journal::Journal, worker};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result =
        match words.as_slice() {
            [] => guard::run(),
            ["worker", journal] => match serde_json::from_str::<Journal>(journal) {
                Ok(journal) => worker::run(&journal).map(|ended| match ended {
                    worker::Ended::Good => 0,
                    worker::Ended::Failed => 1,
                    worker::Ended::Short => 3,
                }),
                Err(error) => Err(format!("the journal cannot be read: {error}")),
            },
            ["--version"] => {
                println!("triptych-runner {}", env!("CARGO_PKG_VERSION"));
                Ok(0)
            }
            _ => Err("usage: triptych-runner, with JSON lines on standard input; triptych run does that"
                .to_owned()),
        };
    match result {
        Ok(status) => u8::try_from(status).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(why) => {
            eprintln!("triptych-runner: {why}");
            ExitCode::from(2)
        }
    }
}
