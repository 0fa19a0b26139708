//! The first line of every sysstat tool: kernel, host, date, machine, number of processors.

use super::clock;
use crate::sink::Sink;
use crate::text::{Line, Lines};
use jiff::civil::Date;
use triptych_model::{Problem, ProblemKind, Severity};

/// What the banner says, as far as it matters.
pub struct Banner {
    date: String,
    /// Number of processors.
    pub cpus: Option<u32>,
    /// Whether the day stands before the month where both could; `None` where nothing tells.
    pub day_first: Option<bool>,
}

impl Banner {
    /// Reads `Linux KERNEL (HOST) DATE _ARCH_ (N CPU)`; old versions end behind the date.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.trim_start().strip_prefix("Linux ")?;
        let (kernel, rest) = rest.split_once(" (")?;
        if kernel.contains(char::is_whitespace) {
            return None;
        }
        let (_host, rest) = rest.split_once(')')?;
        let is_arch = |word: &&str| word.len() > 2 && word.starts_with('_') && word.ends_with('_');
        let (date, cpus) = match rest.split_whitespace().find(is_arch).and_then(|arch| rest.split_once(arch))
        {
            Some((date, behind)) => {
                let count = behind.split_whitespace().next();
                (date.trim(), count.and_then(|count| count.trim_start_matches('(').parse().ok()))
            }
            None if digit_groups(rest).len() == 3 && rest.split_whitespace().count() == 1 => {
                (rest.trim(), None)
            }
            None => return None,
        };
        (!date.is_empty()).then(|| Self { date: date.to_owned(), cpus, day_first: None })
    }

    /// Reads the banner in that line; the lines below it tell the order of its date.
    pub fn at(lines: &Lines<'_>, at: usize) -> Option<Self> {
        let mut banner = Self::parse(lines.get(at)?.text)?;
        let below: Vec<Line<'_>> =
            lines.starting_at(at + 1).map(|(_, line)| line).filter(|line| !line.is_blank()).take(3).collect();
        banner.day_first = day_first(&banner.date, below.iter().map(|line| line.text));
        Some(banner)
    }

    /// The date, by the usual orders of its parts; a doubtful order is noted.
    pub fn date(&self, line: u32, sink: &mut Sink<'_>) -> Option<Date> {
        let Some(printed) = date_of(&self.date, self.day_first) else {
            let expected = "a date such as 11/30/26 or 2026-11-30";
            sink.not_understood(line, 1, "unreadable date", &self.date, expected);
            return None;
        };
        if printed.doubtful {
            self.note_order(line, sink);
        }
        Some(printed.date)
    }

    fn note_order(&self, line: u32, sink: &mut Sink<'_>) {
        let path = sink.data.path.clone();
        sink.problem(
            Problem::new(Severity::Note, ProblemKind::Other, path, "the date was read as month/day/year")
                .at_line(line)
                .found(self.date.clone()),
        );
    }
}

/// Whether a date such as `05/06/2026` begins with the day, by texts of the same log.
///
/// Only English with AM and PM, and the C locale with its short year, begin with the month: other
/// words for the halves of the day, a long year without them, or a decimal comma mean the day.
pub fn day_first<'t>(date: &str, texts: impl Iterator<Item = &'t str>) -> Option<bool> {
    let has_long_year = digit_groups(date).iter().any(|(_, length)| *length == 4);
    let (mut half, mut comma) = (None, false);
    for word in texts.flat_map(str::split_whitespace) {
        if clock::half_of_day(word).is_some() {
            half = Some(matches!(word, "AM" | "PM" | "am" | "pm"));
        }
        let parts = word.split_once(',');
        comma |=
            parts.is_some_and(|(whole, rest)| whole.parse::<u32>().is_ok() && rest.parse::<u32>().is_ok());
    }
    match half {
        Some(english) => Some(!english),
        None if has_long_year || comma => Some(true),
        None => None,
    }
}

/// A date as printed.
pub struct PrintedDate {
    /// The date.
    pub date: Date,
    /// Whether month and day could be the other way round.
    pub doubtful: bool,
}

/// English names of months; other languages print figures, but for a few.
const MONTHS: &[&str] = &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads a date in the order of any usual locale; where the order is open, the month comes first.
pub fn date_of(text: &str, day_first: Option<bool>) -> Option<PrintedDate> {
    let groups = digit_groups(text);
    let slashed = text.contains('/');
    let ((year, month, day), doubtful) = match groups.as_slice() {
        [first, second, third] if first.1 == 4 => ((first.0, second.0, third.0), false),
        [first, second, third] if slashed => {
            let either = first.0 <= 12 && second.0 <= 12;
            let day_leads = if either { day_first == Some(true) } else { first.0 > 12 };
            let (month, day) = if day_leads { (second.0, first.0) } else { (first.0, second.0) };
            ((third.0, month, day), either && day_first.is_none() && first.0 != second.0)
        }
        [first, second, third] => ((third.0, second.0, first.0), false),
        [day, year] if year.1 == 4 => ((year.0, month_of(text)?, day.0), false),
        _ => return None,
    };
    let year = match year {
        0..70 => year + 2000,
        70..100 => year + 1900,
        // Thailand counts from the Buddha's death.
        2400.. => year - 543,
        _ => year,
    };
    let date = Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    Some(PrintedDate { date: date.ok()?, doubtful })
}

/// The number of the month that a text names in English.
fn month_of(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    words.find_map(|word| {
        (1_u32..).zip(MONTHS).find(|(_, month)| word.starts_with(**month)).map(|(index, _)| index)
    })
}

/// Value and length of each run of digits.
fn digit_groups(text: &str) -> Vec<(u32, usize)> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .filter_map(|digits| Some((digits.parse().ok()?, digits.len())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banners_of_many_locales() {
        for (date, expect) in [
            ("11/30/26", "2026-11-30"),
            ("11/30/2026", "2026-11-30"),
            ("30/11/2026", "2026-11-30"),
            ("30.11.2026", "2026-11-30"),
            ("30.11.2026.", "2026-11-30"),
            ("30. 11. 2026", "2026-11-30"),
            ("30-11-26", "2026-11-30"),
            ("2026-11-30", "2026-11-30"),
            ("2026.11.30.", "2026-11-30"),
            ("2026年11月30日", "2026-11-30"),
            ("2026년 11월 30일", "2026-11-30"),
            ("30/11/2569", "2026-11-30"),
            ("Monday, November 30, 2026", "2026-11-30"),
            ("Monday, 30 November, 2026", "2026-11-30"),
        ] {
            let banner = Banner::parse(&format!("Linux 6.1 (vm) \t{date} \t_x86_64_\t(2 CPU)")).expect(date);
            assert_eq!(banner.cpus, Some(2), "{date}");
            let found = date_of(&banner.date, None).map(|printed| printed.date.to_string());
            assert_eq!(found.as_deref(), Some(expect), "{date}");
        }
        assert_eq!(Banner::parse("Linux 2.6.9 (vm) \t11/30/26").map(|banner| banner.cpus), Some(None));
        for other in ["Linux 6.1 (vm)", "Linux is (a) system", "Linux 6.1 (vm) 1 2 3 4"] {
            assert!(Banner::parse(other).is_none(), "{other}");
        }
    }

    #[test]
    fn what_tells_day_from_month() {
        for (date, below, expect) in [
            ("05/06/26", "08:06:44 all 1.00", "2026-05-06 doubtful"),
            ("05/06/26", "08:06:44 all 1,00", "2026-06-05"),
            ("05/06/2026", "08:06:44 all 1.00", "2026-06-05"),
            ("05/06/2026", "08:06:44 AM all 1.00", "2026-05-06"),
            ("05/06/2026", "08:06:44 πμ all 1,00", "2026-06-05"),
            ("05.06.2026", "08:06:44 all 1,00", "2026-06-05"),
            ("05/05/26", "08:06:44 all 1.00", "2026-05-05"),
        ] {
            let printed = date_of(date, day_first(date, [below].into_iter())).expect(date);
            let doubt = if printed.doubtful { " doubtful" } else { "" };
            assert_eq!(format!("{}{doubt}", printed.date), expect, "{date} above {below}");
        }
    }
}
