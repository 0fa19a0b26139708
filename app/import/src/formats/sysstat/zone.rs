//! Local times made UTC: by the zone that the log names, the one that the user gave, or the local one.

use super::clock::Moment;
use jiff::SignedDuration;
use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};
use triptych_model::Clock;

/// Seconds east of Greenwich of the zone names that tools print and that mean one zone alone.
const NAMES: &[(&str, i32)] = &[
    ("UTC", 0),
    ("GMT", 0),
    ("Z", 0),
    ("WET", 0),
    ("WEST", 3600),
    ("CET", 3600),
    ("CEST", 7200),
    ("MEZ", 3600),
    ("MESZ", 7200),
    ("EET", 7200),
    ("EEST", 10_800),
    ("MSK", 10_800),
    ("JST", 32_400),
    ("KST", 32_400),
    ("EST", -18_000),
    ("EDT", -14_400),
    ("CDT", -18_000),
    ("MST", -25_200),
    ("MDT", -21_600),
    ("PST", -28_800),
    ("PDT", -25_200),
];

/// The offset that a zone's name or figures (`CET`, `+0100`, `-03`, `+05:30`) mean; `None` where that is open.
pub fn offset_of(name: &str) -> Option<i32> {
    if let Some((_, secs)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*secs);
    }
    let (sign, digits) = match name.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let digits = digits.replace(':', "");
    if !matches!(digits.len(), 2 | 4) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = digits.split_at_checked(2)?;
    let hours: i32 = hours.parse().ok()?;
    let minutes: i32 = if minutes.is_empty() { 0 } else { minutes.parse().ok()? };
    (hours <= 18 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// The zone of a log that does not name its own.
pub struct Zone {
    zone: TimeZone,
    given: bool,
    assumed: bool,
}

impl Zone {
    /// The zone that the user gave, in seconds east of Greenwich, else the local one.
    pub fn new(offset_secs: Option<i32>) -> Self {
        let given = offset_secs.and_then(|secs| Offset::from_seconds(secs).ok()).map(TimeZone::fixed);
        Self { given: given.is_some(), zone: given.unwrap_or_else(TimeZone::system), assumed: false }
    }

    /// The point in time of a local date and a second of its day; `offset` is what the log says of the zone.
    pub fn moment(&mut self, date: Date, secs: i64, offset: Option<i32>) -> Option<Moment> {
        let local = date.to_datetime(Time::midnight()).checked_add(SignedDuration::from_secs(secs)).ok()?;
        let named = offset.and_then(|secs| Offset::from_seconds(secs).ok());
        let timestamp = match named {
            Some(offset) => offset.to_timestamp(local).ok()?,
            None => self.zone.to_timestamp(local).ok()?,
        };
        self.assumed |= named.is_none();
        Some(Moment { micros: timestamp.as_microsecond(), clock: Clock::Utc, zone_assumed: named.is_none() })
    }

    /// What to tell of the zone, if one was assumed and the user did not choose it.
    pub fn note(&self) -> Option<String> {
        let zone = self.zone.iana_name().unwrap_or("local");
        let note = format!("the log names no time zone; its times were read in the local zone ({zone})");
        (self.assumed && !self.given).then_some(note)
    }
}
