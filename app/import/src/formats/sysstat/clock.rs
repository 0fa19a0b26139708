//! Times of the rows of sysstat: of the day, with or without AM and PM, or seconds since 1970.
//!
//! Only the banner has a date, so midnight shows as a time that goes back by more than half a day. Some
//! locales have a clock of 12 hours and no marks for its halves: there a time goes back by nearly half a day.

use super::zone::Zone;
use jiff::ToSpan as _;
use jiff::civil::Date;
use triptych_model::Clock;

const DAY_SECS: i64 = 86_400;

/// A time as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    /// Seconds since midnight.
    OfDay(i64),
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
    let Some((hours, secs)) = of_day(word) else { return (None, Some(rest)) };
    let (half, rest) = match next_word(rest) {
        Some((word, behind)) if half_of_day(word).is_some() => (half_of_day(word), behind),
        _ => (None, rest),
    };
    let hours = match half {
        Some(afternoon) => hours % 12 + if afternoon { 12 } else { 0 },
        None => hours,
    };
    (Some(Printed::OfDay(hours * 3600 + secs)), Some(rest))
}

fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).filter(|(word, _)| !word.is_empty())
}

/// `Some(true)` after noon.
fn half_of_day(word: &str) -> Option<bool> {
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
            Printed::OfDay(secs) => secs,
        };
        match self.last.map_or(0, |last| last - secs) {
            back if back > DAY_SECS / 2 => self.half_days += 2,
            back if back > DAY_SECS / 4 => self.half_days += 1,
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
