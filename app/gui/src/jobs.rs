//! Work off the UI thread: named threads with progress, cancel and one error path.
//!
//! Starting a job of a kind cancels the older one of that kind, and its result is dropped. The
//! window is woken by a closure, so nothing here draws. Threads of the window start only here.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What kinds of work there are; at most one of a kind counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Reading files.
    Load,
    /// Asking the store for the data of a tile; the number is the tile's.
    Chart(u64),
    /// A file dialog, which blocks until answered.
    Dialog,
    /// Writing a file.
    Save,
    /// The import sheet's preview.
    Preview,
    /// Reading lines of a file again for Details.
    RawLines,
    /// Reading the file of a lab or a plan.
    LabFile,
    /// Making the demo lab.
    Lab,
    /// Checking a lab against the machine.
    LabCheck,
    /// Listening to the runner.
    Run,
    /// Looking for files that appear or grow.
    Watch,
    /// Answering a query of server logs.
    Requests,
    /// Reading what clients called themselves.
    RequestClients,
    /// Counting requests in bins.
    RequestBins,
    /// Reading what is known of one request.
    RequestDetails,
}

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Done so far, in the job's own unit.
    pub done: u64,
    /// Of how many; 0: unknown.
    pub total: u64,
    /// What it is at: a file's name.
    pub what: String,
    /// How much of that one is done, 0 to 1.
    pub part: f32,
}

impl Step {
    /// How much of all is done, 0 to 1; 0 where it is not known of how much.
    pub fn share(&self) -> f32 {
        if self.total == 0 { 0.0 } else { (self.done as f32 + self.part) / self.total as f32 }
    }
}

/// What the thread of a job sees.
#[derive(Clone)]
pub struct Context {
    cancelled: Arc<AtomicBool>,
    step: Arc<Mutex<Step>>,
    last_wake: Arc<AtomicU64>,
    started: Instant,
    wake: Waker,
}

impl Context {
    /// Whether to give up.
    pub fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Wakes the window: there is something to look at.
    pub fn wake(&self) {
        (self.wake)();
    }

    /// Tells how far the job is; wakes the window at most ten times a second.
    pub fn progress(&self, done: u64, total: u64, what: &str) {
        if let Ok(mut step) = self.step.lock() {
            step.done = done;
            step.total = total;
            step.part = 0.0;
            if step.what != what {
                what.clone_into(&mut step.what);
            }
        }
        self.wake_soon();
    }

    /// Tells how much is done of what the job is at.
    pub fn part(&self, share: f32) {
        if let Ok(mut step) = self.step.lock() {
            step.part = share.clamp(0.0, 1.0);
        }
        self.wake_soon();
    }

    fn wake_soon(&self) {
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let last = self.last_wake.load(Ordering::Relaxed);
        if now >= last + 100
            && self.last_wake.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            (self.wake)();
        }
    }
}

type Waker = Arc<dyn Fn() + Send + Sync>;

/// A running job, as the status line shows it.
pub struct Running {
    generation: u64,
    cancelled: Arc<AtomicBool>,
    step: Arc<Mutex<Step>>,
    started: Instant,
}

impl Running {
    /// How far it is.
    pub fn step(&self) -> Step {
        self.step.lock().map(|step| step.clone()).unwrap_or_default()
    }

    /// For how long it has been running.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The jobs of the window; `R` is what they answer.
pub struct Jobs<R> {
    running: BTreeMap<Kind, Running>,
    sender: SyncSender<(Kind, u64, Result<R, String>)>,
    receiver: Receiver<(Kind, u64, Result<R, String>)>,
    generation: u64,
    wake: Waker,
}

impl<R: Send + 'static> Jobs<R> {
    /// No job; `wake` is called from their threads when there is news.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (sender, receiver) = sync_channel(256);
        Self { running: BTreeMap::new(), sender, receiver, generation: 0, wake: Arc::new(wake) }
    }

    /// Starts a job; an older one of the same kind is cancelled and its answer dropped.
    pub fn start(&mut self, kind: Kind, work: impl FnOnce(&Context) -> Result<R, String> + Send + 'static) {
        self.cancel(kind);
        self.generation += 1;
        let generation = self.generation;
        let context = Context {
            cancelled: Arc::default(),
            step: Arc::default(),
            last_wake: Arc::default(),
            started: Instant::now(),
            wake: Arc::clone(&self.wake),
        };
        let running = Running {
            generation,
            cancelled: Arc::clone(&context.cancelled),
            step: Arc::clone(&context.step),
            started: context.started,
        };
        let (sender, wake) = (self.sender.clone(), Arc::clone(&self.wake));
        let answer_error = sender.clone();
        let spawned = std::thread::Builder::new().name(format!("triptych {kind:?}")).spawn(move || {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&context)))
                .unwrap_or_else(|panic| {
                    Err(format!("a defect of the program stopped this work: {}", panic_text(&*panic)))
                });
            answer(&sender, (kind, generation, result));
            wake();
        });
        if let Err(error) = spawned {
            answer(&answer_error, (kind, generation, Err(format!("no thread could be started: {error}"))));
        }
        self.running.insert(kind, running);
    }

    /// Asks a job to give up; its answer will be dropped.
    pub fn cancel(&mut self, kind: Kind) -> bool {
        match self.running.remove(&kind) {
            Some(running) => {
                running.cancelled.store(true, Ordering::Relaxed);
                true
            }
            None => false,
        }
    }

    /// The job of a kind, if one is running.
    pub fn running(&self, kind: Kind) -> Option<&Running> {
        self.running.get(&kind)
    }

    /// Whether nothing but that kind is running, which has no end of its own.
    pub fn is_idle_but(&self, endless: Kind) -> bool {
        self.running.keys().all(|kind| *kind == endless)
    }

    /// The next answer that still counts.
    pub fn poll(&mut self) -> Option<(Kind, Result<R, String>)> {
        while let Ok((kind, generation, result)) = self.receiver.try_recv() {
            if self.running.get(&kind).is_some_and(|running| running.generation == generation) {
                self.running.remove(&kind);
                return Some((kind, result));
            }
        }
        None
    }
}

/// Hands an answer over; a window that is gone needs none, a full queue is waited for.
fn answer<T>(sender: &SyncSender<T>, message: T) {
    if let Err(TrySendError::Full(message)) = sender.try_send(message) {
        sender.send(message).ok();
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason given".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait<R: Send + 'static>(jobs: &mut Jobs<R>) -> (Kind, Result<R, String>) {
        for _ in 0..1000 {
            if let Some(answer) = jobs.poll() {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("no answer within five seconds");
    }

    #[test]
    fn only_the_newest_of_a_kind_answers() {
        let mut jobs = Jobs::new(|| ());
        let (hold, released) = sync_channel::<()>(0);
        jobs.start(Kind::Load, move |context| {
            released.recv().ok();
            assert!(context.cancelled());
            Ok(1)
        });
        jobs.start(Kind::Load, |_| Ok(2));
        hold.send(()).ok();
        assert_eq!(wait(&mut jobs), (Kind::Load, Ok(2)));
        std::thread::sleep(Duration::from_millis(20));
        assert!(jobs.poll().is_none());
        assert!(jobs.running(Kind::Load).is_none());
    }

    #[test]
    fn a_panic_becomes_an_error() {
        let mut jobs: Jobs<()> = Jobs::new(|| ());
        jobs.start(Kind::Save, |_| panic!("on purpose"));
        let (_, result) = wait(&mut jobs);
        assert!(result.is_err_and(|text| text.contains("on purpose")));
    }
}
