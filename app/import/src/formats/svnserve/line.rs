//! One line of the log: its fixed head, then user, repository and what happened.

use super::actions::{ACTIONS, Arg};
use super::values::{Values, read_forms};

/// The fields of a line that never hold blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head<'t> {
    /// Process id of the server.
    pub pid: u32,
    /// UTC microseconds.
    pub micros: i64,
    /// Client's address, `-` where there is none.
    pub host: &'t str,
}

/// The last date seen and its midnight, since neighbours mostly share it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Day {
    text: [u8; 10],
    midnight: i64,
}

impl<'t> Head<'t> {
    /// Reads the head of a line and gives the rest.
    pub fn parse(text: &'t str) -> Option<(Self, &'t str)> {
        Self::parse_on(text, &mut Day::default())
    }

    /// The same, faster where lines share their date.
    pub fn parse_on(text: &'t str, day: &mut Day) -> Option<(Self, &'t str)> {
        let bytes = text.as_bytes();
        let digits = bytes.iter().take(11).take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || bytes.get(digits) != Some(&b' ') {
            return None;
        }
        let pid = text.get(..digits)?.parse().ok()?;
        let time = bytes.get(digits + 1..digits + 28)?;
        let micros = micros(time, day)?;
        let rest = text.get(digits + 28..)?.strip_prefix(' ')?;
        let (host, rest) = rest.split_once(' ')?;
        (!host.is_empty()).then_some((Self { pid, micros, host }, rest))
    }
}

/// Reads `YYYY-MM-DDThh:mm:ss.uuuuuuZ`.
fn micros(time: &[u8], day: &mut Day) -> Option<i64> {
    let (date, time) = time.split_at_checked(10)?;
    if date != day.text {
        day.midnight = midnight(date)?;
        day.text = date.try_into().ok()?;
    }
    let &[b'T', _, _, b':', _, _, b':', _, _, b'.', _, _, _, _, _, _, b'Z'] = time else { return None };
    let (hours, minutes) = (number(time.get(1..3)?)?, number(time.get(4..6)?)?);
    let (secs, micros) = (number(time.get(7..9)?)?, number(time.get(10..16)?)?);
    if hours > 23 || minutes > 59 || secs > 60 {
        return None;
    }
    Some(day.midnight + ((hours * 60 + minutes) * 60 + secs) * 1_000_000 + micros)
}

fn midnight(date: &[u8]) -> Option<i64> {
    let &[_, _, _, _, b'-', _, _, b'-', _, _] = date else { return None };
    let (year, month, day) = (number(date.get(..4)?)?, number(date.get(5..7)?)?, number(date.get(8..)?)?);
    let date =
        jiff::civil::Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()?;
    let midnight =
        jiff::tz::TimeZone::UTC.to_timestamp(date.to_datetime(jiff::civil::Time::midnight())).ok()?;
    Some(midnight.as_microsecond())
}

fn number(digits: &[u8]) -> Option<i64> {
    digits
        .iter()
        .try_fold(0_i64, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0')))
}

/// Whether a line can be the rest of one that rotation cut: it has user, repository and action left.
pub(super) fn looks_like_a_rest(text: &str) -> bool {
    text.split_whitespace().any(|word| ACTIONS.iter().any(|action| action.word == word))
}

/// What a line reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What<'t> {
    /// A row of [`ACTIONS`].
    Action(usize),
    /// `ERR`.
    Error,
    /// `ERR-`, a cause of the error above it.
    ErrorCause,
    /// `WARN`.
    Warning,
    /// `WARN-`.
    WarningCause,
    /// `Authorization Failed`.
    Denied,
    /// A word that is no known action.
    Unknown(&'t str),
}

impl What<'_> {
    /// Whether it goes on with the chain above it.
    pub fn is_cause(self) -> bool {
        matches!(self, Self::ErrorCause | Self::WarningCause)
    }

    /// Whether a code and a message follow.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Error | Self::ErrorCause | Self::Warning | Self::WarningCause)
    }
}

/// A line behind its head.
#[derive(Clone, Debug)]
pub(super) struct Tail<'t, V> {
    /// As printed; `-` where nobody is logged in.
    pub user: &'t str,
    /// As printed, encoded; `-` before a repository is opened.
    pub repository: &'t str,
    /// What happened.
    pub what: What<'t>,
    /// What follows the word.
    pub detail: &'t str,
    /// Whether all of the detail was understood.
    pub complete: bool,
    /// What the detail says.
    pub values: V,
}

/// Splits user, repository and action: the shortest user whose action reads completely, else the
/// shortest with a known action, else the first word.
pub(super) fn read_tail<'t, V: Values<'t>>(rest: &'t str) -> Option<Tail<'t, V>> {
    let mut second_best: Option<Tail<'t, V>> = None;
    for (end, _) in rest.match_indices(' ') {
        let Some(tail) = split_at(rest, end) else { continue };
        if tail.complete {
            return Some(tail);
        }
        let known = !matches!(tail.what, What::Unknown(_));
        let had_known = second_best.as_ref().is_some_and(|best| !matches!(best.what, What::Unknown(_)));
        if second_best.is_none() || (known && !had_known) {
            second_best = Some(tail);
        }
    }
    second_best
}

/// The tail if the user ends there; `None` where no action is left.
fn split_at<'t, V: Values<'t>>(rest: &'t str, end: usize) -> Option<Tail<'t, V>> {
    let user = rest.get(..end)?;
    let (repository, tail) = rest.get(end + 1..)?.split_once(' ')?;
    let (word, detail) = tail.split_once(' ').unwrap_or((tail, ""));
    if word.is_empty() || repository.is_empty() {
        return None;
    }
    let what = match word {
        "ERR" => What::Error,
        "ERR-" => What::ErrorCause,
        "WARN" => What::Warning,
        "WARN-" => What::WarningCause,
        "Authorization" if detail.starts_with("Failed ") => What::Denied,
        _ => ACTIONS.iter().position(|action| action.word == word).map_or(What::Unknown(word), What::Action),
    };
    let mut values = V::default();
    let complete = match what {
        What::Action(index) => {
            let forms: &[&[Arg]] = ACTIONS.get(index).map_or(&[], |action| action.forms);
            let (complete, read) = read_forms(forms, detail);
            values = read;
            complete
        }
        What::Denied => values.denied(detail.strip_prefix("Failed ").unwrap_or(detail)),
        What::Unknown(_) => false,
        _ => values.error(detail),
    };
    Some(Tail { user, repository, what, detail, complete, values })
}
