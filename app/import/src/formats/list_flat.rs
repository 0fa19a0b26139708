//! Puts back the line breaks that mail archives take out of tables.
//!
//! Only long lines are looked at. Words that begin or end a row of one of the grammars show where the
//! breaks were; a break too many within prose does no harm, for prose is no row.

use super::list_columns::{criteria, is_ordinal};
use super::list_heading::{heading_start, label_start};
use super::list_note::is_underline;
use super::list_prose::is_version;
use super::list_ratio::{is_cache, is_head};
use crate::number::{parse_duration, parse_size, take_qualifier};

/// Lines up to this length, in bytes, are as their author wrote them.
const LONGEST_ROW: usize = 200;

/// Longer lines are no text of a person.
const LONGEST_TEXT: usize = 1 << 20;

/// The lines that a line once was, without blanks at their ends; usually itself.
pub fn pieces(text: &str) -> Vec<&str> {
    if text.len() <= LONGEST_ROW || text.len() > LONGEST_TEXT {
        return vec![text.trim()];
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut flat = Flat { breaks: vec![false; words.len() + 1], words };
    let mut at = 0;
    while at < flat.words.len() {
        at = flat.look(at).max(at + 1);
    }
    flat.cut(text)
}

struct Flat<'a> {
    words: Vec<&'a str>,
    /// Whether a line begins with that word.
    breaks: Vec<bool>,
}

impl<'a> Flat<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.words.get(at).copied().unwrap_or("")
    }

    fn break_at(&mut self, at: usize) {
        if let Some(known) = self.breaks.get_mut(at) {
            *known = true;
        }
    }

    /// Marks the word and, behind it, the end of what begins with it.
    fn row(&mut self, start: usize, end: usize) -> usize {
        self.break_at(start);
        self.break_at(end);
        end
    }

    /// The first word from `at` on that is not of that sort.
    fn skip(&self, at: usize, sort: impl Fn(&str) -> bool) -> usize {
        (at..self.words.len()).find(|index| !sort(self.word(*index))).unwrap_or(self.words.len())
    }

    /// Finds the breaks that the word at `at` gives away; returns where to go on.
    fn look(&mut self, at: usize) -> usize {
        let (word, next) = (self.word(at), self.word(at + 1));
        if word == ">" || is_underline(word) {
            return self.row(at, at + 1);
        }
        if word == "/" {
            return self.tuple(at);
        }
        if word.ends_with("%)") {
            return self.share(at);
        }
        if matches!(word, "\u{2192}" | "->") {
            return self.change(at);
        }
        if let Some(label) = self.criterion(at) {
            return self.row(at, self.skip(at + label, is_figure));
        }
        if matches!(word, "real" | "user" | "sys") && is_duration(next) {
            return self.row(at, self.skip(at + 1, is_duration));
        }
        if is_load(word) {
            return self.load(at);
        }
        self.look_at_words(at, word, next)
    }

    fn look_at_words(&mut self, at: usize, word: &str, next: &str) -> usize {
        let after_prompt = at > 0 && matches!(self.word(at - 1), "$" | "%" | "#");
        let is_command = next.rsplit('/').next().is_some_and(|name| name.starts_with("svn"));
        let starts = word == "$"
            || (word == "time" && is_command && !after_prompt)
            || word == "criterion"
            || (is_ordinal(word) && next == "run")
            || (self.heads_section(at) && next.starts_with(char::is_uppercase));
        if starts {
            self.break_at(at);
        }
        if is_version(word) && next.starts_with("svn") {
            self.break_at(at.saturating_sub(1));
        }
        let ends = matches!(word, "samples)" | "sample)")
            || (word == "seconds" && at > 0 && is_count(self.word(at - 1)))
            || (word.ends_with('.') && !self.heads_section(at) && starts_sentence(next));
        if ends {
            self.break_at(at + 1);
        }
        at + 1
    }

    /// Whether the word is `1.` where something else ended, and not at the end of a sentence.
    fn heads_section(&self, at: usize) -> bool {
        self.word(at).strip_suffix('.').is_some_and(is_count)
            && (at == 0 || self.breaks.get(at) == Some(&true))
    }

    /// How many words the name of a criterion takes, where figures follow it.
    fn criterion(&self, at: usize) -> Option<usize> {
        criteria().find_map(|label| {
            let length = label.split(' ').count();
            let same = label.split(' ').enumerate().all(|(index, part)| self.word(at + index) == part);
            (same && is_figure(self.word(at + length))).then_some(length)
        })
    }

    /// `~70 .. 100% CPU load (svnserve)` or `~10 .. 20% sys`.
    fn load(&mut self, at: usize) -> usize {
        let end = (at..at + 8).find(|index| {
            let word = self.word(*index);
            word.ends_with(')') || word == "sys"
        });
        end.map_or(at + 1, |end| self.row(at, end + 1))
    }

    /// `trunk+diff 3m 1.455s ( 97%)`, behind its heading where that was joined to it; `at` is the share.
    fn share(&mut self, at: usize) -> usize {
        let open = if self.word(at).starts_with('(') { Some(at) } else { at.checked_sub(1) };
        let Some(open) = open.filter(|open| self.word(*open).starts_with('(')) else { return at + 1 };
        let is_part = |word: &str| is_figure(word) || is_duration(word) || is_unit(word);
        let mut figure = open;
        while figure > 0 && open - figure < 4 && is_part(self.word(figure - 1)) {
            figure -= 1;
        }
        let start = (0..figure).rev().find(|index| self.breaks.get(*index) == Some(&true)).unwrap_or(0);
        let words = self.words.get(start..figure).unwrap_or_default();
        let (heading, label) = (heading_start(words), label_start(words));
        for index in [heading, label] {
            self.break_at(start + index);
        }
        self.break_at(at + 1);
        at + 1
    }

    /// `Total time: 3.861 s → 2.812 s`; `at` is the arrow.
    fn change(&mut self, at: usize) -> usize {
        if !is_figure(self.word(at + 1)) {
            return at + 1;
        }
        let end = if is_unit(self.word(at + 2)) { at + 3 } else { at + 2 };
        self.break_at(end);
        end
    }

    /// Durations with their ratios, or the names above them; `at` is the first slash.
    fn tuple(&mut self, at: usize) -> usize {
        let mut start = at.saturating_sub(1);
        if !is_duration(self.word(start)) {
            if start > 0 && is_head(self.word(start - 1)) {
                start -= 1;
            }
            let mut end = at;
            while self.word(end) == "/" {
                end += 2;
            }
            return self.row(start, end);
        }
        while start > 0 && is_duration(self.word(start - 1)) {
            start -= 1;
        }
        if start > 0 && is_cache(self.word(start - 1)) {
            start -= 1;
        }
        start = start.saturating_sub(1);
        let equals = self.skip(at, |word| word == "/" || is_duration(word));
        if self.word(equals) != "=" {
            // The further slashes of the run would look through the same words again.
            return (at..equals).rev().find(|index| self.word(*index) == "/").unwrap_or(at) + 1;
        }
        let end = self
            .skip(equals + 1, |word| word.bytes().all(|byte| byte.is_ascii_digit() || b".:".contains(&byte)));
        self.row(start, end)
    }

    /// The pieces of the text between the breaks, without quote marks.
    fn cut(&self, text: &'a str) -> Vec<&'a str> {
        let offset = |word: &str| (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let starts = self.words.iter().zip(&self.breaks).filter(|(_, starts)| **starts);
        let mut cuts: Vec<usize> = starts.map(|(word, _)| offset(word)).collect();
        cuts.insert(0, 0);
        cuts.push(text.len());
        let parts = cuts.windows(2).filter_map(|pair| text.get(*pair.first()?..*pair.last()?));
        parts.map(str::trim).filter(|part| !part.is_empty() && *part != ">").collect()
    }
}

/// `s`, `ms`, `KB`: a word that makes a figure of a number.
fn is_unit(word: &str) -> bool {
    let one = format!("1 {word}");
    word.starts_with(char::is_alphabetic) && (parse_duration(&one).is_some() || parse_size(&one).is_some())
}

fn is_duration(word: &str) -> bool {
    parse_duration(take_qualifier(word).1).is_some()
}

fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// A word with a capital letter, or the number of a section.
fn starts_sentence(word: &str) -> bool {
    word.starts_with(char::is_uppercase) || word.strip_suffix('.').is_some_and(is_count)
}

fn is_count(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_load(word: &str) -> bool {
    word.strip_prefix('~').is_some_and(is_figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_durations_is_looked_through_once() {
        for (run, next) in
            [("trunk 1s / 1s / 1s / 1s x", 7), ("trunk 1s / x", 3), ("trunk 1s / 1s / 1s = 1 : 1 x", 10)]
        {
            let words: Vec<&str> = run.split(' ').collect();
            let mut flat = Flat { breaks: vec![false; words.len() + 1], words };
            assert_eq!(flat.look(2), next, "{run}");
        }
    }

    #[test]
    fn what_follows_the_last_slash_is_still_looked_at() {
        let text = format!("{} 1s / 2s ~70 .. 100% CPU load (svnserve) x", "word ".repeat(50));
        assert_eq!(pieces(&text)[1..], ["~70 .. 100% CPU load (svnserve)", "x"]);
    }
}
