//! The small plot in Details: the runs of baseline and variant as marks on one axis, medians as lines.

use super::super::kit;
use crate::theme::Theme;
use crate::widgets::{small, text_scale};
use egui::{Align2, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use triptych_model::Unit;
use triptych_report::{Ink, Marker, Row, numbers};

/// One lane of the plot.
pub struct Lane<'a> {
    /// Whose runs.
    pub name: &'a str,
    /// Place of its colour.
    pub place: u16,
    /// Its values.
    pub values: Vec<f64>,
    /// Their median.
    pub median: f64,
}

/// The lanes of a triple's two sides; empty where there are too few values to be worth a plot.
pub fn lanes<'a>(row: &'a Row, cells: &[usize], place: impl Fn(&str) -> u16) -> Vec<Lane<'a>> {
    let lanes: Vec<Lane<'a>> = cells
        .iter()
        .filter_map(|index| {
            let cell = row.group.cells.get(*index)?;
            let median = row.sides.get(*index)?.median?;
            let values = cell.values.iter().map(|value| value.value).collect();
            Some(Lane { name: &cell.name, place: place(&cell.name), values, median })
        })
        .collect();
    let most = lanes.iter().map(|lane| lane.values.len()).max().unwrap_or(0);
    if most < 2 { Vec::new() } else { lanes }
}

/// Paints the plot over the width that is left.
pub fn ui(ui: &mut Ui, theme: &Theme, lanes: &[Lane<'_>], unit: Unit) {
    let all = lanes.iter().flat_map(|lane| lane.values.iter().copied());
    let Some((low, high)) = triptych_analysis::range(&all.collect::<Vec<_>>()) else { return };
    let scale = text_scale(ui);
    let lane_height = 18.0 * scale;
    let height = lane_height * lanes.len() as f32 + 22.0 * scale;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, spoken(lanes, unit)));
    let ticks = ticks(low, high, (rect.width() / (46.0 * scale)).max(2.0) as usize);
    let (first, last) = (ticks.first().copied().unwrap_or(low), ticks.last().copied().unwrap_or(high));
    let span = if last > first { last - first } else { 1.0 };
    let step = span / ticks.len().saturating_sub(1).max(1) as f64;
    let plot = rect.shrink2(vec2(8.0 * scale, 0.0));
    let x = |value: f64| plot.left() + ((value - first) / span) as f32 * plot.width();
    let base = rect.top() + lane_height * lanes.len() as f32 + 3.0;
    let painter = ui.painter();
    painter.hline(plot.x_range(), painter.round_to_pixel_center(base), Stroke::new(1.0, theme.line2));
    for (index, tick) in ticks.iter().enumerate() {
        painter.vline(
            painter.round_to_pixel_center(x(*tick)),
            base..=base + 3.0,
            Stroke::new(1.0, theme.line2),
        );
        let digits = tick_text(*tick, step);
        let text = if index == 0 { format!("{digits}{}{}", numbers::NARROW, unit.symbol()) } else { digits };
        let galley = painter.layout_no_wrap(text, small(ui), theme.t3);
        let half = galley.size().x / 2.0;
        let middle = x(*tick).clamp(rect.left() + half, (rect.right() - half).max(rect.left() + half));
        painter.galley(pos2(middle - half, base + 5.0), galley, theme.t3);
    }
    for (index, lane) in lanes.iter().enumerate() {
        let y = rect.top() + lane_height * (index as f32 + 0.5);
        let ink = theme.ink(Ink::Variant(lane.place));
        for value in &lane.values {
            let at = pos2(x(*value), y);
            crate::painter::mark(
                painter,
                at,
                Marker::of_variant(lane.place),
                4.0 * scale,
                ink,
                Some(theme.s1.lerp_to_gamma(ink, 0.35)),
            );
        }
        painter.vline(x(lane.median), y - 7.0 * scale..=y + 7.0 * scale, Stroke::new(2.0, ink));
    }
}

fn spoken(lanes: &[Lane<'_>], unit: Unit) -> String {
    let lane = |lane: &Lane<'_>| {
        let values: Vec<String> = lane.values.iter().map(|value| numbers::digits(*value, unit)).collect();
        format!("{}: {}", lane.name, values.join(", "))
    };
    lanes.iter().map(lane).collect::<Vec<_>>().join("; ")
}

/// Ticks at 1, 2 or 5 times a power of ten from below the lowest to above the highest value.
fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    if !(low.is_finite() && high.is_finite()) {
        return Vec::new();
    }
    let span = if high > low { high - low } else { low.abs().max(1e-6) * 0.1 };
    let rough = span / most.clamp(2, 8) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough)
        .unwrap_or(power * 10.0);
    let (first, last) = ((low / step).floor(), (high / step).ceil());
    let count = ((last - first) as usize).min(20);
    (0..=count).map(|index| (first + index as f64) * step).collect()
}

/// As many decimals as the steps need.
fn tick_text(tick: f64, step: f64) -> String {
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
    format!("{tick:.decimals$}")
}

/// The head of a column: marker and name of a side.
pub fn side_head(ui: &Ui, theme: &Theme, right: egui::Pos2, name: &str, place: u16, width: f32) {
    let scale = text_scale(ui);
    let rect = crate::widgets::paint_text(
        ui,
        right,
        Align2::RIGHT_CENTER,
        name,
        small(ui),
        theme.t2,
        width - 14.0 * scale,
    );
    kit::variant_mark(ui, pos2(rect.left() - 9.0 * scale, right.y), place, theme);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_hold_all_values() {
        for (low, high, most, expect) in [
            (4.9, 13.46, 6, vec![4.0, 6.0, 8.0, 10.0, 12.0, 14.0]),
            (0.0, 1.0, 3, vec![0.0, 0.5, 1.0]),
            (5.0, 5.0, 4, vec![4.8, 5.0]),
        ] {
            let found = ticks(low, high, most);
            assert!(
                found.first().is_some_and(|first| *first <= low)
                    && found.last().is_some_and(|last| *last >= high),
                "{found:?}"
            );
            if low < high {
                assert_eq!(found, expect);
            }
        }
        assert!(ticks(f64::NAN, 1.0, 4).is_empty());
    }

    #[test]
    fn labels_have_the_decimals_of_their_step() {
        for (tick, step, expect) in [
            (8.5, 0.1, "8.5"),
            (8.0, 2.0, "8"),
            (0.04, 0.02, "0.04"),
            (1200.0, 50.0, "1200"),
            (0.5, 0.5, "0.5"),
        ] {
            assert_eq!(tick_text(tick, step), expect);
        }
    }
}
