//! Cells of sysstat's tables: a number, with the units of `--human`, with either decimal mark.

use crate::number::parse_divided;
use triptych_model::Unit;

/// Bytes of the unit in which sysstat counts sizes.
pub const KIB: f64 = 1024.0;

/// The powers of 1024 that `--human` prints behind sizes.
const SIZES: &[(char, f64)] =
    &[('B', 1.0), ('k', KIB), ('M', KIB * KIB), ('G', KIB * KIB * KIB), ('T', KIB * KIB * KIB * KIB)];

/// What a cell had to be.
pub const EXPECTED: &str = "a number such as 12.50";

/// The value of a cell in the base unit: `factor` takes it there from the unit of its column.
///
/// With `--human` a size has its own unit, and per cents their sign. `None` where the tool had no
/// figure and printed `-`. A comma is a decimal mark, for sysstat never groups thousands.
///
/// # Errors
/// What was expected instead.
pub fn value(cell: &str, unit: Unit, factor: f64) -> Result<Option<f64>, &'static str> {
    if cell == "-" {
        return Ok(None);
    }
    let (digits, factor) = human(cell, unit, factor);
    let point = match digits.split_once(',') {
        Some((whole, decimals)) if !decimals.contains(['.', ',']) => format!("{whole}.{decimals}"),
        _ => digits.to_owned(),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Err(EXPECTED);
    }
    let value = parse_divided(&point, 1.0 / factor).ok_or(EXPECTED)?;
    Ok(Some(value))
}

/// Takes the unit of `--human` off a cell.
fn human(cell: &str, unit: Unit, factor: f64) -> (&str, f64) {
    if unit == Unit::Percent {
        return (cell.trim_end_matches('%'), factor);
    }
    let is_size = matches!(unit, Unit::Bytes | Unit::BytesPerSec);
    let size = SIZES.iter().find_map(|(mark, factor)| Some((cell.strip_suffix(*mark)?, *factor)));
    size.filter(|_| is_size).unwrap_or((cell, factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_in_base_units() {
        for (cell, unit, factor, expect) in [
            ("0.18", Unit::Secs, 0.001, Ok(Some(0.000_18))),
            ("3.30", Unit::Secs, 0.001, Ok(Some(0.0033))),
            ("0,57", Unit::Secs, 0.001, Ok(Some(0.000_57))),
            ("64,18", Unit::Percent, 1.0, Ok(Some(64.18))),
            ("64.18%", Unit::Percent, 1.0, Ok(Some(64.18))),
            ("0.0%", Unit::Percent, 1.0, Ok(Some(0.0))),
            ("8144", Unit::Bytes, KIB, Ok(Some(8_339_456.0))),
            ("0.0B", Unit::Bytes, KIB, Ok(Some(0.0))),
            ("3.0k", Unit::Bytes, KIB, Ok(Some(3072.0))),
            ("7.5M", Unit::BytesPerSec, KIB, Ok(Some(7_864_320.0))),
            ("21.0G", Unit::Bytes, KIB, Ok(Some(22_548_578_304.0))),
            ("2.0T", Unit::Bytes, KIB, Ok(Some(2_199_023_255_552.0))),
            ("-1", Unit::Count, 1.0, Ok(Some(-1.0))),
            ("-", Unit::Percent, 1.0, Ok(None)),
            ("3.0k", Unit::PerSec, 1.0, Err(EXPECTED)),
            ("1.234,5", Unit::Percent, 1.0, Err(EXPECTED)),
            ("-nan", Unit::Percent, 1.0, Err(EXPECTED)),
            ("inf", Unit::Percent, 1.0, Err(EXPECTED)),
            ("", Unit::Percent, 1.0, Err(EXPECTED)),
        ] {
            assert_eq!(value(cell, unit, factor), expect, "{cell}");
        }
    }
}
