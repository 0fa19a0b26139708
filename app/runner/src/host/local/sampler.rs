//! The sampler: reads client, server and machine at every tick of the loop that waits for the client.
//!
//! It has no thread of its own. All files stay open, all memory is bounded, and nothing is written.
//! Loads are those of the interval that ends at the tick; their sum over time is what was used.
//!
//! What processes did to the disks, and the machine's load, which counts in steps of 10 ms, cost as much
//! as all else together: they are read twice a second, and their interval is since then.

use super::devices::DiskCounter;
use super::tree::{Total, Tree};
use crate::procfs::{Kept, MachineTime};
use nix::time::ClockId;
use std::time::Duration;
use triptych_model::runlog::{LiveSample, LiveValue, SampleSeries, SampleTable};
use triptych_model::{Process, Unit};

/// Rows that are kept, a full hour at 50 Hz: 10 MB. Later ones are counted only.
const MOST_ROWS: usize = 180_000;

/// How long after one full reading the next is due: with the fifth tick at 10 Hz, be it a little early.
const FULL_EVERY: Duration = Duration::from_millis(450);

/// One column of the samples.
struct Column {
    of: Whose,
    metric: &'static str,
    unit: Unit,
}

/// Whose a column is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    Client,
    Server,
    System,
}

const fn column(of: Whose, metric: &'static str, unit: Unit) -> Column {
    Column { of, metric, unit }
}

/// In the order in which `Row` is filled.
const COLUMNS: &[Column] = &[
    column(Whose::Client, "cpu", Unit::Percent),
    column(Whose::Client, "cpu_user", Unit::Percent),
    column(Whose::Client, "cpu_sys", Unit::Percent),
    column(Whose::Client, "rss", Unit::Bytes),
    column(Whose::Client, "read_rate", Unit::BytesPerSec),
    column(Whose::Server, "cpu", Unit::Percent),
    column(Whose::Server, "cpu_user", Unit::Percent),
    column(Whose::Server, "cpu_sys", Unit::Percent),
    column(Whose::Server, "rss", Unit::Bytes),
    column(Whose::Server, "read_rate", Unit::BytesPerSec),
    column(Whose::System, "cpu_user", Unit::Percent),
    column(Whose::System, "cpu_sys", Unit::Percent),
    column(Whose::System, "cpu_iowait", Unit::Percent),
];

/// Not a number: could not be read, or was not at that tick.
type Row = [f32; COLUMNS.len()];

/// What was read at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moment {
    /// Since the client's start.
    pub(super) at: Duration,
    /// Whether disks and machine were read too.
    is_full: bool,
    /// The client with its children, where it can be read.
    pub(super) client: Option<Total>,
    /// The server with its children.
    pub(super) server: Option<Total>,
    /// The machine.
    pub(super) machine: Option<MachineTime>,
    /// Bytes that the medium's disk read since boot; looked at before and behind the run only.
    pub(super) disk_read: Option<u64>,
    /// CPU time of this process.
    pub(super) own_ns: u64,
    /// System time of client and server that was given to earlier intervals.
    given_sys: [u64; 2],
}

/// What is counted from: the last moment of all, and the last one at which everything was read.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    tick: Moment,
    full: Moment,
}

impl Marks {
    /// Both are that moment.
    fn at(moment: Moment) -> Self {
        Self { tick: moment, full: moment }
    }

    fn behind(self, moment: Moment) -> Self {
        Self { tick: moment, full: if moment.is_full { moment } else { self.full } }
    }
}

/// The name, the process id and the command of a role.
pub(super) struct Role {
    pub(super) process: Process,
    pub(super) pid: u32,
    pub(super) command: String,
}

/// The sampler of one run.
pub(super) struct Sampler {
    machine: Option<Kept>,
    disk: Option<DiskCounter>,
    client: Option<Tree>,
    /// As of the last row and of the one before.
    last: Marks,
    before: Marks,
    times: Vec<f64>,
    rows: Vec<Row>,
    dropped: u64,
}

impl Sampler {
    /// Opens what can be opened before the client starts.
    pub(super) fn new(disk: Option<DiskCounter>) -> Self {
        Self {
            machine: Kept::open("/proc/stat").ok(),
            disk,
            client: None,
            last: Marks::default(),
            before: Marks::default(),
            times: Vec::new(),
            rows: Vec::new(),
            dropped: 0,
        }
    }

    /// Reads everything just before the client starts; loads count from here.
    pub(super) fn restart(&mut self, server: Option<&mut Tree>) -> Moment {
        let mut base = self.read(Duration::ZERO, server, true);
        base.disk_read = self.disk.as_ref().and_then(DiskCounter::read_bytes);
        // What has not started has used nothing.
        base.client = Some(Total::default());
        base.given_sys = [0, base.server.map_or(0, |total| total.sys_ns)];
        self.last = Marks::at(base);
        self.before = self.last;
        base
    }

    /// The client runs: keeps its files open.
    pub(super) fn started(&mut self, pid: u32) {
        self.client = Tree::open(pid).ok();
    }

    /// Reads everything, or all but disks and machine.
    fn read(&mut self, at: Duration, server: Option<&mut Tree>, is_full: bool) -> Moment {
        let mut buffer = [0; 4096];
        let machine = self.machine.as_ref().filter(|_| is_full);
        let machine = machine.and_then(|file| MachineTime::parse(file.read(&mut buffer).ok()?));
        let read = if is_full { Tree::read } else { Tree::read_quickly };
        Moment {
            at,
            is_full,
            client: self.client.as_mut().map(read),
            server: server.map(read),
            machine,
            disk_read: None,
            own_ns: own_cpu_ns(),
            given_sys: self.last.tick.given_sys,
        }
    }

    /// Keeps what happened since the last tick, and says it for the live view.
    pub(super) fn tick(&mut self, at: Duration, server: Option<&mut Tree>) -> LiveSample {
        // Of a short run too it shall be known what it reads while it lives.
        let is_full = self.rows.is_empty() || at.saturating_sub(self.last.full.at) >= FULL_EVERY;
        let moment = self.read(at, server, is_full);
        let (row, moment) = row_between(&self.last, moment);
        let own_ns = moment.own_ns.saturating_sub(self.last.tick.own_ns);
        let secs = secs_between(&self.last.tick, &moment);
        self.keep(row, moment);
        LiveSample {
            elapsed_secs: at.as_secs_f64(),
            values: live_values(&row),
            own_cpu: percent(own_ns, secs),
            ..LiveSample::default()
        }
    }

    /// The last reading, of the zombie; an interval too short to mean much is joined with the one before.
    pub(super) fn finish(
        &mut self,
        at: Duration,
        tick: Duration,
        server: Option<&mut Tree>,
        keep: bool,
    ) -> Moment {
        let mut moment = self.read(at, server, true);
        moment.disk_read = self.disk.as_ref().and_then(DiskCounter::read_bytes);
        if !keep {
            return moment;
        }
        if at.saturating_sub(self.last.tick.at) < tick / 4 && self.dropped == 0 && self.rows.pop().is_some() {
            self.times.pop();
            self.last = self.before;
        }
        let given_sys = self.last.tick.given_sys;
        let (row, moment) = row_between(&self.last, Moment { given_sys, ..moment });
        self.keep(row, moment);
        moment
    }

    fn keep(&mut self, row: Row, moment: Moment) {
        self.before = self.last;
        self.last = self.last.behind(moment);
        if self.rows.len() < MOST_ROWS {
            self.rows.push(row);
            self.times.push(moment.at.as_secs_f64());
        } else {
            self.dropped += 1;
        }
    }

    /// The series that have a value at all.
    pub(super) fn table(self, roles: &[Option<Role>; 2]) -> SampleTable {
        let series = COLUMNS.iter().enumerate().filter_map(|(index, column)| {
            let values: Vec<Option<f64>> =
                self.rows.iter().map(|row| row.get(index).and_then(|value| rounded(*value))).collect();
            let role = match column.of {
                Whose::Client => roles[0].as_ref(),
                Whose::Server => roles[1].as_ref(),
                Whose::System => None,
            };
            values.iter().any(Option::is_some).then(|| SampleSeries {
                process: role.map_or(Process::System, |role| role.process.clone()),
                pid: role.map(|role| role.pid),
                command: role.map(|role| role.command.clone()),
                metric: column.metric.to_owned(),
                unit: column.unit,
                values,
            })
        });
        let series = series.collect();
        let times = self.times.iter().map(|secs| (secs * 1e6).round() / 1e6).collect();
        SampleTable { times, series, dropped: self.dropped }
    }
}

/// The row of a moment; system time is given out in whole steps as it becomes known, so that user and
/// system together are always the clock's total.
fn row_between(from: &Marks, mut to: Moment) -> (Row, Moment) {
    let (secs, full_secs) = (secs_between(&from.tick, &to), secs_between(&from.full, &to));
    let mut row = [f32::NAN; COLUMNS.len()];
    let pairs = [(from.tick.client, to.client), (from.tick.server, to.server)];
    let read_before = [from.full.client, from.full.server].map(|total| total.and_then(|t| t.read_bytes()));
    for (place, pair) in pairs.into_iter().enumerate() {
        let (Some(old), Some(new)) = pair else { continue };
        let cpu = new.cpu_ns.saturating_sub(old.cpu_ns);
        let given = &mut to.given_sys[place];
        let sys = new.sys_ns.saturating_sub(*given).min(cpu);
        *given += sys;
        let reads = read_before[place].or((place == 0).then_some(0)).zip(new.read_bytes());
        let read_rate = reads.filter(|_| to.is_full);
        let read_rate = read_rate.map_or(f64::NAN, |(old, new)| new.saturating_sub(old) as f64 / full_secs);
        // A zombie has no memory any more: that is no sample of it.
        let rss = if new.rss > 0 { new.rss as f64 } else { f64::NAN };
        let values = [percent(cpu, secs), percent(cpu - sys, secs), percent(sys, secs), rss, read_rate];
        for (slot, value) in row.iter_mut().skip(place * values.len()).zip(values) {
            *slot = value as f32;
        }
    }
    if let Some((old, new)) = from.full.machine.zip(to.machine) {
        let part =
            |part: fn(&MachineTime) -> u64| percent(part(&new).saturating_sub(part(&old)), full_secs) as f32;
        let values = [part(|t| t.user_ns), part(|t| t.sys_ns), part(|t| t.iowait_ns)];
        for (slot, value) in row.iter_mut().rev().zip(values.into_iter().rev()) {
            *slot = value;
        }
    }
    (row, to)
}

fn secs_between(from: &Moment, to: &Moment) -> f64 {
    to.at.saturating_sub(from.at).as_secs_f64().max(1e-9)
}

/// Per cent of a core.
pub(super) fn percent(nanos: u64, secs: f64) -> f64 {
    nanos as f64 / 1e7 / secs
}

/// Bytes are whole; of a load the thousandth part of a per cent is enough.
fn rounded(value: f32) -> Option<f64> {
    value.is_finite().then(|| (f64::from(value) * 1e3).round() / 1e3)
}

/// For the live view: load, memory and reads of the processes, the machine's load.
fn live_values(row: &Row) -> Vec<LiveValue> {
    let values = COLUMNS.iter().zip(row).filter(|(_, value)| value.is_finite());
    let values = values.map(|(column, value)| LiveValue {
        process: match column.of {
            Whose::Client => Process::Client,
            Whose::Server => Process::Svnserve,
            Whose::System => Process::System,
        },
        metric: column.metric.to_owned(),
        value: f64::from(*value),
    });
    values.collect()
}

/// CPU time of this process, all threads.
pub(super) fn own_cpu_ns() -> u64 {
    crate::own_cpu().map_or(0, nanos)
}

/// CPU time of this thread, which is the one that samples.
pub(super) fn thread_cpu_ns() -> u64 {
    // A clock of our own cannot fail.
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map_or(0, |time| nanos(time.into()))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(millis: u64, cpu_ms: u64, sys_ms: u64) -> Moment {
        let total =
            Total { cpu_ns: cpu_ms * 1_000_000, sys_ns: sys_ms * 1_000_000, rss: 4096, ..Total::default() };
        let at = Duration::from_millis(millis);
        Moment { at, is_full: true, client: Some(total), ..Moment::default() }
    }

    /// A sampler whose client has used nothing yet.
    fn sampler() -> Sampler {
        let mut sampler = Sampler::new(None);
        let start = Moment { machine: Some(MachineTime::default()), ..moment(0, 0, 0) };
        sampler.last = Marks::at(start);
        sampler.before = sampler.last;
        sampler
    }

    fn kept(sampler: &mut Sampler, moment: Moment) -> Row {
        let given_sys = sampler.last.tick.given_sys;
        let (row, moment) = row_between(&sampler.last, Moment { given_sys, ..moment });
        sampler.keep(row, moment);
        row
    }

    #[test]
    fn user_and_system_are_always_the_clocks_total() {
        let mut sampler = sampler();
        // The system time comes in steps of 10 ms, now ahead of the clock, now behind it.
        let steps = [(100, 5, 10), (200, 12, 10), (300, 12, 10), (400, 62, 30)];
        let rows = steps.map(|(at, cpu, sys)| kept(&mut sampler, moment(at, cpu, sys)));
        let expect = [(5.0, 0.0, 5.0), (7.0, 2.0, 5.0), (0.0, 0.0, 0.0), (50.0, 30.0, 20.0)];
        for (row, (cpu, user, sys)) in rows.iter().zip(expect) {
            let near = |place: usize, expect: f32| (row[place] - expect).abs() < 1e-4;
            assert!(near(0, cpu) && near(1, user) && near(2, sys), "{row:?}, expected {cpu} {user} {sys}");
            assert!(row[5].is_nan(), "there is no server");
        }
    }

    #[test]
    fn what_is_read_now_and_then_counts_since_it_was_read() {
        let mut sampler = sampler();
        let steps = [(100, 50, true), (200, 150, false), (300, 150, false), (500, 250, true)];
        let rows = steps.map(|(millis, cpu_ms, is_full)| {
            let mut moment = Moment { is_full, ..moment(millis, cpu_ms, 0) };
            let machine = MachineTime { user_ns: 2_000_000 * millis, ..MachineTime::default() };
            moment.machine = is_full.then_some(machine);
            if let Some(total) = &mut moment.client {
                total.disk = Some([1000 * millis, 0]);
            }
            kept(&mut sampler, moment)
        });
        let near = |value: f32, expect: f32| (value - expect).abs() < 1e-3 * expect.max(1.0);
        for (row, expect) in rows.iter().zip([50.0, 100.0, 0.0, 50.0]) {
            assert!(near(row[0], expect) && near(row[1], expect), "{row:?}, expected {expect}");
        }
        let machine = COLUMNS.len() - 3;
        for place in [4, machine] {
            assert!(rows[1..3].iter().all(|row| row[place].is_nan()), "{rows:?}");
        }
        // 400 kB in the 0.4 s since they were last counted.
        assert!(near(rows[3][4], 1e6) && near(rows[3][machine], 200.0), "{:?}", rows[3]);
    }

    #[test]
    fn a_client_that_cannot_be_read_has_no_samples() {
        let mut sampler = Sampler::new(None);
        sampler.restart(None);
        // No process has this number.
        sampler.started(u32::MAX);
        let live = sampler.tick(Duration::from_millis(100), None);
        assert!(live.values.iter().all(|value| value.process != Process::Client), "{:?}", live.values);
        sampler.finish(Duration::from_millis(200), Duration::from_millis(100), None, true);
        let client = Role { process: Process::Client, pid: 1, command: String::new() };
        let table = sampler.table(&[Some(client), None]);
        assert_eq!(table.times.len(), 2);
        assert!(table.series.iter().all(|series| series.process != Process::Client), "{:?}", table.series);
    }

    #[test]
    fn a_short_last_interval_joins_the_one_before() {
        for (end, rows) in [(201, 2), (260, 3)] {
            let mut sampler = sampler();
            kept(&mut sampler, moment(100, 50, 0));
            kept(&mut sampler, moment(200, 100, 0));
            let tick = Duration::from_millis(100);
            sampler.finish(Duration::from_millis(end), tick, None, true);
            let table = sampler.table(&[None, None]);
            assert_eq!(table.times.len(), rows, "{:?}", table.times);
            assert_eq!(table.times.last(), Some(&(end as f64 / 1e3)));
        }
    }

    #[test]
    fn memory_is_bounded_and_what_does_not_fit_is_counted() {
        let mut sampler = sampler();
        for at in 1..=(MOST_ROWS as u64 + 5) {
            kept(&mut sampler, moment(at, at, 0));
        }
        let table = sampler.table(&[None, None]);
        assert_eq!((table.times.len(), table.dropped), (MOST_ROWS, 5));
        assert!(table.series.iter().all(|series| series.values.len() == MOST_ROWS));
    }
}
