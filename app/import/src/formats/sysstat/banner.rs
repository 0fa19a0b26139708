//! The first line of every sysstat tool: kernel, host, date, machine, number of processors.

use crate::sink::Sink;
use jiff::civil::Date;
use triptych_model::{Problem, ProblemKind, Severity};

/// What the banner says, as far as it matters.
pub struct Banner {
    date: String,
    /// Number of processors.
    pub cpus: Option<u32>,
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
        let mut words = rest.split_whitespace();
        let date = words.next()?.to_owned();
        let arch = words.next();
        if arch.is_some_and(|arch| !(arch.starts_with('_') && arch.ends_with('_')))
            || digit_groups(&date).len() != 3
        {
            return None;
        }
        let cpus = words.next().and_then(|count| count.trim_start_matches('(').parse().ok());
        Some(Self { date, cpus })
    }

    /// The date, by the usual orders of its parts; a doubtful order is noted.
    pub fn date(&self, line: u32, sink: &mut Sink<'_>) -> Option<Date> {
        let Some(printed) = date_of(&self.date) else {
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

/// A date as printed.
pub struct PrintedDate {
    /// The date.
    pub date: Date,
    /// Whether month and day could be the other way round.
    pub doubtful: bool,
}

/// Reads a date in the order of any usual locale; where the order is open, the month comes first.
pub fn date_of(text: &str) -> Option<PrintedDate> {
    let groups = digit_groups(text);
    let [first, second, third] = groups.as_slice() else { return None };
    let slashed = text.contains('/');
    let (year, month, day) = if first.1 == 4 {
        (first.0, second.0, third.0)
    } else if slashed && (first.0 <= 12 || second.0 > 12) {
        (third.0, first.0, second.0)
    } else {
        (third.0, second.0, first.0)
    };
    let year = match year {
        0..70 => year + 2000,
        70..100 => year + 1900,
        _ => year,
    };
    let date =
        Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    let either = slashed && first.1 != 4 && first.0 <= 12 && second.0 <= 12;
    let doubtful = either && first.0 != second.0;
    Some(PrintedDate { date, doubtful })
}

/// Value and length of each run of digits.
fn digit_groups(text: &str) -> Vec<(u32, usize)> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .filter_map(|digits| Some((digits.parse().ok()?, digits.len())))
        .collect()
}
