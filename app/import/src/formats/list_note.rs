//! Lines that tell what the rows of a list table are about: commands, titles, sections, the repository.

use super::list_table::{Context, Piece, Shared};
use crate::transcript;

/// Takes note of a line; whether it says something of the rows below it.
pub fn note(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>) -> bool {
    let text = piece.text;
    if is_underline(text) {
        context.title = context.last_text.take();
        (context.command, context.server) = (None, None);
        return true;
    }
    if is_server(text) {
        context.server = Some(text.to_owned());
        return true;
    }
    if let Some(prompt) = transcript::prompt(text) {
        if prompt.sure {
            context.command = Some(prompt.command.to_owned());
        }
        return prompt.sure;
    }
    if is_section(text) {
        context.section = Some(text.to_owned());
        return true;
    }
    shared.scan |= contains_word(text, "scan");
    shared.rebooted |= text.contains("after a reboot");
    let Some(name) = text.strip_prefix("Repository:").and_then(|rest| rest.split_whitespace().next()) else {
        return false;
    };
    shared.repository = Some(name.trim_end_matches(['.', ',', ';']).to_owned());
    true
}

/// The repository that a URL names, `tsvn` of `svn://localhost/tsvn/trunk`; not a shell variable.
pub fn repository_of(command: &str) -> Option<String> {
    let url = command.split_whitespace().find_map(|word| word.strip_prefix("svn://"))?;
    let name = url.split('/').nth(1)?;
    (!name.is_empty() && !name.starts_with('$')).then(|| name.to_owned())
}

/// A rule of hyphens below a title.
pub fn is_underline(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| byte == b'-')
}

/// The command line that starts a server: `…/svnserve -d …`.
fn is_server(text: &str) -> bool {
    let mut words = text.trim_start_matches(['$', ' ']).split_whitespace();
    let program = words.next().and_then(|word| word.rsplit('/').next());
    program.is_some_and(|name| name.starts_with("svnserve"))
        && words.next().is_some_and(|word| word.starts_with('-'))
}

/// `1. Client and server on the laptop`
fn is_section(text: &str) -> bool {
    text.split_once(". ").is_some_and(|(number, rest)| {
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && rest.starts_with(|c: char| c.is_uppercase())
    })
}

fn contains_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|part| part == word)
}
