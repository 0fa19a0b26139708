//! The line above a table of shares or changes: a command, the cache's state, how exact the figures are.

use super::list_ratio::is_cache;
use crate::commands;
use crate::sink::describe_run;
use crate::transcript;
use triptych_model::{Key, RunRow};

/// A heading taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heading<'a> {
    /// The text without what stands in parentheses at its end.
    text: &'a str,
    cache: Option<&'a str>,
    accuracy: Option<&'a str>,
}

fn parse(text: &str) -> Heading<'_> {
    let mut heading = Heading { text: text.trim(), ..Heading::default() };
    while let Some((front, note)) =
        heading.text.trim_end_matches(':').strip_suffix(')').and_then(|rest| rest.rsplit_once('('))
    {
        let note = note.trim();
        if is_cache(note) {
            heading.cache = Some(note);
        } else if let Some(accuracy) = note.strip_prefix("accuracy ") {
            heading.accuracy = Some(accuracy.trim());
        } else {
            break;
        }
        heading.text = front.trim_end();
    }
    heading.text = heading.text.trim_end_matches(':').trim_end();
    heading
}

/// Sets what the heading says; only a command names an operation, other words stay a title.
pub fn describe(run: &mut RunRow, heading: Option<&str>) {
    let Some(text) = heading else { return };
    let heading = parse(text);
    let command = transcript::prompt(heading.text).map_or(heading.text, |prompt| prompt.command);
    if commands::operation(command).is_some() {
        describe_run(run, command);
    }
    if let Some(cache) = heading.cache {
        run.content.set(Key::Cache, cache);
    }
    if let Some(accuracy) = heading.accuracy {
        run.settings.insert("accuracy".to_owned(), accuracy.into());
    }
    if !command.is_empty() {
        run.settings.insert("title".to_owned(), command.into());
    }
}

/// Where in the words of a flattened line a row's label begins, behind the heading that was joined to
/// it: behind a closing parenthesis, else behind a command with its options and what they take.
pub fn label_start(words: &[&str]) -> usize {
    let program = words.iter().rposition(|word| commands::is_program(word));
    let note = words.iter().rposition(|word| word.ends_with(')'));
    if let Some(at) = note.filter(|at| program.is_none_or(|program| program < *at)) {
        return at + 1;
    }
    let Some(program) = program else { return 0 };
    let mut end = program + 2;
    while let Some(word) = words.get(end) {
        let belongs = word.starts_with(['-', '$', '/', '\'', '"'])
            || word.contains("://")
            || word.bytes().all(|byte| byte.is_ascii_digit());
        if !belongs {
            break;
        }
        end += 1;
    }
    end.min(words.len().saturating_sub(1))
}

/// Where a heading begins in those words: at its program, else where they begin.
pub fn heading_start(words: &[&str]) -> usize {
    words.iter().rposition(|word| commands::is_program(word)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_taken_apart() {
        for (text, head, cache, accuracy) in [
            ("svnadmin verify -q", "svnadmin verify -q", None, None),
            ("svn log -q (hot)", "svn log -q", Some("hot"), None),
            ("svn ls (hot) (accuracy +/- 2ms):", "svn ls", Some("hot"), Some("+/- 2ms")),
            ("svn ls (accuracy +/- 2ms) (cold)", "svn ls", Some("cold"), Some("+/- 2ms")),
            ("Results (of today)", "Results (of today)", None, None),
            ("", "", None, None),
        ] {
            assert_eq!(parse(text), Heading { text: head, cache, accuracy }, "{text}");
        }
    }

    #[test]
    fn labels_behind_joined_headings() {
        for (text, label) in [
            ("svnadmin verify -q trunk", "trunk"),
            ("well: svnadmin verify -M 1000 -q $repo trunk+diff -M1000", "trunk+diff -M1000"),
            ("svn log -q (cold) (accuracy +/- 2ms) trunk", "trunk"),
            ("trunk+diff -M1000", "trunk+diff -M1000"),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(words[label_start(&words)..].join(" "), label, "{text}");
        }
    }
}
