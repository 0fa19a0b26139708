//! The pipe to the window: live samples may be dropped, records never; writing never blocks a timed part.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use triptych_model::runlog::Record;

/// A pipe that polls as writable takes this much without blocking (PIPE_BUF, pipe(7)).
const CHUNK: usize = 4096;

/// The pipe with what it has not taken yet.
pub struct Output {
    pipe: File,
    pending: VecDeque<u8>,
    /// Nobody reads any more.
    closed: bool,
}

impl Output {
    /// Writes to this descriptor.
    pub fn new(pipe: OwnedFd) -> Self {
        Self { pipe: File::from(pipe), pending: VecDeque::new(), closed: false }
    }

    /// Whether nobody reads any more.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Queues a record and writes what the pipe takes now.
    pub fn send<T: serde::Serialize>(&mut self, line: &T) {
        if let Ok(mut text) = serde_json::to_vec(line) {
            text.push(b'\n');
            self.pending.extend(text);
        }
        self.push();
    }

    /// Writes live samples if the pipe takes them now; says whether it did.
    pub fn send_live(&mut self, records: &[Record]) -> bool {
        self.push();
        if !self.pending.is_empty() || !self.writable(0) {
            return false;
        }
        for record in records {
            if let Ok(text) = serde_json::to_vec(record) {
                self.pending.extend(text);
                self.pending.push_back(b'\n');
            }
        }
        self.push();
        true
    }

    /// Writes as much as the pipe takes without blocking.
    pub fn push(&mut self) {
        while !self.pending.is_empty() && self.writable(0) {
            self.write_some();
        }
        if self.closed {
            self.pending.clear();
        }
        if self.pending.is_empty() {
            // The room of one long record is not kept: a child's peak of memory begins at ours.
            self.pending.shrink_to(16 * CHUNK);
        }
    }

    /// Whether something waits for the reader.
    pub fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Writes all, and waits for the reader at most this long.
    pub fn flush(&mut self, limit: std::time::Duration) {
        let end = std::time::Instant::now() + limit;
        while !self.pending.is_empty() && !self.closed && std::time::Instant::now() < end {
            if self.writable(50) {
                self.write_some();
            }
        }
    }

    fn write_some(&mut self) {
        let (front, _) = self.pending.as_slices();
        let chunk = &front[..front.len().min(CHUNK)];
        match self.pipe.write(chunk) {
            Ok(written) => drop(self.pending.drain(..written)),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => self.closed = true,
        }
    }

    fn writable(&mut self, millis: i64) -> bool {
        if self.closed {
            return false;
        }
        let mut fds = [PollFd::from_borrowed_fd(self.pipe.as_fd(), PollFlags::OUT)];
        let limit = Timespec { tv_sec: 0, tv_nsec: millis * 1_000_000 };
        if poll(&mut fds, Some(&limit)).unwrap_or(0) == 0 {
            return false;
        }
        let [fd] = &fds;
        if fd.revents().intersects(PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL) {
            self.closed = true;
        }
        !self.closed && fd.revents().contains(PollFlags::OUT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use triptych_model::Timestamp;
    use triptych_model::runlog::{Event, LiveSample};

    fn pipe() -> (File, Output) {
        let (read, write) = rustix::pipe::pipe().expect("a pipe");
        (File::from(read), Output::new(write))
    }

    fn record(event: Event) -> Record {
        Record { n: 1, time: Timestamp(0), event }
    }

    #[test]
    fn a_reader_that_sleeps_loses_live_samples_but_no_record() {
        let (mut reader, mut output) = pipe();
        let live = record(Event::Live(LiveSample::default()));
        let mut sent = 0;
        while output.send_live(std::slice::from_ref(&live)) {
            sent += 1;
            assert!(sent < 100_000, "the pipe never fills");
        }
        for _ in 0..1000 {
            output.send(&record(Event::Paused));
        }
        let reading = std::thread::Builder::new().spawn(move || {
            let mut text = String::new();
            reader.read_to_string(&mut text).map(|_| text)
        });
        output.flush(std::time::Duration::from_secs(5));
        drop(output);
        let text = reading.expect("a thread").join().expect("a reader").expect("text");
        assert_eq!(text.matches("paused").count(), 1000);
        assert_eq!(text.matches("\"live\"").count(), sent);
    }

    #[test]
    fn a_reader_that_is_gone_is_noticed() {
        let (reader, mut output) = pipe();
        drop(reader);
        output.send(&record(Event::Paused));
        assert!(output.closed());
        output.flush(std::time::Duration::from_secs(5));
    }
}
