//! Zones by their names and figures, and dates where the source names no zone.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

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

/// The offset from UTC that a zone's name or figures mean, in seconds east of Greenwich: `CET`, `+0100`,
/// `-03`, `+05:30`. `None` where that is open, as for `IST`, or beyond 18 hours.
pub fn offset_of(name: &str) -> Option<i32> {
    let named = NAMES.iter().find(|(known, _)| *known == name);
    named.map(|(_, secs)| *secs).or_else(|| offset_of_figures(name))
}

/// An offset as [`offset_of`] reads it: `+05:30`.
pub fn text_of(offset_secs: i32) -> String {
    let sign = if offset_secs < 0 { '-' } else { '+' };
    let minutes = offset_secs.abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Says that times were read in the local zone.
pub fn assumed_note(zone: &TimeZone) -> String {
    let name = zone.iana_name().unwrap_or("local");
    format!("the log names no time zone; its times were read in the local zone ({name})")
}

fn offset_of_figures(figures: &str) -> Option<i32> {
    let (sign, digits) = match figures.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some((hours, minutes)) => (hours, minutes),
        None if digits.len() == 2 => (digits, "00"),
        None => digits.split_at_checked(2)?,
    };
    let two = |part: &str| {
        let is_two = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i32>().ok().filter(|_| is_two)
    };
    let (hours, minutes) = (two(hours)?, two(minutes)?);
    (hours <= 18 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

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
    fn offsets_by_name_and_figures() {
        for (name, secs) in [
            ("UTC", Some(0)),
            ("CEST", Some(7200)),
            ("+0100", Some(3600)),
            ("-03", Some(-10_800)),
            ("+05:30", Some(19_800)),
            ("-0930", Some(-34_200)),
            ("IST", None),
            ("0100", None),
            ("+1", None),
            ("+1900", None),
            ("+0160", None),
            ("+-123", None),
            ("+01:0", None),
            ("+ä1", None),
            ("", None),
        ] {
            assert_eq!(offset_of(name), secs, "{name}");
            assert!(secs.is_none_or(|secs| offset_of(&text_of(secs)) == Some(secs)), "{name}");
        }
    }

    #[test]
    fn dates_of_c() {
        let civil = ctime("Mon Nov 30 08:05:17 2026").expect("a date");
        assert_eq!(utc_of_civil(civil, Some(3600)), Some(1_796_022_317_000_000));
        for text in ["Mon Nov 31 08:05:17 2026", "Mon Nov 30 08:05 2026", "Nov 30 08:05:17 2026", ""] {
            assert_eq!(ctime(text), None, "{text}");
        }
    }
}
