//! Medians, ratios, intervals, outliers and verdicts on slices of numbers.
