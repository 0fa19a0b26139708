//! Order statistics of a few numbers: median, quantiles, range, Tukey's fences.

/// The values in ascending order; `None` where there is none or one is not finite.
pub(crate) fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    Some(values)
}

/// The median; the mean of the middle two where their number is even.
///
/// `None` without values, or where one is not finite.
pub fn median(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values)?;
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *sorted.get(sorted.len() / 2 - 1)?;
    Some(lower + (upper - lower) / 2.0)
}

/// The quantile at `share` from 0 to 1, interpolated between neighbours (Hyndman and Fan's type 7,
/// what R, numpy and spreadsheets do by default).
///
/// `None` without values, where one is not finite, or where the share lies outside 0 to 1.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let sorted = sorted(values)?;
    let position = share * (sorted.len() - 1) as f64;
    let low = position.floor();
    let lower = *sorted.get(low as usize)?;
    let upper = *sorted.get(position.ceil() as usize)?;
    Some(lower + (upper - lower) * (position - low))
}

/// The smallest and the largest value.
///
/// `None` without values, or where one is not finite.
pub fn range(values: &[f64]) -> Option<(f64, f64)> {
    let sorted = sorted(values)?;
    Some((*sorted.first()?, *sorted.last()?))
}

/// Tukey's fences: what lies outside is worth a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tukey {
    /// First quartile less 1.5 times the distance of the quartiles.
    pub low: f64,
    /// Third quartile and 1.5 times the distance of the quartiles.
    pub high: f64,
}

impl Tukey {
    /// The fences of these values; `None` below four values, where quartiles say nothing.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.len() < 4 {
            return None;
        }
        let (first, third) = (quantile(values, 0.25)?, quantile(values, 0.75)?);
        let reach = 1.5 * (third - first);
        Some(Self { low: first - reach, high: third + reach })
    }
}

/// Indices of the values outside Tukey's fences. They are marked, never dropped.
pub fn outliers(values: &[f64]) -> Vec<usize> {
    let Some(fences) = Tukey::of(values) else { return Vec::new() };
    let outside = |value: f64| value < fences.low || value > fences.high;
    values.iter().enumerate().filter(|(_, value)| outside(**value)).map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn medians_and_ranges() {
        for (values, expect, ends) in [
            (&[][..], None, None),
            (&[3.0][..], Some(3.0), Some((3.0, 3.0))),
            (&[4.0, 1.0][..], Some(2.5), Some((1.0, 4.0))),
            (&[12.399, 13.463, 11.951, 13.284][..], Some(12.8415), Some((11.951, 13.463))),
            (&[7.329, 7.305, 7.628, 6.951, 7.310][..], Some(7.310), Some((6.951, 7.628))),
            (&[1.0, f64::NAN][..], None, None),
            (&[1.0, f64::INFINITY][..], None, None),
        ] {
            assert_eq!(median(values).map(|m| (m * 1e9).round()), expect.map(|m: f64| (m * 1e9).round()));
            assert_eq!(range(values), ends, "{values:?}");
        }
    }

    #[test]
    fn quantiles_interpolate() {
        let values = [1.0, 2.0, 3.0, 4.0];
        for (share, expect) in
            [(0.0, Some(1.0)), (0.25, Some(1.75)), (0.5, Some(2.5)), (1.0, Some(4.0)), (1.1, None)]
        {
            assert_eq!(quantile(&values, share), expect, "{share}");
        }
    }

    #[test]
    fn outliers_are_those_outside_the_fences() {
        for (values, expect) in [
            (&[7.0, 7.1, 7.2, 7.05, 60.0][..], vec![4]),
            (&[0.1, 7.0, 7.1, 7.2, 7.05, 7.12][..], vec![0]),
            (&[2.047, 1.475, 1.531, 1.832, 1.592][..], vec![]),
            (&[1.0, 1.0, 50.0][..], vec![]),
        ] {
            assert_eq!(outliers(values), expect, "{values:?}");
        }
    }

    proptest! {
        #[test]
        fn the_median_lies_within_the_range_in_any_order(mut values in prop::collection::vec(0.001f64..1e6, 1..40)) {
            let middle = median(&values).unwrap();
            let (low, high) = range(&values).unwrap();
            prop_assert!(low <= middle && middle <= high);
            let below = values.iter().filter(|v| **v <= middle).count();
            prop_assert!(below * 2 >= values.len());
            values.reverse();
            prop_assert_eq!(median(&values), Some(middle));
        }
    }
}
