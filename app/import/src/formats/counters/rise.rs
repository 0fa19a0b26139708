//! Counters that only grow, and by how much they grew between two looks.

use std::collections::HashMap;
use std::hash::Hash;

/// The last look at `N` counters of each of several processes.
pub struct Rises<K, const N: usize> {
    last: HashMap<K, (i64, [Option<f64>; N])>,
}

/// What counters grew by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rise<const N: usize> {
    /// Seconds since the look before, above 0.
    pub secs: f64,
    /// By counter; `None` where one of the two looks did not show it.
    pub by: [Option<f64>; N],
}

impl<K: Eq + Hash, const N: usize> Default for Rises<K, N> {
    fn default() -> Self {
        Self { last: HashMap::new() }
    }
}

impl<K: Eq + Hash, const N: usize> Rises<K, N> {
    /// Takes note of counters at a time in microseconds; `None` at the first look, where time stood
    /// still, and where a counter fell, so that it is another process with the same id.
    pub fn look(&mut self, key: K, micros: i64, now: [Option<f64>; N]) -> Option<Rise<N>> {
        let (then, before) = self.last.insert(key, (micros, now))?;
        let secs = micros.checked_sub(then).filter(|micros| *micros > 0)? as f64 / 1e6;
        let mut by = [None; N];
        for (slot, (now, before)) in by.iter_mut().zip(now.iter().zip(before)) {
            *slot = now.zip(before).map(|(now, before)| now - before);
        }
        let fell = by.iter().flatten().any(|rise| *rise < 0.0);
        (!fell).then_some(Rise { secs, by })
    }
}

impl<const N: usize> Rise<N> {
    /// A counter of seconds as a load: per cent of one core.
    pub fn percent(&self, counter: usize) -> Option<f64> {
        Some(self.rate(counter)? * 100.0)
    }

    /// How much a counter grew a second.
    pub fn rate(&self, counter: usize) -> Option<f64> {
        Some(self.by.get(counter).copied().flatten()? / self.secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_become_loads() {
        let mut rises: Rises<u32, 2> = Rises::default();
        assert_eq!(rises.look(7, 0, [Some(1.0), None]), None, "first look");
        let rise = rises.look(7, 2_000_000, [Some(1.5), Some(3.0)]).expect("a second look");
        assert_eq!((rise.percent(0), rise.rate(1), rise.rate(2)), (Some(25.0), None, None));
        assert_eq!(rises.look(7, 2_000_000, [Some(1.5), Some(3.0)]), None, "time stood still");
        assert_eq!(rises.look(7, 3_000_000, [Some(0.5), Some(3.0)]), None, "another process of that id");
        assert_eq!(rises.look(8, 3_000_000, [Some(0.5), Some(3.0)]), None);
        let rise = rises.look(7, 4_000_000, [Some(0.75), Some(3.0)]).expect("it goes on");
        assert_eq!((rise.percent(0), rise.percent(1)), (Some(25.0), Some(0.0)));
    }
}
