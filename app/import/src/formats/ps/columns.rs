//! The columns of ps, by the names in its header.

use crate::formats::counters::snapshots::CounterSpec;
use crate::number::parse_duration;
use triptych_model::Unit;

/// What a column is for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    /// The process id.
    Pid,
    /// The id of a thread.
    Thread,
    /// The command; may hold blanks.
    Command,
    /// Seconds since the process began.
    Age,
    /// CPU seconds since then.
    Cpu,
    /// Another counter.
    Counter(CounterSpec),
    /// A figure of the moment.
    Gauge {
        /// Its metric.
        metric: String,
        /// Its unit.
        unit: Unit,
        /// From the printed unit to that.
        factor: f64,
        /// Whether ps is known to print it; else a cell that is no number is no mistake.
        known: bool,
    },
    /// When the process began, in one, two or five words.
    Started,
    /// Nothing to count.
    Ignored,
}

/// One column of a header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    /// As printed.
    pub name: String,
    /// What it is for.
    pub role: Role,
}

const KIB: f64 = 1024.0;

/// Printed names, metric, unit, factor.
const GAUGES: &[(&[&str], &str, Unit, f64)] = &[
    // The mean since the process began: no load of an interval.
    (&["%CPU", "PCPU"], "cpu_mean", Unit::Percent, 1.0),
    (&["%MEM", "PMEM"], "mem_share", Unit::Percent, 1.0),
    (&["RSS", "RSZ", "RSSIZE"], "rss", Unit::Bytes, KIB),
    (&["VSZ", "VSIZE"], "vsz", Unit::Bytes, KIB),
    (&["PSS"], "pss", Unit::Bytes, KIB),
    (&["NLWP", "THCNT"], "threads", Unit::Count, 1.0),
];

const COUNTERS: &[(&[&str], CounterSpec)] = &[
    (&["MINFLT", "MINFL"], CounterSpec::events("minflt_rate", "minflt")),
    (&["MAJFLT", "MAJFL"], CounterSpec::events("majflt_rate", "majflt")),
];

/// Names whose cells are no figures, or figures of no use.
const IGNORED: &[&str] = &[
    "ADDR", "C", "CLS", "CP", "EGID", "EUID", "EUSER", "F", "GID", "GROUP", "NI", "P", "PGID", "PGRP", "POL",
    "PPID", "PR", "PRI", "PSR", "RGID", "RTPRIO", "RUID", "RUSER", "S", "SESS", "SID", "STAT", "STATE",
    "STIME", "SZ", "TPGID", "TT", "TTY", "UID", "USER", "WCHAN",
];

/// The columns of `ps aux`, whose rows are known by their shape.
const AUX: &str = "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND";

/// The columns that a header names; `None` for a line that is none of ps.
pub(super) fn header(text: &str) -> Option<Vec<Column>> {
    // The fixed word first: every line of every log comes by here.
    if !text.contains("PID") {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase() || b"%_".contains(&byte));
    let of_top = ["VIRT", "SHR", "RES"].iter().any(|name| words.contains(name));
    if !words.contains(&"PID") || of_top || words.len() < 2 || !words.iter().all(is_name) {
        return None;
    }
    let columns: Vec<Column> = words.into_iter().map(column).collect();
    let counts = |column: &Column| {
        matches!(column.role, Role::Age | Role::Cpu | Role::Counter(_) | Role::Gauge { known: true, .. })
    };
    columns.iter().any(counts).then_some(columns)
}

/// The columns of a row that needs no header: `root 1 0.0 0.1 16 28 ? Ss 08:06 0:00 svnserve`.
pub(super) fn without_header(text: &str) -> Option<Vec<Column>> {
    let is_whole = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    // The second word tells most lines of other logs apart.
    if text.len() < 40 || !text.split_whitespace().nth(1).is_some_and(is_whole) {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().take(11).collect();
    let [_, pid, cpu, mem, vsz, rss, _, state, start, time, _] = words[..] else { return None };
    let is_share = |word: &str| {
        word.split_once(['.', ',']).is_some_and(|(a, b)| is_whole(a) && b.len() == 1 && is_whole(b))
    };
    let fits = [pid, vsz, rss].iter().all(|word| is_whole(word))
        && is_share(cpu)
        && is_share(mem)
        && state.starts_with(|c: char| "DIRSTtWXZ".contains(c))
        && start.chars().any(|c| c.is_ascii_digit())
        && time.contains(':')
        && parse_duration(time).is_some();
    fits.then(|| AUX.split_whitespace().map(column).collect())
}

fn column(name: &str) -> Column {
    let of = |names: &[&str]| names.contains(&name);
    let role = match name {
        "PID" => Role::Pid,
        "LWP" | "TID" | "SPID" => Role::Thread,
        "COMMAND" | "CMD" | "ARGS" | "COMM" => Role::Command,
        "ELAPSED" | "ETIME" | "ETIMES" => Role::Age,
        "TIME" | "CPUTIME" | "CPUTIMES" | "TIMES" => Role::Cpu,
        "STARTED" | "LSTART" => Role::Started,
        "START" => Role::Ignored,
        _ if IGNORED.contains(&name) => Role::Ignored,
        _ => {
            if let Some((_, spec)) = COUNTERS.iter().find(|(names, _)| of(names)) {
                Role::Counter(*spec)
            } else {
                let known = GAUGES.iter().find(|(names, ..)| of(names));
                let (metric, unit, factor) = known
                    .map_or((name, Unit::Count, 1.0), |(_, metric, unit, factor)| (*metric, *unit, *factor));
                Role::Gauge { metric: metric.to_owned(), unit, factor, known: known.is_some() }
            }
        }
    };
    Column { name: name.to_owned(), role }
}

impl Column {
    /// The value of a cell in the base unit; `None` where ps had none or nothing counts.
    ///
    /// # Errors
    /// What was expected instead.
    pub fn value(&self, cell: &str) -> Result<Option<f64>, &'static str> {
        if cell == "-" {
            return Ok(None);
        }
        match &self.role {
            Role::Age | Role::Cpu => {
                let secs = number(cell).or_else(|| parse_duration(cell));
                secs.map(Some).ok_or("seconds, or [[dd-]hh:]mm:ss")
            }
            Role::Counter(_) => number(cell).map(Some).ok_or("a number"),
            Role::Gauge { factor, known, .. } => match number(cell) {
                Some(value) => Ok(Some(value * factor)),
                None if *known => Err("a number such as 12.5"),
                None => Ok(None),
            },
            Role::Pid | Role::Thread | Role::Command | Role::Started | Role::Ignored => Ok(None),
        }
    }
}

/// A number with either decimal mark.
fn number(cell: &str) -> Option<f64> {
    let digits = cell.starts_with(|c: char| c.is_ascii_digit()) && !cell.contains(':');
    let value: f64 = cell.replace(',', ".").parse().ok()?;
    (digits && value.is_finite()).then_some(value)
}

/// A row split by its header.
#[derive(Debug, PartialEq)]
pub(super) struct Cells<'l> {
    /// The process.
    pub pid: u32,
    /// The thread, where the header has such a column and it is not the process' first.
    pub thread: Option<u32>,
    /// The command, where it has one.
    pub command: Option<&'l str>,
    /// Each cell by column, with its place in bytes.
    pub values: Vec<(Option<&'l str>, usize)>,
}

impl<'l> Cells<'l> {
    /// Splits a row: columns before the command from the left, those behind it from the right, and
    /// the command is what is left. `None` where it does not fit.
    pub fn split(columns: &[Column], text: &'l str) -> Option<Self> {
        let command = columns.iter().position(|column| column.role == Role::Command);
        let (before, behind) = match command {
            Some(at) => (columns.get(..at)?, columns.get(at + 1..)?),
            None => (columns, [].as_slice()),
        };
        let mut values = Vec::with_capacity(columns.len());
        let mut rest = text;
        for column in before {
            let cell = take_first(&mut rest, column)?;
            values.push((Some(cell), text.len() - rest.len() - cell.len()));
        }
        let mut last = Vec::new();
        for _ in behind {
            let trimmed = rest.trim_end();
            let at = trimmed.rfind(char::is_whitespace)?;
            let (front, cell) = (trimmed.get(..at)?, trimmed.get(at..)?.trim_start());
            last.push((Some(cell), text.len() - rest.len() + trimmed.len() - cell.len()));
            rest = front;
        }
        let name = rest.trim();
        if command.is_some() == name.is_empty() {
            return None;
        }
        if command.is_some() {
            values.push((Some(name), 0));
        }
        values.extend(last.into_iter().rev());
        let id = |role: Role| {
            let at = columns.iter().position(|column| column.role == role)?;
            values.get(at)?.0?.parse().ok()
        };
        let (pid, thread) = (id(Role::Pid)?, id(Role::Thread));
        let has_thread = columns.iter().any(|column| column.role == Role::Thread);
        if has_thread && thread.is_none() {
            return None;
        }
        // The row of the first thread shows the time of the whole process [run].
        let thread = thread.filter(|thread| *thread != pid);
        Some(Self { pid, thread, command: command.map(|_| name), values })
    }
}

/// Takes the cell of a column off the head of a row.
fn take_first<'l>(rest: &mut &'l str, column: &Column) -> Option<&'l str> {
    *rest = rest.trim_start();
    let words = if column.role == Role::Started { words_of_start(rest) } else { 1 };
    let mut end = 0;
    for _ in 0..words {
        let behind = rest.get(end..)?;
        let word = behind.trim_start();
        let blanks = behind.len() - word.len();
        end += blanks + word.find(char::is_whitespace).unwrap_or(word.len());
    }
    let (cell, behind) = rest.split_at_checked(end)?;
    *rest = behind;
    (!cell.is_empty()).then_some(cell)
}

/// `Mon Nov 30 08:06:39 2026` of lstart, `Nov 30` or `08:06:39` of start.
fn words_of_start(text: &str) -> usize {
    let mut words = text.split_whitespace();
    let is_name = |word: Option<&str>| {
        word.is_some_and(|word| word.len() == 3 && word.chars().all(char::is_alphabetic))
    };
    match (is_name(words.next()), is_name(words.next())) {
        (true, true) => 5,
        (true, false) => 2,
        _ => 1,
    }
}
