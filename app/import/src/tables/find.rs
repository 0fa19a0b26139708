//! Finds tables: a header of words, and below it rows of as many cells, some column of which holds
//! nothing but figures.

use super::cells::{Look, look};
use super::shape::{Shape, is_rule, trailing_figures};
use crate::text::{Line, Lines};
use std::ops::Range;

/// A table in a source.
#[derive(Clone, Debug)]
pub struct Table {
    /// Index of the header's line.
    pub start: usize,
    /// Index behind the last row.
    pub end: usize,
    /// Texts of the header, one a column; empty where a column has none.
    pub header: Vec<String>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// Indices of lines between the rows that have another number of cells.
    pub odd: Vec<usize>,
}

/// One row: the index of its line and the places of its cells in the line's text.
#[derive(Clone, Debug)]
pub struct Row {
    /// Index of its line.
    pub at: usize,
    /// One place a column.
    pub cells: Vec<Range<usize>>,
}

impl Row {
    /// The text of a cell, `""` where there is none.
    pub fn cell<'l>(&self, lines: &'l Lines<'_>, column: usize) -> &'l str {
        let place = self.cells.get(column).cloned();
        place.and_then(|place| lines.get(self.at)?.text.get(place)).unwrap_or("")
    }
}

impl Table {
    /// How many lines are its header, its rows and what stands between them.
    pub fn lines(&self) -> usize {
        self.rows.len() + self.odd.len() + 1
    }
}

/// Lines between rows that are no rows may be this many.
const ODD_LINES: usize = 2;

/// Longer lines are no rows of a table that a person made.
const LONGEST: usize = 4000;

/// The table whose header is that line.
pub fn at(lines: &Lines<'_>, at: usize) -> Option<Table> {
    let line = lines.get(at)?;
    if line.is_blank() || line.text.len() > LONGEST || is_rule(line.text) {
        return None;
    }
    let next = rows_from(lines, at + 1, line.depth).next()?;
    for shape in Shape::OF_HEADERS {
        let header = header_of(&line, shape);
        let header = header.filter(|header| !goes_on(lines, at, shape, header.len()));
        if let Some(table) = header.and_then(|header| read(lines, at, header, shape)) {
            return Some(table);
        }
    }
    // Labels of several words, all parted by single blanks: the figures at the end are counted.
    let figures = trailing_figures(next.1.text);
    if figures < 2 {
        return None;
    }
    let header = [Shape::Gaps, Shape::Words].into_iter().find_map(|shape| {
        header_of(&line, shape).filter(|header| header.len() == figures || header.len() == figures + 1)
    })?;
    read(lines, at, header, Shape::Tail(figures))
}

/// Lines that are neither blank nor rules, at one quote depth, up to the first gap of two blank lines.
fn rows_from<'l>(lines: &'l Lines<'_>, at: usize, depth: u8) -> impl Iterator<Item = (usize, Line<'l>)> {
    let mut blank = 0;
    lines
        .starting_at(at)
        .take_while(move |(_, line)| {
            blank = if line.is_blank() { blank + 1 } else { 0 };
            line.depth == depth && blank < 2
        })
        .filter(|(_, line)| !line.is_blank() && !is_rule(line.text))
}

/// The texts of a header, if the line can be one.
fn header_of(line: &Line<'_>, shape: Shape) -> Option<Vec<String>> {
    let cells = shape.cells(line.text);
    if cells.len() < 2 {
        return None;
    }
    let text = |place: &Range<usize>| line.text.get(place.clone()).unwrap_or("").to_owned();
    let header: Vec<String> = cells.iter().map(text).collect();
    let is_short = |text: &String| text.chars().count() <= 40 && text.split_whitespace().count() <= 6;
    let has_value = header.iter().any(|text| !matches!(look(text), Look::Empty | Look::Text | Look::Number));
    let words = header.iter().filter(|text| look(text) == Look::Text).count();
    let is_sign = |text: &String| {
        !text.is_empty() && !text.contains(char::is_alphanumeric) && text != "#" && text != "%"
    };
    let fits = header.iter().all(is_short) && !has_value && words > 0 && !header.iter().any(is_sign);
    (fits && header.iter().all(|text| is_balanced(text)) && numbers_are_names(&header)).then_some(header)
}

/// Whether every bracket has its partner: source code in lines of as many commas is no table.
fn is_balanced(text: &str) -> bool {
    let count = |c: char| text.matches(c).count();
    [('(', ')'), ('[', ']'), ('{', '}')].iter().all(|(open, close)| count(*open) == count(*close))
        && count('"') % 2 == 0
}

/// Whether the numbers in a header can be names: counts of threads, or versions such as 1.9 and 1.14; other
/// decimals make it a row of data.
fn numbers_are_names(header: &[String]) -> bool {
    let mut numbers = header.iter().filter(|text| look(text) == Look::Number);
    let major = |text: &String| text.split_once('.').map(|(major, _)| major.to_owned());
    let mut seen: Vec<&String> = Vec::new();
    let mut alike = |text: &'_ _| {
        let twice = seen.contains(text);
        seen.push(text);
        !twice && major(text) == seen.first().and_then(|first| major(first))
    };
    numbers.all(|text| alike(&text))
}

/// Whether the line above has as many cells: then it was asked before whether it is the header.
fn goes_on(lines: &Lines<'_>, at: usize, shape: Shape, cells: usize) -> bool {
    let depth = lines.get(at).map(|line| line.depth);
    let above = at.checked_sub(1).and_then(|above| lines.get(above));
    above.is_some_and(|line| {
        shape.is_explicit() && Some(line.depth) == depth && shape.cells(line.text).len() == cells
    })
}

/// Reads the rows below a header; `None` where there is no table.
fn read(lines: &Lines<'_>, start: usize, mut header: Vec<String>, shape: Shape) -> Option<Table> {
    let depth = lines.get(start)?.depth;
    let first = rows_from(lines, start + 1, depth).next()?;
    let count = shape.cells(first.1.text).len();
    if count == header.len() + 1 && !(shape.is_explicit() && shape != Shape::Pipes) {
        // The column of the rows' names often has none itself.
        header.insert(0, String::new());
    }
    if count != header.len() {
        return None;
    }
    let mut table = Table { start, end: start + 1, header, rows: Vec::new(), odd: Vec::new() };
    let mut odd: Vec<usize> = Vec::new();
    for (index, line) in rows_from(lines, start + 1, depth) {
        let cells = if line.text.len() > LONGEST { Vec::new() } else { shape.cells(line.text) };
        if cells.len() == table.header.len() {
            table.odd.append(&mut odd);
            table.rows.push(Row { at: index, cells });
            table.end = index + 1;
            let rows = table.rows.len();
            if CHECKED_AT.contains(&rows) && !has_figures(lines, &table, shape, rows >= SETTLED_AT) {
                return None;
            }
        } else {
            odd.push(index);
            if odd.len() > ODD_LINES {
                break;
            }
            if shape.is_explicit() && !cells.is_empty() && odd.len() == 1 && index == table.end {
                // A row cut short is one all the same.
                table.odd.append(&mut odd);
                table.end = index + 1;
            }
        }
    }
    is_table(lines, &table, shape).then_some(table)
}

/// Whether the rows make a table of figures: enough of them, and a column that holds only figures.
fn is_table(lines: &Lines<'_>, table: &Table, shape: Shape) -> bool {
    let least = match shape {
        Shape::Words if table.header.len() == 2 => 3,
        _ if is_alone(lines, table) => 1,
        _ => 2,
    };
    if table.rows.len() < least {
        return false;
    }
    has_figures(lines, table, shape, true)
}

/// Whether columns hold nothing but figures, and not too few of them; where the rows do not say it yet, empty
/// cells may become figures.
fn has_figures(lines: &Lines<'_>, table: &Table, shape: Shape, is_whole: bool) -> bool {
    // Of a long table the head tells.
    let rows = table.rows.get(..ROWS_LOOKED_AT).unwrap_or(&table.rows);
    let holds_figures = |column: &usize| {
        let mut figures = 0;
        let fits = rows.iter().all(|row| {
            let look = look(row.cell(lines, *column));
            figures += usize::from(!matches!(look, Look::Empty | Look::Absent));
            look != Look::Text
        });
        fits && (figures > 0 || !is_whole)
    };
    let figures = (0..table.header.len()).filter(holds_figures).count();
    // Prose in lines of as many words has a number here and there.
    let most_words = if shape == Shape::Words { figures + 2 } else { usize::MAX };
    figures > 0 && table.header.len() - figures <= most_words
}

/// Where it is checked whether the rows make a table, so that long prose is given up soon.
const CHECKED_AT: [usize; 4] = [1, 4, 50, ROWS_LOOKED_AT];

/// So many rows without any figure are no table, or each of a million lines would be the header of all below.
const SETTLED_AT: usize = 50;

/// How many rows are looked at to say what a column holds.
pub const ROWS_LOOKED_AT: usize = 1000;

/// Whether the source holds nothing else.
fn is_alone(lines: &Lines<'_>, table: &Table) -> bool {
    let outside = |at: &usize| lines.get(*at).is_some_and(|line| !line.is_blank() && !is_rule(line.text));
    let around = (0..table.start.min(3)).chain(table.end..lines.len().min(table.end + 3));
    table.start < 3 && !around.into_iter().any(|at| outside(&at))
}
