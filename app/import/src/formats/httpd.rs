//! Access logs of httpd and nginx, with or without the actions of mod_dav_svn: one line a request.
//!
//! A line is what the server's LogFormat says. The known formats are a table of such strings, a user can
//! type one; all are compiled to the same parts, and a log is read by the one that fits most of its first
//! lines. Lines stand in the order in which requests ended, their time is when they arrived.

mod action;
mod blocks;
mod fields;
mod known;
mod log_format;
mod matcher;
mod time;

use crate::format::{BlockFormat, LineFormat};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use crate::zone::assumed_note;
use fields::Fields;
use jiff::tz::{Offset, TimeZone};
use known::LAYOUTS;
use log_format::{Field, Layout, Piece};
use matcher::{Actions, Matched};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use triptych_model::{
    Cancelled, FormatSpec, PatternError, Problem, ProblemKind, Quality, ReadOptions, Request, Severity,
};

/// The reader of access logs.
pub struct Httpd;

const SPEC: FormatSpec = FormatSpec {
    id: "httpd",
    title: "httpd access log",
    help: "access log of httpd or nginx in any LogFormat, with the actions of mod_dav_svn and durations where it has them",
    extensions: &["log", "txt"],
    samples: "httpd",
};

/// How many lines decide which layout a log has.
const SNIFF: usize = 50;

/// How many lines behind a strange one still show whether the log goes on.
const LOOK_AHEAD: usize = 20;

// A block shows so many lines behind its end.
const _: () = assert!(LOOK_AHEAD <= crate::format::LOOK_AHEAD && SNIFF <= crate::format::LOOK_AHEAD);

impl LineFormat for Httpd {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, options: &ReadOptions) -> Signs {
        match first {
            _ if options.log_format.is_some() => Signs::ALWAYS,
            b'0'..=b'9' => const { Signs::any_of(&["[", "o:"]) },
            _ => const { Signs::any_of(&["["]) },
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        let typed = typed(sink.options.log_format.as_deref());
        let may_be_cut = at == 0 && lines.get(1).is_some_and(|next| is_line(&next, typed.as_deref()));
        if !is_line(&first, typed.as_deref()) && !may_be_cut {
            return Ok(None);
        }
        let layouts: Vec<&Layout> = typed.as_deref().into_iter().chain(LAYOUTS.iter()).collect();
        let mut reader = Reader::new(layouts, sink);
        // Before fifty lines are tried by each layout: many lines look like one of an access log.
        if at > 0 && !reader.fits_any(first.text) {
            return Ok(None);
        }
        if !reader.choose(lines, at, sink) {
            return Ok(None);
        }
        let (end, _) = reader.read(lines, at..lines.len(), at == 0, sink)?;
        reader.tell(first.number, sink);
        Ok(Some(end))
    }

    fn blocks(&self, head: &Lines<'_>, options: &ReadOptions) -> Option<Box<dyn BlockFormat>> {
        blocks::of(head, options)
    }
}

/// Whether a line is worth trying, by fixed places alone: every line of every log is asked.
fn is_line(line: &Line<'_>, typed: Option<&Layout>) -> bool {
    typed.is_some_and(|layout| Matched::default().fits(layout, line.text, Actions::Whole))
        || has_usual_time(line.text)
        || has_timed_head(line.text)
}

/// `[30/Nov/2026:` anywhere.
fn has_usual_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'[', bytes).any(|at| {
        matches!(bytes.get(at + 1..at + 13), Some([d, _, b'/', _, _, _, b'/', y, _, _, _, b':'])
            if d.is_ascii_digit() && y.is_ascii_digit())
    })
}

/// `2026-11-30 08:05:18 …svn=[` or `… repo:`
fn has_timed_head(text: &str) -> bool {
    matches!(text.as_bytes().get(..11), Some([y, _, _, _, b'-', _, _, b'-', _, _, b' ']) if y.is_ascii_digit())
        && (text.contains(" svn=[") || text.contains(" repo:"))
}

/// Says what is wrong with a LogFormat string.
///
/// # Errors
/// The column, what was found and what was expected there.
pub fn check_log_format(text: &str) -> Result<(), PatternError> {
    log_format::compile(text).map(|_| ())
}

thread_local! {
    /// The format typed last and its layout: every line of a log asks for it.
    static TYPED: RefCell<Option<(String, Option<Rc<Layout>>)>> = const { RefCell::new(None) };
}

/// The layout of the format that the user typed; one that cannot be compiled was refused before.
fn typed(text: Option<&str>) -> Option<Rc<Layout>> {
    let text = text?;
    TYPED.with_borrow_mut(|kept| match kept {
        Some((known, layout)) if known == text => layout.clone(),
        _ => {
            let layout = log_format::compile(text).ok().map(Rc::new);
            *kept = Some((text.to_owned(), layout.clone()));
            layout
        }
    })
}

/// The arguments of one line; `None` where neither the typed layout nor a known one fits.
pub fn arguments(line: &str, log_format: Option<&str>) -> Option<Map<String, Value>> {
    let line = line.trim_end_matches(['\n', '\r']);
    let typed = typed(log_format);
    let mut matched = Matched::default();
    let read = |layout: &Layout, matched: &Matched| Fields::of(layout, matched, line).arguments();
    if let Some(layout) = typed.as_deref()
        && matched.fits(layout, line, Actions::Whole)
    {
        return Some(read(layout, &matched));
    }
    let is_usual = has_usual_time(line) || has_timed_head(line);
    let layouts: &[Layout] = if is_usual { LAYOUTS.as_slice() } else { &[] };
    let known = || typed.as_deref().into_iter().chain(layouts);
    for actions in [Actions::Whole, Actions::Any] {
        if let Some(layout) = known().find(|layout| matched.fits(layout, line, actions)) {
            return Some(read(layout, &matched));
        }
    }
    None
}

/// The same as the tests compare it.
#[cfg(test)]
fn request_arguments(line: &str) -> Option<String> {
    crate::formats::as_json(arguments(line, None))
}

/// Reads the lines of one log.
struct Reader<'l> {
    layouts: Vec<&'l Layout>,
    /// Index of the one that the log's head chose.
    chosen: usize,
    /// Index of the one that the last line fits: lines that do not fit the chosen one may fit another.
    layout: usize,
    matched: Matched,
    zone: TimeZone,
    zone_given: bool,
    zone_assumed: bool,
    typed: bool,
}

impl<'l> Reader<'l> {
    fn new(layouts: Vec<&'l Layout>, sink: &Sink<'_>) -> Self {
        let given = sink.options.zone_offset_secs.and_then(|secs| Offset::from_seconds(secs).ok());
        Self {
            typed: layouts.len() > LAYOUTS.len(),
            layouts,
            chosen: 0,
            layout: 0,
            matched: Matched::default(),
            zone_given: given.is_some(),
            zone: given.map_or_else(TimeZone::system, TimeZone::fixed),
            zone_assumed: false,
        }
    }

    /// Takes the layout that fits most of the first lines, of equal ones the first, if one fits.
    fn choose(&mut self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> bool {
        let head: Vec<&str> =
            (at..lines.len().min(at + SNIFF)).filter_map(|index| Some(lines.get(index)?.text)).collect();
        let votes: Vec<usize> = self
            .layouts
            .iter()
            .map(|layout| head.iter().filter(|text| self.matched.fits(layout, text, Actions::Whole)).count())
            .collect();
        let best = |open: bool| {
            let votes = || {
                votes
                    .iter()
                    .zip(&self.layouts)
                    .map(|(votes, layout)| if layout.open == open { *votes } else { 0 })
            };
            let most = votes().max().filter(|most| *most > 0)?;
            votes().position(|votes| votes == most)
        };
        let typed_fits = self.typed && votes.first().is_some_and(|votes| *votes > 0);
        let chosen = if typed_fits { Some(0) } else { best(false).or_else(|| best(true)) };
        let Some(chosen) = chosen else { return false };
        (self.chosen, self.layout) = (chosen, chosen);
        let starts = head.first().is_some_and(|text| self.fits_any(text) || (at == 0 && self.is_rest(text)));
        if starts && self.is_guessed() {
            let first = lines.get(at).map_or(1, |line| line.number);
            self.judge_numbers(&head, first, sink);
        }
        starts
    }

    fn current(&self) -> Option<&'l Layout> {
        self.layouts.get(self.layout).copied()
    }

    fn is_guessed(&self) -> bool {
        self.current().is_some_and(|layout| known::GUESSED.contains(&layout.name.as_str()))
    }

    /// A bare number behind a known layout has no unit. No request takes 0 microseconds, but most take 0
    /// seconds: then it is passed over.
    fn judge_numbers(&mut self, head: &[&str], first: u32, sink: &mut Sink<'_>) {
        let path = sink.data.path.clone();
        let (severity, message) = if head.iter().any(|text| text.ends_with(" 0")) {
            self.layouts.retain(|layout| !known::GUESSED.contains(&layout.name.as_str()));
            self.chosen = self.layouts.iter().position(|layout| layout.open).unwrap_or(0);
            self.layout = self.chosen;
            (Severity::Warning, "the number at the end of each line has no unit and was passed over")
        } else {
            (Severity::Note, "the number at the end of each line was read as microseconds (%D)")
        };
        let problem = Problem::new(severity, ProblemKind::Other, path, message).at_line(first);
        sink.problem(problem.next_step("give the server's LogFormat to have it read as what it is"));
    }

    fn fits(&mut self, layout: usize, text: &str) -> bool {
        self.layouts.get(layout).is_some_and(|layout| self.matched.fits(layout, text, Actions::Whole))
    }

    fn fits_any(&mut self, text: &str) -> bool {
        (0..self.layouts.len()).any(|layout| self.fits(layout, text))
    }

    /// Whether a line is the rest of one that rotation cut: the layout from some part on.
    fn is_rest(&mut self, text: &str) -> bool {
        let Some(layout) = self.current() else { return false };
        let names_something = |piece: &Piece| match piece {
            Piece::Field { field, .. } => {
                matches!(field, Field::Status { .. } | Field::BytesOut { .. } | Field::Action | Field::Agent)
            }
            Piece::Literal(_) => false,
        };
        (1..layout.pieces.len()).any(|from| {
            layout.pieces.iter().skip(from).any(names_something)
                && self.matched.start(layout, from, text, Actions::Whole)
        })
    }

    /// Reads a range of lines, or up to the end of the log. Returns the index behind the last line that is
    /// not blank, and whether the log goes on to the range's end.
    fn read(
        &mut self,
        lines: &Lines<'_>,
        range: Range<usize>,
        from_start: bool,
        sink: &mut Sink<'_>,
    ) -> Result<(usize, bool), Cancelled> {
        let (mut end, mut known_ahead) = (range.start, (range.start, 0));
        for (index, line) in lines.starting_at(range.start).take(range.len()) {
            sink.check_at(index - range.start, line.offset)?;
            if line.is_blank() {
                continue;
            }
            let fits = self.fits(self.chosen, line.text);
            self.layout = self.chosen;
            if line.is_open {
                if fits {
                    self.row(&line, Quality::INCOMPLETE, sink);
                    tell_cut(&line, OPEN_END, sink);
                } else {
                    self.cut(&line, OPEN_END, sink);
                }
            } else if fits || self.fits_another(line.text) || self.fits_loosely(line.text) {
                self.row(&line, Quality::NONE, sink);
            } else if index == 0 && from_start {
                self.cut(&line, "the first line is cut, as rotation does", sink);
            } else {
                let Some(layout) = self.ahead(lines, index, &mut known_ahead) else {
                    return Ok((end, false));
                };
                // A log whose layout was changed goes on by another one.
                self.layout = layout;
                if self.fits_loosely(line.text) {
                    self.row(&line, Quality::NONE, sink);
                } else {
                    self.complain(&line, sink);
                }
            }
            end = index + 1;
        }
        Ok((end, true))
    }

    /// The layout of the first of the next lines that fits one. Which line that was is remembered, so that
    /// many strange lines on end are not looked over again and again.
    fn ahead(&mut self, lines: &Lines<'_>, index: usize, known: &mut (usize, usize)) -> Option<usize> {
        if known.0 <= index {
            let ahead = lines.starting_at(index + 1).take(LOOK_AHEAD);
            let found = ahead.filter_map(|(at, next)| Some((at, self.layout_of(next.text)?))).next();
            *known = found.unwrap_or((index, 0));
        }
        (known.0 > index).then_some(known.1)
    }

    /// The layout that a line fits: the chosen one, else the first.
    fn layout_of(&mut self, text: &str) -> Option<usize> {
        let all = 0..self.layouts.len();
        std::iter::once(self.chosen).chain(all).find(|layout| self.fits(*layout, text))
    }

    /// Whether another layout fits; it then is the line's. The next line begins with the chosen one again,
    /// so that what a line says depends on no other.
    fn fits_another(&mut self, text: &str) -> bool {
        let found = (0..self.layouts.len()).find(|layout| *layout != self.chosen && self.fits(*layout, text));
        self.layout = found.unwrap_or(self.chosen);
        found.is_some()
    }

    /// Whether the line's layout fits but for its action.
    fn fits_loosely(&mut self, text: &str) -> bool {
        self.current().is_some_and(|layout| self.matched.fits(layout, text, Actions::Any))
    }

    /// Adds the row of a line that was just matched.
    fn row(&mut self, line: &Line<'_>, odd: Quality, sink: &mut Sink<'_>) {
        let Some(layout) = self.current() else { return };
        sink.unread_ends += u64::from(layout.open);
        let fields = Fields::of(layout, &self.matched, line.text);
        let action = fields.action();
        let pushed = fields.with_row(&self.zone, &action, |row| {
            let quality = row.quality.with(odd);
            self.zone_assumed |= quality.has(Quality::ZONE_ASSUMED);
            sink.data.requests.push(&Request { line: line.number, offset: line.offset, quality, ..row });
        });
        if pushed.is_none() {
            sink.not_understood(
                line.number,
                1,
                "the time cannot be read",
                line.text,
                "a date and a time of day",
            );
        }
        if let Some(expected) = action.expected {
            let unknown = action.quality.has(Quality::UNKNOWN_ACTION);
            let message = if unknown { "unknown action" } else { "unreadable arguments" };
            let found = fields.action.as_deref().unwrap_or("");
            sink.not_understood(line.number, column(line.text, fields.action_at), message, found, expected);
        }
    }

    /// Counts a cut line; what is whole of it is kept where it fits another layout.
    fn cut(&mut self, line: &Line<'_>, message: &str, sink: &mut Sink<'_>) {
        if (0..self.layouts.len()).any(|layout| {
            let shorter = self.layouts.get(layout).is_some_and(|layout| !layout.open);
            self.layout = layout;
            shorter && self.fits(layout, line.text)
        }) {
            self.row(line, Quality::INCOMPLETE, sink);
        }
        self.layout = self.chosen;
        sink.data.not_understood += 1;
        tell_cut(line, message, sink);
    }

    /// Warns of a line that does not fit, with the place where it stops fitting.
    fn complain(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let Some(layout) = self.current() else { return };
        self.matched.fits(layout, line.text, Actions::Any);
        let (at, piece) = self.matched.furthest;
        let expected =
            layout.pieces.get(piece).map_or_else(|| "the end of the line".to_owned(), Piece::expected);
        let found = line.text.get(at..).unwrap_or("");
        sink.not_understood(
            line.number,
            column(line.text, at),
            "no line of the access log",
            found,
            &expected,
        );
    }

    /// Says what was assumed of the whole log.
    fn tell(&self, first: u32, sink: &mut Sink<'_>) {
        let path = sink.data.path.clone();
        let problem = |severity, kind, message: String| {
            Problem::new(severity, kind, path.as_str(), message).at_line(first)
        };
        if self.zone_assumed && !self.zone_given {
            sink.problem(problem(Severity::Note, ProblemKind::ZoneAssumed, assumed_note(&self.zone)));
        }
        let more = std::mem::take(&mut sink.unread_ends);
        if more > 0 {
            let message =
                format!("{more} lines have more fields than the known formats; the rest was not read");
            let told = problem(Severity::Warning, ProblemKind::Other, message);
            sink.problem(told.next_step("give the server's LogFormat"));
        }
        if self.typed && self.chosen > 0 {
            let name = self.layouts.get(self.chosen).map_or("", |layout| layout.name.as_str());
            let message = format!("the LogFormat given does not fit; the log was read as {name}");
            sink.problem(problem(Severity::Warning, ProblemKind::Other, message));
        }
    }
}

/// Said of a last line without a line end: a number at its end can be read and still be cut.
const OPEN_END: &str = "the last line has no end and may be cut; the server may still write";

fn tell_cut(line: &Line<'_>, message: &str, sink: &mut Sink<'_>) {
    let path = sink.data.path.clone();
    sink.problem(
        Problem::new(Severity::Warning, ProblemKind::Cut, path, message)
            .at_line(line.number)
            .found(line.text.chars().take(80).collect::<String>()),
    );
}

/// The column of a byte, in characters from 1.
fn column(text: &str, at: usize) -> u32 {
    let before = text.get(..at).unwrap_or(text).chars().count();
    u32::try_from(before + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod tests;
