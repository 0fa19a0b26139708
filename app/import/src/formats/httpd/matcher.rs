//! Matches a line against a layout.
//!
//! A user may hold blanks and an action nearly anything, so a text may end wherever the next literal
//! stands; the first split that fits is taken. Users are as short as they can be and actions as long.

use super::action;
use super::log_format::{Field, Layout, Piece};
use std::ops::Range;

/// The most steps for a short line, a step for each byte of it more: a line is never worth more.
const MOST_STEPS: usize = 4000;

/// How many bytes of an action are read in the time of one step.
const STEP_BYTES: usize = 8;

/// How many bytes are searched in the time of one step.
const SEARCHED_BYTES: usize = 64;

/// A line as far as it was matched.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// Where each piece stands, in bytes.
    pub spans: Vec<Range<usize>>,
    /// The last piece that was reached, and the byte where it did not fit: `(byte, piece)`.
    pub furthest: (usize, usize),
}

/// How actions are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Actions {
    /// Only such as read to their end.
    Whole,
    /// Any text.
    Any,
}

impl Matched {
    /// Whether all of the line fits; then the spans are set.
    pub fn fits(&mut self, layout: &Layout, line: &str, actions: Actions) -> bool {
        self.start(layout, 0, line, actions)
    }

    /// The same from a piece on, for a line whose head is lost.
    pub fn start(&mut self, layout: &Layout, piece: usize, line: &str, actions: Actions) -> bool {
        self.spans.clear();
        self.spans.resize(layout.pieces.len(), 0..0);
        self.furthest = (0, piece);
        Matcher { layout, line, actions, steps: MOST_STEPS + line.len(), matched: self }.fits(piece, 0)
    }
}

struct Matcher<'m> {
    layout: &'m Layout,
    line: &'m str,
    actions: Actions,
    steps: usize,
    matched: &'m mut Matched,
}

impl Matcher<'_> {
    fn fits(&mut self, piece: usize, at: usize) -> bool {
        self.steps = self.steps.saturating_sub(1);
        if self.steps == 0 {
            return false;
        }
        if piece > self.matched.furthest.1 {
            self.matched.furthest = (at, piece);
        }
        let rest = self.line.get(at..).unwrap_or("");
        match self.layout.pieces.get(piece) {
            None => rest.is_empty() || (self.layout.open && rest.starts_with(' ')),
            Some(Piece::Literal(text)) => rest.starts_with(text.as_str()) && self.take(piece, at, text.len()),
            Some(Piece::Field { field, .. }) => match fixed(field, rest) {
                Length::Is(length) => self.take(piece, at, length),
                Length::Not => false,
                Length::Text => self.text(piece, at, field),
            },
        }
    }

    fn take(&mut self, piece: usize, at: usize, length: usize) -> bool {
        if let Some(span) = self.matched.spans.get_mut(piece) {
            *span = at..at + length;
        }
        self.fits(piece + 1, at + length)
    }

    /// A text up to each place where the next piece may begin.
    fn text(&mut self, piece: usize, at: usize, field: &Field) -> bool {
        let line = self.line;
        let rest = line.get(at..).unwrap_or("");
        let layout = self.layout;
        let next = match layout.pieces.get(piece + 1) {
            None => Next::End,
            Some(Piece::Literal(next)) => Next::Literal(next),
            Some(Piece::Field { .. }) => Next::Anything,
        };
        if *field == Field::Action {
            let mut ends = Vec::new();
            let mut from = 0;
            while let Some(end) = self.search(next, rest, from) {
                ends.push(end);
                from = end + 1;
            }
            return ends.into_iter().rev().any(|end| self.ends_at(piece, at, field, end));
        }
        let most = longest(field, rest);
        let mut from = 0;
        while let Some(end) = self.search(next, rest, from).filter(|end| *end <= most) {
            if self.ends_at(piece, at, field, end) {
                return true;
            }
            from = end + 1;
        }
        false
    }

    /// The next place where a text may end; what was searched costs steps as well.
    fn search(&mut self, next: Next<'_>, rest: &str, from: usize) -> Option<usize> {
        let end = next.place(rest, from);
        let searched = end.unwrap_or(rest.len()).saturating_sub(from);
        self.steps = self.steps.saturating_sub(searched / SEARCHED_BYTES);
        end.filter(|_| self.steps > 0)
    }

    fn ends_at(&mut self, piece: usize, at: usize, field: &Field, length: usize) -> bool {
        let text = self.line.get(at..at + length).unwrap_or("");
        let cost = if *field == Field::Action { 1 + length / STEP_BYTES } else { 1 };
        self.steps = self.steps.saturating_sub(cost);
        self.steps > 0 && self.may_be(field, text) && self.take(piece, at, length)
    }

    /// Whether a text can be the value of a field.
    fn may_be(&self, field: &Field, text: &str) -> bool {
        match field {
            Field::Host => is_host(text),
            Field::Address => is_address(text),
            Field::Word | Field::Method | Field::RepositoryName => !text.is_empty() && !text.contains(' '),
            Field::Query => text.is_empty() || text.starts_with('?'),
            // Else the name of a server ahead of the host would pass for the host.
            Field::User => !text.is_empty() && !text.starts_with("- "),
            Field::Action => match self.actions {
                Actions::Whole => action::is_whole(text),
                Actions::Any => !text.is_empty(),
            },
            _ => true,
        }
    }
}

/// An address or a name without a port, or a list of such with a comma before each blank.
fn is_host(text: &str) -> bool {
    let is_one = |part: &str| {
        let port = part.split_once(':').map(|(_, port)| port);
        let has_port =
            port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
        !part.is_empty() && !part.contains(' ') && !has_port
    };
    text.split(", ").all(is_one)
}

/// An IPv4 or IPv6 address, or `-`.
fn is_address(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':');
    // A scope such as %eth0 may follow.
    let address = text.split('%').next().unwrap_or(text);
    text == "-" || (address.contains(['.', ':']) && address.bytes().all(plain) && !text.contains(' '))
}

/// How far a value of a field can go at the start of a text: it ends at the latest where none can go on.
fn longest(field: &Field, rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut blanks = memchr::memchr_iter(b' ', bytes);
    let end = match field {
        Field::Address | Field::Word | Field::Method | Field::RepositoryName => blanks.next(),
        Field::Host => blanks.find(|at| *at == 0 || bytes.get(at - 1) != Some(&b',')),
        _ => None,
    };
    end.unwrap_or(rest.len())
}

/// What stands behind a text.
#[derive(Clone, Copy)]
enum Next<'l> {
    Literal(&'l str),
    /// Another field.
    Anything,
    End,
}

impl Next<'_> {
    /// The first place from there on where the text may end. A literal that begins with a quote ends
    /// it only at the first quote that is not escaped.
    fn place(self, rest: &str, from: usize) -> Option<usize> {
        let tail = rest.get(from.min(rest.len())..);
        match self {
            Self::End => (from <= rest.len()).then_some(rest.len()),
            Self::Anything => (from..=rest.len()).find(|at| rest.is_char_boundary(*at)),
            Self::Literal(next) if next.starts_with('"') => {
                let quote = if from == 0 { closing_quote(rest)? } else { return None };
                rest.get(quote..)?.starts_with(next).then_some(quote)
            }
            Self::Literal(next) => {
                // Behind a match the text goes on at a border of characters, for the match began with one.
                let tail =
                    tail.or_else(|| rest.get((from..rest.len()).find(|at| rest.is_char_boundary(*at))?..))?;
                Some(rest.len() - tail.len() + find(tail, next)?)
            }
        }
    }
}

/// Where a literal first stands. Most are one blank, for which a search for texts is far too much.
fn find(text: &str, literal: &str) -> Option<usize> {
    match literal.as_bytes() {
        [byte] => memchr::memchr(*byte, text.as_bytes()),
        _ => text.find(literal),
    }
}

/// The first quote that is not escaped.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// How long a field is at the start of a text.
enum Length {
    Is(usize),
    Not,
    /// As long as what follows allows.
    Text,
}

fn fixed(field: &Field, rest: &str) -> Length {
    let is = |length: Option<usize>| length.map_or(Length::Not, Length::Is);
    match field {
        Field::Time(part) => is(part.length(rest)),
        Field::Status { .. }
        | Field::BytesOut { .. }
        | Field::BytesIn
        | Field::Duration { .. }
        | Field::Pid
        | Field::Number => is(number(rest)),
        Field::Seconds => is(decimal(rest)),
        Field::Mark => is(rest.starts_with(['X', '+', '-']).then_some(1)),
        _ => Length::Text,
    }
}

/// Digits, or `-` for none.
fn number(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match digits {
        0 => text.starts_with('-').then_some(1),
        1..=18 => Some(digits),
        _ => None,
    }
}

fn decimal(text: &str) -> Option<usize> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let rest = text.get(whole..)?.strip_prefix('.')?;
    let fraction = digits(rest);
    (whole > 0 && fraction > 0).then_some(whole + 1 + fraction)
}
