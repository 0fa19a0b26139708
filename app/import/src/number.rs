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

/// Reads a number as programs print it, `0.18` or `2.02e-02`, and divides it by `divisor`; where that is a
/// power of ten it rounds once, so that 0.18 milliseconds are exactly the number 0.00018 of seconds.
/// `None` also where the value is not finite.
pub fn parse_divided(text: &str, divisor: f64) -> Option<f64> {
    let shift = divisor.log10().round();
    let plain = || Some(text.parse::<f64>().ok()? / divisor);
    let value = if shift.abs() <= 18.0 && 10_f64.powi(shift as i32).to_bits() == divisor.to_bits() {
        let (digits, exponent) = match text.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        format!("{digits}e{}", exponent.checked_sub(shift as i32)?).parse().ok()
    } else {
        plain()
    };
    value.filter(|value| value.is_finite())
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
    let (whole_secs, fraction) = secs.split_at_checked(2)?;
    two_digits(whole_secs)?;
    let is_fraction = fraction.strip_prefix(['.', ',']).is_some_and(|digits| append(0, digits).is_some());
    if !fraction.is_empty() && !is_fraction {
        return None;
    }
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
mod tests;
