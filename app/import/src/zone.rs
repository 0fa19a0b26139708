//! Times of the day and the date where the source names no zone.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

/// The UTC time of a civil one in microseconds, by the zone the user gave or else the local one.
///
/// `None` where the zone or the time is out of range. Where `zone_offset_secs` is `None` the caller
/// marks what it made of it as `zone-assumed`.
pub fn utc_of_civil(civil: DateTime, zone_offset_secs: Option<i32>) -> Option<i64> {
    let zone = match zone_offset_secs {
        Some(secs) => TimeZone::fixed(Offset::from_seconds(secs).ok()?),
        None => TimeZone::system(),
    };
    Some(zone.to_timestamp(civil).ok()?.as_microsecond())
}

/// Reads a date as C's `ctime` writes it in every locale: `Mon Nov 30 08:05:17 2026`.
pub fn ctime(text: &str) -> Option<DateTime> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = text.split_ascii_whitespace();
    words.next().filter(|day| day.len() == 3)?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let day = words.next()?.parse().ok()?;
    let mut time = words.next()?.split(':').map(|part| part.parse::<i8>().ok());
    let year = words.next()?.parse().ok()?;
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    DateTime::new(year, i8::try_from(month).ok()?, day, hour, minute, second, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_c() {
        let civil = ctime("Mon Nov 30 08:05:17 2026").expect("a date");
        assert_eq!(utc_of_civil(civil, Some(3600)), Some(1_796_022_317_000_000));
        for text in ["Mon Nov 31 08:05:17 2026", "Mon Nov 30 08:05 2026", "Nov 30 08:05:17 2026", ""] {
            assert_eq!(ctime(text), None, "{text}");
        }
    }
}
