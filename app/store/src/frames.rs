//! The four frames as polars tables, made when first asked for.

use polars::prelude::DataFrame;

/// The frames of one generation.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// One row a run with its conditions.
    pub runs: DataFrame,
    /// The values of the runs.
    pub measurements: DataFrame,
    /// The time series.
    pub series: DataFrame,
    /// Rows of series, line, time, value.
    pub samples: DataFrame,
    /// The server's operation log, one row an action.
    pub requests: DataFrame,
}

/// What `import -o` can write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFrame {
    /// Values joined with their runs.
    #[default]
    Measurements,
    /// Samples joined with their series.
    Samples,
    /// The server's operation log.
    Requests,
}
