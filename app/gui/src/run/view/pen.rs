//! Samples as steps in pixel columns, and axes that stay readable: the geometry of the live lanes.

use crate::run::live::{LANES, Lane, Point};

/// The samples that fall into one column of pixels, as time-weighted means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Left edge in points of the screen.
    pub from: f32,
    /// Right edge.
    pub to: f32,
    sums: [f32; LANES],
    weights: [f32; LANES],
}

impl Bin {
    /// The mean of a lane; none where no sample says anything.
    pub fn get(&self, lane: Lane) -> Option<f32> {
        let (sum, weight) = (self.sums.get(lane as usize)?, self.weights.get(lane as usize)?);
        (*weight > 0.0).then(|| sum / weight)
    }

    fn add(&mut self, point: &Point) {
        let span = point.to - point.from;
        for (index, lane) in ALL.into_iter().enumerate() {
            if let (Some(value), Some(sum), Some(weight)) =
                (point.get(lane), self.sums.get_mut(index), self.weights.get_mut(index))
            {
                *sum += value * span;
                *weight += span;
            }
        }
    }
}

const ALL: [Lane; LANES] =
    [Lane::ServerCpu, Lane::ClientCpu, Lane::OtherCpu, Lane::ServerRss, Lane::ClientRss, Lane::DiskRead];

/// Puts samples into columns at least as wide as `least`.
pub fn bins(points: &[Point], x: impl Fn(f32) -> f32, least: f32) -> Vec<Bin> {
    let mut bins: Vec<Bin> = Vec::new();
    for point in points {
        let (from, to) = (x(point.from), x(point.to));
        match bins.last_mut() {
            Some(last) if last.to - last.from < least => {
                last.to = to;
                last.add(point);
            }
            _ => {
                let mut bin = Bin { from, to, sums: [0.0; LANES], weights: [0.0; LANES] };
                bin.add(point);
                bins.push(bin);
            }
        }
    }
    bins
}

/// 1, 2 or 5 times a power of ten, at least this much.
pub fn nice(least: f64) -> f64 {
    if least <= 0.0 || !least.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|step| *step >= least * 0.999_999).unwrap_or(least)
}

/// Ticks from 0 up to `most` in nice steps, not more than `count` besides 0.
pub fn ticks(most: f64, count: usize) -> Vec<f64> {
    let step = nice(most / count.max(1) as f64);
    (0..=count).map(|index| step * index as f64).take_while(|tick| *tick <= most * 1.000_001).collect()
}

/// Seconds that the time axis shows: room for the expected end, in jumps so that nothing creeps.
pub fn span(expected: Option<f64>, elapsed: f64) -> f64 {
    let mut span = expected.filter(|secs| *secs > 0.0).map_or(5.0, |secs| secs * 1.06);
    while elapsed > span * 0.98 && span.is_finite() {
        span *= 1.5;
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::live::Live;
    use triptych_model::Process;
    use triptych_model::runlog::{LiveSample, LiveValue};

    #[test]
    fn dense_samples_become_columns_with_their_mean() {
        let mut live = Live::default();
        for tick in 1..=1000u32 {
            let value = if tick % 2 == 0 { 100.0 } else { 50.0 };
            live.push(&LiveSample {
                elapsed_secs: f64::from(tick) / 10.0,
                values: vec![LiveValue { process: Process::Client, metric: "cpu".into(), value }],
                ..LiveSample::default()
            });
        }
        let bins = bins(&live.points, |secs| secs, 1.0);
        assert!((90..=101).contains(&bins.len()), "{}", bins.len());
        assert!(
            bins.iter().all(|bin| bin.get(Lane::ClientCpu).is_some_and(|mean| (mean - 75.0).abs() < 3.0))
        );
        assert!(bins.iter().all(|bin| bin.get(Lane::ServerCpu).is_none()));
        assert!(bins.windows(2).all(|pair| (pair[0].to - pair[1].from).abs() < f32::EPSILON));
    }

    #[test]
    fn axes() {
        assert_eq!(ticks(113.0, 2), [0.0, 100.0]);
        assert_eq!(ticks(33.0, 7), [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]);
        assert_eq!(ticks(0.0, 3), [0.0]);
        for (least, expect) in [(0.03, 0.05), (1.0, 1.0), (11.0, 20.0), (6.0, 10.0), (0.0, 1.0)] {
            assert!((nice(least) - expect).abs() < 1e-9, "{least}");
        }
    }

    #[test]
    fn the_time_axis_grows_in_jumps() {
        assert!((span(Some(10.0), 3.0) - 10.6).abs() < 1e-9);
        assert!((span(Some(10.0), 10.5) - 15.9).abs() < 1e-9);
        assert!((span(None, 0.0) - 5.0).abs() < 1e-9);
        assert!(span(None, 3600.0) > 3600.0);
    }
}
