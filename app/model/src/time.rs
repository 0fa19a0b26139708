//! Points in time: microseconds since 1970 in UTC.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A point in time, UTC, in microseconds since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Reads `YYYY-MM-DDThh:mm:ss[.ffffff]Z` or the same with an offset.
    pub fn parse(text: &str) -> Option<Self> {
        let time: jiff::Timestamp = text.parse().ok()?;
        Some(Self(time.as_microsecond()))
    }

    /// Microseconds since 1970.
    pub fn micros(self) -> i64 {
        self.0
    }
}

/// `YYYY-MM-DDThh:mm:ss.ffffffZ`, as exported.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(time) => write!(f, "{time:.6}"),
            Err(_) => write!(f, "{} µs since 1970", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_six_decimals_and_reads_back() {
        for text in
            ["2026-11-30T08:03:39.382038Z", "1970-01-01T00:00:00.000000Z", "1999-12-31T23:59:59.900000Z"]
        {
            let time = Timestamp::parse(text).expect(text);
            assert_eq!(time.to_string(), text);
        }
        assert_eq!(
            Timestamp::parse("2026-11-30T08:03:39+01:00").map(|t| t.to_string()).as_deref(),
            Some("2026-11-30T07:03:39.000000Z")
        );
        assert_eq!(Timestamp::parse("yesterday"), None);
    }
}
