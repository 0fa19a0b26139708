//! How long the rest takes: from the finished runs of the same cell, else of its neighbours.

use super::matrix::{Cell, Matrix, State};
use super::model::RunModel;

/// How far a campaign is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Steps that ended.
    pub done: usize,
    /// Of how many.
    pub of: usize,
    /// From 0 to 1, by time where it can be told, else by steps.
    pub share: f64,
    /// Seconds until the end; absent where nothing tells.
    pub left_secs: Option<f64>,
}

/// The middle of some values.
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    let lower = *values.get((values.len() - 1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

/// What a step should take on the wall: its cell's finished runs, the plan's word, its row's, all.
pub fn expected(matrix: &Matrix, cell: &Cell) -> Option<f64> {
    let own = || median(matrix.finished(cell.row, cell.column).map(|(_, secs)| secs));
    let row = || {
        let all = (0..matrix.variants.len()).flat_map(|column| matrix.finished(cell.row, column));
        median(all.map(|(_, secs)| secs))
    };
    let any = || {
        median(matrix.cells.iter().filter_map(|cell| match cell.state {
            State::Done { secs, .. } => secs,
            _ => None,
        }))
    };
    own().or(cell.expected).or_else(row).or_else(any)
}

/// How far the campaign is.
pub fn progress(model: &RunModel) -> Progress {
    let matrix = &model.matrix;
    let ended = |cell: &&Cell| matches!(cell.state, State::Done { .. } | State::Failed(_));
    let done = matrix.cells.iter().filter(ended).count();
    let of = matrix.cells.len().max(model.steps as usize);
    let around = model.overhead.unwrap_or(0.0);
    let mut left = Some(0.0);
    let mut spent = 0.0;
    for cell in &matrix.cells {
        let wanted = expected(matrix, cell).map(|secs| secs + around);
        match &cell.state {
            State::Waiting => left = left.zip(wanted).map(|(left, wanted)| left + wanted),
            State::Running => {
                let elapsed = model.elapsed().unwrap_or(0.0);
                left = left.zip(wanted).map(|(left, wanted)| left + (wanted - elapsed).max(0.0));
                spent += elapsed;
            }
            State::Done { secs, .. } => spent += secs.unwrap_or(0.0) + around,
            State::Failed(_) => spent += around,
        }
    }
    let by_steps = done as f64 / of.max(1) as f64;
    let share = match left {
        Some(left) if left + spent > 0.0 => spent / (left + spent),
        _ => by_steps,
    };
    Progress { done, of, share, left_secs: left }
}

/// `about 8 min left`; seconds below a minute, so that the end is not a surprise.
pub fn left_in_words(secs: f64) -> String {
    let secs = secs.max(0.0);
    match secs {
        _ if secs < 10.0 => "a few seconds left".to_owned(),
        _ if secs < 90.0 => format!("about {:.0} s left", (secs / 10.0).round() * 10.0),
        _ if secs < 5400.0 => format!("about {:.0} min left", secs / 60.0),
        _ => format!("about {:.1} h left", secs / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_in_words() {
        for (secs, expect) in [
            (-1.0, "a few seconds left"),
            (3.0, "a few seconds left"),
            (33.0, "about 30 s left"),
            (89.0, "about 90 s left"),
            (480.0, "about 8 min left"),
            (9000.0, "about 2.5 h left"),
        ] {
            assert_eq!(left_in_words(secs), expect);
        }
    }

    #[test]
    fn medians() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), Some(2.0));
        assert_eq!(median([3.0, 1.0].into_iter()), Some(2.0));
        assert_eq!(median(std::iter::empty()), None);
    }
}
