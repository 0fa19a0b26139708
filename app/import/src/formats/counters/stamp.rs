//! Times as `date` prints them between the frames of a user's own loop.
//!
//! Read as a whole line: `Mon Nov 30 08:06:39 UTC 2026`, `Mo 30. Nov 08:06:39 CET 2026`,
//! `2026-11-30T08:06:39,123456789+01:00`, `Mon, 30 Nov 2026 08:06:39 +0000`, `1796026000.123456`, `08:06:39`,
//! each with signs round it (`=== … ===`). A line with any other word is no time.

use crate::formats::sysstat::clock::Moment;
use crate::formats::sysstat::zone::Zone;
use crate::zone::offset_of;
use jiff::civil::Date;
use triptych_model::{Clock, ReadOptions};

const SEC_MICROS: i64 = 1_000_000;
const DAY_MICROS: i64 = 86_400 * SEC_MICROS;

/// Reads the stamps of one source in their order.
pub struct Stamps {
    zone: Zone,
    /// First and last time of the day, where there is no date, and whole days since the first.
    of_day: Option<(i64, i64, i64)>,
}

/// What a line says.
#[derive(Debug, Default, PartialEq)]
struct Parts {
    year: Option<i16>,
    month: Option<i8>,
    day: Option<i8>,
    /// Microseconds since midnight.
    of_day: Option<i64>,
    afternoon: Option<bool>,
    /// Seconds east of Greenwich.
    offset: Option<i32>,
    other_words: u8,
}

/// Whether a line can be a time at all; fast, for it is asked of every line.
pub fn may_be(text: &str) -> bool {
    let text = text.as_bytes();
    let is_bare = |byte: &u8| byte.is_ascii_digit() || b". ".contains(byte);
    (8..=64).contains(&text.len())
        && (memchr::memchr(b':', text).is_some() || text.iter().all(is_bare))
        && text.iter().any(u8::is_ascii_digit)
}

impl Stamps {
    /// A reader that takes times without a zone in the user's.
    pub fn new(options: &ReadOptions) -> Self {
        Self { zone: Zone::new(options.zone_offset_secs), of_day: None }
    }

    /// The time that a line is, if it is one and nothing else; without a date since the first of the source.
    pub fn read(&mut self, text: &str) -> Option<Moment> {
        if !may_be(text) {
            return None;
        }
        let text = text.trim_matches(|c: char| !c.is_alphanumeric());
        if let Some(micros) = epoch(text) {
            return Some(Moment { micros, clock: Clock::Utc, zone_assumed: false });
        }
        let parts = parts(text)?;
        let of_day = parts.micros_of_day()?;
        match (parts.year, parts.month, parts.day) {
            (Some(year), Some(month), Some(day)) => {
                let date = Date::new(year, month, day).ok()?;
                let moment = self.zone.moment(date, of_day / SEC_MICROS, parts.offset)?;
                Some(Moment { micros: moment.micros + of_day % SEC_MICROS, ..moment })
            }
            (None, None, None) => Some(self.undated(of_day)),
            _ => None,
        }
    }

    fn undated(&mut self, of_day: i64) -> Moment {
        let (first, last, days) = self.of_day.unwrap_or((of_day, of_day, 0));
        let days = if of_day + DAY_MICROS / 2 < last { days + 1 } else { days };
        self.of_day = Some((first, of_day, days));
        Moment { micros: of_day - first + days * DAY_MICROS, clock: Clock::Elapsed, zone_assumed: false }
    }

    /// What to tell of the zone, if one was assumed and the user did not choose it.
    pub fn zone_note(&self) -> Option<String> {
        self.zone.note()
    }
}

/// Digits since 1970: seconds with or without a fraction, milliseconds, microseconds, nanoseconds.
pub fn epoch(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let value: i64 = whole.parse().ok()?;
    match whole.len() {
        10 => value.checked_mul(1_000_000)?.checked_add(fraction_micros(fraction)?),
        13 if fraction.is_empty() => value.checked_mul(1000),
        16 if fraction.is_empty() => Some(value),
        19 if fraction.is_empty() => Some(value / 1000),
        _ => None,
    }
}

/// The digits behind a decimal mark in microseconds; further ones are cut off.
fn fraction_micros(digits: &str) -> Option<i64> {
    if digits.is_empty() {
        return Some(0);
    }
    let kept: String = digits.chars().chain("000000".chars()).take(6).collect();
    kept.parse().ok()
}

/// All words of a line by what they are; `None` where one is something else.
fn parts(text: &str) -> Option<Parts> {
    let mut parts = Parts::default();
    for word in text.split([' ', '\t', '\u{a0}', '\u{202f}']).filter(|word| !word.is_empty()) {
        parts.word(word)?;
    }
    // One word of a date may be the day of the week, in any language.
    (parts.other_words <= u8::from(parts.day.is_some())).then_some(parts)
}

impl Parts {
    fn word(&mut self, word: &str) -> Option<()> {
        let bare = word.trim_end_matches([',', '.']);
        let lead = bare.chars().next()?;
        if bare.contains(':') {
            return self.date_and_time(bare);
        }
        if lead.is_ascii_digit() && bare.contains(['-', '/', '.']) {
            return self.date(bare);
        }
        if matches!(lead, '+' | '-') {
            self.offset = Some(offset_of(bare)?);
        } else if lead.is_ascii_digit() {
            self.number(bare)?;
        } else if let Some(month) = month(bare) {
            // `mar. 1 déc.`: the day of the week comes first and may look like a month.
            self.month = Some(month);
        } else if let Some(afternoon) = half(word) {
            self.afternoon = Some(afternoon);
        } else if let Some(secs) = offset_of(bare) {
            self.offset = Some(secs);
        } else if bare.chars().all(char::is_alphabetic) {
            // Capitals behind the time are a zone of no known name.
            let is_zone = bare.len() <= 5 && bare.bytes().all(|byte| byte.is_ascii_uppercase());
            self.other_words += u8::from(self.of_day.is_none() || !is_zone);
        } else {
            return None;
        }
        Some(())
    }

    fn number(&mut self, digits: &str) -> Option<()> {
        match digits.len() {
            1 | 2 if self.day.is_none() => self.day = Some(digits.parse().ok()?),
            4 if self.year.is_none() => self.year = Some(digits.parse().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// `2026-11-30T08:06:39.5+01:00`, and its last part alone.
    fn date_and_time(&mut self, word: &str) -> Option<()> {
        let time = match word.split_once('T') {
            Some((date, time)) => {
                self.date(date)?;
                time
            }
            None => word,
        };
        let end = time.find(['Z', '+', '-']).unwrap_or(time.len());
        let (time, zone) = time.split_at_checked(end)?;
        if !zone.is_empty() {
            self.offset = Some(offset_of(zone)?);
        }
        self.of_day = Some(micros_of_day(time)?);
        Some(())
    }

    /// `2026-11-30`, `30.11.2026`, `11/30/2026`.
    fn date(&mut self, word: &str) -> Option<()> {
        let mark = word.chars().find(|c| !c.is_ascii_digit())?;
        let mut words = word.split(mark);
        let (a, b, c) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() {
            return None;
        }
        let (year, month, day) = match (mark, a.len()) {
            (_, 4) => (a, b, c),
            ('/', _) => (c, a, b),
            _ => (c, b, a),
        };
        let year: i16 = year.parse().ok()?;
        self.year = Some(if year < 100 { year + 2000 } else { year });
        self.month = Some(month.parse().ok()?);
        self.day = Some(day.parse().ok()?);
        Some(())
    }

    fn micros_of_day(&self) -> Option<i64> {
        const HOUR: i64 = 3_600_000_000;
        let of_day = self.of_day?;
        Some(match self.afternoon {
            Some(afternoon) => of_day % (12 * HOUR) + if afternoon { 12 * HOUR } else { 0 },
            None => of_day,
        })
    }
}

/// `08:06:39`, with a fraction behind a point or a comma.
fn micros_of_day(text: &str) -> Option<i64> {
    let mut words = text.split(':');
    let (hours, minutes, secs) = (words.next()?, words.next()?, words.next()?);
    let (secs, fraction) = secs.split_once(['.', ',']).unwrap_or((secs, ""));
    let number = |text: &str, limit: i64| {
        let digits = !text.is_empty() && text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|value| digits && *value <= limit)
    };
    let whole = (number(hours, 23)? * 60 + number(minutes, 59)?) * 60 + number(secs, 60)?;
    let fraction =
        fraction.bytes().all(|byte| byte.is_ascii_digit()).then(|| fraction_micros(fraction))??;
    words.next().is_none().then_some(whole * 1_000_000 + fraction)
}

/// `Some(true)` after noon.
fn half(word: &str) -> Option<bool> {
    let word = word.to_ascii_lowercase().replace('.', "");
    match word.as_str() {
        "am" | "vorm" => Some(false),
        "pm" | "nachm" => Some(true),
        _ => None,
    }
}

/// The month of that name, short or long, in the languages of the usual locales.
fn month(word: &str) -> Option<i8> {
    if word.chars().count() > 10 {
        return None;
    }
    let word = word.to_lowercase();
    let found = MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)))?;
    i8::try_from(found + 1).ok()
}

/// How the names of months begin.
const MONTHS: &[&[&str]] = &[
    &["jan", "jän", "ene", "gen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz", "mrt", "maa"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "août", "aoû", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2026-11-30T08:06:39Z.
    const AT: i64 = 1_796_025_999_000_000;

    fn read(text: &str) -> Option<Moment> {
        Stamps::new(&ReadOptions { zone_offset_secs: Some(0), ..ReadOptions::default() }).read(text)
    }

    #[test]
    fn times_in_all_forms_of_date() {
        for (text, micros, assumed) in [
            ("Mon Nov 30 08:06:39 UTC 2026", 0, false),
            ("Mon Nov 30 08:06:39 AM UTC 2026", 0, false),
            ("Mon 30 Nov 2026 09:06:39 AM CET", 0, false),
            ("Mo 30. Nov 09:06:39 CET 2026", 0, false),
            ("lun. 30 nov. 2026 08:06:39 UTC", 0, false),
            ("mar 30 nov 08:06:39 2026", 0, true),
            ("Mon, 30 Nov 2026 08:06:39 +0000", 0, false),
            ("2026-11-30T08:06:39+00:00", 0, false),
            ("2026-11-30T08:06:39,123456789+00:00", 123_456, false),
            ("2026-11-30 09:06:39.5+01:00", 500_000, false),
            ("2026-11-30T08:06:39Z", 0, false),
            ("2026-11-30 08:06:39", 0, true),
            ("2026-11-30T03:06:39-05", 0, false),
            ("=== 2026-11-30 08:06:39 ===", 0, true),
            ("30.11.2026 08:06:39", 0, true),
            ("11/30/2026 08:06:39", 0, true),
            ("11/30/26 08:06:39", 0, true),
            ("Mon Nov 30 08:06:39 XYZ 2026", 0, true),
            ("1796025999", 0, false),
            ("1796025999.25", 250_000, false),
            ("1796025999000", 0, false),
            ("1796025999000007", 7, false),
            ("1796025999000007999", 7, false),
        ] {
            let expect = Moment { micros: AT + micros, clock: Clock::Utc, zone_assumed: assumed };
            assert_eq!(read(text), Some(expect), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "real 0m08.06s",
            "svnserve started at 08:06:39",
            "Mon Nov 30 08:06:39 UTC 2026 load",
            "21730 15.5",
            "12345678",
            "2026-11-30",
            "2026-13-30 08:06:39",
            "25:06:39",
            "08:06:39 up 11 min",
            "a:b:c 1",
            "1796025999 21730 1",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn times_of_the_day_count_from_the_first_over_midnight() {
        let mut stamps = Stamps::new(&ReadOptions::default());
        let secs: Vec<i64> = ["23:59:58", "23:59:59.5", "00:00:01"]
            .iter()
            .map(|text| stamps.read(text).map_or(-1, |stamp| stamp.micros / 500_000))
            .collect();
        assert_eq!(secs, [0, 3, 6]);
        assert_eq!(stamps.zone_note(), None);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            read(&text);
        }

        #[test]
        fn no_text_of_digits_and_marks_panics(text in "[0-9TZ:.,+ -]{0,40}") {
            read(&text);
        }
    }
}
