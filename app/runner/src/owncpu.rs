//! The CPU clock of this process: what window and runner cost themselves is on record too.

use nix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// CPU time of this process with all its threads; `None` where the system has no such clock.
pub fn own_cpu() -> Option<Duration> {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).ok().map(Duration::from)
}
