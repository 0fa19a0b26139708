//! The headline: ratio of two medians, with the percentile interval of its bootstrap distribution.

use crate::bootstrap::{MedianDistribution, RESAMPLES};
use crate::summary::median;
use std::fmt;

/// Fixed, so that the same runs give the same interval on every machine.
pub(crate) const SEED: u64 = 2013;

/// How an interval was made, for the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// From the counted bootstrap distributions of both medians.
    Exact,
    /// From seeded resampling, because a side has too many values to count.
    Resampled,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact bootstrap of the medians"),
            Self::Resampled => write!(f, "bootstrap of the medians, {RESAMPLES} seeded resamples"),
        }
    }
}

/// The percentile interval of a ratio of medians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioInterval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How it was made.
    pub method: Method,
}

/// Median of the baseline / median of the variant: above 1 the variant is faster.
///
/// `None` where a side is empty, holds a value that is not finite, or has no median above 0.
pub fn ratio_of_medians(baseline: &[f64], variant: &[f64]) -> Option<f64> {
    let (above, below) = (median(baseline)?, median(variant)?);
    (above > 0.0 && below > 0.0).then(|| above / below)
}

/// The interval of [`ratio_of_medians`] at that confidence, the two sides drawn independently.
///
/// `None` below two values on either side (one run has no spread), and where a value is not above 0.
pub fn ratio_interval(baseline: &[f64], variant: &[f64], confidence: f64) -> Option<RatioInterval> {
    let usable = |side: &[f64]| side.len() >= 2 && side.iter().all(|value| *value > 0.0);
    if !usable(baseline) || !usable(variant) {
        return None;
    }
    // Different seeds: the same draws on both sides would tie the medians together.
    let above = MedianDistribution::of(baseline, SEED)?;
    let below = MedianDistribution::of(variant, SEED + 1)?;
    let tail = (1.0 - confidence) / 2.0;
    let method = if above.is_exact() && below.is_exact() { Method::Exact } else { Method::Resampled };
    Some(RatioInterval {
        low: ratio_quantile(&above, &below, tail)?,
        high: ratio_quantile(&above, &below, 1.0 - tail)?,
        method,
    })
}

/// The smallest quotient of two outcomes with at least this probability at or below it.
///
/// All quotients need not be listed and sorted: the distribution function at t costs one walk over
/// one side, and halving the span finds the quantile; the last step picks the true quotient there.
fn ratio_quantile(above: &MedianDistribution, below: &MedianDistribution, share: f64) -> Option<f64> {
    let (first, last) = (*above.values().first()?, *above.values().last()?);
    let (least, most) = (*below.values().first()?, *below.values().last()?);
    let (mut low, mut high) = (first / most * (1.0 - 1e-9), last / least * (1.0 + 1e-9));
    // 1e-12 is far finer than any clock and coarser than the rounding of a quotient.
    while high - low > 1e-12 * high {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if reaches(above, below, middle, share) { high = middle } else { low = middle }
    }
    // `t * divisor` may round to less than the outcome where `outcome / divisor` is t: then the span ends
    // with `low` at the quotient itself, which a little slack keeps in reach.
    let floor = low * (1.0 - 1e-11);
    let nearest = below.values().iter().filter_map(|divisor| {
        let place = above.values().partition_point(|outcome| outcome / divisor <= floor);
        above.values().get(place).map(|outcome| outcome / divisor)
    });
    nearest.min_by(f64::total_cmp)
}

/// Whether P(quotient ≤ t) is at least `share`.
fn reaches(above: &MedianDistribution, below: &MedianDistribution, t: f64, share: f64) -> bool {
    let probability: f64 =
        below.outcomes().map(|(divisor, weight)| weight * above.at_most(t * divisor)).sum();
    probability >= share - 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // `real` of null-log -v and verify, runs 1 to 5 of the format 7 experiment.
    const NULL_LOG_HOT_TRUNK: [f64; 5] = [5.037, 4.834, 5.281, 5.037, 5.066];
    const NULL_LOG_HOT_BRANCH7: [f64; 4] = [12.399, 13.463, 11.951, 13.284];
    const VERIFY_HOT_TRUNK: [f64; 5] = [7.246, 7.097, 7.089, 6.721, 6.721];
    const VERIFY_HOT_BRANCH7: [f64; 5] = [6.553, 6.419, 6.708, 6.888, 6.356];

    fn thousandths(value: f64) -> i64 {
        (value * 1000.0).round() as i64
    }

    #[test]
    fn genuine_runs_give_the_known_intervals() {
        for (baseline, variant, ratio, low, high) in [
            (&NULL_LOG_HOT_TRUNK[..], &NULL_LOG_HOT_BRANCH7[..], 392, 374, 424),
            (&VERIFY_HOT_TRUNK[..], &VERIFY_HOT_BRANCH7[..], 1082, 1002, 1117),
        ] {
            assert_eq!(thousandths(ratio_of_medians(baseline, variant).unwrap()), ratio);
            let interval = ratio_interval(baseline, variant, 0.95).unwrap();
            assert_eq!((thousandths(interval.low), thousandths(interval.high)), (low, high));
            assert_eq!(interval.method, Method::Exact);
        }
    }

    /// Every quotient listed, sorted and summed, the slow way.
    fn by_listing(baseline: &[f64], variant: &[f64], share: f64) -> f64 {
        let above = MedianDistribution::of(baseline, 1).unwrap();
        let below = MedianDistribution::of(variant, 1).unwrap();
        let mut all: Vec<(f64, f64)> =
            above.outcomes().flat_map(|(a, p)| below.outcomes().map(move |(b, q)| (a / b, p * q))).collect();
        all.sort_by(|x, y| x.0.total_cmp(&y.0));
        let mut sum = 0.0;
        for (value, probability) in &all {
            sum += probability;
            if sum >= share - 1e-12 {
                return *value;
            }
        }
        all.last().unwrap().0
    }

    #[test]
    fn what_has_no_interval() {
        for (baseline, variant) in [
            (&[1.0][..], &[1.0, 2.0][..]),
            (&[1.0, 2.0][..], &[1.0][..]),
            (&[][..], &[][..]),
            (&[0.0, 0.0, 0.0][..], &[1.0, 2.0, 3.0][..]),
            (&[1.0, f64::NAN, 2.0][..], &[1.0, 2.0, 3.0][..]),
        ] {
            assert_eq!(ratio_interval(baseline, variant, 0.95), None, "{baseline:?} {variant:?}");
        }
        assert_eq!(ratio_of_medians(&[1.0], &[0.0]), None);
        assert_eq!(ratio_of_medians(&[3.0], &[2.0]), Some(1.5));
    }

    /// Rounding once made the next quotient but one of this end of the interval.
    #[test]
    fn a_quotient_that_rounds_is_not_passed_over() {
        let baseline = [916.354_092_694_703_1, 462.782_774_624_573_3];
        let variant = [
            545.306_055_150_047,
            289.056_889_134_557_9,
            250.476_368_531_599_26,
            60.520_785_370_241_28,
            408.325_614_674_031_84,
            750.400_168_384_973,
            946.565_660_464_535,
            120.189_306_679_840_94,
        ];
        let scaled =
            |side: &[f64]| side.iter().map(|value| value * 270.745_908_595_134_15).collect::<Vec<_>>();
        for (baseline, variant) in
            [(baseline.to_vec(), variant.to_vec()), (scaled(&baseline), scaled(&variant))]
        {
            assert_eq!(thousandths(ratio_interval(&baseline, &variant, 0.95).unwrap().high), 4944);
        }
    }

    #[test]
    fn many_values_are_resampled_and_say_so() {
        let baseline: Vec<f64> = (0..300).map(|i| 10.0 + f64::from(i % 17) / 100.0).collect();
        let variant: Vec<f64> = baseline.iter().map(|value| value / 2.0).collect();
        let interval = ratio_interval(&baseline, &variant, 0.95).unwrap();
        assert_eq!(interval.method, Method::Resampled);
        assert!(interval.low > 1.98 && interval.high < 2.02, "{interval:?}");
    }

    fn runs() -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(0.01f64..1000.0, 2..12)
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_ratio(baseline in runs(), variant in runs()) {
            let ratio = ratio_of_medians(&baseline, &variant).unwrap();
            let interval = ratio_interval(&baseline, &variant, 0.95).unwrap();
            prop_assert!(interval.low <= ratio * (1.0 + 1e-9) && ratio <= interval.high * (1.0 + 1e-9));
        }

        #[test]
        fn halving_finds_what_listing_finds(baseline in runs(), variant in runs()) {
            let interval = ratio_interval(&baseline, &variant, 0.95).unwrap();
            for (got, share) in [(interval.low, 0.025), (interval.high, 0.975)] {
                let expect = by_listing(&baseline, &variant, share);
                prop_assert!((got / expect - 1.0).abs() < 1e-9, "{} {}", got, expect);
            }
        }

        #[test]
        fn order_and_scale_do_not_matter(baseline in runs(), variant in runs(), factor in 0.001f64..1000.0) {
            let expect = ratio_interval(&baseline, &variant, 0.95).unwrap();
            let reversed: Vec<f64> = baseline.iter().rev().copied().collect();
            prop_assert_eq!(ratio_interval(&reversed, &variant, 0.95), Some(expect));
            let scaled = |side: &[f64]| side.iter().map(|value| value * factor).collect::<Vec<_>>();
            let got = ratio_interval(&scaled(&baseline), &scaled(&variant), 0.95).unwrap();
            prop_assert!((got.low / expect.low - 1.0).abs() < 1e-6);
            prop_assert!((got.high / expect.high - 1.0).abs() < 1e-6);
        }

        #[test]
        fn more_confidence_is_never_narrower(baseline in runs(), variant in runs()) {
            let narrow = ratio_interval(&baseline, &variant, 0.95).unwrap();
            let wide = ratio_interval(&baseline, &variant, crate::bonferroni(0.95, 24)).unwrap();
            prop_assert!(wide.low <= narrow.low && narrow.high <= wide.high);
        }
    }
}
