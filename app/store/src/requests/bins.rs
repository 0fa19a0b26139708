//! Actions, commits, errors and open sessions in bins of time, for the chart.

use super::filter::Actions;
use super::{ASK_EVERY, ActionKind, GiveUp, GivenUp, RequestAnswer, RequestIndex, RowRef};

/// Kinds of actions that are stacked.
const KINDS: usize = ActionKind::STACK.len();
/// More bins than this no picture can show.
const MOST: i64 = 20_000;
/// Commits that are kept with their time; further ones are counted only.
const COMMITS: usize = 4000;

/// Widths that a bin may have, microseconds: 1, 2, 5 by ten up to seconds, then what clocks have.
const WIDTHS: [i64; 30] = [
    1_000,
    2_000,
    5_000,
    10_000,
    20_000,
    50_000,
    100_000,
    200_000,
    500_000,
    1_000_000,
    2_000_000,
    5_000_000,
    10_000_000,
    15_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    600_000_000,
    900_000_000,
    1_800_000_000,
    3_600_000_000,
    7_200_000_000,
    14_400_000_000,
    21_600_000_000,
    43_200_000_000,
    86_400_000_000,
    172_800_000_000,
    604_800_000_000,
    2_592_000_000_000,
];

/// The smallest usual width that needs at most so many bins for a span, both in microseconds.
pub fn bin_width(span: i64, most: usize) -> i64 {
    let most = i64::try_from(most.max(1)).unwrap_or(MOST).min(MOST);
    let fits = |width: &i64| span.max(1) / width < most;
    WIDTHS.into_iter().find(fits).unwrap_or_else(|| (span / most).max(1))
}

/// Counts in bins of one width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestBins {
    /// Start of the first bin, UTC microseconds, a multiple of the width.
    pub start: i64,
    /// Width of a bin, microseconds.
    pub width: i64,
    /// Actions of each kind by [`ActionKind::place`], a bin each.
    pub kinds: Vec<[u32; KINDS]>,
    /// Errors, warnings and refusals.
    pub errors: Vec<u32>,
    /// Sessions that are open at some time of the bin.
    pub sessions: Vec<u32>,
    /// Times of commits with their rows, in order; thinned where there are very many.
    pub commits: Vec<(i64, RowRef)>,
    /// How many commits there are.
    pub commit_count: usize,
}

impl RequestBins {
    /// Start and end of a bin.
    pub fn span(&self, bin: usize) -> (i64, i64) {
        let start = self.start + self.width * i64::try_from(bin).unwrap_or(0);
        (start, start + self.width)
    }

    /// End of the last bin.
    pub fn end(&self) -> i64 {
        self.span(self.kinds.len()).0
    }

    /// The bin of a time.
    pub fn at(&self, time: i64) -> Option<usize> {
        let bin = usize::try_from((time - self.start).div_euclid(self.width.max(1))).ok()?;
        (bin < self.kinds.len()).then_some(bin)
    }

    fn new((from, to): (i64, i64), width: i64) -> Self {
        let width = width.max((to - from).max(0) / MOST).max(1);
        let start = from.div_euclid(width) * width;
        let count = usize::try_from((to - start).max(0) / width + 1).unwrap_or(1);
        Self {
            start,
            width,
            kinds: vec![[0; KINDS]; count],
            errors: vec![0; count],
            sessions: vec![0; count],
            commits: Vec::new(),
            commit_count: 0,
        }
    }
}

impl RequestIndex {
    /// Counts the rows of an answer between two times in bins; a width that needs far too many is widened.
    ///
    /// # Errors
    /// It was asked to give up.
    pub fn bins(
        &self,
        answer: &RequestAnswer,
        range: (i64, i64),
        width: i64,
        give_up: GiveUp<'_>,
    ) -> Result<RequestBins, GivenUp> {
        let mut bins = RequestBins::new(range, width);
        let end = bins.end();
        for (source, count, row_at) in answer.rows.parts() {
            let Some(part) = self.part(source) else { continue };
            let columns = part.index.columns();
            let actions = Actions::new(columns, &part.index.values[0]);
            let time_at = |place: usize| columns.time(row_at(place));
            let (mut bin, mut from, mut to) = (0, i64::MAX, i64::MIN);
            let first = if part.index.sorted { first_at(count, bins.start, time_at) } else { 0 };
            for place in first..count {
                if (place - first) % ASK_EVERY == 0 && give_up() {
                    return Err(GivenUp);
                }
                let Some(time) = time_at(place).filter(|time| *time >= bins.start) else { continue };
                if time >= end {
                    if part.index.sorted {
                        break;
                    }
                    continue;
                }
                let row = row_at(place);
                let action = columns.action(row);
                // Lines come in order of time: most are in the bin of the line before.
                if time < from || time >= to {
                    let Some(found) = bins.at(time) else { continue };
                    bin = found;
                    (from, to) = bins.span(bin);
                }
                bins.add(bin, actions.of(action).0);
                if actions.is_commit(action) {
                    let row = u32::try_from(row).unwrap_or(u32::MAX);
                    bins.commits.push((time, RowRef { source, row }));
                }
            }
        }
        self.count_sessions(answer, &mut bins);
        bins.commits.sort_unstable();
        bins.commit_count = bins.commits.len();
        if bins.commits.len() > COMMITS {
            let step = bins.commits.len() / COMMITS + 1;
            bins.commits = bins.commits.iter().copied().step_by(step).collect();
        }
        Ok(bins)
    }

    /// Each session counts in every bin between its first and its last line.
    fn count_sessions(&self, answer: &RequestAnswer, bins: &mut RequestBins) {
        let count = bins.kinds.len();
        let mut changes = vec![0i64; count + 1];
        let mut part = None;
        for session in &answer.sessions {
            if part.is_none_or(|part: &super::index::Part| part.index.source != session.source) {
                part = self.part(session.source);
            }
            let Some(known) = part.and_then(|part| part.index.sessions.get(session.session as usize)) else {
                continue;
            };
            let (Some(start), Some(end)) = (known.start, known.end) else { continue };
            if end < bins.start || start >= bins.end() {
                continue;
            }
            let from = bins.at(start.max(bins.start)).unwrap_or(0);
            let to = bins.at(end).unwrap_or(count.saturating_sub(1));
            if let Some(slot) = changes.get_mut(from) {
                *slot += 1;
            }
            if let Some(slot) = changes.get_mut(to + 1) {
                *slot -= 1;
            }
        }
        let mut open = 0;
        for (slot, change) in bins.sessions.iter_mut().zip(changes) {
            open += change;
            *slot = u32::try_from(open).unwrap_or(0);
        }
    }
}

impl RequestBins {
    /// Counts a row in the bin, which its time was found to lie in.
    fn add(&mut self, bin: usize, kind: usize) {
        match self.kinds.get_mut(bin).and_then(|kinds| kinds.get_mut(kind)) {
            Some(slot) => *slot += 1,
            None => {
                if let Some(slot) = self.errors.get_mut(bin) {
                    *slot += 1;
                }
            }
        }
    }
}

/// The first place whose time is not before this one, where times never go back; rows without a time
/// count as those before them.
fn first_at(count: usize, time: i64, at: impl Fn(usize) -> Option<i64>) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if at(middle).is_none_or(|found| found < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_clocks() {
        for (span, most, expect) in [
            (55_600_000, 120, 500_000),
            (55_600_000, 60, 1_000_000),
            (86_400_000_000, 100, 900_000_000),
            (0, 100, 1_000),
        ] {
            assert_eq!(bin_width(span, most), expect, "{span} in {most}");
        }
        assert!(WIDTHS.is_sorted());
    }

    #[test]
    fn bins_begin_at_multiples_of_their_width() {
        let bins = RequestBins::new((1_700_000, 4_100_000), 500_000);
        assert_eq!((bins.start, bins.kinds.len(), bins.end()), (1_500_000, 6, 4_500_000));
        assert_eq!(
            (bins.at(1_499_999), bins.at(1_999_999), bins.at(4_499_999), bins.at(4_500_000)),
            (None, Some(0), Some(5), None)
        );
        assert!(RequestBins::new((0, i64::MAX / 2), 1).kinds.len() <= MOST as usize + 2);
    }

    #[test]
    fn a_range_is_found_by_halving() {
        let times = [1, 3, 3, 7];
        for (time, expect) in [(0, 0), (3, 1), (4, 3), (8, 4)] {
            assert_eq!(first_at(times.len(), time, |place| times.get(place).copied()), expect);
        }
    }
}
