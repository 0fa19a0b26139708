//! The wire to the runner: its process lives in a named thread, which reads what it says and wakes the window.
//!
//! Samples and phases wake nobody: while it measures the window looks by itself, as seldom as it has to.

use super::quiet::Meter;
use crate::action::RunRequest;
use crate::jobs::{Context, Jobs, Kind};
use crate::state::Answer;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use triptych_model::Timestamp;
use triptych_model::runlog::{Event, Phase, PhaseDone, Record, StepEnd};
use triptych_runner::client::{Controller, Session, find_runner};
use triptych_runner::protocol::{Control, Start};

/// Records that wait for the window at most; then the runner drops live samples.
const WAITING: usize = 8192;

/// What the thread tells the window.
pub enum News {
    /// The runner is there and listens.
    Started(Controller),
    /// A run of an earlier session of the campaign.
    Earlier(Box<StepEnd>, Timestamp),
    /// It said something.
    Said(Box<Record>),
    /// The window's own CPU load during the last timed part, % of a core.
    WindowCpu(f64),
    /// It is gone, and what it said last if that was an error.
    Ended(Option<String>),
}

/// To whom wishes go.
enum Ear {
    /// The runner is being started: they wait.
    Nobody(Vec<Control>),
    Runner(Controller),
    /// A test.
    Recorder(SyncSender<Control>),
}

/// Both directions.
pub struct Wire {
    news: Receiver<News>,
    ear: Ear,
}

impl Wire {
    /// Starts the runner in a job.
    pub fn start(jobs: &mut Jobs<Answer>, request: RunRequest) -> Self {
        let (sender, news) = sync_channel(WAITING);
        jobs.start(Kind::Run, move |context| {
            let error = listen(context, request, &sender).err();
            sender.send(News::Ended(error)).ok();
            Ok(Answer::RunnerGone)
        });
        Self { news, ear: Ear::Nobody(Vec::new()) }
    }

    /// A wire whose other end is a test's.
    pub fn recorded(news: Receiver<News>, wishes: SyncSender<Control>) -> Self {
        Self { news, ear: Ear::Recorder(wishes) }
    }

    /// What came since the last call.
    pub fn next(&mut self) -> Option<News> {
        let news = self.news.try_recv().ok()?;
        if let News::Started(controller) = &news {
            let ear = std::mem::replace(&mut self.ear, Ear::Runner(controller.clone()));
            if let Ear::Nobody(waiting) = ear {
                waiting.into_iter().for_each(|control| self.say(control));
            }
        }
        Some(news)
    }

    /// Tells the runner; one that is gone says so itself.
    pub fn say(&mut self, control: Control) {
        match &mut self.ear {
            Ear::Nobody(waiting) => waiting.push(control),
            Ear::Runner(controller) => {
                controller.send(&control).ok();
            }
            Ear::Recorder(wishes) => {
                wishes.send(control).ok();
            }
        }
    }
}

/// Window gone = cancel: the runner ends with its input.
impl Drop for Wire {
    fn drop(&mut self) {
        if let Ear::Runner(controller) = &self.ear {
            controller.close();
        }
    }
}

fn listen(context: &Context, request: RunRequest, to: &SyncSender<News>) -> Result<(), String> {
    let program = find_runner().map_err(|error| error.to_string())?;
    earlier(&request.directory.join("run.ndjson"), to);
    let RunRequest { lab, plan, directory, expected_secs } = request;
    let start = Start { lab, plan, directory, expected_secs };
    let mut session = Session::start(&program, &start).map_err(|error| error.to_string())?;
    let controller = session.controller();
    to.send(News::Started(controller.clone())).ok();
    context.wake();
    let mut meter = None;
    let mut unreadable = None;
    while let Some(record) = session.next() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                unreadable = Some(error.to_string());
                break;
            }
        };
        let live = matches!(record.event, Event::Live(_));
        // A frame begun while the caches are prepared would end in the timed part.
        let silent = live || matches!(record.event, Event::Phase(_));
        if !live && let Some((step, cpu)) = own_load(&mut meter, &record.event) {
            controller.send(&Control::Window { step, cpu }).ok();
            to.send(News::WindowCpu(cpu)).ok();
        }
        if to.send(News::Said(Box::new(record))).is_err() {
            // The window took another campaign or is gone.
            break;
        }
        if !silent {
            context.wake();
        }
    }
    let status = session.wait().map_err(|error| error.to_string())?;
    match (unreadable, status.success()) {
        (Some(error), _) => Err(error),
        (None, true) => Ok(()),
        (None, false) => Err(format!("the runner ended with {status}")),
    }
}

/// The window's load over a timed part, told as soon as that is over.
fn own_load(meter: &mut Option<(u32, Meter)>, event: &Event) -> Option<(u32, f64)> {
    let load = meter.take().and_then(|(step, meter)| Some((step, meter.load()?)));
    if let Event::Phase(PhaseDone { phase: Phase::Client, step, .. }) = event {
        *meter = Meter::start().map(|meter| (*step, meter));
    }
    load
}

/// Runs that a campaign already has; what cannot be read the runner will complain of.
fn earlier(log: &Path, to: &SyncSender<News>) {
    let Ok(file) = std::fs::File::open(log) else { return };
    for line in BufReader::new(file).lines().map_while(Result::ok) {
        if let Ok(Record { time, event: Event::StepEnded(mut end), .. }) = serde_json::from_str(&line) {
            end.samples = triptych_model::runlog::SampleTable::default();
            if to.send(News::Earlier(end, time)).is_err() {
                return;
            }
        }
    }
}
