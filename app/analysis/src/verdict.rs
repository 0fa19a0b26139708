//! What an interval carries: five words, never more than the data say.

use crate::ratio::RatioInterval;
use std::fmt;

/// Below this many values on either side there is no verdict.
pub const MIN_SAMPLES: usize = 3;

/// Below this many values on either side a verdict is an indication only.
pub const INDICATION_BELOW: usize = 6;

/// What the data say about a variant against the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// The whole interval lies above 1 and the ratio is beyond the threshold.
    Faster,
    /// The whole interval lies below 1 and the ratio is beyond the threshold.
    Slower,
    /// The whole interval lies within the threshold.
    Same,
    /// The interval allows more than one reading.
    NotShown,
    /// Fewer than [`MIN_SAMPLES`] values on either side.
    TooFew,
}

impl Verdict {
    /// The word for people, tables and JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Same => "same",
            Self::NotShown => "not shown",
            Self::TooFew => "too few samples",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The verdict for a ratio with its interval, `n` being the smaller number of values of the two sides.
///
/// The threshold is in per cent and works alike in both directions: 2 % is the span from 1/1.02 to 1.02.
/// A missing interval with enough values (values not above 0) is not shown.
pub fn verdict(ratio: f64, interval: Option<RatioInterval>, n: usize, threshold_percent: f64) -> Verdict {
    if n < MIN_SAMPLES {
        return Verdict::TooFew;
    }
    let Some(interval) = interval else { return Verdict::NotShown };
    let edge = 1.0 + threshold_percent.max(0.0) / 100.0;
    if interval.low > 1.0 && ratio > edge {
        Verdict::Faster
    } else if interval.high < 1.0 && ratio < 1.0 / edge {
        Verdict::Slower
    } else if interval.low >= 1.0 / edge && interval.high <= edge {
        Verdict::Same
    } else {
        Verdict::NotShown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratio::Method;

    #[test]
    fn five_words() {
        let interval = |low, high| Some(RatioInterval { low, high, method: Method::Exact });
        for (ratio, ends, n, threshold, expect) in [
            (0.39, interval(0.37, 0.42), 4, 2.0, Verdict::Slower),
            (1.08, interval(1.002, 1.117), 5, 2.0, Verdict::Faster),
            (1.08, interval(1.002, 1.117), 5, 10.0, Verdict::NotShown),
            (1.02, interval(0.9, 1.15), 5, 2.0, Verdict::NotShown),
            (1.001, interval(0.99, 1.01), 5, 2.0, Verdict::Same),
            (1.01, interval(1.005, 1.015), 5, 2.0, Verdict::Same),
            (1.015, interval(1.005, 1.03), 5, 2.0, Verdict::NotShown),
            (0.39, interval(0.37, 0.42), 2, 2.0, Verdict::TooFew),
            (2.59, None, 1, 2.0, Verdict::TooFew),
            (2.59, None, 5, 2.0, Verdict::NotShown),
        ] {
            assert_eq!(verdict(ratio, ends, n, threshold), expect, "{ratio} {ends:?} n = {n}");
        }
    }
}
