//! Where a campaign's records go out and its wishes come in: log, pipe and inbox behind one counter.

use crate::host::Watcher;
use crate::inbox::Inbox;
use crate::logfile::{LogError, LogFile, now};
use crate::output::Output;
use crate::protocol::Control;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};
use triptych_model::Severity;
use triptych_model::runlog::{Event, LiveSample, Note, Phase, PhaseDone, Record, StepEnd};

/// How long a slow window is waited for outside the timed part.
const WINDOW_PATIENCE: Duration = Duration::from_millis(50);

/// How long live samples are collected behind the first on a machine of few cores, where whoever wakes
/// to hear of each disturbs what is measured; the window draws twice a second there, no oftener.
const LIVE_SPAN: Duration = Duration::from_millis(400);

/// A machine of more cores has one to spare for whoever watches.
const FEW_CORES: usize = 4;

/// The desk of one campaign.
pub struct Desk {
    log: LogFile,
    output: Output,
    inbox: Inbox,
    /// Number of the last record.
    n: u64,
    step: u32,
    /// Whether the client that runs now is the timed one.
    timed: bool,
    cancelled: bool,
    paused: bool,
    dropped: u64,
    /// Live samples that were not sent yet.
    live: Vec<Record>,
    /// When the first of them was taken, since the client's start.
    live_since: Duration,
    /// When the last sample was taken.
    last_sample: Duration,
    /// How long they are collected.
    live_span: Duration,
    /// What the window last said of itself, and of which step.
    window: Option<(u32, f64)>,
    /// Whether it ever did: then it is worth waiting for.
    window_speaks: bool,
}

impl Desk {
    /// A desk that goes on counting behind `last`.
    pub fn new(log: LogFile, output: Output, inbox: Inbox, last: u64) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            log,
            output,
            inbox,
            n: last,
            step: 0,
            timed: false,
            cancelled: false,
            paused: false,
            dropped: 0,
            live: Vec::new(),
            live_since: Duration::ZERO,
            last_sample: Duration::ZERO,
            live_span: if cores <= FEW_CORES { LIVE_SPAN } else { Duration::ZERO },
            window: None,
            window_speaks: false,
        }
    }

    fn record(&mut self, event: Event) -> Record {
        self.n += 1;
        Record { n: self.n, time: now(), event }
    }

    /// Keeps a record for the log and sends it.
    pub fn say(&mut self, event: Event) {
        self.send_live();
        let record = self.record(event);
        self.log.queue(&record);
        self.output.send(&record);
    }

    /// Keeps and sends a sentence.
    pub fn note(&mut self, severity: Severity, text: impl Into<String>) {
        let step = (self.step > 0).then_some(self.step);
        self.say(Event::Note(Note { severity, step, text: text.into() }));
    }

    /// Keeps and sends that a phase of the current step is done.
    pub fn phase(
        &mut self,
        phase: Phase,
        took: Duration,
        text: impl Into<String>,
        facts: serde_json::Map<String, serde_json::Value>,
    ) {
        let done = PhaseDone { step: self.step, phase, secs: took.as_secs_f64(), text: text.into(), facts };
        self.say(Event::Phase(done));
    }

    /// A new step begins; room for its end is reserved.
    ///
    /// # Errors
    /// The disk is full.
    pub fn begin_step(&mut self, step: u32) -> Result<(), LogError> {
        self.step = step;
        self.dropped = 0;
        self.live.clear();
        self.log.reserve()
    }

    /// Tells timed clients from uncounted ones: only they are spoken of.
    pub fn client_is_timed(&mut self, timed: bool) {
        self.timed = timed;
    }

    /// Writes and syncs the end of a step, then sends it.
    ///
    /// # Errors
    /// It cannot be written, not even without its samples.
    pub fn end_step(&mut self, end: StepEnd) -> Result<(), LogError> {
        self.send_live();
        let record = self.record(Event::StepEnded(Box::new(end)));
        let whole = self.log.commit_end(&record)?;
        self.output.send(&record);
        if !whole {
            self.note(
                Severity::Warning,
                "the disk has no room for the samples of this run; its values are kept",
            );
        }
        self.step = 0;
        Ok(())
    }

    /// Writes and syncs what is kept.
    ///
    /// # Errors
    /// The system refuses.
    pub fn commit(&mut self) -> Result<(), LogError> {
        self.log.commit()
    }

    /// Sends the last record, waits a little for a slow reader, and closes the log.
    pub fn close(mut self, event: Event) {
        let record = self.record(event);
        self.log.queue(&record);
        if self.log.commit().is_err() {
            self.log.forget();
        }
        self.output.send(&record);
        self.output.flush(Duration::from_secs(2));
        self.log.close();
    }

    fn send_live(&mut self) {
        let count = self.live.len() as u64;
        if count > 0 && !self.output.send_live(&self.live) {
            self.dropped += count;
        }
        self.live.clear();
    }

    /// Stands still while the user wants it; false where he gave up.
    pub fn rest(&mut self) -> bool {
        self.take_wishes();
        if self.paused && !self.cancelled {
            self.say(Event::Paused);
            while self.paused && !self.cancelled {
                let limit = self.output.is_pending().then_some(WINDOW_PATIENCE);
                let wish = self.inbox.control(limit);
                self.obey(wish.as_ref());
                self.output.push();
            }
            if !self.cancelled {
                self.say(Event::Continued);
            }
        }
        !self.cancelled
    }

    /// The window's own CPU load during this step, % of a core. A window that speaks of itself at all
    /// does so when it hears that the client ended; it gets a moment for that.
    pub fn window_cpu(&mut self) -> Option<f64> {
        self.take_wishes();
        let end = Instant::now() + WINDOW_PATIENCE;
        while self.window_speaks && !self.cancelled && self.window.is_none_or(|(step, _)| step != self.step) {
            let left = end.saturating_duration_since(Instant::now());
            let wish = self.inbox.control(Some(left));
            if wish.is_none() {
                break;
            }
            self.obey(wish.as_ref());
        }
        self.window.take().filter(|(step, _)| *step == self.step).map(|(_, cpu)| cpu)
    }

    fn take_wishes(&mut self) {
        while let Some(wish) = self.inbox.control(Some(Duration::ZERO)) {
            let cancel = wish == Control::Cancel;
            self.obey(Some(&wish));
            if cancel {
                return;
            }
        }
        // Nobody reads: nobody watches, and the input will end too.
        self.cancelled |= self.output.closed();
    }

    fn obey(&mut self, wish: Option<&Control>) {
        match wish {
            Some(Control::Cancel) => self.cancelled = true,
            Some(Control::Pause) => self.paused = true,
            Some(Control::Continue) => self.paused = false,
            Some(Control::Window { step, cpu }) => {
                self.window = Some((*step, *cpu));
                self.window_speaks = true;
            }
            Some(Control::Start(_) | Control::Unknown) | None => {}
        }
    }
}

impl Watcher for Desk {
    fn started(&mut self, pid: u32, command: &[String]) {
        self.last_sample = Duration::ZERO;
        if !self.timed {
            return;
        }
        let facts = [("pid".to_owned(), pid.into()), ("command".to_owned(), command.into())];
        self.phase(Phase::Client, Duration::ZERO, command.join(" "), facts.into_iter().collect());
    }

    fn sample(&mut self, mut sample: LiveSample) {
        sample.step = self.step;
        sample.dropped = self.dropped;
        let now_in_run = Duration::try_from_secs_f64(sample.elapsed_secs).unwrap_or_default();
        // What comes seldom is not kept waiting for the next one.
        let is_seldom = now_in_run.saturating_sub(self.last_sample) >= self.live_span;
        self.last_sample = now_in_run;
        if self.live.is_empty() {
            self.live_since = now_in_run;
        }
        self.live.push(Record { n: self.n, time: now(), event: Event::Live(sample) });
        if is_seldom || now_in_run.saturating_sub(self.live_since) >= self.live_span {
            self.send_live();
        }
    }

    fn cancelled(&mut self) -> bool {
        self.take_wishes();
        self.output.push();
        self.cancelled
    }

    fn wake_fd(&self) -> Option<BorrowedFd<'_>> {
        (!self.inbox.ended()).then(|| self.inbox.fd())
    }
}
