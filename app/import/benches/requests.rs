//! How fast a server's log becomes the columns of requests, and how much memory that takes.
//!
//! `cargo bench -p triptych-import -- LOG [whole|blocks] [THREADS]` reads a log of svnserve as the
//! program does: in blocks as a stream, or whole from memory. Prints MB/s of wall and CPU time and the
//! peak of anonymous memory. `packaging/bench/import.sh` runs it beside other programs.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::fs::{self, File};
use std::time::Instant;
use triptych_import::Readers;
use triptych_model::{Importer, Progress, ReadOptions, Silent};

/// Looks at the process' anonymous memory with every block.
#[derive(Default)]
struct Peak(std::sync::atomic::AtomicU64);

impl Progress for Peak {
    fn advance(&self, _done: u64, _total: u64) {
        self.0.fetch_max(status("RssAnon:"), std::sync::atomic::Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        false
    }
}

/// A line of `/proc/self/status` in bytes.
fn status(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value =
        text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok());
    value.unwrap_or(0) * 1024
}

/// User and system time of the process so far, seconds.
fn cpu_secs() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let Some(log) = words.next() else {
        println!("give a log");
        return;
    };
    let way = words.next().unwrap_or_else(|| "blocks".to_owned());
    let size = fs::metadata(&log).unwrap().len();
    let megabytes = size as f64 / 1e6;
    // Once for the cache of the system.
    std::io::copy(&mut File::open(&log).unwrap(), &mut std::io::sink()).unwrap();
    for _ in 0..3 {
        let (start, cpu, peak) = (Instant::now(), cpu_secs(), Peak::default());
        let options = ReadOptions::default();
        let data = if way == "whole" {
            Readers.read(&log, &fs::read(&log).unwrap(), &options, &Silent).unwrap()
        } else {
            let mut file = File::open(&log).unwrap();
            Readers.read_stream(&log, &mut file, Some(size), &options, &peak).unwrap().expect("a log")
        };
        let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_secs() - cpu);
        let anonymous = status("RssAnon:").max(peak.0.into_inner());
        println!(
            "{way}: {} rows, {:.0} MB/s wall, {:.0} MB/s of CPU, {:.3} s, {:.3} s of CPU, {:.1} MiB anonymous = {:.3} of the file",
            data.requests.len(),
            megabytes / wall,
            megabytes / cpu,
            wall,
            cpu,
            anonymous as f64 / f64::from(1 << 20),
            anonymous as f64 / size as f64,
        );
    }
}
