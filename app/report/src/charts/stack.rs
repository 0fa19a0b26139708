//! The layers of a CPU load over common intervals, made once, asked at any zoom.
//!
//! A sum over a range comes from running sums at every 32nd interval, a peak from the largest total
//! of 32, 1024 … intervals: a pixel column of ten million samples costs some dozen steps.

use crate::figure::Ink;
use triptych_model::Process;
use triptych_store::{Lane, Load};

/// Intervals in a block of the levels.
const BLOCK: usize = 32;

/// One layer of the stack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) name: String,
    pub(crate) ink: Ink,
    /// Per cent of a core for each interval.
    values: Vec<f32>,
    /// Per cent times seconds before each block.
    sums: Vec<f64>,
}

/// All layers over the intervals between `edges`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stack {
    pub(crate) layers: Vec<Layer>,
    /// Ends of intervals, one more than intervals, ascending.
    edges: Vec<f64>,
    /// Whether any process was sampled in each interval.
    covered: Vec<bool>,
    /// Covered seconds before each block.
    covered_sums: Vec<f64>,
    /// Largest total of 32, 1024 … intervals.
    peaks: Vec<Vec<f32>>,
}

/// What a layer is made of: which lanes, in which order from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LayerKey {
    User(u8, String),
    Sys,
}

impl Stack {
    /// The stack of a load. Lanes of the whole machine are stacked only where no process has one.
    pub(crate) fn of(load: &Load) -> Self {
        let is_cpu = |lane: &&Lane| matches!(lane.metric.as_str(), "cpu" | "cpu_user" | "cpu_sys");
        let all: Vec<&Lane> = load.lanes.iter().filter(is_cpu).collect();
        let own = |lane: &&&Lane| !matches!(lane.process, Process::System | Process::Disk(_));
        let mut lanes: Vec<&Lane> = all.iter().filter(own).copied().collect();
        if lanes.is_empty() {
            lanes = all;
        }
        let edges = edges(&lanes);
        let mut stack =
            Self { covered: vec![false; edges.len().saturating_sub(1)], edges, ..Self::default() };
        let mut keys: Vec<(LayerKey, &Lane)> = lanes.iter().map(|lane| (key(lane), *lane)).collect();
        keys.sort_by(|a, b| a.0.cmp(&b.0));
        for chunk in keys.chunk_by(|a, b| a.0 == b.0) {
            let lanes: Vec<&Lane> = chunk.iter().map(|(_, lane)| *lane).collect();
            stack.add_layer(&lanes);
        }
        stack.finish();
        stack
    }

    fn add_layer(&mut self, lanes: &[&Lane]) {
        let mut values = vec![0f32; self.covered.len()];
        for lane in lanes {
            let samples = lane.starts.iter().zip(&lane.ends).zip(&lane.values);
            let mut cursor = 0;
            for ((start, end), value) in samples {
                let from = self.nearest_after(*start, cursor);
                let to = self.nearest_after(*end, from);
                cursor = to;
                for place in from..to {
                    if let (Some(slot), Some(covered)) = (values.get_mut(place), self.covered.get_mut(place))
                    {
                        *slot += *value as f32;
                        *covered = true;
                    }
                }
            }
        }
        let Some(first) = lanes.first() else { return };
        let (name, ink) = layer_name(lanes, first);
        self.layers.push(Layer { name, ink, values, sums: Vec::new() });
    }

    /// The edge next to a time, looked for a few steps behind the cursor first: samples come in order.
    fn nearest_after(&self, secs: f64, cursor: usize) -> usize {
        const STEPS: usize = 8;
        let distance = |place: usize| self.edges.get(place).map_or(f64::INFINITY, |edge| (edge - secs).abs());
        if self.edges.get(cursor).is_none_or(|edge| *edge > secs) {
            return self.nearest(secs);
        }
        let found = (cursor..cursor + STEPS).find(|place| distance(place + 1) > distance(*place));
        found.unwrap_or_else(|| self.nearest(secs))
    }

    /// The edge next to a time; edges were merged where samples of two processes nearly coincide.
    fn nearest(&self, secs: f64) -> usize {
        let after = self.edges.partition_point(|edge| *edge < secs);
        let distance = |place: usize| self.edges.get(place).map_or(f64::INFINITY, |edge| (edge - secs).abs());
        match after.checked_sub(1) {
            Some(before) if distance(before) < distance(after) => before,
            _ => after,
        }
    }

    fn finish(&mut self) {
        let (mut covered_sums, mut sum) = (Vec::new(), 0.0);
        for place in 0..self.covered.len() {
            if place % BLOCK == 0 {
                covered_sums.push(sum);
            }
            if self.covered.get(place) == Some(&true) {
                sum += self.duration(place);
            }
        }
        self.covered_sums = covered_sums;
        for index in 0..self.layers.len() {
            let (mut sums, mut sum) = (Vec::new(), 0.0);
            for place in 0..self.covered.len() {
                if place % BLOCK == 0 {
                    sums.push(sum);
                }
                sum += self.area(index, place);
            }
            if let Some(layer) = self.layers.get_mut(index) {
                layer.sums = sums;
            }
        }
        let mut level: Vec<f32> = (0..self.covered.len()).map(|place| self.total(place)).collect();
        while level.len() > 1 {
            level = level.chunks(BLOCK).map(|block| block.iter().copied().fold(0.0, f32::max)).collect();
            self.peaks.push(level.clone());
        }
    }

    fn duration(&self, place: usize) -> f64 {
        match (self.edges.get(place), self.edges.get(place + 1)) {
            (Some(from), Some(to)) => to - from,
            _ => 0.0,
        }
    }

    fn area(&self, layer: usize, place: usize) -> f64 {
        let value = self.layers.get(layer).and_then(|layer| layer.values.get(place)).copied();
        f64::from(value.unwrap_or(0.0)) * self.duration(place)
    }

    fn total(&self, place: usize) -> f32 {
        self.layers.iter().filter_map(|layer| layer.values.get(place)).sum()
    }

    /// Number of intervals.
    pub(crate) fn len(&self) -> usize {
        self.covered.len()
    }

    /// Second of the last edge.
    pub(crate) fn end(&self) -> f64 {
        self.edges.last().copied().unwrap_or(0.0)
    }

    /// The intervals that touch a span of seconds.
    pub(crate) fn within(&self, from: f64, to: f64) -> std::ops::Range<usize> {
        let first = self.edges.partition_point(|edge| *edge <= from).saturating_sub(1);
        let last = self.edges.partition_point(|edge| *edge < to).min(self.len());
        first.min(last)..last
    }

    /// Ends and values of an interval, bottom layer first; `None` where nothing was sampled.
    pub(crate) fn interval(&self, place: usize) -> Option<(f64, f64, Vec<f32>)> {
        if self.covered.get(place) != Some(&true) {
            return None;
        }
        let values =
            self.layers.iter().map(|layer| layer.values.get(place).copied().unwrap_or(0.0)).collect();
        Some((*self.edges.get(place)?, *self.edges.get(place + 1)?, values))
    }

    /// Values at a second.
    pub(crate) fn at(&self, secs: f64) -> Option<Vec<f32>> {
        let place = self.edges.partition_point(|edge| *edge <= secs).checked_sub(1)?;
        self.interval(place).map(|(_, _, values)| values)
    }

    /// Time-weighted means of each layer over a span, and the peak of the total; `None` without samples.
    pub(crate) fn mean(&self, from: f64, to: f64) -> Option<(Vec<f64>, f32)> {
        let places = self.within(from, to);
        let share = |place: usize| {
            let (a, b) = (self.edges.get(place).copied()?, self.edges.get(place + 1).copied()?);
            Some((b.min(to) - a.max(from)).max(0.0))
        };
        let ends = [places.start, places.end.saturating_sub(1)];
        let cut = |place: usize| share(place).unwrap_or(0.0) - self.duration(place);
        let is_covered = |place: &usize| self.covered.get(*place) == Some(&true);
        let corrections: Vec<usize> = if ends[0] == ends[1] { vec![ends[0]] } else { ends.to_vec() };
        let mut covered = self.covered_until(places.end) - self.covered_until(places.start);
        covered += corrections.iter().filter(|place| is_covered(place)).map(|place| cut(*place)).sum::<f64>();
        if places.is_empty() || covered <= 0.0 {
            return None;
        }
        let means = (0..self.layers.len()).map(|layer| {
            let whole = self.area_until(layer, places.end) - self.area_until(layer, places.start);
            let value = |place: usize| {
                self.layers.get(layer).and_then(|l| l.values.get(place)).copied().unwrap_or(0.0)
            };
            let parts: f64 = corrections.iter().map(|place| f64::from(value(*place)) * cut(*place)).sum();
            (whole + parts) / covered
        });
        Some((means.collect(), self.peak(places)))
    }

    fn covered_until(&self, place: usize) -> f64 {
        let block = (place / BLOCK).min(self.covered_sums.len().saturating_sub(1));
        let rest = (block * BLOCK..place).filter(|i| self.covered.get(*i) == Some(&true));
        self.covered_sums.get(block).copied().unwrap_or(0.0) + rest.map(|i| self.duration(i)).sum::<f64>()
    }

    fn area_until(&self, layer: usize, place: usize) -> f64 {
        let Some(sums) = self.layers.get(layer).map(|layer| &layer.sums) else { return 0.0 };
        let block = (place / BLOCK).min(sums.len().saturating_sub(1));
        sums.get(block).copied().unwrap_or(0.0)
            + (block * BLOCK..place).map(|i| self.area(layer, i)).sum::<f64>()
    }

    /// The largest total of a range of intervals.
    pub(crate) fn peak(&self, places: std::ops::Range<usize>) -> f32 {
        let (mut from, mut to) = (places.start, places.end);
        let mut peak = 0f32;
        let mut level = 0;
        let value = |level: usize, place: usize| match level.checked_sub(1) {
            None => self.total(place),
            Some(above) => self.peaks.get(above).and_then(|peaks| peaks.get(place)).copied().unwrap_or(0.0),
        };
        while from < to {
            while from < to && (from % BLOCK != 0 || level >= self.peaks.len()) {
                peak = peak.max(value(level, from));
                from += 1;
            }
            while from < to && (to % BLOCK != 0 || level >= self.peaks.len()) {
                to -= 1;
                peak = peak.max(value(level, to));
            }
            from /= BLOCK;
            to /= BLOCK;
            level += 1;
        }
        peak
    }

    /// The time-weighted quantile of the total over the whole run, for the typical range.
    pub(crate) fn quantiles(&self, shares: [f64; 2]) -> Option<(f64, f64)> {
        let mut totals: Vec<(f32, f64)> = (0..self.len())
            .filter(|place| self.covered.get(*place) == Some(&true))
            .map(|place| (self.total(place), self.duration(place)))
            .collect();
        totals.sort_by(|a, b| a.0.total_cmp(&b.0));
        let whole: f64 = totals.iter().map(|(_, duration)| duration).sum();
        let find = |share: f64| {
            let mut sum = 0.0;
            totals.iter().find(|(_, duration)| {
                sum += duration;
                sum >= share * whole
            })
        };
        Some((f64::from(find(shares[0])?.0), f64::from(find(shares[1])?.0)))
    }
}

fn key(lane: &Lane) -> LayerKey {
    let rank = match lane.process {
        Process::Svnserve => 0,
        Process::Httpd => 1,
        Process::Client => 2,
        _ => 3,
    };
    // The kernel's time of all processes is one layer on top, as people ask for it.
    if lane.metric == "cpu_sys" { LayerKey::Sys } else { LayerKey::User(rank, lane.process.to_string()) }
}

fn layer_name(lanes: &[&Lane], first: &Lane) -> (String, Ink) {
    if first.metric == "cpu_sys" {
        let mut processes: Vec<String> = lanes.iter().map(|lane| lane.process.to_string()).collect();
        processes.dedup();
        let name = match processes.as_slice() {
            [one] => format!("{one} sys"),
            [_, _] => "sys of both".to_owned(),
            _ => "sys of all".to_owned(),
        };
        return (name, Ink::System);
    }
    let ink = match first.process {
        Process::Svnserve => Ink::Svnserve,
        Process::Client => Ink::Client,
        Process::Httpd => Ink::Httpd,
        Process::System => Ink::System,
        _ => Ink::Disk,
    };
    let suffix = if first.metric == "cpu_user" { " user" } else { "" };
    (format!("{}{suffix}", first.process), ink)
}

/// All ends of samples, ascending, those closer than a twentieth of a typical sample merged.
fn edges(lanes: &[&Lane]) -> Vec<f64> {
    let mut edges: Vec<f64> = lanes
        .iter()
        .flat_map(|lane| lane.starts.iter().chain(&lane.ends))
        .copied()
        .filter(|e| e.is_finite())
        .collect();
    edges.sort_by(f64::total_cmp);
    let samples = lanes.iter().map(|lane| lane.values.len()).max().unwrap_or(0).max(1);
    let span = edges.last().copied().unwrap_or(0.0) - edges.first().copied().unwrap_or(0.0);
    let near = span / samples as f64 / 20.0;
    let mut merged: Vec<f64> = Vec::with_capacity(samples + 1);
    for edge in edges {
        if merged.last().is_none_or(|last| edge - last > near) {
            merged.push(edge);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(process: Process, metric: &str, values: &[f64]) -> Lane {
        let times: Vec<f64> = (0..=values.len()).map(|i| i as f64).collect();
        Lane {
            process,
            metric: metric.to_owned(),
            commands: Vec::new(),
            source: 0,
            starts: times[..values.len()].to_vec(),
            ends: times[1..].to_vec(),
            values: values.to_vec(),
            lines: vec![1; values.len()],
        }
    }

    fn load(lanes: Vec<Lane>) -> Load {
        Load { run: 0, lanes, start: None, end_secs: 0.0, real_secs: None, exit: None, not_shown: Vec::new() }
    }

    #[test]
    fn layers_from_the_bottom_and_one_for_the_kernel() {
        let stack = Stack::of(&load(vec![
            lane(Process::Client, "cpu_sys", &[2.0, 3.0]),
            lane(Process::Client, "cpu_user", &[10.0]),
            lane(Process::Svnserve, "cpu_sys", &[5.0, 5.0]),
            lane(Process::Svnserve, "cpu_user", &[93.0, 94.0]),
            lane(Process::System, "cpu_user", &[180.0, 180.0]),
        ]));
        let names: Vec<&str> = stack.layers.iter().map(|layer| layer.name.as_str()).collect();
        assert_eq!(names, ["svnserve user", "client user", "sys of both"]);
        assert_eq!(stack.at(0.5), Some(vec![93.0, 10.0, 7.0]));
        assert_eq!(stack.at(1.5), Some(vec![94.0, 0.0, 8.0]));
        assert_eq!(stack.at(2.5), None, "no sample means no area");
        let (means, peak) = stack.mean(0.5, 1.5).unwrap();
        assert!(
            (means[0] - 93.5).abs() < 1e-5 && (means[1] - 5.0).abs() < 1e-5 && (peak - 110.0).abs() < 1e-3
        );
    }

    #[test]
    fn processes_sampled_at_other_times_are_cut_at_both() {
        let mut client = lane(Process::Client, "cpu", &[10.0, 20.0]);
        client.starts.iter_mut().chain(&mut client.ends).for_each(|time| *time += 0.3);
        let stack = Stack::of(&load(vec![client, lane(Process::Svnserve, "cpu", &[93.0, 94.0])]));
        for (secs, expect) in [
            (0.1, Some(vec![93.0, 0.0])),
            (0.5, Some(vec![93.0, 10.0])),
            (1.1, Some(vec![94.0, 10.0])),
            (1.9, Some(vec![94.0, 20.0])),
            (2.1, Some(vec![0.0, 20.0])),
            (2.4, None),
        ] {
            assert_eq!(stack.at(secs), expect, "{secs}");
        }
    }

    #[test]
    fn levels_agree_with_the_samples() {
        let values: Vec<f64> = (0..5000).map(|i| f64::from((i * 7919) % 101)).collect();
        let stack = Stack::of(&load(vec![lane(Process::Svnserve, "cpu", &values)]));
        assert_eq!(stack.len(), 5000);
        for (from, to) in [(0, 5000), (3, 4), (31, 33), (17, 2600), (64, 96), (4095, 4999), (32, 1056)] {
            let expect = values[from..to].iter().sum::<f64>() / (to - from) as f64;
            let (means, peak) = stack.mean(from as f64, to as f64).unwrap();
            assert!((means[0] - expect).abs() < 1e-3, "{from} to {to}: {} {expect}", means[0]);
            let top = values[from..to].iter().copied().fold(0.0, f64::max);
            assert!((f64::from(peak) - top).abs() < 1e-3, "{from} to {to}");
        }
        let (means, _) = stack.mean(10.25, 10.75).unwrap();
        assert!((means[0] - values[10]).abs() < 1e-3);
    }
}
