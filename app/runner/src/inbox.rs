//! What comes in on standard input: lines of [`Control`], read without blocking.

use crate::protocol::Control;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

/// Most bytes of one line: a plan of ten thousand steps has some megabytes.
const LONGEST: usize = 64 << 20;

/// The reading end.
pub struct Inbox {
    pipe: OwnedFd,
    buffer: Vec<u8>,
    ended: bool,
}

impl Inbox {
    /// Reads from this descriptor.
    pub fn new(pipe: OwnedFd) -> Self {
        Self { pipe, buffer: Vec::new(), ended: false }
    }

    /// The descriptor, for poll.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// Whether the other side is gone.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// The next line, if it is there within this time; `None` forever: no limit.
    pub fn line(&mut self, limit: Option<Duration>) -> Option<String> {
        let end = limit.map(|limit| std::time::Instant::now() + limit);
        loop {
            if let Some(at) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=at).collect();
                return Some(String::from_utf8_lossy(&line[..at]).into_owned());
            }
            let left = end.map(|end| end.saturating_duration_since(std::time::Instant::now()));
            if self.ended || !self.fill(left) {
                return None;
            }
        }
    }

    /// Reads what is there; false where nothing came in time.
    fn fill(&mut self, limit: Option<Duration>) -> bool {
        let limit = limit.map(|limit| Timespec {
            tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(limit.subsec_nanos()),
        });
        let mut fds = [PollFd::from_borrowed_fd(self.pipe.as_fd(), PollFlags::IN)];
        match poll(&mut fds, limit.as_ref()) {
            Ok(0) => return false,
            Err(rustix::io::Errno::INTR) => return true,
            Err(_) => {
                self.ended = true;
                return false;
            }
            Ok(_) => {}
        }
        let mut chunk = [0; 65536];
        match rustix::io::read(&self.pipe, &mut chunk) {
            Ok(0) => self.ended = true,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => self.ended = true,
            Ok(count) => {
                self.buffer.extend_from_slice(&chunk[..count]);
                self.ended |= self.buffer.len() > LONGEST;
            }
        }
        true
    }

    /// The next wish, if one is there within this time. Unreadable lines are skipped: a newer window
    /// may know more. The end of the input is a wish to cancel.
    pub fn control(&mut self, limit: Option<Duration>) -> Option<Control> {
        loop {
            match self.line(limit) {
                Some(line) => match serde_json::from_str(&line) {
                    Ok(Control::Unknown) | Err(_) => {}
                    Ok(control) => return Some(control),
                },
                None => return self.ended.then_some(Control::Cancel),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_and_the_end_is_a_cancel() {
        let (read, write) = rustix::pipe::pipe().expect("a pipe");
        let mut inbox = Inbox::new(read);
        let soon = Some(Duration::from_millis(1));
        assert_eq!(inbox.control(soon), None);
        rustix::io::write(&write, b"{\"command\":\"pau").expect("written");
        assert_eq!(inbox.control(soon), None);
        rustix::io::write(&write, b"se\"}\n{\"command\":\"dance\"}\nnonsense\n{\"command\":\"continue\"}\n")
            .expect("written");
        assert_eq!(inbox.control(soon), Some(Control::Pause));
        assert_eq!(inbox.control(soon), Some(Control::Continue));
        assert_eq!(inbox.control(soon), None);
        drop(write);
        assert_eq!(inbox.control(soon), Some(Control::Cancel));
    }
}
