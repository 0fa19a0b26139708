//! hyperfine's `--export-markdown`, `--export-orgmode` and `--export-asciidoc`.
//!
//! The unit stands in the headings. In AsciiDoc each cell has a line of its own.

use super::conditions::{Identity, Results};
use crate::format::LineFormat;
use crate::number::{DecimalMark, parse_number, parse_scaled};
use crate::signs::Signs;
use crate::sink::{Sink, measured};
use crate::text::{Line, Lines};
use triptych_model::{Cancelled, FormatSpec, Process, Quality, ReadOptions, RunRow, Unit};

/// The row of [`crate::FORMATS`].
pub static HYPERFINE_TABLE: HyperfineTable = HyperfineTable;

static SPEC: FormatSpec = FormatSpec {
    id: "hyperfine-table",
    title: "hyperfine tables",
    help: "Markdown, Org and AsciiDoc tables that hyperfine exported",
    extensions: &["md", "org", "adoc", "txt"],
    samples: "hyperfine-table",
};

/// The reader.
pub struct HyperfineTable;

const FENCE: &str = "|===";

/// What a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Command,
    /// A time in seconds / 10^n: the metric, and whether a deviation may follow it.
    Time(&'static str, u32),
    /// `Min…Max` of versions before 1.5.
    Range(u32),
    /// Times of this command / times of the fastest.
    Relative,
    Unknown,
}

/// One cell and its place.
struct Cell<'a> {
    line: Line<'a>,
    text: &'a str,
}

impl LineFormat for HyperfineTable {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn opens_with(&self, first: u8, _: &ReadOptions) -> Signs {
        match first {
            b'|' | b'[' => Signs::ALWAYS,
            _ => Signs::NEVER,
        }
    }

    fn claim(&self, lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Result<Option<usize>, Cancelled> {
        let Some(first) = lines.get(at) else { return Ok(None) };
        if !first.text.starts_with(['|', '[']) {
            return Ok(None);
        }
        let text = first.text.trim_ascii_end();
        if text.starts_with("| Command") && text.contains("| ") && text.contains("Mean [") {
            return Ok(one_line_rows(lines, at, sink));
        }
        let fence = at + usize::from(text.starts_with("[cols="));
        let begins =
            |at: usize, text: &str| lines.get(at).is_some_and(|line| line.text.trim_ascii_end() == text);
        if begins(fence, FENCE) && begins(fence + 1, "| Command") {
            return Ok(cells_on_lines(lines, fence + 1, sink));
        }
        Ok(None)
    }
}

/// A table of Markdown or Org; its heading is at `at`.
fn one_line_rows(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Option<usize> {
    let heading = lines.get(at)?;
    let columns: Vec<Column> = cells(heading).iter().map(|cell| column(cell.text)).collect();
    let mut rows = Vec::new();
    let mut end = at + 1;
    while let Some(line) = lines.get(end).filter(|line| line.text.starts_with('|')) {
        if !line.text.starts_with("|:") && !line.text.starts_with("|-") {
            rows.push(cells(line));
        }
        end += 1;
    }
    write(&columns, &rows, &heading, sink);
    Some(end)
}

/// A table of AsciiDoc, from its first heading on.
fn cells_on_lines(lines: &Lines<'_>, at: usize, sink: &mut Sink<'_>) -> Option<usize> {
    let mut end = at;
    let mut columns = Vec::new();
    while let Some(line) = lines.get(end).filter(|line| !line.is_blank()) {
        columns.push(column(line.text.strip_prefix('|')?.trim()));
        end += 1;
    }
    columns.contains(&Column::Command).then_some(())?;
    let mut rows: Vec<Vec<Cell<'_>>> = Vec::new();
    while let Some(line) = lines.get(end) {
        end += 1;
        let text = line.text.trim_ascii();
        if text == FENCE {
            break;
        }
        let Some(text) = text.strip_prefix('|') else {
            if text.is_empty() {
                continue;
            }
            end -= 1;
            break;
        };
        let full = rows.last().is_none_or(|row| row.len() == columns.len());
        if full {
            rows.push(Vec::new());
        }
        rows.last_mut()?.push(Cell { line, text: text.trim() });
    }
    let heading = lines.get(at)?;
    write(&columns, &rows, &heading, sink);
    Some(end)
}

/// The cells of a line; `\|` is no border.
fn cells(line: Line<'_>) -> Vec<Cell<'_>> {
    let text = line.text.trim_ascii_end();
    let mut cells = Vec::new();
    let mut start = 1;
    for (at, _) in text.match_indices('|').skip(1) {
        if text.get(..at).is_some_and(|head| head.ends_with('\\')) {
            continue;
        }
        cells.push(Cell { line, text: text.get(start..at).unwrap_or("").trim() });
        start = at + 1;
    }
    // What stands behind the last border was cut off before its own.
    let rest = text.get(start..).unwrap_or("").trim();
    if !rest.is_empty() {
        cells.push(Cell { line, text: rest });
    }
    cells
}

fn column(heading: &str) -> Column {
    let (name, unit) = heading.split_once(" [").unwrap_or((heading, ""));
    let shift = match unit.trim_end_matches(']') {
        "s" => 0,
        "ms" => 3,
        "us" | "\u{b5}s" | "\u{3bc}s" => 6,
        _ if name == "Command" => return Column::Command,
        _ if name == "Relative" => return Column::Relative,
        _ => return Column::Unknown,
    };
    match name {
        "Mean" => Column::Time("real_mean", shift),
        "Min" => Column::Time("real_min", shift),
        "Max" => Column::Time("real_max", shift),
        "Min\u{2026}Max" => Column::Range(shift),
        _ => Column::Unknown,
    }
}

/// A command without its marks: `` `a \| b` `` in Markdown and AsciiDoc, `=a \| b=` in Org.
fn command(text: &str) -> String {
    let inner = ['`', '='].iter().find_map(|mark| text.strip_prefix(*mark)?.strip_suffix(*mark));
    inner.unwrap_or(text).replace("\\|", "|")
}

fn write(columns: &[Column], rows: &[Vec<Cell<'_>>], heading: &Line<'_>, sink: &mut Sink<'_>) {
    let at = columns.iter().position(|column| *column == Column::Command).unwrap_or(0);
    let identity = |row: &Vec<Cell<'_>>| Identity {
        command: row.get(at).map(|cell| command(cell.text)),
        ..Identity::default()
    };
    let all: Vec<Identity> = rows.iter().map(identity).collect();
    let results = Results::new(&all);
    sink.close_run();
    for (index, row) in rows.iter().enumerate() {
        let Some(first) = row.first() else { continue };
        let content = results.conditions(index);
        let run = sink.run(RunRow { line: first.line.number, offset: first.line.offset, ..content });
        for (column, cell) in columns.iter().zip(row) {
            write_cell(*column, cell, run, sink);
        }
        if row.len() < columns.len() {
            sink.mark(run, Quality::INCOMPLETE);
            let last = row.last().map_or(first.line.number, |cell| cell.line.number);
            sink.cut(last, "a row of hyperfine's table ends early", "a cell for each heading");
        }
    }
    if rows.is_empty() {
        sink.cut(heading.number, "hyperfine's table ends early", "a row behind the headings");
    }
}

fn write_cell(column: Column, cell: &Cell<'_>, run: u32, sink: &mut Sink<'_>) {
    let mark = DecimalMark::Point;
    let (value, spread) = cell.text.split_once('\u{b1}').unwrap_or((cell.text, ""));
    let (value, spread) = (value.trim(), spread.trim());
    let mut put = |metric: &str, unit: Unit, raw: &str, value: Option<f64>, quality: Quality| {
        let at = (cell.line.number, cell.line.offset);
        let mut row = measured(run, at, Process::Client, metric, unit, value, raw);
        row.quality = quality;
        if value.is_none() {
            row.quality = row.quality.with(Quality::MALFORMED);
            let head = cell.line.text.find(raw).and_then(|at| cell.line.text.get(..at));
            let column = u32::try_from(head.map_or(0, |head| head.chars().count()) + 1).unwrap_or(1);
            sink.not_understood(at.0, column, "unreadable cell of hyperfine's table", raw, "a number");
        }
        sink.measure(row);
    };
    match column {
        Column::Time(metric, shift) => {
            put(metric, Unit::Secs, value, parse_scaled(value, mark, 1, shift), Quality::MEASURED);
            if !spread.is_empty() {
                let deviation = parse_scaled(spread, mark, 1, shift);
                put("real_stddev", Unit::Secs, spread, deviation, Quality::MEASURED);
            }
        }
        Column::Range(shift) => {
            let (min, max) = cell.text.split_once('\u{2026}').unwrap_or((cell.text, ""));
            for (metric, raw) in [("real_min", min.trim()), ("real_max", max.trim())] {
                put(metric, Unit::Secs, raw, parse_scaled(raw, mark, 1, shift), Quality::MEASURED);
            }
        }
        Column::Relative => {
            put("factor", Unit::Times, cell.text, parse_number(value, &mark), Quality::AS_PRINTED);
        }
        Column::Command | Column::Unknown => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::testing::{bytes, read, sample, values};
    use proptest::prelude::*;
    use triptych_model::Key;

    #[test]
    fn three_forms_of_one_genuine_table() {
        for name in ["two.md", "two.org", "two.adoc"] {
            let data = sample(&format!("hyperfine-table/{name}"));
            assert_eq!(data.formats, ["hyperfine-table"], "{name}");
            assert_eq!(
                values(&data, 0),
                [
                    "real_mean=0.0319s",
                    "real_stddev=0.0122s",
                    "real_min=0.0201s",
                    "real_max=0.0487s",
                    "factor=3.28x"
                ],
                "{name}"
            );
            assert_eq!(
                values(&data, 1),
                [
                    "real_mean=0.0098s",
                    "real_stddev=0.0077s",
                    "real_min=0.0036s",
                    "real_max=0.02s",
                    "factor=1x"
                ],
                "{name}"
            );
            assert_eq!(data.runs[0].content.get(Key::Operation), Some("verify"), "{name}");
            assert_eq!(data.runs[1].content.get(Key::Variant), Some("svnlook tree repo | wc -l"), "{name}");
            assert!(data.measurements[4].quality.has(Quality::AS_PRINTED), "{name}");
            assert_eq!((data.warnings(), data.not_understood, data.program_output), (0, 0, 0), "{name}");
        }
    }

    #[test]
    fn units_names_and_single_executions() {
        for name in ["names.md", "names.org", "names.adoc"] {
            let data = sample(&format!("hyperfine-table/{name}"));
            assert_eq!(values(&data, 1)[..2], ["real_mean=0.019s", "real_stddev=0.011s"], "{name}");
            let variants: Vec<_> = data.runs.iter().map(|run| run.content.get(Key::Variant)).collect();
            assert_eq!(variants, [Some("a #1"), Some("a #2"), Some("b|c \"x\", y")], "{name}");
        }
        let one = sample("hyperfine-table/one.md");
        assert_eq!(
            values(&one, 0),
            ["real_mean=0.0528s", "real_min=0.0528s", "real_max=0.0528s", "factor=1x"]
        );
        let genuine = sample("hyperfine-table/null-export-hot.md");
        assert_eq!(values(&genuine, 2)[..2], ["real_mean=1.691s", "real_stddev=0.059s"]);
        assert_eq!(genuine.runs[2].content.get(Key::Variant), Some("branch7"));
    }

    #[test]
    fn older_headings_quotes_and_damage() {
        let old = read(
            "| Command | Mean [\u{b5}s] | Min\u{2026}Max [\u{b5}s] |\n|:---|---:|---:|\n| `svn co A` | 12.5 \u{b1} 1.0 | 11.0\u{2026}14.0 |\n",
        );
        assert_eq!(
            values(&old, 0),
            ["real_mean=0.0000125s", "real_stddev=0.000001s", "real_min=0.000011s", "real_max=0.000014s"]
        );
        let quoted = read("> | Command | Mean [s] |\n> |:---|---:|\n> | `a` | 1.5 |\n");
        assert_eq!(values(&quoted, 0), ["real_mean=1.5s"]);
        let cut =
            read("| Command | Mean [s] | Min [s] |\n|:---|---:|---:|\n| `a` | 1.5 | 1.25 |\n| `b` | 1.2");
        assert_eq!((values(&cut, 1), cut.warnings()), (vec!["real_mean=1.2s".to_owned()], 1));
        let bad = read("| Command | Mean [s] |\n|:---|---:|\n| `a` | fast |\n");
        assert_eq!((bad.measurements[0].value, bad.problems[0].place().as_str()), (None, "test.txt:3:9"));
        assert_eq!(read("| a | b |\n|---|---|\n| 1 | 2 |\n").runs, []);
    }

    proptest! {
        #[test]
        fn no_damage_makes_it_panic(name in prop::sample::select(&["two.md", "two.org", "two.adoc"]), cut in 0_usize..400, junk in "[|=` a-z0-9.±\n]{0,12}") {
            let bytes = bytes(&format!("hyperfine-table/{name}"));
            let text = String::from_utf8_lossy(&bytes);
            let data = read(&format!("{}{junk}", text.chars().take(cut).collect::<String>()));
            prop_assert!(data.measurements.iter().all(|row| row.value.is_none_or(f64::is_finite)));
        }
    }
}
