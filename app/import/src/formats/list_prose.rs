//! The lines of 2003: `Unpatched 0.24.2 svn commit - 31 minutes 33 seconds`, below a numbered section.

use super::list_table::{Context, Out, Piece, Shared, printed};
use crate::commands;
use crate::number::{parse_duration, take_qualifier};
use crate::sink::describe_run;
use triptych_model::{Key, Process, Unit};

/// Reads `<variant> <version> <command> - <duration>`.
pub fn row(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    let Some((left, raw)) = piece.text.rsplit_once(" - ") else { return false };
    let raw = raw.trim().trim_end_matches('.');
    let Some(value) = parse_duration(take_qualifier(raw).1) else { return false };
    let Some((front, command)) =
        left.split_once(" svn").and_then(|(front, _)| Some((front, left.get(front.len() + 1..)?)))
    else {
        return false;
    };
    let Some((variant, build)) = front.rsplit_once(' ').filter(|(_, build)| is_version(build)) else {
        return false;
    };
    if commands::operation(command).is_none() {
        return false;
    }
    let Some(sink) = out else { return true };
    let mut run = context.run(shared, piece);
    describe_run(&mut run, command.trim_end());
    run.content.set(Key::Variant, variant.trim());
    run.content.set(Key::Build, build);
    if let Some(network) = context.section.as_deref().and_then(network_of) {
        run.content.set(Key::Network, network);
    }
    let run = sink.run(run);
    sink.measure(printed(run, piece, Process::Client, "time", Unit::Secs, Some(value), raw));
    true
}

/// `0.24.2`, `1.14`: digits and points.
pub fn is_version(word: &str) -> bool {
    word.contains('.')
        && word.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Where client and server were, by the section's words.
fn network_of(section: &str) -> Option<&'static str> {
    let words = [
        ("LAN", "LAN"),
        ("separate machines", "LAN"),
        ("on the laptop", "local"),
        ("same machine", "local"),
        ("localhost", "local"),
    ];
    words.into_iter().find(|(word, _)| section.contains(word)).map(|(_, network)| network)
}
