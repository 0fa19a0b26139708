//! Compiles a LogFormat string, as httpd's configuration has it, into pieces that a line is matched against.
//!
//! Used for the known layouts ([`super::known`]) and for the string that a user types. The directives
//! are those of mod_log_config and mod_logio; those that no column takes are matched and passed over.

use super::known;
use super::time::{self, TimePart};
use std::ops::Range;
use triptych_model::PatternError;

/// What a directive of the format stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// `%h`: who asked; a list `a, b` where a proxy's header was taken.
    Host,
    /// `%a`, never a name.
    Address,
    /// `%u`.
    User,
    /// `%t`, `%{…}t`.
    Time(TimePart),
    /// `%r`, the first line of the request.
    Request,
    /// `%m`.
    Method,
    /// `%U`, the path without the query.
    UrlPath,
    /// `%q`, empty or with its question mark.
    Query,
    /// `%s` (of an internal redirect the first) and `%>s`.
    Status { last: bool },
    /// `%O` with headers, `%b` and `%B` without.
    BytesOut { with_headers: bool },
    /// `%I`.
    BytesIn,
    /// `%D`, `%T`, `%{ms}T`, `%{us}T`: how many microseconds the unit has.
    Duration { micros: i64 },
    /// Seconds with a fraction, as nginx prints them; in a format `%{decimal}T`.
    Seconds,
    /// `%P`.
    Pid,
    /// `%{SVN-ACTION}e`.
    Action,
    /// `%{SVN-REPOS-NAME}e`.
    RepositoryName,
    /// `%{SVN-REPOS}e`.
    RepositoryPath,
    /// `%{User-Agent}i`.
    Agent,
    /// `%{X-Forwarded-For}i`.
    Forwarded,
    /// A number that no column takes.
    Number,
    /// A word that no column takes.
    Word,
    /// `%X`, one of `X + -`.
    Mark,
    /// A text that no column takes.
    Text,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Stands there as it is.
    Literal(String),
    /// What a directive prints; with the directive as written and its meaning for people.
    Field { field: Field, written: String, what: &'static str },
}

impl Piece {
    /// What is expected there, for people.
    pub fn expected(&self) -> String {
        match self {
            Self::Literal(text) => format!("{text:?}"),
            Self::Field { written, what, .. } => format!("{what} ({written})"),
        }
    }
}

/// A compiled format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// What it is called in messages.
    pub name: String,
    /// Its parts, in order.
    pub pieces: Vec<Piece>,
    /// Whether a line may go on behind the last part with a blank.
    pub open: bool,
}

impl Layout {
    /// Whether it has such a field.
    pub fn has(&self, wanted: fn(&Field) -> bool) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Field { field, .. } if wanted(field)))
    }
}

/// More parts than any line has.
const MOST_PIECES: usize = 200;

/// Compiles the text that a user typed: a format, the name of a known one, or a whole line of the
/// configuration such as `LogFormat "…" name`.
///
/// # Errors
/// The column in the text, from 1, what was found and what was expected there.
pub(super) fn compile(text: &str) -> Result<Layout, PatternError> {
    let name = text.trim();
    if let Some(format) = known::by_name(name) {
        return Ok(Layout { name: name.to_owned(), ..Compiler::new(format, 0..format.len()).run()? });
    }
    Compiler::new(text, body(text)?).run()
}

/// Where in a configuration line the format stands.
fn body(text: &str) -> Result<Range<usize>, PatternError> {
    let bare = text.trim();
    let start = text.len() - text.trim_start().len();
    let all = start..start + bare.len();
    let directive = ["logformat ", "customlog "]
        .iter()
        .any(|word| bare.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)));
    let first = bare.find('"');
    let inside = first.and_then(|open| Some((open, quote_end(bare.get(open + 1..)?)?)));
    let Some((open, length)) = inside else {
        return if directive {
            Err(error(text, text.len(), "the format is not quoted", "a format between double quotes"))
        } else {
            Ok(all)
        };
    };
    let quoted = start + open + 1..start + open + 1 + length;
    let is_all = open == 0 && length + 2 == bare.len();
    Ok(if directive || is_all { quoted } else { all })
}

/// Where the quote that is open at the start of the text ends.
fn quote_end(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends.then_some(at)
    })
}

fn error(text: &str, at: usize, message: &str, expected: &str) -> PatternError {
    let before = text.get(..at).unwrap_or(text);
    let found: String = text.get(at..).unwrap_or("").chars().take(12).collect();
    PatternError {
        column: u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX),
        message: message.to_owned(),
        found,
        expected: expected.to_owned(),
    }
}

struct Compiler<'t> {
    /// The whole text, for columns.
    text: &'t str,
    /// Where the format ends in it.
    end: usize,
    at: usize,
    pieces: Vec<Piece>,
    literal: String,
}

impl<'t> Compiler<'t> {
    fn new(text: &'t str, body: Range<usize>) -> Self {
        Self { text, end: body.end, at: body.start, pieces: Vec::new(), literal: String::new() }
    }

    fn run(mut self) -> Result<Layout, PatternError> {
        if !self.rest().contains('%') {
            let expected = format!("directives such as %h, or one of {}", known::names().join(", "));
            return Err(self.wrong(self.at, "there is no directive", &expected));
        }
        while let Some(letter) = self.next() {
            match letter {
                '%' => self.directive()?,
                '\\' => self.escape(),
                other => self.literal.push(other),
            }
            if self.pieces.len() > MOST_PIECES {
                return Err(self.wrong(self.at, "too many directives", "at most 100"));
            }
        }
        self.end_literal();
        let layout = Layout { name: "the LogFormat given".to_owned(), pieces: self.pieces, open: false };
        let missing = |message, expected| Err(error(self.text, self.end, message, expected));
        if !layout.has(|field| matches!(field, Field::Time(_))) {
            return missing("the format has no time", "%t or %{…}t");
        }
        if !layout.has(|field| matches!(field, Field::Request | Field::Method | Field::Action)) {
            return missing("the format does not say what was asked", "%r, %m or %{SVN-ACTION}e");
        }
        Ok(layout)
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or("")
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.rest().chars().next()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn wrong(&self, at: usize, message: &str, expected: &str) -> PatternError {
        error(self.text.get(..self.end).unwrap_or(self.text), at, message, expected)
    }

    /// What httpd makes of a backslash in a format.
    fn escape(&mut self) {
        match self.rest().chars().next() {
            Some(mark @ ('"' | '\\' | 't' | 'n')) => {
                self.literal.push(match mark {
                    't' => '\t',
                    'n' => '\n',
                    plain => plain,
                });
                self.at += 1;
            }
            _ => self.literal.push('\\'),
        }
    }

    fn end_literal(&mut self) {
        if !self.literal.is_empty() {
            self.pieces.push(Piece::Literal(std::mem::take(&mut self.literal)));
        }
    }

    /// Reads what follows a `%`: `[!]200,304`, `<` or `>`, `{argument}` and a letter.
    fn directive(&mut self) -> Result<(), PatternError> {
        let start = self.at - 1;
        let mut last = false;
        let mut argument = None;
        loop {
            let at = self.at;
            match self.next() {
                Some('%') if at == start + 1 => {
                    self.literal.push('%');
                    return Ok(());
                }
                Some('!' | ',' | '0'..='9' | '<') => {}
                Some('>') => last = true,
                Some('{') => argument = Some(self.argument(at)?),
                Some('^') => return self.long_letter(at, start),
                Some(letter) => return self.letter(letter, argument, last, at, start),
                None => return Err(self.wrong(start, "the directive ends too early", LETTERS)),
            }
        }
    }

    fn argument(&mut self, open: usize) -> Result<(usize, &'t str), PatternError> {
        let inside = self.rest();
        let Some(end) = inside.find('}') else {
            return Err(self.wrong(open, "the argument is not closed", "a } behind it"));
        };
        let at = self.at;
        self.at += end + 1;
        Ok((at, inside.get(..end).unwrap_or("")))
    }

    /// `%^FB`, `%{…}^ti`, `%{…}^to`.
    fn long_letter(&mut self, at: usize, start: usize) -> Result<(), PatternError> {
        let name = self.rest().get(..2).unwrap_or("");
        let (field, what) = match name {
            "FB" => (Field::Word, "a number"),
            "ti" | "to" => (Field::Text, "a trailer"),
            _ => return Err(self.wrong(at, "no such directive", "^FB, ^ti or ^to")),
        };
        self.at += 2;
        self.push(field, what, start);
        Ok(())
    }

    fn letter(
        &mut self,
        letter: char,
        argument: Option<(usize, &'t str)>,
        last: bool,
        at: usize,
        start: usize,
    ) -> Result<(), PatternError> {
        let name = argument.map(|(_, name)| name);
        let bad = |expected: &str| {
            let place = argument.map_or(at, |(place, _)| place);
            Err(self.wrong(place, "no such argument", expected))
        };
        let (field, what) = match (letter, name) {
            ('e' | 'i' | 'o' | 'n' | 'C', None | Some("")) => {
                let expected = format!("a name in braces before it, as in %{{User-Agent}}{letter}");
                return Err(self.wrong(at, "the directive needs a name", &expected));
            }
            ('e' | 'i' | 'o' | 'n' | 'C', Some(name)) => named(letter, name),
            ('t', format) => match time::part(format.unwrap_or("")) {
                Ok(part) => (Field::Time(part), "a time"),
                Err((offset, expected)) => {
                    let place = argument.map_or(at, |(place, _)| place + offset);
                    return Err(self.wrong(place, "no such part of a time", expected));
                }
            },
            ('T' | 'P', given) => {
                let known = || ARGUMENTS.iter().filter(|(known, ..)| *known == letter);
                // The first is what no argument means.
                match known().find(|(_, name, ..)| given.is_none_or(|given| given == *name)) {
                    Some((_, _, field, what)) => (field.clone(), *what),
                    None => return bad(if letter == 'T' { "s, ms or us" } else { "pid, tid or hextid" }),
                }
            }
            ('s', _) => (Field::Status { last }, "a status"),
            _ => match LETTER_TABLE.iter().find(|(known, _, _)| *known == letter) {
                Some((_, field, what)) => (field.clone(), *what),
                None => return Err(self.wrong(at, "no such directive", LETTERS)),
            },
        };
        self.push(field, what, start);
        Ok(())
    }

    fn push(&mut self, field: Field, what: &'static str, start: usize) {
        self.end_literal();
        let written = self.text.get(start..self.at).unwrap_or("").to_owned();
        self.pieces.push(Piece::Field { field, written, what });
    }
}

const LETTERS: &str = "one of %a %A %b %B %C %D %e %f %h %H %i %I %k %l %L %m %n %o %O %p %P %q %r %R %s %S %t %T %u %U %v %V %X %%";

/// The directives whose argument changes nothing.
const LETTER_TABLE: &[(char, Field, &str)] = &[
    ('h', Field::Host, "a host"),
    ('a', Field::Address, "an address"),
    ('l', Field::Word, "a log name"),
    ('u', Field::User, "a user"),
    ('r', Field::Request, "a request"),
    ('m', Field::Method, "a method"),
    ('U', Field::UrlPath, "a path"),
    ('q', Field::Query, "a query or nothing"),
    ('b', Field::BytesOut { with_headers: false }, "a number of bytes"),
    ('B', Field::BytesOut { with_headers: false }, "a number of bytes"),
    ('O', Field::BytesOut { with_headers: true }, "a number of bytes"),
    ('I', Field::BytesIn, "a number of bytes"),
    ('S', Field::Number, "a number of bytes"),
    ('D', Field::Duration { micros: 1 }, "whole microseconds"),
    ('k', Field::Number, "a number of requests"),
    ('p', Field::Number, "a port"),
    ('X', Field::Mark, "one of X + -"),
    ('A', Field::Word, "an address"),
    ('H', Field::Word, "a protocol"),
    ('L', Field::Word, "a log id"),
    ('v', Field::Word, "a server's name"),
    ('V', Field::Word, "a server's name"),
    ('R', Field::Text, "a handler"),
    ('f', Field::Text, "a file"),
];

/// The arguments of `%T` and `%P`.
const ARGUMENTS: &[(char, &str, Field, &str)] = &[
    ('T', "s", Field::Duration { micros: 1_000_000 }, "whole seconds"),
    ('T', "ms", Field::Duration { micros: 1000 }, "whole milliseconds"),
    ('T', "us", Field::Duration { micros: 1 }, "whole microseconds"),
    ('T', "decimal", Field::Seconds, "seconds with a fraction"),
    ('P', "pid", Field::Pid, "a process id"),
    ('P', "tid", Field::Word, "a thread id"),
    ('P', "hextid", Field::Word, "a thread id"),
];

/// What a header, a variable, a note or a cookie of that name is.
fn named(letter: char, name: &str) -> (Field, &'static str) {
    const NAMES: &[(char, &str, Field, &str)] = &[
        ('e', "SVN-ACTION", Field::Action, "an action of Subversion"),
        ('e', "SVN-REPOS-NAME", Field::RepositoryName, "a repository"),
        ('e', "SVN-REPOS", Field::RepositoryPath, "a repository"),
        ('i', "User-Agent", Field::Agent, "a client"),
        ('i', "X-Forwarded-For", Field::Forwarded, "addresses"),
    ];
    let known = NAMES.iter().find(|(kind, word, _, _)| *kind == letter && word.eq_ignore_ascii_case(name));
    known.map_or((Field::Text, "a text"), |(_, _, field, what)| (field.clone(), *what))
}
