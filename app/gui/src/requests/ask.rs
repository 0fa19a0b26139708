//! What the view remembers, and the jobs that answer it: index and answer, clients, bins, details.
//!
//! An answer is kept until the next one is there. Nothing here is done in a frame but comparing keys.

use crate::jobs::Kind;
use crate::panels::Kept;
use crate::state::{Answer, State};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use triptych_model::Problem;
use triptych_report::{Figure, LoadData, RequestsData, RequestsLayout};
use triptych_store::{
    GivenUp, RequestAnswer, RequestBins, RequestDetails, RequestIndex, RequestQuery, RowRef, bin_width,
};

/// Raw lines shown on each side of the selected one.
const AROUND: u32 = 2;
/// Points that a bar takes where the program chooses the width of bins.
const BAR: f32 = 5.5;
/// Answers that take longer are worth a word.
const SLOW: Duration = Duration::from_millis(200);

/// The answer of a job that was told to stop, which nobody will read.
fn stopped(GivenUp: GivenUp) -> String {
    "given up".to_owned()
}

/// What a job found for a query.
pub struct Found {
    generation: u64,
    query: RequestQuery,
    index: Arc<RequestIndex>,
    answer: Arc<RequestAnswer>,
    bins: Arc<RequestBins>,
    load: Option<Arc<LoadData>>,
    title: String,
}

/// Which tab of the lower tile is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tab {
    #[default]
    Gaps,
    Table,
    Sessions,
    Problems,
    Errors,
}

/// What a drawing depends on.
#[derive(Clone, PartialEq)]
pub(super) struct Inputs {
    pub(super) version: u64,
    pub(super) size: egui::Vec2,
    pub(super) scale: f32,
    pub(super) hidden: Vec<String>,
    pub(super) range: Option<(f64, f64)>,
}

/// A drawing with its places.
#[derive(Clone)]
pub(super) struct Scene {
    pub(super) inputs: Inputs,
    pub(super) figure: Arc<Figure>,
    pub(super) layout: Option<RequestsLayout>,
}

/// What the view remembers within a session.
#[derive(Default)]
pub struct Memory {
    /// The row that Details shows.
    pub selected: Option<RowRef>,
    pub(super) tab: Tab,
    pub(super) index: Option<(u64, Arc<RequestIndex>)>,
    asked: Option<(u64, bool, RequestQuery)>,
    pub(super) data: Option<Arc<RequestsData>>,
    /// The query that the data answer.
    pub(super) answered: RequestQuery,
    /// Counts data, so that drawings can be kept.
    pub(super) version: u64,
    pub(super) scene: Option<Scene>,
    bins_asked: Option<(u64, (i64, i64), i64)>,
    /// Width of the plot in the last frame.
    pub(super) plot_width: f32,
    /// Seconds shown, where range and cursor are not shared.
    pub(super) range: Option<(f64, f64)>,
    /// Where a drag over the chart began, in seconds.
    pub(super) drag: Option<(f64, f64)>,
    details_asked: Option<(u64, bool, RowRef)>,
    pub(super) details: Option<Arc<RequestDetails>>,
    /// Problems of the server logs.
    pub(super) problems: Kept<u64, Vec<Problem>>,
    /// Facets that are folded.
    pub(super) folded: BTreeSet<&'static str>,
    /// Facets of which all values are listed.
    pub(super) whole: BTreeSet<&'static str>,
    /// What was arranged before the text filter was typed into.
    pub(super) before_typing: Option<crate::state::Snapshot>,
}

impl Memory {
    /// The index, if it is of the store as it is now.
    pub(super) fn index(&self) -> Option<&Arc<RequestIndex>> {
        self.index.as_ref().map(|(_, index)| index)
    }

    /// Rows of another generation are other lines: looks up the row that is selected in the new index,
    /// so that it stays while logs grow.
    fn carry(&mut self, generation: u64, index: &RequestIndex) {
        let Some((known, before)) = &self.index else { return };
        if *known == generation {
            return;
        }
        let now = self.selected.and_then(|row| index.carried(before, row));
        if now != self.selected {
            // Rows and sessions named in them are of the old index.
            self.details = None;
        }
        self.selected = now;
    }
}

/// Starts the jobs that are due; called before a frame.
pub fn work(state: &mut State) {
    if !super::is_shown(state) || !state.store.has_requests() {
        if state.is_empty() {
            state.requests = Memory::default();
        }
        return;
    }
    ask_answer(state);
    ask_bins(state);
    ask_details(state);
}

fn ask_answer(state: &mut State) {
    let generation = state.store.generation();
    let query = state.arrangement.requests.query.clone();
    let clients = state.requests.index().is_some_and(|index| index.knows_clients());
    let wanted = (generation, clients, query.clone());
    if state.requests.asked.as_ref() == Some(&wanted) {
        return;
    }
    state.requests.asked = Some(wanted);
    let store = Arc::clone(&state.store);
    let known = state.requests.index.clone();
    let most = (state.requests.plot_width / BAR).max(60.0) as usize;
    let bin = state.arrangement.requests.bin;
    state.jobs.start(Kind::Requests, move |context| {
        let give_up = || context.cancelled();
        let index = match known {
            Some((of, index)) if of == generation => index,
            known => {
                let known = known.map(|(_, index)| index).unwrap_or_default();
                Arc::new(store.request_index(&known, &give_up).map_err(stopped)?)
            }
        };
        let answer = index.answer(&query, &give_up).map_err(stopped)?;
        let span = answer.span.unwrap_or((0, 0));
        let width = bin.unwrap_or_else(|| bin_width(span.1 - span.0, most).max(index.finest(&query)));
        let bins = index.bins(&answer, span, width, &give_up).map_err(stopped)?;
        let load = RequestsData::load_of(&store, &index, &query, span);
        let title = RequestsData::title_of(&index, &query);
        let (answer, bins) = (Arc::new(answer), Arc::new(bins));
        Ok(Answer::Requests(Box::new(Found { generation, query, index, answer, bins, load, title })))
    });
}

/// Takes an answer; asks for the clients where they were not read yet.
pub fn take(state: &mut State, found: Found) {
    let Found { generation, query, index, answer, bins, load, title } = found;
    let knows_clients = index.knows_clients();
    let memory = &mut state.requests;
    memory.carry(generation, &index);
    memory.index = Some((generation, Arc::clone(&index)));
    memory.answered = query;
    memory.version += 1;
    memory.bins_asked = Some((memory.version, answer.span.unwrap_or((0, 0)), bins.width));
    memory.data = Some(Arc::new(RequestsData { title, answer, bins, load }));
    if !knows_clients && state.jobs.running(Kind::RequestClients).is_none() {
        let store = Arc::clone(&state.store);
        state.jobs.start(Kind::RequestClients, move |context| {
            let give_up = || context.cancelled();
            let index = store.request_clients(&index, &give_up).map_err(stopped)?;
            Ok(Answer::RequestClients(generation, Arc::new(index)))
        });
    }
}

/// Takes the index with the clients in it; the answer is asked anew, for now it can count them.
pub fn take_clients(state: &mut State, generation: u64, index: Arc<RequestIndex>) {
    if state.requests.index.as_ref().is_some_and(|(known, _)| *known == generation) {
        state.requests.index = Some((generation, index));
    }
}

/// Other bins where the range that is shown needs them.
fn ask_bins(state: &mut State) {
    let Some(data) = state.requests.data.clone() else { return };
    if state.jobs.running(Kind::Requests).is_some() {
        return;
    }
    let whole = data.span();
    let origin = data.origin();
    let micros = |secs: f64| origin + (secs * 1e6) as i64;
    let shown = super::chart::range(state).map_or(whole, |(from, to)| (micros(from), micros(to)));
    let shown = (shown.0.max(whole.0), shown.1.min(whole.1));
    if shown.1 <= shown.0 {
        return;
    }
    let most = (state.requests.plot_width / BAR).max(60.0) as usize;
    let finest = state.requests.index().map_or(1, |index| index.finest(&state.requests.answered));
    let wanted = bin_width(shown.1 - shown.0, most).max(finest);
    let width = state.arrangement.requests.bin.unwrap_or(wanted);
    let version = state.requests.version;
    if let Some((known, (from, to), of)) = state.requests.bins_asked
        && known == version
        && of == width
        && from <= shown.0
        && shown.1 <= to
    {
        return;
    }
    // A little more than is shown, so that panning asks for nothing.
    let more = shown.1 - shown.0;
    let range = ((shown.0 - more).max(whole.0), (shown.1 + more).min(whole.1));
    state.requests.bins_asked = Some((version, range, width));
    let Some(index) = state.requests.index().cloned() else { return };
    let answer = Arc::clone(&data.answer);
    state.jobs.start(Kind::RequestBins, move |context| {
        let give_up = || context.cancelled();
        let bins = index.bins(&answer, range, width, &give_up).map_err(stopped)?;
        Ok(Answer::RequestBins(version, Arc::new(bins)))
    });
}

/// Takes bins, where they are of the answer that is shown.
pub fn take_bins(state: &mut State, version: u64, bins: Arc<RequestBins>) {
    let memory = &mut state.requests;
    if version != memory.version {
        return;
    }
    let Some(data) = memory.data.as_deref().cloned() else { return };
    memory.version += 1;
    if let Some(asked) = &mut memory.bins_asked {
        asked.0 = memory.version;
    }
    memory.data = Some(Arc::new(RequestsData { bins, ..data }));
}

fn ask_details(state: &mut State) {
    let Some(row) = state.requests.selected else {
        state.requests.details = None;
        state.requests.details_asked = None;
        return;
    };
    let Some((generation, index)) = state.requests.index.clone() else { return };
    if generation != state.store.generation() {
        // The answer for the store as it is now is on its way, and with it the place of the row.
        return;
    }
    let wanted = (generation, index.knows_clients(), row);
    if state.requests.details_asked == Some(wanted) {
        return;
    }
    state.requests.details_asked = Some(wanted);
    let store = Arc::clone(&state.store);
    state.jobs.start(Kind::RequestDetails, move |_| {
        Ok(Answer::RequestDetails(row, store.request_details(&index, row, AROUND).map(Arc::new)))
    });
}

/// Takes what is known of a row.
pub fn take_details(state: &mut State, row: RowRef, details: Option<Arc<RequestDetails>>) {
    if state.requests.selected == Some(row) {
        state.requests.details = details;
    }
}

/// Whether an answer takes so long that the picture should say so.
pub(super) fn is_slow(state: &State) -> bool {
    state.jobs.running(Kind::Requests).is_some_and(|job| job.elapsed() > SLOW)
}
