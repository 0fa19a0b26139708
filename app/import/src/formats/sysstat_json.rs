//! JSON of sysstat: `sadf -j`, `mpstat -o JSON` and `iostat -o JSON`, told apart by their members.
//!
//! What was killed is cut in the middle, old versions wrote a comma too many or decimal commas: the
//! text is mended where that can be done without a guess, and said so. iostat's first report is an
//! average since the boot and is left out as in its text.

mod mend;

use crate::format::{Confidence, DocumentFormat};
use crate::formats::iostat::{FIRST_LEFT_OUT, ONLY_ONE};
use crate::formats::sysstat::banner::{date_of, day_first};
use crate::formats::sysstat::cell;
use crate::formats::sysstat::clock::{self, BlockClock, Moment};
use crate::formats::sysstat::names::{Meaning, meaning, meaning_in};
use crate::formats::sysstat::record::{Who, note, note_start, tell, zone_told};
use crate::formats::sysstat::stamp::Stamp;
use crate::formats::sysstat::table::{self, Part, Rows};
use crate::formats::sysstat::zone::Zone;
use crate::json::{self, Kind, Node};
use crate::sink::Sink;
use crate::zone::offset_of;
use triptych_model::{Cancelled, FormatSpec, Problem, ProblemKind, Process, Severity, Unit};

/// The row of [`crate::FORMATS`].
pub static SYSSTAT_JSON: SysstatJson = SysstatJson;

static SPEC: FormatSpec = FormatSpec {
    id: "sysstat-json",
    title: "sysstat JSON",
    help: "load of the machine over time, from sadf -j, mpstat -o JSON or iostat -o JSON",
    extensions: &["json"],
    samples: "sysstat-json",
};

/// The reader.
pub struct SysstatJson;

impl DocumentFormat for SysstatJson {
    fn spec(&self) -> &'static FormatSpec {
        &SPEC
    }

    fn sniff(&self, head: &[u8]) -> Confidence {
        let text = String::from_utf8_lossy(head);
        let blanks = ['\u{feff}', ' ', '\t', '\r', '\n'];
        let inner =
            text.trim_start_matches(blanks).strip_prefix('{').map(|rest| rest.trim_start_matches(blanks));
        if inner.is_some_and(|inner| inner.starts_with("\"sysstat\"")) {
            Confidence::Certain
        } else {
            Confidence::No
        }
    }

    fn read(&self, bytes: &[u8], sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let text = String::from_utf8_lossy(bytes);
        let mended = mend::mend(&text);
        let places = json::Places::new(&text);
        let root = match json::parse(&mended.text) {
            Ok(root) => root,
            Err(error) => {
                let path = sink.data.path.clone();
                let message = format!("no complete JSON: {}", error.message);
                sink.data.error = Some(
                    Problem::new(Severity::Error, ProblemKind::Malformed, path, message)
                        .at_line(error.line)
                        .at_column(error.column)
                        .expected("JSON as sysstat writes it, {\"sysstat\": {\"hosts\": …}}"),
                );
                return Ok(());
            }
        };
        for (kind, offset, message) in &mended.notes {
            let (line, column) = places.of(*offset);
            let severity = if *kind == ProblemKind::Cut { Severity::Warning } else { Severity::Note };
            let path = sink.data.path.clone();
            sink.problem(Problem::new(severity, *kind, path, *message).at_line(line).at_column(column));
        }
        let hosts = root.get("sysstat").and_then(|node| node.get("hosts")).and_then(Node::elements);
        for host in hosts.unwrap_or_default() {
            Host::new(host, &places, mended.leads_with_comma, sink).read(host, sink)?;
        }
        Ok(())
    }
}

/// One host of a document.
struct Host<'t> {
    places: &'t json::Places<'t>,
    clock: BlockClock,
    zone: Zone,
    zone_told: bool,
    rows: Rows,
    /// Whether the first report is known to be no average since the boot.
    without_first: bool,
    /// Whether the day stands before the month in its dates.
    day_first: Option<bool>,
}

impl<'t> Host<'t> {
    fn new(host: &Node<'_>, places: &'t json::Places<'t>, without_first: bool, sink: &Sink<'_>) -> Self {
        let cpus = host.get("number-of-cpus").and_then(|node| node.text().parse().ok());
        let printed = host.get("date").and_then(word).unwrap_or("");
        let reports = host.get("statistics").and_then(Node::elements).unwrap_or_default();
        let times = reports.iter().filter_map(|report| word(report.get("timestamp")?)).take(1);
        let day_first = day_first(printed, times);
        let date = date_of(printed, day_first).map(|printed| printed.date);
        let offset = sink.options.zone_offset_secs;
        Self {
            places,
            clock: BlockClock::new(date, offset),
            zone: Zone::new(offset),
            zone_told: zone_told(sink),
            rows: Rows::new(cpus, sink),
            without_first,
            day_first,
        }
    }

    fn read(mut self, host: &Node<'_>, sink: &mut Sink<'_>) -> Result<(), Cancelled> {
        let reports = host.get("statistics").and_then(Node::elements).unwrap_or_default();
        let line = self.places.of(host.offset).0;
        let of_iostat = reports.iter().any(|report| report.get("avg-cpu").is_some() || has_device(report));
        if !reports.is_empty() && reports.iter().all(|report| report.get("timestamp").is_none()) {
            refuse_timeless(line, sink);
            return Ok(());
        }
        let is_since_boot = of_iostat && !self.without_first && !leads_with_blank(host);
        let skips = is_since_boot && reports.len() > 1;
        for (index, report) in reports.iter().enumerate() {
            sink.check(report.offset as u64)?;
            let is_left_out = skips && index == 0;
            self.report(report, is_left_out, sink);
        }
        note_start(sink, self.clock.guessed_start());
        let zone = self.zone.note().or_else(|| self.clock.zone_note()).filter(|_| !self.zone_told);
        tell(&self.rows.recorder, zone, line, sink);
        self.rows.finish(line, sink);
        if skips {
            note(sink, ProblemKind::Other, line, FIRST_LEFT_OUT);
        } else if is_since_boot && reports.len() == 1 {
            note(sink, ProblemKind::Other, line, ONLY_ONE);
        }
        Ok(())
    }

    fn report(&mut self, report: &Node<'_>, is_left_out: bool, sink: &mut Sink<'_>) {
        let Kind::Object(members) = &report.kind else { return };
        let stamp = report.get("timestamp");
        let Some(moment) = stamp.and_then(|stamp| self.moment(stamp)) else {
            let (line, column) = self.places.of(stamp.unwrap_or(report).offset);
            let found: String = stamp.unwrap_or(report).text().chars().take(40).collect();
            let expected = "a timestamp; iostat needs -t to write it";
            sink.not_understood(line, column, "a report without a readable time", &found, expected);
            return;
        };
        let interval = stamp.and_then(|stamp| stamp.get("interval")?.text().parse::<i64>().ok());
        let start = interval.and_then(|secs| moment.micros.checked_sub(secs.checked_mul(1_000_000)?));
        if is_left_out {
            note_start(sink, Some(moment.micros));
            return;
        }
        self.clock.saw(moment);
        if start.is_some() {
            note_start(sink, start);
        }
        let machine = (Who::part(Process::System), "");
        for (activity, node) in members.iter().filter(|(name, _)| name != "timestamp") {
            self.walk(activity, node, &machine, moment, sink);
        }
    }

    /// The time of a report: an object of sadf, date and time of iostat, or mpstat's time of day.
    fn moment(&mut self, stamp: &Node<'_>) -> Option<Moment> {
        if let Some(text) = word(stamp) {
            return match Stamp::parse_by(text, self.day_first) {
                Some(stamp) => stamp.moment(&mut self.zone, None),
                None => self.clock.moment(clock::split_time(text).0?),
            };
        }
        let part = |name: &str| stamp.get(name).and_then(word);
        let offset = match stamp.get("utc").map(Node::text) {
            Some("1") => Some(0),
            _ => part("tz").and_then(offset_of),
        };
        let text = format!("{} {}", part("date")?, part("time")?);
        Stamp::parse(&text)?.moment(&mut self.zone, offset)
    }

    /// Takes the figures of an activity; objects in a list name the part that they are of.
    fn walk(
        &mut self,
        activity: &str,
        node: &Node<'_>,
        whose: &(Who, &'static str),
        moment: Moment,
        sink: &mut Sink<'_>,
    ) {
        match &node.kind {
            Kind::Array(elements) => {
                for element in elements {
                    self.walk(activity, element, whose, moment, sink);
                }
            }
            Kind::Object(members) => {
                if let Some((name, value)) = named_value(members) {
                    let meaning = Meaning { metric: format!("{name}/s"), unit: Unit::PerSec, factor: 1.0 };
                    return self.figure(&meaning, value, whose, moment, sink);
                }
                if members.iter().any(|(name, _)| name == "pid") {
                    return refuse_processes(self.places.of(node.offset).0, sink);
                }
                let item = item_of(members);
                let own = item.map(|(part, name, item)| table::who(part, name, &item));
                let whose = own.as_ref().unwrap_or(whose);
                for (name, value) in members {
                    match value.kind {
                        Kind::Number if item_name(members) != Some(name.as_str()) => {
                            self.figure(&meaning_of(activity, name), value, whose, moment, sink);
                        }
                        Kind::Array(_) | Kind::Object(_) => self.walk(name, value, whose, moment, sink),
                        _ => {}
                    }
                }
            }
            Kind::Number => self.figure(&meaning(activity), node, whose, moment, sink),
            _ => {}
        }
    }

    fn figure(
        &mut self,
        meaning: &Meaning,
        node: &Node<'_>,
        (who, prefix): &(Who, &'static str),
        moment: Moment,
        sink: &mut Sink<'_>,
    ) {
        let (line, column) = self.places.of(node.offset);
        match cell::value(node.text(), meaning.unit, meaning.factor) {
            Ok(Some(value)) => self.rows.figure(who, prefix, meaning, value, moment, line, sink),
            Ok(None) => {}
            Err(expected) => {
                let message = format!("unreadable value of {}", meaning.metric);
                sink.not_understood(line, column, &message, node.text(), expected);
            }
        }
    }
}

/// Nothing says when the reports were made.
fn refuse_timeless(line: u32, sink: &mut Sink<'_>) {
    let path = sink.data.path.clone();
    sink.data.error = Some(
        Problem::new(Severity::Error, ProblemKind::Refused, path, "the reports have no times")
            .at_line(line)
            .expected("a member \"timestamp\" of each report")
            .next_step("take `iostat -t -o JSON`"),
    );
}

/// pidstat writes JSON since 2025, in a form of which no sample is known.
fn refuse_processes(line: u32, sink: &mut Sink<'_>) {
    let message = "figures of processes in JSON are not read; take `pidstat -h` without -o JSON";
    sink.not_understood(line, 1, message, "pid", "figures of the machine or of its parts");
}

fn meaning_of(activity: &str, name: &str) -> Meaning {
    if activity == "avg-cpu" { meaning(name) } else { meaning_in(activity, name) }
}

/// `{"name": "LOC", "value": 1.00}`: interrupts of one kind that mpstat counts for the part around it.
fn named_value<'n, 't>(members: &'n [(String, Node<'t>)]) -> Option<(&'n str, &'n Node<'t>)> {
    let [(first, name), (second, value)] = members else { return None };
    (first == "name" && second == "value" && value.kind == Kind::Number).then_some((word(name)?, value))
}

/// Whether nothing but blank lines, more than one, lead a host's reports: `iostat -y` leaves a line empty.
fn leads_with_blank(host: &Node<'_>) -> bool {
    let list = host.get("statistics").map_or("", Node::text);
    let blank: Vec<&str> = list.trim_start_matches('[').split('\n').take(2).collect();
    blank.len() == 2 && blank.iter().all(|line| line.trim().is_empty())
}

/// Whether a report has a list of disks as iostat writes it.
fn has_device(report: &Node<'_>) -> bool {
    let disks = report.get("disk").and_then(Node::elements).unwrap_or_default();
    disks.iter().any(|disk| disk.get("disk_device").is_some())
}

/// The text of a string; none with an escape is a name or a time.
fn word<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.kind {
        Kind::String(text) => Some(text),
        _ => None,
    }
}

/// The member that names the part of the machine: a known name, else the first string.
fn item_name<'n>(members: &'n [(String, Node<'_>)]) -> Option<&'n str> {
    let known = members.iter().find(|(name, node)| is_item(name, node));
    let first = || members.iter().find(|(_, node)| word(node).is_some());
    known.or_else(first).map(|(name, _)| name.as_str())
}

/// `cpu` and `line` may be numbers, which `intr` among figures is not.
fn is_item(name: &str, node: &Node<'_>) -> bool {
    table::part(name).is_some() && (word(node).is_some() || node.kind == Kind::Number)
}

fn item_of<'n>(members: &'n [(String, Node<'_>)]) -> Option<(Part, &'n str, String)> {
    let name = item_name(members)?;
    let node = members.iter().find(|(known, _)| known == name).map(|(_, node)| node)?;
    let item = word(node).unwrap_or(node.text()).to_owned();
    Some((table::part(name).unwrap_or(Part::Other), name, item))
}

#[cfg(test)]
mod tests;
