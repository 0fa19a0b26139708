//! The bootstrap distribution of a median, taken exactly from the order statistics.
//!
//! Efron's bootstrap (1979) draws n values with replacement from the n that were measured and takes
//! the median of each draw. The medians that can come out are few, and their probabilities can be
//! counted instead of sampled (as Maritz and Jarrett did in 1978 for the median's variance).
//! With the values sorted, x(1) to x(n), and K the number of drawn values at or below x(k), K is
//! binomial with n draws and probability k/n.
//!
//! * n odd, n = 2m − 1: the median is the m-th smallest of the draw, so
//!   P(median ≤ x(k)) = P(K ≥ m).
//! * n even, n = 2m: the median is the mean of the m-th and the (m+1)-th smallest. That they are
//!   x(i) and x(j), i < j, needs m draws at or below x(i), one of them x(i), and m draws at or above
//!   x(j), one of them x(j):
//!   C(n,m) · [(i/n)^m − ((i−1)/n)^m] · [((n−j+1)/n)^m − ((n−j)/n)^m].
//!   That both are x(i) has what is left of P(m-th smallest = x(i)).
//!
//! Equal values need no care: their probabilities add up.

use crate::summary::{median, sorted};
use triptych_model::SplitMix;

/// Up to this many values the distribution is counted; above, its n²/2 outcomes would be too many.
pub const EXACT_UP_TO: usize = 200;

/// Draws where the distribution is sampled.
pub const RESAMPLES: usize = 10_000;

/// Rounding of probabilities that add up to an edge such as 0.025.
const TOLERANCE: f64 = 1e-12;

/// The medians that the bootstrap can give, ascending, each with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct MedianDistribution {
    /// Outcomes, ascending.
    values: Vec<f64>,
    /// Probability of an outcome at or below the one at the same place.
    cumulative: Vec<f64>,
    /// Whether it was counted, not sampled.
    exact: bool,
}

impl MedianDistribution {
    /// The distribution for these values: counted up to [`EXACT_UP_TO`], else sampled with the seed.
    ///
    /// `None` without values, or where one is not finite.
    pub fn of(values: &[f64], seed: u64) -> Option<Self> {
        let sorted = sorted(values)?;
        if sorted.len() > EXACT_UP_TO {
            return Some(Self::sampled(&sorted, seed));
        }
        let outcomes = if sorted.len() % 2 == 1 { odd(&sorted) } else { even(&sorted) };
        Some(Self::from_outcomes(outcomes, true))
    }

    fn sampled(sorted: &[f64], seed: u64) -> Self {
        let mut random = SplitMix::new(seed);
        let share = 1.0 / RESAMPLES as f64;
        let mut draw = vec![0.0; sorted.len()];
        let mut outcomes = Vec::with_capacity(RESAMPLES);
        for _ in 0..RESAMPLES {
            for slot in &mut draw {
                *slot = sorted.get(random.below(sorted.len())).copied().unwrap_or_default();
            }
            outcomes.extend(median(&draw).map(|value| (value, share)));
        }
        Self::from_outcomes(outcomes, false)
    }

    fn from_outcomes(mut outcomes: Vec<(f64, f64)>, exact: bool) -> Self {
        outcomes.retain(|(_, probability)| *probability > 0.0);
        outcomes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sum = 0.0;
        let (values, cumulative) = outcomes
            .into_iter()
            .map(|(value, probability)| {
                sum += probability;
                (value, sum)
            })
            .unzip();
        Self { values, cumulative, exact }
    }

    /// Whether it was counted, not sampled.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The outcomes, ascending, each with its probability.
    pub fn outcomes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let before = std::iter::once(0.0).chain(self.cumulative.iter().copied());
        self.values
            .iter()
            .zip(&self.cumulative)
            .zip(before)
            .map(|((value, upto), before)| (*value, upto - before))
    }

    /// Probability of an outcome at or below `value`.
    pub fn at_most(&self, value: f64) -> f64 {
        let count = self.values.partition_point(|outcome| *outcome <= value);
        count.checked_sub(1).and_then(|last| self.cumulative.get(last)).copied().unwrap_or(0.0)
    }

    /// The smallest outcome with at least this probability at or below it.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let place = self.cumulative.partition_point(|upto| *upto < share - TOLERANCE);
        self.values.get(place).or(self.values.last()).copied()
    }

    /// The percentile interval of that confidence.
    pub fn interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let tail = (1.0 - confidence) / 2.0;
        Some((self.quantile(tail)?, self.quantile(1.0 - tail)?))
    }

    /// The outcomes themselves, for whoever combines two distributions.
    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }
}

/// The percentile interval of a median; `None` below two values, or where one is not finite.
pub fn median_interval(values: &[f64], confidence: f64) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    MedianDistribution::of(values, crate::ratio::SEED)?.interval(confidence)
}

/// Outcomes for an odd number of sorted values.
fn odd(sorted: &[f64]) -> Vec<(f64, f64)> {
    let n = sorted.len();
    let upto: Vec<f64> = (0..=n).map(|k| at_least(n, n.div_ceil(2), k)).collect();
    sorted.iter().zip(upto.windows(2)).map(|(value, ends)| (*value, step(ends))).collect()
}

/// Outcomes for an even number of sorted values.
fn even(sorted: &[f64]) -> Vec<(f64, f64)> {
    let (n, m) = (sorted.len(), sorted.len() / 2);
    let ways = binomial(n, m);
    let power = |count: usize| (count as f64 / n as f64).powi(m as i32);
    let mut outcomes = Vec::with_capacity(n * (n + 1) / 2);
    for (i, low) in sorted.iter().enumerate() {
        // `i` counts from 0 here: i values lie below this one, n - j - 1 above the other.
        let mut left = at_least(n, m, i + 1) - at_least(n, m, i);
        for (j, high) in sorted.iter().enumerate().skip(i + 1) {
            let both = ways * (power(i + 1) - power(i)) * (power(n - j) - power(n - j - 1));
            outcomes.push((low + (high - low) / 2.0, both));
            left -= both;
        }
        outcomes.push((*low, left.max(0.0)));
    }
    outcomes
}

fn step(ends: &[f64]) -> f64 {
    match ends {
        [before, after] => (after - before).max(0.0),
        _ => 0.0,
    }
}

/// P(K ≥ m) for K binomial with n draws and probability k/n.
fn at_least(n: usize, m: usize, k: usize) -> f64 {
    let p = k as f64 / n as f64;
    (m..=n).map(|hits| binomial(n, hits) * p.powi(hits as i32) * (1.0 - p).powi((n - hits) as i32)).sum()
}

/// Number of ways to choose k of n; at most about 1e59 for the n that are counted.
fn binomial(n: usize, k: usize) -> f64 {
    (1..=k.min(n - k)).fold(1.0, |ways, i| ways * (n + 1 - i) as f64 / i as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All n^n draws, the slow way.
    fn by_enumeration(values: &[f64]) -> Vec<(f64, f64)> {
        let n = values.len();
        let draws = n.pow(n as u32);
        let mut outcomes: Vec<f64> = (0..draws)
            .map(|mut code| {
                let draw: Vec<f64> = (0..n)
                    .map(|_| {
                        let value = values[code % n];
                        code /= n;
                        value
                    })
                    .collect();
                median(&draw).unwrap()
            })
            .collect();
        outcomes.sort_by(f64::total_cmp);
        let mut counted: Vec<(f64, f64)> = Vec::new();
        for value in outcomes {
            match counted.last_mut() {
                Some(last) if (last.0 - value).abs() < 1e-12 => last.1 += 1.0 / draws as f64,
                _ => counted.push((value, 1.0 / draws as f64)),
            }
        }
        counted
    }

    #[test]
    fn counting_agrees_with_all_draws() {
        for values in [
            &[5.0][..],
            &[1.0, 2.0][..],
            &[1.0, 2.0, 4.0][..],
            &[1.0, 2.0, 4.0, 8.0][..],
            &[1.0, 2.0, 4.0, 8.0, 16.0][..],
            &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0][..],
        ] {
            let exact = MedianDistribution::of(values, 1).unwrap();
            let expect = by_enumeration(values);
            for (value, probability) in &expect {
                let got: f64 =
                    exact.outcomes().filter(|(v, _)| (v - value).abs() < 1e-12).map(|(_, p)| p).sum();
                assert!(
                    (got - probability).abs() < 1e-12,
                    "n = {}: {value}: {got}, {probability}",
                    values.len()
                );
            }
            let total: f64 = exact.outcomes().map(|(_, p)| p).sum();
            assert!((total - 1.0).abs() < 1e-12, "{total}");
        }
    }

    #[test]
    fn sampling_comes_near_to_counting() {
        let values: Vec<f64> = (0..21).map(|i| f64::from(i * i)).collect();
        let exact = MedianDistribution::of(&values, 1).unwrap();
        let sampled = MedianDistribution::sampled(&sorted(&values).unwrap(), 7);
        assert!(exact.is_exact() && !sampled.is_exact());
        for value in [64.0, 100.0, 144.0] {
            assert!((exact.at_most(value) - sampled.at_most(value)).abs() < 0.02, "{value}");
        }
        assert_eq!(sampled, MedianDistribution::sampled(&sorted(&values).unwrap(), 7), "seeded");
    }

    #[test]
    fn many_values_are_sampled_and_still_quick() {
        let values: Vec<f64> = (0..=EXACT_UP_TO as u32).map(f64::from).collect();
        let distribution = MedianDistribution::of(&values, 3).unwrap();
        assert!(!distribution.is_exact());
        let (low, high) = distribution.interval(0.95).unwrap();
        assert!(low < 100.0 && high > 100.0 && high - low < 60.0, "{low} {high}");
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one_and_the_interval_holds_the_median(
            values in prop::collection::vec(0.001f64..1e4, 2..60)
        ) {
            let distribution = MedianDistribution::of(&values, 1).unwrap();
            let total: f64 = distribution.outcomes().map(|(_, p)| p).sum();
            prop_assert!((total - 1.0).abs() < 1e-9, "{}", total);
            let (low, high) = distribution.interval(0.95).unwrap();
            let middle = median(&values).unwrap();
            prop_assert!(low <= middle && middle <= high);
        }
    }
}
