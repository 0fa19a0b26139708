//! Local times made UTC: by the zone that the log names, the one that the user gave, or the local one.

use super::clock::Moment;
use crate::zone::assumed_note;
use jiff::SignedDuration;
use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};
use triptych_model::Clock;

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
        (self.assumed && !self.given).then(|| assumed_note(&self.zone))
    }
}
