//! A recorded campaign in the window: records come from elsewhere than a runner. For tests, and for looking at one again.

use super::link::{News, Wire};
use crate::App;
use std::sync::mpsc::SyncSender;
use triptych_model::runlog::Record;
use triptych_runner::protocol::Control;

/// Goes on telling a replayed campaign.
pub struct Teller(std::sync::mpsc::SyncSender<News>);

impl Teller {
    /// Tells what a runner would say; a window that is gone hears nothing.
    pub fn tell(&self, records: Vec<Record>) {
        for record in records {
            self.0.send(News::Said(Box::new(record))).ok();
        }
    }

    /// Ends as a runner does that dies.
    pub fn die(self, reason: &str) {
        self.0.send(News::Ended(Some(reason.to_owned()))).ok();
    }
}

impl App {
    /// Shows a campaign whose records come from elsewhere than a runner; the wishes of the user go to
    /// `wishes`. For tests and for looking at a recorded campaign.
    pub fn replay(
        &mut self,
        request: crate::RunRequest,
        records: Vec<Record>,
        wishes: SyncSender<Control>,
    ) -> Teller {
        let (teller, news) = std::sync::mpsc::sync_channel(1 << 20);
        super::begin(&mut self.state, request, Wire::recorded(news, wishes));
        let teller = Teller(teller);
        teller.tell(records);
        teller
    }

    /// Takes another machine for granted in the rule of quiet while measuring; for tests.
    pub fn assume_machine(&mut self, cores: usize, gpu: bool) {
        self.state.run.assume(cores, gpu);
    }
}
