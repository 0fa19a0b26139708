//! Large logs in blocks: some threads read, one puts together.
//!
//! Used by [`crate::Readers`] for the logs of servers, which grow to gigabytes. The source is a stream, so
//! that it is never held whole and may as well come out of a packed file: whoever is free takes the next
//! block off it, cut at a line that [`BlockFormat::may_begin`] allows, reads its lines into columns of its
//! own and hands them over; blocks are then appended in order, texts renamed and lines counted on. What
//! a block says depends on no other one, so the rows are the same wherever the cuts fall. As many blocks
//! are under way as there are parts, and a part goes round: room is asked for once.

use crate::format::{Block, BlockFormat, LOOK_AHEAD};
use crate::sink::Sink;
use crate::text::{Lines, Repair};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use triptych_model::{Cancelled, Problems, Silent, StreamError};

/// How a source is cut and by how many it is read.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Bytes of a block, roughly.
    pub block: usize,
    /// Threads that read.
    pub threads: usize,
}

impl Default for Plan {
    /// Blocks that stay in a core's own cache, and a thread for each core up to sixteen. A fuzzer's
    /// inputs are small, and so are its blocks.
    fn default() -> Self {
        if cfg!(fuzzing) {
            return Self { block: 512, threads: 2 };
        }
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { block: 1 << 20, threads: cores.min(16) }
    }
}

/// The longest head that is looked at to see whose log it is.
const LONGEST_HEAD: usize = 1 << 20;

/// How much is read to find where the next block begins: what has no beginning for so long is no log.
const LONGEST_BLOCK: usize = 16 << 20;

/// The most rows that room is asked for ahead: a log of some gigabytes.
const MOST_RESERVED: u64 = 1 << 25;

/// Cuts a stream into blocks.
pub struct Cutter<'s> {
    stream: &'s mut (dyn Read + Send),
    /// Bytes that were read and belong to the next block.
    carry: Vec<u8>,
    /// Where `carry` lies in the source.
    offset: u64,
    ended: bool,
    next: u64,
}

impl<'s> Cutter<'s> {
    /// A cutter that has read the head of the stream.
    ///
    /// # Errors
    /// The stream's.
    pub fn new(stream: &'s mut (dyn Read + Send), block: usize) -> io::Result<Self> {
        let mut cutter = Self { stream, carry: Vec::new(), offset: 0, ended: false, next: 0 };
        let mut head = Vec::new();
        let mut filled = 0;
        while !cutter.ended && filled < LONGEST_HEAD && (filled < block || !has_lines(&head, filled)) {
            let more = if filled == 0 { block } else { filled };
            head.resize(filled + more.clamp(1, LONGEST_HEAD), 0);
            filled = cutter.fill(&mut head, filled)?;
        }
        head.truncate(filled);
        cutter.carry = head;
        Ok(cutter)
    }

    /// The head of the stream up to its last whole line; `None` where it has not lines enough to look at.
    pub fn head(&self) -> Option<&[u8]> {
        let end = memchr::memrchr(b'\n', &self.carry)? + 1;
        has_lines(&self.carry, self.carry.len()).then(|| self.carry.get(..end)).flatten()
    }

    /// Reads on until the buffer is full or the stream ends, and gives how far it is filled.
    fn fill(&mut self, buffer: &mut [u8], mut filled: usize) -> io::Result<usize> {
        while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
            match self.stream.read(room) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Takes the next block off the stream; false behind the last one.
    fn next(&mut self, block: usize, format: &dyn BlockFormat, part: &mut Part<'_>) -> io::Result<bool> {
        part.given_up = false;
        let mut size = block.max(self.carry.len());
        let mut filled = self.carry.len();
        let room = (size + block).max(part.bytes.len());
        part.bytes.resize(room, 0);
        if let Some(head) = part.bytes.get_mut(..filled) {
            head.copy_from_slice(&self.carry);
        }
        let (cut, end) = loop {
            if !self.ended && filled < size {
                filled = self.fill(part.bytes.get_mut(..size).unwrap_or_default(), filled)?;
            }
            let read = part.bytes.get(..filled).unwrap_or_default();
            if self.ended {
                break (filled, filled);
            }
            if let Some(found) = cut(read, format) {
                break found;
            }
            if filled >= LONGEST_BLOCK.max(2 * block) {
                // Nobody needs what follows: the source is left to the other way of reading.
                (part.given_up, self.ended) = (true, true);
                break (filled, filled);
            }
            size += block.max(size / 2);
            part.bytes.resize(size.max(part.bytes.len()), 0);
        };
        (part.index, part.offset, part.cut, part.end) = (self.next, self.offset, cut, end);
        (part.is_first, part.is_last) = (self.next == 0, self.ended);
        self.carry.clear();
        self.carry.extend_from_slice(part.bytes.get(cut..filled).unwrap_or_default());
        self.offset += cut as u64;
        self.next += 1;
        Ok(filled > 0)
    }
}

fn has_lines(bytes: &[u8], filled: usize) -> bool {
    memchr::memchr_iter(b'\n', bytes.get(..filled).unwrap_or_default()).nth(LOOK_AHEAD).is_some()
}

/// Where the next block begins, with lines enough behind it to look at, and where the last whole line
/// ends; `None` where more must be read.
fn cut(read: &[u8], format: &dyn BlockFormat) -> Option<(usize, usize)> {
    let mut feeds = memchr::memrchr_iter(b'\n', read);
    let end = feeds.next()? + 1;
    let mut next = end;
    for (count, feed) in feeds.enumerate() {
        let start = feed + 1;
        if count >= LOOK_AHEAD && read.get(start..next).is_some_and(|line| format.may_begin(line)) {
            return Some((start, end));
        }
        next = start;
    }
    None
}

/// A block on its way from the stream to the rows.
struct Part<'p> {
    index: u64,
    /// Where it lies in the source.
    offset: u64,
    /// The block, and behind `cut` up to `end` whole lines to look at; what follows is of no use.
    bytes: Vec<u8>,
    cut: usize,
    end: usize,
    is_first: bool,
    is_last: bool,
    /// Whether the next block does not begin within [`LONGEST_BLOCK`].
    given_up: bool,
    /// Its rows; lines and offsets count from the block's own beginning.
    sink: Sink<'p>,
    lines: u64,
    repairs: Vec<Repair>,
    /// Whether the log goes on to the block's end.
    whole: bool,
}

impl<'p> Part<'p> {
    fn new(main: &Sink<'p>) -> Self {
        Self {
            index: 0,
            offset: 0,
            bytes: Vec::new(),
            cut: 0,
            end: 0,
            is_first: false,
            is_last: false,
            given_up: false,
            sink: Sink::new(&main.data.path, main.options, &Silent),
            lines: 0,
            repairs: Vec::new(),
            whole: true,
        }
    }

    /// Reads its lines.
    fn read(&mut self, format: &dyn BlockFormat) -> Result<(), Cancelled> {
        if self.given_up {
            self.whole = false;
            return Ok(());
        }
        let bytes = self.bytes.get(..self.end).unwrap_or_default();
        let lines = if self.is_first { Lines::new(bytes) } else { Lines::part(bytes) };
        let end = lines.index_at(self.cut);
        self.lines = lines.physical_before(end);
        let block = Block { lines: &lines, end, is_first: self.is_first };
        self.whole = !lines.has_marks() && format.read_block(&block, &mut self.sink)?;
        self.repairs.clear();
        let own = lines.repairs().iter().filter(|repair| u64::from(repair.line) <= self.lines);
        self.repairs.extend(own.copied());
        Ok(())
    }
}

/// What the threads that read share.
struct Shared<'s, 'p> {
    cutter: Cutter<'s>,
    free: Receiver<Part<'p>>,
}

/// Reads a whole log into the sink; the repairs of its lines as problems, or `None` where the log ends
/// before its source does, and then the sink is of no use any more.
///
/// # Errors
/// Cancelled, or what the stream says.
pub fn read(
    cutter: Cutter<'_>,
    format: &dyn BlockFormat,
    plan: Plan,
    sink: &mut Sink<'_>,
) -> Result<Option<Problems>, StreamError> {
    let parts = plan.threads + plan.threads.div_ceil(2);
    let (give_back, free) = sync_channel(parts);
    let (hand_over, done) = sync_channel(parts);
    for _ in 0..parts {
        give_back.try_send(Part::new(sink)).ok();
    }
    let shared = Mutex::new(Shared { cutter, free });
    thread::scope(|scope| {
        for number in 0..plan.threads {
            let (hand_over, shared) = (hand_over.clone(), &shared);
            let thread = thread::Builder::new().name(format!("read {number}"));
            // Where the system allows no more threads, those that run do; without any there is no block.
            thread.spawn_scoped(scope, move || work(shared, plan.block, format, &hand_over)).ok();
        }
        drop(hand_over);
        let read = put_together(&done, &give_back, format, sink);
        // Who waits for a free part, or hands one over, ends when nobody is there any more.
        drop((done, give_back));
        read
    })
}

/// Tells of a thread that panics: the others would wait for its block for ever.
struct Alarm<'a, 'p>(&'a SyncSender<io::Result<Part<'p>>>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.send(Err(io::Error::other("a thread that reads a block broke down"))).ok();
        }
    }
}

/// Takes blocks, reads them and hands them over, until the stream ends or nobody wants more.
fn work<'p>(
    shared: &Mutex<Shared<'_, 'p>>,
    block: usize,
    format: &dyn BlockFormat,
    hand_over: &SyncSender<io::Result<Part<'p>>>,
) {
    let _alarm = Alarm(hand_over);
    loop {
        let mut part = {
            let Ok(mut shared) = shared.lock() else { return };
            let Ok(mut part) = shared.free.recv() else { return };
            match shared.cutter.next(block, format, &mut part) {
                Ok(true) => part,
                Ok(false) => return,
                Err(error) => {
                    hand_over.send(Err(error)).ok();
                    return;
                }
            }
        };
        // Nobody cancels a part: whoever gave up does not take it.
        if part.read(format).is_err() || hand_over.send(Ok(part)).is_err() {
            return;
        }
    }
}

/// Appends the blocks in order.
fn put_together<'p>(
    done: &Receiver<io::Result<Part<'p>>>,
    give_back: &SyncSender<Part<'p>>,
    format: &dyn BlockFormat,
    sink: &mut Sink<'_>,
) -> Result<Option<Problems>, StreamError> {
    let (mut early, mut next, mut ended) = (BTreeMap::new(), 0, false);
    let (mut lines, mut repairs) = (0_u64, Problems::default());
    let total = sink.data.bytes;
    for part in done {
        let part = part?;
        early.insert(part.index, part);
        while let Some(mut part) = early.remove(&next) {
            next += 1;
            if !part.whole {
                return Ok(None);
            }
            let before = u32::try_from(lines).unwrap_or(u32::MAX);
            sink.absorb(&mut part.sink, before, part.offset);
            for repair in &part.repairs {
                let line = repair.line.saturating_add(before);
                repairs.push(Repair { line, ..*repair }.problem(&sink.data.path));
            }
            lines += part.lines;
            ended = part.is_last;
            let read = part.offset + part.cut as u64;
            if part.is_first {
                reserve(sink, read, total);
            }
            sink.data.bytes = total.max(read);
            sink.check(read)?;
            if ended {
                sink.data.bytes = read;
            }
            give_back.try_send(part).ok();
        }
    }
    sink.data.lines = lines;
    sink.data.requests.shrink();
    format.finish(sink);
    Ok(ended.then_some(repairs))
}

/// Asks for the room that the whole needs, going by its first block, within reason: one block is no
/// proof, and a size may be made up. Room that is not used costs nothing.
fn reserve(sink: &mut Sink<'_>, read: u64, total: u64) {
    let rows = sink.data.requests.len() as u64;
    let expected = rows.saturating_mul(total.saturating_sub(read)) / read.max(1);
    let expected = expected.min(MOST_RESERVED);
    sink.data.requests.reserve(usize::try_from(expected + expected / 16).unwrap_or(0));
}

#[cfg(test)]
mod tests;
