//! Tables of system-wide tools: columns by their header, one of them naming the part of the machine.

use super::cell;
use super::clock::Moment;
use super::names::{Meaning, meaning, own_name};
use super::record::{Figure, Recorder, Who, note};
use crate::sink::Sink;
use crate::text::Line;
use triptych_model::{Problem, ProblemKind, Process, Quality, Severity};

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It names the part of the machine that the row is of.
    Item(Part),
    /// No figure: a manufacturer, a topology.
    Ignored,
    /// A figure.
    Value,
}

/// Parts of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A processor; `all` or -1 is the machine.
    Cpu,
    /// A NUMA node; `all` too, for the processors' table has the machine.
    Node,
    /// A block device.
    Disk,
    /// An interface of a network.
    Net,
    /// An interrupt; `sum` is the machine.
    Interrupt,
    /// Something else: a file system, a fan.
    Other,
}

/// Columns that name a part, text and JSON.
const PARTS: &[(&str, Part)] = &[
    ("CPU", Part::Cpu),
    ("cpu", Part::Cpu),
    ("number", Part::Cpu),
    ("NODE", Part::Node),
    ("node", Part::Node),
    ("DEV", Part::Disk),
    ("Device", Part::Disk),
    ("Device:", Part::Disk),
    ("disk_device", Part::Disk),
    ("disk-device", Part::Disk),
    ("IFACE", Part::Net),
    ("iface", Part::Net),
    ("INTR", Part::Interrupt),
    ("intr", Part::Interrupt),
    ("TTY", Part::Other),
    ("line", Part::Other),
    ("FILESYSTEM", Part::Other),
    ("MOUNTPOINT", Part::Other),
    ("filesystem", Part::Other),
    ("FCHOST", Part::Other),
    ("fch-host", Part::Other),
    ("FAN", Part::Other),
    ("TEMP", Part::Other),
    ("IN", Part::Other),
    ("BUS", Part::Other),
    ("BAT", Part::Other),
];

/// Columns of text, and of the topology that mpstat -T prints.
const IGNORED: &[&str] = &[
    "CORE", "SOCK", "DEVICE", "manufact", "product", "idvendor", "idprod", "maxpower", "hostname", "status",
];

/// The part that a column or key of that name names.
pub fn part(name: &str) -> Option<Part> {
    PARTS.iter().find(|(known, _)| *known == name).map(|(_, part)| *part)
}

/// Whose row it is, and what goes before the name of a metric that the machine has too.
pub fn who(part: Part, label: &str, item: &str) -> (Who, &'static str) {
    let machine = (Who::part(Process::System), "");
    match part {
        Part::Cpu if matches!(item, "all" | "-1") => machine,
        Part::Interrupt if matches!(item, "sum" | "-1") => machine,
        Part::Cpu => {
            let number = item.strip_prefix("cpu").unwrap_or(item);
            (Who::part(Process::Other(format!("cpu:{number}"))), "core_")
        }
        Part::Node => (Who::part(Process::Other(format!("node:{item}"))), "node_"),
        Part::Disk => (Who::part(Process::Disk(item.to_owned())), ""),
        Part::Net => (Who::part(Process::Other(format!("net:{item}"))), ""),
        Part::Interrupt => (Who::part(Process::Other(format!("irq:{item}"))), ""),
        Part::Other if label == "line" => (Who::part(Process::Other(format!("tty:{item}"))), ""),
        Part::Other => (Who::part(Process::Other(format!("{}:{item}", label.to_ascii_lowercase()))), ""),
    }
}

/// One column of a header.
#[derive(Clone, Debug)]
pub struct Column {
    /// As printed.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Metric and unit of a figure.
    pub meaning: Meaning,
}

impl Column {
    fn of(name: &str) -> Self {
        let role = match part(name) {
            Some(part) => Role::Item(part),
            None if IGNORED.contains(&name) => Role::Ignored,
            None => Role::Value,
        };
        Self { name: name.to_owned(), role, meaning: meaning(name) }
    }
}

/// The columns of one header.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
}

/// A row split by its header.
pub struct Row<'t> {
    /// The part that it names.
    pub item: Option<(Part, &'t str)>,
    /// Column, cell, and the cell's byte offset in the line.
    pub values: Vec<(usize, &'t str, usize)>,
}

impl Row<'_> {
    /// Takes off what may be cut of the last row of a source without a last line end.
    ///
    /// Figures stand right-aligned below their header, which had `width` characters. A name in the last
    /// column is whole where it was met before; else the row is given up.
    pub fn drop_cut_cell(&mut self, table: &Table, line: &Line<'_>, width: usize, sink: &mut Sink<'_>) {
        if !line.is_open {
            return;
        }
        let is_cut = match (table.columns.last().map(|column| column.role), self.item) {
            (Some(Role::Item(part)), Some((_, item))) => {
                let process = who(part, table.label(), item).0.process;
                let met = sink.data.series.iter().any(|series| series.process == process);
                if !met {
                    self.values.clear();
                }
                !met
            }
            _ if line.text.chars().count() < width => self.values.pop().is_some(),
            _ => false,
        };
        if is_cut {
            sink.data.not_understood += 1;
            cut(line, sink);
        }
    }
}

impl Table {
    /// Reads the names of a header.
    pub fn new<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let mut columns: Vec<Column> = Vec::new();
        for name in names {
            let before = columns.last().map_or("", |column| column.name.as_str());
            columns.push(Column::of(own_name(before, name)));
        }
        // mpstat -T names the node of each processor; one column names the row.
        let mut items = 0;
        for column in &mut columns {
            if matches!(column.role, Role::Item(_)) {
                items += 1;
                if items > 1 {
                    column.role = Role::Ignored;
                }
            }
        }
        Self { columns }
    }

    /// The name of the column that names the part.
    fn label(&self) -> &str {
        let label = self.columns.iter().find(|column| matches!(column.role, Role::Item(_)));
        label.map_or("", |column| column.name.as_str())
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// A column.
    pub fn column(&self, index: usize) -> Option<&Column> {
        self.columns.get(index)
    }

    /// Splits a row that stands at byte `at` of its line by blanks; `None` where it has too few or too many cells.
    ///
    /// A name that is the last column takes the rest of the row. Columns of text may be empty, as in
    /// the row of all processors of `mpstat -T`.
    pub fn split<'t>(&self, rest: &'t str, at: usize) -> Option<Row<'t>> {
        self.split_with(rest, at, true).or_else(|| self.split_with(rest, at, false))
    }

    fn split_with<'t>(&self, rest: &'t str, at: usize, has_text: bool) -> Option<Row<'t>> {
        let mut row = Row { item: None, values: Vec::with_capacity(self.columns.len()) };
        let mut left = rest;
        for (index, column) in self.columns.iter().enumerate() {
            if column.role == Role::Ignored && !has_text {
                continue;
            }
            left = left.trim_start();
            let is_last = index + 1 == self.columns.len();
            let takes_rest = is_last && matches!(column.role, Role::Item(Part::Other) | Role::Ignored);
            let end = match left.find(char::is_whitespace) {
                Some(end) if !takes_rest => end,
                _ => left.trim_end().len(),
            };
            let (cell, behind) = left.split_at_checked(end).filter(|(cell, _)| !cell.is_empty())?;
            match column.role {
                Role::Item(part) => row.item = Some((part, cell)),
                Role::Ignored => {}
                Role::Value => row.values.push((index, cell, at + rest.len() - left.len())),
            }
            left = behind;
        }
        left.trim().is_empty().then_some(row)
    }

    /// Takes cells that are split already.
    pub fn cells<'t>(&self, cells: impl Iterator<Item = (&'t str, usize)>) -> Row<'t> {
        let mut row = Row { item: None, values: Vec::with_capacity(self.columns.len()) };
        for ((index, column), (cell, at)) in self.columns.iter().enumerate().zip(cells) {
            match column.role {
                Role::Item(part) => row.item = Some((part, cell)),
                Role::Ignored => {}
                Role::Value => row.values.push((index, cell, at)),
            }
        }
        row
    }
}

/// Puts rows into series; knows how many processors a share is of.
pub struct Rows {
    /// The series.
    pub recorder: Recorder,
    /// How many processors the machine has, where the log says so.
    pub cpus: Option<u32>,
    as_printed: bool,
}

impl Rows {
    /// Rows of a machine with that many processors.
    pub fn new(cpus: Option<u32>, sink: &Sink<'_>) -> Self {
        Self { recorder: Recorder::new(sink), cpus: cpus.filter(|cpus| *cpus > 0), as_printed: false }
    }

    /// Adds one figure of a part of the machine: a share of all processors becomes per cents of one.
    #[expect(clippy::too_many_arguments, reason = "a sample has just so many facts")]
    pub fn figure(
        &mut self,
        who: &Who,
        prefix: &str,
        meaning: &Meaning,
        value: f64,
        at: Moment,
        line: u32,
        sink: &mut Sink<'_>,
    ) {
        let mut figure =
            Figure { metric: &meaning.metric, unit: meaning.unit, value, quality: Quality::NONE };
        if meaning.is_share() && who.process == Process::System {
            match self.cpus {
                Some(cpus) => figure.value *= f64::from(cpus),
                None => {
                    self.as_printed = true;
                    figure.quality = Quality::AS_PRINTED;
                }
            }
        }
        if meaning.is_share() && !prefix.is_empty() {
            let metric = format!("{prefix}{}", meaning.metric);
            self.recorder.add(who, Figure { metric: &metric, ..figure }, at, line, sink);
        } else {
            self.recorder.add(who, figure, at, line, sink);
        }
    }

    /// Adds the readable cells of a row; the others are warned about.
    pub fn row(&mut self, table: &Table, row: &Row<'_>, line: &Line<'_>, at: Moment, sink: &mut Sink<'_>) {
        let (who, prefix) = match row.item {
            Some((part, item)) => who(part, table.label(), item),
            None => (Who::part(Process::System), ""),
        };
        for (index, cell, place) in &row.values {
            let Some(column) = table.column(*index) else { continue };
            match cell::value(cell, column.meaning.unit, column.meaning.factor) {
                Ok(Some(value)) => {
                    self.figure(&who, prefix, &column.meaning, value, at, line.number, sink);
                }
                Ok(None) => {}
                Err(expected) => unreadable(line, *place, &column.name, cell, expected, sink),
            }
        }
    }

    /// Tells what was read as it stands.
    pub fn finish(&self, line: u32, sink: &mut Sink<'_>) {
        let told =
            |sink: &Sink<'_>| sink.data.series.iter().any(|series| series.quality.has(Quality::AS_PRINTED));
        if self.as_printed && told(sink) {
            note(sink, ProblemKind::Other, line, AS_PRINTED);
        }
    }
}

const AS_PRINTED: &str = "the log does not say how many processors there are: loads of the whole machine stand as \
                          printed, 100 % is all processors together";

/// Warns of a cell that is no figure.
pub fn unreadable(line: &Line<'_>, at: usize, name: &str, cell: &str, expected: &str, sink: &mut Sink<'_>) {
    let before = line.text.get(..at).unwrap_or("").chars().count();
    let place = u32::try_from(before + 1).unwrap_or(u32::MAX);
    sink.not_understood(line.number, place, &format!("unreadable value of {name}"), cell, expected);
}

/// Warns of a row that does not fit its header, or of the last one, which is cut.
pub fn bad_row(line: &Line<'_>, columns: usize, sink: &mut Sink<'_>) {
    if line.is_open {
        sink.data.not_understood += 1;
        cut(line, sink);
    } else {
        let expected = format!("{columns} columns as in the header");
        sink.not_understood(line.number, 1, "a row that does not fit its header", line.text, &expected);
    }
}

/// Warns that the last row is cut.
pub fn cut(line: &Line<'_>, sink: &mut Sink<'_>) {
    let path = sink.data.path.clone();
    sink.problem(
        Problem::new(Severity::Warning, ProblemKind::Cut, path, "the last row is cut; the rest was kept")
            .at_line(line.number)
            .found(line.text.chars().take(80).collect::<String>()),
    );
}
