//! One tile's figure, laid out once for each size, selection, range and version of its data.

use super::{Tile, data};
use crate::painter;
use crate::state::{State, TileQuery};
use crate::widgets;
use egui::{Id, Ui, Vec2};
use std::sync::Arc;
use triptych_model::Key;
use triptych_report::{ChartData, Figure, Font, Frame, LoadData, Refusal};
use triptych_store::{Filter, RunIndex};

/// What linked charts over time share: the longest run and the highest load of them all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shared {
    /// Seconds of the longest linked run.
    pub longest: f64,
    /// Seconds shown until the user zooms: all of it, or where the shortest run is still legible.
    pub usual: f64,
    /// Top of the vertical axis in per cent; `None`: fewer than two are linked.
    pub top: Option<f64>,
}

/// A tile's picture and what it was drawn from.
#[derive(Clone)]
pub struct Scene {
    /// The data.
    pub data: ChartData,
    /// Its drawing.
    pub figure: Arc<Figure>,
    /// Which run it is, for charts of one run, with the campaign where the query does not show it.
    pub subtitle: String,
}

/// What a drawing depends on.
#[derive(Clone, Debug, PartialEq)]
struct Inputs {
    version: u64,
    size: Vec2,
    scale: f32,
    selected: Vec<RunIndex>,
    hidden: Vec<String>,
    range: Option<(f64, f64)>,
    top: Option<f64>,
    /// What a selection of its own shows.
    own: Option<String>,
}

/// Kept between frames; holding the data keeps their address from being used again.
#[derive(Clone)]
struct Kept {
    inputs: Inputs,
    scene: Scene,
}

impl Scene {
    /// The load of its run, for charts over time.
    pub fn load(&self) -> Option<&Arc<LoadData>> {
        match &self.data {
            ChartData::Load(load) => Some(load),
            ChartData::Comparison(_) | ChartData::Requests(_) => None,
        }
    }
}

/// Lays the tile's chart out, unless nothing changed since the last frame.
pub fn scene(
    ui: &Ui,
    state: &State,
    tile: &Tile,
    size: Vec2,
    shared: Shared,
) -> Option<Result<Scene, Refusal>> {
    let kept_data = state.tile_data.get(&tile.id)?;
    let answer = match kept_data.answer.as_ref()? {
        Ok(answer) => answer,
        Err(refusal) => return Some(Err(refusal.clone())),
    };
    let inputs = inputs(ui, state, tile, size, shared, kept_data.version);
    let id = Id::unique(("scene", tile.id));
    let kept = ui.data(|data| data.get_temp::<Arc<Kept>>(id));
    let kept = kept.filter(|kept| kept.inputs.own == inputs.own && same_data(&kept.scene.data, answer));
    if let Some(kept) = &kept
        && kept.inputs == inputs
    {
        return Some(Ok(kept.scene.clone()));
    }
    let figure = lay_out(ui, tile, answer, &inputs);
    let subtitle = match &kept {
        Some(kept) => kept.scene.subtitle.clone(),
        None => subtitle(state, tile, answer, &figure),
    };
    let scene = Scene { data: answer.clone(), figure: Arc::new(figure), subtitle };
    ui.data_mut(|data| data.insert_temp(id, Arc::new(Kept { inputs, scene: scene.clone() })));
    Some(Ok(scene))
}

fn same_data(a: &ChartData, b: &ChartData) -> bool {
    match (a, b) {
        (ChartData::Comparison(a), ChartData::Comparison(b)) => Arc::ptr_eq(a, b),
        (ChartData::Load(a), ChartData::Load(b)) => Arc::ptr_eq(a, b),
        (ChartData::Requests(a), ChartData::Requests(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }
}

fn inputs(ui: &Ui, state: &State, tile: &Tile, size: Vec2, shared: Shared, version: u64) -> Inputs {
    let over_time = data::takes_one_run(&tile.view);
    Inputs {
        version,
        size: size.max(Vec2::splat(1.0)).round(),
        scale: widgets::text_scale(ui),
        selected: state.selection.clone(),
        hidden: tile.hidden.clone(),
        range: over_time.then(|| range(ui, state, tile, shared)).flatten(),
        top: if over_time && tile.linked { shared.top } else { None },
        own: own_text(tile),
    }
}

/// The seconds that a chart over time shows.
pub fn range(ui: &Ui, state: &State, tile: &Tile, shared: Shared) -> Option<(f64, f64)> {
    if !tile.linked {
        return ui.data(|data| data.get_temp(own_range_id(tile.id)));
    }
    state.link.range.or_else(|| (shared.usual > 0.0).then_some((0.0, shared.usual)))
}

/// Where the range of a tile that is not linked is kept.
pub fn own_range_id(tile: u64) -> Id {
    Id::unique(("own range", tile))
}

fn lay_out(ui: &Ui, tile: &Tile, answer: &ChartData, inputs: &Inputs) -> Figure {
    let ctx = ui.ctx().clone();
    let measure = |text: &str, font: Font| painter::measure(&ctx, text, font, inputs.scale);
    let frame = Frame {
        width: inputs.size.x,
        height: inputs.size.y,
        text_scale: inputs.scale,
        measure: &measure,
        selected: &inputs.selected,
        hidden: &inputs.hidden,
        range: inputs.range,
        top: inputs.top,
    };
    triptych_report::chart(&tile.view).map(|chart| chart.figure(answer, &frame)).unwrap_or_default()
}

fn subtitle(state: &State, tile: &Tile, answer: &ChartData, figure: &Figure) -> String {
    let load = match answer {
        ChartData::Load(load) => load,
        ChartData::Requests(requests) => return format!("{}, {}", requests.title, requests.summary()),
        ChartData::Comparison(comparison) => {
            let words = match tile.view.as_str() {
                "table" => crate::panels::table::n_text(comparison),
                _ => figure.subtitle.clone(),
            };
            let parts = [own_text(tile).unwrap_or_default(), words];
            return parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        }
    };
    let text = if figure.subtitle.is_empty() { load.title.clone() } else { figure.subtitle.clone() };
    let run = load.load.run;
    let view = state.store.run(run);
    let text = match &view {
        Some(view) if text.is_empty() => data::run_title(view),
        _ => text,
    };
    let query = data::query_of(tile, &state.arrangement.query);
    if state.store.runs(&query).contains(&run) {
        return text;
    }
    let campaign =
        view.as_ref().and_then(|view| view.conditions.get(&Key::Campaign)).map(|(name, _)| name.as_str());
    campaign.filter(|name| !text.contains(name)).map_or(text.clone(), |name| format!("{text}, of {name}"))
}

/// `fsfs-format7, cold`: what a tile shows that does not follow the window.
fn own_text(tile: &Tile) -> Option<String> {
    let TileQuery::Own(query) = &tile.query else { return None };
    let value = |filter: &Filter| {
        let values: Vec<&str> =
            filter.values.iter().map(|value| triptych_report::shown_name(value)).collect();
        match (filter.not, values.as_slice()) {
            (_, []) => "nothing".to_owned(),
            (true, _) => format!("not {}", values.join(" or ")),
            (false, [one]) => (*one).to_owned(),
            (false, [one, rest @ ..]) => format!("{one} and {} more", rest.len()),
        }
    };
    let parts: Vec<String> = query.filters.iter().map(value).collect();
    Some(if parts.is_empty() { "all runs".to_owned() } else { parts.join(", ") })
}

/// What the linked charts over time share.
pub fn shared(ui: &Ui, state: &State) -> Shared {
    let linked =
        state.arrangement.tiles.panes().filter(|tile| tile.linked && data::takes_one_run(&tile.view));
    let mut count = 0;
    let (mut longest, mut shortest, mut top) = (0.0f64, f64::INFINITY, 0.0f64);
    for tile in linked {
        let Some(Ok(ChartData::Load(load))) =
            state.tile_data.get(&tile.id).and_then(|data| data.answer.as_ref())
        else {
            continue;
        };
        count += 1;
        let secs = load.load.end_secs.max(load.load.real_secs.unwrap_or(0.0));
        longest = longest.max(secs);
        shortest = shortest.min(secs);
        top = top.max(highest(ui, tile.id, load));
    }
    Shared {
        longest,
        usual: usual_range(shortest, longest),
        top: (count > 1 && top > 0.0).then(|| round_up(top)),
    }
}

/// Runs of very different length share one axis: it ends a quarter behind the shortest, for a run
/// drawn in a few points shows nothing, and the longer one says how far it goes on.
fn usual_range(shortest: f64, longest: f64) -> f64 {
    const MUCH_LONGER: f64 = 4.0;
    if longest > MUCH_LONGER * shortest && shortest > 0.0 { (shortest * 1.25).ceil() } else { longest }
}

/// The highest load of a run, found once for each of its data.
fn highest(ui: &Ui, tile: u64, load: &Arc<LoadData>) -> f64 {
    let id = Id::unique(("highest load", tile));
    if let Some((kept, top)) = ui.data(|data| data.get_temp::<(Arc<LoadData>, f64)>(id))
        && Arc::ptr_eq(&kept, load)
    {
        return top;
    }
    let top = highest_stack(load);
    ui.data_mut(|data| data.insert_temp(id, (Arc::clone(load), top)));
    top
}

/// Looks at the stack in the middle of every sample, of at most two thousand.
fn highest_stack(load: &LoadData) -> f64 {
    const LOOKS: usize = 2000;
    let Some(lane) = load.load.lanes.iter().max_by_key(|lane| lane.values.len()) else { return 0.0 };
    let middles: Vec<f64> =
        lane.starts.iter().zip(&lane.ends).map(|(from, to)| from + (to - from) / 2.0).collect();
    let stack = |secs: &f64| load.at(*secs).iter().map(|(_, _, percent)| percent).sum::<f64>();
    middles.iter().step_by(middles.len() / LOOKS + 1).map(stack).fold(0.0, f64::max)
}

/// Half cores up to one, whole ones above.
fn round_up(percent: f64) -> f64 {
    let step = if percent <= 100.0 { 50.0 } else { 100.0 };
    (percent / step).ceil() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_very_different_length_are_shown_to_the_end_of_the_shortest() {
        for (shortest, longest, expect) in [(18.94, 155.98, 24.0), (100.0, 150.0, 150.0), (0.0, 9.0, 9.0)] {
            assert!((usual_range(shortest, longest) - expect).abs() < 1e-9, "{shortest} {longest}");
        }
    }

    #[test]
    fn a_shared_axis_ends_at_a_core() {
        for (percent, expect) in [(12.0, 50.0), (50.0, 50.0), (93.0, 100.0), (175.0, 200.0), (390.0, 400.0)] {
            assert!((round_up(percent) - expect).abs() < 1e-9, "{percent}");
        }
    }
}
