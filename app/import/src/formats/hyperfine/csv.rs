//! hyperfine's `--export-csv`: the aggregates of each result, in seconds whatever `-u` said.
//!
//! Columns go by their headings: version 1.6 put the median between two others, and parameters add
//! columns of their own. With one execution hyperfine writes a deviation of 0 that it does not have.

use super::conditions::{Identity, Results};
use super::{AGGREGATES, MEANS};
use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_number};
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use csv::StringRecord;
use triptych_model::{Cancelled, FormatSpec, Process, Quality, ReadOptions, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static HYPERFINE_CSV: HyperfineCsv = HyperfineCsv;

static SPEC: FormatSpec = FormatSpec {
    id: "hyperfine-csv",
    title: "hyperfine CSV",
    help: "mean, deviation, median, minimum and maximum that hyperfine --export-csv wrote",
    extensions: &["csv"],
    samples: "hyperfine-csv",
};

/// The reader.
pub struct HyperfineCsv;

const PARAMETER: &str = "parameter_";

impl LineFormat for HyperfineCsv {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'c' => Signs::ALWAYS,
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if !first.text.starts_with("command,mean") {
            return Ok(None);
        }
        let heading: Vec<String> =
            record(first.text).map_or(Vec::new(), |row| row.iter().map(str::to_owned).collect());
        if heading.get(1).is_none_or(|name| name != "mean") {
            return Ok(None);
        }
        let mut end = at + 1;
        let mut records = Vec::new();
        while let Some((record, next)) = row(lines, end, &heading) {
            records.push((record, lines.get(end).unwrap_or(first)));
            end = next;
        }
        let all: Vec<Identity> = records.iter().map(|(record, _)| identity(record, &heading)).collect();
        let results = Results::new(&all);
        sink.close_run();
        for (index, (record, line)) in records.iter().enumerate() {
            sink.check(line.offset)?;
            result(record, &heading, results.conditions(index), line, sink);
        }
        if records.is_empty() {
            sink.cut(first.number, "hyperfine's CSV ends early", "a row behind the heading");
        }
        Ok(Some(end))
    }
}

/// The row that begins with a line, and where it ends; a command may hold line breaks.
fn row(lines: &Lines<'_>, at: usize, heading: &[String]) -> Option<(StringRecord, usize)> {
    let mut text = String::new();
    let (mut end, mut quoted) = (at, false);
    while let Some(line) = lines.get(end).filter(|line| quoted || line.text.contains(',')) {
        text.push_str(line.text);
        text.push('\n');
        quoted ^= line.text.matches('"').count() % 2 == 1;
        end += 1;
        if !quoted {
            break;
        }
    }
    let record = record(&text)?;
    is_row(&record, heading, end == lines.len()).then_some((record, end))
}

/// The only record of a text; the text is UTF-8, so that none is an error.
fn record(text: &str) -> Option<StringRecord> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.records().next()?.ok()
}

/// Whether a record is of the table: by its number of cells, or damaged but with most of its figures.
fn is_row(record: &StringRecord, heading: &[String], is_last: bool) -> bool {
    let parameters = heading.iter().filter(|name| name.starts_with(PARAMETER)).count();
    // A reference command may have no cells for parameters.
    if record.len() == heading.len() || record.len() == heading.len() - parameters {
        return record.get(1) != heading.get(1).map(String::as_str);
    }
    let is_figure = |cell: &&str| parse_number(cell.trim(), &DecimalMark::Point).is_some();
    let figures = record.iter().skip(1).filter(is_figure).count();
    // The last row may be cut anywhere.
    2 * figures >= heading.len() - parameters - 1
        || (is_last && record.get(1).as_ref().is_some_and(is_figure))
}

fn identity(record: &StringRecord, heading: &[String]) -> Identity {
    let parameter = |(name, value): (&String, &str)| {
        name.strip_prefix(PARAMETER).map(|name| (name.to_owned(), value.to_owned()))
    };
    let parameters = heading.iter().zip(record.iter()).filter_map(parameter);
    // A reference command has no parameters: its cells are empty or missing.
    let parameters = parameters.filter(|(_, value)| !value.is_empty()).collect();
    Identity { command: record.get(0).map(str::to_owned).filter(|text| !text.is_empty()), parameters }
}

fn result(record: &StringRecord, heading: &[String], content: RunRow, at: &Line<'_>, sink: &mut Sink<'_>) {
    let (line, offset) = (at.number, at.offset);
    if record.len() > heading.len() {
        let found = format!("{} cells", record.len());
        sink.not_understood(line, 1, "more cells than headings", &found, &format!("{}", heading.len()));
    }
    let of = |name: &str| {
        let at = heading.iter().position(|known| known == name)?;
        record.get(at).map(str::trim)
    };
    let once = of("stddev") == Some("0") && of("min").is_some() && of("min") == of("max");
    let run = sink.run(RunRow { line, offset, ..content });
    for (name, metric) in AGGREGATES.iter().chain(MEANS) {
        if !heading.iter().any(|known| known == name) || (*name == "stddev" && once) {
            continue;
        }
        let raw = of(name).unwrap_or("");
        let value = parse_number(raw, &DecimalMark::Point).or_else(|| exponent(raw));
        let value = value.filter(|value| value.is_finite() && *value >= 0.0);
        let mut row = measured(run, (line, offset), Process::Client, metric, Unit::Secs, value, raw);
        row.executions = once.then_some(1);
        if value.is_none() {
            row.quality = row.quality.with(Quality::MALFORMED);
            let message = format!("unreadable {name}");
            sink.not_understood(line, column(record, name, heading), &message, raw, "seconds");
        }
        sink.measure(row);
    }
}

/// Very short times are printed as `1e-7`.
fn exponent(raw: &str) -> Option<f64> {
    if raw.contains(['e', 'E']) { raw.parse().ok() } else { None }
}

/// The column of a cell, if nothing before it is quoted.
fn column(record: &StringRecord, name: &str, heading: &[String]) -> u32 {
    let before = heading.iter().take_while(|known| *known != name).count();
    let width: usize = record.iter().take(before).map(|cell| cell.chars().count() + 1).sum();
    u32::try_from(width + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use crate::sink::testing::{bytes, read, sample, values};
    use proptest::prelude::*;
    use triptych_model::Key;

    #[test]
    fn many_results_of_one_name_are_numbered() {
        const COUNT: usize = 20_000;
        let heading = "command,mean,stddev,median,user,system,min,max\n";
        let data = read(&format!("{heading}{}", "hot,1,0,1,1,1,1,1\n".repeat(COUNT)));
        let last = data.runs.last().expect("a run");
        assert_eq!((data.runs.len(), last.content.get(Key::Variant)), (COUNT, Some("hot #20000")));
    }

    #[test]
    fn genuine_files() {
        let data = sample("hyperfine-csv/null-export-cold.csv");
        assert_eq!(data.formats, ["hyperfine-csv"]);
        assert_eq!(
            values(&data, 0),
            [
                "real_mean=1.3905122674800001s",
                "real_median=1.38775977788s",
                "real_min=1.33021588088s",
                "real_max=1.45796742888s",
                "real_stddev=0.045367727352730036s",
                "user_mean=0.0090505s",
                "sys_mean=0.00265776s",
            ]
        );
        let variants: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant)).collect();
        assert_eq!(variants, [Some("trunk"), Some("branch6"), Some("branch7")]);
        assert_eq!((data.runs[1].line, data.lines, data.problems.len()), (3, 4, 0));
        let data = sample("hyperfine-csv/null-export-param.csv");
        assert_eq!(data.runs[1].content.get(Key::Build), Some("fmt7"));
        assert_eq!(data.runs[1].content.get(Key::Operation), Some("null-export"));
    }

    #[test]
    fn one_execution_has_no_deviation() {
        let data = sample("hyperfine-csv/one.csv");
        assert!(values(&data, 0).iter().all(|text| !text.starts_with("real_stddev")));
        assert!(data.measurements.iter().all(|row| row.executions == Some(1)));
    }

    #[test]
    fn names_that_come_twice_are_told_apart_by_their_order() {
        let data = sample("hyperfine-csv/names.csv");
        let variants: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant)).collect();
        assert_eq!(variants, [Some("a #1"), Some("a #2"), Some("b|c \"x\", y")]);
        let data = sample("hyperfine-csv/parameters.csv");
        let variants: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant)).collect();
        assert_eq!(
            variants,
            [
                Some("svnlook tree repo 1 tree"),
                Some("svnlook youngest repo 1 youngest"),
                Some("svnlook tree repo 2 tree"),
                Some("svnlook youngest repo 2 youngest")
            ]
        );
    }

    #[test]
    fn old_orders_ragged_rows_and_quotes() {
        let old =
            read("command,mean,stddev,user,system,min,max\n\"svn co \"\"a,b\"\"\nx\",2,0.5,1,0.25,1,3\n");
        assert_eq!(
            values(&old, 0),
            [
                "real_mean=2s",
                "real_min=1s",
                "real_max=3s",
                "real_stddev=0.5s",
                "user_mean=1s",
                "sys_mean=0.25s"
            ]
        );
        assert_eq!(old.runs[0].content.get(Key::Command), Some("svn co \"a,b\"\nx"));
        let heading = "command,mean,stddev,median,user,system,min,max,parameter_n\n";
        let missing = read(&format!("{heading}svn co A,2,0.5,2,1,0,1,3\nsvn co B,2,0.5,2,1,0,1,3,7\n"));
        assert_eq!((missing.runs.len(), missing.warnings()), (2, 0));
        assert_eq!(missing.runs[1].content.get(Key::Variant), Some("7"));
        let extra = read(&format!("{heading}svn co A,2,0.5,2,1,0,1,3,7,8\n"));
        assert_eq!((extra.measurements.len(), extra.not_understood), (7, 1));
        let broken = read(&format!("{heading}svn co A,x,0.5,2,1,0,1\n"));
        assert_eq!((broken.measurements.len(), broken.not_understood), (7, 2));
        assert_eq!(broken.problems[0].place(), "test.txt:2:10");
    }

    #[test]
    fn lines_behind_the_table_are_no_rows() {
        let table = "command,mean,stddev,median,user,system,min,max\nsvn co A,2,0.5,2,1,0,1,3\n";
        for (behind, runs, unread) in [
            ("Hello, world\n", 1, 0),
            ("Hello, 1 world\nor, two\n", 1, 0),
            ("2026-11-30,3,done\nx\n", 1, 0),
            (table, 2, 0),
            ("svn co B,x,0.5,2,1,0,1,3\n", 2, 1),
            ("svn co B,2,0.5,2", 2, 4),
        ] {
            let data = read(&format!("{table}{behind}"));
            assert_eq!((data.runs.len(), data.not_understood), (runs, unread), "{behind}");
        }
    }

    proptest! {
        #[test]
        fn no_damage_makes_it_panic(cut in 0_usize..700, junk in "[ -~\n\"]{0,12}") {
            let bytes = bytes("hyperfine-csv/parameters.csv");
            let text = String::from_utf8_lossy(&bytes);
            let data = read(&format!("{}{junk}", text.chars().take(cut).collect::<String>()));
            prop_assert!(data.measurements.iter().all(|row| row.value.is_none_or(f64::is_finite)));
        }
    }
}
