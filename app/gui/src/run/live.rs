//! What the sampler said of the run that goes on: bounded, whatever it takes.

use triptych_model::Process;
use triptych_model::runlog::LiveSample;

/// Points kept at most; beyond, neighbours are put together.
const MOST: usize = 4096;

/// How far back a value may reach, seconds: the sampler reads what is dear to read twice a second, and
/// says then what it was since.
const REACH: f32 = 1.0;

/// What is kept of each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// CPU of the server's tree, % of a core.
    ServerCpu,
    /// CPU of the client, % of a core.
    ClientCpu,
    /// CPU of the whole machine without server and client, % of a core.
    OtherCpu,
    /// Resident memory of the server, bytes.
    ServerRss,
    /// Resident memory of the client, bytes.
    ClientRss,
    /// Bytes read from all disks a second.
    DiskRead,
}

/// How many lanes there are.
pub const LANES: usize = 6;

/// One interval; a lane without a value is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Begin, seconds since the client's start.
    pub from: f32,
    /// End.
    pub to: f32,
    values: [Option<f32>; LANES],
}

impl Point {
    /// The value of a lane.
    pub fn get(&self, lane: Lane) -> Option<f32> {
        self.values.get(lane as usize).copied().flatten()
    }
}

/// The samples of the run that goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// In the order of time.
    pub points: Vec<Point>,
    /// Samples that did not come through the pipe.
    pub dropped: u64,
    /// Names of the disks, as one text.
    pub disks: String,
    /// Bytes that were read from disk so far, where anybody says.
    pub read_bytes: Option<f64>,
    /// Until when they were counted, seconds since the client's start.
    reads_until: f32,
    /// Samples taken in.
    pub samples: u64,
    /// The runner's own CPU load, % of a core, time-weighted.
    pub own_cpu: Option<f64>,
}

impl Live {
    /// Seconds since the client's start, as the last sample said.
    pub fn elapsed(&self) -> Option<f64> {
        self.points.last().map(|point| f64::from(point.to))
    }

    /// The last value of a lane.
    pub fn last(&self, lane: Lane) -> Option<f32> {
        let now = self.points.last()?.to;
        self.points.iter().rev().take_while(|point| now - point.to <= REACH).find_map(|point| point.get(lane))
    }

    /// Samples a second.
    pub fn rate(&self) -> Option<f64> {
        let elapsed = self.elapsed().filter(|elapsed| *elapsed > 0.0)?;
        Some(self.samples as f64 / elapsed)
    }

    /// Takes a sample in; one that does not go forward in time is passed over.
    pub fn push(&mut self, sample: &LiveSample) {
        let from = self.points.last().map_or(0.0, |point| point.to);
        let to = sample.elapsed_secs as f32;
        if !to.is_finite() || to <= from {
            return;
        }
        self.samples += 1;
        self.dropped = sample.dropped;
        self.take_own(sample, f64::from(to - from));
        let read = Read::of(sample);
        let mut values = [None; LANES];
        values[Lane::ServerCpu as usize] = read.server_cpu;
        values[Lane::ClientCpu as usize] = read.client_cpu;
        self.points.push(Point { from, to, values });
        self.fill(Lane::ServerRss, read.server_rss);
        self.fill(Lane::ClientRss, read.client_rss);
        if let Some(machine) = read.machine_cpu {
            let other = machine - self.busy_since(self.start_of(Lane::OtherCpu));
            self.fill(Lane::OtherCpu, Some(other.max(0.0)));
        }
        if let Some(rate) = read.disk_rate {
            *self.read_bytes.get_or_insert(0.0) += f64::from(rate) * f64::from(to - self.reads_until);
            self.reads_until = to;
            self.fill(Lane::DiskRead, Some(rate));
        }
        self.name_disks(sample);
        if self.points.len() > MOST {
            self.points = self.points.chunks(2).map(merged).collect();
        }
    }

    /// The first of the points that a new value of a lane is of: those since its last value, the newest in
    /// any case.
    fn start_of(&self, lane: Lane) -> usize {
        let Some(newest) = self.points.last() else { return 0 };
        let is_open = |point: &&Point| point.get(lane).is_none() && newest.to - point.from <= REACH;
        let open = self.points.iter().rev().take_while(is_open).count();
        self.points.len() - open.max(1)
    }

    /// Server and client together from a point on, % of a core: the machine's load counts the two as well.
    fn busy_since(&self, start: usize) -> f32 {
        let points = self.points.get(start..).unwrap_or_default();
        let (mut used, mut span) = (0.0, 0.0);
        for point in points {
            let both = [Lane::ServerCpu, Lane::ClientCpu].map(|lane| point.get(lane).unwrap_or(0.0));
            used += (both[0] + both[1]) * (point.to - point.from);
            span += point.to - point.from;
        }
        if span > 0.0 { used / span } else { 0.0 }
    }

    /// A value is the mean since the one before it.
    fn fill(&mut self, lane: Lane, value: Option<f32>) {
        let start = self.start_of(lane);
        if value.is_some() {
            for point in self.points.iter_mut().skip(start) {
                point.values[lane as usize] = value;
            }
        }
    }

    fn take_own(&mut self, sample: &LiveSample, span: f64) {
        let before = sample.elapsed_secs - span;
        let known = self.own_cpu.unwrap_or(sample.own_cpu);
        self.own_cpu = Some((known * before + sample.own_cpu * span) / sample.elapsed_secs);
    }

    fn name_disks(&mut self, sample: &LiveSample) {
        if self.disks.is_empty() {
            let disks = sample.values.iter().filter_map(|value| match &value.process {
                Process::Disk(name) if value.metric == "read_rate" => Some(name.as_str()),
                _ => None,
            });
            self.disks = disks.collect::<Vec<_>>().join(", ");
        }
    }
}

/// What a sample says of the lanes.
struct Read {
    server_cpu: Option<f32>,
    client_cpu: Option<f32>,
    machine_cpu: Option<f32>,
    server_rss: Option<f32>,
    client_rss: Option<f32>,
    disk_rate: Option<f32>,
}

impl Read {
    fn of(sample: &LiveSample) -> Self {
        let sum = |wanted: &dyn Fn(&Process) -> bool, metrics: &[&str]| -> Option<f32> {
            let found = sample.values.iter().filter(|value| {
                wanted(&value.process) && metrics.contains(&value.metric.as_str()) && value.value.is_finite()
            });
            found.map(|value| value.value as f32).reduce(|sum, value| sum + value)
        };
        let server = |process: &Process| matches!(process, Process::Svnserve | Process::Httpd);
        let client = |process: &Process| *process == Process::Client;
        let system = |process: &Process| *process == Process::System;
        let disk = |process: &Process| matches!(process, Process::Disk(_));
        let disk_rate = sum(&disk, &["read_rate"]);
        Self {
            server_cpu: sum(&server, &["cpu"]),
            client_cpu: sum(&client, &["cpu"]),
            machine_cpu: sum(&system, &["cpu"]).or_else(|| sum(&system, &["cpu_user", "cpu_sys"])),
            server_rss: sum(&server, &["rss"]),
            client_rss: sum(&client, &["rss"]),
            // Who reads matters less than that something was read: processes stand in for unknown disks.
            disk_rate: disk_rate
                .or_else(|| sum(&|process| server(process) || client(process), &["read_rate"])),
        }
    }
}

/// Two intervals as one: means weighted by time.
fn merged(pair: &[Point]) -> Point {
    let [first, second] = pair else { return pair.first().copied().unwrap_or_default() };
    let (left, right) = (first.to - first.from, second.to - second.from);
    let mut values = [None; LANES];
    for (value, (one, two)) in values.iter_mut().zip(first.values.iter().zip(second.values)) {
        *value = match (*one, two) {
            (Some(one), Some(two)) => Some((one * left + two * right) / (left + right)),
            (one, two) => one.or(two),
        };
    }
    Point { from: first.from, to: second.to, values }
}

#[cfg(test)]
mod tests {
    use super::*;
    use triptych_model::runlog::LiveValue;

    fn sample(at: f64, values: &[(Process, &str, f64)]) -> LiveSample {
        let value = |(process, metric, value): &(Process, &str, f64)| LiveValue {
            process: process.clone(),
            metric: (*metric).to_owned(),
            value: *value,
        };
        LiveSample {
            step: 1,
            elapsed_secs: at,
            values: values.iter().map(value).collect(),
            dropped: 0,
            own_cpu: 0.5,
        }
    }

    #[test]
    fn the_machine_s_load_is_shown_without_server_and_client() {
        let mut live = Live::default();
        live.push(&sample(
            0.1,
            &[
                (Process::Svnserve, "cpu", 90.0),
                (Process::Client, "cpu", 10.0),
                (Process::System, "cpu_user", 80.0),
                (Process::System, "cpu_sys", 28.0),
                (Process::Disk("nvme0n1".into()), "read_rate", 1000.0),
            ],
        ));
        assert_eq!(live.last(Lane::OtherCpu), Some(8.0));
        assert_eq!(live.last(Lane::ServerRss), None, "absent is not zero");
        assert_eq!((live.read_bytes, live.disks.as_str()), (Some(100.000_001_490_116_12), "nvme0n1"));
        live.push(&sample(0.1, &[]));
        assert_eq!(live.points.len(), 1, "time goes forward");
    }

    #[test]
    fn what_is_said_now_and_then_is_of_the_time_since() {
        let mut live = Live::default();
        let full = |cpu, machine| {
            [
                (Process::Client, "cpu", cpu),
                (Process::Client, "rss", 1e6),
                (Process::System, "cpu_user", machine),
                (Process::Disk("sda".into()), "read_rate", 1000.0),
            ]
        };
        live.push(&sample(0.25, &full(50.0, 60.0)));
        live.push(&sample(0.5, &[(Process::Client, "cpu", 100.0)]));
        live.push(&sample(0.75, &[(Process::Client, "cpu", 100.0)]));
        assert_eq!((live.last(Lane::ClientRss), live.last(Lane::OtherCpu)), (Some(1e6), Some(10.0)));
        assert_eq!(live.read_bytes, Some(250.0));
        live.push(&sample(1.0, &full(70.0, 100.0)));
        // The client took 90 % of the last three quarters of a second.
        let other: Vec<_> = live.points.iter().map(|point| point.get(Lane::OtherCpu)).collect();
        assert_eq!(other, [Some(10.0), Some(10.0), Some(10.0), Some(10.0)]);
        assert_eq!(live.read_bytes, Some(1000.0));
        // What was silent for long is not said of all that time.
        for tick in 5..=20 {
            live.push(&sample(f64::from(tick) / 4.0, &[(Process::Client, "cpu", 100.0)]));
        }
        assert_eq!(live.last(Lane::ClientRss), None);
        live.push(&sample(5.25, &full(70.0, 100.0)));
        let known = live.points.iter().filter(|point| point.get(Lane::ClientRss).is_some());
        assert_eq!(known.count(), 8);
    }

    #[test]
    fn an_hour_at_a_hundred_a_second_stays_bounded() {
        let mut live = Live::default();
        for tick in 1..=360_000u32 {
            live.push(&sample(f64::from(tick) / 100.0, &[(Process::Client, "cpu", 50.0)]));
        }
        assert!(live.points.len() <= MOST, "{}", live.points.len());
        assert!(live.points.windows(2).all(|pair| (pair[0].to - pair[1].from).abs() < f32::EPSILON));
        assert_eq!(live.points.first().map(|point| point.from), Some(0.0));
        assert_eq!(live.last(Lane::ClientCpu), Some(50.0));
        assert!(live.elapsed().is_some_and(|elapsed| (elapsed - 3600.0).abs() < 0.01));
    }
}
