//! Watching: files that appear or grow are read on while the window is open.
//!
//! A job looks at sizes and times once a second, less often where reading takes long, and ends when it found news; they are read in the
//! ordinary queue, quietly, and the job is started again. Switched by the command `watch`.

use crate::jobs::Kind;
use crate::open::{self, Wanted};
use crate::state::{Answer, State};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use triptych_store::{Changes, PathArg, Watch};

/// Between two looks.
const PERIOD: Duration = Duration::from_secs(1);

/// How many times as long as the last news took to read nobody looks again: a log of gigabytes that
/// grows all the time would else keep a core busy beside what is being measured.
const REST: u32 = 9;

/// The longest pause: what stood in the queue beside the news was read in that time too.
const LONGEST: Duration = Duration::from_secs(60);

/// How long a cancelled job may sleep on.
const NAP: Duration = Duration::from_millis(50);

/// What the window knows of watching.
#[derive(Debug, Default)]
pub struct Watching {
    /// Whether the user wants it.
    pub on: bool,
    /// Folders that were opened, as they were named.
    pub folders: Vec<PathBuf>,
    /// Files that appeared and sources that were read on since it was switched on.
    pub news: usize,
    /// Files of sources that the user removed.
    pub removed: Vec<PathBuf>,
    /// When the last news went to be read, until they are.
    told: Option<Instant>,
    /// What was seen so far; the job has it locked while it looks.
    seen: Arc<Mutex<Watch>>,
}

/// Switches it on or off.
pub fn toggle(state: &mut State) {
    state.watching.on = !state.watching.on;
    state.watching.news = 0;
    state.watching.told = None;
    if state.watching.on {
        look_on(state);
    } else {
        stop(state);
    }
}

/// Forgets what was watched; for a window that is emptied.
pub fn stop(state: &mut State) {
    state.jobs.cancel(Kind::Watch);
    state.watching.seen = Arc::default();
    state.watching.on = false;
    state.watching.told = None;
}

/// Takes note of folders that were opened.
pub fn add_folders(state: &mut State, folders: Vec<PathBuf>) {
    for folder in folders {
        if !state.watching.folders.contains(&folder) {
            state.watching.folders.push(folder);
        }
    }
}

/// Looks on with what is open now, if it is wanted and nothing is being read.
pub fn look_on(state: &mut State) {
    if !state.watching.on || state.loading() {
        return;
    }
    let pause = state.watching.told.take().map_or(PERIOD, |told| pause_behind(told.elapsed()));
    let (seen, store) = (Arc::clone(&state.watching.seen), Arc::clone(&state.store));
    let (folders, removed) = (state.watching.folders.clone(), state.watching.removed.clone());
    state.jobs.start(Kind::Watch, move |context| {
        // Only this job ever holds the lock; one that panicked has nothing to say any more.
        let mut watch = seen.lock().map_err(|error| error.to_string())?;
        for folder in folders {
            watch.add_folder(folder);
        }
        for file in removed {
            watch.pass_over(&file);
        }
        watch.learn(store.sources());
        loop {
            let mut slept = Duration::ZERO;
            while slept < pause {
                if context.cancelled() {
                    return Err("cancelled".to_owned());
                }
                std::thread::sleep(NAP);
                slept += NAP;
            }
            let changes = watch.look();
            if !changes.is_empty() {
                return Ok(Answer::Changed(Box::new(changes)));
            }
        }
    });
}

/// How long to wait where the last news took so long to read.
fn pause_behind(reading: Duration) -> Duration {
    reading.saturating_mul(REST).clamp(PERIOD, LONGEST)
}

/// Reads what the job found.
pub fn read_news(state: &mut State, changes: &Changes) {
    // The job that told them has ended, so nobody holds the lock.
    if let Ok(mut watch) = state.watching.seen.lock() {
        watch.acknowledge();
    }
    state.watching.told = Some(Instant::now());
    let folders = state.watching.folders.iter().cloned().map(PathArg::Path).collect();
    state.watching.news += changes.appeared.len() + changes.changed.len();
    let sources = state.store.sources().iter();
    let again = sources.filter(|source| changes.changed.iter().any(|path| path == source.path())).cloned();
    let again = again.collect();
    let appeared = changes.appeared.iter().cloned().collect();
    open::queue(state, Wanted::news(folders, appeared, again));
}

/// What the status line says while watching.
pub fn status(state: &State) -> Option<String> {
    state.watching.on.then(|| match state.watching.news {
        0 => "watching for changes".to_owned(),
        news => format!("watching, {} read on", open::plural(news, "change")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_takes_at_most_a_tenth_of_the_time() {
        let millis = Duration::from_millis;
        for (reading, pause) in [(0, 1000), (30, 1000), (200, 1800), (2000, 18_000), (600_000, 60_000)] {
            assert_eq!(pause_behind(millis(reading)), millis(pause), "{reading} ms");
        }
    }
}
