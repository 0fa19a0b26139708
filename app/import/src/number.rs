//! Numbers, sizes and durations as tools and people write them; used by all readers.
//!
//! Nothing here guesses: a text that is not wholly a figure is none. Values are computed from the
//! decimal digits in integers and divided once, so that `20m4.354s` is exactly the number 1204.354.

/// What parts the whole from the fraction; decided per file, not per cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1,234.5`: commas group thousands, or apostrophes as in Switzerland.
    #[default]
    Point,
    /// `1.234,5`: points and blanks group thousands.
    Comma,
}

impl DecimalMark {
    /// The mark of a file or block, from cells that its tool always prints with a fraction.
    ///
    /// A point in the place of the mark anywhere decides for the point; without such a cell it is the
    /// point, and a lone `1,234` keeps its tool's rule.
    pub fn of_fractions<'t>(cells: impl IntoIterator<Item = &'t str>) -> Self {
        let mut mark = Self::Point;
        for cell in cells {
            match cell.rfind(['.', ',']).and_then(|at| cell.as_bytes().get(at)) {
                Some(b'.') => return Self::Point,
                Some(_) => mark = Self::Comma,
                None => {}
            }
        }
        mark
    }
}

/// A word or sign that softens a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    /// `~`, `≈`, `about`, `approx.`, `ca.`
    About,
    /// `<`
    Below,
    /// `>`
    Above,
    /// `up to`
    UpTo,
}

/// A figure with the accuracy it was printed with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The value in base units.
    pub value: f64,
    /// Half a unit of the last printed digit: the true value lies within `value ± half`.
    pub half: f64,
}

/// Reads a number; the whole text must be one. Groups of thousands must have three digits.
pub fn parse_number(text: &str, mark: &DecimalMark) -> Option<f64> {
    printed_number(text, mark).map(|printed| printed.value)
}

/// The same with its accuracy.
pub fn printed_number(text: &str, mark: &DecimalMark) -> Option<Printed> {
    let (negative, digits) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let decimal = Decimal::read(digits, *mark)?;
    let value = decimal.times(1, 0)?.value();
    Some(Printed { value: if negative { -value } else { value }, half: 0.5 * decimal.last_place() })
}

/// Reads a number and multiplies it by `factor / 10^shift`, rounding once: `9.42` milliseconds are exactly
/// the number 0.00942 of seconds. No sign.
pub fn parse_scaled(text: &str, mark: DecimalMark, factor: u128, shift: u32) -> Option<f64> {
    Some(Decimal::read(text, mark)?.times(factor, shift)?.value())
}

/// Reads a duration in seconds in any notation met (`1h2m50.36s`, `1:02:16.48`, `31 minutes 33 seconds`,
/// `1-02:03:04`, `66ms`, `0m0,275s`); the whole text must be one, with a unit or colons.
pub fn parse_duration(text: &str) -> Option<f64> {
    printed_duration(text).map(|printed| printed.value)
}

/// The same with its accuracy.
pub fn printed_duration(text: &str) -> Option<Printed> {
    let text = text.trim();
    if text.contains(':') { clock_duration(text) } else { unit_duration(text) }
}

/// Reads a size in bytes: `5.3G`, `81M`, `64KiB` are powers of 1024, `12 kB`, `3MB`, `1GB` decimal.
pub fn parse_size(text: &str) -> Option<f64> {
    let at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(at);
    let factor = SIZES.iter().find(|(name, _)| *name == unit)?.1;
    Some(Decimal::read(number.trim_end(), DecimalMark::Point)?.times(factor, 0)?.value())
}

/// Takes a qualifier off the head of a figure, with the blanks behind it.
pub fn take_qualifier(text: &str) -> (Option<Qualifier>, &str) {
    for (word, qualifier) in QUALIFIERS {
        let Some(rest) = text.strip_prefix(word) else { continue };
        let glued = word.ends_with(|c: char| c.is_ascii_alphabetic());
        if !glued || rest.starts_with(' ') {
            return (Some(*qualifier), rest.trim_start());
        }
    }
    (None, text)
}

const QUALIFIERS: &[(&str, Qualifier)] = &[
    ("~", Qualifier::About),
    ("\u{2248}", Qualifier::About),
    ("about", Qualifier::About),
    ("approx.", Qualifier::About),
    ("approximately", Qualifier::About),
    ("approx", Qualifier::About),
    ("ca.", Qualifier::About),
    ("<", Qualifier::Below),
    (">", Qualifier::Above),
    ("up to", Qualifier::UpTo),
];

const SIZES: &[(&str, u128)] = &[
    ("B", 1),
    ("K", 1 << 10),
    ("k", 1 << 10),
    ("KiB", 1 << 10),
    ("kB", 1000),
    ("KB", 1000),
    ("M", 1 << 20),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("G", 1 << 30),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("T", 1 << 40),
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
];

/// Names of a unit, its seconds, and the power of ten to divide them by. Short names are
/// case-sensitive: `5M` is no duration.
const UNITS: &[(&[&str], u128, u32)] = &[
    (&["d", "day", "days"], 86_400, 0),
    (&["h", "hr", "hrs", "hour", "hours"], 3600, 0),
    (&["m", "min", "mins", "minute", "minutes"], 60, 0),
    (&["s", "sec", "secs", "second", "seconds"], 1, 0),
    (&["ms", "msec", "msecs", "millis", "millisecond", "milliseconds"], 1, 3),
    (&["us", "\u{b5}s", "\u{3bc}s", "usec", "usecs", "micros", "microsecond", "microseconds"], 1, 6),
    (&["ns", "nsec", "nanos", "nanosecond", "nanoseconds"], 1, 9),
];

/// `m:ss`, `h:mm:ss`, `d-hh:mm:ss`, each with a fraction of seconds if any.
fn clock_duration(text: &str) -> Option<Printed> {
    let (days, clock) = match text.split_once('-') {
        Some((days, clock)) => (whole(days)?, clock),
        None => (0, text),
    };
    let (front, secs) = clock.rsplit_once(':')?;
    let (hours, minutes) = match front.split_once(':') {
        Some((hours, minutes)) => (whole(hours)?, two_digits(minutes)?),
        None if days > 0 => return None,
        None => (0, whole(front)?),
    };
    two_digits(secs.get(..2)?)?;
    let secs = Decimal::read(secs, either_mark(secs))?;
    let head = days.checked_mul(24)?.checked_add(hours)?.checked_mul(60)?.checked_add(minutes)?;
    let total = Exact { digits: head.checked_mul(60)?, scale: 0 }.plus(secs.times(1, 0)?)?;
    Some(Printed { value: total.value(), half: 0.5 * secs.last_place() })
}

/// Numbers with units, largest unit first: `1h 2m 35s`, `65.01 mins`. Only the last may have a fraction.
fn unit_duration(text: &str) -> Option<Printed> {
    let mut total = Exact { digits: 0, scale: 0 };
    let mut next_unit = 0;
    let mut half = None;
    let mut rest = text;
    while !rest.is_empty() {
        if half.is_some() {
            rest = rest.strip_prefix("and ").unwrap_or(rest);
        }
        let (number, tail) = rest.split_at(rest.find(|c: char| !is_figure(c))?);
        let tail = tail.trim_start_matches(' ');
        let (name, tail) = tail.split_at(tail.find(|c: char| !c.is_alphabetic()).unwrap_or(tail.len()));
        let index = UNITS.iter().position(|(names, _, _)| is_named(name, names))?;
        let decimal = Decimal::read(number, either_mark(number))?;
        rest = tail.trim_start_matches([' ', ',']);
        if index < next_unit || (decimal.scale > 0 && !rest.is_empty()) {
            return None;
        }
        next_unit = index + 1;
        let (_, secs, shift) = UNITS.get(index)?;
        total = total.plus(decimal.times(*secs, *shift)?)?;
        half = Some(Exact { digits: *secs, scale: decimal.scale + shift }.value() * 0.5);
    }
    Some(Printed { value: total.value(), half: half? })
}

fn is_figure(c: char) -> bool {
    c.is_ascii_digit() || c == '.' || c == ','
}

fn is_named(name: &str, names: &[&str]) -> bool {
    names.contains(&name) || (name.len() > 2 && names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// A comma is a decimal mark in durations, unless a point follows it.
fn either_mark(number: &str) -> DecimalMark {
    match (number.rfind(','), number.rfind('.')) {
        (Some(comma), Some(point)) if comma < point => DecimalMark::Point,
        (Some(_), _) => DecimalMark::Comma,
        _ => DecimalMark::Point,
    }
}

fn whole(text: &str) -> Option<u128> {
    if text.is_empty() { None } else { append(0, text) }
}

/// The number with further digits behind it; `None` where one is no digit.
fn append(number: u128, digits: &str) -> Option<u128> {
    digits.bytes().try_fold(number, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number.checked_mul(10)?.checked_add(u128::from(digit))
    })
}

/// Two digits below 60.
fn two_digits(text: &str) -> Option<u128> {
    whole(text).filter(|value| text.len() == 2 && *value < 60)
}

/// Digits as printed and how many of them stand behind the mark.
#[derive(Clone, Copy)]
struct Decimal {
    digits: u128,
    scale: u32,
}

impl Decimal {
    fn read(text: &str, mark: DecimalMark) -> Option<Self> {
        let (groups, point): (&[char], char) = match mark {
            DecimalMark::Point => (&[',', '\'', '\u{2019}'], '.'),
            DecimalMark::Comma => (&['.', ' ', '\u{a0}', '\u{202f}'], ','),
        };
        let (front, fraction) = match text.split_once(point) {
            Some((front, fraction)) => (front, Some(fraction)),
            None => (text, None),
        };
        let mut digits = 0;
        for (index, group) in front.split(groups).enumerate() {
            let wrong =
                if index > 0 { group.len() != 3 } else { front.len() > group.len() && group.len() > 3 };
            if wrong {
                return None;
            }
            digits = append(digits, group)?;
        }
        let scale = match fraction {
            Some("") => return None,
            None if front.is_empty() => return None,
            Some(fraction) => {
                digits = append(digits, fraction)?;
                u32::try_from(fraction.len()).ok()?
            }
            None => 0,
        };
        Some(Self { digits, scale })
    }

    /// Times `factor / 10^shift`.
    fn times(self, factor: u128, shift: u32) -> Option<Exact> {
        Some(Exact { digits: self.digits.checked_mul(factor)?, scale: self.scale + shift })
    }

    fn last_place(self) -> f64 {
        Exact { digits: 1, scale: self.scale }.value()
    }
}

/// `digits / 10^scale`.
#[derive(Clone, Copy)]
struct Exact {
    digits: u128,
    scale: u32,
}

impl Exact {
    fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let digits = self.at(scale)?.checked_add(other.at(scale)?)?;
        Some(Self { digits, scale })
    }

    fn at(self, scale: u32) -> Option<u128> {
        self.digits.checked_mul(10_u128.checked_pow(scale - self.scale)?)
    }

    /// One division of exact numbers is rounded correctly; larger ones go the long way.
    fn value(self) -> f64 {
        if self.digits >= 1 << 53 || self.scale > 22 {
            return format!("{}e-{}", self.digits, self.scale).parse().unwrap_or(f64::MAX);
        }
        self.digits as f64 / 10_f64.powi(i32::try_from(self.scale).unwrap_or(i32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_in_all_notations() {
        for (text, secs) in [
            ("0m10.242s", 10.242),
            ("62m11.280s", 3731.28),
            ("20m4.354s", 1204.354),
            ("0m0,275s", 0.275),
            ("1h2m50.36s", 3770.36),
            ("0m00.24s", 0.24),
            ("1m 15.02s", 75.02),
            ("1h 2m 35s", 3755.0),
            ("3m 1.455s", 181.455),
            ("1:15.65", 75.65),
            ("1:02:16.48", 3736.48),
            ("0:00.10", 0.1),
            ("1:02:10", 3730.0),
            ("75.74 secs", 75.74),
            ("65.01 mins", 3900.6),
            ("101.77 millis", 0.10177),
            ("97.00 micros", 0.000_097),
            ("1m22s", 82.0),
            ("1m 04s", 64.0),
            ("0m 44s", 44.0),
            ("31 minutes 33 seconds", 1893.0),
            ("1 minute and 1 second", 61.0),
            ("1 day, 2 hours", 93_600.0),
            ("270.5s", 270.5),
            ("66ms", 0.066),
            ("53 ms", 0.053),
            ("85.7 s", 85.7),
            ("3:20", 200.0),
            ("14 minutes", 840.0),
            ("1-02:03:04", 93_784.0),
            ("14h 34min 25.39s", 52_465.39),
            ("381us", 0.000_381),
            ("1.7ms", 0.0017),
            ("12 µs", 0.000_012),
            ("0.067000 seconds", 0.067),
            ("1.06 msec", 0.001_06),
            ("1,234.5 s", 1234.5),
        ] {
            assert_eq!(parse_duration(text), Some(secs), "{text}");
        }
    }

    #[test]
    fn qualified_durations_of_prose() {
        for (text, qualifier, secs) in [
            ("~3:20", Qualifier::About, 200.0),
            ("about 14 minutes", Qualifier::About, 840.0),
            ("< 0.1s", Qualifier::Below, 0.1),
            ("> 30 minutes", Qualifier::Above, 1800.0),
            ("up to 15 minutes", Qualifier::UpTo, 900.0),
        ] {
            let (found, rest) = take_qualifier(text);
            assert_eq!((found, parse_duration(rest)), (Some(qualifier), Some(secs)), "{text}");
        }
    }

    #[test]
    fn the_decimal_mark_is_decided_by_all_cells() {
        for (cells, mark) in [
            (&["12,34", "0,50"][..], DecimalMark::Comma),
            (&["0,275s", "1,002s"], DecimalMark::Comma),
            (&["1.234,56"], DecimalMark::Comma),
            (&["1,234.56"], DecimalMark::Point),
            (&["12,34", "0.50"], DecimalMark::Point),
            (&["12", "7"], DecimalMark::Point),
            (&[], DecimalMark::Point),
        ] {
            assert_eq!(DecimalMark::of_fractions(cells.iter().copied()), mark, "{cells:?}");
        }
    }

    #[test]
    fn scaled_numbers_are_rounded_once() {
        for (text, factor, shift, value) in [
            ("9.42", 1, 3, 0.00942),
            ("0.149", 100, 0, 14.9),
            ("2.799866", 1, 3, 0.002_799_866),
            ("7", 1024, 0, 7168.0),
        ] {
            assert_eq!(parse_scaled(text, DecimalMark::Point, factor, shift), Some(value), "{text}");
        }
    }

    #[test]
    fn no_durations() {
        for text in [
            "",
            "-",
            "n/a",
            "DNF",
            "timeout",
            "?.???",
            "12",
            "1.5",
            "1,234",
            "5M",
            "s",
            "m",
            "1s2m",
            "1s 1s",
            "1.5m 3s",
            "1:2",
            "1:60",
            "1:61.5",
            "1:2:03",
            ":30",
            "1:",
            "5 apples",
            "0mXs",
            "1..2s",
            "-3s",
            "3s/4s",
            "1-03:04",
            "99999999999999999999999999999999999999999s",
        ] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_and_their_groups() {
        for (text, mark, value) in [
            ("0", DecimalMark::Point, Some(0.0)),
            ("18,937", DecimalMark::Point, Some(18_937.0)),
            ("1,125,690", DecimalMark::Point, Some(1_125_690.0)),
            ("1,125.5", DecimalMark::Point, Some(1125.5)),
            ("-1.5", DecimalMark::Point, Some(-1.5)),
            ("\u{2212}1", DecimalMark::Point, Some(-1.0)),
            ("+.5", DecimalMark::Point, Some(0.5)),
            ("1,5", DecimalMark::Point, None),
            ("1234,567", DecimalMark::Point, None),
            ("1,5", DecimalMark::Comma, Some(1.5)),
            ("1.234,5", DecimalMark::Comma, Some(1234.5)),
            ("1 234,5", DecimalMark::Comma, Some(1234.5)),
            ("1\u{202f}234", DecimalMark::Comma, Some(1234.0)),
            ("1\u{2019}234.5", DecimalMark::Point, Some(1234.5)),
            ("1.5", DecimalMark::Comma, None),
            ("", DecimalMark::Point, None),
            ("5.", DecimalMark::Point, None),
            ("1.2.3", DecimalMark::Point, None),
            ("12a", DecimalMark::Point, None),
            ("NaN", DecimalMark::Point, None),
            ("inf", DecimalMark::Point, None),
            (",", DecimalMark::Point, None),
        ] {
            assert_eq!(parse_number(text, &mark), value, "{text}");
        }
    }

    #[test]
    fn sizes_by_their_units() {
        for (text, bytes) in [
            ("5.3G", Some(5_690_831_667.2)),
            ("81M", Some(84_934_656.0)),
            ("10.0G", Some(10_737_418_240.0)),
            ("4KiB", Some(4096.0)),
            ("12 kB", Some(12_000.0)),
            ("3MB", Some(3_000_000.0)),
            ("1GB", Some(1e9)),
            ("7B", Some(7.0)),
            // docker: decimal and binary units.
            ("4.539MB", Some(4_539_000.0)),
            ("161.9MiB", Some(169_764_454.4)),
            ("7.307GiB", Some(7_845_831_507.968)),
            ("0B", Some(0.0)),
            // collectl and sysstat: powers of 1024.
            ("7M", Some(7_340_032.0)),
            ("3K", Some(3072.0)),
            ("7.5M", Some(7_864_320.0)),
            ("0.5k", Some(512.0)),
            ("2T", Some(2_199_023_255_552.0)),
            ("81", None),
            ("81X", None),
            ("G", None),
        ] {
            assert_eq!(parse_size(text), bytes, "{text}");
        }
    }

    #[test]
    fn accuracy_is_half_a_printed_unit() {
        for (text, half) in [
            ("270.5s", 0.05),
            ("54.36s", 0.005),
            ("1m22s", 0.5),
            ("20m4.354s", 0.0005),
            ("14 minutes", 30.0),
            ("66ms", 0.0005),
        ] {
            assert_eq!(printed_duration(text).map(|printed| printed.half), Some(half), "{text}");
        }
        assert_eq!(printed_number("1.06", &DecimalMark::Point), Some(Printed { value: 1.06, half: 0.005 }));
    }

    #[test]
    fn qualifiers_come_off_the_head() {
        for (text, expect) in [
            ("~70", (Some(Qualifier::About), "70")),
            ("about 14 minutes", (Some(Qualifier::About), "14 minutes")),
            ("aboutface", (None, "aboutface")),
            ("< 0.1s", (Some(Qualifier::Below), "0.1s")),
            ("> 30 minutes", (Some(Qualifier::Above), "30 minutes")),
            ("up to 15 minutes", (Some(Qualifier::UpTo), "15 minutes")),
            ("3:20", (None, "3:20")),
        ] {
            assert_eq!(take_qualifier(text), expect, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_written_number_reads_back(value in -1e12_f64..1e12, places in 0_usize..7) {
            let text = format!("{value:.places$}");
            let expect: f64 = text.parse().expect("a float prints as a float");
            prop_assert_eq!(parse_number(&text, &DecimalMark::Point), Some(expect));
            prop_assert_eq!(parse_number(&text.replace('.', ","), &DecimalMark::Comma), Some(expect));
        }

        #[test]
        fn groups_change_nothing(value in 0_u64..1_000_000_000_000) {
            let digits = value.to_string();
            let grouped: String = digits.char_indices().map(|(at, c)| {
                if at > 0 && (digits.len() - at) % 3 == 0 { format!(",{c}") } else { c.to_string() }
            }).collect();
            prop_assert_eq!(parse_number(&grouped, &DecimalMark::Point), Some(value as f64));
        }

        #[test]
        fn notations_of_one_duration_agree(millis in 0_u64..400_000_000) {
            let (secs, fraction) = (millis / 1000, millis % 1000);
            let (hours, minutes, rest) = (secs / 3600, secs / 60 % 60, secs % 60);
            let expect = Some(millis as f64 / 1000.0);
            for text in [
                format!("{}m{rest}.{fraction:03}s", secs / 60),
                format!("{}m{rest},{fraction:03}s", secs / 60),
                format!("{hours}h{minutes}m{rest}.{fraction:03}s"),
                format!("{hours}h {minutes}min {rest}.{fraction:03}s"),
                format!("{hours}:{minutes:02}:{rest:02}.{fraction:03}"),
                format!("{}:{rest:02}.{fraction:03}", secs / 60),
                format!("{secs}.{fraction:03} seconds"),
                format!("{secs}.{fraction:03}s"),
                format!("{millis} ms"),
                format!("{millis}000us"),
            ] {
                prop_assert_eq!(parse_duration(&text), expect, "{}", text);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[0-9hms:.,\\- a-zµ~]{0,24}") {
            for value in [parse_duration(&text), parse_number(&text, &DecimalMark::Comma), parse_size(&text)].into_iter().flatten() {
                prop_assert!(value.is_finite());
            }
        }
    }
}
