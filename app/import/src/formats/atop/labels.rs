//! The lines of atop by their label, as its manual orders their fields.

use triptych_model::Unit;

/// What a line begins with behind the six fields that all lines share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `pid (name) state`.
    Process,
    /// The name of a disk.
    Disk,
    /// Nothing.
    Machine,
}

/// One label.
pub(super) struct Label {
    /// As printed.
    pub name: &'static str,
    shape: Shape,
    /// The field that tells processes (`y`) from threads (`n`), counted behind the shape's own.
    is_process: Option<usize>,
    /// A field that must be `y`, else the others mean nothing.
    valid: Option<usize>,
    /// Whether its values are a thread's own.
    pub of_threads: bool,
    /// What it says.
    pub values: &'static [Spec],
}

/// From a field to the base unit.
#[derive(Clone, Copy, Debug)]
enum Scale {
    /// Clock ticks of the interval, by the ticks a second in field 0: per cent of one core.
    Ticks,
    /// Nanoseconds of the interval: per cent.
    NanosShare,
    /// Milliseconds of the interval: per cent.
    MillisShare,
    /// Events of the interval: a second.
    Rate(f64),
    /// A figure of the moment; of a process that ended there is none.
    Now(f64),
    /// Pages of the size in field 0.
    Pages,
}

/// One value of a label.
pub(super) struct Spec {
    field: usize,
    /// Its metric.
    pub metric: &'static str,
    /// Its unit.
    pub unit: Unit,
    scale: Scale,
}

/// What a field holds.
#[derive(Debug, PartialEq)]
pub(super) enum Value<'l> {
    /// A figure in the base unit.
    Known(f64),
    /// Nothing: the version has no such field, or the figure means nothing.
    Absent,
    /// No number.
    Unreadable(&'l str),
}

const fn ticks(field: usize, metric: &'static str) -> Spec {
    Spec { field, metric, unit: Unit::Percent, scale: Scale::Ticks }
}

const fn sectors(field: usize, metric: &'static str) -> Spec {
    Spec { field, metric, unit: Unit::BytesPerSec, scale: Scale::Rate(512.0) }
}

const fn events(field: usize, metric: &'static str) -> Spec {
    Spec { field, metric, unit: Unit::PerSec, scale: Scale::Rate(1.0) }
}

const fn kib(field: usize, metric: &'static str) -> Spec {
    Spec { field, metric, unit: Unit::Bytes, scale: Scale::Now(1024.0) }
}

const fn pages(field: usize, metric: &'static str) -> Spec {
    Spec { field, metric, unit: Unit::Bytes, scale: Scale::Pages }
}

const fn share(field: usize, metric: &'static str, scale: Scale) -> Spec {
    Spec { field, metric, unit: Unit::Percent, scale }
}

const fn count(field: usize, metric: &'static str) -> Spec {
    Spec { field, metric, unit: Unit::Count, scale: Scale::Now(1.0) }
}

const fn machine(name: &'static str, values: &'static [Spec]) -> Label {
    Label { name, shape: Shape::Machine, is_process: None, valid: None, of_threads: false, values }
}

const fn disk(name: &'static str) -> Label {
    Label { name, shape: Shape::Disk, is_process: None, valid: None, of_threads: false, values: DISK }
}

/// The labels that are read.
pub(super) const LABELS: &[Label] = &[
    Label {
        name: "PRC",
        shape: Shape::Process,
        is_process: Some(10),
        valid: None,
        of_threads: true,
        values: PRC,
    },
    Label {
        name: "PRM",
        shape: Shape::Process,
        is_process: Some(13),
        valid: None,
        of_threads: false,
        values: PRM,
    },
    Label {
        name: "PRD",
        shape: Shape::Process,
        is_process: Some(9),
        valid: Some(1),
        of_threads: false,
        values: PRD,
    },
    machine("CPU", CPU),
    machine("CPL", CPL),
    machine("MEM", MEM),
    disk("DSK"),
    disk("LVM"),
    disk("MDD"),
];

/// Field 0 has the ticks a second.
const PRC: &[Spec] = &[ticks(1, "cpu_user"), ticks(2, "cpu_sys"), share(11, "cpu_wait", Scale::NanosShare)];

const PRM: &[Spec] = &[kib(1, "vsz"), kib(2, "rss"), events(6, "minflt_rate"), events(7, "majflt_rate")];

const PRD: &[Spec] = &[sectors(3, "read_rate"), sectors(5, "write_rate"), sectors(6, "ccwr_rate")];

/// Field 0 has the ticks a second, field 1 the number of processors.
const CPU: &[Spec] = &[
    ticks(2, "cpu_sys"),
    ticks(3, "cpu_user"),
    ticks(4, "cpu_nice"),
    ticks(5, "cpu_idle"),
    ticks(6, "cpu_iowait"),
    ticks(7, "cpu_irq"),
    ticks(8, "cpu_softirq"),
    ticks(9, "cpu_steal"),
    ticks(10, "cpu_guest"),
];

const CPL: &[Spec] = &[
    count(1, "ldavg-1"),
    count(2, "ldavg-5"),
    count(3, "ldavg-15"),
    events(4, "cswch/s"),
    events(5, "intr/s"),
];

/// Field 0 has the bytes of a page.
const MEM: &[Spec] = &[pages(2, "mem_free"), pages(3, "mem_cached"), pages(4, "mem_buffers")];

const DISK: &[Spec] = &[
    share(0, "%util", Scale::MillisShare),
    events(1, "r/s"),
    sectors(2, "read_rate"),
    events(3, "w/s"),
    sectors(4, "write_rate"),
];

/// A line split by its label.
#[derive(Debug, PartialEq)]
pub(super) struct Fields<'l> {
    /// Process id and name.
    pub process: Option<(u32, &'l str)>,
    /// The name of a disk.
    pub name: Option<&'l str>,
    /// Whether it is a thread of a process.
    pub thread: bool,
    /// Whether the process ended within the interval.
    ended: bool,
    /// Whether the figures mean anything.
    valid: bool,
    fields: Vec<&'l str>,
}

impl Label {
    /// Splits what follows the interval; `None` where it does not fit.
    pub fn split<'l>(&self, rest: &'l str) -> Option<Fields<'l>> {
        let (process, state, name, rest) = match self.shape {
            Shape::Process => {
                let (pid, name, state, rest) = process(rest)?;
                (Some((pid, name)), state, None, rest)
            }
            Shape::Disk => {
                let (name, rest) = rest.split_once(' ')?;
                (None, "", Some(name), rest)
            }
            Shape::Machine => (None, "", None, rest),
        };
        let fields: Vec<&str> = rest.split(' ').collect();
        let says = |field: Option<usize>, word: &str| {
            field.and_then(|field| fields.get(field)).is_some_and(|found| *found == word)
        };
        let (thread, valid) = (says(self.is_process, "n"), !says(self.valid, "n"));
        // A line that is cut has not even the fields of the oldest version.
        let least = self.values.iter().map(|value| value.field).filter(|field| *field < 9).max()?;
        let whole = fields.len() > least;
        whole.then_some(Fields { process, name, thread, ended: state == "E", valid, fields })
    }
}

/// `7 (a b) S …`, and with -Z `7 a_b S …`: id, name, state and what follows.
fn process(rest: &str) -> Option<(u32, &str, &str, &str)> {
    let (pid, rest) = rest.split_once(' ')?;
    let (name, rest) = match rest.strip_prefix('(') {
        // The name may hold parentheses: behind it stand one letter and numbers.
        Some(inside) => inside.match_indices(") ").find_map(|(at, mark)| {
            let behind = inside.get(at + mark.len()..)?;
            let is_state = behind
                .as_bytes()
                .get(..2)
                .is_some_and(|head| head[0].is_ascii_uppercase() && head[1] == b' ');
            is_state.then_some((inside.get(..at)?, behind))
        })?,
        None => rest.split_once(' ')?,
    };
    let (state, rest) = rest.split_once(' ')?;
    Some((pid.parse().ok()?, name, state, rest))
}

impl Spec {
    /// The value of an interval of so many seconds, above 0.
    pub fn read<'l>(&self, fields: &Fields<'l>, interval: f64) -> Value<'l> {
        let number = |field: usize| fields.fields.get(field).map(|cell| (*cell, cell.parse::<f64>().ok()));
        let (cell, value) = match number(self.field) {
            Some((cell, Some(value))) if value.is_finite() => (cell, value),
            Some((cell, _)) => return Value::Unreadable(cell),
            None => return Value::Absent,
        };
        let base = number(0).and_then(|(_, base)| base).filter(|base| *base > 0.0);
        let known = match self.scale {
            Scale::Ticks => base.map(|hertz| value / hertz / interval * 100.0),
            Scale::NanosShare => Some(value / 1e9 / interval * 100.0).filter(|_| !fields.ended),
            Scale::MillisShare => Some(value / 1000.0 / interval * 100.0),
            Scale::Rate(factor) => Some(value * factor / interval),
            Scale::Now(factor) => Some(value * factor).filter(|_| !fields.ended),
            Scale::Pages => base.map(|bytes| value * bytes),
        };
        match known {
            Some(_) if !fields.valid || value < 0.0 => Value::Absent,
            Some(known) => Value::Known(known),
            None if base.is_none() => Value::Unreadable(cell),
            None => Value::Absent,
        }
    }
}
