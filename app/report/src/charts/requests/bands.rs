//! Where the bands of the chart of requests lie; the window asks too, to know what is pointed at.

use crate::chart::RequestsData;
use crate::figure::{Font, Frame, Rect};
use triptych_store::ActionKind;

/// The places of the bands.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestsLayout {
    /// Everything between the left labels and the legend, from the top band to the axis.
    pub plot: Rect,
    /// Stacked actions.
    pub actions: Rect,
    /// Ticks of commits.
    pub commits: Rect,
    /// Open sessions; absent in a low chart.
    pub sessions: Option<Rect>,
    /// CPU load; absent without one, or in a low chart.
    pub load: Option<Rect>,
    /// Left edge of the names of the bands.
    pub names: f32,
    /// Middle of the labels of the time axis.
    pub axis: f32,
    /// Left edge of the legend; `None`: no room.
    pub legend: Option<f32>,
    /// Entries of the legend: kind and place, in the order of the stack from the top.
    pub entries: Vec<(ActionKind, Rect)>,
    /// Seconds at the left and right edge of the plot, since [`RequestsData::origin`].
    pub shown: (f64, f64),
}

/// Below this a chart shows its figure instead.
const LEAST: (f32, f32) = (240.0, 120.0);

impl RequestsLayout {
    /// The places for a frame; `None`: too small for a chart.
    pub fn new(data: &RequestsData, frame: &Frame<'_>) -> Option<Self> {
        let scale = frame.text_scale;
        if frame.width < LEAST.0 || frame.height < LEAST.1 * scale.max(0.8) {
            return None;
        }
        let wide = frame.width > 460.0 * scale;
        let names = 4.0 * scale;
        let label = |text: &str| (frame.measure)(text, Font::Small);
        let left = if wide {
            names + label("open in 0.5 s").max(label("actions")) + label("8,888") + 22.0 * scale
        } else {
            label("8,888") + 12.0 * scale
        };
        let legend_width = label("svnserve user 8,888") + 34.0 * scale;
        let right = if wide { legend_width } else { 12.0 * scale };
        let top = 14.0 * scale;
        let axis = 22.0 * scale;
        let x = left;
        let width = (frame.width - left - right).max(20.0);
        let height = (frame.height - top - axis).max(20.0);
        let commits = (26.0 * scale).min(height * 0.2);
        let gap = 14.0 * scale;
        let has_load = data.load.is_some() && height > 190.0 * scale;
        let has_sessions = data.answer.all_sessions > 0 && height > 130.0 * scale;
        let rest =
            height - commits - gap * (f32::from(u8::from(has_sessions)) + f32::from(u8::from(has_load)));
        let (sessions, load) = match (has_sessions, has_load) {
            (true, true) => (rest * 0.17, rest * 0.3),
            (true, false) => (rest * 0.24, 0.0),
            (false, true) => (0.0, rest * 0.36),
            (false, false) => (0.0, 0.0),
        };
        let band = |y: f32, h: f32| Rect { x, y, w: width, h };
        let actions = band(top, rest - sessions - load);
        let commits = band(actions.y + actions.h + 4.0 * scale, commits - 4.0 * scale);
        let mut y = commits.y + commits.h + gap;
        let sessions_band = has_sessions.then(|| band(y, sessions));
        if has_sessions {
            y += sessions + gap;
        }
        let load_band = has_load.then(|| band(y, load));
        let (from, to) = data.span();
        let origin = data.origin();
        let secs = |micros: i64| (micros - origin) as f64 / 1e6;
        let shown = frame.range.filter(|(from, to)| to > from).unwrap_or((secs(from), secs(to)));
        let mut layout = Self {
            plot: band(top, height),
            actions,
            commits,
            sessions: sessions_band,
            load: load_band,
            names,
            axis: frame.height - axis / 2.0,
            legend: wide.then_some(x + width + 14.0 * scale),
            entries: Vec::new(),
            shown,
        };
        layout.place_entries(data, frame);
        Some(layout)
    }

    fn place_entries(&mut self, data: &RequestsData, frame: &Frame<'_>) {
        let Some(left) = self.legend else { return };
        let kinds: Vec<ActionKind> = ActionKind::STACK
            .into_iter()
            .rev()
            .filter(|kind| *kind != ActionKind::Other || data.count(*kind) > 0)
            .collect();
        let pitch = (18.0 * frame.text_scale).min(self.actions.h / kinds.len().max(1) as f32 + 3.0);
        let width = frame.width - left - 4.0;
        let entry = |(place, kind): (usize, ActionKind)| {
            let rect = Rect { x: left, y: self.actions.y + pitch * place as f32, w: width, h: pitch };
            (kind, rect)
        };
        self.entries = kinds.into_iter().enumerate().map(entry).collect();
    }

    /// The point of a second.
    pub fn x(&self, secs: f64) -> f32 {
        let (from, to) = self.shown;
        self.plot.x + ((secs - from) / (to - from).max(1e-9)) as f32 * self.plot.w
    }

    /// The second at a point.
    pub fn secs(&self, x: f32) -> f64 {
        let (from, to) = self.shown;
        from + f64::from((x - self.plot.x) / self.plot.w.max(1.0)) * (to - from)
    }
}
