//! Units that cells or headers of tables have, and the base units that they stand for.

use crate::Unit;

/// A unit of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellUnit {
    /// As written in `--columns` and shown in the import sheet.
    pub symbol: &'static str,
    /// The base unit that values are stored in.
    pub base: Unit,
    /// What a number in the unit is multiplied by …
    pub times: f64,
    /// … and divided by, to be in the base unit; one of both is 1, so that the result is rounded once.
    pub per: f64,
    /// Other words for it in headers, in lower case.
    pub words: &'static [&'static str],
}

impl CellUnit {
    /// A number in this unit as a value in its base unit.
    pub fn to_base(&self, number: f64) -> f64 {
        number * self.times / self.per
    }
}

const fn unit(
    symbol: &'static str,
    base: Unit,
    times: f64,
    per: f64,
    words: &'static [&'static str],
) -> CellUnit {
    CellUnit { symbol, base, times, per, words }
}

const KIB: f64 = 1024.0;

/// All units of cells, by base unit.
pub const CELL_UNITS: &[CellUnit] = &[
    unit("s", Unit::Secs, 1.0, 1.0, &["sec", "secs", "second", "seconds"]),
    unit("ms", Unit::Secs, 1.0, 1e3, &["msec", "msecs", "millis", "millisecond", "milliseconds"]),
    unit("us", Unit::Secs, 1.0, 1e6, &["\u{b5}s", "\u{3bc}s", "usec", "micros", "microseconds"]),
    unit("ns", Unit::Secs, 1.0, 1e9, &["nsec", "nanos", "nanoseconds"]),
    unit("min", Unit::Secs, 60.0, 1.0, &["mins", "minute", "minutes"]),
    unit("h", Unit::Secs, 3600.0, 1.0, &["hour", "hours"]),
    unit("B", Unit::Bytes, 1.0, 1.0, &["byte", "bytes"]),
    unit("kB", Unit::Bytes, 1e3, 1.0, &["kbytes"]),
    unit("MB", Unit::Bytes, 1e6, 1.0, &["mbytes"]),
    unit("GB", Unit::Bytes, 1e9, 1.0, &["gbytes"]),
    unit("KiB", Unit::Bytes, KIB, 1.0, &[]),
    unit("MiB", Unit::Bytes, KIB * KIB, 1.0, &[]),
    unit("GiB", Unit::Bytes, KIB * KIB * KIB, 1.0, &[]),
    unit("B/s", Unit::BytesPerSec, 1.0, 1.0, &[]),
    unit("kB/s", Unit::BytesPerSec, 1e3, 1.0, &[]),
    unit("MB/s", Unit::BytesPerSec, 1e6, 1.0, &[]),
    unit("KiB/s", Unit::BytesPerSec, KIB, 1.0, &[]),
    unit("MiB/s", Unit::BytesPerSec, KIB * KIB, 1.0, &[]),
    unit("1/s", Unit::PerSec, 1.0, 1.0, &["per second"]),
    unit("%", Unit::Percent, 1.0, 1.0, &["percent", "per cent"]),
    unit("x", Unit::Times, 1.0, 1.0, &[]),
    unit("1", Unit::Count, 1.0, 1.0, &[]),
];

/// The unit of a symbol, or of a word for it as headers have it (`seconds`, `MSec`).
pub fn cell_unit(text: &str) -> Option<&'static CellUnit> {
    let exact = CELL_UNITS.iter().find(|unit| unit.symbol == text);
    exact.or_else(|| {
        let lower = text.to_lowercase();
        let named = |unit: &&CellUnit| {
            unit.words.contains(&lower.as_str()) || (text.len() > 2 && unit.symbol.to_lowercase() == lower)
        };
        CELL_UNITS.iter().find(named)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_their_own_and_lead_to_base_units() {
        for (index, unit) in CELL_UNITS.iter().enumerate() {
            assert_eq!(cell_unit(unit.symbol).map(|found| found.symbol), Some(unit.symbol), "row {index}");
        }
        for (word, symbol, number, value) in [
            ("Seconds", "s", 2.5, 2.5),
            ("msec", "ms", 270.5, 0.2705),
            ("KIB", "KiB", 2.0, 2048.0),
            ("min", "min", 1.5, 90.0),
            ("percent", "%", 97.0, 97.0),
        ] {
            let unit = cell_unit(word).expect(word);
            assert_eq!((unit.symbol, unit.to_base(number)), (symbol, value), "{word}");
        }
        for word in ["", "mb", "kb", "S", "M", "apples"] {
            assert_eq!(cell_unit(word), None, "{word} could mean several things or none");
        }
    }
}
