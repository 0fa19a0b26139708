//! The figures of 2008: `Single Disk, 2 threads 0.79x (3 samples)`, and the times in the prose above them.

use super::list_table::{Context, Out, Piece, Shared, printed};
use crate::number::{DecimalMark, parse_duration, parse_number};
use crate::sink::Sink;
use triptych_model::{Key, Process, Unit};

/// What is known of a text with figures by threads.
#[derive(Clone, Default)]
pub struct Scaling {
    /// Runs by medium and threads.
    runs: Vec<(String, u64, u32)>,
    /// Times in prose, which count only once a row shows that the text is such a one.
    waiting: Vec<ProseTime>,
    seen: bool,
}

/// One time in the prose.
#[derive(Clone)]
struct ProseTime {
    medium: String,
    threads: u64,
    secs: f64,
    raw: String,
    line: u32,
    offset: u64,
}

/// Media as the table names them, by how the prose begins.
const MEDIA: &[(&str, &str)] =
    &[("one disk", "Single Disk"), ("single disk", "Single Disk"), ("raid5", "RAID5 Disks")];

const SMALL_NUMBERS: &[&str] =
    &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// Reads `<medium>, <n> threads <f>x (<k> samples)`.
pub fn row(context: &mut Context, shared: &mut Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) -> bool {
    let Some(row) = parse(piece.text) else { return false };
    context.scaling.seen = true;
    let waiting = std::mem::take(&mut context.scaling.waiting);
    let Some(sink) = out else { return true };
    for time in waiting {
        write_time(context, shared, piece, &time, sink);
    }
    let run = run_of(context, shared, piece, row.medium, row.threads, sink);
    let mut speedup = printed(run, piece, Process::Client, "speedup", Unit::Times, Some(row.factor), row.raw);
    speedup.executions = Some(row.samples);
    sink.measure(speedup);
    true
}

struct Row<'a> {
    medium: &'a str,
    threads: u64,
    factor: f64,
    raw: &'a str,
    samples: u64,
}

fn parse(text: &str) -> Option<Row<'_>> {
    let (front, note) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let (samples, word) = note.split_once(' ')?;
    if !matches!(word, "sample" | "samples") {
        return None;
    }
    let (front, raw) = front.trim_end().rsplit_once(char::is_whitespace)?;
    let factor = parse_number(raw.strip_suffix('x')?, &DecimalMark::Point)?;
    let front = front.trim_end().strip_suffix('s').unwrap_or(front.trim_end());
    let (front, threads) = front.strip_suffix(" thread")?.rsplit_once(char::is_whitespace)?;
    let medium = front.trim_end().trim_end_matches(',');
    Some(Row { medium, threads: threads.parse().ok()?, factor, raw, samples: samples.parse().ok()? })
}

/// The one run of a medium and a number of threads, made where it is first met.
fn run_of(
    context: &mut Context,
    shared: &Shared,
    piece: &Piece<'_>,
    medium: &str,
    threads: u64,
    sink: &mut Sink<'_>,
) -> u32 {
    if let Some((_, _, run)) = context.scaling.runs.iter().find(|(m, t, _)| m == medium && *t == threads) {
        return *run;
    }
    let mut run = context.run(shared, piece);
    run.content.set(Key::Medium, medium);
    run.content.set(Key::Threads, threads.to_string());
    if shared.scan && run.content.get(Key::Operation).is_none() {
        run.content.set(Key::Operation, "scan");
    }
    if shared.rebooted {
        run.content.set(Key::Cache, "cold");
    }
    let run = sink.run(run);
    context.scaling.runs.push((medium.to_owned(), threads, run));
    run
}

fn write_time(
    context: &mut Context,
    shared: &Shared,
    piece: &Piece<'_>,
    time: &ProseTime,
    sink: &mut Sink<'_>,
) {
    let run = run_of(context, shared, piece, &time.medium, time.threads, sink);
    let mut row = printed(run, piece, Process::Client, "time", Unit::Secs, Some(time.secs), &time.raw);
    (row.line, row.offset) = (time.line, time.offset);
    sink.measure(row);
}

/// Notes the times of a sentence such as `One disk with 2, 5 and 10 threads: 1m22s , 1m34s , 1m38s.`
pub fn prose(context: &mut Context, shared: &Shared, piece: &Piece<'_>, out: &mut Out<'_, '_>) {
    if !piece.text.contains("thread") {
        return;
    }
    let mut medium = None;
    for clause in piece.text.split(';') {
        let Some((threads, figures)) = threads_and_figures(clause) else { continue };
        medium = medium_of(clause).or(medium);
        let Some(medium) = medium else { continue };
        let times: Vec<(&str, f64)> =
            figures.filter_map(|figure| Some((figure, parse_duration(figure)?))).collect();
        if times.len() != threads.len() {
            continue;
        }
        for (threads, (raw, secs)) in threads.into_iter().zip(times) {
            let (line, offset) = piece.at();
            let time =
                ProseTime { medium: medium.to_owned(), threads, secs, raw: raw.to_owned(), line, offset };
            match out {
                Some(sink) if context.scaling.seen => write_time(context, shared, piece, &time, sink),
                _ => context.scaling.waiting.push(time),
            }
        }
    }
}

/// The numbers ahead of `thread` and the figures behind the colon.
fn threads_and_figures(clause: &str) -> Option<(Vec<u64>, impl Iterator<Item = &str>)> {
    let (front, figures) = clause.split_once(':')?;
    let front = front.trim_end().trim_end_matches('s').strip_suffix("thread")?;
    let mut threads: Vec<u64> = Vec::new();
    for word in front.split([' ', ',']).rev().filter(|word| !word.is_empty() && *word != "and") {
        let Some(count) = count_of(word) else { break };
        threads.insert(0, count);
    }
    let figures = figures.split([',', '(']).map(|figure| {
        let figure = figure.trim().trim_end_matches(['.', ')']);
        figure.find(" to ").and_then(|end| figure.get(..end)).unwrap_or(figure)
    });
    (!threads.is_empty()).then_some((threads, figures))
}

fn count_of(word: &str) -> Option<u64> {
    let named = || SMALL_NUMBERS.iter().position(|name| *name == word).map(|at| at as u64 + 1);
    word.parse().ok().or_else(named)
}

fn medium_of(clause: &str) -> Option<&'static str> {
    let lower = clause.to_lowercase();
    MEDIA.iter().find(|(word, _)| lower.contains(word)).map(|(_, medium)| *medium)
}
