//! Messages at the bottom right, at most three, and the log that keeps them all.

use crate::action::Action;
use std::time::{Duration, Instant};
use triptych_model::Severity;

/// One message.
#[derive(Clone, Debug)]
pub struct Toast {
    /// Errors stay until closed.
    pub severity: Severity,
    /// What happened, one sentence.
    pub text: String,
    /// The one thing it offers.
    pub offer: Option<(String, Box<Action>)>,
}

impl Toast {
    /// Something went as asked.
    pub fn note(text: impl Into<String>) -> Self {
        Self { severity: Severity::Note, text: text.into(), offer: None }
    }

    /// Something needs attention.
    pub fn warning(text: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, text: text.into(), offer: None }
    }

    /// Something failed.
    pub fn error(text: impl Into<String>) -> Self {
        Self { severity: Severity::Error, text: text.into(), offer: None }
    }

    /// The same with a button.
    #[must_use]
    pub fn offer(mut self, label: impl Into<String>, action: Action) -> Self {
        self.offer = Some((label.into(), Box::new(action)));
        self
    }
}

/// A line of the log.
#[derive(Clone, Debug)]
pub struct Entry {
    /// When, since the program's start.
    pub since_start: Duration,
    /// The message.
    pub toast: Toast,
    /// Whether it is still on screen.
    pub shown: bool,
    at: Instant,
}

/// All messages since the start.
#[derive(Debug)]
pub struct Toasts {
    entries: Vec<Entry>,
    start: Instant,
}

impl Default for Toasts {
    fn default() -> Self {
        Self { entries: Vec::new(), start: Instant::now() }
    }
}

impl Toasts {
    /// How long a message that is no error stays.
    pub const STAY: Duration = Duration::from_secs(5);
    /// How many are on screen at most.
    pub const MOST: usize = 3;

    /// Says something.
    pub fn push(&mut self, toast: Toast) {
        let now = Instant::now();
        self.entries.push(Entry { since_start: now - self.start, toast, shown: true, at: now });
        let shown: Vec<usize> = (0..self.entries.len()).filter(|index| self.entries[*index].shown).collect();
        for index in shown.iter().rev().skip(Self::MOST) {
            self.entries[*index].shown = false;
        }
    }

    /// Puts something into the log without showing it: what can be seen anyway.
    pub fn note_only(&mut self, text: impl Into<String>) {
        self.push(Toast::note(text));
        self.close(self.entries.len() - 1);
    }

    /// The log, oldest first.
    pub fn log(&self) -> &[Entry] {
        &self.entries
    }

    /// Indices of those on screen, oldest first; hides what has stayed long enough.
    pub fn shown(&mut self) -> Vec<usize> {
        for entry in &mut self.entries {
            if entry.toast.severity < Severity::Error && entry.at.elapsed() >= Self::STAY {
                entry.shown = false;
            }
        }
        (0..self.entries.len()).filter(|index| self.entries[*index].shown).collect()
    }

    /// How long until one of them goes by itself.
    pub fn next_change(&self) -> Option<Duration> {
        self.entries
            .iter()
            .filter(|entry| entry.shown && entry.toast.severity < Severity::Error)
            .map(|entry| Self::STAY.saturating_sub(entry.at.elapsed()))
            .min()
    }

    /// Takes those off the screen that offer to undo what is no longer the last step.
    pub fn withdraw_undo(&mut self) {
        let offers_undo = |entry: &Entry| {
            entry.toast.offer.as_ref().is_some_and(|(_, action)| matches!(**action, Action::Command("undo")))
        };
        self.entries.iter_mut().filter(|entry| offers_undo(entry)).for_each(|entry| entry.shown = false);
    }

    /// Takes one off the screen.
    pub fn close(&mut self, index: usize) {
        if let Some(entry) = self.entries.get_mut(index) {
            entry.shown = false;
        }
    }
}
