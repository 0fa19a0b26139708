//! Both ways of reading a log, whole and in blocks, give the same: on genuine logs and on made-up ones
//! with all that can go wrong, cut into blocks of any size.

use crate::Readers;
use crate::format::{Block, BlockFormat};
use crate::parallel::{Cutter, Plan};
use crate::scan::read_blocks;
use crate::sink::Sink;
use crate::sink::testing::bytes;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use triptych_model::{Cancelled, Importer, Progress, ReadOptions, Silent, SourceData, StreamError};

/// All that a source says, as text.
fn told(data: &SourceData) -> String {
    let mut text = format!(
        "{} bytes, {} lines, {:?}, {} not understood, {} output\n",
        data.bytes, data.lines, data.formats, data.not_understood, data.program_output
    );
    for problem in &data.problems {
        writeln!(text, "{problem:?}").expect("a string");
    }
    let rows = &data.requests;
    for row in 0..rows.len() {
        let gaps = (rows.gap_before(row), rows.gap_after(row));
        writeln!(text, "{:?} {gaps:?}", rows.row(row).expect("a row")).expect("a string");
    }
    text
}

fn whole(bytes: &[u8]) -> SourceData {
    Readers.read("x", bytes, &ReadOptions::default(), &Silent).expect("nobody cancels")
}

fn in_blocks(mut bytes: &[u8], block: usize, threads: usize) -> Option<SourceData> {
    let options = ReadOptions::default();
    let mut sink = Sink::new("x", &options, &Silent);
    sink.data.bytes = bytes.len() as u64;
    let read = read_blocks(&mut bytes, Plan { block, threads }, &mut sink).expect("no error");
    read.then(|| sink.finish())
}

const LOGS: [&str; 7] = [
    "svnserve/fork-1.14.log",
    "svnserve/svnserve-1.6.9.log",
    "svnserve/svnserve-1.14.2.log",
    "httpd/access-combined.log",
    "httpd/access-common-us.log",
    "httpd/ops.log",
    "httpd/ops-timed.log",
];

#[test]
fn genuine_logs_are_the_same_in_blocks() {
    for name in LOGS {
        let plain = bytes(name);
        let crlf = String::from_utf8(plain.clone()).expect("text").replace('\n', "\r\n").into_bytes();
        let cut = plain[37..plain.len() - 20].to_vec();
        let twice = plain.repeat(4);
        let marked = [b"\xef\xbb\xbf".as_slice(), &plain].concat();
        for bytes in [plain, crlf, cut, twice, marked] {
            let expect = whole(&bytes);
            for (block, threads) in [(1, 1), (100, 3), (1000, 2), (4096, 1), (7777, 4)] {
                let found = in_blocks(&bytes, block, threads);
                // Only a first line that is cut before its action is no part of the log; few lines are no
                // log to be read in blocks, and the head of an access log must be whole.
                let fits = expect.program_output == 0 && expect.lines > 60;
                let fits = fits && (name.starts_with("svnserve") || expect.not_understood < 2);
                assert_eq!(found.is_some(), fits, "{name} in blocks of {block}");
                if let Some(found) = found {
                    assert_eq!(told(&found), told(&expect), "{name} in blocks of {block}");
                }
            }
        }
    }
}

#[test]
fn what_is_no_log_from_end_to_end_is_left_to_the_other_way() {
    let log = String::from_utf8(bytes("svnserve/fork-1.14.log")).expect("text");
    let foreign = "nothing of the kind\n".repeat(90);
    for text in [
        String::new(),
        log.lines().take(20).collect::<Vec<_>>().join("\n"),
        foreign.clone(),
        format!("{foreign}{log}"),
        format!("{log}{foreign}"),
        log.replace("\n2", "\n> 2"),
    ] {
        assert!(in_blocks(text.as_bytes(), 500, 2).is_none(), "{text:.80}");
    }
    let wide: Vec<u8> = log.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(in_blocks(&wide, 500, 2).is_none());
}

/// Fails, or is cancelled, after some bytes.
struct Failing(u64);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        let line = b"7 2026-11-30T08:03:43.388100Z ::1 - r get-latest-rev\n";
        let mut count = 0;
        for (to, from) in buffer.chunks_exact_mut(line.len()).zip(std::iter::repeat(line)) {
            to.copy_from_slice(from);
            count += line.len();
        }
        self.0 = self.0.saturating_sub(count.max(1) as u64);
        Ok(count.max(1).min(buffer.len()))
    }
}

struct GiveUp(AtomicU64);

impl Progress for GiveUp {
    fn advance(&self, done: u64, _total: u64) {
        self.0.fetch_max(done, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 3_000_000
    }
}

#[test]
fn a_stream_that_fails_or_is_given_up_ends_all_threads() {
    let options = ReadOptions::default();
    let read = Readers.read_stream("x", &mut Failing(10_000_000), None, &options, &Silent);
    assert!(matches!(read, Err(StreamError::Io(error)) if error.to_string() == "the disk is gone"));
    let progress = GiveUp(AtomicU64::new(0));
    let read = Readers.read_stream("x", &mut Failing(u64::MAX), None, &options, &progress);
    assert!(matches!(read, Err(StreamError::Cancelled(Cancelled))));
    // Within a block of where it was asked for.
    assert!(progress.0.load(Ordering::Relaxed) < 5_000_000);
}

/// A log, then other lines without an end; counts what was taken of them.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line: &[u8] = match self.0 {
            0..100_000 => b"7 2026-11-30T08:03:43.388100Z ::1 - r get-latest-rev\n",
            _ => b"nothing of the kind\n",
        };
        let count = line.len().min(buffer.len());
        buffer[..count].copy_from_slice(&line[..count]);
        self.0 += count as u64;
        Ok(count)
    }
}

#[test]
fn a_log_that_ends_within_a_large_source_is_given_up_early() {
    let mut stream = Endless(0);
    let read = Readers.read_stream("x", &mut stream, None, &ReadOptions::default(), &Silent);
    assert!(matches!(read, Ok(None)));
    assert!(stream.0 < 40 << 20, "{}", stream.0);
}

/// Breaks down in the block that has a certain line.
struct Breaking;

impl BlockFormat for Breaking {
    fn may_begin(&self, _line: &[u8]) -> bool {
        true
    }

    fn read_block(&self, block: &Block<'_>, _sink: &mut Sink<'_>) -> Result<bool, Cancelled> {
        assert!(!block.lines.starting_at(0).any(|(_, line)| line.text == "break"), "as it is told to");
        Ok(true)
    }

    fn finish(&self, _sink: &mut Sink<'_>) {}
}

#[test]
fn a_thread_that_breaks_down_ends_all_threads() {
    for threads in [1, 3] {
        let text = format!("{}break\n{}", "fine\n".repeat(2000), "fine\n".repeat(90_000));
        let broken = std::panic::catch_unwind(|| {
            let mut stream = text.as_bytes();
            let cutter = Cutter::new(&mut stream, 1000).expect("no error");
            let options = ReadOptions::default();
            let mut sink = Sink::new("x", &options, &Silent);
            super::read(cutter, &Breaking, Plan { block: 1000, threads }, &mut sink).is_ok()
        });
        assert!(broken.is_err(), "{threads}");
    }
}

#[test]
fn a_size_that_is_made_up_asks_for_no_more_room_than_there_is() {
    let options = ReadOptions::default();
    let mut sink = Sink::new("x", &options, &Silent);
    for (rows, read, total) in [(1, 1, u64::MAX), (9, 1, u64::MAX), (9, 0, 100), (9, 100, 0)] {
        while sink.data.requests.len() < rows {
            sink.data.requests.push(&triptych_model::Request::default());
        }
        super::reserve(&mut sink, read, total);
    }
}

#[test]
fn repairs_of_many_lines_are_told_as_in_the_other_way() {
    let line = b"7 2026-11-30T08:03:43.388100Z ::1 - r stat /\xe4@1\n";
    let log = line.repeat(500);
    let found = in_blocks(&log, 2000, 2).expect("a log");
    assert_eq!(found.problems, whole(&log).problems);
    assert_eq!(found.problems.len(), 21);
}

#[test]
fn an_access_log_whose_layout_was_changed_is_the_same_in_blocks() {
    let line = |end: &str| format!("::1 - joe [30/Nov/2026:08:05:18 +0000] \"GET /x HTTP/1.1\" 200 5{end}\n");
    let damaged = "::1 - joe [30/Nov/2026:08:05:18 +0000] \"GET /x\n";
    let (common, combined) = (line("").repeat(100), line(" \"-\" \"agent\"").repeat(10));
    let log = common + &(combined + damaged).repeat(20) + &line(" \"-\" \"agent\"");
    let expect = whole(log.as_bytes());
    assert_eq!((expect.requests.len(), expect.not_understood, expect.program_output), (301, 20, 0));
    for block in [1, 900, 5000, 100_000] {
        let found = in_blocks(log.as_bytes(), block, 2).expect("a log");
        assert_eq!(told(&found), told(&expect), "in blocks of {block}");
    }
}

#[test]
fn what_begins_with_binary_bytes_is_no_log_in_blocks_either() {
    let line = "::1 - joe [30/Nov/2026:08:05:18 +0000] \"GET /x HTTP/1.1\" 200 5\n";
    let log = [line.as_bytes(), &[1, 2, 3, 4, 5, 6].repeat(200), b"\n", line.repeat(100).as_bytes()].concat();
    assert!(whole(&log).skipped.is_some() && in_blocks(&log, 1 << 20, 2).is_none());
}

const HEAD: &str = "24645 2026-11-30T08:03:43.388100Z 127.0.0.1";

/// Lines of logs, and what may stand between them.
const PIECES: &[&[u8]] = &[
    b" - r get-latest-rev\n",
    b" - r get-file /a%20b r12 text\n",
    b" - r open 2 cap=(depth) / x -\n",
    b" joe r stat /a@7\r\n",
    b" john doe r commit r99999999999\n",
    b" - r ERR - 0 220003 no\n",
    b" - r ERR- - 0 200002 because\n",
    b" - r frobnicate /x\n",
    b" - r get-file /x\n",
    b" - r stat /\xe4@1\n",
    b" - r stat /\x1b[31m@1\n",
    b" - r stat /\0@1\n",
    b"\rstray\r\n",
];

/// Other lines, without a head.
const OTHERS: &[&[u8]] = &[
    b"\n",
    b"  \r\n",
    b"stray words\n",
    b"2026-11-30 stray\n",
    b"7 2026-11-30T08:03:44.000001Z ::1 - r commit r1\n",
];

/// The number of a piece, or behind them of another line.
fn line(pieces: &[&[u8]]) -> impl Strategy<Value = usize> + use<> {
    let count = pieces.len();
    prop_oneof![8 => Just(0), 6 => 0..count, 1 => count..count + OTHERS.len()]
}

fn text(head: &str, pieces: &[&[u8]], number: usize) -> Vec<u8> {
    match pieces.get(number) {
        Some(piece) => [head.as_bytes(), piece].concat(),
        None => OTHERS[number - pieces.len()].to_vec(),
    }
}

const ACCESS: &str = "::1 - joe [30/Nov/2026:08:05:18";

/// Lines of an access log, of other layouts, and what is none.
const ACCESSES: &[&[u8]] = &[
    b" +0000] \"GET /x HTTP/1.1\" 200 5\n",
    b" +0000] \"GET /y HTTP/1.1\" 200 5 \"-\" \"agent\"\r\n",
    b"] \"GET /x HTTP/1.1\" 200 -\n",
    b" +0000] \"GET /x HTTP/1.1\" 200 5 \"commit r7\"\n",
    b" +0000] \"GET /x HTTP/1.1\" 200 5 \"comit r7\"\n",
    b" +0000] \"GET /\xe4 HTTP/1.1\" 404 5\n",
    b" +0000] \"GET /\0 HTTP/1.1\" 404 5\n",
    b" +9900] \"GET /x HTTP/1.1\" 200 5\n",
    b" +0000] \"GET /x HTTP/1.1\" 200 5 1500\n",
    b" +0000] \"GET /x HTTP/1.1 200 5\n",
];

proptest! {
    #[test]
    fn any_access_log_is_the_same_in_blocks_of_any_size(
        lines in prop::collection::vec(line(ACCESSES), 90..200),
        end in 0_usize..80,
        block in 1_usize..6000,
        threads in 1_usize..4,
    ) {
        let mut bytes = [ACCESS.as_bytes(), ACCESSES[0]].concat();
        bytes.extend(lines.into_iter().flat_map(|number| text(ACCESS, ACCESSES, number)));
        bytes.truncate(bytes.len() - end);
        let found = in_blocks(&bytes, block, threads);
        // Where the head is strange by chance, the log is left to the other way.
        prop_assume!(found.is_some());
        prop_assert_eq!(found.map(|found| told(&found)), Some(told(&whole(&bytes))));
    }

    #[test]
    fn any_log_is_the_same_in_blocks_of_any_size(
        lines in prop::collection::vec(line(PIECES), 90..260),
        end in 0_usize..80,
        block in 1_usize..6000,
        threads in 1_usize..4,
    ) {
        let mut bytes = [HEAD.as_bytes(), PIECES[0]].concat();
        bytes.extend(lines.into_iter().flat_map(|number| text(HEAD, PIECES, number)));
        bytes.truncate(bytes.len() - end);
        let found = in_blocks(&bytes, block, threads);
        // Only a log that ends early is left to the other way.
        let expect = whole(&bytes);
        prop_assert!(found.is_some() || expect.program_output > 0);
        if let Some(found) = found {
            prop_assert_eq!(told(&found), told(&expect));
        }
    }
}
