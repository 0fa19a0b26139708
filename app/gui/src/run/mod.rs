//! Measuring: the runner as a process beside the window, and the view of what it says.
//!
//! [`link`] starts it and listens, [`model`] knows the campaign from what it said, [`view`] shows
//! it in the tiles' place, [`quiet`] keeps the window from disturbing what is timed, [`follow`] brings
//! finished runs into the charts.

mod facts;
mod follow;
pub(crate) mod link;
mod live;
mod matrix;
pub(crate) mod model;
mod progress;
mod quiet;
mod replay;
mod resume;
pub(crate) mod view;

#[cfg(test)]
#[path = "../../tests/common/records.rs"]
mod records;
#[cfg(test)]
mod tests;

pub use replay::Teller;
pub use resume::Interrupted;

use crate::action::{Action, RunRequest, RunWish};
use crate::jobs::Kind;
use crate::state::{Answer, BottomTab, State};
use crate::toasts::Toast;
use link::{News, Wire};
use model::{RunModel, Stage};
use quiet::Machine;
use std::sync::Arc;
use std::time::{Duration, Instant};
use triptych_model::runlog::{Event, Outcome};
use triptych_runner::protocol::Control;

/// How long news are taken in before a frame is painted.
const DRAIN: Duration = Duration::from_millis(10);

/// What is being measured, or was last.
#[derive(Default)]
pub struct Run {
    /// Whether the run view is in the tiles' place.
    pub shown: bool,
    /// What is known of it; views hold it for a frame.
    pub model: Option<Arc<RunModel>>,
    /// What the run view remembers.
    pub memory: view::Memory,
    /// The window's own CPU load over the last timed part, % of a core.
    pub window_cpu: Option<f64>,
    request: Option<Box<RunRequest>>,
    wire: Option<Wire>,
    pausing: bool,
    cancelling: bool,
    machine: Option<Machine>,
    follow: follow::Follow,
}

impl Run {
    /// Whether nothing was measured since the window was opened.
    pub fn is_empty(&self) -> bool {
        self.model.is_none()
    }

    /// Whether the runner is at work, paused or not.
    pub fn is_going(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.is_going())
    }

    /// Whether it stands still, or will after this run.
    pub fn is_paused(&self) -> bool {
        self.pausing || self.stands_still()
    }

    /// Whether it stands still.
    pub fn stands_still(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.stage == Stage::Paused)
    }

    /// Whether it was asked to end.
    pub fn is_cancelling(&self) -> bool {
        self.cancelling
    }

    /// Whether a client is being timed.
    pub fn is_timed(&self) -> bool {
        self.model.as_ref().is_some_and(|model| model.is_timed())
    }

    /// Whether the window is to leave this machine alone while a client is timed.
    pub fn is_small(&mut self) -> bool {
        self.machine.get_or_insert_with(Machine::here).is_small()
    }

    /// Takes another machine for granted; for tests.
    pub fn assume(&mut self, cores: usize, gpu: bool) {
        self.machine = Some(Machine { cores, gpu });
    }

    /// How often the window repaints by itself while it measures, where it holds back.
    pub fn restraint(&mut self, wanted: bool) -> Option<&'static str> {
        let machine = *self.machine.get_or_insert_with(Machine::here);
        match quiet::interval(wanted, machine, true, self.window_cpu) {
            Some(quiet::RARELY) => Some("quiet: this window repaints once a second"),
            Some(quiet::SELDOM) => Some("quiet: this window repaints twice a second"),
            _ => None,
        }
    }
}

/// Starts the runner and shows its view.
pub fn start(state: &mut State, request: RunRequest) {
    if state.run.is_going() {
        state.toasts.push(Toast::warning("One campaign is measured at a time: cancel the other first"));
        return;
    }
    let wire = Wire::start(&mut state.jobs, request.clone());
    begin(state, request, wire);
}

/// Shows a campaign that comes over this wire.
pub fn begin(state: &mut State, request: RunRequest, wire: Wire) {
    let model = RunModel::new(&request.plan, &request.expected_secs, &request.directory);
    state.run = Run {
        shown: true,
        follow: follow::Follow::new(request.directory.join("run.ndjson")),
        model: Some(Arc::new(model)),
        request: Some(Box::new(request)),
        wire: Some(wire),
        machine: state.run.machine,
        ..Run::default()
    };
    state.sheet = None;
    state.bottom_tab = BottomTab::Log;
}

/// Makes the steps that a campaign still lacks.
pub fn resume(state: &mut State) {
    if let Some(request) = state.run.request.clone().filter(|_| !state.run.is_going()) {
        start(state, *request);
    }
}

/// Carries out what the user wants of the run.
pub fn wish(state: &mut State, wish: RunWish) {
    let run = &mut state.run;
    let control = match wish {
        RunWish::Show(shown) => {
            run.shown = shown && run.model.is_some();
            // Each view begins with the tab that belongs to it.
            if shown && state.bottom_tab == BottomTab::Table {
                state.bottom_tab = BottomTab::Log;
            } else if !shown && state.bottom_tab == BottomTab::Log {
                state.bottom_tab = BottomTab::Table;
            }
            return;
        }
        RunWish::Resume => return resume(state),
        RunWish::Pause => {
            run.pausing = true;
            Control::Pause
        }
        RunWish::Continue => {
            run.pausing = false;
            Control::Continue
        }
        RunWish::Cancel => {
            run.cancelling = true;
            Control::Cancel
        }
    };
    if let Some(wire) = &mut run.wire {
        wire.say(control);
    }
}

/// Takes in what the runner said since the last frame; asks for the next frame.
pub fn work(state: &mut State, ctx: &egui::Context) {
    let begun = Instant::now();
    while let Some(news) = state.run.wire.as_mut().and_then(Wire::next) {
        take(state, news);
        if begun.elapsed() > DRAIN {
            ctx.request_repaint();
            break;
        }
    }
    let timed = state.run.is_timed();
    let small = state.run.is_small();
    follow::work(state, ctx, timed && small);
    let machine = state.run.machine.unwrap_or_else(Machine::here);
    let measuring = state.run.model.as_ref().is_some_and(|model| model.is_measuring());
    if let Some(wait) = quiet::interval(state.settings.quiet, machine, measuring, state.run.window_cpu) {
        ctx.request_repaint_after(wait);
    }
}

fn take(state: &mut State, news: News) {
    let Some(model) = state.run.model.as_mut().map(Arc::make_mut) else { return };
    match news {
        News::Started(_) => {}
        News::Earlier(end, time) => model.apply_earlier(&end, time),
        News::WindowCpu(load) => state.run.window_cpu = Some(load),
        News::Said(record) => {
            let ended = matches!(record.event, Event::StepEnded(_));
            let finished = matches!(record.event, Event::Finished(_));
            if matches!(record.event, Event::Continued) {
                state.run.pausing = false;
            }
            model.apply(*record);
            // The first read gives the variants their colours: all shall be there, in the plan's order.
            if (ended && model.has_all_variants()) || finished {
                state.run.follow.news(finished);
            }
            if finished {
                say_finished(state);
            }
        }
        News::Ended(error) => {
            state.run.wire = None;
            let was_going = model.is_going();
            model.lost(error);
            if let (true, Stage::Lost(reason)) = (was_going, &model.stage) {
                let text = format!("The run ended: {reason}");
                state.toasts.push(Toast::error(text));
                state.run.follow.news(true);
            }
            state.run.cancelling = false;
            state.run.pausing = false;
        }
    }
}

fn say_finished(state: &mut State) {
    let Some(model) = &state.run.model else { return };
    let Stage::Finished(finished) = &model.stage else { return };
    let runs = triptych_report::numbers::plural(finished.done as usize, "run", "runs");
    let failed =
        if finished.failed > 0 { format!(", {} of them failed", finished.failed) } else { String::new() };
    let name = &model.campaign.campaign;
    let text = format!("Campaign {name} {}: {runs}{failed}", model::outcome(finished));
    let toast = match finished.outcome {
        Outcome::Completed => Toast::note(text).offer("Show the charts", Action::Run(RunWish::Show(false))),
        Outcome::Cancelled => Toast::note(text).offer("Resume", Action::Run(RunWish::Resume)),
        Outcome::Broken => {
            let reason = finished.reason.clone().unwrap_or_default();
            Toast::error(format!("{text}: {reason}"))
        }
    };
    state.toasts.push(toast);
}

/// Looks for interrupted campaigns in a job and offers them.
pub fn resume_dialog(state: &mut State) {
    state.jobs.start(Kind::Dialog, |_| {
        let archive = resume::archive().ok_or("the system names no directory for data")?;
        Ok(Answer::Interrupted(resume::scan(&archive)))
    });
}
