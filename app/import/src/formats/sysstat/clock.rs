//! Times of the rows of sysstat: of the day, with or without AM and PM, or seconds since 1970.
//!
//! Only the banner has a date, so midnight shows as a time that goes back by more than half a day. Some
//! locales have a clock of 12 hours and no marks for its halves: there a time goes back by nearly half a day.
//! A mark, or an hour that such a clock lacks, says that it is another.

use super::zone::Zone;
use jiff::ToSpan as _;
use jiff::civil::Date;
use triptych_model::Clock;

const DAY_SECS: i64 = 86_400;

/// A time as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    /// Seconds since midnight, unless the clock has 12 hours and does not say so.
    OfDay(i64),
    /// Seconds since midnight; the half of the day was marked.
    OfHalf(i64),
    /// Seconds since 1970.
    Epoch(i64),
}

/// A point in time of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Microseconds by `clock`.
    pub micros: i64,
    /// How they are to be read.
    pub clock: Clock,
    /// Whether the zone was assumed.
    pub zone_assumed: bool,
}

/// How the halves of the day are marked where the clock has 12 hours: before and after noon.
const HALVES: &[(&str, &str)] = &[
    ("AM", "PM"),
    ("a.m.", "p.m."),
    ("vorm.", "nachm."),
    ("上午", "下午"),
    ("午前", "午後"),
    ("오전", "오후"),
    ("πμ", "μμ"),
    ("a. m.", "p. m."),
    ("asubuhi", "alasiri"),
    ("पूर्वाह्न", "अपराह्न"),
    ("পূর্বাহ্ণ", "অপরাহ্ণ"),
    ("VM", "NM"),
    ("ÖÖ", "ÖS"),
    ("ص", "م"),
];

/// Whether a word can be the time of a row or a header.
pub fn looks_like_time(word: &str) -> bool {
    epoch(word).is_some() || of_day(word).is_some()
}

/// Takes the time off the head of a row; of a header, whose first word may be `Time`, too.
pub fn split_time(text: &str) -> (Option<Printed>, Option<&str>) {
    let Some((word, rest)) = next_word(text) else { return (None, None) };
    if let Some(secs) = epoch(word) {
        return (Some(Printed::Epoch(secs)), Some(rest));
    }
    let Some(((hours, secs), rest)) = of_day(word).map(|time| (time, rest)).or_else(|| korean(text)) else {
        return (None, Some(rest));
    };
    let (half, rest) = match next_word(rest) {
        Some((word, behind)) if half_of_day(word).is_some() => (half_of_day(word), behind),
        _ => (None, rest),
    };
    let printed = match half {
        Some(afternoon) => Printed::OfHalf((hours % 12 + if afternoon { 12 } else { 0 }) * 3600 + secs),
        None => Printed::OfDay(hours * 3600 + secs),
    };
    (Some(printed), Some(behind_zone(rest)))
}

/// `16시 35분 05초 …`: hours, the seconds within the hour, and the rest.
fn korean(text: &str) -> Option<((i64, i64), &str)> {
    let (hours, rest) = next_word(text)?;
    let (minutes, rest) = next_word(rest)?;
    let (secs, rest) = next_word(rest)?;
    let word =
        format!("{}:{}:{}", hours.strip_suffix('시')?, minutes.strip_suffix('분')?, secs.strip_suffix('초')?);
    Some((of_day(&word)?, rest))
}

/// Passes over the zone that some locales print: `04:35:05 PM UTC     CPU`. One blank stands before it
/// and several behind, which no name of a column or a part has.
fn behind_zone(rest: &str) -> &str {
    let Some(word) = rest.strip_prefix(' ').filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
    else {
        return rest;
    };
    let end = word.find(char::is_whitespace).unwrap_or(word.len());
    match word.split_at_checked(end) {
        Some((zone, behind))
            if (3..=5).contains(&zone.len())
                && zone.bytes().all(|byte| byte.is_ascii_uppercase())
                && behind.starts_with("  ") =>
        {
            behind
        }
        _ => rest,
    }
}

fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).filter(|(word, _)| !word.is_empty())
}

/// Whether a word marks a half of the day: `Some(true)` after noon.
pub fn half_of_day(word: &str) -> Option<bool> {
    let is = |name: &str| name.eq_ignore_ascii_case(word);
    HALVES.iter().find_map(|(before, after)| if is(before) { Some(false) } else { is(after).then_some(true) })
}

fn epoch(word: &str) -> Option<i64> {
    let digits = (9..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    if digits { word.parse().ok() } else { None }
}

/// Hours, and the seconds within the hour.
fn of_day(word: &str) -> Option<(i64, i64)> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) || word.len() > 17 {
        return None;
    }
    let (word, marks): (&str, &[char]) = match word.strip_suffix('秒') {
        Some(head) => (head, &['時', '时', '分']),
        None if word.contains(':') => (word, &[':']),
        None => (word, &['.']),
    };
    let mut parts = word.split(marks);
    let mut number = |limit: i64, exact: bool| {
        let part = parts.next()?;
        let fits = part.len() == 2 || (!exact && part.len() == 1);
        part.parse::<i64>().ok().filter(|value| fits && *value <= limit)
    };
    let (hours, minutes, secs) = (number(23, false)?, number(59, true)?, number(60, true)?);
    parts.next().is_none().then_some((hours, minutes * 60 + secs))
}

/// The clock of one block.
pub struct BlockClock {
    date: Option<Date>,
    zone: Zone,
    /// Half days gone by since the banner's date.
    half_days: i64,
    /// Whether the clock is known to tell the halves of the day apart.
    tells_halves: bool,
    last: Option<i64>,
    /// The first time seen, where there is no date.
    origin: Option<i64>,
    /// The last answer; all rows of one interval ask for the same.
    cached: Option<(Printed, i64, Moment)>,
    first_rows: [Option<i64>; 2],
}

impl BlockClock {
    /// A clock for the banner's date and the zone that the user gave, in seconds east of Greenwich.
    pub fn new(date: Option<Date>, zone_offset_secs: Option<i32>) -> Self {
        Self {
            date,
            zone: Zone::new(zone_offset_secs),
            half_days: 0,
            tells_halves: false,
            last: None,
            origin: None,
            cached: None,
            first_rows: [None; 2],
        }
    }

    /// Goes back to the first day: what follows covers the same time again.
    pub fn restart(&mut self) {
        self.half_days = 0;
        self.last = None;
        self.cached = None;
    }

    /// How times of the day will be given.
    pub fn kind(&self) -> Clock {
        if self.date.is_some() { Clock::Utc } else { Clock::Elapsed }
    }

    /// The point in time that a printed time means.
    pub fn moment(&mut self, printed: Printed) -> Option<Moment> {
        let secs = match printed {
            Printed::Epoch(secs) => {
                let micros = secs.checked_mul(1_000_000)?;
                return Some(Moment { micros, clock: Clock::Utc, zone_assumed: false });
            }
            Printed::OfDay(secs) | Printed::OfHalf(secs) => secs,
        };
        let has_hour = (3600..13 * 3600).contains(&secs);
        if !self.tells_halves && (!has_hour || matches!(printed, Printed::OfHalf(_))) {
            self.tells_halves = true;
            // What was taken for a half day before was a clock set back.
            self.half_days -= self.half_days % 2;
        }
        match self.last.map_or(0, |last| last - secs) {
            back if back > DAY_SECS / 2 => self.half_days += 2,
            back if back > DAY_SECS / 4 && !self.tells_halves => self.half_days += 1,
            _ => {}
        }
        self.last = Some(secs);
        match self.cached {
            Some((cached, then, moment)) if cached == printed && then == self.half_days => {
                return Some(moment);
            }
            _ => {}
        }
        let moment = self.convert(secs)?;
        self.cached = Some((printed, self.half_days, moment));
        Some(moment)
    }

    fn convert(&mut self, secs: i64) -> Option<Moment> {
        let Some(date) = self.date else {
            let since = secs + self.half_days * (DAY_SECS / 2);
            let micros = (since - *self.origin.get_or_insert(since)) * 1_000_000;
            return Some(Moment { micros, clock: Clock::Elapsed, zone_assumed: false });
        };
        let date = date.checked_add((self.half_days / 2).days()).ok()?;
        self.zone.moment(date, secs + self.half_days % 2 * (DAY_SECS / 2), None)
    }

    /// Takes note of a row's time.
    pub fn saw(&mut self, moment: Moment) {
        match &mut self.first_rows {
            [first @ None, _] => *first = Some(moment.micros),
            [Some(first), second @ None] if *first != moment.micros => *second = Some(moment.micros),
            _ => {}
        }
    }

    /// Start of the first interval where no header names it: one interval before the first row.
    pub fn guessed_start(&self) -> Option<i64> {
        let [first, second] = self.first_rows;
        first?.checked_mul(2)?.checked_sub(second?)
    }

    /// What to tell of the zone, if one was assumed and the user did not choose it.
    pub fn zone_note(&self) -> Option<String> {
        self.zone.note()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_many_locales() {
        for (text, secs, rest) in [
            ("16:35:05        CPU     %user", 59_705, "CPU     %user"),
            ("16.35.05        all      1.00", 59_705, "all      1.00"),
            ("04:35:05 PM     CPU     %user", 59_705, "CPU     %user"),
            ("04:35:05 μμ     all      1.00", 59_705, "all      1.00"),
            ("04:35:05 PM UTC     CPU     %user", 59_705, "CPU     %user"),
            ("04:35:05 अपराह्न UTC     CPU     %user", 59_705, "CPU     %user"),
            ("04:35:05 alasiri     CPU     %user", 59_705, "CPU     %user"),
            ("16時35分05秒  CPU    %usr", 59_705, "CPU    %usr"),
            ("16时35分05秒     CPU     %user", 59_705, "CPU     %user"),
            ("16시 35분 05초     CPU     %user", 59_705, "CPU     %user"),
            ("12:00:00 AM     all      1.00", 0, "all      1.00"),
            ("16:35:05          LOC    699.01", 59_705, "LOC    699.01"),
        ] {
            let (time, behind) = split_time(text);
            let time = time.map(|time| match time {
                Printed::OfDay(secs) | Printed::OfHalf(secs) | Printed::Epoch(secs) => secs,
            });
            assert_eq!((time, behind.map(str::trim)), (Some(secs), Some(rest)), "{text}");
        }
        for text in ["", "CPU", "kl. 16.35 +0000  CPU", "۱۶:۳۵:۰۵  CPU", "16시 35분", "1.2.3"] {
            assert_eq!(split_time(text).0, None, "{text}");
        }
    }

    #[test]
    fn a_clock_of_twelve_hours_without_words_goes_on() {
        let mut clock = BlockClock::new(None, None);
        let mut at = |hours: i64, minutes: i64| {
            clock.moment(Printed::OfDay(hours * 3600 + minutes * 60)).map(|moment| moment.micros / 60_000_000)
        };
        let times = [(11, 55), (12, 0), (12, 55), (1, 0), (11, 55), (12, 5), (12, 55), (1, 0), (1, 5)];
        let found: Vec<Option<i64>> = times.iter().map(|(hours, minutes)| at(*hours, *minutes)).collect();
        assert_eq!(found, [0, 5, 60, 65, 720, 730, 780, 785, 790].map(Some));
    }

    #[test]
    fn a_clock_that_tells_the_halves_of_the_day_is_set_back() {
        for (texts, expect) in [
            (&["23:00:00", "14:00:00", "15:00:00"][..], &[0, -540, -480][..]),
            (&["00:30:00", "10:00:00", "03:00:00"], &[0, 570, 150]),
            (&["11:00:00 AM", "04:00:00 AM"], &[0, -420]),
            (&["11:00:00 PM", "02:00:00 PM"], &[0, -540]),
            (&["11:00:00 PM", "01:00:00 AM"], &[0, 120]),
            (&["23:00:00", "01:00:00"], &[0, 120]),
            (&["11:00:00", "04:00:00", "14:00:00"], &[0, 300, 180]),
        ] {
            let mut clock = BlockClock::new(None, None);
            let mut at = |text: &&str| clock.moment(split_time(text).0?).map(|at| at.micros / 60_000_000);
            let found: Vec<Option<i64>> = texts.iter().map(&mut at).collect();
            assert_eq!(found, expect.iter().copied().map(Some).collect::<Vec<_>>(), "{texts:?}");
        }
    }
}
