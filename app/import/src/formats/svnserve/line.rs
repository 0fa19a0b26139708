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

/// The last minute seen and when it began, since neighbours mostly share it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Minute {
    text: [u8; 17],
    start: i64,
}

impl<'t> Head<'t> {
    /// Reads the head of a line and gives the rest.
    pub fn parse(text: &'t str) -> Option<(Self, &'t str)> {
        let (pid, micros, rest) = stamp(text, &mut Minute::default())?;
        Self::behind(pid, micros, rest)
    }

    /// Reads what stands behind the time.
    pub fn behind(pid: u32, micros: i64, rest: &'t str) -> Option<(Self, &'t str)> {
        let (host, rest) = split(rest)?;
        (!host.is_empty()).then_some((Self { pid, micros, host }, rest))
    }
}

/// Reads `pid time ` and gives the rest; faster where lines share their minute.
#[inline]
pub(super) fn stamp<'t>(text: &'t str, minute: &mut Minute) -> Option<(u32, i64, &'t str)> {
    let bytes = text.as_bytes();
    let (mut pid, mut digits) = (0_u64, 0);
    for byte in bytes.iter().take(10).take_while(|byte| byte.is_ascii_digit()) {
        pid = pid * 10 + u64::from(byte - b'0');
        digits += 1;
    }
    if digits == 0 || bytes.get(digits) != Some(&b' ') {
        return None;
    }
    let time: &[u8; 28] = bytes.get(digits + 1..)?.first_chunk()?;
    let micros = micros(time, minute)?;
    Some((u32::try_from(pid).ok()?, micros, text.get(digits + 29..)?))
}

/// Reads `YYYY-MM-DDThh:mm:ss.uuuuuuZ ` with the blank behind it.
fn micros(time: &[u8; 28], minute: &mut Minute) -> Option<i64> {
    let (start, [s, t, point, u @ .., b'Z', b' ']) = time.split_first_chunk::<17>()? else { return None };
    if *start != minute.text {
        minute.start = minute_of(start)?;
        minute.text = *start;
    }
    let (secs, micros) = (number(&[*s, *t])?, number(u)?);
    (*point == b'.' && u.len() == 6 && secs <= 60).then_some(minute.start + secs * 1_000_000 + micros)
}

/// Reads `YYYY-MM-DDThh:mm:`.
fn minute_of(text: &[u8; 17]) -> Option<i64> {
    let (date, time) = text.split_at_checked(10)?;
    let &[b'T', h, i, b':', m, n, b':'] = time else { return None };
    let (hours, minutes) = (number(&[h, i])?, number(&[m, n])?);
    (hours <= 23 && minutes <= 59).then_some(midnight(date)? + (hours * 60 + minutes) * 60_000_000)
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

/// Splits a text at its first blank. Words are short: eight bytes are looked at in one step.
#[inline]
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let differs = u64::from_le_bytes(*word) ^ (ONES * b' ' as u64);
        // The lowest byte that is zero has its high bit set, whatever the bytes above it give.
        let zeros = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
        if zeros != 0 {
            at += zeros.trailing_zeros() as usize / 8;
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
        at += 8;
    }
    at += rest.iter().position(|byte| *byte == b' ')?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// The first word of a text and what follows the blank behind it.
#[inline]
pub(super) fn word(text: &str) -> (&str, &str) {
    split(text).unwrap_or((text, ""))
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
    let mut end = 0;
    while let Some((word, behind)) = rest.get(end..).and_then(split) {
        let tail = split_at(rest, end + word.len());
        end = rest.len() - behind.len();
        let Some(tail) = tail else { continue };
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
    let (repository, tail) = split(rest.get(end + 1..)?)?;
    let (what, detail, complete, values) = read_what(tail);
    let has_word = !matches!(what, What::Unknown(""));
    (has_word && !repository.is_empty()).then_some(Tail { user, repository, what, detail, complete, values })
}

/// Reads the action and what follows it: the detail, whether all of it was understood, and its values.
pub(super) fn read_what<'t, V: Values<'t>>(tail: &'t str) -> (What<'t>, &'t str, bool, V) {
    let (word, detail) = word(tail);
    let what = match ACTIONS.iter().position(|action| action.word == word) {
        Some(index) => What::Action(index),
        None => match word {
            "ERR" => What::Error,
            "ERR-" => What::ErrorCause,
            "WARN" => What::Warning,
            "WARN-" => What::WarningCause,
            "Authorization" if detail.starts_with("Failed ") => What::Denied,
            _ => What::Unknown(word),
        },
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
    (what, detail, complete, values)
}
