//! Query to figure or table, toolkit-neutral, and from there to text, Markdown, CSV, JSON and SVG.
//!
//! A chart is one file in `charts/` and one row of [`CHARTS`]; an exporter is one file in
//! `exporters/` and one row of [`EXPORTERS`]. Nothing here does input or output.
#![warn(missing_docs)]

mod chart;
mod charts;
pub mod clock;
mod comparison;
mod exporters;
mod figure;
pub mod marks;
pub mod numbers;
mod order;
mod palette;
mod words;

pub use chart::{Chart, ChartData, ChartSpec, LoadData, Refusal, RequestsData};
pub use charts::readout::lines as readout_lines;
pub use charts::requests::{BinWords, RequestsLayout, kind_ink};
pub use charts::{CHARTS, chart};
pub use comparison::{Comparison, Row, Side, compare, from_groups};
pub use exporters::{
    EXPORTERS, Export, Exporter, SvgOptions, exporter, json_value, svg, table_text, text_width,
};
pub use figure::{
    Align, Figure, Font, Frame, Ink, LegendEntry, Marker, Point, Rect, Shape, Target, TimeAxis,
};
pub use palette::Palette;
pub use triptych_analysis::Verdict;
pub use words::{contradiction, notation, remarks, row_title, shown_name, verdict_sentence};
