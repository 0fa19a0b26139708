//! The columns of pidstat and the metrics they give.

use crate::formats::sysstat::cell::{self, KIB};
use triptych_model::Unit;

/// Begins the metrics of single threads (`-t`), so that no sum counts them beside their process.
pub(super) const THREAD: &str = "thread_";

/// Which id a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id {
    /// `PID` or `TGID`.
    Process,
    /// `TID`.
    Thread,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Who it is.
    Id(Id),
    /// The command; takes the rest of the row.
    Command,
    /// A value over time.
    Value,
    /// Not a value over time: the user, the core it ran on, the scheduling policy.
    Ignored,
}

/// One column of a header.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// As printed.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// The metric of a process.
    pub base: String,
    /// Base unit.
    pub unit: Unit,
    /// From the printed unit to the base unit.
    factor: f64,
    /// Whether a negative figure means that pidstat was not allowed to look.
    negative_is_absent: bool,
}

/// Printed name, metric, unit, factor.
const VALUES: &[(&str, &str, Unit, f64)] = &[
    ("%usr", "cpu_user", Unit::Percent, 1.0),
    ("%user", "cpu_user", Unit::Percent, 1.0),
    ("%user", "cpu_user", Unit::Percent, 1.0),
    ("%system", "cpu_sys", Unit::Percent, 1.0),
    ("%guest", "cpu_guest", Unit::Percent, 1.0),
    ("%wait", "cpu_wait", Unit::Percent, 1.0),
    ("%CPU", "cpu", Unit::Percent, 1.0),
    ("minflt/s", "minflt_rate", Unit::PerSec, 1.0),
    ("majflt/s", "majflt_rate", Unit::PerSec, 1.0),
    ("minflt-nr", "minflt", Unit::Count, 1.0),
    ("majflt-nr", "majflt", Unit::Count, 1.0),
    ("VSZ", "vsz", Unit::Bytes, KIB),
    ("RSS", "rss", Unit::Bytes, KIB),
    ("%MEM", "mem_share", Unit::Percent, 1.0),
    ("StkSize", "StkSize", Unit::Bytes, KIB),
    ("StkRef", "StkRef", Unit::Bytes, KIB),
    ("kB_rd/s", "read_rate", Unit::BytesPerSec, KIB),
    ("kB_wr/s", "write_rate", Unit::BytesPerSec, KIB),
    ("kB_ccwr/s", "ccwr_rate", Unit::BytesPerSec, KIB),
    ("usr-ms", "interval_user", Unit::Secs, 0.001),
    ("system-ms", "interval_sys", Unit::Secs, 0.001),
    ("guest-ms", "interval_guest", Unit::Secs, 0.001),
];

/// Columns that keep their own name.
const PLAIN: &[&str] = &["threads", "fd-nr", "cswch/s", "nvcswch/s", "prio", "iodelay"];

const IGNORED: &[&str] = &["UID", "USER", "CPU", "policy"];

/// Reads the names of a header behind its time.
pub(super) fn parse(names: &str) -> Vec<Column> {
    names.split_whitespace().map(column).collect()
}

/// Whether pidstat is known to write a column of that name.
pub(super) fn is_known(name: &str) -> bool {
    let ids = ["PID", "TGID", "TID", "Command"];
    ids.contains(&name)
        || IGNORED.contains(&name)
        || PLAIN.contains(&name)
        || VALUES.iter().any(|(printed, ..)| *printed == name)
}

fn column(name: &str) -> Column {
    let role = match name {
        "PID" | "TGID" => Role::Id(Id::Process),
        "TID" => Role::Id(Id::Thread),
        "Command" => Role::Command,
        _ if IGNORED.contains(&name) => Role::Ignored,
        _ => Role::Value,
    };
    let known = VALUES.iter().find(|(printed, ..)| *printed == name);
    let (base, unit, factor) = match known {
        Some((_, metric, unit, factor)) => (*metric, *unit, *factor),
        None if name.starts_with('%') => (name, Unit::Percent, 1.0),
        None if name.ends_with("/s") => (name, Unit::PerSec, 1.0),
        None => (name, Unit::Count, 1.0),
    };
    // Priorities are the only figures that may be below zero.
    let negative_is_absent = name != "prio";
    Column { name: name.to_owned(), role, base: base.to_owned(), unit, factor, negative_is_absent }
}

impl Column {
    /// The metric of a process or of one of its threads.
    pub fn metric(&self, thread: bool) -> String {
        if thread { format!("{THREAD}{}", self.base) } else { self.base.clone() }
    }

    /// The value of a cell in the base unit, `None` where pidstat had none.
    ///
    /// # Errors
    /// What was expected instead.
    pub fn value(&self, cell: &str) -> Result<Option<f64>, &'static str> {
        let value = cell::value(cell, self.unit, self.factor)?;
        Ok(value.filter(|value| *value >= 0.0 || !self.negative_is_absent))
    }
}
