//! What the sampler said of the run that goes on: bounded, whatever it takes.

use triptych_model::Process;
use triptych_model::runlog::LiveSample;

/// Points kept at most; beyond, neighbours are put together.
const MOST: usize = 4096;

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
        self.points.last().and_then(|point| point.get(lane))
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
        let point = Point { from, to, values: values(sample) };
        if let Some(rate) = point.get(Lane::DiskRead) {
            *self.read_bytes.get_or_insert(0.0) += f64::from(rate) * f64::from(to - from);
        }
        self.name_disks(sample);
        self.points.push(point);
        if self.points.len() > MOST {
            self.points = self.points.chunks(2).map(merged).collect();
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

fn values(sample: &LiveSample) -> [Option<f32>; LANES] {
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
    let (server_cpu, client_cpu) = (sum(&server, &["cpu"]), sum(&client, &["cpu"]));
    // The machine's load counts the two as well.
    let machine = sum(&system, &["cpu"]).or_else(|| sum(&system, &["cpu_user", "cpu_sys"]));
    let other = machine.map(|all| (all - server_cpu.unwrap_or(0.0) - client_cpu.unwrap_or(0.0)).max(0.0));
    let (server_rss, client_rss) = (sum(&server, &["rss"]), sum(&client, &["rss"]));
    let read = sum(&disk, &["read_rate"]);
    // Who reads matters less than that something was read: processes stand in for unknown disks.
    let read = read.or_else(|| sum(&|process| server(process) || client(process), &["read_rate"]));
    [server_cpu, client_cpu, other, server_rss, client_rss, read]
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
