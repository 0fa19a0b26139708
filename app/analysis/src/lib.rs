//! Medians, ratios, intervals, outliers and verdicts on slices of numbers.
//!
//! Pure functions: no input or output, no clock, no randomness without a fixed seed. `report` turns
//! a store's groups into slices and asks here. METHOD.md explains the same to readers.
#![warn(missing_docs)]

mod bootstrap;
mod family;
mod ratio;
mod summary;
mod verdict;

pub use bootstrap::{EXACT_UP_TO, MedianDistribution, RESAMPLES, median_interval};
pub use family::{GeometricMean, bonferroni, geometric_mean};
pub use ratio::{Method, RatioInterval, ratio_interval, ratio_of_medians};
pub use summary::{Tukey, median, outliers, quantile, range};
pub use verdict::{INDICATION_BELOW, MIN_SAMPLES, Verdict, verdict};

/// The confidence of intervals where nobody asks for another.
pub const CONFIDENCE: f64 = 0.95;
