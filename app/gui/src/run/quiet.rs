//! Quiet while measuring: how often the window may repaint, and what it costs itself.

use std::time::{Duration, Instant};

/// Twice a second: while a run is timed on a machine that the window could disturb.
pub const SELDOM: Duration = Duration::from_millis(500);
/// Once a second: where painting twice costs more than it should.
pub const RARELY: Duration = Duration::from_secs(1);
/// Painting twice a second may cost this much of a core, in per cent.
const COST: f64 = 3.0;
/// Ten times a second: as the sampler looks.
pub const OFTEN: Duration = Duration::from_millis(100);

/// What the rule depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Cores that the window can use.
    pub cores: usize,
    /// Whether something else than the processor draws.
    pub gpu: bool,
}

impl Machine {
    /// This machine.
    pub fn here() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let software = std::env::var_os("LIBGL_ALWAYS_SOFTWARE").is_some();
        let has_node = std::fs::read_dir("/dev/dri").is_ok_and(|entries| {
            entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("renderD"))
        });
        Self { cores, gpu: has_node && !software }
    }

    /// Whether the window has to be quiet while a run is timed.
    pub fn is_small(self) -> bool {
        self.cores <= 4 || !self.gpu
    }
}

/// How long the window waits until it repaints by itself; `None`: until something happens. `cost` is
/// its own load over the last timed part, % of a core.
pub fn interval(wanted: bool, machine: Machine, measuring: bool, cost: Option<f64>) -> Option<Duration> {
    match measuring {
        false => None,
        true if wanted && machine.is_small() => {
            Some(if cost.is_some_and(|cost| cost > COST) { RARELY } else { SELDOM })
        }
        true => Some(OFTEN),
    }
}

/// The window's own CPU load between two looks at its clock.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    at: Instant,
    cpu: Duration,
}

impl Meter {
    /// Begins to measure; `None` where the system has no such clock.
    pub fn start() -> Option<Self> {
        Some(Self { at: Instant::now(), cpu: triptych_runner::own_cpu()? })
    }

    /// % of a core since the start.
    pub fn load(&self) -> Option<f64> {
        let cpu = triptych_runner::own_cpu()?.saturating_sub(self.cpu);
        let wall = self.at.elapsed().as_secs_f64();
        (wall > 0.0).then(|| cpu.as_secs_f64() / wall * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_machine_is_left_alone_while_a_run_is_timed() {
        let (small, large) = (Machine { cores: 4, gpu: true }, Machine { cores: 8, gpu: true });
        let blind = Machine { cores: 16, gpu: false };
        for (wanted, machine, measuring, cost, expect) in [
            (true, small, true, None, Some(SELDOM)),
            (true, small, true, Some(1.1), Some(SELDOM)),
            (true, blind, true, Some(9.0), Some(RARELY)),
            (true, large, true, Some(9.0), Some(OFTEN)),
            (false, small, true, None, Some(OFTEN)),
            (true, small, false, None, None),
            (false, large, false, None, None),
        ] {
            let wait = interval(wanted, machine, measuring, cost);
            assert_eq!(wait, expect, "{wanted} {machine:?} {measuring} {cost:?}");
        }
    }

    #[test]
    fn work_costs_and_rest_does_not() {
        let meter = Meter::start().expect("a clock");
        let begun = Instant::now();
        let mut sum = 0u64;
        while begun.elapsed() < Duration::from_millis(30) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(meter.load().is_some_and(|load| load > 10.0));
    }
}
