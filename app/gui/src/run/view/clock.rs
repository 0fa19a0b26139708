//! Times of the day in the local zone, as a log and an end are read.

use jiff::tz::TimeZone;
use triptych_model::Timestamp;

/// `08:36:13.967`, or `08:36` without seconds.
pub fn clock(time: Timestamp, format: &str) -> String {
    match jiff::Timestamp::from_microsecond(time.micros()) {
        Ok(time) => time.to_zoned_datetime(TimeZone::system()).strftime(format).to_string(),
        Err(_) => "unknown".to_owned(),
    }
}

/// To the millisecond.
pub const FINE: &str = "%H:%M:%S%.3f";
/// To the minute.
pub const COARSE: &str = "%H:%M";
/// To the second.
pub const SECONDS: &str = "%H:%M:%S";
