//! The words of Triptych: conditions, metrics, units, qualities, problems, and the rows readers make.
//!
//! Every other crate speaks in these types. Nothing here does input or output, and nothing here
//! depends on another crate of the project, so that the runner can link it without polars or egui.
#![warn(missing_docs)]

mod conditions;
mod importer;
mod interner;
mod metric;
mod natural;
mod pattern;
mod problem;
mod process;
mod quality;
mod requests;
mod rows;
pub mod runlog;
mod seeded;
mod table;
mod time;

pub use conditions::{Conditions, Key, Origin};
pub use importer::{
    Cancelled, FormatSpec, Importer, Progress, ReadOptions, RequestArguments, Silent, StreamError,
};
pub use interner::{Interner, Symbol};
pub use metric::{METRICS, MetricSpec, TABLE_METRICS, Unit, metric_spec};
pub use natural::{is_usual_baseline, natural_cmp};
pub use pattern::{PathMatch, PatternError, SuggestedPattern};
pub use problem::{Problem, ProblemKind, Problems, Severity};
pub use process::Process;
pub use quality::Quality;
pub use requests::{Client, Request, Requests, SymbolRow};
pub use rows::{Clock, Measurement, RunRow, Sample, Series, SeriesLog, SourceData, run_id};
pub use seeded::SplitMix;
pub use table::{
    CELL_UNITS, CellUnit, ColumnMeaning, Decimal, Meaning, TableMeaning, ValueMeaning, cell_unit, column_name,
};
pub use time::Timestamp;
