//! Lines that tell what the rows of a list table are about: commands, titles, sections, the repository.

use super::list_table::{Build, Context, Piece, Shared};
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
    shared.builds.extend(builds(text));
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

/// `trunk is r1446787 on format 6, branch6 and branch7 are fsfs-format7 r1446862 on formats 6 and 7`: only
/// clauses with a revision tell of builds. What is no variant's name is never looked up.
fn builds(text: &str) -> Vec<Build> {
    let verbs = [" is ", " are "];
    let mut found = Vec::new();
    for clause in text.split([',', ';']).map(|clause| clause.trim().trim_end_matches('.')) {
        let Some((names, rest)) = verbs.iter().find_map(|verb| clause.split_once(verb)) else { continue };
        let (build, formats) = match rest.split_once(" on format") {
            Some((build, formats)) => (build, formats.trim_start_matches('s').trim()),
            None => (rest, ""),
        };
        if !build.split_whitespace().any(is_revision) {
            continue;
        }
        let (names, formats) = (list(names), list(formats));
        for (index, name) in names.iter().enumerate() {
            let format = if formats.len() == 1 { formats.first() } else { formats.get(index) };
            let format = format.map(|format| (*format).to_owned());
            found.push(Build { name: (*name).to_owned(), build: build.to_owned(), format });
        }
    }
    found
}

/// `6 and 7`
fn list(text: &str) -> Vec<&str> {
    text.split(" and ").map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// `r1446787`
fn is_revision(word: &str) -> bool {
    word.strip_prefix('r')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_behind_names() {
        let found = |text: &str| -> Vec<String> {
            builds(text).into_iter().map(|b| format!("{}={} {:?}", b.name, b.build, b.format)).collect()
        };
        assert_eq!(
            found("Times; trunk is r14 on format 6, b6 and b7 are f7 r15 on formats 6 and 7."),
            ["trunk=r14 Some(\"6\")", "b6=f7 r15 Some(\"6\")", "b7=f7 r15 Some(\"7\")"]
        );
        assert_eq!(found("trunk is r14"), ["trunk=r14 None"]);
        assert!(found("this is what we are on format 7").is_empty());
    }
}
