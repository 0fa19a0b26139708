//! The columns of top's table and what they mean, by their names in the languages of procps.

use crate::formats::sysstat::cell::{EXPECTED, KIB};
use crate::number::parse_duration;
use triptych_model::Unit;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The process id.
    Pid,
    /// The command; it may hold blanks.
    Command,
    /// KiB without a letter, else with one: `10.3g`.
    Size,
    /// CPU time, `0:00.25`.
    Time,
    /// A plain figure.
    Plain,
    /// No figure over time: the user, the state, the core.
    Ignored,
    /// Unknown: a figure, or text that is left alone.
    Unknown,
}

/// Names of a column, English first; metric; unit; kind.
type Known = (&'static [&'static str], &'static str, Unit, Kind);

const KNOWN: &[Known] = &[
    (&["PID", "进程号"], "", Unit::Count, Kind::Pid),
    (
        &["COMMAND", "BEFEHL", "COM.", "KOMENDA", "COMANDO", "COMANDĂ", "KOMMANDO", "LỆNH", "ბრძანება"],
        "",
        Unit::Count,
        Kind::Command,
    ),
    (&["%CPU"], "cpu", Unit::Percent, Kind::Plain),
    (&["%MEM", "%PAM", "%MIN"], "mem_share", Unit::Percent, Kind::Plain),
    (&["VIRT", "WIRT"], "vsz", Unit::Bytes, Kind::Size),
    (&["RES", "REZ"], "rss", Unit::Bytes, Kind::Size),
    (&["SHR", "WSP", "DELT"], "shared", Unit::Bytes, Kind::Size),
    (&["SWAP", "ÉCH.", "VÄXL"], "swap", Unit::Bytes, Kind::Size),
    (&["CODE", "KOD", "MÃ"], "CODE", Unit::Bytes, Kind::Size),
    (&["DATA", "DATEN", "DANE", "DADO"], "DATA", Unit::Bytes, Kind::Size),
    (&["USED", "UTIL", "UŻ.", "USAD", "ANV", "DÙNG"], "USED", Unit::Bytes, Kind::Size),
    (
        &["TIME+", "ZEIT+", "TEMPS+", "CZAS+", "TEMPO+", "TIMP+", "TID+", "THGIAN+"],
        "cpu_time",
        Unit::Secs,
        Kind::Time,
    ),
    (
        &["TIME", "ZEIT", "TEMPS", "CZAS", "TEMPO", "TIMP", "TID", "GIỜ", "დრო", "时间"],
        "cpu_time",
        Unit::Secs,
        Kind::Time,
    ),
    (&["nTH", "nWT", "aTR"], "threads", Unit::Count, Kind::Plain),
    (&["nMaj"], "majflt", Unit::Count, Kind::Plain),
    (&["nMin"], "minflt", Unit::Count, Kind::Plain),
    (
        &[
            "USER", "PR", "NI", "S", "P", "UID", "GID", "TTY", "PPID", "PGRP", "SID", "TGID", "TPGID",
            "RUSER", "RUID", "SUSER", "SUID", "GROUP", "Flags", "WCHAN", "NU",
        ],
        "",
        Unit::Count,
        Kind::Ignored,
    ),
];

/// top's own choice of columns, where a language is not known here.
const USUAL: &[&str] =
    &["PID", "USER", "PR", "NI", "VIRT", "RES", "SHR", "S", "%CPU", "%MEM", "TIME+", "COMMAND"];

/// One column.
#[derive(Debug)]
pub(super) struct Column {
    name: String,
    metric: String,
    unit: Unit,
    kind: Kind,
}

/// The columns of one header.
#[derive(Debug)]
pub(super) struct Columns {
    all: Vec<Column>,
    command: usize,
}

/// A row split by its header.
pub(super) struct Row<'c, 't> {
    pub pid: u32,
    pub command: &'t str,
    /// Column, cell, and the cell's byte offset in the line.
    pub values: Vec<(&'c Column, &'t str, usize)>,
}

impl Columns {
    /// Reads a header; `None` where it has no process id.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut all: Vec<Column> = text.split_whitespace().map(Column::of).collect();
        if all.len() == USUAL.len() {
            for (column, usual) in all.iter_mut().zip(USUAL) {
                if column.kind == Kind::Unknown {
                    *column = Column::of(usual);
                }
            }
        }
        let last = all.len().checked_sub(1)?;
        let position = |kind: Kind| all.iter().position(|column| column.kind == kind);
        position(Kind::Pid)?;
        let command = position(Kind::Command).unwrap_or(last);
        Some(Self { all, command })
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Splits a row: the command takes what the columns left and right of it leave.
    pub(super) fn split<'s, 't>(&'s self, text: &'t str) -> Option<Row<'s, 't>> {
        let (left, right) = (self.all.get(..self.command)?, self.all.get(self.command + 1..)?);
        let mut row = Row { pid: 0, command: "", values: Vec::with_capacity(self.all.len()) };
        let mut pid = None;
        let mut rest = text.trim_end();
        let mut take = |column: &'s Column, cell: &'t str| {
            let at = cell.as_ptr() as usize - text.as_ptr() as usize;
            let Column { kind, .. } = column;
            match kind {
                Kind::Pid => pid = cell.parse().ok(),
                Kind::Ignored | Kind::Command => {}
                _ => row.values.push((column, cell, at)),
            }
        };
        for column in left {
            rest = rest.trim_start();
            let (cell, behind) = rest.split_at_checked(rest.find(char::is_whitespace)?)?;
            take(column, cell);
            rest = behind;
        }
        for column in right.iter().rev() {
            let (behind, cell) = rest.split_at_checked(rest.trim_end().rfind(char::is_whitespace)?)?;
            take(column, cell.trim());
            rest = behind;
        }
        row.command = rest.trim();
        row.pid = pid?;
        (!row.command.is_empty()).then_some(row)
    }
}

impl Column {
    fn of(name: &str) -> Self {
        let known = KNOWN.iter().find(|(names, ..)| names.contains(&name));
        let (metric, unit, kind) = match known {
            Some((_, metric, unit, kind)) => ((*metric).to_owned(), *unit, *kind),
            None if name.starts_with('%') => (name.to_owned(), Unit::Percent, Kind::Unknown),
            None => (name.to_owned(), Unit::Count, Kind::Unknown),
        };
        Self { name: name.to_owned(), metric, unit, kind }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn metric(&self) -> &str {
        &self.metric
    }

    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// The value of a cell in the base unit; `None` for text of an unknown column.
    ///
    /// # Errors
    /// What was expected instead.
    pub(super) fn value(&self, cell: &str) -> Result<Option<f64>, &'static str> {
        match self.kind {
            Kind::Size => size(cell).map(Some).ok_or("KiB, or a size such as 10.3g"),
            Kind::Time => time(cell).map(Some).ok_or("a time such as 0:00.25"),
            Kind::Unknown => Ok(figure(cell)),
            _ => figure(cell).map(Some).ok_or(EXPECTED),
        }
    }
}

fn figure(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'-'));
    text.replace(',', ".").parse().ok().filter(|value: &f64| plain && value.is_finite())
}

/// `m`, `g`, `t`, `p` are powers of 1024 of KiB.
fn size(text: &str) -> Option<f64> {
    let letters = [('k', 0), ('m', 1), ('g', 2), ('t', 3), ('p', 4), ('e', 5)];
    let found = letters.iter().find_map(|(letter, power)| Some((text.strip_suffix(*letter)?, *power)));
    let (digits, power) = found.unwrap_or((text, 0));
    Some(figure(digits)? * KIB.powi(power + 1))
}

/// `1:23.63` keeps its point in every locale; what does not fit becomes `123:45`, `20h`, `3d` or `5w`.
fn time(text: &str) -> Option<f64> {
    let units = [('h', 3600.0), ('d', 86_400.0), ('w', 604_800.0)];
    if let Some((digits, secs)) =
        units.iter().find_map(|(unit, secs)| Some((text.strip_suffix(*unit)?, *secs)))
    {
        return Some(figure(digits)? * secs);
    }
    let (minutes, secs) = text.split_once(':')?;
    let minutes: u64 = minutes.parse().ok()?;
    let secs = parse_duration(&format!("{}s", secs.replace(',', ".")))?;
    (secs < 60.0).then_some(minutes as f64 * 60.0 + secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times() {
        for (text, expect) in [
            ("7692", Some(7692.0 * 1024.0)),
            ("10.3g", Some(10.3 * 1024.0 * 1024.0 * 1024.0)),
            ("10,3g", Some(10.3 * 1024.0 * 1024.0 * 1024.0)),
            ("512m", Some(512.0 * 1024.0 * 1024.0)),
            ("1.5t", Some(1.5 * 1_099_511_627_776.0)),
            ("2p", Some(2.0 * 1_125_899_906_842_624.0)),
            ("x", None),
            ("", None),
            ("inf", None),
        ] {
            assert_eq!(size(text), expect, "{text}");
        }
        for (text, expect) in [
            ("0:00.25", Some(0.25)),
            ("1:23.63", Some(83.63)),
            ("123:45.67", Some(7425.67)),
            ("1234:56", Some(74_096.0)),
            ("20h", Some(72_000.0)),
            ("3d", Some(259_200.0)),
            ("5w", Some(3_024_000.0)),
            ("0:60.00", None),
            ("12", None),
        ] {
            assert_eq!(time(text), expect, "{text}");
        }
    }

    #[test]
    fn a_command_may_stand_anywhere_and_hold_blanks() {
        let header =
            Columns::parse("  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND")
                .expect("a header");
        let text =
            "21731 root      20   0    7692   3296   3012 R 118.8   0.0   0:00.25 svn serve -c while :; do";
        let row = header.split(text).expect("a row");
        assert_eq!((row.pid, row.command), (21_731, "svn serve -c while :; do"));
        let header = Columns::parse("COMMAND %CPU PID").expect("a header");
        let row = header.split("a b  12,5 7").expect("a row");
        assert_eq!((row.pid, row.command, row.values[0].1, row.values[0].2), (7, "a b", "12,5", 5));
        let unknown = Columns::parse("PID XYZ PR NI A B C S %CPU %MEM T COMM").expect("a header");
        let names: Vec<&str> = unknown.all.iter().map(|column| column.metric.as_str()).collect();
        assert_eq!(names[4..7], ["vsz", "rss", "shared"]);
        assert!(Columns::parse("%CPU COMMAND").is_none());
        assert!(Columns::parse("").is_none());
    }
}
