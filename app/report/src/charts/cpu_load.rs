//! CPU load of one run over time: steps stacked by process, 100 % is one core.

use super::axis::{self, Axis};
use super::pen::Pen;
use super::stack::Stack;
use crate::chart::{Chart, ChartData, ChartSpec, LoadData, Refusal};
use crate::figure::{Align, Figure, Font, Frame, Ink, LegendEntry, Rect, Shape, Target, TimeAxis};
use crate::numbers;
use triptych_model::Key;
use triptych_store::{Query, RunIndex, RunView, Store};

/// The row of [`crate::CHARTS`].
pub(crate) struct CpuLoad;

const SPEC: ChartSpec = ChartSpec {
    id: "cpu-load",
    title: "CPU load",
    help: "Server, client and kernel time of one run over time; 100 % is one core",
};

impl Chart for CpuLoad {
    fn spec(&self) -> &'static ChartSpec {
        &SPEC
    }

    fn data(&self, store: &Store, query: &Query) -> Result<ChartData, Refusal> {
        let candidates = store.runs_with_load(query);
        let marked: Vec<RunIndex> = query.marked.iter().filter_map(|id| store.run_index(id)).collect();
        let run = candidates.iter().find(|run| marked.is_empty() || marked.contains(run));
        let view = run.and_then(|run| Some((store.run(*run)?, store.load(*run)?)));
        let Some((view, load)) = view else { return Err(refusal(marked.len(), candidates.len())) };
        let sources = load.lanes.iter().map(|lane| lane.source).filter_map(|source| {
            let path = store.sources().get(source as usize)?.path();
            Some(path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned())
        });
        let mut names: Vec<String> = sources.collect();
        names.dedup();
        let mut data = LoadData::new(title(&view), load);
        data.sources = names;
        Ok(ChartData::Load(data.into()))
    }

    fn figure(&self, data: &ChartData, frame: &Frame<'_>) -> Figure {
        let ChartData::Load(data) = data else { return Figure::default() };
        let mut pen = Pen::new(frame);
        pen.figure.subtitle.clone_from(&data.title);
        if frame.width < 240.0 || frame.height < 110.0 {
            headline(&mut pen, data);
        } else {
            draw(&mut pen, data);
        }
        pen.figure
    }
}

fn refusal(marked: usize, others: usize) -> Refusal {
    let whose = match marked {
        0 => "The runs shown have".to_owned(),
        1 => "The selected run has".to_owned(),
        n => format!("The {} selected runs have", numbers::count(n as f64)),
    };
    let next_step = match others {
        0 => "Open a pidstat log of them.".to_owned(),
        n => {
            format!("Select one of the {} that have, or open a load log.", numbers::plural(n, "run", "runs"))
        }
    };
    Refusal {
        title: "No CPU load for these runs".to_owned(),
        reason: format!("{whose} no pidstat, top or sampler log beside them."),
        next_step,
    }
}

/// `old-1.6.9, all_packed, cold`.
fn title(view: &RunView) -> String {
    let get = |key: Key| view.conditions.get(&key).map(|(value, _)| value.as_str());
    let mut parts: Vec<String> = [Key::Variant, Key::Operation, Key::Repository, Key::Medium, Key::Cache]
        .into_iter()
        .filter(|key| *key != Key::Operation || get(Key::Repository).is_none())
        .filter_map(get)
        .map(str::to_owned)
        .collect();
    parts.extend(get(Key::Repetition).map(|repetition| format!("run {repetition}")));
    parts.join(", ")
}

/// The stack at a second.
pub(crate) fn stack_at(data: &LoadData, secs: f64) -> Vec<(Ink, String, f64)> {
    let values = data.stack.at(secs).unwrap_or_default();
    data.stack
        .layers
        .iter()
        .zip(values)
        .map(|(layer, value)| (layer.ink, layer.name.clone(), f64::from(value)))
        .collect()
}

/// Seconds of the whole run: its samples and its wall time.
fn whole(data: &LoadData) -> f64 {
    data.stack.end().max(data.load.end_secs).max(data.load.real_secs.unwrap_or(0.0)).max(1e-3)
}

fn headline(pen: &mut Pen<'_, '_>, data: &LoadData) {
    let Some((means, peak)) = data.stack.mean(0.0, whole(data)) else { return };
    let (x, y) = (pen.scaled(10.0), pen.scaled(18.0));
    pen.text([x, y], &numbers::percent(means.iter().sum()), Font::Figure, Ink::T1, Align::Min);
    let words = format!("mean, peak {}", numbers::percent(f64::from(peak)));
    pen.text([x, y + pen.scaled(26.0)], &words, Font::Small, Ink::T3, Align::Min);
    let rect = Rect { x: 0.0, y: 0.0, w: pen.frame.width, h: pen.frame.height };
    let target = summary(data, rect);
    pen.figure.targets.push(target);
}

fn draw(pen: &mut Pen<'_, '_>, data: &LoadData) {
    let whole = whole(data);
    let peak = f64::from(data.stack.peak(0..data.stack.len()));
    let top = pen.frame.top.filter(|top| *top > 0.0).unwrap_or_else(|| top_of(peak));
    let left = pen.width("200 %", Font::Small) + pen.scaled(16.0);
    let strip = pen.scaled(9.0);
    let below = pen.scaled(22.0) + strip + pen.scaled(12.0);
    let upper = pen.scaled(12.0);
    let plot = Rect {
        x: left,
        y: upper,
        w: pen.frame.width - left - pen.scaled(14.0),
        h: pen.frame.height - upper - below,
    };
    // Room behind the end for the words that stand there.
    let room = (plot.w / (plot.w - pen.scaled(62.0))).clamp(1.0, 1.4);
    let (from, to) = pen.frame.range.filter(|(from, to)| to > from).unwrap_or((0.0, whole * f64::from(room)));
    let x = Axis { low: from, high: to, log: false, from: plot.x, to: plot.x + plot.w };
    let y = Axis { low: 0.0, high: top, log: false, from: plot.y + plot.h, to: plot.y };
    let hidden: Vec<bool> =
        data.stack.layers.iter().map(|layer| pen.frame.hidden.contains(&layer.name)).collect();
    pen.figure.legend = legend(data, &hidden);
    grid(pen, &y, plot, top);
    layers(pen, data, &hidden, &x, &y);
    pen.line([plot.x, y.from], [plot.x + plot.w, y.from], 1.0, Ink::Line2);
    let core = y.at(100.0).round();
    if top > 100.0 {
        pen.shape(Shape::Line {
            from: [plot.x, core],
            to: [plot.x + plot.w, core],
            width: 1.0,
            ink: Ink::T4,
            dashed: true,
        });
    }
    time_labels(pen, &x, plot);
    typical(pen, data, &y, plot);
    end_line(pen, data, &x, plot, whole, to);
    let strip = Rect { x: plot.x, y: pen.frame.height - strip - pen.scaled(8.0), w: plot.w, h: strip };
    overview(pen, data, strip, (from, to), whole);
    pen.figure.time = Some(TimeAxis { rect: plot, from, to, whole: whole.max(to), strip });
    let target = summary(data, plot);
    pen.figure.targets.push(target);
}

/// Full cores up to four, then rounded steps.
fn top_of(peak: f64) -> f64 {
    let cores = (peak / 100.0 - 0.02).ceil().max(1.0);
    if cores <= 4.0 { cores * 100.0 } else { axis::from_zero(peak).0 }
}

fn legend(data: &LoadData, hidden: &[bool]) -> Vec<LegendEntry> {
    let entries = data.stack.layers.iter().zip(hidden);
    entries
        .map(|(layer, hidden)| LegendEntry {
            name: layer.name.clone(),
            ink: layer.ink,
            marker: None,
            hidden: *hidden,
        })
        .collect()
}

fn grid(pen: &mut Pen<'_, '_>, y: &Axis, plot: Rect, top: f64) {
    let whole_cores = (100.0..=400.0).contains(&top);
    let step = if whole_cores { 100.0 } else { axis::step_of(top / 4.0) };
    let minor = if whole_cores && top <= 200.0 { 50.0 } else { step };
    for tick in axis::ticks(0.0, top, minor) {
        let at = y.at(tick).round();
        pen.line([plot.x, at], [plot.x + plot.w, at], 1.0, Ink::Grid);
    }
    let ticks = axis::ticks(0.0, top, step);
    for (index, tick) in ticks.iter().enumerate() {
        // The unit once, at the last tick.
        let text = if index + 1 == ticks.len() { numbers::percent(*tick) } else { numbers::count(*tick) };
        pen.text([plot.x - pen.scaled(8.0), y.at(*tick)], &text, Font::Small, Ink::T3, Align::Max);
    }
}

/// The areas: the samples as steps where there is room, else a mean and a peak for each pixel column.
pub(crate) fn layers(pen: &mut Pen<'_, '_>, data: &LoadData, hidden: &[bool], x: &Axis, y: &Axis) {
    let places = data.stack.within(x.low, x.high);
    let columns = (x.to - x.from).max(1.0) as usize;
    let dense = places.len() > columns;
    let mut steps: Vec<(f64, f64, Option<Vec<f64>>)> = Vec::new();
    let mut peaks = Vec::new();
    if dense {
        let width = (x.high - x.low) / columns as f64;
        for column in 0..columns {
            let from = x.low + column as f64 * width;
            let found = data.stack.mean(from, from + width);
            if let Some((_, peak)) = &found {
                peaks.push([x.at(from + width / 2.0), y.at(f64::from(*peak).min(y.high))]);
            }
            steps.push((from, from + width, found.map(|(means, _)| means)));
        }
    } else {
        for place in places {
            let found = data.stack.interval(place);
            if let Some((from, to, values)) = found {
                let values = values.into_iter().map(f64::from).collect();
                steps.push((from.max(x.low), to.min(x.high), Some(values)));
            } else {
                steps.push((x.low, x.low, None));
            }
        }
    }
    for index in 0..data.stack.layers.len() {
        area(pen, &steps, index, data, hidden, (x, y));
    }
    if peaks.len() > 1 && !hidden.contains(&true) {
        pen.shape(Shape::Path { points: peaks, width: 1.0, ink: Ink::T3 });
    }
}

/// One layer over what is below it, cut where nothing was sampled.
fn area(
    pen: &mut Pen<'_, '_>,
    steps: &[(f64, f64, Option<Vec<f64>>)],
    index: usize,
    data: &LoadData,
    hidden: &[bool],
    (x, y): (&Axis, &Axis),
) {
    if hidden.get(index) == Some(&true) {
        return;
    }
    let Some(ink) = data.stack.layers.get(index).map(|layer| layer.ink) else { return };
    let shown = |values: &[f64], upto: usize| -> f64 {
        values.iter().zip(hidden).take(upto).filter(|(_, hidden)| !**hidden).map(|(value, _)| value).sum()
    };
    let mut columns: Vec<[f32; 3]> = Vec::new();
    let mut flush = |columns: &mut Vec<[f32; 3]>| {
        let columns = std::mem::take(columns);
        if columns.len() < 2 {
            return;
        }
        let points = columns.iter().map(|[x, _, upper]| [*x, *upper]).collect();
        pen.shape(Shape::Area { columns, ink });
        pen.shape(Shape::Path { points, width: 1.0, ink });
    };
    let mut last = f64::NEG_INFINITY;
    for (from, to, values) in steps {
        let Some(values) = values else {
            flush(&mut columns);
            continue;
        };
        if *from > last + (to - from) * 0.01 {
            flush(&mut columns);
        }
        last = *to;
        let (lower, upper) =
            (y.at(shown(values, index).min(y.high)), y.at(shown(values, index + 1).min(y.high)));
        columns.push([x.at(*from), lower, upper]);
        columns.push([x.at(*to), lower, upper]);
    }
    flush(&mut columns);
}

fn time_labels(pen: &mut Pen<'_, '_>, x: &Axis, plot: Rect) {
    let y = plot.y + plot.h + pen.scaled(11.0);
    let most = (plot.w / pen.scaled(58.0)).max(2.0);
    let step = axis::step_of((x.high - x.low) / f64::from(most));
    let mut labels: Vec<(f32, String)> = Vec::new();
    for tick in axis::ticks(x.low, x.high, step) {
        let text = axis::tick_text(tick, step);
        let text = if labels.is_empty() { format!("{text}{}s", numbers::NARROW) } else { text };
        labels.push((x.at(tick), text));
    }
    pen.labels(y, &labels, Font::Small, Ink::T3);
}

/// The range in which the stack is four fifths of the time, as a bracket at the right edge.
fn typical(pen: &mut Pen<'_, '_>, data: &LoadData, y: &Axis, plot: Rect) {
    let Some((low, high)) = data.typical else { return };
    let (low, high) = (y.at(low.min(y.high)), y.at(high.min(y.high)));
    let x = plot.x + plot.w + pen.scaled(5.0);
    pen.line([x, low], [x, high], 1.6, Ink::T2);
    for at in [low, high] {
        pen.line([x - 3.0, at], [x + 3.0, at], 1.6, Ink::T2);
    }
}

fn end_line(pen: &mut Pen<'_, '_>, data: &LoadData, x: &Axis, plot: Rect, whole: f64, to: f64) {
    let right = plot.x + plot.w;
    if to < whole {
        let text = format!("goes on to {whole:.1}{}s", numbers::NARROW);
        halo_text(pen, [right - pen.scaled(4.0), plot.y + pen.scaled(7.0)], &text, Ink::T3, Align::Max);
        return;
    }
    let Some(end) = data.load.real_secs else { return };
    let at = x.at(end).round();
    pen.line([at, plot.y], [at, plot.y + plot.h], 1.0, Ink::T2);
    let exit = data.load.exit.map(|exit| format!("exit {exit}"));
    let secs = numbers::with_unit(end, triptych_model::Unit::Secs);
    let room = pen.width(&secs, Font::Small).max(pen.width("exit 0", Font::Small)) + pen.scaled(10.0);
    let (x, align) = if at + room > right {
        (at - pen.scaled(6.0), Align::Max)
    } else {
        (at + pen.scaled(6.0), Align::Min)
    };
    let failed = data.load.exit.is_some_and(|exit| exit != 0);
    let mut y = plot.y + pen.scaled(7.0);
    if let Some(exit) = exit {
        halo_text(pen, [x, y], &exit, if failed { Ink::Failed } else { Ink::T2 }, align);
        y += pen.scaled(14.0);
    }
    halo_text(pen, [x, y], &secs, Ink::T3, align);
}

/// A small text on a patch of the tile, legible over areas.
fn halo_text(pen: &mut Pen<'_, '_>, [x, y]: [f32; 2], text: &str, ink: Ink, align: Align) {
    let (width, height) = (pen.width(text, Font::Small) + 4.0, pen.scaled(13.0));
    let left = if align == Align::Max { x - width + 2.0 } else { x - 2.0 };
    pen.rect(Rect { x: left, y: y - height / 2.0, w: width, h: height }, Ink::S2);
    pen.text([x, y], text, Font::Small, ink, align);
}

/// The strip: the full run, where it was sampled, and the range shown.
fn overview(pen: &mut Pen<'_, '_>, data: &LoadData, strip: Rect, (from, to): (f64, f64), whole: f64) {
    let axis = Axis { low: 0.0, high: whole.max(to), log: false, from: strip.x, to: strip.x + strip.w };
    let inset = 2.0;
    pen.rect(Rect { y: strip.y + inset, h: strip.h - 2.0 * inset, ..strip }, Ink::S3);
    let end = axis.at(data.stack.end().min(axis.high));
    pen.rect(
        Rect { x: strip.x, y: strip.y + inset, w: end - strip.x, h: strip.h - 2.0 * inset },
        Ink::Svnserve,
    );
    let is_all = from <= 0.0 && to >= whole;
    if !is_all {
        let left = axis.at(from.max(0.0));
        let rect = Rect { x: left, w: (axis.at(to) - left).max(6.0), ..strip };
        pen.shape(Shape::Outline { rect, ink: Ink::Accent, width: 1.5, radius: 3.0 });
    }
}

/// The whole run in words: means of the layers, peak, typical range, end, sources.
fn summary(data: &LoadData, rect: Rect) -> Target {
    let mut lines: Vec<(String, String)> = Vec::new();
    if let Some((means, peak)) = data.stack.mean(0.0, whole(data)) {
        lines.push(("mean of the stack".to_owned(), numbers::percent(means.iter().sum())));
        for (layer, mean) in data.stack.layers.iter().zip(&means).rev() {
            lines.push((format!("mean of {}", layer.name), numbers::percent(*mean)));
        }
        lines.push(("peak".to_owned(), numbers::percent(f64::from(peak))));
    }
    if let Some((low, high)) = data.typical {
        lines.push(("typical".to_owned(), format!("{low:.0} to {}", numbers::percent(high))));
    }
    if let Some(secs) = data.load.real_secs {
        lines.push(("real".to_owned(), numbers::with_unit(secs, triptych_model::Unit::Secs)));
    }
    if let Some(exit) = data.load.exit {
        lines.push(("exit".to_owned(), exit.to_string()));
    }
    if !data.sources.is_empty() {
        lines.push(("source".to_owned(), data.sources.join(", ")));
    }
    if !data.load.not_shown.is_empty() {
        let count = data.load.not_shown.len();
        lines.push((
            "not shown".to_owned(),
            format!("{} of other sources", numbers::plural(count, "series", "series")),
        ));
    }
    Target { rect, title: data.title.clone(), variant: None, lines, runs: vec![data.load.run] }
}

impl LoadData {
    /// The load with its stack and levels, made once; the typical range is that of four fifths of the time.
    pub fn new(title: String, load: triptych_store::Load) -> Self {
        let stack = Stack::of(&load);
        let typical = stack.quantiles([0.1, 0.9]);
        Self { title, load, typical, sources: Vec::new(), stack }
    }
}
