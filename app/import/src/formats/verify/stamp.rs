//! Time stamps that a filter such as `ts` put in front of lines, and what they say of the block's time.
//!
//! `ts` writes `Nov 30 08:05:17`, with `-s` the time since it started and with `-i` the time since the
//! line before, both as `00:00:07`; `%.s`, `%.S` and `%.T` add microseconds. The three look alike and
//! are told apart by what they do from line to line.

use crate::zone::offset_of;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;

const DAY: i64 = 86_400_000_000;

/// How a stamp counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Microseconds since 1970 in UTC.
    Epoch,
    /// Microseconds since 1970 in a zone that is not named.
    Civil,
    /// Microseconds of the day; the month and its day are known, the year is not.
    OfMonth(Month, u8),
    /// Microseconds of a day, or since some start.
    OfDay,
    /// Microseconds since some start.
    Since,
}

/// The first letters of a month's name in any language, small.
pub type Month = [char; 4];

/// English names of months and how many days they have; of February that depends on the year.
const MONTHS: [(&str, Option<u8>); 12] = [
    ("jan", Some(31)),
    ("feb", None),
    ("mar", Some(31)),
    ("apr", Some(30)),
    ("may", Some(31)),
    ("jun", Some(30)),
    ("jul", Some(31)),
    ("aug", Some(31)),
    ("sep", Some(30)),
    ("oct", Some(31)),
    ("nov", Some(30)),
    ("dec", Some(31)),
];

/// A time in front of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// How `micros` count.
    pub kind: Kind,
    /// Microseconds.
    pub micros: i64,
}

/// Parts the stamp from the line behind it; a line without a stamp comes back as it is.
pub fn split(text: &str) -> (Option<Stamp>, &str) {
    let none = (None, text);
    let Some(first) = text.bytes().next() else { return none };
    if matches!(first, b'*' | b'<' | b'-' | b' ' | b'\t') {
        return none;
    }
    let mut end = 0;
    for _ in 0..3 {
        let Some(word) = text.get(end..).and_then(|rest| rest.find(' ')) else { return none };
        let stop = end + word;
        if let Some(stamp) = text.get(..stop).and_then(parse) {
            return (Some(stamp), text.get(stop + 1..).unwrap_or_default());
        }
        // The day of a month may be padded with a blank.
        let blanks = text.get(stop..).map_or(1, |rest| rest.len() - rest.trim_start_matches(' ').len());
        end = stop + blanks.min(2);
        if end > 32 {
            return none;
        }
    }
    none
}

/// Whether a text is a stamp with nothing behind it, as of an empty line.
pub fn is_stamp(text: &str) -> bool {
    let text = text.trim_ascii();
    (5..=32).contains(&text.len()) && parse(text).is_some()
}

/// Reads the text of one stamp.
fn parse(text: &str) -> Option<Stamp> {
    let text = text.strip_prefix('[').map_or(text, |rest| rest.strip_suffix(']').unwrap_or(rest));
    let mut words = text.split_ascii_whitespace();
    match (words.next()?, words.next(), words.next(), words.next()) {
        (word, None, ..) => one_word(word),
        (date, Some(time), None, _) => civil(date, time),
        (a, Some(b), Some(time), None) => {
            let (month, day) = if a.starts_with(|c: char| c.is_ascii_digit()) { (b, a) } else { (a, b) };
            let is_month = (3..=5).contains(&month.chars().count())
                && month.chars().all(|c| c.is_alphabetic() || c == '.');
            let day = day.trim_end_matches('.').parse().ok().filter(|day| (1..=31).contains(day))?;
            let mut letters = month.chars().filter(|c| *c != '.').flat_map(char::to_lowercase);
            let name = std::array::from_fn(|_| letters.next().unwrap_or(' '));
            is_month.then_some(Stamp { kind: Kind::OfMonth(name, day), micros: of_day(time)? })
        }
        _ => None,
    }
}

fn one_word(word: &str) -> Option<Stamp> {
    if let Some((date, time)) = word.split_once('T') {
        return civil(date, time);
    }
    if word.contains(':') {
        return Some(Stamp { kind: Kind::OfDay, micros: of_day(word)? });
    }
    let micros = seconds(word)?;
    let kind = if micros >= 100_000_000_000_000 { Kind::Epoch } else { Kind::Since };
    // A bare whole number in front of a line may be anything.
    (kind == Kind::Epoch || word.contains('.')).then_some(Stamp { kind, micros })
}

/// `YYYY-MM-DD` and a time of the day, which may name its offset from UTC.
fn civil(date: &str, time: &str) -> Option<Stamp> {
    let mut parts = date.split('-');
    let year = parts.next().filter(|year| year.len() == 4)?.parse().ok()?;
    let (month, day) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let date = Date::new(year, month, day).ok().filter(|_| parts.next().is_none())?;
    let (time, offset) = match time.strip_suffix('Z') {
        Some(time) => (time, Some(0)),
        None => match time.rfind(['+', '-']) {
            Some(at) => (time.get(..at)?, Some(offset_of(time.get(at..)?)?)),
            None => (time, None),
        },
    };
    let civil = DateTime::from_parts(date, Time::midnight());
    let midnight = TimeZone::UTC.to_timestamp(civil).ok()?.as_microsecond();
    let micros = midnight.checked_add(of_day(time)?)?;
    Some(match offset {
        Some(secs) => Stamp { kind: Kind::Epoch, micros: micros - i64::from(secs) * 1_000_000 },
        None => Stamp { kind: Kind::Civil, micros },
    })
}

/// `HH:MM:SS` with a fraction if any.
fn of_day(text: &str) -> Option<i64> {
    let mut parts = text.split(':');
    let two =
        |part: Option<&str>| part.filter(|part| part.len() == 2)?.parse::<i64>().ok().filter(|n| *n < 60);
    let (hours, minutes) = (two(parts.next())?, two(parts.next())?);
    let secs = parts.next()?;
    two(Some(secs.split(['.', ',']).next().unwrap_or(secs)))?;
    let micros = seconds(secs).filter(|_| parts.next().is_none() && hours < 24)?;
    Some((hours * 60 + minutes) * 60_000_000 + micros)
}

/// Seconds with at most six places, as microseconds.
fn seconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || whole.len() > 11 || fraction.len() > 9 {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<9}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(1_000_000)?.checked_add(fraction / 1000)
}

/// The UTC time of a civil one, by the zone the user gave or else the local one.
pub fn utc_of_civil(micros: i64, zone_offset_secs: Option<i32>) -> Option<i64> {
    let civil = TimeZone::UTC.to_datetime(jiff::Timestamp::from_microsecond(micros).ok()?);
    crate::zone::utc_of_civil(civil, zone_offset_secs)
}

/// What `ts` was told to do, where its command line is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing is known.
    #[default]
    Unknown,
    /// `ts -i`: since the line before.
    Increments,
    /// `ts -s`: since it started.
    SinceStart,
}

impl Mode {
    /// Looks for `ts -i` and `ts -s` in a command line.
    pub fn of_command(command: &str) -> Self {
        let words: Vec<&str> = command.split_ascii_whitespace().collect();
        let at = words.iter().position(|word| *word == "ts");
        match at.and_then(|at| words.get(at + 1)) {
            Some(option) if option.starts_with("-i") => Self::Increments,
            Some(option) if option.starts_with("-s") => Self::SinceStart,
            _ => Self::Unknown,
        }
    }
}

/// The stamps of a block's lines.
#[derive(Debug, Default)]
pub struct Stamps {
    marks: Vec<Mark>,
}

/// A stamp, how many revisions its line says are done, and the number of the line.
#[derive(Clone, Copy, Debug)]
struct Mark {
    stamp: Stamp,
    done: u64,
    line: u32,
}

/// A moment at which something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Microseconds by the clock of the timeline.
    pub at: i64,
    /// How many revisions.
    pub count: u64,
    /// Physical line, from 1.
    pub line: u32,
}

/// When the steps of a block were done.
#[derive(Debug, PartialEq)]
pub struct Timeline {
    /// Microseconds of the block's start, by the clock of `kind`.
    pub start: i64,
    /// Each moment at which something was done.
    pub done: Vec<Done>,
    /// The last moment.
    pub end: i64,
    /// How the moments count: since 1970 where it is `Epoch` or `Civil`, else since the start.
    pub kind: Kind,
    /// Whether nothing but their smallness says that times like those of a day count from zero.
    pub guessed: bool,
}

impl Stamps {
    /// Takes the stamp of the next line, and how many revisions the line says are done.
    pub fn push(&mut self, stamp: Stamp, done: u64, line: u32) {
        self.marks.push(Mark { stamp, done, line });
    }

    /// Orders the stamps in time; `None` where there are fewer than two, they are of several kinds, or
    /// nobody knows how many days lie between them.
    pub fn timeline(&self, mode: Mode) -> Option<Timeline> {
        let first = self.marks.first()?.stamp;
        let same = |kind: Kind| std::mem::discriminant(&kind) == std::mem::discriminant(&first.kind);
        if self.marks.len() < 2 || !self.marks.iter().all(|mark| same(mark.stamp.kind)) {
            return None;
        }
        let counts_up = matches!(first.kind, Kind::OfDay | Kind::Since);
        let increments = counts_up
            && match mode {
                Mode::Increments => true,
                Mode::SinceStart => false,
                Mode::Unknown => self.goes_back(first.kind),
            };
        let moments = if increments { self.sums() } else { self.moments()? };
        let known = increments || first.kind == Kind::Since || counts_up && mode == Mode::SinceStart;
        let guessed = !known && first.kind == Kind::OfDay && first.micros < 60_000_000;
        let from_zero = known || guessed;
        let start = if from_zero { 0 } else { *moments.first()? };
        let marks = moments.iter().zip(&self.marks).filter(|(_, mark)| mark.done > 0);
        let done = marks.map(|(at, mark)| Done { at: *at, count: mark.done, line: mark.line }).collect();
        Some(Timeline { start, done, end: *moments.last()?, kind: first.kind, guessed })
    }

    /// Whether any stamp is before its predecessor and no midnight explains it.
    fn goes_back(&self, kind: Kind) -> bool {
        let limit = if kind == Kind::OfDay { DAY / 2 } else { i64::MAX };
        let pairs = self.marks.iter().zip(self.marks.iter().skip(1));
        pairs.map(|(a, b)| a.stamp.micros - b.stamp.micros).any(|back| back > 0 && back < limit)
    }

    fn sums(&self) -> Vec<i64> {
        let add = |sum: &mut i64, mark: &Mark| {
            *sum = sum.saturating_add(mark.stamp.micros);
            Some(*sum)
        };
        self.marks.iter().scan(0_i64, add).collect()
    }

    /// The stamps as they stand; days that are not written are counted at midnight. `None` where a month
    /// ended whose days are not known.
    fn moments(&self) -> Option<Vec<i64>> {
        let mut days = 0;
        let mut last: Option<Stamp> = None;
        let mut moments = Vec::with_capacity(self.marks.len());
        for Mark { stamp, .. } in &self.marks {
            days += match (stamp.kind, last.map(|last| (last.kind, last.micros))) {
                (Kind::OfMonth(month, day), Some((Kind::OfMonth(other, before), _))) => {
                    days_between((other, before), (month, day))?
                }
                (Kind::OfDay, Some((_, before))) if before - stamp.micros > DAY / 2 => 1,
                _ => 0,
            };
            moments.push(stamp.micros.saturating_add(days * DAY));
            last = Some(*stamp);
        }
        Some(moments)
    }
}

/// How many days lie between two days, both of the same month or of one and the next.
fn days_between(from: (Month, u8), to: (Month, u8)) -> Option<i64> {
    let (before, day) = (i64::from(from.1), i64::from(to.1));
    if from.0 == to.0 {
        return (day >= before).then_some(day - before);
    }
    let number = |month: Month| {
        let letters: String = month.iter().take(3).collect();
        MONTHS.iter().position(|(name, _)| *name == letters)
    };
    let index = number(from.0)?;
    let length = MONTHS.get(index)?.1.or((before == 29).then_some(29))?;
    let is_next = number(to.0)? == (index + 1) % MONTHS.len();
    (is_next && before <= i64::from(length)).then_some(i64::from(length) - before + day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stamps_in_front_of_lines() {
        const NOVEMBER: Month = ['n', 'o', 'v', ' '];
        for (text, expect) in [
            ("Nov 30 08:05:17 * x", Some((Kind::OfMonth(NOVEMBER, 30), 29_117_000_000))),
            ("Nov  3 08:05:17 * x", Some((Kind::OfMonth(NOVEMBER, 3), 29_117_000_000))),
            ("3. nov. 08:05:17 * x", Some((Kind::OfMonth(NOVEMBER, 3), 29_117_000_000))),
            ("Mär 03 00:00:01 * x", Some((Kind::OfMonth(['m', 'ä', 'r', ' '], 3), 1_000_000))),
            ("00:00:07 * x", Some((Kind::OfDay, 7_000_000))),
            ("00:00:07.250000 * x", Some((Kind::OfDay, 7_250_000))),
            ("1796026341.123456 * x", Some((Kind::Epoch, 1_796_026_341_123_456))),
            ("1796026341 * x", Some((Kind::Epoch, 1_796_026_341_000_000))),
            ("0.000031 * x", Some((Kind::Since, 31))),
            ("2026-11-30 08:05:17 * x", Some((Kind::Civil, 1_796_025_917_000_000))),
            ("2026-11-30T08:05:17.5 * x", Some((Kind::Civil, 1_796_025_917_500_000))),
            ("2026-11-30T08:05:17Z * x", Some((Kind::Epoch, 1_796_025_917_000_000))),
            ("2026-11-30T09:05:17+01:00 * x", Some((Kind::Epoch, 1_796_025_917_000_000))),
            ("[2026-11-30 08:05:17] * x", Some((Kind::Civil, 1_796_025_917_000_000))),
            ("* x", None),
            ("12 * x", None),
            ("08:65:17 * x", None),
            ("08:05:160 * x", None),
            ("08:05:1 * x", None),
            ("08:05:16. * x", None),
            ("2026-13-30 08:05:17 * x", None),
            ("Nov 40 08:05:17 * x", None),
            ("word word word * x", None),
            ("", None),
        ] {
            let (stamp, rest) = split(text);
            assert_eq!(stamp.map(|stamp| (stamp.kind, stamp.micros)), expect, "{text}");
            assert_eq!(rest, if expect.is_some() { "* x" } else { text }, "{text}");
        }
    }

    fn timeline(texts: &[&str], mode: Mode) -> Option<Timeline> {
        let mut stamps = Stamps::default();
        for text in texts {
            stamps.push(split(&format!("{text} x")).0.expect("a stamp"), 1, 1);
        }
        stamps.timeline(mode)
    }

    #[test]
    fn the_three_clocks_of_ts_are_told_apart() {
        for (texts, mode, start, end) in [
            (&["Nov 30 23:59:59", "Dec 01 00:00:02"][..], Mode::Unknown, 86_399, 86_402),
            (&["23:59:59", "00:00:02"], Mode::Unknown, 86_399, 86_402),
            (&["00:00:01", "00:00:04", "00:00:04"], Mode::Unknown, 0, 4),
            (&["00:00:00", "00:00:04", "00:00:01"], Mode::Unknown, 0, 5),
            (&["00:00:01", "00:00:02"], Mode::Increments, 0, 3),
            (&["10:00:01", "10:00:02"], Mode::Unknown, 36_001, 36_002),
            (&["10:00:01", "10:00:02"], Mode::SinceStart, 0, 36_002),
            (&["0.500000", "0.500000"], Mode::Increments, 0, 1),
        ] {
            let found = timeline(texts, mode).expect("a timeline");
            assert_eq!((found.start, found.end), (start * 1_000_000, end * 1_000_000), "{texts:?}");
        }
        assert_eq!(timeline(&["00:00:01"], Mode::Unknown), None);
        assert_eq!(timeline(&["00:00:01", "1796026341"], Mode::Unknown), None);
        assert_eq!(Mode::of_command("svnadmin verify r | ts -i '%.s'"), Mode::Increments);
        assert_eq!(Mode::of_command("svnadmin verify r 2>&1 | ts -s"), Mode::SinceStart);
        assert_eq!(Mode::of_command("svnadmin verify r"), Mode::Unknown);
    }

    #[test]
    fn days_go_by_the_length_of_the_month() {
        for (texts, days) in [
            (["Nov 30 00:00:00", "Dec  2 00:00:00"], Some(2)),
            (["Nov 5 00:00:00", "Dec 5 00:00:00"], Some(30)),
            (["Nov 5 00:00:00", "Dec 6 00:00:00"], Some(31)),
            (["Dec 31 00:00:00", "Jan 01 00:00:00"], Some(1)),
            (["Jan 31 00:00:00", "Feb 01 00:00:00"], Some(1)),
            (["Feb 29 00:00:00", "Mar 01 00:00:00"], Some(1)),
            (["Mär 05 00:00:00", "Mär 06 00:00:00"], Some(1)),
            // Only the year tells the length of February, and only the language names a month.
            (["Feb 28 00:00:00", "Mar 01 00:00:00"], None),
            (["Mär 31 00:00:00", "Apr 01 00:00:00"], None),
            (["Nov 30 00:00:00", "Jan 01 00:00:00"], None),
            (["Nov 30 00:00:00", "Nov 29 00:00:00"], None),
            (["Nov 31 00:00:00", "Dec 01 00:00:00"], None),
        ] {
            let found = timeline(&texts, Mode::Unknown).map(|found| found.end - found.start);
            assert_eq!(found, days.map(|days: i64| days * DAY), "{texts:?}");
        }
    }

    #[test]
    fn only_smallness_says_that_times_count_from_zero() {
        for (texts, mode, guessed) in [
            (["00:00:30", "00:00:40"], Mode::Unknown, true),
            (["00:00:30", "00:00:40"], Mode::SinceStart, false),
            (["00:00:30", "00:00:20"], Mode::Unknown, false),
            (["10:00:30", "10:00:40"], Mode::Unknown, false),
        ] {
            let found = timeline(&texts, mode).expect("a timeline");
            assert_eq!(found.guessed, guessed, "{texts:?}");
        }
    }

    #[test]
    fn civil_times_go_by_the_zone() {
        assert_eq!(utc_of_civil(1_796_025_917_000_000, Some(3600)), Some(1_796_022_317_000_000));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[\\[\\]0-9A-Za-zä:.,TZ+* -]{0,40}") {
            let (_, rest) = split(&text);
            prop_assert!(text.ends_with(rest));
        }
    }
}
