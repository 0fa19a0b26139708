//! The times of an access log: `%t`, and `%{…}t` with a format of strftime or a part of the time.

use crate::zone::offset_of;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::{Offset, TimeZone};

/// What a `%t` or `%{…}t` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TimePart {
    /// Which part.
    pub kind: TimeKind,
    /// Whether it is taken when the request ends (`end:`), not when it arrives.
    pub at_end: bool,
}

/// The parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TimeKind {
    /// `[30/Nov/2026:08:05:18 +0000]`.
    Usual,
    /// A format of strftime.
    Format(String),
    /// Since 1970: how many microseconds the unit has.
    Epoch(i64),
    /// Digits behind the second: how many.
    Fraction(usize),
}

/// What `%{…}t` may hold, for people.
const EXPECTED: &str = "a format of strftime such as %Y-%m-%d %T, or sec, msec, usec, msec_frac, usec_frac";

/// The conversions of strftime that a line can be read by.
const CONVERSIONS: &str = "YmdHMSTFDRbBhaAyzejpIsZn%t";

/// Reads the argument of a `%{…}t`; an empty one is the usual time.
///
/// # Errors
/// The byte in the argument and what is expected there.
pub(super) fn part(argument: &str) -> Result<TimePart, (usize, &'static str)> {
    let bare = argument.strip_prefix("begin:").unwrap_or(argument);
    let (at_end, bare) = match bare.strip_prefix("end:") {
        Some(bare) => (true, bare),
        None => (false, bare),
    };
    let kind = match bare {
        "" => TimeKind::Usual,
        "sec" => TimeKind::Epoch(1_000_000),
        "msec" => TimeKind::Epoch(1000),
        "usec" => TimeKind::Epoch(1),
        "msec_frac" => TimeKind::Fraction(3),
        "usec_frac" => TimeKind::Fraction(6),
        format => {
            if !format.contains('%') {
                return Err((0, EXPECTED));
            }
            let before = argument.len() - bare.len();
            check(format).map_err(|at| (before + at, EXPECTED))?;
            TimeKind::Format(format.to_owned())
        }
    };
    Ok(TimePart { kind, at_end })
}

fn check(format: &str) -> Result<(), usize> {
    let mut letters = format.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter == '%' && !letters.next().is_some_and(|(_, kind)| CONVERSIONS.contains(kind)) {
            return Err(at);
        }
    }
    Ok(())
}

impl TimePart {
    /// How many bytes of the text it takes; `None` where the text does not begin with such a time.
    pub fn length(&self, text: &str) -> Option<usize> {
        match &self.kind {
            TimeKind::Usual => {
                // Most times are read later anyway, here their shape is enough.
                let end = text.get(..32.min(text.len())).unwrap_or(text).find(']')?;
                matches!(text.as_bytes(), [b'[', _, _, b'/', _, _, _, b'/', _, _, _, _, b':', ..])
                    .then_some(end + 1)
            }
            TimeKind::Format(format) => Some(BrokenDownTime::parse_prefix(format, text).ok()?.1),
            TimeKind::Epoch(_) => {
                let digits = text.bytes().take_while(u8::is_ascii_digit).count();
                (1..=18).contains(&digits).then_some(digits)
            }
            TimeKind::Fraction(count) => {
                let digits = text.bytes().take(*count).take_while(u8::is_ascii_digit).count();
                (digits == *count).then_some(digits)
            }
        }
    }
}

/// `[30/Nov/2026:08:05:18 +0000]` in UTC microseconds; the offset may be absent in old logs.
fn usual(text: &str) -> Option<(DateTime, Option<Offset>)> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let (local, offset) = match inside.split_once(' ') {
        Some((local, offset)) => (local, Some(Offset::from_seconds(offset_of(offset)?).ok()?)),
        None => (inside, None),
    };
    let &[_, _, b'/', _, _, _, b'/', _, _, _, _, b':', _, _, b':', _, _, b':', _, _] = local.as_bytes()
    else {
        return None;
    };
    let number =
        |from: usize, to: usize| local.get(from..to).filter(|part| is_digits(part))?.parse::<i8>().ok();
    let month = local.get(3..6)?;
    let month = MONTHS.iter().position(|known| *known == month)?;
    let year = local.get(7..11).filter(|part| is_digits(part))?.parse().ok()?;
    let date = Date::new(year, i8::try_from(month + 1).ok()?, number(0, 2)?).ok()?;
    // A leap second is the last second of its minute.
    let time = Time::new(number(12, 14)?, number(15, 17)?, number(18, 20)?.min(59), 0).ok()?;
    Some((date.to_datetime(time), offset))
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A point in time as far as a line gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// UTC microseconds.
    pub micros: i64,
    /// Whether the line names no zone.
    pub zone_assumed: bool,
}

/// Reads a time that stands in one or several parts of a line; `zone` is for lines that name none.
pub(super) fn moment(parts: &[(&TimePart, &str)], zone: &TimeZone) -> Option<Moment> {
    let mut micros = 0;
    let mut formats: Vec<(&str, &str)> = Vec::new();
    let mut known: Option<(DateTime, Option<Offset>)> = None;
    let mut epoch = None;
    for (part, text) in parts {
        match &part.kind {
            TimeKind::Usual => known = usual(text),
            TimeKind::Format(format) => formats.push((format, text)),
            TimeKind::Epoch(unit) => epoch = text.parse::<i64>().ok()?.checked_mul(*unit),
            TimeKind::Fraction(digits) => {
                micros = text.parse::<i64>().ok()? * if *digits == 3 { 1000 } else { 1 };
            }
        }
    }
    if let Some(epoch) = epoch {
        // A fraction beside whole seconds belongs to them; a finer count already has it.
        let micros = if epoch % 1_000_000 == 0 { epoch.checked_add(micros)? } else { epoch };
        return Some(Moment { micros, zone_assumed: false });
    }
    if known.is_none() && !formats.is_empty() {
        known = by_format(&formats);
    }
    let (local, offset) = known?;
    let at: Timestamp = match offset {
        Some(offset) => offset.to_timestamp(local).ok()?,
        None => zone.to_timestamp(local).ok()?,
    };
    Some(Moment { micros: at.as_microsecond().checked_add(micros)?, zone_assumed: offset.is_none() })
}

/// Reads the parts together: the date may stand apart from the time and the offset behind a fraction.
fn by_format(parts: &[(&str, &str)]) -> Option<(DateTime, Option<Offset>)> {
    let read = match parts {
        [(format, text)] => BrokenDownTime::parse_prefix(format, text).ok()?.0,
        _ => {
            let formats: Vec<&str> = parts.iter().map(|(format, _)| *format).collect();
            let texts: Vec<&str> = parts.iter().map(|(_, text)| *text).collect();
            BrokenDownTime::parse_prefix(formats.join("|"), texts.join("|")).ok()?.0
        }
    };
    if let Some(at) = read.timestamp() {
        return Some((Offset::UTC.to_datetime(at), Some(Offset::UTC)));
    }
    Some((read.to_datetime().ok()?, read.offset()))
}
