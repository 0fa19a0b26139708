//! Axes: ticks at 1, 2, 5, spans rounded to them, and units that keep labels short.

use triptych_model::Unit;

/// A value axis between two pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) log: bool,
    pub(crate) from: f32,
    pub(crate) to: f32,
}

impl Axis {
    /// The pixel of a value; values outside the span lie outside the pixels.
    pub(crate) fn at(&self, value: f64) -> f32 {
        let share = if self.log {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + (self.to - self.from) * share as f32
    }
}

/// The smallest step of 1, 2, 5 times a power of ten that is at least `least`.
pub(crate) fn step_of(least: f64) -> f64 {
    if !(least > 0.0 && least.is_finite()) {
        return 1.0;
    }
    let decade = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * decade)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * decade)
}

/// Top and step of an axis that starts at 0: three to five ticks, and no quarter of it empty.
pub(crate) fn from_zero(max: f64) -> (f64, f64) {
    if !(max > 0.0 && max.is_finite()) {
        return (1.0, 1.0);
    }
    let step = step_of(max / 4.0);
    let steps = (max / step - 1e-9).ceil().max(1.0);
    let half = (2.0 * max / step - 1e-9).ceil() / 2.0;
    let top = if half < steps && (steps - max / step) / steps > 0.2 { half } else { steps };
    (top * step, step)
}

/// Ticks of a linear axis, multiples of the step within the span.
pub(crate) fn ticks(low: f64, high: f64, step: f64) -> Vec<f64> {
    const MOST: usize = 200;
    let first = (low / step - 1e-9).ceil();
    (0..MOST)
        .map(|index| (first + index as f64) * step)
        .take_while(|tick| *tick <= high + step * 1e-9)
        .collect()
}

/// The span and ticks of a log axis round these values: 1, 2, 5 per decade, thinned to `most`.
pub(crate) fn log_span(min: f64, max: f64, most: usize) -> (f64, f64, Vec<f64>) {
    let marks = |factors: &[f64]| -> Vec<f64> {
        let decades = (min.log10().floor() as i32 - 1)..=(max.log10().ceil() as i32 + 1);
        decades.flat_map(|decade| factors.iter().map(move |factor| factor * 10f64.powi(decade))).collect()
    };
    let all = marks(&[1.0, 2.0, 5.0]);
    let low = all.iter().copied().filter(|mark| *mark <= min).fold(f64::MIN_POSITIVE, f64::max);
    let high = all.iter().copied().find(|mark| *mark >= max).unwrap_or(max);
    let inside = |marks: Vec<f64>| marks.into_iter().filter(|mark| *mark >= low && *mark <= high).collect();
    let fine: Vec<f64> = inside(all);
    let ticks = if fine.len() <= most.max(2) { fine } else { inside(marks(&[1.0])) };
    (low, high, ticks)
}

/// A rounded span round values on an axis that need not start at 0, with its step.
pub(crate) fn span(min: f64, max: f64, most: usize) -> (f64, f64, f64) {
    let width = if max > min { max - min } else { max.abs().max(1e-9) * 0.2 };
    let step = step_of(width / most.max(1) as f64);
    let (low, high) = ((min / step).floor() * step, (max / step).ceil() * step);
    if high > low { (low, high, step) } else { (low - step, high + step, step) }
}

/// A tick's label with as many decimals as the step needs.
pub(crate) fn tick_text(value: f64, step: f64) -> String {
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { "0".to_owned() } else { text }
}

/// What the values of an axis are divided by, and the unit that is left: `real, s`, `max_rss, MiB`.
pub(crate) fn scale_of(unit: Unit, max: f64) -> (f64, &'static str) {
    const KIB: f64 = 1024.0;
    let power = if max > 0.0 { (max.log2() / 10.0).floor().clamp(0.0, 4.0) as i32 } else { 0 };
    let place = power as usize;
    match unit {
        Unit::Secs => (1.0, "s"),
        Unit::Percent => (1.0, "%"),
        Unit::Count => (1.0, ""),
        Unit::PerSec => (1.0, "1/s"),
        Unit::Times => (1.0, "x"),
        Unit::Bytes => {
            (KIB.powi(power), ["B", "KiB", "MiB", "GiB", "TiB"].get(place).copied().unwrap_or("B"))
        }
        Unit::BytesPerSec => (
            KIB.powi(power),
            ["B/s", "KiB/s", "MiB/s", "GiB/s", "TiB/s"].get(place).copied().unwrap_or("B/s"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_from_zero_have_three_to_five_ticks() {
        for (max, top, step) in [
            (7.679, 8.0, 2.0),
            (2.333, 2.5, 1.0),
            (13.463, 15.0, 5.0),
            (34.578, 40.0, 10.0),
            (0.0, 1.0, 1.0),
            (270.5, 300.0, 100.0),
            (1204.354, 1500.0, 500.0),
            (0.042, 0.05, 0.02),
        ] {
            let got = from_zero(max);
            assert!((got.0 - top).abs() < 1e-9 && (got.1 - step).abs() < 1e-9, "{max}: {got:?}");
            assert!((3..=5).contains(&ticks(0.0, got.0, got.1).len()) || max < 0.05, "{max}");
        }
    }

    #[test]
    fn log_axes_end_at_ticks() {
        let (low, high, ticks) = log_span(1.25, 33.46, 8);
        assert!((low - 1.0).abs() < 1e-9 && (high - 50.0).abs() < 1e-9);
        assert_eq!(
            ticks.iter().map(|tick| tick_text(*tick, 1.0)).collect::<Vec<_>>(),
            ["1", "2", "5", "10", "20", "50"]
        );
        assert_eq!(log_span(0.3, 1204.0, 6).2.len(), 4, "one a decade where there are many");
        let axis = Axis { low: 1.0, high: 100.0, log: true, from: 0.0, to: 200.0 };
        assert!((axis.at(10.0) - 100.0).abs() < 1e-3);
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        for (value, step, expect) in [
            (0.5, 0.5, "0.5"),
            (2.0, 1.0, "2"),
            (0.0, 0.02, "0"),
            (0.04, 0.02, "0.04"),
            (1500.0, 500.0, "1500"),
        ] {
            assert_eq!(tick_text(value, step), expect);
        }
        assert_eq!(scale_of(Unit::Bytes, 97.0 * 1024.0 * 1024.0).1, "MiB");
    }
}
