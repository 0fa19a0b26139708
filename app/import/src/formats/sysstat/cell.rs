//! Cells of sysstat's tables: a number, with the units of `--human`, with either decimal mark.

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
    let value: f64 = match digits.split_once(',') {
        Some((whole, decimals)) if !decimals.contains(['.', ',']) => format!("{whole}.{decimals}").parse(),
        _ => digits.parse(),
    }
    .map_err(|_unreadable: std::num::ParseFloatError| EXPECTED)?;
    if !value.is_finite() || !digits.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Err(EXPECTED);
    }
    Ok(Some(value * factor))
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
