//! How fast lines are passed over that are nobody's: the output of the programs that were timed.
//!
//! `cargo bench -p triptych-import --bench lines -- [MB] [KIND]` reads so many megabytes of each kind of
//! lines around one block of times, on one thread, and prints the best of five by CPU time.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::fmt::Write as _;
use std::fs;
use triptych_import::Readers;
use triptych_model::{Importer, ReadOptions, Silent};

/// User and system time of the process so far, seconds.
fn cpu_secs() -> f64 {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Writes the line of that number.
type Kind = (&'static str, fn(&mut String, usize));

const KINDS: &[Kind] = &[
    ("paths", |text, n| writeln!(text, "A    trunk/subversion/libsvn_fs_{}/file-{n}.c", n % 97).unwrap()),
    ("short paths", |text, n| writeln!(text, "A  /a/{n}").unwrap()),
    ("adding", |text, n| {
        writeln!(text, "     * adding path : trunk/dir-{}/file-{n} ... done.", n % 97).unwrap();
    }),
    ("dumped", |text, n| writeln!(text, "* Dumped revision {n}.").unwrap()),
    ("prose", |text, n| {
        let all = [
            "The time that all of this takes depends on what the system has in its cache,",
            "and so each run was made three times (the first of them is left out below).",
            "Note - see also the notes of the release: nothing else has changed since then",
            "it is the same on all machines that were tried",
        ];
        text.push_str(all[n % all.len()]);
        text.push('\n');
    }),
    ("blank-led numbers", |text, n| writeln!(text, "      {n}    {}.25   17", n % 1000).unwrap()),
    ("numbers", |text, n| writeln!(text, "{n} foo").unwrap()),
    ("numbers alone", |text, n| writeln!(text, "{n}").unwrap()),
    ("times", |text, n| writeln!(text, "08:{:02}:{:02} step {n} done", n / 60 % 60, n % 60).unwrap()),
    ("dates", |text, n| {
        writeln!(text, "2026-11-30 08:{:02}:{:02} INFO worker {n}: done", n / 60 % 60, n % 60).unwrap();
    }),
    ("pieces of a web log", |text, n| {
        let pieces = [
            "127.0.0.1 - - ",
            "\"GET /svn/trunk/index.html HTTP/1.1\" 200 1234 \"-\"",
            "\"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101\"",
        ];
        writeln!(text, "{} {n}", pieces[n % pieces.len()]).unwrap();
    }),
    ("assignments", |text, n| writeln!(text, "path/{n} = value {n}: done (ok) - see svn").unwrap()),
    ("umlauts", |text, n| writeln!(text, "Übertrage Daten {n} … fertig").unwrap()),
];

const TIMES: &str = "\nreal\t0m2.000s\nuser\t0m1.000s\nsys\t0m0.500s\n";

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let size = words.next().and_then(|word| word.parse::<usize>().ok()).unwrap_or(16) * 1_000_000;
    let only = words.next();
    for (name, write) in KINDS.iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name)) {
        let mut text = String::from("$ time svn export URL\n");
        let mut number = 1000;
        while text.len() < size {
            write(&mut text, number);
            number += 1;
        }
        text.push_str(TIMES);
        let mut best = f64::INFINITY;
        let mut data = None;
        for _ in 0..5 {
            let start = cpu_secs();
            data = Some(Readers.read("x", text.as_bytes(), &ReadOptions::default(), &Silent).unwrap());
            best = best.min(cpu_secs() - start);
        }
        let (outside, lines) = data.map_or((0, 0), |data| (data.program_output, data.lines));
        let megabytes = text.len() as f64 / 1e6;
        let nanos = best * 1e9 / lines as f64;
        println!("{name:>20}: {:5.0} MB/s, {nanos:4.0} ns a line, {outside} lines outside", megabytes / best);
    }
}
