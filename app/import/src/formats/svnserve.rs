//! svnserve's operation log: one line per action, no duration, no session id.
//!
//! A line is `pid time host user repository action …`. The user's name is not escaped and may hold
//! blanks, so a line is split from both sides: the shortest user whose action can be read wins. The
//! log of a busy server is large; lines are read in place, texts are kept once, and what needs the
//! whole log (sessions) is done afterwards on the columns, so that parts of a log could be read apart.

mod actions;
mod line;
mod sessions;
pub(super) mod shared;
mod values;

use crate::format::{Block, BlockFormat, LineFormat};
use crate::signs::Signs;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use line::{Head, Tail, What};
use triptych_model::{
    Cancelled, Client, FormatSpec, Problem, ProblemKind, Quality, ReadOptions, Requests, Severity, Symbol,
    SymbolRow,
};
use values::{Columns, decoded};

/// The reader of svnserve's log.
pub struct Svnserve;

const SPEC: FormatSpec = FormatSpec {
    id: "svnserve",
    title: "svnserve log",
    help: "operation log of svnserve --log-file: one action a line with time, host, user, path and revision",
    extensions: &["log", "txt"],
    samples: "svnserve",
};

/// How many lines may pass before one shows an action that is known.
const SNIFF: usize = 50;

/// How many lines behind a strange one still show whether the log goes on.
const LOOK_AHEAD: usize = 20;

const _: () = assert!(LOOK_AHEAD <= crate::format::LOOK_AHEAD && SNIFF < crate::format::LOOK_AHEAD);

pub use values::arguments;
#[cfg(test)]
use values::request_arguments;

impl LineFormat for Svnserve {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        if first.is_ascii_digit() { const { Signs::any_of(&["0T"]) } } else { Signs::NEVER }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        if !starts_at(lines, at) {
            return Ok(None);
        }
        let first_row = sink.data.requests.len();
        let mut reader = Reader::new(lines, at == 0, sink);
        let (end, _) = reader.read(at, lines.len(), sink)?;
        reader.close_error(sink);
        sessions::link(&mut sink.data.requests, first_row);
        Ok(Some(end))
    }

    fn blocks(&self, head: &Lines<'_>, _options: &ReadOptions) -> Option<Box<dyn BlockFormat>> {
        starts_at(head, 0).then(|| Box::new(Self) as Box<dyn BlockFormat>)
    }
}

impl BlockFormat for Svnserve {
    fn may_begin(&self, line: &[u8]) -> bool {
        let text = std::str::from_utf8(line).unwrap_or("");
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let tail = |text| line::read_tail::<Columns<'_>>(Head::parse(text)?.1);
        // A cause may belong to the error above it, and so may one behind lines that are not understood.
        !text.contains(['\r', '\0', '\u{1b}']) && tail(text).is_some_and(|tail| !tail.what.is_cause())
    }

    fn read_block(&self, block: &Block<'_>, sink: &mut Sink<'_>) -> Result<bool, Cancelled> {
        let mut reader = Reader::new(block.lines, block.is_first, sink);
        let (_, goes_on) = reader.read(0, block.end, sink)?;
        reader.close_error(sink);
        Ok(goes_on)
    }

    fn needs_no_head(&self) -> bool {
        true
    }

    fn finish(&self, sink: &mut Sink<'_>) {
        sessions::link(&mut sink.data.requests, 0);
    }
}

/// Whether a log starts with that line.
fn starts_at(lines: &Lines<'_>, at: usize) -> bool {
    let Some(first) = lines.get(at) else { return false };
    // Rotation cuts the first line of a file anywhere.
    let may_be_cut = at == 0 && !first.is_blank();
    is_certain(first.text)
        || (Head::parse(first.text).is_some() && goes_on(lines, at + 1, SNIFF))
        || (may_be_cut && line::looks_like_a_rest(first.text) && goes_on(lines, at + 1, 1))
}

/// Whether a line is certainly of such a log.
fn is_certain(text: &str) -> bool {
    Head::parse(text).is_some_and(|(_, rest)| {
        line::read_tail::<Columns<'_>>(rest).is_some_and(|tail| !matches!(tail.what, What::Unknown(_)))
    })
}

fn goes_on(lines: &Lines<'_>, from: usize, within: usize) -> bool {
    lines.starting_at(from).take(within).any(|(_, line)| is_certain(line.text))
}

/// Reads lines of one log into the columns.
struct Reader<'l> {
    lines: &'l Lines<'l>,
    /// Whether the first of the lines is the first of the source.
    from_start: bool,
    first_row: usize,
    /// The client of the last row, which the next one mostly shares.
    client: Client,
    client_number: Option<u32>,
    /// By row of [`actions::ACTIONS`], 0 where not yet seen.
    actions: [Symbol; actions::ACTIONS.len()],
    /// The text of an `ERR` line and its causes, while further causes may follow.
    error: String,
    /// Host, user and repository of the last two clients as the lines have them, and their numbers; where
    /// a blank in them could be read otherwise, nothing.
    who: [(&'l str, u32); 2],
    /// The last minute seen.
    minute: line::Minute,
}

impl<'l> Reader<'l> {
    fn new(lines: &'l Lines<'l>, from_start: bool, sink: &Sink<'_>) -> Self {
        Self {
            lines,
            from_start,
            first_row: sink.data.requests.len(),
            client: Client::default(),
            client_number: None,
            actions: [0; actions::ACTIONS.len()],
            error: String::new(),
            who: [("", 0); 2],
            minute: line::Minute::default(),
        }
    }

    /// Reads lines up to `stop` or the end of the log. Returns the index behind the last line that is
    /// not blank, and whether the log goes on to `stop`.
    fn read(&mut self, start: usize, stop: usize, sink: &mut Sink<'_>) -> Result<(usize, bool), Cancelled> {
        let lines = self.lines;
        let mut end = start;
        for (index, line) in lines.starting_at(start).take(stop.saturating_sub(start)) {
            sink.check_at(index - start, line.offset)?;
            let stamp = line::stamp(line.text, &mut self.minute);
            if let Some(stamp) = stamp
                && self.usual_row(&line, stamp, sink)
            {
                end = index + 1;
                continue;
            }
            let head = stamp.and_then(|(pid, micros, rest)| Head::behind(pid, micros, rest));
            let read = head.and_then(|(head, rest)| Some((head, line::read_tail::<Columns<'_>>(rest)?)));
            let is_first = index == 0 && self.from_start;
            match read {
                Some((head, tail)) => self.row(&line, &head, &tail, sink),
                None if line.is_blank() => continue,
                None if line.is_open || (is_first && goes_on(lines, 1, 1)) => {
                    sink.data.not_understood += 1;
                    tell_cut(&line, sink);
                }
                None if !goes_on(lines, index + 1, LOOK_AHEAD) => return Ok((end, false)),
                None => sink.not_understood(
                    line.number,
                    1,
                    "no line of svnserve's log",
                    line.text,
                    "a process id, a time such as 2026-11-30T08:03:39.382038Z, host, user, repository and action",
                ),
            }
            end = index + 1;
        }
        Ok((end, true))
    }

    /// Reads a line of one of the last two clients, whose action reads completely: then the user ends
    /// where it did there. Most lines are so; false leaves the line to [`Self::row`].
    fn usual_row(&mut self, line: &Line<'l>, stamp: (u32, i64, &'l str), sink: &mut Sink<'_>) -> bool {
        let (pid, micros, rest) = stamp;
        let behind = |who: &str| match who {
            "" => None,
            who => rest.strip_prefix(who)?.strip_prefix(' '),
        };
        let [(last, client), (other, others)] = self.who;
        let (tail, client) = match behind(last) {
            Some(tail) => (tail, client),
            None => match behind(other) {
                Some(tail) => (tail, others),
                None => return false,
            },
        };
        let (what, _, complete, values) = line::read_what::<Columns<'_>>(tail);
        let What::Action(_) = what else { return false };
        let is_usual = complete && !line.is_open;
        if is_usual {
            self.close_error(sink);
            self.push(line, (pid, micros, client), what, &values, Quality::MEASURED, sink);
        }
        is_usual
    }

    fn row(&mut self, line: &Line<'l>, head: &Head<'l>, tail: &Tail<'l, Columns<'l>>, sink: &mut Sink<'_>) {
        let is_open = line.is_open;
        if tail.what.is_cause() && self.joins(head, tail, sink) {
            if is_open {
                let row = sink.data.requests.len() - 1;
                sink.data.requests.mark(row, Quality::INCOMPLETE);
                tell_cut(line, sink);
            }
            return;
        }
        self.close_error(sink);
        let quality = match tail.complete {
            true if is_open => {
                tell_cut(line, sink);
                Quality::MEASURED.with(Quality::INCOMPLETE)
            }
            true => Quality::MEASURED,
            false => Quality::MEASURED.with(complain(line, tail, sink)),
        };
        let client = self.client(head, tail, &mut sink.data.requests);
        let length = head.host.len() + tail.user.len() + tail.repository.len() + 2;
        let who = line::stamp(line.text, &mut self.minute).and_then(|(_, _, rest)| rest.get(..length));
        if let Some(who) = who.filter(|_| !tail.user.contains(' ')) {
            self.who = [(who, client), self.who[0]];
        }
        self.push(line, (head.pid, head.micros, client), tail.what, &tail.values, quality, sink);
        if tail.what.is_error() {
            values::error_text(tail.detail, &mut self.error);
        }
    }

    /// Adds a row; `of` is its process, time and client.
    fn push(
        &mut self,
        line: &Line<'_>,
        of: (u32, i64, u32),
        what: What<'_>,
        values: &Columns<'_>,
        quality: Quality,
        sink: &mut Sink<'_>,
    ) {
        let rows = &mut sink.data.requests;
        let action = self.action(what, rows);
        let path = match values.path {
            Some(path) if values.encoded => decoded(path, |path| rows.intern(path)),
            Some(path) => rows.intern(path),
            None => 0,
        };
        let (pid, time, client) = of;
        rows.push_symbols(&SymbolRow {
            line: line.number,
            offset: line.offset,
            time,
            pid,
            client,
            action,
            path,
            revision: values.revision,
            quality: if values.corrupt { quality.with(Quality::CORRUPT_PATH) } else { quality },
        });
    }

    fn client(&mut self, head: &Head<'_>, tail: &Tail<'_, Columns<'_>>, rows: &mut Requests) -> u32 {
        let last = self.client;
        let client = Client {
            host: repeated(rows, last.host, head.host),
            user: repeated(rows, last.user, tail.user),
            repository: decoded(tail.repository, |name| repeated(rows, last.repository, name)),
        };
        match self.client_number {
            Some(number) if client == last => number,
            _ => {
                let number = rows.client(client);
                (self.client, self.client_number) = (client, Some(number));
                number
            }
        }
    }

    fn action(&mut self, what: What<'_>, rows: &mut Requests) -> Symbol {
        match what {
            What::Action(index) => {
                let word = actions::ACTIONS.get(index).map_or("", |action| action.word);
                match self.actions.get_mut(index) {
                    Some(symbol) => {
                        if *symbol == 0 {
                            *symbol = rows.intern(word);
                        }
                        *symbol
                    }
                    None => 0,
                }
            }
            What::Error | What::ErrorCause => rows.intern("error"),
            What::Warning | What::WarningCause => rows.intern("warning"),
            What::Denied => rows.intern("denied"),
            What::Unknown(word) => rows.intern(word),
        }
    }

    /// Adds a cause (`ERR-`) to the error above it, if it is of the same chain.
    fn joins(&mut self, head: &Head<'_>, tail: &Tail<'_, Columns<'_>>, sink: &Sink<'_>) -> bool {
        let rows = &sink.data.requests;
        let chain = if tail.what == What::ErrorCause { "error" } else { "warning" };
        let last = rows.actions().last().and_then(|action| rows.texts().get(*action));
        let same = rows.len() > self.first_row
            && !self.error.is_empty()
            && last == Some(chain)
            && rows.pids().last() == Some(&head.pid)
            && rows.times().last() == Some(&head.micros)
            && rows.texts().get(self.client.host).unwrap_or("-") == head.host;
        if same {
            self.error.push_str("; ");
            values::error_text(tail.detail, &mut self.error);
        }
        same
    }

    fn close_error(&mut self, sink: &mut Sink<'_>) {
        if self.error.is_empty() {
            return;
        }
        let rows = &mut sink.data.requests;
        let symbol = rows.intern(&self.error);
        rows.set_last_error(symbol);
        self.error.clear();
    }
}

/// Warns of an action that could not be read and says what that makes of the row.
fn complain(line: &Line<'_>, tail: &Tail<'_, Columns<'_>>, sink: &mut Sink<'_>) -> Quality {
    if line.is_open {
        sink.data.not_understood += 1;
        tell_cut(line, sink);
        return Quality::INCOMPLETE;
    }
    let before = line.text.len().saturating_sub(tail.detail.len());
    let column = line.text.get(..before).unwrap_or("").chars().count() + 1;
    let column = u32::try_from(column).unwrap_or(u32::MAX);
    let (message, found, expected, quality) = match tail.what {
        What::Unknown(word) => {
            ("unknown action", word, "an action of Subversion 1.6 to 1.14", Quality::UNKNOWN_ACTION)
        }
        What::Action(index) => {
            let expected = actions::ACTIONS.get(index).map_or("", |action| action.help);
            ("unreadable arguments", tail.detail, expected, Quality::MALFORMED)
        }
        _ => ("unreadable error", tail.detail, "source file, line, code and message", Quality::MALFORMED),
    };
    sink.not_understood(line.number, column, message, found, expected);
    quality
}

/// Warns of a first line that rotation cut, or of a last one without a line end: a number at its end can
/// be read and still be cut.
fn tell_cut(line: &Line<'_>, sink: &mut Sink<'_>) {
    let message = if line.is_open {
        "the last line has no end and may be cut; the server may still write"
    } else {
        "the first line is cut, as rotation does"
    };
    let path = sink.data.path.clone();
    sink.problem(
        Problem::new(Severity::Warning, ProblemKind::Cut, path, message)
            .at_line(line.number)
            .found(line.text.chars().take(80).collect::<String>()),
    );
}

/// The symbol of a text that mostly is the one of the row before; `-` is absent.
fn repeated(rows: &mut Requests, last: Symbol, text: &str) -> Symbol {
    if text == "-" {
        0
    } else if rows.texts().get(last) == Some(text) {
        last
    } else {
        rows.intern(text)
    }
}

#[cfg(test)]
mod grammar_tests;
#[cfg(test)]
mod odd_tests;
#[cfg(test)]
mod print_tests;
#[cfg(test)]
mod tests;
