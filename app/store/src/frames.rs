//! The four frames as polars tables, made when first asked for.
//!
//! Queries of the window do not need them; they serve files for other programs and whoever wants to
//! ask polars itself. Times are UTC in microseconds, an absent value is null.

use crate::Source;
use crate::resolve::{Resolved, number};
use polars::prelude::{
    ChunkedArray, Column, DataFrame, DataType, Float64Type, IdxCa, Int64Type, IntoColumn, IntoSeries,
    NamedFrom, PolarsNumericType, PolarsResult, Series as Values, TimeUnit, UInt32Type, UInt64Type,
};
use triptych_model::{Clock, Key, Quality, Requests, Symbol};

/// The frames of one generation.
#[derive(Clone, Debug, Default)]
pub struct Frames {
    /// One row a run with its conditions.
    pub runs: DataFrame,
    /// The values of the runs; `run` is the row in `runs`.
    pub measurements: DataFrame,
    /// The time series; `run` is the row in `runs`.
    pub series: DataFrame,
    /// Rows of series, line, time, value.
    pub samples: DataFrame,
    /// The server's operation log, one row an action.
    pub requests: DataFrame,
}

impl Frames {
    pub(crate) fn new(sources: &[Source], resolved: &Resolved) -> PolarsResult<Self> {
        Ok(Self {
            runs: runs(sources, resolved)?,
            measurements: measurements(sources, resolved)?,
            series: series(sources, resolved)?,
            samples: samples(sources)?,
            requests: requests(sources, resolved)?,
        })
    }
}

fn column<T, V: AsRef<[T]>>(name: &str, values: V) -> Column
where
    Values: NamedFrom<V, [T]>,
{
    Values::new(name.into(), values).into_column()
}

fn time_column(name: &str, micros: Vec<Option<i64>>) -> PolarsResult<Column> {
    column(name, micros).cast(&DataType::Datetime(TimeUnit::Microseconds, None))
}

fn runs(sources: &[Source], resolved: &Resolved) -> PolarsResult<DataFrame> {
    let all = &resolved.runs;
    let path = |index: u32| sources.get(index as usize).map(Source::path);
    let rows: Vec<_> = all.iter().map(|run| run.row(sources)).collect();
    let mut columns = vec![
        column("run", all.iter().map(|run| &*run.id).collect::<Vec<_>>()),
        column("source", all.iter().map(|run| path(run.source)).collect::<Vec<_>>()),
        column("line", rows.iter().map(|row| row.map(|row| row.line)).collect::<Vec<_>>()),
        column("offset", rows.iter().map(|row| row.map(|row| row.offset)).collect::<Vec<_>>()),
    ];
    for key in Key::ALL {
        let values: Vec<_> = all.iter().map(|run| resolved.texts.get(run.value(key))).collect();
        columns.push(column(key.name(), values));
    }
    columns.push(time_column("started", rows.iter().map(|row| row.and_then(|row| row.started)).collect())?);
    columns.push(column("exit", rows.iter().map(|row| row.and_then(|row| row.exit)).collect::<Vec<_>>()));
    let settings = rows.iter().map(|row| {
        let settings = row.map(|row| &row.settings).filter(|settings| !settings.is_empty());
        settings.and_then(|settings| serde_json::to_string(settings).ok())
    });
    columns.push(column("settings", settings.collect::<Vec<_>>()));
    columns.push(column("quality", all.iter().map(|run| run.quality.to_string()).collect::<Vec<_>>()));
    columns.push(column("left_out", all.iter().map(|run| run.left_out.as_deref()).collect::<Vec<_>>()));
    DataFrame::new(all.len(), columns)
}

fn measurements(sources: &[Source], resolved: &Resolved) -> PolarsResult<DataFrame> {
    let rows: Vec<_> =
        resolved.rows.iter().filter_map(|row| Some((row, resolved.measurement(sources, row)?))).collect();
    let quality =
        |row: &crate::resolve::Row| resolved.run(row.run).map(|run| run.quality).unwrap_or_default();
    let columns = vec![
        column("run", rows.iter().map(|(row, _)| row.run).collect::<Vec<_>>()),
        column("source", rows.iter().map(|(row, _)| row.source).collect::<Vec<_>>()),
        column("line", rows.iter().map(|(_, m)| m.line).collect::<Vec<_>>()),
        column("offset", rows.iter().map(|(_, m)| m.offset).collect::<Vec<_>>()),
        column("process", rows.iter().map(|(row, _)| resolved.text(row.process)).collect::<Vec<_>>()),
        column("metric", rows.iter().map(|(row, _)| resolved.text(row.metric)).collect::<Vec<_>>()),
        column("value", rows.iter().map(|(_, m)| m.value).collect::<Vec<_>>()),
        column("value_high", rows.iter().map(|(_, m)| m.value_high).collect::<Vec<_>>()),
        column("unit", rows.iter().map(|(_, m)| m.unit.symbol()).collect::<Vec<_>>()),
        column("executions", rows.iter().map(|(_, m)| m.executions).collect::<Vec<_>>()),
        column(
            "quality",
            rows.iter().map(|(row, m)| m.quality.with(quality(row)).to_string()).collect::<Vec<_>>(),
        ),
        column("raw", rows.iter().map(|(_, m)| m.raw.as_str()).collect::<Vec<_>>()),
    ];
    DataFrame::new(rows.len(), columns)
}

fn series(sources: &[Source], resolved: &Resolved) -> PolarsResult<DataFrame> {
    let mut rows = Vec::new();
    for (source, runs) in sources.iter().zip(&resolved.series_runs) {
        rows.extend(source.data.series.iter().zip(runs).map(|(series, run)| (source, series, *run)));
    }
    let columns = vec![
        column("source", rows.iter().map(|(source, ..)| source.path()).collect::<Vec<_>>()),
        column("run", rows.iter().map(|(_, _, run)| *run).collect::<Vec<_>>()),
        column("process", rows.iter().map(|(_, s, _)| s.process.to_string()).collect::<Vec<_>>()),
        column("pid", rows.iter().map(|(_, s, _)| s.pid).collect::<Vec<_>>()),
        column("command", rows.iter().map(|(_, s, _)| s.command.as_deref()).collect::<Vec<_>>()),
        column("metric", rows.iter().map(|(_, s, _)| s.metric.as_str()).collect::<Vec<_>>()),
        column("unit", rows.iter().map(|(_, s, _)| s.unit.symbol()).collect::<Vec<_>>()),
        column(
            "clock",
            rows.iter()
                .map(|(_, s, _)| if s.clock == Clock::Utc { "utc" } else { "elapsed" })
                .collect::<Vec<_>>(),
        ),
        column("quality", rows.iter().map(|(_, s, _)| s.quality.to_string()).collect::<Vec<_>>()),
    ];
    DataFrame::new(rows.len(), columns)
}

fn samples(sources: &[Source]) -> PolarsResult<DataFrame> {
    let total = sources.iter().map(|source| source.data.samples.len()).sum();
    let (mut series, mut lines) = (Vec::with_capacity(total), Vec::with_capacity(total));
    let (mut times, mut values) = (Vec::with_capacity(total), Vec::with_capacity(total));
    let mut first = 0;
    for source in sources {
        for sample in &source.data.samples {
            series.push(first + sample.series);
            lines.push(sample.line);
            times.push(sample.time);
            values.push(sample.value);
        }
        first += number(source.data.series.len());
    }
    let columns =
        vec![column("series", series), column("line", lines), column("time", times), column("value", values)];
    DataFrame::new(total, columns)
}

fn requests(sources: &[Source], resolved: &Resolved) -> PolarsResult<DataFrame> {
    let mut whole: Option<DataFrame> = None;
    for (index, source) in sources.iter().enumerate() {
        if !source.data.requests.is_empty() || index + 1 == sources.len() && whole.is_none() {
            let frame = requests_of(number(index), &source.data.requests, resolved)?;
            match &mut whole {
                Some(whole) => {
                    whole.vstack_mut(&frame)?;
                }
                None => whole = Some(frame),
            }
        }
    }
    Ok(whole.unwrap_or_default())
}

/// Texts are gathered by their symbols: all rows share the few distinct ones, and only the 16 bytes of
/// a view are made for each cell.
fn requests_of(source: u32, requests: &Requests, resolved: &Resolved) -> PolarsResult<DataFrame> {
    let rows = || 0..requests.len();
    let distinct = Values::new("".into(), requests.texts().texts().collect::<Vec<&str>>());
    let texts = |name: &str, symbols: &mut dyn Iterator<Item = Symbol>| -> PolarsResult<Column> {
        let places: IdxCa = symbols.map(|symbol| (symbol != 0).then_some(symbol)).collect();
        Ok(distinct.take(&places)?.with_name(name.into()).into_column())
    };
    let client = |row: usize| requests.client_of(row).unwrap_or_default();
    let joined = resolved.requests.get(source as usize).cloned().unwrap_or_default();
    let mut columns = vec![
        owned::<UInt32Type>("source", vec![source; requests.len()]),
        owned::<UInt32Type>("line", requests.lines().to_vec()),
        owned::<UInt64Type>("offset", requests.offsets().to_vec()),
        optional::<UInt32Type>("run", rows().map(|row| joined.of(row).0)),
        optional::<Int64Type>("time", rows().map(|row| requests.time(row)))
            .cast(&DataType::Datetime(TimeUnit::Microseconds, None))?,
        optional::<Int64Type>("pid", rows().map(|row| requests.pid(row).map(i64::from))),
        texts("host", &mut rows().map(|row| client(row).host))?,
        texts("user", &mut rows().map(|row| client(row).user))?,
        texts("repository", &mut rows().map(|row| client(row).repository))?,
        texts("action", &mut requests.actions().iter().copied())?,
        texts("path", &mut requests.paths().iter().copied())?,
        optional::<Int64Type>("revision", rows().map(|row| requests.revision(row))),
        optional::<Float64Type>("gap_before", rows().map(|row| requests.gap_before(row))),
        optional::<Float64Type>("gap_after", rows().map(|row| requests.gap_after(row))),
        optional::<Float64Type>("duration", rows().map(|row| requests.duration(row))),
        optional::<Int64Type>("bytes_in", rows().map(|row| requests.bytes_in(row))),
        optional::<Int64Type>("bytes_out", rows().map(|row| requests.bytes_out(row))),
        optional::<Int64Type>("status", rows().map(|row| requests.status(row))),
        texts("error", &mut rows().map(|row| requests.error_symbol(row)))?,
    ];
    columns.push(quality_column(requests.qualities())?);
    DataFrame::new(requests.len(), columns)
}

/// A column that takes the values as they are.
fn owned<T: PolarsNumericType>(name: &str, values: Vec<T::Native>) -> Column
where
    ChunkedArray<T>: IntoSeries,
{
    ChunkedArray::<T>::from_vec(name.into(), values).into_series().into_column()
}

/// A column of values some of which are absent.
fn optional<T: PolarsNumericType>(name: &str, values: impl Iterator<Item = Option<T::Native>>) -> Column
where
    ChunkedArray<T>: IntoSeries,
{
    values.collect::<ChunkedArray<T>>().with_name(name.into()).into_series().into_column()
}

/// The words of each row's quality, each set of words made once.
fn quality_column(qualities: &[Quality]) -> PolarsResult<Column> {
    let mut distinct: Vec<Quality> = Vec::new();
    let mut place = |quality: &Quality| {
        let known = distinct.iter().position(|known| known == quality);
        number(known.unwrap_or_else(|| {
            distinct.push(*quality);
            distinct.len() - 1
        }))
    };
    let places = IdxCa::from_vec("".into(), qualities.iter().map(&mut place).collect());
    let words = Values::new("".into(), distinct.iter().map(ToString::to_string).collect::<Vec<_>>());
    Ok(words.take(&places)?.with_name("quality".into()).into_column())
}
