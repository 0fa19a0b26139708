//! How fast a server's log becomes the columns of requests, and how much memory that takes.
//!
//! `cargo bench -p triptych-import -- LOG [blocks|whole|once|csv FILE]` reads a log of svnserve as the
//! program does, in blocks as a stream, or whole from memory, three times or once. Prints MB/s of wall
//! and CPU time and the peak of anonymous memory, or writes the rows as CSV for other readers.
//! `packaging/bench/import.sh` runs it beside other programs.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::time::Instant;
use triptych_import::Readers;
use triptych_model::{Importer, Progress, ReadOptions, Silent, SourceData, Timestamp};

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
    if way == "csv" {
        return write_csv(&stream(&log, size, &Silent), &words.next().expect("a file to write"));
    }
    // The first time is for the cache of the system as well.
    for _ in 0..if way == "once" { 1 } else { 3 } {
        let (start, cpu, peak) = (Instant::now(), cpu_secs(), Peak::default());
        let data = if way == "whole" {
            Readers.read(&log, &fs::read(&log).unwrap(), &ReadOptions::default(), &Silent).unwrap()
        } else {
            stream(&log, size, &peak)
        };
        let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_secs() - cpu);
        let anonymous = status("RssAnon:").max(peak.0.into_inner());
        println!(
            "{way}: {} rows, {:.0} MB/s wall, {:.0} MB/s of CPU, {wall:.3} s, {cpu:.2} s of CPU, {:.1} MiB anonymous = {:.3} of the file",
            data.requests.len(),
            megabytes / wall,
            megabytes / cpu,
            anonymous as f64 / f64::from(1 << 20),
            anonymous as f64 / size as f64,
        );
    }
}

fn stream(log: &str, size: u64, progress: &dyn Progress) -> SourceData {
    let mut file = File::open(log).unwrap();
    Readers
        .read_stream(log, &mut file, Some(size), &ReadOptions::default(), progress)
        .unwrap()
        .expect("a log")
}

/// The columns that svnserve's log has, so that other programs can read what we made of it.
fn write_csv(data: &SourceData, path: &str) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    writeln!(out, "line,time,pid,host,user,repository,action,path,revision,gap_before,gap_after").unwrap();
    let rows = &data.requests;
    for (index, row) in (0..rows.len()).filter_map(|index| Some((index, rows.row(index)?))) {
        let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let time = row.time.map_or(String::new(), |time| Timestamp(time).to_string());
        let texts =
            [row.host, row.user, row.repository, Some(row.action), row.path].map(Option::unwrap_or_default);
        let texts = texts.map(|text| format!("\"{}\"", text.replace('"', "\"\""))).join(",");
        let revision = row.revision.map_or(String::new(), |revision| revision.to_string());
        let gaps = [rows.gap_before(index), rows.gap_after(index)].map(number).join(",");
        writeln!(out, "{},{time},{},{texts},{revision},{gaps}", row.line, row.pid.unwrap_or(0)).unwrap();
    }
    out.flush().unwrap();
}
