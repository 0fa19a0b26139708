//! Numbers as people read them, in one place (LOOK §6): used by tables, charts, Details and exports.
//!
//! Thousands comma, decimal point, narrow space before units, `0.37 to 0.42` for ranges. Texts for
//! machines (JSON, CSV) do not come from here.

use triptych_model::Unit;

/// The narrow no-break space that stands between a number and its unit.
pub const NARROW: char = '\u{202f}';

/// A ratio for the window: two decimals, from 10 on one.
pub fn ratio(value: f64) -> String {
    if rounds_to(value, 2, 10.0) { format!("{value:.1}") } else { format!("{value:.2}") }
}

/// A ratio in the notation of the lists: two decimals at any size (`12.40`).
pub fn list_ratio(value: f64) -> String {
    format!("{value:.2}")
}

/// Seconds without their unit: two decimals, below one second three, below a millisecond six, and
/// three digits of what is shorter than a microsecond.
///
/// The lists print two decimals; below a second two would hide differences of some per cent.
pub fn secs(value: f64) -> String {
    let decimals = match value.abs() {
        v if v == 0.0 || v >= 1.0 => 2,
        v if v >= 0.001 => 3,
        v if v >= 1e-6 => 6,
        v => 2 + (-v.log10().floor()).clamp(0.0, 20.0) as usize,
    };
    grouped(value, decimals)
}

/// Seconds in prose: `12.84 s`, above two minutes `2:36 min`, above two hours `3:02 h`.
pub fn secs_in_prose(value: f64) -> String {
    if value <= 120.0 {
        return with_unit(value, Unit::Secs);
    }
    if value <= 7200.0 {
        let whole = value.round() as u64;
        return format!("{}:{:02}{NARROW}min", whole / 60, whole % 60);
    }
    let minutes = (value / 60.0).round() as u64;
    format!("{}:{:02}{NARROW}h", minutes / 60, minutes % 60)
}

/// Per cent with its sign: no decimals from 10 on, else one where it is not whole.
pub fn percent(value: f64) -> String {
    format!("{}{NARROW}%", percent_digits(value))
}

fn percent_digits(value: f64) -> String {
    let whole = value.abs() >= 10.0 || (value - value.round()).abs() < 0.05;
    grouped(value, if whole { 0 } else { 1 })
}

/// A count with thousands commas: `18,937`; decimals only where there are some.
pub fn count(value: f64) -> String {
    grouped(value, if (value - value.round()).abs() < 1e-9 { 0 } else { 2 })
}

/// Bytes in powers of 1024 with three digits: `5.30 GiB`, `81 MiB`, `512 B`.
pub fn bytes(value: f64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut scaled = value;
    let mut unit = 0;
    while scaled.abs() >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    let decimals = match scaled.abs() {
        _ if unit == 0 => 0,
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    let name = UNITS.get(unit).copied().unwrap_or("B");
    format!("{scaled:.decimals$}{NARROW}{name}")
}

/// The digits of a value whose unit stands elsewhere, in a column's head or on an axis; bytes keep theirs.
pub fn digits(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Secs => secs(value),
        Unit::Bytes => bytes(value),
        Unit::BytesPerSec => format!("{}/s", bytes(value)),
        Unit::Percent => percent_digits(value),
        Unit::Count => count(value),
        Unit::PerSec => grouped(value, if value.abs() < 100.0 { 1 } else { 0 }),
        Unit::Times => ratio(value),
    }
}

/// A value with its unit: `12.84 s`, `5.30 GiB`, `94 %`, `18,937`, `1.59x`.
pub fn with_unit(value: f64, unit: Unit) -> String {
    let digits = digits(value, unit);
    match unit {
        Unit::Secs => format!("{digits}{NARROW}s"),
        Unit::Percent => format!("{digits}{NARROW}%"),
        Unit::PerSec => format!("{digits}/s"),
        Unit::Times => format!("{digits}x"),
        Unit::Bytes | Unit::BytesPerSec | Unit::Count => digits,
    }
}

/// A value in the notation of the lists, plain ASCII without commas: `7.31s`, `0.548s`, `94%`, `1.59x`.
pub fn list_value(value: f64, unit: Unit) -> String {
    let plain = |text: String| text.replace([NARROW, ','], "");
    match unit {
        Unit::Secs => format!("{}s", plain(secs(value))),
        Unit::Times => format!("{value:.2}x"),
        _ => plain(with_unit(value, unit)),
    }
}

/// `0.37 to 0.42`; one number where both ends read the same.
pub fn span(low: f64, high: f64, text: impl Fn(f64) -> String) -> String {
    let (low, high) = (text(low), text(high));
    if low == high { low } else { format!("{low} to {high}") }
}

/// The interval of a ratio: `0.37 to 0.42`, with three decimals where two would hide on which side
/// of 1 an end lies (`1.002 to 1.117`).
pub fn ratio_span(low: f64, high: f64) -> String {
    let hides = |end: f64| list_ratio(end) == "1.00" && (end - 1.0).abs() >= 0.0005;
    if hides(low) || hides(high) { format!("{low:.3} to {high:.3}") } else { span(low, high, ratio) }
}

/// `1 run`, `4 runs`.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", self::count(count as f64), if count == 1 { one } else { many })
}

/// Whether the value reaches `edge` once it is rounded to that many decimals.
fn rounds_to(value: f64, decimals: i32, edge: f64) -> bool {
    let unit = 10f64.powi(decimals);
    (value.abs() * unit).round() / unit >= edge
}

/// Fixed decimals with thousands commas.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(w, f)| (w, Some(f)));
    let mut out = String::with_capacity(text.len() + whole.len() / 3 + 1);
    // Not "-0.00": a sign is shown only where a digit is.
    if value < 0.0 && text.contains(|c: char| ('1'..='9').contains(&c)) {
        out.push('-');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 && digit.is_ascii_digit() {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios() {
        for (value, window, list) in [
            (0.392_4, "0.39", "0.39"),
            (1.0, "1.00", "1.00"),
            (9.994, "9.99", "9.99"),
            (9.996, "10.0", "10.00"),
            (12.397, "12.4", "12.40"),
            (26.5, "26.5", "26.50"),
        ] {
            assert_eq!((ratio(value).as_str(), list_ratio(value).as_str()), (window, list));
        }
    }

    #[test]
    fn values_with_and_without_unit() {
        let n = NARROW;
        for (value, unit, digits_expect, unit_expect, list_expect) in [
            (12.8415, Unit::Secs, "12.84", format!("12.84{n}s"), "12.84s"),
            (0.3235, Unit::Secs, "0.324", format!("0.324{n}s"), "0.324s"),
            (0.000_25, Unit::Secs, "0.000250", format!("0.000250{n}s"), "0.000250s"),
            (8.125e-9, Unit::Secs, "0.00000000812", format!("0.00000000812{n}s"), "0.00000000812s"),
            (1204.354, Unit::Secs, "1,204.35", format!("1,204.35{n}s"), "1204.35s"),
            (18937.0, Unit::Count, "18,937", "18,937".to_owned(), "18937"),
            (1_125_690.0, Unit::Count, "1,125,690", "1,125,690".to_owned(), "1125690"),
            (93.4, Unit::Percent, "93", format!("93{n}%"), "93%"),
            (7.25, Unit::Percent, "7.2", format!("7.2{n}%"), "7.2%"),
            (1.588, Unit::Times, "1.59", "1.59x".to_owned(), "1.59x"),
            (
                5.3 * 1024.0 * 1024.0 * 1024.0,
                Unit::Bytes,
                "5.30\u{202f}GiB",
                format!("5.30{n}GiB"),
                "5.30GiB",
            ),
            (512.0, Unit::Bytes, "512\u{202f}B", format!("512{n}B"), "512B"),
            (-0.001, Unit::Percent, "0", format!("0{n}%"), "0%"),
        ] {
            assert_eq!(digits(value, unit), digits_expect);
            assert_eq!(with_unit(value, unit), unit_expect);
            assert_eq!(list_value(value, unit), list_expect);
        }
    }

    #[test]
    fn prose() {
        for (value, expect) in [
            (12.84, "12.84\u{202f}s"),
            (120.0, "120.00\u{202f}s"),
            (155.98, "2:36\u{202f}min"),
            (10_930.0, "3:02\u{202f}h"),
        ] {
            assert_eq!(secs_in_prose(value), expect);
        }
        assert_eq!(span(0.374, 0.424, ratio), "0.37 to 0.42");
        assert_eq!(span(1.001, 1.002, ratio), "1.00");
        assert_eq!(ratio_span(0.374, 0.424), "0.37 to 0.42");
        assert_eq!(ratio_span(1.0019, 1.1166), "1.002 to 1.117");
        assert_eq!(ratio_span(0.91, 1.0), "0.91 to 1.00");
        assert_eq!(
            (plural(1, "run", "runs"), plural(1200, "run", "runs")),
            ("1 run".into(), "1,200 runs".into())
        );
    }
}
