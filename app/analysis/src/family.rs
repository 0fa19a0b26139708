//! Many comparisons together: corrected confidence, and the one mean that ratios have.

/// The confidence that each of `comparisons` intervals needs, so that all of them together hold with
/// `confidence` (Bonferroni: the errors add up at most, whatever the comparisons share).
///
/// One comparison or none needs no correction.
pub fn bonferroni(confidence: f64, comparisons: usize) -> f64 {
    1.0 - (1.0 - confidence) / comparisons.max(1) as f64
}

/// The geometric mean of complete ratios beside the worst of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeometricMean {
    /// The mean.
    pub mean: f64,
    /// Smallest ratio: the mean never stands without it.
    pub worst: f64,
    /// Place of the worst ratio.
    pub worst_index: usize,
    /// Number of ratios.
    pub count: usize,
}

/// The geometric mean of ratios; `None` where one is missing or not above 0, or there is none:
/// a mean over what happens to be there compares nothing.
pub fn geometric_mean(ratios: &[Option<f64>]) -> Option<GeometricMean> {
    let mut logs = 0.0;
    let mut worst: Option<(usize, f64)> = None;
    for (index, ratio) in ratios.iter().enumerate() {
        let ratio = (*ratio).filter(|ratio| *ratio > 0.0 && ratio.is_finite())?;
        logs += ratio.ln();
        if worst.is_none_or(|(_, least)| ratio < least) {
            worst = Some((index, ratio));
        }
    }
    let (worst_index, worst) = worst?;
    Some(GeometricMean { mean: (logs / ratios.len() as f64).exp(), worst, worst_index, count: ratios.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_confidence() {
        for (comparisons, expect) in [(0, 0.95), (1, 0.95), (2, 0.975), (16, 0.996_875)] {
            assert!((bonferroni(0.95, comparisons) - expect).abs() < 1e-12, "{comparisons}");
        }
    }

    #[test]
    fn a_mean_needs_complete_rows() {
        let mean = geometric_mean(&[Some(2.0), Some(0.5), Some(4.0), Some(1.0)]).unwrap();
        assert!((mean.mean - 2f64.sqrt()).abs() < 1e-12);
        assert_eq!((mean.worst_index, mean.count), (1, 4));
        assert!((mean.worst - 0.5).abs() < 1e-12);
        for ratios in [&[][..], &[Some(2.0), None][..], &[Some(0.0)][..], &[Some(f64::NAN)][..]] {
            assert_eq!(geometric_mean(ratios), None, "{ratios:?}");
        }
    }
}
