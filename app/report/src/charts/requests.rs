//! Requests of server logs over time: actions in bins stacked by kind, commits, open sessions, CPU load.

mod bands;
mod draw;

pub use bands::RequestsLayout;

use crate::chart::{Chart, ChartData, ChartSpec, LoadData, Refusal, RequestsData};
use crate::figure::{Figure, Frame, Ink};
use crate::{clock, numbers};
use std::fmt::Write as _;
use std::sync::Arc;
use triptych_model::Key;
use triptych_store::{
    ActionKind, Column, Query, RequestAnswer, RequestBins, RequestColumn, RequestFilter, RequestIndex,
    RequestQuery, Store, bin_width,
};

/// The row of [`crate::CHARTS`].
pub(crate) struct Requests;

const SPEC: ChartSpec = ChartSpec {
    id: "requests",
    title: "Requests",
    help: "Actions of a server log over time, with commits, open sessions and the CPU load under them",
};

/// Bins of a chart that does not know its width yet.
const BINS: usize = 120;

impl Chart for Requests {
    fn spec(&self) -> &'static ChartSpec {
        &SPEC
    }

    fn data(&self, store: &Store, query: &Query) -> Result<ChartData, Refusal> {
        let sources = sources(store, query);
        if sources.is_empty() {
            return Err(refusal(store));
        }
        let asked = RequestQuery {
            filters: vec![RequestFilter { column: RequestColumn::Source, not: false, values: sources }],
            ..RequestQuery::default()
        };
        let go_on = || false;
        let index = store.request_index(&RequestIndex::default(), &go_on).unwrap_or_default();
        let answer = index.answer(&asked, &go_on).unwrap_or_default();
        let span = answer.span.unwrap_or((0, 0));
        let width = bin_width(span.1 - span.0, BINS).max(index.finest(&asked));
        let bins = index.bins(&answer, span, width, &go_on).unwrap_or_default();
        let load = RequestsData::load_of(store, &index, &asked, span);
        let title = RequestsData::title_of(&index, &asked);
        Ok(ChartData::Requests(Arc::new(RequestsData {
            title,
            answer: Arc::new(answer),
            bins: Arc::new(bins),
            load,
        })))
    }

    fn figure(&self, data: &ChartData, frame: &Frame<'_>) -> Figure {
        match data {
            ChartData::Requests(data) => draw::figure(data, frame),
            _ => Figure::default(),
        }
    }
}

/// Paths of the server logs that a query of runs shows: filters of campaign and source count.
fn sources(store: &Store, query: &Query) -> Vec<String> {
    let lets = |column: Column, value: &str| {
        query.filters.iter().filter(|filter| filter.column == column).all(|filter| {
            let found = filter.values.iter().any(|pattern| matches(pattern, value));
            found != filter.not
        })
    };
    let mut paths = Vec::new();
    for campaign in store.campaigns() {
        if campaign.requests == 0 || !lets(Column::Condition(Key::Campaign), &campaign.name) {
            continue;
        }
        for source in campaign.sources.iter().filter_map(|index| store.sources().get(*index as usize)) {
            if !source.data.requests.is_empty() && lets(Column::Source, source.path()) {
                paths.push(source.path().to_owned());
            }
        }
    }
    paths
}

/// Whether a text fits a pattern in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut left) = text.strip_prefix(head) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        let Some(at) = left.find(part) else { return false };
        left = left.get(at + part.len()..).unwrap_or("");
    }
    true
}

fn refusal(store: &Store) -> Refusal {
    let (reason, next_step) = if store.has_requests() {
        ("The sources shown hold no svnserve or httpd log.", "Show another campaign, or clear a filter.")
    } else {
        ("The open sources hold no svnserve or httpd log.", "Open the log of a server.")
    };
    Refusal {
        title: "No requests here".to_owned(),
        reason: reason.to_owned(),
        next_step: next_step.to_owned(),
    }
}

/// Title, actions of each kind from the top of the stack, and further labels with their values.
pub type BinWords = (String, Vec<(ActionKind, u32)>, Vec<(String, String)>);

impl RequestsData {
    /// The CPU load under the sources that a query keeps.
    pub fn load_of(
        store: &Store,
        index: &RequestIndex,
        query: &RequestQuery,
        span: (i64, i64),
    ) -> Option<Arc<LoadData>> {
        let kept: Vec<u32> = index
            .sources()
            .filter(|(_, path, ..)| query.lets(RequestColumn::Source, path))
            .map(|(source, ..)| source)
            .collect();
        let load = store.request_load(&kept, span)?;
        let data = LoadData::new(String::new(), load);
        (!data.stack.layers.is_empty()).then(|| Arc::new(data))
    }

    /// `diverse-1.14.2.log, one process for each connection`, or how many logs.
    pub fn title_of(index: &RequestIndex, query: &RequestQuery) -> String {
        let mut kept = index.sources().filter(|(_, path, ..)| query.lets(RequestColumn::Source, path));
        match (kept.next(), kept.count()) {
            (Some((source, path, ..)), 0) => {
                let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
                let how = match index.is_threaded(source) {
                    Some(true) => ", one process for all connections",
                    Some(false) => ", one process for each connection",
                    None => "",
                };
                format!("{name}{how}")
            }
            (first, more) => numbers::plural(more + usize::from(first.is_some()), "log", "logs"),
        }
    }

    /// The microsecond that seconds of the axis count from: that of the load, so that both share one range.
    pub fn origin(&self) -> i64 {
        let start = self.load.as_ref().and_then(|load| load.load.start);
        start.or(self.answer.span.map(|(from, _)| from)).unwrap_or(self.bins.start)
    }

    /// First and last microsecond of the rows.
    pub fn span(&self) -> (i64, i64) {
        let (from, to) = self.answer.span.unwrap_or((self.bins.start, self.bins.end()));
        (from, to.max(from + 1_000))
    }

    /// `20,000 actions in 55.6 s`.
    pub fn summary(&self) -> String {
        let actions: usize = ActionKind::STACK.into_iter().map(|kind| self.count(kind)).sum();
        let errors = self.count(ActionKind::Error);
        let (from, to) = self.span();
        let time = numbers::secs_in_prose((to - from) as f64 / 1e6);
        let mut text = format!("{} in {time}", numbers::plural(actions, "action", "actions"));
        if errors > 0 {
            // Writing to a string cannot fail.
            write!(text, ", {}", numbers::plural(errors, "error", "errors")).ok();
        }
        text
    }

    /// Rows of a kind.
    pub fn count(&self, kind: ActionKind) -> usize {
        self.answer.kinds.get(kind.place()).copied().unwrap_or(0)
    }

    /// What the read-out of a bin says: title, and label with value.
    pub fn read_out(&self, bin: usize) -> BinWords {
        let (from, _) = self.bins.span(bin);
        let (first, last) = self.span();
        let time = clock::stepped(from, self.bins.width.min(1_000_000));
        let title = if clock::date(first) == clock::date(last) {
            time
        } else {
            format!("{} {time}", clock::date(from))
        };
        let counts = self.bins.kinds.get(bin).copied().unwrap_or_default();
        let kinds: Vec<(ActionKind, u32)> =
            ActionKind::STACK.into_iter().zip(counts).rev().filter(|(_, count)| *count > 0).collect();
        let get = |values: &[u32]| values.get(bin).copied().unwrap_or(0);
        let mut lines =
            vec![("sessions open".to_owned(), numbers::count(f64::from(get(&self.bins.sessions))))];
        let errors = get(&self.bins.errors);
        if errors > 0 {
            lines.push(("errors".to_owned(), numbers::count(f64::from(errors))));
        }
        if let Some(load) = &self.load {
            let middle = (from + self.bins.width / 2 - self.origin()) as f64 / 1e6;
            let total: f64 = load.at(middle).iter().map(|(_, _, percent)| percent).sum();
            if total > 0.0 {
                lines.push(("CPU load".to_owned(), numbers::percent(total)));
            }
        }
        (title, kinds, lines)
    }

    /// One row a bin: `from,secs,read files,session,look up,history,write,other,errors,sessions_open`.
    pub fn csv(&self) -> String {
        let RequestBins { width, kinds, errors, sessions, .. } = &*self.bins;
        let mut text =
            String::from("from,secs,read_files,session,look_up,history,write,other,errors,sessions_open\n");
        for (bin, ((counts, errors), open)) in kinds.iter().zip(errors).zip(sessions).enumerate() {
            let (from, _) = self.bins.span(bin);
            let secs = *width as f64 / 1e6;
            write!(text, "{}T{}Z,{secs}", clock::date(from), clock::exact(from)).ok();
            for count in counts {
                write!(text, ",{count}").ok();
            }
            writeln!(text, ",{errors},{open}").ok();
        }
        text
    }
}

/// The colour of a kind.
pub fn kind_ink(kind: ActionKind) -> Ink {
    match kind {
        ActionKind::Read => Ink::Svnserve,
        ActionKind::Session => Ink::T4,
        ActionKind::LookUp => Ink::Client,
        ActionKind::History => Ink::System,
        ActionKind::Write => Ink::Httpd,
        ActionKind::Other => Ink::Disk,
        ActionKind::Error => Ink::Failed,
    }
}

/// Whether an answer has anything to draw.
pub(crate) fn is_drawn(answer: &RequestAnswer) -> bool {
    answer.span.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_sources() {
        for (pattern, text, expect) in [
            ("*", "a", true),
            ("a*c", "abc", true),
            ("a*c", "abd", false),
            ("a", "ab", false),
            ("*b*", "abc", true),
        ] {
            assert_eq!(matches(pattern, text), expect, "{pattern} {text}");
        }
    }
}
