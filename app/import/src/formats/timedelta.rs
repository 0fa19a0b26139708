//! Durations as Python's `str(timedelta)` writes them; used by the readers of Subversion's own harnesses.

use crate::number::{parse_duration, parse_number};

/// The longest timedelta there is (`timedelta.max.days`).
const MOST_DAYS: u32 = 999_999_999;

/// Seconds of `0:00:05.008999`, `1 day, 0:00:01` (no fraction where it is 0); `None` for anything else.
pub fn parse_timedelta(text: &str) -> Option<f64> {
    let (days, clock) = match text.split_once(", ") {
        Some((days, clock)) => {
            let count = days.strip_suffix(" days").or_else(|| days.strip_suffix(" day"))?;
            (count.parse::<u32>().ok().filter(|count| *count <= MOST_DAYS)?, clock)
        }
        None => (0, text),
    };
    let (hours, rest) = clock.split_once(':')?;
    let (minutes, secs) = rest.split_once(':')?;
    let whole = secs.split('.').next()?;
    let is =
        |part: &str, digits: usize| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = (is(hours, 1) || is(hours, 2)) && is(minutes, 2) && is(whole, 2);
    let secs_of_clock = parse_duration(clock).filter(|_| fits)?;
    if days == 0 {
        return Some(secs_of_clock);
    }
    // In microseconds, so that days and fraction are added exactly.
    let fraction = secs.split_once('.').map_or("0", |(_, fraction)| fraction);
    let micros = format!("{fraction:0<6}").parse::<u128>().ok().filter(|_| fraction.len() <= 6)?;
    let part = |text: &str| text.parse::<u128>().ok();
    let total = (u128::from(days) * 86_400 + part(hours)? * 3600 + part(minutes)? * 60 + part(whole)?)
        * 1_000_000
        + micros;
    parse_number(
        &format!("{}.{:06}", total / 1_000_000, total % 1_000_000),
        &crate::number::DecimalMark::Point,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_python_writes_them() {
        for (text, expect) in [
            ("0:00:05.008999", Some(5.008999)),
            ("0:01:02", Some(62.0)),
            ("12:34:56.5", Some(45296.5)),
            ("1 day, 0:00:01", Some(86_401.0)),
            ("2 days, 1:00:00.000001", Some(176_400.000001)),
            ("999999999 days, 23:59:59.999999", Some(86_399_999_999_999.999_999)),
            ("1000000000 days, 0:00:01", None),
            ("0:00", None),
            ("1 week, 0:00:01", None),
            ("0:0:1", None),
            ("-1 day, 23:59:59", None),
            ("", None),
        ] {
            assert_eq!(parse_timedelta(text), expect, "{text}");
        }
    }
}
