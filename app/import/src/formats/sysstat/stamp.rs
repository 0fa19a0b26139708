//! Date and time of day in one text, as iostat, sadf and vmstat print them, in any locale.

use super::banner::date_of;
use super::clock::{Moment, Printed, looks_like_time, split_time};
use super::zone::Zone;
use crate::zone::offset_of;
use jiff::civil::Date;
use triptych_model::Clock;

/// A point in time as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// Seconds since 1970.
    Epoch(i64),
    /// A local date, the second of its day, and the offset of its zone where the text names one.
    Local {
        /// The date.
        date: Date,
        /// Seconds since its midnight.
        secs: i64,
        /// Seconds east of Greenwich.
        offset: Option<i32>,
    },
}

impl Stamp {
    /// Reads `2026-11-30 08:06:45 UTC`, `2026-11-30T08:06:43+0000`, `11/30/2026 08:06:44 AM`,
    /// `30.11.2026 08:06:44`, `2026年11月30日 08時06分44秒` or seconds since 1970; `None` for all else.
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_by(text, None)
    }

    /// The same, where the log tells whether the day stands before the month.
    pub fn parse_by(text: &str, day_first: Option<bool>) -> Option<Self> {
        let text = text.trim();
        if text.contains(' ')
            && let Some(time) = time_place(text)
            && let Some(date) = date_of(text.get(..time)?, day_first)
        {
            return Self::local(date.date, text.get(time..)?);
        }
        let date_end = text.find([' ', 'T']);
        let Some((date, rest)) = date_end.and_then(|end| text.split_at_checked(end)) else {
            let digits = (9..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            return if digits { text.parse().ok().map(Self::Epoch) } else { None };
        };
        if !date.starts_with(|c: char| c.is_ascii_digit()) || date.contains(':') {
            return None;
        }
        Self::local(date_of(date, day_first)?.date, rest.get(1..)?)
    }

    fn local(date: Date, text: &str) -> Option<Self> {
        let (time, zone) = glued_zone(text.trim());
        let (Some(Printed::OfDay(secs) | Printed::OfHalf(secs)), Some(behind)) = split_time(time) else {
            return None;
        };
        let zone = if zone.is_empty() { behind.trim() } else { zone };
        let offset = offset_of(zone);
        // A zone that is no known name leaves the time as local; other words are no stamp.
        let is_name =
            zone.len() <= 6 && zone.chars().all(|c| c.is_ascii_uppercase() || "+-0123456789".contains(c));
        (offset.is_some() || is_name).then_some(Self::Local { date, secs, offset })
    }

    /// The point in time; `fallback` is the offset that a header gives where the text names none.
    pub fn moment(self, zone: &mut Zone, fallback: Option<i32>) -> Option<Moment> {
        match self {
            Self::Epoch(secs) => {
                let micros = secs.checked_mul(1_000_000)?;
                Some(Moment { micros, clock: Clock::Utc, zone_assumed: false })
            }
            Self::Local { date, secs, offset } => zone.moment(date, secs, offset.or(fallback)),
        }
    }
}

/// Where the time begins: at the first word of it, behind a date that may have several words.
fn time_place(text: &str) -> Option<usize> {
    let mut place = 0;
    loop {
        let rest = text.get(place..)?;
        let word = rest.split_whitespace().next()?;
        if word.contains(':') || word.ends_with(['秒', '시']) || (word.contains('.') && looks_like_time(word))
        {
            return Some(place);
        }
        let end = rest.find(char::is_whitespace)?;
        place += end + (rest.get(end..)?.len() - rest.get(end..)?.trim_start().len());
    }
}

/// Splits `08:06:43+0000` and `08:06:43Z`.
fn glued_zone(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_whitespace() || "+-Z".contains(c)).unwrap_or(text.len());
    match text.split_at_checked(end) {
        Some((time, zone)) if zone.starts_with(['+', '-', 'Z']) => (time, zone.trim()),
        _ => (text, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_of_all_tools_and_locales() {
        let utc = 1_796_026_004_i64;
        for (text, expect, assumed) in [
            ("2026-11-30 08:06:44 UTC", utc, false),
            ("2026-11-30T08:06:44+0000", utc, false),
            ("2026-11-30T08:06:44Z", utc, false),
            ("2026-11-30T10:06:44+02:00", utc, false),
            ("2026-11-30 09:06:44 CET", utc, false),
            ("2026-11-30 05:06:44 -03", utc, false),
            ("1796026004", utc, false),
            ("2026-11-30 08:06:44", utc, true),
            ("2026-11-30 08:06:44 XYZ", utc, true),
            ("11/30/26 08:06:44", utc, true),
            ("11/30/2026 08:06:44 AM", utc, true),
            ("11/30/2026 08:06:44 PM", utc + 43_200, true),
            ("30.11.2026 08:06:44", utc, true),
            ("30/11/2026 08:06:44", utc, true),
            ("2026年11月30日 08時06分44秒", utc, true),
            ("2026년 11월 30일 08시 06분 44초", utc, true),
            ("30. 11. 2026 08:06:44", utc, true),
            ("30.11.2026 08.06.44", utc, true),
            ("Monday, 30 November, 2026 08:06:44 AM", utc, true),
        ] {
            let mut zone = Zone::new(Some(0));
            let moment = Stamp::parse(text).and_then(|stamp| stamp.moment(&mut zone, None)).expect(text);
            assert_eq!((moment.micros / 1_000_000, moment.zone_assumed), (expect, assumed), "{text}");
        }
        for text in [
            "",
            "08:06:44",
            "2026-11-30",
            "vda 1 2 3",
            "12.50 1.00 3.00",
            "2026-13-30 08:06:44",
            "11/30/26 08:06:44 up 3 days",
        ] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
    }
}
