//! The run log on disk: `run.ndjson`, whole lines only, synced when a run has ended.
//!
//! Records of a step are kept in memory until the step has ended, so that nothing is written while
//! a client is timed, and nothing is dirty that the kernel could write then. Room for the end of a
//! step is reserved before it begins: a disk that fills up later loses no finished run.

use rustix::fs::{FallocateFlags, FlockOperation};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use triptych_model::Timestamp;
use triptych_model::runlog::{Event, Finished, Hello, Outcome, Record, SampleTable, StepEnd};

/// Reserved before each step: a run of ten minutes at 10 Hz takes a fifth of it.
const RESERVE: u64 = 4 << 20;

/// Why a log cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Another runner writes it.
    #[error("another runner is measuring into {0}")]
    Busy(PathBuf),
    /// It was written by another version.
    #[error("{1} ({0})")]
    Protocol(PathBuf, String),
    /// The system refuses.
    #[error("the run log cannot be written: {1} ({0})")]
    Io(PathBuf, #[source] io::Error),
}

/// What a log already holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// Number of the last record.
    pub last: u64,
    /// Steps that have ended.
    pub ended: BTreeSet<u32>,
    /// Of these, those whose run failed.
    pub failed: BTreeSet<u32>,
    /// The ends, for what later runs are compared with.
    pub ends: Vec<StepEnd>,
    /// Steps of the whole plan.
    pub steps: u32,
    /// Whether the last record is the end of a session.
    pub finished: bool,
}

impl Found {
    fn take(&mut self, record: Record, ends: &mut BTreeMap<u32, StepEnd>) {
        self.last = self.last.max(record.n);
        self.finished = matches!(record.event, Event::Finished(_));
        match record.event {
            Event::StepEnded(end) => {
                ends.insert(end.step, StepEnd { samples: SampleTable::default(), ..*end });
            }
            Event::Campaign(start) => self.steps = start.steps,
            _ => {}
        }
    }

    /// The end of a session that leaves the log as it was found.
    pub fn session_end(&self, outcome: Outcome, reason: Option<String>) -> Finished {
        let count = |steps: &BTreeSet<u32>| u32::try_from(steps.len()).unwrap_or(u32::MAX);
        let (done, failed) = (count(&self.ended), count(&self.failed));
        Finished { outcome, done, failed, remaining: self.steps.saturating_sub(done), reason }
    }
}

/// An open run log.
pub struct LogFile {
    path: PathBuf,
    file: File,
    /// Length up to which every line is whole.
    good: u64,
    waiting: Vec<u8>,
}

impl LogFile {
    /// Opens or makes a log; a last line that was cut by a kill is removed.
    ///
    /// # Errors
    /// It cannot be opened, another runner has it, or it is of another protocol.
    pub fn open(path: &Path) -> Result<(Self, Found), LogError> {
        let fail = |error| LogError::Io(path.to_owned(), error);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fail)?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(LogError::Busy(path.to_owned())),
            Err(error) => return Err(fail(error.into())),
        }
        let (found, whole) = scan(&file).map_err(|why| why.at(path))?;
        file.set_len(whole).map_err(fail)?;
        let mut log = Self { path: path.to_owned(), file, good: whole, waiting: Vec::new() };
        if whole == 0 {
            log.queue(&Hello::of("triptych-runner"));
            log.commit()?;
        }
        Ok((log, found))
    }

    /// Makes sure that the end of the next step will fit.
    ///
    /// # Errors
    /// The disk is full.
    pub fn reserve(&self) -> Result<(), LogError> {
        match rustix::fs::fallocate(&self.file, FallocateFlags::KEEP_SIZE, self.good, RESERVE) {
            // File systems that cannot reserve are taken as they are.
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::NOSYS) | Ok(()) => Ok(()),
            Err(error) => Err(LogError::Io(self.path.clone(), error.into())),
        }
    }

    /// Keeps a line in memory until the next [`LogFile::commit`].
    pub fn queue<T: serde::Serialize>(&mut self, line: &T) {
        if let Ok(text) = serde_json::to_vec(line) {
            self.waiting.extend_from_slice(&text);
            self.waiting.push(b'\n');
        }
    }

    /// Forgets what is kept in memory.
    pub fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Writes what is kept in memory and syncs it; on failure the file is as it was before.
    ///
    /// # Errors
    /// The system refuses, mostly because the disk is full.
    pub fn commit(&mut self) -> Result<(), LogError> {
        self.write().inspect_err(|_| {
            self.file.set_len(self.good).ok();
        })
    }

    /// Writes behind the last whole line, over what an earlier attempt left there.
    fn write(&mut self) -> Result<(), LogError> {
        let waiting = std::mem::take(&mut self.waiting);
        let written = self.file.seek(SeekFrom::Start(self.good)).and_then(|_| self.file.write_all(&waiting));
        written
            .and_then(|()| self.file.sync_data())
            .map_err(|error| LogError::Io(self.path.clone(), error))?;
        self.good += waiting.len() as u64;
        Ok(())
    }

    /// Writes the end of a step; where there is no room for its samples, without them.
    ///
    /// # Errors
    /// Not even the end without samples can be written.
    pub fn commit_end(&mut self, record: &Record) -> Result<bool, LogError> {
        let before = self.waiting.clone();
        self.queue(record);
        if self.write().is_ok() {
            return Ok(true);
        }
        // Cutting the file now would give the reserved room to whoever fills the disk.
        self.waiting = before;
        self.queue(&without_samples(record));
        let written = self.write();
        self.file.set_len(self.good).ok();
        written.map(|()| false)
    }

    /// Gives back what was reserved.
    pub fn close(self) {
        self.file.set_len(self.good).ok();
    }
}

fn without_samples(record: &Record) -> Record {
    let mut record = record.clone();
    if let Event::StepEnded(end) = &mut record.event {
        let lost = end.samples.times.len() as u64 + end.samples.dropped;
        end.samples = SampleTable { dropped: lost, ..SampleTable::default() };
    }
    record
}

/// Why a log could not be scanned.
enum Unfit {
    Io(io::Error),
    Foreign(String),
}

impl Unfit {
    fn at(self, path: &Path) -> LogError {
        match self {
            Self::Io(error) => LogError::Io(path.to_owned(), error),
            Self::Foreign(why) => LogError::Protocol(path.to_owned(), why),
        }
    }
}

/// What a log says, and how long its whole lines are. Lines that cannot be read are left to the reader
/// of logs. One line is in memory at a time, and no samples: this process has to stay small.
fn scan(file: &File) -> Result<(Found, u64), Unfit> {
    let mut reader = BufReader::new(file);
    let (mut found, mut whole, mut line) = (Found::default(), 0, Vec::new());
    let mut ends = BTreeMap::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(Unfit::Io)?;
        if !line.ends_with(b"\n") {
            // A first line that was cut is ours to cut off; anything else is not.
            if whole == 0 && !b"{\"protocol\":".starts_with(&line[..line.len().min(12)]) {
                greet(&line)?;
            }
            break;
        }
        if whole == 0 {
            greet(&line)?;
        } else if let Ok(record) = serde_json::from_slice::<Record>(&line) {
            found.take(record, &mut ends);
        }
        whole += length as u64;
    }
    found.ended = ends.keys().copied().collect();
    let failed = ends.values().filter(|end| end.failure.is_some());
    found.failed = failed.map(|end| end.step).collect();
    found.ends = ends.into_values().collect();
    Ok((found, whole))
}

/// Reads the first line.
fn greet(line: &[u8]) -> Result<(), Unfit> {
    let hello: Hello = serde_json::from_slice(line).map_err(|error| {
        Unfit::Foreign(format!(
            "this is no run log: {error}, expected a first line such as {{\"protocol\":1}}"
        ))
    })?;
    hello.refusal().map_or(Ok(()), |refusal| Err(Unfit::Foreign(refusal)))
}

/// Appends the end of a session to the log of a runner that was killed.
pub fn append_end(path: &Path, outcome: Outcome, reason: &str) {
    let Ok((mut log, found)) = LogFile::open(path) else { return };
    if found.finished || found.last == 0 {
        return;
    }
    let finished = found.session_end(outcome, Some(reason.to_owned()));
    log.queue(&Record { n: found.last + 1, time: now(), event: Event::Finished(finished) });
    log.commit().ok();
    log.close();
}

/// This moment by the wall clock.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(step: u32, failure: Option<&str>) -> Event {
        Event::StepEnded(Box::new(StepEnd {
            step,
            failure: failure.map(str::to_owned),
            ..StepEnd::default()
        }))
    }

    fn record(n: u64, event: Event) -> Record {
        Record { n, time: now(), event }
    }

    #[test]
    fn a_log_is_found_again_and_a_cut_line_is_removed() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("run.ndjson");
        let (mut log, found) = LogFile::open(&path).expect("opened");
        assert_eq!(found, Found::default());
        assert!(matches!(LogFile::open(&path), Err(LogError::Busy(_))));
        log.reserve().expect("room");
        assert!(log.commit_end(&record(1, end(1, None))).expect("written"));
        log.commit_end(&record(2, end(2, Some("it broke")))).expect("written");
        log.close();
        let whole = std::fs::read(&path).expect("read");
        let mut cut = whole.clone();
        cut.extend_from_slice(b"{\"n\":3,\"time\":\"2026-");
        std::fs::write(&path, cut).expect("written");
        append_end(&path, Outcome::Broken, "killed");
        let (_, found) = LogFile::open(&path).expect("opened");
        assert_eq!(found.last, 3);
        assert!(found.finished);
        assert_eq!(found.ended, BTreeSet::from([1, 2]));
        assert_eq!(found.failed, BTreeSet::from([2]));
        let text = std::fs::read(&path).expect("read");
        assert_eq!(text[..whole.len()], whole[..]);
    }

    #[test]
    fn a_foreign_file_is_refused_unchanged() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("run.ndjson");
        for text in ["{\"protocol\":2,\"program\":\"x 9\"}\n", "dear list\n", "dear list", "{}"] {
            std::fs::write(&path, text).expect("written");
            assert!(matches!(LogFile::open(&path), Err(LogError::Protocol(..))), "{text}");
            assert_eq!(std::fs::read_to_string(&path).expect("read"), text);
        }
    }
}
